"""Models of the coders, compared with crowd-kit: equal iterations, equal estimates."""

import numpy as np
from contest import OURS, REFERENCE, Row, contest
from workloads import crowd, read, table

from agreement_fast import Annotations, aggregate, models

ITERATIONS = 10


def columns(n):
    """Item, coder and label of every judgment of 5 coders."""
    codes = table(n, missing=0.0)
    return np.repeat(np.arange(n), 5), np.tile(np.arange(5), n), codes.reshape(-1)


def frame(make):
    """The judgments as crowd-kit expects them."""

    def prepare(n):
        import pandas as pd

        items, coders, labels = make(n)
        return (pd.DataFrame({"task": items, "worker": coders, "label": labels}),)

    return prepare


def ours(*arguments):
    """Compute the class shares and the posteriors."""
    data = arguments[0] if len(arguments) == 1 else Annotations.from_long(*arguments)
    model = aggregate(
        data, "dawid_skene", n_restarts=0, max_iterations=ITERATIONS, tolerance=0
    ).model
    assert model.posterior.shape == (len(model.items), len(model.shares))
    return model.shares.tolist()


def matrices(codes):
    """Class shares and confusion matrices."""
    model = aggregate(
        codes, "dawid_skene", n_restarts=0, max_iterations=ITERATIONS, tolerance=0
    ).model
    assert model.posterior.shape == (len(model.items), len(model.shares))
    return [*model.shares.tolist(), *model.confusion.swapaxes(1, 2).ravel().tolist()]


def crowdkit(frame, matrices=False):
    """The same by crowd-kit, which clips counts at 1e-10; ours may be 0."""
    from crowdkit.aggregation import DawidSkene

    model = DawidSkene(n_iter=ITERATIONS, tol=-np.inf).fit(frame)
    shares = model.priors_.sort_index().tolist()
    if not matrices:
        return shares
    errors = model.errors_.sort_index()
    return [*shares, *errors[sorted(errors.columns)].to_numpy().ravel().tolist()]


test_dawid_skene = contest(
    f"Dawid-Skene, {ITERATIONS} iterations: 5 coders, 5 categories, complete",
    100_000,
    [
        Row(OURS, "int8", lambda n: (table(n, missing=0.0),), matrices),
        Row(
            "crowd-kit", "data frame", frame(columns), lambda x: crowdkit(x, matrices=True),
            needs="crowdkit",
        ),
        Row(REFERENCE, "one read", lambda n: (table(n, missing=0.0),), read),
    ],
    rel=1e-6,
)  # fmt: skip


def few_each(n):
    """5 judgments of each item by n / 10 coders: 50 judgments a coder."""
    return crowd(n, coders=n // 10)


test_dawid_skene_crowd = contest(
    f"Dawid-Skene, {ITERATIONS} iterations: 10,000 coders with 50 judgments each",
    100_000,
    [
        Row(OURS, "judgments", few_each, ours),
        Row("crowd-kit", "data frame", frame(few_each), crowdkit, needs="crowdkit"),
    ],
    rel=1e-6,
)


def converged(*columns):
    """The default tolerance: class shares."""
    return aggregate(
        Annotations.from_long(*columns), "dawid_skene", n_restarts=0, accelerate=True
    ).model.shares.tolist()


def plain(*columns):
    """The same by EM as published."""
    return aggregate(
        Annotations.from_long(*columns), "dawid_skene", n_restarts=0
    ).model.shares.tolist()


test_dawid_skene_converged = contest(
    "Dawid-Skene until it converges: 10,000 coders with 50 judgments each",
    100_000,
    [
        Row(OURS, "judgments, accelerated", few_each, converged),
        Row(OURS, "judgments", few_each, plain),
    ],
    rel=1e-4,
)


def carcinoma_like(n):
    """Seven coders of two categories: EM sees at most 128 distinct rows."""
    return (table(n, 7, 2, 0.0),)


test_latent_classes = contest(
    "latent classes: 3 classes, 7 coders, 2 categories, one start, converged",
    1_000_000,
    [
        Row(
            OURS, "int8", carcinoma_like,
            lambda x: models.latent_classes(x, 3, n_restarts=0, rng=1).log_likelihood,
        ),
        Row(REFERENCE, "one read", carcinoma_like, read),
    ],
)  # fmt: skip
