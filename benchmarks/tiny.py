"""The time of one call on a table of 12 × 4, compared with other programs, on new data each time.

    python benchmarks/tiny.py

Every call gets a table of its own, so that caches do not help. Our calls and the rivals' take
turns; results are asserted equal. Times are the best of some rounds, in microseconds a call.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import agreement_fast as af

TABLES, ROUNDS = 400, 15


def tables(missing: float) -> list[np.ndarray]:
    """Distinct tables of 12 items and 4 coders, five categories."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(TABLES):
        true = rng.integers(1, 6, (12, 1))
        own = rng.integers(1, 6, (12, 4))
        table = np.where(rng.random(own.shape) < 0.6, true, own).astype(np.float64)
        table[rng.random(table.shape) < missing] = np.nan
        made.append(table)
    return made


def lists(table: np.ndarray) -> list[list[float | None]]:
    """A table as people type it."""
    return [[None if x != x else int(x) for x in row] for row in table.tolist()]


def best(call: Callable[[Any], Any], make: Callable[[], list[Any]]) -> float:
    """Microseconds a call, over fresh data in each round."""
    result = []
    for _ in range(ROUNDS):
        given = make()
        begun = time.perf_counter()
        for one in given:
            call(one)
        result.append((time.perf_counter() - begun) / len(given))
    return 1e6 * min(result)


def calls() -> dict[str, tuple[Callable[[Any], Any], Callable[[], list[Any]]]]:
    """Each of our calls, and what makes the data of a round."""
    import pandas as pd

    some, complete = tables(0.1), [table.astype(np.int64) for table in tables(0.0)]
    frames = []
    for table in complete:
        item, coder = np.divmod(np.arange(48), 4)
        names = np.array(list("abcd"))[coder]
        frames.append(pd.DataFrame({"item": item, "coder": names, "label": table.reshape(-1)}))

    def kappa(table):
        return af.kappa(table[:, 0], table[:, 1])

    def from_frame(frame):
        return af.Annotations.from_frame(frame, item="item", coder="coder", label="label")

    def copies(given):
        return lambda: [table.copy() for table in given]

    return {
        "alpha, lists": (af.alpha, lambda: [lists(table) for table in some]),
        "alpha, float64": (af.alpha, copies(some)),
        "alpha, int64": (af.alpha, copies(complete)),
        "alpha, Annotations": (
            af.alpha,
            lambda: [af.Annotations.from_wide(table) for table in some],
        ),
        "pi, int64": (af.pi, copies(complete)),
        "kappa of two, int64": (kappa, copies(complete)),
        "from_frame, 48 rows": (from_frame, copies(frames)),
    }


def main() -> None:
    """Print a row for each form of the data."""
    import krippendorff
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    warnings.simplefilter("ignore", af.Hint)

    def rival_alpha(table):
        return krippendorff.alpha(table.T, level_of_measurement="nominal")

    def rival_alpha_of_lists(rows):
        by_coder = [
            [np.nan if x is None else x for x in coder] for coder in zip(*rows, strict=True)
        ]
        return krippendorff.alpha(by_coder, level_of_measurement="nominal")

    def rival_pi(table):
        return fleiss_kappa(aggregate_raters(table)[0])

    def rival_kappa(table):
        return cohen_kappa_score(table[:, 0], table[:, 1])

    rivals = {
        "alpha, lists": ("krippendorff", rival_alpha_of_lists),
        "alpha, float64": ("krippendorff", rival_alpha),
        "alpha, int64": ("krippendorff", rival_alpha),
        "pi, int64": ("statsmodels", rival_pi),
        "kappa of two, int64": ("scikit-learn", rival_kappa),
    }
    for name, (ours, make) in calls().items():
        whose, rival = rivals.get(name, ("", None))
        if rival is not None:
            for one in make()[:20]:
                assert abs(float(ours(one)) - float(rival(one))) < 1e-12, name
        mine = best(ours, make)
        theirs = best(rival, make) if rival is not None else None
        beside = "" if theirs is None else f"{whose:>14} {theirs:7.1f} µs {theirs / mine:6.1f} ×"
        print(f"{name:22} {mine:7.1f} µs {beside}")


if __name__ == "__main__":
    main()
