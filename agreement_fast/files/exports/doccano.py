"""doccano: an archive with one file per member of a project."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.streams import (
    LOOKED_AT,
    Look,
    Wrong,
    csv_rows,
    json_values,
    look_at,
)
from agreement_fast.files.exports.tool import Contents, Options, Tool
from agreement_fast.reading.recognition.recognise import names_a

#: Keys of items, and keys of labels.
SOURCES = ("text", "filename", "data")
LISTS = ("label", "cats", "entities", "bbox", "segmentation")

_CLASSES, _SPANS = "categories", "spans"

_LEFT_OUT = {
    "bbox": "boxes", "segmentation": "segments of images", "relations": "relations",
    "Comments": "comments",
}  # fmt: skip
_LISTED = ("label", "cats", "entities", *_LEFT_OUT)


class Examples:
    """Collects examples."""

    def __init__(self, out: Contents) -> None:
        self._contents = out
        self._kinds = {"cats": _CLASSES, "entities": _SPANS}
        self._empty: dict[str, list[tuple[Any, str]]] = defaultdict(list)
        self._sources: dict[Any, tuple[int, str]] = {}

    def take(self, record: dict[str, Any], coder: str) -> None:
        """Add the labels of a coder for an example."""
        out, options = self._contents, self._contents.options
        key = options.item_from or "id"
        if key not in record and options.item_from is None:
            raise Wrong("there is no key 'id': name what an item is, as in --item-from text")
        item = typed.value(record, key, int, str)
        lists = {key: typed.value(record, key, list) for key in _LISTED if key in record}
        for key, what in _LEFT_OUT.items():
            out.leave_out(what, len(lists.get(key, ())))
        labels = {key: some for key, some in lists.items() if key not in _LEFT_OUT}
        if lists.keys().isdisjoint(LISTS):
            raise Wrong(f"it has none of {', '.join(LISTS)}")
        if not labels:
            return
        source = next((key for key in SOURCES if key in record), None)
        if source is None:
            raise Wrong(f"it has none of {', '.join(SOURCES)}")
        text = typed.value(record, source, str)
        known, where = self._sources.setdefault(item, (hash(text), str(out.place)))
        if known != hash(text):
            raise Wrong(
                f"example {show(str(item))} has a different text in {where}: ids of different"
                " projects do not match, pass --item-from text"
            )
        if options.keep_texts:
            out.texts[item] = text
        if source == "text" and self._kinds.get("label") != _CLASSES:
            out.extents[item] = 0, len(text)
        for key, answer in labels.items():
            if answer and self._kind(key, answer[0]) == _CLASSES:
                for label in answer:
                    typed.expect(label, f"a label in {show(key)}", str)
                out.answers_to(key, _CLASSES).add(item, coder, frozenset(answer))
            elif answer:
                for entry in answer:
                    start, end, label = _span(entry, key)
                    if not 0 <= start <= end or (source == "text" and end > len(text)):
                        within = f" of a text of {len(text):,} characters" * (source == "text")
                        raise Wrong(f"{typed.written(entry)} is no span{within}")
                    out.spans_of(key, _SPANS).mark(item, coder, [(start, end)], label)
            elif any(labels.values()) and key == "entities":
                # Classified, and without a slot.
                out.spans_of(key, _SPANS).see(item, coder)
            else:
                self._empty[key].append((item, coder))

    def _kind(self, key: str, first: Any) -> str:
        own = _CLASSES if isinstance(first, str) else _SPANS
        kind = self._kinds.setdefault(key, own)
        if kind != own:
            raise Wrong(
                f"{show(key)} must hold {kind} as before, got {typed.written(first)}: name the"
                " files of one project"
            )
        return kind

    def finish(self) -> None:
        """Add empty answers, once the questions are known; leave out written texts."""
        out, options = self._contents, self._contents.options
        count = options.count_empty
        for key, pairs in self._empty.items():
            kind = self._kinds.get(key)
            if not count:
                out.leave_out("examples without labels", len(pairs))
            for item, coder in pairs:
                if kind == _CLASSES:
                    out.answers_to(key, _CLASSES).add(item, coder, frozenset() if count else None)
                elif kind == _SPANS and count:
                    out.spans_of(key, _SPANS).see(item, coder)
        if any(self._empty.values()) and not count:
            out.note(
                "doccano exports an example without labels like one that nobody looked at: both"
                " are missing; with --count-empty, no label is a judgment"
            )
        # Texts that coders wrote have the form of classes.
        if answers := out.answers.get("label"):
            sets = [answers.labels.values[code] for code in answers.label if code >= 0]
            texts = [label for labels in sets for label in labels]
            if typed.are_free_texts(texts):
                del out.answers["label"]
                out.leave_out("written texts", len(texts))
                out.note(
                    "the labels are texts that coders wrote, and nearly all are different:"
                    " coefficients for labels do not apply to free text"
                )
        if not out.spans:
            out.extents.clear()
        judged: list[list[tuple[Any, Any]]] = [
            *(list(zip(some.item, some.coder, strict=True)) for some in out.answers.values()),
            *(list(spans.seen) for spans in out.spans.values()),
        ]
        for pairs in judged if options.item_from in (None, "id") else ():
            first = dict(reversed(pairs))
            shared = any(first[item] != coder for item, coder in pairs)
            if not shared and len({coder for _, coder in pairs}) > 1:
                out.note(
                    "no two coders share an example: if each coder has a separate project, ids"
                    " differ, and --item-from text matches equal texts"
                )


def _span(value: Any, key: str) -> tuple[int, int, str]:
    """Read [start, end, label], or an object with the same values."""
    if isinstance(value, dict):
        with typed.Within(f"a span in {show(key)}"):
            start, end = (typed.whole_number(value, f"{end}_offset") for end in ("start", "end"))
            return start, end, typed.value(value, "label", str)
    if not isinstance(value, list) or [type(element) for element in value] != [int, int, str]:
        form = "[start, end, label]"
        raise Wrong(f"a span in {show(key)} must be {form}, got {typed.written(value)}")
    start, end, label = value
    return start, end, label


_COLUMNS = ("id", "text", "label")
_SUFFIXES = (".jsonl", ".json", ".csv")

#: The file of a project that its members share.
_ALL = "all"

#: Keys of other tools that also have texts and lists.
_NOT_DOCCANO = frozenset({"_input_hash", "_task_hash", "annotation_id", "annotations"})


class Doccano(Tool):
    """Reads archives and folders of doccano."""

    name = "doccano"
    title = "doccano"
    options = ("coder_from", "item_from", "count_empty")

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether all files have texts with lists of labels, but no coders."""
        files = bundle.ending(*_SUFFIXES) or bundle.members
        looks = [look_at(member) for member in files[:LOOKED_AT]]
        # A member who confirmed nothing has an empty file, or a table without columns.
        some = [look for look in looks if look.text.strip('" \r\n')]
        # In an archive or a folder, the files are the coders. A single table may be anything.
        bare = len(bundle.paths) == 1 and len(files) > 1
        return bool(some) and all(
            self.holds(look) or (bare and look.columns == _COLUMNS) for look in some
        )

    def holds(self, look: Look) -> bool:
        """Whether a file has texts with lists of labels, but no coders."""
        if any(names_a("coder", name) for name in (*look.record, *look.columns)):
            return False
        if look.has(*_COLUMNS, "Comments"):
            return True
        return (
            any(isinstance(look.record.get(key), str) for key in SOURCES)
            and any(isinstance(look.record.get(key), list) for key in LISTS)
            and _NOT_DOCCANO.isdisjoint(look.record)
        )

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the labels of each member's file."""
        files = bundle.ending(*_SUFFIXES) or bundle.members
        stems = [member.stem for member in files]
        if _ALL in stems and options.coder_from in (None, "file"):
            raise ReadError(
                f"{files[stems.index(_ALL)].shown} is the export of a project that its members"
                " share, and does not say who gave a label: give each coder a separate project,"
                " rename the files after the coders, and name them all"
            )
        if len(files) < 2:
            raise ReadError(
                f"{bundle.shown} is the file of one member and does not say whose labels it holds:"
                " name the archive of the export, or the files of all coders"
            )
        examples = Examples(out)
        nothing = 0
        for member in files:
            coder = member.part(options.coder_from or "file", "--coder-from")
            for record in out.walk(member, _records(member, options.encoding), "an example"):
                examples.take(record, coder)
            nothing += not out.place.number
        if nothing:
            out.note(f"{nothing:,} of {len(files):,} files hold no example")
        examples.finish()


def _records(member: Member, encoding: str | None) -> Iterator[Any]:
    """Yield the examples of a file; cells of a CSV are converted to the values of JSON."""
    text = look_at(member).text
    if text[:1] in ("", "{", "["):
        yield from json_values(member, encoding)
    elif text.strip('" \r\n'):
        for row in csv_rows(member, _COLUMNS, encoding):
            # pandas writes whole numbers with a fraction if some are missing.
            number = row["id"].removesuffix(".0")
            keys = row.keys() & {"label", "Comments"}
            listed = {key: row[key].split("#") if row[key] else [] for key in keys}
            yield {**row, **listed, "id": int(number) if number.isdecimal() else row["id"]}
