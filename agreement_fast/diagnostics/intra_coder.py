"""Intra-coder agreement: does a coder who judges an item again give the same label?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import student_quantile, wilson
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, read_by
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.options import check_share
from agreement_fast.patterns import Rows, narrow
from agreement_fast.points import Point
from agreement_fast.present.result import Sectioned
from agreement_fast.present.tables import DETAILS, Aligned, ends_of, of_each
from agreement_fast.reading import frames
from agreement_fast.reading.gold import as_column
from agreement_fast.reading.groups import number_groups
from agreement_fast.reading.ids import encode_ids, encode_sorted_ids
from agreement_fast.reading.labels import as_python
from agreement_fast.reading.recognition.order import Doubt, order_of, proposed
from agreement_fast.reading.tables import named_columns


class OfRounds(NamedTuple):
    """The agreement of one coder's rounds, and the numbers of items."""

    #: The agreement, with its standard error and interval.
    agreement: StandardError
    #: The highest number of judgments of an item.
    n_rounds: int
    #: The number of items that were judged at least twice, of those among them with a single label,
    #: and of items that were judged once.
    n_items: int
    n_alike: int
    n_once: int


def turns(items: Array) -> Array:
    """Number the judgments of each item from 0, in the order of the rows."""
    order = np.argsort(items, kind="stable")
    sizes = np.bincount(items)
    begin = np.cumsum(sizes) - sizes
    out = np.empty(len(items), np.int64)
    out[order] = np.arange(len(items)) - begin[items[order]]
    return out


def of_rounds(
    labelled: Annotations, items: Array, rounds: Array, codes: Array, point: Point, level: float
) -> OfRounds:
    """Compute the agreement of one coder's rounds; judgments are sorted by item and round."""
    sizes = np.unique(items, return_counts=True)[1]
    kept = np.repeat(sizes > 1, sizes)
    rounds, codes = rounds[kept], codes[kept]
    start = np.concatenate([[0], np.cumsum(sizes[sizes > 1])]).astype(np.int64)
    rows = Rows(codes.astype(narrow(len(labelled.labels))), 0, start, rounds.astype(np.int32))
    runs = labelled.with_rows(rows, coders=range(int(rounds.max(initial=1)) + 1))
    first = np.repeat(codes[start[:-1]], np.diff(start))
    others = np.bincount(np.repeat(np.arange(rows.n_rows), np.diff(start)), codes != first)
    return OfRounds(
        standard_error(runs, point.name, distance=point.distance, confidence_level=level),
        int(sizes.max(initial=0)),
        rows.n_rows,
        int((others == 0).sum()),
        int((sizes == 1).sum()),
    )


class JudgedRows(NamedTuple):
    """The judgments of a table, row by row; rows without a label are left out."""

    #: Codes of the item and the coder: int arrays of shape (n,).
    item: Array
    #: The names of the items, in the order of their first rows.
    item_names: Any
    coder: Array
    #: The sorted names of the coders.
    coder_names: list[Any]
    #: The labels of all rows, as judgments of one coder with a row for each item.
    labels: Annotations
    #: The category of each judgment, as an index of those of `labels`: int array of shape (n,).
    codes: Array
    #: The row of each judgment in the table: int array of shape (n,).
    row: Array

    def by_item(self, chosen: Array) -> tuple[Annotations, Array]:
        """Return some judgments as annotations, and their indices in the order of these.

        No coder may have judged an item twice. O(n log n).
        """
        order = chosen[np.lexsort((self.coder[chosen], self.item[chosen]))]
        sizes = np.bincount(self.item[order], minlength=len(self.item_names))
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        labels = self.labels
        codes = self.codes[order].astype(narrow(len(labels.labels)))
        rows = Rows(codes, 0, start, self.coder[order].astype(np.int32))
        return labels.with_rows(rows, items=self.item_names, coders=self.coder_names), order


def _at_hand(data: Any) -> Any:
    """Return a frame in memory, or the columns of a mapping or records."""
    if frames.is_lazy(data) or frames.is_frame(data):
        return frames.at_hand(data)
    columns = named_columns(data)
    if columns is None:
        raise InputTypeError.must_be(
            "data", "a table with one judgment per row", type(data).__name__
        )
    return frames.NamedColumns(columns)


def judged_rows(data: Any, purpose: str, **reading: Unpack[ReadingOptions]) -> JudgedRows:
    """Read the judgments of a data frame. O(n)."""
    named, options, weights = read_by(**reading)
    other = None if named.layout == "long" else named.layout
    repeated = None if options.duplicates == "error" else options.duplicates
    for argument, value in {"layout": other, "weights": weights, "duplicates": repeated}.items():
        if value is not None:
            raise InputError(
                (Argument(argument, value), f" is not for {purpose}, for each row is a judgment"),
                ("leave out ", Argument(argument)),
            )
    data = _at_hand(data)
    roles = frames.judgment_roles(data, item=named.item, coder=named.coder, label=named.label)
    items, coders, labelled = frames.pick(data, **roles)
    what, item_names = encode_ids(items, "item")
    who, coder_names = encode_sorted_ids(coders, "coder")
    labels = Annotations.from_long(
        np.arange(len(what)),
        np.zeros(len(what), np.int64),
        labelled,
        missing=options.missing,
        categories=options.categories,
    )
    codes = as_column(labels.rows)
    row = np.flatnonzero(codes >= 0)
    return JudgedRows(what[row], item_names, who[row], coder_names, labels, codes[row], row)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IntraCoderAgreement(Aligned, Sectioned):
    """The agreement of each coder with themselves; arrays have shape (C,).

    Attributes
    ----------
    coefficient, distance : str
        The names of the coefficient and the distance.
    coders : tuple
        The names of the coders.
    value, low, high : float64
        The coefficient of the rounds of a coder and the ends of its interval; NaN if undefined.
    same, same_low, same_high : float64
        The share of items that got the same label in all rounds, and Wilson's interval.
    n_rounds, n_items, n_once : int64
        The highest number of judgments of an item; the number of items judged at least twice; and
        the number of items judged once, which are left out.
    mean, mean_low, mean_high : float
        The mean over the coders who have a value, and a t interval that treats the coders as the
        sample, cut at -1 and 1.
    between : StandardError or None
        The agreement between coders, from the first judgment of each item by each coder; None if
        there is only one coder.
    confidence_level : float
        The level of the intervals.
    undefined : tuple of C str or None
        Why there is no value.
    """

    _caption = (
        "{coefficient}({distance}) of {coders:coder} with themselves: mean {mean:.4f}"
        "[, {confidence_level:g%} interval {mean_low:.4f} to {mean_high:.4f}]"
        "[; between coders {between:.4f}]"
    )
    _title = "Repeated judgments"
    _meaning = (
        "{coefficient} ({distance}) of the judgments of an item by the same coder or model, and the"
        " share of items on which all of them are equal (alike); the others are flips."
    )
    _table = (
        " = coder | {coefficient} = value | low..high | alike = same | same_low..high |"
        " times = n_rounds | items = n_items"
    )
    _ordered_by = "value"
    _what = "coder"
    _remarks = ""
    _below = "_why"

    @property
    def _why(self) -> list[str]:
        return [f"Undefined: {reason}." for reason in filter(None, self.undefined)]

    aside = DETAILS | {"n_rounds", "n_once"}

    coefficient: str
    distance: str
    coders: tuple[Any, ...]
    value: FloatArray
    low: FloatArray
    high: FloatArray
    same: FloatArray
    same_low: FloatArray
    same_high: FloatArray
    n_rounds: Array
    n_items: Array
    n_once: Array
    mean: float
    mean_low: float
    mean_high: float
    between: StandardError | None
    confidence_level: float
    undefined: tuple[str | None, ...]

    _column_names = (
        "coder=coders coefficient distance value low high same same_low same_high "
        "confidence_level n_rounds n_items n_once undefined"
    )


def intra_coder_agreement(
    data: JudgmentsLike,
    *,
    round: str | None = None,
    coefficient: str = "alpha",
    distance: DistanceLike = "nominal",
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> IntraCoderAgreement:
    """Compute the agreement of each coder with their own repeated judgments.

    Parameters
    ----------
    data : data frame, or mapping of columns
        A table with one judgment per row, of people or of the runs of models.
    round : str, optional
        The column of the round or session: numbers, dates, counters such as "run 2", or an ordered
        categorical column. It is an error if a coder judged an item twice in a round. By default,
        the rounds of an item and coder follow the order of the rows.
    coefficient : str, default "alpha"
        The name of the coefficient. The rounds take the place of coders: a coefficient with a
        distribution for each coder, such as "kappa", has one for each round.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. See
        `agreement_fast.distances`.
    confidence_level : float, default 0.95
        The level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `missing` and `categories`; see `agreement`.
        A row is a judgment, which counts once, so there are no `weights` and `duplicates`.

    Returns
    -------
    IntraCoderAgreement
        Arrays with an entry for each coder, in the order of their names.

    Raises
    ------
    ValueError
        If a column does not exist, a coder judged an item twice in a round, no coder judged an item
        twice, or rounds of several coders are named by words, which have no order.

    Notes
    -----
    The intervals are those of `inference.standard_error` on Fisher's scale. The agreement between
    coders uses the first judgment of each item by each coder. Agreement between coders can be
    expected to be at most as high as that of coders with themselves. O(n log n).

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement_fast import diagnostics
    >>> frame = pd.DataFrame({
    ...     "item": [1, 2, 3, 4] * 4,
    ...     "coder": ["Ann"] * 8 + ["Bea"] * 8,
    ...     "round": ([1] * 4 + [2] * 4) * 2,
    ...     "label": list("xyxy" "xyxy" "xyxx" "xxyx"),
    ... })
    >>> result = diagnostics.intra_coder_agreement(frame, round="round")
    >>> result.value.round(3).tolist(), result.same.tolist()
    ([1.0, -0.167], [1.0, 0.5])
    >>> round(result.between.value, 3)
    0.533
    """
    check_share("confidence_level", confidence_level)
    point = Point.of(coefficient, distance)
    labelled = judged_rows(data, "repeated judgments", **reading)
    rounds, names = turns(labelled.item * len(labelled.coder_names) + labelled.coder), None
    if round is not None:
        (column,) = frames.pick(_at_hand(data), round=round)
        numbered = number_groups((round,), [column])
        names = [name for (name,) in numbered.names]
        if len(labelled.coder_names) > 1 and not numbered.ordered:
            _need_order(round, names)
        rounds = numbered.codes[labelled.row]
    order = np.lexsort((rounds, labelled.item, labelled.coder))
    who, what, when = labelled.coder[order], labelled.item[order], rounds[order]
    again = (np.diff(who) == 0) & (np.diff(what) == 0)
    twice = np.flatnonzero(again & (np.diff(when) == 0))
    if names is not None and len(twice):
        place = int(twice[0])
        raise InputError(
            f"coder {labelled.coder_names[who[place]]!r} judged item "
            f"{as_python(labelled.item_names[what[place]])!r} twice in {round} "
            f"{names[when[place]]!r}",
            "leave one of them out, or do not pass round",
            argument="round",
        )
    if not again.any():
        raise InputError(
            "no coder judged an item twice, so nobody can be compared with themselves",
            "pass a table of all rounds with one judgment per row",
            argument="data",
        )
    begin = np.searchsorted(who, np.arange(len(labelled.coder_names) + 1))
    codes = labelled.codes[order]
    by_coder = [
        of_rounds(labelled.labels, what[a:b], when[a:b], codes[a:b], point, confidence_level)
        for a, b in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True)
    ]
    counts = of_each(by_coder, "n_rounds n_items n_alike n_once").values()
    n_rounds, n_items, alike, n_once = np.array([*counts], np.int64)
    agreements = [rounds.agreement for rounds in by_coder]
    columns = of_each(agreements, "value low high").items()
    values: dict[str, Any] = {name: np.array(column) for name, column in columns}
    own = values["value"]
    mean, *ends = _mean(own[~np.isnan(own)], confidence_level)
    between = None
    if len(labelled.coder_names) > 1:  # the first judgments of the coders
        data, _ = labelled.by_item(order[np.append(True, ~again)])
        between = standard_error(
            data, point.name, distance=point.distance, confidence_level=confidence_level
        )
    return IntraCoderAgreement(
        coefficient=point.name,
        distance=point.distance.name,
        coders=tuple(labelled.coder_names),
        n_rounds=n_rounds,
        mean=mean,
        **ends_of("mean", ends),
        between=between,
        **values,
        same=ratio(alike, n_items),
        **ends_of("same", wilson(alike, n_items, confidence_level)),
        n_items=n_items,
        n_once=n_once,
        confidence_level=confidence_level,
        undefined=tuple(agreement.undefined for agreement in agreements),
    )


def _need_order(column: str, rounds: list[Any]) -> None:
    """Refuse rounds without an order, for the first one shows the agreement between coders."""
    result = order_of(rounds)
    if isinstance(result, Doubt):
        numbers = {name: number for number, name in enumerate(proposed(rounds), 1)}
        name = f"frame[{column!r}]"
        number = f"number the rounds, as in {name} = {name}.map({numbers})"
        raise InputError(
            (
                Argument("round", column),
                f" has rounds without an order: {result.problem}, and the agreement between coders "
                "is that of their first judgments",
            ),
            number if result.remedy is None else f"{result.remedy}, or {number}",
        )


def _mean(values: FloatArray, confidence_level: float) -> tuple[float, float, float]:
    """Return the mean and its interval, with the coders as the sample."""
    n = len(values)
    if not n:
        return math.nan, math.nan, math.nan
    mean = float(values.mean())
    if n < 2 or not np.ptp(values):
        return mean, math.nan, math.nan
    t = student_quantile(n - 1, (1 + confidence_level) / 2)
    reach = t * float(values.std(ddof=1)) / math.sqrt(n)
    return mean, max(mean - reach, -1.0), min(mean + reach, 1.0)
