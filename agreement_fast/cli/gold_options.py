"""The options that name the right labels of items."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.options import declare
from agreement_fast.terminal import some_of, spell_label


def find_coders(coders: Sequence[Any], requested: Sequence[str], option: str) -> list[Any]:
    """Return the coders with these names, in the order of `requested`."""
    known = {spell_label(coder): coder for coder in coders}
    for name in requested:
        if name not in known:
            some = some_of(sorted(known), 12)
            raise UsageError(f"{option}: no coder {name!r}; the coders are {some}")
    return [known[name] for name in requested]


GOLD = {
    "--gold COLUMN": "the column of right labels: the same label in all rows of an item, empty if"
    " it is not known",
    "--gold-file FILE": "a table of right labels, one row per item; --gold then names its column",
}


def add_gold(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the right labels of items."""
    declare(parser, "gold labels", GOLD)


def check_gold(arguments: argparse.Namespace) -> None:
    """Refuse a gold column that another option names, too."""
    for column in gold_columns(arguments):
        for role in ("item", "coder", "label", "weights", "by"):
            given = vars(arguments)[role]
            if column in (given if isinstance(given, list) else [given]):
                raise UsageError(f"--gold and --{role} name the same column {column!r}")


def wants_gold(arguments: argparse.Namespace) -> bool:
    """Return whether the options ask for right labels."""
    return bool(gold_columns(arguments) or vars(arguments).get("gold_file"))


def gold_columns(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the column of right labels, which is not a coder; empty if there is none."""
    given = vars(arguments)
    if given.get("gold") is None or given["gold_file"] is not None:
        return ()
    column: str = given["gold"]
    return (column,)
