"""Many tests at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agreement_fast.arrays import Array, FloatArray


def benjamini_yekutieli(p_values: FloatArray, q: float) -> Array:
    """Mark the null hypotheses that are rejected at a false discovery rate of q.

    The tests may depend on each other in any way. The i smallest of m p-values are rejected for the
    largest i with p_(i) ≤ i q / (m H_m), H_m = Σ 1/j (Benjamini & Yekutieli 2001). NaN is no test.

    Examples
    --------
    >>> benjamini_yekutieli(np.array([0.001, 0.2, 0.01, np.nan]), 0.05).tolist()
    [True, False, True, False]
    """
    tests = np.flatnonzero(~np.isnan(p_values))
    m = len(tests)
    out = np.zeros(len(p_values), bool)
    if m:
        ascending = tests[np.argsort(p_values[tests], kind="stable")]
        rank = np.arange(1, m + 1)
        limits = rank * q / (m * (1.0 / rank).sum())
        passed = np.flatnonzero(p_values[ascending] <= limits)
        out[ascending[: passed[-1] + 1 if len(passed) else 0]] = True
    return out


def holm(p_values: Sequence[float]) -> list[float]:
    """Compute Holm's adjusted p-values; NaN stands for no test.

    Examples
    --------
    >>> holm([0.01, 0.04, float("nan"), 0.03])
    [0.03, 0.06, nan, 0.06]
    """
    p = np.array(p_values, np.float64)
    tests = np.flatnonzero(~np.isnan(p))
    ascending = tests[np.argsort(p[tests], kind="stable")]
    out = np.full(len(p), np.nan)
    steps = p[ascending] * np.arange(len(tests), 0, -1)
    out[ascending] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(tests) else steps
    return out.tolist()
