"""Agreement on each code of labels that are sets, and over all codes.

A code divides the judgments into two categories. Most items do not have most codes. So the rows of
a code are one for each item to which somebody gave it, and one for all other items that the same
coders judged. Codes are groups of rows, like groups of items (`inference.groups`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import share_interval
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.diagnostics.categories import Tallies, share_intervals
from agreement_fast.distances import are_sets, nominal
from agreement_fast.distances.forms import Nominal
from agreement_fast.distances.sets import sorted_elements
from agreement_fast.distances.sums.categories import least_judgments
from agreement_fast.distances.sums.columns import Groups, Items
from agreement_fast.distances.sums.linear import Linear, Sums
from agreement_fast.errors import InputError, Phrase, UnknownKeyError
from agreement_fast.inference.closed_form import of_tables, standard_errors
from agreement_fast.inference.delta_method import StandardError
from agreement_fast.inference.derivatives import influences, slopes_of
from agreement_fast.inference.intervals import ROUNDING
from agreement_fast.inference.score import Influence, Mean, influence_of
from agreement_fast.options import Incomplete, check_share
from agreement_fast.patterns import Rows, as_lists, group_equal, list_positions, take_rows
from agreement_fast.points import Point, chosen
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Block as Parts
from agreement_fast.present.sections import Brief, Full, Plain, Section, Terms, details
from agreement_fast.present.sections import Rows as Shown
from agreement_fast.present.tables import DETAILS, MadeRows, Row, ends_of
from agreement_fast.present.terminal import by_reason, counted, show_label, show_level, some_of
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Estimated

#: The number of judgments and of sums that are processed together.
ROOM = 1 << 22

#: The categories of a code's rows: whether it was given.
NOT_GIVEN, GIVEN = 0, 1


class Block(NamedTuple):
    """Some codes, each a group of rows."""

    #: The codes first .. last - 1.
    first: int
    last: int
    made: Linear
    #: The code of each row, minus `first`.
    groups: Groups
    #: The rows, code by code, and the indices at which the rows of each code begin.
    rows: Rows
    start: Array
    #: The items of the first m rows, to which somebody gave the code: int64 array of shape (m,).
    items: Array
    #: For each code and pattern of coders, the row of the items to which nobody gave the code:
    #: int64 array of shape (n, P).
    patterns: Array
    #: The number of coders who gave the code: int64 array of shape (rows,).
    given: Array


class Stacked:
    """The codes of annotations whose labels are sets."""

    def __init__(
        self, annotations: Annotations, points: Sequence[Point], incomplete: Incomplete
    ) -> None:
        labels: tuple[Any, ...] = annotations.categories
        if labels and not are_sets(labels):
            odd = next(label for label in labels if not isinstance(label, frozenset))
            raise InputError(
                f"codes are elements of sets, but label {odd!r} is not a set",
                Phrase("sets", "pass sets, or text and the separator of its codes"),
                argument="labels",
            )
        self._points = points
        self.least = least_judgments(annotations, incomplete)
        self._n_coders = annotations.n_coders
        self._rows = rows = as_lists(annotations.rows)
        n_items = rows.n_rows
        weights = rows.weights
        #: Int64 array of shape (items,).
        self.weights: Array = np.ones(n_items, np.int64) if weights is None else weights
        #: All elements of all sets, sorted if possible.
        self.codes = tuple(sorted_elements({element for label in labels for element in label}))
        place = {code: i for i, code in enumerate(self.codes)}
        elements = [sorted(place[element] for element in label) for label in labels]
        #: The codes of label l are those at start[l] .. start[l + 1] - 1.
        start = np.concatenate([[0], np.cumsum([len(element) for element in elements])]).astype(
            np.int64
        )
        flat = np.array([code for element in elements for code in element], np.int64)
        item_of = np.repeat(np.arange(n_items), np.diff(rows.start))
        judged, offsets = list_positions(start, rows.codes.astype(np.int64))
        mentioned_by = np.repeat(item_of, np.diff(offsets))
        n_codes = len(self.codes)
        # One number for each code and item, ascending by code.
        keys, counts = np.unique(flat[judged] * n_items + mentioned_by, return_counts=True)
        self._code, self._item = keys // max(n_items, 1), keys % max(n_items, 1)
        self._count = counts
        of_item = self.weights[self._item]
        #: The number of judgments with each code, weights counted: int64 array of shape (E,).
        self.n_uses: Array = np.bincount(self._code, counts * of_item, n_codes).astype(np.int64)
        #: The number of items to which somebody gave each code: int64 array of shape (E,).
        self.n_items: Array = np.bincount(self._code, of_item, n_codes).astype(np.int64)
        self._starts, self._flat = start, flat
        #: The number of the set of coders who judged each item: int64 array of shape (items,).
        self.pattern_of, self._pattern_items = self._patterns()

    def _patterns(self) -> tuple[Array, Array]:
        """Number the items by the coders who judged them, and return an item of each number."""
        rows = self._rows
        assert rows.coders is not None
        sizes = np.diff(rows.start)
        keys = sizes
        if any(point.chance.knows_coders for point in self._points):
            # Sums of random numbers, and the number of coders, identify a set of coders.
            of = np.random.default_rng(0).integers(0, 2**63, (self._n_coders or 0, 2), np.uint64)
            sums = np.zeros((rows.n_rows, 2), np.uint64)
            np.add.at(sums, np.repeat(np.arange(rows.n_rows), sizes), of[rows.coders])
            keys = np.column_stack([sums, sizes.astype(np.uint64)])
        group, first = group_equal(keys)
        return group.astype(np.int64), first

    def blocks(self) -> Iterator[Block]:
        """Yield the codes in blocks."""
        pattern_size = int(np.diff(self._rows.start)[self._pattern_items].sum())
        own = np.diff(self._rows.start)[self._item]
        judgments = np.bincount(self._code, own, len(self.codes)) + pattern_size
        # Sums of a code, and a column that says which labels contain it.
        width = 2 * (self._n_coders or 1) + len(self._starts)
        costs = np.cumsum(judgments + width)
        first = 0
        while first < len(self.codes):
            before = costs[first - 1] if first else 0
            last = int(np.searchsorted(costs, before + ROOM, side="right"))
            last = max(last, first + 1)
            yield self._block(first, last)
            first = last

    def _block(self, first: int, last: int) -> Block:
        rows, n = self._rows, last - first
        assert rows.coders is not None
        some = slice(*np.searchsorted(self._code, [first, last]))
        code, item = self._code[some] - first, self._item[some]
        n_patterns = len(self._pattern_items)
        # Items with the code, and then one row of each pattern for the other items.
        picked = np.concatenate([item, np.tile(self._pattern_items, n)])
        positions, start = list_positions(rows.start, picked)
        n_given = len(item)
        labels = np.full(len(positions), NOT_GIVEN, np.int32)
        with_code = slice(0, start[n_given])
        holds = np.zeros((len(self._starts) - 1, n), bool)
        of_label = np.repeat(np.arange(len(holds)), np.diff(self._starts))
        inside = (self._flat >= first) & (self._flat < last)
        holds[of_label[inside], self._flat[inside] - first] = True
        of_row = np.repeat(code, np.diff(start[: n_given + 1]))
        labels[with_code] = np.where(
            holds[rows.codes[positions[with_code]], of_row], GIVEN, NOT_GIVEN
        )
        # All items of a pattern except those with the code.
        left = np.tile(np.bincount(self.pattern_of, self.weights, n_patterns), (n, 1))
        np.subtract.at(left, (code, self.pattern_of[item]), self.weights[item])
        weights = np.concatenate([self.weights[item], left.reshape(-1).astype(np.int64)])
        stacked = Rows(labels, 0, start, rows.coders[positions], None, weights)
        groups = Groups(np.concatenate([code, np.repeat(np.arange(n), n_patterns)]), n)
        items = Items(stacked, 2, self._n_coders)
        made = Linear(items, self._points, self.least, {nominal: Nominal(2)})
        given = np.concatenate([self._count[some], np.zeros(n * n_patterns, np.int64)])
        patterns = n_given + np.arange(n * n_patterns).reshape(n, n_patterns)
        by_code = np.argsort(groups.codes, kind="stable")
        begin = np.append(0, np.cumsum(np.bincount(groups.codes, minlength=n)))
        by_code_rows = take_rows(stacked, by_code), begin
        return Block(first, last, made, groups, *by_code_rows, item, patterns, given)

    def by_item(self, values: Array, block: Block, sums: Array, of_patterns: Array) -> None:
        """Add the values of a block's rows to the sums of their items.

        `values` (float64 (rows,)). `sums`, `of_patterns` (float64 (items,) and (P,)): the sums,
        changed in place; ``sums + of_patterns[pattern_of]`` is the total over codes.
        """
        n_given = len(block.items)
        of_patterns += values[block.patterns].sum(0)
        code = block.groups.codes[:n_given]
        otherwise = values[block.patterns[code, self.pattern_of[block.items]]]
        np.add.at(sums, block.items, values[:n_given] - otherwise)


#: Shares that are computed in addition to the coefficients, by name.
SHARES = ("observed_agreement", "positive_agreement", "negative_agreement")

#: Ways to combine the codes.
TOGETHER = {
    "mean": "the mean of the codes' values",
    "pooled": "computed from observed and expected disagreement added up over the codes (De Vries"
    " et al. 2008): rare codes count less",
    "micro": "computed from the sum of the codes' tables of given and not given: it also credits"
    " coders for knowing which codes are frequent",
}

#: Codes that are printed, characters of one, and coefficients in a table.
SHOWN, LONGEST, BESIDE = 60, 20, 2

NEVER_GIVEN = "nobody gave the code in items with two or more judgments"
ALWAYS_GIVEN = "everybody gave the code in all items with two or more judgments"
NO_CODE = "no code has a value"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodeValue(Estimated):
    """A value of one code or of all codes together, with its interval.

    Attributes
    ----------
    measure : str
        A coefficient, "observed_agreement", "positive_agreement" or "negative_agreement".
    value, standard_error, low, high : float
        The value, its standard error and the ends of its interval; NaN if there is none.
    confidence_level : float
    undefined : str or None
        Why there is no value.
    """

    _caption = "{measure} = {value}[, {interval}]"

    measure: str


@dataclass(frozen=True, slots=True, repr=False)
class CodeAgreement(Row):
    """Agreement on whether a code applies.

    Attributes
    ----------
    code : object
    n_uses : int
        The number of judgments with the code, weights counted.
    n_items : int
        The number of items to which somebody gave the code.
    values : dict
        A `CodeValue` for each name: the coefficients of "given" and "not given";
        "observed_agreement", the share of equal pairs of judgments; "positive_agreement", the
        probability that another coder gives the code if one coder does; and "negative_agreement",
        the probability that another coder does not give it if one coder does not (Cicchetti &
        Feinstein 1990). ``row["kappa"]`` is ``row.values["kappa"]``.
    """

    _caption = "{code:l}, {n_items:item}: {values}"

    aside = DETAILS | {"n_uses", "observed_agreement", "negative_agreement"}

    code: Any
    n_uses: int
    n_items: int
    values: dict[str, CodeValue]

    def __getitem__(self, measure: str) -> CodeValue:
        return self.values[measure]

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row: each value with its interval."""
        result: dict[str, Sequence[Any]] = {
            "code": [self.code],
            "n_uses": [self.n_uses],
            "n_items": [self.n_items],
        }
        for name, value in self.values.items():
            result |= {name: [value.value], **ends_of(name, ([value.low], [value.high]))}
        return result


class _Columns(NamedTuple):
    """Values of one measure, an entry for each code."""

    value: FloatArray
    error: FloatArray
    low: FloatArray
    high: FloatArray
    undefined: list[str | None]


def _ends(value: CodeValue | StandardError) -> tuple[Any, Any, Any]:
    """Give a value and the ends of its interval as cells."""
    if value.undefined is not None:
        return "-", "", ""
    return value.value, value.low, value.high


class CodeTable(Sectioned, MadeRows[CodeAgreement]):
    """The agreement on each code, as returned by `code_agreement`.

    This is a sequence of `CodeAgreement` and a table with one row per code; ``table.of(code)``
    returns one of them.

    Attributes
    ----------
    codes : tuple
    coefficients : tuple of str
    n_items : int
        The number of items with two or more judgments, weights counted.
    n_coders : int or None
    confidence_level : float
    mean, pooled, micro : dict
        For each coefficient, a `CodeValue` of all codes together; see `code_agreement`.
    """

    _caption = "agreement on each of {codes:code}, {n_items:item}; pooled: {pooled}"
    _remarks = ""

    def sections(
        self, explain: bool = True, sets: Sequence[StandardError] = ()
    ) -> Iterator[Section]:
        """Give all codes together, those with the lowest agreement, and each.

        Parameters
        ----------
        explain : bool, default True
            Say what the numbers mean.
        sets : sequence of StandardError
            Coefficients of the sets as wholes.

        Yields
        ------
        Section
        """
        yield self._together(explain, sets)
        name = self.coefficients[0]
        defined = (row for row in self if row[name].undefined is None)
        rows = [
            (
                show_label(row.code, LONGEST),
                row.n_uses,
                *_ends(row[name]),
                _ends(row["positive_agreement"])[0],
            )
            for row in sorted(defined, key=lambda row: row[name].value)
        ]
        head = ("code", "uses", name, "from", "to", "positive")
        short = Shown(head, rows, "<>>>>>", "code", "--csv FILE writes all", brief=5)
        yield Section("Codes with the lowest agreement", [Brief(short)] if rows else [])
        meaning = (
            " Items: how many items some coder gave the code. Uses: how many judgments contain it."
            " The most used codes come first. Each value is followed by its"
            f" {show_level(self.confidence_level)} interval."
        )
        blocks: list[Plain] = [f"{self._counts}.{meaning * explain}"]
        for first in range(0, len(self.coefficients), BESIDE):
            blocks += ["", self._shown(self.coefficients[first : first + BESIDE], counts=True)]
        yield details("Each code", *blocks)
        meaning = (
            "Observed: how often two judgments of an item are alike. Positive: how often another"
            " coder gives the code if one does. Negative: how often another does not if one does"
            " not, which is high for every rare code."
        )
        shares = self._shown(SHARES, counts=False)
        yield details("Shares of agreement", *([meaning, ""] if explain else []), shares)
        yield from self._doubts()

    def _shown(self, names: Sequence[str], *, counts: bool) -> Shown:
        """Return the codes, the most used first, with values and intervals."""
        head = ["code", *(("items", "uses") if counts else ())]
        for name in names:
            head += [name.removesuffix("_agreement"), "from", "to"]
        rows = [
            (
                show_label(row.code, LONGEST),
                *((row.n_items, row.n_uses) if counts else ()),
                *(cell for name in names for cell in _ends(row[name])),
            )
            for row in sorted(self, key=lambda row: -row.n_uses)
        ]
        return Shown(head, rows, "", "code", "--csv FILE writes all", most=SHOWN)

    @property
    def _counts(self) -> str:
        n = self.n_coders
        coders = "unknown coders" if n is None else counted(n, "coder")
        items = counted(self.n_items, "item")
        return f"{counted(len(self), 'code')}, {items} with two judgments, {coders}"

    def _together(self, explain: bool, sets: Sequence[StandardError]) -> Section:
        rows = [
            (way, name, *_ends(getattr(self, way)[name]))
            for name in self.coefficients
            for way in TOGETHER
        ]
        names = [f"{entry.coefficient} ({entry.distance})" for entry in sets]
        rows += [("sets", name, *_ends(entry)) for name, entry in zip(names, sets, strict=True)]
        head = ("", "coefficient", "value", "from", "to")
        shown = Shown(head, rows, "<<>>>", "value", brief=len(TOGETHER), last=len(sets))
        blocks: list[Parts] = [Brief(f"{self._counts}."), shown]
        blocks += [
            f"sets: {name} is undefined ({entry.undefined})."
            for name, entry in zip(names, sets, strict=True)
            if entry.undefined is not None
        ]
        of_sets = {"sets": "whole sets are compared; sets that share codes agree in part"}
        meant = Terms([*TOGETHER.items(), *(of_sets.items() if sets else ())], wide=8)
        blocks += [Full(""), Full(meant)] if explain else []
        return Section("All codes together", blocks)

    def _doubts(self) -> list[Section]:
        """Explain undefined coefficients and intervals without width, if there are any."""
        each = [
            (name, show_label(row.code, 28), row[name])
            for row in self
            for name in self.coefficients
        ]
        reasons = by_reason(
            (code, value.undefined and f"{name} is undefined ({value.undefined})")
            for name, code, value in each
        )
        undefined = [f"{why}: {some_of(codes, 12, 60)}." for why, codes in reasons.items()]
        flat = [f"{name} of {code}" for name, code, value in each if value.high == value.low]
        text = (
            f"{some_of(flat, 12, 60)}: every sample of these items has this value, which says"
            " nothing about other items."
        )
        return [
            details("Undefined, and why", *undefined),
            details("Intervals without width", *[text] * bool(flat)),
        ]

    aside = DETAILS | {"n_uses", "observed_agreement", "negative_agreement"}

    def __init__(
        self,
        stacked: Stacked,
        result: Mapping[str, _Columns],
        together: Mapping[str, Mapping[str, CodeValue]],
        n_items: int,
        n_coders: int | None,
        confidence_level: float,
    ) -> None:
        self.codes = stacked.codes
        self.coefficients = tuple(name for name in result if name not in SHARES)
        self.n_items, self.n_coders = n_items, n_coders
        self.confidence_level = confidence_level
        self.mean, self.pooled, self.micro = (dict(together[way]) for way in TOGETHER)
        self._values = dict(result)
        self._uses, self._items = stacked.n_uses, stacked.n_items

    def __len__(self) -> int:
        return len(self.codes)

    def _made(self, places: Sequence[int]) -> Iterator[CodeAgreement]:
        for i in places:
            values = {
                name: CodeValue(
                    name,
                    value=float(entry.value[i]),
                    standard_error=float(entry.error[i]),
                    low=float(entry.low[i]),
                    high=float(entry.high[i]),
                    confidence_level=self.confidence_level,
                    undefined=entry.undefined[i],
                )
                for name, entry in self._values.items()
            }
            yield CodeAgreement(self.codes[i], int(self._uses[i]), int(self._items[i]), values)

    def of(self, code: Any) -> CodeAgreement:
        """Return the agreement on a code.

        Raises
        ------
        KeyError
            If nobody gave the code.
        """
        if code not in self.codes:
            some = some_of(self.codes, 8, 24)
            raise UnknownKeyError(f"{code!r} is not a code; the codes are {some}", argument="code")
        return self[self.codes.index(code)]

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with one row per code.

        Returns
        -------
        dict
            "code", "n_uses", "n_items"; for each measure NAME, NAME_low and NAME_high; then
            "confidence_level", and "undefined", the reason if there is no coefficient.
        """
        columns: dict[str, Sequence[Any] | Array] = {
            "code": list(self.codes),
            "n_uses": self._uses,
            "n_items": self._items,
        }
        for name, entry in self._values.items():
            columns |= {name: entry.value, **ends_of(name, (entry.low, entry.high))}
        columns["confidence_level"] = [self.confidence_level] * len(self)
        columns["undefined"] = self._values[self.coefficients[0]].undefined
        return columns


def code_agreement(
    data: JudgmentsLike,
    coefficient: str | Iterable[str] = ("kappa", "alpha"),
    *,
    confidence_level: float = 0.95,
    incomplete: Incomplete = "pairable",
    **reading: Unpack[ReadingOptions],
) -> CodeTable:
    """Compute agreement on each code of labels that are sets, and on all codes together.

    Each code is treated as a label of its own, given or not given, over the same items. A judgment
    without the code, such as the empty set, is "not given"; a missing judgment stays missing.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; labels must be sets.
    coefficient : str or sequence of str, default ("kappa", "alpha")
        Names or aliases of coefficients; they use the nominal distance.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    incomplete : {"pairable", "published", "complete"}
        Which items count if judgments are missing: those with two or more judgments (the default),
        those of each coefficient's published definition, or those that every coder judged. With
        "published", a rare code in an item with a single judgment changes kappa and pi strongly.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    CodeTable
        The agreement on each code, and on all codes together.

    Raises
    ------
    ValueError
        If labels are not sets, a coefficient is unknown, or it needs coders that are unknown.

    Notes
    -----
    The table combines the codes in three ways:

    - ``mean``: the mean of the codes' values without undefined ones.
    - ``pooled``: 1 − Σ D_o / Σ D_e over the codes. Observed and expected agreement are averaged
      first (De Vries, Elliott, Kanouse & Teleki 2008), so a rare code, with a small D_e, counts
      less.
    - ``micro``: one coefficient of the sum of the codes' tables of given and not given. It also
      credits coders for knowing which codes are frequent.

    Intervals of each code are those of `inference.standard_error`. Those of codes together are made
    in the same way from the sum of the codes' influences in each item, the items being the sample;
    the priors of the codes are the same items. Those of observed agreement are as in
    `observed_agreement`, those of positive and negative agreement as in `category_agreement` for
    two categories. The cost is O(uses + codes × patterns of coders).

    References
    ----------
    Cicchetti, D. V. & Feinstein, A. R. (1990). High agreement but low kappa: II. Resolving the
    paradoxes. Journal of Clinical Epidemiology 43, 551–558.

    De Vries, H., Elliott, M. N., Kanouse, D. E. & Teleki, S. S. (2008). Using pooled kappa to
    summarize interrater agreement across many items. Field Methods 20, 272–282.

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> table = [
    ...     ({"trust"}, {"trust"}), ({"trust", "cost"}, {"trust"}), ({"cost"}, {"cost"}),
    ...     (set(), {"cost"}), (set(), set()), ({"trust"}, {"trust", "cost"}),
    ... ]
    >>> result = diagnostics.code_agreement(table)
    >>> for row in result:
    ...     print(row.code, round(row["kappa"], 3), round(row["positive_agreement"], 3))
    cost 0.0 0.4
    trust 1.0 1.0
    >>> round(result.pooled["kappa"], 3), round(result.mean["kappa"], 3)
    (0.5, 0.5)
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    points = chosen(coefficient, "nominal", annotations.n_coders is not None)
    if any(point.chance.knows_coders for point in points):
        annotations.known_coders("a chance model of individual coders (κ, β)")
    stacked = Stacked(annotations, points, incomplete)
    computed = [_Computed(stacked, point, confidence_level) for point in points]
    shares = _Shares(stacked, confidence_level)
    for block in stacked.blocks():
        sums = block.made.sums_of(block.groups)
        for entry in computed:
            entry.add(block, sums)
        shares.add(block)
    for block in stacked.blocks():
        sums = block.made.sums_of(block.groups)
        for entry in computed:
            entry.add_together(block, sums)
    result = {element.point.name: element.columns() for element in computed} | shares.columns()
    of_all = {element.point.name: element.together() for element in computed}
    together = {way: {name: element[way] for name, element in of_all.items()} for way in TOGETHER}
    return CodeTable(
        stacked, result, together, shares.n_items, annotations.n_coders, confidence_level
    )


class _Items:
    """A sum over the codes for each item."""

    def __init__(self, stacked: Stacked) -> None:
        self._stacked = stacked
        self._of_items = np.zeros(len(stacked.weights))
        self._of_patterns = np.zeros(int(stacked.pattern_of.max(initial=-1)) + 1)

    def add(self, values: FloatArray, block: Block) -> None:
        """Add a value for each row of a block; those that are not finite count as 0."""
        values = np.where(np.isfinite(values), values, 0.0)
        self._stacked.by_item(values, block, self._of_items, self._of_patterns)

    def total(self) -> FloatArray:
        """Return the sums over all codes."""
        return np.asarray(self._of_items + self._of_patterns[self._stacked.pattern_of])


class _Together:
    """A value of all codes together, from the influences of each."""

    def __init__(self, stacked: Stacked) -> None:
        self._plain, self._shifted = _Items(stacked), _Items(stacked)
        self._mean = Mean()
        self._summed: Influence | None = None

    def add(
        self, block: Block, plain: FloatArray, influence: Influence, shares: FloatArray
    ) -> None:
        """Add the influences of codes, without the prior and with it, by the codes' shares."""
        self._plain.add(plain, block)
        self._shifted.add(self._mean.add(influence, shares), block)

    def add_summed(self, block: Block, plain: FloatArray, influence: Influence) -> None:
        """Add a block's influences on the coefficient of the summed tables."""
        self._plain.add(plain, block)
        self._shifted.add(influence.of_rows, block)
        self._summed = influence

    def value(
        self, name: str, value: float, sampled: FloatArray, confidence_level: float, why: str
    ) -> CodeValue:
        """Return the value with its interval."""
        if np.isnan(value):
            return CodeValue(name, value=value, confidence_level=confidence_level, undefined=why)
        error = float(standard_errors(self._plain.total(), sampled)[0])
        of_rows = self._shifted.total()
        if self._summed is None:
            scored = self._mean.score(value, of_rows, sampled)
        else:
            items = Groups(np.zeros(len(sampled), np.int64), 1)
            scored = self._summed._replace(of_rows=of_rows, sampled=sampled, groups=items).score()
        error = 0.0 if 2 * error <= ROUNDING * max(1.0, abs(value)) else error
        return CodeValue(
            name,
            value=value,
            standard_error=error,
            **ends_of("", scored.ends_of_one(confidence_level)),
            confidence_level=confidence_level,
        )


class _Computed:
    """A coefficient of each code, and of all codes together."""

    def __init__(self, stacked: Stacked, point: Point, confidence_level: float) -> None:
        n_codes = len(stacked.codes)
        self.point = point
        self._stacked = stacked
        self._level = confidence_level
        self._value, self._observed, self._expected = np.full((3, n_codes), np.nan)
        self._error, self._low, self._high = np.full((3, n_codes), np.nan)
        #: D_o and D_e of the codes with the prior.
        self._shifted = np.full((2, n_codes), np.nan)
        self._ways = {way: _Together(stacked) for way in TOGETHER}
        self._sampled = np.zeros(len(stacked.weights))
        self._total: Sums | None = None
        self._micro = np.nan

    def add(self, block: Block, sums: Sums) -> None:
        """Compute the codes of a block."""
        made, groups, point = block.made, block.groups, self.point
        some = slice(block.first, block.last)
        shape = (made.items.n_coders or 1 if point.chance.knows_coders else 1, 2)
        scored, self._observed[some], self._expected[some], self._error[some], _ = of_tables(
            block.rows, block.start, point, Nominal(2), shape, self._stacked.least
        )
        self._value[some] = scored.value
        self._low[some], self._high[some] = scored.ends(self._level)
        result = influence_of(made, point, sums, scored.value, groups)
        self._shifted[:, some] = (1 - result.centre) * result.expected, result.expected
        # Add the sums of all groups to a total of one group
        of_all, whole = sums.plain.sum(0, keepdims=True), self._total
        marginals = {name: of.sum(0, keepdims=True) for name, of in sums.marginals.items()}
        if whole is not None:
            of_all = of_all + whole.plain
            marginals = {name: of + whole.marginals[name] for name, of in marginals.items()}
        self._total = Sums(of_all, marginals, {})
        if block.first == 0:
            # All codes have the same items.
            items = _Items(self._stacked)
            part = made.kept if point.of_pairs else made.counted
            items.add(
                part.astype(np.float64),
                block._replace(items=block.items[:0], patterns=block.patterns[:1]),
            )
            self._sampled = items.total() * self._stacked.weights

    def add_together(self, block: Block, sums: Sums) -> None:
        """Add a block's part of the influences on values of all codes."""
        assert self._total is not None
        made, groups, point = block.made, block.groups, self.point
        value = self._value[block.first : block.last]
        expected, total = self._shifted[1, block.first : block.last], self._shifted
        with np.errstate(divide="ignore", invalid="ignore"):
            result = influence_of(made, point, sums, value, groups)
            shares = ~np.isnan(value) / np.count_nonzero(~np.isnan(self._value))
            plain = influences(made, point, sums, groups)
            self._ways["mean"].add(block, shares[groups.codes] * plain, result, shares)
            ratio = np.full(len(value), np.nansum(total[0]) / np.nansum(total[1]))
            result = influence_of(made, point, sums, value, groups, ratio)
            whole = self._expected.sum()
            ratio = np.full(len(value), self._observed.sum() / whole)
            slopes = slopes_of(made, point, sums, groups, ratio=ratio)
            by_chance = slopes.expected[groups.codes]
            plain = slopes.of_rows(made, point, groups) * by_chance
            plain[by_chance == 0] = 0.0  # all labels are equal
            shares = np.nan_to_num(expected / np.nansum(total[1]))
            self._ways["pooled"].add(block, plain / whole, result, shares)
            micro = made.values(self._total)[made.points.index(point)].value
            self._micro = float(micro[0])
            result = influence_of(made, point, self._total, micro)
            plain = influences(made, point, self._total)
            self._ways["micro"].add_summed(block, plain, result)

    def columns(self) -> _Columns:
        undefined = [
            None if not np.isnan(v) else NO_PAIRS if np.isnan(o) else NO_VARIATION
            for v, o in zip(self._value.tolist(), self._observed.tolist(), strict=True)
        ]
        return _Columns(self._value, self._error, self._low, self._high, undefined)

    def together(self) -> dict[str, CodeValue]:
        """Return the mean, the pooled and the micro value, which a single code has itself."""
        if len(self._value) == 1 and not np.isnan(self._value[0]):
            columns = self._value, self._error, self._low, self._high
            value, error, *ends = (float(column[0]) for column in columns)
            alone = CodeValue(
                self.point.name,
                value=value,
                standard_error=error,
                **ends_of("", ends),
                confidence_level=self._level,
            )
            return dict.fromkeys(TOGETHER, alone)
        defined = self._value[~np.isnan(self._value)]
        expected = float(self._expected.sum())
        values = {
            "mean": float(defined.mean()) if len(defined) else np.nan,
            "pooled": 1 - float(self._observed.sum()) / expected if expected > 0 else np.nan,
            "micro": self._micro,
        }
        no_pairs = len(self._observed) > 0 and np.isnan(self._observed).all()
        why = NO_PAIRS if no_pairs else NO_CODE
        return {
            way: self._ways[way].value(self.point.name, value, self._sampled, self._level, why)
            for way, value in values.items()
        }


class _Shares:
    """Observed, positive and negative agreement of each code."""

    def __init__(self, stacked: Stacked, confidence_level: float) -> None:
        n_codes = len(stacked.codes)
        self._level = confidence_level
        #: Values, errors, low and high ends by name.
        self._values: dict[str, FloatArray] = {
            name: np.full((4, n_codes), np.nan) for name in SHARES
        }
        self.n_items = 0

    def add(self, block: Block) -> None:
        """Compute the codes of a block."""
        groups, given = block.groups, block.given
        weights = np.where(block.made.kept, block.made.items.weights, 0)
        sizes = block.made.items.sizes.astype(np.int64)
        n = groups.sums(weights)
        self.n_items = int(n[0])
        # The share of pairs of judgments of each item that are the same
        apart = 2 * given * (sizes - given) / np.maximum(sizes * (sizes - 1), 1)
        with np.errstate(divide="ignore", invalid="ignore"):  # codes without a value
            value = groups.sums(weights * (1.0 - apart)) / n
            squares = groups.sums(weights * (1.0 - apart - value[groups.codes]) ** 2)
            error = np.sqrt(squares) / n
        ends = share_interval(value, squares, n, self._level, "score")
        tallies = Tallies.of(groups.codes, weights, given, sizes)
        some = slice(block.first, block.last)
        self._values["observed_agreement"][:, some] = value, error, *ends
        for name, of in (("positive", tallies), ("negative", tallies.opposite())):
            value, spread = share_intervals(of, groups.n, self._level)
            self._values[f"{name}_agreement"][:, some] = value, *spread

    def columns(self) -> dict[str, _Columns]:
        out = {}
        for name, why in zip(SHARES, (NO_PAIRS, NEVER_GIVEN, ALWAYS_GIVEN), strict=True):
            value, error, low, high = self._values[name]
            undefined = [why if np.isnan(element) else None for element in value.tolist()]
            out[name] = _Columns(value, error, low, high, undefined)
        return out
