"""Studies over subsets of the coders: every value against `select`, and against fractions."""

import math

import numpy as np
import pytest
import reference
import reference_subsets as exact
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import seeded, symmetric, tables

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.subsets import coder_subsets

LABELS = (0, 1, 2, 4)
OWN = distances.matrix(symmetric(7, 4), categories=LABELS)
DISTANCES = ["nominal", "ordinal", "interval", "linear", OWN]
WEIGHTED = ["brennan_prediger", "alpha_prime", "beta", "alpha", "ac"]
INCOMPLETE = ("published", "pairable", "complete")

# name: share of missing judgments, heaviest item, categories declared
TABLES = {
    "complete": (0.0, None, False),
    "complete, weighted, declared": (0.0, 3, True),
    "missing": (0.25, None, False),
    "missing, weighted": (0.25, 3, False),
    "hardly anything there, declared": (0.7, None, True),
}


def annotations(table):
    return af.Annotations.from_wide(
        table.rows, categories=table.categories, weights=table.weights, coders=table.coders
    )


def of_eight(name, seed=3):
    missing, heaviest, declared = TABLES[name]
    return annotations(
        seeded(seed, 12, 8, LABELS, missing=missing, heaviest=heaviest, declared=declared)
    )


def selected(data, mask, coefficients, distances, incomplete):
    """The values that a user gets who selects a subset and computes."""
    coders = [coder for c, coder in enumerate(data.coders) if int(mask) >> c & 1]
    table = af.agreement_table(
        data.select(coders=coders), coefficients, distances, incomplete=incomplete
    )
    return [result.value for result in table]


def assert_selected(study, data, coefficients, distances, incomplete, masks=None):
    """Compare values with those of the selected data, to 1e-12."""
    for place in range(len(study.masks)) if masks is None else masks:
        expected = selected(data, study.masks[place], coefficients, distances, incomplete)
        np.testing.assert_allclose(study.values[:, place], expected, rtol=1e-12, atol=1e-14)


# ---------------------------------------------------------------- every subset of eight coders


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("incomplete", INCOMPLETE)
def test_every_subset_of_eight_coders(name, incomplete):
    """All chance models, item weights and distances, each subset as if it were selected."""
    data = of_eight(name)
    study = coder_subsets(data, WEIGHTED, distances=DISTANCES, incomplete=incomplete, keep=True)
    assert study.n_subsets == 2**8 - 9
    assert sorted(study.masks.tolist()) == [m for m in range(2**8) if m.bit_count() >= 2]
    assert_selected(study, data, WEIGHTED, DISTANCES, incomplete)


@pytest.mark.parametrize("name", TABLES)
def test_sums_over_pairs_of_coders_give_the_same(name):
    """Distances that are the same for all subsets take another way on complete data."""
    data = of_eight(name)
    fixed = [d for d in DISTANCES if d != "ordinal"]
    study = coder_subsets(data, WEIGHTED, distances=fixed, keep=True)
    assert_selected(study, data, WEIGHTED, fixed, "published")
    usual = coder_subsets(data, keep=True)
    assert_selected(usual, data, None, ["nominal"], "published")


@settings(max_examples=30)
@given(
    table=tables("scale", most_coders=5),
    incomplete=st.sampled_from(INCOMPLETE),
    distance=st.sampled_from(["nominal", "ordinal", "interval", "linear"]),
)
def test_values_are_those_of_the_definitions(table, incomplete, distance):
    """Against rational arithmetic, undefined where the definition is."""
    data = annotations(table)
    names = ["brennan_prediger", "alpha_prime", "beta", "alpha", "ac"]
    study = coder_subsets(data, names, distances=[distance], incomplete=incomplete, keep=True)
    for place, mask in enumerate(study.masks):
        for m, name in enumerate(names):
            found = study.values[m, place]
            wanted = exact.value(
                table.items,
                study.members(mask),
                name,
                getattr(reference, distance),
                weights=list(table.frequencies),
                categories=table.categories,
                incomplete=incomplete,
            )
            if wanted is None:
                assert math.isnan(found), (name, mask, found)
            else:
                assert found == pytest.approx(float(wanted), rel=1e-12, abs=1e-12)
