"""Any coefficient against any value, by its interval in closed form."""

from __future__ import annotations

from typing import Any

from agreement_fast.inference.delta_method import standard_error
from agreement_fast.inference.tested import CoefficientTest


def coefficient_test(
    data: Any,
    coefficient: str = "alpha",
    *,
    distance: Any = "nominal",
    null_value: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    incomplete: str = "published",
    method: str = "score",
    cluster: Any = None,
    transform: str | None = None,
) -> CoefficientTest:
    """Test any coefficient, under any distance, against any value.

    Is α above .667? The test inverts the interval of `standard_error`: a two-sided p is below 1 −
    confidence_level exactly if the interval leaves the null value out.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    coefficient : str, default "alpha"
        Name of a coefficient.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    null_value : float, default 0
        The value to test against: below 1, and above −1 on Fisher's scale.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        The alternative hypothesis: "greater" asks whether the coefficient is above the null value.
    confidence_level : float, default 0.95
        Of the interval, between 0 and 1.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count,
        those with two judgments or more, or those that every coder judged.
    method : {"score", "delta", "gwet"}, default "score"
        The interval: that of all reports, or the value ± t standard errors by the infinitesimal
        jackknife ("delta") or as irrCAC prints it ("gwet").
    cluster : mapping item -> document, sequence of shape (n_rows,), or str, optional
        The document of each stored item, or the name of a column that was read `along`. Documents
        are then the sample. A pandas Series is matched to the items by its index.
    transform : {"none", "atanh"}, optional
        The scale of "delta" and "gwet": by default "none", which divides the plain difference by
        the standard error, as irrCAC does; "atanh" tests on Fisher's scale.

    Returns
    -------
    CoefficientTest
        The test. Its p-value is NaN, and `undefined` says why, if the coefficient is undefined, if
        there is only one item or document, or if the standard error is 0 by "delta" or "gwet".

    Raises
    ------
    ValueError
        If a name or choice is unknown, the distance does not fit the labels, there is no standard
        error in closed form, or the null value is out of range.

    See Also
    --------
    kappa_test, pi_test : Test κ and π against chance, with the standard error under chance.
    BootstrapResult.test : Test a coefficient by its bootstrap distribution.

    Notes
    -----
    With x and x₀ where the value, with the prior, and the null value lie between the least value
    and 1, and the effective number of items n, t = (x − x₀) √(n / (x₀ (1 − x₀))). On Fisher's
    scale t = (atanh(v) − atanh(v₀)) (1 − v²) / SE for the value v, the null value v₀ and the
    standard error SE. O(judgments).

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    >>> af.inference.coefficient_test(data, "alpha", null_value=0.667, alternative="greater")
    <alpha(nominal) = 0.800535: t(39.9562) = 1.9936 against 0.667, p = 0.02653, 95% interval \
0.6649 to 0.8821, 100 items>
    """
    found = standard_error(
        data,
        coefficient,
        distance=distance,
        confidence_level=confidence_level,
        incomplete=incomplete,
        method=method,
        cluster=cluster,
        transform=transform,
    )
    return found.test(null_value, alternative)
