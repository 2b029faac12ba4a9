"""What to write in a paper: one paragraph on the coefficient that is quoted, and the package."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from agreement_fast.chance import CHANCE
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_choice, check_number
from agreement_fast.points import COEFFICIENTS
from agreement_fast.present.sections import Plain, Section, Terms, details
from agreement_fast.present.terminal import (
    counted,
    show_label,
    show_level,
    show_mean,
    show_p,
    show_value,
)
from agreement_fast.reports.intervals import cited, shown_ends

if TYPE_CHECKING:
    from agreement_fast.inference.hypotheses import CoefficientTest
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
    if report.measured is not None:
        return f"{report.measured}, as it was named"
    name = report.table[report.quoted].coefficient
    if report.named:
        first = report.table[0].coefficient
        weighted = COEFFICIENTS[first].weighted if first in COEFFICIENTS else None
        if first != name and weighted == name:
            distance = show_label(report.table[report.quoted].distance)
            return f"{name}, which {first} is called under the distance {distance}"
        return f"{name}, the first coefficient that was named"
    if report.measures is not None:
        return f"{name}; intraclass and other correlations stand under Measures beside agreement"
    return f"{name}, as no other coefficient was named"


#: What stands in place of the sentence for a paper until a distance is chosen.
CHOOSE = (
    "Choose a distance first: nominal if the numbers are names, ordinal if they are grades,"
    " interval if their steps are equal."
)


def sentence(report: Report) -> str:
    """See `Report.sentence`."""
    result = report.table[report.quoted]
    if report.measured is not None:
        return f"{_measured(report, report.measured)} Computed with agreement-fast {_version()}."
    parts = [
        _value(result, report.quoted_interval, report),
        _basis(report, result),
        _missing(report, result),
    ]
    if report.n_duplicates_united:
        beyond = counted(report.n_duplicates_united, "label")
        parts.append(
            "If a coder gave an item several labels, the judgment is their set"
            f" ({beyond} beyond one per set)."
        )
    elif report.n_duplicates_dropped:
        parts.append(
            "If a coder judged an item more than once, one judgment counts"
            f" ({report.n_duplicates_dropped:,} dropped)."
        )
    if report.observed.undefined is None:
        equal = f"{report.observed.value:.1%}"
        parts.append(f"Two judgments of an item were equal {equal} of the time.")
    return " ".join([*filter(None, parts), f"Computed with agreement-fast {_version()}."])


def _numbers(report: Report, *values: float) -> list[str]:
    """Write numbers between -1 and 1 as the style of the report has them."""
    if report.style != "apa":
        return [show_value(value, digits=3) for value in values]
    return [re.sub(r"^(-?)0\.", r"\1.", show_value(value, digits=2)) for value in values]


#: What the intraclass correlations are, after Shrout & Fleiss (1979).
_RATING = {
    "1": "one-way random effects",
    "2": "two-way random effects, absolute agreement",
    "3": "two-way mixed effects, consistency",
}


def _measured(report: Report, name: str) -> str:
    """Quote a measure that is named in place of a coefficient of agreement."""
    table = report.measures
    assert table is not None
    short = re.sub(r"\W", "", name.lower()).replace("intraclass", "icc")
    by_name = {re.sub(r"\W", "", m.measure.lower()): m for m in table.measures}
    # Of the ICCs, the agreement of one rating by coders like these is quoted unless one is named.
    first = next((key for key in by_name if key.startswith(short)), "")
    measure = by_name.get("icc21") if short == "icc" else by_name.get(short, by_name.get(first))
    if measure is None:
        why = table.left_out or "the measures are " + ", ".join(m.measure for m in table.measures)
        return f"{name} cannot be given: {why.rstrip('.')}."
    what = measure.measure
    if match := re.fullmatch(r"ICC\((\d),(.)\)", what):
        rated = "one rating" if match[2] == "1" else "the mean of all coders' ratings"
        what += f" (Shrout & Fleiss 1979; {_RATING[match[1]]}, {rated})"
    if measure.undefined is not None:
        return f"{what} is undefined: {measure.undefined}."
    value, low, high = _numbers(report, measure.value, measure.low, measure.high)
    level = show_level(measure.confidence_level)
    ends = (
        f", {level} CI [{low}, {high}]" if measure.low == measure.low else ", without an interval"
    )
    rests = f"{counted(measure.n_items, 'item')} by {counted(measure.n_coders, 'coder')}"
    left = counted(measure.n_items_left_out, "item")
    without = f"; {left} without all judgments left out" if measure.n_items_left_out else ""
    return f"{what} = {value}{ends}. It rests on {rests}{without}."


def _value(result: Agreement, interval: Interval | None, report: Report) -> str:
    name, source = cited(result)
    distance = "a given matrix of distances"
    if result.distance != "matrix":
        distance = f"{show_label(result.distance)} distance"
    of = f"{name} ({source}; {distance})"
    if result.undefined is not None:
        return f"{of} is undefined: {result.undefined.split(': ', 1)[-1]}."
    text = f"{of} = {_numbers(report, result.value)[0]}"
    if interval is None:
        return f"{text}; no interval was computed."
    if math.isnan(shown_ends(interval)[0]):
        if interval.note is not None:
            return f"{text}; an interval cannot be given ({interval.note})."
        return f"{text}; the data are too few for an interval."
    level = show_level(interval.confidence_level)
    low, high = _numbers(report, interval.low, interval.high)
    note = "" if interval.note is None else f"; {interval.note}"
    return f"{text}, {level} CI [{low}, {high}] ({method_of(interval, report.clustered)}{note})."


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
    who = "" if result.n_coders is None else f" by {counted(result.n_coders, 'coder')}"
    if not result.n_items:
        made, of = counted(report.n_judgments, "judgment"), counted(report.n_items, "item")
        return f"The data are {made} of {of}{who}."
    if result.n_judgments != result.n_items * (result.n_coders or 0):
        who += f" ({show_mean(result.n_judgments / result.n_items)} an item)"
    made, of = counted(result.n_judgments, "judgment"), counted(result.n_items, "item")
    return f"It rests on {made} of {of}{who}, in {_categories(report, result)}."


def _categories(report: Report, result: Agreement) -> str:
    labels = [row.category for row in report.categories]
    unused = sum(not row.n_judgments for row in report.categories) if report.declared else 0
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
    share = f"{report.n_missing / max(possible, 1):.1%}"
    labels = []
    if report.n_missing > possible / 2:
        labels.append(
            f"not every coder judged every item: {share} of the {possible:,} possible judgments"
            " were not made, and were not filled in"
        )
    elif report.n_missing:
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
        text = f"{counted(left, 'item')} with fewer than two judgments"
        counts_singles = CHANCE[result.chance].counts_singles
        if counts_singles and report.n_items_single and report.incomplete == "published":
            text += " counted for the expected agreement only"
        else:
            text += " were left out" if left > 1 else " was left out"
        labels.append(text)
    text = "; ".join(labels)
    return f"{text[0].upper()}{text[1:]}." if text else ""


# ---------------------------------------------------------------------------------------------
# How the study was made

#: What can be said of the coders' work, and how it is asked.
FIELDS = {
    "independent": "worked independently of each other",
    "manual": "relied on a manual alone",
    "trained": "were trained",
    "pieces": "worked in how many pieces",
}

#: The value that Artstein & Poesio (2008, 5.3) think ensures a reasonable quality.
THRESHOLD = 0.8


def check_methodology(given: Mapping[str, Any] | None) -> dict[str, str | None]:
    """Return all fields as texts; None for those that are not given."""
    if given is None:
        return dict.fromkeys(FIELDS)
    if not isinstance(given, Mapping):
        raise InputTypeError.must_be("methodology", "a mapping from fields to texts", given)
    for name in given:
        if name not in FIELDS:
            raise InputError(
                f"methodology has no field {name!r}; the fields are {', '.join(FIELDS)}",
                argument="methodology",
            )
    words: dict[Any, Any] = {None: None, True: "yes", False: "no"}
    return {
        name: words[value] if value is None or isinstance(value, bool) else str(value)
        for name in FIELDS
        for value in [given.get(name)]
    }


def tests_of(interval: Interval | None, threshold: float) -> tuple[CoefficientTest, ...]:
    """Return the tests that the coefficient is above 0, and above the threshold."""
    if not -1 < check_number("threshold", threshold) < 1:
        raise InputError.must_be("threshold", "a number above -1 and below 1", threshold)
    if interval is None:
        return ()
    return tuple(interval.test(null, "greater") for null in (0.0, threshold))


def methodology_section(report: Report, explain: bool) -> Section:
    """Say whether the quoted coefficient is above 0 and the threshold, and how coders worked."""
    result = report.table[report.quoted]
    name = f"{result.coefficient} ({show_label(result.distance)})"
    tested = [
        (
            f"{name} above {test.null_value:g}",
            f"not tested: {test.undefined}"
            if test.p_value != test.p_value
            else f"p = {show_p(test.p_value)} (one-sided)",
        )
        for test in report.tests
    ] or [(f"{name} above 0", "not tested: there is no interval")]
    worked = [
        (f"coders {field}", given if given is not None else "not given")
        for field, given in zip(FIELDS.values(), report.methodology.values(), strict=True)
    ]
    text = (
        "Artstein & Poesio (2008, 5.3) want a study to say whether its agreement is significant,"
        " and how the coders worked."
    )
    explained: list[Plain] = [text, ""] if explain else []
    return details("Methodology", *explained, Terms([*tested, *worked]))
