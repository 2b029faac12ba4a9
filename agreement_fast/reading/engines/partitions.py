"""The third way: read the rows of whole items a part at a time, and add up the pieces.

It is for data that engines cannot group: sets, numbers that rarely repeat, too many patterns.
DuckDB, polars and databases sort the rows by item and send them; the stream is cut at the end of an
item. Spark and Dask shuffle them by item and read them on their workers, which send pieces.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple, Protocol, cast

import narwhals as nw
import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import (
    AgreementError,
    Argument,
    InputError,
    InputTypeError,
    TooLargeError,
)
from agreement_fast.patterns import Rows, as_lists, narrow
from agreement_fast.reading import frames
from agreement_fast.reading.engines.items import Fetched, refuse_conflicts, refuse_repeats
from agreement_fast.reading.engines.table import (
    CODER,
    LABEL,
    ORDER,
    WEIGHT,
    LazyTable,
    Queries,
    not_of_type,
)
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.labels import arrange
from agreement_fast.reading.long import read_long
from agreement_fast.reading.parts import Options, Parts
from agreement_fast.reading.pieces import (
    Names,
    Piece,
    add_up,
    parts_of,
    piece_of,
    recoded,
    united_categories,
)
from agreement_fast.reading.repeats import (
    find_coder,
    joined_key,
    labels_of_items,
    no_repeats,
)
from agreement_fast.reading.row_order import group_within, in_usual_form
from agreement_fast.reading.stored_pieces import from_bytes, to_bytes

#: Errors of this argument.
wrong_way = partial(InputError, argument="way")


def whole_items(batches: Iterable[Any], keys: Sequence[str], n_rows: int) -> Iterator[Any]:
    """Yield parts of about `n_rows` rows, or of one item if it has more.

    `batches`: rows in which those of each item are adjacent. `keys`: the columns that name an item.
    """
    held: list[Any] = []
    n_held, enough = 0, n_rows
    for batch in batches:
        for begin in range(0, len(batch), n_rows):
            held.append(batch[begin : begin + n_rows])
            n_held += len(held[-1])
            if n_held < enough:
                continue
            rows = nw.concat(held)
            # Where the last item begins
            same = np.ones(len(rows), bool)
            for key in keys:
                column = rows[key]
                same &= (column == column[-1]).to_numpy().astype(bool)
            others = np.flatnonzero(~same)
            last = int(others[-1]) + 1 if len(others) else 0
            if last:
                yield rows[:last]
                rows = rows[last:]
            held, n_held = [rows], len(rows)
            del rows
            # An item without an end is checked again only when its rows have doubled.
            enough = max(n_rows, 2 * n_held)
    if n_held:
        yield nw.concat(held)


#: The name of this coder, and the prefix of its labels.
MARK = "agreement_fast: beside"
_BESIDE = (MARK,)


def put_beside(parts: Parts, columns: Sequence[Sequence[Any]]) -> Parts:
    """Add a coder whose label of each item is the values of `columns`; None if all are missing.

    Categories lose their order; see `take_apart`.
    """
    categories, coders, rows = parts["categories"], parts["coders"], parts["rows"]
    assert categories is not None
    assert coders is not None
    assert rows is not None
    number: dict[Any, int] = {}
    labels = [
        number.setdefault(
            (MARK, *(() if value is None else (value,) for value in row)), len(number)
        )
        for row in zip(*columns, strict=True)
    ]
    lists = as_lists(rows)
    ends = lists.start[1:]
    dtype = narrow(len(categories) + len(number))
    codes = np.insert(lists.codes.astype(dtype), ends, np.array(labels, dtype) + len(categories))
    listed = np.insert(cast(Array, lists.coders), ends, len(coders))
    start = lists.start + np.arange(len(lists.start))
    more = Rows(codes, 0, start, listed, None, lists.weights)
    added = Parts(categories=(*categories, *number), declared=False, coders=[*coders, _BESIDE])
    return cast(Parts, {**parts, **added, "rows": more})


def take_apart(piece: Piece, nothing: Piece, n_columns: int) -> Fetched:
    """Return the parts of annotations, and the values beside each row.

    `piece`: the sum of pieces from `put_beside`. `nothing`: the piece of no judgments, with the
    declared categories. `n_columns`: the number of columns beside the judgments.
    """
    if _BESIDE not in (piece.coders or ()):  # no items
        return Fetched(parts_of(nothing), [[] for _ in range(n_columns)])
    rows = as_lists(piece.rows)
    coders, categories = cast("tuple[Any, ...]", piece.coders), piece.categories
    own = cast(Array, rows.coders) == coders.index(_BESIDE)
    keys, groups = _numbered([categories[code] for code in rows.codes[own].tolist()], n_columns)
    labels, label = _without(
        categories, lambda entry: isinstance(entry, tuple) and entry[:1] == _BESIDE
    )
    names, name = _without(coders, lambda entry: entry == _BESIDE)
    rest = Rows(
        label.astype(narrow(len(labels)))[rows.codes[~own]],
        0,
        rows.start - np.arange(len(rows.start)),
        name[cast(Array, rows.coders)[~own]],
        None,
        rows.weights,
    )
    ordered = tuple(labels[i] for i in arrange(labels))
    known = tuple(names[i] for i in arrange(names))
    settled, declared = united_categories(
        [(nothing.categories, nothing.declared), (ordered, False)]
    )
    rest = recoded(rest, Names(tuple(labels), names), Names(settled, known))
    rest, codes = group_within(in_usual_form(rest, len(known)), groups, len(known), len(settled))
    made = parts_of(piece._replace(categories=settled, declared=declared, coders=known, rows=rest))
    return Fetched(made, [[keys[code][i] for code in codes.tolist()] for i in range(n_columns)])


def _without(names: Sequence[Any], leave: Callable[[Any], bool]) -> tuple[list[Any], Array]:
    """Return names without some, and the place of each among the rest."""
    kept = np.array([not leave(name) for name in names], bool)
    left = [name for name, is_kept in zip(names, kept.tolist(), strict=True) if is_kept]
    return left, (np.cumsum(kept) - 1).astype(np.int32)


def _numbered(labels: list[Any], n_columns: int) -> tuple[list[tuple[Any, ...]], Array]:
    """Return the distinct combinations in the order of their columns, and a code for each row."""
    columns, ranks = [], []
    for i in range(1, n_columns + 1):
        given = list(dict.fromkeys(value for words in labels for value in words[i]))
        given = [given[place] for place in arrange(given)]
        values, _ = united_categories([(tuple(given), False)])
        rank = {value: place for place, value in enumerate(values)}
        ranks.append([rank[words[i][0]] if words[i] else len(values) for words in labels])
        columns.append([*values, None])
    keys = sorted(set(zip(*ranks, strict=True)))
    code = {key: place for place, key in enumerate(keys)}
    named = [tuple(column[rank] for column, rank in zip(columns, key, strict=True)) for key in keys]
    return named, np.array([code[key] for key in zip(*ranks, strict=True)], np.int64)


#: The number of rows of a part, which takes some hundred megabytes while it is read.
PART_ROWS = 2_000_000


class Reading(NamedTuple):
    """How a part is read."""

    #: The columns that name an item.
    keys: tuple[str, ...]
    #: The options of reading, with the name of the column ORDER; None if there is none.
    options: Options = Options()
    #: Columns that describe items: the column in the frame, and its name.
    beside: tuple[tuple[str, str], ...] = ()
    #: Whether there is a column of weights.
    weighted: bool = False
    #: The number of rows of a part.
    part_rows: int = PART_ROWS


def piece_of_items(rows: Any, reading: Reading) -> Piece:
    """Return the patterns of a data frame of narwhals with all rows of its items."""
    options = reading.options
    if options.order is not None:
        ordered = frames.in_order(rows.to_native(), ORDER)
        rows = nw.from_native(ordered.frame, eager_only=True)
        options = options._replace(times=ordered.times)
    items = joined_key([frames.column(rows[key]) for key in reading.keys])
    columns = items, frames.column(rows[CODER]), frames.column(rows[LABEL])
    weights = rows[WEIGHT].to_numpy() if reading.weighted else None
    parts = read_long(*columns, options, weights=weights, is_part=True, hints=False)
    if reading.beside:
        labels = [
            labels_of_items(items, frames.column(rows[own]), name) for own, name in reading.beside
        ]
        parts = put_beside(parts, labels)
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
        return Sent(to_bytes(add_up(chain([first], read))), None, n_parts)
    except AgreementError as error:
        parts = [type(error).__name__, error.problem, error.remedy, error.argument]
        return Sent(None, json.dumps(parts), n_parts)


#: The errors of workers, by name; any other is a ValueError.
RAISED = {kind.__name__: kind for kind in (InputError, InputTypeError, TooLargeError)}


def raised(problem: str) -> AgreementError:
    """Return the error that a worker sent."""
    kind, message, remedy, argument = json.loads(problem)
    return RAISED.get(kind, InputError)(message, remedy, argument=argument)


#: The largest patterns that may be returned, and those to hold before adding them up, in bytes.
MOST_BYTES, HELD_BYTES = 1 << 31, 1 << 26


class Engine(Protocol):
    """How the rows of an engine become pieces."""

    def pieces(self, rows: Any, reading: Reading, queries: Queries) -> Iterator[Piece]:
        """Yield pieces of whole items; `rows` is a lazy frame of narwhals."""
        ...


class _Streamed:
    """Rows that the engine sorts by item and sends a part at a time.

    `batches`: yields frames that narwhals supports.
    """

    def __init__(self, batches: Any) -> None:
        self.batches = batches

    def pieces(self, rows: Any, reading: Reading, queries: Queries) -> Iterator[Piece]:
        ordered = rows.sort(*reading.keys).to_native()
        stream = self.batches(ordered, reading.part_rows)
        queries.n_queries += 1
        queries.n_parts = 0
        try:
            for part in whole_items(_frames(stream), reading.keys, reading.part_rows):
                queries.came(len(part), int(part.estimated_size()))
                queries.n_parts += 1
                yield piece_of_items(part, reading)
        finally:
            stream.close()


def _frames(stream: Iterable[Any]) -> Iterator[Any]:
    """Yield batches as frames of narwhals."""
    for batch in stream:
        if type(batch).__name__ == "RecordBatch":
            import pyarrow as pa

            yield nw.from_native(pa.Table.from_batches([batch]))
        else:
            yield nw.from_native(batch)


def _of_duckdb(ordered: Any, n_rows: int) -> Any:
    try:
        return ordered.to_arrow_reader(n_rows)
    except ModuleNotFoundError as error:
        raise InputError(
            f"reading rows of DuckDB requires {error.name}, which is not installed",
            f"pip install {error.name}",
        ) from None


def _of_polars(ordered: Any, n_rows: int) -> Iterator[Any]:
    batches = getattr(ordered, "collect_batches", None)
    if batches is not None:
        yield from batches(chunk_size=n_rows)
        return
    whole = ordered.collect()  # old versions
    for begin in range(0, len(whole), n_rows):
        yield whole[begin : begin + n_rows]


def _of_ibis(ordered: Any, n_rows: int) -> Any:
    plain = all(
        kind.is_integer() or kind.is_floating() or kind.is_string()
        for kind in ordered.schema().types
    )
    if plain and ordered.get_backend().name == "sqlite":
        return _of_sqlite(ordered, n_rows)
    return ordered.to_pyarrow_batches(chunk_size=n_rows)


def _of_sqlite(ordered: Any, n_rows: int) -> Iterator[Any]:
    """Yield rows of a cursor, because Ibis would hold all of them and round integers."""
    import pyarrow as pa

    backend, schema = ordered.get_backend(), ordered.schema().to_pyarrow()
    with closing(backend.raw_sql(backend.compile(ordered))) as cursor:
        while some := cursor.fetchmany(n_rows):
            columns = zip(*some, strict=True)
            try:
                arrays = [pa.array(c, type=f.type) for c, f in zip(columns, schema, strict=True)]
            except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
                raise not_of_type(error) from None
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)


class _Spark:
    """Rows that Spark shuffles by item and reads on its workers."""

    def pieces(self, rows: Any, reading: Reading, queries: Queries) -> Iterator[Piece]:
        by_item = rows.to_native().repartition(*reading.keys).sortWithinPartitions(*reading.keys)
        frames_of_parts = by_item.mapInArrow(
            partial(_on_spark, reading), "piece binary, problem string, n_parts long"
        ).persist()
        try:
            size = frames_of_parts.selectExpr("sum(length(piece))").collect()[0][0] or 0
            _check_size(size)
            queries.n_queries += 2
            queries.n_parts = 0
            # One job for all partitions, or one for each, so that only one is in memory.
            few = size <= HELD_BYTES
            for piece, problem, n_parts in (
                frames_of_parts.collect() if few else frames_of_parts.toLocalIterator()
            ):
                yield _received(Sent(piece, problem, n_parts), queries)
        except Exception as error:
            if "No module named 'agreement_fast'" in str(error):
                raise InputError(
                    "the workers of Spark cannot import agreement_fast",
                    "install it in their Python (PYSPARK_PYTHON), or send an environment with "
                    "spark.archives",
                ) from error
            raise
        finally:
            frames_of_parts.unpersist()


def _on_spark(reading: Reading, batches: Iterable[Any]) -> Iterator[Any]:
    """Read a partition, which comes in several batches. Runs on a worker."""
    import pyarrow as pa

    read = sent(_frames(batches), reading)
    if read.piece is not None or read.problem is not None:
        schema = pa.schema(
            [("piece", pa.binary()), ("problem", pa.string()), ("n_parts", pa.int64())]
        )
        row = {"piece": read.piece, "problem": read.problem, "n_parts": read.n_parts}
        yield pa.RecordBatch.from_pylist([row], schema)


class _Dask:
    """Rows that Dask shuffles by item and reads on its workers."""

    def pieces(self, rows: Any, reading: Reading, queries: Queries) -> Iterator[Piece]:
        dask: Any = import_module("dask")
        parts = rows.to_native().shuffle(on=list(reading.keys)).to_delayed()
        read = dask.delayed(_on_dask)
        result = dask.persist(*(read(part, reading) for part in parts))
        measure = dask.delayed(_size)
        _check_size(sum(dask.compute(*map(measure, result))))
        queries.n_queries += 2
        queries.n_parts = 0
        for entry in result:
            partition = Sent(*dask.compute(entry)[0])
            if partition.n_parts:
                yield _received(partition, queries)


def _on_dask(rows: Any, reading: Reading) -> tuple[Any, ...]:
    """Read a partition. Runs on a worker, which sends only built-in types."""
    return tuple(sent([nw.from_native(rows).sort(*reading.keys)], reading))


def _size(read: tuple[Any, ...]) -> int:
    return len(Sent(*read).piece or b"")


def _received(read: Sent, queries: Queries) -> Piece:
    """Return the piece that a worker sent, or raise its error."""
    if read.problem is not None:
        raise raised(read.problem)
    assert read.piece is not None
    piece = from_bytes(bytes(read.piece))
    queries.came(piece.rows.n_rows, len(read.piece))
    queries.n_parts = (queries.n_parts or 0) + read.n_parts
    return piece


#: By narwhals' name of the engine.
ENGINES: Mapping[str, Engine] = {
    "duckdb": _Streamed(_of_duckdb),
    "polars": _Streamed(_of_polars),
    "ibis": _Streamed(_of_ibis),
    "pyspark": _Spark(),
    "pyspark_connect": _Spark(),
    "dask": _Dask(),
}


# ---------------------------------------------------------------------- the way


def start(table: LazyTable, repeats_of: Hashable, queries: Queries) -> Hashable:
    """Check the rows; with `repeats_of`, keep those of one coder."""
    table.check(queries)
    if repeats_of is None:
        return None
    rows = queries.fetch(table.rows.select(CODER).unique())
    if rows is None:
        raise InputError("the coders are too many", argument="repeats_of")
    _, coders = encode_sorted_ids(frames.column(rows[CODER]), "coder")
    coder = find_coder(coders, repeats_of)
    table.only(coder)
    return coder


def read_partitions(table: LazyTable, engine: str, reading: Reading, queries: Queries) -> Fetched:
    """Return the distinct rows of judgments, and the columns of `by` and `along`

    `table`: checked, see `start`. `engine`: a name of `ENGINES`.
    """
    known = ENGINES.get(engine)
    if known is None:
        raise wrong_way(
            f"{engine} cannot return the rows of whole items",
            (
                "pass ",
                Argument("way", "patterns", "counts"),
                f", which every engine computes; {', '.join(ENGINES)} give them",
            ),
        )
    try:
        whole = _added_up(known.pieces(table.rows, reading, queries))
    except AgreementError as error:
        # A part knows only its own items, so the engine counts all repeats and names the first.
        if error.argument == "duplicates":
            raise refuse_repeats(table, queries) from None
        if error.argument in ("weights", "along"):
            raise refuse_conflicts(table, queries) from None
        raise
    options = reading.options._replace(missing=None, repeats_of=None)
    nothing = piece_of(read_long([], [], [], options))
    whole = nothing if whole is None else whole
    if reading.options.repeats_of is not None and not whole.rows.n_rows:
        raise no_repeats(reading.options.repeats_of, whole.left_out.items_judged_once)
    if reading.beside:
        return take_apart(whole, nothing, len(reading.beside))
    return Fetched(parts_of(whole), [])


def _added_up(pieces: Iterable[Piece]) -> Piece | None:
    """Return the sum of pieces, which are added up in batches."""
    held: list[Piece] = []
    size, enough = 0, HELD_BYTES
    for piece in pieces:
        held.append(piece)
        size += _bytes_of(piece)
        if size > enough:
            held = [add_up(held)]
            size = _bytes_of(held[0])
            _check_size(size)
            enough = HELD_BYTES + min(size, MOST_BYTES)
    return add_up(held) if held else None


def _bytes_of(piece: Piece) -> int:
    rows = piece.rows
    arrays = [rows.codes, rows.coders, rows.weights, None if rows.width else rows.start]
    return sum(array.nbytes for array in arrays if array is not None)


def _check_size(size: int) -> None:
    """Raise an error for patterns that are too large."""
    if size > MOST_BYTES:
        raise wrong_way(
            f"the patterns take {size / 2**30:.1f} GB, and {MOST_BYTES / 2**30:.0f} GB are allowed",
            (
                "filter the frame and read a part of the groups at a time, round numbers, or pass ",
                Argument("way", "counts"),
                " if there are few labels",
            ),
        )
