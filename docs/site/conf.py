"""Sphinx's settings; `pages.py` writes the pages that it reads."""

import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import api  # noqa: E402

import agreement_fast  # noqa: E402

project = "agreement_fast"
version = release = agreement_fast.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "sphinx_copybutton"]
# GitHub draws diagrams; the site, which loads nothing from elsewhere, shows their text.
lexers["mermaid"] = TextLexer()
# What is copied has neither prompts nor what a program printed.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["as_they_are", "files"]
nitpicky = False

# Markdown as GitHub reads it: the same anchors, and quotes as they are typed.
smartquotes = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 6

# The reference: one page for each name, with the signature as it is written.
default_role = "py:obj"
add_module_names = False
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False

# Nothing is loaded from elsewhere: the theme brings its fonts and scripts, the search is local.
html_theme = "pydata_sphinx_theme"
html_title = "agreement_fast"
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["../../build/pages/as_they_are"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "api/*/*": ["room.html"]}
templates_path = ["templates"]
html_theme_options = {
    "header_links_before_dropdown": 9,
    "navbar_align": "left",
    "navigation_depth": 2,
    "show_toc_level": 2,
    "show_nav_level": 1,
    "collapse_navigation": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
copyright = "the authors of agreement_fast"

_NAMES: dict[str, list[str]] = {}
_HOMES = api.homes()
for _full, _home in _HOMES.items():
    if _home == _full:
        _NAMES.setdefault(_full.rpartition(".")[2], []).append(_full)


def find_name(app: Any, env: Any, node: Any, content: nodes.Element) -> nodes.Element | None:
    """Lead a name in a docstring to its page, from its room or from the only one that has it."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"].removeprefix("af.")
    target = target.removeprefix("agreement_fast.")
    full = f"agreement_fast.{target}"
    last = target.rpartition(".")[2]  # a result is written with the room that returns it
    names = _NAMES.get(target, []) or (_NAMES.get(last, []) if last[:1].isupper() else [])
    places = [_HOMES.get(full, full), *one(names)]
    domain = env.get_domain("py")
    for place in places:
        if place in domain.objects:
            entry = domain.objects[place]
            uri = app.builder.get_relative_uri(node["refdoc"], entry.docname)
            return nodes.reference("", "", content, refuri=f"{uri}#{entry.node_id}", internal=True)
    return None


def one(places: list[str]) -> list[str]:
    """The only place, if there is one."""
    return places if len(places) == 1 else []


def check_names(app: Any, env: Any) -> None:
    """Refuse a site without one of the public names."""
    from sphinx.util import logging

    there = env.get_domain("py").objects
    for name, home in _HOMES.items():
        if home not in there:
            logging.getLogger(__name__).warning("the reference has no %s", name)


def escape(app: Any, what: str, name: str, item: Any, options: Any, lines: list[str]) -> None:
    """Let a docstring say |a − b| without being RST; numpydoc reads it afterwards."""
    lines[:] = api.escaped(lines)


_ROOMS = {
    room.__name__: [
        (name, f"api/{room.__name__}/{api.file_of(name)}") for name in api.names_with_pages(room)
    ]
    for room in api.rooms()
}


def list_room(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Give the page of a name what `templates/room.html` lists."""
    match page.split("/"):
        case ["api", room, _]:
            context |= {"room": room, "room_page": f"api/{room}/index", "room_names": _ROOMS[room]}


def setup(app: Any) -> None:
    """Join what is above to Sphinx."""
    app.connect("missing-reference", find_name)
    app.connect("autodoc-process-docstring", escape, priority=400)
    app.connect("html-page-context", list_room)
    app.connect("env-check-consistency", check_names)
