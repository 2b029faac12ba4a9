"""``agreement-fast subsets``: its table, its files, and what it refuses."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from command import Command

import agreement_fast as af
from agreement_fast.cli.commands import disagreements, subsets
from agreement_fast.diagnostics import disputes
from agreement_fast.subsets import coder_subsets, reference_stability

#: The study takes 2 to 63 coders.
MANY = "item,coder,label\n" + "".join(
    f"{item},c{coder},{(item * coder) % 3}\n"
    for item in range(4)
    for coder in range(70)
    if coder < 66 or item < 2
)


def four_coders() -> str:
    rng = np.random.default_rng(5)
    rows = rng.integers(1, 4, (20, 4)).tolist()
    return "A,B,C,D,half\n" + "".join(
        ",".join(map(str, row)) + (",x\n" if i < 10 else ",y\n") for i, row in enumerate(rows)
    )


@pytest.fixture
def four(folder: Path) -> str:
    """Write a wide file."""
    (folder / "four.csv").write_text(four_coders())
    return "four.csv"


def data(folder: Path) -> af.Annotations:
    rows = [line.split(",")[:4] for line in (folder / "four.csv").read_text().splitlines()[1:]]
    return af.Annotations.from_wide(np.array(rows, int), coders=list("ABCD"))


def wide(name: str) -> list[str]:
    return ["subsets", name, "--layout", "wide", "--coder", "A,B,C,D"]


def test_the_numbers_are_those_of_the_study(command: Command, folder: Path, four: str) -> None:
    document = command.json(*wide(four), "--coefficient", "pi,alpha", "--distance", "interval")
    (result,) = document["studies"]
    study = coder_subsets(data(folder), ["pi", "alpha"], distance=["nominal", "interval"])
    assert result["n_subsets"] == study.n_subsets == 11
    assert result["coders"] == ["A", "B", "C", "D"]
    rows = [row for rows in study for row in rows]
    for size, row in zip(result["summaries"], rows, strict=True):
        names = ("coefficient", "distance", "size", "n_subsets")
        assert [size[name] for name in names] == [getattr(row, name) for name in names]
        for name in ("mean", "standard_deviation", "minimum", "upper_quartile"):
            assert size[name] == pytest.approx(getattr(row, name), rel=1e-12)
        assert size["counts"] == row.counts.tolist()


def test_the_table_is_readable(command: Command, folder: Path, four: str) -> None:
    text = command.text(*wide(four), "--coefficient", "alpha")
    head = text.split("alpha (nominal)\n")[1].splitlines()[0].split()
    assert head[:6] == ["coders", "subsets", "mean", "sd", "relative", "minimum"]
    (row,) = [one for one in coder_subsets(data(folder), ["alpha"])["alpha"] if one.size == 3]
    shown = [f"{row.mean:.4f}", f"{row.standard_deviation:.4f}"]
    assert ["3", "4", *shown] in [line.split()[:4] for line in text.splitlines()]
    assert "4 coders; 11 subsets." in text


def test_the_example(command: Command) -> None:
    text = command.text("subsets", "--example", "--size", "2-4")
    assert "5 coders; 25 subsets." in text
    assert "below 10% from 3 coders on" in text


def test_sizes(command: Command, folder: Path, four: str) -> None:
    result = command.json(*wide(four), "--size", "4,2-3,3")["studies"][0]
    sizes = [row["size"] for row in result["summaries"] if row["coefficient"] == "pi"]
    assert sizes == [2, 3, 4]


def test_a_sample_is_marked_and_seeded(command: Command, folder: Path, four: str) -> None:
    text = command.text(*wide(four), "--max-subsets", "3", "--coefficient", "pi")
    assert "A star marks sizes" in text
    assert "       2       3*" in text
    again = [
        command.json(*wide(four), "--max-subsets", "3", "--rng", seed)["studies"]
        for seed in ("7", "7", "8")
    ]
    assert again[0] == again[1] != again[2]
    size = again[0][0]["summaries"][0]
    assert (size["sampled"], size["n_subsets"], size["n_possible"]) == (True, 3, 6)
    every = command.json(*wide(four), "--max-subsets", "all")["studies"][0]
    assert every["n_subsets"] == 11


def test_the_busiest_coders(command: Command, folder: Path) -> None:
    (folder / "many.csv").write_text(MANY)
    assert command.error("subsets", "many.csv") == (
        "a study of subsets needs 2 to 63 coders, got 70: pass --busiest 25, say"
    )
    result = command.json("subsets", "many.csv", "--busiest", "3")["studies"][0]
    assert (result["coders"], result["n_coders_in_files"]) == (["c0", "c1", "c10"], 70)
    text = command.text("subsets", "many.csv", "--busiest", "3", "--coefficient", "pi")
    assert "Only those of 70 coders with the most judgments take part." in text


def test_groups(command: Command, folder: Path, four: str) -> None:
    document = command.json(*wide(four), "--by", "half")
    assert [(one["group"], one["rows"]) for one in document["studies"]] == [("x", 10), ("y", 10)]
    text = command.text(*wide(four), "--by", "half", "--figure", "by.png")
    assert text.index("half: x (10 rows)") < text.index("half: y (10 rows)")
    assert text.count("as if only the coders of a subset") == 1
    assert "Written: by.png" in text
    assert (folder / "by.png").read_bytes().startswith(b"\x89PNG")


def test_the_reference(command: Command, folder: Path, four: str) -> None:
    document = command.json(*wide(four), "--ties", "fractional")
    reference = document["studies"][0]["reference"]
    expected = reference_stability(data(folder), ties="fractional")
    assert reference["ties"] == "fractional"
    changed = [size["changed"] for size in reference["sizes"]]
    assert changed == pytest.approx(expected.changed.tolist(), rel=1e-12)
    text = command.text(*wide(four), "--ties", "change", "--figure", "two.svg")
    assert "Changes of the majority label (ties: change)" in text
    assert "drawn at random" not in text
    few = command.text(*wide(four), "--ties", "change", "--max-subsets", "3")
    assert "If a size has more than 3 subsets, sd, minimum and maximum" in few
    assert (folder / "two.svg").read_text().count('id="axes_') == 2


def test_every_value_in_parquet(command: Command, folder: Path, four: str) -> None:
    command.text(*wide(four), "--coefficient", "kappa", "--parquet", "values.parquet")
    table = pq.read_table(folder / "values.parquet")
    masks = table["subset"].to_pylist()
    assert len(masks) == 11
    both = data(folder).select(coders=["A", "C"])
    value = table["kappa_nominal"].to_pylist()[masks.index(0b101)]
    assert value == pytest.approx(af.kappa(both).value, rel=1e-12)
    assert [path.name for path in folder.glob(".*")] == []


def test_undefined_subsets_are_counted(command: Command, folder: Path) -> None:
    (folder / "u.csv").write_text("A,B,C\n1,1,\n1,1,2\n1,1,2\n")
    text = command.text("subsets", "u.csv", "--layout", "wide", "--coefficient", "alpha")
    assert "Undefined, and left out: 1 of 2 coders." in text
    (folder / "v.csv").write_text("A,B,C\n1,1,1\n1,1,1\n1,1,1\n")
    text = command.text("subsets", "v.csv", "--layout", "wide", "--coefficient", "alpha")
    assert "       2        3  " in text
    assert " - " in text
    size = command.json("subsets", "v.csv", "--layout", "wide", "--coefficient", "alpha", "--ties",
                        "first")["studies"][0]["summaries"][0]  # fmt: skip
    assert (size["n_undefined"], size["mean"], size["maximum"]) == (3, None, None)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "no file was named: agreement-fast subsets FILE, - for the standard"),
        (["long.csv", "--size", "2,x"], "--size '2,x': expected sizes such as 3 or 2-9, got 'x'"),
        (["long.csv", "--size", "5-2"], "'5-2' must begin with the smaller size"),
        (["long.csv", "--size", "2-99999999"], "too many sizes"),
        (["long.csv", "--size", "9"], "--size must be from 2 to 3, the number of coders, not 9"),
        (["long.csv", "--max-subsets", "0"], "--max-subsets must be a number, 1 or more, or"),
        (["long.csv", "--max-subsets", "some"], "or all, not 'some'"),
        (["long.csv", "--rng", "-1"], "--rng must be a whole number, 0 or more, not -1"),
        (["long.csv", "--rng", "x"], "invalid int value"),
        (["long.csv", "--busiest", "1"], "--busiest must be 2 or more, not 1: agreement needs 2"),
        (["long.csv", "--ties", "mean"], "invalid choice: 'mean'"),
        (["long.csv", "--ties", "median"], "order"),
        (["long.csv", "--figure", "f.xyz"], "--figure 'f.xyz': the ending says the format"),
        (["long.csv", "--figure", "f"], "the ending says the format, such as .png"),
        (["long.csv", "--figure", "no/f.png"], "--figure 'no/f.png': there is no folder 'no'"),
        (["long.csv", "--parquet", "no/v.parquet"], "there is no folder 'no'"),
        (["long.csv", "--parquet", "."], "--parquet '.' is a folder"),
        (["long.csv", "--parquet", "v.parquet", "--by", "lang"], "not --by"),
        (["one.csv"], "a study of subsets needs 2 to 63 coders, got 1"),
        (["long.csv", "--by", "lang", "--coefficient", "nope"], "'nope' is not known"),
        (["long.csv", "--distance", "interval"], "needs numbers, but category 'high'"),
    ],
)
def test_errors_are_one_line(command: Command, folder: Path, argv: list[str], message: str) -> None:
    (folder / "one.csv").write_text("item,coder,label\na,x,1\nb,x,2\n")
    assert message in command.error("subsets", *argv)
    assert not list(folder.glob("*.parquet"))


@pytest.mark.parametrize(
    ("module", "argv", "message"),
    [
        ("matplotlib.figure", ["--figure", "f.png"], '"agreement-fast[plot]"'),
        ("pyarrow.parquet", ["--parquet", "f.parquet"], '"agreement-fast[parquet]"'),
    ],
)
def test_missing_extras_are_explained(
    command: Command,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    argv: list[str],
    message: Any,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert message in command.error("subsets", "long.csv", *argv)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_ends_quietly_and_leaves_nothing(folder: Path) -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(0, 5, (300, 28))
    rows = [",".join("" if cell == 0 else str(cell) for cell in row) for row in table.tolist()]
    names = ",".join(f"c{i}" for i in range(28))
    (folder / "large.csv").write_text("\n".join([names, *rows]) + "\n")
    code = "import sys; from agreement_fast.cli import main; sys.exit(main())"
    argv = ["subsets", "large.csv", "--layout", "wide", "--max-subsets", "all"]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code, *argv, "--parquet", "values.parquet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 60
    # Values are written after all imports, and Python may drop a signal within one.
    while (
        not any(path.stat().st_size > 1000 for path in folder.glob(".*unfinished"))
        and time.monotonic() < until
    ):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert sorted(path.name for path in folder.iterdir()) == ["large.csv", "long.csv", "wide.csv"]


def test_an_unwritable_figure_is_one_line(
    command: Command, folder: Path, four: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", full)
    assert command.error(*wide(four), "--figure", "f.png") == (
        "--figure 'f.png': No space left on device"
    )
    assert not list(folder.glob("*.png")) + list(folder.glob(".*.png"))


def test_merged_categories_are_studied_beside(command: Command, folder: Path, four: str) -> None:
    """Antoine et al. 2014 in one command: both schemes, their difference, subsets, reference."""
    options = ("--merge", "3=2", "--coefficient", "kappa,pi", "--ties", "change")
    (result,) = command.json(*wide(four), *options)["studies"]
    merged = data(folder).merge_categories({3: 2})
    alone = coder_subsets(merged, ["kappa", "pi"])
    shown = result["merged"]["summaries"]
    assert [size["mean"] for size in shown] == [
        pytest.approx(row.mean) for rows in alone for row in rows
    ]
    stability = reference_stability(merged, ties="change")
    assert [size["changed"] for size in result["merged"]["reference"]["sizes"]] == pytest.approx(
        stability.changed.tolist()
    )
    assert result["merged"]["categories"] == [1, 2]
    for change, name in zip(result["merged"]["changes"], ("kappa", "pi"), strict=True):
        expected = af.agreement(merged, name) - af.agreement(data(folder), name)
        assert change["difference"] == pytest.approx(expected)
        assert change["difference_low"] < change["difference"] < change["difference_high"]
    text = command.text(*wide(four), *options)
    assert "Merged to 2 categories: 1, 2." in text
    assert "Merged: Changes of the majority label" in text
    assert command.answer(*wide(four), "--merge", "3=2").count("\n  merged ") == 5  # none is cut


def test_a_merging_that_changes_nothing_is_listed(command: Command, folder: Path) -> None:
    (folder / "same.csv").write_text("A,B\n1,1\n2,2\n3,3\n1,1\n")
    call = ("subsets", "same.csv", "--layout", "wide", "--merge", "3=2", "--coefficient", "pi")
    (change,) = command.json(*call)["studies"][0]["merged"]["changes"]
    assert (change["coefficient"], change["difference"]) == ("pi", 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--merge", "9=1"), "there is no category '9'; they are 1, 2, 3"),
        (("--merge", "3=much"), "the categories are numbers, and 'much' is none"),
        (("--merge", "3"), "expected OLD=NEW, such as very_good=good"),
        (("--merge", "3=2", "--parquet", "values.parquet"), "give it without --merge"),
    ],
)
def test_maps_that_do_not_fit_are_refused(
    command: Command, four: str, options: tuple[str, ...], words: str
) -> None:
    assert words in command.error(*wide(four), *options)


def test_the_help_has_the_numbers_of_the_code():
    for command, number in ((subsets, f"{subsets.DRAWN:,}"), (disagreements, disputes.SHOWN)):
        assert f"{number} " in command.__doc__, command.NAME
