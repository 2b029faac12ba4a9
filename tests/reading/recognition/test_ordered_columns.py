"""A column that orders judgments does so by value, or says what to write."""

import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast import agreement_by_group, diagnostics

FROM = ["pandas", "polars", "pyarrow"]


def frame_of(library, **columns):
    frame = pl.DataFrame(columns)
    return {"pandas": frame.to_pandas, "pyarrow": frame.to_arrow}.get(library, lambda: frame)()


def last(frame, duplicates="last", **keywords):
    result = af.Annotations.from_frame(frame, duplicates=duplicates, order="when", **keywords)
    return result.to_wide().tolist()


def judged(when, library="polars"):
    """Ann's later label is y, Bob's is x; the rows come last first."""
    columns = {"item": [1] * 4, "coder": list("aabb"), "label": list("yxxy")}
    return frame_of(library, when=[*when[::-1], *when[::-1]], **columns)


@pytest.mark.parametrize("library", FROM)
@pytest.mark.parametrize(
    "when",
    [
        ["9", "10"],
        ["31.01.2024", "01.02.2024"],
        ["1/31/2024", "2/1/2024"],
        ["round 9", "round 10"],
        ["9:30", "10:00"],
        [9, 10],
        [False, True],
    ],
)
def test_the_last_judgment_is_that_of_the_later_value(when, library):
    assert last(judged(when, library)) == [["y", "x"]]
    assert last(judged(when, library), "first") == [["x", "y"]]


@pytest.mark.parametrize("library", FROM)
@pytest.mark.parametrize("when", [["May", "Jun"], ["first", "second"], ["x", "a"]])
def test_words_are_refused(when, library):
    with pytest.raises(af.errors.InputError, match="comes first"):
        last(judged(when, library))
    with pytest.raises(af.errors.InputError, match="comes first"):
        last(judged(when, "polars").lazy())


def test_dates_with_two_readings_are_refused():
    with pytest.raises(af.errors.InputError, match="may be 2024-01-02 or 2024-02-01: write dates"):
        last(judged(["01.02.2024", "02.01.2024"]))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_proposed_order_can_be_pasted(library):
    frame = judged(["Mar", "Apr"], library)
    with pytest.raises(af.errors.InputError) as caught:
        last(frame)
    scope = {"frame": frame, "pd": pd, "pl": pl}
    exec(caught.value.remedy.partition("declare the order: ")[2], scope)
    assert last(scope["frame"]) == [["y", "x"]]


def test_many_words_are_not_listed():
    frame = pd.DataFrame({"item": range(100), "coder": "a", "label": "x"})
    frame["when"] = [f"{i}{chr(97 + i % 26)}" for i in range(100)]
    with pytest.raises(af.errors.InputError) as caught:
        last(frame)
    assert "[...]" in caught.value.remedy


def test_missing_times_are_last_and_empty():
    frame = judged([None, "3"])
    assert last(frame) == [["x", "y"]]


@pytest.mark.parametrize("way", ["auto", "patterns", "partitions"])
def test_engines_take_texts_that_letters_order_as_values_do(way):
    def of(when):
        return last(judged(when).lazy(), way=way)

    assert of(["09", "10"]) == [["y", "x"]]
    assert of(["2024-01-31", "2024-02-01"]) == [["y", "x"]]
    for when in (["9", "10"], ["31.01.2024", "01.02.2024"]):
        with pytest.raises(af.errors.InputError, match=r"order by letters.*cast it"):
            of(when)
    frame = judged(["May", "Jun"]).with_columns(pl.col("when").cast(pl.Enum(["May", "Jun"])))
    assert last(frame) == [["y", "x"]]
    if way != "partitions" and tuple(map(int, pl.__version__.split(".")[:2])) < (1, 38):
        with pytest.raises(af.errors.InputError, match=r"finds no largest value of an Enum"):
            last(frame.lazy(), way=way)
    else:
        assert last(frame.lazy(), way=way) == [["y", "x"]]


def test_an_engine_that_finds_no_largest_value_of_an_enum_is_refused(monkeypatch):
    """Polars before 1.38 gave null, and the judgments were lost."""
    frame = judged(["May", "Jun"]).with_columns(pl.col("when").cast(pl.Enum(["May", "Jun"])))
    monkeypatch.setattr("agreement_fast.reading.engines.items.version", lambda name: "1.37.1")
    with pytest.raises(af.errors.InputError, match=r"'when' is: upgrade polars to 1\.38, cast"):
        last(frame.lazy(), way="patterns")
    assert last(frame.lazy(), way="partitions") == [["y", "x"]]


def test_groups_take_the_same_order():
    frame = judged(["9", "10"]).with_columns(g=pl.lit("p"))
    frame = pl.concat([frame, frame.with_columns(item=pl.col("item") + 1, label=pl.lit("x"))])
    keywords = {"duplicates": "last", "order": "when"}
    result = agreement_by_group(frame, "g", **keywords)[0]
    assert result.value == af.alpha([["y", "x"], ["x", "x"]]).value
    words = frame.with_columns(when=pl.col("when").replace({"9": "May", "10": "Jun"}))
    with pytest.raises(af.errors.InputError, match="comes first"):
        agreement_by_group(words, "g", **keywords)


# ---------------------------------------------------------------------- drift


def half_and_half(before, after):
    labels = "xyxyxyxy" * 2 + "xyxxxyyx"
    return pd.DataFrame(
        {
            "item": list(range(8)) * 3,
            "coder": ["Ann"] * 8 + ["Bea"] * 8 + ["Cid"] * 8,
            "label": list(labels),
            "when": ([before] * 4 + [after] * 4) * 3,
        }
    )


@pytest.mark.parametrize(
    "when", [(1, 2), ("9", "10"), ("31.01.2024", "01.02.2024"), ("2024-01-01", "2024-01-02")]
)
def test_ends_of_a_line_over_two_times_are_the_values_of_both(when):
    """Cid differs from both others in 1 of 4 items, then in 2 of 4; D_e is 1/2.

    The line through the two means ends in them: 1 - 1/4 / (1/2) and 1 - 2/4 / (1/2).
    """
    result = diagnostics.drift(half_and_half(*when), order="when").coders[2]
    assert (result.coder, result.first, result.last, result.change) == ("Cid", 0.5, 0.0, -0.5)
    assert (result.change_low + result.change_high) / 2 == pytest.approx(-0.5)
    turned = diagnostics.drift(half_and_half(*when[::-1]), order="when").coders[2]
    assert (turned.first, turned.last, turned.change) == (0.0, 0.5, 0.5)


def test_a_drift_over_words_is_refused():
    frame = half_and_half("Mar", "Apr")
    with pytest.raises(af.errors.InputError, match="comes first") as caught:
        diagnostics.drift(frame, order="when")
    scope = {"frame": frame, "pd": pd}
    exec(caught.value.remedy.partition("declare the order: ")[2], scope)
    assert diagnostics.drift(scope["frame"], order="when").coders[2].change == -0.5


# ---------------------------------------------------------------------- labels


@pytest.mark.parametrize(
    "labels",
    [
        ["low", "medium", "high"],
        ["never", "sometimes", "always"],
        ["strongly disagree", "neutral", "agree"],
        ["C", "B-", "A+"][::-1],
        ["2024-01-31", "2024-02-01", "2024-03-01"],
    ],
)
def test_ordinal_distances_propose_the_usual_order(labels):
    table = [[labels[2], labels[1]], [labels[0], labels[0]], [labels[1], labels[1]]]
    for distance in ("ordinal", "rank_linear"):
        with pytest.raises(af.errors.InputError) as caught:
            af.alpha(table, distance)
        declared = eval(caught.value.remedy.partition("categories=")[2])
        assert declared == labels
    data = af.Annotations.from_wide(table, categories=declared)
    numbers = [[labels.index(label) for label in row] for row in table]
    assert af.alpha(data, "ordinal").value == af.alpha(numbers, "ordinal").value


@pytest.mark.parametrize("kind", [set, frozenset])
def test_categories_without_an_order_are_refused(kind):
    given = kind(["low", "medium", "high"])
    calls = [
        lambda: af.Annotations.from_wide([["low"]] * 3, categories=given),
        lambda: af.Annotations.from_long([1], ["a"], ["low"], categories=given),
        lambda: af.Annotations.from_counts([[1, 0, 1]], categories=given),
        lambda: af.Annotations.from_contingency([[1, 0, 0]] * 3, categories=given),
        lambda: af.distances.matrix([[0, 1, 2], [1, 0, 1], [2, 1, 0]], given),
        lambda: diagnostics.drift(half_and_half(1, 2), order="when", categories=given),
        lambda: agreement_by_group(half_and_half(1, 2), "when", categories=given),
        lambda: af.diagnostics.drift(half_and_half(1, 2), "when", categories=given),
    ]
    for call in calls:
        with pytest.raises(af.errors.InputTypeError, match="is a set") as caught:
            call()
        proposed = eval(caught.value.remedy.partition("categories=")[2])
        assert proposed == ["low", "medium", "high"]


MATRIX = [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
STEPS = ["never", "sometimes", "often"]
OFTEN = pd.DataFrame(
    {"ann": ["never", "sometimes", "often", "never", "never"],
     "ben": ["often", "sometimes", "sometimes", "never", "sometimes"]}
)  # fmt: skip
OFTEN_LONG = OFTEN.assign(item=range(5)).melt("item", var_name="coder", value_name="label")


@pytest.mark.parametrize("measure", [af.alpha, af.weighted_kappa])
@pytest.mark.parametrize(
    "door",
    [OFTEN.to_numpy().tolist, OFTEN.copy, OFTEN_LONG.copy, pl.from_pandas(OFTEN_LONG).lazy],
    ids=["list", "wide", "long", "lazy"],
)  # fmt: skip
def test_the_alphabet_is_not_the_order_of_the_rows_of_a_matrix(door, measure):
    with pytest.raises(af.AgreementError, match="does not name its rows") as refused:
        measure(door(), MATRIX)
    assert f"categories={STEPS}" in str(refused.value)
    right = measure(OFTEN.replace(dict(zip(STEPS, range(3), strict=True))), MATRIX).value
    assert measure(door(), MATRIX, categories=STEPS).value == right
    assert measure(door(), af.distances.matrix(MATRIX, STEPS)).value == right
    # Where the order cannot matter, none is needed.
    equal = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert measure(door(), equal).value == pytest.approx(measure(door(), "nominal").value)


LEVELS = ["low", "medium", "high"]
LOW = pd.DataFrame(
    {"ann": ["low", "medium", "high", "low", "low"],
     "ben": ["high", "medium", "medium", "low", "medium"]}
)  # fmt: skip


@pytest.mark.parametrize("distance", ["ordinal", "rank_linear"])
@pytest.mark.parametrize("wide", [True, False], ids=["wide", "long"])
def test_a_declared_order_that_is_the_alphabet_is_doubted(distance, wide):
    alphabet = pd.CategoricalDtype(sorted(LEVELS), ordered=True)
    long = LOW.assign(item=range(5)).melt("item", var_name="coder", value_name="label")
    table = LOW.astype(alphabet) if wide else long.astype({"label": alphabet})
    with pytest.warns(af.LabelHint, match="alphabetical order, 'high', 'low', 'medium'") as caught:
        af.alpha(table, distance)
    assert f"pass categories={LEVELS}" in str(caught[0].message)
    right = af.alpha(LOW, distance, categories=LEVELS).value
    assert af.alpha(table, distance, categories=LEVELS).value == right
    with pytest.warns(af.LabelHint, match="alphabetical order"):
        af.alpha(LOW, distance, categories=sorted(LEVELS))
    # Where the order does not matter, or the alphabet has the usual one, nothing is said.
    af.alpha(table)
    af.alpha(LOW.replace({"low": "mild", "medium": "moderate", "high": "severe"}), distance,
             categories=["mild", "moderate", "severe"])  # fmt: skip
    af.alpha(LOW.replace({"low": "x", "medium": "a", "high": "b"}), distance, categories=[*"abx"])
