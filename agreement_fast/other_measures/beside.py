"""One table of agreement coefficients and of the measures that are mistaken for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.errors import InputError
from agreement_fast.inference.delta_method import standard_error
from agreement_fast.options import check_share
from agreement_fast.other_measures.bland_altman import limits_of_agreement
from agreement_fast.other_measures.correlations import OF_RANKS, kendall_w, mean_of_pairs
from agreement_fast.other_measures.intraclass import (
    cronbach_alpha,
    intraclass_correlations,
    overall_concordance,
)
from agreement_fast.other_measures.measure import Measure
from agreement_fast.other_measures.ratings import Ratings, are_numbers
from agreement_fast.tables import DETAILS, Tabular
from agreement_fast.terminal import align, show_value

#: What each number says, and why it is not agreement.
TELLS: Mapping[str, str] = {
    "kappa(nominal)": "agreement: equal labels beyond chance, each coder's own distribution",
    "alpha(nominal)": "agreement: equal labels beyond chance, one distribution for all coders",
    "alpha(interval)": "agreement: small squared differences beyond chance; bias lowers it",
    "beta(interval)": "agreement: quadratically weighted kappa; bias and unequal spread lower it",
    "pearson": "a line: 1 also if a coder always says twice as much, or always 3 more",
    "spearman": "an order: 1 if coders order the items alike, even with other numbers",
    "kendall": "an order (τ-b): pairs of items ordered alike less those ordered otherwise",
    "W": "an order, for many coders: 1 if all order the items alike, near 1/C by chance",
    "overall CCC": "agreement: Lin's concordance; the same number as beta(interval)",
    "ICC(1,1)": "agreement of single judgments; near alpha(interval) if there are many items",
    "ICC(2,1)": "agreement of single judgments; near weighted kappa if there are many items",
    "ICC(3,1)": "consistency: a coder's bias is ignored",
    "ICC(1,k)": "agreement of means over all coders: grows with their number",
    "ICC(2,k)": "agreement of means over all coders: grows with their number",
    "ICC(3,k)": "consistency of means over all coders: grows with their number, ignores bias",
    "Cronbach's alpha": "ICC(3,k) by its other name: grows with coders, ignores bias",
    "mean difference": "the first coder's bias against the second, in units of the labels",
    "lower limit": "units of the labels: 2.5% of the differences are expected below",
    "upper limit": "units of the labels: 2.5% of the differences are expected above",
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MeasureTable(Tabular):
    """Agreement coefficients and other measures of the same judgments.

    Attributes
    ----------
    measures : tuple of Measure
    tells : tuple of str
        What each of them says, and why it differs from agreement.
    left_out : str or None
        Which measures were left out, and why.
    """

    measures: tuple[Measure, ...]
    tells: tuple[str, ...]
    left_out: str | None

    aside = DETAILS | {"n_coders"}

    def __len__(self) -> int:
        return len(self.measures)

    def __getitem__(self, name: str) -> Measure:
        """Return the measure with this name."""
        found = next((one for one in self.measures if one.measure == name), None)
        if found is None:
            known = ", ".join(one.measure for one in self.measures)
            raise InputError(f"there is no measure {name!r}; the measures are {known}")
        return found

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row per measure."""
        return {
            "measure": [one.measure for one in self.measures],
            "value": [float(one) for one in self.measures],
            "low": [one.low for one in self.measures],
            "high": [one.high for one in self.measures],
            "confidence_level": [one.confidence_level for one in self.measures],
            "n_items": [one.n_items for one in self.measures],
            "n_items_left_out": [one.n_items_left_out for one in self.measures],
            "n_coders": [one.n_coders for one in self.measures],
            "tells": self.tells,
            "undefined": [one.undefined for one in self.measures],
            "note": [one.note for one in self.measures],
        }

    def __repr__(self) -> str:
        rows = [
            (
                one.measure,
                show_value(float(one)),
                show_value(one.low),
                show_value(one.high),
                f"{one.n_items:,}",
                tells,
            )
            for one, tells in zip(self.measures, self.tells, strict=True)
        ]
        head = ("measure", "value", "low", "high", "items", "tells")
        lines = align(head, rows, "<>>>><", indent="")
        notes = [
            f"{one.measure}: {one.undefined or one.note}"
            for one in self.measures
            if one.undefined or (one.note and not one.measure.startswith("ICC"))
        ]
        return "\n".join([*lines, *notes, *filter(None, (self.left_out,))])


def table(data: Any, *, confidence_level: float = 0.95) -> MeasureTable:
    """Compare κ and α with correlations, intraclass correlations and limits of agreement.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known. For words with a declared order, only measures of order are
        computed.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    MeasureTable
        For three or more coders, a correlation is the mean over their pairs. Limits of agreement
        are computed for two coders only.

    Raises
    ------
    ValueError
        If the labels have no order, there are fewer than two coders, or `data` are counts without
        coders.

    Examples
    --------
    Coder B always says twice as much (Artstein & Poesio 2005, table 3, experiment 2):

    >>> import agreement_fast as af
    >>> found = af.other_measures.table([[1, 2], [2, 4], [3, 6], [4, 8], [5, 10]])
    >>> for name in ("kappa(nominal)", "alpha(interval)", "pearson", "ICC(3,1)"):
    ...     print(name, round(found[name], 3))
    kappa(nominal) -0.087
    alpha(interval) 0.317
    pearson 1.0
    ICC(3,1) 0.8
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    of_ranks = Ratings(annotations, "the table", ranks=True)
    n_coders = len(of_ranks.coders)
    of_numbers, reason = None, None
    if are_numbers(annotations):
        of_numbers = Ratings(annotations, "the table")
    else:
        reason = "The labels are words with an order, so measures of numbers are left out."
    found = [_agreement(annotations, "kappa", "nominal", confidence_level, n_coders)]
    found.append(_agreement(annotations, "alpha", "nominal", confidence_level, n_coders))
    if of_numbers is None:
        found += [mean_of_pairs(of_ranks, name, confidence_level) for name in OF_RANKS]
        found.append(kendall_w(annotations, confidence_level=confidence_level))
    else:
        found += [
            _agreement(annotations, "alpha", "interval", confidence_level, n_coders),
            _agreement(annotations, "beta", "interval", confidence_level, n_coders),
            overall_concordance(annotations, confidence_level=confidence_level),
            mean_of_pairs(of_numbers, "pearson", confidence_level),
            *(mean_of_pairs(of_ranks, name, confidence_level) for name in OF_RANKS),
            kendall_w(annotations, confidence_level=confidence_level),
        ]
        if of_numbers.complete().n_items:
            found += intraclass_correlations(annotations, confidence_level=confidence_level)
            found.append(cronbach_alpha(annotations, confidence_level=confidence_level))
        else:
            reason = "No item was judged by all coders, so intraclass correlations are left out."
        if n_coders == 2:
            found += _limits(annotations, confidence_level)
    return MeasureTable(tuple(found), tuple(TELLS[one.measure] for one in found), reason)


def _agreement(
    annotations: Annotations, name: str, distance: str, level: float, n_coders: int
) -> Measure:
    found = standard_error(
        annotations, name, distance=distance, confidence_level=level, transform="atanh"
    )
    return Measure(
        f"{name}({distance})",
        None,
        None,
        found.value,
        found.low,
        found.high,
        level,
        found.n_items,
        found.n_items_dropped,
        n_coders,
        found.undefined,
        found.note,
    )


def _limits(annotations: Annotations, level: float) -> list[Measure]:
    (pair,) = limits_of_agreement(annotations, confidence_level=level)
    ends = {
        "mean difference": (pair.bias, pair.bias_low, pair.bias_high),
        "lower limit": (pair.lower_limit, pair.lower_limit_low, pair.lower_limit_high),
        "upper limit": (pair.upper_limit, pair.upper_limit_low, pair.upper_limit_high),
    }
    return [
        Measure(
            name, pair.first, pair.second, *three, level, pair.n_items, pair.n_items_left_out, 2,
            None, pair.note,
        )
        for name, three in ends.items()
    ]  # fmt: skip
