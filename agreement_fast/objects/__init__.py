"""Agreement on objects in images: boxes and masks, compared by their overlap.

==============  ==================================================================================
function        question
==============  ==================================================================================
`scores`        does one coder find the other's objects? precision, recall and F1 at a threshold
`by_image`      the same for each image
`matched`       which objects are the same? Judgments for coefficients of their labels, including
                "not marked"
`place_alpha`   do the places of matched objects coincide? α with the distance 1 − IoU
`read_coco`,    objects from files of COCO and of CVAT, one from each coder
`read_cvat`
==============  ==================================================================================

`Objects` holds what coders marked. IoU is the area of the intersection of two shapes divided by the
area of their union (Jaccard 1912).
"""

from agreement_fast.units.object_files import read_coco, read_cvat
from agreement_fast.units.objects import (
    Objects,
    PlaceAgreement,
    by_image,
    matched,
    place_alpha,
    scores,
)
from agreement_fast.units.pair_scores import PairScore, PairScores

__all__ = [
    "Objects",
    "PairScore",
    "PairScores",
    "PlaceAgreement",
    "by_image",
    "matched",
    "place_alpha",
    "read_coco",
    "read_cvat",
    "scores",
]
