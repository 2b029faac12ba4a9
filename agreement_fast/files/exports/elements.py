"""XML, read safely: document types are refused, so there are no entities and nothing is fetched."""

import contextlib
import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from typing import IO, Any
from xml.parsers import expat

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Member
from agreement_fast.files.exports.streams import CHUNK, Wrong

#: Levels of elements, and elements: each takes more memory than bytes in the file.
DEEPEST = 1_000
MOST_ELEMENTS = 2_000_000


class _Refused(Exception):  # noqa: N818
    """Content that is not allowed in a file."""


class _Guarded(ET.TreeBuilder):
    """Builds the tree of a file that has no document type, and is not too deep or too large."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = self._n_elements = 0

    def start(self, tag: Any, attributes: Any, /) -> Any:
        self._depth += 1
        self._n_elements += 1
        if self._n_elements > MOST_ELEMENTS:
            raise _Refused(f"it has more than {MOST_ELEMENTS:,} elements")
        if self._depth > DEEPEST:
            raise _Refused(f"its elements are nested more than {DEEPEST:,} deep")
        return super().start(tag, attributes)

    def end(self, tag: Any, /) -> Any:
        self._depth -= 1
        return super().end(tag)

    def doctype(self, *_: object) -> None:
        raise _Refused("it declares a document type, which is not allowed")


def read_xml(member: Member) -> ET.Element:
    """Read an XML file; names in a namespace are written "{namespace}name".

    Raises ReadError if the XML is not well-formed, declares a document type or is nested too
    deeply.
    """
    try:
        return _parse(member, lambda file: iter(lambda: file.read(CHUNK), b""))
    except ET.ParseError as error:
        reason = f"this is not well-formed XML ({expat.ErrorString(error.code)})"
        raise ReadError(f"{member.shown}, line {error.position[0]:,}: {reason}") from None
    except _Refused as error:
        n_lines = itertools.count(1)
        with contextlib.suppress(_Refused):  # once more, to count the lines
            _parse(member, lambda file: (line for line in file if next(n_lines)))
        raise ReadError(f"{member.shown}, line {next(n_lines) - 1:,}: {error}") from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise ReadError(f"{member.shown} cannot be read as XML: {error}") from None


def _parse(member: Member, pieces: Callable[[IO[bytes]], Iterable[bytes]]) -> ET.Element:
    parser: ET.XMLParser[ET.Element] = ET.XMLParser(target=_Guarded())
    with member.open() as file:
        for piece in pieces(file):
            parser.feed(piece)
    return parser.close()


def tag_of(element: ET.Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def attribute(element: ET.Element, key: str) -> str:
    """Return a required attribute."""
    if value := element.get(key):
        return value
    raise Wrong(f"{_named(element)} has no {show(key)}")


def whole_attribute(element: ET.Element, key: str) -> int:
    """Return an attribute that must be an integer of 0 or more."""
    value = attribute(element, key)
    if re.fullmatch(r"[0-9]{1,15}", value.strip()) is None:
        raise Wrong(f"{_named(element)}: {show(key)} must be a whole number, got {show(value)}")
    return int(value)


def _named(element: ET.Element) -> str:
    ids = [show(value) for key, value in element.items() if key.endswith(("guid", "_ID")) and value]
    return " ".join([tag_of(element), *ids[:1]])
