"""Read a file with the annotations of one document by one coder, in any of the formats."""

from __future__ import annotations

from agreement_fast.exports.bundle import Member, encoding_of
from agreement_fast.exports.tool import Options
from agreement_fast.exports.tools.shared.layers import Annotated
from agreement_fast.exports.tools.shared.uima_cas import read_cas_json, read_cas_xmi
from agreement_fast.exports.tools.shared.webanno_tsv import HEAD, read_tsv

__all__ = ["is_type_system", "kind_of", "read_annotated"]

_ZIP = b"PK\x03\x04"


def kind_of(member: Member) -> str:
    """Return the kind of a file from its beginning: "tsv", "json", "xmi", "types", "zip" or ""."""
    head = member.head()
    if head.startswith(_ZIP):
        return "zip"
    text = head.decode(encoding_of(head), "replace").lstrip("\ufeff \t\r\n")
    if text.startswith(HEAD):
        return "tsv"
    if text.startswith("{") and ('"%TYPES"' in text or '"%FEATURE_STRUCTURES"' in text):
        return "json"
    if text.startswith("<"):
        if "http://www.omg.org/XMI" in text:
            return "xmi"
        if "typeSystemDescription" in text:
            return "types"
    return ""


def is_type_system(member: Member) -> bool:
    """Whether a file is the type system of XMI files."""
    return kind_of(member) == "types"


def read_annotated(
    member: Member, options: Options, types: Member | None = None
) -> Annotated | None:
    """Read a file, or the file in an archive.

    Parameters
    ----------
    member : Member
        The file.
    options : Options
        The options of the user.
    types : Member, optional
        The type system of an XMI file, if it is not in the same archive.

    Returns
    -------
    Annotated or None
        None if the format is not supported.
    """
    kind = kind_of(member)
    if kind == "zip":
        inside = member.inside()
        types = next(filter(is_type_system, inside), types)
        read = [one for one in inside if kind_of(one) in ("tsv", "json", "xmi")]
        return read_annotated(read[0], options, types) if len(read) == 1 else None
    if kind == "tsv":
        return read_tsv(member, options.encoding)
    if kind == "json":
        return read_cas_json(member)
    return read_cas_xmi(member, types) if kind == "xmi" else None
