"""Who saw which document: what arguments called `seen` say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase
from agreement_fast.reading import frames
from agreement_fast.reading.labels import as_python

__all__ = ["name_of", "read_seen"]

Pairs = list[tuple[Any, Any]]


def read_seen(
    given: Any, what: str = "document", *, or_all: bool = False
) -> tuple[list[Any], Pairs]:
    """Give what is named, and the pairs of a document, say, and a coder who saw it.

    Parameters
    ----------
    given : mapping document -> coders, rows (document, coder), or data frame of two such columns
    what : str
        What coders saw.
    or_all : bool
        Whether the argument may also be 'all', which its error says.
    """
    if isinstance(given, Mapping):
        pairs = [
            (_name(one, what), _name(who, "coder"))
            for one, coders in given.items()
            for who in _several(coders, what, one)
        ]
        return [_name(one, what) for one in given], pairs
    if frames.is_frame(given) or frames.is_lazy(given):
        picked = frames.in_roles(given, (what, "coder"), "seen")
        given = zip(*map(frames.listed, picked), strict=True)
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputTypeError.must_be(
            "seen",
            ("'all', " if or_all else "")
            + f"a mapping from {what}s to coders, or rows ({what}, coder)",
            given,
        )
    pairs = []
    for place, row in enumerate(given):
        pair = () if isinstance(row, (str, bytes)) or not isinstance(row, Iterable) else tuple(row)
        if len(pair) != 2:
            raise InputError(
                (Argument("seen"), " has ", Phrase("row", f"row {place}", place), f" {row!r}"),
                f"a row is ({what}, coder)",
                argument="seen",
            )
        row_place = Phrase("row", f"row {place}", place)
        pairs.append((_name(pair[0], what, row_place), _name(pair[1], "coder", row_place)))
    return list(dict.fromkeys(one for one, _ in pairs)), pairs


def name_of(value: Any, what: str, argument: str, where: Phrase | str = "") -> Any:
    """A name as Python's object; refuse what is missing or cannot be a name."""
    try:
        hash(value)
        missing = value is None or bool(value != value)
    except TypeError:  # not hashable, or pandas' NA
        missing = type(value).__name__ == "NAType"
        if not missing:
            raise InputTypeError(
                (Argument(argument), f" has the {what} {value!r}, which is not hashable"),
                "pass a text or a number",
                argument=argument,
            ) from None
    if missing:
        raise InputError(
            (Argument(argument), ": ", where or "an entry", f" has no {what} ({value!r})"),
            "leave it out, or give it a name",
            argument=argument,
        )
    return as_python(value)


def _name(value: Any, what: str, where: Phrase | str = "") -> Any:
    return name_of(value, what, "seen", where)


def _several(coders: Any, what: str, one: Any) -> Iterable[Any]:
    if isinstance(coders, (str, bytes)) or not isinstance(coders, Iterable):
        raise InputTypeError(
            (Argument("seen"), f" has {coders!r} for {what} {one!r}: expected a list of coders"),
            argument="seen",
        )
    return coders
