"""Scores of coders, models and the majority against the right labels, as for classifiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Unpack, cast

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import wilson, wilson_of_error
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.diagnostics.cell_errors import few_others, why_doubtful
from agreement_fast.diagnostics.cells import Cells, cells_of, check_keys, tables_of
from agreement_fast.diagnostics.majority import majority_codes
from agreement_fast.errors import InputError
from agreement_fast.inference.groups import GroupAgreement, agreement_by_group
from agreement_fast.options import check_flag, check_several, check_share
from agreement_fast.patterns import Rows, as_lists, narrow
from agreement_fast.points import Point
from agreement_fast.present.tables import DETAILS, Matrix, Table, Tabular, aligned
from agreement_fast.present.terminal import align, show_label, show_value
from agreement_fast.reading.gold import with_reference
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.reading.tables import name_place
from agreement_fast.results import NO_PAIRS

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
    said: Array
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

    def count(places: Array, items: Array) -> Array:
        out = np.zeros(len(result), np.int64)
        np.add.at(out, places, items)
        return out

    labels, right = count(of_first, cells.counts), count(of_second, cells.counts)
    correct = count(of_first, np.where(of_first == of_second, cells.counts, 0))
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
    size = entries.said + entries.right
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
    own, other = (weight / np.maximum(n, 1) for n in (entries.said, entries.right))
    if measure == "precision":
        return np.asarray((hit - value[first]) * own[first])
    if measure == "recall":
        return np.asarray((hit - value[second]) * other[second])
    both = weight / (entries.said + entries.right)
    lost = value[first] * both[first] + value[second] * both[second]
    return np.asarray(2 * hit * both[first] - lost)


#: Kinds of averages over categories.
AVERAGES = ("macro", "weighted")

#: The name of the majority among the coders.
MAJORITY = "majority"

#: Coders that are printed.
SHOWN = 20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GoldScores(Tabular):
    """Scores of the coders against gold; arrays have shape (C,), the majority is last.

    Attributes
    ----------
    coders : tuple
        The names of the coders, with "majority" at the end if it was requested.
    n_items : int64
        Items that the coder judged and that have a gold label, including weights.
    n_without : int64
        Items that the coder judged and that have no gold label.
    n_level : int
        Items with a gold label on which labels tie, so that there is no majority.
    agreement, agreement_low, agreement_high : float64
        The share of equal labels (accuracy, micro-averaged F1), and Wilson's interval.
    coefficients : Table
        A row for each coder and coefficient: coder, coefficient, distance, value, low, high and
        undefined.
    averages : Table
        A row for each coder and kind of average, "macro" and "weighted": precision, recall and f1,
        each with low and high.
    categories : Table
        A row for each coder and category: precision, recall and f1, each with low and high, and the
        number of items with the category: correct (both), said (coder) and right (gold).
    confidence_level : float
        The level of the intervals.
    has_majority : bool
        Whether the last row is the majority.
    undefined : tuple of C str or None
        Why a coder has no scores.
    """

    aside = DETAILS | {"n_without"}

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
        """Return the confusion matrix of gold and a coder.

        Parameters
        ----------
        coder : object
            The name of a coder, or "majority".

        Returns
        -------
        Matrix
            Rows are the categories of gold, columns those of the coder.

        Raises
        ------
        ValueError
            If there is no coder with this name.
        """
        place = name_place(self.coders, coder, "coder")
        K = len(self._labels)
        counts = np.zeros((K, K), np.int64)
        table = np.flatnonzero(self._group == place)
        if len(table):
            part = slice(self._cells.start[table[0]], self._cells.start[table[0] + 1])
            counts[self._cells.second[part], self._cells.first[part]] = self._cells.counts[part]
        return Matrix(counts, self._labels, self._labels, "gold", str(coder))

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a table's columns: agreement, coefficients and macro-averaged F1 by coder."""
        n = len(self)
        names = "coder=coders n_items n_without agreement agreement_low agreement_high"
        out = aligned(self, names)
        result = self.coefficients.columns()
        step = len(result["coder"]) // max(n, 1)
        for i in range(step):
            name = result["coefficient"][i]
            for column, title in (
                ("value", name),
                ("low", f"{name}_low"),
                ("high", f"{name}_high"),
            ):
                out[title] = result[column][i::step]
        means = self.averages.columns()
        for column in ("f1", "f1_low", "f1_high"):
            out[f"macro_{column}"] = means[column][:: len(AVERAGES)]
        return {**out, "confidence_level": [self.confidence_level] * n, "undefined": self.undefined}

    def __repr__(self) -> str:
        n = len(self) - self.has_majority
        known = self.agreement[:n][~np.isnan(self.agreement[:n])]
        low, high = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
        shown = f"{n} coder{'' if n == 1 else 's'}"
        return f"<{shown} against gold: agreement {low:.6g} to {high:.6g}>"

    def __str__(self) -> str:
        """Return a table; first the coder who agrees least, last the majority."""
        columns = self.columns()
        names = [name for name in columns if f"{name}_low" in columns]
        n = len(self) - self.has_majority
        order = np.argsort(self.agreement[:n], kind="stable")[:SHOWN].tolist()
        rows = []
        for c in [*order, *range(n, len(self))]:
            row = [show_label(self.coders[c])]
            for name in names:
                low, high = (float(columns[f"{name}_{end}"][c]) for end in ("low", "high"))
                row += [
                    show_value(float(columns[name][c])),
                    f"{show_value(low)} to {show_value(high)}",
                ]
            rows.append((*row, str(self.n_items[c]), str(self.n_without[c])))
        head = ["coder"]
        for name in names:
            head += [name.replace("_", " "), "interval"]
        sides = "<" + ">>" * len(names) + ">>"
        lines = [repr(self)[1:-1], *align([*head, "items", "without"], rows, sides)]
        if n > SHOWN:
            lines.append(f"{n - SHOWN} coders with higher agreement are not shown")
        if self.n_level:
            lines.append(f"left out: {self.n_level} items without a majority, because labels tie")
        return "\n".join(lines)


def gold_scores(
    data: JudgmentsLike,
    gold: Any,
    *,
    coefficient: str | Iterable[str] = ("kappa", "alpha"),
    distance: Any = "nominal",
    majority: bool = True,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> GoldScores:
    """Score coders, models and the majority against the right labels.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known. A model can be one of the coders.
    gold : coder, mapping item -> label, data frame, or sequence of shape (n_rows,)
        The right labels (None if missing), or the name of a coder who has them and is then not
        scored. The index of a pandas Series names the items; see `against_gold`.
    coefficient : str or sequence of str, default ("kappa", "alpha")
        The names of the coefficients of the coder and gold. For other distances than "nominal", use
        "beta" instead of "kappa".
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart, for the coefficients: the name of a distance such as
        "nominal", "ordinal" or "interval", a K × K matrix, a mapping of pairs, or a function of two
        labels. Ordinal ranks are those of each coder and gold.
    majority : bool, default True
        Whether to score the majority of the coders, too. Items on which labels tie have no
        majority.
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
        shape, or labels outside the declared categories.

    Notes
    -----
    The precision of a category is the share of items with this gold label among those to which the
    coder gives it. The recall is the share of items to which the coder gives it among those with
    this gold label. F1 is 2 · correct / (said + right). A share of no items is undefined and left
    out of the averages (as with scikit-learn's ``zero_division=nan``). If labels are sets, a
    category is a whole set.

    The intervals are Wilson's for agreement, precision and recall. F1 is a function of
    correct / (said + right − correct), and its interval is that of this share, mapped. The interval
    of a macro-average is Zou & Donner's (2008), from the intervals of the categories; that of a
    weighted average is Wilson's for the sample size that has its standard error (delta method).
    Coefficients have the intervals of `inference.standard_error` on the atanh scale. The items are
    the sample, and gold is treated as fixed. O(judgments + coders · categories).

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
    >>> found = gold_scores(data, "expert", majority=False)
    >>> found.agreement.tolist()
    [0.75, 0.5]
    >>> found.confusion("Ann")
    gold \\ Ann  x  y
    x           2  1
    y           0  1
    >>> found.categories.to_dict()["recall"][:2]
    [0.6666666666666666, 1.0]
    """
    check_share("confidence_level", confidence_level)
    names = check_several("coefficient", coefficient, "a sequence of names")
    check_flag("majority", majority)
    annotations, right = with_reference(as_annotations(data, **reading), gold, "gold")
    coders = tuple(annotations.known_coders("gold_scores()"))
    lists = as_lists(annotations.rows)
    weights = np.ones(lists.n_rows, np.int64) if lists.weights is None else lists.weights
    row = np.repeat(np.arange(lists.n_rows), np.diff(lists.start))
    who, labels = cast(Array, lists.coders), lists.codes.astype(np.int64)
    n_level = 0
    if majority:
        top = majority_codes(annotations)
        judged = np.flatnonzero(top >= 0)
        level = (top < 0) & (np.diff(lists.start) > 0) & (right >= 0)
        n_level = int(weights[level].sum())
        row, labels = np.append(row, judged), np.append(labels, top[judged])
        who = np.append(who, np.full(len(judged), len(coders)))
        coders = (*coders, MAJORITY if MAJORITY not in coders else f"{MAJORITY} of the coders")
    K = len(annotations.labels)
    check_keys(len(coders), K, f"{len(coders)} coders")
    true, each = right[row], weights[row]
    kept = (true >= 0) & (each > 0)
    n_without = np.zeros(len(coders), np.int64)
    np.add.at(n_without, who[true < 0], each[true < 0])
    who, labels, true, each = who[kept], labels[kept], true[kept], each[kept]
    group, cells = tables_of(cells_of(who, labels, true, each, K), K)
    n_items = np.zeros(len(coders), np.int64)
    n_items[group] = cells.n_items
    same = np.zeros(len(coders), np.int64)
    hit = cells.first == cells.second
    np.add.at(same, group[cells.table[hit]], cells.counts[hit])
    entries = score_categories(cells, K, confidence_level)
    ends = wilson(same, n_items, confidence_level)
    return GoldScores(
        coders=coders,
        n_items=n_items,
        n_without=n_without,
        n_level=n_level,
        agreement=ratio(same, n_items),
        agreement_low=ends[0],
        agreement_high=ends[1],
        coefficients=_coefficients(
            annotations, group, cells, coders, names, distance, confidence_level
        ),
        averages=_averages(coders, group, cells, entries, confidence_level),
        categories=_categories(coders, annotations.categories, group, entries, confidence_level),
        confidence_level=confidence_level,
        has_majority=majority,
        undefined=tuple(None if n else NO_PAIRS for n in n_items.tolist()),
        _labels=annotations.categories,
        _group=group,
        _cells=cells,
    )


def _coefficients(
    annotations: Annotations,
    group: Array,
    cells: Cells,
    coders: Sequence[Any],
    names: Sequence[str],
    distance: Any,
    confidence_level: float,
) -> Table:
    """Compute the coefficients of each coder and gold, with cells as weighted items."""
    if not names:
        raise InputError("coefficient must not be empty", argument="coefficient")
    n = len(cells.counts)
    codes = np.stack([cells.first, cells.second], 1).astype(narrow(len(annotations.labels)))
    rows = Rows(codes.reshape(-1), 2, weights=cells.counts)
    pairs = annotations.with_rows(rows, coders=("coder", "gold"))
    K = len(annotations.labels)
    short = [Point.of(name, distance).name for name in names]
    found_rows: list[tuple[Any, ...]] = []
    result: dict[tuple[int, int], GroupAgreement] = {}
    few: dict[tuple[int, int], int] = {}
    if n:
        table = agreement_by_group(
            pairs, group[cells.table], names, [distance],
            confidence_level=confidence_level,
        )  # fmt: skip
        step = len(table) // len(table.groups)
        few = {
            (int(group[g]), i): others
            for i, name in enumerate(short)
            for g, others in enumerate(
                few_others(
                    cells, Point.of(name, distance).chance, K, np.array(table[i::step], float)
                ).tolist()
            )
        }
        for i, entry in enumerate(table):
            result[int(entry.group[0]), i % step] = entry
    for c, coder in enumerate(coders):
        for i, name in enumerate(short):
            known = result.get((c, i))
            if known is None:
                found_rows.append((coder, name, np.nan, np.nan, np.nan, NO_PAIRS, None))
            else:
                note = known.note
                if note is None and known.undefined is None:
                    note = why_doubtful(few[c, i])
                numbers = (known.value, known.low, known.high)
                found_rows.append((coder, name, *numbers, known.undefined, note))
    heads = ("coder", "coefficient", "value", "low", "high", "undefined", "note")
    return Table({head: [row[i] for row in found_rows] for i, head in enumerate(heads)})


def _averages(
    coders: Sequence[Any], group: Array, cells: Cells, entries: Entries, confidence_level: float
) -> Table:
    n = len(coders)
    out: dict[str, Any] = {
        "coder": [coder for coder in coders for _ in AVERAGES],
        "average": list(AVERAGES) * n,
    }
    for measure in MEASURES:
        parts = np.full((3, n, len(AVERAGES)), np.nan)
        if len(group):
            parts[:, group, 0] = np.stack(macro_average(cells, entries, measure))
            weighted = weighted_average(cells, entries, measure, confidence_level)
            parts[:, group, 1] = np.stack(weighted)
        _add(out, measure, Score(*parts.reshape(3, -1)))
    return Table(out)


def _categories(
    coders: Sequence[Any],
    labels: Sequence[Any],
    group: Array,
    entries: Entries,
    confidence_level: float,
) -> Table:
    out: dict[str, Any] = {
        "coder": [coders[c] for c in group[entries.table].tolist()],
        "category": [labels[k] for k in entries.category.tolist()],
    }
    for measure in MEASURES:
        _add(out, measure, entries.scores[measure])
    return Table(
        {
            **out,
            "correct": entries.correct,
            "said": entries.said,
            "right": entries.right,
            "confidence_level": [confidence_level] * len(entries.table),
        }
    )


def _add(columns: dict[str, Any], measure: str, score: Score) -> None:
    columns[measure] = score.value
    columns[f"{measure}_low"], columns[f"{measure}_high"] = score.low, score.high
