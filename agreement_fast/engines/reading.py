"""Read one part of the judgments, whole items, as a piece.

The same code runs in this process and on the workers of Spark and Dask. Workers send bytes of
Arrow, or an error as text, so nothing is unpickled here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from agreement_fast.engines.beside import put_beside
from agreement_fast.engines.cuts import whole_items
from agreement_fast.engines.table import CODER, LABEL, ORDER, WEIGHT
from agreement_fast.errors import (
    AgreementError,
    InputError,
    InputTypeError,
    TooLargeError,
)
from agreement_fast.pieces import Piece, add_up, piece_of
from agreement_fast.reading import frames
from agreement_fast.reading.keys import joined_key, said_of_items
from agreement_fast.reading.long import read_long
from agreement_fast.reading.order import check_order
from agreement_fast.stored_pieces import to_bytes

__all__ = ["PART_ROWS", "Reading", "Sent", "piece_of_items", "raised", "sent"]

#: The number of rows of a part, which takes some hundred megabytes while it is read.
PART_ROWS = 2_000_000


class Reading(NamedTuple):
    """How a part is read.

    Attributes
    ----------
    keys : tuple of str
        The columns that name an item.
    beside : tuple of (str, str)
        Columns that describe items: the column in the frame, and its name.
    weighted : bool
        Whether there is a column of weights.
    order : str or None
        The name of the column ORDER; None if there is none.
    missing, categories, duplicates, repeats_of, set_separator
        As in `Annotations.from_long`.
    part_rows : int
        The number of rows of a part.
    """

    keys: tuple[str, ...]
    beside: tuple[tuple[str, str], ...] = ()
    weighted: bool = False
    order: str | None = None
    missing: Any = None
    categories: Any = None
    duplicates: str = "error"
    repeats_of: Any = None
    set_separator: str | None = None
    part_rows: int = PART_ROWS


def piece_of_items(rows: Any, reading: Reading) -> Piece:
    """Return the patterns of a data frame of narwhals with all rows of its items."""
    import narwhals as nw

    times = None
    if reading.order is not None:
        ordered = frames.in_order(rows.to_native(), ORDER)
        rows, times = nw.from_native(ordered.frame, eager_only=True), ordered.times
    items = joined_key([frames.column(rows[key]) for key in reading.keys])
    columns = items, frames.column(rows[CODER]), frames.column(rows[LABEL])
    if reading.order is not None and times is not None:
        check_order(
            *columns,
            times,
            reading.order,
            missing=reading.missing,
            duplicates=reading.duplicates,
            repeats_of=reading.repeats_of,
            set_separator=reading.set_separator,
        )
    parts = read_long(
        *columns,
        missing=reading.missing,
        categories=reading.categories,
        duplicates=reading.duplicates,
        repeats_of=reading.repeats_of,
        weights=rows[WEIGHT].to_numpy() if reading.weighted else None,
        set_separator=reading.set_separator,
        is_part=True,
        hints=False,
    )
    if reading.beside:
        said = [
            said_of_items(items, frames.column(rows[own]), name) for own, name in reading.beside
        ]
        parts = put_beside(parts, said)
    return piece_of(parts)


# ---------------------------------------------------------------------- sent by workers


class Sent(NamedTuple):
    """The message of a worker: the bytes of a piece, or an error; and the number of parts read."""

    piece: bytes | None
    problem: str | None
    n_parts: int


def sent(batches: Iterable[Any], reading: Reading) -> Sent:
    """Read the rows of a partition, which are sorted by item."""
    n_parts = 0

    def pieces() -> Iterator[Piece]:
        nonlocal n_parts
        for part in whole_items(batches, reading.keys, reading.part_rows):
            n_parts += 1
            yield piece_of_items(part, reading)

    try:
        read = iter(pieces())
        first = next(read, None)
        if first is None:
            return Sent(None, None, 0)
        return Sent(to_bytes(add_up(_chained(first, read))), None, n_parts)
    except AgreementError as error:
        return Sent(None, _written(error), n_parts)


def _chained(first: Piece, others: Iterator[Piece]) -> Iterator[Piece]:
    yield first
    yield from others


#: The errors of workers, by name; any other is a ValueError.
RAISED = {kind.__name__: kind for kind in (InputError, InputTypeError, TooLargeError)}


def _written(error: AgreementError) -> str:
    return json.dumps([type(error).__name__, error.problem, error.remedy, error.argument])


def raised(problem: str) -> AgreementError:
    """Return the error that a worker sent."""
    kind, said, remedy, argument = json.loads(problem)
    return RAISED.get(kind, InputError)(said, remedy, argument=argument)
