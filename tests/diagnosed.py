"""What the tests of diagnostics share: tables of `strategies`, and the reference beside them."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import reference

import agreement_fast as af

DISTANCES = {"nominal": reference.nominal, "interval": reference.interval}


def annotations(table):
    """A table of `strategies` as the package takes it."""
    return af.Annotations.from_wide(
        table.rows, categories=table.categories, weights=table.weights, coders=table.coders
    )


def columns_of(table):
    """The columns of a table, as arrays with their names."""
    columns = table.columns().items()
    return SimpleNamespace(**{name: np.array(column) for name, column in columns})


def same(result, exact):
    """Whether a float is a Fraction to 1e-12, or NaN for None."""
    if exact is None:
        return math.isnan(result)
    return result == pytest.approx(float(exact), rel=1e-12, abs=1e-14)


def distance_of(table, name):
    """The reference's distance over a table's categories."""
    kept = reference.kept_items(table.items, table.frequencies, table.coders, "published")
    return DISTANCES[name](table.order, reference.pairable_counts(kept))
