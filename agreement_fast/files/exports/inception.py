"""Projects of INCEpTION and WebAnno, and annotated documents: WebAnno TSV, UIMA CAS."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.layers import (
    HEAD,
    Annotated,
    Layers,
    read_cas_json,
    read_cas_xmi,
    read_tsv,
)
from agreement_fast.files.exports.streams import LOOKED_AT, json_values
from agreement_fast.files.exports.tool import Options, Tool, part_of_path, written
from agreement_fast.files.file import encoding_of

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


def read_annotated(
    member: Member, options: Options, types: Member | None = None
) -> Annotated | None:
    """Read a file, or the file in an archive.

    `types`: the type system of an XMI file, if it is not in the same archive. Returns None if the
    format is not supported.
    """
    kind = kind_of(member)
    if kind == "zip":
        inside = member.inside()
        types = next((entry for entry in inside if kind_of(entry) == "types"), types)
        read = [entry for entry in inside if kind_of(entry) in ("tsv", "json", "xmi")]
        return read_annotated(read[0], options, types) if len(read) == 1 else None
    if kind == "tsv":
        return read_tsv(member, options.encoding)
    if kind == "json":
        return read_cas_json(member)
    return read_cas_xmi(member, types) if kind == "xmi" else None


_PROJECT = "exportedproject.json"
#: Files without a coder: the initial text, and automatic annotations.
_NOBODY = ("INITIAL_CAS", "CORRECTION_USER", "__predefined__")
_CURATOR = "CURATION_USER"
_NOT_BEGUN = ("NEW", "IGNORE")
_FINISHED = {"annotation": "FINISHED", "curation": "CURATION_FINISHED"}


class Inception(Tool):
    """Reads the export of a whole project, as an archive or an unpacked folder."""

    name = "inception"
    title = "INCEpTION or WebAnno (project)"
    options = ("with_curation", "with_unfinished")

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether there is a file exportedproject.json with the required keys."""
        firsts = (next(json_values(member), None) for member in _projects(bundle))
        return any(isinstance(first, dict) and "source_documents" in first for first in firsts)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the documents of each coder who finished them."""
        projects = _projects(bundle)
        if not projects:
            raise ReadError(f"{bundle.shown} holds no file {_PROJECT}: name the project's archive")
        for member in projects:
            project = _Project(member)
            layers = Layers(project.layers)
            read: set[tuple[str, str]] = set()
            for work, document, coder, curated, state in project.works(bundle, member):
                finished = _FINISHED["curation" if curated else "annotation"]
                annotated = None
                if curated and not options.with_curation:
                    out.leave_out("documents as curated")
                elif state is None:
                    out.leave_out("files of users whom exportedproject.json does not name")
                elif state in _NOT_BEGUN:
                    out.leave_out("documents that a coder did not start")
                elif state != finished and not options.with_unfinished:
                    out.leave_out("unfinished documents (--with-unfinished includes them)")
                elif (annotated := read_annotated(work, options)) is None:
                    out.leave_out("files of a format that is not read")
                elif (document, coder) in read:
                    out.leave_out("further files of a coder and a document")
                else:
                    read.add((document, coder))
                    layers.add(out, document, coder, work.shown, annotated, options.keep_texts)
            layers.finish(out)
            if project.n_of_documents and not out.answers:
                out.note(
                    f"the project has layers of whole documents ({project.n_of_documents}), but the"
                    " files hold no annotation of them: WebAnno TSV leaves them out, UIMA CAS JSON"
                    " does not"
                )


def _projects(bundle: Bundle) -> list[Member]:
    return [member for member in bundle.members if member.name.rpartition("/")[2] == _PROJECT]


class _Project:
    """The content of exportedproject.json."""

    def __init__(self, member: Member) -> None:
        project = next(json_values(member), None)
        if not isinstance(project, dict):
            raise ReadError(f"{member.shown} must hold an object, got {written(project)}")
        #: The states of documents, and by document those of each user's work.
        self._curations: dict[str, str] = {}
        self._states: dict[str, dict[str, str]] = defaultdict(dict)
        for where, record in _records(project, "source_documents", member):
            self._curations[_text(record, "name", where)] = _text(record, "state", where)
        for where, record in _records(project, "annotation_documents", member):
            state, user = _text(record, "state", where), _text(record, "user", where)
            self._states[_text(record, "name", where)][user] = state
        layers: dict[str, tuple[str, ...]] = {}
        self.n_of_documents = 0
        for where, record in _records(project, "layers", member, needed=False):
            layers[_text(record, "name", where)] = tuple(
                _text(feature, "name", there)
                for there, feature in _records(record, "features", member, where)
            )
            self.n_of_documents += record.get("type") == "document-metadata"
        #: The features of the layers, or None if they are not listed.
        self.layers = layers or None

    def works(
        self, bundle: Bundle, project: Member
    ) -> Iterator[tuple[Member, str, str, bool, str | None]]:
        """Yield the annotated files, sorted by name.

        Each with its document, its coder, whether it is curated, and its state.
        """
        root = project.name.removesuffix(_PROJECT)
        taken = any("curator" in users for users in self._states.values())
        curator = _CURATOR if taken else "curator"
        for member in bundle.members:
            if not member.name.startswith(root):
                continue
            room, _, rest = member.name[len(root) :].partition("/")
            document, slash, file = rest.partition("/")
            if room not in _FINISHED or not slash or file.startswith(_NOBODY):
                continue
            if room == "curation" or file.startswith(_CURATOR):
                yield member, document, curator, True, self._curations.get(document)
                continue
            states = self._states[document]
            coder = _user(file, member, sorted(states, key=len, reverse=True))
            if not coder.startswith(_NOBODY):
                yield member, document, coder, False, states.get(coder)


def _records(
    record: dict[str, Any], key: str, member: Member, where: str = "", needed: bool = True
) -> Iterator[tuple[str, dict[str, Any]]]:
    where = where or member.shown
    rows = record.get(key)
    if rows is None and not needed:
        return
    if not isinstance(rows, list):
        raise ReadError(f"{where}: {show(key)} must be a list, got {written(rows)}")
    for number, row in enumerate(rows, 1):
        there = f"{where}, {key} {number:,}"
        if not isinstance(row, dict):
            raise ReadError(f"{there} must be an object, got {written(row)}")
        yield there, row


def _text(record: dict[str, Any], key: str, where: str) -> str:
    value = record.get(key)
    if not isinstance(value, str) or not value:
        raise ReadError(f"{where}: {show(key)} must be a text, got {written(value)}")
    return value


def _user(file: str, member: Member, users: list[str]) -> str:
    """Return the user of a file; the file name may end in a number that is not part of the name."""
    stem = file.rpartition(".")[0] or file
    for user in users:  # the longest names first, because one may be the beginning of another
        if stem == user or re.fullmatch(re.escape(user) + r"_?\d{6,}", stem):
            return user
    if file.lower().endswith(".zip"):
        for inner in member.inside():
            name = inner.name.rpartition("/")[2].rpartition(".")[0]
            if name in users or name.startswith(_NOBODY):
                return name
    return stem


class _Documents(Tool):
    """Files with one document and one coder each."""

    options = ("coder_from", "document_from")
    kinds: tuple[str, ...]

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether the files have this format, ignoring type systems."""
        kinds = set(map(kind_of, bundle.members[:LOOKED_AT]))
        return bool(kinds & set(self.kinds)) and kinds <= {*self.kinds, "types"}

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read all files."""
        if options.coder_from is None:
            raise ReadError(
                f"{bundle.shown}: a file of {self.title} does not say whose it is: pass"
                " --coder-from file, --coder-from folder or a regular expression",
                argument="coder_from",
            )
        types = [member for member in bundle.members if kind_of(member) == "types"]
        layers = Layers()
        for member in bundle.members:
            if member in types:
                continue
            # The nearest type system: that in the same folder, or the only one.
            folder = member.name.rpartition("/")[0]
            near = [entry for entry in types if entry.name.rpartition("/")[0] == folder]
            nearest = near[0] if near else types[0] if len(types) == 1 else None
            annotated = read_annotated(member, options, nearest)
            if annotated is None:
                out.leave_out("files of another format")
                continue
            coder = part_of_path(member, options.coder_from, "--coder-from")
            document = "document"
            if options.document_from is not None:
                document = part_of_path(member, options.document_from, "--document-from")
            layers.add(out, document, coder, member.shown, annotated, options.keep_texts)
        layers.finish(out)


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
