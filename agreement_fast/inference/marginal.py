"""Do coders use the categories equally often, and are two coders' labels associated at all?

Zwick (1988) advises to test the marginals before choosing between π and κ. If they differ, the
coders understand the categories differently; if not, π and κ are nearly the same (Artstein & Poesio
2005, section 3). Association is not agreement: coders who always disagree in the same way are
perfectly associated (section 2.2 of the same paper).

Two assumptions about variance give two tests for any number of coders. If all orders of an item's
labels are equally likely, they may be shuffled within the item: Cochran's Q, Stuart's and Maxwell's
test, and their common generalisation (Darroch 1981; White, Landis & Cooper 1982). If nothing is
assumed, the variance of the differences is estimated from the data: Bhapkar's test, a Wald test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from itertools import combinations
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_choice
from agreement_fast.present.tables import Listing, Row
from agreement_fast.results import NO_PAIRS

NAN = math.nan

NO_DISAGREEMENT = "no disagreement: the coders agree on every item, so no difference has a variance"
NO_SPREAD = (
    "no variance: some difference between the coders is the same in every item, or there are too "
    "few items for the number of differences"
)

#: The tests of marginals.
METHODS = ("stuart_maxwell", "bhapkar", "cochran_q")

#: Items for each degree of freedom below which the Wald test rejects too often.
ITEMS_A_DF = 20
FEW_ITEMS = (
    "too few items for the number of differences, so p is too small: stuart_maxwell is for few"
)

#: The most differences of marginals whose covariance matrix is decomposed (some seconds).
DIFFERENCES = 2048

#: Eigenvalues below this share of the largest are 0.
ROUNDING = 1e-11


@dataclass(frozen=True, slots=True, repr=False)
class ChiSquareTest(Row):
    """A χ² test of coders' marginals, or of the association of two coders' labels.

    Attributes
    ----------
    test : str
        Name of the test.
    statistic : float
        χ²; NaN if undefined.
    df : int
        Degrees of freedom.
    p_value : float
        The probability of a statistic this large or larger if the hypothesis holds.
    n_items : int
        Items that all coders judged; weights counted.
    n_items_dropped : int
        Items that are left out because a judgment is missing.
    undefined : str or None
        Why there is no statistic.
    note : str or None
        Why p should not be trusted.
    """

    _caption = "{test}: χ² = {statistic}, df = {df}, p = {p_value:.4g}, {n_items:item}"

    test: str
    statistic: float
    df: int
    p_value: float
    n_items: int
    n_items_dropped: int
    undefined: str | None
    note: str | None = None


def marginal_test(
    data: JudgmentsLike,
    *,
    method: Literal["stuart_maxwell", "bhapkar", "cochran_q"] = "stuart_maxwell",
    **reading: Unpack[ReadingOptions],
) -> ChiSquareTest:
    """Test whether coders use every category equally often.

    Parameters
    ----------
    data : Annotations of two coders or more, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Items that a coder did not judge are left out and
        counted.
    method : {"stuart_maxwell", "bhapkar", "cochran_q"}, default "stuart_maxwell"
        Stuart's and Maxwell's test, for any number of coders; with two categories it is Cochran's
        Q, and for two coders McNemar's test without correction. "cochran_q" refuses more than two
        categories. "bhapkar" estimates the variance without assuming the hypothesis and needs many
        items: with three coders or more and fewer than 20 items for each difference of marginals, p
        is too small, and `note` says so.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ChiSquareTest
        The test, named "Stuart-Maxwell" for two coders and "Mantel-Haenszel" for more, "Bhapkar" or
        "Cochran's Q".

    Raises
    ------
    ValueError
        If there are fewer than two coders, coders are unknown, there are more than 4096 categories,
        more than two with "cochran_q", or more than 2048 differences of marginals of three coders
        or more with "bhapkar".

    Notes
    -----
    For two coders χ² = d' S⁻ d, where d_k = n_k. − n_.k are the differences of the marginals and S
    is their covariance under the hypothesis: S_kk = n_k. + n_.k − 2 n_kk, S_kl = −(n_kl + n_lk).

    For C coders, r_ik judgments of item i for category k, and d_c a coder's counts less the mean of
    all coders, χ² = C (C − 1) Σ_c d_c' S⁻ d_c with S_kl = −Σ_i r_ik r_il and rows that sum to 0; df
    is (C − 1) times the rank of S. S is the covariance of labels that are shuffled within each item
    (Darroch 1981). The differences between coders must have equal variances, as in a
    repeated-measures analysis without correction; "bhapkar" does not need this. With two categories
    this is Q = (C − 1) (C Σ n_c² − n²) / (C n − Σ r_i²), where coder c used the second one n_c
    times, item i has r_i such judgments, and n is the number of all of them.

    S is the Laplacian of a graph whose edges are the disagreements, so its rank is the number of
    categories less the number of connected components, and d lies in its range. With several
    components (blocks of categories that are never confused with one another, or categories without
    any disagreement) the statistic is the sum over the blocks, which is what a generalised inverse
    gives. Without disagreement it is 0/0, NaN. O(C² (patterns + K²) + K³).

    "bhapkar" has the covariance S − d d'/n. For two coders this gives χ² = q / (1 − q/n), where q
    is Stuart and Maxwell's statistic (Keefe 1982): never smaller, and the same in large samples.
    For more coders it is the Wald test of all (C − 1) (K − 1) differences of marginals at once
    (Koch et al. 1977). df is the rank of the covariance about 0. O(C² patterns + (C K)³).

    References
    ----------
    Stuart 1955, *Biometrika* 42, 412–416; Maxwell 1970, *British Journal of Psychiatry* 116,
    651–655; Cochran 1950, *Biometrika* 37, 256–266; Darroch 1981, *International Statistical
    Review* 49, 285–307; White, Landis & Cooper 1982, *International Statistical Review* 50, 27–34;
    Bhapkar 1966, *Journal of the American Statistical Association* 61, 228–235; Keefe 1982,
    *Biometrika* 69, 683–684; Koch, Landis, Freeman, Freeman & Lehnen 1977, *Biometrics* 33,
    133–158.

    Examples
    --------
    Grade of unaided vision of the right and left eyes of 7477 women (Stuart 1955 gives 11.96):

    >>> import agreement_fast as af
    >>> eyes = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    >>> eyes = af.Annotations.from_contingency(eyes)
    >>> af.inference.marginal_test(eyes)
    <Stuart-Maxwell: χ² = 11.9566, df = 3, p = 0.007533, 7477 items>
    >>> af.inference.marginal_test(eyes, method="bhapkar")
    <Bhapkar: χ² = 11.9757, df = 3, p = 0.007467, 7477 items>

    Three coders; the last one says "c" more often:

    >>> rows = [["a", "a", "c"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "c"], ["a", "b", "c"]]
    >>> af.inference.marginal_test(rows)
    <Mantel-Haenszel: χ² = 7.2, df = 4, p = 0.1257, 5 items>
    """  # noqa: E501 (the table in one line)
    check_choice("method", method, METHODS)
    items = complete_items(as_annotations(data, **reading), "the test of marginals")
    n_used, C = np.count_nonzero(items.counts().sum(0)), items.n_coders
    if method == "cochran_q" and n_used > 2:
        raise InputError(
            f"Cochran's Q needs two categories, these annotations use {n_used}",
            ("pass ", Argument("method", "stuart_maxwell"), ", or merge_categories() to two"),
        )
    wald = method == "bhapkar"
    if wald and C > 2 and (C - 1) * n_used > DIFFERENCES:
        raise InputError(
            f"the Bhapkar test compares at most {DIFFERENCES} shares, here {(C - 1) * n_used}",
            (Argument("method", "stuart_maxwell"), " has no limit"),
        )
    shuffled = "Stuart-Maxwell" if C == 2 else "Mantel-Haenszel"
    test = {"bhapkar": "Bhapkar", "cochran_q": "Cochran's Q"}.get(method, shuffled)
    n = items.n_items, items.n_dropped
    if not items.n_items:
        return _result(test, NAN, 0, n, items.undefined)
    statistic, df = _of_differences(items) if wald and C > 2 else _of_blocks(items)
    if not df:
        return _result(test, NAN, 0, n, NO_DISAGREEMENT)
    note = None
    if wald:
        # q is n times the squared length of a mean's projection, so q ≤ n; q = n has no variance.
        left = 1 - statistic / items.n_items
        if left <= 1e-12:
            return _result(test, NAN, df, n, NO_SPREAD)
        statistic /= left
        note = FEW_ITEMS if C > 2 and items.n_items < ITEMS_A_DF * df else None
    return _result(test, statistic, df, n, None, note)


def _result(
    test: str,
    statistic: float,
    df: int,
    n: tuple[int, int],
    undefined: str | None,
    note: str | None = None,
) -> ChiSquareTest:
    """Return a test of n items, those that count and the others, by its statistic or NaN."""
    from scipy.special import chdtrc

    p_value = float(chdtrc(df, statistic)) if undefined is None else NAN
    return ChiSquareTest(test, statistic, df, p_value, *n, undefined, note)


def _of_blocks(items: CompleteItems) -> tuple[float, int]:
    """Return Σ_c d_c' S⁻ d_c (C − 1) / C, with d_c = C times a coder's counts less those of all."""
    from scipy.linalg import cho_factor, cho_solve
    from scipy.sparse.csgraph import connected_components

    C = items.n_coders
    either = items.table(0, 0) * 0.0
    for c, d in combinations(range(C), 2):
        either += items.table(c, d)
    either += either.T.copy()
    np.fill_diagonal(either, 0.0)
    counts = items.counts()
    d = C * counts - counts.sum(0)
    covariance = np.diag(either.sum(1)) - either
    n_blocks, block = connected_components(either, directed=False)
    # Within a block the differences sum to 0, so one category follows from the others.
    kept = np.ones(len(either), bool)
    kept[np.unique(block, return_index=True)[1]] = False
    if not kept.any():
        return 0.0, 0
    solved = cho_solve(cho_factor(covariance[np.ix_(kept, kept)]), d[:, kept].T)
    statistic = float((d[:, kept] * solved.T).sum()) * (C - 1) / C
    return statistic, (C - 1) * (len(either) - int(n_blocks))


def _of_differences(items: CompleteItems) -> tuple[float, int]:
    """Return D' U⁻ D and the rank of U, for the differences of each coder from the last.

    D is the sum over the items of a vector that shows in which category a coder differs; U is the
    sum of its outer products.
    """
    C, counts = items.n_coders, items.counts()
    used = np.flatnonzero(counts.sum(0))
    K, counts = len(used), counts[:, used]
    joint = np.zeros((C, K, C, K))
    for c in range(C):
        joint[c, :, c, :] = np.diag(counts[c])
        for d in range(c):
            table = items.table(c, d)[np.ix_(used, used)]
            joint[c, :, d, :], joint[d, :, c, :] = table, table.T
    last = joint[-1:]
    away = joint[:-1] - last
    away = (away[:, :, :-1] - away[:, :, -1:]).reshape((C - 1) * K, (C - 1) * K)
    sums = (counts[:-1] - counts[-1]).ravel()
    # On the scale of correlations, so that rare categories are not taken for rounding errors.
    spread = np.sqrt(np.diag(away))
    kept = spread > 0
    if not kept.any():
        return 0.0, 0
    spread = spread[kept]
    values, vectors = np.linalg.eigh(away[np.ix_(kept, kept)] / np.outer(spread, spread))
    positive = values > ROUNDING * values[-1]
    along = (sums[kept] / spread) @ vectors[:, positive]
    return float((along**2 / values[positive]).sum()), int(positive.sum())


@dataclass(frozen=True, slots=True)
class AssociationCell(Row):
    """A cell of two coders' contingency table, compared with what chance would put there.

    Attributes
    ----------
    first, second : object
        The label of the first coder, and that of the second.
    observed : int
        Items with both labels.
    expected : float
        The expected number if the coders label independently, n_j. n_.l / n.
    contribution : float
        (O − E)² / E, the cell's part of χ².
    adjusted_residual : float
        (O − E) / sqrt(E (1 − n_j. / n) (1 − n_.l / n)), about standard normal if the labels are
        independent (Haberman 1973); NaN if a coder used one category only.
    """

    first: Any
    second: Any
    observed: int
    expected: float
    contribution: float
    adjusted_residual: float


@dataclass(frozen=True, slots=True, repr=False)
class Association(ChiSquareTest):
    """Pearson's χ² of the association of two coders' labels, and the cells that cause it.

    Attributes
    ----------
    cells : Listing of AssociationCell
        The cell that adds most to χ² comes first. Categories that a coder did not use have no cell.
    """

    cells: Listing[AssociationCell] = field(kw_only=True, metadata={"column": False})


def association(data: JudgmentsLike, **reading: Unpack[ReadingOptions]) -> Association:
    """Pearson's χ² of association between two coders' labels, which does not measure agreement.

    A large χ² means that one coder's label predicts the other's, whether or not they are the same.

    Parameters
    ----------
    data : Annotations of two coders, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Items that a coder did not judge are left out and
        counted.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Association
        The test, and in `cells` the observed and expected counts and the residual of each cell.

    Raises
    ------
    ValueError
        If there are not two coders, coders are unknown, or there are more than 4096 categories.

    Notes
    -----
    χ² = Σ (O − E)² / E over the cells, E = n_j. n_.l / n, without correction; df is (rows − 1) ×
    (columns − 1) over the categories that each coder used. A cell off the
    diagonal with a large positive residual is a disagreement that the coders repeat. O(items + K²).

    References
    ----------
    Artstein & Poesio 2005, *Kappa³ = Alpha (or Beta)*, section 2.2; Haberman 1973,
    The analysis of residuals in cross-classified tables, *Biometrics* 29, 205–220.

    Examples
    --------
    Table 2 of Artstein & Poesio (2005), 200 items: strong association (64.59 in the paper), no
    agreement: one coder says "chck" if the other says "ireq".

    >>> import agreement_fast as af
    >>> table = [[50, 26, 24], [24, 4, 32], [6, 30, 4]]
    >>> data = af.Annotations.from_contingency(table, categories=["stat", "ireq", "chck"])
    >>> result = af.inference.association(data)
    >>> result
    <association: χ² = 64.5944, df = 4, p = 3.133e-13, 200 items>
    >>> round(af.kappa(data).value, 3)
    -0.092
    >>> worst = result.cells[0]
    >>> worst.first, worst.second, worst.observed, worst.expected
    ('chck', 'ireq', 30, 12.0)
    """
    annotations, purpose = as_annotations(data, **reading), "the χ² of association"
    coders = annotations.known_coders(purpose)
    if len(coders) != 2:
        raise InputError(
            f"{purpose} compares two coders, these annotations have {len(coders)}",
            "select two with data.select(coders=[first, second])",
        )
    check_size(annotations, purpose)
    table = annotations.contingency_table(*coders).values
    n = int(table.sum())
    of_rows, of_columns = table.sum(1), table.sum(0)
    cells = []
    for j in np.flatnonzero(of_rows).tolist():
        for k in np.flatnonzero(of_columns).tolist():
            observed, row, column = int(table[j, k]), int(of_rows[j]), int(of_columns[k])
            expected = row * column / n
            spread = expected * (1 - row / n) * (1 - column / n)
            gap = observed - expected
            cells.append(
                AssociationCell(
                    first=annotations.categories[j],
                    second=annotations.categories[k],
                    observed=observed,
                    expected=expected,
                    contribution=gap**2 / expected,
                    adjusted_residual=gap / math.sqrt(spread) if spread > 0 else NAN,
                )
            )
    df = int(np.count_nonzero(of_rows) - 1) * int(np.count_nonzero(of_columns) - 1) if n else 0
    undefined = None if df else "no variation: a coder used one category only" if n else NO_PAIRS
    statistic = math.fsum(cell.contribution for cell in cells) if df else NAN
    result = _result("association", statistic, df, (n, annotations.n_items - n), undefined)
    cells.sort(key=lambda cell: -cell.contribution)
    parts = (getattr(result, each.name) for each in fields(result))
    return Association(*parts, cells=Listing(cells))


#: The most categories for which a K × K table of floats is made (128 MB).
MOST = 4096

NO_COMPLETE = "no pairs: no item was judged by all {} coders; select(coders=...) takes fewer"


class CompleteItems(NamedTuple):
    """Patterns without a missing judgment.

    Attributes
    ----------
    annotations : Annotations
        The data.
    codes : int array of shape (U, C)
        Places of the labels among the categories.
    weights : int64 array of shape (U,)
        The number of items that each pattern stands for.
    n_items, n_dropped : int
        Number of complete items, and of items that lack a judgment.
    """

    annotations: Annotations
    codes: Array
    weights: Array
    n_items: int
    n_dropped: int

    @property
    def n_coders(self) -> int:
        """Number of coders, C."""
        return int(self.codes.shape[1])

    @property
    def undefined(self) -> str | None:
        """Why nothing can be computed, if there is no complete item."""
        if self.n_items:
            return None
        return NO_PAIRS if self.n_coders == 2 else NO_COMPLETE.format(self.n_coders)

    def counts(self) -> Array:
        """Count how often each coder used each category, float64 of shape (C, K)."""
        K = len(self.annotations.labels)
        return np.array([np.bincount(column, self.weights, K) for column in self.codes.T])

    def table(self, first: int, second: int) -> Array:
        """Return the contingency table of two coders by their places, float64 of shape (K, K)."""
        K = len(self.annotations.labels)
        cells = self.codes[:, first].astype(np.int64) * K + self.codes[:, second]
        return np.bincount(cells, self.weights, K * K).reshape(K, K)


def complete_items(data: JudgmentsLike, purpose: str) -> CompleteItems:
    """Return the complete items of two coders or more; errors begin with the `purpose`."""
    annotations = as_annotations(data)
    coders = annotations.known_coders(purpose)
    if len(coders) < 2:
        raise InputError(
            f"{purpose} compares coders, and these annotations have {len(coders)}",
            "pass the judgments of two coders or more",
        )
    check_size(annotations, purpose)
    codes, weights = annotations.patterns()
    whole = (codes >= 0).all(axis=1) & (weights > 0)
    n = int(weights[whole].sum())
    return CompleteItems(annotations, codes[whole], weights[whole], n, annotations.n_items - n)


def check_size(annotations: Annotations, purpose: str) -> None:
    """Refuse categories whose table would take gigabytes."""
    K = len(annotations.labels)
    if K > MOST:
        raise InputError(
            f"{purpose} needs a table of {K} × {K} categories, at most {MOST} are possible",
            "use standard_error or bootstrap, or merge categories",
        )
