"""Categories that coders take for one another."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from agreement_fast.findings.content import Case, Finding
from agreement_fast.text import show_label

__all__ = ["confusions"]

#: Pairs of categories that are looked at.
PAIRS = 3

#: Categories up to which coincidences are gathered.
MOST = 2000


def confusions(case: Case) -> Iterator[Finding]:
    """The pairs that cost the most disagreement, where merging them would gain."""
    labels = case.data.categories
    if case.distance.name != "nominal" or len(labels) < 3:
        return
    if len(labels) > MOST:
        yield Finding(
            "confusion",
            math.nan,
            f"Pairs of categories were not compared: {len(labels):,} categories are too many.",
            "If the labels are numbers or sets, take a distance that fits them.",
        )
        return
    observed = case.data.coincidence_matrix()
    n = observed.sum(0)
    above = np.triu(observed, 1)
    apart = above.sum()
    for place in np.argsort(-above, axis=None, kind="stable")[:PAIRS].tolist():
        j, k = divmod(place, len(labels))
        if not above[j, k]:
            return
        ratio = observed[j, k] * (n.sum() - 1) / (n[j] * n[k])
        merged = case.value_of(case.data.merge_categories({labels[k]: labels[j]}))
        one, other = show_label(labels[j]), show_label(labels[k])
        yield Finding(
            "confusion",
            merged - case.result.value,
            f"{one} and {other} make {above[j, k] / apart:.0%} of all disagreement: they meet on"
            f" an item {ratio:.2f} times as often as by chance (at 1, coders do not tell them"
            f" apart). As one category {case.would_be(merged)}.",
            "Say in the guidelines what tells them apart, with examples. Merging them after the"
            " fact is not a new study: coders with one category might have judged otherwise.",
            {
                "categories": [labels[j], labels[k]],
                "share": float(above[j, k] / apart),
                "over_expected": float(ratio),
                "value_merged": merged,
            },
        )
