"""The findings of a diagnosis, as text and as plain values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import student_share
from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics.bias import THRESHOLDS
from agreement_fast.distances.sums.linear import linear
from agreement_fast.inference.derivatives import influences
from agreement_fast.options import Incomplete
from agreement_fast.points import Point
from agreement_fast.present.documents import json_fields
from agreement_fast.present.result import Presented
from agreement_fast.present.sections import Block, Brief, Full, Plain, Section, Terms
from agreement_fast.present.tables import Row, of_each
from agreement_fast.present.terminal import more, show_value
from agreement_fast.results import Agreement

#: The smallest gain that is reported.
WORTH = 0.01

#: The level of the test of a gain, over all candidates together.
CHANCE = 0.01

#: The value from which a coefficient is good enough for most purposes (Krippendorff 1980).
GOOD = THRESHOLDS[-1]


@dataclass(frozen=True, slots=True)
class Finding(Row):
    """Something that lowers the agreement, or makes its value uncertain.

    Attributes
    ----------
    kind : str
        "undefined", "bias", "prevalence", "confusion", "camps", "one coder", "coders at chance",
        "single-category coders", "disputed items", "near misses", "no agreement", "few items" or
        "few judgments".
    cost : float
        How much the coefficient would rise without it. For "few items", half of the width of the
        interval. NaN if the finding has no effect on the value of the coefficient.
    sentence : str
        What was found.
    advice : str
        What to do.
    numbers : dict
        The numbers behind the sentence.
    """

    kind: str
    cost: float
    sentence: str
    advice: str
    numbers: dict[str, Any]


#: Printed if nothing was found although the value is not good.
SPREAD = "Nothing stands out: no coder, category or handful of items accounts for the disagreement."


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosis(Presented):
    """The findings of `diagnose`, ordered by cost.

    ``print(found)`` shows them as paragraphs. A diagnosis is an iterable of `Finding`.

    Attributes
    ----------
    agreement : Agreement
        The coefficient.
    findings : tuple of Finding
        The finding with the highest cost first; those without a cost last.
    skipped : tuple of str
        The checks that could not be run, and why.
    """

    _caption = (
        "{agreement.coefficient}({agreement.distance}) = {agreement.value}; found: "
        "{_kinds:list}[nothing{_kinds!}]"
    )
    _remarks = ""

    def _kinds(self) -> list[str]:
        return [finding.kind for finding in self.findings]

    agreement: Agreement
    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of the table: kind, cost, sentence and advice of each finding."""
        return of_each(self.findings, "kind cost sentence advice")

    def of(self, kind: str) -> tuple[Finding, ...]:
        """Return the findings of a kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    def costliest(self) -> list[Plain]:
        """Return the costliest findings in a line or two each, and the number of the others."""
        if not self.findings:
            good = self.agreement.value >= GOOD
            return ["Nothing was found that lowers the agreement." if good else SPREAD]
        costliest = self.findings[:COSTLIEST]
        left = len(self) - len(costliest)
        others = [more(left, "finding", "agreement-fast diagnose")] if left else []
        first = re.compile(r"(?<=[a-z0-9)][.])(?<! al[.]) (?=[A-Za-z])")  # where a sentence ends
        return [_terms((entry, first.split(entry.advice)[0]) for entry in costliest), *others]

    def sections(self, explain: bool = True, notes: bool = True) -> list[Section]:
        """Return the findings, each with its cost and what to do."""
        result = self.agreement
        value = "undefined" if result.undefined else show_value(result.value)
        blocks: list[Block] = [f"Note: {note}." for note in result.read.notes if notes]
        blocks += map(Brief, self.costliest())
        if explain and any(entry.cost == entry.cost for entry in self.findings):
            blocks.append(Full(MEANING))
        texts = ((entry, f"{entry.sentence} {entry.advice}") for entry in self.findings)
        every = _terms(texts, apart=True) if self.findings else self.costliest()[0]
        blocks.append(Full(every))
        if self.skipped:
            blocks += [Full(""), Full(f"Not examined: {'; '.join(self.skipped)}.")]
        title = f"What costs agreement: {result.coefficient} ({result.distance}) = {value}"
        return [Section(title, blocks)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; NaN and infinity become None."""
        names = (
            "coefficient distance value observed_disagreement expected_disagreement n_items "
            "n_judgments undefined"
        )
        findings = [json_fields(f, "kind cost sentence advice numbers") for f in self.findings]
        return {
            **json_fields(self.agreement, names),
            **json_fields(self, "skipped"),
            "findings": findings,
        }


#: Findings of an answer.
COSTLIEST = 3

#: What the numbers in front of findings are.
MEANING = (
    "The number in front is roughly how much the coefficient would rise; if a finding is about few"
    " items, how far off the coefficient may be. The costliest come first. The numbers were picked"
    " because they are large, and do not add up: they say where to look, not what the agreement is."
)


def _terms(texts: Iterable[tuple[Finding, str]], *, apart: bool = False) -> Terms:
    """Return findings, each with its cost and a text about it."""
    pairs = [
        (
            "" if math.isnan(entry.cost) else f"{entry.cost:.3f}",
            f"{entry.kind.capitalize()}. {text}",
        )
        for entry, text in texts
    ]
    return Terms(pairs, wide=7, head=("cost", "finding"), apart=apart)


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of a coefficient from a change."""

    #: The coefficient after the change.
    value: float
    #: The coefficient after the change minus that before.
    gain: float
    #: Of the gain, by the delta method over both codings of the same items.
    standard_error: float
    #: Of the one-sided test that there is no gain (Student's t), times the number of candidate
    #: changes (Bonferroni), at most 1.
    p_value: float

    @property
    def worth_reporting(self) -> bool:
        """Whether the gain is large enough and larger than sampling of the items explains."""
        return self.gain >= WORTH and self.p_value < CHANCE

    def details(self, name: str) -> dict[str, float]:
        """Return the value by this name, and the gain with its test, for a finding."""
        test = ("gain", "standard_error", "p_value")
        return {name: self.value, **{part: getattr(self, part) for part in test}}


def gain(
    before: Annotations,
    after: Annotations,
    point: Point,
    incomplete: Incomplete,
    n_choices: int = 1,
    other: Point | None = None,
) -> Gain:
    """Compare a coefficient of two codings of the same items, in the same order.

    `other` is the coefficient of the second coding; by default the same as that of the first.
    Items' names are not compared. O(judgments).
    """
    key = ("coded", point, incomplete)
    if key not in before.memo:
        before.memo[key] = coded(before, point, incomplete)
    old, new = before.memo[key], coded(after, other or point, incomplete)
    value, start = new.value, old.value
    if math.isnan(value) or math.isnan(start):
        return Gain(value, math.nan, math.nan, math.nan)
    error, items = error_of_change(old, new)
    p_value = math.nan
    if items > 1:
        t = (value - start) / error if error > 0 else math.copysign(math.inf, value - start)
        p_value = min(1.0, n_choices * student_share(items - 1, -t))
    return Gain(value, value - start, error, p_value)


class Coded(NamedTuple):
    """A coefficient, the influence of each stored item on it, and the items' weights."""

    value: float
    influence: FloatArray
    weights: Array


def error_of_change(old: Coded, new: Coded) -> tuple[float, float]:
    """Return the standard error of the change between two codings, and the number of items.

    The error is NaN if there is only one item.
    """
    weights = np.maximum(old.weights, new.weights)
    items = float(weights.sum())
    if items <= 1:
        return math.nan, items
    moved = new.influence * new.weights - old.influence * old.weights
    moved = moved / np.maximum(weights, 1)
    moved = moved - float(weights @ moved) / items
    return math.sqrt(float(weights @ moved**2) * items / (items - 1)), items


def coded(data: Annotations, point: Point, incomplete: Incomplete) -> Coded:
    """Compute a coefficient and the influence of each stored item on it."""
    made = linear(data, [point], incomplete, rows=data.rows)
    sums = made.whole
    (values,) = made.values(sums)
    value, weights = float(values.value[0]), made.weights
    if math.isnan(value):
        return Coded(value, np.zeros(len(weights)), weights)
    return Coded(value, influences(made, point, sums, values=values), weights)
