"""Several judgments of an item by one coder, compared with plain Python."""

from __future__ import annotations

import warnings
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import agreement_by_group
from agreement_fast.reading.repeats import POLICIES

A = af.Annotations

#: Labels of each kind; two of the last kind are written in two ways.
KINDS = {
    "integers": (1, 2, 3),
    "floats": (0.5, 1.0, 2.5),
    "text": ("yes", "no", "perhaps"),
    "booleans": (True, False),
    "sets": (frozenset("ab"), frozenset("b"), frozenset()),
    "mixed": ("a", frozenset("a"), frozenset("bc"), 7),
    "written sets": ("a|b", "b|a", "c", ""),
}


@st.composite
def judgments(draw, kind=None, coders="pqr", crowd=None):
    """Return rows of (item, coder, label), many of them repeated, some missing."""
    labels = KINDS[kind or draw(st.sampled_from(sorted(KINDS)))]
    rows = draw(
        st.lists(
            st.tuples(
                st.integers(0, 4),
                st.sampled_from(coders),
                st.one_of(st.none(), *map(st.just, labels)),
            ),
            max_size=40,
        )
    )
    # Each item then has a thousand coders of its own, so judgments are stored as lists.
    return [(item, f"{item}{coder}", label) for item, coder, label in rows] if crowd else rows


def columns(rows):
    return [[row[i] for row in rows] for i in range(3)]


def labels_given(rows, read=lambda label: label):
    """Return the labels that are not missing, by item and coder in order of the rows."""
    given = {}
    for item, coder, label in rows:
        if label is not None:
            given.setdefault((item, coder), []).append(read(label))
    return given


def held(data):
    """Return the judgments in annotations, by item and coder."""
    result = list(zip(*map(list, data.to_long()), strict=True))
    assert len({row[:2] for row in result}) == len(result)
    return {(item, coder): label for item, coder, label in result}


def read_set(text):
    return frozenset(text.split("|")) if text else frozenset()


def options_of(kind):
    return ({"set_separator": "|"}, read_set) if kind == "written sets" else ({}, lambda x: x)


def assert_accounts(data, rows, dropped):
    """Check that every label is kept, dropped or missing."""
    assert data.duplicates_dropped == dropped
    unweighted = data.rows.codes[data.rows.codes >= 0].size
    assert unweighted + data.missing_judgments + data.duplicates_dropped == len(rows)


# ---------------------------------------------------------------- policies


@pytest.mark.few("integers", "mixed", "sets")
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_majority(kind, data):
    rows = data.draw(judgments(kind))
    said, read = options_of(kind)
    expected, ties = {}, 0
    for pair, labels in labels_given(rows, read).items():
        (label, most), *others = Counter(labels).most_common()
        if any(count == most for _, count in others):
            ties += 1
        else:
            expected[pair] = label
    result = A.from_long(*columns(rows), duplicates="majority", **said)
    assert held(result) == expected
    assert result.duplicates_tied == ties
    assert result.missing_judgments == ties + [row[2] for row in rows].count(None)
    given = labels_given(rows)
    assert_accounts(result, rows, sum(map(len, given.values())) - len(given))
    triples = [(coder, item, label) for item, coder, label in rows]
    assert held(A.from_triples(triples, duplicates="majority", **said)) == expected


@pytest.mark.few("integers", "mixed", "sets")
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_set(kind, data):
    rows = data.draw(judgments(kind))
    said, read = options_of(kind)
    expected = {
        pair: frozenset().union(
            *(label if isinstance(label, frozenset) else {label} for label in labels)
        )
        for pair, labels in labels_given(rows, read).items()
    }
    result = A.from_long(*columns(rows), duplicates="set", **said)
    assert held(result) == expected
    assert set(result.categories) == set(expected.values())
    assert len(set(result.categories)) == len(result.categories)
    assert not result.declared
    assert (result.duplicates_tied, result.items_judged_once) == (0, 0)
    given = labels_given(rows)
    assert_accounts(result, rows, sum(map(len, given.values())) - len(given))
    triples = [(coder, item, label) for item, coder, label in rows]
    assert held(A.from_triples(triples, duplicates="set", **said)) == expected


@pytest.mark.parametrize("policy", ["majority", "set"])
@pytest.mark.parametrize("n_coders", [4, 4000])
def test_many_judgments_in_tables_and_in_lists(policy, n_coders):
    rng = np.random.default_rng(2)
    n = 30_000
    items = rng.integers(0, 2000, n)
    coders = items * (n_coders > 4) * 2 % n_coders + rng.integers(0, 4, n)
    labels = rng.integers(0, 5, n)
    result = A.from_long(items, coders, labels, duplicates=policy)
    assert (result.rows.width == 0) == (n_coders > 4)
    rows = list(zip(items.tolist(), coders.tolist(), labels.tolist(), strict=True))
    given = labels_given(rows)
    expected, ties = {}, 0
    for pair, said in given.items():
        top = [x for x in set(said) if said.count(x) == max(map(said.count, said))]
        ties += policy == "majority" and len(top) > 1
        if policy == "set":
            expected[pair] = frozenset(said)
        elif len(top) == 1:
            expected[pair] = top[0]
    assert held(result) == expected
    assert result.duplicates_tied == ties
    assert (ties > 100) == (policy == "majority")
    assert_accounts(result, rows, n - len(given))


def test_sets_are_in_order_of_appearance():
    labels = ["c", "b", "a", "c", "b", "d"]
    result = A.from_long([1, 2, 3, 3, 4, 5], ["p"] * 6, labels, duplicates="set")
    assert result.categories == tuple(map(frozenset, ("c", "b", "ac", "d")))


def test_declared_elements_are_not_checked_for_near_misses():
    labels = [1, 2], ["p", "p"], ["yes", "Yes"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        A.from_long(*labels, duplicates="set", categories=["yes", "Yes"])
    with pytest.warns(af.LabelHint, match="'Yes' = 'yes'"):
        A.from_long(*labels, duplicates="set")


def test_more_sets_than_fit_a_byte():
    """Each label still fits a byte."""
    pairs = list(combinations(range(20), 2))
    labels = [label for pair in pairs for label in pair]
    items = [i // 2 for i in range(len(labels))]
    result = A.from_long(items, ["p"] * len(items), labels, duplicates="set")
    assert held(result) == {(i, "p"): frozenset(pair) for i, pair in enumerate(pairs)}
    assert len(result.categories) == 190


@pytest.mark.parametrize("policy", POLICIES)
@given(rows=judgments("text"))
def test_without_repeats_a_policy_changes_nothing(policy, rows):
    """Only sets of labels become sets."""
    rows = list({row[:2]: row for row in rows}.values())
    plain = A.from_long(*columns(rows))
    result = A.from_long(*columns(rows), duplicates=policy)
    as_is = {pair: frozenset({x}) if policy == "set" else x for pair, x in held(plain).items()}
    assert held(result) == as_is
    assert list(result.items) == list(plain.items)
    assert result.coders == plain.coders
    assert (result.duplicates_dropped, result.duplicates_tied) == (0, 0)


@pytest.mark.parametrize("policy", ["majority", "set"])
@given(rows=judgments(), data=st.data())
def test_weights_stay_those_of_the_items(policy, rows, data):
    assume(rows and not any(row[2] in ("a|b", "b|a") for row in rows))
    weight = {item: data.draw(st.integers(0, 5)) for item, _, _ in rows}
    listed = [weight[item] for item, _, _ in rows]
    by_rows = A.from_long(*columns(rows), duplicates=policy, weights=listed)
    by_name = A.from_long(*columns(rows), duplicates=policy, weights=weight)
    assert held(by_rows) == held(by_name)
    for result in (by_rows, by_name):
        assert result.weights.tolist() == [weight[item] for item in result.items]
        assert result.n_judgments == sum(weight[item] for item, _ in held(result))


def test_a_label_and_the_set_of_it_are_one_in_a_set():
    result = A.from_long([1, 1, 2, 2], ["p", "q", "p", "q"], ["a", {"a"}, ["b", "a"], "a"],
                        duplicates="set")  # fmt: skip
    assert result.to_wide().tolist() == [
        [frozenset("a"), frozenset("a")],
        [frozenset("ab"), frozenset("a")],
    ]
    assert round(af.alpha(result, "masi").observed_disagreement, 6) == pytest.approx(1 / 3)


def test_the_empty_set_adds_nothing_and_is_a_judgment():
    result = A.from_long([1, 1, 2, 2], list("pppp"), ["", "a", "", None], duplicates="set",
                        set_separator="|")  # fmt: skip
    assert held(result) == {(1, "p"): frozenset("a"), (2, "p"): frozenset()}


# ---------------------------------------------------------------- declared categories


def test_majority_keeps_what_was_declared():
    result = A.from_long([1, 1, 1, 2], list("pppp"), list("xxyx"), duplicates="majority",
                        categories=["z", "x", "y"])  # fmt: skip
    assert (result.categories, result.declared) == (("z", "x", "y"), True)
    assert held(result) == {(1, "p"): "x", (2, "p"): "x"}


@pytest.mark.parametrize(
    "declared", [["x", "y", "z"], [{"x", "y"}, "z"], [{"x", "y", "z"}], ["z", {"x"}, "y", "u"]]
)
def test_declared_categories_are_elements_of_sets(declared):
    rows = [1, 1, 2], list("ppp"), ["x", {"y", "z"}, "z"]
    result = A.from_long(*rows, duplicates="set", categories=declared)
    assert set(result.categories) == {frozenset("xyz"), frozenset("z")}
    assert not result.declared
    texts = ["|".join(one) if isinstance(one, set) else one for one in declared]
    written = A.from_long([1, 1, 2], list("ppp"), ["x", "y|z", "z"], duplicates="set",
                          categories=texts, set_separator="|")  # fmt: skip
    assert set(written.categories) == set(result.categories)


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (["x", "w"], {}, r"label 'w' of judgment 1 \(item 2, coder 'p'\) is not among the declared"
         r" categories 'x', 'y': declare it, or pass missing=\['w'\]"),
        (["x", {"y", "w"}], {}, r"label frozenset\(\{'w', 'y'\}\) of judgment 1 \(item 2,"),
        (["x|y", "x|w"], {"set_separator": "|"}, r"label frozenset\(\{'w', 'x'\}\) of judgment 1"),
    ],
)  # fmt: skip
def test_undeclared_elements_are_named(labels, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        A.from_long([1, 2], ["p", "p"], labels, duplicates="set", categories=["x", "y"], **options)
    assert caught.value.argument == "categories"


def test_an_ordered_column_declares_elements_and_no_order():
    column = pd.Series(pd.Categorical(["lo", "hi"], ["lo", "mid", "hi"], ordered=True))
    result = A.from_long([1, 1], ["p", "p"], column, duplicates="set")
    assert (result.categories, result.declared) == ((frozenset({"lo", "hi"}),), False)


# ---------------------------------------------------------------- errors


def test_the_error_names_every_policy():
    with pytest.raises(ValueError, match="1 judgment repeats") as caught:
        A.from_long([1, 1], ["p", "p"], ["x", "y"])
    assert caught.value.remedy == (
        "pass duplicates='first', 'last', 'majority' or 'set'; "
        "diagnostics.intra_coder_agreement compares them"
    )
    for name in POLICIES:
        if name != "error":
            assert repr(name) in caught.value.remedy
            A.from_long([1, 1], ["p", "p"], ["x", "y"], duplicates=name)
    with pytest.raises(ValueError, match="must be 'error', 'first', 'last', 'majority' or 'set'"):
        A.from_long([1], ["p"], ["x"], duplicates="union")


def test_groups_take_every_policy():
    rows = [("g", 1, "p", "x"), ("g", 1, "p", "x"), ("g", 1, "p", "y"), ("g", 1, "q", "x"),
            ("g", 2, "p", "y"), ("g", 2, "q", "y"), ("h", 1, "p", "x"), ("h", 1, "p", "y"),
            ("h", 1, "q", "x"), ("h", 2, "q", "x"), ("h", 2, "p", "x")]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["g", "item", "coder", "label"])
    result = agreement_by_group(frame, "g", duplicates="majority")
    values = {row.group: row for row in result}
    assert values[("g",)].value == 1
    assert values[("h",)].n_items == 1  # item 1 has a tie
    sets = agreement_by_group(frame, "g", distance=["masi"], duplicates="set")
    for row in sets:
        some = frame[frame.g == row.group[0]]
        alone = A.from_frame(some, item="item", coder="coder", label="label", duplicates="set")
        assert row.value == pytest.approx(af.alpha(alone, "masi").value)
    for wide in ([[1, 1], [2, 2]], pd.DataFrame({"a": [1, 2], "b": [1, 2]})):
        with pytest.raises(ValueError, match=r"duplicates='set' is for one judgment per row"):
            agreement_by_group(
                wide, ["g", "h"] if isinstance(wide, list) else "a", duplicates="set"
            )
        with pytest.raises(ValueError, match="duplicates must be"):
            agreement_by_group(wide, ["g", "h"], duplicates="union")
    data = A.from_wide([[1, 1], [2, 2]])
    with pytest.raises(ValueError, match="duplicates is for reading data"):
        agreement_by_group(data, ["g", "h"], duplicates="set")


# ---------------------------------------------------------------- a coder's own repeats


def by_hand(rows, coder, read=lambda label: label):
    """Return the repeats to compare, by item and place, and the number of items judged once."""
    own = {item: said for (item, who), said in labels_given(rows, read).items() if who == coder}
    names = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
             "tenth", *(f"{n}th" for n in range(11, 20)))  # fmt: skip
    repeated = {
        (item, names[i]): label
        for item, said in own.items()
        if len(said) > 1
        for i, label in enumerate(said)
    }
    return repeated, sum(len(said) == 1 for said in own.values())


@pytest.mark.few("integers", "mixed", "sets")
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_repeats(kind, data):
    rows = data.draw(judgments(kind, coders="pq"))
    said, read = options_of(kind)
    expected, once = by_hand(rows, "p", read)
    if not expected:
        with pytest.raises(ValueError, match=r"(there is no coder 'p'|coder 'p' judged)"):
            A.from_long(*columns(rows), repeats_of="p", **said)
        return
    result = A.from_long(*columns(rows), repeats_of="p", **said)
    assert held(result) == expected
    assert result.items_judged_once == once
    assert set(result.categories) == set(expected.values())
    assert set(result.items) == {item for item, _ in expected}
    assert result.duplicates_dropped == 0
    own = [label for _, coder, label in rows if coder == "p"]
    assert result.missing_judgments == own.count(None)
    assert len(own) == len(expected) + once + own.count(None)
    # Each pair of a coder's judgments of an item counts as that of two coders would.
    pairs = []
    for item in set(result.items):
        own = [label for (other, _), label in expected.items() if other == item]
        pairs.append([x == y for x, y in combinations(own, 2)])
    observed = sum(Fraction(sum(same), len(same)) for same in pairs) / len(pairs)
    assert af.observed_agreement(result).value == pytest.approx(float(observed))


@given(rows=judgments("text", coders="pq"), data=st.data())
def test_repeats_with_weights(rows, data):
    rows += [(9, "p", "x"), (9, "p", "y")]
    expected, _ = by_hand(rows, "p")
    weight = {item: data.draw(st.integers(0, 5)) for item, _, _ in rows}
    for weights in (weight, [weight[item] for item, _, _ in rows]):
        result = A.from_long(*columns(rows), repeats_of="p", weights=weights)
        assert result.weights.tolist() == [weight[item] for item in result.items]
        assert result.n_items == sum(weight[item] for item in {item for item, _ in expected})


def test_repeats_from_frames_and_triples():
    rows = [(1, 5, "x"), (2, 5, "y"), (1, 5, "y"), (1, 6, "z"), (1, 5, "x")]
    expected = {(1, "first"): "x", (1, "second"): "y", (1, "third"): "x"}
    for frame in (pd.DataFrame, pl.DataFrame):
        data = frame(dict(zip("abc", columns(rows), strict=True)))
        result = A.from_frame(data, item="a", coder="b", label="c", repeats_of=np.int64(5))
        assert held(result) == expected
        assert result.coders == ("first", "second", "third")
    result = A.from_triples([(c, i, x) for i, c, x in rows], repeats_of=5)
    assert held(result) == expected
    assert result.items_judged_once == 1


def test_declared_categories_of_repeats_stay():
    result = A.from_long([1, 1], ["p", "p"], ["x", "y"], repeats_of="p", categories=list("zyx"))
    assert (result.categories, result.declared) == (("z", "y", "x"), True)


def test_categories_of_repeats_are_what_occurs_among_them():
    """So 1.0 is 1 if only another coder used floats with fractions."""
    result = A.from_long([1, 1, 1], list("ppq"), [1.0, 2.0, 0.5], repeats_of="p")
    assert result.categories == (1, 2)
    assert set(map(type, result.categories)) == {int}


def test_the_example_is_dawid_and_skenes_first_anaesthetist():
    """The three judgments of each patient in their table 1: 1 1 1, 3 3 3, ..."""
    path = Path(af.__file__).parent / "data" / "dawid_skene_1979_anaesthetists.csv"
    frame = pd.read_csv(path)
    result = A.from_frame(frame, item="item", coder="coder", label="label", repeats_of="obs1")
    assert (result.n_items, result.coders) == (45, ("first", "second", "third"))
    table = frame[frame.coder == "obs1"].label.to_numpy().reshape(45, 3)
    assert result.to_wide().tolist() == table.tolist()
    assert af.alpha(result).value == pytest.approx(af.alpha(table.tolist()).value)


def test_many_repeats_of_one_item():
    n = 150
    result = A.from_long([1] * n + [2, 2], ["p"] * (n + 2), [i % 3 for i in range(n + 2)],
                        repeats_of="p")  # fmt: skip
    assert len(result.coders) == n
    assert result.coders[:4] == ("first", "second", "third", "fourth")
    assert (
        result.coders[9:13],
        result.coders[20:24],
        result.coders[100:103],
        result.coders[111],
    ) == (
        ("tenth", "11th", "12th", "13th"),
        ("21st", "22nd", "23rd", "24th"),
        ("101st", "102nd", "103rd"),
        "112th",
    )


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([(1, "Anna", "x"), (1, "Ben", "x")], {"repeats_of": "anna"},
         r"there is no coder 'anna' \(did you mean 'Anna'\?\); the coders are 'Anna', 'Ben'"),
        ([(1, 1, "x"), (1, 2, "x")], {"repeats_of": "1"},
         r"there is no coder '1' \(did you mean 1\?\); the coders are 1, 2"),
        ([(1, "p", "x")], {"repeats_of": "z"}, r"there is no coder 'z'; the coders are 'p'"),
        ([(1, "p", "x"), (2, "p", "y")], {"repeats_of": "p"},
         r"coder 'p' judged 2 items, each once: repeats_of compares several judgments"),
        ([(1, "p", "x"), (1, "p", None)], {"repeats_of": "p"}, r"coder 'p' judged 1 item, once:"),
        ([(1, "p", None)], {"repeats_of": "p"}, r"coder 'p' judged no item at all:"),
        ([(1, "p", "x")], {"repeats_of": "p", "duplicates": "first"},
         r"repeats_of and duplicates exclude each other: "),
    ],
)  # fmt: skip
def test_repeats_that_cannot_be_compared(rows, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        A.from_long(*columns(rows), **options)
    assert caught.value.argument == "repeats_of"


# ---------------------------------------------------------------- parts and selections


@given(rows=judgments("text", crowd=True), cut=st.integers(0, 4))
def test_parts_add_up_to_the_whole(rows, cut):
    """For every policy, if each item is whole in one part."""
    parts = [row for row in rows if row[0] < cut], [row for row in rows if row[0] >= cut]
    for policy in ("majority", "set"):
        whole = A.from_long(*columns(rows), duplicates=policy)
        pieces = [A.from_long(*columns(part), duplicates=policy) for part in parts]
        for result in (af.concat(pieces), af.concat(pieces, keep_items=False)):
            assert result.left_out == whole.left_out
            assert set(result.categories) == set(whole.categories)
            assert result.missing_judgments == whole.missing_judgments
        assert held(af.concat(pieces)) == held(whole)


def test_counts_survive_a_selection():
    result = A.from_long([1, 1, 2, 2, 3], list("ppppq"), list("xyxxy"), duplicates="majority")
    assert (result.duplicates_dropped, result.duplicates_tied) == (2, 1)
    chosen = result.select(items=[2, 3]).merge_categories({"x": "y"})
    assert (chosen.duplicates_dropped, chosen.duplicates_tied) == (2, 1)


def test_parts_with_fewer_repeats_keep_the_order_of_places():
    """In alphabetical order, "fourth" would precede "second"."""
    few = A.from_long([1, 1], list("pp"), [1, 2], repeats_of="p")
    many = A.from_long([2] * 5, list("ppppp"), [1, 2, 1, 2, 2], repeats_of="p")
    for parts in ([few, many], [many, few]):
        for joined in (af.concat(parts), af.concat(parts, keep_items=False)):
            assert joined.coders == ("first", "second", "third", "fourth", "fifth")
            assert joined.n_judgments == 7


# ---------------------------------------------------------------- categories of kept judgments


@pytest.mark.few("integers", "text", "sets")
@pytest.mark.parametrize("crowd", [False, True])
@pytest.mark.parametrize("policy", ["first", "last", "majority"])
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_dropped_labels_are_not_categories(kind, policy, crowd, data):
    rows = data.draw(judgments(kind, crowd=crowd))
    said, _ = options_of(kind)
    whole = A.from_long(*columns(rows), duplicates=policy, **said)
    kept = held(whole)
    again = A.from_long(*columns([(*pair, label) for pair, label in kept.items()]))
    assert set(whole.categories) == set(again.categories) == set(kept.values())
    if kind not in ("mixed", "sets", "written sets"):
        assert list(map(repr, whole.categories)) == list(map(repr, again.categories))
    if again.n_judgments and not crowd:
        assert af.s(whole).value == pytest.approx(af.s(again).value, abs=1e-15, nan_ok=True)
    triples = [(coder, item, label) for item, coder, label in rows]
    order = ("coder", "item", "label")
    read = A.from_triples(triples, order=order, duplicates=policy, **said)
    assert read.categories == whole.categories
    listed = tuple(dict.fromkeys(label for *_, label in rows if label is not None))
    if listed:
        declared = A.from_long(*columns(rows), duplicates=policy, categories=listed, **said)
        assert len(declared.categories) >= len(kept and set(kept.values()))
        assert held(declared) == kept


def test_s_knows_only_labels_that_are_kept():
    three = [1, 1, 1, 2, 2], list("AABAB"), list("xzxyx")
    first, last = (A.from_long(*three, duplicates=name) for name in ("first", "last"))
    assert (first.categories, last.categories) == (("x", "y"), ("x", "y", "z"))
    assert af.s(first).value == 0
    tied = A.from_long(*three, duplicates="majority")
    assert tied.categories == ("x", "y")
    frame = pd.DataFrame(dict(zip(("item", "coder", "label"), three, strict=True)), dtype=str)
    named = {"item": "item", "coder": "coder", "label": "label"}
    assert A.from_frame(frame, **named, duplicates="first").categories == ("x", "y")
    (row,) = agreement_by_group(frame.assign(g="g"), "g", ["s"], duplicates="first")
    assert row.value == 0


# ---------------------------------------------------------------- coders who are not compared


def test_labels_and_weights_of_others_need_not_fit():
    rows = [1, 1, 1, 2, 2, 2, 3, 3], list("AABAABAB"), list("xyqxyqzx")
    result = A.from_long(
        *rows, repeats_of="A", categories=["y", "x", "w"], weights=[2, 2, 9, 3, 3, 8, 4, 5]
    )
    assert result.categories == ("y", "x", "w")
    assert result.to_wide().tolist() == [["x", "y"], ["x", "y"]]
    assert result.weights.tolist() == [2, 3]
    assert result.declared


def test_labels_and_weights_that_are_compared_must_fit():
    rows = [1, 1, 1, 2, 2], list("BAAAA"), list("qxyxz")
    with pytest.raises(ValueError, match=r"label 'z' of judgment 4 \(item 2, coder 'A'\) is not"):
        A.from_long(*rows, repeats_of="A", categories=["x", "y"])
    with pytest.raises(ValueError, match="item 2 has different weights"):
        A.from_long(*rows, repeats_of="A", weights=[9, 1, 1, 2, 3])


def test_declared_sets_of_a_coder():
    rows = [1, 1, 1], list("AAB"), ["a|b", "b|a", "q"]
    result = A.from_long(*rows, repeats_of="A", set_separator="|", categories=["b|a", "c"])
    assert result.categories == (frozenset("ab"), frozenset("c"))
    assert result.to_wide().tolist() == [[frozenset("ab")] * 2]
