"""The peak of the memory that a call adds, and α of a hundred million items, in fresh processes."""

import alone
import pytest
from contest import OURS
from workloads import LARGE, size

MILLION = size(1_000_000)
HUNDRED_MILLION = size(100_000_000)

CASES = {
    "int8": (OURS, "int8, -1 missing", MILLION),
    "int8-kept": (OURS, "int8, -1 missing, copy=False", MILLION),
    "float64": (OURS, "float64, NaN missing", MILLION),
    "krippendorff": ("krippendorff", "float64, NaN missing, coders x items", MILLION),
    "krippendorff-counts": ("krippendorff", "int64 counts", MILLION),
    "scores": (OURS, "float64, nearly all distinct, interval", MILLION),
    "krippendorff-scores": ("krippendorff", "float64, nearly all distinct, interval", 100),
    "crowd-int64": (OURS, "3 int64 columns, 10,000 coders, sorted", MILLION),
    "crowd-int64-shuffled": (OURS, "3 int64 columns, 10,000 coders, shuffled", MILLION),
    "crowd-int32": (OURS, "3 int32 columns, 10,000 coders, sorted", MILLION),
}

#: Cases under LARGE=1 only, and why.
SLOW: dict[str, str] = {}


@pytest.mark.benchmark(group="memory of one call (times are of its first call)", timer=alone.clock)
@pytest.mark.parametrize("case", CASES)
def test_memory(benchmark, remember, case):
    if case in SLOW and not LARGE:
        pytest.skip(f"only with LARGE=1: {SLOW[case]}")
    tool, form, items = CASES[case]
    if tool != OURS:
        pytest.importorskip(tool)
    result = benchmark.pedantic(alone.measure, args=(case, items))
    remember(tool, form, items, result)
    if case == "krippendorff":
        assert result["value"] == pytest.approx(alone.measure("int8", items)["value"], rel=1e-9)


@pytest.mark.benchmark(
    group="α nominal, 5 coders, 5 categories, 10 % missing: growth and threads", timer=alone.clock
)
@pytest.mark.parametrize(
    ("items", "threads"),
    [(MILLION, 0), (MILLION, 1), (HUNDRED_MILLION, 0), (HUNDRED_MILLION, 1)],
)
def test_growth(benchmark, remember, items, threads):
    if items >= 100_000_000 and not LARGE:
        pytest.skip("only with LARGE=1: the table takes 500 MB, and half a minute to make")
    result = benchmark.pedantic(
        alone.measure, args=("int8-kept", items, 5 if items >= MILLION * 10 else 21, threads)
    )
    form = "int8, copy=False, " + (f"{threads} thread" if threads else "all threads")
    remember(OURS, form, items, result)
