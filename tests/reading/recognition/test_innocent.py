"""Innocent tables pass: a sample of those that ``innocent.py`` draws."""

import math
from pathlib import Path

import innocent
import numpy as np
import pytest

import agreement_fast as af

DATA = Path(af.__path__[0]) / "data"
N_TABLES, N_PARTS = 175, 100

# What is counted here are warnings of all kinds.
pytestmark = pytest.mark.filterwarnings("ignore")


def rates(draw, n):
    counted = innocent.Rates()
    for number in range(n):
        counted.add(number, draw(number))
    assert sum(counted.n.values()) > 0.9 * n
    return counted


def hold(counted):
    assert counted.rate(counted.refused) == 0, counted.examples
    assert counted.rate(counted.wrong) == 0, counted.examples
    assert counted.rate(counted.warned) <= innocent.MOST_WARNED, counted.examples


def test_random_tables():
    counted = rates(lambda number: innocent.innocent(1, number), N_TABLES)
    hold(counted)
    assert set(counted.n) == set(innocent.LAYOUTS)
    assert all(n >= 0.9 * N_TABLES / len(innocent.LAYOUTS) for n in counted.n.values())


def test_resamples_of_rows_pass():
    """A loop over rows that are drawn again repeats chance, which then looks like a rule."""
    rng = np.random.default_rng(1)
    for n_items, n_coders, n_labels, gaps in ((30, 5, 2, 0.2), (50, 7, 2, 0.3), (20, 4, 3, 0.0)):
        shape = (n_items, n_coders)
        for _ in range(12):
            truth, own = rng.integers(0, n_labels, (n_items, 1)), rng.integers(0, n_labels, shape)
            codes = np.where(rng.random(shape) < 0.6, truth, own)
            table = np.array([*"abc"], object)[codes]
            table[rng.random(shape) < gaps] = None
            for _ in range(50):
                af.alpha(table[rng.integers(0, n_items, n_items)])


def test_parts_of_data_sets():
    sets = innocent.data_sets(DATA)
    assert sets
    hold(rates(lambda number: innocent.part(sets, 1, number), N_PARTS))


@pytest.mark.breadth
def test_many_random_tables():
    hold(rates(lambda number: innocent.innocent(2, number), 14 * N_TABLES))


def test_tables_do_not_change():
    first, again = (innocent.innocent(5, 12) for _ in range(2))
    assert first[:5] == again[:5]
    assert first.open() == again.open() or math.isnan(first.open())
    assert innocent.innocent(6, 12)[:5] != first[:5]


def test_rates_notice():
    def refuse():
        raise af.AgreementError("no")

    def turn():
        af.Annotations.from_wide([[1, 2, 1, 2], [1, 1, 1, 2]])
        return table.expected()

    rows = [[1, 1], [2, 1]]
    table = innocent.Innocent("wide, named", "words", 2, 4, False, rows, turn)
    counted = innocent.Rates()
    counted.add(0, table)
    counted.add(1, table._replace(open=refuse))
    counted.add(2, table._replace(n_items=9))
    counted.add(3, table._replace(is_square=True))
    counted.add(4, table._replace(open=lambda: 0.123))
    totals = [counted.n, counted.refused, counted.wrong, counted.warned, counted.turned]
    assert [sum(total.values()) for total in totals] == [4, 1, 1, 1, 1]
    assert sum(counted.square.values()) == 1
    assert counted.rate(counted.refused) == pytest.approx(1 / 4)
