"""Logs of Inspect: archives with one JSON file per sample and epoch, or single JSON files."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.look import look_at
from agreement_fast.exports.records import written
from agreement_fast.files.errors import ReadError

__all__ = ["Log", "is_log", "logs_of"]

_SAMPLE = re.compile(r"(.*?)samples/[^/]+\.json", re.DOTALL)
_HEADER = re.compile(r"(.*?)(?:header|start)\.json", re.DOTALL)
_EPOCH = re.compile(r"_epoch_([0-9]{1,6})\.json$")


@dataclass
class Log:
    """One evaluation of one model on one task.

    Attributes
    ----------
    file : Member
        The log; its name is the path within what the user named.
    model, task : str
    """

    file: Member
    model: str = ""
    task: str = ""
    members: list[Member] = field(default_factory=list)
    whole: dict[str, Any] | None = None

    @property
    def epochs(self) -> set[str]:
        """The epochs, as far as they are known without reading the samples."""
        if self.whole is not None:
            samples = self.whole.get("samples")
            return {
                str(one.get("epoch")) for one in samples or [] if isinstance(one, dict)
            } if isinstance(samples, list) else set()  # fmt: skip
        return {match[1] for one in self.members if (match := _EPOCH.search(one.name))}

    def samples(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each sample and its place."""
        if self.whole is not None:
            samples = self.whole.get("samples") or []
            if not isinstance(samples, list):
                raise ReadError(f"{self.file.shown}: 'samples' must be a list")
            for number, one in enumerate(samples, start=1):
                yield _checked(one, f"{self.file.shown}, sample {number:,}")
            return
        for member in self.members:
            yield _checked(_only(member), member.shown)


def _checked(sample: Any, where: str) -> tuple[str, dict[str, Any]]:
    if not isinstance(sample, dict):
        raise ReadError(f"{where}: a sample must be an object, got {written(sample)}")
    return where, sample


def _only(member: Member) -> Any:
    values = list(json_values(member))
    if len(values) != 1:
        raise ReadError(f"{member.shown}: expected one JSON object, got {len(values):,} values")
    return values[0]


def is_log(bundle: Bundle) -> bool:
    """Whether there is a log in a bundle."""
    names = {match[1] for one in bundle.names if (match := _SAMPLE.fullmatch(one))}
    for member in bundle.members:
        match = _HEADER.fullmatch(member.name)
        if match and match[1] in names and isinstance(look_at(member).record.get("eval"), dict):
            return True
    archives = bundle.ending(".eval")
    if archives:
        return any(one.head(4) == b"PK\x03\x04" for one in archives[:1])
    return bool(bundle.members) and all(_is_json_log(one) for one in bundle.members[:12])


def _is_json_log(member: Member) -> bool:
    text = look_at(member).text
    return text[:1] == "{" and '"eval"' in text[:4_000] and '"run_id"' in text[:8_000]


def logs_of(bundle: Bundle) -> tuple[list[Log], int]:
    """Return the logs, and the number of other files."""
    samples: dict[str, list[Member]] = defaultdict(list)
    headers: dict[str, Member] = {}
    logs, others = [], 0
    for member in _unpacked(bundle):
        if match := _SAMPLE.fullmatch(member.name):
            samples[match[1]].append(member)
        elif match := _HEADER.fullmatch(member.name):
            # "header.json" comes first, and is written when the log is complete.
            headers.setdefault(match[1], member)
        elif _is_json_log(member):
            whole = _only(member)
            logs.append(_headed(Log(member, whole=whole), whole))
        elif "/summaries/" not in f"/{member.name}" and not member.name.endswith(
            ("summaries.json", "summary.json", "reductions.json", "results.json")
        ):
            others += 1
    for prefix, members in samples.items():
        log = Log(_file(prefix, bundle, members[0]), members=members)
        header = headers.get(prefix)
        logs.append(_headed(log, _only(header)) if header else log)
    if not logs:
        raise ReadError(f"{bundle.shown} holds no samples of Inspect")
    return logs, others


def _unpacked(bundle: Bundle) -> Iterator[Member]:
    """Return all files, including those of logs inside a folder or an archive."""
    for member in bundle.members:
        if member.name.lower().endswith(".eval") and member.head(4) == b"PK\x03\x04":
            yield from member.inside()
        else:
            yield member


def _file(prefix: str, bundle: Bundle, first: Member) -> Member:
    name = prefix.rstrip("/") or re.split(r"[\\/]", bundle.paths[0])[-1]
    return replace(first, name=name, shown=first.shown if prefix else bundle.shown)


def _headed(log: Log, header: Any) -> Log:
    said = header.get("eval") if isinstance(header, dict) else None
    if isinstance(said, dict):
        log.model, log.task = (
            value if isinstance(value := said.get(key), str) else "" for key in ("model", "task")
        )
    return log
