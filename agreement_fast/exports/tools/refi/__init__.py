"""REFI-QDA projects of NVivo, MAXQDA, ATLAS.ti, QualCoder and others."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterator

from agreement_fast.exports.bundle import Bundle
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import look_at
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.refi.codings import (
    TEXT,
    TIMES,
    WHOLE,
    Coded,
    codings_of,
    is_text,
    parts_of,
)
from agreement_fast.exports.tools.refi.project import (
    NAMESPACE,
    Project,
    name_of,
    named,
    projects_of,
    tag_of,
)
from agreement_fast.exports.tools.shared.layers import digest
from agreement_fast.files.errors import ReadError, show

__all__ = ["Refi"]


class Refi(Tool):
    """Reads one project file, or several with one coder each."""

    name = "refi"
    title = "REFI-QDA"
    options = ("coder_from",)

    def recognise(self, bundle: Bundle) -> bool:
        """Whether there is a project in XML, or an archive with one."""
        try:
            for member in bundle.members:
                name = member.name.lower()
                if name.endswith(".qde") or len(bundle.members) == 1:
                    look = look_at(member)
                    if look.root == "Project" and NAMESPACE in look.text:
                        return True
                packed = name.endswith(".qdpx") and member.head(4) == b"PK\x03\x04"
                if packed and any(one.name.lower().endswith(".qde") for one in member.inside()):
                    return True
        except ReadError:
            pass
        return False

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read all projects; codes and sources are matched by their names."""
        reading = _Reading(found, options)
        for project in projects_of(bundle):
            reading.read(project)
        reading.finish()


class _Reading:
    """What was read from the projects.

    Attributes
    ----------
    whole : dict of (document, coder) to categories
        Codes of whole documents.
    saw : dict of layer to (document, coder)
        Which coders coded anything in which documents.
    texts : dict of document to (length, digest, file)
        The texts.
    codes : dict of category to tuple of str
        The paths of codes in the codebook, from the root.
    users : set of str
        The coders that the projects name.
    wide : set of str
        Documents with characters that some programs count as two.
    """

    def __init__(self, found: Found, options: Options) -> None:
        self.found = found
        self.options = options
        self.whole: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.saw: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        self.texts: dict[str, tuple[int, bytes, str]] = {}
        self.codes: dict[str, tuple[str, ...]] = {}
        self.users: set[str] = set()
        self.wide: set[str] = set()
        self.projects = self.without_text = self.beyond = 0

    def read(self, project: Project) -> None:
        """Read the sources of a project."""
        self.projects += 1
        sources = list(project.sources())
        names = Counter(map(name_of, sources))
        numbers: Counter[str] = Counter()
        for source in sources:
            name = name_of(source)
            if names[name] > 1 and self.options.coder_from != "group":
                numbers[name] += 1
                self.found.note(
                    f"{names[name]} sources are called {show(name)}, and numbers are added to"
                    " their names; --coder-from group makes their groups the coders"
                )
                name = f"{name} #{numbers[name]}"
            for part_name, part in parts_of(source, name):
                if is_text(part):
                    self._take_text(project, part, part_name)
                for coded in codings_of(part, project.member.shown, self.found):
                    coder = self._coder(project, source, coded)
                    if coder is not None:
                        self._take(project, part_name, coder, coded, is_text(part))

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
            spans = self.found.spans_of(coded.layer, "codes")
            spans.mark(document, coder, [coded.place], category)
            if document in self.found.extents and coded.layer == TEXT:
                begin, end = self.found.extents[document]
                self.beyond += coded.place[1] > end
                self.found.extents[document] = begin, max(end, coded.place[1])

    def _categories(self, project: Project, coding: ET.Element) -> Iterator[str]:
        for reference in coding:
            if tag_of(reference) != "CodeRef":
                continue
            guid = named(reference, "targetGUID", project.member.shown)
            path = project.codes.get(guid.lower())
            if path is None:
                self.found.leave_out("codings with a code that is not in the codebook")
                continue
            category = " / ".join(path)
            if self.codes.setdefault(category, path) != path:
                raise ReadError(
                    f"{project.member.shown}: two codes are written {show(category)}: rename one"
                    " whose name holds ' / '"
                )
            yield category

    # -- coders

    def _coder(self, project: Project, source: ET.Element, coded: Coded) -> str | None:
        """Return the coder: the user of the coding or of the selection, or as --coder-from says."""
        how = self.options.coder_from
        if how == "group":
            return self._group(project, source)
        if how in ("file", "folder"):
            return part_of_path(project.path, how, "--coder-from")
        if how not in (None, "user"):
            return part_of_path(project.member, str(how), "--coder-from")
        guid = coded.coding.get("creatingUser")
        if not guid and coded.selection is not None:
            guid = coded.selection.get("creatingUser") or coded.selection.get("modifyingUser")
        if not guid:
            self.found.leave_out(
                "codings without a user (--coder-from file makes each file a coder)"
            )
            return None
        coder = project.users.get(guid.lower())
        if coder is None:
            self.found.leave_out("codings of a user whom the project does not list")
            return None
        self.users.add(coder)
        return coder

    def _group(self, project: Project, source: ET.Element) -> str | None:
        groups = project.groups.get((source.get("guid") or "").lower(), [])
        if len(groups) > 1:
            raise ReadError(
                f"--coder-from group: {show(name_of(source))} is in {len(groups)} groups of"
                f" {project.member.shown}: {', '.join(map(show, groups[:5]))}"
            )
        if not groups:
            self.found.leave_out("codings of sources in no group")
            return None
        return groups[0]

    # -- texts

    def _take_text(self, project: Project, source: ET.Element, document: str) -> None:
        """Add the text of a document, if it is there."""
        text = project.text_of(source, self.options.encoding)
        if text is None:
            self.without_text += 1
            return
        shown = project.member.shown
        new = len(text), digest(text), shown
        length, known, other = self.texts.setdefault(document, new)
        if known != new[1]:
            raise ReadError(
                f"source {show(document)} has different texts in {other} and {shown} ({length:,}"
                f" and {len(text):,} characters), so positions in it cannot be compared: rename one"
                " of the sources, or export the projects with the same program"
            )
        self.found.extents.setdefault(document, (0, len(text)))
        if not text.isascii() and max(text) > "\uffff":
            self.wide.add(document)
        if self.options.keep_texts:
            self.found.texts[document] = text

    # -- the end

    def finish(self) -> None:
        """Record who has seen which document, and add notes for the user."""
        found = self.found
        for layer, spans in found.spans.items():
            spans.seen = dict(self.saw[layer])
        if self.whole:
            answers = found.answers_to(WHOLE, "codes of documents")
            for document, coder in self.saw[WHOLE]:
                answers.add(document, coder, frozenset(self.whole.get((document, coder), ())))
        if found.questions:
            found.note(
                "REFI-QDA does not say who read a document: coders count as having read the"
                " documents in which they coded anything"
            )
        if found.spans and TEXT not in found.spans:
            found.unit = "milliseconds"
        elif found.spans.keys() & TIMES.values():
            found.note("positions in audio and video are milliseconds")
        if self.without_text:
            found.note(f"the texts of {self.without_text:,} sources are not in the export")
        if self.beyond:
            found.note(
                f"{self.beyond:,} codings end after the end of their text: the program does not"
                " count characters as REFI-QDA does, and paragraphs and lines may be wrong"
            )
        if self.wide:
            found.note(
                f"{len(self.wide):,} texts hold characters such as 😀, each counted as one: after"
                " them, paragraphs and lines are wrong if the program counts two"
            )
        if self.projects > 1 and len(self.users) == 1:
            found.note("all projects have the same user: --coder-from file makes each file a coder")
