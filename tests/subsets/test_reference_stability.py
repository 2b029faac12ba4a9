"""The majority reference of subsets of coders, against a count of every subset."""

import math
from fractions import Fraction

import numpy as np
import pytest
import reference_stability as slow
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from strategies import Table, seeded, tables

import agreement_fast as af
from agreement_fast import subsets

TIES = ("change", "first", "fractional", "median")


def wide(table):
    """Give a table to the package as rows of labels."""
    return af.Annotations.from_wide(
        table.rows, categories=table.categories, coders=table.coders, weights=table.weights
    )


def exactly(table, size, ties):
    """The shares of changed and unjudged items for every subset of a size."""
    return list(slow.shares(table.items, table.coders, size, ties, table.order, table.frequencies))


def check(result, table, ties):
    """Compare a study with a count of every subset of every size."""
    assert result.sizes.tolist() == list(range(1, table.n_coders + 1))
    for i, size in enumerate(result.sizes.tolist()):
        every = exactly(table, size, ties)
        changed = [share for share, _ in every]
        mean = sum(changed, Fraction(0)) / len(every)
        unjudged = sum((share for _, share in every), Fraction(0)) / len(every)
        variance = sum((share - mean) ** 2 for share in changed) / len(every)
        assert result.n_subsets[i] == result.n_compared[i] == len(every)
        assert result.changed[i] == pytest.approx(float(mean), rel=1e-12)
        assert result.unjudged[i] == pytest.approx(float(unjudged), rel=1e-12)
        assert result.minimum[i] == pytest.approx(float(min(changed)), rel=1e-12)
        assert result.maximum[i] == pytest.approx(float(max(changed)), rel=1e-12)
        assert result.standard_deviation[i] == pytest.approx(math.sqrt(variance), rel=1e-12)


@pytest.mark.few("change", "median")
@pytest.mark.parametrize("ties", TIES)
@given(table=tables("integers"))
def test_every_subset_of_random_tables(ties, table):
    """Mean, extremes and standard deviation, weights and missing judgments included."""
    if not any(
        item and weight for item, weight in zip(table.items, table.frequencies, strict=True)
    ):
        result = subsets.reference_stability(wide(table), ties=ties)
        assert result.n_items == 0
        assert np.isnan(result.changed).all()
        return
    check(subsets.reference_stability(wide(table), ties=ties), table, ties)


@pytest.mark.few
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("missing", [0, 0.3])
def test_every_subset_of_seven_coders(ties, missing):
    """More items than lie side by side in the kernel, more coders than tables of Hypothesis."""
    table = seeded(31, 66, 7, range(-2, 3), missing=missing)
    check(subsets.reference_stability(wide(table), ties=ties), table, ties)


@pytest.mark.few("change", "fractional")
@pytest.mark.parametrize("ties", TIES)
@examples(15)
@given(
    counts=st.lists(st.integers(0, 4), min_size=2, max_size=4).filter(
        lambda counts: 0 < sum(counts) < 9
    ),
    absent=st.integers(0, 2),
)
def test_the_closed_form_counts_sets_as_they_are(ties, counts, absent):
    """One item with given counts: the mean over subsets is a mean over sets of its judgments."""
    row = [k for k, n in enumerate(counts) for _ in range(n)] + [None] * absent
    table = Table((tuple(row),), None, tuple(range(len(counts))))
    check(subsets.reference_stability(wide(table), ties=ties), table, ties)


@pytest.mark.parametrize("ties", TIES)
def test_many_coders_are_drawn_as_the_closed_form_says(ties):
    """120 coders: the mean of subsets drawn at random comes near the mean over all."""
    table = seeded(5, 30, 90, range(4), missing=0.4)
    result = subsets.reference_stability(
        wide(table), ties=ties, size=[3, 20], max_subsets=2000, rng=1
    )
    walk_mean = _means_of_the_walk(wide(table), ties, [3, 20], 2000)
    error = result.standard_deviation / math.sqrt(2000)
    assert (np.abs(walk_mean - result.changed) < 4 * error).all()
    assert result.n_compared.tolist() == [2000, 2000]
    assert (result.minimum < result.changed).all()
    assert (result.changed < result.maximum).all()


def _means_of_the_walk(data, ties, sizes, n):
    """What the subsets that are looked at give themselves."""
    from agreement_fast.subsets.references import Walk

    total = data.n_items
    walk = Walk(data, ties, np.zeros(len(sizes)), np.array(sizes))
    n_subsets = tuple(math.comb(data.n_coders, size) for size in sizes)
    walk.look(n_subsets, (n,) * len(sizes), np.random.default_rng(1), 1, False)
    return walk.sums[sizes] / walk.seen.n[sizes] / total / walk.unit


def test_hundreds_of_judgments_of_an_item():
    """Two categories: a majority of the subset is a tail of the hypergeometric distribution."""
    from scipy.stats import hypergeom

    yes, n_coders = 190, 300
    row = [1] * yes + [0] * (n_coders - yes)
    data = af.Annotations.from_wide([row], coders=range(n_coders))
    result = subsets.reference_stability(data, size=[1, 2, 7, 50, 299, 300])
    for size, changed in nonempty(zip(result.sizes.tolist(), result.changed.tolist(), strict=True)):
        same = hypergeom.sf(size // 2, n_coders, yes, size)
        assert changed == pytest.approx(1 - same, abs=1e-13)


def test_sampled_subsets_differ_from_each_other():
    """A sample is without repetition: one less than all leaves out one."""
    from agreement_fast.subsets.references import draw

    for n_coders, size, n in ((6, 3, 19), (6, 3, 2), (30, 10, 500)):
        drawn = np.concatenate(list(draw(n_coders, size, n, 7, np.random.default_rng(3))))
        assert drawn.shape == (n, size)
        assert len({tuple(row) for row in drawn.tolist()}) == n
        assert (np.diff(drawn, axis=1) > 0).all()


def test_drawn_subsets_are_equally_likely():
    """Each of the 10 pairs of 5 coders turns up in two fifths of the samples of 4."""
    from agreement_fast.subsets.references import draw

    for n in (2, 4):  # drawn repeatedly, and chosen from the list
        seen = np.zeros((5, 5))
        rng = np.random.default_rng(8)
        for _ in range(2000):
            for pairs in draw(5, 2, n, 64, rng):
                np.add.at(seen, tuple(pairs.T), 1)
        share = seen[np.triu_indices(5, 1)] / 2000
        assert np.abs(share - n / 10).max() < 4 * math.sqrt(0.25 / 2000)


def test_the_same_seed_and_any_threads_give_the_same():
    """Draws do not depend on the number of threads."""
    data = wide(seeded(2, 3000, 30, range(3), missing=0.1))
    options = {"size": [4, 9], "max_subsets": 700, "ties": "first"}
    one = subsets.reference_stability(data, rng=7, threads=1, **options)
    two = subsets.reference_stability(data, rng=np.random.default_rng(7), threads=2, **options)
    other = subsets.reference_stability(data, rng=8, **options)
    for name in ("changed", "minimum", "maximum", "standard_deviation"):
        assert getattr(one, name).tolist() == getattr(two, name).tolist()
    assert one.standard_deviation.tolist() != other.standard_deviation.tolist()
    assert one.changed.tolist() == other.changed.tolist()


def test_some_sizes_are_those_of_all_sizes():
    """Asking for a few sizes, in any order, takes another walk to the same values."""
    data = wide(seeded(4, 90, 12, range(5), missing=0.2))
    every = subsets.reference_stability(data)
    some = subsets.reference_stability(data, size=[10, 2])
    assert some.sizes.tolist() == [2, 10]
    for name in ("changed", "unjudged", "minimum", "maximum", "standard_deviation"):
        expected = getattr(every, name)[[1, 9]]
        assert getattr(some, name) == pytest.approx(expected, rel=1e-12)


def test_no_subset_is_compared_if_there_are_too_many():
    """60 coders: the mean is there, the extremes are not, unless a sample is asked for."""
    data = wide(seeded(9, 20, 60, range(5), missing=0))
    result = subsets.reference_stability(data, size=[30])
    assert result.n_subsets == (math.comb(60, 30),)
    assert result.n_compared.tolist() == [0]
    assert np.isnan(result.minimum).all()
    assert 0 < result.changed[0] < 1
    assert np.isnan(subsets.reference_stability(data, size=[2], max_subsets=0).maximum).all()


def test_fewer_coders_move_the_reference_more():
    """Figure 4: the curve falls; a second coder alone can only make ties, which changes nothing."""
    data = wide(seeded(2014, 230, 25, range(-2, 3), missing=0))
    changed = subsets.reference_stability(data, ties="fractional", max_subsets=0).changed
    assert changed[0] == pytest.approx(changed[1], rel=1e-12)
    assert (np.diff(changed[1:12]) < 0).all()
    assert (np.diff(changed) <= 1e-12).all()
    assert changed[-1] == 0


def test_items_that_nobody_judged_leave():
    """They have no reference to change, and are counted."""
    result = subsets.reference_stability(
        af.Annotations.from_wide([[1, 1], [None, None], [1, None]], categories=[1, 2])
    )
    assert (result.n_items, result.n_items_dropped) == (2, 1)
    assert result.unjudged.tolist() == [0.25, 0]
    assert result.changed.tolist() == [0.25, 0]
    assert result.changed_of_judged.tolist() == [0, 0]


def test_bad_input_is_named():
    """Errors say what is wrong."""
    data = af.Annotations.from_wide([["x", "y", "x"], ["y", "y", "y"], ["x", "x", "y"]])
    with pytest.raises(ValueError, match=r"ties must be .*, not 'mode'"):
        subsets.reference_stability(data, ties="mode")
    with pytest.raises(ValueError, match="declare the order"):
        subsets.reference_stability(data, ties="median")
    with pytest.raises(ValueError, match="at most 32767 categories, these annotations have 65600"):
        subsets.reference_stability(np.arange(65600.0).reshape(-1, 2))
    with pytest.raises(ValueError, match="size must be from 1 to 3, the number of coders, not 4"):
        subsets.reference_stability(data, size=[1, 4])
    with pytest.raises(ValueError, match="size is empty"):
        subsets.reference_stability(data, size=[])
    with pytest.raises(TypeError, match=r"size must be .*, not 'all'"):
        subsets.reference_stability(data, size=["all"])
    with pytest.raises(TypeError, match=r"max_subsets must be .*, not 2\.5"):
        subsets.reference_stability(data, max_subsets=2.5)
    with pytest.raises(ValueError, match=r"max_subsets must be .*, not -1"):
        subsets.reference_stability(data, max_subsets=-1)
    with pytest.raises(ValueError, match="which coder made which judgment"):
        subsets.reference_stability(af.Annotations.from_counts([[2, 1]]))
    row = [[0] * 600 + [1] * 600]
    with pytest.raises(ValueError, match="1200 judgments, more than 1000"):
        subsets.reference_stability(af.Annotations.from_wide(row, coders=range(1200)), size=[3])


def test_results_are_readable():
    """A line, and a table."""
    result = subsets.reference_stability(wide(seeded(1, 9, 6, "ab", missing=0)))
    assert repr(result).startswith(
        "<ReferenceStability of 9 items, ties 'change': changed 1 coder 0"
    )
    assert "\n" not in repr(result)
    assert str(result).splitlines()[2].split()[:2] == ["1", "6"]
    crowd = wide(seeded(1, 9, 300, "ab", missing=0.9))
    lines = str(subsets.reference_stability(crowd, size=[1, 150])).splitlines()
    assert lines[3].split()[:2] == ["150", "9.38e+88"]
    assert max(map(len, lines[:4])) < 80


def test_a_note_on_crowds_says_what_this_does_not_answer():
    """40 coders, 3 judgments an item: 3 coders judged few of the items."""
    triples = [(f"c{(7 * i + 13 * j) % 40}", i, (i + j) % 2) for i in range(80) for j in range(3)]
    result = subsets.reference_stability(
        af.Annotations.from_triples(triples), size=[1, 3, 30], max_subsets=0
    )
    assert result.unjudged[0] > 0.9
    assert result.note.startswith(
        f"{result.unjudged[0]:.0%} of the items are judged by none of 1 of"
    )
    assert "or how many judgments an item needs" in result.note
    assert result.note in " ".join(str(result).split())
    assert result.note in repr(result)
    full = subsets.reference_stability(
        af.Annotations.from_wide(seeded(3, 30, 6, [1, 2, 3]).rows), max_subsets=0
    )
    assert full.note is None
    assert "judged by none" not in str(full) + repr(full)
    # A few gaps do not make a crowd.
    few = subsets.reference_stability(
        af.Annotations.from_wide(seeded(3, 60, 6, [1, 2, 3], missing=0.1).rows), max_subsets=0
    )
    assert few.unjudged[0] > 0.05
    assert few.note is None


@pytest.mark.parametrize(("row", "reference"), [("aabbe", "b"), ("eeabd", "e"), ("adeee", "e")])
def test_the_median_settles_ties_and_nothing_else(row, reference):
    """a, a, b, b, e: of the tied a and b, b is the median of all; without a tie it is the mode."""
    rows = [list(row), list("eeeee"), list("aaaaa"), list("bbbbb"), list("ddddd")]
    data = af.Annotations.from_wide(rows, categories=list("abde"))
    by_hand = [
        sum(said != reference for said in row) / 5 / 5,
    ]
    result = subsets.reference_stability(data, size=[1], ties="median", max_subsets=0)
    assert result.changed == pytest.approx(by_hand)


def test_options_of_the_other_question_are_refused():
    data = af.Annotations.from_wide([[1, 1, 1], [1, 1, 2], [2, 2, 1]])
    with pytest.raises(ValueError, match="confidence_level is not an option of resample='coders'"):
        subsets.reference_stability(data, confidence_level=0.9)
    with pytest.raises(ValueError, match="ties is not an option of resample='items'"):
        subsets.reference_stability(data, resample="items", ties="first")
    narrow, wide = (
        subsets.reference_stability(data, resample="items", confidence_level=level).to_dict()
        for level in (0.5, 0.95)
    )
    assert narrow["low"][0] > wide["low"][0]
