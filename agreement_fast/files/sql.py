"""Quoting for SQL."""

from __future__ import annotations

from collections.abc import Sequence


def literal(text: str) -> str:
    """Return a text quoted for SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a column name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def text_or_null(text: str | None) -> str:
    """Return a text quoted for SQL; None is a missing text."""
    return "CAST(NULL AS VARCHAR)" if text is None else literal(text)


def source(path: str | Sequence[str]) -> str:
    """Return a path quoted for SQL, or a list of paths."""
    if isinstance(path, str):
        return literal(path)
    return f"[{', '.join(map(literal, path))}]"
