"""Options that many functions share: their checks, the source of randomness, the bar."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from agreement_fast.delayed import signals_wait


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse what is not one of some names."""
    if value not in choices:
        shown = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{name}={value!r}: it is one of {shown}")


def check_count(name: str, value: Any, least: int = 1) -> int:
    """A whole number, not too small."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: it is a whole number, {least} or more") from None
    if count < least:
        raise ValueError(f"{name}={value!r}: it is a whole number, {least} or more")
    return count


#: More would take hours, and tell nothing more: 10,000 give the ends of an interval to two digits.
MOST_RESAMPLES = 10_000_000


def check_resamples(value: Any, least: int = 1) -> int:
    """A number of resamples that can be made."""
    count = check_count("n_resamples", value, least)
    if count > MOST_RESAMPLES:
        raise ValueError(
            f"n_resamples={count:,}: it must be {MOST_RESAMPLES:,} or less; 10,000 give the ends "
            "of an interval to two digits"
        )
    return count


def check_threads(threads: Any) -> int | None:
    """A number of threads, None for as many as there are processors."""
    return None if threads is None else check_count("threads", threads)


def check_number(name: str, value: Any) -> float:
    """A number; also NaN, which no comparison lets pass."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}={value!r}: it is a number")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r}: it is a number") from None


def check_share(name: str, value: Any) -> float:
    """A number strictly between 0 and 1."""
    share = check_number(name, value)
    if not 0 < share < 1:
        raise ValueError(f"{name}={value!r}: it lies between 0 and 1")
    return share


def check_sizes(sizes: Iterable[int] | None, least: int, n_coders: int) -> tuple[int, ...]:
    """Numbers of coders in ascending order, each once; by default from the least to all."""
    if sizes is None:
        return tuple(range(least, n_coders + 1))
    if not isinstance(sizes, Iterable) or isinstance(sizes, str):
        raise TypeError(f"sizes must be a sequence, write sizes=[{sizes!r}]")
    taken = sorted({check_count("sizes", size, 0) for size in sizes})
    if not taken:
        raise ValueError("sizes is empty")
    for size in (taken[0], taken[-1]):
        if not least <= size <= n_coders:
            raise ValueError(
                f"sizes: {size} is not from {least} to {n_coders}, the number of coders"
            )
    return tuple(taken)


def generator(rng: Any) -> np.random.Generator:
    """A numpy Generator from a seed, or as it is."""
    wanted = "it is a seed (a whole number, 0 or more), a numpy.random.Generator, or None"
    if isinstance(rng, np.random.RandomState):  # has no independent streams for threads
        raise TypeError(f"rng={rng!r}: {wanted}")
    try:
        return np.random.default_rng(rng)
    except TypeError:
        raise TypeError(f"rng={rng!r}: {wanted}") from None
    except ValueError:
        raise ValueError(f"rng={rng!r}: {wanted}") from None


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
