"""MUC, B³, CEAF, BLANC and the mean of CoNLL, from sums over chains and documents."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.units.chains import Chains
from agreement_fast.units.matching import best_matching
from agreement_fast.units.pair_scores import (
    Choices,
    Kind,
    Measure,
    PairSums,
    Rates,
    Study,
    f1,
    quotients,
)

NO_LINKS = "no coder puts two mentions into one chain, so there are no links"
NO_PAIRS = "the key has no two mentions in one document, so there are no pairs"


# ---------------------------------------------------------------------------------------------
# Sums of a document: the rows of `PairSums.sums`

(
    SHARED_LINKS, KEY_LINKS, RESPONSE_LINKS,  # MUC
    KEY_CUBED, RESPONSE_CUBED, KEY_MENTIONS, RESPONSE_MENTIONS,
    MATCHED_MENTIONS, MATCHED_CHAINS, KEY_CHAINS, RESPONSE_CHAINS,  # CEAF
    BOTH_TOGETHER, KEY_TOGETHER, RESPONSE_TOGETHER, BOTH_APART, KEY_APART, RESPONSE_APART,  # BLANC
) = range(17)  # fmt: skip


class _Partition(NamedTuple):
    """The chains of one coder: mentions with their documents, in ascending order, and chains."""

    mentions: Array
    chains: Array


def sums_of_pair(data: Chains, key: int, response: int) -> PairSums:
    """Sum what the chains of two coders have in common, in documents that both judged."""
    M = max(len(data.mentions), 1)
    size = np.bincount(data.chain)
    document_of = np.zeros(len(size), np.int64)
    document_of[data.chain] = data.expression // M
    by_coder = [np.flatnonzero(data.coder_of == coder) for coder in (key, response)]
    first, second = (data.expression[own] // M for own in by_coder)
    shared = np.intersect1d(first, second)
    kept = [own[np.isin(data.expression[own] // M, shared)] for own in by_coder]
    keys, responses = (_Partition(data.expression[own], data.chain[own]) for own in kept)
    _, at_key, at_response = np.intersect1d(
        keys.mentions, responses.mentions, assume_unique=True, return_indices=True
    )
    n = max(len(size), 1)
    overlaps, both = np.unique(
        keys.chains[at_key] * n + responses.chains[at_response], return_counts=True
    )
    first, second = overlaps // n, overlaps % n
    of_key, of_response = size[first], size[second]
    in_key, in_response = np.unique(keys.chains), np.unique(responses.chains)
    alike = 2.0 * both / np.maximum(of_key + of_response, 1)
    by_mention = best_matching(first, second, both.astype(np.float64))
    by_chain = best_matching(first, second, alike)

    place = np.full(len(data.documents), -1, np.int64)
    place[shared] = np.arange(len(shared))

    def added(document: Array, value: Array | None = None) -> FloatArray:
        counts = np.bincount(place[document], value, minlength=len(shared))
        return np.asarray(counts, np.float64)

    where = document_of[first]
    sizes = [size[chain] for chain in (in_key, in_response)]
    documents = [document_of[chain] for chain in (in_key, in_response)]
    mentions = [added(d, s) for d, s in zip(documents, sizes, strict=True)]
    together = [added(d, _pairs(s)) for d, s in zip(documents, sizes, strict=True)]
    met = keys.mentions[at_key] // M
    both_together = added(where, _pairs(both))
    same_for_one = [
        added(document_of[chain], _pairs(count))
        for chain, count in (
            np.unique(keys.chains[at_key], return_counts=True),
            np.unique(responses.chains[at_response], return_counts=True),
        )
    ]
    sums = np.array([
        added(where, both - 1), *(added(d, s - 1) for d, s in zip(documents, sizes, strict=True)),
        added(where, both**2 / of_key), added(where, both**2 / of_response), *mentions,
        added(where[by_mention], both[by_mention]), added(where[by_chain], alike[by_chain]),
        *(added(d) for d in documents),
        both_together, *together,
        _pairs(added(met)) - sum(same_for_one) + both_together,
        *(_pairs(all_of) - joined for all_of, joined in zip(mentions, together, strict=True)),
    ])  # fmt: skip
    return PairSums(key, response, None, shared, sums, shared)


def _pairs(n: Any) -> Any:
    return n * (n - 1) / 2


# ---------------------------------------------------------------------------------------------
# Measures of sums


def _blanc(sums: FloatArray) -> Rates:
    """BLANC of Luo et al. 2014; for one kind of pairs if the key has no other."""
    together, apart = (
        [np.nan_to_num(rate) for rate in kind.rates(sums)] for kind in (_TOGETHER, _APART)
    )
    no_together, no_apart = sums[KEY_TOGETHER] == 0, sums[KEY_APART] == 0
    parts = []
    for same, other in zip(together, apart, strict=True):
        value = np.where(no_together, other, np.where(no_apart, same, (same + other) / 2))
        value[no_together & no_apart] = np.nan
        parts.append(value)
    return parts[0], parts[1], parts[2]


def _conll(sums: FloatArray) -> Rates:
    """The means of precision, recall and F of three measures."""
    three = [MEASURES[name].rates(sums) for name in ("muc", "b_cubed", "ceaf_e")]
    precision, recall, f = np.mean(three, axis=0)
    return precision, recall, f


_TOGETHER = f1(BOTH_TOGETHER, KEY_TOGETHER, RESPONSE_TOGETHER, NO_PAIRS)
_APART = f1(BOTH_APART, KEY_APART, RESPONSE_APART, NO_PAIRS)

MEASURES: dict[str, Measure] = {
    "muc": quotients((SHARED_LINKS, KEY_LINKS), (SHARED_LINKS, RESPONSE_LINKS), NO_LINKS),
    "b_cubed": quotients((KEY_CUBED, KEY_MENTIONS), (RESPONSE_CUBED, RESPONSE_MENTIONS), NO_LINKS),
    "ceaf_m": quotients(
        (MATCHED_MENTIONS, KEY_MENTIONS), (MATCHED_MENTIONS, RESPONSE_MENTIONS), NO_LINKS
    ),
    "ceaf_e": quotients((MATCHED_CHAINS, KEY_CHAINS), (MATCHED_CHAINS, RESPONSE_CHAINS), NO_LINKS),
    "blanc": Measure(_blanc, NO_PAIRS),
    "conll": Measure(_conll, NO_LINKS),
}


def _study(data: Chains, choices: Choices) -> Study:
    pairs = [sums_of_pair(data, *pair) for pair in choices.pairs]
    return Study(data.documents, {name: MEASURES[name] for name in choices.measure}, pairs)


CHAINS = Kind(
    Chains,
    "Chains.from_links",
    tuple(MEASURES),
    tuple(MEASURES),
    ("document",),
    frozenset(),
    _study,
)
