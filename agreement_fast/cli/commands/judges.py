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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.gate import Measured, add_gate, chosen_gates, renamed
from agreement_fast.cli.options import find_coders, options_of
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import Part, Read, open_annotations, progress_shown
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.errors import InputError
from agreement_fast.present.sections import Block, Full, Rows, Section, details
from agreement_fast.present.terminal import (
    counted,
    json_fields,
    json_label,
    json_number,
    show_cell,
    show_label,
    some_of,
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

#: Why a table may be lacking.
LACKING = {
    "pairs": "and --no-shared-items exclude each other",
    "errors": "compares two models or more, which judged the same items",
    "runs": "compares repeated judgments, but no model judged an item twice",
    "leniency": "is of labels that are numbers: pass --distance, too",
    "more_people": "needs their number: pass --n-more N",
    "more_tests": "needs the number of people: pass --n-more N",
    "position": "needs the column of the answers that were shown first: pass --first COLUMN",
}

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
    options.add_annotations(parser, example=None)
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
class Judged:
    """The results of a group; None for what was not computed."""

    comparison: ModelAgreement
    test: AlternativeAnnotatorTest
    errors: ErrorCorrelation | None
    runs: IntraCoderAgreement | None
    leniency: Leniency | None
    position: PositionBias | None
    more: MorePeople | None
    notes: tuple[str, ...]


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

        position = _position(read, confidence)

        def compute(part: Part) -> Judged:
            try:
                judged = _judged(read, part, (coefficient, distance, confidence, epsilon), runs)
                return replace(judged, position=position)
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

        return of_groups(
            read,
            "judges",
            compute,
            sections=lambda entry, _: _sections(entry, bool(arguments.by)),
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


def _judged(
    read: Read,
    part: Part,
    measure: tuple[str, str, float, float | str],
    runs: IntraCoderAgreement | None,
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
    return Judged(comparison, test, errors, runs, rated, None, more, notes)


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


def _table(judged: Judged, name: str) -> Tabular:
    """Return the table of ``--table``."""
    shared = judged.comparison.shared_items
    tables = {
        "models": _models(judged),
        "pairs": judged.comparison.differences() if shared else None,
        "tests": judged.test.tests(),
        "errors": judged.errors,
        "runs": judged.runs,
        "leniency": judged.leniency,
        "position": judged.position,
        "more_people": judged.more and judged.more.people,
        "more_tests": judged.more and judged.more.models,
    }
    table = tables[name]
    if table is None:
        raise UsageError(f"--table {name} {LACKING[name]}")
    return table


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


def _entry(judged: Judged) -> dict[str, Any]:
    """Return the part of a group of docs/output.schema.json."""
    from agreement_fast.present.tables import json_rows

    comparison, errors = judged.comparison, judged.errors
    own = not comparison.shared_items
    return {
        **json_fields(judged, "notes"),
        "models": json_rows(_models(judged)),
        **json_fields(judged.test, "people"),
        "pairs": [] if own else json_rows(comparison.differences()),
        # The shares of resamples in which each model is first, second, ...
        "ranks": []
        if own
        else [
            {"model": json_label(name), "shares": list(map(json_number, shares))}
            for name, shares in zip(comparison.models, comparison.ranks().tolist(), strict=True)
        ],
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
            "not_counted": list(map(json_label, compress(errors.models, ~errors.varies))),
            "pairs": json_rows(errors),
        },
        "more_people": None if judged.more is None else judged.more.document(),
        **{
            name: None if (table := getattr(judged, name)) is None else json_rows(table)
            for name in ("runs", "leniency", "position")
        },
    }  # fmt: skip


# ---------------------------------------------------------------------------------------------
# Output


#: Number of pairs of models that are printed, and of models in an answer.
SHOWN = 12
FEW = 3


def _sections(judged: Judged, grouped: bool) -> Iterator[Section]:
    """Give the sections of a group; `grouped` says that there may be several groups."""
    yield _comparison(judged.comparison, judged.test.people)
    if len(judged.comparison) > 1 and judged.comparison.shared_items:
        yield _pairs(judged.comparison)
    yield _test(judged.test)
    if judged.errors is not None:
        yield _errors(judged.errors)
    if judged.runs is not None:
        yield _repeated(judged.runs, grouped)
    if judged.leniency is not None:
        rated = judged.leniency
        layout = (
            "judge = judges | leniency:+ | low..high:+ | p = p_value:.4f | mean | items = n_items"
        )
        order = _from_the_best(rated.leniency.tolist())
        meaning = (
            "How much higher than the mean of all a judge rates the same items, in units of the"
            " labels; p is not corrected for the number of judges."
        )
        table = Rows.laid(rated, layout, order, level=rated.confidence_level, what="judge")
        yield details("Who rates high", meaning, "", table)
    if judged.position is not None:
        yield _places(judged.position, grouped)
    if judged.more is not None:
        yield from judged.more.sections()


def _comparison(result: ModelAgreement, people: Sequence[Any]) -> Section:
    shared = result.shared_items
    n = counted(int(result.n_items[0]), "item")
    over = f"the {n} that all models" if shared else "the items that the model"
    message = (
        f"{result.coefficient} ({result.distance}) of each model with the people, beside"
        f" that of the people with each other, over {over} and two people or more judged."
        f" Intervals: bootstrap ({result.method}, {result.n_resamples:,} resamples)."
    )
    who = f"Models: {some_of(result.models, 8)}. People: {some_of(people, 8)}."
    blocks: list[Block] = [who, Full(message)]
    dropped = int(result.n_items_dropped.max())
    if dropped and shared:
        left = f"Left out: {counted(dropped, 'item')}."
        if dropped > result.n_items[0] and (result.n_own > result.n_items).any():
            left += " --no-shared-items compares each model over all items that it judged."
        blocks.append(left)
    order, level = _from_the_best(result.value.tolist()), result.confidence_level
    layout = (
        f" = models | {result.coefficient} = value | low..high{' | people' * (not shared)} |"
        " minus people = difference:+ | difference_low..high:+ | p = p_value:.4f"
        f"{' | items = n_items' * (not shared)}"
    )
    table = Rows.laid(result, layout, order, level=level, what="model", brief=FEW)
    if shared:
        ends = (result.people[0], result.people_low[0], result.people_high[0])
        rows = [*table.rows, ["people", *ends, "", "", "", ""]]
        table = replace(table, rows=rows, last=1)
    words = [_words(result, m) for m in order]
    blocks += [Full(""), table, Full(""), *words[:FEW], *map(Full, words[FEW:])]
    if len(result) > 1:
        text = (
            f"p is not corrected for the number of models: compare it with {_strict(len(result))}"
            f" (0.05 / {len(result):,}) to judge all models together."
        )
        blocks.append(Full(text))
    return Section("Models and people", blocks)


def _words(result: ModelAgreement, m: int) -> str:
    """Describe the difference between a model and the people."""
    name = show_label(result.models[m])
    gap, low, high = (getattr(result, f"difference{end}")[m] for end in ("", "_low", "_high"))
    if gap != gap:
        return f"{name}: {result.undefined[m] or 'the people have no value'}."
    if low > 0:
        return f"{name} agrees with the people more than they do with each other ({gap:+.4f})."
    if high < 0:
        return f"{name} agrees with the people less than they do with each other ({gap:+.4f})."
    return (
        f"{name}: no difference is shown. Its agreement with the people may be from {_apart(low)}"
        f" to {_apart(high)} that of the people with each other."
    )


def _apart(gap: float) -> str:
    if round(gap, 4) == 0:
        return "level with"
    return f"{abs(gap):.4f} {'below' if gap < 0 else 'above'}"


def _strict(tests: int) -> str:
    """Return Bonferroni's level, rounded down."""
    return f"{math.floor(5e4 / tests) / 1e6:.6f}".rstrip("0")


def _pairs(result: ModelAgreement) -> Section:
    layout = "model = first | minus model = second | difference:+ | low..high:+ | p = p_value:.4f"
    table = Rows.laid(
        result.differences(), layout, sides="<<>>>>", level=result.confidence_level,
        what="pair", hint="--table pairs --csv FILE", most=SHOWN,
    )  # fmt: skip
    lines: list[str | Rows] = [table]
    n_pairs = len(table.rows)
    ranks = result.ranks()
    first = ", ".join(
        f"{show_label(name)} {share:.0%}"
        for name, share in sorted(
            zip(result.models, ranks[:, 0].tolist(), strict=True), key=lambda entry: -entry[1]
        )
        if share >= 0.005
    )
    if n_pairs > 1:
        lines.append(
            f"p is not corrected for the number of pairs ({n_pairs:,}): even without any"
            f" difference, about one in twenty is below 0.05. Compare it with"
            f" {_strict(n_pairs)} (0.05 / {n_pairs:,}) to judge all pairs together."
        )
    if first:
        lines.append(f"Share of the resamples in which each is best: {first}.")
    return details("Models with each other", *lines)


def _test(result: AlternativeAnnotatorTest) -> Section:
    from agreement_fast.diagnostics.alternative_annotators import VERDICTS

    message = (
        "May a model replace a person? Each person is set aside in turn and compared with the"
        " model: who is nearer to the other people? It passes if it wins against at least half of"
        " the people. Advantage: how often the model is at least as near as the"
        " person (Calderon, Reichart & Dror 2025)."
    )
    columns = result.to_dict()
    each = zip(result.rejected.sum(1).tolist(), columns["n_people"], strict=True)
    columns["wins"] = [f"{int(won)} of {n}" for won, n in each]
    columns["passes"] = [VERDICTS[passes] for passes in columns["passes"]]
    layout = (
        "model | wins | winning rate = winning_rate | passes | advantage | low..high |"
        " items = n_items"
    )
    order, level = _from_the_best(columns["advantage"]), result.confidence_level
    table = Rows.laid(columns, layout, order, level=level, what="model", brief=FEW)
    wins = (
        "A model wins against a person if the test shows that it is better, or worse by less than"
        f" epsilon = {result.epsilon:g}."
    )
    blocks: list[Block] = [Full(message), wins, Full(""), table]
    if len(set(result.n_items.tolist())) > 1:
        note = (
            "Items: those that the model and two people judged. They differ between models, and an"
            " advantage may come from easier items: to compare models, leave out items that a model"
            " did not judge."
        )
        blocks.append(Full(note))
    if result.note is not None:
        blocks.append(f"Note: {result.note}.")
    untested = [m for m in range(len(result)) if not result.n_people[m]]
    if untested:
        names = ", ".join(show_label(result.models[m], 24) for m in untested)
        blocks.append(
            f"Undefined for {names}: nobody was tested, because no person judged"
            f" {result.min_items} items that the model and another person judged, too;"
            " --min-items lowers this number."
        )
    return Section("Alternative annotator test", blocks)


def _errors(result: ErrorCorrelation) -> Section:
    n = result.n_one_person
    alone = f" ({n:,} of them with the label of a single person)" if n else ""
    message = (
        f"Against the {result.truth}, over {counted(result.n_items, 'item')}{alone}."
        f" {_worth(result)}"
    )
    layout = "model = first | model = second | correlation | low..high"
    if result.errors == "wrong":
        message += (
            " Same label: the share of the items on which both are wrong that have the same wrong"
            f" label; by chance it would be {_number(result.same_wrong_expected)}."
        )
        layout += " | both wrong = both_wrong | by chance = both_wrong_expected:,.1f"
        layout += " | same label = same_wrong"
    else:
        message += " An error is a label minus the truth."
    columns = result.to_dict()
    table = Rows.laid(
        columns, layout, _from_the_best(columns["correlation"]),
        sides="<<" + ">" * layout.count(" | "), level=result.confidence_level, what="pair",
        hint="--table errors --csv FILE", most=SHOWN,
    )  # fmt: skip
    lines: list[str | Rows] = [message, "", table]
    left = [
        f"{counted(n, 'item')} {why}"
        for n, why in (
            (result.n_without, "without a truth"),
            (result.n_incomplete, "that a model did not judge"),
        )
        if n
    ]
    if left:
        lines.append(f"Left out: {', '.join(left)}.")
    if result.truth != "gold":
        note = (
            "People are not always right, and if they are wrong, all models that are right seem to"
            " err together: --gold COLUMN names right labels."
        )
        lines.append(note)
    return details("Errors on the same items", *lines)


def _worth(result: ErrorCorrelation) -> str:
    """Say how many independent models they are worth, and which are not counted."""
    constant = []
    for name, rate, varies in zip(result.models, result.error_rate, result.varies, strict=True):
        if not varies:
            why = "the same error everywhere" if rate != rate else "always wrong"
            constant.append(f"{show_label(name, 24)} ({why if rate else 'never wrong'})")
    left = ""
    if constant:
        left = f" Not counted, because their errors do not vary: {', '.join(constant)}."
    if result.effective != result.effective:
        return f"No two models have errors that vary, so there is no correlation.{left}"
    of = f" of {len(result.models)}" if constant else ""
    return (
        f"These {result.varies.sum()}{of} models are worth {_number(result.effective)} independent"
        f" ones ({_number(result.effective_low)} to {_number(result.effective_high)}): their errors"
        f" correlate by {show_cell(result.mean_correlation)} on average.{left}"
    )


def _repeated(result: IntraCoderAgreement, grouped: bool) -> Section:
    message = (
        f"{result.coefficient} ({result.distance}) of a model's repeated judgments of an item, and"
        f" the share of items on which all are equal{', over all groups' if grouped else ''};"
        " the others are flips."
    )
    layout = (
        f"model = coders | {result.coefficient} = value | low..high | alike = same |"
        " same_low..high | runs = n_rounds | items = n_items"
    )
    why = dict.fromkeys(entry for entry in result.undefined if entry is not None)
    undefined = [f"Undefined: {reason}." for reason in why]
    table = Rows.laid(result, layout, level=result.confidence_level, what="model")
    return details("Runs of the same model", message, "", table, *undefined)


def _places(result: PositionBias, grouped: bool) -> Section:
    message = (
        "How much more often the answer that is shown first wins, of items that a judge saw in both"
        f" orders{', over all groups' if grouped else ''}: 0 is no preference, 1 always the first"
        " answer and -1 always the second. Same: how often both orders have the same winner."
    )
    layout = (
        "judge = judges | bias:+ | low..high:+ | p = p_value:.4f | same | same_low..high |"
        " items = n_items"
    )
    order = _from_the_best([abs(bias) for bias in result.bias.tolist()])
    table = Rows.laid(result, layout, order, level=result.confidence_level, what="judge")
    blocks: list[str | Rows] = [message, "", table]
    if n := int(result.n_one_order.sum()):
        blocks.append(f"Left out: {counted(n, 'item')} that a judge saw in one order only.")
    return details("Who prefers a place", *blocks)


# ---------------------------------------------------------------------------------------------
# Numbers


def _from_the_best(values: Sequence[float]) -> list[int]:
    """Return the indices from the highest value down; undefined values come last."""
    return sorted(range(len(values)), key=lambda i: (values[i] != values[i], -values[i]))


def _number(value: float) -> str:
    return "-" if value != value else f"{value:.3g}"
