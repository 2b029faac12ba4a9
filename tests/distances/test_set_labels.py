"""Set labels: reading, and the distances that are made of those by name."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import reference_labelsets as slow
import scipy
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.distances import set_geometry as forms
from agreement_fast.reading.set_labels import from_indicators, from_masks
from agreement_fast.units import judgments

NAMES = sorted(slow.DISTANCES)
UNIVERSE = "abcde"
ALL = slow.subsets(UNIVERSE)

close = pytest.approx


# ---------------------------------------------------------------------- weights and senses


@pytest.mark.parametrize("name", NAMES)
def test_weighted_elements(name):
    weights = {"a": Fraction(1, 3), "b": 2, "c": 0.7, "d": 1, "e": 10}
    ours = distances.weighted(name, weights).matrix(ALL)
    exact = {e: Fraction(float(w)) for e, w in weights.items()}
    assert ours == close(np.array(slow.table(name, ALL, exact)), rel=1e-12)
    assert not np.diagonal(ours).any()


@pytest.mark.parametrize("name", NAMES)
def test_elements_of_equal_weight_change_nothing_but_the_unit(name):
    plain = distances.SETS[name].matrix(ALL)
    tripled = distances.weighted(name, dict.fromkeys(UNIVERSE, 3.0)).matrix(ALL)
    assert tripled == close(plain * (3 if name == "hamming" else 1), rel=1e-12)


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), "1", None])
def test_weights_are_positive(bad):
    with pytest.raises(ValueError, match="element 'b' has weight"):
        distances.weighted("jaccard", {"a": 1, "b": bad})


def test_weights_are_given_once_and_their_sum_is_finite():
    with pytest.raises(ValueError, match="has weights already"):
        distances.weighted(distances.weighted("jaccard", {"a": 1}), {"a": 2})
    with pytest.raises(ValueError, match="sum of the weights is not finite"):
        distances.weighted("jaccard", {"a": 1e308, "b": 1e308})


def test_a_group_is_a_label():
    for groups in ([["G"]], ["G", ["H"]], [["G"], "H"]):
        with pytest.raises(TypeError, match="the groups of 'a' are"):
            distances.extended("jaccard", {"a": groups})
    # one group needs no list, a number no more than text
    for group in ("G", b"G", 7):
        one, several = (distances.extended("jaccard", {"a": g, "b": g}) for g in (group, [group]))
        assert one.matrix(["a", "b"]).tolist() == several.matrix(["a", "b"]).tolist()


def test_every_element_has_a_weight():
    data = af.Annotations.from_wide([[{"a"}, {"b"}], [{"a"}, {"a", "b"}]])
    with pytest.raises(ValueError, match="no weight for element 'b'"):
        af.alpha(data, distances.weighted("jaccard", {"a": 1}))


CALL = {"WN1": "LABEL", "WN3": "LABEL", "WN19": "SEE", "WN22": "ADDRESS"}


def test_senses_of_call():
    """Artstein & Poesio 2005, 4.4, table 7: 2/3 within a group, 1/3 for a sense and its group."""
    labels = ["WN1", "WN3", "LABEL", "WN19"]
    matrix = distances.extended("passonneau", CALL).matrix(labels)
    assert matrix[0].tolist() == close([0, 2 / 3, 1 / 3, 1])


def test_sets_of_senses_extend_to_the_union():
    distance = distances.extended("jaccard", CALL | {"WN1": ["LABEL", "VERB"]})
    matrix = distance.matrix([{"WN1", "WN19"}, {"WN3"}, ("WN22",), "WN22"])
    assert matrix[0, 1] == close(1 - 1 / 6)  # {WN1 LABEL VERB WN19 SEE} and {WN3 LABEL}
    assert matrix[2, 3] == 0


def test_extended_senses_may_be_weighted():
    weights = {"WN1": 1, "WN3": 1, "LABEL": 2}
    distance = distances.extended(distances.weighted("jaccard", weights), CALL)
    assert distance.matrix(["WN1", "WN3"])[0, 1] == close(2 / 4)


def test_extended_labels_through_a_coefficient():
    rows = [["WN1", "WN3"], ["WN1", "LABEL"], ["WN19", "WN19"], ["WN22", "WN1"]]
    senses = {s: frozenset([s, *([CALL[s]] if s in CALL else [])]) for row in rows for s in row}
    sets = [[senses[s] for s in row] for row in rows]
    ours = af.alpha(af.Annotations.from_wide(rows), distances.extended("dice", CALL))
    assert ours.value == close(af.alpha(af.Annotations.from_wide(sets), "dice").value, rel=1e-14)


@pytest.mark.parametrize("wrong", ["nominal", "nonsense", 3, distances.interval, ["masi"]])
def test_what_is_made_of_a_set_distance_refuses_others(wrong):
    with pytest.raises(ValueError, match="needs a distance between sets"):
        distances.extended(wrong, {})


# ---------------------------------------------------------------------- reading

ROWS = [
    [{"a"}, {"a", "b"}, None],
    [set(), {"b"}, {"b"}],
    [{"b", "a"}, {"a", "b"}, {"c"}],
]
FROZEN = [[None if cell is None else frozenset(cell) for cell in row] for row in ROWS]
VALUE = af.alpha(af.Annotations.from_wide(FROZEN), "masi").value
ITEMS = [i for i in range(3) for _ in range(3)]
CODERS = [c for _ in range(3) for c in range(3)]
FLAT = [cell for row in ROWS for cell in row]
TEXT = [None if cell is None else "|".join(sorted(cell)) for cell in FLAT]
LISTS = [None if cell is None else sorted(cell) for cell in FLAT]


def reading(*, sets):
    """Annotations that hold the same judgments, however they came."""
    data = af.Annotations.from_long(ITEMS, CODERS, sets)
    assert data.n_judgments == 8
    assert frozenset() in data.categories or () in data.categories
    return data


@pytest.mark.parametrize(
    "kind",
    [frozenset, set, list, tuple, lambda s: np.fromiter(s, object, len(s))],
    ids=["frozenset", "set", "list", "tuple", "array"],
)
def test_labels_may_be_any_collection(kind):
    column = [None if cell is None else kind(sorted(cell)) for cell in FLAT]
    assert af.alpha(reading(sets=column), "masi").value == close(VALUE, rel=1e-14)
    wide = [column[i : i + 3] for i in (0, 3, 6)]
    assert af.alpha(af.Annotations.from_wide(wide), "masi").value == close(VALUE, rel=1e-14)
    assert af.alpha(wide, "masi").value == close(VALUE, rel=1e-14)


@pytest.mark.parametrize(
    "frame",
    [
        lambda: pd.DataFrame({"i": ITEMS, "c": CODERS, "l": LISTS}),
        lambda: pd.DataFrame({"i": ITEMS, "c": CODERS, "l": FLAT}),
        lambda: pl.DataFrame({"i": ITEMS, "c": CODERS, "l": LISTS}),
        lambda: pa.table({"i": ITEMS, "c": CODERS, "l": LISTS}),
    ],
    ids=["pandas lists", "pandas sets", "polars", "arrow"],
)
def test_list_columns_of_data_frames(frame):
    data = af.Annotations.from_frame(frame(), item="i", coder="c", label="l")
    assert af.alpha(data, "masi").value == close(VALUE, rel=1e-14)


def test_list_columns_of_one_length_are_still_labels():
    """An array of lists of equal length is no table."""
    frame = pl.DataFrame({"i": [1, 1, 2, 2], "c": [1, 2, 1, 2], "l": [["a"], ["a"], ["b"], ["a"]]})
    data = af.Annotations.from_frame(frame, item="i", coder="c", label="l")
    assert data.categories == (frozenset("a"), frozenset("b"))


@pytest.mark.parametrize(
    "frame",
    [
        lambda: pl.DataFrame({"A": LISTS[0::3], "B": LISTS[1::3], "C": LISTS[2::3]}),
        lambda: pa.table({"A": LISTS[0::3], "B": LISTS[1::3], "C": LISTS[2::3]}),
        lambda: pd.DataFrame({"A": FLAT[0::3], "B": FLAT[1::3], "C": FLAT[2::3]}),
    ],
    ids=["polars", "arrow", "pandas"],
)
def test_wide_frames_of_sets(frame):
    assert af.alpha(frame(), "masi").value == close(VALUE, rel=1e-14)


@pytest.mark.parametrize(
    "kind",
    [list, lambda x: np.array(x, object), pd.Series, pl.Series],
    ids=["list", "array", "pandas", "polars"],
)
def test_text_with_a_separator(kind):
    data = af.Annotations.from_long(ITEMS, CODERS, kind(TEXT), set_separator="|")
    assert af.alpha(data, "masi").value == close(VALUE, rel=1e-14)


def test_text_with_a_separator_in_every_reader():
    wide = [TEXT[i : i + 3] for i in (0, 3, 6)]
    frame = pd.DataFrame({"i": ITEMS, "c": CODERS, "l": TEXT})
    read = [
        af.Annotations.from_wide(wide, set_separator="|"),
        af.Annotations.from_wide(pd.DataFrame(wide), set_separator="|"),  # columns 0, 1, 2
        af.Annotations.from_frame(frame, item="i", coder="c", label="l", set_separator="|"),
        af.Annotations.from_triples(zip(CODERS, ITEMS, TEXT, strict=True), set_separator="|"),
    ]
    for data in read:
        assert set(data.categories) == {x for row in FROZEN for x in row if x is not None}
        assert af.alpha(data, "masi").value == close(VALUE, rel=1e-14)


def test_order_and_repetition_of_elements_do_not_matter():
    data = af.Annotations.from_wide([["b|a", "a|b|b"], ["c", "a"]], set_separator="|")
    assert data.categories == (frozenset("ab"), frozenset("c"), frozenset("a"))
    assert data.to_counts()[0].tolist() == [2, 0, 0]


def test_sets_are_written_with_their_elements_in_order():
    data = af.Annotations.from_wide([["d|c|b|a", ""]] * 2, set_separator="|")
    assert repr(data).endswith("frozenset({'a', 'b', 'c', 'd'}), frozenset())")


def test_empty_text_may_be_missing_instead():
    rows = [["a", ""], ["b", "b"]]
    assert af.Annotations.from_wide(rows, set_separator="|").n_judgments == 4
    assert af.Annotations.from_wide(rows, set_separator="|", missing=[""]).n_judgments == 3


def test_declared_sets():
    data = af.Annotations.from_wide(
        [["a", "a|b"]] * 3, set_separator="|", categories=[{"b"}, ["a", "b"], {"a"}]
    )
    assert data.categories == (frozenset("b"), frozenset("ab"), frozenset("a"))
    with pytest.raises(ValueError, match="not among the declared categories"):
        af.Annotations.from_wide([["a", "c"]] * 2, set_separator="|", categories=[{"a"}])


def test_blanks_around_elements_do_not_count():
    data = af.Annotations.from_wide([[" a | b", "a|b"], [" ", ""]], set_separator="|")
    assert data.categories == (frozenset("ab"), frozenset())


def test_categories_are_declared_as_labels_are_written():
    data = af.Annotations.from_wide(
        [["b|a", "a"]] * 2, set_separator="|", categories=["a", "a | b", {"c"}]
    )
    assert data.categories == (frozenset("a"), frozenset("ab"), frozenset("c"))


@pytest.mark.parametrize("bad", ["", 3])
def test_a_separator_is_text(bad):
    with pytest.raises(TypeError, match="set_separator must be text"):
        af.Annotations.from_wide([["a", "b"]] * 2, set_separator=bad)


@pytest.mark.parametrize("bad", ["a||b", "|", "a|", "a| |b"])
def test_an_element_without_a_name_is_an_error(bad):
    with pytest.raises(ValueError, match="has an empty element"):
        af.Annotations.from_wide([["a", bad]] * 2, set_separator="|")


def test_only_text_is_split():
    with pytest.raises(TypeError, match="label 3 is not text"):
        af.Annotations.from_wide([[3, 4], [4, 4]], set_separator="|")


def test_labels_that_are_no_sets_are_refused_with_a_remedy():
    with pytest.raises(ValueError, match="category 'a' is not a set: text is split by"):
        af.alpha([["a|b", "a"], ["a", "a"]], "masi")
    with pytest.raises(ValueError, match="category 4 is not a set"):
        af.alpha([[5, 4], [4, 4], [4, 5]], "jaccard")


def test_what_cannot_be_an_element():
    with pytest.raises(
        TypeError, match=r"item 1, coder 0 is not a set: an element cannot be hashed"
    ):
        af.Annotations.from_wide([[{"a"}, {"b"}], [[["a"]], {"a"}]])
    with pytest.raises(ValueError, match="missing value None as an element"):
        af.alpha([[{"a"}, {"b"}], [[None], {"a"}]], "masi")


# ---------------------------------------------------------------------- masks and indicators

ELEMENTS = ("a", "b", "c")


def indicators(dtype=float):
    """Items × coders × elements; the missing judgment is a row of NaN."""
    out = np.array([[[e in (cell or ()) for e in ELEMENTS] for cell in row] for row in ROWS], dtype)
    if out.dtype.kind == "f":
        out[0, 2] = np.nan
    return out


GONE = np.array([[cell is None for cell in row] for row in ROWS])


SAME = {
    "NaN": lambda: from_indicators(indicators(), ELEMENTS),
    "flags": lambda: from_indicators(indicators(bool), ELEMENTS, missing=GONE),
    "bytes": lambda: from_indicators(indicators(np.int8), missing=GONE),
    "rows": lambda: from_indicators(indicators().reshape(9, 3), ELEMENTS, n_coders=3),
    "sparse": lambda: from_indicators(
        sparse.csr_array(indicators(int).reshape(9, 3)), ELEMENTS, n_coders=3, missing=GONE
    ),
    "masked tensor": lambda: from_indicators(np.ma.masked_invalid(indicators()), ELEMENTS),
    "matrix": lambda: from_indicators(
        sparse.coo_matrix(indicators(int).reshape(9, 3)), n_coders=3, missing=GONE
    ),
    "masks": lambda: from_masks([[1, 3, -1], [0, 2, 2], [3, 3, 4]], ELEMENTS),
    "int8": lambda: from_masks(np.array([[1, 3, -1], [0, 2, 2], [3, 3, 4]], np.int8)),
    "masked": lambda: from_masks(np.ma.array([[1, 3, 9], [0, 2, 2], [3, 3, 4]], mask=GONE)),
    "uint64": lambda: from_masks(
        np.ma.array([[1, 3, 9], [0, 2, 2], [3, 3, 4]], mask=GONE, dtype=np.uint64) << 50
    ),
    "wide masks": lambda: from_masks(
        np.array([[1, 3, -1], [0, 2, 2], [3, 3, 4]]) * np.where(GONE, 1, 2**40)
    ),
}

if tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 15):  # older ones make no tensors
    SAME["sparse tensor"] = lambda: from_indicators(
        sparse.coo_array(indicators(int)), ELEMENTS, missing=GONE
    )


@pytest.mark.parametrize("make", SAME.values(), ids=SAME)
def test_masks_and_indicators(make):
    data = af.Annotations.from_wide(make())
    assert data.n_judgments == 8
    assert af.alpha(data, "masi").value == close(VALUE, rel=1e-14)
    assert af.beta(data, "hamming").value == close(
        af.beta(af.Annotations.from_wide(FROZEN), "hamming").value, rel=1e-14
    )


def test_columns_of_indicators():
    frame = pd.DataFrame(indicators().reshape(9, 3), columns=list(ELEMENTS))
    column = from_indicators(frame)
    data = af.Annotations.from_long(ITEMS, CODERS, column)
    assert set(data.categories) == {x for row in FROZEN for x in row if x is not None}
    assert af.alpha(data, "masi").value == close(VALUE, rel=1e-14)


@pytest.mark.parametrize("n_elements", [3, 16, 17, 64, 65, 130])
def test_random_sets_survive_masks_and_indicators(n_elements):
    rng = np.random.default_rng(n_elements)
    table = rng.random((40, 3, n_elements)) < 0.1
    expected = [[frozenset(np.flatnonzero(x).tolist()) for x in row] for row in table]
    words = -(-n_elements // 64)
    padded = np.zeros((40, 3, words * 64), bool)
    padded[..., :n_elements] = table
    masks = np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)
    if words == 1:
        masks = masks[..., 0]
    flat = sparse.csr_array(table.reshape(120, n_elements).astype(int))
    for column in (
        from_masks(masks, range(n_elements)),
        from_indicators(table),
        from_indicators(flat, n_coders=3),
    ):
        assert af.Annotations.from_wide(column).to_wide().tolist() == expected


def test_a_table_without_elements_has_empty_sets():
    column = from_indicators(np.zeros((3, 0)))
    assert af.Annotations.from_long([0, 0, 1], list("aba"), column).categories == (frozenset(),)


MALFORMED = {
    "bit masks must be an array of integers": lambda: from_masks([[0.5]]),
    "-2 is not a bit mask": lambda: from_masks([[-2, 1]]),
    "bit 2 is set": lambda: from_masks([[4, 1]], ["a", "b"]),
    "65 elements need 2 words": lambda: from_masks([1, 2], range(65)),
    "2 in row 0, column 1": lambda: from_indicators([[0, 2]]),
    "missing in part": lambda: from_indicators([[0, np.nan]]),
    "two or three dimensions": lambda: from_indicators([0, 1]),
    "one per column of the table, got 1": lambda: from_indicators([[0, 1]], ["a"]),
    "does not divide": lambda: from_indicators([[0, 1]], n_coders=2),
    "array of bool": lambda: from_indicators([[0, 1]], missing=[0]),
    "3 in row 0": lambda: from_indicators(sparse.csr_array([[0, 3]])),
    "pass it to from_long": lambda: af.Annotations.from_wide(from_masks([1])),
    "pass it to from_wide": lambda: af.Annotations.from_long([1], [1], from_masks([[1]])),
    "from_indicators": lambda: af.Annotations.from_wide(np.zeros((2, 2, 2))),
    "indicators must be 0 or 1, not": lambda: from_indicators(np.array([["a"]])),
    "'x'": lambda: from_indicators(np.array([["x", None]], object)),
    "no columns": lambda: from_indicators(pd.DataFrame()),
    "column of the frame holds text": lambda: from_indicators(pd.DataFrame({"a": ["x"]})),
}


@pytest.mark.parametrize("match", MALFORMED)
def test_malformed_sets_are_refused(match):
    with pytest.raises((TypeError, ValueError), match=match):
        MALFORMED[match]()


# ---------------------------------------------------------------------- spans


def span_tables():
    span = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda s: (min(s), max(s)))
    with_document = st.tuples(st.sampled_from("xy"), span).map(lambda s: (s[0], *s[1]))
    return st.one_of(
        *(st.lists(s, min_size=2, max_size=12, unique=True) for s in (span, with_document))
    )


@pytest.mark.few("jaccard", "masi", "hamming")
@pytest.mark.parametrize("name", NAMES)
@examples(40, deadline=None)
@given(labels=span_tables(), seed=st.integers(0, 99))
def test_spans_are_sets_of_words(name, labels, seed):
    sets = [slow.covered(s) for s in labels]
    matrix = np.array(slow.table(name, sets))
    assert distances.spans(name).matrix(labels) == close(matrix, rel=1e-12)
    swept = sweep(name, labels)
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, 3, (2, len(labels))).astype(float), rng.random((2, len(labels)))
    assert swept.bilinear(u, v) == close(((u @ matrix) * v).sum(1), rel=1e-12)
    assert swept.times(v) == close(v @ matrix, rel=1e-12)
    assert swept.total() == close(matrix.sum(), rel=1e-12)
    assert swept.largest == close(matrix.max(), rel=1e-12)


def sweep(name, labels):
    """The form that takes sums over spans without a matrix."""
    block, forms.BLOCK = forms.BLOCK, 0
    try:
        return distances.spans(name).bind(tuple(labels), False)
    finally:
        forms.BLOCK = block


def test_spans_in_seconds():
    matrix = distances.spans("jaccard").matrix([(0.5, 2.0), (1.0, 2.5)])
    assert matrix[0, 1] == close(0.5)


@pytest.mark.parametrize(
    ("label", "match"),
    [
        ((3, 1), "ends before it starts"),
        ("ab", "needs spans"),
        (("1", "2"), "needs spans"),
        ((0, None), "needs spans"),
        ((1, 2, 3, 4), "needs spans"),
        ((0, float("nan")), "needs spans"),
        (frozenset([1, 2]), "needs spans"),
        ((2**62, 2**62 + 4), "not exact"),
        ((10**30, 10**31), "not exact"),
    ],
)
def test_what_is_no_span_is_refused(label, match):
    with pytest.raises(ValueError, match=match):
        distances.spans("dice").matrix([(0, 1), label])


def test_spans_take_plain_distances():
    with pytest.raises(ValueError, match="plain distance"):
        distances.spans(distances.weighted("dice", {1: 1}))


def deixis(seed=3, n_expressions=60, n_coders=10, n_words=20_000):
    """Discourse deixis as Artstein & Poesio 2008, 4.4.3 describe it, drawn at random.

    The study's data are not published: expressions all over a long dialogue, antecedents a little
    before them, whose boundaries coders put at about the same, varying distance.
    """
    rng = np.random.default_rng(seed)
    at = np.sort(rng.choice(np.arange(200, n_words), n_expressions, replace=False))
    distance = rng.integers(10, 20, n_expressions)
    rows = []
    for position, usual in zip(at.tolist(), distance.tolist(), strict=True):
        row = []
        for _ in range(n_coders):
            start = position - usual - int(rng.integers(0, 25))
            row.append((start, max(start + 1, position - int(rng.integers(1, 12)))))
        rows.append(row)
    return af.Annotations.from_wide(rows), dict(enumerate(at.tolist()))


def test_absolute_and_relative_boundaries_of_one_study():
    """A&P 2008, 4.4.3: from 0.122 to 0.998, by the choice of what is measured."""
    data, at = deixis()
    absolute = [af.alpha(judgments(data, side), "interval").value for side in ("start", "end")]
    relative = [
        af.alpha(judgments(data, side, relative_to=at), "interval").value
        for side in ("start", "end")
    ]
    sets = [af.alpha(data, distances.spans(name)).value for name in ("jaccard", "dice")]
    assert min(absolute) > 0.998
    assert max(relative) < 0.2
    assert all(max(relative) < value < min(absolute) for value in sets)


def test_boundaries_keep_items_coders_weights_and_gaps():
    rows = [[(0, 2), None, (1, 3)], [None, None, None], [(4, 6), (4, 5), (4, 6)]]
    data = af.Annotations.from_wide(rows, items=list("xyz"), coders=list("ABC"), weights=[1, 2, 3])
    ends = judgments(data, "end", relative_to={"x": 1, "y": 0, "z": 2})
    assert ends.to_wide().tolist() == [[1, None, 2], [None, None, None], [4, 3, 4]]
    assert list(ends.items) == ["x", "y", "z"]
    assert ends.coders == ("A", "B", "C")
    assert ends.weights.tolist() == [1, 2, 3]


def test_boundaries_of_malformed_calls():
    data = af.Annotations.from_wide([[(0, 2), (1, 3)]] * 2)
    with pytest.raises(ValueError, match=r"item must be .*, not 'middle'"):
        judgments(data, "middle")
    with pytest.raises(ValueError, match="no position for item 1"):
        judgments(data, relative_to={0: 3})
    with pytest.raises(TypeError, match="mapping item"):
        judgments(data, relative_to=[3, 4])
    for bad in (float("nan"), "3"):
        with pytest.raises(ValueError, match="finite position for item 1, not"):
            judgments(data, relative_to={0: 3, 1: bad})


def test_annotations_are_made_of_indicators_and_masks():
    made = af.Annotations.from_masks(
        [[1, 3], [2, -1]], ["x", "y"], items=["i", "j"], coders=["A", "B"]
    )
    assert made.to_dict() == {
        "item": ["i", "i", "j"],
        "coder": ["A", "B", "A"],
        "label": [frozenset("x"), frozenset("xy"), frozenset("y")],
    }
    column = {"items": ["i", "i", "j"], "coders": ["A", "B", "A"]}
    assert af.Annotations.from_masks([1, 3, 2], ["x", "y"], **column).to_dict() == made.to_dict()
    flags = [[1, 0], [1, 1], [0, 1]]
    assert af.Annotations.from_indicators(flags, ["x", "y"], **column).to_dict() == made.to_dict()
    with pytest.raises(ValueError, match="needs the item and the coder of each row"):
        af.Annotations.from_masks([1, 3, 2], ["x", "y"])
