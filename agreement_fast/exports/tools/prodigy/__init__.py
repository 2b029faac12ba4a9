"""Prodigy: JSON lines, one judgment per line."""

from __future__ import annotations

from typing import Any

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.look import Look, every
from agreement_fast.exports.records import Place, Wrong, a_list, expect, moment
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.prodigy.sessions import REVIEWER, names_of, session_of
from agreement_fast.exports.tools.prodigy.views import Views
from agreement_fast.exports.tools.shared.in_time import InTime

__all__ = ["Prodigy"]

#: Keys of a reviewer's decision, which the versions of a record do not inherit.
_DECIDED = ("accept", "spans", "audio_spans", "relations", "answer", "versions", "_view_id")


class Prodigy(Tool):
    """Reads exports of Prodigy; a question is a view, or the label that a binary view shows."""

    name = "prodigy"
    title = "Prodigy"
    options = ("coder_from", "item_from", "with_curation", "count_skips")
    columns = True

    def recognise(self, bundle: Bundle) -> bool:
        """Whether all files hold records with Prodigy's hashes."""
        return every(bundle, _is_prodigy)

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read all files; each is a data set or a part of one."""
        into = InTime(found)
        views = Views(found, options, into)
        for member in bundle.members:
            self._read(member, views, found, options)
        into.close(names_of(into.coders(), found) if options.coder_from is None else None)

    def _read(self, member: Member, views: Views, found: Found, options: Options) -> None:
        how = options.coder_from
        coder = None if how is None else part_of_path(member, how, "--coder-from")
        with Place(member.shown) as place:
            for place.number, record in enumerate(json_values(member, options.encoding), 1):
                expect(record, "a judgment", dict)
                # A reviewer's decision may have the name of the reviewed view.
                if record.get("_view_id") == "review" or record.get("versions").__class__ is list:
                    _review(record, views, found, options)
                else:
                    time = moment(record.get("_timestamp"))
                    views.take(record, coder or session_of(record), time)


def _is_prodigy(look: Look) -> bool:
    return "_input_hash" in look.keys and bool(
        {"_task_hash", "_view_id", "_session_id", "answer"} & look.keys
    )


def _review(record: dict[str, Any], views: Views, found: Found, options: Options) -> None:
    """Add the judgments that a reviewer saw; each version may be from several sessions."""
    found.note(
        "this is the output of review: its sessions are the coders, and it does not contain what"
        " they ignored"
    )
    shared = {key: value for key, value in record.items() if key not in _DECIDED}
    view = record.get("view_id")
    for version in a_list(record, "versions"):
        if version.__class__ is not dict:
            raise Wrong("'versions' must be a list of objects")
        one = {**shared, "answer": "accept", "_view_id": view, **version}
        if version.get("_view_id") in (None, "review"):
            one["_view_id"] = version.get("view_id") or view
        for session in a_list(version, "sessions"):
            if session.__class__ is not str or not session:
                raise Wrong("'sessions' must be a list of texts")
            views.take(one, session, moment(version.get("_timestamp")))
    if options.with_curation:
        views.take({**record, "_view_id": view}, REVIEWER, moment(record.get("_timestamp")))
    else:
        found.leave_out("answers of a reviewer")
