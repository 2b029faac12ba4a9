"""REFI-QDA projects of NVivo, MAXQDA, ATLAS.ti, QualCoder and others."""

import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.elements import attribute, read_xml, tag_of, whole_attribute
from agreement_fast.files.exports.streams import Wrong, look_at
from agreement_fast.files.exports.tool import Contents, Options, Place, Tool

_ARCHIVES = (".qdpx", ".zip")
#: The beginning of the namespace of all versions.
NAMESPACE = "urn:QDA-XML:project:"


def name_of(element: ET.Element) -> str:
    """Return the name of an element, or a substitute."""
    return element.get("name") or element.get("guid") or "unnamed"


class Project:
    """A project: its XML, and the other files of its archive or folder."""

    def __init__(self, member: Member, members: Sequence[Member], bundle: Bundle) -> None:
        self.member, self.shown = member, member.shown
        self.root = root = read_xml(member)
        if tag_of(root) != "Project" or NAMESPACE not in root.tag:
            raise ReadError(
                f"{member.shown} must hold a Project of {NAMESPACE}1.0, got {show(root.tag[:80])}"
            )
        folder = member.name.rpartition("/")[0]
        name = folder if folder.lower().endswith(_ARCHIVES) else member.name
        if not folder and bundle.paths[0].lower().endswith(_ARCHIVES):
            name = re.split(r"[/\\]", bundle.paths[0])[-1]
        #: The file that the user passed: the archive, if it is in one.
        self.path = member._replace(name=name)
        #: The files by name without folders, in lower case; of several, the first.
        self.files = {
            other.name.rpartition("/")[2].lower(): other
            for other in reversed(members)
            if other.name.startswith(folder + "/" if folder else "")
        }
        #: Names of users, and paths of codes from the root of the tree, by guid.
        self.users: dict[str, str] = {}
        self.codes: dict[str, tuple[str, ...]] = {}
        #: The sets that each source belongs to, by guid.
        self.groups: dict[str, list[str]] = defaultdict(list)
        for user in root.iterfind("{*}Users/*"):
            guid = attribute(user, "guid")
            self.users[guid.lower()] = user.get("name") or user.get("id") or guid
        for codes in root.iterfind("{*}CodeBook/{*}Codes"):
            self._add_codes(codes, ())
        for group in root.iterfind("{*}Sets/*"):
            for entry in group.iterfind("{*}MemberSource"):
                self.groups[attribute(entry, "targetGUID").lower()].append(attribute(group, "name"))

    def _add_codes(self, element: ET.Element, path: tuple[str, ...]) -> None:
        for code in element.iterfind("{*}Code"):
            names = (*path, attribute(code, "name"))
            self.codes[attribute(code, "guid").lower()] = names
            self._add_codes(code, names)

    def text_of(self, source: ET.Element, encoding: str | None) -> str | None:
        """Return the text of a source, as positions count it; None if it is not in the export."""
        text = None
        for content in source.iterfind("{*}PlainTextContent"):
            text = content.text or ""
        path = (source.get("plainTextPath") or "").replace("\\", "/")
        # The path is not trusted: only files of the export are opened.
        member = self.files.get(path.rpartition("/")[2].lower())
        if text is None and member is not None and member is not self.member:
            text = member.read_text(encoding)
        if text is not None and "ATLAS" in (self.root.get("origin") or "").upper():
            # It writes two characters for a line end, and counts one.
            return text.replace("\r\n", "\n")
        return text


#: The layer of spans of text, and the question of what whole sources are.
TEXT, WHOLE = "text", "documents"
#: The layers of selections, and the attributes of their begin and end.
_PLACES = {
    "PlainTextSelection": (TEXT, "startPosition", "endPosition"),
    "AudioSelection": ("audio", "begin", "end"),
    "VideoSelection": ("video", "begin", "end"),
}
#: Selections that are no spans.
_AREAS = {"PDFSelection": "codings of areas of PDFs", "PictureSelection": "codings of pictures"}
#: What has a text, within another source or as one of its own.
_TEXTS = ("TextSource", "Representation", "TextDescription", "Transcript")


class Coded(NamedTuple):
    """A coding."""

    #: Its layer or question.
    layer: str
    #: A half-open interval; None for a whole source.
    place: tuple[int, int] | None
    coding: ET.Element
    #: The coded part, if only a part of the source was coded.
    selection: ET.Element | None


def codings_of(source: ET.Element, out: Contents) -> Iterator[Coded]:
    """Yield the codings of a source or one of its texts.

    Raises an error if a selection has no place, or ends before it begins.
    """
    points = {entry.get("guid", ""): entry for entry in source.iterfind("{*}SyncPoint")}
    for child in source:
        kind = tag_of(child)
        if kind == "Coding":
            yield Coded(WHOLE, None, child, None)
        codings = child.findall("{*}Coding")
        if not codings:
            continue
        if kind in _PLACES:
            layer, *keys = _PLACES[kind]
            begin, end = (whole_attribute(child, key) for key in keys)
            if end < begin:
                problem = f"ends at {end}, before it begins at {begin}"
                raise Wrong(f"{kind} {show(name_of(child))} {problem}")
        elif kind == "TranscriptSelection":
            ends = [points.get(child.get(key, "")) for key in ("fromSyncPoint", "toSyncPoint")]
            known = [end for end in ends if end is not None and end.get("position") is not None]
            if len(known) < len(ends):
                out.leave_out("codings of transcripts without positions", len(codings))
                continue
            layer = TEXT
            begin, end = sorted(whole_attribute(point, "position") for point in known)
        else:
            if kind in _AREAS:
                out.leave_out(_AREAS[kind], len(codings))
            continue
        for coding in codings:
            yield Coded(layer, (begin, end), coding, child)


class Refi(Tool):
    """Reads one project file, or several with one coder each."""

    name = "refi"
    title = "REFI-QDA"
    options = ("coder_from",)

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether there is a project in XML, or an archive with one."""
        for member in bundle.members:
            name = member.name.lower()
            if name.endswith(".qde") or len(bundle.members) == 1:
                look = look_at(member)
                if look.root == "Project" and NAMESPACE in look.text:
                    return True
            packed = name.endswith(".qdpx") and member.is_archive
            if packed and any(entry.name.lower().endswith(".qde") for entry in member.inside()):
                return True
        return False

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read all projects; codes and sources are matched by their names."""
        reading, members = _Reading(out), bundle.unpacked(*_ARCHIVES)
        for member in members:
            # The name of a single file does not matter.
            if member.name.lower().endswith(".qde") or len(members) == 1:
                out.place = Place(member.shown)
                reading.read(Project(member, members, bundle))
        reading.finish()


class _Reading:
    """What was read from the projects."""

    def __init__(self, out: Contents) -> None:
        self.out = out
        #: Codes of whole documents: dict of (document, coder) to categories.
        self.whole: dict[tuple[str, str], set[str]] = defaultdict(set)
        #: Which coders coded anything in which documents: dict of layer to (document, coder).
        self.saw: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        #: The paths of codes in the codebook, from the root: dict of category to tuple of str.
        self.codes: dict[str, tuple[str, ...]] = {}
        #: The coders that the projects name.
        self.users: set[str] = set()
        #: Documents with characters that some programs count as two.
        self.wide: set[str] = set()
        self.projects = self.without_text = self.beyond = 0

    def read(self, project: Project) -> None:
        """Read the sources of a project."""
        self.projects += 1
        sources = project.root.findall("{*}Sources/*")
        names = Counter(map(name_of, sources))
        numbers: Counter[str] = Counter()
        for source in sources:
            name = name_of(source)
            if names[name] > 1 and self.out.options.coder_from != "group":
                numbers[name] += 1
                self.out.note(
                    f"{names[name]} sources are called {show(name)}, and numbers are added to"
                    " their names; --coder-from group makes their groups the coders"
                )
                name = f"{name} #{numbers[name]}"
            texts = [child for child in source if tag_of(child) in _TEXTS]
            parts = {name: [source]}
            for number, text in enumerate(texts, 1):
                # The only text that belongs to a source has its name.
                more = f" / {text.get('name') or number}" * (len(texts) > 1)
                parts.setdefault(name + more, []).append(text)
            for part_name, some in parts.items():
                for part in some:
                    readable = tag_of(part) in _TEXTS
                    content = project.text_of(part, self.out.options.encoding) if readable else None
                    self.without_text += readable and content is None
                    if content is not None:
                        self._take_text(project, part_name, content)
                    for coded in codings_of(part, self.out):
                        coder = self._coder(project, source, coded)
                        if coder is not None:
                            self._take(project, part_name, coder, coded, readable)

    def _take(
        self, project: Project, document: str, coder: str, coded: Coded, readable: bool
    ) -> None:
        for category in self._categories(project, coded.coding):
            self.saw[WHOLE][document, coder] = None
            if coded.place is None:
                self.whole[document, coder].add(category)
                if readable:
                    self.saw[TEXT][document, coder] = None
                continue
            self.saw[coded.layer][document, coder] = None
            self.out.spans_of(coded.layer, "codes").mark(document, coder, [coded.place], category)
            if document in self.out.extents and coded.layer == TEXT:
                begin, end = self.out.extents[document]
                self.beyond += coded.place[1] > end
                self.out.extents[document] = begin, max(end, coded.place[1])

    def _categories(self, project: Project, coding: ET.Element) -> Iterator[str]:
        for reference in coding.iterfind("{*}CodeRef"):
            guid = attribute(reference, "targetGUID")
            path = project.codes.get(guid.lower())
            if path is None:
                self.out.leave_out("codings with a code that is not in the codebook")
                continue
            category = " / ".join(path)
            if self.codes.setdefault(category, path) != path:
                raise Wrong(
                    f"two codes are written {show(category)}: rename one whose name holds ' / '"
                )
            yield category

    # -- coders

    def _coder(self, project: Project, source: ET.Element, coded: Coded) -> str | None:
        """Return the coder: the user of the coding or of the selection, or as --coder-from says."""
        how = self.out.options.coder_from
        if how == "group":
            return self._group(project, source)
        if how in ("file", "folder"):
            return project.path.part(how, "--coder-from")
        if how not in (None, "user"):
            return project.member.part(str(how), "--coder-from")
        guid = coded.coding.get("creatingUser")
        if not guid and coded.selection is not None:
            guid = coded.selection.get("creatingUser") or coded.selection.get("modifyingUser")
        if not guid:
            self.out.leave_out("codings without a user (--coder-from file makes each file a coder)")
            return None
        coder = project.users.get(guid.lower())
        if coder is None:
            self.out.leave_out("codings of a user whom the project does not list")
        else:
            self.users.add(coder)
        return coder

    def _group(self, project: Project, source: ET.Element) -> str | None:
        groups = project.groups[(source.get("guid") or "").lower()]
        if len(groups) > 1:
            raise ReadError(
                f"--coder-from group: {show(name_of(source))} is in {len(groups)} groups of"
                f" {project.shown}: {', '.join(map(show, groups[:5]))}"
            )
        if not groups:
            self.out.leave_out("codings of sources in no group")
            return None
        return groups[0]

    def _take_text(self, project: Project, document: str, text: str) -> None:
        remedy = "rename one of the sources, or export the projects with the same program"
        self.out.check_text(document, text, project.shown, remedy)
        self.out.extents.setdefault(document, (0, len(text)))
        if not text.isascii() and max(text) > "\uffff":
            self.wide.add(document)
        if self.out.options.keep_texts:
            self.out.texts[document] = text

    # -- the end

    def finish(self) -> None:
        """Record who has seen which document, and add notes for the user."""
        out = self.out
        for layer, spans in out.spans.items():
            spans.seen = dict(self.saw[layer])
        if self.whole:
            answers = out.answers_to(WHOLE, "codes of documents")
            for document, coder in self.saw[WHOLE]:
                answers.add(document, coder, frozenset(self.whole.get((document, coder), ())))
        if out.questions:
            out.note(
                "REFI-QDA does not say who read a document: coders count as having read the"
                " documents in which they coded anything"
            )
        if out.spans and TEXT not in out.spans:
            out.unit = "milliseconds"
        elif out.spans.keys() - {TEXT}:
            out.note("positions in audio and video are milliseconds")
        if self.without_text:
            out.note(f"the texts of {self.without_text:,} sources are not in the export")
        if self.beyond:
            out.note(
                f"{self.beyond:,} codings end after the end of their text: the program does not"
                " count characters as REFI-QDA does, and paragraphs and lines may be wrong"
            )
        if self.wide:
            out.note(
                f"{len(self.wide):,} texts hold characters such as 😀, each counted as one: after"
                " them, paragraphs and lines are wrong if the program counts two"
            )
        if self.projects > 1 and len(self.users) == 1:
            out.note("all projects have the same user: --coder-from file makes each file a coder")
