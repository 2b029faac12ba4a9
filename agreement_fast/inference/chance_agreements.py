"""Is each category frequent enough in a sample? Krippendorff's five agreements by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from agreement_fast.annotations import as_annotations
from agreement_fast.errors import InputError
from agreement_fast.options import check_number
from agreement_fast.recognition.recognise import ColumnNames
from agreement_fast.sums.categories import sums_of
from agreement_fast.tables import ResultTable, Row, in_columns
from agreement_fast.terminal import number_of


@dataclass(frozen=True, slots=True)
class ChanceAgreement(Row):
    """How often two coders would agree on a category by chance.

    Attributes
    ----------
    label : object
        The category.
    share : float
        Its share of the judgments of items with two or more; NaN without such items.
    expected : float
        The expected number of agreements by chance: N p² for N such items and this share p.
    enough : bool
        Whether `expected` reaches the required number.
    items_needed : int or None
        Number of items that reaches it at this share; None for a category that was not used.
    """

    label: Any
    share: float
    expected: float
    enough: bool
    items_needed: int | None


class ChanceAgreements(ResultTable[ChanceAgreement]):
    """The chance agreements of each category, in the order of the categories.

    Attributes
    ----------
    min_count : float
        The required number of agreements by chance.
    n_items : int
        Items with two judgments or more.
    """

    def __init__(self, rows: Sequence[ChanceAgreement], min_count: float, n_items: int) -> None:
        super().__init__(rows)
        self.min_count = min_count
        self.n_items = n_items

    @property
    def failing(self) -> tuple[ChanceAgreement, ...]:
        """The categories below the required number, the rarest first."""
        return tuple(sorted((row for row in self if not row.enough), key=lambda row: row.expected))

    def __repr__(self) -> str:
        return (
            f"<chance agreements of {len(self)} categories in {number_of(self.n_items, 'item')}:"
            f" {len(self.failing)} below {self.min_count:g}>"
        )

    def __str__(self) -> str:
        enough = ["yes" if row.enough else "no" for row in self]
        layout = (
            "category = label | share:?.1% | chance agreements = expected:,.1f | enough | "
            "items needed = items_needed:?,"
        )
        return "\n".join(in_columns({**self.columns(), "enough": enough}, layout))


def chance_agreements(
    data: Any,
    *,
    min_count: float = 5,
    **columns: Unpack[ColumnNames],
) -> ChanceAgreements:
    """Compute how often two coders would agree on each category by chance.

    Krippendorff (2004, chapter 11) asks that a sample hold each category often enough to yield at
    least five agreements by chance. A rarer one cannot show whether coders recognise it.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    min_count : float, default 5
        The required number of agreements by chance, above 0.
    **columns
        Columns of a table: ``item``, ``coder`` and ``label``, and its ``layout``.

    Returns
    -------
    ChanceAgreements
        A row for each category; `failing` holds the categories with too few.

    Raises
    ------
    ValueError
        If `min_count` is not a positive number.

    Notes
    -----
    The expected number is N p², for N items with two judgments or more and a category's share p of
    their judgments. It is that of one pair of coders, so it does not depend on the number of
    coders. At this share 5 / p² items are needed if they are drawn at random; choosing items that
    are likely to hold the category takes fewer. O(judgments).

    References
    ----------
    Krippendorff 2004, *Content Analysis*, 2nd edition, chapter 11.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast.inference import chance_agreements
    >>> table = [[10, 20], [20, 1000]]
    >>> nouns = af.Annotations.from_contingency(table, categories=["noun", "other"])
    >>> print(chance_agreements(nouns))
      category  share  chance agreements  enough  items needed
      noun       2.9%                0.9      no         6,125
      other     97.1%              990.9     yes             6
    """
    if not 0 < check_number("min_count", min_count) < math.inf:
        raise InputError.must_be("min_count", "a positive number", min_count)
    annotations = as_annotations(data, **columns)
    sums = sums_of(annotations)
    counts = sums.counts().tolist()
    total = sum(counts)
    n_items = sum(n for size, n in sums.items_by_size.items() if size > 1)
    rows = []
    for label, count in zip(annotations.categories, counts, strict=True):
        share = count / total if total else math.nan
        expected = n_items * share**2 if total else 0.0
        rows.append(
            ChanceAgreement(
                label=label,
                share=share,
                expected=expected,
                # 5.000000000001 and 4.999999999999 are 5
                enough=expected >= min_count * (1 - 1e-12),
                items_needed=math.ceil(min_count / share**2 * (1 - 1e-12)) if count else None,
            )
        )
    return ChanceAgreements(rows, min_count, n_items)
