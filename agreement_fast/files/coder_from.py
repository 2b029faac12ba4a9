"""Files of one coder each: the name of the file, or a part of its path, says who that is."""

from __future__ import annotations

from collections.abc import Sequence

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File
from agreement_fast.files.paths import base_of, part_of

__all__ = ["FROM_NAME", "coders_of", "take_coders"]

#: What asks for the name of the file.
FROM_NAME = "file"

_OPTION = "--coder-from"

#: What the column is called that the files do not have.
COLUMN = "file name"

#: At which names are cut.
_SEPARATORS = "_-. "


def take_coders(files: Sequence[File], asked: str) -> tuple[str, list[str]]:
    """Give each file a column of its coder.

    Parameters
    ----------
    files : sequence of File
        Their `constants` are filled.
    asked : str
        As `part_of` has it; of names of files, what all have in common is cut off.

    Returns
    -------
    tuple of str and list of str
        What the column is called, and remarks.

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
    """Give the coder of each file, and remarks.

    Examples
    --------
    >>> coders_of(["codes_ann.csv", "codes_ben.csv"], "file")[0]
    ['ann', 'ben']
    >>> coders_of(["ann/1.csv", "ben/1.csv"], "([^/]+)/[^/]+$")[0]
    ['ann', 'ben']
    """
    if "-" in names:
        raise ReadError("--coder-from: the standard input has no name that could be a coder's")
    if asked != FROM_NAME:
        return [part_of(name, asked, _OPTION) for name in names], []
    stems = [base_of(name) for name in names]
    coders, cut = _without_common(stems)
    if len(names) > 1 and len(set(coders)) == 1:
        raise ReadError(
            f"--coder-from file: all files are called {show(stems[0])}: pass --coder-from with a"
            " regular expression on their paths, or --coder-from folder"
        )
    notes = [f"names of files were taken for coders without {cut}, which all have"] if cut else []
    if len(set(coders)) < len(coders):
        again = next(one for one in coders if coders.count(one) > 1)
        notes.append(f"several files are called {show(again)}, and are taken to be of one coder")
    return coders, notes


def _without_common(stems: Sequence[str]) -> tuple[list[str], str]:
    """Cut what all names begin and end with, at separators; gives what was cut, in words."""
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
    """Give what all names begin with."""
    first, last = min(names), max(names)
    same = [one == other for one, other in zip(first, last, strict=False)]
    return first[: same.index(False)] if False in same else first[: len(same)]
