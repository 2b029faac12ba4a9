"""Split a range over a thread pool; the only threading code.

Kernels release the GIL, take a range of rows and return nothing shared, so plain threads are
enough, they survive a fork (OpenMP's do not), and the pool's end is the function's end.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

#: Rows below which a second thread costs more (0.2 ms to start and join) than it saves.
SMALL = 200_000


def available() -> int:
    """How many threads this process may run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        return os.cpu_count() or 1


def ranges(n: int, pieces: int) -> list[tuple[int, int]]:
    """Cut 0..n into at most `pieces` runs of nearly equal length."""
    pieces = max(1, min(pieces, n))
    cuts = [n * i // pieces for i in range(pieces + 1)]
    return list(itertools.pairwise(cuts))


def run(work: Callable[[int, int], T], pieces: Sequence[tuple[int, int]], rows: int) -> list[T]:
    """`work(first, last)` for every piece, in order of the pieces."""
    threads = min(available(), len(pieces))
    if rows < SMALL or threads < 2:
        return [work(first, last) for first, last in pieces]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda piece: work(*piece), pieces))
