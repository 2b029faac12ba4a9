"""Results of unitizing: frozen floats, with a value for each category."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol, TypeVar

from agreement_fast.errors import UnknownKeyError
from agreement_fast.results import Result
from agreement_fast.tables import DETAILS, ResultTable, of_each
from agreement_fast.terminal import align, number_of
from agreement_fast.unitizing.continuum import Continuum, paired

#: By name: how the coefficient is written, and its question.
QUESTIONS: Mapping[str, tuple[str, str]] = {
    "alpha_u": ("alpha_U (1995)", "do coders have units of a category in the same places?"),
    "u_alpha": ("u-alpha", "do units coincide in place and category, gaps included?"),
    "binary_u_alpha": ("|u-alpha", "do coders mark the same places, in any category?"),
    "cu_alpha": ("cu-alpha", "do places that both coders marked have the same category?"),
    "ku_alpha": ("(k)u-alpha", "the same, for each category"),
}


NAN = float("nan")

NO_PAIRS = "no pairs: one coder alone cannot agree or disagree"
NO_COMMON = "no pairs: no document was seen by two coders"
NO_UNITS = "no units: nobody marked anything"
NO_VARIATION = "no variation: the expected disagreement is 0"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CategoryUnitizing(Result):
    """One category's part in a coefficient of unitizing: a float, with its parts.

    Attributes
    ----------
    category : label
        The category.
    value : float
        1 − D_o / D_e; NaN if undefined.
    observed_disagreement, expected_disagreement : float
        D_o and D_e.
    n_units : int
        Number of units of this category, of all coders.
    unit_length : int
        The total length of these units, in steps of the resolution.
    coverage : float
        The part of these units that counts: 1, or for (k)u-α the part that other coders' units
        intersect.
    undefined : str or None
        The reason if there is no value.
    """

    category: Any
    value: float
    observed_disagreement: float
    expected_disagreement: float
    n_units: int
    unit_length: int
    coverage: float
    undefined: str | None

    def __repr__(self) -> str:
        return f"<{self.category!r}: {_numbers(self)}, {self.n_units} units>"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Unitizing(Result):
    """A coefficient of agreement on units of continua: a float, with its parts.

    ``result["name"]`` is the part of a category; ``print(result.table())`` shows all of them.

    Attributes
    ----------
    coefficient : str
        "alpha_u", "u_alpha", "binary_u_alpha", "cu_alpha" or "ku_alpha".
    value : float
        1 − D_o / D_e; NaN if undefined, and for "ku_alpha", which only has values of categories.
    observed_disagreement, expected_disagreement : float
        D_o and D_e.
    by_category : tuple of CategoryUnitizing
        The values of categories; empty for coefficients that have none.
    n_units, n_coders, n_documents : int
        Numbers of units, coders and documents.
    n_unpaired_documents : int
        Number of documents that fewer than two coders saw. They do not count in `n_units`, in
        `length` or in the value.
    length : int
        L, the total length of the other documents, in steps of the resolution.
    extents_inferred : bool
        Whether the documents' lengths were inferred from the units.
    coverage : float
        The part of the continua that counts: 1, or for "cu_alpha" and "ku_alpha" the part in which
        units of different coders intersect.
    undefined : str or None
        The reason if there is no value.
    """

    aside: ClassVar[frozenset[str]] = DETAILS | {"n_unpaired_documents"}

    coefficient: str
    value: float
    observed_disagreement: float
    expected_disagreement: float
    by_category: tuple[CategoryUnitizing, ...]
    n_units: int
    n_coders: int
    n_documents: int
    n_unpaired_documents: int
    length: int
    extents_inferred: bool
    coverage: float
    undefined: str | None

    def __getitem__(self, category: Any) -> CategoryUnitizing:
        for part in self.by_category:
            if part.category == category:
                return part
        shown = ", ".join(repr(part.category) for part in self.by_category) or "none"
        raise UnknownKeyError(
            f"{self.coefficient} has no category {category!r}; the categories are {shown}",
        )

    def __repr__(self) -> str:
        alone = self.n_unpaired_documents
        return (
            f"<{self.coefficient}: {_numbers(self)}, {self.n_units} units, "
            f"{self.n_coders} coders, length {self.length}"
            + (f", {number_of(alone, 'document')} without two coders>" if alone else ">")
        )

    def table(self) -> str:
        """Return the value of each category, and of all together, as text in columns.

        Returns
        -------
        str
            A table.
        """
        return str(UnitizingTable([self]))


def _numbers(result: Unitizing | CategoryUnitizing) -> str:
    if result.undefined is not None:
        return f"undefined ({result.undefined})"
    return (
        f"{result.value:.6g}, D_o = {result.observed_disagreement:.6g}, "
        f"D_e = {result.expected_disagreement:.6g}"
    )


class UnitizingTable(ResultTable[Unitizing]):
    """Several coefficients of the same continuum: a sequence that also takes names."""

    def _named(self, key: Any) -> Unitizing:
        for result in self._rows:
            if result.coefficient == key:
                return result
        raise UnknownKeyError(
            f"{key!r} is not in the table, which has "
            f"{', '.join(r.coefficient for r in self._rows)}",
        )

    def parts(self) -> Iterator[tuple[str, Any, Unitizing | CategoryUnitizing]]:
        """Iterate over all values.

        Yields
        ------
        tuple of (str, label or None, Unitizing or CategoryUnitizing)
            The coefficient, the category (None for all together) and the value.
        """
        for result in self._rows:
            # (k)u-alpha only has values of categories.
            if not (result.coefficient == "ku_alpha" and result.by_category):
                yield result.coefficient, None, result
            for part in result.by_category:
                yield result.coefficient, part.category, part

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each coefficient and category; the category of all together is None."""
        parts = list(self.parts())
        numbers = "value observed_disagreement expected_disagreement n_units coverage undefined"
        return {
            "coefficient": [name for name, _, _ in parts],
            "category": [category for _, category, _ in parts],
            **of_each((part for _, _, part in parts), numbers),
        }

    def __repr__(self) -> str:
        head = ("coefficient", "category", "units", "coverage", "D_o", "D_e", "value")
        rows = [
            _row(part, name, "all" if category is None else str(category))
            for name, category, part in self.parts()
        ]
        return "\n".join(align(head, rows, "<" * len(head), indent=""))


def _row(result: Unitizing | CategoryUnitizing, name: str, category: str) -> tuple[str, ...]:
    value = f"{result.value:.4f}"
    return (
        name,
        category,
        str(result.n_units),
        f"{result.coverage:.3f}",
        f"{result.observed_disagreement:.6g}",
        f"{result.expected_disagreement:.6g}",
        value if result.undefined is None else f"undefined ({result.undefined})",
    )


# ---------------------------------------------------------------------- making them


def why_not(data: Continuum, n_units: int) -> str | None:
    """Return the reason if units have no value under any coefficient."""
    if data.n_coders < 2:
        return NO_PAIRS
    if not (data.n_seeing > 1).any():
        return NO_COMMON
    return None if n_units else NO_UNITS


def _value(
    halves: tuple[Fraction, Fraction] | None, why: str | None
) -> tuple[float, float, float, str | None]:
    """Return 1 − D_o / D_e, rounded once, D_o, D_e, and the reason if there is no value."""
    if halves is None:
        return NAN, NAN, NAN, why
    observed, expected = halves
    why = why or (None if expected else NO_VARIATION)
    value = NAN if why else float(1 - observed / expected)
    return value, float(observed), float(expected), why


def part(
    data: Continuum,
    code: int,
    halves: tuple[Fraction, Fraction] | None,
    why: str | None,
    *,
    coverage: float = 1.0,
) -> CategoryUnitizing:
    """Make the part of a category from D_o and D_e, or from the reason why there are none.

    `data` are the documents with two coders or more, as returned by `paired`.
    """
    units = data.units_of(code)
    length = int((data.end[units] - data.start[units]).sum())
    value, observed, expected, why = _value(halves, why)
    return CategoryUnitizing(
        data.categories[code],
        value,
        observed,
        expected,
        data.count(units),
        length,
        coverage,
        why,
    )


def whole(
    data: Continuum,
    coefficient: str,
    halves: tuple[Fraction, Fraction] | None,
    why: str | None,
    *,
    parts: Iterable[CategoryUnitizing] = (),
    coverage: float = 1.0,
) -> Unitizing:
    """Make a coefficient from D_o and D_e, or from the reason why there are none."""
    value, observed, expected, why = _value(halves, why)
    used = paired(data)
    return Unitizing(
        coefficient,
        value,
        observed,
        expected,
        tuple(parts),
        used.n_units,
        data.n_coders,
        len(data.documents),
        int((data.n_seeing < 2).sum()),
        used.length,
        data.inferred,
        coverage,
        why,
    )


class OfCategory(Protocol):
    """A coefficient of a category, or of all together, whose category is None."""

    @property
    def coefficient(self) -> str:
        """The name of the coefficient."""

    @property
    def category(self) -> Any:
        """The category."""


C = TypeVar("C", bound=OfCategory)


class ByCategory(ResultTable[C]):
    """Coefficients by name, and by name and category."""

    def _named(self, key: Any) -> C:
        name, category = key if isinstance(key, tuple) else (key, None)
        for result in self._rows:
            if result.coefficient == name and result.category == category:
                return result
        shown = [
            r.coefficient if r.category is None else repr((r.coefficient, r.category))
            for r in self._rows
        ]
        raise UnknownKeyError(f"{key!r} is not in the table, which has {', '.join(shown)}")
