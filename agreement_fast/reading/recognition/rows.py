"""Rows that are no items: headers, totals, statistics, types, rules and units.

A row is refused only if its place and its cells show what it is. An item may be called "Sum"; a
last row "Sum" below items named by numbers, or with cells that are no labels, is a total.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import compress, takewhile
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

from agreement_fast.reading.recognition.labels import LOOK_MISSING
from agreement_fast.reading.recognition.names import names_a, words_in

Cells: TypeAlias = Sequence[Any]

#: The first and the last rows that are looked at.
FIRST, LAST = 20, 10

#: Largest number of rows that an error lists.
LISTED = 5

#: Words of rows that summarise the others, in lower case.
_SUMMARY = words_in(
    "total, totals, grand total, subtotal, all, sum, sums, n, count, counts, mean, means, average, "
    "averages, avg, median, mode, sd, std, std dev, st dev, stdev, standard deviation, variance, "
    "var, se, sem, standard error, min, minimum, max, maximum, range, percent, percentage, unique, "
    "top, freq, missing, kappa, cohen's kappa, cohens kappa, fleiss kappa, fleiss' kappa, weighted "
    "kappa, alpha, krippendorff's alpha, krippendorffs alpha, cronbach's alpha, icc, agreement, "
    "percent agreement, % agreement, agreement %, observed agreement, irr, gesamt, gesamtsumme, "
    "insgesamt, summe, anzahl, mittelwert, mittelwerte, mittel, durchschnitt, ø, σ, "
    "standardabweichung, varianz, übereinstimmung, somme, moyenne, écart type, médiane, suma, "
    "media, promedio, desviación estándar, totale, somma, totaal, som, gemiddelde, totalt, summa, "
    "medelvärde, soma, média, %, #, overall, accuracy, proportion, proportions, m, valid, weight, "
    "weights, gewicht, gewichtung, modus, schnitt, spannweite, häufigkeit, häufigkeiten, prozent, "
    "anteil, moda, fréquence, effectif"
)

#: Words of results that also name items: they summarise only items of another kind.
_RESULT = frozenset({"result", "results", "score", "scores", "points", "number", "numbers"})

#: Those of them that stand below a part of a table, too.
_BETWEEN = words_in(
    "total, totals, grand total, subtotal, sum, mean, average, gesamt, summe, mittelwert, "
    "durchschnitt, moyenne, promedio, totale, totaal, gemiddelde"
)

#: Names of statistics that no word has.
_STATISTIC = re.compile(
    r"[0-9.]+\s*%|(cohen|fleiss|krippendorff|cronbach)\W?s?\s+(kappa|alpha)|[κα]"
    r"|(grand|overall)\s+(total|mean)|gesamtsumme|std|stdev|percent agreement"
)

#: Statistics of something, such as "sum of Ann", "total yes" and "# yes"; items are called so, too.
_OF = re.compile(
    r"(total|sum|count|number|proportion|percent(age)?|mean|average|median|n|share) (of|for) .+"
    r"|(total|sum|count|#|%|max|min|maximum|minimum|possible|anzahl|häufigkeit|summe|prozent|anteil"
    r"|percent|frequency|freq|[σ∑]) \S+|[#%]\w+"
    r"|\S+ (total|sum|count|percent|%|anzahl|summe|gesamt|häufigkeit|prozent)"
    r"|(column|row|overall) (total|sum|mean|average)s?|overall \S+"
)

_TYPES = words_in(
    "string, str, text, object, character, char, varchar, factor, category, categorical, enum, "
    "int, int8, int16, int32, int64, integer, bigint, float, float32, float64, double, dbl, chr, "
    "fct, lgl, num, number, numeric, bool, boolean, logical, date, datetime, nominal, ordinal, "
    "interval, ratio, scale, discrete, continuous, meta"
)

_UNITS = words_in("%, kg, g, km, m, cm, mm, h, min, s, sec, ms, points, pts, years")
#: Words that may be no labels.
NO_WORDS = _TYPES | _UNITS | LOOK_MISSING
_BRACKETS = re.compile(r"""\([^'"]*\)|\[[^'"]*\]|<.*>|\d+ ?[-–] ?\d+""")
_RULE = re.compile(r":?([-=_*])\1{2,}:?")
_IMPORT = re.compile(r"""\{["']+ImportId["']+\s*:""")
_NUMERIC = frozenset("+-.0123456789")

#: A question has this number of characters.
_LONG = 20

#: Fewest rows beside those that are no items.
_FEWEST = 3

#: Share of the other items that must be of another kind.
_MOSTLY = 0.8


_NAMED = "has the name of a total or a statistic"
REPEATED = "repeats the header"
UNLIKE = f"{_NAMED}, unlike the other items"


class NoItem(NamedTuple):
    """A row that is no item."""

    #: Its index.
    row: int
    #: Its cells.
    cells: Cells
    #: What it is.
    why: str


def value_of(cell: Any) -> Any:
    """Return a cell as it is compared: a number if it is written as one; None for a blank.

    Examples
    --------
    >>> [value_of(cell) for cell in (" 1.0", 1, "a ", b"a", " ", float("nan"), None, "1_0")]
    [1.0, 1, 'a', 'a', None, None, None, '1_0']
    """
    if isinstance(cell, bytes):
        cell = cell.decode("utf-8", "replace")
    if isinstance(cell, str):
        text = cell.strip("\ufeff").strip()
        if text[:1] in _NUMERIC and "_" not in text:
            try:
                return float(text)
            except ValueError:
                pass
        return text or None
    if isinstance(cell, float) and math.isnan(cell):
        return None
    return cell if isinstance(cell, (int, Hashable)) else (repr(cell),)


def are_plain(labels: Iterable[Any]) -> bool:
    """Return whether no row of these labels can be any but an item, in a table without names."""
    return all(
        label is None
        or (
            isinstance(label, str)
            and label.isalnum()
            and len(label) < _LONG
            and label.casefold() not in NO_WORDS
        )
        for label in labels
    )


def are_qualtrics_ids(cells: Cells) -> bool:
    """Return whether a row holds the ids that Qualtrics writes below its questions."""
    filled = [str(cell) for cell in cells if cell]
    return bool(filled) and 2 * sum(map(bool, map(_IMPORT.match, filled))) >= len(filled)


def rows_that_are_none(
    names: Sequence[Any] | None, first: Sequence[Cells], last: Sequence[Cells] = (),
    n_rows: int | None = None, item: int | None = None,
) -> list[NoItem]:  # fmt: skip
    """Find the rows at the head and the end of a table that are no items.

    `names`: the names of the columns; None if they have none. `first`, `last`: the first and last
    rows, about `FIRST` and `LAST`, as texts or values. `n_rows`: the number of rows; by default
    those of `first`. `item`: the place of the column that names the items. Empty if all may be
    items. O(cells).
    """
    n_rows = len(first) if n_rows is None else n_rows
    rows = dict(enumerate(first)) | dict(enumerate(last, n_rows - len(last)))
    table = _Table(names, rows, item)
    reasons: dict[int, str] = {}
    if not table.has_full_column_without_texts():
        reasons = table.above() | table.anywhere()
    left = [i for i in rows if i not in reasons]
    reasons |= table.summaries(left, reasons)
    if left and left[-1] not in reasons:
        reasons |= (
            table.sums(left, whole=len(rows) == n_rows) or table.legend(left) or table.notes(left)
        )
    return [NoItem(i, rows[i], reasons[i]) for i in sorted(reasons)]


def summaries_beside(
    names: Sequence[Any], coders: Collection[Any], first: Sequence[Cells],
    last: Sequence[Cells] = (), n_rows: int | None = None,
) -> tuple[Any, list[NoItem]]:  # fmt: skip
    """Find rows that a column beside those of the coders calls a total or a statistic.

    `names`, `first`, `last`, `n_rows`: as of `rows_that_are_none`. `coders`: the names of the
    columns of the coders. Returns the first such column, and the rows with its cells and those of
    the coders; None and an empty list if there is none.
    """
    own = [at for at, name in enumerate(names) if name in coders]
    for at, name in enumerate(names):
        ends = [row[at] for row in (*first, *last)]
        if at in own or not any(_may_summarise(cell) for cell in ends if isinstance(cell, str)):
            continue
        head, end = ([[row[i] for i in (at, *own)] for row in rows] for rows in (first, last))
        reasons = rows_that_are_none([names[i] for i in (at, *own)], head, end, n_rows, 0)
        if reasons:
            return name, reasons
    return None, []


def words_of_totals(names: Sequence[Any]) -> list[str]:
    """Return the names among others, of another kind, that are words for totals and means.

    Such rows may stand below each part of a table. O(names), in C.
    """
    words = _AS_WRITTEN.intersection(names)
    if words and _unlike_others(words, [*names[:FIRST], *names[-LAST:]]):
        return sorted(words)
    return []


def problem(rows: Sequence[NoItem], place: Callable[[int], str]) -> str:
    """Say which rows are no items, and why.

    `rows`: at least one. `place`: says where a row is, given its index.

    Examples
    --------
    >>> print(problem([NoItem(8, ("Total", 8), UNLIKE)], lambda row: f"row {row + 1}"))
    row 9 ('Total', 8) has the name of a total or a statistic, unlike the other items
    """
    parts = []
    for row in rows[:LISTED]:
        cells = [cell for cell in row.cells if value_of(cell) is not None]
        listed = ", ".join(map(_shown, cells[:4])) + ", ..." * (len(cells) > 4)
        parts.append(f"{place(row.row)} ({listed}) {row.why}")
    more = f"; and {len(rows) - LISTED:,} more" if len(rows) > LISTED else ""
    return "; ".join(parts) + more


def header_of_data(rows: Sequence[Cells]) -> str | None:
    """Say why the first row looks like a header; None if it does not.

    `rows`: the first rows of a table that is said to have no header. Returns "above numbers" if its
    texts stand above columns of numbers, "words" if its words never occur below while the columns
    repeat theirs, or if it has numbers of coders beside "item".
    """
    table = _Table(None, dict(enumerate(rows)), None)
    if not rows:
        return None
    item, *numbers = table.rows[0]
    if names_a("item", item) and len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]:
        return "words"
    texts = [cell for cell in table.rows[0] if cell is not None]
    if len(set(texts)) < max(len(texts), 2) or not all(isinstance(text, str) for text in texts):
        return None
    others = range(1, len(rows))
    repeating = 0
    for at, text in enumerate(table.rows[0]):
        below = table.column(at, others)
        if text is not None and text in below:
            return None
        repeating += len(below) >= 4 and 2 * len(set(below)) <= len(below)
    if len(others) >= _FEWEST and table.text_above_numbers(others, fewest=1):
        return "above numbers"
    return "words" if repeating > 1 and None not in table.rows[0] else None


def _shown(cell: Any) -> str:
    return repr(f"{cell[:39]}…" if isinstance(cell, str) and len(cell) > 40 else cell)


def _name(cell: Any) -> str:
    """Return the name of an item as it is compared with the words of summaries."""
    if not isinstance(cell, str):
        return ""
    text = re.sub(r"\(.*\)$", "", cell.casefold()).strip(" \t:.=*-")
    return re.sub(r"[\s._]+", " ", text)


def _is_summary(cell: Any) -> bool:
    name = _name(cell)
    return name in _SUMMARY or any(kind.fullmatch(name) for kind in (_STATISTIC, _OF) if name)


def _may_summarise(cell: Any) -> bool:
    return _is_summary(cell) or _name(cell) in _RESULT


#: The same words as people write them, to look for among many names at once.
_AS_WRITTEN = frozenset(
    form for word in _BETWEEN for form in (word, word.capitalize(), word.upper(), word.title())
)


#: All words of summaries as people write them.
SUMMARIES = frozenset(
    form for word in _SUMMARY for form in (word, word.capitalize(), word.upper(), word.title())
)


def _kind(cell: Any) -> str:
    """Return the kind of a name: a number, a text with digits, or words."""
    if isinstance(cell, str):
        return "%" if "%" in cell else "digits" if any(map(str.isdigit, cell)) else "words"
    return "digits"


def _unlike_others(words: Iterable[Any], names: Sequence[Any]) -> bool:
    """Return whether names that are not among these words are of another kind than all words."""
    words = set(words)
    others = [kind for name in names if name is not None and name not in words
              for kind in [_kind(name)]]  # fmt: skip
    unlike = min((sum(_kind(word) != kind for kind in others) for word in words), default=0)
    return len(others) >= _FEWEST and unlike >= _MOSTLY * len(others)


class _Table:
    """The rows that are looked at, as values, by their index."""

    def __init__(
        self, names: Sequence[Any] | None, rows: Mapping[int, Cells], item: int | None
    ) -> None:
        cells = {cell for row in rows.values() for cell in row if type(cell) is str}
        known = {cell: cell if cell.isalpha() else value_of(cell) for cell in cells} | {None: None}
        self.rows: dict[int, list[Any]] = {
            i: list(map(known.__getitem__, row)) if {*map(type, row)} <= {str, NoneType} else
            [known[c] if type(c) is str else c if type(c) is int else value_of(c) for c in row]
            for i, row in rows.items()
        }  # fmt: skip
        self.filled = {
            i: [c for c in row if c is not None] if None in row else row
            for i, row in self.rows.items()
        }
        self.item = item
        self.names = None if names is None else [value_of(str(name)) for name in names]

    def labels(self, i: int) -> list[tuple[int, Any]]:
        """Return the filled cells of a row beside that of the item, with their columns."""
        return [(at, c) for at, c in enumerate(self.rows[i]) if c is not None and at != self.item]

    def column(self, at: int, rows: Iterable[int]) -> list[Any]:
        return [c for i in rows for c in self.rows[i][at : at + 1] if c is not None]

    def has_full_column_without_texts(self) -> bool:
        """Return whether a column, not of items, has numbers in all rows, so none is a header."""
        return any(
            {str, NoneType}.isdisjoint(map(type, column))
            for at, column in enumerate(zip(*self.rows.values(), strict=False))
            if at != self.item
        )

    def anywhere(self) -> dict[int, str]:
        """Find the rows that are no items wherever they stand: the header again, and rules."""
        texts = {
            i: row for i, row in self.filled.items() if len(row) > 1 and {*map(type, row)} == {str}
        }
        names, again = self.names or (), {}
        for i, filled in texts.items():
            row = self.rows[i]
            if 2 * len(filled) >= len(row):
                present = map(str, compress(names, row))
                if list(map(str.casefold, present)) == list(map(str.casefold, filled)):
                    again[i] = REPEATED
        cells = {c for row in self.filled.values() for c in row if isinstance(c, str)}
        marks = {c for c in cells if not c.isalnum() and _RULE.fullmatch(c)}
        if not marks:
            return again
        ruled = {
            i: [isinstance(c, str) and c in marks for c in row] for i, row in self.filled.items()
        }
        if any(any(row) and not all(row) for row in ruled.values()):
            return again  # labels of stars stand beside others
        rules = [i for i in texts if all(ruled[i]) and (i == 0 or self.item is not None)]
        return dict.fromkeys(rules, "is a rule between the header and the rows") | again

    def above(self) -> dict[int, str]:
        """Find the rows below the header that describe the columns."""
        head = list(takewhile(lambda i: i in self.rows, range(5)))
        for i in head:
            if are_qualtrics_ids(self.filled[i]):
                return dict.fromkeys(range(i), "is a second header") | {i: "has Qualtrics' ids"}
        others = [i for i in self.rows if i > 0]
        if 0 not in self.rows or len(others) < _FEWEST:
            return {}
        why = self._describes(others)
        return {} if why is None else {0: why}

    def _describes(self, others: Sequence[int]) -> str | None:
        """Say how the first row describes the columns."""
        filled, labels = self.filled[0], self.labels(0)
        texts = [str(cell).casefold() for cell in filled]
        if len(filled) < 2 or any(c in self.column(at, others) for at, c in labels):
            return None
        if 2 * len(filled) >= len(self.rows[0]) and _TYPES.issuperset(texts):
            return "has the types of the columns"
        units = [str(c).casefold() for _, c in labels]
        texts_only = all(isinstance(c, str) for _, c in labels)
        if (
            texts_only
            and len(units) > 1
            and all(u in _UNITS or _BRACKETS.fullmatch(u) for u in units)
        ):
            return "has the units of the columns"
        if not all(isinstance(cell, str) for cell in filled):
            return None
        apart = len(set(texts)) == len(texts) or (
            self._has_an_item_unlike(others) and NO_WORDS.isdisjoint(units)
        )
        if apart and self.text_above_numbers(others, fewest=2):
            return "has texts above columns of numbers, as a second header has"
        long = [at for at, c in labels if len(c) >= _LONG and self._short(at, others, len(c))]
        if len(long) > 1 and 2 * len(long) >= len(labels):
            return "has long texts above short labels, as a second header has"
        if self._names_items(others) and len(labels) > 1 and NO_WORDS.isdisjoint(units):
            below = Counter(c for i in others for _, c in self.labels(i))
            if min(below.values(), default=0) > 1 or self.text_above_numbers(others, fewest=2):
                return (
                    "has a word for items and texts that no other row has, as a second header has"
                )
        return None

    def _names_items(self, others: Sequence[int]) -> bool:
        """Return whether the item of the first row is a word for items, unlike the others."""
        if self.item is None or self.names is None:
            return False
        first, *items = (self.rows[i][self.item] for i in (0, *others))
        if first is not None and str(first).casefold() == str(self.names[self.item]).casefold():
            return True
        return names_a("item", first) and _unlike_others({first}, items)

    def _has_an_item_unlike(self, others: Sequence[int]) -> bool:
        """Return whether the first row's item is a text, and the others are of another kind."""
        if self.item is None:
            return False
        first, *items = (self.rows[i][self.item] for i in (0, *others))
        numbers = not any(isinstance(item, str) for item in items)
        return isinstance(first, str) and (numbers or _unlike_others({first}, items))

    def text_above_numbers(self, others: Sequence[int], fewest: int) -> bool:
        """Return whether the first row has texts above all columns of numbers, and these exist."""
        above = [
            self.rows[0][at]
            for at in range(len(self.rows[0]))
            for below in [self.column(at, others)]
            if len(below) >= _FEWEST and not any(isinstance(c, str) for c in below)
        ]
        return len(above) >= fewest and all(isinstance(c, str) and len(c) > 1 for c in above)

    def _short(self, at: int, others: Sequence[int], length: int) -> bool:
        """Return whether the other cells of a column are short, and repeat."""
        below = self.column(at, others)
        return (
            len(below) >= _FEWEST
            and len(set(below)) < len(below)
            and all(2 * len(str(cell)) <= length for cell in below)
        )

    def sums(self, rows: Sequence[int], *, whole: bool) -> dict[int, str]:
        """Find a last row that counts words in the rows above; `whole`: all rows are known."""
        filled = [i for i in rows if self.filled[i]]
        if not whole or len(filled) < _FEWEST + 2:
            return {}
        *above, last = filled
        labels = self.labels(last)
        columns = [(cell, self.column(at, above)) for at, cell in labels]
        if len(labels) < 2 or not all(type(cell) in (int, float) for cell, _ in columns):
            return {}
        words = all(column and {*map(type, column)} == {str} for _, column in columns)
        apart = last - 1 not in filled or all(
            cell in (len(column), *Counter(column).values()) for cell, column in columns
        )
        return {last: "has numbers below columns of words"} if words and apart else {}

    def legend(self, rows: Sequence[int]) -> dict[int, str]:
        """Find a last row that has another text below each column of numbers."""
        *above, last = rows
        texts = [str(cell).casefold() for cell in self.filled[last]]
        columns = [(cell, self.column(at, above)) for at, cell in self.labels(last)]
        if len(columns) < 2 or len({*texts}) < len(texts) or not NO_WORDS.isdisjoint(texts):
            return {}
        below = all(
            isinstance(cell, str)
            and len(column) >= _FEWEST
            and not any(isinstance(x, str) for x in column)
            for cell, column in columns
        )
        return {last: "has different texts below columns of numbers"} if below else {}

    def notes(self, rows: Sequence[int]) -> dict[int, str]:
        """Find the last rows with nothing but a sentence in place of an item."""
        at = self.item
        if at is None:
            return {}
        run = list(takewhile(lambda i: len(self.filled[i]) == 1 and self._has_words(i), rows[::-1]))
        above = rows[: len(rows) - len(run)]
        if len(above) < _FEWEST or any(map(self._has_words, above)):
            return {}
        return dict.fromkeys(run, "has words and no label, as a note below a table has")

    def _has_words(self, i: int) -> bool:
        """Return whether the item of a row is a text of several words."""
        name = self.rows[i][self.item or 0]
        return isinstance(name, str) and len(name.split()) > 1

    def summaries(self, rows: Sequence[int], known: Collection[int]) -> dict[int, str]:
        """Find the rows at the head or the end whose item is the name of a total or statistic."""
        if self.item is None:
            return {}
        at = self.item
        blank = [i for i in rows if not self.filled[i]]
        rows = [i for i in rows if self.filled[i]]
        result: dict[int, str] = {}
        for some in (list(reversed(rows)), rows):
            run = list(takewhile(lambda i: _may_summarise(self.rows[i][at]), some))
            others = [i for i in rows if i not in run]
            if not run or len(others) < _FEWEST:
                continue
            # The summary of a table may stand below a row of sums or statistics without a name.
            below = {i for i in run if i - 1 in blank or i - 1 in known}
            unlike = _unlike_others(
                {self.rows[i][at] for i in run}, [self.rows[i][at] for i in rows]
            )
            run = [
                i for i in run
                if (unlike or _is_summary(self.rows[i][at]))
                and not (_OF.fullmatch(_name(self.rows[i][at])) and self._has_labels(i, others))
            ]  # fmt: skip
            cells = any(self._no_labels(i, others) for i in run)
            sure = {i for i in run if unlike or i in below or self._strong(i)}
            if sure or cells or len({_name(self.rows[i][at]) for i in run}) > 2:
                why = ", unlike the other items" if unlike else ""
                why = ", and cells that are no labels of the others" if cells else why
                result |= dict.fromkeys(
                    (i for i in run if i in sure or not self._has_labels(i, others)),
                    _NAMED + why,
                )
        return result

    def _strong(self, i: int) -> bool:
        """Return whether the name of a row is a statistic's, and no usual word."""
        name = _name(self.rows[i][self.item or 0])
        return name not in ("κ", "α") and _STATISTIC.fullmatch(name) is not None

    def _has_labels(self, i: int, others: Sequence[int]) -> bool:
        """Return whether the cells of a row are texts that other rows have."""
        known = {c for k in others for _, c in self.labels(k)}
        labels = self.labels(i)
        return bool(labels) and all(isinstance(c, str) and c in known for _, c in labels)

    def _no_labels(self, i: int, others: Sequence[int]) -> bool:
        """Return whether the cells of a row are numbers or percentages that no other row has."""
        labels = self.labels(i)
        known = {c for k in others for _, c in self.labels(k)}
        return bool(labels) and all(
            c not in known and (not isinstance(c, str) or c.endswith("%")) for _, c in labels
        )
