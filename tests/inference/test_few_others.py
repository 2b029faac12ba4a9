"""An interval that rests on a handful of judgments says so, wherever it is shown."""

from __future__ import annotations

import pytest

import agreement_fast as af
from agreement_fast import bootstrap, diagnose, report
from agreement_fast.inference import coefficient_test, standard_error

RARE = [["x", "x"]] * 50 + [["x", "y"]]
PIECES = [af.Annotations.from_wide(part) for part in (RARE[:20], RARE[20:])]
WHY = "the interval rests on 1 judgment of the category y"


@pytest.mark.parametrize(
    "note",
    [
        standard_error(RARE).note,
        coefficient_test(RARE, null_value=0.5).note,
        bootstrap(RARE, n_resamples=100, rng=1, method="bca").note,
        standard_error(af.concat(PIECES, keep_items=False, keep_coders=False)).note,
    ],
    ids=["error", "test", "bootstrap", "without coders"],
)
def test_one_judgment_of_a_rare_category_is_reported(note: str | None) -> None:
    assert note == WHY


def test_the_report_and_its_sentence_tell_it() -> None:
    result = report(RARE, method="delta")
    assert f"Fisher's z scale; {WHY})." in result.sentence()
    text = " ".join(result.to_text(width=200).split())
    assert f"Few judgments: pi (nominal), alpha (nominal). T{WHY[1:]}." in text
    assert "No width: kappa" in text


def test_a_diagnosis_does_not_call_a_rare_category_no_understanding() -> None:
    result = diagnose(RARE)
    assert not result.of("no agreement")
    assert result.findings[0].kind == "prevalence"
    (finding,) = result.of("few items")
    assert f"T{WHY[1:]}." in finding.sentence
    assert "share no" not in result.to_text()
    # Many judgments of the rare category tell that this one is not shared.
    many = diagnose([["x", "x"]] * 5000 + [["x", "y"], ["y", "x"]] * 60)
    assert (
        "not yet share an understanding of the rarer categories"
        in many.of("no agreement")[0].advice
    )


def rows(both: int, apart: int, rest: int, category: str = "y") -> list[list[str]]:
    return [["y", "y"]] * both + [["x", category]] * apart + [["x", "x"]] * rest


@pytest.mark.parametrize(
    ("data", "coefficient", "says"),
    [
        (rows(0, 10, 100), "alpha", "10 judgments of the category y"),
        (rows(0, 11, 100), "alpha", None),  # 11 without agreement
        (rows(9, 0, 100), "alpha", "18 judgments of"),  # those of an item count as one
        (rows(10, 0, 100), "alpha", "20 judgments of"),
        (rows(11, 0, 100), "alpha", None),
        (rows(5, 4, 100), "alpha", "14 judgments of"),  # α is .70, so they count as 8.2
        (rows(6, 7, 200), "alpha", None),  # .61: 19 count as 11.8
        (rows(1, 2, 18), "alpha", "4 judgments of"),  # 4 of 42 judgments
        (rows(1, 2, 16), "alpha", None),  # 4 of 38: more than a tenth
        (rows(1, 2, 100, "z"), "kappa", "4 judgments of categories other than x"),
        (rows(1, 2, 100), "s", None),  # chance does not count how often they are used
        (rows(1, 2, 100), "ac", None),
        ([["y"] * 6, ["x"] * 5 + ["y"]] + [["x"] * 6] * 50, "alpha", "7 judgments of"),
    ],
)
def test_few_are_ten_that_do_not_agree_and_a_tenth(data, coefficient, says) -> None:
    note = standard_error(data, coefficient).note
    if says is None:
        assert note is None
    else:
        assert note is not None
        assert f"rests on {says}" in note


def test_few_documents_with_a_rare_category_are_told() -> None:
    data = rows(20, 15, 700)
    assert standard_error(data).note is None
    for spread, note in ((11, None), (10, "55 judgments (in 10 documents) of the category y")):
        documents = [i % spread if i < 35 else i % 40 for i in range(len(data))]
        result = standard_error(data, cluster=documents).note
        assert result == (note and f"the interval rests on {note}")


def test_one_cluster_has_no_interval_and_says_so() -> None:
    data = [["x", "x"], ["x", "y"], ["y", "y"]] * 5
    result = report(data, method="delta", cluster=["d"] * 15)
    why = "there is one cluster of items only, which has no spread"
    assert result.quoted_interval is not None
    assert result.quoted_interval.note == why
    assert f"an interval cannot be given ({why})" in result.sentence()
    text = result.to_text(width=200)
    assert text.count("No interval: ") == 1
    assert "nan" not in text
    assert f"of the time (no interval: {why})" in text
    finding = diagnose(data, cluster=["d"] * 15).of("few items")[0]
    assert finding.sentence.endswith(f"its precision is unknown: {why}.")


def test_an_interval_without_width_is_shown_nowhere() -> None:
    result = report([["x", "x"], ["y", "y"]] * 3, method="delta")
    text = result.to_text()
    rows = [line.split() for line in text.split("Intervals\n")[1].splitlines()]
    assert ["pi", "nominal", "1.0000", "0.0000", "-", "-"] in rows
    assert "the same" not in text.split("How such values")[1]
