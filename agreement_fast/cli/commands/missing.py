"""Count why judgments are missing, and bound the agreement if they had been given.

Count labels that say why a judgment is missing, such as "n/a" or "abstained", by coder and
item, and print the coefficient if these were read otherwise, if the missing judgments had
agreed or disagreed, and its bounds over all ways to fill them in.

examples:
  agreement-fast missing labels.csv
      empty cells are what is missing
  agreement-fast missing labels.csv --state abstained --state "n/a=not applicable"
      a judgment was due where a coder abstained, and none where the label is n/a
  agreement-fast missing labels.csv --state unreadable=item --csv items.csv --table items
      an unreadable item is left out for all coders; write the states of the items
  agreement-fast missing labels.csv --fail-under least=0.4
      exit with code 1 if some way to fill in the empty cells gives a lower value
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.gate import Measured, add_gate, chosen_gates
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, open_annotations
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.terminal import shorten

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.diagnostics.missing import MissingJudgments
    from agreement_fast.present.tables import Tabular

TABLES = ("scenarios", "states", "coders", "items")

NAME = "missing"

STATES = {
    "--state LABEL[=POLICY] ...": "a label that says why there is no judgment; may be repeated. The"
    " policy is missing (left out; the bounds fill it in; default), 'not applicable' (left out),"
    " label (a category of its own) or item (the item is left out)",
    "--empty-cells POLICY": "the policy of empty cells (default: missing without --state, else"
    " 'not applicable')",
    f"--table {'|'.join(TABLES)}": "the table that --csv writes (default: scenarios)",
    **options.CONFIDENCE,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser)
    options.declare(
        parser, "what is missing", STATES, state=[], table="scenarios", confidence_level=0.95
    )
    add_gate(parser, names="alpha=0.6 (of what was given), least=0.4 (of all ways to fill it in)")


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compute the result of each group."""
    from agreement_fast.diagnostics import missing_judgments

    confidence = options.confidence_level(arguments)
    distance: str = options.only_distance(arguments, default="nominal")
    coefficient = options.fitting(options.only_coefficient(arguments, "alpha"), distance)
    gates = chosen_gates(arguments, [coefficient, "least"])
    with open_annotations(arguments, whole=True) as read:
        labels = read.table.labels.values.tolist()
        states = _states(arguments, labels)
        if arguments.distance or arguments.matrix or arguments.tree:
            distance = read.distances()[-1]

        def compute(part: Part) -> _Missing:
            # A group may lack some of them
            own = {s: p for s, p in states.items() if s is None or s in part.annotations.categories}
            data = _with_numbers(part.annotations, states)
            how: dict[str, Any] = {"distance": distance, "confidence_level": confidence}
            return _Missing(
                missing_judgments(data, own, coefficient, incomplete=arguments.incomplete, **how)
            )

        return of_groups(read, "results", compute, gates=gates)


class _Missing(Answer):
    """What is missing in a group."""

    def tables(self) -> dict[str, Tabular | str]:
        """Give the tables of the result."""
        return {name: getattr(self.result, name) for name in TABLES}

    def measured(self) -> Iterator[Measured]:
        """Give the coefficient and its lower bound."""
        result: MissingJudgments = self.result
        ends = (result.low, result.high, result.confidence_level)
        yield Measured(result.coefficient, result.distance, result.value, *ends)
        yield Measured("least", result.distance, result.least, undefined=result.undefined)


def _states(arguments: argparse.Namespace, labels: list[Any]) -> dict[Any, str]:
    """Give the policy of each state."""
    written = {str(label): label for label in labels}
    states: dict[Any, str] = {}
    for text in arguments.state:
        name, _, policy = (text, "", "") if text in written else text.rpartition("=")
        if not name:
            name, policy = text, ""
        if name not in written:
            raise UsageError(
                f"--state: {name!r} is no label of these data; the labels are {shorten(labels)}"
            )
        states[written[name]] = policy.replace("-", " ") or "missing"
    empty = arguments.empty_cells or (None if states else "missing")
    return states if empty is None else {**states, None: empty.replace("-", " ")}


def _with_numbers(data: Annotations, states: dict[Any, str]) -> Annotations:
    """Read the other labels as numbers if they all write some, as --missing would."""
    texts = [label for label in data.categories if label not in states]
    try:
        numbers = {text: float(text) for text in texts if isinstance(text, str)}
    except ValueError:
        return data
    if not states.keys() - {None} or len(numbers) < len(texts):
        return data
    return data.merge_categories(
        {text: int(x) if x.is_integer() else x for text, x in numbers.items()}
    )
