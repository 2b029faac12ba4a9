"""MUC, B³, CEAF, BLANC and the mean of CoNLL, from sums over chains and documents."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.inference.documents import Options
from agreement_fast.options import check_names
from agreement_fast.patterns import coder_of
from agreement_fast.terminal import show_label
from agreement_fast.units.chains import chains
from agreement_fast.units.pair_scores import (
    Measure,
    PairScores,
    PairSums,
    best_matching,
    coder_pairs,
    of_rows,
    pair_scores,
)

#: Errors of this argument.
wrong_data = partial(InputError, argument="data")

REMEDY = "pass links, or what labelsets.chains returns"


class Partition(NamedTuple):
    """The chains of one coder: mentions in ascending order, and the chain of each."""

    mentions: Array
    chains: Array


class Partitions(NamedTuple):
    """The chains of all coders."""

    coders: list[Any]
    documents: list[Any]
    #: The document of each mention: int array.
    document_of: Array
    #: How many mentions each chain has, and its document: int array.
    sizes: Array
    document_of_chain: Array
    by_coder: list[Partition]


def partitions(data: Any) -> Partitions:
    """Number the mentions and chains of links, or of annotations whose labels are chains."""
    annotations = data if isinstance(data, Annotations) else chains(data)
    coders = list(annotations.known_coders("a score of pairs of coders"))
    rows = annotations.rows
    where = np.flatnonzero(rows.codes >= 0)
    who = coder_of(rows, where).astype(np.int64)
    used = np.unique(who * len(annotations.categories) + rows.codes[where])
    members, sizes, place, documents = _numbered(annotations.categories)
    starts = np.cumsum(sizes) - sizes
    by_coder = []
    for coder, name in enumerate(coders):
        mine = used[used // max(len(sizes), 1) == coder] % max(len(sizes), 1)
        chain = np.repeat(mine, sizes[mine])
        inside = np.arange(len(chain)) - np.repeat(
            np.cumsum(sizes[mine]) - sizes[mine], sizes[mine]
        )
        mention = members[starts[chain] + inside]
        order = np.argsort(mention, kind="stable")
        mention, chain = mention[order], chain[order]
        twice = np.flatnonzero(mention[1:] == mention[:-1])
        if len(twice):
            both = [show_label(annotations.categories[c]) for c in chain[twice[0] : twice[0] + 2]]
            raise wrong_data(
                f"coder {show_label(name)} has a mention in two chains, {both[0]} and {both[1]}",
                REMEDY,
            )
        by_coder.append(Partition(mention, chain))
    first = members[np.minimum(starts, max(len(members) - 1, 0))] if len(members) else starts
    return Partitions(
        coders, documents, place, sizes, place[first] if len(place) else first, by_coder
    )


def _numbered(categories: tuple[Any, ...]) -> tuple[Array, Array, Array, list[Any]]:
    """All chains' mentions one after the other, their sizes, and the documents of mentions."""
    mentions: dict[Any, int] = {}
    documents: dict[Any, int] = {}
    members: list[int] = []
    sizes: list[int] = []
    place: list[int] = []
    for chain in categories:
        if not isinstance(chain, frozenset) or not all(_is_mention(one) for one in chain):
            raise wrong_data(
                f"label {show_label(chain)} is no chain, a set of (document, mention)", REMEDY
            )
        if len({document for document, _ in chain}) > 1:
            raise wrong_data(f"chain {show_label(chain)} runs through several documents", REMEDY)
        for mention in chain:
            number = mentions.setdefault(mention, len(mentions))
            if number == len(place):
                place.append(documents.setdefault(mention[0], len(documents)))
            members.append(number)
        sizes.append(len(chain))
    member, size, of = (np.array(column, np.int64) for column in (members, sizes, place))
    return member, size, of, list(documents)


def _is_mention(element: Any) -> bool:
    return isinstance(element, tuple) and len(element) == 2


NO_LINKS = "no coder puts two mentions into one chain, so there are no links"
NO_PAIRS = "the key has no two mentions in one document, so there are no pairs"


def scores(
    data: Any,
    measures: str | Iterable[str] | None = None,
    *,
    gold: Any = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> PairScores:
    """Score the coreference chains of each pair of coders, or of each coder against a gold one.

    Parameters
    ----------
    data : iterable of (document, coder, mention, antecedent), data frame of these, or Annotations
        The input or the output of `labelsets.chains`. A coder's mentions are all that they link,
        including antecedents, and those with the antecedent None.
    measures : str or iterable of str, optional
        "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc" or "conll". By default all.
    gold : object, optional
        The coder who is taken as correct. Recall is then the share of their chains that the others
        have. By default, the first coder of each pair takes this role.
    n_resamples : int, default 1000
        How many times documents are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    PairScores
        A row for each measure and pair, and one for the mean over the pairs.

    Raises
    ------
    ValueError
        If a measure is unknown, if `gold` is not a coder, if there are fewer than two coders, or if
        labels are not chains.

    Notes
    -----
    K and R are chains of the key and of the response; K ∩ R are the mentions that they share. Sums
    are over all documents that both coders judged, as in CoNLL's scorer.

    - MUC: recall is Σ_K (|K| − p(K)) / Σ_K (|K| − 1), where p(K) is the number of parts into which
      the response cuts K. Chains of one mention do not count.
    - B³: recall is Σ_K Σ_R |K ∩ R|² / |K|, divided by the number of the key's mentions.
    - CEAF: the best one-to-one matching of chains by φ₃ = |K ∩ R| (ceaf_m) or
      φ₄ = 2 |K ∩ R| / (|K| + |R|) (ceaf_e); recall is its sum divided by the number
      of the key's mentions, or of its chains.
    - BLANC: the mean of F for pairs of mentions in the same chain and F for pairs in different
      chains. If the key has pairs of one kind only, F for that kind.

    Precision is recall with key and response exchanged.

    **Mentions that only one coder marked** stay in that coder's chains: none is removed or added
    (Pradhan et al. 2014). For MUC such a mention is a part of its own, for B³ and CEAF it has no
    match, and for BLANC its pairs are missing or spurious. A document in which a coder links no
    mentions counts as not judged by them, because links cannot express that there were none.

    A measure is undefined if neither coder has anything that it counts; the reference scorer writes
    0. O(mentions + overlapping pairs of chains) for each pair of coders; CEAF takes the cube of the
    largest set of chains that are connected by overlaps.

    References
    ----------
    Bagga, A. & Baldwin, B. (1998). Algorithms for scoring coreference chains. LREC workshop on
    linguistic coreference.

    Luo, X. (2005). On coreference resolution performance metrics. HLT/EMNLP.

    Luo, X., Pradhan, S., Recasens, M. & Hovy, E. (2014). An extension of BLANC to system mentions.
    ACL (short papers), 24-29.

    Pradhan, S., Luo, X., Recasens, M., Hovy, E., Ng, V. & Strube, M. (2014). Scoring coreference
    partitions of predicted mentions: a reference implementation. ACL (short papers), 30-35.

    Recasens, M. & Hovy, E. (2011). BLANC: implementing the Rand index for coreference evaluation.
    Natural Language Engineering 17.

    Vilain, M., Burger, J., Aberdeen, J., Connolly, D. & Hirschman, L. (1995). A model-theoretic
    coreference scoring scheme. MUC-6.

    Examples
    --------
    One coder has {a b c d}, the other {a b} and {c d} (Vilain et al. 1995):

    >>> from agreement_fast.units import coreference
    >>> links = [
    ...     ("d", "Ann", "b", "a"), ("d", "Ann", "c", "b"), ("d", "Ann", "d", "c"),
    ...     ("d", "Bob", "b", "a"), ("d", "Bob", "d", "c"),
    ... ]
    >>> muc = coreference.scores(links)["muc"]
    >>> round(muc.recall, 3), muc.precision, round(muc.value, 3)
    (0.667, 1.0, 0.8)
    """
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    asked = check_names("measures", measures, tuple(MEASURES), "a name or several names")
    read = partitions(data)
    pairs = [sums_of_pair(read, *pair) for pair in coder_pairs(read.coders, gold)]
    reasons = {name: NO_PAIRS if name == "blanc" else NO_LINKS for name in MEASURES}
    return pair_scores(
        read.coders,
        pairs,
        {name: MEASURES[name] for name in asked},
        reasons,
        len(read.documents),
        options,
        gold=gold is not None,
    )


# ---------------------------------------------------------------------------------------------
# Sums of a document: the rows of `PairSums.sums`

(
    SHARED_LINKS, KEY_LINKS, RESPONSE_LINKS,  # MUC
    KEY_CUBED, RESPONSE_CUBED, KEY_MENTIONS, RESPONSE_MENTIONS,
    MATCHED_MENTIONS, MATCHED_CHAINS, KEY_CHAINS, RESPONSE_CHAINS,  # CEAF
    BOTH_TOGETHER, KEY_TOGETHER, RESPONSE_TOGETHER, BOTH_APART, KEY_APART, RESPONSE_APART,  # BLANC
) = range(17)  # fmt: skip


def sums_of_pair(read: Partitions, key: int, response: int) -> PairSums:
    """Sum what the chains of two coders have in common, in documents that both judged."""
    by_key, by_response = (
        np.unique(read.document_of[read.by_coder[coder].mentions]) for coder in (key, response)
    )
    shared = np.intersect1d(by_key, by_response, assume_unique=True)
    keys, responses = (_within(read, read.by_coder[coder], shared) for coder in (key, response))
    _, at_key, at_response = np.intersect1d(
        keys.mentions, responses.mentions, assume_unique=True, return_indices=True
    )
    n = max(len(read.sizes), 1)
    overlaps, both = np.unique(
        keys.chains[at_key] * n + responses.chains[at_response], return_counts=True
    )
    first, second = overlaps // n, overlaps % n
    of_key, of_response = read.sizes[first], read.sizes[second]
    in_key, in_response = np.unique(keys.chains), np.unique(responses.chains)
    alike = 2.0 * both / np.maximum(of_key + of_response, 1)
    by_mention = best_matching(first, second, both.astype(np.float64))
    by_chain = best_matching(first, second, alike)

    place = np.full(len(read.documents), -1, np.int64)
    place[shared] = np.arange(len(shared))

    def added(document: Array, value: Array | None = None) -> FloatArray:
        counts = np.bincount(place[document], value, minlength=len(shared))
        return np.asarray(counts, np.float64)

    where = read.document_of_chain[first]
    sizes = [read.sizes[chain] for chain in (in_key, in_response)]
    documents = [read.document_of_chain[chain] for chain in (in_key, in_response)]
    mentions = [added(d, size) for d, size in zip(documents, sizes, strict=True)]
    together = [added(d, _pairs(size)) for d, size in zip(documents, sizes, strict=True)]
    met = read.document_of[keys.mentions[at_key]]
    both_together = added(where, _pairs(both))
    same_for_one = [
        added(read.document_of_chain[chain], _pairs(count))
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


def _within(read: Partitions, partition: Partition, documents: Array) -> Partition:
    kept = np.isin(read.document_of[partition.mentions], documents)
    return Partition(partition.mentions[kept], partition.chains[kept])


def _pairs(n: Any) -> Any:
    return n * (n - 1) / 2


# ---------------------------------------------------------------------------------------------
# Measures of sums


def _blanc(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """BLANC of Luo et al. 2014; for one kind of pairs if the key has no other."""
    together, apart = ([np.nan_to_num(part) for part in one(sums)] for one in (_TOGETHER, _APART))
    no_together, no_apart = sums[KEY_TOGETHER] == 0, sums[KEY_APART] == 0
    parts = []
    for one, other in zip(together, apart, strict=True):
        value = np.where(no_together, other, np.where(no_apart, one, (one + other) / 2))
        value[no_together & no_apart] = np.nan
        parts.append(value)
    return parts[0], parts[1], parts[2]


def _conll(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The means of precision, recall and F of three measures."""
    found = np.mean([MEASURES[name](sums) for name in ("muc", "b_cubed", "ceaf_e")], axis=0)
    return found[0], found[1], found[2]


_TOGETHER = of_rows((BOTH_TOGETHER, KEY_TOGETHER), (BOTH_TOGETHER, RESPONSE_TOGETHER))
_APART = of_rows((BOTH_APART, KEY_APART), (BOTH_APART, RESPONSE_APART))

MEASURES: dict[str, Measure] = {
    "muc": of_rows((SHARED_LINKS, KEY_LINKS), (SHARED_LINKS, RESPONSE_LINKS)),
    "b_cubed": of_rows((KEY_CUBED, KEY_MENTIONS), (RESPONSE_CUBED, RESPONSE_MENTIONS)),
    "ceaf_m": of_rows((MATCHED_MENTIONS, KEY_MENTIONS), (MATCHED_MENTIONS, RESPONSE_MENTIONS)),
    "ceaf_e": of_rows((MATCHED_CHAINS, KEY_CHAINS), (MATCHED_CHAINS, RESPONSE_CHAINS)),
    "blanc": _blanc,
    "conll": _conll,
}
