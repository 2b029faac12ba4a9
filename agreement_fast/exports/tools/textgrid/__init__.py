"""Praat TextGrids: tiers of intervals on a recording."""

from __future__ import annotations

from agreement_fast.exports.bundle import Bundle
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import Look, every, some
from agreement_fast.exports.tool import Options, Tool
from agreement_fast.exports.tools.shared.tiers import Tiers
from agreement_fast.exports.tools.textgrid.text import parse_textgrid

__all__ = ["PraatTextGrid"]

#: The default length of a step of time, in seconds.
STEP = 0.001


def _is_grid(look: Look) -> bool:
    if look.text[:1] == "{":
        return {"start", "end", "tiers"} <= look.keys or {"xmin", "xmax", "tiers"} <= look.keys
    head = look.text[:400]
    return "ooTextFile" in head and "TextGrid" in head


class PraatTextGrid(Tool):
    """Reads TextGrids; tiers of intervals are layers, and intervals without text are gaps."""

    name = "textgrid"
    title = "Praat (TextGrid)"
    options = ("coder_from", "document_from")

    def recognise(self, bundle: Bundle) -> bool:
        """Whether the files declare that they are TextGrids."""
        return some(bundle, _is_grid, ".textgrid") or every(bundle, _is_grid)

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read each file."""
        found.unit = "seconds"
        members = bundle.ending(".textgrid") or bundle.members
        if len(members) < len(bundle.members):
            found.leave_out("files other than TextGrids", len(bundle.members) - len(members))
        tiers = Tiers(options, members)
        tiers.coder_from  # noqa: B018 - says what is missing before anything is read
        for member in members:
            grid = parse_textgrid(member.read_text(options.encoding), member.shown)
            for tier in grid.tiers:
                if tier.intervals is None:
                    found.leave_out("point tiers")
                    continue
                place = tiers.place(member, tier.name, {})
                if place is None:
                    found.leave_out(f"tiers without a coder in {tiers.coder_from}")
                    continue
                tiers.end(place.document, grid.end)
                spans = found.spans_of(place.layer, "tier")
                spans.see(place.document, place.coder)
                known = found.extents.get(place.document, (grid.begin, grid.end))
                first, last = min(known[0], grid.begin), max(known[1], grid.end)
                for start, stop, text in tier.intervals:
                    label = text.strip()
                    if not label:
                        continue
                    first, last = min(first, start), max(last, stop)
                    spans.mark(place.document, place.coder, [(start, stop)], label)
                found.extents[place.document] = (first, last)
        tiers.tell(found)
