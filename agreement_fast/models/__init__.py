"""Models behind the judgments: latent classes and traits, and one label an item.

=====================  ===========================================================================
function               question
=====================  ===========================================================================
`latent_classes`       which kinds of items are there, and how do coders label each?
`latent_trait`         where does each coder divide a scale behind ordered categories?
`implied_agreement`    which κ do a prevalence, a sensitivity and a specificity imply?
`aickin_alpha`         which share of the items is easy for both coders?
`polychoric`           how do the scales of two coders correlate?
=====================  ===========================================================================

`Judgments` hold several judgments of a coder on an item. Letters in shapes: N items, C coders, K
categories, T latent classes.
"""

from typing import TYPE_CHECKING

from agreement_fast import lookups
from agreement_fast.models.accuracy import implied_agreement
from agreement_fast.models.em import Judgments
from agreement_fast.models.latent_classes import latent_classes
from agreement_fast.models.trait import latent_trait
from agreement_fast.models.two_coders import aickin_alpha, polychoric

__all__ = [
    "Judgments",
    "aickin_alpha",
    "implied_agreement",
    "latent_classes",
    "latent_trait",
    "polychoric",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lookups(__name__)
