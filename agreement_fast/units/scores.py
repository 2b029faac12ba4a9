"""Precision, recall and F1 of what pairs of coders marked, for all kinds of units."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Literal

from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.resample import Options
from agreement_fast.options import (
    BootstrapMethod,
    Column,
    Label,
    Seed,
    check_choice,
    check_flag,
    check_names,
)
from agreement_fast.reading.frames import is_frame
from agreement_fast.units.chains import CHAINS, Chains
from agreement_fast.units.continuum import Continuum, checked
from agreement_fast.units.objects import OBJECTS, Objects
from agreement_fast.units.pair_scores import (
    Choices,
    Kind,
    PairScores,
    coder_pairs,
    document_scores,
    pair_scores,
)
from agreement_fast.units.relations import RELATIONS, Relations
from agreement_fast.units.spans import SPANS

#: The kinds of data that are scored.
KINDS: tuple[Kind, ...] = (SPANS, CHAINS, RELATIONS, OBJECTS)


def scores(
    data: Continuum | Chains | Relations | Objects,
    measure: str | Sequence[str] | None = None,
    *,
    by: Literal["label", "document", "image"] | None = None,
    gold: Label | Column | None = None,
    labelled: bool = True,
    threshold: float = 0.5,
    tolerance: float = 0,
    head: Literal["source", "target"] = "source",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod | None = None,
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
) -> PairScores:
    """Compute precision, recall and F1 of what each pair of coders marked.

    Parameters
    ----------
    data : Continuum, Chains, Relations or Objects
        What the coders marked.
    measure : str or sequence of str, optional
        What counts as the same:

        - of spans: "exact" (the default; the same start and end, and the same pieces if there are
          several), "overlap" (a place in common) or "positions" (places are counted instead of
          spans, however often a coder marked them with one category);
        - of chains: "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc" or "conll", the mean of muc,
          b_cubed and ceaf_e. By default all;
        - of relations: "labelled" (the same source, target and label), "unlabelled" (the same
          source and target) and "undirected" (the same two units), by default these three; or
          "attachment" for trees: the share of units with the same head ("unlabelled_attachment",
          UAS), and with the same head and label ("labelled_attachment", LAS);
        - of objects: "f1".
    by : {"label", "document", "image"}, optional
        "label" adds a score for each label, and their mean. "document", or "image" for objects,
        returns a score for each document and pair of coders who both saw it.
    gold : object, optional
        The coder who is taken as correct. Recall is then the share of their units that the others
        have. By default, the first coder of each pair takes this role.
    labelled : bool, default True
        Whether spans or objects must have the same label to match.
    threshold : float, default 0.5
        Of objects: the least IoU at which two may be matched, above 0.
    tolerance : float, default 0
        Of spans that match exactly: how far apart starts, and ends, may be, in units of the given
        positions.
    head : {"source", "target"}, default "source"
        Of "attachment": which end of a relation is the head. A unit without a head is a root, and
        all roots count as the same head.
    n_resamples : int, default 2000
        How many times documents are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, optional
        The kind of bootstrap interval. By default "bca", and "percentile" for objects: the
        jackknife of "bca" takes the square of the number of images.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    PairScores
        A row for each measure and pair of coders, and the mean over the pairs if there are several.

    Raises
    ------
    ValueError
        If a name is unknown, if an option is not for this kind of data, if `gold` is not a coder,
        if there are fewer than two coders, or if a unit of a tree has two heads.

    Notes
    -----
    These values are **not corrected for chance**: see `judgments` for κ and α. Recall is the share
    of the key's units that the response also has, precision the share of the response's units that
    the key also has, over all documents that both coders saw. A value of 0 / 0 is NaN and is left
    out of means.

    *Spans* are matched one to one, with the largest number of matches, document by document and
    category by category. There may be several such matchings; only the number of matches counts, so
    ties do not matter. O(n log n + candidates) for each pair of coders, where candidates are the
    pairs of spans that can match; the matching takes O(candidates · √n).

    *Objects* are matched in each image, one to one with the largest sum of IoU (Kuhn 1955), among
    pairs at or above the threshold. O(pairs of objects of an image).

    *Relations*: F1 equals positive agreement over all pairs of units, which κ approaches if most
    pairs are unrelated (Hripcsak & Rothschild 2005). O(relations).

    *Chains*: K and R are chains of the key and of the response; K ∩ R are the mentions that they
    share.

    - MUC: recall is Σ_K (|K| − p(K)) / Σ_K (|K| − 1), where p(K) is the number of parts into which
      the response cuts K (Vilain et al. 1995). Chains of one mention do not count.
    - B³: recall is Σ_K Σ_R |K ∩ R|² / |K|, divided by the number of the key's mentions (Bagga &
      Baldwin 1998).
    - CEAF: the best one-to-one matching of chains by φ₃ = |K ∩ R| (ceaf_m) or
      φ₄ = 2 |K ∩ R| / (|K| + |R|) (ceaf_e); recall is its sum divided by the number
      of the key's mentions, or of its chains (Luo 2005).
    - BLANC: the mean of F for pairs of mentions in the same chain and F for pairs in different
      chains (Recasens & Hovy 2011; Luo et al. 2014). If the key has pairs of one kind only, F for
      that kind.

    Mentions that only one coder marked stay in that coder's chains: none is removed or added
    (Pradhan et al. 2014). For MUC such a mention is a part of its own, for B³ and CEAF it has no
    match, and for BLANC its pairs are missing or spurious. A document in which a coder links no
    mentions counts as not judged by them, because links cannot express that there were none. If
    neither coder has anything that a measure counts, it is undefined; the reference scorer writes
    0. CEAF takes the cube of the largest set of chains that are connected by overlaps.

    References
    ----------
    Bagga, A. & Baldwin, B. (1998). Algorithms for scoring coreference chains. LREC workshop on
    linguistic coreference.

    Hripcsak, G. & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
    information retrieval. Journal of the American Medical Informatics Association 12, 296-298.

    Luo, X. (2005). On coreference resolution performance metrics. HLT/EMNLP.

    Luo, X., Pradhan, S., Recasens, M. & Hovy, E. (2014). An extension of BLANC to system mentions.
    ACL (short papers), 24-29.

    Pradhan, S., Luo, X., Recasens, M., Hovy, E., Ng, V. & Strube, M. (2014). Scoring coreference
    partitions of predicted mentions: a reference implementation. ACL (short papers), 30-35.

    Recasens, M. & Hovy, E. (2011). BLANC: implementing the Rand index for coreference evaluation.
    Natural Language Engineering 17.

    Vilain, M., Burger, J., Aberdeen, J., Connolly, D. & Hirschman, L. (1995). A model-theoretic
    coreference scoring scheme. MUC-6.

    Examples
    --------
    Spans, which one coder begins a place later:

    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     ["A", "A", "B", "B"], [0, 5, 0, 6], [4, 8, 4, 8], ["x", "y", "x", "y"], extents=10
    ... )
    >>> units.scores(data)["exact"].value
    0.5
    >>> units.scores(data, tolerance=1)["exact"].value
    1.0
    >>> round(units.scores(data, "positions")["positions"].value, 4)
    0.9231

    One coder has the chain {a b c d}, the other {a b} and {c d} (Vilain et al. 1995):

    >>> links = [
    ...     ("d", "Ann", "b", "a"), ("d", "Ann", "c", "b"), ("d", "Ann", "d", "c"),
    ...     ("d", "Bob", "b", "a"), ("d", "Bob", "d", "c"),
    ... ]
    >>> muc = units.scores(units.Chains.from_links(links))["muc"]
    >>> round(muc.recall, 3), muc.precision, round(muc.value, 3)
    (0.667, 1.0, 0.8)

    Relations, one of them turned, and boxes:

    >>> data = units.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s3", "s2", "contrast"),
    ... ])
    >>> [(score.measure, score.value) for score in units.scores(data)]
    [('labelled', 0.5), ('unlabelled', 0.5), ('undirected', 1.0)]
    >>> data = units.Objects.from_boxes(
    ...     ["p1", "p1", "p1", "p2", "p2"], ["Ann", "Bob", "Bob", "Ann", "Bob"],
    ...     [(0, 0, 10, 10), (0, 0, 10, 8), (20, 20, 30, 30), (5, 5, 9, 9), (5, 5, 9, 7)],
    ... )
    >>> result = units.scores(data, threshold=0.6, rng=1)["f1"]
    >>> round(result.precision, 3), result.recall, result.value
    (0.333, 0.5, 0.4)
    """
    kind = kind_of(data)
    names = kind.default if measure is None else measure
    chosen = check_names("measure", names, kind.measures, "a name or several names")
    if by is not None:
        check_choice("by", by, kind.by)
    given = {"labelled": labelled, "threshold": threshold, "tolerance": tolerance, "head": head}
    known = inspect.signature(scores).parameters
    for option, value in given.items():
        if option not in kind.options and value != known[option].default:
            problem = f"{option} is not for {kind.data.__name__}"
            raise InputError(problem, "leave it out", argument=option)
    options = Options.of(
        n_resamples, confidence_level, method or kind.method, rng, threads, progress
    )
    pairs = coder_pairs(data.coders, gold)
    labelled = check_flag("labelled", labelled)
    choices = Choices(chosen, pairs, by == "label", labelled, threshold, tolerance, head)
    study = kind.study(data, choices)
    if by not in (None, "label"):
        return document_scores(study, data.coders, options)
    return pair_scores(study, data.coders, options, gold=gold is not None)


def kind_of(data: Any) -> Kind:
    """Return the kind of the data."""
    for kind in KINDS:
        if isinstance(data, kind.data):
            return kind
    if is_frame(data):
        checked(data)  # raises the error that says how to make a continuum of it
    names = [kind.data.__name__ for kind in KINDS]
    raise InputTypeError(
        f"expected {', '.join(names[:-1])} or {names[-1]}, got {type(data).__name__}",
        f"make them with {', '.join(kind.made_by for kind in KINDS)}",
        argument="data",
    )
