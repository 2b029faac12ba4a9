"""Every remark is true where it is made, and is not made where it would not be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import report

#: 90 ok/ok, 4 ok/no, 5 no/ok, 1 no/no: kappa .13 where 91% agree
ESSAYS = af.Annotations.from_contingency([[90, 4], [5, 1]], categories=["ok", "no"])
EVEN = af.Annotations.from_contingency([[45, 4], [5, 46]])
#: Di Eugenio & Glass 2004, examples 3, 4, 5 and 6
SKEWED = af.Annotations.from_contingency([[90, 5], [5, 0]])
BALANCED = af.Annotations.from_contingency([[45, 5], [5, 45]])
ALIKE = af.Annotations.from_contingency([[40, 15], [20, 25]])
UNLIKE = af.Annotations.from_contingency([[40, 35], [0, 25]])


def said(data: Any, *args: Any, **options: Any) -> dict[str, str]:
    """Give the remarks by kind, each of which is there once."""
    result = report(data, *args, **options).remarks
    assert len({remark.kind for remark in result}) == len(result)
    return {remark.kind: remark.text for remark in result}


def test_a_prevailing_category_explains_a_low_value() -> None:
    text = said(ESSAYS)["prevalence"]
    assert text.startswith(
        "Why alpha is 0.1385 although 91% of the judgments of an item agree: ok is 94% of all"
        " labels. Coders who used the labels as often without looking at the items would agree on"
        " 89.6%, these agree on 91.0%."
    )
    # 2 · 1 / (2 · 1 + 4 + 5), the specific agreement
    assert "If one coder says no, another does in 18% of cases." in text
    assert "Quote alpha together with the observed agreement and the counts" in text
    assert "S (0.8200) and AC (0.8996) count little of this as chance, and say nothing" in text
    only = said(ESSAYS, ["s", "kappa"])["prevalence"]
    assert "Why kappa is 0.1346" in only
    assert "S (0.8200) counts little of this as chance, and says nothing" in only
    alone = said(ESSAYS, ["pi"])["prevalence"]
    assert "Why pi is 0.1342" in alone
    assert "hardly" not in alone


def test_the_chance_of_the_sentence_is_that_of_coders_who_do_not_look() -> None:
    """1 - D_e is the share that coders of these habits agree on at random."""
    kappa = af.kappa(ESSAYS)
    by_hand = 0.94 * 0.95 + 0.06 * 0.05
    assert kappa.expected_agreement == pytest.approx(by_hand)
    assert f"would agree on {by_hand:.1%}, these" in said(ESSAYS, ["kappa"])["prevalence"]


def test_of_more_categories_the_rarer_ones_are_taken_together() -> None:
    rows = [["x", "x"]] * 80 + [["a", "a"], ["b", "a"], ["x", "a"], ["b", "b"], ["x", "b"]] * 2
    text = said(rows)["prevalence"]
    # a and b are said 6 + 6 times; 2 · 2 + 2 · 2 of these meet the same
    assert "If one coder says anything but x, another says the same in 50% of cases." in text


def test_the_rarer_ones_are_not_told_where_the_table_is_cut() -> None:
    many = [[f"l{i:02}", f"l{i + 1:02}"] for i in range(60)] + [["x", "x"]] * 300
    text = said(many)["prevalence"]
    assert "x is 83% of all labels" in text
    assert "If one coder says" not in text


@pytest.mark.parametrize(
    ("data", "coefficients"),
    [(EVEN, None), (BALANCED, None), (ALIKE, None), (ESSAYS, ["s", "ac"])],
)
def test_nothing_is_said_of_prevalence_where_none_prevails(data: Any, coefficients: Any) -> None:
    assert "prevalence" not in said(data, coefficients)


def test_a_high_value_needs_no_reason() -> None:
    high = af.Annotations.from_contingency([[900, 5], [5, 90]])
    result = report(high)
    assert float(result.table["alpha"]) > 0.8
    assert {remark.kind for remark in result.remarks} == {"three numbers"}


def test_categories_that_nobody_used_part_the_coefficients() -> None:
    rows = [["a", "a"], ["b", "b"], ["c", "c"], ["a", "b"], ["b", "c"], ["c", "a"]] * 5
    declared = af.Annotations.from_wide(rows, categories=list("abcdefgh"))
    text = said(declared, ["s", "alpha"])["categories"]
    assert text.startswith("S lies above alpha because a few of the 8 categories hold all judgment")
    assert "Look at alpha." in text
    # one category has half of the judgments, chance agrees less than half of the time
    half = [["x", "x"], ["x", "a"], ["x", "b"], ["c", "c"], ["x", "x"], ["a", "x"]] * 5
    assert "S lies above pi because 58% of the judgments are x." in said(half, ["s", "pi"])[
        "prevalence"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "kind", "numbers", "bias", "prevalence"),
    [
        (SKEWED, "three numbers", "Kappa -0.0526, pi -0.0526, 2 A_o - 1 0.8000", False, True),
        (BALANCED, "three numbers", "Kappa 0.8000, pi 0.8000, 2 A_o - 1 0.8000", False, False),
        (ALIKE, "three numbers", "Kappa 0.2857, pi 0.2839, 2 A_o - 1 0.3000", False, False),
        (UNLIKE, "habits", "Kappa 0.3636, pi 0.2839, 2 A_o - 1 0.3000", True, False),
    ],
)
def test_the_three_numbers_of_di_eugenio_and_glass(
    data: Any, kind: str, numbers: str, bias: bool, prevalence: bool
) -> None:
    text = said(data)[kind]
    assert text.startswith(f"{numbers} (Di Eugenio & Glass 2004):")
    assert ("kappa lies above pi because the coders use the categories at" in text) == bias
    assert ("the coders' own habits change little" in text) != bias
    assert ("because one category prevails" in text) == prevalence


def test_two_of_the_three_numbers_are_not_enough() -> None:
    kinds = said(UNLIKE, ["kappa", "alpha"]).keys() | said(UNLIKE, ["pi"]).keys()
    assert not kinds & {"habits", "three numbers"}
    # of three categories that are used alike they say nothing
    even = [["a", "a"], ["b", "b"], ["c", "c"], ["a", "b"]] * 9
    assert not said(even).keys() & {"habits", "three numbers"}


def test_a_constant_coder_settles_kappa() -> None:
    rows = [["x", "x"]] * 6 + [["y", "x"]] * 4
    constant = af.Annotations.from_wide(rows, coders=["Ann", "Bea"])
    result = said(constant)
    assert result["constant"] == (
        "kappa is 0.0000 and could not be anything else, regardless of the other coders: coder Bea"
        " used x only. It says nothing about how well they agree."
    )
    assert "habits" not in result
    assert next(iter(result)) == "constant"
    assert "constant" not in said(constant, ["alpha"])
    # with missing judgments the margins of kappa are not those of the items that both judged
    some = af.Annotations.from_wide([*rows, [None, "x"]], coders=["Ann", "Bea"])
    assert "constant" not in said(some)
    assert "constant" not in said(ESSAYS)


@pytest.mark.parametrize("n_coders", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_kappa_is_indeed_settled_by_constant_coders(n_coders: int, seed: int) -> None:
    import numpy as np

    rng = np.random.default_rng(seed)
    rows = [[*["x"] * (n_coders - 1), str(one)] for one in rng.choice(["x", "y", "z"], 12)]
    assert float(af.kappa(rows)) == pytest.approx(0, abs=1e-12)
    assert "constant" in said(rows)


#: 21 no/no, 2 no/yes, 3 yes/no, 14 yes/yes; the first coder alone said no to 60 more.
SHARED = [["no", "no"]] * 21 + [["no", "yes"]] * 2 + [["yes", "no"]] * 3 + [["yes", "yes"]] * 14
SINGLES = [*SHARED, *[["no", None]] * 60]


def test_items_judged_once_that_move_kappa_are_told() -> None:
    both, shared = af.agreement_table(SINGLES), af.agreement_table(SHARED)
    result = said(SINGLES)
    text = result["incomplete"]
    assert text.startswith("60 items that were judged once cannot show agreement")
    for name in ("kappa", "pi", "ac"):
        assert f"{name} (nominal) {shared[name]:.4f}, not {both[name]:.4f}" in text
    assert "alpha" not in text
    # which kappa, pi and 2 A_o - 1 would not explain
    assert not result.keys() & {"habits", "three numbers"}
    assert "incomplete" in said(SINGLES, ["kappa"])


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        (SHARED, {}),
        (SINGLES, {"incomplete": "pairable"}),
        (SINGLES, {"incomplete": "complete"}),
        (SINGLES, {"coefficient": ["s", "alpha"]}),
        ([*SHARED, ["no", None]], {}),
        ([["x", "x"], ["x", "x"], ["y", None]], {}),
    ],
)
def test_nothing_is_labels_of_items_judged_once_that_move_nothing(rows: Any, options: Any) -> None:
    assert "incomplete" not in said(rows, **options)


def test_categories_that_are_too_rare_are_named() -> None:
    text = said(ESSAYS)["rare"]
    # N p² = 100 · (11 / 200)², and 5 / p² items
    assert "by chance (Krippendorff 2004): no (0.3). It takes about 1,653 items" in text
    assert "rare" not in said(BALANCED)
    rows = [["a", "a"], ["b", "b"], ["c", "c"]]
    several = said([*rows, *[["d", "d"]] * 20])["rare"]
    assert several.startswith("Too rare to show whether coders recognise them")
    assert "a (0.0), b (0.0), c (0.0). Add items that are likely to hold them." in several
    many = said([[c, c] for c in "abcdefg" + "h" * 20])["rare"]
    assert "e (0.0) and 2 more. Add" in many
    sets = af.Annotations.from_wide([["a", "a|b"], ["a", "a"]], set_separator="|")
    assert "rare" not in said(sets)
    assert report([[i, i] for i in range(21)]).rare == ()
    assert report([["x", "x"]] * 2).rare == ()
    assert [one.label for one in report([["x", "x"], ["x", "x"], ["x", "y"]]).rare] == ["y"]


def test_where_all_categories_are_rare_the_items_are_few() -> None:
    text = said([[c, c] for c in "aaaaaaaabbbbbbbccccccccc"])["rare"]
    assert "Too rare" not in text
    # N p² = 24 · (7 / 24)², and 5 / p² items
    assert text == (
        "Few items for 3 categories: on none of them would two coders agree five times by chance"
        " (Krippendorff 2004): b (2.0), a (2.7), c (3.4). About 59 items are needed for the rarest,"
        " at these shares."
    )
    seven = said([[c, c] for c in "abcdefg"])["rare"]
    assert "e (0.1) and 2 more. About 245 items" in seven
    # a category alone cannot be rare
    assert "rare" not in said([["x", "x"]] * 3)
    assert (
        "y (0.0)" in said(af.Annotations.from_wide([["x", "x"]] * 9, categories=["x", "y"]))["rare"]
    )


def test_what_is_low_points_to_diagnose() -> None:
    assert "the command diagnose, or af.diagnose" in said(ESSAYS)["diagnose"]
    assert "diagnose" in said([["x", "x"], ["x", "x"]])
    assert "diagnose" not in said(af.Annotations.from_contingency([[50, 2], [2, 50]]))


def test_a_second_report_says_only_what_is_its_own() -> None:
    result = report(ESSAYS)
    text = result.to_text(explain=False)
    assert "- Why alpha is 0.1385" in text
    assert "Di Eugenio" not in text
    assert "agreement-fast diagnose" not in text


def test_labels_in_remarks_are_harmless() -> None:
    evil = "\x1b[31mok"
    data = af.Annotations.from_contingency([[90, 4], [5, 1]], categories=[evil, "no"])
    assert "\\x1b[31mok is 94%" in said(data)["prevalence"]
    text = report(data).to_text()
    assert not {c for c in text if not c.isprintable() and c != "\n"}


def test_the_document_has_the_remarks() -> None:
    result = report(ESSAYS)
    document = result.to_dict()
    assert document["remarks"] == [{"kind": r.kind, "text": r.text} for r in result.remarks]
    (rare,) = document["rare"]
    assert (rare["label"], rare["items_needed"]) == ("no", 1653)
    assert rare["expected"] == pytest.approx(0.3025)


def test_numbers_compared_as_names_are_said(tmp_path: Path) -> None:
    """In `read` and below the table, unless a distance takes them as numbers."""
    table = [[1, 2], [2, 2], [3, 3], [3, 1], [1, 1]] * 4
    named = [[f"n{label}" for label in row] for row in table]
    coded = af.Annotations.from_wide(table)
    floats = (np.array(table) + 0.5).tolist()
    for data in (table, np.array(table), coded, floats, af.Annotations.from_counts([[2, 1, 3]])):
        for result in (af.alpha(data), af.agreement(data), af.agreement_table(data)):
            (note,) = result.read.notes
            assert "the labels are numbers, but are compared as names" in note
            assert note in repr(result.read)
        assert af.alpha(data, "interval").read.notes == ()
    text = "numbers, but are compared as names"
    options = report(table)
    assert options.remarks[0].kind == "numbers"
    assert text in " ".join(options.to_text().split())
    options.save(path := tmp_path / "report.html")
    assert text in " ".join(path.read_text().split())
    assert text in options.to_dict()["remarks"][0]["text"]
    for data in (named, [[0, 1], [1, 1], [0, 0]], [[True, False], [True, True]]):
        assert af.alpha(data).read.notes == ()
        assert all(remark.kind != "numbers" for remark in report(data).remarks)
    assert all(remark.kind != "numbers" for remark in report(table, distance="interval").remarks)
