"""Compare models with people: can a model replace a person?

Compare models with people. Print how far each model agrees with the people, beside how far
the people agree with each other; whether it may replace a person (the alternative
annotator test of Calderon, Reichart & Dror 2025); whether models err on the same items;
and whether repeated runs of a model agree.

examples:
  agreement-fast judges labels.csv --model gpt,llama
      all other coders are people
  agreement-fast judges scores.csv --model gpt,llama --person ann,bea,cid --distance interval
      labels that are numbers: near misses count less
  agreement-fast judges labels.csv --model gpt,llama --gold truth --epsilon crowd
      errors against right labels; the people are crowd workers
  agreement-fast judges runs.csv --model gpt --duplicates majority
      several runs of a model: their agreement, and the majority of the runs against the people
  agreement-fast judges pairs.csv --model gpt --first shown_first --duplicates first
      labels are the better of two answers, in both orders: does the first place win?
  agreement-fast judges labels.csv --model gpt,llama --fail-under gpt=0.6
      exit with code 1 if the agreement of gpt with the people is lower
"""

from __future__ import annotations

import argparse
import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.gate import Measured, add_gate, chosen_gates, renamed
from agreement_fast.cli.options import find_coders, options_of
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, Read, open_annotations, progress_shown
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.errors import InputError
from agreement_fast.present.documents import json_fields, json_label, json_rows, json_value
from agreement_fast.present.sections import Section
from agreement_fast.present.terminal import (
    counted,
    show_label,
    spell_label,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.diagnostics.alternative_annotators import (
        AlternativeAnnotatorTest,
        MorePeople,
    )
    from agreement_fast.diagnostics.error_correlation import ErrorCorrelation
    from agreement_fast.diagnostics.intra_coder import IntraCoderAgreement
    from agreement_fast.diagnostics.model_agreement import ModelAgreement
    from agreement_fast.diagnostics.position_bias import PositionBias
    from agreement_fast.diagnostics.ratings import Leniency
    from agreement_fast.present.tables import Table, Tabular

#: Values that thresholds may name in addition to the coefficient.
OF_TEST = ("advantage", "winning_rate")
OF_MODELS = ("difference", *OF_TEST)

TABLES = (
    *("models", "pairs", "tests", "errors", "runs", "leniency", "position"),
    *("more_people", "more_tests"),
)

#: What has all rows of a table.
ROWS = "--table {} --csv FILE"

NAME = "judges"
USAGE = "FILE... --model A,B [options]"


JUDGES = {
    "--model A,B,C": "the coders who are models",
    **options_of("diagnostics.model_agreement:model_agreement", "--person A,B,C"),
    "--no-shared-items": "compare each model with the people over all items that it judged"
    " (default: only items that all models judged)",
    **options_of(
        "diagnostics.alternative_annotators:alternative_annotator_test",
        "--epsilon expert,skilled,crowd,X",
        "--min-items N:int",
    ),
    "--first COLUMN": "the answer that was shown first, where labels are the better of two answers,"
    " judged in both orders: shows whether judges prefer a place",
    "--tie LABEL": "the label that says that neither answer is better (default: tie)",
    "--n-more N:int": "shows what up to N more people would add to the reliability of the"
    " people, and how much narrower intervals would be",
    f"--table {'|'.join(TABLES)}": "the table that --csv writes (default: models)",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser, example=False)
    defaults = {"epsilon": "0.2", "min_items": 30, "table": "models", "tie": "tie"}
    options.declare(parser, "models and people", JUDGES, **defaults)
    options.declare(parser, "gold labels, against which a label is an error", options.GOLD)
    options.add_resampling(parser)
    drawn = "each model's agreement with the people and its advantage probability"
    options.add_figure(parser, drawn)
    add_gate(
        parser, names="gpt=0.6 (a model's kappa), kappa=0.6 (of every model), advantage:gpt=0.8"
    )


@dataclass(frozen=True)
class Judged(Answer):
    """The results of a group; None for what was not computed."""

    result: ModelAgreement
    test: AlternativeAnnotatorTest
    errors: ErrorCorrelation | None
    runs: IntraCoderAgreement | None
    leniency: Leniency | None
    position: PositionBias | None
    more: MorePeople | None
    remarks: tuple[str, ...]
    #: Whether there may be several groups.
    grouped: bool

    size = (6.5, 4.5)

    def notes(self) -> tuple[str, ...]:
        """Give what may be meant otherwise."""
        return self.remarks

    def measured(self) -> Iterator[Measured]:
        """Give the values of each model that thresholds may name."""
        columns = dict(self.models().columns())
        names = {self.result.coefficient: "value", **{name: name for name in OF_MODELS}}
        for m, model in enumerate(columns["model"]):
            for name, column in names.items():
                ends = ["low", "high"] if column == "value" else [f"{column}_low", f"{column}_high"]
                low, high = (float(columns[end][m]) if end in columns else math.nan for end in ends)
                why = columns["test_undefined" if name in OF_TEST else "undefined"][m]
                value, level = float(columns[column][m]), self.result.confidence_level
                yield Measured(name, spell_label(model), value, low, high, level, why)

    def tables(self) -> dict[str, Tabular | str]:
        """Give the tables of ``--table``, or why one is lacking."""
        shared, more = self.result.shared_items, self.more
        tables: dict[str, tuple[Tabular | None, str]] = {
            "models": (self.models(), ""),
            "pairs": (
                self.result.differences() if shared else None,
                "and --no-shared-items exclude each other",
            ),
            "tests": (self.test.tests(), ""),
            "errors": (self.errors, "compares two models or more, which judged the same items"),
            "runs": (self.runs, "compares repeated judgments, but no model judged an item twice"),
            "leniency": (self.leniency, "is of labels that are numbers: pass --distance, too"),
            "position": (
                self.position,
                "needs the column of the answers that were shown first: pass --first COLUMN",
            ),
            "more_people": (more and more.people, "needs their number: pass --n-more N"),
            "more_tests": (more and more.models, "needs the number of people: pass --n-more N"),
        }
        return {
            name: f" {why}" if table is None else table for name, (table, why) in tables.items()
        }

    def models(self) -> Table:
        """Give a row for each model: its agreement with the people, and the test."""
        from agreement_fast.present.tables import Table

        columns, test = dict(self.result.columns()), self.test.columns()
        columns |= {name: test[name] for name in ("winning_rate", "passes", "advantage")}
        columns |= {f"advantage_{end}": test[end] for end in ("low", "high")}
        columns |= {name: test[name] for name in ("epsilon", "n_people")}
        columns |= {f"test_{name}": test[name] for name in ("n_items", "undefined")}
        return Table(columns)

    def panels(self) -> list[Callable[[Axes], object]]:
        """Draw each model's agreement with the people, and its advantage."""
        from agreement_fast.plots import forest

        result, test = self.result, self.test
        band = None
        if len(set(result.people.tolist())) == 1:
            band = (
                float(result.people[0]),
                float(result.people_low[0]),
                float(result.people_high[0]),
            )
        measure = f"{result.coefficient} ({result.distance}) with the people"
        return [
            lambda ax: forest(result, measure=measure, band=band, band_name="people", ax=ax),
            lambda ax: forest(test, value="advantage", measure="advantage probability", ax=ax),
        ]

    def sections(self, explain: bool) -> Iterator[Section]:
        """Give what each of the results says."""
        with_people, *with_each_other = self.result.sections()
        yield with_people
        yield from (section.hinting(ROWS.format("pairs")) for section in with_each_other)
        yield from self.test.sections()
        of_all = ", over all groups" * self.grouped
        parts = {"errors": "", "runs": of_all, "leniency": "", "position": of_all}
        for name, where in parts.items():
            if (result := getattr(self, name)) is not None:
                (section,) = result.sections()
                section = section._replace(heading=section.heading + where)
                yield section.hinting(ROWS.format(name)).hidden()
        if self.more is not None:
            yield from self.more.sections()

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""

        comparison, errors = self.result, self.errors
        own = not comparison.shared_items
        return {
            **json_fields(self, "remarks runs leniency position"),
            "models": json_rows(self.models()),
            **json_fields(self.test, "people"),
            "pairs": [] if own else json_rows(comparison.differences()),
            # The shares of resamples in which each model is first, second, ...
            "ranks": []
            if own
            else [
                {"model": json_label(name), "shares": json_value(shares)}
                for name, shares in zip(comparison.models, comparison.ranks().tolist(), strict=True)
            ],
            "tests": json_rows(self.test.tests()),
            "test_note": self.test.note,
            "errors": None
            if errors is None
            else {
                **json_fields(
                    errors,
                    "truth n_items n_one_person mean_correlation mean_low mean_high effective"
                    " effective_low effective_high effective_by_eigenvalues",
                ),
                "not_counted": list(map(json_label, compress(errors.models, ~errors.varies))),
                "pairs": json_rows(errors),
            },
            "more_people": None if self.more is None else self.more.document(),
        }


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compare models with people."""
    if arguments.model is None:
        raise UsageError("no models were named: pass --model A,B, the coders who are models")
    options.check_bootstrap(arguments)
    options.check_against(arguments, "compares over the items that all models judged")
    confidence = options.confidence_level(arguments)
    coefficient = options.only_coefficient(arguments, "kappa")
    default = options.USUAL if arguments.set_separator else "nominal"
    distance: str = options.only_distance(arguments, default=default)
    coefficient = options.fitting(coefficient, distance)
    epsilon: float | str = arguments.epsilon
    with contextlib.suppress(ValueError):
        epsilon = float(epsilon)
    # Read the thresholds; the name of a model alone means its coefficient
    requested = (options.chosen_coefficients(arguments) or ["kappa"])[0]
    models = options.listed([arguments.model], "--model")
    names = dict.fromkeys([coefficient, requested, *OF_MODELS, *models])
    meant: dict[str, tuple[str, str | None]] = {name: (coefficient, name) for name in models}
    meant |= {requested: (coefficient, None)}
    meant |= {name: (name, None) for name in (coefficient, *OF_MODELS)}
    gates = renamed(chosen_gates(arguments, names), meant)
    along = [] if arguments.first is None else [arguments.first]
    with open_annotations(arguments, along=along, whole=True) as read:
        runs = _runs(read, coefficient, distance, confidence)
        several = arguments.duplicates in (None, "error") and arguments.repeats_of is None
        if runs is not None and several:
            at, n = max(enumerate(runs.n_items.tolist()), key=lambda entry: entry[1])
            raise UsageError(
                f"model {show_label(runs.coders[at])} judged {counted(n, 'item')} more than once:"
                " pass --duplicates majority, first or last to choose what is compared with the"
                " people; the runs are compared with each other in any case"
            )

        own = runs, _position(read, confidence)

        def compute(part: Part) -> Judged:
            try:
                return _judged(read, part, (coefficient, distance, confidence, epsilon), own)
            except InputError as error:
                # Judgments of models may be missing only because their runs tie.
                n = read.counted.ties
                if error.argument != "model" or not n:
                    raise
                raise InputError(
                    f"{error.problem}, because {counted(n, 'tie')} between the labels that a coder"
                    f" gave an item {'counts' if n == 1 else 'count'} as missing",
                    "pass --duplicates first or last, which take one run; --table runs stays the"
                    " same",
                    argument="model",
                ) from None

        return of_groups(read, "judges", compute, gates=gates)


def _judged(
    read: Read,
    part: Part,
    measure: tuple[str, str, float, float | str],
    own: tuple[IntraCoderAgreement | None, PositionBias | None],
) -> Judged:
    """Compute the results of a group."""
    from agreement_fast.diagnostics import (
        alternative_annotator_test,
        error_correlation,
        leniency,
        model_agreement,
        more_people,
    )
    from agreement_fast.diagnostics.model_agreement import check_people

    arguments = read.arguments
    coefficient, distance, confidence, epsilon = measure
    data = part.annotations
    models, people = (options.coders_of(arguments, name, data) for name in ("model", "person"))
    assert models is not None
    truth = None if read.gold is None else read.gold.of(data, part.group)
    if read.gold is not None and read.gold.coder is not None and people is None:
        people = [coder for coder in data.coders or () if coder not in (*models, truth)]
        check_people(people, models)
    how: dict[str, Any] = {"person": people, "confidence_level": confidence}
    comparison = model_agreement(
        data,
        models,
        coefficient,
        distance=distance,
        shared_items=not arguments.no_shared_items,
        n_resamples=arguments.n_resamples,
        method=arguments.method or "percentile",
        rng=arguments.rng,
        progress=progress_shown(arguments),
        **how,
    )
    least = arguments.min_items
    test = alternative_annotator_test(
        data, models, distance=distance, epsilon=epsilon, min_items=least, **how
    )
    numbers = distance != "nominal" and all(
        isinstance(category, int | float) for category in data.categories
    )
    rated = leniency(data, confidence_level=confidence) if numbers else None
    errors = None
    if len(models) > 1:
        what: Any = "deviation" if numbers else "wrong"
        try:
            errors = error_correlation(data, models, truth, errors=what, **how)
        except InputError as error:
            # Without shared items, models may have no errors on the same items.
            if error.argument != "model" or not arguments.no_shared_items:
                raise
    more = None
    if arguments.n_more is not None:
        agreed: Any = {"coefficient": coefficient, "distance": distance}
        more = more_people(data, models, n_more=arguments.n_more, **agreed, **how)
    notes = data.origin.read(distance).notes
    runs, position = own
    by = bool(arguments.by)
    return Judged(comparison, test, errors, runs, rated, position, more, notes, by)


def _runs(
    read: Read, coefficient: str, distance: str, confidence: float
) -> IntraCoderAgreement | None:
    """Compare a model's judgments of the same item, if the table has several."""
    import numpy as np

    from agreement_fast.diagnostics import intra_coder_agreement
    from agreement_fast.files import LongTable
    from agreement_fast.points import COEFFICIENTS

    table = read.table
    if not isinstance(table, LongTable) or read.holds_sets or read.arguments.set_separator:
        return None
    models = find_coders(
        table.coder_names, options.listed([read.arguments.model], "--model"), "--model"
    )
    codes = [place for place, value in enumerate(table.coders.values.tolist()) if value in models]
    rows = np.flatnonzero(np.isin(table.coders.codes, codes) & (table.labels.codes >= 0))
    groups = np.zeros(len(rows), np.int64) if table.groups is None else table.groups.codes[rows]
    keys = np.stack([table.items.codes[rows], table.coders.codes[rows], groups], 1)
    if len(np.unique(keys, axis=0)) == len(rows):
        return None
    items = np.unique(keys[:, [0, 2]], axis=0, return_inverse=True)[1].reshape(-1)
    if COEFFICIENTS[coefficient].chance == "individual":
        coefficient = "alpha"  # the order of runs has no meaning
    with in_options(read.arguments):
        return intra_coder_agreement(
            {
                "item": items,
                "coder": table.coders.values[table.coders.codes[rows]].tolist(),
                "label": table.labels.values[table.labels.codes[rows]].tolist(),
            },
            coefficient=coefficient,
            distance=distance,
            confidence_level=confidence,
        )


def _position(read: Read, confidence: float) -> PositionBias | None:
    """Test whether judges prefer a place, if a column says which answer was shown first."""
    import numpy as np

    from agreement_fast.diagnostics import position_bias
    from agreement_fast.files import LongTable

    column, table = read.arguments.first, read.table
    if column is None:
        return None
    if not isinstance(table, LongTable):
        raise UsageError("--first needs a table of one judgment per row, with the answer in it")
    shown = table.along[column]
    rows = np.flatnonzero((shown.codes >= 0) & (table.labels.codes >= 0))
    items = table.items.codes[rows].astype(np.int64)
    if table.groups is not None:
        items = items * (len(table.groups.values) + 1) + table.groups.codes[rows] + 1
    first, winner = (
        np.array([*map(spell_label, answers.values.tolist())], object)[answers.codes[rows]]
        for answers in (shown, table.labels)
    )
    judges = table.coders.values[table.coders.codes[rows]]
    try:
        return position_bias(
            items,
            judges,
            first,
            winner,
            ties=[read.arguments.tie],
            confidence_level=confidence,
        )
    except InputError as error:
        if error.argument == "winner":
            raise UsageError(f"--first: {error.problem}: pass --tie, if it means neither") from None
        raise UsageError(f"--first: {error}") from None
