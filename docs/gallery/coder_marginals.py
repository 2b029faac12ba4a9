"""How each coder uses the categories

The coder who differs most from all others comes first.
"""

from importlib.resources import files

import agreement_fast as af
from agreement_fast import plots

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
ax = plots.coder_marginals(data)
