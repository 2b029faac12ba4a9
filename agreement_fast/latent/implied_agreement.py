"""The agreement that given sensitivities and specificities imply."""

from __future__ import annotations

from dataclasses import dataclass

from agreement_fast.errors import InputError
from agreement_fast.options import check_number
from agreement_fast.tables import Row


@dataclass(frozen=True)
class ImpliedAgreement(Row):
    """The agreement of two coders with known rates, over endlessly many items.

    Attributes
    ----------
    prevalence, sensitivity, specificity : float
    other_sensitivity, other_specificity : float
        The rates of the second coder.
    observed_agreement : float
    kappa, pi : float
        NaN if both coders always say the same single category.
    """

    prevalence: float
    sensitivity: float
    specificity: float
    other_sensitivity: float
    other_specificity: float
    observed_agreement: float
    kappa: float
    pi: float


def implied_agreement(
    prevalence: float,
    sensitivity: float,
    specificity: float,
    *,
    other_sensitivity: float | None = None,
    other_specificity: float | None = None,
) -> ImpliedAgreement:
    """Compute the κ and π that a prevalence, sensitivities and specificities imply.

    Parameters
    ----------
    prevalence : float
        The share of items of the category of interest, from 0 to 1.
    sensitivity : float
        P(the first coder says the category | the item is of it), from 0 to 1.
    specificity : float
        P(the first coder does not say the category | the item is not of it), from 0 to 1.
    other_sensitivity : float, optional
        The sensitivity of the second coder; by default that of the first.
    other_specificity : float, optional
        The specificity of the second coder; by default that of the first.

    Returns
    -------
    ImpliedAgreement
        The rates, the observed agreement, κ and π.

    Raises
    ------
    TypeError, ValueError
        If a rate is not a number from 0 to 1.

    Notes
    -----
    Coders are assumed to err independently given the item's true label. With prevalence π,
    sensitivity s and specificity t, a coder says the category for P = π s + (1 − π)(1 − t) of the
    items. The covariance of two coders' labels is π (1 − π)(s + t − 1)(s' + t' − 1), and A_o − A_e
    is twice the covariance, so that

        κ = 2 π (1 − π)(s + t − 1)(s' + t' − 1) / (P (1 − P') + P' (1 − P)),

    For coders with equal rates, this is π (1 − π)(s + t − 1)² / (P (1 − P)). With the same rates, κ
    is lower for a rarer category, so κ does not show whether the sensitivity is high (Artstein &
    Poesio 2005, footnote 11).

    References
    ----------
    Kraemer, H. C. (1979). Ramifications of a population model for κ as a coefficient of
    reliability. Psychometrika 44(4), 461-472.

    Examples
    --------
    >>> from agreement_fast import latent
    >>> round(latent.implied_agreement(0.05, 0.9, 0.95).kappa, 4)
    0.4088
    >>> round(latent.implied_agreement(0.5, 0.9, 0.95).kappa, 4)
    0.7243
    """
    rates = {
        "prevalence": prevalence,
        "sensitivity": sensitivity,
        "specificity": specificity,
        "other_sensitivity": sensitivity if other_sensitivity is None else other_sensitivity,
        "other_specificity": specificity if other_specificity is None else other_specificity,
    }
    for name, value in rates.items():
        if not 0 <= check_number(name, value) <= 1:
            raise InputError.must_be(name, "from 0 to 1", value)
    share, s, t, s2, t2 = map(float, rates.values())
    said, said2 = share * s + (1 - share) * (1 - t), share * s2 + (1 - share) * (1 - t2)
    observed = share * (s * s2 + (1 - s) * (1 - s2)) + (1 - share) * (t * t2 + (1 - t) * (1 - t2))
    mean = (said + said2) / 2
    return ImpliedAgreement(
        share, s, t, s2, t2, observed,
        _beyond(observed, said * (1 - said2) + said2 * (1 - said)),
        _beyond(observed, 2 * mean * (1 - mean)),
    )  # fmt: skip


def _beyond(observed: float, expected_disagreement: float) -> float:
    if not expected_disagreement > 0:
        return float("nan")
    return 1 - (1 - observed) / expected_disagreement
