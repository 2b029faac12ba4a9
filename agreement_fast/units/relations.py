"""Relations that coders drew between units: their judgments and the scores of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray, ratio
from agreement_fast.errors import Argument, InputError, InputTypeError, TooLargeError
from agreement_fast.inference.documents import Options
from agreement_fast.options import check_choice, check_flag, check_kind
from agreement_fast.reading import frames
from agreement_fast.reading.ids import read_seen
from agreement_fast.tables import Tabular
from agreement_fast.terminal import number_of, show_label
from agreement_fast.units.pair_scores import (
    Measure,
    PairScores,
    PairSums,
    coder_pairs,
    of_rows,
    pair_scores,
)

#: Errors of this argument.
wrong_rows = partial(InputError, argument="rows")

#: The label of relations without a label.
RELATED = "related"

COLUMNS = ("document", "coder", "source", "target", "label")


class Relations(Tabular):
    """Labelled links between units of documents. Make them with `from_rows`.

    Attributes
    ----------
    documents, coders, labels : tuple
        The names of documents, coders and labels.
    units : tuple of (document, unit)
        All units, with or without relations.
    document, coder, source, target, label : int array of shape (n,)
        The parts of each relation, as positions in these names.
    document_of : int array
        The document of each unit.
    seen : bool array of shape (coders, documents)
        Which coder saw which document.
    """

    def __init__(
        self,
        names: Mapping[str, tuple[Any, ...]],
        codes: Mapping[str, Array],
        document_of: Array,
        seen: Array,
    ) -> None:
        self.documents, self.coders = names["documents"], names["coders"]
        self.labels, self.units = names["labels"], names["units"]
        self.document, self.coder = codes["document"], codes["coder"]
        self.source, self.target = codes["source"], codes["target"]
        self.label = codes["label"]
        self.document_of, self.seen = document_of, seen

    @staticmethod
    def from_rows(
        rows: Any,
        *,
        units: Mapping[Any, Iterable[Any]] | None = None,
        alignment: Mapping[Any, Mapping[Any, Any]] | None = None,
        seen: Any = None,
    ) -> Relations:
        """Read relations, one a row.

        Parameters
        ----------
        rows : iterable of (document, coder, source, target, label), or data frame of these
            The relations. A label of None means "related". Columns are found by these names, else
            by their order.
        units : mapping document -> units, optional
            Further units, which no coder related.
        alignment : mapping coder -> mapping unit -> unit, optional
            The name under which a coder's unit is compared, if coders marked the units themselves.
            Units are unit names or (document, unit). Units that are not in the mapping keep their
            names.
        seen : "all", pairs (document, coder), or mapping document -> coders, optional
            Which coders saw a document. By default those who related something in it. "all": all
            coders saw all documents. Pairs or a mapping add coders who saw a document without
            relating anything.

        Returns
        -------
        Relations
            The relations.

        Raises
        ------
        ValueError
            If a row does not have five entries, if a unit is related to itself, if a coder relates
            two units twice in the same direction, or if `alignment` names a coder without
            relations.

        Examples
        --------
        >>> from agreement_fast.units import Relations
        >>> Relations.from_rows([
        ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "contrast"),
        ... ])
        <2 relations of 2 coders between 2 units in 1 document, labels: cause, contrast>
        """
        read = _rows(rows)
        _check_alignment(alignment, {row[1] for row in read})
        table = [_aligned(row, alignment or {}) for row in read]
        numbers: dict[str, dict[Any, int]] = {
            name: {} for name in ("documents", "coders", "labels", "units")
        }

        def number(kind: str, name: Any) -> int:
            return numbers[kind].setdefault(name, len(numbers[kind]))

        codes = {name: np.zeros(len(table), np.int64) for name in COLUMNS}
        known: dict[tuple[int, int, int], int] = {}
        for i, (document, coder, source, target, label) in enumerate(table):
            if source == target:
                raise wrong_rows(
                    f"relation {i} of coder {show_label(coder)} relates {show_label(source)} to "
                    "itself",
                    "leave it out: a unit without a head is a root",
                )
            ends = number("units", (document, source)), number("units", (document, target))
            own = (number("coders", coder), *ends)
            if own in known:
                other = table[known[own]][4]
                raise wrong_rows(
                    f"coder {show_label(coder)} relates {show_label(source)} to "
                    f"{show_label(target)} twice, as {show_label(other)} and {show_label(label)}",
                    "combine both labels into one",
                )
            known[own] = i
            values = number("documents", document), *own, number("labels", label)
            for name, value in zip(COLUMNS, values, strict=True):
                codes[name][i] = value
        for document, more in _units(units).items():
            number("documents", document)
            for unit in more:
                number("units", (document, unit))
        everybody = isinstance(seen, str) and seen == "all"
        pairs = [] if seen is None or everybody else read_seen(seen, or_all=True)[1]
        for document, coder in pairs:
            number("documents", document)
            number("coders", coder)
        names = {kind: tuple(found) for kind, found in numbers.items()}
        looked = np.full((len(names["coders"]), len(names["documents"])), everybody)
        looked[codes["coder"], codes["document"]] = True
        for document, coder in pairs:
            looked[numbers["coders"][coder], numbers["documents"][document]] = True
        of = np.array([numbers["documents"][document] for document, _ in names["units"]], np.int64)
        return Relations(names, codes, of, looked)

    def __len__(self) -> int:
        return len(self.document)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each relation."""
        return {
            "document": [self.documents[i] for i in self.document.tolist()],
            "coder": [self.coders[i] for i in self.coder.tolist()],
            "source": [self.units[i][1] for i in self.source.tolist()],
            "target": [self.units[i][1] for i in self.target.tolist()],
            "label": [self.labels[i] for i in self.label.tolist()],
        }

    def __repr__(self) -> str:
        labels = ", ".join(show_label(label) for label in self.labels[:8])
        more = ", ..." if len(self.labels) > 8 else ""
        return (
            f"<{number_of(len(self), 'relation')} of {number_of(len(self.coders), 'coder')} "
            f"between {number_of(len(self.units), 'unit')} in "
            f"{number_of(len(self.documents), 'document')}, labels: {labels}{more}>"
        )


def checked(data: Any) -> Relations:
    """Check the type."""
    return check_kind(data, Relations, "Relations", "make them with Relations.from_rows")


def _rows(rows: Any) -> list[tuple[Any, ...]]:
    rows = frames.at_hand(rows)
    if frames.is_frame(rows):
        rows = zip(*map(frames.listed, frames.in_roles(rows, COLUMNS, "rows")), strict=True)
    elif isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise InputTypeError.must_be("rows", f"rows of ({', '.join(COLUMNS)}), or a frame", rows)
    found = []
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != 5:
            raise wrong_rows(f"relation {i} must be ({', '.join(COLUMNS)}), not {row!r}")
        *ends, label = row
        try:
            hash(tuple(row))
        except TypeError:
            raise InputTypeError(
                f"relation {i} is {tuple(row)!r}: names and labels must be hashable",
                "pass texts, numbers or tuples",
                argument="rows",
            ) from None
        if any(end is None or end != end for end in ends):
            raise wrong_rows(
                f"relation {i} is {tuple(row)!r}: document, coder, source and target are needed"
            )
        found.append((*ends, RELATED if label is None or label != label else label))
    return found


def _aligned(row: tuple[Any, ...], alignment: Mapping[Any, Mapping[Any, Any]]) -> tuple[Any, ...]:
    document, coder, source, target, label = row
    names = alignment.get(coder)
    if not names:
        return row
    source, target = (
        names.get((document, unit), names.get(unit, unit)) for unit in (source, target)
    )
    return document, coder, source, target, label


def _check_alignment(alignment: Any, coders: set[Any]) -> None:
    if alignment is None:
        return
    if not isinstance(alignment, Mapping):
        raise InputTypeError.must_be("alignment", "a mapping from coder to names", alignment)
    for coder, names in alignment.items():
        if coder not in coders:
            raise InputError(
                (Argument("alignment"), f" names coder {coder!r}, who has no relations"),
                f"the coders are {', '.join(map(show_label, coders))}",
            )
        if not isinstance(names, Mapping):
            raise InputTypeError(
                (Argument("alignment"), f" has {names!r} for coder {coder!r}"),
                "pass a mapping from units to units",
            )


def _units(units: Any) -> Mapping[Any, Iterable[Any]]:
    if units is None:
        return {}
    if not isinstance(units, Mapping):
        raise InputTypeError.must_be("units", "a mapping from documents to units", units)
    for document, some in units.items():
        if isinstance(some, (str, bytes)) or not isinstance(some, Iterable):
            raise InputTypeError(
                (Argument("units"), f" has {some!r} for document {document!r}"),
                "pass a list of units",
            )
    return units


def heads_of(data: Relations, head: str) -> tuple[Array, Array]:
    """Return each coder's head and label of each unit, by position; -1 for none.

    Returns int64 (coders, units): positions in the units and labels of the data.
    """
    check_choice("head", head, ("source", "target"))
    checked(data)
    above, below = (data.source, data.target) if head == "source" else (data.target, data.source)
    own = data.coder * max(len(data.units), 1) + below
    order = np.argsort(own, kind="stable")
    twice = np.flatnonzero(own[order][1:] == own[order][:-1])
    if len(twice):
        first, second = order[twice[0]], order[twice[0] + 1]
        document, unit = data.units[below[first]]
        raise InputError(
            f"coder {show_label(data.coders[data.coder[first]])} gives unit {show_label(unit)} of "
            f"{show_label(document)} two heads, {show_label(data.units[above[first]][1])} and "
            f"{show_label(data.units[above[second]][1])}",
            ("a unit of a tree has one: check ", Argument("head")),
            argument="data",
        )
    found, labels = np.full((2, len(data.coders), len(data.units)), -1, np.int64)
    found[data.coder, below] = above
    labels[data.coder, below] = data.label
    return found, labels


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
    >>> data = af.units.relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s3", "s2", "contrast"),
    ... ])
    >>> found = af.units.relations.pairs(data)
    >>> found.items
    (('d', 's1', 's2'), ('d', 's2', 's3'), ('d', 's3', 's2'), ('d', None, None))
    >>> round(af.kappa(found).value, 3)
    0.333
    >>> round(af.kappa(af.units.relations.pairs(data, directed=False)).value, 3)
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
    >>> data = af.units.relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s1", "s3", "contrast"),
    ... ])
    >>> af.units.relations.heads(data).to_wide().tolist()[1:]
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


NO_RELATIONS = "neither coder relates anything in documents that both saw"
NO_UNITS = "there are no units in documents that both saw"


def scores(
    data: Relations,
    *,
    by: str | None = None,
    gold: Any = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> PairScores:
    """Score the relations of each pair of coders, or of each coder against a gold one.

    Parameters
    ----------
    data : Relations
        The relations of the coders.
    by : {"label"}, optional
        "label" returns "labelled" for each label, without the other measures.
    gold : object, optional
        The coder who is taken as correct. Recall is then the share of their relations that the
        others have. By default, the first coder of each pair takes this role.
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
        The measures "labelled" (same source, target and label), "unlabelled" (same source and
        target) and "undirected" (same two units).

    Notes
    -----
    Recall is the share of the key's relations that the response also has, precision the share of
    the response's relations that the key also has, in documents that both coders saw. Not corrected
    for chance: see `pairs`. F1 equals positive agreement over all pairs of units, which κ
    approaches if most pairs are unrelated (Hripcsak & Rothschild 2005). O(relations).

    References
    ----------
    Hripcsak, G. & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
    information retrieval. Journal of the American Medical Informatics Association 12, 296-298.

    Examples
    --------
    >>> from agreement_fast.units import relations
    >>> data = relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s3", "s2", "contrast"),
    ... ])
    >>> found = relations.scores(data)
    >>> [found[name].value for name in ("labelled", "unlabelled", "undirected")]
    [0.5, 0.5, 1.0]
    """
    if by is not None:
        check_choice("by", by, ("label",))
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    kinds = _keys(checked(data))
    if by == "label":
        kinds = kinds[:1]
    found: list[PairSums] = []
    for pair in coder_pairs(data.coders, gold):
        shared = np.flatnonzero(data.seen[pair[0]] & data.seen[pair[1]])
        sides = [np.flatnonzero(data.coder == coder) for coder in pair]
        sums = np.concatenate([_in_common(data, keys, *sides) for keys in kinds])
        found.append(PairSums(*pair, None, shared, sums[:, shared], shared))
        for label in range(len(data.labels) if by == "label" else 0):
            mine, theirs = (side[data.label[side] == label] for side in sides)
            sums = _in_common(data, kinds[0], mine, theirs)
            found.append(PairSums(*pair, data.labels[label], shared, sums[:, shared], shared))
    names = ("labelled", "unlabelled", "undirected")[: len(kinds)]
    rows = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    measures = {name: of_rows((a, b), (a, c)) for name, (a, b, c) in zip(names, rows, strict=False)}
    reasons = dict.fromkeys(names, NO_RELATIONS)
    known = gold is not None
    return pair_scores(
        data.coders, found, measures, reasons, len(data.documents), options, gold=known
    )


def attachment(
    data: Relations,
    *,
    head: str = "source",
    gold: Any = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> PairScores:
    """Compute attachment scores of trees: the share of units with the same head.

    Parameters
    ----------
    data : Relations
        The trees of the coders: each relation gives a unit its head, at most one for each coder. A
        unit without a head is a root, and all roots count as the same head.
    head : {"source", "target"}, default "source"
        Which end of a relation is the head.
    gold : object, optional
        Compare this coder with each other coder. By default all pairs of coders are compared.
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
        The measures "unlabelled_attachment" (UAS) and "labelled_attachment" (LAS: same head and
        label). Precision, recall and F are equal: both coders judge the same units.

    Raises
    ------
    ValueError
        If a unit has two heads.

    Notes
    -----
    Units are those that some coder relates, and those passed as ``units`` to `Relations.from_rows`.
    The scores are those of dependency parsing. Not corrected for chance. O(coders² · units).

    Examples
    --------
    >>> from agreement_fast.units import relations
    >>> data = relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s1", "s3", "contrast"),
    ... ])
    >>> round(relations.attachment(data)["unlabelled_attachment"].value, 3)
    0.667
    """
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    heads, labels = heads_of(data, head)
    n = len(data.documents)
    found = []
    for pair in coder_pairs(data.coders, gold):
        shared = np.flatnonzero(data.seen[pair[0]] & data.seen[pair[1]])
        same = heads[pair[0]] == heads[pair[1]]
        alike = same & (labels[pair[0]] == labels[pair[1]])
        sums = np.array([
            np.bincount(data.document_of, kept, n) for kept in (same, alike, np.ones(len(same)))
        ])  # fmt: skip
        found.append(PairSums(*pair, None, shared, sums[:, shared], shared))
    names = ("unlabelled_attachment", "labelled_attachment")
    measures = {name: _share(place) for place, name in enumerate(names)}
    reasons = dict.fromkeys(names, NO_UNITS)
    return pair_scores(data.coders, found, measures, reasons, n, options, gold=gold is not None)


def _keys(data: Relations) -> list[Array]:
    """Number each relation with its label, without it, and without its direction."""
    V, L = max(len(data.units), 1), max(len(data.labels), 1)
    if float(V) * V * L >= 2.0**62:
        raise TooLargeError(f"{V:,} units and {L:,} labels are too many to number their relations")
    directed = data.source * V + data.target
    low, high = np.minimum(data.source, data.target), np.maximum(data.source, data.target)
    return [directed * L + data.label, directed, low * V + high]


def _in_common(data: Relations, keys: Array, first: Array, second: Array) -> FloatArray:
    """Count by document the relations that two lists share, and those of each."""
    found = []
    one, place = np.unique(keys[first], return_index=True)
    other, other_place = np.unique(keys[second], return_index=True)
    _, at, _ = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    for which in (first[place[at]], first[place], second[other_place]):
        found.append(np.bincount(data.document[which], minlength=len(data.documents)))
    return np.array(found, np.float64)


def _share(row: int) -> Measure:
    def measure(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        share = ratio(sums[row], sums[2])
        return share, share, share

    return measure
