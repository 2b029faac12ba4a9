"""Read sets from indicators or bit masks, and coreference chains from links."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.patterns import group_equal
from agreement_fast.reading import frames
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import SPREAD, as_python, declared_categories, encode
from agreement_fast.reading.tables import column_length

#: Errors of these arguments.
wrong_links = partial(InputError, argument="links")
wrong_masks = partial(InputError, argument="masks")
wrong_table = partial(InputError, argument="table")


def from_masks(masks: Any, elements: Sequence[Hashable] | None = None) -> Dictionary:
    """Read labels from bit masks: the set has element e if bit e of its mask is set.

    Parameters
    ----------
    masks : array of integers of shape (n,), or (N, C), or either with an axis of words behind it
        One mask per judgment, for `Annotations.from_long`, or a table of items × coders, for
        `Annotations.from_wide`. More than 64 elements need ⌈E/64⌉ words of 64 bits, lowest first,
        on the last axis. Masked entries are missing. If a mask is one signed integer, -1 is missing
        (uint64 has all 64 bits).
    elements : sequence of E labels, optional
        The names of the bits, from the lowest; by default 0, 1, 2, ...

    Returns
    -------
    Dictionary
        Codes with the shape of the masks, and the distinct sets in ascending order of their masks.

    Raises
    ------
    TypeError
        If the masks are not integers.
    ValueError
        If a bit has no element, or a mask is negative and not -1.

    Notes
    -----
    The cost is O(n), plus O(E) for each distinct set.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = af.labelsets.from_masks([[1, 3], [2, 2], [3, -1]], ["noun", "verb"])
    >>> data = af.Annotations.from_wide(table)
    >>> [sorted(label) for label in data.categories]
    [['noun'], ['verb'], ['noun', 'verb']]
    >>> round(af.alpha(data, "masi").value, 4)
    0.5
    """
    values = np.ma.getdata(masks) if isinstance(masks, np.ma.MaskedArray) else np.asarray(masks)
    if values.dtype.kind not in "iu":
        raise InputTypeError(
            f"bit masks must be an array of integers, not {values.dtype}",
            "64 bits need np.uint64, more bits need an axis of words",
            argument="masks",
        )
    names = declared_categories(elements) if elements is not None else tuple(range(64))
    assert names is not None
    n_words = max(1, -(-len(names) // 64))
    if n_words > 1 and (values.ndim < 2 or values.shape[-1] != n_words):
        raise wrong_masks(
            f"{len(names)} elements need {n_words} words of 64 bits on the last axis, got an array "
            f"of shape {values.shape}"
        )
    gone = np.ma.getmaskarray(masks) if isinstance(masks, np.ma.MaskedArray) else None
    shape = values.shape if n_words == 1 else values.shape[:-1]
    if n_words > 1:
        missing = None if gone is None else gone.any(-1)
        words = values.reshape(-1, n_words).astype(np.int64).view(np.uint64)
    else:
        missing = values == -1 if values.dtype.kind == "i" else None
        missing = gone if missing is None else missing if gone is None else missing | gone
        low = int(values.min(initial=0, where=True if missing is None else ~missing))
        if low < 0:
            raise wrong_masks(
                f"{low} is not a bit mask: a mask must be 0 or more, or -1 for missing"
            )
        words = values.reshape(-1, 1)
    codes, distinct = _number(words, None if missing is None else missing.reshape(-1))
    bits = np.unpackbits(distinct.view(np.uint8), axis=1, bitorder="little")
    if bits[:, len(names) :].any():
        bit = int(np.flatnonzero(bits[:, len(names) :].any(0))[0]) + len(names)
        raise wrong_masks(f"bit {bit} is set in a mask, but there are only {len(names)} elements")
    return Dictionary(codes.reshape(shape), _sets(bits, names), False)


def _number(words: Array, missing: Array | None) -> tuple[Array, Array]:
    """Return codes of rows of words (-1 missing), and the distinct rows as uint64, ascending."""
    if words.shape[1] == 1 and words.size:
        column = words[:, 0] if missing is None else np.where(missing, 0, words[:, 0])
        largest = int(column.max())
        if largest < SPREAD:  # the usual case: at most 16 elements
            small = column.astype(np.int32)
            present = small if missing is None else small[~missing]
            flags = np.zeros(largest + 1, np.uint8)
            _encode.mark_present(present, 0, flags)
            used = np.flatnonzero(flags)
            lookup = np.zeros(largest + 1, np.int32)
            lookup[used] = np.arange(len(used))
            codes = np.empty(len(small), np.int32)
            _encode.recode(small, 0, lookup, codes)
            if missing is not None:
                codes[missing] = -1
            return codes, used.astype(np.uint64)[:, None]
    wide = words.astype(np.uint64)
    where = slice(None) if missing is None else np.flatnonzero(~missing)
    group, first = group_equal(wide[where])
    distinct = wide[where][first]
    order = np.lexsort(distinct.T)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    codes = np.full(len(wide), -1, np.int32)
    codes[where] = rank[group]
    return codes, np.ascontiguousarray(distinct[order])


def _sets(bits: Array, names: Sequence[Hashable]) -> list[Any]:
    """Return a frozenset for each row of 0s and 1s."""
    owner, element = np.nonzero(bits)
    start = np.searchsorted(owner, np.arange(len(bits) + 1)).tolist()
    members = [names[e] for e in element.tolist()]
    return [frozenset(members[start[i] : start[i + 1]]) for i in range(len(bits))]


def from_indicators(
    table: Any,
    elements: Sequence[Hashable] | None = None,
    *,
    n_coders: int | None = None,
    missing: Any = None,
) -> Dictionary:
    """Read labels from 0/1 indicators: the set has element e if column e is 1.

    Parameters
    ----------
    table : array of 0 and 1 of shape (n, E) or (N, C, E), also scipy's sparse ones, or data frame
        One row per judgment, for `Annotations.from_long`, or items × coders × elements, for
        `Annotations.from_wide`. A row of NaN or of masked entries is missing.
    elements : sequence of E labels, optional
        The names of the columns; by default a data frame's column names, or 0, 1, 2, ...
    n_coders : int, optional
        The number of coders, if the rows of a two-dimensional table are items × coders, with all
        coders of the first item first.
    missing : array of bool, of the table's shape without the elements, optional
        Whether each judgment is missing. Without it, a row of zeros is the empty set.

    Returns
    -------
    Dictionary
        Codes, and the distinct sets in order of first appearance.

    Raises
    ------
    ValueError
        If a value is not 0, 1 or NaN, a row is missing in part, or shapes do not fit.

    Notes
    -----
    The cost is O(table), or O(ones) for a sparse table.

    Examples
    --------
    >>> import agreement_fast as af
    >>> tensor = [[[1, 0], [1, 1]], [[0, 1], [0, 1]], [[0, 0], [0, 0]]]
    >>> data = af.Annotations.from_wide(af.labelsets.from_indicators(tensor, ["sport", "news"]))
    >>> [sorted(label) for label in data.categories]
    [['sport'], ['news', 'sport'], ['news'], []]
    """
    names = None if elements is None else declared_categories(elements)
    table = frames.at_hand(table)
    if frames.is_frame(table):
        columns = frames.columns(table)
        if not columns:
            raise wrong_table("the frame has no columns: it needs one for each element")
        if any(isinstance(column, Dictionary) for column in columns.values()):
            raise InputTypeError(
                "indicators must be 0 or 1, but a column of the frame holds text",
                argument="table",
            )
        names = tuple(columns) if names is None else names
        table = np.column_stack([np.asarray(column) for column in columns.values()])
    if isinstance(table, np.ma.MaskedArray):
        table = np.where(np.ma.getmaskarray(table), np.nan, table.data)
    sparse = hasattr(table, "tocsr")
    values = table if sparse else np.asarray(table)
    if len(values.shape) not in (2, 3):
        raise InputTypeError(
            f"indicators must have two or three dimensions, not {len(values.shape)}",
            argument="table",
        )
    shape, n_elements = values.shape[:-1], values.shape[-1]
    names = tuple(range(n_elements)) if names is None else names
    if len(names) != n_elements:
        raise InputError(
            f"expected {n_elements} elements, one per column of the table, got {len(names)}",
            argument="elements",
        )
    if n_coders is not None:
        if len(shape) != 1 or n_coders < 1 or shape[0] % n_coders:
            raise InputError(
                (
                    Argument("n_coders", n_coders),
                    f" does not divide a table of shape {values.shape} into items",
                )
            )
        shape = (shape[0] // n_coders, n_coders)
    gone: Array = np.zeros(int(np.prod(shape)), bool)
    if missing is not None:
        given = np.asarray(missing)
        if given.dtype != bool or given.shape not in (shape, values.shape[:-1]):
            raise InputError(
                f"missing must be an array of bool of shape {shape}",
                argument="missing",
            )
        gone |= given.reshape(-1)
    if sparse:
        flat = values.reshape((-1, n_elements)) if len(values.shape) == 3 else values
        codes, sets = _sparse_sets(flat, names)
    else:
        codes, sets, absent = _dense_sets(values.reshape(len(gone), n_elements), names, gone)
        gone |= absent
    codes[gone] = -1
    return Dictionary(codes.reshape(shape), sets, False)


def _dense_sets(
    values: Array, names: Sequence[Hashable], gone: Array
) -> tuple[Array, list[Any], Array]:
    if values.dtype.kind == "O":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InputTypeError(f"indicators must be 0 or 1: {error}", argument="table") from None
    if values.dtype.kind not in "buif":
        raise InputTypeError(f"indicators must be 0 or 1, not {values.dtype}", argument="table")
    absent: Array = np.zeros(len(values), bool)
    if values.dtype.kind == "f":
        unknown = np.isnan(values)
        absent = np.asarray(unknown.any(1))
        partly = absent & ~unknown.all(1) & ~gone
        if partly.any():
            row = int(np.argmax(partly))
            raise wrong_table(
                f"row {row} of the indicators is missing in part: a row must be all NaN or all 0 "
                "and 1"
            )
    ones = values == 1
    bad = ~(ones | (values == 0)) & ~(gone | absent)[:, None]
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise wrong_table(
            f"{values[row, column]} in row {row}, column {names[column]!r}: indicators must be 0 "
            "or 1"
        )
    packed = np.packbits(ones, axis=1)
    group, first = group_equal(packed) if packed.shape[1] else _all_alike(len(values))
    return group, _sets(ones[first], names), absent


def _all_alike(n: int) -> tuple[Array, Array]:
    return np.zeros(n, np.int32), np.zeros(min(n, 1), np.int64)


def _sparse_sets(table: Any, names: Sequence[Hashable]) -> tuple[Array, list[Any]]:
    rows = table.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    rows.sort_indices()
    if (rows.data != 1).any():
        at = int(np.argmax(rows.data != 1))
        row = int(np.searchsorted(rows.indptr, at, side="right")) - 1
        raise wrong_table(
            f"{rows.data[at]} in row {row}, column {names[rows.indices[at]]!r}: indicators must "
            "be 0 or 1"
        )
    start, elements = rows.indptr.astype(np.int64), rows.indices
    lengths = np.diff(start)
    # Sums of random numbers for their elements identify the rows. The rows are then compared; after
    # a collision, other numbers are drawn.
    rng = np.random.default_rng(0)
    while True:
        drawn = rng.integers(0, 2**64, (2, len(names)), dtype=np.uint64)
        sums = [np.concatenate([[np.uint64(0)], np.cumsum(r[elements])]) for r in drawn]
        keys = np.column_stack([s[start[1:]] - s[start[:-1]] for s in sums])
        group, first = group_equal(keys)
        like = first[group]
        if (lengths == lengths[like]).all():
            owner = np.repeat(np.arange(len(lengths)), lengths)
            place = np.arange(len(elements)) - start[owner] + start[like[owner]]
            if (elements == elements[place]).all():
                break
    members = [
        frozenset(names[e] for e in elements[start[row] : start[row + 1]].tolist()) for row in first
    ]
    return group, members


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
