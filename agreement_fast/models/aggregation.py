"""From judgments to one label per item, by votes or by a model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import wilson
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions
from agreement_fast.errors import Argument, InputError
from agreement_fast.models.crowds import (
    Compared,
    Crowdlab,
    Glad,
    Mace,
    fit_crowdlab,
    fit_glad,
    fit_mace,
    suspects,
)
from agreement_fast.models.em import Judgments, as_judgments
from agreement_fast.models.latent_classes import DawidSkene, fit_dawid_skene
from agreement_fast.models.next_judgments import NextJudgments, plan, typical_coder
from agreement_fast.models.votes import OneAccuracy, Votes, count_votes, fit_one_accuracy
from agreement_fast.options import (
    Column,
    Label,
    Numbers,
    Seed,
    check_choice,
    check_count,
    check_share,
    generator,
)
from agreement_fast.patterns import as_lists, by_size, group_equal, judgments_of
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Block, Brief, Full, Rows, Section
from agreement_fast.present.tables import Row, Tabular, aligned
from agreement_fast.present.terminal import counted, more, show_label, spell_label
from agreement_fast.reading.gold import others_majority, read_beside, with_reference
from agreement_fast.reading.labels import Categories

#: Posteriors this near to the largest one, as a share of it, are no less probable.
EQUAL = 1e-9


Fitted = OneAccuracy | DawidSkene | Mace | Glad | Crowdlab

#: Annotations, or judgments, which may have several by a coder on an item.
Judged = Annotations | Judgments


@dataclass(frozen=True, eq=False)
class Best:
    """The best labels of the items.

    `item` and `label` list them; an item whose best labels tie occurs several times.
    """

    model: Fitted
    item: Array
    label: Array
    #: The confidence of the best labels of each item, NaN if there is none.
    confidence: FloatArray
    posterior: FloatArray | None
    #: P(label) of each entry of the votes; None for a majority.
    of_votes: FloatArray | None

    def first(self, n_items: int) -> Array:
        """Return the first best label of each item; -1 if there is none."""
        out = np.full(n_items, -1, np.int64)
        out[self.item[::-1]] = self.label[::-1]
        return out


def fitted(
    method: str, data: Judged, reference: Array | None, votes: Votes, options: dict[str, Any]
) -> Best:
    """Fit the model of a method, with right labels if it learns from them."""
    model: Fitted
    if method == "majority":
        model, top = fit_one_accuracy(votes), votes.is_top
        item, label = votes.item[top], votes.label[top]
        of_items = np.full(votes.n_items, np.nan)
        of_items[item] = model.posterior(votes)[top]
        return Best(model, item, label, ratio(votes.most, votes.n_judgments), of_items, None)
    if method == "crowdlab":
        model = fit_crowdlab(data, **options)
        best = np.array([data.categories.index(label) for label in model.labels], np.int64)
        of_votes = model.posterior[votes.item, votes.label]
        return Best(model, np.arange(len(best)), best, model.confidence, None, of_votes)
    judgments = as_judgments(data, f"aggregate(method={method!r})")
    if method == "glad":
        model = fit_glad(judgments, **options)
    elif method == "mace":
        model = fit_mace(judgments, reference, **options)
    else:
        model = fit_dawid_skene(judgments, reference, **options)
    posterior = np.where(votes.n_judgments[:, None] > 0, model.posterior, np.nan)
    most = posterior.max(1, initial=0.0)
    item, label = np.nonzero(posterior >= (most * (1 - EQUAL))[:, None])
    of_votes = posterior[votes.item, votes.label]
    return Best(model, item, label, most, None, of_votes)


#: Coders that are printed.
SHOWN_CODERS = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CoderQuality(Sectioned):
    """The coders, and which share of their judgments is right: arrays of shape (C,).

    Attributes
    ----------
    coders : sequence of labels
    measured_by : str
        What judgments are compared with: the majority of the other coders, or a model's posterior.
    n_judgments : int64
    n_compared : float64
        Judgments that count in `accuracy`.
    accuracy : float64
        NaN if nothing is compared.
    low, high : float64
        Wilson's interval; what a model expects counts as if it were known.
    competence : float64 or None
        Of MACE.
    n_gold : int64 or None
        Judgments of gold items.
    gold_accuracy, gold_low, gold_high : float64 or None
        The share of these that gives the gold label.
    suspect : tuple of str or None
        Why the coder may not have looked at the items; None for the others. Nobody is left out.
    adjusted_p_value : float64
        Of the test that the coder agrees with the majority of the others at least half as much
        beyond chance as they do (Holm's adjustment for the coders): 1 − `confidence_level` or less
        makes a suspect. Of crowds in which all do, at most that share has any.
    confidence_level : float
    """

    _caption = "{coders:coder}, accuracy by {measured_by}: {accuracy:span}"
    _what = "coder"
    _remarks = ""
    _most = SHOWN_CODERS

    def _layout(self) -> str:
        competence = " | competence" * (self.competence is not None)
        gold = " | gold = gold_accuracy" * (self.gold_accuracy is not None)
        return f"coder | accuracy | low..high{competence}{gold} | judgments = n_judgments"

    def sections(self) -> list[Section]:
        """Return the coders, the worst first, and who may not have looked at the items."""
        title = "Coders, the worst first"
        if not len(self):
            return [Section(title)]
        meaning = (
            f"Accuracy is the share of a coder's judgments that agree with {OTHERS}"
            if self.measured_by == OTHERS
            else "Accuracy is the share of a coder's judgments that are right, estimated by"
            f" {self.measured_by}"
        )
        meaning += "; the coder whose interval ends lowest comes first."
        if self.competence is not None:
            meaning += " Competence excludes judgments that spamming gets right by chance."
        if self.gold_accuracy is not None:
            meaning += " Gold is the share of the gold items that a coder judged right."
        says = [f"{line[:1].upper()}{line[1:]}." for line in self.suspicions()]
        *suspicions, often = says or [""]
        blocks: list[Block] = [*suspicions[:1], *map(Full, suspicions[1:])]
        if suspicions[1:]:
            blocks.append(Brief(more(len(suspicions) - 1, "suspect") + "."))
        blocks += [Full(often)] if often else []
        return [Section(title, [Full(meaning), self._laid(limit=32, brief=2), *blocks])]

    coders: Sequence[Any]
    measured_by: str
    n_judgments: Array
    n_compared: Array
    accuracy: FloatArray
    low: FloatArray
    high: FloatArray
    competence: FloatArray | None
    n_gold: Array | None
    gold_accuracy: FloatArray | None
    gold_low: FloatArray | None
    gold_high: FloatArray | None
    suspect: tuple[str | None, ...]
    adjusted_p_value: FloatArray
    confidence_level: float

    def __len__(self) -> int:
        return len(self.coders)

    @property
    def worst_first(self) -> Array:
        """The places of the coders, from the one whose `high` is least; unknown ones last.

        By the upper end of the interval, so that one wrong judgment makes nobody the worst.
        """
        return np.argsort(self.high, kind="stable")

    def columns(self) -> dict[str, Any]:
        """Give a row for each coder, the worst first."""
        order = self.worst_first
        return {
            name: column[order]
            if isinstance(column, np.ndarray)
            else [column[c] for c in order.tolist()]
            for name, column in _known(
                self,
                "coder=coders n_judgments n_compared accuracy low high competence n_gold "
                "gold_accuracy gold_low gold_high suspect adjusted_p_value",
            ).items()
        }

    def suspicions(self) -> list[str]:
        """Say who is suspect and why, the most certain first, and how often that is wrong."""
        order = [c for c in np.argsort(self.adjusted_p_value).tolist() if self.suspect[c]]
        lines = [f"suspect: {show_label(self.coders[c])} {self.suspect[c]}" for c in order]
        if lines:
            lines.append(
                f"of crowds in which all are honest, {1 - self.confidence_level:.0%} have a"
                " suspect at most; nobody is left out"
            )
        return lines


def shares_of(successes: Array, n: Array, confidence_level: float) -> tuple[FloatArray, ...]:
    """Give shares and the ends of Wilson's intervals; NaN where n is 0."""
    return ratio(successes, n), *wilson(successes, n, confidence_level)


@dataclass(frozen=True, slots=True)
class GoldCheck(Row):
    """How often the labels are right that the items would have if no gold were known.

    Attributes
    ----------
    n_items : int
        Items that have a gold label and a judgment, weights counted.
    n_right, n_tied : int
        Those whose label is the gold label, and those where labels tie.
    accuracy, low, high : float
        n_right / n_items, and Wilson's interval; NaN without such items.
    confidence_level : float
    """

    n_items: int
    n_right: int
    n_tied: int
    accuracy: float
    low: float
    high: float
    confidence_level: float


def check_gold(votes: Votes, before: Best, reference: Array, confidence_level: float) -> GoldCheck:
    """Compare the labels that items have without gold, `before`, with their gold labels."""
    first = before.first(votes.n_items)
    tied = np.bincount(before.item, minlength=votes.n_items) > 1
    looked = (reference >= 0) & (first >= 0)
    right = looked & ~tied & (first == reference)
    n = float(votes.each[looked].sum())
    n_right = float(votes.each[right].sum())
    share, low, high = shares_of(np.array(n_right), np.array(n), confidence_level)
    return GoldCheck(
        n_items=int(n),
        n_right=int(n_right),
        n_tied=int(votes.each[looked & tied].sum()),
        accuracy=float(share),
        low=float(low),
        high=float(high),
        confidence_level=confidence_level,
    )


#: What `status` may be, by its code.
STATUSES = ("decided", "tie", "gold", "unjudged")

#: What the methods are called, and what a coder's judgments are compared with.
OTHERS = "the majority of the others"
TITLES = {
    "majority": "majority",
    "dawid_skene": "Dawid & Skene (1979)",
    "mace": "MACE (Hovy et al. 2013)",
    "glad": "GLAD (Whitehill et al. 2009)",
    "crowdlab": "CROWDLAB (Goh et al. 2022)",
}
MODEL_NAMES = {method: title.partition(" (")[0] for method, title in TITLES.items()}

#: Models that learn from right labels, and start at random.
LEARN_FROM_GOLD = ("dawid_skene", "mace")

#: The options of each method, with their defaults.
OPTIONS: dict[str, dict[str, Any]] = {
    "majority": {},
    "dawid_skene": {
        "smoothing": 0.0,
        "tolerance": 1e-10,
        "n_restarts": 4,
        "accelerate": False,
        "rng": 0,
    },
    "mace": {"smoothing": 1.0, "tolerance": 1e-10, "n_restarts": 4, "rng": 0},
    "glad": {"tolerance": 1e-6},
    "crowdlab": {"probabilities": None},
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Aggregated(Tabular):
    """One label for each item, from many judgments: arrays of shape (N,).

    Attributes
    ----------
    method : {"majority", "dawid_skene", "mace", "glad", "crowdlab"}
    ties : {"missing", "first"}
    items : sequence of labels
    categories : tuple of labels
    codes : int64
        Index of the label in the categories; -1 if the item has none.
    confidence : float64
        Confidence in the label, as `confidence_is` defines it; NaN if the item has no label, 1 if
        the label is gold.
    posterior : float64 or None
        For a majority, P(label | judgments) if every judgment is right with the same probability
        (`model`); None for other methods, whose confidence it is.
    entropy : float64
        How uncertain the label is, in bits: −Σ p log₂ p of P(label | judgments); 0 for gold.
    difficulty : float64 or None
        Of the item, by GLAD; None for other methods.
    n_judgments, n_agreeing : int64
        Judgments of the item, and those that give the label, or one of those that tie.
    status_codes : int64
        See `status`.
    tie_codes : int64
        Index in `tie_sets` of the labels that tie; -1 if there is no tie.
    tie_sets : tuple of tuples of labels
    weights : int64 array or None
        How many items each one stands for; counts and means are weighted with it.
    n_items, n_decided, n_ties, n_gold, n_unjudged : int
        All items, and those with each status.
    mean_confidence : float
        Of the items whose status is "decided"; NaN without any.
    coders : CoderQuality or None
        None if the judgments are counts of unknown coders.
    gold_check : GoldCheck or None
        None without gold labels.
    model : OneAccuracy, DawidSkene, Mace, Glad or Crowdlab
        What was fitted. With gold labels its last coder may stand for them.
    log_likelihood : float
        Of the judgments (and the gold labels) under `model`.
    notes : tuple of str
    """

    _caption = (
        "labels of {n_items:item} by {method}: {n_decided} decided[, mean "
        "{mean_confidence:.4f}], {n_ties} tied, {n_gold} gold, {n_unjudged} unjudged"
    )
    _table = "item | label | confidence | n_judgments | status"
    _what = "item"
    _remarks = ""

    def sections(self) -> list[Section]:
        """Return how many items have which label, and how certain that is."""
        counts = {
            "gold": self.n_gold, "tied": self.n_ties, "without a judgment": self.n_unjudged,
        }  # fmt: skip
        parts = [f"{counted(self.n_items, 'item')}: {self.n_decided:,} decided by their judgments"]
        parts += [f"{n:,} {what}" for what, n in counts.items() if n]
        answer, meaning = f"{', '.join(parts)}.", ""
        if self.n_decided:
            of = " of the items without gold that their judgments decided" if self.n_gold else ""
            answer += f" Mean confidence{of} {self.mean_confidence:.4f}"
            meaning = f": {self.confidence_is}."
        blocks: list[Block] = [Brief(answer + "." * bool(meaning)), Full(answer + meaning)]
        blocks += [f"Note: {note}." for note in self.notes]
        check = self.gold_check
        if check is not None and check.n_items:
            ties = f" {check.n_tied:,} of them tie." if check.n_tied else ""
            blocks.append(
                f"If no gold were known, {check.n_right:,} of the {check.n_items:,} judged gold"
                f" items would have their gold label: {check.accuracy:.4f} (95% interval"
                f" {check.low:.4f} to {check.high:.4f}).{ties}"
            )
        blocks += map(Full, self._fit())
        rows = [(show_label(label), n, n / self.n_items) for label, n in self.counts()]
        if rows:
            blocks.append(Rows(("label", "items", "share"), rows, "<>>", "label", most=10, brief=2))
        return [Section(f"Labels: {TITLES[self.method]}", blocks)]

    def _fit(self) -> list[str]:
        """Say what was fitted."""
        model = self.model
        if model.undefined is not None or isinstance(model, Crowdlab):
            return []
        if isinstance(model, OneAccuracy):
            return [
                "The posteriors assume that every judgment is right with the same probability,"
                f" estimated as {model.accuracy:.4f}."
            ]
        state = "converged" if model.converged else "NOT CONVERGED"
        return [
            f"Log-likelihood {model.log_likelihood:.4f} after {model.n_iterations} iterations"
            f" ({state})."
        ]

    def counts(self) -> list[tuple[Any, int]]:
        """Return how many items have each label, the most frequent first.

        Returns
        -------
        list of (label, int)
            Without labels that no item has.

        Examples
        --------
        >>> from agreement_fast import aggregate
        >>> aggregate([["x", "x"], ["y", "y"], ["x", "y"], ["x", "x"]]).counts()
        [('x', 2), ('y', 1)]
        """
        weights = np.ones(len(self.codes)) if self.weights is None else self.weights
        judged = self.codes >= 0
        counts = np.bincount(self.codes[judged], weights[judged], len(self.categories))
        order = np.argsort(-counts, kind="stable")
        return [(self.categories[k], int(counts[k])) for k in order.tolist() if counts[k] > 0]

    method: str
    ties: str
    items: Sequence[Any]
    categories: Categories
    codes: Array
    confidence: FloatArray
    posterior: FloatArray | None
    entropy: FloatArray
    n_judgments: Array
    n_agreeing: Array
    status_codes: Array
    tie_codes: Array
    tie_sets: tuple[tuple[Any, ...], ...]
    weights: Array | None
    n_items: int
    n_decided: int
    n_ties: int
    n_gold: int
    n_unjudged: int
    mean_confidence: float
    coders: CoderQuality | None
    gold_check: GoldCheck | None
    model: Fitted
    log_likelihood: float
    notes: tuple[str, ...]
    _votes: Votes

    def __len__(self) -> int:
        return len(self.items)

    @property
    def difficulty(self) -> FloatArray | None:
        """How difficult each item is, by GLAD; None for other methods: float64 of shape (N,)."""
        return self.model.difficulty if isinstance(self.model, Glad) else None

    def next_judgments(self, budget: int, *, max_judgments: int = 5) -> NextJudgments:
        """Spend a budget of further judgments so that they bring most right labels.

        Parameters
        ----------
        budget : int
            The number of further judgments.
        max_judgments : int, default 5
            The largest number of further judgments of an item.

        Returns
        -------
        NextJudgments
            A table with a row for each item, and the number of right labels to expect.

        Raises
        ------
        ValueError
            If the method is "crowdlab", which does not say what a judgment would be.

        Notes
        -----
        What is expected follows from the fitted model, and holds only if the model does: the
        probabilities of an item's labels, and what a coder says who is drawn by the numbers of
        their judgments. All further judgments are ordered at once. O(N · outcomes · K), where
        outcomes, at most 2,000, are the ways in which the judgments of an item may split; with
        many labels, fewer than `max_judgments` are looked at.

        Examples
        --------
        >>> from agreement_fast import aggregate
        >>> table = [["x", "x", "y"], ["y", "y", "y"], ["x", "y", None], ["x", "x", "x"]]
        >>> print(aggregate(table).next_judgments(3))
        3 of 3 judgments for 4 items
          item  more  P(right)    gain
          2        1    0.5000  0.2887
          0        2    0.7887  0.0962
        With 3 more judgments of 2 items, 3.6 labels would be right, on average, instead of 3.3.
        """
        model, K = self.model, len(self.categories)
        says = typical_coder(model, np.zeros(0) if self.coders is None else self.coders.n_judgments)
        if isinstance(model, OneAccuracy):
            posterior = model.of_items(self._votes)
        else:
            posterior = model.posterior.copy()
        gold = self.status_codes == _GOLD
        posterior[gold] = np.arange(K) == self.codes[gold, None]
        each = self._votes.each
        return plan(
            self.items, posterior, says, each, self.weights, budget, max_judgments, model.undefined
        )

    @property
    def labels(self) -> Array:
        """The label of each item: object array of shape (N,); None if it has none."""
        return _at(self.codes, self.categories)

    @property
    def status(self) -> Array:
        """Why each item has its label, or none: array of str of shape (N,).

        "decided" by the judgments, "tie", "gold", or "unjudged".
        """
        return np.asarray(np.array(STATUSES)[self.status_codes])

    @property
    def tied_labels(self) -> Array:
        """The labels that tie, as a tuple; None if there is no tie: object array (N,)."""
        return _at(self.tie_codes, self.tie_sets)

    @property
    def confidence_is(self) -> str:
        """What the confidence is."""
        if self.method == "majority":
            return "the share of the item's judgments that give the label"
        model = "the model of " if self.method == "dawid_skene" else ""
        return f"P(label | judgments) under {model}{MODEL_NAMES[self.method]}"

    def columns(self) -> dict[str, Any]:
        """Give a row for each item."""
        tied = [" | ".join(map(spell_label, labels)) for labels in self.tie_sets]
        columns = _known(
            self,
            "item=items label=labels confidence posterior entropy difficulty n_judgments "
            "n_agreeing status tied_labels weight=weights",
        )
        return {**columns, "tied_labels": _at(self.tie_codes, tied)}


def _known(result: Any, names: str) -> dict[str, Any]:
    """Return attributes that are not None as columns; see `aligned`."""
    given = [name for name in names.split() if getattr(result, name.split("=")[-1]) is not None]
    return aligned(result, " ".join(given))


def _at(codes: Array, values: Sequence[Any]) -> Array:
    """The value of each code; None for -1."""
    every = np.empty(len(values) + 1, object)
    for i, value in enumerate(values):
        every[i] = value
    return np.asarray(every[codes])


def tie_sets(
    item: Array, label: Array, n_items: int, categories: tuple[Any, ...]
) -> tuple[Array, tuple[tuple[Any, ...], ...]]:
    """Return for each item the index of its set of tied labels in the distinct sets.

    Parameters
    ----------
    item, label : int64 arrays of shape (M,)
        The best labels of each item, ascending by item and label: two or more if they tie.
    n_items : int
    categories : tuple of labels

    Returns
    -------
    codes : int64 array of shape (n_items,)
        -1 if nothing ties.
    sets : tuple of tuples of labels
    """
    n_best = np.bincount(item, minlength=n_items)
    begins = np.cumsum(n_best) - n_best
    codes = np.full(n_items, -1, np.int64)
    sets: list[tuple[Any, ...]] = []
    for size, items in by_size(n_best):
        table = label[begins[items][:, None] + np.arange(size)]
        group, first = group_equal(table)
        codes[items] = len(sets) + group
        sets += [tuple(categories[k] for k in row) for row in table[first].tolist()]
    return codes, tuple(sets)


def compare_coders(
    judged: Judged,
    votes: Votes,
    best: Best,
    reference: Array | None,
    method: str,
    confidence_level: float,
) -> CoderQuality:
    """Compare each coder with the majority of the others, or with the model's posteriors."""
    coders: Sequence[Any] = judged.coders or ()
    C, K = len(coders), votes.n_categories
    lists = as_lists(judged.rows)
    item, coder, label = judgments_of(lists)
    weight = votes.each[item].astype(np.float64)
    majority = others_majority(lists, K)
    clear = majority >= 0
    compared = Compared(item[clear], coder[clear], label[clear], majority[clear], weight[clear])
    suspect, p_values = suspects(compared, C, judged.categories, confidence_level)
    known = np.full(len(item), -1) if reference is None else reference[item]
    if best.of_votes is None:
        right, counted = (majority == label).astype(np.float64), clear
        measured_by = OTHERS
    else:
        place = np.searchsorted(votes.item * K + votes.label, item * K + label)
        right = best.of_votes[place]
        measured_by = MODEL_NAMES[method]
        right = np.where(known >= 0, known == label, right)
        counted = ~np.isnan(right)
    n_compared = np.bincount(coder[counted], weight[counted], C)
    n_right = np.bincount(coder[counted], (weight * right)[counted], C)
    accuracy, low, high = shares_of(n_right, n_compared, confidence_level)
    gold: dict[str, Any] = dict.fromkeys(("n_gold", "gold_accuracy", "gold_low", "gold_high"))
    if reference is not None:
        reported = known >= 0
        n_gold = np.bincount(coder[reported], weight[reported], C)
        same = reported & (known == label)
        shares = shares_of(np.bincount(coder[same], weight[same], C), n_gold, confidence_level)
        gold = dict(zip(gold, (n_gold.astype(np.int64), *shares), strict=True))
    return CoderQuality(
        coders=coders,
        measured_by=measured_by,
        n_judgments=np.bincount(coder, weight, C).astype(np.int64),
        n_compared=n_compared,
        accuracy=accuracy,
        low=low,
        high=high,
        competence=best.model.competence if isinstance(best.model, Mace) else None,
        **gold,
        suspect=tuple(suspect),
        adjusted_p_value=p_values,
        confidence_level=confidence_level,
    )


TIES = ("missing", "first")

_DECIDED, _TIE, _GOLD, _UNJUDGED = range(len(STATUSES))


def aggregate(
    data: JudgmentsLike,
    method: Literal["majority", "dawid_skene", "mace", "glad", "crowdlab"] = "majority",
    *,
    gold: Label | Column | None = None,
    ties: Literal["missing", "first"] = "missing",
    probabilities: Numbers | None = None,
    smoothing: float | None = None,
    tolerance: float | None = None,
    max_iterations: int = 1000,
    n_restarts: int | None = None,
    accelerate: bool | None = None,
    rng: Seed = None,
    confidence_level: float = 0.95,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Aggregated:
    """Combine the judgments of each item into one label, with its confidence.

    Parameters
    ----------
    data : Annotations, models.Judgments, or a table as `Annotations.from_wide` takes it
        The judgments. The models need known coders. `models.Judgments` may hold several judgments
        of a coder on an item; each of them counts.
    method : {"majority", "dawid_skene", "mace", "glad", "crowdlab"}, default "majority"
        The most frequent label, or the most probable one under a model of the coders' errors:

        - ``"dawid_skene"``: each coder has a confusion matrix.
        - ``"mace"``: each coder knows the label or spams, with a distribution of their own.
        - ``"glad"``: coders have abilities, and items difficulties.
        - ``"crowdlab"``: coders count by how often they agree, beside a trained classifier.
    gold : coder, mapping item -> label, data frame, or sequence of shape (n_rows,), optional
        Right labels, or the name of a coder or a column that has them and is then not one of the
        coders; see `diagnostics.gold_scores`. None for items whose right label is not known. Items
        with a right label get it. ``"dawid_skene"`` and ``"mace"`` also learn from right labels how
        coders err.
    ties : {"missing", "first"}, default "missing"
        The label of an item if several labels are equally good: none, or the first in the order of
        the categories. The status of the item is "tie" in both cases.
    probabilities : array-like of shape (n_rows, K), or data frame, optional
        For ``"crowdlab"``: P(label) of each stored item under a classifier that was not trained on
        the item itself (cross-validation), in the order of the categories; or a data frame with
        their names.
    smoothing : float, optional
        Number added to every count of ``"dawid_skene"`` (by default 0) or ``"mace"`` (by default
        1), so that no probability is 0.
    tolerance : float, optional
        ``"dawid_skene"`` and ``"mace"`` stop when a step raises their objective by at most this
        share (by default 1e-10), ``"glad"`` if no derivative is larger (by default 1e-6).
    max_iterations : int, default 1000
        Largest number of steps of a model.
    n_restarts : int, optional
        Number of additional random starts of ``"dawid_skene"`` or ``"mace"`` (by default 4); the
        best fit is taken. A note says if the start from the votes stops at another optimum of
        ``"dawid_skene"``.
    accelerate : bool, optional
        Whether ``"dawid_skene"`` extrapolates between the steps of EM, which takes a third to a
        half of the iterations; not with gold labels. By default it does not.
    rng : int or numpy Generator, optional
        Seed or generator of the random starts of ``"dawid_skene"`` or ``"mace"``. None is the seed
        0, so that the same data have the same labels each time.
    confidence_level : float, default 0.95
        Confidence level of the intervals of the coders' accuracies.
    progress : bool, default False
        Whether to show a progress bar for ``"dawid_skene"``.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Aggregated
        A table of the items and their labels, with `to_frame()` and `write_csv(path)`. Its
        attribute `coders` is a table of the coders, and `model` is what was fitted.

    Raises
    ------
    ValueError
        If the method is unknown, `gold` names unknown items, an option is not one of the method's,
        or a model is asked for and coders are unknown.

    Notes
    -----
    The confidence of a majority is the share of the judgments that give the label, so one
    judgment has the confidence 1. `posterior` is the probability of the label if every judgment is
    right with the same probability, estimated from all items, and wrong labels are equally likely.
    The posteriors of the models hold only if the models do: they are too large if coders make the
    same errors because items are hard. With ``"crowdlab"``, an item without judgments has the label
    of the classifier.

    A majority of n judgments takes O(n), a model O(starts × iterations × n × K).

    References
    ----------
    Dawid & Skene (1979), Hovy et al. (2013), Whitehill et al. (2009), Goh et al. (2022); see
    `model`.

    Examples
    --------
    >>> from agreement_fast import aggregate
    >>> table = [["x", "x", "y"], ["y", "y", "y"], ["x", "y", None]]
    >>> print(aggregate(table))
    labels of 3 items by majority: 2 decided, mean 0.8333, 1 tied, 0 gold, 0 unjudged
      item  label  confidence  judgments  status
      0     x          0.6667          3  decided
      1     y          1.0000          3  decided
      2     -               -          2  tie
    1 item has labels that tie: it has no label
    >>> aggregate(table, gold={2: "y"}).labels.tolist()
    ['x', 'y', 'y']
    """
    if method in ("mean", "median"):
        raise InputError(
            f"{method!r} is a score for each item and no label",
            "use af.diagnostics.item_scores(data), which has both",
            argument="method",
        )
    check_choice("method", method, tuple(OPTIONS))
    check_choice("ties", ties, TIES)
    check_share("confidence_level", confidence_level)
    options = _options(
        method,
        smoothing=smoothing,
        tolerance=tolerance,
        n_restarts=n_restarts,
        accelerate=accelerate,
        rng=rng,
        probabilities=probabilities,
    )
    judged, reference = _read(data, gold, **reading)
    votes = count_votes(judged.rows, len(judged.categories))
    if method not in ("majority", "crowdlab"):
        options["max_iterations"] = max_iterations
    if method == "dawid_skene":
        options["progress"] = progress

    def fit(right: Array | None) -> Best:
        starts = {"rng": generator(options["rng"])} if "rng" in options else {}
        return fitted(method, judged, right, votes, options | starts)

    # Labels without gold, compared with gold, show how good the labels of other items are.
    best = before = fit(None)
    if reference is not None and method in LEARN_FROM_GOLD:
        best = fit(reference)
    N = votes.n_items
    first = best.first(N)
    tie_codes, sets = tie_sets(best.item, best.label, N, tuple(judged.categories))
    status = np.select([first < 0, tie_codes >= 0], [_UNJUDGED, _TIE], _DECIDED)
    codes, confidence = first.copy(), best.confidence.copy()
    posterior = None if best.posterior is None else best.posterior.copy()
    if reference is not None:
        known = reference >= 0
        status[known], tie_codes[known] = _GOLD, -1
        codes[known] = reference[known]
        confidence[known] = 1.0
        if posterior is not None:
            posterior[known] = 1.0
    if ties == "missing":
        codes[status == _TIE] = -1
    coders = gold_check = None
    if judged.coders is not None:
        coders = compare_coders(judged, votes, best, reference, method, confidence_level)
    if reference is not None:
        gold_check = check_gold(votes, before, reference, confidence_level)
    nameless = codes < 0
    confidence[nameless] = np.nan
    if posterior is not None:
        posterior[nameless] = np.nan
    counted = np.where(nameless, first, codes)
    same = votes.label == counted[votes.item]
    counts = np.bincount(status, votes.each, len(STATUSES)).astype(np.int64).tolist()
    decided = status == _DECIDED
    weight = votes.each[decided].astype(np.float64)
    n_decided = float(weight.sum())
    mean = float(weight @ confidence[decided]) / n_decided if n_decided else math.nan
    return Aggregated(
        method=method,
        ties=ties,
        items=judged.items,
        categories=judged.categories,
        codes=codes,
        confidence=confidence,
        posterior=posterior,
        entropy=np.where(status == _GOLD, 0.0, _entropy(best.model, votes)),
        n_judgments=votes.n_judgments,
        n_agreeing=np.bincount(votes.item[same], votes.votes[same], N).astype(np.int64),
        status_codes=status,
        tie_codes=tie_codes,
        tie_sets=sets,
        weights=votes.weights,
        n_items=int(votes.each.sum()),
        n_decided=counts[_DECIDED],
        n_ties=counts[_TIE],
        n_gold=counts[_GOLD],
        n_unjudged=counts[_UNJUDGED],
        mean_confidence=mean,
        coders=coders,
        gold_check=gold_check,
        model=best.model,
        log_likelihood=best.model.log_likelihood,
        notes=tuple(_notes(method, ties, votes, counts, best.model)),
        _votes=votes,
    )


def _options(method: str, **given: Any) -> dict[str, Any]:
    """Return the options of a method; an error names one that it does not take."""
    taken = OPTIONS[method]
    for name, value in given.items():
        if value is not None and name not in taken:
            others = [other for other, options in OPTIONS.items() if name in options]
            raise InputError(
                (Argument(name), " is not an option of ", Argument("method", method)),
                ("pass ", Argument("method", *others)),
                argument=name,
            )
    options = {
        name: default if given[name] is None else given[name] for name, default in taken.items()
    }
    if method == "crowdlab" and options["probabilities"] is None:
        raise InputError(
            (Argument("method", method), " needs the probabilities of a classifier"),
            ("pass ", Argument("probabilities")),
            argument="probabilities",
        )
    if "n_restarts" in options:
        check_count("n_restarts", options["n_restarts"], 0)
    return options


def _read(data: Any, gold: Any, **reading: Unpack[ReadingOptions]) -> tuple[Judged, Array | None]:
    """Return the input and the codes of the right labels, -1 if there is none."""
    if isinstance(data, Judgments) and not reading:
        if gold is not None:
            raise InputError(
                "gold labels go with Annotations, in which a coder judges an item once, got "
                "Judgments",
                (
                    "make them with af.Annotations.from_long and ",
                    Argument("duplicates", "majority"),
                ),
                argument="gold",
            )
        return data, None
    annotations, gold = read_beside(data, gold, **reading)
    return (annotations, None) if gold is None else with_reference(annotations, gold)


def _entropy(model: Fitted, votes: Votes) -> FloatArray:
    """Return the entropy of P(label | judgments) of each item, in bits."""
    if isinstance(model, OneAccuracy):
        return model.entropy(votes)
    logs = np.log2(np.where(model.posterior > 0, model.posterior, 1.0))
    return np.asarray(-(model.posterior * logs).sum(1)) + 0.0


def _notes(method: str, ties: str, votes: Votes, counts: list[int], model: Fitted) -> Iterator[str]:
    if isinstance(model, DawidSkene):
        yield from model.notes
    elif isinstance(model, Mace | Glad) and model.undefined is None and not model.converged:
        yield f"not converged after {model.n_iterations} iterations: raise max_iterations"
    once = int(votes.each[votes.n_judgments == 1].sum()) if method == "majority" else 0
    label = "the first of them" if ties == "first" else "no label"
    once_says = "a single judgment, so its share of the votes is 1 and says nothing"
    says = (
        (counts[_TIE], "labels that tie", f"it has {label}", f"they have {label}"),
        (counts[_UNJUDGED], "no judgment", "it has no label", "they have no label"),
        (once, once_says, "see posterior"),
    )
    for n, what, *some in says:
        if n:
            has, label = ("has", some[0]) if n == 1 else ("have", some[-1])
            yield f"{counted(n, 'item')} {has} {what}: {label}"
