"""What a command found, and the forms in which it is handed over."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.output import (
    document_of,
    group_heading,
    opening,
    options_document,
    terminal_width,
)
from agreement_fast.cli.writing import (
    check_apart,
    check_figure,
    check_folder,
    check_html,
    draw_panels,
    writing,
)
from agreement_fast.terminal import escape, wrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.cli.gate import Gates, Measured
    from agreement_fast.cli.reading import Part, Read
    from agreement_fast.page import Page
    from agreement_fast.tables import Tabular


@dataclass(frozen=True)
class Picture:
    """What ``--figure`` draws: a row of panels for each group, `size` inches each.

    Without groups there are no titles; `refused` says why there is nothing to draw.
    """

    panels: Sequence[Sequence[Callable[[Axes], object]]]
    groups: Sequence[Any] | None
    size: tuple[float, float]
    refused: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What a command found, in every form that can be asked for; a form is made when it is.

    Attributes
    ----------
    text : callable () -> str
        For people; ends with a line feed.
    document : callable () -> dict
        Of ``--json``.
    table : callable () -> Tabular
        Of ``--csv``.
    picture : Picture, optional
        Of ``--figure``.
    gates : sequence
        The thresholds of ``--fail-under``.
    measured : callable () -> sequence of Measured
        What they may be set for.
    page : callable () -> Page, optional
        Of ``--html``.
    """

    text: Callable[[], str]
    document: Callable[[], Mapping[str, Any]]
    table: Callable[[], Tabular]
    picture: Picture | None = None
    gates: Gates = ()
    measured: Callable[[], Sequence[Measured]] = tuple
    page: Callable[[], Page] | None = None


def in_groups(read: Read, found: Sequence[tuple[Part, Tabular]]) -> Tabular:
    """Give the tables of the groups of ``--by`` as one."""
    from agreement_fast.tables import Table

    if not read.arguments.by:
        return found[0][1]
    parts = [(read.group_values(part.group), table) for part, table in found]
    return Table.stack(read.source.by_columns, parts)


class OfGroup(Protocol):
    """What was found of a group."""

    @property
    def part(self) -> Part:
        """The judgments of the group."""


G = TypeVar("G", bound=OfGroup)


def of_groups(
    read: Read,
    groups: Sequence[G],
    name: str,
    *,
    sections: Callable[[G, int, bool], Iterable[str]],
    entry: Callable[[G], Mapping[str, Any]],
    table: Callable[[G], Tabular],
    panels: Callable[[G], Sequence[Callable[[Axes], object]]] | None = None,
    size: tuple[float, float] = (0.0, 0.0),
    notes: Iterable[str] = (),
    more: Mapping[str, Any] | None = None,
    gates: Gates = (),
    measured: Callable[[], Sequence[Measured]] = tuple,
) -> Outcome:
    """Give what was found of each group of ``--by`` in every form.

    `sections` gives the text of a group for a width; its last argument is true for the first group,
    which explains the terms. The document lists the `entry` of each group by `name`, and has
    `more`. `panels` of this `size` are drawn side by side.
    """

    def text() -> str:
        parts, width = [opening(read, [*read.notes, *notes])], terminal_width()
        for i, one in enumerate(groups):
            if read.arguments.by:
                parts.append(group_heading(read.arguments.by, one.part.group, one.part.rows, width))
            parts += sections(one, width, i == 0)
        return "\n\n".join(parts) + "\n"

    def document() -> dict[str, Any]:
        entries = [{"group": one.part.group, "rows": one.part.rows, **entry(one)} for one in groups]
        options = {"options": options_document(read), **(more or {})}
        return {**document_of(read.source, read.notes), **options, name: entries}

    picture = None
    if panels is not None:
        drawn = [panels(one) for one in groups]
        picture = Picture(drawn, [one.part.group for one in groups], size)
    return Outcome(
        text=text,
        document=document,
        table=lambda: in_groups(read, [(one.part, table(one)) for one in groups]),
        picture=picture,
        gates=gates,
        measured=measured,
    )


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files that could not be written, or are read, before anything is read."""
    check_apart(arguments)
    if getattr(arguments, "figure", None):
        check_figure(arguments.figure)
    check_html(arguments)
    if arguments.csv == "-" and arguments.json:
        raise UsageError("--csv - and --json both want the standard output: name a file for --csv")
    if arguments.csv not in (None, "-"):
        check_folder("--csv", arguments.csv)


def deliver(outcome: Outcome, arguments: argparse.Namespace) -> str:
    """Write the files that were asked for, and give the text to print."""
    from agreement_fast.tables import write_rows

    written = []
    if getattr(arguments, "figure", None) and outcome.picture is not None:
        draw_panels(arguments, outcome.picture)
        written.append(arguments.figure)
    if getattr(arguments, "html", None) and outcome.page is not None:
        page = outcome.page()
        with writing("--html", arguments.html) as path:
            path.write_text(page.html, encoding="utf-8", newline="\n")
        written.append(arguments.html)
    if arguments.csv not in (None, "-"):
        with writing("--csv", arguments.csv) as path:
            outcome.table().write_csv(path)
        written.append(arguments.csv)
    if arguments.json:
        return json.dumps(outcome.document(), indent=2, allow_nan=False) + "\n"
    if arguments.csv == "-":
        file = io.StringIO()
        write_rows(outcome.table(), file)
        return file.getvalue()
    if getattr(arguments, "parquet", None):
        written.append(arguments.parquet)
    if not written:
        return outcome.text()
    names = ", ".join(map(escape, written))
    return f"{outcome.text()}\n{wrap(f'Written: {names}', terminal_width())}\n"
