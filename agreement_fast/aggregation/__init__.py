"""Combine the judgments of each item into one label, with its confidence.

    aggregate            a majority, Dawid & Skene, or MACE: a table of items and labels
    glad                 abilities of coders and difficulties of items
    crowdlab             labels from judgments and a trained classifier
    mace                 the model by itself: the competence of coders, and their spam
    majority_stability   how labels change with the number of judgments per item

Letters used for shapes: N items, C coders, K categories.
"""

from agreement_fast.models.aggregate import Aggregated, CoderQuality, GoldCheck, aggregate
from agreement_fast.models.crowdlab import Crowdlab, crowdlab
from agreement_fast.models.glad import Glad, glad
from agreement_fast.models.mace import Mace, mace
from agreement_fast.models.votes import MajorityStability, OneAccuracy, majority_stability

__all__ = [
    "Aggregated",
    "CoderQuality",
    "Crowdlab",
    "Glad",
    "GoldCheck",
    "Mace",
    "MajorityStability",
    "OneAccuracy",
    "aggregate",
    "crowdlab",
    "glad",
    "mace",
    "majority_stability",
]
