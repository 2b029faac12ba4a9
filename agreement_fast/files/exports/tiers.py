"""Files of tiers on a recording: ELAN's .eaf, and Praat's TextGrids."""

import json
import math
import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.elements import attribute, read_xml, whole_attribute
from agreement_fast.files.exports.streams import Look, Wrong
from agreement_fast.files.exports.tool import Contents, Options, Place, Tool
from agreement_fast.files.file import group_of

#: The name of the document if the paths name only the coder.
RECORDING = "recording"

_SEPARATORS = "_@-"
_SUFFIX = re.compile(rf"(.+)[{_SEPARATORS}]([^{_SEPARATORS}]+)")
_TIER = "tier:"


class Tiers:
    """Finds the coder of each tier, and adds its marks."""

    def __init__(
        self, bundle: Bundle, suffix: str, out: Contents, fields: Sequence[str] = ()
    ) -> None:
        self._out, options = out, out.options
        #: The files with the suffix, or all.
        self.members = bundle.ending(suffix) or bundle.members
        #: Attributes of a tier that may name its coder.
        self.fields = fields
        #: By document, coder and layer: the tier.
        self._taken: dict[tuple[str, str, str], str] = {}
        self._ends: dict[str, set[float]] = defaultdict(set)
        #: How to find the coder's name: the user's option, or the file if there are several. It is
        #: "file", "folder", "tier-suffix", "tier:REGEX", one of `fields`, or a regular expression
        #: that is searched in the path.
        self._how = options.coder_from or "file"
        self._ways = ", ".join(("tier-suffix (gesture_AB)", "tier:REGEX", *fields))
        if options.coder_from is None and len(self.members) < 2:
            raise ReadError(
                f"{self.members[0].shown} is one file that does not say who coded it: pass"
                f" --coder-from {self._ways} or file",
                argument="coder_from",
            )

    def add(
        self,
        member: Member,
        tier: str,
        extent: tuple[float, float],
        marks: Sequence[tuple[float, float, str]],
        fields: Mapping[str, str | None] = MappingProxyType({}),
        media: str | None = None,
        n_untimed: int = 0,
    ) -> None:
        """Add the marks of a tier, each with its begin, end and text.

        `n_untimed`: the number of its annotations without a time. Raises ReadError if two tiers
        would be the same layer of the same coder.
        """
        out, options = self._out, self._out.options
        owner = self._owner(tier, fields)
        if owner is None:
            out.leave_out(f"tiers without a coder in {show(self._how)}")
            return
        (coder, layer), cut = owner, (0, 0)
        if coder == "":
            cut = member.place_of_part(self._how, "--coder-from")
            coder = member.name[slice(*cut)]
        if options.document_from is not None:
            document = member.part(options.document_from, "--document-from")
        else:
            document = media or _rest(member.name[: cut[0]] + member.name[cut[1] :])
        place = f"tier {show(tier)} of {member.shown}"
        other = self._taken.setdefault((document, coder, layer), place)
        if other is not place:
            raise ReadError(
                f"{place} and {other} are both layer {show(layer)} of coder {show(coder)} on"
                f" {show(document)}: rename one, or pass --coder-from or --document-from"
            )
        self._ends[document].add(extent[1])
        spans = out.spans_of(layer, "tier")
        spans.see(document, coder)
        whole = [mark for mark in marks if mark[0] <= mark[1]]
        if n_untimed or len(whole) < len(marks):
            out.leave_out("annotations without a time", n_untimed, layer)
            out.leave_out("annotations that end before they begin", len(marks) - len(whole), layer)
            spans.miss(document, coder)
        for begin, end, text in whole:
            if text or options.count_empty:
                spans.mark(document, coder, [(begin, end)], text or EMPTY)
            else:
                out.leave_out("annotations without text", question=layer)
        places = [extent, out.extents.get(document, extent), *(mark[:2] for mark in whole)]
        begins, ends = zip(*places, strict=True)
        out.extents[document] = min(begins), max(ends)

    def tell(self) -> None:
        """Add notes on defaults that were used.

        Raises ReadError if files are the coders, but no two files are about the same recording.
        """
        out, options = self._out, self._out.options
        if apart := {name: ends for name, ends in self._ends.items() if len(ends) > 1}:
            name, ends = next(iter(apart.items()))
            out.note(
                f"files of one recording end at different times ({len(apart):,} recordings, such"
                f" as {show(name)}: {min(ends):g} to {max(ends):g}): the latest end is used for all"
            )
        if options.coder_from is not None:
            return
        coders: dict[str, set[str]] = defaultdict(set)
        for document, coder, _ in self._taken:
            coders[document].add(coder)
        if coders and max(map(len, coders.values())) == 1:
            raise ReadError(
                "no two files are about the same recording, so files are not the coders: pass"
                f" --coder-from {self._ways}, or name the recordings with --document-from",
                argument="coder_from",
            )
        out.note("each file is read as one coder: --coder-from changes that")
        if RECORDING in coders and options.document_from is None:
            out.note("all files are read as one recording: --document-from changes that")

    def _owner(self, tier: str, fields: Mapping[str, str | None]) -> tuple[str, str] | None:
        """Return the coder and the layer of a tier; ("", layer) if the path names the coder."""
        how = self._how
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


def _rest(name: str) -> str:
    """Return the document that the rest of a path names."""
    folder, slash, base = name.rpartition("/")
    path = folder + slash + base.rpartition(".")[0] if "." in base else name
    return re.sub("/{2,}", "/", path).strip("/. " + _SEPARATORS) or RECORDING


#: The number of passes over the tiers; slots of a tier may depend on those of another.
_ROUNDS = 10

Interval: TypeAlias = tuple[int, int]


class Alignable(NamedTuple):
    """An annotation between two time slots."""

    key: str
    begin: str
    end: str


class Reference(NamedTuple):
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
        if chain and end is not None and end >= begin:
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
            pieces = [(begin, end)] * len(group)
            if any(member.previous is not None for member in group):
                pieces = list(pairwise(_cut(begin, end, len(group))))
            # By their references to the one before, or by position if one is missing.
            after = {member.previous: member for member in group}
            ordered = [member] if (member := after.get(None)) else []
            while ordered and ordered[-1].key in after and len(ordered) < len(group):
                ordered.append(after[ordered[-1].key])
            group = ordered if len(ordered) == len(group) else group
            for entry, own in zip(group, pieces, strict=True):
                waiting.append((entry.key, own))
                yield entry.key, own


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
        tiers = Tiers(bundle, ".eaf", out, ("annotator", "participant"))
        out.leave_out("files other than .eaf", len(bundle.members) - len(tiers.members))
        roots = [(member, read_xml(member)) for member in tiers.members]
        media = [_media(root, member) for member, root in roots]
        by_media = all(media) and options.document_from is None
        for (member, root), name in zip(roots, media, strict=True):
            out.place = Place(member.shown)
            _read(member, root, name if by_media else None, tiers, out)
        tiers.tell()
        out.note(
            "a document ends at its last time slot: an .eaf does not say how long the recording is"
        )
        if by_media:
            out.note("documents are the media files that the .eaf files name")


def _media(root: Element, member: Member) -> str | None:
    """Return the name of the media file; check that a file is one of ELAN, in milliseconds."""
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
    return media


def _read(member: Member, root: Element, media: str | None, tiers: Tiers, out: Contents) -> None:
    """Add the tiers of a file."""
    times: dict[str, int | None] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        key, has_time = attribute(slot, "TIME_SLOT_ID"), "TIME_VALUE" in slot.attrib
        times[key] = whole_attribute(slot, "TIME_VALUE") if has_time else None
    alignable: list[list[Alignable]] = []
    references: list[Reference] = []
    values: dict[str, str] = {}
    of_tier: list[list[str]] = []
    elements = root.findall("TIER")
    for number, tier in enumerate(elements):
        alignable.append([])
        of_tier.append([])
        with out.at(attribute(tier, "TIER_ID"), "tier"):
            for entry in tier.iterfind("ANNOTATION/*"):
                key = attribute(entry, "ANNOTATION_ID")
                if key in values:
                    raise Wrong(f"there are two annotations {show(key)}")
                if entry.tag == "ALIGNABLE_ANNOTATION":
                    begin, end = (attribute(entry, f"TIME_SLOT_REF{end}") for end in (1, 2))
                    for unknown in {begin, end} - times.keys():
                        with out.at(key, "annotation"):
                            raise Wrong(f"there is no time slot {show(unknown)}")
                    alignable[-1].append(Alignable(key, begin, end))
                elif entry.tag == "REF_ANNOTATION":
                    parent, before = attribute(entry, "ANNOTATION_REF"), "PREVIOUS_ANNOTATION"
                    references.append(Reference(key, number, parent, entry.get(before)))
                else:
                    out.leave_out(f"annotations of kind {show(entry.tag)}")
                    continue
                values[key] = (entry.findtext("ANNOTATION_VALUE") or "").strip()
                of_tier[-1].append(key)
    untimed = list(times.values()).count(None)
    last = max((time for time in times.values() if time is not None), default=0)
    spread(times, alignable)
    if timed := untimed - list(times.values()).count(None):
        out.note(
            f"{member.shown}: {timed:,} of {untimed:,} time slots without a time were spread evenly"
            " between the neighbours that have one"
        )
    when = {
        key: (start, stop)
        for key, first, last_slot in chain.from_iterable(alignable)
        if (start := times[first]) is not None and (stop := times[last_slot]) is not None
    }
    when.update(inherited(when, references))
    for tier, keys in zip(elements, of_tier, strict=True):
        fields = {name: tier.get(name.upper()) for name in tiers.fields}
        marks = [(*when[key], values[key]) for key in keys if key in when]
        untimed = len(keys) - len(marks)
        tiers.add(member, tier.attrib["TIER_ID"], (0, last), marks, fields, media, untimed)


_VALUE = re.compile(
    r"""
    "([^"]*(?:""[^"]*)*)"                                       # a text; "" is a quotation mark
    | (?<!\S)([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?!\S)  # a number
    | (?<!\S)<(\w+)>(?!\S)                                     # a flag
    | (")                                                      # a text that does not end
    | (?<!\S)!.*                                               # a remark
    """,
    re.VERBOSE,
)
#: What the groups of this pattern are.
_TEXT, _NUMBER, _FLAG, _OPEN = 1, 2, 3, 4


class TextGrid(NamedTuple):
    """The content of a file: for each tier its name and intervals; None for a tier of points."""

    begin: float
    end: float
    tiers: list[tuple[str, list[tuple[float, float, str]] | None]]


def parse_textgrid(text: str, out: Contents) -> TextGrid:
    """Read a TextGrid in any of its forms.

    Raises an error if the file is not a TextGrid, or is truncated.
    """
    if text.lstrip()[:1] == "{":
        return _of_json(text, out)
    if "Praat chronological TextGrid" in text[:200]:
        raise ReadError(
            f"{out.place} is a chronological TextGrid: save it in Praat as a text file or a short"
            " text file"
        )
    return _Text(text, out).grid()


class _Text:
    """The values of a text form, one after the other."""

    def __init__(self, text: str, out: Contents) -> None:
        self._text, self._out, self._at = text, out, 0
        self._values = (match for match in _VALUE.finditer(text) if match.lastindex)

    def _wrong(self, what: str) -> Wrong:
        line = self._text.count("\n", 0, self._at) + 1
        self._out.place = Place(self._out.place.inside, line, "line")
        return Wrong(what)

    def _next(self, kind: int, what: str) -> str:
        match = next(self._values, None)
        self._at = len(self._text) if match is None else match.start()
        if match is None:
            raise self._wrong(f"the file ends where {what} should be: it is truncated")
        if match.lastindex == _OPEN:
            raise self._wrong("a text in quotation marks does not end: the file is truncated")
        value = match[match.lastindex or 0].replace('""', '"')
        if match.lastindex != kind:
            raise self._wrong(f"expected {what}, got {show(value)}")
        return value

    def _time(self, what: str) -> float:
        value = float(self._next(_NUMBER, what))
        if not math.isfinite(value):
            raise self._wrong(f"{what} is not a time")
        return value

    def _count(self, what: str) -> int:
        value = self._next(_NUMBER, what)
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            raise self._wrong(f"{what} must be a count, got {show(value)}")
        return int(value)

    def grid(self) -> TextGrid:
        kind = self._next(_TEXT, "the file type")
        if not kind.startswith("ooTextFile"):
            raise self._wrong(f"expected the file type 'ooTextFile', got {show(kind)}")
        kind = self._next(_TEXT, "the class of the object")
        if kind.split(" ")[0] != "TextGrid":
            raise self._wrong(f"this is a {show(kind)} of Praat, not a TextGrid")
        grid = TextGrid(self._time("xmin"), self._time("xmax"), [])
        flag = self._next(_FLAG, "<exists>")
        for _ in range(self._count("the number of tiers") if flag == "exists" else 0):
            kind = self._next(_TEXT, "the class of a tier")
            if kind not in ("IntervalTier", "TextTier"):
                known = "'IntervalTier' or 'TextTier'"
                raise self._wrong(f"the class of a tier must be {known}, got {show(kind)}")
            name = self._next(_TEXT, "the name of a tier")
            self._time("xmin"), self._time("xmax")
            intervals = []
            for _ in range(self._count("the number of intervals or points")):
                start = self._time("xmin")
                stop = self._time("xmax") if kind == "IntervalTier" else start
                if stop < start:
                    raise self._wrong(f"an interval of tier {show(name)} ends before it begins")
                intervals.append((start, stop, self._next(_TEXT, "the text of an interval")))
            grid.tiers.append((name, intervals if kind == "IntervalTier" else None))
        return grid


def _of_json(text: str, out: Contents) -> TextGrid:
    """Read one of the two forms that praatio writes."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{out.place} is not JSON: {error}") from None
    simple = "start" in whole
    begin, end, class_ = ("start", "end", "type") if simple else ("xmin", "xmax", "class")
    grid = TextGrid(_time(whole.get(begin), begin), _time(whole.get(end), end), [])
    if simple:
        listed = list(typed.value(whole, "tiers", dict).items())
    else:
        some = [typed.expect(tier, "a tier", dict) for tier in typed.value(whole, "tiers", list)]
        listed = [(typed.value(tier, "name", str), tier) for tier in some]
    for name, tier in listed:
        with out.at(name, "tier"):
            kind = typed.value(typed.expect(tier, "a tier", dict), class_, str)
            entries = typed.value(tier, "entries", list)
            if kind not in ("IntervalTier", "TextTier"):
                raise Wrong(f"there are no tiers of class {show(kind)}")
            intervals = list(map(_interval, entries)) if kind == "IntervalTier" else None
            grid.tiers.append((name, intervals))
    return grid


def _interval(entry: Any) -> tuple[float, float, str]:
    if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[2], str)):
        raise Wrong("an interval must be [start, end, text]")
    start, stop = _time(entry[0], "start"), _time(entry[1], "end")
    if stop < start:
        raise Wrong("an interval ends before it begins")
    return start, stop, entry[2]


def _time(value: Any, what: str) -> float:
    # praatio writes times as texts in one of its forms.
    with suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(number := float(value)):
            return number
    raise Wrong(f"{what}: expected a time, got {show(str(value))}")


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
        tiers = Tiers(bundle, ".textgrid", out)
        out.leave_out("files other than TextGrids", len(bundle.members) - len(tiers.members))
        for member in tiers.members:
            out.place = Place(member.shown)
            grid = parse_textgrid(member.read_text(options.encoding), out)
            for name, intervals in grid.tiers:
                if intervals is None:
                    out.leave_out("point tiers")
                    continue
                marks = [(a, b, label) for a, b, text in intervals if (label := text.strip())]
                tiers.add(member, name, (grid.begin, grid.end), marks)
        tiers.tell()
