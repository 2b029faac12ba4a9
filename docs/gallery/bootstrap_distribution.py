"""The replicates of a bootstrap

1,000 resamples of 45 patients give 1,000 values of α, and their 95% interval.
"""

from importlib.resources import files

import agreement_fast as af
from agreement_fast import plots

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
ax = plots.bootstrap_distribution(af.bootstrap(data, "alpha", rng=1))
