"""The coefficients of unitizing: how they are written, and the questions they answer."""

from __future__ import annotations

from collections.abc import Mapping

#: By name: how the coefficient is written, and its question.
QUESTIONS: Mapping[str, tuple[str, str]] = {
    "alpha_u": ("alpha_U (1995)", "do coders have units of a category in the same places?"),
    "u_alpha": ("u-alpha", "do units coincide in place and category, gaps included?"),
    "binary_u_alpha": ("|u-alpha", "do coders mark the same places, in any category?"),
    "cu_alpha": ("cu-alpha", "do places that both coders marked have the same category?"),
    "ku_alpha": ("(k)u-alpha", "the same, for each category"),
}
