"""Precision, recall and F of one coder's findings against another's, for pairs of coders.

Callers pass sums for each document, and measures of these sums. This module computes the scores of
pairs, their mean, and intervals by resampling documents.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray, mean_of_defined, ratio
from agreement_fast.errors import Argument, InputError, UnknownKeyError
from agreement_fast.inference.documents import Options, shown, spreads, why_no_interval
from agreement_fast.results import Result
from agreement_fast.tables import ResultTable, in_columns, of_each
from agreement_fast.terminal import number_of, show_label

#: How many rows are printed.
SHOWN = 40

#: Returns precision, recall and F, float64 arrays of shape (R,), from sums of shape (S, R).
Measure = Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairScore(Result):
    """F of two coders: a float, with precision, recall and an interval.

    Attributes
    ----------
    measure : str
        The name of the measure.
    key, response : object
        The coder taken as correct, and the other coder; None for the mean over all pairs.
    label : object
        The label that is scored; None for all labels together.
    value : float
        F, the harmonic mean of precision and recall, or the mean of F over the pairs.
    precision, recall : float
        NaN for the mean over pairs without a gold coder.
    standard_error, low, high : float
        The standard error and the ends of the interval, from resampling documents. NaN if there is
        a single document.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    n_documents : int
        Number of documents that both coders judged; for the mean, those of all pairs, each once.
    n_resamples : int
        Number of resamples.
    undefined : str or None
        The reason if there is no value.
    note : str or None
        The reason if there is no interval, or one without width.
    """

    measure: str
    key: Any
    response: Any
    label: Any
    value: float
    precision: float
    recall: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_documents: int
    n_resamples: int
    undefined: str | None
    note: str | None

    def __repr__(self) -> str:
        of = "" if self.label is None else f" of {show_label(self.label)}"
        text = f"{self.measure}{of}, {_pair(self)}: F = {self.value:.6g}"
        if not math.isnan(self.precision + self.recall):
            text += f" (precision {self.precision:.4f}, recall {self.recall:.4f})"
        drawn = number_of(self.n_documents, "document")
        return shown(text, self, drawn, with_interval=not math.isnan(self.low))


class PairScores(ResultTable[PairScore]):
    """Scores of pairs of coders, and their mean if there are several pairs: a sequence and a table.

    ``found["muc"]`` is the mean over the pairs, or the score of the only pair.
    ``found.of("muc", "Ann", "Bob")`` is the score of a pair. ``print(found)`` shows all of them.
    """

    def _named(self, key: Any) -> PairScore:
        several = any(row.measure == key and row.key is None for row in self._rows)
        for row in self._rows:
            if row.measure == key and row.label is None and (row.key is None or not several):
                return row
        raise UnknownKeyError(
            f"there is no measure {key!r}; the measures are {', '.join(self._names())}"
        )

    def of(
        self, measure: str, key: Any = None, response: Any = None, label: Any = None
    ) -> PairScore:
        """Return the score of a pair of coders.

        Parameters
        ----------
        measure : str
            The name of the measure.
        key, response : object, optional
            The coders, in the order of the table. By default the mean over all pairs.
        label : object, optional
            The label. By default all labels together.

        Returns
        -------
        PairScore
            The score.

        Raises
        ------
        KeyError
            If there is no such score.
        """
        for row in self._rows:
            if (row.measure, row.key, row.response, row.label) == (measure, key, response, label):
                return row
        asked = ", ".join(repr(one) for one in (measure, key, response, label) if one is not None)
        pairs = dict.fromkeys((row.key, row.response) for row in self._rows)
        shown = ", ".join(f"{one!r} and {other!r}" for one, other in pairs if one is not None)
        raise UnknownKeyError(
            f"there is no score of {asked}; the measures are {', '.join(self._names())}, and the "
            f"pairs, in this order, are {shown}"
        )

    def _names(self) -> list[str]:
        return list(dict.fromkeys(row.measure for row in self._rows))

    def __repr__(self) -> str:
        columns = {
            **of_each(self, "measure value precision recall low high"),
            "pair": list(map(_pair, self)),
            "label": ["all" if row.label is None else row.label for row in self],
        }
        label = "label | " * any(row.label is not None for row in self)
        layout = (
            f"pair:s | {label}measure:s | F = value:?z.4f | precision:?z.4f | recall:?z.4f | "
            "low:?z.4f | high:?z.4f"
        )
        sides = "<<" + "<" * bool(label) + ">>>>>"
        shown = range(min(SHOWN, len(self)))
        lines = in_columns(columns, layout, shown, sides=sides, indent="")
        if len(self) > SHOWN:
            lines.append(f"and {len(self) - SHOWN:,} more")
        said = (text for row in self._rows for text in (row.note, row.undefined) if text)
        return "\n".join([*lines, *dict.fromkeys(said)])


def _pair(row: PairScore) -> str:
    if row.key is None:
        return "mean of pairs"
    return f"{show_label(row.key)} / {show_label(row.response)}"


class PairSums(NamedTuple):
    """What two coders have in common, document by document."""

    #: Positions of the coders.
    key: int
    response: int
    #: The label; None for all labels together.
    label: Any
    #: The documents with a sum other than 0: int array of shape (n,).
    documents: Array
    #: The sums of these documents: float64 array of shape (S, n).
    sums: FloatArray
    #: All documents that both coders judged: int array.
    shared: Array


def coder_pairs(coders: Sequence[Any], gold: Any) -> list[tuple[int, int]]:
    """Return all pairs of coders, or the gold coder with each other; the first is the key."""
    if len(coders) < 2:
        raise InputError(f"scores need at least two coders, got {len(coders)}", argument="data")
    if gold is None:
        return list(combinations(range(len(coders)), 2))
    if gold not in coders:
        some = ", ".join(show_label(one) for one in coders[:8])
        raise InputError((Argument("gold", gold), " is not a coder"), f"the coders are {some}")
    place = list(coders).index(gold)
    return [(place, other) for other in range(len(coders)) if other != place]


def pair_scores(
    coders: Sequence[Any],
    pairs: Sequence[PairSums],
    measures: Mapping[str, Measure],
    reasons: Mapping[str, str],
    n_documents: int,
    options: Options,
    *,
    gold: bool,
) -> PairScores:
    """Score each pair under each measure, and average over the pairs of each label.

    `reasons` has the reason why each measure may be undefined.
    """
    labels = list(dict.fromkeys(pair.label for pair in pairs))
    groups = [[i for i, pair in enumerate(pairs) if pair.label == label] for label in labels]
    means = [group for group in groups if len(group) > 1]

    def values_of(weights: FloatArray) -> FloatArray:
        totals = [pair.sums @ weights[pair.documents] for pair in pairs]
        rows = []
        for measure in measures.values():
            each = np.array([measure(total)[2] for total in totals])
            rows += [each, *(mean_of_defined(each[group])[None] for group in means)]
        return np.concatenate(rows)

    spread = iter(spreads(values_of, n_documents, options) if pairs else ())
    whole = [pair.sums.sum(1, keepdims=True) for pair in pairs]
    found: list[PairScore] = []

    def add(
        name: str, who: tuple[Any, Any], label: Any, parts: Sequence[float], shared: Array
    ) -> None:
        one = next(spread)
        undefined = note = None
        if math.isnan(parts[2]):
            undefined = reasons[name] if len(shared) else "no document that both coders judged"
        else:
            note = why_no_interval(one, n_documents)
        found.append(
            PairScore(
                measure=name,
                key=who[0],
                response=who[1],
                label=label,
                value=parts[2],
                precision=parts[0],
                recall=parts[1],
                **one.parts(options),
                n_documents=len(shared),
                undefined=undefined,
                note=note,
            )
        )

    for name, measure in measures.items():
        each = np.array([[float(part[0]) for part in measure(total)] for total in whole])
        for pair, parts in zip(pairs, each, strict=True):
            who = coders[pair.key], coders[pair.response]
            add(name, who, pair.label, parts.tolist(), pair.shared)
        for group in means:
            middle = mean_of_defined(each[group])
            if not gold:  # precision and recall depend on the order of the coders
                middle[:2] = np.nan
            shared = np.unique(np.concatenate([pairs[i].shared for i in group]))
            add(name, (None, None), pairs[group[0]].label, middle.tolist(), shared)
    return PairScores(found)


def f_score(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """Return the harmonic mean; 0 if only one coder marked something, NaN if neither did."""
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    out = np.zeros(np.shape(p))
    np.divide(2 * p * r, p + r, out=out, where=p + r > 0)
    out[np.isnan(precision) & np.isnan(recall)] = np.nan
    return out


def of_rows(recall: tuple[int, int], precision: tuple[int, int]) -> Measure:
    """Return the measure whose recall and precision are quotients of two rows of the sums."""

    def measure(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        right = ratio(sums[precision[0]], sums[precision[1]])
        found = ratio(sums[recall[0]], sums[recall[1]])
        return right, found, f_score(right, found)

    return measure


# ---------------------------------------------------------------------- one to one


def best_matching(first: Array, second: Array, weights: FloatArray) -> Array:
    """Choose disjoint pairs with the largest sum of weights.

    `first`, `second` (int (n,)): the pairs to choose from, each once. `weights` (float64 (n,)):
    their weights, above 0. Returns bool (n,): which pairs are chosen.

    Kuhn 1955, by scipy's `linear_sum_assignment`, for each connected component separately, so the
    cost depends on the largest component. If several choices have the same sum, the order of the
    pairs decides.

    Examples
    --------
    >>> import numpy as np
    >>> best_matching(np.array([0, 0, 1]), np.array([5, 6, 5]), np.array([0.9, 0.8, 0.7]))
    array([False,  True,  True])
    """
    chosen = np.zeros(len(weights), bool)
    if not len(weights):
        return chosen
    component, row, column = _numbered(first, second)
    order = np.argsort(component, kind="stable")
    begin = np.flatnonzero(np.diff(component[order], prepend=-1))
    size = np.diff(begin, append=len(order))
    chosen[order[begin[size == 1]]] = True
    for start, count in zip(begin[size > 1].tolist(), size[size > 1].tolist(), strict=True):
        place = order[start : start + count]
        chosen[place[_assigned(row[place], column[place], weights[place])]] = True
    return chosen


def _numbered(first: Array, second: Array) -> tuple[Array, Array, Array]:
    """Return the connected component of each pair, and its positions within the component."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    left, rows = np.unique(first, return_inverse=True)
    right, columns = np.unique(second, return_inverse=True)
    n = len(left) + len(right)
    ends = (rows.astype(np.int32), (len(left) + columns).astype(np.int32))
    graph = coo_array((np.ones(len(rows), np.int8), ends), shape=(n, n)).tocsr()
    component = np.asarray(connected_components(graph, directed=False)[1])
    places = [_within(part) for part in (component[: len(left)], component[len(left) :])]
    return component[rows], places[0][rows], places[1][columns]


def _within(group: Array) -> Array:
    """Return the position of each element within its group."""
    order = np.argsort(group, kind="stable")
    begin = np.flatnonzero(np.diff(group[order], prepend=-1))
    place = np.empty(len(group), np.int64)
    place[order] = np.arange(len(group)) - np.repeat(begin, np.diff(begin, append=len(group)))
    return place


def _assigned(row: Array, column: Array, weights: FloatArray) -> Array:
    """Return the positions of the chosen pairs of one component."""
    from scipy.optimize import linear_sum_assignment

    shape = int(row.max()) + 1, int(column.max()) + 1
    if 1 in shape:
        return np.array([np.argmax(weights)])
    table = np.zeros(shape)
    place = np.full(shape, -1, np.int64)
    table[row, column] = weights
    place[row, column] = np.arange(len(weights))
    found: Array = place[linear_sum_assignment(table, maximize=True)]
    return found[found >= 0]
