"""The command ``agreement-fast subsets``."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.output import (
    group_heading,
    options_document,
    read_lines,
    source_document,
    terminal_width,
    version,
)
from agreement_fast.cli.reading import Part, Read, in_options, open_annotations, progress_shown
from agreement_fast.cli.writing import check_figure, check_parquet, draw_panels
from agreement_fast.documents import json_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.annotations import Annotations
    from agreement_fast.subsets import ReferenceStability, SizeSummary, SubsetStudy

#: Version of the JSON document; it grows when a field changes or goes.
SCHEMA_VERSION = 1

#: Subsets of each size that are drawn where there are more: their spread is known to 1%.
DRAWN = 10_000

NAME = "subsets"
USAGE = "FILE... [options]"
HELP = "how a coefficient depends on who was asked, and on how many"
DESCRIPTION = f"""\
Compute the coefficients for every choice of 2, 3, ... of the coders, as if only these
had been asked, and print how much they vary: how many coders make a value that others
would repeat? Where a size has more than {DRAWN:,} subsets, so many are drawn at random."""
EXAMPLES = """\
examples:
  agreement-fast subsets labels.csv --figure spread.png
      the table, and the relative standard deviation by number of coders
  agreement-fast subsets labels.csv --coefficients pi,alpha --distance interval
      two coefficients, the second also with a distance
  agreement-fast subsets crowd.csv --busiest 25 --sizes 2-10
      only the 25 coders with the most judgments
  agreement-fast subsets labels.csv --reference first --figure reference.pdf
      also how often the majority label is another one when fewer coders are asked
  agreement-fast subsets labels.csv --max-subsets all --parquet values.parquet
      every subset, and every value with its subset
  agreement-fast subsets --example
      the anaesthetists of Dawid & Skene 1979, which come with the package
"""


@dataclass(frozen=True)
class Found:
    """What one group gave."""

    part: Part
    n_coders: int
    study: SubsetStudy
    reference: ReferenceStability | None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Take annotations, and say which subsets."""
    options.add_annotations(parser, example="study bundled real data (Dawid & Skene 1979)")
    subsets = parser.add_argument_group("subsets")
    subsets.add_argument("--sizes", metavar="2,3,5-10", help="numbers of coders (default: all)")
    subsets.add_argument(
        "--max-subsets",
        metavar="N",
        default=str(DRAWN),
        help=f"of each size, drawn at random where there are more (default: {DRAWN}); all for every"
        " subset",
    )
    subsets.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of the drawing (default: 0)"
    )
    subsets.add_argument(
        "--busiest", metavar="N", type=int, help="only the N coders with the most judgments"
    )
    subsets.add_argument(
        "--reference",
        metavar="TIES",
        choices=("change", "first", "fractional", "median"),
        help="also how the majority label changes; a tie is change, first, fractional or median",
    )
    subsets.add_argument("--figure", metavar="FILE", help="write a picture: .png, .svg, .pdf")
    subsets.add_argument(
        "--parquet", metavar="FILE", help="write every value with its subset (a bit mask)"
    )
    options.add_format(parser, page="commands.md")


def run(arguments: argparse.Namespace) -> str:
    """Read, study, write the files and give the text to print."""
    from agreement_fast.coefficients import agreement_table

    coefficients = options.asked_coefficients(arguments)
    distances = options.asked_distances(arguments)
    sizes, most = _sizes(arguments.sizes), _most(arguments.max_subsets)
    if arguments.busiest is not None and arguments.busiest < 2:
        raise UsageError(f"--busiest {arguments.busiest}: agreement takes 2 coders or more")
    if arguments.seed < 0:
        raise UsageError(f"--seed {arguments.seed}: it must not be negative")
    if arguments.figure:
        check_figure(arguments.figure)
    if arguments.parquet:
        if arguments.by:
            raise UsageError("--parquet writes one study: name a group by --where, not --by")
        check_parquet(arguments.parquet)
    with open_annotations(arguments) as read:
        read.check_early(lambda labels: agreement_table(labels, coefficients, distances))
        found = [
            _study(read, part, coefficients, distances, sizes, most)
            for part in read.parts(keep_coders=True)
        ]
    if arguments.figure:
        draw_panels(
            arguments,
            [_panels(one) for one in found],
            [one.part.group for one in found],
            (6.4, 4.2),
        )
    if arguments.json:
        return json.dumps(_document(read, found), indent=2, allow_nan=False) + "\n"
    return _text(read, found)


def _study(
    read: Read,
    part: Part,
    coefficients: list[str] | None,
    distances: list[str],
    sizes: list[int] | None,
    most: int | None,
) -> Found:
    from agreement_fast.subsets import coder_subsets, reference_stability

    arguments, annotations = read.arguments, part.annotations
    shown = progress_shown(arguments)
    n_coders = len(annotations.coders or ())
    if arguments.busiest is not None:
        annotations = _busiest(annotations, arguments.busiest)
    with in_options(read.place(part.group)):
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
    """Only the coders of most judgments, in their order."""
    coders = annotations.coders or ()
    counts = annotations.coder_marginals().sum(1).tolist()
    order = sorted(range(len(coders)), key=lambda i: -counts[i])
    return annotations.select(coders=[coders[i] for i in sorted(order[:n])])


def _sizes(text: str | None) -> list[int] | None:
    """Give the numbers of ``2,3,5-10``."""
    if text is None:
        return None
    sizes: list[int] = []
    for piece in options.listed([text], "--sizes"):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", piece)
        if match is None:
            raise UsageError(f"--sizes {text!r}: {piece!r} is no size, such as 3 or 2-9")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise UsageError(f"--sizes {text!r}: {piece!r} runs backwards")
        if last - first > 1000:
            raise UsageError(f"--sizes {text!r}: {piece!r} are too many sizes")
        sizes += range(first, last + 1)
    return sorted(set(sizes))


def _most(text: str) -> int | None:
    if text == "all":
        return None
    if not re.fullmatch(r"\d+", text) or int(text) < 1:
        raise UsageError(f"--max-subsets {text!r}: it is a number, 1 or more, or all")
    return int(text)


# ---------------------------------------------------------------------------------------------
# Output


def _panels(found: Found) -> list[Callable[[Axes], object]]:
    """What to draw of a group, side by side."""
    from agreement_fast.plots import reference_changes, relative_standard_deviation

    drawn: list[Callable[[Axes], object]] = [
        lambda ax: relative_standard_deviation(found.study, ax=ax)
    ]
    reference = found.reference
    if reference is not None:
        drawn.append(lambda ax: reference_changes(reference, ax=ax))
    return drawn


def _text(read: Read, found: Sequence[Found]) -> str:
    from agreement_fast.text import wrap

    arguments, width = read.arguments, terminal_width()
    lines = [f"agreement-fast {version()}", ""]
    lines += read_lines(
        read.source,
        read.notes,
        width,
        missing=arguments.missing,
        incomplete=arguments.incomplete,
    )
    sections = ["\n".join(lines)]
    for i, one in enumerate(found):
        if arguments.by:
            sections.append(group_heading(arguments.by, one.part.group, one.part.rows, width))
        sections += _sections(one, width, explain=i == 0)
    written = [name for name in (arguments.figure, arguments.parquet) if name]
    if written:
        sections.append(wrap(f"Written: {', '.join(written)}", width))
    return "\n\n".join(sections) + "\n"


def _sections(found: Found, width: int, *, explain: bool) -> Iterator[str]:
    from agreement_fast.text import wrap

    study = found.study
    text = f"{len(study.coders):,} coders"
    if found.n_coders > len(study.coders):
        text += f" of {found.n_coders:,}, those with the most judgments"
    text += f"; {study.n_subsets:,} subsets"
    drawn = any(row.sampled for rows in study for row in rows)
    if drawn:
        text += ". A star marks sizes of which a random sample was taken"
    lines = ["Subsets of the coders", wrap(text + ".", width)]
    if explain:
        lines.append(
            wrap(
                "Each coefficient was computed as if only the coders of a subset had been asked."
                " The relative standard deviation (relative) is that of the subsets of a size over"
                " their mean. With all coders it is 0, because there is one such set: what it says"
                " of other coders is in the sizes well below.",
                width,
            )
        )
    yield "\n".join(lines)
    for rows in study:
        yield _table(rows, width)
    if found.reference is not None:
        yield _reference(found.reference, width, explain=explain)


def _table(rows: Sequence[SizeSummary], width: int) -> str:
    from agreement_fast.text import align, show_value, wrap

    def show(value: float) -> str:
        return "-" if value != value else show_value(value)

    cells = [
        (
            str(row.size),
            f"{row.n_subsets:,}{'*' if row.sampled else ''}",
            show(row.mean),
            show(row.standard_deviation),
            _percent(row.relative_standard_deviation),
            *map(show, (row.minimum, row.lower_quartile, row.median, row.upper_quartile,
                        row.maximum)),
        )
        for row in rows
    ]  # fmt: skip
    head = ("coders", "subsets", "mean", "sd", "relative", "minimum", "lower", "median", "upper",
            "maximum")  # fmt: skip
    lines = [f"{rows[0].coefficient} ({rows[0].distance})"]
    lines += align(head, cells, ">" * len(head))
    undefined = [(row.size, row.n_undefined) for row in rows if row.n_undefined]
    if undefined:
        sizes = ", ".join(f"{n:,} of {size} coders" for size, n in undefined[:6])
        more = f" and of {len(undefined) - 6} more sizes" if len(undefined) > 6 else ""
        lines.append(wrap(f"Undefined, and left out: {sizes}{more}.", width))
    steady = _steady(rows)
    if steady:
        lines.append(wrap(steady, width))
    return "\n".join(lines)


def _steady(rows: Sequence[SizeSummary]) -> str:
    """Say from how many coders on the value varies little."""
    said = []
    # The last size of all coders has one subset: it says nothing.
    shown = [row for row in rows if row.n_possible > 1]
    for limit in (0.10, 0.05):
        fine = None
        for row in reversed(shown):
            if not row.relative_standard_deviation < limit:
                break
            fine = row.size
        if fine is not None:
            said.append(f"below {limit:.0%} from {fine} coders on")
    return f"The relative standard deviation is {', '.join(said)}." if said else ""


def _percent(value: float) -> str:
    return "-" if value != value else f"{value:.2%}"


def _reference(found: ReferenceStability, width: int, *, explain: bool) -> str:
    from agreement_fast.text import align, wrap

    cells = [
        tuple(map(str, (size, f"{n:,}"))) + tuple(map(_percent, shares))
        for size, n, *shares in zip(
            found.sizes.tolist(),
            found.n_subsets,
            found.changed.tolist(),
            found.standard_deviation.tolist(),
            found.minimum.tolist(),
            found.maximum.tolist(),
            found.unjudged.tolist(),
            strict=True,
        )
    ]
    lines = [f"Changes of the majority label (ties: {found.ties})"]
    if explain:
        lines.append(
            wrap(
                f"The share of the {found.n_items:,} items whose most frequent label is another"
                " one when only the coders of a subset are asked. The mean is over all subsets;"
                " items that no coder of a subset judged (unjudged) count as changed.",
                width,
            )
        )
    head = ("coders", "subsets", "changed", "sd", "minimum", "maximum", "unjudged")
    lines += align(head, cells, ">" * len(head))
    compared = {
        n for n, every in zip(found.n_compared.tolist(), found.n_subsets, strict=True) if n < every
    }
    if compared:
        lines.append(
            wrap(
                f"Where a size has more than {max(compared):,} subsets, sd, minimum and maximum are"
                " those of so many, drawn at random.",
                width,
            )
        )
    return "\n".join(lines)


def _document(read: Read, found: Sequence[Found]) -> dict[str, Any]:
    """Give the document of docs/subsets.schema.json."""
    arguments = read.arguments
    return {
        "agreement_fast": version(),
        "schema_version": SCHEMA_VERSION,
        "source": source_document(read.source, read.notes),
        "options": options_document(read),
        "seed": arguments.seed,
        "studies": [_study_document(one) for one in found],
    }


def _study_document(found: Found) -> dict[str, Any]:
    study, reference = found.study, found.reference
    return {
        "group": found.part.group,
        "rows": found.part.rows,
        "coders_in_files": found.n_coders,
        "coders": [str(coder) for coder in study.coders],
        "subsets": study.n_subsets,
        "coefficients": [
            {
                "coefficient": rows[0].coefficient,
                "distance": rows[0].distance,
                "sizes": [_size_document(row) for row in rows],
            }
            for rows in study
        ],
        "reference": None
        if reference is None
        else {
            "ties": reference.ties,
            "items": reference.n_items,
            "items_dropped": reference.n_items_dropped,
            "sizes": [
                {
                    "coders": size,
                    "subsets_possible": n,
                    "subsets_compared": int(reference.n_compared[i]),
                    "changed": json_number(reference.changed[i]),
                    "standard_deviation": json_number(reference.standard_deviation[i]),
                    "minimum": json_number(reference.minimum[i]),
                    "maximum": json_number(reference.maximum[i]),
                    "unjudged": json_number(reference.unjudged[i]),
                }
                for i, (size, n) in enumerate(
                    zip(reference.sizes.tolist(), reference.n_subsets, strict=True)
                )
            ],
        },
    }


def _size_document(row: SizeSummary) -> dict[str, Any]:
    return {
        "coders": row.size,
        "subsets": row.n_subsets,
        "subsets_possible": row.n_possible,
        "sampled": row.sampled,
        "undefined": row.n_undefined,
        "mean": json_number(row.mean),
        "standard_deviation": json_number(row.standard_deviation),
        "relative_standard_deviation": json_number(row.relative_standard_deviation),
        "minimum": json_number(row.minimum),
        "lower_quartile": json_number(row.lower_quartile),
        "median": json_number(row.median),
        "upper_quartile": json_number(row.upper_quartile),
        "maximum": json_number(row.maximum),
        "histogram": {
            "counts": row.counts.tolist(),
            "edges": [json_number(edge) for edge in row.edges.tolist()],
        },
    }
