"""Who saw which document. A coder who did not see one is missing there, and left no gap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase
from agreement_fast.reading import frames
from agreement_fast.reading.labels import as_python

__all__ = ["check_seen", "read_seen", "rows_of_frame", "seen_codes"]

Pairs = list[tuple[Any, Any]]


def read_seen(given: Any) -> tuple[list[Any], Pairs]:
    """Give the documents that are named, and the pairs of a document and a coder who saw it."""
    if isinstance(given, Mapping):
        pairs = [
            (as_python(document), as_python(coder))
            for document, coders in given.items()
            for coder in _several(coders, document)
        ]
        return [as_python(document) for document in given], pairs
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputTypeError(
            f"seen must be a mapping from documents to coders, or rows (document, coder), "
            f"got {given!r}",
            argument="seen",
        )
    pairs = []
    for place, row in enumerate(given):
        pair = () if isinstance(row, (str, bytes)) else tuple(row)
        if len(pair) != 2:
            raise InputError(
                ("seen has ", Phrase("row", f"row {place}", place), f" {row!r}"),
                "a row is a document and a coder who saw it",
                argument="seen",
            )
        pairs.append((as_python(pair[0]), as_python(pair[1])))
    return list(dict.fromkeys(document for document, _ in pairs)), pairs


def _several(coders: Any, document: Any) -> Iterable[Any]:
    if isinstance(coders, (str, bytes)) or not isinstance(coders, Iterable):
        raise InputTypeError(
            f"seen has {coders!r} for document {document!r}: expected a list of coders",
            argument="seen",
        )
    return coders


def rows_of_frame(frame: Any, document: str | None, coder: str) -> Pairs:
    """Give the rows of a frame that has the columns of the units' documents and coders."""
    if document is None:
        raise InputError(
            "seen says who saw which document, and the units have no documents",
            ("pass ", Argument("document"), ", the column of documents in both frames"),
            argument="seen",
        )
    columns = frames.pick(frames.at_hand(frame), document=document, coder=coder)
    names = []
    for what, column in zip(("document", "coder"), columns, strict=True):
        if isinstance(column, frames.Dictionary):
            gone = np.flatnonzero(column.codes < 0)
            if len(gone):
                raise InputError(
                    ("seen: ", Phrase("row", f"row {gone[0]}", int(gone[0])), f" has no {what}"),
                    argument="seen",
                )
            names.append([column.labels[code] for code in column.codes.tolist()])
        else:
            names.append(column.tolist())
    return list(zip(*names, strict=True))


def seen_codes(pairs: Pairs, documents: list[Any], coders: list[Any]) -> Array:
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
