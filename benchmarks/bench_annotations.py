"""Read judgments in every form that people have, and compute α."""

import numpy as np
from contest import OURS, REFERENCE, Row, contest
from workloads import bytes_of, crowd, hand_over, read, strings, table, wide_ids, zipf

import agreement_fast as af

MILLION = 1_000_000


def alpha(data):
    return af.alpha(data).value


# ---------------------------------------------------------------------- Python objects


def texts(n):
    return (strings(table(n)),)


def lists(n):
    return (strings(table(n)).tolist(),)


def fixed_width(n):
    codes = table(n)
    return (np.array([*(f"category {k}" for k in range(5)), "nan"])[codes],)


def triples(n):
    said = strings(table(n)).tolist()
    return ([(c, i, k) for i, row in enumerate(said) for c, k in enumerate(row) if k],)


def nltk(data):
    from nltk.metrics.agreement import AnnotationTask

    return AnnotationTask(data).alpha()


def krippendorff(data):
    import krippendorff

    return krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")


test_python_strings = contest(
    "α nominal from Python strings: 5 coders, 5 categories, 10 % missing",
    MILLION,
    [
        Row(OURS, "list of rows", lists, alpha),
        Row(OURS, "object array", texts, alpha),
        Row(
            OURS, "array of fixed-width strings", fixed_width,
            lambda x: af.alpha(af.Annotations.from_wide(x, missing="nan")).value,
        ),
        Row(
            OURS, "triples", triples,
            lambda x: af.alpha(af.Annotations.from_triples(x)).value, items=100_000,
        ),
        Row("nltk", "triples", triples, nltk, items=100_000),
        Row(
            "krippendorff", "array of fixed-width strings, coders x items",
            lambda n: (np.ascontiguousarray(fixed_width(n)[0].T),), krippendorff, items=100_000,
        ),
        Row(REFERENCE, "one read of the objects", lists, hand_over),
    ],
)  # fmt: skip


# ---------------------------------------------------------------------- data frames


def arrow_strings(codes, prefix):
    """Codes as an Arrow column of strings; missing judgments are null."""
    import pyarrow as pa

    names = pa.array([f"{prefix}{k}" for k in range(int(codes.max()) + 1)])
    places = pa.array(codes.astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(places, names).cast(pa.string())


def wide_arrow(n):
    import pyarrow as pa

    codes = table(n)
    return pa.table({f"coder {c}": arrow_strings(codes[:, c], "category ") for c in range(5)})


def long_arrow(items, coders, labels, *, text_items=True):
    import pyarrow as pa

    return pa.table(
        {
            "item": arrow_strings(items, "item ") if text_items else pa.array(items),
            "coder": arrow_strings(coders, "coder "),
            "label": arrow_strings(labels, "category "),
        }
    )


def few_coders_arrow(n):
    """Five coders, one judgment per row: items as numbers, coders and labels as text."""
    codes = table(n)
    item, coder = np.indices(codes.shape)
    return long_arrow(item.ravel(), coder.ravel(), codes.ravel(), text_items=False)


def crowd_arrow(n):
    return long_arrow(*crowd(n))


def shuffled_arrow(n):
    return long_arrow(*crowd(n, coders=1000, shuffled=True))


def to_pandas(data):
    return data.to_pandas()


def to_polars(data):
    import polars as pl

    return pl.from_arrow(data)


def to_pyarrow(data):
    return data


LIBRARIES = {"pandas": to_pandas, "polars": to_polars, "pyarrow": to_pyarrow}


def encode_pandas(frame):
    import pandas as pd

    for name in frame.columns:
        if frame[name].dtype != np.int64:
            pd.factorize(frame[name])


def encode_polars(frame):
    import polars as pl

    for column in frame.get_columns():
        if column.dtype == pl.String:
            column.cast(pl.Categorical)


def encode_pyarrow(data):
    import pyarrow as pa

    for column in data.columns:
        if pa.types.is_string(column.type):
            column.dictionary_encode()


ENCODERS = {"pandas": encode_pandas, "polars": encode_polars, "pyarrow": encode_pyarrow}


def from_long(frame):
    data = af.Annotations.from_frame(frame, item="item", coder="coder", label="label")
    return af.alpha(data).value


def frames(group, make, call, items=MILLION):
    """Our reading of each library's frame, compared with the library's own encoding."""

    def of(library):
        return lambda n: (LIBRARIES[library](make(n)),)

    rows = [Row(OURS, library, of(library), call, needs=library) for library in LIBRARIES]
    rows += [
        Row(
            REFERENCE,
            f"{library}'s own dictionary encoding",
            of(library),
            encode,
            needs=library,
            against=library,
        )
        for library, encode in ENCODERS.items()
    ]
    rows.append(Row(REFERENCE, "one read of the Arrow buffers", lambda n: bytes_of(make(n)), read))
    return contest(group, items, rows)


test_wide_frames = frames(
    "α nominal from data frames, one column per coder: 5 coders, text, 10 % missing",
    wide_arrow,
    alpha,
)
test_long_frames = frames(
    "α nominal from data frames, one judgment per row: 5 coders, text, 10 % missing",
    few_coders_arrow,
    from_long,
)
test_crowd_frames = frames(
    "α nominal from data frames, one judgment per row: 10,000 coders, 5 judgments an item, text",
    crowd_arrow,
    from_long,
)
test_shuffled_frames = frames(
    "α nominal from data frames, one judgment per row: shuffled, 200,000 text items, 1,000 coders",
    shuffled_arrow,
    from_long,
    items=200_000,
)


# ---------------------------------------------------------------------- large ids as labels


def factorize(ids):
    import pandas as pd

    pd.factorize(ids.reshape(-1))


def ids(group, distinct):
    """Labels that are large integers."""

    def make(n):
        return (wide_ids(n, distinct=distinct),)

    return contest(
        group,
        MILLION,
        [
            Row(OURS, "int64", make, alpha),
            Row(
                "krippendorff", "float64, coders x items",
                lambda n: (make(n)[0].T.astype(np.float64),), krippendorff, items=100,
            ),
            Row(REFERENCE, "pandas.factorize", make, factorize, needs="pandas"),
        ],
    )  # fmt: skip


test_ids = ids("α nominal of 3 coders' labels that are ids: 1,000 distinct, up to 10^12", 1000)
test_many_ids = ids(
    "α nominal of 3 coders' labels that are ids: 100,000 distinct, up to 10^12", 100_000
)


# ---------------------------------------------------------------------- many coders


def from_columns(items, coders, labels):
    return af.alpha(af.Annotations.from_long(items, coders, labels)).value


test_crowd = contest(
    "α nominal from three integer arrays: 10,000 coders, 5 judgments an item",
    MILLION,
    [
        Row(OURS, "int64, sorted by item", crowd, from_columns),
        Row(OURS, "int64, shuffled", lambda n: crowd(n, shuffled=True), from_columns),
        Row(OURS, "int32, sorted by item", lambda n: crowd(n, dtype="int32"), from_columns),
        Row(
            OURS, "int32, shuffled",
            lambda n: crowd(n, dtype="int32", shuffled=True), from_columns,
        ),
        Row(REFERENCE, "one read of the int64", crowd, read),
    ],
)  # fmt: skip


def count_pairs(items, coders, labels):
    """The counts that determine α, for numbered items and labels. They do not say who judged."""
    np.bincount(items * 5 + labels)


test_zipf = contest(
    "α nominal from three int64 arrays: 4,300,000 judgments, 50,000 coders of Zipf sizes",
    4_300_000,
    [
        Row(OURS, "shuffled", zipf, from_columns),
        Row(REFERENCE, "numpy's bincount of items × labels", zipf, count_pairs),
        Row(REFERENCE, "one read of the int64", zipf, read),
    ],
)

test_zipf_sorted = contest(
    "α nominal from three int64 arrays sorted by item: 50,000 coders of Zipf sizes",
    4_300_000,
    [
        Row(OURS, "sorted by item", lambda n: zipf(n, shuffled=False), from_columns),
        Row(
            REFERENCE, "numpy's bincount of items × labels",
            lambda n: zipf(n, shuffled=False), count_pairs,
        ),
    ],
)  # fmt: skip


# ---------------------------------------------------------------------- triples of texts


def text_triples(n, shuffled=False):
    """Triples as a reader of files makes them: every text an object of its own."""
    codes = table(n, missing=0.0).tolist()
    made = [
        (f"coder {c}", f"item {i}", f"category {k}")
        for i, row in enumerate(codes)
        for c, k in enumerate(row)
    ]
    if shuffled:
        made = [made[i] for i in np.random.default_rng(1).permutation(len(made))]
    return (made,)


def from_triples(data):
    return af.alpha(af.Annotations.from_triples(data)).value


test_triples = contest(
    "α nominal from NLTK's triples of texts, every text an object of its own: 5 coders",
    90_000,
    [
        Row(OURS, "by item", text_triples, from_triples),
        Row(OURS, "shuffled", lambda n: text_triples(n, shuffled=True), from_triples),
        Row("nltk", "by item", text_triples, nltk),
        Row("nltk", "shuffled", lambda n: text_triples(n, shuffled=True), nltk),
    ],
)
