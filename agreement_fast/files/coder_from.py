"""Files of one coder each: the coder is named by the file's name or a part of its path."""

from __future__ import annotations

from collections.abc import Sequence

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File
from agreement_fast.files.paths import base_of, part_of

__all__ = ["FROM_NAME", "coders_of", "take_coders"]

#: The value of --coder-from that asks for the name of the file.
FROM_NAME = "file"

_OPTION = "--coder-from"

#: The name of the column that is added to the files.
COLUMN = "file name"

#: Separators at which names are cut.
_SEPARATORS = "_-. "


def take_coders(files: Sequence[File], asked: str) -> tuple[str, list[str]]:
    """Add a column with the coder to each file.

    Parameters
    ----------
    files : sequence of File
        Their `constants` are filled in.
    asked : str
        A rule as in `part_of`; from names of files, the common beginning and end are cut.

    Returns
    -------
    tuple of str and list of str
        The name of the column, and remarks.

    Raises
    ------
    ReadError
    """
    coders, notes = coders_of([file.name for file in files], asked)
    column = COLUMN
    while any(column in file.known for file in files):
        column += "_"
    for file, coder in zip(files, coders, strict=True):
        file.constants[column] = coder
    return column, notes


def coders_of(names: Sequence[str], asked: str) -> tuple[list[str], list[str]]:
    """Return the coder of each file, and remarks.

    Examples
    --------
    >>> coders_of(["codes_ann.csv", "codes_ben.csv"], "file")[0]
    ['ann', 'ben']
    >>> coders_of(["ann/1.csv", "ben/1.csv"], "([^/]+)/[^/]+$")[0]
    ['ann', 'ben']
    """
    if "-" in names:
        raise ReadError("--coder-from: standard input has no file name to take the coder from")
    if asked != FROM_NAME:
        return [part_of(name, asked, _OPTION) for name in names], []
    stems = [base_of(name) for name in names]
    coders, cut = _without_common(stems)
    if len(names) > 1 and len(set(coders)) == 1:
        raise ReadError(
            f"--coder-from file: all files are called {show(stems[0])}: pass --coder-from folder,"
            " or --coder-from with a regular expression that matches their paths"
        )
    notes = [f"coders are the file names without {cut}, which they all share"] if cut else []
    if len(set(coders)) < len(coders):
        again = next(one for one in coders if coders.count(one) > 1)
        notes.append(f"several files are called {show(again)} and are read as one coder")
    return coders, notes


def _without_common(stems: Sequence[str]) -> tuple[list[str], str]:
    """Cut the common beginning and end at separators; also return what was cut, in words."""
    if len(set(stems)) < 2:
        return list(stems), ""
    start = _beginning(stems)
    start = start[: 1 + max(start.rfind(mark) for mark in _SEPARATORS)]
    rest = [stem[len(start) :] for stem in stems]
    end = _beginning([stem[::-1] for stem in rest])[::-1]
    places = [at for mark in _SEPARATORS if (at := end.find(mark)) >= 0]
    end = end[min(places) :] if places else ""
    rest = [stem.removesuffix(end) for stem in rest]
    if not all(rest):
        return list(stems), ""
    return rest, " and ".join(show(part) for part in (start, end) if part)


def _beginning(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    first, last = min(names), max(names)
    same = [one == other for one, other in zip(first, last, strict=False)]
    return first[: same.index(False)] if False in same else first[: len(same)]
