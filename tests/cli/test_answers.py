"""By default a command prints its answer; ``--full`` prints the rest, too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import Command
from guard import FILES

from agreement_fast.cli import find_commands

#: The most lines and words of an answer, beside what was in doubt.
LINES, WORDS = 25, 200

#: Calls of every command with the files of the pages, or the data of the package.
CALLS = (
    "report labels.csv",
    "report labels.csv --method score --coefficient kappa,alpha",
    "report labels.csv --categories low,mid,high --distance ordinal",
    "report labels.csv --by batch",
    "report labels.csv --by lang,batch",
    "report labels.csv --by week --trend",
    "report --example",
    "report --example --repeats-of obs1",
    "diagnose labels.csv",
    "diagnose labels.csv --by batch",
    "diagnose --example",
    "disagreements labels.csv --show text",
    "disagreements --example",
    "codes interviews.csv --set-separator ; --empty-set none",
    "codes codings.csv --duplicates set",
    "compare before.csv after.csv --paired",
    "gold labels.csv --gold truth",
    "judges labels.csv --model gpt,llama --n-resamples 100",
    "aggregate judgments.csv",
    "aggregate judgments.csv --method mace",
    "aggregate --example --method dawid_skene",
    "models labels.csv",
    "models --example --model classes --max-classes 2",
    "subsets labels.csv",
    "subsets --example --ties first",
    "units spans.csv --length 5000",
    "units spans.csv --length 5000 --method percentile --n-resamples 50",
    "units --of segments cuts.csv --gold expert",
    "units --of chains links.csv",
)

OF = [one.NAME for one in find_commands() if " " in one.NAME]
#: Commands without a call here read the data of the package.
CALLED = {call.split()[0] for call in CALLS} | {
    name for name in OF if f"{name} " in " ".join(CALLS)
}
CALLS += tuple(f"{one.NAME} --example" for one in find_commands() if one.NAME not in CALLED)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder with the files that the pages name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def counted(text: str) -> str:
    """Leave out notes and guesses, which are never hidden and not counted."""
    return re.sub(r"^  (?:note   |guessed)     .*\n(?: {14}.*\n)*", "", text, flags=re.MULTILINE)


def words(text: str) -> set[str]:
    """Give the words and numbers below the headings, without what says how much is left out."""
    kept = re.findall(r"^  (?!and .* more|--full).*$", text, flags=re.MULTILINE)
    return {word.strip(".,;:") for word in " ".join(kept).split()}


@pytest.mark.parametrize(
    "call",
    [
        "aggregate --example --method dawid_skene",
        "aggregate judgments.csv --method dawid_skene --gold truth",
        "codes many.csv --duplicates set",
    ],
)
def test_tables_of_an_answer_make_room_for_notes(
    command: Command, call: str, tmp_path: Path
) -> None:
    rows = [f"{i},{who},c{i * (1 + n) % 9}" for i in range(60) for n, who in enumerate("abc")]
    (tmp_path / "many.csv").write_text("\n".join(["item,coder,label", *rows, "60,a,n/a"]))
    answer = command.answer(*call.split())
    assert len(re.findall("^  note ", answer, re.MULTILINE))
    assert len(answer.splitlines()) <= LINES + 1


@pytest.mark.parametrize("call", CALLS)
def test_an_answer_is_short_and_part_of_the_whole(command: Command, call: str) -> None:
    typed = call.split()
    answer, whole = command.answer(*typed), command.text(*typed)
    assert len(counted(answer).splitlines()) <= LINES
    assert len(counted(answer).split()) <= WORDS
    assert words(answer) <= words(whole)
    assert re.findall("^  guessed .*", answer, re.MULTILINE) == (
        re.findall("^  guessed .*", whole, re.MULTILINE)
    )
    assert whole.startswith("agreement-fast ")
    hints = [line for line in answer.splitlines() if line.startswith("  --full prints the rest")]
    assert len(hints) == 1


def test_a_distance_that_is_named_is_a_choice(command: Command) -> None:
    assert "Choose a distance first" in command.text("report", "--example")
    for name in ("nominal", "ordinal", "nominal,ordinal"):
        answer = command.text("report", "--example", "--distance", name)
        assert "Choose a distance first" not in answer
        assert "Krippendorff's alpha (Krippendorff 2011;" in answer
