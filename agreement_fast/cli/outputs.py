"""The forms in which every command hands over what it found: one declaration for all of them.

An output is an option, what refuses it before anything is read, and what makes it of an `Outcome`.
Some are printed in place of the text; the others are files.
"""

from __future__ import annotations

import argparse
import glob
import importlib
import importlib.util
import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agreement_fast.cli.options import FORMAT, declare, gold_file, listed
from agreement_fast.cli.output import fail, show_group, terminal_width, typed_call, version
from agreement_fast.cli.wording import UsageError, clause
from agreement_fast.present import whole_file
from agreement_fast.present.markup import tables
from agreement_fast.present.sections import BRIEF, Section, joined
from agreement_fast.present.terminal import escape, show_label, some_of, wrap
from agreement_fast.reading.recognition.wording import condition_for_shell, quoted_name

if TYPE_CHECKING:
    from agreement_fast.cli.outcome import Outcome, Picture


class Output(NamedTuple):
    """A form of what a command found.

    Attributes
    ----------
    usage : str
        The option, as `options.declare` takes it.
    help : str
    text : callable (outcome, arguments) -> (str, list of str), optional
        Gives the text to print or to write, and notes on it.
    check : callable (arguments, path)
        Refuses what could not be made.
    prints : bool
        Whether "-", or an option without a file, prints it in place of the text.
    """

    usage: str
    help: str
    text: Callable[[Outcome, argparse.Namespace], tuple[str, Sequence[str]]] | None = None
    check: Callable[[argparse.Namespace, str], None] = lambda arguments, path: None
    prints: bool = True

    @property
    def option(self) -> str:
        """The option, such as --csv."""
        return self.usage.split()[0]

    def requested(self, arguments: argparse.Namespace) -> str | None:
        """Give the file that was asked for, "-" for the standard output, or None."""
        given = getattr(arguments, self.option[2:].replace("-", "_"), None)
        return "-" if given is True else given or None


def _json(outcome: Outcome, arguments: argparse.Namespace) -> tuple[str, Sequence[str]]:
    return json.dumps(outcome.document(), indent=2, allow_nan=False) + "\n", ()


def _csv(outcome: Outcome, *, safe: bool = False) -> tuple[str, Sequence[str]]:
    """Give a table; in a safe one nothing is a formula."""
    from agreement_fast.present.tables import safe_cells, write_rows

    table, changed = safe_cells(outcome.table()) if safe else (outcome.table(), [])
    file = io.StringIO()
    write_rows(table, file)
    between = " that a spreadsheet would take for a formula"
    cells = clause(len(changed), "cell", between=between)
    note = f"{cells} written with ' in front: {some_of(changed, 3, 24)}"
    return file.getvalue(), [note] * bool(changed)


def _html(outcome: Outcome, arguments: argparse.Namespace) -> tuple[str, Sequence[str]]:
    from agreement_fast.reports.rendering import sections_page

    document = outcome.document()
    sources = document.get("sources") or [document["source"]]
    files = [os.path.basename(file["name"]) for source in sources for file in source["files"]]
    page = sections_page(
        outcome.sections,
        document,
        title=f"{arguments.command}: {some_of(files, 3)}",
        command=typed_call(arguments),
        beside=outcome.beside(),
    )
    return page.html, ()


def check_folder(option: str, path: str) -> None:
    """Refuse a file in a folder that is not there."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise UsageError(f"{option} {path!r}: there is no folder {str(folder)!r}")
    if Path(path).is_dir():
        raise UsageError(f"{option} {path!r} is a folder")


def _check_figure(arguments: argparse.Namespace, path: str) -> None:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise UsageError('--figure needs matplotlib: pip install "agreement-fast[plot]"') from None
    if Path(path).suffix.lstrip(".").lower() not in Figure().canvas.get_supported_filetypes():
        raise UsageError(
            f"--figure {path!r}: the ending says the format, such as .png, .svg or .pdf"
        )


def _check_parquet(arguments: argparse.Namespace, path: str) -> None:
    try:
        importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UsageError('--parquet needs pyarrow: pip install "agreement-fast[parquet]"') from None


def _check_html(arguments: argparse.Namespace, path: str) -> None:
    if importlib.util.find_spec("jinja2") is None:
        raise UsageError('--html needs Jinja2: pip install "agreement-fast[html]"')
    if getattr(arguments, "by", None) and hasattr(arguments, "no_text") and arguments.show:
        names = map(quoted_name, listed([arguments.by], "--by"))
        condition = condition_for_shell(" and ".join(f"{name} = '...'" for name in names))
        raise UsageError(
            "--show needs the page of one group: pick it with --where instead of --by, as in"
            f" --where {condition}"
        )


#: What draws a picture.
FIGURE = "--figure FILE"

#: All outputs but the text, in the order in which they are made.
OUTPUTS: Sequence[Output] = (
    Output(
        "--json",
        "print a JSON document (docs/commands.md)",
        text=_json,
    ),
    Output(
        "--markdown",
        "print the tables as Markdown, to paste",
        text=lambda outcome, _: (tables(outcome.sections, "markdown"), ()),
    ),
    Output(
        "--latex",
        "print the tables as LaTeX, to paste",
        text=lambda outcome, _: (tables(outcome.sections, "latex"), ()),
    ),
    Output(FIGURE, "", check=_check_figure, prints=False),
    Output(
        "--html FILE",
        "write the results as one HTML page that opens offline, of 400 kB at most",
        text=_html,
        check=_check_html,
        prints=False,
    ),
    Output(
        "--csv FILE",
        "write the results as a CSV table, exactly; - prints it instead",
        text=lambda outcome, _: _csv(outcome),
    ),
    Output(
        "--csv-for-spreadsheets FILE",
        "the same, with ' before texts that a spreadsheet would take for formulas",
        text=lambda outcome, _: _csv(outcome, safe=True),
    ),
    Output("--parquet FILE", "", check=_check_parquet, prints=False),
)

#: The options that every command has. Those without help here are declared by some commands.
COMMON: Mapping[str, str] = {
    "--full": "print everything that was computed and what it means, not only the answer",
    **{output.usage: output.help for output in OUTPUTS if output.help},
}

#: The options of files that are written.
WRITTEN = tuple(
    output.option[2:].replace("-", "_") for output in OUTPUTS if output.usage.endswith(" FILE")
)


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command has: the format of files, and the outputs."""
    declare(parser, "file format", FORMAT, skip_rows=0)
    declare(parser, "output", COMMON)


#: Options of files that are read beside those of the judgments.
READ = ("matrix", "tree")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files that could not be written, or are read, before anything is read."""
    printed = []
    for output in OUTPUTS:
        path = output.requested(arguments)
        if path is None:
            continue
        if path == "-" and output.prints:
            printed.append(f"{output.option} -" if "FILE" in output.usage else output.option)
            continue
        _check_apart(arguments, output.option, path)
        output.check(arguments, path)
        check_folder(output.option, path)
    if len(printed) > 1:
        first, second, *_ = sorted(printed, reverse=True, key=lambda entry: entry.endswith(" -"))
        hint = f": name a file for {first[:-2]}" if first.endswith(" -") else ": leave one out"
        raise UsageError(f"{first} and {second} both want the standard output{hint}")
    if getattr(arguments, "html", None) is None and hasattr(arguments, "no_text"):
        for name, given in (("show", arguments.show), ("no-text", arguments.no_text)):
            if given:
                raise UsageError(f"--{name} goes with --html FILE, which writes a page")


def _check_apart(arguments: argparse.Namespace, option: str, path: str) -> None:
    """Refuse to write over a file that is read."""
    if not os.path.exists(path):
        return
    given = vars(arguments)
    read = [path for text in given.get("files") or () for path in (text, *glob.glob(text))]
    read += [given[name] for name in READ if given.get(name)]
    read += (gold_file(arguments) or ())[:1]
    for other in filter(os.path.exists, read):
        if os.path.samefile(path, other):
            raise UsageError(
                f"{option} {path!r} would write over a file that is read: name another"
            )


def deliver(outcome: Outcome, arguments: argparse.Namespace) -> str:
    """Write the files that were asked for, and give the text to print."""
    written: list[str] = []
    notes: list[str] = []
    in_place = None
    for output in OUTPUTS:
        path = output.requested(arguments)
        if path is None:
            continue
        text, noted = (None, ()) if output.text is None else output.text(outcome, arguments)
        if path == "-" and output.prints:
            in_place = text
            for note in noted:
                print(f"agreement-fast: note: {note}", file=sys.stderr)
            continue
        picture = outcome.picture() if output.usage == FIGURE else None
        if text is not None or picture is not None:
            with writing(output.option, path) as unfinished:
                if picture is not None:
                    draw_panels(arguments, picture, unfinished)
                else:
                    unfinished.write_text(text or "", encoding="utf-8", newline="")
        notes += noted
        written.append(path)
    if in_place is not None:
        return in_place
    text = printed(outcome.sections, full=arguments.full)
    if (advice := _other_form()) is not None:
        fail(f"note: {advice}")
    lines = [f"Note: {note}." for note in notes]
    lines += [f"Written: {', '.join(map(escape, written))}"] if written else []
    return text + "".join(f"\n{wrap(line, terminal_width())}\n" for line in lines)


#: What writes what the ending of a file says, by that ending.
_FORMS = {
    ".csv": "a table is written by --csv {path}",
    ".html": "a page is written by --html {path}",
    ".json": "JSON is printed by --json > {path}",
    ".md": "Markdown is printed by --markdown > {path}",
    ".tex": "LaTeX is printed by --latex > {path}",
}


def _other_form() -> str | None:
    """Say what writes another form, if the text goes to a file whose name ends as one.

    Only Linux names the file; elsewhere nothing is said.
    """
    try:
        path = os.readlink("/proc/self/fd/1")
    except OSError:
        return None
    form = _FORMS.get(Path(path).suffix.lower()) if os.path.isfile(path) else None
    return form and f"{show_label(Path(path).name)} has text: " + form.format(
        path=shlex.quote(os.path.relpath(path))
    )


#: The most lines of an answer with its last one, and the rows of its tables until it fits.
LINES, FITTING = 25, (BRIEF, 5, 3, 2)


def printed(sections: Sequence[Section], *, full: bool) -> str:
    """Give the whole text, or the answer and a line on what the whole text has beside it."""
    width, rows = terminal_width(), BRIEF
    texts: list[str] = []
    for rows in (BRIEF,) if full else FITTING:
        texts = [section.text(full, width, rows) for section in sections]
        if joined(texts).count("\n") + 3 <= LINES:
            break
    if full or all(section.is_whole(rows) for section in sections):
        return f"agreement-fast {version()}\n\n{joined(texts)}\n"
    names = [
        section.heading.partition(":")[0]
        for section, answer in zip(sections, texts, strict=True)
        if not answer and section.shown(True)
    ]
    # Sections of several groups have the same names.
    rest = f": {some_of(names, 3, 48)}" if 0 < len(names) == len(set(names)) else ""
    return f"{joined(texts)}\n\n{wrap(f'--full prints the rest{rest}.', width)}\n"


#: Groups that fit a figure.
MOST_PANELS = 12


def draw_panels(arguments: argparse.Namespace, picture: Picture, path: Path) -> None:
    """Draw a picture, with a row of panels for each group."""
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
    figure.savefig(path, dpi=150)


@contextmanager
def writing(option: str, name: str) -> Iterator[Path]:
    """Give a path to write to; what was there before stays until the file is whole."""
    try:
        with whole_file(name) as unfinished:
            yield unfinished
    except OSError as error:
        raise UsageError(f"{option} {name!r}: {error.strerror or error}") from None
