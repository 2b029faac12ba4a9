"""Every value of a study, written to Parquet while it runs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from agreement_fast.arrays import Array


class Writer:
    """A Parquet file with a row for each subset, which appears only when it is complete.

    Its columns are ``subset`` (uint64; bit c is coder c), ``size`` (uint8), and a float64 column
    for each measure. The coders' names are in the file's metadata, as JSON under ``coders``.
    """

    def __init__(self, path: str | os.PathLike[str], names: Sequence[str], coders: Any) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                'to= writes Parquet with pyarrow: pip install "agreement-fast[parquet]"'
            ) from None
        self._path = Path(path)
        if not self._path.parent.is_dir():
            raise FileNotFoundError(f"to={str(path)!r}: there is no folder {self._path.parent}")
        if self._path.is_dir():
            raise IsADirectoryError(f"to={str(path)!r} is a folder: name a file in it")
        self._unfinished = self._path.with_name(f".{self._path.name}.{os.getpid()}.unfinished")
        self._pa = pa
        columns = [("subset", pa.uint64()), ("size", pa.uint8())]
        columns += [(name, pa.float64()) for name in names]
        named = {"coders": json.dumps([str(coder) for coder in coders], ensure_ascii=False)}
        self._schema = pa.schema(columns, metadata=named)
        try:
            self._file = pq.ParquetWriter(self._unfinished, self._schema)
        except BaseException:
            self._unfinished.unlink(missing_ok=True)
            raise

    def add(self, masks: Array, sizes: Array, values: Array) -> None:
        """Write rows; the values have the shape (M, n)."""
        arrays = [self._pa.array(column) for column in (masks, sizes, *values)]
        self._file.write_batch(self._pa.record_batch(arrays, schema=self._schema))

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._file.close()
            if kind is None:
                self._unfinished.replace(self._path)
        finally:
            self._unfinished.unlink(missing_ok=True)
