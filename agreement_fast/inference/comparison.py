"""Differences between data sets: independent ones, or two codings of the same items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.linear import Linear, Sums, Values, linear, reason
from agreement_fast.errors import (
    Argument,
    Hint,
    InputError,
    ReadHint,
    Sentence,
    ShapeHint,
    hint,
    say,
)
from agreement_fast.inference.closed_form import standard_errors
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.intervals import RESAMPLED, Jackknife
from agreement_fast.inference.resample import (
    Options,
    draw_of,
    jackknives,
    resampled,
)
from agreement_fast.inference.results import Difference, difference
from agreement_fast.inference.score import Gap, correlation, influence_of
from agreement_fast.options import Incomplete, PerItem, Seed
from agreement_fast.patterns import group_equal, sum_weights, take_rows
from agreement_fast.points import Point
from agreement_fast.present.terminal import number_of, show_label
from agreement_fast.reading.groups import document_codes
from agreement_fast.reading.recognition.labels import PASTED
from agreement_fast.reading.recognition.recognise import ReadingOptions, doubt_two_codings

#: The intervals of a difference; the first is made of those of both sides.
METHODS = ("score", *RESAMPLED)

ONE_UNIT = "one item or document has no spread, so there is no interval"


def compare(
    data: JudgmentsLike,
    other: JudgmentsLike,
    coefficient: str = "alpha",
    *,
    paired: bool | None = None,
    distance: DistanceLike = "nominal",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: Literal["score", "percentile", "basic", "bca"] = "score",
    cluster: PerItem | None = None,
    incomplete: Incomplete = "published",
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Difference:
    """Compute the difference of a coefficient between two data sets, with an interval.

    Parameters
    ----------
    data, other : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or tables of items × coders. The difference is that of `data` less that of
        `other`.
    coefficient : str, default "alpha"
        Name of a coefficient.
    paired : bool, optional
        True for two codings of the same items, such as two guidelines, or people and models. Items
        are matched by name. False for independent data sets. By default data are paired if both
        name the same items, by a column or an index; places in a list or an array are no names.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    n_resamples : int, default 2000
        Number of resamples. There is no interval if fewer than 20 resamples are defined.
    confidence_level : float, default 0.95
        Between 0 and 1.
    method : {"score", "percentile", "basic", "bca"}, default "score"
        The interval. "score" is made of the intervals that `standard_error` gives each data set,
        without draws. The others are a bootstrap: percentiles of the replicates, their mirror
        image, or bias-corrected and accelerated percentiles.
    cluster : mapping item -> document, or sequence of shape (n_rows,), optional
        Documents of the items of `data`, for paired data only. Documents are then the sample. A
        pandas Series is matched to the items by its index.
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
    Difference
        The difference, its interval, the p-value of no difference, and whether the data are paired.

    Raises
    ------
    ValueError
        If some items have the same names in both and others do not, unless `paired` says what they
        are; if the items of paired data differ, by name or by weight; if "score" is asked of a
        coefficient whose derivative is not known.

    Notes
    -----
    The interval of "score" is that of Zou & Donner: the squared distance from the difference to an
    end is the sum of those from both values to their ends, less twice their product times the
    correlation of the items' influences if the data are paired. The prior of each data set is its
    own. O(judgments). Draws have the cost of two bootstraps; those of paired data take the same
    items of both.

    References
    ----------
    Zou & Donner 2008, Construction of confidence limits about effect measures: a general approach,
    *Statistics in Medicine* 27, 1693–1702; Efron & Tibshirani 1993, *An Introduction to the
    Bootstrap*, chapters 13 and 14; Davison & Hinkley 1997, *Bootstrap Methods and their
    Application*, 4.4 and 5.2.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import compare
    >>> old = [["x", "y"], ["x", "x"], ["y", "x"], ["y", "y"], ["x", "y"], ["x", "x"]]
    >>> new = [["x", "x"], ["x", "x"], ["y", "x"], ["y", "y"], ["y", "y"], ["x", "x"]]
    >>> compare(old, new, "pi", paired=True)
    <a - b = -0.685714, 95% interval -1.2003 to 0.2908, p = 0.1952 (score, paired)>
    """
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress, METHODS)
    point = Point.of(coefficient, distance)
    sides = [as_annotations(side, **reading) for side in (data, other)]
    guessed = paired is None
    if paired is None:
        paired = same_items(*sides)
    may_be_paired = guessed and not paired
    for doubt, kind in doubts(sides[0], sides[1], [point], may_be_paired=may_be_paired):
        hint(say(doubt), kind)
    documents = None
    if paired:
        made, documents = _paired(sides, point, incomplete, cluster)
    else:
        if cluster is not None:
            raise InputError(
                "cluster is for paired data",
                "bootstrap each data set by itself",
                argument="cluster",
            )
        made = [linear(side, [point], incomplete, drawn=method != "score") for side in sides]
    sums = [entry.whole for entry in made]
    whole = [entry.values(own)[0] for entry, own in zip(made, sums, strict=True)]
    undefined = reason(whole[0]) or reason(whole[1])
    if method == "score":
        refuse_seed(rng, method)
        scored = scored_difference(
            ("a", "b"), point, made, sums, whole, documents, confidence_level, paired=paired
        )
        return replace(scored, paired=paired, read=sides[0].origin.read(point.distance.name))
    if paired:
        draws = [draw_of(made, documents)] * 2
        first, second = resampled(made, draws[0], options)
    else:
        draws = [draw_of([entry]) for entry in made]
        first, second = (
            resampled([entry], own, options._replace(rng=child))[0]
            for entry, own, child in zip(made, draws, options.rng.spawn(2), strict=True)
        )
    left_out: list[Jackknife] = []
    if method == "bca":
        (a, weights), (b, others) = (
            jackknives(entry, own)[0] for entry, own in zip(made, draws, strict=True)
        )
        left_out = [(a - b, weights)] if paired else [(a, weights), (-b, others)]
    drawn = difference(
        ("a", "b"),
        (float(whole[0].value[0]), float(whole[1].value[0])),
        first - second,
        confidence_level,
        method,
        left_out,
        undefined,
    )
    return replace(drawn, paired=paired, read=sides[0].origin.read(point.distance.name))


def same_items(data: Annotations, other: Annotations) -> bool:
    """Return whether two data sets are codings of the same items: both name the same.

    Raises InputError if only some names are the same.
    """
    if any(side.unnamed or isinstance(side.items, range) for side in (data, other)):
        return False
    names, others = set(data.items), set(other.items)
    if len(both := names & others) not in (0, len(names | others)):
        raise InputError(
            f"{number_of(len(both), 'item')} have the same name in both data sets, and "
            f"{len(names | others) - len(both):,} do not",
            ("for independent data pass ", Argument("paired", False), "; for codings of the same "
             "items pass ", Argument("paired", True), " with the items of both"),
            argument="paired",
        )  # fmt: skip
    return bool(both)


#: With more judgments, the columns of both data sets are not compared.
FEW = 100_000


def doubts(
    data: Annotations, other: Annotations, points: Iterable[Point], *, may_be_paired: bool
) -> Iterator[tuple[Sentence, type[Hint]]]:
    """Yield what the two data sets may be meant as otherwise, and the kind of hint.

    `may_be_paired`: whether they are independent only because nothing pairs them.
    """
    first, second, names = _namesakes(data, other)
    every = len(names) == data.n_coders == other.n_coders
    if every and (doubt := doubt_two_codings(first, second, names)) is not None:
        yield doubt, ShapeHint
    columns = zip(names, first.T.tolist(), second.T.tolist(), strict=True)
    alike = [
        name
        for name, labels, others in columns
        if isinstance(name, str) and len({*labels}) > 1 and labels == others
    ]
    if may_be_paired and alike:
        named = "" if list(data.items) == list(other.items) else "give them the same names and "
        same = (
            f"coder {show_label(alike[0])} has the same labels in both data sets: if the items "
            f"are the same, {named}pass "
        )
        yield (same, Argument("paired", True)), ReadHint
    counting = [point.name for point in points if point.chance.counts_categories]
    if counting and (remedy := _other_categories(data, other)) is not None:
        numbers = (
            f"{counting[0]} depends on the number of categories, and there are "
            f"{len(data.categories)} in one data set and {len(other.categories)} in the other"
        )
        yield (numbers, ": for the same in both, pass ", remedy), ReadHint


def _other_categories(data: Annotations, other: Annotations) -> Argument | None:
    """Return the categories of both if the numbers of those that occur differ by accident.

    None for questions that share no category, for sets, and for categories that were declared.
    """
    sides = data.categories, other.categories
    every: dict[Any, None] = dict.fromkeys([*sides[0], *sides[1]])
    apart = len(every) == len(sides[0]) + len(sides[1])
    if len(sides[0]) == len(sides[1]) or apart or (data.declared and other.declared):
        return None
    if any(isinstance(label, frozenset) for label in every):
        return None
    listed = [sorted(every) if {*map(type, every)} <= {int, float} else list(every)]
    return Argument("categories", *listed[: len(every) <= PASTED])


def _namesakes(data: Annotations, other: Annotations) -> tuple[Array, Array, list[Any]]:
    """Return the labels of coders whom both have, of items in one order, and their names."""
    known = {name: at for at, name in enumerate(other.coders or ())}
    names = [name for name in data.coders or () if name in known]
    kept = all(not side.unnamed and side.kept_marginals is None for side in (data, other))
    few = kept and max(data.n_judgments, other.n_judgments) <= FEW
    if not (names and few and len(data.items) == len(other.items)):
        return np.empty((0, 0)), np.empty((0, 0)), []
    row = {name: at for at, name in enumerate(other.items)}
    order = [row.get(name, at) for at, name in enumerate(data.items)]
    own = [(data.coders or ()).index(name) for name in names]
    return data.to_wide()[:, own], other.to_wide()[order][:, [known[x] for x in names]], names


def refuse_seed(rng: Seed, method: str) -> None:
    """Refuse a seed for the method that draws nothing."""
    if method == "score" and rng is not None:
        raise InputError(
            (Argument("rng"), " is for draws, and ", Argument("method", method), " has none"),
            ("leave it out, or pass ", Argument("method", *RESAMPLED)),
        )


def scored_difference(
    names: tuple[str, str],
    point: Point,
    made: Sequence[Linear],
    sums: Sequence[Sums],
    whole: Sequence[Values],
    documents: Array | None,
    confidence_level: float,
    *,
    paired: bool,
) -> Difference:
    """Return the difference with the interval that is made of those of both sides."""
    undefined = reason(whole[0]) or reason(whole[1])
    if not point.has_slope:
        raise InputError(
            (
                Argument("method", "score"),
                f" needs the derivative of the chance model {point.chance.name} under the "
                f"{point.distance.name} distance, which is not known",
            ),
            ("pass ", Argument("method", "bca")),
        )
    error, low, high, p_value = (math.nan,) * 4
    if undefined is None:
        result = [
            influence_of(entry, point, own, value.value)
            for entry, own, value in zip(made, sums, whole, strict=True)
        ]
        plain = [
            entry._replace(of_rows=np.where(entry.sampled > 0, influences(side, point, own), 0.0))
            for entry, side, own in zip(result, made, sums, strict=True)
        ]
        if documents is not None:
            result, plain = ([entry.by(documents) for entry in some] for some in (result, plain))
        first, other = plain
        if paired:
            error = float(
                standard_errors(
                    first.of_rows - other.of_rows, np.maximum(first.sampled, other.sampled)
                )[0]
            )
        else:
            error = math.hypot(
                *(float(standard_errors(side.of_rows, side.sampled)[0]) for side in plain)
            )
        both = Gap(result[0].score(), result[1].score(), correlation(*result) if paired else 0.0)
        low, high = both.ends(confidence_level)
        p_value = both.p_value()
    values = float(whole[0].value[0]), float(whole[1].value[0])
    nothing = difference(names, values, np.zeros(0), confidence_level, "score", (), undefined)
    note = ONE_UNIT if undefined is None and math.isnan(low) else None
    return replace(nothing, standard_error=error, low=low, high=high, p_value=p_value, note=note)


def _paired(
    sides: Sequence[Annotations], point: Point, incomplete: Incomplete, cluster: Any
) -> tuple[list[Linear], Array | None]:
    """Return both codings over the same items, in the order of the first, and the documents."""
    a, b = sides
    for side in sides:
        if side.unnamed:
            raise InputError(
                "paired data need the names of items, which concat(keep_items=False), stored "
                "patterns, contingency tables and lazy frames do not keep",
                ("compare them as independent samples, with ", Argument("paired", False)),
                argument="paired",
            )
    names = list(a.items)
    if names == list(b.items):
        place = np.arange(len(names))
    else:
        where = {name: i for i, name in enumerate(b.items)}
        unknown = [name for name in names if name not in where]
        if unknown or len(where) != len(names):
            which = f"item {unknown[0]!r} is in the first only" if unknown else "more in the second"
            raise InputError(
                f"paired data must hold the same items, here {which}",
                "select(items=...) the items of both",
            )
        place = np.array([where[name] for name in names])
    weights = [
        np.ones(side.n_rows, np.int64) if side.weights is None else side.weights for side in sides
    ]
    if (weights[0] != weights[1][place]).any():
        bad = names[int(np.argmax(weights[0] != weights[1][place]))]
        raise InputError(
            f"paired data must weigh items alike, item {bad!r} has two weights",
            ("for independent data pass ", Argument("paired", False)),
        )
    rows = [a.rows, take_rows(b.rows, place)]
    documents = None if cluster is None else document_codes(a, cluster)
    if documents is None and all(part.width for part in rows):
        # Items that are alike in both codings are one pattern.
        joint = np.hstack([part.table().astype(np.int32) for part in rows])
        group, kept = group_equal(joint)
        counts = sum_weights(group, len(kept), weights[0])
        rows = [take_rows(part, kept).replace(weights=counts) for part in rows]
    made = [
        linear(side, [point], incomplete, rows=part) for side, part in zip(sides, rows, strict=True)
    ]
    return made, documents
