"""`read`: read annotations or units from files of any supported format."""

from __future__ import annotations

import csv
import inspect
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from agreement_fast.annotations import Annotations
from agreement_fast.errors import Argument, InputTypeError, ReadHint, either, hint
from agreement_fast.files import (
    UNIT_ROLES,
    ColumnOptions,
    ColumnTable,
    ReadOptions,
    Stream,
    Workplace,
    open_table,
    read_columns,
)
from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import TABLE, Export, find_names, find_tool, read_export
from agreement_fast.files.exports.segments import CONTINUUM, Units
from agreement_fast.files.exports.streams import LOOKED_AT
from agreement_fast.files.exports.tool import Options
from agreement_fast.files.judgments import annotations_of, declared_of
from agreement_fast.files.opening import expand
from agreement_fast.files.roles import RowOptions
from agreement_fast.files.stream import Progress, quietly
from agreement_fast.options import (
    OTHER_NAMES,
    Duplicates,
    Extents,
    Label,
    Layout,
    Names,
    check_flag,
    ours,
)
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.labels import missing_values
from agreement_fast.reading.recognition.labels import hint_at_labels

if TYPE_CHECKING:
    from agreement_fast.units import Continuum

#: Options without a value, and the argument of Python for each.
_FLAGS = {"no-header": "header=False", "texts": "texts=True"} | {
    option.name.replace("_", "-"): f"{option.name}=True"
    for option in (*fields(Options), *fields(ReadOptions))
    if option.default is False
}

#: Values that follow an option without quotes; any other word belongs to the sentence.
_WORDS = {
    "coder-from": r"file|folder|group|column|epoch",
    "document-from": r"file|folder",
    "item-from": r"text|id|doc_hash",
    "encoding": r"utf-8|utf-16|latin-1",
    "spans": r"exact|overlapping|document|paragraph|line|continuum",
    "format": r"table",
    "distance": r"\w+",
    "layout": r"long|wide|counts|contingency",
    "skip-rows": r"\d+",
    "resolution": r"\d+(?:\.\d+)?",
    "sheet": r"\d+",
    "missing": r"-?\d+(?:\.\d+)?",
    **dict.fromkeys(
        ("item", "coder", "label", "weights", "exclude"),
        r"(?!(?:and|at|exclude|has|if|in|is|names?|needs|or|says|to|who|with)\b)[\w.]+(?:,[\w.]+)*",
    ),
}

#: Options whose values are a list in Python.
_LISTS = ("missing", "exclude")
#: Options whose values may be several names, as a line of a CSV.
_NAMES = ("coder", "exclude")

_NUMBERS = ("skip-rows", "resolution", "sheet")

_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)")

_QUOTED = re.compile(r""" ((?:'[^']*'|"(?:[^"\\]|\\.)*")+)""")


def in_python(text: str) -> str:
    """Write options as arguments, with the values that stand behind them.

    Examples
    --------
    >>> in_python("pass --coder-from file, --skip-rows 2 or --layout wide if that is so")
    'pass coder_from="file", skip_rows=2 or layout="wide" if that is so'
    >>> in_python("pass --question with one of 'a', 'b', or --missing 'NA'")
    'pass question= with one of \\'a\\', \\'b\\', or missing=["NA"]'
    """
    text = text.replace("use the command units", "pass --spans continuum")
    written, end = "", 0
    for option in _OPTION.finditer(text):
        if option.start() < end:
            continue
        name = option[1]
        written += text[end : option.start()]
        end = option.end()
        if name in _FLAGS:
            written += _FLAGS[name]
            continue
        written += f"{name.replace('-', '_')}="
        words = _WORDS.get(name)
        plain = re.compile(rf" ({words})(?![\w-])").match(text, end) if words else None
        value = plain or _QUOTED.match(text, end)
        if value is not None:
            quoted = "" if plain else "".join(shlex.split(value[1]))
            written += _value(name, quoted or value[1], listed=bool(plain) or name in _NAMES)
            end = value.end()
    return written + text[end:]


def _value(name: str, text: str, *, listed: bool) -> str:
    """Return a value as Python writes it; `listed` if commas separate several values."""
    if name in _NUMBERS and re.fullmatch(r"\d+(\.\d+)?", text):
        return text
    several = next(csv.reader([text])) if listed else [text]
    quoted = [repr(value) if '"' in value else f'"{value}"' for value in several]
    return f"[{', '.join(quoted)}]" if name in _LISTS or len(several) > 1 else quoted[0]


class TableOptions(TypedDict, total=False):
    """Columns and options of tables, also of those with a row for each unit."""

    item: str | Sequence[str] | None
    coder: str | Sequence[str] | None
    label: str | None
    layout: Layout | None
    weights: str | None
    along: Sequence[str]
    start: str
    end: str
    category: str | None
    document: str | Sequence[str] | None
    where: str | None
    exclude: Sequence[str]
    header: bool
    delimiter: str | None
    text: bool
    skip_rows: int
    sheet: str | int | None
    value_codes: bool


#: The arguments of `read` that are texts, if they are given.
_TEXTS = ("format", "question", "spans", "coder_from", "document_from", "item_from", "encoding")
#: What a table is asked for beside arguments with a name of their own.
_OWN = {"by", "missing", "encoding", "coder_from", "set_separator"}
_OF_TABLES = {field.name for field in fields(ReadOptions)} - _OWN
_OF_UNITS = {field.name for field in fields(RowOptions)} - _OWN | {*UNIT_ROLES}


def find_export(
    workplace: Workplace,
    paths: Sequence[str],
    options: Options | None = None,
    *,
    format: str | None = None,
    spans: str | None = None,
    named: bool = False,
    some_named: bool = False,
    progress: Progress = quietly,
) -> Export | None:
    """Read files if they are the export of a tool.

    `paths`: files, folders, archives or globs. `format`: the name of a tool, or "table". `spans`:
    how spans become items. `named`: whether the user named all columns, so that an export in the
    form of a table is read as a plain table. `some_named`: whether the user named a column, so that
    a file that other tables resemble is read as one. `progress`: called with the progress of
    reading, in bytes. Returns None for a plain table.
    """
    names, notes = expand(paths)
    bundle = Bundle.of(names, at=workplace.path_of)
    tool = find_tool(bundle, format)
    if tool is None:
        # An export may be among other files; only the first files are checked.
        for name in names[:LOOKED_AT] if format is None and len(names) > 1 else ():
            if (tool := find_tool(Bundle.of([name], at=workplace.path_of), None)) is not None:
                raise ReadError(
                    f"{show(name)} is an export of {tool.title}, but some of the other files are"
                    " not: read them separately, or pass --format"
                )
        return None
    if format is None and ((named and tool.columns) or (some_named and tool.plain)):
        return None
    with progress(bundle.size) as bundle.meter.advance:
        export = read_export(tool, bundle, options or Options(), spans=spans)
    export.contents.notes[:0] = notes
    return export


def continuum_of(units: Units, *, extents: Any = None, everyone: Iterable[Any] = ()) -> Continuum:
    """Make a continuum of units; `extents` are those that the user passed."""
    from agreement_fast.units import Continuum

    if extents is None:
        extents = units.extents
        rows = zip(units.documents, units.coders, units.starts, units.ends, strict=True)
        for document, coder, start, end in rows:
            begin, stop = units.extents[document]
            if not begin <= start <= end <= stop:
                raise ReadError(
                    f"coder {show(str(coder))} marked {start:.15g} to {end:.15g} of document"
                    f" {show(str(document))}, which goes from {begin:.15g} to {stop:.15g}:"
                    " --length sets how long it is",
                    argument="extents",
                )
    seen = [*units.seen, *product({document for document, _ in units.seen}, everyone)]
    return Continuum.from_rows(
        units.coders,
        units.starts,
        units.ends,
        units.categories,
        units.documents,
        extents=extents or None,
        all_coders=[*units.everyone, *everyone],
        resolution=units.step,
        seen=[pair for pair in seen if not isinstance(extents, Mapping) or pair[0] in extents],
    )


def read(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    format: str | None = None,
    *,
    question: str | None = None,
    spans: str | None = None,
    only_coder: str | Sequence[str] | None = None,
    texts: bool = False,
    missing: Names | None = None,
    duplicates: Duplicates = "error",
    repeats_of: str | None = None,
    categories: Sequence[Label] | None = None,
    set_separator: str | None = None,
    coder_from: str | None = None,
    document_from: str | None = None,
    item_from: str | None = None,
    with_predictions: bool = False,
    with_curation: bool = False,
    with_unfinished: bool = False,
    count_skips: bool = False,
    count_empty: bool = False,
    extents: Extents | None = None,
    resolution: float | None = None,
    encoding: str | None = None,
    **columns: Unpack[TableOptions],
) -> Annotations | Continuum:
    """Read annotations from tables or from exports of annotation tools.

    The format of a file is recognised by its content. The page Formats describes for each tool
    how to export, and how its exports are read.

    Parameters
    ----------
    path : str, path or sequence of these
        Files, folders, archives or globs.
    format : str, optional
        The name of a tool, such as "label-studio", if its export is not recognised, or "table" to
        read a table that looks like an export.
    question : str, optional
        The question to read, or the layer of spans, if there are several.
    spans : str, optional
        How spans are compared. "continuum", the default for exports, compares them as units.
        "exact", "overlapping", "document", "paragraph", "line" and a length such as
        "200 characters" make items of them. For a table, "continuum" reads one unit per row.
    only_coder : str or sequence of str, optional
        The coders to compare; by default all of them. Only for exports.
    texts : bool, default False
        Whether to keep the texts of the items in ``Annotations.texts``. Only for exports.
    missing : label or sequence of labels, optional
        Labels that stand for a missing judgment; blank texts do so anyway.
    duplicates : {"error", "first", "last", "majority", "set"}, default "error"
        What to do if a coder judged an item more than once: raise an error, keep the first or the
        last judgment, take the most frequent label, or the set of all labels.
    repeats_of : str, optional
        A coder whose repeated judgments of the same items are compared with each other.
    categories : sequence of labels, optional
        All categories in order, also those that nobody used; by default the labels that occur.
    set_separator : str, optional
        The separator of the elements of labels that are sets, such as "|" in "noun|verb".
    coder_from : str, optional
        How to find the coder's name if the files do not contain it: "file", "folder", or a regular
        expression with one group that is searched in the path.
    document_from : str, optional
        How to find the name of the document: "file", "folder" or a regular expression. Only for
        exports.
    item_from : str, optional
        What names an item: "id", "text" or the name of a field. Only for exports.
    with_predictions : bool, default False
        Whether to read the predictions of a model as those of an additional coder.
    with_curation : bool, default False
        Whether to read the labels of a curator or reviewer as those of an additional coder.
    with_unfinished : bool, default False
        Whether to read documents that a coder did not finish.
    count_skips : bool, default False
        Whether skipping an item counts as a label; by default the judgment is missing.
    count_empty : bool, default False
        Whether an empty answer counts as a judgment if the tool does not distinguish it from a
        missing one; by default it is missing.
    extents : number, pair, or mapping of document to these, optional
        The length, or the begin and end, of each document of a continuum. Most exports contain
        these.
    resolution : float, optional
        The length of a step of a continuum, in the units of the positions.
    encoding : str, optional
        The encoding of text files; by default UTF-8, or the one that a file declares.
    **columns
        Columns and options of tables, named as the options of the command: `item`, `coder`,
        `label`, `layout`, `weights`, `where`, `exclude`, `header`, `delimiter`,
        `text`, `skip_rows`, `sheet`, `value_codes`; for units `start`, `end`, `category` and
        `document`.

    Returns
    -------
    Annotations
        Judgments of items.
    Continuum
        Units, if the file contains spans and `spans` does not make items of them.

    Raises
    ------
    ValueError
        If a file cannot be read. The message is one line that names the file, the problem and the
        remedy. A missing file is also a ValueError.
    TypeError
        If an argument is unknown or has the wrong type.

    Warns
    -----
    ReadHint
        What was left out, and what else matters for the interpretation of the result.

    Notes
    -----
    The cost is O(rows). JSON and CSV files are read record by record.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from importlib.resources import files
    >>> path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
    >>> data = af.read(path, label="label", duplicates="first")
    >>> data
    Annotations(45 items, 5 coders, 225 judgments, 4 categories: 1, 2, 3, 4)
    >>> round(af.alpha(data).value, 3)
    0.584
    """
    of_table: dict[str, Any] = {**columns}
    _check_columns(of_table, units=spans == CONTINUUM)
    given = dict(locals())
    for name in _TEXTS:
        if not isinstance(given[name], str | None):
            raise InputTypeError.must_be(name, "text", given[name])
    marks = tuple(missing_values(missing).marks)
    only_coder = _listed(
        "only_coder", "coders", [only_coder] if isinstance(only_coder, str) else only_coder
    )
    listed = [path] if isinstance(path, str | os.PathLike) else path
    names = [os.fspath(path) for path in listed]
    own = {field.name: given[field.name] for field in fields(Options) if field.name in given}
    options = Options(**own, keep_texts=texts)
    judged = partial(annotations_of, duplicates=duplicates, repeats_of=repeats_of)
    has_coder = "coder" in of_table or coder_from is not None
    named: dict[str, Any] = {
        "named": has_coder and {"item", "label"} <= of_table.keys(),
        "some_named": not {"item", "coder", "label", "layout"}.isdisjoint(of_table),
    }
    with ExitStack() as stack, _in_python():
        workplace = Workplace(stack)
        export = find_export(workplace, names, options, format=format, spans=spans, **named)
        if export is not None:
            for name in of_table:
                raise ReadError(
                    f"--{name} is for tables, but {export.bundle.shown} is an export of"
                    f" {export.tool.title}: --format {TABLE} reads it as a table"
                )
            picked = export.pick(question)
            if picked in export.contents.spans and spans in (None, CONTINUUM):
                units = export.units(picked, only_coder)
                _hint_at([*export.notes(picked), *units.notes])
                return continuum_of(units, extents=extents)
            judgments = export.table(picked, spans, only_coder, marks)
            _hint_at(judgments.source.notes)
            annotations = judged(judgments, categories=categories)
            return annotations.with_texts(export.contents.texts) if texts else annotations
        for name, value in {"question": question, **vars(options)}.items():
            if value and name not in ("coder_from", "encoding", "resolution"):
                name = "texts" if name == "keep_texts" else name.replace("_", "-")
                raise ReadError(f"--{name} is for exports of tools, but {names[0]!r} is a table")
        if spans == CONTINUUM:
            named = {role: of_table.pop(role, None) for role in UNIT_ROLES}
            of_roles = {role: name for role, name in named.items() if name is not None}
            requested = ColumnOptions(
                named=of_roles, encoding=encoding, coder_from=coder_from, **of_table
            )
            rows = read_columns(workplace, names, requested, UNIT_ROLES, "units")
            _hint_at(rows.source.notes)
            whole = continuum_of_table(rows, extents=extents, resolution=resolution)
            if only_coder is None:
                return whole
            return whole.select(coders=_named(whole.coders, only_coder))
        if spans is not None:
            raise ReadError(f"--spans {spans} is for exports of tools, but {names[0]!r} is a table")
        if set_separator is not None:
            of_table["text"] = True
        of_judgments = ReadOptions(
            encoding=encoding,
            missing=marks,
            coder_from=coder_from,
            set_separator=set_separator,
            **of_table,
        )
        table = open_table(workplace, names, of_judgments, whole=True)
        assert not isinstance(table, Stream)
        _hint_at(table.source.notes)
        if categories is None:
            categories = declared_of(table, marks)
            if categories is not None:
                hint_at_labels(table.labels.values.tolist())
        annotations = judged(table, categories=categories, set_separator=set_separator)
        if only_coder is None:
            return annotations
        return annotations.select(coders=_named(annotations.known_coders("only_coder"), only_coder))


def _named(known: Sequence[Any], coders: Sequence[str]) -> list[Any]:
    return [known[place] for place in find_names(known, coders)]


@contextmanager
def _in_python() -> Iterator[None]:
    """Translate the options of the command in errors about files into arguments."""
    try:
        yield
    except ReadError as error:
        raise ReadError(in_python(str(error)), argument=error.argument) from None


def _check_columns(columns: dict[str, Any], *, units: bool) -> None:
    """Raise an error for unknown arguments, and convert the others to the types of the options."""
    from difflib import get_close_matches

    known = _OF_UNITS if units else _OF_TABLES
    for name in columns:
        if name == "by":
            raise InputTypeError(
                "read() compares no groups, got the argument 'by'",
                "af.agreement_by_group compares the groups of a table",
                argument="by",
            )
        if name in known:
            continue
        if name in _OF_UNITS:
            raise InputTypeError(
                f"argument {name!r} of read() is for units",
                ("pass ", Argument("spans", CONTINUUM)),
                argument=name,
            )
        own = list(inspect.signature(read).parameters)[1:-1]
        near = get_close_matches(name, sorted({*own, *known}), n=3)
        meant = f"did you mean {either(list(map(repr, near)))}?" if near else None
        if name in OTHER_NAMES:
            meant = ours(name, columns[name], known)
        raise InputTypeError(f"read() got an unexpected argument {name!r}", meant, argument=name)
    if "header" in columns:
        check_flag("header", columns["header"])
    if "exclude" in columns:
        columns["exclude"] = _listed("exclude", "columns", columns["exclude"]) or ()
    if isinstance(columns.get("sheet"), int) and not isinstance(columns["sheet"], bool):
        columns["sheet"] = str(columns["sheet"])


def _listed(name: str, what: str, values: Any) -> tuple[Any, ...] | None:
    """Return a list of values; a single text raises an error, because it would be split."""
    if values is None:
        return None
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputTypeError(f"{name}: expected a list of {what}, got {values!r}", argument=name)
    return tuple(values)


def continuum_of_table(
    table: ColumnTable,
    *,
    extents: Any = None,
    everyone: Iterable[Any] = (),
    resolution: float | None = None,
) -> Continuum:
    """Make a continuum from a table with one unit per row."""
    from agreement_fast.units import Continuum

    columns = {
        role: Dictionary(coded.codes, coded.values.tolist(), False)
        for role, coded in table.keys.items()
    }
    return Continuum.from_rows(
        columns["coder"],
        table.numbers["start"],
        table.numbers["end"],
        columns.get("category"),
        columns.get("document"),
        extents=extents,
        all_coders=everyone,
        resolution=resolution,
    )


def _hint_at(notes: Sequence[str]) -> None:
    if notes:
        hint(in_python("; ".join(notes)), ReadHint)
