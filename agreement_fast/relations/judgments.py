"""Relations as judgments of pairs of units, or of units."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_flag
from agreement_fast.relations.related import Relations, checked, heads_of
from agreement_fast.terminal import show_label


def pairs(
    data: Relations, *, directed: bool = True, no_relation: Any = "no relation"
) -> Annotations:
    """Turn relations into judgments of pairs of units: a label, or "no relation".

    Parameters
    ----------
    data : Relations
        The relations of the coders.
    directed : bool, default True
        Whether a pair and its reverse are two items.
    no_relation : object, default "no relation"
        The label for pairs that a coder who saw the document does not relate.

    Returns
    -------
    Annotations
        Judgments of items (document, source, target), for each pair that some coder relates. All
        other pairs of a document are one item (document, None, None) with their number as weight.

    Raises
    ------
    ValueError
        If `no_relation` is a label of the data; if `directed` is False and a coder relates two
        units in both directions with different labels.

    Notes
    -----
    Candidates are all pairs of units that some coder relates or that were given as ``units``. Their
    number determines expected agreement: with many units, most pairs are unrelated, observed
    agreement is near 1, and chance-corrected values depend on the few related pairs. Pairs that
    share a unit are not independent: resample documents, not pairs
    (``cluster=[item[0] for item in found.items]``).

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s3", "s2", "contrast"),
    ... ])
    >>> found = af.relations.pairs(data)
    >>> found.items
    (('d', 's1', 's2'), ('d', 's2', 's3'), ('d', 's3', 's2'), ('d', None, None))
    >>> round(af.kappa(found).value, 3)
    0.333
    >>> round(af.kappa(af.relations.pairs(data, directed=False)).value, 3)
    0.5
    """
    directed = check_flag("directed", directed)
    _check_label("no_relation", no_relation)
    if no_relation in checked(data).labels:
        raise InputError(
            (Argument("no_relation", no_relation), " is a label of the data"), "pass another label"
        )
    V = max(len(data.units), 1)
    ends = np.array([data.source, data.target])
    if not directed:
        ends.sort(axis=0)
    related, place = np.unique(ends[0] * V + ends[1], return_inverse=True)
    labels = np.full((len(data.coders), len(related)), -1, np.int64)
    if not directed:
        _check_both_ways(data, place)
    labels[data.coder, place] = data.label
    document = data.document_of[related // V]
    n_units = np.bincount(data.document_of, minlength=len(data.documents))
    others = n_units * (n_units - 1) // (1 if directed else 2)
    others = others - np.bincount(document, minlength=len(data.documents))
    rest = np.flatnonzero((others > 0) & data.seen.any(0))
    labels = np.hstack([labels, np.full((len(data.coders), len(rest)), -1, np.int64)])
    document = np.concatenate([document, rest])
    who, item = np.nonzero(data.seen[:, document])
    order = np.argsort(item, kind="stable")
    who, item = who[order], item[order]
    names = [*data.labels, no_relation]
    listed = [
        (*data.units[first], data.units[second][1])
        for first, second in zip((related // V).tolist(), (related % V).tolist(), strict=True)
    ] + [(data.documents[d], None, None) for d in rest.tolist()]
    weights = np.concatenate([np.ones(len(related), np.int64), others[rest]])
    return Annotations.from_long(
        [listed[i] for i in item.tolist()],
        [data.coders[c] for c in who.tolist()],
        [names[k] for k in labels[who, item].tolist()],
        weights=weights[item],
    )


def _check_label(argument: str, label: Any) -> None:
    """Raise an error for a label that means a missing judgment: its items would be left out."""
    if label is None or label != label:
        raise InputError.must_be(argument, "a label", label)


def _check_both_ways(data: Relations, place: Any) -> None:
    known: dict[tuple[int, int], int] = {}
    own = zip(data.coder.tolist(), place.tolist(), data.label.tolist(), strict=True)
    for i, (coder, pair, label) in enumerate(own):
        if known.setdefault((coder, pair), label) != label:
            first, second = (data.units[ends[i]][1] for ends in (data.source, data.target))
            raise InputError(
                f"coder {show_label(data.coders[coder])} relates {show_label(first)} and "
                f"{show_label(second)} in both directions, as {show_label(data.labels[label])} and "
                f"{show_label(data.labels[known[coder, pair]])}",
                ("pass ", Argument("directed", True)),
                argument="directed",
            )


def heads(data: Relations, *, head: str = "source", root: Any = "root") -> Annotations:
    """Turn trees into judgments of units: the label of a unit is its head.

    Parameters
    ----------
    data : Relations
        The trees of the coders: each relation gives a unit its head, at most one for each coder.
    head : {"source", "target"}, default "source"
        Which end of a relation is the head.
    root : object, default "root"
        The label of units without a head.

    Returns
    -------
    Annotations
        Judgments of items (document, unit) with labels (document, head).

    Raises
    ------
    ValueError
        If a unit has two heads.

    Notes
    -----
    Heads in different documents are different labels, so expected agreement is near 0, and
    coefficients are near observed agreement, which is the attachment score.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s1", "s3", "contrast"),
    ... ])
    >>> af.relations.heads(data).to_wide().tolist()[1:]
    [[('d', 's1'), ('d', 's1')], [('d', 's2'), ('d', 's1')]]
    """
    _check_label("root", root)
    found, _ = heads_of(data, head)
    who, unit = np.nonzero(data.seen[:, data.document_of])
    order = np.argsort(unit, kind="stable")
    who, unit = who[order], unit[order]
    names: list[Any] = [*data.units, root]
    return Annotations.from_long(
        [data.units[u] for u in unit.tolist()],
        [data.coders[c] for c in who.tolist()],
        [names[k] for k in found[who, unit].tolist()],
    )
