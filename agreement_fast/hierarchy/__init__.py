"""Tag trees, and distances between the tags of a tree.

A label may be any node of the tree, including an inner one: a coder who is sure of "question" but
not of its kind says "question". A tree is a mapping child → parent, a networkx graph, or paths such
as "question/yn/check". Each function here takes any of these, or a `Tree`.

================  ==========================================================  ===================
distance          between a and b, c their lowest common ancestor             triangle inequality
================  ==========================================================  ===================
leaf_overlap      1 − Σ over leaves of min(P(leaf|a), P(leaf|b))              holds
path              edges (or their lengths) on the path from a to b            holds
path, scaled      the same, divided by the longest path in the tree           holds
wu_palmer         1 − 2 level(c) / (level(a) + level(b))                      holds
level_dependent   1 − step^Δ · correction^Γ if one is above the other,        fails: two siblings
                  else 1                                                      and their parent
================  ==========================================================  ===================

All distances are 0 between equal labels. leaf_overlap is also 0 between a node and its only child,
which have the same leaves; path is 0 across edges of length 0.

A tree may have several roots, for example the dimensions of a dialogue act scheme. They are then
children of an unlabelled root at level 0. Tags below different roots share no leaf and have the
largest distance, except under path, which counts the edges through the unlabelled root.

`leaf_agreement` is not a distance but a coefficient, Melamed & Resnik's.
"""

from agreement_fast.hierarchy.measures import (
    LeafAgreement,
    leaf_agreement,
    leaf_overlap,
    level_dependent,
    path,
    wu_palmer,
)
from agreement_fast.hierarchy.tree import Tree, tree

__all__ = [
    "LeafAgreement",
    "Tree",
    "leaf_agreement",
    "leaf_overlap",
    "level_dependent",
    "path",
    "tree",
    "wu_palmer",
]
