"""The agreement that coders of some sensitivity and specificity have."""

from __future__ import annotations

from dataclasses import dataclass

from agreement_fast.errors import InputError
from agreement_fast.options import check_number
from agreement_fast.tables import Row


@dataclass(frozen=True)
class ImpliedAgreement(Row):
    """What two coders of known rates agree, over endlessly many items.

    Attributes
    ----------
    prevalence, sensitivity, specificity : float
    other_sensitivity, other_specificity : float
        Of the second coder.
    observed_agreement : float
    kappa, pi : float
        NaN where both coders always say the same one category.
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
    """κ and π of two coders that a prevalence and their sensitivity and specificity imply.

    Parameters
    ----------
    prevalence : float
        The share of items that are of the category of interest, from 0 to 1.
    sensitivity, specificity : float
        How often the first coder finds it where it is, and leaves it out where it is not; from 0
        to 1.
    other_sensitivity, other_specificity : float, optional
        The same of the second coder; by default those of the first.

    Returns
    -------
    ImpliedAgreement

    Raises
    ------
    TypeError, ValueError
        A rate that is no number from 0 to 1.

    Notes
    -----
    Coders err independently given what the item is. With prevalence π, a coder says the category
    for P = π s + (1 − π)(1 − t) of the items, s being the sensitivity and t the specificity. The
    covariance of what two coders say is that of the class alone, π (1 − π)(s + t − 1)(s' + t' − 1),
    and 1 − A_e − (1 − A_o) is twice that, so that

        κ = 2 π (1 − π)(s + t − 1)(s' + t' − 1) / (P (1 − P') + P' (1 − P)),

    which for coders alike is π (1 − π)(s + t − 1)² / (P (1 − P)). The rarer the category, the lower
    κ is for the same rates: no κ tells whether the sensitivity is high (Artstein & Poesio 2005,
    footnote 11).

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
