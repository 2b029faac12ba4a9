"""Names, texts and numbers as a page shows them."""

from __future__ import annotations

import math
import re
from typing import Any

from agreement_fast.terminal import escape, show_number, spell_label

#: Joiners inside words of other scripts and between emoji; elsewhere they would be invisible.
_JOINER = re.compile(r"(?<=[^\x00-\x7f])([\u200c\u200d])(?=[^\x00-\x7f])")

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


def clean(text: Any) -> str:
    """Escape the invisible characters of a text, and those that change the direction of text.

    Examples
    --------
    >>> clean("a\\u202eb"), clean("a\\nb"), clean("می‌خواهم") == "می‌خواهم"
    ('a\\\\u202eb', 'a b', True)
    """
    parts = _JOINER.split(re.sub(r"\s+", " ", str(text)))
    return "".join(part if i % 2 else escape(part) for i, part in enumerate(parts))


def label(one: Any, limit: int = 60) -> str:
    """Return a label or a name on one line, with an ellipsis if it is longer than `limit`.

    Examples
    --------
    >>> label(frozenset({"b", "a"})), label(""), label("abcdef", 4)
    ('{a, b}', '(empty)', 'abc…')
    """
    spelled = spell_label(one)
    if not spelled.strip():
        return "(empty)" if not spelled else "(blank)"
    # Only the part that could be shown is examined.
    text = clean(spelled[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def value(number: float | None, digits: int = 3) -> str:
    """Format a coefficient; a value that rounds to zero has no sign.

    Examples
    --------
    >>> value(0.71249), value(-0.0001), value(float("nan"))
    ('0.712', '0.000', '–')
    """
    if number is None or not math.isfinite(number):
        return DASH
    return f"{round(number, digits) + 0.0:.{digits}f}".replace("-", MINUS)


def between(low: float, high: float) -> str:
    """Format an interval.

    Examples
    --------
    >>> between(0.25, 0.5), between(float("nan"), float("nan"))
    ('0.250 to 0.500', '–')
    """
    return DASH if math.isnan(low) or math.isnan(high) else f"{value(low)} to {value(high)}"


def level_of(result: Any) -> str:
    """Return the name of an interval with its level, such as "95% interval".

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> level_of(SimpleNamespace(confidence_level=0.9)), level_of(None)
    ('90% interval', 'interval')
    """
    level = getattr(result, "confidence_level", None)
    return "interval" if level is None else f"{100 * level:.12g}% interval"


def signed(number: float | None, digits: int = 3) -> str:
    """Format a change.

    Examples
    --------
    >>> signed(0.02), signed(-0.02), signed(0.0001)
    ('+0.020', '−0.020', '0.000')
    """
    text = value(number, digits)
    positive = text != DASH and float(text.replace(MINUS, "-")) > 0
    return f"+{text}" if positive else text


def distance(number: float) -> str:
    """Format a disagreement or a length in any unit.

    Examples
    --------
    >>> distance(0.27556), distance(float("nan"))
    ('0.2756', '–')
    """
    return DASH if math.isnan(number) else show_number(number)


def percent(share: float | None, digits: int = 1) -> str:
    """Format a share as a percentage.

    Examples
    --------
    >>> percent(0.12345), percent(float("nan"))
    ('12.3%', '–')
    """
    if share is None or not math.isfinite(share):
        return DASH
    return f"{share:.{digits}%}"


def count(number: float) -> str:
    """Format a count.

    Examples
    --------
    >>> count(1234567)
    '1,234,567'
    """
    return f"{number:,.0f}"
