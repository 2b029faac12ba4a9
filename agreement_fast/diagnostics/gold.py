"""The agreement of each coder with a gold standard, or with the majority of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import share_interval
from agreement_fast.annotations import JudgmentsLike, as_annotations
from agreement_fast.diagnostics.cell_errors import intervals_of, why_none
from agreement_fast.diagnostics.cells import (
    bound,
    cells_of,
    check_keys,
    tables_of,
    values_of,
)
from agreement_fast.options import check_share
from agreement_fast.patterns import as_lists
from agreement_fast.points import Point
from agreement_fast.present.tables import DETAILS, Aligned, in_columns
from agreement_fast.reading.gold import others_majority, with_reference
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.results import NO_PAIRS, NO_VARIATION

#: Coders that are printed.
SHOWN = 20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AgainstGold(Aligned):
    """The agreement of each coder with a reference; arrays have shape (C,).

    Attributes
    ----------
    coefficient, distance : str
        The names of the coefficient and the distance.
    reference : str
        "gold" or "majority of the others".
    coders : tuple
        The names of the coders.
    n_items : int64
        Items that the coder judged and that have a reference, including weights.
    n_without : int64
        Items that the coder judged and that have no reference: no gold label, no other judgment, or
        a tie of the others. They are left out.
    observed_agreement : float64
        The share of `n_items` for which the coder's label equals the reference (accuracy).
    observed_low, observed_high : float64
        Wilson's interval of the observed agreement, with the items as the sample.
    observed_disagreement, expected_disagreement, value : float64
        D_o, D_e and 1 − D_o / D_e of the coder and the reference; NaN if undefined.
    standard_error, low, high : float64
        The standard error of `value`, and the ends of its interval. The reference is treated as
        fixed, even if it is the majority of the others.
    confidence_level : float
        The level of the intervals.
    undefined : tuple of C str or None
        Why there is no value.
    note : tuple of C str or None
        Why a value has no interval.
    """

    aside = DETAILS | {"observed_disagreement", "expected_disagreement"}

    coefficient: str
    distance: str
    reference: str
    coders: tuple[Any, ...]
    n_items: Array
    n_without: Array
    observed_agreement: FloatArray
    observed_low: FloatArray
    observed_high: FloatArray
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    value: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    confidence_level: float
    undefined: tuple[str | None, ...]
    note: tuple[str | None, ...]

    _column_names = (
        "coder=coders coefficient distance value standard_error low high observed_agreement "
        "observed_low observed_high confidence_level observed_disagreement "
        "expected_disagreement n_items n_without undefined note"
    )

    def __repr__(self) -> str:
        known = self.value[~np.isnan(self.value)]
        low, high = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
        return (
            f"<{self.coefficient}({self.distance}) of {len(self)} coders against the "
            f"{self.reference}: {low:.6g} to {high:.6g}>"
        )

    def __str__(self) -> str:
        """Return a table; first the coder who agrees least."""
        order = np.argsort(self.value, kind="stable")[:SHOWN].tolist()
        layout = (
            f"coder | {self.coefficient} = value | low | high | agreement = observed_agreement | "
            "low = observed_low | high = observed_high | items = n_items | without = n_without"
        )
        return "\n".join([repr(self)[1:-1], *in_columns(self.columns(), layout, order)])


def against_gold(
    data: JudgmentsLike,
    gold: Any = None,
    coefficient: str = "kappa",
    *,
    distance: Any = "nominal",
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> AgainstGold:
    """Compute the agreement of each coder with a gold standard, or with the majority of the others.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known. A model can be one of the coders; to compare it
        with people, see `model_agreement`.
    gold : coder, mapping item -> label, data frame, or sequence of shape (n_rows,), optional
        The right labels (None if missing), or the name of a coder who has them and is then not
        compared. The index of a pandas Series names the items; a data frame has columns of items
        and labels, or an index and one column. By default, each coder is compared with the most
        frequent label of the others; items on which the others tie are left out.
    coefficient : str, default "kappa"
        The name of the coefficient of the coder and the reference.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. Ordinal ranks
        are those of all coders' judgments.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    AgainstGold
        Arrays with an entry for each coder; ``print(result)`` shows a table.

    Raises
    ------
    ValueError
        If the coders are unknown; or if `gold` has unknown items, an unknown coder, the wrong
        shape, no label that the data have, or labels outside the declared categories.

    Notes
    -----
    Gold labels that no coder used are categories, too. The interval of a coefficient is Wilson's
    interval of the observed agreement, mapped, with the variance of the coefficient. O(n log n) for
    n judgments.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.diagnostics import against_gold
    >>> table = [["x", "x", "x"], ["y", "y", "x"], ["x", "y", "x"], ["y", "y", "y"]]
    >>> data = af.Annotations.from_wide(table, coders=["Ann", "Bea", "Cid"])
    >>> against_gold(data, ["x", "y", "x", "y"]).value.tolist()
    [1.0, 0.5, 0.5]
    >>> found = against_gold(data)
    >>> found.n_items.tolist(), found.n_without.tolist()
    ([2, 3, 3], [2, 1, 1])
    """
    annotations = as_annotations(data, **reading)
    point = Point.of(coefficient, distance)
    check_share("confidence_level", confidence_level)
    if gold is None:
        lists = as_lists(annotations.grouped())
        right = others_majority(lists, len(annotations.labels))
    else:
        annotations, reference = with_reference(annotations, gold, "gold")
        lists = as_lists(annotations.rows)
        right = np.repeat(reference, np.diff(lists.start))
    coders = tuple(annotations.known_coders("against_gold()"))
    K = len(annotations.labels)
    check_keys(len(coders), K, f"{len(coders)} coders")
    weights = np.ones(lists.n_rows, np.int64) if lists.weights is None else lists.weights
    each = np.repeat(weights, np.diff(lists.start))
    who = cast(Array, lists.coders)
    known = (right >= 0) & (each > 0)
    n_without = np.zeros(len(coders), np.int64)
    np.add.at(n_without, who[right < 0], each[right < 0])
    group, cells = tables_of(
        cells_of(who[known], lists.codes[known], right[known], each[known], K), K
    )
    form = bound(annotations, point.distance)
    values = values_of(cells, point.chance, form, K)
    same = cells.sums(np.where(cells.first == cells.second, cells.counts, 0)) / cells.n_items
    parts = (
        *values,
        *intervals_of(cells, point, form, K, values, confidence_level),
        same,
        *share_interval(same, 0.0, cells.n_items, confidence_level, "wilson"),
    )
    n_items = np.zeros(len(coders), np.int64)
    n_items[group] = cells.n_items
    by_part = np.full((len(parts), len(coders)), np.nan)
    for out, part in zip(by_part, parts, strict=True):
        out[group] = part
    names = (
        "observed_disagreement expected_disagreement value standard_error low high "
        "observed_agreement observed_low observed_high"
    )
    parts_of = dict(zip(names.split(), by_part, strict=True))
    value, low = parts_of["value"], parts_of["low"]
    return AgainstGold(
        coefficient=point.name,
        distance=point.distance.name,
        reference="majority of the others" if gold is None else "gold",
        coders=coders,
        n_items=n_items,
        n_without=n_without,
        **parts_of,
        confidence_level=confidence_level,
        undefined=tuple(
            NO_PAIRS if not n else NO_VARIATION if np.isnan(v) else None
            for n, v in zip(n_items.tolist(), value.tolist(), strict=True)
        ),
        note=tuple(
            why_none(value[c], low[c], int(n_items[c]), point.has_slope) for c in range(len(coders))
        ),
    )
