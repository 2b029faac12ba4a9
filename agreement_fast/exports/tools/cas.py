"""Single documents of WebAnno, INCEpTION and UIMA: TSV 3, CAS XMI and CAS JSON.

The files do not name their coder, so the user must.
"""

from __future__ import annotations

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import LOOKED_AT
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.shared.annotated_file import (
    is_type_system,
    kind_of,
    read_annotated,
)
from agreement_fast.exports.tools.shared.layers import Annotated, Layers, digest
from agreement_fast.files.errors import ReadError

__all__ = ["Cas", "WebAnno"]


class _Documents(Tool):
    """Files with one document and one coder each."""

    options = ("coder_from", "document_from")
    kinds: tuple[str, ...]

    def recognise(self, bundle: Bundle) -> bool:
        """Whether the files have this format, ignoring type systems."""
        kinds = set()
        for member in bundle.members[:LOOKED_AT]:
            try:
                kinds.add(kind_of(member))
            except ReadError:
                return False
        return bool(kinds & set(self.kinds)) and kinds <= {*self.kinds, "types"}

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read all files."""
        if options.coder_from is None:
            raise ReadError(
                f"{bundle.shown}: a file of {self.title} does not say whose it is: pass"
                " --coder-from file, --coder-from folder or a regular expression",
                argument="coder_from",
            )
        types = [member for member in bundle.members if is_type_system(member)]
        layers = Layers()
        first: tuple[Member, bytes] | None = None
        for member in bundle.members:
            if member in types:
                continue
            annotated = read_annotated(member, options, _types_of(member, types))
            if annotated is None:
                found.leave_out("files of another format")
                continue
            coder = part_of_path(member, options.coder_from, "--coder-from")
            if options.document_from is not None:
                document = part_of_path(member, options.document_from, "--document-from")
            else:
                first = first or (member, digest(annotated.text))
                document = _only_document(member, annotated, first)
            layers.add(found, document, coder, member.shown, annotated, options.keep_texts)
        layers.finish(found)


def _only_document(member: Member, annotated: Annotated, first: tuple[Member, bytes]) -> str:
    if digest(annotated.text) != first[1]:
        raise ReadError(
            f"{first[0].shown} and {member.shown} hold different texts: pass --document-from file,"
            " --document-from folder or a regular expression",
            argument="document_from",
        )
    return "document"


def _types_of(member: Member, types: list[Member]) -> Member | None:
    """Return the nearest type system: that in the same folder, or the only one."""
    folder = member.name.rpartition("/")[0]
    near = [one for one in types if one.name.rpartition("/")[0] == folder]
    return near[0] if near else types[0] if len(types) == 1 else None


class WebAnno(_Documents):
    """Files of WebAnno TSV 3."""

    name = "webanno"
    title = "WebAnno TSV"
    kinds = ("tsv",)


class Cas(_Documents):
    """Files of UIMA CAS, with their type system."""

    name = "cas"
    title = "UIMA CAS"
    kinds = ("xmi", "json")
