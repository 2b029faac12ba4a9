"""Right labels in every form are the same right labels, everywhere."""

import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast import aggregate
from agreement_fast.diagnostics import error_correlation, gold_scores, model_agreement

ITEMS, RIGHT = ["i", "j", "k", "l"], ["x", "y", "x", "y"]
SAID = {"a": "xyxx", "b": "yyxy", "g": "xyxy"}
DATA = af.Annotations.from_long(
    ITEMS * 3, [coder for coder in SAID for _ in ITEMS], [x for said in SAID.values() for x in said]
)
PAIR = DATA.select(coders=["a", "b"])
SERIES = pd.Series(RIGHT, index=ITEMS)

FORMS = {
    "mapping": dict(zip(ITEMS, RIGHT, strict=True)),
    "sequence": RIGHT,
    "series": SERIES[::-1],
    "series of another index name": SERIES.rename_axis("which")[::-1],
    "one column": SERIES.to_frame("anything")[::-1],
    "one column and a named index": SERIES.rename_axis("which").to_frame("said")[::-1],
    "two columns": pd.DataFrame({"label": RIGHT, "item": ITEMS})[::-1],
    "gold and an unusual name": pd.DataFrame({"which": ITEMS, "gold": RIGHT}),
    "item and an unusual name": pl.DataFrame({"item": ITEMS, "said": RIGHT}),
    "three columns": pl.DataFrame({"item": ITEMS, "label": ["?"] * 4, "truth": RIGHT}),
    "repeated rows": pl.DataFrame({"item": ITEMS * 2, "gold": [*RIGHT, None, *RIGHT[1:]]}),
    "arrow": pl.DataFrame({"item": ITEMS, "gold": RIGHT}).to_arrow(),
    "polars, one column": pl.DataFrame({"gold": RIGHT}),
    "categorical": pd.DataFrame({"item": ITEMS, "gold": pd.Categorical(RIGHT)}),
}
USES = {
    "gold_scores": lambda gold: gold_scores(PAIR, gold).agreement.tolist()[:2],
    "aggregate": lambda gold: aggregate(PAIR, gold=gold).labels.tolist(),
    "error_correlation": lambda gold: error_correlation(
        af.Annotations.from_wide([[x] for x in RIGHT], items=ITEMS),
        {name: list(SAID[name]) for name in "ab"},
        gold,
    ).error_rate.tolist(),
}
EXPECTED = {
    "gold_scores": [0.75, 0.75],
    "aggregate": RIGHT,
    "error_correlation": [0.25, 0.25],
}


@pytest.mark.few
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_labels(form, use):
    assert USES[use](FORMS[form]) == EXPECTED[use]


def test_a_coder_of_the_data_has_the_labels():
    assert gold_scores(DATA, "g").coders[:2] == ("a", "b")
    assert gold_scores(DATA, "g").agreement[:2].tolist() == [0.75, 0.75]
    result = aggregate(DATA, gold="g")
    assert result.labels.tolist() == RIGHT
    assert result.coders.coders == ("a", "b")
    assert result.coders.gold_accuracy.tolist() == [0.75, 0.75]
    with pytest.raises(af.errors.InputError, match="gold 'h' is not a coder; the coders are 'a'"):
        aggregate(DATA, gold="h")


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("right", [["X", "Y", "X", "Y"], [1, 2, 1, 2], [True, False, True, False]])
def test_labels_of_which_none_is_one_of_the_data_are_refused(right, use):
    """Accuracy would be 0, and alpha with gold as low as it can be."""
    for gold in (right, dict(zip(ITEMS, right, strict=True))):
        with pytest.raises(af.errors.InputError, match=r"no label of (gold|truth)") as caught:
            USES[use](gold)
        assert all(repr(label) in str(caught.value) for label in (*right, "x", "y"))
        assert "declare all of them by categories" in caught.value.remedy


def test_a_gold_coder_who_writes_otherwise_is_refused():
    rows = [("i", "a", "yes"), ("i", "g", "J"), ("j", "a", "no"), ("j", "g", "N")]
    columns = [list(column) for column in zip(*rows, strict=True)]
    data = af.Annotations.from_long(*columns)
    for use in (gold_scores, lambda data, gold: aggregate(data, gold=gold)):
        with pytest.raises(af.errors.InputError, match="gold has 'J', 'N', the data have 'no', "):
            use(data, "g")
    declared = af.Annotations.from_long(*columns, categories=["yes", "no", "J", "N"])
    assert gold_scores(declared, "g").agreement.tolist() == [0, 0]


@pytest.mark.parametrize("use", USES)
def test_some_labels_that_nobody_used_are_named(use):
    gold = dict(zip(ITEMS, ["x", "z", "x", "y"], strict=True))
    with pytest.warns(af.LabelHint, match=r"no coder used: 'z'; .* \('x', 'y'\)") as caught:
        USES[use](gold)
    assert len(caught) == 1


def test_declared_categories_settle_what_nobody_used():
    table = [["x", "y"], ["y", "y"], ["x", "x"]]
    declared = af.Annotations.from_wide(table, categories=["x", "y", "z"])
    assert gold_scores(declared, ["z", "y", "x"]).agreement[:2].tolist() == [2 / 3, 2 / 3]
    with pytest.raises(af.errors.InputError, match="'w', which is not one of the declared"):
        gold_scores(declared, ["w", "y", "x"])


def test_numbers_between_ratings_are_no_mistake():
    table, options = [[1, 2], [3, 3], [1, 1]], {"coefficient": "alpha", "distance": "interval"}
    result = gold_scores(table, [1.5, 2.5, 3.5], majority=False, **options)
    assert result.agreement.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        (pd.DataFrame({"p": ITEMS, "q": RIGHT}), "which of them hold the items"),
        (pd.DataFrame({"item": ITEMS, "b": RIGHT, "c": RIGHT}), "which of them hold the items"),
        (pd.DataFrame({"item": ["i", "i"], "gold": ["x", "y"]}), "two labels of item 'i'"),
        (pd.DataFrame({"item": ["i", "h"], "gold": ["x", "y"]}), "names item 'h', which is not"),
    ],
)
def test_frames_that_do_not_say_what_is_right(frame, problem):
    for use in ("gold_scores", "aggregate", "error_correlation"):
        with pytest.raises(af.errors.InputError, match=problem) as caught:
            USES[use](frame)
        assert caught.value.argument in ("gold", "truth")


def test_the_remedy_for_a_frame_can_be_followed():
    frame = pd.DataFrame({"p": ITEMS, "q": RIGHT})
    renamed = frame.rename(columns={"p": "item", "q": "label"})
    for gold in (renamed, dict(zip(frame["p"], frame["q"], strict=True))):
        assert USES["gold_scores"](gold) == [0.75, 0.75]


RATINGS = [[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1], [2, 3, 2], [3, 3, 3]]


@pytest.mark.parametrize("gold", [[10, 20, 30, 10, 20, 30], [0, -1, -2, 0, -1, -2]])
def test_whole_numbers_beyond_those_of_the_data_are_another_scale(gold):
    with pytest.raises(af.errors.InputError, match="no label of gold is a label of the data"):
        gold_scores(RATINGS, gold=gold, majority=False)


def test_labels_of_a_model_that_nobody_used_are_another_scale():
    with pytest.raises(af.errors.InputError, match="no label of model is a label of the data"):
        model_agreement(RATINGS, list("123123"))
    assert model_agreement([["x", "x"], ["x", "x"]], ["y", "y"], n_resamples=40).value == 0
    assert model_agreement(RATINGS, [1, 2, 4, 1, 2, 3], n_resamples=40).n_items == 6


ANSWERS = list("xyxyyyxyxy")
COLUMNS = {"question": range(10), "ann": list("xyxxyyxyxy"), "ben": list("xyxyyyxyxx")}


@pytest.mark.parametrize("name", ["solution", "gold", "cid"])
def test_a_column_beside_the_coders_holds_the_right_labels(name: str) -> None:
    """In wide tables, records and long tables; the name of the column makes no difference."""
    expected = gold_scores(pd.DataFrame(COLUMNS), ANSWERS)
    wide = pd.DataFrame({**COLUMNS, name: ANSWERS})
    long = wide.melt(["question", name], var_name="coder", value_name="label")
    tables = [wide, wide.set_index("question"), wide.to_dict("records"), long, long.sample(frac=1)]
    for table in [*tables, pl.from_pandas(long)]:
        result = gold_scores(table, name)
        assert result.coders == ("ann", "ben", "majority")
        assert result.agreement.tolist() == expected.agreement.tolist()
        assert dict(zip(range(10), ANSWERS, strict=True)).items() <= labels_of(table, name).items()


def labels_of(table: object, gold: str) -> dict[object, object]:
    """The label of each item after aggregation, which right labels decide."""
    result = af.aggregate(table, gold=gold)
    return dict(zip(result.items, result.labels.tolist(), strict=True))


def test_a_right_label_must_be_the_same_in_all_rows_of_its_item() -> None:
    long = pd.DataFrame({**COLUMNS, "gold": ANSWERS}).melt(["question", "gold"], var_name="coder")
    long.loc[0, "gold"] = "z"
    with pytest.raises(af.AgreementError, match="item 0 has 'z' and 'x' in column 'gold'"):
        gold_scores(long, "gold", label="value")


def test_a_column_that_is_named_as_a_coder_stays_one() -> None:
    frame = pd.DataFrame({**COLUMNS, "cid": ANSWERS})
    named = gold_scores(frame, "cid", coder=["ann", "cid"], item="question")
    assert named.coders == ("ann", "majority")
    assert named.agreement[0] == gold_scores(frame[["ann"]], ANSWERS).agreement[0]
