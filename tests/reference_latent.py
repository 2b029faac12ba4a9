"""Latent classes straight from the definitions, in rational arithmetic; nothing of the package.

A row is a list of (coder, label) pairs, label a number from 0; a coder may stand in it repeatedly.
Shares are a list over classes, tables are nested lists: coder, class, label.
"""

import math
from fractions import Fraction


def votes(rows, n_classes):
    """Dawid & Skene 1979, (3.1): each row's shares of labels."""
    out = []
    for row in rows:
        said = [label for _, label in row]
        out.append([Fraction(said.count(t), len(said)) for t in range(n_classes)])
    return out


def maximise(rows, weights, posteriors, n_coders, n_labels, smoothing=Fraction(0)):
    """Dawid & Skene 1979, (2.3) and (2.4): shares, and what coders say in each class.

    A distribution that nothing was seen of is None.
    """
    n_classes = len(posteriors[0])
    total = sum(weights)
    shares = [
        sum(w * p[t] for w, p in zip(weights, posteriors, strict=True)) / total
        for t in range(n_classes)
    ]
    tables = []
    for coder in range(n_coders):
        table = []
        for t in range(n_classes):
            counts = [
                smoothing
                + sum(
                    w * p[t]
                    for w, p, row in zip(weights, posteriors, rows, strict=True)
                    for c, label in row
                    if (c, label) == (coder, k)
                )
                for k in range(n_labels)
            ]
            size = sum(counts)
            table.append([n / size for n in counts] if size else None)
        tables.append(table)
    return shares, tables


def joint(row, shares, tables):
    """P(class t and the row) for each t; 0 where a coder saw nothing of the class."""
    out = []
    for t, share in enumerate(shares):
        p = share
        for coder, label in row:
            p *= 0 if tables[coder][t] is None else tables[coder][t][label]
        out.append(p)
    return out


def expect(rows, shares, tables):
    """Dawid & Skene 1979, (2.5): each row's posterior."""
    out = []
    for row in rows:
        p = joint(row, shares, tables)
        out.append([x / sum(p) for x in p])
    return out


def log_likelihood(rows, weights, shares, tables):
    """Of all rows, natural logarithm."""
    return math.fsum(
        w * log(sum(joint(row, shares, tables))) for w, row in zip(weights, rows, strict=True)
    )


def log(x):
    """Logarithm of a fraction that may be too small for a float."""
    x = Fraction(x)
    return math.log(x.numerator) - math.log(x.denominator)


def dawid_skene(rows, weights, n_coders, n_labels, n_iterations, smoothing=Fraction(0)):
    """EM from the votes: shares and tables after a number of iterations."""
    posteriors = votes(rows, n_labels)
    for _ in range(n_iterations):
        found = maximise(rows, weights, posteriors, n_coders, n_labels, smoothing)
        posteriors = expect(rows, *found)
    return maximise(rows, weights, posteriors, n_coders, n_labels, smoothing)
