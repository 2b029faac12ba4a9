"""Agreement of pairs of coders

Cohen's κ of each pair of five anaesthetists. Darker cells are higher.
"""

from importlib.resources import files

import agreement_fast as af
from agreement_fast import diagnostics, plots

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
ax = plots.coder_pairs(diagnostics.pairwise_agreement(data, "kappa"))
