"""Scores of models: logs of Inspect, by scorer, epoch or model; samples of lm-eval."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.streams import LOOKED_AT, Look, Wrong, json_values, look_at
from agreement_fast.files.exports.tool import Contents, Options, Place, Tool

_SAMPLE = re.compile(r"(.*?)samples/[^/]+\.json", re.DOTALL)
_HEADER = re.compile(r"(.*?)(?:header|start)\.json", re.DOTALL)
_EPOCH = re.compile(r"_epoch_([0-9]{1,6})\.json$")


@dataclass
class Log:
    """One evaluation of one model on one task."""

    #: The log; its name is the path within what the user named.
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
            some = samples if isinstance(samples, list) else []
            return {str(entry.get("epoch")) for entry in some if isinstance(entry, dict)}
        return {match[1] for member in self.members if (match := _EPOCH.search(member.name))}

    def samples(self, out: Contents) -> Iterator[dict[str, Any]]:
        """Yield each sample."""
        for member in self.members:
            out.place = Place(member.shown)
            yield typed.expect(_only(member), "a sample", dict)
        samples = (self.whole or {}).get("samples") or []
        if not isinstance(samples, list):
            raise ReadError(f"{self.file.shown}: 'samples' must be a list")
        for number, sample in enumerate(samples, start=1):
            out.place = Place(self.file.shown, number, "sample")
            yield typed.expect(sample, "a sample", dict)


def _only(member: Member) -> Any:
    values = list(json_values(member))
    if len(values) != 1:
        raise ReadError(f"{member.shown}: expected one JSON object, got {len(values):,} values")
    return values[0]


def _is_json_log(member: Member) -> bool:
    text = look_at(member).text
    return text[:1] == "{" and '"eval"' in text[:4_000] and '"run_id"' in text[:8_000]


def logs_of(bundle: Bundle) -> tuple[list[Log], int]:
    """Return the logs, and the number of other files."""
    samples: dict[str, list[Member]] = defaultdict(list)
    headers: dict[str, Member] = {}
    logs, others = [], 0
    for member in bundle.unpacked(".eval"):
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
        name = prefix.rstrip("/") or re.split(r"[\\/]", bundle.paths[0])[-1]
        shown = members[0].shown if prefix else bundle.shown
        log = Log(members[0]._replace(name=name, shown=shown), members=members)
        header = headers.get(prefix)
        logs.append(_headed(log, _only(header)) if header else log)
    if not logs:
        raise ReadError(f"{bundle.shown} holds no samples of Inspect")
    return logs, others


def _headed(log: Log, header: Any) -> Log:
    of_log = header.get("eval") if isinstance(header, dict) else None
    if isinstance(of_log, dict):
        names = (of_log.get(key) for key in ("model", "task"))
        log.model, log.task = (name if isinstance(name, str) else "" for name in names)
    return log


class Inspect(Tool):
    """Reads logs of Inspect; samples are items, and coders are scorers, epochs, models or files."""

    name = "inspect"
    title = "Inspect (evaluation logs)"
    options = ("coder_from",)

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether there are samples and the header of a log."""
        names = {match[1] for name in bundle.names if (match := _SAMPLE.fullmatch(name))}
        for member in bundle.members:
            match = _HEADER.fullmatch(member.name)
            if match and match[1] in names and isinstance(look_at(member).record.get("eval"), dict):
                return True
        if archives := bundle.ending(".eval"):
            return archives[0].is_archive
        return bool(bundle.members) and all(map(_is_json_log, bundle.members[:LOOKED_AT]))

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the scores of all samples of all logs."""
        logs, others = logs_of(bundle)
        out.leave_out("other files", others)
        panel = _Panel(logs, out)
        scorers: set[str] = set()
        for log in logs:
            for sample in log.samples(out):
                if sample.get("scores") is None:
                    out.leave_out("samples without scores")
                    continue
                item = panel.item(log, sample)
                out.describe(item, {"input": sample.get("input")})
                for scorer, score in typed.value(sample, "scores", dict).items():
                    scorers.add(scorer)
                    coder = panel.coder(log, sample, scorer)
                    if not isinstance(score, dict) or "value" not in score:
                        problem = "a score must be an object with 'value', got"
                        raise Wrong(f"scorer {show(scorer)}: {problem} {typed.written(score)}")
                    # A single value has the key "".
                    some = score["value"]
                    for key, value in (some if isinstance(some, dict) else {"": some}).items():
                        _take(value, panel.question(scorer, key), item, coder, out)
        if options.coder_from is None:
            out.note(f"coders are the {panel.how}s; --coder-from takes scorer, epoch or model")
            if panel.how == "scorer" and len(scorers) == 1:
                out.note(
                    "there is one scorer and so one coder: pass --coder-from epoch, or several logs"
                )


def _take(value: Any, question: str, item: str | int, coder: str, out: Contents) -> None:
    label = typed.label(value)
    if label is typed.NO_LABEL:
        out.leave_out(f"scores of an unknown kind ({show(question)})")
        return
    if isinstance(value, float) and math.isnan(value):
        out.leave_out("unscored values")
    out.answers_to(question, "scores").add(item, coder, label)


def _refuse_second(out: Contents, coder: str, task: str, member: Member) -> None:
    what = f"of {show(coder)}" + (f" on task {show(task)}" if task else "")
    out.refuse_second(task, coder, member, what, "pass --coder-from file, or name one of them")


class _Panel:
    """Names the coder, item and question of each score."""

    def __init__(self, logs: list[Log], out: Contents) -> None:
        self.how = out.options.coder_from or ("model" if len(logs) > 1 else "scorer")
        self._several_logs = len(logs) > 1
        self._several_tasks = len({log.task for log in logs}) > 1
        self._several_epochs = len(set().union(*(log.epochs for log in logs))) > 1
        self._of_log: dict[int, str] = {}
        if self.how in ("scorer", "epoch"):
            return
        for log in logs:
            coder = log.model
            if self.how != "model":
                coder = log.file.part(self.how, "--coder-from")
            elif not log.model:
                raise ReadError(
                    f"{log.file.shown} does not say which model it is of: pass --coder-from file",
                    argument="coder_from",
                )
            _refuse_second(out, coder, log.task, log.file)
            self._of_log[id(log)] = coder

    def coder(self, log: Log, sample: dict[str, Any], scorer: str) -> str:
        """Return the coder of a score."""
        if self.how == "scorer":
            return scorer
        if self.how == "epoch":
            return f"epoch {typed.whole_number(sample, 'epoch')}"
        return self._of_log[id(log)]

    def item(self, log: Log, sample: dict[str, Any]) -> str | int:
        """Return the item of a sample: its id, and what else distinguishes it from others."""
        key = typed.name(sample, "id")
        more = [log.task] if self._several_tasks else []
        if self._several_logs and self.how in ("scorer", "epoch"):
            more.append(log.file.name)
        if self._several_epochs and self.how != "epoch":
            more.append(f"epoch {typed.whole_number(sample, 'epoch')}")
        return f"{key} ({', '.join(more)})" if more else key

    def question(self, scorer: str, key: str) -> str:
        """Return the question that a value answers."""
        if self.how == "scorer":
            return key or "score"
        return f"{scorer}: {key}" if key else scorer


_FILE = re.compile(r"samples_(.+?)_[0-9]{4}-[0-9]{2}-[0-9]{2}T[^/]*\.jsonl?")
#: Keys of a record that are not metrics.
_KNOWN = {
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash",
}  # fmt: skip
_ITEMS = ("doc_id", "doc_hash")


class LMEval(Tool):
    """Reads logged samples; documents are items, models are coders, and metrics are questions."""

    name = "lm-eval"
    title = "lm-evaluation-harness (--log_samples)"
    options = ("coder_from", "item_from")
    suffixes = (".jsonl",)

    def holds(self, look: Look) -> bool:
        """Whether the records have documents and filtered responses."""
        return {"doc_id", "filtered_resps"} <= look.keys

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the samples of each model and task."""
        samples = [member for member in bundle.members if self.holds(look_at(member))]
        members = samples or bundle.members
        out.leave_out("files without samples", len(bundle.members) - len(members))
        how = options.coder_from or (
            "folder" if all(member.folder for member in members) else "file"
        )
        key = options.item_from or _ITEMS[0]
        if key not in _ITEMS:
            raise ReadError(
                f"--item-from must be {' or '.join(_ITEMS)}, got {show(key)}", argument="item_from"
            )
        hashes: dict[tuple[str, Any], Any] = {}
        for member in members:
            coder = member.part(how, "--coder-from")
            match = _FILE.fullmatch(member.name.rpartition("/")[2])
            task = match[1] if match else ""
            _refuse_second(out, coder, task, member)
            times: Counter[Any] = Counter()
            for record in out.records(member, "a sample"):
                item = typed.name(record, key)
                # A number may stand for different documents in different files.
                digest = record.get("doc_hash") if key == _ITEMS[0] else None
                if digest is not None and hashes.setdefault((task, item), digest) != digest:
                    raise Wrong(
                        f"document {item} differs from the document of this number in"
                        " another file: pass --item-from doc_hash",
                        argument="item_from",
                    )
                times[item] += "filter" not in record
                if "filter" not in record and times[item] > 1:
                    # Older versions do not name the filters.
                    record["filter"] = f"filter {times[item]}"
                doc = record.get("doc")
                out.describe(item, doc if isinstance(doc, dict) else {})
                _read(record, task, item, coder, out)
            if times and max(times.values()) > 1:
                out.note(
                    f"{member.shown} does not name its filters: questions of the second and later"
                    " ones end in 'filter 2' and so on"
                )
        out.note(f"coders are named by the {how if how in ('file', 'folder') else 'path'}s")


def _read(record: dict[str, Any], task: str, item: str | int, coder: str, out: Contents) -> None:
    """Add the metrics and the response of a record."""
    metrics = record.get("metrics", [key for key in record if key not in _KNOWN])
    if not isinstance(metrics, list) or not all(isinstance(metric, str) for metric in metrics):
        raise Wrong(f"'metrics' must be a list of names, got {typed.written(metrics)}")
    rule = record.get("filter")
    suffix = f",{rule}" if isinstance(rule, str) and rule not in ("", "none") else ""
    prefix = f"{task}: " if task else ""
    for metric in metrics:
        if metric not in record:
            raise Wrong(f"there is no {show(metric)}, which 'metrics' names")
        question = f"{prefix}{metric}{suffix}"
        label = typed.label(record[metric])
        if label is typed.NO_LABEL or isinstance(label, frozenset):
            out.leave_out(f"values of {show(question)} that are not labels")
        else:
            out.answers_to(question, "metric").add(item, coder, label)
    responses = record.get("filtered_resps")
    if isinstance(responses, list) and len(responses) == 1 and isinstance(responses[0], str):
        question = f"{prefix}response{suffix}"
        out.answers_to(question, "responses").add(item, coder, typed.label(responses[0]))
    else:
        out.leave_out("filtered responses that are not one text")
