"""Items that may be the same but have no coder in common because of different spellings."""

from __future__ import annotations

import numpy as np

from agreement_fast.files.errors import show
from agreement_fast.files.tables import LongTable
from agreement_fast.reading.near_misses import near_misses

__all__ = ["unmet_item_notes"]

#: With more items than this, the check is skipped: comparing names takes a few microseconds each.
MOST = 100_000


def unmet_item_notes(table: LongTable) -> list[str]:
    """Report items whose names differ only in spelling and that have no coder in common.

    Spreadsheets turn an identifier such as "01" into "1". Only items with one judgment are
    checked: the others already have several coders.

    Returns
    -------
    list of str
        One sentence, or an empty list.
    """
    judged = table.labels.codes >= 0
    items, coders = table.items.codes[judged], table.coders.codes[judged]
    names = table.items.values
    if not len(items) or len(names) > MOST:
        return []
    once = np.flatnonzero(np.bincount(items, minlength=len(names)) == 1)
    coder_of = np.full(len(names), -1, np.int64)
    coder_of[items] = coders
    place = {names[at]: at for at in once.tolist()}
    apart = [
        group
        for group in near_misses(names[once].tolist())
        if len({coder_of[place[name]] for name in group}) == len(group)
    ]
    if not apart:
        return []
    first, second, *_ = apart[0]
    return [
        f"items {show(str(first))} and {show(str(second))} differ only in how they are written, and"
        f" different coders judged them: they stay two items (such cases: {len(apart):,})"
    ]
