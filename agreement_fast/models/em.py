"""The EM algorithm over patterns of judgments, in pieces that do not depend on the threads.

An item belongs to one of T latent classes. Given its class, coders judge it independently (local
independence): coder c says k with probability θ_ctk. EM raises the likelihood in every step
(Dempster, Laird & Rubin 1977):

- E: P(t | row) ∝ π_t Π θ_ctk over the row's judgments;
- M: π_t and θ_ctk are the shares of the items and judgments, weighted by the posteriors.
  `smoothing` is added to each count of θ, which maximises the likelihood times Π θ_ctk^smoothing.

A step costs O(judgments of the patterns × T + C · K · T). An extrapolation between steps
(Varadhan & Roland 2008) costs the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar, Unpack

import numpy as np

from agreement_fast._kernels import _latent, parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.errors import InputError
from agreement_fast.options import Column, Label, Names, check_count, check_number
from agreement_fast.patterns import (
    Rows,
    as_lists,
    group_rows,
    judgments_of,
    narrow,
    row_sizes,
    take_rows,
)
from agreement_fast.present.tables import Tabular
from agreement_fast.reading.labels import Categories
from agreement_fast.reading.recognition.labels import hint_at_labels, label_counts
from agreement_fast.reading.tables import read_columns


class Settings(NamedTuple):
    """What EM maximises, and when it stops."""

    smoothing: float
    tolerance: float
    max_iterations: int

    @staticmethod
    def of(smoothing: Any, tolerance: Any, max_iterations: Any, n_restarts: Any = 0) -> Settings:
        """Check the options; an error names the first invalid one."""
        check_amount("smoothing", smoothing)
        check_amount("tolerance", tolerance)
        check_count("max_iterations", max_iterations, 0)
        check_count("n_restarts", n_restarts, 0)
        return Settings(smoothing, tolerance, max_iterations)


def check_amount(name: str, value: Any) -> None:
    """Raise an error unless this is a finite number of 0 or more."""
    if not 0 <= check_number(name, value) < math.inf:
        raise InputError.must_be(name, "a number, 0 or more", value)


#: The number of lists that are first checked for equal ones, before all are compared.
SAMPLE = 1 << 14


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judgments(Tabular):
    """Judgments for latent models; a coder may judge an item several times.

    Create it with `Judgments.from_long`. Agreement coefficients take `Annotations` instead, in
    which a coder judges an item once.

    Attributes
    ----------
    items, coders : sequences of labels
    categories : tuple of labels
    rows : Rows
        The judgments in the order of the items; for the package's own use.
    grouped : Rows
        The same, with equal rows grouped if that costs nothing; for the package's own use.

    Examples
    --------
    >>> from agreement_fast import models
    >>> data = models.Judgments.from_long(["i", "i", "i"], ["Ann", "Ann", "Bea"], ["x", "y", "x"])
    >>> data.to_dict()["label"]
    ['x', 'y', 'x']
    """

    _caption = (
        "Judgments({items:item}, {coders:coder}, {_n_judgments:judgment}, {categories:category}: "
        "{categories:reprs})"
    )
    _remarks = ""

    @property
    def _n_judgments(self) -> int:
        return int(np.count_nonzero(self.rows.codes >= 0))

    items: Sequence[Label]
    coders: Sequence[Label]
    categories: Categories
    rows: Rows
    grouped: Rows

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row per judgment: item, coder and label."""
        item, coder, label = (of.tolist() for of in judgments_of(self.rows))
        return {
            "item": [self.items[i] for i in item],
            "coder": [self.coders[c] for c in coder],
            "label": [self.categories[k] for k in label],
        }

    @staticmethod
    def from_long(
        items: Column,
        coders: Column,
        labels: Column,
        *,
        missing: Names | None = None,
        categories: Iterable[Label] | None = None,
    ) -> Judgments:
        """Read a long table, with one judgment per row and repeated judgments.

        Parameters
        ----------
        items, coders, labels : array-like of shape (n,)
            Three columns of equal length: arrays, lists, or columns of a data frame.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", in addition to None, NaN, NaT and NA.
        categories : sequence of labels, optional
            All categories in their order, used or not. By default the labels that occur.

        Returns
        -------
        Judgments
            All judgments, including repeated ones.

        Raises
        ------
        ValueError
            If the columns differ in length, or a label is not a declared category.

        Notes
        -----
        O(n log n).

        Examples
        --------
        >>> from agreement_fast import models
        >>> models.Judgments.from_long(["i", "i", "i"], ["a", "a", "b"], ["x", "y", "x"])
        Judgments(1 item, 2 coders, 3 judgments, 2 categories: 'x', 'y')
        """
        columns = read_columns(items, coders, labels, missing, categories)
        item_codes, coder_codes, codes, item_names, coder_names, result, declared, absent = columns
        if not declared:
            hint_at_labels(result, lambda: label_counts(codes, len(result)))
        absent.hint(result)
        given = np.flatnonzero(codes >= 0)
        # sorted by item, coder and label, so that equal items are equal lists
        order = given[np.lexsort((codes[given], coder_codes[given], item_codes[given]))]
        sizes = np.bincount(item_codes[order], minlength=len(item_names))
        rows = Rows(
            codes[order].astype(narrow(len(result))),
            0,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            coder_codes[order].astype(np.int32),
        )
        return Judgments(item_names, coder_names, result, rows, rows)


def as_judgments(data: JudgmentsLike, purpose: str, **reading: Unpack[ReadingOptions]) -> Judgments:
    """Return `Judgments` unchanged; read anything else as `Annotations` or a wide table."""
    if isinstance(data, Judgments) and not reading:
        return data
    own = as_annotations(data, **reading)
    return Judgments(own.items, own.known_coders(purpose), own.categories, own.rows, own.grouped())


def patterns(rows: Rows) -> tuple[Rows, bool]:
    """Drop empty rows and group equal ones if that makes them fewer.

    Returns also whether equal rows were grouped.
    """
    sizes = row_sizes(rows)
    if not rows.width and len(sizes) > SAMPLE:
        # Short lists from thousands of coders rarely repeat, and comparing all of them costs more
        # than a step of EM, so the first lists decide. Lists are padded to the longest to compare.
        filled = len(sizes) * int(sizes.max())
        few = take_rows(rows, np.arange(SAMPLE))
        if filled > 8 * len(rows.codes) or group_rows(few).n_rows > 0.9 * SAMPLE:
            return (rows if sizes.all() else take_rows(rows, np.flatnonzero(sizes))), False
    grouped = group_rows(rows)
    sizes = row_sizes(grouped)
    used = sizes > 0
    if grouped.weights is not None:
        used &= grouped.weights > 0
    return (grouped if used.all() else take_rows(grouped, np.flatnonzero(used))), True


#: The fewest additions of a piece of work, which take a few milliseconds.
PIECE = 1 << 21
#: The largest number of pieces; each has its own sums.
PIECES = 16
#: Additions after which Python checks for Ctrl-C.
ATTENTION = 1 << 25
#: Most numbers in a table of coders × categories × classes: 2 GB. EM holds four such tables, and
#: kernels number their cells with 32 bits.
MOST_CELLS = 1 << 28


class Parameters(_latent.Parameters):
    """Class shares, and what coders say in each class.

    Attributes
    ----------
    shares : float64 array of shape (T,)
        π_t.
    table : float64 array of shape (C, K, T)
        θ_ctk; all 0 if a coder judged nothing of a class.
    """

    __slots__ = ()

    @property
    def by_class(self) -> FloatArray:
        """Return θ_ctk with the shape of results, (C, T, K)."""
        return np.ascontiguousarray(self.table.swapaxes(1, 2))

    @staticmethod
    def of(shares: FloatArray, by_class: FloatArray) -> Parameters:
        """Copy π and θ of shape (C, T, K)."""
        table = np.array(by_class.swapaxes(1, 2), np.float64, order="C")
        return Parameters(np.array(shares, np.float64), table)

    def room(self) -> Parameters:
        """Return uninitialised arrays of the same shapes."""
        return Parameters(np.empty_like(self.shares), np.empty_like(self.table))


def check_size(n_coders: int, n_categories: int, n_classes: int) -> None:
    """Raise an error if the tables do not fit in memory."""
    cells = n_coders * n_categories * n_classes
    if cells > MOST_CELLS:
        raise InputError(
            f"{n_coders} coders × {n_categories} categories × {n_classes} classes "
            f"are {cells} probabilities, more than {MOST_CELLS}",
            "merge categories, or select coders",
        )


class Problem(_latent.Problem):
    """Nonempty rows of judgments, prepared for the steps of EM.

    Attributes
    ----------
    rows : Rows
    weights : float64 array of shape (U,)
    n_coders, n_categories : int
    n_judgments : int
        The number of judgments of the distinct rows.
    """

    __slots__ = ("n_categories", "n_coders")

    def __init__(self, rows: Rows, weights: FloatArray, n_coders: int, n_categories: int) -> None:
        super().__init__(rows, weights, n_categories)
        self.n_coders, self.n_categories = n_coders, n_categories

    def __reduce__(self) -> tuple[Any, ...]:
        return Problem, (self.rows, self.weights, self.n_coders, self.n_categories)

    def pieces(self, n_classes: int) -> list[tuple[int, int]]:
        """Split the rows by the amount of work only, so that sums never depend on threads."""
        work = self.n_judgments * n_classes
        cells = self.n_coders * self.n_categories * n_classes
        # the tables of all pieces must be small relative to the judgments
        n = min(PIECES, work // PIECE, 1 + work // max(cells, 1))
        return parallel.ranges(self.rows.n_rows, max(1, n))

    def vote(self) -> _latent.Expected:
        """Run an E-step in which the posteriors are each item's shares of labels; T = K."""
        out = self._room(self.n_categories)
        _latent.vote(self, out)
        return out

    def _room(self, n_classes: int) -> _latent.Expected:
        shape = (self.n_coders, self.n_categories, n_classes)
        return _latent.Expected(np.empty(n_classes), np.empty(shape))

    def rooms(self, n_classes: int) -> list[_latent.Expected]:
        """Return the arrays that `expect` fills for each piece; the first receives the total."""
        return [self._room(n_classes) for _ in self.pieces(n_classes)]

    def expect(self, at: Parameters, rooms: list[_latent.Expected]) -> float:
        """Run the E-step into the first of `rooms`, and return the log-likelihood."""
        n_classes = len(at.shares)
        pieces = self.pieces(n_classes)
        room_of = dict(zip(pieces, rooms, strict=True))

        def work(first: int, last: int) -> float:
            return _latent.expect(self.part(first, last), at, room_of[first, last])

        result = parallel.run(work, pieces, self.n_judgments * n_classes)
        whole = rooms[0]
        for own in rooms[1:]:
            np.add(whole.sums, own.sums, out=whole.sums)
            np.add(whole.counts, own.counts, out=whole.counts)
        return math.fsum(result)


def weights_of(rows: Rows) -> FloatArray:
    """Return the number of items of each row: float64 of shape (U,)."""
    return np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)


def posteriors(rows: Rows, at: Parameters) -> tuple[FloatArray, FloatArray]:
    """Compute P(t | row) of shape (U, T), and each row's log-likelihood, for any weights."""
    n_categories, n_classes = at.table.shape[1:]
    weights = np.ones(rows.n_rows)
    out, result = np.empty((rows.n_rows, n_classes)), np.empty(rows.n_rows)

    def work(first: int, last: int) -> None:
        problem = _latent.Problem(rows.part(first, last), weights, n_categories)
        _latent.posteriors(problem, at, out[first:last], result[first:last])

    # codes become cells one piece at a time, because cells take more memory
    work_of_all = len(rows.codes) * n_classes
    pieces = parallel.ranges(rows.n_rows, max(1, min(PIECES, work_of_all // PIECE)))
    parallel.run(work, pieces, work_of_all)
    return out, result


State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class Fit(Generic[State]):
    """Where EM ended.

    Attributes
    ----------
    state : State
        The parameters.
    expected : Expected
        Of the E-step there.
    log_likelihood : float
    trace : float64 array
        What was maximised, of the best point so far: at the start and after each further E-step.
    converged : bool
    """

    state: State
    expected: _latent.Expected
    log_likelihood: float
    trace: FloatArray
    converged: bool

    @property
    def judged(self) -> FloatArray:
        """The expected number of items of each class that each coder judged: (C, T)."""
        return np.asarray(self.expected.counts.sum(1))

    @property
    def reached(self) -> float:
        """What was maximised, in the end."""
        return float(self.trace[-1])

    @property
    def n_iterations(self) -> int:
        """The number of E-steps after the start."""
        return len(self.trace) - 1

    def parts(self) -> dict[str, Any]:
        """Return how the fit ended, as fields of a result."""
        names = ("log_likelihood", "trace", "n_iterations", "converged")
        return {name: getattr(self, name) for name in names}


def maximise(expected: _latent.Expected, smoothing: float) -> Parameters:
    """Run the M-step."""
    at = Parameters(np.empty_like(expected.sums), np.empty_like(expected.counts))
    _latent.maximise(expected, smoothing, at)
    return at


def em(
    problem: Problem,
    start: Parameters,
    settings: Settings,
    *,
    accelerate: bool,
    advance: Callable[[int], Any] | None = None,
) -> Fit[Parameters]:
    """Run EM from the given parameters, which are overwritten.

    It stops if a step raises the (penalised) log-likelihood by at most `tolerance` times itself.
    With `accelerate`, `_latent.Ascent` extrapolates between the steps.
    """
    n_classes = len(start.shares)
    rooms = problem.rooms(n_classes)
    expected = rooms[0]
    work = (problem.n_judgments + problem.rows.n_rows) * n_classes + expected.counts.size
    several = len(rooms) > 1
    at_once = max(1, ATTENTION // work)
    points = (start, start.room(), start.room())
    ascent = _latent.Ascent(points, expected, *settings, accelerate)
    trace: list[FloatArray] = []
    n = 0  # E-steps; the first belongs to the start
    while not ascent.done:
        if several:
            part = np.array([ascent.take(problem.expect(ascent.at, rooms))])
        else:
            part = np.empty(min(at_once, settings.max_iterations + 1 - n))
            part = part[: ascent.run(problem, part)]
        trace.append(part)
        if advance is not None:
            advance(len(part) - (n == 0))
        n += len(part)
    return Fit(ascent.at, expected, ascent.log_likelihood, np.concatenate(trace), ascent.converged)


def best_of(fits: Iterable[Fit[State]]) -> tuple[Fit[State] | None, int]:
    """Return the first of the best fits, and how many reached the same; others are not kept."""
    best, reached = None, []
    for fit in fits:
        reached.append(fit.reached)
        if best is None or fit.reached > best.reached:
            best = fit
    return best, sum(value >= max(reached) - 1e-6 for value in reached)


#: Starts run until a step raises the objective by at most this share; then the best one continues.
#: Objectives that differ by a smaller share are the same.
ROUGHLY = 1e-6


@dataclass(frozen=True, eq=False)
class Starts(Generic[State]):
    """Where EM ended from several starts.

    Attributes
    ----------
    first, best : Fit
        From the first start, and from the best one; the first if it is as good.
    reached : float64 array
        The objective of each start before the best one continued.
    """

    first: Fit[State]
    best: Fit[State]
    reached: FloatArray

    @property
    def n_best(self) -> int:
        """The number of starts that are as good as the best one."""
        return int(np.sum(self.reached >= self.reached.max() - ROUGHLY * abs(self.reached.max())))

    def note(self) -> str | None:
        """Say that the first start stopped at another optimum, if it did."""
        if self.best is self.first:
            return None
        n = f"{self.n_best} of {len(self.reached)} starts"
        return (
            f"from the votes, EM stops at another optimum: log-likelihood "
            f"{self.first.log_likelihood:.2f} against {self.best.log_likelihood:.2f}, which {n} "
            "reached; a larger n_restarts may find a better one"
        )


def from_starts(
    run: Callable[[State, Settings], Fit[State]],
    start: State,
    restarts: Sequence[Callable[[], State]],
    settings: Settings,
) -> Starts[State]:
    """Run EM roughly from a start and others, and go on from the best one and the first."""
    tolerance = max(settings.tolerance, ROUGHLY) if restarts else settings.tolerance
    first = best = run(start, settings._replace(tolerance=tolerance))
    reached = [first.reached]
    for restart in restarts:
        fit = run(restart(), settings._replace(tolerance=tolerance))
        reached.append(fit.reached)
        best = _better(best, fit)

    def finished(fit: Fit[State]) -> Fit[State]:
        left = settings.max_iterations - fit.n_iterations
        enough = settings.tolerance * abs(fit.reached)
        if not fit.converged or left <= 0 or fit.trace[-1] - fit.trace[-2] <= enough:
            return fit
        rest = run(fit.state, settings._replace(max_iterations=left))
        return replace(rest, trace=np.concatenate([fit.trace, rest.trace[1:]]))

    ends = finished(first)
    end = ends if best is first else _better(ends, finished(best))
    return Starts(ends, end, np.array(reached))


def _better(first: Fit[State], second: Fit[State]) -> Fit[State]:
    """Return the better of two fits; the first if they are the same."""
    return second if second.reached > first.reached + ROUGHLY * abs(first.reached) else first


def with_gold_coder(judgments: Judgments, reference: Array) -> Judgments:
    """Add a coder, the last one, who gives each item its right label.

    With the probabilities of `never_errs` for this coder, the other classes of such an item are
    impossible in every E-step.

    Parameters
    ----------
    judgments : Judgments
    reference : int64 array of shape (N,)
        The code of the right label of each item; -1 if it is not known.
    """
    lists = as_lists(judgments.rows)
    known = np.flatnonzero(reference >= 0)
    at = lists.start[known + 1]
    start = lists.start.copy()
    start[1:] += np.cumsum(reference >= 0)
    assert lists.coders is not None
    rows = Rows(
        np.insert(lists.codes, at, reference[known]),
        0,
        start,
        np.insert(lists.coders, at, len(judgments.coders)),
        None,
        lists.weights,
    )
    return Judgments(judgments.items, (*judgments.coders, None), judgments.categories, rows, rows)


def never_errs(table: FloatArray) -> None:
    """Write the probabilities of the last coder of a table of coders × categories × classes."""
    table[-1] = np.eye(table.shape[1])


@dataclass(frozen=True, eq=False)
class Model(Generic[State]):
    """What a model says of its parameters.

    Attributes
    ----------
    parameters : callable (state) -> Parameters
        What coders say in each class.
    maximise : callable (state, Expected) -> state
        The M-step, after an E-step at `state`.
    penalty : callable (state) -> float
        What is added to the log-likelihood, and maximised with it.
    """

    parameters: Callable[[State], Parameters]
    maximise: Callable[[State, _latent.Expected], State]
    penalty: Callable[[State], float]


def climb(
    problem: Problem,
    model: Model[State],
    start: State,
    n_classes: int,
    settings: Settings,
) -> Fit[State]:
    """Run EM until a step raises what is maximised by at most `tolerance` times itself."""
    rooms = problem.rooms(n_classes)
    state, trace, converged = start, [], False
    while True:
        log_likelihood = problem.expect(model.parameters(state), rooms)
        trace.append(log_likelihood + model.penalty(state))
        if len(trace) > 1:
            converged = trace[-1] - trace[-2] <= settings.tolerance * abs(trace[-1])
        if converged or len(trace) > settings.max_iterations:
            return Fit(state, rooms[0], log_likelihood, np.array(trace), converged)
        state = model.maximise(state, rooms[0])
