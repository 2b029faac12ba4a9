"""Praat TextGrids: tiers of intervals on a recording."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.streams import Look
from agreement_fast.files.exports.tool import Options, Tool
from agreement_fast.files.exports.tools.shared.tiers import Tiers

_VALUE = re.compile(
    r"""
    "([^"]*(?:""[^"]*)*)"                                       # a text; "" is a quotation mark
    | (?<!\S)([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?!\S)  # a number
    | (?<!\S)<(\w+)>(?!\S)                                     # a flag
    | (?<!\S)!.*                                               # a remark
    | (")                                                      # a text that does not end
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class GridTier:
    """A tier; `intervals` is None for a tier of points."""

    name: str
    begin: float
    end: float
    intervals: list[tuple[float, float, str]] | None


@dataclass(frozen=True)
class TextGrid:
    """The content of a file."""

    begin: float
    end: float
    tiers: list[GridTier]


def parse_textgrid(text: str, shown: str) -> TextGrid:
    """Read a TextGrid in any of its forms.

    Raises ReadError if the file is not a TextGrid, or is truncated.
    """
    if text.lstrip()[:1] == "{":
        return _of_json(text, shown)
    if "Praat chronological TextGrid" in text[:200]:
        raise ReadError(
            f"{shown} is a chronological TextGrid: save it in Praat as a text file or a short text"
            " file"
        )
    return _Text(text, shown).grid()


# -- the text forms


class _Text:
    """The values of a text form, one after the other."""

    def __init__(self, text: str, shown: str) -> None:
        self._text = text
        self._shown = shown
        self._at = 0
        self._values = self._scan()

    def _scan(self) -> Iterator[tuple[str, Any]]:
        for match in _VALUE.finditer(self._text):
            self._at = match.start()
            if match[1] is not None:
                yield "a text", match[1].replace('""', '"')
            elif match[2] is not None:
                yield "a number", match[2]
            elif match[3] is not None:
                yield "a flag", match[3]
            elif match[4] is not None:
                raise self._wrong("a text in quotation marks does not end: the file is truncated")

    def _wrong(self, what: str) -> ReadError:
        line = self._text.count("\n", 0, self._at) + 1
        return ReadError(f"{self._shown}, line {line:,}: {what}")

    def _next(self, kind: str, what: str) -> Any:
        got, value = next(self._values, ("nothing", ""))
        if got == "nothing":
            self._at = len(self._text)
            raise self._wrong(f"the file ends where {what} should be: it is truncated")
        if got != kind:
            raise self._wrong(f"expected {what}, got {show(str(value))}")
        return value

    def _time(self, what: str) -> float:
        value = float(self._next("a number", what))
        if not math.isfinite(value):
            raise self._wrong(f"{what} is not a time")
        return value

    def _count(self, what: str) -> int:
        value = self._next("a number", what)
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            raise self._wrong(f"{what} must be a count, got {show(value)}")
        return int(value)

    def grid(self) -> TextGrid:
        kind = self._next("a text", "the file type")
        if not kind.startswith("ooTextFile"):
            raise self._wrong(f"expected the file type 'ooTextFile', got {show(kind)}")
        kind = self._next("a text", "the class of the object")
        if kind.split(" ")[0] != "TextGrid":
            raise self._wrong(f"this is a {show(kind)} of Praat, not a TextGrid")
        begin, end = self._time("xmin"), self._time("xmax")
        flag = self._next("a flag", "<exists>")
        count = self._count("the number of tiers") if flag == "exists" else 0
        return TextGrid(begin, end, [self._tier() for _ in range(count)])

    def _tier(self) -> GridTier:
        kind = self._next("a text", "the class of a tier")
        if kind not in ("IntervalTier", "TextTier"):
            raise self._wrong(
                f"the class of a tier must be 'IntervalTier' or 'TextTier', got {show(kind)}"
            )
        name = self._next("a text", "the name of a tier")
        begin, end = self._time("xmin"), self._time("xmax")
        count = self._count("the number of intervals or points")
        if kind == "TextTier":
            for _ in range(count):
                self._time("the time of a point")
                self._next("a text", "the text of a point")
            return GridTier(name, begin, end, None)
        intervals = []
        for _ in range(count):
            start, stop = self._time("xmin"), self._time("xmax")
            intervals.append((start, stop, self._next("a text", "the text of an interval")))
            if stop < start:
                raise self._wrong(f"an interval of tier {show(name)} ends before it begins")
        return GridTier(name, begin, end, intervals)


# -- JSON


def _of_json(text: str, shown: str) -> TextGrid:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{shown} is not JSON: {error}") from None

    def get(holder: Any, key: str, kind: type | tuple[type, ...], where: str) -> Any:
        value = holder.get(key) if isinstance(holder, dict) else None
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ReadError(f"{shown}{where}: {show(key)} is missing or of a wrong type")
        return value

    def time(value: Any, where: str) -> float:
        # praatio writes times as texts in one of its forms.
        try:
            number = float(value) if isinstance(value, (str, int, float)) else math.nan
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise ReadError(f"{shown}{where}: expected a time, got {show(str(value))}")
        return number

    simple = "start" in whole
    begin, end = (time(whole.get(key), f", {key}") for key in
                  (("start", "end") if simple else ("xmin", "xmax")))  # fmt: skip
    if simple:
        listed = list(get(whole, "tiers", dict, "").items())
    else:
        listed = [
            (get(entry, "name", str, ", a tier"), entry) for entry in get(whole, "tiers", list, "")
        ]
    tiers = []
    for name, tier in listed:
        where = f", tier {show(name)}"
        kind = get(tier, "type" if simple else "class", str, where)
        entries = get(tier, "entries", list, where)
        if kind == "TextTier":
            tiers.append(GridTier(name, begin, end, None))
            continue
        if kind != "IntervalTier":
            raise ReadError(f"{shown}{where}: there are no tiers of class {show(kind)}")
        intervals = []
        for entry in entries:
            if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[2], str)):
                raise ReadError(f"{shown}{where}: an interval must be [start, end, text]")
            start, stop = time(entry[0], where), time(entry[1], where)
            if stop < start:
                raise ReadError(f"{shown}{where}: an interval ends before it begins")
            intervals.append((start, stop, entry[2]))
        tiers.append(GridTier(name, begin, end, intervals))
    return TextGrid(begin, end, tiers)


class PraatTextGrid(Tool):
    """Reads TextGrids; tiers of intervals are layers, and intervals without text are gaps."""

    name = "textgrid"
    title = "Praat (TextGrid)"
    options = ("coder_from", "document_from")
    suffixes = (".textgrid",)

    def holds(self, look: Look) -> bool:
        """Whether a file declares that it is a TextGrid."""
        if look.text[:1] == "{":
            return {"start", "end", "tiers"} <= look.keys or {"xmin", "xmax", "tiers"} <= look.keys
        head = look.text[:400]
        return "ooTextFile" in head and "TextGrid" in head

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read each file."""
        out.unit = "seconds"
        tiers = Tiers(bundle, ".textgrid", options)
        out.leave_out("files other than TextGrids", len(bundle.members) - len(tiers.members))
        for member in tiers.members:
            grid = parse_textgrid(member.read_text(options.encoding), member.shown)
            for tier in grid.tiers:
                if tier.intervals is None:
                    out.leave_out("point tiers")
                    continue
                place = tiers.place(member, tier.name, {})
                if place is None:
                    out.leave_out(f"tiers without a coder in {tiers.coder_from}")
                    continue
                tiers.end(place.document, grid.end)
                spans = out.spans_of(place.layer, "tier")
                spans.see(place.document, place.coder)
                known = out.extents.get(place.document, (grid.begin, grid.end))
                first, last = min(known[0], grid.begin), max(known[1], grid.end)
                for start, stop, text in tier.intervals:
                    if label := text.strip():
                        first, last = min(first, start), max(last, stop)
                        spans.mark(place.document, place.coder, [(start, stop)], label)
                out.extents[place.document] = (first, last)
        tiers.tell(out)
