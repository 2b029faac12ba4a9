"""What costs agreement: the findings of a diagnosis, each with the section that shows it."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.diagnostics import Diagnosis
from agreement_fast.diagnostics.finding import GOOD
from agreement_fast.diagnostics.findings import SPREAD
from agreement_fast.page.words import clean, value

__all__ = ["findings"]

#: Where the picture of a kind of finding is, and what the link says. The first that is on the page.
SHOWN_IN = {
    "undefined": (("coefficients", "the coefficients"),),
    "bias": (("usage", "what each coder uses"),),
    "prevalence": (("categories", "the categories"),),
    "confusion": (("confusions", "the confusions"), ("categories", "the categories")),
    "camps": (("pairs", "the pairs of coders"),),
    "one coder": (("each-coder", "the agreement without each coder"),),
    "coders at chance": (("each-coder", "the agreement without each coder"),),
    "single-category coders": (("usage", "what each coder uses"),),
    "disputed items": (("items", "the most disputed items"),),
    "near misses": (("confusions", "the confusions"), ("categories", "the categories")),
    "few items": (("coefficients", "the intervals"),),
    "no agreement": (("coefficients", "the intervals"),),
    "few judgments": (("each-coder", "the judgments of each coder"),),
}


def findings(diagnosis: Diagnosis, anchors: set[str]) -> dict[str, Any]:
    """Give what the template `findings.html` shows.

    Parameters
    ----------
    diagnosis : Diagnosis
    anchors : set of str
        The parts that are on the page, so that no link leads nowhere.
    """
    most = max((one.cost for one in diagnosis if not math.isnan(one.cost)), default=0.0)
    shown = []
    for one in diagnosis:
        places = [link for link in SHOWN_IN.get(one.kind, ()) if link[0] in anchors]
        known = not math.isnan(one.cost)
        shown.append(
            {
                "kind": one.kind,
                "cost": value(one.cost) if known else "",
                "width": round(100 * one.cost / most, 1) if known and most > 0 else 0,
                "sentence": clean(one.sentence),
                "advice": clean(one.advice),
                "place": places[0] if places else None,
            }
        )
    result = diagnosis.agreement
    good = result.undefined is None and result.value >= GOOD
    return {
        "coefficient": result.coefficient,
        "distance": result.distance,
        "findings": shown,
        "nothing": "Nothing was found that costs agreement." if good else SPREAD,
        "skipped": [clean(one) for one in diagnosis.skipped],
    }
