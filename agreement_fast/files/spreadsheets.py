"""Spreadsheets: one table on one sheet, whose cells are written as text.

A spreadsheet has no integers: 1.0 is 1. Errors, formulas that were never computed, merged cells
and numbers typed as text are not what a coder meant, so the notes or an error report each of them.

References
----------
python-calamine reads .xlsx, .xls and .ods.
"""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from agreement_fast.files import workbooks
from agreement_fast.files.errors import ReadError, listed, show
from agreement_fast.files.file import File
from agreement_fast.files.regular import Converted
from agreement_fast.files.tables import WRITE, is_number
from agreement_fast.reading.recognition import headers

INSTALL = 'pip install "agreement-fast[excel]"'

#: The first bytes of a zip archive, and of every OLE2 file.
ZIP, OLE = b"PK\x03\x04", bytes.fromhex("D0CF11E0A1B11AE1")

#: Extensions of tables in zip archives.
_TABLES = (".csv", ".tsv", ".csv.gz", ".csv.zst", ".parquet", ".xlsx")

#: Rows that are inspected to find a second header.
LOOK = 100

#: Largest number of sheets that an error lists.
LISTED = 20

Cells: TypeAlias = list[Any]
#: First and last (row, column), counted from 0.
Range: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


def place_name(row: int, column: int) -> str:
    """Return the name that spreadsheets give to a cell.

    Examples
    --------
    >>> place_name(6, 1), place_name(0, 26)
    ('B7', 'AA1')
    """
    return f"{_letters(column)}{row + 1}"


def _letters(column: int) -> str:
    """Return the letters of a column: A, B, ..., Z, AA."""
    more, last = divmod(column, 26)
    return (_letters(more - 1) if more else "") + chr(65 + last)


@dataclass
class Sheet:
    """The filled part of a sheet."""

    #: The row and column of its first cell, counted from 0.
    top: int
    left: int
    #: Its cells; "" is an empty cell.
    rows: list[Cells]
    merged: list[Range]
    odd: workbooks.OddCells


class Spreadsheet(Converted):
    """A format of workbooks."""

    sheets = True

    @abstractmethod
    def odd_cells(self, file: File) -> Mapping[Any, workbooks.OddCells]:
        """Inspect a file before it is opened; return what is odd by a sheet's name or index."""

    def convert(self, file: File) -> tuple[list[str], Iterable[Sequence[str]]]:
        odd = self.odd_cells(file)
        with _workbook(file) as book:
            place, sheet = _choose_sheet(book, file)
            if sheet.start is None:
                raise ReadError(f"{file.shown}: sheet {show(sheet.name)} is empty")
            if sheet.height * sheet.width > workbooks.MOST_CELLS:
                raise workbooks.too_far(file.shown, sheet.height, sheet.width)
            (top, left), merged = sheet.start, list(sheet.merged_cell_ranges or ())
            own = odd.get(sheet.name) or odd.get(place, workbooks.OddCells())
            cells = Sheet(top, left, sheet.to_python(), merged, own)
        return _table(cells, file)


class Excel(Spreadsheet):
    """Workbooks of Excel: .xlsx, a zip archive, and .xls, an OLE2 file."""

    name = "excel"
    title = "Excel"
    extensions = ("xlsx", "xlsm", "xls")

    def begins(self, head: bytes) -> bool:
        return head.startswith((ZIP, OLE))

    def holds(self, path: str) -> bool:
        if _is_ole(path):
            return _book(path) is not None
        return "xl/workbook.xml" in workbooks.names_in(path)

    def odd_cells(self, file: File) -> Mapping[Any, workbooks.OddCells]:
        if _is_ole(file.path):
            return dict(enumerate(workbooks.look_into_ole(_book(file.path) or b"")))
        return workbooks.look_into_excel(file.path, file.shown)


class OpenDocument(Spreadsheet):
    """Workbooks of LibreOffice and others: .ods."""

    name = "ods"
    title = "OpenDocument"
    extensions = ("ods",)

    def begins(self, head: bytes) -> bool:
        return head.startswith(ZIP)

    def holds(self, path: str) -> bool:
        # The first member is not compressed and states the type of the archive.
        with open(path, "rb") as file:
            head = file.read(256)
        kind = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
        return head[30:].startswith(kind) and "content.xml" in workbooks.names_in(path)

    def odd_cells(self, file: File) -> Mapping[Any, workbooks.OddCells]:
        return dict(enumerate(workbooks.look_into_opendocument(file.path, file.shown)))


def refuse_archive(head: bytes, path: str, shown: str) -> None:
    """Refuse archives that are not spreadsheets."""
    if head.startswith(ZIP):
        if workbooks.members(path) is None:
            raise ReadError(
                f"{shown} is a damaged or incomplete archive or workbook: copy it again"
            )
        if any(name.lower().endswith(_TABLES) for name in workbooks.names_in(path)):
            raise ReadError(
                f"{shown} is a zip archive of tables, which are read only from files and folders:"
                " unpack it and name the folder, or pass --format if a tool exported it"
            )
        raise ReadError(
            f"{shown} is a zip archive, but not a spreadsheet that can be read: unpack it, pass"
            " --format and the tool that wrote it (such as --format doccano), or save its"
            " table as .xlsx or CSV"
        )
    if head.startswith(OLE):
        if "EncryptedPackage" in workbooks.ole_streams(path):
            raise _encrypted(shown)
        raise ReadError(f"{shown} is an Office file without a workbook, or a damaged one")


def _encrypted(shown: str) -> ReadError:
    return ReadError(f"{shown} is encrypted: save it without a password")


def _is_ole(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(OLE)) == OLE


def _book(path: str) -> bytes | None:
    """Return the workbook in an OLE2 file."""
    streams = workbooks.ole_streams(path)
    return streams.get("Workbook", streams.get("Book"))


# -- reading


@contextmanager
def _workbook(file: File) -> Iterator[Any]:
    """Open a workbook; errors of the library become a ReadError."""
    try:
        import python_calamine as calamine
    except ImportError:
        raise ReadError(f"{file.shown} is a spreadsheet: reading it needs {INSTALL}") from None
    try:
        # If given a path, the library would trust its extension.
        with (
            open(file.path, "rb") as opened,
            calamine.CalamineWorkbook.from_filelike(opened) as book,
        ):
            yield book
    except calamine.PasswordError:
        raise _encrypted(file.shown) from None
    except (calamine.CalamineError, OSError, OverflowError) as error:
        raise ReadError(f"{file.shown} is a damaged workbook: {show(str(error))}") from None
    except BaseException as error:
        # A panic of the library; its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise ReadError(f"{file.shown} is a damaged workbook") from None


def _choose_sheet(book: Any, file: File) -> tuple[int, Any]:
    """Return the index and cells of the requested sheet, else of the only sheet with cells."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    sheets = list(book.sheets_metadata)
    names = [sheet.name for sheet in sheets if sheet.typ == SheetTypeEnum.WorkSheet]
    place = {sheet.name: i for i, sheet in enumerate(sheets)}
    if not names:
        raise ReadError(f"{file.shown} has no sheet with cells")
    if (requested := file.sheet) is not None:
        if requested not in names and requested.isdecimal() and 1 <= int(requested) <= len(names):
            requested = names[int(requested) - 1]
        if requested not in names:
            raise ReadError(
                f"{file.shown} has no sheet {show(requested)}; its sheets are {_named(names)}"
            )
        if len(names) > 1:
            file.note(f"sheet {show(requested)} of {file.shown} was read")
        return place[requested], book.get_sheet_by_name(requested)
    filled = {name: sheet for name in names if (sheet := book.get_sheet_by_name(name)).height}
    if not filled:
        raise ReadError(f"{file.shown} is empty: none of its sheets has a filled cell")
    shown = [name for name in filled if sheets[place[name]].visible == SheetVisibleEnum.Visible]
    if len(shown or filled) > 1:
        raise ReadError(
            f"{file.shown} has several sheets with data, {_named(filled)}: pass --sheet with the"
            " name of one"
        )
    (name,) = shown or filled
    if not shown:
        file.note(f"sheet {show(name)} of {file.shown} was read; it is hidden")
    if len(filled) > 1:
        hidden = _named(entry for entry in filled if entry != name)
        file.note(f"sheet {show(name)} of {file.shown} was read; {hidden} is hidden")
    return place[name], filled[name]


def _named(sheets: Iterable[str]) -> str:
    """List the names of sheets."""
    return listed([*map(show, sheets)], LISTED)


# -- the table


def _table(sheet: Sheet, file: File) -> tuple[list[str], Iterable[Sequence[str]]]:
    """Find the header, and write the cells below it as text."""
    rows, top = sheet.rows, sheet.top
    #: By column: the rows of cells that hold only blanks, which are empty.
    blank: dict[int, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        for at, cell in enumerate(row):
            if type(cell) is str and cell.isspace():
                row[at] = ""
                blank[at].append(i)
    _fill_down(sheet, file)
    filled = [i for i, row in enumerate(rows) if i + top >= file.skip and row.count("") < len(row)]
    hidden = _hidden(sheet.odd.rows, top, len(rows))
    if some := [i + top + 1 for i in filled if i in hidden]:
        filled = [i for i in filled if i not in hidden]
        _remark_hidden("row", [f"{i:,}" for i in some], file)
        if not filled:
            raise ReadError(f"{file.shown}: all rows of the sheet are hidden: unhide them")
    if not filled:
        raise ReadError(f"{file.shown}: --skip-rows {file.skip} leaves no row")
    header, below = rows[filled[0]], filled[1:]
    if file.header and headers.is_data(texts := _texts(header)):
        file.header = False
        file.note(headers.remark_on_data(texts, file.shown))
    if file.header:
        _refuse_headers(sheet, filled, file)
    else:
        below = filled
    # The coder of cells below the header that are merged over columns is unknown.
    for (first, left), (last, right) in sheet.merged:
        if right > left and first >= (below or filled)[0] + top:
            raise ReadError(
                f"{file.shown}: cells {place_name(first, left)}:{place_name(last, right)} are"
                " merged over several columns: split them"
            )
    columns = list(zip(*(rows[i] for i in below), strict=True)) or [()] * len(header)
    # Columns without any cell are left of the table, or formatted ones beside it.
    kept = [
        at
        for at, column in enumerate(columns)
        if (file.header and header[at] != "") or any(cell != "" for cell in column)
    ]
    hidden = _hidden(sheet.odd.columns, sheet.left, len(columns))
    named = _texts(header)
    unseen = [at for at in kept if at in hidden and not file.is_named(named[at])]
    if unseen:
        shown = [
            _letters(sheet.left + at) + (f" {show(named[at])}" if file.header else "")
            for at in unseen
        ]
        _remark_hidden("column", shown, file)
        kept = [at for at in kept if at not in unseen]
        if not kept:
            raise ReadError(f"{file.shown}: all columns of the sheet are hidden: unhide them")
    texts = [named[at] for at in kept]
    if file.header:
        names = [
            name if text.strip() else f"column {_letters(sheet.left + at)}"
            for at, text, name in zip(
                kept, texts, headers.header_names(texts, header=True), strict=True
            )
        ]
        file.header_row = filled[0] + top + 1
        file.unnamed = tuple(names[i] for i in headers.without_name(texts))
    else:
        file.header_row = 0
        names = [str(sheet.left + at + 1) for at in kept]
    for at, name in zip(kept, names, strict=True):
        _remark(name, at, columns[at], below, blank.get(at, ()), sheet, file)
    if n := sheet.odd.unplaced:
        cells = "1 cell holds an error" if n == 1 else f"{n:,} cells hold errors"
        file.note(f"{cells} such as #N/A in the sheet of {file.shown}, read as missing")
    return names, zip(*(_texts(columns[at]) for at in kept), strict=True)


def _hidden(ranges: Iterable[range], start: int, n: int) -> set[int]:
    """Return the rows or columns of the filled part that are hidden."""
    return {i - start for some in ranges for i in some[: start + n] if start <= i < start + n}


def _remark_hidden(what: str, names: Sequence[str], file: File) -> None:
    """Note that rows or columns are left out because they are hidden."""
    several, are, again = ("s", "are", "them") if len(names) > 1 else ("", "is", "it")
    or_named = f", or name {again}" if what == "column" else ""
    file.note(
        f"{what}{several} {listed(names, LISTED)} of {file.shown} {are} hidden and left out: to"
        f" read {again}, unhide {again}{or_named}"
    )


def _texts(cells: Sequence[Any]) -> Sequence[str]:
    """Write cells as text."""
    if set(map(type, cells)) <= {str}:
        return cells
    return [WRITE[type(cell)](cell) for cell in cells]


def _fill_down(sheet: Sheet, file: File) -> None:
    """Copy the value of cells that are merged within one column to each of their rows."""
    filled = []
    for (first, left), (last, right) in sheet.merged:
        at = left - sheet.left
        if left != right or first == last or not 0 <= at < len(sheet.rows[0]):
            continue
        rows = range(max(first - sheet.top, 0), min(last - sheet.top + 1, len(sheet.rows)))
        value = sheet.rows[rows[0]][at] if rows else ""
        if value != "":
            for row in rows:
                sheet.rows[row][at] = value
            if first >= file.skip:
                filled.append(f"{place_name(first, left)}:{place_name(last, left)}")
    if filled:
        file.note(
            f"cells {listed(filled, 1)} of {file.shown} are merged: each of their rows gets"
            " their value"
        )


def _refuse_headers(sheet: Sheet, filled: Sequence[int], file: File) -> None:
    """Refuse a header of several rows: cells are merged or have no name."""
    at = filled[0] + sheet.top
    for (first, left), (last, right) in sheet.merged:
        if first <= at <= last and (right > left or last > at):
            cells = f"{place_name(first, left)}:{place_name(last, right)}"
            skip = last if right == left else last + 1
            raise ReadError(
                f"{file.shown}: cells {cells} are merged, but the header must name each column: if"
                f" a lower row does, pass --skip-rows {skip}"
            )
    looked = [_texts(sheet.rows[i]) for i in filled[: LOOK + 1]]
    # Empty columns have no name in any row.
    used = [any(cells) for cells in zip(*looked, strict=True)]
    header, *rows = ([c for c, keep in zip(row, used, strict=True) if keep] for row in looked)
    result = headers.second_header(header, rows)
    if result is not None:
        skip = filled[result.row] + sheet.top
        raise ReadError(result.problem(file.shown), f"pass --skip-rows {skip}")


def _remark(
    name: str, at: int, column: Sequence[Any], below: Sequence[int], blank: Sequence[int],
    sheet: Sheet, file: File,
) -> None:  # fmt: skip
    """Note odd cells of a column, and explain why its first empty cell may be empty."""
    left, top = at + sheet.left, sheet.top
    first = (below[0] if below else len(sheet.rows)) + top
    errors, uncomputed = (
        [place for place in cells if place[1] == left and place[0] >= first]
        for cells in (sheet.odd.errors, sheet.odd.uncomputed)
    )

    def note(count: int, single: str, several: str, what: str, row: int) -> None:
        cells = f"1 cell of it {single}" if count == 1 else f"{count:,} cells of it {several}"
        file.note(f"{cells}{what} (the first is {place_name(row, left)})", name)

    if errors:
        missing = " such as #N/A, read as missing"
        note(len(errors), "holds an error", "hold errors", missing, min(errors)[0])
    if uncomputed:
        file.faults[name] = (
            f"{file.shown}: {place_name(*min(uncomputed))} holds a formula whose value was never"
            " computed: open the file in a spreadsheet program and save it there"
        )
    if not {int, float}.isdisjoint(map(type, column)):
        odd = [i for i, cell in enumerate(column) if type(cell) is str and is_number(cell)]
        if odd:
            typed = " typed as text beside true numbers, read as the same"
            note(len(odd), "is a number", "are numbers", typed, below[odd[0]] + top)
    read = set(below)
    if rows := [i for i in blank if i in read]:
        note(len(rows), "holds", "hold", " only blanks, read as missing", rows[0] + top)
    if "" in column:
        row = below[column.index("")] + top
        is_error = (row, left) in sheet.odd.errors
        why = "holds an error such as #N/A" if is_error else "is empty"
        file.gaps[name] = f"{place_name(row, left)} {why}"
