"""Coreference chains of the links between mentions that coders drew, and their scores.

MUC, B³, CEAF, BLANC and the mean of CoNLL come from sums over chains and documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, components, ranges
from agreement_fast.annotations import Annotations
from agreement_fast.errors import InputError
from agreement_fast.options import Column, Label, check_choice
from agreement_fast.present.tables import Aligned
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import encode, in_python
from agreement_fast.reading.tables import column_length
from agreement_fast.units.continuum import rows_of
from agreement_fast.units.pair_scores import (
    Choices,
    Kind,
    Measure,
    PairSums,
    Rates,
    Study,
    best_matching,
    f1,
    quotients,
)

#: The entries of a link, and the names of a frame's columns.
COLUMNS = ("document", "coder", "mention", "antecedent")


class Chains(Aligned):
    """Coreference chains of the links between mentions. Make them with `from_links`.

    A chain of a coder is all mentions that the coder's links connect (Passonneau 2004; Artstein &
    Poesio 2005, 4.1). So it does not matter which member of a chain a coder names as the
    antecedent.

    Attributes
    ----------
    documents, coders, mentions : tuple
        The names of documents, coders and mentions.
    document, coder, mention, antecedent : int array of shape (n,)
        The parts of each link, as positions in these names. A mention without an antecedent has
        itself.
    coder_of, expression, chain : int array
        The mentions that coders put into chains: the coder, the document times the number of
        mentions plus the mention, and the chain, which belongs to one coder.

    Examples
    --------
    >>> from agreement_fast import units
    >>> rows = [("d", "Ann", "it", "the train"), ("d", "Bea", "it", "the engine")]
    >>> chains = units.Chains.from_links(rows)
    >>> chains.coders, len(chains.mentions)
    (('Ann', 'Bea'), 3)
    """

    _caption = "{rows:link} of {coders:coder} between {mentions:mention} in {documents:document}"
    #: A row for each link; mentions without an antecedent have themselves.
    _column_names = (
        "document=documents[document] coder=coders[coder] mention=mentions[mention] "
        "antecedent=mentions[antecedent]"
    )

    def __init__(self, names: Sequence[Sequence[Label]], codes: Sequence[Array]) -> None:
        self.documents, self.coders, self.mentions = map(tuple, names)
        self.document, self.coder, self.mention, self.antecedent = codes
        D, M = max(len(self.documents), 1), max(len(self.mentions), 1)
        n = len(self.document)
        if float(len(self.coders)) * D * M >= 2.0**62 or n >= 2**30:
            raise InputError("too many coders, documents, mentions or links to number")
        # An expression is a mention in a document; a node is an expression of a coder.
        places = self.document.astype(np.int64) * M + self.coder.astype(np.int64) * (D * M)
        nodes, ends = np.unique(
            np.concatenate([places + self.mention, places + self.antecedent]), return_inverse=True
        )
        self.chain = components(len(nodes), ends[:n], ends[n:])
        self.coder_of, self.expression = nodes // (D * M), nodes % (D * M)

    @staticmethod
    def from_links(links: Column) -> Chains:
        """Read antecedent links, one a row.

        Parameters
        ----------
        links : iterable of (document, coder, mention, antecedent), or data frame of these
            The links. Columns with these names are found by name, others by their order. If the
            antecedent is missing (None) or the mention itself, the mention has no antecedent and
            starts a chain. A mention may have several antecedents, which are all in its chain.

        Returns
        -------
        Chains
            The chains.

        Raises
        ------
        ValueError
            If a row does not have four entries, or a link has no document, coder or mention.

        Notes
        -----
        O(links).

        Examples
        --------
        >>> from agreement_fast.units import Chains
        >>> Chains.from_links([("d", "Ann", "it 1", "engine"), ("d", "Bob", "it 1", None)])
        <2 links of 2 coders between 2 mentions in 1 document>
        """
        links = frames.at_hand(links)
        if frames.is_frame(links):
            return chains_of(*frames.in_roles(links, COLUMNS, "links"))
        rows = list(rows_of(links, COLUMNS, "links", "link"))
        return chains_of(*zip(*rows, strict=True) if rows else ([],) * 4)

    def __len__(self) -> int:
        return len(self.document)


def chains_of(documents: Any, coders: Any, mentions: Any, antecedents: Any) -> Chains:
    """Read links from columns of equal length."""
    document, document_names = encode_ids(documents, "document")
    coder, coder_names = encode_ids(coders, "coder")
    # Mentions and antecedents share their numbers.
    n = column_length(mentions)
    both = [
        entry
        for column in (mentions, antecedents)
        for entry in (frames.listed(column) if hasattr(column, "codes") else list(column))
    ]
    raw, names = encode(np.fromiter(both, object, 2 * n), None, None, str)
    mention, antecedent = raw.codes(len(names)).astype(np.int64).reshape(2, n)
    if n and mention.min() < 0:
        raise InputError(f"link {int(np.argmin(mention))} has no mention", argument="links")
    known = [in_python(some) for some in (document_names, coder_names, names)]
    antecedent = np.where(antecedent < 0, mention, antecedent)
    return Chains(known, (document, coder, mention, antecedent))


def chain_judgments(data: Chains, left_out: str) -> Annotations:
    """Turn chains into the labels of their mentions."""
    check_choice("left_out", left_out, ("missing", "empty"))
    M = max(len(data.mentions), 1)
    marked = data.document.astype(np.int64) * M + data.mention
    items, first = np.unique(marked, return_index=True)
    items = items[np.argsort(first)]
    # The distinct chains as sets of (document, mention), and the chain of each component
    by_chain = np.argsort(data.chain, kind="stable")
    stop = np.cumsum(np.bincount(data.chain)).tolist() if len(data.chain) else []
    members = [
        (data.documents[e // M], data.mentions[e % M]) for e in data.expression[by_chain].tolist()
    ]
    known: dict[frozenset[Any], int] = {}
    of_chains = [
        known.setdefault(frozenset(members[begin:end]), len(known))
        for begin, end in zip([0, *stop], stop, strict=False)
    ]
    labels, label_of_chain = list(known), np.array(of_chains, np.int32)

    is_item = np.isin(data.expression, items)
    rows = [data.expression[is_item]]
    who = [data.coder_of[is_item]]
    codes = [label_of_chain[data.chain[is_item]]]
    if left_out == "empty":
        # Mentions that a coder of their document did not judge
        D = max(len(data.documents), 1)
        pairs = np.unique(data.document.astype(np.int64) + data.coder.astype(np.int64) * D)
        by_document = np.argsort(items // M, kind="stable")
        begin = np.searchsorted((items // M)[by_document], pairs % D, side="left")
        count = np.searchsorted((items // M)[by_document], pairs % D, side="right") - begin
        which, at = ranges(begin, count)
        coder, item = pairs[which] // D, items[by_document[at]]
        absent = ~np.isin(coder * (D * M) + item, who[0] * (D * M) + rows[0])
        rows.append(item[absent])
        who.append(coder[absent])
        codes.append(np.full(len(rows[1]), len(labels), np.int32))
        labels = [*labels, frozenset()]
    rank = np.argsort(items)
    place = rank[np.searchsorted(items, np.concatenate(rows), sorter=rank)].astype(np.int32)
    # Item by item, so that items are in the order of the links.
    order = np.argsort(place, kind="stable")
    item_names = [(data.documents[i // M], data.mentions[i % M]) for i in items.tolist()]
    return Annotations.from_long(
        Dictionary(place[order], item_names, False),
        Dictionary(np.concatenate(who).astype(np.int32)[order], list(data.coders), False),
        Dictionary(np.concatenate(codes).astype(np.int32)[order], labels, False),
    )


# ---------------------------------------------------------------------- scores

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
    key_mentions, response_mentions = (data.expression[own] for own in kept)
    key_chains, response_chains = (data.chain[own] for own in kept)
    met, at_key, at_response = np.intersect1d(
        key_mentions, response_mentions, assume_unique=True, return_indices=True
    )
    key_met, response_met = key_chains[at_key], response_chains[at_response]
    n = max(len(size), 1)
    overlaps, both = np.unique(key_met * n + response_met, return_counts=True)
    first, second = overlaps // n, overlaps % n
    of_key, of_response = size[first], size[second]
    in_key, in_response = np.unique(key_chains), np.unique(response_chains)
    alike = 2.0 * both / np.maximum(of_key + of_response, 1)
    by_mention = best_matching(first, second, both.astype(np.float64))
    by_chain = best_matching(first, second, alike)

    place = np.full(len(data.documents), -1, np.int64)
    place[shared] = np.arange(len(shared))

    def added(document: Array, value: Array | None = None) -> FloatArray:
        return np.asarray(np.bincount(place[document], value, minlength=len(shared)), np.float64)

    where = document_of[first]
    sizes = [size[chain] for chain in (in_key, in_response)]
    documents = [document_of[chain] for chain in (in_key, in_response)]
    mentions = [added(d, s) for d, s in zip(documents, sizes, strict=True)]
    together = [added(d, _pairs(s)) for d, s in zip(documents, sizes, strict=True)]
    both_together = added(where, _pairs(both))
    same_for_one = [
        added(document_of[chain], _pairs(count))
        for chain, count in (
            np.unique(side, return_counts=True) for side in (key_met, response_met)
        )
    ]
    sums = np.array([
        added(where, both - 1), *(added(d, s - 1) for d, s in zip(documents, sizes, strict=True)),
        added(where, both**2 / of_key), added(where, both**2 / of_response), *mentions,
        added(where[by_mention], both[by_mention]), added(where[by_chain], alike[by_chain]),
        *(added(d) for d in documents),
        both_together, *together,
        _pairs(added(met // M)) - sum(same_for_one) + both_together,
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


OF_CHAINS = tuple(MEASURES)
CHAINS = Kind(Chains, "af.units.Chains.from_links", _study, ("document",), OF_CHAINS, OF_CHAINS)
