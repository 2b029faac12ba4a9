"""The coefficients: points of a cube of distance, chance model and item weight.

Every coefficient is 1 − D_o / D_e (Artstein & Poesio 2005, section 2). D_o is the mean distance
between two judgments of an item; D_e is the mean distance expected by chance. A named coefficient
is a row of `points.COEFFICIENTS`. To add one, add a row, and a chance model if it needs a new one.
"""

from __future__ import annotations

import functools
import inspect
import math
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, Unpack

import numpy as np

from agreement_fast import distances
from agreement_fast._kernels.normal import METHODS, share_interval
from agreement_fast.annotations import (
    Annotations,
    JudgmentsLike,
    as_annotations,
    count_at_once,
    of_counted,
    read_table,
)
from agreement_fast.chance import CHANCE, ITEM_WEIGHTS
from agreement_fast.distances import MatrixDistance, check_symmetric
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.categories import (
    LEAST,
    CategorySums,
    Parts,
    bind,
    least_judgments,
    parts_of,
    sums_of,
)
from agreement_fast.distances.sums.rows import item_shares
from agreement_fast.errors import InputError
from agreement_fast.options import Incomplete, Undefined, check_choice, check_share
from agreement_fast.points import Point, check_distance, chosen, named, normal
from agreement_fast.reading.entrance import entrance
from agreement_fast.reading.recognition.read import Origin
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.results import (
    CONFIDENCE_LEVEL,
    NO_ENDS,
    NO_PAIRS,
    Agreement,
    AgreementTable,
    Ends,
    Interval,
    ObservedAgreement,
    UndefinedError,
)

NAN = math.nan


def _check_undefined(undefined: Any) -> None:
    if isinstance(undefined, str) and undefined in ("nan", "raise"):
        return
    if isinstance(undefined, (int, float)) and not isinstance(undefined, bool):
        return
    raise InputError.must_be("undefined", "'nan', 'raise' or a number", undefined)


def _result(
    origin: Origin,
    point: Point,
    incomplete: Incomplete,
    undefined: Any,
    result: Parts,
    later: Interval | None,
) -> Agreement:
    value, reason, sums = result.value, result.undefined, result.sums
    if reason is not None:
        if undefined == "raise":
            raise UndefinedError(f"{point.name} is undefined: {reason}")
        if undefined != "nan":
            value = float(undefined)
    return Agreement.of(
        point.name,
        point.distance.name,
        point.chance.name,
        point.item_weight,
        incomplete,
        value,
        result.observed,
        result.expected,
        sums.n_items,
        origin.n_items - sums.n_items,
        None if origin.coders is None else len(origin.coders),
        sums.n_judgments,
        sums.n_categories,
        reason,
        result.largest,
        origin,
        later,
    )


def _agreement(
    data: Any,
    point: Point,
    incomplete: Incomplete,
    undefined: Any,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    if not isinstance(undefined, str) or undefined != "nan":
        _check_undefined(undefined)
    least = LEAST.get(incomplete) if isinstance(incomplete, str) else None
    counted = None if reading else count_at_once(data)
    if counted is None:
        annotations = read_table(data, **reading)
    elif least and point.distance is distances.nominal:
        read, coders, labels, by_size, rows = counted
        sums = CategorySums.of_table(by_size, rows.width, len(labels), least)
        form = distances.nominal.bind(labels, False)
        result = Parts.of(point, sums, form, sums.disagreement(form))
        of_numbers = len(labels) > 2 and type(labels[0]) is int
        origin = Origin(read, coders, rows.n_rows, 0, 0, of_numbers)
        later = None
        if rows.codes.nbytes <= MOST_BYTES:
            later = IntervalLater(functools.partial(of_counted, counted), point, incomplete)
        return _result(origin, point, incomplete, undefined, result, later)
    else:
        annotations = of_counted(counted)
    return result_of(annotations, point, incomplete, undefined, own=annotations is not data)


def result_of(
    annotations: Annotations,
    point: Point,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    *,
    own: bool = False,
    memo: dict[Any, Any] | None = None,
) -> Agreement:
    """Compute a coefficient; see `interval_later` on `own`, and `bind` on `memo`."""
    least = least_judgments(annotations, incomplete)
    parts = parts_of(annotations, point, least, {} if memo is None else memo)
    later = interval_later(annotations, point, incomplete, own=own)
    return _result(annotations.origin, point, incomplete, undefined, parts, later)


@entrance
def agreement(
    data: JudgmentsLike,
    coefficient: str | None = None,
    *,
    chance: str | None = None,
    item_weight: str | None = None,
    distance: DistanceLike = "nominal",
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Compute a coefficient of agreement, given by name or by its three choices.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``agreement(first, second, "kappa")``.
    coefficient : str, optional
        A name or alias of `COEFFICIENTS`: "alpha", "fleiss_kappa", "cohen_kappa", "gwet_ac1" ...
        By default "alpha" if neither `chance` nor `item_weight` is given. Names of weighted
        coefficients ("weighted_kappa", "weighted_s", "ac2", "gwet_ac2") need a `distance`.
    chance : {"uniform", "pooled", "pooled_unbiased", "individual", "gwet"}, optional
        The chance model. With a `coefficient`, it replaces that coefficient's.
    item_weight : {"items", "judgments"}, optional
        Whether every item counts the same in D_o, or in proportion to its number of judgments.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance, a K × K matrix, a mapping of pairs, or
        a function of two labels. See `agreement_fast.distances`. "ordinal" is Krippendorff's, not
        irrCAC's weights of that name; scikit-learn's weights "quadratic" are "rank_quadratic".
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table. `item`, `coder` and `label` name columns of a table with one judgment
        per row; `item` alone that of the items in a table of items × coders, and a sequence as
        `coder` the columns of its coders. `layout` is "long", "wide", "counts" or "contingency".
        `missing`: labels that mean "no judgment", besides None, NaN and blank texts. `categories`:
        all categories in their order; by default those that occur. `weights`: how many items each
        item stands for, a column or a number for each row. `duplicates`: what to do if a coder
        judged an item more than once: "error" (the default), "first", "last", "majority" or "set";
        see `Annotations.from_long`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If the name is unknown, if the distance does not fit the labels, or if the chance model
        needs coders and the data are counts.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    The value is 1 − D_o / D_e. One pass over the judgments finds their patterns; the rest is
    O(patterns · r²) for r distinct labels a pattern. κ and β add O(coders · k) to O(coders · k²).

    Examples
    --------
    Krippendorff 2011, example C:

    >>> import agreement_fast as af
    >>> a = [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None]
    >>> b = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3]
    >>> c = [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None]
    >>> d = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]
    >>> table = list(zip(a, b, c, d))
    >>> af.agreement(table, "alpha")
    <alpha(nominal) = 0.743421: D_o = 0.2, D_e = 0.779487, 11 items, 40 judgments>
    >>> round(af.agreement(table, "alpha", distance="interval").value, 3)
    0.849
    """
    if chance is None and item_weight is None:
        given = "alpha" if coefficient is None else coefficient
        if normal(given) == "weighted_kappa":
            check_distance(given, distances.resolve(distance))
            return weighted_kappa(
                data, distance, incomplete=incomplete, undefined=undefined, **reading
            )
        return _agreement(data, Point.of(given, distance), incomplete, undefined, **reading)
    resolved = distances.resolve(distance)
    if coefficient is None and chance is not None:
        item_weight = "items" if item_weight is None else item_weight
    else:
        row = named("alpha" if coefficient is None else coefficient)
        chance = row.chance if chance is None else chance
        item_weight = row.item_weight if item_weight is None else item_weight
    check_choice("chance", chance, tuple(CHANCE))
    check_choice("item_weight", item_weight, tuple(ITEM_WEIGHTS))
    check_symmetric(resolved)
    point = Point("agreement", CHANCE[chance], item_weight, resolved)
    return _agreement(data, point, incomplete, undefined, **reading)


@entrance
def agreement_table(
    data: JudgmentsLike,
    coefficient: str | Iterable[str] | None = None,
    distance: DistanceLike | Sequence[DistanceLike] = "nominal",
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> AgreementTable:
    """Compute several coefficients under several distances, in one pass over the judgments.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``agreement_table(first, second)``.
    coefficient : str or sequence of str, optional
        Names or aliases of `COEFFICIENTS`. By default S, π, κ, α and AC, or their weighted forms
        for other distances than nominal; κ and β are left out if the coders are not known.
    distance : str, Distance, array, mapping or function, or several, default "nominal"
        The distances, each as in ``agreement(distance=...)``.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that each coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if a coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    AgreementTable
        A row for each coefficient under each distance that it is defined for.

    See Also
    --------
    af.agreement_by_group : A table for each group of items.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    >>> print(af.agreement_table(data, ["s", "pi", "kappa"]))
    coefficient  distance     D_o     D_e   value
    s            nominal   0.1200  0.6667  0.8200
    pi           nominal   0.1200  0.5986  0.7995
    kappa        nominal   0.1200  0.6040  0.8013
    """
    _check_undefined(undefined)
    annotations = as_annotations(data, **reading)
    points = chosen(coefficient, distance, annotations.n_coders is not None)
    return table_of(annotations, points, incomplete, undefined, own=annotations is not data)


def table_of(
    annotations: Annotations,
    points: Iterable[Point],
    incomplete: Incomplete,
    undefined: Undefined | float = "nan",
    *,
    own: bool = False,
) -> AgreementTable:
    """Compute several coefficients; see `result_of`."""
    memo: dict[Any, Any] = {}
    return AgreementTable(
        result_of(annotations, point, incomplete, undefined, own=own, memo=memo) for point in points
    )


@entrance
def observed_agreement(
    data: JudgmentsLike,
    *,
    confidence_level: float = 0.95,
    incomplete: Incomplete = "published",
    method: Literal["score", "wilson", "wald"] = "score",
    **reading: Unpack[ReadingOptions],
) -> ObservedAgreement:
    """Compute A_o, the share of agreeing pairs of judgments, its standard error and interval.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``observed_agreement(first, second)``.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: items with two judgments or more ("published",
        "pairable"), or items that every coder judged ("complete"). All of them count the same.
    method : {"score", "wilson", "wald"}, default "score"
        The interval. "score" is Wilson's (1927) for two judgments an item, and narrower for more,
        because the agreement on an item then varies less. It lies in [0, 1], is never empty, and
        keeps its confidence for few items and for values near 1. "wilson" treats each item as
        agreeing or not, which is too wide for more than two judgments. "wald" is A_o ± z standard
        errors, as in textbooks; it may leave [0, 1] and is empty if all items agree.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ObservedAgreement
        A float with its standard error, the ends of its interval and the number of items.

    Notes
    -----
    The standard error is √(Σ (a_i − A_o)²) / n, where a_i is the agreement on item i. For two
    judgments an item it equals √(A_o (1 − A_o) / n), which is an upper bound for more. Meyer's
    tutorial prints √(A_o (1 − A_o)) / n by mistake. O(judgments).

    References
    ----------
    Wilson 1927, *Journal of the American Statistical Association* 22, 209–212.

    Examples
    --------
    Meyer's ten word pairs, with the default interval and that of textbooks:

    >>> import agreement_fast as af
    >>> pairs = af.Annotations.from_contingency([[2, 1], [2, 5]])
    >>> result = af.observed_agreement(pairs)
    >>> round(result.value, 3), round(result.standard_error, 4)
    (0.7, 0.1449)
    >>> round(result.low, 3), round(result.high, 3)
    (0.397, 0.892)
    >>> wald = af.observed_agreement(pairs, method="wald")
    >>> round(wald.low, 3), round(wald.high, 3)
    (0.416, 0.984)
    """
    check_share("confidence_level", confidence_level)
    check_choice("method", method, METHODS)
    annotations = as_annotations(data, **reading)
    least = least_judgments(annotations, incomplete)
    sums, _, disagreement = bind(annotations, distances.nominal, CHANCE["uniform"], least)
    value = 1.0 - sums.observed(disagreement, "items")
    n = sums.n_items
    common: dict[str, Any] = {
        "confidence_level": confidence_level,
        "n_items": n,
        "method": method,
        "origin": annotations.origin,
    }
    if not n:
        return ObservedAgreement(**common, value=NAN, undefined=NO_PAIRS)
    shares, weights = item_shares(annotations, least)
    squares = float(weights @ (shares - value) ** 2)
    low, high = map(float, share_interval(value, squares, n, confidence_level, method))
    error = math.sqrt(squares) / n
    return ObservedAgreement(**common, value=value, standard_error=error, low=low, high=high)


# ---------------------------------------------------------------------- one function a name


@entrance
def s(
    data: JudgmentsLike,
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Bennett, Alpert & Goldstein's S: by chance, all categories are equally likely.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``s(first, second)``.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If an option is unknown.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    A_e = 1/k for k categories (Artstein & Poesio 2005, 2.3). Categories that nobody used count if
    they are declared. S is also known as Randolph's free-marginal kappa. O(judgments).

    Examples
    --------
    >>> import agreement_fast as af
    >>> af.s(af.Annotations.from_contingency([[20, 20], [10, 50]])).value
    0.4
    """
    return _agreement(data, Point.of("s", "nominal"), incomplete, undefined, **reading)


@entrance
def pi(
    data: JudgmentsLike,
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Scott's π for two coders, Fleiss' κ for more: all coders share one distribution of labels.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``pi(first, second)``.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If an option is unknown.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    A_e = Σ P(k)², where P(k) is the mean of n_ik / n_i over the items (Artstein & Poesio 2005, 2.3,
    2.4, 5.1). For more than two coders it is also called multi-π. O(judgments).

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.pi(af.Annotations.from_contingency([[20, 20], [10, 50]])).value, 3)
    0.341
    """
    return _agreement(data, Point.of("pi", "nominal"), incomplete, undefined, **reading)


@entrance
def kappa(
    data: JudgmentsLike,
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Cohen's κ for two coders, Davies & Fleiss' κ for more: each coder has a distribution.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``kappa(first, second)``.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If an option is unknown. If the data are counts without `coder_counts`.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    A_e is the mean of Σ P(k|m) P(k|n) over all pairs of coders m and n, weighted by their numbers
    of judgments (Artstein & Poesio 2005, 2.3, 2.4, 5.1). For more than two coders it is also called
    multi-κ. It is not the mean of pairwise κ (Light's). O(judgments + coders · categories).

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.kappa(af.Annotations.from_contingency([[20, 20], [10, 50]])).value, 3)
    0.348
    """
    return _agreement(data, Point.of("kappa", "nominal"), incomplete, undefined, **reading)


@entrance
def alpha(
    data: JudgmentsLike,
    distance: DistanceLike = "nominal",
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Krippendorff's α: chance draws two of all pairable judgments without replacement.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``alpha(first, second, "interval")``.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal",
        "interval" or "quadratic", a K × K matrix, a mapping of pairs, or a function of two labels.
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If the distance is unknown or does not fit the labels.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    D_e = Σ n_j n_l d_jl / (N (N − 1)), where N judgments are pairable and n_j of them have label j.
    An item weighs as much as it has judgments; items with one judgment do not count (Krippendorff
    2011; Artstein & Poesio 2005, 2.5). O(judgments + categories²), less for most distances.

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.alpha([[1, 1], [2, 3], [3, 3], [1, 2]], "interval").value, 4)
    0.7083
    """
    return _agreement(data, Point.of("alpha", distance), incomplete, undefined, **reading)


@entrance
def alpha_prime(
    data: JudgmentsLike,
    distance: DistanceLike = "nominal",
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """α': π with a distance; chance draws two labels with replacement.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``alpha_prime(first, second, "interval")``.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal",
        "interval" or "quadratic", a K × K matrix, a mapping of pairs, or a function of two labels.
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If the distance is unknown or does not fit the labels.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    D_e = Σ P(j) P(l) d_jl (Artstein & Poesio 2005, 2.5). Under the nominal distance it equals π.
    O(judgments + categories²), less for most distances.

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.alpha_prime([[1, 1], [2, 3], [3, 3], [1, 2]], "interval").value, 4)
    0.6667
    """
    return _agreement(data, Point.of("alpha_prime", distance), incomplete, undefined, **reading)


@entrance
def beta(
    data: JudgmentsLike,
    distance: DistanceLike = "nominal",
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """β: κ with a distance, for any number of coders.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``beta(first, second, "interval")``.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal",
        "interval" or "quadratic", a K × K matrix, a mapping of pairs, or a function of two labels.
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If the distance is unknown or does not fit the labels. If the data are counts without
        `coder_counts`.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    D_e is the mean of Σ P(j|m) P(l|n) d_jl over all pairs of coders m and n, weighted by their
    numbers of judgments (Artstein & Poesio 2005, 2.7). Under the nominal distance it equals κ.
    O(judgments + coders · categories²), less for most distances.

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.beta([[1, 1], [2, 3], [3, 3], [1, 2]], "quadratic").value, 4)
    0.6923
    """
    return _agreement(data, Point.of("beta", distance), incomplete, undefined, **reading)


@entrance
def brennan_prediger(
    data: JudgmentsLike,
    distance: DistanceLike = "nominal",
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Brennan & Prediger's weighted S: by chance, all categories are equally likely.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``brennan_prediger(first, second, "interval")``.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal",
        "interval" or "quadratic", a K × K matrix, a mapping of pairs, or a function of two labels.
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If the distance is unknown or does not fit the labels.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    D_e = Σ d_jl / k² over k categories (Brennan & Prediger 1981). Categories that nobody used count
    if they are declared. Under the nominal distance it equals S. O(judgments + categories²).

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.brennan_prediger([[1, 1], [2, 3], [3, 3], [1, 2]], "quadratic").value, 4)
    0.625
    """
    return _agreement(
        data, Point.of("brennan_prediger", distance), incomplete, undefined, **reading
    )


@entrance
def ac(
    data: JudgmentsLike,
    distance: DistanceLike = "nominal",
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Gwet's AC1 and, with a distance, AC2: chance is rarer the more one category prevails.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``ac(first, second, "interval")``.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal",
        "interval" or "quadratic", a K × K matrix, a mapping of pairs, or a function of two labels.
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If the distance is unknown or does not fit the labels.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    A_e = Σ w_jl / (k (k − 1)) · Σ P(k) (1 − P(k)), where w = 1 − d / d_max (Gwet 2008; 2014,
    chapters 3 to 5). O(judgments + categories²).

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = [["no", "no"]] * 17 + [["yes", "no"], ["no", "yes"], ["yes", "yes"]]
    >>> round(af.ac(data).value, 4), round(af.kappa(data).value, 4)
    (0.878, 0.4444)
    >>> round(af.ac([[1, 1], [2, 3], [3, 3], [1, 2]], "linear").value, 4)
    0.4483
    """
    return _agreement(data, Point.of("ac", distance), incomplete, undefined, **reading)


@entrance
def weighted_kappa(
    data: JudgmentsLike,
    distance: DistanceLike | None = None,
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Cohen's weighted κ for two coders, and β for more.

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``weighted_kappa(first, second, "interval")``.
    distance : str, Distance, array, mapping or function
        The weights of disagreements; there is no default. The name of a distance such as "linear",
        "quadratic" or "ordinal", a K × K matrix, a mapping of pairs, or a function of two labels.
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If there is no distance, or it is unknown or does not fit the labels. If the data are counts
        without `coder_counts`. If the weights are asymmetric and there are not exactly two coders.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    For exactly two coders, `distance` may be any non-negative matrix of weights: it may be
    asymmetric, and its diagonal need not be 0. Its rows are the first coder's categories (Cohen
    1968). Under the nominal distance it equals κ. O(judgments + coders · categories²).

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[0, 0, 2], [1, 1, 2], [2, 1, 0]]
    >>> weights = [[0, 1, 3], [2, 0, 1], [4, 2, 0]]
    >>> data = af.Annotations.from_contingency(table)
    >>> round(af.weighted_kappa(data, weights).value, 4)
    -0.5517
    """
    _check_undefined(undefined)
    if distance is None:
        check_distance("weighted_kappa", distances.nominal)
    resolved = distances.resolve(distance)
    row = named("beta")
    point = Point(row.name, CHANCE[row.chance], row.item_weight, resolved)
    if not isinstance(resolved, MatrixDistance) or resolved.symmetric:
        return _agreement(data, point, incomplete, undefined, **reading)
    annotations = as_annotations(data, **reading)
    annotations.known_coders("a chance model of individual coders (κ, β)", marginals=True)
    if annotations.n_coders != 2:
        raise InputError(
            "the matrix is asymmetric or its diagonal is not 0",
            f"such weights need exactly two coders, these annotations have {annotations.n_coders}",
            argument="distance",
        )
    assert annotations.coders is not None
    sums = sums_of(annotations, least_judgments(annotations, incomplete))
    form = resolved.bind(annotations.categories, annotations.declared)
    table = annotations.contingency_table(*annotations.coders).values
    first, second = sums.each().astype(np.float64)
    total = float(table.sum())
    judged = float(first.sum()) * float(second.sum())
    result = Parts(
        sums,
        float((table * form.values).sum()) / total if total else NAN,
        float(form.bilinear(first, second)) / judged if judged else 0.0,
        form.largest,
    )
    return _result(annotations.origin, point, incomplete, undefined, result, None)


# ---------------------------------------------------------------------------- other names

F = TypeVar("F", bound=Callable[..., Any])


def _under(name: str, function: F, summary: str) -> F:
    """Return the same function under another name, with that name in its docstring."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    called.__name__ = called.__qualname__ = name
    called.__module__ = __name__
    ours = function.__name__
    body = inspect.cleandoc(function.__doc__ or "").partition("\n")[2]
    for before in ("af.", "``"):
        body = body.replace(f"{before}{ours}(", f"{before}{name}(")
    called.__doc__ = f"{summary}\n\nThis is `{ours}` under another name.\n{body}\n"
    return called  # type: ignore[return-value]


cohen_kappa = _under("cohen_kappa", kappa, "Cohen's kappa (1960) for two coders or more.")
fleiss_kappa = _under("fleiss_kappa", pi, "Fleiss' kappa (1971) for two coders or more.")
krippendorff_alpha = _under(
    "krippendorff_alpha", alpha, "Krippendorff's alpha (1980, 2011) under any distance."
)


@entrance
def gwet_ac1(
    data: JudgmentsLike,
    *,
    incomplete: Incomplete = "published",
    undefined: Undefined | float = "nan",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Gwet's AC1: AC of categories without a distance (Gwet 2008).

    Parameters
    ----------
    data : Annotations, table of items × coders, data frame, or path of a file
        A row for each item and a column for each coder: lists, an array or a data frame. A data
        frame or a list of dicts may also have one judgment per row; usual names of its columns are
        recognized. Two sequences of labels may replace the table:
        ``gwet_ac1(first, second)``.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    undefined : {"nan", "raise"} or float, default "nan"
        What to do if the coefficient is undefined (D_e = 0, or no item has two judgments): return
        NaN, raise `UndefinedError`, or return this number.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Agreement
        A float with its parts: D_o and D_e, the numbers of items, coders, judgments and
        categories, and the reason if it is undefined.

    Raises
    ------
    ValueError
        If an option is unknown.
    UndefinedError
        If the coefficient is undefined and ``undefined="raise"``.

    Notes
    -----
    A_e = Σ P(k) (1 − P(k)) / (k − 1), where P(k) is the mean of n_ik / n_i over the items (Gwet
    2008). It is `ac` under the nominal distance. O(judgments).

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = [["no", "no"]] * 17 + [["yes", "no"], ["no", "yes"], ["yes", "yes"]]
    >>> round(af.gwet_ac1(data).value, 4)
    0.878
    """
    return agreement(data, "gwet_ac1", incomplete=incomplete, undefined=undefined, **reading)


#: The most bytes of judgments that a result keeps.
MOST_BYTES = 1 << 16


class IntervalLater:
    """The interval of a coefficient, from judgments that are kept until it is computed.

    Parameters
    ----------
    judgments : function
        Returns the judgments, or None if they are gone.
    point, incomplete
        The coefficient, and which items count.
    """

    __slots__ = ("_ends", "_incomplete", "_judgments", "_point")

    def __init__(
        self, judgments: Callable[[], Annotations | None], point: Point, incomplete: Incomplete
    ) -> None:
        self._judgments = judgments
        self._point, self._incomplete = point, incomplete
        self._ends: Ends | None = None

    def ends(self) -> Ends | None:
        """Return the interval and the standard error; NaN if there is none in closed form."""
        if self._ends is None and (annotations := self._judgments()) is not None:
            self._ends = self._computed(annotations)
            self._judgments = _gone
        return self._ends

    def _computed(self, annotations: Annotations) -> Ends:
        from agreement_fast.inference.closed_form import closed_form

        if not self._point.has_slope:
            return NO_ENDS
        result = closed_form(annotations, self._point, self._incomplete)
        if result.score is None:
            return NO_ENDS
        return Ends(*result.score.ends_of_one(CONFIDENCE_LEVEL), result.standard_error)

    def __reduce__(self) -> tuple[type[Known], tuple[Ends | None]]:
        try:
            return Known, (self.ends(),)
        except InputError:  # it needs what was not kept
            return Known, (NO_ENDS,)


class Known(NamedTuple):
    """An interval that is known, or None."""

    known: Ends | None

    def ends(self) -> Ends | None:
        """Return the interval and the standard error."""
        return self.known


def _gone() -> None:
    """Return no judgments."""


def interval_later(
    annotations: Annotations, point: Point, incomplete: Incomplete, *, own: bool
) -> IntervalLater | None:
    """Return the interval of a coefficient; None if its judgments cannot be kept.

    Parameters
    ----------
    own : bool
        Whether the judgments may be in memory of the caller, and are copied.
    """
    known = annotations.memo
    if "judgments" not in known:
        known["judgments"] = annotations.judgments(MOST_BYTES, copy=own)
    judgments = known["judgments"]
    if judgments is not None:
        return IntervalLater(lambda: judgments, point, incomplete)
    return None if own else IntervalLater(weakref.ref(annotations), point, incomplete)
