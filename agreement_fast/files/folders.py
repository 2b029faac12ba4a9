"""A folder in place of files: all tables below it, if there is no doubt which these are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

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
    again: list[str] = []
    dead: list[str] = []
    for folder, names in _folders_below(top, again):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.startswith(_NO_DATA):
                continue
            if not os.path.isfile(path):
                if not os.path.exists(path):
                    dead.append(path)
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
    said = {
        f"of the files in {show(top)} these are no tables by their names": others,
        f"in {show(top)}, links to folders that were read already, or that they lie in, were not"
        " followed": again,
        f"in {show(top)}, links that lead nowhere": dead,
    }
    return paths, [f"{what}: {_listed(some, top)}" for what, some in said.items() if some]


def _listed(paths: Sequence[str], top: str) -> str:
    """Name the first of some paths, as they are called from a folder."""
    some = ", ".join(show(os.path.relpath(one, top)) for one in paths[:LISTED])
    return f"{some} and {len(paths) - LISTED:,} more" if len(paths) > LISTED else some


def _folders_below(top: str, again: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Walk a folder and those below it, and give each with the names of its files.

    Links are followed last, so that a folder is called by its own name where it has one here. Those
    that lead to what was seen or to what they lie in are added to `again`: walks would never end.
    """
    seen: set[str] = set()
    waiting = [top]
    for start in waiting:  # which grows by the links that are found
        if start != top and _is_around(os.path.realpath(start), os.path.dirname(start)):
            again.append(start)
            continue
        for folder, folders, names in os.walk(start, onerror=_refuse):
            real = os.path.realpath(folder)
            if real in seen:
                again.append(folder)
                folders.clear()
                continue
            seen.add(real)
            _refuse_log(folder, folders)
            folders[:] = sorted(one for one in folders if not one.startswith(_NO_DATA))
            below = (os.path.join(folder, one) for one in folders)
            waiting += filter(os.path.islink, below)
            yield folder, names


def _is_around(real: str, folder: str) -> bool:
    """Say whether a folder is another one or lies above it."""
    inside = os.path.realpath(folder)
    return inside == real or inside.startswith(os.path.join(real, ""))


def _refuse(error: OSError) -> None:
    """Refuse a folder that cannot be opened: what it holds would be missing in silence."""
    raise ReadError(
        f"the folder {show(str(error.filename))} cannot be opened: {error.strerror or error}; name"
        " the files that are meant, or a glob"
    )


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
