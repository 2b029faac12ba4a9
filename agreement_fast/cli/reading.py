"""From the options of a command to annotations."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from agreement_fast.cli.options import (
    chosen_distances,
    chosen_rows,
    listed,
    need_file,
    with_commas,
)
from agreement_fast.cli.output import (
    is_anonymous,
    keep_digests,
    renamed,
    show_group,
    shown_notes,
    shown_source,
)
from agreement_fast.cli.own_distances import OwnDistances, read_own_distances, written_labels
from agreement_fast.cli.repeats import Counted, WithoutGroup, check_repeats, makes_sets
from agreement_fast.cli.wording import UsageError, clause, in_options, written
from agreement_fast.cli.wrong_guesses import PRINTED
from agreement_fast.present import signals_wait
from agreement_fast.present.terminal import show_label, some_of, spell_label

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.cli.gold_labels import Gold
    from agreement_fast.files import LongTable, Source, Stream, WideTable, Workplace
    from agreement_fast.files.exports.export import Export
    from agreement_fast.files.stream import Progress

    Table: TypeAlias = LongTable | WideTable | Stream


EXAMPLE = Path(__file__).parents[1] / "data" / "dawid_skene_1979_anaesthetists.csv"

#: What leaves out a label in layouts whose columns are labels.
LEFT_OUT: Mapping[str, str] = {
    "counts": "pass --exclude with its name",
    "contingency": "leave out its row and its column",
}

CITATION = (
    "45 patients classified by 5 anaesthetists before operations, one of whom judged each patient"
    " three times: Dawid & Skene 1979, Applied Statistics 28, 20-28, table 1"
)


class Part(NamedTuple):
    """The annotations of one group; without ``--by`` there is one, and it is None.

    `rows` are those of the files, `items` the rows that the items have in `annotations`, or had
    before they were added up.
    """

    group: Any
    rows: int
    items: int
    annotations: Annotations
    #: What columns that were read along say of each item, by their names.
    along: Mapping[str, Mapping[Any, str | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class Read:
    """Files that are open, and what the options say about them."""

    arguments: argparse.Namespace
    table: Table
    #: The categories that were declared.
    declared: list[Any] | None
    #: What items say, as far as it was kept.
    texts: Mapping[Any, str]
    #: What ``--matrix`` and ``--tree`` say.
    own: OwnDistances
    #: The coders of a table who are compared; None for all.
    requested: frozenset[Any] | None = None
    #: The right labels of items, if options name them.
    gold: Gold | None = None
    #: Whether a row is a judgment that somebody wrote down, and an export of a tool is none.
    is_table: bool = True
    #: What `parts` found of repeated judgments.
    counted: Counted = field(default_factory=Counted)
    #: What `parts` found of rows without a group.
    without_group: WithoutGroup = field(default_factory=WithoutGroup)

    @property
    def shown(self) -> str | None:
        """The column of a table that holds the texts of items."""
        name: str | None = getattr(self.arguments, "show", None)
        return None if is_anonymous(self.arguments) else name

    @property
    def source(self) -> Source:
        """What was read."""
        return shown_source(self.arguments, self.table.source)

    @property
    def holds_sets(self) -> bool:
        """Whether labels were read as sets."""
        return any(isinstance(value, frozenset) for value in self.table.labels.values.tolist())

    @property
    def adds_up(self) -> bool:
        """Whether items are added up part by part, which leaves them no names."""
        from agreement_fast.files import Stream

        return isinstance(self.table, Stream)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of a result should know of its data."""
        from agreement_fast.files.errors import show
        from agreement_fast.reading.recognition.labels import (
            coder_notes,
            label_notes,
            name_notes,
        )
        from agreement_fast.reading.recognition.recognise import gold_notes

        notes = [*((CITATION,) if self.arguments.example else ()), *self.source.notes]
        if self.arguments.only_coder is not None:
            notes.append(f"only these coders are compared: {self.arguments.only_coder}")
        notes += self.own.notes
        notes += self._declared_notes()
        empty = self.arguments.empty_set
        if empty is not None and empty not in self.table.labels.values.tolist():
            notes.append(f"--empty-set {empty!r}: no label is written so")
        notes += self.without_group.notes(self.source.by_columns)
        if (groups := getattr(self.table, "groups", None)) is not None:
            for values in zip(*map(self.group_values, groups.values.tolist()), strict=True):
                notes += name_notes(dict.fromkeys(values), "names of groups", "groups")
        notes += self.counted.notes(self.arguments)
        if (n := self.counted.several_texts) > 0:
            column, items = show(str(self.shown)), clause(n, "item", "has")
            notes.append(f"{items} several texts in column {column}: the first is shown")
        if self.source.layout != "contingency":
            notes += self._item_notes()
        notes += self._empty_column_notes()
        left_out = LEFT_OUT.get(self.source.layout)  # None unless the columns are labels
        if left_out is None:
            notes += coder_notes(self.table.coder_names)
            notes += name_notes(self.table.coder_names)
        if self.gold is None and self.source.layout == "long":
            notes += gold_notes(self.table.coder_names)
        labels = self.distinct_labels() if left_out is None else [*self.table.coder_names]
        if self.gold is not None:
            notes += self.gold.notes
            labels = list(dict.fromkeys([*labels, *self.gold.unused]))
        notes += _separator_notes(self.table.labels.values.tolist(), self.arguments.set_separator)
        if self.arguments.categories is None:
            states = [
                text.rpartition("=")[0] or text for text in vars(self.arguments).get("state", ())
            ]
            known = {empty, *states} - {None}
            labels = [label for label in labels if label not in known]
            count = None if left_out else partial(self.counted.counts_of, labels)
            words = {"left_out": left_out, "declared": "" if left_out else None}
            notes += [written(note, self.arguments, words) for note in label_notes(labels, count)]
        renamed = getattr(self.arguments, "renamed", {})
        return tuple(
            shown_notes(self.arguments, notes, [name for of in renamed.values() for name in of])
        )

    def _item_notes(self) -> list[str]:
        """Say which items may be none, or one, and which coders meet no other."""
        import numpy as np

        from agreement_fast.files import LongTable, Stream
        from agreement_fast.reading.recognition.columns import cell_notes, coders_apart
        from agreement_fast.reading.recognition.labels import item_notes

        table = self.table
        if isinstance(table, Stream):
            return []
        notes = (
            []
            if isinstance(table, LongTable)
            else cell_notes(table.labels.codes, table.coder_names, table.labels.values.tolist())
        )
        if table.items is None:
            return notes
        items, judged = table.items.codes, table.labels.codes >= 0

        def coders_of(places: list[int]) -> list[Any]:
            rows = [items == place for place in places]
            if judged.ndim == 2:
                return [np.flatnonzero(judged[some].any(axis=0)).tolist() for some in rows]
            assert isinstance(table, LongTable)
            return [np.unique(table.coders.codes[some & judged]).tolist() for some in rows]

        notes += item_notes(table.items.values, coders_of)
        if isinstance(table, LongTable):
            codes = items, table.coders.codes, table.labels.codes
            notes += coders_apart(*codes, table.coder_names, table.labels.values.tolist())
        return notes

    def _empty_column_notes(self) -> list[str]:
        """Say which coders of a wide table judged nothing."""
        import numpy as np

        from agreement_fast.files import WideTable
        from agreement_fast.files.errors import show

        table = self.table
        if not isinstance(table, WideTable) or not table.source.rows:
            return []
        judged: list[bool] = np.any(table.labels.codes >= 0, axis=0).tolist()
        requested = self.requested or table.coders
        empty = [
            name for name, some in zip(table.coders, judged, strict=True) if not some
            if name in requested
        ]  # fmt: skip
        if not empty:
            return []
        columns, it, hold = "column", "it", "holds no judgment and counts as a coder"
        if len(empty) > 1:
            columns, it, hold = "columns", "them", "hold no judgment and count as coders"
        leave = "--coder need not name {}" if self.arguments.coder else "--exclude leaves {} out"
        names = some_of(list(map(show, empty)), 8, 130)
        return [f"{columns} {names} {hold}: {leave.format(it)}"]

    def _declared_notes(self) -> list[str]:
        """Say where the categories come from, if no option names them."""
        arguments = self.arguments
        if self.source.declared is None or self.declared is None or arguments.categories:
            return []
        some = some_of(self.declared, 8, 24)
        note = f"categories are those that the file declares, in the order of its codes: {some}"
        if not arguments.distance:
            note += "; --distance ordinal compares by that order, --value-codes reads the numbers"
        return [note]

    def distinct_labels(self) -> list[Any]:
        """Give the labels as they are compared: sets are sets."""
        from agreement_fast.reading.labels import split_set

        values: list[Any] = self.table.labels.values.tolist()
        separator = self.arguments.set_separator
        if separator is None:
            return self._as_sets(values)
        # Two texts may be one set: "a|b" and "b | a".
        return list(dict.fromkeys(split_set(as_set, separator) for as_set in self._as_sets(values)))

    def distances(self, *others: Read) -> list[Any]:
        """Give the distances that the options ask for: names, and those of the user's own.

        `others` are read by the same options.
        """
        names = chosen_distances(self.arguments, of_sets=self.holds_sets)
        labels = [
            label
            for read in (self, *others)
            for label in (*read.table.labels.values.tolist(), *(read.declared or ()))
        ]
        with in_options(self.arguments):
            return self.own.resolve(names, labels)

    def check_early(self, compute: Callable[[Annotations], object]) -> None:
        """Refuse unknown names, and labels that do not fit, before minutes are spent on reading."""
        from agreement_fast.annotations import Annotations
        from agreement_fast.files import Stream

        if not isinstance(self.table, Stream):
            return
        values = self.table.labels.values.tolist()
        if self.arguments.repeats_of is not None and self.declared is not None:
            values = self.declared  # others may be labels of coders who are not compared
        # No label has its place here.
        with in_options(self.arguments, phrases={"place": ""}):
            compute(
                Annotations.from_long(
                    range(len(values)),
                    [0] * len(values),
                    self._as_sets(values),
                    categories=self.declared,
                    duplicates=self.arguments.duplicates or "error",
                    set_separator=self.arguments.set_separator,
                )
            )

    def parts(self, *, keep_coders: bool) -> Iterator[Part]:
        """Give each group's annotations.

        `keep_coders` says that it must remain known who judged what, even if many rows are added
        up part by part.
        """
        counted = self._counted(keep_coders or self.requested is not None)
        if self.arguments.repeats_of is None:
            yield from counted
        else:
            parts = list(counted)  # only all groups tell that a coder repeats nothing
            self.counted.refuse_none(self.arguments)
            yield from parts

    def _counted(self, keep_coders: bool) -> Iterator[Part]:
        """Leave out the coders of a table who are not to be compared, and count the others."""
        for part in self._parts(keep_coders):
            if self.requested is not None:
                coders = [name for name in part.annotations.coders or () if name in self.requested]
                part = part._replace(annotations=part.annotations.select(coders=coders))
            self.counted.add(part.annotations, part.items)
            if self.is_table and makes_sets(self.arguments):
                self.counted.add_lacking(part.annotations)
            yield part

    def _parts(self, keep_coders: bool) -> Iterator[Part]:
        from agreement_fast.files import Stream
        from agreement_fast.files.judgments import labels_of_items, texts_of_items

        if isinstance(self.table, Stream):
            yield from self._added(self.table, keep_coders)
            return
        self.without_group.add(self.table)
        tables = self.table.split() if self.arguments.by else [(None, self.table)]
        for group, table in tables:
            with in_options(self.arguments, self.place(group)):
                annotations = self._annotations(table)
                # A text and the answer that was shown first may differ between rows of an item.
                of_rows = (self.shown, vars(self.arguments).get("first"))
                along = {
                    name: labels_of_items(table, name)
                    for name in table.along
                    if name not in of_rows
                }
                if self.shown is not None:
                    texts, n_several = texts_of_items(table, self.shown)
                    annotations = annotations.with_texts(texts)
                    self.counted.several_texts += n_several
            yield Part(group, table.source.rows, annotations.n_rows, annotations, along)

    def place(self, group: Any) -> str:
        """Name a group in front of an error."""
        by = self.arguments.by
        return f"{by} = {show_group(group)}: " if by else ""

    def group_name(self, group: Any) -> str | None:
        """Name a group beside its values; None if there is one only."""
        return self.place(group).removesuffix(": ") or None

    def group_values(self, group: Any) -> tuple[Any, ...]:
        """Give the value of each column of ``--by``."""
        if isinstance(group, tuple):
            return group
        return (group,) * len(self.source.by_columns)

    def _as_sets(self, labels: list[Any]) -> list[Any]:
        """Write the empty set as the library reads it."""
        from agreement_fast.files.judgments import empty_label

        empty = self.arguments.empty_set
        if empty is None:
            return labels
        label = empty_label(self.arguments.set_separator)
        return [label if entry == empty else entry for entry in labels]

    def _added(self, stream: Stream, keep_coders: bool) -> list[Part]:
        """Read part by part and add up what each says."""
        from agreement_fast.files import ReadError
        from agreement_fast.reading.joining import concat
        from agreement_fast.reading.recognition.order import natural_order

        # Two coders have a contingency table, and few patterns.
        keep_coders = keep_coders or len(stream.coder_names) <= 2 or bool(self.arguments.repeats_of)
        by = self.arguments.by
        rows: dict[Any, int] = {}
        items: dict[Any, int] = {}
        sums: dict[Any, Annotations] = {}

        # A part knows the keys of its items, and only its own repeats.
        phrases = {
            "item": lambda phrase: stream.in_names(phrase.value),
            "repeats": lambda phrase: f"at least {phrase}",
        }

        def pieces(advance: Callable[[float], object]) -> Iterator[tuple[Any, Annotations]]:
            for part in stream.parts(advance):
                self.without_group.add(part)
                for group, some in part.split() if by else [(None, part)]:
                    with in_options(self.arguments, self.place(group), phrases):
                        piece = self._annotations(some, keys=True)
                    rows[group] = rows.get(group, 0) + len(some.labels.codes)
                    items[group] = items.get(group, 0) + piece.n_rows
                    yield group, piece

        try:
            with _progress(self.arguments, "adding up", stream.steps) as advance:
                if by:
                    for group, piece in pieces(advance):
                        both = [sums[group], piece] if group in sums else [piece]
                        sums[group] = concat(both, keep_items=False, keep_coders=keep_coders)
                else:
                    added = (piece for _, piece in pieces(advance))
                    sums[None] = concat(added, keep_items=False, keep_coders=keep_coders)
        except ReadError as error:
            raise UsageError(str(error)) from None
        order: list[Any] = [None]
        if stream.groups is not None:
            values = stream.groups.values
            order = [*values[natural_order(values.tolist())].tolist(), None]
        return [Part(g, rows[g], items[g], sums[g]) for g in order if g in sums]

    def _annotations(self, table: LongTable | WideTable, *, keys: bool = False) -> Annotations:
        """Make annotations of what was read; names in errors are those of the file.

        `keys` says that items have keys for names.
        """
        from agreement_fast.files import ReadError
        from agreement_fast.files.judgments import annotations_of, empty_label, with_empty_sets

        arguments = self.arguments
        if self.is_table and arguments.count_empty:
            label = empty_label(arguments.set_separator)
            try:
                table, n_empty = with_empty_sets(table, self.table.coder_names, label)
            except ReadError as error:
                raise UsageError(str(error)) from None
            self.counted.n_empty += n_empty
        return annotations_of(
            table,
            categories=self.declared,
            duplicates=arguments.duplicates or "error",
            repeats_of=arguments.repeats_of,
            set_separator=arguments.set_separator,
            empty_set=arguments.empty_set,
            keys=keys,
            is_part=True,
        ).with_texts(self.texts)


@contextlib.contextmanager
def open_annotations(
    arguments: argparse.Namespace, *, along: Sequence[str] = (), whole: bool = False
) -> Iterator[Read]:
    """Open the files that the options name.

    Parameters
    ----------
    arguments : Namespace
    along : sequence of str
        Columns that are read beside the usual ones, for `Part.along`.
    whole : bool, default False
        Whether items must keep their names, however many rows there are.
    """
    from agreement_fast.files import ReadError, ReadOptions, Stream, Workplace, open_table
    from agreement_fast.reading.repeats import find_coder

    if arguments.example:
        if arguments.files:
            raise UsageError("--example reads its own file: leave out the others")
        arguments.files = [str(EXAMPLE)]
        # The first anaesthetist judged every patient three times.
        if arguments.repeats_of is None:
            arguments.duplicates = arguments.duplicates or "first"
    need_file(arguments)
    _check_sets(arguments)
    check_repeats(arguments)
    own = read_own_distances(arguments)
    coder: str | list[str] | None = None
    if arguments.coder:
        # Only a wide table has several; a name may hold a comma, so nothing is split elsewhere.
        wide = arguments.layout == "wide"
        coder = listed(arguments.coder, "--coder") if wide else arguments.coder[0]
        if len(arguments.coder) > 1 and not wide:
            raise UsageError("--coder is given twice: pass --layout wide if each column is a coder")
    shown = getattr(arguments, "show", None)
    texts_from = [] if shown is None else [shown]
    options = ReadOptions(
        item=arguments.item,
        coder=coder,
        label=arguments.label,
        weights=arguments.weights,
        by=arguments.by,
        layout=arguments.layout,
        missing=tuple(arguments.missing),
        text=arguments.text
        or arguments.set_separator is not None
        or arguments.empty_set is not None,
        along=tuple(dict.fromkeys([*along, *texts_from])),
        set_separator=arguments.set_separator,
        **chosen_rows(arguments),
    )
    wants_gold, column = getattr(arguments, "gold", None) is not None, None
    every = getattr(arguments, "every", None)
    with contextlib.ExitStack() as stack:
        table: Table
        texts: Mapping[Any, str]
        try:
            workplace = Workplace(stack)
            progress = partial(_progress, arguments, "reading")
            # Whether no column is left to be guessed
            roles = (arguments.item, arguments.coder or arguments.coder_from, arguments.label)
            named = None not in roles
            if arguments.layout not in (None, "long"):
                named = bool(arguments.coder)
            export = open_export(arguments, workplace, named=named, progress=progress)
            if export is not None:
                table = export.table(
                    arguments.question,
                    arguments.spans,
                    requested_coders(arguments),
                    arguments.missing,
                )
                texts = export.contents.texts
            else:
                if wants_gold:
                    from agreement_fast.cli.gold_labels import gold_column

                    column = gold_column(arguments, workplace, options)
                    if column is not None:
                        excluded = (*options.exclude, column)
                        options = replace(options, exclude=excluded, one_coder=True)
                table = open_table(
                    workplace,
                    arguments.files,
                    options,
                    progress=progress,
                    whole=whole
                    or bool(along or texts_from)
                    or wants_gold
                    or is_anonymous(arguments)
                    or every is not None,
                )
                table, texts = _in_periods(arguments, table, every), {}
            keep_digests(arguments, workplace, table.source.files)
            declared, gold = _categories(arguments, table), None
            if wants_gold:
                assert not isinstance(table, Stream)
                from agreement_fast.cli.gold_labels import read_gold

                gold = read_gold(arguments, workplace, options, table, declared, column)
        except ReadError as error:
            raise UsageError(str(error)) from None
        if arguments.repeats_of is not None:
            with in_options(arguments):
                find_coder(table.coder_names, arguments.repeats_of)
        requested = None if export is not None else _requested(arguments, table)
        if is_anonymous(arguments):
            table, gold, requested = _anonymous(arguments, table, gold, requested)
            texts = {}
        yield Read(arguments, table, declared, texts, own, requested, gold, export is None)


def _in_periods(arguments: argparse.Namespace, table: Table, every: str | None) -> Table:
    """Make groups of the periods of a column of dates; an item is in that of its first judgment."""
    import numpy as np

    from agreement_fast.files import LongTable, Stream
    from agreement_fast.files.tables import Coded
    from agreement_fast.reading.groups import Grouped, in_periods

    if every is None or isinstance(table, Stream) or (groups := table.groups) is None:
        return table
    names = [(value,) for value in groups.values.tolist()]
    with in_options(arguments):
        made = in_periods(Grouped(table.source.by_columns, names, groups.codes), every)
    values, codes = made.names, np.where(groups.codes < 0, len(made.names), made.codes)
    if isinstance(table, LongTable):
        first = np.full(len(table.items.values), len(values))
        np.minimum.at(first, table.items.codes, codes)
        codes = first[table.items.codes]
    codes = np.where(codes == len(values), -1, codes).astype(np.int32)
    return replace(table, groups=Coded(codes, np.array([name for (name,) in values], object)))


#: Options that name coders of the files.
NAMING = ("only_coder", "repeats_of", "model", "person", "between", "details")


def _anonymous(
    arguments: argparse.Namespace,
    table: Table,
    gold: Gold | None,
    requested: frozenset[Any] | None,
) -> tuple[Table, Gold | None, frozenset[Any] | None]:
    """Call coders by letters and items by numbers, alike in all files and groups of a command."""
    import numpy as np

    from agreement_fast.files import LongTable, Stream
    from agreement_fast.files.tables import Coded

    assert not isinstance(table, Stream)
    changed: dict[str, Any] = {}
    if table.items is not None:
        numbers = renamed(arguments, "item", table.items.values.tolist())
        changed["items"] = Coded(table.items.codes, np.array(numbers, dtype=np.int64))
    names = renamed(arguments, "coder", table.coder_names)
    coders, items = arguments.renamed["coder"], arguments.renamed["item"]
    if isinstance(table, LongTable):
        changed["coders"] = Coded(table.coders.codes, np.array(names, dtype=object))
    else:
        changed["coders"] = tuple(names)
    spelled = {spell_label(name): letter for name, letter in coders.items()}
    naming: tuple[str, ...] = NAMING
    columns = table.source.by_columns
    if table.groups is not None and table.source.coder in columns:
        naming = (*NAMING, "by_only", "by_order")
        at = columns.index(table.source.coder)
        values = np.empty(len(table.groups.values), object)
        for place, group in enumerate(table.groups.values.tolist()):
            parts = [*group] if len(columns) > 1 else [group]
            parts[at] = spelled.get(spell_label(parts[at]), parts[at])
            values[place] = tuple(parts) if len(columns) > 1 else parts[0]
        changed["groups"] = Coded(table.groups.codes, values)
    for option in naming:
        if (given := getattr(arguments, option, None)) is not None:
            named = listed([given], f"--{option.replace('_', '-')}")
            setattr(arguments, option, ",".join(spelled.get(name, name) for name in named))
    if gold is not None:
        if gold.coder is not None:
            arguments.gold = spelled[gold.coder]
        labels = {
            group: {items.get(item, item): label for item, label in of.items()}
            for group, of in gold.labels.items()
        }
        coder = None if gold.coder is None else spelled[gold.coder]
        gold = replace(gold, labels=labels, coder=coder)
    compared = None if requested is None else frozenset(coders[name] for name in requested)
    return replace(table, **changed), gold, compared


def _requested(arguments: argparse.Namespace, table: Table) -> frozenset[Any] | None:
    """Find the coders of ``--only-coder`` in a table."""
    from agreement_fast.files import ReadError
    from agreement_fast.files.exports.export import find_names

    names = requested_coders(arguments)
    if names is None:
        return None
    try:
        places = find_names(table.coder_names, names)
    except ReadError as error:
        raise UsageError(f"{error}{with_commas(table.coder_names, '--only-coder')}") from None
    return frozenset(table.coder_names[place] for place in places)


def _check_sets(arguments: argparse.Namespace) -> None:
    """Refuse what labels that are sets cannot have."""
    if arguments.set_separator is None:
        if arguments.empty_set is not None and arguments.duplicates != "set":
            raise UsageError(
                "--empty-set goes with --set-separator or --duplicates set: without them no label"
                " is a set"
            )
    elif not arguments.set_separator:
        raise UsageError("--set-separator is empty: it is what stands between elements, such as |")


def _categories(arguments: argparse.Namespace, table: Table) -> list[Any] | None:
    """Give the declared categories as the kind of value that the labels are."""
    if arguments.categories is None:
        from agreement_fast.files.judgments import declared_of

        return None if arguments.set_separator else declared_of(table, arguments.missing)
    names = listed(
        [arguments.categories], "--categories", {*map(spell_label, table.labels.values.tolist())}
    )
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise UsageError(f"--categories names {repeated[0]!r} twice")
    return written_labels(names, "--categories", arguments, table.labels.values)


def _separator_notes(texts: list[Any], separator: str | None) -> list[str]:
    """Say that no label holds what separates elements, and what may separate them."""
    from agreement_fast.reading.recognition.labels import separator_of_sets

    if separator is None or not texts or any(separator in str(text) for text in texts):
        return []
    note = f"--set-separator {show_label(separator)}: no label holds it, so each is a single code"
    mark = separator_of_sets(texts)
    return [note if mark is None else f'{note}; if {mark} separates them, pass "{mark}"']


def progress_shown(arguments: argparse.Namespace) -> bool:
    """Say whether a bar goes to the standard error: that is a terminal, or it was asked for."""
    shown = sys.stderr.isatty() if arguments.progress is None else arguments.progress
    if shown:
        try:
            import tqdm  # type: ignore[import-untyped]  # noqa: F401
        except ImportError:
            if arguments.progress:
                raise UsageError(
                    'a progress bar needs tqdm: pip install "agreement-fast[cli]"'
                ) from None
            return False
    return bool(shown)


@contextlib.contextmanager
def _progress(
    arguments: argparse.Namespace, what: str, steps: int
) -> Iterator[Callable[[float], object]]:
    """Show how far something is."""
    if not progress_shown(arguments):
        yield lambda done: None
        return
    from tqdm import tqdm

    form = what + " {percentage:3.0f}% |{bar}| {elapsed}, {remaining} to go"
    with signals_wait():  # a bar that is half made cannot be closed
        made = tqdm(total=steps, file=sys.stderr, leave=False, dynamic_ncols=True, bar_format=form)
    with made as bar:
        yield bar.update


# ---------------------------------------------------------------------------------------------
# Clusters of items, such as documents, which are the sample of --cluster


def clusters_of(part: Part, column: str) -> Mapping[Any, str | None]:
    """Give the cluster of each item; the column was read along."""
    labels = part.along[column]
    for item, cluster in labels.items():
        if cluster is None:
            raise UsageError(
                f"--cluster: item {show_label(item)} has no value in column {show_label(column)}"
            )
    return labels


def cluster_note(column: str, counts: Sequence[int]) -> str:
    """Say what intervals take for the sample; `counts` are the clusters of each group."""
    n = f"{counts[0]:,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,} a group"
    values = "the only value" if list(counts) == [1] else f"the {n} values"
    return f"intervals: the sample is of whole clusters of items, {values} of {show_label(column)}"


# ---------------------------------------------------------------------------------------------
# Exports of annotation tools


#: Options that mean something for tables only.
FOR_TABLES = (
    "item coder label start end category document layout weights by every where exclude skip_rows"
    " no_header delimiter text sheet value_codes set_separator empty_set cluster show"
)

#: Options that mean something for exports only.
FOR_EXPORTS = (
    "question spans document_from item_from with_predictions with_curation with_unfinished"
    " count_skips count_empty"
)


def open_export(
    arguments: argparse.Namespace,
    workplace: Workplace,
    *,
    named: bool,
    progress: Progress | None = None,
) -> Export | None:
    """Read the files of a command if they are an export; None for tables.

    `named` says that the user named all columns.
    """
    from agreement_fast.files.exports.reading import find_export
    from agreement_fast.files.exports.tool import Options
    from agreement_fast.files.stream import quietly

    given = vars(arguments)
    if given["format"] in PRINTED:
        raise UsageError(
            f"write {PRINTED[given['format']]}; --format says which tool wrote the files"
        )
    named_alike = {field.name for field in fields(Options)} - {"keep_texts", "resolution"}
    options = Options(
        # A page shows the texts of items.
        keep_texts=given.get("texts", False)
        or (bool(given.get("html")) and given.get("no_text") is False),
        resolution=given.get("resolution"),
        **{name: given[name] for name in named_alike},
    )
    export = find_export(
        workplace,
        given["files"],
        options,
        format=given["format"],
        spans=given.get("spans"),
        named=named,
        some_named=any(given.get(name) for name in ("item", "coder", "label", "layout")),
        progress=progress or quietly,
    )
    for name in (FOR_EXPORTS if export is None else FOR_TABLES).split():
        if export is None and name == "count_empty" and given[name] and "duplicates" in given:
            if not makes_sets(arguments):
                raise UsageError(
                    "--count-empty takes an item without a label of a coder for the empty set: pass"
                    " --duplicates set if each code has a row of its own, or --set-separator if a"
                    " label holds several"
                )
        elif given.get(name):
            option = f"--{name.replace('_', '-')}"
            if export is None:
                raise UsageError(
                    f"{option} is for exports of annotation tools, and the file is none that is"
                    " recognised: --format says whose it is"
                )
            as_table = ": --format table reads it as a table" if export.tool.columns else ""
            if name == "show":
                as_table = ", which has its texts: leave it out"
            raise UsageError(
                f"{option} is for tables, and this is an export of {export.tool.title}{as_table}"
            )
    return export


def requested_coders(arguments: argparse.Namespace) -> list[str] | None:
    """Give the coders to compare; None for all of them."""
    if arguments.only_coder is None:
        return None
    return listed([arguments.only_coder], "--only-coder")
