"""Suspects: spammers are named with a reason, honest crowds seldom have any, nobody is left out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import aggregate
from agreement_fast.inference.hypotheses import holm


def crowd(seed=0, n_items=150, n_coders=9, kinds=()):
    """Return judgments of three labels: the last coders are of `kinds`, the others know 80%."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n_items)
    table = np.where(
        rng.random((n_items, n_coders)) < 0.8,
        truth[:, None],
        rng.integers(0, 3, (n_items, n_coders)),
    )
    for place, kind in enumerate(kinds, n_coders - len(kinds)):
        table[:, place] = {
            "draws": rng.integers(0, 3, n_items),
            "always": np.full(n_items, 1),
            "swaps": (truth + 1) % 3,
        }[kind]
    return table


def plain(table):
    """The adjusted p-values, with loops."""
    n_items, n_coders = table.shape
    compared = []
    for i in range(n_items):
        for c in range(n_coders):
            votes = [table[i, d] for d in range(n_coders) if d != c and table[i, d] >= 0]
            tops = [k for k in set(votes) if votes.count(k) == max(map(votes.count, votes))]
            if table[i, c] >= 0 and len(tops) == 1:
                compared.append((i, c, table[i, c], tops[0]))
    own = [[j for j in compared if j[1] == c] for c in range(n_coders)]
    chance = [
        sum(sum(j[2] == k for j in js) * sum(j[3] == k for j in js) for k in range(3)) / len(js)**2
        for js in own
    ]  # fmt: skip

    def beyond(js):
        return sum((j[2] == j[3]) - chance[j[1]] for j in js) / sum(1 - chance[j[1]] for j in js)

    p = []
    for c, js in enumerate(own):
        others = [o for j in js for o in compared if o[0] == j[0] and o[1] != c]
        usual = max(0.0, min(beyond(others), beyond(compared)))
        q = chance[c] + (1 - chance[c]) * usual / 2
        n, agreeing = len(js), sum(j[2] == j[3] for j in js)
        p.append(sum(math.comb(n, a) * q**a * (1 - q) ** (n - a) for a in range(agreeing + 1)))
    return holm(p)


def test_p_values_are_those_of_the_definition():
    table = crowd(3, 40, 5, ["draws"])
    table[np.random.default_rng(1).random(table.shape) < 0.2] = -1
    result = aggregate(af.Annotations.from_wide(table, missing=-1)).coders
    assert result.adjusted_p_value == pytest.approx(plain(table), abs=1e-10)


@pytest.mark.parametrize("method", ["majority", "mace", "dawid_skene"])
def test_spammers_are_suspect_and_stay(method):
    table = crowd(kinds=["draws", "always", "swaps"])
    data = af.Annotations.from_wide(table, coders=[*"ABCDEF", "draws", "always", "swaps"])
    result = aggregate(data, method).coders
    assert list(result.coders) == [*"ABCDEF", "draws", "always", "swaps"]
    assert [reason is None for reason in result.suspect] == [*[True] * 6, *[False] * 3]
    draws, always, swaps = result.suspect[6:]
    assert "% by chance" in draws
    assert "gives 1 in 100% of them" in always
    assert "labels may be swapped" in swaps
    columns = result.to_dict()
    assert columns["coder"][0] == "swaps"
    assert columns["suspect"][0] == swaps
    assert max(columns["adjusted_p_value"][:3]) < 0.05
    shown = " ".join(result.to_text().split())
    assert "always agrees with the majority of the others" in shown
    assert "Of crowds in which all are honest, 5% have a suspect at most" in shown
    honest = aggregate(crowd()).coders
    assert honest.suspect == (None,) * 9
    assert "suspect" not in str(honest)


def test_little_or_no_agreement_suspects_nobody():
    rng = np.random.default_rng(0)
    assert not any(aggregate(rng.integers(0, 3, (200, 6))).coders.suspect)
    assert not any(aggregate([["x", "x"], ["x", "x"]]).coders.suspect)
    lonely = aggregate([["x", None], [None, "y"], ["x", "y"]]).coders
    assert not any(lonely.suspect)
    # who has nothing to compare has no test
    table = [["x", "x", None], ["y", "y", None], [None, None, "y"]]
    assert np.isnan(aggregate(table).coders.adjusted_p_value).tolist() == [False, False, True]
    assert aggregate(table, "mace").coders.suspect == (None, None, None)


def test_weights_count_as_items():
    table = crowd(5, 30, 6, ["draws"])
    weights = np.arange(30) % 4
    once = aggregate(af.Annotations.from_wide(table, weights=weights)).coders
    every = aggregate(af.Annotations.from_wide(np.repeat(table, weights, 0))).coders
    assert once.adjusted_p_value == pytest.approx(every.adjusted_p_value, abs=1e-12)
    assert once.suspect == every.suspect


@pytest.mark.breadth
def test_honest_crowds_seldom_have_a_suspect():
    """At most 5% of them, also if one coder knows half as much as the others."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(300):
        truth = rng.integers(0, 3, 120)
        knows = np.array([0.4, *[0.8] * 7])
        guess = rng.integers(0, 3, (120, 8))
        wrong += any(
            aggregate(np.where(rng.random((120, 8)) < knows, truth[:, None], guess)).coders.suspect
        )
    assert wrong <= 300 * 0.05
