"""The interval of A_o where whole clusters of items are the sample."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.distances.forms import Nominal
from agreement_fast.inference.resample import document_codes
from agreement_fast.patterns import row_sizes
from agreement_fast.results import ObservedAgreement
from agreement_fast.sums.each_row import row_disagreement
from agreement_fast.sums.of_annotations import judgments_needed
from agreement_fast.sums.shares import share_interval


def count_clusters(annotations: Annotations, cluster: Any) -> int:
    """Count the clusters that have an item with two judgments or more."""
    rows = annotations.rows
    kept = row_sizes(rows) >= 2
    if rows.weights is not None:
        kept &= rows.weights > 0
    return len(np.unique(document_codes(annotations, cluster)[kept]))


def by_cluster(
    observed: ObservedAgreement, annotations: Annotations, cluster: Any, incomplete: str
) -> ObservedAgreement:
    """Give A_o with the standard error and the interval of a sample of clusters.

    Parameters
    ----------
    observed : ObservedAgreement
        Of these annotations, items being the sample.
    annotations : Annotations
    cluster : mapping or sequence
        The cluster of each stored item.
    incomplete : str

    Notes
    -----
    With t_c the sum of a_i − A_o over the items of cluster c and n items in C clusters, the
    standard error is √(C/(C − 1) Σ t_c²) / n. The interval is Wilson's of C shares that vary as
    much.
    """
    if observed.undefined is not None:
        return observed
    rows, n_categories = annotations.rows, len(annotations.labels)
    sizes = row_sizes(rows)
    kept = sizes >= max(2, judgments_needed(annotations, incomplete))
    weights = np.ones(len(sizes)) if rows.weights is None else rows.weights.astype(np.float64)
    kept &= weights > 0
    apart = row_disagreement(rows, Nominal(n_categories), n_categories)[kept]
    shares = 1.0 - apart / (sizes[kept] * (sizes[kept] - 1.0))
    _, codes = np.unique(
        document_codes(annotations, cluster)[kept],
        return_inverse=True,
    )
    totals = np.bincount(codes, weights[kept] * (shares - observed.value))
    n_clusters = len(totals)
    if n_clusters < 2:
        return dataclasses.replace(observed, standard_error=math.nan, low=math.nan, high=math.nan)
    error = math.sqrt(n_clusters / (n_clusters - 1) * float(totals @ totals)) / observed.n_items
    squares = (error * n_clusters) ** 2
    low, high = share_interval(
        observed.value, squares, n_clusters, observed.confidence_level, observed.method
    )
    return dataclasses.replace(observed, standard_error=error, low=float(low), high=float(high))
