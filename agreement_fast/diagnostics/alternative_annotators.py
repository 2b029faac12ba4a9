"""The alternative annotator test: may a model replace a person?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import student_quantile, wilson_of_error
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import result_of
from agreement_fast.diagnostics.cells import bound
from agreement_fast.diagnostics.each_coder import Judgments
from agreement_fast.diagnostics.model_agreement import coder_list, read_models
from agreement_fast.distances import check_symmetric, resolve
from agreement_fast.distances.forms import DistanceLike, Form
from agreement_fast.errors import InputError
from agreement_fast.inference.closed_form import closed_form
from agreement_fast.inference.delta_method import interval_ends
from agreement_fast.inference.hypotheses import benjamini_yekutieli
from agreement_fast.inference.sample_sizes import spearman_brown
from agreement_fast.options import Names, check_count, check_number, check_share
from agreement_fast.points import Point
from agreement_fast.present.result import Presented, Sectioned
from agreement_fast.present.sections import Block, Full, Rows, Section
from agreement_fast.present.tables import Table, aligned, ends_of
from agreement_fast.present.terminal import show_cell, show_interval, show_label

#: Relative difference below which two sums of distances are equal.
ROUNDING = 1e-12


class Duels(NamedTuple):
    """Comparisons of a model with each person, item by item.

    Attributes
    ----------
    person : int array of shape (n,)
        The coder's place.
    row : int64 array of shape (n,)
        The row of the item.
    weight : int64 array of shape (n,)
        Number of items that the row stands for.
    model_wins, person_wins : bool arrays of shape (n,)
        Whether the model is at least as near to the others as the person, and whether the person
        is at least as near as the model; both are True if they tie.
    """

    person: Array
    row: Array
    weight: Array
    model_wins: Array
    person_wins: Array


def duels(people: Judgments, labels: Array, form: Form) -> Duels:
    """Compare a model with each person on the items that it and at least two people judged.

    `labels` (int (n_rows,)): the model's codes; -1 if missing. `form`: how far categories are
    apart. The scores are sums of distances to the same people. Comparing them is therefore the same
    as comparing means, −RMSE under the interval distance, or accuracies under the nominal distance.
    """
    row, codes = people.row, people.codes
    kept = ((people.sizes > 1) & (labels >= 0) & (people.weights > 0))[row]
    person = people.to_others(form)[kept]
    row, codes = row[kept], codes[kept]
    apart = form.between(labels[row], codes)
    total = np.bincount(row, apart, len(labels))[row]
    model = total - apart
    level = np.abs(person - model) <= ROUNDING * np.maximum(person, total)
    return Duels(
        people.coders[kept],
        row,
        people.weights[row],
        (model < person) | level,
        (person < model) | level,
    )


#: Values of epsilon that the paper recommends, by the skill of the people.
EPSILON = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}

#: Values of ε at which verdicts are compared.
EPSILONS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)

#: The lowest winning rate at which a model passes.
PASSES = 0.5

#: The smallest number of people that the paper recommends.
PEOPLE = 3

#: Models that an answer shows.
FEW = 3

#: How tables say whether a model passes.
VERDICTS = {True: "yes", False: "no", None: "-"}

TOO_FEW = "fewer than min_items items were judged by the person, another person and the model"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AlternativeAnnotatorTest(Sectioned):
    """Results of the alternative annotator test, for M models and C people.

    Attributes
    ----------
    models, people : tuple
        Names of the models and of the people.
    epsilon : float
        ε, by how much a model may be worse than a person.
    q : float
        The false discovery rate among the people.
    min_items : int
        The smallest number of items with which a person is tested.
    distance : str
        Name of the distance.
    winning_rate : float64 array of shape (M,)
        ω, the share of the tested people that the model may replace; NaN if nobody was tested.
    passes : bool array of shape (M,)
        Whether ω is at least 0.5. If nobody was tested it is False here and None in `columns`.
    advantage, low, high : float64 array of shape (M,)
        ρ, the average advantage probability, and its interval: how often the model is at least as
        near to the others as the person, as a mean over the tested people.
    n_people : int64 array of shape (M,)
        Number of people tested.
    n_items : int64 array of shape (M,)
        Items that the model and at least two people judged, counted with their weights.
    items : int64 array of shape (M, C)
        Items among these that each person judged.
    model_advantage, person_advantage : float64 array of shape (M, C)
        ρ_f and ρ_h: how often the model is at least as near to the others as the person, and how
        often the person is at least as near as the model.
    difference, difference_low, difference_high : float64 array of shape (M, C)
        ρ_f − ρ_h, and its interval.
    difference_error : float64 array of shape (M, C)
        The standard error of ρ_f − ρ_h.
    p_value : float64 array of shape (M, C)
        P-value of the hypothesis ρ_f ≤ ρ_h − ε; NaN if it was not tested.
    rejected : bool array of shape (M, C)
        Whether the hypothesis is rejected, so that the model may replace the person. If it was not
        tested it is False here and None in `tests`.
    confidence_level : float
        Confidence level of the intervals.
    note : str or None
        Which recommendations of the paper the data do not meet.
    influences : float64 array of shape (M, n_rows)
        The influence of each row of the data on ρ times the square root of its weight. The squares
        add up to the variance.
    """

    _caption = (
        "alternative annotator test, epsilon {epsilon}: {_passing:model} of {_tested} that can be "
        "tested pass[: {_passing:list}]"
    )
    _title = "Alternative annotator test"
    _meaning = (
        "May a model replace a person? Each person is set aside in turn and compared with the"
        " model: who is nearer to the other people? It passes if it wins against at least half of"
        " the people. Advantage: how often the model is at least as near as the"
        " person (Calderon, Reichart & Dror 2025)."
    )
    _table = (
        "model | wins = {_wins} of {n_people} | winning rate = winning_rate | passes = _verdicts |"
        " advantage | low..high | items = n_items"
    )
    _ordered_by = "-advantage"
    _what = "model"

    _of_tests = (
        "n_items=items model_advantage person_advantage difference low=difference_low "
        "high=difference_high p_value"
    )

    def sections(self) -> list[Section]:
        """Return what epsilon means and the verdict on each model, then what explains it."""
        wins = (
            "A model wins against a person if the test shows that it is better, or worse by less"
            f" than epsilon = {self.epsilon:g}."
        )
        blocks: list[Block] = [
            *[self._captioned()] * bool(self._tested()),
            wins,
            Full(self._meaning),
            Full("A larger epsilon is easier to pass: report the verdicts of several."),
            Full(""),
            self._laid(brief=FEW),
        ]
        if len({*self.n_items.tolist()}) > 1:
            text = (
                "Items: those that the model and two people judged. They differ between models, and"
                " an advantage may come from easier items: to compare models, leave out items that"
                " a model did not judge."
            )
            blocks.append(Full(text))
        blocks += [f"Note: {self.note}."] if self.note else []
        if untested := [self.models[m] for m in np.flatnonzero(self.n_people == 0).tolist()]:
            names = ", ".join(show_label(name, 24) for name in untested)
            blocks.append(
                f"Undefined for {names}: nobody was tested, because no person judged"
                f" {self.min_items} items that the model and another person judged, too;"
                " --min-items, or min_items=, lowers this number."
            )
        return [Section(self._title, blocks)]

    @property
    def _verdicts(self) -> list[str]:
        return [VERDICTS[passes] for passes in self.columns()["passes"]]

    def _passing(self) -> list[Any]:
        return [model for model, passes in zip(self.models, self.passes, strict=True) if passes]

    def _tested(self) -> int:
        return int((self.n_people > 0).sum())

    @property
    def _wins(self) -> Array:
        return np.asarray(self.rejected.sum(1))

    models: tuple[Any, ...]
    people: tuple[Any, ...]
    epsilon: float
    q: float
    min_items: int
    distance: str
    winning_rate: FloatArray
    passes: Array
    advantage: FloatArray
    low: FloatArray
    high: FloatArray
    n_people: Array
    n_items: Array
    items: Array
    model_advantage: FloatArray
    person_advantage: FloatArray
    difference: FloatArray
    difference_low: FloatArray
    difference_high: FloatArray
    difference_error: FloatArray
    p_value: FloatArray
    rejected: Array
    confidence_level: float
    note: str | None
    influences: FloatArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.models)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with one model a row."""
        return {
            "model": self.models,
            "winning_rate": self.winning_rate,
            "passes": _where(self.n_people > 0, self.passes),
            **aligned(self, "advantage low high confidence_level epsilon n_people n_items"),
            "undefined": [None if tested else TOO_FEW for tested in self.n_people.tolist()],
        }

    def tests(self) -> Table:
        """Return a table with one row for each pair of a model and a person.

        Returns
        -------
        Table
            The columns are model, person, n_items, model_advantage, person_advantage, difference,
            low, high, p_value, rejected and undefined.
        """
        n_models, n_people = len(self.models), len(self.people)
        return Table(
            {
                "model": [name for name in self.models for _ in range(n_people)],
                "person": list(self.people) * n_models,
                **{
                    name: np.ravel(column) for name, column in aligned(self, self._of_tests).items()
                },
                "rejected": _where(~np.isnan(self.p_value), self.rejected),
                "undefined": [
                    TOO_FEW if math.isnan(p) else None for p in self.p_value.reshape(-1).tolist()
                ],
            }
        )

    def verdicts(self, epsilons: Iterable[float] = EPSILONS) -> Table:
        """Return which models pass at several values of ε.

        ε is chosen, and decides: at 0 a model must be better than a person, and the larger it is,
        the worse a model may be that passes. A verdict that changes between values that are as good
        should be reported with both.

        Parameters
        ----------
        epsilons : iterable of float, default (0, 0.05, 0.1, 0.15, 0.2, 0.3)
            The values, from 0 to below 1.

        Returns
        -------
        Table
            A row for each model and value. The columns are model, epsilon, wins, n_people,
            winning_rate and passes, which is None if nobody was tested.

        Raises
        ------
        ValueError
            If a value is not from 0 to below 1.

        Examples
        --------
        >>> import agreement_fast as af
        >>> people = [("x", "x", "x"), ("y", "y", "x"), ("x", "y", "x"), ("y", "y", "y")] * 15
        >>> models = {"gpt": ["x", "y", "x", "x"] * 15}
        >>> result = af.diagnostics.alternative_annotator_test(people, models)
        >>> result.verdicts([0, 0.2, 0.3]).to_dict()["passes"]
        [False, True, True]
        """
        rows: list[tuple[Any, ...]] = []
        limits, n_people = list(map(_epsilon, epsilons)), self.n_people.tolist()
        for i, (name, n) in enumerate(zip(self.models, n_people, strict=True)):
            for epsilon in limits:
                p = p_values(-self.difference[i], self.difference_error[i], self.items[i], epsilon)
                p[np.isnan(self.p_value[i])] = np.nan
                wins = int(benjamini_yekutieli(p, self.q).sum())
                rate = wins / n if n else math.nan
                rows.append((name, epsilon, wins, n, rate, rate >= PASSES if n else None))
        names = ("model", "epsilon", "wins", "n_people", "winning_rate", "passes")
        return Table({name: [row[i] for row in rows] for i, name in enumerate(names)})

    def differences(self) -> Table:
        """Return the differences in ρ of all pairs of models, with delta-method intervals.

        Returns
        -------
        Table
            The columns are first, second, difference, low and high.
        """
        pairs = list(combinations(range(len(self.models)), 2))
        values = np.array([self.advantage[a] - self.advantage[b] for a, b in pairs])
        gaps = [self.influences[a] - self.influences[b] for a, b in pairs]
        n = [min(int(self.n_items[a]), int(self.n_items[b])) for a, b in pairs]
        errors = [_error(gap, m) for gap, m in zip(gaps, n, strict=True)]
        return Table(
            {
                "first": [self.models[a] for a, _ in pairs],
                "second": [self.models[b] for _, b in pairs],
                "difference": values,
                **ends_of("", interval_ends(values, errors, n, self.confidence_level, "none")),
            }
        )


def alternative_annotator_test(
    data: JudgmentsLike,
    model: Names,
    *,
    person: Names | None = None,
    distance: DistanceLike = "nominal",
    epsilon: float | str = 0.2,
    q: float = 0.05,
    min_items: int = 30,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> AlternativeAnnotatorTest:
    """Test whether models may replace people (Calderon, Reichart & Dror 2025).

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments of at least two people, and of the models if `model` names coders.
    model : coder, sequence of coders, labels, or mapping name -> labels
        Coders of `data`, or labels of models that are not in it, as in `model_agreement`.
    person : coder or sequence of coders, optional
        The people; by default all coders that are not models.
    distance : str, Distance, array, mapping or function, default "nominal"
        How nearness to the other people is measured: the share of equal labels for "nominal", the
        root mean squared difference for "interval", and the mean distance for all others.
    epsilon : float or {"expert", "skilled", "crowd"}, default 0.2
        ε, by how much a model may be worse than a person, because it costs less. The paper
        recommends 0.2 if the people are experts, 0.15 if they are skilled and 0.1 for a crowd. A
        larger value is easier to pass.
    q : float, default 0.05
        The false discovery rate among the people.
    min_items : int, default 30
        People with fewer items are not tested.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    AlternativeAnnotatorTest
        The winning rate and advantage probability of each model, and the test of each person.

    Raises
    ------
    ValueError
        If a name is unknown, if a coder is both a model and a person, if there are fewer than two
        people, or if ε is outside [0, 1).

    Notes
    -----
    The test leaves out each person j in turn. It takes the items that j, the model and at least one
    other person judged. W_f is 1 if the model's label is at least as near to the labels of the
    others as j's label, and W_h is 1 if j's label is at least as near as the model's. ρ_f and ρ_h
    are their means. The paired t-test of H₀: ρ_f ≤ ρ_h − ε uses d = W_h − W_f and
    t = (mean(d) − ε) / (s / √n), and rejects for small t. If all d are equal, p is 0 if they are
    below ε and 1 otherwise. The p-values of all people are corrected together (Benjamini &
    Yekutieli 2001). The winning rate ω is the share of people for whom H₀ is rejected, and a model
    passes if ω ≥ 0.5. The advantage probability ρ is the mean of ρ_f over the people. Its interval
    is Wilson's, for the sample size that corresponds to its standard error (delta method over
    items).

    The paper recommends at least three people and thirty items for each. If there are fewer, the
    attribute `note` of the result says so.

    The cost is O(models · (judgments + items · K²)), and less for usual distances.

    References
    ----------
    Calderon, N., Reichart, R. & Dror, R. (2025). The alternative annotator test for
    LLM-as-a-judge: how to statistically justify replacing human annotators with LLMs. Annual
    Meeting of the Association for Computational Linguistics, 16051–16081.

    Examples
    --------
    >>> import agreement_fast as af
    >>> people = [("x", "x", "x"), ("y", "y", "x"), ("x", "y", "x"), ("y", "y", "y")] * 15
    >>> models = {"gpt": ["x", "y", "x", "y"] * 15, "llama": ["y", "x", "x", "x"] * 15}
    >>> result = af.diagnostics.alternative_annotator_test(people, models, epsilon="skilled")
    >>> result.winning_rate.tolist(), result.passes.tolist(), result.advantage.round(3).tolist()
    ([1.0, 0.0], [True, False], [1.0, 0.5])
    """
    epsilon = _epsilon(epsilon)
    q, confidence_level = check_share("q", q), check_share("confidence_level", confidence_level)
    min_items = check_count("min_items", min_items, 2)
    distance = resolve(distance)
    check_symmetric(distance)
    purpose = "alternative_annotator_test()"
    judged = read_models(data, model, person, purpose, two_people=True, **reading)
    names = tuple(judged.people.known_coders(purpose))
    people = Judgments(judged.people, judged.people.rows)
    form = bound(judged.people, distance)
    result = [
        _against(duels(people, labels, form), len(names), epsilon, min_items, len(people.sizes))
        for labels in judged.labels.T
    ]
    of = {name: np.stack([entry[name] for entry in result]) for name in result[0]}
    p_value = of["p_value"]
    rejected = np.stack([benjamini_yekutieli(p, q) for p in p_value])
    n_people, wins = (~np.isnan(p_value)).sum(1), rejected.sum(1)
    rate = ratio(wins, n_people)
    gap = of["difference"]
    error, n = (of[name].reshape(-1) for name in ("difference_error", "items"))
    both = interval_ends(gap.reshape(-1), error, n, confidence_level, "none")
    errors = [_error(*each) for each in zip(of["influences"], of["n_items"].tolist(), strict=True)]
    return AlternativeAnnotatorTest(
        models=judged.models,
        people=names,
        epsilon=epsilon,
        q=q,
        min_items=min_items,
        distance=distance.name,
        winning_rate=rate,
        passes=rate >= PASSES,
        **ends_of("", wilson_of_error(of["advantage"], errors, of["n_items"], confidence_level)),
        n_people=n_people,
        **ends_of("difference", np.reshape(both, (2, *gap.shape))),
        rejected=rejected,
        confidence_level=confidence_level,
        note=_note(len(names), n_people, min_items),
        **of,
    )


def _where(tested: Array, labels: Array) -> list[bool | None]:
    pairs = zip(tested.reshape(-1).tolist(), labels.reshape(-1).tolist(), strict=True)
    return [bool(entry) if known else None for known, entry in pairs]


def _epsilon(given: float | str) -> float:
    if isinstance(given, str):
        if given not in EPSILON:
            raise InputError.must_be("epsilon", "a number, 'expert', 'skilled' or 'crowd'", given)
        return EPSILON[given]
    if not 0 <= check_number("epsilon", given) < 1:
        raise InputError.must_be("epsilon", "0 or more and less than 1", given)
    return float(given)


def p_values(gap: FloatArray, error: FloatArray, n: Array, epsilon: float) -> FloatArray:
    """Return the p-values of ρ_f ≤ ρ_h − ε for mean gaps ρ_h − ρ_f of n items."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        p = stdtr(n - 1, (gap - epsilon) / error)
        return np.where(error > 0, p, np.where(gap < epsilon, 0.0, 1.0))


def _against(
    duels: Duels, n_people: int, epsilon: float, min_items: int, n_rows: int
) -> dict[str, Array]:
    """Compare a model with each person: what the result has of it, by name."""

    def sums(values: Array) -> FloatArray:
        return np.bincount(duels.person, duels.weight * values, n_people).astype(np.float64)

    gap: Array = duels.person_wins.astype(np.int64) - duels.model_wins
    n, total, squares = sums(np.ones(len(gap))), sums(gap), sums(gap**2)
    tested = n >= min_items
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        error = np.sqrt(np.maximum(squares - total * mean, 0.0) / (n - 1) / n)
        p = p_values(mean, error, n, epsilon)
        model, person = sums(duels.model_wins) / n, sums(duels.person_wins) / n
    # The influence of each row on the advantage times √weight: squares add up to the variance
    over = np.where(tested[duels.person], duels.model_wins - model[duels.person], 0.0)
    each = over / np.maximum(n[duels.person] * max(int(tested.sum()), 1), 1)
    weights = np.zeros(n_rows)
    weights[duels.row] = duels.weight
    return {
        "n_items": np.array(int(weights.sum())),
        "items": n.astype(np.int64),
        "model_advantage": model,
        "person_advantage": person,
        "difference": model - person,
        "difference_error": np.where(n > 1, error, np.nan),
        "p_value": np.where(tested, p, np.nan),
        "advantage": np.array(model[tested].mean() if tested.any() else np.nan),
        "influences": np.bincount(duels.row, each, n_rows) * np.sqrt(weights),
    }


def _error(influences: FloatArray, n: int) -> float:
    """Return the standard error of a mean whose items have these influences."""
    return math.sqrt(float((influences**2).sum()) * n / (n - 1)) if n > 1 else math.nan


def _note(n_people: int, tested: Array, min_items: int) -> str | None:
    labels = []
    if n_people < PEOPLE:
        labels.append(
            f"there are {n_people} people, and at least {PEOPLE} are recommended: with two, the "
            "test only shows which of them the model agrees with"
        )
    left = n_people - tested
    if left.any():
        labels.append(
            f"up to {left.max()} of {n_people} people were not tested, because they have fewer "
            f"than {min_items} items"
        )
    if min_items < 30:
        labels.append(
            f"min_items is {min_items}, and the t-test is recommended for 30 items or more"
        )
    return "; ".join(labels) or None


NO_ONE_LEFT_OUT = "half widths need three people, so that one can be left out"


@dataclass(frozen=True, repr=False)
class MorePeople(Presented):
    """What more people of the same kind would add; row k of `people` has k more of them.

    Attributes
    ----------
    coefficient, distance : str
        The coefficient.
    value, low, high : float
        The agreement of the people, and its interval.
    confidence_level : float
        The level of all intervals.
    n_people : int
        The people of the data.
    undefined : str or None
        Why something is NaN.
    people : Table
        A row for each number of people: the judgments of an item, the reliability of their mean or
        majority and its interval, what the last person adds to it, and the expected half width of
        the interval of the coefficient, with an interval: which people come is chance.
    models : Table
        A row per model and number of people: the expected half width of the interval of the
        model's advantage probability, with an interval.
    """

    _caption = (
        "{coefficient}({distance}) = {value} of {n_people} people: one more raises the reliability "
        "of all from {_now} to {_then}"
    )
    _remarks = ""

    coefficient: str
    distance: str
    value: float
    low: float
    high: float
    confidence_level: float
    n_people: int
    undefined: str | None
    people: Table
    models: Table

    def _now(self) -> str:
        return show_cell(self.people.to_dict()["reliability"][0])

    def _then(self) -> str:
        return show_cell(self.people.to_dict()["reliability"][1])

    def sections(self) -> list[Section]:
        """Say what one more person adds, and how it goes on."""
        level, n = self.confidence_level, self.n_people
        estimate = f"{self.coefficient} ({self.distance}) = {show_cell(self.value)}"
        rows = self.people.to_dict()
        answer = f"{estimate} of {n} people, {show_interval(self)}."
        if len(rows["gain"]) > 1 and rows["gain"][1] is not None:
            now, then = map(show_cell, rows["reliability"][:2])
            answer += (
                f" One more person raises the reliability of their mean or majority from {now} to"
                f" {then}."
            )
        layout = (
            "people = n_people | judgments:.2f | reliability | from = reliability_low | to ="
            " reliability_high | gain | half width = half_width | from = half_width_low | to ="
            " half_width_high"
        )
        shown = Rows.laid(self.people, layout, sides=">" * 9, level=level, what="row")
        blocks: list[Block] = [answer, "", shown]
        if len(self.models):
            layout = (
                "model | people = n_people | half width of the advantage = half_width |"
                " from = half_width_low | to = half_width_high"
            )
            blocks += ["", Rows.laid(self.models, layout, level=level, what="row")]
        blocks += [Full(self.undefined)] if self.undefined else []
        return [Section("The value of one more person", blocks)]


def more_people(
    data: JudgmentsLike,
    model: Names | None = None,
    *,
    person: Names | None = None,
    coefficient: str = "alpha",
    distance: DistanceLike = "nominal",
    n_more: int = 3,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> MorePeople:
    """Estimate what one more person would add, and more of them.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments of the people, and of the models if `model` names coders.
    model : coder, sequence of coders, or mapping name -> labels, optional
        The models, whose tests beside the people would have narrower intervals.
    person : coder or sequence of coders, optional
        The people; by default all coders that are not models.
    coefficient : str, default "alpha"
        The agreement of the people: the reliability of one judgment.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart; see `agreement_fast.distances`.
    n_more : int, default 3
        The largest number of further people.
    confidence_level : float, default 0.95
        The level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    MorePeople
        A row for each number of people, from those of the data on.

    Raises
    ------
    ValueError
        If a name is unknown, or there are fewer than two people.

    Notes
    -----
    Further people are like these: as reliable on average, with the same number of judgments.
    The reliability is Spearman & Brown's for the judgments that an item then has, which is exact
    for means of judgments with uncorrelated errors and a rule of thumb for majorities; its interval
    is that of the coefficient. The square of a half width is a + b / C for C people, because only
    the part b of the variance of an item is that of its judgments: a and b come from all people,
    and from the mean over the C choices of one to leave out. Its interval is a jackknife's over the
    people. More people cannot make up for few items: a remains. O(C · judgments).

    Examples
    --------
    >>> import agreement_fast as af
    >>> people = [("x", "x", "x"), ("y", "y", "x"), ("x", "y", "x"), ("y", "y", "y")] * 15
    >>> result = af.diagnostics.more_people(people, n_more=2)
    >>> [round(r, 3) for r in result.people.to_dict()["reliability"]]
    [0.604, 0.67, 0.718]
    """
    check_share("confidence_level", confidence_level)
    check_count("n_more", n_more, 1)
    point, purpose = Point.of(coefficient, distance), "more_people()"
    if model is None:
        annotations = as_annotations(data, **reading)
        if person is not None:
            annotations = annotations.select(coders=coder_list(person))
        of_models: dict[Any, Any] = {}
    else:
        judged = read_models(data, model, person, purpose, **reading)
        annotations = judged.people
        labels = np.empty(len(annotations.categories) + 1, object)
        labels[:-1] = annotations.categories
        of_models = {
            name: labels[codes].tolist()
            for name, codes in zip(judged.models, judged.labels.T, strict=True)
        }
    names = tuple(annotations.known_coders(purpose))
    if (C := len(names)) < 2:
        raise InputError(f"more_people() needs two people or more, got {C}", argument="person")

    def intervals_of(people: Annotations) -> list[tuple[float, float]]:
        """Return the intervals of the coefficient and of each model's advantage."""
        scored = closed_form(people, point, "published").score if point.has_slope else None
        ends = [(np.nan, np.nan) if scored is None else scored.ends_of_one(confidence_level)]
        if of_models and len(people.coders or ()) > 1:
            test = alternative_annotator_test(
                people, of_models, distance=distance, confidence_level=confidence_level
            )
            ends += zip(test.low.tolist(), test.high.tolist(), strict=True)
        return ends

    value = result_of(annotations, point)
    whole = np.array(intervals_of(annotations))
    few = C < 3
    less = np.full((C, *whole.shape), np.nan) if few else np.array(
        [intervals_of(annotations.select(coders=[*names[:c], *names[c + 1 :]])) for c in range(C)]
    )  # fmt: skip
    more = np.arange(n_more + 1)
    half, half_low, half_high = _half_widths(whole, less, more, confidence_level)
    per_item = value.n_judgments / max(value.n_items, 1) * (C + more) / C
    known = np.clip([value.value, *whole[0]], 0, 1).tolist()
    reliability = np.array(
        [[spearman_brown(r, n) if r == r else r for n in per_item.tolist()] for r in known]
    )
    of_people: dict[str, Any] = {
        "n_people": C + more,
        "judgments": per_item,
        "reliability": reliability[0],
        **ends_of("reliability", reliability[1:]),
        "gain": np.diff(reliability[0], prepend=np.nan),
        "half_width": half[0],
        **ends_of("half_width", (half_low[0], half_high[0])),
    }
    table: dict[str, Any] = {
        "model": [name for name in of_models for _ in more],
        "n_people": np.tile(C + more, len(of_models)),
        "half_width": half[1:].reshape(-1),
        **ends_of("half_width", (half_low[1:].reshape(-1), half_high[1:].reshape(-1))),
    }
    return MorePeople(
        coefficient=point.name,
        distance=point.distance.name,
        value=value.value,
        low=float(whole[0, 0]),
        high=float(whole[0, 1]),
        confidence_level=confidence_level,
        n_people=C,
        undefined=value.undefined or (NO_ONE_LEFT_OUT if few else None),
        people=Table(of_people),
        models=Table(table),
    )


def _half_widths(
    whole: FloatArray, less: FloatArray, more: Array, level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Predict half widths with `more` people, and both ends of their intervals: (measures, more).

    `whole` (measures, 2) and `less` (C, measures, 2) are the intervals with all people and without
    each.
    """
    C = len(less)
    now, without = (((ends[..., 1] - ends[..., 0]) / 2) ** 2 for ends in (whole, less))
    # a and b are not negative
    added = np.clip(without.mean(0) - now, 0, now / (C - 1))
    square = now[:, None] - added[:, None] * more * (C - 1) / (C + more)
    error = np.sqrt((C - 1) / C * ((without - without.mean(0)) ** 2).sum(0))
    reach = student_quantile(C - 1, (1 + level) / 2) * error[:, None]
    low, high = (np.sqrt(np.maximum(square + sign * reach, 0)) for sign in (-1, 1))
    return np.sqrt(square), low, high
