"""Columns of CoNLL: one token per line with its tags, and an empty line after each sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import LOOKED_AT, look_at
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.conll.layout import Layout, looks_like_columns
from agreement_fast.exports.tools.conll.questions import Column, Questions
from agreement_fast.exports.tools.conll.text import Text, texts_of
from agreement_fast.files.errors import ReadError, show

__all__ = ["Conll"]

#: The value of --coder-from if each column after the tokens is a coder.
_COLUMN = "column"


class Conll(Tool):
    """Reads files of columns, with one file or one column per coder."""

    name = "conll"
    title = "CoNLL columns"
    options = ("coder_from", "document_from")
    plain = True

    def recognise(self, bundle: Bundle) -> bool:
        """Whether all files are columns of tokens and tags."""
        looks = [look_at(member) for member in bundle.members[:LOOKED_AT]]
        some = [look for look in looks if look.text]
        return bool(some) and all(looks_like_columns(look) for look in some)

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read the columns of each file."""
        found.unit = "tokens"
        how = options.coder_from or _usual(bundle)
        if how != _COLUMN and len(bundle.members) < 2:
            raise ReadError(
                f"{bundle.shown} is one file that does not say whose tags it holds: name the"
                " files of all coders, or pass --coder-from column if each column behind the"
                " tokens is a coder's; --format table reads it as a table"
            )
        questions = Questions(found)
        taken: dict[tuple[str, str], Member] = {}
        first: Layout | None = None
        for member in bundle.members:
            layout = Layout.of(member)
            if layout is None:
                found.note(f"{member.shown} holds no token")
                continue
            first = first or layout
            if how != _COLUMN and not layout.fits(first):
                raise ReadError(
                    f"{member.shown} has {len(layout.names)} columns {_listed(layout)}, but the"
                    f" files before have {len(first.names)} {_listed(first)}"
                )
            base = _base(member, bundle, how, options)
            for text in texts_of(member, layout, base, found, options.encoding):
                questions.compare(text)
                for coder, column in _columns(member, layout, text, how, options):
                    other = taken.setdefault((text.name, coder), member)
                    if other is not member:
                        raise ReadError(
                            f"{other.shown} and {member.shown} both hold document"
                            f" {show(text.name)} of coder {show(coder)}: pass --coder-from or"
                            " --document-from with a regular expression that tells them apart"
                        )
                    questions.take(column, coder, text)
        questions.finish()
        if options.coder_from is None and how == "folder":
            found.note("files in several folders have the same names: each folder is one coder")


def _usual(bundle: Bundle) -> str:
    """Return where the coder is named by default: in folders or in files."""
    names = Counter(member.stem for member in bundle.members)
    return "folder" if any(n > 1 for n in names.values()) else "file"


def _base(member: Member, bundle: Bundle, how: str, options: Options) -> str | None:
    """Return the document of a file; None if the file is a coder's only one."""
    if options.document_from not in (None, "file"):
        return part_of_path(member, str(options.document_from), "--document-from")
    one = how == "file" or (how == _COLUMN and len(bundle.members) == 1)
    return None if one and options.document_from is None else member.stem


def _columns(
    member: Member, layout: Layout, text: Text, how: str, options: Options
) -> Iterator[tuple[str, Column]]:
    """Return the tag columns of each coder, by question."""
    names = [layout.names[column] for column in layout.tags]
    if how == _COLUMN:
        if len(names) < 2:
            raise ReadError(f"{member.shown} has one column of tags: that is one coder")
        for coder, cells in zip(names, text.tags, strict=True):
            yield coder, Column("", cells)
        return
    coder = part_of_path(member, how, "--coder-from")
    for name, cells in zip(names, text.tags, strict=True):
        yield coder, Column(f" {name}" if len(names) > 1 else "", cells)


def _listed(layout: Layout) -> str:
    return f"({', '.join(show(name) for name in layout.names[:10])})"
