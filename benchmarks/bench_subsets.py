"""Coefficients over every subset of the coders: 230 items, 5 categories, as in Antoine et al. 2014.

The size of a workload is its number of coders. No library has such a study: the rival is the loop
that people write. It runs on all subsets of 9 coders and on 200 random ones of 25 coders; the time
for all subsets of 25 is extrapolated, and marked as such.
"""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from contest import OURS, Row, contest, timed
from workloads import QUICK, floats, table

import agreement_fast as af
from agreement_fast.subsets import coder_subsets

ITEMS = 230
#: The number of coders. The time grows as 2 to this power, so QUICK takes fewer.
MANY, MORE = (15, 16) if QUICK else (25, 30)
FEW = 9
ALL_OF_25 = 2**25 - 26
DRAWN = 200

PAPER = {"coefficient": ["kappa", "pi", "alpha"], "distance": ["nominal", "linear"]}


def coded(n_coders, missing=0.0):
    return table(ITEMS, n_coders, 5, missing)


def annotations(n_coders, missing=0.0):
    return (af.Annotations.from_wide(coded(n_coders, missing), missing=-1, categories=range(5)),)


def means(study):
    return [row.mean for rows in study for row in rows]


def four(threads):
    """The paper's measures: multi-κ, multi-π, α nominal and α with |a − b|."""
    return lambda data: means(coder_subsets(data, **PAPER, threads=threads))


def alpha(threads=None, **options):
    return lambda data: means(coder_subsets(data, ["alpha"], threads=threads, **options))


def loop(codes):
    """Mean α of each size by a call for each subset."""
    import krippendorff

    n_coders = codes.shape[1]
    columns = np.ascontiguousarray(floats(codes).T)
    values = [[] for _ in range(n_coders + 1)]
    for mask in range(1 << n_coders):
        chosen = [c for c in range(n_coders) if mask >> c & 1]
        if len(chosen) >= 2:
            values[len(chosen)].append(
                krippendorff.alpha(columns[chosen], level_of_measurement="nominal")
            )
    return [float(np.mean(some)) for some in values[2:]]


def rivals(missing):
    def make(n):
        return (coded(n, missing),)

    return [Row("krippendorff", "a call for each subset", make, loop, items=FEW)]


test_complete = contest(
    "every subset of the coders: α nominal, complete",
    MANY,
    [Row(OURS, "new for each call, one thread", annotations, alpha(1)), *rivals(0.0)],
)

test_four_measures = contest(
    "every subset of the coders: multi-κ, multi-π, α nominal, α linear, complete",
    MANY,
    [
        Row(OURS, "new for each call, one thread", annotations, four(1)),
        Row(OURS, "new for each call, all threads", annotations, four(None)),
    ],
)

test_thirty = contest(
    "a billion subsets of 30 coders: the four measures, complete",
    MORE,
    [Row(OURS, "new for each call", annotations, four(None), slow="a billion subsets")],
)

test_missing = contest(
    "every subset of the coders: α nominal, 10 % missing",
    min(16, MANY),
    [
        Row(OURS, "new for each call, one thread", partial(annotations, missing=0.1), alpha(1)),
        *rivals(0.1),
    ],
)

test_missing_all = contest(
    "every subset of 25 coders: the four measures, 10 % missing",
    MANY,
    [
        Row(
            OURS,
            "new for each call",
            partial(annotations, missing=0.1),
            four(None),
            slow="minutes",
        )
    ],
)  # fmt: skip

test_ordinal = contest(
    "every subset of the coders: α ordinal, complete",
    min(16, MANY),
    [Row(OURS, "new for each call", annotations, alpha(1, distance=["ordinal"]))],
)


#: Some subsets of 3 to 5 of 9 coders, each once.
SELECTED = [list(some) for size in (3, 4, 5) for some in list(combinations(range(FEW), size))[:30]]


def selected(name):
    """The mean of a coefficient over the subsets, from annotations without cached results."""

    def call(codes):
        data = af.Annotations.from_wide(codes)
        return float(
            np.mean([af.agreement(data.select(coders=some), name).value for some in SELECTED])
        )

    return call


def from_counts(codes):
    """The same by krippendorff, from the counts of each item's labels."""
    import krippendorff

    each = (codes[:, :, None] == np.arange(5)).astype(np.int64)
    return float(
        np.mean(
            [
                krippendorff.alpha(
                    value_counts=each[:, some].sum(1), level_of_measurement="nominal"
                )
                for some in SELECTED
            ]
        )
    )


def few_coders(n):
    return (table(n, FEW, 5, 0.0),)


test_selections = contest(
    f"α of {len(SELECTED)} selections of 3 to 5 of 9 coders, each alone",
    1000,
    [
        Row(OURS, "int8 table", few_coders, selected("alpha")),
        Row("krippendorff", "counts", few_coders, from_counts),
    ],
    also=[10, 100, 10_000],
)

test_selections_kappa = contest(
    f"κ of {len(SELECTED)} selections of 3 to 5 of 9 coders, each alone",
    1000,
    [Row(OURS, "int8 table", few_coders, selected("kappa"))],
)


@pytest.mark.benchmark(group="200 random subsets of 25 coders, extrapolated to all")
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_a_loop_extrapolated(benchmark, missing, capsys):
    """Time krippendorff.alpha on 200 random subsets of all sizes, and extrapolate to all."""
    krippendorff = pytest.importorskip("krippendorff")
    codes = coded(25, missing)
    columns = np.ascontiguousarray(floats(codes).T)
    rng = np.random.default_rng(1)
    drawn = [np.flatnonzero(rng.random(25) < 0.5) for _ in range(2 * DRAWN)]
    drawn = [chosen for chosen in drawn if len(chosen) >= 2][:DRAWN]

    def call():
        return [
            krippendorff.alpha(columns[chosen], level_of_measurement="nominal") for chosen in drawn
        ]

    result, _ = timed(call, ())
    data = af.Annotations.from_wide(codes, missing=-1, categories=range(5))
    ours = [af.alpha(data.select(coders=chosen.tolist())).value for chosen in drawn]
    assert result == pytest.approx(ours, rel=1e-9)
    benchmark.pedantic(call, rounds=3)
    hours = benchmark.stats.stats.median / DRAWN * ALL_OF_25 / 3600
    benchmark.extra_info.update(extrapolated_hours=hours, subsets=ALL_OF_25)
    with capsys.disabled():
        print(
            f"\nkrippendorff.alpha, {missing:.0%} missing, extrapolated from {DRAWN} random "
            f"subsets to all {ALL_OF_25:,}: {hours:.2f} hours"
        )
