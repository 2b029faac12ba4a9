"""Tables with what must come of them at every door.

Each kind of table that once gave a wrong number without a word has rows here, beside its innocent
neighbours. What a table means is written as judgments, and `reference.py` computes the value of
these, exactly and without the package.

A new trap is a new row: ``kind: what is special``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import reference
from doors import Table

#: A judgment by item and coder.
Meaning = list[dict[Any, Any]]


class Outcome(NamedTuple):
    """What may come of a table.

    Attributes
    ----------
    meaning : Meaning or None
        The judgments, if the table is read; None if it must be refused.
    refused : tuple of str, or None
        What the refusal names, if the table may be refused. Every door that carries names must
        then do the same.
    warned : tuple of str
        What warnings must contain, if the table is read.
    quiet : bool
        Whether no warning may doubt the table; what was left out may be said.
    printed : str
        The value as it was published with the table, such as ".533"; empty if it was not.
    """

    meaning: Meaning | None
    refused: tuple[str, ...] | None = None
    warned: tuple[str, ...] = ()
    quiet: bool = False
    printed: str = ""

    def or_refused(self, *names: str) -> Outcome:
        """Allow that all doors refuse and name something."""
        return self._replace(refused=names, quiet=False)


def right(meaning: Meaning, printed: str = "") -> Outcome:
    """Read, and nothing is doubted."""
    return Outcome(meaning, quiet=True, printed=printed)


def refused(*names: str) -> Outcome:
    """Refuse, and name something."""
    return Outcome(None, names)


def warned(meaning: Meaning, *texts: str) -> Outcome:
    """Read, and warn of something."""
    return Outcome(meaning, warned=texts)


def value_of(table: Table) -> Fraction | None:
    """Compute what a table means, in rational arithmetic; None if that is undefined."""
    options = {}
    if table.keywords.get("categories") is not None:
        options["categories"] = list(table.keywords["categories"])
    meaning = [dict(item) for item in table.outcome.meaning]
    distance = getattr(reference, table.distance)
    return reference.agreement(meaning, table.coefficient, distance, **options).value


# ---------------------------------------------------------------- building tables


def people(columns: Mapping[Any, Iterable[Any]]) -> Meaning:
    """Read columns of coders; None is no judgment."""
    rows = zip(*columns.values(), strict=True)
    return [
        {name: cell for name, cell in zip(columns, row, strict=True) if cell is not None}
        for row in rows
    ]


def wide(name: str, columns: Mapping[Any, Sequence[Any]], outcome: Outcome, **more: Any) -> Table:
    """Make a table of a column a coder."""
    rows = tuple(zip(*columns.values(), strict=True))
    return Table(name, tuple(columns), rows, more.pop("layout", "wide"), outcome, **more)


def unnamed(
    name: str, rows: Iterable[Iterable[Any]], outcome: Outcome, layout: str = "wide", **more: Any
) -> Table:
    """Make a table without names."""
    return Table(name, None, tuple(map(tuple, rows)), layout, outcome, nameless=True, **more)


def judgments(meaning: Meaning, items: Sequence[Any] = ()) -> list[tuple[Any, Any, Any]]:
    """List items, coders and labels."""
    items = items or [f"s{i}" for i in range(1, len(meaning) + 1)]
    return [
        (item, coder, label)
        for item, labels in zip(items, meaning, strict=True)
        for coder, label in labels.items()
    ]


LONG = ("item", "coder", "label")


def long(
    name: str,
    rows: Sequence[tuple[Any, ...]],
    outcome: Outcome,
    header: tuple[str, ...] = LONG,
    **more: Any,
) -> Table:
    """Make a table of a judgment a row."""
    roles = more.pop("roles", header[:3])
    return Table(name, header, tuple(rows), "long", outcome, roles=roles, **more)


def counts_of(meaning: Meaning, categories: Sequence[Any]) -> list[list[int]]:
    """Count the labels of each item."""
    return [[[*item.values()].count(label) for label in categories] for item in meaning]


def of_counts(counts: Sequence[Sequence[int]], names: Sequence[Any] | None = None) -> Meaning:
    """Read counts of labels; coders of an item are numbered."""
    names = range(len(counts[0])) if names is None else names
    return [
        dict(enumerate(name for name, n in zip(names, row, strict=True) for _ in range(n)))
        for row in counts
    ]


def of_contingency(
    table: Sequence[Sequence[int]], rows: Sequence[Any], columns: Sequence[Any]
) -> Meaning:
    """Read a contingency table of two coders."""
    return [
        {"first": first, "second": second}
        for first, cells in zip(rows, table, strict=True)
        for second, n in zip(columns, cells, strict=True)
        for _ in range(n)
    ]


# ---------------------------------------------------------------- the judgments

PAIR = {"ann": list("ynny"), "bob": list("ynyy")}
WORDS = {
    "ann": list("ynyynynnyyny"),
    "bob": list("ynynnynyyyny"),
    "cid": list("ynnynynnyyyy"),
}
SCORES = {
    "ann": [1, 2, 3, 4, 5, 2, 3, 4, 1, 5, 4, 2, 3, 3],
    "bob": [1, 2, 3, 3, 5, 2, 4, 4, 2, 5, 4, 1, 3, 2],
    "cid": [2, 2, 3, 4, 4, 2, 3, 5, 1, 5, 3, 2, 3, 3],
}
N, M = len(WORDS["ann"]), len(SCORES["ann"])
ITEMS = [f"s{i}" for i in range(1, N + 1)]
NUMBERED = list(range(1, M + 1))
ROWS = judgments(people(WORDS))


def cycled(values: Iterable[Any], n: int) -> list[Any]:
    """Repeat values up to a number."""
    values = list(values)
    return [values[i % len(values)] for i in range(n)]


def with_cell(columns: Mapping[str, Sequence[Any]], *cells: tuple[str, int, Any]) -> dict[str, Any]:
    """Replace some cells, by column and place."""
    changed = {name: list(column) for name, column in columns.items()}
    for name, place, cell in cells:
        changed[name][place] = cell
    return changed


def without(columns: Mapping[str, Sequence[Any]], *cells: Any) -> Meaning:
    """Read columns of coders without some labels."""
    return people(
        {name: [None if c in cells else c for c in column] for name, column in columns.items()}
    )


# ---------------------------------------------------------------- kinds


def plain() -> Iterable[Table]:
    """Tables of every layout, in which nothing is to be doubted."""
    yield wide("plain: words", WORDS, right(people(WORDS)), nameless=True)
    yield wide("plain: scores", SCORES, right(people(SCORES)), nameless=True)
    yield wide("plain: scores, interval", SCORES, right(people(SCORES)), nameless=True,
               distance="interval")  # fmt: skip
    yield wide("plain: items named", {"item": ITEMS, **WORDS}, right(people(WORDS)))
    yield wide("plain: items numbered", {"id": NUMBERED, **SCORES}, right(people(SCORES)))
    gaps = with_cell(WORDS, ("ann", 2, None), ("bob", 7, None), ("cid", 7, None))
    yield wide("plain: gaps", gaps, right(people(gaps)), nameless=True)
    gaps = with_cell(SCORES, ("ann", 2, None), ("cid", 7, None))
    yield wide("plain: gaps in scores", gaps, right(people(gaps)), nameless=True)
    yield long("plain: long", ROWS, right(people(WORDS)))
    yield long("plain: long, coder first", [(c, i, k) for i, c, k in ROWS], right(people(WORDS)),
               ("coder", "item", "label"), roles=("item", "coder", "label"))  # fmt: skip
    scores = judgments(people(SCORES), NUMBERED)
    yield long("plain: long scores", scores, right(people(SCORES)))
    yield long("plain: long scores, interval", scores, right(people(SCORES)), distance="interval")
    yield long("plain: long, usual names of a platform", ROWS, right(people(WORDS)),
               ("task_id", "worker_id", "answer"))  # fmt: skip
    yield long(
        "plain: long, names of nested records",
        ROWS,
        right(people(WORDS)),
        header=("task.id", "completed_by.name", "result.label"),
    )
    yield long("plain: long, columns named", ROWS, right(people(WORDS)),
               ("tweet", "who", "stance"),
               keywords={"item": "tweet", "coder": "who", "label": "stance"})  # fmt: skip
    dated = [(*row, f"2024-03-{1 + i % 28:02}", i) for i, row in enumerate(ROWS)]
    yield long("plain: long with more columns", dated, right(people(WORDS)),
               (*LONG, "date", "seconds"))  # fmt: skip
    yield long("plain: long, some judged less", ROWS[:-4], right(people(WORDS)[:-2] + [
               {c: k for i, c, k in ROWS[:-4] if i == s} for s in ITEMS[-2:]]))  # fmt: skip
    topics = dict(zip(ITEMS, cycled(["news", "blog", "forum"], N), strict=True))
    described = [(i, c, topics[i], k) for i, c, k in ROWS]
    answers = ("item", "coder", "label", "answer")
    yield long("roles: a label that describes the item", described, refused("'label'", "'answer'"),
               answers, firm=False)  # fmt: skip
    yield long("roles: a label that describes the item, the other named", described,
               right(people(WORDS)), answers, roles=("item", "coder", "answer"),
               keywords={"label": "answer"})  # fmt: skip
    yield long("roles: a label that describes the item, named", described,
               Outcome(people({c: [topics[i] for i in ITEMS] for c in WORDS})), answers,
               keywords={"label": "label"})  # fmt: skip
    varied = [(i, c, k, answer) for (i, c, answer, _), (_, _, k) in
              zip(described, ROWS, strict=True)]  # fmt: skip
    yield long("roles, innocent: an answer that describes the item", varied, right(people(WORDS)),
               answers)  # fmt: skip
    counts = counts_of(people(WORDS), "ny")
    yield unnamed("plain: counts, named so", counts, right(people(WORDS)), "counts",
                  keywords={"layout": "counts"})  # fmt: skip
    yield unnamed("plain: contingency, named so", [[45, 15], [25, 15]],
                  right(of_contingency([[45, 15], [25, 15]], "ab", "ab"), ".1304"),
                  "contingency", keywords={"layout": "contingency"},
                  coefficient="kappa")  # fmt: skip
    yield unnamed("plain: whole numbers, named wide", [[45, 15], [25, 15], [15, 45], [15, 15]],
                  Outcome(people({0: [45, 25, 15, 15], 1: [15, 15, 45, 15]})),
                  keywords={"layout": "wide"})  # fmt: skip


def no_coder() -> Iterable[Table]:
    """A column that is no coder, beside columns of words."""
    genre = {"genre": ["news", "news", "blog", "blog"], **PAIR}
    yield wide("no coder: genre", genre, right(people(PAIR), ".533").or_refused("genre"),
               nameless=True)  # fmt: skip
    columns = {
        "genre": cycled(["news", "blog", "forum"], N),
        "speaker": cycled(["Müller", "Schmidt", "Weber"], N),
        "source": cycled(["twitter", "reddit"], N),
        "sex": cycled("fm", N),
        "model": ["gpt-4"] * N,
        "Bemerkung": [None] * (N - 2) + ["unklar", "siehe oben"],
        "remarks": ["unclear", *[None] * (N - 1)],
        "confidence": cycled([0.91, 0.5, 0.77, 0.85], N),
        "seconds": cycled([13.4, 8.1, 22.5, 9.7, 31.0], N),
        "text": [f"The {i}th sentence of the corpus" for i in range(N)],
        "created": [datetime(2024, 3, 1 + i, 9, 30) for i in range(N)],
    }
    for name, column in columns.items():
        # A value that no coder gave shows what the column is; a blank or a name alone does not.
        nameless = name not in ("model", "Bemerkung", "remarks")
        yield wide(f"no coder: {name} last", {**WORDS, name: column},
                   right(people(WORDS)).or_refused(name), nameless=nameless)  # fmt: skip
        yield wide(f"no coder: {name} first, items named", {"item": ITEMS, name: column, **WORDS},
                   right(people(WORDS)).or_refused(name))  # fmt: skip
    yield wide("no coder: excluded by naming the coders", {**WORDS, "genre": columns["genre"]},
               right(people(WORDS)), keywords={"layout": "wide", "coder": list(WORDS)})  # fmt: skip
    # Innocent: coders differ, too.
    one = {**WORDS, "dan": ["y"] * N}
    yield wide("no coder, innocent: one label only", one, right(people(one)), nameless=True)
    few = {**WORDS, "dan": [*"yn", *[None] * (N - 2)]}
    yield wide("no coder, innocent: judged two items", few, right(people(few)), nameless=True)
    own = {**WORDS, "dan": [*WORDS["ann"][:-1], "maybe"]}
    yield wide("no coder, innocent: a label of one's own", own, right(people(own)), nameless=True)
    names = dict(zip(["judge 1", "judge 2", "judge 3"], WORDS.values(), strict=True))
    yield wide("no coder, innocent: judges", names, right(people(names)))
    names = dict(zip(["R1", "R2", "R3"], SCORES.values(), strict=True))
    yield wide("no coder, innocent: R1", names, right(people(names)))
    names = dict(zip(["Anne Page", "Weekes", "Sessions"], SCORES.values(), strict=True))
    yield wide("no coder, innocent: surnames", names, right(people(names)))
    names = dict(zip(["gpt-4o", "claude", "llama-3"], WORDS.values(), strict=True))
    yield wide("no coder, innocent: models", names, right(people(names)))


def numbers() -> Iterable[Table]:
    """A column of numbers within the range of the ratings, which only its name gives away."""
    low, high = map(list, zip(*[(min(r), max(r)) for r in zip(*SCORES.values(), strict=True)],
                              strict=True))  # fmt: skip
    columns = {
        "confidence": cycled([5, 4, 5, 3, 4], M),
        "group": cycled([1, 2], M),
        "abs_diff": [b - a for a, b in zip(low, high, strict=True)],
        "week": [1 + i // 3 for i in range(M)],
        "page": [1 + i // 4 for i in range(M)],
        "session": [1] * 7 + [2] * 7,
        "block": cycled([1, 2, 3], M),
        "condition": cycled([1, 2], M),
        "n_raters": [3] * M,
        "Mittelwert": [round(sum(r) / 3, 2) for r in zip(*SCORES.values(), strict=True)],
        "Summe": [sum(r) for r in zip(*SCORES.values(), strict=True)],
        "resolved code": SCORES["bob"],
        "Endentscheidung": SCORES["ann"],
        "wt": cycled([1, 2], M),
        "Gewicht": cycled([1, 2], M),
        "filter_$": cycled([1, 1, 2], M),
        "valid": [1] * M,
        "__index_level_0__": [*range(1, M, 2), *range(0, M, 2)],
        "min": low,
        "Max": high,
        "severity": high,
        **dict.fromkeys(("decision", "Resolution", "verdict", "prediction", "Ergebnis"), high),
        **dict.fromkeys(("Moyenne", "Promedio", "accord"), low),
        **dict.fromkeys(("rank", "order", "version", "target"), cycled([1, 2, 3], M)),
    }
    for name, column in columns.items():
        # SPSS has no such names.
        more = frozenset({"any_names"} if name[0] == "_" else ())
        yield wide(f"number: {name}", {"id": NUMBERED, **SCORES, name: column},
                   right(people(SCORES)).or_refused(name), more=more)  # fmt: skip
    yield wide("number: week, interval", {**SCORES, "week": columns["week"]},
               right(people(SCORES)).or_refused("week"), distance="interval")  # fmt: skip
    same = {"id": NUMBERED, **SCORES, "dan": [3] * M}
    yield wide("number: one number only", same, warned(people({**SCORES, "dan": [3] * M}), "dan"))
    few = {"ann": [1, 1, 0, 1, 1, 1], "bob": [1] * 6, "cid": [1, 0, 1, 1, 1, 1]}
    yield wide("number, innocent: one number only", few, right(people(few)))
    orders = {"target": ITEMS, **WORDS}
    yield wide("number, innocent: targets name the items", orders, right(people(WORDS)))
    for pair in (("human", "prediction"), ("gpt_prediction", "llama_prediction", "ann")):
        names = dict(zip(pair, SCORES.values(), strict=False))
        yield wide(f"number, innocent: {', '.join(pair)}", names, right(people(names)))
    names = dict(zip(["Max", "Min", "Severin"], SCORES.values(), strict=True))
    yield wide("number, innocent: Max and Min", names, right(people(names)))


MISSING = ["NA", "n/a", "-", "nan", "#N/A", "<NA>", "k.A.", "n/d", "none", "NULL", "missing",
           "inf", "-Infinity"]  # fmt: skip


def empty() -> Iterable[Table]:
    """Texts that mean missing."""
    for name, text in (("nothing", ""), ("a blank", " "), ("blanks", "   ")):
        columns = with_cell(WORDS, ("ann", 3, text), ("bob", 3, text), ("cid", 9, text))
        yield wide(f"empty: {name}", columns, right(without(columns, text)), nameless=True)
        rows = judgments(people(columns))
        yield long(f"empty: {name}, long", rows, right(without(columns, text)))
    for text in MISSING:
        columns = with_cell(WORDS, ("ann", 3, text), ("bob", 3, text), ("cid", 9, text))
        yield wide(f"empty: {text}", columns, warned(people(columns), f"'{text}'"),
                   nameless=True)  # fmt: skip
        yield long(f"empty: {text}, long", judgments(people(columns)),
                   warned(people(columns), f"'{text}'"))  # fmt: skip
    for text in MISSING[:3]:
        columns = with_cell(WORDS, ("ann", 3, text), ("bob", 3, text), ("cid", 9, text))
        yield wide(f"empty: {text}, named", columns, right(without(columns, text)), nameless=True,
                   keywords={"missing": text})  # fmt: skip
        yield long(f"empty: {text}, a category", judgments(people(columns)),
                   right(people(columns)), keywords={"categories": ["n", "y", text]})  # fmt: skip
    labels = [None, "a", "b"]
    both = {"ann": cycled(labels, N), "bob": cycled([*labels, "a"], N)}
    yield wide("empty, innocent: gaps alone", both, right(people(both)), nameless=True)
    names = {c: [{"y": "nay", "n": "nana"}[k] for k in column] for c, column in WORDS.items()}
    yield wide("empty, innocent: nay, nana", names, right(people(names)), nameless=True)
    for none, case in (("none", str.lower), ("NONE", str.upper)):
        names = {"y": case("causes"), "n": case("treats")}
        columns = {c: [names[k] for k in column] for c, column in WORDS.items()}
        columns = with_cell(columns, ("ann", 3, none), ("bob", 3, none))
        yield wide(f"empty, innocent: {none} beside words", columns, right(people(columns)),
                   nameless=True)  # fmt: skip
    yield wide("empty: missing= matches nothing", WORDS, warned(people(WORDS), "k.A."),
               nameless=True, keywords={"missing": "k.A."})  # fmt: skip


def codes() -> Iterable[Table]:
    """Numbers that mean missing."""
    for code in (99, 999, 9, -1, -9, -99, 98, 88, -(2**31)):
        columns = with_cell(SCORES, ("ann", 3, code), ("bob", 8, code), ("cid", 9, code))
        for layout in ("wide", "long"):
            more: dict[str, Any] = {"distance": "interval"}
            outcome = warned(people(columns), str(code))
            if layout == "wide":
                yield wide(f"code: {code}", columns, outcome, nameless=True, **more)
            else:
                rows = judgments(people(columns), NUMBERED)
                yield long(f"code: {code}, long", rows, outcome, **more)
    columns = with_cell(SCORES, ("ann", 3, 99), ("bob", 8, 99), ("cid", 9, 99))
    yield wide("code: 99, named", columns, right(without(columns, 99)), nameless=True,
               keywords={"missing": [99]}, distance="interval")  # fmt: skip
    # A number and the text that writes it match, or a warning says that they do not.
    yield wide("code: 99, named as text", columns,
               Outcome(without(columns, 99), ("99",)), nameless=True,
               keywords={"missing": "99"}, distance="interval")  # fmt: skip
    texts = with_cell(WORDS, ("ann", 3, "99"), ("cid", 9, "99"))
    yield wide("code: 99 beside texts", texts, warned(people(texts), "99"), nameless=True)
    mixed = {c: [{1: "low"}.get(k, str(k)) for k in column] for c, column in SCORES.items()}
    mixed = with_cell(mixed, ("ann", 3, "99"), ("cid", 9, "99"))
    yield wide("code: 99 beside texts and numbers", mixed, warned(people(mixed), "99"),
               nameless=True)  # fmt: skip
    truths = {c: [k == "y" for k in column] for c, column in WORDS.items()}
    truths = with_cell(truths, ("ann", 3, 99), ("cid", 9, 99))
    yield wide("code: 99 beside booleans", truths, warned(people(truths), "99"), nameless=True)
    scale = {c: [rating % 3 for rating in column] for c, column in SCORES.items()}
    scale = with_cell(scale, ("ann", 3, -1), ("cid", 9, -1))
    yield wide("code: -1 below 0 to 2", scale, warned(people(scale), "-1"), nameless=True)
    truths = {"ann": [0, 1, 1, 0, 1, 0, -1, 1, 0, 0], "bob": [0, 1, 1, 0, 1, 0, 1, 1, -1, 0]}
    yield wide("code: -1 beside 0 and 1", truths, warned(people(truths), "label -1 (2 judgments)"),
               nameless=True)  # fmt: skip
    for text in ("3-4", "3 or 4"):
        slip = with_cell(SCORES, ("ann", 3, text))
        yield wide(f"code: {text} among numbers", slip, warned(people(slip), f"'{text}' (1 judg"),
                   nameless=True)  # fmt: skip
    zero = with_cell(WORDS, ("ann", 3, "0"))
    yield wide("code: 0 beside words", zero, warned(people(zero), "'0'"), nameless=True)
    typed = with_cell(SCORES, ("ann", 3, 55))
    yield wide("code: 5 typed twice", typed, warned(people(typed), "may be 5 typed twice"),
               nameless=True, distance="interval")  # fmt: skip
    typed = with_cell(SCORES, ("ann", 3, 55), ("bob", 3, 55), ("cid", 4, 55))
    yield wide("code, innocent: 55 three times", typed, right(people(typed)), nameless=True)
    scale = {"ann": [1, 9, 10, 7, 8, 3, 2, 6], "bob": [2, 9, 10, 8, 8, 4, 2, 5]}
    yield wide("code, innocent: 9 of 1 to 10", scale, right(people(scale)), nameless=True,
               distance="interval")  # fmt: skip
    scale = {"ann": [-1, 0, 1, -1, 1, 0, 0, -1], "bob": [-1, 0, 1, 0, 1, 0, 1, -1]}
    yield wide("code, innocent: -1, 0, 1", scale, right(people(scale)), nameless=True,
               distance="interval")  # fmt: skip
    scale = {"ann": [99, 55, 83, 97, 12, 40, 71, 64], "bob": [95, 60, 83, 99, 15, 38, 75, 60]}
    yield wide("code, innocent: percent", scale, right(people(scale)), nameless=True,
               distance="interval")  # fmt: skip
    yield wide("code, innocent: 99 is a category", columns, right(people(columns)), nameless=True,
               keywords={"categories": [1, 2, 3, 4, 5, 99]})  # fmt: skip


def counts() -> Iterable[Table]:
    """Counts of labels, without a word about it."""
    same = counts_of(people(WORDS), "ny")
    varying = [[3, 0], [0, 4], [2, 1], [0, 5], [4, 0], [1, 3], [0, 3], [5, 1], [0, 6], [3, 0],
               [1, 4], [6, 0]]  # fmt: skip
    many = [[51, 0, 0, 0], [0, 47, 3, 0], [1, 0, 49, 0], [0, 0, 2, 48], [50, 0, 1, 0],
            [0, 51, 0, 0], [0, 5, 45, 1], [2, 0, 0, 49], [49, 1, 0, 0], [0, 0, 0, 52]]  # fmt: skip
    for name, table in (("of three", same), ("of varying numbers", varying), ("of many", many)):
        meaning = of_counts(table)
        yield unnamed(f"counts: {name}", table, right(meaning).or_refused(), "counts", firm=False)
        yield unnamed(f"counts: {name}, named so", table, right(meaning), "counts",
                      keywords={"layout": "counts"})  # fmt: skip
        header = ("item", *["no", "yes", "maybe", "both"][: len(table[0])])
        rows = tuple((f"s{i}", *row) for i, row in enumerate(table, 1))
        meaning = of_counts(table, header[1:])
        yield Table(f"counts: {name}, with names", header, rows, "counts",
                    right(meaning).or_refused(), firm=False)  # fmt: skip
    numbered = counts_of(people(SCORES), [1, 2, 3, 4, 5])
    yield Table("counts: numbered items and labels", ("item", "1", "2", "3", "4", "5"),
                tuple((i, *row) for i, row in enumerate(numbered, 1)), "counts",
                refused("add to 3"), firm=False)  # fmt: skip
    shares = tuple((f"s{i}", f"{n}%", f"{100 - n}%") for i, n in enumerate((60, 25, 100, 50, 40)))
    yield Table("counts: percentages", ("item", "agree", "not"), shares, "counts",
                refused("percentages"), firm=False)  # fmt: skip
    yield Table("counts: percentages, named so", ("item", "agree", "not"), shares, "counts",
                refused("60%"), keywords={"layout": "counts"})  # fmt: skip
    guesses = {"ann": ["60%", "25%", "90%", "50%"], "bob": ["60%", "50%", "90%", "50%"]}
    yield wide("counts, innocent: percentages as labels", guesses, right(people(guesses)))
    rows = ((3, 0, 0), (0, 3, 1), (1, 2, 2), (2, 1, 0))
    yield Table("counts: no is a label", ("yes", "no", "maybe"), rows, "counts",
                right(of_counts(rows)).or_refused("'yes'", "'no'"), firm=False)  # fmt: skip
    numbered = {"Nr": [3, 1, 2, 2, 1], "Ann": [1, 2, 3, 1, 2], "No": [1, 2, 3, 4, 5]}
    yield wide("counts: two columns of numbers of rows", numbered, refused("'Nr'"), firm=False)
    few = [[0, 6], [5, 1], [5, 1], [1, 5], [0, 6], [5, 1], [5, 1], [5, 1]]
    yield unnamed("counts: few rows of two", few, right(of_counts(few)).or_refused(), "counts",
                  firm=False)  # fmt: skip
    rows = tuple((f"s{i}", n, 6 - n) for i, n in enumerate((4, 2, 3, 4, 1, 2)))
    yield Table("counts: six rows of two, with names", ("item", "pro", "contra"), rows, "counts",
                right(of_counts([row[1:] for row in rows])).or_refused(), firm=False)  # fmt: skip
    middle = {"ann": [2] * 9 + [1, 3], "bob": [2] * 9 + [3, 1]}
    yield wide("counts, innocent: agreement on the middle", middle, right(people(middle)),
               nameless=True)  # fmt: skip
    total = tuple((*row, sum(row)) for row in varying)
    yield Table("counts: with a total", ("no", "yes", "Total"), total, "counts",
                right(of_counts(varying, ("no", "yes"))),
                keywords={"layout": "counts"})  # fmt: skip
    named = tuple((f"s{i}", *row) for i, row in enumerate(varying, 1))
    yield Table("counts: with items", ("item", "no", "yes"), named, "counts",
                right(of_counts(varying, ("no", "yes"))),
                keywords={"layout": "counts"})  # fmt: skip
    few = [[3, 0, 0], [0, 3, 0], [1, 1, 1], [0, 0, 3]]
    for name in ("item", "Unnamed: 0", "", "index", "level_0", "row", "nr", "x"):
        for start in (0, 1):
            rows = tuple((i, *row) for i, row in enumerate(few, start))
            yield Table(f"counts: items in {name!r} from {start}", (name, "yes", "no", "maybe"),
                        rows, "counts", right(of_counts(few)),
                        keywords={"layout": "counts"})  # fmt: skip
    for start, table, outcome in (
        (1, varying, refused("may name the rows")), (0, varying, refused("may name the rows")),
        (1, same, right(people(WORDS))),
    ):  # fmt: skip
        rows = [(i, *row) for i, row in enumerate(table, start)]
        yield unnamed(f"counts: rows of {sum(table[1])} numbered from {start}", rows, outcome,
                      "counts", keywords={"layout": "counts"})  # fmt: skip
    rows = [[1, 5], [2, 4], [3, 3], [4, 2], [5, 1]]
    yield unnamed("counts, innocent: more and more of one category", rows, right(of_counts(rows)),
                  "counts", keywords={"layout": "counts"})  # fmt: skip
    rows = tuple((i, *row) for i, row in enumerate([[3, 0], [0, 4], [1, 1], [0, 2]]))
    yield Table("counts: perhaps items", ("x", "yes", "no"), rows, "counts", refused("'x'"),
                keywords={"layout": "counts"})  # fmt: skip
    ratings = {
        "ann": [0, 1, 2, 3, 0, 5, 2, 1, 4, 0, 3, 5],
        "bob": [0, 1, 3, 3, 1, 5, 2, 0, 4, 0, 2, 4],
    }
    yield wide("counts, innocent: ratings from 0", ratings, right(people(ratings)))
    yield unnamed("counts, innocent: ratings from 0 without names",
                  zip(*ratings.values(), strict=True), right(people(ratings)))  # fmt: skip
    binary = {c: [int(k == "y") for k in column] for c, column in WORDS.items()}
    yield wide("counts, innocent: 0 and 1", binary, right(people(binary)), nameless=True)
    yield wide("counts, innocent: 0 and 1, coders by name", binary, right(people(binary)))


def one_hot() -> Iterable[Table]:
    """A column a label, with 0 and 1."""
    rows = [(i, c, int(k == "n"), int(k == "y")) for i, c, k in ROWS]
    yield Table("one-hot: item, coder and labels", ("item", "coder", "no", "yes"), tuple(rows),
                "wide", right(people(WORDS)).or_refused("'no'", "'yes'"), firm=False)  # fmt: skip
    labels = cycled(["news", "blog", "forum"], N)
    names = ("news", "blog", "forum")
    rows = [(f"s{i}", *[int(label == name) for name in names]) for i, label in enumerate(labels)]
    yield Table("one-hot: item and labels", ("item", *names), tuple(rows), "wide",
                refused(*names), firm=False)  # fmt: skip


def contingency() -> Iterable[Table]:
    """Contingency tables, without a word about it."""
    square = [[45, 15], [25, 15]]
    three = [[20, 5, 1], [4, 18, 6], [0, 3, 25]]
    for name, table in (("2 by 2", square), ("3 by 3", three)):
        labels = "abc"[: len(table)]
        meaning = of_contingency(table, labels, labels)
        yield unnamed(f"contingency: {name}", table, refused(), "contingency", firm=False,
                      coefficient="kappa")  # fmt: skip
        yield unnamed(f"contingency: {name}, named so", table, right(meaning), "contingency",
                      keywords={"layout": "contingency"}, coefficient="kappa")  # fmt: skip
        rows = tuple((label, *row) for label, row in zip(labels, table, strict=True))
        yield Table(f"contingency: {name}, with names", ("", *labels), rows, "contingency",
                    right(meaning).or_refused(), firm=False, coefficient="kappa")  # fmt: skip
        yield Table(f"contingency: {name}, with names, named so", ("", *labels), rows,
                    "contingency", right(meaning), keywords={"layout": "contingency"},
                    coefficient="kappa")  # fmt: skip
    swapped = tuple((label, *row[::-1]) for label, row in zip("abc", three, strict=True))
    meaning = of_contingency(three, "abc", "abc")
    yield Table("contingency: columns in another order", ("", *"cba"), swapped, "contingency",
                right(meaning), keywords={"layout": "contingency"},
                coefficient="kappa")  # fmt: skip
    # Ann used x and y, Bea used y and z: pandas.crosstab(list("xxyy"), list("yyyz")).
    meaning = of_contingency([[2, 0], [1, 1]], "xy", "yz")
    yield Table("contingency: each used others", ("", "y", "z"), (("x", 2, 0), ("y", 1, 1)),
                "contingency", right(meaning, "-.2"),
                keywords={"layout": "contingency"}, coefficient="kappa")  # fmt: skip
    for names in (("no", "yes"), ("id", "z"), ("index", "z"), ("item", "z"), ("no", "yes", "may")):
        table = square if len(names) == 2 else three
        rows = tuple((label, *row) for label, row in zip(names, table, strict=True))
        yield Table(f"contingency: labels {', '.join(names)}", ("Ann", *names), rows,
                    "contingency", refused("names of its columns"), coefficient="kappa",
                    firm=False)  # fmt: skip
    holes = tuple((k, *(x or None for x in row)) for k, row in zip("abc", three, strict=True))
    yield Table("contingency: no zeros", ("Ann", *"abc"), holes, "contingency",
                refused("whose zeros are left out"), coefficient="kappa", firm=False)  # fmt: skip
    margins = tuple((label, *row, sum(row)) for label, row in zip("abc", three, strict=True))
    foot = ("All", *map(sum, zip(*three, strict=True)), sum(map(sum, three)))
    yield Table("contingency: margins", ("", *"abc", "All"), (*margins, foot), "contingency",
                right(of_contingency(three, "abc", "abc")), keywords={"layout": "contingency"},
                coefficient="kappa")  # fmt: skip
    of_items = [(f"s{i}", *row, sum(row)) for i, row in enumerate(counts_of(people(WORDS), "ny"))]
    rows = (*of_items, ("All", *map(sum, list(zip(*of_items, strict=True))[1:])))
    two = {"ann": [45, 25], "bob": [15, 15]}
    yield wide("contingency, innocent: two people by name", two, Outcome(people(two)),
               coefficient="kappa")  # fmt: skip
    yield unnamed("contingency: shares", [[0.5, 0.125], [0.075, 0.3]], refused("add to 1"),
                  "contingency", firm=False, coefficient="kappa")  # fmt: skip
    yield unnamed("contingency, innocent: shares of more than 1", [[0.5, 0.125], [0.75, 0.3]],
                  Outcome([{0: 0.5, 1: 0.125}, {0: 0.75, 1: 0.3}]))  # fmt: skip
    yield unnamed("contingency, innocent: fractions", [[4.5, 1.5], [2.5, 1.5]],
                  Outcome([{0: 4.5, 1: 1.5}, {0: 2.5, 1: 1.5}]))  # fmt: skip
    yield unnamed("contingency, innocent: negative", [[-1, 1, 0], [1, 1, 0], [0, -1, 0]],
                  Outcome([{0: -1, 1: 1, 2: 0}, {0: 1, 1: 1, 2: 0},
                           {0: 0, 1: -1, 2: 0}]))  # fmt: skip


def variables() -> Iterable[Table]:
    """Several variables in one wide table."""
    ann, bob = WORDS["ann"], WORDS["bob"]
    sure, other = cycled([3, 5, 4, 2], N), cycled([5, 4, 4, 1, 2], N)
    both = {"ann": ann, "bob": bob}
    yield wide("variables: confidence of each",
               {"ann": ann, "ann_conf": sure, "bob": bob, "bob_conf": other},
               right(people(both)).or_refused("ann_conf", "bob_conf"))  # fmt: skip
    yield wide("variables: label and confidence of each",
               {"label_ann": ann, "label_bob": bob, "confidence_ann": sure,
                "confidence_bob": other},
               right(people({"label_ann": ann, "label_bob": bob}))
               .or_refused("confidence_ann", "confidence_bob"))  # fmt: skip
    second = {"q2_ann": WORDS["cid"], "q2_bob": cycled("nyy", N)}
    yield wide("variables: two questions", {"q1_ann": ann, "q1_bob": bob, **second},
               refused("q1_ann", "q1_bob", "q2_ann", "q2_bob"))  # fmt: skip
    four = [ann, bob, *second.values()]
    for text in (
        "tone1 tone2 stance1 stance2", "Q1A Q1B Q2A Q2B", "A1 B1 A2 B2", "q1ann q1bob q2ann q2bob",
        "AnnTone BobTone AnnStance BobStance", "tone tone.1 stance stance.1",
        "ann_hate_speech bob_hate_speech ann_irony bob_irony", "rater1_tone rater2_tone "
        "rater1_stance rater2_stance", "expert1_1 expert1_2 expert2_1 expert2_2",
        "rater1 rater2 rater1_retest rater2_retest", "ann|tone ben|tone ann|stance ben|stance",
        "Q1[ann] Q1[ben] Q2[ann] Q2[ben]", "ann:tone ben:tone ann:stance ben:stance",
    ):  # fmt: skip
        names = dict(zip(text.split(), four, strict=True))
        yield wide(f"variables: {text}", names, refused(*text.split()))
        yield wide(f"variables: {text}, one named", names, right(people({
                   name: names[name] for name in text.split()[:2]})),
                   keywords={"layout": "wide", "coder": text.split()[:2]})  # fmt: skip
    yield wide("variables: items beside two questions", {"item_id": ITEMS, "tone_1": ann,
               "tone_2": bob, "tone_3": four[2], "stance_1": four[3], "stance_2": ann},
               refused("tone_1", "stance_2"))  # fmt: skip
    for text in (
        "ann1 bob1 cid1 dan1", "r1 r2 r3 r4", "rater9 rater10 rater11 rater12", "gpt-4o gpt-4 "
        "llama3-8b llama3-70b", "expert_1 expert_2 novice_1 novice_2", "annotator_1a annotator_1b "
        "annotator_2a annotator_2b", "A B C D", "Ann1 Ann2 Ann3 Bob1", "coder.A coder.B coder.C x",
        "McKay MacDuff McLeod MacLean", "tone1 stance2 irony3 anger4",
    ):  # fmt: skip
        names = dict(zip(text.split(), four, strict=True))
        yield wide(f"variables, innocent: {text}", names, right(people(names)))
    names = {"q1_ann": ann, "q1_bob": bob, "q1_cid": WORDS["cid"]}
    yield wide("variables, innocent: one question", names, right(people(names)))
    names = dict(zip(["rater_1", "rater_2", "rater_3"], SCORES.values(), strict=True))
    yield wide("variables, innocent: raters by number", names, right(people(names)))


def summaries() -> Iterable[Table]:
    """Rows that are no items."""
    binary = {c: [int(k == "y") for k in column] for c, column in WORDS.items()}
    sums = [sum(column) for column in binary.values()]
    items = {"item": ITEMS}
    for name, cells in {
        "Total": sums,
        "Summe": sums,
        "Mean": [round(n / N, 2) for n in sums],
        "SD": [0.49, 0.47, 0.51],
        "Kappa": [0.65, None, None],
        "75%": [1, 1, 1],
        "M": [1, 1, 1],
        "valid": [12, 12, 12],
        "max points": [1, 1, 1],
        "Max.": [1, 1, 1],
        "Overall": [0.5, 0.6, 0.5],
        "Sum of ann": [1, 1, 1],
        "Result": [1, 0, 1],
        **{word: [1, 1, 1] for word in ("Modus", "Schnitt", "Spannweite")},
        **dict.fromkeys(("Anzahl y", "y total", "Häufigkeit y", "Σ y", "Anteil"), sums),
    }.items():
        columns = {"item": [*ITEMS, name]}
        columns |= {c: [*binary[c], cell] for c, cell in zip(binary, cells, strict=True)}
        yield wide(f"summary: {name}", columns, right(people(binary)).or_refused(name))
    total = {"item": [*ITEMS, "Total"], **{c: [*column, "8"] for c, column in WORDS.items()}}
    yield wide("summary: Total below words", total, right(people(WORDS)).or_refused("Total"))
    again = {"item": [*ITEMS[:6], "item", *ITEMS[6:]]}
    again |= {c: [*column[:6], c, *column[6:]] for c, column in WORDS.items()}
    yield wide("summary: the header again", again, right(people(WORDS)).or_refused("ann"))
    weight = {"item": ["Gewicht", *ITEMS], **{c: [1, *column] for c, column in binary.items()}}
    yield wide("summary: Gewicht above", weight, right(people(binary)).or_refused("Gewicht"))
    letters = {"item": list("ABCDEFGHIJKLM"), **{c: SCORES[c][:13] for c in SCORES}}
    yield wide("summary, innocent: items A to M", letters,
               right(people({c: SCORES[c][:13] for c in SCORES})))  # fmt: skip
    rows = [*ROWS[:9], LONG, *ROWS[9:]]
    yield long("summary: the header again, long", rows,
               right(people(WORDS)).or_refused("label"))  # fmt: skip
    three = {"item": ["Which text?", '{"ImportId":"QID1"}', *ITEMS]}
    three |= {
        c: [f"Label of {c}", f'{{"ImportId":"QID{i}"}}', *column]
        for i, (c, column) in enumerate(WORDS.items(), 2)
    }
    yield wide("summary: three headers", three,
               right(people(WORDS)).or_refused("ImportId"))  # fmt: skip
    legend = {"item": [*ITEMS, "Note: from y to n", "y = yes"]}
    legend |= {c: [*column, None, None] for c, column in WORDS.items()}
    yield wide("summary: notes below", legend, right(people(WORDS)).or_refused("y = yes"))
    unjudged = {"item": [*ITEMS, "last"], **{c: [*column, None] for c, column in WORDS.items()}}
    yield wide("summary, innocent: a last item that nobody judged", unjudged,
               right([*people(WORDS), {}]))  # fmt: skip
    stars = {c: ["*" * (1 + x % 4) for x in column] for c, column in SCORES.items()}
    stars = {c: ["****", *column] for c, column in stars.items()}
    yield wide("summary, innocent: stars are labels", stars, right(people(stars)), nameless=True)
    twice = {"item": [*ITEMS, *ITEMS[:2]], **{c: [*x, *x[:2]] for c, x in WORDS.items()}}
    yield wide("summary: the first items again", twice, refused("'s1'"), firm=False)
    types = {"item": ["string", *ITEMS], **{c: ["string", *col] for c, col in WORDS.items()}}
    yield wide("summary: a row of types", types, right(people(WORDS)).or_refused("string"))
    rule = {"item": ["---", *ITEMS], **{c: ["---", *column] for c, column in WORDS.items()}}
    yield wide("summary: a rule of Markdown", rule, right(people(WORDS)).or_refused("---"))
    for first, texts in (("ID", ["Anna", "Ben", "Cem"]), ("item", ["How so?"] * 3)):
        for columns in (WORDS, SCORES):
            heads = {c: [text, *columns[c]] for c, text in zip(columns, texts, strict=True)}
            of = [f"s{i}" for i in range(len(columns["ann"]))]
            yield wide(f"summary: a second header of words, {first} above {columns['ann'][0]}",
                       {"item": [first, *of], **heads},
                       right(people(columns)).or_refused(first))  # fmt: skip
    odd = {c: [f"odd {c}", *column] for c, column in WORDS.items()}
    nouns = "oak elm ash fir yew bay box fig may rue".split()  # noqa: SIM905
    for first, of in (("house", ITEMS), ("case", [*nouns, "hop", "ivy"])):
        yield wide(f"summary, innocent: an odd first row of {first}", {"item": [first, *of], **odd},
                   right(people(odd)))  # fmt: skip
    rare = {c: [*column, f"last {c}"] for c, column in odd.items()}
    yield wide("summary, innocent: an item called ID, and rare labels",
               {"item": ["ID", *ITEMS, "s13"], **rare}, right(people(rare)))  # fmt: skip
    yield wide("summary: a second header above words", {"item": ["item", *nouns, "hop", "ivy"],
               **odd}, right(people(WORDS)).or_refused("item"))  # fmt: skip
    same = {c: [column[1], *column] for c, column in WORDS.items()}
    yield wide("summary, innocent: an item called ID", {"item": ["ID", *ITEMS], **same},
               right(people(same)))  # fmt: skip
    legend = {"item": [*NUMBERED, "Legend"],
              **{c: [*SCORES[c], f"{i} = {c}"] for i, c in enumerate(SCORES)}}  # fmt: skip
    yield wide("summary: a legend below", legend, right(people(SCORES)).or_refused("Legend"))
    scale = {"item": ["Code", *NUMBERED], **{c: ["1-5", *SCORES[c]] for c in SCORES}}
    yield wide("summary: a scale above", scale, right(people(SCORES)).or_refused("Code"))
    share = {"item": [*ITEMS, "Prozent y"], **{c: [*WORDS[c], "60%"] for c in WORDS}}
    yield wide("summary: Prozent y", share, right(people(WORDS)).or_refused("Prozent y"))
    for last in ("word count", "Schnitt", "Anzahl y"):
        yield wide(f"summary, innocent: a noun {last}", {"item": [*nouns, "hop", last], **WORDS},
                   right(people(WORDS)))  # fmt: skip
    named = ["Total recall", "kappa-2", "Meaning", "SDG 4", *ITEMS[4:]]
    yield wide("summary, innocent: items that resemble", {"item": named, **WORDS},
               right(people(WORDS)))  # fmt: skip
    yield unnamed("summary: a header in the rows",
                  [tuple(WORDS), *zip(*WORDS.values(), strict=True)],
                  right(people(WORDS)).or_refused("ann"))  # fmt: skip
    digits = [("1", "1"), ("2", "2"), ("3", "3"), ("1", "2"), ("2", "2"), ("3", "1")] * 3
    yield unnamed("summary: a header above numbers in texts", [("ann", "bob"), *digits],
                  refused("ann"))  # fmt: skip
    pairs = ["xx", "yy", "xy", "yy", "xx", "yx", "xx", "yx"]
    yield unnamed("summary: numbers below words", [*map(tuple, pairs), (4, 3)], refused("4"))
    four = [("ann", "bob"), *map(tuple, ["xx", "yx", "yy", "xx"])]
    yield unnamed("summary: a header above four rows", four, refused("ann"))
    yield unnamed("summary: a header above three rows", four[:4], refused("ann"))
    named = [("item", *four[0]), *((f"t{i}", *row) for i, row in enumerate(four[1:]))]
    yield unnamed("summary: a header with an item", named, refused("ann"))
    yield unnamed("summary, innocent: two words that occur once", [*four[1:], four[0]],
                  right(people(dict(zip("ab", zip(*[*four[1:], four[0]], strict=True),
                                        strict=True)))))  # fmt: skip
    hidden = {**items, **WORDS, "dan": cycled("yn", N)}
    yield wide("summary: a hidden column", hidden, warned(people(WORDS), "dan"), hidden=("dan",))


def computed() -> Iterable[Table]:
    """A last row, or a last column without a name, with the sums or the means of the others."""
    fine = {c: [x + round(0.37 * (i % 7) - j / 9, 2) for i, x in enumerate(column)]
            for j, (c, column) in enumerate(SCORES.items())}  # fmt: skip
    binary = {c: [int(k == "y") for k in column] for c, column in WORDS.items()}
    for name, columns in (("ratings", SCORES), ("fractions", fine), ("0 and 1", binary)):
        columns = {c: column[:11] for c, column in columns.items()}
        n = len(columns["ann"])
        sums = {c: [*column, round(sum(column), 9)] for c, column in columns.items()}
        yield wide(f"computed: sums below {name}", sums, refused("sums of the columns"),
                   distance="interval", nameless=True, firm=False)  # fmt: skip
        if name == "0 and 1":
            continue
        for digits in (2, 15):
            means = {c: [*column, round(sum(column) / n, digits)] for c, column in columns.items()}
            yield wide(f"computed: means of {digits} digits below {name}", means,
                       refused("means of the columns"), distance="interval", nameless=True,
                       firm=False)  # fmt: skip
        rows = list(zip(*columns.values(), strict=True))
        for what, last in (("sums", [sum(r) for r in rows]), ("means", [sum(r) / 3 for r in rows])):
            beside = [(*row, x) for row, x in zip(rows, last, strict=True)]
            yield unnamed(f"computed: {what} beside {name}", beside, refused("3"),
                          distance="interval", firm=False)  # fmt: skip
    gaps = with_cell(SCORES, ("ann", 2, None), ("cid", 7, None))
    gaps = {c: [*column, sum(x for x in column if x)] for c, column in gaps.items()}
    yield wide("computed: sums below gaps", gaps, refused("sums of the columns"),
               distance="interval", nameless=True, firm=False)  # fmt: skip
    # Innocent: one column only adds up, the last item is rated in the middle, or is large.
    one = {**SCORES, "ann": [*SCORES["ann"][:-1], sum(SCORES["ann"][:-1])]}
    yield wide("computed, innocent: one sum", one, Outcome(people(one)), distance="interval")
    middle = {
        "ann": [1, 3, 2, 1, 3, 2, 2],
        "bob": [1, 3, 2, 2, 3, 1, 2],
        "cid": [2, 3, 1, 1, 3, 2, 2],
    }
    yield wide("computed, innocent: agreement on the middle", middle, right(people(middle)),
               nameless=True, distance="interval")  # fmt: skip
    zeros = {"ann": [0, 1, 0, 0, 0, 1], "bob": [0, 1, 0, 0, 0, 1], "cid": [0, 1, 0, 1, 0, 1]}
    yield wide("computed, innocent: few ones", zeros, right(people(zeros)), nameless=True,
               distance="interval")  # fmt: skip


def derived() -> Iterable[Table]:
    """A column that people or programs computed from the labels of the others."""
    scores = {c: [*column, *[6 - x for x in column]] * 2 for c, column in SCORES.items()}
    for every, (c, column) in enumerate(scores.items(), 3):
        scores[c] = [1 + (x + i) % 5 if i % every == 0 else x for i, x in enumerate(column)]
    words = {c: ["vwxyz"[x - 1] for x in column] for c, column in scores.items()}
    one, two, three = scores.values()
    rows = list(zip(one, two, three, strict=True))
    columns = {
        "m": [max(row, key=row.count) for row in rows],
        "top": [max(row) for row in rows],
        "c": [sorted(row)[1] for row in rows],
        "same": [int(a == b) for a, b, _ in rows],
        "rec": [int(a > 2) for a, _, _ in rows],
        "r": [math.floor(sum(row) / 3 + 0.5) for row in rows],
        "r1": [round(sum(row) / 3, 1) for row in rows],
    }
    for name, column in columns.items():
        yield wide(f"derived: {name}", {**scores, name: column}, refused("'" + name + "'"),
                   firm=False)  # fmt: skip
        yield unnamed(f"derived: {name} without names", zip(*scores.values(), column, strict=True),
                      refused("looks like"), firm=False)  # fmt: skip
        yield wide(f"derived: {name}, coders named", {**scores, name: column},
                   right(people({**scores, name: column})),
                   keywords={"layout": "wide", "coder": [*scores, name]})  # fmt: skip
    for name in ("m", "top", "c"):
        between = {"ann": scores["ann"], name: columns[name], "bob": scores["bob"],
                   "cid": scores["cid"]}  # fmt: skip
        yield wide(f"derived: {name}, not last", between, refused("'" + name + "'"), firm=False)
    for name in ("m", "top", "r", "r1"):
        for place, before in (("first", 0), ("in the middle", 2)):
            row = [*scores.values()]
            row.insert(before, columns[name])
            yield unnamed(f"derived: {name} {place}, without names", zip(*row, strict=True),
                          refused("looks like"), firm=False)  # fmt: skip
    worst = [
        "zvxwy"[max("zvxwy".index(x) for x in row)] for row in zip(*words.values(), strict=True)
    ]
    yield wide("derived: the worst of words", {"t": worst, **words}, refused("'t'"), firm=False)
    yield unnamed("derived: the worst of words, without names",
                  zip(worst, *words.values(), strict=True), refused("looks like"),
                  firm=False)  # fmt: skip
    tie = ["vwxyz"[x - 1] for x in columns["m"]]
    yield wide("derived: majority of words", {**words, "m": tie}, refused("'m'"), firm=False)
    pair = {"ann": words["ann"], "bob": words["bob"]}
    own = [c if a != b else None for a, b, c in zip(*words.values(), strict=True)]
    yield wide("derived: labels where others differ", {**pair, "t": own}, refused("'t'"),
               firm=False)  # fmt: skip
    yes = [("yes" if (i * i) % 11 < 5 else "no", "yes" if (i * i + i // 6 % 3) % 11 < 5 else "no")
           for i in range(120)]  # fmt: skip
    third = {"ann": [a for a, _ in yes], "bob": [b for _, b in yes],
             "eva": [("yes" if i % 2 else "no") if a != b else None
                     for i, (a, b) in enumerate(yes)]}  # fmt: skip
    yield wide("derived: a third reader where two differ", third, refused("'eva'"), firm=False)
    yield unnamed("derived: a third reader where two differ, without names",
                  zip(*third.values(), strict=True), refused("looks like"), firm=False)  # fmt: skip
    few = {c: [("yes" if x > 2 else "no") for x in column] for c, column in scores.items()}
    few = {c: column * 9 for c, column in few.items()}
    yield wide("derived, innocent: the same rows nine times", few, right(people(few)),
               nameless=True)  # fmt: skip
    yield wide("derived, innocent: three coders", scores, right(people(scores)), nameless=True)
    yield wide("derived, innocent: words", words, right(people(words)), nameless=True)
    copy = {**words, "dan": words["ann"]}
    yield wide("derived: two who are equal", copy, warned(people(copy), "have the same label"),
               nameless=True)  # fmt: skip


def gold() -> Iterable[Table]:
    """Coders in long data that are no people."""
    for name in ("gold", "consensus", "majority", "adjudicated", "Musterlösung", "Soll", "expected",
                 "aggregated", "INITIAL_CAS", "Schiedsrichter"):  # fmt: skip
        truth = {**WORDS, name: WORDS["ann"]}
        yield long(f"gold: {name}", judgments(people(truth)),
                   right(people(WORDS)).or_refused(name), firm=False)  # fmt: skip
        yield long(f"gold: {name}, columns named", judgments(people(truth)),
                   warned(people(truth), name),
                   keywords=dict(zip(LONG, LONG, strict=True)))  # fmt: skip
        yield wide(f"gold: {name}, wide", {"item": ITEMS, **truth},
                   right(people(WORDS)).or_refused(name))  # fmt: skip
    names = {**WORDS, "Goldie": WORDS["ann"], "Golding": WORDS["bob"]}
    yield long("gold, innocent: Goldie", judgments(people(names)), right(people(names)))
    for kind in ("Schiedsrichter {}", "Arbiter {}"):
        names = dict(zip(map(kind.format, (1, 2, 3)), WORDS.values(), strict=True))
        yield long(f"gold, innocent: {kind}", judgments(people(names)), right(people(names)))
    absent = {**WORDS, "nan": [*WORDS["ann"][1:], "y"]}
    yield long("gold: a coder called nan", judgments(people(absent)),
               warned(people(absent), "coder 'nan'"))  # fmt: skip
    for kind in ("Initial", "Cas", "M.V.", "NA", "Nan", "Nil"):
        names = {**WORDS, kind: [*WORDS["ann"][1:], "y"]}
        yield long(f"gold, innocent: {kind}", judgments(people(names)), right(people(names)))


def orientation() -> Iterable[Table]:
    """Coders as rows, and columns in other orders."""
    turned = list(zip(*WORDS.values(), strict=True))
    rows = list(zip(*turned, strict=True))
    meaning = [dict(zip(ITEMS, row, strict=True)) for row in rows]
    yield unnamed("orientation: coders as rows", rows, warned(meaning, "rows"))
    header = ("coder", *ITEMS)
    named = tuple((c, *row) for c, row in zip(WORDS, rows, strict=True))
    yield Table("orientation: coders as rows, by name", header, named, "wide",
                right(people(WORDS)).or_refused("coder"), firm=False)  # fmt: skip
    small = [(f"s{i}", c, k) for i, c, k in
             zip([1, 1, 2, 2, 3, 3, 4, 4], cycled(["ann", "bob"], 8), [1, 1, 2, 1, 3, 3, 2, 2],
                 strict=True)]  # fmt: skip
    meaning = people({"ann": [1, 2, 3, 2], "bob": [1, 1, 3, 2]})
    yield long("orientation: a small long table of numbers", small, right(meaning),
               firm=False)  # fmt: skip
    rows = [(0, 1, 2), (1, 1, 2), (2, 1, 0), (3, 3, 3), (4, 1, 1)]
    yield unnamed("orientation: the numbers of five rows", rows, refused(), firm=False)
    yield unnamed("orientation: the numbers of four rows", rows[:4], refused(), firm=False)
    numeric = [(i, j, k) for (i, j), k in
               zip([(i, j) for i in range(1, 5) for j in (1, 2)], [1, 1, 2, 1, 3, 3, 2, 2],
                   strict=True)]  # fmt: skip
    yield long("orientation: a small long table of numbers alone", numeric, right(meaning),
               firm=False)  # fmt: skip


def meeting() -> Iterable[Table]:
    """Items that do not meet."""
    apart = [(f"{i} " if c == "cid" and i == "s3" else i, c, k) for i, c, k in ROWS]
    meaning = people(WORDS)
    split = [dict(item) for item in meaning]
    split.append({"cid": split[2].pop("cid")})
    yield long("meeting: s3 and 's3 '", apart, warned(split, "s3 "))
    yield long("meeting: s3 and S3", [("S3" if i == "s3 " else i, c, k) for i, c, k in apart],
               warned(split, "S3"))  # fmt: skip
    first, second = people(WORDS)[:6], people(WORDS)[6:]
    rows = [("A", *row) for row in judgments(first, range(1, 7))]
    rows += [("B", *row) for row in judgments(second, range(1, 7))]
    yield Table("meeting: items restart in each document", ("document", *LONG), tuple(rows), "long",
                right(people(WORDS)).or_refused("document"), roles=LONG, firm=False)  # fmt: skip
    for name, coders in (("batch", "XYZ"), ("file_name", "XYZ")):
        again = [(part, i, coders["abc".index(c[0])] if part == "B" else c, k)
                 for part, i, c, k in rows]  # fmt: skip
        meaning = first + [{coders["abc".index(c[0])]: k for c, k in item.items()}
                           for item in second]  # fmt: skip
        yield Table(f"meeting: items restart in each {name}", (name, *LONG), tuple(again), "long",
                    right(meaning).or_refused(name), roles=LONG, firm=False)  # fmt: skip
    others = dict(zip(WORDS, "XYZ", strict=True))
    both = [first[i] | {others[c]: k for c, k in second[i].items()} for i in range(6)]
    again = [(part, i, others[c] if part == "B" else c, k) for part, i, c, k in rows]
    for name in ("lang", "text", "level_0"):
        yield Table(f"meeting: numbers of items begin again by {name}", (name, *LONG), tuple(again),
                    "long", warned(both, f"in each value of column '{name}'"), roles=LONG,
                    firm=False)  # fmt: skip
    gap = [(part, i + (i > 3), c, k) for part, i, c, k in again]
    texts = [(part, f"s{i}", c, k) for part, i, c, k in again]
    for what, near in (("numbers with a gap", gap), ("texts", texts)):
        yield Table(f"meeting, innocent: items of groups are {what}", ("lang", *LONG), tuple(near),
                    "long", right(both), roles=LONG)  # fmt: skip
    met = [(part, i, "cid" if c == "Z" else c, k) for part, i, c, k in again
           if c not in "cidZ" or (c == "Z") == (i > 3)]  # fmt: skip
    joined = [{**first[i], **{others[c]: k for c, k in second[i].items()}} for i in range(6)]
    for i, item in enumerate(joined):
        z, cid = item.pop("Z"), item.pop("cid")
        item["cid"] = z if i > 2 else cid
    yield Table("meeting, innocent: a coder of both groups", ("lang", *LONG), tuple(met), "long",
                right(joined), roles=LONG)  # fmt: skip
    one = [row for row in again if row[0] == "A" or row[2] == "X"]
    both = [first[i] | {"X": second[i]["ann"]} for i in range(6)]
    yield Table("meeting, innocent: a group of one coder", ("lang", *LONG), tuple(one), "long",
                right(both), roles=LONG)  # fmt: skip
    own = [(f"{c}.csv", i, c, k) for i, c, k in ROWS]
    yield Table("meeting, innocent: a file of each coder", ("file", *LONG), tuple(own), "long",
                right(people(WORDS)), roles=LONG)  # fmt: skip
    both = [("expert" if c == "ann" else "crowd", i, c, k) for i, c, k in ROWS]
    yield Table("meeting, innocent: groups of coders", ("group", *LONG), tuple(both), "long",
                right(people(WORDS)), roles=LONG)  # fmt: skip
    named = [(f"{i}.txt" if c == "cid" else i, c, k) for i, c, k in ROWS]
    apart = people({"ann": WORDS["ann"], "bob": WORDS["bob"]}) + people({"cid": WORDS["cid"]})
    yield long("meeting: items of one coder only", named, warned(apart, "cid"))
    few = [row for row in ROWS if row[1] != "cid"] + [("s99", "cid", "y"), ("s98", "cid", "n")]
    apart = [*people({"ann": WORDS["ann"], "bob": WORDS["bob"]}), {"cid": "y"}, {"cid": "n"}]
    yield long("meeting, innocent: two items of one coder", few, right(apart))
    other = {**WORDS, "cid": [{"y": "oui", "n": "non"}[k] for k in WORDS["cid"]]}
    yield long("meeting: labels of one coder only", judgments(people(other)),
               warned(people(other), "cid"))  # fmt: skip
    twice = {"Ann": WORDS["ann"], "ann ": WORDS["bob"]}
    yield long("meeting: coders Ann and 'ann '", judgments(people(twice)),
               warned(people(twice), "ann ").or_refused("ann "))  # fmt: skip
    yield wide("meeting: columns Ann and 'ann '", {**twice, "cid": WORDS["cid"]},
               warned(people({**twice, "cid": WORDS["cid"]}), "'Ann' = 'ann")
               .or_refused("ann"))  # fmt: skip
    rows = tuple(zip(WORDS["ann"], WORDS["bob"], WORDS["cid"], strict=True))
    yield Table("meeting: two columns of one name", ("ann", "bob", "bob"), rows, "wide",
                refused("bob"), firm=False)  # fmt: skip
    yield long("meeting, innocent: s1 and s01", [("s01" if i == "s2" else i, c, k)
               for i, c, k in ROWS], Outcome(people(WORDS)))  # fmt: skip


def writing() -> Iterable[Table]:
    """Labels that differ only in writing."""
    pairs = {
        "case": ("yes", "Yes"),
        "a blank at the end": ("yes", "yes "),
        "a blank within": ("not sure", "not  sure"),
        "width": ("yes", "ｙes"),
        "normal form": ("caf\u00e9", "cafe\u0301"),
        "zero width": ("yes", "ye\u200bs"),
        "a soft hyphen": ("yes", "y\u00ades"),
        "Cyrillic": ("yes", "y\u0435s"),
        "no-break space": ("not sure", "not\u00a0sure"),
        "quotes": ("yes", '"yes"'),
        "a dot behind": ("yes", "yes."),
        "a hyphen": ("not sure", "not-sure"),
    }
    for name, (usual, other) in pairs.items():
        labels = {c: [usual if k == "y" else "no" for k in column] for c, column in WORDS.items()}
        columns = with_cell(labels, ("cid", 0, other), ("cid", 5, other), ("bob", 0, other))
        yield wide(f"writing: {name}", columns, warned(people(columns), usual), nameless=True)
        yield long(f"writing: {name}, long", judgments(people(columns)),
                   warned(people(columns), usual))  # fmt: skip
        yield long(f"writing: {name}, declared", judgments(people(columns)),
                   right(people(columns)),
                   keywords={"categories": [usual, other, "no"]})  # fmt: skip
    mixed: dict[str, list[Any]] = {
        "ann": [1, 2, 1, 2, 3, 1],
        "bob": ["1", "2", "1", "2", "3", "1"],
        "cid": [1, 2, 2, 2, 3, 1],
    }
    yield wide("writing: numbers and texts", mixed, warned(people(mixed), "'1'"), nameless=True)
    blob = {c: [k.encode() if c == "bob" else k for k in column] for c, column in WORDS.items()}
    yield wide("writing: bytes and texts", blob, warned(people(blob), "b'y'"), nameless=True)
    narrow = {"ann": [0.1, 0.2, 0.3, 0.1, 0.2, 0.3], "bob": [0.1, 0.2, 0.3, 0.2, 0.2, 0.3]}
    single = {"ann": narrow["ann"], "bob": [np.float32(x) for x in narrow["bob"]]}
    yield wide("writing: single and double precision", single,
               warned(people({"ann": narrow["ann"], "bob": [float(x) for x in single["bob"]]}),
                      "0.1").or_refused("0.1"))  # fmt: skip
    once = {
        "ann": ["['a','d']", *["['a']", "['b']"] * 4],
        "bob": ["['c']", *["['a']", "['b']"] * 4],
    }
    yield wide("writing: lists as text that occur once", once, warned(people(once), "['a','d']"))
    lists = {"ann": ["['a', 'b']", "['a']", "['b']", "['a', 'b']"],
             "bob": ["['a', 'b']", "['b']", "['b']", "['b', 'a']"]}  # fmt: skip
    yield wide("writing: lists as text", lists, warned(people(lists), "['a', 'b']"), nameless=True)
    german = {"ann": ["1.000", "2", "500", "1.000"], "bob": ["1000", "2", "500", "1.000"]}
    yield wide("writing: thousands", german, warned(people(german), "1.000"), nameless=True)
    for name, usual, other in (("a comma", "2", "2,0"), ("percent", "0.1", "10%")):
        comma = {c: [{"y": usual, "n": "0.5"}[k] for k in column] for c, column in WORDS.items()}
        comma = with_cell(comma, ("ann", 0, other), ("bob", 2, other))
        yield wide(f"writing: {name}", comma, warned(people(comma), usual, other), nameless=True)
    starred = with_cell({c: [*map(str, column)] for c, column in SCORES.items()}, ("ann", 0, "1*"))
    yield wide("writing: a star", starred, warned(people(starred), "1*"))
    both = {c: [{"y": "cause", "n": "effect"}[k] for k in column] for c, column in WORDS.items()}
    both = with_cell(both, ("ann", 0, "cause & effect"), ("bob", 3, "cause & effect"))
    yield wide("writing: cause & effect", both, warned(people(both), "cause & effect"))
    both = with_cell(both, ("ann", 0, "cause and effect"), ("bob", 3, "cause and effect"))
    yield wide("writing: cause and effect", both, warned(people(both), "cause and effect"))
    innocent = {c: [{"y": "yes!", "n": "1,000"}[k] for k in col] for c, col in WORDS.items()}
    innocent = with_cell(innocent, ("ann", 0, "yes?"), ("bob", 1, "1"), ("cid", 2, "10"))
    yield wide("writing, innocent: marks that say something", innocent, right(people(innocent)),
               nameless=True)  # fmt: skip
    roman = {c: [{"y": "II", "n": "I"}[k] for k in column] for c, column in WORDS.items()}
    roman = with_cell(roman, ("ann", 0, "III"), ("bob", 0, "III"))
    yield wide("writing, innocent: I, II, III", roman, right(people(roman)), nameless=True)
    near = {c: [{"y": "agree", "n": "disagree"}[k] for k in col] for c, col in WORDS.items()}
    yield wide("writing, innocent: agree, disagree", near, right(people(near)), nameless=True)
    dotted = {"ann": ["1.1", "1.2", "2.1", "1.1"], "bob": ["1.1", "1.2", "2.1", "2.1"]}
    yield wide("writing, innocent: codes with a dot", dotted, Outcome(people(dotted)),
               nameless=True)  # fmt: skip


def orders() -> Iterable[Table]:
    """An order that nobody declared."""
    levels = {
        "ann": cycled(["low", "mid", "high"], N),
        "bob": cycled(["low", "high", "high", "mid"], N),
    }
    yield long("order: categories as a set", judgments(people(levels)), refused("categories"),
               keywords={"categories": {"low", "mid", "high"}}, distance="ordinal")  # fmt: skip
    yield long("order: words without an order", judgments(people(levels)), refused("low", "high"),
               distance="ordinal")  # fmt: skip
    yield long("order: words in order", judgments(people(levels)),
               right(people(levels)), keywords={"categories": ["low", "mid", "high"]},
               distance="ordinal")  # fmt: skip
    months = {
        "ann": cycled(["Jan", "Feb", "Mar", "Apr"], N),
        "bob": cycled(["Jan", "Mar", "Mar"], N),
    }
    yield long("order: months", judgments(people(months)), refused("Jan", "Apr"),
               distance="ordinal")  # fmt: skip


def sets() -> Iterable[Table]:
    """Labels that are lists."""
    columns = {"ann": [["a"], ["a", "b"], ["b"], ["a", "b"]],
               "bob": [["a"], ["b", "a"], ["b"], ["b"]]}  # fmt: skip
    meaning = people({c: [frozenset(k) for k in column] for c, column in columns.items()})
    yield wide("sets: lists", columns, Outcome(meaning), nameless=True)
    arrays = {c: [np.array(k) for k in column] for c, column in columns.items()}
    yield wide("sets: arrays", arrays, Outcome(meaning, ("array",)), nameless=True,
               more=frozenset({"arrays"}))  # fmt: skip
    mixed = {"ann": ["a", np.array(["a", "b"]), "b", "a"], "bob": ["a", np.array(["b"]), "b", "b"]}
    meaning = people({"ann": ["a", frozenset("ab"), "b", "a"],
                      "bob": ["a", frozenset("b"), "b", "b"]})  # fmt: skip
    yield wide("sets: arrays beside texts", mixed, warned(meaning, "'a'"), nameless=True,
               more=frozenset({"arrays"}))  # fmt: skip


def headers() -> Iterable[Table]:
    """Headers that are there, or are not."""
    labels = {coder: [coder, *column] for coder, column in WORDS.items()}
    yield wide("header: said to be absent", WORDS,
               warned(people(labels), "ann").or_refused("ann"),
               keywords={"header": False, "layout": "wide"})  # fmt: skip
    yield wide("header: roles as names of coders", {"item": WORDS["ann"], "label": WORDS["bob"],
               "bob": WORDS["cid"]}, refused("item", "label"), firm=False)  # fmt: skip


def sparse() -> Iterable[Table]:
    """A judgment a row, of many coders and in columns without usual names."""
    n_items, n_workers = 20, 40
    rows = [
        (1 + i, 1 + (7 * i + 13 * j) % n_workers, (i + (j == i % 4)) % 2)
        for i in range(n_items)
        for j in range(3)
    ]
    mixed = [rows[37 * k % len(rows)] for k in range(len(rows))]
    for names in (("aufgabe", "person", "wert"), ("stimulus", "who", "tone")):
        for order, listed in (("in order", rows), ("mixed", mixed)):
            yield Table(f"sparse: {', '.join(names)}, {order}", names, tuple(listed), "wide",
                        refused(names[0], names[1]), firm=False)  # fmt: skip
    yield unnamed("sparse: without names", mixed, refused("coder"), firm=False)
    few = {"ann": [20, 35, 50, 40, 10, 90, 75, 60, 30, 20, 80, 45],
           "bob": [25, 40, 45, 50, 15, 95, 80, 60, 20, 25, 70, 50],
           "cid": [20, 30, 50, 40, 10, 50, 50, 50, 30, 20, 50, 40]}  # fmt: skip
    yield wide("sparse, innocent: a coder who uses half of the scale", few, right(people(few)),
               nameless=True)  # fmt: skip
    ordered = {c: [x for _, x in sorted(zip(SCORES["ann"], column, strict=True))]
               for c, column in SCORES.items()}  # fmt: skip
    yield wide("sparse, innocent: in the order of a coder", ordered, right(people(ordered)),
               nameless=True)  # fmt: skip


def beside() -> Iterable[Table]:
    """A judgment a row, with other columns that may be labels, frequencies or states."""
    n = len(ROWS)
    tones = {"ann": "pqrpqrppqqrr", "bob": "pqrpqrppqqrp", "cid": "pqrpqrqpqqrr"}
    second = [row[2] for row in judgments(people(tones))]
    for label, other in (("stance", "tone"), ("label", "rating"), ("label", "irony"),
                         ("label", "answer")):  # fmt: skip
        rows = [(*row, k) for row, k in zip(ROWS, second, strict=True)]
        header = ("item", "coder", label, other)
        yield long(f"beside: {label} and {other}", rows, refused(f"'{label}'", f"'{other}'"),
                   header, firm=False)  # fmt: skip
        yield long(f"beside: {label} and {other}, one named", rows, right(people(WORDS)), header,
                   keywords={"label": label})  # fmt: skip
    columns = {
        "cnt": cycled([1, 2, 1, 3], n),
        "N_obs": cycled([4, 2], n),
        "Häufigkeit": cycled([1, 1, 2], n),
        "times": cycled([1, 2], n),
        "weight": cycled([1, 2, 5], n),
        "AssignmentStatus": cycled(["Approved", "Approved", "Rejected"], n),
        "phase": ["training"] * 6 + ["main"] * (n - 6),
        "deleted": cycled(["no", "no", "no", "yes"], n),
        "is_gold": cycled([0, 0, 1], n),
        "valid": cycled([1, 1, 1, 0], n),
    }
    for name, column in columns.items():
        rows = [(*row, cell) for row, cell in zip(ROWS, column, strict=True)]
        yield long(f"beside: {name}", rows, refused(f"'{name}'"), (*LONG, name), firm=False)
        yield long(f"beside: {name}, the label named", rows, right(people(WORDS)), (*LONG, name),
                   keywords={"label": "label"})  # fmt: skip
    by_item, by_coder = {i: i[-1] > "5" for i in ITEMS}, {"ann": True}
    stances = {
        "random": cycled([True, False, False, True, True, False, True], n),
        "of the item": [by_item[i] for i, _, _ in ROWS],
        "of the coder": [by_coder.get(c, False) for _, c, _ in ROWS],
    }
    for name, pro in stances.items():
        rows = [(i, c, "np"[x], tone) for (i, c, tone), x in zip(ROWS, pro, strict=True)]
        header = ("item", "coder", "stance", "tone")
        yield long(f"beside: stance {name}, and tone", rows, refused("'tone'"), header, firm=False)
        yield long(f"beside: stance {name}, and tone, which is named", rows, right(people(WORDS)),
                   header, keywords={"label": "tone"}, roles=("item", "coder", "tone"))  # fmt: skip
    harmless = {
        "seconds": [10 + 7 * i % 97 for i in range(n)],
        "device": cycled(["phone", "desk", "phone", "desk", "desk"], n),
        "split": cycled(["training", "test"], n),
        "size": [len(i) for i, _, _ in ROWS],
        "status": ["submitted"] * n,
        "deleted": ["no"] * n,
        "count": [1] * n,
        "label_id": [{"y": 1, "n": 2}[k] for _, _, k in ROWS],
        "age": [{"ann": 30, "bob": 41, "cid": 25}[c] for _, c, _ in ROWS],
    }
    for name, column in harmless.items():
        rows = [(*row, cell) for row, cell in zip(ROWS, column, strict=True)]
        yield long(f"beside, innocent: {name}", rows, right(people(WORDS)), (*LONG, name))


def turned() -> Iterable[Table]:
    """A row a coder."""
    people_of = {
        "participant": [f"P{i}" for i in range(1, M + 1)],
        "E-Mail": [f"{chr(97 + i)}@example.org" for i in range(M)],
        "VP": NUMBERED,
    }
    for name, names in people_of.items():
        for item in ("Video{}", "essay_{}", "Q{}"):
            columns = dict(zip([item.format(i) for i in (1, 2, 3)], SCORES.values(), strict=True))
            yield wide(f"turned: {name} and {item}", {name: names, **columns},
                       refused(item.format(1)), firm=False)  # fmt: skip
            yield wide(f"turned: {name} and {item}, named", {name: names, **columns},
                       right(people(columns)),
                       keywords={"layout": "wide", "coder": list(columns)})  # fmt: skip
    alike = {"Paris": [5, 4, 5, 5, 4, 5], "Rome": [2, 1, 2, 2, 2, 1], "Oslo": [4, 3, 3, 4, 3, 3]}
    rows = [f"R{i}" for i in range(6)]
    named = {"Contact": [f"{chr(97 + i)}@example.org" for i in range(6)], **alike}
    yield wide("turned: addresses", named, refused("'Contact' looks like the names of coders"))
    named = {"x": [f"Rater {i}" for i in range(6)], **alike}
    yield wide("turned: names of raters", named, refused("'x' looks like the names of coders"))
    for form in ("Q1_{}", "G1Q1[SQ00{}]"):
        columns = dict(zip([form.format(i) for i in (1, 2, 3)], SCORES.values(), strict=True))
        yield wide(f"turned: {form} of a survey", {"ResponseId": [f"R_{i}x" for i in NUMBERED],
                   **columns}, refused("have names of items"), firm=False)  # fmt: skip
    letters = dict(zip(["essay A", "essay B", "essay C"], SCORES.values(), strict=True))
    yield wide("turned: letters", {"teacher": NUMBERED, **letters}, refused("essay A"), firm=False)
    yield wide("turned: coder_id", {"coder_id": NUMBERED, **SCORES}, refused("coder_id"))
    criteria = dict(zip(["clarity", "fluency", "Grammar score"], SCORES.values(), strict=True))
    yield wide("turned: criteria", criteria, refused("clarity"), firm=False)
    yield wide("turned: criteria, named", criteria, right(people(criteria)),
               keywords={"layout": "wide", "coder": list(criteria)})  # fmt: skip
    essays = {"essay": [f"e{i}" for i in range(M)], "rater": cycled(["ann", "bob"], M)}
    yield wide("turned: criteria of a rater", {**essays, **criteria}, refused("rater"), firm=False)
    yield wide("turned: respondents agree", {"respondent": rows, **alike},
               warned(people(alike), "may name people who judge"))  # fmt: skip
    yield wide("turned, innocent: towns agree", {"town": rows, **alike}, right(people(alike)))
    for item in ("case", "participant"):
        columns = dict(zip(["reader1", "reader2", "reader3"], SCORES.values(), strict=True))
        yield wide(f"turned, innocent: {item} and readers", {item: NUMBERED, **columns},
                   right(people(columns)))  # fmt: skip


def pairs() -> Iterable[Table]:
    """How often pairs of labels, or labels of an item, occurred."""
    often = [20, 3, 1, 2, 15, 4, 1, 0, 11]
    for labels in ("xyz", (1, 2, 3)):
        both = [(a, b) for a in labels for b in labels]
        for name in ("cnt", "N_obs", "Häufigkeit", "k"):
            rows = tuple((*pair, n) for pair, n in zip(both, often, strict=True))
            yield Table(f"pairs: {name} of {labels}", ("ann", "bob", name), rows, "wide",
                        refused(f"'{name}'"), firm=False)  # fmt: skip
    rows = (("x", "x", 30), ("x", "y", 5), ("y", "x", 4), ("y", "y", 21))
    yield Table("pairs: four", ("ann", "bob", "k"), rows, "wide", refused("'k'"), firm=False)
    rows = tuple((i, k, [3, 1, 2, 2, 4, 0][at % 6]) for at, (i, k) in enumerate(
        (i, k) for i in ITEMS for k in ("neg", "pos")))  # fmt: skip
    yield Table("pairs: labels of items", ("item", "label", "cnt"), rows, "wide", refused("'cnt'"),
                firm=False)  # fmt: skip
    counted = [[x or None for x in row] for row in counts_of(people(WORDS), "ny")]
    counted += [[1, 2], [None, 3], [2, 1]]
    yield wide("pairs: counts without zeros", dict(zip(("neg", "pos"), zip(*counted, strict=True),
               strict=True)), refused("adds to 3"), nameless=True, firm=False)  # fmt: skip
    shares = {"neg": [0.6, 0.25, 1.0, 0.5, 0.33], "pos": [0.4, 0.75, 0.0, 0.5, 0.67]}
    yield wide("pairs: shares", shares, refused("add to 1"), firm=False)
    for rows, header in (
        ((("Ann: no", 20, 5), ("Ann: yes", 3, 12)), ("Ben: no", "Ben: yes")),
        ((("no", 0.5, 0.125), ("yes", 0.075, 0.3)), ("no", "yes")),
    ):
        yield Table(f"pairs: contingency, {header[0]}", ("", *header), rows, "contingency",
                    refused("names of its columns"), coefficient="kappa", firm=False)  # fmt: skip
    both = [(a, b) for a in range(1, 5) for b in range(1, 5) if (a, b) != (2, 3)]
    often = [7, 2, 1, 1, 2, 9, 1, 1, 3, 8, 2, 1, 1, 2, 11]
    by_size = sorted(zip(often, both, strict=True), key=lambda row: -row[0])
    for name in ("cases", "w"):
        rows = tuple((*pair, n) for pair, n in zip(both, often, strict=True))
        yield Table(f"pairs: {name} of numbers", ("ann", "bob", name), rows, "wide",
                    refused(f"'{name}'"), firm=False)  # fmt: skip
        rows = tuple((*pair, n) for n, pair in by_size)
        yield Table(f"pairs: {name} of numbers, the most frequent first", ("ann", "bob", name),
                    rows, "wide", refused(f"'{name}'"), firm=False)  # fmt: skip
    mixed = [both[7 * i % 15] for i in range(15)]
    three = dict(zip(("ann", "bob", "cid"), zip(*((*pair, (pair[0] + n) % 4 + 1) for pair, n in
                 zip(mixed, often, strict=True)), strict=True), strict=True))  # fmt: skip
    yield wide("pairs, innocent: three ratings", three, right(people(three)))
    yield wide("pairs, innocent: numbers of items last", {**WORDS, "id": NUMBERED[:N]},
               right(people(WORDS)))  # fmt: skip
    gaps = with_cell(SCORES, ("ann", 2, None), ("cid", 7, None), ("bob", 5, None))
    yield wide("pairs, innocent: gaps in scores", gaps, right(people(gaps)), nameless=True)


KINDS = (plain, sparse, turned, pairs, beside, no_coder, numbers, empty, codes, counts, one_hot,
         contingency, variables, summaries, computed, derived, gold, orientation, meeting, writing,
         orders, sets, headers)  # fmt: skip

TABLES = [table for kind in KINDS for table in kind()]
#: One of each kind, which the command reads in the fast tier.
FIRST = {next(iter(kind())).name for kind in KINDS}
