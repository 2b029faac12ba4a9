"""Covidence's CSVs: counts of pairs of votes, and extracted data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from damage import blots, csv_changes, cuts, refused
from exported import judgments, read

import agreement_fast as af
from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool

PAIRS = '"A Yes, B Yes","A Yes, B No","A No, B Yes","A No, B No"'
COUNTS = f"""Reviewer A,Reviewer B,{PAIRS},Proportionate Agreement,Cohen's Kappa
Ann,Ben,3,1,2,4,0.7,0.4
Ann,Cid,0,0,1,1,0.5,0
,,3,1,3,5,,
"""
EXTRACTED = """Covidence #,Study ID,Title,Reviewer Name,Design,Country
12,Lee 2020,A trial,Ann,RCT,Chile
12,Lee 2020,A trial,Ben,cohort,Chile
12,Lee 2020,A trial,Consensus,RCT,Chile
15,Diaz 2021,Another,Ann,,Peru
"""


def write(tmp_path: Path, content: str, name: str = "review.csv") -> Path:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


def test_counts_become_studies(tmp_path: Path) -> None:
    export = read(write(tmp_path, COUNTS))
    assert export.tool.name == "covidence"
    assert export.questions == ("vote",)
    result = judgments(export.table())
    assert len(result) == 2 * (3 + 1 + 2 + 4 + 0 + 0 + 1 + 1)
    of_item: dict[str, dict[str, str]] = {}
    for (item, coder), label in result.items():
        of_item.setdefault(item, {})[coder] = label
    assert Counter(tuple(sorted(votes.items())) for votes in of_item.values()) == {
        (("Ann", "yes"), ("Ben", "yes")): 3,
        (("Ann", "yes"), ("Ben", "no")): 1,
        (("Ann", "no"), ("Ben", "yes")): 2,
        (("Ann", "no"), ("Ben", "no")): 4,
        (("Ann", "no"), ("Cid", "yes")): 1,
        (("Ann", "no"), ("Cid", "no")): 1,
    }
    assert export.contents.left_out == {"rows without two reviewers": 1}
    assert any("'maybe' as yes" in note for note in export.notes())


def test_the_coefficient_is_that_of_the_counts(tmp_path: Path) -> None:
    one = "\n".join(COUNTS.splitlines()[:2])
    result = read(write(tmp_path, one)).table()
    columns = (result.items.decode(), result.coders.decode(), result.labels.decode())
    first, second = "yyyynnnnnn", "yyynyynnnn"
    assert af.kappa(af.Annotations.from_long(*columns)).value == pytest.approx(
        af.kappa(list(first), list(second)).value, abs=1e-15
    )
    # What the file itself says, rounded: p_o = 0.7, p_e = 0.5.
    assert af.kappa(af.Annotations.from_long(*columns)).value == pytest.approx(0.4, abs=1e-12)


def test_counts_without_names(tmp_path: Path) -> None:
    export = read(write(tmp_path, f"{PAIRS}\n1,0,0,1\n"))
    assert {coder for _, coder in judgments(export.table())} == {"Reviewer A", "Reviewer B"}
    with pytest.raises(ReadError, match="record 2: there are several pairs"):
        read(write(tmp_path, f"{PAIRS}\n1,0,0,1\n1,0,0,1\n"))


def test_stages_are_questions(tmp_path: Path) -> None:
    paths = [write(tmp_path, COUNTS, name) for name in ("titles.csv", "full.csv")]
    assert read(*paths).questions == ("vote (titles)", "vote (full)")


def test_extracted_data(tmp_path: Path) -> None:
    export = read(write(tmp_path, EXTRACTED))
    assert export.questions == ("Design", "Country")
    assert judgments(export.table("Design")) == {
        ("12", "Ann"): "RCT", ("12", "Ben"): "cohort", ("15", "Ann"): None,
    }  # fmt: skip
    assert export.contents.left_out == {"rows of the consensus": 1}
    with_curation = read(write(tmp_path, EXTRACTED), with_curation=True)
    assert judgments(with_curation.table("Design"))["12", "curator"] == "RCT"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "Title,Covidence #,Study,Notes,Tags\nx,#1,Lee,,\n",
            "lists studies, but not the votes of each reviewer",
        ),
        (COUNTS.replace("3,1,2", "3.5,1,2"), "record 1: 'A Yes, B Yes' must be a count, got '3.5'"),
        (COUNTS.replace("3,1,2", "-3,1,2"), "got '-3'"),
        (COUNTS.replace("3,1,2", "99999999,1,2"), "counts more than 20,000,000 studies"),
        (COUNTS.replace("Ann,Ben", "Ann,Ann"), "both reviewers are called 'Ann'"),
        (COUNTS + "x\n", "expected 8 cells, got 1"),
        (EXTRACTED.replace("15,", ",", 1), "record 4: 'Covidence #' is empty"),
        (EXTRACTED.replace(",Country", ",Design"), "two columns 'Design'"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ReadError, match=message) as caught:
        read(write(tmp_path, content))
    assert "review.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.breadth
def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "review.csv"
    good = 0
    for whole in (COUNTS, EXTRACTED):
        for content in (*cuts(whole.encode()), *blots(whole.encode())):
            path.write_bytes(content)
            good += refused(path, format="covidence") is None
        for text in csv_changes(whole):
            path.write_text(text, encoding="utf-8")
            good += refused(path, format="covidence") is None
    assert good > 100


@pytest.mark.parametrize(
    "content", ["", "item,coder,label\n1,a,x\n", "Study,Reviewer Name,Design\n1,Ann,x\n"]
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    assert find_tool(Bundle.of([str(write(tmp_path, content))]), None) is None
