"""How many units a reliability study needs before any are coded."""

from __future__ import annotations

import math

from agreement_fast.errors import InputError
from agreement_fast.options import check_count, check_number


def minimum_units(
    min_alpha: float,
    rarest: float | None = None,
    *,
    n_categories: int | None = None,
    significance: float = 0.05,
) -> int:
    """Krippendorff's minimum number of units for two coders to detect α below a limit.

    N = 2 z² ((1 + α)(3 − α) / (4 (1 − α) p (1 − p)) − α), rounded up, where α is the smallest
    acceptable value and p the share of the rarest category: Krippendorff's (2004, page 239) use of
    Bloch & Kraemer (1989, equation 3.7).

    Parameters
    ----------
    min_alpha : float
        The smallest acceptable α, such as .667 or .8; from 0 to below 1.
    rarest : float, optional
        Share of the rarest category, p: above 0 and at most 1/2.
    n_categories : int, optional
        Number of equally frequent categories, in place of `rarest`: p = 1 / n_categories.
    significance : float, default 0.05
        The risk of taking unreliable data for reliable, below 1/2; z is its one-sided normal
        quantile.

    Returns
    -------
    int
        The number of units.

    Raises
    ------
    ValueError
        If an argument is out of its range, or both or neither of `rarest` and `n_categories` are
        given.

    Notes
    -----
    Bloch & Kraemer's model has two coders and two categories: the rarest, and all others. Published
    tables round to the nearest integer, so they may have one unit less. O(1).

    References
    ----------
    Bloch & Kraemer 1989, 2 × 2 kappa coefficients: measures of agreement or association,
    *Biometrics* 45, 269–287; Krippendorff 2004, *Content Analysis*, 2nd edition, page 239.

    Examples
    --------
    Four equally frequent categories:

    >>> import agreement_fast as af
    >>> af.inference.minimum_units(0.667, n_categories=4), af.inference.minimum_units(0.8, 0.25)
    (81, 139)
    """
    from scipy.special import ndtri

    if not 0 <= check_number("min_alpha", min_alpha) < 1:
        raise InputError.must_be("min_alpha", "from 0 to below 1", min_alpha)
    if not 0 < check_number("significance", significance) < 0.5:
        raise InputError.must_be("significance", "between 0 and 0.5", significance)
    if (rarest is None) == (n_categories is None):
        raise InputError("pass either rarest or n_categories", argument="rarest")
    if n_categories is not None:
        rarest = 1 / check_count("n_categories", n_categories, 2)
    assert rarest is not None
    if not 0 < check_number("rarest", rarest) <= 0.5:
        raise InputError.must_be("rarest", "a share above 0 and at most 0.5", rarest)
    z = float(ndtri(1 - significance))
    spread = (1 + min_alpha) * (3 - min_alpha) / (4 * (1 - min_alpha) * rarest * (1 - rarest))
    return math.ceil(2 * z * z * (spread - min_alpha))
