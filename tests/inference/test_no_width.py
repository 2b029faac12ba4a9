"""An interval that is a point says why; any other has nothing to say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import bootstrap, compare
from agreement_fast.inference import coefficient_test, standard_error

CONSTANT = af.Annotations.from_wide([["x", "x"]] * 6 + [["y", "x"]] * 4, coders=["Ann", "Bea"])
WHY = "kappa is 0 for any items: coder Bea used x only"
AGREED = [["x", "x"], ["y", "y"]] * 5


@pytest.mark.parametrize(
    "found",
    [
        standard_error(CONSTANT, "kappa"),
        standard_error(CONSTANT, "kappa", method="delta"),
        bootstrap(CONSTANT, "kappa", n_resamples=50, rng=1),
        bootstrap(CONSTANT, "kappa", n_resamples=50, rng=1, method="percentile"),
        bootstrap(CONSTANT, "kappa", n_resamples=50, rng=1, resample="coders"),
        coefficient_test(CONSTANT, "kappa", method="null"),
    ],
    ids=["score", "delta", "bca", "percentile", "coders", "test"],
)
def test_one_coder_of_one_category_makes_kappa_0(found: Any) -> None:
    assert found.value == pytest.approx(0, abs=1e-15)
    assert found.note == WHY
    assert f"; {WHY}" in repr(found)


def test_weighted_kappa_of_a_constant_coder() -> None:
    rows = [[1, 2], [3, 2], [2, 2], [1, 2]]
    data = af.Annotations.from_wide(rows, coders=["Ann", "Bea"])
    for distance in ("interval", "linear", "ordinal"):
        note = standard_error(data, "beta", distance=distance).note
        assert note == "beta is 0 for any items: coder Bea used 2 only"


def test_all_coders_but_one_are_constant() -> None:
    """Multi-kappa is 0, too; with two who vary it is not."""
    rows = [["x", "z", label] for label in "xyzxxyz"]
    data = af.Annotations.from_wide(rows, coders=["Ann", "Bea", "Cid"])
    result = standard_error(data, "kappa")
    assert result.note == ("kappa is 0 for any items: no coder but Cid used more than one category")
    fixed = af.Annotations.from_wide([["x", "z"]] * 7, coders=["Ann", "Bea"])
    assert standard_error(fixed, "kappa").note == (
        "kappa is 0 for any items: no coder used more than one category"
    )
    rows = [["x", "y", label] for label in "xyx"] + [["x", "z", "x"]]
    assert standard_error(rows, "kappa").note is None


def test_perfect_agreement_is_not_certainty() -> None:
    """The note has the interval that the observed agreement has."""
    low = af.observed_agreement(AGREED).low
    for result in (
        standard_error(AGREED, method="delta"),
        bootstrap(AGREED, "pi", n_resamples=50, rng=1, method="bca"),
        coefficient_test(AGREED, "kappa", method="null"),
    ):
        assert result.note is not None
        assert result.note.startswith("no item disagrees, so no resample can")
        assert result.note.endswith(f"the interval of the observed agreement is {low:.4f} to 1")
    wide = standard_error(AGREED, method="delta", confidence_level=0.5).note
    assert wide is not None
    assert f"{af.observed_agreement(AGREED, confidence_level=0.5).low:.4f}" in wide
    # D_o is 0, though labels differ
    near = [[[0, 0, 1], [0, 0, 1], [1, 1, 0]]]
    rows = [[0, 1], [0, 0], [2, 2], [2, 2]]
    result = standard_error(rows, distance=np.array(near[0]), method="delta")
    assert result.note == "no item disagrees, so no resample can, which says nothing of other items"


def test_items_that_are_all_alike() -> None:
    note = "all resamples have this value, which says nothing of other items"
    assert standard_error([["x", "y"]] * 5, "s", method="delta").note == note
    # two coders who vary, and one who does not, on items that mirror one another
    names = ["Ann", "Bea", "Cid"]
    mirrored = af.Annotations.from_wide([["x", "y", "x"], ["y", "x", "x"]], coders=names)
    assert standard_error(mirrored, "kappa", method="delta").note == note
    assert note in repr(bootstrap([["x", "y"]] * 5, "s", n_resamples=20, rng=1, method="bca"))
    same = compare(AGREED, AGREED, "pi", paired=True, n_resamples=20, rng=1, method="bca")
    assert same.note == note
    assert note in repr(same)


def test_an_interval_with_a_width_has_no_note() -> None:
    rows = [["x", "x"], ["y", "x"], ["y", "y"], ["x", "x"], ["y", "y"], ["x", "y"]]
    other = [["x", "x"], ["x", "x"], ["y", "y"], ["x", "x"], ["y", "y"], ["x", "y"]]
    for result in (
        standard_error(rows, "kappa"),
        bootstrap(rows, "kappa", n_resamples=50, rng=1),
        coefficient_test(rows, "kappa", method="null"),
        compare(rows, other, "pi", paired=True),
        # no value at all
        standard_error(af.Annotations.from_wide([["x", "x"]], coders=["a", "b"])),
        bootstrap([["x", "x"]] * 3, n_resamples=5, rng=1),
    ):
        assert result.note is None
        assert "None" not in repr(result)


@pytest.mark.parametrize("method", ["score", "delta"])
@pytest.mark.parametrize("name", ["alpha", "kappa", "s", "ac1"])
def test_one_item_says_that_it_has_no_spread(name: str, method: Any) -> None:
    item = af.Annotations.from_wide([["x", "y"]], coders=["a", "b"])
    result = standard_error(item, name, method=method)
    assert np.isnan(result.low)
    assert result.note == "one item has no spread"
    clustered = standard_error(item, name, method=method, cluster=["d"])
    assert clustered.note == "there is one cluster of items only, which has no spread"


def test_krippendorffs_bootstrap_draws_pairs() -> None:
    rows = [["x", "x"], ["y", "x"], ["y", "y"]]
    result = bootstrap(rows, method="krippendorff", n_resamples=30, rng=1)
    assert "(krippendorff, 30 resamples of pairs of judgments)" in repr(result)
    assert "of items)" in repr(bootstrap(rows, n_resamples=30, rng=1))


def test_a_point_is_printed_without_what_rounding_leaves() -> None:
    """Two coders of whom one used one category: all is 0 but for the last bits."""
    random = np.random.default_rng(3)
    for _ in range(20):
        rows = np.column_stack([np.ones(37, int), random.integers(0, 3, 37)])
        result = standard_error(rows, "kappa", method="delta")
        assert (result.low, result.standard_error, result.high) == (result.value, 0, result.value)
        shown = "<kappa(nominal) = 0 ± 0, 95% interval 0.0000 to 0.0000 "
        assert repr(result).startswith(shown)
