"""A folder given instead of files: it stands for all tables below it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.formats import FORMATS, TITLES
from agreement_fast.files.opening import expand, once
from agreement_fast.files.paths import extension_of

__all__ = ["tables_of"]

#: Names of files and folders without data begin with these.
_NO_DATA = (".", "_", "~$")

#: Folders whose tables have a log that says which files count, by the name of the log.
LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi", "metadata": "Iceberg"}

#: Longest list of names in a remark.
LISTED = 3


def tables_of(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the files behind names, globs and folders, each once, and remarks.

    Raises
    ------
    ReadError
        If there is none, or a folder has tables of several formats or a log of its own.
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
    """Return the tables below a folder, and remarks on other files."""
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
        raise ReadError(f"{show(top)} is a folder without a file whose name is that of {TITLES}")
    if len(by_format) > 1:
        counts = " and ".join(
            f"{len(paths):,} of {FORMATS[form].title}" for form, paths in by_format.items()
        )
        first = next(iter(by_format.values()))[0]
        pattern = os.path.join(top, "**", f"*{os.path.splitext(first)[1]}")
        raise ReadError(
            f"{show(top)} is a folder with files of several formats, {counts}: name those to read,"
            f" for example by the glob {show(pattern)}"
        )
    (paths,) = by_format.values()
    said = {
        f"files in {show(top)} that are not tables by their names": others,
        f"in {show(top)}, links to folders that were already read, or that contain them, were not"
        " followed": again,
        f"in {show(top)}, links that lead nowhere": dead,
    }
    return paths, [f"{what}: {_listed(some, top)}" for what, some in said.items() if some]


def _listed(paths: Sequence[str], top: str) -> str:
    """List the first of some paths, relative to a folder."""
    some = ", ".join(show(os.path.relpath(one, top)) for one in paths[:LISTED])
    return f"{some} and {len(paths) - LISTED:,} more" if len(paths) > LISTED else some


def _folders_below(top: str, again: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Walk a folder and those below it, and yield each with the names of its files.

    Links are followed last, so that a folder is called by its own name if it is also here. Links to
    folders already seen, or to folders around them, are added to `again`: the walk would not end.
    """
    seen: set[str] = set()
    waiting = [top]
    for start in waiting:  # grows by the links that are found
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
    """Return whether a folder is another one or contains it."""
    inside = os.path.realpath(folder)
    return inside == real or inside.startswith(os.path.join(real, ""))


def _refuse(error: OSError) -> None:
    """Refuse a folder that cannot be opened: its tables would be missing silently."""
    raise ReadError(
        f"the folder {show(str(error.filename))} cannot be opened: {error.strerror or error}; name"
        " the files to read, or a glob"
    )


def _set_texts_aside(by_format: dict[str, list[str]], others: list[str]) -> None:
    """Treat text files such as README.txt as other files if there are tables beside them."""
    texts = [path for paths in by_format.values() for path in paths if extension_of(path) == "txt"]
    if 0 < len(texts) < sum(map(len, by_format.values())):
        others += texts
        for form, paths in list(by_format.items()):
            by_format[form] = [path for path in paths if extension_of(path) != "txt"]
            if not by_format[form]:
                del by_format[form]


def _format_of(name: str) -> str | None:
    """Return the format that a file's extension implies."""
    extension = extension_of(name)
    return next((one.name for one in FORMATS.values() if extension in one.extensions), None)


def _refuse_log(folder: str, folders: Sequence[str]) -> None:
    """Refuse a folder that also holds outdated files, whose rows no longer count."""
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
