"""What was read, and the keywords with which it is read the same again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from agreement_fast.tables import Tabular
from agreement_fast.terminal import number_of, show_label

__all__ = ["NOTHING", "Origin", "Read", "Recognition", "read_of"]

#: Names in a line.
SHOWN = 12


class Recognition(NamedTuple):
    """What a door found out about a table. It holds names, and no judgments.

    Attributes
    ----------
    layout : str
        "wide", "long", "counts" or "contingency"; "" if it is not known.
    guessed : tuple of (keyword, value, from what)
        What the user did not name.
    left_out : tuple of (what, why)
        Columns and rows that are no judgments, and judgments that are not used.
    pinned : tuple of (keyword, value)
        Further keywords that settle what the values could make doubtful.
    """

    layout: str = ""
    guessed: tuple[tuple[str, Any, str], ...] = ()
    left_out: tuple[tuple[Any, str], ...] = ()
    pinned: tuple[tuple[str, Any], ...] = ()


#: The recognition of judgments that came from no table.
NOTHING = Recognition()


class Origin(NamedTuple):
    """What results keep of the annotations that they were computed from.

    Attributes
    ----------
    recognition : Recognition
    coders : sequence or None
    n_items : int
    n_dropped, n_tied, n_united, n_judged_once
    """

    recognition: Recognition = NOTHING
    coders: Sequence[Any] | None = None
    n_items: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Read(Tabular):
    pass
