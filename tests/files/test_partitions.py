"""The folders ``project=a/day=2`` above a file are columns of its rows."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import Command
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast.files import (
    UNIT_ROLES,
    ColumnOptions,
    ReadError,
    ReadOptions,
    Stream,
    Workplace,
    open_table,
    read,
    read_columns,
    stream,
)
from agreement_fast.files.file import MISSING, partitions_of

Rows = list[dict[str, Any]]

ROWS: Rows = [
    {"item": 1, "coder": "a", "label": "x"},
    {"item": 1, "coder": "b", "label": "x"},
    {"item": 2, "coder": "a", "label": "y"},
    {"item": 2, "coder": "b", "label": "x"},
]


def put(path: str, rows: Rows = ROWS) -> str:
    """Write a table in the format of its extension."""
    where = Path(path)
    where.parent.mkdir(parents=True, exist_ok=True)
    if path.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), where)
    elif path.endswith(".jsonl"):
        where.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    else:
        lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
        where.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def refusal(paths: str | list[str], **options: Any) -> str:
    with pytest.raises(ReadError) as caught:
        read(paths, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture(params=["parquet", "csv", "jsonl"])
def lake(request: pytest.FixtureRequest, folder: Path) -> str:
    """Make a lake of three projects and three days; return the glob of its files."""
    for project in ("p", "q", MISSING):
        for day in (2, 10, 1):
            put(f"lake/project={project}/day={day}/1.{request.param}")
    return f"lake/project=*/day=*/*.{request.param}"


@pytest.mark.few("csv")
def test_folders_are_columns(lake: str) -> None:
    table = read(lake, by=["project", "day"], item=["day", "item"])
    assert table.groups is not None
    assert [group for group, _ in table.split()] == [
        ("p", 1), ("p", 2), ("p", 10), ("q", 1), ("q", 2), ("q", 10),
        (None, 1), (None, 2), (None, 10),
    ]  # fmt: skip
    assert [len(one.labels.codes) for _, one in table.split()] == [4] * 9
    assert table.items.decode()[0] in ("1 · 1", "2 · 1", "10 · 1")
    assert table.source.guessed == ("coder", "label")
    assert any("columns 'project', 'day' are read from the paths" in one
               for one in table.source.notes)  # fmt: skip
    assert not any("read from the paths" in one for one in read(lake).source.notes)


@pytest.mark.parametrize("lake", ["csv", "parquet"], indirect=True)
def test_conditions_see_numbers(lake: str) -> None:
    assert read(lake, where="day + 1 > 9").source.rows == 12
    assert read(lake, where="day > 1 AND project = 'p'").source.rows == 8
    assert read(lake, where="project IS NULL AND item = 1").source.rows == 6
    assert "no row satisfies" in refusal(lake, where="day > 10")


def test_the_command_compares_the_groups_of_folders(folder: Path, command: Command) -> None:
    for day in (10, 2):
        put(f"lake/project=a b/day={day}/1.parquet")
    document = command.json("report", "lake", "--by", "day", "--item", "project,item")
    assert document["source"]["columns"]["item"] == "project,item"
    assert document["source"]["columns"]["by"] == "day"
    assert [one["group"] for one in document["reports"]] == [2, 10]
    shown = command.text("disagreements", "lake/project=a b/day=2", "--show", "project")
    assert "a b" in shown


def test_python_reads_them(folder: Path) -> None:
    put("lake/who=ann/1.csv", [{"item": 1, "label": "x"}])
    put("lake/who=ben/1.csv", [{"item": 1, "label": "y"}])
    with pytest.warns(af.ReadHint, match="column 'who' is read from the paths"):
        data = af.read("lake", coder="who")
    assert data.coders == ("ann", "ben")


def test_wide_and_units(folder: Path) -> None:
    rows = [{"doc": n, "Ann": n % 2, "Ben": n % 3 % 2} for n in range(6)]
    for project in "pq":
        put(f"w/project={project}/1.csv", rows)
    table = read("w", layout="wide", item=["project", "doc"], by="project")
    assert table.source.coders == ("Ann", "Ben")
    assert table.items.decode()[[0, 6]].tolist() == ["p · 0", "q · 0"]
    put("u/doc=1/who=a/u.csv", [{"start": 0, "end": 2}])
    put("u/doc=1/who=b/u.csv", [{"start": 1, "end": 2}])
    with ExitStack() as stack:
        options = ColumnOptions(named={"coder": "who", "document": "doc"}, where="doc = 1")
        units = read_columns(Workplace(stack), ["u"], options, UNIT_ROLES, "units")
    assert units.keys["coder"].decode().tolist() == ["a", "b"]
    assert units.keys["document"].decode().tolist() == ["1", "1"]


@pytest.mark.parametrize("lake", ["csv"], indirect=True)
def test_many_rows(lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read(lake, by="project", item=["day", "item"], where="day > 1")
    for name in ("LARGE", "LARGE_FILE", "LARGE_ZIPPED_FILE"):
        monkeypatch.setattr(stream, name, 0)
    with ExitStack() as stack:
        options = ReadOptions(by="project", item=["day", "item"], where="day > 1")
        parts = open_table(Workplace(stack), [lake], options)
        assert isinstance(parts, Stream)
        rows = {group: len(one.labels.codes) for part in parts.parts(lambda done: None)
                for group, one in part.split()}  # fmt: skip
    assert rows == {group: len(one.labels.codes) for group, one in whole.split()}
    assert parts.source.notes == whole.source.notes


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1),
       st.text("kK é·%=/", min_size=1))  # fmt: skip
@examples(20)
def test_values_are_decoded(value: str, key: str) -> None:
    written = f"lake/{quote(key, safe='')}={quote(value, safe='')}/1.csv"
    expected = None if value == MISSING else value
    assert partitions_of(written) == ({key: expected}, {})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a=b", {}),
        ("=b/1.csv", {}),
        ("a=/1.csv", {"a": None}),
        ("a=b=c/1.csv", {"a": "b=c"}),
        ("a=%zz%FF+/1.csv", {"a": "%zz%FF+"}),
        ("/a=1/x/b=2/c=3.csv", {"a": "1", "b": "2"}),
        ("a=1/a=1/x.csv", {"a": "1"}),
    ],
)
def test_what_folders_say(path: str, expected: dict[str, str | None]) -> None:
    assert partitions_of(path) == (expected, {})


def test_names_as_duckdb_reads_them(folder: Path) -> None:
    """Other programs read the same columns."""
    put("d/key=a%2Fb%3D%25/1.csv")
    other = duckdb.sql("SELECT DISTINCT key FROM read_csv('d/*/*', hive_partitioning=true)")
    table = read("d", by="key")
    assert table.groups is not None
    assert [(group,) for group, _ in table.split()] == other.fetchall() == [("a/b=%",)]


@pytest.mark.parametrize("role", ["item", "coder", "label"])
def test_nothing_in_a_path_is_guessed(folder: Path, role: str) -> None:
    rows = [{key: value for key, value in row.items() if key != role} for row in ROWS]
    path = put(f"{role}=1/t.csv", rows)
    message = refusal(path)
    assert f"cannot tell which column is the {role}: pass --{role}" in message
    assert message.endswith(f"; its path has '{role}'")
    named = read(path, **{role: role})
    assert getattr(named, f"{role}s").values.tolist() in (["1"], [1])


def test_an_unused_folder_changes_nothing(folder: Path) -> None:
    plain, odd = put("t.csv"), put("rating=z/user=q/t.csv")
    assert read(odd).source.notes == read(plain).source.notes == ()
    assert read(odd).labels.values.tolist() == ["x", "y"]
    assert "holds 'x', and the folder 'label=...'" in refusal(put("label=z/t.csv"))
    wide = put("Ann=1/w.csv", [{"Ann": n % 2, "Ben": 0, "Cy": 1} for n in range(4)])
    assert "column 'Ann' of 'Ann=1/w.csv' holds '0'" in refusal(wide, layout="wide")
    assert read(wide, layout="wide", exclude=["Ann"]).source.coders == ("Ben", "Cy")
    other = put("Di=1/w.csv", [{"Ann": n % 2, "Ben": 0, "Cy": 1} for n in range(4)])
    assert read(other, layout="wide").source.coders == ("Ann", "Ben", "Cy")


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_columns_in_both_path_and_file(folder: Path, suffix: str) -> None:
    """The values in path and file may be written differently, but must be equal."""
    for day, inside in (("01", 1), ("2", 2)):
        put(f"lake/day={day}/1.{suffix}", [{**row, "day": inside} for row in ROWS])
    assert read("lake", by="day", where="day < 2").source.rows == 4
    assert read("lake", item="day,item").source.notes == ()
    wrong = put(f"lake/day=3/1.{suffix}", [{**row, "day": 4} for row in ROWS])
    expected = f"column 'day' of '{wrong}' holds '4', and the folder 'day=...' in its path says '3'"
    assert expected in refusal("lake", by="day")
    assert expected in refusal("lake", where="day < 2")
    assert read("lake").source.rows == 12
    if suffix == "parquet":
        put(wrong, [{**row, "day": None} for row in ROWS])
        assert "holds nothing, and" in refusal("lake", by="day")


def test_files_with_other_folders(folder: Path) -> None:
    put("lake/day=1/1.csv")
    put("lake/1.csv")
    assert "no column 'day' in 1 of 2 files, such as 'lake/1.csv'" in refusal("lake", by="day")
    message = refusal("lake", where="day = 1")
    assert "--where names 'day', a folder of 'lake/day=1/1.csv'; 'lake/1.csv' has no" in message
    assert read("lake").source.rows == 8
    # One file has the column, the other the folder.
    put("lake/1.csv", [{**row, "day": 2} for row in ROWS])
    groups = [group for group, _ in read("lake", by="day").split()]
    assert groups == [1, 2]


def test_paths_that_contradict_themselves(folder: Path) -> None:
    put("a=1/a=2/t.csv")
    for options in ({"by": "a"}, {"where": "a = 1"}):
        assert refusal("a=1", **options) == (
            "the path 'a=1/a=2/t.csv' names two values of 'a': rename a folder"
        )
    assert read("a=1").source.rows == 4


def test_labels_of_paths_and_files_of_other_types(folder: Path) -> None:
    put("lake/code=1/1.parquet", [{"item": 1, "coder": "a"}])
    put("lake/code=x/1.parquet", [{"item": 1, "coder": "b"}])
    assert read("lake", label="code").labels.decode().tolist() == ["1", "x"]
    put("lake/2.parquet", [{"item": 2, "coder": "b", "code": True}])
    assert "hold labels of different types" in refusal("lake", label="code")
