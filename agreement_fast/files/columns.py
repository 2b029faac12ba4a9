"""Reading tables whose columns have special roles: units, links, segmentations, chains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

from agreement_fast.files.errors import ReadError, one_line
from agreement_fast.files.file import File, take_coders
from agreement_fast.files.opening import Workplace
from agreement_fast.files.plain import open_reader
from agreement_fast.files.reader import Reader, notes_on_paths
from agreement_fast.files.roles import (
    ReadOptions,
    RowOptions,
    check_everywhere,
    columns_of,
    excluded_columns,
    key_column,
    named_column,
    refuse_faults,
    uncertain_roles,
)
from agreement_fast.files.tables import Coded, Source
from agreement_fast.reading.recognition.recognise import columns_by_name


@dataclass(frozen=True)
class Role:
    """The role of a column."""

    #: Names without empty cells, texts, labels (numbers if all of them are) or positions: {"key",
    #: "text", "label", "number"}.
    kind: Literal["key", "text", "label", "number"]
    needed: bool = True


#: The roles in a table of one unit per row.
UNIT_ROLES = {
    "coder": Role("key"),
    "start": Role("number"),
    "end": Role("number"),
    "category": Role("label", needed=False),
    "document": Role("key", needed=False),
}


@dataclass(frozen=True)
class ColumnOptions(RowOptions):
    """The same options, and columns by role."""

    named: Mapping[str, str | Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ColumnTable:
    """Columns by role; roles without a column are left out."""

    source: Source
    #: Names, texts and labels; -1 is an empty cell: dict of str to Coded, codes of shape (rows,).
    keys: dict[str, Coded]
    #: Dict of str to int64 or float64 arrays of shape (rows,).
    numbers: dict[str, NDArray[Any]]


@dataclass(frozen=True)
class _Chosen:
    """The columns that were chosen, by role."""

    columns_of_roles: dict[str, str]
    guessed: tuple[str, ...]
    notes: tuple[str, ...]
    kinds: Mapping[str, Role]

    def labels(self) -> tuple[str, ...]:
        named = self.columns_of_roles.items()
        return tuple(column for role, column in named if self.kinds[role].kind == "label")

    def with_gaps(self) -> tuple[str, ...]:
        return ()

    def columns(self) -> list[str]:
        return list(dict.fromkeys(self.columns_of_roles.values()))


def read_columns(
    workplace: Workplace,
    paths: Sequence[str],
    options: ColumnOptions,
    roles: Mapping[str, Role],
    layout: Literal["units", "links", "segmentations"],
) -> ColumnTable:
    """Read files whose columns have these roles.

    `workplace`: where temporary files are put. `paths`: files, folders or globs; several files are
    read as one. `asked`: columns that are not named are guessed from usual names. `roles` (mapping
    of str to Role): in the order in which the result lists them. `layout`: the layout that the
    result reports. A ReadError says in one line
    what is wrong, in which file, and what to do.
    """
    reader = open_reader(paths, workplace, options)
    with one_line("reading"):
        reader.find_columns(options.where)
        chosen = _choose(options, reader.files, roles)
        notes = [*reader.notes, *notes_on_paths(reader, chosen, options.where)]
        reader.lock(None)
        reader.check_condition(options.where)
        reader.prepare(chosen)
        reader.load(chosen, options.where)
        notes += [*chosen.notes, *reader.remarks(chosen)]
        return _table(reader, chosen, options, notes, layout)


def _choose(options: ColumnOptions, files: Sequence[File], roles: Mapping[str, Role]) -> _Chosen:
    """Decide which column has which role: as asked, else by usual names."""
    columns = files[0].columns
    chosen = {
        role: named_column(name, files[0].known, files[0], role)
        if isinstance(name, str) and roles[role].kind != "key"
        else key_column(name, files, role)
        for role, name in options.named.items()
    }
    notes: list[str] = []
    if options.coder_from is not None:
        if "coder" in chosen:
            raise ReadError("--coder and --coder-from exclude each other")
        chosen["coder"], notes = take_coders(files, options.coder_from)
    named = [part for name in chosen.values() for part in files[0].own(name)]
    excluded = excluded_columns(options.exclude, named, files)
    taken = {*named, *chosen.values(), *excluded}
    guessed, several = columns_by_name([r for r in roles if r not in chosen], columns, taken)
    if several:
        raise ReadError(*uncertain_roles(several))
    chosen |= guessed
    if unknown := [role for role in roles if roles[role].needed and role not in chosen]:
        advice = " ".join(f"--{role}" for role in unknown)
        if unknown == ["coder"] and len(files) > 1:
            advice += ", or --coder-from file if each file is of one coder"
        raise ReadError(
            f"cannot tell which column is the {' and the '.join(unknown)}: pass {advice};"
            f" {columns_of(files[0])}"
        )
    used = [part for name in chosen.values() for part in files[0].own(name)]
    if len(set(used)) < len(used):
        *first, last = roles
        raise ReadError(f"{', '.join(first)} and {last} must be different columns")
    check_everywhere(list(chosen.values()), files)
    refuse_faults(list(chosen.values()), files)
    return _Chosen(chosen, tuple(guessed), tuple(notes), roles)


def _table(
    reader: Reader,
    chosen: _Chosen,
    options: ColumnOptions,
    notes: list[str],
    layout: Literal["units", "links", "segmentations"],
) -> ColumnTable:
    keys: dict[str, Coded] = {}
    numbers: dict[str, NDArray[Any]] = {}
    for role in (role for role in chosen.kinds if role in chosen.columns_of_roles):
        kind, name = chosen.kinds[role].kind, chosen.columns_of_roles[role]
        place = chosen.columns().index(name)
        if kind == "number":
            numbers[role] = reader.positions(place, name)
            continue
        keys[role] = reader.texts(place) if kind == "text" else reader.keys(place, name)
        if kind == "label":
            keys[role] = reader.value_labels(keys[role], ReadOptions(text=options.text), notes)
    (rows,) = {len(key.codes) for key in keys.values()} | {
        len(number) for number in numbers.values()
    }
    source = Source(
        files=tuple(file.name for file in reader.files),
        formats=tuple(file.format.name for file in reader.files),
        layout=layout,
        rows=rows,
        rows_in_files=reader.rows_in_files,
        guessed=chosen.guessed,
        where=options.where,
        notes=tuple(notes),
        columns=tuple((role, chosen.columns_of_roles.get(role)) for role in chosen.kinds),
    )
    return ColumnTable(source, keys, numbers)
