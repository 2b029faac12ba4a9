"""What a result says, as sections, and their renderers.

============  ==================================================================================
module        what it has
============  ==================================================================================
`sections`    headings with paragraphs, tables and terms below them, and their text
============  ==================================================================================

Here is what all output needs: signals wait while a step must not be left half done, and files are
whole or not there.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def signals_wait() -> Iterator[None]:
    """Delay signals that end the process until the end of a block.

    Python handles signals in the main thread only; in other threads nothing is delayed.
    """
    came: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and callable(signal.getsignal(number)):
                before[number] = signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a path to write to, which replaces a file only when it is complete.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "report.txt")
    >>> with whole_file(path) as unfinished:
    ...     _ = unfinished.write_text("whole")
    >>> path.read_text()
    'whole'
    """
    target = Path(path)
    unfinished = target.with_name(f".{os.getpid()}.unfinished{target.suffix}")
    try:
        yield unfinished
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
