"""Intervals for the coefficients of a report."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from agreement_fast.chance import CHANCE
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.intervals import METHODS
from agreement_fast.inference.scales import Band, Scale, find_scale
from agreement_fast.options import check_choice
from agreement_fast.points import COEFFICIENTS, Point
from agreement_fast.results import Agreement

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.inference.delta_method import StandardError
    from agreement_fast.inference.results import BootstrapResult

    Interval: TypeAlias = BootstrapResult | StandardError
    from agreement_fast.reports.content import Report


#: In closed form, or from a bootstrap by one of its methods.
INTERVALS = ("score", "delta", *METHODS)

#: Values that KALPHA gives the probability of failing to reach.
FAILING = (0.9, 0.8, 0.7, 0.67, 0.6, 0.5)


def coefficient_intervals(
    annotations: Annotations,
    measures: Sequence[tuple[str, Any]],
    method: Any,
    *,
    resample: Literal["items", "coders", "both"],
    draws: Mapping[str, Any],
    **how: Any,
) -> tuple[Interval, ...]:
    """Return the interval of each coefficient and distance.

    `draws` are further options of `bootstrap`, and `how` those of `closed_form`.
    """
    from agreement_fast.inference.bootstrapping import bootstrap

    check_choice("method", method, INTERVALS)
    if method in METHODS:
        return tuple(
            bootstrap(annotations, measures, method=method, resample=resample, **draws, **how)
        )
    if resample != "items":
        raise InputError(
            (
                Argument("method", method),
                " takes the items for the sample, ",
                Argument("resample", resample),
                " needs a bootstrap",
            ),
            ("take ", Argument("method", "percentile", "basic")),
        )
    return tuple(closed_form(annotations, *measure, method=method, **how) for measure in measures)


def shown_ends(interval: Interval | None) -> tuple[float, float]:
    """Return both ends to show; NaN if there is no interval or if it has no width."""
    from agreement_fast.inference.intervals import is_point

    if interval is None or is_point(interval.low, interval.high):
        return math.nan, math.nan
    return interval.low, interval.high


#: The difference up to which values are treated as the same number.
ROUNDING = 1e-12


def interval_of(report: Report, names: Collection[str], number: float) -> Interval | None:
    """Return the interval of a number in the table of coefficients, or None.

    Parameters
    ----------
    report : Report
        The report with the table.
    names : collection of str
        The names of the coefficients that can have this value.
    number : float
        The value.
    """
    intervals: list[Interval | None] = [None] * len(report.table)
    intervals[report.quoted] = report.quoted_interval
    for result, interval in zip(report.table, report.intervals or intervals, strict=True):
        near = abs(result.value - number) <= ROUNDING
        if interval is not None and near and result.coefficient in names:
            return interval
    return None


def fault(interval: Any) -> str:
    """Return the subject of the note of an interval."""
    if math.isnan(interval.low):
        return "No interval"
    return "No width" if math.isnan(shown_ends(interval)[0]) else "Few judgments"


def failing(interval: Interval) -> dict[float, float]:
    """Give the probability of failing to reach each value, of Krippendorff's bootstrap; else none.

    KALPHA prints it. An interval of another kind leaves it to the reader which other values are
    likely.
    """
    from agreement_fast.inference.results import BootstrapResult

    if not isinstance(interval, BootstrapResult) or interval.method != "krippendorff":
        return {}
    probabilities = interval.failing(FAILING)
    return {} if math.isnan(probabilities[FAILING[0]]) else probabilities


def quoted_interval(annotations: Annotations, point: Point, **how: Any) -> StandardError | None:
    """Return the interval of the quoted coefficient, which costs a fraction of the report.

    None if the derivative is not known, or if it needs to know who said what and the annotations no
    longer hold that. `how` are options of `closed_form`.
    """
    nameless = annotations.kept_marginals is not None
    complete = how["incomplete"] == "complete"
    if not point.has_slope or (nameless and (point.chance.knows_coders or complete)):
        return None
    return closed_form(annotations, point.name, point.distance, **how)


def closed_form(
    annotations: Annotations,
    coefficient: str,
    distance: Any,
    *,
    method: Literal["score", "delta"] = "score",
    **how: Any,
) -> StandardError:
    """Return an interval in closed form; that of the delta method is on Fisher's scale.

    `how` are the confidence level, which items count, and the cluster of each.
    """
    from agreement_fast.inference import standard_error

    transform: Literal["atanh"] | None = "atanh" if method == "delta" else None
    return standard_error(
        annotations, coefficient, distance=distance, method=method, transform=transform, **how
    )


#: Names with their literature: of two coders and of more, nominal and with another distance.
_CITED = {
    ("uniform", True): (
        ("Bennett, Alpert & Goldstein's S", "Bennett, Alpert & Goldstein 1954"),
        ("S, Randolph's free-marginal kappa", "Randolph 2005"),
    ),
    ("uniform", False): (("weighted S", "Brennan & Prediger 1981"),) * 2,
    ("pooled", True): (("Scott's pi", "Scott 1955"), ("Fleiss' kappa", "Fleiss 1971")),
    ("pooled", False): (("alpha'", "Artstein & Poesio 2005"),) * 2,
    ("individual", True): (
        ("Cohen's kappa", "Cohen 1960"),
        ("kappa for several coders", "Davies & Fleiss 1982"),
    ),
    ("individual", False): (
        ("Cohen's weighted kappa", "Cohen 1968"),
        ("weighted kappa for several coders (beta)", "Artstein & Poesio 2005"),
    ),
    ("pooled_unbiased", True): (("Krippendorff's alpha", "Krippendorff 2011"),) * 2,
    ("pooled_unbiased", False): (("Krippendorff's alpha", "Krippendorff 2011"),) * 2,
    ("gwet", True): (("Gwet's AC1", "Gwet 2008"),) * 2,
    ("gwet", False): (("Gwet's AC2", "Gwet 2014"),) * 2,
}


def also_called(result: Agreement) -> str:
    """Give the usual name of a coefficient under its distance."""
    return COEFFICIENTS[result.coefficient].also_called[result.distance != "nominal"]


def cited(result: Agreement) -> tuple[str, str]:
    """Give the name of a coefficient as papers have it, and author and year.

    It depends on the number of coders: two have Scott's pi, more Fleiss' kappa.
    """
    known = _CITED.get((result.chance, result.distance == "nominal"))
    if known is None:
        row = COEFFICIENTS[result.coefficient]
        return row.title, row.source
    two, more = known
    return two if result.n_coders == 2 else more


#: More would be noise; `agreement_fast.inference.SCALES` has them all.
REPORTED = tuple(
    map(find_scale, ("landis_koch_1977", "krippendorff_1980_carletta_1996", "neuendorf_2002"))
)


def read_all(result: Agreement) -> tuple[Band | None, ...]:
    """Give the band of each of these; None where a value is undefined or no scale is for it.

    Parameters
    ----------
    result : Agreement, or a result of `agreement_fast.inference`
        Under another distance than nominal no scale is meant for it (Artstein & Poesio 2008, 4.4).
    """
    meant = result.distance == "nominal"
    return tuple(scale.read(result.value) if meant else None for scale in REPORTED)


#: What to say beside any reading; docs/report.md says more.
WARNING = (
    "These thresholds are conventions: they disagree with one another, and which value is enough"
    " depends on what the labels are for (Artstein & Poesio 2008, 4.1.3)."
)

#: What to add where a distance other than nominal was used.
WEIGHTED_WARNING = (
    "With another distance than nominal the value moves with the choice of the distance: scales"
    " that give words to values should not be used there (Artstein & Poesio 2008, 4.4)."
)


#: Why no scale applies to S and AC.
COUNTING_WARNING = (
    "S and AC assume that chance agreement is rare even if one category prevails, so that the same"
    " coders get a higher value: scales that were made for kappa and alpha do not apply."
)


class Reading(NamedTuple):
    """One scale's word for a value, and for both ends of its interval.

    Attributes
    ----------
    scale : Scale
    band : Band
        Of the value.
    low, high : Band or None
        The bands of the ends of the interval; None if there is none.
    """

    scale: Scale
    band: Band
    low: Band | None
    high: Band | None

    @property
    def reach(self) -> str:
        """The words for both ends of the interval, which may be another than that for the value."""
        if self.low is None or self.high is None:
            return ""
        return "the same" if self.low is self.high else f"{self.low.word} to {self.high.word}"


def readings(report: Report) -> tuple[Reading, ...]:
    """Read the quoted coefficient; empty if no scale applies or if it has no value."""
    result, interval = report.table[report.quoted], report.quoted_interval
    if why_not_read(report) is not None:
        return ()
    low, high = shown_ends(interval)
    bands = ((scale, scale.read(result.value)) for scale in REPORTED)
    return tuple(
        Reading(scale, band, scale.read(low), scale.read(high))
        for scale, band in bands
        if band is not None
    )


def why_not_read(report: Report) -> str | None:
    """Say why no scale is for the coefficient that is quoted; None where they are."""
    result = report.table[report.quoted]
    if result.distance != "nominal":
        return WEIGHTED_WARNING
    if CHANCE[result.chance].counts_categories:
        return COUNTING_WARNING
    return None
