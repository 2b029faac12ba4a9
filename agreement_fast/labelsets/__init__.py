"""Labels that are sets: tags, coreference chains, extended senses, spans.

A label may be a set of elements: a frozenset, a set, a list or a tuple, or text with a separator
(``set_separator="|"`` of `Annotations.from_long`, `from_wide` and `from_frame`). `from_indicators`
and `from_masks` read indicator columns and bit masks. The
empty set is a label, not a missing judgment.

Every function that takes a distance accepts these names; functions here return further distances:

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
hamming        the number of elements that only one of them has, the        yes
               symmetric difference
overlap        1 − |A ∩ B| / min(|A|, |B|) (Szymkiewicz, Simpson);          no
               also 0 between a set and its subset
=============  ===========================================================  ==================

`code_agreement` computes agreement on each element, given or not given. `mv_alpha` is
Krippendorff's α for multi-valued data, in which chance draws elements, not sets.

The distance of two empty sets is 0. The distance of the empty set and another set is 1, except for
hamming, for which it is the size of the other set.
"""

from agreement_fast.labelsets.codes import CodeAgreement, CodeTable, CodeValue, code_agreement
from agreement_fast.labelsets.multivalued import MultiValuedAlpha, mv_alpha
from agreement_fast.labelsets.reading import from_indicators, from_masks
from agreement_fast.labelsets.spans import boundaries, extended, spans, weighted

__all__ = [
    "CodeAgreement",
    "CodeTable",
    "CodeValue",
    "MultiValuedAlpha",
    "boundaries",
    "code_agreement",
    "extended",
    "from_indicators",
    "from_masks",
    "mv_alpha",
    "spans",
    "weighted",
]
