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
from typing import TYPE_CHECKING, Any, NamedTuple

from agreement_fast.cli import options
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import Part, open_annotations
from agreement_fast.present.sections import Section
from agreement_fast.present.terminal import json_fields, json_label

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
    options.add_annotations(
        parser, example="diagnose data that come with the package (Dawid & Skene 1979)"
    )
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
            return _Diagnosed(data, result, disputed)

        return of_groups(
            read,
            "diagnoses",
            compute,
            sections=_sections,
            entry=_entry,
            table=lambda entry: entry.diagnosis,
            panels=lambda entry: _panels(
                entry.data, distance or entry.diagnosis.agreement.distance
            ),
            size=(6.5, 6.5),
        )


class _Diagnosed(NamedTuple):
    """What was found of a group."""

    data: Annotations
    diagnosis: Diagnosis
    disputed: Disagreements | None


def _panels(data: Annotations, distance: Any) -> list[Callable[[Axes], object]]:
    """Return the pictures of a group, which are drawn side by side."""
    from agreement_fast.diagnostics import pairwise_agreement
    from agreement_fast.plots import (
        category_confusion,
        coder_marginals,
        coder_pairs,
        items_by_coders,
    )

    name = "kappa" if distance == "nominal" else "beta"
    return [
        lambda ax: category_confusion(data, ax=ax),
        lambda ax: items_by_coders(data, distance=distance, ax=ax),
        lambda ax: coder_marginals(data, ax=ax),
        lambda ax: coder_pairs(pairwise_agreement(data, name, distance=distance), ax=ax),
    ]


# ---------------------------------------------------------------------------------------------
# Output


def _sections(first: _Diagnosed, explain: bool) -> Iterator[Section]:
    yield from first.diagnosis.sections(explain)
    if first.disputed is not None:
        (items,) = first.disputed.sections(DISPUTED)
        yield items._replace(heading="The most disputed items")


#: The most disputed items of a document.
DISPUTED = 10


def _entry(value: _Diagnosed) -> dict[str, Any]:
    """Return the part of a group of docs/output.schema.json."""
    if value.disputed is None:
        return value.diagnosis.to_dict()
    disputed = [
        {
            "item": str(entry.item),
            **json_fields(entry, "text disagreement share"),
            "counts": [
                {"label": json_label(label), "judgments": n} for label, n in entry.counts.items()
            ],
        }
        for entry in value.disputed[:DISPUTED]
    ]
    return {**value.diagnosis.to_dict(), "disputed": disputed}
