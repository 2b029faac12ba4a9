"""Coreference scores against the examples in print, and against their definitions."""

import random
from itertools import combinations, combinations_with_replacement, permutations, product

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import units
from agreement_fast.units.chains import MEASURES, sums_of_pair

KEY = "a bc def"


def links_of(coder, chains, document="d"):
    """The links of chains that are words, mentions being letters."""
    rows = []
    for chain in chains.split() if isinstance(chains, str) else chains:
        first, *rest = chain
        rows += [(document, coder, first, None), *((document, coder, m, first) for m in rest)]
    return rows


def scored(key, response, **options):
    rows = links_of("key", key) + links_of("response", response)
    return units.scores(units.Chains.from_links(rows), gold="key", **options)


def test_the_links_of_vilain_et_al_1995():
    """The examples of the MUC paper, as the reference scorer's test cases F to L give them."""
    for key, response, recall, precision in (
        ("ABCD", "AB CD", (2, 3), (2, 2)),
        ("AB CD", "ABCD", (2, 2), (2, 3)),
        ("ABCD", "ABCD", (3, 3), (3, 3)),
        ("ABC", "AC", (1, 2), (1, 1)),
        ("BCDEGHJ", "ABC DEF GHI", (3, 6), (3, 6)),
        ("ABC DEFG", "AB CD FGH", (2, 5), (2, 4)),
    ):
        muc = scored(key, response)["muc"]
        assert muc.recall == pytest.approx(recall[0] / recall[1]), (key, response)
        assert muc.precision == pytest.approx(precision[0] / precision[1]), (key, response)


def test_the_mentions_of_bagga_and_baldwin_1998():
    """Two wrong links cost MUC alike, and B³ not: their motivation for it."""
    one = scored("12345 67 89ABC", "12345 6789ABC")
    two = scored("12345 67 89ABC", "1234589ABC 67")
    assert one["b_cubed"].precision == pytest.approx(16 / 21)
    assert two["b_cubed"].precision == pytest.approx(7 / 12)
    for result in (one, two):
        assert result["b_cubed"].recall == 1
        assert (result["muc"].precision, result["muc"].recall) == (9 / 10, 1)


#: Pradhan et al. 2014: response, then (recall, precision) by measure, as the test cases that come
#: with the reference scorer state them for the key {a} {b c} {d e f}.
SYSTEM_MENTIONS = {
    "a de": {
        "b_cubed": ("7/18", "3/3"), "muc": ("1/3", "1"), "ceaf_m": ("3/6", "3/3"),
        "ceaf_e": ("1.8/3", "1.8/2"), "blanc": ("0.2159", "1"),
    },
    "a bcx defy z": {
        "b_cubed": ("1", "55/108"), "muc": ("1", "3/5"), "ceaf_m": ("6/6", "6/9"),
        "ceaf_e": ("0.8857", "0.6643"), "blanc": ("1", "0.4259"),
    },
    "a bcx dy z": {
        "b_cubed": ("5/9", "17/42"), "muc": ("1/3", "1/3"), "ceaf_m": ("4/6", "4/7"),
        "ceaf_e": ("2.2/3", "2.2/4"), "blanc": ("0.3523", "0.2721"),
    },
    "a bcxB dy z": {
        "b_cubed": ("5/9", "5/16"), "muc": ("1/3", "1/4"), "ceaf_m": ("4/6", "4/8"),
        "ceaf_e": ("0.6889", "0.5167"), "blanc": ("0.3523", "0.1905"),
    },
    "a b c d e f": {"b_cubed": ("3/6", "6/6"), "blanc": ("0.5", "11/30")},
    "abcdef": {"b_cubed": ("6/6", "7/18"), "muc": ("3/3", "3/5"), "blanc": ("0.5", "2/15")},
    "a x y c d e z": {"b_cubed": ("13/36", "4/7"), "blanc": ("5/22", "5/42")},
    "axycdez": {"b_cubed": ("17/36", "6/49"), "muc": ("1/3", "1/6"), "blanc": ("1/8", "1/42")},
}  # fmt: skip


@pytest.mark.parametrize("response", SYSTEM_MENTIONS)
def test_mentions_of_one_side_as_pradhan_et_al_2014(response):
    result = scored(KEY, response)
    for measure, stated in nonempty(SYSTEM_MENTIONS[response].items()):
        for value, text in zip(
            (result[measure].recall, result[measure].precision), stated, strict=True
        ):
            top, _, bottom = text.partition("/")
            assert value == pytest.approx(float(top) / float(bottom or 1), abs=5e-5), measure


#: BLANC of the same source, by key and response.
BLANC = {
    ("ab cde", "bcx de"): 7 / 24,
    ("ab cde fg", "bcx de fg"): 0.5125,
    ("abcdef", "abcdef"): 1,
    ("abcdef", "a b c d e f"): 0,
    ("abcdef", "ab cde f"): 8 / 19,
    ("abcdef", "abcxyz"): 0.2,
    ("abcdef", "ab cxy z"): 2 / 19,
    ("a b c d e f", "a b c d e f"): 1,
    ("a b c d e f", "abcdef"): 0,
    ("a b c d e f", "ab cde f"): 11 / 13,
    ("a b c d e f", "a b c x y z"): 0.2,
    ("a b c d e f", "ab cxy z"): 2 / 13,
}


@pytest.mark.parametrize(("key", "response"), BLANC)
def test_blanc_as_luo_et_al_2014(key, response):
    assert scored(key, response)["blanc"].value == pytest.approx(BLANC[key, response])


#: What the reference scorer 8.01 (Pradhan et al. 2014) printed for the documents below: recall and
#: precision.
REFERENCE_SCORER = {
    "muc": (1001 / 2411, 1001 / 2457),
    "b_cubed": (1565.1971620227 / 3558, 1464.65493264046 / 3544),
    "ceaf_m": (1414 / 3558, 1414 / 3544),
    "ceaf_e": (427.460966830092 / 1147, 427.460966830092 / 1087),
    "blanc": (0.351840708447313, 0.355894171461954),
}


def test_many_documents_as_the_reference_scorer_adds_them_up():
    rng, rows = random.Random(3), []
    for document in range(300):
        n = rng.randint(2, 25)
        for coder in "KR":
            k, chains = rng.randint(1, 8), {}
            for mention in [m for m in range(n) if rng.random() < 0.85] or [0]:
                chains.setdefault(rng.randrange(k), []).append(mention)
            rows += links_of(coder, chains.values(), document)
    result = units.scores(units.Chains.from_links(rows), gold="K", n_resamples=40, rng=1)
    for measure, (recall, precision) in REFERENCE_SCORER.items():
        assert result[measure].recall == pytest.approx(recall, rel=1e-9), measure
        assert result[measure].precision == pytest.approx(precision, rel=1e-9), measure
    assert int(10_000 * result["blanc"]) == 3526  # it cuts digits off


# ---------------------------------------------------------------------------- the definitions


def groupings(mentions):
    """All partitions of some letters."""
    if not mentions:
        yield []
        return
    first, rest = mentions[0], mentions[1:]
    for others in groupings(rest):
        yield [[first], *others]
        for i, chain in enumerate(others):
            yield [*others[:i], [first, *chain], *others[i + 1 :]]


#: Every share of five mentions or fewer is a whole number of these.
PARTS = 2520


def plain(key, response):
    """Recalls and precisions from the definitions; parts are whole numbers of 2520ths."""
    key, response = [set(k) for k in key], [set(r) for r in response]

    def one_way(mine, theirs):
        twin = {m: chain for chain in theirs for m in chain}
        links = kept = 0
        cubed = 0
        for chain in mine:
            parts = {id(twin[m]) if m in twin else m for m in chain}
            links += len(chain) - 1
            kept += len(chain) - len(parts)
            cubed += sum(PARTS * len(chain & twin.get(m, set())) // len(chain) for m in chain)
        pairs = {
            frozenset(pair): any(set(pair) <= chain for chain in mine)
            for pair in combinations(sorted(m for chain in mine for m in chain), 2)
        }
        return (kept, links), (cubed, PARTS * sum(map(len, mine))), pairs

    (muc_r, b_r, pairs_k), (muc_p, b_p, pairs_r) = one_way(key, response), one_way(response, key)
    short, long = sorted((key, response), key=len)
    best = {
        name: max(
            sum(phi(a, b) for a, b in zip(short, order, strict=True))
            for order in permutations(long, len(short))
        )
        for name, phi in (
            ("ceaf_m", lambda a, b: len(a & b)),
            ("ceaf_e", lambda a, b: PARTS * 2 * len(a & b) // (len(a) + len(b))),
        )
    }
    kinds = []
    for kind in (True, False):
        mine, theirs = ({p for p in pairs if pairs[p] is kind} for pairs in (pairs_k, pairs_r))
        kinds.append((len(mine & theirs), len(mine), len(theirs)))
    n_key, n_response = (sum(map(len, chains)) for chains in (key, response))
    return {
        "muc": (muc_r, muc_p),
        "b_cubed": (b_r, b_p),
        "ceaf_m": ((best["ceaf_m"], n_key), (best["ceaf_m"], n_response)),
        "ceaf_e": ((best["ceaf_e"], PARTS * len(key)), (best["ceaf_e"], PARTS * len(response))),
        "blanc": kinds,
    }


def share(part, whole):
    return part / whole if whole else None


def harmonic(recall, precision):
    if recall is None and precision is None:
        return np.nan
    recall, precision = recall or 0, precision or 0
    return 2 * recall * precision / (recall + precision) if recall + precision else 0


@pytest.mark.breadth
def test_all_groupings_of_few_mentions_by_definition():
    """A pair of groupings is a document: four mentions, some of them missing, or all five."""
    some = [g for n in range(1, 5) for kept in combinations("abcd", n) for g in groupings(kept)]
    whole = list(groupings("abcde"))
    assert (len(some), len(whole)) == (51, 52)
    cases = [*product(some[:16], some[:16]), *combinations_with_replacement(whole, 2)]
    cases += zip(some * 2, some[7:] + some[22:], strict=False)
    rows = [
        row
        for d, pair in enumerate(cases)
        for coder, chains in zip("KR", pair, strict=True)
        for row in links_of(coder, chains, d)
    ]
    read = units.Chains.from_links(rows)
    assert list(read.documents) == sorted(read.documents)
    sums = sums_of_pair(read, 0, 1).sums
    result = {name: np.array(MEASURES[name].rates(sums)) for name in MEASURES}
    for d, (key, response) in enumerate(cases):
        correct = plain(key, response)
        f = {}
        for name in ("muc", "b_cubed", "ceaf_m", "ceaf_e"):
            recall, precision = (share(*counts) for counts in correct[name])
            f[name] = float(harmonic(recall, precision))
            parts = [float("nan") if x is None else float(x) for x in (precision, recall)]
            np.testing.assert_allclose(result[name][:, d], [*parts, f[name]], atol=1e-12)
        kinds = [harmonic(share(b, k), share(b, r)) for b, k, r in correct["blanc"]]
        there = [kind for kind, (_, k, _) in zip(kinds, correct["blanc"], strict=True) if k]
        blanc = float(sum(there) / len(there)) if there else np.nan
        np.testing.assert_allclose(result["blanc"][2, d], blanc, atol=1e-12)
        conll = (f["muc"] + f["b_cubed"] + f["ceaf_e"]) / 3
        np.testing.assert_allclose(result["conll"][2, d], conll, atol=1e-12)


# ---------------------------------------------------------------------------- coders, documents


ROWS = [
    row
    for d in range(12)
    for coder, chains in (("A", "abc de"), ("B", "ab cde" if d % 3 else "abc de"), ("C", "abcde"))
    for row in links_of(coder, chains, f"d{d}")
]


def test_documents_are_added_up_and_drawn():
    result = units.scores(units.Chains.from_links(ROWS), "muc", n_resamples=200, rng=1)
    assert [(row.key, row.response) for row in result] == [
        ("A", "B"), ("A", "C"), ("B", "C"), (None, None)
    ]  # fmt: skip
    assert result.of("muc", "A", "B").recall == pytest.approx((4 * 3 + 8 * 2) / (12 * 3))
    assert result["muc"].value == pytest.approx(np.mean([float(row) for row in result[:3]]))
    assert np.isnan(result["muc"].precision)
    assert result["muc"].low < result["muc"] < result["muc"].high
    assert result.of("muc", "A", "C").note is not None  # all documents are alike
    assert result.to_dict()["n_documents"] == [12] * 4


def test_a_gold_coder_is_the_key_of_all():
    result = units.scores(
        units.Chains.from_links(ROWS), ["muc", "blanc"], gold="C", n_resamples=40, rng=1
    )
    assert [row.key for row in result] == ["C", "C", None] * 2
    assert result["muc"].recall == pytest.approx(np.mean([row.recall for row in result[:2]]))
    with pytest.raises(af.AgreementError, match="gold='D' is not a coder: the coders are A, B, C"):
        units.scores(units.Chains.from_links(ROWS), gold="D")


def test_only_documents_of_both_count():
    rows = links_of("A", "ab", "x") + links_of("B", "ab", "x") + links_of("A", "abcd", "y")
    (muc,) = units.scores(units.Chains.from_links(rows), "muc")
    assert (muc.value, muc.n_documents) == (1, 1)
    apart = links_of("A", "ab", "x") + links_of("B", "ab", "y")
    (muc,) = units.scores(units.Chains.from_links(apart), "muc", n_resamples=40)
    assert np.isnan(muc)
    assert muc.undefined == "no document that both coders judged"


def test_what_nobody_has_is_undefined():
    """The reference scorer writes 0 for MUC of singletons (its test case N-1)."""
    result = scored("a b c", "a b c")
    assert np.isnan(result["muc"])
    assert "no link" in result["muc"].undefined
    assert "no link" in result["conll"].undefined
    assert result["b_cubed"] == 1
    assert scored("a", "a")["blanc"].undefined.startswith("the key has no two mentions")
    assert scored("a b c", "abc")["muc"] == 0  # one of them has links


def test_chains_are_links_and_a_table():
    data = units.Chains.from_links(ROWS)
    again = units.Chains.from_links(data.to_frame("pandas"))
    left, right = (units.scores(some, n_resamples=40, rng=1) for some in (data, again))
    assert [(float(x), x.low) for x in left] == [(float(x), x.low) for x in right]
    assert str(left).splitlines()[0].split() == [
        "pair", "measure", "F", "precision", "recall", "95%", "interval"
    ]  # fmt: skip
    assert repr(data) == "<180 links of 3 coders between 5 mentions in 12 documents>"
    assert "label" not in left.to_dict()


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (ROWS, {"measure": "lea"}, "measure must be 'muc', "),
        (ROWS, {"measure": []}, "measure is empty: choose from muc"),
        (ROWS, {"by": "label"}, "by must be 'document'"),
        (ROWS, {"threshold": 0.6}, "threshold is not for Chains: leave it out"),
        (ROWS[:3], {}, "scores need at least two coders, got 1"),
    ],
)
def test_what_cannot_be_scored(data, options, message):
    with pytest.raises(af.AgreementError, match=message):
        units.scores(units.Chains.from_links(data), **options)


def test_a_score_is_found_by_name():
    result = units.scores(units.Chains.from_links(ROWS), ["muc"], n_resamples=40, rng=1)
    assert result.of("muc", "A", "B") is result[0]
    with pytest.raises(KeyError, match="the measures are muc"):
        result["b_cubed"]
    with pytest.raises(KeyError, match="no score of 'muc', 'B', 'A'"):
        result.of("muc", "B", "A")
    assert repr(result[0]).startswith("<muc, A / B: F = 0.77")
