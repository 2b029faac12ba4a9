"""The same data under several category maps (Antoine et al. 2014, tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.columns import pattern_items
from agreement_fast.distances.sums.linear import Linear, linear
from agreement_fast.errors import Argument, InputError, InputTypeError, UnknownKeyError
from agreement_fast.inference.bootstrapping import summarized
from agreement_fast.inference.comparison import METHODS, refuse_seed, scored_difference
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.inference.resample import (
    Options,
    draw_of,
    jackknives,
    resampled,
)
from agreement_fast.inference.results import Difference, shared_difference
from agreement_fast.options import ByName, Incomplete, Label, PerItem, Seed
from agreement_fast.patterns import as_lists, narrow
from agreement_fast.points import Point, chosen
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Rows, Section
from agreement_fast.present.tables import ResultTable
from agreement_fast.present.terminal import show_label
from agreement_fast.reading.groups import document_codes
from agreement_fast.results import place_of

#: The name of the data as they are.
UNMERGED = "unmerged"


class MapTable(ResultTable[StandardError]):
    """Coefficients under one map with the intervals of `standard_error`, by place or by name."""

    _table = "coefficient | distance | value | low..high"
    _most = None

    def _named(self, key: Any) -> StandardError:
        return self._rows[place_of(key, self._rows)]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CategoryMerging(Sectioned):
    """Coefficients of the same data under several category maps.

    ``study["valence"]`` is the table of a map, ``study["valence", "alpha"]`` or
    ``study["valence", "alpha", "linear"]`` one of its coefficients. ``study["unmerged"]`` is the
    table of the original categories. ``print(study)`` shows all coefficients with their differences
    from the unmerged ones.

    Attributes
    ----------
    maps : tuple of str
        "unmerged", then the maps in the given order.
    categories : tuple of tuples
        The categories under each map.
    tables : tuple of MapTable or BootstrapTable
        One for each map. Replicates of draws share the items and their order.
    differences : mapping of (int, int, int) to Difference, or None
        Without draws, the difference of the coefficient at a place under two maps.
    """

    _caption = "{_measures:list} under {maps:list}"

    def sections(self) -> list[Section]:
        """Return the coefficients before and after, as tables 2 and 3 of Antoine et al. do."""
        layout = (
            "categories = map | number = n_categories | coefficient | distance | value | low | high"
            " | change = difference:+ | low = difference_low:+ | high = difference_high:+"
        )
        merged = len(self.tables[0])  # an answer shows the coefficients of the last map
        shown = Rows.laid(self, layout, sides="<><<" + ">" * 6, limit=200, last=merged)
        labels = ", ".join(map(show_label, self.categories[-1]))
        text = f"Merged to {len(self.categories[-1])} categories: {labels}."
        return [Section("Merged categories", [text, shown])]

    @property
    def _measures(self) -> list[str]:
        return [f"{r.coefficient}({r.distance})" for r in self.tables[0]]

    maps: tuple[str, ...]
    categories: tuple[tuple[Any, ...], ...]
    tables: tuple[ResultTable[Any], ...]
    differences: Mapping[tuple[int, int, int], Difference] | None = None

    def __getitem__(self, key: str | tuple[Any, ...]) -> Any:
        name, *measure = key if isinstance(key, tuple) else (key,)
        table = self.tables[self._place(name)]
        if not measure:
            return table
        return table[measure[0] if len(measure) == 1 else (measure[0], measure[1])]

    def _place(self, name: str) -> int:
        if name not in self.maps:
            raise UnknownKeyError(f"{name!r}: the maps are {', '.join(self.maps)}")
        return self.maps.index(name)

    def difference(
        self, first: str, coefficient: Any = "alpha", second: str = UNMERGED
    ) -> Difference:
        """Return a coefficient under one map less the same under another, of the same items.

        Parameters
        ----------
        first : str
            Name of a map.
        coefficient : str, (name, distance) or int, default "alpha"
            The coefficient, by name, by name and distance, or by place.
        second : str, default "unmerged"
            Name of the other map.

        Returns
        -------
        Difference
            The difference with its interval.
        """
        a, b = self._place(first), self._place(second)
        if self.differences is not None:
            table = self.tables[0]
            place = coefficient if isinstance(coefficient, int) else place_of(coefficient, table)
            return self.differences[a, b, place]
        drawn: Any = self.tables
        return shared_difference(
            (drawn[a], coefficient),
            (drawn[b], coefficient),
            (f" of {first}", f" of {second}"),
        )

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each map and coefficient, with its difference from the unmerged data."""
        tables = [table.columns() for table in self.tables]
        result: dict[str, list[Any]] = {
            "map": [name for name in self.maps for _ in self.tables[0]],
            "n_categories": [len(labels) for labels in self.categories for _ in self.tables[0]],
            **{name: [value for table in tables for value in table[name]] for name in tables[0]},
        }
        changes = [
            None if name == UNMERGED else self.difference(name, place)
            for name, table in zip(self.maps, self.tables, strict=True)
            for place in range(len(table))
        ]
        for part in ("value", "low", "high", "p_value"):
            result["difference" if part == "value" else f"difference_{part}"] = [
                None if change is None else getattr(change, part) for change in changes
            ]
        return result


def category_merging(
    data: JudgmentsLike,
    mapping: Mapping[str, ByName[Label]],
    coefficient: str | Iterable[str] = ("kappa", "pi", "alpha"),
    distance: DistanceLike | Sequence[DistanceLike] = "nominal",
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: Literal["score", "bca", "percentile", "basic"] = "score",
    cluster: PerItem | None = None,
    incomplete: Incomplete = "published",
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> CategoryMerging:
    """Compute coefficients under several category maps, with intervals of their differences.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    mapping : mapping name -> mapping old label -> new label
        The maps. Labels that a map does not name stay as they are. The original categories come
        first in the result, as "unmerged".
    coefficient : str or sequence of str, default ("kappa", "pi", "alpha")
        Names of coefficients.
    distance : str, Distance, array, mapping or function, or several, default "nominal"
        Each is bound to the merged labels. Coefficients for nominal labels take the nominal
        distance only.
    n_resamples : int, default 2000
        Number of resamples of draws. There is no interval if fewer than 20 of them are defined.
    confidence_level : float, default 0.95
        Between 0 and 1.
    method : {"score", "bca", "percentile", "basic"}, default "score"
        The intervals of `standard_error`, and of `compare` with ``paired=True`` for differences,
        without draws. The others are a bootstrap: bias-corrected and accelerated percentiles of the
        replicates, percentiles, or their mirror image.
    cluster : mapping item -> document, sequence of shape (n_rows,), or str, optional
        The document of each stored item, or the name of a column that was read `along`. Whole
        documents are then drawn. A pandas Series is matched to the items by its index.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count,
        those with two judgments or more, or those that every coder judged.
    rng : int or numpy Generator, optional
        Seed or generator of draws. A seed gives the same replicates with any number of threads.
    threads : int, optional
        Largest number of threads; by default the number of processors.
    progress : bool, default False
        Show a progress bar (needs tqdm).
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    CategoryMerging
        A table of coefficients for each map.

    Raises
    ------
    ValueError
        If a name or choice is unknown, a distance does not fit the merged labels, a map is called
        "unmerged", or coders are needed but unknown.

    Warnings
    --------
    Merging categories afterwards is not a new study. Coders with fewer categories to choose from
    might have decided otherwise. A value for merged categories shows where coders disagree, not the
    agreement that a coarser scheme would reach (Artstein & Poesio 2008, 4.1).

    Notes
    -----
    Differences are those of the same items: "score" takes the correlation of the items' influences
    into account, and draws take the same items under all maps, with the time and memory of
    `bootstrap` for each.

    References
    ----------
    Antoine, Villaneau & Lefeuvre 2014, tables 2 and 3, who give the values and absolute differences
    without intervals.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import inference
    >>> data = af.Annotations.from_wide(
    ...     [[-2, -1, -2], [0, 0, 1], [1, 2, 2], [-1, -1, -2], [0, 0, 0], [2, 2, 1], [0, -1, 0]]
    ... )
    >>> study = inference.category_merging(data, {"valence": {-2: -1, 2: 1}}, ["pi"])
    >>> change = study.difference("valence", "pi")
    >>> round(study["unmerged", "pi"].value, 3), round(change.value, 3), change.low > 0
    (0.263, 0.451, False)
    """
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress, METHODS)
    refuse_seed(rng, method)
    annotations = as_annotations(data, **reading)
    if not isinstance(mapping, Mapping) or not all(
        isinstance(name, str) and isinstance(labels, Mapping) for name, labels in mapping.items()
    ):
        raise InputTypeError.must_be(
            "mapping",
            "names with mappings of old to new labels",
            mapping,
            ("pass ", Argument("mapping", {"valence": {-2: -1, 2: 1}}), ", say"),
        )
    if UNMERGED in mapping:
        raise InputError(
            (Argument("mapping"), f" must not use {UNMERGED!r}, the name of the data as they are")
        )
    points = chosen(coefficient, distance, coders_known=True)
    every: list[Mapping[Any, Any]] = [{}, *mapping.values()]
    merged = [annotations, *(annotations.merge_categories(element) for element in every[1:])]
    by_coder = any(point.chance.knows_coders for point in points)
    if by_coder:
        annotations.known_coders("a chance model of individual coders (κ, β)")
    stored = cluster is not None
    rows = as_lists(annotations.rows) if stored else pattern_items(annotations, by_coder).rows
    made = []
    for each, own in zip(merged, every, strict=True):
        place = {label: code for code, label in enumerate(each.categories)}
        new = [place[own.get(label, label)] for label in annotations.categories]
        codes = np.array([*new, -1], narrow(len(place)))[rows.codes]
        made.append(linear(each, points, incomplete, rows=rows.replace(codes=codes)))
    # Which items count does not depend on their labels.
    documents = None if cluster is None else document_codes(annotations, cluster)
    names = (UNMERGED, *mapping)
    labels_of_maps = tuple(each.categories for each in merged)
    if method == "score":
        exact = tuple(
            MapTable(
                standard_error(
                    each, point.name, distance=point.distance, confidence_level=confidence_level,
                    incomplete=incomplete, cluster=documents,
                )
                for point in points
            )
            for each in merged
        )  # fmt: skip
        changes = _changes(names, points, made, documents, confidence_level)
        return CategoryMerging(names, labels_of_maps, exact, changes)
    draw = draw_of(made[:1], documents)
    replicates = resampled(made, draw, options)
    tables, n = [], len(points)
    for m, entry in enumerate(made):
        left_out = jackknives(entry, draw) if method == "bca" else None
        tables.append(
            summarized(
                merged[m], incomplete, points, entry.values(entry.whole),
                replicates[m * n : (m + 1) * n], options, left_out,
                n_clusters=None if documents is None else draw.n,
            )
        )  # fmt: skip
    return CategoryMerging(names, labels_of_maps, tuple(tables))


def _changes(
    names: Sequence[str],
    points: Sequence[Point],
    made: Sequence[Linear],
    documents: Array | None,
    confidence_level: float,
) -> dict[tuple[int, int, int], Difference]:
    """Return the difference of each coefficient under each map and each other."""
    sums = [each.whole for each in made]
    values = [each.values(own) for each, own in zip(made, sums, strict=True)]
    places = range(len(names))
    return {
        (a, b, place): scored_difference(
            (f"{point.name}({point.distance.name}) of {names[a]}",
             f"{point.name}({point.distance.name}) of {names[b]}"),
            point, (made[a], made[b]), (sums[a], sums[b]), (values[a][place], values[b][place]),
            documents, confidence_level, paired=True,
        )
        for place, point in enumerate(points) for a in places for b in places
    }  # fmt: skip
