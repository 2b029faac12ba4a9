"""The coefficients from arrays and counts, compared with other tools."""

import numpy as np
from contest import OURS, REFERENCE, Row, contest
from workloads import counts, floats, read, table

import agreement_fast as af

MILLION = 1_000_000


def columns(codes):
    """Coders × items, with each coder's judgments contiguous, as most tools expect."""
    return np.ascontiguousarray(codes.T)


def triples(codes):
    """(coder, item, label) as NLTK expects them."""
    said = codes.tolist()
    return [(c, i, k) for i, row in enumerate(said) for c, k in enumerate(row) if k >= 0]


def krippendorff(level, name="reliability_data"):
    def call(data):
        import krippendorff

        return krippendorff.alpha(**{name: data}, level_of_measurement=level)

    return call


def nltk(method, distance=None):
    def call(data):
        from nltk.metrics.agreement import AnnotationTask

        task = AnnotationTask(data) if distance is None else AnnotationTask(data, distance)
        return getattr(task, method)()

    return call


def irrcac(method):
    def call(frame):
        from irrCAC.raw import CAC

        return getattr(CAC(frame, digits=15), method)()["est"]["coefficient_value"]

    return call


def frame(array):
    import pandas as pd

    return pd.DataFrame(array)


# ---------------------------------------------------------------------- α, missing judgments


def from_codes(distance):
    return lambda x: af.alpha(af.Annotations.from_wide(x, missing=-1), distance).value


def alpha(title, distance, level, rivals=()):
    """α under a distance on 1,000,000 × 5, 10 % missing."""
    return contest(
        f"α {title}: 5 coders, 5 categories, 10 % missing",
        MILLION,
        [
            Row(OURS, "int8", lambda n: (table(n),), from_codes(distance)),
            Row(
                OURS, "float64",
                lambda n: (floats(table(n)),), lambda x: af.alpha(x, distance).value,
            ),
            Row(
                OURS, "counts", lambda n: (counts(table(n)),),
                lambda x: af.alpha(af.Annotations.from_counts(x), distance).value,
            ),
            Row(
                "krippendorff", "float64 coders x items",
                lambda n: (columns(floats(table(n))),), krippendorff(level),
            ),
            Row(
                "krippendorff", "counts",
                lambda n: (counts(table(n)),), krippendorff(level, "value_counts"),
            ),
            *rivals,
            Row(REFERENCE, "one read of the int8", lambda n: (table(n),), read, against="int8"),
            Row(
                REFERENCE, "one read of the float64",
                lambda n: (floats(table(n)),), read, against="float64",
            ),
        ],
    )  # fmt: skip


test_alpha_nominal = alpha(
    "nominal",
    "nominal",
    "nominal",
    [
        Row("nltk", "triples", lambda n: (triples(table(n)),), nltk("alpha"), items=100_000),
        Row(
            "irrCAC",
            "data frame",
            lambda n: (frame(floats(table(n))),),
            irrcac("krippendorff"),
            items=500_000,
        ),
    ],
)
test_alpha_ordinal = alpha("ordinal", "ordinal", "ordinal")
test_alpha_interval = alpha("interval", "interval", "interval")


# ---------------------------------------------------------------------- the whole cube


def seven(*distances):
    """All named coefficients under some distances, given codes or annotations."""

    def call(codes):
        data = af.Annotations.from_wide(codes, missing=-1)
        result = af.agreement_table(data, list(af.COEFFICIENTS), distances)
        return result["alpha"].value

    return call


test_all_coefficients = contest(
    "all coefficients, nominal and interval: 5 coders, 5 categories, 10 % missing",
    MILLION,
    [
        Row(OURS, "int8", lambda n: (table(n),), seven("nominal", "interval")),
        Row(REFERENCE, "our alpha alone", lambda n: (table(n),), from_codes("nominal")),
        Row(REFERENCE, "one read", lambda n: (table(n),), read),
    ],
)


def complete(n):
    return (table(n, missing=0.0),)


def fleiss_from_raw(x):
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return fleiss_kappa(aggregate_raters(x)[0])


def fleiss_from_counts(x):
    from statsmodels.stats.inter_rater import fleiss_kappa

    return fleiss_kappa(x)


test_pi = contest(
    "π (Fleiss' kappa): 5 coders, 5 categories, complete",
    MILLION,
    [
        Row(OURS, "int8", complete, lambda x: af.pi(x).value),
        Row(
            OURS,
            "counts",
            lambda n: (counts(*complete(n)),),
            lambda x: af.pi(af.Annotations.from_counts(x)).value,
        ),
        Row("statsmodels", "int8", complete, fleiss_from_raw),
        Row("statsmodels", "counts", lambda n: (counts(*complete(n)),), fleiss_from_counts),
        Row("irrCAC", "data frame", lambda n: (frame(*complete(n)),), irrcac("fleiss"), 500_000),
        Row("nltk", "triples", lambda n: (triples(*complete(n)),), nltk("pi"), 20_000),
        Row(REFERENCE, "one read", complete, read, against="int8"),
        Row(
            REFERENCE,
            "one read of the counts",
            lambda n: (counts(*complete(n)),),
            read,
            against="counts",
        ),
    ],
)

test_multi_kappa = contest(
    "multi-κ: 5 coders, 5 categories, complete",
    MILLION,
    [
        Row(OURS, "int8", complete, lambda x: af.kappa(x).value),
        Row("irrCAC", "data frame", lambda n: (frame(*complete(n)),), irrcac("conger"), 200_000),
        Row("nltk", "triples", lambda n: (triples(*complete(n)),), nltk("multi_kappa"), 20_000),
        Row(REFERENCE, "one read", complete, read),
    ],
)


# ---------------------------------------------------------------------- many categories


def many(width, categories, level, distance, dtype="int8"):
    """Tables with few repeated rows, so that grouping them gains nothing."""

    def made(n):
        return (table(n, width, categories, 0.0, dtype),)

    return contest(
        f"{level} alpha: {width} coders, {categories} categories, complete, {dtype}",
        MILLION,
        [
            Row(OURS, "items x coders", made, lambda x: af.alpha(x, distance).value),
            Row(
                "krippendorff", "counts",
                lambda n: (counts(*made(n)),), krippendorff(level, "value_counts"),
                # It takes 240 kB an item with 100 categories.
                items=100_000 if categories < 100 else 50_000,
            ),
            Row(REFERENCE, "one read", made, read),
        ],
    )  # fmt: skip


test_alpha_nominal_8x20 = many(8, 20, "nominal", "nominal")
test_alpha_interval_8x20 = many(8, 20, "interval", "interval")
test_alpha_ordinal_8x20 = many(8, 20, "ordinal", "ordinal")
test_alpha_nominal_3x50 = many(3, 50, "nominal", "nominal", "int16")
test_alpha_nominal_4x100 = many(4, 100, "nominal", "nominal", "int16")


# ---------------------------------------------------------------------- Cohen's κ


def pair(dtype, order="C"):
    """Two coders, ten categories, complete."""
    return lambda n: (np.asarray(table(n, 2, 10, 0.0), dtype, order=order),)


def two_columns(dtype):
    return lambda n: tuple(np.array(column, dtype) for column in table(n, 2, 10, 0.0).T)


def sklearn(weights):
    def call(first, second):
        from sklearn.metrics import cohen_kappa_score

        return cohen_kappa_score(first, second, weights=weights)

    return call


def statsmodels(**options):
    def call(x):
        from statsmodels.stats.inter_rater import cohens_kappa, to_table

        return cohens_kappa(to_table(x, bins=10)[0], return_results=False, **options)

    return call


def cohen(title, dtype, ours, weights, options, rivals=()):
    return contest(
        f"Cohen's κ, {title}, {dtype}: 2 coders, 10 categories, complete",
        10_000_000,
        [
            Row(OURS, "items x coders", pair(dtype), ours),
            Row(OURS, "items x coders, columns in one piece", pair(dtype, "F"), ours),
            Row(
                "scikit-learn", "two arrays", two_columns(dtype), sklearn(weights), needs="sklearn"
            ),
            Row("statsmodels", "items x coders", pair(dtype), statsmodels(**options)),
            *rivals,
            Row(REFERENCE, "one read", pair(dtype), read),
        ],
    )


def quadratic(x):
    return af.weighted_kappa(x, "quadratic").value


def plain(x):
    return af.kappa(x).value


test_cohen_int8 = cohen(
    "plain", "int8", plain, None, {},
    [Row("nltk", "triples", lambda n: (triples(*pair("int8")(n)),), nltk("kappa"), 50_000)],
)  # fmt: skip
test_cohen_int64 = cohen("plain", "int64", plain, None, {})


def cohen_of_many(dtype):
    """A thousand categories, as a table and as two arrays."""

    def made(n):
        return (table(n, 2, 1000, 0.0, dtype),)

    def apart(n):
        return tuple(np.ascontiguousarray(column) for column in made(n)[0].T)

    return contest(
        f"Cohen's κ, plain, {dtype}: 2 coders, 1,000 categories, complete",
        MILLION,
        [
            Row(OURS, "items x coders", made, plain),
            Row(OURS, "two arrays", apart, lambda first, second: af.kappa(first, second).value),
            Row("scikit-learn", "two arrays", apart, sklearn(None), needs="sklearn"),
            Row(REFERENCE, "one read", made, read),
        ],
    )


test_cohen_of_many_int16 = cohen_of_many("int16")
test_cohen_of_many_int64 = cohen_of_many("int64")
test_cohen_quadratic_int8 = cohen("quadratic", "int8", quadratic, "quadratic", {"wt": "quadratic"})
test_cohen_quadratic_int64 = cohen(
    "quadratic", "int64", quadratic, "quadratic", {"wt": "quadratic"}
)


# ---------------------------------------------------------------------- few repeated rows


def crowded(n):
    return (table(n, 25, 5, 0.0),)


test_25_coders = contest(
    "all coefficients, nominal: 25 coders, 5 categories, complete",
    MILLION,
    [
        Row(OURS, "int8", crowded, seven("nominal")),
        Row(
            "krippendorff", "counts",
            lambda n: (counts(*crowded(n)),), krippendorff("nominal", "value_counts"),
        ),
        Row(REFERENCE, "our alpha alone", crowded, from_codes("nominal")),
        Row(REFERENCE, "one read", crowded, read),
    ],
)  # fmt: skip


def pairs_of(x):
    """The share of agreements in the contingency table of each pair of coders."""
    tables = af.Annotations.from_wide(x).contingency_tables()
    return (np.trace(tables, axis1=1, axis2=2) / len(x)).tolist()


def confusion_matrices(x):
    from sklearn.metrics import confusion_matrix

    C = x.shape[1]
    columns = np.ascontiguousarray(x.T)
    return [
        int(np.trace(confusion_matrix(columns[a], columns[b]))) / len(x)
        for a in range(C)
        for b in range(a + 1, C)
    ]


test_contingency_tables = contest(
    "all 300 contingency tables: 25 coders, 5 categories, complete",
    MILLION,
    [
        Row(OURS, "int8", crowded, pairs_of),
        Row("scikit-learn", "int8", crowded, confusion_matrices, 10_000, "sklearn"),
        Row(REFERENCE, "one read", crowded, read),
    ],
)


# ---------------------------------------------------------------------- one small call

TINY = 12


def as_lists(codes):
    return [[None if k < 0 else k for k in row] for row in codes.tolist()]


def tiny(n):
    return (table(TINY, 4, 4, 0.1),)


def tiny_complete(n):
    return (table(TINY, 4, 4, 0.0, "int64"),)


def tiny_pair(n):
    return tuple(np.array(column, np.int64) for column in table(TINY, 2, 4, 0.0).T)


test_small_alpha = contest(
    "one call: α nominal, 12 items, 4 coders, missing",
    TINY,
    [
        Row(OURS, "float64", lambda n: (floats(*tiny(n)),), lambda x: af.alpha(x).value),
        Row(OURS, "int8", tiny, from_codes("nominal")),
        Row(OURS, "lists", lambda n: (as_lists(*tiny(n)),), lambda x: af.alpha(x).value),
        Row(
            OURS, "Annotations, new for each call",
            lambda n: (af.Annotations.from_wide(floats(*tiny(n))),), lambda x: af.alpha(x).value,
        ),
        Row(
            "krippendorff", "float64 coders x items",
            lambda n: (columns(floats(*tiny(n))),), krippendorff("nominal"),
        ),
        Row("nltk", "triples", lambda n: (triples(*tiny(n)),), nltk("alpha")),
    ],
)  # fmt: skip

test_small_pi = contest(
    "one call: π, 12 items, 4 coders, complete",
    TINY,
    [
        Row(OURS, "int64", tiny_complete, lambda x: af.pi(x).value),
        Row(
            OURS, "counts", lambda n: (counts(*tiny_complete(n)),),
            lambda x: af.pi(af.Annotations.from_counts(x)).value,
        ),
        Row("statsmodels", "int64", tiny_complete, fleiss_from_raw),
        Row("statsmodels", "counts", lambda n: (counts(*tiny_complete(n)),), fleiss_from_counts),
    ],
)  # fmt: skip

test_small_kappa = contest(
    "one call: Cohen's κ, 12 items, 2 coders, complete",
    TINY,
    [
        Row(
            OURS, "int64", lambda n: (np.column_stack(tiny_pair(n)),), lambda x: af.kappa(x).value
        ),
        Row("scikit-learn", "two arrays", tiny_pair, sklearn(None), needs="sklearn"),
    ],
)  # fmt: skip
