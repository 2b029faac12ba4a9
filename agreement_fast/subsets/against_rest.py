"""One coder against all the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.chance import beyond_chance
from agreement_fast.distances import check_symmetric, resolve
from agreement_fast.results import NO_PAIRS, NO_VARIATION
from agreement_fast.subsets.judgments import Judgments, own_and_rest
from agreement_fast.tables import Aligned
from agreement_fast.terminal import align, show_label


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AgainstRest(Aligned):
    """The agreement of each coder with the others.

    Attributes
    ----------
    distance : str
        Name of the distance.
    coders : tuple
        Names of the coders.
    value, observed_disagreement, expected_disagreement : float64 arrays of shape (C,)
        1 − D_o / D_e, D_o and D_e; NaN if undefined.
    n_items : int64 array of shape (C,)
        Items that the coder and at least one other judged, weights counted.
    undefined : tuple of C str or None
        Why there is no value.
    """

    distance: str
    coders: tuple[Any, ...]
    value: FloatArray
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    n_items: Array
    undefined: tuple[str | None, ...]

    _column_names = (
        "coder=coders distance value observed_disagreement expected_disagreement n_items undefined"
    )

    def __repr__(self) -> str:
        known = self.value[~np.isnan(self.value)]
        low, high = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
        return (
            f"<each of {len(self.coders)} coders against the others ({self.distance}): "
            f"{low:.6g} to {high:.6g}>"
        )

    def __str__(self) -> str:
        """List the coders; the one who agrees least comes first."""
        rows = [
            (
                show_label(self.coders[c]),
                f"{self.value[c]:.4f}",
                f"{self.observed_disagreement[c]:.4f}",
                f"{self.expected_disagreement[c]:.4f}",
                str(self.n_items[c]),
            )
            for c in np.argsort(self.value, kind="stable").tolist()
        ]
        head = ("coder", "value", "D_o", "D_e", "items")
        return "\n".join(align(head, rows, "<>>>>", indent=""))


def one_against_rest(data: Any, distance: Any = "nominal") -> AgainstRest:
    """Compute how far each coder agrees with the others, beyond chance.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders must be known.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`. The ordinal distance is that
        of all coders' marginals.

    Returns
    -------
    AgainstRest
        A value for each coder.

    Raises
    ------
    ValueError
        If coders are unknown, or the distance does not fit the labels or is not symmetric.

    Notes
    -----
    Over the items that coder c and at least one other coder judged, with the label x_ic of c, and
    n'_il judgments l by the n'_i others:

    - D_o = mean over these items of Σ_l n'_il d(x_ic, l) / n'_i,
    - D_e = Σ_jl P(j) Q(l) d_jl, P the shares of c's judgments, Q the mean of n'_il / n'_i.

    With complete data and the nominal distance this is Schouten's (1982) agreement of one observer
    with the group: (Ō − Ē) / (1 − Ē), where Ō and Ē are the means of Cohen's observed and expected
    agreement over the others. The means of D_o and of D_e over the coders are then those of multi-κ
    (or β), which is therefore the mean of these values weighted by D_e.

    O(Σ_i n_i r_i) for n_i judgments and r_i labels of an item, for all coders together.

    References
    ----------
    Schouten, H. J. A. (1982). Measuring pairwise interobserver agreement when all subjects are
    judged by the same observers. Statistica Neerlandica 36, 45–61.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import subsets
    >>> table = [["x", "x", "x"], ["y", "y", "x"], ["x", "x", "y"], ["y", "y", "y"]]
    >>> data = af.Annotations.from_wide(table, coders=["Ann", "Bea", "Cid"])
    >>> subsets.one_against_rest(data).value.tolist()
    [0.5, 0.5, 0.0]
    """
    annotations = as_annotations(data)
    annotations.known_coders("one_against_rest()")
    resolved = resolve(distance)
    check_symmetric(resolved)
    said = Judgments(annotations)
    counts: FloatArray | None = None
    if resolved.ranks:
        pairable = ((said.sizes > 1) * said.weights).astype(np.float64)
        counts = np.zeros(said.n_categories)
        np.add.at(counts, said.codes, pairable[said.row])
    form = resolved.bind(annotations.labels, annotations.declared, counts)
    own, rest, n_items = own_and_rest(said)
    sums = np.zeros(len(said.names))
    share = said.weights * (said.sizes > 1) / np.maximum(said.sizes - 1, 1)
    np.add.at(sums, said.coders, share[said.row] * said.to_others(form))
    items = n_items.astype(np.float64)
    some = n_items > 0
    observed, expected = np.full(len(items), np.nan), np.full(len(items), np.nan)
    observed[some] = sums[some] / items[some]
    expected[some] = (form.bilinear(own, rest)[some]) / items[some] ** 2
    defined = some & (expected > 0)
    value = beyond_chance(observed, expected)
    reasons = tuple(
        NO_PAIRS if not n else None if ok else NO_VARIATION
        for n, ok in zip(n_items.tolist(), defined.tolist(), strict=True)
    )
    return AgainstRest(resolved.name, said.names, value, observed, expected, n_items, reasons)
