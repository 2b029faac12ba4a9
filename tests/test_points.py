"""Every name that people know a coefficient by is taken wherever a name is; a few are functions."""

import inspect
import pickle

import pytest

import agreement_fast as af
from agreement_fast import inference
from agreement_fast.points import COEFFICIENTS, Point, chosen, named

DATA = af.Annotations.from_wide(
    [["a", "a", "b"], ["b", "b", "b"], ["a", "c", "a"], ["c", "c", "c"]]
)
ALIASES = [(alias, row.name) for row in COEFFICIENTS.values() for alias in row.aliases]
#: The aliases that are functions, too; the others are names of coefficients only.
FUNCTIONS = {"cohen_kappa", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha", "weighted_kappa"}
#: Names that promise another distance than nominal.
WEIGHTED = ["weighted_kappa", "weighted_s", "ac2", "gwet_ac2"]
#: In numbers, so that every distance fits.
NUMBERS = [[1, 1, 2], [2, 2, 2], [1, 3, 1], [3, 3, 3]]


@pytest.mark.few(every=3)
@pytest.mark.parametrize(("alias", "name"), ALIASES)
def test_an_alias_is_taken_wherever_a_name_is(alias, name):
    distance = "linear" if alias in WEIGHTED else "nominal"
    expected = af.agreement(NUMBERS, name, distance=distance)
    assert af.agreement(NUMBERS, alias, distance=distance) == expected
    assert af.agreement(NUMBERS, alias.upper(), distance=distance).coefficient == name
    assert inference.standard_error(NUMBERS, alias, distance=distance).value == expected
    assert af.diagnose(NUMBERS, alias, distance=distance).agreement.coefficient == name
    assert [point.name for point in chosen([alias], [distance], coders_known=True)] == [name]


@pytest.mark.parametrize("written", [*WEIGHTED, "WEIGHTED KAPPA", "Weighted kappa", "AC2"])
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (af.agreement, "distance='quadratic', 'linear' or 'ordinal'"),
        (inference.standard_error, "distance='quadratic', 'linear' or 'ordinal'"),
        (af.bootstrap, "distance='quadratic', 'linear' or 'ordinal'"),
        (
            lambda data, name: af.agreement_table(data, [name]),
            "distance='quadratic', 'linear' or 'ordinal'",
        ),
    ],
)
def test_a_name_that_promises_a_distance_needs_one(written, call, expected):
    with pytest.raises(ValueError, match="needs a distance") as caught:
        call(NUMBERS, written)
    assert str(caught.value) == f"{written} needs a distance: pass {expected}"


def test_a_name_that_promises_a_distance_has_no_nominal_row():
    table = af.agreement_table(NUMBERS, ["weighted kappa", "beta"], ["nominal", "linear"])
    assert [(one.coefficient, one.distance) for one in table] == [
        ("beta", "linear"), ("beta", "nominal"), ("beta", "linear"),
    ]  # fmt: skip
    assert af.beta(NUMBERS) == af.agreement(NUMBERS, "beta")
    assert af.beta(NUMBERS, "linear") == af.weighted_kappa(NUMBERS, "linear")
    assert af.agreement(NUMBERS, "beta").value == af.kappa(NUMBERS).value


@pytest.mark.parametrize(("alias", "name"), ALIASES)
def test_few_aliases_are_functions(alias, name):
    if alias not in FUNCTIONS:
        assert alias not in dir(af)
        assert af.COEFFICIENTS[alias] is af.COEFFICIENTS[name]
        if alias.isascii() and alias.isidentifier():
            with pytest.raises(AttributeError, match=f"use af.{name}\\(data.*\\) or af.agreement"):
                getattr(af, alias)
        return
    function = getattr(af, alias)
    weights = {"distance": "nominal"} if alias == "weighted_kappa" else {}
    assert function(DATA, **weights) == af.agreement(DATA, name)
    result = function(["a", "b", "a"], ["a", "b", "b"], **weights)
    assert result == getattr(af, name)([0, 1, 0], [0, 1, 1])
    assert function.__name__ == alias
    assert inspect.getdoc(function).split("\n")[0].endswith(".")
    assert function.__doc__ != getattr(af, name).__doc__ or alias == "weighted_kappa"
    assert pickle.loads(pickle.dumps(function)) is function
    parameters = inspect.signature(function).parameters
    takes_distance = "distance" in parameters
    assert takes_distance == (not named(name).nominal_only and alias != "gwet_ac1")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("KALPHA", "alpha"), ("Krippendorff", "alpha"), ("Krippendorff's alpha", "alpha"),
        ("Krippendorff’s Alpha", "alpha"), ("krippen.alpha.raw", "alpha"), ("kripp.alpha", "alpha"),
        ("cohens_kappa", "kappa"), ("Cohen's kappa", "kappa"), ("cohen_kappa_score", "kappa"),
        ("conger.kappa.raw", "kappa"), ("Fleiss' kappa", "pi"), ("fleiss.kappa.raw", "pi"),
        ("Fleiss Multirater Kappa", "pi"), ("kappam.fleiss", "pi"), ("Scott's Pi", "pi"),
        ("gwet.ac1.raw", "ac"), ("Gwet's AC1", "ac"), ("bp.coeff.raw", "brennan_prediger"),
        ("Bennett's S", "s"), ("ScottPiAgreement", "pi"), ("FleissKappaAgreement", "pi"),
        ("HubertKappaAgreement", "kappa"), ("BennettSAgreement", "s"),
        ("RandolphKappaAgreement", "s"), ("KrippendorffAlphaAgreement", "alpha"),
    ],
)  # fmt: skip
def test_what_other_programs_write_is_understood(written, name):
    assert named(written).name == name
    assert af.agreement(DATA, written).coefficient == name


@pytest.mark.parametrize("written", ["Fleiss", "Cohen", "Gwet", "kappa2", "Light's kappa", "a.b"])
def test_what_could_mean_several_is_not_guessed(written):
    with pytest.raises(ValueError, match="is not known"):
        named(written)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("kappa2", "or af.weighted_kappa(data, 'quadratic')"),
        ("kappam.light", "pairwise_agreement(data).mean"),
        ("Light's kappa", "pairwise_agreement(data).mean"),
        ("pa.coeff.raw", "observed_agreement"),
        ("PercentageAgreement", "observed_agreement"),
        ("percent agreement", "observed_agreement"),
        ("Fleiss", "the kappa of Fleiss; use af.fleiss_kappa(data)"),
        ("unheard of", "docs/crosswalk.md"),
    ],
)
def test_what_is_found_elsewhere_is_pointed_to(written, expected):
    with pytest.raises(ValueError, match="is not known") as caught:
        named(written)
    assert expected in str(caught.value)


def test_the_names_of_irrcac_hold_with_weights_too():
    numbers = [[1, 2], [2, 2], [3, 1], [3, 3]]
    for written, name in [("gwet.ac1.raw", "ac"), ("bp.coeff.raw", "brennan_prediger")]:
        result = af.agreement(numbers, written, distance="interval")
        assert result == af.agreement(numbers, name, distance="interval")


def test_ac1_refuses_a_distance():
    with pytest.raises(ValueError, match="with the distance interval use ac2"):
        af.agreement([[1, 2], [2, 2]], "ac1", distance="interval")
    with pytest.raises(TypeError):
        af.gwet_ac1([[1, 2], [2, 2]], distance="interval")


def test_what_is_listed_are_the_public_names():
    public = {name for name in dir(af) if not name.startswith("_")}
    assert public >= set(af.__all__) - {"__version__"}
    for name in public:
        assert getattr(af, name) is not None
    assert not {"importlib", "extend_path", "ModuleType", "annotations"} & public


def test_a_point_says_what_it_is_made_of():
    point = Point.of("krippendorff_alpha", "interval")
    assert (point.name, point.chance.name, point.item_weight) == (
        "alpha",
        "pooled_unbiased",
        "judgments",
    )
    assert point.distance.name == "interval"
    assert point.of_pairs
    assert point.has_slope
    assert not Point.of("pi", "nominal").of_pairs


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("icc1", "af.icc(data)"),
        ("intraclass_corr", "af.icc(data)"),
        ("gwet", "use af.ac(data)"),
        ("pabak", "diagnostics.bias(data).adjusted"),
        ("krippendorf_alpha", "krippendorff_alpha"),
        ("cohen_kapa", "cohen_kappa"),
        ("spearmanr", "measures.correlations(data)"),
        ("percent_agreement", "observed_agreement(data)"),
    ],
)
def test_names_of_other_numbers_and_misspelled_ones_are_answered(name, words):
    """As an attribute of the package, and as the name of a coefficient."""
    with pytest.raises(AttributeError) as of_attribute:
        getattr(af, name)
    with pytest.raises(KeyError) as of_name:
        af.COEFFICIENTS[name]
    assert words in str(of_attribute.value)
    assert words in str(of_name.value)


def test_what_is_near_to_nothing_has_no_proposal():
    with pytest.raises(KeyError, match=r"'nothing' is not known; the names are s, "):
        af.COEFFICIENTS["nothing"]
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing': it(s names are| has) "):
        af.nothing  # noqa: B018
