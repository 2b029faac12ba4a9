"""The options on coders who judged an item more than once, and what to say about them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.terminal import show_label

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import LongTable, WideTable


@dataclass
class WithoutGroup:
    """How many rows lack a value of their group, and how many items are torn by that.

    Tables are counted one by one. An item is torn where other judgments of it are in a group.
    """

    rows: int = 0
    torn_items: int = 0

    def add(self, table: LongTable | WideTable) -> None:
        """Count the rows of a table; all rows of an item must be in one table."""
        import numpy as np

        from agreement_fast.files import LongTable

        if table.groups is None:
            return
        # The last is that of rows without any value, whose code is -1.
        lacks = [
            isinstance(value, tuple) and None in value for value in table.groups.values.tolist()
        ]
        without = np.array([*lacks, True])[table.groups.codes]
        self.rows += int(np.count_nonzero(without))
        if isinstance(table, LongTable) and without.any():
            judged = table.labels.codes >= 0
            items = table.items.codes
            torn = np.intersect1d(items[judged & without], items[judged & ~without])
            self.torn_items += len(torn)

    def notes(self, columns: Sequence[str]) -> list[str]:
        """Say what was counted, in a sentence or none."""
        from agreement_fast.files.errors import show

        if not self.rows:
            return []
        rows = "1 row has" if self.rows == 1 else f"{self.rows:,} rows have"
        names = " or ".join(map(show, columns))
        make = "make a group" if len(columns) == 1 else "make groups"
        note = f'{rows} no value in column {names}, and {make} of their own, "no value"'
        if self.torn_items == 1:
            note += ": 1 item is in another group, too, which lacks these judgments of it"
        elif self.torn_items:
            note += (
                f": {self.torn_items:,} items are in another group, too, which lacks these"
                " judgments of them"
            )
        return [note]


_ONE_ROW = (
    "--layout wide means one row per item; if items have several rows, such as test and retest,"
    " make the table one judgment per row and name its columns by --item, --coder and --label"
)


def makes_sets(arguments: argparse.Namespace) -> bool:
    """Say whether the options make sets of the labels of a table."""
    return arguments.duplicates == "set" or arguments.set_separator is not None


def check_repeats(arguments: argparse.Namespace) -> None:
    """Refuse what ``--repeats-of`` and ``--duplicates`` cannot go with."""
    if arguments.repeats_of is not None:
        if arguments.duplicates is not None:
            raise UsageError(
                "--repeats-of and --duplicates exclude each other: repeated judgments are compared,"
                " or become one"
            )
        if arguments.count_empty:
            raise UsageError(
                "--repeats-of and --count-empty exclude each other: no code is no repeated judgment"
            )
        if arguments.layout == "wide":
            raise UsageError(f"--repeats-of goes without --layout wide: {_ONE_ROW}")
    if arguments.layout == "wide" and arguments.duplicates not in (None, "error"):
        raise UsageError(
            f"--duplicates {arguments.duplicates} goes without --layout wide: {_ONE_ROW}"
        )


@dataclass
class Counted:
    """What became of repeated judgments and texts, over all groups.

    Attributes
    ----------
    items : int
        Items of the annotations.
    judged_once : int
        Items that ``--repeats-of`` left out.
    ties : int
        Missing judgments for which a coder gave several labels equally often.
    several_texts : int
        Items whose rows have different texts.
    lacking : int
        Items of sets that lack a judgment of one of the coders.
    n_empty : int
        Empty sets that ``--count-empty`` put in.
    """

    items: int = 0
    judged_once: int = 0
    ties: int = 0
    several_texts: int = 0
    lacking: int = 0
    n_empty: int = 0

    def add(self, annotations: Annotations, items: int) -> None:
        """Add the counts of a group, which has this number of items."""
        self.items += items
        self.judged_once += annotations.items_judged_once
        self.ties += annotations.duplicates_tied

    def add_lacking(self, annotations: Annotations) -> None:
        """Count the items of a group that lack a judgment of one of its coders."""
        from agreement_fast.distances.sums.categories import sums_of

        n_coders = annotations.n_coders or 0
        sizes = sums_of(annotations).items_by_size
        self.lacking += sum(n for size, n in sizes.items() if size < n_coders)

    def refuse_none(self, arguments: argparse.Namespace) -> None:
        """Refuse a coder of ``--repeats-of`` who judged nothing twice in any group."""
        from agreement_fast.reading.repeats import no_repeats

        if not self.items:
            with in_options(arguments):
                raise no_repeats(arguments.repeats_of, self.judged_once)

    def notes(self, arguments: argparse.Namespace) -> list[str]:
        """Say what the numbers are those of."""
        notes = []
        if arguments.repeats_of is not None:
            coder = show_label(arguments.repeats_of)
            once = f"{self.judged_once:,} judged once {_are(self.judged_once)} left out"
            notes.append(
                f"the coders are the first, second, ... judgment of {_some(self.items, 'item')}"
                f" that {coder} judged more than once{'; ' + once if self.judged_once else ''}"
            )
        if self.ties:
            ties = _some(self.ties, "tie")
            notes.append(
                f"{ties} between the labels that a coder gave an item {_are(self.ties)} missing"
            )
        if arguments.count_empty and self.n_empty:
            sets, are = _some(self.n_empty, "judgment"), _are(self.n_empty)
            notes.append(
                f"{sets} that no row holds {are} the empty set: --count-empty says that every coder"
                " of the file looked at every item of the file"
            )
        elif self.lacking:
            items = _some(self.lacking, "item")
            lack = "lacks" if self.lacking == 1 else "lack"
            notes.append(
                f"{items} {lack} a label of one of the coders, which counts as a missing judgment:"
                ' if it means "no code", --count-empty takes it for the empty set'
            )
        return notes


def _some(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
