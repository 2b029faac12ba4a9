"""Compare models with people over the same items and the same resamples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.chance import Marginals, beyond_chance
from agreement_fast.distances.forms import DistanceLike, Form, Squared
from agreement_fast.distances.sums.columns import Counts, Items
from agreement_fast.distances.sums.linear import Linear, Ranked, Sums, linear
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase, Sentence
from agreement_fast.inference.intervals import interval
from agreement_fast.inference.resample import (
    Draw,
    Lot,
    Options,
    at_once,
    in_lots,
)
from agreement_fast.inference.results import Difference, difference
from agreement_fast.options import (
    Names,
    Seed,
    check_choice,
    check_resamples,
    check_share,
    check_threads,
    generator,
    resamples_for,
)
from agreement_fast.patterns import group_equal, row_of, row_sizes, sum_weights, take_rows
from agreement_fast.points import Point
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Block, Full, Plain, Rows, Section, details
from agreement_fast.present.tables import DETAILS, Aligned, Matrix, Table, ends_of, of_each
from agreement_fast.present.terminal import counted, shorten, show_label, some_of
from agreement_fast.reading import frames
from agreement_fast.reading.gold import is_name, set_apart, with_labels
from agreement_fast.reading.recognition.recognise import ReadingOptions, looks_like_model
from agreement_fast.reading.tables import name_place
from agreement_fast.results import NO_VARIATION


class Values(NamedTuple):
    """Coefficients under R weightings of the items."""

    #: 1 − D_o / D_e, D_o and D_e of each model with the people: float64 arrays of shape (M, R).
    value: FloatArray
    observed: FloatArray
    expected: FloatArray
    #: The value of the people among themselves: float64 array of shape (R,).
    people: FloatArray


def items_shared(annotations: Annotations, labels: Array) -> tuple[Annotations, Array, int]:
    """Select the items with a label of each model and of two people, and group equal ones.

    `annotations`: the judgments of the people. `labels` (int (n_rows, M)): those of each model, as
    indices of categories; -1 for missing. Returns Annotations: the distinct items, with weights;
    int (U, M): the labels of each model for these; int: the number of items, including weights.
    """
    rows = annotations.rows
    judgments = np.flatnonzero(rows.codes >= 0)
    repeats = None if rows.repeats is None else rows.repeats[judgments]
    sizes = np.bincount(row_of(rows, judgments), repeats, rows.n_rows)
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    kept = np.flatnonzero((labels >= 0).all(1) & (sizes > 1) & (weights > 0))
    rows, labels, weights = take_rows(rows, kept), labels[kept], weights[kept]
    if rows.width and len(kept):
        joint = np.column_stack([rows.table().astype(np.int32), labels.astype(np.int32)])
        group, first = group_equal(joint)
        rows, labels = take_rows(rows, first), labels[first]
        weights = sum_weights(group, len(first), weights)
    rows = rows.replace(weights=weights)
    return annotations.with_rows(rows), labels, int(weights.sum())


class OfTwo(Marginals):
    """The marginals of two coders who judged the same n items.

    `own`, `other` (arrays of shape (..., K)): the counts of each category for both. `n` (array of
    shape (...)): the number of items.
    """

    def __init__(self, own: Array, other: Array, n: Array) -> None:
        self._own, self._other, self._n = own, other, np.asarray(n, np.float64)

    def scale(self, form: Form) -> tuple[float, int, float]:
        return form.total(), self._own.shape[-1], form.largest

    def shares(self) -> FloatArray:
        return np.asarray(self.counts() / np.maximum(2.0 * self._n[..., None], 1))

    def counts(self) -> Array:
        return self._own + self._other

    def each(self) -> Array:
        return np.stack([self._own, self._other], axis=-2)

    def pairs(self) -> FloatArray:
        return np.asarray(2.0 * self._n * (2.0 * self._n - 1))

    def pooled(self, form: Form) -> FloatArray:
        # Counts instead of shares: whole numbers have no rounding errors.
        both = self.counts()
        return np.asarray(form.bilinear(both, both) / np.maximum(4.0 * self._n**2, 1))

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        return form.bilinear(self._own, self._other), self._n**2


class WithPeople:
    """The coefficient of the people, and that of each model with them.

    `people`: the items that each model and two people judged. `labels` (int (U, M)): the labels of
    the models. `point`: the coefficient and its distance.
    """

    def __init__(self, people: Annotations, labels: Array, point: Point) -> None:
        self.made: Linear = linear(people, [point], "published", rows=people.rows)
        items = self.made.items
        assert isinstance(items, Items)  # rows were given
        self.point, self._labels = point, labels.T
        self.weights = self.made.weights.astype(np.float64)
        lists = items.rows
        sizes = np.diff(lists.start)
        self._row = np.repeat(np.arange(len(sizes)), sizes)
        self._codes = lists.codes
        amounts: Array = np.ones(len(lists.codes)) if lists.repeats is None else lists.repeats
        self._share = amounts / items.sizes[self._row]
        one_each, ones = np.arange(len(labels) + 1), np.ones(len(labels))
        K = (items.n_categories,)
        self._own = [
            Counts(one_each, label.astype(np.int32), None, ones, K) for label in self._labels
        ]
        self._theirs = items.marginal(1.0 / items.sizes)
        self._apart: list[FloatArray] | None = None
        if not point.distance.ranks:
            form = self.made.forms[point.distance]
            self._apart = [self._to_people(label, form) for label in self._labels]

    def _to_people(self, labels: Array, form: Form) -> FloatArray:
        """Return the mean distance of a model's label to those of the people, for each row."""
        apart = form.between(labels[self._row], self._codes) * self._share
        return np.bincount(self._row, apart, len(labels)).astype(np.float64)

    def values(self, sums: Sums, weights: FloatArray) -> Values:
        """Compute the coefficients for some weights of the rows: float64 (U, R)."""
        n = weights.sum(0)
        theirs = self._theirs.totals(weights)
        own = [counts.totals(weights) for counts in self._own]
        chance = self.point.chance.expected
        observed, expected = (np.empty((len(own), len(n))) for _ in range(2))
        form: Form
        if self._apart is not None:
            form = self.made.forms[self.point.distance]
            for m, apart in enumerate(self._apart):
                observed[m] = (apart @ weights) / n
                expected[m] = chance(OfTwo(own[m], theirs, n), form)
        else:
            ranks = Ranked.of(sums.marginals["pairable"]).features
            for r in range(len(n)):
                form = Squared(ranks[r][:, None])
                for m, labels in enumerate(self._labels):
                    observed[m, r] = (self._to_people(labels, form) @ weights[:, r]) / n[r]
                    expected[m, r] = chance(OfTwo(own[m][r], theirs[r], n[r]), form)
        value = beyond_chance(observed, expected)
        return Values(value, observed, expected, self.made.values(sums)[0].value)

    def whole(self) -> Values:
        """Compute the coefficients of the data."""
        return self.values(self.made.whole, self.weights[:, None])

    def replicates(self, options: Options) -> Values:
        """Compute the coefficients of resampled items, the same for people and models."""
        draw = Draw(self.made.weights)

        def work(lot: Lot) -> Values:
            weights = draw(*lot)
            return self.values(self.made.sums(weights), weights)

        parts = in_lots(work, at_once(self.made), options)
        return Values(*(np.concatenate(side, axis=-1) for side in zip(*parts, strict=True)))


class Judged(NamedTuple):
    """People and models over the same items.

    Attributes
    ----------
    people : Annotations
        The judgments of the people.
    models : tuple
        Names of the models.
    labels : int64 array of shape (n_rows, M)
        Labels of the models, as places among the people's categories; -1 if missing.
    """

    people: Annotations
    models: tuple[Any, ...]
    labels: Array

    @property
    def weights(self) -> Array:
        """Number of items that each row stands for: int64 (n_rows,)."""
        rows = self.people.rows
        return np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights


def read_models(
    data: JudgmentsLike,
    model: Any,
    person: Any,
    purpose: str,
    *,
    two_people: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Judged:
    """Separate the judgments of models from those of people.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments of the people, and of the models if `model` names coders.
    model : coder, sequence of coders, labels of one model, or mapping name -> labels
        Coders of the data, or labels by item or in the order of the items. Labels of one model
        without a name are those of "model".
    person : coder or sequence of coders, optional
        The people; by default all coders that are not models.
    purpose : str
        The function that needs the names of coders, for error messages.
    two_people : bool, default False
        Whether people are compared with each other, so that one is not enough.
    **reading
        How to read a table.
    """
    annotations = as_annotations(data, **reading)
    by_model = _by_model(annotations, model)
    people = None if person is None else coder_list(person)
    if by_model is None:
        listed = coder_list(model)
        if any(
            isinstance(name, Iterable) and not isinstance(name, (str, tuple)) for name in listed
        ):
            raise InputTypeError(
                "model must be names of coders, one label per item, or a mapping from name to "
                f"labels, got {model!r}",
                argument="model",
            )
        annotations, labels = set_apart(annotations, listed, people, purpose)
        if people is None and listed:
            left = list(annotations.known_coders(purpose))
            if two_people:
                known = [name for name in left if not looks_like_model(name)]
                _refuse_one_person(known, [*listed, *(x for x in left if x not in known)], purpose)
            check_people(left, listed)
        judged = Judged(annotations, tuple(listed), labels)
    else:
        if people is not None:
            annotations = annotations.select(coders=people)
        names = tuple(by_model)
        what = "model" if by_model is not model else "model[{!r}]"
        for name in names:
            annotations, _ = with_labels(annotations, by_model[name], what.format(name))
        # A model's labels may add categories, which changes the codes of those before.
        codes = [with_labels(annotations, by_model[name], what.format(name))[1] for name in names]
        empty = np.zeros((annotations.n_rows, 0), np.int64)
        judged = Judged(annotations, names, np.stack(codes, 1) if codes else empty)
    if not judged.models:
        raise InputError("model is empty", "name at least one", argument="model")
    if two_people and annotations.coders is not None:
        _refuse_one_person(annotations.coders, judged.models, purpose)
    return judged


def _refuse_one_person(people: Sequence[Any], models: Sequence[Any], purpose: str) -> None:
    """Refuse to compare people with each other if there is one, and name what compares with it."""
    if len(people) > 1:
        return
    besides, gold = "", ""
    if people:
        besides = f", {people[0]!r},"
        gold = f"af.diagnostics.gold_scores(data, {people[0]!r}) or the command gold compares with "
        gold += "one person; else "
    raise InputError(
        f"{purpose} needs two people or more, but {len(people) or 'none'}{besides} is left "
        f"besides the models {shorten(models)}",
        (f"{gold}add the judgments of people to the data, or leave people out of ",
         Argument("model")),
        argument="person",
    )  # fmt: skip


def coder_list(given: Any) -> list[Any]:
    """Return the coders that an argument names: one, or several."""
    return [given] if is_name(given) else list(given)


def _by_model(annotations: Annotations, model: Any) -> Mapping[Any, Any] | None:
    """Return the labels of each model; None if `model` names coders of the data."""
    if is_name(model):
        return None
    if isinstance(model, Mapping):
        several = all(
            frames.is_frame(labels)
            or (isinstance(labels, Iterable) and not isinstance(labels, (str, bytes, Set)))
            for labels in model.values()
        )
        return model if several else {"model": model}
    if frames.is_frame(model) or frames.is_series(model):
        return {"model": model}
    if not hasattr(model, "__len__"):
        return None
    if getattr(model, "ndim", 1) != 1:
        return {"model": model}
    if len(model) != annotations.n_rows:
        return None
    # Its length is that of labels: only text may still be names, since numbers can be both.
    coders = set(annotations.coders or ())
    named = all(isinstance(name, str) and name in coders for name in model)
    return None if named else {"model": model}


def check_people(people: Iterable[Any], models: Iterable[Any]) -> None:
    """Refuse coders as people whose names look like those of models, if nobody named the people."""
    rest = list(people)
    alike = [name for name in rest if looks_like_model(name)]
    if not alike:
        return
    others = [name for name in rest if name not in alike]
    remedy: Sentence = ("name it, too: ", Argument("model", [*models, *alike]))
    if len(alike) > 1:
        remedy = ("name them, too: ", Argument("model", [*models, *alike]))
    if others:
        remedy = (remedy, "; or name the people: ", Argument("person", others))
    raise InputError(
        f"{shorten(alike)} would be counted as people, and look like models",
        remedy,
        argument="person",
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ModelAgreement(Aligned, Sectioned):
    """Agreement of M models with people, and of the people with each other.

    Attributes
    ----------
    coefficient, distance : str
        Names of the coefficient and the distance.
    models, people_names : tuple
        Names of the models, and of the coders who were taken as people.
    value, low, high : float64 array of shape (M,)
        Agreement of each model with the people, and its interval; NaN if undefined.
    people, people_low, people_high : float64 array of shape (M,)
        Agreement of the people with each other over the same items, and its interval. With shared
        items it is the same for all models.
    difference, difference_low, difference_high : float64 array of shape (M,)
        The model's value minus the people's, and its interval.
    p_value : float64 array of shape (M,)
        Two-sided p-value of no difference, from the resamples; see `af.compare`.
    n_silent : int64 array of shape (M,)
        Items that at least two people judged and the model did not.
    n_items : int64 array of shape (M,)
        Items that were compared, counted with their weights.
    n_items_dropped : int64 array of shape (M,)
        Items that were not compared.
    n_own : int64 array of shape (M,)
        Items that the model and at least two people judged, also if other models did not.
    observed_disagreement, expected_disagreement : float64 array of shape (M,)
        D_o and D_e of each model with the people.
    shared_items : bool
        Whether all models were compared over the same items.
    confidence_level : float
        Confidence level of the intervals.
    method : str
        Method of the intervals.
    n_resamples : int
        Number of resamples.
    undefined : tuple of M str or None
        Why a value is undefined.
    replicates, people_replicates : float64 array of shape (M, n_resamples)
        Values of each resample.
    """

    _caption = (
        "{coefficient}({distance}) of {models:model} with people: {value:span}; people with each "
        "other {people:span}"
    )
    _ordered_by = "-value"
    _what = "model"
    _remarks = ""

    def _layout(self) -> str:
        own = not self.shared_items
        return (
            f" = model | {{coefficient}} = value | low..high{' | people' * own} |"
            " minus people = difference:+ | difference_low..high:+ | p = p_value:.4f"
            f"{' | items = n_items' * own}"
        )

    def sections(self) -> list[Section]:
        """Return the models beside the people, and the models with each other."""
        sections = [self._with_people()]
        if len(self) > 1 and self.shared_items:
            sections.append(self._with_each_other())
        return sections

    def _with_people(self) -> Section:
        shared, n = self.shared_items, counted(int(self.n_items[0]), "item")
        over = f"the {n} that all models" if shared else "the items that the model"
        meaning = (
            f"{self.coefficient} ({self.distance}) of each model with the people, beside that of"
            f" the people with each other, over {over} and two people or more judged. Intervals:"
            f" bootstrap ({self.method}, {self.n_resamples:,} resamples)."
        )
        who = f"Models: {some_of(self.models, 8)}. People: {some_of(self.people_names, 8)}."
        blocks: list[Block] = [who, Full(meaning)]
        dropped = int(self.n_items_dropped.max())
        if dropped and shared:
            left = f"Left out: {counted(dropped, 'item')}."
            if dropped > self.n_items[0] and (self.n_own > self.n_items).any():
                left += (
                    " --no-shared-items, or shared_items=False, compares each model over all items"
                    " that it judged."
                )
            blocks.append(left)
        table = self._laid(brief=FEW)
        if shared:
            ends = (self.people[0], self.people_low[0], self.people_high[0])
            table = replace(table, rows=[*table.rows, ["people", *ends, *[""] * 4]], last=1)
        words = [self._difference(m) for m in self._rows_shown(self.columns())]
        blocks += [Full(""), table, Full(""), *words[:FEW], *map(Full, words[FEW:])]
        if len(self) > 1:
            blocks.append(Full(_corrected("models", len(self))))
        return Section("Models and people", blocks)

    def _difference(self, m: int) -> str:
        """Describe the difference between a model and the people."""
        name = show_label(self.models[m])
        gap, low, high = (self.difference[m], self.difference_low[m], self.difference_high[m])
        if gap != gap:
            return f"{name}: {self.undefined[m] or 'the people have no value'}."
        if low > 0 or high < 0:
            more = "more" if low > 0 else "less"
            return (
                f"{name} agrees with the people {more} than they do with each other ({gap:+.4f})."
            )
        ends = (
            f"{abs(end):.4f} {'below' if end < 0 else 'above'}" if round(end, 4) else "level with"
            for end in (low, high)
        )
        return (
            f"{name}: no difference is shown. Its agreement with the people may be from"
            f" {' to '.join(ends)} that of the people with each other."
        )

    def _with_each_other(self) -> Section:
        layout = (
            "model = first | minus model = second | difference:+ | low..high:+ | p = p_value:.4f"
        )
        table = Rows.laid(
            self.differences(), layout, sides="<<>>>>", level=self.confidence_level, what="pair",
            most=PAIRS,
        )  # fmt: skip
        blocks: list[Plain] = [table]
        if len(table.rows) > 1:
            blocks.append(_corrected("pairs", len(table.rows)))
        best = zip(self.models, self.ranks()[:, 0].tolist(), strict=True)
        shares = [
            f"{show_label(name)} {share:.0%}"
            for name, share in sorted(best, key=lambda entry: -entry[1])
            if share >= 0.005
        ]
        if shares:
            blocks.append(f"Share of the resamples in which each is best: {', '.join(shares)}.")
        return details("Models with each other", *blocks)

    aside = DETAILS | {"n_items", "n_silent", "people"}

    coefficient: str
    distance: str
    models: tuple[Any, ...]
    people_names: tuple[Any, ...]
    value: FloatArray
    low: FloatArray
    high: FloatArray
    people: FloatArray
    people_low: FloatArray
    people_high: FloatArray
    difference: FloatArray
    difference_low: FloatArray
    difference_high: FloatArray
    p_value: FloatArray
    n_silent: Array
    n_own: Array
    n_items: Array
    n_items_dropped: Array
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    shared_items: bool
    confidence_level: float
    method: str
    n_resamples: int
    undefined: tuple[str | None, ...]
    replicates: FloatArray = field(repr=False)
    people_replicates: FloatArray = field(repr=False)

    _column_names = (
        "model=models coefficient distance value low high people people_low people_high "
        "difference difference_low difference_high p_value confidence_level n_items n_silent "
        "undefined"
    )

    def between(self, first: Any, second: Any) -> Difference:
        """Return the first model's value minus the second's, from the resamples that they share.

        Parameters
        ----------
        first, second : object
            Names of models.

        Returns
        -------
        Difference
            The difference, its interval and its p-value.

        Raises
        ------
        ValueError
            If a name is unknown, or if the models were compared over different items.
        """
        self._check_shared()
        a, b = (name_place(self.models, name, "model") for name in (first, second))
        return difference(
            (str(self.models[a]), str(self.models[b])),
            (float(self.value[a]), float(self.value[b])),
            self.replicates[a] - self.replicates[b],
            self.confidence_level,
            self.method,
            [],
            self.undefined[a] or self.undefined[b],
        )

    def differences(self) -> Table:
        """Return the differences of all pairs of models, one pair per row.

        Returns
        -------
        Table
            The columns are first, second, difference, low, high and p_value.
        """
        self._check_shared()
        pairs = list(combinations(self.models, 2))
        gaps = [self.between(*pair) for pair in pairs]
        return Table(
            {
                "first": [first for first, _ in pairs],
                "second": [second for _, second in pairs],
                "difference": [gap.value for gap in gaps],
                **of_each(gaps, "low high p_value"),
            }
        )

    def ranks(self) -> Matrix:
        """Return the share of resamples in which each model has each rank.

        Returns
        -------
        Matrix
            One row per model and one column per rank; rank 1 agrees best with the people. Tied
            models share their ranks. Resamples in which a model is undefined are not counted.
        """
        self._check_shared()
        values = self.replicates[:, ~np.isnan(self.replicates).any(0)]
        n = len(self.models)
        shares = np.zeros((n, n))
        for m in range(n):
            above = (values > values[m]).sum(0)
            level = (values == values[m]).sum(0)
            for rank in range(n):
                held = (above <= rank) & (rank < above + level)
                shares[m, rank] = (held / level).sum()
        total = values.shape[1]
        if not total:
            shares[:] = np.nan
        return Matrix(shares / max(total, 1), self.models, range(1, n + 1), "model", "rank")

    def _check_shared(self) -> None:
        if not self.shared_items and len(self) > 1:
            raise InputError(
                "models that were compared with the people over different items cannot be compared "
                "with each other",
                ("pass ", Argument("shared_items", True)),
                argument="shared_items",
            )


#: Models of an answer, and pairs of models that are listed.
FEW, PAIRS = 3, 12


def _corrected(what: str, n: int) -> str:
    """Say what p is to be compared with; Bonferroni's level is rounded down."""
    level = f"{math.floor(5e4 / n) / 1e6:.6f}".rstrip("0")
    return (
        f"p is not corrected for the number of {what} ({n:,}): compare it with {level}"
        f" (0.05 / {n:,}) to judge all {what} together."
    )


def model_agreement(
    data: JudgmentsLike,
    model: Names,
    coefficient: str = "kappa",
    *,
    person: Names | None = None,
    distance: DistanceLike = "nominal",
    shared_items: bool = True,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: Literal["percentile", "basic"] = "percentile",
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> ModelAgreement:
    """Compare the agreement of models with people to the agreement of people with each other.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments of the people, and of the models if `model` names coders.
    model : coder, sequence of coders, labels, or mapping name -> labels
        Coders of `data`, or labels of models that are not in it: a mapping item -> label or a
        sequence with one label per item, or several of them by the names of their models. None is a
        missing label. The index of a pandas Series names the items.
    coefficient : str, default "kappa"
        Name of a coefficient. "kappa" requires the nominal distance; pass "beta" for others.
    person : coder or sequence of coders, optional
        The coders to compare the models with; by default all coders that are not models. Names that
        look like those of models, such as "gpt-4", are then refused.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart.
    shared_items : bool, default True
        Whether to compare only items that all models and at least two people judged, so that models
        can also be compared with each other. If False, each model is compared over the items that
        it and at least two people judged.
    n_resamples : int, default 2000
        Number of resamples of the bootstrap. At least one must lie beyond each end of the
        interval, so an interval of 95% needs 40 or more.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    method : {"percentile", "basic"}, default "percentile"
        Method of the bootstrap intervals.
    rng : int or numpy Generator, optional
        Seed or generator of the draws. A seed gives the same resamples with any number of threads.
    threads : int, optional
        The largest number of threads; by default the number of processors.
    progress : bool, default False
        Whether to show a progress bar, which requires tqdm.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ModelAgreement
        One row per model. Its methods `between`, `differences` and `ranks` compare the models
        with each other.

    Raises
    ------
    ValueError
        If a name or an item is unknown, if a coder is both a model and a person, if a coder who was
        not named looks like a model, if labels have another number than the items or are no
        declared categories, or if no item was judged by all models and two people.

    Notes
    -----
    Artstein & Poesio 2005, 4.5, recommend to evaluate a system by its chance-corrected agreement
    with people, beside the agreement among people. With m_i the model's label of item i and n_il
    the number of people who gave label l,

    - D_o = mean over items of Σ_l n_il d(m_i, l) / n_i,
    - D_e is the coefficient's for two coders, the model and the mean of the people, with the
      marginals Σ_i [m_i = k] and Σ_i n_ik / n_i.

    For complete data and κ or β, both values are a mean D_o of pairs over a mean D_e of pairs, so
    a model that behaves like the people has the same value as they do.

    With shared items, every resample draws the same items for all models and the people, so that
    their differences are paired. Otherwise each model has its own resamples, and the people's value
    is computed over the items of each model. P-values are not corrected for the number of models
    or pairs.

    The cost is O(patterns · models · K) per resample, for K categories.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [("x", "x", "x", "y"), ("y", "y", "y", "x"), ("x", "y", "y", "y")] * 20
    >>> data = af.Annotations.from_wide(table, coders=["Ann", "Bea", "gpt", "llama"])
    >>> result = af.diagnostics.model_agreement(data, ["gpt", "llama"], rng=1)
    >>> result.value.round(3).tolist(), result.people.round(3).tolist()
    ([0.667, -0.667], [0.4, 0.4])
    >>> result.between("gpt", "llama").low > 0
    True
    >>> result.ranks().at("gpt", 1)
    1.0
    """
    check_choice("method", method, ("percentile", "basic"))
    check_share("confidence_level", confidence_level)
    n_resamples = check_resamples(n_resamples, resamples_for(confidence_level))
    draws = (n_resamples, confidence_level, method), (check_threads(threads), progress)
    point = Point.of(coefficient, distance)
    judged = read_models(data, model, person, "model_agreement()", two_people=True, **reading)
    names = tuple(judged.people.coders or ())
    every = list(range(len(judged.models)))
    parts = [
        _together(judged, some, point, Options(*draws[0], generator(rng), *draws[1]))
        for some in ([every] if shared_items else [[m] for m in every])
    ]
    of = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    ends, people_ends = (
        np.array(
            [
                interval(method, float(value), drawn, confidence_level)
                for value, drawn in zip(of[values], of[replicates], strict=True)
            ]
        )
        for values, replicates in (("value", "replicates"), ("people", "people_replicates"))
    )
    undefined = tuple(NO_VARIATION if np.isnan(v) else None for v in of["value"].tolist())
    gaps = [
        difference(
            (str(name), "people"), (float(of["value"][m]), float(of["people"][m])),
            of["replicates"][m] - of["people_replicates"][m],
            confidence_level, method, [], undefined[m],
        )
        for m, name in enumerate(judged.models)
    ]  # fmt: skip
    columns = of_each(gaps, "value low high p_value")
    of_gaps = {name: np.array(column) for name, column in columns.items()}
    return ModelAgreement(
        coefficient=point.name,
        distance=point.distance.name,
        models=judged.models,
        people_names=names,
        **ends_of("", ends.T),
        **ends_of("people", people_ends.T),
        difference=of_gaps.pop("value"),
        p_value=of_gaps.pop("p_value"),
        **{f"difference_{end}": column for end, column in of_gaps.items()},
        n_silent=_items(judged, judged.labels < 0),
        n_own=_items(judged, judged.labels >= 0),
        n_items_dropped=judged.people.n_items - of["n_items"],
        shared_items=shared_items,
        confidence_level=confidence_level,
        method=method,
        n_resamples=n_resamples,
        undefined=undefined,
        **of,
    )


def _together(judged: Judged, some: list[int], point: Point, options: Options) -> dict[str, Array]:
    """Compare some models over the items that all of them judged; a row for each model."""
    shared, labels, total = items_shared(judged.people, judged.labels[:, some])
    if not total:
        raise _nothing_shared(judged, some)
    both = WithPeople(shared, labels, point)
    whole, drawn = both.whole(), both.replicates(options)
    n = len(some)
    return {
        "value": whole.value[:, 0],
        "people": np.repeat(whole.people, n),
        "replicates": drawn.value,
        "people_replicates": np.repeat(drawn.people[None], n, axis=0),
        "n_items": np.full(n, total),
        "observed_disagreement": whole.observed[:, 0],
        "expected_disagreement": whole.expected[:, 0],
    }


def _nothing_shared(judged: Judged, some: list[int]) -> InputError:
    """Return the error for models that were not compared, with the remedy for its cause."""
    which = "every model" if len(some) > 1 else f"model {judged.models[some[0]]!r}"
    if not _items(judged, np.ones((judged.people.n_rows, 1), bool)).any():
        return InputError(
            "no item has labels of two people",
            "a model is compared with people who judged the same items: check the items' names",
            argument="person",
        )
    own = _items(judged, judged.labels >= 0)
    rest = [name for name, n in zip(judged.models, own.tolist(), strict=True) if n]
    if not rest:
        remedy: Sentence = "add labels of models for items that people judged"
    elif len(rest) < len(own):
        remedy = ("leave out models without such items: ", Argument("model", rest))
    else:
        own_items = ("pass ", Argument("shared_items", False))
        remedy = (Phrase("own_items", own_items), ", to compare each model over its own items")
    return InputError(f"no item has a label of {which} and of two people", remedy, argument="model")


def _items(judged: Judged, chosen: Array) -> Array:
    """Count the chosen items that at least two people judged, for each model: int64 (M,)."""
    return np.asarray(np.where(row_sizes(judged.people.rows) > 1, judged.weights, 0) @ chosen)
