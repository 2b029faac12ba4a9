"""Triples in another order than (coder, item, label)."""

import itertools
import random

import pytest
import reference

import agreement_fast as af

A = af.Annotations
ROLES = ("item", "coder", "label")


def judgments(n_items=40, coders=("ann", "bob", "cid"), seed=3):
    """(item, coder, label) of items that most coders judge, with some agreement."""
    rng = random.Random(seed)
    rows = []
    for item in range(n_items):
        true = rng.choice("abc")
        for coder in coders:
            if rng.random() < 0.9:
                rows.append((item, coder, true if rng.random() < 0.6 else rng.choice("abc")))
    return rows


ROWS = judgments()


def alpha_of(rows):
    """Krippendorff's alpha in rational arithmetic."""
    items = {}
    for item, coder, label in rows:
        items.setdefault(item, {})[coder] = label
    cube = reference.Cube(list(items.values()), reference.nominal)
    cell = cube.cell("pooled_unbiased", "judgments")
    return float(1 - cell.observed / cell.expected)


@pytest.mark.parametrize("places", [*itertools.permutations(range(3))])
def test_triples_in_another_order_are_refused_and_the_remedy_reads_them(places):
    order = tuple(ROLES[place] for place in places)
    triples = [tuple(row[place] for place in places) for row in ROWS]
    expected = pytest.approx(alpha_of(ROWS), abs=1e-14)
    assert af.alpha(A.from_triples(triples, order=order)) == expected
    if order == ("coder", "item", "label"):
        assert af.alpha(A.from_triples(triples)) == expected
        return
    with pytest.raises(af.AgreementError) as refused:
        A.from_triples(triples)
    assert refused.value.argument == "order"
    assert f"pass order={order!r}; if not, order=('coder', 'item', 'label')" in str(refused.value)


def test_policies_for_repeats_do_not_hide_another_order():
    triples = [(coder, label, item) for item, coder, label in ROWS]
    with pytest.raises(af.AgreementError, match=r"pass order=\('coder', 'label', 'item'\)"):
        A.from_triples(triples, duplicates="majority")


def test_few_repeats_that_another_order_would_not_have_are_doubted():
    rows = [(c, f"s{i}", "yynny"[(i + len(c)) % 5]) for c in ("Ann", "Bo", "C") for i in range(8)]
    triples = [(label, item, coder) for coder, item, label in rows]
    repeated = r"items and repeated judgments: .* pass order=\('label', 'item', 'coder'\)"
    with pytest.warns(af.ShapeHint, match=repeated):
        A.from_triples(triples, duplicates="majority")
    assert A.from_triples([*rows, ("Ann", "s0", "n")], duplicates="majority").n_coders == 3


def test_names_show_the_order():
    few = [(item, f"rater_{i}", "a") for item in (1, 2, 3) for i in range(8)]
    with pytest.raises(af.AgreementError, match=r"pass order=\('item', 'coder', 'label'\)"):
        A.from_triples(few)
    assert A.from_triples([(c, i, x) for i, c, x in few]).n_coders == 8


def test_a_few_more_coders_than_items_are_warned_about():
    triples = [(f"p{c}", f"q{i}", "ab"[c * i % 2]) for c in range(6) for i in range(5)]
    with pytest.warns(af.ShapeHint, match="6 coders, 5 items: "):
        assert A.from_triples(triples).n_coders == 6
    assert A.from_triples(triples, order=("coder", "item", "label")).n_coders == 6


def test_many_more_coders_than_items_are_refused():
    """Every coder judges every item, and both have names of one kind: only numbers show it."""
    triples = [(f"p{i}", f"q{c}", "ab"[c * i % 2]) for i in range(9) for c in range(4)]
    with pytest.raises(af.AgreementError, match="9 coders, 4 items"):
        A.from_triples(triples)


def test_a_crowd_whose_items_have_equally_many_coders_is_plausible():
    triples = [(f"p{(7 * i + c) % 31}", f"q{i}", "ab"[c % 2]) for i in range(12) for c in range(5)]
    assert A.from_triples(triples).n_items == 12


@pytest.mark.parametrize("order", ["coder", ("coder", "item"), ("coder", "item", "item"), (1, 2)])
def test_other_orders_are_errors(order):
    with pytest.raises(af.AgreementError, match="order must be 'coder', 'item' and 'label'"):
        A.from_triples([("c", "i", "x")], order=order)
