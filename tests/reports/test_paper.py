"""The paragraph for a paper says what the coefficient is, what it rests on, and what is missing."""

from __future__ import annotations

from typing import Any

import pytest

import agreement_fast as af
from agreement_fast import citation, report

TABLE_1 = af.Annotations.from_contingency([[20, 20], [10, 50]], categories=["stat", "ireq"])
RAGGED = af.Annotations.from_wide(
    [["a", "a", "b"], ["b", "b", None], ["a", "a", "a"], [None, "c", None], [None, None, None]]
)


def test_the_value_its_interval_and_what_it_rests_on() -> None:
    result = report(TABLE_1, confidence_level=0.9)
    drawn = af.inference.standard_error(TABLE_1, "alpha", confidence_level=0.9)
    assert result.sentence() == (
        "Krippendorff's alpha (Krippendorff 2011; nominal distance) = 0.344, 90% CI"
        f" [{drawn.low:.3f}, {drawn.high:.3f}] (score interval over items). It rests"
        " on 200 judgments of 100 items by 2 coders, in 2"
        " categories (stat, ireq). No judgment was missing. Two"
        " judgments of an item were equal 70.0% of the time. Computed"
        f" with agreement-fast {af.__version__}."
    )
    assert " ".join(result.to_text().split()).count(result.sentence()) == 1


@pytest.mark.parametrize(
    ("coefficients", "distances", "start"),
    [
        (None, None, "Krippendorff's alpha (Krippendorff 2011; nominal distance) ="),
        (["kappa", "alpha"], None, "Cohen's kappa (Cohen 1960; nominal distance) ="),
        (["kappa", "beta"], ["nominal", "linear"], "Cohen's weighted kappa (Cohen 1968; linear"),
        (["s", "alpha"], ["nominal", "ordinal"], "Krippendorff's alpha (Krippendorff 2011; ord"),
        (None, ["nominal", "ordinal", "interval"], "Krippendorff's alpha (Krippendorff 2011; ordi"),
        (["scott_pi"], None, "Scott's pi (Scott 1955; nominal"),
        (["ac"], None, "Gwet's AC1 (Gwet 2008; nominal"),
        (["ac"], ["interval"], "Gwet's AC2 (Gwet 2014; interval"),
        (["s"], None, "Bennett, Alpert & Goldstein's S (Bennett, Alpert & Goldstein 1954; nominal"),
        (["alpha"], [[[0, 1], [1, 0]]], "Krippendorff's alpha (Krippendorff 2011; a given m"),
    ],
)  # fmt: skip
def test_what_is_quoted(coefficients: Any, distances: Any, start: str) -> None:
    numbers = af.Annotations.from_contingency([[20, 20], [10, 50]], categories=[1, 2])
    if distances and not isinstance(distances[0], str):
        distances = [af.distances.matrix(distances[0])]
    result = report(numbers, coefficients, distances)
    assert result.sentence().startswith(start)
    assert f"For a paper: {result.table[result.quoted].coefficient}, " in result.to_text()
    assert result.quoted_interval is not None
    assert float(result.quoted_interval) == pytest.approx(float(result.table[result.quoted]))


@pytest.mark.parametrize(
    ("coefficients", "said"),
    [
        (["kappa", "beta"], "beta, which kappa is called under the distance linear"),
        (["pi", "alpha_prime"], "alpha_prime, which pi is called under the distance linear"),
        (["beta", "kappa"], "beta, the first coefficient that was named"),
        (["alpha", "kappa"], "alpha, the first coefficient that was named"),
        (None, "alpha, as no other coefficient was named"),
    ],
)
def test_why_it_is_quoted(coefficients: Any, said: str) -> None:
    data = af.Annotations.from_contingency([[4, 1, 0], [1, 4, 1], [0, 1, 4]])
    result = report(data, coefficients, ["nominal", "linear"])
    assert f"For a paper: {said}\n" in result.to_text()


def test_alpha_is_not_said_to_be_quoted_for_want_of_a_name_beside_correlations() -> None:
    result = report([[1, 1], [2, 3], [3, 3], [4, 5]], distance=["interval"], measures=True)
    shown = result.to_text()
    assert "no other coefficient was named" not in shown
    assert (
        "For a paper: alpha; intraclass and other correlations stand under Measures beside" in shown
    )


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("pi", "Fleiss' kappa (Fleiss 1971;"),
        ("kappa", "kappa for several coders (Davies & Fleiss 1982;"),
        ("s", "S, Randolph's free-marginal kappa (Randolph 2005;"),
    ],
)
def test_more_than_two_coders_have_other_names(name: str, start: str) -> None:
    assert report(RAGGED, [name]).sentence().startswith(start)


def test_the_interval_that_was_asked_for_is_quoted() -> None:
    options: dict[str, Any] = {"n_resamples": 1200, "rng": 3}
    result = report(TABLE_1, ["pi", "kappa"], method="bca", **options)
    assert result.intervals is not None
    assert result.quoted_interval is result.intervals[0]
    assert "(BCa bootstrap, 1,200 resamples of items)" in result.sentence()
    pairs = report(TABLE_1, ["alpha"], method="krippendorff", **options).sentence()
    assert "Hayes & Krippendorff 2007, 1,200 resamples of pairs of judgments)" in pairs
    both = report(RAGGED, ["pi"], method="basic", resample="both", **options).sentence()
    assert "(basic bootstrap, 1,200 resamples of items and coders)" in both


def test_missing_judgments_and_incomplete_items() -> None:
    said = report(RAGGED).sentence()
    assert "8 judgments of 3 items by 3 coders (2.67 an item), in 3 categories (a, b, c)" in said
    assert (
        "6 of 15 possible judgments (40.0%) are missing and were not filled in; 2 items with"
        " fewer than two judgments were left out." in said
    )
    chance = report(RAGGED, ["pi"]).sentence()
    assert "2 items with fewer than two judgments counted for the expected agreement only" in chance
    assert "were left out" in report(RAGGED, ["pi"], incomplete="pairable").sentence()
    complete = report(RAGGED, ["pi"], incomplete="complete").sentence()
    assert "only items that all coders judged were used (3 were left out)" in complete
    assert "No judgment was missing." not in said
    counts = report(af.Annotations.from_counts([[3, 0], [1, 2]])).sentence()
    assert "6 judgments of 2 items (3 an item), in" in counts
    assert "missing" not in counts


def test_a_crowd_in_which_most_judge_little() -> None:
    rows = [[None] * i + ["a", "ab"[i % 2]] + [None] * (8 - i) for i in range(9)]
    said = report(af.Annotations.from_wide(rows, coders=range(10))).sentence()
    assert (
        "Not every coder judged every item: 80.0% of the 90 possible judgments were not made, and"
        " were not filled in." in said
    )
    assert "are missing" not in said


def test_one_item_that_is_left_out() -> None:
    assert "; 1 item with fewer than two judgments was left out." in report(
        [["a", "b"], ["a", "a"], ["b", None]]
    ).sentence()  # fmt: skip


def test_repeated_judgments_are_said() -> None:
    items, coders, labels = [1, 1, 1, 2, 2], ["A", "A", "B", "A", "B"], list("xyxyy")
    once = af.Annotations.from_long(items, coders, labels, duplicates="first")
    assert "more than once, one judgment counts (1 dropped)." in report(once).sentence()


def test_rows_that_became_sets_are_not_called_dropped() -> None:
    rows = [0, 0, 0, 0, 1, 1], ["A", "A", "A", "B", "A", "B"], list("xyzxxy")
    sets = report(af.Annotations.from_long(*rows, duplicates="set"))
    assert "several labels, the judgment is their set (2 labels beyond one per set)." in (
        sets.sentence()
    )
    assert "one judgment counts" not in sets.sentence()
    assert "rows that became sets with others: 2," in sets.to_text()
    assert "dropped" not in sets.to_text()
    result = sets.to_dict()
    assert (result["n_duplicates_dropped"], result["n_duplicates_united"]) == (2, 2)
    assert "rows that became sets with others: 2" in sets.to_text()
    kept = report(af.Annotations.from_long(*rows, duplicates="first"))
    assert kept.to_dict()["n_duplicates_united"] == 0
    assert "duplicates dropped: 2" in kept.to_text()
    assert "more than once" not in report(TABLE_1).sentence()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([["x", "x"], ["x", "x"]], "is undefined: the expected disagreement is 0, so"),
        ([["x", None], [None, "y"]], "is undefined: no item has two judgments, so"),
        ([["x", None], [None, "y"]], "The data are 2 judgments of 2 items by 2 coders."),
        (
            [["x", "y"], ["x", None]],
            "= 0.000; an interval cannot be given (one item has no spread).",
        ),
    ],
)
def test_what_has_no_value_or_no_interval_says_why(data: Any, says: str) -> None:
    sentence = report(data).sentence()
    assert says in sentence
    assert "nan" not in sentence
    assert "CI [" not in sentence


def test_coders_that_were_let_go_leave_no_interval_of_kappa() -> None:
    added = af.concat([TABLE_1, TABLE_1], keep_items=False, keep_coders=False)
    assert "= 0.348; no interval was computed." in report(added, ["kappa"]).sentence()
    assert report(added, ["kappa"]).to_dict()["paper"]["interval"] is None
    assert "CI [" in report(added, ["pi"]).sentence()


@pytest.mark.parametrize(
    ("data", "options", "says"),
    [
        ([[i, i + i % 2] for i in range(20)], {}, "in 21 categories (numbers from 0 to 20)."),
        ([[1, 2], [2, 2], [3, 1]], {"distance": ["ordinal"]}, "in 3 categories (1 < 2 < 3)."),
        ([[1, 2], [2, 2], [3, 1]], {"distance": ["interval"]}, "in 3 categories (1, 2, 3)."),
        ([[c, c] for c in "abcdefghi"], {}, "in 9 categories."),
        ([["x" * 40, "x"]] * 2, {}, f"(x, {'x' * 23}…)."),
        ([["a\x1b[31m", "a"]] * 2, {}, "(a, a\\x1b[31m)."),
    ],
)
def test_the_categories_are_named_where_they_are_few(data: Any, options: Any, says: str) -> None:
    assert says in report(data, **options).sentence()


def test_unused_categories_and_sets() -> None:
    declared = af.Annotations.from_wide([["a", "b"], ["a", "a"]], categories=list("abcd"))
    assert "in 4 categories (a, b, c, d; 2 of them unused)." in report(declared).sentence()
    sets = af.Annotations.from_wide([["a", "a|b"], ["a", "a"]], set_separator="|")
    assert "masi distance" in report(sets).sentence()
    assert "in 2 different sets." in report(sets).sentence()


def test_the_document_has_the_sentence() -> None:
    result = report(TABLE_1, ["kappa"])
    paper = result.to_dict()["paper"]
    assert (paper["coefficient"], paper["distance"]) == ("kappa", "nominal")
    assert paper["sentence"] == result.sentence()
    assert paper["citation"] == citation()
    assert result.quoted_interval is not None
    assert paper["interval"]["low"] == result.quoted_interval.low


def test_the_package_can_be_cited() -> None:
    assert f"(version {af.__version__})" in citation()
    entry = citation("bibtex")
    assert f"  version = {{{af.__version__}}}," in entry.splitlines()
    assert entry.count("{") == entry.count("}")
    with pytest.raises(ValueError, match="style must be"):
        citation("apa")


RATINGS = [[4, 5, 4], [2, 2, 3], [5, 5, 5], [1, 2, 1], [3, 3, 4], [2, 1, 2], [4, 4, 5]]


def test_a_measure_that_is_named_is_quoted_with_its_interval():
    """ICC(2,1) unless another ICC is named; any other measure by its name."""
    result = report(RATINGS, measures="icc")
    single = result.measures["ICC(2,1)"]
    words = f"ICC(2,1) (Shrout & Fleiss 1979; two-way random effects, absolute agreement, one rating) = {single.value:.3f}, 95% CI [{single.low:.3f}, {single.high:.3f}]"  # noqa: E501
    assert result.sentence().startswith(words)
    assert "alpha" not in result.sentence()
    mean = report(RATINGS, measures="icc3k")
    assert f"the mean of all coders' ratings) = {mean.measures['ICC(3,k)'].value:.3f}" in (
        mean.sentence()
    )
    assert report(RATINGS, measures="pearson").sentence().startswith("pearson = 0.")
    assert "cannot be given" in report(RATINGS, measures="iccx").sentence()


def test_the_style_of_the_apa_has_no_leading_zero():
    plain, apa = (report(RATINGS, distance="interval", style=how) for how in ("plain", "apa"))
    result = apa.quoted_interval
    ends = f"[{result.low:.2f}, {result.high:.2f}]".replace("0.", ".")
    assert f"= {result.value:.2f}, 95% CI {ends}".replace("= 0.", "= .") in apa.sentence()
    assert "= 0." in plain.sentence()
    perfect = report([[1, 1], [2, 2], [3, 3]] * 9, distance="interval", style="apa").sentence()
    assert "= 1.00, 95% CI [." in perfect
    with pytest.raises(ValueError, match="style must be 'plain' or 'apa'"):
        report(RATINGS, style="mla")
