"""Items that may be meant as one, and meet nobody because they are written differently."""

from __future__ import annotations

import numpy as np

from agreement_fast.files.errors import show
from agreement_fast.files.tables import LongTable
from agreement_fast.reading.near_misses import near_misses

__all__ = ["unmet_item_notes"]

#: Items beyond which nobody looks: comparing names takes some microseconds each.
MOST = 100_000


def unmet_item_notes(table: LongTable) -> list[str]:
    """Say which items differ only in how they are written, and have no coder in common.

    "01" of one file and "1" of another is what spreadsheets make of identifiers. Only items that
    were judged once are looked at: the others met.

    Returns
    -------
    list of str
        One sentence, or none.
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
