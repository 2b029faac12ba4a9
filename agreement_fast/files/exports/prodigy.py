"""Prodigy: JSON lines, one judgment per line."""

import re
from typing import Any

from agreement_fast.files.errors import show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.streams import Look, Wrong
from agreement_fast.files.exports.tool import SKIPPED, Contents, Options, Tool
from agreement_fast.files.file import common_start

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
#: Other views: the kind of their answers, or the unit of marks on texts and recordings.
_KINDS = {
    "choice": "choice",
    **dict.fromkeys(("ner_manual", "spans_manual", "pos_manual", "relations"), "characters"),
    **dict.fromkeys(("audio_manual", "video_manual"), "seconds"),
}

#: Views that are not read.
_LEFT_OUT = {"image_manual": "drawings on images", "text_input": "text inputs"}

_STATES = {"ignore": "ignored answers", "reject": "rejected answers"}


class Views:
    """Collects judgments, by view."""

    def __init__(self, out: Contents) -> None:
        self._contents = out

    def take(self, record: dict[str, Any], coder: str, time: float) -> None:
        """Add a judgment of a coder."""
        out, options = self._contents, self._contents.options
        count_skips = options.count_skips
        answer = typed.value(record, "answer", str)
        if answer not in ("accept", "reject", "ignore"):
            raise Wrong(f"'answer' must be accept, reject or ignore, got {show(answer)}")
        how = options.item_from or "id"
        if how != "id" and how not in record:
            raise Wrong(f"--item-from {show(how)} is not one of its keys")
        item = str(typed.name(record, "_input_hash" if how == "id" else how))
        view = _view_of(record)
        texts = {name: record.get(name) for name in ("text", "html")}
        if view in BINARY:
            label = record.get("label")
            question = f"{view}: {label}" if label.__class__ is str and label else view
            if record.get("spans") and how == "id":
                # The item is the text with its marks.
                item = str(typed.name(record, "_task_hash"))
            out.describe(item, texts)
            if answer == "ignore" and not count_skips:
                out.leave_out(_STATES["ignore"], question=question)
            skipped = SKIPPED if count_skips else None
            state = skipped if answer == "ignore" else answer
            out.answers_to(question, "binary").add(item, coder, state, time)
            return
        if view in _LEFT_OUT:
            out.leave_out(_LEFT_OUT[view])
            return
        out.describe(item, texts)
        parts = _parts_of(record, view)
        if not parts:
            out.leave_out(f"judgments in the view {show(view)}")
        if view == "blocks" and record.get("spans") and record.get("tokens") is None:
            out.note("blocks without tokens have spans: they are read as marks of the coder")
        for question, kind in parts:
            if answer != "accept" and not (kind == "choice" and count_skips):
                out.leave_out(_STATES[answer], question=question)
            if kind == "choice":
                accepted: list[Any] = []
                if answer != "accept":
                    accepted = [SKIPPED]
                elif record.get("accept") is not None:
                    accepted = typed.value(record, "accept", list)
                if any(entry.__class__ not in (str, int) for entry in accepted):
                    raise Wrong("'accept' must be a list of texts or integers")
                chosen = frozenset(accepted) if answer == "accept" or count_skips else None
                out.answers_to(question, "choice").add(item, coder, chosen, time)
            elif answer == "accept":
                self._mark(record, question, kind, item, coder, time)

    def _mark(
        self, record: dict[str, Any], layer: str, kind: str, item: str, coder: str, time: float
    ) -> None:
        if kind == "seconds":
            self._contents.unit = "seconds"
        some = record.get("audio_spans" if kind == "seconds" else "spans")
        if some is not None and some.__class__ is not list:
            raise Wrong("'spans' must be a list")
        spans = []
        for number, span in enumerate(some or (), 1):
            if span.__class__ is not dict:
                raise Wrong("'spans' must be a list of objects")
            if span.get("label") in (None, ""):
                self._contents.leave_out("spans without a label", question=layer)
                continue
            with typed.Within(f"span {number}"):
                place = span
                if span.get("start") is None and span.get("token_start") is not None:
                    first, last = (_token(record, span, f"token_{end}") for end in ("start", "end"))
                    place = {"start": first.get("start"), "end": last.get("end")}
                start, end = typed.span(place, "start", "end", typed.number)
                spans.append((start, end, typed.value(span, "label", str)))
        relations = record.get("relations")
        if relations.__class__ is list and relations:
            self._contents.leave_out("relations", len(relations), layer)
        text = record.get("text")
        if kind == "characters" and text.__class__ is str:
            self._contents.measure(item, str(text))
        self._contents.finish(layer, item, coder, spans, time, whole=len(spans) == len(some or ()))


def _view_of(record: dict[str, Any]) -> str:
    """Return the view; records of older versions do not name it."""
    if record.get("_view_id") is not None:
        return typed.value(record, "_view_id", str)
    if _is_choice(record):
        return "choice"
    for key, view in (("audio_spans", "audio_manual"), ("tokens", "ner_manual")):
        if record.get(key) is not None:
            return view
    return "ner" if record.get("spans") else "classification"


def _parts_of(record: dict[str, Any], view: str) -> list[tuple[str, str]]:
    """Return the questions of a view that is not binary, and their kinds."""
    if view != "blocks":
        return [(view, _KINDS[view])] if view in _KINDS else []
    parts = [("blocks: choice", "choice")] if _is_choice(record) else []
    if record.get("tokens") is not None or record.get("spans") is not None:
        parts.append(("blocks: spans", "characters"))
    if record.get("audio_spans") is not None:
        parts.append(("blocks: audio", "seconds"))
    return parts


def _is_choice(record: dict[str, Any]) -> bool:
    return record.get("options") is not None or record.get("accept").__class__ is list


def _token(record: dict[str, Any], span: dict[str, Any], key: str) -> dict[str, Any]:
    tokens, number = typed.value(record, "tokens", list), typed.number(span, key)
    if number.__class__ is not int or not 0 <= number < len(tokens):
        raise Wrong(f"{show(key)} must be one of {len(tokens):,} tokens, got {number}")
    token: dict[str, Any] = typed.expect(tokens[int(number)], "a token", dict)
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
        how, views = options.coder_from, Views(out)
        for member in bundle.members:
            coder = None if how is None else member.part(how, "--coder-from")
            for record in out.records(member, "a judgment"):
                # A reviewer's decision may have the name of the reviewed view.
                has_versions = record.get("versions").__class__ is list
                if record.get("_view_id") == "review" or has_versions:
                    _review(record, views, out)
                else:
                    time = typed.moment(record.get("_timestamp"))
                    views.take(record, coder or session_of(record), time)
        out.in_time(names_of(out.coders, out) if how is None else {})


def _review(record: dict[str, Any], views: Views, out: Contents) -> None:
    """Add the judgments that a reviewer saw; each version may be from several sessions."""
    out.note(
        "this is the output of review: its sessions are the coders, and it does not contain what"
        " they ignored"
    )
    shared = {key: value for key, value in record.items() if key not in _DECIDED}
    view = record.get("view_id")
    for version in typed.value(record, "versions", list):
        if version.__class__ is not dict:
            raise Wrong("'versions' must be a list of objects")
        entry = {**shared, "answer": "accept", "_view_id": view, **version}
        if version.get("_view_id") in (None, "review"):
            entry["_view_id"] = version.get("view_id") or view
        for session in typed.value(version, "sessions", list):
            if session.__class__ is not str or not session:
                raise Wrong("'sessions' must be a list of texts")
            views.take(entry, session, typed.moment(version.get("_timestamp")))
    if out.options.with_curation:
        views.take({**record, "_view_id": view}, REVIEWER, typed.moment(record.get("_timestamp")))
    else:
        out.leave_out("answers of a reviewer")
