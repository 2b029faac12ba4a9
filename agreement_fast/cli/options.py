"""The options that commands share, in groups, and what their values mean."""

from __future__ import annotations

import argparse
import contextlib
import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.wording import in_options

if TYPE_CHECKING:
    from agreement_fast.files.columns import AskedColumns

__all__ = [
    "CODER_FROM",
    "EXCLUDE",
    "TREE_DISTANCES",
    "add_annotations",
    "add_columns",
    "add_distances",
    "add_export",
    "add_files",
    "add_format",
    "add_measures",
    "add_resampling",
    "add_rows",
    "asked_coefficients",
    "asked_columns",
    "asked_distances",
    "confidence_level",
    "delimiter",
    "excluded",
    "listed",
    "skipped_rows",
    "with_commas",
    "with_weighted",
]

#: Distances between the nodes of ``--tree``; the first is the usual one.
TREE_DISTANCES = ("wu_palmer", "path", "path_scaled", "leaf_overlap", "level_dependent")

#: How ``--exclude`` is taken.
EXCLUDE: Mapping[str, Any] = {
    "metavar": "COLUMN",
    "action": "append",
    "help": "no coder and not to be guessed, A,B,C; may be repeated",
}


#: How ``--coder-from`` is taken.
CODER_FROM: Mapping[str, Any] = {
    "metavar": "HOW",
    "help": "where the coder's name is: file, folder, or a regular expression with one group on the"
    " path; exports of some tools have more places (docs/formats.md)",
}


def add_annotations(
    parser: argparse.ArgumentParser,
    *,
    example: str | None,
    measures: str = "all",
    incomplete: str = "published",
) -> None:
    """Take files of annotations, in the words that `reading.open_annotations` understands.

    `add_format` belongs at the end, behind a command's own options.

    Parameters
    ----------
    parser : ArgumentParser
    example : str, optional
        What ``--example`` does; None where there is none.
    measures : {"all", "distances", "none"}
        Whether coefficients and distances are chosen, only distances, or neither.
    incomplete : str, default "published"
        Which items count where judgments are missing and nobody says it.
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
    """Take files."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="CSV, TSV or JSON (lines), also .gz or .zst; Parquet; Excel, OpenDocument; SPSS,"
        " Stata, SAS; an export of an annotation tool: a file, a folder, a zip; a glob; - for"
        " standard input",
    )


def add_export(parser: argparse.ArgumentParser, *, units: bool = False) -> None:
    """Say what is meant of an export; `units`: spans are compared as units."""
    export = parser.add_argument_group("exports of annotation tools (docs/formats.md)")
    export.add_argument(
        "--format",
        metavar="NAME",
        help="the tool, such as label-studio, where it is not recognised; table for a plain table",
    )
    export.add_argument(
        "--question",
        metavar="NAME",
        help="the layer of spans, if there are several" if units else "which of several questions",
    )
    if not units:
        export.add_argument(
            "--spans",
            metavar="HOW",
            help="what items spans become: exact, overlapping, document, paragraph, line, or '200"
            " characters', say",
        )
    export.add_argument("--only-coders", metavar="A,B,C", help="compare only these coders")
    export.add_argument(
        "--document-from",
        metavar="HOW",
        help="where the document's name is: file, folder, or a regular expression with one group",
    )
    export.add_argument(
        "--item-from", metavar="HOW", help="what names an item: id, text or a field of the tool"
    )
    for name, said in (
        ("predictions", "what a model said counts as a coder"),
        ("curation", "what a curator or reviewer said counts as a coder"),
        ("unfinished", "documents that a coder did not finish count"),
    ):
        export.add_argument(f"--with-{name}", action="store_true", help=said)
    export.add_argument(
        "--count-skips", action="store_true", help="skipping an item is a label (default: missing)"
    )
    export.add_argument(
        "--count-empty",
        action="store_true",
        help="no label is a judgment where the tool leaves that open (default: missing)"
        + ("" if units else "; of a table of sets: where a coder gave an item no code"),
    )


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Say which columns hold what."""
    columns = parser.add_argument_group("columns (guessed from their names where not given)")
    columns.add_argument("--item", metavar="COLUMN", help="what was judged; A,B for both together")
    columns.add_argument(
        "--coder",
        metavar="COLUMN",
        action="append",
        help="who judged; with --wide the columns of the coders, A,B,C (default: all others)",
    )
    columns.add_argument("--coder-from", **CODER_FROM)
    columns.add_argument("--label", metavar="COLUMN", help="the judgment")
    columns.add_argument("--wide", action="store_true", help="one row an item, one column a coder")
    columns.add_argument("--weights", metavar="COLUMN", help="how many items a row stands for")
    columns.add_argument(
        "--by", metavar="COLUMN", help="compare the groups that a column makes, or several: A,B"
    )
    columns.add_argument("--exclude", **EXCLUDE)


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Say which rows count, and what labels mean."""
    rows = parser.add_argument_group("rows and labels")
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
        choices=("error", "first", "last", "majority", "set"),
        default=None,
        help="where a coder judged an item twice: stop (error, the default), keep the first, the"
        " last, the most frequent label (a tie is missing), or the set of all (labels become sets)",
    )
    rows.add_argument(
        "--repeats",
        metavar="CODER",
        help="compare only this coder's repeated judgments of an item: the first, the second, ...",
    )
    rows.add_argument("--categories", metavar="A,B,C", help="all categories, used or not")
    rows.add_argument(
        "--order",
        metavar="LOW,..,HIGH",
        help="all categories from lowest to highest; adds the ordinal distance if none is given",
    )
    rows.add_argument("--text", action="store_true", help="keep labels such as 1 as text")
    rows.add_argument(
        "--set-separator",
        metavar="CHAR",
        help="labels are sets, such as a|b with |; adds the distance masi if none is given",
    )
    rows.add_argument(
        "--empty-set", metavar="LABEL", help="the label that is the empty set, such as NONE"
    )


def add_measures(parser: argparse.ArgumentParser, incomplete: str = "published") -> None:
    """Choose distances and coefficients, and which items count."""
    measures = parser.add_argument_group("measures")
    add_distances(measures)
    measures.add_argument(
        "--coefficients",
        metavar="NAMES",
        action="append",
        help="such as pi,kappa,alpha; names of other tools too (fleiss_kappa)",
    )
    measures.add_argument(
        "--incomplete",
        choices=("published", "pairable", "complete"),
        default=incomplete,
        help="items with missing judgments: as each coefficient's authors have it, only items with"
        f" two judgments, only items that every coder judged (default: {incomplete})",
    )


def add_distances(measures: Any) -> None:
    """Choose distances, in a group of options."""
    measures.add_argument(
        "--distance",
        metavar="NAME",
        action="append",
        default=[],
        help="beside nominal: ordinal (Krippendorff's, not irrCAC's), interval, ratio, linear,"
        " rank_linear, rank_quadratic, circular:PERIOD, bipolar:LOW:HIGH; for sets masi, jaccard,"
        " dice, passonneau, masi_product, hamming, overlap; for texts bigram_dice, word_dice, edit,"
        " edit_scaled; with --tree wu_palmer (its default),"
        " path, path_scaled, leaf_overlap, level_dependent; may be repeated",
    )
    measures.add_argument(
        "--matrix",
        metavar="FILE",
        help="distances between the categories, CSV or JSON: a square with names on both sides, or"
        " rows of a, b, distance",
    )
    measures.add_argument(
        "--tree",
        metavar="FILE",
        help="categories that stand below others, CSV, text or JSON: rows of child, parent, or"
        " indented lines",
    )


def add_page(parser: argparse.ArgumentParser, *, show: bool = True) -> None:
    """Write a page of HTML; `show` says that items may have texts."""
    page = parser.add_argument_group("page to forward")
    page.add_argument(
        "--html",
        metavar="FILE",
        help="write one page of HTML that opens offline, of 400 kB at most",
    )
    if show:
        page.add_argument(
            "--show", metavar="COLUMN", help="the text or link of each item, for that page"
        )
        page.add_argument("--no-text", action="store_true", help="leave texts out of it")


def add_format(parser: argparse.ArgumentParser, *, page: str, progress: bool = True) -> None:
    """Say how files are written and what is printed."""
    form = parser.add_argument_group("file format and output")
    form.add_argument(
        "--skip-rows",
        metavar="N",
        type=int,
        default=0,
        help="rows above the header of a CSV or sheet, such as a title",
    )
    form.add_argument(
        "--sheet", metavar="NAME", help="of a spreadsheet, or its number from 1 (default: the only)"
    )
    form.add_argument(
        "--value-codes",
        action="store_true",
        help="numbers of SPSS and Stata, not their value labels",
    )
    form.add_argument("--no-header", action="store_true", help="columns are called 1, 2, 3")
    form.add_argument("--delimiter", metavar="CHAR", help="of CSV; tab for a tabulator")
    form.add_argument(
        "--encoding", choices=("utf-8", "utf-16", "cp1252", "latin-1"), help="of CSV; default utf-8"
    )
    form.add_argument("--json", action="store_true", help=f"print a JSON document (docs/{page})")
    form.add_argument("--csv", metavar="FILE", help="write the values as a table; - to print it")
    if progress:
        form.add_argument(
            "--progress",
            action=argparse.BooleanOptionalAction,
            default=None,
            help="show a bar while something takes long (default: on a terminal)",
        )


def add_resampling(parser: argparse.ArgumentParser) -> None:
    """Take how the intervals of a bootstrap are made."""
    intervals = parser.add_argument_group("intervals")
    intervals.add_argument(
        "--ci-method",
        metavar="NAME",
        choices=("percentile", "basic", "bca"),
        help="how a bootstrap gives an interval: percentile, basic, bca (default: bca where it can"
        " be had)",
    )
    intervals.add_argument(
        "--confidence", metavar="PERCENT", type=float, default=95.0, help="(default: 95)"
    )
    intervals.add_argument(
        "--resamples", metavar="N", type=int, default=2000, help="(default: 2,000)"
    )
    intervals.add_argument("--seed", metavar="N", type=int, default=0, help="(default: 0)")


def confidence_level(arguments: argparse.Namespace) -> float:
    """Give the share that ``--confidence`` says."""
    percent: float = arguments.confidence
    if not 1 < percent < 100:
        raise UsageError(f"--confidence must be a percentage, such as 95, not {percent:g}")
    return percent / 100


def asked_columns(arguments: argparse.Namespace, roles: Iterable[str]) -> AskedColumns:
    """Give what the options say of columns that have these roles."""
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
    """Give the character of ``--delimiter``."""
    given: str | None = arguments.delimiter
    return "\t" if given in ("tab", "\\t") else given


def check_bootstrap(arguments: argparse.Namespace) -> None:
    """Refuse numbers of resamples that give no interval, and seeds that are none."""
    from agreement_fast.inference.intervals import LEAST_DEFINED
    from agreement_fast.options import check_count, check_resamples

    with in_options(arguments):
        if arguments.resamples is not None:
            check_resamples(arguments.resamples, LEAST_DEFINED)
        if arguments.seed is not None:
            check_count("rng", arguments.seed, 0)


def excluded(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Give the columns of ``--exclude``."""
    return tuple(listed(arguments.exclude, "--exclude"))


def skipped_rows(arguments: argparse.Namespace) -> int:
    """Give the number of ``--skip-rows``."""
    given: int = arguments.skip_rows
    if given < 0:
        raise UsageError(f"--skip-rows must be 0 or more, not {given}")
    return given


def asked_coefficients(arguments: argparse.Namespace) -> list[str] | None:
    """Give the names of ``--coefficients``; None for the defaults."""
    return listed(arguments.coefficients, "--coefficients") or None


def with_weighted(coefficients: list[str] | None, distances: Sequence[str]) -> list[str] | None:
    """Add to coefficients of the nominal distance what they are called with another one.

    Who asks for kappa and the ordinal distance wants the weighted kappa, too.
    """
    from agreement_fast.points import named

    if coefficients is None or set(distances) == {"nominal"}:
        return coefficients
    requested = list(coefficients)
    for name in coefficients:
        # Unknown names are refused where they are looked up for good.
        with contextlib.suppress(ValueError):
            weighted = named(name).weighted
            if weighted is not None and named(weighted) not in map(named, requested):
                requested.append(weighted)
    return requested


def asked_distances(arguments: argparse.Namespace, *, of_sets: bool = False) -> list[str]:
    """Give nominal and the names of ``--distance``; an order or sets ask for theirs.

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
    """Give the name of a distance as it is known; those of trees and matrices need their file."""
    plain = name.strip().lower().replace("-", "_")
    if plain in TREE_DISTANCES:
        if arguments.tree is None:
            raise UsageError(f"--distance {plain} is between the nodes of a tree: pass --tree FILE")
        return plain
    if plain == "matrix":
        if arguments.matrix is None:
            raise UsageError("--distance matrix is that of a file: pass --matrix FILE")
        return plain
    return name


def with_commas(names: Iterable[Any], option: str) -> str:
    """Say how to write names that hold a comma in an option that lists names; "" without such."""
    from agreement_fast.terminal import show_label

    some = [show_label(name, 40) for name in names if "," in str(name)][:2]
    if not some:
        return ""
    written = ",".join(f'"{name}"' for name in some)
    return f"; a name with a comma stands in quotes: {option} '{written}'"


def listed(texts: Sequence[str] | None, option: str) -> list[str]:
    """Split values at commas as CSV does: "a,b" in quotes is one value."""
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
