"""The options that commands share, in groups, and what their values mean.

The help of an option that is a parameter of a function is what the function's docstring says of it.
Sources are read in place of importing modules, since ``--help`` must not wait for numpy.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import math
import os
import re
from argparse import BooleanOptionalAction
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.terminal import show_label, some_of, spell_label

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import ColumnOptions


PACKAGE = Path(__file__).parents[1]

#: The end of a sentence; "et al. (2004)" and "e.g. x" are none.
END = re.compile(r"(?<=[a-z0-9)`\"'][.])(?<! al[.])(?<! e[.]g[.]) (?=[A-Z`\"(])")


class Parameter(str):
    """A parameter in place of the help of an option, written ``module:function:name``."""

    __slots__ = ()

    def described(self) -> tuple[str, str | None]:
        """Give the first sentence of its description in the words of the shell, and the default."""
        place, function, name = self.split(":")
        text, default = parameters_of(place, function)[name]
        first, *others = END.split(text)
        kept = " ".join([first, *(text for text in others if text.startswith("By default"))])
        kept = re.sub(
            r'\b(\w+)="?(\w+)"?', r"--\1 \2", kept.rstrip(".").removeprefix("Whether to ")
        )
        kept = re.sub(r'"([\w-]+)"', r"\1", kept)
        return kept[:1].lower() + kept[1:], default


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Describes a `Parameter` when its help is shown."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        if not isinstance(action.help, Parameter):
            return action.help
        text, default = action.help.described()
        if not isinstance(action.default, bool | list | None):
            default = str(action.default)
        known = default in (None, "False") or "default" in text
        return (text if known else f"{text} (default: {default})").replace("%", "%%")


def options_of(function: str, *usages: str) -> dict[str, str]:
    """Give options of `options.declare` whose help is that of the function's parameters.

    Parameters
    ----------
    function : str
        The module in the package and the function, such as ``subsets.all_subsets:coder_subsets``.
    *usages : str
        Such as ``--n-resamples N:int``, which is the parameter ``n_resamples``.
    """
    names = (usage.split(" ")[0][2:].replace("-", "_") for usage in usages)
    return {
        usage: Parameter(f"{function}:{name}") for usage, name in zip(usages, names, strict=True)
    }


@cache
def parameters_of(module: str, function: str) -> dict[str, tuple[str, str | None]]:
    """Give what the docstring of a function says of each parameter, and its default.

    Examples
    --------
    >>> parameters_of("reports.content", "report")["resample"]
    ('What a bootstrap resamples.', 'items')
    """
    source = (PACKAGE / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    matched = re.search(
        rf'^def {function}\((?:(?!^(?:def|class) ).)*?^    """(.*?)"""',
        source,
        re.DOTALL | re.MULTILINE,
    )
    if matched is None:
        raise LookupError(f"{module} has no function {function} with a docstring")
    listed = matched[1].partition("    Parameters\n    ----------\n")[2]
    listed = re.split(r"\n    \w+\n    ---", listed, maxsplit=1)[0] + "\n"
    entries = re.findall(r"^    (\w[\w, ]*) : (.*)\n((?: {8}.*\n|\n)+)", listed, re.MULTILINE)
    result = {}
    for names, kind, text in entries:
        _, is_given, default = kind.rpartition(", default ")
        plain = re.sub("`+", "", " ".join(text.split()))
        for name in names.split(", "):
            result[name] = plain, default.strip('"') if is_given else None
    return result


#: Distances between the nodes of ``--tree``; the first is the default.
TREE_DISTANCES = ("wu_palmer", "tree_path", "tree_path_scaled", "leaf_overlap", "level_dependent")

#: What stands behind the name of an option, such as ``N:int``.
_TYPES: Mapping[str, Any] = {"": None, "int": int, "float": float}

_READ, _EXPORTS, _REPORT = (
    "files.__init__:read",
    "files.exports.reading:read",
    "reports.content:report",
)

FORMAT = {
    **options_of(_READ, "--skip-rows N:int", "--sheet NAME", "--value-codes"),
    "--no-header": "the file has no header: its columns are called 1, 2, 3",
    "--delimiter CHAR": "what separates the columns of a CSV file; tab for tabs",
    **options_of(_READ, "--encoding utf-8|utf-16|cp1252|latin-1"),
}
EXCLUDE = options_of(_READ, "--exclude COLUMN ...")
CODER_FROM = options_of(_EXPORTS, "--coder-from HOW")
WHERE = options_of(_READ, "--where CONDITION")
TEXT = options_of(_READ, "--text")
CONFIDENCE = options_of(_REPORT, "--confidence-level SHARE:float")
DRAWS = options_of(_REPORT, "--n-resamples N:int", "--rng N:int")
COLUMNS = {
    "--item COLUMN": "what was judged; A,B if two columns identify it together",
    "--coder COLUMN ...": "who judged; with --layout wide, the columns of the coders, A,B,C"
    " (default: all others)",
    **CODER_FROM,
    "--label COLUMN": "the label that the coder gave",
    **options_of(_READ, "--layout long|wide|counts|contingency", "--weights COLUMN"),
    "--by COLUMN": "treat each value of this column as a group of its own; A,B for combinations",
    **EXCLUDE,
}
ROWS = {
    **WHERE,
    **options_of(
        _EXPORTS,
        "--missing LABEL ...",
        "--duplicates error|first|last|majority|set",
        "--repeats-of CODER",
        "--categories A,B,C",
    ),
    **TEXT,
    **options_of(_EXPORTS, "--set-separator CHAR"),
    "--empty-set LABEL": "the label that means the empty set, such as NONE",
}
PROGRESS = {
    "--[no-]progress": "show a progress bar for long computations (default: only on a terminal)",
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
        From an option as the user types it to its help: ``--text`` is a switch,
        ``--[no-]progress`` one that can be turned off, ``--limit N:int`` takes a whole number,
        ``--ties first|last`` one of two words, ``--ties HOW=first|last`` the same with another name
        in the help, and ``--label NAME ...`` may be repeated.
    **defaults
        Values of the options that are not given; None if not here.
    """
    group = parser.add_argument_group(title)
    for usage, described in declared.items():
        name, *value = usage.split(" ")
        how: dict[str, Any] = {"action": "append" if value[1:] else "store"}
        if name.startswith("--[no-]"):
            name, how = f"--{name.removeprefix('--[no-]')}", {"action": BooleanOptionalAction}
        elif not value:
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
    example: bool = True,
    measures: Literal["all", "distances", "none"] = "all",
    incomplete: str = "published",
) -> None:
    """Add the options that `reading.open_annotations` reads.

    Parameters
    ----------
    parser : ArgumentParser
    example : bool, default True
        Whether the command has ``--example``.
    measures : {"all", "distances", "none"}
        Whether users choose coefficients and distances, only distances, or neither.
    incomplete : str, default "published"
        The default of ``--incomplete``.
    """
    add_files(parser)
    if example:
        data = "use data that come with the package (Dawid & Skene 1979)"
        parser.add_argument("--example", action="store_true", help=data)
    else:
        parser.set_defaults(example=None)
    declare(parser, "columns (guessed from their names if not given)", COLUMNS)
    add_export(parser)
    declare(parser, "rows and labels", ROWS, missing=[])
    declare(parser, "progress", PROGRESS)
    declare(parser, "names", ANONYMOUS)
    if measures != "all":
        parser.set_defaults(coefficient=None, incomplete=incomplete)
    if measures == "none":
        parser.set_defaults(distance=[], matrix=None, tree=None)
        return
    chosen = {
        "--coefficient NAMES ...": "coefficients to compute, such as pi,kappa,alpha; other tools'"
        " names, such as fleiss_kappa, are understood",
        **options_of(_REPORT, "--incomplete published|pairable|complete"),
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
    declared = {
        **options_of(_EXPORTS, "--format NAME", "--question NAME"),
        **({} if units else spans),
        **options_of(
            _EXPORTS,
            "--only-coder A,B,C",
            "--document-from HOW",
            "--item-from HOW",
            "--with-predictions",
            "--with-curation",
            "--with-unfinished",
            "--count-skips",
        ),
        "--count-empty": "count an item without a label as a judgment if the tool leaves open"
        " whether the coder saw it; in a table of sets, an item without a code is the empty set",
    }
    declare(parser, "exports of annotation tools (docs/formats.md)", declared)


def add_resampling(parser: argparse.ArgumentParser) -> None:
    """Add the options of bootstrap intervals."""
    declared = {
        **options_of("diagnostics.model_agreement:model_agreement", "--method percentile|basic"),
        **CONFIDENCE,
        **DRAWS,
    }
    declare(parser, "intervals", declared, confidence_level=0.95, n_resamples=2000, rng=0)


def add_figure(parser: argparse.ArgumentParser, drawn: str) -> None:
    """Add the option of a picture; `drawn` says what it shows."""
    declare(parser, "pictures", {"--figure FILE": f"draw {drawn}, as .png, .svg, ..."})


def finite(text: str) -> float | None:
    """Read a number; None if the text is no finite one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


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


def chosen_rows(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return which rows the options name, and how they say that files are written."""
    if arguments.skip_rows < 0:
        raise UsageError(f"--skip-rows must be 0 or more, not {arguments.skip_rows}")
    return {
        "where": arguments.where,
        "header": not arguments.no_header,
        "delimiter": "\t" if arguments.delimiter in ("tab", "\\t") else arguments.delimiter,
        "encoding": arguments.encoding,
        "exclude": tuple(listed(arguments.exclude, "--exclude")),
        "skip_rows": arguments.skip_rows,
        "sheet": arguments.sheet,
        "coder_from": arguments.coder_from,
        "value_codes": arguments.value_codes,
    }


def chosen_columns(arguments: argparse.Namespace, roles: Iterable[str]) -> ColumnOptions:
    """Return the columns that the options name for these roles."""
    from agreement_fast.files import ColumnOptions

    named = {role: name for role in roles if (name := getattr(arguments, role)) is not None}
    return ColumnOptions(named=named, **chosen_rows(arguments))


def chosen_draws(
    arguments: argparse.Namespace, closed: Iterable[str], options: Iterable[str]
) -> dict[str, Any]:
    """Return the options of draws; refuse them without a method for them.

    Parameters
    ----------
    closed : iterable of str
        The methods without draws, beside the default.
    options : iterable of str
        The options of draws.
    """
    check_bootstrap(arguments)
    typed = {word.partition("=")[0] for word in arguments.typed}
    for name in options:
        option = f"--{name.replace('_', '-')}"
        if option in typed and arguments.method in (None, *closed):
            raise UsageError(f"{option} needs a bootstrap: pass --method percentile")
    return {name: getattr(arguments, name) for name in options}


def check_bootstrap(arguments: argparse.Namespace) -> None:
    """Refuse invalid numbers of resamples."""
    from agreement_fast.inference.intervals import LEAST_DEFINED
    from agreement_fast.options import check_resamples

    with in_options(arguments):
        check_resamples(arguments.n_resamples, LEAST_DEFINED)


#: What the names of measures begin with that stand beside agreement.
BESIDE = ("icc", "intraclass", "cronbach", "pearson", "spearman", "kendall", "ccc")


def chosen_coefficients(arguments: argparse.Namespace) -> list[str] | None:
    """Return the names of ``--coefficient``; None for the defaults.

    Names of correlations ask for ``--measures``.
    """
    names = listed(arguments.coefficient, "--coefficient")
    kept = [name for name in names if not name.lower().startswith(BESIDE)]
    if len(kept) < len(names):
        if "measures" not in arguments:
            raise UsageError(
                f"--coefficient {min(set(names) - set(kept))} is no coefficient of agreement:"
                " agreement-fast report --measures prints it beside those"
            )
        first = not names[0].lower().startswith(BESIDE)
        arguments.measures = True if first else names[0]
    return kept or None


def only_coefficient(arguments: argparse.Namespace, default: str) -> str:
    """Return the coefficient of a command that takes one at a time."""
    names = chosen_coefficients(arguments) or [default]
    if len(names) > 1:
        raise UsageError(f"--coefficient: {arguments.command} takes one coefficient at a time")
    return names[0]


def fitting(name: str, distance: str) -> str:
    """Return the name of a coefficient with a distance; kappa becomes beta."""
    from agreement_fast.points import is_known, named

    weighted = named(name).weighted if is_known(name) and distance != "nominal" else None
    return weighted or name


#: The default distance of `only_distance`: that of the labels.
USUAL = "usual"


def only_distance(
    arguments: argparse.Namespace, *, of_sets: bool = False, default: Any = USUAL
) -> Any:
    """Return the distance of a command that takes one at a time, beside nominal.

    `of_sets` says that the labels were found to be sets. The default is returned if no option
    implies a distance.
    """
    names = chosen_distances(arguments, of_sets=of_sets)
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


def chosen_distances(arguments: argparse.Namespace, *, of_sets: bool = False) -> list[str]:
    """Return nominal and the names of ``--distance``, or the default for the labels.

    `of_sets` says that the labels were found to be sets.
    """
    from agreement_fast.distances import usual_names

    given = []
    for name in listed(arguments.distance, "--distance"):
        plain = name.strip().lower().replace("-", "_")
        if plain in TREE_DISTANCES and arguments.tree is None:
            raise UsageError(f"--distance {plain} compares nodes of a tree: pass --tree FILE, too")
        if plain == "matrix" and arguments.matrix is None:
            raise UsageError("--distance matrix is read from a file: pass --matrix FILE, too")
        given.append(plain if plain in (*TREE_DISTANCES, "matrix") else name)
    if arguments.tree is not None and not set(given) & set(TREE_DISTANCES):
        given.append(TREE_DISTANCES[0])
    if arguments.matrix is not None:
        given.append("matrix")
    if not given:
        of_sets = of_sets or bool(arguments.set_separator) or arguments.duplicates == "set"
        given = list(usual_names(of_sets))
    return list(dict.fromkeys(["nominal", *given]))


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


def coders_of(arguments: argparse.Namespace, name: str, data: Annotations) -> list[Any] | None:
    """Return the coders that an option names; None if it is not given."""
    given, option = getattr(arguments, name), f"--{name}"
    if given is None:
        return None
    return find_coders(data.coders or (), listed([given], option), option)


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
