"""How often the majority is wrong

The error of the majority by the reliability of the coders, with a line for each number of coders,
and the largest error that a project tolerates.
"""

from agreement_fast import plots, subsets

errors = subsets.reference_errors(
    {"yes": 0.5, "no": 0.5}, n_coders=[1, 3, 5, 9], spread=0.1, n_resamples=50, rng=1
)
ax = plots.reference_errors(errors, target=0.05)
