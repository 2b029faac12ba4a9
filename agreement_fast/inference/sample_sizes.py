"""How many items and judgments a study needs, before and after a pilot."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Unpack, runtime_checkable

from agreement_fast._kernels.normal import two_sided_quantile
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.score import Score
from agreement_fast.options import (
    check_count,
    check_number,
    check_positive,
    check_probability,
    check_share,
)
from agreement_fast.present.tables import ResultTable, Row

#: What to pass in place of data.
_A_COEFFICIENT = "pass a coefficient, such as af.alpha(data)"


def minimum_units(
    min_alpha: float,
    rarest: float | None = None,
    *,
    n_categories: int | None = None,
    significance: float = 0.05,
) -> int:
    """Krippendorff's minimum number of units for two coders to detect α below a limit.

    N = 2 z² ((1 + α)(3 − α) / (4 (1 − α) p (1 − p)) − α), rounded up, where α is the smallest
    acceptable value and p the share of the rarest category: Krippendorff's (2004, page 239) use of
    Bloch & Kraemer (1989, equation 3.7).

    Parameters
    ----------
    min_alpha : float
        The smallest acceptable α, such as .667 or .8; from 0 to below 1.
    rarest : float, optional
        Share of the rarest category, p: above 0 and at most 1/2.
    n_categories : int, optional
        Number of equally frequent categories, in place of `rarest`: p = 1 / n_categories.
    significance : float, default 0.05
        The risk of taking unreliable data for reliable, below 1/2; z is its one-sided normal
        quantile.

    Returns
    -------
    int
        The number of units.

    Raises
    ------
    ValueError
        If an argument is out of its range, or both or neither of `rarest` and `n_categories` are
        given.

    Notes
    -----
    Bloch & Kraemer's model has two coders and two categories: the rarest, and all others. Published
    tables round to the nearest integer, so they may have one unit less. O(1).

    References
    ----------
    Bloch & Kraemer 1989, 2 × 2 kappa coefficients: measures of agreement or association,
    *Biometrics* 45, 269–287; Krippendorff 2004, *Content Analysis*, 2nd edition, page 239.

    Examples
    --------
    Four equally frequent categories:

    >>> import agreement_fast as af
    >>> af.inference.minimum_units(0.667, n_categories=4), af.inference.minimum_units(0.8, 0.25)
    (81, 139)
    """
    from scipy.special import ndtri

    if not 0 <= check_number("min_alpha", min_alpha) < 1:
        raise InputError.must_be("min_alpha", "from 0 to below 1", min_alpha)
    if not 0 < check_number("significance", significance) < 0.5:
        raise InputError.must_be("significance", "between 0 and 0.5", significance)
    if (rarest is None) == (n_categories is None):
        raise InputError("pass either rarest or n_categories", argument="rarest")
    if n_categories is not None:
        rarest = 1 / check_count("n_categories", n_categories, 2)
    assert rarest is not None
    if not 0 < check_number("rarest", rarest) <= 0.5:
        raise InputError.must_be("rarest", "a share above 0 and at most 0.5", rarest)
    z = float(ndtri(1 - significance))
    spread = (1 + min_alpha) * (3 - min_alpha) / (4 * (1 - min_alpha) * rarest * (1 - rarest))
    return math.ceil(2 * z * z * (spread - min_alpha))


@runtime_checkable
class Pilot(Protocol):
    """A pilot's standard error and number of items, such as a result of `standard_error`."""

    @property
    def standard_error(self) -> float: ...
    @property
    def n_items(self) -> int: ...


def items_needed(
    result: Pilot,
    *,
    standard_error: float | None = None,
    width: float | None = None,
    confidence_level: float = 0.95,
) -> int:
    """Compute the number of items that gives a standard error or an interval of a given width.

    The items are assumed to be like those of a pilot.

    Parameters
    ----------
    result : result of `standard_error`
        What `standard_error` returns for the pilot, with the coefficient, the coders and the
        distance of the planned study.
    standard_error : float, optional
        The largest acceptable standard error.
    width : float, optional
        The largest acceptable width of the interval, high − low, in place of `standard_error`.
    confidence_level : float, default 0.95
        Of the interval, between 0 and 1.

    Returns
    -------
    int
        The number of items.

    Raises
    ------
    ValueError
        If neither or both of `standard_error` and `width` are given, one is not positive, or the
        pilot has no standard error.

    Notes
    -----
    The standard error falls with the square root of the number of items: n = n_pilot (SE_pilot /
    SE)². The width is that of the interval of `standard_error`: its effective number of items and
    its degrees of freedom grow with the items, and the share of its prior falls. Intervals by
    "delta" and "gwet" have the width 2 z SE. The variance of a small pilot is itself uncertain, so
    take the result as an order of magnitude. O(1).

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import items_needed, standard_error
    >>> pilot = af.Annotations.from_contingency([[20, 5], [5, 20]])
    >>> items_needed(standard_error(pilot, "kappa"), width=0.1)
    985
    """
    if not isinstance(result, Pilot):
        raise InputTypeError.must_be(
            "result", "what standard_error(data) returns for the pilot", result
        )
    if (standard_error is None) == (width is None):
        raise InputError("pass one of standard_error and width", argument="width")
    scored: Score | None = getattr(result, "score", None)
    if standard_error is None:
        check_share("confidence_level", confidence_level)
        widest = check_positive("width", width)
        if scored is not None and not math.isnan(scored.freedom[0]):
            more, n = scored.of_more, result.n_items

            def wide(items: int) -> bool:
                low, high = more(items / n).ends_of_one(confidence_level)
                return high - low > widest * (1 + 1e-12)

            most = 2
            while wide(most):
                most *= 2
            return bisect_left(range(most), True, most // 2 + 1, key=lambda items: not wide(items))
        target = widest / (2 * two_sided_quantile(confidence_level))
    else:
        target = check_positive("standard_error", standard_error)
    error = result.standard_error
    if not error > 0:
        raise InputError(
            f"the pilot's standard error is {error:g}, which does not show how much items differ",
            "code more items first",
            argument="result",
        )
    # 100.00000000001 items are 100.
    return math.ceil(result.n_items * (error / target) ** 2 * (1 - 1e-12))


def spearman_brown(reliability: float, n_judgments: float) -> float:
    """Compute the reliability of the mean, or the majority, of several judgments of an item.

    It is n r / (1 + (n − 1) r) for n judgments of reliability r each.

    Parameters
    ----------
    reliability : float, or a result of `agreement`
        The reliability of single judgments, from 0 to 1: a coefficient such as α, or an intraclass
        correlation.
    n_judgments : float
        Mean number of judgments of an item, 0 or more.

    Returns
    -------
    float
        The reliability of all judgments of an item together.

    Raises
    ------
    ValueError
        If the reliability is not a number from 0 to 1, or the number of judgments is negative.

    Notes
    -----
    The formula is exact for means of judgments whose errors are uncorrelated and equally large. For
    nominal labels and majorities it is a rule of thumb: errors that coders share, for example on
    hard items, remain however many coders there are. O(1).

    References
    ----------
    Spearman, C. (1910). Correlation calculated from faulty data. British Journal of Psychology
    3(3), 271-295. Brown, W. (1910). Some experimental results in the correlation of mental
    abilities. British Journal of Psychology 3(3), 296-322.

    Examples
    --------
    >>> from agreement_fast.inference import spearman_brown
    >>> round(spearman_brown(0.4, 3), 4)
    0.6667
    """
    r = check_probability("reliability", reliability, _A_COEFFICIENT)
    n = check_number("n_judgments", n_judgments)
    if not 0 <= n < math.inf:
        raise InputError.must_be("n_judgments", "a number, 0 or more", n_judgments)
    return n * r / (1 + (n - 1) * r) if r * n else 0.0


def judgments_needed(reliability: float, target: float = 0.8) -> int:
    """Compute how many judgments an item needs so that their mean reaches a reliability.

    Parameters
    ----------
    reliability : float, or a result of `agreement`
        The reliability of single judgments, above 0.
    target : float, default 0.8
        The reliability to reach, between 0 and 1.

    Returns
    -------
    int
        The number of judgments an item.

    Raises
    ------
    ValueError
        If a value is out of range, or the reliability is 0, which no number of judgments raises.

    Notes
    -----
    `spearman_brown` solved for n: w (1 − r) / (r (1 − w)), rounded up. O(1).

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import judgments_needed
    >>> judgments_needed(0.4, target=0.9)
    14
    >>> alpha = af.alpha([["x", "x", "y"], ["y", "y", "y"], ["x", "x", "x"], ["y", "x", "y"]])
    >>> judgments_needed(alpha)
    7
    """
    r = check_probability("reliability", reliability, _A_COEFFICIENT)
    goal = check_share("target", target)
    if r == 0:
        raise InputError(
            "with a reliability of 0 no number of judgments is enough",
            "work on the guidelines first",
            argument="reliability",
        )
    # 9.00000000000001 judgments are 9.
    return max(1, math.ceil(goal * (1 - r) / (r * (1 - goal)) * (1 - 1e-12)))


@dataclass(frozen=True, slots=True)
class ChanceAgreement(Row):
    """How often two coders would agree on a category by chance.

    Attributes
    ----------
    label : object
        The category.
    share : float
        Its share of the judgments of items with two or more; NaN without such items.
    expected : float
        The expected number of agreements by chance: N p² for N such items and this share p.
    enough : bool
        Whether `expected` reaches the required number.
    items_needed : int or None
        Number of items that reaches it at this share; None for a category that was not used.
    """

    label: Any
    share: float
    expected: float
    enough: bool
    items_needed: int | None


class ChanceAgreements(ResultTable[ChanceAgreement]):
    """The chance agreements of each category, in the order of the categories.

    Attributes
    ----------
    min_count : float
        The required number of agreements by chance.
    n_items : int
        Items with two judgments or more.
    """

    _caption = (
        "chance agreements of {_rows:category} in {n_items:item}: "
        "{failing:category} below {min_count:g}"
    )
    _table = (
        "category = label | share:% | chance agreements = expected:,.1f | enough | items_needed:,"
    )
    _what = "category"
    _most = None

    def __init__(self, rows: Sequence[ChanceAgreement], min_count: float, n_items: int) -> None:
        super().__init__(rows)
        self.min_count = min_count
        self.n_items = n_items

    @property
    def failing(self) -> tuple[ChanceAgreement, ...]:
        """The categories below the required number, the rarest first."""
        return tuple(sorted((row for row in self if not row.enough), key=lambda row: row.expected))


def chance_agreements(
    data: JudgmentsLike,
    *,
    min_count: float = 5,
    **reading: Unpack[ReadingOptions],
) -> ChanceAgreements:
    """Compute how often two coders would agree on each category by chance.

    Krippendorff (2004, chapter 11) asks that a sample hold each category often enough to yield at
    least five agreements by chance. A rarer one cannot show whether coders recognise it.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    min_count : float, default 5
        The required number of agreements by chance, above 0.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ChanceAgreements
        A row for each category; `failing` holds the categories with too few.

    Raises
    ------
    ValueError
        If `min_count` is not a positive number.

    Notes
    -----
    The expected number is N p², for N items with two judgments or more and a category's share p of
    their judgments. It is that of one pair of coders, so it does not depend on the number of
    coders. At this share 5 / p² items are needed if they are drawn at random; choosing items that
    are likely to hold the category takes fewer. O(judgments).

    References
    ----------
    Krippendorff 2004, *Content Analysis*, 2nd edition, chapter 11.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import chance_agreements
    >>> table = [[10, 20], [20, 1000]]
    >>> nouns = af.Annotations.from_contingency(table, categories=["noun", "other"])
    >>> print(chance_agreements(nouns))
    chance agreements of 2 categories in 1050 items: 1 category below 5
      category  share  chance agreements  enough  items needed
      noun       2.9%                0.9  no             6,125
      other     97.1%              990.9  yes                6
    """
    check_positive("min_count", min_count)
    annotations = as_annotations(data, **reading)
    sums = sums_of(annotations)
    counts = sums.counts().tolist()
    total = sum(counts)
    n_items = sum(n for size, n in sums.items_by_size.items() if size > 1)
    rows = []
    for label, count in zip(annotations.categories, counts, strict=True):
        share = count / total if total else math.nan
        expected = n_items * share**2 if total else 0.0
        rows.append(
            ChanceAgreement(
                label=label,
                share=share,
                expected=expected,
                # 5.000000000001 and 4.999999999999 are 5
                enough=expected >= min_count * (1 - 1e-12),
                items_needed=math.ceil(min_count / share**2 * (1 - 1e-12)) if count else None,
            )
        )
    return ChanceAgreements(rows, min_count, n_items)
