"""Precision, recall and F of what one coder marked against what another did, for pairs of coders.

A `Kind` of data counts what two coders have in common, document by document, and says which
measures there are of these sums. This module computes the measures of all pairs, their means, and
intervals by resampling documents.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, components, mean_of_defined, ratio
from agreement_fast.errors import Argument, InputError, UnknownKeyError
from agreement_fast.inference.draws import NO_SPREAD, spreads, why_no_interval
from agreement_fast.inference.resample import Options
from agreement_fast.present.tables import DETAILS, ResultTable, in_order
from agreement_fast.present.terminal import show_label
from agreement_fast.results import Resampled

#: Precision, recall and F, float64 arrays of shape (...).
Rates = tuple[FloatArray, FloatArray, FloatArray]


class Measure(NamedTuple):
    """A measure of sums of shape (S, ...)."""

    rates: Callable[[FloatArray], Rates]
    #: Why it may be undefined.
    reason: str
    #: Rows of the sums: the numbers of matches, of the key's units and of the response's.
    counts: tuple[int, ...] | None = None
    #: The row of the sums with the overlap of all matches.
    overlap: int | None = None

    def below(self, n: int) -> Measure:
        """Return the measure of sums that stand n rows below."""
        rows = None if self.counts is None else tuple(row + n for row in self.counts)
        overlap = None if self.overlap is None else self.overlap + n
        return Measure(lambda sums: self.rates(sums[n:]), self.reason, rows, overlap)


def f1(matched: int, key: int, response: int, reason: str, overlap: int | None = None) -> Measure:
    """Return F1 of matches; precision and recall are shares of them."""

    def rates(sums: FloatArray) -> Rates:
        precision, recall = ratio(sums[matched], sums[response]), ratio(sums[matched], sums[key])
        return precision, recall, ratio(2 * sums[matched], sums[key] + sums[response])

    return Measure(rates, reason, (matched, key, response), overlap)


def quotients(recall: tuple[int, int], precision: tuple[int, int], reason: str) -> Measure:
    """Return the measure whose recall and precision are quotients of two rows of the sums."""

    def rates(sums: FloatArray) -> Rates:
        right = ratio(sums[precision[0]], sums[precision[1]])
        result = ratio(sums[recall[0]], sums[recall[1]])
        return right, result, f_score(right, result)

    return Measure(rates, reason)


def f_score(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """Return the harmonic mean; 0 if only one coder marked something, NaN if neither did."""
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    out = np.zeros(np.shape(p))
    np.divide(2 * p * r, p + r, out=out, where=p + r > 0)
    out[np.isnan(precision) & np.isnan(recall)] = np.nan
    return out


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

    @staticmethod
    def of(pair: tuple[int, int], label: Any, sums: FloatArray, shared: Array) -> PairSums:
        """Leave out documents without anything; `sums` are of all, float64 of shape (S, D)."""
        documents = shared[sums[:, shared].any(0)]
        return PairSums(*pair, label, documents, sums[:, documents], shared)

    def total(self, weights: FloatArray) -> FloatArray:
        """Add up documents that are there as often as weights (D, R) say: float64 (S, R)."""
        whole = len(self.documents) == len(weights)
        return np.asarray(self.sums @ (weights if whole else weights[self.documents]))


class Choices(NamedTuple):
    """What is scored, and how units match."""

    measure: list[str]
    pairs: list[tuple[int, int]]
    by_label: bool
    labelled: bool
    threshold: float
    tolerance: float
    head: str


class Study(NamedTuple):
    """Measures of the sums of pairs of coders."""

    documents: Sequence[Any]
    measures: Mapping[str, Measure]
    pairs: list[PairSums]


class Kind(NamedTuple):
    """A kind of data whose coders can be scored."""

    data: type
    #: How the data are made.
    made_by: str
    study: Callable[[Any, Choices], Study]
    #: The choices of `by`: labels, or the documents under their name.
    by: tuple[str, ...]
    #: The choices of `measure`, and those that are taken by default.
    measures: tuple[str, ...]
    default: tuple[str, ...]
    #: Options that concern this kind.
    options: frozenset[str] = frozenset()
    #: The kind of interval that is taken by default.
    method: str = "bca"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PairScore(Resampled):
    """F of two coders: a float, with precision, recall and an interval.

    Attributes
    ----------
    measure : str
        The name of the measure.
    key, response : object
        The coder taken as correct, and the other coder; None for the mean over all pairs.
    document : object
        The document or image that is scored; None for all together.
    average : {"micro", "macro"} or None
        "micro" for all labels together, "macro" for the mean over labels, None for one label.
    label : object
        The label that is scored; None for averages.
    value : float
        F, the harmonic mean of precision and recall, or the mean of F over labels or pairs.
    precision, recall : float
        NaN for the mean over pairs without a gold coder.
    n_matched, n_key, n_response : int or None
        Numbers of matches, of the key's units and of the response's, or for "positions" of steps of
        the resolution; for the mean, sums over the pairs. None for measures of chains and heads.
    mean_iou : float
        The mean IoU of matched objects; NaN for others.
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

    _caption = (
        "{_of}, {_pair}: F = {value}[ (precision {precision:.4f}, recall {recall:.4f})][, "
        "{interval} ({method}, {n_resamples} resamples of {n_documents:document})]"
    )

    @property
    def _pair(self) -> str:
        return _pair(self)

    @property
    def _of(self) -> str:
        of = [show_label(part) for part in (self.label, self.document) if part is not None]
        return " of ".join(["macro average" if self.average == "macro" else self.measure, *of])

    aside: ClassVar[frozenset[str]] = DETAILS | {
        "average", "n_documents", "n_key", "n_response", "note", "standard_error", "undefined"
    }  # fmt: skip

    measure: str
    key: Any
    response: Any
    document: Any
    average: str | None
    label: Any
    precision: float
    recall: float
    n_matched: int | None
    n_key: int | None
    n_response: int | None
    mean_iou: float
    n_documents: int


#: Columns that a table has only if a row needs them.
SOMETIMES = ("document", "label", "n_matched", "n_key", "n_response", "mean_iou")


class PairScores(ResultTable[PairScore]):
    """Scores of pairs of coders, and their mean if there are several pairs: a sequence and a table.

    ``result["muc"]`` is the mean over the pairs, or the score of the only pair.
    ``result.of("muc", "Ann", "Bob")`` is the score of a pair. ``print(result)`` shows all of them.
    """

    _most = 10

    def _layout(self) -> str:
        parts = [
            f"{name} = {{{name}:l}} | "
            for name in ("document", "label")
            if len({getattr(row, name) for row in self}) > 1
        ]
        end = "measure | F = value | precision | recall | low..high"
        return f"pair = _pair | {''.join(parts)}{end}"

    aside: ClassVar[frozenset[str]] = PairScore.aside

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the fields of all rows, without those that concern other kinds of data."""
        names = [field.name for field in in_order(PairScore)]
        columns = {name: [getattr(row, name) for row in self._rows] for name in names}
        needless = [
            name
            for name in SOMETIMES
            if all(value is None or value != value for value in columns[name])
        ]
        return {name: column for name, column in columns.items() if name not in needless}

    def _named(self, key: Any) -> PairScore:
        return self.of(key)

    def of(
        self,
        measure: str,
        key: Any = None,
        response: Any = None,
        label: Any = None,
        *,
        average: Literal["micro", "macro"] = "micro",
    ) -> PairScore:
        """Return the score of a pair of coders.

        Parameters
        ----------
        measure : str
            The name of the measure.
        key, response : object, optional
            The coders, in the order of the table. By default the mean over all pairs, or the only
            pair.
        label : object, optional
            The label. By default an average.
        average : {"micro", "macro"}, default "micro"
            Without a label, the average over all units or over labels.

        Returns
        -------
        PairScore
            The score.

        Raises
        ------
        KeyError
            If there is no such score.
        """
        pairs = list(dict.fromkeys((row.key, row.response) for row in self._rows))
        pair = (key, response)
        if pair == (None, None) and len(pairs) == 1:
            (pair,) = pairs
        kind = (measure, *pair, label, None if label is not None else average)
        for row in self._rows:
            if (row.measure, row.key, row.response, row.label, row.average) == kind:
                return row
        names = dict.fromkeys(row.measure for row in self._rows)
        score = ", ".join(repr(part) for part in kind if part not in (None, "micro"))
        listed = ", ".join(f"{a!r} and {b!r}" for a, b in pairs if a is not None)
        raise UnknownKeyError(
            f"there is no score of {score}; the measures are {', '.join(names)}, and the pairs, "
            f"in this order, are {listed}"
        )


def _pair(row: PairScore) -> str:
    if row.key is None:
        return "mean of pairs"
    return f"{show_label(row.key)} / {show_label(row.response)}"


def coder_pairs(coders: Sequence[Any], gold: Any) -> list[tuple[int, int]]:
    """Return all pairs of coders, or the gold coder with each other; the first is the key."""
    if len(coders) < 2:
        raise InputError(f"scores need at least two coders, got {len(coders)}", argument="data")
    if gold is None:
        return list(combinations(range(len(coders)), 2))
    if gold not in coders:
        some = ", ".join(show_label(coder) for coder in coders[:8])
        raise InputError((Argument("gold", gold), " is not a coder"), f"the coders are {some}")
    place = list(coders).index(gold)
    return [(place, other) for other in range(len(coders)) if other != place]


class Row(NamedTuple):
    """A row of the table: sums whose values are averaged, and those whose counts are added up."""

    pair: tuple[Any, Any]
    average: str | None
    label: Any
    members: list[int]
    counted: list[int]


def _rows(coders: Sequence[Any], pairs: Sequence[PairSums]) -> tuple[list[Row], list[Row]]:
    """Return the rows of pairs of coders, and those of means, whose members are rows of pairs."""
    rows: list[Row] = []
    by_pair: dict[tuple[int, int], list[int]] = {}
    for place, sums in enumerate(pairs):
        by_pair.setdefault((sums.key, sums.response), []).append(place)
    for (key, response), (first, *labels) in by_pair.items():
        pair = (coders[key], coders[response])
        rows.append(Row(pair, "micro", None, [first], [first]))
        if labels:
            rows.append(Row(pair, "macro", None, labels, [first]))
        rows += [Row(pair, None, pairs[place].label, [place], [place]) for place in labels]
    groups: dict[tuple[str | None, Any], list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault((row.average, row.label), []).append(place)
    means = [
        Row((None, None), average, label, group, [i for row in group for i in rows[row].counted])
        for (average, label), group in groups.items()
        if len(group) > 1
    ]
    return rows, means


def pair_scores(study: Study, coders: Sequence[Any], options: Options, *, gold: bool) -> PairScores:
    """Score each pair under each measure, and average over labels and pairs."""
    pairs, n_documents = study.pairs, len(study.documents)
    rows, means = _rows(coders, pairs)

    def averaged(each: FloatArray) -> FloatArray:
        own = np.array([mean_of_defined(each[row.members]) for row in rows])
        return np.concatenate([own, *[mean_of_defined(own[row.members])[None] for row in means]])

    def values_of(weights: FloatArray) -> FloatArray:
        totals = np.stack([pair.total(weights) for pair in pairs], 1)
        return np.concatenate(
            [averaged(measure.rates(totals)[2]) for measure in study.measures.values()]
        )

    scores: list[PairScore] = []
    if not pairs:
        return PairScores(scores)
    spread = iter(spreads(values_of, n_documents, options))
    whole = np.stack([pair.sums.sum(1) for pair in pairs], 1)
    for name, measure in study.measures.items():
        each = np.array(measure.rates(whole)).T
        for row, rates in zip((*rows, *means), averaged(each).tolist(), strict=True):
            own = next(spread)
            shared = np.unique(np.concatenate([pairs[i].shared for i in row.counted]))
            why = measure.reason if len(shared) else NOT_SHARED
            undefined = why if math.isnan(rates[2]) else None
            if row.pair == (None, None) and not gold:  # these depend on the order of the coders
                rates[:2] = math.nan, math.nan
            scores.append(
                _score(
                    (name, measure), row.pair, rates, whole.T[row.counted].sum(0),
                    **own.parts(options), document=None, average=row.average, label=row.label,
                    n_documents=len(shared), undefined=undefined,
                    note=None if undefined else why_no_interval(own, n_documents),
                )
            )  # fmt: skip
    return PairScores(scores)


NOT_SHARED = "no document that both coders judged"
OF_ONE = "documents are drawn for intervals, and this is one of them"


def document_scores(study: Study, coders: Sequence[Any], options: Options) -> PairScores:
    """Score each pair under each measure, document by document."""
    scores: list[PairScore] = []
    for name, measure in study.measures.items():
        for pair in study.pairs:
            sums = np.zeros((len(pair.sums), len(study.documents)))
            sums[:, pair.documents] = pair.sums
            sums = sums[:, pair.shared]
            rates = np.array(measure.rates(sums)).T.tolist()
            for place, (precision, recall, value) in enumerate(rates):
                undefined = measure.reason if math.isnan(value) else None
                scores.append(
                    _score(
                        (name, measure), (coders[pair.key], coders[pair.response]),
                        (precision, recall, value), sums[:, place], **NO_SPREAD.parts(options),
                        document=study.documents[pair.shared[place]], average="micro", label=None,
                        n_documents=1, undefined=undefined, note=None if undefined else OF_ONE,
                    )
                )  # fmt: skip
    return PairScores(scores)


def _score(
    of: tuple[str, Measure],
    pair: tuple[Any, Any],
    rates: Sequence[float],
    sums: FloatArray,
    **more: Any,
) -> PairScore:
    """Return a row, with the numbers of matches and units and the mean overlap of matches."""
    name, measure = of
    counts: list[Any] = [None, None, None]
    if measure.counts is not None:
        counts = [int(n) for n in sums[list(measure.counts)].tolist()]
    overlap = math.nan
    if measure.overlap is not None and counts[0]:
        overlap = float(sums[measure.overlap]) / counts[0]
    parts: dict[str, Any] = dict(zip(("precision", "recall", "value"), rates, strict=True))
    parts |= dict(zip(("n_matched", "n_key", "n_response"), counts, strict=True))
    return PairScore(measure=name, key=pair[0], response=pair[1], mean_iou=overlap, **parts, **more)


# ---------------------------------------------------------------------- matching one to one


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
    left, rows = np.unique(first, return_inverse=True)
    right, columns = np.unique(second, return_inverse=True)
    of_node = components(len(left) + len(right), rows, len(left) + columns)
    # The connected component of each pair, and its positions within the component
    component = of_node[rows]
    row, column = _within(of_node[: len(left)])[rows], _within(of_node[len(left) :])[columns]
    order = np.argsort(component, kind="stable")
    begin = np.flatnonzero(np.diff(component[order], prepend=-1))
    size = np.diff(begin, append=len(order))
    chosen[order[begin[size == 1]]] = True
    for start, count in zip(begin[size > 1].tolist(), size[size > 1].tolist(), strict=True):
        place = order[start : start + count]
        chosen[place[_assigned(row[place], column[place], weights[place])]] = True
    return chosen


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
    result: Array = place[linear_sum_assignment(table, maximize=True)]
    return result[result >= 0]
