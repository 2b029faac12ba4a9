"""Which coders disagree on which items

The most disputed items come first. The darker a cell, the larger the distance of its judgment to
the other judgments of the item.
"""

from importlib.resources import files

import agreement_fast as af
from agreement_fast import plots

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
ax = plots.items_by_coders(data, distance="ordinal", max_items=20)
