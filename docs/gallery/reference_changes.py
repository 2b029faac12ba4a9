"""How the majority changes with fewer coders

The share of items that would have another majority label. The band extends from the best to the
worst choice of the coders.
"""

from agreement_fast import plots, subsets

coders = subsets.noisy_coders({"x": 0.5, "y": 0.3, "z": 0.2}, 0.5, n_coders=10, spread=0.15, rng=1)
data = subsets.simulate(coders, n_items=100, rng=1).annotations
ax = plots.coder_subsets(subsets.reference_stability(data))
