"""What coders marked on continua: units with a start, an end and a category.

A continuum is a document, a recording, anything with a length. A unit is a half-open interval
[start, end) of it that one coder marked as one of one category; what a coder left unmarked is a
gap. Positions are whole numbers (characters, tokens, milliseconds), because the coefficients count
the places where a unit could stand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase, UnknownKeyError
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_ids, sort_ids
from agreement_fast.reading.labels import Categories, as_python, shorten
from agreement_fast.reading.seen import name_of, read_seen
from agreement_fast.tables import Tabular
from agreement_fast.unitizing.exact import total
from agreement_fast.unitizing.pieces import Named, refuse_doubles, unit_of_rows
from agreement_fast.unitizing.seen import check_seen, seen_codes

#: Positions, lengths and sums of them that int64 holds with room to spare.
LARGEST = 2**61
#: How far from a whole multiple of the resolution a position may be, in multiples.
ROUNDING = 1e-6
#: The same of positions so large that floats hold no multiple more exactly.
LARGEST_ROUNDING = 1e-2


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Continuum(Tabular):
    """The units that some coders marked on one or more documents. Immutable.

    Make one with `from_rows` or `from_frame`. A coder who saw a document and marked nothing in it
    left it as one gap; one who did not see it is missing there. Without `seen` everybody saw
    everything.

    Attributes
    ----------
    coders, categories, documents : tuples of labels
    extents : int64 array of shape (D, 2)
        Where each document begins and ends, in steps of the resolution.
    inferred : bool
        Whether the extents were taken from the units, because none were given.
    resolution : float
        What a step is, in units of the positions given.
    coder, category, document : int32 arrays of shape (n,)
        For each unit, or piece of one, the place of its coder, category and document.
    start, end : int64 arrays of shape (n,)
        In steps of the resolution. Units stand in the order of category, document, coder, start,
        end. Units of one coder may overlap.
    unit : int64 array of shape (n,), or None
        Which unit each piece belongs to; None where every row is a unit.
    unit_names : tuple of labels
        The name of each unit; empty where none were given.
    seen : int64 array of shape (P, 2), or None
        The places of a document and of a coder who saw it; None where everybody saw everything.
    memo : dict
        What was computed from these units and is found again; not meant for use.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> unitizing.Continuum.from_rows(
    ...     coders=["A", "A", "B"], starts=[0, 6, 1], ends=[4, 9, 4],
    ...     categories=["name", "name", "name"], extents=10,
    ... )
    Continuum(3 units, 2 coders, 1 document of length 10, 1 category: 'name')
    """

    coders: tuple[Any, ...]
    categories: Categories
    documents: tuple[Any, ...]
    extents: Array
    inferred: bool
    resolution: float
    coder: Array
    category: Array
    document: Array
    start: Array
    end: Array
    memo: dict[str, Any] = field(default_factory=dict, init=False)
    unit: Array | None = None
    unit_names: tuple[Any, ...] = ()
    seen: Array | None = None

    def __post_init__(self) -> None:
        for name in ("extents", "coder", "category", "document", "start", "end", "unit", "seen"):
            array = getattr(self, name)
            if array is not None:
                array.flags.writeable = False

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each unit or piece; `start` and `end` are positions as they were given.

        Units that have names have a column `unit`.
        """
        step = 1 if self.resolution == 1 else self.resolution
        named = {}
        if self.unit is not None:
            named = {"unit": [self.unit_names[place] for place in self.unit.tolist()]}
        return {
            "document": [self.documents[place] for place in self.document.tolist()],
            "coder": [self.coders[place] for place in self.coder.tolist()],
            "start": self.start * step,
            "end": self.end * step,
            "category": [self.categories[place] for place in self.category.tolist()],
            **named,
        }

    @staticmethod
    def from_rows(
        coders: Any,
        starts: Any,
        ends: Any,
        categories: Any = None,
        documents: Any = None,
        *,
        extents: Any = None,
        all_coders: Iterable[Any] = (),
        resolution: float | None = None,
        units: Any = None,
        seen: Any = None,
    ) -> Continuum:
        """Read one unit a row: columns of equal length.

        Parameters
        ----------
        coders, categories, documents : array-like of shape (n,)
            Without `categories` there is one, "unit"; without `documents` one document.
        starts, ends : array-like of numbers of shape (n,)
            Half-open: a unit of length 1 has end = start + 1.
        extents : number, (begin, end), or mapping document -> either, optional
            The length of each document, or where it begins and ends. Without it a document is
            taken to go from 0 (or its first unit, if that is below) to its last unit's end, which
            is too short if all coders left its last part unmarked. A mapping may name documents in
            which nobody marked anything.
        all_coders : iterable of labels
            Coders who may have marked nothing at all.
        resolution : float, optional
            What one step is, for positions that are not whole numbers: 0.001 for seconds with
            three decimals. Positions must be multiples of it. By default 1.
        units : array-like of shape (n,), optional
            Names of units, for units in several pieces: rows of one coder and document with the
            same name are pieces of one unit. Without it every row is a unit.
        seen : mapping document -> coders, rows (document, coder), or data frame of these, optional
            Who saw which document. A coder who did not is missing there, as a missing judgment is
            for Krippendorff's α. It may name documents and coders without any unit. Without it
            every coder saw every document.

        Raises
        ------
        ValueError
            Columns of different lengths; a position that is missing or no multiple of the
            resolution; a unit that is empty, outside its document, or there twice; no coder,
            category or document in a row; pieces of a unit that overlap or are of different
            categories; a unit in a document that its coder did not see.
        TypeError
            Positions that are not numbers.

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
        _append(coder_names, (name_of(one, "coder", "all_coders") for one in all_coders))
        if isinstance(extents, Mapping):
            _append(document_names, (name_of(one, "document", "extents") for one in extents))
        with_units = len(document_names)
        pairs = None
        if seen is not None:
            saw, pairs = read_seen(seen)
            _append(document_names, saw)
            _append(coder_names, (who for _, who in pairs))
            if extents is None and len(document_names) > with_units:
                raise InputError(
                    f"document {document_names[with_units]!r} has no units, so that nothing says "
                    "how long it is",
                    ("pass ", Argument("extents")),
                    argument="extents",
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
                    f"{as_python(np.asarray(ends)[i])}: a unit ends after it starts",
                ),
                argument="ends",
            )
        spans = _extents(extents, step, document_names, document, start, end)
        outside = (start < spans[document, 0]) | (end > spans[document, 1])
        if outside.any():
            i = int(np.argmax(outside))
            begin, stop = (spans[document[i]] * step).tolist()
            raise InputError(
                (
                    *row(i),
                    f" is not inside its document, which goes from {begin:g} to {stop:g}",
                ),
                ("check ", Argument("extents")),
                argument="extents",
            )
        named = Named(
            coder, document, category, start, end, coder_names, document_names, category_names
        )
        unit, unit_names = None, ()
        if units is not None:
            unit, unit_names = unit_of_rows(named, *_ids(units, "unit", n))
        refuse_doubles(named, unit)
        who = None
        if pairs is not None:
            who = seen_codes(pairs, document_names, coder_names)
            check_seen(who, document, coder, document_names, coder_names)
        order = np.lexsort((end, start, coder, document, category))
        coder, category, document, start, end = (
            np.ascontiguousarray(values[order])
            for values in (coder, category, document, start, end)
        )
        return Continuum(
            tuple(coder_names),
            tuple(category_names),
            tuple(document_names),
            spans,
            extents is None,
            step,
            coder,
            category,
            document,
            start,
            end,
            None if unit is None else np.ascontiguousarray(unit[order]),
            unit_names,
            _unless_complete(who, len(document_names) * len(coder_names)),
        )

    @staticmethod
    def from_frame(
        frame: Any,
        *,
        coder: str,
        start: str,
        end: str,
        category: str | None = None,
        document: str | None = None,
        extents: Any = None,
        all_coders: Iterable[Any] = (),
        resolution: float | None = None,
        unit: str | None = None,
        seen: Any = None,
    ) -> Continuum:
        """Read one unit a row from a data frame of any library that narwhals knows.

        Names of columns; everything else as in `from_rows`. `seen` may be a frame, too: a row for
        each document and coder who saw it, in columns of the same names.

        Examples
        --------
        >>> import pandas as pd
        >>> from agreement_fast import unitizing
        >>> frame = pd.DataFrame({"who": ["A", "B"], "from": [0, 2], "to": [4, 5]})
        >>> unitizing.Continuum.from_frame(frame, coder="who", start="from", end="to", extents=6)
        Continuum(2 units, 2 coders, 1 document of length 6, 1 category: 'unit')
        """

        *columns, units = frames.pick(
            frames.at_hand(frame),
            coder=coder,
            start=start,
            end=end,
            category=category,
            document=document,
            unit=unit,
        )
        if frames.is_frame(seen) or frames.is_lazy(seen):
            if document is None:
                raise InputError(
                    "seen says who saw which document, and the units have no documents",
                    ("pass ", Argument("document"), ", the column of documents in both frames"),
                    argument="seen",
                )
            columns_of_seen = frames.pick(frames.at_hand(seen), document=document, coder=coder)
            seen = list(zip(*map(frames.listed, columns_of_seen), strict=True))
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
        """Units of all coders; one in several pieces is one."""
        return len(self.start) if self.unit is None else len(self.unit_names)

    @property
    def n_pieces(self) -> int:
        """Pieces of all units, n: as many as units where each is in one piece."""
        return len(self.start)

    def count(self, rows: slice) -> int:
        """How many units some rows are pieces of."""
        if self.unit is None:
            return len(self.start[rows])
        return len(np.unique(self.unit[rows]))

    @property
    def n_coders(self) -> int:
        """Coders, m."""
        return len(self.coders)

    @property
    def n_seeing(self) -> Array:
        """How many coders saw each document: int64 of shape (D,)."""
        if self.seen is None:
            return np.full(len(self.documents), self.n_coders, np.int64)
        return np.bincount(self.seen[:, 0], minlength=len(self.documents)).astype(np.int64)

    @property
    def length(self) -> int:
        """L: the lengths of all documents, in steps of the resolution."""
        return total(np.diff(self.extents, axis=1)[:, 0])

    def units_of(self, code: int) -> slice:
        """Where the units of the category at a place stand."""
        first, last = np.searchsorted(self.category, [code, code + 1]).tolist()
        return slice(first, last)

    def select(
        self,
        *,
        coders: Sequence[Any] | None = None,
        categories: Sequence[Any] | None = None,
        documents: Sequence[Any] | None = None,
    ) -> Continuum:
        """The units of some coders, categories and documents; None keeps them all.

        Extents stay as they are, and so do the order of what is kept, and who saw what.

        Raises
        ------
        KeyError
            A coder, category or document that is not there.
        """
        chosen = []
        for wanted, names, what in (
            (coders, self.coders, "coder"),
            (categories, self.categories, "category"),
            (documents, self.documents, "document"),
        ):
            some = names if wanted is None else tuple(map(as_python, wanted))
            known = set(names)
            for name in some:
                if name not in known:
                    raise UnknownKeyError(f"no {what} {name!r}; there are {shorten(names)}")
            known = set(some)
            chosen.append(np.array([name in known for name in names], bool))
        return self.taken(*chosen)

    def taken(self, coders: Array, categories: Array, documents: Array) -> Continuum:
        """The units of the coders, categories and documents for which masks hold."""
        keep = coders[self.coder] & categories[self.category] & documents[self.document]
        coder, category, document = (
            (np.cumsum(mask, dtype=np.int32) - 1).astype(np.int32)[code[keep]]
            for mask, code in (
                (coders, self.coder),
                (categories, self.category),
                (documents, self.document),
            )
        )
        unit, unit_names = None, ()
        if self.unit is not None:
            kept, unit = np.unique(self.unit[keep], return_inverse=True)
            unit = unit.reshape(-1).astype(np.int64)
            unit_names = tuple(self.unit_names[place] for place in kept.tolist())
        seen = self.seen
        if seen is not None:
            seen = seen[documents[seen[:, 0]] & coders[seen[:, 1]]]
            places = [np.cumsum(mask) - 1 for mask in (documents, coders)]
            seen = np.column_stack([place[seen[:, i]] for i, place in enumerate(places)])
            seen = _unless_complete(seen, int(documents.sum()) * int(coders.sum()))
        names = (self.coders, self.categories, self.documents)
        kept_coders, kept_categories, kept_documents = (
            tuple(itertools.compress(some, mask))
            for some, mask in zip(names, (coders, categories, documents), strict=True)
        )
        return Continuum(
            kept_coders,
            kept_categories,
            kept_documents,
            self.extents[documents],
            self.inferred,
            self.resolution,
            coder,
            category,
            document,
            self.start[keep],
            self.end[keep],
            unit,
            unit_names,
            seen,
        )

    def __repr__(self) -> str:
        def count(n: int, one: str, many: str | None = None) -> str:
            return f"{n} {one if n == 1 else many or one + 's'}"

        pieces = f" in {count(self.n_pieces, 'piece')}" if self.unit is not None else ""
        who = count(self.n_coders, "coder")
        if self.seen is not None:
            fewest, most = int(self.n_seeing.min()), int(self.n_seeing.max())
            who += f" ({fewest if fewest == most else f'{fewest} to {most}'} a document)"
        return (
            f"Continuum({count(self.n_units, 'unit')}{pieces}, {who}, "
            f"{count(len(self.documents), 'document')} of length {self.length}, "
            f"{count(len(self.categories), 'category', 'categories')}: {shorten(self.categories)})"
        )


def checked(data: Any) -> Continuum:
    """What a coefficient was given, if it is a continuum."""
    if not isinstance(data, Continuum):
        raise InputTypeError(
            f"expected units as a Continuum, got {type(data).__name__}",
            "make one with Continuum.from_rows or Continuum.from_frame",
            argument="data",
        )
    return data


def paired(data: Continuum) -> Continuum:
    """The documents that two coders or more saw; all of them where there is none.

    Computed once for a continuum, so that what is remembered of it is found again.
    """
    enough = data.n_seeing > 1
    if enough.all() or not enough.any():
        return data
    if "paired" not in data.memo:
        everybody, everything = (np.ones(n, bool) for n in (data.n_coders, len(data.categories)))
        data.memo["paired"] = data.taken(everybody, everything, enough)
    found: Continuum = data.memo["paired"]
    return found


def _append(names: list[Any], more: Iterable[Any]) -> None:
    known = set(names)
    names += [name for name in dict.fromkeys(more) if name not in known]


def _unless_complete(seen: Array | None, everything: int) -> Array | None:
    """Who saw what, or None if everybody saw everything."""
    return None if seen is None or len(seen) == everything else seen


def _ids(values: Any, what: str, n: int, default: str | None = None) -> tuple[Array, list[Any]]:
    """Codes and sorted names of a column; `default` for all rows where there is no column."""
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
            f"{n} starts and {len(codes)} {what} labels: columns must be as long",
        )
    return sort_ids(codes, names)


def _row(i: int) -> Phrase:
    return Phrase("row", f"row {i}", int(i))


def _steps(values: Any, what: str, step: float, whose: str | None = None) -> Array:
    """Positions as whole numbers of steps; `whose` says in errors what has them, if not a row."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan) if values.mask.any() else values
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(
            f"{what}s are a column of numbers, not of shape {array.shape}",
            argument=f"{what}s",
        )
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind == "O":
        array = np.array([np.nan if _is_missing(value) else value for value in array.tolist()])
    if array.dtype.kind not in "uif":
        raise InputTypeError(
            f"{what}s must be numbers that 64 bits hold, not {array.dtype}: "
            f"{as_python(array[0])!r}",
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
    # Large positions are floats that lie next to their multiple, at the distance of rounding.
    close = np.clip(4 * np.finfo(np.float64).eps * np.abs(multiples), ROUNDING, LARGEST_ROUNDING)
    bad = np.abs(multiples - whole) > close
    if bad.any():
        i = int(np.argmax(bad))
        raise InputError(
            (
                f"{what} {as_python(array[i])} of ",
                whose or _row(i),
                f" is no whole multiple of the resolution {step:g}",
            ),
            ("pass ", Argument("resolution", 0.001), " for seconds with three decimals, say"),
            argument="resolution",
        )
    return whole.astype(np.int64)


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, np.number)) and not isinstance(value, bool)


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType"  # pandas' own


def _extents(
    given: Any, step: float, names: list[Any], document: Array, start: Array, end: Array
) -> Array:
    spans = np.zeros((len(names), 2), np.int64)
    if given is None:
        np.minimum.at(spans[:, 0], document, start)
        np.maximum.at(spans[:, 1], document, end)
        return spans
    for i, name in enumerate(names):
        one = given
        if isinstance(given, Mapping):
            if name not in given:
                raise InputError(
                    (Argument("extents"), f" has nothing for document {name!r}"),
                    argument="extents",
                )
            one = given[name]
        pair = (0, one) if np.ndim(one) == 0 else tuple(one)
        if len(pair) != 2 or not all(map(_is_number, pair)):
            raise InputError(
                f"the extent of document {name!r} is {one!r}: a length, or (begin, end)",
                argument="extents",
            )
        spans[i] = _steps(list(pair), "extent", step, f"document {name!r}")
        if spans[i, 0] >= spans[i, 1]:
            raise InputError(
                f"document {name!r} goes from {pair[0]} to {pair[1]}, it has no length",
                ("check ", Argument("extents")),
                argument="extents",
            )
    return spans
