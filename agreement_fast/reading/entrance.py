"""What the functions of coefficients accept besides a table: the labels of two coders.

`entrance` decorates a function that takes data. It turns two sequences of labels into a table of
two coders, and answers keywords of other tools with what to write here. Data that are no judgments
have functions of their own, which `of_kind` registers.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, ValuesView
from types import FunctionType
from typing import Any, ParamSpec, Protocol, TypeVar, overload

import numpy as np

from agreement_fast.annotations import Annotations, JudgmentsLike, of_two_coders
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.options import (
    OF_LABELS,
    PATHS,
    ours,
    parameters_of,
    refuse_gaps,
    required_of,
    unexpected,
    with_files_read,
)
from agreement_fast.points import COEFFICIENTS, Point
from agreement_fast.reading import frames
from agreement_fast.reading.repeats import ordinals

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

#: Functions of other data than judgments, by the name of the function and the type of the data.
OF_KIND: dict[tuple[str, type], Callable[..., Any]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def of_kind(data: type) -> Callable[[F], F]:
    """Let a function compute what the public one of its name computes, for data of a type."""

    def register(function: F) -> F:
        OF_KIND[function.__name__, data] = function
        return function

    return register


def for_all_kinds(function: F) -> F:
    """Call the function of the type of the data, if there is one."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        own = OF_KIND.get((function.__name__, type(args[0] if args else kwargs.get("data"))))
        return (own or function)(*args, **kwargs)

    return called  # type: ignore[return-value]


class Entered(Protocol[P, R]):
    """A function of a table, or of the labels of two coders."""

    __name__: str

    @overload
    def __call__(self, data: JudgmentsLike, /, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __call__(self, first: Any, second: Any, /, *args: P.args, **kwargs: P.kwargs) -> R: ...


class TakesData(Protocol[P, R]):
    """A function whose first argument is data."""

    def __call__(self, data: Any, /, *args: P.args, **kwargs: P.kwargs) -> R: ...


#: A function as jedi sees one, to which no protocol applies: its parameters stay as written.
Written = TypeVar("Written", bound=FunctionType)


@overload
def entrance(function: TakesData[P, R]) -> Entered[P, R]: ...
@overload
def entrance(function: Written) -> Written: ...
def entrance(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function take the labels of two coders as data, and explain other tools' keywords."""
    name, parameters = function.__name__, inspect.signature(function).parameters.values()
    known = parameters_of(function) or frozenset()
    n_places = sum(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in parameters)
    defaults = {entry.default for entry in parameters if isinstance(entry.default, str)}

    required = required_of(function)

    def looked_at(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if kwargs and not known.issuperset(kwargs):
            error = unexpected(function, kwargs, known)
            better = None
            if error.argument == "distance":
                better = _with_distance(function, kwargs["distance"])
            raise error if better is None else InputTypeError(error.problem, better)
        if len(args) > 1:
            args = (*map(_without_axis, args[:2]), *args[2:])
        if len(args) > 1 and are_labels(args[0]) and are_labels(args[1]):
            _refuse_more_coders(name, args)
            options = {option: kwargs.pop(option) for option in OF_LABELS & kwargs.keys()}
            args = (of_two_coders(args[0], args[1], **options), *args[2:])
        elif len(args) > 1 and _are_texts(args[1]):
            joined = "join them, as [*itertools.chain(*first)] and [*itertools.chain(*second)]"
            if _are_named(args[0]) and _are_named(args[1]):
                raise InputTypeError(
                    "the labels of a coder must be one sequence, not a pair for each item",
                    "pass dict(first) and dict(second), which are matched by item; if the pairs "
                    f"are documents of two labels, {joined}",
                )
            raise InputTypeError(
                "the labels of a coder must be one sequence, not a sequence for each document",
                joined,
            )
        texts = len(args) > max(n_places, 2) and all(isinstance(name, str) for name in args[1:])
        if texts and _is_distance(args[1]) and _is_distance(args[2]):
            raise InputTypeError(
                f"{name}() takes one distance, not {args[1]!r} and {args[2]!r}",
                (
                    "pass one of them, or write af.agreement_table(data, ",
                    Argument("distance", [*args[1:3]]),
                    ")",
                ),
            )
        if texts and defaults.isdisjoint(args[1:]):  # such as "nominal"
            raise InputTypeError(
                f"{name}() takes the names of columns by keywords",
                (
                    f"write af.{name}(data, ",
                    *(Argument("item", args[1]), ", "),
                    *(Argument("coder", args[2]), ", "),
                    *(Argument("label", args[3]), ")"),
                )
                if len(args) == 4
                else ours("coder", [*args[1:]], {"coder"}),
            )
        if len(args) > n_places:
            more = args[n_places]
            written = repr(more) if isinstance(more, str) else f"of type {type(more).__name__}"
            remedy = _with_distance(function, more)
            if isinstance(more, np.ndarray | Annotations) or frames.is_frame(more):
                remedy = f"compare two data sets by af.compare(first, second, {name!r})"
            elif isinstance(more, Mapping):
                remedy = "the labels of a coder are item: label, where a set of codes is a set"
            raise InputTypeError(f"{name}() got an unexpected argument {written}", remedy)
        return args

    @functools.wraps(function)
    def entered(*args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], PATHS):
            args = with_files_read(args, kwargs, 1)
        own = OF_KIND.get((name, type(args[0] if args else kwargs.get("data"))))
        if own is not None:
            return own(*args, **kwargs)
        if kwargs or len(args) > 1:
            args = looked_at(args, kwargs)
        refuse_gaps(function, required, args, kwargs)
        return function(*args, **kwargs)

    vars(entered)["answers"] = True  # keywords, so that `answering` adds no call
    return entered


def _refuse_more_coders(name: str, args: Sequence[Any]) -> None:
    """Refuse the labels of a third coder: a list as long as those of the others, and alike."""
    if len(args) < 3 or not all(isinstance(arg, list | tuple) for arg in args):
        return
    alike = not {*map(repr, args[0])}.isdisjoint(map(repr, args[2]))
    if alike and len({*map(len, args)}) == 1:
        raise InputTypeError(
            f"{name}() takes lists of the labels of two coders, not of {len(args)}",
            f"pass one table, [*zip({', '.join(ordinals(len(args)))})]",
        )


def _is_distance(name: str) -> bool:
    """Return whether a distance has a name."""
    try:
        return bool(Point.of("alpha", name))
    except InputError:
        return False


def _with_distance(function: Callable[..., Any], distance: Any) -> str | None:
    """Name the coefficient that takes a distance, if this one takes none."""
    point = COEFFICIENTS.get(function.__name__)
    if point is None or point.weighted is None:
        return None
    written = repr(distance) if isinstance(distance, str) else "distance"
    return f"with a distance use af.{point.weighted}(data, {written})"


def _are_texts(rows: Any) -> bool:
    """Whether something holds lists of texts, as tags of tokens by sentence; no distance does."""
    first = rows[0] if isinstance(rows, list | tuple) and rows else None
    return isinstance(first, list | tuple) and bool(first) and isinstance(first[0], str)


def _are_named(rows: Any) -> bool:
    """Return whether rows are pairs whose first elements all differ, as items do."""
    pairs = isinstance(rows, list | tuple) and all(
        isinstance(row, list | tuple) and len(row) == 2 and isinstance(row[0], Hashable)
        for row in rows
    )
    return pairs and len({row[0] for row in rows}) == len(rows)


def _without_axis(data: Any) -> Any:
    """Return an array of one column as its labels; anything else as it is."""
    column = isinstance(data, np.ndarray) and data.ndim == 2 and data.shape[1] == 1
    return data[:, 0] if column else data


def are_labels(data: Any) -> bool:
    """Whether something holds the labels of one coder: it is no table, and no distance."""
    if isinstance(data, np.ndarray):
        return data.ndim == 1
    if not isinstance(data, (list, tuple)):
        if isinstance(data, (Annotations, str, bytes)) or frames.is_lazy(data):
            return False
        if frames.is_frame(data):
            return len(data.columns) == 1
        if isinstance(data, memoryview) or hasattr(data, "__array__"):
            return np.ndim(data) == 1
        if isinstance(data, Iterator):
            return True
        if not isinstance(data, (Sequence, ValuesView, Mapping)):
            return frames.is_series(data)
    values = data.values() if isinstance(data, Mapping) else data
    first = next((label for label in values if label is not None), None)
    rows = (list, tuple, np.ndarray, Mapping)
    return len(data) > 0 and not (isinstance(first, rows) or frames.is_series(first))
