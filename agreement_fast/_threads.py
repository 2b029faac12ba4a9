"""Split a range over a thread pool; the only threading code.

Kernels release the GIL, take a range of rows and return nothing shared, so plain threads are
enough, they survive a fork (OpenMP's do not), and the pool's end is the function's end.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeVar

S = TypeVar("S")
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


def run(
    work: Callable[[int, int], T],
    pieces: Sequence[tuple[int, int]],
    rows: int,
    threads: int | None = None,
) -> list[T]:
    """`work(first, last)` for every piece, in order of the pieces; `threads` at most."""
    most = available() if threads is None else threads
    threads = 1 if rows < SMALL else min(most, len(pieces))
    if threads < 2:
        return [work(first, last) for first, last in pieces]
    # Here, not above: a program that reads small tables never loads it.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        if len(pieces) > threads:
            return list(pool.map(lambda piece: work(*piece), pieces))
        # The calling thread takes the first: one thread less to start and to wait for.
        others = [pool.submit(work, *piece) for piece in pieces[1:]]
        return [work(*pieces[0]), *(other.result() for other in others)]


def over_rows(work: Callable[[int, int], T], rows: int, worth: float = 1.0) -> list[T]:
    """`work` over 0..rows, in one piece for each thread.

    `worth` compares a row's time with the usual one of ten nanoseconds.
    """
    if rows * worth < SMALL:
        return [work(0, rows)]
    return run(work, ranges(rows, available()), int(rows * worth))


def in_order(work: Callable[[S], T], tasks: Iterable[S], threads: int) -> Generator[T, None, None]:
    """`work` of each task, in their order and a few ahead of what is taken.

    For long work: closing it, as an exception or Ctrl-C should, waits for the tasks that run at
    that moment and for no others.
    """
    if threads < 2:
        yield from map(work, tasks)
        return
    from collections import deque
    from concurrent.futures import Future, ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[T]] = deque()
    try:
        for task in tasks:
            waiting.append(pool.submit(work, task))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
