"""Options that many functions share: their checks, random generators, progress bars."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from agreement_fast.errors import Argument, InputError, InputTypeError, choice
from agreement_fast.present.delayed import signals_wait

T = TypeVar("T")


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise an error if a value is not one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise InputError.must_be(name, choice(choices), value)


def check_several(name: str, value: Any, requested: str) -> list[Any]:
    """Return several values as a list, and a single name as a list of one."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise InputTypeError.must_be(name, requested, value)
    return list(value)


def check_names(name: str, value: Any, known: Sequence[str], requested: str) -> list[str]:
    """Return one or several of the known names as a list; by default all."""
    names = list(known) if value is None else check_several(name, value, requested)
    if not names:
        raise InputError((Argument(name), " is empty"), f"choose from {', '.join(known)}")
    for entry in names:
        check_choice(name, entry, known)
    return names


def check_kind(
    value: Any, kind: type[T], expected: str, remedy: str | None = None, argument: str = "data"
) -> T:
    """Return a value of a type of this package."""
    if not isinstance(value, kind):
        problem = f"expected {expected}, got {type(value).__name__}"
        raise InputTypeError(problem, remedy, argument=argument)
    return value


def check_probability(name: str, value: Any) -> float:
    """Return a number from 0 to 1."""
    number = check_number(name, value)
    if not 0 <= number <= 1:
        raise InputError.must_be(name, "from 0 to 1", value)
    return number


def check_flag(name: str, value: Any) -> bool:
    """Return True or False; text, which would count as True, is an error."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputTypeError.must_be(name, "True or False", value)
    return bool(value)


def check_count(name: str, value: Any, least: int = 1, *, each: bool = False) -> int:
    """Return a whole number of `least` or more; `each` if the argument holds several."""
    requested = "whole numbers" if each else "a whole number"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        count = operator.index(value)
    except TypeError:
        raise InputTypeError.must_be(name, f"{requested}, {least} or more", value) from None
    if count < least:
        raise InputError.must_be(name, f"{requested}, {least} or more", value)
    return count


#: More would take hours and gain nothing: 10,000 give the ends of an interval to two digits.
MOST_RESAMPLES = 10_000_000


def check_resamples(value: Any, least: int = 1) -> int:
    """Return a number of resamples that can be drawn in reasonable time."""
    count = check_count("n_resamples", value, least)
    if count > MOST_RESAMPLES:
        raise InputError(
            (Argument("n_resamples"), f" must be {MOST_RESAMPLES:,} or less, not {count:,}"),
            "10,000 are enough for the ends of an interval to two digits",
        )
    return count


def resamples_for(confidence_level: float) -> int:
    """Return how many resamples leave at least one beyond each end of an interval.

    Examples
    --------
    >>> resamples_for(0.95), resamples_for(0.99)
    (40, 200)
    """
    return math.ceil(round(2 / (1 - confidence_level), 6))


def check_threads(threads: Any) -> int | None:
    """Return a number of threads; None means one for each processor."""
    return None if threads is None else check_count("threads", threads)


def check_number(name: str, value: Any) -> float:
    """Return a float; NaN passes, and fails every comparison later."""
    if isinstance(value, (str, bytes)):
        raise InputTypeError.must_be(name, "a number", value)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputTypeError.must_be(name, "a number", value) from None


def check_share(name: str, value: Any) -> float:
    """Return a number strictly between 0 and 1."""
    share = check_number(name, value)
    if not 0 < share < 1:
        raise InputError.must_be(name, "between 0 and 1", value)
    return share


def check_counts(name: str, values: Any, least: int = 1) -> list[int]:
    """Return one or more whole numbers of `least` or more."""
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        raise InputTypeError.must_be(
            name, "a sequence of whole numbers", values, ("pass ", Argument(name, [values]))
        )
    result = [check_count(name, value, least, each=True) for value in values]
    if not result:
        raise InputError((Argument(name), " is empty"))
    return result


def check_sizes(
    name: str, sizes: int | Iterable[int] | None, least: int, n_coders: int
) -> tuple[int, ...]:
    """Return numbers of coders, ascending and distinct; by default from `least` to all."""
    if sizes is None:
        return tuple(range(least, n_coders + 1))
    several = isinstance(sizes, Iterable)
    taken = sorted(set(check_counts(name, sizes if several else [sizes], 0)))
    for size in (taken[0], taken[-1]):
        if not least <= size <= n_coders:
            raise InputError(
                (
                    Argument(name),
                    f" must be from {least} to {n_coders}, the number of coders, not {size}",
                )
            )
    return tuple(taken)


def generator(rng: Any) -> np.random.Generator:
    """Return a numpy Generator: the given one, or one made from a seed."""
    requested = "a seed (a whole number, 0 or more), a numpy.random.Generator, or None"
    if isinstance(rng, np.random.RandomState):  # it has no independent streams for threads
        raise InputTypeError.must_be("rng", requested, rng)
    try:
        return np.random.default_rng(rng)
    except TypeError:
        raise InputTypeError.must_be("rng", requested, rng) from None
    except ValueError:
        raise InputError.must_be("rng", requested, rng) from None


@contextmanager
def bar(show: bool, total: int, what: str | None = None) -> Iterator[Callable[[int], Any]]:
    """Show a progress bar, or nothing: the yielded function takes the number of new steps."""
    if not show:
        yield lambda steps: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            'progress=True needs tqdm: pip install "agreement-fast[cli]"'
        ) from None
    with signals_wait():  # a half-made bar cannot be closed
        made = tqdm(total=total, desc=what, unit_scale=True)
    with made as shown:
        yield shown.update
