"""A report on annotations that a newcomer can read: what is there, how far coders agree, why.

It computes nothing of its own beyond counting: the numbers are those of `agreement_table` and
`observed_agreement`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agreement_fast.annotations import as_annotations
from agreement_fast.coefficients import agreement_table, observed_agreement
from agreement_fast.names import COEFFICIENTS
from agreement_fast.results import Agreement, AgreementTable, ObservedAgreement
from agreement_fast.scales import SCALES, WARNINGS, WEIGHTED_WARNING
from agreement_fast.statistics import tally
from agreement_fast.text import align, show_label, show_mean, show_number, show_value, wrap

__all__ = ["CategoryCount", "Report", "report"]

#: What people call the coefficients elsewhere, under the nominal and under another distance.
ALSO_CALLED = {
    "s": ("Bennett's S", "S with a distance"),
    "brennan_prediger": ("Bennett's S", "S with a distance"),
    "pi": ("Scott's pi, Fleiss' kappa", "pi with a distance"),
    "alpha_prime": ("Scott's pi, Fleiss' kappa", "pi with a distance"),
    "kappa": ("Cohen's, Conger's kappa", "weighted kappa"),
    "beta": ("Cohen's, Conger's kappa", "weighted kappa"),
    "alpha": ("Krippendorff's alpha", "Krippendorff's alpha"),
    "ac": ("Gwet's AC1", "Gwet's AC2"),
}

EXPLANATION = (
    "Every coefficient is 1 - D_o / D_e. D_o is the observed disagreement, the mean distance"
    " between two judgments of an item; D_e is the disagreement expected by chance. 1 is perfect"
    " agreement, 0 is what chance gives, below 0 is worse. The coefficients differ in what they"
    " take chance to be."
)


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """How often a category was used.

    Attributes
    ----------
    label : object
    count : int
        Judgments, counted with the items' weights.
    share : float
        Of all judgments; NaN where there are none.
    """

    label: Any
    count: int
    share: float


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """What `report` found. ``print(report)`` shows it, `to_dict` is ready for JSON.

    Attributes
    ----------
    n_rows : int
        Stored rows: an item of weight 3 is one row.
    n_items : int
        Items, counted with their weights, as are all counts that follow except the last two.
    n_items_single, n_items_unjudged : int
        Items with one judgment and with none.
    n_coders : int or None
        None where coders are unknown.
    n_judgments : int
    n_missing : int
        Missing entries in what was read.
    n_duplicates_dropped : int
        Repeated judgments of a coder that were left out on request.
    declared : bool
        Whether the categories were declared (else they are what occurs).
    categories : tuple of CategoryCount
        In the order of the categories.
    observed : ObservedAgreement
        A_o, with standard error and interval.
    table : AgreementTable
        The coefficients.
    incomplete : str
        Which items count; see `agreement`.
    """

    n_rows: int
    n_items: int
    n_items_single: int
    n_items_unjudged: int
    n_coders: int | None
    n_judgments: int
    n_missing: int
    n_duplicates_dropped: int
    declared: bool
    categories: tuple[CategoryCount, ...]
    observed: ObservedAgreement
    table: AgreementTable
    incomplete: str

    def __repr__(self) -> str:
        return f"<Report on {self.n_items} items, {self.n_judgments} judgments>"

    def __str__(self) -> str:
        return self.to_text()

    def to_dict(self) -> dict[str, Any]:
        """Give everything as dicts, lists, strings, numbers and None; NaN becomes None.

        Returns
        -------
        dict
            An entry of ``reports`` in ``docs/report.schema.json``.

        Examples
        --------
        >>> import agreement_fast as af
        >>> from agreement_fast.report import report
        >>> found = report([[1, 1], [1, 1]]).to_dict()
        >>> found["coefficients"][0]["value"] is None
        True
        >>> found["coefficients"][0]["undefined"][:12]
        'no variation'
        """
        return {
            "rows_stored": self.n_rows,
            "items": self.n_items,
            "items_with_one_judgment": self.n_items_single,
            "items_without_judgment": self.n_items_unjudged,
            "coders": self.n_coders,
            "judgments": self.n_judgments,
            "missing": self.n_missing,
            "duplicates_dropped": self.n_duplicates_dropped,
            "incomplete": self.incomplete,
            "categories_declared": self.declared,
            "categories": [
                {"label": _json_label(c.label), "judgments": c.count, "share": _json(c.share)}
                for c in self.categories
            ],
            "observed_agreement": {
                "value": _json(self.observed.value),
                "standard_error": _json(self.observed.standard_error),
                "confidence_level": self.observed.confidence_level,
                "low": _json(self.observed.low),
                "high": _json(self.observed.high),
                "items": self.observed.n_items,
                "undefined": self.observed.undefined,
            },
            "coefficients": [_coefficient_dict(result) for result in self.table],
        }

    def to_text(self, *, width: int = 96, max_categories: int = 20, explain: bool = True) -> str:
        """Give the report as text for a terminal or a file.

        Parameters
        ----------
        width : int, default 96
            Columns to which paragraphs are wrapped, at least 72; tables take up to 90.
        max_categories : int, default 20
            With more categories than this, the most frequent ones are shown.
        explain : bool, default True
            Say what the numbers mean, and what to think of the scales.

        Returns
        -------
        str
            Without colours or control characters; ends with a line feed.
        """
        width = max(width, 72)
        sections = [
            self._counts_text(),
            self._categories_text(max_categories),
            self._observed_text(width),
            self._coefficients_text(width, explain),
            self._undefined_text(width),
            self._readings_text(width, explain),
        ]
        return "\n\n".join(section for section in sections if section) + "\n"

    # -- sections

    def _counts_text(self) -> str:
        items = [f"with one judgment: {self.n_items_single:,}"]
        items.append(f"with none: {self.n_items_unjudged:,}")
        if self.n_rows != self.n_items:
            items.append(f"in {self.n_rows:,} weighted rows")
        judgments = [f"missing: {self.n_missing:,}"]
        judgments.append(f"duplicates dropped: {self.n_duplicates_dropped:,}")
        if self.n_items:
            judgments.append(f"{show_mean(self.n_judgments / self.n_items)} an item")
        coders = "unknown" if self.n_coders is None else f"{self.n_coders:,}"
        used = sum(1 for category in self.categories if category.count)
        notes = [f"{used:,} of them used"] if used < len(self.categories) else []
        rows = [
            ("items", f"{self.n_items:,}", items),
            ("coders", coders, []),
            ("judgments", f"{self.n_judgments:,}", judgments),
            ("categories", f"{len(self.categories):,}",
             ["declared" if self.declared else "what occurs", *notes]),
        ]  # fmt: skip
        number = max(len(row[1]) for row in rows)
        lines = [
            f"  {name:<10}  {value:>{number}}" + (f"  ({', '.join(more)})" if more else "")
            for name, value, more in rows
        ]
        return "\n".join(["Data", *lines])

    def _categories_text(self, most: int) -> str:
        if not self.categories:
            return ""
        shown = list(self.categories)
        if len(shown) > most:
            # Stable: equally frequent categories stay in their order.
            shown = sorted(shown, key=lambda category: -category.count)[:most]
        top = max(category.count for category in shown)
        rows = []
        for category in shown:
            bar = "#" * math.ceil(24 * category.count / top) if top else ""
            share = "" if math.isnan(category.share) else f"{category.share:.1%}"
            rows.append((show_label(category.label), f"{category.count:,}", share, bar))
        lines = align(("category", "judgments", "share", ""), rows, "<>><")
        rest = len(self.categories) - len(shown)
        if rest:
            left = sum(c.count for c in self.categories) - sum(c.count for c in shown)
            lines.append(f"  and {rest:,} more, with {left:,} judgments")
            labels = [category.label for category in self.categories]
            if all(isinstance(label, int | float) for label in labels):
                lines.append(f"  numbers from {min(labels):g} to {max(labels):g}")
        title = "Categories" if not rest else f"Categories: the {most} most frequent"
        return "\n".join([title, *lines])

    def _observed_text(self, width: int) -> str:
        observed = self.observed
        if observed.undefined is not None:
            text = f"A_o is undefined: {observed.undefined}."
        else:
            text = (
                f"A_o = {observed.value:.4f}: two judgments of an item are equal"
                f" {observed.value:.1%} of the time. Standard error"
                f" {observed.standard_error:.4f}, {observed.confidence_level * 100:g}% interval"
                f" {observed.low:.4f} to {observed.high:.4f}, from {observed.n_items:,}"
                f" {'item' if observed.n_items == 1 else 'items'} with at least two judgments."
            )
            rest = self.n_items - observed.n_items
            if rest:
                says = "item says" if rest == 1 else "items say"
                text += f" {rest:,} other {says} nothing on agreement."
        return f"Observed agreement\n{wrap(text, width)}"

    def _coefficients_text(self, width: int, explain: bool) -> str:
        rows = [
            (
                result.coefficient,
                result.distance,
                show_number(result.observed_disagreement),
                show_number(result.expected_disagreement),
                "undefined" if math.isnan(result.value) else show_value(result.value),
                _also_called(result),
            )
            for result in self.table
        ]
        head = ("coefficient", "distance", "D_o", "D_e", "value", "also called")
        lines = ["Coefficients"]
        if explain:
            text = EXPLANATION
            if any(result.distance != "nominal" for result in self.table):
                text += " D_o and D_e have the unit of their distance."
            lines += [wrap(text, width), ""]
        return "\n".join([*lines, *align(head, rows, "<<>>><")])

    def _undefined_text(self, width: int) -> str:
        reasons: dict[str, list[str]] = {}
        for result in self.table:
            if result.undefined is not None:
                name = f"{result.coefficient} ({result.distance})"
                reasons.setdefault(result.undefined, []).append(name)
        if not reasons:
            return ""
        lines = []
        for reason, names in reasons.items():
            which = "All" if len(names) == len(self.table) else ", ".join(names)
            lines.append(wrap(f"{which}: {reason}.", width))
        return "\n".join(["Undefined, and why", *lines])

    def _readings_text(self, width: int, explain: bool) -> str:
        rows = []
        for result in self.table:
            bands = [scale.read(result.value) for scale in SCALES]
            words = [band.word for band in bands if band is not None]
            if words:
                rows.append((result.coefficient, result.distance, show_value(result.value), *words))
        if not rows:
            return ""
        head = ("coefficient", "distance", "value", *(scale.short for scale in SCALES))
        lines = ["How such values have been read", *align(head, rows, "<<><<<")]
        if explain:
            warnings = [f"{scale.name}: {scale.legend}." for scale in SCALES] + list(WARNINGS)
            if any(result.distance != "nominal" for result in self.table):
                warnings.append(WEIGHTED_WARNING)
            lines += ["", *(wrap(warning, width) for warning in warnings)]
        return "\n".join(lines)


def report(
    data: Any,
    coefficients: Iterable[str] | None = None,
    distances: Iterable[Any] = ("nominal",),
    *,
    incomplete: str = "published",
    confidence_level: float = 0.95,
) -> Report:
    """Describe annotations and how far their coders agree.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Items × coders.
    coefficients : iterable of str, optional
        Names or aliases; by default those of `agreement_table`.
    distances : iterable of str or Distance, default ("nominal",)
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}
        Which items count where judgments are missing; see `agreement`.
    confidence_level : float, default 0.95
        Of the interval around the observed agreement.

    Returns
    -------
    Report

    Raises
    ------
    ValueError, TypeError
        An unknown coefficient or distance, or a distance that the labels do not fit.

    Notes
    -----
    One pass over the judgments, O(judgments), then as `agreement_table`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.report import report
    >>> data = af.Annotations.from_contingency([[20, 20], [10, 50]], categories=["stat", "ireq"])
    >>> found = report(data, ["pi", "kappa"])
    >>> [(category.label, category.count) for category in found.categories]
    [('stat', 70), ('ireq', 130)]
    >>> round(found.table["kappa"].value, 4)
    0.3478
    """
    annotations = as_annotations(data)
    # First, so that a wrong name is known before anything is counted.
    table = _by_distance(
        agreement_table(annotations, coefficients, distances, incomplete=incomplete)
    )
    sums = tally(annotations)
    by_size = dict(zip(sums.sizes.tolist(), sums.n_items.tolist(), strict=True))
    counts = sums.counts(1).tolist()
    total = sum(counts)
    return Report(
        n_rows=annotations.n_rows,
        n_items=annotations.n_items,
        n_items_single=by_size.get(1, 0),
        n_items_unjudged=by_size.get(0, 0),
        n_coders=annotations.n_coders,
        n_judgments=annotations.n_judgments,
        n_missing=annotations.missing_judgments,
        n_duplicates_dropped=annotations.duplicates_dropped,
        declared=annotations.declared,
        categories=tuple(
            CategoryCount(label, count, count / total if total else math.nan)
            for label, count in zip(annotations.categories, counts, strict=True)
        ),
        observed=observed_agreement(
            annotations, confidence_level=confidence_level, incomplete=incomplete
        ),
        table=table,
        incomplete=incomplete,
    )


def _by_distance(table: AgreementTable) -> AgreementTable:
    """Put together what has one distance: only there can D_o and D_e be compared."""
    order = {name: i for i, name in enumerate(dict.fromkeys(result.distance for result in table))}
    return AgreementTable(sorted(table, key=lambda result: order[result.distance]))


# ---------------------------------------------------------------------------------------------
# JSON


def _coefficient_dict(result: Agreement) -> dict[str, Any]:
    row = COEFFICIENTS.get(result.coefficient)
    return {
        "coefficient": result.coefficient,
        "also_called": _also_called(result) or None,
        "source": None if row is None else row.source,
        "distance": result.distance,
        "chance": result.chance,
        "item_weight": result.item_weight,
        "value": _json(result.value),
        "observed_disagreement": _json(result.observed_disagreement),
        "expected_disagreement": _json(result.expected_disagreement),
        "observed_agreement": _json(result.observed_agreement),
        "expected_agreement": _json(result.expected_agreement),
        "items": result.n_items,
        "items_dropped": result.n_items_dropped,
        "coders": result.n_coders,
        "judgments": result.n_judgments,
        "categories": result.n_categories,
        "undefined": result.undefined,
        "readings": {
            scale.key: None if (band := scale.read(result.value)) is None else band.meaning
            for scale in SCALES
        },
    }


def _json(number: float | None) -> float | None:
    """JSON has no NaN and no infinity."""
    return None if number is None or not math.isfinite(number) else float(number)


def _json_label(label: Any) -> Any:
    if isinstance(label, float) and not math.isfinite(label):
        return str(label)
    return label if isinstance(label, str | bool | int | float) else str(label)


def _also_called(result: Agreement) -> str:
    return ALSO_CALLED.get(result.coefficient, ("", ""))[result.distance != "nominal"]
