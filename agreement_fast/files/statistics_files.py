"""Files of SPSS, Stata and SAS: columns of numbers that stand for labels.

A value label names a number. All value labels, used or not, are the declared categories. Values
that the file declares missing are missing, and counted.

References
----------
pyreadstat, a binding of ReadStat, reads the files.
"""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

from agreement_fast.files.errors import ReadError, listed, show
from agreement_fast.files.file import File
from agreement_fast.files.regular import Converted
from agreement_fast.files.tables import WRITE, in_order

INSTALL = 'pip install "agreement-fast[stats]"'

#: The first bytes of a SAS file.
_SAS7BDAT = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_XPORT = b"HEADER RECORD*******LIB"

#: Encodings that are passed on; other files declare theirs.
_ENCODINGS = {"latin-1": "LATIN1", "cp1252": "WINDOWS-1252"}

#: Options of most functions of pyreadstat.
_BOTH = ("user_missing", "encoding")

#: Largest number of values that a remark lists.
_LISTED = 5


class StatisticsFile(Converted):
    """A format of a statistics program."""

    #: By the first bytes of a file: the function that reads it, and its options.
    readers: Mapping[bytes, tuple[str, tuple[str, ...]]]

    def convert(self, file: File) -> tuple[list[str], Iterable[Sequence[str]]]:
        try:
            import pyreadstat
        except ImportError:
            raise ReadError(
                f"{file.shown} is a file of {self.title}: reading it needs {INSTALL}"
            ) from None
        with open(file.path, "rb") as opened:
            head = opened.read(512)
            opened.seek(-min(64, os.path.getsize(file.path)), os.SEEK_END)
            tail = opened.read()
        if head.startswith(b"<stata_dta>") and b"</stata_dta>" not in tail:
            raise ReadError(f"{file.shown} is a damaged file of {self.title}: its end is missing")
        name, taken = next(self.readers[start] for start in self.readers if head.startswith(start))
        options = {"user_missing": True, "encoding": _ENCODINGS.get(file.encoding)}
        options = {option: options[option] for option in taken}
        try:
            columns, about = getattr(pyreadstat, name)(file.path, output_format="dict", **options)
        except MemoryError:
            raise
        # A damaged file can cause any error in a binding of C.
        except Exception as error:
            raise ReadError(
                f"{file.shown} is a file of {self.title} that cannot be read: {show(str(error))}"
            ) from None
        texts = [_texts(name, values, about, file) for name, values in columns.items()]
        return list(columns), zip(*texts, strict=True)


class Spss(StatisticsFile):
    """SPSS: .sav, .zsav and the portable .por."""

    name = "spss"
    title = "SPSS"
    extensions = ("sav", "zsav", "por")
    has_value_labels = True
    readers = MappingProxyType({b"$FL": ("read_sav", _BOTH), b"": ("read_por", ())})

    def begins(self, head: bytes) -> bool:
        return head.startswith((b"$FL2", b"$FL3")) or b"SPSS PORT FILE" in head[:256]


class Stata(StatisticsFile):
    """Stata: .dta of all versions since 8."""

    name = "stata"
    title = "Stata"
    extensions = ("dta",)
    has_value_labels = True
    readers = MappingProxyType({b"": ("read_dta", _BOTH)})

    def begins(self, head: bytes) -> bool:
        # Version, byte order, 1, 0
        old = len(head) > 3 and 104 <= head[0] <= 115 and head[1] in (1, 2) and head[2:4] == b"\1\0"
        return head.startswith(b"<stata_dta>") or old


class Sas(StatisticsFile):
    """SAS: .sas7bdat and the transport format .xpt. Neither holds value labels."""

    name = "sas"
    title = "SAS"
    extensions = ("sas7bdat", "xpt")
    readers = MappingProxyType(
        {_XPORT: ("read_xport", ("encoding",)), b"": ("read_sas7bdat", _BOTH)}
    )

    def begins(self, head: bytes) -> bool:
        return head.startswith((_SAS7BDAT, _XPORT))


# -- columns


def _texts(name: str, values: Sequence[Any], about: Any, file: File) -> list[str]:
    """Return a column as text: by its labels, with missing values empty."""
    is_missing = _missing(about, name)
    counts = Counter(values)
    gone = {count for count in counts if is_missing(count)}
    labels = {
        code: label.strip()
        for code, label in about.variable_value_labels.get(name, {}).items()
        if label.strip() and not is_missing(code)
    }
    empty = {count for count in counts if count is None or count == "" or count != count}
    used = counts.keys() - gone - empty
    if not labels and not file.value_codes:
        labels = _of_others(name, used, about, file)
    if gone:
        n_gone = sum(counts[entry] for entry in gone)
        cells = "1 cell holds a value" if n_gone == 1 else f"{n_gone:,} cells hold values"
        file.note(f"{cells} that the file declares missing ({_listed(gone)})", name)
    if labels and not file.value_codes:
        written = _named(name, used, labels, file)
    else:
        written = {entry: WRITE[type(entry)](entry) for entry in used}
    if file.value_codes and labels:
        file.note("its codes were read, not its labels", name)
    elif about.variable_measure.get(name) == "ordinal":
        file.note("the file calls it ordinal: --distance ordinal compares so", name)
    return [written.get(value, "") for value in values]


def _of_others(name: str, used: Set[Any], about: Any, file: File) -> dict[Any, str]:
    """Return the labels of other columns that name all values of a column without labels."""
    others = about.variable_value_labels
    named = [other for other, labels in others.items() if used <= labels.keys()]
    if len(used) < 2 or not named or any(others[other] != others[named[0]] for other in named):
        return {}
    first = show(named[0])
    file.note(f"it has no value labels, and is read with those of {first}, which name all its"
              " values: if they mean something else, pass --value-codes", name)  # fmt: skip
    return {code: label.strip() for code, label in others[named[0]].items() if label.strip()}


def _named(name: str, used: Iterable[Any], labels: Mapping[Any, str], file: File) -> dict[Any, str]:
    """Return the text of each value that has a label or is used, and declare all of them."""
    unnamed = [entry for entry in used if entry not in labels]
    written = {**labels, **{entry: WRITE[type(entry)](entry) for entry in unnamed}}
    if unnamed:
        file.note(
            f"{'value' if len(unnamed) == 1 else 'values'}"
            f" {_listed(unnamed)} without a label, read as written",
            name,
        )
    file.declared[name] = written
    known: dict[str, Any] = {}
    for code in sorted(written, key=in_order):
        text = written[code]
        other = known.setdefault(text, code)
        if other != code:
            file.faults[name] = (
                f"{file.shown}: values {_listed([other])} and {_listed([code])} of column"
                f" {show(name)} are both called {show(text)}: pass --value-codes to read numbers"
                " instead of labels"
            )
    return written


def _listed(codes: Iterable[Any]) -> str:
    """List codes in their order."""
    ordered = sorted(codes, key=in_order)
    some = [
        show(entry) if isinstance(entry, str) else WRITE[type(entry)](entry) for entry in ordered
    ]
    return listed(some, _LISTED)


def _missing(about: Any, name: str) -> Callable[[Any], bool]:
    """Return a function that says whether the file declares a value of a column missing."""
    ranges = [(entry["lo"], entry["hi"]) for entry in about.missing_ranges.get(name, ())]
    marks = set(about.missing_user_values.get(name, ()))

    def is_missing(value: Any) -> bool:
        if value in marks:
            return True
        if isinstance(value, str):
            return any(isinstance(low, str) and value == low for low, _ in ranges)
        if not isinstance(value, int | float) or math.isnan(value):
            return False
        return any(not isinstance(low, str) and low <= value <= high for low, high in ranges)

    return is_missing
