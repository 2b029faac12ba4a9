"""Every remedy that a message of reading proposes runs, in Python or the shell, as it says.

A case asks what is refused or warned about. The code is taken from the message and run on the same
data; the value of each proposal is held against the reference on judgments written out by hand.
`test_every_proposal_has_a_case` reads the sources: a text that proposes code and that no case
provokes fails, unless `APART` says where it is tested, or why it cannot be provoked here.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import io
import itertools
import json
import math
import re
import shlex
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import reference
from loops import nonempty
from proposals import ARRAY, PACKAGE, in_python, in_shell, sites

import agreement_fast as af
from agreement_fast.cli import main
from agreement_fast.errors import AgreementError

ANN, BEN, CID = [*"xyxyzzxyxyzx"], [*"xyxxzzxyyyzx"], [*"xyyyzxxyxyzz"]
THREE = {"ann": ANN, "ben": BEN, "cid": CID}
ITEMS = [f"t{i}" for i in range(12)]
WORDS = {"x": "yes", "y": "no", "z": "maybe"}


def alpha(columns: Mapping[Any, Sequence[Any]], distance: str = "nominal") -> float:
    """Compute α of columns of coders in rational arithmetic; None is no judgment."""
    rows = zip(*columns.values(), strict=True)
    units = [
        {coder: x for coder, x in zip(columns, row, strict=True) if x is not None} for row in rows
    ]
    value = reference.agreement(units, "alpha", getattr(reference, distance)).value
    return math.nan if value is None else float(value)


def without(columns: Mapping[Any, Sequence[Any]], *rows: int) -> dict[Any, list[Any]]:
    """Return columns without some rows."""
    return {
        name: [cell for i, cell in enumerate(cells) if i not in rows]
        for name, cells in columns.items()
    }


#: The values of the usual coders, and of the first two.
VALUE, OF_TWO = alpha(THREE), alpha({"ann": ANN, "ben": BEN})
WRITTEN = {"x": ["a;b", "b", "c"] * 4, "y": ["b;a", "c;a", "c;b"] * 4}
IN_ORDER = {coder: ["".join(sorted(text)) for text in texts] for coder, texts in WRITTEN.items()}
WIDE = pd.DataFrame({"item": ITEMS, **THREE})
LONG = pd.DataFrame(
    {"item": item, "coder": coder, "label": label}
    for coder, column in THREE.items()
    for item, label in zip(ITEMS, column, strict=True)
).sort_values("item", kind="stable", ignore_index=True)
#: One judgment was rejected; the state of most is empty, which leaves none of them out.
REVIEWED = LONG.assign(check=["rejected", "approved", *[None] * 34])
FLAGGED = LONG.assign(spam=[1, *[None] * 35])
OF_VALID = alpha({**THREE, "ann": [None, *ANN[1:]]})
#: A row a coder; a criterion a column.
OF_QUESTIONS = {f"q{i}": list(row) for i, row in enumerate(zip(*THREE.values(), strict=True), 1)}
OF_CRITERIA = dict(zip(("clarity", "fluency", "tone"), THREE.values(), strict=True))
#: Items and labels with numbers.
NUMBERED = LONG.assign(
    item=LONG["item"].map(ITEMS.index), label=LONG["label"].map({"x": 1, "y": 2, "z": 3})
)
#: How often each pair of numbers occurred.
PAIRS_OF_NUMBERS = pd.DataFrame(
    [(a, b, 7 if a == b else 1) for a in range(1, 5) for b in range(1, 5) if (a, b) != (2, 3)],
    columns=["ann", "ben", "k"],
)
OF_PAIRS = alpha(
    {name: PAIRS_OF_NUMBERS[name].repeat(PAIRS_OF_NUMBERS["k"]).tolist() for name in ("ann", "ben")}
)
#: A table for each of two coders.
OF_CODERS = {name: WIDE[["item", name]].rename(columns={name: "label"}) for name in ("ann", "ben")}


class Case(NamedTuple):
    """What is asked, and what each proposal of the answer comes to.

    Attributes
    ----------
    name : str
        What is wrong.
    ask : str
        An expression of Python, or a command of the shell behind "$".
    values : sequence of float
        The values of the proposals, in their order; None for one without a value that is known
        here, and ... for one that is for other data than these, and may be refused.
    names : mapping
        What Python calls the data, or the texts of files.
    fill : sequence of str
        What stands for each "..." in the proposals.
    distance : str
        That of α of what is proposed.
    then : mapping
        Names that mean something else in a proposal.
    """

    name: str
    ask: str
    values: Sequence[Any]
    names: Mapping[str, Any] = {}
    fill: Sequence[str] = ("...",)
    distance: str = "nominal"
    then: Mapping[str, Any] = {}


def merged(frame: pd.DataFrame, column: str, every: int) -> pd.DataFrame:
    """Leave only the first of some equal cells, as merged cells do."""
    return frame.assign(
        **{column: [x if i % every == 0 else None for i, x in enumerate(frame[column])]}
    )


#: Two aspects of each item; the names of items are those of both.
ASPECTS = pd.concat(
    [LONG.assign(aspect="tone"), LONG.assign(aspect="topic", label=LONG["label"].map(WORDS))],
    ignore_index=True,
)
OF_ASPECTS = alpha(
    {coder: [*column, *(WORDS[x] for x in column)] for coder, column in THREE.items()}
)
#: The same with numbers of items that start again in each document.
DOCUMENTS = ASPECTS.rename(columns={"aspect": "document"}).assign(
    item=[int(name[1:]) for name in ASPECTS["item"]]
)
#: Six items of two documents, each by two coders: the same items, or others.
FOUR = {"ann": ANN[:6], "ben": BEN[:6], "cid": CID[6:], "dan": ANN[6:]}
OF_FOUR = pd.DataFrame(
    {"document": document, "item": item, "coder": coder, "label": label}
    for coder, column in FOUR.items()
    for document in ("a" if coder in ("ann", "ben") else "b")
    for item, label in enumerate(column)
)
APART_FROM = {
    name: [*column, *[None] * 6] if name < "c" else [*[None] * 6, *column]
    for name, column in FOUR.items()
}
RATERS = pd.DataFrame(
    {"rater": [*THREE], **{item: row for item, *row in zip(ITEMS, *THREE.values(), strict=True)}}
)
COUNTED = pd.DataFrame(
    {"item": item, "label": label, "count": row.count(label)}
    for item, *row in zip(ITEMS, ANN, BEN, CID, strict=True)
    for label in dict.fromkeys(row)
)
COUNTS = pd.DataFrame(
    {label: [row.count(label) for row in zip(ANN, BEN, CID, strict=True)] for label in "xyz"},
    index=ITEMS,
)
#: Three judgments an item, in an order that may name rows, too.
TALLIES = [[7, 2, 1], [3, 3, 0], [9, 1, 2], [5, 0, 3]]


def of_counts(rows: Sequence[Sequence[int]]) -> float:
    """Compute α of how often each item got each label."""
    width = max(map(sum, rows))
    cells = [[k for k, n in enumerate(row) for _ in range(n)] for row in rows]
    padded = [[*row, *[None] * (width - len(row))] for row in cells]
    return alpha(dict(enumerate(zip(*padded, strict=True))))


SETS = {"ann": ["a|b", "a", "b", "a|b", "b"], "ben": ["b|a", "a", "a|b", "a", "b"]}
OF_SETS = alpha({name: [frozenset(x.split("|")) for x in column] for name, column in SETS.items()})
#: A mark of a missing judgment beside numbers, and beside words.
NINES = {"ann": [1, 2, 3, 99, 1, 2], "ben": [1, 2, 3, 2, 99, 1]}
GONE = {name: [None if x == 99 else x for x in column] for name, column in NINES.items()}
GROUPS = ["g", "g", "h", "h"] * 3
PARTS = [
    af.Annotations.from_wide({c: x[i::2] for c, x in THREE.items()}, items=ITEMS[i::2])
    for i in (0, 1)
]
#: More rows than are looked at, the first of which have each item once.
MANY = {"x": [*"xyxxyxyy"] * 320, "y": [*"yyxxyxyx"] * 320}
UNCERTAIN = pl.LazyFrame(
    {
        "id": [*range(2560)] * 2,
        "user": ["x"] * 2560 + ["y"] * 2560,
        "rating": [*MANY["x"], *MANY["y"]],
    }
)
TABLES = [part.patterns_to_arrow() for part in PARTS]
COUNTS_ONLY = af.concat(PARTS[:1], keep_items=False, keep_coders=False)
NO_Z = {name: [None if x == "z" else x for x in column] for name, column in THREE.items()}
TUPLES = [*LONG[["coder", "item", "label"]].itertuples(index=False, name=None)]
UNITS = pd.DataFrame(
    {"coder": [*"abab"], "start": [0, 1, 5, 5], "end": [3, 3, 9, 8], "category": [*"xyxx"]}
)
CONTINUUM = af.units.Continuum.from_frame(
    UNITS, coder="coder", start="start", end="end", category="category"
)
LAZY = pl.from_pandas(LONG).lazy()
TABLE = [[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1], [2, 1, 2], [3, 3, 3], [1, 1, 1], [2, 2, 2]]
LENGTHS = [11, 12, 13, 9, 11, 12, 13, 9]
NUMBERS = dict(zip(("ann", "ben", "cid"), zip(*TABLE, strict=True), strict=True))
LAZY_NUMBERS = pl.LazyFrame(
    {"item": i, "coder": coder, "label": x}
    for coder, column in NUMBERS.items()
    for i, x in enumerate(column)
)
TWICE = {"a": ["x", "x", *"yyzyyzyy"], "b": ["y", "y", *"yyzyxzyy"], "c": ["z", "z", *"yyzyyzxy"]}
WITH_LENGTHS = pd.DataFrame({**NUMBERS, "Kl": LENGTHS})
OFTEN = alpha({name: np.repeat(column, LENGTHS).tolist() for name, column in NUMBERS.items()})

PYTHON = [
    Case(
        "repeats that differ in a column",
        "af.alpha(frame)",
        [OF_ASPECTS, VALUE, VALUE, math.nan, VALUE],
        {"frame": ASPECTS},
    ),
    Case(
        "items of documents",
        "af.alpha(frame)",
        [OF_ASPECTS],
        {"frame": DOCUMENTS},
    ),
    Case(
        "items of documents of different coders",
        "af.alpha(frame)",
        [alpha(APART_FROM), alpha(FOUR)],
        {"frame": OF_FOUR},
    ),
    Case(
        "the document stands in its first row",
        "af.alpha(frame, item=['document', 'item'])",
        [OF_ASPECTS],
        {"frame": merged(DOCUMENTS, "document", 36)},
    ),
    Case(
        "the item stands in its first row",
        "af.alpha(frame)",
        [VALUE],
        {"frame": merged(LONG, "item", 3)},
    ),
    Case("raters as rows", "af.alpha(table)", [VALUE], {"table": RATERS}),
    Case(
        "rows that begin with the names of coders",
        "af.alpha(table)",
        [VALUE, None],
        {"table": RATERS.to_numpy().tolist()},
    ),
    Case(
        "a form: time, name, questions",
        "af.alpha(table)",
        [VALUE, None],
        {"table": RATERS.rename(columns={"rater": "Name"}).assign(Timestamp=["a", "b", "c"])},
    ),
    Case(
        "sets of two coders who write them in another order",
        "af.alpha(table)",
        [alpha(IN_ORDER), alpha(WRITTEN)],
        {"table": WRITTEN},
    ),
    Case("item, label, count", "af.alpha(table)", [VALUE], {"table": COUNTED}),
    Case(
        "the parts of a pandas frame",
        "af.alpha(data)",
        [VALUE],
        {"data": WIDE.drop(columns="item").to_dict("split")},
    ),
    Case(
        "places of columns with names",
        "af.Annotations.from_wide(table, coders=[1, 2])",
        [OF_TWO],
        {"table": WIDE},
    ),
    Case(
        "three lists",
        "af.alpha(first, second, third)",
        [VALUE],
        {"first": ANN, "second": BEN, "third": CID},
    ),
    Case("two distances", "af.alpha(data, 'linear', 'ordinal')", [None], {"data": TABLE}),
    Case(
        "numbers beyond the others",
        "af.alpha(table)",
        [alpha(NUMBERS), OFTEN],
        {"table": WITH_LENGTHS},
    ),
    Case(
        "proportions of two coders",
        "af.Annotations.from_contingency(table)",
        [OF_TWO],
        {"table": pd.crosstab(pd.Series(ANN), pd.Series(BEN)) / 12},
        ["12"],
    ),
    Case(
        "an array of counts whose first column may name the rows",
        "af.Annotations.from_counts(table)",
        [of_counts([row[1:] for row in TALLIES]), of_counts(TALLIES)],
        {"table": np.array(TALLIES)},
    ),
    Case(
        "a frame whose columns are called labels",
        "af.alpha(table)",
        [of_counts([row[1:] for row in TALLIES]), ...],
        {
            "table": pd.DataFrame(
                [row[1:] for row in TALLIES], columns=pd.Index([*"ab"], name="label")
            )
        },
    ),
    Case(
        "a frame of counts whose first column may name the rows",
        "af.Annotations.from_counts(table)",
        [of_counts([row[1:] for row in TALLIES]), of_counts(TALLIES)],
        {"table": pd.DataFrame(TALLIES, columns=["a", "b", "c"])},
    ),
    Case(
        "rows and columns of other names",
        "af.alpha(table, layout='contingency')",
        [OF_TWO],
        {"table": pd.crosstab(pd.Series(ANN), pd.Series(BEN)).set_axis([*"pqr"])},
    ),
    Case(
        "a column that is the sum of others, without the name of one",
        "af.Annotations.from_counts(table)",
        [of_counts([[*row, sum(row)] for row in COUNTS.to_numpy().tolist()])],
        {"table": COUNTS.assign(w=COUNTS.sum(axis=1))},
    ),
    Case(
        "columns that may be counts",
        "af.alpha(table)",
        [VALUE, alpha(COUNTS.to_dict("list")), VALUE, alpha(COUNTS.to_dict("list"))],
        {"table": COUNTS.reset_index(drop=True)},
    ),
    Case(
        "pairs of items and labels",
        "af.alpha(first, second)",
        [alpha({"a": "xyx", "b": "xyy"}), alpha({"a": "axbycx", "b": "byaxcy"})],
        {
            "first": [("a", "x"), ("b", "y"), ("c", "x")],
            "second": [("b", "y"), ("a", "x"), ("c", "y")],
        },
    ),
    Case(
        "names of coders by place",
        "af.alpha(table, 'ann', 'ben')",
        [OF_TWO],
        {"table": WIDE},
    ),
    Case(
        "variables of coders in two levels",
        "af.alpha(frame)",
        [VALUE],
        {
            "frame": pd.concat(
                {"tone": WIDE.drop(columns="item"), "topic": WIDE.drop(columns="item")}, axis=1
            )
        },
    ),
    Case(
        "variables of coders in one level",
        "af.alpha(table)",
        [VALUE],
        {
            "table": pd.DataFrame(
                {
                    f"{coder}_{of}": [f"{of[0]}{x}" for x in column]
                    for coder, column in THREE.items()
                    for of in ("tone", "topic")
                }
            )
        },
    ),
    Case(
        "groups of a frame",
        "af.alpha(data)",
        [None],
        {"data": LONG.assign(part=GROUPS * 3).groupby("part")},
        then={"data": LONG.assign(part=GROUPS * 3)},
    ),
    Case(
        "an order of words, pandas",
        "af.Annotations.from_frame(frame, order='when', duplicates='last')",
        [VALUE],
        {"frame": LONG.assign(when=["before", "after"] * 18)},
    ),
    Case(
        "an order of words, polars",
        "af.Annotations.from_frame(frame, order='when', duplicates='last')",
        [VALUE],
        {"frame": pl.from_pandas(LONG.assign(when=["before", "after"] * 18))},
    ),
    Case(
        "patterns in files",
        "af.concat(paths, keep_items=False)",
        [VALUE],
        {"paths": ["parts/0.parquet", "parts/1.parquet"]},
    ),
    Case(
        "parts without who said what, added up",
        "af.concat(parts, keep_items=False)",
        [VALUE],
        {"parts": [COUNTS_ONLY, PARTS[1]]},
    ),
    Case(
        "parts with and without who said what",
        "af.concat(parts, keep_items=False)",
        [VALUE],
        {"parts": [PARTS[1], COUNTS_ONLY]},
    ),
    Case(
        "one part",
        "af.concat(monday)",
        [VALUE],
        {"monday": PARTS[0], "tuesday": PARTS[1]},
    ),
    Case("coders go with items", "af.concat(parts, keep_coders=False)", [VALUE], {"parts": PARTS}),
    Case(
        "counts among parts that keep items",
        "af.concat(parts)",
        [VALUE],
        {"parts": [COUNTS_ONLY, PARTS[1]]},
    ),
    Case(
        "categories in a set",
        "af.alpha(table, categories={'x', 'y', 'z'})",
        [VALUE],
        {"table": WIDE},
    ),
    Case(
        "categories in a text",
        "af.alpha(table, categories='x,y, z')",
        [VALUE],
        {"table": WIDE},
    ),
    Case(
        "a label that is not declared",
        "af.alpha(table, categories=['x', 'y'])",
        [alpha(NO_Z)],
        {"table": WIDE},
    ),
    Case(
        "labels that look like sets",
        "af.Annotations.from_wide(table)",
        [OF_SETS],
        {"table": pd.DataFrame(SETS)},
    ),
    Case(
        "a number beyond a scale",
        "af.alpha(table)",
        [alpha(GONE), alpha(NINES)],
        {"table": pd.DataFrame(NINES)},
    ),
    Case(
        "a text that means nothing",
        "af.alpha(table)",
        [
            alpha(NO_Z),
            VALUE,
        ],
        {"table": WIDE.replace("z", "NA")},
    ),
    Case(
        "a header above two lists",
        "af.alpha(first, second)",
        [OF_TWO],
        {"first": ["ann", *ANN], "second": ["ben", *BEN]},
    ),
    Case(
        "two lists without a common label",
        "af.kappa(first, second)",
        [0.0],
        {"first": [*"xyxyxyxy"], "second": [*"ababbaba"]},
        ["*'xyab'"],
    ),
    Case(
        "a header in the first row",
        "af.alpha(table)",
        [VALUE, None],
        {"table": [[*THREE], *zip(*THREE.values(), strict=True)]},
    ),
    Case(
        "a header in the first row, with items",
        "af.alpha(table)",
        [VALUE, None],
        {"table": [["item", *THREE], *zip(ITEMS, *THREE.values(), strict=True)]},
    ),
    Case(
        "rows of coder, item, label",
        "af.alpha(triples)",
        [VALUE, VALUE],
        {"triples": LONG[["coder", "item", "label"]].to_numpy().tolist()},
    ),
    Case(
        "rows of item, coder, label",
        "af.alpha(rows)",
        [VALUE],
        {"rows": LONG.to_numpy().tolist()},
    ),
    Case(
        "triples in another order",
        "af.Annotations.from_triples(rows)",
        [VALUE, None],
        {"rows": LONG.to_numpy().tolist()},
    ),
    Case(
        "one judgment a row in a wide table",
        "af.Annotations.from_wide(frame)",
        [VALUE],
        {"frame": LONG},
    ),
    Case(
        "a gold standard among the coders",
        "af.alpha(frame)",
        [OF_TWO, VALUE],
        {"frame": LONG.replace("cid", "gold")},
    ),
    Case("a rejected judgment", "af.alpha(frame)", [OF_VALID, VALUE], {"frame": REVIEWED}),
    Case("a flag where it applies", "af.alpha(frame)", [OF_VALID, VALUE], {"frame": FLAGGED}),
    Case("columns of units", "af.alpha(frame)", [None, None], {"frame": UNITS}, ["'start'"]),
    Case(
        "mappings of mappings",
        "af.alpha(data)",
        [VALUE, None],
        {"data": WIDE.set_index("item").to_dict()},
    ),
    Case(
        "rows by item",
        "af.alpha(data)",
        [None, VALUE],
        {"data": WIDE.set_index("item").to_dict("index")},
    ),
    Case("the path of a file", "af.Annotations.from_wide('wide.csv')", [VALUE]),
    Case(
        "groups by place beside an index",
        "af.agreement_by_group(table, by=by)",
        [None],
        {"table": WIDE.set_index("item"), "by": pd.Series(GROUPS)},
    ),
    Case(
        "weights by place beside names",
        "af.Annotations.from_wide(table, weights=weights)",
        [VALUE],
        {"table": WIDE.set_index("item"), "weights": pd.Series([1] * 12, index=range(5, 17))},
    ),
    Case(
        "questions as columns, a coder in each row",
        "af.alpha(table)",
        [VALUE, alpha(OF_QUESTIONS)],
        {"table": pd.DataFrame({"rater": [*THREE], **OF_QUESTIONS})},
    ),
    Case(
        "questions as columns alone",
        "af.alpha(table)",
        [VALUE, alpha(OF_QUESTIONS)],
        {"table": pd.DataFrame(OF_QUESTIONS)},
    ),
    Case(
        "counted pairs of labels in a Series",
        "af.alpha(frame)",
        [OF_TWO, None],
        {"frame": WIDE[["ann", "ben"]].value_counts()},
    ),
    Case(
        "counted labels of items in a frame",
        "af.alpha(frame)",
        [..., VALUE, None],
        {"frame": LONG.groupby(["item", "label"]).size().to_frame("k")},
    ),
    Case(
        "counted pairs of numbers",
        "af.alpha(table)",
        [None, OF_PAIRS, None, None],
        {"table": PAIRS_OF_NUMBERS, "frame": PAIRS_OF_NUMBERS},
    ),
    Case(
        "holes in a contingency table",
        "af.Annotations.from_contingency(table)",
        [alpha({"ann": "xyyzzz", "ben": "xyzzzz"})],
        {
            "table": pd.DataFrame(
                [[1, None, None], [None, 1, 1], [None, None, 3]], [*"xyz"], [*"xyz"]
            )
        },
    ),
    Case(
        "counts of items as a contingency table",
        "af.kappa(table, layout='contingency')",
        [VALUE],
        {"table": pd.crosstab(NUMBERED["item"], NUMBERED["label"])},
    ),
    Case(
        "criteria",
        "af.alpha(table)",
        [alpha(dict(enumerate(OF_QUESTIONS.values()))), VALUE],
        {"table": pd.DataFrame(OF_CRITERIA)},
    ),
    Case(
        "an index of item and coder that says neither",
        "af.alpha(frame)",
        [VALUE],
        {"frame": LONG.set_index(["item", "coder"]).rename_axis([None, None])},
    ),
    Case(
        "triples as tuples",
        "af.alpha(rows)",
        [VALUE, None, None, None],
        {"rows": TUPLES, "data": TUPLES},
    ),
    Case(
        "labels of another name vary",
        "af.alpha(frame)",
        [VALUE, None],
        {"frame": LONG.assign(rating=LONG["label"], label=LONG["item"])},
    ),
    Case(
        "options of reading for annotations",
        "af.alpha(data, missing=['z'])",
        [alpha(NO_Z)],
        {"data": PARTS[0], "PATH": "wide.csv"},
    ),
    Case(
        "a column that was not read along",
        "af.bootstrap(data, 'alpha', cluster='lang', n_resamples=50, rng=1)",
        [None],
        {
            "data": PARTS[0],
            "frame": pd.DataFrame({"lang": [i % 3 for i in range(PARTS[0].n_items)]}),
        },
    ),
    Case(
        "sums of numbers have no labels",
        "af.Annotations.from_frame(frame, way='moments').categories",
        [None, None],
        {"frame": LAZY.with_columns(label=pl.lit(1))},
    ),
    Case(
        "no order of repeats in an engine",
        "af.Annotations.from_frame(frame, order='when', duplicates='first', way='patterns')",
        [VALUE],
        {"frame": LAZY.with_columns(when=pl.lit(None, pl.Int64))},
    ),
    Case(
        "sets in an engine",
        "af.Annotations.from_frame(frame, duplicates='set', way='patterns')",
        [VALUE],
        {"frame": LAZY},
    ),
    Case(
        "lists in an engine",
        "af.Annotations.from_frame(frame, way='patterns')",
        [VALUE],
        {"frame": LAZY.with_columns(pl.concat_list("label").alias("label"))},
    ),
    Case(
        "categories of sums of numbers",
        "af.Annotations.from_frame(frame, way='moments', categories=[1, 2, 3])",
        [alpha(NUMBERS)],
        {"frame": LAZY_NUMBERS},
    ),
    Case(
        "sums of texts",
        "af.Annotations.from_frame(frame, way='moments')",
        [VALUE, VALUE],
        {"frame": LAZY},
    ),
    Case(
        "columns beside sums of numbers",
        "af.Annotations.from_frame(frame, way='moments', along='item')",
        [alpha(NUMBERS)],
        {"frame": LAZY_NUMBERS},
    ),
    Case(
        "items of several rows in an engine",
        "af.Annotations.from_wide(frame, items='item', coders=['coder', 'label'])",
        [VALUE],
        {"frame": LAZY},
        ["'coder'", "'label'"],
    ),
    Case(
        "patterns in several tables",
        "af.Annotations.from_patterns(table)",
        [VALUE],
        {"table": pa.concat_tables(TABLES), "tables": TABLES},
    ),
    Case(
        "patterns in a folder",
        "af.Annotations.read_patterns(folder)",
        [VALUE],
        {"folder": "parts"},
    ),
    Case(
        "units",
        "af.Annotations.from_wide(continuum)",
        [None, None],
        {"continuum": CONTINUUM},
    ),
    Case(
        "a frame for a column",
        "af.Annotations.from_long(items=frame, coders=frame['coder'], labels=frame['label'])",
        [VALUE],
        {"frame": LONG, "name": "item"},
    ),
    Case(
        "columns by their places",
        "af.alpha(data, 'item', 'coder', 'label')",
        [VALUE],
        {"data": LONG},
    ),
    Case("a coefficient that is a function", "data.kappa", [None], {"data": PARTS[0]}),
    Case(
        "rows for several items",
        "data.beside([1, 2], 'by')",
        [VALUE],
        {"data": af.concat(PARTS, keep_items=False), "frame": LONG},
        ["'item'"],
    ),
    Case(
        "judgments again",
        "data.with_judgments(['t0'], ['ann'], ['y'])",
        [alpha({**THREE, "ann": ANN}), None],
        {"data": af.Annotations.from_long(LONG["item"], LONG["coder"], LONG["label"])},
    ),
    Case(
        "a lazy frame whose first rows may be items or judgments",
        "af.alpha(frame)",
        [
            alpha(MANY),
            alpha({"user": ["x"] * 2560 + ["y"] * 2560, "rating": [*MANY["x"], *MANY["y"]]}),
        ],
        {"frame": UNCERTAIN},
        ["'user', 'rating'"],
    ),
    *(
        Case(f"JSON of pandas by {orient}", f"af.read('{orient}.json')", values)
        for orient, values in (
            ("split", [VALUE]),
            ("table", [VALUE]),
            ("lists", [VALUE]),
            ("columns", [VALUE, ...]),
            ("index", [..., VALUE]),
        )
    ),
    Case(
        "a header of two rows",
        "af.alpha(table)",
        [VALUE, ...],
        {
            "table": pd.DataFrame(
                [("item", *THREE), *zip(ITEMS, *THREE.values(), strict=True)],
                columns=["item", "tone", "Unnamed: 2", "Unnamed: 3"],
            )
        },
    ),
]

FORM = RATERS.rename(columns={"rater": "Name"}).assign(Timestamp=["a", "b", "c"])
TOTALS = pd.concat([WIDE, pd.DataFrame([["Total", 4, 5, 3]], columns=WIDE.columns)])
RETESTED = pd.concat([LONG.assign(run=1), LONG.assign(run=2)], ignore_index=True)
AGAIN = af.alpha(
    RETESTED.assign(item=RETESTED["item"] + "/" + RETESTED["run"].astype(str)).drop(columns="run")
).value

SINGLE = {name: [frozenset([x]) for x in column] for name, column in THREE.items()}


def below_merged(path: str) -> None:
    """Write the usual table below a row of merged cells."""
    book = openpyxl.Workbook()
    for row in (("", "tones", "", ""), tuple(WIDE), *WIDE.itertuples(index=False, name=None)):
        book.active.append(row)
    book.active.merge_cells("B1:D1")
    book.save(path)


SHELL = [
    Case(
        "repeats in a file",
        "report t.csv",
        [AGAIN, VALUE, VALUE, VALUE, VALUE],
        {"t.csv": RETESTED},
    ),
    Case(
        "numbers beyond the others in a file",
        "report t.csv",
        [alpha(NUMBERS), OFTEN, None],
        {"t.csv": WITH_LENGTHS},
    ),
    Case(
        "questions as columns, in the shell",
        "report q.csv",
        [alpha(OF_QUESTIONS)],
        {"q.csv": pd.DataFrame({"teacher": [*THREE], **OF_QUESTIONS})},
    ),
    Case("a total in a file", "report t.csv", [VALUE], {"t.csv": TOTALS}),
    Case(
        "a repeated header",
        "report t.csv --layout wide",
        [VALUE, ...],
        {"t.csv": pd.concat([WIDE.columns.to_frame().T, WIDE])},
    ),
    Case(
        "no header, and the first row twice",
        "report t.csv --layout wide",
        [..., alpha(TWICE)],
        {"t.csv": [*zip(*TWICE.values(), strict=True)]},
    ),
    Case("a rejected judgment in a file", "report t.csv", [OF_VALID, VALUE], {"t.csv": REVIEWED}),
    Case(
        "a flag where it applies in a file", "report t.csv", [OF_VALID, VALUE], {"t.csv": FLAGGED}
    ),
    Case(
        "a gold standard in a file",
        "report t.csv",
        [OF_TWO, VALUE],
        {"t.csv": LONG.replace("cid", "gold")},
    ),
    Case(
        "columns of a file that may be counts",
        "report t.csv",
        [VALUE, alpha(COUNTS.to_dict("list"))],
        {"t.csv": COUNTS},
    ),
    Case(
        "item, label, count in a file",
        "report t.csv --layout wide",
        [VALUE],
        {"t.csv": COUNTED},
        then={"t.csv": COUNTS.reset_index()},
    ),
    Case(
        "a header, said to be none",
        "report t.csv --no-header --layout wide",
        [VALUE, alpha({name: [name, *column] for name, column in THREE.items()})],
        {"t.csv": WIDE.drop(columns="item")},
    ),
    Case(
        "numbers under names without a header",
        "report t.csv --no-header --layout wide",
        [alpha(NUMBERS)],
        {"t.csv": pd.DataFrame(NUMBERS)},
    ),
    Case(
        "a first row of labels",
        "report t.csv --layout wide",
        [VALUE],
        {"t.csv": pd.DataFrame(THREE).set_axis([*"xyz"], axis=1)},
        then={"t.csv": [*zip(*THREE.values(), strict=True)]},
    ),
    Case(
        "a question mark beside numbers",
        "report t.csv --layout wide",
        [alpha(GONE), alpha(NINES)],
        {"t.csv": pd.DataFrame(NINES).astype(str).replace("99", "?")},
    ),
    Case(
        "a point beside numbers",
        "report t.csv --layout wide",
        [alpha(GONE), alpha(NINES)],
        {"t.csv": pd.DataFrame(NINES).astype(str).replace("99", ".")},
    ),
    Case(
        "a mark of nothing in a file",
        "report t.csv --layout wide",
        [alpha(NO_Z), VALUE],
        {"t.csv": WIDE.replace("z", "n/a")},
    ),
    Case(
        "sets in a file",
        "report t.csv --layout wide",
        [OF_SETS],
        {"t.csv": pd.DataFrame(SETS)},
    ),
    Case(
        "one judgment a row, said to be wide",
        "report t.csv --layout wide",
        [VALUE, ...],
        {"t.csv": LONG},
    ),
    Case(
        "not UTF-8",
        "report t.csv --layout wide",
        [VALUE],
        {"t.csv": WIDE.replace("z", "ä").to_csv(index=False).encode("cp1252")},
    ),
    Case(
        "another encoding",
        "report t.csv --layout wide --encoding utf-16",
        [VALUE, VALUE, VALUE],
        {"t.csv": WIDE.to_csv(index=False)},
    ),
    Case(
        "a text without quotes",
        "report t.csv --where 'coder <> cid'",
        [OF_TWO],
        {"t.csv": LONG},
    ),
    Case(
        "items of documents in a file",
        "report t.csv",
        [OF_ASPECTS],
        {"t.csv": DOCUMENTS},
    ),
    Case(
        "merged items in a file",
        "report t.csv",
        [...],
        {"t.csv": merged(LONG, "item", 3)},
    ),
    Case(
        "a row without an item",
        "report t.csv",
        [alpha(without(THREE, 9))],
        {"t.csv": LONG.replace("t9", None)},
    ),
    Case(
        "a column without a name",
        "report t.csv --layout wide",
        [..., OF_TWO],
        {"t.csv": WIDE.rename(columns={"cid": ""})},
    ),
    Case(
        "items of the same names in folders",
        "report day=1/t.csv day=2/t.csv",
        [alpha({c: [*x, *x] for c, x in THREE.items()}), VALUE, VALUE, VALUE, VALUE],
        {"day=1/t.csv": LONG, "day=2/t.csv": LONG},
    ),
    Case(
        "items of the same names in folders of coders",
        "report day=1/t.csv day=2/t.csv",
        [OF_TWO],
        {"day=1/t.csv": LONG[LONG["coder"] != "cid"], "day=2/t.csv": LONG[LONG["coder"] == "cid"]},
    ),
    Case(
        "UTF-16 without its mark",
        "report t.csv --layout wide",
        [VALUE],
        {"t.csv": WIDE.to_csv(index=False).encode("utf-16-le")},
    ),
    Case(
        "dates as labels",
        "report t.csv",
        [VALUE],
        {"t.csv": LONG.replace({"x": "2024-01-01", "y": "2024-01-02", "z": "2024-01-03"})},
    ),
    Case(
        "several columns of coders",
        "report t.csv --coder ann,ben",
        [OF_TWO, ...],
        {"t.csv": WIDE.rename(columns={"cid": "label"})},
    ),
    Case(
        "two options for coders",
        "report t.csv --coder ann --coder ben",
        [OF_TWO],
        {"t.csv": WIDE},
    ),
    Case(
        "a file for each coder",
        "report ann.csv ben.csv",
        [OF_TWO],
        {f"{name}.csv": table for name, table in OF_CODERS.items()},
    ),
    Case(
        "a folder for each coder",
        "report ann/t.csv ben/t.csv --coder-from file",
        [OF_TWO],
        {f"{name}/t.csv": table for name, table in OF_CODERS.items()},
    ),
    Case(
        "numbers without a header",
        "report t.csv --layout wide",
        [alpha(NUMBERS)],
        {"t.csv": TABLE},
    ),
    Case(
        "sets that lack a label",
        "report t.csv --duplicates set",
        [alpha({**SINGLE, "cid": [frozenset(), *SINGLE["cid"][1:]]})],
        {"t.csv": LONG[(LONG["coder"] != "cid") | (LONG["item"] != "t0")]},
    ),
    Case(
        "sets that are none",
        "report t.csv --count-empty",
        [alpha({**SINGLE, "cid": [frozenset(), *SINGLE["cid"][1:]]})],
        {"t.csv": LONG[(LONG["coder"] != "cid") | (LONG["item"] != "t0")]},
    ),
    Case(
        "merged cells of a header",
        "report t.xlsx --layout wide",
        [VALUE],
        {"t.xlsx": below_merged},
    ),
    Case(
        "lines above the header",
        "report t.csv --layout wide",
        [VALUE],
        {"t.csv": "Study of tones\n\n" + WIDE.to_csv(index=False)},
    ),
    Case(
        "a second header",
        "report t.csv",
        [None],
        {"t.csv": [("tone", "tone"), ("ann", "ben"), *zip(ANN, BEN, strict=True)]},
    ),
    Case(
        "NA beside numbers",
        "report t.csv --layout wide",
        [alpha(NINES)],
        {"t.csv": pd.DataFrame(NINES).astype(str).replace("99", "NA")},
    ),
    Case(
        "a wide file whose columns have no names of roles",
        "report t.csv --layout long",
        [None],
        {"t.csv": WIDE},
    ),
    Case(
        "columns of two types",
        "report t.parquet --layout wide",
        [alpha({name: NUMBERS[name] for name in ("ann", "cid")})],
        {
            "t.parquet": pd.DataFrame(
                {**NUMBERS, "ben": [str(x) for x in NUMBERS["ben"]]}
            ).to_parquet
        },
    ),
    Case(
        "item, label, count in a file of no known layout",
        "report t.csv",
        [VALUE],
        {"t.csv": COUNTED},
        then={"t.csv": COUNTS.reset_index()},
    ),
]

#: Where messages of reading are written; `tests/files/exports` has those of the exports of tools.
ROOMS = (
    "annotations.py",
    "reading",
    "cli/reading.py",
    "cli/repeats.py",
    *(f"files/{path.name}" for path in sorted((PACKAGE / "files").glob("*.py"))),
)

#: Texts that propose code which no case above provokes, by a part of them, and why.
APART = {
    "frame.explode(columns, ignore_index=True)": "tests/reading/test_sequences.py runs it",
    "spread them, as frame = frame.explode(": "tests/reading/test_sequences.py runs it",
    "upgrade polars to 1.38": "an older polars than that which is tested",
    "which every engine computes": "an engine that cannot give rows: tests/reading/engines",
    "filter the frame and read a part": "a gigabyte of patterns: tests/reading/engines",
    "or leave it out": "more rows than are fetched: tests/reading/engines",
    "declare all of them by categories=": "tests/diagnostics/test_gold_forms.py has it",
    "coder_counts=...) and pass keep_coders=": "counts that a table does not hold",
    "read it with af.Annotations.from_frame(frame, along=": "tests/reading/test_along.py runs it",
    "write list(rows) if each row maps": "tests/reading/test_shapes.py runs it",
    "columns seem to be divided by": "tests/files/test_files.py runs it",
    "for all pieces": "pieces of an engine, whose parts `concat` refuses first",
    "(to_numpy())": "a method of the caller's own Series, which has no name here",
    "The table was read as one judgment per row": "a note of a traceback",
    "are too many to fill with empty sets": "more cells than memory",
    "looks like a header, for its words never": "column numbers that a header then renames",
    "sql('FROM judgments')": "a database, of which only the user knows the table",
    "reement on the first is af.kappa(": "tests/inference/test_unnamed_items.py runs it",
    "as sets af.Annotations.from_indicators(": "tests/inference/test_unnamed_items.py runs it",
    "columns are named as in --coder A,B": "tests/cli/test_wrong_guesses.py",
    "put each file into a folder of its own": "tests/files/test_lakes.py moves the files",
    "zip archive": "a file of another tool, whose name only the user knows",
    "pass --sheet with the name of one": "a name to choose: tests/files/test_spreadsheets.py",
    "pass --value-codes": "files of SPSS and Stata: tests/files/test_statistics_files.py",
    "--empty-set goes with": "a name of an option, without a value",
    "pass table.to_numpy()": "tests/reading/test_count_tables.py runs it",
    "pass --exclude with its name": "tests/cli/test_counts.py runs it",
    "a decimal comma": "tests/files/test_decimal_commas.py runs it",
    "array.tolist() if they are lists": "tests/reading/test_kinds_of_tables.py runs it",
    "pass --no-header if the first line is data": "tests/files/test_rows.py runs it",
    "--layout wide means one row per item": "needs another table, which no option makes",
}

MODULES = {
    "Path": Path,
    "af": af,
    "itertools": itertools,
    "np": np,
    "pandas": pd,
    "pd": pd,
    "pl": pl,
}


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Work in a folder with the usual table, and the patterns of its parts."""
    folder = tmp_path_factory.mktemp("remedies")
    WIDE.to_csv(folder / "wide.csv", index=False)
    (folder / "parts").mkdir()
    for i, part in enumerate(PARTS):
        part.write_patterns(folder / "parts" / f"{i}.parquet")
    for orient in ("split", "table", "columns", "index"):
        pd.DataFrame(THREE, index=ITEMS).to_json(folder / f"{orient}.json", orient=orient)
    (folder / "lists.json").write_text(json.dumps(THREE))
    with contextlib.chdir(folder):
        yield


# ---------------------------------------------------------------- Python


def asked(code: str, names: dict[str, Any]) -> Any:
    """Evaluate an expression, or run assignments, and return the value of the last line."""
    *before, last = ast.parse(code).body
    exec(compile(ast.Module(before, []), "before", "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "last", "eval"), names)


def message_of(ask: str, names: dict[str, Any]) -> tuple[str, str]:
    """Return the message of what refuses, and its remedy, or else all warnings twice."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            asked(ask, names)
        except (AgreementError, AttributeError) as error:
            return str(error), getattr(error, "remedy", None) or str(error)
    assert caught, f"{ask} says nothing"
    every = "\n".join(str(warning.message) for warning in caught)
    return every, every


def followed(ask: str, names: dict[str, Any], code: str) -> Any:
    """Do what is proposed: pass keywords, run an assignment and ask again, or take a value."""
    if re.match(r"[a-z]\w*=(?!=)", code):
        call = whole = ast.parse(ask, mode="eval").body
        more = ast.parse(f"f({code})", mode="eval").body
        while isinstance(call, ast.Attribute):
            call = call.value
        assert isinstance(call, ast.Call)
        assert isinstance(more, ast.Call)
        known = {keyword.arg for keyword in more.keywords}
        named = {ast.unparse(node) for word in more.keywords for node in ast.walk(word.value)}
        call.args = [*call.args[:1], *(x for x in call.args[1:] if ast.unparse(x) not in named)]
        call.keywords = [keyword for keyword in call.keywords if keyword.arg not in known]
        call.keywords += more.keywords
        return asked(ast.unparse(whole), names)
    if array := ARRAY.fullmatch(code):
        code = f"{array[1]} = {code}"
    if isinstance(ast.parse(code).body[-1], ast.Assign):
        return asked(f"{code}\n{ask}", names)
    return asked(code, names)


def value_of(result: Any, distance: str) -> float:
    """Return α of what a proposal returns: a value, annotations, or two lists of labels."""
    if isinstance(result, float):
        return float(result)
    if isinstance(result, tuple):
        return float(af.alpha(*result, distance))
    return float(af.alpha(result, distance))


def scope_of(case: Case) -> dict[str, Any]:
    """Return the names of a case, unchanged by what was done with them before."""
    return {**MODULES, **copy.deepcopy(dict(case.names))}


@functools.cache
def message_in_python(name: str) -> tuple[str, str]:
    """Return the message that a case in Python provokes."""
    case = next(case for case in PYTHON if case.name == name)
    return message_of(case.ask, scope_of(case))


def all_messages() -> list[str]:
    """Return the messages of all cases."""
    return [
        *(message_in_python(case.name)[0] for case in PYTHON),
        *(message_in_shell(case.name) for case in SHELL),
    ]


# ---------------------------------------------------------------- the shell


def written(files: Mapping[str, Any]) -> None:
    """Write files from frames, rows without a header, or texts."""
    for name, table in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        if callable(table):
            table(name)
        elif isinstance(table, str | bytes):
            Path(name).write_bytes(table.encode() if isinstance(table, str) else table)
        else:
            named = isinstance(table, pd.DataFrame)
            pd.DataFrame(table).to_csv(name, index=False, header=named)


def answer_to(argv: Sequence[str]) -> tuple[str, Any]:
    """Return what the command says: how it refuses, or its notes, and its document."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        main([*argv, "--json"])
    if err.getvalue():
        return err.getvalue().removeprefix("agreement-fast: "), None
    document = json.loads(out.getvalue())
    return "\n".join(document["source"]["notes"]), document


@functools.cache
def message_in_shell(name: str) -> str:
    """Return the message that a case in the shell provokes."""
    case = next(case for case in SHELL if case.name == name)
    written(case.names)
    return answer_to(shlex.split(case.ask))[0]


def alpha_in(document: Any, distance: str) -> float:
    """Return α of a document."""
    (value,) = {
        cell["value"]
        for cell in document["reports"][0]["table"]
        if (cell["coefficient"], cell["distance"]) == ("alpha", distance)
    }
    return math.nan if value is None else float(value)


@pytest.mark.parametrize("case", SHELL, ids=lambda case: case.name)
def test_what_is_proposed_in_the_shell_runs(case: Case) -> None:
    proposals = in_shell(message_in_shell(case.name))
    assert len(proposals) == len(case.values), (proposals, message_in_shell(case.name))
    written({**case.names, **case.then})
    for words, value in zip(proposals, case.values, strict=True):
        argv = shlex.split(case.ask)
        if words[0] == "-":
            argv = " ".join(argv).replace(" ".join(words[1:]), "").split()
        else:
            argv += words
        message, document = answer_to(argv)
        assert document is not None or value is ..., (words, message)
        if value not in (None, ...):
            result = alpha_in(document, case.distance)
            assert result == pytest.approx(value, rel=1e-12, nan_ok=True), words


@pytest.mark.parametrize("case", PYTHON, ids=lambda case: case.name)
def test_what_is_proposed_in_python_runs(case: Case) -> None:
    proposals = in_python(message_in_python(case.name)[1])
    assert len(proposals) == len(case.values), (proposals, message_in_python(case.name))
    fill = itertools.cycle(case.fill)
    for code, value in zip(proposals, case.values, strict=True):
        apart = contextlib.suppress(AgreementError) if value is ... else contextlib.nullcontext()
        with apart, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            names = scope_of(case) | dict(case.then)
            result = followed(case.ask, names, re.sub(r"\.\.\.", lambda _: next(fill), code))
        if value not in (None, ...):
            at = value_of(result, case.distance)
            assert at == pytest.approx(value, rel=1e-12, nan_ok=True), code


@pytest.mark.sources
def test_every_proposal_has_a_case() -> None:
    every = all_messages()
    missed = [
        site
        for site in nonempty(list(sites(*ROOMS)))
        if not any(site.met_by(message) for message in every)
    ]
    known = {part: [site for site in missed if part in site.text] for part in APART}
    assert not [part for part, of in known.items() if not of], "met now, or gone"
    assert not [site for site in missed if not any(part in site.text for part in APART)]


def test_names_of_cases_differ() -> None:
    names = [case.name for case in (*PYTHON, *SHELL)]
    assert len(names) == len(set(names))
