"""INCEpTION, WebAnno and UIMA: projects, and annotated documents as WebAnno TSV or UIMA CAS.

Questions are made of layers of annotations with features: each feature of a layer is a question. An
empty feature is the empty string, which differs from a missing annotation.
"""

from __future__ import annotations

import io
import re
import warnings
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from agreement_fast.files.errors import ReadError, listed, show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.elements import read_xml
from agreement_fast.files.exports.streams import LOOKED_AT, json_values, look_at
from agreement_fast.files.exports.tool import Contents, Options, Spans, Tool

#: The label of a feature without a value.
NO_VALUE = ""

#: Types that describe the text or the tool, and are not judgments.
_STRUCTURE = (
    "uima.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.",
    "de.tudarmstadt.ukp.clarin.webanno.",
    "de.tudarmstadt.ukp.inception.",
    "org.dkpro.core.api.xml.",
    "org.dkpro.core.api.pdf.",
)
_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type."
#: Types among these that people annotate in the default project of WebAnno and INCEpTION.
_FILLED = ("Lemma", "Stem", "SurfaceForm")


def is_structure(layer: str) -> bool:
    """Whether a layer is not a question: tokens, sentences, metadata and the like

    Examples
    --------
    >>> is_structure("de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token")
    True
    >>> is_structure("webanno.custom.Stance")
    False
    """
    if layer.startswith(_SEGMENTATION):
        return layer.removeprefix(_SEGMENTATION) not in _FILLED
    return layer.startswith(_STRUCTURE)


class Mark(NamedTuple):
    """An annotation.

    Attributes
    ----------
    layer : str
        The full name of its type.
    features : mapping of str to value
        None if there is no value, a tuple for several values; empty for a layer without features.
    place : (int, int) or None
        Begin and end in code points; None for an annotation of the whole document.
    """

    layer: str
    features: Mapping[str, Any]
    place: tuple[int, int] | None


@dataclass
class Annotated:
    """A document as one coder annotated it."""

    #: The format, "CAS" or "TSV".
    kind: str
    #: The length of the text in code points.
    length: int = 0
    #: The text.
    text: str = ""
    #: The annotations.
    marks: list[Mark] = field(default_factory=list)
    #: Counts of what was left out.
    left_out: Counter[str] = field(default_factory=Counter)


class Layers:
    """Collects annotations of many documents and coders.

    `requested` (mapping of layer to features): the layers to read and their features; all of them
    if None.
    """

    def __init__(
        self, out: Contents, requested: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self._out, self._requested = out, requested
        self._finished: dict[tuple[str, str], None] = {}
        self._spans: dict[tuple[str, str], Spans] = {}
        self._of_documents: dict[tuple[str, str], dict[tuple[str, str], set[Any]]] = {}

    def add(self, document: str, coder: str, member: Member, annotated: Annotated) -> None:
        """Add a document that a coder has finished."""
        out, texts = self._out, self._out.options.keep_texts
        remedy = (
            "pass --document-from file, --document-from folder or a regular expression, or fewer"
            " files"
        )
        out.check_text((document, annotated.kind), annotated.text, member.shown, remedy)
        self._finished[document, coder] = None
        length = max(annotated.length, int(out.extents.get(document, (0, 0))[1]))
        out.extents[document] = 0, length
        if texts and annotated.kind == "TSV":
            out.note(
                "WebAnno TSV does not contain the text between sentences: each sentence is a"
                " line, and there are no paragraphs"
            )
            out.texts.setdefault(document, annotated.text)
        elif texts:
            out.texts[document] = annotated.text
        for what, count in annotated.left_out.items():
            out.leave_out(what, count)
        for mark in annotated.marks:
            for feature, values in self._values(mark):
                if mark.place is None:
                    labels = self._of_documents.setdefault((mark.layer, feature), defaultdict(set))
                    labels[document, coder].update(values)
                else:
                    spans = self._spans.setdefault((mark.layer, feature), Spans("spans"))
                    for value in values:
                        spans.mark(document, coder, [mark.place], value)

    def _values(self, mark: Mark) -> Iterable[tuple[str, tuple[Any, ...]]]:
        requested = None if self._requested is None else self._requested.get(mark.layer)
        if (self._requested is not None and requested is None) or is_structure(mark.layer):
            return
        kept = [name for name in mark.features if requested is None or name in requested]
        for name in kept:
            value = mark.features[name]
            several = value if isinstance(value, tuple) else (value,)
            yield name, tuple(NO_VALUE if v is None else v for v in several) or (NO_VALUE,)
        if not kept:
            yield "", (_short(mark.layer),)

    def finish(self) -> None:
        """Name the questions, and record who finished which document."""
        out = self._out
        # Features without values are dropped, if the layer has a feature with values.
        empty = {
            key: name
            for key, name in _names(self._spans).items()
            if all(span.category == NO_VALUE for span in self._spans[key].marked)
        }
        filled = {layer for layer, _ in self._spans.keys() - empty.keys()}
        unfilled = [show(empty[key]) for key in empty if key[0] in filled]
        for key in empty:
            if key[0] in filled:
                del self._spans[key]
        if unfilled:
            out.note(f"{listed(unfilled, 10)} is not a question, because nobody filled it in")
        names = _names([*self._spans, *self._of_documents])
        for key, spans in self._spans.items():
            joined = out.spans_of(names[key], spans.kind)
            joined.marked += spans.marked
            joined.seen |= self._finished
        for key, labels in self._of_documents.items():
            answers = out.answers_to(names[key], "labels of documents")
            for document, coder in self._finished:
                values = labels.get((document, coder))
                answers.add(document, coder, None if values is None else frozenset(values))


def _short(layer: str) -> str:
    return layer.rpartition(".")[2]


def _names(keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Name questions by layer and feature; use full names for layers whose names end alike."""
    keys = list(dict.fromkeys(keys))
    ends = Counter(_short(layer) for layer in {layer for layer, _ in keys})
    return {
        (layer, feature): (_short(layer) if ends[_short(layer)] == 1 else layer)
        + (f".{feature}" if feature else "")
        for layer, feature in keys
    }


_ANNOTATION, _TOP = "uima.tcas.Annotation", "uima.cas.AnnotationBase"
_LENGTH = 200


def read_cas_xmi(member: Member, types: Member | None) -> Annotated:
    """Read a CAS in XMI with its type system.

    Raises ReadError: as `read_cas_json`; if `read_xml` refuses the XML; if there is no type
    system.
    """
    if types is None:
        raise ReadError(
            f"{member.shown}: a CAS in XMI needs its type system in the same folder, in a file"
            " such as TypeSystem.xml: export it again, or as UIMA CAS JSON"
        )
    for unsafe in (types, member):
        read_xml(unsafe)

    def load(cassis: Any) -> Any:
        system = cassis.load_typesystem(io.BytesIO(types.read()))
        # Unsafe XML was refused above; the only thing trusted here is long texts.
        return cassis.load_cas_from_xmi(io.BytesIO(member.read()), system, trusted=True)

    return _annotated(member, load)


def _annotated(member: Member, load: Callable[[Any], Any]) -> Annotated:
    """Load a CAS; errors of the library become an error of one line."""
    try:
        import cassis
    except ModuleNotFoundError:
        raise ReadError('UIMA CAS needs dkpro-cassis: pip install "agreement-fast[uima]"') from None
    try:
        with warnings.catch_warnings():
            # cassis warns of positions outside the text and continues.
            warnings.simplefilter("error")
            return _marks(load(cassis), member)
    except (ReadError, MemoryError):
        raise
    except Exception as error:
        lines = str(error).splitlines()
        message = f"{type(error).__name__}: {lines[0][:_LENGTH] if lines else ''}"
        raise ReadError(f"{member.shown} cannot be read as a UIMA CAS ({show(message)})") from None


def _marks(cas: Any, member: Member) -> Annotated:
    system = cas.typesystem
    text = cas.sofa_string or ""
    annotated = Annotated("CAS", len(text), text)
    kinds: dict[str, tuple[str, list[str], list[str], list[str]]] = {}
    for whole in cas.select_all_fs():
        name = whole.type.name
        if name not in kinds:
            kinds[name] = _kind(system, whole.type)
        kind, single, several, links = kinds[name]
        if kind == "structure":
            continue
        if kind != "mark":
            annotated.left_out[kind] += 1
            continue
        place = None
        if system.subsumes(_ANNOTATION, name):
            place = whole.begin, whole.end
            if not (isinstance(whole.begin, int) and isinstance(whole.end, int)):
                raise ReadError(f"{member.shown}: an annotation of {show(name)} has no position")
            if not 0 <= whole.begin <= whole.end <= len(text):
                raise ReadError(
                    f"{member.shown}: an annotation of {show(name)} at {whole.begin}-{whole.end}"
                    f" is not within the text of {len(text):,} characters"
                )
        features = {feature: _scalar(whole[feature], feature, member) for feature in single}
        for feature in several:
            values = _list(whole[feature])
            features[feature] = tuple(_scalar(value, feature, member) for value in values)
        for feature in links:
            annotated.left_out["links between annotations"] += bool(_list(whole[feature]))
        annotated.marks.append(Mark(name, features, place))
    return annotated


def _kind(system: Any, type_: Any) -> tuple[str, list[str], list[str], list[str]]:
    """Return what annotations of a type are, and which features hold values, lists and links."""
    if is_structure(type_.name) or not system.subsumes(_TOP, type_.name):
        return "structure", [], [], []
    features = {f.name: f.rangeType for f in type_.all_features}
    if {"Governor", "Dependent"} <= features.keys():
        return "relations", [], [], []
    if "first" in features and not system.subsumes(_ANNOTATION, type_.name):
        return "structure", [], [], []  # the head of a chain, whose links are counted
    if "next" in features and features["next"].name == type_.name:
        return "links of chains", [], [], []
    own = [n for n in features if n not in ("sofa", "begin", "end") and not n.startswith("i7n_")]
    single = [name for name in own if system.is_primitive(features[name])]
    several = [name for name in own if system.is_primitive_array(features[name])]
    links = [name for name in own if features[name].name == "uima.cas.FSArray"]
    return "mark", single, several, links


def _list(value: Any) -> list[Any]:
    elements = getattr(value, "elements", value)
    return list(elements) if isinstance(elements, list | tuple) else []


def _scalar(value: Any, feature: str, member: Member) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ReadError(
        f"{member.shown}: feature {show(feature)} must be a text or a number, got"
        f" {type(value).__name__}"
    )


#: The beginning of a file.
HEAD = "#FORMAT=WebAnno TSV "

_ROW = re.compile(r"(\d{1,9})-(\d{1,9})(\.\d{1,9})?")
_PLACE = re.compile(r"(\d{1,15})-(\d{1,15})")
_ENTRY = re.compile(r"((?:[^|\\]|\\.)*?)(?:\[(\d{1,15})\])?(\||\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
#: A cell without an annotation, and a feature without a value.
_NONE, _EMPTY = "_", "*"


class _BadCellError(Exception):
    """A cell that does not have the form of the format."""


@dataclass
class _Layer:
    """The columns of a layer."""

    #: The name of the layer.
    name: str
    #: "SP" for spans, "RL" for relations, "CH" for chains.
    kind: str
    #: For each column its feature, and whether it names the targets of links. None for a column
    #: that only marks the presence of an annotation.
    features: list[tuple[str | None, bool]]
    #: The first column.
    begin: int
    #: Open annotations, by id or by place: begin, end and values by column.
    marks: dict[Any, tuple[list[int], dict[int, Any]]] = field(default_factory=dict)

    @property
    def end(self) -> int:
        return self.begin + len(self.features)


def read_tsv(member: Member, encoding: str | None = None) -> Annotated:
    """Read a file of WebAnno or INCEpTION.

    Raises ReadError if the file has another version of the format, or a line is invalid.
    """
    lines = member.read_text(encoding).split("\n")
    if not lines[0].startswith(HEAD + "3"):
        raise ReadError(
            f"{member.shown}, line 1: expected '{HEAD}3...', got"
            f" {show(lines[0][:60].strip())}: export the document again as WebAnno"
            " TSV 3.3 or UIMA CAS JSON"
        )
    layers: list[_Layer] = []
    for line in takewhile(lambda line: line[:1] in ("#", "\r", ""), lines[1:]):
        if line.startswith(("#T_SP=", "#T_RL=", "#T_CH=")):
            name, *parts = line.removesuffix("\r")[6:].split("|")
            begin = layers[-1].end if layers else 3
            layers.append(_Layer(name, line[3:5], _columns(parts), begin))
    width = layers[-1].end if layers else 3
    annotated = Annotated("TSV")
    text = _Text()
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if line.startswith("#Text="):
            text.sentence(line.removeprefix("#Text="))
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) == width + 1 and not cells[-1]:
            cells.pop()
        row = _ROW.fullmatch(cells[0])
        place = _PLACE.fullmatch(cells[1]) if len(cells) > 1 else None
        if len(cells) != width or row is None or place is None:
            raise ReadError(
                f"{member.shown}, line {number:,}: expected a token in {width} columns, got"
                f" {show(line[:60])}: the file is damaged or truncated"
            )
        begin, end = int(place[1]), int(place[2])
        if end < begin:
            raise ReadError(
                f"{member.shown}, line {number:,}: {show(cells[1])} ends before it begins"
            )
        if row[3] is None:
            text.token(begin, end, _plain(cells[2]))
        for layer in layers:
            some = cells[layer.begin : layer.end]
            if some.count(_NONE) < len(some):
                try:
                    _take(layer, some, number, begin, end, annotated)
                except _BadCellError as error:
                    raise ReadError(f"{member.shown}, line {number:,}: {error}") from None
    annotated.text, annotated.length = text.whole()
    for layer in layers:
        _finish(layer, text, annotated)
    return annotated


def _columns(parts: list[str]) -> list[tuple[str | None, bool]]:
    """Return the columns of a layer; a link feature has two, for roles and for targets."""
    columns: list[tuple[str | None, bool]] = []
    targets = False
    for part in parts or [""]:
        if targets:
            columns += [(None, False), (None, True)]
        elif not part.startswith("ROLE_"):
            columns.append((part or None, False))
        targets = not targets and part.startswith("ROLE_")
    return columns


def _take(
    layer: _Layer, cells: list[str], line: int, begin: int, end: int, annotated: Annotated
) -> None:
    """Add the annotations of a line for a layer."""
    if layer.kind != "SP":
        what = "relations" if layer.kind == "RL" else "links of chains"
        annotated.left_out[what] += len(_entries(cells[-1])) if cells[-1] != _NONE else 0
        return
    stacks = [_entries(cell) for cell in cells]
    for i in range(max(map(len, stacks))):
        entries = [stack[i] if i < len(stack) else (_NONE, None) for stack in stacks]
        # The ids of targets belong to other annotations.
        own = zip(entries, layer.features, strict=True)
        number = next(
            (entry for (_, entry), (_, links) in own if entry is not None and not links), None
        )
        if number is None and all(value == _NONE for value, _ in entries):
            continue
        key = (line, i) if number is None else number
        place, values = layer.marks.setdefault(key, ([begin, end], {}))
        place[:] = min(place[0], begin), max(place[1], end)
        for column, (value, _) in enumerate(entries):
            if value not in (_NONE, _EMPTY):
                values.setdefault(column, value)


def _entries(cell: str) -> list[tuple[str, str | None]]:
    """Split a cell into values and ids, with their escapes."""
    entries: list[tuple[str, str | None]] = []
    at, divided = 0, True
    while divided:
        entry = _ENTRY.match(cell, at)
        if entry is None:
            raise _BadCellError(f"{show(cell)} ends in a backslash")
        entries.append((entry[1], entry[2]))
        at, divided = entry.end(), bool(entry[3])
    return entries


def _plain(written: str) -> str:
    """Remove the escapes of a value."""
    if "\\" not in written:
        return written
    return _ESCAPED.sub(lambda match: _CONTROLS.get(match[1], match[1]), written)


def _finish(layer: _Layer, text: _Text, annotated: Annotated) -> None:
    for (begin, end), values in layer.marks.values():
        features = {}
        for column, (name, links) in enumerate(layer.features):
            if links:
                annotated.left_out["links between annotations"] += column in values
            elif name is not None:
                features[name] = _plain(values[column]) if column in values else None
        annotated.marks.append(Mark(layer.name, features, (text.point(begin), text.point(end))))


class _Text:
    """The text of a file, and its characters that take two UTF-16 units."""

    def __init__(self) -> None:
        self._wide: list[int] = []
        self._sentences: list[tuple[int, str, str]] = []
        self._lines: list[str] = []
        self._end = 0

    def sentence(self, line: str) -> None:
        self._lines.append(_plain(line))

    def token(self, begin: int, end: int, token: str) -> None:
        if self._lines:
            self._sentences.append((begin, token, "\n".join(self._lines)))
            self._lines = []
        self._end = max(self._end, end)
        if not token.isascii() and len(token) < end - begin:
            at = begin
            for character in token:
                if character > "\uffff":
                    self._wide.append(at)
                    at += 1
                at += 1

    def point(self, offset: int) -> int:
        """Return the code point at a UTF-16 unit."""
        return offset - bisect_left(self._wide, offset)

    def whole(self) -> tuple[str, int]:
        """Return the text and its length; each sentence is a line."""
        self._wide.sort()
        parts: list[str] = []
        length = 0
        for begin, token, sentence in self._sentences:
            at = max(self.point(begin) - max(sentence.find(token), 0), 0)
            if at > length:
                # Each sentence is a line; paragraphs are not known.
                parts.append(("\n" if length else "").ljust(min(at - length, _MOST_UNKNOWN)))
                length = at
            parts.append(sentence[length - at :])
            length += len(parts[-1])
        return "".join(parts), max(length, self.point(self._end))


#: The largest gap between two sentences in characters; a larger one is a damaged offset.
_MOST_UNKNOWN = 1 << 20


def kind_of(member: Member) -> str:
    """Return the kind of a file from its beginning: "tsv", "json", "xmi", "types", "zip" or ""."""
    if member.is_archive:
        return "zip"
    text = look_at(member).text
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
        content = member.read_text()
        return _annotated(member, lambda cassis: cassis.load_cas_from_json(content))
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
            layers = Layers(out, project.layers)
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
                    layers.add(document, coder, work, annotated)
            layers.finish()
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
            raise ReadError(f"{member.shown} must hold an object, got {typed.written(project)}")
        #: The states of documents, and by document those of each user's work.
        self._curations: dict[str, str] = {}
        self._states: dict[str, dict[str, str]] = defaultdict(dict)
        for where, record in _records(project, "source_documents", member.shown):
            self._curations[_text(record, "name", where)] = _text(record, "state", where)
        for where, record in _records(project, "annotation_documents", member.shown):
            state, user = _text(record, "state", where), _text(record, "user", where)
            self._states[_text(record, "name", where)][user] = state
        layers: dict[str, tuple[str, ...]] = {}
        self.n_of_documents = 0
        own_layers = project if project.get("layers") is not None else {"layers": []}
        for where, record in _records(own_layers, "layers", member.shown):
            features = _records(record, "features", where)
            own = tuple(_text(feature, "name", place) for place, feature in features)
            layers[_text(record, "name", where)] = own
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


def _records(record: dict[str, Any], key: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    rows = record.get(key)
    if not isinstance(rows, list):
        raise ReadError(f"{where}: {show(key)} must be a list, got {typed.written(rows)}")
    for number, row in enumerate(rows, 1):
        place = f"{where}, {key} {number:,}"
        if not isinstance(row, dict):
            raise ReadError(f"{place} must be an object, got {typed.written(row)}")
        yield place, row


def _text(record: dict[str, Any], key: str, where: str) -> str:
    value = record.get(key)
    if not isinstance(value, str) or not value:
        raise ReadError(f"{where}: {show(key)} must be a text, got {typed.written(value)}")
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
        layers = Layers(out)
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
            coder = member.part(options.coder_from, "--coder-from")
            document = "document"
            if options.document_from is not None:
                document = member.part(options.document_from, "--document-from")
            layers.add(document, coder, member, annotated)
        layers.finish()


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
