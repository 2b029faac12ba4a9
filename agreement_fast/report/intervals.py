"""Intervals for the coefficients of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.inference import BootstrapResult, StandardError

    Interval: TypeAlias = BootstrapResult | StandardError

__all__ = ["INTERVALS", "coefficient_intervals"]

#: From the standard error, or from a bootstrap by one of its methods.
INTERVALS = ("delta", "percentile", "basic", "bca", "krippendorff")


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
    progress: bool,
) -> tuple[Interval, ...]:
    """Give the interval of each coefficient and distance."""
    from agreement_fast.inference import bootstrap, standard_error

    if method not in INTERVALS:
        raise ValueError(f"interval={method!r}: it is one of {', '.join(INTERVALS)}")
    if method == "delta":
        if resample != "items":
            raise ValueError(
                f"interval='delta' takes the items for the sample, resample={resample!r} needs a"
                " bootstrap: take interval='percentile' or 'basic'"
            )
        return tuple(
            standard_error(
                annotations,
                coefficient,
                distance=distance,
                confidence_level=confidence_level,
                incomplete=incomplete,
                # Holds its level as often as BCa (docs/inference.md), and draws nothing.
                transform="atanh",
            )
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
            progress=progress,
        )
    )
