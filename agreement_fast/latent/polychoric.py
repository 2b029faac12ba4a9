"""The polychoric correlation of two coders, with normal scales behind their categories."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances import ordinal
from agreement_fast.errors import InputError
from agreement_fast.latent.graded_fit import lowest
from agreement_fast.latent.models import NAN
from agreement_fast.options import check_share
from agreement_fast.patterns import pair_table
from agreement_fast.reading.labels import Categories
from agreement_fast.results import Result
from agreement_fast.sums.each_row import two_sided_quantile
from agreement_fast.terminal import number_of

#: Points of the integral over the correlation.
N_POINTS = 80

#: Beyond this correlation, the estimate counts as on the boundary.
NEAREST = 0.9999

NO_PAIRS = "no pairs: no item was judged by both coders"
NO_VARIATION = "no variation: a coder used only one category, so there is no correlation"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Polychoric(Result):
    """A polychoric correlation, with its interval and the fit of the model.

    Attributes
    ----------
    value : float
        The correlation of the scales; NaN if undefined.
    standard_error : float
        From the observed information of the correlation and the thresholds.
    low, high : float
        The interval, symmetric on Fisher's scale.
    confidence_level : float
    first, second : float64 arrays of shape (K − 1,)
        Each coder's thresholds between neighbouring categories, on a standard normal scale;
        infinite or equal around categories that the coder did not use.
    categories : tuple of labels
    log_likelihood : float
    likelihood_ratio, degrees_of_freedom : float, int
        The fit of the normal scales to the table; with 0 degrees of freedom, it cannot be tested.
    n_items, n_items_dropped : int
        The number of items that both coders judged, and of the other items.
    note, undefined : str or None
        A warning, and the reason if there is no value.
    """

    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    first: FloatArray
    second: FloatArray
    categories: Categories
    log_likelihood: float
    likelihood_ratio: float
    degrees_of_freedom: int
    n_items: int
    n_items_dropped: int
    note: str | None
    undefined: str | None

    @property
    def p_value(self) -> float:
        """The p-value of the fit of the normal scales; NaN without degrees of freedom."""
        if not self.degrees_of_freedom > 0 or self.undefined is not None:
            return NAN
        from scipy.stats import chi2

        return float(chi2.sf(self.likelihood_ratio, self.degrees_of_freedom))

    def __repr__(self) -> str:
        text = (
            f"polychoric = {self.value:.6g}, {self.low:.4g} to {self.high:.4g}, standard error "
            f"{self.standard_error:.4g}, {number_of(self.n_items, 'item')}"
        )
        reason = self.undefined or self.note
        return f"<{text}>" if reason is None else f"<{text}; {reason}>"


def polychoric(data: Any, *, confidence_level: float = 0.95) -> Polychoric:
    """Estimate the correlation of the normal scales behind two coders' ordered categories.

    Parameters
    ----------
    data : Annotations of two coders, or a table as `Annotations.from_wide` takes it
        The categories must have an order. Only items that both coders judged are used.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.

    Returns
    -------
    Polychoric
        The correlation with its interval, and both coders' thresholds.

    Raises
    ------
    ValueError
        If there are not exactly two coders, or the categories have no order.

    Notes
    -----
    The correlation and all thresholds are estimated together by maximum likelihood (Olsson 1979).
    Bivariate normal probabilities are integrals over the correlation. With two categories, the
    result is the tetrachoric correlation. It equals the product of the two coders' correlations
    with the trait that ``latent_trait(link="probit")`` fits. A correlation is not agreement,
    because thresholds may differ. The cost is O(steps × K²).

    References
    ----------
    Olsson, U. (1979). Maximum likelihood estimation of the polychoric correlation coefficient.
    Psychometrika 44(4), 443-460.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import latent
    >>> data = af.Annotations.from_contingency([[40, 10], [10, 40]])
    >>> round(latent.polychoric(data).value, 4)
    0.809
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    coders = annotations.known_coders("polychoric()")
    if len(coders) != 2:
        raise InputError(
            f"polychoric() compares two coders, got {len(coders)}",
            "data.select(coders=[first, second]) selects two of them; latent_trait() takes all",
        )
    labels = annotations.categories
    ordinal.bind(labels, annotations.declared, np.ones(len(labels)))  # checks the order
    K = len(labels)
    counts = pair_table(annotations.grouped(), 0, 1, K).astype(np.float64)
    n_items = int(counts.sum())
    rows, columns = counts.sum(1) > 0, counts.sum(0) > 0
    R, S = int(rows.sum()), int(columns.sum())
    common: dict[str, Any] = {
        "confidence_level": confidence_level,
        "categories": labels,
        "degrees_of_freedom": max(0, R * S - R - S) if n_items else 0,
        "n_items": n_items,
        "n_items_dropped": annotations.n_items - n_items,
    }
    undefined = None if n_items else NO_PAIRS
    if n_items and min(R, S) < 2:
        undefined = NO_VARIATION
    if undefined is not None:
        nothing = np.full(max(K - 1, 0), NAN)
        return Polychoric(
            **common, value=NAN, standard_error=NAN, low=NAN, high=NAN, first=nothing,
            second=nothing, log_likelihood=NAN, likelihood_ratio=NAN, note=None,
            undefined=undefined,
        )  # fmt: skip
    fit = _fit(counts[np.ix_(rows, columns)])
    z = two_sided_quantile(confidence_level)
    low = high = NAN
    note = fit.note
    if fit.error > 0:
        middle, reach = math.atanh(fit.value), z * fit.error / (1 - fit.value**2)
        low, high = math.tanh(middle - reach), math.tanh(middle + reach)
    return Polychoric(
        **common,
        value=fit.value,
        standard_error=fit.error,
        low=low,
        high=high,
        first=_among_all(rows, fit.first),
        second=_among_all(columns, fit.second),
        log_likelihood=fit.log_likelihood,
        likelihood_ratio=fit.ratio,
        note=note,
        undefined=None,
    )


def below_both(h: FloatArray, k: FloatArray, correlation: float) -> FloatArray:
    """Compute P(X < h and Y < k) of standard normal X and Y, for each h and each k.

    It is Φ(h) Φ(k) plus the integral of the density over the correlation from 0, in terms of its
    arcsine (Drezner & Wesolowsky 1990).
    """
    from scipy.special import ndtr

    end = math.asin(correlation)
    at, weights = _legendre()
    angle, weights = end * (at + 1) / 2, weights * end / 2
    sine, cosine = np.sin(angle), np.cos(angle)
    x, y = h[:, None, None], k[None, :, None]
    inside = np.exp(-(x * x + y * y - 2 * x * y * sine) / (2 * cosine**2))
    out: FloatArray = ndtr(h)[:, None] * ndtr(k) + inside @ weights / (2 * np.pi)
    return out


@cache
def _legendre() -> tuple[FloatArray, FloatArray]:
    return np.polynomial.legendre.leggauss(N_POINTS)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    value: float
    error: float
    first: FloatArray
    second: FloatArray
    log_likelihood: float
    ratio: float
    note: str | None


class _Table:
    """The likelihood of a table of counts, given the correlation and both coders' thresholds."""

    def __init__(self, counts: FloatArray) -> None:
        self.counts, self.n = counts, float(counts.sum())
        self.split = 1 + len(counts) - 1

    def loss(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Compute −ln L per item, and its derivatives."""
        from scipy.special import ndtr

        r, h, k = float(x[0]), x[1 : self.split], x[self.split :]
        below = np.zeros((len(h) + 2, len(k) + 2))
        below[1:-1, 1:-1] = below_both(h, k, r)
        below[1:-1, -1], below[-1, 1:-1], below[-1, -1] = ndtr(h), ndtr(k), 1.0
        cells = np.maximum(np.diff(np.diff(below, axis=0), axis=1), 1e-300)
        share = self.counts / self.n
        value = -float((share * np.log(cells)).sum())
        by_cell = share / cells
        # a corner belongs to the four cells around it
        corner = -np.diff(np.diff(by_cell, axis=0), axis=1)
        root = math.sqrt(1 - r * r)
        x_, y_ = h[:, None], k[None]
        joint = np.exp(-(x_**2 + y_**2 - 2 * r * x_ * y_) / (2 * root**2)) / (2 * np.pi * root)
        by_r = (-corner * joint).sum()

        def by(one: FloatArray, other: FloatArray, table: FloatArray) -> FloatArray:
            """Compute the derivatives in the thresholds of the rows."""
            up = np.zeros((len(one), len(other) + 2))
            up[:, 1:-1] = ndtr((other - r * one[:, None]) / root)
            up[:, -1] = 1.0
            moved = np.diff(up, axis=1) * (table[:-1] - table[1:])
            out: FloatArray = moved.sum(1) * np.exp(-one * one / 2) / math.sqrt(2 * np.pi)
            return out

        slopes = np.concatenate([[by_r], by(h, k, by_cell), by(k, h, by_cell.T)])
        return value, -slopes


def _fit(counts: FloatArray) -> _Fit:
    from scipy.special import ndtri

    table = _Table(counts)
    start = np.concatenate(
        [[0.0], *(ndtri(np.cumsum(counts.sum(axis))[:-1] / table.n) for axis in (1, 0))]
    )

    def loss(x: FloatArray) -> tuple[float, FloatArray]:
        at = _bent(x)
        value, slopes = table.loss(at)
        slopes[0] *= NEAREST * (1 - (at[0] / NEAREST) ** 2)
        return value, slopes

    found = lowest(loss, start, 1e-9, 1000)
    x = _bent(found.x)
    seen = counts > 0
    whole = float((counts[seen] * np.log(counts[seen] / table.n)).sum())
    log_likelihood = -float(found.fun) * table.n
    note, error = None, NAN
    if abs(x[0]) > 0.999 * NEAREST:
        note = "on the boundary: the table has no cell that contradicts a perfect correlation"
        x[0] = math.copysign(1.0, x[0])
    else:
        error = _error(table, x)
        if math.isnan(error):
            note = "no standard error: the information matrix is not positive definite"
    return _Fit(
        float(x[0]), error, x[1 : table.split], x[table.split :], log_likelihood,
        max(0.0, 2 * (whole - log_likelihood)), note,
    )  # fmt: skip


def _bent(x: FloatArray) -> FloatArray:
    """Replace the unbounded coordinate of the correlation by the correlation."""
    at = x.copy()
    at[0] = NEAREST * np.tanh(x[0])
    return at


def _error(table: _Table, x: FloatArray) -> float:
    """Compute the standard error of the correlation by central differences of the derivatives."""
    step = min(1e-4, (1 - abs(float(x[0]))) / 4)
    information = np.empty((len(x), len(x)))
    for i in range(len(x)):
        moved = np.zeros(len(x))
        moved[i] = step
        information[i] = (table.loss(x + moved)[1] - table.loss(x - moved)[1]) / (2 * step)
    information = table.n * (information + information.T) / 2
    try:
        np.linalg.cholesky(information)
    except np.linalg.LinAlgError:
        return NAN
    return math.sqrt(float(np.linalg.inv(information)[0, 0]))


def _among_all(used: Array, thresholds: FloatArray) -> FloatArray:
    """Expand the thresholds between used categories to all categories."""
    passed = np.cumsum(used)[:-1]
    inside = (passed > 0) & (passed < used.sum())
    out = np.where(passed == 0, -np.inf, np.inf)
    out[inside] = thresholds[passed[inside] - 1]
    return out
