"""The report as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agreement_fast.report.names import also_called
from agreement_fast.report.paper import citation, sentence, why_quoted
from agreement_fast.report.scales import SCALES, WARNINGS, WEIGHTED_WARNING, read_all
from agreement_fast.report.why import why_they_differ
from agreement_fast.terminal import align, show_label, show_mean, show_number, show_value, wrap

if TYPE_CHECKING:
    from agreement_fast.report.content import Report
    from agreement_fast.report.intervals import Interval

EXPLANATION = (
    "Every coefficient is 1 - D_o / D_e. D_o is the observed disagreement, the mean distance"
    " between two judgments of an item; D_e is the disagreement expected by chance. 1 is perfect"
    " agreement, 0 is what chance gives, below 0 is worse. The coefficients differ in what they"
    " take chance to be."
)


def report_text(report: Report, width: int, max_categories: int, explain: bool) -> str:
    """See `Report.to_text`."""
    width = max(width, 72)
    sections = [
        _counts_text(report),
        _categories_text(report, max_categories),
        _observed_text(report, width),
        _coefficients_text(report, width, explain),
        _intervals_text(report, width, explain),
        _undefined_text(report, width),
        _readings_text(report, width, explain),
        _paper_text(report, width, explain),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _counts_text(report: Report) -> str:
    items = [f"with one judgment: {report.n_items_single:,}"]
    items.append(f"with none: {report.n_items_unjudged:,}")
    if report.n_items_judged_once:
        items.append(f"judged once and left out: {report.n_items_judged_once:,}")
    if report.n_rows != report.n_items:
        items.append(f"in {report.n_rows:,} weighted rows")
    judgments = [f"missing: {report.n_missing:,}"]
    judgments.append(f"duplicates dropped: {report.n_duplicates_dropped:,}")
    if report.n_duplicates_tied:
        judgments.append(f"tied: {report.n_duplicates_tied:,}")
    if report.n_items:
        judgments.append(f"{show_mean(report.n_judgments / report.n_items)} an item")
    coders = "unknown" if report.n_coders is None else f"{report.n_coders:,}"
    used = sum(1 for category in report.categories if category.count)
    notes = [f"{used:,} of them used"] if used < len(report.categories) else []
    rows = [
        ("items", f"{report.n_items:,}", items),
        ("coders", coders, []),
        ("judgments", f"{report.n_judgments:,}", judgments),
        ("categories", f"{len(report.categories):,}",
         ["declared" if report.declared else "what occurs", *notes]),
    ]  # fmt: skip
    number = max(len(row[1]) for row in rows)
    lines = [
        f"  {name:<10}  {value:>{number}}" + (f"  ({', '.join(more)})" if more else "")
        for name, value, more in rows
    ]
    return "\n".join(["Data", *lines])


def _categories_text(report: Report, most: int) -> str:
    if not report.categories:
        return ""
    shown = list(report.categories)
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
    rest = len(report.categories) - len(shown)
    if rest:
        left = sum(c.count for c in report.categories) - sum(c.count for c in shown)
        lines.append(f"  and {rest:,} more, with {left:,} judgments")
        labels = [category.label for category in report.categories]
        if all(isinstance(label, int | float) for label in labels):
            lines.append(f"  numbers from {min(labels):g} to {max(labels):g}")
    title = "Categories" if not rest else f"Categories: the {most} most frequent"
    if any(isinstance(category.label, frozenset) for category in report.categories):
        lines.append("  Each is a whole set: {a} is a and nothing else.")
    return "\n".join([title, *lines])


def _observed_text(report: Report, width: int) -> str:
    observed = report.observed
    if observed.undefined is not None:
        text = f"A_o is undefined: {observed.undefined}."
    else:
        error = f"Standard error {observed.standard_error:.4f}, " if observed.standard_error else ""
        text = (
            f"A_o = {observed.value:.4f}: two judgments of an item are equal"
            f" {observed.value:.1%} of the time. Every item counts the same. {error}"
            f"{observed.confidence_level * 100:g}% interval {observed.low:.4f} to"
            f" {observed.high:.4f}, from {observed.n_items:,}"
            f" {'item' if observed.n_items == 1 else 'items'} with at least two judgments."
        )
        rest = report.n_items - observed.n_items
        if rest:
            says = "item says" if rest == 1 else "items say"
            text += f" {rest:,} other {says} nothing on agreement."
    return f"Observed agreement\n{wrap(text, width)}"


def _coefficients_text(report: Report, width: int, explain: bool) -> str:
    rows = [
        (
            result.coefficient,
            result.distance,
            show_number(result.observed_disagreement),
            show_number(result.expected_disagreement),
            "undefined" if math.isnan(result.value) else show_value(result.value),
            also_called(result),
        )
        for result in report.table
    ]
    head = ("coefficient", "distance", "D_o", "D_e", "value", "also called")
    lines = ["Coefficients"]
    if explain:
        text = EXPLANATION
        if any(result.distance != "nominal" for result in report.table):
            text += " D_o and D_e have the unit of their distance: only their ratio counts."
        lines += [wrap(text, width), ""]
    lines += align(head, rows, "<<>>><")
    for reason in why_they_differ(report):
        lines += ["", wrap(reason, width)]
    return "\n".join(lines)


#: What a bootstrap draws, and what its interval therefore speaks of.
_DRAWN = {
    "items": "How far values would move with other items of the same kind, judged by these coders."
    " How far with other coders is another question: agreement-fast subsets.",
    "coders": "How far values would move with other coders of the same kind, on these items.",
    "both": "How far values would move with other items and other coders of the same kind.",
}


#: The same of draws of pairs of judgments.
_PAIRS = (
    "They are taken for independent, and the disagreement of chance for known, so this is no"
    " interval for other items: it compares with values that were published so. For other items"
    " take bca or delta."
)


def _how(found: Interval) -> str:
    """Say what an interval is, and of what."""
    method = {
        "delta": "From the standard error (delta method, Student's t on Fisher's scale)",
        "percentile": "Percentiles of a bootstrap",
        "basic": "A basic bootstrap",
        "bca": "A bias-corrected and accelerated bootstrap",
        "krippendorff": "Hayes & Krippendorff's bootstrap (2007)",
    }[found.method]
    pairs = found.method == "krippendorff"
    n = getattr(found, "n_resamples", None)
    resamples = "" if n is None else f", {n:,} resamples{' of pairs of judgments' * pairs}"
    drawn = _PAIRS if pairs else _DRAWN[getattr(found, "resample", "items")]
    return f"{method}{resamples}. {drawn}"


def _intervals_text(report: Report, width: int, explain: bool) -> str:
    if report.intervals is None:
        return ""
    first = report.intervals[0]
    level = f"{first.confidence_level * 100:g}%"
    rows = [
        (
            found.coefficient,
            found.distance,
            *(
                "-" if math.isnan(number) else show_value(number)
                for number in (found.value, found.standard_error, found.low, found.high)
            ),
        )
        for found in report.intervals
    ]
    head = ("coefficient", "distance", "value", "std. error", f"{level} from", "to")
    lines = ["Intervals"]
    if explain:
        lines += [wrap(_how(first), width), ""]
    lines += align(head, rows, "<<>>>>")
    undefined = [
        f"{found.coefficient} ({found.distance}) {n:,}"
        for found in report.intervals
        if (n := getattr(found, "n_undefined", 0))
    ]
    if undefined:
        lines.append(wrap(f"Resamples without a value, left out: {', '.join(undefined)}.", width))
    notes: dict[str, list[str]] = {}
    for found in report.intervals:
        if found.note is not None:
            notes.setdefault(found.note, []).append(f"{found.coefficient} ({found.distance})")
    for note, names in notes.items():
        lines.append(wrap(f"No width: {', '.join(names)}. {note[0].upper()}{note[1:]}.", width))
    return "\n".join(lines)


def _undefined_text(report: Report, width: int) -> str:
    reasons: dict[str, list[str]] = {}
    for result in report.table:
        if result.undefined is not None:
            name = f"{result.coefficient} ({result.distance})"
            reasons.setdefault(result.undefined, []).append(name)
    if not reasons:
        return ""
    lines = []
    for reason, names in reasons.items():
        which = "All" if len(names) == len(report.table) else ", ".join(names)
        lines.append(wrap(f"{which}: {reason}.", width))
    return "\n".join(["Undefined, and why", *lines])


def _readings_text(report: Report, width: int, explain: bool) -> str:
    rows = []
    for result in report.table:
        bands = read_all(result)
        words = [band.word for band in bands if band is not None]
        if words:
            rows.append((result.coefficient, result.distance, show_value(result.value), *words))
    others = {
        result.distance: None
        for result in report.table
        if result.undefined is None and result.distance != "nominal"
    }
    if not rows and not others:
        return ""
    lines = ["How such values have been read"]
    if rows:
        head = ("coefficient", "distance", "value", *(scale.short for scale in SCALES))
        lines += align(head, rows, "<<><<<")
    if others:
        lines.append(wrap(f"Not read so: {', '.join(others)}. {WEIGHTED_WARNING}", width))
    if explain and rows:
        warnings = [f"{scale.name}: {scale.legend}." for scale in SCALES] + list(WARNINGS)
        lines += ["", *(wrap(warning, width) for warning in warnings)]
    return "\n".join(lines)


def _paper_text(report: Report, width: int, explain: bool) -> str:
    paragraphs = [wrap(sentence(report), width)]
    if explain:
        paragraphs += [wrap(citation(), width), wrap(why_quoted(report), width)]
    return "\n\n".join(["For a paper\n" + paragraphs[0], *paragraphs[1:]])
