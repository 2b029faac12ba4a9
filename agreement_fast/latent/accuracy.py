"""How well coders find a category, and how many of them it takes (Artstein & Poesio 2005, 6.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.latent.models import NAN, SHOWN, LatentModel, check_model
from agreement_fast.options import check_choice, check_count, check_share
from agreement_fast.tables import Tabular


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Accuracy(Tabular):
    """Sensitivity and specificity of each coder for one category.

    Attributes
    ----------
    category : label
        The category of interest.
    classes : tuple of int
        The latent classes whose items are of that category.
    prevalence : float
        Their share.
    coders : sequence of labels
    sensitivity : float64 array of shape (C,)
        P(says the category | the item is of it): recall. NaN where unknown.
    specificity : float64 array of shape (C,)
        P(says something else | the item is not of it).
    mean_sensitivity, mean_specificity : float
        Of a coder drawn at random from those known.
    undefined : str or None
    """

    category: Any
    classes: tuple[int, ...]
    prevalence: float
    coders: Sequence[Any]
    sensitivity: FloatArray
    specificity: FloatArray
    mean_sensitivity: float
    mean_specificity: float
    undefined: str | None

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray]:
        """Give a row for each coder."""
        return {
            "coder": self.coders,
            "category": [self.category] * len(self.coders),
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
        }

    def __repr__(self) -> str:
        text = (
            f"<Accuracy for {self.category!r}: sensitivity {self.mean_sensitivity:.4f}, "
            f"specificity {self.mean_specificity:.4f}, prevalence {self.prevalence:.4f}"
        )
        return f"{text}>" if self.undefined is None else f"{text}; {self.undefined}>"

    def __str__(self) -> str:
        names = [str(coder) for coder in self.coders[:SHOWN]]
        wide = max(5, *(len(name) for name in names)) if names else 5
        lines = [f"category {self.category!r}, prevalence {self.prevalence:.4f}"]
        lines.append(f"{'coder':{wide}}  sensitivity  specificity")
        lines += [
            f"{name:{wide}}  {self.sensitivity[c]:11.4f}  {self.specificity[c]:11.4f}"
            for c, name in enumerate(names)
        ]
        if len(self.coders) > SHOWN:
            lines.append(f"... and {len(self.coders) - SHOWN} more coders")
        lines.append(
            f"{'mean':{wide}}  {self.mean_sensitivity:11.4f}  {self.mean_specificity:11.4f}"
        )
        return "\n".join(lines if self.undefined is None else [*lines, self.undefined])


def accuracy(
    model: LatentModel, category: Any, *, classes: Sequence[int] | None = None
) -> Accuracy:
    """Each coder's sensitivity and specificity for a category.

    Parameters
    ----------
    model : DawidSkene or LatentClasses
    category : label
    classes : sequence of int, optional
        The latent classes that count as this category. By default its own with `DawidSkene`, and
        those that are given it most often with `LatentClasses`.

    Returns
    -------
    Accuracy

    Notes
    -----
    With positive classes P: sensitivity of coder c is Σ_{t∈P} π_t θ_ctk / Σ_{t∈P} π_t; specificity
    is Σ_{t∉P} π_t (1 − θ_ctk) / Σ_{t∉P} π_t (Uebersax & Grove 1990). NaN where either sum has a
    class that the coder never met.

    Examples
    --------
    >>> from agreement_fast import latent
    >>> model = latent.dawid_skene([[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 1], [2, 2, 2]])
    >>> latent.accuracy(model, 2).specificity.tolist()
    [1.0, 1.0, 0.5]
    """
    place, positive = _positive(model, category, classes)
    reason = _why_not(model, positive)
    C = len(model.coders)
    sides = []
    for side in (positive, ~positive):
        if reason is not None:
            sides.append(np.full(C, NAN))
            continue
        shares = model.shares[side]
        said = np.where(shares > 0, model.probabilities[:, side, place], 0.0)
        sides.append(said @ (shares / shares.sum()))
    sensitivity, specificity = sides[0], 1.0 - sides[1]
    return Accuracy(
        category=model.categories[place],
        classes=tuple(np.flatnonzero(positive).tolist()),
        prevalence=NAN if model.undefined else float(model.shares[positive].sum()),
        coders=model.coders,
        sensitivity=sensitivity,
        specificity=specificity,
        mean_sensitivity=_mean(sensitivity),
        mean_specificity=_mean(specificity),
        undefined=reason,
    )


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else NAN


def _positive(model: LatentModel, category: Any, classes: Sequence[int] | None) -> tuple[int, Any]:
    """Where a category stands, and which classes are of it."""
    check_model(model)
    if category not in model.categories:
        raise InputError(
            f"{category!r} is not a category; they are {list(model.categories)}",
            argument="category",
        )
    place = model.categories.index(category)
    if classes is None:
        chosen = model.classes_of(place)
    elif isinstance(classes, (str, bytes)) or not np.iterable(classes):
        raise InputTypeError.must_be("classes", "a list of classes, such as [0]", classes)
    else:
        chosen = list(classes)
    for t in chosen:
        check_count("classes", t, 0, each=True)
        if t >= model.n_classes:
            raise InputError(
                f"class {t!r} is not one of 0 to {model.n_classes - 1}",
                argument="classes",
            )
    positive = np.zeros(model.n_classes, bool)
    positive[chosen] = True
    return place, positive


def _why_not(model: LatentModel, positive: Any) -> str | None:
    if model.undefined is not None:
        return model.undefined
    if not model.shares[positive].sum() > 0:
        return "no class: no item is of this category, so nothing tells whether it would be found"
    if not model.shares[~positive].sum() > 0:
        return "no other class: every item is of this category, so it cannot be confused"
    return None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodersNeeded(Tabular):
    """How many coders an item needs so that a category is found as often as wanted.

    Attributes
    ----------
    n_coders : int or None
        The least number; None where `max_coders` are not enough.
    category : label
    rule : str
    wanted_sensitivity, wanted_specificity : float or None
    sizes : int64 array
        1, 2, ... coders.
    sensitivity, specificity : float64 arrays
        Of so many coders together.
    undefined : str or None
        Why there is no number.
    """

    n_coders: int | None
    category: Any
    rule: str
    wanted_sensitivity: float | None
    wanted_specificity: float | None
    sizes: Any
    sensitivity: FloatArray
    specificity: FloatArray
    undefined: str | None

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray]:
        """Give a row for each number of coders."""
        return {
            "n_coders": self.sizes,
            "category": [self.category] * len(self.sizes),
            "sensitivity": self.sensitivity,
            "specificity": self.specificity,
        }

    def __repr__(self) -> str:
        if self.n_coders is None:
            return f"<CodersNeeded for {self.category!r} by {self.rule}: {self.undefined}>"
        at = self.n_coders - 1
        return (
            f"<CodersNeeded for {self.category!r} by {self.rule}: {self.n_coders}, sensitivity "
            f"{self.sensitivity[at]:.4f}, specificity {self.specificity[at]:.4f}>"
        )

    def __str__(self) -> str:
        lines = [repr(self)[1:-1], "coders  sensitivity  specificity"]
        last = min(len(self.sizes), max(10, (self.n_coders or 10) + 2))
        lines += [
            f"{self.sizes[i]:6}  {self.sensitivity[i]:11.4f}  {self.specificity[i]:11.4f}"
            for i in range(last)
        ]
        return "\n".join(lines)


#: P(the group says the category | class): from sizes n, probabilities p of shape (T, 1).
Rule = Callable[[Any, FloatArray, FloatArray, Any], FloatArray]


def _majority(n: Any, p: FloatArray, _shares: FloatArray, _positive: Any) -> FloatArray:
    from scipy.stats import binom

    out: FloatArray = binom.sf(n // 2, n, p) + np.where(n % 2, 0, 0.5) * binom.pmf(n // 2, n, p)
    return out


def _any(n: Any, p: FloatArray, _shares: FloatArray, _positive: Any) -> FloatArray:
    out: FloatArray = -np.expm1(n * _log(1 - p))
    return out


def _all(n: Any, p: FloatArray, _shares: FloatArray, _positive: Any) -> FloatArray:
    out: FloatArray = np.exp(n * _log(p))
    return out


def _posterior(n: Any, p: FloatArray, shares: FloatArray, positive: Any) -> FloatArray:
    """The group says the category where, by its votes for it, that is the more probable."""
    from scipy.stats import binom

    out = np.empty((len(p), len(n)))
    for i, size in enumerate(n.tolist()):
        votes = binom.pmf(np.arange(size + 1), size, p)  # (T, size + 1)
        joint = shares[:, None] * votes
        # What is as probable but for rounding is no more probable.
        others = joint[~positive].sum(0) * (1 + 1e-12)
        out[:, i] = votes @ (joint[positive].sum(0) > others)
    return out


def _log(p: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        out: FloatArray = np.log(p)
    return out


RULES: dict[str, Rule] = {
    "majority": _majority,
    "any": _any,
    "all": _all,
    "posterior": _posterior,
}


def coders_needed(
    model: LatentModel,
    category: Any,
    *,
    sensitivity: float | None = 0.99,
    specificity: float | None = None,
    rule: str = "majority",
    max_coders: int = 100,
    classes: Sequence[int] | None = None,
) -> CodersNeeded:
    """How many coders must judge an item so that a category is found as often as wanted.

    Parameters
    ----------
    model : DawidSkene or LatentClasses
    category : label
    sensitivity, specificity : float or None
        What the group shall reach; None asks for nothing.
    rule : {"majority", "any", "all", "posterior"}
        When a group says the category: more than half of its coders do (a tie counts half), any of
        them does, all do; or where the model finds it more probable than not by the number of those
        who do.
    max_coders : int
        Where to stop looking.
    classes :
        As in `accuracy`.

    Returns
    -------
    CodersNeeded

    Notes
    -----
    Coders are drawn at random from those of the model, and judge independently given the class:
    the number of n coders who say the category is binomial in each class, with the mean of their
    probabilities. Sensitivity is the mean over the positive classes, specificity over the others.
    O(max_coders · T), with ``"posterior"`` O(max_coders² · T).

    Examples
    --------
    >>> from agreement_fast import latent
    >>> data = [["y", "y", "y"]] * 6 + [["y", "y", "n"]] * 4 + [["n", "n", "n"]] * 9
    >>> model = latent.dawid_skene(data)
    >>> latent.coders_needed(model, "y", sensitivity=0.95)
    <CodersNeeded for 'y' by majority: 3, sensitivity 0.9514, specificity 1.0000>
    """
    for name, value in (("sensitivity", sensitivity), ("specificity", specificity)):
        if value is not None:
            check_share(name, value)
    check_choice("rule", rule, tuple(RULES))
    check_count("max_coders", max_coders, 1)
    place, positive = _positive(model, category, classes)
    reason = _why_not(model, positive)
    sizes = np.arange(1, max_coders + 1)
    sides = [np.full(max_coders, NAN), np.full(max_coders, NAN)]
    found: int | None = None
    if reason is None:
        used = model.shares > 0
        shares, positive = model.shares[used], positive[used]
        p = np.array([model.said(t)[place] for t in np.flatnonzero(used).tolist()])[:, None]
        said = RULES[rule](sizes, np.clip(p, 0.0, 1.0), shares, positive)
        for i, side in enumerate((positive, ~positive)):
            sides[i] = (shares[side] / math.fsum(shares[side])) @ said[side]
        sides[1] = 1.0 - sides[1]
        enough = np.ones(max_coders, bool)
        for wanted, reached in zip((sensitivity, specificity), sides, strict=True):
            if wanted is not None:
                enough &= reached >= wanted
        if enough.any():
            found = int(sizes[enough.argmax()])
        else:
            reason = (
                f"not reached: {max_coders} coders have sensitivity {sides[0][-1]:.4f} and "
                f"specificity {sides[1][-1]:.4f}"
            )
            if rule == "majority" and sensitivity is not None and sides[0][0] < 0.5:
                reason += (
                    f"; one coder alone has sensitivity {sides[0][0]:.4f}, and of more coders the "
                    "majority does not find it either: see rule='any' and rule='posterior'"
                )
    return CodersNeeded(
        n_coders=found,
        category=model.categories[place],
        rule=rule,
        wanted_sensitivity=sensitivity,
        wanted_specificity=specificity,
        sizes=sizes,
        sensitivity=sides[0],
        specificity=sides[1],
        undefined=reason,
    )
