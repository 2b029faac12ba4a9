"""Batch results of Amazon Mechanical Turk, one assignment per row."""

from __future__ import annotations

from agreement_fast.exports.bundle import Bundle
from agreement_fast.exports.csv_stream import Declared
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import Look, every, look_at
from agreement_fast.exports.tool import Options, Tool
from agreement_fast.exports.tools.mturk.answers import Entities, Reader
from agreement_fast.exports.tools.mturk.items import HIT, Items

__all__ = ["MTurk"]

_WORKER, _STATUS = "WorkerId", "AssignmentStatus"


def _out(row: dict[str, str], where: str) -> str:
    if row.get(_STATUS, "").strip().lower() == "rejected":
        return "rejected assignments"
    return "" if row[_WORKER] else "HITs without an assignment"


_TABLE = Declared((HIT, _WORKER), out=_out)


def _is_batch(look: Look) -> bool:
    return look.has(HIT, _WORKER) and any(
        name.startswith(("Answer.", "Input.")) for name in look.columns
    )


class MTurk(Tool):
    """Reads batch results; answers are questions, and HITs are items."""

    name = "mturk"
    title = "Amazon Mechanical Turk (batch results)"
    options = ("item_from",)
    columns = True

    def recognise(self, bundle: Bundle) -> bool:
        """Whether the tables have HITs, workers, and inputs or answers."""
        return every(bundle, _is_batch)

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Look at all rows to identify the columns, and then read them."""
        answers = Reader()
        items = Items(options.item_from, [look_at(member).columns for member in bundle.members])
        for where, row in _TABLE.rows(bundle.members, options):
            answers.look_at(row, where)
            items.look_at(row)
        items.decide(answers.decide(), found, bundle.shown)
        for where, row in _TABLE.rows(bundle.members, options, found):
            for name, label in answers.answers(row, where, found):
                question, item = items.item(row, name)
                if not item:
                    found.leave_out("answers without an item")
                elif isinstance(label, Entities):
                    spans = found.spans_of(question, "entities")
                    spans.see(item, row[_WORKER])
                    for begin, end, category in label.marked:
                        spans.mark(item, row[_WORKER], [(begin, end)], category)
                else:
                    found.answers_to(question, "answers").add(item, row[_WORKER], label)
        answers.tell(found)
