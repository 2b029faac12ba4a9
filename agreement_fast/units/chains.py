"""Coreference chains of the links between mentions that coders drew."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import as_python, encode
from agreement_fast.reading.tables import column_length

#: Errors of this argument.
wrong_links = partial(InputError, argument="links")

#: The entries of a link, and the names of a frame's columns.
COLUMNS = ("document", "coder", "mention", "antecedent")


def chains(links: Any, *, left_out: str = "missing") -> Annotations:
    """Turn each coder's antecedent links into chains, and chains into the labels of mentions.

    An item is a mention. A coder's label for it is the chain of the coder's links that contains it:
    all mentions connected with it, including itself (Passonneau 2004; Artstein & Poesio 2005, 4.1).
    So it does not matter which member of a chain a coder names as the antecedent.

    Parameters
    ----------
    links : iterable of (document, coder, mention, antecedent), or data frame of four such columns
        The links. Columns with these names are found by name, others by their order. If the
        antecedent is missing (None) or the mention itself, the mention has no antecedent and starts
        a chain. A mention may have several antecedents, which are all in its chain.
    left_out : {"missing", "empty"}
        The judgment of a mention that is in none of a coder's chains, if the coder judged other
        mentions of the document: missing (the default), or the empty set. If the coder judged
        nothing of the document, all judgments are missing.

    Returns
    -------
    Annotations
        Items are (document, mention), one for every mention that some coder gave an antecedent or
        no antecedent. Mentions that are only antecedents are elements of labels, not items.
        Elements are (document, mention), so chains of different documents are disjoint.

    Raises
    ------
    ValueError
        If a row does not have four entries, or a link has no document, coder or mention.

    Notes
    -----
    The chains cost O(links); each chain is stored once. Because a label includes the mention
    itself, two coders who both judged it are never at distance 1.

    Examples
    --------
    *engine E2 ... while it's there it should pick up* (Artstein & Poesio 2005, example 1):

    >>> import agreement_fast as af
    >>> links = [
    ...     ("d91", "A", "it 1", "engine E2"),
    ...     ("d91", "A", "it 2", "engine E2"),
    ...     ("d91", "B", "it 1", "engine E2"),
    ...     ("d91", "B", "it 2", "it 1"),
    ... ]
    >>> data = af.labelsets.chains(links)
    >>> data.items
    (('d91', 'it 1'), ('d91', 'it 2'))
    >>> af.observed_agreement(data).value
    1.0
    """
    return chains_of_columns(*_columns(links), left_out=left_out)


def chains_of_columns(
    documents: Any, coders: Any, mentions: Any, antecedents: Any, *, left_out: str = "missing"
) -> Annotations:
    """Turn links into chains, from columns of equal length."""
    check_choice("left_out", left_out, ("missing", "empty"))
    document, document_names = encode_ids(documents, "document")
    coder, coder_names = encode_ids(coders, "coder")
    n = len(document)
    # Mentions and antecedents share their numbers.
    mention, antecedent, names = _mentions(mentions, antecedents)
    alone = antecedent < 0
    antecedent = np.where(alone, mention, antecedent)
    D, M = max(len(document_names), 1), max(len(names), 1)
    if float(len(coder_names)) * D * M >= 2.0**62 or n >= 2**30:
        raise InputError("too many coders, documents, mentions or links to number")

    # An expression is a mention in a document; a node is an expression of a coder.
    expression = document.astype(np.int64) * M
    owners = coder.astype(np.int64) * (D * M)
    nodes, ends = np.unique(
        np.concatenate([owners + expression + mention, owners + expression + antecedent]),
        return_inverse=True,
    )
    chain = _components(len(nodes), ends[:n], ends[n:])
    node_coder, node_expression = nodes // (D * M), nodes % (D * M)

    listed = [as_python(name) for name in names]
    of_document = [as_python(name) for name in document_names]
    items = np.unique(expression + mention)
    items = items[np.argsort(_first(expression + mention, items), kind="stable")]
    labels, label_of_chain = _labels(chain, node_expression, of_document, listed, M)

    is_item = np.isin(node_expression, items)
    rows = [node_expression[is_item]]
    who = [node_coder[is_item]]
    codes = [label_of_chain[chain[is_item]]]
    if left_out == "empty":
        absent_item, absent_coder = _left_out(items, M, document, coder, rows[0], who[0], D)
        rows.append(absent_item)
        who.append(absent_coder)
        codes.append(np.full(len(absent_item), len(labels), np.int32))
        labels = [*labels, frozenset()]
    rank = np.argsort(items)
    place = rank[np.searchsorted(items, np.concatenate(rows), sorter=rank)].astype(np.int32)
    # Item by item, so that items are in the order of the links.
    order = np.argsort(place, kind="stable")
    item_names = [(of_document[i // M], listed[i % M]) for i in items.tolist()]
    return Annotations.from_long(
        Dictionary(place[order], item_names, False),
        Dictionary(
            np.concatenate(who).astype(np.int32)[order], [as_python(c) for c in coder_names], False
        ),
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


def _labels(
    chain: Array, expression: Array, documents: list[Any], mentions: list[Any], M: int
) -> tuple[list[frozenset[Any]], Array]:
    """Return the distinct chains as sets of (document, mention), and the chain per component."""
    order = np.argsort(chain, kind="stable")
    stop = np.cumsum(np.bincount(chain)).tolist() if len(chain) else []
    members = [(documents[e // M], mentions[e % M]) for e in expression[order].tolist()]
    known: dict[frozenset[Any], int] = {}
    codes = [
        known.setdefault(frozenset(members[first:last]), len(known))
        for first, last in zip([0, *stop], stop, strict=False)
    ]
    return list(known), np.array(codes, np.int32)


def _left_out(
    items: Array, M: int, document: Array, coder: Array, judged: Array, by: Array, D: int
) -> tuple[Array, Array]:
    """Return (item, coder) of unjudged mentions in documents that the coder judged."""
    pairs = np.unique(document.astype(np.int64) + coder.astype(np.int64) * D)
    by_document = np.argsort(items // M, kind="stable")
    begin = np.searchsorted((items // M)[by_document], pairs % D, side="left")
    count = np.searchsorted((items // M)[by_document], pairs % D, side="right") - begin
    who = np.repeat(pairs // D, count)
    inside = np.arange(len(who)) - np.repeat(np.cumsum(count) - count, count)
    item = items[by_document[np.repeat(begin, count) + inside]]
    expressions = D * M
    absent = ~np.isin(who * expressions + item, by * expressions + judged)
    return item[absent], who[absent]
