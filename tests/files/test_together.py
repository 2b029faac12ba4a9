"""Alike files are read by one query, and errors still name the file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from agreement_fast.files import (
    ReadError,
    ReadOptions,
    Stream,
    Workplace,
    open_table,
    plain,
    read,
    stream,
)
from agreement_fast.files.query import QueryReader

N = 16


def write(path: Path, n: int, columns: tuple[str, ...] = ("item", "coder", "label")) -> None:
    """Write one item that two coders judged."""
    rows: list[tuple[Any, ...]] = [(f"i{n}", "a", n % 3), (f"i{n}", "b", n % 2)]
    if columns[0] == "label":
        rows = [row[::-1] for row in rows]
    if path.suffix == ".parquet":
        pq.write_table(pa.table(dict(zip(columns, zip(*rows, strict=True), strict=True))), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(dict(zip(columns, row, strict=True))) for row in rows))
    else:
        path.write_text("\n".join([",".join(columns), *(",".join(map(str, r)) for r in rows), ""]))


@pytest.fixture(params=["parquet", "csv", "jsonl"])
def many(request: pytest.FixtureRequest, folder: Path) -> list[str]:
    paths = [f"part-{n:03}.{request.param}" for n in range(N)]
    for n, path in enumerate(paths):
        write(folder / path, n)
    return paths


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the queries on files, which are not read without any."""
    monkeypatch.setattr(plain, "MOST_BYTES", -1)
    result: list[str] = []
    for name in ("run", "batches"):
        original: Callable[..., Any] = getattr(QueryReader, name)

        def noted(*args: Any, original: Callable[..., Any] = original, **kwargs: Any) -> Any:
            result.append(str(args[1]))
            return original(*args, **kwargs)

        monkeypatch.setattr(QueryReader, name, noted)
    return result


def as_stream(paths: list[str], monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[list[Any]]:
    """Read part by part and return the rows."""
    for name in ("LARGE", "LARGE_FILE", "LARGE_ZIPPED_FILE"):
        monkeypatch.setattr(stream, name, 0)
    with ExitStack() as stack:
        table = open_table(Workplace(stack), paths, ReadOptions(**options))
        assert isinstance(table, Stream)
        return [
            list(row)
            for part in table.parts(lambda done: None)
            for row in zip(
                part.items.codes,
                part.coders.decode(),
                part.labels.decode(),
                *([part.groups.decode()] if part.groups else []),
                strict=True,
            )
        ]


@pytest.mark.few(every=3)
def test_rows_keep_their_order(many: list[str]) -> None:
    for paths in (many, many[::-1]):
        table = read(paths)
        expected = [f"i{int(path[5:8])}" for path in paths for _ in "ab"]
        assert table.items.decode().tolist() == expected
        assert table.coders.decode().tolist() == ["a", "b"] * N
    assert table.labels.decode()[:2].tolist() == [(N - 1) % 3, (N - 1) % 2]


@pytest.mark.parametrize("many", ["csv", "parquet"], indirect=True)
@pytest.mark.parametrize("asked", [{}, {"where": "label > 0", "by": "coder"}])
def test_queries_do_not_grow_with_the_files(
    many: list[str], queries: list[str], asked: dict[str, Any]
) -> None:
    read(many, coder_from="part-(.*)[.]", item="item", label="label", **asked)
    assert 0 < len(queries) <= 8


@pytest.mark.parametrize("many", ["csv", "parquet"], indirect=True)
def test_what_differs_by_file_stays_with_its_rows(
    many: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"coder_from": "part-(.*)[.]", "by": "coder", "item": "item", "label": "label"}
    expected = [f"{n:03}" for n in range(N) for _ in "ab"]
    assert read(many, **options).coders.decode().tolist() == expected
    rows = as_stream(many, monkeypatch, **options)
    assert sorted((coder, group) for _, coder, _, group in rows) == [
        (f"{n:03}", group) for n in range(N) for group in "ab"
    ]


@pytest.mark.few(every=3)
def test_other_columns_in_between(many: list[str]) -> None:
    write(Path(many[10]), 10, ("label", "coder", "item"))
    table = read(many, where="coder IS NOT NULL")
    expected = [f"i{n}" for n in range(N) for _ in "ab"]
    assert table.items.decode().tolist() == expected
    write(Path(many[15]), 15, ("item", "coder", "other"))
    with pytest.raises(ReadError, match=f"no column 'label'; '{many[15]}' has"):
        read(many)


@pytest.mark.parametrize("as_parts", [False, True])
def test_a_bad_file_among_many_is_named(
    many: list[str], as_parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = Path(many[13])
    kind = bad.suffix
    if kind == ".parquet":
        content = bad.read_bytes()
        bad.write_bytes(content[:4] + b"\0" * 60 + content[64:])
    else:
        bad.write_text({".csv": "item,coder,label\ni,a\n"}.get(kind, '{"item":1}{"'))

    def call() -> object:
        return as_stream(many, monkeypatch) if as_parts else read(many)

    with pytest.raises(ReadError, match=f"^'{bad.name}'") as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("as_parts", [False, True])
def test_irregular_files_among_many(
    folder: Path, as_parts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [f"part-{n:03}.csv" for n in range(N)]
    for n, path in enumerate(paths):
        write(folder / path, n)
    for n in (0, 11, 12, N - 1):
        (folder / paths[n]).write_bytes(f'item,coder,label\r\ni{n},a,"0\r1"\ni{n},b,1\r\n'.encode())
    expected = read(paths).items.decode().tolist()
    assert expected == [f"i{n}" for n in range(N) for _ in "ab"]
    if as_parts:
        rows = as_stream(paths, monkeypatch)
        assert len(rows) == len(expected)


def test_types_of_conditions_are_those_of_all_files(folder: Path) -> None:
    for n in range(4):
        (folder / f"{n}.csv").write_text(
            f"item,coder,label,n,d\n{n},a,x,{['', '1', '2.5', '1e1'][n]},2020-01-0{n + 1}\n"
        )
    paths = [f"{n}.csv" for n in range(4)]
    assert read(paths, where="n > 2").items.decode().tolist() == ["2", "3"]
    assert read(paths, where="d >= DATE '2020-01-03'").items.decode().tolist() == ["2", "3"]
    assert read(paths, where="n IS NULL").source.rows == 1


@pytest.mark.parametrize("many", ["csv", "parquet"], indirect=True)
def test_empty_files_are_remarked(many: list[str]) -> None:
    for n in (3, 15):
        if many[n].endswith("parquet"):
            pq.write_table(pq.read_table(many[n]).slice(0, 0), many[n])
        else:
            Path(many[n]).write_text("item,coder,label\n")
    assert read(many).source.notes == tuple(f"'{many[n]}' has no rows" for n in (3, 15))


def test_a_column_that_is_called_as_the_place_of_a_file(folder: Path) -> None:
    rows = {"item": ["1"], "coder": ["a"], "label": ["x"], "File_Index": ["z"]}
    for n in range(3):
        (folder / f"k={n}").mkdir()
        pq.write_table(pa.table(rows), folder / f"k={n}" / "t.parquet")
    table = read("k=*", by="k", coder="File_Index")
    assert table.coders.decode().tolist() == ["z"] * 3
    assert [group for group, _ in table.split()] == [0, 1, 2]


def test_many_small_files_may_be_many_rows(folder: Path) -> None:
    write(folder / "a.csv", 1)
    with ExitStack() as stack:
        workplace = Workplace(stack)
        from agreement_fast.files.opening import open_files

        size = os.path.getsize("a.csv")
        files = open_files(["a.csv"] * 3, workplace, ReadOptions())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stream, "LARGE_FILE", 2 * size)
            assert stream.may_be_large(files)
            assert not stream.may_be_large(files[:2])
