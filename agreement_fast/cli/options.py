"""The options that commands share, in groups, and what their values mean."""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.terminal import show_label, some_of, spell_label

if TYPE_CHECKING:
    from agreement_fast.files import ColumnOptions


#: Distances between the nodes of ``--tree``; the first is the default.
TREE_DISTANCES = ("wu_palmer", "tree_path", "tree_path_scaled", "leaf_overlap", "level_dependent")

#: What stands behind the name of an option, such as ``N:int``.
_TYPES: Mapping[str, Any] = {"": None, "int": int, "float": float}

FORMAT = {
    "--skip-rows N:int": "rows to skip above the header of a CSV file or sheet, such as a title",
    "--sheet NAME": "sheet of a spreadsheet, by name or by number from 1 (needed if there are"
    " several)",
    "--value-codes": "read the numbers of SPSS and Stata files instead of their value labels",
    "--no-header": "the file has no header: its columns are called 1, 2, 3",
    "--delimiter CHAR": "what separates the columns of a CSV file; tab for tabs",
    "--encoding utf-8|utf-16|cp1252|latin-1": "encoding of a CSV file (default: utf-8)",
}
EXCLUDE = {
    "--exclude COLUMN ...": "ignore these columns, A,B,C, when guessing which hold items, coders"
    " and labels; may be repeated"
}
CODER_FROM = {
    "--coder-from HOW": "take the coder's name from the path: file, folder, or a regular expression"
    " with one group; exports of some tools offer more (docs/formats.md)"
}
CONFIDENCE = {
    "--confidence-level SHARE:float": "confidence level of the intervals (default: 0.95)",
}
COLUMNS = {
    "--item COLUMN": "what was judged; A,B if two columns identify it together",
    "--coder COLUMN ...": "who judged; with --layout wide, the columns of the coders, A,B,C"
    " (default: all others)",
    **CODER_FROM,
    "--label COLUMN": "the label that the coder gave",
    "--layout long|wide|counts|contingency": "long: one judgment per row; wide: one item per"
    " row, one column per coder; counts: one column per label, with how often an item got it;"
    " contingency: two coders' table of labels",
    "--weights COLUMN": "how many items a row stands for",
    "--by COLUMN": "treat each value of this column as a group of its own; A,B for combinations",
    **EXCLUDE,
}
ROWS = {
    "--where CONDITION": "read only the rows that satisfy this SQL condition",
    "--missing LABEL ...": "a label that means no judgment, such as NA; may be repeated (empty"
    " cells always mean no judgment)",
    "--duplicates error|first|last|majority|set": "if a coder judged an item twice: stop with an"
    " error (default), keep the first, the last or the most frequent label (a tie is missing), or"
    " take all of them as one set",
    "--repeats-of CODER": "measure how well a coder repeats their own judgments: compare only this"
    " coder's first, second, ... judgments of the same items",
    "--categories A,B,C": "all categories, including those that nobody used; from lowest to highest"
    " if they have an order",
    "--text": "read labels such as 1 as text",
    "--set-separator CHAR": "labels are sets whose elements this character separates, such as | in"
    " a|b; adds the distance masi if no --distance is given",
    "--empty-set LABEL": "the label that means the empty set, such as NONE",
}
DISTANCES = {
    "--distance NAME ...": "how far two labels are apart, in addition to nominal (equal or not):"
    " ordinal (Krippendorff's, not irrCAC's), interval, ratio, linear, rank_linear,"
    " rank_quadratic, circular:PERIOD, bipolar:LOW:HIGH, gwet:WEIGHTS (irrCAC's); for sets"
    " masi, jaccard, dice, passonneau, masi_product, hamming, overlap; for texts bigram_dice,"
    " word_dice, edit, edit_scaled; with --tree wu_palmer (its default), tree_path,"
    " tree_path_scaled, leaf_overlap, level_dependent; may be repeated (docs/choosing.md)",
    "--matrix FILE": "a CSV or JSON file of distances between the categories: a square table with"
    " names on both sides, or rows of a, b, distance",
    "--tree FILE": "a CSV, text or JSON file of a hierarchy of categories: rows of child, parent,"
    " or indented lines",
}


ANONYMOUS = {
    "--anonymous": "call coders by letters, items and documents by numbers, and files by neither"
    " name nor path, and leave out texts, in every output",
}


def declare(
    parser: argparse.ArgumentParser, title: str, declared: Mapping[str, str], **defaults: Any
) -> Any:
    """Add a group of options, and return it.

    Parameters
    ----------
    parser : ArgumentParser
    title : str
    declared : mapping
        From an option as the user types it to its help: ``--text`` is a switch, ``--limit N:int``
        takes a whole number, ``--ties first|last`` one of two words, ``--ties HOW=first|last`` the
        same with another name in the help, and ``--label NAME ...`` may be repeated.
    **defaults
        Values of the options that are not given; None if not here.
    """
    group = parser.add_argument_group(title)
    for usage, described in declared.items():
        name, *value = usage.split(" ")
        how: dict[str, Any] = {"action": "append" if value[1:] else "store"}
        if not value:
            how = {"action": "store_true"}
        elif "|" in value[0]:
            shown, _, choices = value[0].rpartition("=")
            how |= {"choices": tuple(choices.split("|")), "metavar": shown or None}
        else:
            how["metavar"], _, kind = value[0].partition(":")
            how["type"] = _TYPES[kind]
        option = group.add_argument(name, help=described, **how)
        option.default = defaults.get(option.dest, option.default)
    return group


def add_annotations(
    parser: argparse.ArgumentParser,
    *,
    example: str | None,
    measures: Literal["all", "distances", "none"] = "all",
    incomplete: str = "published",
) -> None:
    """Add the options that `reading.open_annotations` reads.

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
    declare(parser, "columns (guessed from their names if not given)", COLUMNS)
    add_export(parser)
    declare(parser, "rows and labels", ROWS, missing=[])
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="show a progress bar for long computations (default: only on a terminal)",
    )
    if measures != "all":
        parser.set_defaults(coefficient=None, incomplete=incomplete)
    if measures == "none":
        parser.set_defaults(distance=[], matrix=None, tree=None)
        return
    chosen = {
        "--coefficient NAMES ...": "coefficients to compute, such as pi,kappa,alpha; other tools'"
        " names, such as fleiss_kappa, are understood",
        "--incomplete published|pairable|complete": "how items with missing judgments count:"
        " published (as each coefficient's authors define it), pairable (only items with two"
        " judgments or more), complete (only items that every coder judged) (default:"
        f" {incomplete})",
    }
    shown = DISTANCES | (chosen if measures == "all" else {})
    declare(parser, "measures", shown, distance=[], incomplete=incomplete)


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
    spans = {
        "--spans HOW": "how spans become items: exact, overlapping, document, paragraph, line, or a"
        " length such as '200 characters'",
    }
    empty_sets = "" if units else "; in a table of sets, an item without a code is the empty set"
    declared = {
        "--format NAME": "the tool that wrote the files, such as label-studio, if it is not"
        " recognised; table for a plain table",
        "--question NAME": f"the {'layer of spans' if units else 'question'} to compare, if there"
        " are several",
        **({} if units else spans),
        "--only-coder A,B,C": "compare only these coders",
        "--document-from HOW": "take the document's name from the path: file, folder, or a regular"
        " expression with one group",
        "--item-from HOW": "what identifies an item: id, text or a field of the tool",
        "--with-predictions": "include a model's predictions as a coder",
        "--with-curation": "include the curator or reviewer as a coder",
        "--with-unfinished": "include documents that a coder did not finish",
        "--count-skips": "count a skipped item as a label (default: as missing)",
        "--count-empty": "count an item without a label as a judgment if the tool leaves open"
        f" whether the coder saw it (default: as missing){empty_sets}",
    }
    declare(parser, "exports of annotation tools (docs/formats.md)", declared)


def add_resampling(parser: argparse.ArgumentParser) -> None:
    """Add the options of bootstrap intervals."""
    declared = {
        "--method NAME=percentile|basic": "bootstrap method: percentile or basic (default:"
        " percentile)",
        **CONFIDENCE,
        "--n-resamples N:int": "number of bootstrap resamples (default: 2,000)",
        "--rng N:int": "seed of the random numbers (default: 0)",
    }
    declare(parser, "intervals", declared, confidence_level=0.95, n_resamples=2000, rng=0)


def need_file(arguments: argparse.Namespace) -> None:
    """Refuse a call without a file, and say what may stand in place of it."""
    if not arguments.files:
        other = ", or - for the standard input"
        if getattr(arguments, "example", None) is not None:
            other = ", - for the standard input, or --example"
        raise UsageError(f"no file was named: agreement-fast {arguments.command} FILE{other}")


def check_against(arguments: argparse.Namespace, complete: str) -> None:
    """Refuse what a comparison with right labels or people cannot have.

    `complete` says over which items it always compares.
    """
    if arguments.matrix is not None or arguments.tree is not None:
        raise UsageError(
            f"--matrix and --tree: {arguments.command} takes only distances of --distance NAME"
        )
    if arguments.incomplete != "published":
        raise UsageError(f"--incomplete: {arguments.command} always {complete}")


def check_seed(arguments: argparse.Namespace) -> None:
    """Refuse an invalid seed of a command that draws."""
    if getattr(arguments, "rng", None) is not None:
        from agreement_fast.options import check_count

        with in_options(arguments):
            check_count("rng", arguments.rng, 0)


def confidence_level(arguments: argparse.Namespace) -> float:
    """Return the value of ``--confidence-level`` as a share."""
    level: float = arguments.confidence_level
    if not 0 < level < 1:
        share = level / 100 if 1 < level < 100 else 0.95
        raise UsageError(
            f"--confidence-level must be between 0 and 1, such as {share:g}, not {level:g}"
        )
    return level


def asked_rows(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return which rows the options name, and how they say that files are written."""
    return {
        "where": arguments.where,
        "header": not arguments.no_header,
        "delimiter": delimiter(arguments),
        "encoding": arguments.encoding,
        "exclude": excluded(arguments),
        "skip_rows": skipped_rows(arguments),
        "sheet": arguments.sheet,
        "coder_from": arguments.coder_from,
        "value_codes": arguments.value_codes,
    }


def asked_columns(arguments: argparse.Namespace, roles: Iterable[str]) -> ColumnOptions:
    """Return the columns that the options name for these roles."""
    from agreement_fast.files import ColumnOptions

    named = {role: name for role in roles if (name := getattr(arguments, role)) is not None}
    return ColumnOptions(named=named, **asked_rows(arguments))


def delimiter(arguments: argparse.Namespace) -> str | None:
    """Return the character of ``--delimiter``."""
    given: str | None = arguments.delimiter
    return "\t" if given in ("tab", "\\t") else given


def asked_draws(
    arguments: argparse.Namespace, closed: Iterable[str | None], options: Iterable[str]
) -> dict[str, Any]:
    """Return the given options of draws; refuse them without a method for them.

    Parameters
    ----------
    closed : iterable of str
        The methods without draws; the first is the default.
    options : iterable of str
        The options of draws.
    """
    check_bootstrap(arguments)
    closed = tuple(closed)
    given = {name: getattr(arguments, name) for name in options}
    given = {name: value for name, value in given.items() if value is not None}
    if given and (arguments.method or closed[0]) in closed:
        raise UsageError(
            f"--{next(iter(given)).replace('_', '-')} needs a bootstrap: pass --method percentile"
        )
    return given


def check_bootstrap(arguments: argparse.Namespace) -> None:
    """Refuse invalid numbers of resamples."""
    from agreement_fast.inference.intervals import LEAST_DEFINED
    from agreement_fast.options import check_resamples

    with in_options(arguments):
        if arguments.n_resamples is not None:
            check_resamples(arguments.n_resamples, LEAST_DEFINED)


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
    """Return the names of ``--coefficient``; None for the defaults."""
    return listed(arguments.coefficient, "--coefficient") or None


def only_coefficient(arguments: argparse.Namespace, default: str) -> str:
    """Return the coefficient of a command that takes one at a time."""
    names = asked_coefficients(arguments) or [default]
    if len(names) > 1:
        raise UsageError(f"--coefficient: {arguments.command} takes one coefficient at a time")
    return names[0]


#: The default distance of `only_distance`: that of the labels.
USUAL = "usual"


def only_distance(
    arguments: argparse.Namespace, *, of_sets: bool = False, default: Any = USUAL
) -> Any:
    """Return the distance of a command that takes one at a time, beside nominal.

    `of_sets` says that the labels were found to be sets. The default is returned if no option
    implies a distance.
    """
    names = asked_distances(arguments, of_sets=of_sets)
    if arguments.distance or arguments.matrix or arguments.tree:
        default = USUAL
    if default == USUAL and len(names) > 2:
        raise UsageError(f"--distance: {arguments.command} takes one distance at a time")
    return names[-1] if default == USUAL else default


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
    """Return nominal and the names of ``--distance``, or the default for the labels.

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
        given = list(usual_names(of_sets))
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


def listed(
    texts: Sequence[str] | None, option: str, known: Container[str] = frozenset()
) -> list[str]:
    """Split texts at commas, as CSV does: "a,b" in quotes is one value.

    Blanks around a value are left out, unless it is one of the known ones as it is.
    """
    cells = [
        cell if cell in known else cell.strip()
        for text in texts or ()
        for cell in next(csv.reader([text], skipinitialspace=True), [])
    ]
    if texts and not all(cells):
        raise UsageError(f"{option} has an empty name")
    if texts and not cells:
        raise UsageError(f"{option} is empty")
    return cells


def find_coders(coders: Sequence[Any], requested: Sequence[str], option: str) -> list[Any]:
    """Return the coders with these names, in the order of `requested`."""
    known = {spell_label(coder): coder for coder in coders}
    for name in requested:
        if name not in known:
            some = some_of(sorted(known), 12)
            raise UsageError(f"{option}: no coder {name!r}; the coders are {some}")
    return [known[name] for name in requested]


OF = {
    "--of spans|segments|chains": "spans: units with gaps between them (default); segments: texts"
    " cut into pieces; chains: mentions linked to each other",
}
GOLD = {
    "--gold COLUMN": "the right labels: a column (the same label in all rows of an item, empty if"
    " it is not known), a file with a row for each item (FILE:COLUMN names the column), or a coder",
}


def gold_file(arguments: argparse.Namespace) -> tuple[str, str | None] | None:
    """Return the file of ``--gold`` and the column in it; None if it is no file."""
    given: str = vars(arguments).get("gold") or ""
    file, _, column = given.rpartition(":")
    if os.path.exists(given):
        return given, None
    return (file, column or None) if os.path.exists(file) else None
