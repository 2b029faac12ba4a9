"""A project in REFI-QDA's XML: who coded, the tree of codes, and the sources with their files.

References
----------
REFI-QDA 1.5, qdasoftware.org: positions of text are code points of the plain text.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.xml import read_xml
from agreement_fast.files.errors import ReadError, show

__all__ = ["NAMESPACE", "Project", "name_of", "named", "number_of", "projects_of", "tag_of"]

_ARCHIVES = (".qdpx", ".zip")
#: The beginning of the namespace of all versions.
NAMESPACE = "urn:QDA-XML:project:"


def tag_of(element: ET.Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def name_of(element: ET.Element) -> str:
    """Return the name of an element, or a substitute."""
    return element.get("name") or element.get("guid") or "unnamed"


def named(element: ET.Element, key: str, shown: str) -> str:
    """Return a required attribute of an element."""
    value = element.get(key)
    if not value:
        guid = element.get("guid")
        which = f" {show(guid)}" if guid else ""
        raise ReadError(f"{shown}: {tag_of(element)}{which} has no {show(key)}")
    return value


def number_of(element: ET.Element, key: str, shown: str) -> int:
    """Return an attribute that must be an integer of 0 or more."""
    value = named(element, key, shown)
    if re.fullmatch(r"\d{1,15}", value.strip(), re.ASCII) is None:
        raise ReadError(
            f"{shown}: {tag_of(element)} {show(element.get('guid', ''))}: {show(key)} must be a"
            f" whole number, got {show(value)}"
        )
    return int(value)


@dataclass
class Project:
    """A project.

    Attributes
    ----------
    member : Member
        Its XML.
    path : Member
        The file that the user passed: the archive, if it is in one.
    root : Element
        The root of the XML.
    users : dict of guid to str
        Names of users.
    codes : dict of guid to tuple of str
        Paths of codes in the tree, from the root.
    groups : dict of guid to list of str
        The sets that each source belongs to.
    files : dict of str to Member
        The other files of the project, by name without folders, in lower case.
    """

    member: Member
    path: Member
    root: ET.Element
    users: dict[str, str] = field(default_factory=dict)
    codes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, Member] = field(default_factory=dict)

    def sources(self) -> Iterator[ET.Element]:
        """Yield the sources in their order."""
        for child in self.root:
            if tag_of(child) == "Sources":
                yield from child

    def text_of(self, source: ET.Element, encoding: str | None) -> str | None:
        """Return the text of a source, as positions count it; None if it is not in the export."""
        text = None
        for child in source:
            if tag_of(child) == "PlainTextContent":
                text = child.text or ""
        path = (source.get("plainTextPath") or "").replace("\\", "/")
        # The path is not trusted: only files of the export are opened.
        member = self.files.get(path.rpartition("/")[2].lower())
        if text is None and member is not None and member is not self.member:
            text = member.read_text(encoding)
        if text is not None and "ATLAS" in (self.root.get("origin") or "").upper():
            # It writes two characters for a line end, and counts one.
            return text.replace("\r\n", "\n")
        return text


def projects_of(bundle: Bundle) -> Iterator[Project]:
    """Return the projects in a bundle, including archives in folders.

    Raises
    ------
    ReadError
        If a project cannot be read.
    """
    members: list[Member] = []
    for member in bundle.members:
        inside = _is_archive(member)
        members += member.inside() if inside else (member,)
    for member in members:
        if member.name.lower().endswith(".qde") or len(members) == 1:
            yield _project(member, members, bundle)


def _is_archive(member: Member) -> bool:
    return member.name.lower().endswith(_ARCHIVES) and member.head(4) == b"PK\x03\x04"


def _project(member: Member, members: list[Member], bundle: Bundle) -> Project:
    root = read_xml(member)
    if tag_of(root) != "Project" or NAMESPACE not in root.tag:
        raise ReadError(
            f"{member.shown} must hold a Project of {NAMESPACE}1.0, got {show(root.tag[:80])}"
        )
    folder = member.name.rpartition("/")[0]
    name = folder if folder.lower().endswith(_ARCHIVES) else member.name
    if not folder and bundle.paths[0].lower().endswith(_ARCHIVES):
        name = re.split(r"[/\\]", bundle.paths[0])[-1]
    project = Project(member, replace(member, name=name), root)
    for other in members:
        if other.name.startswith(folder + "/" if folder else ""):
            project.files.setdefault(other.name.rpartition("/")[2].lower(), other)
    for child in root:
        tag = tag_of(child)
        if tag == "Users":
            _users(child, project)
        elif tag == "CodeBook":
            for codes in child:
                if tag_of(codes) == "Codes":
                    _codes(codes, (), project)
        elif tag == "Sets":
            _sets(child, project)
    return project


def _users(element: ET.Element, project: Project) -> None:
    for user in element:
        guid = named(user, "guid", project.member.shown)
        project.users[guid.lower()] = user.get("name") or user.get("id") or guid


def _codes(element: ET.Element, path: tuple[str, ...], project: Project) -> None:
    shown = project.member.shown
    for code in element:
        if tag_of(code) == "Code":
            here = (*path, named(code, "name", shown))
            project.codes[named(code, "guid", shown).lower()] = here
            _codes(code, here, project)


def _sets(element: ET.Element, project: Project) -> None:
    shown = project.member.shown
    for one in element:
        for member in one:
            if tag_of(member) == "MemberSource":
                source = named(member, "targetGUID", shown).lower()
                project.groups.setdefault(source, []).append(named(one, "name", shown))
