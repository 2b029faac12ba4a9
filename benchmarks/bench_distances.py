"""Distances other than nominal, on values with few repeats or many categories."""

import numpy as np
from contest import OURS, REFERENCE, Row, contest
from workloads import distance_matrix, read, scores, table

import agreement_fast as af

MILLION = 1_000_000

#: Why a row needs LARGE=1. Its workload also runs at a smaller size.
ALL_PAIRS = "100,000 distinct values take a minute: it goes over all pairs of values"


def alpha(distance):
    return lambda x: af.alpha(x, distance).value


def measured(n):
    return (scores(n),)


def far_off(n):
    """Values around 1e9, ± 1 and less, and the same ones around 0: both are exact in binary."""
    near = np.round(np.tanh(scores(n) / 10) * 2.0**20) / 2.0**20
    return near, near + 1e9


def krippendorff(level):
    def call(x):
        import krippendorff

        return krippendorff.alpha(reliability_data=x, level_of_measurement=level)

    return call


def nltk(distance):
    def call(x):
        from nltk.metrics.agreement import AnnotationTask

        said = x.tolist()
        data = [(c, i, k) for i, row in enumerate(said) for c, k in enumerate(row)]
        return AnnotationTask(data, distance).alpha()

    return call


def of_coders(n):
    return (np.ascontiguousarray(scores(n).T),)


test_interval = contest(
    "α interval: 5 coders, nearly all values distinct",
    MILLION,
    [
        Row(OURS, "float64", measured, alpha("interval")),
        Row(
            "krippendorff", "float64 coders x items", of_coders, krippendorff("interval"),
            items=100,
        ),
        Row("nltk", "triples made from float64", measured, nltk(lambda a, b: (a - b) ** 2), 300),
        Row(REFERENCE, "one read", measured, read),
    ],
    also=[100_000, 5_000],
)  # fmt: skip

# The expected value is that of the same numbers around 0, to 12 digits.
test_interval_far_from_zero = contest(
    "α interval: values around 1e9, to 1e-12",
    MILLION,
    [
        Row(OURS, "float64 around 0", lambda n: far_off(n)[:1], alpha("interval")),
        Row(OURS, "float64 around 1e9", lambda n: far_off(n)[1:], alpha("interval"), items=100_000),
        Row(
            OURS,
            "float64 around 1e9",
            lambda n: far_off(n)[1:],
            alpha("interval"),
        ),
    ],
    rel=1e-12,
)


def half_points(n):
    """1, 1.5, ..., 5, a tenth of them missing."""
    codes = table(n, categories=9)
    return (np.where(codes < 0, np.nan, 1 + codes / 2),)


def half_points_of_coders(n):
    return (np.ascontiguousarray(half_points(n)[0].T),)


def of_half_points(level):
    return contest(
        f"α {level}: 5 coders, half points",
        MILLION,
        [
            Row(OURS, "float64", half_points, alpha(level)),
            Row(
                "krippendorff", "float64 coders x items", half_points_of_coders, krippendorff(level)
            ),
            *(
                Row(
                    "krippendorff", "float64 coders x items", half_points_of_coders,
                    krippendorff(level), items=items,
                )
                for items in (200, 5_000)
            ),
            Row(REFERENCE, "one read", half_points, read),
        ],
    )  # fmt: skip


test_nominal_half_points = of_half_points("nominal")
test_interval_half_points = of_half_points("interval")

test_ordinal = contest(
    "α ordinal: 5 coders, nearly all values distinct",
    MILLION,
    [
        Row(OURS, "float64", measured, alpha("ordinal")),
        Row(
            "krippendorff", "float64 coders x items", of_coders, krippendorff("ordinal"),
            items=100,
        ),
        Row(REFERENCE, "one sort", measured, lambda x: np.sort(x, axis=None) is None),
        Row(REFERENCE, "one read", measured, read),
    ],
    also=[100_000],
)  # fmt: skip

test_linear = contest(
    "α linear: 5 coders, nearly all values distinct",
    MILLION,
    [
        Row(OURS, "float64", measured, alpha("linear")),
        Row("nltk", "triples made from float64", measured, nltk(lambda a, b: abs(a - b)), 300),
        Row(REFERENCE, "one sort", measured, lambda x: np.sort(x, axis=None) is None),
        Row(REFERENCE, "one read", measured, read),
    ],
    also=[100_000],
)


def as_many_values_as_items(n):
    return (scores(n, 5, n),)


def positive(title, distance, rivals=()):
    return contest(
        f"α {title}: 5 coders, all values distinct",
        100_000,
        [
            Row(OURS, "float64", as_many_values_as_items, alpha(distance), slow=ALL_PAIRS),
            *rivals,
            Row(REFERENCE, "one read", as_many_values_as_items, read),
        ],
        also=[5_000],
    )


test_ratio = positive(
    "ratio",
    "ratio",
    [
        Row(
            "krippendorff", "float64 coders x items",
            lambda n: (as_many_values_as_items(n)[0].T.copy(),), krippendorff("ratio"), items=200,
        )
    ],
)  # fmt: skip
test_bipolar = positive("bipolar", af.distances.bipolar(0, 100_001))


def many_categories(n):
    return table(n, 3, 1000, 0.0, "int16"), distance_matrix(1000)


def with_matrix(x, d):
    return af.alpha(af.Annotations.from_wide(x, categories=range(len(d))), d).value


def nltk_matrix(x, d):
    return nltk(lambda a, b: d[a, b])(x)


test_matrix = contest(
    "α with a distance matrix: 3 coders, 1,000 categories",
    MILLION,
    [
        Row(OURS, "int16 and 1,000 x 1,000 distances", many_categories, with_matrix),
        Row("nltk", "triples made from int16", many_categories, nltk_matrix, items=300),
        Row(REFERENCE, "one read", many_categories, read),
    ],
)
