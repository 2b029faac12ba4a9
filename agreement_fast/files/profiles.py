"""What the columns of a table hold: how many values, their kinds, and which they share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agreement_fast.files.file import File
from agreement_fast.files.query import Reader
from agreement_fast.files.roles import Asked
from agreement_fast.files.sql import literal
from agreement_fast.files.together import put_together, read_apart

__all__ = ["SCALE", "Profile", "Profiles", "look_at"]

#: Cells that are inspected: the first rows are enough.
LOOK_CELLS = 4_000_000
FEWEST_LOOKED = 1_000

#: Share of distinct values that must be numbers for a column to count as numeric. The other values
#: are assumed to mean "missing".
MOSTLY = 0.9

#: Repeated ratings within these bounds are on one scale, even if a coder used only one number.
SCALE = (-10.0, 10.0)


@dataclass(frozen=True)
class Profile:
    """What a column holds.

    Attributes
    ----------
    name : str
    rows : int
        Rows that were inspected.
    filled, distinct : int
        Number of cells that are not empty, and of their distinct values.
    length : float
        Mean number of characters of a cell.
    numbers : bool
    whole : bool
        Whether all numbers are whole.
    low, high : float
        Smallest and largest number.
    ascending, counting : bool
        Whether each whole number is greater than the one above it; whether greater by one.
    """

    name: str
    rows: int
    filled: int
    distinct: int
    length: float
    numbers: bool
    whole: bool
    low: float
    high: float
    ascending: bool = False
    counting: bool = False

    @property
    def all_different(self) -> bool:
        """Whether no value occurs twice."""
        return self.distinct == self.filled > 0

    @property
    def numbers_rows(self) -> bool:
        """Whether the values are the numbers from 0 or 1 on, each once, in any order."""
        dense = self.high - self.low + 1 == self.distinct
        return self.whole and self.all_different and dense and self.low in (0, 1)

    @property
    def complete(self) -> bool:
        """Whether no cell is empty."""
        return self.filled == self.rows


class Profiles:
    """The profiles of columns, and the values that they share."""

    def __init__(self, reader: Reader, columns: Sequence[str], rows: int) -> None:
        self._reader = reader
        self._place = {name: i for i, name in enumerate(columns)}
        found = reader.fetch(
            "SELECT c, sum(n) AS filled, count(*) AS distinct_values,"
            " sum(n * length(v)) / sum(n) AS length,"
            f" count(x) >= {MOSTLY} * count(*) AS numbers,"
            " coalesce(bool_and(x = floor(x)), false) AS whole,"
            " coalesce(min(x), 0) AS low, coalesce(max(x), 0) AS high"
            " FROM looked_values GROUP BY c"
        )
        facts = dict(zip(found["c"].tolist(), zip(*(
            found[key].tolist()
            for key in ("filled", "distinct_values", "length", "numbers", "whole", "low", "high")
        ), strict=True), strict=True))  # fmt: skip
        self._all: dict[str, Profile] = {}
        for name, i in self._place.items():
            filled, distinct, length, numbers, whole, low, high = facts.get(
                i, (0, 0, 0.0, False, False, 0.0, 0.0)
            )
            profile = Profile(
                name,
                rows,
                int(filled),
                int(distinct),
                length,
                numbers,
                numbers and whole,
                low,
                high,
            )
            self._all[name] = self._in_order(profile)

    def __getitem__(self, name: str) -> Profile:
        return self._all[name]

    def _in_order(self, profile: Profile) -> Profile:
        """Add whether the whole numbers of a column ascend, if all differ."""
        if not (profile.whole and profile.all_different and profile.filled > 1):
            return profile
        cell = f"try_cast(k{self._place[profile.name]} AS DOUBLE)"
        found = self._reader.fetch(
            "SELECT bool_and(x > above) AS ascending, bool_and(x = above + 1) AS counting FROM"
            f" (SELECT {cell} AS x, lag({cell}) OVER (ORDER BY rowid) AS above FROM looked)"
        )
        return Profile(
            **{
                **profile.__dict__,
                "ascending": bool(found["ascending"][0]),
                "counting": bool(found["counting"][0]),
            }
        )

    def count_above(self, name: str, bound: float) -> int:
        """Count the distinct numbers of a column above a bound."""
        found = self._reader.fetch(
            f"SELECT count(*) AS n FROM looked_values WHERE c = {self._place[name]}"
            f" AND x > {bound!r}::DOUBLE"
        )
        return int(found["n"][0])

    def shared(self, columns: Collection[str]) -> dict[str, float]:
        """Return for each column the share of its cells that other columns could hold, too.

        A text, or a number if there are few, is shared if another column has it. A number is also
        shared if it lies in the range of the numbers of the others. O(distinct values).
        """
        if not columns:
            return {}
        listed = ", ".join(str(self._place[name]) for name in columns)
        same = "SELECT c, v, x, n, count(*) OVER (PARTITION BY v) > 1 AS same FROM looked_values"
        numbers = [self._all[name] for name in columns if self._all[name].numbers]
        lows = sorted((one.low, one.name) for one in numbers)[:2]
        highs = sorted(((one.high, one.name) for one in numbers), reverse=True)[:2]
        ranges = ", ".join(
            f"({self._place[name]}, {low!r}::DOUBLE, {high!r}::DOUBLE)"
            for name in columns
            for low, high in [_range_of_others(self._all[name], lows, highs)]
        )
        found = self._reader.fetch(
            "SELECT c, sum(n) FILTER (same OR x BETWEEN low AND high) / sum(n) AS share"
            f" FROM ({same} WHERE c IN ({listed}))"
            f" JOIN (VALUES {ranges}) AS ranges(of, low, high) ON c = of GROUP BY c"
        )
        share = dict(zip(found["c"].tolist(), found["share"].tolist(), strict=True))
        return {name: share.get(self._place[name]) or 0.0 for name in columns}


def _range_of_others(
    profile: Profile, lows: Sequence[tuple[float, str]], highs: Sequence[tuple[float, str]]
) -> tuple[float, float]:
    """Return the range of the numbers of other columns; their outermost two are known."""
    low, high = (
        next((number for number, name in ends if name != profile.name), None)
        for ends in (lows, highs)
    )
    if low is None or high is None or not profile.numbers:
        return 1.0, 0.0  # nothing lies between
    if profile.all_different or low < SCALE[0] or high > SCALE[1]:
        return low, high
    return SCALE


def look_at(
    reader: Reader, columns: Sequence[str], asked: Asked, files: Sequence[File]
) -> Profiles:
    """Inspect the first rows of columns, those that ``where`` keeps.

    Parameters
    ----------
    reader : Reader
    columns : sequence of str
        Columns to inspect; a file may lack some.
    asked : Asked
    files : sequence of File

    Returns
    -------
    Profiles
    """
    most = max(LOOK_CELLS // max(len(columns), 1), FEWEST_LOOKED)
    marks = ", ".join(literal(str(mark)) for mark in asked.missing)
    verb = "CREATE OR REPLACE TEMP TABLE looked AS"
    rows = 0

    def look(file: File) -> None:
        nonlocal verb, rows
        if rows >= most:
            return
        cells = [file.text(name) for name in columns]
        if marks:
            cells = [f"CASE WHEN {cell} NOT IN ({marks}) THEN {cell} END" for cell in cells]
        reader.load_cells(file, f"{verb} FROM (", cells, asked.where, f") LIMIT {most - rows}")
        rows = reader.count("looked")
        verb = "INSERT INTO looked"

    read_apart(put_together(files), look, asked.where)
    pairs = ", ".join(f"k{i} AS '{i}'" for i in range(len(columns)))
    reader.fetch(
        "CREATE OR REPLACE TEMP TABLE looked_values AS SELECT CAST(c AS INTEGER) AS c, v,"
        " try_cast(v AS DOUBLE) AS x, count(*) AS n"
        f" FROM (UNPIVOT looked ON {pairs} INTO NAME c VALUE v) GROUP BY c, v"
    )
    return Profiles(reader, columns, rows)
