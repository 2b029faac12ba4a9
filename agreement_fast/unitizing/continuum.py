"""What coders marked on continua: units with a start, an end and a category.

A continuum is a document, a recording, anything with a length. A unit is a half-open interval
[start, end) of it that one coder marked as one of one category; what a coder left unmarked is a
gap. Positions are whole numbers (characters, tokens, milliseconds), because the coefficients count
the places where a unit could stand.
"""

from __future__ import annotations

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
from agreement_fast.tables import Tabular
from agreement_fast.unitizing.exact import total

#: Positions, lengths and sums of them that int64 holds with room to spare.
LARGEST = 2**61
#: How far from a whole multiple of the resolution a position may be, in multiples.
ROUNDING = 1e-6


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Continuum(Tabular):
    """The units that some coders marked on one or more documents. Immutable.

    Make one with `from_rows` or `from_frame`. Every coder counts as having seen every document: one
    who marked nothing in it left it as one gap.

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
        For each unit the place of its coder, category and document.
    start, end : int64 arrays of shape (n,)
        In steps of the resolution. Units stand in the order of category, document, coder, start,
        end. Units of one coder may overlap.
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

    def __post_init__(self) -> None:
        for name in ("extents", "coder", "category", "document", "start", "end"):
            getattr(self, name).flags.writeable = False

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each unit; `start` and `end` are positions as they were given."""
        step = 1 if self.resolution == 1 else self.resolution
        return {
            "document": [self.documents[place] for place in self.document.tolist()],
            "coder": [self.coders[place] for place in self.coder.tolist()],
            "start": self.start * step,
            "end": self.end * step,
            "category": [self.categories[place] for place in self.category.tolist()],
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

        Raises
        ------
        ValueError
            Columns of different lengths; a position that is missing or no multiple of the
            resolution; a unit that is empty, outside its document, or there twice; no coder,
            category or document in a row.
        TypeError
            Positions that are not numbers.

        Notes
        -----
        O(n log n).
        """
        if resolution is not None and not (
            isinstance(resolution, Real) and 0 < resolution < np.inf
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
        known = set(coder_names)
        coder_names += [c for c in dict.fromkeys(map(as_python, all_coders)) if c not in known]
        if isinstance(extents, Mapping):
            known = set(document_names)
            document_names += [d for d in map(as_python, extents) if d not in known]
        elif not document_names:
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
        order = np.lexsort((end, start, coder, document, category))
        coder, category, document, start, end = (
            np.ascontiguousarray(values[order])
            for values in (coder, category, document, start, end)
        )
        columns = (coder, document, category, start, end)
        again = np.flatnonzero(np.logical_and.reduce([np.diff(column) == 0 for column in columns]))
        if len(again):
            first = int(again[0])
            rows = tuple(order[first : first + 2].tolist())
            names = coder_names[coder[first]], category_names[category[first]]
            raise InputError(
                (
                    Phrase("rows", f"rows {rows[0]} and {rows[1]}", rows),
                    f" are the same unit, both by coder {names[0]!r} and of category {names[1]!r} "
                    f"(such pairs: {len(again)}): a coder marks a unit once",
                )
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
    ) -> Continuum:
        """Read one unit a row from a data frame of any library that narwhals knows.

        Names of columns; everything else as in `from_rows`.

        Examples
        --------
        >>> import pandas as pd
        >>> from agreement_fast import unitizing
        >>> frame = pd.DataFrame({"who": ["A", "B"], "from": [0, 2], "to": [4, 5]})
        >>> unitizing.Continuum.from_frame(frame, coder="who", start="from", end="to", extents=6)
        Continuum(2 units, 2 coders, 1 document of length 6, 1 category: 'unit')
        """

        columns = frames.pick(
            frames.at_hand(frame),
            coder=coder,
            start=start,
            end=end,
            category=category,
            document=document,
        )
        return Continuum.from_rows(
            *columns,
            extents=extents,
            all_coders=all_coders,
            resolution=resolution,
        )

    @property
    def n_units(self) -> int:
        """Units of all coders."""
        return len(self.start)

    @property
    def n_coders(self) -> int:
        """Coders, m."""
        return len(self.coders)

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

        Extents stay as they are, and so does the order of what is kept.

        Raises
        ------
        KeyError
            A coder, category or document that is not there.
        """
        keep = np.ones(self.n_units, bool)
        kept: dict[str, tuple[Any, ...]] = {}
        codes: list[Array] = []
        for wanted, names, code, what in (
            (coders, self.coders, self.coder, "coder"),
            (categories, self.categories, self.category, "category"),
            (documents, self.documents, self.document, "document"),
        ):
            chosen = names if wanted is None else tuple(map(as_python, wanted))
            unknown = [name for name in chosen if name not in names]
            if unknown:
                raise UnknownKeyError(f"no {what} {unknown[0]!r}; there are {shorten(names)}")
            place = np.array([name in chosen for name in names], bool)
            keep &= place[code]
            kept[what] = tuple(name for name in names if name in chosen)
            codes.append((np.cumsum(place, dtype=np.int32) - 1).astype(np.int32)[code])
        coder, category, document = (code[keep] for code in codes)
        spans = self.extents[[name in kept["document"] for name in self.documents]]
        return Continuum(
            kept["coder"],
            kept["category"],
            kept["document"],
            spans,
            self.inferred,
            self.resolution,
            coder,
            category,
            document,
            self.start[keep],
            self.end[keep],
        )

    def __repr__(self) -> str:
        def count(n: int, one: str, many: str | None = None) -> str:
            return f"{n} {one if n == 1 else many or one + 's'}"

        return (
            f"Continuum({count(self.n_units, 'unit')}, {count(self.n_coders, 'coder')}, "
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


def _steps(values: Any, what: str, step: float) -> Array:
    """Positions as whole numbers of steps."""
    if np.ma.is_masked(values):
        values = values.astype(np.float64).filled(np.nan)
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(
            f"{what}s are a column of numbers, not of shape {array.shape}",
            argument=f"{what}s",
        )
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind == "O":
        array = np.array([np.nan if value is None else value for value in array.tolist()])
    if array.dtype.kind not in "uif":
        raise InputTypeError(
            f"{what}s must be numbers that 64 bits hold, not {array.dtype}: "
            f"{as_python(array[0])!r}",
            argument=f"{what}s",
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        i = int(np.argmin(np.isfinite(array)))
        raise InputError(
            (f"{what} of ", _row(i), f" is missing or not finite: {as_python(array[i])}"),
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
    bad = np.abs(multiples - whole) > ROUNDING
    if bad.any():
        i = int(np.argmax(bad))
        raise InputError(
            (
                f"{what} {as_python(array[i])} of ",
                _row(i),
                f" is no whole multiple of the resolution {step:g}",
            ),
            ("pass ", Argument("resolution", 0.001), " for seconds with three decimals, say"),
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
        one = given
        if isinstance(given, Mapping):
            if name not in given:
                raise InputError(
                    (Argument("extents"), f" has nothing for document {name!r}"),
                    argument="extents",
                )
            one = given[name]
        pair = (0, one) if np.ndim(one) == 0 else tuple(one)
        if len(pair) != 2:
            raise InputError(
                f"the extent of document {name!r} is {one!r}: a length, or (begin, end)",
                argument="extents",
            )
        spans[i] = _steps(list(pair), "extent", step)
        if spans[i, 0] >= spans[i, 1]:
            raise InputError(
                f"document {name!r} goes from {pair[0]} to {pair[1]}, it has no length",
                ("check ", Argument("extents")),
                argument="extents",
            )
    return spans
