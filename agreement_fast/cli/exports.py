"""From the options of a command to the export of an annotation tool."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.options import listed
from agreement_fast.cli.repeats import makes_sets
from agreement_fast.cli.wording import UsageError

if TYPE_CHECKING:
    from agreement_fast.files import Workplace
    from agreement_fast.files.exports.export import Export
    from agreement_fast.files.stream import Progress


#: Options that mean something for tables only.
FOR_TABLES = (
    "item",
    "coder",
    "label",
    "start",
    "end",
    "category",
    "document",
    "layout",
    "weights",
    "by",
    "where",
    "exclude",
    "skip_rows",
    "no_header",
    "delimiter",
    "text",
    "sheet",
    "value_codes",
    "set_separator",
    "empty_set",
    "cluster",
    "show",
)

#: Options that mean something for exports only.
FOR_EXPORTS = (
    "question",
    "spans",
    "document_from",
    "item_from",
    "with_predictions",
    "with_curation",
    "with_unfinished",
    "count_skips",
    "count_empty",
)


def open_export(
    arguments: argparse.Namespace,
    workplace: Workplace,
    *,
    named: bool,
    progress: Progress | None = None,
) -> Export | None:
    """Read the files of a command if they are an export; None for tables.

    `named` says that the user named all columns.
    """
    from agreement_fast.files.exports.reading import find_export
    from agreement_fast.files.exports.tool import Options
    from agreement_fast.files.stream import quietly

    given = vars(arguments)
    if given["format"] == "json":
        raise UsageError(
            "write --json for a JSON document; --format says which tool wrote the files"
        )
    named_alike = {field.name for field in fields(Options)} - {"keep_texts", "resolution"}
    options = Options(
        keep_texts=given.get("texts", False) or _page_has_texts(given),
        resolution=given.get("resolution"),
        **{name: given[name] for name in named_alike},
    )
    export = find_export(
        workplace,
        given["files"],
        options,
        format=given["format"],
        spans=given.get("spans"),
        named=named,
        some_named=any(given.get(name) for name in ("item", "coder", "label", "layout")),
        progress=progress or quietly,
    )
    for name in FOR_EXPORTS if export is None else FOR_TABLES:
        if export is None and name == "count_empty" and given[name] and "duplicates" in given:
            if not makes_sets(arguments):
                raise UsageError(
                    "--count-empty takes an item without a label of a coder for the empty set: pass"
                    " --duplicates set if each code has a row of its own, or --set-separator if a"
                    " label holds several"
                )
        elif given.get(name):
            option = f"--{name.replace('_', '-')}"
            if export is None:
                raise UsageError(
                    f"{option} is for exports of annotation tools, and the file is none that is"
                    " recognised: --format says whose it is"
                )
            as_table = ": --format table reads it as a table" if export.tool.columns else ""
            if name == "show":
                as_table = ", which has its texts: leave it out"
            raise UsageError(
                f"{option} is for tables, and this is an export of {export.tool.title}{as_table}"
            )
    return export


def _page_has_texts(given: Mapping[str, Any]) -> bool:
    """Say whether a page is written that shows the texts of items."""
    return bool(given.get("html")) and given.get("no_text") is False


def requested_coders(arguments: argparse.Namespace) -> list[str] | None:
    """Give the coders to compare; None for all of them."""
    if arguments.only_coder is None:
        return None
    return listed([arguments.only_coder], "--only-coder")
