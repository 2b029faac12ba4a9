"""What a report holds."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast, overload

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast._kernels.normal import share_interval
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.coefficients import observed_agreement, table_of
from agreement_fast.distances import are_sets, usual_names
from agreement_fast.distances.forms import DistanceLike, Nominal
from agreement_fast.distances.sums.categories import least_judgments, sums_of
from agreement_fast.distances.sums.rows import row_disagreement
from agreement_fast.options import Incomplete, PerItem, Seed, check_choice
from agreement_fast.patterns import row_sizes
from agreement_fast.points import Point, chosen
from agreement_fast.present.result import Presented
from agreement_fast.present.sections import Section, text_of
from agreement_fast.present.tables import Row, of_each
from agreement_fast.reading.groups import document_codes
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.reports.intervals import (
    FAILING,
    coefficient_intervals,
    failing,
    quoted_interval,
)
from agreement_fast.reports.paper import (
    THRESHOLD,
    check_methodology,
    quoted_place,
    sentence,
    tests_of,
)
from agreement_fast.reports.text import (
    CrossTable,
    costs_of,
    cross_table,
    report_dict,
    report_sections,
)
from agreement_fast.reports.why import Remark, remarks
from agreement_fast.results import AgreementTable, ObservedAgreement

if TYPE_CHECKING:
    from agreement_fast.inference.hypotheses import CoefficientTest
    from agreement_fast.inference.sample_sizes import ChanceAgreement
    from agreement_fast.measures.beside import MeasureTable
    from agreement_fast.reports.intervals import Interval
    from agreement_fast.reports.rendering import Page
    from agreement_fast.reports.units import UnitsReport
    from agreement_fast.units import Continuum


def count_clusters(annotations: Annotations, cluster: PerItem | None) -> int:
    """Count the clusters that have an item with two judgments or more."""
    rows = annotations.rows
    kept = row_sizes(rows) >= 2
    if rows.weights is not None:
        kept &= rows.weights > 0
    return len(np.unique(document_codes(annotations, cluster)[kept]))


def by_cluster(
    observed: ObservedAgreement,
    annotations: Annotations,
    cluster: PerItem | None,
    incomplete: Incomplete,
) -> ObservedAgreement:
    """Give A_o with the standard error and the interval of a sample of clusters.

    Parameters
    ----------
    observed : ObservedAgreement
        Of these annotations, items being the sample.
    annotations : Annotations
    cluster : mapping or sequence
        The cluster of each stored item.
    incomplete : str

    Notes
    -----
    With t_c the sum of a_i − A_o over the items of cluster c and n items in C clusters, the
    standard error is √(C/(C − 1) Σ t_c²) / n. The interval is Wilson's of C shares that vary as
    much.
    """
    if observed.undefined is not None:
        return observed
    rows, n_categories = annotations.rows, len(annotations.labels)
    sizes = row_sizes(rows)
    kept = sizes >= max(2, least_judgments(annotations, incomplete))
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    kept &= weights > 0
    apart = row_disagreement(rows, Nominal(n_categories), n_categories)[kept]
    shares = 1.0 - apart / (sizes[kept] * (sizes[kept] - 1.0))
    _, codes = np.unique(
        document_codes(annotations, cluster)[kept],
        return_inverse=True,
    )
    totals = np.bincount(codes, weights[kept] * (shares - observed.value))
    n_clusters = len(totals)
    if n_clusters < 2:
        return dataclasses.replace(observed, standard_error=math.nan, low=math.nan, high=math.nan)
    error = math.sqrt(n_clusters / (n_clusters - 1) * float(totals @ totals)) / observed.n_items
    squares = (error * n_clusters) ** 2
    low, high = share_interval(
        observed.value, squares, n_clusters, observed.confidence_level, observed.method
    )
    return dataclasses.replace(observed, standard_error=error, low=float(low), high=float(high))


#: What a report has of its annotations.
OF_ANNOTATIONS = (
    "n_rows n_items n_coders n_judgments n_duplicates_dropped=duplicates_dropped"
    " n_duplicates_united=duplicates_united n_duplicates_tied=duplicates_tied"
    " n_items_judged_once=items_judged_once declared"
)

#: The title of a page.
TITLE = "Inter-coder agreement"

#: Categories that are looked at one by one.
MOST_LOOKED_AT = 20

#: Categories up to which each coder's use of them is looked at.
MOST_COUNTED = 4096


@dataclass(frozen=True, slots=True)
class CategoryCount(Row):
    """How often a category was used.

    Attributes
    ----------
    category : object
    n_judgments : int
        Number of judgments, counted with the items' weights.
    share : float
        Share of all judgments; NaN if there are none.
    """

    category: Any
    n_judgments: int
    share: float

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return one row, also if the category is a tuple."""
        return {name: [getattr(self, name)] for name in ("category", "n_judgments", "share")}


@dataclass(frozen=True, slots=True, repr=False)
class Report(Presented):
    """The result of `report`: ``print(report)`` shows it, `to_dict` is ready for JSON.

    Attributes
    ----------
    n_rows : int
        Stored rows: an item of weight 3 is one row.
    n_items : int
        Items, counted with their weights. So are all counts below except the last four.
    n_items_single, n_items_unjudged : int
        Items with one judgment and with none.
    n_coders : int or None
        None if coders are unknown.
    n_judgments : int
        Number of judgments.
    n_missing : int
        Judgments that the coders did not make: coders × items minus judgments. If coders are
        unknown, the missing entries of the table.
    n_duplicates_dropped : int
        Further judgments of an item by the same coder, dropped or combined.
    n_duplicates_united : int
        Those of `n_duplicates_dropped` whose labels were combined with the others into one set.
    n_duplicates_tied : int
        Judgments that are missing because a coder's labels of an item tie.
    n_items_judged_once : int
        Items left out because the coder judged them only once, if the repeated judgments of a
        coder are compared.
    declared : bool
        Whether the categories were declared. Otherwise they are the labels that occur.
    categories : tuple of CategoryCount
        In the order of the categories.
    observed : ObservedAgreement
        A_o, with standard error and interval.
    table : AgreementTable
        The coefficients.
    incomplete : str
        Which items count; see `agreement`.
    intervals : tuple of StandardError or BootstrapResult, or None
        One interval for each row of `table`; None if no intervals were asked for.
    quoted : int
        Index in `table` of the coefficient that `sentence` quotes: the first that was named, else
        alpha, with the first distance other than nominal that was asked for.
    quoted_interval : StandardError or BootstrapResult, or None
        The interval of the quoted coefficient; None if it needs details that the annotations no
        longer hold.
    named, distance_named : bool
        Whether the coefficients and the distance were named by the caller.
    cross : CrossTable or None
        The contingency table of two coders, or the coincidences of more.
    rare : tuple of ChanceAgreement
        Categories on which fewer than five agreements are expected by chance, the rarest first; see
        `agreement_fast.inference.chance_agreements`. Empty for more than 20 categories.
    constant_coders : str or None
        The coder who used only one category, if that determines kappa.
    n_clusters : int or None
        Number of clusters with an item that has two judgments; None if single items, not clusters,
        are the sample of the intervals.
    tests : tuple of CoefficientTest
        That the quoted coefficient is above 0, and above the threshold; one-sided. Empty if there
        is no interval.
    methodology : dict
        How the coders worked: "independent", "manual", "trained" and "pieces"; None for what is not
        given.
    annotations : Annotations
        The judgments.
    without_singles : AgreementTable or None
        The coefficients of `table` over items with two judgments or more; None if all items of
        `table` have them, or if `incomplete` was chosen.
    measures : MeasureTable or None
        Measures that are not agreement beside coefficients, if asked for.
    measured : str or None
        The one that the sentence for a paper quotes, if it was named.
    style : {"plain", "apa"}
        How that sentence writes numbers.
    """

    _caption = "Report on {n_items:item}, {n_judgments:judgment}"
    _remarks = ""

    n_rows: int
    n_items: int
    n_items_single: int
    n_items_unjudged: int
    n_coders: int | None
    n_judgments: int
    n_missing: int
    n_duplicates_dropped: int
    n_duplicates_united: int
    n_duplicates_tied: int
    n_items_judged_once: int
    declared: bool
    categories: tuple[CategoryCount, ...]
    observed: ObservedAgreement
    table: AgreementTable
    incomplete: Incomplete
    intervals: tuple[Interval, ...] | None
    quoted: int
    quoted_interval: Interval | None
    named: bool
    distance_named: bool
    cross: CrossTable | None
    rare: tuple[ChanceAgreement, ...]
    constant_coders: str | None
    n_clusters: int | None
    without_singles: AgreementTable | None
    tests: tuple[CoefficientTest, ...]
    methodology: dict[str, str | None]
    annotations: Annotations = field(compare=False)
    measures: MeasureTable | None = None
    measured: str | None = None
    style: str = "plain"

    @property
    def clustered(self) -> bool:
        """Whether whole clusters of items are the sample of all intervals."""
        return self.n_clusters is not None

    def sections(self) -> list[Section]:
        """Return what the report says: the answer, then what explains it."""
        return report_sections(self)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Explanations of the values, and advice which one to quote: a sentence or two each."""
        return remarks(self)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each coefficient, with its interval if it has one.

        With Krippendorff's bootstrap, the row also has the probabilities of failing to reach .90 to
        .50.
        """
        columns = dict(self.table.columns())
        intervals = self.intervals or ()
        if intervals:
            columns |= of_each(intervals, "standard_error low high confidence_level method")
        # Even if no interval has any, because tables of groups must have the same columns.
        if any(interval.method == "krippendorff" for interval in intervals):
            probabilities = list(map(failing, intervals))
            columns |= {
                f"failing_{least:.2f}".replace(".", "_"): [
                    probability.get(least) for probability in probabilities
                ]
                for least in FAILING
            }
        return columns

    def to_dict(self) -> dict[str, Any]:
        """Give everything as dicts, lists, strings, numbers and None; NaN becomes None.

        Returns
        -------
        dict
            An entry of ``reports`` in ``docs/output.schema.json``.

        Examples
        --------
        >>> import agreement_fast as af
        >>> result = af.report([[1, 1], [1, 1]]).to_dict()
        >>> result["table"][0]["value"] is None
        True
        >>> result["table"][0]["undefined"][:12]
        'no variation'
        """
        return report_dict(self)

    def sentence(self) -> str:
        """Give a paragraph for a paper: the coefficient with its interval, and what it rests on.

        It names the coefficient with its literature, the distance, value and interval with its
        method, judgments, items, coders and categories, what is missing and how incomplete items
        were treated, the observed agreement, and the version of this package. Where the coefficient
        has no value it says why.

        Returns
        -------
        str
            On one line; see `agreement_fast.citation` for how to cite the package.

        Examples
        --------
        >>> import textwrap
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_contingency([[20, 20], [10, 50]], categories=["a", "b"])
        >>> print(*textwrap.wrap(af.report(data).sentence(), 80), sep="\\n")
        Krippendorff's alpha (Krippendorff 2011; nominal distance) = 0.344, 95% CI
        [0.152, 0.526] (score interval over items). It rests on 200 judgments of 100
        items by 2 coders, in 2 categories (a, b). No judgment was missing. Two
        judgments of an item were equal 70.0% of the time. Computed with agreement-fast
        0.1.0.
        """
        return sentence(self)

    def to_text(  # type: ignore[override]
        self, *, width: int = 96, max_categories: int = 20, explain: bool = True
    ) -> str:
        """Give the report as text for a terminal or a file.

        Parameters
        ----------
        width : int, default 96
            Columns to which paragraphs are wrapped, at least 72; tables take up to 90.
        max_categories : int, default 20
            With more categories than this, the most frequent ones are shown.
        explain : bool, default True
            Say what the numbers mean, and what to think of the scales.

        Returns
        -------
        str
            Without colours or control characters; ends with a line feed.
        """
        width = max(width, 72)
        sections = report_sections(self, width, max_categories=max_categories, explain=explain)
        return text_of(sections, True, width) + "\n"

    def page(self, *, title: str = TITLE, texts: bool = True) -> Page:
        """Make an HTML page with the report, the diagnosis, and details of coders and items.

        Parameters
        ----------
        title : str, default "Inter-coder agreement"
            The title of the page.
        texts : bool, default True
            Whether to show the texts of the items, of `Annotations.with_texts`.

        Returns
        -------
        Page
            It works offline and has at most 400 kB: of many items, coders or categories it shows a
            part and says so. With clusters, it leaves out the intervals of coders, pairs and
            categories, because they treat items as the sample. Notebooks display it.
        """
        from agreement_fast.reports.page import beside_report
        from agreement_fast.reports.rendering import sections_page

        beside = beside_report(self, title=title, texts=texts)
        sections = report_sections(self, costs=costs_of(self))
        return sections_page(sections, self.to_dict(), title=title, beside=beside)

    def save(self, path: str | Path, *, title: str = TITLE, texts: bool = True) -> None:
        """Write the page to a file, which replaces an existing one only when it is complete.

        Examples
        --------
        >>> import agreement_fast as af
        >>> import tempfile
        >>> report = af.report([["yes", "yes"], ["no", "yes"], ["no", "no"]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report.save(f"{folder}/report.html", title="Pilot study")
        """
        self.page(title=title, texts=texts).save(path)


@overload
def report(
    data: Continuum,
    *,
    confidence_level: float = 0.95,
    method: str | None = None,
    n_resamples: int = 2000,
    rng: Seed = None,
    anonymous: bool = False,
    progress: bool = False,
) -> UnitsReport: ...
@overload
def report(
    data: JudgmentsLike,
    coefficient: str | Iterable[str] | None = None,
    distance: DistanceLike | Sequence[DistanceLike] | None = None,
    *,
    incomplete: Incomplete = "published",
    confidence_level: float = 0.95,
    method: str | None = None,
    resample: Literal["items", "coders", "both"] = "items",
    n_resamples: int = 2000,
    rng: Seed = None,
    cluster: PerItem | None = None,
    threshold: float = THRESHOLD,
    methodology: Mapping[str, str | bool] | None = None,
    measures: bool | str = False,
    style: Literal["plain", "apa"] = "plain",
    anonymous: bool = False,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Report: ...
def report(
    data: JudgmentsLike,
    coefficient: str | Iterable[str] | None = None,
    distance: DistanceLike | Sequence[DistanceLike] | None = None,
    *,
    incomplete: Incomplete = "published",
    confidence_level: float = 0.95,
    method: str | None = None,
    resample: Literal["items", "coders", "both"] = "items",
    n_resamples: int = 2000,
    rng: Seed = None,
    cluster: PerItem | None = None,
    threshold: float = THRESHOLD,
    methodology: Mapping[str, str | bool] | None = None,
    measures: bool | str = False,
    style: Literal["plain", "apa"] = "plain",
    anonymous: bool = False,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Report | UnitsReport:
    """Describe annotations and how far their coders agree.

    Parameters
    ----------
    data : Annotations, anything that `Annotations.from_wide` reads, or Continuum
        Items × coders; or units, whose report has coefficients of units. `method` is then one of
        a bootstrap over documents, and of the other options only those of intervals and
        `anonymous` apply.
    coefficient : str or sequence of str, optional
        Names or aliases of coefficients; by default those of `agreement_table`.
    distance : str, Distance, array, mapping or function, or several, optional
        Distances between labels, by name or from `agreement_fast.distances`. By default nominal,
        and also masi if labels are sets.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: as each author published it, only items with two
        or more judgments, or only items that every coder judged.
    confidence_level : float, default 0.95
        The level of all intervals, between 0 and 1.
    method : str, optional
        If given, every coefficient has an interval: "score", that of `inference.standard_error`;
        "delta" from its standard error on Fisher's scale; or from a bootstrap by "bayesian",
        "percentile", "basic", "bca" or "krippendorff". By default only the quoted coefficient has
        one, by "score".
    resample : {"items", "coders", "both"}, default "items"
        What a bootstrap resamples.
    n_resamples : int, default 2000
        The number of resamples of a bootstrap.
    rng : int or numpy Generator, optional
        The seed or generator of a bootstrap.
    cluster : mapping item -> document, or sequence of shape (n_rows,), optional
        The document of each stored item. Intervals then treat documents as the sample.
    threshold : float, default 0.8
        The value, besides 0, above which the quoted coefficient is tested to be.
    methodology : mapping, optional
        How the coders worked, as texts or truth values: "independent" (of each other), "manual"
        (they relied on nothing else), "trained", and "pieces" in which they worked. The report
        says which are not given (Artstein & Poesio 2008, 5.3).
    measures : bool or str, default False
        Whether measures that are mistaken for agreement stand beside it, and what each says:
        correlations, intraclass correlations, limits of agreement. Labels must have an order. A
        name, such as "icc" or "pearson", is what the sentence for a paper then quotes.
    style : {"plain", "apa"}, default "plain"
        How the sentence for a paper writes numbers: 0.629, or .63 as the APA does.
    anonymous : bool, default False
        Whether coders are called by letters and items by numbers, without texts, in everything that
        is made of the report; see `Annotations.anonymous`.
    progress : bool, default False
        Whether to show a progress bar while resamples are drawn.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Report, or UnitsReport
        Counts, categories, observed agreement, coefficients with intervals, and explanations. Its
        `save` writes a page of HTML.

    Raises
    ------
    ValueError, TypeError
        An unknown coefficient, distance or method, or a distance that the labels do not fit.

    Notes
    -----
    One pass over the judgments, O(judgments), then as `agreement_table`; intervals cost what
    `standard_error` and `bootstrap` do.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[20, 20], [10, 50]], categories=["stat", "ireq"])
    >>> result = af.report(data, ["pi", "kappa"])
    >>> [(entry.category, entry.n_judgments) for entry in result.categories]
    [('stat', 70), ('ireq', 130)]
    >>> round(result.table["kappa"].value, 4)
    0.3478
    """
    if type(data).__name__ == "Continuum" and not reading:
        from agreement_fast.reports.units import units_report

        units = cast("Continuum", data)
        return units_report(
            units.anonymous() if anonymous else units,
            method,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=rng,
            progress=progress,
        )
    check_choice("style", style, ("plain", "apa"))
    conduct = check_methodology(methodology)
    annotations = as_annotations(data, **reading)
    if anonymous:
        cluster = None if cluster is None else document_codes(annotations, cluster)
        annotations = annotations.anonymous()
    distance_named = distance is not None
    if distance is None:
        distance = usual_names(are_sets(annotations.labels))
    # First, so that a wrong name is known before anything is counted.
    points = chosen(coefficient, distance, annotations.n_coders is not None)
    # What has one distance stands together: only there can D_o and D_e be compared.
    names = [point.distance.name for point in points]
    points = sorted(points, key=lambda point: names.index(point.distance.name))
    table = table_of(annotations, points, incomplete)
    place = quoted_place(table, named=coefficient is not None)
    how: dict[str, Any] = {
        "confidence_level": confidence_level,
        "incomplete": incomplete,
        "cluster": cluster,
    }
    intervals: tuple[Interval, ...] | None = None
    of_quoted: Interval | None
    if method is None:
        of_quoted = quoted_interval(annotations, points[place], **how)
    else:
        pairs = [(point.name, point.distance) for point in points]
        draws = {"n_resamples": n_resamples, "rng": rng, "progress": progress}
        intervals = coefficient_intervals(
            annotations, pairs, method, resample=resample, draws=draws, **how
        )
        of_quoted = intervals[place]
    beside = None
    if measures:
        from agreement_fast.measures.beside import measure_table

        beside = measure_table(annotations, confidence_level=confidence_level)
    sums = sums_of(annotations)
    counts = sums.counts(1).tolist()
    total = sum(counts)
    n_single, without_singles = sums.items_by_size.get(1, 0), None
    if n_single and incomplete == "published":
        without_singles = table_of(annotations, points, "pairable")
    observed = observed_agreement(
        annotations, confidence_level=confidence_level, incomplete=incomplete
    )
    own = of_each([annotations], OF_ANNOTATIONS)
    return Report(
        **{name: entry for name, (entry,) in own.items()},
        n_items_single=n_single,
        n_items_unjudged=sums.items_by_size.get(0, 0),
        n_missing=_missing(annotations),
        categories=tuple(
            CategoryCount(label, count, count / total if total else math.nan)
            for label, count in zip(annotations.categories, counts, strict=True)
        ),
        observed=observed
        if cluster is None
        else by_cluster(observed, annotations, cluster, incomplete),
        table=table,
        incomplete=incomplete,
        intervals=intervals,
        quoted=place,
        quoted_interval=of_quoted,
        named=coefficient is not None,
        distance_named=distance_named,
        cross=cross_table(annotations),
        rare=_rare(annotations),
        constant_coders=_constant_coders(annotations, points),
        n_clusters=None if cluster is None else count_clusters(annotations, cluster),
        without_singles=without_singles,
        tests=tests_of(of_quoted, threshold),
        methodology=conduct,
        annotations=annotations,
        measures=beside,
        measured=measures if isinstance(measures, str) else None,
        style=style,
    )


#: The share of the labels above which no category is called rare.
MOST_RARE = 0.5


def _rare(annotations: Annotations) -> tuple[ChanceAgreement, ...]:
    """The categories that are too rare, if there are few and they are not sets."""
    from agreement_fast.inference import chance_agreements

    if len(annotations.labels) > MOST_LOOKED_AT or are_sets(annotations.labels):
        return ()
    failing = chance_agreements(annotations).failing
    # A category that most labels have is not rare: the items are few.
    return tuple(entry for entry in failing if entry.share <= MOST_RARE)


def _constant_coders(annotations: Annotations, points: Iterable[Point]) -> str | None:
    from agreement_fast.inference.results import constant_coders

    few = len(annotations.labels) <= MOST_COUNTED
    if not few or not any(point.chance.knows_coders for point in points):
        return None
    return constant_coders(annotations)


def _missing(annotations: Annotations) -> int:
    """Count missing judgments alike for a table, whose cells are empty, and for a list."""
    if annotations.n_coders is None:
        return annotations.missing_judgments
    return annotations.n_coders * annotations.n_items - annotations.n_judgments
