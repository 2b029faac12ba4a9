"""Find what lowers agreement, and what to do about it.

Find the coders, categories and items that lower a coefficient, and print them from the
costliest on: by how much the coefficient would rise without each, and what to do about
it.

examples:
  agreement-fast diagnose labels.csv
      what lowers Krippendorff's alpha
  agreement-fast diagnose labels.csv --categories "low,medium,high" --distance ordinal
      labels with an order: near misses count less
  agreement-fast diagnose labels.csv --coefficient kappa --figure where.png
      what lowers kappa; pictures of categories, items and coders
  agreement-fast diagnose --example
      data that come with the package: the anaesthetists of Dawid & Skene 1979
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, open_annotations
from agreement_fast.present.documents import json_fields, json_label
from agreement_fast.present.sections import Section

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.annotations import Annotations
    from agreement_fast.diagnostics.disputes import Disagreements
    from agreement_fast.diagnostics.findings import Diagnosis

NAME = "diagnose"


ITEMS = {
    "--texts": "also list the most disputed items, with their texts if the export of a tool has"
    " them",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser)
    options.declare(parser, "items", ITEMS)
    options.add_figure(
        parser,
        "confusions of categories, disputed items, how often each coder uses each category, and"
        " the agreement of each pair of coders",
    )


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and diagnose each group."""
    from agreement_fast.coefficients import agreement
    from agreement_fast.diagnostics import disagreements
    from agreement_fast.diagnostics.diagnosis import diagnose

    coefficient = options.only_coefficient(arguments, "alpha")
    # None for the default distance
    named = options.only_distance(arguments, default=None)
    with open_annotations(arguments) as read:
        distance = None if named is None else read.distances()[-1]
        read.check_early(
            lambda labels: agreement(labels, coefficient, distance=distance or "nominal")
        )

        def compute(part: Part) -> _Diagnosed:
            data, how = part.annotations, {"incomplete": arguments.incomplete}
            result = diagnose(data, coefficient, distance=distance, **how)
            disputed = None
            if arguments.texts:
                own = distance or result.agreement.distance
                disputed = disagreements(data, coefficient, distance=own, sort="share", **how)
            return _Diagnosed(result, data, distance or result.agreement.distance, disputed)

        return of_groups(read, "diagnoses", compute)


#: The most disputed items of a document.
DISPUTED = 10


@dataclass(frozen=True)
class _Diagnosed(Answer):
    """What was found of a group."""

    result: Diagnosis
    data: Annotations
    distance: Any
    disputed: Disagreements | None

    size = (6.5, 6.5)

    def sections(self, explain: bool) -> Iterator[Section]:
        """Give what lowers agreement, and the most disputed items."""
        yield from self.result.sections(explain)
        if self.disputed is not None:
            (items,) = self.disputed.sections(DISPUTED)
            yield items._replace(heading="The most disputed items")

    def panels(self) -> list[Callable[[Axes], object]]:
        """Draw confusions, disputed items, the coders' habits, and their pairs."""
        from agreement_fast import plots
        from agreement_fast.diagnostics import pairwise_agreement

        data, distance = self.data, self.distance
        name = "kappa" if distance == "nominal" else "beta"
        return [
            lambda ax: plots.category_confusion(data, ax=ax),
            lambda ax: plots.items_by_coders(data, distance=distance, ax=ax),
            lambda ax: plots.coder_marginals(data, ax=ax),
            lambda ax: plots.coder_pairs(pairwise_agreement(data, name, distance=distance), ax=ax),
        ]

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""
        if self.disputed is None:
            return self.result.to_dict()
        disputed = [
            {
                "item": str(entry.item),
                **json_fields(entry, "text disagreement share"),
                "counts": [
                    {"label": json_label(label), "n_judgments": n}
                    for label, n in entry.counts.items()
                ],
            }
            for entry in self.disputed[:DISPUTED]
        ]
        return {**self.result.to_dict(), "disputed": disputed}
