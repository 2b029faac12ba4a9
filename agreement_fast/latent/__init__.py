"""Latent models: coders' errors, the items' true labels, and how many coders are needed.

Letters in shapes: N items, C coders, K categories, T latent classes.
"""

from agreement_fast.models.accuracy import (
    AboveThreshold,
    Accuracy,
    CodersNeeded,
    ImpliedAgreement,
    RateIntervals,
    accuracy,
    coders_needed,
    implied_agreement,
)
from agreement_fast.models.em import Judgments
from agreement_fast.models.latent_classes import (
    ClassChoice,
    DawidSkene,
    LatentClasses,
    LatentModel,
    choose_classes,
    dawid_skene,
    latent_classes,
)
from agreement_fast.models.population import Population
from agreement_fast.models.trait import LatentTrait, latent_trait
from agreement_fast.models.two_coders import AickinAlpha, Polychoric, aickin_alpha, polychoric
from agreement_fast.models.uncertainty import StandardErrors, standard_errors

__all__ = [
    "AboveThreshold",
    "Accuracy",
    "AickinAlpha",
    "ClassChoice",
    "CodersNeeded",
    "DawidSkene",
    "ImpliedAgreement",
    "Judgments",
    "LatentClasses",
    "LatentModel",
    "LatentTrait",
    "Polychoric",
    "Population",
    "RateIntervals",
    "StandardErrors",
    "accuracy",
    "aickin_alpha",
    "choose_classes",
    "coders_needed",
    "dawid_skene",
    "implied_agreement",
    "latent_classes",
    "latent_trait",
    "polychoric",
    "standard_errors",
]
