"""Coefficients of groups, beside each group alone and the definitions."""

import itertools
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import reference
import reference_inference
from loops import nonempty
from strategies import seeded

import agreement_fast as af
from agreement_fast import agreement_by_group, diagnostics
from agreement_fast.inference import groups, standard_error

DISTANCES = {
    "nominal": reference.nominal,
    "ordinal": reference.ordinal,
    "interval": reference.interval,
    "linear": reference.linear,
}
EVERY = ("brennan_prediger", "alpha_prime", "beta", "alpha", "ac")
LABELS = [1, 2, 3, 5]


def judgments(seed=0, n_groups=7, n_coders=5, rows=260, numbers=LABELS):
    """Shuffled judgments: groups of different sizes, coders of their own, one group of one item."""
    rng = np.random.default_rng(seed)
    seen, result = set(), []
    for _ in range(rows):
        group = int(rng.integers(n_groups) ** 2 // n_groups)
        coder = f"c{rng.integers(n_coders) + group % 3}"
        item = int(rng.integers(1 + 3 * group))
        if (group, item, coder) not in seen:
            seen.add((group, item, coder))
            result.append((f"g{group}", item, coder, numbers[int(rng.integers(len(numbers)))]))
    result += [("alike", i, c, 2) for i in range(4) for c in ("c0", "c1")]
    result += [("singles", i, "c0", 1 + i % 2) for i in range(3)]
    result += [("one", 0, "c0", 1), ("one", 0, "c1", 2)]
    frame = pd.DataFrame(result, columns=["group", "item", "coder", "label"])
    return frame.sample(frac=1.0, random_state=seed).reset_index(drop=True)


def alone(frame, **names):
    return af.Annotations.from_frame(
        frame, item="item", coder="coder", label="label", categories=LABELS, **names
    )


def items_of(frame):
    """The items of a frame of one group, as the reference takes them."""
    items = {}
    for item, coder, label in zip(frame["item"], frame["coder"], frame["label"], strict=True):
        items.setdefault(item, {})[coder] = label
    return list(items.values())


def equal(a, b, rel=1e-12):
    return (math.isnan(a) and math.isnan(b)) or a == pytest.approx(b, rel=rel, abs=1e-13)


@pytest.mark.few
@pytest.mark.parametrize("incomplete", ["published", "pairable", "complete"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_each_group_is_what_it_is_alone(monkeypatch, distance, incomplete):
    """Also where the groups are looked at one by one, or some at a time."""
    frame, tables = judgments(), []
    for room in (1, 40, 1 << 20):
        monkeypatch.setattr(groups, "ROOM", room)
        tables.append(
            agreement_by_group(
                frame, "group", EVERY, [distance], incomplete=incomplete, categories=LABELS
            )
        )
    for table in tables:
        assert table.groups == [(name,) for name in sorted(set(frame["group"]))]
        assert len(table) == len(table.groups) * len(EVERY)
    kinds = set()
    for rows in zip(*tables, strict=True):
        row = rows[0]
        own = frame[frame["group"] == row.group[0]]
        data = alone(own)
        expected = standard_error(data, row.coefficient, distance=distance, incomplete=incomplete)
        whole = getattr(af, row.coefficient)(data, distance, incomplete=incomplete)
        cell = reference.Cube(items_of(own), DISTANCES[distance], categories=LABELS).cell(
            *reference.COEFFICIENTS[row.coefficient], incomplete
        )
        for row in rows:
            assert (row.group, row.coefficient) == (rows[0].group, rows[0].coefficient)
            if cell.value is None:
                assert math.isnan(row.value)
                assert row.undefined == whole.undefined
                assert row.undefined.startswith(cell.undefined)
            else:
                assert row.value == pytest.approx(float(cell.value), rel=1e-13, abs=1e-14)
                assert row.undefined is None
            assert equal(row.observed_disagreement, whole.observed_disagreement)
            # It is not asked for if there are no pairs.
            if not math.isnan(whole.expected_disagreement):
                assert equal(row.expected_disagreement, whole.expected_disagreement)
            assert equal(row.standard_error, expected.standard_error, 1e-9)
            assert equal(row.low, expected.low, 1e-9)
            assert equal(row.high, expected.high, 1e-9)
            assert (row.n_items, row.n_judgments) == (whole.n_items, whole.n_judgments)
            kinds.add((row.undefined, row.note))
    assert len(kinds) >= 4


@pytest.mark.few
@pytest.mark.parametrize("method", ["score", "delta"])
@pytest.mark.parametrize("name", ["s", "pi", "kappa", "alpha", "ac"])
def test_intervals_are_those_of_standard_error(name, method):
    frame = judgments(3)
    table = agreement_by_group(
        frame, "group", [name], confidence_level=0.8, method=method, categories=LABELS
    )
    for row in nonempty(table):
        data = alone(frame[frame["group"] == row.group[0]])
        scale = "atanh" if method == "delta" else None
        one = standard_error(data, name, confidence_level=0.8, method=method, transform=scale)
        assert equal(row.low, one.low, 1e-9)
        assert equal(row.high, one.high, 1e-9)


def test_several_columns_make_groups_in_their_order():
    frame = judgments(1)
    frame["half"] = np.where(frame["item"] % 2, "odd", "even")
    table = agreement_by_group(frame, ["half", "group"], item="item")
    assert table.by == ("half", "group")
    assert table.groups == sorted({*zip(frame["half"], frame["group"], strict=True)})
    for row in table:
        own = frame[(frame["half"] == row.group[0]) & (frame["group"] == row.group[1])]
        assert equal(row.value, af.alpha(alone(own)).value)
    columns = table.to_dict()
    assert list(columns)[:4] == ["half", "group", "coefficient", "distance"]
    assert list(zip(columns["half"], columns["group"], strict=True)) == table.groups


@pytest.mark.parametrize("make", [pl.from_pandas, pa.Table.from_pandas], ids=["polars", "pyarrow"])
def test_frames_of_any_library(make):
    frame = judgments(2)
    expected = agreement_by_group(frame, "group").to_dict()
    result = agreement_by_group(make(frame), "group").to_dict()
    assert result.keys() == expected.keys()
    for name, column in result.items():
        np.testing.assert_array_equal(column, expected[name])


def test_ordered_groups_keep_their_order():
    frame = judgments(2)
    order = sorted(set(frame["group"]), reverse=True)
    frame["group"] = pd.Categorical(frame["group"], ["unused", *order], ordered=True)
    table = agreement_by_group(frame, "group")
    assert [name for (name,) in table.groups] == order
    for row in table:
        own = frame[frame["group"] == row.group[0]]
        assert equal(row.value, af.alpha(alone(own)).value)


@pytest.mark.parametrize("distance", ["nominal", "interval", "ordinal"])
@pytest.mark.parametrize("kind", ["codes", "floats"])
def test_tables_of_items_and_coders(kind, distance):
    """The groups of rows as a list, a mapping, a Series, and a column of a frame."""
    rng = np.random.default_rng(5)
    table = rng.integers(1, 5, (60, 4)).astype(float)
    if kind == "floats":  # groups far from each other, numbers that are not counted
        table = rng.normal(size=(60, 4)) + 1e7 * rng.integers(0, 2, (60, 1))
    table[rng.random(table.shape) < 0.2] = np.nan
    if kind == "floats":
        of = np.where(np.nanmean(table, 1) > 10, "far", "near").tolist()
        table = np.repeat(table, 30, axis=0)  # beyond the numbers that are counted at once
        of = np.repeat(of, 30).tolist()
    else:
        of = rng.choice(["x", "y", "z"], len(table)).tolist()
    frame = pd.DataFrame(table, columns=["a", "b", "c", "d"])
    given = [
        agreement_by_group(table, of, EVERY[1:4], [distance]),
        agreement_by_group(table, dict(enumerate(of)), EVERY[1:4], [distance]),
        agreement_by_group(table, pd.Series(of), EVERY[1:4], [distance]),
        agreement_by_group(af.Annotations.from_wide(table), of, EVERY[1:4], [distance]),
        agreement_by_group(frame.assign(set=of), "set", EVERY[1:4], [distance]),
    ]
    for rows in nonempty(zip(*given, strict=True)):
        first = rows[0]
        own = table[np.array(of) == first.group[0]]
        expected = standard_error(own, first.coefficient, distance=distance)
        for row in nonempty(rows):
            assert row.group == first.group
            assert row.value == pytest.approx(expected.value, rel=1e-11)
            assert row.standard_error == pytest.approx(expected.standard_error, rel=1e-8)


@pytest.mark.parametrize("incomplete", ["published", "complete"])
def test_numbers_have_weights_and_coders_of_their_group(incomplete):
    rng = np.random.default_rng(11)
    table = rng.normal(size=(3000, 4))
    table[rng.random(table.shape) < 0.1] = np.nan
    of = rng.integers(0, 3, len(table))
    table[of == 0, 3] = np.nan  # a coder who judged nothing in a group
    weights = rng.integers(0, 4, len(table))
    data = af.Annotations.from_wide(table, weights=weights)
    assert data.uncounted
    for row in agreement_by_group(
        data, of, ["alpha", "alpha_prime"], ["interval"], incomplete=incomplete
    ):
        (group,) = row.group
        kept = of == group
        columns = slice(0, 3 if group == 0 else 4)
        own = af.Annotations.from_wide(table[kept, columns], weights=weights[kept])
        one = standard_error(own, row.coefficient, distance="interval", incomplete=incomplete)
        assert row.value == pytest.approx(one.value, rel=1e-12)
        assert row.standard_error == pytest.approx(one.standard_error, rel=1e-9)


@pytest.mark.parametrize("labels", ["xyzxyyzxxz", "xzx", "xyzyxzzzxz", "yxzxyxz"])
def test_rounding_errors_do_not_count_as_width(labels):
    """κ is 0 for any items if one coder has one label only."""
    rows = [["x", label] for label in labels] + [["x", "x"], ["y", "y"]]
    constant, other = agreement_by_group(rows, [0] * len(labels) + [1] * 2, ["kappa"])
    assert constant.value == pytest.approx(0.0, abs=1e-15)
    assert constant.standard_error == 0.0
    assert constant.low < constant.value < constant.high
    assert other.low < other.high == other.value == 1
    by = [0] * len(labels) + [1] * 2
    flat, _ = agreement_by_group(rows, by, ["kappa"], method="delta")
    assert flat.low == flat.high == flat.value
    assert "all resamples have this value" in flat.note


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_looked_at_in_ranges_that_fit(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    room = int(rng.integers(1, 200))
    monkeypatch.setattr(groups, "ROOM", room)
    judgments, width = rng.integers(0, 60, (2, int(rng.integers(1, 40))))
    place = 0
    for first, last in groups._cuts(judgments, width):
        assert first == place < last
        fits = judgments[first:last].sum() <= room
        fits &= (last - first) * max(width[first:last].max(), 1) <= room
        assert fits or last == first + 1
        place = last
    assert place == len(judgments)


def test_weights_count_items():
    frame = judgments(4)
    data = af.Annotations.from_wide(
        [[1, 1], [1, 2], [2, 2], [3, 1], [2, 2]], weights=[3, 0, 2, 5, 1]
    )
    by = ["a", "a", "b", "a", "b"]
    for row in agreement_by_group(data, by, ["alpha", "pi", "kappa"]):
        own = data.select(items=[i for i, name in enumerate(by) if name == row.group[0]])
        one = standard_error(own, row.coefficient)
        assert equal(row.value, one.value)
        assert equal(row.standard_error, one.standard_error)
        assert row.n_items == getattr(af, row.coefficient)(own).n_items
    assert len(frame)


def test_equal_judgments_have_no_distance_whatever_their_ranks():
    """The ranks of a billion items have squares that floats round."""
    data = af.Annotations.from_wide(
        [[1] * 3, [2] * 3, [3] * 3], weights=[10**9 + 7, 998_244_353, 123_456_789]
    )
    (row,) = agreement_by_group(data, ["a"] * 3, ["alpha"], ["ordinal"], method="delta")
    assert (row.observed_disagreement, row.value) == (0.0, 1.0)
    assert row.note.startswith("no item disagrees")


@pytest.mark.few
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("distance", DISTANCES)
def test_errors_are_those_of_exact_derivatives(name, distance):
    tables = [seeded(seed, 7 + seed, 3, LABELS, declared=True) for seed in (1, 2)]
    rows = [list(row) for table in tables for row in table.rows]
    of = [group for group, table in enumerate(tables) for _ in table.rows]
    data = af.Annotations.from_wide(rows, categories=LABELS)
    for row, table in zip(agreement_by_group(data, of, [name], [distance]), tables, strict=True):
        slopes = reference_inference.slopes(table, DISTANCES[distance], name, "published")
        least = 2 if name in ("brennan_prediger", "alpha") else 1
        own = [x for x, item in zip(slopes, table.items, strict=True) if len(item) >= least]
        mean, n = sum(own) / len(own), len(own)
        exact = math.sqrt(sum((x - mean) ** 2 for x in own) * n / (n - 1))
        assert row.standard_error == pytest.approx(exact, rel=1e-9)


def test_every_group_has_coders_of_its_own():
    """A hundred coders in groups of two: sums take the coders of a group, not all of them."""
    result = []
    rng = np.random.default_rng(7)
    for group, item in itertools.product(range(50), range(8)):
        result += [(group, item, 2 * group + coder, int(rng.integers(3))) for coder in range(2)]
    frame = pd.DataFrame(result, columns=["group", "item", "coder", "label"])
    table = agreement_by_group(frame, "group", ["kappa"], incomplete="complete")
    for row in nonempty(table):
        own = frame[frame["group"] == row.group[0]]
        first, second = (own["label"][own["coder"] % 2 == i].tolist() for i in range(2))
        assert equal(row.value, af.kappa(first, second).value)


@pytest.mark.filterwarnings("ignore:column .* differs within items")
def test_a_table_shows_its_ends_and_gives_columns():
    frame = judgments(6, n_groups=40, rows=900)
    table = agreement_by_group(frame, "group", ["alpha", "pi"])
    text = repr(table).split("\n")
    assert text[0].split() == ["group", "coefficient", "distance", "items", "value", "95%",
                               "interval"]  # fmt: skip
    assert text[21] == f"and {len(table) - 20} more rows"
    assert len(text) == 23
    assert text[-1].startswith("the labels are numbers, but are compared as names")
    assert table[-1].group == table.groups[-1]
    assert [row.group for row in table[:4]] == [g for g in table.groups[:2] for _ in range(2)]
    for made in (table.to_frame(), table.to_frame("polars").to_pandas()):
        assert list(made.columns) == list(table.to_dict())
        np.testing.assert_array_equal(made["value"], [row.value for row in table])
    reasons = {row.group[0]: row.undefined for row in table}
    assert reasons["alike"].startswith("no variation")
    assert reasons["singles"].startswith("no pairs")
    notes = {row.group[0]: row.note for row in table}
    assert "one item" in notes["one"]
    assert "undefined (no variation" in repr(table)
    with pytest.raises(IndexError):
        table[len(table)]


def test_names_of_columns_that_are_ours():
    frame = judgments(6).rename(columns={"group": "value"})
    columns = agreement_by_group(frame, "value").to_dict()
    assert next(iter(columns)) == "group_value"


def test_duplicates_name_the_group():
    frame = pd.DataFrame(
        {"g": ["a", "a", "b"], "item": [1, 1, 1], "coder": ["x", "x", "x"], "label": [1, 2, 1]}
    )
    with pytest.raises(ValueError, match=r"coder 'x', item \('a', 1\)"):
        agreement_by_group(frame, "g")
    assert agreement_by_group(frame, "g", duplicates="last").groups == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: agreement_by_group(f, "nobody"), r"by='nobody' is not a column; the columns"),
        (lambda f: agreement_by_group(f, []), "by is empty"),
        (lambda f: agreement_by_group(f, ["group", "group"]), "names a column twice"),
        (lambda f: agreement_by_group(f, 3), "by must be the name of a column"),
        (lambda f: agreement_by_group(f, "group", method="log"), "method must be"),
        (lambda f: agreement_by_group(f, "group", incomplete="some"), "incomplete must be"),
        (lambda f: agreement_by_group(f, "group", confidence_level=95), "confidence_level must"),
        (lambda f: agreement_by_group([[1, 2], [2, 2]], "group"), "has no names"),
        (
            lambda f: agreement_by_group([[1, 2], [2, 2]], ["a"]),
            "a group for each of 2 items, got 1",
        ),
        (
            lambda f: agreement_by_group(alone(f[:3]), ["a"] * 3, missing=1),
            "missing is for reading data",
        ),
        (
            lambda f: agreement_by_group(f.assign(group=[None, *f["group"][1:]]), "group"),
            r"judgment 0 has no group \(group\)",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(af.AgreementError, match=message):
        call(judgments())


def test_no_judgments_give_no_groups():
    table = agreement_by_group(pd.DataFrame(columns=["group", "item", "coder", "label"]), "group")
    assert len(table) == 0
    assert table.to_dict()["value"] == []


ANNOTATED = af.Annotations.from_wide([["x", "y"]], coders=["a", "b"])
COLUMNS_OF_GROUPS = {
    "doc": ["p"] * 6 + ["q"] * 7,
    "item": [1, 1, 2, 2, 3, 3] * 2 + [3],
    "coder": ["a", "b"] * 6 + ["b"],
    "label": list("xyxxyyxyyyxxy"),
    "w": [3, 3, 1, 1, 2, 2, 1, 1, 4, 4, 2, 2, 2],
    "time": [*range(12), 99],
}


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("policy", ["first", "last"])
def test_weights_and_an_order_count_in_memory_and_in_engines(lazy, policy):
    frame = pl.DataFrame(COLUMNS_OF_GROUPS)
    options = {"weights": "w", "duplicates": policy, "order": "time"}
    shuffled = frame.sample(fraction=1, shuffle=True, seed=2)
    result = agreement_by_group(shuffled.lazy() if lazy else shuffled, "doc", **options)
    for one, (name,) in zip(result, result.groups, strict=True):
        rows = frame.filter(pl.col("doc") == name)
        expected = af.Annotations.from_frame(rows, **options)
        assert one.n_items == expected.n_items
        assert one.value == pytest.approx(float(af.alpha(expected)), abs=1e-14)
    assert result[0].value != agreement_by_group(frame.head(6), "doc")[0].value


@pytest.mark.parametrize("lazy", [False, True])
def test_a_trend_counts_weights(lazy):
    frame = pl.DataFrame(COLUMNS_OF_GROUPS).head(12)
    result = diagnostics.drift(
        frame.lazy() if lazy else frame, "doc", by_order=["p", "q"], weights="w"
    )
    assert result.n_items.tolist() == [6, 7]


def test_a_column_a_coder_has_weights():
    frame = pl.DataFrame(
        {"doc": ["p", "p", "q"], "w": [2, 3, 4], "a": list("xyx"), "b": list("xxx")}
    )
    result = agreement_by_group(frame, "doc", weights="w")
    assert [one.n_items for one in result] == [5, 4]
    assert result[0].value == pytest.approx(
        float(af.alpha(af.Annotations.from_wide([["x", "x"], ["y", "x"]], weights=[2, 3])))
    )


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("asked", ["way", "along", "bogus", "repeats_of"])
def test_what_groups_do_not_take_is_refused_alike(lazy, asked):
    frame = pl.DataFrame(COLUMNS_OF_GROUPS)
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{asked}'"):
        agreement_by_group(frame.lazy() if lazy else frame, "doc", **{asked: "w"})


@pytest.mark.parametrize(
    ("table", "by", "asked", "message"),
    [
        (pl.DataFrame(COLUMNS_OF_GROUPS), "doc", {"weights": "v"}, "weights='v' is not a column"),
        (pl.DataFrame(COLUMNS_OF_GROUPS), "doc", {"order": "v"}, "order='v' is not a column"),
        (pl.DataFrame({"doc": [1, 2], "t": [1, 2], "a": ["x", "y"], "b": ["x", "y"]}), "doc",
         {"order": "t"}, "order='t' is for one judgment per row"),
        ([["x", "y"], ["x", "x"]], [1, 2], {"weights": "w"}, "the table has no names"),
        ([["x", "y"], ["x", "x"]], [1, 2], {"order": "w"}, "order must be left out"),
        (ANNOTATED, [1], {"weights": "w"}, "weights is for reading data"),
        (ANNOTATED, [1], {"order": "w"}, "order is for reading data"),
        (
            pl.DataFrame({**COLUMNS_OF_GROUPS, "time": [1] * 13}), "doc",
            {"order": "time", "duplicates": "last"}, "has several labels for item .* same 'time'",
        ),
    ],
)  # fmt: skip
def test_weights_and_orders_that_cannot_be(table, by, asked, message):
    with pytest.raises((ValueError, TypeError), match=message):
        agreement_by_group(table, by, **asked)


def test_coders_of_groups_may_be_several_columns():
    frame = pd.DataFrame(
        {"g": list("uuvvuv"), "ann": list("xyxyxx"), "bob": list("xyyyxx"), "n": range(6)}
    )
    result = agreement_by_group(frame, by="g", coder=["ann", "bob"])
    assert str(result) == str(agreement_by_group(frame.drop(columns="n"), by="g"))
    for role in ("item", "label"):
        with pytest.raises(ValueError, match=f"{role}=.* is not a column"):
            agreement_by_group(frame, by="g", **{role: ["ann"]})


def test_a_column_itself_makes_the_groups_of_rows():
    frame = pd.DataFrame({"a": list("xyxyxxyy"), "b": list("xyxxyxyy")})
    week = pd.Series([1, 1, 1, 1, 2, 2, 2, 2], name="week")
    expected = agreement_by_group(frame.assign(week=week), "week")
    assert agreement_by_group(frame, week).to_dict() == expected.to_dict()
    assert agreement_by_group(frame.assign(week=week), week).to_dict() == expected.to_dict()
    unnamed = agreement_by_group(frame, week.to_numpy())
    assert [row.group for row in unnamed] == [row.group for row in expected]
    assert [row.value for row in unnamed] == [row.value for row in expected]
    with pytest.raises(ValueError, match="by has another index than the table"):
        agreement_by_group(frame, week[::-1])
    with pytest.raises(ValueError, match="is not a column"):
        agreement_by_group(frame, week[:3])


@pytest.mark.parametrize("by", [["A", "a ", "B"], ["1", "1 ", "2"]])
def test_groups_that_may_be_one_are_named(by: list[str]) -> None:
    with pytest.warns(
        af.LabelHint, match=f"names of groups .* {by[0]!r} = {by[1]!r}; if they are one"
    ):
        result = af.agreement_by_group([[1, 1], [1, 2], [2, 2]], by=by)
    assert len(result.to_frame()) == len(by)


LATE = [
    pd.Timestamp("2024-01-31 23:30", tz="America/New_York"),
    pd.Timestamp("2024-02-01 09:30", tz="America/New_York"),
]


@pytest.mark.parametrize(
    "times",
    [
        LATE,
        [str(time) for time in LATE],
        ["2024-01-31T23:30:00.5-0500", "2024-02-01T09:30-05:00"],
        ["2024-01-31T23:30:00Z", "2024-02-01T09:30:00Z"],
    ],
    ids=["times", "texts", "other texts", "utc"],
)
@pytest.mark.parametrize(
    "door",
    [pd.DataFrame.copy, pl.from_pandas, pa.Table.from_pandas],
    ids=["pandas", "polars", "arrow"],
)
def test_periods_of_times_are_those_of_their_own_zone(times, door):
    frame = pd.DataFrame(
        [
            (f"t{i}", c, "xy"[(i * k) % 2], times[i % 2])
            for i in range(8)
            for k, c in enumerate("abc")
        ],
        columns=["item", "coder", "label", "when"],
    )
    groups = af.agreement_by_group(door(frame), "when", every="month")
    assert [row.group for row in groups] == [("2024-01",), ("2024-02",)]


def test_times_with_and_without_a_zone_have_no_common_periods():
    frame = pd.DataFrame(
        [(i, c, "x", "2024-01-31T23:30" + "Z" * (i % 2)) for i in range(8) for c in "abc"],
        columns=["item", "coder", "label", "when"],
    )
    with pytest.raises(af.AgreementError, match="times with and without a zone"):
        af.agreement_by_group(frame, "when", every="month")


@pytest.mark.parametrize("distance", ["nominal", "ordinal"])
def test_the_delta_method_counts_the_items_that_the_coefficient_counts(distance):
    """S leaves out items with a single judgment, which AC counts."""
    data = [[1, 1], [1, 2], [2, 2], [3, 1], [3, 3], [2, None], [None, 3], [2, 1]]
    options = {"method": "delta"}
    for name in nonempty(["brennan_prediger", "ac"]):
        (group,) = agreement_by_group(data, ["g"] * len(data), name, distance, **options)
        expected = standard_error(data, name, distance=distance, transform="atanh", **options)
        assert (group.low, group.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
