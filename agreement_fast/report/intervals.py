"""Intervals for the coefficients of a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_choice
from agreement_fast.points import Point
from agreement_fast.sums.of_annotations import sums_of

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.inference import BootstrapResult, StandardError

    Interval: TypeAlias = BootstrapResult | StandardError


#: From the standard error, or from a bootstrap by one of its methods; "usual" is the first or the
#: second of them, whichever holds its level more often.
INTERVALS = ("usual", "delta", "bayesian", "percentile", "basic", "bca", "krippendorff")

#: Resamples of an interval that is shown by default; their seed is 0.
UNASKED = 1000

#: Values that KALPHA gives the probability of failing to reach.
FAILING = (0.9, 0.8, 0.7, 0.67, 0.6, 0.5)


def coefficient_intervals(
    annotations: Annotations,
    measures: Sequence[tuple[str, Any]],
    method: str,
    *,
    resample: str,
    n_resamples: int,
    confidence_level: float,
    incomplete: str,
    rng: Any,
    cluster: Any,
    progress: bool,
) -> tuple[Interval, ...]:
    """Return the interval of each coefficient and distance."""
    from agreement_fast.inference import bootstrap

    check_choice("interval", method, INTERVALS)
    if method == "usual" and resample == "items":
        return usual_intervals(
            annotations,
            [Point.of(*measure) for measure in measures],
            confidence_level=confidence_level,
            incomplete=incomplete,
            cluster=cluster,
            n_resamples=n_resamples,
            rng=rng,
        )
    if method == "usual":
        method = "percentile"
    if method == "delta":
        if resample != "items":
            raise InputError(
                (
                    Argument("interval", method),
                    " takes the items for the sample, ",
                    Argument("resample", resample),
                    " needs a bootstrap",
                ),
                (
                    "take ",
                    Argument("interval", "percentile", "basic"),
                ),
                argument="interval",
            )
        return tuple(
            _delta(annotations, coefficient, distance, confidence_level, incomplete, cluster)
            for coefficient, distance in measures
        )
    return tuple(
        bootstrap(
            annotations,
            measures,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            method=method,
            resample=resample,
            incomplete=incomplete,
            rng=rng,
            cluster=cluster,
            progress=progress,
        )
    )


def shown_ends(interval: Interval | None) -> tuple[float, float]:
    """Return both ends to show; NaN if there is no interval or if it has no width."""
    from agreement_fast.inference.no_width import is_point

    if interval is None or is_point(interval.low, interval.high):
        return math.nan, math.nan
    return interval.low, interval.high


def fault(interval: Interval) -> str:
    """Return the subject of the note of an interval."""
    if math.isnan(interval.low):
        return "No interval"
    return "No width" if math.isnan(shown_ends(interval)[0]) else "Too narrow"


def failing(interval: Interval) -> dict[float, float]:
    """Give the probability of failing to reach each value, of Krippendorff's bootstrap; else none.

    KALPHA prints it. An interval of another kind leaves it to the reader which other values are
    likely.
    """
    from agreement_fast.inference import BootstrapResult

    if not isinstance(interval, BootstrapResult) or interval.method != "krippendorff":
        return {}
    probabilities = interval.failing(FAILING)
    return {} if math.isnan(probabilities[FAILING[0]]) else probabilities


def quoted_interval(
    annotations: Annotations,
    point: Point,
    *,
    confidence_level: float,
    incomplete: str,
    cluster: Any = None,
    method: str = "usual",
) -> Interval | None:
    """Return the interval of the quoted coefficient, which costs a fraction of the report.

    None if the derivative is not known, or if it needs to know who said what and the annotations no
    longer hold that.
    """
    nameless = annotations.kept_marginals is not None
    if not point.has_slope or (
        nameless and (point.chance.knows_coders or incomplete == "complete")
    ):
        return None
    if method == "delta":
        return _delta(
            annotations, point.name, point.distance, confidence_level, incomplete, cluster
        )
    (found,) = usual_intervals(
        annotations,
        [point],
        confidence_level=confidence_level,
        incomplete=incomplete,
        cluster=cluster,
        n_resamples=UNASKED,
        rng=0,
    )
    return found


def usual_intervals(
    annotations: Annotations,
    points: Sequence[Point],
    *,
    confidence_level: float,
    incomplete: str,
    cluster: Any,
    n_resamples: int,
    rng: Any,
) -> tuple[Interval, ...]:
    """Return the default intervals: from resamples for few items, else delta."""
    from agreement_fast.inference import bootstrap
    from agreement_fast.inference.posterior import is_usual

    sizes = sums_of(annotations).items_by_size
    of_draws = []
    for place, point in enumerate(points):
        least = 2 if point.of_pairs else 1
        n_items = sum(n for size, n in sizes.items() if size >= least)
        if cluster is None and is_usual([point], n_items):
            of_draws.append(place)
    drawn: dict[int, Interval] = {}
    if of_draws:
        table = bootstrap(
            annotations,
            [(points[place].name, points[place].distance) for place in of_draws],
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            method="bayesian",
            incomplete=incomplete,
            rng=rng,
        )
        drawn = dict(zip(of_draws, table, strict=True))
    return tuple(
        drawn[place]
        if place in drawn
        else _delta(annotations, one.name, one.distance, confidence_level, incomplete, cluster)
        for place, one in enumerate(points)
    )


def _delta(
    annotations: Annotations,
    coefficient: str,
    distance: Any,
    confidence_level: float,
    incomplete: str,
    cluster: Any,
) -> StandardError:
    from agreement_fast.inference import standard_error

    return standard_error(
        annotations,
        coefficient,
        distance=distance,
        confidence_level=confidence_level,
        incomplete=incomplete,
        cluster=cluster,
        # Holds its level as often as BCa (docs/inference.md), and draws nothing.
        transform="atanh",
    )
