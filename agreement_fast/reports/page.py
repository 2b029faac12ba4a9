"""What the page of a report has beside its text: coders, categories, matrices and items."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics import disagreements
from agreement_fast.present.sections import Rows, Section, Verbatim, details
from agreement_fast.present.terminal import show_label
from agreement_fast.reports.coders import coder_sections
from agreement_fast.reports.items import category_sections, items
from agreement_fast.reports.paper import citation
from agreement_fast.reports.rendering import Beside
from agreement_fast.reports.text import CROSSED, quoted_point

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report


#: The most items and coders whose judgments stand on a page as matrices.
MOST_ITEMS = 50


def _distances(annotations: Annotations, distance: Any) -> Section:
    """Show how far labels are apart, if they are few and not nominal."""
    title, categories = f"Distances of labels ({distance.name})", annotations.categories
    if distance.name == "nominal" or not 1 < len(categories) <= CROSSED:
        return Section(title)
    matrix = annotations.distance_matrix(distance)
    names = [show_label(category) for category in categories]
    rows = [(name, *row) for name, row in zip(names, matrix.values.tolist(), strict=True)]
    return details(title, Rows(("", *names), rows))


def _judgments(annotations: Annotations) -> list[Section]:
    """Show the judgments of a small table by coder, and counted by label."""
    if annotations.n_rows > MOST_ITEMS:
        return []
    show: Callable[[Any], str] = str
    matrices = [("Labels by item (counts)", annotations.to_counts(), show)]
    if annotations.coders is not None:
        data = annotations.reliability_matrix()
        matrices.insert(0, ("Labels by coder (reliability data)", data, show_label))
    shown = []
    for heading, matrix, text_of in matrices:
        names, *columns = matrix.columns().items()
        cells = [["-" if x is None else text_of(x) for x in column] for _, column in columns]
        rows = list(zip(map(show_label, names[1]), *cells, strict=True))
        if max(len(columns), len(rows)) <= MOST_ITEMS:
            head = (names[0], *(show_label(name) for name, _ in columns))
            shown.append(details(heading, Rows(head, rows)))
    return shown


def beside_report(
    report: Report,
    distance: Iterable[Any] = (),
    *,
    title: str,
    texts: bool = True,
    named: bool = True,
) -> Beside:
    """Return what the page of a report has beside its text.

    Parameters
    ----------
    report : Report
    distance : iterable of str or Distance
        The distances of the report; by default, they are found by their names.
    title : str
        The title of the page.
    texts : bool, default True
        Whether to show the texts of the items.
    named : bool, default True
        Whether items have names. If equal items were added up, they have none.
    """
    annotations, point = report.annotations, quoted_point(report, distance)
    of_coders, pairs = coder_sections(annotations, point.name, point.distance, report)
    disputed = disagreements(
        annotations,
        point.name,
        distance=point.distance,
        incomplete=report.incomplete,
        sort="share",
    )
    of_items = items(disputed, annotations, texts=texts, named=named)

    def fitted(room: int) -> tuple[dict[str, Any], dict[str, Any]]:
        shown, known = of_items.fitting(room)
        return {"items": shown}, {**pairs, "items-data": known}

    sections = [
        *of_coders,
        *category_sections(annotations, report),
        _distances(annotations, point.distance),
        *(_judgments(annotations) if named else ()),
        details("BibTeX entry", Verbatim(citation("bibtex"))),
    ]
    return Beside("items.html", ("items", "Items"), fitted, title, sections)
