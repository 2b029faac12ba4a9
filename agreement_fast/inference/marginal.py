"""Do two coders use the categories equally often, and are their labels associated at all?

Zwick (1988) advises to test the marginals before choosing between π and κ: where they differ, the
coders understand the categories differently; where they do not, π and κ are nearly the same
(Artstein & Poesio 2005, section 3). Association is not agreement: coders who always disagree in
the same way are perfectly associated (there, section 2.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.inference.twocoders import NAN, table_of_two
from agreement_fast.results import NO_PAIRS
from agreement_fast.tables import Row

NO_DISAGREEMENT = "no disagreement: the coders agree on every item, so no difference has a variance"


@dataclass(frozen=True, slots=True, repr=False)
class ChiSquareTest(Row):
    """A χ² test on the contingency table of two coders.

    Attributes
    ----------
    test : str
    statistic : float
        χ²; NaN where undefined.
    df : int
        Degrees of freedom.
    p_value : float
        The probability of so large a statistic if the hypothesis holds.
    n_items : int
        Items that both coders judged; weights counted.
    n_items_dropped : int
        Items that are left out because a judgment is missing.
    undefined : str or None
        Why there is no statistic.
    """

    test: str
    statistic: float
    df: int
    p_value: float
    n_items: int
    n_items_dropped: int
    undefined: str | None

    def __repr__(self) -> str:
        text = (
            f"{self.test}: χ² = {self.statistic:.6g}, df = {self.df}, p = {self.p_value:.4g}, "
            f"{self.n_items} items"
        )
        return f"<{text}>" if self.undefined is None else f"<{text}; {self.undefined}>"


def stuart_maxwell(data: Any) -> ChiSquareTest:
    """Test whether two coders use every category equally often (Stuart 1955, Maxwell 1970).

    χ² = d' S⁻ d for the differences d_k = n_k. − n_.k of the marginals and their covariance S under
    the hypothesis, S_kk = n_k. + n_.k − 2 n_kk, S_kl = −(n_kl + n_lk). With two categories it is
    McNemar's test without correction, (b − c)² / (b + c).

    Parameters
    ----------
    data : Annotations of exactly two coders, or anything that `Annotations.from_wide` reads
        Items that one coder did not judge are left out and counted.

    Returns
    -------
    ChiSquareTest

    Raises
    ------
    ValueError
        More or fewer coders than two, or coders unknown.

    Notes
    -----
    S is the Laplacian of a graph whose edges are the disagreements, so its rank is the number of
    categories less the number of connected components, whatever the counts; d lies in its range.
    Where the components are several (blocks of categories that are never confused with one another,
    or categories without any disagreement), the statistic is the sum over the blocks, which is what
    a generalised inverse gives, and df is the rank. Without disagreement it is 0/0, NaN.
    O(items + K³).

    References
    ----------
    Stuart 1955, *Biometrika* 42, 412–416; Maxwell 1970, *British Journal of Psychiatry* 116,
    651–655.

    Examples
    --------
    Grade of unaided vision of the right and left eyes of 7477 women (Stuart 1955, there 11.96):

    >>> import agreement_fast as af
    >>> eyes = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    >>> af.inference.stuart_maxwell(af.Annotations.from_contingency(eyes))
    <Stuart-Maxwell: χ² = 11.9566, df = 3, p = 0.007533, 7477 items>
    """  # noqa: E501 (the table in one line)
    return _homogeneity("Stuart-Maxwell", data)


def bhapkar(data: Any) -> ChiSquareTest:
    """Test whether two coders use every category equally often (Bhapkar 1966).

    As `stuart_maxwell`, but the covariance is estimated without assuming the hypothesis:
    S − d d'/n. So χ² = q / (1 − q/n), q being Stuart and Maxwell's (Keefe 1982): never smaller, and
    the same in large samples. Parameters, errors and cost as there.

    References
    ----------
    Bhapkar 1966, *Journal of the American Statistical Association* 61, 228–235; Keefe 1982,
    *Biometrika* 69, 683–684.

    Examples
    --------
    >>> import agreement_fast as af
    >>> eyes = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    >>> af.inference.bhapkar(af.Annotations.from_contingency(eyes))
    <Bhapkar: χ² = 11.9757, df = 3, p = 0.007467, 7477 items>
    """  # noqa: E501 (the table in one line)
    return _homogeneity("Bhapkar", data)


def _homogeneity(test: str, data: Any) -> ChiSquareTest:
    _, table, n_dropped = table_of_two(data, f"the {test} test")
    n = int(table.sum())
    if not n:
        return ChiSquareTest(test, NAN, 0, NAN, 0, n_dropped, NO_PAIRS)
    statistic, df = _quadratic_form(table)
    if not df:
        return ChiSquareTest(test, NAN, 0, NAN, n, n_dropped, NO_DISAGREEMENT)
    if test == "Bhapkar":
        # |d' x| ≤ Σ of what lies off the diagonal, so q ≤ n; q = n leaves no variance.
        left = 1 - statistic / n
        if left <= 1e-12:
            reason = "no variance: every item is a disagreement, and all lean the same way"
            return ChiSquareTest(test, NAN, df, NAN, n, n_dropped, reason)
        statistic /= left
    return _result(test, statistic, df, n, n_dropped)


def _quadratic_form(table: Array) -> tuple[float, int]:
    """d' S⁻ d and the rank of S."""
    from scipy.linalg import cho_factor, cho_solve
    from scipy.sparse.csgraph import connected_components

    either = (table + table.T).astype(np.float64)
    np.fill_diagonal(either, 0.0)
    d = (table.sum(1) - table.sum(0)).astype(np.float64)
    covariance = np.diag(either.sum(1)) - either
    n_blocks, block = connected_components(either, directed=False)
    # Within a block the differences sum to 0: any one category says nothing new.
    kept = np.ones(len(d), bool)
    kept[np.unique(block, return_index=True)[1]] = False
    if kept.any():
        d = d[kept]
        solved = cho_solve(cho_factor(covariance[np.ix_(kept, kept)]), d)
        return float(d @ solved), len(table) - int(n_blocks)
    return 0.0, 0


def association(data: Any) -> ChiSquareTest:
    """Pearson's χ² of association between two coders' labels: not a measure of agreement.

    χ² = Σ (O − E)² / E over the cells, E = n_j. n_.l / n, without correction; df is (rows − 1) ×
    (columns − 1) over the categories that each coder used. It is here to show the difference:
    a large χ² says that one coder's label tells something about the other's, right or wrong.
    Parameters and errors as in `stuart_maxwell`; O(items + K²).

    Examples
    --------
    Artstein & Poesio 2005, table 2, of 200 items (there 64.59): highly associated, hardly agreeing.

    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[50, 26, 24], [24, 4, 32], [6, 30, 4]])
    >>> af.inference.association(data)
    <association: χ² = 64.5944, df = 4, p = 3.133e-13, 200 items>
    >>> round(af.kappa(data).value, 3)
    -0.092
    """
    _, table, n_dropped = table_of_two(data, "the χ² of association")
    n = int(table.sum())
    if not n:
        return ChiSquareTest("association", NAN, 0, NAN, 0, n_dropped, NO_PAIRS)
    rows, columns = table.sum(1), table.sum(0)
    table = table[np.ix_(rows > 0, columns > 0)]
    expected = np.outer(rows[rows > 0] / n, columns[columns > 0].astype(np.float64))
    df = (table.shape[0] - 1) * (table.shape[1] - 1)
    if not df:
        reason = "no variation: a coder used one category only"
        return ChiSquareTest("association", NAN, 0, NAN, n, n_dropped, reason)
    statistic = float(((table - expected) ** 2 / expected).sum())
    return _result("association", statistic, df, n, n_dropped)


def _result(test: str, statistic: float, df: int, n: int, n_dropped: int) -> ChiSquareTest:
    from scipy.special import chdtrc

    p_value = float(chdtrc(df, statistic))
    return ChiSquareTest(test, statistic, df, p_value, n, n_dropped, None)
