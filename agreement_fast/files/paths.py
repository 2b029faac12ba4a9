"""Coders and documents that are named in the path of a file."""

from __future__ import annotations

import os
import re

from agreement_fast.files.errors import ReadError, show

__all__ = ["base_of", "extension_of", "group_of", "part_of", "where_in"]

_PACKED = (".gz", ".zst", ".zstd")


def base_of(path: str) -> str:
    """Return the name of a file without folder and last extension (compression aside).

    Examples
    --------
    >>> base_of("codes/ann.b@example.org.csv.gz")
    'ann.b@example.org'
    """
    name = _slashed(path).rpartition("/")[2]
    if name.lower().endswith(_PACKED):
        name = name.rpartition(".")[0]
    return name.rpartition(".")[0] or name


def extension_of(path: str) -> str:
    """Return the last extension of a file's name in lower case (compression aside).

    Examples
    --------
    >>> extension_of("codes/ann.v2.CSV.gz")
    'csv'
    """
    words = _slashed(path).rpartition("/")[2].lower().split(".")[1:]
    return next((word for word in reversed(words) if f".{word}" not in _PACKED), "")


def part_of(path: str, how: str, option: str, shown: str | None = None) -> str:
    """Return the part of a path that an option asks for.

    Parameters
    ----------
    path : str
    path : str
        The path as the user wrote it.
        "file" (as `base_of` gives it), "folder" (the folder of the file), or a regular expression.
        Its only group, or the group with the name of what is asked for ("coder"), is the part.
    option : str
        As the user writes it: "--coder-from".
    shown : str, optional
        The name of the file in errors.

    Raises
    ------
    ReadError
        If there is no folder, or the expression is invalid or not found in the path.

    Examples
    --------
    >>> part_of("ann/1.csv", "folder", "--coder-from")
    'ann'
    >>> part_of("ann/1.csv", "(?P<coder>a)(n)", "--coder-from")
    'a'
    """
    begin, end = where_in(path, how, option, shown)
    return path[begin:end]


def where_in(path: str, how: str, option: str, shown: str | None = None) -> tuple[int, int]:
    """Return the place in a path of the part that `part_of` gives."""
    what = _asked_for(option)
    slash = _slashed(path).rfind("/")
    if how == "file":
        return slash + 1, slash + 1 + len(base_of(path))
    if how == "folder":
        begin = _slashed(path).rfind("/", 0, max(slash, 0)) + 1
        if slash <= begin:
            raise ReadError(
                f"{shown or show(path)} is in no folder of a {what}: name the folder above, or say"
                f" where in the path the {what} is with {option}"
            )
        return begin, slash
    pattern, group = group_of(how, option)
    found = pattern.search(path)
    if found is None or not found[group]:
        raise ReadError(f"{option} {show(how)} finds no {what} in {show(path)}")
    return found.span(group)


def group_of(
    regex: str, option: str, written: str | None = None
) -> tuple[re.Pattern[str], str | int]:
    """Compile a regular expression; return it with the group that is the part.

    `written` is what the user wrote, if the expression is only a part of that.
    """
    what, shown = _asked_for(option), show(written or regex)
    try:
        compiled = re.compile(regex)
    except (re.error, RecursionError, OverflowError) as error:
        raise ReadError(f"{option} {shown} is no regular expression: {error}") from None
    if what in compiled.groupindex:
        return compiled, what
    if compiled.groups != 1:
        raise ReadError(
            f"{option} {shown} has {compiled.groups} groups: put only the {what}'s part in"
            f" parentheses, or name its group, (?P<{what}>...); or pass {option} file"
        )
    return compiled, 1


def _asked_for(option: str) -> str:
    return option.removeprefix("--").removesuffix("-from")


def _slashed(path: str) -> str:
    return path.replace(os.sep, "/")
