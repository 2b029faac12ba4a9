"""A folder in place of files: all tables below it, if there is no doubt which these are."""

from __future__ import annotations

import os
from collections.abc import Sequence

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.formats import FORMATS, TITLES
from agreement_fast.files.opening import expand, once
from agreement_fast.files.paths import extension_of

__all__ = ["tables_of"]

#: With which the names of files and folders begin that hold no data.
_NO_DATA = (".", "_", "~$")

#: What folders of tables hold whose files are not all of the table: a log says which are.
LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi", "metadata": "Iceberg"}

#: Of a list, this many are named.
LISTED = 3


def tables_of(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Give the files behind names, globs and folders, each once, and remarks.

    Raises
    ------
    ReadError
        Where there is none, or a folder has tables of several formats, or a log of its own.
    """
    names, notes = expand(paths)
    found = []
    for name in names:
        some, left_out = _tables_below(name) if os.path.isdir(name) else ([name], [])
        found += some
        notes += left_out
    found, again = once(found)
    return found, notes + again


def _tables_below(top: str) -> tuple[list[str], list[str]]:
    """Give the tables below a folder, and remarks on other files."""
    by_format: dict[str, list[str]] = {}
    others: list[str] = []
    for folder, folders, names in os.walk(top):
        _refuse_log(folder, folders)
        folders[:] = sorted(one for one in folders if not one.startswith(_NO_DATA))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.startswith(_NO_DATA) or not os.path.isfile(path):
                continue
            form = _format_of(name)
            (others if form is None else by_format.setdefault(form, [])).append(path)
    _set_texts_aside(by_format, others)
    if not by_format:
        raise ReadError(f"{show(top)} is a folder without a file that is called like {TITLES}")
    if len(by_format) > 1:
        counts = " and ".join(
            f"{len(paths):,} of {FORMATS[form].title}" for form, paths in by_format.items()
        )
        first = next(iter(by_format.values()))[0]
        pattern = os.path.join(top, "**", f"*{os.path.splitext(first)[1]}")
        raise ReadError(
            f"{show(top)} is a folder with files of several formats, {counts}: name those that are"
            f" meant, as by the glob {show(pattern)}"
        )
    (paths,) = by_format.values()
    if not others:
        return paths, []
    some = ", ".join(show(os.path.relpath(one, top)) for one in others[:LISTED])
    more = f" and {len(others) - LISTED:,} more" if len(others) > LISTED else ""
    return paths, [f"of the files in {show(top)} these are no tables by their names: {some}{more}"]


def _set_texts_aside(by_format: dict[str, list[str]], others: list[str]) -> None:
    """Take texts for no tables, such as README.txt, where other files are some."""
    texts = [path for paths in by_format.values() for path in paths if extension_of(path) == "txt"]
    if 0 < len(texts) < sum(map(len, by_format.values())):
        others += texts
        for form, paths in list(by_format.items()):
            by_format[form] = [path for path in paths if extension_of(path) != "txt"]
            if not by_format[form]:
                del by_format[form]


def _format_of(name: str) -> str | None:
    """Give the format that a file's name says."""
    extension = extension_of(name)
    return next((one.name for one in FORMATS.values() if extension in one.extensions), None)


def _refuse_log(folder: str, folders: Sequence[str]) -> None:
    """Refuse a folder that holds old files, too, whose rows count no more."""
    for log, title in LOGS.items():
        if log not in folders:
            continue
        is_log = log != "metadata" or any(
            one.endswith(".metadata.json") for one in os.listdir(os.path.join(folder, log))
        )
        if is_log:
            raise ReadError(
                f"{show(folder)} is a table of {title}, whose log says which files count: read it"
                " with a library that knows the log, and pass the frame to Annotations.from_frame"
                " (docs/engines.md)"
            )
