"""brat: one folder per coder, with an .ann beside each .txt."""

import re

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.streams import LOOKED_AT, Wrong, look_at
from agreement_fast.files.exports.tool import Contents, Options, Place, Tool

#: The kinds of lines that mark no text, by their first character.
_OTHER_LINES = {
    "A": "attributes", "M": "attributes", "E": "events", "R": "relations", "*": "equivalences",
    "N": "normalizations", "#": "notes",
}  # fmt: skip

_FIRST_LINE = re.compile(
    r"T\d+\t\S+ \d+ \d+(;\d+ \d+)*\t|[AM]\d+\t\S+ [TREAMN]\d|E\d+\t\S+:T\d|R\d+\t\S+ \S+:[TE]\d"
    r"|N\d+\t\S+ [TER]\d+ |#\d+\t\S+ [TREAMN]\d+\t|\*\t\S+ T\d"
)
_ID = re.compile(r"T\d+\S*")
_PART = re.compile(r"[0-9]{1,12} [0-9]{1,12}")


class Brat(Tool):
    """Reads folders of brat."""

    name = "brat"
    title = "brat"
    options = ("coder_from", "document_from")

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether an .ann has a line of brat, or all are empty and have texts."""
        files = bundle.ending(".ann")
        looks = [look_at(member).text for member in files[:LOOKED_AT]]
        if any(looks):
            return any(_FIRST_LINE.match(text) for text in looks)
        names = set(bundle.names)
        return bool(files) and all(f"{member.name[:-4]}.txt" in names for member in files)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the text-bound lines of each coder's .ann files."""
        files = bundle.ending(".ann")
        if not files:
            raise ReadError(f"{bundle.shown} has no .ann file")
        texts = {entry.name: entry for entry in bundle.ending(".txt")}
        spans = out.spans_of("spans", "text-bound annotations")
        documents = set()
        empty = 0
        for member in files:
            coder = member.part(options.coder_from or "folder", "--coder-from")
            document = member.part(options.document_from or "file", "--document-from")
            documents.add(document)
            out.refuse_second(document, coder, member)
            stem, text = member.name[:-4], None
            place = texts.get(f"{stem}.txt") or texts.get(f"{stem}.TXT")
            place = place or member.beside(".txt", ".TXT")
            if place is not None:
                text = place.read_text(options.encoding)
                remedy = "name what tells documents apart with --document-from"
                out.check_text(document, text.rstrip(), place.shown, remedy)
                longest = max(len(text), int(out.extents.get(document, (0, 0))[1]))
                out.measure(document, text)
                out.extents[document] = 0, longest
            spans.see(document, coder)
            # Only these two end a line; marked texts may contain other line breaks.
            lines = [line.rstrip("\r") for line in member.read_text(options.encoding).split("\n")]
            empty += not any(map(str.strip, lines))
            for number, line in enumerate(lines, 1):
                if line[:1] in _OTHER_LINES:
                    out.leave_out(_OTHER_LINES[line[0]])
                elif line.strip():
                    out.place = Place(member.shown, number, "line")
                    category, parts = _marked(line, text)
                    spans.mark(document, coder, parts, category)
        without = len(documents) - len(out.extents)
        if empty:
            out.note(
                f"{empty:,} .ann files are empty: their documents count as read and without"
                " marks, although brat also requires such a file before anybody opens a document"
            )
        if without:
            out.note(f"{without:,} documents have no .txt: their lengths are not known")


def _marked(line: str, text: str | None) -> tuple[str, list[tuple[int, int]]]:
    """Return the category and the parts of a mark."""
    cells = line.split("\t", 2)
    if len(cells) != 3 or not _ID.fullmatch(cells[0]) or " " not in cells[1]:
        needs = "an identifier, a type with offsets and a text, divided by tabs"
        raise Wrong(f"expected {needs}, got {show(line)}")
    category, _, offsets = cells[1].partition(" ")
    parts = []
    for part in offsets.split(";"):
        if not _PART.fullmatch(part):
            raise Wrong(f"expected offsets such as '3 8' or '3 8;11 15', got {show(offsets)}")
        start, end = map(int, part.split(" "))
        if start > end:
            raise Wrong(f"a span ends before it begins: {show(offsets)}")
        parts.append((start, end))
    if text is None:
        return category, parts
    if parts[-1][1] > len(text):
        raise Wrong(
            f"the span ends at {parts[-1][1]:,}, and the .txt has {len(text):,} characters: it is"
            " another text, or its line ends were changed"
        )
    # Blanks and line ends may differ.
    marked = "".join(" ".join(text[start:end] for start, end in parts).split())
    if marked not in ("".join(cells[2].split()), "".join(cells[2].partition("\t")[0].split())):
        raise Wrong(
            f"the .txt has {show(marked)} there, not {show(cells[2])}: it is another"
            " text, or its line ends were changed (brat counts characters)"
        )
    return category, parts
