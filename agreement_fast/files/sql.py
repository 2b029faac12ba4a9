"""Quoting for SQL."""

from __future__ import annotations

from collections.abc import Sequence


def literal(text: str) -> str:
    """Quote a text for SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Quote a column name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def text_or_null(text: str | None) -> str:
    """Quote a text; None is a missing one."""
    return "CAST(NULL AS VARCHAR)" if text is None else literal(text)


def source(path: str | Sequence[str]) -> str:
    """Quote a path, or write a list of paths."""
    if isinstance(path, str):
        return literal(path)
    return f"[{', '.join(map(literal, path))}]"
