"""Groups of items in an engine."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from agreement_fast.engines.read import read_lazy
from agreement_fast.reading.groups import Grouped, GroupedTable, number_groups
from agreement_fast.recognition.recognise import ColumnNames

__all__ = ["read_lazy_groups"]


def read_lazy_groups(
    frame: Any,
    by: str | Sequence[str],
    names: ColumnNames,
    *,
    missing: Any = None,
    categories: Any = None,
    duplicates: str = "error",
    weights: str | None = None,
    order: str | None = None,
) -> GroupedTable:
    """Read judgments and the groups of their items; see `reading.groups.read_groups`.

    The same item in two groups is two items, and equal rows of two groups are two rows.
    """
    listed: tuple[Hashable, ...] = (by,) if isinstance(by, str) else tuple(by)
    found = read_lazy(
        frame,
        by=tuple(map(str, listed)),
        missing=missing,
        categories=categories,
        duplicates=duplicates,
        weights=weights,
        order=order,
        item=names.get("item"),
        coder=names.get("coder"),
        label=names.get("label"),
    )
    groups: Grouped = number_groups(listed, found.beside)
    return GroupedTable(found.parts, groups)
