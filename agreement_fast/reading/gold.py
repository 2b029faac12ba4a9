"""Labels beside the judgments: those of a gold standard, of a coder, or of the majority."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.errors import Argument, InputError, InputTypeError, LabelHint, hint
from agreement_fast.patterns import (
    Rows,
    codes_of_coder,
    narrow,
    take_coders,
    used_labels,
)
from agreement_fast.present.terminal import shorten
from agreement_fast.reading import frames
from agreement_fast.reading import labels as label_values
from agreement_fast.reading.entrance import are_labels
from agreement_fast.reading.recognition.recognise import ReadingOptions, columns_of_gold
from agreement_fast.reading.repeats import joined_key, labels_of_items
from agreement_fast.reading.tables import by_item, name_places, named_columns


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


def with_reference(annotations: Annotations, given: Any) -> tuple[Annotations, Array]:
    """Separate the reference from the annotations; its codes by row are -1 for missing.

    `given`: the name of a coder of the data, who is then removed from it, or labels.
    """
    frames.refuse_grouped(given)
    if not is_name(given):
        return with_labels(annotations, given, "gold")
    coders = annotations.known_coders(f"gold={given!r}")
    if given not in coders:
        raise InputError(
            f"gold {given!r} is not a coder; the coders are {shorten(list(coders))}",
            "pass the name of a coder, one label per item, or a mapping from item to label",
            argument="gold",
        )
    others, codes = set_apart(annotations, [given], None, "gold")
    if not others.declared:
        used = used_labels(others.rows, len(others.labels))
        own, right = (
            [others.labels[code] for code in some.tolist()]
            for some in (np.arange(len(others.labels)) if used is None else used,
                         np.unique(codes[codes >= 0]))
        )  # fmt: skip
        if not set(right) <= set(own):
            _check_alike(own, right, "gold")
    return others, codes[:, 0]


def read_beside(
    data: Any, given: Any, **reading: Unpack[ReadingOptions]
) -> tuple[Annotations, Any]:
    """Read judgments, and the labels that a column of their table holds beside them.

    `given` is returned as labels by item if it names a column without another role, and else as it
    is. The labels of one coder are a table of one column, except for a Series of several levels.
    """
    columns = None
    is_table = frames.is_frame(data) or isinstance(data, Mapping)
    one_level = getattr(frames.index(data), "nlevels", 1) == 1
    labels = given is not None and not is_name(given) and not is_table and are_labels(data)
    if labels and one_level:
        data = data.to_frame() if frames.is_series(data) else {0: data}
    if is_name(given) and not (isinstance(data, Annotations) or frames.is_lazy(data)):
        data = frames.opened(data)
        columns = named_columns(data)
    used: set[Any] = set()
    for role in ("item", "coder", "label", "weights"):
        names: Any = reading.get(role)
        used |= {names} if is_name(names) else {*names}
    if columns is None or given not in columns or given in used:
        return as_annotations(data, **reading), given
    every = {**frames.index_columns(data), **columns}
    column = frames.listed(every.pop(given))
    annotations = as_annotations(every, **reading)
    if annotations.read.layout == "long":
        item: Any = annotations.read.call["item"]
        keys = [every[name] for name in ([item] if is_name(item) else item)]
        of_items = labels_of_items(joined_key(keys), column, given)
        return annotations, dict(zip(annotations.items, of_items, strict=True))
    return annotations, column


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
    values: Any = by_item(
        given, annotations.items, what, by_appearance=annotations.origin.by_appearance
    )
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
            f"{shorten(own)}",
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
    shown = shorten(own)
    # A model may give all items one label although all people gave another.
    if not shared and (what in RIGHT or len(own) + len(given) > 2):
        raise InputError(
            f"no label of {what} is a label of the data: {what} has "
            f"{shorten(given)}, the data have {shown}",
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
            f"{what} has labels that no coder used: {shorten(new)}; if they mean "
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
    judged = np.diff(rows.start) > 0
    out[judged] = rows.codes
    return out


def set_apart(
    annotations: Annotations, apart: Iterable[Any], kept: Iterable[Any] | None, purpose: str
) -> tuple[Annotations, Array]:
    """Take some coders out of the data.

    `apart`, `kept`: the coders who are taken out, and those who stay (None for all others).
    `purpose`: what the coders are needed for, for the error if they are unknown. Returns
    Annotations: the data without them, with the categories of all coders; int (n_rows, M): the
    labels of those taken out, as indices of categories; -1 for missing.
    """
    names = list(annotations.known_coders(purpose))
    out = name_places(names, apart, "coder")
    left = set(out.tolist())
    if kept is None:
        stay = np.array([i for i in range(len(names)) if i not in left], np.int64)
    else:
        stay = name_places(names, kept, "coder")
        both = [names[i] for i in stay.tolist() if i in left]
        if both:
            raise InputError(f"coder {both[0]!r} is named on both sides", "name it on one of them")
    # A label that only other coders used is not a category, unless it was declared.
    some = annotations.select(coders=[names[i] for i in (*stay.tolist(), *out.tolist())])
    rows, n = some.rows, len(stay) + len(out)
    codes = [codes_of_coder(rows, place) for place in range(len(stay), n)]
    others = some.with_rows(
        take_coders(rows, np.arange(len(stay)), n),
        declared=annotations.declared,
        items=annotations.items,
        coders=[names[i] for i in stay.tolist()],
        weights=rows.weights,
        left_out=annotations.left_out,
        texts=annotations.texts,
    )
    table = np.stack(codes, 1) if codes else np.zeros((rows.n_rows, 0), np.int64)
    return others, table.astype(np.int64)


def is_name(given: Any) -> bool:
    """Return whether a reference is given by the name of its coder, not by its labels."""
    labels = isinstance(given, Iterable) or frames.is_frame(given)
    return isinstance(given, (str, bytes)) or not labels
