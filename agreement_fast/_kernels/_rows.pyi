from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

class Rows:
    @property
    def codes(self) -> _Array: ...
    @property
    def width(self) -> int: ...
    @property
    def start(self) -> Any: ...
    @property
    def coders(self) -> _Array | None: ...
    @property
    def repeats(self) -> _Array | None: ...
    @property
    def weights(self) -> _Array | None: ...
    @property
    def n_rows(self) -> int: ...
    def __init__(
        self,
        codes: _Array,
        width: int,
        start: _Array | None = None,
        coders: _Array | None = None,
        repeats: _Array | None = None,
        weights: _Array | None = None,
    ) -> None: ...
    def part(self, first: int, last: int) -> Rows: ...
    def replace(
        self,
        *,
        codes: _Array | None = None,
        repeats: _Array | None = None,
        weights: _Array | None = None,
    ) -> Rows: ...
    def table(self) -> _Array: ...
    def longest(self) -> int: ...
