"""The section of the findings of a diagnosis, each with a link to the data behind it."""

from __future__ import annotations

import math
from typing import Any

from agreement_fast.diagnostics import Diagnosis
from agreement_fast.diagnostics.finding import GOOD
from agreement_fast.diagnostics.findings import SPREAD
from agreement_fast.page.words import clean, value

#: The parts of the page that show a kind of finding, and the text of the link to the first of them.
SHOWN_IN = {
    "undefined": (("coefficients", "the coefficients"),),
    "bias": (("usage", "the categories used by each coder"),),
    "prevalence": (("categories", "the categories"),),
    "confusion": (("confusions", "the confusions"), ("categories", "the categories")),
    "camps": (("pairs", "the pairs of coders"),),
    "one coder": (("each-coder", "the agreement without each coder"),),
    "coders at chance": (("each-coder", "the agreement without each coder"),),
    "single-category coders": (("usage", "the categories used by each coder"),),
    "disputed items": (("items", "the most disputed items"),),
    "near misses": (("confusions", "the confusions"), ("categories", "the categories")),
    "few items": (("coefficients", "the intervals"),),
    "no agreement": (("coefficients", "the intervals"),),
    "few judgments": (("each-coder", "the judgments of each coder"),),
}


def findings(diagnosis: Diagnosis, anchors: set[str]) -> dict[str, Any]:
    """Return the values of the template `findings.html`.

    Parameters
    ----------
    diagnosis : Diagnosis
        The diagnosis.
    anchors : set of str
        The parts that are on the page; other parts are not linked.
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
        "nothing": "Nothing was found that lowers the agreement." if good else SPREAD,
        "skipped": [clean(one) for one in diagnosis.skipped],
    }
