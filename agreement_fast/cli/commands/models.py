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
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import open_annotations, progress_shown
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.documents import json_fields, json_rows
from agreement_fast.present.sections import Estimate, Section
from agreement_fast.present.terminal import show_cell

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
    options.add_annotations(parser, measures="none")
    models = {"--model dawid_skene|classes|aickin": "dawid_skene (default), classes or aickin"}
    defaults = {"model": "dawid_skene", "smoothing": 0.0, "rng": 0}
    options.declare(parser, "model", models | MODEL, **defaults)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and fit the model."""
    from agreement_fast.options import check_count

    with in_options(arguments):
        if arguments.max_classes is not None:
            check_count("max_classes", arguments.max_classes, 1)
        if arguments.n_restarts is not None:
            check_count("n_restarts", arguments.n_restarts, 0)
    fit = _aickin if arguments.model == "aickin" else _fitted
    with open_annotations(arguments) as read:
        return of_groups(read, "models", lambda part: fit(part.annotations, arguments))


# ---------------------------------------------------------------------------------------------
# Dawid & Skene, and latent classes


@dataclass(frozen=True)
class _Fitted(Answer):
    """A model with classes, and its standard errors."""

    result: LatentModel
    errors: StandardErrors

    def sections(self, explain: bool) -> list[Section]:
        """Give the fit, the classes and the coders."""
        return self.result.sections(self.errors)

    def table(self) -> Table:
        """Give each probability of a label, with its interval."""
        from agreement_fast.models.uncertainty import logit_ends
        from agreement_fast.present.tables import Table

        model, errors = self.result, self.errors.probabilities
        low, high = logit_ends(model.probabilities, errors)
        classes = zip(model.class_names(), model.shares.tolist(), strict=True)
        coders, named, labels = zip(*product(model.coders, classes, model.categories), strict=True)
        names, shares = zip(*named, strict=True)
        columns: dict[str, Any] = {
            "coder": coders,
            "class": names,
            "class_share": shares,
            "label": labels,
            "probability": model.probabilities.reshape(-1),
            "standard_error": errors.reshape(-1),
            "low": low.reshape(-1),
            "high": high.reshape(-1),
        }
        return Table(columns)

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""
        from agreement_fast.models.uncertainty import logit_ends
        from agreement_fast.present.tables import Table, ends_of

        model = self.result
        ends = ends_of("", logit_ends(model.shares, self.errors.shares))
        return {
            "model": model.title,
            **json_fields(
                model,
                "n_items n_judgments log_likelihood aic bic n_parameters n_iterations converged"
                " likelihood_ratio chi_square degrees_of_freedom undefined notes",
            ),
            "n_coders": len(model.coders),
            "classes": json_rows(
                Table({"class": model.class_names(), "share": model.shares, **ends})
            ),
            "probabilities": json_rows(self.table()),
        }


def _fitted(annotations: Annotations, arguments: argparse.Namespace) -> Answer:
    from agreement_fast.models import latent_classes
    from agreement_fast.models.aggregation import aggregate

    how: dict[str, Any] = {name: getattr(arguments, name) for name in ("smoothing", "rng")}
    how |= {"progress": progress_shown(arguments)}
    restarts = arguments.n_restarts
    if arguments.model == "dawid_skene":
        labels = aggregate(annotations, "dawid_skene", n_restarts=restarts, **how)
        model = cast("LatentModel", labels.model)
    else:
        most = arguments.max_classes
        how |= {"n_restarts": 19 if restarts is None else restarts}
        model = latent_classes(annotations, max_classes=4 if most is None else most, **how)
    return _Fitted(model, model.standard_errors())


# ---------------------------------------------------------------------------------------------
# Aickin


#: Of the share of items on which two coders agree for cause.
TITLE = "Aickin's alpha (1990)"


class _Aickin(Answer):
    """Aickin's alpha."""

    def sections(self, explain: bool) -> list[Section]:
        """Give the share, and what it is."""
        alpha: AickinAlpha = self.result
        if alpha.undefined is not None:
            return [Section(TITLE, [f"Undefined: {alpha.undefined}."])]
        message = (
            "It is the share of items on which both coders agree for cause. On the others they"
            f" agree by chance only. A_o = {show_cell(alpha.observed_agreement)},"
            f" {alpha.n_items:,} items that both judged."
        )
        notes = [] if alpha.note is None else [f"Note: {alpha.note}."]
        value = Estimate("a", alpha.value, alpha.low, alpha.high, alpha.confidence_level)
        return [Section(TITLE, [value, message, *notes])]

    def table(self) -> Table:
        """Give the share, and how the model fits."""
        from agreement_fast.present.tables import Table, of_each

        names = (
            "value standard_error low high observed_agreement n_items likelihood_ratio"
            " degrees_of_freedom note undefined"
        )
        return Table(of_each([self.result], names))

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""

        return {"model": TITLE, **json_rows(self.table())[0]}


def _aickin(annotations: Annotations, arguments: argparse.Namespace) -> Answer:
    from agreement_fast.models import aickin_alpha

    n_coders = len(annotations.coders or ())
    if n_coders != 2:
        raise UsageError(
            f"--model aickin needs two coders, got {n_coders}: name two with --only-coder A,B"
        )
    return _Aickin(aickin_alpha(annotations, added=arguments.smoothing))
