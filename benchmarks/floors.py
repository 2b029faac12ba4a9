"""Work where numpy or a plain loop was once faster: our time beside theirs, and the least ratio.

    OPENBLAS_NUM_THREADS=1 python benchmarks/floors.py [part of a name ...]

All runs on one processor. Every call gets data of its own; ours and the rival take turns, and
results are asserted equal. A row of the table gives the least processor time of a call, the
rival's, the ratio, and the floor: a least ratio ("×"), or a most time.
"""

import pickle
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import agreement_fast as af
from agreement_fast import distances, inference
from agreement_fast._kernels import parallel
from agreement_fast.diagnostics import coder_report, pairwise_agreement
from agreement_fast.distances.sums.categories import sums_of

Array = np.ndarray[Any, Any]


@dataclass
class Row:
    """One kind of work.

    `make` returns fresh data, which `prepare` hands to the rival in its own form. The floor is a
    ratio to the rival, or, with a unit, a time or memory.
    """

    name: str
    make: Callable[[], Any]
    ours: Callable[[Any], Any]
    rival: Callable[[Any], Any] | None
    floor: str
    rounds: int = 7
    tolerance: float = 1e-12


def seconds(call: Callable[[Any], Any], data: Any) -> float:
    """Return the processor time of a call."""
    begun = time.process_time()
    call(data)
    return time.process_time() - begun


def measured(row: Row) -> tuple[float, float | None]:
    """Return the least times of both, on fresh data in each round, in turns."""
    ours, theirs = [], []
    for number in range(row.rounds):
        data = row.make()
        if row.rival is not None:
            other = data if not isinstance(data, np.ndarray) else data.copy()
            theirs.append(seconds(row.rival, other))
            if number == 0:
                np.testing.assert_allclose(
                    np.asarray(row.ours(row.make()), float),
                    np.asarray(row.rival(row.make()), float),
                    rtol=row.tolerance,
                    atol=row.tolerance,
                )
        ours.append(seconds(row.ours, data))
    return min(ours), min(theirs, default=None)


# ---------------------------------------------------------------- dense counts


def counts(items: int, categories: int, judgments: int, seed: int = 0) -> Array:
    """Counts of items × categories with the same number of judgments each."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(categories, 0.3), 64)[rng.integers(0, 64, items)]
    return rng.multinomial(judgments, shares)


def fractions(categories: int) -> Array:
    places = np.arange(categories)
    return np.abs(np.subtract.outer(places, places)) ** 1.5


NOMINAL = "nominal"


def alpha_by_numpy(table: Array, matrix: Array | None) -> float:
    """Compute α of counts in a few lines of numpy."""
    counted = table.astype(np.float64)
    sizes = counted.sum(1)
    kept = sizes > 1
    counted, sizes = counted[kept], sizes[kept]
    total, all_judgments = counted.sum(0), sizes.sum()
    if matrix is None:
        apart = sizes * sizes - np.einsum("ij,ij->i", counted, counted)
        expected = all_judgments**2 - total @ total
    else:
        apart = ((counted @ matrix) * counted).sum(1)
        expected = total @ matrix @ total
    observed = (apart / (sizes - 1)).sum() / all_judgments
    return float(1 - observed / (expected / (all_judgments * (all_judgments - 1))))


def pi_by_numpy(table: Array) -> float:
    counted = table.astype(np.float64)
    sizes = counted.sum(1)
    squares = np.einsum("ij,ij->i", counted, counted)
    agreed = ((squares - sizes) / (sizes * (sizes - 1))).mean()
    shares = (counted / sizes[:, None]).mean(0)
    chance = shares @ shares
    return float((agreed - chance) / (1 - chance))


def ac_by_numpy(table: Array) -> float:
    counted = table.astype(np.float64)
    sizes = counted.sum(1)
    squares = np.einsum("ij,ij->i", counted, counted)
    agreed = ((squares - sizes) / (sizes * (sizes - 1))).mean()
    shares = (counted / sizes[:, None]).mean(0)
    chance = (shares * (1 - shares)).sum() / (len(shares) - 1)
    return float((agreed - chance) / (1 - chance))


def beta_by_numpy(table: Array, matrix: Array) -> float:
    """Compute β of codes of items × coders, all complete, by counts of items and of coders."""
    n_categories, (n_items, n_coders) = len(matrix), table.shape
    offsets = np.arange(n_items)[:, None] * n_categories
    of_items = np.bincount((table + offsets).ravel(), minlength=n_items * n_categories)
    of_items = of_items.reshape(n_items, -1).astype(np.float64)
    of_coders = np.bincount(
        (table + np.arange(n_coders) * n_categories).ravel(), minlength=n_coders * n_categories
    )
    shares = of_coders.reshape(n_coders, -1) / n_items
    observed = ((of_items @ matrix) * of_items).sum() / (n_items * n_coders * (n_coders - 1))
    total = shares.sum(0)
    pairs = total @ matrix @ total - ((shares @ matrix) * shares).sum()
    return float(1 - observed / (pairs / (n_coders * (n_coders - 1))))


def dense() -> Iterator[Row]:
    shapes = [
        (20_000, 40, 300, "1.5 ×", "2 ×"),
        (20_000, 160, 300, "1.5 ×", "2 ×"),
        (100_000, 20, 200, "1.5 ×", "2 ×"),
        (100_000, 20, 10, "1.5 ×", "2 ×"),
        (5_000, 1_000, 50, "6 ×", ".9 ×"),
        (1_000_000, 5, 5, "23 ×", "23 ×"),
    ]
    for items, categories, judgments, of_matrix, of_nominal in shapes:
        table = counts(items, categories, judgments)
        matrix = fractions(categories)
        shape = f"{items:,} × {categories:,} × {judgments}"

        def make(table: Array = table) -> Array:
            return table.copy()

        def with_matrix(table: Array, matrix: Array = matrix) -> float:
            return af.alpha(af.Annotations.from_counts(table), matrix).value

        def nominal(table: Array) -> float:
            return af.alpha(af.Annotations.from_counts(table)).value

        yield Row(
            f"α, counts {shape}, matrix",
            make,
            with_matrix,
            lambda table, matrix=matrix: alpha_by_numpy(table, matrix),  # type: ignore[misc]
            of_matrix,
            5,
        )
        yield Row(
            f"α, counts {shape}, nominal",
            make,
            nominal,
            lambda table: alpha_by_numpy(table, None),
            of_nominal,
            5,
        )
    table = counts(20_000, 160, 300)

    def of_counts(name: str) -> Callable[[Array], float]:
        return lambda table: float(af.agreement(af.Annotations.from_counts(table), name))

    yield Row("π, counts 20,000 × 160", table.copy, of_counts("pi"), pi_by_numpy, "1 ×")
    yield Row("AC, counts 20,000 × 160", table.copy, of_counts("ac"), ac_by_numpy, "1 ×")
    yield Row(
        "α and its interval, counts 20,000 × 160",
        table.copy,
        lambda table: inference.standard_error(af.Annotations.from_counts(table), "alpha").low,
        None,
        "",
    )
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 200, (3_000, 500))
    yield Row(
        "β, 3,000 × 500 of 200 categories, matrix",
        codes.copy,
        lambda codes: af.beta(af.Annotations.from_wide(codes), fractions(200)).value,
        lambda codes: beta_by_numpy(codes, fractions(200)),
        "1 ×",
    )
    fractions_of_100 = fractions(100)
    for coders in (50, 1_000):
        codes = rng.integers(0, 100, (400, coders))
        prepared = af.Annotations.from_wide(codes, categories=range(100))
        marginals = prepared.coder_marginals() / 400

        form = distances.resolve(fractions(100)).bind(prepared.labels, True)

        def product(_: Any, shares: Array = marginals) -> float:
            matrix = fractions_of_100
            total = shares.sum(0)
            pairs = total @ matrix @ total - ((shares @ matrix) * shares).sum()
            return float(pairs / (len(shares) * (len(shares) - 1)))

        sums = sums_of(prepared)

        def ours(_: Any, sums: Any = sums, form: Any = form) -> float:
            part, whole = sums.between_coders(form)
            return float(part / whole)

        yield Row(
            f"D_e of β, {coders:,} coders, 100 categories", lambda: None, ours, product, "1 ×"
        )


# ---------------------------------------------------------------- small tables


def batch(make: Callable[[np.random.Generator], Any], number: int) -> Callable[[], list[Any]]:
    """Return what makes some fresh tables, so that a call is long enough to be timed."""

    def tables() -> list[Any]:
        rng = np.random.default_rng(0)
        return [make(rng) for _ in range(number)]

    return tables


def codes_of(rng: np.random.Generator, items: int, coders: int, labels: int = 5) -> Array:
    true = rng.integers(1, labels + 1, (items, 1))
    own = rng.integers(1, labels + 1, (items, coders))
    return np.where(rng.random(own.shape) < 0.6, true, own)


def with_gaps(rng: np.random.Generator, items: int, coders: int) -> Array:
    table = codes_of(rng, items, coders).astype(np.float64)
    table[rng.random(table.shape) < 0.1] = np.nan
    return table


def each(call: Callable[[Any], Any]) -> Callable[[list[Any]], list[float]]:
    return lambda tables: [float(call(table)) for table in tables]


def small() -> Iterator[Row]:
    import krippendorff
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    def rival_alpha(table: Array) -> float:
        return float(krippendorff.alpha(table.T, level_of_measurement="nominal"))

    sizes = [
        (12, 4, "6 ×"),
        (50, 5, "6 ×"),
        (200, 5, "8 ×"),
        (1_000, 5, "20 ×"),
        (5_000, 5, "50 ×"),
    ]
    for items, coders, floor in sizes:
        yield Row(
            f"α, float64, {items:,} × {coders}",
            batch(lambda rng, n=items, c=coders: with_gaps(rng, n, c), 100 if items < 900 else 10),  # type: ignore[misc]
            each(af.alpha),
            each(rival_alpha),
            floor,
        )

    def lists(rng: np.random.Generator) -> list[list[float | None]]:
        table = with_gaps(rng, 12, 4)
        return [[None if x != x else int(x) for x in row] for row in table.tolist()]

    def alpha_of_lists(rows: list[list[float | None]]) -> float:
        by_coder = [[np.nan if x is None else x for x in c] for c in zip(*rows, strict=True)]
        return float(krippendorff.alpha(by_coder, level_of_measurement="nominal"))

    def integers(rng: np.random.Generator) -> Array:
        return codes_of(rng, 12, 4)

    def texts(rng: np.random.Generator) -> list[list[str]]:
        return [["abcde"[x - 1] for x in row] for row in integers(rng).tolist()]

    def alpha_of_texts(rows: list[list[str]]) -> float:
        numbers = {text: float(n) for n, text in enumerate("abcde")}
        by_coder = [[numbers[x] for x in c] for c in zip(*rows, strict=True)]
        return float(krippendorff.alpha(by_coder, level_of_measurement="nominal"))

    def rival_pi(table: Array) -> float:
        return float(fleiss_kappa(aggregate_raters(table)[0]))

    yield Row("α, lists, 12 × 4", batch(lists, 100), each(af.alpha), each(alpha_of_lists), "4 ×")
    yield Row("α, int64, 12 × 4", batch(integers, 100), each(af.alpha), each(rival_alpha), "4 ×")
    yield Row("α, lists of text", batch(texts, 100), each(af.alpha), each(alpha_of_texts), "4 ×")
    yield Row("π, int64, 12 × 4", batch(integers, 100), each(af.pi), each(rival_pi), "4 ×")
    yield Row(
        "κ of two, int64, 12",
        batch(integers, 100),
        each(lambda table: af.kappa(table[:, 0], table[:, 1])),
        each(lambda table: cohen_kappa_score(table[:, 0], table[:, 1])),
        "4 ×",
    )
    yield Row("AC, int64, 12 × 4", batch(integers, 100), each(af.ac), None, "")
    for name, normal in (("normal", True), ("around whole numbers", False)):

        def distinct(rng: np.random.Generator, normal: bool = normal) -> Array:
            own = rng.normal(size=(800, 5))
            return own if normal else rng.integers(0, 9, (800, 1)) + own / 9

        yield Row(
            f"interval α, 800 × 5 distinct, {name}, 100 tables",
            batch(distinct, 100),
            each(lambda table: af.alpha(table, "interval")),
            None,
            "15 ms",
        )
    fifty = batch(lambda rng: with_gaps(rng, 50, 5), 50)
    yield Row(
        "standard_error, 50 × 5, 50 tables, ends asked for",
        fifty,
        each(lambda table: inference.standard_error(table, "alpha").low),
        None,
        "4 ms",
    )
    yield Row(
        "standard_error, 50 × 5, 50 tables, pickled",
        fifty,
        lambda tables: [pickle.dumps(inference.standard_error(t, "alpha")) for t in tables],
        None,
        "",
    )


# ---------------------------------------------------------------- studies


def studies() -> Iterator[Row]:
    rng = np.random.default_rng(1)
    many = codes_of(rng, 2_000, 1_000)
    yield Row(
        "pairwise κ, 1,000 coders × 2,000 items, intervals",
        many.copy,
        lambda table: pairwise_agreement(table, "kappa").value[:5],
        None,
        ".6 s, 100 MB",
        1,
    )
    of_many = codes_of(rng, 20_000, 40, 1_000)
    for name, distance in (("kappa", NOMINAL), ("beta", "interval")):
        yield Row(
            f"pairwise {name}({distance}), 40 coders × 20,000 items × 1,000 categories, intervals",
            of_many.copy,
            lambda table, n=name, d=distance: pairwise_agreement(table, n, distance=d).value[:5],  # type: ignore[misc]
            None,
            "2 s",
            1,
        )
    for items, coders, gaps, distance in (
        (100_000, 25, False, NOMINAL),
        (100_000, 25, True, NOMINAL),
        (100_000, 25, False, "ordinal"),
        (100_000, 25, True, "ordinal"),
        (1_000, 10, False, NOMINAL),
        (1_000, 10, True, "ordinal"),
    ):
        table = codes_of(rng, items, coders).astype(np.int8)
        if gaps:
            table[rng.random(table.shape) < 0.1] = -1

        def read(table: Array = table) -> af.Annotations:
            return af.Annotations.from_wide(table.copy(), missing=-1)

        def loop(data: af.Annotations, distance: str = distance) -> list[float]:
            return [
                af.alpha(data.select(coders=[c for c in data.coders if c != left]), distance).value
                for left in data.coders
            ]

        def ours(data: af.Annotations, distance: str = distance) -> Array:
            report = coder_report(data, distance=distance, intervals=False)
            return np.asarray(report.without.columns()["value"])

        yield Row(
            f"without each coder, {items:,} × {coders}, {distance}{', gaps' * gaps}",
            read,
            ours,
            loop,
            "5 ×",
            3 if items > 10_000 else 40,
        )

    def ratio(values: int) -> Callable[[], Array]:
        return lambda: np.random.default_rng(2).integers(1, values + 1, (values, 5)).astype(float)

    yield Row(
        "ratio α, 1,000 × 5 of 1,000 values",
        ratio(1_000),
        lambda table: af.alpha(table, "ratio").value,
        None,
        "1 ms",
    )
    yield Row(
        "ratio α, 100,000 × 5 of 100,000 values",
        ratio(100_000),
        lambda table: af.alpha(table, "ratio").value,
        None,
        "linear",
        2,
    )

    def sets() -> af.Annotations:
        rng = np.random.default_rng(4)
        bits = rng.random((20_000, 5, 20)) < 0.35
        rows = [[frozenset(np.flatnonzero(cell).tolist()) for cell in row] for row in bits]
        return af.Annotations.from_wide(rows)

    yield Row(
        "MASI α, 20,000 × 5, distinct sets",
        sets,
        lambda data: af.alpha(data, "masi").value,
        None,
        "100 ms",
        2,
    )
    yield Row(
        "MASI β, 20,000 × 5, distinct sets",
        sets,
        lambda data: af.beta(data, "masi").value,
        None,
        "300 ms",
        2,
    )
    ten_million = codes_of(rng, 10_000_000, 2, 10).astype(np.int8)
    yield Row(
        "κ, 10,000,000 × 2, int8",
        lambda: ten_million,
        lambda table: af.kappa(table).value,
        None,
        "3 ms",
        5,
    )
    hundred = codes_of(rng, 100_000, 5).astype(np.int8)
    for name in ("kappa", "beta"):
        distance = {"distance": "ordinal"} if name == "beta" else {}

        def drawn(table: Array, name: str = name, distance: Any = distance) -> float:
            data = af.Annotations.from_wide(table)
            return af.bootstrap(
                data, name, n_resamples=1_000, method="percentile", rng=1, **distance
            ).low

        yield Row(f"bootstrap of {name}, 100,000 × 5", hundred.copy, drawn, None, "150 ms", 3)
    yield from million()


def million() -> Iterator[Row]:
    """A value with its interval, beside the value alone."""
    rng = np.random.default_rng(5)
    labels = codes_of(rng, 1_000_000, 5).astype(np.int8)
    for name, table, distance in (
        ("int8", labels, NOMINAL),
        ("half points", labels / 2, "interval"),
        ("distinct floats", labels + rng.normal(size=labels.shape) / 9, "interval"),
    ):
        yield Row(
            f"interval of α, 1,000,000 × 5, {name}, beside its value",
            table.copy,
            lambda table, d=distance: inference.standard_error(table, "alpha", distance=d).value,  # type: ignore[misc]
            lambda table, d=distance: af.alpha(table, d).value,  # type: ignore[misc]
            {"int8": ".77 ×", "half points": ".5 ×"}.get(name, ".33 ×"),
            3,
        )
    groups = np.repeat(np.arange(10_000), 50)
    table = codes_of(rng, 500_000, 3).astype(np.int8)

    def grouped(**options: Any) -> Callable[[Any], Any]:
        def call(table: Array) -> Array:
            data = af.Annotations.from_wide(table)
            made = af.agreement_by_group(data, by=groups, coefficient=["alpha"], **options)
            return np.asarray(made.to_dict()["value"])

        return call

    yield Row(
        "10,000 groups of 50, with intervals", table.copy, grouped(), None, "values + 40 ms", 3
    )


def memory() -> None:
    """Print the peak of two calls above their start, as Python's allocator counts it."""
    rng = np.random.default_rng(6)
    items, coders = np.divmod(np.arange(1_000_000), 5)
    labels = rng.integers(0, 5, 1_000_000)
    many = codes_of(rng, 2_000, 1_000)
    for name, call, floor in (
        (
            f"from_long of {(items.nbytes + coders.nbytes + labels.nbytes) / 1e6:.0f} MB",
            lambda: af.Annotations.from_long(items, coders, labels),
            "60 MB for 23",
        ),
        ("pairwise κ, 1,000 coders", lambda: pairwise_agreement(many, "kappa"), "100 MB"),
    ):
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"| {name} | {peak / 1e6:.0f} MB |  |  | {floor} |")


def main() -> None:
    """Print the rows whose names contain one of the arguments."""
    import os

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    assert parallel.available() == 1, "run it on one processor"
    warnings.simplefilter("ignore", af.Hint)
    chosen = sys.argv[1:]
    print("| work | ours | rival | ratio | floor |\n|---|---:|---:|---:|---:|")
    for rows in (dense, small, studies):
        for row in rows():
            if chosen and not any(part in row.name for part in chosen):
                continue
            ours, theirs = measured(row)
            beside = " | " if theirs is None else f"{1e3 * theirs:.3g} ms | {theirs / ours:.2g} ×"
            print(f"| {row.name} | {1e3 * ours:.3g} ms | {beside} | {row.floor} |", flush=True)
    if not chosen or "memory" in chosen:
        memory()


if __name__ == "__main__":
    main()
