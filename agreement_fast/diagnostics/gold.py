"""The agreement of each coder with a gold standard, or with the majority of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.diagnostics.cell_errors import intervals_of, why_none
from agreement_fast.diagnostics.cells import (
    bound,
    cells_of,
    check_keys,
    is_name,
    set_apart,
    tables_of,
    values_of,
)
from agreement_fast.errors import Argument, InputError, InputTypeError, LabelHint, hint
from agreement_fast.normal import share_interval
from agreement_fast.options import check_share
from agreement_fast.patterns import Rows, as_lists, narrow, used_labels
from agreement_fast.points import Point
from agreement_fast.present.tables import DETAILS, Aligned, in_columns
from agreement_fast.reading import frames
from agreement_fast.reading import labels as label_values
from agreement_fast.reading.tables import by_item
from agreement_fast.recognition.recognise import ColumnNames, columns_of_gold
from agreement_fast.results import NO_PAIRS, NO_VARIATION

#: Coders that are printed.
SHOWN = 20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AgainstGold(Aligned):
    """The agreement of each coder with a reference; arrays have shape (C,).

    Attributes
    ----------
    coefficient, distance : str
        The names of the coefficient and the distance.
    reference : str
        "gold" or "majority of the others".
    coders : tuple
        The names of the coders.
    n_items : int64
        Items that the coder judged and that have a reference, including weights.
    n_without : int64
        Items that the coder judged and that have no reference: no gold label, no other judgment, or
        a tie of the others. They are left out.
    observed_agreement : float64
        The share of `n_items` for which the coder's label equals the reference (accuracy).
    observed_low, observed_high : float64
        Wilson's interval of the observed agreement, with the items as the sample.
    observed_disagreement, expected_disagreement, value : float64
        D_o, D_e and 1 − D_o / D_e of the coder and the reference; NaN if undefined.
    standard_error, low, high : float64
        The standard error of `value`, and the ends of its interval. The reference is treated as
        fixed, even if it is the majority of the others.
    confidence_level : float
        The level of the intervals.
    undefined : tuple of C str or None
        Why there is no value.
    note : tuple of C str or None
        Why a value has no interval.
    """

    aside = DETAILS | {"observed_disagreement", "expected_disagreement"}

    coefficient: str
    distance: str
    reference: str
    coders: tuple[Any, ...]
    n_items: Array
    n_without: Array
    observed_agreement: FloatArray
    observed_low: FloatArray
    observed_high: FloatArray
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    value: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    confidence_level: float
    undefined: tuple[str | None, ...]
    note: tuple[str | None, ...]

    _column_names = (
        "coder=coders coefficient distance value standard_error low high observed_agreement "
        "observed_low observed_high confidence_level observed_disagreement "
        "expected_disagreement n_items n_without undefined note"
    )

    def __repr__(self) -> str:
        known = self.value[~np.isnan(self.value)]
        low, high = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
        return (
            f"<{self.coefficient}({self.distance}) of {len(self)} coders against the "
            f"{self.reference}: {low:.6g} to {high:.6g}>"
        )

    def __str__(self) -> str:
        """Return a table; first the coder who agrees least."""
        order = np.argsort(self.value, kind="stable")[:SHOWN].tolist()
        layout = (
            f"coder | {self.coefficient} = value | low | high | agreement = observed_agreement | "
            "low = observed_low | high = observed_high | items = n_items | without = n_without"
        )
        return "\n".join([repr(self)[1:-1], *in_columns(self.columns(), layout, order)])


def against_gold(
    data: Any,
    gold: Any = None,
    coefficient: str = "kappa",
    *,
    distance: Any = "nominal",
    confidence_level: float = 0.95,
    **columns: Unpack[ColumnNames],
) -> AgainstGold:
    """Compute the agreement of each coder with a gold standard, or with the majority of the others.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known. A model can be one of the coders; to compare it
        with people, see `model_agreement`.
    gold : coder, mapping item -> label, data frame, or sequence of shape (n_rows,), optional
        The right labels (None if missing), or the name of a coder who has them and is then not
        compared. The index of a pandas Series names the items; a data frame has columns of items
        and labels, or an index and one column. By default, each coder is compared with the most
        frequent label of the others; items on which the others tie are left out.
    coefficient : str, default "kappa"
        The name of the coefficient of the coder and the reference.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. Ordinal ranks
        are those of all coders' judgments.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.

    **columns
        `item`, `coder`, `label` and `layout` of a table; see `agreement`.

    Returns
    -------
    AgainstGold
        Arrays with an entry for each coder; ``print(result)`` shows a table.

    Raises
    ------
    ValueError
        If the coders are unknown; or if `gold` has unknown items, an unknown coder, the wrong
        shape, no label that the data have, or labels outside the declared categories.

    Notes
    -----
    Gold labels that no coder used are categories, too. The interval of a coefficient is Wilson's
    interval of the observed agreement, mapped, with the variance of the coefficient. O(n log n) for
    n judgments.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.diagnostics import against_gold
    >>> table = [["x", "x", "x"], ["y", "y", "x"], ["x", "y", "x"], ["y", "y", "y"]]
    >>> data = af.Annotations.from_wide(table, coders=["Ann", "Bea", "Cid"])
    >>> against_gold(data, ["x", "y", "x", "y"]).value.tolist()
    [1.0, 0.5, 0.5]
    >>> found = against_gold(data)
    >>> found.n_items.tolist(), found.n_without.tolist()
    ([2, 3, 3], [2, 1, 1])
    """
    annotations = as_annotations(data, **columns)
    point = Point.of(coefficient, distance)
    check_share("confidence_level", confidence_level)
    if gold is None:
        lists = as_lists(annotations.grouped())
        right = others_majority(lists, len(annotations.labels))
    else:
        annotations, reference = with_reference(annotations, gold, "gold")
        lists = as_lists(annotations.rows)
        right = np.repeat(reference, np.diff(lists.start))
    coders = tuple(annotations.known_coders("against_gold()"))
    K = len(annotations.labels)
    check_keys(len(coders), K, f"{len(coders)} coders")
    weights = np.ones(lists.n_rows, np.int64) if lists.weights is None else lists.weights
    each = np.repeat(weights, np.diff(lists.start))
    who = cast(Array, lists.coders)
    known = (right >= 0) & (each > 0)
    n_without = np.zeros(len(coders), np.int64)
    np.add.at(n_without, who[right < 0], each[right < 0])
    group, cells = tables_of(
        cells_of(who[known], lists.codes[known], right[known], each[known], K), K
    )
    form = bound(annotations, point.distance)
    values = values_of(cells, point.chance, form, K)
    same = cells.sums(np.where(cells.first == cells.second, cells.counts, 0)) / cells.n_items
    parts = (
        *values,
        *intervals_of(cells, point, form, K, values, confidence_level),
        same,
        *share_interval(same, 0.0, cells.n_items, confidence_level, "wilson"),
    )
    n_items = np.zeros(len(coders), np.int64)
    n_items[group] = cells.n_items
    by_part = np.full((len(parts), len(coders)), np.nan)
    for out, part in zip(by_part, parts, strict=True):
        out[group] = part
    names = (
        "observed_disagreement expected_disagreement value standard_error low high "
        "observed_agreement observed_low observed_high"
    )
    parts_of = dict(zip(names.split(), by_part, strict=True))
    value, low = parts_of["value"], parts_of["low"]
    return AgainstGold(
        coefficient=point.name,
        distance=point.distance.name,
        reference="majority of the others" if gold is None else "gold",
        coders=coders,
        n_items=n_items,
        n_without=n_without,
        **parts_of,
        confidence_level=confidence_level,
        undefined=tuple(
            NO_PAIRS if not n else NO_VARIATION if np.isnan(v) else None
            for n, v in zip(n_items.tolist(), value.tolist(), strict=True)
        ),
        note=tuple(
            why_none(value[c], low[c], int(n_items[c]), point.has_slope) for c in range(len(coders))
        ),
    )


def others_majority(lists: Rows, n_categories: int) -> Array:
    """Return, for each judgment, the majority category of the others of its row; -1 for a tie.

    Without a judgment, only its own category loses a vote. So the two highest counts of a row
    determine the majority of the others for all of its judgments.
    """
    sizes = np.diff(lists.start)
    row = np.repeat(np.arange(len(sizes)), sizes)
    keys = row * n_categories + lists.codes
    result, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    its_row, label = result // max(n_categories, 1), result % max(n_categories, 1)
    highest, second = (np.zeros(len(sizes), np.int64) for _ in range(2))
    np.maximum.at(highest, its_row, counts)
    top = counts == highest[its_row]
    np.maximum.at(second, its_row[~top], counts[~top])
    n_top, sum_top = (np.zeros(len(sizes), np.int64) for _ in range(2))
    np.add.at(n_top, its_row[top], 1)
    np.add.at(sum_top, its_row[top], label[top])
    own = lists.codes.astype(np.int64)
    is_top = counts[place] == highest[row]
    first, two = n_top[row] == 1, n_top[row] == 2
    out = np.full(len(own), -1, np.int64)
    np.copyto(out, sum_top[row], where=~is_top & first)
    np.copyto(out, sum_top[row] - own, where=is_top & two)  # the other one of the two
    np.copyto(out, own, where=is_top & first & (highest[row] - 1 > second[row]))
    return out


def with_reference(annotations: Annotations, given: Any, what: str) -> tuple[Annotations, Array]:
    """Separate the reference from the annotations; its codes by row are -1 for missing.

    `given`: the name of a coder of the data, who is then removed from it, or labels. `what`: the
    name of the argument, for errors.
    """
    frames.refuse_grouped(given)
    if not is_name(given):
        return with_labels(annotations, given, what)
    coders = annotations.known_coders(f"{what}={given!r}")
    if given not in coders:
        raise InputError(
            f"{what} {given!r} is not a coder; the coders are {label_values.shorten(list(coders))}",
            "pass the name of a coder, one label per item, or a mapping from item to label",
            argument=what,
        )
    others, codes = set_apart(annotations, [given], None, what)
    if not others.declared:
        used = used_labels(others.rows, len(others.labels))
        own, right = (
            [others.labels[code] for code in some.tolist()]
            for some in (np.arange(len(others.labels)) if used is None else used,
                         np.unique(codes[codes >= 0]))
        )  # fmt: skip
        if not set(right) <= set(own):
            _check_alike(own, right, what)
    return others, codes[:, 0]


def with_labels(annotations: Annotations, given: Any, what: str) -> tuple[Annotations, Array]:
    """Add the labels of a reference to the categories, and return its codes by row.

    Labels are given by item (a mapping, a Series with an index, a data frame of items and labels)
    or in the order of the items. The code -1 stands for a missing label. Right labels are refused
    if none is a category.
    """
    frames.refuse_grouped(given)
    if frames.is_frame(given):
        given = _of_frame(given, annotations.items, what)
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputTypeError(
            f"{what} must be one label per item, or a mapping from item to label, got {given!r}",
            argument=what,
        )
    values: Any = by_item(given, annotations.items, what)
    values = values if hasattr(values, "__len__") else list(values)
    if getattr(values, "ndim", 1) != 1:
        raise InputError(
            f"{what} must be one-dimensional, one label per item, got shape {tuple(values.shape)}",
            argument=what,
        )
    if len(values) != annotations.n_rows:
        raise InputError(
            f"{what} has {len(values)} labels for {annotations.n_rows} items",
            "pass one label per item (None if missing), or a mapping from item to label",
            argument=what,
        )
    column = values[:, None] if isinstance(values, np.ndarray) else [[label] for label in values]
    if not len(column):
        return annotations, np.zeros(0, np.int64)
    labels = Annotations.from_wide(column, coders=[what])
    own = list(annotations.categories)
    new = [label for label in labels.categories if label not in set(own)]
    if new:
        _check_alike(own, list(labels.categories), what)
    if new and annotations.declared:
        raise InputError(
            f"{what} has the label {new[0]!r}, which is not one of the declared categories "
            f"{label_values.shorten(own)}",
            argument=what,
        )
    distinct = own + new
    if not annotations.declared:
        distinct = [distinct[i] for i in label_values.arrange(distinct)]
    code = {label: i for i, label in enumerate(distinct)}
    codes = np.array([code[label] for label in labels.categories] + [-1])
    column_codes = as_column(labels.rows)
    reference = codes[column_codes]
    if not new:
        return annotations, reference
    old = annotations.rows
    renamed = np.array([code[label] for label in own] + [-1]).astype(narrow(len(distinct)))
    rows = Rows(renamed[old.codes], old.width, old.start, old.coders, old.repeats, old.weights)
    extended = annotations.with_rows(
        rows,
        categories=tuple(distinct),
        items=annotations.items,
        weights=annotations.weights,
        missing=annotations.missing_judgments,
        left_out=annotations.left_out,
    )
    return extended, reference


def _of_frame(given: Any, items: Sequence[Any], what: str) -> Any:
    """Return labels in a data frame by item: as a mapping, or as a Series if it has one column."""
    frame = frames.at_hand(given)
    own = frames.columns(frame)
    columns = {**frames.index_columns(frame), **own}
    if len(own) == 1 and len(columns) == 1:
        return frame.iloc[:, 0] if hasattr(frame, "iloc") else frames.listed(*own.values())
    item, label = columns_of_gold(list(columns), list(own))
    if item is None or label is None:
        raise InputError(
            (
                Argument(what),
                f" has the columns {', '.join(map(repr, columns))}, and which of them hold the "
                "items and the labels is unclear",
            ),
            "call them item and label, or pass a mapping from item to label",
        )
    out: dict[Any, Any] = {}
    pairs = (
        [label_values.as_python(value) for value in frames.listed(column)]
        for column in (columns[item], columns[label])
    )
    for name, value in zip(*pairs, strict=True):
        before = out.get(name)
        if before is None or before != before:
            out[name] = value
        elif not (value is None or value != value or value == before):
            raise InputError(
                (Argument(what), f" has two labels of item {name!r}: {before!r} and {value!r}"),
                "keep one label of each item",
            )
    return out


#: Arguments that hold right labels; some of a model may be labels that no coder used.
RIGHT = ("gold", "truth", "reference")


def _check_alike(own: list[Any], given: list[Any], what: str) -> None:
    """Refuse labels if none is a category, and warn of those that are none."""
    if not (own and given):
        return
    if all(_is_number(label) for label in (*own, *given)):
        # Measurements need not meet, nor whole numbers between each other.
        apart = max(own) < min(given) or max(given) < min(own)
        if not (apart and all(float(label).is_integer() for label in (*own, *given))):
            return
        shared = False
    elif all(isinstance(label, frozenset) for label in (*own, *given)):
        known: set[Any] = set().union(*own)
        shared = not known.isdisjoint(frozenset().union(*given))
    else:
        known = set(own)
        shared = not known.isdisjoint(given)
    shown = label_values.shorten(own)
    # A model may give all items one label although all people gave another.
    if not shared and (what in RIGHT or len(own) + len(given) > 2):
        raise InputError(
            f"no label of {what} is a label of the data: {what} has "
            f"{label_values.shorten(given)}, the data have {shown}",
            (
                "write them alike, with the same letters and of the same type; if they are right, "
                "declare all of them by ",
                Argument("categories"),
            ),
            argument=what,
        )
    new = [label for label in given if label not in own]
    if what in RIGHT and not isinstance(given[0], frozenset):
        hint(
            f"{what} has labels that no coder used: {label_values.shorten(new)}; if they mean "
            f"others, write them like those of the data ({shown}); if not, declare all of them by "
            "categories=",
            LabelHint,
        )


def _is_number(label: Any) -> bool:
    return isinstance(label, int | float) and not isinstance(label, bool)


def as_column(rows: Rows) -> Array:
    """Return the single code of each row, -1 for missing."""
    if rows.width:
        return rows.table()[:, 0]
    out = np.full(rows.n_rows, -1, np.int64)
    there = np.diff(rows.start) > 0
    out[there] = rows.codes
    return out
