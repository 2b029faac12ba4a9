"""The best alignment of coders' units, as a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align as in_columns
from agreement_fast.terminal import number_of, show_label, show_number
from agreement_fast.unitizing.aligned.best import (
    Dissimilarity,
    Lanes,
    best,
    check_soft,
    saw_what,
    sums,
)
from agreement_fast.unitizing.continuum import Continuum, checked, paired
from agreement_fast.unitizing.line import in_pieces
from agreement_fast.unitizing.results import why_not

#: Unitary alignments that are printed.
SHOWN = 20


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Alignment(Tabular):
    """The alignment of units with the least disorder: which units belong together.

    Attributes
    ----------
    data : Continuum
        The units, without documents that fewer than two coders saw.
    members : int64 array of shape (r, n_coders)
        The row of each coder's unit in `data`, for each unitary alignment; −1 for none. Sorted by
        document and place.
    disorders : float64 array of shape (r,)
        The mean dissimilarity of units over all pairs of coders; Δ∅ for a pair in which a coder has
        no unit.
    disorder : float
        The sum of `disorders`, divided by the mean number of units per coder over all documents;
        NaN if undefined. The means of documents with different coders are added.
    n_unpaired_documents : int
        Number of documents that fewer than two coders saw, which do not count.
    soft : bool
        Whether a unit may be in several unitary alignments.
    undefined : str or None
        The reason if there is no alignment.
    """

    data: Continuum
    members: Array
    disorders: FloatArray
    disorder: float
    n_unpaired_documents: int
    soft: bool
    undefined: str | None

    def __len__(self) -> int:
        return len(self.members)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each unit of each unitary alignment."""
        row, coder = np.nonzero(self.members >= 0)
        unit = self.members[row, coder]
        of_units = self.data.columns()
        return {
            "alignment": row,
            "disorder": self.disorders[row],
            **{name: [values[i] for i in unit.tolist()] for name, values in of_units.items()},
        }

    def __repr__(self) -> str:
        if self.undefined is not None:
            return f"<alignment: undefined ({self.undefined})>"
        head = ["document", "disorder", *(show_label(name, 24) for name in self.data.coders)]
        step, seers = self.data.resolution, saw_what(self.data)
        rows = []
        for members, disorder in zip(self.members[:SHOWN], self.disorders, strict=False):
            place = self.data.document[members.max()]
            cells = [
                ("-" if saw else "not seen")
                if unit < 0
                else f"{self.data.start[unit] * step:g}–{self.data.end[unit] * step:g} "
                + show_label(self.data.categories[self.data.category[unit]], 16)
                for unit, saw in zip(members.tolist(), seers[place], strict=True)
            ]
            document = self.data.documents[place]
            rows.append([show_label(document, 24), show_number(float(disorder)), *cells])
        lines = in_columns(head, rows, "<>" + "<" * len(self.data.coders), indent="")
        if len(self) > SHOWN:
            lines.append(f"… {len(self) - SHOWN} more")
        title = f"{number_of(len(self), 'unitary alignment')}, disorder {self.disorder:.6g}"
        if self.n_unpaired_documents:
            title += f", {number_of(self.n_unpaired_documents, 'document')} without two coders"
        return "\n".join([title, *lines])


def align(
    data: Continuum,
    *,
    distance: Any = "nominal",
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    soft: bool = False,
) -> Alignment:
    """Find the best alignment of the coders' units (Mathet et al. 2015).

    A unitary alignment has one unit or none of each coder. Its disorder is the mean of
    α d_pos + β d_cat over all pairs of coders, and Δ∅ for a pair in which a coder has no unit. The
    best alignment holds each unit once and has the least sum of disorders.

    Parameters
    ----------
    data : Continuum
        The units of the coders. Units of one coder may overlap. Units of different documents are
        not aligned.
    distance : str or Distance, default "nominal"
        The distance between categories; see `agreement_fast.distances`. If distances exceed 1, all
        are divided by the largest.
    alpha, beta : float, default 1
        Weights of place and category. With ``alpha=0``, any two units of a document can be aligned.
    empty : float, default 1
        Δ∅, the cost of a unit that is aligned with none.
    soft : bool, default False
        Whether a unit may be in several unitary alignments, so that a coder's unit can be aligned
        with two parts of it that another coder marked (pygamma-agreement's soft alignment).

    Returns
    -------
    Alignment
        The unitary alignments with their disorders.

    Raises
    ------
    ValueError
        If a weight is negative, or if there are more than 5 million possible unitary alignments.

    Notes
    -----
    Exact up to 1e-6 · Δ∅. If several alignments have the least disorder, one of them is returned.
    Coders who did not see a document are not in its pairs. A unit in several pieces leaves the
    alignment undefined.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "A", "B", "B"], starts=[0, 6, 1, 20], ends=[4, 9, 4, 24],
    ...     categories=["x", "y", "x", "y"],
    ... )
    >>> unitizing.align(data)
    3 unitary alignments, disorder 1.0102
    document  disorder  A      B
    document    0.0204  0–4 x  1–4 x
    document    1.0000  6–9 y  -
    document    1.0000  -      20–24 y
    """
    used = paired(checked(data))
    chosen = Dissimilarity.of(used, distance, alpha, beta, empty)
    check_soft(soft)
    alone = len(data.documents) - len(used.documents)
    why = why_not(used, used.n_units) or in_pieces(used, "an alignment")
    if why is not None:
        none = np.zeros((0, used.n_coders), np.int64)
        return Alignment(used, none, np.zeros(0), np.nan, alone, soft, why)
    units = Lanes.of(used)
    found = best(units, chosen, soft=soft)
    held = np.where(found.members >= 0, used.start[found.members], np.iinfo(np.int64).max)
    order = np.lexsort((held.min(1), used.document[found.members.max(1)]))
    made = sums(units, chosen, found)
    disorder = float(made.above[0].sum() / made.below[0].sum())
    members, disorders = found.members[order], found.disorder[order]
    return Alignment(used, members, disorders, disorder, alone, soft, None)
