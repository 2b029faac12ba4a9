"""Diagnosis: κ of pairs of coders against scikit-learn, and studies that no other tool has."""

import itertools

from contest import OURS, REFERENCE, Row, contest
from workloads import crowd, read, table

from agreement_fast import Annotations, diagnose
from agreement_fast.diagnostics import coder_report, disagreements, pairwise_agreement


def pairs(codes):
    return pairwise_agreement(codes).value.tolist()


def sklearn_pairs(codes):
    from sklearn.metrics import cohen_kappa_score

    columns = codes.T
    two = itertools.combinations(range(len(columns)), 2)
    return [cohen_kappa_score(columns[a], columns[b]) for a, b in two]


def complete(n):
    """Ten coders of five categories, no judgment missing."""
    return (table(n, 10, 5, 0.0),)


test_pairs = contest(
    "κ of each of 45 pairs: 10 coders, 5 categories, complete",
    100_000,
    [
        Row(OURS, "int8", complete, pairs),
        Row("scikit-learn", "a column each", complete, sklearn_pairs, needs="sklearn"),
        Row(REFERENCE, "one read", complete, read),
    ],
)


def few_each(n):
    """5 judgments of each item by n / 10 coders: 50 judgments a coder."""
    return (Annotations.from_long(*crowd(n, coders=n // 10)),)


test_pairs_of_a_crowd = contest(
    "κ of each pair that met: 10,000 coders with 50 judgments each",
    100_000,
    [
        Row(
            OURS,
            "Annotations, new for each call",
            few_each,
            lambda data: float(len(pairwise_agreement(data))),
        )
    ],
)

test_coders_of_a_crowd = contest(
    "a report on each of 10,000 coders with 50 judgments each",
    100_000,
    [Row(OURS, "Annotations, new for each call", few_each, lambda data: coder_report(data).value)],
)


def million(n):
    return (Annotations.from_wide(table(n), missing=-1),)


def million_codes(n):
    return (table(n),)


test_items = contest(
    "disagreement and influence of each item: 5 coders, 5 categories, 10% missing",
    1_000_000,
    [
        Row(
            OURS,
            "Annotations, new for each call",
            million,
            lambda data: disagreements(data).value,
        ),
        Row(REFERENCE, "one read", million_codes, read),
    ],
)

test_diagnose = contest(
    "diagnose: 5 coders, 5 categories, 10% missing",
    1_000_000,
    [
        Row(
            OURS,
            "Annotations, new for each call",
            million,
            lambda data: diagnose(data).agreement.value,
        ),
        Row(REFERENCE, "one read", million_codes, read),
    ],
)
