"""Items on which much of the disagreement lies."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from agreement_fast.findings.content import Case, Finding
from agreement_fast.text import show_label

__all__ = ["disputed", "row_disagreement"]

#: The share of the items that is looked at, and how many of them are named.
WORST = 0.05
NAMED = 8

#: How many times their share of the disagreement must exceed their share of the items.
CONCENTRATED = 2

#: Rows × categories up to which they are counted.
MOST = 1 << 28


def row_disagreement(case: Case) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Mean distance between two judgments of each row (NaN below two), and the rows' weights."""
    data = case.data
    counts = data.agreement_table()
    sizes = counts.sum(1)
    weights = np.ones(len(counts), np.int64) if data.weights is None else np.asarray(data.weights)
    marginals = weights @ (counts * (sizes > 1)[:, None])
    d = case.distance.matrix(data.categories, marginals)
    with np.errstate(invalid="ignore", divide="ignore"):
        far = ((counts @ d) * counts).sum(1) / (sizes * (sizes - 1.0))
    return np.where(sizes > 1, far, math.nan), weights


def disputed(case: Case) -> Iterator[Finding]:
    """The worst twentieth of the items, if it is worse than its share."""
    n_counts = case.data.n_rows * len(case.data.categories)
    if n_counts > MOST:
        yield Finding(
            "items",
            math.nan,
            f"The items were not compared: {n_counts:,} counts of labels are too many.",
            "Look at a part of them.",
        )
        return
    far, weights = row_disagreement(case)
    rows = np.flatnonzero(far == far)
    order = rows[np.argsort(-far[rows], kind="stable")]
    total = int(weights[order].sum())
    if total < 20:
        return
    upto = int(np.searchsorted(np.cumsum(weights[order]), WORST * total, side="right"))
    # Among items that are equally disputed no choice could be made.
    while 0 < upto < len(order) and far[order[upto - 1]] == far[order[upto]]:
        upto -= 1
    if not upto:
        return
    worst, others = order[:upto], order[upto:]
    n = int(weights[worst].sum())
    all_of_it = float((far[order] * weights[order]).sum())
    share = float((far[worst] * weights[worst]).sum()) / all_of_it if all_of_it else 0.0
    if share < CONCENTRATED * n / total:
        return
    mean = float((far[others] * weights[others]).sum() / weights[others].sum())
    # Were they as good as the others: D_o moves by their share of the items.
    excess = float((far[worst] * weights[worst]).sum() - mean * n) / total
    cost = excess / case.result.expected_disagreement
    names = [show_label(case.data.items[row], 20) for row in worst[:NAMED].tolist()]
    which = (
        f"The most disputed of {total:,} items makes"
        if n == 1
        else f"The {n:,} most disputed of {total:,} items make"
    )
    yield Finding(
        "items",
        cost,
        f"{which} {share:.0%} of the disagreement:"
        f" {', '.join(names)}{' ...' if len(worst) > NAMED else ''}. Like the others,"
        f" {case.would_be(case.result.value + cost)}.",
        "Read such items first: they show what the guidelines leave open, or they cannot be"
        " judged.",
        {
            "items": [case.data.items[row] for row in worst.tolist()],
            "share": share,
            "disagreement": [float(far[row]) for row in worst.tolist()],
        },
    )
