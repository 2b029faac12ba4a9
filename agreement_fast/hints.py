"""Hints: warnings that say what data were taken for, at the line of the caller.

A hint says that a number may not be the one that was meant. It says what was taken for what, and
what to write in either case.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

__all__ = ["Hint", "LabelHint", "OrientationHint", "ReadHint", "ShapeHint", "hint"]

_PACKAGE = str(Path(__file__).parent) + os.sep


class Hint(UserWarning):
    """Data may mean something else than what they were taken for."""


class OrientationHint(Hint):
    """A table has more columns than rows: coders may stand where items belong."""


class ReadHint(Hint):
    """Something in a file was left out, or read in a way that must be known."""


class ShapeHint(Hint):
    """A table may hold something else than judgments of items × coders: counts, say."""


class LabelHint(Hint):
    """Categories or coders may be meant as one, or labels as sets."""


def hint(message: str, kind: type[Hint]) -> None:
    """Warn at the line outside of the package that called it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)
