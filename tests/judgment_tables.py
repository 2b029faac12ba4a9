"""Tables of judgments that engines and memory must read alike: one judgment per row, in Arrow."""

from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa

COLUMNS = {"item": "item", "coder": "coder", "label": "label"}


class Case(NamedTuple):
    """A table, and how `from_frame` is asked to read it."""

    table: pa.Table
    asked: dict[str, Any]


def table(items, coders, labels, kind=None, **more):
    """One judgment per row; `more` are further columns."""
    columns = {"item": pa.array(items), "coder": pa.array(coders), "label": pa.array(labels, kind)}
    return pa.table(columns | {name: as_arrow(values) for name, values in more.items()})


def as_arrow(values):
    return values if isinstance(values, pa.Array) else pa.array(values)


def drawn(labels, n_items=30, n_coders=3, missing=0.2, kind=None, seed=0):
    """A table of labels that chance chose: most coders judged most items."""
    random = Random(seed)
    rows = [
        (f"i{item}", f"c{coder}", None if random.random() < missing else random.choice(labels))
        for item in range(n_items)
        for coder in range(n_coders)
        if random.random() < 0.9
    ]
    random.shuffle(rows)
    return table(*map(list, zip(*rows, strict=True)), kind)


def of_items(frame, name, values):
    """A column that says one of `values` of each item."""
    items = frame["item"].to_pylist()
    said = dict.fromkeys(items)
    for place, item in enumerate(said):
        said[item] = values[place % len(values)]
    column = pa.array([said[item] for item in items], None if values else pa.int64())
    return frame.append_column(name, column)


def repeated(seed=1):
    """A table in which coders judge items up to three times, and `step` says in which order."""
    random = Random(seed)
    rows = [
        (f"i{item}", f"c{coder}", random.choice("xyz") if random.random() < 0.8 else None)
        for item in range(20)
        for coder in range(3)
        for _ in range(random.randint(0, 3))
    ]
    steps = random.sample(range(100, 100 + len(rows)), len(rows))
    return table(*map(list, zip(*rows, strict=True)), step=steps)


WHOLE = [-3, 0, 1, 2, 7]
DAYS = [date(2024, 2, 29), date(1969, 12, 31), date(2025, 1, 1)]
NAIVE = [datetime(2024, 2, 29, 12, 0, 0, 250000), datetime(1969, 12, 31), datetime(2025, 1, 1)]
ZONED = [moment.replace(tzinfo=UTC) for moment in NAIVE]
AMOUNTS = [Decimal("1.50"), Decimal("-2.25"), Decimal("10.00")]
TWINS = ["a", "A", "a ", " a", "", "ä", "Ä", "a\u0308", "ß", "SS", "😀", "\ufb01", "10", "9"]
QUOTES = [
    "it's",
    'say "x"',
    "back\\slash",
    "100%",
    "a;b--",
    "$1",
    "{x}",
    "new\nline",
    "tab\t",
    ":n",
]

#: By what is peculiar to it.
CASES = {
    "texts": Case(drawn(["x", "y", "z"]), {}),
    "whole numbers": Case(drawn(WHOLE), {}),
    "small numbers": Case(drawn(WHOLE, kind=pa.int8()), {}),
    "unsigned numbers": Case(drawn([0, 1, 255], kind=pa.uint8()), {}),
    "large numbers": Case(drawn([2**53, 2**53 + 1, -(2**62)]), {}),
    "floats": Case(drawn([0.5, -1.25, 0.1, 1e300]), {}),
    "whole floats": Case(drawn([1.0, 2.0, -4.0]), {}),
    "signed zeros and NaN": Case(drawn([0.0, -0.0, float("nan"), 1.0]), {}),
    "single floats": Case(drawn([0.5, -1.25, 0.75], kind=pa.float32()), {}),
    "truths": Case(drawn([True, False]), {}),
    "one truth": Case(drawn([True]), {}),
    "days": Case(drawn(DAYS), {}),
    "moments": Case(drawn(NAIVE, kind=pa.timestamp("us")), {}),
    "moments in a zone": Case(drawn(ZONED, kind=pa.timestamp("us", "UTC")), {}),
    "amounts": Case(drawn(AMOUNTS, kind=pa.decimal128(9, 2)), {}),
    "twins": Case(drawn(TWINS, n_items=80), {}),
    "quotes": Case(drawn(QUOTES, n_items=60), {}),
    "missing texts": Case(drawn(["x", "y", "NA", ""]), {"missing": ["NA", "", 3]}),
    "missing numbers": Case(drawn(WHOLE), {"missing": [-3, "x"]}),
    "missing floats": Case(drawn([0.5, -1.0, 2.0]), {"missing": -1}),
    "missing single floats": Case(
        drawn([0.5, -1.25, 0.75], kind=pa.float32()), {"missing": [0.1, -1.25]}
    ),
    "missing days": Case(drawn(DAYS), {"missing": DAYS[:1]}),
    "missing truths": Case(drawn([True, False]), {"missing": [False]}),
    "declared": Case(drawn(["x", "y"]), {"categories": ["z", "y", "x"]}),
    "declared numbers": Case(drawn([1, 2]), {"categories": [3, 2, 1, 0]}),
    "declared truths": Case(drawn([True, False]), {"categories": [True, False]}),
    "sets": Case(drawn(["a|b", "b | a", "", "c", "a"]), {"set_separator": "|"}),
    "dictionary": Case(
        (lambda t: t.set_column(2, "label", t["label"].dictionary_encode()))(drawn(["x", "y"])), {}
    ),
    "crowd": Case(drawn(["x", "y", "z"], n_items=40, n_coders=70, missing=0.95), {}),
    "crowd of numbers": Case(drawn(WHOLE, n_items=40, n_coders=70, missing=0.9), {}),
    "crowd of truths": Case(drawn([True, False], n_items=40, n_coders=70, missing=0.9), {}),
    "unpacked crowd": Case(drawn(list(range(30)), n_items=40, n_coders=66, missing=0.9), {}),
    "weights": Case(of_items(drawn(["x", "y"]), "w", [0, 1, 5, 10**15]), {"weights": "w"}),
    "weights of 32 bits": Case(
        of_items(drawn(["x", "y"]), "w", [2**31 - 1]).cast(
            pa.schema([(n, pa.string()) for n in COLUMNS] + [("w", pa.int32())])
        ),
        {"weights": "w"},
    ),
    "weights of 8 bits": Case(
        of_items(drawn(["x", "y"]), "w", [100, 101]).cast(
            pa.schema([(n, pa.string()) for n in COLUMNS] + [("w", pa.int8())])
        ),
        {"weights": "w"},
    ),
    "weights of floats": Case(of_items(drawn(["x", "y"]), "w", [0.0, 2.0, 3.0]), {"weights": "w"}),
    "along": Case(of_items(drawn(["x", "y"]), "doc", ["d1", "d2", "d3"]), {"along": "doc"}),
    "nothing along": Case(of_items(drawn(["x", "y"]), "doc", ["d1", None]), {"along": ["doc"]}),
    "two along": Case(
        of_items(of_items(drawn(["x", "y"]), "doc", ["d", "e"]), "day", [3, 1, 2]),
        {"along": ["doc", "day"]},
    ),
    "first": Case(repeated(), {"duplicates": "first", "order": "step"}),
    "last": Case(repeated(), {"duplicates": "last", "order": "step"}),
    "majority": Case(repeated(), {"duplicates": "majority"}),
    "majority of truths": Case(
        table(
            list("aaaaabbb"),
            list("xxxyyxxy"),
            [True, True, False, True, False] * 1 + [None, True, False],
        ),
        {"duplicates": "majority"},
    ),
    "majority with weights": Case(
        of_items(repeated(), "w", [0, 2, 3]), {"duplicates": "majority", "weights": "w"}
    ),
    "first along": Case(
        of_items(repeated(), "doc", ["d", "e"]),
        {"duplicates": "first", "order": "step", "along": "doc"},
    ),
    "several columns": Case(
        drawn(["x", "y"]).append_column(
            "part", pa.array([i % 2 for i in range(drawn(["x", "y"]).num_rows)])
        ),
        {"item": ["item", "part"], "coder": "coder", "label": "label"},
    ),
    "names that are numbers": Case(
        table([3, 3, 1, 1, 2], [10, 9, 10, 9, 10], ["x", "x", "y", "x", "y"]), {}
    ),
    "names that are days": Case(
        table(
            [DAYS[i] for i in (0, 0, 1, 1, 2)], [DAYS[i] for i in (0, 1, 0, 1, 0)], list("xxyxy")
        ),
        {},
    ),
    "names that are truths": Case(
        table([True, True, False, False], [True, False, True, False], list("xxyx")), {}
    ),
    "names that are twins": Case(
        table(
            ["a", "a", "A", "A", "a ", "a ", "b", "b"],
            ["c", "C", "c", "C", "c", "C", "c ", "d"],
            list("xyxxyxyy"),
        ),
        {},
    ),
    "an item without labels": Case(
        table(list("aabbc"), list("xyxyx"), ["p", "q", None, None, None]), {}
    ),
    "a coder without labels": Case(
        table(list("aabbbc"), list("xyxyzz"), ["p", "q", "p", "p", None, None]), {}
    ),
    "no labels": Case(table(list("aab"), list("xyx"), [None] * 3, pa.string()), {}),
    "no labels that are numbers": Case(table(list("aab"), list("xyx"), [None] * 3, pa.int64()), {}),
    "no labels that are floats": Case(
        table(list("aab"), list("xyx"), [float("nan")] * 3, pa.float64()), {}
    ),
    "no rows": Case(drawn(["x"]).slice(0, 0), {}),
    "no rows declared": Case(drawn(["x"]).slice(0, 0), {"categories": ["x", "y"]}),
    "one row": Case(table(["a"], ["x"], ["p"]), {}),
    "names of our own": Case(
        drawn(["x", "y"]).rename_columns(["af_coder", "af_item_0", "af_given"]),
        {"item": "af_coder", "coder": "af_item_0", "label": "af_given"},
    ),
    "our names in other letters": Case(
        drawn(["x", "y"]).rename_columns(["AF_LABEL", "AF_CODER", "Af_Item_0"]),
        {"item": "AF_LABEL", "coder": "AF_CODER", "label": "Af_Item_0"},
    ),
    "names with quotes": Case(
        drawn(["x", "y"]).rename_columns(["It\"em's", "the Coder", "läbel [y]"]),
        {"item": "It\"em's", "coder": "the Coder", "label": "läbel [y]"},
    ),
    "keywords": Case(
        drawn(["x", "y"]).rename_columns(["select", "group", "order"]),
        {"item": "select", "coder": "group", "label": "order"},
    ),
}


def weighing(weight, kind=None):
    """Items that weigh 2, but for one."""
    frame = drawn(["x", "y"])
    weights = [weight if item == "i3" else 2 for item in frame["item"].to_pylist()]
    return Case(frame.append_column("w", pa.array(weights, kind)), {"weights": "w"})


LARGE = drawn(["x"], n_items=15000, n_coders=1)
PLAIN = drawn(["x", "y"])
ONE_TO_N = PLAIN.append_column("n", pa.array(range(PLAIN.num_rows)))
WEIGHT = r"weight {} of item 'i3': a weight is how often an item occurred, a whole number"

#: What is refused, and what is said.
ERRORS = {
    "negative weights": (weighing(-1), WEIGHT.format("-1")),
    "fractional weights": (weighing(1.5, pa.float64()), WEIGHT.format("1.5")),
    "weights that are missing": (weighing(None, pa.int64()), WEIGHT.format("None")),
    "weights that are not finite": (weighing(float("inf"), pa.float64()), WEIGHT.format("inf")),
    "weights that are no numbers": (weighing(float("nan"), pa.float64()), WEIGHT.format("nan")),
    "large weights": (weighing(1e300, pa.float64()), r"weight 1e\+300 of item 'i3'"),
    "weights that differ": (
        Case(ONE_TO_N, {"weights": "n"}),
        "item 'i0' has different weights in different judgments",
    ),
    "too many items": (
        Case(LARGE.append_column("w", pa.array([10**15] * LARGE.num_rows)), {"weights": "w"}),
        "items cannot be counted in 64 bits",
    ),
    "no item": (Case(table(["a", None], ["x", "y"], ["p", "q"]), {}), "1 row has no item"),
    "no coder": (Case(table(["a", "b"], ["x", None], ["p", "q"]), {}), "1 row has no coder"),
    "an item that is no number": (
        Case(table([1.0, float("nan")], ["x", "y"], ["p", "q"]), {}),
        "1 row has no item",
    ),
    "repeats": (
        Case(repeated(), {}),
        r"44 judgments repeat a coder's judgment of an item \(coder 'c1', item 'i0'; "
        r"coder 'c0', item 'i1'; coder 'c2', item 'i1' \.\.\.\): pass duplicates=",
    ),
    "a repeat of truths": (
        Case(table([True, True, False], [True] * 3, ["p", "p", "p"]), {}),
        r"1 judgment repeats a coder's judgment of an item \(coder True, item True\)",
    ),
    "an undeclared label": (
        Case(PLAIN, {"categories": ["x", "z"]}),
        "label 'y' of column 'label' is not among the declared categories 'x', 'z'",
    ),
    "no column": (Case(PLAIN, {"label": "said"}), "label='said' is not a column"),
    "no column of weights": (Case(PLAIN, {"weights": "w"}), "weights='w' is not a column"),
    "no column along": (Case(PLAIN, {"along": "doc"}), "along='doc' is not a column"),
    "no order": (Case(repeated(), {"duplicates": "last"}), "which judgment came first"),
    "a tie": (
        Case(
            table(list("aa"), list("xx"), ["p", "q"], step=[1, 1]),
            {"duplicates": "first", "order": "step"},
        ),
        "1 judgment repeats .* and the same 'step', which does not say which came first",
    ),
    "an order that is missing": (
        Case(
            table(list("aab"), list("xxx"), ["p", "q", "p"], step=[1, 2, None]),
            {"duplicates": "last", "order": "step"},
        ),
        "1 judgment has no value in column 'step'",
    ),
    "contradictions along": (Case(ONE_TO_N, {"along": "n"}), "item 'i0' has .* in column 'n'"),
}
