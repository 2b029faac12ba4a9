"""The results of a study over subsets of coders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agreement_fast.arrays import Array
from agreement_fast.results import place_of
from agreement_fast.tables import DETAILS, Row, Tabular, of_fields
from agreement_fast.terminal import align


@dataclass(frozen=True, slots=True, repr=False)
class SizeSummary(Row):
    """A coefficient over the subsets of one size.

    Attributes
    ----------
    coefficient, distance : str
        Their names.
    size : int
        Number of coders in each subset.
    n_subsets, n_possible : int
        Number of subsets that were taken, and of all subsets.
    sampled : bool
        Whether the subsets are a uniform sample without replacement.
    n_undefined : int
        Subsets for which the coefficient is undefined; the numbers below leave them out.
    mean : float
        Mean of the values.
    standard_deviation : float
        Standard deviation of the values; the divisor is the number of (defined) subsets.
    relative_standard_deviation : float
        The standard deviation divided by the absolute value of the mean.
    minimum, lower_quartile, median, upper_quartile, maximum : float
        Extremes and quartiles, interpolated like those of numpy.quantile ("linear").
    counts : int64 array of shape (bins,)
        A histogram between minimum and maximum, like that of numpy.histogram.
    edges : float64 array of shape (bins + 1,)
        Edges of its bins.
    """

    aside = DETAILS | {
        "lower_quartile",
        "n_possible",
        "relative_standard_deviation",
        "sampled",
        "upper_quartile",
    }

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

    ``study["alpha", "interval"]`` is a tuple of `SizeSummary`, one for each size.
    ``study["alpha"]`` is that under the nominal distance, or the only one of that name.
    ``print(study)`` shows them all.

    Attributes
    ----------
    coders : tuple
        Names of the coders; coder c is bit c of a mask.
    sizes : tuple of int
        Numbers of coders.
    incomplete : str
        Which items count.
    n_subsets : int
        Number of subsets that were taken, of all sizes.
    summaries : tuple of tuples of SizeSummary
        One tuple for each coefficient and distance, in the requested order.
    masks : uint64 array of shape (n_subsets,) or None
        The mask of each subset, with ``keep=True``.
    values : float64 array of shape (len(summaries), n_subsets) or None
        Every value, with ``keep=True``; NaN if undefined.
    path : str or None
        The file that every value was written to.
    """

    aside = SizeSummary.aside

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
        """Return the coders of a subset that is given as a mask."""
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
