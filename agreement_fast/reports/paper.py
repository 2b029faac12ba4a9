"""What to write in a paper: one paragraph on the coefficient that is quoted, and the package."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from agreement_fast.chance import CHANCE
from agreement_fast.options import check_choice
from agreement_fast.points import COEFFICIENTS
from agreement_fast.present.terminal import show_label, show_mean
from agreement_fast.reports.intervals import cited, shown_ends

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report
    from agreement_fast.reports.intervals import Interval
    from agreement_fast.results import Agreement


#: How the package can be cited.
CITATION_STYLES = ("text", "bibtex")

TITLE = "agreement-fast: inter-coder agreement for corpora of any size"
AUTHORS = "The agreement-fast authors"
YEAR = 2026

#: Distances of ranks, under which the order of the categories is part of the method.
RANKED = ("ordinal", "rank_linear", "rank_quadratic")

#: Categories that are named, and the room that their names may take.
MOST_NAMED = 8
ROOM = 120


def citation(style: Literal["text", "bibtex"] = "text") -> str:
    """How to cite the package.

    Parameters
    ----------
    style : {"text", "bibtex"}

    Returns
    -------
    str
        One line, or an entry for a BibTeX file; with the version that is running.

    Examples
    --------
    >>> from agreement_fast import citation
    >>> citation().split(" (")[0]
    'The agreement-fast authors'
    >>> citation("bibtex").splitlines()[0]
    '@software{agreement_fast,'
    """
    check_choice("style", style, CITATION_STYLES)
    if style == "text":
        return f"{AUTHORS} ({YEAR}). {TITLE} (version {_version()}) [Computer software]."
    fields = {
        "author": f"{{{AUTHORS}}}",
        "title": TITLE,
        "version": _version(),
        "year": str(YEAR),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join(["@software{agreement_fast,", *lines, "}"])


def _version() -> str:
    from agreement_fast import __version__

    return __version__


def quoted_place(table: Sequence[Agreement], *, named: bool) -> int:
    """Return the index in a table of the coefficient to quote.

    Its distance is the first one other than nominal, which the caller asked for. It is the first
    coefficient if they were named, else alpha.
    """
    distance = next((r.distance for r in table if r.distance != "nominal"), "nominal")
    places = [i for i, result in enumerate(table) if result.distance == distance]
    alphas = [i for i in places if table[i].coefficient == "alpha"]
    return places[0] if named or not alphas else alphas[0]


def why_quoted(report: Report) -> str:
    """Say which coefficient is quoted, and why."""
    name = report.table[report.quoted].coefficient
    if report.named:
        first = report.table[0].coefficient
        weighted = COEFFICIENTS[first].weighted if first in COEFFICIENTS else None
        if first != name and weighted == name:
            distance = show_label(report.table[report.quoted].distance)
            return f"{name}, which {first} is called under the distance {distance}"
        return f"{name}, the first coefficient that was named"
    return f"{name}, as no other coefficient was named"


def sentence(report: Report) -> str:
    """See `Report.sentence`."""
    result = report.table[report.quoted]
    parts = [
        _value(result, report.quoted_interval, report.clustered),
        _basis(report, result),
        _missing(report, result),
        _repeated(report),
        _observed(report),
        f"Computed with agreement-fast {_version()}.",
    ]
    return " ".join(part for part in parts if part)


def _value(result: Agreement, interval: Interval | None, clustered: bool) -> str:
    name, source = cited(result)
    distance = "a given matrix of distances"
    if result.distance != "matrix":
        distance = f"{show_label(result.distance)} distance"
    of = f"{name} ({source}; {distance})"
    if result.undefined is not None:
        return f"{of} is undefined: {result.undefined.split(': ', 1)[-1]}."
    text = f"{of} was {_digits(result.value)}"
    if interval is None:
        return f"{text}; no interval was computed."
    if math.isnan(shown_ends(interval)[0]):
        if interval.note is not None:
            return f"{text}; an interval cannot be given ({interval.note})."
        return f"{text}; the data are too few for an interval."
    level = f"{interval.confidence_level * 100:.12g}%"
    low, high = _digits(interval.low), _digits(interval.high)
    note = "" if interval.note is None else f"; {interval.note}"
    return f"{text}, {level} CI [{low}, {high}] ({method_of(interval, clustered)}{note})."


def method_of(interval: Interval, clustered: bool) -> str:
    """Say how an interval was computed, and of what sample."""
    items = "clusters of items" if clustered else "items"
    if interval.method == "score":
        return f"score interval over {items}"
    if interval.method == "delta":
        return f"delta method over {items}, Fisher's z scale"
    drawn = {"items": items, "coders": "coders", "both": "items and coders"}
    drawn["pairs"] = "pairs of judgments"
    of = drawn[getattr(interval, "resample", "items")]
    name = {
        "bayesian": "Bayesian bootstrap with a prior of four judgments",
        "percentile": "percentile bootstrap",
        "basic": "basic bootstrap",
        "bca": "BCa bootstrap",
        "krippendorff": "bootstrap of Hayes & Krippendorff 2007",
    }[interval.method]
    return f"{name}, {getattr(interval, 'n_resamples', 0):,} resamples of {of}"


def _basis(report: Report, result: Agreement) -> str:
    who = "" if result.n_coders is None else f" by {_many(result.n_coders, 'coder')}"
    if not result.n_items:
        made, of = _many(report.n_judgments, "judgment"), _many(report.n_items, "item")
        return f"The data are {made} of {of}{who}."
    if result.n_judgments != result.n_items * (result.n_coders or 0):
        who += f" ({show_mean(result.n_judgments / result.n_items)} an item)"
    return (
        f"It rests on {_many(result.n_judgments, 'judgment')} of {_many(result.n_items, 'item')}"
        f"{who}, in {_categories(report, result)}."
    )


def _categories(report: Report, result: Agreement) -> str:
    labels = [category.label for category in report.categories]
    unused = sum(not category.count for category in report.categories) if report.declared else 0
    sets = any(isinstance(label, frozenset) for label in labels)
    text = f"{len(labels):,} {'different sets' if sets else 'categories'}"
    if len(labels) == 1:
        text = "1 set" if sets else "1 category"
    between = " < " if result.distance in RANKED else ", "
    shown = between.join(show_label(label, 24) for label in labels[:MOST_NAMED])
    notes = []
    if labels and not sets:
        if len(labels) <= MOST_NAMED and len(shown) <= ROOM:
            notes.append(shown)
        elif all(isinstance(label, int | float) for label in labels):
            notes.append(f"numbers from {min(labels):g} to {max(labels):g}")
    if unused:
        notes.append(f"{unused:,} of them unused")
    return text + (f" ({'; '.join(notes)})" if notes else "")


def _missing(report: Report, result: Agreement) -> str:
    possible = report.n_judgments + report.n_missing
    labels = []
    if report.n_missing > possible / 2:
        share = f"{report.n_missing / possible:.1%}"
        labels.append(
            f"not every coder judged every item: {share} of the {possible:,} possible judgments"
            " were not made, and were not filled in"
        )
    elif report.n_missing:
        share = f"{report.n_missing / possible:.1%}"
        labels.append(
            f"{report.n_missing:,} of {possible:,} possible judgments ({share}) are missing"
            " and were not filled in"
        )
    elif report.n_coders is not None:
        labels.append("no judgment was missing")
    left = result.n_items_dropped
    if report.incomplete == "complete":
        rest = f" ({left:,} were left out)" if left else ""
        labels.append(f"only items that all coders judged were used{rest}")
    elif left:
        text = f"{_many(left, 'item')} with fewer than two judgments"
        counts_singles = CHANCE[result.chance].counts_singles
        if counts_singles and report.n_items_single and report.incomplete == "published":
            text += " counted for the expected agreement only"
        else:
            text += " were left out" if left > 1 else " was left out"
        labels.append(text)
    text = "; ".join(labels)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _repeated(report: Report) -> str:
    if not report.n_duplicates_dropped:
        return ""
    if report.n_duplicates_united:
        return (
            "If a coder gave an item several labels, the judgment is their set"
            f" ({_many(report.n_duplicates_united, 'label')} beyond one per set)."
        )
    return (
        "If a coder judged an item more than once, one judgment counts"
        f" ({report.n_duplicates_dropped:,} dropped)."
    )


def _observed(report: Report) -> str:
    if report.observed.undefined is not None:
        return ""
    return f"Two judgments of an item were equal {report.observed.value:.1%} of the time."


def _many(count: int, value: str) -> str:
    return f"{count:,} {value}{'' if count == 1 else 's'}"


def _digits(value: float) -> str:
    """Three digits; what rounds to zero has no sign."""
    return f"{round(value, 3) + 0.0:.3f}"
