"""Choose the columns of the item, the coder and the label: as asked, else by usual names."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from agreement_fast.errors import InputError, either
from agreement_fast.files.errors import ReadError, listed, show
from agreement_fast.files.file import File, take_coders
from agreement_fast.options import LAYOUTS
from agreement_fast.reading.recognition import recognise
from agreement_fast.reading.recognition.profile import Column, Table, rows_to_look_at
from agreement_fast.reading.recognition.recognise import ROLES, Named, usual_roles
from agreement_fast.reading.recognition.rows import FIRST, LAST, summaries_beside
from agreement_fast.reading.recognition.wording import LISTED, SHELL, SHELL_WIDE, listed_for_shell

if TYPE_CHECKING:
    from agreement_fast.files.reader import Reader

#: With fewer rows or coders, nothing shows that a row is an item unless the caller says so.
FEWEST_ROWS = FEWEST_CODERS = 2

#: Weights of a kappa by their usual names, and the distances that they are.
WEIGHTINGS = {
    **{name: name for name in ("linear", "quadratic", "ordinal", "interval")},
    "squared": "quadratic",
}

#: Types of lists and objects.
_NESTED = re.compile(r"\]$|^(STRUCT|MAP|UNION|LIST)")


class Columns(Protocol):
    """The columns to read."""

    def labels(self) -> tuple[str, ...]:
        """Return the columns that hold labels, which may be numbers or texts."""

    def with_gaps(self) -> tuple[str, ...]:
        """Return the keys of several columns that are valid even if some cells are empty."""

    def columns(self) -> list[str]:
        """Return all columns, each once."""


@dataclass(frozen=True)
class RowOptions:
    """The rows that the caller asked for, and how the files are written."""

    where: str | None = None
    header: bool = True
    delimiter: str | None = None
    encoding: str | None = None
    text: bool = False
    exclude: tuple[str, ...] = ()
    skip_rows: int = 0
    sheet: str | int | None = None
    coder_from: str | None = None
    value_codes: bool = False


@dataclass(frozen=True)
class ReadOptions(RowOptions):
    """The arguments of the caller, as in `agreement_fast.files.read`.

    Attributes
    ----------
    item, coder, label, weights, by : str, sequence of str or None
        Columns by role; None is guessed, or absent.
    layout : str or None
        One of `options.LAYOUTS`; None is recognised.
    where : str or None
        A condition on the rows.
    missing : tuple of labels
        Labels that stand for a missing judgment.
    header : bool
        Whether the first line of a CSV names the columns.
    delimiter, encoding : str or None
        Those of text files; None is found from the file.
    text : bool
        Whether labels stay text even if all are numbers.
    exclude : tuple of str
        Columns that have no role.
    skip_rows : int
        Number of rows above the header.
    sheet : str, int or None
        The sheet of a spreadsheet.
    coder_from : str or None
        Where in the path the coder is named.
    value_codes : bool
        Whether to read codes instead of value labels.
    along : tuple of str
        Other columns to read along with these.
    one_coder : bool
        Whether one column of labels is enough, since right labels stand beside it.
    set_separator : str or None
        What stands between the elements of labels that are sets.
    """

    item: str | Sequence[str] | None = None
    coder: str | Sequence[str] | None = None
    label: str | None = None
    weights: str | None = None
    by: str | Sequence[str] | None = None
    layout: str | None = None
    missing: tuple[Hashable, ...] = ()
    along: tuple[str, ...] = ()
    one_coder: bool = False
    set_separator: str | None = None

    def __post_init__(self) -> None:
        if self.layout is not None and self.layout not in LAYOUTS:
            raise ReadError(f"--layout {self.layout}: choose {either(list(LAYOUTS))}")


@dataclass(frozen=True)
class Roles:
    """The chosen columns."""

    layout: str
    item: str | None
    weights: str | None
    by: str | None
    guessed: tuple[str, ...]
    notes: tuple[str, ...]
    along: tuple[str, ...]
    coder: str | None = None
    label: str | None = None
    coders: tuple[str, ...] = ()
    #: The column that may tell apart items of the same name.
    part: str | None = None

    @property
    def wide(self) -> bool:
        """Whether each column is a coder or a category."""
        return self.layout != "long"

    def labels(self) -> tuple[str, ...]:
        return self.coders if self.wide else (self.label or "",)

    def with_gaps(self) -> tuple[str, ...]:
        """Return the key of the groups; rows without an item or a coder are refused."""
        return () if self.by is None or self.by in (self.item, self.coder) else (self.by,)

    def columns(self) -> list[str]:
        """Return all columns to read, each once."""
        named = [self.item, self.coder, *self.labels(), self.weights, self.by, *self.along]
        return list(dict.fromkeys(name for name in named if name is not None))


def choose_columns(reader: Reader, options: ReadOptions) -> Roles:
    """Choose the role of each column: as asked, else as recognised."""
    files = reader.files
    # A column may be in the paths of some files and missing in other files.
    known = _known_of(files)
    keys = [key for key in (options.item, options.coder, options.by) if key is not None]
    named = [name for key in keys for name in named_parts(key, known)]
    for name in filter(None, [*named, options.label, options.weights, *options.along]):
        lack = [file for file in files if name not in file.known]
        has = next((file for file in files if name in file.partitions), None)
        if has is not None and lack:
            raise ReadError(
                f"no column {show(name)} in {len(lack):,} of {len(files):,} files, such as"
                f" {lack[0].shown}; {has.shown} has it in its path: name only the files below"
                f" {show(name + '=...')}"
            )
    reader.check_condition(options.where)
    if options.layout not in (None, "long"):
        return _choose_wide(reader, options)
    if coders := _with_labels_in_common(reader, options):
        return _choose_wide(reader, replace(options, coder=coders, layout="wide"))
    roles = _choose_long(reader, options)
    if isinstance(roles, Roles):
        return roles
    judged = [options.label, options.coder_from, options.layout]
    judged += [options.coder] if isinstance(options.coder, str) else []
    if not any(judged) and not _may_be_long(reader, options):
        try:
            return _choose_wide(reader, options)
        except InputError as error:
            if error.argument is not None:
                raise
    _refuse_one_object(reader)
    names = [name for name in files[0].columns if name not in (*options.exclude, options.weights)]
    if len(names) == len(ROLES) and not any(judged):
        recognise.refuse_counted(look_at(reader, names, options), names, SHELL)
    raise ReadError(*roles)


def _with_labels_in_common(reader: Reader, options: ReadOptions) -> list[str]:
    """Return the columns that are named as coders if they hold labels, and no column is a label."""
    known = reader.files[0].columns
    names = [] if options.coder is None else named_parts(options.coder, known)
    if len(names) < 2 or options.label is not None or not {*names} <= {*known}:
        return []
    others = [name for name in known if name not in names]
    if options.layout is not None or usual_roles(others, Named())["label"]:
        return []
    labels = [{*column.values} for column in look_at(reader, names, options).take(names).values()]
    return names if set.intersection(*labels) else []


def _may_be_long(reader: Reader, options: ReadOptions) -> bool:
    """Return whether names of columns are those of one judgment per row, as values may be."""
    taken = (*options.exclude, options.weights)
    likely = usual_roles([*reader.files[0].columns], Named(taken=taken))
    if not (likely["coder"] and (likely["item"] or likely["label"])):
        return False
    names = [name for name in reader.files[0].columns if name not in options.exclude]
    try:
        long = recognise.recognise_long(look_at(reader, names, options), Named(taken=taken), SHELL)
    except InputError:
        return True
    return long is not None


def _refuse_one_object(reader: Reader) -> None:
    """Refuse a file of JSON with one object, whose values are the columns or the rows."""
    file = reader.files[0]
    cells = reader.first_cells(file.columns, None, 2) if file.format.name == "json" else []
    if not cells or not all(len(column) == 1 and column[0] for column in cells):
        return
    begin = {str(column[0])[0] for column in cells}
    if not begin <= {"[", "{"}:
        return
    called = f"pandas.read_json({file.name!r}"
    ways = {"split": {"index", "columns", "data"}, "table": {"schema", "data"}}
    orient = next((way for way, keys in ways.items() if keys <= {*file.columns}), None)
    read = f"{called})" if orient is None else f"{called}, orient={orient!r})"
    if orient is None and begin == {"{"}:
        read += f", or {called}, orient='index') if its keys are rows"
    raise ReadError(
        f"{file.shown} is one JSON object, not one for each row",
        f"write these (records in pandas), or in Python read it by {read}",
    )


def _choose_long(reader: Reader, options: ReadOptions) -> Roles | list[str]:
    """Choose the columns of one judgment per row; if some are unknown, return the error."""
    files = reader.files
    # Columns that are only in the path are never guessed to have a role.
    columns = files[0].columns
    chosen: dict[str, str] = {}
    notes: list[str] = []
    part = None
    if options.coder_from is not None:
        if options.coder is not None:
            raise ReadError("--coder and --coder-from exclude each other")
        chosen["coder"], notes = take_coders(files, options.coder_from)
    if options.item is not None:
        chosen["item"] = key_column(options.item, files, "item")
    if options.coder is not None:
        chosen["coder"] = key_column(options.coder, files, "coder")
        if len(files[0].own(chosen["coder"])) > 1 and options.label is None:
            parts = [*files[0].own(chosen["coder"]), *files[0].own(chosen.get("item", ""))]
            likely = usual_roles([name for name in columns if name not in parts], Named())["label"]
            label = f"--label {_written(likely[0])}" if len(likely) == 1 else "--label"
            raise ReadError(
                f"several coder columns: pass --layout wide if each column is a coder, or {label}"
                " if they name a coder together"
            )
    if options.label is not None:
        chosen["label"] = named_column(options.label, files[0].known, files[0], "label")
    by, beside = _beside(options, files, files[0].known)
    used = [part for name in chosen.values() for part in files[0].own(name)]
    excluded = excluded_columns(options.exclude, [*used, *beside], files)
    # A group may be named by an item, coder or label column; a frequency is none of these.
    taken = {*used, *excluded, *([] if options.weights is None else [options.weights])}
    # A column that describes the items probably does not name them.
    left = [role for role in ROLES if role not in chosen]
    guessed, several = recognise.columns_by_name(left, columns, taken, options.along)
    if several:
        return uncertain_roles(several)
    chosen |= guessed
    taken |= {*guessed.values()}
    if len(left) == len(ROLES) and options.layout is None:
        recognise.refuse_spans(columns, usual_roles(columns, Named()), SHELL)
    if unknown := [role for role in left if role not in guessed]:
        return [_unknown_roles(unknown, files, [name for name in columns if name not in taken])]
    used = [part for name in chosen.values() for part in files[0].own(name)]
    if len(set(used)) < len(used):
        raise ReadError("item, coder and label must be three different columns")
    names = [name for name in columns if columns.count(name) == 1 and name not in excluded]
    if {*chosen.values()} <= {*names} and (
        (len(guessed) == len(ROLES) and options.layout is None) or "label" in guessed
    ):
        # The values must not show that rows are items, or that the labels are another column.
        known = {role: name for role, name in chosen.items() if role not in guessed}
        beside_these = tuple({*beside} - {*chosen.values(), None})
        named = Named(**known, layout=options.layout, taken=beside_these)
        table = look_at(reader, names, options)
        long = recognise.recognise_long(table, named, SHELL)
        notes += () if long is None else long.doubts
        no_parts = (chosen["label"], *beside_these)
        part = recognise.part_of(table, chosen["item"], chosen["coder"], no_parts)
    if options.coder_from is not None:
        others = [name for name in columns if name not in {*taken, *used, *beside}]
        notes += [
            f"column {show(name)} is ignored: --coder-from says who the coders are"
            for name in usual_roles(others, Named())["coder"]
        ]
    roles = Roles(
        "long", chosen["item"], options.weights, by, tuple(guessed), tuple(notes), options.along,
        chosen["coder"], chosen["label"], part=part,
    )  # fmt: skip
    check_everywhere(roles.columns(), files)
    return roles


def uncertain_roles(several: Mapping[str, Sequence[str]]) -> list[str]:
    """Say which columns could have a role."""
    return [
        f"column {' or '.join(map(show, matches))} could be the {role}: pass --{role}"
        for role, matches in several.items()
    ]


def _beside(
    options: ReadOptions, files: Sequence[File], known: Sequence[str]
) -> tuple[str | None, tuple[str | None, ...]]:
    """Check the columns beside the judgments; return that of groups, and all of them."""
    if options.weights is not None:
        named_column(options.weights, known, files[0], "weights")
    by = None if options.by is None else key_column(options.by, files, "by")
    for name in options.along:
        named_column(name, known, files[0], "along")
    return by, (options.weights, *(() if by is None else files[0].own(by)), *options.along)


def key_column(requested: str | Sequence[str], files: Sequence[File], role: str) -> str:
    """Return the column to use as a key; several columns are joined into one.

    A text with commas is the name of one column if there is such a column. Otherwise it names
    several columns, as a line of a CSV does.
    """
    columns = files[0].known
    names = named_parts(requested, columns)
    if not all(names) or not names:
        raise ReadError(f"--{role} has an empty name")
    for name in names:
        named_column(name, columns, files[0], role)
        if names.count(name) > 1:
            raise ReadError(f"--{role} names column {show(name)} twice")
    if len(names) == 1:
        return names[0]
    taken = {name for file in files for name in file.known}
    key = key_of(names)
    if key in taken:  # one column has the name that two have together
        key = key_of(names, csv.QUOTE_ALL)
    for file in files:
        file.joined[key] = tuple(names)
    return key


def key_of(names: Sequence[str], quoting: Literal[0, 1] = csv.QUOTE_MINIMAL) -> str:
    """Return the columns of a key as one text, a line of a CSV; see `key_column`."""
    line = io.StringIO()
    csv.writer(line, lineterminator="", quoting=quoting).writerow(names)
    return line.getvalue()


def named_parts(requested: str | Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the columns that a key consists of; see `key_column`."""
    if not isinstance(requested, str):
        return list(requested)
    if requested in columns or "," not in requested:
        return [requested]
    return [name.strip() for name in next(csv.reader([requested], skipinitialspace=True), [])]


def _choose_wide(reader: Reader, options: ReadOptions) -> Roles:
    """Choose the columns of one item per row."""
    if options.label is not None:
        raise ReadError(
            "--label and --layout wide exclude each other: each coder column holds labels"
        )
    if options.coder_from is not None:
        raise ReadError("--coder-from and --layout wide exclude each other: each column is a coder")
    files = reader.files
    known = _known_of(files)
    in_paths = {name for file in files for name in file.partitions}
    columns = [name for name in known if name not in in_paths]
    for file in files:
        repeated = sorted({name for name in file.columns if file.columns.count(name) > 1})
        if repeated:
            raise ReadError(f"{file.shown} has two columns called {show(repeated[0])}")
    by, beside = _beside(options, files, known)
    item = None if options.item is None else key_column(options.item, files, "item")
    parts = [] if item is None else files[0].own(item)
    wished = [options.coder] if isinstance(options.coder, str) else list(options.coder or ())
    excluded = excluded_columns(options.exclude, [*parts, *beside, *wished], files)
    taken = {name for name in (*parts, *beside, *excluded) if name is not None}
    for name in wished:
        named_column(name, known, files[0], "coder")
        if name in taken or wished.count(name) > 1:
            raise ReadError(f"column {show(name)} has two roles")
    names = [name for name in columns if name not in taken]
    if not names:
        raise ReadError(f"no coder columns: {columns_of(files[0])}")
    looked = look_at(reader, names, options)
    notes: list[str] = []
    if not wished:
        nameless = {name for file in files for name in file.unnamed}
        unnamed = [name for name in names if name in nameless and not looked[name].filled]
        if unnamed and len(unnamed) < len(names):
            notes.append(f"{' and '.join(map(show, unnamed))} without a name or a value left out")
            names = [name for name in names if name not in unnamed]
            looked = looked.only(names)
    if options.layout is None and looked.n_rows < FEWEST_ROWS:
        raise ReadError("too few rows show what the columns are")
    separator = options.set_separator
    named = Named(item, tuple(wished) or None, layout=options.layout, separator=separator)
    if options.layout == "wide" and not wished and item is None:
        long = recognise.recognise_long(looked, Named(), SHELL)
        if long is not None:
            raise ReadError(
                f"columns {show(long.item)}, {show(long.coder)} and {show(long.label)} hold one"
                " judgment per row: leave out --layout wide, or pass --coder A,B,C to name the"
                " coders"
            )
    result = recognise.recognise_wide(
        looked, named, SHELL_WIDE if options.layout is None else SHELL
    )
    if options.layout is None and len(result.coders) < FEWEST_CODERS - options.one_coder:
        raise ReadError(f"no coder columns: {columns_of(files[0])}")
    _refuse_unnamed([name for name in result.coders if name not in wished], files)
    others = [name for name in looked.names if name not in (result.item, *wished)]
    if wished and others:
        # Totals in the rows that were looked at, which a column without a role names
        along = looked.take([*others, *wished])
        cells = [[[*c.values, None][code] for code in c.codes.tolist()] for c in along.values()]
        rows = list(zip(*cells, strict=True))
        last, n_rows = (rows[FIRST:][-LAST:], len(rows)) if looked.complete else ((), FIRST + 1)
        name, totals = summaries_beside(list(along), wished, rows[:FIRST], last, n_rows)
        reader.refuse_rows(totals, dict(enumerate([name, *wished])), files[0], 0)
    guessed = []
    for keyword, value, why in result.guessed:
        guessed.append("coders" if keyword == "coder" else keyword)
        if keyword == "item" and not wished:
            notes.append(f"items are named by column {show(value)}: {why}")
    item = result.item
    if options.layout == "wide":
        doubt = recognise.doubt_counts(looked, item, result.coders, square=False)
        notes += [] if doubt is None else [f"{doubt[0]}; --layout wide reads labels"]
    notes += result.doubts
    orientation = recognise.doubt_orientation(looked.n_rows, len(result.coders))
    if orientation is not None and not wished:
        notes.append(f"{orientation}; --coder says that the columns are coders")
    roles = Roles(
        result.layout, item, options.weights, by, tuple(guessed), tuple(notes), options.along,
        coders=result.coders,
    )  # fmt: skip
    needed = (item, options.weights, by, *options.along)
    check_everywhere([name for name in needed if name is not None], files)
    return roles


def _refuse_unnamed(names: Sequence[str], files: Sequence[File]) -> None:
    """Refuse coders whose columns have no name: they may not be coders."""
    for file in files:
        if unnamed := [name for name in names if name in file.unnamed]:
            which = "column" if len(unnamed) == 1 else "columns"
            raise ReadError(
                f"{file.shown}: {which} {listed([*map(show, unnamed)], LISTED)} without a name in"
                f" the header, row {file.header_row:,}: write names there, pass --skip-rows"
                f" {file.header_row} if the header is further below, or --exclude"
                f" {listed_for_shell(unnamed)} if they are not coders"
            )


def look_at(reader: Reader, columns: Sequence[str], options: ReadOptions) -> Table:
    """Return the first rows of columns, those that ``where`` keeps."""
    rows = rows_to_look_at(len(columns))
    cells = reader.first_cells(columns, options.where, rows + 1)
    n_rows = len(cells[0]) if cells else 0
    typed = [pair for f in reader.files for pair in zip(f.columns, f.types, strict=True)]
    nested = {name for name, kind in typed if _NESTED.search(kind)}
    place = {name: i for i, name in enumerate(columns)}

    def look(name: str, rows: int) -> Column:
        codes = dict[str, int]()
        coded = [
            -1 if cell is None else codes.setdefault(cell, len(codes))
            for cell in cells[place[name]][:rows]
        ]
        every = np.array(coded, np.int64), list(codes)
        return Column.of(name, *every, options.missing, nested=name in nested)

    return Table(columns, look, n_rows, complete=n_rows <= rows)


def excluded_columns(
    excluded: Sequence[str], named: Sequence[str | None], files: Sequence[File]
) -> list[str]:
    """Return the columns of ``--exclude``; they must be in a file and named by no other option."""
    columns = _known_of(files)
    for name in excluded:
        # A repeated name is excluded in all its places.
        if name not in columns:
            named_column(name, columns, files[0], "exclude")
        if name in named:
            raise ReadError(f"column {show(name)} is both named and excluded")
    return list(excluded)


def _known_of(files: Sequence[File]) -> list[str]:
    """Return the columns that can be named in some file."""
    return list(dict.fromkeys(name for file in files for name in file.known))


def named_column(name: str, columns: Sequence[str], file: File, argument: str | None = None) -> str:
    """Return the column of this name, or raise an error that lists the columns."""
    from difflib import get_close_matches

    if columns.count(name) == 1:
        return name
    if columns.count(name) > 1:
        raise ReadError(f"{file.shown} has two columns called {show(name)}", argument=argument)
    close = get_close_matches(name, columns, n=1, cutoff=0.6)
    same = [column for column in columns if column.lower() == name.lower()]
    hint = f" (did you mean {show((same or close)[0])}?)" if same or close else ""
    problem = f"no column {show(name)}{hint}; {columns_of(file)}"
    if argument == "weights" and name.lower() in WEIGHTINGS:
        distance = WEIGHTINGS[name.lower()]
        problem += f"; weights of a kappa are a distance here: did you mean --distance {distance}?"
    raise ReadError(problem, argument=argument)


def _unknown_roles(unknown: Sequence[str], files: Sequence[File], free: Sequence[str]) -> str:
    """Return the message for unknown roles; `free` are the columns that have no role yet."""
    file = files[0]
    roles = " and ".join(filter(None, [", ".join(unknown[:-1]), unknown[-1]]))
    what = "columns are" if len(unknown) > 1 else "column is"
    advice = "pass " + " ".join(f"--{role}" for role in unknown)
    if len(unknown) == len(free) < 3:
        pairs = zip(unknown, free, strict=True)
        advice += ", such as " + " ".join(f"--{role} {_written(name)}" for role, name in pairs)
    if len(unknown) > 1:
        advice += ", or --layout wide if each column is a coder"
    if len(unknown) == 3 and len(free) > 2:
        advice += f" (--layout wide --item {_written(free[0])} if each but the first is one)"
    if unknown == ["coder"] and len(files) > 1:
        advice += ", or --coder-from file if each file is of one coder"
    if len(unknown) == 3 and file.format.lines and file.header:
        advice += ", or --no-header if the first line is data"
    return f"cannot tell which {what} the {roles}: {advice}; {columns_of(file)}"


def _written(column: str) -> str:
    """Return a column's name as the value of an option."""
    return column if column.isidentifier() else show(column)


def columns_of(file: File) -> str:
    """List the columns of a file in one line, shortened if there are many."""
    in_path = file.known[len(file.columns) :]
    more = f"; its path has {', '.join(map(show, in_path))}" if in_path else ""
    return f"{file.shown} has {listed([*map(show, file.columns)], 20)}{more}"


def check_everywhere(needed: Sequence[str], files: Sequence[File]) -> None:
    for file in files:
        for name in needed:
            for part in file.own(name):
                named_column(part, file.known, file)


def refuse_faults(needed: Sequence[str], files: Sequence[File]) -> None:
    """Refuse columns that cannot be read."""
    for file in files:
        for part in (part for name in needed for part in file.own(name)):
            if part in file.faults:
                raise ReadError(file.faults[part])
