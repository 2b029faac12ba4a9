"""The command: what it prints, as text and JSON, and one clear line for all that can be wrong."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command import DOCS, LONG, Command
from loops import nonempty

import agreement_fast as af
from agreement_fast.cli import find_commands, main


def value(document: Any, coefficient: str, distance: str = "nominal", report: int = 0) -> Any:
    """Find a coefficient in a document."""
    return next(
        row["value"]
        for row in document["reports"][report]["table"]
        if (row["coefficient"], row["distance"]) == (coefficient, distance)
    )


# -- what it says


def test_the_example_runs_and_is_right(command: Command) -> None:
    text = command.text("report", "--example")
    assert "Dawid & Skene 1979" in text
    assert "guessed     item, coder, label" in text
    assert "missing: 0, duplicates dropped: 90, 5 an item" in text
    document = command.json("report", "--example")
    result = document["reports"][0]
    assert (result["n_items"], result["n_coders"], result["n_judgments"]) == (45, 5, 225)
    assert document["source"]["rows"] == 315
    assert document["options"]["duplicates"] == "first"


def test_a_long_file(command: Command, folder: Path) -> None:
    text = command.text("report", "long.csv")
    assert "  columns     item is item, coder is coder, label is label\n" in text
    assert "  rows        8\n" in text
    assert "  items       4  (with one judgment: 1, with none: 0)\n" in text
    assert "Landis & Koch" in text
    assert "conventions" in text
    document = command.json("report", "long.csv")
    data = af.Annotations.from_wide(
        [["low", "low", "mid"], ["high", "high", None], ["mid", None, "high"], [None, "low", None]]
    )
    for row in document["reports"][0]["table"]:
        expected = af.agreement(data, row["coefficient"])
        assert row["value"] == pytest.approx(expected.value, rel=1e-12)
        assert row["observed_disagreement"] == pytest.approx(expected.observed_disagreement)
        assert row["expected_disagreement"] == pytest.approx(expected.expected_disagreement)


def test_a_wide_file_with_weights(command: Command, folder: Path) -> None:
    document = command.json("report", "wide.csv", "--layout", "wide", "--weights", "slides")
    result = document["reports"][0]
    assert (result["n_rows"], result["n_items"], result["n_coders"]) == (6, 118, 3)
    assert document["source"]["columns"]["coders"] == ["A", "B", "C"]
    assert document["source"]["guessed"] == ["coders"]
    rows = [[1, 1, 1], [1, 2, 1], [2, 1, 1], [2, 2, 1], [2, 1, 2], [2, 2, 2]]
    data = af.Annotations.from_wide(rows, weights=[38, 12, 5, 21, 1, 41])
    assert value(document, "kappa") == pytest.approx(af.kappa(data).value, rel=1e-12)
    two = command.json(
        "report", "wide.csv", "--layout", "wide", "--coder", "A,C", "--coefficient", "kappa"
    )
    assert two["reports"][0]["n_coders"] == 2
    assert "in 6 weighted rows" in command.text(
        "report", "wide.csv", "--layout", "wide", "--weights=slides"
    )


def test_categories_are_in_order(command: Command, folder: Path) -> None:
    document = command.json(
        "report", "long.csv", "--categories", "low, mid, high", "--distance", "ordinal"
    )
    assert document["options"] == {
        "missing": [],
        "duplicates": "error",
        "repeats_of": None,
        "incomplete": "published",
        "categories": ["low", "mid", "high"],
        "set_separator": None,
        "empty_set": None,
        "count_empty": False,
        "matrix": None,
        "tree": None,
    }
    assert [c["category"] for c in document["reports"][0]["categories"]] == ["low", "mid", "high"]
    assert value(document, "alpha", "ordinal") is not None
    linear = command.json(
        "report", "long.csv", "--categories", "low,mid,high", "--distance=rank_linear"
    )
    distances = {row["distance"] for row in linear["reports"][0]["table"]}
    assert distances == {"nominal", "rank_linear"}


def test_measures_stand_beside_coefficients(command: Command, folder: Path) -> None:
    (folder / "n.csv").write_text("item,coder,label\na,x,1\na,y,2\nb,x,3\nb,y,3\nc,x,2\nc,y,2\n")
    (result,) = command.json("report", "n.csv", "--measures")["reports"]
    assert "ICC(1,1)" in str(result["measures"])
    assert "--categories" in command.error("report", "long.csv", "--measures")
    icc = result["measures"]
    (options,) = command.json("report", "n.csv", "--coefficient", "icc,alpha")["reports"]
    assert options["measures"] == icc
    assert {entry["coefficient"] for entry in options["table"]} == {"alpha"}
    assert "Quote the one" in command.answer("report", "n.csv", "--coefficient", "ICC")
    (folder / "m.csv").write_text("item,A,B\na,1,2\nb,3,3\nc,2,2\nd,4,\n")
    missing = command.answer("report", "m.csv", "--layout", "wide", "--item", "item", "--measures")
    assert "on the 3 items that every coder judged; 1 item left out" in missing
    shown = command.text("report", "n.csv", "--measures")
    assert max(map(len, shown.splitlines())) <= 96
    assert "agreement-fast report --measures prints it" in command.error(
        "diagnose", "n.csv", "--coefficient", "icc"
    )


def test_order_of_numbers(command: Command, folder: Path) -> None:
    (folder / "n.csv").write_text("item,coder,label\na,x,1\na,y,2\nb,x,3\nb,y,3\n")
    result = command.json("report", "n.csv", "--categories", "1,2,3,4")["reports"][0]
    assert [c["category"] for c in result["categories"]] == [1, 2, 3, 4]
    assert "'low', but the labels are numbers (1, 2, 3): pass --text" in command.error(
        "report", "n.csv", "--categories", "low,2", "--distance", "ordinal"
    )
    as_text = command.json("report", "n.csv", "--text", "--categories", "1,2,3")["reports"][0]
    assert [c["category"] for c in as_text["categories"]] == ["1", "2", "3"]


def test_categories_quoted_like_csv(command: Command, folder: Path) -> None:
    (folder / "c.csv").write_text('item,coder,label\na,x,"p,q"\na,y,r\n')
    result = command.json("report", "c.csv", "--categories", '"p,q",r')["reports"][0]
    assert [c["category"] for c in result["categories"]] == ["p,q", "r"]


def test_distances_may_be_several(command: Command, folder: Path) -> None:
    args = ["report", "wide.csv", "--layout", "wide", "--coder", "A,B"]
    document = command.json(*args, "--distance", "interval,ratio", "--distance", "circular:24")
    distances = [row["distance"] for row in document["reports"][0]["table"]]
    assert list(dict.fromkeys(distances)) == ["nominal", "interval", "ratio", "circular:24"]


def test_names_of_other_tools_are_understood(command: Command, folder: Path) -> None:
    document = command.json(
        "report", "long.csv", "--coefficient", "Fleiss-Kappa, krippendorff_alpha"
    )
    assert [row["coefficient"] for row in document["reports"][0]["table"]] == ["pi", "alpha"]


def test_nominal_only_names_are_explained(command: Command, folder: Path) -> None:
    text = command.text(
        "report",
        "long.csv",
        "--coefficient=kappa",
        "--categories=low,mid,high",
        "--distance=ordinal",
    )
    assert "kappa takes only the nominal distance; with ordinal it is called beta" in " ".join(
        text.split()
    )


def test_who_asks_for_kappa_and_an_order_gets_the_weighted_kappa(
    command: Command, folder: Path
) -> None:
    argv = [
        "--coefficient",
        "kappa,alpha,pi",
        "--categories",
        "low,mid,high",
        "--distance",
        "ordinal",
    ]
    document = command.json("report", "long.csv", *argv)
    data = af.Annotations.from_long(
        *zip(*[line.split(",")[:3] for line in LONG.splitlines()[1:]], strict=True),
        categories=["low", "mid", "high"],
    )
    for name in ("beta", "alpha_prime"):
        expected = af.agreement(data, name, distance="ordinal").value
        assert value(document, name, "ordinal") == pytest.approx(expected, rel=1e-12)
    rows = [one["coefficient"] for one in document["reports"][0]["table"]]
    assert rows.count("kappa") == 1
    # Nothing is added where nothing is lacking.
    for coefficients in ("kappa", "beta,kappa"):
        plain = command.json("report", "long.csv", "--coefficient", coefficients)
        result = [one["coefficient"] for one in plain["reports"][0]["table"]]
        assert sorted(result) == sorted(coefficients.split(","))
    both = command.json("report", "long.csv", "--coefficient", "β,kappa", *argv[2:])
    assert [one["coefficient"] for one in both["reports"][0]["table"]].count("beta") == 2
    assert "coefficient 'kapa' is not known" in command.error(
        "report", "long.csv", "--coefficient", "kapa", *argv[2:]
    )


def test_a_name_that_promises_a_distance_needs_one(command: Command, folder: Path) -> None:
    argv = ["report", "long.csv", "--coefficient"]
    for name in ("WEIGHTED KAPPA", "ac2"):
        said = f"{name} needs a distance: pass --distance quadratic, linear or ordinal"
        assert said in command.error(*argv, name)
        document = command.json(*argv, name, "--categories=low,mid,high", "--distance=ordinal")
        rows = document["reports"][0]["table"]
        assert [one["distance"] for one in rows] == ["ordinal"]
    assert "beta with the nominal distance is kappa" in " ".join(
        command.text(*argv, "beta").split()
    )
    text = command.text(*argv, "beta", "--categories=low,mid,high", "--distance=ordinal")
    assert "nominal distance is kappa" not in " ".join(text.split())


def test_a_level_is_not_rounded_to_certainty(command: Command, folder: Path) -> None:
    text = command.text(
        "report", "long.csv", "--confidence-level", "0.99999999", "--method", "score"
    )
    assert "100%" not in text[text.index("Coefficients") :]
    assert "99.999999% from" in text


def test_by_gives_one_report_a_group(command: Command, folder: Path) -> None:
    document = command.json("report", "long.csv", "--by", "lang")
    assert [result["group"] for result in document["reports"]] == ["de", "en"]
    assert [result["rows"] for result in document["reports"]] == [3, 5]
    english = command.json("report", "long.csv", "--where", "lang = 'en'")
    assert value(document, "alpha", report=1) == value(english, "alpha")
    text = command.text("report", "long.csv", "--by", "lang")
    assert "lang: de (3 rows)\n=================\n" in text
    assert text.index("lang: de") < text.index("lang: en")
    assert text.count("Each is 1 - D_o / D_e") == text.count("These thresholds are") == 1


def test_by_remarks_on_different_numbers_of_categories(command: Command, folder: Path) -> None:
    (folder / "g.csv").write_text("item,coder,label,g\na,x,1,p\na,y,2,p\nb,x,1,q\nb,y,1,q\n")
    assert "--categories makes them the same" in " ".join(
        command.text("report", "g.csv", "--by", "g").split()
    )


def test_missing_labels_and_their_look(command: Command, folder: Path) -> None:
    (folder / "m.csv").write_text("item,coder,label\na,x,1\na,y,NA\nb,x,2\nb,y,2\n")
    document = command.json("report", "m.csv")
    assert "'NA' beside numbers is read as missing" in document["source"]["notes"][0]
    as_text = command.json("report", "m.csv", "--text")
    assert "may mean a missing judgment" in str(as_text["source"]["notes"])
    result = command.json("report", "m.csv", "--missing", "NA")["reports"][0]
    assert (result["n_missing"], result["n_judgments"]) == (1, 3)
    assert [c["category"] for c in result["categories"]] == [1, 2]


def test_missing_judgments_are_counted_alike_in_both_layouts(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "w.csv").write_text("id,A,B,C\n1,low,low,mid\n2,high,high,\n3,mid,,high\n4,,low,\n")
    result = [
        command.json("report", "long.csv")["reports"][0],
        command.json("report", "w.csv", "--layout", "wide")["reports"][0],
    ]
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    result.append(command.json("report", "long.csv")["reports"][0])
    assert [one["n_missing"] for one in result] == [4 * 3 - 8] * 3


def test_numbers_get_a_hint(command: Command, folder: Path) -> None:
    (folder / "n.csv").write_text("item,coder,label\na,x,1\na,y,2\nb,x,3\nb,y,3\n")
    shown = " ".join(command.text("report", "n.csv").split())
    assert shown.count("the labels are numbers, but are compared as names") == 1
    (report,) = command.json("report", "n.csv")["reports"]
    assert report["remarks"][0]["kind"] == "numbers"
    assert "compared as names" not in command.text("report", "n.csv", "--distance", "ordinal")


def test_duplicates_are_settled_on_request(command: Command, folder: Path) -> None:
    (folder / "d.csv").write_text("item,coder,label\na,x,p\na,x,q\na,y,p\nb,x,q\nb,y,q\n")
    assert command.error("report", "d.csv") == (
        "1 judgment repeats a coder's judgment of an item (coder 'x', item 'a'):"
        " pass --duplicates first, last, majority or set"
    )
    first = command.json("report", "d.csv", "--duplicates", "first")["reports"][0]
    last = command.json("report", "d.csv", "--duplicates", "last")["reports"][0]
    assert first["n_duplicates_dropped"] == last["n_duplicates_dropped"] == 1
    assert first["observed"]["value"] == 1.0
    assert last["observed"]["value"] == 0.5


def test_undefined_is_a_report_and_not_an_error(command: Command, folder: Path) -> None:
    (folder / "u.csv").write_text("item,coder,label\na,x,p\na,y,p\n")
    assert "no variation" in command.text("report", "u.csv")
    assert value(command.json("report", "u.csv"), "alpha") is None
    (folder / "v.csv").write_text("item,coder,label\na,x,\na,y,\n")
    assert "no pairs" in command.text("report", "v.csv")
    command.json("report", "v.csv")


def test_incomplete(command: Command, folder: Path) -> None:
    document = command.json("report", "long.csv", "--incomplete", "complete")
    assert document["reports"][0]["observed"]["n_items"] == 1
    assert "incomplete  complete" in command.text("report", "long.csv", "--incomplete", "complete")


def test_every_format_gives_the_same_report(command: Command, folder: Path) -> None:
    import duckdb

    duckdb.sql("copy (from 'long.csv') to 'long.parquet'")
    duckdb.sql("copy (from 'long.csv') to 'long.jsonl' (format json)")
    duckdb.sql("copy (from 'long.csv') to 'long.tsv' (delimiter '\t', header)")
    duckdb.sql("copy (from 'long.csv') to 'long.csv.gz'")
    reports = [
        command.json("report", f"long.{end}")["reports"]
        for end in ("csv", "tsv", "jsonl", "parquet", "csv.gz")
    ]
    assert all(result == reports[0] for result in reports)


def test_standard_input(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LONG.encode())))
    assert "  files       standard input (CSV, long)\n" in command.text("report", "-")


def test_hostile_texts_stay_harmless(command: Command, folder: Path) -> None:
    evil = "\x1b[31mred\x07"
    lines = f"item,coder,label,{evil}\n\x1b]0;x,x,{evil},{evil}\n\x1b]0;x,y,{'y' * 300},\u202e\n"
    (folder / "e\x1b[2J.csv").write_text(lines)
    text = command.text("report", "e\x1b[2J.csv", "--by", evil)
    assert "\\x1b[31mred" in text
    document = command.json("report", "e\x1b[2J.csv")
    assert document["reports"][0]["categories"][0]["category"] == evil
    assert "\\x1b" in command.error("report", "e\x1b[2J.csv", "--item", evil + "z")
    assert "\\x1b" in command.error("report", "\x1b.csv")


# -- what it refuses


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["report"], "no file was named: agreement-fast report FILE, - for the standard input"),
        ([], "no command was given"),
        (["repot"], "'repot' is not a command: did you mean agreement-fast report?"),
        (["report", "long.csv", "--nope"], "unrecognized arguments: --nope"),
        (["report", "long.csv", "--by"], "expected one argument"),
        (["report", "--example", "long.csv"], "--example reads its own file"),
        (["report", "nope.csv"], "'nope.csv': no such file"),
        (["report", "no*.csv"], "no file matches 'no*.csv'"),
        (["report", "."], "'./binary.csv' is a binary file"),
        (["report", "empty.csv"], "'empty.csv' is empty"),
        (["report", "header.csv"], "'header.csv': there is a header, but no rows below it"),
        (["report", "binary.csv"], "'binary.csv' is a binary file"),
        (["report", "ragged.csv"], "'ragged.csv', line 3: 2 columns, but the first line has 3"),
        (["report", "long.csv", "--item", "itm"], "no column 'itm' (did you mean 'item'?)"),
        (["report", "long.csv", "--by", "x"], "no column 'x'; 'long.csv' has 'item', 'coder'"),
        (
            ["report", "wide.csv"],
            "pass --exclude slides, or --weights slides, or --layout wide --coder A,B,C",
        ),
        (["report", "long.csv", "--distance", "interval"], "needs numbers, but category 'high'"),
        (["report", "long.csv", "--distance", "ordinal"], '--categories "low,mid,high"'),
        (["report", "long.csv", "--distance", "nope"], "distance 'nope' is not known"),
        (["report", "long.csv", "--distance", "circular"], "'circular' needs more than its name"),
        (["report", "long.csv", "--coefficient", "nope"], "coefficient 'nope' is not known"),
        (["report", "long.csv", "--coefficient", ""], "--coefficient is empty"),
        (["report", "long.csv", "--coefficient", "pi,,s"], "--coefficient has an empty name"),
        (
            ["report", "long.csv", "--categories", "low,high", "--distance", "ordinal"],
            "label 'mid' of item '1',",
        ),
        (["report", "long.csv", "--categories", "low,low"], "--categories names 'low' twice"),
        (["report", "long.csv", "--where", "nope = 1"], "--where 'nope = 1': no column 'nope'"),
        (["report", "long.csv", "--where", "item = ("], "--where 'item = (': syntax error"),
        (["report", "long.csv", "--where", "1 = 1; select 2"], "--where '1 = 1; select 2': "),
        (["report", "long.csv", "--where", "false"], "no row satisfies --where 'false'"),
        pytest.param(
            ["report", "long.csv", "--where", "exists(from 'wide.csv')"],
            "--where",
            marks=pytest.mark.own_database,
        ),
        (["report", "long.csv", "--weights", "lang"], "weights must be whole numbers"),
        (["report", "long.csv", "--weights", "weight"], "no column 'weight'"),
        (["report", "uneven.csv", "--weights", "n"], "item 'a' has different weights"),
        (
            ["report", "wide.csv", "--layout", "wide", "--item", "A", "--weights", "slides"],
            "item '1' stands in two rows",
        ),
        (["report", "long.csv", "--coder", "coder", "--coder", "x"], "pass --layout wide if each"),
        (["report", "long.csv", "--incomplete", "all"], "invalid choice: 'all'"),
        (["report", "long.csv", "--delimiter", ",,"], "the delimiter must be one character"),
        (["report", "dup.csv"], "a coder's judgment of an item"),
    ],
)
def test_errors_are_one_line(command: Command, folder: Path, argv: list[str], message: str) -> None:
    (folder / "empty.csv").write_text("")
    (folder / "header.csv").write_text("item,coder,label\n")
    (folder / "binary.csv").write_bytes(bytes(range(256)) * 9)
    (folder / "ragged.csv").write_text("item,coder,label\na,x,1\na,y\n")
    (folder / "dup.csv").write_text("item,coder,label\na,x,1\na,x,1\n")
    (folder / "uneven.csv").write_text("item,coder,label,n\na,x,1,1\na,y,1,2\n")
    assert message in command.error(*argv)


def test_a_group_is_named_in_its_error(command: Command, folder: Path) -> None:
    (folder / "d.csv").write_text("item,coder,label,g\na,x,p,1\nb,x,q,2\nb,x,q,2\n")
    assert command.error("report", "d.csv", "--by", "g").startswith("g = 2: 1 judgment repeats")


def test_missing_duckdb_is_explained(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert command.error("report", "long.csv", "--where", "label = 'yes'") == (
        '--where takes DuckDB: pip install "agreement-fast[cli]"'
    )


# -- help and version


@pytest.mark.parametrize("name", [one.NAME for one in find_commands()])
def test_help_has_examples_and_every_option(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main([*name.split(), "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"examples:\n  agreement-fast {name} " in shown
    page = "report.md" if name == "report" else "commands.md"
    documented = (DOCS / page).read_text(encoding="utf-8")
    for option in set(re.findall(r"--[a-z][a-z-]*", shown)) - {"--help"}:
        assert option in documented, option
    assert max(map(len, shown.splitlines())) <= 100


def test_what_is_loaded_is_used() -> None:
    """Help waits for nothing, and a report for nothing that few reports need."""
    code = """
import sys
from agreement_fast.cli import main
example = ["report", "--example"]
for argv in (["--help"], ["--version"], ["report", "--help"], [*example, "--json"], example):
    assert main(argv) == 0
    names = {name if name.startswith("agreement_fast.") else name.split(".")[0]
             for name in sys.modules}
    print(*names, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=True)
    *helps, report, text = (set(line.split()) for line in done.stderr.decode().splitlines())
    slow = {"scipy", "pandas", "polars", "pyarrow", "matplotlib", "jinja2", "rapidfuzz", "cassis",
            "duckdb", "agreement_fast.units"}  # fmt: skip
    for loaded in helps:
        assert not loaded & {"numpy", "narwhals", "tqdm", "email", *slow}
    assert len(helps) == 3
    assert "numpy" in report
    assert not report & {"agreement_fast.diagnostics", *slow}
    # The text says what costs agreement.
    assert "agreement_fast.diagnostics" in text
    assert not text & slow


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for one in find_commands():
        assert re.search(rf"^    {one.NAME.split()[0]}\b", shown, re.MULTILINE)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"agreement-fast {af.__version__}\n"


# -- as a process


def run(*argv: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own."""
    code = "import sys; from agreement_fast.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *argv], capture_output=True, check=False, **options
    )


@pytest.mark.breadth
def test_a_terminal_without_unicode(folder: Path) -> None:
    (folder / "l.csv").write_text(f"item,coder,label\na,x,{'é' * 99}\na,y,日本\n", encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = run("report", "l.csv", env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\xe9..." in done.stdout
    assert b"\\u65e5\\u672c" in done.stdout
    failed = run("report", "é.csv", env=environment)
    assert (failed.returncode, failed.stdout) == (2, b"")
    assert failed.stderr.count(b"\n") == 1


def test_a_closed_pipe_is_quiet(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code = "import sys; from agreement_fast.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, "report", "long.csv"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX")
def test_ctrl_c_ends_quietly(folder: Path) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    code = "import sys; from agreement_fast.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code, "report", str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # It opens the pipe for reading only once it is inside the command.
    with pipe.open("wb"):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")


# -- labels that are sets

SETS = "item,coder,label\na,x,p|q\na,y,q|p\nb,x,p\nb,y,p|q\nc,x,NONE\nc,y,NONE\nd,x,q\nd,y,r\n"


def test_labels_that_are_sets(command: Command, folder: Path) -> None:
    (folder / "s.csv").write_text(SETS)
    argv = ["report", "s.csv", "--set-separator", "|", "--empty-set", "NONE"]
    document = command.json(*argv)
    result = document["reports"][0]
    labels = [category["category"] for category in result["categories"]]
    assert sorted(labels) == [[], ["p"], ["p", "q"], ["q"], ["r"]]
    rows = [[{"p", "q"}, {"q", "p"}], [{"p"}, {"p", "q"}], [set(), set()], [{"q"}, {"r"}]]
    data = af.Annotations.from_wide([[frozenset(label) for label in row] for row in rows])
    assert value(document, "alpha", "masi") == pytest.approx(
        af.alpha(data, "masi").value, rel=1e-12
    )
    assert not document["source"]["notes"]
    text = command.text(*argv, "--distance", "jaccard,dice")
    assert "{p, q}" in text
    assert "  {} " in text
    assert "dice" in text
    (folder / "w.csv").write_text("A,B\np|q,q|p\np,p|q\nNONE,NONE\nq,r\n")
    wide = command.json("report", "w.csv", "--layout", "wide", *argv[2:])
    assert value(wide, "beta", "masi") == pytest.approx(value(document, "beta", "masi"), rel=1e-12)


def test_labels_that_look_like_sets(command: Command, folder: Path) -> None:
    (folder / "s.csv").write_text(SETS)
    note = "labels such as 'p|q' look like sets: if they are, pass --set-separator \"|\""
    for name in ("report", "diagnose", "subsets"):
        assert note in command.json(name, "s.csv")["source"]["notes"]
    text = command.text("report", "s.csv", "--where", "label not like '%|%'")
    assert "look like sets" not in text


def test_labels_that_may_be_one(command: Command, folder: Path) -> None:
    (folder / "m.csv").write_text("item,coder,label\n1,a,yes\n1,b,Yes\n2,a,no \n2,b,no\n")
    for name in ("report", "diagnose", "subsets"):
        (note,) = command.json(name, "m.csv")["source"]["notes"]
        assert note.startswith("labels differ only in case, blanks, marks, type or last bits")
        assert note.endswith("'Yes' = 'yes'; 'no' = 'no '")
    (folder / "m.jsonl").write_text(
        '{"item": 1, "coder": "a", "label": 1}\n{"item": 1, "coder": "b", "label": "1"}\n'
    )
    (note,) = command.json("report", "m.jsonl")["source"]["notes"]
    assert note.endswith("'1' = 1")
    # Texts that are one set are not two labels.
    (folder / "s.csv").write_text("item,coder,label\n1,a,p|q\n1,b,q | p\n2,a,p\n2,b,q\n")
    assert not command.json("report", "s.csv", "--set-separator", "|")["source"]["notes"]


def test_declared_sets(command: Command, folder: Path) -> None:
    (folder / "s.csv").write_text(SETS)
    argv = ["report", "s.csv", "--set-separator", "|", "--empty-set", "NONE", "--categories"]
    result = command.json(*argv, "p,q,r,p|q,NONE,q|r")["reports"][0]
    assert len(result["categories"]) == 6
    assert "is not among" in command.error(*argv, "p,q")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--set-separator", ""], "--set-separator is empty"),
        (["--empty-set", "NONE"], "--empty-set goes with --set-separator"),
        (["--set-separator", "p"], "has an empty element: write 'p' only between"),
        (
            ["--distance", "masi"],
            "needs sets, but category 'NONE' is not a set: pass --set-separator \"|\"",
        ),
    ],
)
def test_sets_that_are_none(command: Command, folder: Path, argv: list[str], message: str) -> None:
    (folder / "s.csv").write_text(SETS)
    assert message in command.error("report", "s.csv", *argv)


def test_an_empty_set_that_never_occurs(command: Command, folder: Path) -> None:
    (folder / "s.csv").write_text(SETS)
    document = command.json("report", "s.csv", "--set-separator", "|", "--empty-set", "none")
    assert "--empty-set 'none': no label is written so" in document["source"]["notes"]


# -- intervals and pictures


def test_ci_gives_every_coefficient_an_interval(command: Command, folder: Path) -> None:
    document = command.json(
        "report", "wide.csv", "--layout", "wide", "--weights", "slides", "--method", "score"
    )
    rows = [[1, 1, 1], [1, 2, 1], [2, 1, 1], [2, 2, 1], [2, 1, 2], [2, 2, 2]]
    data = af.Annotations.from_wide(rows, weights=[38, 12, 5, 21, 1, 41])
    rows = document["reports"][0]["table"]
    for row in nonempty(rows):
        expected = af.inference.standard_error(data, row["coefficient"])
        assert row["interval"]["low"] == pytest.approx(expected.low, rel=1e-12)
        assert row["interval"]["method"] == "score"
    many = command.json(
        "report",
        "wide.csv",
        "--layout",
        "wide",
        "--weights",
        "slides",
        "--method",
        "score",
        "--distance",
        "nominal,interval",
    )
    assert {
        (row["distance"], row["interval"]["method"])
        for row in many["reports"][0]["table"]
        if row["interval"]
    } == {("nominal", "score"), ("interval", "score")}
    text = command.text(
        "report",
        "wide.csv",
        "--layout",
        "wide",
        "--weights",
        "slides",
        "--method",
        "score",
        "--distance",
        "nominal,interval",
    )
    assert text.count("Wilson's score interval in closed form") == 1
    assert "95% from" in command.text("report", "long.csv", "--method", "score")
    without = command.json("report", "long.csv")["reports"][0]["table"]
    assert {row["interval"] for row in without} == {None}


def test_options_of_a_bootstrap(command: Command, folder: Path) -> None:
    argv = [
        "report",
        "wide.csv",
        "--layout",
        "wide",
        "--weights",
        "slides",
        "--coefficient",
        "alpha,pi",
    ]
    drawn = ["--n-resamples", "300", "--resample", "both", "--confidence-level", "0.9"]
    drawn += ["--method", "percentile"]
    first, again, other = (
        command.json(*argv, *drawn, "--rng", seed)["reports"][0]["table"][0]["interval"]
        for seed in ("0", "0", "1")
    )
    assert first == again != other
    assert (first["method"], first["resample"], first["n_resamples"]) == ("percentile", "both", 300)
    assert first["confidence_level"] == pytest.approx(0.9)
    bca = command.json(*argv, "--method", "bca")["reports"][0]["table"][0]
    assert bca["interval"]["method"] == "bca"
    level = command.json("report", "long.csv", "--confidence-level", "0.8")["reports"][0]
    assert level["observed"]["confidence_level"] == pytest.approx(0.8)


def test_coders_whose_names_differ_in_case_are_named(command: Command, folder: Path) -> None:
    (folder / "named.csv").write_text("item,coder,label\na,Ann,1\na,ann,1\na,Bob,2\n")
    (folder / "named_wide.csv").write_text("Ann,ann ,Bob\n1,1,2\n2,1,2\n1,1,2\n")
    for argv in (["named.csv"], ["named_wide.csv", "--layout", "wide"]):
        (note,) = command.json("report", *argv)["source"]["notes"][:1]
        assert note == (
            "names of coders differ only in case, blanks, marks, type or last bits, and count as"
            " different coders: 'Ann' = 'ann'"
        )


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (
            ["--confidence-level", "95"],
            "--confidence-level must be between 0 and 1, such as 0.95, not 95",
        ),
        (["--confidence-level", "1"], "such as 0.95, not 1"),
        (["--method", "wald"], "invalid choice: 'wald'"),
        (["--method", "delta", "--n-resamples", "20"], "--n-resamples needs a bootstrap"),
        (["--rng", "1"], "--rng needs a bootstrap: pass --method percentile"),
        (["--resample", "coders"], "--resample needs a bootstrap"),
        (["--n-resamples", "0"], "--n-resamples must be a whole number, 20 or more, not 0"),
        (["--n-resamples", "1" + "0" * 12], "--n-resamples must be 10,000,000 or less"),
        (["--rng", "-3"], "--rng must be a whole number, 0 or more, not -3"),
        (["--method", "krippendorff"], "--method krippendorff is for alpha, not for s"),
        (["--method", "bca", "--resample", "both"], "--method bca needs one kind of unit"),
        (["--figure", "f"], "the ending says the format"),
    ],
)
def test_intervals_that_cannot_be_had(
    command: Command, folder: Path, argv: list[str], message: str
) -> None:
    assert message in command.error("report", "long.csv", *argv)


def test_the_figure_of_a_report(command: Command, folder: Path) -> None:
    command.text("report", "long.csv", "--method", "score", "--by", "lang", "--figure", "f.png")
    assert (folder / "f.png").read_bytes().startswith(b"\x89PNG")
    command.text("report", "long.csv", "--figure", "f.svg")
    assert (folder / "f.svg").read_text().startswith("<?xml")
    many = "item,coder,label,g\n" + "".join(f"a,{c},1,{g}\n" for g in range(61) for c in "xy")
    (folder / "many.csv").write_text(many)
    assert "--figure: 61 groups are too many, at most 60 fit" in command.error(
        "report", "many.csv", "--by", "g", "--figure", "f.png"
    )


@pytest.mark.few(every=2)
@pytest.mark.parametrize(
    "argv",
    [
        ["report", "--method", "score"],
        ["report", "--method", "score", "--by", "g"],
        ["subsets", "--max-subsets", "all", "--ties", "change"],
        ["diagnose"],
        ["report", "--set-separator", "|", "--empty-set", "NONE"],
    ],
    ids=" ".join,
)
def test_many_rows_give_the_same(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    """Read part by part, as many rows are, a file says what it says as a whole."""
    from agreement_fast.files import stream

    lines = [
        f"i{item},c{coder},{['p|q', 'p', 'q', 'q', 'r'][item * coder % 5]},{item % 2}"
        for item in range(60)
        for coder in range(4)
        if (item + coder) % 7
    ]
    (folder / "m.csv").write_text("item,coder,label,g\n" + "\n".join(lines) + "\nj,x,NONE,0\n")
    name, *options = argv
    whole = command.json(name, "m.csv", *options)
    monkeypatch.setattr(stream, "LARGE", 10)
    monkeypatch.setattr(stream, "LARGE_FILE", 10)
    monkeypatch.setattr(stream, "RUN", 50)
    monkeypatch.setattr(stream, "PART", 50)
    parted = command.json(name, "m.csv", *options)
    assert close(parted, whole)


def close(one: Any, other: Any) -> bool:
    """Compare documents, their numbers to 1e-9: sums are in another order."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(close, one, other))
    return bool(one == (pytest.approx(other, rel=1e-9, abs=1e-12)
                        if isinstance(other, float) else other))  # fmt: skip


def test_coders_who_judged_nothing_are_named(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("id,ann,bob,cid,dan\n1,x,x,,\n2,x,y,,\n")
    call = ["report", str(path), "--layout", "wide", "--item", "id", "--coder"]
    printed = " ".join(command.text(*call, "ann,bob,cid").split())
    assert (
        "column 'cid' holds no judgment and counts as a coder: --coder need not name it" in printed
    )
    printed = " ".join(command.text(*call, "ann,bob,cid,dan").split())
    assert (
        "columns 'cid', 'dan' hold no judgment and count as coders: --coder need not name them"
        in printed
    )
    printed = " ".join(command.text("report", str(path), "--layout", "wide").split())
    assert "'dan' hold no judgment and count as coders: --exclude leaves them out" in printed
    for options in (["ann,bob"], ["ann,bob,cid", "--only-coder", "ann,bob"]):
        assert "no judgment and" not in " ".join(command.text(*call, *options).split())
