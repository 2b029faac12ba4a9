"""Distances between texts: by shared words or pairs of characters, and by edits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from agreement_fast import _threads
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.base import Distance
from agreement_fast.distances.forms import BLOCK, Blocks, Form, Matrix
from agreement_fast.distances.set_geometry import bind_sets
from agreement_fast.errors import InputError
from agreement_fast.reading.labels import Labels

#: The most bytes of counted edits that are kept.
KEPT = 1 << 28

#: The most steps of counting edits, some minutes; a step is 64 pairs of characters.
STEPS = 1e11


def _check_texts(name: str, categories: Labels) -> list[str]:
    labels: list[Any] = list(categories)
    for label in labels:
        if not isinstance(label, str):
            raise InputError(
                f"distance {name} needs texts, but category {label!r} is not a text",
                "convert it to text, or use a distance of its type (sets: dice, numbers: interval)",
                argument="distance",
            )
    return labels


def _bigrams(text: Any) -> frozenset[Hashable]:
    """Return all pairs of neighbouring characters; a single character is its own bigram."""
    if len(text) == 1:
        return frozenset([text])
    return frozenset(text[i : i + 2] for i in range(len(text) - 1))


def _words(text: Any) -> frozenset[Hashable]:
    return frozenset(text.split())


def _by_pieces(name: str, pieces: Callable[[Hashable], Any]) -> Distance:
    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        return bind_sets("dice", tuple(_check_texts(name, categories)), as_set=pieces)

    return Distance(name, bind)


def _by_edits(name: str, scaled: bool) -> Distance:
    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        edits = Edits(name, _check_texts(name, categories), scaled)
        if len(categories) ** 2 <= BLOCK:
            places = np.arange(len(categories))
            return Matrix(edits.between(places[:, None], places[None, :]))
        return edits

    return Distance(name, bind)


class Edits(Blocks):
    """Levenshtein's (1966) distance, without a full matrix of floats.

    Parameters
    ----------
    name : str
        The name of the distance.
    texts : sequence of str
    scaled : bool
        Whether to divide by the length of the longer text.

    Raises
    ------
    InputError
        If comparing all texts would take too long, or rapidfuzz is not installed.
    """

    def __init__(self, name: str, texts: Sequence[str], scaled: bool) -> None:
        try:
            import rapidfuzz  # noqa: F401
        except ModuleNotFoundError:
            raise InputError(
                f"distance {name} needs rapidfuzz", 'pip install "agreement-fast[texts]"'
            ) from None
        super().__init__(len(texts), self._between)
        self._texts, self._scaled = texts, scaled
        self._lengths = np.array([len(text) for text in texts], np.int64)
        steps = float(self._lengths.sum()) * float((self._lengths // 64 + 1).sum())
        if steps > STEPS:
            raise InputError(
                f"distance {name} compares all pairs of {len(texts):,} texts of "
                f"{self._lengths.mean():,.0f} characters on average, which takes too long",
                "use bigram_dice or word_dice, or normalize the texts first (case, blanks)",
                argument="distance",
            )
        longest = int(self._lengths.max(initial=0))
        self._type = np.min_scalar_type(longest)
        self._whole: Array | None = None
        self._largest: float | None = None

    def _count(self, first: Sequence[str], second: Sequence[str]) -> Array:
        """Count the edits between each of some texts and each of others."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        edits: Array = cdist(
            first,
            second,
            scorer=Levenshtein.distance,
            dtype=np.int32,
            workers=_threads.available(),
        )
        return edits

    def _scale(self, edits: Array, a: Array, b: Array) -> FloatArray:
        if not self._scaled:
            return edits.astype(np.float64)
        longer = np.maximum(self._lengths[a], self._lengths[b])
        shares: FloatArray = edits / np.maximum(longer, 1)
        return shares

    def _blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of rows of all distances."""
        K = self.n_categories
        everything, step, largest = np.arange(K), max(1, BLOCK // max(K, 1)), 0.0
        kept = self._kept(step)
        for first in range(0, K, step):
            rows = slice(first, min(first + step, K))
            edits = self._count(self._texts[rows], self._texts) if kept is None else kept[rows]
            distances = self._scale(edits, everything[rows, None], everything[None, :])
            largest = max(largest, float(distances.max(initial=0.0)))
            yield rows, distances
        self._largest = largest

    def _kept(self, step: int) -> Array | None:
        """Return the edits of all pairs, counted once, or None if they take too much memory."""
        K = self.n_categories
        if self._whole is None and K * K * self._type.itemsize <= KEPT:
            whole = np.empty((K, K), self._type)
            for first in range(0, K, step):
                rows = slice(first, min(first + step, K))
                whole[rows, first:] = self._count(self._texts[rows], self._texts[first:])
                whole[first:, rows] = whole[rows, first:].T
            self._whole = whole
        return self._whole

    def times(self, v: Array) -> FloatArray:
        v = v.astype(np.float64)
        sums = np.empty_like(v)
        for rows, distances in self._blocks():
            sums[..., rows] = v @ distances.T
        return sums

    def total(self) -> float:
        return float(sum(distances.sum() for _, distances in self._blocks()))

    @property
    def largest(self) -> float:
        if self._largest is None:
            for _ in self._blocks():
                pass
        assert self._largest is not None
        return self._largest

    def _between(self, a: Array, b: Array) -> FloatArray:
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist

        if a.ndim == b.ndim == 2 and a.shape[1] == b.shape[0] == 1:  # every pair
            first, second = ([self._texts[i] for i in x.reshape(-1).tolist()] for x in (a, b))
            return self._scale(self._count(first, second), a, b)
        a, b = np.broadcast_arrays(a, b)
        first, second = ([self._texts[i] for i in x.reshape(-1).tolist()] for x in (a, b))
        edits = cpdist(first, second, scorer=Levenshtein.distance, dtype=np.int32)
        return self._scale(np.asarray(edits).reshape(a.shape), a, b)


bigram_dice = _by_pieces("bigram_dice", _bigrams)
word_dice = _by_pieces("word_dice", _words)
edit = _by_edits("edit", scaled=False)
edit_scaled = _by_edits("edit_scaled", scaled=True)

#: Distances between texts.
TEXTS = {d.name: d for d in (bigram_dice, word_dice, edit, edit_scaled)}
