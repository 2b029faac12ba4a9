"""Annotations that are drawn, or modified at random, to see what a reliability means."""

from agreement_fast.models.population import Population
from agreement_fast.subsets.reference_errors import (
    ReferenceErrors,
    StudySizes,
    reference_errors,
    study_sizes,
)
from agreement_fast.subsets.simulate import (
    NoisyCoders,
    Simulation,
    aickin_coders,
    noisy_coders,
    simulate,
    varied_coders,
)

__all__ = [
    "NoisyCoders",
    "Population",
    "ReferenceErrors",
    "Simulation",
    "StudySizes",
    "aickin_coders",
    "noisy_coders",
    "reference_errors",
    "simulate",
    "study_sizes",
    "varied_coders",
]
