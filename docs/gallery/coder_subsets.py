"""How many coders make a value stable

All subsets of ten coders: how much a coefficient varies with the choice of the coders, for each
number of coders.
"""

from agreement_fast import plots, subsets

coders = subsets.noisy_coders({"x": 0.5, "y": 0.3, "z": 0.2}, 0.5, n_coders=10, spread=0.15, rng=1)
data = subsets.simulate(coders, n_items=100, rng=1).annotations
study = subsets.coder_subsets(data, ["pi", "kappa", "alpha"])
ax = plots.coder_subsets(study)
