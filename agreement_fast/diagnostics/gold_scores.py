"""Coders, models and the majority against the right labels, or against the majority of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Unpack, cast

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import wilson, wilson_of_error
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.diagnostics.cells import (
    NUMBERS,
    Cells,
    cells_of,
    check_keys,
    notes_of,
    scores_of,
    tables_of,
)
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import InputError
from agreement_fast.options import Column, Label, check_flag, check_several, check_share
from agreement_fast.patterns import as_lists, counts_of, sum_weights
from agreement_fast.points import Point
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Block, Full, Rows, Section, Verbatim, details
from agreement_fast.present.tables import DETAILS, Matrix, Table, aligned, ends_of
from agreement_fast.present.terminal import counted, show_label, show_level
from agreement_fast.reading.gold import others_majority, read_beside, with_reference
from agreement_fast.reading.tables import name_place
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Result

NOBODY = "no judgments: no item has two of them and a majority"

#: Counts of items × categories that are held at a time.
CELLS = 1 << 22


def label_counts(annotations: Annotations) -> Iterator[tuple[slice, FloatArray]]:
    """Count the coders who gave each item each category, some items at a time."""
    rows, K = annotations.rows, len(annotations.labels)
    step = max(1, CELLS // max(K, 1))
    for begin in range(0, rows.n_rows, step):
        end = min(begin + step, rows.n_rows)
        yield slice(begin, end), counts_of(rows, range(begin, end), K)


def majority_codes(annotations: Annotations) -> Array:
    """Return the majority category of each item: int64 (n_rows,), -1 for a tie or no judgment."""
    out = np.full(annotations.n_rows, -1, np.int64)
    for some, counts in label_counts(annotations):
        if counts.shape[1]:
            top = counts.max(1)
            alone = ((counts == top[:, None]).sum(1) == 1) & (top > 0)
            out[some] = np.where(alone, counts.argmax(1), -1)
    return out


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MajorityAgreement(Result):
    """Percentage agreement with the majority opinion; arrays have shape (C,).

    Attributes
    ----------
    value, low, high : float
        The share of all judgments that equal the majority label, and the ends of its interval.
    coders : tuple
        The names of the coders.
    observed_agreement, observed_low, observed_high : float64
        The share for each coder, and Wilson's interval.
    n_judgments : int64
        Each coder's judgments of items that have a majority.
    n_items : int
        Items with two judgments or more and a majority, including weights.
    n_level : int
        Items with two judgments or more on which categories tie, so that there is no majority.
    confidence_level : float
        The level of the intervals.
    undefined : str or None
        Why there is no value.
    """

    _caption = (
        "agreement with the majority opinion {value}[, {interval}], {n_items:item}, {n_level} "
        "without a majority"
    )
    _table = "coder | agreement = observed_agreement | low..high | n_judgments"
    _ordered_by = "observed_agreement"
    _what = "coder"

    value: float
    low: float
    high: float
    coders: tuple[Any, ...]
    observed_agreement: FloatArray
    observed_low: FloatArray
    observed_high: FloatArray
    n_judgments: Array
    n_items: int
    n_level: int
    confidence_level: float
    undefined: str | None

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each coder."""
        return aligned(
            self,
            "coder=coders observed_agreement low=observed_low high=observed_high confidence_level "
            "n_judgments",
        )


def majority_agreement(
    data: JudgmentsLike, *, confidence_level: float = 0.95, **reading: Unpack[ReadingOptions]
) -> MajorityAgreement:
    """Compute percentage agreement with the majority opinion (Passonneau & Litman 1993).

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    MajorityAgreement
        The agreement of all judgments and of each coder.

    Raises
    ------
    ValueError
        If the coders are unknown.

    Notes
    -----
    The value is the number of judgments that equal the most frequent label of their item, divided
    by the number of judgments of items that have a single most frequent label. A coder's own vote
    counts for the majority, unlike in `gold_scores` without gold. Items with a single judgment and
    items on which categories tie are left out.

    The value is not corrected for chance and cannot be small: with three coders and two categories,
    the majority has at least two thirds (Carletta 1996). Judgments of an item are not independent,
    so the standard error is that of the delta method over items; the interval is Wilson's for the
    sample size that has this error. O(items · K).

    Examples
    --------
    >>> from agreement_fast.diagnostics import majority_agreement
    >>> result = majority_agreement([("x", "x", "y"), ("y", "y", "y"), ("x", "y", "x")])
    >>> round(result.value, 3), result.observed_agreement.round(3).tolist()
    (0.778, [1.0, 0.667, 0.667])
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    coders = tuple(annotations.known_coders("majority_agreement()"))
    lists = as_lists(annotations.rows)
    sizes = np.diff(lists.start)
    weights = np.ones(lists.n_rows, np.int64) if lists.weights is None else lists.weights
    top = majority_codes(annotations)
    shared = (sizes > 1) & (weights > 0)
    kept = shared & (top >= 0)
    row = np.repeat(np.arange(lists.n_rows), sizes)
    some = kept[row]
    hit, who = (lists.codes == top[row])[some], cast(Array, lists.coders)[some]
    each = weights[row[some]]
    agree, n = (np.bincount(who, part, len(coders)).astype(np.int64) for part in (each * hit, each))
    hits = np.bincount(row[some], hit, lists.n_rows)[kept]
    n_items, n_judgments = int(weights[kept].sum()), int(n.sum())
    value, own = np.nan, (np.nan, np.nan)
    if n_judgments:
        value = agree.sum() / n_judgments
        influence = (hits - value * sizes[kept]) / n_judgments
        factor = n_items / max(n_items - 1, 1)
        error = np.sqrt(factor * (weights[kept] @ influence**2))
        low, high = wilson_of_error(value, error, n_items, confidence_level)
        own = float(low), float(high)
    return MajorityAgreement(
        value=float(value),
        **ends_of("", own),
        coders=coders,
        observed_agreement=ratio(agree, n),
        **ends_of("observed", wilson(agree, n, confidence_level)),
        n_judgments=n,
        n_items=n_items,
        n_level=int(weights[shared & (top < 0)].sum()),
        confidence_level=confidence_level,
        undefined=None if n_judgments else NOBODY,
    )


MEASURES = ("precision", "recall", "f1")

#: Averages closer than this to 0 or 1 are treated as 0 or 1.
ROUNDING = 1e-12


class Score(NamedTuple):
    """A measure with its interval: float64 arrays of the same shape, NaN if undefined."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


class Entries(NamedTuple):
    """The categories that occur in each table, table by table: arrays of shape (E,)."""

    table: Array
    category: Array
    #: Items that have the category on both sides, on the first side, and on the second side.
    correct: Array
    given: Array
    right: Array
    #: By measure: dict of str to Score.
    scores: dict[str, Score]
    #: The entries of both categories of each cell: int64 arrays of shape (cells,).
    of_first: Array
    of_second: Array


def score_categories(cells: Cells, K: int, confidence_level: float) -> Entries:
    """Score the first side of each table against the second, for each category.

    Notes
    -----
    Precision and recall have Wilson's interval. F1 = 2 J / (1 + J) increases with J, the share of
    items with the category on both sides among those with it on any side. So the interval of F1 is
    that of J, mapped.
    """
    table = cells.table
    keys = np.concatenate([table * K + cells.first, table * K + cells.second])
    result, place = np.unique(keys, return_inverse=True)
    of_first, of_second = place[: len(table)], place[len(table) :]

    n, hits = len(result), np.where(of_first == of_second, cells.counts, 0)
    labels, right = (sum_weights(of, n, cells.counts) for of in (of_first, of_second))
    correct = sum_weights(of_first, n, hits)
    either = labels + right - correct
    low, high = wilson(correct, either, confidence_level)
    scores = {
        "precision": _share(correct, labels, confidence_level),
        "recall": _share(correct, right, confidence_level),
        "f1": Score(2.0 * correct / (labels + right), 2 * low / (1 + low), 2 * high / (1 + high)),
    }
    return Entries(result // K, result % K, correct, labels, right, scores, of_first, of_second)


def _share(correct: Array, n: Array, confidence_level: float) -> Score:
    return Score(ratio(correct, n), *wilson(correct, n, confidence_level))


def macro_average(cells: Cells, entries: Entries, measure: str) -> Score:
    """Compute the mean of a measure over the categories of each table: arrays of shape (G,).

    Notes
    -----
    Categories without a value are left out. The interval is that of Zou & Donner (2008):
    (mean − low)² is the mean of d_a r_ab d_b over all pairs of categories, with d_a the distance
    from the value of a to the lower end of its interval. Two precisions are independent given the
    frequencies of the categories, and so are two recalls. Two F1 are not: an item with one category
    on one side and the other category on the other side lowers both. Their correlation r_ab is that
    of the delta method. Thus the uncertainty of a rare category counts even if all of its items are
    correct.
    """
    n_tables = len(cells)
    value, low, high = entries.scores[measure]
    defined = ~np.isnan(value)
    n: FloatArray = np.bincount(entries.table, defined, n_tables).astype(np.float64)
    ends = []
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(entries.table, np.where(defined, value, 0.0), n_tables) / n
        for end in (low, high):
            reach = np.where(defined, np.abs(end - value), 0.0)
            squares = np.bincount(entries.table, reach**2, n_tables).astype(np.float64)
            if measure == "f1":
                squares = squares + _shared_errors(cells, entries, reach)
            ends.append(np.sqrt(squares) / n)
    return Score(mean, mean - ends[0], mean + ends[1])


def _shared_errors(cells: Cells, entries: Entries, reach: FloatArray) -> FloatArray:
    """Sum d_a r_ab d_b over pairs a ≠ b of the F1 of each table: (G,)."""
    first, second = entries.of_first, entries.of_second
    apart = first != second
    value = entries.scores["f1"].value
    size = entries.given + entries.right
    # The influence of a correct item and of an error on the F1 of its categories.
    correct, error = (2 - 2 * value) / size, -value / size
    wrong = size - 2 * entries.correct
    spread = np.sqrt(entries.correct * correct**2 + wrong * error**2)
    each = np.divide(reach * error, spread, out=np.zeros(len(reach)), where=spread > 0)
    shared = 2 * cells.counts * np.where(apart, each[first] * each[second], 0.0)
    return np.bincount(cells.table, shared, len(cells)).astype(np.float64)


def weighted_average(
    cells: Cells, entries: Entries, measure: str, confidence_level: float
) -> Score:
    """Compute the mean of a measure over the items' right categories, for each table: (G,).

    Notes
    -----
    Categories without a value are left out. The standard error is that of the delta method: the
    influence of an item is the derivative of the mean with respect to the count of its cell. The
    interval is Wilson's for the sample size that has this error.
    """
    n_tables = len(cells)
    table, second = entries.table, entries.of_second
    value = entries.scores[measure].value
    defined = ~np.isnan(value)
    value = np.where(defined, value, 0.0)
    parts = np.where(defined, entries.right, 0)
    totals = np.bincount(table, parts, n_tables)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = parts / totals[table]
        mean = np.bincount(table, weight * value, n_tables).astype(np.float64)
        of_weight = (value[second] - mean[table[second]]) / totals[table[second]]
        influence = _influence(entries, measure, value, weight)
        influence += np.where(defined[second], of_weight, 0.0)
        squares = np.bincount(cells.table, cells.counts * influence**2, n_tables)
        n = cells.n_items
        errors = np.sqrt(squares * n / np.maximum(n - 1, 1))
    # Remove rounding errors from 0 and 1.
    mean = np.where(mean < ROUNDING, 0.0, np.where(mean > 1 - ROUNDING, 1.0, mean))
    errors = np.where((mean == 0) | (mean == 1), 0.0, errors)
    return Score(mean, *wilson_of_error(mean, errors, totals, confidence_level))


def _influence(entries: Entries, measure: str, value: FloatArray, weight: FloatArray) -> FloatArray:
    """Compute the derivative by the count of each cell, for fixed weights: (cells,)."""
    first, second = entries.of_first, entries.of_second
    hit = first == second
    own, other = (weight / np.maximum(n, 1) for n in (entries.given, entries.right))
    if measure == "precision":
        return np.asarray((hit - value[first]) * own[first])
    if measure == "recall":
        return np.asarray((hit - value[second]) * other[second])
    both = weight / (entries.given + entries.right)
    lost = value[first] * both[first] + value[second] * both[second]
    return np.asarray(2 * hit * both[first] - lost)


#: Kinds of averages over categories.
AVERAGES = ("macro", "weighted")

#: Coders and categories that are printed, and columns of the widest confusions.
SHOWN, WIDEST = 20, 94

#: The name of the majority among the coders.
MAJORITY = "majority"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GoldScores(Sectioned):
    """Scores of the coders against a reference; arrays have shape (C,), the majority is last.

    Attributes
    ----------
    reference : str
        "gold", or "the majority of the others".
    coders : tuple
        The names of the coders, with "majority" at the end if it was requested.
    n_items : int64
        Items that the coder judged and that have a reference, including weights.
    n_without : int64
        Items that the coder judged and that have none: no gold label, no other judgment, or a tie
        of the others. They are left out.
    n_level : int
        Items with a gold label on which labels tie, so that there is no majority.
    agreement, agreement_low, agreement_high : float64
        The share of labels that equal the reference (accuracy, micro-averaged F1), and Wilson's
        interval.
    coefficients : Table
        A row for each coder and coefficient: coder, coefficient, distance, value, standard_error,
        low, high, observed_disagreement, expected_disagreement, undefined and note.
    averages : Table
        A row for each coder and kind of average, "macro" and "weighted": precision, recall and f1,
        each with low and high.
    categories : Table
        A row for each coder and category: precision, recall and f1, each with low and high, and the
        number of items with the category: correct (both), given (by the coder) and right (in the
        reference).
    confidence_level : float
        The level of the intervals.
    has_majority : bool
        Whether the last row is the majority.
    undefined : tuple of C str or None
        Why a coder has no scores.
    """

    _caption = (
        "{_n_coders:coder} against {reference}: agreement {_known:span}[; left out: "
        "{n_level:item} without a majority, because labels tie]"
    )
    _remarks = ""

    @property
    def _n_coders(self) -> int:
        return len(self) - self.has_majority

    @property
    def _known(self) -> Array:
        return self.agreement[: self._n_coders]

    def sections(self, coder: Any = None) -> list[Section]:
        """Return the coders, the categories and confusions of one of them, and the coefficients.

        Parameters
        ----------
        coder : object, optional
            Whose categories are shown; by default the majority, or the last coder.
        """
        coder = self.coders[-1] if coder is None and len(self) else coder
        sections = [self._against()]
        if coder is not None:
            sections += self._by_category(coder)
        names = dict.fromkeys(self.coefficients.to_dict()["coefficient"])
        return [*sections, *map(self._coefficient, names)]

    def _by_coder(self, source: Any, layout: str, values: Array, sides: str = "") -> Rows:
        """Give the coders in a table, from the lowest value up, and the majority at the end."""
        n = self._n_coders
        order = [*np.argsort(values[:n], kind="stable").tolist(), *range(n, len(self))]
        how: dict[str, Any] = {"last": int(self.has_majority), "level": self.confidence_level}
        how |= {"what": "coder", "most": SHOWN, "brief": 8, "limit": 20}
        return Rows.laid(source, layout, order, sides=sides, **how)

    def _against(self) -> Section:
        meaning = (
            "Agreement is the share of equal labels, macro F1 the mean F1 of the categories. The"
            " coder with the lowest agreement comes first."
        )
        layout = (
            "coder | items = n_items | agreement | agreement_low..high | macro F1 = macro_f1 |"
            " macro_f1_low..high"
        )
        table = self._by_coder(self, layout, self.agreement)
        blocks: list[Block] = [Full(meaning), Full(""), table]
        if not self.n_items.any():
            why = (
                "Nothing is scored: no item has both a judgment and a right label. Check that items"
                " have the same names in both."
            )
            alone = "Nobody is scored: the coder whose labels are right is the only one."
            blocks.append(why if len(self) else alone)
        if self.n_level:
            blocks.append(f"No majority on {counted(self.n_level, 'item')}: the labels tie.")
        if without := int(self.n_without.max(initial=0)):
            blocks.append(f"Up to {counted(without, 'item')} of a coder without a right label.")
        return Section(f"Coders against {self.reference}", blocks)

    def _by_category(self, coder: Any) -> list[Section]:
        """Return the scores of a coder on each category, the most frequent first; confusions."""
        columns = self.categories.to_dict()
        order = [i for i, name in enumerate(columns["coder"]) if name == coder]
        if not order:
            return []
        order.sort(key=lambda i: -columns["right"][i])
        columns["category"] = [show_label(label, 14) for label in columns["category"]]
        each = [
            f"{head} = {name}:.3f | from = {name}_low:.3f | to = {name}_high:.3f"
            for name, head in {"precision": "prec.", "recall": "recall", "f1": "F1"}.items()
        ]
        layout = " | ".join(["category", "right", *each])
        table = Rows.laid(columns, layout, order, what="category", most=SHOWN, brief=5)
        meaning = (
            f"Right: items with this gold label. Intervals: {show_level(self.confidence_level)}."
        )
        sections = [Section(f"Categories of {show_label(coder)}", [Full(meaning), Full(""), table])]
        matrix = str(self.confusion(coder))
        if len(matrix.partition("\n")[0]) < WIDEST:
            sections.append(details("Confusions (rows: gold)", Verbatim(matrix)))
        return sections

    def _coefficient(self, name: str) -> Section:
        table = self.coefficients.to_dict()
        chosen = [i for i, entry in enumerate(table["coefficient"]) if entry == name]
        columns = {key: [column[i] for i in chosen] for key, column in table.items()}
        reasons = zip(columns["undefined"], columns["note"], strict=True)
        columns["why"] = [(first or other or "").partition(":")[0] for first, other in reasons]
        layout = f"coder | {name} = value | low..high |  = why:s"
        shown = self._by_coder(columns, layout, np.array(columns["value"]), "<>>><")
        return details(f"{name} with {self.reference}", shown)

    aside = DETAILS | {"n_without"}

    reference: str
    coders: tuple[Any, ...]
    n_items: Array
    n_without: Array
    n_level: int
    agreement: FloatArray
    agreement_low: FloatArray
    agreement_high: FloatArray
    coefficients: Table
    averages: Table
    categories: Table
    confidence_level: float
    has_majority: bool
    undefined: tuple[str | None, ...]
    _labels: tuple[Any, ...] = field(repr=False)
    _group: Array = field(repr=False)
    _cells: Cells = field(repr=False)

    def __len__(self) -> int:
        return len(self.coders)

    def confusion(self, coder: Any) -> Matrix:
        """Return the confusion matrix of the reference and a coder.

        Parameters
        ----------
        coder : object
            The name of a coder, or "majority".

        Returns
        -------
        Matrix
            Rows are the categories of the reference, columns those of the coder.

        Raises
        ------
        ValueError
            If there is no coder with this name.
        """
        K = len(self._labels)
        counts = np.zeros((K, K), np.int64)
        table = np.flatnonzero(self._group == name_place(self.coders, coder, "coder"))
        if len(table):
            part = slice(self._cells.start[table[0]], self._cells.start[table[0] + 1])
            counts[self._cells.second[part], self._cells.first[part]] = self._cells.counts[part]
        return Matrix(counts, self._labels, self._labels, self.reference, str(coder))

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a table's columns: agreement, coefficients and macro-averaged F1 by coder."""
        out = aligned(self, "coder=coders n_items n_without agreement agreement_low agreement_high")
        result, means = self.coefficients.columns(), self.averages.columns()
        step = len(result["coder"]) // max(len(self), 1)
        for i, name in enumerate(result["coefficient"][:step]):
            out[name] = result["value"][i::step]
            out |= ends_of(name, (result[end][i::step] for end in ("low", "high")))
        for column in ("f1", "f1_low", "f1_high"):
            out[f"macro_{column}"] = means[column][:: len(AVERAGES)]
        level = [self.confidence_level] * len(self)
        return {**out, "confidence_level": level, "undefined": self.undefined}


def gold_scores(
    data: JudgmentsLike,
    gold: Label | Column | None = None,
    *,
    coefficient: str | Iterable[str] = ("kappa", "alpha"),
    distance: DistanceLike = "nominal",
    majority: bool = True,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> GoldScores:
    """Score coders, models and the majority against the right labels, or coders against the others.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known. A model can be one of the coders; to compare it
        with people, see `model_agreement`.
    gold : coder, mapping item -> label, data frame, or sequence of shape (n_rows,), optional
        The right labels (None if missing), or the name of a coder who has them and is then not
        scored, or of a column of the table beside the coders. The index of a pandas Series names
        the items; a data frame has columns of items and labels, or an index and one column. By
        default, each coder is compared with the most frequent label of the others; items on which
        the others tie are left out.
    coefficient : str or sequence of str, default ("kappa", "alpha")
        The names of the coefficients of the coder and the reference. For other distances than
        "nominal", use "beta" instead of "kappa".
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart, for the coefficients: the name of a distance such as
        "nominal", "ordinal" or "interval", a K × K matrix, a mapping of pairs, or a function of two
        labels. Ordinal ranks are those of all labels that are compared, references included.
    majority : bool, default True
        With `gold`, whether to score the majority of the coders, too. Items on which labels tie
        have no majority.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    GoldScores
        ``print(scores)`` shows the coders; `categories` and `averages` have precision, recall and
        F1; `confusion` returns the counts.

    Raises
    ------
    ValueError
        If the coders are unknown; or if `gold` has unknown items, an unknown coder, the wrong
        shape, no label that the data have, or labels outside the declared categories.

    Notes
    -----
    The precision of a category is the share of items with this right label among those to which the
    coder gives it. The recall is the share of items to which the coder gives it among those with
    this right label. F1 is 2 · correct / (given + right). A share of no items is undefined and left
    out of the averages (as with scikit-learn's ``zero_division=nan``). If labels are sets, a
    category is a whole set. Right labels that no coder used are categories, too.

    The intervals are Wilson's for agreement, precision and recall. F1 is a function of
    correct / (given + right − correct), and its interval is that of this share, mapped. The
    interval of a macro-average is Zou & Donner's (2008), from the intervals of the categories; that
    of a weighted average is Wilson's for the sample size that has its standard error (delta
    method). Coefficients have the intervals of `inference.standard_error`. The items are the
    sample, and the reference is treated as fixed, even if it is the majority of the others.
    O(judgments + coders · categories).

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association 22, 209–212.
    Zou, G. Y. & Donner, A. (2008). Construction of confidence limits about effect measures: a
    general approach. Statistics in Medicine 27, 1693–1702.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.diagnostics import gold_scores
    >>> table = [("x", "x", "x"), ("y", "y", "x"), ("x", "y", "x"), ("y", "y", "y")]
    >>> data = af.Annotations.from_wide(table, coders=["Ann", "Bea", "expert"])
    >>> result = gold_scores(data, "expert", majority=False)
    >>> result.agreement.tolist()
    [0.75, 0.5]
    >>> result.confusion("Ann")
    gold \\ Ann  x  y
    x           2  1
    y           0  1
    >>> result.categories.to_dict()["recall"][:2]
    [0.6666666666666666, 1.0]
    >>> result = gold_scores(data)
    >>> result.n_items.tolist(), result.n_without.tolist()
    ([2, 3, 3], [2, 1, 1])
    """
    check_share("confidence_level", confidence_level)
    names = check_several("coefficient", coefficient, "a sequence of names")
    if not names:
        raise InputError("coefficient must not be empty", argument="coefficient")
    check_flag("majority", majority)
    points = [Point.of(name, distance) for name in names]
    annotations, gold = read_beside(data, gold, **reading)
    has_majority = majority and gold is not None
    if gold is None:
        lists = as_lists(annotations.grouped())
        true: Array = others_majority(lists, len(annotations.labels))
    else:
        annotations, right = with_reference(annotations, gold)
        lists = as_lists(annotations.rows)
        true = np.repeat(right, np.diff(lists.start))
    coders = tuple(annotations.known_coders("gold_scores()"))
    weights = np.ones(lists.n_rows, np.int64) if lists.weights is None else lists.weights
    each = np.repeat(weights, np.diff(lists.start))
    who, labels = cast(Array, lists.coders), lists.codes.astype(np.int64)
    K = len(annotations.labels)
    known = (true >= 0) & (each > 0)
    compared = np.bincount(np.append(labels[known], true[known]), np.tile(each[known], 2), K)
    n_level = 0
    if has_majority:
        top = majority_codes(annotations)
        judged = np.flatnonzero(top >= 0)
        level = (top < 0) & (np.diff(lists.start) > 0) & (right >= 0)
        n_level = int(weights[level].sum())
        who = np.append(who, np.full(len(judged), len(coders)))
        labels, true = np.append(labels, top[judged]), np.append(true, right[judged])
        each = np.append(each, weights[judged])
        known = (true >= 0) & (each > 0)
        coders = (*coders, MAJORITY if MAJORITY not in coders else f"{MAJORITY} of the coders")
    check_keys(len(coders), K, f"{len(coders)} coders")
    group, cells = tables_of(cells_of(who[known], labels[known], true[known], each[known], K), K)
    n_items, same = np.zeros((2, len(coders)), np.int64)
    n_items[group] = cells.n_items
    same[group] = cells.sums(np.where(cells.first == cells.second, cells.counts, 0))
    entries = score_categories(cells, K, confidence_level)
    tables = _Tables(annotations, coders, group, cells, entries, confidence_level)
    return GoldScores(
        reference="the majority of the others" if gold is None else "gold",
        coders=coders,
        n_items=n_items,
        n_without=sum_weights(who[true < 0], len(coders), each[true < 0]),
        n_level=n_level,
        agreement=ratio(same, n_items),
        **ends_of("agreement", wilson(same, n_items, confidence_level)),
        coefficients=tables.coefficients(points, compared),
        averages=tables.averages(),
        categories=tables.categories(),
        confidence_level=confidence_level,
        has_majority=has_majority,
        undefined=tuple(None if n else NO_PAIRS for n in n_items.tolist()),
        _labels=annotations.categories,
        _group=group,
        _cells=cells,
    )


class _Tables(NamedTuple):
    """The tables of the result: the cells of each coder's table are weighted items."""

    annotations: Annotations
    coders: Sequence[Any]
    #: The coder of each table.
    group: Array
    cells: Cells
    entries: Entries
    confidence_level: float

    def coefficients(self, points: Sequence[Point], compared: Array) -> Table:
        """Compute the coefficients; `compared` (K,): the labels from which ranks follow."""
        cells, labels, declared = self.cells, self.annotations.labels, self.annotations.declared
        K, n = len(labels), (len(self.coders), len(points))
        numbers = np.full((len(NUMBERS), *n), np.nan)
        undefined, note = np.full((2, *n), None, object)
        for i, point in enumerate(points):
            form = point.distance.bind(labels, declared, compared)
            scores = scores_of(cells, point, form, K, self.confidence_level, alone=n[0] == 1)
            value, low = scores["value"], scores["low"]
            numbers[:, self.group, i] = [scores[name] for name in NUMBERS]
            undefined[self.group, i] = [NO_VARIATION if np.isnan(v) else None for v in value]
            note[self.group, i] = list(
                notes_of(value, low, cells.n_items, scores["rests_on"], point.has_slope)
            )
        undefined[np.setdiff1d(np.arange(n[0]), self.group)] = NO_PAIRS
        return Table(
            {
                "coder": [coder for coder in self.coders for _ in points],
                "coefficient": [point.name for point in points] * n[0],
                "distance": [point.distance.name for point in points] * n[0],
                **dict(zip(NUMBERS, numbers.reshape(len(NUMBERS), -1), strict=True)),
                "undefined": undefined.reshape(-1).tolist(),
                "note": note.reshape(-1).tolist(),
            }
        )

    def averages(self) -> Table:
        """Compute both averages of each measure."""
        cells, entries, level = self.cells, self.entries, self.confidence_level
        n = len(self.coders)
        out: dict[str, Any] = {
            "coder": [coder for coder in self.coders for _ in AVERAGES],
            "average": list(AVERAGES) * n,
        }
        for measure in MEASURES:
            parts = np.full((3, n, len(AVERAGES)), np.nan)
            if len(self.group):
                parts[:, self.group, 0] = macro_average(cells, entries, measure)
                parts[:, self.group, 1] = weighted_average(cells, entries, measure, level)
            out |= _columns(measure, Score(*parts.reshape(3, -1)))
        return Table(out)

    def categories(self) -> Table:
        """Return the scores of each category."""
        entries, labels = self.entries, self.annotations.categories
        out: dict[str, Any] = {
            "coder": [self.coders[c] for c in self.group[entries.table].tolist()],
            "category": [labels[k] for k in entries.category.tolist()],
        }
        for measure in MEASURES:
            out |= _columns(measure, entries.scores[measure])
        out |= {"correct": entries.correct, "given": entries.given, "right": entries.right}
        return Table(out | {"confidence_level": [self.confidence_level] * len(entries.table)})


def _columns(measure: str, score: Score) -> dict[str, FloatArray]:
    return {measure: score.value, **ends_of(measure, score[1:])}
