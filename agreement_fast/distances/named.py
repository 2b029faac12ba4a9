"""Distances with a name, and distances given as a matrix or as a function."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from agreement_fast._kernels import parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.forms import (
    BLOCK,
    RATIONAL_MATRIX,
    Absolute,
    Blocks,
    Circle,
    Distance,
    Form,
    Matrix,
    MatrixDistance,
    Nominal,
    Rational,
    Squared,
    small_as_matrix,
)
from agreement_fast.distances.set_geometry import SETS, bind_sets
from agreement_fast.errors import Argument, InputError, InputTypeError, LabelHint, Phrase, hint
from agreement_fast.options import Numbers
from agreement_fast.present.terminal import shorten
from agreement_fast.reading.kept_moments import check_spread
from agreement_fast.reading.labels import (
    Categories,
    Labels,
    as_python,
    declared_categories,
)
from agreement_fast.reading.recognition.labels import PASTED
from agreement_fast.reading.recognition.order import example, proposed, usual_order

#: Errors of these arguments.
wrong_categories = partial(InputError, argument="categories")
wrong_distance = partial(InputError, argument="distance")
wrong_table = partial(InputError, argument="table")


#: A number with a comma for its point.
DECIMAL_COMMA = re.compile("[+-]?[0-9]+,[0-9]+")

#: The most bytes of counted edits that are kept.
KEPT = 1 << 28

#: The most steps of counting edits, some minutes; a step is 64 pairs of characters.
STEPS = 1e11


def _check_texts(name: str, categories: Labels) -> list[str]:
    labels: list[Any] = list(categories)
    for label in labels:
        if not isinstance(label, str):
            raise wrong_distance(
                f"distance {name} needs texts, but category {label!r} is not a text",
                "convert it to text, or use a distance of its type (sets: dice, numbers: interval)",
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
        return small_as_matrix(Edits(name, _check_texts(name, categories), scaled), len(categories))

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
            raise wrong_distance(
                f"distance {name} compares all pairs of {len(texts):,} texts of "
                f"{self._lengths.mean():,.0f} characters on average, which takes too long",
                "use bigram_dice or word_dice, or normalize the texts first (case, blanks)",
            )
        longest = int(self._lengths.max(initial=0))
        self._type = np.min_scalar_type(longest)
        self._whole: Array | None = None
        self._largest: float | None = None

    def _count(self, first: Sequence[str], second: Sequence[str]) -> Array:
        """Count the edits between each of some texts and each of others."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        workers = parallel.available()
        return np.asarray(
            cdist(first, second, scorer=Levenshtein.distance, dtype=np.int32, workers=workers)
        )

    def _scale(self, edits: Array, a: Array, b: Array) -> FloatArray:
        if not self._scaled:
            return edits.astype(np.float64)
        longer = np.maximum(self._lengths[a], self._lengths[b])
        return np.asarray(edits / np.maximum(longer, 1))

    def blocks(self) -> Iterator[tuple[slice, FloatArray]]:
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

    @property
    def largest(self) -> float:
        if self._largest is None:
            for _ in self.blocks():
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


def _ask_order(categories: Sequence[Any]) -> Phrase:
    """Return the remedy for labels without an order; it proposes the usual one, if there is one."""
    listed = example(categories)
    return Phrase("order", ("declare the order, as in ", Argument("categories", listed)), listed)


def _numbers(name: str, categories: Labels) -> FloatArray:
    if isinstance(categories, np.ndarray):  # distinct numbers, sorted, of a table of floats
        if not np.isfinite(categories).all():
            raise wrong_distance(f"distance {name} needs finite numbers, but some are infinite")
        return categories
    odd = _not_a_number(categories)
    if odd is not None:
        label, remedy = odd
        if remedy is None:
            remedy = ("for ordered words use ordinal or rank_linear and ", _ask_order(categories))
            if isinstance(label, str) and DECIMAL_COMMA.fullmatch(label.strip()):
                remedy = "write decimal commas as points, and thousands without a mark"
            elif isinstance(label, str) and _is_number(label):
                remedy = "digits in quotes are text, convert the labels to numbers"
        raise wrong_distance(
            f"distance {name} needs numbers, but category {label!r} is not a number", remedy
        )
    values = np.array([_float(name, label) for label in categories])
    if not np.isfinite(values).all():
        bad = categories[int(np.argmin(np.isfinite(values)))]
        raise wrong_distance(f"distance {name} needs finite numbers, got category {bad!r}")
    return values


def _float(name: str, label: Any) -> float:
    try:
        return float(label)
    except OverflowError:
        raise wrong_distance(
            f"distance {name}: expected numbers below 1e308, got one of "
            f"{len(str(abs(label))):,} digits",
            "divide the labels by a common factor",
        ) from None


def _differences(name: str, categories: Labels) -> FloatArray:
    """Subtract one of the numbers from all, for distances that depend only on differences.

    Integers are subtracted as integers: nanoseconds since 1970 differ in digits beyond a float.
    """
    values = _numbers(name, categories)
    if (
        isinstance(categories, tuple)
        and any(abs(value) > 2.0**53 for value in values.tolist())
        and all(isinstance(label, int) for label in categories)
    ):
        origin = cast(int, categories[0])
        values = np.array([_float(name, cast(int, label) - origin) for label in categories])
    if len(values):
        check_spread(f"distance {name}", float(values.min()), float(values.max()))
    return values


def _is_number(label: Any) -> bool:
    try:
        if math.isinf(float(label)):
            return not isinstance(label, str | bytes)
    except (TypeError, ValueError):
        return False
    except OverflowError:
        return True
    return True


def _not_a_number(categories: Categories) -> tuple[Hashable, Any] | None:
    """Find a label that is text or no number, and the hint for it if it is one of few."""
    if set(map(type, categories)) <= {int, float}:
        return None
    odd = [label for label in categories if not _is_number(label)]
    texts = [label for label in categories if isinstance(label, str | bytes)]
    for label in odd[:1] if 2 * len(odd) < len(categories) else ():
        if isinstance(label, str) and not DECIMAL_COMMA.fullmatch(label.strip()):
            return label, ("if it means no judgment, pass ", Argument("missing", label))
    for label in () if odd else texts:
        if isinstance(label, str) and label != label.strip():
            return label, "remove the blank from this label in the data"
    return next(((label, None) for label in odd or texts), None)


def _check_order(name: str, categories: Labels, declared: bool) -> None:
    """Check that ranks come from numbers or a declared order, never from the alphabet."""
    odd = None if declared or isinstance(categories, np.ndarray) else _not_a_number(categories)
    if odd is not None:
        raise wrong_categories(
            f"distance {name} needs an order, but category {odd[0]!r} is not a number",
            odd[1] or _ask_order(tuple(categories)),
        )
    scale = _scale_beside(categories) if declared and isinstance(categories, tuple) else None
    if scale is not None:
        hint(
            f"the categories are declared in alphabetical order, {shorten(list(categories))}, and "
            f"distance {name} takes it for their scale: if it is the usual one, pass "
            f"categories={scale!r}",
            LabelHint,
        )


@functools.lru_cache(64)
def _scale_beside(categories: Categories) -> list[Any] | None:
    """Return the usual order of words in alphabetical order, if it is neither that nor reversed."""
    if not 2 < len(categories) <= PASTED or {*map(type, categories)} != {str}:
        return None
    listed = sorted(map(str, categories))
    usual = usual_order(listed) if listed == list(categories) else None
    return None if usual in (None, listed, listed[::-1]) else usual


#: Recent forms by number of categories; a form holds nothing else.
_nominal = functools.lru_cache(64)(Nominal)


def _interval(categories: Labels) -> Form:
    return Squared(_differences("interval", categories)[:, None])


#: The forms of the last scales of a few steps.
_interval_of_few = functools.lru_cache(64)(_interval)

#: Categories of a scale of a few steps.
FEW = 32


def _bind_interval(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
    if isinstance(categories, tuple) and len(categories) <= FEW:
        return _interval_of_few(categories)
    return _interval(categories)


def _ranks(name: str, categories: Labels, declared: bool) -> FloatArray:
    _check_order(name, categories, declared)
    return np.arange(len(categories), dtype=np.float64)


def _bind_ordinal(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
    _check_order("ordinal", categories, declared)
    assert marginals is not None
    # Krippendorff's sum from a to b minus half of both ends is a difference of mid-ranks.
    return Squared((np.cumsum(marginals) - marginals / 2)[:, None])


def _rational(p: FloatArray, a: FloatArray, b: FloatArray) -> Form:
    """(p_i − p_j)² / ((a_i + a_j)(b_i + b_j)), as a matrix if it is small."""
    return small_as_matrix(Rational(p, a, b), len(p), RATIONAL_MATRIX)


def _bind_ratio(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
    values = _numbers("ratio", categories)
    if (values < 0).any():
        bad = categories[int(np.argmax(values < 0))]
        raise wrong_distance(f"distance ratio needs values >= 0, got category {bad!r}")
    positive = values[values > 0]
    for end in (positive.min(initial=1.0), positive.max(initial=1.0)):
        check_spread("distance ratio", 0.0, float(end))
    return _rational(values, values, values)


nominal = Distance("nominal", lambda labels, declared, marginals=None: _nominal(len(labels)))
ordinal = Distance("ordinal", _bind_ordinal, ranks=True)
interval = Distance("interval", _bind_interval, differences=True)
quadratic = Distance("quadratic", _bind_interval, differences=True)
ratio = Distance("ratio", _bind_ratio)
linear = Distance(
    "linear", lambda labels, declared, marginals=None: Absolute(_differences("linear", labels))
)
rank_linear = Distance(
    "rank_linear",
    lambda labels, declared, marginals=None: Absolute(_ranks("rank_linear", labels, declared)),
)
rank_quadratic = Distance(
    "rank_quadratic",
    lambda labels, declared, marginals=None: Squared(
        _ranks("rank_quadratic", labels, declared)[:, None]
    ),
)


NAMED = {
    d.name: d
    for d in (
        nominal, ordinal, interval, quadratic, ratio, linear, rank_linear, rank_quadratic,
    )
} | SETS | TEXTS  # fmt: skip
_SYNONYMS = {
    "squared": "quadratic",
    "absolute": "linear",
    "symmetric_difference": "hamming",
    "identity": "nominal",
}

#: Names in other packages for distances that need more than a name here.
_OF_OTHERS = {
    "euclidean": "for one number per label use 'linear', which is |a - b|, or 'interval', which is "
    "its square and what Antoine et al. (2014) computed; for several numbers per label pass the "
    "function math.dist, or lambda a, b: math.dist(a, b) ** 2",
    "radical": "irrCAC's radical weights are 'gwet:radical'",
    "circular": "it needs its period, as in 'circular:24'; irrCAC's, with the largest label minus "
    "the smallest, plus 1, is 'gwet:circular'",
    "bipolar": "it needs the ends of the scale, as in 'bipolar:1:5'; irrCAC's, with the smallest "
    "and the largest label, is 'gwet:bipolar'",
    "gwet": "it needs the name of the weights, as in 'gwet:ordinal'",
    "spans": "it needs a distance between sets, as in af.distances.spans('jaccard'), and labels "
    "that are (start, end)",
}


def circular(period: float) -> Distance:
    """sin²(π (a − b)/U) for values on a circle (Krippendorff 2011).

    Parameters
    ----------
    period : float
        The circumference U: 24 for hours, 360 for degrees. It is never taken from the data.

    Returns
    -------
    Distance
        The distance, from 0 to 1.

    Raises
    ------
    ValueError
        If `period` is not positive and finite.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> distances.circular(24).matrix([0, 6, 12]).round(6).tolist()
    [[0.0, 0.5, 1.0], [0.5, 0.0, 0.5], [1.0, 0.5, 0.0]]
    """
    period = _finite("circular", "period", period)
    if period <= 0:
        raise InputError(f"circular needs a positive period, got {period:g}", argument="period")
    name = f"circular:{period:g}"

    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        return small_as_matrix(Circle(_differences(name, categories), period), len(categories))

    return Distance(name, bind)


def bipolar(low: float, high: float) -> Distance:
    """(a − b)²/((a + b − 2 low)(2 high − a − b)) between two poles (Krippendorff 2011).

    Parameters
    ----------
    low, high : float
        The ends of the scale; a label outside them raises an error.

    Returns
    -------
    Distance
        The distance, from 0 to 1.

    Raises
    ------
    ValueError
        If `low` is not below `high`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> af.distances.bipolar(0, 100).matrix([0, 50, 100]).round(3).tolist()
    [[0.0, 0.333, 1.0], [0.333, 0.0, 0.333], [1.0, 0.333, 0.0]]
    """
    low, high = _finite("bipolar", "low", low), _finite("bipolar", "high", high)
    if low >= high:
        raise InputError(f"bipolar needs low < high, got {low:g} and {high:g}")
    name = f"bipolar:{low:g}:{high:g}"

    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        values = _numbers(name, categories)
        outside = (values < low) | (values > high)
        if outside.any():
            bad = categories[int(np.argmax(outside))]
            raise wrong_distance(
                f"distance {name}: category {bad!r} is outside {low:g} .. {high:g}"
            )
        return _rational(values, values - low, high - values)

    return Distance(name, bind)


def _rational_of(p: FloatArray, sums: FloatArray) -> FloatArray:
    """Return p / sums, and 0 for 0 / 0."""
    return np.divide(p, sums, out=np.zeros(p.shape), where=sums > 0)


#: Gwet's distances of numbers x and y on a scale from low to high, before they are divided by the
#: largest: 1 − w of the weights w in chapter 4 of Gwet 2014.
_GWET: dict[str, Callable[[Any, Any, float, float], Any]] = {
    "linear": lambda x, y, low, high: np.abs(x - y),
    "quadratic": lambda x, y, low, high: (x - y) ** 2,
    "ordinal": lambda x, y, low, high: np.abs(x - y) * (np.abs(x - y) + 1) / 2,
    "radical": lambda x, y, low, high: np.sqrt(np.abs(x - y)),
    "ratio": lambda x, y, low, high: _rational_of((x - y) ** 2, (x + y) ** 2),
    "circular": lambda x, y, low, high: np.sin(np.pi * (x - y) / (high - low + 1)) ** 2,
    "bipolar": lambda x, y, low, high: _rational_of(
        (x - y) ** 2, (x + y - 2 * low) * (2 * high - x - y)
    ),
}


def gwet(weights: str) -> Distance:
    """1 − w of Gwet's weights (2014, chapter 4), which are those of irrCAC.

    Parameters
    ----------
    weights : str
        "linear", "quadratic", "ordinal", "radical", "ratio", "circular" or "bipolar".

    Returns
    -------
    Distance
        The distance, divided by the largest between two categories. Labels are numbers, or have a
        declared order and count as 1 to K. For ordinal, all labels count as their ranks.

    Raises
    ------
    ValueError
        If `weights` is none of these names.

    Notes
    -----
    Unlike `circular` and `bipolar`, these distances take the ends of the scale from the categories,
    used or declared: a category that nobody used changes them.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> distances.gwet("ordinal").matrix([1, 2, 3]).round(3).tolist()
    [[0.0, 0.333, 1.0], [0.333, 0.0, 0.333], [1.0, 0.333, 0.0]]
    """
    formula = _GWET.get(weights) if isinstance(weights, str) else None
    if formula is None:
        raise InputError.must_be("weights", f"one of {', '.join(_GWET)}", weights)
    name = f"gwet:{weights}"

    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        _check_order(name, categories, declared)
        texts = any(isinstance(label, str | bytes) for label in categories)
        if texts or not all(map(_is_number, categories)):
            values = np.arange(1.0, len(categories) + 1)
        else:
            values = _numbers(name, categories)
        if weights == "ordinal":
            values = np.argsort(np.argsort(values)).astype(np.float64)
        if weights == "ratio" and (values < 0).any():
            raise wrong_distance(f"distance {name} needs values >= 0, got {values.min():g}")
        ends = (float(values.min(initial=np.inf)), float(values.max(initial=-np.inf)))
        check_spread(f"distance {name}", *ends)

        def between(a: Array, b: Array) -> FloatArray:
            return np.asarray(formula(values[a], values[b], *ends))

        form = Blocks(len(values), between)
        largest = form.largest or 1.0
        scaled = Blocks(len(values), lambda a, b: between(a, b) / largest)
        return small_as_matrix(scaled, len(values))

    return Distance(name, bind)


def _finite(name: str, what: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputTypeError(
            (f"{name}: ", Argument(what), f" must be a number, not {value!r}")
        ) from None
    if not math.isfinite(number):
        raise InputError((f"{name}: ", Argument(what), f" must be finite, not {number}"))
    return number


# ---------------------------------------------------------------------- one's own


def matrix(table: Numbers, categories: Sequence[Hashable] | None = None) -> Distance:
    """Create a distance from a matrix.

    Parameters
    ----------
    table : array-like of shape (K, K), or mapping of mappings
        The distances, ``table[a][b]``. A mapping may omit the diagonal and one of both orders.
    categories : sequence of K labels, optional
        The labels of the rows of an array; by default the data's categories in their order.

    Returns
    -------
    Distance
        The distance, which every coefficient with a distance accepts.

    Raises
    ------
    ValueError
        If the matrix is not square, or a distance is negative or not finite; for agreement weights
        (1 on the diagonal), pass ``1 - w``.

    Examples
    --------
    Artstein & Poesio 2005, section 2.8:

    >>> from agreement_fast import alpha, Annotations, distances
    >>> table = [[46, 0, 0], [6, 32, 6], [0, 0, 10]]
    >>> data = Annotations.from_contingency(table, categories=["stat", "ireq", "chck"])
    >>> d = distances.matrix({"stat": {"ireq": 1, "chck": 0.5}, "ireq": {"chck": 0.5}})
    >>> round(alpha(data, d).value, 4)
    0.8156
    """
    labels: Categories | None
    if isinstance(table, Mapping):
        if categories is not None:
            raise InputTypeError(
                (Argument("categories"), " is only for an array"),
                "a mapping names its labels itself",
            )
        labels, values = _from_mapping(table)
    else:
        values = np.asarray(table)
        if values.dtype.kind not in "buif":
            raise InputTypeError((Argument("table"), f" must be numbers, not {values.dtype}"))
        values = values.astype(np.float64)
        labels = declared_categories(categories)
        if values.ndim != 2 or values.shape[0] != values.shape[1]:
            raise wrong_table(f"a matrix of distances must be square, got shape {values.shape}")
        if labels is not None and len(labels) != len(values):
            raise wrong_categories(
                f"expected {len(values)} categories, one per row of distances, got {len(labels)}"
            )
    places = np.arange(len(values))
    _check_values("matrix", labels or places.tolist(), places[:, None], places, values)
    if len(values) > 1 and (np.diagonal(values) == 1).all() and values.max() <= 1:
        raise InputError(
            "these look like agreement weights (1 on the diagonal)",
            "a distance must be 0 between equal labels, pass 1 - w",
        )
    symmetric = bool((values == values.T).all() and not np.diagonal(values).any())

    def bind(result: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        if labels is None:
            if len(result) != len(values):
                raise wrong_distance(
                    f"the matrix has {len(values)} rows, but the data have {len(result)} "
                    f"categories ({shorten(list(result))})",
                    (
                        "name the rows by ",
                        Argument("categories"),
                        " of distances.matrix, or declare the data's categories",
                    ),
                )
            odd = None if declared or isinstance(result, np.ndarray) else _not_a_number(result)
            apart = values[~np.eye(len(values), dtype=bool)] if odd is not None else values[:0]
            # The order of the rows does not matter if all distances are the same.
            if odd is not None and isinstance(odd[0], str) and (apart != apart[:1]).any():
                few = len(result) <= PASTED
                raise wrong_categories(
                    f"the matrix does not name its rows, and category {odd[0]!r} is not a number, "
                    "so which row is its own is not known",
                    odd[1]
                    or (
                        "declare the categories in the order of the rows, as in ",
                        Argument("categories", proposed([*result]) if few else example([*result])),
                    ),
                )
            return Matrix(values)
        place = {label: i for i, label in enumerate(labels)}
        unknown = [label for label in result if label not in place]
        if unknown:
            raise wrong_distance(f"the matrix has no distances for category {unknown[0]!r}")
        picked = [place[label] for label in result]
        return Matrix(values[np.ix_(picked, picked)])

    return MatrixDistance("matrix", bind, symmetric=symmetric)


def _from_mapping(
    table: Mapping[Any, Mapping[Any, float]],
) -> tuple[Categories, FloatArray]:
    names: dict[Hashable, None] = {}
    for outer, inner in table.items():
        if not isinstance(inner, Mapping):
            raise InputTypeError(
                (
                    Argument("table"),
                    f"[{outer!r}] must be a mapping label -> distance, not {inner!r}",
                )
            )
        names[as_python(outer)] = None
        names.update(dict.fromkeys(as_python(label) for label in inner))
    labels = tuple(names)
    values = np.zeros((len(labels), len(labels)))
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            given = table.get(a, {}).get(b)
            if given is None:
                given = table.get(b, {}).get(a)
            if given is None and i != j:
                raise wrong_table(f"there is no distance between {a!r} and {b!r}")
            values[i, j] = 0.0 if given is None else float(given)
    return labels, values


#: The largest distance whose products and sums do not overflow.
LARGEST = 1e100


def _check_values(
    name: str, labels: Any, a: Array, b: Array, values: FloatArray, *more: tuple[Array, str]
) -> None:
    """Refuse values that are no distances of the labels at `a` and `b`, or that are `more`."""
    a, b = np.broadcast_arrays(a, b)
    for bad, what in (
        (~np.isfinite(values), "not finite"),
        (values < 0, "negative"),
        (values > LARGEST, f"more than {LARGEST:g}, too large to be summed"),
        *more,
    ):
        if bad.any():
            where = tuple(np.argwhere(bad)[0])
            raise InputError(
                f"distance {name}: d({labels[a[where]]!r}, {labels[b[where]]!r}) = "
                f"{values[where]} is {what}"
            )


def from_function(function: Callable[[Any, Any], float]) -> Distance:
    """Create a distance from a function of two labels, called for both orders of every pair."""
    name = getattr(function, "__name__", type(function).__name__)

    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        labels = np.empty(len(categories), object)
        for i, label in enumerate(categories):
            labels[i] = label
        call = np.frompyfunc(function, 2, 1)

        def between(a: Array, b: Array) -> FloatArray:
            forward = _as_floats(call(labels[a], labels[b]), name)
            back = _as_floats(call(labels[b], labels[a]), name)
            one_way, not_0 = forward != back, (a == b) & (forward != 0)
            more = (one_way, "not the same in both orders"), (not_0, "not 0")
            _check_values(name, labels, a, b, forward, *more)
            return forward

        return small_as_matrix(Blocks(len(categories), between), len(categories))

    return Distance(name, bind)


def _as_floats(values: Any, name: str) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(
            f"distance {name} must return numbers: {error}", argument="distance"
        ) from None


def resolve(distance: Any) -> Distance:
    """Return the distance that a name, distance, array, mapping or function stands for."""
    if isinstance(distance, Distance):
        return distance
    if isinstance(distance, str):
        return _by_name(distance)
    if isinstance(distance, (np.ndarray, Mapping, list, tuple)):
        return matrix(distance)
    if callable(distance):
        if distance in (circular, bipolar, gwet, matrix):
            raise InputTypeError(
                f"{distance.__name__} needs its arguments, as in circular(24)", argument="distance"
            )
        return from_function(distance)
    raise InputTypeError(
        f"{distance!r} is not a distance",
        "pass a name, a matrix or a function d(a, b)",
        argument="distance",
    )


def ranked_among(distance: Distance, categories: Sequence[Any] | Array) -> Distance:
    """Fix the ranks or the ends of a scale to those among some categories.

    Other distances are returned unchanged. This is for selections of the judgments in which some
    categories do not occur.
    """
    of_scale = distance.name.startswith("gwet:")
    if not of_scale and distance not in (rank_linear, rank_quadratic):
        return distance
    place = {label: i for i, label in enumerate(categories)}

    def bind(labels: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        places = np.array([place[label] for label in labels], np.int64)
        if of_scale:
            between = distance.bind(tuple(place), True).between
            several = Blocks(len(places), lambda a, b: between(places[a], places[b]))
            return small_as_matrix(several, len(places))
        ranks = places.astype(np.float64)
        return Absolute(ranks) if distance is rank_linear else Squared(ranks[:, None])

    return Distance(distance.name, bind)


def usual_names(of_sets: bool) -> tuple[str, ...]:
    """Return the default distances; the last one is the most informative.

    Parameters
    ----------
    of_sets : bool
        Whether the labels are sets; if so, "masi" follows "nominal".
    """
    return ("nominal", "masi") if of_sets else ("nominal",)


def are_sets(categories: Sequence[Any] | Array) -> bool:
    """Return whether there are labels and all of them are sets."""
    return len(categories) > 0 and all(isinstance(label, frozenset) for label in categories)


def _by_name(text: str) -> Distance:
    name, *arguments = text.strip().lower().split(":")
    name = name.replace("-", "_")
    name = _SYNONYMS.get(name, name)
    if name in NAMED and not arguments:
        return NAMED[name]
    if name == "circular" and len(arguments) == 1:
        return circular(arguments[0])  # type: ignore[arg-type]
    if name == "bipolar" and len(arguments) == 2:
        return bipolar(*arguments)  # type: ignore[arg-type]
    if name == "gwet" and len(arguments) == 1:
        return gwet(arguments[0])
    if name in _OF_OTHERS and not arguments:
        raise wrong_distance(f"distance {text!r} needs more than its name", _OF_OTHERS[name])
    others = ", ".join(f"{synonym} ({own})" for synonym, own in _SYNONYMS.items())
    raise wrong_distance(
        f"distance {text!r} is not known; the names are {', '.join(NAMED)}, circular:PERIOD, "
        f"bipolar:LOW:HIGH and gwet:WEIGHTS; also {others}"
    )
