"""Standard errors: irrCAC's, the jackknife's, and what a pilot says about sample size."""

import math

import numpy as np
import pytest
import reference
import reference_inference
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast import agreement_by_group
from agreement_fast.inference import items_needed, standard_error

N = None
#: Gwet's four raters and twelve units; two raters with missing judgments; three without.
TABLES = {
    "UNITS": [
        (1, 1, N, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
        (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (N, 5, 5, 5), (N, N, 1, 1), (N, N, 3, N),
    ],
    "PAIRS": [
        (1, 1), (2, 2), (3, 1), (2, N), (1, 1), (N, 3), (2, 3), (3, 3), (1, 2), (2, 2), (3, 3),
        (N, 1), (2, 2), (1, 1),
    ],
    "FULL": [
        (1, 1, 2), (2, 2, 2), (3, 1, 3), (2, 2, 1), (1, 1, 1), (4, 3, 4), (2, 4, 4), (3, 3, 3),
        (1, 2, 1), (2, 2, 2),
    ],
}  # fmt: skip

# Printed by irrCAC 0.4.4 (numpy 2.4.6, scipy 1.17.1) for
#   irrCAC.raw.CAC(pandas.DataFrame(table, dtype=float), weights=weights, digits=12,
#                  categories=categories)
# as call()["est"]["coefficient_value"] and ["se"]. It asks for older scipy and pandas, so it cannot
# be a test dependency. Its multi-rater kappa with missing judgments is another coefficient.
IRRCAC = [
    ("UNITS", "bp", "identity", 0.772727272727, 0.144716619899),
    ("UNITS", "fleiss", "identity", 0.761169275422, 0.153019203469),
    ("UNITS", "krippendorff", "identity", 0.743421052632, 0.145573886985),
    ("UNITS", "gwet", "identity", 0.775444068127, 0.142949950641),
    ("UNITS", "bp", "quadratic", 0.901515151515, 0.110894374974),
    ("UNITS", "fleiss", "quadratic", 0.864935064935, 0.146033610757),
    ("UNITS", "krippendorff", "quadratic", 0.849107142857, 0.129129965715),
    ("UNITS", "gwet", "quadratic", 0.914000723552, 0.103962244645),
    ("UNITS", "bp", "linear", 0.848484848485, 0.123356124494),
    ("UNITS", "fleiss", "linear", 0.817944767097, 0.148504355499),
    ("UNITS", "krippendorff", "linear", 0.800383877159, 0.135477744125),
    ("UNITS", "gwet", "linear", 0.858739136433, 0.117329021881),
    ("PAIRS", "bp", "identity", 0.590909090909, 0.225869795797),
    ("PAIRS", "fleiss", "identity", 0.588811188811, 0.225991947136),
    ("PAIRS", "conger", "identity", 0.590909090909, 0.224031644255),
    ("PAIRS", "krippendorff", "identity", 0.60625, 0.212142771887),
    ("PAIRS", "gwet", "identity", 0.591950034698, 0.225971346578),
    ("PAIRS", "bp", "quadratic", 0.590909090909, 0.284702139662),
    ("PAIRS", "fleiss", "quadratic", 0.572363636364, 0.2906149993),
    ("PAIRS", "conger", "quadratic", 0.568066451315, 0.291995796579),
    ("PAIRS", "krippendorff", "quadratic", 0.585526315789, 0.284805581035),
    ("PAIRS", "gwet", "quadratic", 0.595041322314, 0.286012772864),
    ("PAIRS", "bp", "linear", 0.590909090909, 0.241922922792),
    ("PAIRS", "fleiss", "linear", 0.580748663102, 0.243874378566),
    ("PAIRS", "conger", "linear", 0.579797979798, 0.243528200969),
    ("PAIRS", "krippendorff", "linear", 0.596153846154, 0.233174000744),
    ("PAIRS", "gwet", "linear", 0.593501555479, 0.242726467834),
    ("FULL", "bp", "identity", 0.466666666667, 0.14515494772),
    ("FULL", "fleiss", "identity", 0.442724458204, 0.145076691315),
    ("FULL", "conger", "identity", 0.444444444444, 0.143879744141),
    ("FULL", "krippendorff", "identity", 0.461300309598, 0.145076691315),
    ("FULL", "gwet", "identity", 0.474196689387, 0.146761208027),
    ("FULL", "bp", "quadratic", 0.68, 0.130639452948),
    ("FULL", "fleiss", "quadratic", 0.602209944751, 0.14622999529),
    ("FULL", "conger", "quadratic", 0.60396039604, 0.144325925141),
    ("FULL", "krippendorff", "quadratic", 0.61546961326, 0.14622999529),
    ("FULL", "gwet", "quadratic", 0.712153518124, 0.141817440232),
    ("FULL", "bp", "linear", 0.573333333333, 0.133036707085),
    ("FULL", "fleiss", "linear", 0.513184584178, 0.130001549761),
    ("FULL", "conger", "linear", 0.515151515152, 0.128512825921),
    ("FULL", "krippendorff", "linear", 0.529411764706, 0.130001549761),
    ("FULL", "gwet", "linear", 0.597540525433, 0.143045248162),
]
NAMES = {
    "bp": "brennan_prediger", "fleiss": "alpha_prime", "conger": "beta",
    "krippendorff": "alpha", "gwet": "ac",
}  # fmt: skip
WEIGHTS = {"identity": "nominal", "quadratic": "interval", "linear": "linear"}


@pytest.mark.parametrize(("table", "method", "weights", "value", "error"), IRRCAC)
def test_irrcac_s_standard_errors(table, method, weights, value, error):
    result = standard_error(TABLES[table], NAMES[method], distance=WEIGHTS[weights], method="gwet")
    assert result.value == pytest.approx(value, abs=1e-11)
    assert result.standard_error == pytest.approx(error, abs=1e-11)
    if table == "FULL":
        plain = standard_error(TABLES[table], NAMES[method], distance=WEIGHTS[weights])
        # α's correction for small samples, which irrCAC's error leaves out, is 1 - 1/30
        factor = 29 / 30 if method == "krippendorff" else 1.0
        assert plain.standard_error == pytest.approx(error * factor, abs=1e-11)


def test_gwet_s_error_differs_only_if_an_item_has_a_single_judgment():
    table = [row for row in TABLES["UNITS"] if sum(x is not None for x in row) > 1]
    for name in ("brennan_prediger", "pi", "kappa", "ac"):
        delta, gwet = (standard_error(table, name, method=m) for m in ("delta", "gwet"))
        assert delta.standard_error == pytest.approx(gwet.standard_error, rel=1e-12)


def test_perfect_agreement_has_no_error_however_many_items_are_single():
    table = [(1, 1), (2, 2), (1, N), (2, 2), (N, 3), (3, 3)]
    for name in ("pi", "kappa", "alpha", "ac", "s"):
        result = standard_error(table, name)
        assert (result.value, result.standard_error) == (1.0, pytest.approx(0, abs=1e-15))
        if name != "alpha":
            assert standard_error(table, name, method="gwet").standard_error > 0.1


@examples(40)
@given(
    table=tables("scale"),
    name=st.sampled_from(["brennan_prediger", "alpha_prime", "beta", "alpha", "ac"]),
    which=st.sampled_from(["nominal", "ordinal", "interval"]),
)
def test_the_error_is_that_of_the_exact_derivatives(table, name, which):
    exact = getattr(reference, which)
    weights = list(table.frequencies)
    assume(reference_inference.value(table, exact, name, "published", weights) is not None)
    data = af.Annotations.from_wide(
        [list(row) for row in table.rows],
        weights=table.weights,
        categories=table.order,
        coders=range(table.n_coders),
    )
    result = standard_error(data, name, distance=which)
    least = 2 if name in ("brennan_prediger", "alpha") else 1
    slopes = reference_inference.slopes(table, exact, name, "published")
    sample = [
        (weight, slope)
        for weight, slope, item in zip(weights, slopes, table.items, strict=True)
        if weight and len(item) >= least
    ]
    n = sum(weight for weight, _ in sample)
    assert result.n_items == n
    if n < 2:
        assert math.isnan(result.standard_error)
        return
    mean = sum(weight * slope for weight, slope in sample) / n
    squares = sum(weight * (slope - mean) ** 2 for weight, slope in sample)
    exact = math.sqrt(squares * n / (n - 1))
    assert result.standard_error == pytest.approx(exact, rel=1e-9, abs=1e-11)


def test_the_error_is_near_the_bootstrap_s_on_many_items():
    from agreement_fast import bootstrap

    table = seeded(6, 2000, 4, [1, 2, 3, 4], missing=0.3)
    data = af.Annotations.from_wide([list(row) for row in table.rows])
    for name, distance in (("alpha", "ordinal"), ("kappa", "nominal"), ("ac", "interval")):
        drawn = bootstrap(data, name, distance=distance, n_resamples=4000, rng=2)
        result = standard_error(data, name, distance=distance)
        assert result.standard_error == pytest.approx(drawn.standard_error, rel=0.05)


def test_documents_as_the_sample():
    table = seeded(7, 40, 3, ["x", "y", "z"], missing=0.2)
    rows = [list(row) for row in table.rows]
    single = standard_error(rows, "pi", cluster=range(40))
    assert single.standard_error == pytest.approx(standard_error(rows, "pi").standard_error)
    # every item four times over is no more evidence, if the document is known
    fourfold = standard_error(rows * 4, "pi", cluster=[*range(40)] * 4)
    assert fourfold.standard_error == pytest.approx(single.standard_error, rel=1e-12)
    assert fourfold.n_items == 40
    assert standard_error(rows * 4, "pi").standard_error < 0.6 * single.standard_error


@pytest.mark.parametrize("name", ["brennan_prediger", "alpha_prime", "beta", "alpha", "ac"])
def test_a_document_moves_the_value_as_its_items_do(name):
    """Documents of one to five items: the derivative in one is the sum of those in its items."""
    table = seeded(7, 15, 3, ["x", "y", "z"], missing=0.2)
    of = [document for document in range(5) for _ in range(document + 1)]
    data = [list(row) for row in table.rows]
    slopes = reference_inference.slopes(table, reference.nominal, name, "published")
    whole = [sum(x for x, place in zip(slopes, of, strict=True) if place == i) for i in range(5)]
    mean = sum(whole) / 5
    exact = math.sqrt(sum((x - mean) ** 2 for x in whole) * 5 / 4)
    result = standard_error(data, name, cluster=of)
    assert result.n_items == 5
    assert result.standard_error == pytest.approx(exact, rel=1e-9)


def test_what_has_no_error():
    constant = standard_error([[1, 1], [1, 1]], "kappa")
    assert math.isnan(constant.standard_error)
    assert math.isnan(constant.low)
    assert constant.undefined.startswith("no variation:")
    nobody = standard_error([[1, N], [N, 2]], "alpha")
    assert nobody.undefined.startswith("no pairs:")
    one = standard_error([[1, 2], [N, N]], "pi")
    assert one.value == -1
    assert math.isnan(one.standard_error)
    with pytest.raises(ValueError, match="ordinal distance depends on the data"):
        standard_error([[1, 2], [2, 2]], "alpha", distance="ordinal", method="gwet")
    with pytest.raises(ValueError, match="'delta' or 'gwet'"):
        standard_error([[1, 2], [2, 2]], method="jackknife")
    with pytest.raises(ValueError, match="document for each of 2 items, got 3"):
        standard_error([[1, 2], [2, 2]], cluster=[1, 2, 3])


def test_the_repr_is_one_line():
    result = standard_error(TABLES["FULL"], "kappa")
    assert repr(result).startswith("<kappa(nominal) = 0.444444 ± 0.1439, ")
    assert "\n" not in repr(result)
    assert float(result) == result.value
    assert "no pairs" in repr(standard_error([[1, N], [N, 2]], "alpha"))
    # a level that is no whole percentage is not rounded to another one
    assert ", 97.5% interval" in repr(standard_error(TABLES["FULL"], confidence_level=0.975))


def test_items_for_an_error_or_a_width():
    pilot = standard_error(TABLES["FULL"], "kappa")
    assert items_needed(pilot, standard_error=pilot.standard_error) == pilot.n_items
    assert items_needed(pilot, standard_error=pilot.standard_error / 3) == 9 * pilot.n_items
    delta = standard_error(TABLES["FULL"], "kappa", method="delta")
    narrow = items_needed(delta, width=0.1)
    assert items_needed(delta, standard_error=0.05 / 1.959963984540054) == narrow
    assert items_needed(delta, width=0.1, confidence_level=0.99) > narrow
    # twice the items of the pilot, twice over: the formula says what doubling does
    rows = TABLES["FULL"] * 50
    assert standard_error(rows, "kappa").standard_error == pytest.approx(
        pilot.standard_error * math.sqrt(9 / 499), rel=1e-12
    )
    with pytest.raises(ValueError, match="one of standard_error and width"):
        items_needed(pilot)
    with pytest.raises(ValueError, match="one of standard_error and width"):
        items_needed(pilot, standard_error=0.1, width=0.1)
    with pytest.raises(ValueError, match=r"width must be .*, not -1"):
        items_needed(pilot, width=-1)
    perfect = standard_error([[1, 1], [2, 2]], "pi")
    with pytest.raises(ValueError, match="code more items first"):
        items_needed(perfect, standard_error=0.1)
    assert items_needed(perfect, width=0.1) > 20


@pytest.mark.parametrize("name", ["alpha", "kappa", "ac"])
def test_items_for_a_width_invert_the_interval(name):
    rows = TABLES["FULL"] * 8
    pilot = standard_error(rows, name, confidence_level=0.9)
    wide = pilot.high - pilot.low
    assert items_needed(pilot, width=wide, confidence_level=0.9) == pilot.n_items
    assert items_needed(pilot, width=wide * 0.999, confidence_level=0.9) > pilot.n_items
    assert items_needed(pilot, width=wide * 1.1, confidence_level=0.9) < pilot.n_items
    # so many items like these have an interval of this width
    for times in (2, 9, 100):
        many = standard_error(rows * times, name)
        needed = items_needed(standard_error(rows, name), width=many.high - many.low)
        assert needed == pytest.approx(many.n_items, rel=0.03)


def test_ten_thousand_distinct_ranks():
    rng = np.random.default_rng(3)
    numbers = rng.normal(size=(4000, 1)) + rng.normal(size=(4000, 3))
    result = standard_error(numbers, "alpha", distance="ordinal")
    assert 0.4 < result.value < 0.6
    assert 0.008 < result.standard_error < 0.016


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_both_ends_are_as_far_away_on_the_scale_of_atanh(level):
    """As far as the plain interval's, times the derivative of atanh."""
    for coefficient in ("alpha", "kappa"):
        plain, bent = (
            standard_error(
                TABLES["FULL"], coefficient, method="delta", transform=t, confidence_level=level
            )
            for t in ("none", "atanh")
        )
        reach = (plain.high - plain.value) / (1 - plain.value**2)
        assert plain.value - plain.low == pytest.approx(plain.high - plain.value)
        assert math.atanh(bent.high) - math.atanh(bent.value) == pytest.approx(reach)
        assert math.atanh(bent.value) - math.atanh(bent.low) == pytest.approx(reach)


@pytest.mark.parametrize("endless", [math.inf, -math.inf])
def test_infinite_numbers_are_named_with_their_place(endless):
    """Numbers too many to be counted into categories are refused as counted ones are."""
    table = np.random.default_rng(0).random((3000, 2))
    table[2001, 1] = endless
    for study in (
        lambda: standard_error(table, "alpha", distance="interval"),
        lambda: agreement_by_group(table, ["x"] * 3000, ["alpha"], ["interval"]),
    ):
        with pytest.raises(af.AgreementError, match=f"row 2001, column 1 has {endless}"):
            study()
