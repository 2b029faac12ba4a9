"""Agreement on objects in images: boxes and masks, and how far they cover each other.

==============  ==================================================================================
function        what it asks
==============  ==================================================================================
`scores`        does one coder find the other's objects? precision, recall and F1 at a threshold
`by_image`      the same image by image
`matched`       which objects are one and the same, as judgments: coefficients of their labels,
                also with "not marked"
`place_alpha`   do the places of matched objects coincide? α with the distance 1 − IoU
==============  ==================================================================================

`Objects` holds what coders marked. IoU is the area of what two shapes share over that of what
either covers (Jaccard 1912).
"""

from agreement_fast.objects.groups import matched
from agreement_fast.objects.marked import Objects
from agreement_fast.objects.places import PlaceAgreement, place_alpha
from agreement_fast.objects.scores import by_image, scores
from agreement_fast.pair_scores import PairScore, PairScores

__all__ = [
    "Objects",
    "PairScore",
    "PairScores",
    "PlaceAgreement",
    "by_image",
    "matched",
    "place_alpha",
    "scores",
]
