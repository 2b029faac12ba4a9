"""Many rows, a part at a time: the report equals that of the whole table."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from agreement_fast.annotations import Annotations
from agreement_fast.cli import main
from agreement_fast.files import LongTable, ReadOptions, Stream, Workplace, open_table, stream


@contextmanager
def in_parts(run: int = 37, part: int = 25) -> Iterator[None]:
    """Treat every table as large, with runs and parts of the given numbers of rows."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LARGE", "LARGE_FILE", "LARGE_ZIPPED_FILE"):
            patch.setattr(stream, name, 0)
        patch.setattr(stream, "PART", part)
        patch.setattr(stream, "RUN", run)
        yield


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to an empty folder, with a folder below it for temporary files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return tmp_path


def judgments(seed: int, *, repeats: bool = False, text: bool = False) -> list[dict[str, Any]]:
    """Make rows in random order: items judged once or never, empty labels, repeats."""
    draw = random.Random(seed)
    names = ["low", "mid", "high", "NA"] if text else [1, 2, 3, 5]
    rows = []
    for item in range(60):
        weight, lang = draw.randrange(4), draw.choice(["en", "de", None])
        for coder in draw.sample(range(7), draw.randrange(1, 6)):
            for _ in range(1 + (repeats and draw.random() < 0.2)):
                label = None if draw.random() < 0.1 else draw.choice(names)
                rows.append(
                    {
                        "item": f"item {item}" if text else item * 10**12 - 7,
                        "coder": f"c{coder}" if text else coder - 3,
                        "label": label,
                        "reach": weight,
                        "lang": lang,
                        "half": item % 2,
                    }
                )
    draw.shuffle(rows)
    return rows


def write(path: str, rows: list[dict[str, Any]]) -> None:
    """Write rows in the format of the extension."""
    if path.endswith(".jsonl"):
        Path(path).write_text("\n".join(map(json.dumps, rows)))
    elif path.endswith(".csv"):
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)


def document(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    """Return the document that the command prints."""
    code = main(["report", *argv, "--json"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return json.loads(out)


def assert_alike(result: Any, expected: Any) -> None:
    """Check that documents are equal, numbers up to their last digits."""
    if isinstance(expected, dict):
        assert result.keys() == expected.keys()
        for key in expected:
            assert_alike(result[key], expected[key])
    elif isinstance(expected, list):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            assert_alike(one, other)
    elif isinstance(expected, float):
        assert result == pytest.approx(expected, rel=1e-12, abs=1e-14)
    else:
        assert (result, type(result)) == (expected, type(expected))


OPTIONS: list[list[str]] = [
    [],
    ["--duplicates", "last"],
    ["--by", "lang"],
    ["--by", "half", "--incomplete", "pairable"],
    ["--by", "label"],
    ["--by", "coder", "--weights", "reach"],
    ["--where", "half = 1 and lang is not null"],
    ["--weights", "reach"],
    ["--incomplete", "complete"],
    ["--incomplete", "complete", "--where", "coder in ('c0', 'c1')"],
    ["--text"],
    ["--missing", "NA", "--missing", "5"],
]


# Options act on rows that were read, so not every option is tested with every format.
@pytest.mark.few(every=5)
@pytest.mark.parametrize("text", [False, True], ids=["numbers", "text"])
@pytest.mark.parametrize(
    ("options", "form"),
    [(options, form) for options in OPTIONS[:4] for form in ("parquet", "csv", "jsonl")]
    + [(options, ("parquet", "csv", "jsonl")[i % 3]) for i, options in enumerate(OPTIONS[4:])],
    ids=lambda one: one if isinstance(one, str) else " ".join(one),
)
def test_the_report_is_that_of_the_whole(
    capsys: pytest.CaptureFixture[str], folder: Path, options: list[str], form: str, text: bool
) -> None:
    options = [option if text else option.replace("'c", "'") for option in options]
    write(f"t.{form}", judgments(len(options), repeats=True, text=text))
    argv = [f"t.{form}", "--duplicates", "first", *options]
    if not text and "--text" not in options:
        argv += ["--distance", "interval,ordinal"]
    expected = document(capsys, *argv)
    with in_parts():
        assert_alike(document(capsys, *argv), expected)


@pytest.mark.parametrize(
    "options",
    [
        ["--categories", "NA,low,mid,high,top", "--distance", "ordinal"],
        ["--categories", "mid,NA,high,low,none"],
    ],
)
def test_declared_categories(
    capsys: pytest.CaptureFixture[str], folder: Path, options: list[str]
) -> None:
    write("t.parquet", judgments(1, text=True))
    expected = document(capsys, "t.parquet", *options)
    with in_parts():
        assert_alike(document(capsys, "t.parquet", *options), expected)


@pytest.fixture(scope="module")
def many_repeats() -> dict[str, list[dict[str, Any]]]:
    """Return judgments, with up to four for the same item and coder, in random order."""
    draw = random.Random(17)
    made = {}
    for kind, names in {
        "text": ["low", "mid", "high"],
        "numbers": [1.0, 2.0, 2.5],
        "sets": ["a|b", "b | a", "b", "NONE"],
    }.items():
        rows = [
            row | {"label": None if row["label"] is None else draw.choice(names)}
            for row in judgments(5, text=True)
            for _ in range(draw.choice([1, 1, 2, 3, 4]))
        ]
        draw.shuffle(rows)
        made[kind] = rows
    return made


REPEATS: list[list[str]] = [
    ["--duplicates", "majority"],
    ["--duplicates", "majority", "--weights", "reach", "--by", "half"],
    ["--duplicates", "majority", "--incomplete", "complete", "--coefficient", "kappa"],
    ["--duplicates", "set"],
    ["--duplicates", "set", "--weights", "reach", "--by", "lang", "--distance", "jaccard"],
    ["--repeats-of", "c3"],
    ["--repeats-of", "c3", "--weights", "reach", "--by", "half", "--incomplete", "complete"],
    ["--repeats-of", "c5", "--where", "half = 1", "--missing", "NONE", "--missing", "low"],
]


@pytest.mark.few
@pytest.mark.parametrize("kind", ["text", "numbers", "sets"])
@pytest.mark.parametrize("options", REPEATS, ids=" ".join)
def test_repeated_judgments_are_those_of_the_whole(
    capsys: pytest.CaptureFixture[str], folder: Path, options: list[str], kind: str,
    many_repeats: dict[str, list[dict[str, Any]]],
) -> None:  # fmt: skip
    form = ("parquet", "csv", "jsonl")[len(" ".join(options)) % 3]
    write(f"t.{form}", many_repeats[kind])
    argv = [f"t.{form}", *options]
    if kind == "sets":
        argv += ["--set-separator", "|", "--empty-set", "NONE"]
    expected = document(capsys, *argv)
    with in_parts():
        result = document(capsys, *argv)
    assert_alike(result, expected)
    some = expected["reports"][0]
    left_out = "n_items_judged_once" if "--repeats-of" in options else "n_duplicates_dropped"
    assert some[left_out] > 1
    assert (some["n_duplicates_tied"] > 3) == ("majority" in options)
    if "--repeats-of" not in options:
        return
    sets = {"set_separator": "|"} if kind == "sets" else {}
    kept = [row for row in many_repeats[kind] if row["half"] == 1 or "--where" not in options]
    if "--by" not in options:
        data = Annotations.from_long(
            [row["item"] for row in kept],
            [row["coder"] for row in kept],
            ["" if row["label"] == "NONE" and sets else row["label"] for row in kept],
            repeats_of=options[1],
            missing=["NONE", "", "low"] if "--missing" in options else None,
            **sets,
        )
        assert (some["n_items"], some["n_coders"]) == (data.n_items, data.n_coders)
        assert some["n_items_judged_once"] == data.items_judged_once
        assert some["n_judgments"] == data.n_judgments


@pytest.mark.few
@pytest.mark.parametrize("command", ["subsets", "diagnose"])
@pytest.mark.parametrize("options", [["--duplicates", "majority"], ["--repeats-of", "c3"]], ids=str)
def test_other_commands_see_repeats_in_parts(
    capsys: pytest.CaptureFixture[str], folder: Path, command: str, options: list[str],
    many_repeats: dict[str, list[dict[str, Any]]],
) -> None:  # fmt: skip
    """They also name the coders in the order of their judgments."""
    write("t.parquet", many_repeats["text"])
    assert main([command, "t.parquet", *options]) == 0
    expected = capsys.readouterr().out
    with in_parts():
        assert main([command, "t.parquet", *options]) == 0
    assert capsys.readouterr().out == expected


def test_the_text_is_that_of_the_whole(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write("t.parquet", judgments(2))
    assert main(["report", "t.parquet"]) == 0
    expected = capsys.readouterr().out
    with in_parts():
        assert main(["report", "t.parquet"]) == 0
    assert capsys.readouterr().out == expected


def test_several_files_are_one(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    rows = judgments(3)
    write("a.parquet", rows[:60])
    write("b.parquet", rows[60:])
    write("c.csv", rows[60:])
    pq.write_table(pq.read_table("a.parquet").slice(0, 0), "d.parquet")
    for files in (["a.parquet", "b.parquet", "d.parquet"], ["a.parquet", "c.csv"]):
        expected = document(capsys, *files)
        with in_parts():
            assert_alike(document(capsys, *files), expected)


def test_whole_numbers_among_others(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write("t.parquet", [{"item": i // 2, "coder": i % 2, "label": i / 7, "g": i % 4 == 0}
                        for i in range(90)])  # fmt: skip
    expected = document(capsys, "t.parquet", "--by", "g")
    with in_parts(run=7, part=5):
        assert_alike(document(capsys, "t.parquet", "--by", "g"), expected)


def parts_of(path: str, **options: Any) -> list[LongTable]:
    """Read a file part by part."""
    with in_parts(), ExitStack() as stack:
        table = open_table(Workplace(stack), [path], ReadOptions(**options))
        assert isinstance(table, Stream)
        done: list[int] = []
        parts = list(table.parts(done.append))
        assert sum(done) == table.steps
        assert sum(len(part.labels.codes) for part in parts) == table.source.rows
        return parts


def test_rows_stay_in_order_and_items_whole(folder: Path) -> None:
    rows = [{"item": i % 50, "coder": i // 50, "label": i} for i in range(1000)]
    write("t.parquet", rows)
    seen = set()
    for part in parts_of("t.parquet", label="label"):
        labels = part.labels.decode().tolist()
        assert labels == sorted(labels)
        items = {label % 50 for label in labels}
        assert len(labels) == 20 * len(items)
        assert not items & seen
        seen |= items
        assert len(set(zip(part.items.codes.tolist(), [i % 50 for i in labels], strict=True))) == (
            len(items)
        )
    assert len(seen) == 50


@pytest.mark.parametrize(("n_groups", "most"), [(49, 25), (50, 100)])
def test_parts_are_larger_where_groups_are_many(folder: Path, n_groups: int, most: int) -> None:
    rows = [{"item": i, "coder": 0, "label": 0, "g": i % n_groups} for i in range(1000)]
    write("t.parquet", rows)
    sizes = [len(part.labels.codes) for part in parts_of("t.parquet", by="g")]
    assert most / 2 < max(sizes) <= most


@pytest.mark.few("127", "128")
@pytest.mark.parametrize("n", [127, 128, 129])
def test_the_number_of_labels_that_fit_a_byte(
    capsys: pytest.CaptureFixture[str], folder: Path, n: int
) -> None:
    """With one more label, the last one is also a label like the others."""
    write(
        "t.csv",
        [
            {"item": item, "coder": coder, "label": f"x{(item + (item % 3) * coder) % n:03}"}
            for item in range(2 * n)
            for coder in (0, 1)
        ],
    )
    expected = document(capsys, "t.csv")
    with in_parts():
        assert_alike(document(capsys, "t.csv"), expected)


LATE = "".join(f"i{i // 3},c{i % 3},{i % 2}\n" for i in range(24_000))


@pytest.mark.few
@pytest.mark.parametrize(
    "text",
    [f"item,coder,label\n{LATE}", f"item,coder,label\n{LATE}x,c0,1\r\nx,c1,0\r\n",
     f'item,coder,label\n{LATE}"x",c0,1\n"x\ny",c0,1\r\n'],
    ids=["regular", "line ends", "line break"],
)  # fmt: skip
@pytest.mark.parametrize("where", [[], ["--where", "coder <> 'c2'"]], ids=["all", "some"])
def test_what_is_irregular_far_below_is_read_from_a_copy(
    capsys: pytest.CaptureFixture[str], folder: Path, text: str, where: list[str]
) -> None:
    """The rows above it, and those of the previous file, are not counted twice."""
    write("a.csv", judgments(6, text=True))
    Path("b.csv").write_text(text, newline="")
    Path("c.csv").write_text("item,coder,label\nz,c0,1\nz,c1,1\n")
    argv = ["a.csv", "b.csv", "c.csv", *where]
    expected = document(capsys, *argv)
    with in_parts(run=100, part=9000):
        assert_alike(document(capsys, *argv), expected)
    assert not any((folder / "tmp").iterdir())


@pytest.mark.few("5000")
@pytest.mark.parametrize("n", [1, 5000, 100_000])
def test_items_with_long_names(capsys: pytest.CaptureFixture[str], folder: Path, n: int) -> None:
    """Names that differ in one letter at any place, and one that an error names."""
    names = ["x" * i + "y" + "x" * (n - i) for i in range(0, n, max(1, n // 7))]
    rows = [{"item": name, "coder": c, "label": (i + c) % 3 % 2}
            for i, name in enumerate(names) for c in range(3)]  # fmt: skip
    for form in ("csv", "parquet"):
        write(f"t.{form}", rows)
        expected = document(capsys, f"t.{form}")
        assert expected["reports"][0]["n_items"] == len(names)
        with in_parts(run=4, part=3):
            assert_alike(document(capsys, f"t.{form}"), expected)
    write("t.parquet", [*rows, rows[-1]])
    assert f"item '{names[-1][:40]}" in error(capsys, "t.parquet")


@pytest.mark.few("float64", "bool", "binary")
@pytest.mark.parametrize("kind", ["uint64", "float64", "decimal", "date", "bool", "binary"])
def test_items_and_coders_of_any_type(
    capsys: pytest.CaptureFixture[str], folder: Path, kind: str
) -> None:
    """Names that are not 64-bit integers are compared as written."""
    i = np.arange(300)
    made = {
        "uint64": lambda j: pa.array(j.astype(np.uint64) + np.uint64(2**63)),
        "float64": lambda j: pa.array(j / 8),
        "decimal": lambda j: pa.array(j).cast(pa.decimal128(22, 2)),
        "date": lambda j: pa.array(j.astype("datetime64[D]")),
        "bool": lambda j: pa.array(j % 2 == 0),
        "binary": lambda j: pa.array([str(k).encode() for k in j.tolist()]),
    }[kind]
    table = pa.table({"item": made(i // 3), "coder": made(i % 3), "label": i % 4 % 3})
    pq.write_table(table, "t.parquet", row_group_size=50)
    argv = ["t.parquet", "--duplicates", "last"]
    expected = document(capsys, *argv)
    with in_parts():
        assert_alike(document(capsys, *argv), expected)


# -- what it refuses


def error(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """Return the command's error when it reads part by part."""
    with in_parts(run=4, part=3):
        code = main(["report", *argv])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err.removeprefix("agreement-fast: ").rstrip("\n")


ROWS = [{"item": i // 3, "coder": f"c{i % 3}", "label": i % 2, "n": 1} for i in range(30)]


@pytest.mark.few
@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize(
    ("place", "change", "options", "message"),
    [
        (7, {"coder": "c0"}, [], "at least 1 judgment repeats a coder's judgment of an item (coder"
         " 'c0', item '2'): pass --duplicates first, last, majority or set"),
        (7, {}, ["--repeats-of", "c1"], "coder 'c1' judged 10 items, each once: --repeats-of"),
        (7, {}, ["--repeats-of", "C1"], "there is no coder 'C1' (did you mean 'c1'"),
        (7, {"item": None}, [], "1 row has no value in column 'item' (the first is row 8 below"),
        (9, {"coder": None}, [], "1 row has no value in column 'coder' (the first is row 10"),
        (7, {"n": -1}, ["--weights", "n"], "weights must be whole numbers, not negative; column 'n'"
         " has '-1'"),
        (7, {"n": None}, ["--weights", "n"], "column 'n' has an empty cell"),
        (7, {"n": 2}, ["--weights", "n"], "item '2' has different weights in different judgments"),
        (7, {"label": 7}, ["--categories", "0,1"], "label 7 is not among the declared categories"),
        (7, {}, ["--where", "false"], "no row satisfies --where 'false'"),
        (7, {}, ["--where", "nope = 1"], "--where 'nope = 1': no column 'nope'"),
        (7, {}, ["--where", "true) or (true"], "--where 'true) or (true': "),
        pytest.param(7, {}, ["--where", "item in (from 'other.csv')"], "--where",
                     marks=pytest.mark.own_database),
        (7, {}, ["--distance", "nope"], "distance 'nope' is not known"),
    ],
)  # fmt: skip
def test_errors_are_those_of_the_whole(
    capsys: pytest.CaptureFixture[str], folder: Path, form: str, place: int,
    change: dict[str, Any], options: list[str], message: str,
) -> None:  # fmt: skip
    write(f"t.{form}", [row | (change if i == place else {}) for i, row in enumerate(ROWS)])
    assert message in error(capsys, f"t.{form}", *options)


@pytest.mark.few
@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("column", ["item", "coder"])
def test_the_first_of_rows_that_are_refused_far_below(
    capsys: pytest.CaptureFixture[str], folder: Path, form: str, column: str
) -> None:
    """It is beyond the first batch of DuckDB, in the second file."""
    n = 300_000
    rows = pa.table(
        {"item": np.arange(n) // 3, "coder": np.arange(n) % 3, "label": np.arange(n) % 2}
    )
    pq.write_table(rows, "a.parquet")
    gone = np.isin(np.arange(n), (250_000, 299_999))
    hole = pa.array(rows[column].to_pylist(), mask=gone)
    rows = rows.set_column(rows.column_names.index(column), column, hole)
    if form == "csv":
        pyarrow.csv.write_csv(rows, "t.csv")
    else:
        pq.write_table(rows, "t.parquet")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LARGE", "LARGE_FILE"):
            patch.setattr(stream, name, 0)
        assert main(["report", "a.parquet", f"t.{form}"]) == 2
    told = capsys.readouterr().err
    assert f"2 rows have no value in column '{column}' (the first is row 550,001" in told


def test_a_group_is_named_in_its_error(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write("t.parquet", [*ROWS, ROWS[4]])
    assert error(capsys, "t.parquet", "--by", "n").startswith("n = 1: at least 1 judgment repeats")


# -- progress, and the end


def test_progress_is_shown_on_request(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write("t.parquet", ROWS)
    with in_parts():
        assert main(["report", "t.parquet", "--progress"]) == 0
        shown = capsys.readouterr()
        assert "reading" in shown.err
        assert main(["report", "t.parquet"]) == 0
    assert capsys.readouterr() == (shown.out, "")
    assert not any((folder / "tmp").iterdir())


def test_progress_without_tqdm(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    write("t.parquet", ROWS)
    assert "a progress bar needs tqdm: pip install" in error(capsys, "t.parquet", "--progress")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with in_parts():
        assert main(["report", "t.parquet"]) == 0


@pytest.mark.skipif(os.name == "nt", reason="SIGINT is POSIX")
def test_ctrl_c_leaves_nothing(folder: Path) -> None:
    i = np.arange(1_000_000)
    pq.write_table(pa.table({"item": i // 3, "coder": i % 3, "label": i % 2}), "t.parquet")
    code = (
        "import sys; from agreement_fast.files import stream;"
        "from agreement_fast.cli import main;"
        "stream.LARGE = 0; stream.PART = 20_000; sys.exit(main())"
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code, "report", "t.parquet", "--progress"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(folder / "tmp")},
    )
    assert process.stderr is not None
    # The bar appears once the temporary files are being written.
    assert process.stderr.read(20)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert not any((folder / "tmp").iterdir())
