"""What coders mark themselves: spans, segments, chains of mentions, relations and objects.

==========================  ======================================================================
name                        question
==========================  ======================================================================
`Continuum`                 spans that coders marked in texts or recordings
`Chains`                    links between mentions
`Relations`                 what coders drew between units
`Objects`                   boxes or masks in images
`judgments`                 any of these, and segmentations, as judgments of items for κ and α
`scores`                    what do pairs of coders have in common? Precision, recall and F1, not
                            corrected for chance
`u_alpha`                   do spans agree in place and category, gaps included? uα (Krippendorff
                            et al. 2016)
`alpha_u`                   do coders have spans of a category in the same places? (Krippendorff
                            1995)
`gamma`                     do coders mark the same spans, in the best alignment? γ (Mathet et al.
                            2015)
`text_gamma`                the same in two texts: tγ (Barteld et al. 2016)
`align`                     which spans belong together? The best alignment
`place_alpha`               do the places of matched objects coincide? α with the distance 1 − IoU
`from_lengths`, `segments`  segmentations, which leave no gaps: rows of 0 and 1
`segmentation_agreement`    agreement of several segmentations, corrected for chance
`boundary_majority`         the share of coders who agree with the majority
`boundary_similarity`       two segmentations, not corrected for chance: by edits (B, S), or in
`segmentation_similarity`   windows
`window_diff`, `p_k`
==========================  ======================================================================

``af.agreement(continuum, name)`` computes "alpha_u", "u_alpha", "binary_u_alpha" (the same places,
in any category), "cu_alpha" (the same category, in places that both coders marked), "ku_alpha" (the
same for each category), "gamma", "gamma_cat" (the same category of aligned spans) and "gamma_k".
``af.agreement_table(continuum)`` computes several of them, and ``af.bootstrap(continuum)`` their
intervals, by resampling documents.
"""

from typing import TYPE_CHECKING

from agreement_fast import lookups
from agreement_fast.units import coefficients as _coefficients  # noqa: F401 - registers them
from agreement_fast.units.alignment import align
from agreement_fast.units.chains import Chains
from agreement_fast.units.coincidences import alpha_u, u_alpha
from agreement_fast.units.continuum import Continuum
from agreement_fast.units.gamma import gamma, text_gamma
from agreement_fast.units.judgments import judgments
from agreement_fast.units.objects import Objects, place_alpha, read_coco, read_cvat
from agreement_fast.units.relations import Relations
from agreement_fast.units.scores import scores
from agreement_fast.units.segmentation import from_lengths, segments
from agreement_fast.units.segmentation_agreement import boundary_majority, segmentation_agreement
from agreement_fast.units.segmentation_scores import (
    boundary_similarity,
    p_k,
    segmentation_similarity,
    window_diff,
)

__all__ = [
    "Chains",
    "Continuum",
    "Objects",
    "Relations",
    "align",
    "alpha_u",
    "boundary_majority",
    "boundary_similarity",
    "from_lengths",
    "gamma",
    "judgments",
    "p_k",
    "place_alpha",
    "read_coco",
    "read_cvat",
    "scores",
    "segmentation_agreement",
    "segmentation_similarity",
    "segments",
    "text_gamma",
    "u_alpha",
    "window_diff",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__)
