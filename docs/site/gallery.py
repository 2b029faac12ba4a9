"""The gallery: every example of `docs/gallery/` runs, and its picture leads to its code.

An example starts with a docstring, its title and what to see. What it calls `ax` in the end is
drawn; what it calls `page` is a page of HTML, which the site carries along.
"""

import ast
import contextlib
import html
import tempfile
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

from agreement_fast import plots
from agreement_fast.reports.rendering import Page

#: Inches to points; sharp on screens of two pixels a point.
DOTS = 160


def write(examples: Path, folder: Path, as_they_are: Path) -> None:
    """Run the examples and write their pictures, and the page of all of them.

    Pages of HTML go to a folder whose files the site holds as they are.
    """
    (folder / "pictures").mkdir(parents=True)
    as_they_are.mkdir(parents=True)
    cards = []
    names = sorted(example.stem for example in examples.glob("*.py"))
    absent = {*plots.__all__} - {*names}
    if absent:
        raise SystemExit(f"docs/gallery has no example of plots.{', plots.'.join(sorted(absent))}")
    for name in names:
        source = (examples / f"{name}.py").read_text(encoding="utf-8")
        said, code = parts(source)
        title, _, text = said.partition("\n\n")
        scope = run(name, source)
        shown = [f"# {title}", "", text, ""]
        if isinstance(scope.get("page"), Page):
            scope["page"].save(as_they_are / f"{name}.html")
            shown += [
                raw(f"{frame(name, title)}<p><a href='shown/{name}.html'>Open the page</a></p>")
            ]
            cards += [card(name, title, miniature(name))]
        else:
            figure = scope["ax"].figure
            figure.savefig(folder / "pictures" / f"{name}.png", dpi=DOTS, bbox_inches="tight")
            shown += [f"![{title}](pictures/{name}.png)"]
            cards += [card(name, title, f"[![](pictures/{name}.png)]({name}.md)")]
        shown += ["", "```python", code, "```", ""]
        if name in plots.__all__:
            shown += [f"Reference: {{py:func}}`agreement_fast.plots.{name}`", ""]
        (folder / f"{name}.md").write_text("\n".join(shown), encoding="utf-8")
    toctree = ["```{toctree}", ":hidden:", "", *names, "```", ""]
    index = ["# Gallery", "", "A picture leads to the code that draws it.", ""]
    index += [":::::{container} gallery", *cards, ":::::", "", *toctree]
    (folder / "index.md").write_text("\n".join(index), encoding="utf-8")


def parts(source: str) -> tuple[str, str]:
    """The docstring of an example, and its code below."""
    tree = ast.parse(source)
    said = ast.get_docstring(tree)
    if said is None:
        raise SystemExit("an example of the gallery starts with a docstring")
    end = tree.body[0].end_lineno
    return said, "\n".join(source.splitlines()[end:]).strip()


def run(name: str, source: str) -> dict[str, Any]:
    """Run an example in a folder of its own, and hand over its names."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        exec(compile(source, f"docs/gallery/{name}.py", "exec"), scope)
    return scope


def card(name: str, title: str, picture: str) -> str:
    """A picture above its title, both links."""
    return f"::::{{container}} card\n{picture}\n\n[{title}]({name}.md)\n::::"


def frame(name: str, title: str) -> str:
    """The page itself."""
    return f'<iframe class="page" src="shown/{name}.html" title="{html.escape(title)}"></iframe>'


def miniature(name: str) -> str:
    """The page itself, small; the pointer goes through to the link."""
    return raw(
        f'<a class="miniature" href="{name}.html" tabindex="-1" aria-hidden="true">'
        f'<iframe src="shown/{name}.html" tabindex="-1" loading="lazy"></iframe></a>'
    )


def raw(text: str) -> str:
    """HTML as it is."""
    return f"```{{raw}} html\n{text}\n```"
