"""Why coefficients of the same data differ, in sentences for those who have not met it before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agreement_fast.chance import CHANCE
from agreement_fast.results import Agreement
from agreement_fast.terminal import show_label, show_value

if TYPE_CHECKING:
    from agreement_fast.report.content import Report

#: Differences of nominal coefficients that ask for a reason: half a band of Landis & Koch, or where
#: only the coders' habits make one, half of that.
APART = 0.1
HABITS = 0.05

#: Names in a sentence.
NAMES = {"s": "S", "brennan_prediger": "S", "ac": "AC", "alpha_prime": "pi", "beta": "kappa"}


def why_they_differ(report: Report) -> list[str]:
    """What to say below a table of coefficients; empty where they hardly differ.

    S and AC look at how many categories there are, the others at how often each was used: they part
    where a few categories hold most judgments. kappa and pi part where coders have other habits.
    """
    by_chance: dict[str, dict[str, Agreement]] = {}
    for result in report.table:
        if result.distance == "nominal" and result.undefined is None:
            name = NAMES.get(result.coefficient, result.coefficient)
            by_chance.setdefault(result.chance, {})[name] = result
    counting: dict[str, Agreement] = {}
    using: dict[str, Agreement] = {}
    for chance, results in by_chance.items():
        (counting if CHANCE[chance].counts_categories else using).update(results)
    using = dict(sorted(using.items(), key=lambda pair: pair[0] != "alpha"))  # the one to look at
    said = []
    far = {
        name: result
        for name, result in counting.items()
        if using and result.value - max(one.value for one in using.values()) >= APART
    }
    if far:
        said.append(_few_categories(report, far, using))
    for kappa in by_chance.get("individual", {}).values():
        for pi in by_chance.get("pooled", {}).values():
            if kappa.value - pi.value >= HABITS:
                said.append(
                    f"kappa ({show_value(kappa.value)}) lies above pi ({show_value(pi.value)})"
                    " because the coders use the categories at different rates: kappa grants each"
                    " their own habits, pi does not. Look at pi or alpha where other coders are to"
                    " label in the same way."
                )
    return said


def _few_categories(report: Report, far: dict[str, Agreement], using: dict[str, Agreement]) -> str:
    top = max(report.categories, key=lambda category: category.count)
    label, names = show_label(top.label), _listed(using)
    verb = "lies" if len(far) == 1 else "lie"
    above = f"{_listed(far)} {verb} above {names}"
    if top.share >= 0.5:
        return (
            f"{above} because {top.share:.0%} of the judgments are {label}. Coders who said"
            f" {label} almost always, without looking, would agree often: {names}"
            f" {'counts' if len(using) == 1 else 'count'} that as chance, {_listed(far)} hardly."
            f" Look at {next(iter(using))} if the rarer categories matter, and at the agreement on"
            " each category: agreement-fast diagnose."
        )
    every = len(report.categories)
    used = sum(1 for category in report.categories if category.count)
    return (
        f"{above} because a few of the {every:,} categories hold"
        f" {'all' if used < every else 'most'} judgments, so that chance often meets on one of"
        f" them: {names} {'counts' if len(using) == 1 else 'count'} that, {_listed(far)} hardly."
        f" Look at {next(iter(using))}; agreement-fast diagnose says more."
    )


def _listed(results: dict[str, Agreement]) -> str:
    *first, last = results
    return f"{', '.join(first)} and {last}" if first else last
