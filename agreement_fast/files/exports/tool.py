"""The interface of a tool, and the options that a user may pass for an export."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.streams import LOOKED_AT, Look, every, look_at
from agreement_fast.files.paths import group_of, where_in


@dataclass(frozen=True)
class Options:
    """The options that a user may pass for an export."""

    #: How to find the coder's name if the tool leaves that open: "file", "folder", a regular
    #: expression with one group that is searched in the path, or a value that the tool adds.
    coder_from: str | None = None
    #: The same for the document.
    document_from: str | None = None
    #: What names an item: "id", "text" or the name of a field.
    item_from: str | None = None
    #: Whether the labels of a model or a curator are read as those of a coder.
    with_predictions: bool = False
    with_curation: bool = False
    #: Whether skipping an item counts as the label "skipped"; otherwise the judgment is missing.
    count_skips: bool = False
    #: Whether an empty answer counts as a judgment (the empty set) if the tool leaves that open.
    count_empty: bool = False
    #: Whether to read documents that a coder did not finish, if the tool knows this.
    with_unfinished: bool = False
    #: Whether to keep texts of items.
    keep_texts: bool = False
    #: The length of a step of time in seconds; by default that of the tool.
    resolution: float | None = None
    #: The encoding of text files; by default the one that the file declares, or UTF-8.
    encoding: str | None = None


#: The label of a skipped item, if skips count.
SKIPPED = "skipped"


class Tool(ABC):
    """A tool whose exports can be read."""

    #: Its name as a value of ``--format``.
    name: str
    #: Its name in messages.
    title: str
    #: The `Options` that its reader uses, besides `keep_texts` and `encoding`, which all readers
    #: use.
    options: tuple[str, ...] = ()
    #: The ends of the names of its files, if other files may be beside them.
    suffixes: tuple[str, ...] = ()
    #: Whether its exports are tables whose columns a user may also name.
    columns = False
    #: Whether other tables look like its exports. If a user names a column, it is then read as a
    #: table.
    plain = False

    def recognise(self, bundle: Bundle) -> bool:
        """Whether a bundle looks like an export of this tool. Raises no errors."""
        try:
            return self.looks_like(bundle)
        except ReadError:
            return False

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether all files are of the tool, or one of those with its suffixes."""
        ending = bundle.ending(*self.suffixes)[:LOOKED_AT]
        return every(bundle, self.holds) or any(self.holds(look_at(entry)) for entry in ending)

    def holds(self, look: Look) -> bool:
        """Whether a file is of the tool."""
        return False

    @abstractmethod
    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Add the content to `out`; raise a ReadError if that is not possible."""


def part_of_path(member: Member, how: str, option: str) -> str:
    """Return a coder or a document from the path of a file, as `part_of` does."""
    begin, end = place_in_path(member, how, option)
    return member.name[begin:end]


def place_in_path(member: Member, how: str, option: str) -> tuple[int, int]:
    """Return where in the name of a file the part of `part_of_path` is.

    A regular expression may begin in the folders above the path that the user passed, but the part
    must not.
    """
    if how not in ("file", "folder") and member.above:
        pattern, group = group_of(how, option)
        if pattern.search(member.name) is None:
            start = len(member.above)
            for match in pattern.finditer(member.above + member.name):
                if match[group] and match.start(group) >= start:
                    return match.start(group) - start, match.end(group) - start
    return where_in(member.name, how, option, member.shown)
