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
=====================  ==========================================================================

A `Continuum` holds the units. `span_f1` scores each coder's units against each other's, without
correction for chance, and `span_annotations` makes judgments of them, for κ and α.

Segmentations, which leave no gaps, are rows of 0 and 1: `from_lengths`, `segments`. They become
judgments by `boundary_annotations` and `segment_annotations`, or are scored against a reference,
without correction for chance, by `window_diff` and `p_k`.
"""

from agreement_fast.unitizing.alpha import alpha_u
from agreement_fast.unitizing.bootstrap import (
    UnitizingInterval,
    UnitizingIntervals,
    bootstrap,
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
from agreement_fast.unitizing.segmentation_error import SegmentationError, p_k, window_diff
from agreement_fast.unitizing.span_judgments import span_annotations
from agreement_fast.unitizing.span_scores import SpanScore, SpanScores, span_f1

__all__ = [
    "CategoryUnitizing",
    "Continuum",
    "SegmentationError",
    "SpanScore",
    "SpanScores",
    "Unitizing",
    "UnitizingInterval",
    "UnitizingIntervals",
    "UnitizingTable",
    "agreement_table",
    "alpha_u",
    "binary_u_alpha",
    "bootstrap",
    "boundary_annotations",
    "cu_alpha",
    "from_lengths",
    "ku_alpha",
    "p_k",
    "segment_annotations",
    "segments",
    "span_annotations",
    "span_f1",
    "u_alpha",
    "window_diff",
]
