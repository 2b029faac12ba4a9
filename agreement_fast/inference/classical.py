"""Cohen's κ of two coders and multi-κ of more, weighted or not, tested against chance or a value.

For two coders the standard errors are Fleiss, Cohen & Everitt's (1969). For more, κ is 1 minus the
ratio of two means over the pairs of coders. If all coders answer independently, the deviations of
one pair from its marginals are uncorrelated with those of any other pair, even one that shares a
coder. The null variances of the pairs therefore add up: this is Davies & Fleiss' (1982) standard
error, for any distance.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement_fast import distances
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import CHANCE
from agreement_fast.distances import Distance, check_symmetric
from agreement_fast.inference.complete import CompleteItems, complete_items
from agreement_fast.inference.no_width import no_width
from agreement_fast.inference.tested import CoefficientTest, Estimate, check_null_value, z_test
from agreement_fast.inference.twocoders import ALTERNATIVES, NAN, table_of_two
from agreement_fast.options import check_choice, check_share
from agreement_fast.results import NO_PAIRS, NO_VARIATION


def kappa_test(
    data: Any,
    distance: Any = "nominal",
    *,
    null_value: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> CoefficientTest:
    """Test Cohen's κ, weighted κ or multi-κ against chance or another value.

    Parameters
    ----------
    data : Annotations of two coders or more, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Items that a coder did not judge are left out and
        counted, so the value is that of `kappa` with ``incomplete="complete"``.
    distance : str, Distance, array, mapping or function, default "nominal"
        The weights, as disagreements; see `agreement_fast.distances`. A matrix may be asymmetric
        for two coders; its rows are then the first coder's labels. The ordinal distance is taken as
        fixed, although it depends on the marginals.
    null_value : float, default 0
        The κ to test against, below 1.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        The alternative hypothesis: "greater" asks whether κ is above the null value.
    confidence_level : float, default 0.95
        Of the interval, between 0 and 1.

    Returns
    -------
    CoefficientTest
        The value of κ with both standard errors, the test and the interval.

    Raises
    ------
    ValueError
        If there are fewer than two coders, coders are unknown, there are more than 4096 categories,
        or a matrix is asymmetric for three coders or more.

    Notes
    -----
    Against 0, z is κ divided by its standard error under independence. Against another value, and
    for the interval, the standard error of κ itself is used: that of Fleiss, Cohen & Everitt (1969)
    for two coders, that of the delta method for more.

    The variances are computed as sums of squares of each cell's influence on κ. This equals the
    papers' difference of two sums without its loss of digits. The null variance of C coders is
    Σ h_cd² p_c p_d / (n D_e²) over the cells, averaged over the pairs of coders and divided by
    their number, where h_cd are the distances less the means of their row and column. n/(n − 1)
    times this is the exact variance if each coder's labels are shuffled among the items (Hubert
    1977). κ of perfect agreement has standard error 0, and its interval means nothing: use
    `kappa_goodness_of_fit`. O(items + K²) for two coders, O(C² (patterns + K²)) for more.

    References
    ----------
    Fleiss, Cohen & Everitt 1969, Large sample standard errors of kappa and weighted kappa,
    *Psychological Bulletin* 72, 323–327; Davies & Fleiss 1982, Measuring agreement for multinomial
    data, *Biometrics* 38, 1047–1051; Hubert 1977, Kappa revisited, *Psychological Bulletin* 84,
    289–297.

    Examples
    --------
    The example of Fleiss, Cohen & Everitt (1969), 200 patients and three diagnoses:

    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[106, 10, 4], [22, 28, 10], [2, 12, 6]])
    >>> af.inference.kappa_test(data)
    <kappa(nominal) = 0.428571: z = 7.72028 against 0, p = 1.161e-14, 95% interval 0.3233 to \
0.5338, 200 items>
    >>> weights = [[0, 1, 0.5556], [1, 0, 0.3333], [0.5556, 0.3333, 0]]
    >>> round(af.inference.kappa_test(data, weights).standard_error ** 2, 6)
    0.003248

    Three coders:

    >>> rows = [[1, 1, 1], [2, 2, 2], [1, 1, 2], [2, 2, 2], [1, 2, 1], [3, 3, 3], [3, 1, 3]]
    >>> af.inference.kappa_test(rows)
    <kappa(nominal) = 0.56701: z = 3.76727 against 0, p = 0.000165, 95% interval 0.1981 to \
0.9359, 7 items>
    """
    check_share("confidence_level", confidence_level)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_null_value(null_value)
    resolved = distances.resolve(distance)
    annotations = as_annotations(data)
    of_two = len(annotations.known_coders("kappa_test()")) == 2
    if of_two:
        annotations, table, n_dropped = table_of_two(annotations, "kappa_test()")
        n = int(table.sum())
        estimate = Estimate(NAN, NAN, NAN, NO_PAIRS)
        if n:
            counts = table.sum(0) + table.sum(1)
            used = np.flatnonzero(counts)
            between = _distances(annotations, resolved, counts, used)
            estimate = _cohen(table[np.ix_(used, used)] / n, between, n)
    else:
        items = complete_items(annotations, "kappa_test()")
        check_symmetric(resolved)
        n, n_dropped = items.n_items, items.n_dropped
        estimate = Estimate(NAN, NAN, NAN, items.undefined)
        if n:
            estimate = multi_kappa(items, resolved)
    name = "kappa" if resolved.name == "nominal" else "weighted_kappa"
    found = z_test(
        "Fleiss, Cohen & Everitt 1969" if of_two else "Davies & Fleiss 1982",
        name,
        resolved.name,
        estimate,
        (n, n_dropped),
        null_value=null_value,
        alternative=alternative,
        confidence_level=confidence_level,
    )
    note = no_width(
        annotations,
        name,
        CHANCE["individual"],
        1.0 - estimate.value,
        (found.low, found.high),
        confidence_level=confidence_level,
        incomplete="complete",
    )
    return replace(found, note=note)


def _distances(
    annotations: Annotations, distance: Distance, counts: Array, used: Array
) -> FloatArray:
    """Return the distances of the pairs of some categories; ranks count all judgments."""
    marginals = counts.astype(np.float64) if distance.ranks else None
    form = distance.bind(annotations.labels, annotations.declared, marginals)
    return form.between(used[:, None], used[None, :])


def _cohen(shares: FloatArray, between: FloatArray, n: int) -> Estimate:
    """Estimate κ from the shares (K, K) of n items and the distances (K, K)."""
    rows, columns = shares.sum(1), shares.sum(0)
    by_row, by_column = between @ columns, rows @ between
    observed, expected = float((shares * between).sum()), float(rows @ by_row)
    if not expected:
        return Estimate(NAN, NAN, NAN, NO_VARIATION)
    either = by_row[:, None] + by_column[None, :]
    influence = (observed / expected) * (either - 2 * expected) - (between - observed)
    null_influence = between - either + expected
    scale = expected * math.sqrt(n)
    error = math.sqrt(float((shares * influence**2).sum())) / scale
    null_error = math.sqrt(float((np.outer(rows, columns) * null_influence**2).sum())) / scale
    return _estimate(observed, expected, error, null_error, float(between.max()) / scale)


def multi_kappa(items: CompleteItems, distance: Distance) -> Estimate:
    """Estimate κ of the complete items of two coders or more, for a symmetric distance."""
    counts = items.counts()
    used = np.flatnonzero(counts.sum(0))
    shares = counts[:, used] / items.n_items
    between = _distances(items.annotations, distance, counts.sum(0), used)
    C = len(shares)
    n_pairs = C * (C - 1) / 2
    by_coder = shares @ between  # (C, K): how far a label is from another coder's, on average
    pairs = list(combinations(range(C), 2))
    expected = sum(float(shares[c] @ by_coder[d]) for c, d in pairs) / n_pairs
    if not expected:
        return Estimate(NAN, NAN, NAN, NO_VARIATION)
    codes = np.searchsorted(used, items.codes)
    disagreement = np.zeros(len(codes))
    null_variance = 0.0
    for c, d in pairs:
        disagreement += between[codes[:, c], codes[:, d]]
        beyond = between - by_coder[d][:, None] - by_coder[c][None, :] + shares[c] @ by_coder[d]
        null_variance += float(shares[c] @ beyond**2 @ shares[d])
    disagreement /= n_pairs
    others = by_coder.sum(0) - by_coder
    either = sum(others[c][codes[:, c]] for c in range(C)) / n_pairs
    observed = float(items.weights @ disagreement) / items.n_items
    influence = (observed / expected) * (either - 2 * expected) - (disagreement - observed)
    scale = expected * math.sqrt(items.n_items)
    error = math.sqrt(float(items.weights @ influence**2) / items.n_items) / scale
    null_error = math.sqrt(null_variance) / n_pairs / scale
    return _estimate(observed, expected, error, null_error, float(between.max()) / scale)


def _estimate(
    observed: float, expected: float, error: float, null_error: float, unit: float
) -> Estimate:
    """Return κ with its errors; values that differ from 0 by rounding only are 0."""
    error, null_error = (one if one > 1e-12 * unit else 0.0 for one in (error, null_error))
    value = 1 - observed / expected
    return Estimate(value if abs(value) > 1e-12 else 0.0, error, null_error, None)
