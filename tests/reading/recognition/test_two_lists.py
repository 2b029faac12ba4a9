"""The labels of two coders as two lists are looked at like tables; what is proposed works."""

import itertools
import re
import warnings

import numpy as np
import pandas as pd
import pytest
import reference

import agreement_fast as af
from agreement_fast import Annotations
from agreement_fast.errors import InputError, InputTypeError, LabelHint

N = 24
RNG = np.random.default_rng(1)
ANN = RNG.integers(1, 6, N)
BEN = np.clip(ANN + RNG.integers(-1, 2, N), 1, 5)
FORMS = [list, np.array, pd.Series, tuple, iter]


def kappa(first, second, **more):
    items = [{0: a, 1: b} for a, b in zip(first, second, strict=True)]
    value = reference.agreement(items, "kappa", reference.nominal, **more).value
    return pytest.approx(float(value), abs=1e-14)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 0, 1, 1, 0], list("ynnyn")),
        (["pos", "neg", "pos", "neg"], ["LABEL_1", "LABEL_0", "LABEL_1", "LABEL_1"]),
        ([True, False, True, False], ["yes", "no", "yes", "no"]),
        ([1, 0, 1, 1, 0] * 300, list("ynnyn") * 300),
    ],
)
def test_two_lists_without_a_common_label_are_doubted(form, first, second):
    with pytest.warns(LabelHint, match="no label in common") as caught:
        af.kappa(form(first), form(second))
    for label in (first[0], second[0]):
        assert str(label) in str(caught[0].message) or repr(float(label)) in str(caught[0].message)
    labels = [*dict.fromkeys([*first, *second])]
    value = af.kappa(form(first), form(second), categories=labels)
    assert float(value) == kappa(first, second, categories=labels)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 1, 1, 1], [2, 2, 2, 2]),
        (["a", "b", "c"], ["d", "e", "f"]),
        (["x", "x", "y", "x"], ["z", "z", "z", "y"]),
        ([1, 2, 1, 3, 2], [4, 5, 5, 4, 4]),
        ([0.25, 0.5, 0.75], [0.3, 0.6, 0.7]),
    ],
)
def test_two_lists_of_one_scale_or_of_few_labels_are_not(form, first, second):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(af.kappa(form(first), form(second))) == kappa(first, second)


YES = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0])


@pytest.mark.parametrize("form", [*FORMS, None])
@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        (YES, np.where(YES, 1, -1), "0 with -1"),
        (YES + 1, YES, "1 with 0, 2 with 1"),
        (YES / 3, (YES / 3).round(3), "0.3333333333333333 with 0.333"),
        (np.array(["n", "y"])[YES], np.array(["no", "y"])[YES], "'n' with 'no'"),
        (YES, np.abs(YES - np.arange(16) % 6 / 40), "fractions such as 0.05"),
    ],
)
def test_two_codings_of_the_same_are_doubted(form, first, second, what):
    """As two lists, and as two columns with names if there is no form."""
    pair = [column.tolist() for column in (first, second)]
    if form is None:
        pair = [pd.DataFrame(dict(zip(("human", "model"), pair, strict=True)))]
        with pytest.warns(af.ShapeHint, match="write them alike") as caught:
            af.kappa(*pair)
    else:
        with pytest.warns(LabelHint, match="write them alike") as caught:
            af.kappa(*map(form, pair))
    assert what in str(caught[0].message)


@pytest.mark.parametrize(
    "second",
    [
        YES,
        np.where(np.arange(16) == 4, 2, YES),
        np.where(np.arange(16) < 15, YES, 1 - YES),
        YES / 2 + np.arange(16) % 2 / 2,
    ],
)
def test_two_codings_that_differ_by_judgment_are_not(second):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.kappa(YES.tolist(), second.tolist())
        af.kappa(YES[:6].tolist(), (1 - YES[:6]).tolist())


@pytest.mark.parametrize("form", [list, np.array, tuple])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["ann", "x", "y", "x", "y"], ["ben", "x", "y", "y", "y"]),
        (["ann", *"xyxyxyyx"], ["ben", *"xyyyxyxx"]),
    ],
)
def test_a_header_above_two_lists_is_refused_and_both_remedies_work(form, first, second):
    with pytest.raises(InputError, match="'ann', 'ben'") as caught:
        af.kappa(form(first), form(second))
    slices = re.findall(r"(?:first|second)\[1:\]", caught.value.remedy)
    scope = {"first": form(first), "second": form(second)}
    assert float(af.kappa(*(eval(text, scope) for text in slices))) == kappa(first[1:], second[1:])
    labels = [*dict.fromkeys([*first, *second])]
    value = af.kappa(form(first), form(second), categories=labels)
    assert "pass categories with all labels" in caught.value.remedy
    assert float(value) == kappa(first, second, categories=labels)


def test_rare_first_labels_are_no_header():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for first, second in ((["u", *"xyxy"], ["x", *"xyyy"]), ("uabcx", "vdefx")):
            assert float(af.kappa([*first], [*second])) == kappa(first, second)


def calls(error):
    return re.findall(r"Annotations\.from_wide\(table, .*?\]\)", error.remedy)


def refusal(table):
    with pytest.raises(InputError) as caught:
        af.kappa(table)
    return caught.value


@pytest.mark.parametrize("shift", [0, -3])
@pytest.mark.parametrize("first", [False, True])
def test_the_column_that_is_the_sum_is_left_out(shift, first):
    ann, ben = ANN + shift, BEN + shift
    table = pd.DataFrame({"id": range(N), "ann": ann, "ben": ben, "points": ann + ben})
    if first and not shift:
        table = table[["id", "points", "ann", "ben"]]
    error = refusal(table)
    assert "'points' looks like a total (it is the sum" in error.problem
    (call,) = calls(error)
    value = float(af.kappa(eval(call, {"Annotations": Annotations, "table": table})))
    assert value == kappa(ann.tolist(), ben.tolist())


@pytest.mark.parametrize("sign", [1, -1])
def test_the_last_column_is_left_out_if_it_is_a_signed_difference(sign):
    table = pd.DataFrame({"id": range(N), "ann": ANN, "ben": BEN, "d": sign * (ANN - BEN)})
    assert "'d' looks like a total (it is the difference" in refusal(table).problem


def test_numbers_beyond_the_others_are_weights_or_left_out_and_both_remedies_work():
    table = pd.DataFrame({"id": range(N), "ann": ANN, "ben": BEN, "grade": [11, 12, 13, 9] * 6})
    without, weighted = (
        float(af.kappa(eval(call, {"Annotations": Annotations, "table": table})))
        for call in calls(refusal(table))
    )
    often = [*table["grade"]]
    first, second = (np.repeat(table[name], often).tolist() for name in ("ann", "ben"))
    assert weighted == kappa(first, second)
    assert without == kappa(ANN.tolist(), BEN.tolist())


def test_numbers_beyond_the_others_in_a_file(tmp_path):
    table = pd.DataFrame({"id": range(N), "ann": ANN, "ben": BEN, "grade": [11, 12, 13, 9] * 6})
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(InputError) as caught:
        af.read(tmp_path / "t.csv")
    assert 'weights="grade"' in str(caught.value)
    assert 'exclude=["grade"]' in str(caught.value)
    excluded = af.read(tmp_path / "t.csv", item="id", exclude=["grade"])
    assert float(af.kappa(excluded)) == kappa(ANN.tolist(), BEN.tolist())


@pytest.mark.parametrize("kind", [int, bool, float])
def test_columns_of_one_coder_are_not_proposed_for_indicators(kind):
    both = pd.DataFrame({"ann": [*"xyxyxxyyzy"], "ben": [*"xyxyzyyyxx"]})
    table = pd.get_dummies(both, dtype=kind)
    (call,) = calls(refusal(table))
    assert "coders=['ann_x', 'ben_x']" in call
    value = float(af.kappa(eval(call, {"Annotations": Annotations, "table": table})))
    first, second = ((both[name] == "x").tolist() for name in both)
    assert value == kappa(first, second)


@pytest.mark.parametrize("form", [list, tuple])
def test_pairs_of_items_and_labels_are_matched_and_both_remedies_work(form):
    first = form([("a", "x"), ("b", "y"), ("c", "x")])
    second = form([("b", "y"), ("a", "x"), ("c", "y")])
    with pytest.raises(InputTypeError, match="a pair for each item") as caught:
        af.kappa(first, second)
    scope = {"first": first, "second": second, "itertools": itertools}
    matched = re.findall(r"dict\(\w+\)", caught.value.remedy)
    assert float(af.kappa(*(eval(text, scope) for text in matched))) == kappa("xyx", "xyy")
    joined = re.findall(r"\[\*itertools.*?\]", caught.value.remedy)
    value = float(af.kappa(*(eval(text, scope) for text in joined)))
    assert value == kappa("axbycx", "byaxcy")


def test_documents_of_two_labels_that_repeat_are_joined_only():
    with pytest.raises(InputTypeError) as caught:
        af.kappa([("N", "V"), ("N", "N")], [("N", "V"), ("V", "N")])
    assert "dict(" not in caught.value.remedy
