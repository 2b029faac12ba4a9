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
from typing import Any

from agreement_fast.present.sections import (
    Bar,
    Cell,
    Estimate,
    Picture,
    Plain,
    Quote,
    Rows,
    Rule,
    Section,
    Shade,
    Terms,
    Verbatim,
    Whisker,
    whole_of,
)
from agreement_fast.present.terminal import escape, show_cell, show_level, spell_label


def rows_of(block: Plain) -> Rows | None:
    """Return the table that a block is; None if it is none."""
    if isinstance(block, Estimate):
        head = ("", "value", f"{show_level(block.confidence_level)} from", "to")
        return Rows(head, [[block.name, block.value, block.low, block.high]], "<>>>")
    if isinstance(block, Terms) and block.head is not None:
        return Rows(block.head, [(term, "; ".join(text)) for term, text in block.texts()], "><")
    return block if isinstance(block, Rows) else None


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
        for table in filter(None, map(rows_of, blocks)):
            cells, _, others = table.shown(full)
            # Pasted tables cannot show pictures.
            columns = zip(*cells, strict=True) if cells else [()] * len(table.head)
            kept = [not any(isinstance(cell, Picture) for cell in column) for column in columns]
            texts = [list(map(whole_of, compress(row, kept))) for row in (table.head, *cells)]
            sides = "".join(compress(table.aligned(), kept))
            parts.append(FORMS[form](group + section.heading, texts, sides, others))
    return "\n".join(parts)


def _markdown(caption: str, rows: Sequence[Sequence[str]], sides: str, others: str) -> str:
    head, *lines = (f"| {' | '.join(map(_in_markdown, cells))} |" for cells in rows)
    bars = f"| {' | '.join(':---' if side == '<' else '---:' for side in sides)} |"
    more = ["", _in_markdown(others)] if others else []
    return "\n".join([_in_markdown(caption), "", head, bars, *lines, *more, ""])


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


def _latex(caption: str, rows: Sequence[Sequence[str]], sides: str, others: str) -> str:
    columns = "".join("l" if side == "<" else "r" for side in sides)
    head, *lines = (" & ".join(map(_in_latex, cells)) + r" \\" for cells in rows)
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_in_latex(caption)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\hline",
            head,
            r"\hline",
            *lines,
            r"\hline",
            r"\end{tabular}",
            *([rf"\\{_in_latex(others)}"] if others else []),
            r"\end{table}",
            "",
        ]
    )


#: The forms of tables that are pasted.
FORMS: dict[str, Callable[..., str]] = {"markdown": _markdown, "latex": _latex}


# ---------------------------------------------------------------------------------------------
# HTML


#: Rows from which a table that an answer lacks is folded.
FOLDED = 25


def html_of(section: Section, identity: str, level: int = 2, landmark: bool = True) -> str:
    """Write a section of a page, whole; a landmark has a heading that no other section has.

    Small screens fold what an answer lacks, and all screens those of its tables that are long.

    Examples
    --------
    >>> print(html_of(Section("Of <a>", ["One & all."]), "s1"))
    <section id="s1" aria-labelledby="s1-head">
    <h2 id="s1-head">Of &lt;a&gt;</h2>
    <p>One &amp; all.</p>
    </section>
    """
    head = _in_html(section.heading)
    named = f' aria-labelledby="{identity}-head"' if landmark else ""
    heading = f'<h{level} id="{identity}-head">{head}</h{level}>'
    parts = [_block(block, head, identity) for block in section.shown(True)]
    if any(parts) and not section.shown(False):
        long = any(isinstance(b, Rows) and len(b.rows) > FOLDED for b in section.shown(True))
        opened = "" if long else " open"
        heading = f'<details{opened} class="long"><summary>{heading}</summary>'
        parts.append("</details>")
    lines = [f'<section id="{identity}"{named}>', heading, *filter(None, parts), "</section>"]
    return "\n".join(lines)


def _block(block: Plain, caption: str, identity: str) -> str:
    if isinstance(block, Estimate):
        value = f"<strong>{show_cell(block.value)}</strong>"
        return (
            f'<p class="big">{_in_html(block.name)} = {value}</p>'
            f'<p class="under">{_in_html(block.beside)}</p>{_whisker(_over_all(block))}'
        )
    if isinstance(block, Quote):
        name = f"{identity}-quote"
        return (
            f'<p class="quote" id="{name}">{_in_html(block)}</p><p class="actions"><button'
            f' type="button" data-copy="{name}">Copy</button> <span role="status"'
            ' class="quiet"></span></p>'
        )
    if isinstance(block, str):
        return f"<p>{_in_html(block)}</p>" if block else ""
    if isinstance(block, Verbatim):
        return f'<pre tabindex="0">{html.escape(block.text)}</pre>'
    table = rows_of(block)
    if table is not None:
        return _table(table, caption)
    if isinstance(block, Terms):
        shown = (
            f"<dt>{_in_html(term)}</dt>" + "".join(f"<dd>{_in_html(text)}</dd>" for text in texts)
            for term, texts in block.texts()
        )
        return f"<dl>{''.join(shown)}</dl>"
    return ""


def _over_all(block: Estimate) -> Whisker:
    ends = [end for end in (block.value, block.low, block.high) if end == end]
    return Whisker(block.value, block.low, block.high, min(0.0, *ends) if ends else 0.0)


def _whisker(shown: Whisker) -> str:
    """Draw a value and its interval over an axis that ends at 1; the text says the same."""
    if math.isnan(shown.value):
        return ""
    ends = [max(entry, shown.start) for entry in (0.0, 1.0, *shown[:3]) if entry == entry]
    unit = 208 / (max(ends) - shown.start)
    zero, full, value, *interval = (round(6 + unit * (end - shown.start), 1) for end in ends)
    low, high = interval or (value, value)
    return (
        '<svg class="whisker" width="220" height="18" viewBox="0 0 220 18" aria-hidden="true">'
        f'<path class="grid" d="M{zero} 0v18M{full} 0v18M6 9H214"/>'
        f'<path class="range" d="M{low} 9H{high}M{low} 5v8M{high} 5v8"/>'
        f'<circle class="dot" cx="{value}" cy="9" r="4"/></svg>'
    )


def _table(table: Rows, caption: str) -> str:
    classes = ["" if side == "<" else ' class="n"' for side in table.aligned()]
    cells, _, others = table.shown(True)
    head = "".join(
        f'<th scope="col"{of}>{_in_html(whole_of(name))}</th>' if name else "<td></td>"
        for name, of in zip(table.head, classes, strict=True)
    )
    rows = "\n".join(
        "<tr>" + "".join(_cell(entry, of) for entry, of in zip(row, classes, strict=True)) + "</tr>"
        for row in cells
    )
    more = f"<p>{_in_html(others)}</p>" if others else ""
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{caption}"><table>'
        f'<caption class="hidden">{caption}</caption><thead><tr>{head}</tr></thead>'
        f"\n<tbody>{rows}</tbody></table></div>{more}"
    )


def _cell(cell: Cell, of: str) -> str:
    if isinstance(cell, Shade):
        text, title = _in_html(cell.text), html.escape(clean(cell.title))
        tooltip = f' title="{title}"' if title else ""
        if cell.name:
            of_script = f'data-pair="{cell.name}" aria-label="{title}"'
            text, tooltip = f'<button type="button" {of_script}{tooltip}>{text}</button>', ""
        return f'<td class="shaded {cell.shade}"{tooltip}>{text}</td>'
    if isinstance(cell, Whisker):
        return f"<td>{_whisker(cell)}</td>"
    if isinstance(cell, Bar):
        return (
            '<td><svg class="bar" width="72" height="8" viewBox="0 0 100 8"'
            ' preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100"'
            f' height="8"/><rect class="fill" width="{100 * cell:.1f}" height="8"/></svg></td>'
        )
    return f"<td{of}>{_in_html(whole_of(cell))}</td>"


#: Joiners inside words of other scripts and between emoji; elsewhere they would be invisible.
_JOINER = re.compile(r"(?<=[^\x00-\x7f])([\u200c\u200d])(?=[^\x00-\x7f])")


def clean(text: Any) -> str:
    """Escape the invisible characters of a text, and those that change the direction of text.

    Examples
    --------
    >>> clean("a\\u202eb"), clean("a\\nb"), clean("می‌خواهم") == "می‌خواهم"
    ('a\\\\u202eb', 'a b', True)
    """
    parts = _JOINER.split(re.sub(r"\s+", " ", str(text)))
    parts[::2] = map(escape, parts[::2])
    return "".join(parts)


def label(value: Any, limit: int = 60) -> str:
    """Return a label or a name on one line, with an ellipsis if it is longer than `limit`.

    Examples
    --------
    >>> label(frozenset({"b", "a"})), label(""), label("abcdef", 4)
    ('{a, b}', '(empty)', 'abc…')
    """
    spelled = spell_label(value)
    if not spelled.strip():
        return "(empty)" if not spelled else "(blank)"
    # Only the part that could be shown is examined.
    text = clean(spelled[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _in_html(text: str) -> str:
    return html.escape(clean(text).strip())
