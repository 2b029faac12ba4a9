"""Points of the cube: a chance model, a weight of the items and a distance.

A named coefficient is a chance model and a weight of the items: a row of `COEFFICIENTS`. Together
with a distance it is a `Point`, the unit in which coefficients are computed.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast import distances as distances_
from agreement_fast.chance import CHANCE, Chance
from agreement_fast.distances import Distance, check_symmetric
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase, UnknownKeyError


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A named chance model and weight of the items.

    Attributes
    ----------
    name : str
        The name of its function, such as "alpha".
    aliases : tuple of str
        Other names that are accepted.
    chance : {"uniform", "pooled", "pooled_unbiased", "individual", "gwet"}
        The chance model.
    item_weight : {"items", "judgments"}
        Whether every item counts the same in D_o, or in proportion to its judgments.
    weighted : str or None
        The name to use with a distance, if this coefficient takes the nominal distance only.
    title : str
        The name that reports show.
    symbol : str
        The name on the axes of plots.
    also_called : tuple of two str
        Its names elsewhere, under the nominal distance and under others.
    source : str
        Where it was published.

    Examples
    --------
    >>> import agreement_fast as af
    >>> row = af.COEFFICIENTS["scott_pi"]
    >>> row.name, row.chance, row.item_weight, row.weighted
    ('pi', 'pooled', 'items', 'alpha_prime')
    """

    name: str
    aliases: tuple[str, ...]
    chance: str
    item_weight: str
    weighted: str | None
    title: str
    symbol: str
    also_called: tuple[str, str]
    source: str

    @property
    def nominal_only(self) -> bool:
        """Whether the coefficient takes the nominal distance only."""
        return self.weighted is not None


_S = ("Bennett's S", "weighted Brennan-Prediger")
_PI = ("Scott's pi, Fleiss' kappa", "weighted Fleiss' kappa")
_KAPPA = ("Cohen's, Conger's kappa", "weighted Cohen's, Conger's kappa")
_ALPHA = ("Krippendorff's alpha, KALPHA",) * 2

_ROWS = {
    row.name: row
    for row in (
        Coefficient(
            "s", ("bennett_s", "randolph_kappa"), "uniform", "items", "brennan_prediger",
            "S", "S", _S, "Bennett, Alpert & Goldstein 1954",
        ),
        Coefficient(
            "brennan_prediger", ("weighted_s",), "uniform", "items", None,
            "weighted S", "S", _S, "Brennan & Prediger 1981",
        ),
        Coefficient(
            "pi", ("scott_pi", "fleiss_kappa", "multi_pi", "k", "π"), "pooled", "items",
            "alpha_prime", "π", "π", _PI, "Scott 1955, Fleiss 1971",
        ),
        Coefficient(
            "alpha_prime", ("alpha'", "α'"), "pooled", "items", None,
            "α'", "α′", _PI, "Artstein & Poesio 2005, 2.5",
        ),
        Coefficient(
            "kappa",
            ("cohen_kappa", "multi_kappa", "davies_fleiss_kappa", "conger_kappa",
             "hubert_kappa", "κ"),
            "individual", "items", "beta", "κ", "κ", _KAPPA, "Cohen 1960, Davies & Fleiss 1982",
        ),
        Coefficient(
            "beta", ("weighted_kappa", "β"), "individual", "items", None,
            "β", "β", _KAPPA, "Artstein & Poesio 2005, 2.7; Cohen 1968",
        ),
        Coefficient(
            "alpha", ("krippendorff_alpha", "kalpha", "α"), "pooled_unbiased", "judgments", None,
            "α", "α", _ALPHA, "Krippendorff 1980, 2011",
        ),
        Coefficient(
            "ac", ("gwet_ac2", "gwet_ac1", "ac1", "ac2"), "gwet", "items", None,
            "AC", "AC", ("Gwet's AC1", "Gwet's AC2"), "Gwet 2008, 2014",
        ),
    )
}  # fmt: skip


class Coefficients(Mapping[str, Coefficient]):
    """The coefficients by name, which may also be an alias or another program's name."""

    def __getitem__(self, name: str) -> Coefficient:
        """Return the coefficient of a name; case, hyphens, dots and spaces do not matter."""
        if name in _ROWS:
            return _ROWS[name]
        try:
            return named(name)
        except InputError as error:
            raise UnknownKeyError(error.problem, error.remedy, argument="coefficient") from None

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __len__(self) -> int:
        return len(_ROWS)


#: The named coefficients.
COEFFICIENTS: Mapping[str, Coefficient] = Coefficients()

#: What other programs call them in their output and their functions, as `normal` writes it.
_OF_PROGRAMS = {
    "alpha": (
        "krippendorff krippen_alpha krippen_alpha_raw kripp_alpha krippendorffalphaagreement "
        "calculate_krippendorffs_alpha calculate_krippendorffs_alpha_for_df compute_alpha"
    ),
    "pi": (
        "fleiss_kappa_raw fleiss_multirater_kappa kappam_fleiss scottpiagreement "
        "fleisskappaagreement"
    ),
    "kappa": "conger_kappa_raw cohen_kappa_score hubertkappaagreement",
    "brennan_prediger": "bp_coeff_raw",
    "ac": "gwet_ac1_raw",
    "s": "bennettsagreement randolphkappaagreement",
}

#: What people call other numbers, tables and jobs, by what they are and what to write.
GUESSES = {
    "the observed agreement; use af.observed_agreement(data)": (
        "pa_coeff_raw percentageagreement percentage_agreement percent_agreement agree "
        "observed_agreement avg_ao accuracy_score holsti holsti_cr raw_agreement coding_comparison "
        "percentage percent"
    ),
    "kappa of two coders; use af.kappa(data), or af.weighted_kappa(data, 'quadratic')": (
        "kappa2 cohen"
    ),
    "the mean of the kappas of all pairs of coders; use "
    "af.diagnostics.pairwise_agreement(data).mean": "light_kappa kappam_light",
    "AC1, or AC2 with a distance; use af.ac(data)": "gwet",
    "the kappa of Fleiss; use af.fleiss_kappa(data), and for counts layout='counts'": "fleiss",
    "Brennan & Prediger's coefficient; use af.brennan_prediger(data)": "bp",
    "the kappa of Conger; use af.kappa(data)": "conger",
    "2 A_o - 1 (S, for two categories); use af.diagnostics.bias(data).adjusted": "pabak",
    "a table of all forms of the intraclass correlation; use af.icc(data)": (
        "icc icc1 icc2 icc3 icc1k icc2k icc3k intraclass_corr intraclass_correlation "
        "intraclass_correlations"
    ),
    "no coefficient of agreement; use af.measures.cronbach_alpha(data)": "cronbach",
    "no coefficient of agreement; use af.measures.correlations(data)": (
        "pearson pearsonr spearman spearmanr kendall kendall_tau kendalltau matthews_corrcoef mcc "
        "phi_coefficient"
    ),
    "no coefficient of agreement; use af.measures.overall_concordance(data)": (
        "ccc concordance concordance_ccc lin_ccc"
    ),
    "a test of how often two coders use the categories; use af.inference.marginal_test(data)": (
        "mcnemar stuart_maxwell"
    ),
    "the limits of agreement, with the standard deviation of differences; use "
    "af.measures.limits_of_agreement(data)": "sem standard_error_of_measurement limits loa",
    "a class of NLTK; use data = af.Annotations.from_triples(triples), and af.alpha(data)": (
        "annotationtask"
    ),
    "a name of irrCAC; use af.agreement_table(data), or a coefficient such as af.ac(data)": (
        "cac irrcac raw"
    ),
    "a name of scikit-learn and NLTK; use a coefficient such as af.kappa(data) or af.alpha(data)": (
        "metrics sklearn nltk"
    ),
    "not needed; pass the table of items × coders": "aggregate_raters",
    "Krippendorff's α; use af.alpha(data)": "alpha_krippendorff simpledorff",
    "α of units; use af.units.u_alpha(continuum)": "krippendorff_alpha_u unitizing_alpha",
    "a coefficient of units; use af.agreement(continuum, name), with the path of an export or "
    "continuum = af.units.Continuum.from_frame(frame)": (
        "alpha_u u_alpha binary_u_alpha cu_alpha ku_alpha gamma gamma_cat gamma_k"
    ),
    "a table of scores of spans; use af.units.scores(continuum), with the path of an export or "
    "continuum = af.units.Continuum.from_frame(frame)": (
        "f1 span_f1 span_agreement pairwise_f1 precision_recall"
    ),
    "a comparison with gold; use af.diagnostics.gold_scores(data, gold), and for spans "
    "af.units.scores(continuum)": "f1_score precision_recall_fscore_support",
    "units; use af.units.Continuum.from_frame(frame) or, for tags of tokens, af.read(PATH) of a "
    "file in CoNLL's format": ("from_bio spans_from_bio spans_from_frame"),
    "no argument of ours; use af.units.gamma(continuum), with distance= between categories": (
        "combinedcategoricaldissimilarity positionalsporadicdissimilarity "
        "absolutecategoricaldissimilarity"
    ),
    "the nominal distance, which is the default; use af.alpha(data)": "binary",
    "a fit of one label an item; use af.aggregate(data, name).model": "mace glad crowdlab",
    "a fit of one label an item; use af.aggregate(data, 'dawid_skene').model": (
        "dawid_skene dawidskene"
    ),
    "one label an item; use af.aggregate(data, 'majority')": (
        "majorityvote majority_vote wawa consensus consensus_labels vote"
    ),
    "a study of models beside people; use af.diagnostics.model_agreement(data, model)": (
        "judge judges judge_agreement compare_judges evaluate_judge evaluate_model compare_models "
        "compare_judge rank_judges llm_judge"
    ),
    "a test of models; use af.diagnostics.alternative_annotator_test(data, model)": (
        "alt_test alternative_annotator"
    ),
    "the agreement on each element of sets; use af.diagnostics.code_agreement(data)": (
        "multilabel multilabel_alpha"
    ),
    "the agreement on each category, or on each element of sets; use "
    "af.diagnostics.category_agreement(data) or af.diagnostics.code_agreement(data)": (
        "per_code kappa_per_code"
    ),
    "the agreement on each category; use af.diagnostics.category_agreement(data)": (
        "per_category negative_agreement agreement_by_code agreement_by_category by_category "
        "kappa_by_code kappa_by_category"
    ),
    "a table of two coders; use af.Annotations.from_wide({'a': first, 'b': second})"
    ".contingency_table('a', 'b'); of categories, af.diagnostics.category_confusions(data)": (
        "confusion_matrix crosstab contingency_table to_table"
    ),
    "a table of categories; use af.diagnostics.category_confusions(data)": "confusion confusions",
    "a name space of statsmodels; use a coefficient such as af.fleiss_kappa(counts, "
    "layout='counts')": "inter_rater statsmodels",
    "a coefficient, or a table of them; use af.alpha(data) or af.agreement_table(data)": (
        "compute calculate score irr iaa icr reliability inter_rater_reliability summary "
        "inter_annotator_agreement inter_rater_agreement inter_coder_agreement"
    ),
    "a table of pairs; use af.diagnostics.pairwise_agreement(data)": (
        "pairwise pair_mean pairwise_kappa pairwise_alpha coder_pairs pairwise_matrix"
    ),
    "a comparison with gold; use af.diagnostics.gold_scores(data, gold)": (
        "accuracy worker_accuracy classification_report precision recall "
        "sensitivity specificity sensitivity_specificity against_gold"
    ),
    "a table of coders; use af.diagnostics.coder_report(data)": (
        "leave_one_out coder_agreement per_coder worker_quality annotator_quality coder_quality "
        "by_coder worker_agreement rater_agreement annotator_agreement rank_raters rank_coders "
        "rank_annotators rank_workers bad_raters bad_workers bad_coders coders"
    ),
    "a selection; use data.select(coders=[...]) of af.Annotations, or coder=[...]": (
        "drop_coders select_coders"
    ),
    "a number of items; use af.inference.items_needed(result, width=)": (
        "power sample_size power_analysis n_items"
    ),
    "a reading on a published scale; use af.inference.benchmark(result)": (
        "interpret interpretation landis_koch"
    ),
    "a picture of pairs; use af.plots.coder_pairs(af.diagnostics.pairwise_agreement(data))": (
        "heatmap"
    ),
    "a table of groups; use af.agreement_by_group(data, by)": "compare_groups by_group groups",
    "a comparison; use af.compare(first, second, 'alpha')": "compare_alpha compare_kappa",
    "data that come with the command; use agreement-fast report --example in a shell": (
        "example examples demo example_data load_example"
    ),
    "not needed; use help(af.alpha), and print(result)": "explain describe",
    "a reader of any file; use af.read(PATH)": (
        "load load_dataset from_csv from_excel from_brat from_label_studio"
    ),
    "not needed; frames are taken as they are, as in af.alpha(frame), and named columns as in "
    "af.Annotations.from_frame(frame, item=..., coder=..., label=...)": (
        "from_pandas from_polars from_df from_dataframe"
    ),
    "a table of disputed items; use af.diagnostics.disagreements(data)": "worst_items worst",
    "the class of all judgments; use af.Annotations": "ratings dataset",
    "a distance in a tree; use af.alpha(data, af.distances.wu_palmer(tree))": (
        "hierarchy taxonomy"
    ),
    "the spread over smaller groups of coders; use af.subsets.coder_subsets(data)": (
        "reliability_curve learning_curve"
    ),
    "what coders mark; use af.units.Continuum.from_frame(frame), or from_rows(coders, starts, "
    "ends, categories)": "spans span_annotations segment annotation",
}
_ELSEWHERE = {
    name: what.replace("name)", f"{name!r})")
    for what, names in GUESSES.items()
    for name in names.split()
}

#: Also as "cohens_kappa", which is "Cohen's kappa".
_BY_NAME = {
    alias: COEFFICIENTS[name] for name, aliases in _OF_PROGRAMS.items() for alias in aliases.split()
} | {
    form: row
    for row in COEFFICIENTS.values()
    for name in (row.name, *row.aliases)
    for form in (name, name.replace("_", "s_", 1))
}
#: Aliases that imply the nominal distance, and what to write for another one.
NOMINAL_ALIASES = {"gwet_ac1": "gwet_ac2", "ac1": "ac2"}
#: Aliases that imply another distance than nominal.
WEIGHTED_ALIASES = frozenset(["gwet_ac2", "ac2", "weighted_kappa", "weighted_s"])

#: Coefficients of `agreement_table` for the nominal distance, and for any other.
USUAL = ("s", "pi", "kappa", "alpha", "ac")
USUAL_WEIGHTED = ("brennan_prediger", "alpha_prime", "beta", "alpha", "ac")


def named(name: str) -> Coefficient:
    """Return the coefficient of a name or alias.

    Parameters
    ----------
    name : str
        A name such as "alpha" or "fleiss_kappa", or that of another program's function. Case,
        hyphens, dots and spaces do not matter.

    Returns
    -------
    Coefficient
        Its chance model, its weight of the items, and its names.

    Raises
    ------
    ValueError
        If the name is unknown.

    Examples
    --------
    >>> named("Fleiss' kappa").chance
    'pooled'
    """
    row = _BY_NAME.get(normal(name))
    if row is None and (other := elsewhere(name)) is not None:
        raise InputError(
            f"coefficient {name!r} is not known by this name here: it is {other}",
            argument="coefficient",
        )
    if row is None:
        near = nearest(name)
        raise InputError(
            (
                f"coefficient {name!r} is not known{f', but {near!r} is' if near else ''}; "
                f"the names are {', '.join(COEFFICIENTS)}",
                Phrase("aliases", ", and their aliases in agreement_fast.COEFFICIENTS"),
                "; docs/crosswalk.md lists the names in other programs",
            ),
            argument="coefficient",
        )
    return row


def elsewhere(name: str) -> str | None:
    """Return what a name is that no coefficient has, and what to use; None if that is unknown."""
    plain = normal(name)
    return _ELSEWHERE["load"] if plain.startswith("read_") else _ELSEWHERE.get(plain)


class Answering(type):
    """The type of a class that answers names of other programs, and a call without arguments."""

    if not TYPE_CHECKING:  # which knows the names and the arguments

        def __call__(cls, *args: Any, **fields: Any) -> Any:
            if not args and not fields:
                makers = ", ".join(name for name in vars(cls) if name.startswith("from_"))
                remedy = f"write {cls.__name__}.from_..., or read a file: af.read(PATH)"
                raise InputTypeError(f"{cls.__name__} is made by {makers}", remedy)
            return super().__call__(*args, **fields)

        @property
        def __signature__(cls) -> inspect.Signature:
            own = inspect.signature(cls.__init__)
            return own.replace(parameters=list(own.parameters.values())[1:])

        def __getattr__(cls, name: str) -> Any:
            """Raise an error that says what is meant."""
            other = None if name.startswith("_") else elsewhere(name)
            text = f"type object {cls.__name__!r} has no attribute {name!r}"
            raise AttributeError(text + (f": it is {other}" if other else ""), name=name, obj=cls)


def nearest(name: str) -> str | None:
    """Return the name of a coefficient that is spelled almost as this one, if there is one."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(normal(name), _BY_NAME, n=1, cutoff=0.85)), None)


def is_known(name: str) -> bool:
    """Whether a coefficient has this name or alias."""
    return normal(name) in _BY_NAME


def normal(name: str) -> str:
    if not isinstance(name, str):
        several = isinstance(name, list | tuple) and name and isinstance(name[0], str)
        raise InputTypeError(
            f"coefficient must be a name, not {name!r}",
            (
                (
                    "pass one, as in ",
                    Argument("coefficient", name[0]),
                    ", or several to af.agreement_table",
                )
                if several
                else None
            ),
            argument="coefficient",
        )
    plain = name.strip().lower().replace("-", "_").replace(" ", "_").replace(".", "_")
    return plain.replace("'s_", "_").replace("’s_", "_").replace("s'_", "s_")


@dataclass(frozen=True, eq=False, slots=True)
class Point:
    """A coefficient under a distance."""

    #: The name of a row of `COEFFICIENTS`, or "agreement" for a point without a name.
    name: str
    #: The chance model.
    chance: Chance
    #: Whether every item counts the same in D_o, or in proportion to its judgments: {"items",
    #: "judgments"}.
    item_weight: str
    #: The distance between labels.
    distance: Distance

    @property
    def of_pairs(self) -> bool:
        """Whether items with a single judgment have no effect, so that they are not resampled."""
        return not self.chance.counts_singles

    @property
    def has_slope(self) -> bool:
        """Whether the derivative of D_e is known, including that in ranks if distances use them."""
        known = self.chance.slope is not None
        return known and (not self.distance.ranks or self.chance.rank_slope is not None)

    @staticmethod
    def of(coefficient: str, distance: DistanceLike) -> Point:
        """Return the point of a name and a distance."""
        if isinstance(distance, str) and isinstance(coefficient, str):
            return _named_point(coefficient, distance)
        return _point(coefficient, distances_.resolve(distance))


@functools.lru_cache(256)
def _named_point(coefficient: str, distance: str) -> Point:
    """Return the point of two names; recent ones are cached."""
    return _point(coefficient, _resolved(distance))


def _resolved(distance: str) -> Distance:
    """Return a distance by its name; refuse that of a coefficient with what to write."""
    try:
        return distances_.resolve(distance)
    except InputError:
        use = f"a coefficient; use af.agreement(data, {distance!r})"
        meant = use if is_known(distance) else elsewhere(distance)
        if meant is None or hasattr(distances_, distance):  # which needs more than its name
            raise
        problem, remedy = meant.split("; ", 1)
        raise InputError(
            f"{distance!r} is no distance, it is {problem}", remedy, argument="distance"
        ) from None


def _point(name: str, distance: Distance) -> Point:
    row = named(name)
    check_distance(name, distance)
    check_symmetric(distance)
    return Point(row.name, CHANCE[row.chance], row.item_weight, distance)


def takes_distance(name: str, distance: str) -> bool:
    """Whether a coefficient is defined under a distance, and its name allows the distance."""
    if distance == "nominal":
        return normal(name) not in WEIGHTED_ALIASES
    return not (named(name).nominal_only or normal(name) in NOMINAL_ALIASES)


def check_distance(name: str, distance: Distance) -> None:
    """Raise an error if a coefficient is not defined under a distance, or its name forbids it."""
    if takes_distance(name, distance.name):
        return
    if distance.name == "nominal":
        some: list[Any] = ["quadratic", "linear", "ordinal"]
        raise InputError(
            f"{name} needs a distance",
            ("pass ", Argument("distance", *some)),
            argument="distance",
        )
    instead = named(name).weighted or NOMINAL_ALIASES.get(normal(name))
    raise InputError(
        f"{name} is defined for the nominal distance only",
        f"with the distance {distance.name} use {instead}",
        argument="distance",
    )


def chosen(
    coefficient: str | Iterable[str] | None, distance: DistanceLike, coders_known: bool
) -> list[Point]:
    """Return the points of a table of coefficients × distances; see `agreement_table`."""
    resolved = [distances_.resolve(entry) for entry in _listed(distance, "distance")]
    if coefficient is None:
        nominal = any(entry.name == "nominal" for entry in resolved)
        other = any(entry.name != "nominal" for entry in resolved)
        requested = list(
            dict.fromkeys((USUAL if nominal else ()) + (USUAL_WEIGHTED if other else ()))
        )
        if not coders_known:
            requested = [
                name for name in requested if not CHANCE[COEFFICIENTS[name].chance].knows_coders
            ]
        plain = {name: weighted for name in USUAL if (weighted := COEFFICIENTS[name].weighted)}
    else:
        requested, plain = _listed(coefficient, "coefficient"), {}
    points = []
    for name, row in [(name, named(name)) for name in requested]:
        fitting = [entry for entry in resolved if takes_distance(name, entry.name)]
        if coefficient is None and name in plain.values():
            fitting = [entry for entry in fitting if entry.name != "nominal"]
        if coefficient is not None and not fitting:
            check_distance(name, resolved[0])
        for entry in fitting:
            check_symmetric(entry)
            points.append(Point(row.name, CHANCE[row.chance], row.item_weight, entry))
    return points


def _listed(values: Any, what: str) -> list[Any]:
    """Return one or several as a list; a matrix or a mapping is one distance."""
    single = isinstance(values, (str, Distance, Mapping)) or hasattr(values, "__array__")
    if single or callable(values):
        return [values]
    if not isinstance(values, Iterable):
        raise InputTypeError.must_be(what, "a name or a sequence of names", values)
    listed = list(values)
    if not listed:
        raise InputError((Argument(what), " is empty"))
    return listed
