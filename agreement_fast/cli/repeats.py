"""The options on coders who judged an item more than once, and what to say about them."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.wording import UsageError, clause, in_options
from agreement_fast.present.terminal import counted, show_label

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
        names = " or ".join(map(show, columns))
        make = "make a group" if len(columns) == 1 else "make groups"
        note = f'no value in column {names}, and {make} of their own, "no value"'
        if self.torn_items:
            it = "it" if self.torn_items == 1 else "them"
            items = clause(self.torn_items, "item")
            note += f": {items} in another group, too, which lacks these judgments of {it}"
        return [f"{clause(self.rows, 'row', 'has')} {note}"]


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
    rows_of_sets : int
        Rows beyond one for a coder and an item, whose rows were taken for a set.
    parts : list of Annotations
        The groups.
    sums : set of str
        The rows and columns of counts that were left out because they are sums of the others.
    """

    items: int = 0
    judged_once: int = 0
    ties: int = 0
    several_texts: int = 0
    lacking: int = 0
    n_empty: int = 0
    rows_of_sets: int = 0
    parts: list[Annotations] = field(default_factory=list)
    sums: set[str] = field(default_factory=set)

    def add(self, annotations: Annotations, items: int) -> None:
        """Add the counts of a group, which has this number of items."""
        self.parts.append(annotations)
        self.items += items
        self.judged_once += annotations.items_judged_once
        self.ties += annotations.duplicates_tied
        read = annotations.origin.recognition
        if read.layout in ("counts", "contingency"):
            self.sums |= {name for name, _ in read.left_out}

    def counts_of(self, labels: Sequence[Any]) -> list[int]:
        """Count the judgments of labels; 0 of those that were read as something else, as a set."""
        from agreement_fast.distances.sums.categories import sums_of

        known: Counter[Any] = Counter()
        for part in self.parts:
            counts = sums_of(part).counts(1).tolist()
            known.update(dict(zip(part.categories, counts, strict=True)))
        return [int(known[label]) for label in labels]

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
        notes = [f"{name} is the sum of the others and left out" for name in sorted(self.sums)]
        if arguments.repeats_of is not None:
            coder = show_label(arguments.repeats_of)
            are = "is" if self.judged_once == 1 else "are"
            once = f"{self.judged_once:,} judged once {are} left out"
            notes.append(
                f"the coders are the first, second, ... judgment of {counted(self.items, 'item')}"
                f" that {coder} judged more than once{'; ' + once if self.judged_once else ''}"
            )
        if self.rows_of_sets:
            beyond = counted(self.rows_of_sets, "row")
            notes.append(f"the codes of a coder for an item are one set: {beyond} beyond the first")
        if self.ties:
            between = " between the labels that a coder gave an item"
            notes.append(f"{clause(self.ties, 'tie', between=between)} missing")
        if arguments.count_empty and self.n_empty:
            sets = clause(self.n_empty, "judgment", between=" that no row holds")
            notes.append(
                f"{sets} the empty set: --count-empty says that every coder of the file looked at"
                " every item of the file"
            )
        elif self.lacking:
            notes.append(
                f"{clause(self.lacking, 'item', 'lacks')} a label of one of the coders, which"
                ' counts as a missing judgment: if it means "no code", --count-empty takes it for'
                " the empty set"
            )
        return notes
