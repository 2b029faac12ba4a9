"""A walk over the shapes that a table can have: every one gives the numbers of exact arithmetic.

A shape is a type of array, a layout in memory, a number of coders, a number of distinct labels
(around every power of two), with or without missing judgments, with or without weights, and a
number of items around each threshold. Thresholds that large data would reach are lowered, so that
small tables take every route. The tests try one in WALK combinations, an environment variable,
spread evenly; ``WALK=1`` tries them all (hours).
"""

import contextlib
import importlib
import itertools
import os
import sys
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
import reference
from layouts import laid_out
from loops import nonempty
from reference_counts import Counts
from route_names import ROUTES, sums_by
from strategies import seeded
from test_against_reference import close

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.distances.forms import Absolute
from agreement_fast.distances.sums.categories import sums_of

pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.Hint")

#: One in this number of combinations is tried.
WALK = int(os.environ.get("WALK", "797"))

CHANCES = ("uniform", "pooled", "pooled_unbiased", "individual", "gwet")

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64", "halves")
OTHERS = ("bool", "text", "bytes", "object", "mixed")
TYPES = (*INTEGERS, *FLOATS, *OTHERS)
LAYOUTS = ("C", "Fortran", "strided", "reversed", "unaligned", "read-only", "swapped")
COLUMNS = range(1, 11)
DISTINCT = sorted({max(1, 2**power + more) for power in range(18) for more in (-1, 0, 1)})

#: Around the eight bytes that a kernel reads at once, the lowered thresholds, a kernel's blocks.
ROWS = (1, 2, 7, 8, 9, 39, 40, 41, 79, 80, 81, 255, 256, 257, 511, 513, 1030)

LOWERED = {
    "agreement_fast.patterns.FEW_ROWS": 40,
    "agreement_fast.patterns.CELLS_A_ROW": 1 << 17,
    "agreement_fast.distances.sums.rows.FEW": 80,
    "agreement_fast.reading.labels.FEW": 20,
    "agreement_fast.reading.labels.LOOK": 16,
    "agreement_fast.reading.labels.SPREAD": 1 << 12,
    "agreement_fast.distances.sums.categories.CELLS_A_JUDGMENT": 1 << 17,
    "agreement_fast.distances.sums.categories.CHUNK": 300,
    "agreement_fast.distances.sums.categories.MANY": 1 << 14,
    "agreement_fast.reading.kept_moments.CHUNK": 256,
    "agreement_fast.reading.kept_moments.SLOTS": (1 << 5, 1 << 9),
    "agreement_fast.distances.sums.categories.ROWS_AT_ONCE": 100,
    "agreement_fast._kernels.parallel.SMALL": 500,
}


@pytest.fixture(autouse=True, scope="module")
def lowered():
    """Lower the thresholds that only large tables reach."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in LOWERED.items():
            patch.setattr(name, value)
        # Hints about labels change no number, and take the most time if there are many labels.
        patch.setattr("agreement_fast.reading.recognition.labels.near_misses", lambda labels: [])
        yield


class Shape(NamedTuple):
    """One table of the walk."""

    dtype: str
    layout: str
    columns: int
    distinct: int
    gaps: bool
    weighted: bool
    rows: int


def most_distinct(dtype, gaps):
    """How many labels an array of a type holds, beside one that stands for missing ones."""
    if dtype == "bool":
        return 2
    if dtype in ("int8", "uint8"):
        return 256 - gaps
    if dtype in ("int16", "uint16"):
        return 65536 - gaps
    return 1 << 18


def holds(dtype, gaps):
    """Whether an array of a type can lack judgments."""
    return not (gaps and dtype in ("bool", "bytes", "text"))


def first_label(dtype, distinct, gaps, seed):
    """The first label: at either end of the type, around 0, or far from it."""
    if dtype in ("bool", "text", "bytes", "mixed", "object"):
        return 0
    if dtype in FLOATS:
        return [0, -128, -(distinct // 2), 1, 2019, -(2**20)][seed % 6]
    info = np.iinfo(dtype)
    places = [0, info.min + gaps, info.max - distinct + 1, -1, 1, -(distinct // 2), 2019, 100]
    place = places[seed % len(places)]
    return min(max(place, info.min + gaps), info.max - distinct + 1)


def codes_of(shape, seed):
    """Random codes, -1 being missing, in which every label occurs if there is room."""
    rng = np.random.default_rng(seed)
    cells = shape.rows * shape.columns
    if seed % 3:
        codes = rng.integers(0, shape.distinct, cells)
    else:  # most judgments agree
        codes = np.where(
            rng.random(cells) < 0.8,
            np.repeat(rng.integers(0, shape.distinct, shape.rows), shape.columns),
            rng.integers(0, shape.distinct, cells),
        )
    if shape.gaps:
        codes[rng.random(cells) < 0.25] = -1
    present = min(cells, shape.distinct)
    codes[rng.permutation(cells)[:present]] = rng.permutation(shape.distinct)[:present]
    return codes.reshape(shape.rows, shape.columns)


def array_of(codes, dtype, low):
    """The labels of codes in an array of a type, and what stands for a missing one."""
    gaps = codes < 0
    if dtype in INTEGERS:
        gap = low - 1
        plain = codes.astype(object) + low
        plain[gaps] = gap
        return plain.astype(dtype), gap
    if dtype in ("float32", "float64"):
        return np.where(gaps, np.nan, codes + low).astype(dtype), None
    if dtype == "halves":
        return np.where(gaps, np.nan, (codes + low) / 2), None
    if dtype == "bool":
        return codes.astype(bool), None
    names = np.array([f"{code:06d}" for code in range(int(codes.max(initial=0)) + 1)])
    if dtype == "text":
        return names[codes], None
    if dtype == "bytes":
        return names.astype("S")[codes], None
    out = np.empty(codes.shape, object)
    labels = list(range(len(names))) if dtype == "object" else names.tolist()
    out.reshape(-1)[:] = [None if code < 0 else labels[code] for code in codes.reshape(-1).tolist()]
    return out, None


def shapes(dtype, layout):
    """The shapes of a type and a layout: every combination of the rest, or one in WALK of them."""
    rest = [
        (columns, distinct, gaps, weighted)
        for columns, distinct, gaps, weighted in itertools.product(
            COLUMNS, DISTINCT, (False, True), (False, True)
        )
        if distinct <= most_distinct(dtype, gaps) and holds(dtype, gaps)
    ]
    start = (TYPES.index(dtype) * len(LAYOUTS) + LAYOUTS.index(layout)) * 7
    for number in range(start % min(WALK, len(rest)), len(rest), WALK):
        columns, distinct, gaps, weighted = rest[number]
        rows = ROWS[(number * 5 + start) % len(ROWS)]
        if distinct > 4096 and number % 2:  # so that the labels are many
            rows = -(-distinct // columns) + 1
        yield Shape(dtype, layout, columns, distinct, gaps, weighted, rows)


def assert_counted(sums, exact, label):
    """Compare the integers of some sums with the reference, all of them exactly."""
    kept = [s for s, n in enumerate(exact.n_items) if n]
    by_size = {exact.sizes[s]: exact.n_items[s] for s in kept}
    assert list(sums.items_by_size.items()) == list(by_size.items()), label
    for least in (1, 2):
        rows = [s for s in kept if exact.sizes[s] >= least]
        assert (sums.counts(least) == exact.marginals[rows].sum(0)).all(), label
    form = distances.nominal.bind(tuple(range(exact.K)), False)
    unequal = sums.disagreement(form)
    assert unequal == [exact.unequal[s] for s in kept], label
    coders = sums.each()
    coders = coders if isinstance(coders, np.ndarray) else coders.toarray()
    assert (coders == exact.coders).all(), label


def assert_coefficients(data, exact, label, step=None):
    """Compare D_o, D_e and their ratio with the reference."""
    for chance in CHANCES:
        result = af.agreement(data, chance=chance)
        assert result.n_items == sum(exact.n_items[s] for s in exact.least_two), label
        observed = exact.observed("items", exact.unequal)
        if observed is None:
            assert result.undefined.startswith("no pairs"), label
            continue
        expected = exact.expected(chance)
        assert close(result.observed_disagreement, observed), (label, chance)
        assert close(result.expected_disagreement, expected), (label, chance)
        assert (result.undefined is None) == (expected > 0), (label, chance)
        if expected:
            scale = max(abs(1 - observed / expected), observed / expected)
            assert close(result.value, 1 - observed / expected, scale), (label, chance)
    observed = exact.observed("judgments", exact.squares)
    if step is not None and observed is not None:
        result = af.alpha(data, "interval")
        assert close(result.observed_disagreement, observed * step**2), label
        assert close(result.expected_disagreement, exact.expected_squares() * step**2), label


def renumbered(codes):
    """Codes without the numbers that do not occur, as categories that were not declared are."""
    used = np.unique(codes[codes >= 0])
    lookup = np.full(int(used.max(initial=0)) + 2, -1)
    lookup[used] = np.arange(len(used))
    return lookup[codes], used


@pytest.mark.few
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", TYPES)
def test_every_shape_is_counted_exactly(dtype, layout):
    """Read from an array and kept, read from an array and not copied, by every route."""
    step = Fraction(1, 2) if dtype == "halves" else 1
    for number, shape in nonempty(enumerate(shapes(dtype, layout))):
        seed = number * 31 + TYPES.index(dtype)
        codes = codes_of(shape, seed)
        low = first_label(dtype, shape.distinct, shape.gaps, seed)
        plain, gap = array_of(codes, dtype, low)
        array = laid_out(plain, layout)
        weights = None
        if shape.weighted:
            weights = np.random.default_rng(seed).integers(0, 4, shape.rows)
        codes, used = renumbered(codes)
        exact = Counts(codes, weights, len(used))
        numeric = dtype in (*INTEGERS, *FLOATS, "object") and len(used) == shape.distinct
        options = {"missing": gap if shape.gaps else None, "weights": weights}
        for copy in (True, False):
            data = af.Annotations.from_wide(array, copy=copy, **options)
            if copy and array.flags.writeable:
                before = array.copy()
                array[:] = array[0, 0]  # what was read does not change with the array
            if dtype == "halves" and data.uncounted and numeric:
                result = af.alpha(data, "interval")
                observed = exact.observed("judgments", exact.squares)
                if observed is not None:
                    assert close(result.observed_disagreement, observed * step**2), shape
            assert_counted(sums_of(data), exact, shape)
            assert_coefficients(data, exact, shape, step if numeric else None)
            if copy and array.flags.writeable:
                array[:] = before
        for route in nonempty(ROUTES):
            try:
                sums = sums_by(data, route)
            except ValueError:
                continue
            assert_counted(sums, exact, (shape, route))
        # A square table of numbers is asked about.
        if weights is None and not (shape.gaps and gap is not None) and len(set(array.shape)) > 1:
            assert_coefficients(array, exact, shape)


def test_the_reference_counts_what_the_definitions_say():
    """Guard the oracle: the counting reference equals the one that walks over judgments."""
    for seed in range(12):
        table = seeded(seed, 14, 2 + seed % 4, range(4), missing=0.3 * (seed % 2), heaviest=3)
        labels = table.used
        codes = [[-1 if x is None else labels.index(x) for x in row] for row in table.rows]
        counted = Counts(np.array(codes), table.frequencies, len(labels))
        cube = table.cube()
        for chance in CHANCES:
            cell = cube.cell(chance, "items")
            assert counted.observed("items", counted.unequal) == cell.observed
            assert counted.expected(chance) == cell.expected
        cell = Counts(np.array(codes), table.frequencies, len(labels))
        exact = reference.Cube(
            reference.from_rows([[None if c < 0 else c for c in row] for row in codes]),
            reference.interval,
            weights=list(table.frequencies),
            coders=table.coders,
            categories=list(range(len(labels))),
        ).cell("pooled_unbiased", "judgments")
        assert counted.observed("judgments", counted.squares) == exact.observed
        assert counted.expected_squares() == exact.expected


#: The kernels between an array and the sums of a nominal or interval coefficient.
KERNELS = {
    "_encode": (
        "narrow_floats", "narrow_integers", "shorten_integers", "present", "recode", "copy_codes",
        "settle_integers", "few_numbers",
    ),
    "_patterns": (
        "count_keys_of_rows", "count_keys_of_columns", "count_keys", "pack_counts", "count_words",
        "group_rows",
    ),
    "_sums": (
        "sizes", "labels", "coders", "coincidences", "disagreement", "tally", "dense_disagreement",
    ),
    "_values": ("spread", "row_moments", "coder_moments"),
}  # fmt: skip


def test_the_walk_enters_every_route(monkeypatch):
    """The shapes reach every kernel; otherwise the walk would not test it."""
    monkeypatch.setattr(sys.modules[__name__], "WALK", 97)
    entered = set()

    def watched(name, kernel):
        def call(*given):
            entered.add(name)
            return kernel(*given)

        return call

    for module, names in KERNELS.items():
        whole = importlib.import_module(f"agreement_fast._kernels.{module}")
        for name in names:
            monkeypatch.setattr(whole, name, watched(name, getattr(whole, name)))
    taken, every = set(), {name for names in KERNELS.values() for name in names}
    for dtype, layout in itertools.product(("int8", "int32", "halves", "float64"), LAYOUTS[:3]):
        for number, shape in enumerate(shapes(dtype, layout)):
            codes = codes_of(shape, number)
            low = first_label(dtype, shape.distinct, shape.gaps, number)
            plain, gap = array_of(codes, dtype, low)
            weights = np.arange(shape.rows) % 3 if shape.weighted else None
            data = af.Annotations.from_wide(
                laid_out(plain, layout), missing=gap if shape.gaps else None, weights=weights
            )
            if data.uncounted:
                af.agreement(data, "beta", distance="interval")
            for route in ROUTES:
                with contextlib.suppress(ValueError):
                    sums = sums_by(data, route)
                    sums.shares(), sums.each(), sums.at_least(2).each()
                    sums.disagreement(Absolute(np.arange(len(data.labels))))
                    taken.add(route)
            af.alpha(data)
        if (taken, entered) == (set(ROUTES), every):
            break
    assert taken == set(ROUTES)
    assert entered == every
