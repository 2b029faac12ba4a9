"""Exports of Label Studio, written by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

ANN = {"id": 1, "email": "ann@x.org", "first_name": "", "last_name": ""}


def result(kind: str, name: str, value: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One result of an annotation."""
    return {"type": kind, "from_name": name, "to_name": "text", "value": value, **more}


def choice(*choices: str, name: str = "stance", **more: Any) -> dict[str, Any]:
    return result("choices", name, {"choices": list(choices)}, **more)


def span(start: int, end: int, label: str, text: str = "", **more: Any) -> dict[str, Any]:
    value: dict[str, Any] = {"start": start, "end": end, "labels": [label]}
    return result("labels", "ner", value | ({"text": text} if text else {}), **more)


def annotation(coder: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"completed_by": coder, "result": list(results), "was_cancelled": False, **more}


def task(number: int, *annotations: dict[str, Any], text: str = "some text", **more: Any) -> Any:
    return {"id": number, "data": {"text": text}, "annotations": list(annotations), **more}


def written(path: Path, *tasks: Any) -> Path:
    path.write_text(json.dumps(list(tasks)), encoding="utf-8")
    return path


EVERYTHING = task(
    7,
    annotation(
        ANN,
        choice("pro"),
        result("taxonomy", "topic", {"taxonomy": [["art"], ["art", "film"]]}),
        result("rating", "stars", {"rating": 4}),
        result("number", "count", {"number": 2.5}),
        result("pairwise", "better", {"selected": "left"}),
        result("datetime", "when", {"datetime": "2024-01-02"}),
        result("textarea", "why", {"text": ["because"]}),
        result("brushlabels", "brush", {"rle": [1], "format": "rle", "brushlabels": ["x"]}),
        result("keypointlabels", "point", {"x": 1, "y": 2, "keypointlabels": ["x"]}),
        result("magic", "wand", {"magic": 1}),
        {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right"},
        result("rectanglelabels", "box", {"x": 1, "y": 2, "rectanglelabels": ["car"]}),
        result("rectanglelabels", "box", {"x": 5, "y": 2, "rectanglelabels": ["car"]}),
        span(0, 4, "N"),
    ),
    annotation({"id": 2, "email": ""}),
)


def row(number: int, coder: Any, created: str = "2024-01-01", **controls: Any) -> dict[str, Any]:
    """A record as JSON-MIN has it: data, the id, controls, who and when."""
    return {
        "text": f"text {number}",
        "meta": {"number": number},
        "id": number,
        **controls,
        "annotator": coder,
        "annotation_id": 10 * number + len(str(coder)),
        "created_at": created,
        "updated_at": created,
        "lead_time": 1.5,
    }


ROWS = [
    row(1, "b@x", stance="pro", topics={"choices": ["a", "b"]}, stars=[{"rating": 4}]),
    row(1, "an@x", stance="con", topics="a", stars=[{"rating": 5}]),
    row(2, "b@x", stance="pro", topics="b", tree=[{"taxonomy": [["r", "s"]]}]),
    row(2, "an@x", "2024-01-02", stance="pro", ner=[{"start": 0, "end": 4, "labels": ["N"]}]),
    row(2, "an@x", "2023-01-02", stance="old", why={"text": ["x", "y"]}),
]


def as_csv(rows: list[dict[str, Any]], delimiter: str = ",") -> str:
    """Write records as the tool does: columns sorted, texts bare, all else JSON."""
    names = sorted({name for row in rows for name in row})
    file = io.StringIO()
    writer = csv.DictWriter(file, names, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    for one in rows:
        writer.writerow(
            {
                name: json.dumps(value) if isinstance(value, list | dict) else value
                for name, value in one.items()
            }
        )
    return file.getvalue()
