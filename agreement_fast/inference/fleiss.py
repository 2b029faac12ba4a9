"""Fleiss' κ (multi-π) of any number of coders, tested by Fleiss, Nee & Landis' (1979) variance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.errors import InputError
from agreement_fast.inference.tested import CoefficientTest, Estimate, z_test
from agreement_fast.inference.twocoders import ALTERNATIVES, NAN, check_size
from agreement_fast.options import check_choice
from agreement_fast.results import NO_PAIRS, NO_VARIATION
from agreement_fast.sums.categories import sums_of
from agreement_fast.tables import Listing

ONE_ITEM = "one item shows no variance between items, so nothing can be tested"


def pi_test(data: Any, *, alternative: str = "two-sided") -> CoefficientTest:
    """Test Fleiss' κ (multi-π) against chance.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders may be unknown (counts). Every judged item
        must have the same number of judgments. Items without judgments are left out and counted.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        The alternative hypothesis: "greater" asks whether π is above 0.

    Returns
    -------
    CoefficientTest
        The test. It has no standard error and no interval of the value, because the source gives
        none: use `standard_error` or `bootstrap`.

    Raises
    ------
    ValueError
        If items have different numbers of judgments, or a single one, or there are more than 4096
        categories.

    Notes
    -----
    z is π divided by its standard error under chance. The variance is that of Fleiss, Nee & Landis
    (1979): the one that Fleiss gave in 1971 is wrong. O(patterns · K²) after grouping.

    References
    ----------
    Fleiss, Nee & Landis 1979, Large sample variance of kappa in the case of different sets of
    raters, *Psychological Bulletin* 86, 974–977.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_counts([[4, 0], [3, 1], [0, 4], [1, 3], [0, 4]])
    >>> af.inference.pi_test(data)
    <pi(nominal) = 0.583333: z = 3.19505 against 0, p = 0.001398, 5 items>
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    sums = _Sums(data, "pi_test()")
    estimate = Estimate(NAN, NAN, NAN, sums.undefined)
    if sums.undefined is None:
        p, q = sums.p, sums.q
        among_others = float((p * q).sum())
        variance = (among_others**2 - float((p * q * (q - p)).sum())) / among_others**2
        value = 1 - float(sums.disagreeing.sum()) / float(sums.by_chance.sum())
        estimate = Estimate(value, NAN, math.sqrt(2 * variance / sums.n_pairs), sums.untested)
    return sums.test(estimate, alternative)


def pi_category_tests(data: Any, *, alternative: str = "two-sided") -> Listing[CoefficientTest]:
    """Test Fleiss' κ of each category, against all others taken together.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders may be unknown (counts). Every judged item
        must have the same number of judgments. Items without judgments are left out and counted.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        The alternative hypothesis: "greater" asks whether a category's κ is above 0.

    Returns
    -------
    Listing of CoefficientTest
        One test for each category, in the order of the categories; NaN with a reason for a category
        that no judgment has, or every judgment.

    Raises
    ------
    ValueError
        If items have different numbers of judgments, or a single one, or there are more than 4096
        categories.

    Notes
    -----
    κ_j = 1 − Σ_i n_ij (m − n_ij) / (N m (m − 1) p_j q_j) for N items of m judgments, with the null
    variance 2 / (N m (m − 1)), which is the same for all categories. O(patterns · K²).

    References
    ----------
    Fleiss, Nee & Landis 1979, Large sample variance of kappa in the case of different sets of
    raters, *Psychological Bulletin* 86, 974–977.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_counts([[4, 0, 0], [3, 1, 0], [0, 4, 0], [1, 3, 0], [0, 0, 4]])
    >>> for test in af.inference.pi_category_tests(data):
    ...     print(test.category, round(test.value, 3), round(test.statistic, 2))
    0 0.583 3.2
    1 0.583 3.2
    2 1.0 5.48
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    sums = _Sums(data, "pi_category_tests()")
    tests = []
    for k, category in enumerate(sums.categories):
        reason = sums.undefined
        if reason is None and not sums.by_chance[k]:
            reason = NO_VARIATION
        estimate = Estimate(NAN, NAN, NAN, reason)
        if reason is None:
            value = 1 - float(sums.disagreeing[k] / sums.by_chance[k])
            estimate = Estimate(value, NAN, math.sqrt(2 / sums.n_pairs), sums.untested)
        tests.append(sums.test(estimate, alternative, category))
    return Listing(tests)


class _Sums:
    """The sums that the tests of Fleiss, Nee & Landis use.

    Attributes
    ----------
    p, q : float64 arrays of shape (K,)
        A category's share of the judgments, and the share of all others.
    disagreeing, by_chance : float64 arrays of shape (K,)
        Judgments of a category that are paired with another category: observed, and N m p q.
    n_pairs : float
        N m (m − 1), the ordered pairs of judgments of an item.
    undefined, untested : str or None
        Why there is no value, or a value without a test.
    """

    def __init__(self, data: Any, purpose: str) -> None:
        annotations = as_annotations(data)
        check_size(annotations, purpose)
        self.categories = annotations.categories
        sums = sums_of(annotations)
        judged = {size: n for size, n in sums.items_by_size.items() if size}
        sizes = list(judged)
        if len(sizes) > 1 or (sizes and sizes[0] < 2):
            found = " or ".join(map(str, sizes[:5])) + (" ..." if len(sizes) > 5 else "")
            raise InputError(
                f"{purpose} needs the same number of judgments for every item, two or more; here "
                f"items have {found}",
                "use standard_error or bootstrap, which take incomplete data",
            )
        self.n_items = sum(judged.values())
        self.n_dropped = annotations.n_items - self.n_items
        size = sizes[0] if sizes else 0
        self.n_pairs = float(self.n_items) * size * (size - 1)
        coincidences = annotations.coincidence_matrix().values
        counts = np.rint(coincidences.sum(1))
        total = max(float(counts.sum()), 1.0)
        self.p = counts / total
        # Sums of the other categories, not 1 − p, so that a rare disagreement keeps its digits.
        self.q = (counts.sum() - counts) / total
        np.fill_diagonal(coincidences, 0.0)
        self.disagreeing = coincidences.sum(1)
        self.by_chance = counts * self.q
        self.undefined: str | None = None
        self.untested = ONE_ITEM if self.n_items == 1 else None
        if not self.n_items:
            self.undefined = NO_PAIRS
        elif not self.by_chance.any():
            self.undefined = NO_VARIATION

    def test(self, estimate: Estimate, alternative: str, category: Any = None) -> CoefficientTest:
        """Return the result for an estimate."""
        return z_test(
            "Fleiss, Nee & Landis 1979",
            "pi",
            "nominal",
            estimate,
            (self.n_items, self.n_dropped),
            alternative=alternative,
            category=category,
        )
