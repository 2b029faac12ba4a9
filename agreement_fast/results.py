"""Results: frozen floats with the parts that a report should state."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, Self

from agreement_fast import distances
from agreement_fast._kernels import _values
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import InputError, InputTypeError, UnknownKeyError
from agreement_fast.options import Incomplete
from agreement_fast.points import named
from agreement_fast.present.tables import (
    AFTER_NAMES,
    LAST,
    OTHER_NAMES,
    ResultTable,
    Tabular,
    of_fields,
)
from agreement_fast.present.terminal import show_value
from agreement_fast.reading.recognition.read import NO_ORIGIN, Origin, Read

NAN = math.nan

#: Quantile of the interval that decides what is clearly below chance, and the items added to it.
Z, ADDED = 1.96, 4


#: The level of the interval of a coefficient.
CONFIDENCE_LEVEL = 0.95


class Ends(NamedTuple):
    """Both ends of an interval, and the standard error."""

    low: float
    high: float
    standard_error: float


NO_ENDS = Ends(NAN, NAN, NAN)


class Interval(Protocol):
    """An interval that is computed when it is first asked for."""

    def ends(self) -> Ends | None: ...


class UndefinedError(InputError):
    """A coefficient is undefined for these data, and ``undefined="raise"`` was passed.

    Examples
    --------
    >>> import agreement_fast as af
    >>> try:
    ...     af.alpha([["x", "x"], ["x", "x"], ["x", "x"]], undefined="raise")
    ... except af.UndefinedError as error:
    ...     print(str(error).partition(":")[0])
    alpha is undefined
    """


class Result(Tabular, float):
    """A float with its parts; the base class of results.

    A result works as its value in comparisons, arithmetic, `round`, `format`, `sorted`, `json` and
    numpy. Two results are equal if their values are. An undefined result is NaN: it equals nothing,
    and ``bool(result)`` is True, as for any float but 0. Test it with `math.isnan(result)`;
    ``result.undefined`` holds the reason.

    A subclass is a frozen dataclass with slots and a field `value`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> result = af.alpha([["x", "x"], ["x", "y"], ["y", "y"], ["x", "x"]] * 10)
    >>> isinstance(result, af.Result), round(result, 2), round(result.high, 2), result > 0.4
    (True, 0.47, 0.71, True)
    """

    __slots__ = ()

    def __new__(cls, *parts: Any, **named: Any) -> Self:
        if "value" in named:
            return float.__new__(cls, named["value"])
        place = _place_of_value(cls)  # type: ignore[arg-type]
        return float.__new__(cls, parts[place] if place < len(parts) else NAN)

    def __reduce__(self) -> tuple[Callable[[], Self], tuple[()]]:
        parts = {name: getattr(self, name) for name in _parts(type(self))}
        return functools.partial(type(self), **parts), ()

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the parts as a table of one row."""
        return of_fields([self])

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the interval: `low` and `high`."""
        return self.low, self.high

    if TYPE_CHECKING:  # fields of subclasses

        @property
        def low(self) -> Any: ...
        @property
        def high(self) -> Any: ...
        @property
        def method(self) -> str | None: ...
        @property
        def note(self) -> str | None: ...
        @property
        def undefined(self) -> str | None: ...

    else:

        def __getattr__(self, name: str) -> Any:
            """Return None if a result has no note, no reason, or one kind of interval only."""
            if name in ("method", "note", "undefined"):
                return None
            return super().__getattr__(name)

        def __getitem__(self, name: Any) -> NoReturn:
            """Raise an error that names the attribute that is meant by a key."""
            key, problem = str(name), f"{type(self).__name__!r} object has no keys"
            remedy = f"write .{key}" if hasattr(self, key) else self._advice(key).removeprefix(": ")
            raise InputTypeError(problem, remedy)


def _parts(kind: Any) -> list[str]:
    return [field.name for field in fields(kind)]


@functools.cache
def _place_of_value(kind: Any) -> int:
    return _parts(kind).index("value")


def _after_names() -> Any:
    return field(default=NAN, metadata={"place": AFTER_NAMES})


def _last() -> Any:
    return field(default=None, metadata={"place": LAST})


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class Estimated(Result):
    """A float with its standard error and interval; fields that results have in common.

    Columns begin with the names of what was measured, such as "coefficient", and end with the
    reasons.

    Attributes
    ----------
    value : float
        NaN if undefined.
    standard_error, low, high, confidence_level : float
        The standard error, and the interval; NaN if there is none.
    undefined : str or None
        The reason if there is no value.
    note : str or None
        The reason if there is no interval, or one without width.
    """

    value: float = field(metadata={"place": AFTER_NAMES})
    standard_error: float = _after_names()
    low: float = _after_names()
    high: float = _after_names()
    confidence_level: float = _after_names()
    undefined: str | None = _last()
    note: str | None = _last()


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class Resampled(Estimated):
    """A float with its interval from resamples.

    Attributes
    ----------
    method : str
        The kind of interval.
    n_resamples : int
        Number of resamples.
    """

    method: str = field(metadata={"place": AFTER_NAMES})
    n_resamples: int


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Agreement(Result):
    """A coefficient of agreement: a float, with what it was computed from.

    Attributes
    ----------
    coefficient, distance, chance, item_weight, incomplete : str
        The coefficient, the distance, the chance model, the weight of items, and the policy for
        missing judgments.
    value : float
        1 − D_o / D_e; NaN if undefined.
    observed_disagreement, expected_disagreement : float
        D_o and D_e, in units of the distance.
    n_items : int
        Number of items in D_o: those with two judgments or more. Weights count.
    n_items_dropped : int
        Number of items that are not in D_o.
    n_coders : int or None
        Number of coders; None if they are not known.
    n_judgments : int
        Number of judgments of the items in D_o.
    n_categories : int or None
        k, declared or occurring; None if the distinct numbers were not counted.
    undefined : str or None
        The reason if there is no value: "no pairs: ..." or "no variation: ...".
    largest_distance : float
        d_max, the largest distance between categories; 1 for nominal.
    origin : Origin
        What `read` is made from; it holds names and no judgments.
    later : Interval or None
        What the interval is computed from; None if there is nothing.
    """

    _caption = (
        "{coefficient}({distance}) = {value}: D_o = {observed_disagreement}, D_e = "
        "{expected_disagreement}, {n_items:item}, {n_judgments:judgment}"
    )
    _remarks = "_remark"

    @property
    def _remark(self) -> str | None:
        below = self.undefined is None and self.note is not None
        return "clearly below chance: see .note" if below else self.undefined

    coefficient: str
    distance: str
    chance: str
    item_weight: str
    incomplete: Incomplete
    value: float
    observed_disagreement: float
    expected_disagreement: float
    n_items: int
    n_items_dropped: int
    n_coders: int | None
    n_judgments: int
    n_categories: int | None
    undefined: str | None
    largest_distance: float
    origin: Origin = NO_ORIGIN
    later: Interval | None = field(default=None, metadata={"column": False})

    @staticmethod
    def of(*parts: Any) -> Agreement:
        """Make one of all its parts, in a third of the time of the constructor. For the package."""
        return _values.fill(float.__new__(Agreement, parts[_VALUE]), _FIELDS, parts)

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the 95% interval, that of `inference.standard_error`.

        It is computed when it is first asked for: from judgments that the result keeps, if they
        take at most 64 kB, or else from the `Annotations`, as long as they exist. A result of more
        data that were passed as a table has none; ``inference.standard_error(data)`` computes it.
        Pickling computes it and keeps no judgments.

        Examples
        --------
        >>> import agreement_fast as af
        >>> result = af.alpha([["x", "x"], ["x", "y"], ["y", "y"], ["x", "x"]] * 10)
        >>> low, high = result.interval
        >>> print(f"{result:.2f}, 95% interval {low:.2f} to {high:.2f}")
        0.47, 95% interval 0.17 to 0.71
        """
        return self.low, self.high

    @property
    def low(self) -> float:
        """The lower end of the `interval`."""
        return self._ends("low").low

    @property
    def high(self) -> float:
        """The upper end of the `interval`."""
        return self._ends("high").high

    @property
    def standard_error(self) -> float:
        """The standard error, of the infinitesimal jackknife; see `interval`."""
        return self._ends("standard_error").standard_error

    @property
    def confidence_level(self) -> float:
        """The level of the `interval`, 0.95."""
        return CONFIDENCE_LEVEL

    @property
    def method(self) -> str:
        """The kind of the `interval`: "score", as `inference.standard_error` names it."""
        return "score"

    def _advice(self, name: str) -> str:
        """Name the function that makes an interval or a test, if this result has none."""
        meant = OTHER_NAMES.get(name, ())
        advice = Tabular._advice(self, name)
        of_inference = {*meant} & {"low", "high", "standard_error", "p_value"}
        if not of_inference or advice.endswith(" and ".join(meant)):
            return advice
        function = "coefficient_test" if meant == ("p_value",) else "standard_error"
        distance = ", distance=..." if self.distance != "nominal" else ""
        return (
            f": af.inference.{function}(data, {self.coefficient!r}{distance}) has "
            f"{' and '.join(meant)}"
        )

    def _ends(self, name: str) -> Ends:
        ends = None if self.later is None else self.later.ends()
        if ends is None:
            raise AttributeError(name)  # __getattr__ names the function
        return ends

    @property
    def read(self) -> Read:
        """What was read: the layout, the coders, what was guessed and what was left out.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.alpha([["x", "x"], ["x", "y"], ["y", "y"]]).read
        read      wide
        items     3
        coders    2 coders: 0, 1
        call      layout='wide'
        """
        return self.origin.read(self.distance)

    @property
    def note(self) -> str | None:
        """A remark if the value is clearly below chance: is the table what it was taken for.

        A value is clearly below chance if it is below −1, or if an interval around it is below 0.
        D_o is a mean of numbers from 0 to d_max, whose variance is at most
        D_o (d_max − D_o) / n. With this variance, D_e taken as known, and two items without
        disagreement and two with the largest added (Agresti & Coull 1998), the interval of 95% is
        wider than that of the standard error.

        Examples
        --------
        >>> import agreement_fast as af
        >>> result = af.alpha([["x", "y"], ["y", "x"]] * 20)
        >>> print(result.note[:75])
        alpha is -0.9750, clearly below chance. Is the table what it was taken for?
        >>> af.alpha([["x", "y"], ["y", "x"]]).note is None
        True
        """
        if not self._below_chance():
            return None
        return (
            f"{self.coefficient} is {show_value(self.value)}, clearly below chance. Is the table "
            "what it was taken for? Look at what was read: items and coders may be transposed, "
            "labels may be counts or sums, or a coder's codes may be reversed."
        )

    def _below_chance(self) -> bool:
        """Say whether the value is clearly below chance; see `note`."""
        expected, largest = self.expected_disagreement, self.largest_distance
        if not (self.value < 0 and self.undefined is None and 0 < largest < math.inf):
            return self.value < -1
        n = self.n_items + ADDED
        share = (self.n_items * self.observed_disagreement / largest + ADDED / 2) / n
        low = share - Z * math.sqrt(max(share * (1 - share), 0.0) / n)
        return self.value < -1 or low * largest > expected

    @property
    def observed_agreement(self) -> float | None:
        """A_o = 1 − D_o / d_max; under the nominal distance the share of agreeing pairs."""
        return self._agreement(self.observed_disagreement)

    @property
    def expected_agreement(self) -> float | None:
        """A_e = 1 − D_e / d_max."""
        return self._agreement(self.expected_disagreement)

    def _agreement(self, disagreement: float) -> float | None:
        if self.distance == "nominal":
            return 1.0 - disagreement
        return 1.0 - disagreement / self.largest_distance if self.largest_distance else None


_FIELDS, _VALUE = tuple(_parts(Agreement)), _place_of_value(Agreement)


class Measured(Protocol):
    """A result for a coefficient under a distance."""

    @property
    def coefficient(self) -> str: ...
    @property
    def distance(self) -> str: ...


def place_of(key: str | tuple[str, Any], results: Sequence[Measured]) -> int:
    """Return the position of a coefficient, given by its name or by (name, distance).

    A name alone means the one under the nominal distance, or the only one of that name.
    """
    name, distance = key if isinstance(key, tuple) else (key, None)
    same = [i for i, r in enumerate(results) if r.coefficient == named(name).name]
    if distance is not None:
        # Results may have distances such as "matrix", which are no names of distances.
        is_shown = isinstance(distance, str) and any(r.distance == distance for r in results)
        requested = distance if is_shown else distances.resolve(distance).name
        same = [i for i in same if results[i].distance == requested]
    elif len(same) > 1:
        same = [i for i in same if results[i].distance == "nominal"]
    if len(same) != 1:
        shown = [f"{r.coefficient} ({r.distance})" for r in results]
        twice = "; find equal names by position" if len({*shown}) < len(shown) else ""
        raise UnknownKeyError(f"{key!r} is not in the table, which has {', '.join(shown)}{twice}")
    return same[0]


class AgreementTable(ResultTable[Agreement]):
    """Several coefficients of the same data: a sequence of `Agreement` that also takes names.

    ``table["alpha", "interval"]`` is a coefficient under a distance. ``table["pi"]`` is the one
    under the nominal distance, or the only one of that name. ``print(table)`` shows all of them.
    """

    _table = (
        "coefficient | distance | D_o = observed_disagreement:# | D_e = expected_disagreement:# "
        "| value"
    )
    _remarks = ""

    def _named(self, key: Any) -> Agreement:
        return self._rows[place_of(key, self._rows)]

    @property
    def read(self) -> Read:
        """What was read: the layout, the coders, what was guessed and what was left out."""
        if not self._rows:
            return NO_ORIGIN.read()
        distances = {row.distance for row in self._rows}
        return self._rows[0].origin.read(distances.pop() if len(distances) == 1 else "")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ObservedAgreement(Estimated):
    """The share of agreeing pairs of judgments: a float, with its standard error and interval.

    Attributes
    ----------
    value : float
        A_o, the mean over items of the share of agreeing pairs of judgments. Every item with two
        judgments or more counts the same.
    standard_error : float
        √(Σ (a_i − A_o)²) / n for n items with agreement a_i; √(A_o (1 − A_o) / n) for two judgments
        an item.
    low, high : float
        The ends of the interval.
    confidence_level : float
        The confidence of the interval.
    n_items : int
        Number of items with two judgments or more.
    method : str
        The kind of interval: "score", which lies in [0, 1], "wilson" or "wald".
    undefined : str or None
        The reason if there is no value.
    origin : Origin
        What `read` is made from; it holds names and no judgments.
    """

    _caption = (
        "observed agreement = {value} ± {standard_error:.4g}[, {interval}] ({method}, "
        "{n_items:item})"
    )

    n_items: int
    method: str
    origin: Origin = NO_ORIGIN

    @property
    def read(self) -> Read:
        """What was read: the layout, the coders, what was guessed and what was left out."""
        return self.origin.read()


NO_PAIRS = "no pairs: no item has two judgments, so nothing can agree or disagree"
NO_VARIATION = (
    "no variation: the expected disagreement is 0, so the data cannot show whether coders tell "
    "categories apart"
)
