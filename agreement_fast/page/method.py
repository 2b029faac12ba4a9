"""The last section: how the results were computed, and the JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agreement_fast.page.words import clean, count
from agreement_fast.report import Report

if TYPE_CHECKING:
    from agreement_fast.report.intervals import Interval


#: The text for each choice of `incomplete`.
INCOMPLETE = {
    "published": "as defined by the authors of each coefficient",
    "pairable": "only items with two judgments or more",
    "complete": "only items that every coder judged",
}

#: The most files that are named.
FILES = 12


def method(report: Report, source: Mapping[str, Any], command: str | None) -> dict[str, Any]:
    """Return the values of the template `method.html`."""
    facts: list[tuple[str, str]] = []
    if source:
        facts += source_facts(source)
    if report.n_duplicates_dropped:
        made = "became sets with others" if report.n_duplicates_united else "left out"
        facts.append(("repeated judgments", f"{count(report.n_duplicates_dropped)} {made}"))
    if report.n_duplicates_tied:
        facts.append(("ties", f"{count(report.n_duplicates_tied)} judgments became missing"))
    if report.n_items_judged_once:
        facts.append(("judged once", f"{count(report.n_items_judged_once)} items left out"))
    facts.append(("incomplete items", INCOMPLETE[report.incomplete]))
    facts.append(("categories", "declared" if report.declared else "those that occur"))
    if report.intervals:
        facts.append(("intervals", _intervals(report)))
    return {
        "command": None if command is None else clean(command),
        "facts": facts,
        "notes": [clean(note) for note in source.get("notes", ())],
    }


def source_facts(source: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return which files were read and how, as terms and texts."""
    names = [clean(file["name"]) for file in source["files"]]
    more = f" and {count(len(names) - FILES)} more" if len(names) > FILES else ""
    found = [("files", ", ".join(names[:FILES]) + more), ("layout", source["layout"])]
    columns = source.get("columns") or {}
    roles = [
        f"{role}: {clean(', '.join(name) if isinstance(name, list) else name)}"
        for role, name in columns.items()
        if name
    ]
    if roles:
        found.append(("columns", "; ".join(roles)))
    if source.get("question"):
        found.append(("question", clean(source["question"])))
    if source.get("guessed"):
        found.append(("guessed from names", ", ".join(source["guessed"])))
    if source.get("where"):
        found.append(("only rows where", clean(source["where"])))
    found.append(("rows", count(source["rows"])))
    return found


def _intervals(report: Report) -> str:
    assert report.intervals
    return "; ".join(dict.fromkeys(_interval(report, found) for found in report.intervals))


def _interval(report: Report, found: Interval) -> str:
    items = "items"
    if report.n_clusters is not None:
        items = f"{count(report.n_clusters)} clusters of items"
    if found.method == "delta":
        return f"from the standard error (delta method over {items}, on Fisher's scale)"
    drawn = getattr(found, "resample", "items")
    drawn = {"both": "items and coders", "pairs": "pairs of judgments"}.get(drawn, drawn)
    drawn = drawn.replace("items", items)
    n = getattr(found, "n_resamples", 0)
    return f"{found.method} bootstrap, {count(n)} resamples of {drawn}"
