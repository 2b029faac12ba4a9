"""Files that are complete or do not exist."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: str | Path, text: str) -> None:
    """Write a text as UTF-8; an existing file is replaced only when the new one is complete."""
    target = Path(path)
    unfinished = target.with_name(f".{os.getpid()}.unfinished{target.suffix}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
