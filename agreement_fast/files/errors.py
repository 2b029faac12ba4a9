"""Errors of reading files: one line that says what is wrong and what to do."""

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agreement_fast.errors import InputError
from agreement_fast.present.terminal import escape

#: DuckDB's message for a word that is not a column.
_UNKNOWN = re.compile('Referenced column "(.+?)" not found in FROM clause')

#: Names of columns in queries that are not columns of a file.
_OWN = re.compile(r"_*cell_\d+|[ak]\d+")


class ReadError(InputError):
    """A file could not be read, or lacks what was asked for; the message is one line."""


@contextmanager
def as_read_errors() -> Iterator[None]:
    """Turn refusals of recognition into errors of reading."""
    try:
        yield
    except ReadError:
        raise
    except InputError as error:
        raise ReadError(str(error), argument=error.argument) from None


def show(text: str) -> str:
    """Return a text from a file or user in quotes, on one line, without control characters.

    Examples
    --------
    >>> print(show("a\\nb"))
    'a\\nb'
    """
    text = text if len(text) <= 120 else text[:119] + "\u2026"
    return f"'{escape(text)}'"


def listed(texts: Sequence[str], most: int) -> str:
    """List the first of some texts, and say how many more there are."""
    return ", ".join(texts[:most]) + f" and {len(texts) - most:,} more" * (len(texts) > most)


def not_utf8(shown: str) -> ReadError:
    """Return the error for a text that is not UTF-8."""
    return ReadError(
        f"{shown} is not UTF-8: pass --encoding cp1252 if Excel on Windows saved it, else utf-16 or"
        " latin-1"
    )


@contextmanager
def full_disk() -> Iterator[None]:
    """Turn errors of writing temporary files into a ReadError."""
    try:
        yield
    except OSError as error:
        raise ReadError(
            f"temporary files in {show(tempfile.gettempdir())} cannot be written:"
            f" {error.strerror or error}; set TMPDIR to another folder"
        ) from None


@contextmanager
def one_line(shown: str, where: str | None = None) -> Iterator[None]:
    """Turn DuckDB's errors in a block into a ReadError; `where` is a condition it may blame."""
    try:
        yield
    except Exception as error:
        duckdb: Any = sys.modules.get("duckdb")  # what is small is read without it
        of_duckdb = duckdb is not None and isinstance(error, duckdb.Error)
        stopped = isinstance(error, RuntimeError) and "interrupted" in str(error)
        if stopped or (of_duckdb and isinstance(error, duckdb.InterruptException)):
            raise KeyboardInterrupt from None
        if of_duckdb:
            raise ReadError(_explain(error, shown, where)) from None
        raise


@contextmanager
def readable(shown: str) -> Iterator[None]:
    """Turn errors of opening a file, whose name may be that of a column, into a ReadError."""
    try:
        yield
    except FileNotFoundError:
        column = "" if re.search(r"[./\\ ]", shown) else "; columns are named as in --coder A,B"
        raise ReadError(f"{shown}: no such file{column}") from None
    except OSError as error:
        raise ReadError(f"{shown} cannot be read: {error.strerror or error}") from None


#: A line further down is no header.
MOST_ABOVE = 20


def long_line(place: str) -> str:
    """Say that a line of a CSV has too many bytes."""
    return f"{place}: a line of a CSV may have 2,000,000 bytes, and this one has more"


def other_width(shown: str, line: int, row: Sequence[str], first: Sequence[str]) -> str:
    """Say that a line has other columns than the first, below which the header may stand."""
    n_columns, width = len(row), len(first)
    more = width < n_columns and line <= MOST_ABOVE
    skip = f": if the header is there, pass --skip-rows {line - 1}" * more
    text = "".join(row)
    divides = [x for x in ";|" if width == 1 and 0 < first[0].count(x) == text.count(x)]
    if divides:
        skip = f": columns seem to be divided by {divides[0]!r}, pass --delimiter {divides[0]!r}"
    elif line == 2 and n_columns == width + 1:  # as R writes a data frame
        skip += (
            "; if each line begins with the name of its row, write 'name,' before the first line"
        )
    return f"{shown}, line {line:,}: {n_columns:,} columns, but the first line has {width:,}{skip}"


def _explain(error: Exception, shown: str, where: str | None) -> str:
    """Summarize DuckDB's message, often of thirty lines, in one line.

    Of a CSV it has no other faults than these: an irregular one is read from a copy, whose writer
    finds what is wrong with it (see `regular.regular_rows`).
    """
    message = str(error)
    if "not utf-8 encoded" in message or "Invalid unicode" in message:
        return str(not_utf8(shown))
    line = re.search(r"CSV Error on Line: (\d+)", message)
    if "Maximum line size" in message or "does not support a full read" in message:
        return long_line(f"{shown}, line {int(line[1]):,}" if line else shown)
    if re.search("maximum_object_size.* exceeded", message):
        return f"{shown}: a record has more than 16 MiB, the limit for a record of JSON"
    if where is not None and type(error).__name__.removesuffix("Exception") in _OF_WHERE:
        unknown = _UNKNOWN.search(message)
        if unknown is not None:
            return f"--where {show(where)}: {_no_column(unknown[1], message, where)}"
        hint = ""
        if "explicit cast" in message or "Could not convert" in message:
            hint = " (try_cast(COLUMN as double) compares texts as numbers)"
        return f"--where {show(where)}: {first_line(error)}{hint}"
    return f"{shown}: {first_line(error)}"


def _no_column(name: str, message: str, where: str) -> str:
    """Explain a word of a condition that is not a column: an unquoted text, or a misspelling."""
    bare = re.escape(name)
    value = re.compile(
        rf"""\s*(<>|[!<>]?=|[<>]|\blike\b)\s*(?:"{bare}"|{bare}(?!\w))""", re.IGNORECASE
    )
    if value.search(where):
        quoted = value.sub(lambda match: f" {match[1]} '{name}'", where)
        return f'no column {show(name)}; if it is a text, quote it: --where "{_clip(quoted)}"'
    _, _, candidates = message.partition("Candidate bindings: ")
    close = [entry for entry in re.findall(r'"([^"]+)"', candidates) if not _OWN.fullmatch(entry)]
    hint = f" (did you mean {' or '.join(map(show, close))}?)" if close else ""
    return f"no column {show(name)}{hint}"


def is_irregular(error: Exception) -> bool:
    """Return whether DuckDB met line ends or quotation marks that it cannot read."""
    message = str(error)
    if "Maximum line size" in message or "unicode" in message.lower():
        return False
    return "state machine" in message or "CSV Error on Line" in message


#: DuckDB's errors that a condition may cause.
_OF_WHERE = (
    "Binder", "Catalog", "Parser", "Permission", "Conversion", "InvalidInput", "NotImplemented",
    "OutOfRange",
)  # fmt: skip


def first_line(error: Exception) -> str:
    """Return the first line of DuckDB's message without its class."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = re.sub(r"^([A-Z][A-Za-z ]* Error: )+", "", lines[0]) if lines else type(error).__name__
    # The caller adds the name of the file, as the user wrote it.
    text = re.sub(r""" in file ("[^"]*"|'[^']*')""", "", text)
    if len(lines) > 1 and lines[1].startswith("Candidate"):
        text += f" {lines[1]}"
    return _clip(text)


def _clip(text: str) -> str:
    return escape(text if len(text) <= 200 else text[:199] + "\u2026")
