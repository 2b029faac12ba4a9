"""The page of any command: its sections, and how they were computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agreement_fast.present.markup import html_of
from agreement_fast.present.sections import Rule, Section
from agreement_fast.reports.rendering import Page, embedded, render, safe
from agreement_fast.reports.words import clean, method

#: Sections that the page links at its top.
LINKS = 12


def sections_page(
    sections: Sequence[Section],
    document: Mapping[str, Any],
    *,
    title: str,
    command: str,
) -> Page:
    """Make the page of sections.

    Parameters
    ----------
    sections : sequence of Section
        The first says what was read. A group begins with a heading of its own.
    document : mapping
        The JSON document of the command, which the page contains.
    title : str
    command : str
        What was typed.

    Returns
    -------
    Page
    """
    shown = [section for section in sections if any(section.shown(True))]
    grouped = any(_begins_group(section) for section in shown)
    parts, links = [], []
    for place, section in enumerate(shown):
        level = 3 if grouped and place and not _begins_group(section) else 2
        parts.append(safe(html_of(section, f"part-{place}", level)))
        links += [(f"part-{place}", clean(section.heading))] if level == 2 else []
    inside = embedded(lambda: document)
    sources = document.get("sources") or [document["source"]]
    source = {**sources[0], "computed": document["computed"]}
    source["files"] = [file for source in sources for file in source["files"]]
    content: dict[str, Any] = {
        "title": clean(title),
        "parts": parts,
        "links": links[:LINKS],
        "method": method(source, command, inside),
    }
    return Page(content["title"], render("sections.html", content, inside[0]))


def _begins_group(section: Section) -> bool:
    return any(isinstance(block, Rule) for block in section.shown(True))
