"""Values with intervals

The agreement of five models with the labels that people agreed on.
"""

from agreement_fast import plots

names = ["model A", "model B", "model C", "model D", "model E"]
values = [0.81, 0.78, 0.71, 0.66, 0.52]
low = [0.77, 0.73, 0.66, 0.60, 0.45]
high = [0.85, 0.83, 0.76, 0.72, 0.59]
people = (0.74, 0.70, 0.78)
ax = plots.forest(names, values, low, high, measure="κ", band=people, band_name="people")
