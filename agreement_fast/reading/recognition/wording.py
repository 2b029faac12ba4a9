"""How a refusal proposes what to write: in Python and in the shell."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from agreement_fast.errors import Argument, Sentence, either

#: Largest number of columns that an error lists.
LISTED = 20

#: Words that SQL takes for names of columns only in quotes.
_RESERVED = frozenset(
    """all and any array as asc both case cast check collate column constraint create default desc
    distinct do else end except false fetch for foreign from group having in into limit not null
    offset on only or order pivot primary references select show some table then to true union
    unique using when where window with""".split()  # noqa: SIM905
)


class Wording(Protocol):
    """Proposes how to name what a table does not show."""

    def long(self, roles: Mapping[str, Sequence[Any]]) -> Sentence:
        """Propose the columns of one judgment per row; of a role, several or none may be known."""

    def wide(
        self,
        item: Any,
        weights: Any,
        coders: Sequence[Any],
        left_out: Sequence[Any],
        *,
        likely: bool = True,
    ) -> Sentence:
        """Propose the columns of one item per row, and to leave out what may be no weights.

        `likely`: whether weights are proposed before leaving them out.
        """

    def layouts(self, *layouts: str) -> Sentence:
        """Propose layouts."""

    def below_header(self, names: Sequence[Any], item: Any, coders: Sequence[Any]) -> Sentence:
        """Propose to read the first row as names, of the item's and the coders' columns."""

    def sets(self, separator: str) -> Sentence:
        """Propose to split labels at a mark."""

    def transposed(self, coder: Any, left_out: Sequence[Any]) -> Sentence:
        """Propose to make the rows the coders, whom a column may name, without other columns."""

    def counted(self, item: Any, label: Any, count: Any) -> Sentence:
        """Propose to read how often items got labels, one item and label a row, as counts."""

    def filled(self, column: Any) -> Sentence | None:
        """Propose to fill the empty cells of a column with the value above.

        None for files, whose reader names the place of an empty cell.
        """

    def spans(self, roles: Mapping[str, str]) -> Sentence:
        """Propose to read units with these columns."""

    def without(self, column: str, value: Any, kept: tuple[str, Any], what: str) -> Sentence:
        """Propose to leave out the rows of a value, or to count `what` by naming a column."""


class _Python:
    """Calls of the constructors, which every function takes the result of."""

    def long(self, roles: Mapping[str, Sequence[Any]]) -> Sentence:
        named = ", ".join(
            f"{role}={names[0]!r}" if len(names) == 1 else f"{role}=..."
            for role, names in roles.items()
        )
        return f"write af.Annotations.from_frame(frame, {named})"

    def wide(
        self,
        item: Any,
        weights: Any,
        coders: Sequence[Any],
        left_out: Sequence[Any],
        *,
        likely: bool = True,
    ) -> Sentence:
        arguments = [f"coders={list(coders)!r}" if len(coders) > 1 else "coders=[...]"]
        for name, column in (("weights", weights), ("items", item)):
            if column is not None:
                arguments.insert(0, f"{name}={column!r}")
        proposed = f"write af.Annotations.from_wide(table, {', '.join(arguments)})"
        if weights is None or len(coders) < 2:
            return proposed
        without = self.wide(item, None, coders, left_out)
        if likely:
            return f"{proposed}; if {weights!r} does not say how often, {without}"
        return f"{without}; if {weights!r} says how often an item occurred, {proposed}"

    def layouts(self, *layouts: str) -> Sentence:
        calls = either([f"af.Annotations.from_{name}(table)" for name in layouts])
        return "pass ", Argument("layout", *layouts), f" to a coefficient, or {calls} elsewhere"

    def below_header(self, names: Sequence[Any], item: Any, coders: Sequence[Any]) -> Sentence:
        listed = list(names) if item is None else list(coders)
        items = "" if item is None else f"items={item!r}, "
        return f"write af.Annotations.from_wide(table[1:], {items}coders={listed!r})"

    def sets(self, separator: str) -> Sentence:
        return f"write af.Annotations.from_wide(table, set_separator={separator!r})"

    def transposed(self, coder: Any, left_out: Sequence[Any]) -> Sentence:
        others = f".drop(columns={list(left_out)!r})" if left_out else ""
        named = "" if coder is None else f".set_index({coder!r}).rename_axis(None)"
        return f"write af.Annotations.from_wide(pandas.DataFrame(table){others}{named}.T)"

    def counted(self, item: Any, label: Any, count: Any) -> Sentence:
        named = f"index={item!r}, columns={label!r}, values={count!r}"
        table = f"pandas.DataFrame(table).pivot({named}).fillna(0)"
        return f"write af.Annotations.from_counts({table})"

    def filled(self, column: Any) -> Sentence:
        return f"write frame[{column!r}] = frame[{column!r}].ffill()"

    def spans(self, roles: Mapping[str, str]) -> Sentence:
        every: dict[str, Any] = dict.fromkeys(("coder", "start", "end"), ...) | dict(roles)
        named = ", ".join(
            f"{role}={'...' if column is ... else repr(column)}" for role, column in every.items()
        )
        return (
            f"write af.units.Continuum.from_frame(frame, {named}), with extents= if texts go on "
            "behind their last unit"
        )

    def without(self, column: str, value: Any, kept: tuple[str, Any], what: str) -> Sentence:
        return (
            f"leave such judgments out, as with frame[~frame[{column!r}].isin([{value!r}])] in "
            "pandas (ne_missing in polars and IS DISTINCT FROM in SQL keep empty cells, too), or "
            "pass ",
            Argument(*kept),
            f" to count {what}",
        )


class _Shell:
    """Options of the command; `layout` stands before coders whose layout was not named."""

    def __init__(self, layout: str = "") -> None:
        self._layout = layout

    def long(self, roles: Mapping[str, Sequence[Any]]) -> Sentence:
        return "pass " + " ".join(
            f"--{role}"
            if len(names) != 1
            else f"--{role} {listed_for_shell(names[0] if isinstance(names[0], list) else names)}"
            for role, names in roles.items()
        )

    def wide(
        self,
        item: Any,
        weights: Any,
        coders: Sequence[Any],
        left_out: Sequence[Any],
        *,
        likely: bool = True,
    ) -> Sentence:
        ways: list[tuple[list[Any], Sequence[Any]]] = [([], left_out)]
        if weights is not None:
            ways = [([weights], left_out), ([], [*left_out, weights])][:: 1 if likely else -1]
        options = [
            " ".join(
                f"{option} {listed_for_shell(names)}"
                for option, names in (
                    ("--item", [] if item is None else [item]),
                    ("--weights", often),
                    ("--exclude", excluded),
                )
                if names
            )
            for often, excluded in ways
        ]
        more = ",..." if len(coders) > LISTED else ""
        named = listed_for_shell(coders[:LISTED]) + more if len(coders) > 1 else "A,B,C"
        advice = [way for way in options if way] if len(coders) > 1 else []
        return "pass " + ", or ".join(
            [*advice, f"{self._layout}--coder {named} to name the coders"]
        )

    def layouts(self, *layouts: str) -> Sentence:
        return "pass " + " or ".join(f"--layout {layout}" for layout in layouts)

    def below_header(self, names: Sequence[Any], item: Any, coders: Sequence[Any]) -> Sentence:
        return "leave out --no-header, or delete the row"

    def sets(self, separator: str) -> Sentence:
        return f'pass --set-separator "{separator}"'

    def transposed(self, coder: Any, left_out: Sequence[Any]) -> Sentence:
        without = f" without {', '.join(map(repr, left_out[:LISTED]))}" if left_out else ""
        return (
            f"transpose the table{without} (in a spreadsheet: copy, paste special, transpose), so "
            "that a row is an item and a column a coder"
        )

    def counted(self, item: Any, label: Any, count: Any) -> Sentence:
        return "write a row for each item and a column for each label, and pass --layout counts"

    def filled(self, column: Any) -> None:
        return None

    def spans(self, roles: Mapping[str, str]) -> Sentence:
        return "use the command units"

    def without(self, column: str, value: Any, kept: tuple[str, Any], what: str) -> Sentence:
        condition = condition_for_shell(condition_without(column, [str(value)]))
        return (
            f"pass --where {condition} to leave such judgments out,"
            f" or --{kept[0]} {listed_for_shell([kept[1]])} to count {what}"
        )


PYTHON: Wording = _Python()
SHELL: Wording = _Shell()
#: That of a file whose layout was not named.
SHELL_WIDE: Wording = _Shell("--layout wide ")


def listed_for_shell(names: Iterable[Any]) -> str:
    """Return names in the form of an option's value."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(list(names))
    return shlex.quote(line.getvalue())


def quoted_name(name: str) -> str:
    """Return the name of a column as a condition of SQL writes it.

    Examples
    --------
    >>> print(quoted_name("status"), quoted_name("check"), quoted_name("my item"))
    status "check" "my item"
    """
    plain = name.isidentifier() and name.lower() not in _RESERVED
    return name if plain else '"{}"'.format(name.replace('"', '""'))


def condition_without(column: str, texts: Sequence[str]) -> str:
    """Return a condition of SQL that leaves out these texts, and keeps empty cells.

    Examples
    --------
    >>> print(condition_without("item", ["Total"]))
    item IS DISTINCT FROM 'Total'
    >>> print(condition_without("item", ["Total", "Mean"]))
    item NOT IN ('Total', 'Mean') OR item IS NULL
    """
    name = quoted_name(column)
    quoted = ["'{}'".format(text.replace("'", "''")) for text in texts]
    if len(quoted) == 1:
        return f"{name} IS DISTINCT FROM {quoted[0]}"
    return f"{name} NOT IN ({', '.join(quoted)}) OR {name} IS NULL"


def condition_for_shell(condition: str) -> str:
    """Return a condition of SQL, in which texts have single quotes, as the value of an option.

    Examples
    --------
    >>> print(condition_for_shell("coder <> 'gold'"))
    "coder <> 'gold'"
    """
    return '"{}"'.format(re.sub(r'(["\\$`])', r"\\\1", condition))
