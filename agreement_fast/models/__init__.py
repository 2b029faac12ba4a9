"""Models behind the judgments: latent classes and traits, and one label an item.

=====================  ===========================================================================
function               question
=====================  ===========================================================================
`aggregate`            which label does each item have, and how sure is it?
`dawid_skene`          what is the error rate of each coder, for each true label?
`mace`                 how competent is each coder, and which labels are spam?
`glad`                 how able is each coder, and how difficult each item?
`crowdlab`             which label does each item have, given a trained classifier, too?
`latent_classes`       which kinds of items are there, and how do coders label each?
`choose_classes`       how many kinds?
`latent_trait`         where does each coder divide a scale behind ordered categories?
`accuracy`             how well does each coder find a category?
`coders_needed`        how many coders find it well enough?
`standard_errors`      how sure are the estimates of a model?
`implied_agreement`    which κ do a prevalence, a sensitivity and a specificity imply?
`aickin_alpha`         which share of the items is easy for both coders?
`polychoric`           how do the scales of two coders correlate?
`majority_stability`   would fewer judgments have the same majority?
=====================  ===========================================================================

`Judgments` hold several judgments of a coder on an item. Letters in shapes: N items, C coders, K
categories, T latent classes.
"""

from agreement_fast.models.accuracy import accuracy, coders_needed, implied_agreement
from agreement_fast.models.aggregate import aggregate
from agreement_fast.models.crowdlab import crowdlab
from agreement_fast.models.em import Judgments
from agreement_fast.models.glad import glad
from agreement_fast.models.latent_classes import choose_classes, dawid_skene, latent_classes
from agreement_fast.models.mace import mace
from agreement_fast.models.trait import latent_trait
from agreement_fast.models.two_coders import aickin_alpha, polychoric
from agreement_fast.models.uncertainty import standard_errors
from agreement_fast.models.votes import majority_stability

__all__ = [
    "Judgments",
    "accuracy",
    "aggregate",
    "aickin_alpha",
    "choose_classes",
    "coders_needed",
    "crowdlab",
    "dawid_skene",
    "glad",
    "implied_agreement",
    "latent_classes",
    "latent_trait",
    "mace",
    "majority_stability",
    "polychoric",
    "standard_errors",
]
