"""Hints: warnings about how data were read, issued at the caller's line.

A hint warns that a result may not be the one that was meant. It says how the data were read, and
what to write if that is right and if it is not.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

_PACKAGE = str(Path(__file__).parent) + os.sep


class Hint(UserWarning):
    """The data may not mean what they were read as."""


class ReadHint(Hint):
    """Something was left out, or was read in a way that the user must know."""


class ShapeHint(Hint):
    """A table may hold something other than judgments of items × coders, or be transposed."""


class LabelHint(Hint):
    """Two categories, coders or items may be meant as one, or labels as sets."""


def hint(message: str, kind: type[Hint]) -> None:
    """Warn at the line outside the package that called it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)
