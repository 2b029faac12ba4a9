"""Relations that coders drew between units: their judgments and the scores of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast.annotations import Annotations
from agreement_fast.errors import Argument, InputError, InputTypeError, TooLargeError
from agreement_fast.options import ByName, Column, Label, Seen, check_choice, check_flag
from agreement_fast.present.tables import Tabular, aligned
from agreement_fast.present.terminal import show_label
from agreement_fast.units.continuum import rows_of, who_saw
from agreement_fast.units.doubts import hint_at_names, notes_on
from agreement_fast.units.pair_scores import Choices, Kind, Measure, PairSums, Rates, Study, f1

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

    Examples
    --------
    >>> from agreement_fast import units
    >>> rows = [("d", "Ann", 1, 2, "cause"), ("d", "Bea", 1, 2, "result")]
    >>> relations = units.Relations.from_rows(rows)
    >>> relations.coders, relations.labels
    (('Ann', 'Bea'), ('cause', 'result'))
    """

    _caption = (
        "{rows:relation} of {coders:coder} between {units:unit} in {documents:document}, "
        "labels: {labels:list}"
    )

    def __init__(
        self,
        names: Mapping[str, tuple[Label, ...]],
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
        rows: Column,
        *,
        units: ByName[Iterable[Label]] | None = None,
        alignment: ByName[ByName[Label]] | None = None,
        seen: Seen | None = None,
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
        numbers: dict[str, dict[Any, int]] = {
            name: {} for name in ("documents", "coders", "labels", "units")
        }

        def number(kind: str, name: Any) -> int:
            return numbers[kind].setdefault(name, len(numbers[kind]))

        codes = {name: np.zeros(len(read), np.int64) for name in COLUMNS}
        known: dict[tuple[int, int, int], int] = {}
        for i, (document, coder, *units_named, label) in enumerate(read):
            own_names = (alignment or {}).get(coder, {})
            source, target = (
                own_names.get((document, unit), own_names.get(unit, unit)) for unit in units_named
            )
            if source == target:
                raise wrong_rows(
                    f"relation {i} of coder {show_label(coder)} relates {show_label(source)} to "
                    "itself",
                    "leave it out: a unit without a head is a root",
                )
            ends = number("units", (document, source)), number("units", (document, target))
            own = (number("coders", coder), *ends)
            if own in known:
                other = read[known[own]][4]
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
        documents, coders, *_ = numbers.values()
        marks = np.array([codes["document"], codes["coder"]])
        saw = who_saw(seen, "document", documents, coders, marks)
        names = {kind: tuple(number) for kind, number in numbers.items()}
        hint_at_names(notes_on(names["coders"], names["documents"], names["labels"]))
        of = np.array([documents[document] for document, _ in names["units"]], np.int64)
        return Relations(names, codes, of, saw)

    def __len__(self) -> int:
        return len(self.document)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each relation."""
        names = "document=documents[document] coder=coders[coder] source=units[source] "
        columns = aligned(self, names + "target=units[target] label=labels[label]")
        return columns | {end: [unit for _, unit in columns[end]] for end in ("source", "target")}


def _rows(rows: Any) -> list[tuple[Any, ...]]:
    result = []
    for i, row in enumerate(rows_of(rows, COLUMNS, "rows", "relation")):
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
        result.append((*ends, RELATED if label is None or label != label else label))
    return result


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
    result, labels = np.full((2, len(data.coders), len(data.units)), -1, np.int64)
    result[data.coder, below] = above
    labels[data.coder, below] = data.label
    return result, labels


def judged_pairs(data: Relations, directed: bool, no_relation: Any) -> Annotations:
    """Return the label of each pair of units that some coder relates, and of all others."""
    directed = check_flag("directed", directed)
    _check_label("no_relation", no_relation)
    if no_relation in data.labels:
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
    return Annotations.from_long(
        [listed[i] for i in item.tolist()],
        [data.coders[c] for c in who.tolist()],
        [names[k] for k in labels[who, item].tolist()],
        weights=np.concatenate([np.ones(len(related), np.int64), others[rest]])[item],
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


def judged_heads(data: Relations, head: str, root: Any) -> Annotations:
    """Return each coder's head of each unit."""
    _check_label("root", root)
    result, _ = heads_of(data, head)
    who, unit = np.nonzero(data.seen[:, data.document_of])
    order = np.argsort(unit, kind="stable")
    who, unit = who[order], unit[order]
    names: list[Any] = [*data.units, root]
    return Annotations.from_long(
        [data.units[u] for u in unit.tolist()],
        [data.coders[c] for c in who.tolist()],
        [names[k] for k in result[who, unit].tolist()],
    )


NO_RELATIONS = "neither coder relates anything in documents that both saw"
NO_UNITS = "there are no units in documents that both saw"


def _share(row: int, of: int) -> Measure:
    """The share of units, which is precision, recall and F: both coders judge the same units."""

    def rates(sums: FloatArray) -> Rates:
        share = ratio(sums[row], sums[of])
        return share, share, share

    return Measure(rates, NO_UNITS)


OF_RELATIONS = ("labelled", "unlabelled", "undirected")

#: By the choice of `measure`: the rows that it makes, of sums of its own.
MEASURES: dict[str, dict[str, Measure]] = {
    **{name: {name: f1(0, 1, 2, NO_RELATIONS)} for name in OF_RELATIONS},
    "attachment": {"unlabelled_attachment": _share(0, 2), "labelled_attachment": _share(1, 2)},
}


def _study(data: Relations, choices: Choices) -> Study:
    sums_of = {
        name: partial(_in_common, data, keys)
        for name, keys in zip(MEASURES, _keys(data), strict=False)
    }
    if "attachment" in choices.measure:
        sums_of["attachment"] = partial(_attached, data, *heads_of(data, choices.head))
    pairs: list[PairSums] = []
    for pair in choices.pairs:
        shared = np.flatnonzero(data.seen[pair[0]] & data.seen[pair[1]])
        for place in (None, *range(len(data.labels) if choices.by_label else 0)):
            own = None if place is None else data.label == place
            sums = np.concatenate([sums_of[name](pair, own) for name in choices.measure])
            label = None if place is None else data.labels[place]
            pairs.append(PairSums.of(pair, label, sums, shared))
    measures = {
        name: measure.below(3 * place)
        for place, choice in enumerate(choices.measure)
        for name, measure in MEASURES[choice].items()
    }
    return Study(data.documents, measures, pairs)


def _keys(data: Relations) -> list[Array]:
    """Number each relation with its label, without it, and without its direction."""
    V, L = max(len(data.units), 1), max(len(data.labels), 1)
    if float(V) * V * L >= 2.0**62:
        raise TooLargeError(f"{V:,} units and {L:,} labels are too many to number their relations")
    directed = data.source * V + data.target
    low, high = np.minimum(data.source, data.target), np.maximum(data.source, data.target)
    return [directed * L + data.label, directed, low * V + high]


def _in_common(data: Relations, keys: Array, pair: tuple[int, int], kept: Any) -> FloatArray:
    """Count by document the relations that two coders share, and those of each."""
    sides = []
    for coder in pair:
        own = np.flatnonzero((data.coder == coder) & (True if kept is None else kept))
        distinct, place = np.unique(keys[own], return_index=True)
        sides.append((distinct, own[place]))
    (first, where), (second, elsewhere) = sides
    _, at, _ = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    counts = [
        np.bincount(data.document[some], minlength=len(data.documents))
        for some in (where[at], where, elsewhere)
    ]
    return np.array(counts, np.float64)


def _attached(
    data: Relations, heads: Array, labels: Array, pair: tuple[int, int], kept: Any
) -> FloatArray:
    """Count by document the units of the same head, of the same head and label, and all."""
    if kept is not None:
        raise InputError("heads are scored for all labels together", "leave by out", argument="by")
    same = heads[pair[0]] == heads[pair[1]]
    alike = same & (labels[pair[0]] == labels[pair[1]])
    n = len(data.documents)
    counted = (same, alike, np.ones(len(same)))
    return np.array([np.bincount(data.document_of, some, n) for some in counted])


NAMES = tuple(MEASURES), OF_RELATIONS
BY, OPTIONS = ("label", "document"), frozenset({"head"})
RELATIONS = Kind(Relations, "af.units.Relations.from_rows", _study, BY, *NAMES, OPTIONS)
