"""Who are the models, who are the people, and what the models said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array
from agreement_fast.diagnostics.apart import is_name, set_apart
from agreement_fast.diagnostics.gold import with_labels
from agreement_fast.errors import InputError, InputTypeError


class Judged(NamedTuple):
    """People and models over the same items.

    Attributes
    ----------
    people : Annotations
    models : tuple
        Names.
    said : int64 array of shape (n_rows, M)
        What the models said, as places among the people's categories; -1 for nothing.
    """

    people: Annotations
    models: tuple[Any, ...]
    said: Array

    @property
    def weights(self) -> Array:
        """How many items each row stands for: int64 (n_rows,)."""
        rows = self.people.rows
        return np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights


def read_models(data: Any, models: Any, people: Iterable[Any] | None, purpose: str) -> Judged:
    """Set models apart from people.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
    models : sequence of coders, or mapping name -> labels
        Coders of the data, or labels of each model by item or in the order of the items.
    people : sequence of coders, optional
        By default all coders who are no models.
    purpose : str
        What needs to know the coders.
    """
    annotations = as_annotations(data)
    if isinstance(models, Mapping):
        if people is not None:
            annotations = annotations.select(coders=people)
        names = tuple(models)
        for name in names:
            annotations, _ = with_labels(annotations, models[name], f"models[{name!r}]")
        # Categories may have moved while models added theirs.
        codes = [with_labels(annotations, models[name], f"models[{name!r}]")[1] for name in names]
        empty = np.zeros((annotations.n_rows, 0), np.int64)
        judged = Judged(annotations, names, np.stack(codes, 1) if codes else empty)
    else:
        listed = [models] if is_name(models) else list(models)
        if any(
            isinstance(name, Iterable) and not isinstance(name, (str, tuple)) for name in listed
        ):
            raise InputTypeError(
                f"models must be names of coders, or a mapping from name to labels, got {models!r}",
                argument="models",
            )
        annotations, said = set_apart(annotations, listed, people, purpose)
        judged = Judged(annotations, tuple(listed), said)
    if not judged.models:
        raise InputError("models is empty", "name at least one", argument="models")
    return judged
