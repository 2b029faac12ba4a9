"""The page of a study: everything on one set of annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.diagnostics import item_disagreement
from agreement_fast.diagnostics.diagnosis import diagnosis
from agreement_fast.distances import resolve
from agreement_fast.page.categories import categories
from agreement_fast.page.coders import coders
from agreement_fast.page.coefficients import coefficients as coefficients_of
from agreement_fast.page.embedding import as_json, embedded
from agreement_fast.page.findings import findings
from agreement_fast.page.heat import LEGEND_OF_RATIOS, LEGEND_OF_VALUES
from agreement_fast.page.items import items
from agreement_fast.page.method import method
from agreement_fast.page.rendering import check_jinja, render
from agreement_fast.page.result import Page
from agreement_fast.page.verdict import verdict
from agreement_fast.page.words import clean
from agreement_fast.points import Point
from agreement_fast.report import Report, report

if TYPE_CHECKING:
    import numpy as np

__all__ = ["page", "page_of"]

#: Bytes of a page at most, and those of its items.
MOST = 400_000
ITEMS = 180_000

#: Bytes that a category takes in the document at least.
A_CATEGORY = 40

#: Bytes that the numbers of items in sentences may differ by.
SPARE = 500

TITLE = "Inter-coder agreement"


def page(
    data: Any,
    coefficients: Iterable[str] | None = None,
    distances: Iterable[Any] | None = None,
    *,
    incomplete: str = "published",
    confidence_level: float = 0.95,
    interval: str = "delta",
    resample: str = "items",
    n_resamples: int = 1000,
    rng: int | np.random.Generator | None = None,
    cluster: Any = None,
    title: str = TITLE,
    texts: bool = True,
) -> Page:
    """Make one page of HTML of all there is to say about annotations.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Items × coders. The page shows the texts of `Annotations.with_texts`.
    coefficients, distances, incomplete, confidence_level, interval, resample, n_resamples, rng, \
cluster :
        As in `agreement_fast.report.report`. The coefficient that the report quotes is the one that
        the page explains. With `cluster` the page leaves out what has no interval for a sample of
        documents: those of single coders, pairs and categories.
    title : str
        Of the page.
    texts : bool, default True
        Whether it shows the texts of the items.

    Returns
    -------
    Page
        At most 400 kB, whatever the data: of many items it lists the most disputed, of many coders
        those with the most judgments, and says so.

    Raises
    ------
    ValueError, TypeError
        As `report`; also where Jinja2 is not installed.

    Notes
    -----
    Costs what `report`, `diagnose`, `pairwise_agreement` and `item_disagreement` do together.

    Examples
    --------
    >>> from agreement_fast.page import page
    >>> made = page([["yes", "yes"], ["no", "yes"], ["no", "no"]], title="Pilot study")
    >>> made.title, "Krippendorff" in made.html
    ('Pilot study', True)
    """
    check_jinja()
    annotations = as_annotations(data)
    distances = None if distances is None else list(distances)
    found = report(
        annotations,
        coefficients,
        distances,
        incomplete=incomplete,
        confidence_level=confidence_level,
        interval=interval,
        resample=resample,
        n_resamples=n_resamples,
        rng=rng,
        cluster=cluster,
    )
    return page_of(annotations, found, distances=distances, title=title, texts=texts)


def page_of(
    annotations: Annotations,
    found: Report,
    *,
    distances: Iterable[Any] | None = None,
    title: str = TITLE,
    texts: bool = True,
    named: bool = True,
    document: Callable[[], Mapping[str, Any]] | None = None,
    source: Mapping[str, Any] | None = None,
    command: str | None = None,
) -> Page:
    """Make the page of a report that is there already.

    Parameters
    ----------
    annotations : Annotations
    found : Report
        Of these annotations.
    distances : iterable of str or Distance, optional
        Those of the report; by default found by their names.
    title : str
    texts : bool
    named : bool
        Whether items have names: those that were added up have none.
    document : callable () -> mapping, optional
        Gives what the page holds for programs; by default ``found.to_dict``.
    source : mapping, optional
        What was read, as in the document of the command.
    command : str, optional
        The command line that makes the page.
    """
    quoted = found.table[found.quoted]
    name, distance = quoted.coefficient, _distance(quoted.distance, distances)
    of_coders = coders(
        annotations,
        name,
        distance,
        found,
    )
    of_categories = categories(annotations, found)
    disagreement = item_disagreement(
        annotations, name, distance=distance, incomplete=found.incomplete
    )
    of_items = items(disagreement, annotations, texts=texts, named=named)
    matrix = None if of_coders is None else of_coders["matrix"]
    anchors = {"coefficients", "categories"}
    anchors |= {"each-coder", "usage"} if of_coders and not of_coders["too_many"] else set()
    anchors |= {"pairs"} if matrix is not None else set()
    anchors |= {"confusions"} if of_categories["confusions"] is not None else set()
    anchors |= {"items"} if of_items.n_disputed else set()
    diagnosed = diagnosis(
        annotations, Point.of(name, distance), lambda: found.quoted_interval, found.incomplete
    )
    inside, document_size = embedded(
        document or found.to_dict, at_least=A_CATEGORY * len(found.categories)
    )
    content: dict[str, Any] = {
        "title": clean(title),
        "verdict": verdict(found),
        "diagnosis": findings(diagnosed, anchors),
        "coefficients": coefficients_of(found),
        "coders": of_coders,
        "categories": of_categories,
        "method": method(found, source or {}, command),
        "document_size": document_size,
        "legend_of_values": LEGEND_OF_VALUES,
        "legend_of_ratios": LEGEND_OF_RATIOS,
    }
    data: dict[str, Any] = dict(inside)
    if matrix is not None:
        data["pairs-data"] = matrix["data"]

    def made(room: int) -> tuple[str, int]:
        """Give the page with so many bytes of items at most, and those that it has of them."""
        shown, known = of_items.fitting(room)
        whole = render("study.html", {**content, "items": shown}, {**data, "items-data": known})
        return whole, len(as_json(known).encode())

    whole, size = made(ITEMS)
    over = len(whole.encode()) - MOST
    if over > 0:
        whole, _ = made(max(size - over - SPARE, 0))
    return Page(content["title"], whole)


def _distance(name: str, distances: Iterable[Any] | None) -> Any:
    """Give the distance of a result: one that was handed over, or the one of its name."""
    for one in distances or ():
        if resolve(one).name == name:
            return one
    return name
