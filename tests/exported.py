"""What a test reads from an export: the tool that was recognised, and judgments by hand."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import Export, find_tool, read_export
from agreement_fast.files.exports.tool import Options
from agreement_fast.files.tables import LongTable


def read(*paths: Path, format: str | None = None, spans: str | None = None, **said: Any) -> Export:
    """Recognise an export, unless `format` names its tool, and read it."""
    bundle = Bundle.of([str(path) for path in paths])
    tool = find_tool(bundle, format)
    assert tool is not None, "this is not recognised as an export"
    return read_export(tool, bundle, Options(**said), spans=spans)


def judgments(table: LongTable) -> dict[tuple[Any, Any], Any]:
    """Give each judgment by its item and coder; a missing one is None, a repeated one an error."""
    result: dict[tuple[Any, Any], Any] = {}
    for item, coder, label in zip(
        table.items.decode(), table.coders.decode(), table.labels.decode(), strict=True
    ):
        assert (item, coder) not in result, f"{coder} judged {item} twice"
        result[item, coder] = label
    return result


def units(export: Export, question: str | None = None) -> list[tuple[Any, ...]]:
    """Give the units as sorted (document, coder, start, end, category)."""
    result = export.units(question)
    columns = (result.documents, result.coders, result.starts, result.ends, result.categories)
    return sorted(zip(*columns, strict=True))


def write_lines(path: Path, records: Sequence[Any]) -> Path:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_zip(path: Path, members: Mapping[str, str | bytes]) -> Path:
    """Write an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path
