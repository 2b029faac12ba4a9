"""The command ``agreement-fast``.

It parses options, reads files, makes annotations and prints reports; what can fail for a reason
that its user can mend ends in one line on the standard error and exit code 2.

Everything heavy is imported where it is used: ``--help`` and ``--version`` answer at once.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import Coded, LongTable, Source, Stream, WideTable
    from agreement_fast.report import Report

    Table: TypeAlias = LongTable | WideTable | Stream

__all__ = ["main"]

#: Version of the JSON document; it grows when a field changes or goes.
SCHEMA_VERSION = 1

USAGE_ERROR = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells have it
PIPE_CLOSED = 141  # 128 + SIGPIPE

EXAMPLE = Path(__file__).with_name("data") / "dawid_skene_1979_anaesthetists.csv"

CITATION = (
    "45 patients classified by 5 anaesthetists before operations, one of whom judged each patient"
    " three times: Dawid & Skene 1979, Applied Statistics 28, 20-28, table 1"
)

EXAMPLES = """\
examples:
  agreement-fast report labels.csv
      one judgment a row; the columns are guessed from their names
  agreement-fast report labels.csv --item tweet --coder worker --label stance
      the same, with the columns named
  agreement-fast report 'batch*.csv.gz' extra.jsonl --by batch
      several files as one, a report for each value of the column batch
  agreement-fast report ratings.csv --wide --distance interval --missing NA
      one row an item, one column a coder; near misses count less
  agreement-fast report labels.csv --order "low,medium,high"
      text labels with an order
  agreement-fast report slides.csv --wide --weights slides --coefficients kappa,alpha
      each row stands for as many items as the column slides says
  agreement-fast report labels.parquet --where "duration > 5 and lang = 'en'" --json
      only some rows; a document for programs
  agreement-fast report --example
      the anaesthetists of Dawid & Skene 1979, which come with the package
"""


class _UsageError(Exception):
    """Something that the user can mend; the text is one line."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (agreement-fast report --help lists the options)")


class _Version(argparse.Action):
    """Print the version; it is looked up only when asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(f"agreement-fast {_version()}")
        parser.exit(0)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; by default those of the process.

    Returns
    -------
    int
        0; 2 where the input or the options are wrong; 130 after Ctrl-C; 141 where the reader of
        the output went away.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    agreement-fast ...
    0
    """
    try:
        arguments = _parser().parse_args(argv)
        if arguments.command is None:
            raise _UsageError("no command was given: try agreement-fast report --example")
        _write(_report(arguments))
        return 0
    except SystemExit as done:  # --help, --version
        return int(done.code or 0)
    except _UsageError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it flushes at exit.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except MemoryError:
        return _fail("there is not enough memory for this")


# ---------------------------------------------------------------------------------------------
# Options


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="agreement-fast",
        description="How far do coders agree on their labels? Coefficients of agreement (S, pi,\n"
        "kappa, alpha, beta, AC) of annotations in files.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    report = commands.add_parser(
        "report",
        usage="agreement-fast report FILE... [options]",
        help="read files and print how far the coders agree",
        description="Read annotation files and print what they hold, how often each category was\n"
        "used, and how far the coders agree. A file holds one judgment a row, in columns for\n"
        "the item, the coder and the label (--wide: one row an item, one column a coder).",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    report.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="CSV, TSV, JSON (lines) or Parquet, also .gz or .zst; a glob; - for standard input",
    )
    report.add_argument(
        "--example", action="store_true", help="report on bundled real data (Dawid & Skene 1979)"
    )

    columns = report.add_argument_group("columns (guessed from their names where not given)")
    columns.add_argument("--item", metavar="COLUMN", help="what was judged")
    columns.add_argument(
        "--coder",
        metavar="COLUMN",
        action="append",
        help="who judged; with --wide the columns of the coders, A,B,C (default: all others)",
    )
    columns.add_argument("--label", metavar="COLUMN", help="the judgment")
    columns.add_argument("--wide", action="store_true", help="one row an item, one column a coder")
    columns.add_argument("--weights", metavar="COLUMN", help="how many items a row stands for")
    columns.add_argument("--by", metavar="COLUMN", help="one report for each value of this column")

    rows = report.add_argument_group("rows and labels")
    rows.add_argument(
        "--where", metavar="CONDITION", help="read only rows that satisfy a condition in SQL"
    )
    rows.add_argument(
        "--missing",
        metavar="LABEL",
        action="append",
        default=[],
        help="a label that means no judgment, such as NA; may be repeated (empty cells always do)",
    )
    rows.add_argument(
        "--duplicates",
        choices=("error", "first", "last"),
        default=None,
        help="where a coder judged an item twice: stop (default), keep the first, or the last",
    )
    rows.add_argument("--categories", metavar="A,B,C", help="all categories, used or not")
    rows.add_argument(
        "--order",
        metavar="LOW,..,HIGH",
        help="all categories from lowest to highest; adds the ordinal distance if none is given",
    )
    rows.add_argument("--text", action="store_true", help="keep labels such as 1 as text")

    measures = report.add_argument_group("measures")
    measures.add_argument(
        "--distance",
        metavar="NAME",
        action="append",
        default=[],
        help="beside nominal: ordinal, interval, ratio, linear, rank_linear, circular:PERIOD,"
        " bipolar:LOW:HIGH; may be repeated",
    )
    measures.add_argument(
        "--coefficients",
        metavar="NAMES",
        action="append",
        help="such as pi,kappa,alpha; names of other tools too (fleiss_kappa)",
    )
    measures.add_argument(
        "--incomplete",
        choices=("published", "pairable", "complete"),
        default="published",
        help="items with missing judgments: as each coefficient's authors have it (default), only"
        " items with two judgments, only items that every coder judged",
    )

    form = report.add_argument_group("file format and output")
    form.add_argument("--no-header", action="store_true", help="columns are called 1, 2, 3")
    form.add_argument("--delimiter", metavar="CHAR", help="of CSV; tab for a tabulator")
    form.add_argument(
        "--encoding", choices=("utf-8", "utf-16", "latin-1"), help="of CSV; default utf-8"
    )
    form.add_argument("--json", action="store_true", help="print a JSON document (docs/report.md)")
    form.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="show a bar while millions of rows are read (default: on a terminal)",
    )
    return parser


def _version() -> str:
    from agreement_fast import __version__

    return __version__


def _listed(texts: Sequence[str] | None, option: str) -> list[str]:
    """Split values at commas as CSV does: "a,b" in quotes is one value."""
    listed = [
        cell.strip()
        for text in texts or ()
        for cell in next(csv.reader([text], skipinitialspace=True), [])
    ]
    if texts and not all(listed):
        raise _UsageError(f"{option} has an empty name")
    if texts and not listed:
        raise _UsageError(f"{option} is empty")
    return listed


# ---------------------------------------------------------------------------------------------
# The command "report"


def _report(arguments: argparse.Namespace) -> str:
    """Read, compute and give the text to print."""
    if arguments.example:
        if arguments.files:
            raise _UsageError("--example reads its own file: leave out the others")
        arguments.files = [str(EXAMPLE)]
        # The first anaesthetist judged every patient three times.
        arguments.duplicates = arguments.duplicates or "first"
    if not arguments.files:
        raise _UsageError("no file was named: agreement-fast report FILE, or --example")
    if arguments.order and arguments.categories:
        raise _UsageError("--order and --categories exclude each other: --order names them all")
    coefficients = _listed(arguments.coefficients, "--coefficients") or None
    given = _listed(arguments.distance, "--distance")
    if arguments.order and not given:
        given = ["ordinal"]
    distances = list(dict.fromkeys(["nominal", *given]))

    from agreement_fast.files import Stream

    with contextlib.ExitStack() as stack:
        table = _open(arguments, stack)
        declared = _categories(arguments, table)
        if isinstance(table, Stream):
            _check_early(table, declared, coefficients, distances)
        reports = [
            (
                group,
                rows,
                _one_report(arguments, annotations, n_rows, coefficients, distances, group),
            )
            for group, rows, n_rows, annotations in _groups(arguments, table, declared)
        ]
    notes = [
        *([CITATION] if arguments.example else []),
        *table.source.notes,
        *_remarks(table, declared, coefficients, distances, reports),
    ]
    if arguments.json:
        document = _document(arguments, table.source, notes, declared, reports)
        return json.dumps(document, indent=2, allow_nan=False) + "\n"
    return _text(arguments, table.source, notes, reports)


def _one_report(
    arguments: argparse.Namespace,
    annotations: Annotations,
    n_rows: int,
    coefficients: list[str] | None,
    distances: list[str],
    group: Any,
) -> Report:
    import dataclasses

    from agreement_fast.report import report

    with _in_options(_place(arguments, group)):
        found = report(annotations, coefficients, distances, incomplete=arguments.incomplete)
    categories = found.categories
    # A part with whole numbers only has them as such: 1 and 1.0 are one category.
    if {type(category.label) for category in categories} == {int, float}:
        categories = tuple(
            dataclasses.replace(category, label=float(category.label)) for category in categories
        )
    # Where parts were added up, the annotations have one row for each pattern.
    return dataclasses.replace(found, n_rows=n_rows, categories=categories)


def _open(arguments: argparse.Namespace, stack: contextlib.ExitStack) -> Table:
    from agreement_fast.files import Asked, ReadError, open_table

    coder: str | list[str] | None = None
    if arguments.coder:
        # Only a wide table has several; a name may hold a comma, so nothing is split elsewhere.
        coder = _listed(arguments.coder, "--coder") if arguments.wide else arguments.coder[0]
        if len(arguments.coder) > 1 and not arguments.wide:
            raise _UsageError("--coder is given twice: pass --wide if each column is a coder")
    delimiter = arguments.delimiter
    asked = Asked(
        item=arguments.item,
        coder=coder,
        label=arguments.label,
        weights=arguments.weights,
        by=arguments.by,
        wide=arguments.wide,
        where=arguments.where,
        missing=tuple(arguments.missing),
        header=not arguments.no_header,
        delimiter="\t" if delimiter in ("tab", "\\t") else delimiter,
        encoding=arguments.encoding,
        text=arguments.text,
    )
    try:
        return open_table(stack, arguments.files, asked)
    except ReadError as error:
        raise _UsageError(str(error)) from None


def _groups(
    arguments: argparse.Namespace, table: Table, declared: list[Any] | None
) -> Iterator[tuple[Any, int, int, Annotations]]:
    """Give each group (None without --by), its rows, its items' rows, and its annotations."""
    from agreement_fast.files import Stream

    if isinstance(table, Stream):
        yield from _added_groups(arguments, table, declared)
        return
    parts = table.split() if arguments.by else [(None, table)]
    for group, part in parts:
        with _in_options(_place(arguments, group)):
            annotations = _annotations(part, declared, arguments.duplicates or "error")
        yield group, part.source.rows, annotations.n_rows, annotations


def _added_groups(
    arguments: argparse.Namespace, stream: Stream, declared: list[Any] | None
) -> list[tuple[Any, int, int, Annotations]]:
    """Read part by part and add up what each says."""
    import numpy as np

    from agreement_fast.files import ReadError
    from agreement_fast.merging import accumulate

    # Who completed an item is known only where it is known who judged it.
    keep_coders = arguments.incomplete == "complete"
    rows: dict[Any, int] = {}
    n_rows: dict[Any, int] = {}
    sums: dict[Any, Annotations] = {}

    def pieces(advance: Callable[[int], object]) -> Iterator[tuple[Any, Annotations]]:
        for part in stream.parts(advance):
            for group, some in part.split() if arguments.by else [(None, part)]:
                with _in_options(_place(arguments, group), stream.in_names):
                    piece = _annotations(some, declared, arguments.duplicates or "error", keys=True)
                rows[group] = rows.get(group, 0) + len(some.labels.codes)
                n_rows[group] = n_rows.get(group, 0) + piece.n_rows
                yield group, piece

    try:
        with _progress(arguments, stream.steps) as advance:
            if arguments.by:
                for group, piece in pieces(advance):
                    both = [sums[group], piece] if group in sums else [piece]
                    sums[group] = accumulate(both, keep_coders=keep_coders)
            else:
                added = (piece for _, piece in pieces(advance))
                sums[None] = accumulate(added, keep_coders=keep_coders)
    except ReadError as error:
        raise _UsageError(str(error)) from None
    order: list[Any] = [None]
    if stream.groups is not None:
        values = stream.groups.values
        order = [*values[np.argsort(values, kind="stable")].tolist(), None]
    return [(g, rows[g], n_rows[g], sums[g]) for g in order if g in sums]


def _check_early(
    stream: Stream,
    declared: list[Any] | None,
    coefficients: list[str] | None,
    distances: list[str],
) -> None:
    """Refuse unknown names, and labels that do not fit, before minutes are spent on reading."""
    from agreement_fast.annotations import Annotations
    from agreement_fast.report import report

    values = stream.labels.values.tolist()
    with _in_options("", lambda error: re.sub(r" of judgment \d+ \(.*?\) is", " is", error)):
        labels = Annotations.from_long(
            range(len(values)), [0] * len(values), values, categories=declared
        )
        report(labels, coefficients, distances)


@contextlib.contextmanager
def _progress(arguments: argparse.Namespace, steps: int) -> Iterator[Callable[[int], object]]:
    """Show a bar on the standard error, if that is a terminal or it was asked for."""
    shown = sys.stderr.isatty() if arguments.progress is None else arguments.progress
    if not shown:
        yield lambda done: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        if arguments.progress:
            raise _UsageError(
                'a progress bar needs tqdm: pip install "agreement-fast[cli]"'
            ) from None
        yield lambda done: None
        return
    form = "reading {percentage:3.0f}% |{bar}| {elapsed}, {remaining} to go"
    with tqdm(
        total=steps, file=sys.stderr, leave=False, dynamic_ncols=True, bar_format=form
    ) as bar:
        yield bar.update


def _annotations(
    table: LongTable | WideTable,
    declared: list[Any] | None,
    duplicates: str,
    *,
    keys: bool = False,
) -> Annotations:
    """Make annotations of what was read; names in errors are those of the file.

    `keys` says that items have keys for names.
    """
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import LongTable
    from agreement_fast.frames import Dictionary

    if isinstance(table, LongTable):

        def column(coded: Coded) -> Dictionary:
            return Dictionary(coded.codes, coded.values.tolist(), False)

        return Annotations.from_long(
            table.items.values[table.items.codes] if keys else column(table.items),
            column(table.coders),
            column(table.labels),
            categories=declared,
            duplicates=duplicates,
            weights=table.weights,
        )
    return Annotations.from_wide(
        table.labels.decode(),
        categories=declared,
        items=None if table.items is None else table.items.decode().tolist(),
        coders=table.coders,
        weights=table.weights,
    )


def _categories(arguments: argparse.Namespace, table: Table) -> list[Any] | None:
    """Give the declared categories as the kind of value that the labels are."""
    option = "--order" if arguments.order is not None else "--categories"
    text = arguments.order if arguments.order is not None else arguments.categories
    if text is None:
        return None
    names = _listed([text], option)
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise _UsageError(f"{option} names {repeated[0]!r} twice")
    values = table.labels.values
    if values.dtype.kind == "b" and set(names) <= {"true", "false"}:
        return [name == "true" for name in names]
    if values.dtype.kind in "iuf":
        try:
            return [int(name) if re.fullmatch(r"[+-]?\d+", name) else float(name) for name in names]
        except ValueError:
            from agreement_fast.report import show_label

            bad = next(name for name in names if not _is_number(name))
            some = ", ".join(show_label(value) for value in values[:5].tolist())
            raise _UsageError(
                f"{option} names {bad!r}, but the labels are numbers ({some}): pass --text to take"
                " them as text"
            ) from None
    # JSON labels may be of several kinds.
    known = {str(value): value for value in values.tolist()}
    return [known.get(name, name) for name in names]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


#: What the library advises, and what that is on the command line.
_IN_OPTIONS = (
    (r"pass duplicates='first' or duplicates='last'", "pass --duplicates first or last"),
    (r"or list it in missing=$", "or pass --missing"),
    (r"declare the order, as in categories=\[.*\]", 'pass --order "low,medium,high"'),
    (r"and declare categories=$", 'and pass --order "low,medium,high"'),
    (r", and their aliases in agreement_fast\.COEFFICIENTS", ""),
    (r"^items names (.*) twice$", r"item \1 stands in two rows: --wide means one row an item"),
    (r"\b(categories|incomplete|weights|distance)=", r"--\1 "),
)


@contextlib.contextmanager
def _in_options(place: str, rewrite: Callable[[str], str] = str) -> Iterator[None]:
    """Say what Python's arguments say in the words of the command line, on one line."""
    try:
        yield
    except (ValueError, TypeError, OverflowError) as error:
        message = rewrite(str(error))
        for pattern, words in _IN_OPTIONS:
            message = re.sub(pattern, words, message)
        raise _UsageError(place + message) from None


def _place(arguments: argparse.Namespace, group: Any) -> str:
    """Name a group in front of an error."""
    from agreement_fast.report import show_label

    return f"{arguments.by} = {show_label(group)}: " if arguments.by else ""


def _remarks(
    table: Table,
    declared: list[Any] | None,
    coefficients: list[str] | None,
    distances: list[str],
    reports: Sequence[tuple[Any, int, Report]],
) -> list[str]:
    """What a newcomer should know about the options, one sentence each."""
    from agreement_fast.names import named

    remarks = []
    numbers = table.labels.values.dtype.kind in "iuf" and len(table.labels.values) > 2
    if distances == ["nominal"] and numbers:
        remarks.append(
            "the labels are numbers: if their order or distance means something, --distance ordinal"
            " or --distance interval counts a near miss as less than a far one"
        )
    others = [name for name in distances if name != "nominal"]
    for name in coefficients or ():
        row = named(name)
        if others and row.nominal_only:
            remarks.append(
                f"{name} knows the nominal distance only; with {' and '.join(others)} it is called"
                f" {row.weighted}"
            )
    sizes = {len(found.categories) for _, _, found in reports}
    if declared is None and len(sizes) > 1:
        remarks.append(
            "the groups use different numbers of categories, which S and AC depend on: --categories"
            " makes them the same"
        )
    return remarks


# ---------------------------------------------------------------------------------------------
# Output


def _text(
    arguments: argparse.Namespace,
    source: Source,
    notes: Sequence[str],
    reports: Sequence[tuple[Any, int, Report]],
) -> str:
    from agreement_fast.report import show_label

    width = min(max(shutil.get_terminal_size((96, 24)).columns, 80), 96)
    parts = ["\n".join([f"agreement-fast {_version()}", "", *_read_lines(arguments, source, notes,
                                                                      width)])]  # fmt: skip
    explain = True
    for group, rows, found in reports:
        if arguments.by:
            name = "no value" if group is None else show_label(group, 60)
            head = f"{show_label(arguments.by)}: {name} ({rows:,} {'row' if rows == 1 else 'rows'})"
            parts.append(f"{head}\n{'=' * min(len(head), width)}")
        parts.append(found.to_text(width=width, explain=explain).rstrip("\n"))
        # Once is enough, where it was all said.
        explain = explain and all(result.undefined is not None for result in found.table)
    return "\n\n".join(parts) + "\n"


def _read_lines(
    arguments: argparse.Namespace, source: Source, notes: Sequence[str], width: int
) -> list[str]:
    import textwrap

    from agreement_fast.report import show_label

    # The end of a long path tells more than its beginning, and leaves room for the rest.
    ends = [name if len(name) <= 64 else "…" + name[-63:] for name in source.files[:5]]
    names = ["standard input" if name == "-" else show_label(name, 200) for name in ends]
    if len(source.files) > 5:
        names.append(f"{len(source.files) - 5:,} more")
    formats = {"csv": "CSV", "json": "JSON", "parquet": "Parquet"}
    kinds = " and ".join(dict.fromkeys(formats[name] for name in source.formats))
    if source.layout == "wide":
        shown = [show_label(name) for name in source.coders[:12]]
        if len(source.coders) > 12:
            shown.append(f"{len(source.coders) - 12:,} more")
        columns = [f"coders are {', '.join(shown)}"]
        if source.item is not None:
            columns.insert(0, f"item is {show_label(source.item)}")
    else:
        roles = (("item", source.item), ("coder", source.coder), ("label", source.label))
        columns = [f"{role} is {show_label(name)}" for role, name in roles]
    if source.weights is not None:
        columns.append(f"weights are {show_label(source.weights)}")
    guessed = ", ".join(source.guessed)
    rows = f"{source.rows:,}"
    if source.where is not None:
        rows += f" of {source.rows_in_files:,}, where {show_label(source.where, 200)}"
    entries = [
        ("files", f"{', '.join(names)} ({kinds}, {source.layout})"),
        ("columns", ", ".join(columns)),
        *([("guessed", f"{guessed}, from the names of the columns")] if guessed else []),
        ("rows", rows),
        *([("missing", ", ".join(map(show_label, arguments.missing)) + " and empty cells")]
          if arguments.missing else []),
        *([("incomplete", arguments.incomplete)] if arguments.incomplete != "published" else []),
        *(("note", "".join(c if c.isprintable() else ascii(c)[1:-1] for c in note))
          for note in notes),
    ]  # fmt: skip
    lines = ["Read"]
    for name, value in entries:
        lines += textwrap.wrap(
            value,
            width,
            initial_indent=f"  {name:<10}  ",
            subsequent_indent=" " * 14,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _document(
    arguments: argparse.Namespace,
    source: Source,
    notes: Sequence[str],
    declared: list[Any] | None,
    reports: Sequence[tuple[Any, int, Report]],
) -> dict[str, Any]:
    """Give the document of docs/report.schema.json."""
    return {
        "agreement_fast": _version(),
        "schema_version": SCHEMA_VERSION,
        "source": {
            "files": [
                {"name": name, "format": form}
                for name, form in zip(source.files, source.formats, strict=True)
            ],
            "layout": source.layout,
            "columns": {
                "item": source.item,
                "coder": source.coder,
                "label": source.label,
                "coders": list(source.coders) if source.layout == "wide" else None,
                "weights": source.weights,
                "by": source.by,
            },
            "guessed": list(source.guessed),
            "where": source.where,
            "rows": source.rows,
            "rows_in_files": source.rows_in_files,
            "notes": list(notes),
        },
        "options": {
            "missing": list(arguments.missing),
            "duplicates": arguments.duplicates or "error",
            "incomplete": arguments.incomplete,
            "categories": declared,
            "ordered": arguments.order is not None,
        },
        "reports": [
            {"group": group, "rows": rows, **found.to_dict()} for group, rows, found in reports
        ],
    }


def _write(text: str) -> None:
    """Print a text whatever the encoding of the standard output is."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("\u2026", "...")
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    sys.stdout.write(text)
    sys.stdout.flush()


def _fail(message: str) -> int:
    """Print one line on the standard error."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message.replace("\n", " "))
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    line = line.encode(encoding, "backslashreplace").decode(encoding)
    print(f"agreement-fast: {line}", file=sys.stderr)
    return USAGE_ERROR


if __name__ == "__main__":
    sys.exit(main())
