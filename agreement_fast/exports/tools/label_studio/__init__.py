"""Label Studio: JSON, JSON-MIN, CSV and TSV."""

from __future__ import annotations

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import Look, every, look_at
from agreement_fast.exports.tool import Options, Tool
from agreement_fast.exports.tools.label_studio.coders import Coders
from agreement_fast.exports.tools.label_studio.collected import Collected
from agreement_fast.exports.tools.label_studio.items import Items
from agreement_fast.exports.tools.label_studio.rows import Rows
from agreement_fast.exports.tools.label_studio.tasks import Tasks

__all__ = ["LabelStudio"]


class LabelStudio(Tool):
    """Reads exports of Label Studio; a question is the name of a control."""

    name = "label-studio"
    title = "Label Studio"
    options = (
        "coder_from",
        "item_from",
        "with_predictions",
        "with_curation",
        "count_skips",
        "count_empty",
    )
    columns = True

    def recognise(self, bundle: Bundle) -> bool:
        """Whether all files have tasks with annotations, or records with one annotation each."""
        return every(bundle, lambda look: _holds_tasks(look) or _holds_rows(look))

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read all files; each is a project or a part of one."""
        into = Collected(found, options)
        several = len(bundle.members) > 1
        items = Items(found, options, into, several=several)
        coders = Coders()
        tasks = Tasks(found, options, into, items, coders)
        rows = Rows(found, options, into, items, coders)
        for member in bundle.members:
            reader: Tasks | Rows = rows if self._is_rows(member) else tasks
            reader.read(member)
        items.close()
        coders.tell(found)
        tasks.close()
        into.close()

    @staticmethod
    def _is_rows(member: Member) -> bool:
        look = look_at(member)
        return _holds_rows(look) or look.text[:1] not in ("[", "{")


def _holds_tasks(look: Look) -> bool:
    record = look.record
    if record.get("result").__class__ is list and record.get("task").__class__ is dict:
        record = {**record["task"], "annotations": []}
    some = record.get("annotations", record.get("completions"))
    return some.__class__ is list and record.get("data").__class__ is dict


def _holds_rows(look: Look) -> bool:
    names = look.keys or set(look.columns)
    return {"id", "annotation_id"} <= names and bool({"annotator", "lead_time"} & names)
