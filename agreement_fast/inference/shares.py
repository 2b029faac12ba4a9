"""Wilson's interval of many shares at once, and of means with known standard errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray


def wilson(counts: Any, n: Any, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Return both ends of Wilson's interval (1927) of each share counts / n; NaN if n is 0.

    Examples
    --------
    >>> low, high = wilson([9, 0], [10, 0], 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.5958, nan], [0.9821, nan])
    """
    sizes = np.asarray(n, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.asarray(counts, np.float64) / sizes
        return _ends(shares, np.where(sizes > 0, sizes, np.nan), confidence_level)


def wilson_of_error(
    shares: Any, errors: Any, n: Any, confidence_level: float
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of Wilson's interval of shares in [0, 1] that have standard errors.

    The sample size is the one that gives a share this error, p (1 − p) / error², or n if the error
    is 0. The ends are NaN if the share or its error is.

    Examples
    --------
    >>> low, high = wilson_of_error(0.9, (0.9 * 0.1 / 10) ** 0.5, 10, 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.5958, 0.9821)
    """
    p, error = np.asarray(shares, np.float64), np.asarray(errors, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = np.where(error == 0, n, p * (1 - p) / error**2)
        return _ends(p, sizes, confidence_level)


def _ends(p: FloatArray, n: FloatArray, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence_level) / 2))
    reach = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))

    def lower(share: FloatArray) -> FloatArray:
        # The smaller root of a quadratic equation from the product of both, without cancellation.
        return np.asarray(share * share / (share + z * z / (2 * n) + reach))

    return lower(p), 1.0 - lower(1.0 - p)
