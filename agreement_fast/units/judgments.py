"""What coders marked as judgments of items, for coefficients, intervals and diagnoses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.distances.sets import is_number, span_parts
from agreement_fast.errors import InputError, InputTypeError, choice
from agreement_fast.options import ByName, Label, check_choice
from agreement_fast.patterns import judgments_of
from agreement_fast.reading.labels import as_python, in_python
from agreement_fast.units.chains import Chains, chain_judgments
from agreement_fast.units.continuum import Continuum
from agreement_fast.units.objects import Objects, judged_matches
from agreement_fast.units.relations import Relations, judged_heads, judged_pairs
from agreement_fast.units.segmentation import Segmentation, judged_boundaries, judged_segments
from agreement_fast.units.spans import judged_spans

#: Errors of this argument.
wrong_relative_to = partial(InputError, argument="relative_to")


def judged_ends(data: Annotations, end: int, relative_to: Any) -> Annotations:
    """Return the starts (end 0) or ends (1) of spans, relative to a position of each item."""
    coders = data.known_coders("a position of spans")
    positions = span_parts(data.categories, "of positions")[1 + end]
    names = in_python(data.items)
    origin = np.zeros(len(names))
    if relative_to is not None:
        if not isinstance(relative_to, Mapping):
            raise InputTypeError.must_be("relative_to", "a mapping item -> position", relative_to)
        for i, name in enumerate(names):
            if name not in relative_to:
                raise wrong_relative_to(f"relative_to has no position for item {name!r}")
            position = relative_to[name]
            if not (is_number(position) and np.isfinite(position)):
                raise wrong_relative_to(
                    f"relative_to must have a finite position for item {name!r}, not {position!r}"
                )
            origin[i] = position
    row, coder, label = judgments_of(data.rows)
    values = positions[label] - origin[row]
    # Keep items without a judgment.
    unjudged = np.setdiff1d(np.arange(len(names)), row) if len(coders) else np.zeros(0, np.int64)
    row = np.concatenate([row, unjudged])
    order = np.argsort(row, kind="stable")
    coder = np.concatenate([coder, np.zeros(len(unjudged), np.int64)])
    values = np.concatenate([values, np.full(len(unjudged), np.nan)])
    item_names, coder_names = (np.fromiter(x, object) for x in (names, map(as_python, coders)))
    weights = data.weights
    return Annotations.from_long(
        item_names[row[order]],
        coder_names[coder[order]],
        values[order],
        weights=None if weights is None else weights[row[order]],
    )


class Item(NamedTuple):
    """What an item is: the data that have it, and how these are judged, by options."""

    data: type
    judge: Callable[..., Annotations]
    options: tuple[str, ...] = ()


#: By name; the first of some data is taken by default.
ITEMS: Mapping[str, Item] = {
    "exact": Item(Continuum, lambda data: judged_spans(data, "exact")),
    "overlap": Item(Continuum, lambda data: judged_spans(data, "overlap")),
    "positions": Item(Continuum, lambda data: judged_spans(data, "positions")),
    "pair": Item(Relations, judged_pairs, ("directed", "no_relation")),
    "head": Item(Relations, judged_heads, ("head", "root")),
    "match": Item(Objects, judged_matches, ("threshold", "not_marked")),
    "chain": Item(Chains, chain_judgments, ("left_out",)),
    "boundary": Item(Mapping, judged_boundaries, ("outer",)),
    "segment": Item(Mapping, judged_segments),
    "start": Item(Annotations, partial(judged_ends, end=0), ("relative_to",)),
    "end": Item(Annotations, partial(judged_ends, end=1), ("relative_to",)),
}


def judgments(
    data: Continuum | Relations | Objects | Chains | ByName[Segmentation] | Annotations,
    item: str | None = None,
    *,
    outer: Literal["none", "start", "both"] = "none",
    directed: bool = True,
    no_relation: Label = "no relation",
    head: Literal["source", "target"] = "source",
    root: Label = "root",
    threshold: float = 0.5,
    not_marked: Label = "not marked",
    left_out: Literal["missing", "empty"] = "missing",
    relative_to: ByName[float] | None = None,
) -> Annotations:
    """Turn what coders marked into judgments of items.

    Parameters
    ----------
    data : Continuum, Relations, Objects, Chains, mapping from coder to segmentation, or Annotations
        What the coders marked. Segmentations are of one text, or a mapping from text to
        segmentation for each coder. Labels of annotations are spans, (start, end) or (document,
        start, end).
    item : str, optional
        What an item is, and its label:

        - of spans: "exact" (the default), each distinct span that some coder marked; "overlap",
          spans that overlap, directly or through others; "positions", each place of a document,
          marked or not, where equal places are one item with a weight. The label is the category,
          or "not marked";
        - of relations: "pair" (the default), a pair of units (document, source, target), with its
          label or `no_relation`; "head", a unit of a tree (document, unit), with its head
          (document, head) or `root`;
        - of objects: "match", an object (image, number) that some coder marked, with its label or
          `not_marked`;
        - of chains: "chain", a mention (document, mention), with the set of mentions of its chain;
        - of segmentations: "boundary" (the default), a place between two elements, with 1 for a
          boundary of any type and 0 for none; "segment", an element, with its segment (start, end)
          or (text, start, end);
        - of annotations with spans as labels: "start" (the default) or "end", the same items with
          a number as label, for the interval distance.
    outer : {"none", "start", "both"}, default "none"
        Of "boundary": which ends of the text count as places. All coders have a boundary there by
        necessity. "start": each element is judged for whether a segment begins with it; the start
        is place −1. "both": the end of the text also counts, as in Artstein & Poesio 2008, table 8.
        This agreement, which coders cannot avoid, raises the value.
    directed : bool, default True
        Of "pair": whether a pair and its reverse are two items.
    no_relation : object, default "no relation"
        The label of pairs that a coder who saw the document does not relate.
    head : {"source", "target"}, default "source"
        Of "head": which end of a relation is the head.
    root : object, default "root"
        The label of units without a head.
    threshold : float, default 0.5
        Of "match": the least IoU at which two objects may be matched, above 0.
    not_marked : object, default "not marked"
        The label for coders who saw the image and did not mark the object; None leaves the judgment
        missing.
    left_out : {"missing", "empty"}, default "missing"
        Of "chain": the judgment of a mention that is in none of a coder's chains, if the coder
        judged other mentions of the document: missing, or the empty set.
    relative_to : mapping item -> float, optional
        Of "start" and "end": a position of each item, which is subtracted.

    Returns
    -------
    Annotations
        The judgments. Coders who did not see a document have none there, and a document that nobody
        saw has no items.

    Raises
    ------
    ValueError
        If data have no such item, if an option is not for this item, or if the label for what is
        not marked is a label of the data.

    Notes
    -----
    Items of a document are not independent: resample documents
    (``cluster=[item[0] for item in judged.items]``), not items.

    *Spans.* If a coder gave an item several categories, all labels are sets, and the empty set
    stands for "not marked": use a distance such as "masi". By "exact" and "overlap", a span that no
    coder marked is not an item, so coders cannot agree on "not marked", and chance-corrected values
    are low. By "positions", coders agree on most of a long text; the observed disagreement of α
    equals that of uα, which does not pair a unit with itself by chance. O(n log n) for n units; by
    "positions" O(cuts · coders), where cuts are the places where a unit starts or ends.

    *Pairs* are all pairs of units that some coder relates or that were given as ``units``. Those
    that nobody relates are one item (document, None, None) for each document, with their number as
    weight. With many units, most pairs are unrelated, observed agreement is near 1, and
    chance-corrected values depend on the few related pairs. *Heads* in different documents are
    different labels, so expected agreement is near 0, and coefficients are near the attachment
    score.

    *Objects* are matched by place alone, so their labels may differ. α (nominal) is the K-α of
    Tschirschwitz et al. (2022) over all images together; they take the mean of its values for
    single images, which `agreement_by_group` returns. With three coders or more, matches depend on
    the order of the coders: an object that is near two others, which are not near each other, is
    matched with the first. Places that no coder marked are not items. With a single label, α is
    below 0 unless all coders mark the same objects.

    *Chains.* Items are the mentions that some coder gave an antecedent or no antecedent; mentions
    that are only antecedents are elements of labels. Elements are (document, mention), so chains of
    different documents are disjoint. Because a label includes the mention itself, two coders who
    both judged it are never at distance 1.

    *Boundaries* that coders place one element apart count as two disagreements, and boundaries are
    rare, so values are low (Artstein & Poesio 2008, 4.3.1). *Segments* are compared as sets of
    elements with the distance ``spans("dice")`` or ``spans("jaccard")``: if coders agree on most of
    a segment but not on its ends, they mostly agree (Artstein & Poesio 2005, 4.4).

    *Starts* and *ends*: Artstein & Poesio (2008, 4.4.3) show how much the choice matters. In one
    study of discourse deixis, α is 0.998 for starts by their position in the dialogue, since any
    two antecedents near the same expression are close, and 0.167 relative to the expression.

    References
    ----------
    Tschirschwitz, D., Klemstein, F., Stein, B. & Rodehorst, V. (2022). A dataset for analysing
    complex document layouts in the digital humanities and its evaluation with Krippendorff's alpha.
    GCPR.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> spans = units.judgments(data)
    >>> spans.to_wide().tolist()
    [['x', 'x'], ['y', 'not marked'], ['not marked', 'y']]
    >>> round(af.kappa(spans).value, 3)
    0.0
    >>> round(af.kappa(units.judgments(data, "positions")).value, 3)
    0.848

    >>> data = units.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s3", "s2", "contrast"),
    ... ])
    >>> units.judgments(data).items
    (('d', 's1', 's2'), ('d', 's2', 's3'), ('d', 's3', 's2'), ('d', None, None))

    Two coders cut 50 utterances in two, one utterance apart. They agree on 47 of 49 places, and
    with the ends of the text on 49 of 51 (Artstein & Poesio 2008, table 8, case 1):

    >>> cuts = {"A": units.from_lengths([25, 25]), "B": units.from_lengths([26, 24])}
    >>> round(af.pi(units.judgments(cuts)).value, 3)
    -0.021
    >>> round(af.pi(units.judgments(cuts, outer="both")).value, 3)
    0.646

    >>> data = af.Annotations.from_wide([[(3, 9), (5, 9)], [(81, 90), (88, 90)]], items=["a", "b"])
    >>> units.judgments(data, "start").categories
    (3, 5, 81, 88)
    >>> units.judgments(data, "start", relative_to={"a": 10, "b": 91}).categories
    (-10, -7, -5, -3)
    """
    given = dict(locals())
    names = [name for name, kind in ITEMS.items() if isinstance(data, kind.data)]
    if not names:
        raise InputTypeError(
            "expected a Continuum, Relations, Objects, Chains, Annotations of spans, or "
            f"segmentations as a mapping from coder to segmentation, got {type(data).__name__}",
            argument="data",
        )
    name = names[0] if item is None else item
    check_choice("item", name, names)
    kind = ITEMS[name]
    for option, parameter in inspect.signature(judgments).parameters.items():
        default, value = parameter.default, given[option]
        if option not in ("data", "item", *kind.options) and value is not default != value:
            which = [other for other, item in ITEMS.items() if option in item.options]
            raise InputError(
                f"{option} is for the item {choice(which)}, and item is {name!r}",
                "leave it out",
                argument=option,
            )
    return kind.judge(data, **{option: given[option] for option in kind.options})
