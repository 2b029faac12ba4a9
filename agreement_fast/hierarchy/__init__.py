"""Tag trees, and distances between the tags of a tree.

A label may be any node of the tree, also an inner one: a coder who is sure of "question" but not of
its kind says "question". Trees are given as a mapping child → parent, as a networkx graph, or as
paths like "question/yn/check"; each function here takes any of these, or a `Tree` made once.

================  ==========================================================  ===================
distance          between a and b, c their lowest common ancestor             triangle inequality
================  ==========================================================  ===================
leaf_overlap      1 − Σ over leaves of min(P(leaf|a), P(leaf|b))              holds
path              edges (or their lengths) on the way from a to b             holds
path, scaled      the same, by the longest way in the tree                    holds
wu_palmer         1 − 2 level(c) / (level(a) + level(b))                      holds
level_dependent   1 − step^Δ · correction^Γ if one is above the other,        fails: two siblings
                  else 1                                                      and their parent
================  ==========================================================  ===================

All are 0 between equal labels. leaf_overlap is 0 also between a node and its only child, which
dominate the same leaves; path is 0 across edges of length 0.

A tree may have several roots (the dimensions of a dialogue act scheme, say). They then hang below a
root that is no label: no leaf is shared across them and the level of the common ancestor is 0, so
their tags are as far apart as can be, but under path, which counts the edges over that root.

`leaf_agreement` is no distance but a coefficient, Melamed & Resnik's.
"""

from agreement_fast.hierarchy.measures import leaf_overlap, level_dependent, path, wu_palmer
from agreement_fast.hierarchy.spread_tags import LeafAgreement, leaf_agreement
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
