"""Files that a command writes: asked for before anything is computed, whole or not there."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from agreement_fast.cli.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_figure", "check_folder", "check_parquet", "save_figure"]


def check_figure(path: str) -> None:
    """Refuse a picture that could not be written."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise UsageError('--figure needs matplotlib: pip install "agreement-fast[plot]"') from None
    known = Figure().canvas.get_supported_filetypes()
    ending = Path(path).suffix.lstrip(".").lower()
    if ending not in known:
        raise UsageError(
            f"--figure {path!r}: the ending says the format, such as .png, .svg or .pdf"
        )
    check_folder("--figure", path)


def check_parquet(path: str) -> None:
    """Refuse a Parquet file that could not be written."""
    try:
        importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UsageError('--parquet needs pyarrow: pip install "agreement-fast[parquet]"') from None
    check_folder("--parquet", path)


def check_folder(option: str, path: str) -> None:
    """Refuse a file in a folder that is not there."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise UsageError(f"{option} {path!r}: there is no folder {str(folder)!r}")
    if Path(path).is_dir():
        raise UsageError(f"{option} {path!r} is a folder")


def save_figure(figure: Figure, path: str) -> None:
    """Write a picture; what was there before stays until it is whole."""
    target = Path(path)
    unfinished = target.with_name(f".{os.getpid()}.unfinished{target.suffix}")
    try:
        figure.savefig(unfinished, dpi=150)
        unfinished.replace(target)
    except OSError as error:
        raise UsageError(f"--figure {path!r}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)
