"""Missing judgments beside all ways to fill them in, one by one, in rational arithmetic."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
import reference
from loops import nonempty
from reference_missing import agreed_or_disagreed, bounds

import agreement_fast as af
from agreement_fast.diagnostics import missing, missing_judgments

NAMES = ("s", "pi", "kappa", "alpha", "ac", "brennan_prediger", "alpha_prime", "beta")
DISTANCES = {
    "nominal": reference.nominal,
    "interval": reference.interval,
    "linear": reference.linear,
    "ordinal": reference.ordinal,
}
NOMINAL_ONLY = ("s", "pi", "kappa")


def drawn(seed, ordinal=True):
    """Draw a few items with some judgments missing, and others left out."""
    rng = random.Random(seed)
    n_items, n_coders, n_labels = rng.randint(2, 6), rng.randint(2, 4), rng.randint(2, 3)
    cells = list(itertools.product(range(n_items), range(n_coders)))
    gone = rng.sample(cells, min(len(cells) - 2, rng.randint(1, 4)))
    absent = [cell for cell in cells if cell not in gone and rng.random() < 0.1]
    truth = [rng.randint(1, n_labels) for _ in range(n_items)]
    table = [
        [truth[i] if rng.random() < 0.6 else rng.randint(1, n_labels) for _ in range(n_coders)]
        for i in range(n_items)
    ]
    for i, c in gone:
        table[i][c] = "gone"
    for i, c in absent:
        table[i][c] = None
    name = rng.choice(NAMES)
    usual = [d for d in DISTANCES if ordinal or d != "ordinal"]
    distance = "nominal" if name in NOMINAL_ONLY else rng.choice(usual)
    weights = [rng.randint(1, 2) if rng.random() < 0.2 else 1 for _ in range(n_items)]
    incomplete = rng.choice(("published", "pairable", "complete"))
    return table, name, distance, weights, incomplete


def expanded(table, weights):
    """Write each item as often as it weighs; give the items and what is missing."""
    rows = [row for row, weight in zip(table, weights, strict=True) for _ in range(weight)]
    items = [{c: v for c, v in enumerate(row) if v not in (None, "gone")} for row in rows]
    gone = [(i, c) for i, row in enumerate(rows) for c, v in enumerate(row) if v == "gone"]
    return items, gone


def beside(seed, **kind):
    """Compute the bounds of a drawn table in both ways; None if it has none."""
    table, name, distance, weights, incomplete = drawn(seed, **kind)
    items, gone = expanded(table, weights)
    labels = sorted({label for item in items for label in item.values()})
    if len(gone) > 5 or not labels:
        return None
    expected = bounds(
        items, gone, labels, name, DISTANCES[distance],
        weights=[1] * len(items), coders=range(len(table[0])), incomplete=incomplete,
    )  # fmt: skip
    result = missing_judgments(
        af.Annotations.from_wide(table, weights=weights, coders=list(range(len(table[0])))),
        {"gone": "missing"}, name, distance=distance, incomplete=incomplete,
    )  # fmt: skip
    return result, expected, (items, gone, labels, table)


@pytest.mark.parametrize("block", range(5))
def test_few_fillings_are_all_compared(block):
    n = 0
    for seed in range(100 * block, 100 * block + 100):
        both = beside(seed)
        if both is None:
            continue
        result, expected, (_, gone, _, _) = both
        assert result.n_missing == len(gone)
        if expected is None:
            assert math.isnan(result.least)
            assert result.undefined is not None
            continue
        n += 1
        assert result.certainty == "exact", seed
        assert math.isclose(result.least, expected[0], abs_tol=1e-12), seed
        assert math.isclose(result.largest, expected[1], abs_tol=1e-12), seed
    assert n > 60


@pytest.mark.parametrize("block", range(5))
def test_bounds_hold_for_every_filling(block, monkeypatch):
    monkeypatch.setattr(missing, "FILLINGS", 0)
    n, exact, wide = 0, 0, []
    for seed in range(100 * block, 100 * block + 100):
        both = beside(seed, ordinal=False)
        if both is None or both[1] is None:
            continue
        result, (least, largest), _ = both
        if not math.isnan(result.least):
            assert result.least <= float(least) + 1e-12, seed
            n += 1
        assert result.largest >= float(largest) - 1e-12, seed
        if result.certainty == "exact":
            exact += 1
            assert math.isclose(result.least, least, abs_tol=1e-8), seed
            assert math.isclose(result.largest, largest, abs_tol=1e-8), seed
        wide.append(result.largest - float(largest))
        wide.append(float(least) - result.least)
    assert n > 50
    assert exact > 40
    assert np.nanmedian(wide) < 1e-12


def rows_of(table, *names):
    """Give some columns of a table as rows."""
    columns = table.to_dict()
    return list(zip(*(columns[name] for name in names), strict=True))


def scenario(result, name):
    return dict(rows_of(result.scenarios, "scenario", "value"))[name]


@pytest.mark.parametrize("block", range(2))
def test_agreed_and_disagreed_are_definite_fillings(block):
    n = 0
    for seed in range(150 * block, 150 * block + 150):
        table, name, distance, weights, _ = drawn(seed, ordinal=False)
        items, gone = expanded(table, weights)
        labels = sorted({label for item in items for label in item.values()})
        if not labels:
            continue
        d = DISTANCES[distance](labels, None)
        coders = range(len(table[0]))
        data = af.Annotations.from_wide(table, weights=weights, coders=coders)
        result = missing_judgments(data, ["gone"], name, distance=distance)
        for way in ("agreed", "disagreed"):
            filled = agreed_or_disagreed(items, gone, labels, d, agreed=way == "agreed")
            cube = reference.Cube(filled, DISTANCES[distance], coders=coders, categories=labels)
            expected = cube.named(name).value
            if expected is None:
                assert math.isnan(scenario(result, way))
                continue
            assert math.isclose(scenario(result, way), expected, abs_tol=1e-12), (seed, way)
            if not math.isnan(result.least):
                assert result.least - 1e-12 <= expected <= result.largest + 1e-12
            n += 1
    assert n > 200


TABLE = [
    ["x", "x", "na"],
    ["y", "refused", "y"],
    ["x", "y", None],
    ["refused", "x", "na"],
    ["y", "y", "y"],
]


def of_table(states, **options):
    data = af.Annotations.from_wide(TABLE, coders=["Ann", "Bea", "Cid"])
    return missing_judgments(data, states, **options)


def test_states_are_counted_by_coder_and_item():
    result = of_table({"na": "not applicable", "refused": "missing"})
    rows = rows_of(result.states, "state", "policy", "n", "n_items", "n_coders")
    assert rows == [("na", "not applicable", 2, 2, 1), ("refused", "missing", 2, 2, 2)]
    shares = rows_of(result.states, "share", "low", "high")
    assert np.allclose(shares, [(2 / 14, *wilson(2, 14))] * 2)
    rows = rows_of(result.coders, "coder", "state", "n", "share")
    assert rows == [
        ("Ann", "na", 0, 0), ("Ann", "refused", 1, 0.2), ("Bea", "na", 0, 0),
        ("Bea", "refused", 1, 0.2), ("Cid", "na", 2, 0.5), ("Cid", "refused", 0, 0),
    ]  # fmt: skip
    rows = rows_of(result.items, "item", "state", "n")
    assert rows == [(3, "na", 1), (3, "refused", 1), (0, "na", 1), (1, "refused", 1)]
    assert (result.n_missing, result.n_items, result.n_judgments) == (2, 4, 9)


def wilson(k, n, z=1.959963984540054):
    """Wilson's interval, from its definition."""
    centre, reach = k / n + z * z / (2 * n), z * math.sqrt(k * (n - k) / n**3 + z * z / (4 * n * n))
    return (centre - reach) / (1 + z * z / n), (centre + reach) / (1 + z * z / n)


def test_empty_cells_are_a_state_if_named():
    result = of_table({None: "missing", "na": "not applicable", "refused": "not applicable"})
    assert result.n_missing == 1
    assert rows_of(result.states, "state", "n")[0] == (None, 1)
    assert sum(n for (n,) in rows_of(result.coders, "n")) == 5
    low, high = (
        float(af.alpha([["x", "x", None], ["y", None, "y"], ["x", "y", label], [None, "x", None],
                        ["y", "y", "y"]]))
        for label in ("x", "y")
    )  # fmt: skip
    assert (result.least, result.largest) == (min(low, high), max(low, high))


def test_policies_read_the_states():
    kept = {"na": "label", "refused": "label"}
    left = [[None if cell in kept else cell for cell in row] for row in TABLE]
    result = of_table(kept)
    assert result.value == float(af.alpha(TABLE))
    assert result.n_missing == 0
    assert (result.least, result.largest, result.certainty) == (result.value,) * 2 + ("exact",)
    dropped = of_table({"na": "item", "refused": "missing"})
    complete = [TABLE[2], TABLE[4], ["y", None, "y"]]
    assert dropped.value == float(af.alpha(complete))
    assert dropped.n_missing == 1
    values = dict(rows_of(dropped.scenarios, "scenario", "value"))
    assert values["missing"] == float(af.alpha(left))
    assert values["label"] == float(af.alpha(TABLE))
    assert values["item"] == float(
        af.alpha(af.Annotations.from_wide([TABLE[2], TABLE[4]], coders=["a", "b", "c"]))
    )


def test_lists_of_judgments_are_as_tables():
    items, coders, labels = zip(
        *((i, c, v) for i, row in enumerate(TABLE) for c, v in enumerate(row) if v is not None),
        strict=True,
    )
    apart = [1000 * coder for coder in coders]
    sparse = af.Annotations.from_long(
        [*items, *range(5, 900)], [*apart, *range(5, 900)], [*labels, *["x"] * 895]
    )
    assert not sparse.rows.width
    result = missing_judgments(sparse, ["na", "refused"])
    plain = of_table(["na", "refused"])
    assert result.least == pytest.approx(plain.least, abs=1e-12)
    assert result.largest == pytest.approx(plain.largest, abs=1e-12)
    assert rows_of(result.items, "item", "state", "n") == rows_of(plain.items, "item", "state", "n")
    counted = [row for row in rows_of(result.coders, "coder", "state", "n") if row[2]]
    assert counted == [(0, "refused", 1), (1000, "refused", 1), (2000, "na", 2)]


def test_bounds_of_many_are_close_to_what_some_filling_reaches():
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 4, 4000)
    table = np.where(rng.random((4000, 3)) < 0.7, truth[:, None], rng.integers(1, 4, (4000, 3)))
    table[rng.random(table.shape) < 0.1] = 9
    data = af.Annotations.from_wide(table, categories=[1, 2, 3, 9])
    for name, room in nonempty([("alpha", 3e-3), ("kappa", 9e-3), ("ac", 3e-3), ("s", 1e-9)]):
        result = missing_judgments(data, [9], name)
        assert result.n_missing == (table == 9).sum()
        worst, best = scenario(result, "disagreed"), scenario(result, "agreed")
        assert worst - room <= result.least <= worst + 1e-12
        assert best - 1e-12 <= result.largest <= best + room


def test_ranks_have_scenarios_and_say_why_they_have_no_bounds(monkeypatch):
    monkeypatch.setattr(missing, "FILLINGS", 0)
    table = [[1, 2, "na"], [2, 2, 3], [1, 1, "na"], [3, 3, 2]]
    result = missing_judgments(table, ["na"], distance="ordinal")
    assert math.isnan(result.least)
    assert result.undefined == missing.RANKS.format(2)
    assert not math.isnan(scenario(result, "agreed"))


def test_a_state_that_looks_missing_is_no_doubt(recwarn):
    missing_judgments([["x", "n/a"], ["x", "y"], ["y", "y"]], "n/a")
    assert not recwarn.list


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (["gone"], "'gone' is no label of these data; the labels are "),
        ({"na": "skipped"}, "'missing', 'not applicable', 'label' or 'item'"),
        ({None: "label"}, "an empty cell is no label"),
        ([], "state is empty"),
    ],
)
def test_what_cannot_be_a_state_is_refused(states, message):
    with pytest.raises(ValueError, match=message):
        of_table(states)


def test_counts_without_coders_are_refused():
    data = af.Annotations.from_counts([[2, 1], [1, 2]], categories=["x", "na"])
    with pytest.raises(ValueError, match="which coder made which"):
        missing_judgments(data, ["na"])


def test_it_prints_an_answer():
    text = str(of_table(["na", "refused"]))
    assert text.startswith("If nothing were missing\n  alpha (nominal) = ")
    assert "In all ways to fill in 4 missing judgments, it lies between " in " ".join(text.split())
