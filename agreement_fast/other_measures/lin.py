"""Lin's concordance for any number of coders, which equals β with squared differences."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.annotations import as_annotations
from agreement_fast.inference.delta_method import standard_error
from agreement_fast.options import check_share
from agreement_fast.other_measures.measure import EXACT, FEW_ITEMS, NAN, Measure
from agreement_fast.other_measures.ratings import Ratings


def overall_concordance(data: Any, *, confidence_level: float = 0.95) -> Measure:
    """Compute the overall concordance correlation of all coders (Barnhart, Haber & Song 2002).

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers. Items that a coder did not judge
        are left out.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.

    Returns
    -------
    Measure
        The overall concordance with its interval.

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two coders, or `data` are counts
        without coders.

    Notes
    -----
    CCC = 2 Σ_{c<d} s_cd / ((C − 1) Σ_c s_c² + Σ_{c<d} (m_c − m_d)²), with moments divided by the
    number of items. It is the mean of the pairs' Lin coefficients, weighted by their denominators.
    It equals `agreement_fast.beta` with the distance "interval", the quadratically weighted κ for
    any number of coders. So this measure is agreement, under another name. The interval is that of
    `inference.standard_error` on Fisher's scale. The cost is O(judgments).

    References
    ----------
    Barnhart, H. X., Haber, M., & Song, J. (2002). Overall concordance correlation coefficient for
    evaluating agreement among multiple observers. Biometrics 58, 1020-1027.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 2, 1], [2, 3, 3], [3, 4, 3], [4, 5, 4], [2, 3, 2]]
    >>> one = af.other_measures.overall_concordance(table)
    >>> round(one, 6) == round(af.beta(table, "interval"), 6)
    True
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    ratings = Ratings(annotations, "the overall concordance correlation")
    found = standard_error(
        annotations,
        "beta",
        distance="interval",
        incomplete="complete",
        confidence_level=confidence_level,
        transform="atanh",
    )
    value, low, high, note = found.value, found.low, found.high, found.note
    if value >= 1 - 1e-12 and not math.isnan(value):
        low, high, note = NAN, NAN, EXACT
    elif found.undefined is None and math.isnan(low):
        note = note or FEW_ITEMS
    n_coders = len(ratings.coders)
    return Measure(
        "overall CCC", None, None, value, low, high, confidence_level, found.n_items,
        found.n_items_dropped, n_coders, found.undefined, note,
    )  # fmt: skip
