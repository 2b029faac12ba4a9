"""What a reader of a study wants to know beside the value: tests, and how the coders worked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_number
from agreement_fast.present.sections import Plain, Section, Terms, details
from agreement_fast.present.terminal import show_label, show_p

if TYPE_CHECKING:
    from agreement_fast.inference.hypotheses import CoefficientTest
    from agreement_fast.reports.content import Report
    from agreement_fast.reports.intervals import Interval

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
    tested = [(f"{name} above {test.null_value:g}", _p(test)) for test in report.tests] or [
        (f"{name} above 0", "not tested: there is no interval")
    ]
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


def _p(test: CoefficientTest) -> str:
    if test.p_value != test.p_value:
        return f"not tested: {test.undefined}"
    return f"p = {show_p(test.p_value)} (one-sided)"


def methodology_dict(report: Report) -> dict[str, Any]:
    """Return the tests and the fields for JSON."""
    return {
        "tests": [
            {
                "null_value": test.null_value,
                "p_value": None if test.p_value != test.p_value else test.p_value,
                "alternative": test.alternative,
                "undefined": test.undefined,
            }
            for test in report.tests
        ],
        **report.methodology,
    }
