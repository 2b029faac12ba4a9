"""Distances between sets by name, and sums over them however sets are held."""

import math
import random
import re
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_labelsets as slow
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics import jaccard_distance, masi_distance
from nltk.metrics.agreement import AnnotationTask

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.distances import set_geometry as forms
from agreement_fast.distances.forms import Matrix
from agreement_fast.distances.set_geometry import Lists, Masks, bind_sets, geometry

NAMES = sorted(slow.DISTANCES)
UNIVERSE = "abcde"
ALL = slow.subsets(UNIVERSE)

#: Those that satisfy the triangle inequality, as the docs say.
METRIC = {"jaccard", "hamming", "masi"}

close = pytest.approx


# ---------------------------------------------------------------------- distances


@pytest.mark.parametrize("name", NAMES)
def test_every_pair_of_subsets_has_the_distance_of_the_definition(name):
    assert distances.SETS[name].matrix(ALL) == close(np.array(slow.table(name, ALL)), rel=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_equal_sets_are_exactly_0_apart_and_both_orders_agree(name):
    matrix = distances.SETS[name].matrix(ALL)
    assert not np.diagonal(matrix).any()
    assert (matrix == matrix.T).all()


def test_distances_of_sets_are_those_named_in_the_package():
    assert set(NAMES) == set(distances.SETS)


@pytest.mark.parametrize("name", NAMES)
def test_triangle_inequality_holds_where_the_docs_say_so(name):
    """Over all triples of subsets of five elements, in rational numbers."""
    rows = [[slow.DISTANCES[name](a, b) for b in ALL] for a in ALL]
    unit = math.lcm(*(x.denominator for row in rows for x in row))
    d = np.array([[int(x * unit) for x in row] for row in rows])
    holds = all((d <= d[:, [k]] + d[[k], :]).all() for k in range(len(ALL)))
    zero_apart = any(d[i, j] == 0 for i in range(len(ALL)) for j in range(i))
    assert (holds and not zero_apart) == (name in METRIC)
    row = re.search(rf"^{name} .*$", distances.__doc__, re.MULTILINE)[0]
    assert row.split()[-1] == ("yes" if name in METRIC else "no")


@pytest.mark.parametrize("name", sorted(METRIC))
def test_triangle_inequality_holds_for_larger_sets(name):
    """Over all triples of 150 sets of up to 30 elements, small, large and within each other."""
    rng = random.Random(7)
    sets = {frozenset(rng.sample(range(30), rng.choice([1, 2, 5, 15, 28]))) for _ in range(75)}
    sets |= {s - {min(s)} for s in sets}
    d = distances.SETS[name].matrix(sorted(sets, key=sorted))
    assert len(d) > 100
    for k in range(len(d)):
        assert (d <= d[:, [k]] + d[[k], :] + 1e-12).all()


@pytest.mark.parametrize(
    ("name", "theirs"), [("jaccard", jaccard_distance), ("masi", masi_distance)]
)
def test_nltk_agrees_on_sets_that_are_not_empty(name, theirs):
    sets = [s for s in ALL if s]
    ours = distances.SETS[name].matrix(sets)
    assert ours == close(np.array([[theirs(a, b) for b in sets] for a in sets]), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "theirs"), [("jaccard", jaccard_distance), ("masi", masi_distance)]
)
def test_nltk_agrees_on_alpha(name, theirs):
    rng = random.Random(11)
    rows = [
        [frozenset(rng.sample(UNIVERSE, rng.randint(1, 3))) for _ in range(3)] for _ in range(40)
    ]
    triples = [(c, i, said) for i, row in enumerate(rows) for c, said in enumerate(row)]
    expected = AnnotationTask(triples, theirs).alpha()
    assert af.alpha(af.Annotations.from_triples(triples), name).value == close(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "one_empty"),
    [(name, 1.0) for name in NAMES if name != "hamming"] + [("hamming", 3.0)],
)
def test_two_empty_sets_are_0_apart_and_one_is_1(name, one_empty):
    matrix = distances.SETS[name].matrix([frozenset(), ("x",) * 0, frozenset("xyz")])
    assert matrix.tolist() == [[0, 0, one_empty], [0, 0, one_empty], [one_empty, one_empty, 0]]


def test_published_values_of_masi():
    """Values that tell the formulas apart: Passonneau 2006, and A&P 2008's product."""
    sets = [{1}, {1, 2}, {2, 3}]
    masi = distances.masi.matrix(sets)
    assert masi[0, 1] == close(2 / 3)
    assert masi[1, 2] == close(8 / 9)
    product_of = distances.masi_product.matrix(sets)
    assert product_of[0, 1] == close(1 / 6)
    assert product_of[1, 2] == close(4 / 9)


def test_symmetric_difference_is_another_name_of_hamming():
    data = af.Annotations.from_wide([[{1}, {1, 2}], [{3}, {3}]])
    assert af.alpha(data, "symmetric difference".replace(" ", "_")).value == close(
        af.alpha(data, "hamming").value
    )


# ---------------------------------------------------------------------- coefficients


def label_sets(largest=6):
    return st.frozensets(st.sampled_from("uvwxyz"), max_size=largest)


@st.composite
def set_tables(draw):
    pool = draw(st.lists(label_sets(), min_size=2, max_size=6, unique=True))
    width = draw(st.integers(2, 4))
    cell = st.sampled_from([*pool, None])
    return draw(st.lists(st.tuples(*[cell] * width), min_size=1, max_size=8))


COEFFICIENTS = ["alpha", "alpha_prime", "beta", "brennan_prediger", "ac"]


@pytest.mark.few("jaccard", "masi", "hamming", "passonneau")
@pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")
@pytest.mark.parametrize("name", NAMES)
@examples(25, deadline=None)
@given(rows=set_tables(), mode=st.sampled_from(["matrix", "masks", "lists", "shared"]))
def test_coefficients_are_those_of_the_definition(name, rows, mode):
    """Through every form: a matrix, and sums over masks, lists and shared subsets without one."""
    cube = reference.Cube(
        reference.from_rows(rows),
        lambda categories, counts: slow.DISTANCES[name],
        coders=list(range(len(rows[0]))),
        categories=list(dict.fromkeys(x for row in rows for x in row if x is not None)),
    )
    distance = forced(name, mode)
    data = af.Annotations.from_wide(rows)
    for coefficient in COEFFICIENTS:
        expected = cube.named(coefficient).value
        ours = af.agreement(data, coefficient=coefficient, distance=distance)
        if expected is None:
            assert np.isnan(ours.value)
        else:
            assert ours.value == close(float(expected), rel=1e-12, abs=1e-12)


def value(data, coefficient, distance):
    """A coefficient's value."""
    return af.agreement(data, coefficient=coefficient, distance=distance).value


class Free:
    """Sums over pairs at once, taken whenever they can be."""

    cost = -1.0

    def __init__(self, shared):
        self.bilinear = shared.bilinear


def forced(name, mode, weights=None):
    """A distance whose sums use one method, at any cost."""

    def bind(result, declared, marginals=None):
        if mode == "matrix":
            return bind_sets(name, result, weights)
        held = geometry(list(result), weights, name != "hamming", lambda *_: mode != "masks")
        assert isinstance(held, Masks if mode == "masks" else Lists)
        held.shared = Free(held.shared) if mode == "shared" else None
        return forms.SetForm(held, forms.KINDS[name])

    return distances.Distance(name, bind)


def random_sets(seed, n, n_elements, largest):
    rng = random.Random(seed)
    sets = {frozenset(rng.sample(range(n_elements), rng.randint(0, largest))) for _ in range(n)}
    return sorted(sets, key=sorted)


WEIGHTS = {e: Fraction(e % 7 + 1, 4) for e in range(200)}


@pytest.mark.few
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_elements", [5, 64, 65, 200])
def test_masks_and_lists_give_the_sums_of_the_matrix(name, n_elements, weighted):
    """One word, 64 elements and the empty set besides, several words; rows of u and v."""
    sets = random_sets(n_elements, 60, n_elements, 5)
    weights = WEIGHTS if weighted else None
    matrix = np.array(slow.table(name, sets, weights))
    rng = np.random.default_rng(1)
    K = len(sets)
    u = rng.integers(0, 3, (3, K)).astype(float)
    v = rng.random((3, K))
    for mode in ("masks", "lists"):
        result = forced(name, mode, weights).bind(tuple(sets), False)
        assert result.bilinear(u, v) == close(((u @ matrix) * v).sum(1), rel=1e-12)
        assert result.bilinear(v[0], v[0]) == close(v[0] @ matrix @ v[0], rel=1e-12)
        assert result.bilinear(u, v[:1]) == close(((u @ matrix) * v[:1]).sum(1), rel=1e-12)
        assert result.times(v) == close(v @ matrix, rel=1e-12)
        assert result.times(v[1]) == close(matrix @ v[1], rel=1e-12)
        assert result.total() == close(matrix.sum(), rel=1e-12)
        assert result.largest == close(matrix.max(), rel=1e-12)
        places = np.arange(K)
        assert result.between(places[:, None], places) == close(matrix, rel=1e-12)
    bound = bind_sets(name, tuple(sets), weights)
    assert isinstance(bound, Matrix)
    assert bound.values == close(matrix, rel=1e-12)


@pytest.mark.few
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("n_sets", "n_elements", "largest"),
    [(1, 1, 1), (2, 2, 2), (70, 8, 8), (60, 40, 12), (9, 99, 64)],
)
def test_sums_at_once_are_exact(name, n_sets, n_elements, largest):
    """Small and large sets, many pairs that meet and few: counts of pairs lose nothing."""
    sets = random_sets(n_sets, n_sets, n_elements, largest)
    d = [[slow.DISTANCES[name](a, b) for b in sets] for a in sets]
    K, rng = len(sets), np.random.default_rng(n_sets)
    result = forced(name, "shared").bind(tuple(sets), False)
    u, v = rng.integers(0, 1000, (2, 3, K))
    v[1], u[2, : K // 2] = 0, 0
    exact = [
        sum(
            (int(u[r, i]) * int(v[r, j]) * Fraction(d[i][j]) for i in range(K) for j in range(K)),
            Fraction(),
        )
        for r in range(3)
    ]
    ulp = 2.0**-52
    assert result.bilinear(u, v) == close(np.array([float(x) for x in exact]), rel=ulp, abs=0)
    assert result.bilinear(u[0], v[0]) == close(float(exact[0]), rel=ulp, abs=0)
    assert result.bilinear(u[0] / 3 / 7, v[0] / 60) == close(float(exact[0] / 1260), rel=4 * ulp)
    assert result.total() == close(float(sum(map(sum, d))), rel=ulp, abs=0)


def test_what_can_not_be_counted_is_summed_set_by_set():
    """Numbers without a common unit, totals beyond 2^62, weighted elements and long sets."""
    sets = random_sets(3, 40, 10, 6)
    K, rng = len(sets), np.random.default_rng(3)
    matrix = np.array(slow.table("masi", sets))
    result = forced("masi", "shared").bind(tuple(sets), False)
    for u in (rng.random(K), np.full(K, 2.0**31), rng.integers(1, 2, K) + 2.0**-30 * rng.random(K)):
        assert result.bilinear(u, u) == close(u @ matrix @ u, rel=1e-14)
    assert geometry(sets, dict.fromkeys(range(10), 2), True).shared is None
    long = [frozenset(range(64)), frozenset(range(65))]
    assert geometry(long[:1], None, True).shared.cost < math.inf
    assert geometry(long, None, True).shared.cost == math.inf


def test_shares_of_items_of_several_sizes_have_a_unit():
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 10_000, (5, 50)).astype(float)
    counts[:, 0] = [1, 0, 0, 0, 0]
    shares = (counts / np.arange(2, 7)[:, None]).sum(0) / 12345
    result, unit = forms.whole_numbers(shares)
    assert (result == np.rint(result)).all()
    assert result * unit == close(shares, rel=1e-14)
    assert forms.whole_numbers(np.zeros(3)) == (close(np.zeros(3)), 1)
    assert forms.whole_numbers(np.array([1.0, math.pi])) is None
    assert forms.whole_numbers(np.array([61.0, 1.0]) / 61 * [1, 1.01]) is None


@pytest.mark.parametrize("name", NAMES)
def test_one_deviating_set_among_many_keeps_its_digits(name):
    """What chance leaves of nearly constant data is not a difference of large sums."""
    sets = (frozenset("ab"), frozenset("bc"), frozenset("d"))
    matrix = np.array(slow.table(name, sets))
    shares = np.array([1 - 3e-13, 1e-13, 2e-13])
    exact = 2 * float(
        sum(
            Fraction(shares[i]) * Fraction(shares[j]) * Fraction(matrix[i, j])
            for i in range(3)
            for j in range(i)
        )
    )
    for mode in ("matrix", "masks", "lists"):
        result = forced(name, mode).bind(sets, False)
        assert float(result.bilinear(shares, shares)) == close(exact, rel=1e-12)


@pytest.mark.few(every=2)
@pytest.mark.parametrize("name", ["masi", "hamming"])
def test_many_distinct_sets_need_no_matrix(name):
    """More sets than a matrix is made for: both ways of summing, on several threads, agree."""
    rng = random.Random(5)
    rows = [[frozenset(rng.sample(range(60), 3)) for _ in "AB"] for _ in range(1100)]
    data = af.Annotations.from_wide(rows)
    assert len(data.categories) ** 2 > forms.BLOCK
    values = [
        [value(data, c, forced(name, mode)) for c in ("alpha", "beta")]
        for mode in ("masks", "lists", "shared")
    ]
    assert values[0] == close(values[1], rel=1e-12)
    assert values[0] == close(values[2], rel=1e-12)
    matrix = distances.matrix(forced(name, "masks").matrix(data.categories))
    assert values[0] == close([value(data, c, matrix) for c in ("alpha", "beta")])


def test_the_cheaper_way_is_taken():
    """Masks are used if sets intersect often, lists if they rarely do."""
    dense = geometry([frozenset(s) for s in ALL], None, True)
    chains = [frozenset([(d, i) for i in range(3)]) for d in range(3000)]
    assert isinstance(dense, Masks)
    assert isinstance(geometry(chains, None, True), Lists)


@pytest.mark.few
@pytest.mark.parametrize("mode", ["matrix", "masks", "lists"])
@pytest.mark.parametrize("name", NAMES)
def test_the_largest_distance_where_all_sets_meet(name, mode):
    """No pair is disjoint, so that no bound ends the search."""
    sets = [s | {"always"} for s in ALL]
    assert forced(name, mode).bind(tuple(sets), False).largest == close(
        max(map(max, slow.table(name, sets))), rel=1e-14
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_sets_and_one_set(name):
    nothing = af.alpha(af.Annotations.from_wide([[None, None]] * 3), name)
    assert np.isnan(nothing.value)
    assert nothing.undefined
    alike = af.alpha(af.Annotations.from_wide([[{"a"}, {"a"}]] * 3), name)
    assert np.isnan(alike.value)
    assert alike.observed_disagreement == 0
    spans = af.alpha([[(1, 2), (1, 2)]] * 3, distances.spans(name))
    assert np.isnan(spans.value)


def test_a_bootstrap_over_sets_does_not_depend_on_how_they_are_held():

    rng = random.Random(2)
    rows = [[frozenset(rng.sample("abcd", rng.randint(0, 2))) for _ in "xy"] for _ in range(30)]
    data = af.Annotations.from_wide(rows)
    results = [
        af.bootstrap(data, "alpha", distance=forced("masi", mode), n_resamples=50, rng=1)
        for mode in ("matrix", "masks", "lists")
    ]
    assert results[0].low < results[0].value < results[0].high
    for other in results[1:]:
        assert other.replicates == close(results[0].replicates, rel=1e-12)


def test_every_pair_of_names_of_forms_is_listed():
    """`KINDS` of the kernel and the names of the package are the same."""
    assert set(forms.KINDS) == set(distances.SETS)
