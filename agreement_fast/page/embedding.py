"""Data inside a page: JSON that no label can leave."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["as_json"]


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
