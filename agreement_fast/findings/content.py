"""What a diagnosis holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agreement_fast import distances
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.coefficients import agreement
from agreement_fast.distances import Distance
from agreement_fast.names import named
from agreement_fast.results import Agreement
from agreement_fast.text import show_value

__all__ = ["Case", "Finding", "Findings", "findings"]

#: Less than this is no finding: it would be lost in the second decimal of a report.
LEAST = 0.005


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that lowers a coefficient, or that its reader should know.

    Attributes
    ----------
    kind : str
        Such as "coder", "confusion", "items", "prevalence".
    cost : float
        What the coefficient would gain without it; NaN for what is only to be known.
    sentence : str
        What is the case, with its numbers.
    advice : str
        What to do about it.
    numbers : dict
        What is behind the sentence.
    """

    kind: str
    cost: float
    sentence: str
    advice: str
    numbers: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        cost = "" if math.isnan(self.cost) else f" {self.cost:+.4f}"
        return f"<{self.kind}{cost}: {self.sentence}>"


@dataclass(frozen=True, slots=True, repr=False)
class Findings:
    """What was found: a sequence of `Finding`, the most costly first, then what is to be known.

    Attributes
    ----------
    result : Agreement
        The coefficient that is diagnosed.
    costs, remarks : tuple of Finding
    """

    result: Agreement
    costs: tuple[Finding, ...]
    remarks: tuple[Finding, ...]

    def __len__(self) -> int:
        return len(self.costs) + len(self.remarks)

    def __iter__(self) -> Iterator[Finding]:
        yield from self.costs
        yield from self.remarks

    def __repr__(self) -> str:
        return (
            f"<{len(self.costs)} findings and {len(self.remarks)} remarks on"
            f" {self.result.coefficient}({self.result.distance}) = {self.result.value:.6g}>"
        )

    def __str__(self) -> str:
        lines = [f"{self.result.coefficient} ({self.result.distance}) = {self.result.value:.4f}"]
        lines += [f"{found.cost:+.4f}  {found.sentence} {found.advice}" for found in self.costs]
        lines += [f"         {found.sentence} {found.advice}" for found in self.remarks]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Case:
    """The annotations in question, and how they are measured."""

    data: Annotations
    coefficient: str
    distance: Distance
    incomplete: str
    result: Agreement

    def value_of(self, data: Annotations) -> float:
        """The coefficient of other annotations, measured alike."""
        found = agreement(
            data, self.coefficient, distance=self.distance, incomplete=self.incomplete
        )
        return found.value

    def would_be(self, value: float) -> str:
        """Say what the coefficient would be."""
        gain = value - self.result.value
        return f"{self.coefficient} would be {show_value(value)} ({gain:+.4f})"


def findings(
    data: Any,
    coefficient: str = "alpha",
    *,
    distance: Any = "nominal",
    incomplete: str = "published",
) -> Findings:
    """Find what costs agreement.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Items × coders. Where coders are unknown, nothing is found about them.
    coefficient : str, default "alpha"
    distance : str or Distance, default "nominal"
    incomplete : {"published", "pairable", "complete"}
        As in `agreement`.

    Returns
    -------
    Findings
        Empty where the coefficient is undefined.

    Notes
    -----
    Some ten passes over the judgments, and one for each finding on coders or categories: what the
    coefficient would be is computed from the changed annotations. Choosing what to change by what
    it gains flatters: the same study repeated would gain less. So a finding says where to look, and
    not what the agreement is. Merging categories after the fact is not a new study (Artstein &
    Poesio 2008).

    Examples
    --------
    >>> from agreement_fast.findings import findings
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"]]
    >>> found = findings(rows * 4)
    >>> found.costs[0].kind, round(found.costs[0].numbers["value_without"], 3)
    ('coder', 1.0)
    """
    from agreement_fast.findings import categories, coders, items, reading

    annotations = as_annotations(data)
    resolved = distances.resolve(distance)
    result = agreement(annotations, coefficient, distance=resolved, incomplete=incomplete)
    case = Case(annotations, named(coefficient).name, resolved, incomplete, result)
    if result.undefined is not None:
        return Findings(result, (), ())
    finders: Sequence[Callable[[Case], Iterator[Finding]]] = (
        coders.coders,
        categories.confusions,
        items.disputed,
        coders.bias,
        reading.prevalence,
        reading.near_misses,
        reading.width,
        reading.silent_items,
    )
    found = [one for finder in finders for one in finder(case)]
    costs = [one for one in found if one.cost >= LEAST]
    return Findings(
        result,
        tuple(sorted(costs, key=lambda one: -one.cost)),
        tuple(one for one in found if math.isnan(one.cost)),
    )
