"""Columns in paths: folders such as ``project=a/day=2`` give values to all rows of a file.

Spark, DuckDB, polars and pyarrow write data in such folders, as Hive did. These columns are never
guessed to be an item, a coder or a label.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import unquote

from agreement_fast.files.conditions import may_name
from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File

__all__ = ["all_partitions", "partitions_of", "partitions_read", "refuse_unlike_paths"]

#: The value that writers use if one is missing.
MISSING = "__HIVE_DEFAULT_PARTITION__"


def partitions_of(path: str) -> tuple[dict[str, str | None], dict[str, str]]:
    """Return the columns that the folders of a path name, and faults of some of them.

    Returns
    -------
    dict of str to str or None
        Values by column; None if a value is missing.
    dict of str to str
        By column: the reason why it cannot be used.

    Examples
    --------
    >>> partitions_of("lake/project=a%2Fb/day=2/part=0.parquet")[0]
    {'project': 'a/b', 'day': '2'}
    >>> partitions_of("lake/project=__HIVE_DEFAULT_PARTITION__/1.csv")[0]
    {'project': None}
    """
    found: dict[str, str | None] = {}
    faults: dict[str, str] = {}
    for folder in path.replace(os.sep, "/").split("/")[:-1]:
        key, sign, text = folder.partition("=")
        if not (key and sign):
            continue
        name, value = _decoded(key), _decoded(text)
        if name is None or value is None:
            faults[name or key] = f"the folder {show(folder)} of {show(path)} is not UTF-8"
        # As in a CSV, an empty value is missing.
        kept = None if value in ("", MISSING) else value
        if found.setdefault(name or key, kept) != kept:
            faults[name or key] = (
                f"the path {show(path)} names two values of {show(name or key)}: rename a folder"
            )
    return found, faults


def _decoded(text: str) -> str | None:
    """Decode percent-encoded characters; return None if the result is not UTF-8."""
    try:
        text.encode()
        return unquote(text, errors="strict")
    except UnicodeEncodeError:
        return None
    except UnicodeDecodeError:
        return text


def refuse_unlike_paths(where: str | None, files: Sequence[File]) -> None:
    """Refuse a condition on a column that the path of one file has and another file lacks."""
    for name in all_partitions(files):
        if where is None or not may_name(where, name):
            continue
        for file in files:
            if name in file.faults:
                raise ReadError(file.faults[name])
            if name not in file.known:
                has = next(one for one in files if name in one.partitions)
                raise ReadError(
                    f"--where names {show(name)}, a folder of {has.shown}; {file.shown} has no such"
                    f" folder or column: name only the files below {show(name + '=...')}"
                )


def partitions_read(columns: Sequence[str], where: str | None, files: Sequence[File]) -> list[str]:
    """Return the columns of paths that have a role, or that a condition may name."""
    used = {part for name in columns for file in files for part in file.own(name)}
    return [
        name
        for name in all_partitions(files)
        if name in used or (where is not None and may_name(where, name))
    ]


def all_partitions(files: Sequence[File]) -> list[str]:
    """Return the columns in the paths of files, each once."""
    return list(dict.fromkeys(name for file in files for name in file.partitions))
