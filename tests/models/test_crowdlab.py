"""CROWDLAB beside plain loops over its formulas, and what cleanlab prints."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from fits import crowdlab

import agreement_fast as af

TABLE = ["001", "111", "01 ", "110", "222", "2 2", "0 0", "120", "211", "000", "1 1", "22 "]
MODEL = [
    (0.7, 0.2, 0.1), (0.1, 0.8, 0.1), (0.3, 0.6, 0.1), (0.2, 0.7, 0.1), (0.1, 0.2, 0.7),
    (0.2, 0.2, 0.6), (0.9, 0.05, 0.05), (0.3, 0.4, 0.3), (0.1, 0.5, 0.4), (0.8, 0.1, 0.1),
    (0.2, 0.6, 0.2), (0.05, 0.05, 0.9),
]  # fmt: skip

# cleanlab 2.9.0: get_label_quality_multiannotator(labels, MODEL, return_weights=True), rounded.
LABELS = [0, 1, 1, 1, 2, 2, 0, 1, 1, 0, 1, 2]
QUALITY = [0.679841, 0.805838, 0.562613, 0.679841, 0.735862, 0.647132, 0.882698, 0.390549, 0.51237,
           0.805838, 0.647132, 0.880505]  # fmt: skip
WEIGHTS, OF_MODEL = [0.263158, 0.25, 0.176471], 1.607275


def read(table: list[str]) -> af.Annotations:
    rows = [[None if cell == " " else int(cell) for cell in row] for row in table]
    return af.Annotations.from_wide(rows, coders=list("ABCDEF")[: len(table[0])])


def test_labels_qualities_and_weights_are_those_that_cleanlab_prints() -> None:
    result = crowdlab(read(TABLE), MODEL)
    assert list(result.labels) == LABELS
    np.testing.assert_allclose(result.confidence, QUALITY, atol=1e-6)
    np.testing.assert_allclose(result.weight, WEIGHTS, atol=1e-6)
    assert result.classifier_weight == pytest.approx(OF_MODEL, abs=1e-6)


def plain(rows: list, model: list, k: int) -> tuple[list, list]:
    """The labels and the posterior by loops; no item is without a judgment."""
    coders = range(len(rows[0]))
    several = [i for i, row in enumerate(rows) if sum(x is not None for x in row) > 1]

    def agreement(c: int) -> float:
        pairs = [
            rows[i][c] == rows[i][d]
            for i in several
            for d in coders
            if d != c and None not in (rows[i][c], rows[i][d])
        ]
        return sum(pairs) / len(pairs) if pairs else math.nan

    agreed = [agreement(c) for c in coders]
    mean = np.nanmean(agreed)
    agreed = [mean if math.isnan(a) else a for a in agreed]

    def posterior(right: list) -> list:
        shares = [
            sum(x == right[i] for x in rows[i]) / sum(x is not None for x in rows[i])
            for i in several
        ]
        share = sum(shares) / len(shares)
        common = Counter(sorted(right[i] for i in several)).most_common(1)[0][0]
        worst = max(sum(right[i] != common for i in several) / len(several), 1e-6)
        weight = [max(1 - (1 - a) / worst, 1e-6) for a in agreed]
        errors = sum(int(np.argmax(model[i])) != right[i] for i in several) / len(several)
        n = sum(x is not None for row in rows for x in row) / len(rows)
        own = max(1 - errors / worst, 1e-6) * n**0.5
        out = []
        for row, p in zip(rows, model, strict=True):
            total = own + sum(weight[c] for c in coders if row[c] is not None)
            out.append([
                (own * p[y] + sum(
                    weight[c] * (share if row[c] == y else (1 - share) / (k - 1))
                    for c in coders if row[c] is not None
                )) / total
                for y in range(k)
            ])  # fmt: skip
        return out

    first = []
    for row, p in zip(rows, model, strict=True):
        votes = Counter(x for x in row if x is not None)
        tied = [y for y in votes if votes[y] == max(votes.values())]
        first.append(max(tied, key=lambda y: p[y]))
    labels = [int(np.argmax(p)) for p in posterior(first)]
    return labels, posterior(labels)


@pytest.mark.parametrize("seed", range(25))
def test_posteriors_are_those_of_the_formulas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_coders, k = int(rng.integers(6, 20)), int(rng.integers(2, 5)), int(rng.integers(2, 4))
    truth = rng.integers(0, k, n)
    table = np.where(rng.random((n, n_coders)) < 0.7, truth[:, None], rng.integers(0, k, (n, 1)))
    table = table.astype(object)
    table[rng.random(table.shape) < 0.3] = None
    table[[i for i in range(n) if all(x is None for x in table[i])], 0] = 0
    table[0, :2] = 1
    model = ((rng.dirichlet(np.ones(k), n) + np.eye(k)[truth]) / 2).tolist()
    labels, posterior = plain(table.tolist(), model, k)
    data = af.Annotations.from_wide(
        table, coders=list("ABCD")[:n_coders], categories=list(range(k))
    )
    result = crowdlab(data, model)
    assert list(result.labels) == labels
    np.testing.assert_allclose(result.posterior, posterior, rtol=1e-10)


def test_frames_name_their_columns_and_items_without_judgments_follow_the_classifier() -> None:
    rows = [("x", "x"), ("y", "y"), ("x", "y"), (None, None), ("y", "y")]
    data = af.Annotations.from_wide(rows, coders=["A", "B"])
    frame = pd.DataFrame({"y": [0.1, 0.9, 0.4, 0.2, 0.7], "x": [0.9, 0.1, 0.6, 0.8, 0.3]})
    result = crowdlab(data, frame)
    assert (
        result.posterior.tolist() == crowdlab(data, frame[["x", "y"]].to_numpy()).posterior.tolist()
    )
    assert result.posterior[3] == pytest.approx([0.8, 0.2])
    assert result.labels == ("x", "y", "x", "x", "y")
    assert str(result).splitlines()[1].split() == ["item", "label", "confidence", "judgments"]


@pytest.mark.parametrize(
    ("probabilities", "words"),
    [
        ([[1, 0]], r"a row for each of 3 items .* got shape \(1, 2\)"),
        ([[0.5, 0.6]] * 3, "must be 0 or more and add up to 1"),
        ([["a", "b"]] * 3, "probabilities must be numbers"),
    ],
)
def test_probabilities_that_do_not_fit_are_refused(probabilities: list, words: str) -> None:
    data = af.Annotations.from_wide([("x", "x"), ("y", "y"), ("x", "y")], coders=["A", "B"])
    with pytest.raises(ValueError, match=words):
        crowdlab(data, probabilities)


def test_one_judgment_an_item_is_too_few() -> None:
    data = af.Annotations.from_wide([("x", None), (None, "y")], coders=["A", "B"])
    with pytest.raises(ValueError, match="needs an item with two judgments"):
        crowdlab(data, [[0.5, 0.5]] * 2)
