"""What the name spaces list, and what they answer to names that they lack."""

import copy
import functools
import inspect
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import points

PACKAGE = Path(af.__file__).parent
SPACES = sorted(
    ["distances", "inference", "diagnostics", "subsets", "models", "measures", "units", "plots"]
)

DATA = [["x", "x"], ["x", "y"], ["y", "y"], ["x", "x"]]
SPANS = af.units.Continuum.from_rows(
    documents=["d", "d"], coders=["a", "b"], categories=["x", "x"], starts=[0, 0], ends=[4, 5]
)


@pytest.mark.parametrize("space", ["", *SPACES])
def test_a_name_space_lists_its_names(space):
    module = getattr(af, space) if space else af
    assert dir(module) == sorted(module.__all__)
    for name in nonempty(module.__all__):
        assert getattr(module, name) is not None


def test_the_interface_is_small():
    """At most ten name spaces with at most two hundred names, the package's own among them."""
    assert {*SPACES} < {*af.__all__}
    spaces = [af, *(getattr(af, space) for space in SPACES)]
    assert len(spaces) <= 10
    assert sum(len(space.__all__) for space in spaces) <= 200


@pytest.mark.parametrize("space", ["", *SPACES])
def test_every_parameter_has_a_type_that_says_what_is_taken(space: str) -> None:
    """`Any` says nothing, neither to a reader nor to an editor."""
    module = getattr(af, space) if space else af
    functions = {}
    for name in nonempty(module.__all__):
        item = getattr(module, name)
        functions[name] = item
        if inspect.isclass(item):
            public = [key for key in vars(item) if key == "__init__" or not key.startswith("_")]
            functions |= {f"{name}.{key}": getattr(item, key) for key in public}
    signatures = {
        name: inspect.signature(item) for name, item in functions.items() if inspect.isroutine(item)
    }
    for name, signature in signatures.items():
        for parameter in signature.parameters.values():
            assert not re.search(r"\bAny\b", str(parameter.annotation)), (name, parameter)
    assert signatures


@pytest.mark.parametrize("space", ["", *SPACES])
def test_a_type_checker_refuses_names_that_are_missing(space):
    """It would accept all of them if it saw `__getattr__`."""
    folder, module = PACKAGE / space / "__init__.py", PACKAGE / f"{space}.py"
    source = (folder if folder.exists() else module).read_text(encoding="utf-8")
    assert source.count("if not TYPE_CHECKING:\n    __getattr__, __dir__ = ") == 1
    assert source.count("def __getattr__") == 0


@pytest.mark.parametrize(
    ("space", "name", "advice"),
    [
        ("inference", "compare", ": use af.compare"),
        ("diagnostics", "standard_error", ": use af.inference.standard_error"),
        ("inference", "diagnostics", ": use af.diagnostics"),
        (
            "subsets",
            "category_path",
            ": use af.diagnostics.category_path or af.plots.",
        ),
        ("inference", "scott_pi", ": use af.pi(data) or af.agreement(data, 'scott_pi')"),
        ("inference", "observed_agreement", ": use af.observed_agreement"),
        ("models", "icc", ": use af.icc"),
        ("diagnostics", "baas", ": did you mean af.diagnostics.bias?"),
        ("distances", "jacard", ": did you mean af.distances.jaccard?"),
        ("measures", "bootstraps", ": did you mean af.bootstrap?"),
        ("units", "cohen_kapa", ": did you mean af.agreement(data, 'cohen_kappa')?"),
        ("plots", "nothing", ": its names are bland_altman, "),
    ],
)
def test_a_name_that_is_missing_is_answered(space, name, advice):
    expected = f"module 'agreement_fast.{space}' has no attribute '{name}'{advice}"
    with pytest.raises(AttributeError) as error:
        getattr(getattr(af, space), name)
    assert str(error.value).startswith(expected)


def test_the_package_answers_for_its_name_spaces():
    with pytest.raises(AttributeError, match=r"use af\.inference\.standard_error$"):
        af.standard_error  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean af\.diagnostics\?$"):
        af.diagnostic  # noqa: B018


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", ["__wrapped__", "_private", "not a name", "a.b"])
def test_what_programs_look_for_is_answered_plainly(space, name, monkeypatch):
    """Nothing is loaded or compared for it: inspect, doctest and copy ask often."""
    module = getattr(af, space)
    monkeypatch.setitem(sys.modules, "difflib", None)
    with pytest.raises(AttributeError, match=r"has no attribute '[^']*'$"):
        getattr(module, name)
    assert not hasattr(module, name)


def renamed():
    """The rows of docs/names.md: old names, and new ones, each as (name space, name)."""
    text = (Path(__file__).parents[1] / "docs" / "names.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`\w+\.\w+`.*?) \| (.*?) \| .*? \| .*? ?\|$",
        text.partition("## Parameters")[0],
        re.M,
    )
    for old, new in nonempty(rows):
        olds = re.findall(r"`(\w+)\.(\w+)`", old)
        same = re.match(r"the same names in `(\w+)`", new)
        news = [(same[1], name) for _, name in olds] if same else []
        yield olds, news or re.findall(r"`(\w+)\.(\w+)", new)[:1]


@pytest.mark.sources
def test_the_table_of_names_is_as_the_code_is():
    """Old names do not exist, and new ones do; methods of `Annotations` are no names of a space."""
    public = {space: set(getattr(af, space).__all__) for space in SPACES}
    public["af"] = set(af.__all__)
    rows = list(renamed())
    assert len(rows) > 50
    for olds, news in rows:
        for space, name in news:
            assert space not in public or name in public[space], (space, name)
        for space, name in {*olds} - {*news}:
            assert name not in public.get(space, ()), (space, name)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("AnnotationTask", "af.Annotations.from_triples(triples)"),
        ("masi", "it is a distance; use af.alpha(data, 'masi')"),
        ("avg_Ao", "af.observed_agreement(data)"),
        ("bp", "af.brennan_prediger(data)"),
        ("compute", "af.agreement_table(data)"),
        ("f1_score", "af.diagnostics.gold_scores(data, gold)"),
        ("inter_rater", "af.fleiss_kappa(counts, layout='counts')"),
        ("to_table", "contingency_table('a', 'b')"),
        ("ku_alpha", "af.agreement(continuum, 'ku_alpha')"),
        ("majority_vote", "af.aggregate(data, 'majority')"),
        ("judges", "af.diagnostics.model_agreement(data, model)"),
        ("per_code", "af.diagnostics.code_agreement(data)"),
        ("pair_mean", "af.diagnostics.pairwise_agreement(data)"),
        ("read_spss", "use af.read(PATH)"),
        ("from_triples", "use af.Annotations.from_triples"),
        ("worst_items", "af.diagnostics.disagreements(data)"),
        ("by_coder", "af.diagnostics.coder_report(data)"),
        ("kappa2", "af.weighted_kappa(data, 'quadratic')"),
        ("rank_judges", "af.diagnostics.model_agreement(data, model)"),
        ("hierarchy", "af.alpha(data, af.distances.wu_palmer(tree))"),
        ("confusion_matrix", "use af.Annotations.from_wide({'a': first, 'b': second})"),
        ("icc2k", "af.icc(data)"),
        ("lin_ccc", "af.measures.overall_concordance(data)"),
        ("cronbach", "af.measures.cronbach_alpha(data)"),
        ("pearson", "af.measures.correlations(data)"),
        ("mcnemar", "af.inference.marginal_test(data)"),
        ("judge_agreement", "af.diagnostics.model_agreement(data, model)"),
        ("kappa_by_code", "af.diagnostics.category_agreement(data)"),
        ("sensitivity", "af.diagnostics.gold_scores(data, gold)"),
        ("simpledorff", "use af.alpha(data)"),
        ("calculate_krippendorffs_alpha_for_df", "use af.alpha(data)"),
        ("metrics", "use a coefficient such as af.kappa(data)"),
        ("interval_distance", "it is a distance; use af.alpha(data, 'interval')"),
        ("binary_distance", "the nominal distance, which is the default"),
        ("DawidSkene", "af.aggregate(data, 'dawid_skene').model"),
        ("CombinedCategoricalDissimilarity", "use af.units.gamma(continuum)"),
        ("Segment", "use af.units.Continuum.from_frame(frame"),
        ("inter_annotator_agreement", "use af.alpha(data) or af.agreement_table(data)"),
    ],
)
def test_what_people_guess_is_answered_with_a_call(name: str, advice: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(advice)):
        getattr(af, name)


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (
            "from agreement_fast import AnnotationTask",
            "data = af.Annotations.from_triples(triples)",
        ),
        ("from agreement_fast import alpha, CAC", "use af.agreement_table(data)"),
        ("from agreement_fast.units import krippendorff_alpha", "af.agreement(continuum"),
        ("from agreement_fast.subsets import bootstrap", "use af.bootstrap"),
    ],
)
def test_an_import_of_a_name_that_is_missing_is_answered(line: str, advice: str) -> None:
    """Python drops what an AttributeError says of it."""
    with pytest.raises(ImportError, match=re.escape(advice)):
        exec(line)
    assert not hasattr(af, "AnnotationTask")


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (lambda: af.Annotations.from_pandas, r"from_frame\(frame, item=\.\.\."),
        (lambda: af.Annotations.from_csv, r"use af\.read\(PATH\)"),
        (lambda: af.units.Continuum.from_csv, r"'from_csv': .*; use af\.read\(PATH\)"),
        (lambda: af.units.Continuum._private, "has no attribute '_private'$"),
        (lambda: af.units.Continuum(), "Continuum is made by from_rows, from_frame: write"),
    ],
)
def test_a_class_answers_names_of_other_programs(call, answer):
    with pytest.raises((AttributeError, TypeError), match=answer):
        call()
    assert copy.copy(SPANS).n_units == SPANS.n_units


def test_every_call_that_a_guess_is_answered_with_exists() -> None:
    """Names behind ``af.`` in the advice are attributes."""
    advice = [points.elsewhere(name) for names in points.GUESSES.values() for name in names.split()]
    called = {path for text in advice for path in re.findall(r"af((?:\.\w+)+)", text or "")}
    assert len(called) > 8
    for path in nonempty(sorted(called)):
        assert callable(functools.reduce(getattr, path.split(".")[1:], af)), path


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (lambda: af.units.alpha, r"for units use af\.agreement\(continuum, 'u_alpha'\)"),
        (lambda: af.Annotations.from_wide(DATA).alpha, r"write af\.agreement\(data, 'alpha'\)"),
        (lambda: af.Annotations(DATA), "make Annotations with from_wide"),
        (lambda: af.alpha(DATA, coders=[0, 1]), r"write coder=\[0, 1\]"),
        (lambda: af.agreement_by_group(DATA, group="a"), "write by='a'"),
        (lambda: af.bootstrap(DATA, n=9), "write n_resamples=9"),
        (lambda: af.agreement(DATA, metric="alpha"), "or coefficient='alpha' if it is one$"),
        (lambda: af.alpha(DATA, experiment_col="i", class_col="l"), "item='i'; write label='l'"),
        (lambda: af.aggregate(DATA, method="Dawid-Skene"), "write method='dawid_skene'"),
        (lambda: af.read("x.csv", sep=";"), "write delimiter=';'"),
        (lambda: af.read("x.csv", header=None), "header must be True or False"),
        (lambda: af.agreement_table(DATA).to_latex, "to_latex': it has to_frame"),
        (lambda: af.aggregate(DATA, model="mace"), "write method='mace'"),
        (lambda: af.alpha(DATA, method="ordinal"), "write distance='ordinal'"),
        (
            lambda: af.fleiss_kappa(DATA, method="randolph"),
            "another chance model is another function",
        ),
        (lambda: af.report(DATA).to_html, "it has save"),
        (lambda: af.alpha(SPANS), r"these are units: use af\.agreement\(continuum"),
        (lambda: af.brennan_prediger(DATA, weights="ordinal"), "'gwet:ordinal' irrCAC's"),
        (
            lambda: af.alpha(DATA, level="interval", values=[1, 2]),
            r"'interval'; write categories=\[",
        ),
        (
            lambda: af.bootstrap(af.alpha, [1, 2], [2, 2]),
            r"\(data, coefficient\), not 3: the others",
        ),
        (lambda: af.diagnose([[1, 1], [2, 1]]).nothing, "it has agreement, "),
        (lambda: af.agreement_table(DATA).to_excel, "it has to_frame"),
        (lambda: af.agreement_table(DATA).to_markdown, "to_markdown': it has to_frame"),
        (lambda: af.aggregate(DATA).accuracy, "it has gold_check"),
        (lambda: af.aggregate(DATA, "dawid_skene").model.confusion_matrices, "it has confusion$"),
        (lambda: af.diagnose(DATA).coders, "it has findings"),
        (lambda: af.diagnose(DATA).print, "it has to_text"),
        (lambda: af.report(DATA).to_word, "to_word': it has save"),
        (
            lambda: af.plots.bland_altman([1, 2], [2, 2]),
            r"two coders are one table, \[\*zip\(first, second\)\]; the others have names",
        ),
        (lambda: af.measures.limits_of_agreement([1, 2], [2, 2]), "two coders are one table"),
        (
            lambda: af.alpha(af.Annotations.from_wide(DATA), missing="x"),
            r"to what makes them, as in af\.read\(PATH, missing='x'\)",
        ),
        (
            lambda: af.icc(DATA, model="twoway", unit="average"),
            ": not needed: the table has all forms, a row each$",
        ),
        (lambda: af.inference.items_needed(kappa=0.7, width=0.2), "pass the result of a pilot"),
        (lambda: af.observed_agreement(DATA, tolerance=1), r"lambda a, b: abs\(a - b\) > 1"),
        (lambda: af.bootstrap(DATA, "kappa", reps=9), "'reps': write n_resamples=9"),
        (lambda: af.agreement(DATA, "alpha", by="code"), r"category_agreement\(data\)"),
        (
            lambda: af.agreement(DATA, "u_alpha"),
            r"path of an export or continuum = af\.units\.Continuum\.from_frame",
        ),
        (lambda: af.alpha(DATA, length=9), "extents= of af.units.Continuum"),
        (lambda: af.kappa(DATA, "a", "b"), r"write coder=\['a', 'b'\]"),
        (lambda: af.alpha(DATA).summary, r": print\(result\) shows it"),
        (lambda: af.alpha(DATA).interpretation, r"af\.inference\.benchmark\(result\)"),
        (lambda: af.report(DATA).plot, r"af\.plots\.forest\(result\)"),
        (lambda: af.alpha(DATA).apa(), r"af\.report\(data, style='apa'\)\.sentence\(\)"),
        (lambda: af.subsets(DATA, size=3), r"af\.subsets is a name space.*, coder_subsets, "),
        (lambda: af.models(DATA), r"af\.models is a name space.*, latent_classes, "),
        (lambda: af.alpha(DATA, "id", "who", "says"), r"item='id', coder='who', label='says'\)$"),
        (lambda: af.agreement(DATA, values="label"), "write label='label'$"),
        (lambda: af.fleiss_kappa(DATA, format="counts"), "write layout='counts'$"),
        (lambda: af.fleiss_kappa(DATA, counts=True), "'counts': write layout='counts'"),
        (lambda: af.kappa(table=DATA), "as the first argument, with layout='contingency' if"),
        (lambda: af.alpha(DATA, cluster="doc"), r"af\.bootstrap.* and take cluster=$"),
        (lambda: af.alpha(DATA, n_boot=9), r"write af\.bootstrap\(data, .*, n_resamples=9\)$"),
        (lambda: af.alpha(DATA, threshold=0.8), r"coefficient_test\(.*null_value=0\.8\)"),
        (lambda: af.alpha(DATA, multilabel=True, sep=";"), "set_separator=';'"),
        (
            lambda: af.diagnostics.model_agreement(DATA, judge=0, humans=[1]),
            r"write model=0; write person=\[1\]$",
        ),
        (lambda: af.compare(DATA, judge="gpt"), r"model_agreement\(data, model, person=\.\.\.\)"),
        (lambda: af.alpha(DATA, items="i", labels="score"), "item='i'; write label='score'$"),
        (lambda: af.alpha(DATA, labels=["x", "y"]), r"write categories=\['x', 'y'\]$"),
        (lambda: af.fleiss_kappa(DATA, method="fleiss"), r"af\.agreement\(data, chance='gwet'\)$"),
        (lambda: af.alpha(DATA, "icc"), r"is no distance, it is .* use af\.icc\(data\)"),
        (lambda: af.alpha(DATA, "cohen_kappa"), r"use af\.agreement\(data, 'cohen_kappa'\)$"),
        (lambda: af.alpha(DATA, "spans"), r"af\.distances\.spans\('jaccard'\)"),
        (lambda: af.kappa(np.array(DATA), np.array(DATA)), r"compare\(first, second, 'kappa'\)$"),
        (lambda: af.alpha(np.array([1, 2])), "the labels of each item as a row"),
        (
            lambda: af.inference.judgments_needed(pd.DataFrame(DATA)),
            r"not a DataFrame: pass a coefficient, such as af\.alpha\(data\)",
        ),
        (
            lambda: af.diagnostics.model_agreement({"ann": [*"xyx"], "gpt": [*"xxy"]}, "gpt"),
            r"1, 'ann', is left .* af\.diagnostics\.gold_scores\(data, 'ann'\)",
        ),
        (
            lambda: af.alpha(pd.DataFrame([[1, 1, 2], [2, 2, 2], [2, 3, 3], [1, 4, 1]])),
            r"items=1, coders=\[0, 2\]\); if 1 is a coder, too, .*coders=\[0, 1, 2\]\)$",
        ),
        (
            lambda: af.alpha({"x": ["a;b", "b", "c"] * 4, "y": ["b;a", "c;a", "c;b"] * 4}),
            r"if labels such as 'a;b' are sets, .*from_wide\(table, set_separator=';'\); else",
        ),
        (lambda: af.rank_coders, r"use af\.diagnostics\.coder_report\(data\)$"),
        (lambda: af.kendall_tau, r"use af\.measures\.correlations\(data\)$"),
        (lambda: af.alpha(items=range(9), raters=range(9)), r"from_long\(items, coders, labels\)"),
    ],
)
def test_first_guesses_are_answered_with_what_to_write(call, answer):
    with pytest.raises((AttributeError, TypeError, ValueError), match=answer):
        call()


def test_the_path_of_a_file_stands_for_what_is_read_from_it(tmp_path: Path) -> None:
    path, other = tmp_path / "long.csv", tmp_path / "other.csv"
    path.write_text("id,who,says\na,x,1\na,y,1\nb,x,2\nb,y,1\nc,x,3\nc,y,3\n")
    other.write_text(path.read_text().replace("b,y,1", "b,y,2"))
    roles = {"item": "id", "coder": "who", "label": "says"}
    data, better = af.read(path, **roles), af.read(other, **roles)
    for function, more in ((af.alpha, ("ordinal",)), (af.diagnose, ("kappa",))):
        shown = str(function(data, *more))
        assert str(function(str(path), *more, **roles)) == shown
        assert str(function(path, *more, **roles)) == shown
    difference = str(af.compare(better, data))
    assert str(af.compare(other, path, **roles)) == difference
    plain = tmp_path / "plain.csv"
    plain.write_text(path.read_text().replace("id,who,says", "item,coder,label"))
    assert str(af.compare(better, plain)) == difference
    with pytest.raises(ValueError, match="item is for reading data, and these are Annotations"):
        af.compare(plain, data, item="item")
    with pytest.raises(ValueError, match=r"columns? 'nobody'"):
        af.alpha(path, coder="nobody")
    with pytest.raises(ValueError, match=r"distance here: did you mean distance=.linear.\?$"):
        af.kappa(path, weights="linear")
    with pytest.raises(ValueError, match=r"'nominal': no such file"):
        af.alpha("nominal")


def test_the_path_of_a_file_of_units_stands_for_them(tmp_path: Path) -> None:
    lines = {"ann": "T1\tPER 0 4\tAnna\nT2\tLOC 8 14\tBerlin\n", "bob": "T1\tPER 0 4\tAnna\n"}
    for coder, text in lines.items():
        (tmp_path / coder).mkdir()
        (tmp_path / coder / "a.txt").write_text("Anna in Berlin")
        (tmp_path / coder / "a.ann").write_text(text)
    units = af.read(tmp_path)
    assert isinstance(units, af.units.Continuum)
    assert str(af.agreement(tmp_path, "u_alpha")) == str(af.agreement(units, "u_alpha"))
    assert str(af.units.scores(tmp_path)) == str(af.units.scores(units))


def test_a_coefficient_may_be_the_function_and_stand_before_the_data():
    data = [["x", "x"], ["x", "y"], ["y", "y"]] * 4
    named = af.bootstrap(data, "kappa", n_resamples=99, rng=1)
    assert af.bootstrap(af.kappa, data, n_resamples=99, rng=1) == named
    assert af.bootstrap(data, coefficient=af.cohen_kappa, n_resamples=99, rng=1) == named
    with pytest.raises(TypeError, match=r"coefficient must be a name.* not "):
        af.bootstrap(data, len)
    with pytest.raises(TypeError, match=r"coefficient must be a name.* not "):
        af.bootstrap(data, lambda pair: 1.0)


def test_rows_of_coder_item_and_label_are_taken_if_that_is_certain():
    labels = {"ann": "xyxyxyxy", "bob": "xyxyxyyy", "eve": "xyyyxyxx"}
    rows = [(c, f"i{i}", label) for c, text in labels.items() for i, label in enumerate(text)]
    with pytest.warns(af.ReadHint, match=r"item, label\), which layout='long' says"):
        value = af.alpha(rows)
    assert value == af.alpha(af.Annotations.from_triples(rows)) == af.alpha(rows, layout="long")
    with pytest.warns(af.ReadHint) as hints:
        assert af.kappa(rows[:16]) == af.kappa(rows[:16], layout="long")
    assert "NLTK" not in str(hints[0].message)
    with pytest.warns(
        af.ReadHint, match=r"NLTK's kappa\(\), of more .*pairwise_agreement\(data, 'kappa'\)"
    ):
        af.kappa(rows)
    for other in ([(i, c, x) for c, i, x in rows], [*map(list, rows)], [*rows, rows[0]]):
        with pytest.raises(ValueError, match=r"one judgment each|which columns are coders"):
            af.alpha(other)
    alike = [(c, f"i{i % 4}", x) for c, i, x in zip("xyz" * 8, range(24), "xyz" * 8, strict=True)]
    with pytest.raises(ValueError, match=r"one judgment each|which columns are coders"):
        af.alpha(alike)


#: The default of a parameter wherever a function has one.
DEFAULTS = {
    "cluster": None, "confidence_level": 0.95, "gold": None, "incomplete": "published",
    "n_resamples": 2000, "person": None, "progress": False, "rng": None, "threads": None,
    "undefined": "nan",
}  # fmt: skip
#: Those that differ: numbers of prunings and of sets of coders; a level that only one of two kinds
#: of resamples has; and single judgments, which would change kappa of a rare code strongly.
OTHER_DEFAULTS = {
    ("pruned_agreement", "n_resamples"): 100,
    ("reference_errors", "n_resamples"): 100,
    ("reference_stability", "confidence_level"): None,
    ("code_agreement", "incomplete"): "pairable",
}


def test_a_parameter_has_one_default() -> None:
    spaces = [af, *(getattr(af, space) for space in nonempty(SPACES))]
    functions = [getattr(space, name) for space in spaces for name in space.__all__]
    other, n_seen = {}, 0
    for function in filter(inspect.isfunction, functions):
        for name, entry in inspect.signature(inspect.unwrap(function)).parameters.items():
            if name in DEFAULTS and entry.default is not entry.empty:
                n_seen += 1
                if entry.default != DEFAULTS[name]:
                    other[function.__name__, name] = entry.default
    assert n_seen > 150
    assert other == OTHER_DEFAULTS
