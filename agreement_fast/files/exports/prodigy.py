"""Prodigy: JSON lines, one judgment per line."""

import re
from typing import Any

from agreement_fast.files.errors import show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents, InTime
from agreement_fast.files.exports.streams import Look, json_values
from agreement_fast.files.exports.tool import (
    SKIPPED,
    Options,
    Place,
    Tool,
    Wrong,
    a_name,
    a_number,
    expect,
    moment,
    part_of_path,
    value_of,
)
from agreement_fast.files.paths import common_start

REVIEWER = "reviewer"

#: How Prodigy names sessions without a name: by time.
_TIME = re.compile(r"(^|-)\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}$")


def session_of(record: dict[str, Any]) -> str:
    """Return the session of a judgment."""
    for key in ("_annotator_id", "_session_id"):
        name = record.get(key)
        if name.__class__ is str and name:
            return str(name)
        if name is not None and name != "":
            raise Wrong(f"{show(key)} must be a text")
    raise Wrong(
        "it has neither '_annotator_id' nor '_session_id': pass --coder-from file if each file is"
        " of one coder"
    )


def names_of(sessions: list[str], out: Contents) -> dict[str, str]:
    """Return the names of sessions, without the name of the data set if all have it."""
    unnamed = [name for name in sessions if _TIME.search(name)]
    if unnamed:
        out.note(
            f"{len(unnamed):,} of {len(sessions):,} coders are sessions without a name, such as"
            f" {show(unnamed[0])}: one person may have had several; if each file is of one coder,"
            " pass --coder-from file"
        )
    named = [name for name in sessions if name != REVIEWER and not _TIME.search(name)]
    shared = common_start(named) if len(named) > 1 else ""
    prefix = shared[: shared.rfind("-") + 1]
    if not prefix:
        return {}
    names = {name: name.removeprefix(prefix) for name in named}
    others = [name for name in sessions if name not in names]
    if "" in names.values() or set(names.values()) & set(others):
        return {}
    out.note(f"{show(prefix)}, with which all names of coders begin, is left out of the names")
    return names


#: Views with yes or no as the answer.
BINARY = (
    "classification", "text", "html", "image", "audio", "video", "ner", "spans", "pos", "dep",
    "diff", "compare",
)  # fmt: skip
#: Views in which coders mark parts of a text.
MANUAL = ("ner_manual", "spans_manual", "pos_manual", "relations")
#: Views in which coders mark parts of a recording.
TIMED = ("audio_manual", "video_manual")

#: Views that are not read.
_LEFT_OUT = {"image_manual": "drawings on images", "text_input": "text inputs"}

_STATES = {"ignore": "ignored answers", "reject": "rejected answers"}


class Views:
    """Collects judgments, by view."""

    def __init__(self, out: Contents, options: Options, into: InTime) -> None:
        self._contents = out
        self._options = options
        self._into = into

    def take(self, record: dict[str, Any], coder: str, time: float) -> None:
        """Add a judgment of a coder."""
        answer = value_of(record, "answer", str)
        if answer not in ("accept", "reject", "ignore"):
            raise Wrong(f"'answer' must be accept, reject or ignore, got {show(answer)}")
        item = self._item(record)
        view = _view_of(record)
        if view in BINARY:
            self._binary(record, view, item, coder, time)
            return
        if view in _LEFT_OUT:
            self._contents.leave_out(_LEFT_OUT[view])
            return
        parts = _parts_of(record, view)
        if not parts:
            self._contents.leave_out(f"judgments in the view {show(view)}")
            return
        if view == "blocks" and record.get("spans") and record.get("tokens") is None:
            self._contents.note(
                "blocks without tokens have spans: they are read as marks of the coder"
            )
        for question, kind in parts:
            if answer != "accept" and not (kind == "choice" and self._options.count_skips):
                self._contents.leave_out(_STATES[answer], question=question)
            if kind == "choice":
                self._choice(record, question, item, coder, time)
            elif answer == "accept":
                self._mark(record, question, kind, item, coder, time)

    def _item(self, record: dict[str, Any]) -> str:
        how = self._options.item_from
        if how in (None, "id"):
            return str(a_name(record, "_input_hash"))
        if how not in record:
            raise Wrong(f"--item-from {show(str(how))} is not one of its keys")
        return str(a_name(record, str(how)))

    def _binary(
        self, record: dict[str, Any], view: str, item: str, coder: str, time: float
    ) -> None:
        label = record.get("label")
        question = f"{view}: {label}" if label.__class__ is str and label else view
        if record.get("spans") and self._options.item_from in (None, "id"):
            # The item is the text with its marks.
            item = str(a_name(record, "_task_hash"))
        answer: str | None = record["answer"]
        if answer == "ignore":
            answer = SKIPPED if self._options.count_skips else None
            if answer is None:
                self._contents.leave_out(_STATES["ignore"], question=question)
        self._into.answer(question, "binary", item, coder, answer, time)

    def _choice(
        self, record: dict[str, Any], question: str, item: str, coder: str, time: float
    ) -> None:
        label = None
        if record["answer"] == "accept":
            accepted = [] if record.get("accept") is None else value_of(record, "accept", list)
            for entry in accepted:
                if entry.__class__ not in (str, int):
                    raise Wrong("'accept' must be a list of texts or integers")
            label = frozenset(accepted)
        elif self._options.count_skips:
            label = frozenset([SKIPPED])
        self._into.answer(question, "choice", item, coder, label, time)

    def _mark(
        self, record: dict[str, Any], layer: str, kind: str, item: str, coder: str, time: float
    ) -> None:
        if kind == "seconds":
            self._contents.unit = "seconds"
        some = record.get("audio_spans" if kind == "seconds" else "spans")
        if some is not None and some.__class__ is not list:
            raise Wrong("'spans' must be a list")
        spans = []
        whole = True
        for number, span in enumerate(some or (), 1):
            if span.__class__ is not dict:
                raise Wrong("'spans' must be a list of objects")
            label = span.get("label")
            if label is None or label == "":
                self._contents.leave_out("spans without a label", question=layer)
                whole = False
                continue
            try:
                spans.append((*_place(record, span), value_of(span, "label", str)))
            except Wrong as wrong:
                raise Wrong(f"span {number}: {wrong}") from None
        relations = record.get("relations")
        if relations.__class__ is list and relations:
            self._contents.leave_out("relations", len(relations), layer)
        text = record.get("text")
        if kind == "characters" and text.__class__ is str:
            self._contents.measure(item, str(text), self._options.keep_texts)
        self._into.finish(layer, "spans", item, coder, spans, time, whole=whole)


def _view_of(record: dict[str, Any]) -> str:
    """Return the view; records of older versions do not name it."""
    if record.get("_view_id") is not None:
        return value_of(record, "_view_id", str)
    if _is_choice(record):
        return "choice"
    if record.get("audio_spans") is not None:
        return "audio_manual"
    if record.get("tokens") is not None:
        return "ner_manual"
    return "ner" if record.get("spans") else "classification"


def _parts_of(record: dict[str, Any], view: str) -> list[tuple[str, str]]:
    """Return the questions of a view that is not binary, and their kinds."""
    kinds = {"choice": "choice"} | dict.fromkeys(MANUAL, "characters")
    kinds |= dict.fromkeys(TIMED, "seconds")
    if view != "blocks":
        return [(view, kinds[view])] if view in kinds else []
    parts = [("blocks: choice", "choice")] if _is_choice(record) else []
    if record.get("tokens") is not None or record.get("spans") is not None:
        parts.append(("blocks: spans", "characters"))
    if record.get("audio_spans") is not None:
        parts.append(("blocks: audio", "seconds"))
    return parts


def _is_choice(record: dict[str, Any]) -> bool:
    return record.get("options") is not None or record.get("accept").__class__ is list


def _place(record: dict[str, Any], span: dict[str, Any]) -> tuple[float, float]:
    """Return the start and end of a span, or of its tokens including the last."""
    if span.get("start") is not None or span.get("token_start") is None:
        start, end = a_number(span, "start"), a_number(span, "end")
    else:
        start = a_number(_token(record, span, "token_start"), "start")
        end = a_number(_token(record, span, "token_end"), "end")
    if end < start:
        raise Wrong(f"it must not end before it starts, got {start} to {end}")
    return start, end


def _token(record: dict[str, Any], span: dict[str, Any], key: str) -> dict[str, Any]:
    tokens, number = value_of(record, "tokens", list), a_number(span, key)
    if number.__class__ is not int or not 0 <= number < len(tokens):
        raise Wrong(f"{show(key)} must be one of {len(tokens):,} tokens, got {number}")
    token = tokens[number]
    if token.__class__ is not dict:
        raise Wrong("'tokens' must be a list of objects")
    return token


#: Keys of a reviewer's decision, which the versions of a record do not inherit.
_DECIDED = ("accept", "spans", "audio_spans", "relations", "answer", "versions", "_view_id")


class Prodigy(Tool):
    """Reads exports of Prodigy; a question is a view, or the label that a binary view shows."""

    name = "prodigy"
    title = "Prodigy"
    options = ("coder_from", "item_from", "with_curation", "count_skips")
    columns = True

    def holds(self, look: Look) -> bool:
        """Whether a file holds records with Prodigy's hashes."""
        others = {"_task_hash", "_view_id", "_session_id", "answer"}
        return "_input_hash" in look.keys and not others.isdisjoint(look.keys)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read all files; each is a data set or a part of one."""
        into = InTime(out)
        views = Views(out, options, into)
        for member in bundle.members:
            self._read(member, views, out, options)
        into.close(names_of(into.coders(), out) if options.coder_from is None else {})

    def _read(self, member: Member, views: Views, out: Contents, options: Options) -> None:
        how = options.coder_from
        coder = None if how is None else part_of_path(member, how, "--coder-from")
        with Place(member.shown) as place:
            for place.number, record in enumerate(json_values(member, options.encoding), 1):
                expect(record, "a judgment", dict)
                # A reviewer's decision may have the name of the reviewed view.
                if record.get("_view_id") == "review" or record.get("versions").__class__ is list:
                    _review(record, views, out, options)
                else:
                    time = moment(record.get("_timestamp"))
                    views.take(record, coder or session_of(record), time)


def _review(record: dict[str, Any], views: Views, out: Contents, options: Options) -> None:
    """Add the judgments that a reviewer saw; each version may be from several sessions."""
    out.note(
        "this is the output of review: its sessions are the coders, and it does not contain what"
        " they ignored"
    )
    shared = {key: value for key, value in record.items() if key not in _DECIDED}
    view = record.get("view_id")
    for version in value_of(record, "versions", list):
        if version.__class__ is not dict:
            raise Wrong("'versions' must be a list of objects")
        entry = {**shared, "answer": "accept", "_view_id": view, **version}
        if version.get("_view_id") in (None, "review"):
            entry["_view_id"] = version.get("view_id") or view
        for session in value_of(version, "sessions", list):
            if session.__class__ is not str or not session:
                raise Wrong("'sessions' must be a list of texts")
            views.take(entry, session, moment(version.get("_timestamp")))
    if options.with_curation:
        views.take({**record, "_view_id": view}, REVIEWER, moment(record.get("_timestamp")))
    else:
        out.leave_out("answers of a reviewer")
