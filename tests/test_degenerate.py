"""Data on which nothing, or nearly nothing, can be measured; and data that must be refused.

Undefined is NaN with a reason, never 1 by default: constant data carry no evidence that coders can
tell categories apart. Malformed input raises and names what is wrong, where, and the remedy.
"""

import datetime
import math

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import diagnostics

# Many tables here are a row or two: wider than long, as no real one is.
pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")

NAMES = ["s", "brennan_prediger", "pi", "alpha_prime", "kappa", "beta", "alpha", "ac"]
WITH_DISTANCE = ["brennan_prediger", "alpha_prime", "beta", "alpha", "ac"]
DISTANCES = ["nominal", "ordinal", "interval", "linear", "rank_linear", "ratio", "circular:5"]


def assert_undefined(result, reason):
    """The value is NaN and the reason is given in one sentence."""
    assert math.isnan(result.value), result
    assert math.isnan(float(result))
    assert result.undefined.startswith(f"{reason}:"), result.undefined
    assert "\n" not in result.undefined


# ---------------------------------------------------------------- one category only


@pytest.mark.parametrize("name", NAMES)
def test_one_category_only_has_no_variation(name):
    """D_e = 0: reliability cannot be judged; the observed agreement stays 1."""
    result = af.agreement([("a", "a", "a"), ("a", "a", None)], name)
    assert_undefined(result, "no variation")
    assert result.observed_disagreement == 0
    assert result.observed_agreement == 1
    assert result.expected_disagreement == 0


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("name", WITH_DISTANCE)
def test_one_number_only_has_no_variation(name, distance):
    """The same for every distance, also for a number that binary does not hold."""
    for number in (1, 0.1, 0):
        result = af.agreement([(number,) * 3] * 4, name, distance=distance)
        assert_undefined(result, "no variation")
        assert result.observed_disagreement == 0


@pytest.mark.parametrize("name", ["s", "brennan_prediger", "ac"])
def test_one_category_of_several_declared_is_perfect_where_chance_is_uniform(name):
    """With k >= 2 declared the expected disagreement of S, and of AC, does not vanish: 1."""
    data = af.Annotations.from_wide([("a", "a"), ("a", "a")], categories=["a", "b"])
    assert af.agreement(data, name).value == 1


@pytest.mark.parametrize("name", ["pi", "alpha_prime", "kappa", "beta", "alpha"])
def test_one_category_of_several_declared_has_no_variation_elsewhere(name):
    """What nobody used is no variation for chance models that look at what was used."""
    data = af.Annotations.from_wide([("a", "a"), ("a", "a")], categories=["a", "b"])
    assert_undefined(af.agreement(data, name), "no variation")


def test_constant_pairs_and_a_lone_deviation():
    """Alpha drops the lone judgment: no variation; pi and kappa of A&P count it and are 1."""
    data = [("a", "a"), ("a", "a"), ("b", None)]
    assert_undefined(af.alpha(data), "no variation")
    for name in ("pi", "kappa"):
        assert af.agreement(data, name).value == 1
        assert_undefined(af.agreement(data, name, incomplete="pairable"), "no variation")
        assert_undefined(af.agreement(data, name, incomplete="complete"), "no variation")


# ---------------------------------------------------------------- nothing to compare


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "rows",
    [
        [("a", None), (None, "b"), ("c", None)],
        [("a",), ("b",), ("a",)],
        [(None, None), (None, None)],
        [(float("nan"), None)],
        np.empty((0, 3)),
        np.full((2, 2), np.nan),
    ],
    ids=["no item judged twice", "one coder", "all None", "all NaN", "no items", "NaN array"],
)
def test_without_a_pair_of_judgments_nothing_is_defined(name, rows):
    """A well-formed table in which no item has two judgments: NaN, "no pairs"."""
    result = af.agreement(rows, name)
    assert_undefined(result, "no pairs")
    assert math.isnan(result.observed_disagreement)
    assert math.isnan(result.expected_disagreement)
    assert result.n_items == 0


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_list_of_judgments_has_no_pairs(name):
    """The long form without a line is well-formed, too."""
    assert_undefined(af.agreement(af.Annotations.from_long([], [], []), name), "no pairs")


@pytest.mark.parametrize("name", NAMES)
def test_weights_of_zero_leave_nothing(name):
    """Items that occur zero times do not occur."""
    data = af.Annotations.from_wide([("a", "b"), ("a", "a")], weights=[0, 0])
    assert_undefined(af.agreement(data, name), "no pairs")
    assert data.n_items == 0


@pytest.mark.parametrize("name", NAMES)
def test_no_complete_item_has_no_pairs_under_complete(name):
    """Items that every coder judged: there may be none."""
    data = [("a", "b", None), ("a", None, "a"), (None, "b", "b")]
    assert_undefined(af.agreement(data, name, incomplete="complete"), "no pairs")
    assert af.agreement(data, name).undefined is None


@pytest.mark.parametrize("rows", [[("a", None), (None, "b")], [("a",), ("b",)], [(None, None)]])
def test_observed_agreement_without_pairs_is_undefined(rows):
    """A proportion of nothing, with its error and interval."""
    result = af.observed_agreement(rows)
    assert result.undefined.startswith("no pairs:")
    for number in (result.value, result.standard_error, result.low, result.high):
        assert math.isnan(number)


def test_the_table_of_coefficients_reports_undefined_ones():
    """A report over thousands of slices must not stop at one of them."""
    constant = af.agreement_table([("a", "a"), ("a", "a")], NAMES)
    assert [result.undefined.split(":")[0] for result in constant] == ["no variation"] * len(NAMES)
    empty = af.agreement_table([("a", None), (None, "a")], NAMES)
    assert [result.undefined.split(":")[0] for result in empty] == ["no pairs"] * len(NAMES)
    assert "no variation" in str(constant) or "nan" in str(constant).lower()


# ---------------------------------------------------------------- the option


def test_undefined_can_raise():
    """undefined="raise" raises UndefinedError, a ValueError, with the reason."""
    assert issubclass(af.UndefinedError, ValueError)
    with pytest.raises(af.UndefinedError, match="no variation"):
        af.alpha([("a", "a")], undefined="raise")
    with pytest.raises(af.UndefinedError, match="no pairs"):
        af.kappa([("a", None)], undefined="raise")
    assert af.alpha([("a", "b"), ("b", "b")], undefined="raise").value < 1


@pytest.mark.parametrize("number", [1, 0, -1.5])
def test_undefined_can_be_a_number(number):
    """A number stands in for the value; the reason stays."""
    outcome = af.alpha([("a", "a")], undefined=number)
    assert outcome.value == number
    assert outcome.undefined.startswith("no variation:")
    table = af.agreement_table([("a", None)], NAMES, undefined=number)
    assert [result.value for result in table] == [number] * len(NAMES)


@pytest.mark.parametrize("wrong", ["ignore", None, [1]])
def test_an_unknown_way_with_undefined_is_refused(wrong):
    """The error names what is allowed."""
    with pytest.raises((ValueError, TypeError), match=r"undefined|nan"):
        af.alpha([("a", "b")], undefined=wrong)


# ---------------------------------------------------------------- next to nothing


@pytest.mark.parametrize("name", NAMES)
def test_a_single_item_of_agreement_has_no_variation(name):
    """One item, one label: 0/0."""
    assert_undefined(af.agreement([("a", "a")], name), "no variation")


@pytest.mark.parametrize(
    ("name", "value"),
    [("alpha", 0), ("kappa", 0), ("beta", 0), ("pi", -1), ("alpha_prime", -1), ("s", -1)],
)
def test_a_single_item_of_disagreement_follows_the_formula(name, value):
    """One item, two labels: alpha and kappa expect it, pi and S half of it."""
    result = af.agreement([("a", "b")], name)
    assert result.value == value
    assert result.observed_disagreement == 1


@pytest.mark.parametrize("n", [2, 10, 1000])
def test_one_deviating_judgment_in_constant_data_gives_alpha_zero(n):
    """Krippendorff: all but one judgment equal is alpha = 0, exactly what chance gives."""
    rows = [("a", "a", "a")] * (n - 1) + [("a", "b", "a")]
    assert af.alpha(rows).value == pytest.approx(0, abs=1e-13)
    assert af.pi(rows).value < 0


@pytest.mark.parametrize("name", ["kappa", "beta"])
def test_a_constant_coder_gives_kappa_zero(name):
    """A coder who always says the same agrees as often as by chance."""
    assert af.agreement([("a", "a"), ("a", "b"), ("a", "a")], name).value == 0


@pytest.mark.parametrize("name", WITH_DISTANCE)
def test_distances_of_zero_have_no_variation(name):
    """Labels vary, but nothing is apart from anything."""
    distance = af.distances.matrix(np.zeros((2, 2)), categories=["a", "b"])
    result = af.agreement([("a", "b"), ("b", "b")], name, distance=distance)
    assert_undefined(result, "no variation")
    assert result.observed_disagreement == 0


# ---------------------------------------------------------------- what is a label


def test_one_and_true_are_one_category():
    """1, 1.0 and True are equal in Python, so they are one label."""
    data = af.Annotations.from_wide([(1, 1.0, True), (0, False, 0.0), (1, 0, True)])
    assert len(data.categories) == 2
    plain = af.alpha([(1, 1, 1), (0, 0, 0), (1, 0, 1)])
    assert af.alpha(data).value == pytest.approx(plain.value, rel=1e-12)


@pytest.mark.parametrize(
    "missing",
    [
        None,
        float("nan"),
        np.float32("nan"),
        np.datetime64("NaT", "D"),
        np.ma.masked,
    ],
    ids=["None", "NaN", "numpy NaN", "NaT", "masked"],
)
def test_missing_values_of_all_kinds_are_missing(missing):
    """None, NaN, NaT and masked entries are no judgments, and never a category."""
    data = af.Annotations.from_wide([("a", "b"), ("a", missing), ("b", "b")])
    assert data.n_judgments == 5
    assert data.categories == ("a", "b")
    assert data.missing_judgments == 1


def test_missing_values_of_data_frames_are_missing():
    """pandas NA and NaT, polars null."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for frame in (
        pandas.DataFrame({"x": ["a", pandas.NA, "b"], "y": ["b", "b", None]}),
        pandas.DataFrame({"x": ["a", pandas.NaT, "b"], "y": ["b", "b", float("nan")]}),
        polars.DataFrame({"x": ["a", None, "b"], "y": ["b", "b", None]}),
    ):
        data = af.Annotations.from_wide(frame)
        assert (data.n_judgments, data.n_coders, data.n_items) == (4, 2, 3)
        assert list(data.coders) == ["x", "y"]
        assert data.categories == ("a", "b")


def test_minus_one_is_a_label_and_blank_texts_are_missing():
    """Minus one is missing if it is named, a blank text is none if it is declared."""
    assert af.Annotations.from_wide([(-1, 1), (-1, -1)]).categories == (-1, 1)
    assert af.Annotations.from_wide([("", "a"), (" ", "")]).categories == ("a",)
    blank = af.Annotations.from_wide([("", "a"), ("", "")], categories=["", "a"])
    assert (blank.categories, blank.n_judgments) == (("", "a"), 4)
    assert af.Annotations.from_wide(np.array([[-1, 1], [0, -1]])).categories == (-1, 0, 1)
    assert af.Annotations.from_wide([("", "a"), ("b", "")], missing=[""]).n_judgments == 2
    assert af.Annotations.from_wide([(-1, 1), (1, 1)], missing=[-1]).n_judgments == 3


def test_text_that_looks_like_missing_is_text():
    """ "nan", "None" and "NA" are labels like any others."""
    data = af.Annotations.from_wide([("nan", "None"), ("NA", "nan")])
    assert data.n_judgments == 4
    assert data.categories == ("NA", "None", "nan")


# ---------------------------------------------------------------- the same coder twice


def test_a_coder_who_judged_an_item_twice_is_refused():
    """The error names the coder and the item and says how to choose."""
    items, coders, labels = ["i1", "i1", "i2"], ["ann", "ann", "bob"], ["a", "b", "a"]
    with pytest.raises(ValueError, match=r"(?s)ann.*i1|i1.*ann"):
        af.Annotations.from_long(items, coders, labels)
    with pytest.raises(ValueError, match="duplicates="):
        af.Annotations.from_long(items, coders, labels)


def test_a_coder_who_repeats_the_same_label_is_refused_too():
    """Equal duplicates are duplicates: nothing is dropped in silence."""
    with pytest.raises(ValueError, match="ann"):
        af.Annotations.from_triples([("ann", "i", "a"), ("ann", "i", "a"), ("bob", "i", "b")])


@pytest.mark.parametrize(("which", "label"), [("first", "a"), ("last", "c")])
def test_the_first_or_last_of_several_judgments_can_be_kept(which, label):
    """On request one is kept, and the dropped ones are counted."""
    data = af.Annotations.from_long(
        ["i", "i", "i", "i"], ["ann", "ann", "bob", "ann"], list("abbc"), duplicates=which
    )
    assert data.duplicates_dropped == 2
    assert sorted(data.to_wide().tolist()[0]) == sorted([label, "b"])


# ---------------------------------------------------------------- labels a distance cannot take


@pytest.mark.parametrize("distance", ["interval", "quadratic", "linear", "ratio", "circular:5"])
@pytest.mark.parametrize("rows", [[("a", "b"), ("b", "b")], [("1", "2"), ("2", "2")]])
def test_text_is_refused_by_distances_of_numbers(distance, rows):
    """Never a silent fall back to nominal; digit strings are text."""
    with pytest.raises((ValueError, TypeError), match=r"number|numeric"):
        af.alpha(rows, distance)


@pytest.mark.parametrize("distance", ["ordinal", "rank_linear", "rank_quadratic"])
def test_text_without_an_order_is_refused_by_distances_of_ranks(distance):
    """Never silently alphabetical: the order must be declared."""
    rows = [("low", "high"), ("mid", "mid"), ("low", "mid")]
    with pytest.raises((ValueError, TypeError), match="categories"):
        af.alpha(rows, distance)
    data = af.Annotations.from_wide(rows, categories=["low", "mid", "high"])
    numbers = [(0, 2), (1, 1), (0, 1)]
    assert af.alpha(data, distance).value == pytest.approx(af.alpha(numbers, distance).value)


def test_ratio_refuses_negative_values():
    """The scale has none; 0 against 0 is distance 0."""
    with pytest.raises(ValueError, match=r"-1"):
        af.alpha([(-1, 1), (2, 2)], "ratio")
    result = af.alpha([(0, 0), (0, 3), (3, 3)], "ratio")
    assert result.observed_disagreement == pytest.approx(1 / 3, rel=1e-12)


def test_bipolar_refuses_values_outside_its_poles():
    """Values must lie between the two poles, which count."""
    with pytest.raises(ValueError, match="11"):
        af.alpha([(0, 10), (11, 3), (3, 3)], "bipolar:0:10")
    assert af.alpha([(0, 0), (10, 10), (0, 10)], af.distances.bipolar(0, 10)).undefined is None


@pytest.mark.parametrize("distance", ["interval", "linear", "ratio", "circular:5"])
def test_infinite_values_are_refused_by_distances_of_numbers(distance):
    """Infinity has no distance; as a nominal label it is fine."""
    rows = [(1.0, math.inf), (2.0, 2.0)]
    with pytest.raises(ValueError, match=r"inf"):
        af.alpha(rows, distance)
    assert af.alpha(rows).undefined is None


@pytest.mark.parametrize(
    "distance",
    [
        "circular:0",
        "circular:-3",
        "circular:x",
        "circular",
        "bipolar:5:1",
        "bipolar:1",
        "intervall",
    ],
)
def test_malformed_distances_are_refused(distance):
    """A period is positive, the poles are in order, the name exists."""
    with pytest.raises((ValueError, TypeError)):
        af.alpha([(1, 2), (2, 2)], distance)


# ---------------------------------------------------------------- matrices of weights


ASYMMETRIC = [[0, 1, 3], [2, 0, 1], [4, 1, 0]]
LABELS = ["a", "b", "c"]
PAIRED = [("a", "b"), ("b", "a"), ("c", "a"), ("a", "a"), ("b", "b"), ("c", "c"), ("a", "c")]


@pytest.mark.parametrize("name", WITH_DISTANCE)
def test_asymmetric_weights_are_refused_where_coders_are_interchangeable(name):
    """Alpha, alpha', beta and the others need a distance (A&P 2005, section 2.5)."""
    three_coders = [(*row, "a") for row in PAIRED]
    rows = three_coders if name == "beta" else PAIRED  # beta of two coders is weighted_kappa
    for weights in (ASYMMETRIC, [[1, 1, 2], [1, 0, 1], [2, 1, 0]]):
        with pytest.raises(ValueError, match=r"symmetric|diagonal"):
            af.agreement(rows, name, distance=af.distances.matrix(weights, categories=LABELS))


def test_asymmetric_weights_are_accepted_by_weighted_kappa_and_the_order_of_coders_matters():
    """Cohen 1968, two coders: rows are the first, so exchanging the coders transposes."""
    weights = af.distances.matrix(ASYMMETRIC, categories=LABELS)
    transposed = af.distances.matrix(np.transpose(ASYMMETRIC), categories=LABELS)
    rows = [("a", "b"), ("a", "b"), ("c", "a"), ("b", "b"), ("c", "c"), ("a", "a")]
    exchanged = [row[::-1] for row in rows]
    result = af.weighted_kappa(rows, weights)
    # D_o = (1 + 1 + 4) / 6; shares of the first a 3/6, b 1/6, c 2/6, of the second 2/6, 3/6, 1/6
    assert result.observed_disagreement == pytest.approx(1, rel=1e-12)
    expected = (3 * (3 * 1 + 1 * 3) + 1 * (2 * 2 + 1 * 1) + 2 * (2 * 4 + 3 * 1)) / 36
    assert result.expected_disagreement == pytest.approx(expected, rel=1e-12)
    assert af.weighted_kappa(exchanged, transposed).value == pytest.approx(result.value, rel=1e-12)
    # in the other order D_o = (2 + 2 + 3) / 6
    other = af.weighted_kappa(exchanged, weights)
    assert other.observed_disagreement == pytest.approx(7 / 6, rel=1e-12)
    assert abs(other.value - result.value) > 1e-3


@pytest.mark.parametrize("coders", [1, 3])
def test_asymmetric_weights_need_exactly_two_coders(coders):
    """Rows are the first coder, columns the second: there is no third."""
    weights = af.distances.matrix(ASYMMETRIC, categories=LABELS)
    rows = [("a", "b", "c")[:coders], ("b", "b", "a")[:coders]]
    data = af.Annotations.from_wide(rows, categories=LABELS)
    with pytest.raises(ValueError, match="two coders"):
        af.weighted_kappa(data, weights)


def test_weights_of_agreement_are_refused_with_a_hint():
    """1 on the diagonal means agreement, not distance: use 1 - w."""
    weights = [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    for name in ("alpha", "weighted_kappa"):
        with pytest.raises(ValueError, match="1 - w"):
            af.agreement(PAIRED, name, distance=af.distances.matrix(weights, categories=LABELS))


@pytest.mark.parametrize(
    "weights",
    [
        [[0, -1, 1], [-1, 0, 1], [1, 1, 0]],
        [[0, math.nan, 1], [math.nan, 0, 1], [1, 1, 0]],
        [[0, math.inf, 1], [math.inf, 0, 1], [1, 1, 0]],
        [[0, 1], [1, 0]],
        [[0, 1, 1], [1, 0, 1]],
        [["a", "b"], ["b", "a"]],
    ],
    ids=["negative", "NaN", "infinite", "too small", "not square", "text"],
)
def test_malformed_matrices_are_refused(weights):
    """Distances are finite, not negative, and there is one for each pair of categories."""
    with pytest.raises((ValueError, TypeError)):
        af.alpha(PAIRED, af.distances.matrix(weights, categories=LABELS))


@pytest.mark.parametrize("distance", [[[0, 1e308], [1e308, 0]], lambda a, b: 1e308 * (a != b)])
def test_distances_whose_sums_overflow_are_refused(distance):
    with pytest.raises(ValueError, match=r"is more than 1e\+100, too large to be summed"):
        af.alpha([["x", "y"], ["x", "x"], ["y", "y"]], distance)


def test_a_matrix_that_lacks_a_label_is_refused():
    """The error names the label."""
    distance = af.distances.matrix([[0, 1], [1, 0]], categories=["a", "b"])
    with pytest.raises(ValueError, match="'c'"):
        af.alpha(PAIRED, distance)
    with pytest.raises(ValueError, match="c"):
        af.alpha(PAIRED, af.distances.matrix({"a": {"b": 1}, "b": {"a": 1}}))


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: -1 if a != b else 0,
        lambda a, b: math.nan,
        lambda a, b: int(a < b),
        lambda a, b: 1,
        lambda a, b: "far",
    ],
    ids=["negative", "NaN", "asymmetric", "diagonal", "text"],
)
def test_a_function_that_is_no_distance_is_refused(function):
    """What a Python function returns is checked like a matrix."""
    with pytest.raises((ValueError, TypeError)):
        af.alpha(PAIRED, function)


# ---------------------------------------------------------------- malformed tables


@pytest.mark.parametrize(
    "weights", [[1, -1], [1, 0.5], [1], [1, 2, 3], [1, 10**16], [1, math.nan], ["1", "2"], 3]
)
def test_malformed_weights_are_refused(weights):
    """Frequencies are one non-negative integer an item, up to 1e15."""
    with pytest.raises((ValueError, TypeError), match="weight"):
        af.Annotations.from_wide([("a", "b"), ("b", "b")], weights=weights)


def test_whole_floats_are_weights():
    """2.0 is the integer 2."""
    rows = [("a", "b"), ("b", "b")]
    assert af.Annotations.from_wide(rows, weights=[2.0, 3.0]).n_items == 5


def test_a_label_that_was_not_declared_is_refused():
    """The error names the label, its coder and its item, and the categories."""
    with pytest.raises(ValueError, match=r"(?s)'x'.*") as error:
        af.Annotations.from_wide(
            [("a", "b"), ("b", "x")], categories=["a", "b"], items=["i1", "i2"], coders=["c1", "c2"]
        )
    assert "i2" in str(error.value)
    assert "c2" in str(error.value)


def test_declared_categories_must_differ():
    """A category declared twice is a mistake."""
    with pytest.raises(ValueError, match="a"):
        af.Annotations.from_wide([("a", "b")], categories=["a", "b", "a"])


@pytest.mark.parametrize("rows", [[("a", "b"), ("a",)], ["ab", "c"], "text", 5, None])
def test_malformed_tables_are_refused(rows):
    """A table has rows of equal length."""
    with pytest.raises((ValueError, TypeError)):
        af.Annotations.from_wide(rows)


@pytest.mark.parametrize(
    "counts", [[[1, -1]], [[1, 0.5]], [[1, 2], [1]], [1, 2], [["a", "b"]], [[1, math.nan]]]
)
def test_malformed_counts_are_refused(counts):
    """An agreement table holds one non-negative integer for each item and category."""
    with pytest.raises((ValueError, TypeError)):
        af.Annotations.from_counts(counts)


@pytest.mark.parametrize(
    "table", [[[1, 2, 3], [4, 5, 6]], [[1, -1], [0, 1]], [1, 2], [[1, 0.5], [1, 1]]]
)
def test_malformed_contingency_tables_are_refused(table):
    """Two coders' counts are a square table of non-negative integers."""
    with pytest.raises((ValueError, TypeError)):
        af.Annotations.from_contingency(table)


def test_parts_of_the_long_form_must_be_of_one_length():
    """Items, coders and labels are parallel."""
    with pytest.raises(ValueError, match=r"items has 2 entries, labels has 1"):
        af.Annotations.from_long(["i", "j"], ["x", "y"], ["a"])


def test_weights_of_one_item_must_not_differ():
    """An item has one frequency, however many judgments give it."""
    with pytest.raises(ValueError, match="weight"):
        af.Annotations.from_long(list("iij"), list("xyx"), list("aab"), weights=[1, 2, 1])


@pytest.mark.parametrize(
    "ask",
    [
        lambda data: data.coder_marginals(),
        lambda data: data.contingency_table(0, 1),
        lambda data: data.to_wide(),
        lambda data: data.to_long(),
        lambda data: data.select(coders=[0]),
        lambda data: af.agreement(data, "kappa"),
        lambda data: af.agreement(data, "beta", distance="interval"),
    ],
    ids=["marginals", "contingency", "wide", "long", "select", "kappa", "beta"],
)
def test_counts_refuse_what_needs_coders(ask):
    """An agreement table does not say who judged, and the error says so."""
    with pytest.raises(ValueError, match="coder"):
        ask(af.Annotations.from_counts([[2, 1], [0, 3]]))


def test_unknown_names_are_refused():
    """Coefficients, distances, ways with incomplete items, chance models and item weights."""
    rows = [("a", "b"), ("b", "b")]
    with pytest.raises(ValueError, match="kapa"):
        af.agreement(rows, "kapa")
    with pytest.raises(ValueError, match="nominall"):
        af.alpha(rows, "nominall")
    with pytest.raises(ValueError, match="listwise"):
        af.alpha(rows, incomplete="listwise")
    with pytest.raises(ValueError, match="even"):
        af.agreement(rows, chance="even", item_weight="items")
    with pytest.raises(ValueError, match="coders"):
        af.agreement(rows, chance="pooled", item_weight="coders")
    data = af.Annotations.from_wide(rows, items=["i", "j"], coders=["x", "y"])
    with pytest.raises((ValueError, KeyError), match="z"):
        data.select(coders=["z"])
    with pytest.raises((ValueError, KeyError), match="k"):
        data.select(items=["k"])
    with pytest.raises((ValueError, KeyError), match="z"):
        data.contingency_table("x", "z")


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
def test_confidence_levels_outside_0_to_1_are_refused(level):
    """95 is not 0.95."""
    with pytest.raises(ValueError, match="confidence"):
        af.observed_agreement([("a", "b"), ("b", "b")], confidence_level=level)


def test_dates_are_labels():
    """Any hashable label is a category; dates sort."""
    early, late = datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)
    data = af.Annotations.from_wide([(late, early), (early, early)])
    assert data.categories == (early, late)
    with pytest.raises((ValueError, TypeError)):
        af.alpha(data, "interval")


def test_sets_and_tuples_are_labels():
    """Frozen sets and tuples are labels, never another dimension of the table."""
    one, two = frozenset({1}), frozenset({1, 2})
    data = af.Annotations.from_wide([(one, two), (two, two), (one, one)])
    assert (data.n_items, data.n_coders, len(data.categories)) == (3, 2, 2)
    plain = af.alpha([("a", "b"), ("b", "b"), ("a", "a")])
    assert af.alpha(data).value == pytest.approx(plain.value, rel=1e-12)
    pairs = af.Annotations.from_long(list("iijj"), list("xyxy"), [(1, 2), (1, 2), (3, 4), (1, 2)])
    assert set(pairs.categories) == {(1, 2), (3, 4)}


def test_labels_that_cannot_be_compared_are_refused():
    """A mapping is no label: the error says so."""
    with pytest.raises(TypeError):
        af.Annotations.from_long(["i", "i"], ["x", "y"], [{1: 1}, {2: 2}])


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("name", ["interval", "linear", "ratio"])
@pytest.mark.parametrize("factor", [1e300, 1e-200])
def test_numbers_whose_squares_no_float_holds_are_refused(name, factor, many):
    """Squares that overflow, or vanish so that labels look equal: an error that says what to do."""
    table = np.array([[1.5, 2.5], [2.5, 2.5], [1.5, 1.5]] * (2000 if many else 1))
    expected = af.alpha(table, name).value
    with pytest.raises(ValueError, match=rf"distance {name}: .* multiply the labels by a common"):
        af.alpha(table * factor, name)
    assert af.alpha(table * 1e130, name).value == pytest.approx(expected)
    assert af.alpha(table * 1e-130, name).value == pytest.approx(expected)


@pytest.mark.parametrize("name", ["interval", "linear", "ratio"])
def test_an_integer_that_no_float_holds_is_refused(name):
    """Digits are counted, not printed."""
    expected = f"distance {name}: expected numbers below 1e308, got one of 401 digits"
    with pytest.raises(ValueError, match=expected):
        af.alpha([[1, 10**400], [1, 1]], name)


def test_coders_left_out_of_nobody():
    """A table without coders has none to leave out, under any distance."""
    for name in ("nominal", "ordinal"):
        assert diagnostics.coder_report(np.zeros((3, 0)), distance=name).coders == ()
