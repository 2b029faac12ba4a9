"""Rendering of a page to a single file: templates, style and script inside, everything escaped."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from agreement_fast.errors import InputError
from agreement_fast.page.embedding import as_json

if TYPE_CHECKING:
    import jinja2


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
        data={name: _safe(as_json(value)) for name, value in data.items()},
        style=_safe(style),
        script=_safe(script),
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
    return (files("agreement_fast.page") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _safe(text: str) -> Any:
    """Mark a text of this package, or JSON for a script element, as safe."""
    from markupsafe import Markup

    return Markup(text)
