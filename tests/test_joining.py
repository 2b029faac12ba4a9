"""Annotations in pieces: added up in any order and cut in any way, they are the whole.

Patterns are compared as sets of judgments by name (coder, label) with the number of their items, so
that neither the order of rows nor the codes of names matter; coefficients with rational arithmetic.
"""

import random
import weakref
from collections import Counter

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import Table, seeded, tables
from test_against_reference import CELLS, DISTANCES, assert_cells, close, long, wide

import agreement_fast as af
from agreement_fast import inference

# Pieces are a row or two: wider than long.
pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")

#: Pieces whose rows are numbered from 0 again.
renumbered = pytest.mark.filterwarnings("ignore:part .* and an earlier one have an item")

INCOMPLETE_ONLY = [cell for cell in CELLS if cell[2] != "complete"]
WITHOUT_CODERS = [cell for cell in INCOMPLETE_ONLY if cell[0] != "individual"]
HEAVY = 10**15


def patterns_of(data):
    """How many items have which judgments, by coder and label."""
    codes, weights = data.patterns()
    result = Counter()
    for row, weight in zip(codes.tolist(), weights.tolist(), strict=True):
        judgments = zip(data.coders, row, strict=True)
        result[frozenset((c, data.categories[k]) for c, k in judgments if k >= 0)] += weight
    return +result


def counts_of(data):
    """How many items have which counts of labels."""
    result = Counter()
    weights = [1] * data.n_rows if data.weights is None else data.weights.tolist()
    for row, weight in zip(data.to_counts().tolist(), weights, strict=True):
        result[frozenset((k, n) for k, n in zip(data.categories, row, strict=True) if n)] += weight
    return +result


def expected_patterns(table):
    """The same from the table itself."""
    result = Counter()
    for item, weight in zip(table.items, table.frequencies, strict=True):
        result[frozenset(item.items())] += weight
    return +result


def expected_counts(table):
    """The same from the table itself."""
    result = Counter()
    for item, weight in zip(table.items, table.frequencies, strict=True):
        result[frozenset(Counter(item.values()).items())] += weight
    return +result


def marginals_of(data):
    """How often each coder used each category, by name."""
    cells = zip(data.coders, data.coder_marginals().tolist(), strict=True)
    return Counter(
        {
            (coder, label): n
            for coder, row in cells
            for label, n in zip(data.categories, row, strict=True)
            if n
        }
    )


def cut(table, rng, *, shuffle=True, kinds=("wide", "narrow", "long", "array")):
    """Pieces of some rows each, in any order; they lack coders and categories here and there."""
    order = list(range(len(table.rows)))
    if shuffle:
        rng.shuffle(order)
    n_pieces = rng.randint(1, len(order))
    cuts = sorted(rng.sample(range(1, len(order)), n_pieces - 1))
    pieces = []
    for first, last in zip([0, *cuts], [*cuts, len(order)], strict=True):
        rows = [table.rows[i] for i in order[first:last]]
        weights = None if table.weights is None else [table.weights[i] for i in order[first:last]]
        if table.weights is None and rng.random() < 0.2:
            weights = [1] * len(rows)
        part = Table(tuple(rows), weights and tuple(weights), table.categories)
        kind = rng.choice(kinds)
        if kind == "long" and all(any(x is not None for x in row) for row in rows):
            pieces.append(long(part, gaps=False))
        elif kind == "wide":
            pieces.append(wide(part))
        else:
            pieces.append(narrow(part, rng, kind))
    return pieces


def narrow(table, rng, kind="narrow"):
    """A table without the coders who judged nothing in it, the others in any order."""
    used = [c for c in table.coders if any(row[c] is not None for row in table.rows)]
    used = used or table.coders[:1]
    rng.shuffle(used)
    rows = [[row[c] for c in used] for row in table.rows]
    if kind == "array":
        rows = np.array(rows, dtype=object).reshape(len(rows), len(used))
    return af.Annotations.from_wide(
        rows, coders=used, categories=table.categories, weights=table.weights
    )


# ---------------------------------------------------------------- any cutting, any order


@renumbered
@pytest.mark.few("words", "measurements")
@pytest.mark.parametrize("kind", ["words", "integers", "mixed", "measurements"])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_pieces_add_up_to_the_whole(kind, data, seed):
    """The patterns, the counts and every cell of pieces are those of the whole table."""
    table = data.draw(tables(kind))
    rng = random.Random(seed)
    pieces = [wide(Table(table.rows[:1], (0,), table.categories))]
    pieces += cut(table, rng)
    result = af.concat(pieces, keep_items=False)
    assert patterns_of(result) == expected_patterns(table)
    assert counts_of(result) == expected_counts(table)
    assert set(result.categories) == set(table.order)
    assert sorted(result.coders) == table.coders
    assert result.n_items == sum(table.frequencies)
    assert result.declared == (table.categories is not None)
    assert marginals_of(result) == marginals_of(wide(table))
    assert_cells(result, "nominal", table.cube())


@renumbered
@pytest.mark.few("nominal", "interval", "ratio")
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "linear", "ratio", "circular"])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_pieces_without_coders_give_all_that_needs_none(name, data, seed):
    """keep_coders=False keeps the counts of items and the marginals of coders."""
    distance, exact, labels = DISTANCES[name]
    table = data.draw(tables(labels))
    pieces = [wide(Table(table.rows[:1], (0,), table.categories))]
    pieces += cut(table, random.Random(seed))
    result = af.concat(pieces, keep_items=False, keep_coders=False)
    assert counts_of(result) == expected_counts(table)
    assert marginals_of(result) == marginals_of(wide(table))
    assert result.n_items == sum(table.frequencies)
    assert sorted(result.coders) == table.coders
    assert_cells(result, distance, table.cube(exact), INCOMPLETE_ONLY)


@renumbered
@pytest.mark.parametrize("keep_coders", [True, False])
@given(table=tables("words"), seed=st.integers(0, 2**32))
def test_merging_is_associative(keep_coders, table, seed):
    """Pieces of pieces, in any nesting: the same."""
    rng = random.Random(seed)
    pieces = [af.concat([p], keep_items=False, keep_coders=keep_coders) for p in cut(table, rng)]
    while len(pieces) > 1:
        rng.shuffle(pieces)
        n = rng.randint(2, len(pieces))
        merged = af.concat(pieces[:n], keep_items=False, keep_coders=keep_coders)
        pieces = [*pieces[n:], merged]
    flat = af.concat(cut(table, rng), keep_items=False, keep_coders=keep_coders)
    assert counts_of(pieces[0]) == counts_of(flat) == expected_counts(table)
    assert marginals_of(pieces[0]) == marginals_of(flat)
    if keep_coders:
        assert patterns_of(pieces[0]) == expected_patterns(table)


@given(table=tables("words"), seed=st.integers(0, 2**32))
def test_concatenated_pieces_are_the_whole(table, seed):
    """`concat` keeps the items, in the order of the pieces."""
    pieces = [wide(Table(table.rows[:1], (0,), table.categories))]
    pieces += cut(table, random.Random(seed), shuffle=False, kinds=("wide", "narrow", "array"))
    result = af.concat(pieces)
    assert patterns_of(result) == expected_patterns(table)
    assert result.n_rows == len(table.rows) + 1
    assert result.items == range(result.n_rows)
    assert counts_of(result) == expected_counts(table)
    places = [result.coders.index(c) for c in table.coders]
    assert result.to_wide()[1:, places].tolist() == [list(row) for row in table.rows]
    assert_cells(result, "nominal", table.cube())


@given(table=tables("words"), seed=st.integers(0, 2**32))
def test_counts_in_pieces_add_up(table, seed):
    """Agreement tables merge and concatenate as such."""
    rng = random.Random(seed)
    table = Table(table.rows, table.weights, tuple(table.order) or ("a",))
    order = list(range(len(table.rows)))
    rng.shuffle(order)
    pieces = [
        af.Annotations.from_counts(
            [table.counts[i]],
            categories=table.categories,
            weights=None if table.weights is None else [table.weights[i]],
        )
        for i in order
    ]
    for keep_coders in (True, False):
        result = af.concat(pieces, keep_items=False, keep_coders=keep_coders)
        assert result.coders is None
        assert counts_of(result) == expected_counts(table)
        assert_cells(result, "nominal", table.cube(), WITHOUT_CODERS)
    joined = af.concat(pieces)
    assert joined.to_counts().tolist() == [table.counts[i] for i in order]
    assert_cells(joined, "nominal", table.cube(), WITHOUT_CODERS)


@pytest.mark.parametrize("keep_coders", [True, False])
def test_contingency_tables_add_up(keep_coders):
    """Two coders' tables of several corpora are one table."""
    rng = np.random.default_rng(0)
    tables_of_counts = rng.integers(0, 50, (7, 3, 3))
    pieces = (
        af.Annotations.from_contingency(t, categories=list("abc"), coders=["x", "y"])
        for t in tables_of_counts
    )
    result = af.concat(pieces, keep_items=False, keep_coders=keep_coders)
    whole = af.Annotations.from_contingency(
        tables_of_counts.sum(0), categories=list("abc"), coders=["x", "y"]
    )
    assert result.n_items == tables_of_counts.sum()
    assert counts_of(result) == counts_of(whole)
    for name in ("s", "pi", "kappa", "alpha", "ac"):
        assert af.agreement(result, name).value == pytest.approx(
            af.agreement(whole, name).value, rel=1e-13
        )
    if keep_coders:
        np.testing.assert_array_equal(
            result.contingency_table("x", "y"), whole.contingency_table("x", "y")
        )


# ---------------------------------------------------------------- many coders


def crowd(seed, n_items, n_coders, judged):
    """Judgments of a crowd: three columns of integers."""
    rng = np.random.default_rng(seed)
    items = np.repeat(np.arange(n_items), judged)
    starts = rng.integers(0, n_coders, n_items)
    coders = (starts[:, None] + np.arange(judged) * 997).ravel() % n_coders
    return items, coders, rng.integers(0, 4, n_items * judged)


@pytest.mark.parametrize("keep_coders", [True, False])
def test_crowds_in_pieces_add_up(keep_coders):
    """10,000 coders and pieces with some dozens of them."""
    items, coders, labels = crowd(1, 600, 10_000, 3)
    rng = np.random.default_rng(2)
    pieces = []
    for some in np.array_split(rng.permutation(600), 23):
        mine = np.isin(items, some)
        pieces.append(af.Annotations.from_long(items[mine], coders[mine], labels[mine]))
    whole = af.Annotations.from_long(items, coders, labels)
    result = af.concat(pieces, keep_items=False, keep_coders=keep_coders)
    assert not result.rows.width
    assert set(result.coders) == set(whole.coders)
    assert counts_of(result) == counts_of(whole)
    assert marginals_of(result) == marginals_of(whole)
    of_items = [
        dict(zip(coders[i : i + 3].tolist(), labels[i : i + 3].tolist(), strict=True))
        for i in range(0, 1800, 3)
    ]
    cube = reference.Cube(of_items)
    assert_cells(result, "nominal", cube, [c for c in INCOMPLETE_ONLY if c[0] != "individual"])
    if keep_coders:
        assert patterns_of(result) == Counter(frozenset(item.items()) for item in of_items)
        joined = af.concat(
            [
                af.Annotations.from_long(items[a:b], coders[a:b], labels[a:b])
                for a, b in ((0, 600), (600, 1800))
            ]
        )
        assert patterns_of(joined) == patterns_of(result)
    kappa, exact = af.kappa(result), af.kappa(whole)
    assert kappa.value == pytest.approx(exact.value, rel=1e-13)
    assert kappa.expected_disagreement == pytest.approx(exact.expected_disagreement, rel=1e-13)


def test_patterns_that_repeat_are_stored_once():
    """A hundred pieces of the same rows are as large as one."""
    table = seeded(3, 200, 4, "abc", missing=0.1)
    pieces = (wide(Table(table.rows[i : i + 20])) for _ in range(20) for i in range(0, 200, 20))
    result = af.concat(pieces, keep_items=False)
    assert result.n_items == 4000
    assert result.n_rows == len(expected_patterns(table))
    assert result.items == range(result.n_rows)
    counted = af.concat([result], keep_items=False, keep_coders=False)
    assert counted.n_rows == len(expected_counts(table))
    assert counted.n_items == 4000


def test_pieces_are_let_go():
    """At no time are more than a few pieces in memory."""
    alive, most = weakref.WeakSet(), 0

    def pieces():
        nonlocal most
        for i in range(200):
            piece = af.Annotations.from_wide([[i % 3, 0], [1, i % 5]])
            alive.add(piece)
            yield piece
            del piece
            most = max(most, len(alive))

    assert af.concat(pieces(), keep_items=False).n_items == 400
    assert most <= 3


def test_the_missing_and_the_dropped_are_added_up():
    """What was missing, and which duplicates were left out, is counted over all pieces."""
    one = af.Annotations.from_wide([[1, None], [2, 2]])
    two = af.Annotations.from_long(
        list("xxxy"), ["a", "a", "b", "a"], [1, 2, None, 2], duplicates="first"
    )
    assert (one.missing_judgments, two.missing_judgments, two.duplicates_dropped) == (1, 1, 1)
    for result in (
        af.concat([one, two], keep_items=False),
        af.concat([one, two], keep_items=False, keep_coders=False),
        af.concat([one, two]),
    ):
        assert (result.missing_judgments, result.duplicates_dropped) == (2, 1)


def test_categories_of_pieces_are_one_sorted_list():
    """What occurs in any piece, in the order that a single table would have."""
    pieces = [af.Annotations.from_wide([[x, x]]) for x in (3, 10, 1, 2)]
    assert af.concat(pieces, keep_items=False).categories == (1, 2, 3, 10)
    assert af.concat(pieces).categories == (1, 2, 3, 10)
    declared = [af.Annotations.from_wide([[x, x]], categories=[10, 3, 1]) for x in (3, 10)]
    assert af.concat(declared, keep_items=False).categories == (10, 3, 1)
    assert af.concat(declared, keep_items=False).declared


def test_more_categories_than_a_byte_holds_in_all():
    """Each piece has codes of 8 bits, the whole needs 16."""
    pieces = [af.Annotations.from_wide([[i, i + 1], [i, i]]) for i in range(0, 400, 2)]
    result = af.concat(pieces, keep_items=False)
    assert len(result.categories) == 400
    expected = Counter()
    for i in range(0, 400, 2):
        expected[frozenset({(0, i), (1, i + 1)})] += 1
        expected[frozenset({(0, i), (1, i)})] += 1
    assert patterns_of(result) == expected


# ---------------------------------------------------------------- what cannot be merged


def added_up(parts):
    return af.concat(parts, keep_items=False)


def by_coders():
    """Annotations that know their coders."""
    return af.Annotations.from_wide([["a", "b"], ["b", "b"], ["a", "a"]])


def by_counts():
    """Annotations that do not."""
    return af.Annotations.from_counts([[1, 1], [0, 2]], categories=["a", "b"])


@pytest.mark.parametrize("keep_coders", [True, False])
@pytest.mark.parametrize(
    "pieces",
    [
        lambda: [by_coders(), by_counts()],
        lambda: [by_counts(), by_coders()],
        lambda: [by_counts(), by_counts(), by_coders(), by_coders()],
        lambda: [af.concat([by_coders()], keep_items=False, keep_coders=False), by_counts()],
    ],
    ids=["coders first", "counts first", "two of each", "let go"],
)
def test_counts_and_coders_do_not_merge(pieces, keep_coders):
    """The error says that some know their coders and some do not."""
    with pytest.raises(ValueError, match=r"coders.*counts|counts.*coders|keep_coders"):
        af.concat(pieces(), keep_items=False, keep_coders=keep_coders)
    with pytest.raises(ValueError, match=r"coders.*counts|counts.*coders|keep_coders"):
        af.concat(pieces())


@pytest.mark.parametrize("first", [True, False])
def test_what_was_let_go_cannot_be_kept(first):
    """Pieces of keep_coders=False and True merge only where coders are let go."""
    pieces = [af.concat([by_coders()], keep_items=False, keep_coders=False), by_coders()]
    pieces = pieces if first else pieces[::-1]
    with pytest.raises(ValueError, match="keep_coders=False"):
        af.concat(pieces, keep_items=False)
    result = af.concat(pieces, keep_items=False, keep_coders=False)
    assert counts_of(result) == {k: 2 * n for k, n in counts_of(by_coders()).items()}
    assert marginals_of(result) == {k: 2 * n for k, n in marginals_of(by_coders()).items()}


def test_no_pieces_are_an_error():
    """There is nothing to add up."""
    with pytest.raises(ValueError, match="at least one piece"):
        af.concat([], keep_items=False)
    with pytest.raises(ValueError, match="at least one piece"):
        af.concat(iter(()), keep_items=False, keep_coders=False)
    with pytest.raises(ValueError, match="at least one"):
        af.concat([])


def test_a_piece_of_another_type_is_named():
    """The error says which piece it is and what type it has."""
    with pytest.raises(TypeError, match=r"part 1 must be Annotations, not list"):
        af.concat([by_coders(), [["a", "b"]]], keep_items=False)
    with pytest.raises(TypeError, match=r"part 1 must be Annotations, not str"):
        af.concat([by_coders(), "a"])


def test_different_declared_categories_do_not_merge():
    """The error shows both lists."""
    one = af.Annotations.from_wide([["a", "b"]], categories=["a", "b"])
    two = af.Annotations.from_wide([["a", "b"]], categories=["b", "a"])
    for merge in (added_up, af.concat):
        with pytest.raises(ValueError, match=r"'b', 'a'.*'a', 'b'.*declare the same"):
            merge([one, two])


def test_an_item_of_two_parts_is_named():
    """The error says which, and where judgments of one item go together."""
    one = af.Annotations.from_wide([["a", "b"]], items=["i7"])
    with pytest.raises(ValueError, match=r"(?s)'i7'.*from_long"):
        af.concat([one, one])
    with pytest.warns(af.ReadHint, match="part 1 .* an item 'i7', which counts as two items"):
        assert af.concat([one, one], keep_items=False).n_items == 2


def test_named_and_numbered_items_concatenate():
    """Items that were never named are renumbered, also beside named ones."""
    unnamed = af.Annotations.from_wide([["a", "b"], ["b", "b"]])
    named = af.Annotations.from_wide([["a", "b"]], items=["i7"])
    result = af.concat([unnamed, unnamed, named])
    assert result.n_rows == 5
    assert len(set(result.items)) == 5
    assert result.items[4] == "i7"


LET_GO = {
    "select coders": lambda data: data.select(coders=[0]),
    "select items": lambda data: data.select(items=[0]),
    "to_wide": lambda data: data.to_wide(),
    "to_long": lambda data: data.to_long(),
    "patterns": lambda data: data.patterns(),
    "contingency_table": lambda data: data.contingency_table(0, 1),
    "contingency_tables": lambda data: data.contingency_tables(),
    "complete": lambda data: af.alpha(data, incomplete="complete"),
    "concat": lambda data: af.concat([data, data]),
    "asymmetric": lambda data: af.weighted_kappa(
        data, af.distances.matrix([[0, 1], [2, 0]], ["a", "b"])
    ),
}


@pytest.mark.parametrize("ask", LET_GO)
def test_what_needs_coders_says_that_they_were_let_go(ask):
    """The error names keep_coders=False, which can be changed."""
    data = af.concat([by_coders()], keep_items=False, keep_coders=False)
    with pytest.raises(ValueError, match="keep_coders=False"):
        LET_GO[ask](data)


def test_categories_of_counts_are_merged_or_refused():
    """Merging categories after accumulating is accumulating what was merged, or an error."""
    table = seeded(4, 60, 4, "abc", missing=0.2)
    data = af.concat([wide(table)], keep_items=False, keep_coders=False)
    merged = wide(table).merge_categories({"c": "a"})
    try:
        result = data.merge_categories({"c": "a"})
    except ValueError:
        with pytest.raises(ValueError, match="keep_coders=False"):
            data.merge_categories({"c": "a"})
        return
    assert counts_of(result) == counts_of(merged)
    assert marginals_of(result) == marginals_of(merged)
    assert af.kappa(result).value == pytest.approx(af.kappa(merged).value, rel=1e-13)


# ---------------------------------------------------------------- large weights


def heavy(row, weight, categories):
    """One pattern of any weight, added up from pieces of at most 10**15 items."""
    pieces = []
    digits, rest = divmod(weight, HEAVY)
    unit = af.Annotations.from_wide([row], categories=categories, weights=[HEAVY])
    while digits:
        if digits & 1:
            pieces.append(unit)
        digits >>= 1
        if digits:
            unit = af.concat([unit, unit], keep_items=False)
    pieces.append(af.Annotations.from_wide([row], categories=categories, weights=[rest]))
    return pieces


@pytest.mark.parametrize("keep_coders", [True, False])
@given(
    rows=st.lists(
        st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3),
        min_size=2,
        max_size=4,
    ),
    seed=st.integers(0, 2**32),
)
def test_totals_near_the_limit_of_64_bits_are_exact(keep_coders, rows, seed):
    """Weights near 2**62 / n: every cell is what fractions give, and no count is rounded."""
    rng = random.Random(seed)
    limit = (2**62 - 2**10) // (
        3 * len(rows)
    )  # floats, which the limit is computed from, lie 2**9 apart
    weights = [limit - rng.choice([0, 1, rng.randrange(limit)]) for _ in rows]
    weights[0] = rng.choice([1, weights[0]])
    table = Table(tuple(map(tuple, rows)), tuple(weights), ("a", "b", "c"))
    pieces = [p for row, w in zip(rows, weights, strict=True) for p in heavy(row, w, list("abc"))]
    rng.shuffle(pieces)
    result = af.concat(pieces, keep_items=False, keep_coders=keep_coders)
    assert result.n_items == sum(weights)
    assert result.n_judgments == sum(
        w * len(item) for item, w in zip(table.items, weights, strict=True)
    )
    assert counts_of(result) == expected_counts(table)
    cells = CELLS if keep_coders else INCOMPLETE_ONLY
    assert_cells(result, "nominal", table.cube(), cells)
    assert_cells(result, "rank_linear", table.cube(reference.rank_linear), cells)


def test_a_coder_of_nearly_all_judgments_keeps_the_others():
    """Coders 2 and 3 gave one judgment each, the first 7 · 10¹⁷: what is left is 3, and not 0."""
    weights = (1, 7 * 10**17)
    table = Table((("a", "a", "a"), ("b", None, None)), weights, ("a", "b", "c"))
    pieces = [
        piece
        for row, weight in zip(table.rows, weights, strict=True)
        for piece in heavy(row, weight, list("abc"))
    ]
    assert_cells(af.concat(pieces, keep_items=False), "nominal", table.cube(), CELLS)


@given(seed=st.integers(0, 2**32))
def test_many_heavy_rows_are_exact(seed):
    """4,000 judgments of items of nearly 10**15: pairs of judgments exceed 2**63, nothing wraps."""
    rng = random.Random(seed)
    kinds = [("a", "a"), ("a", "b"), ("b", "b"), ("b", None)]
    rows = [rng.choice(kinds) for _ in range(2000)]
    weights = [HEAVY - rng.randrange(1000) for _ in rows]
    merged = Counter()
    for row, weight in zip(rows, weights, strict=True):
        merged[row] += weight
    whole = Table(tuple(merged), tuple(merged.values()), ("a", "b"))
    data = af.Annotations.from_wide(rows, categories=["a", "b"], weights=weights)
    cube = whole.cube()
    for outcome in (
        data,
        af.concat([data], keep_items=False),
        af.concat([data], keep_items=False, keep_coders=False),
    ):
        assert outcome.n_items == sum(weights)
        cell = cube.named("alpha")
        result = af.alpha(outcome)
        assert result.n_items == cell.n_items
        assert close(result.observed_disagreement, cell.observed)
        assert close(result.expected_disagreement, cell.expected)
        kappa = cube.named("kappa")
        assert close(af.kappa(outcome).expected_disagreement, kappa.expected)
    table = data.contingency_table(0, 1)
    assert table.tolist() == [
        [merged["a", "a"], merged["a", "b"]],
        [0, merged["b", "b"]],
    ]


def doubled(data, times, keep_coders):
    """The same items 2**times over."""
    for _ in range(times):
        data = af.concat([data, data], keep_items=False, keep_coders=keep_coders)
    return data


@pytest.mark.parametrize("times", range(9, 20))
@pytest.mark.parametrize("keep_coders", [True, False])
def test_sums_of_weights_never_wrap(times, keep_coders):
    """Merged items that 64 bits cannot hold are an OverflowError, not a negative number."""
    rows = [("a", "a"), ("a", "b"), ("b", "b")]
    data = af.Annotations.from_wide(rows, weights=[HEAVY] * 3)
    n_judgments = 6 * HEAVY * 2**times
    if n_judgments < 2**62:
        result = doubled(data, times, keep_coders)
        assert result.n_items == 3 * HEAVY * 2**times
        assert af.alpha(result).value == pytest.approx(1 / 3, rel=1e-12)
        return
    with pytest.raises(OverflowError, match=r"64 bits.*divide the weights"):
        af.alpha(doubled(data, times, keep_coders))


def right_or_refused(ask, exact):
    """Say whether a count is exact, or an OverflowError says that it cannot be had."""
    try:
        return ask() == exact
    except OverflowError as error:
        return "64 bits" in str(error)


@renumbered
@pytest.mark.few
@pytest.mark.parametrize("n", [2_000, 10_000, 20_000, 40_000])
@pytest.mark.parametrize("form", ["array", "lists", "floats", "judgments", "counts"])
def test_counts_that_64_bits_cannot_hold_are_refused(form, n):
    """Items of 10**15 whose judgments are more than 2**62, in every form that takes weights."""
    weights = np.full(n, HEAVY)
    rows = np.tile(np.array([[0, 1], [0, 0]], np.int8), (n // 2, 1))

    def make():
        if form == "array":
            return af.Annotations.from_wide(rows, weights=weights)
        if form == "lists":
            return af.Annotations.from_wide(rows.tolist(), weights=weights)
        if form == "floats":
            return af.Annotations.from_wide(rows + np.arange(n)[:, None] / 8, weights=weights)
        if form == "judgments":
            items = np.repeat(np.arange(n), 2)
            coders = np.tile([0, 1], n)
            return af.Annotations.from_long(items, coders, rows.ravel(), weights=weights.repeat(2))
        return af.Annotations.from_counts(np.full((n, 2), 1), weights=weights)

    items, judgments = n * HEAVY, 2 * n * HEAVY
    assert right_or_refused(lambda: make().n_items, items)
    assert right_or_refused(lambda: make().n_judgments, judgments)
    assert right_or_refused(lambda: af.alpha(make(), "interval").n_items, items)
    assert right_or_refused(lambda: af.alpha(make(), "interval").n_judgments, judgments)
    assert right_or_refused(lambda: af.pi(make()).n_items, items)
    if form != "judgments":  # those items have names, which may not occur twice
        assert right_or_refused(lambda: af.concat([make(), make()]).n_items, 2 * items)
    assert right_or_refused(
        lambda: af.concat([make(), make()], keep_items=False).n_items, 2 * items
    )
    assert right_or_refused(
        lambda: af.concat([make()], keep_items=False, keep_coders=False).n_items, items
    )
    if form != "counts":
        assert right_or_refused(lambda: sum(make().contingency_table(0, 1).ravel().tolist()), items)
    if judgments >= 2**63:
        with pytest.raises(OverflowError, match=r"64 bits.*divide the weights"):
            af.alpha(make(), "interval")


def test_concatenated_items_that_64_bits_cannot_hold_are_refused():
    """Each part can be counted, all of them cannot."""
    part = af.Annotations.from_wide([("a", "b")] * 2000, weights=[HEAVY] * 2000)
    assert af.alpha(part).n_items == 2000 * HEAVY
    with pytest.raises(OverflowError, match="64 bits"):
        af.alpha(af.concat([part] * 10))
    with pytest.raises(OverflowError, match="64 bits"):
        af.alpha(af.concat([part] * 10, keep_items=False))


def test_counts_of_one_item_that_64_bits_cannot_hold_are_refused():
    """10,000 categories of 10**15 judgments each."""
    for width in (10_000, 20_000):
        with pytest.raises(OverflowError, match="64 bits"):
            af.alpha(af.Annotations.from_counts(np.full((2, width), HEAVY)))


TWO_SPELLINGS = {
    "types": ([[1, 2], [2, 2]], [["1", "2"], ["2", "2"]], r"1 = '1'; 2 = '2'; merge_categories"),
    "case": ([["Yes", "no"]], [["yes", "no "]], r"'Yes' = 'yes'; 'no' = 'no '; merge_categories"),
}


@pytest.mark.parametrize("join", [added_up, af.concat])
@pytest.mark.parametrize("kind", TWO_SPELLINGS)
def test_labels_that_differ_in_how_they_are_written_are_said_once(join, kind):
    """Pieces that are all right by themselves are not when they are together."""
    *tables, said = TWO_SPELLINGS[kind]
    pieces = [af.Annotations.from_wide(table) for table in tables]
    with pytest.warns(af.LabelHint, match=said) as caught:
        join(pieces)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    every = list(dict.fromkeys(label for table in tables for row in table for label in row))
    join([af.Annotations.from_wide(table, categories=every) for table in tables])  # as declared


def joined_by_long(one, other):
    return af.Annotations.from_long([1, 1, 2, 2], [*one, *other], list("abab"))


def joined_later(one, other):
    first = af.Annotations.from_long([1, 1], one, list("ab"))
    return first.with_judgments([2, 2], other, list("ab"))


def joined_by(join):
    def of_names(*names):
        return join(af.Annotations.from_wide([["a", "b"]], coders=some) for some in names)

    return of_names


JOINS = [joined_by_long, joined_later, joined_by(added_up), joined_by(af.concat)]


@pytest.mark.parametrize("join", JOINS, ids=["from_long", "with_judgments", "added up", "concat"])
@pytest.mark.parametrize(
    ("other", "said"), [(["ann", "Bea"], "'Ann' = 'ann'"), (["Bea ", 3], "'Bea' = 'Bea '")]
)
def test_coders_who_may_be_one_are_said_once(join, other, said):
    with pytest.warns(af.LabelHint, match=rf"names of coders differ .*: {said};") as caught:
        assert len(join(["Ann", "Bea"], other).coders) in (3, 4)
    assert len(caught) == 1


def test_what_is_no_list_of_annotations_is_named():
    """One of them, and names of files."""
    with pytest.raises(TypeError, match=r"got one: pass a list of them: af\.concat\("):
        af.concat(by_coders(), keep_items=False)
    with pytest.raises(TypeError, match=r"got one: pass a list of them: af\.concat\("):
        af.concat(by_coders())
    with pytest.raises(TypeError, match=r"part 0 must be Annotations, not str.*read_patterns"):
        af.concat(["monday.parquet"], keep_items=False)


def test_which_piece_is_counts_is_said():
    said = "part 1 has coders, but parts before it are counts without coders: read the "
    with pytest.raises(ValueError, match=said + "counts with .*coder_counts=.*keep_coders=False"):
        af.concat([by_counts(), by_coders()], keep_items=False)
    said = "parts before part 1 have coders, but it is counts without coders"
    with pytest.raises(ValueError, match=said):
        af.concat([by_coders(), by_counts()], keep_items=False)


def test_the_item_of_two_parts_is_said_in_a_clause():
    one = af.Annotations.from_wide([["a", "b"]], items=[1])
    with pytest.raises(ValueError, match=r"^item 1 is in two parts: join"):
        af.concat([one, one])


def test_patterns_have_no_documents():
    """A sequence or mapping would name the documents of patterns, and those have several."""
    data = af.Annotations.from_wide([["x", "x"], ["x", "y"], ["y", "y"], ["x", "y"]] * 2)
    documents = [0, 0, 1, 1, 2, 2, 3, 3]
    expected = inference.standard_error(data, cluster=documents)
    assert inference.standard_error(af.concat([data]), cluster=documents) == expected
    patterns = af.concat([data], keep_items=False)
    given = documents[: patterns.n_rows]
    merged = patterns.merge_categories({"x": "z"})
    with pytest.raises(ValueError, match="stands for several items"):
        inference.standard_error(merged, cluster=given)
    for cluster in (given, dict(enumerate(given))):
        with pytest.raises(ValueError, match=r"without names.*along=.*before concat"):
            inference.standard_error(patterns, cluster=cluster)
        with pytest.raises(ValueError, match=r"without names.*along=.*before concat"):
            af.bootstrap(patterns, cluster=cluster, rng=0)
    with pytest.raises(ValueError, match="stands for several items"):
        af.agreement_by_group(patterns, by=given)


def test_lazy_frames_know_documents_where_these_were_read_along():
    pl = pytest.importorskip("polars")
    said = {"item": [1, 1, 2, 2, 3, 3], "coder": list("abababa")[:6], "label": list("xxxyyy")}
    lazy = pl.DataFrame({**said, "doc": [1, 1, 1, 1, 2, 2]}).lazy()
    names = {"item": "item", "coder": "coder", "label": "label"}
    data = af.Annotations.from_frame(lazy, along="doc", **names)
    by_name = inference.standard_error(data, cluster="doc")
    assert inference.standard_error(data, cluster=list(data.along["doc"])) == by_name
    with pytest.raises(ValueError, match="stands for several items"):
        inference.standard_error(af.Annotations.from_frame(lazy, **names), cluster=[1, 1, 2])


def test_one_of_something_is_singular():
    data = af.Annotations.from_wide([["a", "a"]])
    assert "1 item, 2 judgments" in repr(af.alpha(data))
    assert (
        repr(af.concat([data, data], keep_items=False).patterns())
        == "<1 pattern of 2 items, 2 coders>"
    )
