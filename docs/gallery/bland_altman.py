"""Limits of agreement

The differences of two raters by their means, and the limits that contain 95% of them.
"""

import numpy as np

from agreement_fast import measures, plots

rng = np.random.default_rng(1)
true = rng.uniform(20, 80, 60)
table = np.column_stack([true + rng.normal(1.5, 4, 60), true + rng.normal(0, 4, 60)])
ax = plots.bland_altman(measures.limits_of_agreement(table)[0])
