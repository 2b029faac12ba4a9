from typing import Any

import numpy.typing as npt

def number_texts(capsule: Any, out: npt.NDArray[Any]) -> list[str] | None: ...
