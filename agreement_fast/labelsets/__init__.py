"""Labels that are sets: tags, coreference chains, extended senses, spans.

A label may be a set of elements: a frozenset, a set, a list or a tuple, or text with a separator
(``set_separator="|"`` of `Annotations.from_long` and its siblings). Columns of indicators and bit
masks are read by `from_indicators` and `from_masks`, links between mentions by `chains`. The empty
set is a label, not a missing one.

Distances between sets are given by name wherever a distance is, or made here:

=============  ===========================================================  ==================
name           distance of A and B                                          metric
=============  ===========================================================  ==================
passonneau     0 equal, 1/3 one within the other, 2/3 overlapping,          no
               1 disjoint (Passonneau 2004)
jaccard        1 − J, J = |A ∩ B| / |A ∪ B| (Jaccard 1912)                  yes
dice           1 − 2 |A ∩ B| / (|A| + |B|) (Dice 1945)                      no
masi           1 − J·M, M = 1, 2/3, 1/3, 0 as passonneau is 0, 1/3,         yes
               2/3, 1 (Passonneau 2006)
masi_product   (1 − J) · passonneau, as Artstein & Poesio 2008,             no
               4.4.1 describe it and DKPro computes it
hamming        how many elements one of them has only: the symmetric        yes
               difference
overlap        1 − |A ∩ B| / min(|A|, |B|) (Szymkiewicz, Simpson);          no
               0 also between a set and its subset
=============  ===========================================================  ==================

`code_agreement` looks at each element by itself: was it given or not? `mv_alpha` is Krippendorff's
α for multi-valued data, in which chance draws elements, not sets.

Two empty sets are 0 apart, the empty set and another 1; for hamming, which counts, the latter is as
many as the other has.
"""

from agreement_fast.labelsets.chains import chains
from agreement_fast.labelsets.codes import CodeAgreement, CodeTable, CodeValue, code_agreement
from agreement_fast.labelsets.measures import extended, weighted
from agreement_fast.labelsets.multivalued import MultiValuedAlpha, mv_alpha
from agreement_fast.labelsets.reading import from_indicators, from_masks
from agreement_fast.labelsets.spans import boundaries, spans

__all__ = [
    "CodeAgreement",
    "CodeTable",
    "CodeValue",
    "MultiValuedAlpha",
    "boundaries",
    "chains",
    "code_agreement",
    "extended",
    "from_indicators",
    "from_masks",
    "mv_alpha",
    "spans",
    "weighted",
]
