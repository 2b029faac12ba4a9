"""Bootstrap intervals and standard errors, compared with loops over other tools.

A bootstrap's result is random: rows must agree in its standard error, within the error of 1,000
resamples. Every row includes reading the data; all run on one thread.
"""

import numpy as np
from contest import OURS, REFERENCE, Row, contest
from workloads import floats, table

import agreement_fast as af
from agreement_fast import bootstrap
from agreement_fast.inference import standard_error

TEN_THOUSAND = 10_000
MILLION = 1_000_000

#: Six times the relative error of the ratio of two standard deviations of 1,000 replicates each.
LOOSE = 6 * (2 / 2000) ** 0.5


def ours(name, distance, n_resamples, **options):
    def call(codes):
        data = af.Annotations.from_wide(codes, missing=-1)
        result = bootstrap(
            data, name, distance=distance, n_resamples=n_resamples, rng=1, threads=1, **options
        )
        return result.standard_error

    return call


def loop(level, n_resamples):
    """Draw columns of the reliability data and compute α of them, as examples on the web do."""

    def call(data):
        import krippendorff

        rng = np.random.default_rng(2)
        n = data.shape[1]
        return np.std(
            [
                krippendorff.alpha(
                    reliability_data=data[:, rng.integers(0, n, n)], level_of_measurement=level
                )
                for _ in range(n_resamples)
            ],
            ddof=1,
        )

    return call


def draws_alone(n_patterns, n_resamples):
    """Draw the patterns' weights in numpy: the minimum for any bootstrap over patterns."""

    def call(codes):
        shares = np.full(n_patterns, 1 / n_patterns)
        np.random.default_rng(1).multinomial(len(codes), shares, size=n_resamples)

    return call


def codes(items):
    return (table(items),)


def columns(items):
    return (np.ascontiguousarray(floats(table(items)).T),)


test_nominal = contest(
    "1,000 resamples of α (nominal), 10% missing",
    TEN_THOUSAND,
    [
        Row(OURS, "int8 table", codes, ours("alpha", "nominal", 1000)),
        Row("krippendorff", "loop", columns, loop("nominal", 1000)),
        Row(REFERENCE, "draws of 252 patterns", codes, draws_alone(252, 1000)),
    ],
    rel=LOOSE,
)

test_ordinal = contest(
    "1,000 resamples of α (ordinal), ranks found again each time",
    TEN_THOUSAND,
    [
        Row(OURS, "int8 table", codes, ours("alpha", "ordinal", 1000)),
        Row("krippendorff", "loop", columns, loop("ordinal", 1000)),
    ],
    rel=LOOSE,
)

test_ten_thousand_resamples = contest(
    "10,000 resamples of α (nominal), 10% missing",
    MILLION,
    [
        Row(OURS, "int8 table", codes, ours("alpha", "nominal", 10_000)),
        Row(REFERENCE, "draws of 252 patterns", codes, draws_alone(252, 10_000)),
    ],
    also=[TEN_THOUSAND],
)

test_kappa = contest(
    "1,000 resamples of κ, each coder with marginals of their own",
    TEN_THOUSAND,
    [Row(OURS, "int8 table", codes, ours("kappa", "nominal", 1000))],
    also=[MILLION],
)

test_bca = contest(
    "1,000 resamples of α with BCa's exact jackknife",
    TEN_THOUSAND,
    [Row(OURS, "int8 table", codes, ours("alpha", "nominal", 1000, method="bca"))],
    also=[MILLION],
)


def many_coders(items):
    return (table(items, 20),)


def coder_by_coder(n_resamples):
    """Counts and sums in numpy, in a loop over resamples of the coders."""

    def call(codes):
        C = codes.shape[1]
        labels, rng = np.arange(codes.max() + 1), np.random.default_rng(2)
        given = (codes >= 0).astype(np.float64)
        said = [(codes == label).astype(np.float64) for label in labels]
        values = []
        for _ in range(n_resamples):
            copies = rng.multinomial(C, np.full(C, 1 / C)).astype(np.float64)
            counts = np.stack([one @ copies for one in said], axis=1)
            sizes, selfs = given @ copies, given @ copies**2
            kept = sizes**2 > selfs
            counts, sizes, selfs = counts[kept], sizes[kept], selfs[kept]
            apart = sizes**2 - (counts**2).sum(1)
            observed = (apart * sizes / (sizes**2 - selfs)).sum() / sizes.sum()
            total = counts.sum(0)
            expected = total.sum() ** 2 - (total**2).sum()
            values.append(1 - observed * (total.sum() ** 2 - selfs.sum()) / expected)
        return np.std(values, ddof=1)

    return call


test_twenty_coders = contest(
    "200 resamples of 20 coders, α, 10% missing",
    20_000,
    [
        Row(OURS, "int8 table", many_coders, ours("alpha", "nominal", 200, resample="coders")),
        Row("numpy", "int8 table", many_coders, coder_by_coder(200)),
    ],
    rel=6 * (2 / 400) ** 0.5,
)

test_coders = contest(
    "100 resamples of coders and items, α",
    TEN_THOUSAND,
    [
        Row(
            OURS,
            "int8 table",
            codes,
            ours("alpha", "nominal", 100, resample="both", method="percentile"),
        )
    ],
)


def error(name):
    def call(data):
        data = af.Annotations.from_wide(data, missing=-1)
        return standard_error(data, name, method="gwet").standard_error

    return call


def irrcac(method):
    def call(frame):
        from irrCAC.raw import CAC

        return getattr(CAC(frame, digits=15, categories=[0.0, 1.0, 2.0, 3.0, 4.0]), method)()[
            "est"
        ]["se"]

    return call


def frame(items):
    import pandas as pd

    return (pd.DataFrame(floats(table(items))),)


test_error_of_pi = contest(
    "standard error of π",
    TEN_THOUSAND,
    [
        Row(OURS, "int8 table", codes, error("pi")),
        Row("irrCAC", "data frame", frame, irrcac("fleiss")),
    ],
    also=[MILLION],
    rel=1e-9,
)
