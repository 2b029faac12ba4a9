"""List the items on which coders differ, and who said what.

List the items on which coders differ, the most disputed first, with the label of each
coder, to discuss or adjudicate them. The text shows 20 items; --csv and --json have all.

examples:
  agreement-fast disagreements labels.csv --show text
      with the text of each item, from the column text
  agreement-fast disagreements labels.csv --csv adjudicate.csv
      all disputed items as a table: one row per item, one column per coder
  agreement-fast disagreements labels.csv --between ann,bob --limit 50
      the 50 most disputed items of these two coders
  agreement-fast disagreements labels.csv --between-labels cause,effect
      items whose labels are exactly these two
  agreement-fast disagreements --example
      data that come with the package: the anaesthetists of Dawid & Skene 1979
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, Read, open_annotations
from agreement_fast.cli.repeats import makes_sets
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.documents import json_fields, json_label
from agreement_fast.present.terminal import (
    some_of,
    spell_label,
)

if TYPE_CHECKING:
    from agreement_fast.diagnostics.disputes import Disagreements
    from agreement_fast.present.sections import Section

NAME = "disagreements"


FUNCTION = "diagnostics.disputes:disagreements"
ITEMS = {
    **options_of(FUNCTION, "--between A,B", "--between-labels X,Y", "--include-agreed"),
    "--limit N:int": "list at most N items (default: all; 20 in the text)",
    "--show COLUMN": "the column of the items' texts; not needed for exports of tools that hold"
    " the texts",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser, measures="distances")
    options.declare(parser, "items", ITEMS)
    parser.set_defaults(texts=True)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and list the disagreements."""
    from agreement_fast.diagnostics import disagreements

    if arguments.limit is not None and arguments.limit < 1:
        raise UsageError(f"--limit must be 1 or more, not {arguments.limit}")
    options.only_distance(arguments)
    given = arguments.between
    between = None if given is None else options.listed([given], "--between")
    if between is not None and len(between) < 2:
        raise UsageError(f"--between must name two coders or more, A,B, not {given!r}")
    labels = _labels(arguments.between_labels)
    if labels is not None and (len(labels) != 2 or labels[0] == labels[1]):
        raise UsageError(
            f"--between-labels must be two different labels, X,Y, not {arguments.between_labels!r}"
        )
    # Items must keep their names.
    with open_annotations(arguments, whole=True) as read:
        distance = read.distances()[-1]
        if between is not None:  # letters with --anonymous
            between = options.listed([arguments.between], "--between")
        coders = set(map(str, read.table.coder_names))
        unknown = [name for name in between or () if name not in coders]
        hint = options.with_commas(read.table.coder_names, "--between")
        if hint and unknown:
            raise UsageError(f"--between: no coder {unknown[0]!r}{hint}")
        parts = list(read.parts(keep_coders=True))
        requested = None if labels is None else [_label(read, parts, name) for name in labels]
        if requested is not None and requested[0] == requested[1]:
            raise UsageError(
                f"--between-labels names one label twice: {arguments.between_labels!r}"
            )

        def compute(part: Part) -> _Listed:
            # A group may lack a label that another one has.
            lacking = not set(requested or ()) <= set(part.annotations.categories)
            items = disagreements(
                part.annotations,
                distance=distance,
                between=between,
                between_labels=None if lacking else requested,
                include_agreed=arguments.include_agreed,
            )
            return _Listed(items.head(0) if lacking else items, read)

        return of_groups(read, "groups", compute, parts=parts)


@dataclass(frozen=True)
class _Listed(Answer):
    """The disputed items of a group."""

    result: Disagreements
    read: Read

    def sections(self, explain: bool) -> list[Section]:
        """Give the items, and which the options list if not all that are disputed."""
        arguments, says, n = self.read.arguments, [], len(self.result)
        of_labels = arguments.between_labels is not None
        if of_labels or arguments.include_agreed:
            which = "with exactly these two labels" if of_labels else "in all"
            says.append(f"{n:,} {'is' if n == 1 else 'are'} listed {which}.")
        if of_labels and (self.read.holds_sets or makes_sets(arguments)):
            says.append("Labels are whole sets: {a} means a and nothing else.")
        return self.result.sections(arguments.limit, " ".join(says))

    def table(self) -> Disagreements:
        """Give the items that were asked for."""
        top: int | None = self.read.arguments.limit
        return self.result if top is None else self.result.head(top)

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""
        return {
            **json_fields(self.result, "distance n_judged n_disputed"),
            "items": [
                {
                    "rank": dispute.rank,
                    "item": str(dispute.item),
                    **json_fields(dispute, "text disagreement"),
                    "judgments": [
                        {"coder": str(coder), "label": json_label(label)}
                        for coder, label in dispute.judgments.items()
                    ],
                }
                for dispute in self.table()
            ],
        }


def _labels(text: str | None) -> list[str] | None:
    """Return the labels of ``--between-labels``; commas within braces belong to a set."""
    if text is None:
        return None
    if "{" not in text:
        return options.listed([text], "--between-labels")
    return [entry.strip() for entry in re.findall(r"\s*(\{[^{}]*\}|[^,{}]+)\s*(?:,|$)", text)]


def _label(read: Read, parts: Sequence[Part], name: str) -> Any:
    """Return the label with this name; for sets, an element means the set of it alone."""
    values = read.distinct_labels()
    if makes_sets(read.arguments):
        # Several rows may make one set.
        result = (label for part in parts for label in part.annotations.categories)
        values = list(dict.fromkeys(result))
    elements = {entry.strip() for entry in name.removeprefix("{").removesuffix("}").split(",")} - {
        ""
    }
    for value in values:
        if spell_label(value) == name or value == {name}:
            return value
        if isinstance(value, frozenset) and set(map(str, value)) == elements:
            return value
    some = some_of(values, 8, 24)
    how = ""
    if any(isinstance(value, frozenset) for value in values):
        how = ' (labels are whole sets, written as in --between-labels "{a, b},{c}")'
    raise UsageError(f"--between-labels: no label {name!r}; there are {some}{how}")
