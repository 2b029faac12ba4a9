"""Rendering of a page to a single file: templates, style and script inside, everything escaped."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agreement_fast.errors import InputError
from agreement_fast.present import whole_file
from agreement_fast.present.markup import html_of
from agreement_fast.present.sections import Rule, Section
from agreement_fast.reports.words import clean, method

if TYPE_CHECKING:
    import jinja2


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """An HTML page that needs no other file. Notebooks display it.

    Attributes
    ----------
    title : str
        The title of the page.
    html : str
        The content of the file.
    """

    title: str
    html: str

    def __repr__(self) -> str:
        return f"<page {self.title!r}: {len(self.html.encode()) / 1000:,.0f} kB>"

    def save(self, path: str | Path) -> None:
        """Write the page to a file, which replaces an existing one only when it is complete.

        Parameters
        ----------
        path : str or Path
            The file, whose name ends in .html.
        """
        if Path(path).suffix.lower() not in (".html", ".htm"):
            raise InputError(
                f"save writes a page of HTML, and {str(path)!r} does not end in .html",
                "to_dict() has what JSON holds, to_frame() and write_csv() the table",
                argument="path",
            )
        with whole_file(path) as unfinished:
            unfinished.write_text(self.html, encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        """Return the page in a frame, which separates its style from the notebook's."""
        return (
            f'<iframe title="{html.escape(self.title)}" width="100%" height="720"'
            ' sandbox="allow-scripts allow-downloads" style="border:1px solid #8888"'
            f' srcdoc="{html.escape(self.html)}"></iframe>'
        )


#: The most bytes of the JSON document.
DOCUMENT = 100_000


def as_json(value: Any) -> str:
    """Write a value as JSON for a script element.

    "<" becomes \\\\u003c, which ends no element. Halves of surrogate pairs have no UTF-8, and are
    escaped, too.

    Examples
    --------
    >>> as_json({"a": "</script>"})
    '{"a":"\\\\u003c/script>"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub(r"[<\ud800-\udfff]", lambda result: f"\\u{ord(result[0]):04x}", text)


def embedded(
    document: Callable[[], Mapping[str, Any]], at_least: int = 0
) -> tuple[dict[str, Any], str]:
    """Return the JSON document by the name of its element, or its size if it is too large.

    Parameters
    ----------
    document : callable () -> mapping
        Returns the document; not called if it would be too large.
    at_least : int, default 0
        The number of bytes that it is known to have at least.
    """
    if at_least > DOCUMENT:
        return {}, f"more than {at_least // 1000:,}"
    made = document()
    size = len(as_json(made).encode())
    return ({"document": made}, "") if size <= DOCUMENT else ({}, f"{size / 1000:,.0f}")


def check_jinja() -> None:
    """Raise an error if Jinja2 is not installed."""
    try:
        import jinja2  # noqa: F401
    except ModuleNotFoundError:
        raise InputError("a page needs Jinja2", 'pip install "agreement-fast[html]"') from None


def render(template: str, content: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """Render the page.

    Parameters
    ----------
    template : str
        The name of the file in `templates`.
    content : mapping
        The values of the template.
    data : mapping of str to value
        The data of the script, by the id of its element.

    Returns
    -------
    str
        The page, without references to other files. Its content security policy has the hashes of
        its only style and its only script, so nothing else would run even if a label became an
        element.
    """
    from agreement_fast import __version__

    environment = _environment()
    style, script = (_text(name) for name in ("page.css", "page.js"))
    markup: str = environment.get_template(template).render(
        version=__version__,
        **content,
        data={name: safe(as_json(value)) for name, value in data.items()},
        style=safe(style),
        script=safe(script),
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " base-uri 'none'; form-action 'none'",
    )
    return markup


@functools.cache
def _environment() -> jinja2.Environment:
    check_jinja()
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        lstrip_blocks=True,
    )


def _text(name: str) -> str:
    return (files("agreement_fast.reports") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def safe(text: str) -> Any:
    """Mark markup of this package, or JSON for a script element, as safe."""
    from markupsafe import Markup

    return Markup(text)


#: Sections that the page links at its top.
LINKS = 12


def sections_page(
    sections: Sequence[Section],
    document: Mapping[str, Any],
    *,
    title: str,
    command: str | None,
) -> Page:
    """Make the page of sections.

    Parameters
    ----------
    sections : sequence of Section
        The first says what was read. A group begins with a heading of its own.
    document : mapping
        The JSON document of the command, which the page contains.
    title : str
    command : str or None
        What was typed.

    Returns
    -------
    Page
    """
    shown = [section for section in sections if any(section.shown(True))]
    grouped = any(_begins_group(section) for section in shown)
    parts, links = [], []
    times = Counter(section.heading for section in shown)
    for place, section in enumerate(shown):
        level = 3 if grouped and place and not _begins_group(section) else 2
        landmark = times[section.heading] == 1
        parts.append(safe(html_of(section, f"part-{place}", level, landmark)))
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
