"""Each coder's effect on the agreement, agreement with the others, and use of categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import result_of
from agreement_fast.diagnostics.each_coder import against_rest, sums_of, without_each
from agreement_fast.diagnostics.findings import coded, error_of_change
from agreement_fast.distances import ranked_among
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.inference.delta_method import interval_ends
from agreement_fast.inference.intervals import ROUNDING
from agreement_fast.options import Incomplete, check_share
from agreement_fast.patterns import group_rows, row_sizes
from agreement_fast.points import Point
from agreement_fast.present.tables import DETAILS, Aligned, Table, aligned, ends_of

#: The most judgments, over all coders, for which intervals are computed by default.
UNASKED = 2e6

NOT_COMPUTED = "no intervals of the changes, because intervals=False"
TOO_LONG = "no intervals of the changes: {} coders take long; pass intervals=True to compute them"
NO_SLOPE = "no intervals of the changes: no standard error in closed form is known"


def change_intervals(
    annotations: Annotations,
    point: Point,
    incomplete: Incomplete,
    change: FloatArray,
    confidence_level: float,
    requested: bool | None,
) -> tuple[FloatArray, FloatArray, FloatArray, str | None]:
    """Compute the standard error and interval of the change without each coder, or why not.

    O(coders · judgments of the distinct rows). `point`: the coefficient and its distance.
    `incomplete`: which items count. `change` (float64 (C,)): the changes. `requested`: whether to
    compute them; None computes them if that is fast.
    """
    names = annotations.known_coders("the interval of a change")
    errors = np.full(len(names), np.nan)
    if requested is False:
        return errors, errors, errors, NOT_COMPUTED
    if not point.has_slope:
        return errors, errors, errors, NO_SLOPE
    # The distinct rows as items
    data = annotations.with_rows(group_rows(annotations.grouped()))
    if requested is None and len(names) * float(row_sizes(data.rows).sum()) > UNASKED:
        return errors, errors, errors, TOO_LONG.format(f"{len(names):,}")
    distance = ranked_among(point.distance, annotations.labels)
    point = Point(point.name, point.chance, point.item_weight, distance)
    whole = coded(data, point, incomplete)
    items = np.zeros(len(names))
    for c in np.flatnonzero(~np.isnan(change)).tolist():
        rest = data.select(coders=[*names[:c], *names[c + 1 :]])
        errors[c], items[c] = error_of_change(whole, coded(rest, point, incomplete))
    errors[errors <= ROUNDING] = np.nan
    low, high = interval_ends(change, errors, items, confidence_level, "none")
    return errors, low, high, None


#: What the tables of each coder begin with.
OF_EACH = "value observed_disagreement expected_disagreement"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CoderReport(Aligned):
    """A report on each coder; arrays have shape (C,), in the order of `coders`.

    Attributes
    ----------
    coefficient, distance : str
        The coefficient of `value` and `change`.
    coders : tuple
        The names of the coders.
    categories : tuple
        The categories.
    value : float
        The coefficient of all coders.
    n_judgments : int64
        The coder's judgments, including weights.
    n_items : int64
        Items that the coder and at least one other judged.
    against_rest : float64
        Chance-corrected agreement with the others, see the notes.
    change : float64
        The change of the coefficient if the coder is left out: positive for a coder who lowers it.
    change_standard_error, change_low, change_high : float64
        The standard error of `change` (delta method over the same items) and the ends of its
        interval; NaN if there is none.
    confidence_level : float
        The level of the intervals.
    note : str or None
        Why the changes have no intervals.
    divergence : float64
        Jensen–Shannon divergence of the coder's categories from those of all judgments, in bits,
        0 to 1 (Lin 1991). With few judgments, it is above 0 by chance.
    entropy : float64
        −Σ P(k|c) log₂ P(k|c), in bits (Shannon 1948): 0 for a coder who uses a single category.
    pool_entropy : float
        The entropy of all judgments.
    favourite : tuple of C labels or None
        The category that the coder uses most often; the first one if several tie, None without
        judgments.
    favourite_share : float64
        The share of this category in the coder's judgments.
    single_category : bool
        Whether the coder used a single category.
    chance_of_one : float64
        Σ P(k)ⁿ: the probability that n judgments drawn from all judgments are of one category. It
        is high for a coder with few judgments, whose single category then means little.
    with_others : Table
        A row for each coder: `against_rest` as value, with observed_disagreement,
        expected_disagreement, n_items, and undefined, which says why there is no value.
    without : Table
        A row for each coder who is left out: change, value, observed_disagreement,
        expected_disagreement, n_items and n_judgments of the others, and undefined.
    """

    _caption = (
        "{coders:coder}, {coefficient}({distance}) = {value}: leaving one out adds "
        "{change:span}[, {_single:coder} with a single category]"
    )
    _table = (
        "coder | n_judgments | with others = against_rest | change:+ | change_low..change_high:+ "
        "| divergence | entropy | most often = {favourite:l} {favourite_share:.0%}"
    )
    _ordered_by = "-change"
    _what = "coder"
    _remarks = "note"

    def _single(self) -> int:
        return int(self.single_category.sum())

    aside = DETAILS | {"chance_of_one", "entropy", "single_category"}

    coefficient: str
    distance: str
    coders: tuple[Any, ...]
    categories: Sequence[Any]
    value: float
    n_judgments: Array
    n_items: Array
    against_rest: FloatArray
    change: FloatArray
    change_standard_error: FloatArray
    change_low: FloatArray
    change_high: FloatArray
    confidence_level: float
    note: str | None
    divergence: FloatArray
    entropy: FloatArray
    pool_entropy: float
    favourite: tuple[Any, ...]
    favourite_share: FloatArray
    single_category: npt.NDArray[np.bool_]
    chance_of_one: FloatArray
    with_others: Table
    without: Table

    _column_names = (
        "coder=coders coefficient distance n_judgments n_items against_rest change "
        "change_standard_error change_low change_high confidence_level divergence entropy "
        "favourite favourite_share single_category chance_of_one"
    )

    @property
    def order(self) -> Array:
        """Indices of the coders; first the one without whom the coefficient would be highest."""
        return np.argsort(-np.nan_to_num(self.change, nan=-np.inf), kind="stable")


def coder_report(
    data: JudgmentsLike,
    coefficient: str = "alpha",
    *,
    distance: DistanceLike = "nominal",
    incomplete: Incomplete = "published",
    confidence_level: float = 0.95,
    intervals: bool | None = None,
    **reading: Unpack[ReadingOptions],
) -> CoderReport:
    """Report each coder's agreement with the others, effect on a coefficient, and category use.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    coefficient : str, default "alpha"
        The name of the coefficient that changes if a coder is left out.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart, for the coefficient and for the agreement with the others: the
        name of a distance such as "nominal", "ordinal" or "interval", a K × K matrix, a mapping of
        pairs, or a function of two labels. See `agreement_fast.distances`.
    incomplete : {"published", "pairable"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.
    intervals : bool, optional
        Whether to compute intervals of the changes, which takes a pass over the distinct rows for
        each coder. By default, they are computed if that is fast.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    CoderReport
        Arrays with an entry for each coder; ``print(report)`` shows a table.

    Raises
    ------
    ValueError
        If the coders are unknown, or an argument is not valid.

    Notes
    -----
    The values without a coder are those of ``agreement(data.select(coders=all others), ...)``:
    items with fewer than two judgments left drop out, and so do categories that only the coder
    used, unless they are declared. The ordinal distance is that of the others' marginals; the ranks
    of rank_linear and rank_quadratic stay ranks among all categories.

    A change is the difference of two coefficients of the same items, so its variance is that of the
    differences of the items' influences on both.

    The agreement with the others is 1 − D_o / D_e over the items that coder c and at least one
    other judged. With the label x_ic of c, and n'_il judgments l by the n'_i others:

    - D_o = mean over these items of Σ_l n'_il d(x_ic, l) / n'_i,
    - D_e = Σ_jl P(j) Q(l) d_jl, P the shares of c's judgments, Q the mean of n'_il / n'_i.

    With complete data and the nominal distance this is Schouten's (1982) agreement of one observer
    with the group: (Ō − Ē) / (1 − Ē), where Ō and Ē are the means of Cohen's observed and expected
    agreement over the others. The means of D_o and of D_e over the coders are then those of multi-κ
    (or β), which is therefore the mean of these values weighted by D_e. The ordinal distance is
    that of all coders' marginals.

    O(Σ n_i r_i + C K²) for n_i judgments and r_i labels of an item; memory O(C K). The ordinal
    distance differs from coder to coder, which takes a table of K × K or a pass for each, and the
    intervals take a pass for each coder.

    References
    ----------
    Lin, J. (1991). Divergence measures based on the Shannon entropy. IEEE Transactions on
    Information Theory 37, 145–151.
    Schouten, H. J. A. (1982). Measuring pairwise interobserver agreement when all subjects are
    judged by the same observers. Statistica Neerlandica 36, 45–61.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.diagnostics import coder_report
    >>> table = [["x", "x", "x"], ["y", "y", "x"], ["x", "x", "x"], ["y", "y", "x"]]
    >>> data = af.Annotations.from_wide(table, coders=["Ann", "Bea", "Cid"])
    >>> report = coder_report(data, "pi")
    >>> report.change.round(3).tolist(), report.entropy.tolist()
    ([-0.583, -0.583, 0.75], [1.0, 1.0, 0.0])
    >>> report.single_category.tolist(), report.favourite
    ([False, False, True], ('x', 'x', 'x'))
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    coders = tuple(annotations.known_coders("coder_report()"))
    point = Point.of(coefficient, distance)
    sums = sums_of(annotations)
    without = without_each(annotations, sums, point, incomplete)
    value = result_of(annotations, point, incomplete).value
    change = without.value - value
    error, *ends, note = change_intervals(
        annotations, point, incomplete, change, confidence_level, intervals
    )
    rest = against_rest(annotations, sums, point.distance)
    counts = sums.own(np.ones_like(sums.sizes))
    totals = counts.sum(1)
    pool = counts.sum(0) / max(int(totals.sum()), 1)
    shares = counts / np.maximum(totals, 1)[:, None]
    judged = totals > 0
    top = counts.argmax(1) if counts.shape[1] else np.zeros(len(coders), np.int64)
    most = counts.max(1, initial=0)
    # Σ p^n for each number n of judgments
    sizes, place = np.unique(totals, return_inverse=True)
    each = np.array([float((pool**n).sum()) if n else np.nan for n in sizes.tolist()])
    labels = annotations.categories
    return CoderReport(
        coefficient=point.name,
        distance=point.distance.name,
        coders=coders,
        categories=labels,
        value=value,
        n_judgments=totals,
        n_items=rest.n_items,
        against_rest=rest.value,
        change=change,
        change_standard_error=error,
        **ends_of("change", ends),
        confidence_level=confidence_level,
        note=note,
        divergence=np.where(judged, _divergence(shares, pool), np.nan),
        entropy=np.where(judged, _entropy(shares), np.nan),
        pool_entropy=float(_entropy(pool[None, :])[0]) if judged.any() else np.nan,
        favourite=tuple(
            labels[k] if any_ else None
            for k, any_ in zip(top.tolist(), judged.tolist(), strict=True)
        ),
        favourite_share=np.where(judged, most / np.maximum(totals, 1), np.nan),
        single_category=judged & (most == totals),
        chance_of_one=each[place] if len(each) else np.zeros(0),
        with_others=Table({"coder": coders, **aligned(rest, f"{OF_EACH} n_items undefined")}),
        without=Table(
            {
                "coder": coders,
                "change": change,
                **aligned(without, f"{OF_EACH} n_items n_judgments undefined"),
            }
        ),
    )


def _entropy(shares: FloatArray) -> FloatArray:
    # Compute p log₂ p, which is 0 for 0
    return np.asarray(0.0 - np.asarray(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(-1))


def _divergence(shares: FloatArray, pool: FloatArray) -> FloatArray:
    """Compute the Jensen–Shannon divergence as a sum of terms that are not negative."""
    mean = (shares + pool) / 2
    safe = np.where(mean > 0, mean, 1.0)
    sides: FloatArray = np.zeros(len(shares))
    for side in (shares, np.broadcast_to(pool, shares.shape)):
        ratio = np.where(side > 0, side / safe, 1.0)
        # p log(p/m) − p + m ≥ 0, and the added terms sum to 0.
        sides = sides + (side * np.log2(ratio) + (mean - side) / np.log(2)).sum(-1) / 2
    return np.asarray(np.maximum(sides, 0.0))
