"""Files that a command writes: asked for before anything is computed, whole or not there."""

from __future__ import annotations

import argparse
import contextlib
import glob
import importlib
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.options import listed
from agreement_fast.cli.output import show_group
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from agreement_fast.cli.outcome import Picture


#: Groups that fit a figure.
MOST_PANELS = 12


#: Options of files that are written, and of files that are read beside those of the judgments.
WRITTEN = ("csv", "html", "figure", "parquet")
READ = ("gold_file", "matrix", "tree")


def check_apart(arguments: argparse.Namespace) -> None:
    """Refuse to write over a file that is read."""
    given = vars(arguments)
    read = [path for text in given.get("files") or () for path in (text, *glob.glob(text))]
    read += [given[name] for name in READ if given.get(name)]
    for name in WRITTEN:
        path = given.get(name)
        if path in (None, "-") or not os.path.exists(path):
            continue
        for other in filter(os.path.exists, read):
            if os.path.samefile(path, other):
                raise UsageError(
                    f"--{name} {path!r} would write over a file that is read: name another"
                )


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


def check_html(arguments: argparse.Namespace) -> None:
    """Refuse a page that could not be made, and options of a page without ``--html``."""
    if not hasattr(arguments, "html"):
        return
    html = arguments.html
    if html is None:
        for name in ("show", "no_text"):
            if getattr(arguments, name, None):
                option = name.replace("_", "-")
                raise UsageError(f"--{option} goes with --html FILE, which writes a page")
        return
    if importlib.util.find_spec("jinja2") is None:
        raise UsageError('--html needs Jinja2: pip install "agreement-fast[html]"')
    if getattr(arguments, "by", None):
        raise UsageError(
            "--html shows one group: pick it with --where instead of --by, as in --where"
            f' "{_group_condition(arguments.by)}"'
        )
    check_folder("--html", html)


def _group_condition(by: str) -> str:
    """Give the SQL that picks a group, for a shell's double quotes."""
    columns = listed([by], "--by")
    names = (one if one.isidentifier() and one.isascii() else f'\\"{one}\\"' for one in columns)
    return " and ".join(f"{name} = '...'" for name in names)


def check_folder(option: str, path: str) -> None:
    """Refuse a file in a folder that is not there."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise UsageError(f"{option} {path!r}: there is no folder {str(folder)!r}")
    if Path(path).is_dir():
        raise UsageError(f"{option} {path!r} is a folder")


def draw_panels(arguments: argparse.Namespace, picture: Picture) -> None:
    """Write ``--figure``."""
    from matplotlib.figure import Figure

    panels, size = picture.panels, picture.size
    if picture.refused is not None:
        raise UsageError(f"--figure: {picture.refused}")
    if len(panels) > MOST_PANELS:
        raise UsageError(f"--figure: {len(panels)} groups of --by are too many, {MOST_PANELS} fit")
    n_rows, n_columns = len(panels), len(panels[0])
    figure = Figure(figsize=(size[0] * n_columns, size[1] * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False)
    groups = picture.groups or [None] * n_rows
    for row, draws, group in zip(axes, panels, groups, strict=True):
        for ax, draw in zip(row, draws, strict=True):
            draw(ax)
        if picture.groups is not None and arguments.by:
            row[0].set_title(f"{show_label(arguments.by)}: {show_group(group)}", loc="left")
    with writing("--figure", arguments.figure) as path:
        figure.savefig(path, dpi=150)


@contextlib.contextmanager
def writing(option: str, name: str) -> Iterator[Path]:
    """Give a path to write to; what was there before stays until the file is whole."""
    target = Path(name)
    unfinished = target.with_name(f".{os.getpid()}.unfinished{target.suffix}")
    try:
        yield unfinished
        unfinished.replace(target)
    except OSError as error:
        raise UsageError(f"{option} {name!r}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)
