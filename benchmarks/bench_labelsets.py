"""Labels that are sets: tags as bit masks and frozensets, many distinct sets, chains, spans."""

from functools import lru_cache

import numpy as np
from contest import OURS, Row, contest
from workloads import KEPT

import agreement_fast as af

HUNDRED_THOUSAND = 100_000
TAGS = 10


@lru_cache(maxsize=2)
def masks(items, coders=3, tags=TAGS):
    """Non-empty sets of tags as bits, int64 of shape (items, coders)."""
    rng = np.random.default_rng([2026, items, coders, tags])
    true = rng.integers(1, 1 << tags, (items, 1))
    own = rng.random((items, coders)) >= KEPT
    out = np.where(own, rng.integers(1, 1 << tags, (items, coders)), true)
    out.flags.writeable = False
    return out


def as_masks(n):
    return (masks(n),)


def as_frozensets(n):
    """Rows of frozensets, each a new object."""
    names = [f"tag {e}" for e in range(TAGS)]
    members = [[names[e] for e in range(TAGS) if k >> e & 1] for k in range(1 << TAGS)]
    return ([[frozenset(members[k]) for k in row] for row in masks(n).tolist()],)


def as_triples(n):
    (rows,) = as_frozensets(n)
    return ([(c, i, said) for i, row in enumerate(rows) for c, said in enumerate(row)],)


def nltk_masi(data):
    from nltk.metrics import masi_distance
    from nltk.metrics.agreement import AnnotationTask

    return AnnotationTask(data, masi_distance).alpha()


test_masi = contest(
    "α with MASI: 3 coders, sets of 10 tags",
    HUNDRED_THOUSAND,
    [
        Row(
            OURS, "int64 bit masks", as_masks,
            lambda x: af.alpha(af.Annotations.from_masks(x), "masi").value,
        ),
        Row(OURS, "frozensets", as_frozensets, lambda x: af.alpha(x, "masi").value),
        Row("nltk", "triples of frozensets", as_triples, nltk_masi),
    ],
)  # fmt: skip


@lru_cache(maxsize=1)
def many_masks(items, coders=3, tags=40):
    """About items / 10 distinct sets of a quarter of the tags."""
    rng = np.random.default_rng([2026, items])
    distinct = max(items // 10, 10)
    pool = rng.integers(1, 1 << tags, distinct) & rng.integers(1, 1 << tags, distinct)
    true = rng.integers(0, distinct, (items, 1))
    own = rng.random((items, coders)) >= KEPT
    return pool[np.where(own, rng.integers(0, distinct, (items, coders)), true)]


def all_pairs(n):
    return (many_masks(n),)


test_distinct_sets = contest(
    "α with MASI: 3 coders, distinct sets: a tenth of the items, of 40 tags",
    1_000_000,
    [
        Row(
            OURS, "int64 bit masks", all_pairs,
            lambda x: af.alpha(af.Annotations.from_masks(x), "masi").value,
            slow="5 · 10⁹ pairs of sets",
        ),
    ],
    also=(HUNDRED_THOUSAND,),
)  # fmt: skip


@lru_cache(maxsize=2)
def chains_of_documents(items, coders=2, size=5):
    """Chains of five mentions; each coder leaves one of them out at times."""
    rng = np.random.default_rng([2026, items])
    rows = []
    for chain in range(items // size):
        mentions = [chain * size + i for i in range(size)]
        whole = frozenset(mentions)
        said = [
            whole if rng.random() < KEPT else whole - {mentions[int(rng.integers(size))]}
            for _ in range(coders)
        ]
        rows += [[label if m in label else None for label in said] for m in mentions]
    return (rows,)


test_chains = contest(
    "α with MASI: chains of five mentions, each in a document of its own",
    HUNDRED_THOUSAND,
    [Row(OURS, "frozensets", chains_of_documents, lambda x: af.alpha(x, "masi").value)],
    also=(10_000,),
)


@lru_cache(maxsize=2)
def spans_of_text(items, coders=3):
    """Spans of about ten words in one long text."""
    rng = np.random.default_rng([2026, items])
    begin = np.sort(rng.integers(0, 20 * items, items))[:, None] + rng.integers(0, 4, (1, coders))
    end = begin + rng.integers(5, 15, (items, coders))
    pairs = zip(begin.tolist(), end.tolist(), strict=True)
    rows = [list(zip(first, last, strict=True)) for first, last in pairs]
    return (rows,)


test_spans = contest(
    "α with Dice over spans: 3 coders",
    HUNDRED_THOUSAND,
    [
        Row(
            OURS, "tuples", spans_of_text,
            lambda x: af.alpha(x, af.distances.spans("dice")).value,
        )
    ],
    also=(10_000,),
)  # fmt: skip


@lru_cache(maxsize=2)
def long_sets(items, coders=3, elements=2000):
    """Distinct sets of 50 to 300 of 2,000 elements."""
    rng = np.random.default_rng([2026, items, coders, elements])
    sizes = rng.integers(50, 301, (items, coders)).tolist()
    return [[rng.choice(elements, n, replace=False).tolist() for n in row] for row in sizes]


@lru_cache(maxsize=2)
def short_sets(items, skewed, coders=3, elements=1000):
    """Nearly distinct sets of 2 to 10 draws from 1,000 elements, uniform or by Zipf's law."""
    rng = np.random.default_rng([2026, items, coders, elements])
    shares = 1 / np.arange(1, elements + 1) if skewed else np.ones(elements)
    until = np.cumsum(shares / shares.sum())[:-1]
    cuts = np.cumsum(rng.integers(2, 11, items * coders))
    drawn = np.split(np.searchsorted(until, rng.random(cuts[-1])), cuts[:-1])
    listed = [some.tolist() for some in drawn]
    return [listed[i : i + coders] for i in range(0, len(listed), coders)]


def made_of(lists):
    """Rows of new frozensets."""
    return [[frozenset(members) for members in row] for row in lists]


def triples_of(lists):
    rows = made_of(lists)
    return [(c, i, said) for i, row in enumerate(rows) for c, said in enumerate(row)]


test_long_sets = contest(
    "α with MASI: 3 coders, distinct sets of 50 to 300 of 2,000 elements",
    300,
    [
        Row(
            OURS, "frozensets", lambda n: (made_of(long_sets(n)),),
            lambda x: af.alpha(x, "masi").value,
        ),
        Row("nltk", "triples of frozensets", lambda n: (triples_of(long_sets(n)),), nltk_masi),
    ],
)  # fmt: skip

test_nearly_distinct_sets = contest(
    "α with MASI: 3 coders, nearly distinct sets of 2 to 10 of 1,000 tags",
    HUNDRED_THOUSAND,
    [
        Row(
            OURS, "frozensets", lambda n: (made_of(short_sets(n, False)),),
            lambda x: af.alpha(x, "masi").value,
        ),
        Row(
            "nltk", "triples of frozensets", lambda n: (triples_of(short_sets(n, False)),),
            nltk_masi, items=300,
        ),
    ],
)  # fmt: skip

test_nearly_distinct_sets_of_zipf = contest(
    "α with MASI: 3 coders, nearly distinct sets of 2 to 10 of 1,000 tags with Zipf's frequencies",
    HUNDRED_THOUSAND,
    [
        Row(
            OURS, "frozensets", lambda n: (made_of(short_sets(n, True)),),
            lambda x: af.alpha(x, "masi").value,
        ),
    ],
    also=(1_000,),
)  # fmt: skip
