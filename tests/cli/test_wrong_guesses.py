"""What people type who do not know the command yet is answered with what to type."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import LONG, Command
from loops import nonempty

import agreement_fast as af
from agreement_fast.cli import find_commands, main
from agreement_fast.cli.wrong_guesses import (
    GUESSES,
    JOBS,
    in_place_of_command,
    instead_of_command,
)
from agreement_fast.distances import resolve
from agreement_fast.files.roles import WEIGHTINGS


@pytest.mark.few
@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("--annotator who", "write --coder who"),
        ("--rater=who", "write --coder who"),
        ("--coders a", "write --coder a"),
        ("--coders a b", "write --coder a,b"),
        ("--word o.docx", "write --html FILE"),
        ("--id x", "write --item x"),
        ("--metric ordinal", "write --distance ordinal"),
        ("--level ordinal", "write --distance ordinal"),
        ("--only-coders a,b", "write --only-coder a,b"),
        ("--coefficients kappa", "write --coefficient kappa"),
        ("--output o.txt", "or > o.txt behind the command"),
        ("--distance-matrix m.csv", "write --matrix m.csv"),
        ("--taxonomy t.csv", "write --tree t.csv"),
        ("--distnce x", "did you mean --distance?"),
        ("--coder_s x", "did you mean --coder?"),
        ("--columns a,b", "write --layout wide --coder a,b ("),
        ("--rater x --metric ordinal", "write --coder x --distance ordinal ("),
        ("--metric fleiss_kappa", "write --coefficient fleiss_kappa ("),
        ("--weighted", "write --distance quadratic, say ("),
        ("--ordinal", "write --distance ordinal ("),
        (
            "--digits 3",
            "--json and --csv FILE have all digits (",
        ),
        ("--input x", "a file stands without an option ("),
        ("--verbose", "--full prints all that was computed, "),
    ],
)
@pytest.mark.parametrize("name", ["report", "diagnose", "subsets"])
def test_options_of_other_tools(
    command: Command, folder: Path, name: str, typed: str, instead: str
) -> None:
    for argv in (["long.csv", *typed.split()], [*typed.split(), "long.csv"]):
        error = command.error(name, *argv)
        assert instead in error
        assert error.endswith(f"(agreement-fast {name} --help lists the options)")


def test_a_format_of_the_output(command: Command, folder: Path) -> None:
    for name in ("report", "units"):
        error = command.error(name, "long.csv", "--format", "json")
        assert error.startswith("write --json for a JSON document")


def test_values_with_spaces_between_are_joined(command: Command, folder: Path) -> None:
    error = command.error("report", "long.csv", "--coder", "a", "b", "c")
    assert "b c: write --coder a,b,c (" in error


def test_only_what_the_command_has_is_advised(command: Command, folder: Path) -> None:
    assert "write --coder x" in command.error("units", "long.csv", "--rater", "x")
    error = command.error("units", "long.csv", "--unit", "x")
    assert (
        error == "unrecognized arguments: --unit x (agreement-fast units --help lists the options)"
    )
    assert ": " not in command.error("report", "long.csv", "--nope").split("--nope")[1]


def test_every_advised_option_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    known = {}
    for one in find_commands():
        main([*one.NAME.split(), "--help"])
        known[one.NAME] = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    for guess, options in nonempty(GUESSES.items()):
        advised = set(re.findall(r"(?<!\S)--[a-z][a-z-]*", guess))
        assert any(advised <= there for there in known.values()), guess
        assert not {f"--{option}" for option in options.split()} & known["report"], guess
    for distance in WEIGHTINGS.values():
        resolve(distance)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["absent.csv"], "did you mean agreement-fast report absent.csv?"),
        (
            ["some file.csv", "--layout", "wide"],
            "agreement-fast report 'some file.csv' --layout wide?",
        ),
        (["Diagnos", "x"], "did you mean agreement-fast diagnose x?"),
        (["foo"], "'foo' is not a command; the commands are report, diagnose, disagreements, "),
        (["adjudicate", "x", "--limit", "3"], "agreement-fast disagreements x --limit 3?"),
        (["Multi_label", "x"], "did you mean agreement-fast codes x?"),
        (["reliability", "x"], "did you mean agreement-fast report x?"),
        (["spans", "x"], "did you mean agreement-fast units x?"),
        (["agree", "x"], "did you mean agreement-fast report x?"),
        (["kappa2", "x"], "did you mean agreement-fast report --coefficient kappa x?"),
        (["worst", "x", "-n", "20"], "agreement-fast disagreements x --limit 20?"),
        (["judge", "x", "--judge", "gpt"], "agreement-fast judges x --model gpt?"),
        (["drift", "x", "--time=date"], "agreement-fast report --trend x --by date?"),
        (["plot", "x", "-o", "p.png"], "agreement-fast report x --figure p.png?"),
        (["pairwise", "x", "--coders", "a", "b"], "report.html x --coder a,b?"),
        (["summary", "x", "--ci", "--nope", "1"], "--confidence-level 0.95 --nope 1?"),
        (["sample-size", "x"], "in Python, it is a number of items; use af.inference.items_"),
        (["segmentation", "x"], "did you mean agreement-fast units --of segments x?"),
        (["help"], "did you mean agreement-fast --help?"),
        (["--json", "report", "x"], "stands before its options: agreement-fast report FILE --json"),
    ],
)
def test_what_is_no_command(command: Command, folder: Path, argv: list[str], message: str) -> None:
    assert message in command.error(*argv)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("alpha long.csv", "report long.csv --coefficient alpha"),
        ("gwet.ac1 long.csv --by lang", "report long.csv --by lang --coefficient ac1"),
        ("fleiss long.csv", "report long.csv --coefficient pi"),
        ("cohen long.csv", "report long.csv --coefficient kappa"),
        ("icc n.csv", "report n.csv --measures"),
        ("Dawid-Skene long.csv", "aggregate long.csv --method dawid_skene"),
        ("vote long.csv", "aggregate long.csv --method majority"),
        ("gamma units.csv", "units units.csv --gamma"),
        ("alpha-u units.csv", "units units.csv"),
    ],
)
def test_a_coefficient_or_a_method_in_place_of_the_command_is_computed(
    command: Command, folder: Path, typed: str, meant: str
) -> None:
    (folder / "units.csv").write_text("coder,start,end,category\nA,0,4,x\nB,1,4,x\nA,6,9,y\n")
    (folder / "n.csv").write_text("a,b\n1,1\n2,3\n4,4\n5,4\n")
    assert command.text(*typed.split()) == command.text(*meant.split())
    assert "write --coder x (" in command.error(*typed.split(), "--rater", "x")


def test_columns_between_the_files_are_named_by_an_option(command: Command, folder: Path) -> None:
    error = command.error("kappa", "long.csv", "a", "b")
    assert error == "'a': no such file; columns are named as in --coder A,B"
    assert command.error("kappa", "nope.csv") == "'nope.csv': no such file"


def test_a_database_is_read_in_python(command: Command, folder: Path) -> None:
    pytest.importorskip("duckdb").connect(str(folder / "labels.duckdb")).close()
    assert "duckdb.connect('labels.duckdb').sql(" in command.error("labels.duckdb")


def test_a_file_in_place_of_the_command_is_reported_on(command: Command, folder: Path) -> None:
    assert command.text("long.csv", "--full") == command.text("report", "long.csv", "--full")
    error = command.error("long.csv", "--value", "x")
    assert "write --label x (agreement-fast report --help" in error


def test_models_are_named_by_model(command: Command, folder: Path) -> None:
    assert "--judge gpt: write --model gpt (" in command.error(
        "judges", "long.csv", "--judge", "gpt"
    )
    assert "write --coder gpt" in command.error("report", "long.csv", "--judge", "gpt")
    error = command.error("compare", "long.csv", "--judge", "gpt")
    assert "write agreement-fast judges FILE --model gpt (" in error


def test_jobs_are_done_by_commands() -> None:
    known = {job: ["--coder"] for job in JOBS}
    for job in nonempty({job for jobs in JOBS.values() for job in jobs.split()}):
        answer = instead_of_command([job, "f.csv"], known)
        (advised,) = (name for name in JOBS if f"agreement-fast {name} f.csv?" in answer)
        assert job in JOBS[advised].split(), job


def test_commands_that_are_not_there_are_not_advised() -> None:
    typed = ["merge", "f.csv"]
    answer = instead_of_command(typed, {"report": [], "diagnose": []})
    assert "the commands are report, diagnose" in answer
    assert "agreement-fast aggregate f.csv?" in instead_of_command(typed, {"aggregate": []})
    assert in_place_of_command(["mace", "f.csv"], ["report"]) == []


def test_options_of_other_commands_are_placed(command: Command, folder: Path) -> None:
    error = command.error("report", "long.csv", "--between", "A,B")
    assert "--between A,B: it is an option of agreement-fast disagreements (" in error
    error = command.error("subsets", "long.csv", "--cluster", "lang")
    assert "it is an option of agreement-fast report" in error


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        (["--ci", "0.9"], "write --method score --confidence-level 0.9 ("),
        (["--ci", ".95"], "write --method score --confidence-level .95 ("),
        (["--ci", "99"], "write --method score --confidence-level 0.99 ("),
        (["--ci", "5%"], "write --method score --confidence-level 0.05 ("),
        (["--ci"], "write --method score --confidence-level 0.95 ("),
        (["--order", "low,mid"], "write --categories low,mid --distance ordinal ("),
        (["--wide"], "write --layout wide ("),
        (["--rn", "1", "--rater", "x"], "write --coder x; did you mean --rng? ("),
        (["--counts"], "write --layout counts ("),
        (["--table"], "write --layout contingency ("),
        (["--type", "long"], "write --layout long ("),
        (["--apa"], "write --style apa ("),
        (["-o", "r.html"], "write --html r.html ("),
        (["--output=r.csv"], "write --csv r.csv ("),
        (["--sep", ";"], "write --delimiter ';' (--set-separator if "),
        (["--layout", "wide", "--at-least", "kappa=0.5"], "write --fail-under kappa=0.5 ("),
        (["--min", "0.5"], "write --fail-under alpha=0.5 ("),
        (["--seed", "3"], "write --rng 3 ("),
        (["--resamples", "99"], "write --n-resamples 99 ("),
        (["--confidence", "0.9"], "write --confidence-level 0.9 ("),
        (["--ci-method", "bca"], "write --method bca ("),
        (["--metric", "cohen"], "write --coefficient kappa ("),
        (["--measure", "gwet"], "write --coefficient ac ("),
        (["--krippendorff"], "write --coefficient krippendorff ("),
        (["--model", "ICC2k"], "write --measures ("),
        (["--k", "3"], "unrecognized arguments: --k 3 ("),
        (["--pairwise"], "write --html FILE, whose page has it ("),
        (["--format", "wide"], ": pass --layout wide"),
        (["--format", "latex"], "write --latex for tables to paste; --format says which tool"),
        (["--json", "o.json"], "--json takes no value: it prints, and > o.json behind the command"),
    ],
)
def test_values_of_options(command: Command, folder: Path, typed: list[str], instead: str) -> None:
    assert instead in command.error("report", "long.csv", *typed)


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        (["--method", "vote"], "'glad'); write --method majority ("),
        (["--method", "majority_vote"], "write --method majority ("),
        (["--method", "ds"], "write --method dawid_skene ("),
        (["--method", "dawid_skeene"], "did you mean --method dawid_skene?"),
        (["--ties", "fist"], "did you mean --ties first?"),
        (["--method", "crowdlab"], 'agreement_fast.aggregate(data, "crowdlab", probabilities='),
        (["--method", "foo"], "'glad') ("),
    ],
)
def test_choices_that_there_are_not(
    command: Command, folder: Path, typed: list[str], instead: str
) -> None:
    error = command.error("aggregate", "long.csv", *typed)
    assert instead in error
    if written := re.search(r"--method \w+(?=[ ?][^ ]*\Z| \()", error):
        command.text("aggregate", "long.csv", *written[0].split())


@pytest.mark.parametrize("method", ["mean", "Median", "average"])
def test_scores_of_items_are_found_in_python(command: Command, folder: Path, method: str) -> None:
    (folder / "s.csv").write_text("item,coder,label\na,x,1\na,y,2\nb,x,4\nb,y,4\n")
    error = command.error("aggregate", "s.csv", "--method", method)
    call = re.search(r"agreement_fast\.diagnostics\.item_scores\(.*?\)\)", error)
    assert call
    assert eval(call[0], {"agreement_fast": af}).mean.tolist() == [1.5, 4.0]


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("aggregate long.csv --algorithm mace", "write --method mace ("),
        ("aggregate long.csv --n-iter 9", "it stops when it has converged ("),
        ("gold long.csv --gold-column t", "write --gold t ("),
        ("judges long.csv --llm gpt", "write --model gpt ("),
        ("subsets long.csv --n 3", "write --size 3 ("),
        ("units long.csv --iou 0.5", "--full prints F1 of exact and of overlapping units"),
        ("compare long.csv long2.csv --test", "--csv FILE has p ("),
    ],
)
def test_options_of_other_tools_at_their_commands(
    command: Command, folder: Path, typed: str, instead: str
) -> None:
    assert instead in command.error(*typed.split())


def test_runs_of_a_model_are_duplicates(command: Command, folder: Path) -> None:
    error = command.error("judges", "long.csv", "--model", "A", "--run", "run")
    assert "write --duplicates majority, which also compares the runs (" in error


def test_answers_to_a_form_are_transposed(command: Command, folder: Path) -> None:
    (folder / "form.csv").write_text(
        "Timestamp,Email,Post 1,Post 2\n2024/01/01,a@b.org,x,y\n2024/01/02,c@d.org,x,x\n"
    )
    error = command.error("report", "form.csv")
    assert "transpose the table without 'Timestamp' (in a spreadsheet: " in error


def test_weights_of_a_kappa_are_a_distance(command: Command, folder: Path) -> None:
    advice = "weights of a kappa are a distance here: did you mean --distance quadratic?"
    assert command.error("report", "long.csv", "--weights", "Quadratic").endswith(advice)
    assert "distance" not in command.error("report", "long.csv", "--weights", "n")
    # The column that is missing may be another one.
    assert "distance" not in command.error(
        "report", "long.csv", "--weights", "quadratic", "--item", "x"
    )
    (folder / "w.csv").write_text("item,coder,label,linear\na,x,1,2\na,y,1,2\nb,x,2,1\nb,y,1,1\n")
    result = command.json("report", "w.csv", "--weights", "linear")["reports"][0]
    assert result["n_items"] == 3


def test_the_standard_input_is_asked_for(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("report", "units"):
        assert "FILE, - for the standard input" in command.error(name).replace(" or -", " -")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LONG.encode())))
    assert "standard input (CSV, long)" in command.text("report", "-")


def test_the_package_runs_as_a_module(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "agreement_fast", "--version"],
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"agreement-fast ")
