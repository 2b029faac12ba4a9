"""Data inside a page: JSON that no label can break out of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

#: The most bytes of the JSON document.
DOCUMENT = 100_000


def as_json(value: Any) -> str:
    """Write a value as JSON for a script element.

    "<" becomes \\\\u003c, which ends no element. Halves of surrogate pairs have no UTF-8, and are
    escaped, too.

    Examples
    --------
    >>> as_json({"a": "</script>"})
    '{"a":"\\\\u003c/script>"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub(r"[<\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def embedded(
    document: Callable[[], Mapping[str, Any]], at_least: int = 0
) -> tuple[dict[str, Any], str]:
    """Return the JSON document by the name of its element, or its size if it is too large.

    Parameters
    ----------
    document : callable () -> mapping
        Returns the document; not called if it would be too large.
    at_least : int, default 0
        The number of bytes that it is known to have at least.
    """
    if at_least > DOCUMENT:
        return {}, f"more than {at_least // 1000:,}"
    made = document()
    size = len(as_json(made).encode())
    return ({"document": made}, "") if size <= DOCUMENT else ({}, f"{size / 1000:,.0f}")
