"""The forms in which every command hands over what it found."""

import csv
import io
import json
import shlex

import pytest
from every_output import CALLS, outputs_of, pinned_call_of, write_tables
from html_page import checked

from agreement_fast.cli import main


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tables(tmp_path)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.few("report", "units", "compare")
@pytest.mark.parametrize("name", CALLS)
def test_a_table_is_written_beside_the_text(name, tmp_path, capsys):
    call = [*name.split(), *CALLS[name]]
    assert main([*call, "--csv", "out.csv"]) == 0
    text = capsys.readouterr().out
    assert text.endswith("\n  Written: out.csv\n")
    assert main(call) == 0
    assert capsys.readouterr().out == text.removesuffix("\n  Written: out.csv\n")
    assert main([*call, "--csv", "-"]) == 0
    printed = capsys.readouterr().out
    assert printed == (tmp_path / "out.csv").read_text()
    assert len(rows_of(printed)) > (name != "compare")
    # What programs get is not mixed with notes for people.
    assert main([*call, "--csv", "out.csv", "--json"]) == 0
    json.loads(capsys.readouterr().out)


def test_groups_have_a_column(capsys):
    assert main(["report", "groups.csv", "--by", "batch", "--coefficient", "pi", "--csv", "-"]) == 0
    result = rows_of(capsys.readouterr().out)
    assert [(row["batch"], row["coefficient"], float(row["value"])) for row in result] == [
        ("1", "pi", 1.0),
        ("2", "pi", -1.0),
    ]


def test_intervals_are_in_the_table(capsys):
    assert main(["report", "--example", "--method", "score", "--csv", "-"]) == 0
    for row in rows_of(capsys.readouterr().out):
        assert float(row["low"]) < float(row["value"]) < float(row["high"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--csv", "-", "--json"], "--csv - and --json both want the standard output"),
        (["--csv", "nowhere/out.csv"], "there is no folder 'nowhere'"),
        (["--csv", "."], "is a folder"),
    ],
)
def test_what_cannot_be_written_is_refused_first(more, said, capsys):
    assert main(["report", "no-such-file.csv", *more]) == 2
    failed = capsys.readouterr().err
    assert said in failed
    assert failed.count("\n") == 1


def test_a_table_is_there_as_a_whole_or_not(tmp_path, capsys, monkeypatch):
    (tmp_path / "out.csv").write_text("before")

    def full(self, text, **options):
        self.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    assert main(["report", "--example", "--csv", "out.csv"]) == 2
    assert "--csv 'out.csv': No space left on device" in capsys.readouterr().err
    assert (tmp_path / "out.csv").read_text() == "before"
    assert not [path for path in tmp_path.iterdir() if "unfinished" in path.name]


@pytest.mark.parametrize("path", ["groups.csv", "./groups.csv", "link.csv"])
@pytest.mark.parametrize("more", [["groups.csv"], ["gro*.csv"], ["units.csv", "groups.csv"]])
def test_what_is_read_is_not_written_over(path, more, tmp_path, capsys):
    (tmp_path / "link.csv").symlink_to(tmp_path / "groups.csv")
    before = (tmp_path / "groups.csv").read_bytes()
    for option in ("--csv", "--html", "--figure"):
        assert main(["report", *more, option, path]) == 2
        assert "would write over a file that is read" in capsys.readouterr().err
    assert (tmp_path / "groups.csv").read_bytes() == before


def test_gold_matrices_and_trees_are_not_written_over(tmp_path, capsys):
    for option, call in (
        ("--gold", "aggregate"), ("--matrix", "report"), ("--tree", "report")
    ):  # fmt: skip
        assert main([call, "groups.csv", option, "links.csv", "--csv", "links.csv"]) == 2
        assert "would write over a file that is read" in capsys.readouterr().err


@pytest.mark.few("report", "units --of segments", "codes")
@pytest.mark.parametrize("name", CALLS)
def test_every_command_has_every_output(name, tmp_path, capsys):
    outputs_of(name, CALLS[name], tmp_path, capsys)


@pytest.mark.few("report", "units", "compare")
@pytest.mark.parametrize("name", CALLS)
def test_the_pinned_call_guesses_nothing_and_gives_the_same(name, capsys):
    pinned_call_of(name, CALLS[name], capsys)


@pytest.mark.parametrize(
    ("table", "asked", "named"),
    [
        ("a,b,c\nx,x,y\ny,y,y\nx,y,x\n", [], "--coder a,b,c --layout wide"),
        ("item,yes,no\n1,3,0\n2,1,2\n3,0,3\n", ["--layout", "counts"], "--layout counts"),
        ("a,x,y\nx,9,1\ny,2,8\n", ["--layout", "contingency"], "--layout contingency"),
        ("item,who,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", ["--coder", "who"], "--label label"),
    ],
)
def test_every_layout_is_pinned(table, asked, named, tmp_path, capsys):
    (tmp_path / "t.csv").write_text(table)
    seen = []
    drawn = ["--rng", "3", "--method", "percentile", "--n-resamples", "50"]
    call = ["report", "t.csv", *asked, *drawn]
    for _ in range(2):
        assert main([*call, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        call = shlex.split(document["computed"]["call"])[1:]
        assert document["computed"]["rng"] == 3
        seen.append(document["reports"])
    assert seen[0] == seen[1]
    assert named in shlex.join(call)


def test_what_a_spreadsheet_would_compute_is_text(tmp_path, capsys):
    rows = [
        ("1", "a", "=1+1"),
        ("1", "b", "x"),
        ("2", "a", "-x"),
        ("2", "b", "x"),
        ("3", "a", "@x"),
    ]
    with (tmp_path / "f.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("item", "coder", "label"), *rows, ("3", "b", "\tx")])
    call = ["disagreements", "f.csv", "--coder", "coder", "--item", "item", "--label", "label"]
    assert main([*call, "--csv", "exact.csv", "--csv-for-spreadsheets", "safe.csv"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "4 cells that a spreadsheet would take for a formula are written with ' in front" in said
    exact, safe = ((tmp_path / f"{name}.csv").read_text() for name in ("exact", "safe"))
    assert {row["a"] for row in rows_of(exact)} == {"=1+1", "-x", "@x"}
    assert {row["a"] for row in rows_of(safe)} == {"'=1+1", "'-x", "'@x"}
    assert {row["b"] for row in rows_of(safe)} == {"x", "'\tx"}
    # Numbers are no texts, also below zero.
    assert all(float(row["disagreement"]) for row in rows_of(safe))
    assert main([*call, "--csv-for-spreadsheets", "-"]) == 0
    printed = capsys.readouterr()
    assert printed.out == safe
    assert "agreement-fast: note: 4 cells" in printed.err


def test_outputs_that_are_printed_exclude_each_other(capsys):
    for first, second in (("--json", "--latex"), ("--markdown", "--json")):
        assert main(["report", "--example", first, second]) == 2
        assert "both want the standard output: leave one out" in capsys.readouterr().err


def test_an_option_without_meaning_names_the_nearest(capsys):
    for call, said in (
        (
            ["units", "--of", "chains", "links.csv", "--figure", "x.png"],
            "--html FILE writes its tables as a page",
        ),
        (["units", "units.csv", "--by", "batch"], "--where CONDITION picks the rows of one"),
        (["gold", "judged.csv", "--ci"], "what has an interval is printed with it"),
        (["units", "units.csv", "--ci"], "write --method percentile --confidence-level 0.95"),
    ):
        assert main(call) == 2
        assert said in capsys.readouterr().err


def test_a_page_of_groups_has_a_heading_for_each(tmp_path, capsys):
    call = ["diagnose", "groups.csv", "--by", "batch", "--html", "page.html"]
    assert main(call) == 0
    page = checked((tmp_path / "page.html").read_text())
    heads = [one["text"] for one in page.all("h2")]
    assert heads == ["Read", "batch: 1 (4 rows)", "batch: 2 (4 rows)", "How it was computed"]


def test_labels_are_escaped_in_every_form(tmp_path, capsys):
    (tmp_path / "h.csv").write_text(
        "item,coder,label\n1,a_b,<b>|&\n1,c%,x$\n2,a_b,x$\n2,c%,x$\n3,a_b,<b>|&\n3,c%,<b>|&\n"
    )
    call = ["gold", "h.csv", "--gold", "c%"]
    assert main([*call, "--latex"]) == 0
    printed = capsys.readouterr().out
    assert "a\\_b & 3 &" in printed
    assert "\\textless{}b\\textgreater{}|\\& &" in printed
    assert "x\\$" in printed
    assert main([*call, "--markdown"]) == 0
    assert "| \\<b\\>\\|\\& |" in capsys.readouterr().out
    assert main([*call, "--html", "page.html"]) == 0
    assert "&lt;b&gt;|&amp;</td>" in (tmp_path / "page.html").read_text()
