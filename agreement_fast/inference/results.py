"""Results of a bootstrap: coefficients and differences with their replicates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast.inference.hypotheses import (
    ALTERNATIVES,
    CoefficientTest,
    check_null_value,
    tested,
)
from agreement_fast.inference.intervals import (
    TOO_FEW,
    Jackknife,
    interval,
    is_point,
    p_value,
    spread,
    too_few,
)
from agreement_fast.inference.notes import ALIKE
from agreement_fast.options import Alternative, check_choice
from agreement_fast.present.tables import ResultTable, in_columns
from agreement_fast.present.terminal import show_interval
from agreement_fast.results import Result, place_of

NO_REPLICATES = "no variance: no resample has a value, so nothing can be tested against it"
NO_SPREAD = "no variance: all resamples have one value, so nothing can be tested against it"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BootstrapResult(Result):
    """A coefficient, a float, with its bootstrap distribution.

    Attributes
    ----------
    coefficient, distance : str
        Their names.
    value : float
        The coefficient of the data; NaN if undefined.
    standard_error : float
        Standard deviation of the replicates.
    low, high : float
        Ends of the interval.
    confidence_level : float
        Of the interval.
    method, resample : str
        The method of the interval, and what was drawn: "items", "coders", "both", or "pairs" of
        judgments by the method "krippendorff".
    n_resamples, n_undefined : int
        Number of resamples, and of those that leave the coefficient undefined.
    replicates : float64 array of shape (n_resamples,)
        The coefficient of each resample in the order of the draws; NaN if undefined.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or why it has no width or is too narrow.
    acceleration : float
        The acceleration of BCa; NaN for other methods.
    n_clusters : int or None
        Number of clusters of items, if clusters were drawn instead of items.
    """

    coefficient: str
    distance: str
    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    resample: str
    n_resamples: int
    n_undefined: int
    replicates: FloatArray = field(repr=False)
    undefined: str | None
    note: str | None = None
    acceleration: float = math.nan
    n_clusters: int | None = None

    def __repr__(self) -> str:
        names = {"both": "items and coders", "pairs": "pairs of judgments"}
        drawn = names.get(self.resample, self.resample)
        if self.n_clusters is not None:
            drawn = f"{self.n_clusters} clusters of items"
        text = (
            f"{self.coefficient}({self.distance}) = {round(self.value, 12):z.6g}, "
            f"{show_interval(self)} "
            f"({self.method}, {self.n_resamples} resamples of {drawn})"
        )
        if self.n_undefined:
            text += f", {self.n_undefined} of them undefined"
        return _with_reasons(text, self.note, self.undefined)

    def test(
        self, null_value: float = 0.0, alternative: Alternative = "two-sided"
    ) -> CoefficientTest:
        """Test the coefficient against a value by inverting the interval.

        p is the lowest level at which the interval of this method leaves the value out, so a
        two-sided p is below 1 − confidence_level exactly if the interval leaves the value out. With
        R defined replicates, p is never below 2/(R + 1), or 1/(R + 1) on one side.

        Parameters
        ----------
        null_value : float, default 0
            The value to test against, below 1.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            The alternative hypothesis.

        Returns
        -------
        CoefficientTest
            The test, without a statistic. p is NaN, with a reason, if the coefficient is undefined
            or all replicates are equal.

        References
        ----------
        Davison & Hinkley 1997, *Bootstrap Methods and their Application*, 4.4 and 5.5.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
        >>> result = af.bootstrap(data, "alpha", rng=1).test(0.667, "greater")
        >>> 0.005 < result.p_value < 0.05
        True
        """
        check_null_value(null_value)
        check_choice("alternative", alternative, ALTERNATIVES)
        defined = self.replicates[~np.isnan(self.replicates)]
        p, undefined = math.nan, self.undefined
        if undefined is None and not len(defined):
            undefined = NO_REPLICATES
        elif undefined is None and is_point(float(defined.min()), float(defined.max())):
            undefined = NO_SPREAD
        elif undefined is None and too_few(defined):
            undefined = TOO_FEW
        elif undefined is None:
            p = p_value(
                self.method, self.value, null_value, defined, self.acceleration, alternative
            )
        return tested(
            self,
            test=f"{self.method} bootstrap",
            null_value=float(null_value),
            statistic=math.nan,
            df=None,
            p_value=p,
            alternative=alternative,
            n_items=None,
            n_items_dropped=None,
            undefined=undefined,
            distribution="bootstrap",
        )

    def failing(self, minimum: Iterable[float] = (0.67, 0.70, 0.80, 0.90)) -> dict[float, float]:
        """Return the probability q of failing to reach each of some values.

        It is the share of the defined replicates below the value (Hayes & Krippendorff 2007).

        Parameters
        ----------
        minimum : iterable of float, default (0.67, 0.70, 0.80, 0.90)
            The values to reach.

        Returns
        -------
        dict of float to float
            The probability q for each value; NaN if no replicate is defined.
        """
        defined = self.replicates[~np.isnan(self.replicates)]
        if not len(defined):
            return dict.fromkeys(minimum, math.nan)
        return {least: float(np.mean(defined < least)) for least in minimum}


def _with_reasons(text: str, *reasons: str | None) -> str:
    return "<" + "; ".join([text, *filter(None, reasons)]) + ">"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Difference(Result):
    """A difference of two coefficients, a float, with its interval.

    Attributes
    ----------
    first, second : str
        Names of the two coefficients.
    value : float
        The first less the second.
    standard_error : float
        That of the delta method, or the standard deviation of the replicates.
    low, high, confidence_level : float
        The interval of the difference.
    method : str
        The method of the interval.
    n_resamples, n_undefined : int
        Number of resamples, and of those that leave the difference undefined; 0 without draws.
    replicates : float64 array of shape (n_resamples,)
        The difference in each resample; NaN if undefined.
    p_value : float
        That of no difference: 1 less the highest level whose interval leaves 0 out. With draws
        twice the smaller share of replicates on one side of 0, with one added to the count of each
        side (Davison & Hinkley 1997, 4.4). It is not an exact test.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or why it has no width.
    paired : bool or None
        Of two data sets: whether they are codings of the same items, or independent.
    """

    first: str
    second: str
    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_resamples: int
    n_undefined: int
    replicates: FloatArray = field(repr=False)
    p_value: float
    undefined: str | None
    note: str | None = None
    paired: bool | None = None

    def __repr__(self) -> str:
        text = (
            f"{self.first} - {self.second} = {round(self.value, 12):z.6g}, "
            f"{show_interval(self)}, "
            f"p = {self.p_value:.4f} ({self.method}"
        )
        text += f", {self.n_resamples} resamples" if self.n_resamples else ""
        if self.paired is not None:
            text += ", paired" if self.paired else ", independent"
        return _with_reasons(f"{text})", self.note, self.undefined)


def difference(
    names: tuple[str, str],
    values: tuple[float, float],
    replicates: FloatArray,
    confidence_level: float,
    method: str,
    jackknives: Sequence[Jackknife],
    undefined: str | None,
) -> Difference:
    """Return the result of a difference whose replicates are known."""
    value = values[0] - values[1]
    low, high = interval(method, value, replicates, confidence_level, jackknives)
    defined = replicates[~np.isnan(replicates)]
    sides = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
    few = too_few(replicates)
    p_value = math.nan if few else min(1.0, 2 * (sides + 1) / (len(defined) + 1))
    return Difference(
        *names,
        value=value,
        standard_error=spread(replicates),
        low=low,
        high=high,
        confidence_level=confidence_level,
        method=method,
        n_resamples=len(replicates),
        n_undefined=len(replicates) - len(defined),
        replicates=replicates,
        p_value=math.nan if math.isnan(value) else p_value,
        undefined=undefined,
        note=TOO_FEW if few and undefined is None else ALIKE if is_point(low, high) else None,
    )


class BootstrapTable(ResultTable[BootstrapResult]):
    """Several coefficients of the same resamples, by place or by name.

    ``table["alpha", "interval"]`` is a coefficient under a distance. ``table["pi"]`` is the one
    under the nominal distance, or the only one of that name. ``print(table)`` shows them all.
    """

    def __init__(
        self, results: Iterable[BootstrapResult], jackknives: Sequence[Jackknife] | None
    ) -> None:
        super().__init__(results)
        self._jackknives = jackknives

    def _named(self, key: Any) -> BootstrapResult:
        return self._rows[place_of(key, self._rows)]

    def _at(self, key: int | str | tuple[str, Any]) -> tuple[BootstrapResult, Jackknife | None]:
        """Return a coefficient, and its values without each unit if they were computed."""
        place = key if isinstance(key, int) else place_of(key, self._rows)
        left_out = None if self._jackknives is None else self._jackknives[place]
        return self._rows[place], left_out

    def difference(self, first: Any, second: Any) -> Difference:
        """Return the first coefficient less the second, from the draws that they share.

        Parameters
        ----------
        first, second : str, (name, distance) or int
            The two coefficients, by name, by name and distance, or by place.

        Returns
        -------
        Difference
            The difference with its interval.
        """
        return shared_difference((self, first), (self, second))

    def __repr__(self) -> str:
        remarks = [r.undefined or str(r.n_undefined) for r in self]
        layout = "coefficient | distance | value:.4f | SE = standard_error:.4f | low:.4f | high:.4f"
        columns = {**self.columns(), "undefined": remarks}
        return "\n".join(in_columns(columns, f"{layout} | undefined:s", sides="<" * 7, indent=""))


def shared_difference(
    first: tuple[BootstrapTable, Any],
    second: tuple[BootstrapTable, Any],
    of: tuple[str, str] = ("", ""),
) -> Difference:
    """Return a coefficient of one table less one of another that has the same draws.

    Parameters
    ----------
    first, second : (BootstrapTable, name, (name, distance) or place)
        A table, and which of its coefficients.
    of : pair of str
        Texts that follow the names of both coefficients.
    """
    (a, left_a), (b, left_b) = (table._at(key) for table, key in (first, second))
    jackknives = []
    if left_a is not None and left_b is not None:
        jackknives = [(left_a[0] - left_b[0], np.maximum(left_a[1], left_b[1]))]
    return difference(
        (f"{a.coefficient}({a.distance}){of[0]}", f"{b.coefficient}({b.distance}){of[1]}"),
        (a.value, b.value),
        a.replicates - b.replicates,
        a.confidence_level,
        a.method,
        jackknives,
        a.undefined or b.undefined,
    )
