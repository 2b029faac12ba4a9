"""What segmentations have in common if boundaries stand anywhere.

Boundaries stand at random in one of two ways. Each place has one with a probability, its rate, no
matter where others are: then the boundaries in a window are binomial. Or every placement of a
number of boundaries in a text is as likely as another: then they are hypergeometric.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray


class InWindow(NamedTuple):
    """How likely a window holds each number of boundaries, and none.

    `share` has shape (J, R), a row for each number from `least`; `none` has shape (R,).
    """

    least: int
    share: FloatArray
    none: FloatArray


def by_rate(window: int, rates: FloatArray) -> InWindow:
    """Boundaries in a window whose places have one with some rates, float64 of shape (R,)."""
    defined = rates[~np.isnan(rates)]
    if not len(defined):
        nothing = np.full(len(rates), np.nan)
        return InWindow(0, nothing[None, :], nothing)
    means = window * np.array([defined.min(), defined.max()])
    spans = _wide(means)
    least = max(0, int(means[0] - spans[0]))
    most = min(window, int(means[1] + spans[1]) + 1)
    held = np.arange(least, most)
    # A rate of 1 would make the odds infinite; the next number below it changes nothing.
    odds = np.minimum(rates, np.nextafter(1.0, 0.0))
    with np.errstate(divide="ignore"):
        steps = np.log((window - held) / (held + 1))[:, None] + np.log(odds) - np.log1p(-odds)
        none = np.exp(window * np.log1p(-rates))
    return InWindow(least, _from_steps(steps), none)


def by_placement(window: int, n_places: int, n_boundaries: int) -> InWindow:
    """Boundaries in a window if a text has some number of them, anywhere."""
    mean = window * n_boundaries / n_places
    span = float(_wide(np.array(mean)))
    least = max(0, window + n_boundaries - n_places, int(mean - span))
    most = min(window, n_boundaries, int(mean + span) + 1)
    held = np.arange(least, most, dtype=np.float64)
    up = (n_boundaries - held) * (window - held)
    down = (held + 1) * (n_places - n_boundaries - window + held + 1)
    few, many = sorted((window, n_boundaries))
    left = n_places - many - np.arange(few, dtype=np.float64)
    none = float(np.prod(np.maximum(left, 0) / (n_places - np.arange(few))))
    return InWindow(least, _from_steps(np.log(up / down)[:, None]), np.array([none]))


def _wide(means: FloatArray) -> FloatArray:
    """How far from the mean the shares are too small for a float beside 1."""
    return np.asarray(12 * np.sqrt(means) + 40)


def _from_steps(steps: FloatArray) -> FloatArray:
    """Shares from the logarithms of how they grow from each number to the next."""
    logs = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    shares = np.exp(logs - logs.max(axis=0))
    return np.asarray(shares / shares.sum(axis=0))


def differ(measure: str, one: InWindow, other: InWindow) -> FloatArray:
    """In what share of windows two independent segmentations differ: P_k, or WindowDiff."""
    if measure == "p_k":
        return one.none * (1 - other.none) + other.none * (1 - one.none)
    least = max(one.least, other.least)
    a, b = one.share[least - one.least :], other.share[least - other.least :]
    both = min(len(a), len(b))
    return np.asarray(1 - (a[:both] * b[:both]).sum(axis=0))


#: Places after which the chance that a boundary waits has settled, to the last bit.
SETTLED = 128


class ExpectedEdits(NamedTuple):
    """What two segmentations need, if boundaries stand at rates: arrays of shape (texts, R)."""

    apart: FloatArray
    transpositions: FloatArray
    matches: FloatArray


def expected_edits(sizes: Array, first: FloatArray, second: FloatArray) -> ExpectedEdits:
    """Boundaries that one alone has, transpositions (n_t = 2) and boundaries that both have.

    Going along a text, a boundary that only one has pairs with the one before it if only the other
    has that and it is not paired. So all that matters of the past is whether one waits, and whose.
    """
    only_first, only_second = first * (1 - second), second * (1 - first)
    waits_first = waits_second = np.zeros_like(first)
    pairs = [np.zeros_like(first)]
    for _ in range(min(SETTLED, int(sizes.max()))):
        pairs.append(only_first * waits_second + only_second * waits_first)
        waits_first, waits_second = (
            only_first * (1 - waits_second),
            only_second * (1 - waits_first),
        )
    so_far = np.cumsum(pairs, axis=0)
    known = np.minimum(sizes, len(pairs) - 1)
    rest = (sizes - known)[:, None] * pairs[-1]
    n = sizes[:, None]
    return ExpectedEdits(n * (only_first + only_second), so_far[known] + rest, n * first * second)
