"""Coders who disagree with all others, and coders who use the categories in their own way."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from agreement_fast.coefficients import agreement
from agreement_fast.findings.content import Case, Finding
from agreement_fast.subsets import AgainstRest, leave_one_coder_out, one_against_rest
from agreement_fast.text import show_label

__all__ = ["bias", "coders"]

#: Items from which a coder's agreement with the others is more than luck, and what is no agreement.
ENOUGH = 10
NONE = 0.1

#: Coders who are named one by one, and in a list.
SINGLE = 3
LISTED = 6


def coders(case: Case) -> Iterator[Finding]:
    """Those who agree with nobody as one finding, and the costliest of the others one by one."""
    data = case.data
    if data.coders is None or len(data.coders) < 3:
        return
    rest = one_against_rest(data, case.distance)
    enough = rest.n_items >= ENOUGH
    usual = float(np.nanmedian(rest.value)) if not np.isnan(rest.value).all() else math.nan
    below = _clearly_below(rest, usual)
    apart = np.flatnonzero(enough & below & (rest.value < NONE))
    if len(apart) > 1 and len(data.coders) - len(apart) >= 2:
        yield _group(case, rest, apart)
    change = leave_one_coder_out(
        data, [case.coefficient], [case.distance], incomplete=case.incomplete
    ).studies[0]
    gains = np.where(enough, np.nan_to_num(change.change, nan=-math.inf), -math.inf)
    if len(apart) > 1:
        gains[apart] = -math.inf
    for c in np.argsort(-gains, kind="stable")[:SINGLE].tolist():
        if gains[c] <= 0:
            return
        value = float(change.value[c])
        name = show_label(data.coders[c])
        yield Finding(
            "coder",
            float(gains[c]),
            f"Coder {name} agrees with the others at {rest.value[c]:.2f} beyond chance, on"
            f" {rest.n_items[c]:,} items; half of the coders are above {usual:.2f}"
            f"{'' if below[c] else ', which may be luck'}. Without {name} {case.would_be(value)}.",
            "Look at what this coder says where the others agree, and go through the guidelines"
            " together. Leave a coder out for a reason other than this number.",
            {
                "coder": data.coders[c],
                "agreement_with_rest": float(rest.value[c]),
                "items": int(rest.n_items[c]),
                "value_without": value,
            },
        )


def _clearly_below(rest: AgainstRest, usual: float) -> npt.NDArray[np.bool_]:
    """Whose agreement with the others lies two standard errors below the usual one.

    What lies between 0 and M with mean m has a variance of at most m (M − m) (Bhatia & Davis 2000),
    so the error is not underestimated, whatever the distance.
    """
    observed = rest.observed_disagreement
    largest = max(float(np.nanmax(observed)), float(np.nanmax(rest.expected_disagreement)))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(observed * (largest - observed) / rest.n_items) / rest.expected_disagreement
        below: npt.NDArray[np.bool_] = rest.value + 2 * error < usual
    return below


def _group(case: Case, rest: AgainstRest, apart: npt.NDArray[np.intp]) -> Finding:
    names = case.data.coders or ()
    v, n = rest.value, rest.n_items
    order = apart[np.argsort(v[apart], kind="stable")].tolist()
    shown = ", ".join(f"{show_label(names[c])} ({v[c]:.2f})" for c in order[:LISTED])
    more = f" and {len(order) - LISTED:,} more" if len(order) > LISTED else ""
    left = set(order)
    value = case.value_of(
        case.data.select(coders=[name for c, name in enumerate(names) if c not in left])
    )
    return Finding(
        "coders",
        value - case.result.value,
        f"{len(order):,} of {len(names):,} coders agree with the others hardly better than chance"
        f" (below {NONE}, on {ENOUGH} items or more, and not by luck): {shown}{more}. Without them"
        f" {case.would_be(value)}.",
        "Check whether they answered at random or read the task differently: their judgments cost"
        " every item that they touched.",
        {
            "coders": [names[c] for c in order],
            "agreement_with_rest": [float(v[c]) for c in order],
            "items": [int(n[c]) for c in order],
            "value_without": value,
        },
    )


def bias(case: Case) -> Iterator[Finding]:
    """Coders who use the categories with frequencies of their own (Artstein & Poesio 2008, 3.1)."""
    data = case.data
    if data.coders is None or case.result.chance == "individual":
        return
    names = ("pi", "kappa") if case.distance.name == "nominal" else ("alpha_prime", "beta")
    pooled, own = (
        agreement(data, name, distance=case.distance, incomplete=case.incomplete) for name in names
    )
    cost = own.value - pooled.value
    if not cost > 0:
        return
    counts = data.coder_marginals()
    totals = counts.sum(1)
    share = counts / np.maximum(totals, 1)[:, None]
    far = np.abs(share - counts.sum(0) / counts.sum()).sum(1) / 2
    far[totals < ENOUGH] = 0
    c = int(np.argmax(far))
    k = int(np.argmax(np.abs(share[c] - counts.sum(0) / counts.sum())))
    yield Finding(
        "bias",
        cost,
        f"The coders use the categories with different frequencies: {names[1]}, which grants them"
        f" that, is {own.value:.4f}, {names[0]}, which does not, {pooled.value:.4f}. The farthest"
        f" from all is {show_label(data.coders[c])}, with {share[c, k]:.0%} of"
        f" {show_label(data.categories[k])} instead of {counts[:, k].sum() / counts.sum():.0%}.",
        "Agree on where categories begin. If it must stay, do not hide it by taking the higher"
        " number.",
        {
            "pooled": pooled.value,
            "individual": own.value,
            "coder": data.coders[c],
            "category": data.categories[k],
        },
    )
