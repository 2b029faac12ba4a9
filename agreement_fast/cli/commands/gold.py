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
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agreement_fast.cli import options
from agreement_fast.cli.gate import Measured, add_gate, chosen_gates, renamed
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import Part, open_annotations
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.sections import Block, Full, Rows, Section, Verbatim, details
from agreement_fast.present.terminal import (
    counted,
    json_label,
    show_label,
    show_level,
    spell_label,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics.gold_scores import GoldScores
    from agreement_fast.present.tables import Tabular

#: Number of coders and categories that are printed.
SHOWN = 20

#: Columns of the widest matrix of confusions that is printed.
WIDEST = 94

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
    options.add_annotations(parser, example=None)
    options.declare(parser, "gold labels", options.GOLD)
    options.declare(parser, "scores", SCORES, table="coders", confidence_level=0.95)
    options.add_figure(parser, "agreement by coder and F1 by category")
    add_gate(
        parser, names="kappa=0.7 (of every coder), kappa:CODER=0.7, agreement=0.8 or macro_f1=0.7"
    )


class _Scored(NamedTuple):
    """The scores of a group, and the coder whose categories are shown."""

    scores: GoldScores
    detailed: Any


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

        return of_groups(
            read,
            "scores",
            compute,
            sections=lambda entry, _: _sections(entry, confidence),
            entry=_entry,
            table=lambda entry: (
                entry.scores
                if arguments.table == "coders"
                else getattr(entry.scores, arguments.table)
            ),
            panels=_panels,
            size=(6.5, 5.0),
            gates=renamed(gates, plain),
            measured=lambda entry: _measured(entry.scores),
        )


def _measured(scores: GoldScores) -> Iterator[Measured]:
    """Give the values of each coder and the majority that thresholds may name."""
    level, shares, table = scores.confidence_level, scores.to_dict(), scores.coefficients.to_dict()
    for c, coder in enumerate(scores.coders):
        for name in SHARES:
            value, low, high = (shares[name + end][c] for end in ("", "_low", "_high"))
            why = shares["undefined"][c]
            yield Measured(name, spell_label(coder), value, low, high, level, why)
    wanted = ("coefficient", "coder", "value", "low", "high", "undefined")
    for name, coder, value, low, high, why in zip(*(table[entry] for entry in wanted), strict=True):
        yield Measured(name, spell_label(coder), value, low, high, level, why)


def _panels(value: _Scored) -> list[Callable[[Axes], object]]:
    """Return the pictures of a group: the coders, and the categories of one of them."""
    from agreement_fast.plots import forest

    scores = value.scores
    order = _order(scores)
    order = [*order[len(order) - scores.has_majority :], *order]  # the majority is always shown
    order = order[: len(scores)]
    columns = (scores.agreement, scores.agreement_low, scores.agreement_high)
    coders = {scores.coders[c]: tuple(float(column[c]) for column in columns) for c in order}
    f1 = {
        row["category"]: (row["f1"], row["f1_low"], row["f1_high"])
        for row in _rows(scores.categories, value.detailed)
    }
    title = f"F1 of {show_label(value.detailed)}"
    return [
        lambda ax: forest(coders, measure="agreement with gold", ax=ax),
        lambda ax: forest(f1, measure=title, ax=ax),
    ]


def _rows(table: Tabular, coder: Any) -> list[dict[str, Any]]:
    """Return the rows of a coder."""
    columns = table.to_dict()
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return [row for row in rows if row["coder"] == coder]


# ---------------------------------------------------------------------------------------------
# Output


def _sections(value: _Scored, level: float) -> list[Section]:
    scores = value.scores
    message = (
        "Agreement is the share of equal labels, macro F1 the mean F1 of the categories. The coder"
        " with the lowest agreement comes first."
    )
    means = scores.averages.to_dict()
    columns = scores.to_dict() | {name: means[name][::2] for name in ("f1", "f1_low", "f1_high")}
    layout = (
        "coder | items = n_items | agreement | agreement_low..high | macro F1 = f1 | f1_low..high"
    )
    table = Rows.laid(columns, layout, _order(scores), limit=20, level=level)
    blocks: list[Block] = [Full(message), Full(""), _of_coders(scores, table)]
    if not scores.n_items.any():
        why = (
            "Nothing is scored: no item has both a judgment and a right label. Check that items"
            " have the same names in both."
        )
        alone = "Nobody is scored: the coder whose labels are right is the only one."
        blocks.append(why if len(scores) else alone)
    if scores.n_level:
        items = counted(scores.n_level, "item")
        blocks.append(f"No majority on {items}: the labels tie.")
    without = int(scores.n_without.max(initial=0))
    if without:
        text = f"Up to {counted(without, 'item')} of a coder without a right label."
        blocks.append(text)
    sections = [Section("Coders against gold", blocks)]
    if value.detailed is not None:
        sections += _details(value, level)
    names = dict.fromkeys(scores.coefficients.to_dict()["coefficient"])
    return sections + [_coefficient(scores, name, level) for name in names]


def _of_coders(scores: GoldScores, table: Rows) -> Rows:
    """Return a table of coders, which ends with the majority."""
    return replace(table, what="coder", most=SHOWN, brief=8, last=int(scores.has_majority))


def _coefficient(scores: GoldScores, name: str, level: float) -> Section:
    columns = scores.coefficients.to_dict()
    chosen = [i for i, column in enumerate(columns["coefficient"]) if column == name]
    n = len(scores) - scores.has_majority
    order = sorted(chosen[:n], key=lambda i: _last(columns["value"][i]))
    reasons = zip(columns["undefined"], columns["note"], strict=True)
    columns["why"] = [(first or other or "").partition(":")[0] for first, other in reasons]
    layout, order = f"coder | {name} = value | low..high |  = why:s", [*order, *chosen[n:]]
    table = Rows.laid(columns, layout, order, sides="<>>><", limit=20, level=level)
    return details(f"{name} with gold", _of_coders(scores, table))


def _details(value: _Scored, level: float) -> list[Section]:
    """Return precision, recall and F1 of a coder's categories, and the confusions."""
    result = _rows(value.scores.categories, value.detailed)
    if not result:
        return []
    rows = []
    for row in sorted(result, key=lambda row: -row["right"]):
        cells = (
            row[key + end] for key in ("precision", "recall", "f1") for end in ("", "_low", "_high")
        )
        label = show_label(row["category"], 14)
        rows.append((label, row["right"], *(f"{x:.3f}" if x == x else "-" for x in cells)))
    head = ("category", "right", *(x for m in ("prec.", "recall", "F1") for x in (m, "from", "to")))
    message = f"Right: items with this gold label. Intervals: {show_level(level)}."
    table = Rows(head, rows, "<" + ">" * 10, "category", most=SHOWN, brief=5)
    blocks: list[Block] = [Full(message), Full(""), table]
    sections = [Section(f"Categories of {show_label(value.detailed)}", blocks)]
    matrix = str(value.scores.confusion(value.detailed))
    if len(matrix.partition("\n")[0]) < WIDEST:
        sections.append(details("Confusions (rows: gold)", Verbatim(matrix)))
    return sections


def _order(scores: GoldScores) -> list[int]:
    """Return the indices of the coders from the lowest agreement up, then the majority."""
    n = len(scores) - scores.has_majority
    order = sorted(range(n), key=lambda c: _last(float(scores.agreement[c])))
    return [*order, *range(n, len(scores))]


def _last(value: float) -> float:
    return float("inf") if value != value else float(value)


def _entry(value: _Scored) -> dict[str, Any]:
    """Return the part of a group of docs/output.schema.json."""
    from agreement_fast.present.tables import json_rows

    scores, matrix = value.scores, value.scores.confusion(value.detailed)
    return {
        "items_without_majority": scores.n_level,
        "coders": json_rows(scores),
        **{name: json_rows(getattr(scores, name)) for name in TABLES[1:]},
        # Of the coder who is shown; rows are gold categories.
        "confusion": {
            "coder": json_label(value.detailed),
            "categories": [json_label(label) for label in matrix.row_names],
            "counts": matrix.tolist(),
        },
    }
