"""Does a judge of two answers prefer the one that it is shown first?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import share_interval
from agreement_fast.errors import InputError
from agreement_fast.options import Column, Label, check_share
from agreement_fast.present.result import Sectioned
from agreement_fast.present.tables import Aligned, ends_of
from agreement_fast.present.terminal import counted
from agreement_fast.reading.ids import encode_ids, encode_sorted_ids
from agreement_fast.reading.labels import as_python, in_python
from agreement_fast.reading.tables import column_length, judgment_column

#: What stands for a tie by default.
TIES = ("tie",)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PositionBias(Aligned, Sectioned):
    """How far the order of two answers decides the verdicts of each of M judges.

    Attributes
    ----------
    judges : tuple
        Names of the judges.
    n_items : int64 array of shape (M,)
        Items that were judged in both orders.
    n_one_order : int64 array of shape (M,)
        Items that were judged in one order only, and are left out.
    same, same_low, same_high : float64 array of shape (M,)
        The share of items with the same winner, or a tie, in both orders, and Wilson's interval.
    first, second : int64 array of shape (M,)
        Items on which the answer in the first place won in both orders, and in the second place.
    bias, low, high : float64 array of shape (M,)
        The mean over items and orders of 1 if the first answer won, −1 if the second did and 0 for
        a tie, with its interval: 0 is no preference, 1 is always the first answer.
    p_value : float64 array of shape (M,)
        Of the two-sided sign test that both places are preferred as often.
    confidence_level : float
        Confidence level of the intervals.
    """

    _caption = "position bias of {judges:judge}: {bias:span}"
    _title = "Who prefers a place"
    _meaning = (
        "How much more often the answer that is shown first wins, of items that a judge saw in both"
        " orders: 0 is no preference, 1 always the first answer and -1 always the second. Same: how"
        " often both orders have the same winner."
    )
    _table = (
        "judge | bias:+ | low..high:+ | p = p_value:.4f | same | same_low..high | items = n_items"
    )
    _ordered_by = "|bias|"
    _what = "judge"
    _below = "_left_out"

    @property
    def _left_out(self) -> str | None:
        n = int(self.n_one_order.sum())
        return f"Left out: {counted(n, 'item')} that a judge saw in one order only." if n else None

    judges: tuple[Any, ...]
    n_items: Array
    n_one_order: Array
    same: FloatArray
    same_low: FloatArray
    same_high: FloatArray
    first: Array
    second: Array
    bias: FloatArray
    low: FloatArray
    high: FloatArray
    p_value: FloatArray
    confidence_level: float

    _column_names = (
        "judge=judges bias low high p_value same same_low same_high first second n_items "
        "n_one_order confidence_level"
    )


def position_bias(
    items: Column,
    judges: Column,
    first: Column,
    winner: Column,
    *,
    ties: Iterable[Label] = TIES,
    confidence_level: float = 0.95,
) -> PositionBias:
    """Test whether judges prefer an answer for its place, from verdicts in both orders.

    Parameters
    ----------
    items, judges : array-like of shape (n,)
        One verdict per row: the item, which has two answers, and the judge.
    first, winner : array-like of shape (n,)
        The answer that was shown first, and the one that won. Rows without a winner are ignored.
    ties : iterable, default ("tie",)
        What `winner` holds where neither answer won.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    PositionBias
        One row per judge, sorted by name.

    Raises
    ------
    ValueError
        If the columns have different lengths, if an item has more than two answers, or if a judge
        judged an item in one order twice.

    Notes
    -----
    Items that a judge saw in one order only are left out, because a preference for a place and a
    better answer look the same there. With the score s of an item, the mean of its two orders from
    −1 to 1, the interval of the bias is the score interval of a mean of the shares (1 + s)/2. The
    test takes the items with s ≠ 0, which lean to one place: without a preference, both places are
    equally likely. An answer that is much better than the other wins in both orders,
    and hides a preference: the bias is that of these items. O(n log n).

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> result = diagnostics.position_bias(
    ...     items=[1, 1, 2, 2, 3, 3, 4, 4],
    ...     judges=["gpt"] * 8,
    ...     first=["a", "b"] * 4,
    ...     winner=["a", "b", "a", "a", "a", "b", "tie", "b"],
    ... )
    >>> result.bias.tolist(), result.same.tolist(), result.p_value.round(4).tolist()
    ([0.625], [0.25], [0.25])
    """
    check_share("confidence_level", confidence_level)
    columns = {"items": items, "judges": judges, "first": first, "winner": winner}
    columns = {name: judgment_column(column, name) for name, column in columns.items()}
    lengths = {name: column_length(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"columns must have the same length, got: {shown}")
    what, item_names = encode_ids(columns["items"], "items")
    who, names = encode_sorted_ids(columns["judges"], "judges")
    opened, answers = encode_ids(columns["first"], "first")
    known = {name: i for i, name in enumerate(in_python(answers))}
    # 1, -1 or 0: whether the first answer won. An item has at most two, shown first or winning
    scores, used = np.zeros(len(what)), np.ones(len(what), bool)
    neither = set(ties)
    of_item: dict[int, set[Any]] = {}
    for row, (item, place, won) in enumerate(
        zip(what.tolist(), opened.tolist(), map(as_python, columns["winner"]), strict=True)
    ):
        several = of_item.setdefault(item, set())
        several.add(place)
        if won is None or won != won:
            used[row] = False
        elif won not in neither:
            several.add(known.get(won, won))
            scores[row] = 1 if known.get(won) == place else -1
        if len(several) > 2:
            raise InputError(
                f"item {item_names[item]!r} has more than two answers; {won!r} is one",
                "if it means that neither won, name it in ties",
                argument="winner",
            )
    result = []
    for judge, name in enumerate(names):
        own = np.flatnonzero((who == judge) & used)
        own = own[np.lexsort((opened[own], what[own]))]
        new = np.diff(what[own], prepend=-1) != 0
        again = np.flatnonzero(~new & (np.diff(opened[own], prepend=-1) == 0))
        if len(again):
            place = own[again[0]]
            raise InputError(
                f"judge {name!r} judged item {item_names[what[place]]!r} twice with "
                f"{answers[opened[place]]!r} first",
                "pass one run at a time",
                argument="items",
            )
        second = np.flatnonzero(~new)
        pairs = np.stack([scores[own[second - 1]], scores[own[second]]], 1)
        n_one_order = int(new.sum()) - len(pairs)
        result.append({**_of_judge(pairs, confidence_level), "n_one_order": n_one_order})
    return PositionBias(
        judges=tuple(map(as_python, names)),
        confidence_level=confidence_level,
        **{name: np.array([row[name] for row in result], kind) for name, kind in KINDS.items()},
    )


#: What is computed of each judge.
KINDS: dict[str, type] = {
    **dict.fromkeys(("n_items", "n_one_order", "first", "second"), np.int64),
    **dict.fromkeys(
        ("same", "same_low", "same_high", "bias", "low", "high", "p_value"), np.float64
    ),
}


def _of_judge(pairs: FloatArray, confidence_level: float) -> dict[str, float]:
    """Return what the scores of both orders of a judge's items say; NaN without items."""
    n, lean = len(pairs), pairs.mean(1)
    result = {
        **dict.fromkeys(KINDS, math.nan),
        "n_items": n,
        "first": int((lean == 1).sum()),
        "second": int((lean == -1).sum()),
    }
    if n:
        same = float((lean == 0).mean())
        result["same"] = same
        ends = share_interval(same, 0.0, n, confidence_level, "wilson")
        result |= ends_of("same", map(float, ends))
        shares = (1 + lean) / 2
        squares = float(((shares - shares.mean()) ** 2).sum())
        ends = share_interval(float(shares.mean()), squares, n, confidence_level, "score")
        result["bias"] = float(lean.mean())
        result |= ends_of("", (2 * float(end) - 1 for end in ends))
        result["p_value"] = sign_test(int((lean > 0).sum()), int((lean < 0).sum()))
    return result


def sign_test(more: int, less: int) -> float:
    """Return the exact two-sided p-value that both outcomes are as likely; 1 if there are none.

    Examples
    --------
    >>> sign_test(5, 0), sign_test(2, 2)
    (0.0625, 1.0)
    """
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(more, less), more + less, 0.5)))
