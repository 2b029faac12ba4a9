"""Studies over coders: the majority reference of all subsets, each coder left out, simulation."""

from itertools import combinations, islice

import numpy as np
from contest import OURS, REFERENCE, Row, contest
from workloads import QUICK, crowd, read, table

import agreement_fast as af
from agreement_fast import subsets
from agreement_fast.diagnostics import coder_report

ITEMS, CODERS = 230, 15 if QUICK else 25


def sentences(n):
    """230 × 25 × 5, complete: the shape of Antoine et al. 2014 (15 coders where QUICK)."""
    return (af.Annotations.from_wide(table(n, CODERS, 5, 0.0)),)


def one_thread(ties):
    """Mean and extremes of the share of changed items with 10 coders, from all subsets."""

    def call(data):
        result = subsets.reference_stability(data, ties=ties, threads=1)
        return [result.changed[9], result.minimum[9], result.maximum[9]]

    return call


def means_only(data):
    return subsets.reference_stability(data, max_subsets=0).changed.tolist()[:1]


def all_subsets(ties):
    return contest(
        f"majority reference of all {2**CODERS - 1:,} subsets of {CODERS} coders, ties={ties!r}, "
        "one thread",
        ITEMS,
        [Row(OURS, "Annotations, new for each call", sentences, one_thread(ties))],
    )


test_change = all_subsets("change")
test_first = all_subsets("first")
test_fractional = all_subsets("fractional")
test_median = all_subsets("median")


# ---------------------------------------------------------------------- against a loop

#: The number of subsets of 10 coders for a loop over numpy.
SOME = 2000


def some_subsets(data):
    """The first subsets of 10 in our kernel: how many items each changes."""
    from agreement_fast._kernels._majority import Moves
    from agreement_fast.subsets.references import Walk

    walk = Walk(data, "first", np.zeros(1), np.array([10]))
    chosen = np.array(list(islice(combinations(range(CODERS), 10), SOME)), np.int32)
    ends = np.arange(1, SOME + 1, dtype=np.int64) * 10
    piece = Moves(chosen.reshape(-1), ends, np.full(SOME, 10, np.int32), True)
    return float(walk._values([piece], 0, 1).mean())


def loop_of_numpy(codes):
    """Subset by subset: count, take the first most frequent category, compare."""
    n, K = len(codes), int(codes.max()) + 1
    rows = np.arange(n)
    one_hot = np.zeros((CODERS, n, K), np.int64)
    for c in range(CODERS):
        one_hot[c, rows, codes[:, c]] = 1
    whole = one_hot.sum(0).argmax(1)
    changed = [
        int((one_hot[list(chosen)].sum(0).argmax(1) != whole).sum())
        for chosen in islice(combinations(range(CODERS), 10), SOME)
    ]
    return sum(changed) / SOME


test_against_a_loop = contest(
    f"majority reference of {SOME:,} subsets of 10 of {CODERS} coders, each from scratch",
    ITEMS,
    [
        Row(OURS, "Annotations, new for each call", sentences, some_subsets),
        Row("numpy", "int8", lambda n: (table(n, CODERS, 5, 0.0),), loop_of_numpy),
    ],
)


test_means = contest(
    f"mean changes of the majority reference for all {CODERS} sizes, in closed form",
    ITEMS,
    [Row(OURS, "Annotations, new for each call", sentences, means_only)],
)


#: Every item judged by all of them.
MANY = 30 if QUICK else 300


def many_judgments(n):
    """230 items × 300 coders × 5."""
    return (af.Annotations.from_wide(table(n, MANY, 5, 0.0), coders=range(MANY)),)


test_means_of_hundreds = contest(
    f"mean changes of the majority reference for all {MANY} sizes, in closed form",
    ITEMS,
    [Row(OURS, "Annotations, new for each call", many_judgments, means_only)],
)


# ---------------------------------------------------------------------- each coder left out

MILLION = 1_000_000


def many_coders(n):
    """10,000 coders, five judgments an item."""
    return (af.Annotations.from_long(*crowd(n)),)


def left_out(data):
    studies = (coder_report(data, name, intervals=False) for name in ("pi", "kappa", "alpha"))
    return [float(np.nanmean((study.value + study.change)[:3])) for study in studies]


def selected(data):
    """Leave out the first three coders by selecting the others; all take 3,333 times as long."""
    result = []
    for c in range(3):
        rest = data.select(coders=[name for name in data.coders if name != c])
        result.append([af.agreement(rest, name).value for name in ("pi", "kappa", "alpha")])
    return np.mean(result, axis=0).tolist()


test_left_out = contest(
    "π, κ and α without each of 10,000 coders, 5 judgments an item",
    MILLION,
    [
        Row(OURS, "Annotations, new for each call", many_coders, left_out),
        Row("select", "three of the coders only", many_coders, selected, needs="agreement_fast"),
        Row(REFERENCE, "one read", lambda n: crowd(n), read),
    ],
)

#: Coders of a crowd, each of whom judges twenty items.
CROWD = 500 if QUICK else 50_000


def crowded(n):
    """50,000 coders, five judgments an item."""
    return (af.Annotations.from_long(*crowd(n, coders=CROWD)),)


def every_coefficient(data):
    names = [result.coefficient for result in af.agreement_table(data)]
    studies = (coder_report(data, name, intervals=False) for name in names)
    return [float(np.nanmean((study.value + study.change)[:2])) for study in studies]


def selected_twice(data):
    """Leave out two coders by selecting the others; all take 25,000 times as long."""
    result = []
    for c in range(2):
        rest = data.select(coders=[name for name in data.coders if name != c])
        result.append([one.value for one in af.agreement_table(rest)])
    return np.mean(result, axis=0).tolist()


test_left_out_of_a_crowd = contest(
    f"S, π, κ, α and AC without each of {CROWD:,} coders, 5 judgments an item",
    200_000,
    [
        Row(OURS, "Annotations, new for each call", crowded, every_coefficient),
        Row("select", "two of the coders only", crowded, selected_twice, needs="agreement_fast"),
    ],
)

test_against_rest = contest(
    "κ of each of 10,000 coders against the others",
    MILLION,
    [
        Row(
            OURS,
            "Annotations, new for each call",
            many_coders,
            lambda data: float(np.nanmean(coder_report(data, intervals=False).against_rest)),
        ),
    ],
)


# ---------------------------------------------------------------------- simulation


def simulated(n):
    shares = {-2: 8, -1: 17, 0: 38, 1: 23, 2: 14}
    made = subsets.simulate(
        shares, reliability=0.57, distance="interval", n_items=n, n_coders=5, rng=1
    )
    return made.annotations.n_judgments


test_simulate = contest(
    "annotations of a given reliability drawn: 5 coders, 5 categories",
    MILLION,
    [Row(OURS, "shares", lambda n: (n,), simulated)],
)
