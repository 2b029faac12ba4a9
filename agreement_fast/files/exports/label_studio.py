"""Label Studio: JSON, JSON-MIN, CSV and TSV; tasks one by one, rows by their columns."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.label_studio_content import (
    UNKNOWN_KIND,
    Coders,
    Collected,
    Items,
    Sheet,
    kind_of,
    left_out_as,
)
from agreement_fast.files.exports.streams import Look, Varying, csv_rows, json_values, look_at
from agreement_fast.files.exports.tool import (
    Options,
    Place,
    Tool,
    Within,
    Wrong,
    a_flag,
    a_number,
    expect,
    moment,
    part_of_path,
    value_of,
)

_REVIEWED = {
    "rejected": "annotations were rejected by a reviewer: they are kept",
    "fixed_and_accepted": (
        "annotations were changed by a reviewer: the coder's own answers are not in the export"
    ),
}


class _Reader:
    """Reads annotations into what was collected."""

    def __init__(self, out: Contents, options: Options, *, several: bool) -> None:
        self._contents = out
        self._options = options
        self._into = Collected(out, options)
        self._items = Items(out, options, self._into, several=several)
        self._coders = Coders()
        self._reviewed = dict.fromkeys(_REVIEWED, 0)

    def read(self, member: Member) -> None:
        """Read a file."""
        how, look = self._options.coder_from, look_at(member)
        coder = None if how is None else part_of_path(member, how, "--coder-from")
        if _holds_rows(look) or look.text[:1] not in ("[", "{"):
            # The file is read twice: it does not mark which keys are controls.
            columns = Columns()
            self._each(member, columns.look)
            controls = columns.controls(self._contents)
            if self._options.item_from in controls:
                controls.remove(str(self._options.item_from))
            self._each(member, lambda record: self._record(record, controls, coder))
            return
        for number, task in enumerate(json_values(member, self._options.encoding), 1):
            try:
                if task.__class__ is not dict:
                    raise Wrong("a task must be an object with the keys data and annotations")
                self._task(task, coder)
            except Wrong as wrong:
                name = task.get("id", number) if isinstance(task, dict) else number
                shown = name if name.__class__ is int else show(str(name))
                raise ReadError(f"{member.shown}, task {shown}: {wrong}") from None

    def close(self) -> None:
        """Add what is known at the end, and notes on the work of reviewers."""
        self._items.close()
        self._coders.tell(self._contents)
        for action, count in self._reviewed.items():
            if count:
                self._contents.note(f"{count:,} {_REVIEWED[action]}")
        self._into.close()

    # -- tasks and their annotations

    def _task(self, task: dict[str, Any], coder: str | None) -> None:
        if "result" in task and task.get("task").__class__ is dict:
            # A storage target has one file per annotation, which contains the task.
            task = {**task["task"], "annotations": [task]}
        key = "annotations" if "annotations" in task or "completions" not in task else "completions"
        annotations = value_of(task, key, list)
        data = value_of(task, "data", dict)
        item = self._items.name(task, data)
        for number, annotation in enumerate(annotations, 1):
            with Within(f"annotation {number}"):
                self._annotation(item, data, annotation, coder)
        for what in ("drafts", "predictions"):
            some = value_of(task, what, list) if task.get(what) else []
            if what == "drafts" or not self._options.with_predictions:
                self._contents.leave_out(what, len(some))
                continue
            for number, prediction in enumerate(some, 1):
                if prediction.__class__ is not dict:
                    self._contents.leave_out("predictions that the export only counts")
                    continue
                version = prediction.get("model_version")
                name = f"prediction: {version}" if version else "prediction"
                with Within(f"prediction {number}"):
                    self._submit(item, data, name, prediction, is_prediction=True)
        self._items.measure(item, data)

    def _annotation(
        self, item: str, data: dict[str, Any], annotation: Any, coder: str | None
    ) -> None:
        if annotation.__class__ is not dict:
            raise Wrong("an annotation must be an object: export the annotations, not their ids")
        if not self._items.is_new(item, annotation):
            return
        if coder is None:
            coder = self._coders.of(annotation)
        else:
            self._coders.pool(coder, annotation)
        if a_flag(annotation, "was_cancelled") or a_flag(annotation, "skipped"):
            self._contents.leave_out("cancelled annotations")
            self._into.skip(item, coder, moment(annotation.get("created_at")))
            return
        if a_flag(annotation, "ground_truth"):
            if not self._options.with_curation:
                self._contents.leave_out("ground truth annotations")
                return
            coder = "ground truth"
        action = annotation.get("last_action")
        if action.__class__ is str and action in self._reviewed:
            self._reviewed[action] += 1
        self._submit(item, data, coder, annotation)

    def _submit(
        self,
        item: str,
        data: dict[str, Any],
        coder: str,
        value: dict[str, Any],
        *,
        is_prediction: bool = False,
    ) -> None:
        sheet = self._into.new_sheet()
        results = value.get("result")
        if results is not None or "result" not in value:
            results = value_of(value, "result", list)
            # The regions, for answers about them.
            regions = {
                result["id"]: result["value"]
                for result in results
                if isinstance(result, dict) and str(result.get("type")).endswith("labels")
                if result.get("id").__class__ is str and result.get("value").__class__ is dict
            }
            for result in results:
                self._result(sheet, data, result, regions)
        # A model may not have been asked the questions that it does not answer.
        partly = is_prediction and bool(results)
        self._into.submit(item, coder, moment(value.get("created_at")), sheet, partly=partly)

    def _result(
        self, sheet: Sheet, data: dict[str, Any], result: Any, regions: dict[str, dict[str, Any]]
    ) -> None:
        if result.__class__ is not dict:
            raise Wrong("a result must be an object")
        kind = value_of(result, "type", str)
        left_out = left_out_as(kind)
        if left_out is not None:
            self._contents.leave_out(left_out)
            return
        to_name = result.get("to_name")
        to_name = to_name if to_name.__class__ is str else ""
        place = partial(self._items.texts.place, to_name, data)
        if "original_length" in result and result["original_length"] is not None:
            sheet.length = a_number(result, "original_length")
            sheet.unit = "seconds"
        number = result.get("id")
        sheet.take(
            value_of(result, "from_name", str),
            kind,
            value_of(result, "value", dict),
            to_name=to_name,
            region=regions.get(number) if number.__class__ is str else None,
            place=None if sheet.unit == "seconds" else place,
        )

    # -- records with one annotation each

    def _each(self, member: Member, use: Callable[[dict[str, Any]], None]) -> None:
        with Place(member.shown) as place:
            for place.number, record in enumerate(self._records(member), 1):
                use(expect(record, "an annotation", dict))

    def _records(self, member: Member) -> Iterator[Any]:
        if look_at(member).text[:1] in ("[", "{"):
            yield from json_values(member, self._options.encoding)
            return
        for row in csv_rows(member, ("id", "annotation_id"), self._options.encoding):
            yield {name: _cell(cell) for name, cell in row.items() if cell != ""}

    def _record(self, record: dict[str, Any], controls: list[str], coder: str | None) -> None:
        if record.get("annotation_id") is None:
            self._contents.leave_out("tasks without annotations")
            return
        data = {
            name: value
            for name, value in record.items()
            if name not in RESERVED and name not in controls
        }
        item = self._items.name(record, data)
        annotation = {"id": record["annotation_id"], "created_at": record.get("created_at")}
        if not self._items.is_new(item, annotation):
            return
        coder = coder or self._coders.of(record, "annotator")
        sheet = self._into.new_sheet()
        place = partial(self._items.texts.place, "", data)
        for name in controls:
            value = record.get(name)
            values = value if isinstance(value, list) else [] if value is None else [value]
            for entry in values:
                if entry.__class__ is str:
                    sheet.take(name, "choices", {"choices": [entry]})
                elif entry.__class__ is dict:
                    sheet.take(name, kind_of(entry), entry, place=place)
                elif entry.__class__ in (int, float):
                    sheet.take(name, "number", {"number": entry})
                else:
                    raise Wrong(
                        f"{show(name)} holds an answer that is neither a text nor an object"
                    )
        self._into.submit(item, coder, moment(record.get("created_at")), sheet)
        self._items.measure(item, data)


#: Keys that are neither controls nor data.
RESERVED = frozenset(
    ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement",
     "history"]
)  # fmt: skip


@dataclass
class _Column:
    """The observed values of a key."""

    answers: bool = False  # objects as controls write them
    texts: bool = True  # nothing but bare texts
    numbers: bool = True  # nothing but bare numbers
    several: bool = False  # lists of bare texts
    behind_id: bool = True  # between the id of the task and the annotator, in each record


class Columns:
    """Looks at all records to distinguish controls from data.

    The answers of coders to a task may differ, but the data of a task may not. A control with one
    choice is a plain text, like a field of the data. In JSON-MIN it follows the id of the task; in
    CSV all columns are sorted.
    """

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {}
        self._varying = Varying(gaps=True)
        self._ordered = True

    def look(self, record: dict[str, Any]) -> None:
        """Look at a record."""
        if record.get("annotation_id") is None:
            return
        names = list(record)
        begin, end = (names.index(k) if k in names else -1 for k in ("id", "annotator"))
        self._ordered = self._ordered and 0 < begin < end
        fields = {name: value for name, value in record.items() if name not in RESERVED}
        self._varying.look(repr(record.get("id")), fields)
        for place, name in enumerate(names):
            if name in RESERVED:
                continue
            value = record[name]
            column = self._columns.setdefault(name, _Column())
            column.behind_id &= begin < place < end
            column.numbers &= value.__class__ in (int, float)
            column.texts &= value.__class__ is str
            if value.__class__ is dict:
                # Controls of all other kinds also write a list for one object.
                column.answers |= kind_of(value) in ("choices", "textarea")
            elif value.__class__ is list and value:
                objects = [element for element in value if element.__class__ is dict]
                known = len(objects) == len(value) and UNKNOWN_KIND not in map(kind_of, objects)
                column.answers |= known
                column.several |= any(element.__class__ is str for element in value)

    def controls(self, out: Contents) -> list[str]:
        """Return the names of the controls, and add notes on what is left out."""
        usable = {n: c for n, c in self._columns.items() if c.answers or c.texts or c.numbers}
        for name, column in self._columns.items():
            if name not in usable and not column.several and self._asks(name):
                out.note(f"{show(name)} is left out: its values were not written by a control")
            # A list of texts may also be data if it does not vary.
            if column.several and self._asks(name):
                out.note(
                    f"{show(name)} holds answers about regions, and this format does not say which"
                    " regions: export as JSON"
                )
                usable.pop(name, None)
        for name in list(usable):
            # A field of the data with the name of a control gets this name.
            if name.startswith("_data_") and name.removeprefix("_data_") in self._columns:
                del usable[name]
        if self._ordered:
            return [name for name in usable if self._asks(name)]
        varying = self._varying.names
        sure = [name for name, column in usable.items() if column.answers or name in varying]
        if not sure:
            # All coders agree, or each task has one coder: any of the keys may be a control.
            return list(usable)
        data = [show(name) for name in usable if name not in sure]
        if data:
            out.note(
                f"{', '.join(data)} {'are' if len(data) > 1 else 'is'} the same in all"
                " annotations of a task, and read as data: if it is a question, export as JSON"
            )
        return sure

    def _asks(self, name: str) -> bool:
        """Whether a column is certainly not a field of the data."""
        behind_id = self._ordered and self._columns[name].behind_id
        return name in self._varying.names or behind_id


def _cell(cell: str) -> Any:
    """Read a cell: JSON of an object or a list, or a text."""
    with suppress(ValueError, RecursionError):
        if cell[0] in "[{":
            return json.loads(cell)
    return cell


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

    def holds(self, look: Look) -> bool:
        """Whether a file has tasks with annotations, or records with one annotation each."""
        record = look.record
        if record.get("result").__class__ is list and record.get("task").__class__ is dict:
            record = {**record["task"], "annotations": []}
        some = record.get("annotations", record.get("completions"))
        has_tasks = some.__class__ is list and record.get("data").__class__ is dict
        return has_tasks or _holds_rows(look)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read all files; each is a project or a part of one."""
        reader = _Reader(out, options, several=len(bundle.members) > 1)
        for member in bundle.members:
            reader.read(member)
        reader.close()


def _holds_rows(look: Look) -> bool:
    names = look.keys or set(look.columns)
    return {"id", "annotation_id"} <= names and bool({"annotator", "lead_time"} & names)
