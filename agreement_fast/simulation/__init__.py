"""Annotations that are drawn, or modified at random, to see what a reliability means."""

from agreement_fast.simulation.noisy_coders import NoisyCoders, noisy_coders
from agreement_fast.simulation.reference_errors import ReferenceErrors, reference_errors
from agreement_fast.simulation.simulate import Simulation, simulate

__all__ = [
    "NoisyCoders",
    "ReferenceErrors",
    "Simulation",
    "noisy_coders",
    "reference_errors",
    "simulate",
]
