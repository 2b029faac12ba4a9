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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import open_annotations, progress_shown
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.sections import Estimate, Section
from agreement_fast.present.terminal import json_fields, show_cell

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.models.latent_classes import LatentModel
    from agreement_fast.models.two_coders import AickinAlpha
    from agreement_fast.models.uncertainty import StandardErrors
    from agreement_fast.present.tables import Table

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
    """A model with classes, and its standard errors."""

    model: LatentModel
    errors: StandardErrors


def _fitted(annotations: Annotations, arguments: argparse.Namespace) -> _Fitted:
    from agreement_fast.models import latent_classes
    from agreement_fast.models.aggregation import aggregate

    how: dict[str, Any] = {name: getattr(arguments, name) for name in ("smoothing", "rng")}
    how |= {"progress": progress_shown(arguments)}
    restarts = arguments.n_restarts
    if arguments.model == "dawid_skene":
        labels = aggregate(annotations, "dawid_skene", n_restarts=restarts, **how)
        model = cast("LatentModel", labels.model)
        return _Fitted(model, model.standard_errors())
    most = arguments.max_classes
    how |= {"n_restarts": 19 if restarts is None else restarts}
    model = latent_classes(annotations, max_classes=4 if most is None else most, **how)
    return _Fitted(model, model.standard_errors())


def _class_table(result: _Fitted) -> Table:
    from agreement_fast.models.uncertainty import logit_ends
    from agreement_fast.present.tables import Table

    model = result.model
    classes = zip(model.class_names(), model.shares.tolist(), strict=True)
    low, high = logit_ends(model.probabilities, result.errors.probabilities)
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
    from agreement_fast.models.uncertainty import logit_ends
    from agreement_fast.present.tables import Table, json_rows

    model = result.model
    low, high = logit_ends(model.shares, result.errors.shares)
    names = model.class_names()
    classes: dict[str, Any] = {"class": names, "share": model.shares, "low": low, "high": high}
    return {
        "model": model.title,
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
    ends = (aickin_alpha.low, aickin_alpha.high, aickin_alpha.confidence_level)
    message = (
        "It is the share of items on which both coders agree for cause. On the others they agree"
        f" by chance only. A_o = {show_cell(aickin_alpha.observed_agreement)},"
        f" {aickin_alpha.n_items:,} items that both judged."
    )
    notes = [] if aickin_alpha.note is None else [f"Note: {aickin_alpha.note}."]
    return [Section(TITLE, [Estimate("a", aickin_alpha.value, *ends), message, *notes])]


def _aickin_table(aickin_alpha: AickinAlpha) -> Table:
    from agreement_fast.present.tables import Table, of_each

    names = (
        "value standard_error low high observed_agreement n_items likelihood_ratio"
        " degrees_of_freedom note undefined"
    )
    return Table(of_each([aickin_alpha], names))


def _aickin_document(aickin_alpha: AickinAlpha) -> dict[str, Any]:
    from agreement_fast.present.tables import json_rows

    return {"model": TITLE, **json_rows(_aickin_table(aickin_alpha))[0]}


_CLASSES = _Model(
    _fitted, lambda fit: fit.model.sections(fit.errors), _class_table, _class_document
)

MODELS: Mapping[str, _Model] = {
    "dawid_skene": _CLASSES,
    "classes": _CLASSES,
    "aickin": _Model(_aickin, _aickin_sections, _aickin_table, _aickin_document),
}
