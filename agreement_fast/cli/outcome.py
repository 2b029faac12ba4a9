"""What a command found, and the forms in which it is handed over."""

from __future__ import annotations

import argparse
import contextlib
import glob
import importlib
import importlib.util
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from agreement_fast.cli.options import listed
from agreement_fast.cli.output import (
    document_of,
    group_heading,
    opening,
    options_document,
    show_group,
    terminal_width,
    version,
)
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.sections import Brief, Section, text_of
from agreement_fast.terminal import escape, more, show_label, some_of, wrap

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
    text : callable () -> iterable of Section
        For people; the first says what was read.
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

    text: Callable[[], Iterable[Section]]
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

#: Groups of ``--by`` that an answer shows.
FEW_GROUPS = 3


def of_groups(
    read: Read,
    groups: Sequence[G],
    name: str,
    *,
    sections: Callable[[G, bool], Iterable[Section]],
    entry: Callable[[G], Mapping[str, Any]],
    table: Callable[[G], Tabular],
    panels: Callable[[G], Sequence[Callable[[Axes], object]]] | None = None,
    size: tuple[float, float] = (0.0, 0.0),
    notes: Iterable[str] = (),
    beside: Mapping[str, Any] | None = None,
    gates: Gates = (),
    measured: Callable[[], Sequence[Measured]] = tuple,
) -> Outcome:
    """Give what was found of each group of ``--by`` in every form.

    `sections` gives the text of a group; its last argument is true for the first group, which
    explains the terms. The document lists the `entry` of each group by `name`, and has what
    is `beside` them. `panels` of this `size` are drawn side by side.
    """

    def text() -> Iterator[Section]:
        yield opening(read, [*read.notes, *notes])
        by = read.arguments.by
        for i, one in enumerate(groups):
            own = list(sections(one, i == 0))
            if by:
                own.insert(0, group_heading(by, one.part.group, one.part.rows))
            # An answer has the first section of a few of several groups.
            kept = 0 if i >= FEW_GROUPS else 2 if len(groups) > 1 else len(own)
            yield from own[:kept]
            yield from (section.hidden() for section in own[kept:])
        if len(groups) > FEW_GROUPS:
            yield Section("More groups", [Brief(more(len(groups) - FEW_GROUPS, "group"))])

    def document() -> dict[str, Any]:
        entries = [{"group": one.part.group, "rows": one.part.rows, **entry(one)} for one in groups]
        options = {"options": options_document(read), **(beside or {})}
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
    text = printed(list(outcome.text()), full=arguments.full)
    if not written:
        return text
    names = ", ".join(map(escape, written))
    return f"{text}\n{wrap(f'Written: {names}', terminal_width())}\n"


def printed(sections: Sequence[Section], *, full: bool) -> str:
    """Give the whole text, or the answer and a line on what the whole text has beside it."""
    width = terminal_width()
    whole, answer = (text_of(sections, every, width) + "\n" for every in (True, False))
    if full or answer == whole:
        return f"agreement-fast {version()}\n\n{whole}"
    hidden = (
        section
        for section in sections
        if section.text(True, width) and not section.text(False, width)
    )
    names = [section.heading.partition(":")[0] for section in hidden]
    # Sections of several groups have the same names.
    rest = f": {some_of(names, 3)}" if 0 < len(names) == len(set(names)) else ""
    return f"{answer}\n{wrap(f'--full prints the rest{rest}.', width)}\n"


#: Groups that fit a figure.
MOST_PANELS = 12


#: Options of files that are written, and of files that are read beside those of the judgments.
WRITTEN = ("csv", "html", "figure", "parquet")
READ = ("gold_file", "matrix", "tree")


def check_apart(arguments: argparse.Namespace) -> None:
    """Refuse to write over a file that is read."""
    given = vars(arguments)
    read = [path for text in given.get("files") or () for path in (text, *glob.glob(text))]
    read += [given[name] for name in READ if given.get(name)]
    for name in WRITTEN:
        path = given.get(name)
        if path in (None, "-") or not os.path.exists(path):
            continue
        for other in filter(os.path.exists, read):
            if os.path.samefile(path, other):
                raise UsageError(
                    f"--{name} {path!r} would write over a file that is read: name another"
                )


def check_figure(path: str) -> None:
    """Refuse a picture that could not be written."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise UsageError('--figure needs matplotlib: pip install "agreement-fast[plot]"') from None
    known = Figure().canvas.get_supported_filetypes()
    ending = Path(path).suffix.lstrip(".").lower()
    if ending not in known:
        raise UsageError(
            f"--figure {path!r}: the ending says the format, such as .png, .svg or .pdf"
        )
    check_folder("--figure", path)


def check_parquet(path: str) -> None:
    """Refuse a Parquet file that could not be written."""
    try:
        importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UsageError('--parquet needs pyarrow: pip install "agreement-fast[parquet]"') from None
    check_folder("--parquet", path)


def check_html(arguments: argparse.Namespace) -> None:
    """Refuse a page that could not be made, and options of a page without ``--html``."""
    if not hasattr(arguments, "html"):
        return
    html = arguments.html
    if html is None:
        for name in ("show", "no_text"):
            if getattr(arguments, name, None):
                option = name.replace("_", "-")
                raise UsageError(f"--{option} goes with --html FILE, which writes a page")
        return
    if importlib.util.find_spec("jinja2") is None:
        raise UsageError('--html needs Jinja2: pip install "agreement-fast[html]"')
    if getattr(arguments, "by", None):
        raise UsageError(
            "--html shows one group: pick it with --where instead of --by, as in --where"
            f' "{_group_condition(arguments.by)}"'
        )
    check_folder("--html", html)


def _group_condition(by: str) -> str:
    """Give the SQL that picks a group, for a shell's double quotes."""
    columns = listed([by], "--by")
    names = (one if one.isidentifier() and one.isascii() else f'\\"{one}\\"' for one in columns)
    return " and ".join(f"{name} = '...'" for name in names)


def check_folder(option: str, path: str) -> None:
    """Refuse a file in a folder that is not there."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise UsageError(f"{option} {path!r}: there is no folder {str(folder)!r}")
    if Path(path).is_dir():
        raise UsageError(f"{option} {path!r} is a folder")


def draw_panels(arguments: argparse.Namespace, picture: Picture) -> None:
    """Write ``--figure``."""
    from matplotlib.figure import Figure

    panels, size = picture.panels, picture.size
    if picture.refused is not None:
        raise UsageError(f"--figure: {picture.refused}")
    if len(panels) > MOST_PANELS:
        raise UsageError(f"--figure: {len(panels)} groups of --by are too many, {MOST_PANELS} fit")
    n_rows, n_columns = len(panels), len(panels[0])
    figure = Figure(figsize=(size[0] * n_columns, size[1] * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False)
    groups = picture.groups or [None] * n_rows
    for row, draws, group in zip(axes, panels, groups, strict=True):
        for ax, draw in zip(row, draws, strict=True):
            draw(ax)
        if picture.groups is not None and arguments.by:
            row[0].set_title(f"{show_label(arguments.by)}: {show_group(group)}", loc="left")
    with writing("--figure", arguments.figure) as path:
        figure.savefig(path, dpi=150)


@contextlib.contextmanager
def writing(option: str, name: str) -> Iterator[Path]:
    """Give a path to write to; what was there before stays until the file is whole."""
    target = Path(name)
    unfinished = target.with_name(f".{os.getpid()}.unfinished{target.suffix}")
    try:
        yield unfinished
        unfinished.replace(target)
    except OSError as error:
        raise UsageError(f"{option} {name!r}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)
