"""doccano: an archive with one file per member of a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.csv_stream import csv_rows
from agreement_fast.exports.found import Found
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.look import LOOKED_AT, Look, look_at
from agreement_fast.exports.records import Place, expect
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.doccano.examples import LISTS, SOURCES, Examples
from agreement_fast.files.errors import ReadError
from agreement_fast.recognition.recognise import names_a

__all__ = ["Doccano"]

_COLUMNS = ("id", "text", "label")
_SUFFIXES = (".jsonl", ".json", ".csv")

#: The file of a project that its members share.
_ALL = "all"

#: Keys of other tools that also have texts and lists.
_NOT_DOCCANO = frozenset({"_input_hash", "_task_hash", "annotation_id", "annotations"})


class Doccano(Tool):
    """Reads archives and folders of doccano."""

    name = "doccano"
    title = "doccano"
    options = ("coder_from", "item_from", "count_empty")

    def recognise(self, bundle: Bundle) -> bool:
        """Whether all files have texts with lists of labels, but no coders."""
        files = bundle.ending(*_SUFFIXES) or bundle.members
        looks = [look_at(member) for member in files[:LOOKED_AT]]
        # A member who confirmed nothing has an empty file, or a table without columns.
        some = [look for look in looks if look.text.strip('" \r\n')]
        # In an archive or a folder, the files are the coders. A single table may be anything.
        bare = len(bundle.paths) == 1 and len(files) > 1
        return bool(some) and all(
            _is_json(look) or _is_csv(look) or (bare and _is_bare_csv(look)) for look in some
        )

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read the labels of each member's file."""
        files = bundle.ending(*_SUFFIXES) or bundle.members
        _check_coders(bundle, files, options)
        examples = Examples(found, options)
        nothing = 0
        for member in files:
            coder = part_of_path(member, options.coder_from or "file", "--coder-from")
            with Place(member.shown) as place:
                for place.number, record in enumerate(_records(member, options.encoding), 1):
                    examples.take(expect(record, "an example", dict), coder, place)
            nothing += not place.number
        if nothing:
            found.note(f"{nothing:,} of {len(files):,} files hold no example")
        examples.finish()


def _is_json(look: Look) -> bool:
    record = look.record
    return (
        any(isinstance(record.get(key), str) for key in SOURCES)
        and any(isinstance(record.get(key), list) for key in LISTS)
        and _NOT_DOCCANO.isdisjoint(record)
        and not any(names_a("coder", name) for name in record)
    )


def _is_csv(look: Look) -> bool:
    return look.has("id", "text", "label", "Comments") and not any(
        names_a("coder", name) for name in look.columns
    )


def _is_bare_csv(look: Look) -> bool:
    return look.columns == _COLUMNS


def _check_coders(bundle: Bundle, files: tuple[Member, ...], options: Options) -> None:
    """Raise an error for files that do not name their coder."""
    stems = [member.stem for member in files]
    if _ALL in stems and options.coder_from in (None, "file"):
        raise ReadError(
            f"{files[stems.index(_ALL)].shown} is the export of a project that its members share,"
            " and does not say who gave a label: give each coder a separate project, rename the"
            " files after the coders, and name them all"
        )
    if len(files) < 2:
        raise ReadError(
            f"{bundle.shown} is the file of one member and does not say whose labels it holds:"
            " name the archive of the export, or the files of all coders"
        )


def _records(member: Member, encoding: str | None) -> Iterator[Any]:
    """Yield the examples of a file; cells of a CSV are converted to the values of JSON."""
    text = look_at(member).text
    if text[:1] in ("", "{", "["):
        yield from json_values(member, encoding)
    elif text.strip('" \r\n'):
        for row in csv_rows(member, _COLUMNS, encoding):
            yield _example(row)


def _example(row: Mapping[str, str]) -> dict[str, Any]:
    # pandas writes whole numbers with a fraction if some are missing.
    number = row["id"].removesuffix(".0")
    listed = {
        key: row[key].split("#") if row[key] else [] for key in ("label", "Comments") if key in row
    }
    return {**row, **listed, "id": int(number) if number.isdecimal() else row["id"]}
