"""Sections as Markdown, LaTeX and HTML, to paste into a document.

Cells keep the digits that a terminal shows. Labels are data: what a form takes for a command is
escaped.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from agreement_fast.present.sections import (
    Bar,
    Estimate,
    Plain,
    Rows,
    Rule,
    Section,
    Terms,
    Verbatim,
)
from agreement_fast.present.terminal import escape, show_cell, show_level


class Grid(NamedTuple):
    """A table whose cells are texts."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | Bar]]
    sides: str
    others: str = ""


def grid_of(block: Plain, full: bool = True) -> Grid | None:
    """Return the table that a block is; None if it is none."""
    if isinstance(block, Rows):
        cells, _, others = block.shown(full)
        return Grid(block.head, cells, block.aligned(), others)
    if isinstance(block, Estimate):
        values = [show_cell(entry) for entry in (block.value, block.low, block.high)]
        level = f"{show_level(block.confidence_level)} from"
        return Grid(("", "value", level, "to"), [[block.name, *values]], "<>>>")
    if isinstance(block, Terms) and block.head is not None:
        return Grid(block.head, [(term, "; ".join(text)) for term, text in block.texts()], "><")
    return None


def tables(sections: Iterable[Section], form: str, full: bool = True) -> str:
    """Write the tables of sections, each below the heading of its section.

    Parameters
    ----------
    sections : iterable of Section
        A group is named above the tables of its sections.
    form : {"markdown", "latex"}
    full : bool, default True
        Whether to write the tables of the whole text or those of an answer.

    Returns
    -------
    str
        The tables; of sections without one, all that they say.

    Examples
    --------
    >>> table = Rows(("coder", "value"), [("A_1", -0.5)])
    >>> print(tables([Section("Coders", [table])], "markdown"), end="")
    Coders
    <BLANKLINE>
    | coder | value |
    | :--- | ---: |
    | A\\_1 | -0.5000 |
    >>> print(tables([Section("Coders", [table])], "latex"), end="")
    \\begin{table}
    \\caption{Coders}
    \\begin{tabular}{lr}
    \\hline
    coder & value \\\\
    \\hline
    A\\_1 & $-$0.5000 \\\\
    \\hline
    \\end{tabular}
    \\end{table}
    """
    parts, group = [], ""
    for section in sections:
        blocks = list(section.shown(full))
        if any(isinstance(block, Rule) for block in blocks):
            group = f"{section.heading}. "
        for grid in filter(None, (grid_of(block, full) for block in blocks)):
            # Pasted tables cannot show bars.
            columns = zip(*grid.rows, strict=True) if grid.rows else [()] * len(grid.head)
            kept = [not any(isinstance(cell, Bar) for cell in column) for column in columns]
            rows = [list(compress(row, kept)) for row in grid.rows]
            head, sides = compress(grid.head, kept), "".join(compress(grid.sides, kept))
            caption = group + section.heading
            parts.append(FORMS[form](caption, Grid(list(head), rows, sides, grid.others)))
    return "\n".join(parts)


def _markdown(caption: str, grid: Grid) -> str:
    bars = [":---" if side == "<" else "---:" for side in grid.sides]
    lines = [*([list(grid.head), bars]), *grid.rows]
    rows = [
        f"| {' | '.join(cells if cells is bars else (_in_markdown(str(cell)) for cell in cells))} |"
        for cells in lines
    ]
    more = ["", _in_markdown(grid.others)] if grid.others else []
    return "\n".join([_in_markdown(caption), "", *rows, *more, ""])


def _in_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", escape(text))


_NAMES = ["alpha", "beta", "gamma", "kappa", "pi", "chi", "sigma", "pm", "le", "ge", "surd"]
_LATEX = {
    **{entry: f"\\{entry}" for entry in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "²": r"\textsuperscript{2}",
    "…": r"\ldots{}",
    **{entry: f"$\\{name}$" for entry, name in zip("αβγκπχσ±≤≥√", _NAMES, strict=True)},
}


def _in_latex(text: str) -> str:
    escaped = "".join(_LATEX.get(entry, entry) for entry in escape(text))
    return re.sub(r"^-(?=\d)", "$-$", escaped)


def _latex(caption: str, grid: Grid) -> str:
    columns = "".join("l" if side == "<" else "r" for side in grid.sides)
    rows = [
        " & ".join(_in_latex(str(cell)) for cell in cells) + r" \\"
        for cells in (grid.head, *grid.rows)
    ]
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_in_latex(caption)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\hline",
            rows[0],
            r"\hline",
            *rows[1:],
            r"\hline",
            r"\end{tabular}",
            *([rf"\\{_in_latex(grid.others)}"] if grid.others else []),
            r"\end{table}",
            "",
        ]
    )


#: The forms of tables that are pasted.
FORMS: dict[str, Callable[[str, Grid], str]] = {"markdown": _markdown, "latex": _latex}


# ---------------------------------------------------------------------------------------------
# HTML


def html_of(section: Section, identity: str, level: int = 2, landmark: bool = True) -> str:
    """Write a section of a page, whole; a landmark has a heading that no other section has.

    Examples
    --------
    >>> print(html_of(Section("Of <a>", ["One & all."]), "s1"))
    <section id="s1" aria-labelledby="s1-head">
    <h2 id="s1-head">Of &lt;a&gt;</h2>
    <p>One &amp; all.</p>
    </section>
    """
    head = _in_html(section.heading)
    parts = [_block(block, head) for block in section.shown(True)]
    named = f' aria-labelledby="{identity}-head"' if landmark else ""
    return "\n".join(
        [
            f'<section id="{identity}"{named}>',
            f'<h{level} id="{identity}-head">{head}</h{level}>',
            *filter(None, parts),
            "</section>",
        ]
    )


def _block(block: Plain, caption: str) -> str:
    if isinstance(block, str):
        return f"<p>{_in_html(block)}</p>" if block else ""
    if isinstance(block, Estimate):
        value = f"<strong>{show_cell(block.value)}</strong>"
        return (
            f'<p class="big">{_in_html(block.name)} = {value}</p>'
            f'<p class="under">{_in_html(block.beside)}</p>{_whisker(block)}'
        )
    if isinstance(block, Verbatim):
        return f'<pre tabindex="0">{html.escape(block.text)}</pre>'
    grid = grid_of(block)
    if grid is not None:
        return _table(grid, caption)
    if isinstance(block, Terms):
        shown = (
            f"<dt>{_in_html(term)}</dt>" + "".join(f"<dd>{_in_html(text)}</dd>" for text in texts)
            for term, texts in block.texts()
        )
        return f"<dl>{''.join(shown)}</dl>"
    return ""


def _whisker(block: Estimate) -> str:
    """Draw a value and its interval over an axis that ends at 1; the text says the same."""
    if math.isnan(block.value):
        return ""
    ends = [entry for entry in (block.value, block.low, block.high) if entry == entry]
    start, end = min(0.0, *ends), max(1.0, *ends)
    zero, unit, value, *interval = (
        round(6 + 208 * (entry - start) / (end - start), 1) for entry in (0.0, 1.0, *ends)
    )
    low, high = interval or (value, value)
    return (
        '<svg class="whisker" width="220" height="18" viewBox="0 0 220 18" aria-hidden="true">'
        f'<path class="grid" d="M{zero} 0v18M{unit} 0v18M6 9H214"/>'
        f'<path class="range" d="M{low} 9H{high}M{low} 5v8M{high} 5v8"/>'
        f'<circle class="dot" cx="{value}" cy="9" r="4"/></svg>'
    )


def _table(grid: Grid, caption: str) -> str:
    classes = ["" if side == "<" else ' class="n"' for side in grid.sides]
    head = "".join(
        f'<th scope="col"{of}>{_in_html(name)}</th>' if name else "<td></td>"
        for name, of in zip(grid.head, classes, strict=True)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(f"<td{of}>{_cell(entry)}</td>" for entry, of in zip(row, classes, strict=True))
        + "</tr>"
        for row in grid.rows
    )
    more = f"<p>{_in_html(grid.others)}</p>" if grid.others else ""
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{caption}"><table>'
        f"<caption>{caption}</caption><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody>"
        f"</table></div>{more}"
    )


def _cell(cell: str | Bar) -> str:
    if not isinstance(cell, Bar):
        return _in_html(cell)
    return (
        '<svg class="bar" width="72" height="8" viewBox="0 0 100 8" preserveAspectRatio="none"'
        ' aria-hidden="true"><rect class="track" width="100" height="8"/>'
        f'<rect class="fill" width="{100 * cell:.1f}" height="8"/></svg>'
    )


def _in_html(text: str) -> str:
    return html.escape(" ".join(escape(text).split()))
