"""Combine the judgments of each item into one label, with its confidence.

Give each item one label: the most frequent one, or the most probable one under a model of
the coders (Dawid & Skene, MACE). Print how certain the labels are, how good the coders are,
and what more judgments would bring; --csv writes the labels. Ties are not broken by default:
tied items have no label, and are counted.

examples:
  agreement-fast aggregate judgments.csv --csv labels.csv
      the most frequent label of each item
  agreement-fast aggregate judgments.csv --method mace --csv labels.csv
      the most probable label; coders who spam count less
  agreement-fast aggregate judgments.csv --method dawid_skene --gold truth --csv labels.csv
      with a column of right labels for some of the items
  agreement-fast aggregate --example --method dawid_skene
      data that come with the package: the anaesthetists of Dawid & Skene 1979
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, open_annotations
from agreement_fast.present.documents import json_fields, json_label, json_rows, json_value
from agreement_fast.present.sections import Block, Brief, Full, Section
from agreement_fast.present.terminal import show_cell

if TYPE_CHECKING:
    from agreement_fast.models.aggregation import Aggregated
    from agreement_fast.models.next_judgments import NextJudgments
    from agreement_fast.models.votes import MajorityStability
    from agreement_fast.present.tables import Tabular
    from agreement_fast.results import Agreement

#: What has all coders.
ROWS = "--table coders --csv FILE"

#: Reliabilities and accuracies for which the number of judgments is printed.
TARGETS = (0.8, 0.9, 0.95)

#: Largest number of judgments for which the accuracy of a majority is computed.
MOST_JUDGMENTS = 51

TABLES = ("items", "coders")

NAME = "aggregate"


LABELS = {
    "--method majority|dawid_skene|mace|glad": "majority (default), dawid_skene (a model with a"
    " confusion matrix for each coder), mace (a model of how often each coder spams, and with"
    " which labels) or glad (a model of the abilities of coders and the difficulties of items)",
    **options_of(
        "models.aggregation:aggregate",
        "--ties missing|first",
        "--smoothing X:float",
        "--n-restarts N:int",
        "--rng N:int",
    ),
    "--budget N:int": "further judgments that column n_more of --csv spreads over the items of each"
    " group, so that they bring most; by default one for each item",
    f"--table {'|'.join(TABLES)}": "the table that --csv writes: items with their labels (default)"
    " or coders",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser)
    defaults = {"method": "majority", "ties": "missing", "table": "items"}
    options.declare(parser, "labels of the items", LABELS, **defaults)
    options.declare(parser, "gold labels", options.GOLD)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and aggregate the judgments."""
    from agreement_fast.coefficients import agreement
    from agreement_fast.models.aggregation import aggregate
    from agreement_fast.models.votes import majority_stability

    # What measures the reliability of one judgment
    coefficient = options.only_coefficient(arguments, "alpha")
    distance = options.only_distance(arguments)
    with open_annotations(arguments, whole=True) as read:

        def compute(part: Part) -> _Part:
            data = part.annotations
            labels = aggregate(
                data,
                arguments.method,
                gold=None if read.gold is None else read.gold.of(data, part.group) or None,
                ties=arguments.ties,
                smoothing=arguments.smoothing,
                n_restarts=arguments.n_restarts,
                rng=arguments.rng,
            )
            how: dict[str, Any] = {"distance": distance, "incomplete": arguments.incomplete}
            single = agreement(data, coefficient, **how)
            budget = labels.n_items if arguments.budget is None else arguments.budget
            return _Part(labels, majority_stability(data), single, labels.next_judgments(budget))

        return of_groups(read, "aggregations", compute)


@dataclass(frozen=True)
class _Part(Answer):
    """The results of a group."""

    result: Aggregated
    stability: MajorityStability
    #: The reliability of one judgment.
    single: Agreement
    #: How the budget is spent.
    more: NextJudgments

    @property
    def n_judgments_per_item(self) -> float:
        """The mean number of judgments of a judged item."""
        n, weights = self.result.n_judgments, self.result.weights
        items = int((n > 0).sum() if weights is None else (n > 0) @ weights)
        return int(n.sum() if weights is None else n @ weights) / items if items else math.nan

    def tables(self) -> dict[str, Tabular | str]:
        """Give the items, with what more judgments would bring, and the coders."""
        from agreement_fast.present.tables import Table

        spent = {name: self.more.columns()[name] for name in ("n_more", "gain")}
        unknown = ": the data do not say who judged, only how often"
        coders = self.result.coders
        items = Table({**self.result.columns(), **spent})
        return {"items": items, "coders": unknown if coders is None else coders}

    def sections(self, explain: bool) -> Iterator[Section]:
        """Give the labels, the coders, and what more judgments bring."""
        yield from self.result.sections()
        if self.result.coders is not None:
            yield from (entry.hinting(ROWS) for entry in self.result.coders.sections())
        yield Section("What more judgments bring", [*self._majority(), *self._more()])

    def _majority(self) -> list[Block]:
        stability = self.stability
        blocks: list[Block] = [*stability.sections()[0].hidden().blocks]
        if stability.n_tied != self.result.n_ties:
            blocks.append(
                Full("Gold or a model decides some of the items whose own judgments tie.")
            )
        return blocks

    def _more(self) -> list[Block]:
        single, value = self.single, float(self.single.value)
        name = f"{single.coefficient} ({single.distance})"
        if single.undefined is not None:
            blocks: list[Block] = [f"{name} is undefined: {single.undefined}."]
        elif not value > 0:
            text = f"{name} is {show_cell(value)}: no number of such judgments gives a reliable"
            blocks = [f"{text} majority."]
        else:
            together, needed = self.reliability()
            takes = ", ".join(f"{target:g} takes {n:,}" for target, n in needed.items())
            sentence = f"One judgment has the reliability {name} = {show_cell(value)}"
            several = (
                f"; {self.n_judgments_per_item:.3g} judgments, the average of an item, together"
                f" have about {together:.2f} (Spearman-Brown)"
            )
            takes += " judgments per item."
            blocks = [Brief(f"{sentence}. {takes}"), Full(f"{sentence}{several}. {takes}")]
        accuracy = _accuracy_sentences(self.result.model)
        if accuracy and value > 0:
            accuracy.append(
                "Plan with the first numbers: they require that other coders would give the same"
                " labels, and allow for items that differ. The second require right labels and are"
                " lower bounds, because real items are not equally hard."
            )
        return [*blocks, *map(Full, [*accuracy, self.more.to_sentence()])]

    def reliability(self) -> tuple[float | None, dict[float, int]]:
        """Give the reliability of the judgments of an item, and how many reach each target."""
        from agreement_fast.inference import judgments_needed, spearman_brown

        value = float(self.single.value)
        if not value > 0:
            return None, {}
        needed = {target: judgments_needed(value, target) for target in TARGETS}
        return spearman_brown(value, self.n_judgments_per_item), needed

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""
        from agreement_fast.models.votes import OneAccuracy

        labels, model = self.result, self.result.model
        together, needed = self.reliability()
        return {
            **json_fields(
                labels,
                "method ties n_items n_decided n_ties n_gold n_unjudged mean_confidence"
                " confidence_is log_likelihood notes",
            ),
            **json_fields(self, "n_judgments_per_item stability"),
            "converged": getattr(model, "converged", None),
            "accuracy": json_value(model.accuracy) if isinstance(model, OneAccuracy) else None,
            "undefined": model.undefined,
            "gold_check": labels.gold_check and json_rows(labels.gold_check)[0],
            "labels": [{"label": json_label(label), "n_items": n} for label, n in labels.counts()],
            "coders": [] if labels.coders is None else json_rows(labels.coders),
            "next_judgments": json_fields(
                self.more, "budget n_judgments n_right n_right_after undefined"
            ),
            "reliability": {
                **json_fields(self.single, "coefficient distance value undefined"),
                "together": json_value(together),
                "judgments_needed": [
                    {"target": target, "n_judgments": n} for target, n in needed.items()
                ],
            },
        }


def _accuracy_sentences(model: Any) -> list[str]:
    """Say how many judgments make a majority right, if all are right equally often."""
    from agreement_fast.models.votes import OneAccuracy

    if not isinstance(model, OneAccuracy) or model.undefined is not None:
        return []
    reached = {n: model.of_majority(n) for n in range(1, MOST_JUDGMENTS + 1, 2)}
    shown = ", ".join(f"{reached[n]:.3f} for {n}" for n in (1, 3, 5, 7, 9))
    needed = [
        f"{target:g} takes {next((n for n in reached if reached[n] >= target), None) or 'more'}"
        for target in TARGETS
    ]
    return [
        f"At best a majority is right with probability {shown} judgments, and {', '.join(needed)}"
        f" judgments. This assumes that each judgment is right with probability"
        f" {model.accuracy:.3f}, and that no item is harder than another."
    ]
