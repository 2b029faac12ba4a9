"""Pieces of SQL: texts and names in quotes, and the types that hold all cells of a column."""

from collections.abc import Sequence


def literal(text: str) -> str:
    """Return a text quoted for SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a column name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def source(path: str | Sequence[str]) -> str:
    """Return a path quoted for SQL, or a list of paths."""
    if isinstance(path, str):
        return literal(path)
    return f"[{', '.join(map(literal, path))}]"


#: Types from narrow to wide, each with the pattern of cells that it holds exactly: a cast of other
#: cells would round, cut or fail.
KINDS = {
    "BIGINT": "(regexp_full_match({0}, '[+-]?[0-9]+') AND try_cast({0} AS BIGINT) IS NOT NULL)",
    "DOUBLE": "(regexp_full_match({0}, '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?')"
    " AND try_cast({0} AS DOUBLE) IS NOT NULL)",
    "DATE": "(regexp_full_match({0}, '[0-9]+-[0-9]+-[0-9]+')"
    " AND try_cast({0} AS DATE) IS NOT NULL)",
    "TIMESTAMP": "try_cast({0} AS TIMESTAMP) IS NOT NULL",
}

#: Spellings of floats that are not numbers.
NO_NUMBER = "(?i)nan|[+-]?inf(inity)?"


def may_name(where: str, name: str) -> bool:
    """Return whether a condition may name a column; ``COLUMNS`` may name any."""
    condition = where.lower()
    return identifier(name)[1:-1].lower() in condition or "columns" in condition


def counted_kinds(cell: str, kinds: Sequence[str]) -> list[str]:
    """Write the expressions that count the cells that are not empty, and those of each type."""
    return [
        f"count({cell})",
        *(f"count(*) FILTER (WHERE {KINDS[kind].format(cell)})" for kind in kinds),
    ]


def narrowest(kinds: Sequence[str], filled: int) -> str:
    """Return the first of the types that holds all cells; text if no cell is filled."""
    return kinds[0] if kinds and filled else "VARCHAR"
