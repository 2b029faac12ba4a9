"""Score each coder and the majority against the right labels.

Score each coder or model, and the majority of the coders, against the right labels. Print
agreement, kappa and alpha, precision, recall and F1 of each category with intervals, and
the confusions.

examples:
  agreement-fast gold labels.csv --gold truth
      the right labels are in the column truth
  agreement-fast gold labels.csv --gold expert.csv
      the right labels are in another table, one row per item
  agreement-fast gold labels.csv --gold expert
      the right labels are those of one of the coders
  agreement-fast gold labels.csv --gold truth --table categories --csv f1.csv
      write precision, recall and F1 of each coder and category as a table
  agreement-fast gold labels.csv --gold truth --fail-under agreement=0.8,kappa:ann=0.7
      exit with code 1 if a coder agrees less with the right labels
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.gate import Measured, add_gate, chosen_gates, renamed
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, open_annotations
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.documents import json_label, json_rows
from agreement_fast.present.terminal import (
    show_label,
    spell_label,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics.gold_scores import GoldScores
    from agreement_fast.present.sections import Section
    from agreement_fast.present.tables import Tabular

#: Values that thresholds may name in addition to the coefficients.
SHARES = ("agreement", "macro_f1")

TABLES = ("coders", "coefficients", "averages", "categories")

NAME = "gold"
USAGE = "FILE... --gold COLUMN [options]"


SCORES = {
    "--details CODER": "the coder whose categories are printed (default: the majority)",
    f"--table {'|'.join(TABLES)}": "the table that --csv writes (default: coders)",
    **options.CONFIDENCE,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser, example=False)
    options.declare(parser, "gold labels", options.GOLD)
    options.declare(parser, "scores", SCORES, table="coders", confidence_level=0.95)
    options.add_figure(parser, "agreement by coder and F1 by category")
    add_gate(
        parser, names="kappa=0.7 (of every coder), kappa:CODER=0.7, agreement=0.8 or macro_f1=0.7"
    )


@dataclass(frozen=True)
class _Scored(Answer):
    """The scores of a group, and the coder whose categories are shown."""

    result: GoldScores
    detailed: Any

    size = (6.5, 5.0)

    def sections(self, explain: bool) -> list[Section]:
        """Give the scores, and the categories of the coder."""
        return self.result.sections(self.detailed)

    def tables(self) -> dict[str, Tabular | str]:
        """Give the scores of coders, and those of coefficients, averages and categories."""
        return {"coders": self.result, **self._others()}

    def _others(self) -> dict[str, Tabular]:
        return {name: getattr(self.result, name) for name in TABLES[1:]}

    def measured(self) -> Iterator[Measured]:
        """Give the values of each coder and the majority that thresholds may name."""
        scores, level = self.result, self.result.confidence_level
        shares, table = scores.to_dict(), scores.coefficients.to_dict()
        for c, coder in enumerate(map(spell_label, scores.coders)):
            for name in SHARES:
                value, low, high = (shares[name + end][c] for end in ("", "_low", "_high"))
                yield Measured(name, coder, value, low, high, level, shares["undefined"][c])
        columns = "coefficient", "coder", "value", "low", "high", "undefined"
        rows = zip(*(table[name] for name in columns), strict=True)
        for name, coder, value, low, high, why in rows:
            yield Measured(name, spell_label(coder), value, low, high, level, why)

    def panels(self) -> list[Callable[[Axes], object]]:
        """Draw the coders, and the categories of one of them."""
        from agreement_fast.plots import forest

        scores = self.result
        n = len(scores) - scores.has_majority
        order = [*range(n, len(scores)), *scores.agreement[:n].argsort(kind="stable").tolist()]
        columns = (scores.agreement, scores.agreement_low, scores.agreement_high)
        coders = {scores.coders[c]: tuple(float(column[c]) for column in columns) for c in order}
        table = scores.categories.to_dict()
        names = ("coder", "category", "f1", "f1_low", "f1_high")
        rows = zip(*(table[name] for name in names), strict=True)
        f1 = {category: tuple(ends) for coder, category, *ends in rows if coder == self.detailed}
        title = f"F1 of {show_label(self.detailed)}"
        return [
            lambda ax: forest(coders, measure="agreement with gold", ax=ax),
            lambda ax: forest(f1, measure=title, ax=ax),
        ]

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""

        matrix = self.result.confusion(self.detailed)
        return {
            "n_level": self.result.n_level,
            "coders": json_rows(self.result),
            **{name: json_rows(table) for name, table in self._others().items()},
            # Of the coder who is shown; rows are gold categories.
            "confusion": {
                "coder": json_label(self.detailed),
                "categories": [json_label(label) for label in matrix.row_names],
                "counts": matrix.tolist(),
            },
        }


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and score the coders."""
    from agreement_fast.diagnostics import gold_scores
    from agreement_fast.points import is_known, named

    options.check_against(arguments, "scores a coder over all judged items with a right label")
    if arguments.gold is None:
        raise UsageError("the right labels are missing: pass --gold COLUMN, FILE or CODER")
    confidence = options.confidence_level(arguments)
    names = options.chosen_coefficients(arguments) or ["kappa", "alpha"]
    gates = chosen_gates(arguments, [*names, *SHARES])
    with open_annotations(arguments, whole=True) as read:
        distance = options.only_distance(arguments, of_sets=read.holds_sets, default="nominal")
        fitting = {name: options.fitting(name, distance) for name in names}
        plain = {
            name: (named(entry).name if is_known(entry) else entry, None)
            for name, entry in fitting.items()
        }

        def compute(part: Part) -> _Scored:
            # Whether there are enough coders for a majority
            assert read.gold is not None
            n = len(part.annotations.coders or ()) - (read.gold.coder is not None)
            scores = gold_scores(
                part.annotations,
                read.gold.of(part.annotations, part.group),
                coefficient=list(fitting.values()),
                distance=distance,
                majority=n > 1,
                confidence_level=confidence,
            )
            detailed = scores.coders[-1] if len(scores) else None
            if arguments.details is not None:
                (detailed,) = options.find_coders(scores.coders, [arguments.details], "--details")
            return _Scored(scores, detailed)

        return of_groups(read, "scores", compute, gates=renamed(gates, plain))
