"""Tag trees and the distances between their tags, against walks up and down a dict."""

from fractions import Fraction
from itertools import permutations, product

import networkx
import numpy as np
import pandas as pd
import pytest
import reference
import reference_trees as slow
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.distances import forms
from agreement_fast.distances import trees as sums
from agreement_fast.distances.forms import Blocks, Matrix

# Questions and answers of a small dialogue act scheme with an only child and two roots.
SCHEME = {
    "question": None,
    "yn": "question",
    "check": "yn",
    "posi-check": "check",
    "nega-check": "check",
    "wh": "question",
    "alts": "question",
    "answer": None,
    "instruct": "answer",
}
LENGTHS = {"question": 2, "yn": 0.5, "check": 0, "answer": 3}

# What is claimed of each: the function, its reference, whether the triangle inequality holds.
DISTANCES = {
    "leaf_overlap": (distances.leaf_overlap, slow.leaf_overlap, True),
    "path": (distances.tree_path, slow.path, True),
    "path_lengths": (
        lambda tree: distances.tree_path(tree, lengths=only(LENGTHS, tree)),
        lambda tree: slow.path(tree, only(LENGTHS, tree)),
        True,
    ),
    "path_scaled": (
        lambda tree: distances.tree_path(tree, scaled=True),
        lambda tree: lambda a, b: slow.path(tree)(a, b) / max(slow.longest_path(tree), 1),
        True,
    ),
    "wu_palmer": (distances.wu_palmer, slow.wu_palmer, True),
    "level_dependent": (
        distances.level_dependent,
        lambda tree: slow.level_dependent(tree, Fraction(3, 4)),
        False,
    ),
    "level_dependent_corrected": (
        lambda tree: distances.level_dependent(tree, step=0.75, correction=0.9375),
        lambda tree: slow.level_dependent(tree, Fraction(3, 4), Fraction(15, 16)),
        False,
    ),
    "level_dependent_nearer": (
        lambda tree: distances.level_dependent(tree, correction=0.9375, deeper="nearer"),
        lambda tree: slow.level_dependent(tree, Fraction(3, 4), Fraction(15, 16), nearer=True),
        False,
    ),
}


def only(lengths, tree):
    """Pick the lengths of the labels that a tree has."""
    return {label: length for label, length in lengths.items() if label in tree}


@st.composite
def parents(draw, most=9):
    """Trees and forests over some words, as child -> parent, in any order."""
    names = draw(st.permutations(list(SCHEME)))[: draw(st.integers(1, most))]
    above = {name: draw(st.sampled_from([None, *names[:i]])) for i, name in enumerate(names)}
    return {name: above[name] for name in draw(st.permutations(names))}


# ---------------------------------------------------------------- distances


@pytest.mark.few("path", "wu_palmer", "level_dependent", "leaf_overlap")
@pytest.mark.parametrize("name", DISTANCES)
@examples(40)
@given(tree=parents())
def test_every_distance_is_its_definition(name, tree):
    """All pairs of nodes of random trees, against walks up and down a dict."""
    make, definition, _ = DISTANCES[name]
    result, expected = make(tree).matrix(list(tree)), definition(tree)
    for (i, a), (j, b) in nonempty(product(enumerate(tree), repeat=2)):
        assert result[i, j] == pytest.approx(float(expected(a, b)), rel=1e-14, abs=0), (a, b)


@pytest.mark.parametrize("name", [name for name in DISTANCES if DISTANCES[name][2]])
@examples(25)
@given(tree=parents(most=7).filter(lambda tree: len(tree) > 2))
def test_the_triangle_inequality_holds_where_it_is_claimed(name, tree):
    """In exact arithmetic, for all triples of nodes."""
    distance = DISTANCES[name][1](tree)
    d = {(a, b): distance(a, b) for a, b in product(tree, repeat=2)}
    for a, b, c in nonempty(permutations(tree, 3)):
        assert d[a, b] <= d[a, c] + d[c, b]


@pytest.mark.parametrize("name", [name for name in DISTANCES if not DISTANCES[name][2]])
def test_the_triangle_inequality_fails_where_it_is_denied(name):
    """Siblings are farther from one another than the way over their parent."""
    d = DISTANCES[name][0](SCHEME).matrix(["posi-check", "check", "nega-check"])
    assert d[0, 2] > d[0, 1] + d[1, 2]


def test_wu_palmer_satisfies_the_triangle_inequality_for_all_levels():
    """The two smallest levels of the common ancestors of three nodes are equal."""
    levels = range(1, 8)
    for a, b, c in product(levels, repeat=3):
        for low in nonempty(range(min(a, b, c) + 1)):
            for ab, ac, bc in nonempty((low, low, high) for high in range(low, min(b, c) + 1)):
                d_ab, d_ac, d_bc = (
                    1 - Fraction(2 * shared, x + y)
                    for shared, x, y in ((ab, a, b), (ac, a, c), (bc, b, c))
                )
                assert d_ab <= d_ac + d_bc
                assert d_bc <= d_ab + d_ac
                assert d_ac <= d_ab + d_bc


@pytest.mark.parametrize("name", DISTANCES)
def test_an_only_child_may_be_at_no_distance(name):
    """A node and its only child dominate the same leaves; other distances tell them apart."""
    d = DISTANCES[name][0](SCHEME).matrix(["answer", "instruct"])
    assert (d[0, 1] == 0) == (name == "leaf_overlap")


def test_artstein_poesio_2008_leaf_overlap():
    """Section 4.5: the same inner tag agrees fully; GROUP1 over four senses of "call"."""
    senses = {f"WN{i}": "GROUP1" for i in (1, 2, 3, 4)} | {"WN5": "GROUP2", "WN6": "GROUP2"}
    d = distances.leaf_overlap(senses).matrix(["GROUP1", "WN1", "WN2", "GROUP2", "WN5"])
    assert d.tolist() == [
        [0, 0.75, 0.75, 1, 1],
        [0.75, 0, 1, 1, 1],
        [0.75, 1, 0, 1, 1],
        [1, 1, 1, 0, 0.5],
        [1, 1, 1, 0.5, 0],
    ]


def test_leaf_overlap_gives_leaves_equal_shares_not_children():
    """In an unbalanced tree the two readings differ: 1 - 1/3, not 1 - 1/4."""
    tree = {"top": None, "left": "top", "right": "top", "l1": "left", "l2": "left"}
    assert distances.leaf_overlap(tree).matrix(["top", "l1"])[0, 1] == pytest.approx(2 / 3)


@pytest.mark.few
@pytest.mark.parametrize("coefficient", ["alpha", "alpha_prime", "beta", "brennan_prediger"])
@pytest.mark.parametrize("name", DISTANCES)
def test_coefficients_take_these_distances(name, coefficient):
    """Inner and leaf tags in one table, missing judgments among them, against the reference."""
    make, definition, _ = DISTANCES[name]
    rows = [
        ("yn", "check", "posi-check"),
        ("question", "wh", None),
        ("answer", "instruct", "answer"),
        ("posi-check", "nega-check", "posi-check"),
        ("alts", None, None),
        ("instruct", "instruct", "wh"),
    ]
    exact = definition(SCHEME)
    cube = reference.Cube(reference.from_rows(rows), lambda categories, frequency: exact)
    result = af.agreement(af.Annotations.from_wide(rows), coefficient, distance=make(SCHEME))
    expected = cube.named(coefficient)
    assert result.value == pytest.approx(float(expected.value), rel=1e-12)
    assert result.observed_disagreement == pytest.approx(float(expected.observed), rel=1e-12)


# The form that many labels get, where the pairs on one branch are few enough to be listed.
MANY = {
    "leaf_overlap": sums.Branches,
    "level_dependent": sums.Branches,
    "level_dependent_corrected": sums.Branches,
    "level_dependent_nearer": sums.Branches,
    "path": sums.Ways,
    "path_lengths": sums.Ways,
    "path_scaled": sums.Ways,
}


def grown(n, roots, seed):
    """A random tree of n numbers, each below an earlier one."""
    above = np.random.default_rng(seed).integers(0, np.maximum(np.arange(n), 1)).tolist()
    return {node: None if node < roots else above[node] for node in range(n)}


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("name", DISTANCES)
def test_many_labels_need_no_matrix(name, few, monkeypatch):
    """What many labels get sums as a matrix does, for all nodes and for some, one root and more."""
    for module in (forms, sums):
        monkeypatch.setattr(module, "BLOCK", 2000 if few else 50)
    for n, roots, n_labels in ((200, 1, 200), (200, 3, 60), (60, 60, 60)):
        rng = np.random.default_rng(n_labels)
        distance = DISTANCES[name][0](grown(n, roots, n))
        labels = rng.permutation(n)[:n_labels].tolist()
        form, places = distance.bind(labels, False), np.arange(n_labels)
        assert isinstance(form, MANY.get(name, Blocks) if few else Blocks)
        matrix = Matrix(form.between(places[:, None], places[None, :]))
        # one label with nearly everything, whole numbers and parts of one
        u, v = rng.random((2, 3, n_labels)) * 10.0 ** -rng.integers(0, 12, n_labels)
        u[0], v[1, 0] = rng.integers(0, 5, n_labels), 1e9
        np.testing.assert_allclose(form.times(v), matrix.times(v), rtol=1e-13)
        np.testing.assert_allclose(form.bilinear(u, v), matrix.bilinear(u, v), rtol=1e-13)
        np.testing.assert_allclose(form.times(v[0]), matrix.times(v[0]), rtol=1e-13)
        assert form.total() == pytest.approx(matrix.total(), rel=1e-13)
        assert form.largest == pytest.approx(matrix.largest, rel=1e-13)


@pytest.mark.parametrize("name", DISTANCES)
def test_coefficients_of_many_labels_are_those_of_a_matrix(name, monkeypatch):
    """From the tables on: pairs of labels for D_o, sums over marginals for D_e."""
    tree = grown(200, 2, 5)
    distance, rng = DISTANCES[name][0](tree), np.random.default_rng(5)
    labels = rng.permutation(200)
    above = np.array([tree[label] or 0 for label in labels])
    table = np.column_stack([labels, np.where(rng.random(200) < 0.5, labels, above)])
    data = af.Annotations.from_wide(table)
    expected = [af.agreement(data, c, distance=distance).value for c in ("alpha", "beta")]
    for module in (forms, sums):
        monkeypatch.setattr(module, "BLOCK", 2000)
    assert not isinstance(distance.bind(data.categories, False), Matrix)
    result = [af.agreement(data, c, distance=distance).value for c in ("alpha", "beta")]
    assert result == pytest.approx(expected, rel=1e-12)


# ---------------------------------------------------------------- trees


def as_paths(tree):
    """Write each node of a tree as a path from its root."""
    return {node: "/".join(reversed(slow.up(tree, node))) for node in tree}


@examples(50)
@given(tree=parents())
def test_a_tree_is_the_same_however_it_is_written(tree):
    """A mapping, a graph of either kind and paths give the same distances."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(tree)
    graph.add_edges_from((above, node) for node, above in tree.items() if above is not None)
    labels, paths = list(tree), as_paths(tree)
    expected = distances.tree_path(tree).matrix(labels)
    assert (distances.tree_path(graph).matrix(labels) == expected).all()
    assert (
        distances.tree_path(paths.values()).matrix([paths[x] for x in labels]) == expected
    ).all()
    roots = [node for node in tree if tree[node] is None]
    if len(roots) == 1:
        result = distances.tree_path(distances.tree(graph.to_undirected(), root=roots[0]))
        assert (result.matrix(labels) == expected).all()


@examples(50)
@given(tree=parents())
def test_nodes_stand_before_those_below_them(tree):
    """Places, ends, depths, leaves and ancestors say what the mapping says."""
    result = distances.tree(tree)
    assert set(result.labels) == set(tree)
    assert len(result) == len(tree)
    for place, label in enumerate(result.labels):
        assert label in result
        assert result.places([label]) == place
        assert result.depths[place] == len(slow.up(tree, label)) - 1
        assert result.n_leaves[place] == len(slow.leaves(tree, label))
        assert list(result.ancestors(label)) == slow.up(tree, label)[1:]
        below = result.labels[place : result.ends[place]]
        assert set(below) == {node for node in tree if label in slow.up(tree, node)}


def test_a_parent_that_is_nobodys_child_is_a_root():
    """Roots need not be listed; a tree shows how many it has."""
    assert repr(distances.tree({"a1": "a", "a2": "a", "b1": "b"})) == (
        "<tree of 5 labels: 2 roots, 3 leaves, depth 1>"
    )


@pytest.mark.breadth
def test_a_deep_tree_is_no_problem():
    """100,000 nodes below one another: no recursion, no square of the depth."""
    n = 100_000
    chain = distances.tree({i + 1: i for i in range(n)})
    assert distances.tree_path(chain).matrix([0, n])[0, 1] == n
    assert distances.wu_palmer(chain).matrix([n, n - 1])[0, 1] == pytest.approx(1 / (2 * n + 1))


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA], ids=repr)
def test_a_root_has_no_parent_however_it_is_written(missing):
    """As in two columns of a data frame, where the parent of a root is NaN."""
    grown = distances.tree({"top": missing, "A": "top", "other": missing})
    assert grown.labels == ("top", "A", "other")
    assert grown.parents.tolist() == [-1, 0, -1]


@pytest.mark.parametrize(
    ("source", "error", "text"),
    [
        ({"a": "b", "b": "c", "c": "b"}, ValueError, "'b' is below 'c' is below 'b'"),
        ({"a": "a"}, ValueError, "'a' is below 'a'"),
        ({i: (i + 1) % 100 for i in range(100)}, ValueError, r"3 is below \(93 more\) is below 97"),
        ({}, ValueError, "empty"),
        ([], ValueError, "empty"),
        ({"a": ["b"]}, TypeError, "the parent of 'a' must be a label"),
        (["a//b"], ValueError, "'a//b' has an empty step"),
        (["a/b", 3], TypeError, "path 3 is not text"),
        ("a/b", TypeError, "'a/b' is not a tree"),
        (7, TypeError, "7 is not a tree"),
        (networkx.DiGraph([("a", "c"), ("b", "c")]), ValueError, "'c' has two parents, 'a' and"),
        (networkx.DiGraph([("a", "b"), ("b", "a")]), ValueError, "cycle"),
        (networkx.Graph([("a", "b")]), ValueError, "pass root"),
    ],
)
def test_what_is_no_tree_says_so(source, error, text):
    """Cycles, two parents, empty steps and other things, each with its place."""
    with pytest.raises(error, match=text):
        distances.tree(source)


@pytest.mark.parametrize(
    ("edges", "root", "text"),
    [
        ([("a", "b"), ("b", "c"), ("c", "a")], "a", "cycle"),
        ([("a", "b"), ("c", "d")], "a", "no path from the root 'a' to 'c'"),
        ([("a", "b")], "z", "'z' is not in the graph"),
    ],
)
def test_an_undirected_graph_must_be_a_tree(edges, root, text):
    """Cycles, pieces, and a root that is not there."""
    with pytest.raises(ValueError, match=text):
        distances.tree(networkx.Graph(edges), root=root)


def test_a_root_goes_with_an_undirected_graph_only():
    """Whoever passes it elsewhere learns that it is not needed."""
    with pytest.raises(TypeError, match="undirected"):
        distances.tree({"a": "b"}, root="b")
    with pytest.raises(ValueError, match="undirected"):
        distances.tree(networkx.DiGraph([("a", "b")]), root="a")


def test_a_label_outside_the_tree_is_named():
    """With some of the labels that there are, and what to do."""
    data = af.Annotations.from_wide([["yn", "wh"], ["statement", "wh"]])
    with pytest.raises(ValueError, match=r"'statement' is not in the tree.*'question'"):
        af.alpha(data, distances.tree_path(SCHEME))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: distances.tree_path(SCHEME, lengths={"yn": -1}), "'yn' must be .*, not -1"),
        (
            lambda: distances.tree_path(SCHEME, lengths={"yn": float("nan")}),
            "'yn' must be .*, not nan",
        ),
        (lambda: distances.tree_path(SCHEME, lengths={"yn": "1"}), "'yn' must be .*, not '1'"),
        (lambda: distances.level_dependent(SCHEME, step="1"), "step must be .* not .1."),
        (lambda: distances.tree_path(SCHEME, lengths={"stop": 1}), "'stop' is not in the tree"),
        (lambda: distances.level_dependent(SCHEME, step=1.5), "step must be between 0 and 1"),
        (lambda: distances.level_dependent(SCHEME, correction=-1), "correction must be .* -1$"),
        (
            lambda: distances.level_dependent(SCHEME, correction=1.25),
            "not 1.25: to make deeper differences nearer, pass its inverse and deeper='nearer'",
        ),
        (lambda: distances.level_dependent(SCHEME, deeper="up"), "deeper must be 'farther' or"),
    ],
)
def test_bad_options_are_named(make, text):
    """Lengths and weights out of range."""
    with pytest.raises(ValueError, match=text):
        make()


def test_names_say_which_way_depth_counts():
    names = {
        distances.level_dependent(SCHEME, correction=correction, deeper=deeper).name
        for correction in (1, 0.5)
        for deeper in ("farther", "nearer")
    }
    assert names == {
        "level_dependent:0.75", "level_dependent:0.75:0.5", "level_dependent:0.75:0.5:nearer"
    }  # fmt: skip
