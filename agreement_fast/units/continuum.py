"""What coders marked on continua: units with a start, an end and a category.

A continuum is a document, a recording, or anything else with a length. A unit is a half-open
interval [start, end) that one coder marked with one category. The parts that a coder did not mark
are gaps. Positions are whole numbers (characters, tokens, milliseconds), because the coefficients
count the places where a unit could be.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, total
from agreement_fast.annotations import Frame
from agreement_fast.errors import (
    Argument,
    InputError,
    InputTypeError,
    Phrase,
    ReadHint,
    Sentence,
    UnknownKeyError,
    hint,
)
from agreement_fast.options import Column, Extents, Label, Seen, check_count, check_kind
from agreement_fast.points import Answering
from agreement_fast.present.tables import Tabular, aligned
from agreement_fast.present.terminal import align, letters, shorten, show_label
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_ids, name_of, read_seen, sort_ids
from agreement_fast.reading.labels import Categories, as_python
from agreement_fast.reading.looks import table_of_columns
from agreement_fast.reading.recognition.recognise import doubt_one_document, unit_columns
from agreement_fast.reading.recognition.wording import PYTHON
from agreement_fast.units.doubts import hint_at_names, notes

#: Errors of these arguments.
wrong_extents = partial(InputError, argument="extents")
wrong_seen = partial(InputError, argument="seen")


def seen_codes(
    pairs: list[tuple[Any, Any]],
    document: Array,
    coder: Array,
    documents: list[Any],
    coders: list[Any],
) -> Array:
    """Number pairs by the places of their names: int64 of shape (P, 2), sorted, each once.

    Refuses a unit in a document that its coder did not see.
    """
    of_document = {name: place for place, name in enumerate(documents)}
    of_coder = {name: place for place, name in enumerate(coders)}
    numbered = {(of_document[where], of_coder[who]) for where, who in pairs}
    seen = np.array(sorted(numbered), np.int64).reshape(-1, 2)
    known = seen[:, 0] * len(coders) + seen[:, 1]
    unknown = ~np.isin(document.astype(np.int64) * len(coders) + coder, known)
    if unknown.any():
        row = int(np.argmax(unknown))
        who, where = coders[coder[row]], documents[document[row]]
        raise wrong_seen(
            (
                Phrase("row", f"row {row}", row),
                f" is a unit of coder {who!r} in document {where!r}, which seen says that "
                f"{who!r} did not see",
            ),
            "add the pair to seen",
        )
    return seen


def who_saw(
    seen: Any, what: str, documents: dict[Any, int], coders: dict[Any, int], marks: Array
) -> Array:
    """Say which coders saw which documents or images: bool of shape (coders, documents).

    `documents`, `coders`: places by name; `seen` adds names without a mark. `marks`: the document
    and the coder of each mark, int array of shape (2, n).
    """
    everybody = isinstance(seen, str) and seen == "all"
    pairs = [] if seen is None or everybody else read_seen(seen, what, or_all=True)[1]
    known = [
        (documents.setdefault(where, len(documents)), coders.setdefault(who, len(coders)))
        for where, who in pairs
    ]
    saw = np.full((len(coders), len(documents)), everybody)
    for where, who in (marks, np.array(known, np.int64).reshape(-1, 2).T):
        saw[who, where] = True
    return saw


def rows_of(given: Any, columns: tuple[str, ...], argument: str, what: str) -> Iterator[Any]:
    """Yield the rows of a frame with these columns, or of rows; `what` is a row in errors."""
    given = frames.at_hand(given)
    if frames.is_frame(given):
        given = zip(*map(frames.listed, frames.in_roles(given, columns, argument)), strict=True)
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputTypeError.must_be(argument, f"rows of ({', '.join(columns)}), or a frame", given)
    for i, row in enumerate(given):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != len(columns):
            message = f"{what} {i} must be ({', '.join(columns)}), not {row!r}"
            raise InputError(message, argument=argument)
        yield row


class Named(NamedTuple):
    """The rows of units, in the order of the rows, and what they are called in errors."""

    coder: Array
    document: Array
    category: Array
    start: Array
    end: Array
    coders: list[Any]
    documents: list[Any]
    categories: list[Any]


def unit_of_rows(rows: Named, codes: Array, names: list[Any]) -> tuple[Array, tuple[Any, ...]]:
    """Number the units that rows are pieces of, and name each; a name counts within a document.

    Raises ValueError: pieces of one unit that overlap or are of different categories.
    """
    table = np.column_stack([rows.document, rows.coder, codes])
    result, unit = np.unique(table, axis=0, return_inverse=True)
    unit = unit.reshape(-1).astype(np.int64)
    order = np.lexsort((rows.end, rows.start, unit))
    first, second = order[:-1], order[1:]
    same = unit[first] == unit[second]
    mixed = same & (rows.category[first] != rows.category[second])
    meeting = same & (rows.start[second] < rows.end[first])
    for bad, what in ((mixed, "categories"), (meeting, "places")):
        if bad.any():
            at = int(np.argmax(bad))
            pair = sorted((int(first[at]), int(second[at])))
            a, b = (rows.categories[rows.category[row]] for row in pair)
            message = (
                f"are of categories {a!r} and {b!r}, and a unit has one"
                if what == "categories"
                else "overlap, and its pieces stand apart"
            )
            raise InputError(
                (
                    Phrase("rows", f"rows {pair[0]} and {pair[1]}", tuple(pair)),
                    f" are pieces of unit {names[codes[pair[0]]]!r} of coder "
                    f"{rows.coders[rows.coder[pair[0]]]!r} in document "
                    f"{rows.documents[rows.document[pair[0]]]!r}: they {message}",
                ),
                "give units of their own names of their own",
                argument="units",
            )
    return unit, tuple(names[code] for code in result[:, 2].tolist())


def sort_units(rows: Named, unit: Array | None) -> Array:
    """Return the order of units by category, document, coder and place.

    Refuse a unit that one coder marked twice: in all pieces, and of the same category.
    """
    columns = (rows.category, rows.document, rows.coder, rows.start, rows.end)
    order = np.lexsort(columns[::-1])
    twice = np.logical_and.reduce([np.diff(column[order]) == 0 for column in columns])
    units = np.arange(len(order)) if unit is None else unit
    # Units that share a piece are the same one only if they share all.
    shared = units[np.concatenate([order[:-1][twice], order[1:][twice]])]
    pieces: dict[int, list[tuple[int, ...]]] = {}
    for row in order[np.isin(units[order], shared)].tolist() if len(shared) else ():
        own = tuple(int(column[row]) for column in columns)
        pieces.setdefault(int(units[row]), []).append(own)
    known: dict[tuple[tuple[int, ...], ...], int] = {}
    pairs = [(known.setdefault(tuple(own), number), number) for number, own in pieces.items()]
    doubles = [pair for pair in pairs if pair[0] != pair[1]]
    for pair in doubles:
        first, two = sorted(int(np.argmax(units == number)) for number in pair)
        several = "if they are in several documents, name the column of these: "
        raise InputError(
            (
                Phrase("rows", f"rows {first} and {two}", (first, two)),
                f" are the same unit, both by coder {rows.coders[rows.coder[first]]!r} and "
                f"of category {rows.categories[rows.category[first]]!r} (such pairs: "
                f"{len(doubles)}): a coder marks a unit once",
            ),
            (several, Argument("document")) if len(rows.documents) == 1 else None,
        )
    return order


#: Types of what stands for no position.
_NOTHING = ("NoneType", "NAType", "NaTType")
#: The largest position or length: sums of a few of them fit int64.
LARGEST = 2**61
#: What each code of a unit stands for.
NAMES = {"coder": "coders", "category": "categories", "document": "documents"}

#: How far a position may be from a whole multiple of the resolution, in multiples.
ROUNDING = 1e-6
#: The same for positions so large that floats are no more exact.
LARGEST_ROUNDING = 1e-2


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Continuum(Tabular, metaclass=Answering):
    """The units that some coders marked on one or more documents. Immutable.

    Make one with `from_rows` or `from_frame`. If a coder saw a document and marked nothing in it,
    all of it is one gap; if they did not see it, their units are missing there. Without `seen`, all
    coders saw all documents.

    Attributes
    ----------
    coders, categories, documents : tuple of labels
        Their names.
    extents : int64 array of shape (D, 2)
        The beginning and the end of each document, in steps of the resolution.
    inferred : bool
        Whether the extents were inferred from the units, because none were given.
    resolution : float
        The length of a step, in units of the given positions.
    coder, category, document : int32 array of shape (n,)
        The positions of the coder, category and document of each unit, or piece of a unit.
    start, end : int64 array of shape (n,)
        Positions in steps of the resolution. Units are sorted by category, document, coder, start
        and end. Units of one coder may overlap.
    unit : int64 array of shape (n,), or None
        The unit that each piece belongs to; None if every row is a unit.
    unit_names : tuple of labels
        The name of each unit; empty if none were given.
    seen : int64 array of shape (P, 2), or None
        Pairs of a document and a coder who saw it; None if all coders saw all documents.
    memo : dict
        A cache, for the package.

    Examples
    --------
    >>> from agreement_fast import units
    >>> units.Continuum.from_rows(
    ...     coders=["A", "A", "B"], starts=[0, 6, 1], ends=[4, 9, 4],
    ...     categories=["name", "name", "name"], extents=10,
    ... )
    Continuum(3 units, 2 coders, 1 document of length 10, 1 category: 'name')
    """

    _caption = (
        "Continuum({n_units:unit}[ in {n_pieces:piece}{unit?}], {n_coders:coder}{_seeing}, "
        "{documents:document} of length {length}, {categories:category}: {categories:reprs})"
    )
    _remarks = ""

    @property
    def _seeing(self) -> str:
        if self.seen is None:
            return ""
        fewest, most = int(self.n_seeing.min()), int(self.n_seeing.max())
        return f" ({fewest if fewest == most else f'{fewest} to {most}'} a document)"

    coders: tuple[Label, ...]
    categories: Categories
    documents: tuple[Label, ...]
    extents: Array
    inferred: bool
    resolution: float
    coder: Array
    category: Array
    document: Array
    start: Array
    end: Array
    memo: dict[Any, Any] = field(default_factory=dict, init=False)
    unit: Array | None = None
    unit_names: tuple[Label, ...] = ()
    seen: Array | None = None

    def __post_init__(self) -> None:
        for name in ("extents", "coder", "category", "document", "start", "end", "unit", "seen"):
            array = getattr(self, name)
            if array is not None:
                array.flags.writeable = False

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each unit or piece, with the positions as they were given.

        There is a column `unit` if units have names.
        """
        step = 1 if self.resolution == 1 else self.resolution
        names = "document=documents[document] coder=coders[coder] start end"
        names += " category=categories[category]"
        columns = aligned(self, names if self.unit is None else f"{names} unit=unit_names[unit]")
        return columns | {"start": self.start * step, "end": self.end * step}

    @staticmethod
    def from_rows(
        coders: Column,
        starts: Column,
        ends: Column,
        categories: Column | None = None,
        documents: Column | None = None,
        *,
        extents: Extents | None = None,
        all_coders: Iterable[Label] = (),
        resolution: float | None = None,
        units: Column | None = None,
        seen: Seen | None = None,
    ) -> Continuum:
        """Read one unit per row: columns of equal length.

        Parameters
        ----------
        coders : array-like of shape (n,)
            The coder of each unit.
        starts, ends : array-like of numbers of shape (n,)
            Half-open intervals: a unit of length 1 has end = start + 1.
        categories, documents : array-like of shape (n,), optional
            The category and the document of each unit. By default all units have the category
            "unit" and are in one document.
        extents : number, (begin, end), or mapping document -> either, optional
            The length of each document, or its beginning and end. By default, a document begins at
            0 (or at its first unit if that is below 0) and ends with its last unit, which is too
            short if no coder marked its last part. A mapping may name documents without units.
        all_coders : iterable of labels, default ()
            Further coders, who may have marked nothing.
        resolution : float, optional
            The length of a step if positions are not whole numbers, such as 0.001 for seconds with
            three decimals. Positions must be multiples of it. By default 1.
        units : array-like of shape (n,), optional
            Names of units, for units in several pieces: rows of one coder and document with the
            same name are pieces of one unit. By default every row is a unit.
        seen : mapping document -> coders, rows (document, coder), or data frame of these, optional
            Which coders saw which document. The units of other coders are missing there, like a
            missing judgment in Krippendorff's α. Documents and coders without units may be named.
            By default all coders saw all documents.

        Returns
        -------
        Continuum
            The units.

        Raises
        ------
        ValueError
            If columns differ in length; if a position is missing or not a multiple of the
            resolution; if a unit is empty, outside its document, or given twice; if a row has no
            coder, category or document; if pieces of a unit overlap or differ in category; or if a
            unit is in a document that its coder did not see.
        TypeError
            If positions are not numbers.

        Notes
        -----
        O(n log n).
        """
        if resolution is not None and not (
            isinstance(resolution, Real)
            and not isinstance(resolution, bool)
            and 0 < resolution < np.inf
        ):
            raise InputError.must_be("resolution", "a positive number", resolution)
        step = 1.0 if resolution is None else float(resolution)
        if isinstance(all_coders, (str, bytes)):
            raise InputTypeError.must_be("all_coders", "a list of coders", all_coders)
        start, end = (
            _steps(values, name, step) for values, name in ((starts, "start"), (ends, "end"))
        )
        n = len(start)
        coder, coder_names = _ids(coders, "coder", n)
        category, category_names = _ids(categories, "category", n, "unit")
        document, document_names = _ids(documents, "document", n, "document")
        if len(end) != n:
            raise InputError(f"{n} starts and {len(end)} ends: columns must have equal length")
        _append(
            coder_names, (name_of(all_coder, "coder", "all_coders") for all_coder in all_coders)
        )
        if isinstance(extents, Mapping):
            _append(document_names, (name_of(extent, "document", "extents") for extent in extents))
        with_units = len(document_names)
        pairs = None
        if seen is not None:
            saw, pairs = read_seen(seen)
            _append(document_names, saw)
            _append(coder_names, (who for _, who in pairs))
            if extents is None and len(document_names) > with_units:
                raise wrong_extents(
                    f"document {document_names[with_units]!r} has no units, so its length is not "
                    "known",
                    ("pass ", Argument("extents")),
                )
        if not document_names:
            document_names = ["document"]

        def row(i: int) -> tuple[Phrase, str]:
            names = (coder_names[coder[i]], document_names[document[i]])
            return _row(i), f" (coder {names[0]!r}, document {names[1]!r})"

        empty = end <= start
        if empty.any():
            i = int(np.argmax(empty))
            raise InputError(
                (
                    *row(i),
                    f" goes from {as_python(np.asarray(starts)[i])} to "
                    f"{as_python(np.asarray(ends)[i])}: a unit must end after it starts",
                ),
                argument="ends",
            )
        spans = _extents(extents, step, document_names, document, start, end)
        outside = (start < spans[document, 0]) | (end > spans[document, 1])
        if outside.any():
            i = int(np.argmax(outside))
            begin, stop = (spans[document[i]] * step).tolist()
            raise wrong_extents(
                (
                    *row(i),
                    f" is not inside its document, which goes from {begin:g} to {stop:g}",
                ),
                ("check ", Argument("extents")),
            )
        named = Named(
            coder, document, category, start, end, coder_names, document_names, category_names
        )
        unit, unit_names = None, ()
        if units is not None:
            unit, unit_names = unit_of_rows(named, *_ids(units, "unit", n))
        order = sort_units(named, unit)
        who = None
        if pairs is not None:
            who = seen_codes(pairs, document, coder, document_names, coder_names)
        columns = {name: getattr(named, name) for name in (*NAMES, "start", "end")}
        columns |= {} if unit is None else {"unit": unit}
        result = Continuum(
            tuple(coder_names),
            tuple(category_names),
            tuple(document_names),
            spans,
            extents is None,
            step,
            **{name: np.ascontiguousarray(values[order]) for name, values in columns.items()},
            unit_names=unit_names,
            seen=_unless_complete(who, len(document_names) * len(coder_names)),
        )
        hint_at_names(notes(result))
        return result

    @staticmethod
    def from_frame(
        frame: Frame,
        *,
        coder: str | None = None,
        start: str | None = None,
        end: str | None = None,
        category: str | None = None,
        document: str | None = None,
        extents: Extents | None = None,
        all_coders: Iterable[Label] = (),
        resolution: float | None = None,
        unit: str | None = None,
        seen: Seen | None = None,
    ) -> Continuum:
        """Read one unit per row from a data frame of any library that narwhals knows.

        Parameters
        ----------
        frame : data frame
            A row for each unit, or for each piece of a unit.
        coder, start, end : str, optional
            Names of the columns of coders, starts and ends. If no column is named, those with usual
            names are taken, also as `category` and `document`, and a warning names them.
        category, document : str, optional
            Names of the columns of categories and documents. By default all units have the category
            "unit" and are in one document.
        extents : number, (begin, end), or mapping document -> either, optional
            The length of each document, or its beginning and end. By default, a document begins at
            0 and ends with its last unit.
        all_coders : iterable of labels, default ()
            Further coders, who may have marked nothing.
        resolution : float, optional
            The length of a step if positions are not whole numbers, such as 0.001 for seconds with
            three decimals. By default 1.
        unit : str, optional
            Name of the column of units, for units in several pieces. By default every row is a
            unit.
        seen : mapping document -> coders, rows (document, coder), or data frame, optional
            Which coders saw which document. A frame has the columns `document` and `coder`. By
            default all coders saw all documents.

        Returns
        -------
        Continuum
            The units.

        Raises
        ------
        ValueError
            If a column does not exist or is not known, or if `from_rows` would raise.

        Warns
        -----
        ReadHint
            Which columns were taken, if none was named; which ones may name documents, if no column
            is taken as `document`.

        Examples
        --------
        >>> import pandas as pd
        >>> from agreement_fast import units
        >>> frame = pd.DataFrame({"who": ["A", "B"], "from": [0, 2], "to": [4, 5]})
        >>> units.Continuum.from_frame(frame, coder="who", start="from", end="to", extents=6)
        Continuum(2 units, 2 coders, 1 document of length 6, 1 category: 'unit')
        """
        frame = frames.at_hand(frame)
        roles = {
            "coder": coder, "start": start, "end": end, "category": category, "document": document
        }  # fmt: skip
        named = {role: name for role, name in roles.items() if name is not None}
        known = named or unit_columns(frames.columns(frame))
        if not {"coder", "start", "end"} <= known.keys():
            problem = "the columns of coders, starts and ends are not all known"
            raise InputError(problem, PYTHON.spans(known))
        if not named:
            guessed = ", ".join(f"{role}={name!r}" for role, name in known.items())
            hint(f"columns were taken by their names: {guessed}", ReadHint)
            roles |= known
        coder, document = roles["coder"], roles["document"]
        *columns, units = frames.pick(frame, **roles, unit=unit)
        if frames.is_frame(seen) or frames.is_lazy(seen):
            if document is None:
                raise wrong_seen(
                    "seen needs documents, but the units have none",
                    ("pass ", Argument("document"), ", the column of documents in both frames"),
                )
            columns_of_seen = frames.pick(frames.at_hand(seen), document=document, coder=coder)
            seen = list(zip(*map(frames.listed, columns_of_seen), strict=True))
        if document is None:
            taken = {*roles.values(), unit}
            others = [name for name in frames.columns(frame) if name not in taken]
            read = [*roles.values(), *others]
            cells = frames.pick(frame, **{str(place): name for place, name in enumerate(read)})
            table = table_of_columns(dict(zip(read, cells, strict=True)), len(columns[0]))
            doubt = doubt_one_document(table, others, roles, lambda name: f"document={name!r}")
            if doubt is not None:
                hint(doubt, ReadHint)
        return Continuum.from_rows(
            *columns,
            extents=extents,
            all_coders=all_coders,
            resolution=resolution,
            units=units,
            seen=seen,
        )

    @property
    def n_units(self) -> int:
        """Number of units of all coders; the pieces of a unit count once."""
        return len(self.start) if self.unit is None else len(self.unit_names)

    @property
    def n_pieces(self) -> int:
        """Number of pieces of all units, n."""
        return len(self.start)

    def count(self, rows: slice) -> int:
        """Return the number of units that some rows are pieces of."""
        if self.unit is None:
            return len(self.start[rows])
        return len(np.unique(self.unit[rows]))

    @property
    def n_coders(self) -> int:
        """Number of coders, m."""
        return len(self.coders)

    @property
    def n_seeing(self) -> Array:
        """Number of coders who saw each document: int64 of shape (D,)."""
        if self.seen is None:
            return np.full(len(self.documents), self.n_coders, np.int64)
        return np.bincount(self.seen[:, 0], minlength=len(self.documents)).astype(np.int64)

    @property
    def saw(self) -> Array:
        """Whether coders saw documents: bool of shape (D, n_coders)."""
        result = np.full((len(self.documents), self.n_coders), self.seen is None)
        if self.seen is not None:
            result[self.seen[:, 0], self.seen[:, 1]] = True
        return result

    @property
    def length(self) -> int:
        """L, the total length of the documents, in steps of the resolution."""
        return total(np.diff(self.extents, axis=1)[:, 0])

    def units_of(self, code: int) -> slice:
        """Return the rows of the units of a category, given by its position."""
        first, last = np.searchsorted(self.category, [code, code + 1]).tolist()
        return slice(first, last)

    def select(
        self,
        *,
        coders: Sequence[Label] | None = None,
        categories: Sequence[Label] | None = None,
        documents: Sequence[Label] | None = None,
    ) -> Continuum:
        """Select the units of some coders, categories and documents.

        The extents, the order of names, and who saw which document stay as they are.

        Parameters
        ----------
        coders, categories, documents : sequence of labels, optional
            The names to keep. By default all.

        Returns
        -------
        Continuum
            The selected units.

        Raises
        ------
        KeyError
            If a coder, category or document does not occur.
        """
        chosen = []
        some_of_each = coders, categories, documents
        for given, (what, several) in zip(some_of_each, NAMES.items(), strict=True):
            names = getattr(self, several)
            some = names if given is None else tuple(map(as_python, given))
            known = set(names)
            for name in some:
                if name not in known:
                    raise UnknownKeyError(f"no {what} {name!r}; there are {shorten(names)}")
            known = set(some)
            chosen.append(np.array([name in known for name in names], bool))
        return self.taken(*chosen)

    def anonymous(self) -> Continuum:
        """Return the same units with letters for coders, and numbers for documents and units."""
        return replace(
            self,
            coders=letters(len(self.coders)),
            documents=tuple(range(1, len(self.documents) + 1)),
            unit_names=tuple(range(1, len(self.unit_names) + 1)),
        )

    def taken(self, coders: Array, categories: Array, documents: Array) -> Continuum:
        """Return the units of the coders, categories and documents that masks select."""
        keep = coders[self.coder] & categories[self.category] & documents[self.document]
        parts: dict[str, Any] = {"start": self.start[keep], "end": self.end[keep]}
        masks = coders, categories, documents
        for (what, several), mask in zip(NAMES.items(), masks, strict=True):
            parts[several] = tuple(itertools.compress(getattr(self, several), mask))
            places = (np.cumsum(mask, dtype=np.int32) - 1).astype(np.int32)
            parts[what] = places[getattr(self, what)[keep]]
        unit, unit_names = None, ()
        if self.unit is not None:
            kept, unit = np.unique(self.unit[keep], return_inverse=True)
            unit = unit.reshape(-1).astype(np.int64)
            unit_names = tuple(self.unit_names[place] for place in kept.tolist())
        seen = self.seen
        if seen is not None:
            seen = np.argwhere(self.saw[np.ix_(documents, coders)])
            seen = _unless_complete(seen, int(documents.sum()) * int(coders.sum()))
        parts |= {"unit": unit, "unit_names": unit_names, "extents": self.extents[documents]}
        return replace(self, **parts, seen=seen)

    def to_text(self, width: int = 80) -> str:
        """Draw the documents as lines of text, one for each coder and category with units.

        Parameters
        ----------
        width : int, default 80
            The most characters of a line, at least 40.

        Returns
        -------
        str
            Units as ``[==]`` from the place where they start to the place where they end; ``|`` is
            a unit within one place, ``#`` several units of the coder and category at a place.

        Raises
        ------
        ValueError
            If `width` is below 40.

        Examples
        --------
        >>> from agreement_fast import units
        >>> print(units.Continuum.from_rows(
        ...     coders=["A", "A", "B"], starts=[0, 6, 1], ends=[4, 9, 4],
        ...     categories=["name", "name", "name"], extents=10,
        ... ).to_text(width=40))
        document: 0 to 10
        A  name  [==========]      [=======]
        B  name     [=======]
        """
        check_count("width", width, 40)
        names = [
            [show_label(name, 12) for name in several] for several in (self.coders, self.categories)
        ]
        room = width - 4 - sum(max(map(len, column), default=0) for column in names)
        step = 1 if self.resolution == 1 else self.resolution
        lines: list[str] = []
        for place, (first, last) in enumerate(self.extents.tolist()):
            drawn: dict[tuple[int, int], list[str]] = {}
            for i in np.flatnonzero(self.document == place).tolist():
                line = drawn.setdefault((int(self.coder[i]), int(self.category[i])), [" "] * room)
                start, end = ((int(at) - first) * room for at in (self.start[i], self.end[i]))
                start = min(start // (last - first), room - 1)
                end = max(end // (last - first) - 1, start)
                unit = "|" if start == end else "[" + "=" * (end - start - 1) + "]"
                for at, mark in enumerate(unit, start):
                    line[at] = mark if line[at] == " " else "#"
            lines.append(
                f"{show_label(self.documents[place])}: {first * step:g} to {last * step:g}"
            )
            lines += align(
                ["", "", ""],
                [
                    (names[0][coder], names[1][category], "".join(line).rstrip())
                    for (coder, category), line in sorted(drawn.items())
                ],
                "<<<",
                indent="",
            )[1:]
        return "\n".join(lines)


def checked(data: Any) -> Continuum:
    """Return a continuum; anything else is an error."""
    remedy: Sentence = "make one with af.units.Continuum.from_rows or af.units.Continuum.from_frame"
    if frames.is_frame(data):
        remedy = PYTHON.spans(unit_columns(frames.columns(data)))
    return check_kind(data, Continuum, "units as a Continuum", remedy)


def paired(data: Continuum) -> Continuum:
    """Return the documents that two coders or more saw; all documents if there are none.

    Computed once for a continuum, so that its cache is kept.
    """
    enough = data.n_seeing > 1
    if enough.all() or not enough.any():
        return data
    if "paired" not in data.memo:
        everybody, everything = (np.ones(n, bool) for n in (data.n_coders, len(data.categories)))
        data.memo["paired"] = data.taken(everybody, everything, enough)
    result: Continuum = data.memo["paired"]
    return result


def _append(names: list[Any], more: Iterable[Any]) -> None:
    known = set(names)
    names += [name for name in dict.fromkeys(more) if name not in known]


def _unless_complete(seen: Array | None, everything: int) -> Array | None:
    """Return who saw what, or None if all coders saw all documents."""
    return None if seen is None or len(seen) == everything else seen


def _ids(values: Any, what: str, n: int, default: str | None = None) -> tuple[Array, list[Any]]:
    """Return codes and sorted names of a column; without a column, `default` in all rows."""
    if values is None:
        if default is None:
            raise InputTypeError(
                f"{what}s are missing: expected one for each unit",
                argument=f"{what}s",
            )
        return np.zeros(n, np.int32), [default] if n else []
    codes, names = encode_ids(values, what)
    if len(codes) != n:
        raise InputError(
            f"{n} starts and {len(codes)} {what} labels: columns must have equal length",
        )
    return sort_ids(codes, names)


def _row(i: int) -> Phrase:
    return Phrase("row", f"row {i}", int(i))


def _is_position(value: Any) -> bool:
    return isinstance(value, Real) and not (isinstance(value, int) and value.bit_length() > 63)


def _steps(values: Any, what: str, step: float, whose: str | None = None) -> Array:
    """Return positions as whole numbers of steps; `whose` names their owner in errors."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan) if values.mask.any() else values
    if isinstance(values, frames.Dictionary):
        values = np.array([*frames.listed(values), None], object)[:-1]
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(
            f"{what}s must be a column of numbers, not an array of shape {array.shape}",
            argument=f"{what}s",
        )
    if array.size == 0:
        return np.zeros(0, np.int64)
    first = 0  # in a typed column, all values are of a kind
    if array.dtype.kind == "O":
        listed = [np.nan if type(value).__name__ in _NOTHING else value for value in array.tolist()]
        first = next((i for i, value in enumerate(listed) if not _is_position(value)), len(listed))
        array = np.array(listed) if first == len(listed) else array
    if array.dtype.kind not in "uif":
        raise InputTypeError(
            (
                f"{what}s must be numbers that fit 64 bits, but {what} of ",
                whose or _row(first),
                f" is {as_python(array[first])!r}",
            ),
            "convert the column to numbers; times, say, to milliseconds",
            argument=f"{what}s",
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        i = int(np.argmin(np.isfinite(array)))
        raise InputError(
            (f"{what} of ", whose or _row(i), f" is missing or not finite: {as_python(array[i])}"),
            argument=f"{what}s",
        )
    if array.dtype.kind in "ui" and step == 1.0:
        if array.size and max(abs(int(array.min())), abs(int(array.max()))) > LARGEST:
            raise InputError(
                f"{what}s go beyond 2**61",
                "count from another origin",
                argument=f"{what}s",
            )
        return array.astype(np.int64)
    multiples = array.astype(np.float64) / step
    whole = np.rint(multiples)
    if (np.abs(whole) > 2.0**53).any():
        raise InputError(
            f"{what}s go beyond 2**53 steps of {step:g}",
            "count from another origin, or in larger steps",
            argument=f"{what}s",
        )
    # Large positions are floats that differ from their multiple by rounding.
    close = np.clip(4 * np.finfo(np.float64).eps * np.abs(multiples), ROUNDING, LARGEST_ROUNDING)
    bad = np.abs(multiples - whole) > close
    if bad.any():
        i = int(np.argmax(bad))
        raise InputError(
            (
                f"{what} {as_python(array[i])} of ",
                whose or _row(i),
                f" is not a whole multiple of the resolution {step:g}",
            ),
            ("pass, say, ", Argument("resolution", 0.001), " for seconds with three decimals"),
            argument="resolution",
        )
    return whole.astype(np.int64)


def _extents(
    given: Any, step: float, names: list[Any], document: Array, start: Array, end: Array
) -> Array:
    spans = np.zeros((len(names), 2), np.int64)
    if given is None:
        np.minimum.at(spans[:, 0], document, start)
        np.maximum.at(spans[:, 1], document, end)
        return spans
    for i, name in enumerate(names):
        entry = given
        if isinstance(given, Mapping):
            if name not in given:
                raise InputError((Argument("extents"), f" has nothing for document {name!r}"))
            entry = given[name]
        pair = (0, entry) if np.ndim(entry) == 0 else tuple(entry)
        if len(pair) != 2 or any(
            isinstance(end, bool) or not isinstance(end, (Real, np.number)) for end in pair
        ):
            raise wrong_extents(
                f"the extent of document {name!r} must be a length or (begin, end), not {entry!r}"
            )
        spans[i] = _steps(list(pair), "extent", step, f"document {name!r}")
        if spans[i, 0] >= spans[i, 1]:
            raise wrong_extents(
                f"document {name!r} goes from {pair[0]} to {pair[1]}, so it has no length",
                ("check ", Argument("extents")),
            )
    return spans
