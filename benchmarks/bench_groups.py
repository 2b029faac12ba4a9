"""Coefficients of many groups from one long frame, compared with polars and with a loop."""

import numpy as np
from contest import OURS, REFERENCE, Row, contest
from workloads import table

from agreement_fast import agreement_by_group

#: Items and coders of a group.
ITEMS, CODERS = 12, 4


def columns(groups):
    """Group, item, coder and label of every judgment; items are numbered in each group."""
    codes = table(groups * ITEMS, CODERS, 5, 0.0)
    row, coder = np.divmod(np.arange(codes.size), CODERS)
    group, item = np.divmod(row, ITEMS)
    return {"group": group, "item": item, "coder": coder, "label": codes.reshape(-1)}


def pandas(groups):
    import pandas as pd

    return (pd.DataFrame(columns(groups)),)


def polars(groups):
    import polars as pl

    return (pl.DataFrame(columns(groups)),)


def ours(frame):
    """α of each group, with its interval."""
    result = agreement_by_group(frame, "group", item="item", coder="coder", label="label")
    return [row for row in result.to_dict()["value"] if row is not None]


def sums_in_polars(frame):
    """The same sums as group-bys: n_ik, n_i, n_k and N, without intervals and checks."""
    import polars as pl

    counts = frame.lazy().group_by("group", "item", "label").agg(pl.len().cast(pl.Int64).alias("n"))
    items = (
        counts.group_by("group", "item")
        .agg(pl.col("n").sum().alias("size"), (pl.col("n") ** 2).sum().alias("equal"))
        .filter(pl.col("size") > 1)
    )
    observed = items.group_by("group").agg(
        ((pl.col("size") ** 2 - pl.col("equal")) / (pl.col("size") - 1)).sum().alias("observed"),
        pl.col("size").sum().alias("total"),
    )
    paired = counts.join(items.select("group", "item"), on=["group", "item"])
    labels = paired.group_by("group", "label").agg(pl.col("n").sum())
    expected = labels.group_by("group").agg((pl.col("n") ** 2).sum().alias("equal"))
    total, together = pl.col("total"), pl.col("equal")
    alpha = 1 - pl.col("observed") * (total - 1) / (total**2 - together)
    both = observed.join(expected, on="group").sort("group")
    return both.select(alpha.alias("alpha")).collect()["alpha"].to_list()


def loop(frame):
    """krippendorff's α of each group of a frame."""
    import krippendorff

    wide = frame.pivot(index=["group", "item"], columns="coder", values="label")
    result = []
    for _, group in wide.groupby(level=0):
        values = group.to_numpy(np.float64).T
        result.append(krippendorff.alpha(values, level_of_measurement="nominal"))
    return result


def rows(also_loop):
    listed = [
        Row(OURS, "pandas, with intervals", pandas, ours),
        Row(OURS, "polars, with intervals", polars, ours, needs="polars"),
        Row("polars", "lazy group-bys, α only", polars, sums_in_polars),
    ]
    if also_loop:
        listed.append(Row("krippendorff", "pandas, a loop over groups", pandas, loop))
    listed.append(Row(REFERENCE, "one read", lambda n: tuple(columns(n).values()), read_all))
    return listed


def read_all(*arrays):
    for array in arrays:
        array.max()


test_groups = contest("α of 2,000 groups of 12 × 4 from one long frame", 2_000, rows(True))
test_many_groups = contest(
    "α of 100,000 groups of 12 × 4 from one long frame", 100_000, rows(False)
)
