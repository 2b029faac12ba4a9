"""Every remedy that a message of reading proposes runs, in Python or the shell, as it says.

A case asks what is refused or warned about. The code is taken from the message and run on the same
data; the value of each proposal is held against the reference on judgments written out by hand.
`test_every_proposal_has_a_case` reads the sources: a text that proposes code and that no case
provokes fails, unless `APART` says where it is tested, or why it cannot be provoked here.
"""

from __future__ import annotations

import ast
import copy
import functools
import itertools
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
import reference
from proposals import in_python

import agreement_fast as af
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
WIDE = pd.DataFrame({"item": ITEMS, **THREE})
LONG = pd.DataFrame(
    {"item": item, "coder": coder, "label": label}
    for coder, column in THREE.items()
    for item, label in zip(ITEMS, column, strict=True)
).sort_values("item", kind="stable", ignore_index=True)


class Case(NamedTuple):
    """What is asked, and what each proposal of the answer comes to.

    Attributes
    ----------
    name : str
        What is wrong.
    ask : str
        An expression of Python, or a command of the shell behind "$".
    values : sequence of float
        The values of the proposals, in their order; None for one that has no value here.
    names : mapping
        What Python calls the data, or the texts of files.
    fill : str
        What stands for "..." in a proposal.
    distance : str
        That of α of what is proposed.
    """

    name: str
    ask: str
    values: Sequence[float | None]
    names: Mapping[str, Any] = {}
    fill: str = "..."
    distance: str = "nominal"


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
TABLE = [[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1], [2, 1, 2], [3, 3, 3], [1, 1, 1], [2, 2, 2]]
LENGTHS = [11, 12, 13, 9, 11, 12, 13, 9]
NUMBERS = dict(zip(("ann", "ben", "cid"), zip(*TABLE, strict=True), strict=True))
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
    Case("item, label, count", "af.alpha(table)", [VALUE], {"table": COUNTED}),
    Case(
        "the parts of a pandas frame",
        "af.alpha(data)",
        [VALUE],
        {"data": WIDE.drop(columns="item").to_dict("split")},
    ),
    Case(
        "places of columns with names",
        "Annotations.from_wide(table, coders=[1, 2])",
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
        "Annotations.from_contingency(table)",
        [OF_TWO],
        {"table": pd.crosstab(pd.Series(ANN), pd.Series(BEN)) / 12},
        "12",
    ),
]

SHELL: list[Case] = []

#: Patterns of texts that propose code, which no case above provokes, and why.
APART: dict[str, str] = {}

MODULES = {
    "Annotations": af.Annotations,
    "Path": Path,
    "af": af,
    "concat": af.concat,
    "diagnostics": af.diagnostics,
    "itertools": itertools,
    "kappa": af.kappa,
    "np": np,
    "pandas": pd,
    "pd": pd,
    "pl": pl,
    "units": af.units,
}


# ---------------------------------------------------------------- Python


def asked(code: str, names: dict[str, Any]) -> Any:
    """Evaluate an expression, or run assignments, and return the value of the last line."""
    *before, last = ast.parse(code).body
    exec(compile(ast.Module(before, []), "before", "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "last", "eval"), names)


def message_of(ask: str, names: dict[str, Any]) -> str:
    """Return the remedy of what refuses, or else all warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            asked(ask, names)
        except AgreementError as error:
            return str(error) if error.remedy is None else error.remedy
    assert caught, f"{ask} says nothing"
    return "\n".join(str(warning.message) for warning in caught)


def followed(ask: str, names: dict[str, Any], code: str) -> Any:
    """Do what is proposed: pass keywords, run an assignment and ask again, or take a value."""
    if re.match(r"[a-z]\w*=(?!=)", code):
        call = ast.parse(ask, mode="eval").body
        more = ast.parse(f"f({code})", mode="eval").body
        assert isinstance(call, ast.Call)
        assert isinstance(more, ast.Call)
        known = {keyword.arg for keyword in more.keywords}
        call.keywords = [keyword for keyword in call.keywords if keyword.arg not in known]
        call.keywords += more.keywords
        return asked(ast.unparse(call), names)
    if isinstance(ast.parse(code).body[-1], ast.Assign):
        return asked(f"{code}\n{ask}", names)
    return asked(code, names)


def value_of(result: Any, distance: str) -> float:
    """Return α of whatever a proposal comes to."""
    if isinstance(result, float):
        return float(result)
    if isinstance(result, tuple):
        return float(af.alpha(*result, distance))
    return float(af.alpha(result, distance))


def scope_of(case: Case) -> dict[str, Any]:
    """Return the names of a case, unchanged by what was done with them before."""
    return {**MODULES, **copy.deepcopy(dict(case.names))}


@functools.cache
def said(name: str) -> str:
    """Return what a case of Python is told."""
    case = next(case for case in PYTHON if case.name == name)
    return message_of(case.ask, scope_of(case))


@pytest.mark.parametrize("case", PYTHON, ids=lambda case: case.name)
def test_what_is_proposed_in_python_runs(case: Case) -> None:
    proposals = in_python(said(case.name))
    assert len(proposals) == len(case.values), (proposals, said(case.name))
    for code, value in zip(proposals, case.values, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = followed(case.ask, scope_of(case), code.replace("...", case.fill))
        if value is not None:
            at = value_of(found, case.distance)
            assert at == pytest.approx(value, rel=1e-12, nan_ok=True), code


def test_names_of_cases_differ() -> None:
    names = [case.name for case in (*PYTHON, *SHELL)]
    assert len(names) == len(set(names))
