"""Scores in logs of Inspect, by scorer, epoch or model."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from agreement_fast.exports.bundle import Bundle
from agreement_fast.exports.found import Found
from agreement_fast.exports.records import (
    Place,
    Wrong,
    a_name,
    a_whole_number,
    an_object,
    written,
)
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.inspect_ai.logs import Log, is_log, logs_of
from agreement_fast.exports.tools.shared.labels import NO_LABEL, label_of
from agreement_fast.files.errors import ReadError, show

__all__ = ["Inspect"]


class Inspect(Tool):
    """Reads logs of Inspect; samples are items, and coders are scorers, epochs, models or files."""

    name = "inspect"
    title = "Inspect (evaluation logs)"
    options = ("coder_from",)

    def recognise(self, bundle: Bundle) -> bool:
        """Whether there are samples and the header of a log."""
        try:
            return is_log(bundle)
        except ReadError:
            return False

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read the scores of all samples of all logs."""
        logs, others = logs_of(bundle)
        if others:
            found.leave_out("other files", others)
        panel = _Panel(logs, options.coder_from)
        scorers: set[str] = set()
        for log in logs:
            for where, sample in log.samples():
                if sample.get("scores") is None:
                    found.leave_out("samples without scores")
                    continue
                with Place(where):
                    item = panel.item(log, sample)
                    for scorer, score in an_object(sample, "scores").items():
                        scorers.add(scorer)
                        coder = panel.coder(log, sample, scorer)
                        for key, value in _values(score, scorer):
                            question = panel.question(scorer, key)
                            _take(value, question, item, coder, found)
        if options.coder_from is None:
            found.note(f"coders are the {panel.how}s; --coder-from takes scorer, epoch or model")
            if panel.how == "scorer" and len(scorers) == 1:
                found.note(
                    "there is one scorer and so one coder: pass --coder-from epoch, or several logs"
                )


def _take(value: Any, question: str, item: str | int, coder: str, found: Found) -> None:
    label = label_of(value)
    if label is NO_LABEL:
        found.leave_out(f"scores of an unknown kind ({show(question)})")
        return
    if isinstance(value, float) and math.isnan(value):
        found.leave_out("unscored values")
    found.answers_to(question, "scores").add(item, coder, label)


def _values(score: Any, scorer: str) -> Iterator[tuple[str, Any]]:
    """Return the values of a score by key; a single value has the key ""."""
    if not isinstance(score, dict) or "value" not in score:
        raise Wrong(
            f"scorer {show(scorer)}: a score must be an object with 'value', got {written(score)}"
        )
    value = score["value"]
    if isinstance(value, dict):
        yield from value.items()
    else:
        yield "", value


class _Panel:
    """Names the coder, item and question of each score."""

    def __init__(self, logs: list[Log], coder_from: str | None) -> None:
        self.how = coder_from or ("model" if len(logs) > 1 else "scorer")
        self._several_logs = len(logs) > 1
        self._several_tasks = len({log.task for log in logs}) > 1
        self._several_epochs = len(set().union(*(log.epochs for log in logs))) > 1
        self._of_log: dict[int, str] = {}
        taken: dict[tuple[str, str], Log] = {}
        if self.how in ("scorer", "epoch"):
            return
        for log in logs:
            coder = self._named(log)
            other = taken.setdefault((coder, log.task), log)
            if other is not log:
                raise ReadError(
                    f"{log.file.shown} and {other.file.shown} are both of {show(coder)} on task"
                    f" {show(log.task)}: pass --coder-from file, or name one of them",
                    argument="coder_from",
                )
            self._of_log[id(log)] = coder

    def _named(self, log: Log) -> str:
        if self.how != "model":
            return part_of_path(log.file, self.how, "--coder-from")
        if not log.model:
            raise ReadError(
                f"{log.file.shown} does not say which model it is of: pass --coder-from file",
                argument="coder_from",
            )
        return log.model

    def coder(self, log: Log, sample: dict[str, Any], scorer: str) -> str:
        """Return the coder of a score."""
        if self.how == "scorer":
            return scorer
        if self.how == "epoch":
            return f"epoch {a_whole_number(sample, 'epoch')}"
        return self._of_log[id(log)]

    def item(self, log: Log, sample: dict[str, Any]) -> str | int:
        """Return the item of a sample: its id, and what else distinguishes it from others."""
        key = a_name(sample, "id")
        more = []
        if self._several_tasks:
            more.append(log.task)
        if self._several_logs and self.how in ("scorer", "epoch"):
            more.append(log.file.name)
        if self._several_epochs and self.how != "epoch":
            more.append(f"epoch {a_whole_number(sample, 'epoch')}")
        return f"{key} ({', '.join(more)})" if more else key

    def question(self, scorer: str, key: str) -> str:
        """Return the question that a value answers."""
        if self.how == "scorer":
            return key or "score"
        return f"{scorer}: {key}" if key else scorer
