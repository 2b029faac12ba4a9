"""Show how a coefficient depends on who the coders are, and how many.

Compute the coefficients for every subset of 2, 3, ... coders, as if only these had taken
part, and print how much the values vary. This shows how many coders give a value that
other coders would reproduce. If a size has more than 10,000 subsets, a random sample of
10,000 of them is used.

examples:
  agreement-fast subsets labels.csv --figure spread.png
      the table, and a picture of the relative standard deviation by number of coders
  agreement-fast subsets labels.csv --coefficient pi,alpha --distance interval
      two coefficients, nominal and with a distance
  agreement-fast subsets crowd.csv --busiest 25 --size 2-10
      only the 25 coders with the most judgments
  agreement-fast subsets labels.csv --ties first --figure reference.pdf
      also how often the majority label changes with fewer coders
  agreement-fast subsets labels.csv --max-subsets all --parquet values.parquet
      every subset; write each value with its subset to a file
  agreement-fast subsets feelings.csv --merge=-2=-1,2=1 --distance interval --ties change
      the same with three categories in place of five, and what merging changes
  agreement-fast subsets --example
      data that come with the package: the anaesthetists of Dawid & Skene 1979
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, open_annotations, progress_shown
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.documents import json_fields, json_label, json_rows, json_value
from agreement_fast.present.sections import Section
from agreement_fast.present.terminal import spell_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.annotations import Annotations
    from agreement_fast.inference.category_maps import CategoryMerging
    from agreement_fast.subsets.all_subsets import SubsetStudy
    from agreement_fast.subsets.references import ReferenceStability


@dataclass(frozen=True)
class SubsetsOfGroup(Answer):
    """The study of one group."""

    result: SubsetStudy
    n_coders: int
    reference: ReferenceStability | None
    merged: Merged | None = None

    size = (6.4, 4.2)

    def sections(self, explain: bool) -> Iterator[Section]:
        """Give the spread, changes of the majority, and the same with merged categories."""
        head, *tables = self.result.sections()
        text, *explained = head.blocks
        note = f"Only those of {self.n_coders:,} coders with the most judgments take part."
        notes = [note] * (self.n_coders > len(self.result.coders))
        yield head._replace(blocks=[text, *notes, *explained * explain])
        yield from tables
        if self.reference is not None:
            (changes,) = self.reference.sections()
            yield changes._replace(blocks=changes.blocks[not explain :])
        if self.merged is not None:
            yield from self.merged.merging.sections()
            for section in self.merged.subsets.sections(False):
                yield section._replace(heading=f"Merged: {section.heading}").hidden()

    def panels(self) -> list[Callable[[Axes], object]]:
        """Draw the spread by number of coders, and the changes of the majority."""
        from agreement_fast.plots import coder_subsets

        def drawn(study: SubsetStudy | ReferenceStability) -> Callable[[Axes], object]:
            return lambda ax: coder_subsets(study, ax=ax)

        reference = self.reference
        return [drawn(self.result), *([] if reference is None else [drawn(reference)])]

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""

        merged = self.merged
        if merged is None:
            return {**self._document(), "merged": None}
        changes = json_rows(merged.merging)
        others = {
            "categories": list(map(json_label, merged.merging.categories[-1])),
            # What is not merged has no change
            "changes": [row for row in changes if row["difference"] is not None],
            **merged.subsets._document(),
        }
        return {**self._document(), "merged": others}

    def _document(self) -> dict[str, Any]:
        study, reference = self.result, self.reference
        return {
            "n_coders_in_files": self.n_coders,
            "coders": [str(coder) for coder in study.coders],
            "n_subsets": study.n_subsets,
            "summaries": [
                {**json_value(row), **json_fields(row, "counts edges")}
                for rows in study
                for row in rows
            ],
            "reference": None
            if reference is None
            else {
                **json_fields(reference, "ties n_items n_items_dropped"),
                "sizes": json_rows(reference),
            },
        }


class Merged(NamedTuple):
    """The same with merged categories, and how far that changes the coefficients."""

    merging: CategoryMerging
    subsets: SubsetsOfGroup


#: If a size has more subsets than this, a sample of this size is drawn, which gives the spread to
#: within 1%.
DRAWN = 10_000

NAME = "subsets"


SUBSETS = {
    **options_of(
        "subsets.all_subsets:coder_subsets", "--size 2,3,5-10", "--max-subsets N", "--rng N:int"
    ),
    "--busiest N:int": "use only the N coders with the most judgments",
    "--ties HOW=change|first|fractional|median": "also show how often the majority label"
    " changes, and how ties count: change (as a change), first (the first category), fractional"
    " (in parts) or median (the middle category)",
    "--merge OLD=NEW ...": "also study the judgments with merged categories, such as"
    " very_good=good, and how far the coefficients change; may be repeated",
    "--figure FILE": "draw the spread by number of coders, as .png, .svg, ...",
    "--parquet FILE": "write every value with its subset (a bit mask) to a Parquet file",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser)
    options.declare(parser, "subsets", SUBSETS, max_subsets=str(DRAWN), rng=0)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and study the subsets."""
    from agreement_fast.coefficients import agreement_table
    from agreement_fast.inference import category_merging
    from agreement_fast.subsets import coder_subsets, reference_stability

    coefficients = options.chosen_coefficients(arguments)
    options.chosen_distances(arguments)  # refuses invalid lists before anything is read
    sizes, text = _sizes(arguments.size), arguments.max_subsets
    if text != "all" and (not re.fullmatch(r"\d+", text) or int(text) < 1):
        raise UsageError(f"--max-subsets must be a number, 1 or more, or all, not {text!r}")
    most = None if text == "all" else int(text)
    if arguments.busiest is not None and arguments.busiest < 2:
        raise UsageError(
            f"--busiest must be 2 or more, not {arguments.busiest}: agreement needs 2 coders"
        )
    if arguments.parquet and arguments.merge:
        raise UsageError("--parquet writes one study: give it without --merge")
    if arguments.parquet and arguments.by:
        raise UsageError("--parquet writes one study: select a group with --where, not --by")
    with open_annotations(arguments) as read:
        distances = read.distances()
        read.check_early(lambda labels: agreement_table(labels, coefficients, distances))
        how: dict[str, Any] = {"size": sizes, "max_subsets": most, "rng": arguments.rng}
        how |= {"progress": progress_shown(arguments)}

        def study(annotations: Annotations, n_coders: int) -> SubsetsOfGroup:
            """Study the subsets, and their reference if that is asked for."""
            named: Any = {"distance": distances, "incomplete": arguments.incomplete}
            to = arguments.parquet
            subsets = coder_subsets(annotations, coefficients, to=to, **named, **how)
            reference = None
            if arguments.ties is not None:
                reference = reference_stability(annotations, ties=arguments.ties, **how)
            return SubsetsOfGroup(subsets, n_coders, reference)

        def compute(part: Part) -> SubsetsOfGroup:
            annotations, n_coders = part.annotations, len(part.annotations.coders or ())
            if arguments.busiest is not None:
                annotations = _busiest(annotations, arguments.busiest)
            answer = study(annotations, n_coders)
            if not arguments.merge:
                return answer
            mapping = _mapping(arguments, annotations)
            names = list(dict.fromkeys(rows[0].coefficient for rows in answer.result))
            merging = category_merging(
                annotations, {"merged": mapping}, names, distances, incomplete=arguments.incomplete
            )
            others = study(annotations.merge_categories(mapping), n_coders)
            return replace(answer, merged=Merged(merging, others))

        return of_groups(read, "studies", compute)


def _mapping(arguments: argparse.Namespace, annotations: Annotations) -> dict[Any, Any]:
    """Return the categories that --merge names, and the labels that they become."""
    known = {spell_label(label): label for label in annotations.categories}
    numbers = all(isinstance(label, int | float) for label in annotations.categories)
    mapping: dict[Any, Any] = {}
    for text in options.listed(arguments.merge, "--merge"):
        old, equals, new = (part.strip() for part in text.partition("="))
        if not equals or not old or not new:
            raise UsageError(f"--merge {text}: expected OLD=NEW, such as very_good=good")
        if old not in known:
            names = ", ".join(known)
            raise UsageError(f"--merge {text}: there is no category {old!r}; they are {names}")
        if new not in known and numbers:
            try:
                known[new] = float(new) if "." in new else int(new)
            except ValueError:
                raise UsageError(
                    f"--merge {text}: the categories are numbers, and {new!r} is none"
                ) from None
        mapping[known[old]] = known.get(new, new)
    return mapping


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
    for piece in options.listed([text], "--size"):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", piece)
        if match is None:
            raise UsageError(f"--size {text!r}: expected sizes such as 3 or 2-9, got {piece!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise UsageError(f"--size {text!r}: {piece!r} must begin with the smaller size")
        if last - first > 1000:
            raise UsageError(f"--size {text!r}: {piece!r} is too many sizes")
        sizes += range(first, last + 1)
    return sorted(set(sizes))
