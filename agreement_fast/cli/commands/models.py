"""Fit models of the coders: their errors, and how many kinds of items there are.

Fit a model in which every item has an unknown class, and each coder errs with their own
probabilities: Dawid & Skene (a class for each category, and a confusion matrix for each
coder), latent classes (how many kinds of items there are), or Aickin's alpha (the share of
items on which two coders agree for cause).

examples:
  agreement-fast models labels.csv
      Dawid & Skene: how often each coder gives each label, by true category
  agreement-fast models labels.csv --csv coders.csv
      the same as a table: one row for each coder, class and label
  agreement-fast models labels.csv --model classes --max-classes 4
      1 to 4 latent classes, and the number that fits best (by BIC)
  agreement-fast models two_coders.csv --model aickin
      Aickin's alpha of two coders
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import open_annotations, progress_shown
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.sections import Block, Full, Rows, Section, Verbatim
from agreement_fast.present.terminal import counted, json_fields, show_cell, show_label

if TYPE_CHECKING:
    from agreement_fast._kernels.arrays import FloatArray
    from agreement_fast.annotations import Annotations
    from agreement_fast.models.latent_classes import LatentModel
    from agreement_fast.models.two_coders import AickinAlpha
    from agreement_fast.models.uncertainty import StandardErrors
    from agreement_fast.present.tables import Table

#: Number of coders whose probabilities are printed, and of classes for which an answer has one.
SHOWN = 12
FEW = 3

NAME = "models"


MODEL = options_of(
    "models.latent_classes:latent_classes",
    "--max-classes N:int",
    "--smoothing X:float",
    "--n-restarts N:int",
    "--rng N:int",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(
        parser,
        example="fit data that come with the package (Dawid & Skene 1979)",
        measures="none",
    )
    models = {f"--model {'|'.join(MODELS)}": "dawid_skene (default), classes or aickin"}
    defaults = {"model": "dawid_skene", "smoothing": 0.0, "rng": 0}
    options.declare(parser, "model", models | MODEL, **defaults)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and fit the model."""
    from agreement_fast.options import check_count

    model = MODELS[arguments.model]
    with in_options(arguments):
        if arguments.max_classes is not None:
            check_count("max_classes", arguments.max_classes, 1)
        if arguments.n_restarts is not None:
            check_count("n_restarts", arguments.n_restarts, 0)
    with open_annotations(arguments) as read:
        return of_groups(
            read,
            "models",
            lambda part: model.fit(part.annotations, arguments),
            sections=lambda entry, _: model.sections(entry),
            entry=model.document,
            table=model.table,
        )


class _Model(NamedTuple):
    """How a model is fitted, and how it is shown."""

    fit: Callable[[Annotations, argparse.Namespace], Any]
    sections: Callable[[Any], list[Section]]
    table: Callable[[Any], Table]
    document: Callable[[Any], dict[str, Any]]


# ---------------------------------------------------------------------------------------------
# Dawid & Skene, and latent classes


@dataclass(frozen=True)
class _Fitted:
    """A model with classes, its standard errors, and the models that it was chosen from."""

    title: str
    model: LatentModel
    errors: StandardErrors
    choice: str | None = None


def _fitted(annotations: Annotations, arguments: argparse.Namespace) -> _Fitted:
    from agreement_fast.models import latent_classes
    from agreement_fast.models.aggregation import aggregate

    how: dict[str, Any] = {name: getattr(arguments, name) for name in ("smoothing", "rng")}
    how |= {"progress": progress_shown(arguments)}
    restarts = arguments.n_restarts
    if arguments.model == "dawid_skene":
        labels = aggregate(annotations, "dawid_skene", n_restarts=restarts, **how)
        model = cast("LatentModel", labels.model)
        return _Fitted("Dawid & Skene (1979)", model, model.standard_errors())
    most = arguments.max_classes
    how |= {"n_restarts": 19 if restarts is None else restarts}
    model = latent_classes(annotations, max_classes=4 if most is None else most, **how)
    return _Fitted("Latent classes", model, model.standard_errors(), str(model.choice))


def _ends(value: Any, error: Any) -> tuple[FloatArray, FloatArray]:
    """Return 95% intervals of probabilities, from their standard errors on the logit scale."""
    import numpy as np
    from scipy.special import expit, logit, ndtri

    with np.errstate(all="ignore"):
        half = ndtri(0.975) * np.divide(error, np.multiply(value, np.subtract(1.0, value)))
        low, high = expit(logit(value) - half), expit(logit(value) + half)
    known = np.isfinite(half)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _class_names(model: LatentModel) -> list[Any]:
    """Name the classes: by category for Dawid & Skene, else by number."""
    from agreement_fast.models.latent_classes import DawidSkene

    if isinstance(model, DawidSkene):
        return list(model.categories)
    return list(range(1, model.n_classes + 1))


def _class_sections(result: _Fitted) -> list[Section]:
    model = result.model
    if model.undefined is not None:
        return [Section(result.title, [f"No estimate: {model.undefined}."])]
    how = "converged" if model.converged else "NOT CONVERGED"
    message = (
        f"{counted(model.n_items, 'item')}, {counted(len(model.coders), 'coder')},"
        f" {counted(model.n_judgments, 'judgment')}, {counted(model.n_classes, 'class')}."
        f" Log-likelihood {model.log_likelihood:.4f} after"
        f" {counted(model.n_iterations, 'iteration')} ({how};"
        f" {model.n_best_starts} of {counted(model.n_starts, 'start')} gave this fit). AIC"
        f" {model.aic:.2f}, BIC {model.bic:.2f}, {counted(model.n_parameters, 'parameter')}."
    )
    blocks: list[Block] = [message]
    if model.fit_undefined is None:
        freedom = counted(max(0, round(model.degrees_of_freedom)), "degree") + " of freedom"
        if model.degrees_of_freedom < 0:
            freedom += ": the model has more parameters than the data can tell apart"
        fit = f"Fit: G² {model.likelihood_ratio:.4f}, χ² {model.chi_square:.4f}, {freedom}."
        blocks.append(Full(fit))
    blocks += [f"Note: {note}." for note in model.notes]
    sections = [Section(result.title, blocks)]
    if result.choice is not None:
        sections.append(Section("How many classes", [Verbatim(result.choice)]))
    names = [show_label(name) for name in _class_names(model)]
    low, high = _ends(model.shares, result.errors.shares)
    shares = [(name, *row) for name, *row in zip(names, model.shares, low, high, strict=True)]
    head = ("class", "share", "95% from", "to")
    classes = Rows(head, shares, "<>>>", "class", brief=FEW)
    coders = _coders(result, names)
    sections.append(Section("Classes", [classes]))
    brief = result.choice is None and len(names) <= FEW
    return [*sections, coders if brief else coders.hidden()]


def _coders(result: _Fitted, names: Sequence[str]) -> Section:
    """Show how often each coder gives each label, by class; the least informative coder first."""
    import numpy as np

    from agreement_fast.models.uncertainty import BOUNDARY

    model = result.model
    values = np.nan_to_num(model.probabilities)
    # How far a coder's labels depend on the class: their mean distance from the coder's habits.
    habits = np.einsum("t,ctk->ck", model.shares, values)
    telling = np.einsum("t,ctk->c", model.shares, np.abs(values - habits[:, None, :])) / 2
    order = np.argsort(telling, kind="stable")
    rows = []
    for c in order.tolist():
        for t, name in enumerate(names):
            cells = model.probabilities[c, t]
            rows.append((show_label(model.coders[c]) if t == 0 else "", name, *cells))
    labels = [show_label(label, 16) for label in model.categories]
    meaning = (
        "P(label | class). The coder whose labels depend least on the class comes first. --csv has"
        " all coders, with intervals."
    )
    head, sides = ("coder", "class", *labels), "<<" + ">" * len(labels)
    table = Rows(head, rows, sides, "coder", most=SHOWN, brief=1, each=len(names))
    blocks: list[Block] = [Full(meaning), table]
    if result.errors.undefined is not None:
        blocks.append(f"No intervals: {result.errors.undefined}.")
    else:
        # The shares of the classes are in the table above.
        known = model.probabilities[~np.isnan(model.probabilities)]
        n = int(np.count_nonzero(np.minimum(known, 1 - known) <= BOUNDARY))
        if n:
            what, it = (
                ("probability lies", "it has") if n == 1 else ("probabilities lie", "they have")
            )
            why = "for which standard errors do not hold"
            blocks.append(f"{n:,} {what} at 0 or 1, {why}: {it} no interval.")
    return Section("How often each coder gives each label", blocks)


def _class_table(result: _Fitted) -> Table:
    from agreement_fast.present.tables import Table

    model = result.model
    classes = zip(_class_names(model), model.shares.tolist(), strict=True)
    low, high = _ends(model.probabilities, result.errors.probabilities)
    cells = list(product(model.coders, classes, model.categories))
    return Table(
        {
            "coder": [coder for coder, _, _ in cells],
            "class": [name for _, (name, _), _ in cells],
            "class_share": [share for _, (_, share), _ in cells],
            "label": [label for _, _, label in cells],
            "probability": model.probabilities.reshape(-1),
            "standard_error": result.errors.probabilities.reshape(-1),
            "low": low.reshape(-1),
            "high": high.reshape(-1),
        }
    )


def _class_document(result: _Fitted) -> dict[str, Any]:
    from agreement_fast.present.tables import Table, json_rows

    model = result.model
    low, high = _ends(model.shares, result.errors.shares)
    names = _class_names(model)
    classes: dict[str, Any] = {"class": names, "share": model.shares, "low": low, "high": high}
    return {
        "model": result.title,
        **json_fields(
            model,
            "items=n_items judgments=n_judgments log_likelihood aic bic parameters=n_parameters"
            " iterations=n_iterations converged likelihood_ratio chi_square degrees_of_freedom"
            " undefined",
        ),
        "coders": len(model.coders),
        "notes": list(model.notes),
        "classes": json_rows(Table(classes)),
        "probabilities": json_rows(_class_table(result)),
    }


# ---------------------------------------------------------------------------------------------
# Aickin


#: Of the share of items on which two coders agree for cause.
TITLE = "Aickin's alpha (1990)"


def _aickin(annotations: Annotations, arguments: argparse.Namespace) -> AickinAlpha:
    from agreement_fast.models import aickin_alpha

    n_coders = len(annotations.coders or ())
    if n_coders != 2:
        raise UsageError(
            f"--model aickin needs two coders, got {n_coders}: name two with --only-coder A,B"
        )
    return aickin_alpha(annotations, added=arguments.smoothing)


def _aickin_sections(aickin_alpha: AickinAlpha) -> list[Section]:
    if aickin_alpha.undefined is not None:
        return [Section(TITLE, [f"Undefined: {aickin_alpha.undefined}."])]
    low, high = map(float, _ends(aickin_alpha.value, aickin_alpha.standard_error))
    interval = (
        "no interval" if low != low else f"95% interval {show_cell(low)} to {show_cell(high)}"
    )
    message = (
        f"a = {show_cell(aickin_alpha)}, {interval}: the share of items on which both coders agree"
        " for cause. On the others they agree by chance only. A_o ="
        f" {show_cell(aickin_alpha.observed_agreement)}, {aickin_alpha.n_items:,} items that both"
        " judged."
    )
    notes = [] if aickin_alpha.note is None else [f"Note: {aickin_alpha.note}."]
    return [Section(TITLE, [message, *notes])]


def _aickin_table(aickin_alpha: AickinAlpha) -> Table:
    from agreement_fast.present.tables import Table

    low, high = map(float, _ends(aickin_alpha.value, aickin_alpha.standard_error))
    numbers = json_fields(
        aickin_alpha,
        "value standard_error observed_agreement n_items likelihood_ratio degrees_of_freedom note"
        " undefined",
    )
    numbers = {"value": None, "standard_error": None, "low": low, "high": high} | numbers
    return Table({name: [number] for name, number in numbers.items()})


def _aickin_document(aickin_alpha: AickinAlpha) -> dict[str, Any]:
    from agreement_fast.present.tables import json_rows

    return {"model": TITLE, **json_rows(_aickin_table(aickin_alpha))[0]}


_CLASSES = _Model(_fitted, _class_sections, _class_table, _class_document)

MODELS: Mapping[str, _Model] = {
    "dawid_skene": _CLASSES,
    "classes": _CLASSES,
    "aickin": _Model(_aickin, _aickin_sections, _aickin_table, _aickin_document),
}
