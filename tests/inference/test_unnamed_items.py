"""Rows that stand for items without names are paired with nothing."""

import copy
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast import bootstrap, compare

TABLE = pl.DataFrame(
    {
        "item": [1, 1, 2, 2, 3, 3, 4, 4],
        "coder": ["a", "b"] * 4,
        "label": [1.5, 2.0, 2.0, 2.0, 1.5, 1.5, 2.0, 1.5],
        "doc": ["d", "d", "e", "e", "d", "d", "e", "e"],
    }
)
WIDE = TABLE.pivot("coder", index="item", values="label").lazy()
A = af.Annotations


def lazy(**options):
    return A.from_frame(TABLE.lazy(), item="item", coder="coder", label="label", **options)


def named():
    return A.from_frame(TABLE, along="doc")


UNNAMED = {
    "patterns": lambda: lazy(way="patterns"),
    "patterns along": lambda: lazy(way="patterns", along="doc"),
    "counts": lambda: lazy(way="counts"),
    "counts along": lambda: lazy(way="counts", along="doc"),
    "partitions": lambda: lazy(way="partitions"),
    "partitions along": lambda: lazy(way="partitions", along="doc"),
    "moments": lambda: lazy(way="moments"),
    "wide": lambda: A.from_wide(WIDE, items="item"),
    "accumulated": lambda: af.concat([named()], keep_items=False),
    "accumulated counts": lambda: af.concat([named()], keep_items=False, keep_coders=False),
    "stored": lambda: A.from_patterns(named().patterns_to_arrow()),
    "a contingency table": lambda: A.from_contingency([[3, 1], [2, 4]]),
    "selected": lambda: lazy(along="doc").select(items=[1, 0]),
    "merged": lambda: lazy(along="doc").merge_categories({1.5: 1.0}),
    "with texts": lambda: lazy(along="doc").with_texts({}),
    "copied": lambda: copy.copy(lazy(along="doc")),
    "joined": lambda: af.concat(
        [lazy(), A.from_wide([[1.5, 2.0]], items=["i"], coders=["a", "b"])]
    ),
}


@pytest.mark.parametrize("way", UNNAMED)
def test_what_has_no_names_is_not_paired_and_takes_no_judgments(way):
    data = UNNAMED[way]()
    for pair in ((data, data), (named(), data), (data, named())):
        with pytest.raises(ValueError, match=r"paired data need the names of items.*paired=False"):
            compare(*pair, paired=True, n_resamples=2)
    with pytest.raises(ValueError, match=r"with_judgments\(\)|sums of numbers"):
        data.with_judgments([0], ["c"], [1.5])


def test_weighted_rows_that_a_number_names_are_paired_and_take_judgments():
    data = A.from_wide([["x", "y"], ["x", "x"]], weights=[3, 2])
    assert compare(data, data, paired=True).value == 0
    more = data.with_judgments([1, 2], [2, 0], ["y", "x"])
    assert more.to_wide().tolist() == [["x", "y", None], ["x", "x", "y"], ["x", None, None]]
    assert more.weights.tolist() == [3, 2, 1]


def test_results_name_the_clusters_that_are_drawn():
    data = named()
    result = bootstrap(data, n_resamples=9, rng=1, cluster="doc")
    assert "9 resamples of 2 clusters of items)" in repr(result)
    assert (result.resample, result.n_clusters) == ("items", 2)
    result = bootstrap(data, n_resamples=9, rng=1)
    assert "9 resamples of items)" in repr(result)
    assert result.n_clusters is None
    maps = {"one": {1.5: 2.0}}
    merging = af.inference.category_merging(
        data, maps, n_resamples=9, rng=1, cluster="doc", method="bca"
    )
    assert merging.tables[0][0].n_clusters == 2


def test_a_coder_with_the_same_labels_in_both_is_a_hint_at_pairs():
    first = pd.DataFrame({"model": list("xyxyxyyx"), "person": list("xyxxxyyx")})
    second = first.assign(model=list("xxxyxyyy"))
    with pytest.warns(af.ReadHint, match="coder person has the same labels .* pass paired=True"):
        af.compare(first, second)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.compare(first, second, paired=True)
        af.compare(first, second[::-1].set_axis(range(8)))
    numbers = first.replace({"x": 1, "y": 2}).assign(model=[3, 2, 1, 2, 1, 2, 2, 1])
    text = repr(af.compare(numbers, second.replace({"x": 1, "y": 2}), paired=True))
    assert text.endswith("but are compared as names: the distances ordinal and interval count "
                         "near misses less>")  # fmt: skip


def codings(kind):
    """Two codings of 40 segments by four codes, as zeros and ones, and a code of both."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, 2, (40, 4))
    second = np.where(rng.random(first.shape) < 0.15, 1 - first, first)
    if kind == "frame":
        names = ["home", "work", "money", "family"]
        first, second = (pd.DataFrame(table, columns=names) for table in (first, second))
        return first.assign(item=range(40)), second.assign(item=range(40))[::-1]
    return (first.tolist(), second.tolist()) if kind == "list" else (first, second)


@pytest.mark.parametrize("kind", ["array", "list", "frame"])
def test_codes_that_two_coders_gave_are_not_taken_for_coders_without_a_word(kind):
    data, other = codings(kind)
    with pytest.warns(af.ShapeHint, match="agree with each other by chance only") as caught:
        af.compare(data, other)
    (message,) = (str(warning.message) for warning in caught)
    first, sets = re.findall(
        r"af\.kappa\(.*\)(?=, and)|Annotations\.from_indicators\(.*\)", message
    )
    if kind == "frame":
        other = other.sort_values("item")
    scope = {"af": af, "np": np, "Annotations": A, "data": data, "other": other}
    assert eval(first, scope).n_items == eval(sets, scope).n_items == 40
    assert len(eval(sets, scope).coders) == 2


def test_coders_who_agree_are_no_codes_in_two_codings():
    rng = np.random.default_rng(1)
    true = rng.integers(0, 2, (40, 1))
    first = np.where(rng.random((40, 4)) < 0.7, true, rng.integers(0, 2, (40, 4)))
    second = np.where(rng.random((40, 4)) < 0.9, first, 1 - first)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.compare(first, second)
        af.compare(first[:, :2], second[:, :2])
        af.compare(first[:9], second[:9])
