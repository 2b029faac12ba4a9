"""The report says what is there, agrees with the coefficients, and can be printed anywhere."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import report
from agreement_fast.inference.scales import SCALES
from agreement_fast.present.terminal import show_digits, show_label
from agreement_fast.reports.content import Report
from agreement_fast.reports.intervals import REPORTED

# Artstein & Poesio 2005, table 1
TABLE_1 = af.Annotations.from_contingency([[20, 20], [10, 50]], categories=["stat", "ireq"])

RAGGED = af.Annotations.from_wide(
    [["a", "a", "b"], ["a", None, "b"], [None, "c", None], [None, None, None]]
)


def test_counts() -> None:
    result = report(RAGGED)
    assert (result.n_items, result.n_coders, result.n_judgments, result.n_missing) == (4, 3, 6, 6)
    assert (result.n_items_single, result.n_items_unjudged) == (1, 1)
    counts = [(row.category, row.n_judgments) for row in result.categories]
    assert counts == [("a", 3), ("b", 2), ("c", 1)]
    assert math.fsum(c.share for c in result.categories) == pytest.approx(1)


def test_counts_are_weighted() -> None:
    data = af.Annotations.from_wide(
        [[1, 1], [1, None], [None, None]], weights=[10, 3, 2], categories=[1, 2]
    )
    result = report(data)
    assert (result.n_rows, result.n_items, result.n_judgments) == (3, 15, 23)
    assert (result.n_items_single, result.n_items_unjudged) == (3, 2)
    assert [(c.category, c.n_judgments) for c in result.categories] == [(1, 23), (2, 0)]
    assert "in 3 weighted rows" in result.to_text()
    assert "(declared, 1 of them used)" in result.to_text()


def test_missing_judgments_are_counted_alike_in_a_list_and_in_a_table() -> None:
    judgments = [
        (item, coder, label)
        for item, row in enumerate(RAGGED.to_wide().tolist())
        for coder, label in enumerate(row)
        if label is not None
    ]
    listed = af.Annotations.from_long(*zip(*judgments, strict=True))
    assert report(RAGGED).n_missing == 4 * 3 - 6
    # The item without a judgment is in no list.
    assert report(listed).n_missing == 3 * 3 - 6
    weighted = af.Annotations.from_wide([[1, 1], [1, None], [None, None]], weights=[10, 3, 2])
    assert report(weighted).n_missing == 3 + 2 * 2
    # Nobody knows how many coders there were.
    assert report(af.Annotations.from_counts([[2, 1], [1, 1]])).n_missing == 0


def test_values_are_those_of_the_table_and_of_the_paper() -> None:
    outcome = report(TABLE_1, ["s", "pi", "kappa"])
    assert [round(float(result), 3) for result in outcome.table] == [0.4, 0.341, 0.348]
    assert outcome.observed == af.observed_agreement(TABLE_1)
    text = outcome.to_text()
    assert "A_o = 0.7000: two judgments of an item are equal 70.0% of the time" in text
    assert "  kappa        nominal   0.3000  0.4600  0.3478  Cohen's, Conger's kappa" in text


def test_one_distance_stands_together_and_nominal_only_names_stay_nominal() -> None:
    data = [[1, 2], [2, 2], [3, 1], [3, 3]]
    outcome = report(data, distance=["nominal", "interval", "ordinal"])
    distances = [result.distance for result in outcome.table]
    assert distances == sorted(distances, key=["nominal", "interval", "ordinal"].index)
    text = " ".join(outcome.to_text().split())
    assert "Not read so: alpha (interval). With another distance than nominal" in text
    # a value under another distance has no word of a scale beside it
    assert "Landis" not in text
    for row in outcome.to_dict()["table"]:
        given = {reading is not None for reading in row["readings"].values()}
        assert given == {row["distance"] == "nominal"}
    alone = report(data, ["alpha"], ["interval"]).to_text()
    assert "Landis" not in alone
    assert "Not read so: alpha (interval)." in alone


@pytest.mark.parametrize(
    ("data", "reason"),
    [([["x", "x"], ["x", "x"]], "no variation: "), ([["x", None], [None, "y"]], "no pairs: ")],
)
def test_undefined_values_say_why(data: Any, reason: str) -> None:
    result = report(data)
    text = result.to_text()
    assert "Undefined, and why\n  All: " + reason in text
    assert "How such values have been read" not in text
    assert "nan" not in text.lower()
    for row in result.to_dict()["table"]:
        assert row["value"] is None
        assert row["undefined"].startswith(reason)
        assert set(row["readings"].values()) == {None}


def test_nothing_at_all_can_be_reported() -> None:
    result = report(af.Annotations.from_long([], [], []))
    assert result.n_items == 0
    assert "no pairs" in result.to_text()
    json.dumps(result.to_dict(), allow_nan=False)


def test_unknown_coders() -> None:
    outcome = report(af.Annotations.from_counts([[3, 0], [1, 2]]))
    assert outcome.n_coders is None
    assert "coders      unknown" in outcome.to_text()
    assert "kappa" not in {result.coefficient for result in outcome.table}


#: What a document has that is no attribute of a report: sentences, and what explains a number.
EXPLAINED: tuple[set[str], ...] = (
    {"components", "paper"},
    {"also_called", "source", "readings"},
    set(),
)


def test_names_in_json_are_those_of_the_result() -> None:
    result = report(TABLE_1, ["pi"], method="percentile", n_resamples=50)
    document = result.to_dict()
    (row,), (interval,) = document["table"], result.intervals or ()
    pairs = ((document, result), (row, result.table[0]), (row["interval"], interval))
    for (entry, of), others in zip(pairs, EXPLAINED, strict=True):
        assert {name for name in entry if not hasattr(of, name)} == others
    assert document["categories"][0] == {"category": "stat", "n_judgments": 70, "share": 0.35}
    assert document["observed"]["value"] == result.observed.value
    assert result.cross is not None
    assert document["cross"]["values"] == [[20.0, 20.0], [10.0, 50.0]]


def test_dict_is_ready_for_json() -> None:
    document = report(RAGGED, distance=["nominal"]).to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    labels = report([[(1, 2), (1, 2)], [(3,), (1, 2)]], ["pi"]).to_dict()["categories"]
    assert [c["category"] for c in labels] == ["(1, 2)", "(3,)"]


def test_many_categories_are_summarised() -> None:
    data = [[i, i] for i in range(300)] + [[7, 8]] * 5
    text = report(data).to_text()
    assert "Categories: the 20 most frequent" in text
    assert "\n  7                 7   1.1%  ####" in text
    assert "\n  and 280 more, with 560 judgments\n  numbers from 0 to 299\n" in text
    assert max(map(len, text.splitlines())) <= 100


def test_large_and_small_distances_are_readable() -> None:
    def disagreements(data: Any) -> list[str]:
        text = report(data, ["alpha"], ["interval"]).to_text()
        assert max(map(len, text.splitlines())) <= 100
        (line,) = (x for x in text.splitlines() if x.startswith("  alpha        interval"))
        return line.split()[2:4]

    assert disagreements([[1, 20_001], [0, 0], [30_000, 10_000]]) == ["266,700,000", "320,000,000"]
    # beyond what can be read with commas, powers of a thousand
    assert disagreements([[1.0e9, 1.5e9], [2e9, 2e9], [3e9, 1e9]]) == ["1.417e+18", "1.15e+18"]
    assert disagreements([[0.01, 0.02], [0, 0]]) == ["0.00005", "0.0001833"]
    assert disagreements([[1e-5, 2e-5], [0, 0]]) == ["50e-12", "183.3e-12"]


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (429_313_042.0, 4, "429,300,000"), (429_313_042.0, 6, "429,313,000"), (0.25, 4, "0.25"),
        (99_999.6, 4, "100,000"), (9.9999e14, 4, "1e+15"), (9.994e14, 4, "999,400,000,000,000"),
        (1.25e16, 4, "12.5e+15"), (5.758e-5, 4, "0.00005758"), (-5e-5, 4, "-0.00005"),
        (1.5e-6, 4, "0.0000015"), (1.5e-7, 4, "150e-9"), (0.0, 4, "0"), (math.inf, 4, "inf"),
    ],
)  # fmt: skip
def test_digits_without_powers_of_ten(value: float, digits: int, shown: str) -> None:
    assert show_digits(value, digits) == shown


def test_long_and_hostile_labels_stay_in_their_line() -> None:
    labels = [
        "x" * 500,
        "a\nb",
        "\x1b[31mred",
        "\t-",
        " pad",
        "日本語" * 20,
        "\u202eevil",
        "e\u0301",
    ]
    text = report([[label, label] for label in labels] * 2).to_text()
    assert not {c for c in text if not c.isprintable() and c != "\n"}
    lines = text.split("Categories\n")[1].split("\n\n")[0].splitlines()
    assert len(lines) == 1 + len(labels)
    assert show_label("x" * 500) == "x" * 31 + "…"
    assert show_label("日本語" * 20) == "日本語" * 5 + "…"
    assert show_label("") == "''"


def test_what_rounds_to_zero_has_no_sign() -> None:
    data = [[i, i + 500_000] for i in range(20_000)]
    text = report(data, ["s"]).to_text()
    assert "-0.0000" not in text
    assert "  0.0000  Bennett's S" in text


def test_paragraphs_follow_the_width() -> None:
    result = report(TABLE_1)
    text = result.to_text(width=72)
    rows = (*af.COEFFICIENTS, "Landis", "Krippendorff 1980", "Neuendorf")
    paragraphs = [x for x in text.splitlines() if not x.strip().startswith(rows)]
    assert max(map(len, paragraphs)) <= 76
    assert max(map(len, text.splitlines())) <= 90
    # no narrower than that, whatever is asked for
    assert result.to_text(width=60) == text
    assert result.to_text(width=90) != text


def test_the_longest_bar_has_24_signs() -> None:
    text = report([["a", "a"]] * 3 + [["b", "a"]] + [["c", "c"]] * 12).to_text()
    bars = {line.split()[0]: line.count("#") for line in text.splitlines() if "#" in line}
    assert bars == {"a": 7, "b": 1, "c": 24}


def test_items_that_say_nothing_are_those_with_one_judgment_and_with_none() -> None:
    assert report(RAGGED).n_items_single == report(RAGGED).n_items_unjudged == 1
    assert "2 items say nothing about agreement: fewer than two judgments count." in said(RAGGED)
    assert "1 item says nothing about agreement" in said([["a", "a"], ["a", "b"], ["b", None]])


def said(data: Any, *args: Any, **options: Any) -> str:
    """Give the report with one blank between words."""
    return " ".join(report(data, *args, **options).to_text().split())


def test_sets_are_said_to_be_whole() -> None:
    sets = af.Annotations.from_wide([["a", "a|b"], ["a", "a"]], set_separator="|")
    assert "Each is a whole set: {a} means a and nothing else." in report(sets).to_text()
    assert "whole set" not in report(TABLE_1).to_text()


def test_str_and_repr() -> None:
    result = report(TABLE_1)
    assert isinstance(result, Report)
    assert str(result) == result.to_text()
    assert repr(result) == "<Report on 100 items, 200 judgments>"


@pytest.mark.parametrize(
    ("coefficients", "distances", "message"),
    [
        (["nope"], ["nominal"], "coefficient 'nope' is not known"),
        (None, ["nope"], "distance 'nope' is not known"),
        (None, ["interval"], "needs numbers"),
        (["pi"], ["ordinal"], "nominal distance only"),
    ],
)
def test_wrong_wishes_are_refused(
    coefficients: list[str] | None, distances: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        report(TABLE_1, coefficients, distances)


# Landis & Koch 1977; Carletta 1996, p. 252; Neuendorf 2002, p. 3
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1.0, ("poor", "discard", "disputed")),
        (-1e-9, ("poor", "discard", "disputed")),
        (0.0, ("slight", "discard", "disputed")),
        (0.2, ("slight", "discard", "disputed")),
        (0.205, ("fair", "discard", "disputed")),
        (0.21, ("fair", "discard", "disputed")),
        (0.4, ("fair", "discard", "disputed")),
        (0.41, ("moderate", "discard", "disputed")),
        (0.61, ("substantial", "discard", "disputed")),
        (0.67, ("substantial", "discard", "disputed")),
        (0.68, ("substantial", "tentative", "disputed")),
        (0.8, ("substantial", "tentative", "acceptable to most")),
        (0.1 + 0.7, ("substantial", "tentative", "acceptable to most")),
        (0.81, ("almost perfect", "good", "acceptable to most")),
        (0.9, ("almost perfect", "good", "acceptable to all")),
        (1.0, ("almost perfect", "good", "acceptable to all")),
    ],
)
def test_scales(value: float, words: tuple[str, ...]) -> None:
    result = [scale.read(value) for scale in REPORTED]
    assert tuple(band.word for band in result if band is not None) == words


def test_scales_leave_no_gap_and_do_not_overlap() -> None:
    for scale in nonempty(SCALES):
        for thousandths in nonempty(range(-1100, 1001)):
            value = thousandths / 1000
            band = scale.read(value)
            assert band is not None
            above = scale.bands[: scale.bands.index(band)]
            assert not any(value in other for other in above)
        assert scale.read(math.nan) is None


# -- intervals


def test_intervals_are_those_of_inference() -> None:
    data = af.Annotations.from_contingency([[20, 20, 1], [10, 50, 2], [3, 4, 9]])
    outcome = report(data, ["pi", "alpha"], ["nominal", "interval"], method="delta")
    assert outcome.intervals is not None
    for result, interval in zip(outcome.table, outcome.intervals, strict=True):
        expected = af.inference.standard_error(data, result.coefficient, distance=result.distance)
        assert interval == expected
        assert interval.value == pytest.approx(result.value, rel=1e-12)
    assert report(data).intervals is None


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "krippendorff"])
def test_intervals_of_a_bootstrap(method: str) -> None:
    result = report(TABLE_1, ["alpha"], method=method, n_resamples=200, rng=4, confidence_level=0.9)
    expected = af.bootstrap(
        TABLE_1, ["alpha"], method=method, n_resamples=200, rng=4, confidence_level=0.9
    )[0]
    assert result.intervals is not None
    (interval,) = result.intervals
    assert (interval.low, interval.high) == (expected.low, expected.high)
    row = result.to_dict()["table"][0]["interval"]
    assert (row["method"], row["n_resamples"], row["confidence_level"]) == (method, 200, 0.9)
    text = result.to_text()
    assert "coefficient  distance   value  std. error  90% from" in text
    assert "200 resamples" in text


@pytest.mark.parametrize("resample", ["coders", "both"])
def test_intervals_of_other_coders_are_drawn(resample: str) -> None:
    rows = [[1, 1, 2, 1], [2, 2, 2, 1], [1, 2, 1, 1], [1, 1, 1, 3], [3, 3, 2, 3]]
    drawn: dict[str, Any] = {"resample": resample, "n_resamples": 100, "rng": 3}
    (interval,) = report(rows, ["alpha"], method="percentile", **drawn).intervals or ()
    expected = af.bootstrap(rows, ["alpha"], method="percentile", **drawn)[0]
    assert (interval.low, interval.high) == (expected.low, expected.high)
    assert "percentile" in repr(interval)
    with pytest.raises(ValueError, match=f"resample='{resample}' needs a bootstrap"):
        report(rows, ["alpha"], method="score", **drawn)


def test_the_text_of_intervals_says_what_was_drawn() -> None:
    delta = report(TABLE_1, method="delta").to_text()
    assert "other items of the same kind, judged by these coders" in " ".join(delta.split())
    rows = [[1, 1, 2], [2, 2, 2], [1, 2, 1], [1, 1, 1]]
    both = report(rows, ["pi"], method="basic", resample="both", n_resamples=50, rng=1)
    text = " ".join(both.to_text().split())
    assert (
        "A basic bootstrap, 50 resamples. They say how far values would move with other items and"
        in text
    )
    assert "Intervals" not in report(TABLE_1).to_text()


def test_krippendorffs_bootstrap_is_no_interval_for_other_items() -> None:
    text = said(TABLE_1, ["alpha"], method="krippendorff", n_resamples=1500, rng=1)
    assert (
        "(2007), 1,500 resamples of pairs of judgments. It takes the pairs as independent" in text
    )
    assert "it is no interval for other items" in text
    assert "how far values would move" not in text
    result = report(TABLE_1, ["alpha"], method="krippendorff", n_resamples=100, rng=1)
    assert result.to_dict()["table"][0]["interval"]["resample"] == "pairs"


def test_intervals_without_width_say_why() -> None:
    constant = [["x", "x"]] * 6 + [["y", "x"]] * 4
    data = af.Annotations.from_wide(constant, coders=["Ann", "Bea"])
    result = report(data, ["kappa", "pi"], method="delta")
    text = " ".join(result.to_text().split())
    why = "kappa is 0 for any items: coder Bea used x only"
    assert f"No width: kappa (nominal). K{why[1:]}." in text
    notes = [row["interval"]["note"] for row in result.to_dict()["table"]]
    assert notes == [why, None]
    agreed = said([["x", "x"], ["y", "y"]] * 5, ["kappa", "pi"], method="bca", rng=1)
    assert (
        "No width: kappa (nominal), pi (nominal). No item disagrees, so no resample can" in agreed
    )
    assert "the interval of the observed agreement is 0.7225 to 1." in agreed
    assert "equal 100.0% of the time (95% interval 0.7225 to 1.0000)." in agreed


def test_undefined_intervals_are_dashes_and_null() -> None:
    result = report([["x", "x"], ["x", "x"]], ["pi"], method="delta")
    line = next(
        line for line in result.to_text().split("Intervals\n")[1].splitlines() if " pi " in line
    )
    assert line.split() == ["pi", "nominal", "-", "-", "-", "-"]
    assert result.to_dict()["table"][0]["interval"]["low"] is None
    rare = report([["x", "x"]] * 6 + [["x", "y"]], ["pi"], method="percentile", rng=1)
    assert "Resamples without a value, left out: pi (nominal) " in rare.to_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "wald"}, "method must be 'score', 'delta', .*, not 'wald'"),
        ({"method": "delta", "resample": "coders"}, "resample='coders' needs a bootstrap"),
        ({"method": "bca", "resample": "all"}, "resample"),
    ],
)
def test_intervals_that_cannot_be_had(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        report(TABLE_1, **options)


def test_two_matrices_keep_their_own_intervals() -> None:
    first = af.distances.matrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    second = af.distances.matrix([[0, 1, 9], [1, 0, 1], [9, 1, 0]])
    data = [[1, 2], [2, 2], [3, 1], [3, 3], [1, 1]]
    result = report(data, ["alpha"], [first, second], method="delta")
    assert result.intervals is not None
    assert [i.value for i in result.intervals] == pytest.approx([float(r) for r in result.table])
    assert result.intervals[0].value != result.intervals[1].value


def test_intervals_of_clusters_name_them() -> None:
    rows = [["x", "x"], ["x", "y"], ["y", "y"]] * 8
    documents = [i // 3 for i in range(24)]
    for options in ({"method": "delta"}, {"method": "percentile", "n_resamples": 50, "rng": 1}):
        text = " ".join(report(rows, cluster=documents, **options).to_text().split())
        assert "The sample is the 8 clusters of items, not single items" in text
        assert "with other items of the same kind" not in text
    assert report(rows, method="delta").n_clusters is None
    # a document of one judgment says nothing
    more = report([*rows, ["x", None]], method="delta", cluster=[*documents, 99])
    assert more.n_clusters == more.intervals[0].n_items == 8
