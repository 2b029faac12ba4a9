"""Options that many functions share: their checks, the source of randomness, the bar."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from agreement_fast.delayed import signals_wait
from agreement_fast.errors import Argument, InputError, InputTypeError, choice


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse what is not one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise InputError.must_be(name, choice(choices), value)


def check_flag(name: str, value: Any) -> bool:
    """True or False, and not a text that would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputTypeError.must_be(name, "True or False", value)
    return bool(value)


def check_count(name: str, value: Any, least: int = 1, *, each: bool = False) -> int:
    """A whole number, not too small; `each` says that the argument holds several."""
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


#: More would take hours, and tell nothing more: 10,000 give the ends of an interval to two digits.
MOST_RESAMPLES = 10_000_000


def check_resamples(value: Any, least: int = 1) -> int:
    """A number of resamples that can be made."""
    count = check_count("n_resamples", value, least)
    if count > MOST_RESAMPLES:
        raise InputError(
            (Argument("n_resamples"), f" must be {MOST_RESAMPLES:,} or less, not {count:,}"),
            "10,000 give the ends of an interval to two digits",
            argument="n_resamples",
        )
    return count


def resamples_for(confidence_level: float) -> int:
    """How many resamples leave at least one beyond each end of an interval.

    Examples
    --------
    >>> resamples_for(0.95), resamples_for(0.99)
    (40, 200)
    """
    return math.ceil(round(2 / (1 - confidence_level), 6))


def check_threads(threads: Any) -> int | None:
    """A number of threads, None for as many as there are processors."""
    return None if threads is None else check_count("threads", threads)


def check_number(name: str, value: Any) -> float:
    """A number; also NaN, which no comparison lets pass."""
    if isinstance(value, (str, bytes)):
        raise InputTypeError.must_be(name, "a number", value)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputTypeError.must_be(name, "a number", value) from None


def check_share(name: str, value: Any) -> float:
    """A number strictly between 0 and 1."""
    share = check_number(name, value)
    if not 0 < share < 1:
        raise InputError.must_be(name, "between 0 and 1", value)
    return share


def check_counts(name: str, values: Any, least: int = 1) -> list[int]:
    """Whole numbers that are not too small, one or more of them."""
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        raise InputTypeError.must_be(
            name, "a sequence of whole numbers", values, ("pass ", Argument(name, [values]))
        )
    found = [check_count(name, value, least, each=True) for value in values]
    if not found:
        raise InputError((Argument(name), " is empty"), argument=name)
    return found


def check_sizes(sizes: Iterable[int] | None, least: int, n_coders: int) -> tuple[int, ...]:
    """Numbers of coders in ascending order, each once; by default from the least to all."""
    if sizes is None:
        return tuple(range(least, n_coders + 1))
    if not isinstance(sizes, Iterable) or isinstance(sizes, str):
        raise InputTypeError.must_be(
            "sizes", "a sequence", sizes, ("pass ", Argument("sizes", [sizes]))
        )
    taken = sorted({check_count("sizes", size, 0, each=True) for size in sizes})
    if not taken:
        raise InputError((Argument("sizes"), " is empty"), argument="sizes")
    for size in (taken[0], taken[-1]):
        if not least <= size <= n_coders:
            raise InputError(
                (
                    Argument("sizes"),
                    f": {size} is not from {least} to {n_coders}, the number of coders",
                ),
                argument="sizes",
            )
    return tuple(taken)


def generator(rng: Any) -> np.random.Generator:
    """A numpy Generator from a seed, or as it is."""
    requested = "a seed (a whole number, 0 or more), a numpy.random.Generator, or None"
    if isinstance(rng, np.random.RandomState):  # has no independent streams for threads
        raise InputTypeError.must_be("rng", requested, rng)
    try:
        return np.random.default_rng(rng)
    except TypeError:
        raise InputTypeError.must_be("rng", requested, rng) from None
    except ValueError:
        raise InputError.must_be("rng", requested, rng) from None


@contextmanager
def bar(show: bool, total: int, what: str | None = None) -> Iterator[Callable[[int], Any]]:
    """A progress bar, or nothing: what is yielded takes the number of further steps done."""
    if not show:
        yield lambda steps: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            'progress=True shows a bar with tqdm: pip install "agreement-fast[cli]"'
        ) from None
    with signals_wait():  # a bar that is half made cannot be closed
        made = tqdm(total=total, desc=what, unit_scale=True)
    with made as shown:
        yield shown.update
