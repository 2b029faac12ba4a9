"""Labels that a user wrote, in an option or beside the judgments, as the values that they mean."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.wording import in_options
from agreement_fast.terminal import show_label, spell_label

if TYPE_CHECKING:
    from numpy.typing import NDArray


def written_labels(
    names: Sequence[str], option: str, arguments: argparse.Namespace, values: NDArray[Any]
) -> list[Any]:
    """Give texts as the kind of value that the labels are.

    Parameters
    ----------
    names : sequence of str
    option : str
        What errors name, such as ``--categories``.
    arguments : Namespace
        Of the command: they say which labels are sets.
    values : ndarray
        The distinct labels that were read.

    Returns
    -------
    list
        One value for each name.
    """
    from agreement_fast.files.tables import is_number

    if values.dtype.kind == "b" and set(names) <= {"true", "false"}:
        return [name == "true" for name in names]
    if values.dtype.kind in "iuf":
        bad = next((name for name in names if not is_number(name)), None)
        if bad is not None:
            some = ", ".join(show_label(value) for value in values[:5].tolist())
            raise UsageError(
                f"{option} names {bad!r}, but the labels are numbers ({some}): pass --text to take"
                " them as text"
            )
        return [int(name) if re.fullmatch(r"[+-]?\d+", name) else float(name) for name in names]
    if arguments.set_separator is not None:
        from agreement_fast.reading.labels import split_set

        with in_options(arguments):
            return [
                frozenset()
                if name == arguments.empty_set
                else split_set(name, arguments.set_separator)
                for name in names
            ]
    # Labels may be of several kinds.
    known = {spell_label(value): value for value in values.tolist()}
    if not any(isinstance(value, frozenset) for value in values.tolist()):
        return [known.get(name, name) for name in names]

    def as_set(name: str) -> Any:
        inner = name[1:-1] if name.startswith("{") and name.endswith("}") else name
        elements = [one.strip() for one in inner.split(",")] if inner else []
        return known.get(f"{{{inner}}}", frozenset(elements))

    return [as_set(name) for name in names]
