"""Tables in which nothing is to be doubted: how many are refused, wrong or warned about.

``python tests/reading/recognition/innocent.py [FOLDER] [--rng N] [--tables N] [--parts N]
[--show N]`` draws random tables of every layout, and parts of the data sets in a folder, and
prints the rates by layout. Contingency tables are not among them: without their name they are to
be doubted. Square
tables of whole numbers without names are counted apart, and so are warnings on tables with more
coders than items. ``--show`` prints the first messages, each with the number of its table: it is
the same table in every run with the same seed.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import agreement_fast as af

#: What people write at most: one refusal in a thousand, one warning in a hundred.
MOST_REFUSED, MOST_WARNED = 1 / 1000, 1 / 100

LAYOUTS = (
    "wide, named",
    "wide, items named",
    "wide, without names",
    "long, named",
    "long, without names",
    "counts, named",
    "counts, without names",
)
KINDS = (
    "binary", "words", "ordinal", "from 0", "ids", "years", "skewed", "sparse", "halves", "truths",
)  # fmt: skip
NAMES = (
    "Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo", "Iris", "Jan", "Kira", "Leo",
    "Mia", "Nils", "Olga", "Paul", "Rosa", "Sam", "Tina", "Uwe", "Vera", "Will", "Xenia", "Yann",
    "Zoe", "Aylin", "Bruno", "Clara", "David", "Emil",
)  # fmt: skip
STYLES: tuple[Callable[[int], str], ...] = (
    lambda i: NAMES[i],
    lambda i: NAMES[i].lower(),
    lambda i: f"rater_{i + 1}",
    lambda i: f"R{i + 1}",
    lambda i: f"coder {i + 1}",
    lambda i: f"annotator{i + 1:02}",
    lambda i: f"w{7919 * (i + 3) % 10007}",
    lambda i: chr(65 + i % 26) * (1 + i // 26),
)
ITEM_STYLES: tuple[Callable[[int], Any], ...] = (
    lambda i: i,
    lambda i: i + 1,
    lambda i: f"s{i + 1}",
    lambda i: f"doc-{i:04}",
    lambda i: 48_271 * (i + 11) % 2_147_483_647,
)


class Innocent(NamedTuple):
    """A table that means what it seems to mean, and how it is handed over.

    Attributes
    ----------
    layout : str
        One of `LAYOUTS`, or "long" or "wide" with the name of a data set.
    kind : str
        What the labels are.
    n_items, n_coders : int
    is_square : bool
        Whether it is a square table of whole numbers without names.
    rows : list of list
        What it means: labels of items × coders, None if there is none.
    open : callable
        Gives the value of alpha.
    """

    layout: str
    kind: str
    n_items: int
    n_coders: int
    is_square: bool
    rows: list[list[Any]]
    open: Callable[[], float]

    def expected(self) -> float:
        """Compute alpha from the judgments alone."""
        judged = [
            (i, c, cell)
            for i, row in enumerate(self.rows)
            for c, cell in enumerate(row)
            if cell is not None
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(af.alpha(af.Annotations.from_long(*zip(*judged, strict=True))))


# ---------------------------------------------------------------- labels


def words(random: Random, n: int) -> list[str]:
    """Draw words that differ by more than a letter."""
    drawn: set[str] = set()
    while len(drawn) < n:
        syllables = random.randint(2, 4)
        drawn.add("".join(random.choice("bdfgklmnprstv") + random.choice("aeiou")
                          for _ in range(syllables)))  # fmt: skip
    return sorted(drawn)


def labels_of(random: Random, kind: str) -> list[Any]:
    """Draw the categories of a table."""
    n = min(60, 2 + int(random.expovariate(1 / 8)))
    if kind == "binary":
        return random.choice([[0, 1], ["no", "yes"], ["f", "t"], [1, 2], words(random, 2)])
    if kind == "truths":
        return [False, True]
    if kind == "ordinal":
        return list(range(1, 1 + random.choice([3, 4, 5, 5, 7, 9, 10])))
    if kind == "from 0":
        return list(range(max(3, n)))
    if kind == "ids":
        return random.sample(range(1000, 10_000), n)
    if kind == "years":
        return random.sample(range(1940, 2025), n)
    if kind == "halves":
        return [1 + i / 2 for i in range(9)]
    return words(random, n)


def drawn(random: Random, kind: str, n_items: int, n_coders: int) -> list[list[Any]]:
    """Draw the judgments of coders who agree more or less; None is missing."""
    labels = labels_of(random, kind)
    numbers = np.random.default_rng(random.getrandbits(63))
    ends = {"ordinal", "from 0", "halves", "years"}
    if kind == "skewed" or random.random() < 0.2:
        shares = numbers.dirichlet(np.full(len(labels), 0.3))
    elif kind in ends and random.random() < 0.5:
        place = np.arange(len(labels)) - random.uniform(0, len(labels))
        shares = np.exp(-((place / (1 + len(labels) / 4)) ** 2))
        shares /= shares.sum()
    else:
        shares = np.full(len(labels), 1 / len(labels))
    truth = numbers.choice(len(labels), n_items, p=shares)
    table = np.repeat(truth[:, None], n_coders, axis=1)
    skill = numbers.beta(4, 2, n_coders) * random.choice([1, 1, 1, 0.5])
    guesses = numbers.choice(len(labels), table.shape, p=shares)
    if kind in ends and random.random() < 0.7:
        near = np.clip(table + numbers.integers(-1, 2, table.shape), 0, len(labels) - 1)
        guesses = np.where(numbers.random(table.shape) < 0.8, near, guesses)
    table = np.where(numbers.random(table.shape) < skill, table, guesses)
    absent = 0.0 if random.random() < 0.6 else random.uniform(0.02, 0.3)
    if kind == "sparse":
        absent = random.uniform(0.4, 0.8)
    missing = numbers.random(table.shape) < absent
    missing[0] = missing[:, 0] = False  # everybody judged something, and everything was judged
    return [
        [None if gap else labels[code] for code, gap in zip(*row, strict=True)]
        for row in zip(table.tolist(), missing.tolist(), strict=True)
    ]


# ---------------------------------------------------------------- handing over


def _frame(random: Random, columns: dict[str, list[Any]]) -> Any:
    """Make one of the things that have names of columns."""
    choice = random.random()
    if choice < 0.5:
        import polars as pl

        return pl.DataFrame(columns)
    if choice < 0.7:
        import pandas as pd

        return pd.DataFrame(columns)
    if choice < 0.8:
        import pyarrow as pa

        return pa.table(columns)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _rows(random: Random, rows: list[list[Any]]) -> Any:
    """Make one of the things that have none."""
    gaps = any(cell is None for row in rows for cell in row)
    texts = any(isinstance(cell, str) for row in rows for cell in row)
    choice = random.random()
    if choice < 0.4 or (gaps and texts):  # an array of texts makes "nan" of a gap
        return rows
    if choice < 0.5:
        return np.array(rows, object)
    return np.array([[np.nan if cell is None else cell for cell in row] for row in rows])


def _alpha(data: Any) -> Callable[[], float]:
    return lambda: float(af.alpha(data))


def _made(make: Callable[..., af.Annotations], *data: Any, **keywords: Any) -> Callable[[], float]:
    return lambda: float(af.alpha(make(*data, **keywords)))


def named_wide(random: Random, rows: list[list[Any]], coders: Sequence[str], *, items: bool) -> Any:
    """Make a frame of a column a coder."""
    columns: dict[str, list[Any]] = {}
    if items:
        style = random.choice(ITEM_STYLES)
        name = random.choice(["item", "id", "item_id", "document", "unit", "text_id"])
        columns[name] = [style(i) for i in range(len(rows))]
    columns |= dict(zip(coders, map(list, zip(*rows, strict=True)), strict=True))
    return _frame(random, columns)


def judged(random: Random, rows: list[list[Any]], coders: Sequence[str]) -> list[tuple[Any, ...]]:
    """List the judgments of a table, in one of two orders."""
    style = random.choice(ITEM_STYLES)
    listed = [
        (style(i), coder, cell)
        for i, row in enumerate(rows)
        for coder, cell in zip(coders, row, strict=True)
        if cell is not None
    ]
    if random.random() < 0.5:
        random.shuffle(listed)
    return listed


def named_long(random: Random, listed: list[tuple[Any, ...]]) -> Any:
    """Make a frame of a judgment a row."""
    item = random.choice(["item", "item_id", "document", "task", "unit"])
    coder = random.choice(["coder", "annotator", "worker_id", "rater", "user"])
    label = random.choice(["label", "rating", "answer", "category", "code"])
    columns = dict(zip((item, coder, label), map(list, zip(*listed, strict=True)), strict=True))
    if random.random() < 0.3:
        columns["seconds"] = [round(random.lognormvariate(2, 1), 1) for _ in listed]
    return _frame(random, columns)


def innocent(seed: int, number: int) -> Innocent:
    """Draw a table, by its number."""
    random = Random(f"{seed} {number}")
    layout, kind = LAYOUTS[number % len(LAYOUTS)], random.choice(KINDS)
    n_coders = min(30, 2 + int(random.expovariate(1 / 4)))
    n_items = round(math.exp(random.uniform(math.log(5), math.log(500))))
    rows = drawn(random, kind, n_items, n_coders)
    style = random.choice(STYLES)
    coders = [style(i) for i in range(n_coders)]
    square = False
    if layout == "wide, without names":
        square = n_items == n_coders and all(
            isinstance(cell, int) for row in rows for cell in row if cell is not None
        )
        opened = _alpha(_rows(random, rows))
    elif layout.startswith("wide"):
        opened = _alpha(named_wide(random, rows, coders, items="items" in layout))
    elif layout == "long, named":
        opened = _alpha(named_long(random, judged(random, rows, coders)))
    elif layout == "long, without names":
        triples = [(c, i, k) for i, c, k in judged(random, rows, coders)]
        opened = _made(af.Annotations.from_triples, triples)
    else:
        opened = _of_counts(random, rows, named="without" not in layout)
    return Innocent(layout, kind, n_items, n_coders, square, rows, opened)


def _of_counts(random: Random, rows: list[list[Any]], *, named: bool) -> Callable[[], float]:
    """Count the labels of the items, and say so."""
    categories = sorted({cell for row in rows for cell in row if cell is not None}, key=str)
    counts = [[row.count(label) for label in categories] for row in rows]
    if not named:
        return _made(
            af.Annotations.from_counts, counts if random.random() < 0.5 else np.array(counts)
        )
    columns = map(list, zip(*counts, strict=True))
    frame = _frame(random, dict(zip(map(str, categories), columns, strict=True)))
    if isinstance(frame, list):
        frame = [list(row.values()) for row in frame]
    return _made(af.Annotations.from_counts, frame)


# ---------------------------------------------------------------- parts of data sets


class DataSet(NamedTuple):
    """The judgments of a file: labels by item and coder."""

    name: str
    items: dict[str, dict[str, Any]]


def data_sets(folder: Path) -> list[DataSet]:
    """Read the tables of a folder that have columns of item, coder and label, or only of coders."""
    tables = []
    for path in sorted(folder.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        items: dict[str, dict[str, Any]] = {}
        names = set(rows[0]) if rows else set()
        if {"item", "coder", "label"} <= names:
            for row in rows:
                items.setdefault(row["item"], {}).setdefault(row["coder"], row["label"])
        elif rows and all(re.fullmatch(r"[A-Z]|slides", str(name)) for name in names):
            for i, row in enumerate(rows):
                items[str(i)] = {
                    name: cell for name, cell in row.items() if len(name) == 1 and cell
                }
        if items:
            # Of a set of labels, only the first: sets without a separator are to be doubted.
            items = {
                i: {c: k.partition("|")[0] for c, k in item.items()} for i, item in items.items()
            }
            labels = {label for item in items.values() for label in item.values()}
            if all(re.fullmatch(r"\d+", label) for label in labels):
                items = {i: {c: int(k) for c, k in item.items()} for i, item in items.items()}
            tables.append(DataSet(path.stem, items))
    return tables


def part(sets: Sequence[DataSet], seed: int, number: int) -> Innocent:
    """Draw a part of a data set, by its number."""
    random = Random(f"part {seed} {number}")
    data = sets[number % len(sets)]
    while True:
        n_items = round(math.exp(random.uniform(math.log(5), math.log(500))))
        names = random.sample(sorted(data.items), min(n_items, len(data.items)))
        seen = sorted({coder for name in names for coder in data.items[name]})
        coders = random.sample(seen, min(len(seen), random.randint(2, 30)))
        items = {name: {c: k for c, k in data.items[name].items() if c in coders} for name in names}
        items = {name: labels for name, labels in items.items() if labels}
        coders = [c for c in coders if any(c in labels for labels in items.values())]
        if len(items) >= 5 and len(coders) >= 2:
            break
    rows = [[labels.get(coder) for coder in coders] for labels in items.values()]
    layout = random.choice(["long", "wide", "wide, without names"])
    square = False
    if layout == "long":
        opened = _alpha(named_long(random, judged(random, rows, coders)))
    elif layout == "wide":
        opened = _alpha(named_wide(random, rows, coders, items=random.random() < 0.5))
    else:
        square = len(items) == len(coders) and isinstance(rows[0][0], int | None)
        opened = _alpha(_rows(random, rows))
    return Innocent(f"part, {layout}", data.name, len(items), len(coders), square, rows, opened)


# ---------------------------------------------------------------- rates


class Rates:
    """How many tables of a layout were refused, and how many were warned about.

    Attributes
    ----------
    n, refused, wrong, warned, turned, square : Counter
        By layout: tables without the square ones, those refused, those that give another value than
        their judgments, those with a warning, those with no other warning than that there are more
        coders than items, and square tables of whole numbers without names.
    examples : list of str
        What was refused and warned about.
    """

    def __init__(self) -> None:
        self.n: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.warned: Counter[str] = Counter()
        self.turned: Counter[str] = Counter()
        self.square: Counter[str] = Counter()
        self.examples: list[str] = []

    def add(self, number: int, table: Innocent) -> None:
        """Open a table and count what comes of it."""
        if table.is_square:
            self.square[table.layout] += 1
            return
        self.n[table.layout] += 1
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                value = table.open()
            except Exception as error:
                self.refused[table.layout] += 1
                self._note("refused", number, table, f"{type(error).__name__}: {error}")
                return
        hints = [warning for warning in caught if issubclass(warning.category, af.Hint)]
        expected = table.expected()
        if not math.isclose(value, expected, abs_tol=1e-12) and not (
            math.isnan(value) and math.isnan(expected)
        ):
            self.wrong[table.layout] += 1
            self._note("wrong", number, table, f"{value} for {expected}")
        turned = [hint for hint in hints if issubclass(hint.category, af.ShapeHint)]
        if turned and len(turned) == len(hints) and table.n_coders > table.n_items:
            self.turned[table.layout] += 1
        elif hints:
            self.warned[table.layout] += 1
            text = "; ".join(f"{hint.category.__name__}: {hint.message}" for hint in hints)
            self._note("warned", number, table, text)

    def _note(self, what: str, number: int, table: Innocent, text: str) -> None:
        self.examples.append(
            f"{what}: {table.layout} {number}, {table.kind}, {table.n_items} x {table.n_coders}: "
            f"{text}"
        )

    def rate(self, counted: Counter[str]) -> float:
        """Return the share of all tables."""
        return sum(counted.values()) / max(1, sum(self.n.values()))

    def lines(self) -> Iterator[str]:
        """Write the rates as a table."""
        heads = f"{'tables':>8}{'refused':>9}{'wrong':>8}{'warned':>8}{'turned':>8}{'square':>8}"
        yield f"{'layout':28}{heads}"
        for layout in sorted(self.n):
            cells = (self.n, self.refused, self.wrong, self.warned, self.turned, self.square)
            widths = (8, 9, 8, 8, 8, 8)
            row = "".join(f"{c[layout]:{w}}" for c, w in zip(cells, widths, strict=True))
            yield f"{layout:28}{row}"
        yield (
            f"refused {self.rate(self.refused):.3%} (at most {MOST_REFUSED:.1%}), "
            f"wrong {self.rate(self.wrong):.3%}, "
            f"warned {self.rate(self.warned):.3%} (at most {MOST_WARNED:.0%})"
        )


def main() -> None:
    """Print the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="a folder of data sets")
    parser.add_argument("--rng", type=int, default=0)
    parser.add_argument("--tables", type=int, default=20_000)
    parser.add_argument("--parts", type=int, default=5_000)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    sources: list[tuple[str, int, Callable[[int], Innocent]]] = [
        ("random tables", options.tables, lambda number: innocent(options.rng, number))
    ]
    if options.folder is not None:
        sets = data_sets(options.folder)
        names = ", ".join(data.name for data in sets)
        title = f"parts of {names}"
        sources.append((title, options.parts, lambda number: part(sets, options.rng, number)))
    for title, n, draw in sources:
        start, rates = time.process_time(), Rates()
        for number in range(n):
            rates.add(number, draw(number))
        print(f"{title}, seed {options.rng}, {time.process_time() - start:.0f} s")
        print("\n".join(rates.lines()))
        for kind in ("refused", "wrong", "warned"):
            shown = [line for line in rates.examples if line.startswith(kind)]
            print("".join(f"  {line}\n" for line in shown[: options.show]), end="")
        print()


if __name__ == "__main__":
    main()
