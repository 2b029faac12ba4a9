"""Components of variance: what items, coders and their repeats add, and what a study needs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, components
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations, read_by
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference import judgments_needed
from agreement_fast.inference.results import ONE_ITEM
from agreement_fast.measures.measure import EXACT, NO_VARIATION, Ratings, wrong_data
from agreement_fast.options import ByName, Label, check_count, check_share
from agreement_fast.present.tables import DETAILS, Aligned, ends_of
from agreement_fast.reading import frames
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.reading.repeats import joined_key
from agreement_fast.reading.tables import named_columns

ITEM, CODER, REPEAT, BOTH, REST = "item", "coder", "repeat", "item × coder", "residual"

#: Sources whose levels belong to a single item: a pattern has them once for each of its items.
OF_ITEMS = frozenset({ITEM, BOTH, REST})

#: How many values of each mean square an interval is made of.
N_DRAWS = 2048

NEGATIVE = "estimated below 0, and counted as 0 in shares and plans"
NO_REST = "no item was judged by two coders who also share other items, so nothing is left as error"


class Form(NamedTuple):
    """A sum of squares and what it is expected to be: a multiple of each component, added up."""

    value: float
    #: One for each source; the last, that of the residual, is the degrees of freedom.
    expected: FloatArray

    def less(self, *others: Form) -> Form:
        """Subtract other forms."""
        return Form(
            self.value - sum(other.value for other in others),
            self.expected - np.sum([other.expected for other in others], axis=0),
        )


class Judged:
    """Judgments one by one: the level of each source that they belong to.

    A pattern of judgments that several items have is there once, with their number as its weight.
    """

    def __init__(self, ratings: Ratings, coder_of: Array | None) -> None:
        item, column, values = ratings.cells()
        self.weights = ratings.weights[item].astype(np.float64)
        self.n = float(self.weights.sum())
        self.values = values - self.weights @ values / max(self.n, 1.0)
        coder = column if coder_of is None else coder_of[column]
        levels = {ITEM: item, CODER: coder}
        if coder_of is not None:
            levels |= {REPEAT: column, BOTH: item * (int(coder.max(initial=0)) + 1) + coder}
        levels[REST] = np.arange(len(item))
        #: The level of each judgment, by source; the levels are numbered from 0.
        self.levels = {name: np.unique(of, return_inverse=True)[1] for name, of in levels.items()}

    def items_of(self, source: str) -> FloatArray:
        """Return for how many items each level of a source stands; 1 for a coder."""
        level = self.levels[source]
        out = np.ones(int(level.max(initial=-1)) + 1)
        if source in OF_ITEMS:
            out[level] = self.weights
        return out

    def means(self, source: str, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the mean of each level of a source, and its number of judgments."""
        level = self.levels[source]
        weights = None if source in OF_ITEMS else self.weights
        n = np.bincount(level, weights).astype(np.float64)
        return np.bincount(level, values if weights is None else weights * values) / n, n

    def form(self, source: str) -> Form:
        """Sum the squares of the levels' sums, each over its number of judgments. O(judgments)."""
        mean, n = self.means(source, self.values)
        items = self.items_of(source)
        level, expected = self.levels[source], []
        for other, theirs in self.levels.items():
            if other == source or source == REST:
                expected.append(self.n)
            elif other == REST:
                expected.append(float(items.sum()))
            else:
                shared = source in OF_ITEMS or other in OF_ITEMS
                pair, first, place = np.unique(
                    level * (int(theirs.max()) + 1) + theirs, return_index=True, return_inverse=True
                )
                both = np.bincount(place, None if shared else self.weights, len(pair))
                times = self.weights[first] if shared else 1.0
                expected.append(float((times * both**2 / n[level[first]]).sum()))
        return Form(float(items @ (n * mean**2)), np.array(expected))

    def whole(self) -> Form:
        """Sum the squares of all judgments less their mean, with what their mean takes away."""
        taken = []
        for source in self.levels:
            _, n = self.means(source, self.values)
            taken.append(float(self.items_of(source) @ n**2) / self.n)
        return Form(float(self.weights @ self.values**2), self.n - np.array(taken))

    def effects(self, rows: str, columns: str, values: FloatArray) -> FloatArray:
        """Fit values by an effect of each level of both sources; return that of the columns.

        Least squares, with the effects of rows eliminated, by conjugate gradients: O(judgments) for
        each of a few steps.
        """
        from scipy.sparse.linalg import LinearOperator, cg

        column, w = self.levels[columns], self.weights
        _, n = self.means(columns, values)

        def away(of: FloatArray) -> FloatArray:
            return np.asarray(of - self.means(rows, of)[0][self.levels[rows]])

        def normal(effect: FloatArray) -> FloatArray:
            return np.asarray(np.bincount(column, w * away(effect.ravel()[column]), len(n)), float)

        right = np.bincount(column, w * away(values), len(n))
        operator = LinearOperator((len(n), len(n)), matvec=normal, dtype=np.float64)
        scale = LinearOperator((len(n), len(n)), matvec=lambda v: v.ravel() / n, dtype=np.float64)
        # Squares that are left differ by the square of what the effects do.
        none = 1e-13 * float(w @ np.abs(values))
        effect, _ = cg(operator, right, rtol=1e-10, atol=none, M=scale)
        return np.asarray(effect[column])

    def left(self, rows: str, columns: str) -> tuple[Form, FloatArray]:
        """Return the squares that effects of two sources leave, and the effects of the columns."""
        effect = self.effects(rows, columns, self.values)
        moved = self.values - effect
        rest = moved - self.means(rows, moved)[0][self.levels[rows]]
        squares = float(self.weights @ rest**2)
        # Differences within the rounding error count as 0.
        squares *= squares > 1e-22 * float(self.weights @ self.values**2)
        own, theirs = self.levels[rows], self.levels[columns]
        size = int(own.max()) + 1
        n_columns = int(theirs.max()) + 1
        n_parts = int(components(size + n_columns, own, size + theirs).max()) + 1
        expected = np.zeros(len(self.levels))
        expected[-1] = self.n - (self.items_of(rows).sum() + n_columns - n_parts)
        return Form(squares, expected), effect

    def parts(self) -> tuple[list[Form], FloatArray]:
        """Return the sum of squares of each source, and the values less the effects of coders."""
        of_items, of_coders, whole = self.form(ITEM), self.form(CODER), self.form(REST)
        if REPEAT not in self.levels:
            rest, effect = self.left(ITEM, CODER)
            parts = [whole.less(of_coders, rest), whole.less(of_items, rest), rest]
            return parts, self.values - effect
        rest, effect = self.left(BOTH, REPEAT)
        mean = whole.less(self.whole())
        both = self.form(BOTH)
        parts = [
            of_items.less(mean),
            of_coders.less(mean),
            whole.less(both, rest),
            both.less(of_items, of_coders.less(mean)),
            rest,
        ]
        moved = self.values - effect
        return parts, moved - self.effects(ITEM, CODER, moved)

    def freedom(self, parts: Sequence[Form], moved: FloatArray, value: FloatArray) -> FloatArray:
        """Return the degrees of freedom of each mean square, as its spread over the items has them.

        A mean square of normal judgments has the variance 2 M² / df; with it, the variance that is
        observed over the items gives df. Those of coders and repeats are counted.
        """
        out = np.array([part.expected[-1] if part.value else math.nan for part in parts])
        names = list(self.levels)
        item = self.levels[ITEM]
        n = np.bincount(item).astype(np.float64)
        weights, total = self.items_of(ITEM), self.items_of(ITEM).sum()
        cell = BOTH if BOTH in self.levels else REST
        cells = np.bincount(item, 1 / self.means(cell, moved)[1][self.levels[cell]])
        of_item = self.means(ITEM, moved)[0]
        of_cell = self.means(cell, moved)[0][self.levels[cell]]
        middle = weights @ (n * of_item) / self.n
        within = np.bincount(item, (of_cell - of_item[item]) ** 2)
        inner = names.index(cell)
        noise = parts[inner].value / max(parts[inner].expected[-1], 1.0)
        squares = {
            ITEM: (n * (of_item - middle) ** 2, n * max(value[0], 0.0) + noise),
            cell: (within, cells - 1),
        }
        if cell == BOTH:
            squares[REST] = (np.bincount(item, (moved - of_cell) ** 2), n - cells)
        for name, (square, likely) in squares.items():
            both = weights @ square, weights @ likely
            if both[0] > 0 and both[1] > 0:
                spread = weights @ (square - likely * both[0] / both[1]) ** 2
                place = names.index(name)
                counted = out[place] * spread * total / (total - 1)
                # Few items hide how much squares spread.
                few = total / (total + 3)
                out[place] *= few * min(1.0, 2 * both[0] ** 2 / counted if counted else 1.0)
        return out


def _draws(parts: Sequence[Form], freedom: FloatArray) -> FloatArray:
    """Return values of the components as their generalized intervals have them (Weerahandi 1995).

    Each mean square is its expectation times χ² / df, so over χ² / df it stands for what is
    expected; the components follow from it as they do from the mean squares. The draws are evenly
    spread and the same in each call.
    """
    from scipy.special import gammaincinv

    roots = np.sqrt([2.0, 3.0, 5.0, 7.0, 11.0])[: len(parts)]
    share = (0.5 + np.arange(1, N_DRAWS + 1)[:, None] * roots) % 1
    chance = gammaincinv(freedom / 2, share) * 2 / freedom
    drawn = np.array([part.value for part in parts]) / chance
    return np.asarray(np.linalg.solve(np.array([part.expected for part in parts]), drawn.T).T)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plan(Aligned):
    """What a study of N plans is expected to have; arrays have shape (N,).

    Attributes
    ----------
    n_coders, n_repeats : int64
        The number of coders, and of judgments of each item by each coder.
    g, g_low, g_high : float64
        The generalizability coefficient of the mean of an item's judgments, and its interval: how
        well it orders the items. Errors are what all coders do not have in common on an item.
    phi, phi_low, phi_high : float64
        The index of dependability Φ and its interval: how near the mean is to that of all coders
        there could be. What coders differ by on all items is an error, too.
    gain : float64
        How much Φ rises with one more coder.
    item_error : float64
        The standard error of an item's mean, in units of the ratings.
    mean_error : float64
        The standard error of the mean over `n_items` items, such as the score of a benchmark.
    n_items : int64
    confidence_level : float
    """

    _table = (
        "n_coders | n_repeats | G = g | g_low..g_high | Φ = phi | phi_low..phi_high | one more "
        "coder = gain:+ | error of an item = item_error | of the mean = mean_error"
    )
    _remarks = "undefined"
    _most = None

    aside = DETAILS | {"n_items"}

    n_coders: Array
    n_repeats: Array
    g: FloatArray
    g_low: FloatArray
    g_high: FloatArray
    phi: FloatArray
    phi_low: FloatArray
    phi_high: FloatArray
    gain: FloatArray
    item_error: FloatArray
    mean_error: FloatArray
    n_items: Array
    confidence_level: float

    _column_names = (
        "n_coders n_repeats g g_low g_high phi phi_low phi_high gain item_error mean_error n_items "
        "confidence_level"
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VarianceComponents(Aligned):
    """How much of the spread of ratings each of S sources adds; arrays have shape (S,).

    Attributes
    ----------
    sources : tuple of str
        "item", "coder" and "residual"; with repeats also "repeat" (what a repeat of a coder adds
        to all items) and "item × coder", which is else part of the residual.
    value, low, high : float64
        The variance, and the ends of its interval. An estimate may be below 0.
    share, share_low, share_high : float64
        The share of the sum of all components, with 0 for those below.
    degrees_of_freedom : float64
        Those of the mean squares behind the intervals.
    n_items, n_coders, n_judgments : int
    confidence_level : float
    draws : float64 array of shape (2048, S)
        Values of the components from which all intervals are made.
    note : tuple of S str or None
    undefined : str or None
        Why there are no components.
    """

    _caption = (
        "components of variance of {n_judgments:rating} of {n_items:item} by {n_coders:coder}[: "
        "{_shares}]"
    )
    _table = "source | variance = value | low..high | share:% | share_low..share_high:%"
    _remarks = "undefined"
    _most = None

    def _shares(self) -> str:
        shares = zip(self.sources, self.share.tolist(), strict=True)
        known = self.undefined is None
        return ", ".join(f"{name} {share:.1%}" for name, share in shares) if known else ""

    sources: tuple[str, ...]
    value: FloatArray
    low: FloatArray
    high: FloatArray
    share: FloatArray
    share_low: FloatArray
    share_high: FloatArray
    degrees_of_freedom: FloatArray
    n_items: int
    n_coders: int
    n_judgments: int
    confidence_level: float
    draws: FloatArray
    note: tuple[str | None, ...]
    undefined: str | None

    _column_names = (
        "source=sources value low high share share_low share_high degrees_of_freedom "
        "confidence_level note"
    )

    def notes(self) -> list[str]:
        """Return what is to be said of single components."""
        return [
            f"{source}: {note}"
            for source, note in zip(self.sources, self.note, strict=True)
            if note is not None
        ]

    def _errors(self, components: FloatArray, n: Array, repeats: Array) -> tuple[FloatArray, ...]:
        """Return the variances of items, and of errors without and with the bias of coders."""
        of = dict(zip(self.sources, np.maximum(components, 0.0).T[..., None], strict=True))
        zero = np.zeros(1)
        relative = of.get(BOTH, zero) / n + of[REST] / (n * repeats)
        bias = of[CODER] / n + of.get(REPEAT, zero) / (n * repeats)
        return of[ITEM], relative, relative + bias

    def plan(
        self,
        n_coders: int | Sequence[int] = (1, 2, 3, 4, 5, 7, 10),
        n_repeats: int | Sequence[int] = 1,
        *,
        n_items: int | None = None,
    ) -> Plan:
        """Compute what other numbers of coders, repeats and items would have (a D study).

        Parameters
        ----------
        n_coders : int or sequence of int
            Numbers of coders who judge each item.
        n_repeats : int or sequence of int, default 1
            Numbers of judgments of each item by each coder; above 1 for data with repeats.
        n_items : int, optional
            The number of items over which a mean is taken; by default, those of the data.

        Returns
        -------
        Plan
            A row for each number of coders and each number of repeats.

        Raises
        ------
        ValueError
            If a number is below 1, or the data have no repeats to plan with.

        Notes
        -----
        For items that all coders of a plan judge. If each item has coders of its own, G is Φ. The
        values below 0 count as 0. Φ of n coders is that of one by the formula of Spearman and
        Brown, so each further coder is worth less. O(2048) for each plan.

        Examples
        --------
        >>> import agreement_fast as af
        >>> table = [
        ...     [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]
        ... ]
        >>> plan = af.measures.variance_components(table).plan([1, 4, 8])
        >>> plan.g.round(2).tolist(), plan.phi.round(2).tolist()
        ([0.71, 0.91, 0.95], [0.29, 0.62, 0.77])
        """
        numbers: dict[str, list[int]] = {}
        for name, value in (("n_coders", n_coders), ("n_repeats", n_repeats)):
            several = value if isinstance(value, Sequence | np.ndarray) else [value]
            numbers[name] = [check_count(name, number, 1) for number in several]
        if BOTH not in self.sources and max(numbers["n_repeats"]) > 1:
            raise InputError(
                "without repeats in the data, there is no component of repeats to plan with",
                ("compute the components of data in which coders judge items again, see ",
                 Argument("round")),
                argument="n_repeats",
            )  # fmt: skip
        items = self.n_items if n_items is None else check_count("n_items", n_items, 1)
        grid = np.array([(n, r) for r in numbers["n_repeats"] for n in numbers["n_coders"]])
        n, repeats = grid.T.reshape(2, -1)
        of_items, relative, absolute = self._errors(self.value, n, repeats)
        drawn = self._errors(self.draws, n, repeats)
        ends = {}
        with np.errstate(invalid="ignore"):
            for name, error, of_draws in (
                ("g", relative, drawn[1]), ("phi", absolute, drawn[2])
            ):  # fmt: skip
                ends[name] = of_items / (of_items + error)
                ends |= ends_of(
                    name, _ends(drawn[0] / (drawn[0] + of_draws), self.confidence_level)
                )
            more = self._errors(self.value, n + 1, repeats)[2]
            gain = of_items / (of_items + more) - ends["phi"]
        bias = absolute - relative
        return Plan(
            n_coders=n,
            n_repeats=repeats,
            **ends,
            gain=gain,
            item_error=np.sqrt(absolute),
            mean_error=np.sqrt((of_items + relative) / items + bias),
            n_items=np.full(len(n), items),
            confidence_level=self.confidence_level,
        )

    def coders_needed(
        self, target: float = 0.8, *, n_repeats: int = 1, absolute: bool = True
    ) -> int:
        """Compute how many coders an item needs for Φ, or for G, to reach a value.

        Parameters
        ----------
        target : float, default 0.8
            The value to reach, between 0 and 1.
        n_repeats : int, default 1
            The number of judgments of each item by each coder.
        absolute : bool, default True
            Whether Φ is to reach it, in which the bias of coders is an error; else G.

        Returns
        -------
        int
            The number of coders.

        Raises
        ------
        ValueError
            If the items do not differ, so that no number of coders is enough.

        Examples
        --------
        >>> import agreement_fast as af
        >>> table = [[1, 2, 1], [3, 4, 4], [2, 4, 3], [5, 5, 4], [1, 3, 2]]
        >>> result = af.measures.variance_components(table)
        >>> result.coders_needed(0.9), result.coders_needed(0.9, absolute=False)
        (4, 2)
        """
        single = self.plan(1, n_repeats)
        return judgments_needed(float((single.phi if absolute else single.g)[0]), target)


def _ends(draws: FloatArray, level: float) -> FloatArray:
    """Return the ends of the interval of each column."""
    return np.asarray(np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0))


def _with_rounds(
    data: Any, round: Any, **reading: Unpack[ReadingOptions]
) -> tuple[Annotations, Array]:
    """Read ratings whose coders are named by coder and round; return the coder of each."""
    if isinstance(round, Mapping):
        annotations = as_annotations(data, **reading)
        names = list(annotations.known_coders("a component of repeats"))
        people: list[Hashable] = [round.get(name, name) for name in names]
    else:
        named, options, weights = read_by(**reading)
        layout = None if named.layout == "long" else named.layout
        for argument, value in (("layout", layout), ("weights", weights)):
            if value is not None:
                raise InputError(
                    (Argument(argument, value), " is not for rounds in a column: each row is a "
                     "judgment"),
                    ("leave out ", Argument(argument)),
                )  # fmt: skip
        columns = named_columns(data)
        table = frames.at_hand(data) if columns is None else frames.NamedColumns(columns)
        roles = frames.judgment_roles(table, item=named.item, coder=named.coder, label=named.label)
        items, coders, labels, rounds = frames.pick(table, **roles, round=round)
        annotations = Annotations.from_long(
            items, joined_key([coders, rounds]), labels, missing=options.missing,
            categories=options.categories, duplicates=reading.get("duplicates", "error"),
        )  # fmt: skip
        people = [name[0] for name in annotations.known_coders("a component of repeats")]
    place = {person: i for i, person in enumerate(dict.fromkeys(people))}
    if len(place) < 2:
        raise wrong_data(
            f"the repeats are all of one coder, {people[0]!r}, so they say nothing of coders",
            "pass the rounds as the coders",
        )
    return annotations, np.array([place[person] for person in people])


def variance_components(
    data: JudgmentsLike,
    *,
    round: str | ByName[Label] | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> VarianceComponents:
    """Compute how much of the spread of ratings is items, coders, repeats and interactions.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers. Judgments may be missing.
    round : str or mapping of coder to coder, optional
        Where coders judged items again: the column of the round or run in a table with one
        judgment per row. For any other data, a mapping of coders to whom they are repeats of, such
        as ``{"gpt 1": "gpt", "gpt 2": "gpt"}``.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    VarianceComponents
        A row for each source. `plan` has the coefficients of other numbers of coders and repeats,
        `coders_needed` the number that reaches one.

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two coders, or `data` are counts
        without coders.

    Notes
    -----
    The rating of item i by coder c is a mean, an effect of the item, one of the coder and a
    residual, and with repeats r also effects of r and of i with c; all are random, and r belongs to
    its coder. Components make sums of squares equal what is expected of them. With all ratings,
    these are those of the analysis of variance (Cronbach et al. 1972; Brennan 2001), so that
    ICC(2,1) is Φ and ICC(3,1) is G of one coder. With gaps, they are those of Henderson's (1953)
    method 3, in which the squares of each effect are adjusted for the others; with repeats,
    residual and repeats are by method 3, the others by method 1. Estimates are unbiased for any
    pattern of gaps that does not depend on the ratings.

    Intervals are generalized (Weerahandi 1995); for normal effects they hold near their level. The
    degrees of freedom of items and residuals are those by which the squares spread
    over the items, so that noise may differ between items. Coders and repeats are taken for a
    sample of normal effects, and a few say little: with three coders, their component is known
    within a factor of a hundred. O(judgments) for a few steps.

    References
    ----------
    Brennan, R. L. (2001). Generalizability Theory. Springer.

    Cronbach, L. J., Gleser, G. C., Nanda, H., & Rajaratnam, N. (1972). The Dependability of
    Behavioral Measurements. Wiley.

    Henderson, C. R. (1953). Estimation of variance and covariance components. Biometrics 9,
    226-252.

    Weerahandi, S. (1995). Exact Statistical Methods for Data Analysis. Springer.

    Examples
    --------
    Shrout & Fleiss (1979), table 2:

    >>> import agreement_fast as af
    >>> table = [
    ...     [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]
    ... ]
    >>> result = af.measures.variance_components(table)
    >>> for source, value, share in zip(result.sources, result.value, result.share):
    ...     print(f"{source:9}{value:.2f}  {share:.0%}")
    item     2.56  29%
    coder    5.24  59%
    residual 1.02  12%
    >>> result.coders_needed(0.8)
    10
    """
    check_share("confidence_level", confidence_level)
    coder_of = None
    if round is None:
        annotations = as_annotations(data, **reading)
    else:
        annotations, coder_of = _with_rounds(data, round, **reading)
    judged = Judged(Ratings(annotations, "a component of variance"), coder_of)
    sources = tuple(judged.levels)
    value, freedom = np.full((2, len(sources)), math.nan)
    draws = np.full((1, len(sources)), math.nan)
    undefined: str | None = NO_REST
    n_items = int(judged.items_of(ITEM).sum())
    if n_items < 2:
        undefined = ONE_ITEM
    elif not judged.values.any():
        undefined = NO_VARIATION
    else:
        parts, moved = judged.parts()
        matrix = np.array([part.expected for part in parts])
        if matrix[-1, -1] > 0.5 and np.linalg.matrix_rank(matrix) == len(sources):
            undefined = None
            value = np.linalg.solve(matrix, np.array([part.value for part in parts]))
            freedom = judged.freedom(parts, moved, value)
            draws = _draws(parts, freedom)
    kept = np.maximum(value, 0.0)
    drawn = np.maximum(draws, 0.0)
    with np.errstate(invalid="ignore"):
        share, shares = kept / kept.sum(), drawn / drawn.sum(1, keepdims=True)
    return VarianceComponents(
        sources=sources,
        value=value,
        **ends_of("", _ends(draws, confidence_level)),
        share=share,
        **ends_of("share", _ends(shares, confidence_level)),
        degrees_of_freedom=freedom,
        n_items=n_items,
        n_coders=int(judged.levels[CODER].max(initial=-1)) + 1,
        n_judgments=int(judged.n),
        confidence_level=confidence_level,
        draws=draws,
        note=tuple(
            NEGATIVE if variance < 0 else EXACT if name == REST and variance == 0 else None
            for name, variance in zip(sources, value.tolist(), strict=True)
        ),
        undefined=undefined,
    )
