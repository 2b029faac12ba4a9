"""Tables of judgments as folders of Parquet files, for `engines.py`.

A table has one judgment per row: a text id, a coder, a label. Row i depends on i alone, so that
tables of any size can be written in pieces.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

LABELS = ("neg", "neu", "pos", "unsure")
#: Judgments of an item.
EACH = 5
#: Rows of a file: tables are spread over at least four.
FILE_ROWS = 2_500_000


class Kind(NamedTuple):
    """The shape of a table."""

    coders: int
    shuffled: bool
    title: str


KINDS = {
    "few": Kind(5, False, "5 coders"),
    "few-shuffled": Kind(5, True, "5 coders, rows shuffled"),
    "crowd": Kind(5000, True, "5,000 coders, rows shuffled"),
}


def mix(numbers: Any) -> Any:
    """Spread 64-bit numbers, so that neighbours have nothing in common."""
    numbers = numbers.astype(np.uint64)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        numbers = (numbers ^ (numbers >> np.uint64(33))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(33))


def judgments(rows: Any, coders: int) -> Any:
    """The judgments of these row numbers, as an Arrow table: three in four say the true label."""
    import pyarrow as pa
    import pyarrow.compute as pc

    item, place = rows // EACH, rows % EACH
    of_item, own = mix(item), mix(rows + 7_000_000_000)
    step = np.uint64(1) + (of_item >> np.uint64(40)) % np.uint64(max(1, coders // EACH - 1))
    start = (of_item >> np.uint64(20)) % np.uint64(coders)
    coder = (start + place.astype(np.uint64) * step) % np.uint64(coders)
    true, other = of_item % np.uint64(len(LABELS)), (own >> np.uint64(8)) % np.uint64(len(LABELS))
    label = np.where(own % np.uint64(256) < 192, true, other).astype(np.int32)
    ids = pc.utf8_lpad(pc.cast(pa.array(item), pa.string()), 10, "0")
    names = pa.array([f"coder{i:04}" for i in range(coders)])
    return pa.table(
        {
            "item": pc.binary_join_element_wise("post", ids, "-"),
            "coder": names.take(pa.array(coder.astype(np.int32))),
            "label": pa.array(LABELS).take(pa.array(label)),
        }
    )


def write(kind: str, n_rows: int, folder: Path) -> Path:
    """Write a table, unless it is there; returns its folder."""
    import pyarrow.parquet as pq

    made = folder / f"{kind}-{n_rows}"
    if (made / "done").exists():
        return made
    made.mkdir(parents=True, exist_ok=True)
    order = np.arange(n_rows, dtype=np.int32)
    if KINDS[kind].shuffled:
        np.random.default_rng(1).shuffle(order)
    for i, rows in enumerate(np.array_split(order, max(4, n_rows // FILE_ROWS))):
        table = judgments(rows.astype(np.int64), KINDS[kind].coders)
        pq.write_table(
            table, made / f"part-{i:03}.parquet", use_dictionary=["coder", "label"],
            compression="zstd", row_group_size=250_000,
        )  # fmt: skip
    (made / "done").touch()
    return made
