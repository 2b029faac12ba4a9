"""Each coefficient without each coder, all coders at once.

Without coder c an item loses one judgment, and a sum over items changes in the items that c judged.
The sums without c are therefore the sums of all, less the terms of the items of c, plus the terms
of these items without c. One pass over the judgments gathers both for all coders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray, ratio
from agreement_fast.chance import ITEM_WEIGHTS, ArrayMarginals, Chance, beyond_chance
from agreement_fast.coefficients import agreement
from agreement_fast.distances import Distance, ranked_among
from agreement_fast.distances.forms import Form
from agreement_fast.errors import InputError
from agreement_fast.patterns import group_equal
from agreement_fast.points import Point, chosen
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Agreement, place_of
from agreement_fast.subsets.judgments import ROOM, Judgments, pair_tables
from agreement_fast.sums.linear import Ranked
from agreement_fast.tables import DETAILS, Aligned, Table, Tabular
from agreement_fast.terminal import align, show_label

#: The most coders × categories² for which ordinal distances come from a table for each coder.
TABLES = 1 << 24

#: Categories² for each coder above which such tables cost more than one coder at a time.
TABLE = 64


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LeftOut(Aligned):
    """A coefficient without each of the coders.

    Attributes
    ----------
    coefficient, distance, incomplete : str
        Their names, and which items count.
    everybody : Agreement
        The coefficient of all coders.
    coders : tuple
        The coder who is left out.
    value, observed_disagreement, expected_disagreement : float64 arrays of shape (C,)
        The coefficient, D_o and D_e without each coder; NaN if undefined.
    n_items, n_judgments : int64 arrays of shape (C,)
        Items with two judgments or more without the coder, weights counted, and their judgments.
    undefined : tuple of C str or None
        Why there is no value.
    """

    aside = DETAILS | {"observed_disagreement", "expected_disagreement", "n_judgments"}

    coefficient: str
    distance: str
    incomplete: str
    everybody: Agreement
    coders: tuple[Any, ...]
    value: FloatArray
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    n_items: Array
    n_judgments: Array
    undefined: tuple[str | None, ...]

    _column_names = (
        "coder=coders coefficient distance value change observed_disagreement "
        "expected_disagreement n_items n_judgments undefined"
    )

    @property
    def change(self) -> FloatArray:
        """The change of the coefficient without each coder: positive for coders who lower it."""
        return np.asarray(self.value - self.everybody.value)

    def __repr__(self) -> str:
        return (
            f"<{self.coefficient}({self.distance}) without each of {len(self.coders)} coders: "
            f"{_least(self.value):.6g} to {_most(self.value):.6g}, "
            f"{self.everybody.value:.6g} with all>"
        )

    def __str__(self) -> str:
        """List the coders; the one without whom the coefficient is highest comes first."""
        order = np.argsort(-np.nan_to_num(self.value, nan=-np.inf), kind="stable")
        rows = [
            (
                show_label(self.coders[c]),
                f"{self.value[c]:.4f}",
                f"{self.change[c]:+.4f}",
                str(self.n_items[c]),
            )
            for c in order.tolist()
        ]
        head = ("without", "value", "change", "items")
        title = f"{self.coefficient} ({self.distance}) = {self.everybody.value:.4f}"
        return "\n".join([title, *align(head, rows, "<>>>", indent="")])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LeaveOneOut(Tabular):
    """Several coefficients without each of the coders: a sequence of `LeftOut`.

    ``table["alpha", "interval"]`` is a coefficient under a distance. ``table["pi"]`` is the one
    under the nominal distance, or the only one of that name.

    Attributes
    ----------
    studies : tuple of LeftOut
        In the order of the coefficients and distances.
    """

    aside = LeftOut.aside

    studies: tuple[LeftOut, ...]

    def __len__(self) -> int:
        return len(self.studies)

    def __iter__(self) -> Iterator[LeftOut]:
        return iter(self.studies)

    def __getitem__(self, key: str | tuple[str, Any]) -> LeftOut:
        return self.studies[place_of(key, self.studies)]

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each coefficient and coder who is left out."""
        return Table.stack([], [((), study) for study in self.studies]).columns()

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.studies))

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.studies))


def leave_one_coder_out(
    data: Any,
    coefficients: Iterable[str] | None = None,
    distances: Iterable[Any] = ("nominal",),
    *,
    incomplete: str = "published",
) -> LeaveOneOut:
    """Compute each coefficient without each of the coders.

    The values are those of ``agreement(data.select(coders=all others), ...)`` for every coder.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders must be known.
    coefficients : iterable of str, optional
        Names of coefficients; by default the usual ones of `agreement_table`.
    distances : iterable of str, Distance, array, mapping or function, default ("nominal",)
        Each coefficient is computed under each distance that it takes.
    incomplete : {"published", "pairable"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count, or
        those with two judgments or more.

    Returns
    -------
    LeaveOneOut
        A `LeftOut` for each coefficient and distance.

    Raises
    ------
    ValueError
        If coders are unknown, or ``incomplete="complete"``, which would count items that only the
        coder who is left out missed.

    Notes
    -----
    Items with fewer than two judgments left drop out. Categories that only the coder used drop out
    unless they are declared. The ordinal distance is that of the others' marginals; the ranks of
    rank_linear and rank_quadratic stay ranks among all categories.

    O(Σ_i n_i r_i) for n_i judgments and r_i labels of an item, once for each distance, plus
    O(C K²); memory O(C K). The ordinal distance differs from coder to coder: it takes a K × K table
    for each, or one pass for each coder if K² exceeds 64 C or C K² exceeds 1.6·10⁷. κ and β with
    incomplete="pairable" also take one pass for each coder if items have just two judgments.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import subsets
    >>> data = af.Annotations.from_wide(
    ...     [["x", "x", "x"], ["y", "y", "x"], ["x", "x", "y"], ["y", "y", "y"]],
    ...     coders=["Ann", "Bea", "Cid"],
    ... )
    >>> study = subsets.leave_one_coder_out(data, ["pi"])["pi"]
    >>> print(study)
    pi (nominal) = 0.3333
    without   value   change  items
    Cid      1.0000  +0.6667      4
    Ann      0.0000  -0.3333      4
    Bea      0.0000  -0.3333      4
    """
    if not isinstance(incomplete, str) or incomplete not in ("published", "pairable"):
        raise InputError.must_be(
            "incomplete",
            "'published' or 'pairable' if a coder is left out",
            incomplete,
            "'complete' would count items that only the coder who is left out missed",
        )
    annotations = as_annotations(data)
    names = tuple(annotations.known_coders("leave_one_coder_out()"))
    points = chosen(coefficients, distances, coders_known=True)
    others = _Others(annotations, 1 if incomplete == "published" else 2)
    studies = []
    for point in points:
        one = agreement(annotations, point.name, distance=point.distance, incomplete=incomplete)
        studies.append(_study(others, names, point, one))
    return LeaveOneOut(tuple(studies))


def _study(
    others: _Others,
    names: tuple[Any, ...],
    point: Point,
    one: Agreement,
) -> LeftOut:
    distance = point.distance
    if others.must_loop(distance, point.chance):
        observed, expected = others.one_by_one(one, distance)
    else:
        observed = others.observed(distance, point.item_weight)
        expected = point.chance.expected(
            others.marginals(distance), others.ranked_or_fixed(distance)
        )
        expected = np.broadcast_to(expected, len(names))
    n_items, n_judgments = others.n_items, others.n_judgments
    observed = np.where(n_items > 0, observed, np.nan)
    expected = np.where(n_items > 0, expected, np.nan)
    defined = expected > 0
    value = beyond_chance(observed, expected)
    reasons = tuple(
        NO_PAIRS if not n else None if ok else NO_VARIATION
        for n, ok in zip(n_items.tolist(), defined.tolist(), strict=True)
    )
    return LeftOut(
        one.coefficient,
        one.distance,
        one.incomplete,
        one,
        names,
        value,
        observed,
        expected,
        n_items,
        n_judgments,
        reasons,
    )


class _Others:
    """Sums over the judgments of all coders but one, for each coder."""

    def __init__(self, annotations: Annotations, least: int) -> None:
        self.annotations = annotations
        self.least = least
        self.judgments = said = Judgments(annotations)
        self.n_categories = len(annotations.labels)
        #: Sizes of the items that count in D_o, before and after a coder has left.
        pairable = max(2, least)
        self._before = (said.sizes >= pairable).astype(np.int64)
        self._after = (said.sizes - 1 >= pairable).astype(np.int64)
        self.n_items = said.all_less(self._before) + said.by_coder(self._after)
        self.n_judgments = said.all_less(self._before * said.sizes) + said.by_coder(
            self._after * (said.sizes - 1)
        )
        self._forms: dict[Distance, Form] = {}
        self._counts: dict[int, Array] = {}
        #: The latest distance, with the result of `_to_others`: a number for each judgment.
        self._apart: tuple[Distance, FloatArray] | None = None

    def must_loop(self, distance: Distance, chance: Chance) -> bool:
        """Whether the coders have to be left out one after the other."""
        said, cells = self.judgments, self.n_categories**2
        coders = len(said.names)
        if distance.ranks and (cells * coders > TABLES or cells > TABLE * coders):
            return True
        # The others lose judgments of items that drop out with the coder.
        return chance.knows_coders and self.least == 2 and bool((said.sizes == 2).any())

    def one_by_one(self, one: Agreement, distance: Distance) -> tuple[FloatArray, FloatArray]:
        """D_o and D_e by selecting all the other coders."""
        names = self.judgments.names
        distance = ranked_among(distance, self.annotations.labels)
        found = []
        for c in range(len(names)):
            rest = self.annotations.select(coders=[*names[:c], *names[c + 1 :]])
            found.append(
                agreement(rest, one.coefficient, distance=distance, incomplete=one.incomplete)
            )
        return (
            np.array([result.observed_disagreement for result in found]),
            np.array([result.expected_disagreement for result in found]),
        )

    def observed(self, distance: Distance, item_weight: str) -> FloatArray:
        """D_o without each coder."""
        said, sizes = self.judgments, self.judgments.sizes.astype(np.float64)
        power = ITEM_WEIGHTS[item_weight]
        before = self._before * sizes**power / np.maximum(sizes * (sizes - 1), 1)
        after = self._after * (sizes - 1) ** power / np.maximum((sizes - 1) * (sizes - 2), 1)
        if distance.ranks:
            tables = pair_tables(self.judgments, before, after)
            sums = np.empty(len(tables))
            for first, last, apart in self.rank_distances(distance):
                sums[first:last] = (tables[first:last] * apart).sum((1, 2))
        else:
            sums = said.disagreement(self._to_others(distance), before, after)
        total = said.all_less(self._before * said.sizes**power) + said.by_coder(
            self._after * (said.sizes - 1) ** power
        )
        return ratio(sums, total)

    def _to_others(self, distance: Distance) -> FloatArray:
        """The sum of the distances of each judgment to the others of its row: (n,)."""
        if self._apart is None or self._apart[0] != distance:
            self._apart = distance, self.judgments.to_others(self.form(distance))
        return self._apart[1]

    def rank_distances(self, distance: Distance) -> Iterator[tuple[int, int, FloatArray]]:
        """Distances without the coders first .. last - 1, each with ranks of its own: (n, K, K)."""
        ranked = self.ranked_or_fixed(distance)
        assert isinstance(ranked, Ranked)
        features, places = ranked.features, np.arange(self.n_categories)
        step = max(1, ROOM // max(1, self.n_categories**2))
        for first in range(0, len(features), step):
            some = Ranked(features[first : first + step])
            yield first, first + len(some.features), some.between(places[:, None], places[None])

    def form(self, distance: Distance) -> Form:
        if distance not in self._forms:
            annotations = self.annotations
            self._forms[distance] = distance.bind(annotations.labels, annotations.declared, None)
        return self._forms[distance]

    def counts(self, least: int) -> Array:
        """n_k without each coder, over the items with `least` judgments left: int64 (C, K)."""
        if least not in self._counts:
            self._counts[least] = self.judgments.counts_of_others(least)
        return self._counts[least]

    @cached_property
    def used(self) -> Array:
        """Which categories there are without each coder: bool (C, K)."""
        if self.annotations.declared:
            return np.ones((len(self.judgments.names), self.n_categories), bool)
        return self.judgments.used_by_others()

    @cached_property
    def shares(self) -> FloatArray:
        """P(k) without each coder: float64 (C, K)."""
        said, least = self.judgments, self.least
        sizes = said.sizes.astype(np.float64)
        kept = (sizes >= least) / np.maximum(sizes, 1)
        left = (sizes - 1 >= least) / np.maximum(sizes - 1, 1)
        sums = said.shares_of_others(kept, left)
        items = said.all_less((said.sizes >= least).astype(np.int64)) + said.by_coder(
            (said.sizes - 1 >= least).astype(np.int64)
        )
        # Categories that nobody else used are exactly 0, without rounding errors.
        sums[self.counts(least) == 0] = 0.0
        return np.asarray(sums / np.maximum(items, 1)[:, None])

    def marginals(self, distance: Distance) -> _LeftOutMarginals:
        """Return the marginals that chance models use, without each coder."""
        return _LeftOutMarginals(self, distance)

    def ranked_or_fixed(self, distance: Distance) -> Form:
        """Return the distance as one form for all coders; ranks differ from coder to coder."""
        if distance.ranks:
            return Ranked.of(self.counts(max(2, self.least)).astype(np.float64))
        return self.form(distance)


class _LeftOutMarginals(ArrayMarginals):
    """The marginals without each of the coders: leading axis C."""

    def __init__(self, others: _Others, distance: Distance) -> None:
        self._others, self._distance = others, distance

    def shares(self) -> FloatArray:
        return self._others.shares

    def counts(self) -> Array:
        return self._others.counts(max(2, self._others.least))

    def pairs(self) -> FloatArray:
        total = self.counts().sum(1).astype(np.float64)
        return np.asarray(total * (total - 1))

    def used(self) -> Array:
        """Which categories are left, (C, K)."""
        return self._others.used

    def scale(self, form: Form) -> tuple[FloatArray, FloatArray, FloatArray]:
        used = self.used()
        total, largest = np.zeros((2, len(used)))
        if self._distance.ranks:
            for first, last, apart in self._others.rank_distances(self._distance):
                there = used[first:last]
                apart *= there[:, :, None] & there[:, None, :]
                total[first:last] = apart.sum((1, 2))
                largest[first:last] = apart.max((1, 2), initial=0.0)
        else:
            # Most coders leave the same categories, so there are few distinct sets.
            group, found = group_equal(used)
            sums = [_total_and_largest(form, np.flatnonzero(used[c])) for c in found.tolist()]
            total, largest = np.array(sums).reshape(-1, 2)[group].T
        return total, used.sum(1).astype(np.float64), largest

    def between_coders(self, form: Form) -> tuple[FloatArray, FloatArray]:
        # Σ_{m ≠ n ≠ c} of n_m D n_n is the product of the others' sum with itself, less that of
        # each of them with itself.
        each = self._others.judgments.coder_counts(self._others.least)
        rest = each.sum(0) - each
        weight = rest.sum(1).astype(np.float64) ** 2 - _all_less(
            each.sum(1).astype(np.float64) ** 2
        )
        if self._distance.ranks:
            # Σ_m n_m D n_m is the sum of D times a matrix that does not depend on D.
            floats, own = each.astype(np.float64), np.empty(len(each))
            products = floats.T @ floats
            for first, last, apart in self._others.rank_distances(self._distance):
                some = floats[first:last]
                apart *= products - some[:, :, None] * some[:, None, :]
                own[first:last] = apart.sum((1, 2))
        else:
            own = _all_less(form.bilinear(each, each))
        return np.maximum(form.bilinear(rest, rest) - own, 0.0), weight


def _total_and_largest(form: Form, places: Array) -> tuple[float, float]:
    """Σ_jl d_jl and max_jl d_jl over some categories."""
    total, largest = 0.0, 0.0
    step = max(1, (1 << 22) // max(1, len(places)))
    for first in range(0, len(places), step):
        block = form.between(places[first : first + step, None], places[None, :])
        total += float(block.sum())
        largest = max(largest, float(block.max()))
    return total, largest


def _all_less(values: FloatArray) -> FloatArray:
    """Return the sum of all other values, for each value."""
    return np.asarray(values.sum() - values)


def _least(values: FloatArray) -> float:
    return float(np.nanmin(values)) if not np.isnan(values).all() else float("nan")


def _most(values: FloatArray) -> float:
    return float(np.nanmax(values)) if not np.isnan(values).all() else float("nan")
