"""Small whole numbers of items, coders and labels, in columns without known names."""

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast.reading.recognition.arithmetic import (
    Numbered,
    order_of_triples,
    other_order,
)
from agreement_fast.reading.recognition.profile import Column

LABELS = [(1, 1, 2), (2, 2, 2), (3, 3, 1), (1, 1, 1), (2, 3, 2), (3, 3, 3)]
TRIPLES = [(i, j, LABELS[i][j]) for i in range(6) for j in range(3)]
BY_CODER = [(j, i, LABELS[i][j]) for j in range(3) for i in range(6)]
NAMED = pd.DataFrame(TRIPLES, columns=["sent", "person", "stance"])


@pytest.mark.parametrize("table", [TRIPLES, np.array(TRIPLES), BY_CODER, NAMED])
def test_all_pairs_in_runs_are_items_and_coders(table):
    with pytest.raises(ValueError, match=r"one judgment each.*from_(long|triples|frame)"):
        af.alpha(table)


def test_the_remedies_work():
    expected = af.alpha(LABELS)
    assert af.alpha(af.Annotations.from_triples(BY_CODER)) == expected
    read = af.Annotations.from_frame(NAMED, item="sent", coder="person", label="stance")
    assert af.alpha(read) == expected


def test_labels_are_not_in_runs():
    rng = np.random.default_rng(1)
    assert af.alpha(rng.permutation(TRIPLES)).undefined is None


@pytest.mark.parametrize(
    ("rows", "order"),
    [
        (["i1 a x", "i1 b y", "i2 a x", "i2 b y"], (1, 0, 2)),
        (["i1 a b", "i1 b a", "i2 a b", "i2 b a"], None),  # names that are labels, too
        (["i1 a x", "i1 b y", "i2 a x", "i3 b x"], None),  # as often by chance
        ([f"{i // 3 % 12} {i % 3} {i // 3 * i % 3}" for i in range(1, 37)], (0, 1, 2)),
    ],
)
def test_pairs_that_never_repeat(rows, order):
    cells = zip(*map(str.split, rows), strict=True)
    codes = [np.unique(column, return_inverse=True) for column in cells]
    assert order_of_triples([Column.of(None, c, v.tolist()) for v, c in codes]) == order


def triples(n_first, n_second, rows, *, numbers=False):
    """Columns of triples with texts first, and texts or numbers second."""
    second = [*range(n_second)] if numbers else [f"b{chr(97 + i)}" for i in range(n_second)]
    codes = [np.array(column) for column in zip(*rows, strict=True)]
    labels = Numbered(np.arange(len(rows)) % 2, ["x", "y"])
    first = [f"a{chr(97 + i)}" for i in range(n_first)]
    return [Numbered(codes[0], first), Numbered(codes[1], second), labels]


def test_names_of_coders_before_numbers_of_items_are_as_declared():
    """More coders than items are doubted unless the values, or how often they occur, tell."""
    rows = [(i, j) for i in range(6) for j in range(3)]
    assert other_order(triples(6, 3, rows)) == (("item", "coder", "label"), False)
    assert other_order(triples(6, 3, rows, numbers=True)) is None
    # A few names of raters do not make the others raters.
    items, *rest = triples(6, 3, rows)
    for others in (["ann", "bob", "cid"], ["task_1", "task_2", "task_3"]):
        names = ["rater_1", "rater_2", "rater_3", *others]
        result = other_order([items._replace(values=names), *rest])
        assert result == (("item", "coder", "label"), False)
    # Items that all judge occur equally often, their coders do not.
    often = [(0, j) for j in range(3)] * 3 + rows[3:12]
    assert other_order(triples(4, 3, often)) is None
    assert other_order(triples(4, 3, rows[:12])) == (("item", "coder", "label"), False)


def judgments(n_items: int, by: str, again: int = 0) -> np.ndarray:
    """Items, coders and labels of three coders who judged all items, and some items again."""
    rng = np.random.default_rng(7)
    items, coders = np.repeat(np.arange(n_items), 3), np.tile(np.arange(3), n_items)
    more = rng.choice(n_items, again, replace=False).repeat(3)
    items, coders = np.append(items, more), np.append(coders, np.tile(np.arange(3), again))
    table = np.stack([items, coders, rng.integers(0, 4, len(items))], axis=1)
    order = {
        "item": np.lexsort([coders, items]),
        "coder": np.lexsort([items, coders]),
        "nothing": rng.permutation(len(items)),
    }
    return table[order[by]]


@pytest.mark.parametrize("again", [0, 34])
@pytest.mark.parametrize("by", ["item", "coder", "nothing"])
def test_many_judgments_without_names_are_refused(by: str, again: int) -> None:
    """The first thousand rows may be those of one coder."""
    with pytest.raises(af.AgreementError, match="look like one judgment each"):
        af.alpha(judgments(1300, by, again))


def test_many_labels_of_three_coders_without_names_are_taken() -> None:
    rng = np.random.default_rng(7)
    for largest in (2, 50, 10**6):
        assert abs(af.alpha(rng.integers(0, largest, (3000, 3)))) < 0.1
