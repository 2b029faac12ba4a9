"""Rendering of a page to a single file: templates, style and script inside, everything escaped."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agreement_fast.errors import InputError
from agreement_fast.present import whole_file
from agreement_fast.present.markup import clean, html_of
from agreement_fast.present.sections import Rule, Section

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


#: The most bytes of a page, of its JSON document, and of what it has beside sections.
MOST = 400_000
DOCUMENT = 100_000
ROOM = 180_000

#: The most files that are named, and the most sections that the page links at its top.
FILES = 12
LINKS = 12


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


@dataclass(frozen=True)
class Beside:
    """What a page has beside the sections of a text.

    Attributes
    ----------
    title : str
        The title of the page; by default, that of the command.
    sections : sequence of Section
        Further sections.
    template : str
        The template of a further part.
    link : (id, name)
        The id of that part on the page, and its heading.
    fitted : callable (int) -> (mapping, mapping)
        Gives the values of the template and the data of the script, which are to have at most this
        number of bytes.
    """

    template: str
    link: tuple[str, str]
    fitted: Callable[[int], tuple[Mapping[str, Any], Mapping[str, Any]]]
    title: str = ""
    sections: Sequence[Section] = ()


def sections_page(
    sections: Iterable[Section],
    document: Mapping[str, Any],
    *,
    title: str,
    command: str | None = None,
    beside: Beside | None = None,
) -> Page:
    """Make the page of sections.

    Parameters
    ----------
    sections : iterable of Section
        A group begins with a heading of its own.
    document : mapping
        The JSON document, which the page contains; it may be empty.
    title : str
    command : str, optional
        What was typed.
    beside : Beside, optional

    Returns
    -------
    Page
        A page of at most 400 kB.
    """
    check_jinja()
    every = [*sections, *(beside.sections if beside else ())]
    shown = [section for section in every if any(section.shown(True))]
    grouped = any(_begins_group(section) for section in shown)
    parts, links = [], []
    names = [section.heading.partition(":")[0] for section in shown]
    words = ["-".join(re.findall("[a-z]+", name.lower())) for name in names]
    headings = [section.heading for section in shown]
    for place, section in enumerate(shown):
        level = 3 if grouped and place and not _begins_group(section) else 2
        landmark = headings.count(section.heading) == 1
        alone = words[place] and words.count(words[place]) == 1
        identity = f"part-{words[place] if alone else place}"
        parts.append(safe(html_of(section, identity, level, landmark)))
        if level == 2:
            name = section.heading if grouped else names[place]
            links.append((identity, clean(name), bool(section.shown(False))))
    # Of many sections, those of the answer
    kept = [link for link in links if len(links) <= LINKS or link[2]]
    size = len(as_json(document).encode())
    inside = {"document": document} if document and size <= DOCUMENT else {}
    content: dict[str, Any] = {
        "title": clean(beside.title if beside and beside.title else title),
        "parts": parts,
        "links": [
            *(link[:2] for link in kept[:LINKS]),
            *([beside.link] if beside else []),
            ("method", "How it was computed"),
        ],
        "beside": beside and beside.template,
        "method": {
            "command": command and clean(command),
            "facts": _facts(document),
            "inside": bool(inside),
            "size": f"{size / 1000:,.0f}" if document else "",
        },
    }
    room = ROOM
    while True:
        values, data = beside.fitted(room) if beside else ({}, {})
        whole = render("sections.html", {**content, **values}, {**inside, **data})
        over = len(whole.encode()) - MOST
        if over <= 0 or not room:
            return Page(content["title"], whole)
        room = max(room - max(over, room // 8), 0)


def _begins_group(section: Section) -> bool:
    return any(isinstance(block, Rule) for block in section.shown(True))


def _facts(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what computed a document, and from what, as terms and texts."""
    if not document.get("computed"):
        return []
    computed = document["computed"]
    sources = document.get("sources") or [document["source"]]
    files = [file for source in sources for file in source["files"]][:FILES]
    facts = {
        "call with all columns": clean(computed["call"] or ""),
        "seed": "" if computed["rng"] is None else str(computed["rng"]),
        "computed by": ", ".join(f"{name} {of}" for name, of in computed["versions"].items()),
        **{f"SHA-256 of {clean(file['name'])}": file.get("sha256") or "" for file in files},
    }
    return [(term, text) for term, text in facts.items() if text]
