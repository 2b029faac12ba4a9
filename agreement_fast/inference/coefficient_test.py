"""Any coefficient against any value, by the standard error in closed form."""

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
    method: str = "delta",
    cluster: Any = None,
    transform: str = "atanh",
) -> CoefficientTest:
    """Test any coefficient, under any distance, against any value.

    Is α above .667? t is what lies between α and .667, over the standard error of `standard_error`,
    with one degree of freedom less than there are items. Test and interval are one: p is below
    1 − confidence_level exactly if the interval leaves the null value out.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads (items × coders)
    coefficient, distance, incomplete :
        As in `agreement`.
    null_value : float
        Below 1, and above −1 on Fisher's scale.
    alternative : {"two-sided", "greater", "less"}
        What is true if the null value is not: "greater" asks whether the coefficient is higher.
    confidence_level : float
        Of the interval, between 0 and 1.
    method, cluster :
        As in `standard_error`; with `cluster` documents are the sample.
    transform : {"atanh", "none"}
        "atanh" tests on Fisher's scale, as the intervals of the report do; "none" divides the plain
        difference by the standard error, as irrCAC does.

    Returns
    -------
    CoefficientTest
        NaN, and `undefined` says why, where the coefficient is undefined, its standard error is 0,
        or there is one item or document.

    Raises
    ------
    ValueError
        As `standard_error`; a null value that is out of range.

    See Also
    --------
    kappa_test, pi_test : κ and π against chance, by the error that holds if chance were all.
    BootstrapResult.test : The same from a bootstrap.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    >>> af.inference.coefficient_test(data, "alpha", null_value=0.667, alternative="greater")
    <alpha(nominal) = 0.800535: t(99) = 1.98252 against 0.667, p = 0.0251, 95% interval 0.6669 \
to 0.8843, 100 items>
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
