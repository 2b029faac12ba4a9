"""Intervals for the coefficients of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_choice

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
    cluster: Any,
    progress: bool,
) -> tuple[Interval, ...]:
    """Give the interval of each coefficient and distance."""
    from agreement_fast.inference import bootstrap, standard_error

    check_choice("interval", method, INTERVALS)
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
            standard_error(
                annotations,
                coefficient,
                distance=distance,
                confidence_level=confidence_level,
                incomplete=incomplete,
                cluster=cluster,
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
            cluster=cluster,
            progress=progress,
        )
    )
