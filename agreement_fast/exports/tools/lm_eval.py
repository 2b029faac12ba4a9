"""Samples of lm-evaluation-harness: one JSON line per document, one file per model and task."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.look import Look, every, look_at, some
from agreement_fast.exports.records import Place, Wrong, a_name, expect, written
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.shared.labels import NO_LABEL, label_of
from agreement_fast.files.errors import ReadError, show

__all__ = ["LMEval"]

_FILE = re.compile(r"samples_(.+?)_[0-9]{4}-[0-9]{2}-[0-9]{2}T[^/]*\.jsonl?")
#: Keys of a record that are not metrics.
_KNOWN = {
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash",
}  # fmt: skip
_ITEMS = ("doc_id", "doc_hash")


def _is_sample(look: Look) -> bool:
    return {"doc_id", "filtered_resps"} <= look.keys


class LMEval(Tool):
    """Reads logged samples; documents are items, models are coders, and metrics are questions."""

    name = "lm-eval"
    title = "lm-evaluation-harness (--log_samples)"
    options = ("coder_from", "item_from")

    def recognise(self, bundle: Bundle) -> bool:
        """Whether the records have documents and filtered responses."""
        return some(bundle, _is_sample, ".jsonl") or every(bundle, _is_sample)

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read the samples of each model and task."""
        members = [one for one in bundle.members if _is_sample(look_at(one))] or list(
            bundle.members
        )
        if len(members) < len(bundle.members):
            found.leave_out("files without samples", len(bundle.members) - len(members))
        how = options.coder_from or ("folder" if all(one.folder for one in members) else "file")
        key = options.item_from or _ITEMS[0]
        if key not in _ITEMS:
            raise ReadError(
                f"--item-from must be {' or '.join(_ITEMS)}, got {show(key)}", argument="item_from"
            )
        taken: dict[tuple[str, str], Member] = {}
        hashes: dict[tuple[str, Any], Any] = {}
        for member in members:
            coder = part_of_path(member, how, "--coder-from")
            match = _FILE.fullmatch(member.name.rpartition("/")[2])
            task = match[1] if match else ""
            other = taken.setdefault((coder, task), member)
            if other is not member:
                raise ReadError(
                    f"{member.shown} and {other.shown} are both of {show(coder)}"
                    + (f" on task {show(task)}" if task else "")
                    + ": name one of them, or pass --coder-from",
                    argument="coder_from",
                )
            times: Counter[Any] = Counter()
            with Place(member.shown) as place:
                for place.number, record in enumerate(json_values(member, options.encoding), 1):
                    item = a_name(expect(record, "a sample", dict), key)
                    if key == _ITEMS[0]:
                        _same_document(record, task, item, hashes)
                    if "filter" not in record:
                        times[item] += 1
                        if times[item] > 1:
                            # Older versions do not name the filters.
                            record["filter"] = f"filter {times[item]}"
                    _read(record, task, item, coder, found)
            if times and max(times.values()) > 1:
                found.note(
                    f"{member.shown} does not name its filters: questions of the second and later"
                    " ones end in 'filter 2' and so on"
                )
        found.note(f"coders are named by the {how if how in ('file', 'folder') else 'path'}s")


def _same_document(
    record: dict[str, Any], task: str, item: str | int, hashes: dict[Any, Any]
) -> None:
    """Raise an error if a number stands for different documents in different files."""
    said = record.get("doc_hash")
    if isinstance(said, str) and hashes.setdefault((task, item), said) != said:
        raise Wrong(
            f"document {item} differs from the document of this number in another file: pass"
            " --item-from doc_hash",
            argument="item_from",
        )


def _read(record: dict[str, Any], task: str, item: str | int, coder: str, found: Found) -> None:
    """Add the metrics and the response of a record."""
    metrics = record.get("metrics", [key for key in record if key not in _KNOWN])
    if not isinstance(metrics, list) or not all(isinstance(one, str) for one in metrics):
        raise Wrong(f"'metrics' must be a list of names, got {written(metrics)}")
    rule = record.get("filter")
    suffix = f",{rule}" if isinstance(rule, str) and rule not in ("", "none") else ""
    prefix = f"{task}: " if task else ""
    for metric in metrics:
        if metric not in record:
            raise Wrong(f"there is no {show(metric)}, which 'metrics' names")
        question = f"{prefix}{metric}{suffix}"
        label = label_of(record[metric])
        if label is NO_LABEL or isinstance(label, frozenset):
            found.leave_out(f"values of {show(question)} that are not labels")
        else:
            found.answers_to(question, "metric").add(item, coder, label)
    responses = record.get("filtered_resps")
    if isinstance(responses, list) and len(responses) == 1 and isinstance(responses[0], str):
        question = f"{prefix}response{suffix}"
        found.answers_to(question, "responses").add(item, coder, label_of(responses[0]))
    else:
        found.leave_out("filtered responses that are not one text")
