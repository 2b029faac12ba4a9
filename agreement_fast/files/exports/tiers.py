"""Files of tiers on a recording: ELAN's .eaf, and Praat's TextGrids."""

import json
import math
import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.streams import Look, read_xml
from agreement_fast.files.exports.tool import Options, Tool, part_of_path, place_in_path
from agreement_fast.files.paths import group_of

#: The name of the document if the paths name only the coder.
RECORDING = "recording"

_SEPARATORS = "_@-"
_SUFFIX = re.compile(rf"(.+)[{_SEPARATORS}]([^{_SEPARATORS}]+)")
_TIER = "tier:"


@dataclass(frozen=True)
class Place:
    """The coder, document and layer of a tier."""

    document: str
    coder: str
    layer: str


class Tiers:
    """Finds the coder of each tier."""

    def __init__(
        self, bundle: Bundle, suffix: str, options: Options, fields: Sequence[str] = ()
    ) -> None:
        self.options = options
        #: The files with the suffix, or all.
        self.members = bundle.ending(suffix) or bundle.members
        #: Attributes of a tier that may name its coder.
        self.fields = fields
        self._taken: dict[Place, str] = {}
        self._ends: dict[str, set[float]] = defaultdict(set)
        #: How to find the coder's name: the user's option, or the file if there are several. It is
        #: "file", "folder", "tier-suffix", "tier:REGEX", one of `fields`, or a regular expression
        #: that is searched in the path.
        self.coder_from = options.coder_from or "file"
        if options.coder_from is None and len(self.members) < 2:
            raise ReadError(
                f"{self.members[0].shown} is one file that does not say who coded it: pass"
                f" --coder-from {self._ways()} or file",
                argument="coder_from",
            )

    def place(
        self, member: Member, tier: str, fields: Mapping[str, str | None], media: str | None = None
    ) -> Place | None:
        """Return the place of a tier; None if it does not name its coder.

        Raises ReadError if two tiers would be the same layer of the same coder.
        """
        how = self.coder_from
        owner = self._of_tier(tier, how, fields)
        if owner is None:
            return None
        coder, layer = owner
        cut: tuple[int, int] | None = None
        if coder == "":
            cut = place_in_path(member, how, "--coder-from")
            coder = member.name[slice(*cut)]
        if self.options.document_from is not None:
            document = part_of_path(member, self.options.document_from, "--document-from")
        else:
            document = media or _rest(member, cut)
        place = Place(document, coder, layer)
        here = f"tier {show(tier)} of {member.shown}"
        if place in self._taken:
            raise ReadError(
                f"{here} and {self._taken[place]} are both layer {show(layer)} of coder"
                f" {show(coder)} on {show(document)}: rename one, or pass --coder-from or"
                " --document-from"
            )
        self._taken[place] = here
        return place

    def end(self, document: str, end: float) -> None:
        """Record where a recording ends according to a file."""
        self._ends[document].add(end)

    def tell(self, out: Contents) -> None:
        """Add notes on defaults that were used.

        Raises ReadError if files are the coders, but no two files are about the same recording.
        """
        apart = [name for name, ends in self._ends.items() if len(ends) > 1]
        if apart:
            ends = self._ends[apart[0]]
            out.note(
                f"files of one recording end at different times ({len(apart):,} recordings, such"
                f" as {show(apart[0])}: {min(ends):g} to {max(ends):g}): the latest end is used"
                " for all"
            )
        if self.options.coder_from is not None:
            return
        coders: dict[str, set[str]] = defaultdict(set)
        for place in self._taken:
            coders[place.document].add(place.coder)
        if coders and max(map(len, coders.values())) == 1:
            raise ReadError(
                "no two files are about the same recording, so files are not the coders: pass"
                f" --coder-from {self._ways()}, or name the recordings with --document-from",
                argument="coder_from",
            )
        out.note("each file is read as one coder: --coder-from changes that")
        if RECORDING in coders and self.options.document_from is None:
            out.note("all files are read as one recording: --document-from changes that")

    def _ways(self) -> str:
        return ", ".join(("tier-suffix (gesture_AB)", "tier:REGEX", *self.fields))

    def _of_tier(
        self, tier: str, how: str, fields: Mapping[str, str | None]
    ) -> tuple[str, str] | None:
        """Return the coder and the layer of a tier; ("", layer) if the path names the coder."""
        if how in self.fields:
            coder = (fields[how] or "").strip()
            return (coder, _without(tier, coder)) if coder else None
        if how == "tier-suffix":
            match = _SUFFIX.fullmatch(tier)
            return None if match is None else (match[2], match[1])
        if how.startswith(_TIER):
            pattern, group = group_of(how.removeprefix(_TIER), "--coder-from", how)
            match = pattern.search(tier)
            if match is None or not match[group]:
                return None
            rest = (tier[: match.start(group)] + tier[match.end(group) :]).strip(" " + _SEPARATORS)
            return match[group], rest or "tiers"
        return "", tier


def _without(tier: str, coder: str) -> str:
    """Remove the coder's name from the beginning or the end of a tier's name."""
    name = re.escape(coder)
    bare = re.sub(
        rf"^{name}[{_SEPARATORS}]+|[{_SEPARATORS}]+{name}$", "", tier, flags=re.IGNORECASE
    )
    return bare or tier


def _rest(member: Member, cut: tuple[int, int] | None) -> str:
    """Return the part of a path that does not name the coder."""
    begin, end = cut or (0, 0)
    name = member.name[:begin] + member.name[end:]
    folder, slash, base = name.rpartition("/")
    path = folder + slash + base.rpartition(".")[0] if "." in base else name
    return re.sub("/{2,}", "/", path).strip("/. " + _SEPARATORS) or RECORDING


#: The number of passes over the tiers; slots of a tier may depend on those of another.
_ROUNDS = 10

Interval = tuple[int, int]


@dataclass(frozen=True)
class Alignable:
    """An annotation between two time slots."""

    key: str
    begin: str
    end: str


@dataclass(frozen=True)
class Reference:
    """An annotation of an annotation, perhaps one of several in a row."""

    key: str
    tier: int
    parent: str
    previous: str | None


def _cut(begin: int, end: int, count: int) -> list[int]:
    """Return the borders of `count` equal pieces."""
    return [begin + (end - begin) * k // count for k in range(count + 1)]


def spread(times: dict[str, int | None], tiers: Sequence[Sequence[Alignable]]) -> None:
    """Spread slots without a time evenly between their neighbours, as ELAN shows them.

    Neighbours are slots that annotations of the same tier connect.
    """
    for _ in range(_ROUNDS):
        if not sum(_along(times, tier) for tier in tiers):
            break


def _along(times: dict[str, int | None], tier: Sequence[Alignable]) -> bool:
    """Spread the slots of one tier; return whether some got a time."""
    following = {annotation.begin: annotation.end for annotation in tier}
    done = False
    walked: set[str] = set()
    for annotation in tier:
        begin, slot, chain = times[annotation.begin], annotation.end, []
        if begin is None:
            continue
        while times[slot] is None and slot in following and slot not in walked:
            walked.add(slot)
            chain.append(slot)
            slot = following[slot]
        end = times[slot]
        if not chain or end is None or end < begin:
            continue
        borders = _cut(begin, end, len(chain) + 1)
        times.update(zip(chain, borders[1:-1], strict=True))
        done = True
    return done


def inherited(
    when: dict[str, Interval], references: Sequence[Reference]
) -> Iterator[tuple[str, Interval]]:
    """Yield references with the times of their parents; chained references divide these."""
    children: dict[str, dict[int, list[Reference]]] = defaultdict(lambda: defaultdict(list))
    for entry in references:
        children[entry.parent][entry.tier].append(entry)
    waiting = deque(when.items())
    while waiting:
        key, (begin, end) = waiting.popleft()
        for group in children.pop(key, {}).values():
            shared = any(member.previous is not None for member in group)
            borders = _cut(begin, end, len(group)) if shared else []
            for place, entry in enumerate(_in_order(group)):
                own = (borders[place], borders[place + 1]) if shared else (begin, end)
                waiting.append((entry.key, own))
                yield entry.key, own


def _in_order(group: Sequence[Reference]) -> Sequence[Reference]:
    """Order annotations by their references to the one before, or by position if one is missing."""
    after = {member.previous: member for member in group}
    ordered: list[Reference] = []
    entry = after.get(None)
    while entry is not None and len(ordered) < len(group):
        ordered.append(entry)
        entry = after.get(entry.key)
    return ordered if len(ordered) == len(group) else group


#: The category of an annotation without text, if these count.
EMPTY = "(empty)"


class Elan(Tool):
    """Reads files of ELAN; tiers are layers, and times are milliseconds."""

    name = "elan"
    title = "ELAN"
    options = ("coder_from", "document_from", "count_empty")
    suffixes = (".eaf",)

    def holds(self, look: Look) -> bool:
        """Whether a file is XML with ELAN's root element."""
        return look.root == "ANNOTATION_DOCUMENT"

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read all files, and then find the coder of each tier."""
        out.unit = "milliseconds"
        tiers = Tiers(bundle, ".eaf", options, ("annotator", "participant"))
        out.leave_out("files other than .eaf", len(bundle.members) - len(tiers.members))
        files = [_read(member, out) for member in tiers.members]
        by_media = all(file.media for file in files) and options.document_from is None
        for file in files:
            _place(file, tiers, by_media, out, options)
        tiers.tell(out)
        out.note(
            "a document ends at its last time slot: an .eaf does not say how long the recording is"
        )
        if by_media:
            out.note("documents are the media files that the .eaf files name")


@dataclass(frozen=True)
class _Tier:
    name: str
    fields: dict[str, str | None]
    marked: list[tuple[int, int, str]]
    untimed: int
    backwards: int


@dataclass(frozen=True)
class _File:
    member: Member
    media: str | None
    last: int
    tiers: list[_Tier]


def _place(file: _File, tiers: Tiers, by_media: bool, out: Contents, options: Options) -> None:
    for tier in file.tiers:
        media = file.media if by_media else None
        place = tiers.place(file.member, tier.name, tier.fields, media)
        if place is None:
            out.leave_out(f"tiers without a coder in {show(tiers.coder_from)}")
            continue
        tiers.end(place.document, file.last)
        before = out.extents.get(place.document, (0, 0))
        out.extents[place.document] = (0, max(before[1], file.last))
        spans = out.spans_of(place.layer, "tier")
        spans.see(place.document, place.coder)
        if tier.untimed or tier.backwards:
            out.leave_out("annotations without a time", tier.untimed, place.layer)
            out.leave_out("annotations that end before they begin", tier.backwards, place.layer)
            spans.miss(place.document, place.coder)
        for begin, end, value in tier.marked:
            if value or options.count_empty:
                spans.mark(place.document, place.coder, [(begin, end)], value or EMPTY)
            else:
                out.leave_out("annotations without text", question=place.layer)


# -- one file


def _need(element: Element, key: str, where: str) -> str:
    value = element.get(key)
    if value is None:
        raise ReadError(f"{where}: <{element.tag}> has no {key}")
    return value


def _read(member: Member, out: Contents) -> _File:
    root = read_xml(member)
    if root.tag != "ANNOTATION_DOCUMENT":
        raise ReadError(
            f"{member.shown} is XML, but not an .eaf: its root is <{show(root.tag)[1:-1]}>"
        )
    media = None
    for header in root.iter("HEADER"):
        unit = header.get("TIME_UNITS", "milliseconds")
        if unit != "milliseconds":
            raise ReadError(f"{member.shown} counts time in {show(unit)}: save it in milliseconds")
        for entry in header.iter("MEDIA_DESCRIPTOR"):
            base = re.split(r"[\\/]", entry.get("MEDIA_URL", ""))[-1]
            media = media or base.rpartition(".")[0] or base or None
    times = _slots(root, member)
    alignable: list[list[Alignable]] = []
    references: list[Reference] = []
    values: dict[str, str] = {}
    of_tier: list[list[str]] = []
    elements = root.findall("TIER")
    for number, tier in enumerate(elements):
        where = f"{member.shown}, tier {show(_need(tier, 'TIER_ID', member.shown))}"
        alignable.append([])
        of_tier.append([])
        for entry in tier.iterfind("ANNOTATION/*"):
            key = _need(entry, "ANNOTATION_ID", where)
            if key in values:
                raise ReadError(f"{where}: there are two annotations {show(key)}")
            if entry.tag == "ALIGNABLE_ANNOTATION":
                slots = [_need(entry, f"TIME_SLOT_REF{end}", where) for end in (1, 2)]
                for slot in slots:
                    if slot not in times:
                        raise ReadError(
                            f"{where}, annotation {show(key)}: there is no time slot {show(slot)}"
                        )
                alignable[-1].append(Alignable(key, slots[0], slots[1]))
            elif entry.tag == "REF_ANNOTATION":
                parent = _need(entry, "ANNOTATION_REF", where)
                references.append(Reference(key, number, parent, entry.get("PREVIOUS_ANNOTATION")))
            else:
                out.leave_out(f"annotations of kind {show(entry.tag)}")
                continue
            values[key] = (entry.findtext("ANNOTATION_VALUE") or "").strip()
            of_tier[-1].append(key)
    untimed = list(times.values()).count(None)
    last = max((time for time in times.values() if time is not None), default=0)
    spread(times, alignable)
    timed = untimed - list(times.values()).count(None)
    if timed:
        out.note(
            f"{member.shown}: {timed:,} of {untimed:,} time slots without a time were spread evenly"
            " between the neighbours that have one"
        )
    when = {
        entry.key: (begin, end)
        for tier_ in alignable
        for entry in tier_
        if (begin := times[entry.begin]) is not None and (end := times[entry.end]) is not None
    }
    when.update(inherited(when, references))
    tiers = []
    for tier, keys in zip(elements, of_tier, strict=True):
        fields = {"annotator": tier.get("ANNOTATOR"), "participant": tier.get("PARTICIPANT")}
        placed = [(*when[key], values[key]) for key in keys if key in when]
        marked = [entry for entry in placed if entry[0] <= entry[1]]
        untimed, backwards = len(keys) - len(placed), len(placed) - len(marked)
        tiers.append(_Tier(tier.attrib["TIER_ID"], fields, marked, untimed, backwards))
    return _File(member, media, last, tiers)


def _slots(root: Element, member: Member) -> dict[str, int | None]:
    times: dict[str, int | None] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        key = _need(slot, "TIME_SLOT_ID", member.shown)
        value = slot.get("TIME_VALUE")
        if value is not None and re.fullmatch(r"[0-9]{1,15}", value) is None:
            raise ReadError(
                f"{member.shown}, time slot {show(key)}: TIME_VALUE must be milliseconds, got"
                f" {show(value)}"
            )
        times[key] = None if value is None else int(value)
    return times


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
