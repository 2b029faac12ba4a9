"""Agreement on units of a continuum: where they are, and of which category.

=====================  ==========================================================================
function               what it asks
=====================  ==========================================================================
`alpha_u`              are units of a category where other coders have them? (Krippendorff 1995)
`u_alpha`              do segments coincide in place and category, gaps included? (2016)
`binary_u_alpha`       is the same marked at all, in whatever category? |uα (2016)
`cu_alpha`             is what both coders marked of the same category? cuα (2016)
`ku_alpha`             the same for each category; (k)uα (2016)
`agreement_table`      all of them
`bootstrap`            with intervals, documents being drawn
`gamma`                do coders mark the same units, aligned at best? γ (Mathet et al. 2015)
`gamma_cat`            are aligned units of the same category? γ_cat (Mathet 2017)
`gamma_k`              the same for each category; γ_k
`gamma_table`          all three, of the same alignments
`align`                which units belong together: the best alignment
=====================  ==========================================================================

A `Continuum` holds the units. `span_f1` scores each coder's units against each other's, without
correction for chance, and `span_annotations` makes judgments of them, for κ and α.

Segmentations, which leave no gaps, are rows of 0 and 1: `from_lengths`, `segments`. They become
judgments by `boundary_annotations` and `segment_annotations`. Two are compared, without correction
for chance, by `window_diff`, `p_k`, `boundary_edits`, `boundary_similarity` and
`segmentation_similarity`; several, with a correction, by `segmentation_agreement`, and with their
majority by `boundary_majority`.
"""

from agreement_fast.unitizing.aligned.alignment import Alignment, align
from agreement_fast.unitizing.aligned.gamma import (
    Gamma,
    GammaTable,
    gamma,
    gamma_cat,
    gamma_k,
    gamma_table,
)
from agreement_fast.unitizing.alpha import alpha_u
from agreement_fast.unitizing.bootstrap import (
    UnitizingInterval,
    UnitizingIntervals,
    bootstrap,
)
from agreement_fast.unitizing.boundary_majority import BoundaryMajority, boundary_majority
from agreement_fast.unitizing.boundary_similarity import (
    BoundaryEdits,
    SegmentationSimilarity,
    boundary_edits,
    boundary_similarity,
    segmentation_similarity,
)
from agreement_fast.unitizing.coincidences import (
    agreement_table,
    binary_u_alpha,
    cu_alpha,
    ku_alpha,
    u_alpha,
)
from agreement_fast.unitizing.continuum import Continuum
from agreement_fast.unitizing.results import CategoryUnitizing, Unitizing, UnitizingTable
from agreement_fast.unitizing.segmentation import (
    boundary_annotations,
    from_lengths,
    segment_annotations,
    segments,
)
from agreement_fast.unitizing.segmentation_agreement import (
    SegmentationAgreement,
    segmentation_agreement,
)
from agreement_fast.unitizing.segmentation_error import SegmentationError, p_k, window_diff
from agreement_fast.unitizing.span_judgments import span_annotations
from agreement_fast.unitizing.span_scores import SpanScore, SpanScores, span_f1

__all__ = [
    "Alignment",
    "BoundaryEdits",
    "BoundaryMajority",
    "CategoryUnitizing",
    "Continuum",
    "Gamma",
    "GammaTable",
    "SegmentationAgreement",
    "SegmentationError",
    "SegmentationSimilarity",
    "SpanScore",
    "SpanScores",
    "Unitizing",
    "UnitizingInterval",
    "UnitizingIntervals",
    "UnitizingTable",
    "agreement_table",
    "align",
    "alpha_u",
    "binary_u_alpha",
    "bootstrap",
    "boundary_annotations",
    "boundary_edits",
    "boundary_majority",
    "boundary_similarity",
    "cu_alpha",
    "from_lengths",
    "gamma",
    "gamma_cat",
    "gamma_k",
    "gamma_table",
    "ku_alpha",
    "p_k",
    "segment_annotations",
    "segmentation_agreement",
    "segmentation_similarity",
    "segments",
    "span_annotations",
    "span_f1",
    "u_alpha",
    "window_diff",
]
