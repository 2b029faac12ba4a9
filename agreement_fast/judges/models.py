"""Separate the models from the people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array
from agreement_fast.diagnostics.apart import is_name, set_apart
from agreement_fast.diagnostics.gold import with_labels
from agreement_fast.errors import Argument, InputError, InputTypeError, Sentence
from agreement_fast.reading import labels as label_values
from agreement_fast.recognition.people import looks_like_model


class Judged(NamedTuple):
    """People and models over the same items.

    Attributes
    ----------
    people : Annotations
        The judgments of the people.
    models : tuple
        Names of the models.
    said : int64 array of shape (n_rows, M)
        Labels of the models, as places among the people's categories; -1 if missing.
    """

    people: Annotations
    models: tuple[Any, ...]
    said: Array

    @property
    def weights(self) -> Array:
        """Number of items that each row stands for: int64 (n_rows,)."""
        rows = self.people.rows
        return np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights


def read_models(data: Any, models: Any, people: Iterable[Any] | None, purpose: str) -> Judged:
    """Separate the judgments of models from those of people.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments of the people, and of the models if `models` names coders.
    models : sequence of coders, or mapping name -> labels
        Coders of the data, or the labels of each model by item or in the order of the items.
    people : sequence of coders, optional
        The people; by default all coders that are not models.
    purpose : str
        The function that needs the names of coders, for error messages.
    """
    annotations = as_annotations(data)
    if isinstance(models, Mapping):
        if people is not None:
            annotations = annotations.select(coders=people)
        names = tuple(models)
        for name in names:
            annotations, _ = with_labels(annotations, models[name], f"models[{name!r}]")
        # A model's labels may add categories, which changes the codes of those before.
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
        if people is None and listed:
            check_people(annotations.known_coders(purpose), listed)
        judged = Judged(annotations, tuple(listed), said)
    if not judged.models:
        raise InputError("models is empty", "name at least one", argument="models")
    return judged


def check_people(people: Iterable[Any], models: Iterable[Any]) -> None:
    """Refuse coders as people whose names look like those of models, if nobody named the people."""
    rest = list(people)
    alike = [name for name in rest if looks_like_model(name)]
    if not alike:
        return
    others = [name for name in rest if name not in alike]
    remedy: Sentence = ("name it, too: ", Argument("models", [*models, *alike]))
    if len(alike) > 1:
        remedy = ("name them, too: ", Argument("models", [*models, *alike]))
    if others:
        remedy = (remedy, "; or name the people: ", Argument("people", others))
    raise InputError(
        f"{label_values.shorten(alike)} would be counted as people, and look like models",
        remedy,
        argument="people",
    )
