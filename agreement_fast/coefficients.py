"""The coefficients: points of a cube of distance, chance model and item weight.

Every coefficient is 1 − D_o / D_e (Artstein & Poesio 2005, section 2). D_o is the mean distance
between two judgments of an item, D_e the distance that chance would give. A named coefficient is a
row of `COEFFICIENTS`; a new one is a new row, or a new chance model and a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from agreement_fast import distances
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.distances import Distance, MatrixDistance
from agreement_fast.forms import FloatArray, Form
from agreement_fast.statistics import Tally, tally

Array = npt.NDArray[Any]

NAN = math.nan


class UndefinedError(ValueError):
    """A coefficient has no value for these data, and ``undefined="raise"`` was asked for."""


# ---------------------------------------------------------------------- chance


@dataclass(frozen=True, eq=False, slots=True)
class _Marginals:
    """What a chance model may look at: the items with at least `least` judgments."""

    tally: Tally
    least: int

    def _kept(self, least: int) -> Array:
        return self.tally.sizes >= max(least, self.least)

    def shares(self) -> FloatArray:
        """P(k): the mean over items of n_ik / n_i (Artstein & Poesio 2005, 5.1)."""
        kept = self._kept(1)
        sizes, items = self.tally.sizes[kept], self.tally.n_items[kept].sum()
        if not items:
            return np.zeros(self.tally.marginals.shape[1])
        shares: FloatArray = (self.tally.marginals[kept] / sizes[:, None]).sum(0) / items
        return shares

    def pairable(self) -> Array:
        """n_k: judgments of each category in items with two judgments or more."""
        counts: Array = self.tally.marginals[self._kept(2)].sum(0)
        return counts

    def coders(self) -> Array:
        """n_ck."""
        return self.tally.coder_marginals(max(1, self.least))


def _uniform(marginals: _Marginals, form: Form) -> float:
    k = marginals.tally.marginals.shape[1]
    return form.total() / (float(k) * k) if k else 0.0


def _pooled(marginals: _Marginals, form: Form) -> float:
    shares = marginals.shares()
    return form.bilinear(shares, shares)


def _pooled_unbiased(marginals: _Marginals, form: Form) -> float:
    counts = marginals.pairable()
    total = float(counts.sum())
    return form.bilinear(counts, counts) / (total * (total - 1)) if total > 1 else 0.0


#: Cells of coders × categories that are widened to floats at a time.
_CELLS = 1 << 20


def _individual(marginals: _Marginals, form: Form) -> float:
    # Σ over coder pairs m ≠ n of n_m D n_n is Σ_m n_m D (Σ_n n_n − n_m): no loop over pairs, and
    # no difference of floats. The pairs' weights n_m n_n cancel the shares' denominators.
    each = marginals.coders()
    pooled = each.sum(0)
    totals = each.sum(1)
    weight = float((totals.astype(np.float64) * (totals.sum() - totals)).sum())
    if not weight:
        return 0.0
    step = max(1, _CELLS // max(each.shape[1], 1))
    sums = (
        form.bilinear(each[i : i + step], pooled - each[i : i + step])
        for i in range(0, len(each), step)
    )
    return math.fsum(sums) / weight


def _gwet(marginals: _Marginals, form: Form) -> float:
    # A_e = Σ_jl w_jl / (k (k − 1)) · Σ P (1 − P), w = 1 − d / d_max (Gwet 2014, chapter 4), as
    # d_max (1 − A_e), written so that nothing is subtracted: with t = Σ d / d_max,
    # k (k − 1) (1 − A_e) = k² Σ (P − 1/k)² + t Σ P (1 − P).
    shares = marginals.shares()
    k, largest = len(shares), form.largest()
    if k < 2 or not largest:
        return 0.0
    spread = float(((shares - 1 / k) ** 2).sum())
    heterogeneity = float((shares * (1 - shares)).sum())
    return largest * (k * k * spread + form.total() / largest * heterogeneity) / (k * (k - 1))


CHANCE: Mapping[str, Callable[[_Marginals, Form], float]] = MappingProxyType(
    {
        "uniform": _uniform,
        "pooled": _pooled,
        "pooled_unbiased": _pooled_unbiased,
        "individual": _individual,
        "gwet": _gwet,
    }
)

#: The weight of an item in D_o, from its number of judgments.
ITEM_WEIGHTS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {"items": np.ones_like, "judgments": lambda sizes: sizes}
)


# ---------------------------------------------------------------------- names


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A named point of the cube.

    Attributes
    ----------
    name : str
    aliases : tuple of str
    chance : {"uniform", "pooled", "pooled_unbiased", "individual", "gwet"}
    item_weight : {"items", "judgments"}
    weighted : str or None
        For a coefficient of nominal data only, the name to use with a distance.
    title : str
    source : str
    """

    name: str
    aliases: tuple[str, ...]
    chance: str
    item_weight: str
    weighted: str | None
    title: str
    source: str

    @property
    def nominal_only(self) -> bool:
        """Whether it takes the nominal distance only."""
        return self.weighted is not None


COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType(
    {
        row.name: row
        for row in (
            Coefficient(
                "s", ("bennett_s", "randolph_kappa"), "uniform", "items", "brennan_prediger",
                "S", "Bennett, Alpert & Goldstein 1954",
            ),
            Coefficient(
                "brennan_prediger", ("weighted_s",), "uniform", "items", None,
                "weighted S", "Brennan & Prediger 1981",
            ),
            Coefficient(
                "pi", ("scott_pi", "fleiss_kappa", "multi_pi", "k"), "pooled", "items",
                "alpha_prime", "π", "Scott 1955, Fleiss 1971",
            ),
            Coefficient(
                "alpha_prime", ("alpha'", "α'"), "pooled", "items", None,
                "α'", "Artstein & Poesio 2005, 2.5",
            ),
            Coefficient(
                "kappa",
                ("cohen_kappa", "multi_kappa", "davies_fleiss_kappa", "conger_kappa",
                 "hubert_kappa"),
                "individual", "items", "beta", "κ", "Cohen 1960, Davies & Fleiss 1982",
            ),
            Coefficient(
                "beta", ("weighted_kappa", "β"), "individual", "items", None,
                "β", "Artstein & Poesio 2005, 2.7; Cohen 1968",
            ),
            Coefficient(
                "alpha", ("krippendorff_alpha", "α"), "pooled_unbiased", "judgments", None,
                "α", "Krippendorff 1980, 2011",
            ),
            Coefficient(
                "ac", ("gwet_ac2", "gwet_ac1", "ac1", "ac2"), "gwet", "items", None,
                "AC", "Gwet 2008, 2014",
            ),
        )
    }
)  # fmt: skip

_BY_NAME = {
    name: row for row in COEFFICIENTS.values() for name in (row.name, *row.aliases)
}
#: Aliases that promise the nominal distance, and what to write for another one.
_NOMINAL_ALIASES = {"gwet_ac1": "gwet_ac2", "ac1": "ac2"}

#: Coefficients of `agreement_table` for the nominal distance, and for any other.
_USUAL = ("s", "pi", "kappa", "alpha", "ac")
_USUAL_WEIGHTED = ("brennan_prediger", "alpha_prime", "beta", "alpha", "ac")


def named(name: str) -> Coefficient:
    """The coefficient of a name or alias; case, hyphens and spaces do not matter."""
    row = _BY_NAME.get(_normal(name))
    if row is None:
        raise ValueError(
            f"coefficient {name!r} is not known; the names are {', '.join(COEFFICIENTS)}, and "
            "their aliases in agreement_fast.COEFFICIENTS"
        )
    return row


def _normal(name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"a coefficient is given by its name, not {name!r}")
    return name.strip().lower().replace("-", "_").replace(" ", "_")


# ---------------------------------------------------------------------- results


@dataclass(frozen=True, slots=True, repr=False)
class Agreement:
    """A coefficient of agreement and what it was computed from. ``float(result)`` is its value.

    Attributes
    ----------
    coefficient, distance, chance, item_weight, incomplete : str
        What was computed: name of the coefficient, of the distance, and the three choices.
    value : float
        1 − D_o / D_e; NaN where undefined.
    observed_disagreement, expected_disagreement : float
        D_o and D_e, in units of the distance.
    n_items : int
        Items with two judgments or more, which D_o is a mean over; weights counted.
    n_items_dropped : int
        Items that D_o leaves out.
    n_coders : int or None
        None where coders are unknown.
    n_judgments : int
        Judgments of the items that D_o is a mean over.
    n_categories : int
        k, declared or occurring.
    undefined : str or None
        Why there is no value: "no pairs: ..." or "no variation: ...".
    """

    coefficient: str
    distance: str
    chance: str
    item_weight: str
    incomplete: str
    value: float
    observed_disagreement: float
    expected_disagreement: float
    n_items: int
    n_items_dropped: int
    n_coders: int | None
    n_judgments: int
    n_categories: int
    undefined: str | None
    #: The largest distance between categories, 1 for nominal.
    largest_distance: float

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        text = (
            f"{self.coefficient}({self.distance}) = {self.value:.6g}: "
            f"D_o = {self.observed_disagreement:.6g}, D_e = {self.expected_disagreement:.6g}, "
            f"{self.n_items} items, {self.n_judgments} judgments"
        )
        return f"<{text}>" if self.undefined is None else f"<{text}; {self.undefined}>"

    @property
    def observed_agreement(self) -> float | None:
        """A_o = 1 − D_o / d_max; for the nominal distance the share of agreeing pairs."""
        return self._agreement(self.observed_disagreement)

    @property
    def expected_agreement(self) -> float | None:
        """A_e = 1 − D_e / d_max."""
        return self._agreement(self.expected_disagreement)

    def _agreement(self, disagreement: float) -> float | None:
        if self.distance == "nominal":
            return 1.0 - disagreement
        return 1.0 - disagreement / self.largest_distance if self.largest_distance else None


class AgreementTable(Sequence[Agreement]):
    """Several coefficients of the same data: a sequence of `Agreement`, also found by name.

    ``table["alpha", "interval"]`` is a coefficient under a distance, ``table["pi"]`` the one under
    the nominal distance, or the only one of that name. ``print(table)`` shows it.
    """

    def __init__(self, results: Iterable[Agreement]) -> None:
        self._results = tuple(results)

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, key: int | str | tuple[str, Any]) -> Agreement: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Agreement]: ...
    def __getitem__(
        self, key: int | slice | str | tuple[str, Any]
    ) -> Agreement | Sequence[Agreement]:
        if isinstance(key, (int, slice)):
            return self._results[key]
        name, distance = key if isinstance(key, tuple) else (key, None)
        same = [r for r in self._results if r.coefficient == named(name).name]
        if distance is not None:
            wanted = distances.resolve(distance).name
            same = [r for r in same if r.distance == wanted]
        elif len(same) > 1:
            same = [r for r in same if r.distance == "nominal"]
        if len(same) != 1:
            shown = ", ".join(f"{r.coefficient} ({r.distance})" for r in self._results)
            raise KeyError(f"{key!r}: the table has {shown}")
        return same[0]

    def __repr__(self) -> str:
        head = ("coefficient", "distance", "D_o", "D_e", "value")
        lines = [
            (
                r.coefficient,
                r.distance,
                f"{r.observed_disagreement:.6g}",
                f"{r.expected_disagreement:.6g}",
                f"{r.value:.4f}" if r.undefined is None else f"undefined ({r.undefined})",
            )
            for r in self._results
        ]
        widths = [max(len(row[i]) for row in [head, *lines]) for i in range(4)]
        return "\n".join(
            "  ".join([*(cell.ljust(w) for cell, w in zip(row[:4], widths, strict=True)), row[4]])
            for row in [head, *lines]
        )


@dataclass(frozen=True, slots=True)
class ObservedAgreement:
    """The share of agreeing pairs of judgments, with its standard error and interval.

    Attributes
    ----------
    value : float
        A_o, the mean over items of the share of agreeing pairs of judgments.
    standard_error : float
        sqrt(A_o (1 − A_o) / n) for n items.
    low, high : float
        A_o ± z · standard error; not cut at 0 and 1.
    confidence_level : float
    n_items : int
        Items with two judgments or more.
    undefined : str or None
    """

    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    n_items: int
    undefined: str | None

    def __float__(self) -> float:
        return self.value


NO_PAIRS = "no pairs: no item has two judgments, so nothing can agree or disagree"
NO_VARIATION = (
    "no variation: the expected disagreement is 0, so the data cannot show whether coders tell "
    "categories apart"
)


# ---------------------------------------------------------------------- computation


class _Data:
    """Annotations under one choice of `incomplete`, with what several coefficients share."""

    def __init__(self, annotations: Annotations, incomplete: str) -> None:
        self.annotations = annotations
        self.incomplete = incomplete
        self.tally = tally(annotations)
        self.least = _least(annotations, incomplete)
        tallied, kept = self.tally, self.tally.sizes >= max(2, self.least)
        self.kept = kept
        self.sizes = tallied.sizes[kept].astype(np.float64)
        self.items = tallied.n_items[kept]
        self.n_items = int(self.items.sum())
        self.n_judgments = int((tallied.sizes[kept] * self.items).sum())
        self.marginals = _Marginals(tallied, self.least)
        self._memo: dict[Any, Any] = {}

    def bind(self, distance: Distance) -> tuple[Form, FloatArray]:
        """A distance over these categories, and the disagreement of each size under it."""
        # A named distance is one object for ever; one's own would fill the annotations' memory.
        memo = self.annotations._memo if distance in distances.NAMED.values() else self._memo
        key = (distance, self.least if distance.ranks else None)
        if key not in memo:
            counts = self.marginals.pairable().astype(np.float64) if distance.ranks else None
            form = distance.bind(self.annotations.categories, self.annotations.declared, counts)
            memo[key] = (form, self.tally.disagreement(form))
        found: tuple[Form, FloatArray] = memo[key]
        return found

    def observed(self, sums: FloatArray, item_weight: str) -> float:
        """D_o = Σ w_i disagr_i / Σ w_i over items with two judgments or more."""
        weights = ITEM_WEIGHTS[item_weight](self.sizes)
        total = float((weights * self.items).sum())
        if not total:
            return NAN
        return float((weights * sums[self.kept] / (self.sizes * (self.sizes - 1))).sum()) / total


def _least(annotations: Annotations, incomplete: str) -> int:
    """`incomplete` as the number of judgments that an item needs."""
    if incomplete == "published":
        return 1
    if incomplete == "pairable":
        return 2
    if incomplete == "complete":
        if annotations.n_coders is None:
            raise ValueError(
                "incomplete='complete' needs to know the coders, and these annotations are counts"
            )
        return max(1, annotations.n_coders)
    raise ValueError(f"incomplete={incomplete!r}: it is 'published', 'pairable' or 'complete'")


def _check_undefined(undefined: Any) -> None:
    if isinstance(undefined, str) and undefined in ("nan", "raise"):
        return
    if isinstance(undefined, (int, float)) and not isinstance(undefined, bool):
        return
    raise ValueError(f"undefined={undefined!r}: it is 'nan', 'raise' or a number")


def _one(
    data: _Data,
    name: str,
    chance: str,
    item_weight: str,
    distance: Distance,
    undefined: Any,
) -> Agreement:
    if isinstance(distance, MatrixDistance) and not distance.symmetric:
        raise ValueError(
            "the matrix is not a distance (it is asymmetric or its diagonal is not 0): only "
            "weighted_kappa with exactly two coders takes such weights"
        )
    form, sums = data.bind(distance)
    return _result(
        data,
        name,
        chance,
        item_weight,
        distance,
        undefined,
        data.observed(sums, item_weight),
        CHANCE[chance](data.marginals, form) if data.n_items else NAN,
        form.largest(),
    )


def _result(
    data: _Data,
    name: str,
    chance: str,
    item_weight: str,
    distance: Distance,
    undefined: Any,
    observed: float,
    expected: float,
    largest: float,
) -> Agreement:
    value, reason = NAN, None
    if not data.n_items:
        reason = NO_PAIRS
    elif not expected > 0:
        reason = NO_VARIATION
    else:
        value = 1.0 - observed / expected
    if reason is not None:
        if undefined == "raise":
            raise UndefinedError(f"{name} is undefined: {reason}")
        if undefined != "nan":
            value = float(undefined)
    return Agreement(
        coefficient=name,
        distance=distance.name,
        chance=chance,
        item_weight=item_weight,
        incomplete=data.incomplete,
        value=value,
        observed_disagreement=observed,
        expected_disagreement=expected,
        n_items=data.n_items,
        n_items_dropped=data.annotations.n_items - data.n_items,
        n_coders=data.annotations.n_coders,
        n_judgments=data.n_judgments,
        n_categories=len(data.annotations.categories),
        undefined=reason,
        largest_distance=largest,
    )


def _check_distance(name: str, row: Coefficient, distance: Distance) -> None:
    if distance.name == "nominal":
        return
    instead = row.weighted or _NOMINAL_ALIASES.get(_normal(name))
    if instead is not None:
        raise ValueError(
            f"{name} is defined for the nominal distance only; with distance {distance.name} use "
            f"{instead}"
        )


def agreement(
    data: Any,
    coefficient: str | None = None,
    *,
    chance: str | None = None,
    item_weight: str | None = None,
    distance: Any = "nominal",
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> Agreement:
    """One coefficient of agreement, by name or by its three choices.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads (items × coders)
    coefficient : str, optional
        A name or alias of `COEFFICIENTS`: "alpha", "fleiss_kappa", "cohen_kappa", "gwet_ac1" ...
        By default "alpha", where neither `chance` nor `item_weight` is given.
    chance : {"uniform", "pooled", "pooled_unbiased", "individual", "gwet"}, optional
        Who produces the categories at random. With a name, it replaces that coefficient's.
    item_weight : {"items", "judgments"}, optional
        Whether every item counts the same in D_o, or as often as it was judged.
    distance : str, Distance, array, mapping or function
        See `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}
        Which items count where judgments are missing: as the coefficient's authors define it; only
        those with two judgments; only those that every coder judged.
    undefined : "nan", "raise" or a number
        What to do where D_e = 0 or no item has two judgments.

    Returns
    -------
    Agreement

    Raises
    ------
    ValueError
        An unknown name, a distance that does not fit the labels, counts where coders are needed.
    UndefinedError
        With ``undefined="raise"``.

    Notes
    -----
    O(patterns · r²) for patterns of r distinct labels, after one pass over the judgments; κ and β
    add O(coders · k) to O(coders · k²).

    Examples
    --------
    Krippendorff 2011, example C:

    >>> import agreement_fast as af
    >>> a = [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None]
    >>> b = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3]
    >>> c = [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None]
    >>> d = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]
    >>> table = list(zip(a, b, c, d))
    >>> af.agreement(table, "alpha")
    <alpha(nominal) = 0.743421: D_o = 0.2, D_e = 0.779487, 11 items, 40 judgments>
    >>> round(af.agreement(table, "alpha", distance="interval").value, 3)
    0.849
    """
    _check_undefined(undefined)
    resolved = distances.resolve(distance)
    if coefficient is None and chance is not None:
        name = "agreement"
        item_weight = "items" if item_weight is None else item_weight
    else:
        given = "alpha" if coefficient is None else coefficient
        row = named(given)
        name = row.name
        if chance is None and item_weight is None:
            _check_distance(given, row, resolved)
            if _normal(given) == "weighted_kappa":
                return weighted_kappa(data, resolved, incomplete=incomplete, undefined=undefined)
        else:
            name = "agreement"
        chance = row.chance if chance is None else chance
        item_weight = row.item_weight if item_weight is None else item_weight
    if chance not in CHANCE:
        raise ValueError(f"chance={chance!r}: it is one of {', '.join(CHANCE)}")
    if item_weight not in ITEM_WEIGHTS:
        raise ValueError(f"item_weight={item_weight!r}: it is 'items' or 'judgments'")
    prepared = _prepared(data, incomplete, (chance,))
    return _one(prepared, name, chance, item_weight, resolved, undefined)


def _prepared(data: Any, incomplete: str, chances: Iterable[str]) -> _Data:
    annotations = as_annotations(data)
    if "individual" in chances:
        annotations._known_coders("a chance model of individual coders (κ, β)")
    return _Data(annotations, incomplete)


def agreement_table(
    data: Any,
    coefficients: Iterable[str] | None = None,
    distances: Iterable[Any] = ("nominal",),
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> AgreementTable:
    """Several coefficients under several distances, from one pass over the judgments.

    Parameters
    ----------
    data, incomplete, undefined :
        As in `agreement`.
    coefficients : iterable of str, optional
        By default S, π, κ, α and AC, and their weighted forms under other distances than nominal.
        Where counts hide the coders, the default leaves out κ and β.
    distances : iterable of distances
        One that needs no more than names may be a string.

    Returns
    -------
    AgreementTable
        Coefficient by coefficient; nominal-only coefficients under the nominal distance only.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    >>> print(af.agreement_table(data, ["s", "pi", "kappa"]))
    coefficient  distance  D_o   D_e       value
    s            nominal   0.12  0.666667  0.8200
    pi           nominal   0.12  0.5986    0.7995
    kappa        nominal   0.12  0.604     0.8013
    """
    from agreement_fast.distances import resolve

    _check_undefined(undefined)
    resolved = [resolve(distance) for distance in _listed(distances, "distances")]
    annotations = as_annotations(data)
    if coefficients is None:
        nominal = any(distance.name == "nominal" for distance in resolved)
        other = any(distance.name != "nominal" for distance in resolved)
        wanted = list(dict.fromkeys((_USUAL if nominal else ()) + (_USUAL_WEIGHTED if other else ())))
        if annotations.n_coders is None:
            wanted = [name for name in wanted if COEFFICIENTS[name].chance != "individual"]
        plain = {name: weighted for name in _USUAL if (weighted := COEFFICIENTS[name].weighted)}
    else:
        wanted, plain = _listed(coefficients, "coefficients"), {}
    rows = [(name, named(name)) for name in wanted]
    prepared = _prepared(annotations, incomplete, [row.chance for _, row in rows])
    results = []
    for name, row in rows:
        fitting = [
            distance
            for distance in resolved
            if distance.name == "nominal" or not (row.nominal_only or _normal(name) in _NOMINAL_ALIASES)
        ]
        if coefficients is None and name in plain.values():
            fitting = [distance for distance in fitting if distance.name != "nominal"]
        if coefficients is not None and not fitting:
            _check_distance(name, row, resolved[0])
        for distance in fitting:
            results.append(
                _one(prepared, row.name, row.chance, row.item_weight, distance, undefined)
            )
    return AgreementTable(results)


def _listed(values: Any, what: str) -> list[Any]:
    if isinstance(values, (str, Distance)) or not isinstance(values, Iterable):
        raise TypeError(f"{what} must be a sequence, write {what}=[{values!r}]")
    listed = list(values)
    if not listed:
        raise ValueError(f"{what} is empty")
    return listed


def observed_agreement(
    data: Any, *, confidence_level: float = 0.95, incomplete: str = "published"
) -> ObservedAgreement:
    """A_o, the share of agreeing pairs of judgments, with its standard error and interval.

    Parameters
    ----------
    data, incomplete :
        As in `agreement`.
    confidence_level : float
        Between 0 and 1.

    Returns
    -------
    ObservedAgreement

    Notes
    -----
    The standard error is that of a proportion over items, sqrt(A_o (1 − A_o) / n). Meyer's tutorial
    prints sqrt(A_o (1 − A_o)) / n, which is a slip. With more than two coders an item's agreement
    is a share, and the error is an upper bound.

    Examples
    --------
    Meyer's example of ten word pairs:

    >>> import agreement_fast as af
    >>> result = af.observed_agreement(af.Annotations.from_contingency([[2, 1], [2, 5]]))
    >>> round(result.value, 3), round(result.standard_error, 4)
    (0.7, 0.1449)
    >>> round(result.low, 3), round(result.high, 3)
    (0.416, 0.984)
    """
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level={confidence_level!r}: it lies between 0 and 1")
    from scipy.special import ndtri

    prepared = _prepared(data, incomplete, ())
    _, sums = prepared.bind(distances.nominal)
    value = 1.0 - prepared.observed(sums, "items")
    if not prepared.n_items:
        return ObservedAgreement(NAN, NAN, NAN, NAN, confidence_level, 0, NO_PAIRS)
    error = math.sqrt(value * (1 - value) / prepared.n_items)
    reach = float(ndtri((1 + confidence_level) / 2)) * error
    return ObservedAgreement(
        value, error, value - reach, value + reach, confidence_level, prepared.n_items, None
    )


# ---------------------------------------------------------------------- one function a name


def s(data: Any, *, incomplete: str = "published", undefined: str | float = "nan") -> Agreement:
    """Bennett, Alpert & Goldstein's S: chance takes every category as often as any other.

    A_e = 1/k over the declared categories (Artstein & Poesio 2005, 2.3), so declare categories that
    nobody used. Parameters as in `agreement`. Also Randolph's free-marginal kappa.

    Examples
    --------
    >>> import agreement_fast as af
    >>> af.s(af.Annotations.from_contingency([[20, 20], [10, 50]])).value
    0.4
    """
    return agreement(data, "s", incomplete=incomplete, undefined=undefined)


def pi(data: Any, *, incomplete: str = "published", undefined: str | float = "nan") -> Agreement:
    """Scott's π for two coders, Fleiss' κ (multi-π) for more: chance has one distribution for all.

    A_e = Σ P(k)², P(k) the mean over items of n_ik/n_i (Artstein & Poesio 2005, 2.3, 2.4, 5.1).
    Parameters as in `agreement`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.pi(af.Annotations.from_contingency([[20, 20], [10, 50]])).value, 3)
    0.341
    """
    return agreement(data, "pi", incomplete=incomplete, undefined=undefined)


def kappa(data: Any, *, incomplete: str = "published", undefined: str | float = "nan") -> Agreement:
    """Cohen's κ for two coders, Davies & Fleiss' (multi-κ) for more: each coder has a distribution.

    A_e is the mean over pairs of coders, weighted by their numbers of judgments, of
    Σ P(k|m) P(k|n) (Artstein & Poesio 2005, 2.3, 2.4, 5.1). It is not the mean of pairwise κ
    (Light's). Parameters as in `agreement`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.kappa(af.Annotations.from_contingency([[20, 20], [10, 50]])).value, 3)
    0.348
    """
    return agreement(data, "kappa", incomplete=incomplete, undefined=undefined)


def alpha(
    data: Any,
    distance: Any = "nominal",
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> Agreement:
    """Krippendorff's α: chance draws two of all pairable judgments without replacement.

    D_e = Σ n_j n_l d_jl / (N (N − 1)); an item counts as often as it was judged, and items with one
    judgment do not count (Krippendorff 2011; Artstein & Poesio 2005, 2.5). Parameters as in
    `agreement`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> round(af.alpha([[1, 1], [2, 3], [3, 3], [1, 2]], "interval").value, 4)
    0.65
    """
    return agreement(
        data, "alpha", distance=distance, incomplete=incomplete, undefined=undefined
    )


def alpha_prime(
    data: Any,
    distance: Any = "nominal",
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> Agreement:
    """α': π with a distance, chance drawing with replacement (Artstein & Poesio 2005, 2.5).

    D_e = Σ P(j) P(l) d_jl. With the nominal distance it is π. Parameters as in `agreement`.
    """
    return agreement(
        data, "alpha_prime", distance=distance, incomplete=incomplete, undefined=undefined
    )


def beta(
    data: Any,
    distance: Any = "nominal",
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> Agreement:
    """β: κ with a distance, for any number of coders (Artstein & Poesio 2005, 2.7).

    D_e is the mean over pairs of coders, weighted by their numbers of judgments, of
    Σ P(j|m) P(l|n) d_jl. With the nominal distance it is κ. Parameters as in `agreement`.
    """
    return agreement(data, "beta", distance=distance, incomplete=incomplete, undefined=undefined)


def brennan_prediger(
    data: Any,
    distance: Any = "nominal",
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> Agreement:
    """S with a distance: D_e = Σ d_jl / k² over the declared categories (Brennan & Prediger 1981).

    Parameters as in `agreement`.
    """
    return agreement(
        data, "brennan_prediger", distance=distance, incomplete=incomplete, undefined=undefined
    )


def ac(
    data: Any,
    distance: Any = "nominal",
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> Agreement:
    """Gwet's AC1 (nominal) and AC2: chance is rarer the more one category prevails.

    A_e = Σ w_jl / (k (k − 1)) · Σ P(k) (1 − P(k)) with w = 1 − d/d_max (Gwet 2008; 2014,
    chapters 3 to 5). Parameters as in `agreement`.
    """
    return agreement(data, "ac", distance=distance, incomplete=incomplete, undefined=undefined)


def weighted_kappa(
    data: Any,
    distance: Any = "nominal",
    *,
    incomplete: str = "published",
    undefined: str | float = "nan",
) -> Agreement:
    """Cohen's weighted κ; β, its generalization, where there are more than two coders.

    With exactly two coders, `distance` may be any non-negative matrix of weights, asymmetric or with
    a diagonal that is not 0; its rows are the first coder's categories (Cohen 1968). Parameters as
    in `agreement`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[0, 0, 2], [1, 1, 2], [2, 1, 0]]
    >>> weights = [[0, 1, 3], [2, 0, 1], [4, 2, 0]]
    >>> data = af.Annotations.from_contingency(table)
    >>> round(af.weighted_kappa(data, weights).value, 4)
    -0.125
    """
    _check_undefined(undefined)
    resolved = distances.resolve(distance)
    prepared = _prepared(data, incomplete, ("individual",))
    row = COEFFICIENTS["beta"]
    if not isinstance(resolved, MatrixDistance) or resolved.symmetric:
        return _one(prepared, row.name, row.chance, row.item_weight, resolved, undefined)
    annotations = prepared.annotations
    if annotations.n_coders != 2:
        raise ValueError(
            "the matrix is asymmetric or its diagonal is not 0: such weights need exactly two "
            f"coders, these annotations have {annotations.n_coders}"
        )
    assert annotations.coders is not None
    form = resolved.bind(annotations.categories, annotations.declared)
    table = annotations.contingency_table(*annotations.coders)
    first, second = prepared.marginals.coders().astype(np.float64)
    total = float(table.sum())
    judged = float(first.sum()) * float(second.sum())
    return _result(
        prepared,
        row.name,
        row.chance,
        row.item_weight,
        resolved,
        undefined,
        float((table * form.values).sum()) / total if total else NAN,
        form.bilinear(first, second) / judged if judged else 0.0,
        form.largest(),
    )
