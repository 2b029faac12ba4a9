"""ELAN's annotation files (.eaf): tiers of annotations on a recording."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.streams import Look, read_xml
from agreement_fast.files.exports.tool import Options, Tool
from agreement_fast.files.exports.tools.shared.tiers import Tiers

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
