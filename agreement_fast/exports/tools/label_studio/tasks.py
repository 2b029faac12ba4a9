"""The JSON export: a list of tasks with their annotations."""

from __future__ import annotations

from typing import Any

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.records import (
    Wrong,
    a_flag,
    a_list,
    a_number,
    a_text,
    an_object,
    moment,
)
from agreement_fast.exports.tool import Options, part_of_path
from agreement_fast.exports.tools.label_studio.coders import Coders
from agreement_fast.exports.tools.label_studio.collected import Collected
from agreement_fast.exports.tools.label_studio.items import Items
from agreement_fast.exports.tools.label_studio.sheet import SPANS, Sheet, left_out_as
from agreement_fast.files.errors import ReadError, show

__all__ = ["Tasks"]

_REVIEWED = {
    "rejected": "annotations were rejected by a reviewer: they are kept",
    "fixed_and_accepted": (
        "annotations were changed by a reviewer: the coder's own answers are not in the export"
    ),
}


class Tasks:
    """Reads tasks and their annotations."""

    def __init__(
        self, found: Found, options: Options, into: Collected, items: Items, coders: Coders
    ) -> None:
        self._found = found
        self._options = options
        self._into = into
        self._items = items
        self._coders = coders
        self._reviewed = dict.fromkeys(_REVIEWED, 0)

    def read(self, member: Member) -> None:
        """Read a file."""
        how = self._options.coder_from
        coder = None if how is None else part_of_path(member, how, "--coder-from")
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
        """Add notes on the work of reviewers."""
        for action, count in self._reviewed.items():
            if count:
                self._found.note(f"{count:,} {_REVIEWED[action]}")

    def _task(self, task: dict[str, Any], coder: str | None) -> None:
        if "result" in task and task.get("task").__class__ is dict:
            # A storage target has one file per annotation, which contains the task.
            task = {**task["task"], "annotations": [task]}
        key = "annotations" if "annotations" in task or "completions" not in task else "completions"
        annotations = a_list(task, key)
        data = an_object(task, "data")
        item = self._items.name(task, data)
        for number, annotation in enumerate(annotations, 1):
            try:
                self._annotation(item, data, annotation, coder)
            except Wrong as wrong:
                raise Wrong(f"annotation {number}: {wrong}") from None
        for what in ("drafts", "predictions"):
            some = task.get(what)
            if some:
                self._others(item, data, what, a_list(task, what))
        self._items.measure(item, data)

    def _others(self, item: str, data: dict[str, Any], what: str, some: list[Any]) -> None:
        if what == "drafts" or not self._options.with_predictions:
            self._found.leave_out(what, len(some))
            return
        for number, prediction in enumerate(some, 1):
            if prediction.__class__ is not dict:
                self._found.leave_out("predictions that the export only counts")
                continue
            version = prediction.get("model_version")
            name = f"prediction: {version}" if version else "prediction"
            try:
                self._submit(item, data, name, prediction, is_prediction=True)
            except Wrong as wrong:
                raise Wrong(f"prediction {number}: {wrong}") from None

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
            self._found.leave_out("cancelled annotations")
            self._into.skip(item, coder, moment(annotation.get("created_at")))
            return
        if a_flag(annotation, "ground_truth"):
            if not self._options.with_curation:
                self._found.leave_out("ground truth annotations")
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
        one: dict[str, Any],
        *,
        is_prediction: bool = False,
    ) -> None:
        sheet = self._into.new_sheet()
        results = one.get("result")
        if results is not None or "result" not in one:
            results = a_list(one, "result")
            regions = _regions(results)
            for result in results:
                self._result(sheet, data, result, regions)
        # A model may not have been asked the questions that it does not answer.
        partly = is_prediction and bool(results)
        self._into.submit(item, coder, moment(one.get("created_at")), sheet, partly=partly)

    def _result(
        self, sheet: Sheet, data: dict[str, Any], result: Any, regions: dict[str, dict[str, Any]]
    ) -> None:
        if result.__class__ is not dict:
            raise Wrong("a result must be an object")
        kind = a_text(result, "type")
        left_out = left_out_as(kind)
        if left_out is not None:
            self._found.leave_out(left_out)
            return
        to_name = result.get("to_name")
        to_name = to_name if to_name.__class__ is str else ""

        def place(start: float, end: float, quoted: Any) -> tuple[float, float]:
            return self._items.texts.place(to_name, data, start, end, quoted)

        if "original_length" in result and result["original_length"] is not None:
            sheet.length = a_number(result, "original_length")
            sheet.unit = "seconds"
        number = result.get("id")
        sheet.take(
            a_text(result, "from_name"),
            kind,
            an_object(result, "value"),
            to_name=to_name,
            region=regions.get(number) if number.__class__ is str else None,
            place=None if sheet.unit == "seconds" else place,
        )


def _regions(results: list[Any]) -> dict[str, dict[str, Any]]:
    """Return the values of regions by id, for answers about them."""
    return {
        result["id"]: result["value"]
        for result in results
        if result.__class__ is dict
        and result.get("type") in _REGIONS
        and result.get("id").__class__ is str
        and result.get("value").__class__ is dict
    }


_REGIONS = (
    *SPANS,
    "rectanglelabels",
    "brushlabels",
    "polygonlabels",
    "ellipselabels",
    "keypointlabels",
)
