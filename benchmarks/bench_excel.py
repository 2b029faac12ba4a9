"""A sheet of 100,000 judgments in the long layout, compared with the two readers of pandas.

pandas returns a data frame. Our reader returns codes, and checks for errors, merged cells and the
like. A checksum of all cells compares the results.
"""

from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

from contest import OURS, Row, contest
from workloads import table

ROWS = 100_000
CODERS = 4

_FOLDER = TemporaryDirectory(prefix="bench-excel-")


@lru_cache(maxsize=2)
def workbook(rows):
    """Return the path of a workbook with this number of judgments."""
    import openpyxl

    path = Path(_FOLDER.name) / f"{rows}.xlsx"
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("codes")
    sheet.append(["item", "coder", "label"])
    for item, codes in enumerate(table(rows // CODERS, CODERS, 5, 0.0).tolist()):
        for coder, code in enumerate(codes):
            sheet.append([f"item {item}", f"coder {coder}", code])
    book.save(path)
    return str(path)


def paths(rows):
    return (workbook(rows),)


def checksum(*columns):
    """A checksum of all cells."""
    return crc32("\n".join(map(str, chain(*columns))).encode())


def ours(path):
    from agreement_fast.files import read

    result = read(path)
    return checksum(
        *(one.decode().tolist() for one in (result.items, result.coders, result.labels))
    )


def pandas(path, engine):
    import pandas as pd

    result = pd.read_excel(path, engine=engine)
    return checksum(*(result[name].tolist() for name in ("item", "coder", "label")))


test_sheet = contest(
    "a sheet of 100,000 judgments",
    ROWS,
    [
        Row(OURS, ".xlsx", paths, ours),
        Row("pandas", ".xlsx by calamine", paths, partial(pandas, engine="calamine")),
        Row("pandas", ".xlsx by openpyxl", paths, partial(pandas, engine="openpyxl")),
    ],
    rel=0,
)
