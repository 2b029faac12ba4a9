"""Exports of annotation tools, which are recognised so that no column of theirs is guessed wrongly.

Each format is a row of `EXPORTS`. It is recognised by its content, never by the file's name. An
export that is a table can still be read: name its columns.

References
----------
The documentation of each tool; docs/report.md names the formats.
"""

from __future__ import annotations

import codecs
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from agreement_fast.files.errors import ReadError
from agreement_fast.reading.usual_names import usual_columns

__all__ = ["EXPORTS", "Export", "Sight", "refuse_export"]

_BOMS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}


@dataclass(frozen=True)
class Sight:
    """What is seen of a file before it is read.

    Attributes
    ----------
    text : str
        Its beginning.
    members : tuple of str
        The files in it, where it is a zip archive.
    columns : mapping of str to str
        The columns of a table and their types.
    """

    text: str = ""
    members: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_bytes(cls, head: bytes, path: str) -> Sight:
        """See the beginning of a file."""
        if head.startswith(b"PK\x03\x04"):
            try:
                with zipfile.ZipFile(path) as archive:
                    return cls(members=tuple(archive.namelist()))
            except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
                return cls()
        encoding = next((name for bom, name in _BOMS.items() if head.startswith(bom)), "utf-8")
        return cls(text=head.decode(encoding, "replace").lstrip())

    def has(self, *columns: str) -> bool:
        """Whether it is a table with these columns."""
        return self.columns.keys() >= set(columns)

    def holds_list(self, column: str) -> bool:
        """Whether a column of it holds lists."""
        return self.columns.get(column, "").endswith("]")


@dataclass(frozen=True)
class Export:
    """A format of a tool.

    Attributes
    ----------
    name : str
    recognise : callable
    units : bool
        Whether it holds spans of text or time.
    hint : str
        How its columns can be named, if it is a table.
    """

    name: str
    recognise: Callable[[Sight], bool]
    units: bool = False
    hint: str = ""


def _starts(pattern: str) -> Callable[[Sight], bool]:
    return lambda sight: re.match(pattern, sight.text) is not None


def _within(text: str) -> Callable[[Sight], bool]:
    return lambda sight: text in sight.text


def _archived(member: str) -> Callable[[Sight], bool]:
    return lambda sight: any(name.rsplit("/", 1)[-1] == member for name in sight.members)


def _is_doccano(sight: Sight) -> bool:
    """Texts with lists of labels, and nobody who gave them."""
    lists = any(sight.holds_list(name) for name in ("label", "entities", "cats"))
    source = {"text", "filename", "data"} & sight.columns.keys()
    return bool(lists and source) and not usual_columns("coder", list(sight.columns))


EXPORTS = (
    Export("Prodigy (JSON lines)",
           lambda s: bool({"_input_hash", "_task_hash", "_view_id"} & s.columns.keys()),
           hint="--item _input_hash --coder _annotator_id --label COLUMN"),
    Export("Label Studio (JSON)",
           lambda s: s.has("data") and bool({"annotations", "completions"} & s.columns.keys())),
    Export("Label Studio (CSV or JSON-MIN)",
           lambda s: s.has("annotation_id")
           and bool({"annotator", "lead_time"} & s.columns.keys()),
           hint="--item id --coder annotator --label COLUMN"),
    Export("doccano (JSON lines)", _is_doccano),
    Export("doccano (zip)", lambda s: bool(s.members)
           and all(name.endswith((".jsonl", "/")) for name in s.members)),
    Export("Argilla (records)",
           lambda s: any(name.endswith(".responses.users") for name in s.columns)),
    Export("Amazon Mechanical Turk (batch CSV)", lambda s: s.has("HITId", "WorkerId")
           and any(name.startswith(("Answer.", "Input.")) for name in s.columns),
           hint="--item HITId --coder WorkerId --label COLUMN"),
    Export("Rayyan (CSV)", lambda s: s.has("key", "title", "authors", "notes", "abstract")),
    Export("brat (.ann)", _starts(r"[TREAMN]\d+\t\S+ \S|#\d+\t\S+ \S+\t|\*\t\S+ T\d"),
           units=True),
    Export("WebAnno (TSV)", _starts("#FORMAT=WebAnno TSV"), units=True),
    Export("INCEpTION (zip)", _archived("exportedproject.json"), units=True),
    Export("UIMA CAS (XMI)", _within("<xmi:XMI"), units=True),
    Export("UIMA CAS (JSON)", _within('"%FEATURE_STRUCTURES"'), units=True),
    Export("Praat (TextGrid)", _within("ooTextFile"), units=True),
    Export("ELAN (.eaf)", _within("<ANNOTATION_DOCUMENT"), units=True),
    Export("REFI-QDA (.qdpx)", _archived("project.qde"), units=True),
    Export("REFI-QDA (.qde)", _within("urn:QDA-XML:project"), units=True),
)  # fmt: skip


def refuse_export(sight: Sight, shown: str, *, named: bool = False) -> None:
    """Refuse an export, by the name of its tool.

    Parameters
    ----------
    sight : Sight
    shown : str
        The file.
    named : bool, default False
        Whether the caller named the columns: then a table is one like others.

    Raises
    ------
    ReadError
    """
    if named:
        return
    found = next((one for one in EXPORTS if one.recognise(sight)), None)
    if found is None:
        return
    wanted = "the columns item, coder and label, one judgment a row"
    if found.units:
        wanted = (
            "the columns coder, start, end and category, one unit a row, for agreement-fast units;"
            f" or with {wanted}"
        )
    hint = ""
    if found.hint:
        hint = f", or name its columns: {found.hint}"
    raise ReadError(
        f"{shown} is an export of {found.name}, and there is no reader for such yet: convert it to"
        f" a table with {wanted}{hint}"
    )
