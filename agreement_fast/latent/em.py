"""The EM algorithm over patterns of judgments, in pieces that do not depend on the threads.

An item belongs to one of T latent classes; given its class, coders judge it independently, coder c
saying k with probability θ_ctk (local independence). EM raises the likelihood in every step
(Dempster, Laird & Rubin 1977):

- E: P(t | row) ∝ π_t Π θ_ctk over the row's judgments;
- M: π_t and θ_ctk are the shares of the items and judgments so weighted; `smoothing` is added to
  each count of θ, which maximises the likelihood times Π θ_ctk^smoothing.

A step costs O(judgments of the patterns × T + C · K · T).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast import _threads
from agreement_fast._kernels import _latent
from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError
from agreement_fast.patterns import Rows

#: Additions of a piece of work, at least: a few milliseconds.
PIECE = 1 << 20
#: Most pieces, each with sums of its own.
PIECES = 16
#: Additions after which Python looks whether somebody pressed Ctrl-C.
ATTENTION = 1 << 25
#: Most numbers in a table of coders × categories × classes: 2 GB.
MOST_CELLS = 1 << 28


class Parameters(_latent.Parameters):
    """Class shares, and what coders say in each class.

    Attributes
    ----------
    shares : float64 array of shape (T,)
        π_t.
    table : float64 array of shape (C, K, T)
        θ_ctk; 0 throughout where a coder saw nothing of a class.
    """

    __slots__ = ()

    @property
    def by_class(self) -> FloatArray:
        """θ_ctk as results have it, of shape (C, T, K)."""
        return np.ascontiguousarray(self.table.swapaxes(1, 2))

    @staticmethod
    def of(shares: FloatArray, by_class: FloatArray) -> Parameters:
        """From π and θ of shape (C, T, K), copied."""
        table = np.array(by_class.swapaxes(1, 2), np.float64, order="C")
        return Parameters(np.array(shares, np.float64), table)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Where EM ended.

    Attributes
    ----------
    parameters : Parameters
    judged : float64 array of shape (C, T)
        How much of each class each coder judged, expected.
    log_likelihood, penalised : float
    trace : float64 array
        The (penalised) log-likelihood at the start and after each step.
    converged : bool
    """

    parameters: Parameters
    judged: FloatArray
    log_likelihood: float
    trace: FloatArray
    converged: bool

    @property
    def penalised(self) -> float:
        """What was maximised."""
        return float(self.trace[-1])

    @property
    def n_iterations(self) -> int:
        """M-steps after the start."""
        return len(self.trace) - 1


class Problem(_latent.Problem):
    """Rows of judgments, none empty, with what a step over them needs.

    Attributes
    ----------
    rows : Rows
    weights : float64 array of shape (U,)
    n_coders, n_categories : int
    n_judgments : int
        Of the rows, each taken once.
    """

    __slots__ = ("n_categories", "n_coders", "n_judgments")

    def __init__(self, rows: Rows, weights: FloatArray, n_coders: int, n_categories: int) -> None:
        super().__init__(rows, weights)
        self.n_coders, self.n_categories = n_coders, n_categories
        self.n_judgments = int(np.count_nonzero(rows.codes >= 0))

    def __reduce__(self) -> tuple[Any, ...]:
        return Problem, (self.rows, self.weights, self.n_coders, self.n_categories)

    @staticmethod
    def of(rows: Rows, n_coders: int, n_categories: int) -> Problem:
        """From rows whose weights count items."""
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
        return Problem(rows, weights, n_coders, n_categories)

    def check_size(self, n_classes: int) -> None:
        """Refuse tables that no memory holds."""
        cells = self.n_coders * self.n_categories * n_classes
        if cells > MOST_CELLS:
            raise InputError(
                f"{self.n_coders} coders × {self.n_categories} categories × {n_classes} classes "
                f"are {cells} probabilities, more than {MOST_CELLS}",
                "merge categories, or select coders",
            )

    def pieces(self, n_classes: int) -> list[tuple[int, int]]:
        """Ranges of rows, by the amount of work only, so that sums are always added alike."""
        work = self.n_judgments * n_classes
        cells = self.n_coders * self.n_categories * n_classes
        # the pieces' own tables shall stay small beside the judgments
        n = min(PIECES, work // PIECE, 1 + work // max(cells, 1))
        return _threads.ranges(self.rows.n_rows, max(1, n))

    def vote(self) -> _latent.Expected:
        """An E-step in which posteriors are each item's shares of labels; T = K."""
        out = self._room(self.n_categories)
        _latent.vote(self, out)
        return out

    def _room(self, n_classes: int) -> _latent.Expected:
        shape = (self.n_coders, self.n_categories, n_classes)
        return _latent.Expected(np.empty(n_classes), np.empty(shape))

    def rooms(self, n_classes: int) -> list[_latent.Expected]:
        """What `expect` fills, for each piece; the first is the whole's in the end."""
        return [self._room(n_classes) for _ in self.pieces(n_classes)]

    def expect(self, at: Parameters, rooms: list[_latent.Expected]) -> float:
        """The E-step into the first of `rooms`; returns the log-likelihood."""
        n_classes = len(at.shares)
        pieces = self.pieces(n_classes)
        room_of = dict(zip(pieces, rooms, strict=True))

        def work(first: int, last: int) -> float:
            return _latent.expect(self.part(first, last), at, room_of[first, last])

        found = _threads.run(work, pieces, self.n_judgments * n_classes)
        whole = rooms[0]
        for own in rooms[1:]:
            np.add(whole.sums, own.sums, out=whole.sums)
            np.add(whole.counts, own.counts, out=whole.counts)
        return math.fsum(found)

    def posteriors(self, at: Parameters) -> tuple[FloatArray, FloatArray]:
        """P(t | row) of shape (U, T), and each row's log-likelihood."""
        n_classes, n_rows = len(at.shares), self.rows.n_rows
        out, found = np.empty((n_rows, n_classes)), np.empty(n_rows)

        def work(first: int, last: int) -> None:
            _latent.posteriors(self.rows.part(first, last), at, out[first:last], found[first:last])

        _threads.run(work, self.pieces(n_classes), self.n_judgments * n_classes)
        return out, found


def maximise(expected: _latent.Expected, smoothing: float) -> tuple[Parameters, float]:
    """The M-step, and the penalty: `smoothing` times the sum of the logarithms of θ."""
    at = Parameters(np.empty_like(expected.sums), np.empty_like(expected.counts))
    return at, _latent.maximise(expected, smoothing, at)


def penalty_of(at: Parameters, smoothing: float) -> float:
    """`smoothing` times the sum of the logarithms of θ."""
    return smoothing * float(np.log(at.table).sum()) if smoothing else 0.0


def em(
    problem: Problem,
    at: Parameters,
    *,
    smoothing: float,
    tolerance: float,
    max_iterations: int,
    advance: Callable[[int], Any] | None = None,
) -> Fit:
    """Run EM from some parameters, which are overwritten.

    It stops where the (penalised) log-likelihood rises by at most `tolerance` times itself.
    """
    n_classes = len(at.shares)
    rooms = problem.rooms(n_classes)
    expected = rooms[0]
    found = problem.expect(at, rooms)
    before = found + penalty_of(at, smoothing)
    trace = [np.array([before])]
    work = (problem.n_judgments + problem.rows.n_rows) * n_classes + expected.counts.size
    several = len(rooms) > 1
    at_once = 1 if several else max(1, ATTENTION // work)
    done, converged = 0, False
    while done < max_iterations and not converged:
        part = np.empty((min(at_once, max_iterations - done) + 1, 2))
        part[0] = found, before
        if several:
            penalty = _latent.maximise(expected, smoothing, at)
            found = problem.expect(at, rooms)
            part[1] = found, found + penalty
            steps, converged = 1, part[1, 1] - before <= tolerance * abs(part[1, 1])
        else:
            steps, converged = _latent.iterate(problem, at, expected, smoothing, tolerance, part)
        found, before = (float(x) for x in part[steps])
        trace.append(part[1 : steps + 1, 1].copy())
        done += steps
        if advance is not None:
            advance(steps)
    return Fit(at, expected.counts.sum(1), found, np.concatenate(trace), bool(converged))
