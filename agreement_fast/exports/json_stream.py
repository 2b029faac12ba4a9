"""Read the values of a JSON file one after the other, also of very large files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from agreement_fast.exports.bundle import Member
from agreement_fast.files.errors import ReadError, show

__all__ = ["json_values"]

#: Characters that are read at a time, and those that one value may have.
CHUNK = 1 << 20
LONGEST = 1 << 28

#: How far before the end of what was read an error may stem from the end being cut off.
_CUT = 16

_SPACE = re.compile(r"[ \t\r\n\ufeff]*")


def json_values(member: Member, encoding: str | None = None) -> Iterator[Any]:
    """Yield the elements of an array, or the values of JSON lines, as they are read.

    A file that begins with "[" is one array. Any other file is a sequence of values, with or
    without line breaks between them.

    Raises
    ------
    ReadError
        If the file is not JSON, with the line, or if values are nested too deeply.
    """
    with member.text(encoding) as stream:
        yield from _values(stream, member.shown)


def _values(stream: Any, shown: str) -> Iterator[Any]:
    decode = json.JSONDecoder().raw_decode
    text, at, line, ended = "", 0, 1, False
    size = CHUNK

    def more() -> None:
        """Drop the part that was read, and read the next one."""
        nonlocal text, at, line, ended
        line += text.count("\n", 0, at)
        if len(text) - at > LONGEST:
            raise ReadError(f"{shown}, line {line:,}: a value has more than {LONGEST:,} characters")
        # One character more than allowed, so that a value that is too long is noticed.
        some = stream.read(min(size, LONGEST + 1 - (len(text) - at)))
        text, at, ended = text[at:] + some, 0, len(some) < 1

    def skip() -> None:
        """Go to the next character that is not a blank."""
        nonlocal at
        while True:
            found = _SPACE.match(text, at)
            at = at if found is None else found.end()
            if at < len(text) or ended:
                return
            more()

    def wrong(what: str, place: int) -> ReadError:
        there = line + text.count("\n", 0, place)
        return ReadError(f"{shown}, line {there:,}: {what}")

    skip()
    array = text[at : at + 1] == "["
    at += array
    first, on_lines = True, False
    while True:
        skip()
        if at >= len(text):
            if array:
                raise wrong("the file ends within a list: it is truncated", at)
            return
        if array:
            if text[at] == "]":
                break
            if not first:
                if text[at] != ",":
                    raise wrong(f"expected a comma or ], got {show(text[at : at + 20])}", at)
                at += 1
                skip()
        while True:
            try:
                value, end = decode(text, at)
            except json.JSONDecodeError as error:
                open_string = error.msg.startswith(("Unterminated", "Invalid \\"))
                if ended or not (open_string or error.pos >= len(text) - _CUT):
                    at_end = open_string or error.pos >= len(text) - 1
                    cut = ": the file is truncated" if ended and at_end else ""
                    place = error.pos
                    if on_lines and "\n" in text[at:place].rstrip("\n"):
                        raise wrong("the line ends within a value: it is truncated", at) from None
                    if on_lines and text[:place].endswith("\n"):
                        place, cut = place - 1, ": the line is truncated"
                    raise wrong(f"this is not JSON ({error.msg}){cut}", place) from None
            except RecursionError:
                raise wrong("the values are nested too deeply", at) from None
            except ValueError as error:  # an integer of more digits than Python reads
                raise wrong(f"this is not JSON that can be read ({error})", at) from None
            else:
                # A number may go on: "1" with "e+5".
                behind = 3 if isinstance(value, int | float) else 0
                if end + behind <= len(text) or ended:
                    break
            size = max(CHUNK, len(text) - at)
            more()
        size = CHUNK
        on_lines = (first or on_lines) and not array and "\n" not in text[at:end]
        at = end
        first = False
        yield value
    at += 1
    skip()
    if at < len(text):
        raise wrong(f"expected nothing after the list, got {show(text[at : at + 20])}", at)
