"""Random tables of judgments for Hypothesis, and seeded ones where Hypothesis would be slow."""

import random
from dataclasses import dataclass

import reference
from hypothesis import strategies as st

WORDS = ("a", "b", "c", "empty", "two words", "nan", "None", "NA", "1", "é", "a longer label", "A")


@dataclass(frozen=True)
class Table:
    """Rows of labels (items x coders, None is missing) with what may be declared about them."""

    rows: tuple
    weights: tuple | None = None
    categories: tuple | None = None

    @property
    def n_coders(self):
        """The number of columns."""
        return len(self.rows[0])

    @property
    def items(self):
        """The items as the reference takes them."""
        return reference.from_rows(self.rows)

    @property
    def coders(self):
        """The coders as the reference takes them: column numbers, empty columns included."""
        return list(range(self.n_coders))

    @property
    def frequencies(self):
        """The weight of each row, by default 1."""
        return self.weights or (1,) * len(self.rows)

    @property
    def used(self):
        """The labels that occur, in the package's default order."""
        return reference.labels_of(self.items)

    @property
    def order(self):
        """The categories in the order that counts: as declared, else as they occur."""
        return self.used if self.categories is None else list(self.categories)

    @property
    def counts(self):
        """The agreement table: one row per item, one column a category."""
        return [[row.count(label) for label in self.order] for row in self.rows]

    def cube(self, distance=reference.nominal):
        """The reference's cube of this table."""
        return reference.Cube(
            self.items,
            distance,
            weights=list(self.frequencies),
            coders=self.coders,
            categories=self.order,
        )

    def expanded(self):
        """The same table with every row repeated instead of weighted."""
        rows = tuple(reference.expand(self.rows, self.frequencies))
        return Table(rows, None, self.categories)


def quarters(low, high):
    """Numbers low, low + 1/4, ..., high: exact as floats, whole ones as ints half of the time."""
    number = st.integers(4 * low, 4 * high).map(lambda n: n / 4)
    return st.one_of(st.integers(low, high), number)


def measurements():
    """Numbers as they come: decimals that binary does not hold, small ones, large offsets."""
    return st.builds(
        lambda n, scale, offset: offset + n / scale,
        st.integers(-2000, 2000),
        st.sampled_from([1, 8, 10, 1000]),
        st.sampled_from([0, 0, 0, 1_000_000, 1_700_000_000]),
    )


LABELS = {
    "words": st.sampled_from(WORDS),
    "integers": st.integers(-3, 5),
    "scale": quarters(0, 24),
    "measurements": measurements(),
    "mixed": st.sampled_from(["a", "b", 0, 1, -1, 2.5]),
}


@st.composite
def tables(draw, kind="words", *, weighted=None, declared=None, most_coders=6, heaviest=3):
    """Small tables: 2 to 6 coders, 1 to 8 items, 1 to 6 categories, about a quarter missing."""
    pool = draw(st.lists(LABELS[kind], min_size=1, max_size=6, unique=True))
    n_coders = draw(st.integers(2, most_coders))
    gaps = draw(st.sampled_from([0, 0, 1, len(pool)]))
    cell = st.sampled_from(pool + [None] * gaps)
    row = st.lists(cell, min_size=n_coders, max_size=n_coders).map(tuple)
    rows = tuple(draw(st.lists(row, min_size=1, max_size=8)))
    weights = categories = None
    if draw(st.booleans()) if weighted is None else weighted:
        weight = st.integers(0, heaviest)
        weights = tuple(draw(st.lists(weight, min_size=len(rows), max_size=len(rows))))
    if draw(st.booleans()) if declared is None else declared:
        extra = draw(st.lists(LABELS[kind], max_size=3))
        categories = tuple(dict.fromkeys(pool + extra))
        if kind != "words":
            categories = tuple(sorted(categories)) if kind != "mixed" else categories
    return Table(rows, weights, categories)


def seeded(seed, n_items, n_coders, labels, *, missing=0.2, heaviest=None, declared=False):
    """A larger table from a seed: coders who are right two times in three, else draw at random."""
    rng = random.Random(seed)
    labels = list(labels)
    rows = []
    for _ in range(n_items):
        truth = rng.choice(labels)
        rows.append(
            tuple(
                None
                if rng.random() < missing
                else truth
                if rng.random() < 2 / 3
                else rng.choice(labels)
                for _ in range(n_coders)
            )
        )
    weights = None
    if heaviest is not None:
        weights = tuple(rng.randint(0, heaviest) for _ in rows)
    return Table(tuple(rows), weights, tuple(labels) if declared else None)


def symmetric(seed, k):
    """A symmetric matrix of whole distances, zero on its diagonal and possibly elsewhere."""
    rng = random.Random(seed)
    rows = [[0] * k for _ in range(k)]
    for j in range(k):
        for other in range(j):
            rows[j][other] = rows[other][j] = rng.choice([0, 1, 1, 2, 3, 0.5])
    return rows
