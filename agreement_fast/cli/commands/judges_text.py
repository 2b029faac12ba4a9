"""The text of ``agreement-fast judges``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agreement_fast.present.sections import Block, Full, Rows, Section, details
from agreement_fast.present.terminal import (
    counted,
    show_cell,
    show_label,
    show_level,
    show_p,
    some_of,
)

if TYPE_CHECKING:
    from agreement_fast.diagnostics.alternative_annotators import AlternativeAnnotatorTest
    from agreement_fast.diagnostics.error_correlation import ErrorCorrelation
    from agreement_fast.diagnostics.intra_coder import IntraCoderAgreement
    from agreement_fast.diagnostics.model_agreement import ModelAgreement


#: Number of pairs of models that are printed, and of models in an answer.
SHOWN = 12
FEW = 3


def sections(
    comparison: ModelAgreement,
    test: AlternativeAnnotatorTest,
    errors: ErrorCorrelation | None,
    runs: IntraCoderAgreement | None,
    *,
    grouped: bool,
) -> list[Section]:
    """Return the sections of a group; `grouped` says that there may be several groups."""
    parts = [_comparison(comparison, test.people)]
    if len(comparison) > 1 and comparison.shared_items:
        parts.append(_pairs(comparison))
    parts.append(_test(test))
    if errors is not None:
        parts.append(_errors(errors))
    if runs is not None:
        parts.append(_runs(runs, grouped=grouped))
    return parts


def _comparison(result: ModelAgreement, people: Sequence[Any]) -> Section:
    shared = result.shared_items
    names = some_of(people, 8)
    n = counted(int(result.n_items[0]), "item")
    over = f"the {n} that all models" if shared else "the items that the model"
    message = (
        f"{result.coefficient} ({result.distance}) of each model with the people ({names}),"
        f" beside that of the people with each other, over {over} and two people or more judged."
        f" Intervals: bootstrap ({result.method}, {result.n_resamples:,} resamples)."
    )
    blocks: list[Block] = [Full(message)]
    dropped = int(result.n_items_dropped.max())
    if dropped and shared:
        left = f"Left out: {counted(dropped, 'item')}."
        if dropped > result.n_items[0] and (result.n_own > result.n_items).any():
            left += " --no-shared-items compares each model over all items that it judged."
        blocks.append(left)
    order = _from_the_best(result.value.tolist())
    head = ["", result.coefficient, f"{show_level(result.confidence_level)} from", "to"]
    head += [] if shared else ["people"]
    head += ["minus people", head[2], "to", "p", *([] if shared else ["items"])]
    rows = []
    for m in order:
        row = [show_label(result.models[m], 24)]
        row += (result.value[m], result.low[m], result.high[m])
        row += [] if shared else [result.people[m]]
        row += [*map(_signed, _gap(result, m)), show_p(result.p_value[m])]
        rows.append(row if shared else [*row, result.n_items[m]])
    if shared:
        ends = (result.people[0], result.people_low[0], result.people_high[0])
        rows.append(["people", *ends, "", "", "", ""])
    sides = "<" + ">" * (len(head) - 1)
    table = Rows(head, rows, sides, "model", brief=FEW, last=int(shared))
    words = [_words(result, m) for m in order]
    blocks += [Full(""), table, Full(""), *words[:FEW], *map(Full, words[FEW:])]
    if len(result) > 1:
        text = (
            f"p is not corrected for the number of models: compare it with {_strict(len(result))}"
            f" (0.05 / {len(result):,}) to judge all models together."
        )
        blocks.append(Full(text))
    return Section("Models and people", blocks)


def _gap(result: ModelAgreement, m: int) -> tuple[float, float, float]:
    return result.difference[m], result.difference_low[m], result.difference_high[m]


def _words(result: ModelAgreement, m: int) -> str:
    """Describe the difference between a model and the people."""
    name = show_label(result.models[m])
    gap, low, high = _gap(result, m)
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
    columns = result.differences().to_dict()
    rows = [
        (
            show_label(first, 24),
            show_label(second, 24),
            *map(_signed, values),
            show_p(p),
        )
        for first, second, *values, p in zip(*columns.values(), strict=True)
    ]
    level = f"{show_level(result.confidence_level)} from"
    head = ("model", "minus model", "difference", level, "to", "p")
    lines: list[str | Rows] = [
        Rows(head, rows, "<<>>>>", "pair", "--table pairs --csv FILE", most=SHOWN)
    ]
    ranks = result.ranks()
    first = ", ".join(
        f"{show_label(name)} {share:.0%}"
        for name, share in sorted(
            zip(result.models, ranks[:, 0].tolist(), strict=True), key=lambda entry: -entry[1]
        )
        if share >= 0.005
    )
    if len(rows) > 1:
        lines.append(
            f"p is not corrected for the number of pairs ({len(rows):,}): even without any"
            f" difference, about one in twenty is below 0.05. Compare it with"
            f" {_strict(len(rows))} (0.05 / {len(rows):,}) to judge all pairs together."
        )
    if first:
        lines.append(f"Share of the resamples in which each is best: {first}.")
    return details("Models with each other", *lines)


def _test(result: AlternativeAnnotatorTest) -> Section:
    from agreement_fast.diagnostics.alternative_annotators import VERDICTS

    message = (
        "May a model replace a person? Each person is set aside in turn and compared with the"
        " model: who is nearer to the other people? The model wins if the test shows that it is"
        f" better, or worse by less than epsilon = {result.epsilon:g}; it passes if it wins against"
        " at least half of the people. Advantage: how often the model is at least as near as the"
        " person (Calderon, Reichart & Dror 2025)."
    )
    passes = result.to_dict()["passes"]
    rows = [
        (
            show_label(result.models[m], 24),
            f"{int(result.rejected[m].sum())} of {result.n_people[m]}",
            result.winning_rate[m],
            VERDICTS[passes[m]],
            result.advantage[m],
            result.low[m],
            result.high[m],
            result.n_items[m],
        )
        for m in _from_the_best(result.advantage.tolist())
    ]
    level = f"{show_level(result.confidence_level)} from"
    head = ("model", "wins", "winning rate", "passes", "advantage", level, "to", "items")
    table = Rows(head, rows, "<>>>>>>>", "model", brief=FEW)
    blocks: list[Block] = [Full(message), Full(""), table]
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
    message = (
        f"Against the {result.truth}, over {counted(result.n_items, 'item')}{_alone(result)}."
        f" {_worth(result)}"
    )
    level = f"{show_level(result.confidence_level)} from"
    head: tuple[str, ...] = ("model", "model", "correlation", level, "to")
    if result.errors == "wrong":
        message += (
            " Same label: the share of the items on which both are wrong that have the same wrong"
            f" label; by chance it would be {_number(result.same_wrong_expected)}."
        )
        head += ("both wrong", "by chance", "same label")
    else:
        message += " An error is a label minus the truth."
    rows = []
    for p in _from_the_best(result.correlation.tolist()):
        row: tuple[str, ...] = (
            show_label(result.models[result.first[p]], 24),
            show_label(result.models[result.second[p]], 24),
            result.correlation[p],
            result.low[p],
            result.high[p],
        )
        if result.errors == "wrong":
            expected = f"{result.both_wrong_expected[p]:,.1f}"
            row += (result.both_wrong[p], expected, result.same_wrong[p])
        rows.append(row)
    sides = "<<" + ">" * (len(head) - 2)
    table = Rows(head, rows, sides, "pair", "--table errors --csv FILE", most=SHOWN)
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


def _alone(result: ErrorCorrelation) -> str:
    if not result.n_one_person:
        return ""
    return f" ({result.n_one_person:,} of them with the label of a single person)"


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


def _runs(result: IntraCoderAgreement, *, grouped: bool) -> Section:
    message = (
        f"{result.coefficient} ({result.distance}) of a model's repeated judgments of an item, and"
        f" the share of items on which all are equal{', over all groups' if grouped else ''}."
    )
    level = f"{show_level(result.confidence_level)} from"
    layout = (
        f"model = coders | {result.coefficient} = value | {level} = low | to = high | alike ="
        f" same | {level} = same_low | to = same_high | runs = n_rounds | items = n_items"
    )
    why = dict.fromkeys(entry for entry in result.undefined if entry is not None)
    undefined = [f"Undefined: {reason}." for reason in why]
    table = Rows.laid(result, layout, what="model")
    return details("Runs of the same model", message, "", table, *undefined)


# ---------------------------------------------------------------------------------------------
# Numbers


def _from_the_best(values: Sequence[float]) -> list[int]:
    """Return the indices from the highest value down; undefined values come last."""
    return sorted(range(len(values)), key=lambda i: (values[i] != values[i], -values[i]))


def _signed(value: float) -> str:
    return show_cell(value, "+")


def _number(value: float) -> str:
    return "-" if value != value else f"{value:.3g}"
