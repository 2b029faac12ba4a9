"""Coefficients on a published scale

Five anaesthetists put 45 patients into four classes (Dawid & Skene 1979). Each coefficient has its
95% interval, over the bands of Landis & Koch. An asterisk marks a distance for which no scale is
meant.
"""

from importlib.resources import files

import agreement_fast as af
from agreement_fast import inference, plots

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
chosen = [("pi", "nominal"), ("kappa", "nominal"), ("alpha", "nominal"), ("alpha", "ordinal")]
results = [
    inference.standard_error(data, coefficient, distance=distance)
    for coefficient, distance in chosen
]
ax = plots.forest(results, scale="landis_koch_1977")
