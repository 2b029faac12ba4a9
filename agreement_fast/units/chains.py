"""Coreference chains of the links between mentions that coders drew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.present.tables import Tabular
from agreement_fast.present.terminal import number_of
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import as_python, encode
from agreement_fast.reading.tables import column_length

#: Errors of this argument.
wrong_links = partial(InputError, argument="links")

#: The entries of a link, and the names of a frame's columns.
COLUMNS = ("document", "coder", "mention", "antecedent")


class Chains(Tabular):
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

    def __init__(self, names: Sequence[Sequence[Any]], codes: Sequence[Array]) -> None:
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
        self.chain = _components(len(nodes), ends[:n], ends[n:])
        self.coder_of, self.expression = nodes // (D * M), nodes % (D * M)

    @staticmethod
    def from_links(links: Any) -> Chains:
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
        return chains_of(*_columns(links))

    def __len__(self) -> int:
        return len(self.document)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each link; mentions without an antecedent have themselves."""
        return {
            "document": [self.documents[i] for i in self.document.tolist()],
            "coder": [self.coders[i] for i in self.coder.tolist()],
            "mention": [self.mentions[i] for i in self.mention.tolist()],
            "antecedent": [self.mentions[i] for i in self.antecedent.tolist()],
        }

    def __repr__(self) -> str:
        return (
            f"<{number_of(len(self), 'link')} of {number_of(len(self.coders), 'coder')} between "
            f"{number_of(len(self.mentions), 'mention')} in "
            f"{number_of(len(self.documents), 'document')}>"
        )


def chains_of(documents: Any, coders: Any, mentions: Any, antecedents: Any) -> Chains:
    """Read links from columns of equal length."""
    document, document_names = encode_ids(documents, "document")
    coder, coder_names = encode_ids(coders, "coder")
    # Mentions and antecedents share their numbers.
    mention, antecedent, names = _mentions(mentions, antecedents)
    known = [[as_python(name) for name in some] for some in (document_names, coder_names, names)]
    antecedent = np.where(antecedent < 0, mention, antecedent)
    return Chains(known, (document, coder, mention, antecedent))


def chain_judgments(data: Chains, left_out: str) -> Annotations:
    """Turn chains into the labels of their mentions."""
    check_choice("left_out", left_out, ("missing", "empty"))
    M = max(len(data.mentions), 1)
    marked = data.document.astype(np.int64) * M + data.mention
    items = np.unique(marked)
    items = items[np.argsort(_first(marked, items), kind="stable")]
    labels, label_of_chain = _labels(data)

    is_item = np.isin(data.expression, items)
    rows = [data.expression[is_item]]
    who = [data.coder_of[is_item]]
    codes = [label_of_chain[data.chain[is_item]]]
    if left_out == "empty":
        absent_item, absent_coder = _left_out(data, items, rows[0], who[0])
        rows.append(absent_item)
        who.append(absent_coder)
        codes.append(np.full(len(absent_item), len(labels), np.int32))
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


def _columns(links: Any) -> list[Any]:
    links = frames.at_hand(links)
    if frames.is_frame(links):
        return list(frames.in_roles(links, COLUMNS, "links"))
    if not isinstance(links, Iterable):
        raise InputTypeError.must_be("links", f"rows of ({', '.join(COLUMNS)}), or a frame", links)
    rows = list(links)
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != 4:
            raise wrong_links(
                f"link {i} must be (document, coder, mention, antecedent), not {row!r}"
            )
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], [], []]


def _mentions(mentions: Any, antecedents: Any) -> tuple[Array, Array, list[Any]]:
    n = column_length(mentions)
    both = _listed(mentions) + _listed(antecedents)
    raw, names = encode(np.fromiter(both, object, 2 * n), None, None, str)
    codes = raw.codes(len(names)).astype(np.int64)
    if n and codes[:n].min() < 0:
        raise wrong_links(f"link {int(np.argmin(codes[:n]))} has no mention")
    return codes[:n], codes[n:], list(names)


def _listed(column: Any) -> list[Any]:
    if isinstance(column, Dictionary):
        return [None if code < 0 else column.labels[code] for code in column.codes.tolist()]
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _components(n_nodes: int, begin: Array, end: Array) -> Array:
    """Return the connected component of each node."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = (begin.astype(np.int32), end.astype(np.int32))  # older csgraphs need 32 bits
    links = coo_array((np.ones(len(begin), np.int8), ends), shape=(n_nodes, n_nodes))
    return np.asarray(connected_components(links.tocsr(), directed=False)[1])


def _first(values: Array, targets: Array) -> Array:
    """Return the first place of each of some ascending values."""
    first = np.full(len(targets), len(values), np.int64)
    np.minimum.at(first, np.searchsorted(targets, values), np.arange(len(values)))
    return first


def _labels(data: Chains) -> tuple[list[frozenset[Any]], Array]:
    """Return the distinct chains as sets of (document, mention), and the chain per component."""
    order = np.argsort(data.chain, kind="stable")
    stop = np.cumsum(np.bincount(data.chain)).tolist() if len(data.chain) else []
    M = max(len(data.mentions), 1)
    members = [
        (data.documents[e // M], data.mentions[e % M]) for e in data.expression[order].tolist()
    ]
    known: dict[frozenset[Any], int] = {}
    codes = [
        known.setdefault(frozenset(members[first:last]), len(known))
        for first, last in zip([0, *stop], stop, strict=False)
    ]
    return list(known), np.array(codes, np.int32)


def _left_out(data: Chains, items: Array, judged: Array, by: Array) -> tuple[Array, Array]:
    """Return (item, coder) of unjudged mentions in documents that the coder judged."""
    D, M = max(len(data.documents), 1), max(len(data.mentions), 1)
    pairs = np.unique(data.document.astype(np.int64) + data.coder.astype(np.int64) * D)
    by_document = np.argsort(items // M, kind="stable")
    begin = np.searchsorted((items // M)[by_document], pairs % D, side="left")
    count = np.searchsorted((items // M)[by_document], pairs % D, side="right") - begin
    who = np.repeat(pairs // D, count)
    inside = np.arange(len(who)) - np.repeat(np.cumsum(count) - count, count)
    item = items[by_document[np.repeat(begin, count) + inside]]
    expressions = D * M
    absent = ~np.isin(who * expressions + item, by * expressions + judged)
    return item[absent], who[absent]
