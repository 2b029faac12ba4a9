"""The command ``agreement-fast judges``."""

from __future__ import annotations

import argparse
import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.commands.judges_text import sections
from agreement_fast.cli.docstrings import options_of
from agreement_fast.cli.gate import Measured, add_gate, asked_gates, renamed
from agreement_fast.cli.options import find_coders
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import Part, Read, open_annotations, progress_shown
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.terminal import counted, show_label, spell_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.annotations import Annotations
    from agreement_fast.diagnostics.alternative_annotators import AlternativeAnnotatorTest
    from agreement_fast.diagnostics.error_correlation import ErrorCorrelation
    from agreement_fast.diagnostics.intra_coder import IntraCoderAgreement
    from agreement_fast.diagnostics.model_agreement import ModelAgreement
    from agreement_fast.present.tables import Table, Tabular

#: Values that thresholds may name in addition to the coefficient.
OF_TEST = ("advantage", "winning_rate")
OF_MODELS = ("difference", *OF_TEST)

TABLES = ("models", "pairs", "tests", "errors", "runs")

NAME = "judges"
USAGE = "FILE... --model A,B [options]"
HELP = "compare models with people: can a model replace a person?"
DESCRIPTION = """\
Compare models with people. Print how far each model agrees with the people, beside how far
the people agree with each other; whether it may replace a person (the alternative
annotator test of Calderon, Reichart & Dror 2025); whether models err on the same items;
and whether repeated runs of a model agree."""
EXAMPLES = """\
examples:
  agreement-fast judges labels.csv --model gpt,llama
      all other coders are people
  agreement-fast judges scores.csv --model gpt,llama --person ann,bea,cid --distance interval
      labels that are numbers: near misses count less
  agreement-fast judges labels.csv --model gpt,llama --gold truth --epsilon crowd
      errors against right labels; the people are crowd workers
  agreement-fast judges runs.csv --model gpt --duplicates majority
      several runs of a model: their agreement, and the majority of the runs against the people
  agreement-fast judges labels.csv --model gpt,llama --fail-under gpt=0.6
      exit with code 1 if the agreement of gpt with the people is lower
"""


FIGURE = {
    "--figure FILE": "draw each model's agreement with the people and its advantage probability,"
    " as .png, .svg, ...",
}


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
    f"--table {'|'.join(TABLES)}": "the table that --csv writes (default: models)",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser, example=None)
    defaults = {"epsilon": "0.2", "min_items": 30, "table": "models"}
    options.declare(parser, "models and people", JUDGES, **defaults)
    options.declare(parser, "gold labels, against which a label is an error", options.GOLD)
    options.add_resampling(parser)
    options.declare(parser, "pictures", FIGURE)
    add_gate(
        parser, names="gpt=0.6 (a model's kappa), kappa=0.6 (of every model), advantage:gpt=0.8"
    )


@dataclass(frozen=True)
class Judged:
    """The results of a group; None for what was not computed."""

    comparison: ModelAgreement
    test: AlternativeAnnotatorTest
    errors: ErrorCorrelation | None
    runs: IntraCoderAgreement | None
    notes: tuple[str, ...]


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compare models with people."""
    if arguments.model is None:
        raise UsageError("no models were named: pass --model A,B, the coders who are models")
    options.check_bootstrap(arguments)
    options.check_against(arguments, "compares over the items that all models judged")
    confidence = options.confidence_level(arguments)
    coefficient, distance = _measure(arguments)
    epsilon = _epsilon(arguments)
    # Read the thresholds; the name of a model alone means its coefficient
    requested = (options.asked_coefficients(arguments) or ["kappa"])[0]
    models = options.listed([arguments.model], "--model")
    names = dict.fromkeys([coefficient, requested, *OF_MODELS, *models])
    meant: dict[str, tuple[str, str | None]] = {name: (coefficient, name) for name in models}
    meant |= {requested: (coefficient, None)}
    meant |= {name: (name, None) for name in (coefficient, *OF_MODELS)}
    gates = renamed(asked_gates(arguments, names), meant)
    with open_annotations(arguments, whole=True) as read:
        runs = _runs(read, coefficient, distance, confidence)
        if runs is not None:
            _check_runs(arguments, runs)

        def compute(part: Part) -> Judged:
            with _ties_explained(read):
                return _judged(read, part, (coefficient, distance, confidence, epsilon), runs)

        return of_groups(
            read,
            "judges",
            compute,
            sections=lambda entry, _: sections(
                entry.comparison, entry.test, entry.errors, entry.runs, grouped=bool(arguments.by)
            ),
            entry=_entry,
            table=lambda entry: _table(entry, arguments.table),
            panels=_panels,
            size=(6.5, 4.5),
            notes=lambda entry: entry.notes,
            gates=gates,
            measured=_measured,
        )


def _measured(judged: Judged) -> Iterator[Measured]:
    """Give the values of each model that thresholds may name."""
    columns = dict(_models(judged).columns())
    names = {judged.comparison.coefficient: "value", **{name: name for name in OF_MODELS}}
    for m, model in enumerate(columns["model"]):
        for name, column in names.items():
            ends = ["low", "high"] if column == "value" else [f"{column}_low", f"{column}_high"]
            low, high = (float(columns[end][m]) if end in columns else math.nan for end in ends)
            why = columns["test_undefined" if name in OF_TEST else "undefined"][m]
            value, level = float(columns[column][m]), judged.comparison.confidence_level
            yield Measured(name, spell_label(model), value, low, high, level, why)


def _measure(arguments: argparse.Namespace) -> tuple[str, str]:
    """Return the coefficient and the distance, one of each."""
    from agreement_fast.points import is_known, named

    name = options.only_coefficient(arguments, "kappa")
    default = options.USUAL if arguments.set_separator else "nominal"
    distance = options.only_distance(arguments, default=default)
    if distance != "nominal" and is_known(name):
        name = named(name).weighted or name
    return name, distance


def _epsilon(arguments: argparse.Namespace) -> float | str:
    given: str = arguments.epsilon
    try:
        return float(given)
    except ValueError:
        return given


def _judged(
    read: Read,
    part: Part,
    measure: tuple[str, str, float, float | str],
    runs: IntraCoderAgreement | None,
) -> Judged:
    from agreement_fast.diagnostics import (
        alternative_annotator_test,
        error_correlation,
        model_agreement,
    )
    from agreement_fast.diagnostics.model_agreement import check_people
    from agreement_fast.errors import InputError

    arguments = read.arguments
    coefficient, distance, confidence, epsilon = measure
    data = part.annotations
    models = _named(arguments.model, data, "--model")
    people = None if arguments.person is None else _named(arguments.person, data, "--person")
    truth = None if read.gold is None else read.gold.of(data, part.group)
    if read.gold is not None and read.gold.coder is not None and people is None:
        people = [coder for coder in data.coders or () if coder not in (*models, truth)]
        check_people(people, models)
    comparison = model_agreement(
        data,
        models,
        coefficient,
        person=people,
        distance=distance,
        shared_items=not arguments.no_shared_items,
        n_resamples=arguments.n_resamples,
        confidence_level=confidence,
        method=arguments.method or "percentile",
        rng=arguments.rng,
        progress=progress_shown(arguments),
    )
    test = alternative_annotator_test(
        data,
        models,
        person=people,
        distance=distance,
        epsilon=epsilon,
        min_items=arguments.min_items,
        confidence_level=confidence,
    )
    errors = None
    if len(models) > 1:
        try:
            errors = error_correlation(
                data,
                models,
                truth,
                person=people,
                errors="deviation" if distance != "nominal" and _are_numbers(data) else "wrong",
                confidence_level=confidence,
            )
        except InputError as error:
            # Without shared items, models may have no errors on the same items.
            if error.argument != "model" or not arguments.no_shared_items:
                raise
    return Judged(comparison, test, errors, runs, data.origin.read(distance).notes)


def _named(given: str, data: Annotations, option: str) -> list[Any]:
    return find_coders(data.coders or (), options.listed([given], option), option)


def _are_numbers(data: Annotations) -> bool:
    return all(isinstance(category, int | float) for category in data.categories)


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


def _check_runs(arguments: argparse.Namespace, runs: IntraCoderAgreement) -> None:
    """Ask which of a model's runs is compared with the people."""
    if arguments.duplicates in (None, "error") and arguments.repeats_of is None:
        at, n = max(enumerate(runs.n_items.tolist()), key=lambda entry: entry[1])
        items = counted(n, "item")
        raise UsageError(
            f"model {show_label(runs.coders[at])} judged {items} more than once: pass --duplicates"
            " majority, first or last to choose what is compared with the people; the runs are"
            " compared with each other in any case"
        )


@contextlib.contextmanager
def _ties_explained(read: Read) -> Iterator[None]:
    """Explain that judgments of models are missing only because their runs tie."""
    from agreement_fast.errors import InputError

    try:
        yield
    except InputError as error:
        n = read.counted.ties
        if error.argument != "model" or not n:
            raise
        ties = counted(n, "tie")
        raise InputError(
            f"{error.problem}, because {ties} between the labels that a coder gave an item"
            f" {'counts' if n == 1 else 'count'} as missing",
            "pass --duplicates first or last, which take one run; --table runs stays the same",
            argument="model",
        ) from None


def _table(judged: Judged, name: str) -> Tabular:
    """Return the table of ``--table``."""
    if name == "models":
        return _models(judged)
    if name == "pairs":
        if not judged.comparison.shared_items:
            raise UsageError("--table pairs and --no-shared-items exclude each other")
        return judged.comparison.differences()
    if name == "tests":
        return judged.test.tests()
    if name == "errors":
        if judged.errors is None:
            raise UsageError(
                "--table errors compares two models or more, which judged the same items"
            )
        return judged.errors
    if judged.runs is None:
        raise UsageError(
            "--table runs compares repeated judgments, but no model judged an item twice"
        )
    return judged.runs


def _models(judged: Judged) -> Table:
    """Return a row for each model: its agreement with the people, and the test."""
    from agreement_fast.present.tables import Table

    columns = dict(judged.comparison.columns())
    test = judged.test.columns()
    columns |= {name: test[name] for name in ("winning_rate", "passes", "advantage")}
    columns |= {f"advantage_{end}": test[end] for end in ("low", "high")}
    columns |= {name: test[name] for name in ("epsilon", "n_people")}
    columns |= {f"test_{name}": test[name] for name in ("n_items", "undefined")}
    return Table(columns)


def _panels(judged: Judged) -> list[Callable[[Axes], object]]:
    from agreement_fast.plots import forest

    result, test = judged.comparison, judged.test
    band = None
    if len(set(result.people.tolist())) == 1:
        band = float(result.people[0]), float(result.people_low[0]), float(result.people_high[0])
    measure = f"{result.coefficient} ({result.distance}) with the people"
    return [
        lambda ax: forest(result, measure=measure, band=band, band_name="people", ax=ax),
        lambda ax: forest(test, value="advantage", measure="advantage probability", ax=ax),
    ]


def _ranks(result: ModelAgreement) -> list[dict[str, Any]]:
    """Return for each model the shares of resamples in which it is first, second, ..."""
    from agreement_fast.present.terminal import json_label, json_number

    ranks = result.ranks().tolist()
    return [
        {"model": json_label(name), "shares": list(map(json_number, shares))}
        for name, shares in zip(result.models, ranks, strict=True)
    ]


def _entry(judged: Judged) -> dict[str, Any]:
    """Return the part of a group of docs/output.schema.json."""
    from agreement_fast.present.tables import json_rows
    from agreement_fast.present.terminal import json_fields, json_label

    comparison, errors = judged.comparison, judged.errors
    own = not comparison.shared_items
    return {
        "notes": list(judged.notes),
        "models": json_rows(_models(judged)),
        "people": [json_label(name) for name in judged.test.people],
        "pairs": [] if own else json_rows(comparison.differences()),
        "ranks": [] if own else _ranks(comparison),
        "tests": json_rows(judged.test.tests()),
        "test_note": judged.test.note,
        "errors": None
        if errors is None
        else {
            **json_fields(
                errors,
                "truth items=n_items items_of_one_person=n_one_person mean_correlation mean_low"
                " mean_high effective effective_low effective_high effective_by_eigenvalues",
            ),
            "not_counted": [
                json_label(name)
                for name, counted in zip(errors.models, errors.varies, strict=True)
                if not counted
            ],
            "pairs": json_rows(errors),
        },
        "runs": None if judged.runs is None else json_rows(judged.runs),
    }  # fmt: skip
