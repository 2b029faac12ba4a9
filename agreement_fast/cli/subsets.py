"""The command ``agreement-fast subsets``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import Part, Read, open_annotations, progress_shown
from agreement_fast.cli.study_output import Found, entry, sections
from agreement_fast.cli.wording import in_options
from agreement_fast.cli.writing import check_parquet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.annotations import Annotations

#: If a size has more subsets than this, a sample of this size is drawn, which gives the spread to
#: within 1%.
DRAWN = 10_000

NAME = "subsets"
USAGE = "FILE... [options]"
HELP = "show how a coefficient depends on who the coders are, and how many"
DESCRIPTION = f"""\
Compute the coefficients for every subset of 2, 3, ... coders, as if only these had taken
part, and print how much the values vary. This shows how many coders give a value that
other coders would reproduce. If a size has more than {DRAWN:,} subsets, a random sample of
{DRAWN:,} of them is used."""
EXAMPLES = """\
examples:
  agreement-fast subsets labels.csv --figure spread.png
      the table, and a picture of the relative standard deviation by number of coders
  agreement-fast subsets labels.csv --coefficients pi,alpha --distance interval
      two coefficients, nominal and with a distance
  agreement-fast subsets crowd.csv --busiest 25 --sizes 2-10
      only the 25 coders with the most judgments
  agreement-fast subsets labels.csv --reference first --figure reference.pdf
      also how often the majority label changes with fewer coders
  agreement-fast subsets labels.csv --max-subsets all --parquet values.parquet
      every subset; write each value with its subset to a file
  agreement-fast subsets --example
      data that come with the package: the anaesthetists of Dawid & Skene 1979
"""


SUBSETS = {
    "--sizes 2,3,5-10": "sizes of the subsets, in coders (default: all)",
    "--max-subsets N": "subsets of each size, a random sample if there are more (default:"
    f" {DRAWN:,}); all for every subset",
    "--seed N:int": "seed of the random sample (default: 0)",
    "--busiest N:int": "use only the N coders with the most judgments",
    "--reference TIES=change|first|fractional|median": "also show how often the majority label"
    " changes, and how ties count: change (as a change), first (the first category), fractional"
    " (in parts) or median (the middle category)",
    "--figure FILE": "draw the spread by number of coders, as .png, .svg, ...",
    "--parquet FILE": "write every value with its subset (a bit mask) to a Parquet file",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(
        parser, example="study data that come with the package (Dawid & Skene 1979)"
    )
    options.declare(parser, "subsets", SUBSETS, max_subsets=str(DRAWN), seed=0)
    options.add_format(parser, page="commands.md")


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and study the subsets."""
    from agreement_fast.coefficients import agreement_table
    from agreement_fast.options import check_count

    coefficients = options.asked_coefficients(arguments)
    options.asked_distances(arguments)  # refuses invalid lists before anything is read
    sizes, most = _sizes(arguments.sizes), _most(arguments.max_subsets)
    if arguments.busiest is not None and arguments.busiest < 2:
        raise UsageError(
            f"--busiest must be 2 or more, not {arguments.busiest}: agreement needs 2 coders"
        )
    with in_options(arguments):
        check_count("rng", arguments.seed, 0)
    if arguments.parquet:
        if arguments.by:
            raise UsageError("--parquet writes one study: select a group with --where, not --by")
        check_parquet(arguments.parquet)
    with open_annotations(arguments) as read:
        distances = read.distances()
        read.check_early(lambda labels: agreement_table(labels, coefficients, distances))
        found = [
            _study(read, part, coefficients, distances, sizes, most)
            for part in read.parts(keep_coders=True)
        ]
    return of_groups(
        read,
        found,
        "studies",
        sections=sections,
        entry=entry,
        table=lambda one: one.study,
        panels=_panels,
        size=(6.4, 4.2),
        more={"seed": arguments.seed},
    )


def _study(
    read: Read,
    part: Part,
    coefficients: list[str] | None,
    distances: list[Any],
    sizes: list[int] | None,
    most: int | None,
) -> Found:
    from agreement_fast.subsets import coder_subsets, reference_stability

    arguments, annotations = read.arguments, part.annotations
    shown = progress_shown(arguments)
    n_coders = len(annotations.coders or ())
    if arguments.busiest is not None:
        annotations = _busiest(annotations, arguments.busiest)
    with in_options(read.arguments, read.place(part.group)):
        study = coder_subsets(
            annotations,
            coefficients,
            distances=distances,
            sizes=sizes,
            max_subsets=most,
            incomplete=arguments.incomplete,
            to=arguments.parquet,
            rng=arguments.seed,
            progress=shown,
        )
        reference = None
        if arguments.reference is not None:
            reference = reference_stability(
                annotations,
                sizes=sizes,
                ties=arguments.reference,
                max_subsets=most,
                rng=arguments.seed,
                progress=shown,
            )
    return Found(part, n_coders, study, reference)


def _busiest(annotations: Annotations, n: int) -> Annotations:
    """Select the coders with the most judgments, in their order."""
    coders = annotations.coders or ()
    counts = annotations.coder_marginals().sum(1).tolist()
    order = sorted(range(len(coders)), key=lambda i: -counts[i])
    return annotations.select(coders=[coders[i] for i in sorted(order[:n])])


def _sizes(text: str | None) -> list[int] | None:
    """Return the numbers in a text such as ``2,3,5-10``."""
    if text is None:
        return None
    sizes: list[int] = []
    for piece in options.listed([text], "--sizes"):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", piece)
        if match is None:
            raise UsageError(f"--sizes {text!r}: expected sizes such as 3 or 2-9, got {piece!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise UsageError(f"--sizes {text!r}: {piece!r} must begin with the smaller size")
        if last - first > 1000:
            raise UsageError(f"--sizes {text!r}: {piece!r} is too many sizes")
        sizes += range(first, last + 1)
    return sorted(set(sizes))


def _most(text: str) -> int | None:
    if text == "all":
        return None
    if not re.fullmatch(r"\d+", text) or int(text) < 1:
        raise UsageError(f"--max-subsets must be a number, 1 or more, or all, not {text!r}")
    return int(text)


def _panels(found: Found) -> list[Callable[[Axes], object]]:
    """Return the pictures of a group, which are drawn side by side."""
    from agreement_fast.plots import reference_changes, relative_standard_deviation

    drawn: list[Callable[[Axes], object]] = [
        lambda ax: relative_standard_deviation(found.study, ax=ax)
    ]
    reference = found.reference
    if reference is not None:
        drawn.append(lambda ax: reference_changes(reference, ax=ax))
    return drawn
