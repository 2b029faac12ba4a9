"""Read XML safely: document types are refused, so there are no entities and nothing is fetched."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from xml.parsers import expat

from agreement_fast.exports.bundle import Member
from agreement_fast.files.errors import ReadError

__all__ = ["check_xml", "read_xml"]

#: Levels of elements, and elements: each takes more memory than bytes in the file.
DEEPEST = 1_000
MOST_ELEMENTS = 2_000_000


class _Refused(Exception):  # noqa: N818
    """Content that is not allowed in a file."""


def read_xml(member: Member) -> ET.Element:
    """Read an XML file; names in a namespace are written "{namespace}name".

    Raises
    ------
    ReadError
        If the XML is not well-formed, declares a document type or is nested too deeply.
    """
    builder = ET.TreeBuilder()
    _parse(member, builder.start, builder.end, builder.data)
    return builder.close()


def check_xml(member: Member) -> None:
    """Raise the errors of `read_xml` without keeping the tree, for files that a library reads."""
    _parse(member, lambda name, attributes: None, lambda name: None, lambda data: None)


def _parse(
    member: Member,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object],
    data: Callable[[str], object],
) -> None:
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    depth = n_elements = 0

    def named(name: str) -> str:
        return "{" + name if "}" in name else name

    def started(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, n_elements
        depth += 1
        n_elements += 1
        if n_elements > MOST_ELEMENTS:
            raise _Refused(f"it has more than {MOST_ELEMENTS:,} elements")
        if depth > DEEPEST:
            raise _Refused(f"its elements are nested more than {DEEPEST:,} deep")
        start(named(name), {named(key): value for key, value in attributes.items()})

    def ended(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(named(name))

    def declared(*_: object) -> None:
        raise _Refused("it declares a document type, which is not allowed")

    parser.StartElementHandler = started
    parser.EndElementHandler = ended
    parser.CharacterDataHandler = data
    parser.StartDoctypeDeclHandler = declared
    parser.EntityDeclHandler = declared
    try:
        with member.open() as file:
            parser.ParseFile(file)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise ReadError(
            f"{member.shown}, line {error.lineno:,}: this is not well-formed XML ({reason})"
        ) from None
    except _Refused as error:
        raise ReadError(f"{member.shown}, line {parser.CurrentLineNumber:,}: {error}") from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise ReadError(f"{member.shown} cannot be read as XML: {error}") from None
