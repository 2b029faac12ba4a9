"""Segmentations of several coders: means over pairs, and what chance gives, by enumeration."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from loops import nonempty
from nltk.metrics.segmentation import pk

import agreement_fast as af
from agreement_fast import units

ERRORS = ("p_k", "window_diff")
SIMILARITIES = ("boundary_similarity", "segmentation_similarity")

#: Hearst 1997: seven coders of the text "Stargazers", lengths in paragraphs, as segeval gives them.
STARGAZERS = {
    1: (2, 3, 3, 1, 3, 6, 3),
    2: (2, 8, 2, 4, 2, 3),
    3: (2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1),
    4: (2, 1, 4, 1, 1, 3, 1, 4, 3, 1),
    5: (3, 2, 4, 3, 5, 4),
    6: (2, 3, 4, 2, 2, 5, 3),
    7: (2, 3, 2, 2, 3, 1, 3, 2, 3),
}
STARGAZERS = {coder: units.from_lengths(lengths) for coder, lengths in STARGAZERS.items()}

TEXTS = {
    "A": {"s": "0010010", "t": "01000", "u": "0100100100"},
    "B": {"s": "0001010", "t": "01010", "u": "0010100001"},
    "C": {"s": "0010001", "u": "0100001000", "alone": "010"},
}
PAIRS = [("A", "B"), ("A", "C"), ("B", "C")]


def windows(marks, width):
    return [sum(marks[i : i + width]) for i in range(len(marks) + 1 - width)]


def apart(measure, first, second, width):
    """Windows that differ, and all."""
    pairs = [*zip(windows(first, width), windows(second, width), strict=True)]
    if measure == "p_k":
        pairs = [(a > 0, b > 0) for a, b in pairs]
    return sum(a != b for a, b in pairs), len(pairs)


def placements(n, boundaries):
    for places in itertools.combinations(range(n), boundaries):
        yield [int(place in places) for place in range(n)]


def marks(text):
    return [int(mark) for mark in text]


# ------------------------------------------------------------------------------- the observed


@pytest.mark.parametrize("measure", ERRORS + SIMILARITIES)
def test_the_observed_is_the_mean_over_pairs_of_the_measure_for_two(measure):
    two = getattr(units, measure)
    result = units.segmentation_agreement(TEXTS, measure)
    pairs = [*itertools.permutations("ABC", 2)] if measure in ERRORS else PAIRS
    correct = []
    for one, other in pairs:
        both = [text for text in TEXTS[one] if text in TEXTS[other]]
        correct.append(two(*({text: TEXTS[c][text] for text in both} for c in (one, other))).value)
    table = result.pairs.to_dict()
    assert list(zip(table["first"], table["second"], strict=True)) == pairs
    assert table["observed"] == pytest.approx(correct)
    assert result.observed == pytest.approx(np.mean(correct))
    assert result.expected == pytest.approx(np.mean(table["expected"]))
    assert table["n_texts"] == [3 if {one, other} == {"A", "B"} else 2 for one, other in pairs]
    assert (result.n_texts, result.n_texts_left_out, result.n_coders) == (3, 1, 3)
    assert result.n_pairs == len(pairs)
    if measure in ERRORS:
        assert result.value == pytest.approx(1 - result.observed / result.expected)
    else:
        assert result.value == pytest.approx(
            (result.observed - result.expected) / (1 - result.expected)
        )


def test_a_window_for_all():
    result = units.segmentation_agreement(TEXTS, "window_diff", window=3)
    correct = [
        units.window_diff(
            *({t: TEXTS[c][t] for t in TEXTS[one] if t in TEXTS[other]} for c in (one, other)),
            window=3,
        ).value
        for one, other in PAIRS
    ]
    assert result.observed == pytest.approx(np.mean(correct))


# ------------------------------------------------------------------------------- by chance


@pytest.mark.parametrize("measure", ERRORS)
def test_windows_of_all_placements(measure):
    """Every number of boundaries in six places, and every window."""
    n = 6
    for first, second in nonempty(itertools.combinations_with_replacement(range(n + 1), 2)):
        for width in (1, 2, 4, 6):
            both = [*itertools.product(placements(n, first), placements(n, second))]
            differing = sum(apart(measure, a, b, width)[0] for a, b in both)
            correct = differing / (len(both) * (n + 1 - width))
            cuts = {"A": "1" * first + "0" * (n - first), "B": "1" * second + "0" * (n - second)}
            result = units.segmentation_agreement(
                cuts, measure, chance="own_placements", window=width
            )
            assert result.expected == pytest.approx(correct, abs=1e-13)


def shares(n, rate):
    """Every segmentation of n places, and how likely it is."""
    for some in itertools.product((0, 1), repeat=n):
        yield some, math.prod(rate if mark else 1 - rate for mark in some)


RATES = [("0100", "0110"), ("0111", "0001"), ("1111", "1010"), ("0000", "1100")]


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize(("first", "second"), RATES)
def test_places_at_rates(first, second, pooled):
    """All segmentations of a number of places, weighted by their probabilities."""
    chance = "pooled_rate" if pooled else "own_rates"
    n = len(first)
    rates = [sum(marks(first)) / n, sum(marks(second)) / n]
    if pooled:
        rates = [sum(rates) / 2] * 2
    correct = dict.fromkeys(ERRORS, 0.0)
    above = below = similar = 0.0
    for (a, p), (b, q) in itertools.product(shares(n, rates[0]), shares(n, rates[1])):
        if not p * q:
            continue
        for measure in ERRORS:
            correct[measure] += p * q * apart(measure, a, b, 2)[0] / (n - 1)
        edits = units.boundary_similarity(a, b).edits
        above += p * q * (edits.n_edits + edits.n_matches - edits.value)
        below += p * q * (edits.n_edits + edits.n_matches)
        similar += p * q * (1 - edits.value / n)
    correct |= {"boundary_similarity": above / below, "segmentation_similarity": similar}
    for measure, expected in nonempty(correct.items()):
        result = units.segmentation_agreement(
            {"A": first, "B": second}, measure, chance=chance,
            **({"window": 2} if measure in ERRORS else {}),
        )  # fmt: skip
        assert result.expected == pytest.approx(expected, abs=1e-13)


def at_rates(sizes, first, second):
    """Expected B and S of texts, place by place: how likely a boundary waits for its neighbour."""
    weight = number = matches = 0.0
    for n in sizes:
        waits = {"first": 0.0, "second": 0.0}
        alone = {"first": first * (1 - second), "second": second * (1 - first)}
        for _ in range(n):
            pairs = alone["first"] * waits["second"] + alone["second"] * waits["first"]
            waits = {
                "first": alone["first"] * (1 - waits["second"]),
                "second": alone["second"] * (1 - waits["first"]),
            }
            apart = alone["first"] + alone["second"]
            weight += apart - 1.5 * pairs
            number += apart - pairs
            matches += first * second
    return 1 - weight / (number + matches), 1 - weight / sum(sizes)


@pytest.mark.parametrize("place", [0, 1])
def test_rates_of_texts_that_some_coders_cut(place):
    """Texts of several lengths, one of them long; rates are of all texts of a coder."""
    rng = np.random.default_rng(6)
    cuts = {c: {t: marks(m) for t, m in some.items()} for c, some in TEXTS.items()}
    for coder in "AC":
        cuts[coder]["long"] = (rng.random(700) < 0.4).astype(int).tolist()
    shared = {c: {t: m for t, m in some.items() if t != "alone"} for c, some in cuts.items()}
    rates = {c: np.mean(np.concatenate([*some.values()])) for c, some in shared.items()}
    result = units.segmentation_agreement(cuts, SIMILARITIES[place]).pairs.to_dict()
    for (one, other), expected in zip(PAIRS, result["expected"], strict=True):
        sizes = [len(m) for text, m in shared[one].items() if text in shared[other]]
        assert expected == pytest.approx(at_rates(sizes, rates[one], rates[other])[place])


@pytest.mark.parametrize("measure", SIMILARITIES)
def test_chance_of_two_boundaries(measure):
    """Fournier & Inkpen 2012: of κ the coders' rates, of π that of all; pooled over texts."""
    n_places = {c: sum(map(len, some.values())) for c, some in TEXTS.items()}
    n_places["C"] -= 3  # a text that nobody else cut
    held = {c: sum(some[t].count("1") for t in some if t != "alone") for c, some in TEXTS.items()}
    rates = {c: Fraction(held[c], n_places[c]) for c in TEXTS}
    own = [rates[one] * rates[other] for one, other in PAIRS]
    result = units.segmentation_agreement(TEXTS, measure, chance="own_boundaries")
    assert result.pairs.to_dict()["expected"] == pytest.approx([float(one) for one in own])
    pooled = Fraction(sum(held.values()), sum(n_places.values())) ** 2
    result = units.segmentation_agreement(TEXTS, measure, chance="pooled_boundaries")
    assert result.expected == pytest.approx(float(pooled))


def test_several_types_meet_by_chance_type_by_type():
    cuts = {
        "A": [{"a"}, {"b"}, set(), set()],
        "B": [{"a"}, {"a"}, {"b"}, set()],
    }
    result = units.segmentation_agreement(cuts, chance="own_boundaries")
    assert result.expected == pytest.approx(1 / 4 * 2 / 4 + 1 / 4 * 1 / 4)
    assert result.observed == units.boundary_similarity(cuts["A"], cuts["B"])


@pytest.mark.parametrize("chance", ["own_rates", "own_placements"])
@pytest.mark.parametrize("measure", ERRORS)
def test_random_segmentations_are_at_chance(measure, chance):
    rng = np.random.default_rng(3)
    cuts = {coder: rng.random(200_000) < 0.1 for coder in "abc"}
    result = units.segmentation_agreement(cuts, measure, chance=chance)
    assert abs(result.value) < 0.01
    assert result.expected > 0.4


def test_short_texts_are_at_chance_if_windows_are_what_they_are():
    """Default windows depend on the boundaries, and so do placements; rates do not."""
    rng = np.random.default_rng(0)
    cuts = {c: dict(enumerate((rng.random((1000, 30)) < 0.1).astype(np.int8))) for c in "ab"}
    few = {"n_resamples": 1}
    placed = units.segmentation_agreement(cuts, "p_k", **few)
    assert placed.chance == "own_placements"
    assert abs(placed.value) < 0.03
    assert units.segmentation_agreement(cuts, "p_k", chance="own_rates", **few).value < -0.05
    fixed = units.segmentation_agreement(cuts, "p_k", chance="own_rates", window=4, **few)
    assert abs(fixed.value) < 0.03


def test_rates_of_long_texts_are_those_of_their_binomials():
    """Windows of many places: shares that are too small for a float beside 1 are left out."""
    rng = np.random.default_rng(4)
    cuts = {c: (rng.random(20_000) < rate).astype(int) for c, rate in (("a", 0.02), ("b", 0.03))}
    from scipy.stats import binom

    width = 5000
    shares = [binom(width, cut.mean()).pmf(np.arange(width + 1)) for cut in cuts.values()]
    result = units.segmentation_agreement(cuts, "window_diff", window=width, chance="own_rates")
    assert result.expected == pytest.approx(1 - shares[0] @ shares[1], rel=1e-10)


# ------------------------------------------------------------------------------- the sample


@pytest.mark.few(every=2)
@pytest.mark.parametrize("measure", ERRORS + SIMILARITIES)
def test_texts_are_drawn(measure):
    """Of three texts there are 27 draws; their values are the replicates."""
    texts = ["s", "t", "u"]
    cuts = {c: {t: TEXTS[c].get(t, "00100") for t in texts} for c in "ABC"}
    every = []
    for drawn in itertools.product(texts, repeat=3):
        some = {c: {(i, t): cuts[c][t] for i, t in enumerate(drawn)} for c in cuts}
        every.append(units.segmentation_agreement(some, measure, n_resamples=1))
    values, observed = ([getattr(one, name) for one in every] for name in ("value", "observed"))
    result = units.segmentation_agreement(
        cuts, measure, method="percentile", n_resamples=4000, rng=1
    )
    assert result.low == pytest.approx(min(values))
    assert result.high == pytest.approx(max(values))
    assert result.standard_error == pytest.approx(np.std(values), rel=0.05)
    assert (result.observed_low, result.observed_high) == pytest.approx(
        (min(observed), max(observed))
    )
    again = units.segmentation_agreement(
        cuts, measure, method="percentile", n_resamples=4000, rng=1
    )
    assert again.columns() == result.columns()


def test_one_text_has_no_interval_and_says_so():
    result = units.segmentation_agreement(STARGAZERS)
    assert math.isnan(result.low)
    assert "no independent sample" in result.note
    assert "boundary_similarity, chance own_rates: 0.3267" in repr(result)


def test_what_nobody_can_disagree_on_is_undefined():
    none = units.segmentation_agreement({"A": "000", "B": "000"})
    assert math.isnan(none.value)
    assert "no pairs" in none.undefined
    alike = units.segmentation_agreement({"A": "111", "B": "111"}, "window_diff")
    assert math.isnan(alike.value)
    assert "no variation" in alike.undefined
    three = {"A": "000", "B": "000", "C": "010"}
    some = units.segmentation_agreement(three)
    assert some.n_pairs == 2
    pooled = units.segmentation_agreement(three, chance="own_boundaries").pairs.to_dict()
    np.testing.assert_array_equal(pooled["expected"], [math.nan, 0, 0])
    assert math.isnan(some.pairs.to_dict()["value"][0])


# ------------------------------------------------------------------------------- the papers


def test_hearst_1997_stargazers_as_segeval_has_it():
    """segeval 2.0.11: the mean B and S of pairs; π and κ of S, whose pairs are of one size."""
    result = units.segmentation_agreement(STARGAZERS, chance="pooled_boundaries")
    assert result.observed == pytest.approx(0.5336863533292104)
    similar = units.segmentation_agreement(
        STARGAZERS, "segmentation_similarity", chance="pooled_boundaries"
    )
    assert similar.observed == pytest.approx(0.7952380952380954)
    assert similar.value == pytest.approx(0.7666530999864333)


def test_default_windows_beside_nltk():
    """NLTK divides places by boundaries, here elements are divided by segments."""
    reference, hypothesis = "0001000000", "0000100000"
    # 10 places and one boundary: 10 / 2 = 5. 11 elements in two segments: 11 / 4 = 2.75, so 3.
    assert pk(reference, hypothesis) == pk(reference, hypothesis, 5) == pytest.approx(1 / 6)
    result = units.p_k(reference, hypothesis)
    assert result == units.p_k(reference, hypothesis, window=3) == 0.25
    assert units.p_k(reference, hypothesis, window=5) == pytest.approx(1 / 6)


def test_artstein_poesio_2008_table_8_case_1():
    """50 utterances in two segments, one utterance apart, and both agree on the ends: K .65."""
    cuts = {"A": units.from_lengths([25, 25]), "B": units.from_lengths([26, 24])}
    whole = units.judgments(cuts, outer="both")
    assert whole.n_items == 51
    assert round(af.pi(whole).value, 3) == 0.646
    assert whole.contingency_table("A", "B").tolist() == [[47, 1], [1, 2]]
    data = units.judgments(cuts, outer="start")
    assert data.n_items == 50
    assert round(af.pi(data).value, 3) == 0.479
    assert round(af.kappa(data).value, 3) == 0.479
    assert data.contingency_table("A", "B").tolist() == [[47, 1], [1, 1]]
    inner = units.judgments(cuts)
    assert list(inner.items) == list(range(49))
    assert round(af.pi(inner).value, 3) == -0.021
    ends = units.judgments({c: {"d": cut} for c, cut in cuts.items()}, outer="both")
    assert list(ends.items)[:2] + list(ends.items)[-1:] == [("d", -1), ("d", 0), ("d", 49)]
    assert af.pi(ends) == af.pi(whole)
    with pytest.raises(ValueError, match="outer"):
        units.judgments(cuts, outer="end")


# ------------------------------------------------------------------------------- the majority


def opinions(cuts, own_vote):
    """Coders' opinions beside the majority: (agrees, majority's), from the definition."""
    texts = dict.fromkeys(text for some in cuts.values() for text in some)
    for text in texts:
        here = {c: marks(some[text]) for c, some in cuts.items() if text in some}
        if len(here) < 2:
            continue
        for coder, own in here.items():
            for place, says in enumerate(own):
                votes = [o[place] for c, o in here.items() if own_vote or c != coder]
                lead = 2 * sum(votes) - len(votes)
                yield None if not lead else (says == (lead > 0), lead > 0)


@pytest.mark.parametrize("own_vote", [True, False])
def test_the_majority_is_counted_place_by_place(own_vote):
    rng = np.random.default_rng(5)
    for n_coders in (2, 3, 4, 5):
        cuts = {
            c: {t: "".join(rng.choice(["0", "1"], 12, p=[0.7, 0.3])) for t in ("s", "t")}
            for c in range(n_coders)
        }
        cuts[0]["alone"] = "010"
        del cuts[1]["t"]
        every = [*opinions(cuts, own_vote)]
        known = [one for one in every if one is not None]
        result = units.boundary_majority(cuts, own_vote=own_vote, n_resamples=20)
        correct = np.mean([agrees for agrees, _ in known])
        assert result.value == pytest.approx(correct)
        for value, majority in ((result.at_boundaries, True), (result.elsewhere, False)):
            some = [agrees for agrees, at in known if at == majority]
            assert value == pytest.approx(np.mean(some) if some else math.nan, nan_ok=True)
        assert result.n_level == len(every) - len(known)
        assert result.n_opinions == len(known)
        assert result.n_opinions_at_boundaries == sum(at for _, at in known)
        assert result.n_texts_left_out == (2 if n_coders == 2 else 1)


def test_the_majority_of_stargazers():
    """Passonneau & Litman's measure on Hearst's text; its own vote is in the majority."""
    result = units.boundary_majority(STARGAZERS)
    assert (result.n_opinions, result.n_level) == (140, 0)
    assert result.value == pytest.approx(113 / 140)
    assert result.at_boundaries == pytest.approx(32 / 42)
    alone = units.boundary_majority(STARGAZERS, own_vote=False)
    assert alone.value < result.value
    assert alone.n_level == 16
    assert "0.807143: 0.761905 at its boundaries" in repr(result)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: units.segmentation_agreement({"A": "01"}), ValueError, "2 coders or more"),
        (lambda: units.segmentation_agreement("01"), TypeError, "mapping from coder"),
        (
            lambda: units.segmentation_agreement({"A": "01", "B": {"s": "01"}}),
            TypeError,
            "coder A has one segmentation",
        ),
        (
            lambda: units.segmentation_agreement({"A": {"s": "01"}, "B": {"t": "01"}}),
            ValueError,
            "no text was cut by two",
        ),
        (
            lambda: units.segmentation_agreement({"A": {"s": "01"}, "B": {"s": "011"}}),
            ValueError,
            "coder A, text s, has 2 places.*coder B 3",
        ),
        (
            lambda: units.segmentation_agreement({"A": "01", "B": "01"}, "b"),
            ValueError,
            "measure",
        ),
        (
            lambda: units.segmentation_agreement({"A": "01", "B": "01"}, chance="pi"),
            ValueError,
            "chance",
        ),
        (
            lambda: units.segmentation_agreement(
                {"A": "01", "B": "01"}, "p_k", chance="own_boundaries"
            ),
            ValueError,
            "not available for p_k: pass chance='own_rates', 'pooled_rate' or 'own_placements'",
        ),
        (
            lambda: units.segmentation_agreement({"A": "01", "B": "01"}, chance="own_placements"),
            ValueError,
            "not available for boundary_similarity",
        ),
        (
            lambda: units.segmentation_agreement({"A": "01", "B": "01"}, n_t=3),
            ValueError,
            "needs n_t=2.*pass chance='own_boundaries' or chance='pooled_b",
        ),
        (
            lambda: units.segmentation_agreement({"A": [{"a"}, {"b"}], "B": [{"a"}, set()]}),
            ValueError,
            "2 types",
        ),
        (
            lambda: units.segmentation_agreement({"A": [{"a"}, {"b"}], "B": [{"a"}, set()]}, "p_k"),
            ValueError,
            "p_k needs boundaries of one type",
        ),
        (
            lambda: units.segmentation_agreement(
                {"A": {"s": "01"}, "B": {"s": "01"}}, "p_k", window=3
            ),
            ValueError,
            "window of text s must be 1 to 2 places wide, not 3",
        ),
        (lambda: units.boundary_majority({"A": "01", "B": "01"}, own_vote=1), TypeError, "own"),
    ],
)
def test_bad_requests_say_what_to_do(call, error, text):
    with pytest.raises(error, match=text):
        call()
