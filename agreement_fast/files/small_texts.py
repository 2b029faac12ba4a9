"""Small text files about categories: lines of cells, or JSON."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, NamedTuple

from agreement_fast.files.errors import ReadError, show

__all__ = ["Line", "SmallText", "read_small"]

#: Largest size in bytes; a larger file is not what was meant.
LARGEST = 1 << 26

DELIMITERS = ("\t", ";", ",")


class Line(NamedTuple):
    """A line of cells, and its number."""

    number: int
    cells: list[str]


class SmallText(NamedTuple):
    """A file that was read.

    Attributes
    ----------
    shown : str
        Its name, for errors.
    text : str
    """

    shown: str
    text: str

    @property
    def is_json(self) -> bool:
        """Whether the text begins as JSON does."""
        return self.text.lstrip()[:1] in ("{", "[")

    def json(self) -> Any:
        """Return the parsed JSON."""

        def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
            names = [name for name, _ in found]
            for name in names:
                if names.count(name) > 1:
                    raise ReadError(f"{self.shown}: {show(name)} is a key twice")
            return dict(found)

        try:
            return json.loads(self.text, object_pairs_hook=pairs)
        except ValueError as error:
            raise ReadError(f"{self.shown} is not JSON: {error}") from None
        except RecursionError:
            raise ReadError(f"{self.shown}: its JSON is nested too deeply") from None

    def delimiter(self) -> str:
        """Return the delimiter of cells: the first mark in all lines, else in any of them."""
        lines = [line for line in self.text.splitlines() if line.strip()]
        everywhere = (mark for mark in DELIMITERS if all(mark in line for line in lines))
        somewhere = (mark for mark in DELIMITERS if mark in self.text)
        return next(everywhere, None) or next(somewhere, ",")

    def lines(self) -> list[Line]:
        """Return the cells of lines that are not empty, without blanks around them."""
        reader = csv.reader(self.text.splitlines(), delimiter=self.delimiter(), strict=True)
        lines = []
        try:
            for cells in reader:
                stripped = [cell.strip() for cell in cells]
                if any(stripped):
                    lines.append(Line(reader.line_num, stripped))
        except csv.Error as error:
            raise ReadError(f"{self.shown}, line {reader.line_num}: {error}") from None
        if not lines:
            raise ReadError(f"{self.shown} is empty")
        return lines


def read_small(path: str) -> SmallText:
    """Read a small text file: UTF-8, with or without a mark."""
    shown = show(path)
    try:
        file = Path(path)
        if file.is_dir():
            raise ReadError(f"{shown} is a folder")
        if file.stat().st_size > LARGEST:
            raise ReadError(f"{shown} has more than {LARGEST >> 20} MiB")
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReadError(f"{shown} is not UTF-8: save it as CSV in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ReadError(f"{shown} cannot be read: {reason or error}") from None
    if not text.strip():
        raise ReadError(f"{shown} is empty")
    if "\0" in text:
        raise ReadError(f"{shown} is a binary file: save it as CSV in UTF-8")
    return SmallText(shown, text)
