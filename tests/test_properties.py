"""What changes a coefficient and what does not: a table of properties, each tested for each name.

A property that is claimed is tested on random tables; one that is denied is shown to fail on a
table, so that neither column of the table can be wrong unnoticed.
"""

import copy
import math
from typing import NamedTuple

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty
from strategies import Table, seeded, symmetric, tables

import agreement_fast as af


class Properties(NamedTuple):
    """What leaves a coefficient as it is, or which other one it equals."""

    takes_distance: bool
    # the value stays when every item is doubled (as new items, or by its weight)
    doubling_items: bool
    # the value stays when a category that nobody used is declared as well
    unused_category: bool
    # the value stays when each item's judgments are dealt out to its coders in another way
    who_judged: bool
    # the value stays when an item with one judgment, of a known category, is added
    single_judgment: bool
    # the same with the nominal distance
    nominal_twin: str


#                                   distance  doubling  unused  who     single  twin
PROPERTIES = {
    "s": Properties(False, True, False, True, True, "brennan_prediger"),
    "brennan_prediger": Properties(True, True, False, True, True, "s"),
    "pi": Properties(False, True, True, True, False, "alpha_prime"),
    "alpha_prime": Properties(True, True, True, True, False, "pi"),
    "kappa": Properties(False, True, True, False, False, "beta"),
    "beta": Properties(True, True, True, False, False, "kappa"),
    "alpha": Properties(True, False, True, True, True, "alpha"),
    "ac": Properties(True, True, False, True, False, "ac"),
}

ALIASES = {
    "s": ["bennett_s", "randolph_kappa"],
    "brennan_prediger": ["weighted_s"],
    "pi": ["scott_pi", "fleiss_kappa", "multi_pi", "K"],
    "alpha_prime": ["alpha'"],
    "kappa": [
        "cohen_kappa",
        "multi_kappa",
        "davies_fleiss_kappa",
        "conger_kappa",
        "hubert_kappa",
    ],
    "beta": ["weighted_kappa"],
    "alpha": ["krippendorff_alpha"],
    "ac": ["gwet_ac1", "gwet_ac2"],
}


def names(prop, value=True):
    """The coefficients that have a property, or that lack it."""
    return [name for name in PROPERTIES if getattr(PROPERTIES[name], prop) is value]


# One table on which everything matters that can matter: biased coders, gaps, a lone judgment.
TELLING = Table(
    (
        (1, 1, 2),
        (1, None, 2),
        (2, 3, 3),
        (3, 3, 3),
        (1, 2, None),
        (1, 1, 3),
        (None, 3, None),
        (2, 2, 2),
    )
)

# The same judgments dealt out evenly, so that no coder differs from the others as much.
DEALT_OTHERWISE = Table(
    (
        (1, 1, 2),
        (2, None, 1),
        (2, 3, 3),
        (3, 3, 3),
        (2, 1, None),
        (3, 1, 1),
        (None, 3, None),
        (2, 2, 2),
    )
)


def wide(table, **options):
    """Give a table to the package as rows of labels."""
    options = {"categories": table.categories, "weights": table.weights, **options}
    return af.Annotations.from_wide(table.rows, coders=table.coders, **options)


def same(first, second):
    """Say whether two results have equal halves and values, or are undefined alike."""
    if first.undefined or second.undefined:
        return str(first.undefined).split(":")[0] == str(second.undefined).split(":")[0]
    return (
        math.isclose(first.value, second.value, rel_tol=1e-12, abs_tol=1e-14)
        and math.isclose(first.observed_disagreement, second.observed_disagreement, rel_tol=1e-12)
        and math.isclose(first.expected_disagreement, second.expected_disagreement, rel_tol=1e-12)
    )


def distances_for(name):
    """The distances to try a coefficient with, for numbers."""
    if PROPERTIES[name].takes_distance:
        ranks = ["ordinal", "rank_linear", "rank_quadratic"]
        return ["nominal", *ranks, "interval", "linear", "circular:7"]
    return ["nominal"]


def assert_same_for_each_distance(name, first, second):
    """Compare two tables for every distance that the coefficient takes."""
    for distance in distances_for(name):
        results = [af.agreement(data, name, distance=distance) for data in (first, second)]
        assert same(*results), (distance, *results)


# ---------------------------------------------------------------- the table is complete


def test_the_table_of_properties_covers_every_coefficient():
    """A new coefficient cannot escape: its properties must be declared here."""
    assert set(PROPERTIES) == set(af.COEFFICIENTS)
    assert set(ALIASES) == set(af.COEFFICIENTS)


@pytest.mark.parametrize("name", PROPERTIES)
def test_the_table_of_coefficients_is_the_one_of_the_design(name):
    """Chance model, item weight and whether a distance is taken, for each name."""
    result = af.COEFFICIENTS[name]
    assert result.name == name
    assert (result.chance, result.item_weight) == reference.COEFFICIENTS[name]
    assert result.nominal_only is not PROPERTIES[name].takes_distance
    assert result.title
    assert result.source


@pytest.mark.parametrize(
    ("name", "alias"), [(name, alias) for name in ALIASES for alias in ALIASES[name]]
)
def test_an_alias_is_another_name_of_the_same_coefficient(name, alias):
    """Aliases give the canonical result, however they are written."""
    distance = "linear" if PROPERTIES[name].takes_distance and alias != "gwet_ac1" else "nominal"
    expected = af.agreement(TELLING.rows, name, distance=distance)
    spellings = {alias, alias.upper(), alias.replace("_", "-"), alias.replace("_", " ")}
    for spelling in spellings:
        result = af.agreement(TELLING.rows, spelling, distance=distance)
        assert result.coefficient == name
        assert same(result, expected)


@pytest.mark.parametrize("name", [*PROPERTIES, "weighted_kappa"])
def test_the_function_of_a_name_gives_what_agreement_gives(name):
    """af.alpha(data) is af.agreement(data, "alpha"), with and without a distance."""
    function = getattr(af, name)
    if name != "weighted_kappa":  # whose name asks for a distance
        assert same(function(TELLING.rows), af.agreement(TELLING.rows, name))
    if name == "weighted_kappa" or PROPERTIES[name].takes_distance:
        expected = af.agreement(TELLING.rows, name, distance="linear")
        assert same(function(TELLING.rows, "linear"), expected)


@pytest.mark.parametrize("name", names("takes_distance", False))
def test_a_nominal_coefficient_refuses_a_distance_and_names_its_twin(name):
    """Weighting one half only is a known trap: the error says which coefficient to use."""
    with pytest.raises(ValueError, match=PROPERTIES[name].nominal_twin):
        af.agreement(TELLING.rows, name, distance="interval")


@pytest.mark.few("brennan_prediger", "pi", "beta", "alpha", "ac")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("words"))
def test_a_coefficient_is_its_twin_at_the_nominal_distance(name, table):
    """alpha' is pi, beta is kappa, Brennan & Prediger's is S if all disagreements are equal."""
    data = wide(table)
    assert same(af.agreement(data, name), af.agreement(data, PROPERTIES[name].nominal_twin))


# ---------------------------------------------------------------- order and names do not matter


@pytest.mark.few("pi", "beta", "alpha")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("integers"), order=st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(name, table, order):
    """Items may come in any order."""
    pairs = list(zip(table.rows, table.frequencies, strict=True))
    order.shuffle(pairs)
    rows, weights = zip(*pairs, strict=True)
    shuffled = Table(rows, weights if table.weights else None, table.categories)
    assert_same_for_each_distance(name, wide(table), wide(shuffled))


@pytest.mark.few("pi", "beta", "alpha")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("integers"), order=st.randoms(use_true_random=False))
def test_the_order_of_coders_does_not_matter(name, table, order):
    """Coders may come in any order."""
    columns = list(range(table.n_coders))
    order.shuffle(columns)
    rows = tuple(tuple(row[column] for column in columns) for row in table.rows)
    shuffled = Table(rows, table.weights, table.categories)
    assert_same_for_each_distance(name, wide(table), wide(shuffled))


@pytest.mark.few("pi", "beta", "alpha")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("words", declared=True), order=st.randoms(use_true_random=False))
def test_the_order_of_categories_does_not_matter(name, table, order):
    """Nominal categories may be declared in any order, and a matrix's rows with them."""
    shuffled = list(table.categories)
    order.shuffle(shuffled)
    data = [wide(table), wide(table, categories=shuffled)]
    assert same(*(af.agreement(part, name) for part in data))
    if PROPERTIES[name].takes_distance:
        rows = symmetric(len(table.rows), len(shuffled))
        distance = af.distances.matrix(rows, categories=shuffled)
        assert same(*(af.agreement(part, name, distance=distance) for part in data))


@pytest.mark.few("pi", "beta", "alpha")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("words"))
def test_the_names_of_categories_do_not_matter(name, table):
    """One-to-one new names leave the nominal coefficients, in any order."""
    new = {label: f"{len(label)}{label[::-1]}?" for label in table.order}
    assume(len(set(new.values())) == len(new))
    rows = tuple(tuple(new.get(label) for label in row) for row in table.rows)
    categories = None if table.categories is None else tuple(new[label] for label in table.order)
    renamed = Table(rows, table.weights, categories)
    assert same(af.agreement(wide(table), name), af.agreement(wide(renamed), name))


@pytest.mark.few
@pytest.mark.parametrize("name", names("takes_distance"))
@pytest.mark.parametrize(
    ("distance", "transform"),
    [
        ("ordinal", lambda x: x**3 - 5),
        ("rank_linear", lambda x: 2.0**x),
        ("rank_quadratic", lambda x: 3 * x**3 + x),
        ("interval", lambda x: x + 100),
        ("linear", lambda x: x - 0.5),
        ("circular:7", lambda x: (x + 3) % 7),
        ("ratio", lambda x: 8 * x),
    ],
)
@given(table=tables("integers"))
def test_a_distance_ignores_what_its_scale_does_not_mean(name, distance, transform, table):
    """Ranks ignore monotone maps, differences a shift, directions a turn, ratios the unit."""

    def change(labels):
        return tuple(None if label is None else transform(label + 3) for label in labels)

    def shift(labels):
        return tuple(None if label is None else label + 3 for label in labels)

    first, second = (
        Table(
            tuple(map(part, table.rows)),
            table.weights,
            None if table.categories is None else tuple(sorted(set(part(table.categories)))),
        )
        for part in (shift, change)
    )
    assume(len(first.order) == len(second.order))
    assume(distance != "circular:7" or max(first.order, default=0) < 7)
    results = [af.agreement(wide(part), name, distance=distance) for part in (first, second)]
    assert same(*results), results


@pytest.mark.parametrize("name", names("takes_distance"))
@given(table=tables("words"), times=st.sampled_from([0.001, 0.5, 3, 1e6]))
def test_the_unit_of_a_distance_does_not_matter(name, table, times):
    """A distance times a constant multiplies D_o and D_e and leaves the value."""
    assume(table.order)
    rows = symmetric(len(table.rows), len(table.order))
    scaled = [[times * entry for entry in row] for row in rows]
    result, expected = (
        af.agreement(wide(table), name, distance=af.distances.matrix(part, categories=table.order))
        for part in (scaled, rows)
    )
    assert (result.undefined is None) == (expected.undefined is None)
    if result.undefined is None:
        assert math.isclose(result.value, expected.value, rel_tol=1e-12, abs_tol=1e-14)
        observed = times * expected.observed_disagreement
        assert math.isclose(result.observed_disagreement, observed, rel_tol=1e-12)


# ---------------------------------------------------------------- parts, repetition, weights


@pytest.mark.few("pi", "beta", "alpha")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("integers"), cut=st.integers(0, 8))
def test_splitting_and_concatenating_does_not_matter(name, table, cut):
    """Two parts of a corpus, put together again, are the corpus, with or without weights."""
    assume(0 < cut < len(table.rows))
    parts = [
        Table(
            table.rows[part],
            None if table.weights is None else table.weights[part],
            table.categories,
        )
        for part in (slice(None, cut), slice(cut, None))
    ]
    first, second = wide(parts[0]), wide(parts[1], items=range(cut, len(table.rows)))
    assert_same_for_each_distance(name, af.concat([first, second]), wide(table))


def test_concatenating_unites_categories_and_coders():
    """Parts may have different labels, and coders are matched by name, not by place."""
    first = af.Annotations.from_long(["i", "i", "j"], ["x", "y", "x"], ["b", "a", "b"])
    second = af.Annotations.from_long(["k", "k", "l"], ["y", "z", "y"], ["c", "c", "a"])
    whole = af.Annotations.from_long(list("iijkkl"), list("xyxyzy"), ["b", "a", "b", "c", "c", "a"])
    both = af.concat([first, second])
    assert list(both.categories) == ["a", "b", "c"]
    assert sorted(both.coders) == ["x", "y", "z"]
    for name in PROPERTIES:
        assert same(af.agreement(both, name), af.agreement(whole, name))


def doubled_rows(table):
    """Every item twice, the second time as a new item."""
    return Table(table.rows * 2, table.weights and table.weights * 2, table.categories)


def doubled_weights(table):
    """Every item with twice its weight."""
    return Table(table.rows, tuple(2 * n for n in table.frequencies), table.categories)


@pytest.mark.few("brennan_prediger", "pi", "beta", "ac")
@pytest.mark.parametrize("name", names("doubling_items"))
@pytest.mark.parametrize("double", [doubled_rows, doubled_weights])
@given(table=tables("integers"))
def test_doubling_the_items_does_not_matter(name, double, table):
    """Coefficients of proportions stay when every item occurs twice."""
    for distance in nonempty(distances_for(name)):
        if distance != "ordinal":  # its unit is the number of judgments, so D_o and D_e grow
            results = [
                af.agreement(wide(part), name, distance=distance) for part in (table, double(table))
            ]
            assert same(*results), (distance, *results)


@pytest.mark.few("pi", "beta", "ac")
@pytest.mark.parametrize("name", names("doubling_items"))
@given(table=tables("integers"))
def test_doubling_the_items_leaves_the_value_of_ordinal_coefficients(name, table):
    """The ordinal distance is four times as large then, everywhere."""
    distance = "ordinal" if PROPERTIES[name].takes_distance else "nominal"
    first, second = (
        af.agreement(wide(part), name, distance=distance) for part in (table, doubled_rows(table))
    )
    assert (first.undefined is None) == (second.undefined is None)
    if first.undefined is None:
        assert math.isclose(first.value, second.value, rel_tol=1e-12, abs_tol=1e-14)


@pytest.mark.parametrize("name", names("doubling_items", False))
def test_doubling_the_items_matters_where_small_samples_are_corrected(name):
    """Alpha draws two judgments without replacement, so twice the data lower it."""
    once, twice = (af.agreement(wide(part), name) for part in (TELLING, doubled_rows(TELLING)))
    assert twice.observed_disagreement == pytest.approx(once.observed_disagreement, rel=1e-12)
    assert twice.value < once.value - 1e-3


@pytest.mark.few("brennan_prediger", "pi", "beta", "alpha", "ac")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("integers", weighted=True, declared=True))
def test_a_weight_is_that_many_equal_rows(name, table):
    """Doubling all weights is doubling all rows, for every coefficient; zero is absence."""
    assume(any(table.weights))
    assert_same_for_each_distance(name, wide(table), wide(table.expanded()))
    twice = doubled_weights(table)
    assert_same_for_each_distance(name, wide(twice), wide(twice.expanded()))


@pytest.mark.parametrize("name", PROPERTIES)
@pytest.mark.parametrize("weight", [2**31 - 1, 2**31, 2**32 + 1, 2**53 + 1, 10**15])
def test_large_weights_lose_nothing(name, weight):
    """Weights around 2**31, 2**32 and 2**53, and the largest allowed, against exact fractions."""
    weight = min(weight, 10**15)
    weights = (weight, 1, weight - 1, 3, weight, 0, weight // 2, 7)
    table = Table(TELLING.rows, weights)
    result, exact = af.agreement(wide(table), name), table.cube().named(name)
    assert result.value == pytest.approx(float(exact.value), rel=1e-12)
    assert result.observed_disagreement == pytest.approx(float(exact.observed), rel=1e-12)
    assert result.expected_disagreement == pytest.approx(float(exact.expected), rel=1e-12)
    assert result.n_items == exact.n_items


@pytest.mark.few("pi", "beta", "alpha")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("integers"))
def test_items_that_nobody_judged_do_not_matter(name, table):
    """An empty item changes no coefficient, it is only counted as dropped."""
    empty = Table(
        (*table.rows, (None,) * table.n_coders),
        table.weights and (*table.weights, 2),
        table.categories,
    )
    assert_same_for_each_distance(name, wide(table), wide(empty))
    extra = 2 if table.weights else 1
    dropped = [af.agreement(wide(part), name).n_items_dropped for part in (table, empty)]
    assert dropped[1] == dropped[0] + extra


@pytest.mark.few("pi", "beta", "alpha")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("integers"))
def test_a_coder_who_judged_nothing_does_not_matter(name, table):
    """An empty column changes no coefficient (with incomplete="complete" it would)."""
    rows = tuple((*row, None) for row in table.rows)
    assert_same_for_each_distance(
        name, wide(table), wide(Table(rows, table.weights, table.categories))
    )


# ---------------------------------------------------------------- what some ignore


def with_unused(table):
    """The same judgments, with a category declared that nobody used."""
    return Table(table.rows, table.weights, (*table.order, 99))


@pytest.mark.parametrize("name", names("unused_category"))
@given(table=tables("integers"))
def test_an_unused_category_does_not_matter(name, table):
    """Where chance is what was observed, categories that did not occur play no part."""
    assume(table.order)
    assert_same_for_each_distance(name, wide(table), wide(with_unused(table)))


@pytest.mark.parametrize("name", names("unused_category", False))
def test_an_unused_category_matters_where_chance_is_uniform(name):
    """S, Brennan & Prediger's and AC count the declared categories (A&P 2005, section 2.3)."""
    first, second = (af.agreement(wide(part), name) for part in (TELLING, with_unused(TELLING)))
    assert (first.n_categories, second.n_categories) == (3, 4)
    assert second.value > first.value + 1e-3


@pytest.mark.few("pi", "alpha", "ac")
@pytest.mark.parametrize("name", names("who_judged"))
@given(table=tables("integers"), order=st.randoms(use_true_random=False))
def test_who_judged_does_not_matter(name, table, order):
    """The agreement table n_ik is enough: judgments may be dealt out to other coders."""
    rows = []
    for row in table.rows:
        cells = list(row)
        order.shuffle(cells)
        rows.append(tuple(cells))
    dealt = Table(tuple(rows), table.weights, table.categories)
    assert_same_for_each_distance(name, wide(table), wide(dealt))
    assume(table.order)
    counts = af.Annotations.from_counts(table.counts, categories=table.order, weights=table.weights)
    assert_same_for_each_distance(name, wide(table), counts)


@pytest.mark.parametrize("name", names("who_judged", False))
def test_who_judged_matters_where_each_coder_has_a_distribution(name):
    """Kappa and beta know the coders; counts alone raise and say so."""
    assert DEALT_OTHERWISE.counts == TELLING.counts
    first, second = (af.agreement(wide(part), name) for part in (TELLING, DEALT_OTHERWISE))
    assert first.observed_disagreement == pytest.approx(second.observed_disagreement, rel=1e-12)
    assert abs(first.value - second.value) > 1e-3
    counts = af.Annotations.from_counts(TELLING.counts, categories=TELLING.order)
    with pytest.raises(ValueError, match="coder"):
        af.agreement(counts, name)


def with_single(table):
    """The table and one more item, which one coder judged."""
    row = (table.order[0],) + (None,) * (table.n_coders - 1)
    return Table((*table.rows, row), table.weights and (*table.weights, 1), table.categories)


@pytest.mark.parametrize("name", names("single_judgment"))
@given(table=tables("integers"))
def test_a_single_judgment_does_not_matter(name, table):
    """Alpha drops what cannot be paired; S looks at observed pairs only."""
    assume(table.order)
    assert_same_for_each_distance(name, wide(table), wide(with_single(table)))


@pytest.mark.parametrize("name", names("single_judgment", False))
def test_a_single_judgment_matters_where_all_judgments_are_the_chance(name):
    """Pi, kappa and AC estimate chance from all judgments (A&P 2005, 5.1); pairable drops it."""
    first, second = wide(TELLING), wide(with_single(TELLING))
    assert abs(af.agreement(first, name).value - af.agreement(second, name).value) > 1e-4
    results = [af.agreement(data, name, incomplete="pairable") for data in (first, second)]
    assert same(*results)


# ---------------------------------------------------------------- ranges and known values


@pytest.mark.few("brennan_prediger", "pi", "beta", "alpha", "ac")
@pytest.mark.parametrize("name", PROPERTIES)
@given(table=tables("integers"))
def test_no_coefficient_exceeds_one_and_one_means_no_disagreement(name, table):
    """1 - D_o / D_e is at most 1, and is 1 only if nobody disagreed."""
    for distance in nonempty(distances_for(name)):
        result = af.agreement(wide(table), name, distance=distance)
        if result.undefined is None:
            assert result.value <= 1
            assert (result.value == 1) == (result.observed_disagreement == 0)
            assert float(result) == result.value
        assert (result.undefined is None) == math.isfinite(result.value)


@pytest.mark.parametrize("name", PROPERTIES)
def test_perfect_agreement_is_exactly_one(name):
    """Coders who never differ, on more than one category, have a coefficient of exactly 1."""
    rows = [(label,) * 3 for label in (0.1, 0.7, 0.1, 2.3)]
    for distance in nonempty(distances_for(name)):
        assert af.agreement(rows, name, distance=distance).value == 1


@pytest.mark.few("brennan_prediger", "pi", "beta", "alpha", "ac")
@pytest.mark.parametrize("name", PROPERTIES)
@given(data=st.data())
def test_ways_with_incomplete_items_agree_on_complete_ones(name, data):
    """Where nothing is missing there is nothing to decide."""
    table = data.draw(tables("integers"))
    assume(None not in [label for row in table.rows for label in row])
    for distance in nonempty(distances_for(name)):
        published, pairable, complete = (
            af.agreement(wide(table), name, distance=distance, incomplete=way)
            for way in reference.INCOMPLETE
        )
        assert same(published, pairable)
        assert same(published, complete)


@given(table=tables("words"))
def test_observed_agreement_is_the_agreeing_half_of_pi(table):
    """A_o is 1 - D_o of the nominal coefficients that weigh items equally."""
    result, pi = af.observed_agreement(wide(table)), af.pi(wide(table))
    assert result.n_items == pi.n_items
    if result.undefined:
        assert result.undefined.startswith("no pairs:")
        assert math.isnan(result.value)
        return
    assert result.value == pytest.approx(1 - pi.observed_disagreement, rel=1e-12, abs=1e-15)
    error = math.sqrt(result.value * (1 - result.value) / result.n_items)
    assert result.standard_error <= error + 1e-15
    wald = af.observed_agreement(wide(table), method="wald")
    assert wald.standard_error == result.standard_error
    reach = 1.959963984540054 * error
    if all(sum(label is not None for label in row) <= 2 for row in table.rows):
        assert result.standard_error == pytest.approx(error, rel=1e-12, abs=1e-15)
        assert wald.high - wald.value == pytest.approx(reach, rel=1e-9, abs=1e-12)
        assert wald.value - wald.low == pytest.approx(reach, rel=1e-9, abs=1e-12)


@given(table=tables("words", weighted=True))
def test_the_interval_of_a_share_lies_in_0_to_1_and_is_not_empty(table):
    """It holds the value, and is no wider than if every item agreed or not."""
    result = af.observed_agreement(wide(table))
    if result.undefined:
        return
    assert 0 <= result.low <= result.value <= result.high <= 1
    assert result.low < result.high
    wilson = af.observed_agreement(wide(table), method="wilson")
    assert wilson.low <= result.low + 1e-12
    assert result.high <= wilson.high + 1e-12


@pytest.mark.parametrize("name", PROPERTIES)
def test_agreement_and_disagreement_add_up_to_one(name):
    """Observed and expected agreement are 1 - D / d_max, so the coefficient follows from them."""
    result = af.agreement(TELLING.rows, name)
    assert result.observed_agreement == pytest.approx(1 - result.observed_disagreement, rel=1e-12)
    assert result.expected_agreement == pytest.approx(1 - result.expected_disagreement, rel=1e-12)
    beyond = result.observed_agreement - result.expected_agreement
    assert result.value == pytest.approx(beyond / (1 - result.expected_agreement), rel=1e-12)


@given(table=tables("integers"))
def test_the_table_of_coefficients_repeats_the_single_ones(table):
    """agreement_table computes all at once what agreement computes one by one."""
    data = wide(table)
    distances = ("nominal", "interval", "ordinal", "linear")
    outcome = af.agreement_table(data, list(PROPERTIES), distances)
    nominal_only = len(names("takes_distance", False))
    assert len(outcome) == nominal_only + len(distances) * (len(PROPERTIES) - nominal_only)
    for result in outcome:
        single = af.agreement(data, result.coefficient, distance=result.distance)
        assert same(result, single)
        assert result.n_items == single.n_items
    assert same(outcome["alpha", "interval"], af.alpha(data, "interval"))
    assert same(outcome["pi"], af.pi(data))


# ---------------------------------------------------------------- types, inputs


INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@pytest.mark.few(every=2)
@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64", "object"])
def test_the_type_of_the_numbers_does_not_matter(dtype):
    """Narrow integers are widened before arithmetic: 0, 100 and 127 square beyond 8 bits."""
    rows = [[0, 100, 127], [100, 100, 127], [0, 0, 3], [127, 127, 127], [100, 3, 100]]
    for name in PROPERTIES:
        for distance in nonempty(distances_for(name)):
            exact = af.agreement(rows, name, distance=distance)
            result = af.agreement(np.array(rows, dtype=dtype), name, distance=distance)
            assert same(result, exact), (name, distance)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_the_extremes_of_integer_types_do_not_overflow(dtype):
    """The smallest and the largest integer are as far apart as they are."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    rows = ((low, high), (low, low), (high, high), (0, low), (0, 1))
    for distance, exact in (("interval", reference.interval), ("linear", reference.linear)):
        result = af.alpha(np.array(rows, dtype=dtype), distance)
        cell = Table(rows).cube(exact).named("alpha")
        assert result.value == pytest.approx(float(cell.value), rel=1e-12)
        assert result.observed_disagreement == pytest.approx(float(cell.observed), rel=1e-12)


@pytest.mark.parametrize("layout", ["C", "F", "strided", "read-only", "big-endian", "masked"])
def test_the_layout_of_an_array_does_not_matter(layout):
    """Any order in memory, any byte order, read-only or masked."""
    rows = np.array(seeded(8, 50, 4, range(5), missing=0).rows, dtype=np.int32)
    array = {
        "C": lambda: rows,
        "F": lambda: np.asfortranarray(rows),
        "strided": lambda: np.repeat(np.repeat(rows, 2, axis=0), 2, axis=1)[::2, ::2],
        "read-only": lambda: np.frombuffer(rows.tobytes(), dtype=np.int32).reshape(rows.shape),
        "big-endian": lambda: rows.astype(">i4"),
        "masked": lambda: np.ma.masked_array(rows),
    }[layout]()
    for name in PROPERTIES:
        assert same(af.agreement(array, name), af.agreement(rows.tolist(), name))


@pytest.mark.parametrize(
    "given_as", ["lists", "integers", "floats", "masked", "objects", "strings"]
)
def test_inputs_are_never_modified(given_as):
    """Neither the table, nor the weights, nor the declared categories, nor the distances."""
    table = {
        "lists": lambda: [[1, 2, None], [2, 2, 2], [3, 1, None]],
        "integers": lambda: np.array([[1, 2, 1], [2, 2, 2], [3, 1, 3]], dtype=np.int8),
        "floats": lambda: np.array([[1, 2, np.nan], [2, 2, 2], [3, 1, np.nan]]),
        "masked": lambda: np.ma.masked_equal([[1, 2, 9], [2, 2, 2], [3, 1, 9]], 9),
        "objects": lambda: np.array([[1, 2, None], [2, 2, 2], [3, 1, None]], dtype=object),
        "strings": lambda: np.array([["1", "2", "1"], ["2", "2", "2"], ["3", "1", "3"]]),
    }[given_as]()
    labels = ["3", "1", "2"] if given_as == "strings" else [3, 1, 2]
    weights = np.array([2, 0, 5])
    rows = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    before = [copy.deepcopy(part) for part in (table, labels, weights, rows)]
    data = af.Annotations.from_wide(table, categories=labels, weights=weights)
    distance = af.distances.matrix(rows, categories=labels)
    for name in names("takes_distance"):
        af.agreement(data, name, distance=distance)
    af.agreement_table(data)
    data.merge_categories({labels[0]: labels[1]})
    for now, then in zip((table, labels, weights, rows), before, strict=True):
        np.testing.assert_array_equal(np.ma.getdata(now), np.ma.getdata(then))
        np.testing.assert_array_equal(
            np.ma.getmaskarray(np.ma.array(now)), np.ma.getmaskarray(np.ma.array(then))
        )


def test_inputs_of_counts_and_judgments_are_never_modified():
    """The same for an agreement table, a contingency table and the long form."""
    counts = np.array([[2, 1], [0, 3]])
    items, coders, labels = (np.array(list(part)) for part in ("aabb", "xyxy", "uvvv"))
    before = [part.copy() for part in (counts, items, coders, labels)]
    af.agreement_table(af.Annotations.from_counts(counts), ["pi", "alpha"])
    af.agreement_table(af.Annotations.from_contingency(counts))
    af.agreement_table(af.Annotations.from_long(items, coders, labels))
    for now, then in zip((counts, items, coders, labels), before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_annotations_do_not_change_when_their_source_does():
    """Annotations are immutable: writing to the array afterwards changes nothing."""
    array = np.array([[1, 2], [2, 2], [1, 1]], dtype=np.int8)
    data = af.Annotations.from_wide(array)
    before = af.alpha(data).value
    array[:] = 1
    assert af.alpha(data).value == before
    assert data.to_wide().tolist() == [[1, 2], [2, 2], [1, 1]]
