"""An export that was read: its questions, and their judgments."""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, NamedTuple, cast

import numpy as np

from agreement_fast.errors import say
from agreement_fast.files.errors import ReadError, listed, show
from agreement_fast.files.exports import segments
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.streams import Wrong, look_at
from agreement_fast.files.exports.tool import Answers, Contents, Options, Tool
from agreement_fast.files.tables import Coded, LongTable, Source, in_option
from agreement_fast.options import LAYOUTS
from agreement_fast.present.terminal import spell_label
from agreement_fast.reading.recognition.labels import Missing


class Known(NamedTuple):
    """A tool whose reader is imported when files may be its export."""

    #: The name of the format.
    name: str
    #: The module of the reader, and its class.
    reader: str
    #: What the beginning of a single file of the tool must match.
    mark: str

    def load(self) -> Tool:
        """Return the reader."""
        module, _, name = self.reader.partition(".")
        whole = import_module(f"agreement_fast.files.exports.{module}")
        return cast(Tool, getattr(whole, name)())


_JSON = r"^[{[]"

TOOLS = (
    # Projects contain files of other tools.
    Known("inception", "inception.Inception", _JSON),
    Known("refi", "refi.Refi", r"^PK|urn:QDA-XML:project:"),
    Known("inspect", "evaluations.Inspect", r"^(PK|\{)"),
    Known("webanno", "inception.WebAnno", r"^#FORMAT="),
    Known("cas", "inception.Cas", r"^[{<]"),
    Known("elan", "tiers.Elan", r"^<"),
    Known("textgrid", "tiers.PraatTextGrid", r"^\{|ooTextFile"),
    Known("brat", "brat.Brat", r"^[TAMERN#*]\d*\t"),
    Known("potato", "potato.Potato", _JSON),
    Known("label-studio", "label_studio.LabelStudio", rf"{_JSON}|annotation_id"),
    Known("prodigy", "prodigy.Prodigy", _JSON),
    Known("argilla", "argilla.Argilla", rf"{_JSON}|^PAR1"),
    Known("doccano", "doccano.Doccano", rf"{_JSON}|Comments"),
    Known("lm-eval", "evaluations.LMEval", _JSON),
    Known("rayyan", "tables.Rayyan", r"notes"),
    Known("covidence", "tables.Covidence", r"Covidence #|A Yes, B Yes"),
    Known("mturk", "tables.MTurk", r"HITId"),
    Known("appen", "tables.Appen", r"_unit_id"),
    # Columns without names resemble many other files.
    Known("conll", "conll.Conll", r"[^ \t\r\n][ \t]"),
)


#: The default length of a step of time, in seconds.
STEP = 0.001

#: The options of all tools.
FOR_ALL = ("keep_texts", "encoding", "resolution")

#: The format of a plain table that is not an export.
TABLE = "table"

#: The entry points by which other packages offer tools, each a `Tool` under the name of its format.
GROUP = "agreement_fast.tools"


def recognised(bundle: Bundle) -> Iterator[Tool]:
    """Yield the tools whose exports a bundle looks like. Raises no errors."""
    text = look_at(bundle.members[0]).text if len(bundle.members) == 1 else None
    for known in TOOLS:
        may_be = text is None or re.search(known.mark, text)
        if may_be and (tool := known.load()).recognise(bundle):
            yield tool


def find_tool(bundle: Bundle, name: str | None) -> Tool | None:
    """Return the tool whose export a bundle is; `name` is the format that the user passed.

    Returns None for a plain table. A tool of another package is only used by its name. Raises
    ReadError if there is no tool of this name.
    """
    if name == TABLE:
        return None
    if name is None:
        return next(recognised(bundle), None)
    for tool in TOOLS:
        if tool.name == name:
            return tool.load()
    from importlib.metadata import entry_points  # takes longer than reading a small file

    offered = entry_points(group=GROUP)
    for entry in offered.select(name=name):
        return cast(Tool, entry.load())
    names = sorted({*(tool.name for tool in TOOLS), *offered.names})
    layout = f": pass --layout {name}" if name in LAYOUTS else ""
    raise ReadError(
        f"format must be {TABLE} or {', '.join(names)}, got {show(name)}{layout}", argument="format"
    )


@dataclass(frozen=True, eq=False)
class Export:
    """The content of an export."""

    #: The tool that wrote it.
    tool: Tool
    #: Its files.
    bundle: Bundle
    #: What was read.
    contents: Contents

    @property
    def questions(self) -> tuple[str, ...]:
        """The names of the questions and of the layers of spans."""
        return tuple(self.contents.questions)

    def pick(self, question: str | None, *, units: bool = False) -> str:
        """Return the name of the question to read: the one passed, or the only one.

        Raises ReadError if there are several questions and no name, or if the name is unknown.
        Lists the questions.
        """
        out = self.contents
        known: dict[str, Any] = dict(out.spans) if units else dict(out.questions)
        if not known:
            what = "no spans" if units and out.answers else "no judgments"
            raise ReadError("; ".join([f"{self.bundle.shown} holds {what}", *self._left_out()]))
        if question is None and len(known) == 1:
            return next(iter(known))
        if question in known:
            return str(question)
        some = listed(
            [f"{show(k)} ({v.kind or 'labels'}, {len(v):,})" for k, v in known.items()], 20
        )
        has = f"{self.bundle.shown} has"
        why = f"{has} {len(known)} questions, and one must be chosen: pass --question with one of"
        if question is not None:
            why = f"no question {show(question)}: {has}"
        raise ReadError(f"{why} {some}", argument="question")

    def _left_out(self, question: str | None = None) -> list[str]:
        counted = self.contents.left_out_for(question)
        listed = ", ".join(f"{what} ({n:,})" for what, n in counted.items())
        return [f"left out: {listed}"] if listed else []

    def notes(self, question: str | None = None) -> list[str]:
        """Return the notes on a question and the counts of what was left out."""
        return [*self._left_out(question), *self.contents.notes]

    def answers(self, question: str | None, spans: str | None) -> tuple[str, Answers]:
        """Return the judgments that answer a question.

        `spans`: the name of the reading that makes items of spans. Raises ReadError if `pick` does,
        if spans have no reading, or if a reading is passed for labels.
        """
        name = self.pick(question)
        if name in self.contents.answers:
            if spans not in (None, segments.CONTINUUM):
                raise ReadError(
                    f"--spans {spans} requires spans, but {show(name)} holds"
                    f" {self.contents.answers[name].kind or 'labels'}"
                )
            return name, self.contents.answers[name]
        if spans is None or spans == segments.CONTINUUM:
            ways = f"{', '.join(segments.READINGS)} or '200 characters'"
            raise ReadError(
                f"{self.bundle.shown} holds spans: agreement-fast units compares them as units; or"
                f" pass --spans {ways} to make items of them",
                argument="spans",
            )
        return name, segments.items_of_spans(self.contents.spans[name], self.contents, spans)

    def source(self, question: str, rows: int) -> Source:
        """Return a description of what was read."""
        return Source(
            files=self.bundle.paths,
            formats=(self.tool.title,) * len(self.bundle.paths),
            layout="export",
            rows=rows,
            rows_in_files=len(self.contents.questions[question]),
            label=question,
            notes=tuple(self.notes(question)),
        )

    def units(self, question: str | None, coders: Collection[Any] | None = None) -> segments.Units:
        """Return the units of a layer of spans."""
        name = self.pick(question, units=True)
        units = segments.units_of_spans(self.contents.spans[name], self.contents, coders)
        if self.contents.unit != "characters":
            units.notes.append(f"positions count {self.contents.unit}")
        return units

    def table(
        self,
        question: str | None = None,
        spans: str | None = None,
        coders: Collection[str] | None = None,
        missing: Collection[Any] = (),
    ) -> LongTable:
        """Return the judgments that answer a question as a table of codes.

        `coders` are the coders to compare; `missing` are labels that stand for a missing judgment.
        """
        name, answers = self.answers(question, spans)
        notes = self.notes(name)
        labels = answers.labels.values
        sets = [isinstance(value, frozenset) for value in labels]
        if name in self.contents.spans:
            reading = segments.reading_named(str(spans))
            notes.append(f"items are {reading.description}")
            if any(sets) and not reading.sets:
                notes.append(
                    "some items have several categories: labels are sets, and items without"
                    " marks have the empty set"
                )
        if labels and all(sets) and all(len(value) == 1 for value in labels):
            labels = [next(iter(value)) for value in labels]
            notes.append("no answer has several choices: labels are single, not sets")
        elif any(sets):
            labels = [v if isinstance(v, frozenset) else frozenset([v]) for v in labels]
        item, coder, label = map(np.asarray, (answers.item, answers.coder, answers.label))
        gone = Missing(missing)
        are_absent = (value in gone or (gone and spell_label(value) in gone) for value in labels)
        absent = [place for place, is_absent in enumerate(are_absent) if is_absent]
        if absent:
            label = np.where(np.isin(label, absent), -1, label)
        notes += [say(note, in_option) for note in gone.notes(labels)]
        if coders is not None:
            kept = np.isin(coder, find_names(answers.coders.values, coders))
            item, coder, label = item[kept], coder[kept], label[kept]
        if not len(item):
            nothing = f"{self.bundle.shown} holds no judgments"
            raise ReadError("; ".join([nothing, *self._left_out()]))
        return LongTable(
            replace(self.source(name, len(item)), notes=tuple(notes)),
            _used(item, answers.items.values),
            _used(coder, answers.coders.values),
            _used(label, labels),
        )


def find_names(values: Sequence[Any], requested: Collection[str]) -> list[int]:
    """Find coders as the user writes them: sets as reports print them, or a set's only element."""
    written = [spell_label(value) for value in values]
    alone = [f"{{{name}}}" for name in requested if name not in written]
    for name in alone:
        if name not in written:
            known = ", ".join(map(show, sorted(written)[:20]))
            raise ReadError(
                f"no coder {show(name[1:-1])}: there are {known}", argument="only_coder"
            )
    return [place for place, name in enumerate(written) if name in requested or name in alone]


def _used(codes: Any, values: Sequence[Any]) -> Coded:
    """Return codes into the values that occur, which are sorted if possible."""
    used = np.unique(codes[codes >= 0])
    some = [values[place] for place in used.tolist()]
    array = np.fromiter(some, object)
    kinds = {type(value) for value in some}
    if kinds and (kinds <= {int} or kinds <= {int, float} or kinds <= {bool}):
        array = np.array(some)
    place = np.full(len(values) + 1, -1, np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return Coded(place[codes], array)


def read_export(
    tool: Tool, bundle: Bundle, options: Options, *, spans: str | None = None
) -> Export:
    """Read an export of a known tool.

    Raises ReadError if the export cannot be read. The message says in one line what is wrong,
    where, and what to do.
    """
    for name, given in vars(options).items():
        usual = getattr(Options(), name)
        if given != usual and name not in (*tool.options, *FOR_ALL):
            option = name.replace("_", "-")
            raise ReadError(f"--{option} is not for exports of {tool.title}", argument=name)
    if segments.needs_texts(spans):
        options = replace(options, keep_texts=True)
    out = Contents(options)
    try:
        tool.read(bundle, out, options)
    except Wrong as wrong:
        raise ReadError(f"{out.place}: {wrong}", argument=wrong.argument) from None
    except RecursionError:
        raise ReadError(f"{bundle.shown}: values are nested too deeply") from None
    out.drop_missed()
    if out.unit == "seconds":
        step = STEP if options.resolution is None else options.resolution
        if not (math.isfinite(step) and step > 0):
            raise ReadError(f"--resolution must be a number of seconds above 0, got {step:g}")
        out.round_times(step)
        out.note(f"times are rounded to steps of {step:g} seconds")
    elif options.resolution is not None:
        raise ReadError(
            f"--resolution is for times in seconds, but positions here count {out.unit}",
            argument="resolution",
        )
    return Export(tool, bundle, out)
