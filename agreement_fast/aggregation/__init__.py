"""Combine the judgments of each item into one label, with its confidence.

    aggregate            a majority, Dawid & Skene, or MACE: a table of items and labels
    glad                 abilities of coders and difficulties of items
    mace                 the model by itself: the competence of coders, and their spam
    majority_stability   how labels change with the number of judgments per item

Letters used for shapes: N items, C coders, K categories.
"""

from agreement_fast.aggregation.aggregate import Aggregated, CoderQuality, GoldCheck, aggregate
from agreement_fast.aggregation.glad import Glad, glad
from agreement_fast.aggregation.mace import Mace, mace
from agreement_fast.aggregation.votes import MajorityStability, OneAccuracy, majority_stability

__all__ = [
    "Aggregated",
    "CoderQuality",
    "Glad",
    "GoldCheck",
    "Mace",
    "MajorityStability",
    "OneAccuracy",
    "aggregate",
    "glad",
    "mace",
    "majority_stability",
]
