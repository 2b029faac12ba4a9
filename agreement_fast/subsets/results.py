"""What a study over subsets of coders returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agreement_fast.arrays import Array
from agreement_fast.results import place_of
from agreement_fast.tables import Tabular, of_fields
from agreement_fast.terminal import align


@dataclass(frozen=True, slots=True, repr=False)
class SizeSummary:
    """A coefficient over the subsets of one size.

    Attributes
    ----------
    coefficient, distance : str
    size : int
        Coders in each subset.
    n_subsets, n_possible : int
        Subsets that were taken, and those that there are.
    sampled : bool
        Whether the subsets are a uniform sample without replacement.
    n_undefined : int
        Subsets for which the coefficient is undefined; they are left out of everything below.
    mean : float
    standard_deviation : float
        With the number of (defined) subsets as divisor, as of a whole population.
    relative_standard_deviation : float
        The standard deviation over the absolute value of the mean.
    minimum, lower_quartile, median, upper_quartile, maximum : float
        Quartiles lie between neighbouring values as numpy.quantile puts them ("linear").
    counts : int64 array of shape (bins,)
        A histogram between minimum and maximum, as numpy.histogram counts.
    edges : float64 array of shape (bins + 1,)
    """

    coefficient: str
    distance: str
    size: int
    n_subsets: int
    n_possible: int
    sampled: bool
    n_undefined: int
    mean: float
    standard_deviation: float
    relative_standard_deviation: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float
    counts: Array = field(compare=False)
    edges: Array = field(compare=False)

    def __repr__(self) -> str:
        of = f" of {self.n_possible:,}" if self.sampled else ""
        undefined = f", {self.n_undefined:,} undefined" if self.n_undefined else ""
        return (
            f"<{self.coefficient}({self.distance}) of {self.size} coders: mean {self.mean:.6g}, "
            f"sd {self.standard_deviation:.6g}, {self.n_subsets:,}{of} subsets{undefined}>"
        )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SubsetStudy(Tabular):
    """Coefficients over subsets of the coders, by size.

    ``study["alpha", "interval"]`` are the `SizeSummary` of a coefficient, one a size, and
    ``study["alpha"]`` those under the nominal distance, or its only one. ``print(study)`` shows
    all of them.

    Attributes
    ----------
    coders : tuple
        Names; coder c is bit c of a mask.
    sizes : tuple of int
    incomplete : str
    n_subsets : int
        Subsets that were taken, of all sizes.
    summaries : tuple of tuples of SizeSummary
        One tuple for each coefficient and distance, in the order asked for.
    masks : uint64 array of shape (n_subsets,) or None
    values : float64 array of shape (len(summaries), n_subsets) or None
        Every value, NaN where undefined; where ``keep=True`` asked for it.
    path : str or None
        Where every value was written.
    """

    coders: tuple[Any, ...]
    sizes: tuple[int, ...]
    incomplete: str
    n_subsets: int
    summaries: tuple[tuple[SizeSummary, ...], ...]
    masks: Array | None = None
    values: Array | None = None
    path: str | None = None

    def __getitem__(self, key: str | tuple[str, Any]) -> tuple[SizeSummary, ...]:
        return self.summaries[place_of(key, [rows[0] for rows in self])]

    def __iter__(self) -> Iterator[tuple[SizeSummary, ...]]:
        return iter(self.summaries)

    def __len__(self) -> int:
        return len(self.summaries)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each coefficient and size, a column for each number of `SizeSummary`."""
        return of_fields(row for rows in self for row in rows)

    def members(self, mask: int) -> tuple[Any, ...]:
        """The coders of a subset given as a mask."""
        return tuple(coder for c, coder in enumerate(self.coders) if int(mask) >> c & 1)

    def __repr__(self) -> str:
        measures = ", ".join(f"{rows[0].coefficient}({rows[0].distance})" for rows in self)
        return f"<{self.n_subsets:,} subsets of {len(self.coders)} coders: {measures}>"

    def __str__(self) -> str:
        head = (
            "coefficient", "distance", "coders", "subsets", "mean", "sd", "relative", "minimum",
            "lower", "median", "upper", "maximum", "undefined",
        )  # fmt: skip
        lines = [
            (
                row.coefficient,
                row.distance,
                str(row.size),
                f"{row.n_subsets:,}" + (f" of {row.n_possible:,}" if row.sampled else ""),
                f"{row.mean:.4f}",
                f"{row.standard_deviation:.4f}",
                f"{row.relative_standard_deviation:.2%}",
                *(
                    f"{value:.4f}"
                    for value in (
                        row.minimum, row.lower_quartile, row.median, row.upper_quartile, row.maximum
                    )
                ),
                f"{row.n_undefined:,}",
            )
            for rows in self
            for row in rows
        ]  # fmt: skip
        return "\n".join(align(head, lines, "<<" + ">" * 11, indent=""))
