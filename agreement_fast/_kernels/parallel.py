"""Split work over threads; the only threading code.

Kernels release the GIL, take a range of rows and share no results, so plain threads are enough.
Helper threads are kept: waking one takes a tenth of the time of starting one. The thread that asks
for work also works, and only waits for tasks that a helper has begun. So nested and simultaneous
calls make progress without a helper, and none is ever required.
"""

from __future__ import annotations

import atexit
import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from queue import SimpleQueue
from typing import Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")

#: Rows below which a second thread costs more than it saves, which is 0.1 to 0.2 ms.
SMALL = 100_000

#: How many seconds a fork or the end of the interpreter waits for helpers.
PATIENCE = 0.2


def available() -> int:
    """Return how many threads this process may run at once."""
    return len(_processors())


def _processors() -> frozenset[int]:
    """The processors that a thread started here would run on."""
    try:
        return frozenset(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        return frozenset(range(os.cpu_count() or 1))


class Helpers:
    """Threads that call functions; they are started on demand and kept.

    They end with the interpreter, and before a fork, which copies the calling thread only. A helper
    runs on the processors of the thread that started it; if these change, all helpers are replaced.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.parallel: list[threading.Thread] = []
        self._processors: frozenset[int] = frozenset()

    def ask(self, call: Callable[[], None], number: int) -> None:
        """Let up to `number` helpers call a function, each once, when it is idle.

        `call` must not raise, and must return soon when its work is done.
        """
        processors = _processors()
        with self._lock:
            if processors != self._processors:
                self._dismiss()
                self._processors = processors
            while len(self.parallel) < number:
                if not self._start():
                    break
            for _ in range(min(number, len(self.parallel))):
                self._calls.put(call)

    def end(self) -> None:
        """End the helpers, and wait for those that are idle."""
        with self._lock:
            ending = self._dismiss()
        for thread in ending:
            if thread.is_alive() and thread is not threading.current_thread():
                thread.join(PATIENCE)

    def _start(self) -> bool:
        thread = threading.Thread(
            target=_serve, args=(self._calls,), name="agreement_fast", daemon=True
        )
        self.parallel.append(thread)
        try:
            thread.start()
        except RuntimeError:  # a limit of the system, or the interpreter ends
            self.parallel.pop()
            return False
        return True

    def _dismiss(self) -> list[threading.Thread]:
        ending, self.parallel = self.parallel, []
        for _ in ending:
            self._calls.put(None)
        self._calls = SimpleQueue()
        return ending


def _serve(calls: SimpleQueue[Callable[[], None] | None]) -> None:
    while (call := calls.get()) is not None:
        call()
        del call  # releases the arrays that it holds


#: The one pool.
HELPERS = Helpers()

atexit.register(HELPERS.end)
if hasattr(os, "register_at_fork"):
    # The child has none of the threads, but perhaps a lock that one of them held.
    os.register_at_fork(before=HELPERS.end, after_in_child=HELPERS.__init__)  # type: ignore[misc]


class _Job(Generic[S, T]):
    """Tasks for the calling thread and some helpers, and their outcomes by number."""

    def __init__(self, work: Callable[[S], T]) -> None:
        self._work = work
        self._changed = threading.Condition()
        self._open = True
        self._tasks: deque[tuple[int, S]] = deque()
        #: Tasks that helpers are doing.
        self._running = 0
        self._outcomes: dict[int, tuple[list[T], BaseException | None]] = {}

    def offer(self, number: int, task: S) -> None:
        """Add a task."""
        with self._changed:
            self._tasks.append((number, task))
            self._changed.notify()

    def help(self) -> None:
        """Do tasks until the job is closed."""
        while True:
            with self._changed:
                while self._open and not self._tasks:
                    self._changed.wait()
                if not self._open:
                    return
                number, task = self._tasks.popleft()
                self._running += 1
            try:
                value, error = [self._work(task)], None
            except BaseException as raised:
                value, error = [], raised
            with self._changed:
                self._running -= 1
                self._outcomes[number] = value, error
                self._changed.notify_all()
            # Otherwise the traceback of an error would keep this frame and the task alive.
            del task, value, error

    def result(self, number: int) -> T:
        """Return the result of a task; do other tasks until a helper has it."""
        while True:
            with self._changed:
                while number not in self._outcomes and not self._tasks:
                    self._changed.wait()
                if number in self._outcomes:
                    value, error = self._outcomes.pop(number)
                    break
                own, task = self._tasks.popleft()
            try:
                self._outcomes[own] = [self._work(task)], None
            except Exception as raised:
                # Errors are raised in the order of the tasks in any thread; Ctrl-C at once.
                self._outcomes[own] = [], raised
        if error is None:
            return value[0]
        try:
            raise error
        finally:
            del error

    def close(self) -> None:
        """Begin no further tasks, and wait for those that helpers have begun."""
        with self._changed:
            self._open = False
            self._tasks.clear()
            self._changed.notify_all()
            while self._running:
                self._changed.wait()


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
    """Return `work(first, last)` for every piece, in their order, by at most `threads` threads."""
    if rows < SMALL or len(pieces) < 2:
        return [work(first, last) for first, last in pieces]
    most = available() if threads is None else threads
    return list(in_order(lambda piece: work(*piece), pieces, min(most, len(pieces))))


def over_rows(work: Callable[[int, int], T], rows: int, worth: float = 1.0) -> list[T]:
    """Return `work` over 0..rows, in one piece for each thread.

    `worth` is the time of a row relative to the usual ten nanoseconds.
    """
    if rows * worth < SMALL:
        return [work(0, rows)]
    return run(work, ranges(rows, available()), int(rows * worth))


def in_order(work: Callable[[S], T], tasks: Iterable[S], threads: int) -> Generator[T, None, None]:
    """Yield `work` of each task in their order, computing a few ahead.

    For long work: closing the generator, as after an exception or Ctrl-C, waits for running tasks
    only.
    """
    if threads < 2:
        yield from map(work, tasks)
        return
    job = _Job(work)
    HELPERS.ask(job.help, threads - 1)
    try:
        n_taken = n_offered = 0
        for task in tasks:
            job.offer(n_offered, task)
            n_offered += 1
            if n_offered > 2 * threads:
                yield job.result(n_taken)
                n_taken += 1
        while n_taken < n_offered:
            yield job.result(n_taken)
            n_taken += 1
    finally:
        job.close()
