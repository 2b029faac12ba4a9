"""Tags of a tree with ten thousand labels: sums along branches against all pairs of labels."""

from functools import lru_cache

import numpy as np
from contest import OURS, Row, contest

import agreement_fast as af
from agreement_fast import distances

LABELS = 10_000


@lru_cache(maxsize=4)
def tags(n):
    """A tree of n labels, 10 judged items for each; two of three coders may be less specific."""
    rng = np.random.default_rng(1)
    above = np.maximum(0, (np.arange(n) - 1) // 4)
    tree = {i: None if i == 0 else int(above[i]) for i in range(n)}
    true = np.repeat(rng.permutation(n), 10)
    coders = [np.where(rng.random(len(true)) < 0.7, true, above[true]) for _ in range(2)]
    return tree, np.column_stack([true, *coders])


def ready(n):
    tree, table = tags(n)
    return af.Annotations.from_wide(table), distances.tree(tree)


def with_matrix(n):
    """The same distances, all computed in advance."""
    data, tree = ready(n)
    labels = list(range(n))
    table = distances.leaf_overlap(tree).matrix(labels)
    return data, af.distances.matrix(table, categories=labels)


def with_function(n):
    """The definition, called for every pair of labels."""
    data, tree = ready(n)
    places = {label: i for i, label in enumerate(tree.labels)}
    ends, leaves = tree.ends.tolist(), tree.n_leaves.tolist()

    def distance(a, b):
        upper, lower = sorted((places[a], places[b]))
        return 1 - leaves[lower] / leaves[upper] if lower < ends[upper] else 1.0

    return data, distance


test_leaf_overlap = contest(
    "α with leaf overlap: 10 items a label",
    LABELS,
    [
        Row(
            OURS,
            "Annotations, new for each call",
            ready,
            lambda data, tree: af.alpha(data, distances.leaf_overlap(tree)).value,
        ),
        Row(
            "matrix",
            "ready made",
            with_matrix,
            lambda data, d: af.alpha(data, d).value,
            items=5_000,
            needs="numpy",
        ),
        Row(
            "function",
            "Python",
            with_function,
            lambda data, d: af.alpha(data, d).value,
            items=500,
            needs="numpy",
        ),
    ],
)
