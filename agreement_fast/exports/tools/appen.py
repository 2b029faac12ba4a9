"""The full report of Appen (CrowdFlower, Figure Eight), one judgment per row."""

from __future__ import annotations

from agreement_fast.exports.bundle import Bundle
from agreement_fast.exports.csv_stream import Declared, Varying
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import every, look_at
from agreement_fast.exports.tool import Options, Tool
from agreement_fast.files.errors import ReadError, show

__all__ = ["Appen"]

_UNIT, _WORKER = "_unit_id", "_worker_id"
#: Columns that mark judgments that do not count, and the name of what is left out.
_OUT = {"_tainted": "tainted judgments", "_golden": "judgments of test questions"}
_TABLE = Declared((_UNIT, _WORKER))
_YES, _NO = ("true", "1"), ("false", "0", "")


class Appen(Tool):
    """Reads reports of Appen; questions are the columns that workers filled in."""

    name = "appen"
    title = "Appen (full report)"
    options = ("count_empty",)
    columns = True

    def recognise(self, bundle: Bundle) -> bool:
        """Whether the tables have units and workers."""
        return every(bundle, lambda look: look.has(_UNIT, _WORKER))

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Find the questions, and then read the judgments."""
        questions = _Questions(bundle, options)
        for _, row in _TABLE._replace(out=_out).rows(bundle.members, options, found):
            for name in questions.names:
                cell = row.get(name, "").strip()
                label: str | frozenset[str] | None = cell or None
                if name in questions.several:
                    lines = frozenset(filter(None, map(str.strip, cell.splitlines())))
                    label = lines if lines or options.count_empty else None
                kind = "several answers" if name in questions.several else "answers"
                found.answers_to(name, kind).add(row[_UNIT], row[_WORKER], label)
        questions.tell(found)


def _out(row: dict[str, str], where: str) -> str:
    return next((what for name, what in _OUT.items() if _flag(row, name, where)), "")


def _flag(row: dict[str, str], name: str, where: str) -> bool:
    cell = row.get(name, "").strip().lower()
    if cell not in _YES + _NO:
        raise ReadError(f"{where}: {show(name)} must be true or false, got {show(row[name])}")
    return cell in _YES


class _Questions:
    """The columns that are questions: those with a gold answer, or that vary within a unit."""

    def __init__(self, bundle: Bundle, options: Options) -> None:
        self.several: set[str] = set()
        varying = Varying()
        columns: dict[str, None] = {}
        for member in bundle.members:
            columns.update(dict.fromkeys(look_at(member).columns))
        for _, row in _TABLE.rows(bundle.members, options):
            cells = {name: cell for name, cell in row.items() if _may_be_asked(name)}
            self.several.update(name for name, cell in cells.items() if "\n" in cell.strip())
            varying.look(row[_UNIT], cells)
        self._data = [name for name in columns if _may_be_asked(name)]
        gold = {name for name in self._data if f"{name}_gold" in columns}
        self.names = [name for name in self._data if name in gold or name in varying.names]

    def tell(self, found: Found) -> None:
        constant = [name for name in self._data if name not in self.names]
        if constant:
            found.note(
                "columns that have no gold answer and are the same in all judgments of a unit"
                f" are read as data, not as questions: {', '.join(map(show, constant[:20]))}"
            )
        multiple = [name for name in self.names if name in self.several]
        if multiple:
            found.note(
                "answers of several lines are read as several choices:"
                f" {', '.join(map(show, multiple[:20]))}"
            )


def _may_be_asked(name: str) -> bool:
    return bool(name) and not name.startswith(("_", "orig_")) and not name.endswith("_gold")
