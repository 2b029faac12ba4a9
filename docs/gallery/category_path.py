"""Which categories to merge

Merges from left to right, with their gains in α and the share of resamples that make the same
group.
"""

from importlib.resources import files

import agreement_fast as af
from agreement_fast import diagnostics, plots

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
ax = plots.category_path(diagnostics.category_path(data, rng=1))
