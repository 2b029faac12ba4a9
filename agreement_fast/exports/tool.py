"""What a tool's export has to answer, and what a user may ask of all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.files.paths import group_of, where_in

__all__ = ["Options", "Tool", "part_of_path", "place_in_path"]


@dataclass(frozen=True)
class Options:
    """What a user may say about an export.

    Attributes
    ----------
    coder_from : str or None
        Where the coder is read, if the tool leaves that open: "file", "folder", a regular
        expression with one group that is searched in the path of the file, or what else a tool
        offers.
    document_from : str or None
        The same for the document.
    item_from : str or None
        What an item is: "id", "text" or the name of a field.
    with_predictions, with_curation : bool
        Whether what a model or a curator said counts as a coder's judgment.
    count_skips : bool
        Whether skipping an item is a label of its own, "skipped", in place of a missing one.
    count_empty : bool
        Whether an empty answer is a judgment (the empty set) where the tool leaves that open.
    with_unfinished : bool
        Whether documents count that a coder has not marked as finished, where the tool knows.
    keep_texts : bool
        Whether texts of items are kept.
    resolution : float or None
        Seconds that a step of time takes; what the tool counts in where absent.
    encoding : str or None
        Of text files; what the file declares, or UTF-8, where absent.
    """

    coder_from: str | None = None
    document_from: str | None = None
    item_from: str | None = None
    with_predictions: bool = False
    with_curation: bool = False
    count_skips: bool = False
    count_empty: bool = False
    with_unfinished: bool = False
    keep_texts: bool = False
    resolution: float | None = None
    encoding: str | None = None


#: The label of a skipped item where skips count.
SKIPPED = "skipped"


class Tool(ABC):
    """A tool whose exports can be read.

    Attributes
    ----------
    name : str
        As ``--format`` has it.
    title : str
        As people write it.
    options : tuple of str
        Those of `Options` that its reader uses; `keep_texts` and `encoding` are for all.
    columns : bool
        Whether its exports are tables whose columns a user may also name.
    plain : bool
        Whether tables of others look like its exports: one column that is named makes it a table.
    """

    name: str
    title: str
    options: tuple[str, ...] = ()
    columns = False
    plain = False

    @abstractmethod
    def recognise(self, bundle: Bundle) -> bool:
        """Whether it looks like an export of this tool. Raises nothing."""

    @abstractmethod
    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Put what it holds into `found`; raise a ReadError where that cannot be."""


def part_of_path(member: Member, how: str, option: str) -> str:
    """Read a coder or a document in the path of a file, as `part_of` does."""
    begin, end = place_in_path(member, how, option)
    return member.name[begin:end]


def place_in_path(member: Member, how: str, option: str) -> tuple[int, int]:
    """Return where in the name of a file the part stands that `part_of_path` gives.

    A regular expression may begin in the folders above what the user named; the part may not.
    """
    if how not in ("file", "folder") and member.above:
        pattern, group = group_of(how, option)
        if pattern.search(member.name) is None:
            start = len(member.above)
            for match in pattern.finditer(member.above + member.name):
                if match[group] and match.start(group) >= start:
                    return match.start(group) - start, match.end(group) - start
    return where_in(member.name, how, option, member.shown)
