"""EM with an M-step of one's own, over the E-step that all models of the coders share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from agreement_fast._kernels._latent import Expected
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent import Judgments
from agreement_fast.latent.em import Parameters, Problem
from agreement_fast.patterns import Rows, as_lists


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
    coders = (*judgments.coders, None)
    return Judgments(judgments.items, coders, judgments.categories, rows, rows)


def never_errs(table: FloatArray) -> None:
    """Write the probabilities of the last coder of a table of coders × categories × classes."""
    table[-1] = np.eye(table.shape[1])


State = TypeVar("State")


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
    maximise: Callable[[State, Expected], State]
    penalty: Callable[[State], float]


@dataclass(frozen=True, eq=False)
class Climb(Generic[State]):
    """Where EM ended.

    Attributes
    ----------
    state : State
    expected : Expected
        Of the E-step there.
    log_likelihood : float
    trace : float64 array
        What was maximised, at the start and after each step; it never falls.
    converged : bool
    """

    state: State
    expected: Expected
    log_likelihood: float
    trace: FloatArray
    converged: bool

    @property
    def reached(self) -> float:
        """What was maximised, in the end."""
        return float(self.trace[-1])

    @property
    def n_iterations(self) -> int:
        """Steps from the start."""
        return len(self.trace) - 1


def climb(
    problem: Problem,
    model: Model[State],
    start: State,
    n_classes: int,
    *,
    tolerance: float,
    max_iterations: int,
) -> Climb[State]:
    """Run EM until a step raises what is maximised by at most `tolerance` times itself."""
    rooms = problem.rooms(n_classes)
    state, trace, converged = start, [], False
    while True:
        log_likelihood = problem.expect(model.parameters(state), rooms)
        trace.append(log_likelihood + model.penalty(state))
        if len(trace) > 1 and trace[-1] - trace[-2] <= tolerance * abs(trace[-1]):
            converged = True
            break
        if len(trace) > max_iterations:
            break
        state = model.maximise(state, rooms[0])
    return Climb(state, rooms[0], log_likelihood, np.array(trace), converged)
