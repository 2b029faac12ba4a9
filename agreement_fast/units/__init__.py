"""What coders mark themselves: spans, segments, chains of mentions, relations and objects.

=========================  =======================================================================
function                   question
=========================  =======================================================================
`alpha_u`                  do coders have units of a category in the same places? (Krippendorff
                           1995)
`u_alpha`                  do segments agree in place and category, gaps included? uα (2016)
`binary_u_alpha`           do coders mark the same places, in any category? |uα (2016)
`cu_alpha`                 do places that both coders marked have the same category? cuα (2016)
`ku_alpha`                 the same for each category; (k)uα (2016)
`agreement_table`          all of them
`bootstrap`                all of them with intervals, by resampling documents
`gamma`                    do coders mark the same units, in the best alignment? γ (Mathet et al.
                           2015)
`gamma_cat`                do aligned units have the same category? γ_cat (Mathet 2017)
`gamma_k`                  the same for each category; γ_k
`gamma_table`              all three, from the same alignments
`align`                    which units belong together? The best alignment
`place_alpha`              do the places of matched objects coincide? α with the distance 1 − IoU
=========================  =======================================================================

A `Continuum` holds spans, `Chains` links between mentions, `Relations` what coders drew between
units, and `Objects` boxes or masks in images. `scores` counts what pairs of coders have in common,
without correction for chance. `judgments` turns them into judgments of items, for κ and α.

A segmentation, which leaves no gaps, is a row of 0 and 1: see `from_lengths` and `segments`.
`window_diff`,
`p_k`, `boundary_edits`, `boundary_similarity` and `segmentation_similarity` compare two of them
without correction for chance. `segmentation_agreement` compares several with a correction, and
`boundary_majority` compares each with their majority.
"""

from agreement_fast.units.alignment import Alignment, align
from agreement_fast.units.chains import Chains
from agreement_fast.units.coincidences import (
    CategoryUnitizing,
    Unitizing,
    UnitizingInterval,
    UnitizingIntervals,
    UnitizingTable,
    agreement_table,
    alpha_u,
    binary_u_alpha,
    bootstrap,
    cu_alpha,
    ku_alpha,
    u_alpha,
)
from agreement_fast.units.continuum import Continuum
from agreement_fast.units.gamma import (
    Gamma,
    GammaTable,
    gamma,
    gamma_cat,
    gamma_k,
    gamma_table,
)
from agreement_fast.units.judgments import judgments
from agreement_fast.units.object_files import read_coco, read_cvat
from agreement_fast.units.objects import Objects, PlaceAgreement, place_alpha
from agreement_fast.units.relations import Relations
from agreement_fast.units.scores import scores
from agreement_fast.units.segmentation import (
    from_lengths,
    segments,
)
from agreement_fast.units.segmentation_agreement import (
    BoundaryMajority,
    SegmentationAgreement,
    boundary_majority,
    segmentation_agreement,
)
from agreement_fast.units.segmentation_scores import (
    BoundaryEdits,
    SegmentationError,
    SegmentationSimilarity,
    boundary_edits,
    boundary_similarity,
    p_k,
    segmentation_similarity,
    window_diff,
)

__all__ = [
    "Alignment",
    "BoundaryEdits",
    "BoundaryMajority",
    "CategoryUnitizing",
    "Chains",
    "Continuum",
    "Gamma",
    "GammaTable",
    "Objects",
    "PlaceAgreement",
    "Relations",
    "SegmentationAgreement",
    "SegmentationError",
    "SegmentationSimilarity",
    "Unitizing",
    "UnitizingInterval",
    "UnitizingIntervals",
    "UnitizingTable",
    "agreement_table",
    "align",
    "alpha_u",
    "binary_u_alpha",
    "bootstrap",
    "boundary_edits",
    "boundary_majority",
    "boundary_similarity",
    "cu_alpha",
    "from_lengths",
    "gamma",
    "gamma_cat",
    "gamma_k",
    "gamma_table",
    "judgments",
    "ku_alpha",
    "p_k",
    "place_alpha",
    "read_coco",
    "read_cvat",
    "scores",
    "segmentation_agreement",
    "segmentation_similarity",
    "segments",
    "u_alpha",
    "window_diff",
]
