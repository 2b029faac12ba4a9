"""tγ of units in two texts, against all alignments of short texts, and DKPro's examples."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from agreement_fast import units


def continuum(by_coder):
    rows = [(coder, *unit) for coder, some in by_coder.items() for unit in some]
    return units.Continuum.from_rows(*zip(*rows, strict=True), all_coders=by_coder)


def marked(text, some):
    """List characters and marks, each mark with its unit."""
    out = []
    for place in range(len(text) + 1):
        out += [("end", i) for i, (_, end, _) in enumerate(some) if end == place]
        out += [("start", i) for i, (start, _, _) in enumerate(some) if start == place]
        out += list(text[place : place + 1])
    return out


def kind(token):
    return token[0] if isinstance(token, tuple) else ("character", token)


def matchings(first, other):
    """All ways to pair equal tokens of two rows in their order."""
    if not first or not other:
        yield ()
        return
    yield from matchings(first[1:], other)
    for at, token in enumerate(other):
        if kind(token) == kind(first[0]):
            for rest in matchings(first[1:], other[at + 1 :]):
                yield ((first[0], token), *rest)


def cost(one, other, texts):
    """The cost of a pair of aligned units."""
    return Fraction(
        int(texts[0][one[0] : one[1]] != texts[1][other[0] : other[1]]) + int(one[2] != other[2]), 2
    )


def disorder(texts, both):
    """Look at every alignment: most equal tokens, then most pairs, then least cost."""
    best = None
    for matched in matchings(*(marked(t, some) for t, some in zip(texts, both, strict=True))):
        ends = [(a, b) for a, b in matched if isinstance(a, tuple)]
        pairs = {(a[1], b[1]) for a, b in ends if a[0] == "start"}
        pairs &= {(a[1], b[1]) for a, b in ends if a[0] == "end"}
        costs = sum(cost(both[0][i], both[1][j], texts) for i, j in pairs)
        key = (len(matched), len(pairs), -costs)
        best = key if best is None else max(best, key)
    return best[1], len(both[0]) + len(both[1]) - 2 * best[1] - best[2]


def drawn(draw):
    """A short text with units."""
    text = "".join(draw.choice("ab") for _ in range(draw.randint(1, 3)))
    some, place = [], 0
    while place < len(text):
        end = draw.randint(place + 1, len(text))
        if draw.random() < 0.7:
            some.append((place, end, draw.choice("xy")))
        place = end
    return text, some[:2]


def test_500_pairs_of_texts_are_aligned_as_all_alignments_say():
    draw, n_values = random.Random(186), 0
    for _ in range(500):
        texts, both = zip(drawn(draw), drawn(draw), strict=True)
        labels = [unit[2] for some in both for unit in some]
        if not labels:
            continue
        result = units.text_gamma(
            continuum(dict(zip("AB", both, strict=True))), dict(zip("AB", texts, strict=True))
        )
        n_pairs, costs = disorder(texts, both)
        observed = 2 * costs / len(labels)
        expected = (1 - sum(Fraction(labels.count(x), len(labels)) ** 2 for x in "xy")) / 2
        assert result.n_aligned == n_pairs
        assert result.observed_disorder == pytest.approx(float(observed))
        assert result.expected_disorder == pytest.approx(float(expected))
        assert (result.undefined is None) == (expected > 0)
        if expected:
            n_values += 1
            assert result.value == pytest.approx(float(1 - observed / expected))
    assert n_values > 200


@pytest.mark.parametrize(
    ("labels", "value"), [("ABC", 1.0), ("ABN", 0.53), ("AAC", 0.45), ("BCA", -0.5)]
)
def test_examples_of_dkpro(labels, value):
    """The text "so so so" with categories A, B, C; N is no label, in print ("missing label")."""
    places = [(0, 2), (3, 5), (6, 8)]
    both = {
        coder: [(*place, label) for place, label in zip(places, some, strict=True)]
        for coder, some in (("1", "ABC"), ("2", labels))
    }
    result = units.text_gamma(continuum(both), {"1": "so so so", "2": "so so so"})
    assert result.value == pytest.approx(value, abs=0.02)
    assert result.n_aligned == 3


def test_documents_have_texts_and_an_interval():
    draw = random.Random(7)
    rows, texts = [], {"A": {}, "B": {}}
    for document in range(12):
        for coder in "AB":
            texts[coder][document] = "so " * 5
            rows += [
                (
                    coder,
                    3 * i,
                    3 * i + 2,
                    draw.choice("xxy") if coder == "B" else "xxxyy"[i],
                    document,
                )
                for i in range(5)
            ]
    data = units.Continuum.from_rows(*zip(*rows, strict=True))
    result = units.text_gamma(data, texts, rng=1)
    assert result.low < result.value < result.high
    assert "interval" in repr(result)
    assert result.n_documents == 12
    alone = [
        units.text_gamma(data.select(documents=[d]), {c: texts[c] for c in "AB"}) for d in range(12)
    ]
    sums = [x.observed_disorder for x in alone]
    assert result.observed_disorder == pytest.approx(np.mean(sums))
    assert math.isnan(alone[0].low)
    assert "one document" in alone[0].note


def test_what_cannot_be_aligned_is_explained():
    data = continuum({"A": [(0, 2, "x")], "B": [(0, 2, "x")]})
    assert "no variation" in units.text_gamma(data, {"A": "so", "B": "so"}).undefined
    with pytest.raises(ValueError, match="no text of coder 'B'"):
        units.text_gamma(data, {"A": "so"})
    with pytest.raises(ValueError, match="not in the text"):
        units.text_gamma(data, {"A": "so", "B": "s"})
    with pytest.raises(ValueError, match="two coders"):
        units.text_gamma(continuum({c: [(0, 2, "x")] for c in "ABC"}), {})
    doubled = continuum({"A": [(0, 2, "x"), (1, 2, "y")], "B": [(0, 2, "x")]})
    assert "overlap" in units.text_gamma(doubled, {"A": "so", "B": "so"}).undefined
