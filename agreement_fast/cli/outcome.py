"""What a command gives and the forms of it, and the command that a function makes."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from agreement_fast.cli import options
from agreement_fast.cli.output import (
    document_of,
    group_heading,
    opening,
    options_document,
)
from agreement_fast.cli.reading import open_annotations
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.sections import Brief, Section
from agreement_fast.present.terminal import more

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.cli.gate import Gates, Measured
    from agreement_fast.cli.reading import Part, Read
    from agreement_fast.present.result import Presented
    from agreement_fast.present.tables import Tabular
    from agreement_fast.reports.rendering import Beside


class Picture(NamedTuple):
    """What ``--figure`` draws: a row of panels for each group, `size` inches each.

    Without groups there are no titles; `refused` says why there is nothing to draw.
    """

    panels: Sequence[Sequence[Callable[[Axes], object]]]
    groups: Sequence[Any] | None
    size: tuple[float, float]
    refused: str | None = None


class Outcome:
    """What a command found, in every form that can be asked for; a form is made when it is."""

    #: The thresholds of ``--fail-under``.
    gates: Gates = ()

    def text(self) -> Iterable[Section]:
        """Give the text for people, which first says what was read."""
        raise NotImplementedError

    @cached_property
    def sections(self) -> Sequence[Section]:
        """The text, made once for all outputs."""
        return list(self.text())

    def document(self) -> Mapping[str, Any]:
        """Give the document of ``--json``."""
        raise NotImplementedError

    def table(self) -> Tabular:
        """Give the table of ``--csv``."""
        raise NotImplementedError

    def picture(self) -> Picture | None:
        """Give the picture of ``--figure``."""
        return None

    def measured(self) -> Iterable[Measured]:
        """Give the values that thresholds may be set for."""
        return ()

    def beside(self) -> Beside | None:
        """Give what a page of ``--html`` has beside the text."""
        return None


@dataclass(frozen=True)
class Answer:
    """What a command says of a group, in every form; here, what its result says of itself.

    Attributes
    ----------
    result : result with sections, a document and columns
    """

    result: Any

    #: Inches of each of the `panels`, which are drawn side by side.
    size: ClassVar[tuple[float, float]] = (0.0, 0.0)

    def sections(self, explain: bool) -> Iterable[Section]:
        """Give the text; of several answers, only the first is asked to explain the terms."""
        sections: Iterable[Section] = self.result.sections()
        return sections

    def document(self) -> Mapping[str, Any]:
        """Give the entry of the group in the document."""
        document: Mapping[str, Any] = self.result.document()
        return document

    def table(self) -> Tabular:
        """Give the table of ``--csv``, unless there are several."""
        table: Tabular = self.result
        return table

    def tables(self) -> Mapping[str, Tabular | str]:
        """Give the tables of ``--table`` by name; in place of one, a text says what is missing."""
        return {"": self.table()}

    def panels(self) -> Sequence[Callable[[Axes], object]]:
        """Give what ``--figure`` draws."""
        return ()

    def measured(self) -> Iterable[Measured]:
        """Give the values that thresholds may be set for."""
        return ()

    def notes(self) -> Iterable[str]:
        """Give what the reader of the result should know of the data."""
        return ()


#: Groups of ``--by`` that an answer shows.
FEW_GROUPS = 3


def of_groups(
    read: Read,
    name: str,
    compute: Callable[[Part], Answer],
    *,
    gates: Gates = (),
    parts: Iterable[Part] | None = None,
) -> Outcome:
    """Compute the answer of each group of ``--by``, and give all in every form.

    The document lists the answers by `name`. `parts` are the groups, if they are known.
    """
    answers: list[tuple[Part, Answer]] = []
    for part in read.parts(keep_coders=True) if parts is None else parts:
        with in_options(read.arguments, read.place(part.group)):
            answers.append((part, compute(part)))
    return _Groups(read, name, answers, gates)


@dataclass(frozen=True)
class _Groups(Outcome):
    """The answers of the groups of ``--by``."""

    read: Read
    name: str
    answers: Sequence[tuple[Part, Answer]]
    gates: Gates

    def text(self) -> Iterator[Section]:
        """Give the answers below each other."""
        answers, by = self.answers, self.read.arguments.by
        noted = dict.fromkeys(note for _, answer in answers for note in answer.notes())
        yield opening(self.read, [*self.read.notes, *noted])
        for i, (part, answer) in enumerate(answers):
            own = list(answer.sections(i == 0))
            if by:
                own.insert(0, group_heading(by, part.group, part.rows))
            # An answer has the first section of a few of several groups.
            kept = 0 if i >= FEW_GROUPS else 2 if len(answers) > 1 else len(own)
            yield from own[:kept]
            yield from (section.hidden() for section in own[kept:])
        if len(answers) > FEW_GROUPS:
            yield Section("More groups", [Brief(more(len(answers) - FEW_GROUPS, "group"))])

    def document(self) -> dict[str, Any]:
        """Give an entry for each group."""
        read = self.read
        entries = [
            {"group": part.group, "rows": part.rows, **answer.document()}
            for part, answer in self.answers
        ]
        return {
            **document_of(read.arguments, read.source, read.notes),
            "options": options_document(read),
            self.name: entries,
        }

    def table(self) -> Tabular:
        """Give the tables of all groups as one."""
        from agreement_fast.present.tables import Table

        arguments, parts = self.read.arguments, []
        chosen = getattr(arguments, "table", "")
        for part, answer in self.answers:
            table = answer.tables()[chosen]
            if isinstance(table, str):
                raise UsageError(f"--table {chosen}{table}")
            parts.append((self.read.group_values(part.group), table))
        return Table.stack(self.read.source.by_columns, parts) if arguments.by else parts[0][1]

    def picture(self) -> Picture | None:
        """Draw a row of panels for each group."""
        drawn = [answer.panels() for _, answer in self.answers]
        groups = [part.group for part, _ in self.answers]
        return Picture(drawn, groups, self.answers[0][1].size) if any(drawn) else None

    def measured(self) -> Iterator[Measured]:
        """Give the values of each group with its name."""
        for part, answer in self.answers:
            group = self.read.group_name(part.group)
            yield from (entry._replace(group=group) for entry in answer.measured())


#: How `options.declare` writes the types of parameters.
KINDS = {"int": " N:int", "float": " X:float", "str": " NAME", "bool": ""}


class Study:
    """A command: its name, help and options are those of a function.

    Parameters
    ----------
    compute : callable (annotations, *, option=default, ...)
        Returns a result with sections, of the judgments of a group. Its docstring is numpydoc's;
        keywords with a default are options, whose annotations are int, float, str or bool.
    """

    def __init__(self, compute: Callable[..., Presented]) -> None:
        self.compute = compute
        self.NAME = compute.__name__.replace("_", "-")
        documented = inspect.getdoc(compute) or ""
        description, _, parameters = documented.partition("\n\nParameters\n")
        self.__doc__ = (
            f"{description.splitlines()[0]}\n\n{description}\n\n"
            f"examples:\n  agreement-fast {self.NAME} labels.csv\n"
            f"  agreement-fast {self.NAME} --example\n"
        )
        pairs = re.findall(r"^(\w+) : .*\n((?: {4}.*\n?)+)", parameters, flags=re.MULTILINE)
        self._described = {name: " ".join(text.split()) for name, text in pairs}

    def _options(self) -> Iterator[inspect.Parameter]:
        yield from list(inspect.signature(self.compute).parameters.values())[1:]

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of reading judgments, and the function's own."""
        options.add_annotations(parser, measures="none")
        declared: dict[str, str] = {}
        defaults: dict[str, Any] = {}
        for entry in self._options():
            usage = f"--{entry.name.replace('_', '-')}{KINDS[entry.annotation]}"
            declared[usage] = f"{self._described[entry.name]} (default: {entry.default})"
            defaults[entry.name] = entry.default
        options.declare(parser, self.NAME, declared, **defaults)

    def run(self, arguments: argparse.Namespace) -> Outcome:
        """Read the files and compute the result of each group."""
        requested: Mapping[str, Any] = {
            option.name: getattr(arguments, option.name) for option in self._options()
        }
        with open_annotations(arguments) as read:
            return of_groups(
                read,
                "results",
                lambda part: Answer(self.compute(part.annotations, **requested)),
            )
