"""Confusion of categories

How often two classes of patients occur for the same item, divided by how often they would by
chance. Framed cells are above 1.
"""

from importlib.resources import files

import agreement_fast as af
from agreement_fast import plots

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
ax = plots.category_confusion(data)
