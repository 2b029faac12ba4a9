"""Sentences that explain the values of a report to a newcomer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from agreement_fast.chance import CHANCE
from agreement_fast.present.terminal import and_more, show_category, show_value
from agreement_fast.results import Agreement

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report


#: Smallest difference of nominal coefficients that is explained: half a band of Landis & Koch, or
#: half of that if only the coders' habits cause it.
APART = 0.1
HABITS = 0.05

#: A coefficient this far below the share of equal judgments is explained.
BELOW = 0.2

#: From this coefficient on, the report does not recommend `diagnose`.
HIGH = 0.8

#: A category prevails from this share of the judgments on, as in `diagnose`.
PREVAILS = 2 / 3

#: Smallest change of a coefficient by items judged once that is reported.
MOVED = 0.02

#: Categories that are named in a sentence.
NAMED = 5

#: Names in a sentence.
NAMES = {"s": "S", "brennan_prediger": "S", "ac": "AC", "alpha_prime": "pi", "beta": "kappa"}


class Remark(NamedTuple):
    """A sentence or two of a report about its numbers.

    Attributes
    ----------
    kind : str
        "below": a value clearly below chance. "prevalence": one category prevails, so that chance
        agrees often. "categories": few of the categories hold most judgments. "habits": the coders
        use the categories at different rates. "three numbers": those of Di Eugenio & Glass (2004).
        "incomplete": items that were judged once change what chance is taken to be. "constant": a
        coder used one category only. "numbers": they are compared as names. "rare": categories with
        too few chance agreements. "diagnose": where to read on.
    text : str
        One line without a line end; labels in it are as they are shown, and harmless.
    """

    kind: str
    text: str


def remarks(report: Report) -> tuple[Remark, ...]:
    """What to say below a table of coefficients."""
    quoted = report.table[report.quoted]
    # Whether the table is what it was taken for, if a value is clearly below chance
    notes = [note for note in (quoted.note, *(entry.note for entry in report.table)) if note]
    result = [Remark("below", note) for note in notes[:1]]
    constant, moved = list(_constant(report)), list(_incomplete(report))
    if as_names(report):
        result += [Remark("numbers", note) for note in report.table.read.notes]
    result += [*constant, *moved, *_chance_of_nominal(report)]
    # Both determine kappa, regardless of the other two.
    if not constant and not moved:
        result += _three_numbers(report)
    result += _rare(report)
    if quoted.undefined is not None or quoted.value < HIGH:
        text = "What lowers agreement, and what to do: the command diagnose, or af.diagnose."
        result.append(Remark("diagnose", text))
    return tuple(result)


def as_names(report: Report) -> bool:
    """Return whether numbers are compared as names, and nobody said that they are names."""
    return not report.distance_named and bool(report.table.read.notes)


def _by_chance(report: Report) -> dict[str, dict[str, Agreement]]:
    """Return the defined nominal coefficients by chance model and name."""
    value: dict[str, dict[str, Agreement]] = {}
    for result in report.table:
        if result.distance == "nominal" and result.undefined is None:
            name = NAMES.get(result.coefficient, result.coefficient)
            value.setdefault(result.chance, {})[name] = result
    return value


def _chance_of_nominal(report: Report) -> Iterator[Remark]:
    """Explain S and AC, which depend on the number of categories, beside the other coefficients."""
    counting: dict[str, Agreement] = {}
    using: dict[str, Agreement] = {}
    for model, results in _by_chance(report).items():
        (counting if CHANCE[model].counts_categories else using).update(results)
    if not using:
        return
    using = dict(sorted(using.items(), key=lambda pair: pair[0] != "alpha"))  # the one to look at
    highest = max(result.value for result in using.values())
    far = {name: element for name, element in counting.items() if element.value - highest >= APART}
    name, entry = next(iter(using.items()))
    top = max(report.categories, key=lambda category: category.n_judgments)
    below = 1 - entry.observed_disagreement - entry.value
    if top.share >= PREVAILS and below >= BELOW:
        yield Remark("prevalence", _prevalence(report, name, entry, far))
    elif far:
        above = f"{_listed(far)} {_verb(far, 'lie')} above {_listed(using)} because"
        taken = (
            f"{_listed(using)} {_verb(using, 'count')} that{{}}, {_listed(far)} only a little of"
            f" it. Look at {name}"
        )
        if top.share >= 0.5:
            label = show_category(top.category)
            yield Remark(
                "prevalence",
                f"{above} {top.share:.0%} of the judgments are {label}. Coders who said {label}"
                f" that often, without looking, would agree often: {taken.format(' as chance')} if"
                " the rarer categories matter.",
            )
            return
        used = sum(1 for category in report.categories if category.n_judgments)
        hold = "all" if used < len(report.categories) else "most"
        yield Remark(
            "categories",
            f"{above} a few of the {len(report.categories):,} categories hold {hold} judgments, so"
            f" that coders often agree on one of them by chance: {taken.format('')}.",
        )


def _prevalence(report: Report, name: str, agreement: Agreement, far: dict[str, Agreement]) -> str:
    places = range(len(report.categories))
    top = max(places, key=lambda k: report.categories[k].n_judgments)
    label, share = show_category(report.categories[top].category), report.categories[top].share
    observed, expected = 1 - agreement.observed_disagreement, 1 - agreement.expected_disagreement
    text = (
        f"Why {name} is {show_value(agreement.value)} although {observed:.0%} of the judgments of"
        f" an item agree: {label} is {share:.0%} of all labels. Coders who used the labels as often"
        f" without looking at the items would agree on {expected:.1%}, these agree on"
        f" {observed:.1%}."
    )
    others = [k for k in places if k != top and report.categories[k].n_judgments]
    table = report.cross
    if table is not None and not table.n_others and others:
        again = table.again(others)
        message = f"If one coder says {show_category(report.categories[others[0]].category)},"
        if len(others) == 1:
            text += f" {message} another does in {again:.0%} of cases."
        else:
            text += (
                f" If one coder says anything but {label}, another says the same in"
                f" {again:.0%} of cases."
            )
    text += f" Quote {name} together with the observed agreement and the counts of the labels."
    if far:
        values = " and ".join(f"{n} ({show_value(r.value)})" for n, r in far.items())
        text += (
            f" {values} {_verb(far, 'count')} little of this as chance, and {_verb(far, 'say')}"
            " nothing about the rarer labels."
        )
    return text


def _verb(results: dict[str, Agreement], verb: str) -> str:
    return f"{verb}s" if len(results) == 1 else verb


def _listed(results: dict[str, Agreement]) -> str:
    *first, last = results
    return f"{', '.join(first)} and {last}" if first else last


def _three_numbers(report: Report) -> Iterator[Remark]:
    """κ, π and 2 A_o − 1, which Di Eugenio & Glass (2004) ask for together."""
    result = _by_chance(report)
    kappas, pis = result.get("individual", {}), result.get("pooled", {})
    if not kappas or not pis:
        return
    kappa, pi = (next(iter(results.values())) for results in (kappas, pis))
    adjusted = 1 - 2 * pi.observed_disagreement
    biased = kappa.value - pi.value >= HABITS
    prevails = adjusted - max(kappa.value, pi.value) >= APART
    used = sum(1 for category in report.categories if category.n_judgments)
    # With more categories, 2 A_o - 1 is informative only if chance agreement is above a half.
    if used > 2 and not biased and not prevails:
        return
    text = (
        f"Kappa {show_value(kappa.value)}, pi {show_value(pi.value)}, 2 A_o - 1"
        f" {show_value(adjusted)} (Di Eugenio & Glass 2004):"
    )
    if biased:
        text += (
            " kappa lies above pi because the coders use the categories at different rates, which"
            " kappa allows for as their own habits and pi does not. Look at pi or alpha if"
            " other coders are to label in the same way."
        )
    else:
        text += " the coders' own habits change little."
    if prevails:
        text += " The third lies above both because one category prevails."
    yield Remark("habits" if biased else "three numbers", text)


def _incomplete(report: Report) -> Iterator[Remark]:
    """D_o is of items with two judgments, and the chance of some coefficients of all items."""
    moved = [
        f"{first.coefficient} ({first.distance}) {show_value(other.value)}, not"
        f" {show_value(first.value)}"
        for first, other in zip(report.table, report.without_singles or (), strict=False)
        if first.undefined is None and other.undefined is None
        if abs(first.value - other.value) > MOVED
    ]
    if moved:
        n = report.n_items_single
        items = "1 item that was" if n == 1 else f"{n:,} items that were"
        yield Remark(
            "incomplete",
            f"{items} judged once cannot show agreement, but change which labels are expected by"
            " chance. Of items with two judgments alone, which most programs take for kappa,"
            f" --incomplete pairable gives {'; '.join(moved)}.",
        )


def _constant(report: Report) -> Iterator[Remark]:
    if report.constant_coders is None or report.n_missing:
        return
    kappas = [r for r in report.table if CHANCE[r.chance].knows_coders and r.undefined is None]
    for result in kappas[:1]:
        name = NAMES.get(result.coefficient, result.coefficient)
        yield Remark(
            "constant",
            f"{name} is {show_value(result.value)} and could not be anything else, regardless of"
            f" the other coders: {report.constant_coders}. It says nothing about how well they"
            " agree.",
        )


def _rare(report: Report) -> Iterator[Remark]:
    rare = report.rare
    if not rare or len(report.categories) == 1:
        return
    named = [f"{show_category(row.label)} ({row.expected:.1f})" for row in rare[:NAMED]]
    shown = and_more(named, len(rare))
    needed = rare[0].items_needed
    if len(rare) == len(report.categories):
        most = max((row.items_needed or 0 for row in rare), default=0)
        yield Remark(
            "rare",
            f"Few items for {len(rare):,} categories: on none of them would two coders agree five"
            f" times by chance (Krippendorff 2004): {shown}. About {most:,} items are needed"
            " for the rarest, at these shares.",
        )
        return
    text = (
        f"Too rare to show whether coders recognise them, with fewer than five agreements expected"
        f" by chance (Krippendorff 2004): {shown}."
    )
    if len(rare) == 1 and needed is not None:
        text += f" It takes about {needed:,} items, or items picked for it."
    else:
        text += " Add items that are likely to hold them."
    yield Remark("rare", text)
