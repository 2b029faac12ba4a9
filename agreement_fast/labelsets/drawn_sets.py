"""The mean distance between sets drawn by chance, by Krippendorff & Craggs (2016).

The sizes a and b of two sets are drawn from the observed sizes. One of all pairs of sets C and K of
these sizes is then drawn with a weight: the product of n_c over elements c of only one of the sets,
and of n_c (n_c − 1) over elements of both. The C(L, a) C(L, b) pairs are not listed: their weights
are coefficients of a product with one factor per element,

    Π_c (1 + n_c x + n_c y + n_c (n_c − 1) x y),

and sums of distances follow the same product, element by element. The coefficient of xᵃ yᵇ is
divided by eₐ e_b, where eₐ is the coefficient of xᵃ in Π (1 + n_c x), so that no number exceeds 1.
"""

from __future__ import annotations

import numpy as np

from agreement_fast.arrays import FloatArray


class DrawnSets:
    """Products over the elements, as coefficients for all pairs of sizes.

    Parameters
    ----------
    counts : float64 array of shape (R, L)
        n_c, in each of R resamples.
    largest : int
        The largest size.
    """

    def __init__(self, counts: FloatArray, largest: int) -> None:
        self._counts = counts
        self._largest = largest
        #: eₐ₋₁ / eₐ for a = 1 .. largest; 0 if there are no sets of a elements.
        self._steps = _steps(counts, largest)

    @property
    def _shape(self) -> tuple[int, int, int]:
        return len(self._counts), self._largest + 1, self._largest + 1

    def _no_sets(self) -> FloatArray:
        weights = np.zeros(self._shape)
        weights[:, 0, 0] = 1.0
        return weights

    def _first(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums after the element is added to C only."""
        moved = np.zeros_like(sums)
        factor = self._counts[:, place, None] * self._steps
        moved[..., 1:, :] = sums[..., :-1, :] * factor[:, :, None]
        return moved

    def _second(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums after the element is added to K only."""
        moved = np.zeros_like(sums)
        factor = self._counts[:, place, None] * self._steps
        moved[..., 1:] = sums[..., :-1] * factor[:, None, :]
        return moved

    def _both(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums after the element is added to both."""
        moved = np.zeros_like(sums)
        n = self._counts[:, place, None, None]
        factor = n * (n - 1) * self._steps[:, :, None] * self._steps[:, None, :]
        moved[..., 1:, 1:] = sums[..., :-1, :-1] * factor
        return moved

    def _any(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums over all places of the element, in neither set, one, or both."""
        first, second = self._first(place, sums), self._second(place, sums)
        return sums + first + second + self._both(place, sums)

    def shared(self) -> tuple[FloatArray, FloatArray]:
        """Compute the weights of pairs of sets by their sizes, and Σ weight · |C ∩ K|: (R, A, A).

        O(L A²) for each resample.
        """
        weights, shared = self._no_sets(), np.zeros(self._shape)
        for place in range(self._counts.shape[1]):
            shared = self._any(place, shared) + self._both(place, weights)
            weights = self._any(place, weights)
        return weights, shared

    def apart(self, distances: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute the weights, and Σ weight · Σ d(c, k) over c in C and k in K but not in C.

        O(L² A²) for each resample.

        Parameters
        ----------
        distances : float64 array of shape (L, L)
        """
        n_labels = self._counts.shape[1]
        weights, apart = self._no_sets(), np.zeros(self._shape)
        # For each earlier element: the weights of pairs whose C has it, and whose K alone has it.
        in_first = np.zeros((n_labels, *self._shape))
        in_second = np.zeros((n_labels, *self._shape))
        for place in range(n_labels):
            met, gaps = slice(place), distances[place, :place]
            from_met = np.tensordot(gaps, in_first[met], 1)
            to_met = np.tensordot(gaps, in_second[met], 1)
            apart = self._any(place, apart)
            apart += self._second(place, from_met)
            apart += self._first(place, to_met) + self._both(place, to_met)
            in_first[met] = self._any(place, in_first[met])
            in_second[met] = self._any(place, in_second[met])
            in_first[place] = self._first(place, weights) + self._both(place, weights)
            in_second[place] = self._second(place, weights)
            weights = self._any(place, weights)
        return weights, apart


def expected_distance(
    counts: FloatArray, sizes: FloatArray, distances: FloatArray | None
) -> FloatArray:
    """Compute the mean distance of sets drawn by chance, in each of R resamples: float64 (R,).

    Parameters
    ----------
    counts : float64 array of shape (R, L)
        The number of sets that have each element.
    sizes : float64 array of shape (R, A + 1)
        The share of sets of 0 .. A elements.
    distances : float64 array of shape (L, L), optional
        The distances between elements, at most 1; by default 1 between different elements.

    Notes
    -----
    Two sizes without a pair of sets of positive weight add nothing.
    """
    largest = sizes.shape[1] - 1
    drawn = DrawnSets(counts, largest)
    size = np.arange(largest + 1.0)
    either = np.maximum(size[:, None] + size, 1.0)
    if distances is None:
        weights, shared = drawn.shared()
        sums = weights - 2 * shared / either
    else:
        weights, apart = drawn.apart(distances)
        apart = apart / np.maximum(size, 1.0)[:, None]
        sums = (apart + apart.transpose(0, 2, 1)) / either
        # All other sets have the same distance from the empty set.
        sums[:, 0, :], sums[:, :, 0] = weights[:, 0, :], weights[:, :, 0]
    sums[:, 0, 0] = 0.0
    mean = np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0)
    expected: FloatArray = np.einsum("ra,rab,rb->r", sizes, mean, sizes)
    return expected


def _steps(counts: FloatArray, largest: int) -> FloatArray:
    """Compute eₐ₋₁ / eₐ of the elementary symmetric sums eₐ of some numbers, on the log scale."""
    with np.errstate(divide="ignore"):
        logs = np.log(counts)
    sums = np.full((len(counts), largest + 1), -np.inf)
    sums[:, 0] = 0.0
    for place in range(counts.shape[1]):
        sums[:, 1:] = np.logaddexp(sums[:, 1:], sums[:, :-1] + logs[:, place, None])
    there = np.isfinite(sums[:, 1:])
    # The logarithm of a missing sum is −∞, which has no difference.
    gaps = np.where(there, sums[:, :-1], 0.0) - np.where(there, sums[:, 1:], 0.0)
    return np.where(there, np.exp(gaps), 0.0)
