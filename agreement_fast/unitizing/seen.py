"""Who saw which document, as codes. A coder who did not see one is missing, and left no gap."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, Phrase


def seen_codes(pairs: list[tuple[Any, Any]], documents: list[Any], coders: list[Any]) -> Array:
    """Number pairs by the places of their names: int64 of shape (P, 2), sorted, each once."""
    of_document = {name: place for place, name in enumerate(documents)}
    of_coder = {name: place for place, name in enumerate(coders)}
    found = {(of_document[document], of_coder[coder]) for document, coder in pairs}
    return np.array(sorted(found), np.int64).reshape(-1, 2)


def check_seen(
    seen: Array, document: Array, coder: Array, documents: list[Any], coders: list[Any]
) -> None:
    """Refuse a unit in a document that its coder did not see."""
    known = seen[:, 0] * len(coders) + seen[:, 1]
    unknown = ~np.isin(document.astype(np.int64) * len(coders) + coder, known)
    if unknown.any():
        row = int(np.argmax(unknown))
        who, where = coders[coder[row]], documents[document[row]]
        raise InputError(
            (
                Phrase("row", f"row {row}", row),
                f" is a unit of coder {who!r} in document {where!r}, which seen says that "
                f"{who!r} did not see",
            ),
            "add the pair to seen",
            argument="seen",
        )
