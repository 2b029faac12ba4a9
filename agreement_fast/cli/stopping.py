"""Signals that end a command: what it has begun is cleared away first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

#: Beside Ctrl-C: what `kill`, `timeout` and batch systems send, and a terminal that closes.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@dataclass
class Stop:
    """Which signal ended the command."""

    signal: int = signal.SIGINT

    @property
    def exit_code(self) -> int:
        """The code that shells give for it."""
        return 128 + self.signal


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Let every signal that ends the process raise a KeyboardInterrupt first.

    What was handled in another way, or ignored as by nohup, stays so; so does everything outside
    the main thread, where Python handles no signals.
    """
    stop = Stop()

    def interrupt(number: int, frame: FrameType | None) -> None:
        stop.signal = number
        raise KeyboardInterrupt

    taken = []
    if threading.current_thread() is threading.main_thread():
        taken = [one for one in _SIGNALS if signal.getsignal(one) is signal.SIG_DFL]
    for one in taken:
        signal.signal(one, interrupt)
    try:
        yield stop
    finally:
        for one in taken:
            signal.signal(one, signal.SIG_DFL)
