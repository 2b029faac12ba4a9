"""``--cluster``: whole clusters of items, such as documents, are the sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agreement_fast.cli.reading import Part
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.terminal import show_label


def clusters_of(part: Part, column: str) -> Mapping[Any, str | None]:
    """Give the cluster of each item; the column was read along."""
    labels = part.along[column]
    for item, cluster in labels.items():
        if cluster is None:
            raise UsageError(
                f"--cluster: item {show_label(item)} has no value in column {show_label(column)}"
            )
    return labels


def cluster_note(column: str, counts: Sequence[int]) -> str:
    """Say what intervals take for the sample; `counts` are the clusters of each group."""
    n = f"{counts[0]:,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,} a group"
    values = "the only value" if list(counts) == [1] else f"the {n} values"
    return f"intervals: the sample is of whole clusters of items, {values} of {show_label(column)}"
