"""Which cells of two coders' table make their labels associated: expected counts and residuals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.inference.twocoders import table_of_two
from agreement_fast.tables import Listing, Row


@dataclass(frozen=True, slots=True)
class AssociationCell(Row):
    """A cell of two coders' contingency table, compared with what chance would put there.

    Attributes
    ----------
    first, second : object
        The label of the first coder, and that of the second.
    observed : int
        Items with both labels.
    expected : float
        The expected number if the coders label independently, n_j. n_.l / n.
    contribution : float
        (O − E)² / E, the cell's part of the χ² of `association`.
    adjusted_residual : float
        (O − E) / sqrt(E (1 − n_j. / n) (1 − n_.l / n)), about standard normal if the labels are
        independent (Haberman 1973); NaN if a coder used one category only.
    """

    first: Any
    second: Any
    observed: int
    expected: float
    contribution: float
    adjusted_residual: float


def association_cells(data: Any) -> Listing[AssociationCell]:
    """Compute expected counts and residuals of the cells of two coders' table.

    They show which cells cause the χ² of `association`.

    Parameters
    ----------
    data : Annotations of two coders, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Items that only one coder judged are left out.

    Returns
    -------
    Listing of AssociationCell
        The cell that adds most to χ² comes first. Categories that a coder did not use have no cell.

    Raises
    ------
    ValueError
        If there are not two coders, coders are unknown, or there are more than 4096 categories.

    Notes
    -----
    A cell off the diagonal with a large positive residual is a disagreement that the coders repeat.
    O(items + K²).

    References
    ----------
    Haberman 1973, The analysis of residuals in cross-classified tables, *Biometrics* 29, 205–220.

    Examples
    --------
    Table 2 of Artstein & Poesio (2005), 200 items: one coder says "chck" if the other says "ireq".

    >>> import agreement_fast as af
    >>> table = [[50, 26, 24], [24, 4, 32], [6, 30, 4]]
    >>> data = af.Annotations.from_contingency(table, categories=["stat", "ireq", "chck"])
    >>> worst = af.inference.association_cells(data)[0]
    >>> worst.first, worst.second, worst.observed, worst.expected
    ('chck', 'ireq', 30, 12.0)
    """
    annotations, table, _ = table_of_two(data, "the cells of the χ² of association")
    n = int(table.sum())
    rows, columns = table.sum(1), table.sum(0)
    cells = []
    for j in np.flatnonzero(rows).tolist():
        for k in np.flatnonzero(columns).tolist():
            observed, of_row, of_column = int(table[j, k]), int(rows[j]), int(columns[k])
            expected = of_row * of_column / n
            spread = expected * (1 - of_row / n) * (1 - of_column / n)
            gap = observed - expected
            cells.append(
                AssociationCell(
                    first=annotations.categories[j],
                    second=annotations.categories[k],
                    observed=observed,
                    expected=expected,
                    contribution=gap**2 / expected,
                    adjusted_residual=gap / math.sqrt(spread) if spread > 0 else math.nan,
                )
            )
    return Listing(sorted(cells, key=lambda cell: -cell.contribution))
