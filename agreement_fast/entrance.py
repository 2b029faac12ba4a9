"""What a coefficient's function takes beside a table: two coders' labels, other tools' keywords.

`entrance` goes around a function that takes data. Two sequences of labels become one table of two
coders, and a keyword of another tool is answered with what to write here.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

import numpy as np

from agreement_fast.annotations import Annotations, of_two_coders
from agreement_fast.errors import InputTypeError
from agreement_fast.points import COEFFICIENTS
from agreement_fast.reading import frames
from agreement_fast.reading.shapes import ColumnNames

__all__ = ["entrance"]

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

_DISTANCE = "write distance=, such as 'ordinal' or 'interval'"
_CONSTRUCTOR = "is said when the data are read: Annotations.from_wide, from_long, from_frame"

#: Keywords of krippendorff, irrCAC, scikit-learn, statsmodels and NLTK, and what to write here.
OTHER_NAMES: Mapping[str, str] = {
    "weights": "for weights of disagreements write distance=, such as 'quadratic' "
    "('rank_quadratic' is scikit-learn's); how often each item occurred is said to "
    "Annotations.from_wide(table, weights=...)",
    "level": _DISTANCE,
    "level_of_measurement": _DISTANCE,
    "metric": _DISTANCE,
    "reliability_data": "the table comes first, as items × coders; krippendorff's is coders × "
    "items: transpose it",
    "value_counts": "counts of items × categories are read by Annotations.from_counts(counts)",
    "value_domain": "all categories are said to Annotations.from_wide(table, categories=...)",
    "ratings": "the table of items × coders comes first",
    "y1": "the labels of two coders come first: kappa(first, second)",
    "y2": "the labels of two coders come first: kappa(first, second)",
    "sample_weight": "how often each item occurred is said to Annotations.from_wide(table, "
    "weights=...)",
    "labels": "all categories are said to Annotations.from_wide(table, categories=...)",
    "confidence_level": "intervals are those of agreement_fast.inference.standard_error and "
    "bootstrap",
    "by": "coefficients of groups are those of agreement_fast.inference.agreement_by_group(data, "
    "by=...)",
    **{
        name: f"{name}= {_CONSTRUCTOR}"
        for name in ("missing", "categories", "duplicates", "repeats_of", "set_separator")
    },
}


class Entered(Protocol[P, R]):
    """A function of a table, or of two coders' labels in its place."""

    __name__: str

    @overload
    def __call__(self, data: Any, /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __call__(self, first: Any, second: Any, /, *args: P.args, **kwargs: P.kwargs) -> R: ...


def entrance(function: Callable[Concatenate[Any, P], R]) -> Entered[P, R]:
    """Let a function take two coders' labels for its data, and name our keywords for others'."""
    parameters = inspect.signature(function).parameters.values()
    known = frozenset(one.name for one in parameters) | ColumnNames.__optional_keys__
    n_places = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)

    @functools.wraps(function)
    def entered(*args: Any, **kwargs: Any) -> R:
        if not known.issuperset(kwargs):
            name = min(kwargs.keys() - known)
            raise InputTypeError(
                f"{function.__name__}() got an unexpected keyword argument {name!r}",
                _with_distance(function) if name == "distance" else OTHER_NAMES.get(name),
                argument=name,
            )
        if len(args) > 1 and _are_labels(args[0]) and _are_labels(args[1]):
            args = (of_two_coders(args[0], args[1]), *args[2:])
        if len(args) > n_places:
            more = args[n_places]
            written = repr(more) if isinstance(more, str) else f"of type {type(more).__name__}"
            raise InputTypeError(
                f"{function.__name__}() got an argument too many, {written}",
                _with_distance(function),
            )
        return function(*args, **kwargs)

    return entered


def _with_distance(function: Callable[..., Any]) -> str | None:
    """Say what a coefficient is called under a distance, where it takes none."""
    point = COEFFICIENTS.get(function.__name__)
    if point is None or point.weighted is None:
        return None
    return f"with a distance it is {point.weighted}(data, distance)"


def _are_labels(data: Any) -> bool:
    """Whether something is one sequence of labels, and neither a table nor a distance."""
    if isinstance(data, (Annotations, str, bytes, Mapping)):
        return False
    if frames.is_frame(data) or frames.is_lazy(data):
        return False
    if isinstance(data, np.ndarray) or hasattr(data, "__array__"):
        return np.ndim(data) == 1
    if not isinstance(data, (list, tuple)):
        return frames.is_series(data)
    first = next((label for label in data if label is not None), None)
    return len(data) > 0 and not isinstance(first, (list, tuple, np.ndarray, Mapping))
