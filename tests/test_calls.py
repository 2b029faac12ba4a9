"""No Python call for each item: four times the rows must take the calls that one time takes."""

import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import diagnostics

pd = pytest.importorskip("pandas")

ROWS = 12_000


def codes(n: int, coders: int = 4, categories: int = 5, dtype: Any = np.int8) -> Any:
    rng = np.random.default_rng([n, coders, categories])
    truth = rng.integers(0, categories, (n, 1))
    guess = rng.integers(0, categories, (n, coders))
    return np.where(rng.random((n, coders)) < 0.6, truth, guess).astype(dtype)


def frame(n: int) -> Any:
    table = codes(n)
    return pd.DataFrame({f"coder_{i}": table[:, i] for i in range(4)})


def long(n: int, groups: int = 1) -> Any:
    table = codes(n)
    row, coder = np.divmod(np.arange(table.size), 4)
    return pd.DataFrame(
        {"group": row * groups // n, "item": row, "coder": coder, "label": table.reshape(-1)}
    )


def in_text(n: int) -> Any:
    table = long(n).drop(columns="group")
    table["item"] = "text_" + table["item"].astype(str)
    table["label"] = np.array(["no", "yes", "maybe", "both", "other"])[table["label"]]
    return table


def counts(n: int) -> Any:
    table = codes(n)
    return np.stack([(table == k).sum(axis=1) for k in range(5)], axis=1)


CASES: dict[str, tuple[Callable[[int], Any], Callable[[Any], Any]]] = {
    "whole numbers": (codes, af.alpha),
    "three coders": (lambda n: codes(n, 3, 50, np.int16), af.alpha),
    "three columns of ids": (lambda n: codes(n, 3, 5000, np.int64) * 10**7, af.alpha),
    "half points": (lambda n: codes(n) / 2, lambda x: af.alpha(x, "interval")),
    "distinct numbers": (
        lambda n: np.random.default_rng(n).random((n, 4)),
        lambda x: af.alpha(x, "interval"),
    ),
    "counts": (counts, lambda x: af.pi(af.Annotations.from_counts(x))),
    "named counts": (counts, lambda x: af.alpha(x, layout="counts")),
    "a frame": (frame, af.alpha),
    "a frame with names": (lambda n: frame(n).assign(item=range(n)), af.alpha),
    "a frame with an index": (
        lambda n: frame(n).set_axis([f"text {i}" for i in range(n)]),
        af.alpha,
    ),
    "a frame of dates": (
        lambda n: frame(n).apply(
            lambda column: pd.Timestamp(2026, 1, 1) + pd.to_timedelta(column, "D")
        ),
        af.alpha,
    ),
    "a long frame": (lambda n: long(n).drop(columns="group"), af.alpha),
    "a long frame of texts": (in_text, af.alpha),
    "groups": (lambda n: long(n, 3), lambda x: af.agreement_by_group(x, "group")),
    "two coders": (codes, lambda x: af.kappa(x[:, 0], x[:, 1])),
    "lists": (lambda n: codes(n).tolist(), af.alpha),
    "sets": (
        lambda n: [[[k], [k, 9], [9]] for k in range(4)] * (n // 4),
        lambda x: af.alpha(x, "masi"),
    ),
    "from columns": (
        lambda n: [long(n)[name].tolist() for name in ("item", "coder", "label")],
        lambda x: af.alpha(af.Annotations.from_long(*x)),
    ),
    "triples": (
        lambda n: list(
            zip(*(long(n)[name].tolist() for name in ("coder", "item", "label")), strict=True)
        ),
        lambda x: af.alpha(af.Annotations.from_triples(x)),
    ),
    "records": (lambda n: frame(n).to_dict("records"), af.alpha),
    "masks": (lambda n: codes(n) + 1, lambda x: af.alpha(af.Annotations.from_masks(x), "masi")),
    "disputed items": (codes, diagnostics.disagreements),
    "pairs of coders": (codes, lambda x: diagnostics.pairwise_agreement(x, "kappa")),
    "an interval": (codes, lambda x: af.alpha(x).interval),
}


def calls(function: Callable[[Any], Any], data: Any) -> int:
    """Count the calls of a second call; the first one imports what it needs."""
    function(data)
    n = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal n
        n += event in ("call", "c_call")

    before = sys.getprofile()
    gc.disable()  # what others call at each collection would count, too
    sys.setprofile(count)
    try:
        function(data)
    finally:
        sys.setprofile(before)
        gc.enable()
    return n


@pytest.mark.parametrize("name", CASES)
def test_items_cost_no_calls(name: str) -> None:
    """Allows what depends on the labels or on the number of threads, not on the items."""
    table, function = CASES[name]
    few, many = (calls(function, table(n)) for n in (ROWS, 4 * ROWS))
    assert 0 < many <= 1.25 * few + 50


def test_a_group_costs_few_calls() -> None:
    few, many = (
        calls(lambda x: af.agreement_by_group(x, "group"), long(ROWS, groups))
        for groups in (100, 1100)
    )
    assert 0 < many <= few + 1000
