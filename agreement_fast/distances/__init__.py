"""Distances between categories.

A distance is 0 between equal labels, symmetric, finite and non-negative (Artstein & Poesio 2005,
2.5). Pass it by name ("nominal", "ordinal", "interval", "ratio", "linear", "quadratic",
"rank_linear", "rank_quadratic", "circular:24", "bipolar:0:100", "gwet:ordinal", "masi"), as one of
the objects below, as a matrix, or as any function of two labels.

==============  =========================================================  =======================
name            distance                                                   labels
==============  =========================================================  =======================
nominal         0 if a = b, else 1                                         any
ordinal         (Σ n_g from a to b − (n_a + n_b)/2)²                       numbers or declared order
interval        (a − b)²; also called quadratic, squared                   numbers
ratio           ((a − b)/(a + b))²; 0 if a = b = 0                         numbers ≥ 0
linear          |a − b|; also called absolute                              numbers
rank_linear     |rank a − rank b|, ranks among the categories              numbers or declared order
rank_quadratic  (rank a − rank b)²                                         numbers or declared order
circular(U)     sin²(π (a − b)/U), U the circumference                     numbers
bipolar(lo,hi)  (a − b)²/((a + b − 2 lo)(2 hi − a − b)); 0 if a = b        numbers in [lo, hi]
gwet(weights)   1 − w of Gwet's weights, as irrCAC has them                numbers or declared order
matrix(D)       D[a, b]                                                    any
bigram_dice     1 − 2 |A ∩ B| / (|A| + |B|), where A and B are the         texts
                sets of pairs of neighbouring characters
word_dice       the same, where A and B are the sets of words              texts
edit            insertions, deletions and replacements of characters       texts
edit_scaled     the same, divided by the length of the longer text         texts
==============  =========================================================  =======================

Between labels of a tree, which each takes as a mapping child → parent, a networkx graph, paths such
as "question/yn/check", or a `Tree`; a coder who is sure of "question" but not of its kind may say
"question", so inner nodes are labels, too:

================  ==========================================================  ===================
distance          between a and b, c their lowest common ancestor             triangle inequality
================  ==========================================================  ===================
leaf_overlap      1 − Σ over leaves of min(P(leaf|a), P(leaf|b))              holds
tree_path         edges (or their lengths) on the path from a to b            holds
wu_palmer         1 − 2 level(c) / (level(a) + level(b))                      holds
level_dependent   1 − step^Δ · correction^Γ if one is above the other,        fails: two siblings
                  else 1                                                      and their parent
================  ==========================================================  ===================

leaf_overlap is also 0 between a node and its only child, which have the same leaves; tree_path is 0
across edges of length 0. A tree may have several roots, for example the dimensions of a dialogue
act scheme. They are then children of an unlabelled root at level 0. Tags below different roots
share no leaf and have the largest distance, except under tree_path, which counts the edges through
the unlabelled root.

Between sets, which are frozensets, sets, lists, tuples or text with a separator
(``set_separator="|"``); the empty set is a label, not a missing judgment:

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

The distance of two empty sets is 0. The distance of the empty set and another set is 1, except for
hamming, for which it is the size of the other set. `weighted` weights elements, `extended` adds
groups of labels, and `spans` compares the words, or points in time, that spans cover.

Sources: Krippendorff 2011, *Computing Krippendorff's alpha-reliability* (nominal to bipolar);
Cohen 1968 (linear, quadratic); Adamson & Boreham 1974 (Dice of bigrams); Levenshtein 1966 (edit).
For ordinal, n_g is the number of judgments of category g in items with two or more judgments.

Some names mean something else in other packages. scikit-learn's weights "linear" and "quadratic"
are rank_linear and rank_quadratic here. irrCAC's weights "ordinal", (r + 1) r / 2
for a difference of r ranks, are gwet:ordinal; ordinal here is Krippendorff's.
"euclidean" raises an error, because for one number per label it may mean |a − b| (linear) or its
square (interval). For tuples of numbers, pass the function `math.dist`.

Texts are compared exactly: case, blanks and accents count. A single character is its own bigram.
Words are separated by blanks, so "yes" and "yes," differ. edit and edit_scaled need rapidfuzz
(``pip install "agreement-fast[texts]"``).
"""

from typing import TYPE_CHECKING

from agreement_fast import lookups

# Imports of the form `X as X` are for the package; `__all__` lists the public names.
from agreement_fast.distances.forms import Distance
from agreement_fast.distances.forms import MatrixDistance as MatrixDistance
from agreement_fast.distances.forms import check_symmetric as check_symmetric
from agreement_fast.distances.named import NAMED as NAMED
from agreement_fast.distances.named import TEXTS as TEXTS
from agreement_fast.distances.named import are_sets as are_sets
from agreement_fast.distances.named import (
    bigram_dice,
    bipolar,
    circular,
    edit,
    edit_scaled,
    gwet,
    interval,
    linear,
    matrix,
    nominal,
    ordinal,
    quadratic,
    rank_linear,
    rank_quadratic,
    ratio,
    word_dice,
)
from agreement_fast.distances.named import ranked_among as ranked_among
from agreement_fast.distances.named import resolve as resolve
from agreement_fast.distances.named import usual_names as usual_names
from agreement_fast.distances.set_geometry import SETS as SETS
from agreement_fast.distances.set_geometry import (
    dice,
    hamming,
    jaccard,
    masi,
    masi_product,
    overlap,
    passonneau,
)
from agreement_fast.distances.sets import extended, spans, weighted
from agreement_fast.distances.trees import (
    Tree,
    leaf_overlap,
    level_dependent,
    tree,
    tree_path,
    wu_palmer,
)

__all__ = [
    "Distance",
    "Tree",
    "bigram_dice",
    "bipolar",
    "circular",
    "dice",
    "edit",
    "edit_scaled",
    "extended",
    "gwet",
    "hamming",
    "interval",
    "jaccard",
    "leaf_overlap",
    "level_dependent",
    "linear",
    "masi",
    "masi_product",
    "matrix",
    "nominal",
    "ordinal",
    "overlap",
    "passonneau",
    "quadratic",
    "rank_linear",
    "rank_quadratic",
    "ratio",
    "spans",
    "tree",
    "tree_path",
    "weighted",
    "word_dice",
    "wu_palmer",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__)
