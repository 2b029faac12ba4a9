"""Chains as numbers: which mention is in which chain, coder by coder."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError
from agreement_fast.labelsets.chains import chains
from agreement_fast.terminal import show_label

REMEDY = "pass links, or what labelsets.chains returns"


class Partition(NamedTuple):
    """The chains of one coder: mentions in ascending order, and the chain of each."""

    mentions: Array
    chains: Array


class Partitions(NamedTuple):
    """The chains of all coders.

    Attributes
    ----------
    coders, documents : list
    document_of : int array
        The document of each mention.
    sizes, document_of_chain : int array
        How many mentions each chain has, and its document.
    by_coder : list of Partition
    """

    coders: list[Any]
    documents: list[Any]
    document_of: Array
    sizes: Array
    document_of_chain: Array
    by_coder: list[Partition]


def partitions(data: Any) -> Partitions:
    """Number the mentions and chains of links, or of annotations whose labels are chains."""
    annotations = data if isinstance(data, Annotations) else chains(data)
    coders = list(annotations.known_coders("a score of pairs of coders"))
    rows = annotations.rows
    where = np.flatnonzero(rows.codes >= 0)
    who = where % rows.width if rows.width else np.asarray(rows.coders)[where]
    used = np.unique(who.astype(np.int64) * len(annotations.categories) + rows.codes[where])
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
            raise InputError(
                f"coder {show_label(name)} has a mention in two chains, {both[0]} and {both[1]}",
                REMEDY,
                argument="data",
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
            raise InputError(
                f"label {show_label(chain)} is no chain, a set of (document, mention)",
                REMEDY,
                argument="data",
            )
        if len({document for document, _ in chain}) > 1:
            raise InputError(
                f"chain {show_label(chain)} runs through several documents", REMEDY, argument="data"
            )
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
