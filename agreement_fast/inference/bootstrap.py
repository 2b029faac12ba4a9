"""Bootstrap intervals of coefficients, from draws of items, coders, or both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from agreement_fast import distances
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.coefficients import _least
from agreement_fast.forms import FloatArray
from agreement_fast.inference.intervals import (
    METHODS,
    Jackknife,
    check_choice,
    check_count,
    check_level,
    interval,
    spread,
)
from agreement_fast.inference.krippendorff import pair_replicates
from agreement_fast.inference.linear import Linear, Point, Values, linear
from agreement_fast.inference.resample import (
    STEPS,
    CoderDraw,
    Draw,
    counted_weights,
    document_codes,
    jackknife,
    jackknife_steps,
    resampled,
)
from agreement_fast.names import named
from agreement_fast.results import NO_PAIRS, NO_VARIATION
from agreement_fast.rows import group_equal, take_rows

Array = npt.NDArray[Any]

RESAMPLE = ("items", "coders", "both")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BootstrapResult:
    """A coefficient with its bootstrap distribution. ``float(result)`` is its value.

    Attributes
    ----------
    coefficient, distance : str
    value : float
        The coefficient of the data; NaN where undefined.
    standard_error : float
        Standard deviation of the replicates.
    low, high : float
        Ends of the interval.
    confidence_level : float
    method, resample : str
    n_resamples, n_undefined : int
        How many resamples were drawn, and how many of them leave the coefficient undefined.
    replicates : float64 array of shape (n_resamples,)
        The coefficient of each resample, NaN where undefined; in the order of the draws.
    undefined : str or None
        Why there is no value.
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

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        text = (
            f"{self.coefficient}({self.distance}) = {self.value:.6g}, "
            f"{self.confidence_level:.0%} interval {self.low:.4f} to {self.high:.4f} "
            f"({self.method}, {self.n_resamples} resamples of {_drawn(self.resample)})"
        )
        if self.n_undefined:
            text += f", {self.n_undefined} of them undefined"
        return f"<{text}>" if self.undefined is None else f"<{text}; {self.undefined}>"

    def failing(self, minimum: Iterable[float] = (0.67, 0.70, 0.80, 0.90)) -> dict[float, float]:
        """The probability q of failing to reach each of some values.

        The share of the defined replicates that lie below it (Hayes & Krippendorff 2007).
        """
        defined = self.replicates[~np.isnan(self.replicates)]
        if not len(defined):
            return dict.fromkeys(minimum, math.nan)
        return {least: float(np.mean(defined < least)) for least in minimum}


def _drawn(resample: str) -> str:
    return "items and coders" if resample == "both" else resample


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Difference:
    """A difference of two coefficients with its bootstrap distribution.

    Attributes
    ----------
    first, second : str
        What is compared.
    value : float
        The first less the second.
    standard_error, low, high, confidence_level, method, n_resamples, n_undefined, replicates :
        As in `BootstrapResult`, of the difference.
    p_value : float
        Twice the smaller share of replicates on one side of 0, each side counting one more than it
        has (Davison & Hinkley 1997, 4.4): what an interval that just touches 0 would leave out. Not
        an exact test.
    undefined : str or None
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

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        text = (
            f"{self.first} - {self.second} = {self.value:.6g}, "
            f"{self.confidence_level:.0%} interval {self.low:.4f} to {self.high:.4f}, "
            f"p = {self.p_value:.4f} ({self.method}, {self.n_resamples} resamples)"
        )
        return f"<{text}>" if self.undefined is None else f"<{text}; {self.undefined}>"


def difference(
    names: tuple[str, str],
    values: tuple[float, float],
    replicates: FloatArray,
    confidence_level: float,
    method: str,
    jackknives: Sequence[Jackknife],
    undefined: str | None,
) -> Difference:
    """The result of a difference whose replicates are known."""
    value = values[0] - values[1]
    low, high = interval(method, value, replicates, confidence_level, jackknives)
    defined = replicates[~np.isnan(replicates)]
    sides = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
    p_value = min(1.0, 2 * (sides + 1) / (len(defined) + 1)) if len(defined) else math.nan
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
    )


class BootstrapTable(Sequence[BootstrapResult]):
    """Several coefficients of the same resamples, also found by name.

    ``table["alpha", "interval"]`` is a coefficient under a distance, ``table["pi"]`` the one under
    the nominal distance, or the only one of that name. ``print(table)`` shows it.
    """

    def __init__(
        self, results: Iterable[BootstrapResult], jackknives: Sequence[Jackknife] | None
    ) -> None:
        self._results = tuple(results)
        self._jackknives = jackknives

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, key: int | str | tuple[str, Any]) -> BootstrapResult: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[BootstrapResult]: ...
    def __getitem__(
        self, key: int | slice | str | tuple[str, Any]
    ) -> BootstrapResult | Sequence[BootstrapResult]:
        if isinstance(key, (int, slice)):
            return self._results[key]
        return self._results[self._place(key)]

    def _place(self, key: str | tuple[str, Any]) -> int:
        name, distance = key if isinstance(key, tuple) else (key, None)
        same = [i for i, r in enumerate(self._results) if r.coefficient == named(name).name]
        if distance is not None:
            wanted = distances.resolve(distance).name
            same = [i for i in same if self._results[i].distance == wanted]
        elif len(same) > 1:
            same = [i for i in same if self._results[i].distance == "nominal"]
        if len(same) != 1:
            shown = ", ".join(f"{r.coefficient} ({r.distance})" for r in self._results)
            raise KeyError(f"{key!r}: the table has {shown}")
        return same[0]

    def difference(self, first: Any, second: Any) -> Difference:
        """The first coefficient less the second, from the draws that they share.

        Parameters
        ----------
        first, second : str, or (name, distance)
            As in ``table[...]``.
        """
        places = self._place(first), self._place(second)
        a, b = (self._results[i] for i in places)
        jackknives: list[Jackknife] = []
        if self._jackknives is not None:
            (values, weights), (others, _) = (self._jackknives[i] for i in places)
            jackknives = [(values - others, weights)]
        return difference(
            (f"{a.coefficient}({a.distance})", f"{b.coefficient}({b.distance})"),
            (a.value, b.value),
            a.replicates - b.replicates,
            a.confidence_level,
            a.method,
            jackknives,
            a.undefined or b.undefined,
        )

    def __repr__(self) -> str:
        head = ("coefficient", "distance", "value", "SE", "low", "high", "undefined")
        lines = [
            (
                r.coefficient,
                r.distance,
                f"{r.value:.4f}",
                f"{r.standard_error:.4f}",
                f"{r.low:.4f}",
                f"{r.high:.4f}",
                str(r.n_undefined) if r.undefined is None else r.undefined,
            )
            for r in self._results
        ]
        widths = [max(len(row[i]) for row in [head, *lines]) for i in range(len(head) - 1)]
        return "\n".join(
            "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[-1]])
            for row in [head, *lines]
        )


@overload
def bootstrap(
    data: Any,
    coefficients: str = ...,
    *,
    distance: Any = ...,
    n_resamples: int = ...,
    confidence_level: float = ...,
    method: str = ...,
    resample: str = ...,
    cluster: Any = ...,
    incomplete: str = ...,
    rng: Any = ...,
    threads: int | None = ...,
    progress: bool = ...,
) -> BootstrapResult: ...
@overload
def bootstrap(
    data: Any,
    coefficients: Sequence[str | tuple[str, Any]],
    *,
    distance: Any = ...,
    n_resamples: int = ...,
    confidence_level: float = ...,
    method: str = ...,
    resample: str = ...,
    cluster: Any = ...,
    incomplete: str = ...,
    rng: Any = ...,
    threads: int | None = ...,
    progress: bool = ...,
) -> BootstrapTable: ...
def bootstrap(
    data: Any,
    coefficients: str | Sequence[str | tuple[str, Any]] = "alpha",
    *,
    distance: Any = "nominal",
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "percentile",
    resample: str = "items",
    cluster: Any = None,
    incomplete: str = "published",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> BootstrapResult | BootstrapTable:
    """Coefficients with intervals from resampled data.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads (items × coders)
    coefficients : str, or sequence of str and (str, distance)
        One name gives a `BootstrapResult`, several give a `BootstrapTable` of coefficients that
        share the draws, so that their differences have intervals too.
    distance : str, Distance, array, mapping or function
        For the names that come without one.
    n_resamples : int
    confidence_level : float
        Between 0 and 1.
    method : {"percentile", "basic", "bca", "krippendorff"}
        Percentiles of the replicates; their mirror image; bias-corrected and accelerated, with
        the exact jackknife; or Hayes & Krippendorff's (2007) draws of pairs of judgments, for α.
    resample : {"items", "coders", "both"}
        What is drawn with replacement. A coder who is drawn twice is two coders; a judgment is
        never paired with its own copy.
    cluster : sequence of labels of shape (n_rows,), optional
        The document of each stored item: whole documents are drawn, because items of one text are
        not independent.
    incomplete :
        As in `agreement`. Items that do not count are not drawn.
    rng : int or numpy Generator, optional
        The same seed gives the same replicates with any number of threads.
    threads : int, optional
        At most so many; by default as many as there are processors.
    progress : bool
        Show a bar (needs tqdm).

    Returns
    -------
    BootstrapResult or BootstrapTable

    Raises
    ------
    ValueError
        Unknown names and choices, a distance that does not fit the labels, counts where coders
        are needed, `cluster` with coders drawn, "bca" with both drawn.

    Notes
    -----
    Items are drawn as multinomial weights of their patterns, which is exactly drawing items: after
    one pass over the data, O(U · r) for a replicate of U patterns of r judgments. Drawing coders
    takes one pass over the patterns for each replicate. Resamples that leave a coefficient
    undefined are counted, and left out of interval and standard error. Sources: Efron & Tibshirani
    1993; Efron 1987 (BCa).

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import bootstrap
    >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    >>> result = bootstrap(data, "kappa", rng=1)
    >>> round(result.value, 3), result.n_undefined
    (0.801, 0)
    >>> 0.68 < result.low < 0.75 and 0.86 < result.high < 0.92
    True
    """
    check_choice("method", method, METHODS)
    check_choice("resample", resample, RESAMPLE)
    check_level(confidence_level)
    n_resamples = check_count("n_resamples", n_resamples)
    threads = None if threads is None else check_count("threads", threads)
    one = isinstance(coefficients, str)
    points = _points([coefficients] if isinstance(coefficients, str) else coefficients, distance)
    annotations = as_annotations(data)
    generator = np.random.default_rng(rng)
    if cluster is not None and resample != "items":
        raise ValueError(f"cluster draws documents of items, which resample={resample!r} is not")
    if method == "bca" and resample == "both":
        raise ValueError(
            "method='bca' needs one kind of unit to leave out, resample='both' has two: take "
            "'percentile' or 'basic'"
        )
    made = linear(
        annotations,
        points,
        incomplete,
        rows=None if cluster is None else annotations._rows,
        coders=resample != "items",
    )
    draw = Draw(
        counted_weights(made),
        None if cluster is None else document_codes(cluster, annotations.n_rows),
    )
    whole = made.values(made.sums(_as_column(counted_weights(made))))
    jackknives: list[Jackknife] | None = None
    if method == "krippendorff":
        if resample != "items" or cluster is not None:
            raise ValueError(
                "method='krippendorff' draws pairs of judgments: it takes neither resample= nor "
                "cluster="
            )
        replicates = np.stack(
            [
                pair_replicates(annotations, point, incomplete, n_resamples, own, threads, progress)
                for point, own in zip(points, generator.spawn(len(points)), strict=True)
            ]
        )
    else:
        coders = None
        if resample != "items":
            coders = CoderDraw(made, _least(annotations, incomplete))
        replicates = resampled(
            [made], draw, n_resamples, generator, threads, progress, coders, resample == "both"
        )
        if method == "bca":
            jackknives = _jackknives(made, draw, coders)
    results = [
        _result(
            point, whole[i], replicates[i], confidence_level, method, resample,
            () if jackknives is None else (jackknives[i],),
        )
        for i, point in enumerate(points)
    ]  # fmt: skip
    return results[0] if one else BootstrapTable(results, jackknives)


def _points(coefficients: Iterable[Any], distance: Any) -> list[Point]:
    if not isinstance(coefficients, Iterable):
        raise TypeError(f"coefficients is {coefficients!r}: it is a name or a sequence of names")
    points = []
    for entry in coefficients:
        pair = isinstance(entry, tuple)
        if pair and len(entry) != 2:
            raise ValueError(f"{entry!r} in coefficients: it is a name or (name, distance)")
        name, own = entry if pair else (entry, distance)
        points.append(Point.of(name, own))
    if not points:
        raise ValueError("coefficients is empty")
    return points


def _jackknives(made: Linear, draw: Draw, coders: CoderDraw | None) -> list[Jackknife]:
    if coders is not None:
        values, weights = coders.jackknife()
    elif jackknife_steps(made, draw) > STEPS:
        raise ValueError(
            f"method='bca' leaves out each of {len(draw.units)} units in turn, which takes too "
            "long for this distance: take 'percentile' or 'basic'"
        )
    else:
        values, weights = jackknife(made, draw)
    return [(one, weights) for one in values]


def reason(values: Values) -> str | None:
    """Why a coefficient of the whole data has no value."""
    if not math.isnan(values.value[0]):
        return None
    return NO_PAIRS if math.isnan(values.observed[0]) else NO_VARIATION


def _result(
    point: Point,
    whole: Values,
    replicates: FloatArray,
    confidence_level: float,
    method: str,
    resample: str,
    jackknives: Sequence[Jackknife],
) -> BootstrapResult:
    value = float(whole.value[0])
    low, high = interval(method, value, replicates, confidence_level, jackknives)
    undefined = int(np.isnan(replicates).sum())
    replicates.flags.writeable = False
    return BootstrapResult(
        coefficient=point.name,
        distance=point.distance.name,
        value=value,
        standard_error=spread(replicates),
        low=low,
        high=high,
        confidence_level=confidence_level,
        method=method,
        resample=resample,
        n_resamples=len(replicates),
        n_undefined=undefined,
        replicates=replicates,
        undefined=reason(whole),
    )


def compare(
    data_a: Any,
    data_b: Any,
    coefficient: str = "alpha",
    *,
    paired: bool,
    distance: Any = "nominal",
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "percentile",
    cluster: Any = None,
    incomplete: str = "published",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> Difference:
    """The difference of a coefficient between two data sets, with an interval.

    Parameters
    ----------
    data_a, data_b : Annotations, or anything that `Annotations.from_wide` reads
    coefficient : str
    paired : bool
        True: two codings of the same items (two guidelines; people and models), found by the items'
        names, and each draw takes the same items of both. False: independent data sets.
    cluster : sequence of labels, optional
        Documents of the items of `data_a`, for paired data only.
    method : {"percentile", "basic", "bca"}
    distance, n_resamples, confidence_level, incomplete, rng, threads, progress :
        As in `bootstrap`.

    Returns
    -------
    Difference

    Raises
    ------
    ValueError
        Paired data whose items differ, by name or by weight.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import compare
    >>> old = [["x", "y"], ["x", "x"], ["y", "x"], ["y", "y"], ["x", "y"], ["x", "x"]]
    >>> new = [["x", "x"], ["x", "x"], ["y", "x"], ["y", "y"], ["y", "y"], ["x", "x"]]
    >>> result = compare(old, new, "pi", paired=True, rng=3)
    >>> round(result.value, 3), result.n_resamples
    (-0.686, 1000)
    """
    check_choice("method", method, METHODS[:3])
    check_level(confidence_level)
    n_resamples = check_count("n_resamples", n_resamples)
    threads = None if threads is None else check_count("threads", threads)
    point = Point.of(coefficient, distance)
    generator = np.random.default_rng(rng)
    sides = [as_annotations(data_a), as_annotations(data_b)]
    if paired:
        made, draw = _paired(sides, point, incomplete, cluster)
        replicates = resampled(made, draw, n_resamples, generator, threads, progress)
        first, second = replicates
        draws = [draw, draw]
    else:
        if cluster is not None:
            raise ValueError("cluster is for paired data: bootstrap each data set by itself")
        made = [linear(side, [point], incomplete) for side in sides]
        draws = [Draw(counted_weights(one)) for one in made]
        first, second = (
            resampled([one], own, n_resamples, child, threads, progress)[0]
            for one, own, child in zip(made, draws, generator.spawn(2), strict=True)
        )
    whole = [one.values(one.sums(_as_column(counted_weights(one))))[0] for one in made]
    jackknives: list[Jackknife] = []
    if method == "bca":
        (a, weights), (b, others) = (
            _jackknives(one, own, None)[0] for one, own in zip(made, draws, strict=True)
        )
        jackknives = [(a - b, weights)] if paired else [(a, weights), (-b, others)]
    return difference(
        ("a", "b"),
        (float(whole[0].value[0]), float(whole[1].value[0])),
        first - second,
        confidence_level,
        method,
        jackknives,
        reason(whole[0]) or reason(whole[1]),
    )


def _as_column(weights: Array) -> FloatArray:
    return np.asarray(weights.astype(np.float64)[:, None])


def _paired(
    sides: Sequence[Annotations], point: Point, incomplete: str, cluster: Any
) -> tuple[list[Linear], Draw]:
    """Both codings over the same items, in the first's order."""
    a, b = sides
    names = list(a.items)
    if names == list(b.items):
        place = np.arange(len(names))
    else:
        where = {name: i for i, name in enumerate(b.items)}
        unknown = [name for name in names if name not in where]
        if unknown or len(where) != len(names):
            which = f"item {unknown[0]!r} is in the first only" if unknown else "more in the second"
            raise ValueError(
                f"paired data hold the same items, here {which}: select(items=...) what both have"
            )
        place = np.array([where[name] for name in names])
    weights = [_row_weights(side) for side in sides]
    if (weights[0] != weights[1][place]).any():
        bad = names[int(np.argmax(weights[0] != weights[1][place]))]
        raise ValueError(f"paired data weigh the same items alike, item {bad!r} does not")
    rows = [a._rows, take_rows(b._rows, place)]
    documents = None if cluster is None else document_codes(cluster, len(names))
    if documents is None and all(part.width for part in rows):
        # Items that are alike in both codings are one pattern.
        joint = np.hstack([part.table().astype(np.int32) for part in rows])
        group, kept = group_equal(joint)
        counts = np.zeros(len(kept), np.int64)
        np.add.at(counts, group, weights[0])
        rows = [replace(take_rows(part, kept), weights=counts) for part in rows]
    made = [
        linear(side, [point], incomplete, rows=part) for side, part in zip(sides, rows, strict=True)
    ]
    either = np.maximum(*(counted_weights(one) for one in made))
    return made, Draw(either, documents)


def _row_weights(annotations: Annotations) -> Array:
    weights = annotations.weights
    return np.ones(annotations.n_rows, np.int64) if weights is None else weights
