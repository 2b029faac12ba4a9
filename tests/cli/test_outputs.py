"""The forms in which every command hands over what it found."""

import csv
import io
import json

import pytest

from agreement_fast.cli import COMMANDS, main

#: A call of each command that gives numbers.
CALLS = {
    "report": ["--example"],
    "diagnose": ["--example"],
    "subsets": ["--example"],
    "disagreements": ["--example"],
    "aggregate": ["--example"],
    "units": ["units.csv"],
    "codes": ["sets.csv", "--set-separator", ";"],
    "compare": ["groups.csv", "--by", "batch"],
    "latent": ["--example"],
    "gold": ["judged.csv", "--gold-coder", "c"],
    "judges": ["judged.csv", "--models", "c,d", "--resamples", "40"],
    "segments": ["cuts.csv"],
    "chains": ["links.csv"],
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "units.csv").write_text("coder,start,end,category\na,0,4,x\nb,1,4,x\nb,6,9,y\n")
    (tmp_path / "sets.csv").write_text("item,coder,label\n1,a,x;y\n1,b,x\n2,a,y\n2,b,y\n")
    (tmp_path / "cuts.csv").write_text("coder,marks\na,00100\nb,00010\n")
    (tmp_path / "links.csv").write_text(
        "document,coder,mention,antecedent\n1,a,x,y\n1,b,x,z\n1,a,v,\n1,b,v,z\n"
    )
    (tmp_path / "judged.csv").write_text(
        "item,coder,label\n"
        + "".join(
            f"{i},{c},{'xy'[i % n % 2]}\n"
            for i in range(12)
            for n, c in zip((2, 3, 4, 5), "abcd", strict=True)
        )
    )
    (tmp_path / "groups.csv").write_text(
        "batch,item,coder,label\n"
        "1,i,a,x\n1,i,b,x\n1,j,a,y\n1,j,b,y\n"
        "2,k,a,x\n2,k,b,y\n2,l,a,y\n2,l,b,x\n"
    )


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_every_command_is_called():
    assert set(CALLS) == {command.NAME for command in COMMANDS}


@pytest.mark.few("report", "units", "compare")
@pytest.mark.parametrize("name", CALLS)
def test_a_table_is_written_beside_the_text(name, tmp_path, capsys):
    call = [name, *CALLS[name]]
    assert main([*call, "--csv", "out.csv"]) == 0
    text = capsys.readouterr().out
    assert text.endswith("\n  Written: out.csv\n")
    assert main(call) == 0
    assert capsys.readouterr().out == text.removesuffix("\n  Written: out.csv\n")
    assert main([*call, "--csv", "-"]) == 0
    printed = capsys.readouterr().out
    assert printed == (tmp_path / "out.csv").read_text()
    assert len(rows(printed)) > (name != "compare")
    # What programs get is not mixed with notes for people.
    assert main([*call, "--csv", "out.csv", "--json"]) == 0
    json.loads(capsys.readouterr().out)


def test_groups_have_a_column(capsys):
    assert (
        main(["report", "groups.csv", "--by", "batch", "--coefficients", "pi", "--csv", "-"]) == 0
    )
    found = rows(capsys.readouterr().out)
    assert [(row["batch"], row["coefficient"], float(row["value"])) for row in found] == [
        ("1", "pi", 1.0),
        ("2", "pi", -1.0),
    ]


def test_intervals_are_in_the_table(capsys):
    assert main(["report", "--example", "--ci", "--csv", "-"]) == 0
    for row in rows(capsys.readouterr().out):
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

    def full(self, path):
        path.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("agreement_fast.tables.Tabular.write_csv", full)
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
        ("--gold-file", "aggregate"), ("--matrix", "report"), ("--tree", "report")
    ):  # fmt: skip
        assert main([call, "groups.csv", option, "links.csv", "--csv", "links.csv"]) == 2
        assert "would write over a file that is read" in capsys.readouterr().err
