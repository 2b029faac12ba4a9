"""Coefficients of subsets of coders, one subset at a time, if there is no faster way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.coefficients import agreement
from agreement_fast.distances import ranked_among
from agreement_fast.points import Point

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


class Singly:
    """Values of coefficients, with each subset selected and computed by itself."""

    block = 128

    def __init__(self, annotations: Annotations, points: list[Point], incomplete: str) -> None:
        self._annotations = annotations
        self._points = [
            replace(point, distance=ranked_among(point.distance, annotations.labels))
            for point in points
        ]
        self._incomplete = incomplete

    def values(self, masks: Array, size: int) -> FloatArray:
        """Compute the coefficients of subsets of one size, float64 of shape (M, B)."""
        coders = self._annotations.known_coders("a study of subsets of coders")
        out = np.empty((len(self._points), len(masks)))
        for b, mask in enumerate(masks.tolist()):
            chosen = [coder for c, coder in enumerate(coders) if mask >> c & 1]
            data = self._annotations.select(coders=chosen)
            for m, point in enumerate(self._points):
                out[m, b] = agreement(
                    data,
                    chance=point.chance.name,
                    item_weight=point.item_weight,
                    distance=point.distance,
                    incomplete=self._incomplete,
                ).value
        return out
