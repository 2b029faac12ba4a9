"""The options that commands share, in groups, and what their values mean."""

from __future__ import annotations

import argparse
import contextlib
import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.wording import in_options
from agreement_fast.terminal import show_label

if TYPE_CHECKING:
    from agreement_fast.files.columns import AskedColumns


#: Distances between the nodes of ``--tree``; the first is the default.
TREE_DISTANCES = ("wu_palmer", "path", "path_scaled", "leaf_overlap", "level_dependent")

#: Arguments of argparse for ``--exclude``.
EXCLUDE: Mapping[str, Any] = {
    "metavar": "COLUMN",
    "action": "append",
    "help": "ignore these columns, A,B,C, when guessing which hold items, coders and labels; may be"
    " repeated",
}


#: Arguments of argparse for ``--coder-from``.
CODER_FROM: Mapping[str, Any] = {
    "metavar": "HOW",
    "help": "take the coder's name from the path: file, folder, or a regular expression with one"
    " group; exports of some tools offer more (docs/formats.md)",
}


def add_annotations(
    parser: argparse.ArgumentParser,
    *,
    example: str | None,
    measures: str = "all",
    incomplete: str = "published",
) -> None:
    """Add the options that `reading.open_annotations` reads.

    Call `add_format` last, after the command's own options.

    Parameters
    ----------
    parser : ArgumentParser
    example : str, optional
        What ``--example`` does; None if the command has no example.
    measures : {"all", "distances", "none"}
        Whether users choose coefficients and distances, only distances, or neither.
    incomplete : str, default "published"
        The default of ``--incomplete``.
    """
    add_files(parser)
    if example is None:
        parser.set_defaults(example=None)
    else:
        parser.add_argument("--example", action="store_true", help=example)
    add_columns(parser)
    add_export(parser)
    add_rows(parser)
    if measures == "all":
        add_measures(parser, incomplete)
    else:
        parser.set_defaults(coefficients=None, incomplete=incomplete)
    if measures == "distances":
        add_distances(parser.add_argument_group("measures"))
    elif measures == "none":
        parser.set_defaults(distance=[], matrix=None, tree=None)


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the argument FILE."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="CSV, TSV, JSON or JSON lines, also as .gz or .zst; Parquet; Excel or OpenDocument;"
        " SPSS, Stata or SAS; an export of an annotation tool (a file, a folder or a zip). A glob"
        " names several files, - the standard input",
    )


def add_export(parser: argparse.ArgumentParser, *, units: bool = False) -> None:
    """Add the options of exports; `units` says that spans are compared as units."""
    export = parser.add_argument_group("exports of annotation tools (docs/formats.md)")
    export.add_argument(
        "--format",
        metavar="NAME",
        help="the tool that wrote the files, such as label-studio, if it is not recognised; table"
        " for a plain table",
    )
    export.add_argument(
        "--question",
        metavar="NAME",
        help="the layer of spans to compare, if there are several"
        if units
        else "the question to compare, if there are several",
    )
    if not units:
        export.add_argument(
            "--spans",
            metavar="HOW",
            help="how spans become items: exact, overlapping, document, paragraph, line, or a"
            " length such as '200 characters'",
        )
    export.add_argument("--only-coders", metavar="A,B,C", help="compare only these coders")
    export.add_argument(
        "--document-from",
        metavar="HOW",
        help="take the document's name from the path: file, folder, or a regular expression with"
        " one group",
    )
    export.add_argument(
        "--item-from",
        metavar="HOW",
        help="what identifies an item: id, text or a field of the tool",
    )
    for name, said in (
        ("predictions", "include a model's predictions as a coder"),
        ("curation", "include the curator or reviewer as a coder"),
        ("unfinished", "include documents that a coder did not finish"),
    ):
        export.add_argument(f"--with-{name}", action="store_true", help=said)
    export.add_argument(
        "--count-skips",
        action="store_true",
        help="count a skipped item as a label (default: as missing)",
    )
    export.add_argument(
        "--count-empty",
        action="store_true",
        help="count an item without a label as a judgment if the tool leaves open whether the coder"
        " saw it (default: as missing)"
        + ("" if units else "; in a table of sets, an item without a code is the empty set"),
    )


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Add the options that name columns."""
    columns = parser.add_argument_group("columns (guessed from their names if not given)")
    columns.add_argument(
        "--item", metavar="COLUMN", help="what was judged; A,B if two columns identify it together"
    )
    columns.add_argument(
        "--coder",
        metavar="COLUMN",
        action="append",
        help="who judged; with --wide, the columns of the coders, A,B,C (default: all others)",
    )
    columns.add_argument("--coder-from", **CODER_FROM)
    columns.add_argument("--label", metavar="COLUMN", help="the label that the coder gave")
    columns.add_argument(
        "--wide", action="store_true", help="the file has one row per item and one column per coder"
    )
    columns.add_argument(
        "--layout",
        choices=("long", "wide", "counts", "contingency"),
        help="long: one judgment per row; wide: as --wide; counts: one column per label, with how"
        " often an item got it; contingency: two coders' table of labels",
    )
    columns.add_argument("--weights", metavar="COLUMN", help="how many items a row stands for")
    columns.add_argument(
        "--by",
        metavar="COLUMN",
        help="treat each value of this column as a group of its own; A,B for combinations",
    )
    columns.add_argument("--exclude", **EXCLUDE)


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Add the options that select rows and say what labels mean."""
    rows = parser.add_argument_group("rows and labels")
    rows.add_argument(
        "--where", metavar="CONDITION", help="read only the rows that satisfy this SQL condition"
    )
    rows.add_argument(
        "--missing",
        metavar="LABEL",
        action="append",
        default=[],
        help="a label that means no judgment, such as NA; may be repeated (empty cells always mean"
        " no judgment)",
    )
    rows.add_argument(
        "--duplicates",
        choices=("error", "first", "last", "majority", "set"),
        default=None,
        help="if a coder judged an item twice: stop with an error (default), keep the first, the"
        " last or the most frequent label (a tie is missing), or take all of them as one set",
    )
    rows.add_argument(
        "--repeats",
        metavar="CODER",
        help="measure how well a coder repeats their own judgments: compare only this coder's"
        " first, second, ... judgments of the same items",
    )
    rows.add_argument(
        "--categories", metavar="A,B,C", help="all categories, including those that nobody used"
    )
    rows.add_argument(
        "--order",
        metavar="LOW,..,HIGH",
        help="all categories from lowest to highest; adds the ordinal distance if no --distance is"
        " given",
    )
    rows.add_argument("--text", action="store_true", help="read labels such as 1 as text")
    rows.add_argument(
        "--set-separator",
        metavar="CHAR",
        help="labels are sets whose elements this character separates, such as | in a|b; adds the"
        " distance masi if no --distance is given",
    )
    rows.add_argument(
        "--empty-set", metavar="LABEL", help="the label that means the empty set, such as NONE"
    )


def add_measures(parser: argparse.ArgumentParser, incomplete: str = "published") -> None:
    """Add the options that choose distances, coefficients and items."""
    measures = parser.add_argument_group("measures")
    add_distances(measures)
    measures.add_argument(
        "--coefficients",
        metavar="NAMES",
        action="append",
        help="coefficients to compute, such as pi,kappa,alpha; other tools' names, such as"
        " fleiss_kappa, are understood",
    )
    measures.add_argument(
        "--incomplete",
        choices=("published", "pairable", "complete"),
        default=incomplete,
        help="how items with missing judgments count: published (as each coefficient's authors"
        " define it), pairable (only items with two judgments or more), complete (only items that"
        f" every coder judged) (default: {incomplete})",
    )


def add_distances(measures: Any) -> None:
    """Add the options that choose distances to a group."""
    measures.add_argument(
        "--distance",
        metavar="NAME",
        action="append",
        default=[],
        help="how far two labels are apart, in addition to nominal (equal or not): ordinal"
        " (Krippendorff's, not irrCAC's), interval, ratio, linear, rank_linear, rank_quadratic,"
        " circular:PERIOD, bipolar:LOW:HIGH; for sets masi, jaccard, dice, passonneau,"
        " masi_product, hamming, overlap; for texts bigram_dice, word_dice, edit, edit_scaled; with"
        " --tree wu_palmer (its default), path, path_scaled, leaf_overlap, level_dependent; may be"
        " repeated (docs/choosing.md)",
    )
    measures.add_argument(
        "--matrix",
        metavar="FILE",
        help="a CSV or JSON file of distances between the categories: a square table with names on"
        " both sides, or rows of a, b, distance",
    )
    measures.add_argument(
        "--tree",
        metavar="FILE",
        help="a CSV, text or JSON file of a hierarchy of categories: rows of child, parent, or"
        " indented lines",
    )


def add_page(parser: argparse.ArgumentParser, *, show: bool = True) -> None:
    """Add the options of an HTML page; `show` says that items may have texts."""
    page = parser.add_argument_group("HTML page")
    page.add_argument(
        "--html",
        metavar="FILE",
        help="write the results as one HTML page that opens offline, of 400 kB at most",
    )
    if show:
        page.add_argument(
            "--show", metavar="COLUMN", help="the text or link of each item, shown on the page"
        )
        page.add_argument("--no-text", action="store_true", help="leave texts out of the page")


def add_format(parser: argparse.ArgumentParser, *, page: str, progress: bool = True) -> None:
    """Add the options of the file format and the output."""
    form = parser.add_argument_group("file format and output")
    form.add_argument(
        "--skip-rows",
        metavar="N",
        type=int,
        default=0,
        help="rows to skip above the header of a CSV file or sheet, such as a title",
    )
    form.add_argument(
        "--sheet",
        metavar="NAME",
        help="sheet of a spreadsheet, by name or by number from 1 (needed if there are several)",
    )
    form.add_argument(
        "--value-codes",
        action="store_true",
        help="read the numbers of SPSS and Stata files instead of their value labels",
    )
    form.add_argument(
        "--no-header",
        action="store_true",
        help="the file has no header: its columns are called 1, 2, 3",
    )
    form.add_argument(
        "--delimiter", metavar="CHAR", help="what separates the columns of a CSV file; tab for tabs"
    )
    form.add_argument(
        "--encoding",
        choices=("utf-8", "utf-16", "cp1252", "latin-1"),
        help="encoding of a CSV file (default: utf-8)",
    )
    form.add_argument("--json", action="store_true", help=f"print a JSON document (docs/{page})")
    form.add_argument(
        "--csv", metavar="FILE", help="write the results as a CSV table; - prints it instead"
    )
    if progress:
        form.add_argument(
            "--progress",
            action=argparse.BooleanOptionalAction,
            default=None,
            help="show a progress bar for long computations (default: only on a terminal)",
        )


def add_resampling(parser: argparse.ArgumentParser) -> None:
    """Add the options of bootstrap intervals."""
    intervals = parser.add_argument_group("intervals")
    intervals.add_argument(
        "--ci-method",
        metavar="NAME",
        choices=("percentile", "basic", "bca"),
        help="bootstrap method: percentile, basic or bca (default: bca if it can be computed)",
    )
    add_confidence(intervals)
    intervals.add_argument(
        "--resamples",
        metavar="N",
        type=int,
        default=2000,
        help="number of bootstrap resamples (default: 2,000)",
    )
    intervals.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=0,
        help="seed of the random numbers (default: 0)",
    )


def add_confidence(group: Any) -> None:
    """Add the option of the confidence level to a group."""
    group.add_argument(
        "--confidence",
        metavar="PERCENT",
        type=float,
        default=95.0,
        help="confidence level of the intervals (default: 95)",
    )


def confidence_level(arguments: argparse.Namespace) -> float:
    """Return the value of ``--confidence`` as a share."""
    percent: float = arguments.confidence
    if not 1 < percent < 100:
        raise UsageError(f"--confidence must be a percentage, such as 95, not {percent:g}")
    return percent / 100


def asked_columns(arguments: argparse.Namespace, roles: Iterable[str]) -> AskedColumns:
    """Return the columns that the options name for these roles."""
    from agreement_fast.files.columns import AskedColumns

    return AskedColumns(
        named={role: name for role in roles if (name := getattr(arguments, role)) is not None},
        where=arguments.where,
        header=not arguments.no_header,
        delimiter=delimiter(arguments),
        encoding=arguments.encoding,
        exclude=excluded(arguments),
        skip_rows=skipped_rows(arguments),
        sheet=arguments.sheet,
        coder_from=arguments.coder_from,
        value_codes=arguments.value_codes,
    )


def delimiter(arguments: argparse.Namespace) -> str | None:
    """Return the character of ``--delimiter``."""
    given: str | None = arguments.delimiter
    return "\t" if given in ("tab", "\\t") else given


def check_bootstrap(arguments: argparse.Namespace) -> None:
    """Refuse invalid numbers of resamples and invalid seeds."""
    from agreement_fast.inference.intervals import LEAST_DEFINED
    from agreement_fast.options import check_count, check_resamples

    with in_options(arguments):
        if arguments.resamples is not None:
            check_resamples(arguments.resamples, LEAST_DEFINED)
        if arguments.seed is not None:
            check_count("rng", arguments.seed, 0)


def excluded(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the columns of ``--exclude``."""
    return tuple(listed(arguments.exclude, "--exclude"))


def skipped_rows(arguments: argparse.Namespace) -> int:
    """Return the number of ``--skip-rows``."""
    given: int = arguments.skip_rows
    if given < 0:
        raise UsageError(f"--skip-rows must be 0 or more, not {given}")
    return given


def asked_coefficients(arguments: argparse.Namespace) -> list[str] | None:
    """Return the names of ``--coefficients``; None for the defaults."""
    return listed(arguments.coefficients, "--coefficients") or None


def with_weighted(coefficients: list[str] | None, distances: Sequence[str]) -> list[str] | None:
    """Add the weighted form of each coefficient if a distance other than nominal is asked for.

    A user who asks for kappa and the ordinal distance expects the weighted kappa, too.
    """
    from agreement_fast.points import named

    if coefficients is None or set(distances) == {"nominal"}:
        return coefficients
    requested = list(coefficients)
    for name in coefficients:
        # Unknown names are refused later, when they are resolved.
        with contextlib.suppress(ValueError):
            weighted = named(name).weighted
            if weighted is not None and named(weighted) not in map(named, requested):
                requested.append(weighted)
    return requested


def asked_distances(arguments: argparse.Namespace, *, of_sets: bool = False) -> list[str]:
    """Return nominal and the names of ``--distance``, or the default for an order or for sets.

    `of_sets` says that the labels were found to be sets.
    """
    from agreement_fast.distances import usual_names

    given = listed(arguments.distance, "--distance")
    given = [_tree_name(name, arguments) for name in given]
    if arguments.tree is not None and not set(given) & set(TREE_DISTANCES):
        given.append(TREE_DISTANCES[0])
    if arguments.matrix is not None:
        given.append("matrix")
    if not given:
        of_sets = of_sets or bool(arguments.set_separator) or arguments.duplicates == "set"
        given = ["ordinal"] if arguments.order else list(usual_names(of_sets))
    return list(dict.fromkeys(["nominal", *given]))


def _tree_name(name: str, arguments: argparse.Namespace) -> str:
    """Return the canonical name of a distance; trees and matrices need their file."""
    plain = name.strip().lower().replace("-", "_")
    if plain in TREE_DISTANCES:
        if arguments.tree is None:
            raise UsageError(f"--distance {plain} compares nodes of a tree: pass --tree FILE, too")
        return plain
    if plain == "matrix":
        if arguments.matrix is None:
            raise UsageError("--distance matrix is read from a file: pass --matrix FILE, too")
        return plain
    return name


def with_commas(names: Iterable[Any], option: str) -> str:
    """Return a hint on how to write names that contain a comma; "" if there are none."""
    some = [show_label(name, 40) for name in names if "," in str(name)][:2]
    if not some:
        return ""
    written = ",".join(f'"{name}"' for name in some)
    return f"; put a name that contains a comma in quotes: {option} '{written}'"


def listed(texts: Sequence[str] | None, option: str) -> list[str]:
    """Split texts at commas, as CSV does: "a,b" in quotes is one value."""
    cells = [
        cell.strip()
        for text in texts or ()
        for cell in next(csv.reader([text], skipinitialspace=True), [])
    ]
    if texts and not all(cells):
        raise UsageError(f"{option} has an empty name")
    if texts and not cells:
        raise UsageError(f"{option} is empty")
    return cells
