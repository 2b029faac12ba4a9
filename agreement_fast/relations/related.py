"""The relations that coders drew between units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.reading import frames
from agreement_fast.reading.ids import read_seen
from agreement_fast.tables import Tabular
from agreement_fast.terminal import number_of, show_label

#: The label of relations without a label.
RELATED = "related"

COLUMNS = ("document", "coder", "source", "target", "label")


class Relations(Tabular):
    """Labelled links between units of documents. Make them with `from_rows`.

    Attributes
    ----------
    documents, coders, labels : tuple
        The names of documents, coders and labels.
    units : tuple of (document, unit)
        All units, with or without relations.
    document, coder, source, target, label : int array of shape (n,)
        The parts of each relation, as positions in these names.
    document_of : int array
        The document of each unit.
    seen : bool array of shape (coders, documents)
        Which coder saw which document.
    """

    def __init__(
        self,
        names: Mapping[str, tuple[Any, ...]],
        codes: Mapping[str, Array],
        document_of: Array,
        seen: Array,
    ) -> None:
        self.documents, self.coders = names["documents"], names["coders"]
        self.labels, self.units = names["labels"], names["units"]
        self.document, self.coder = codes["document"], codes["coder"]
        self.source, self.target = codes["source"], codes["target"]
        self.label = codes["label"]
        self.document_of, self.seen = document_of, seen

    @staticmethod
    def from_rows(
        rows: Any,
        *,
        units: Mapping[Any, Iterable[Any]] | None = None,
        alignment: Mapping[Any, Mapping[Any, Any]] | None = None,
        seen: Any = None,
    ) -> Relations:
        """Read relations, one a row.

        Parameters
        ----------
        rows : iterable of (document, coder, source, target, label), or data frame of these
            The relations. A label of None means "related". Columns are found by these names, else
            by their order.
        units : mapping document -> units, optional
            Further units, which no coder related.
        alignment : mapping coder -> mapping unit -> unit, optional
            The name under which a coder's unit is compared, if coders marked the units themselves.
            Units are unit names or (document, unit). Units that are not in the mapping keep their
            names.
        seen : "all", pairs (document, coder), or mapping document -> coders, optional
            Which coders saw a document. By default those who related something in it. "all": all
            coders saw all documents. Pairs or a mapping add coders who saw a document without
            relating anything.

        Returns
        -------
        Relations
            The relations.

        Raises
        ------
        ValueError
            If a row does not have five entries, if a unit is related to itself, if a coder relates
            two units twice in the same direction, or if `alignment` names a coder without
            relations.

        Examples
        --------
        >>> from agreement_fast.relations import Relations
        >>> Relations.from_rows([
        ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "contrast"),
        ... ])
        <2 relations of 2 coders between 2 units in 1 document, labels: cause, contrast>
        """
        read = _rows(rows)
        _check_alignment(alignment, {row[1] for row in read})
        table = [_aligned(row, alignment or {}) for row in read]
        numbers: dict[str, dict[Any, int]] = {
            name: {} for name in ("documents", "coders", "labels", "units")
        }

        def number(kind: str, name: Any) -> int:
            return numbers[kind].setdefault(name, len(numbers[kind]))

        codes = {name: np.zeros(len(table), np.int64) for name in COLUMNS}
        known: dict[tuple[int, int, int], int] = {}
        for i, (document, coder, source, target, label) in enumerate(table):
            if source == target:
                raise InputError(
                    f"relation {i} of coder {show_label(coder)} relates {show_label(source)} to "
                    "itself",
                    "leave it out: a unit without a head is a root",
                    argument="rows",
                )
            ends = number("units", (document, source)), number("units", (document, target))
            own = (number("coders", coder), *ends)
            if own in known:
                other = table[known[own]][4]
                raise InputError(
                    f"coder {show_label(coder)} relates {show_label(source)} to "
                    f"{show_label(target)} twice, as {show_label(other)} and {show_label(label)}",
                    "combine both labels into one",
                    argument="rows",
                )
            known[own] = i
            values = number("documents", document), *own, number("labels", label)
            for name, value in zip(COLUMNS, values, strict=True):
                codes[name][i] = value
        for document, more in _units(units).items():
            number("documents", document)
            for unit in more:
                number("units", (document, unit))
        everybody = isinstance(seen, str) and seen == "all"
        pairs = [] if seen is None or everybody else read_seen(seen, or_all=True)[1]
        for document, coder in pairs:
            number("documents", document)
            number("coders", coder)
        names = {kind: tuple(found) for kind, found in numbers.items()}
        looked = np.full((len(names["coders"]), len(names["documents"])), everybody)
        looked[codes["coder"], codes["document"]] = True
        for document, coder in pairs:
            looked[numbers["coders"][coder], numbers["documents"][document]] = True
        of = np.array([numbers["documents"][document] for document, _ in names["units"]], np.int64)
        return Relations(names, codes, of, looked)

    def __len__(self) -> int:
        return len(self.document)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each relation."""
        return {
            "document": [self.documents[i] for i in self.document.tolist()],
            "coder": [self.coders[i] for i in self.coder.tolist()],
            "source": [self.units[i][1] for i in self.source.tolist()],
            "target": [self.units[i][1] for i in self.target.tolist()],
            "label": [self.labels[i] for i in self.label.tolist()],
        }

    def __repr__(self) -> str:
        labels = ", ".join(show_label(label) for label in self.labels[:8])
        more = ", ..." if len(self.labels) > 8 else ""
        return (
            f"<{number_of(len(self), 'relation')} of {number_of(len(self.coders), 'coder')} "
            f"between {number_of(len(self.units), 'unit')} in "
            f"{number_of(len(self.documents), 'document')}, labels: {labels}{more}>"
        )


def checked(data: Any) -> Relations:
    """Return the data of a function, which must be relations."""
    if not isinstance(data, Relations):
        raise InputTypeError(
            f"expected Relations, got {type(data).__name__}",
            "make them with Relations.from_rows",
            argument="data",
        )
    return data


def _rows(rows: Any) -> list[tuple[Any, ...]]:
    rows = frames.at_hand(rows)
    if frames.is_frame(rows):
        rows = zip(*map(frames.listed, frames.in_roles(rows, COLUMNS, "rows")), strict=True)
    elif isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise InputTypeError.must_be("rows", f"rows of ({', '.join(COLUMNS)}), or a frame", rows)
    found = []
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != 5:
            raise InputError(
                f"relation {i} must be ({', '.join(COLUMNS)}), not {row!r}", argument="rows"
            )
        *ends, label = row
        try:
            hash(tuple(row))
        except TypeError:
            raise InputTypeError(
                f"relation {i} is {tuple(row)!r}: names and labels must be hashable",
                "pass texts, numbers or tuples",
                argument="rows",
            ) from None
        if any(end is None or end != end for end in ends):
            raise InputError(
                f"relation {i} is {tuple(row)!r}: document, coder, source and target are needed",
                argument="rows",
            )
        found.append((*ends, RELATED if label is None or label != label else label))
    return found


def _aligned(row: tuple[Any, ...], alignment: Mapping[Any, Mapping[Any, Any]]) -> tuple[Any, ...]:
    document, coder, source, target, label = row
    names = alignment.get(coder)
    if not names:
        return row
    source, target = (
        names.get((document, unit), names.get(unit, unit)) for unit in (source, target)
    )
    return document, coder, source, target, label


def _check_alignment(alignment: Any, coders: set[Any]) -> None:
    if alignment is None:
        return
    if not isinstance(alignment, Mapping):
        raise InputTypeError.must_be("alignment", "a mapping from coder to names", alignment)
    for coder, names in alignment.items():
        if coder not in coders:
            raise InputError(
                (Argument("alignment"), f" names coder {coder!r}, who has no relations"),
                f"the coders are {', '.join(map(show_label, coders))}",
            )
        if not isinstance(names, Mapping):
            raise InputTypeError(
                (Argument("alignment"), f" has {names!r} for coder {coder!r}"),
                "pass a mapping from units to units",
            )


def _units(units: Any) -> Mapping[Any, Iterable[Any]]:
    if units is None:
        return {}
    if not isinstance(units, Mapping):
        raise InputTypeError.must_be("units", "a mapping from documents to units", units)
    for document, some in units.items():
        if isinstance(some, (str, bytes)) or not isinstance(some, Iterable):
            raise InputTypeError(
                (Argument("units"), f" has {some!r} for document {document!r}"),
                "pass a list of units",
            )
    return units


def heads_of(data: Relations, head: str) -> tuple[Array, Array]:
    """Return each coder's head and label of each unit, by position; -1 for none.

    Returns
    -------
    heads, labels : int64 array of shape (coders, units)
        Positions in the units and labels of the data.
    """
    check_choice("head", head, ("source", "target"))
    checked(data)
    above, below = (data.source, data.target) if head == "source" else (data.target, data.source)
    own = data.coder * max(len(data.units), 1) + below
    order = np.argsort(own, kind="stable")
    twice = np.flatnonzero(own[order][1:] == own[order][:-1])
    if len(twice):
        first, second = order[twice[0]], order[twice[0] + 1]
        document, unit = data.units[below[first]]
        raise InputError(
            f"coder {show_label(data.coders[data.coder[first]])} gives unit {show_label(unit)} of "
            f"{show_label(document)} two heads, {show_label(data.units[above[first]][1])} and "
            f"{show_label(data.units[above[second]][1])}",
            ("a unit of a tree has one: check ", Argument("head")),
            argument="data",
        )
    found, labels = np.full((2, len(data.coders), len(data.units)), -1, np.int64)
    found[data.coder, below] = above
    labels[data.coder, below] = data.label
    return found, labels
