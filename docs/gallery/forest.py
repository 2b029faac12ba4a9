"""Values with intervals

The agreement of five models with the labels that people agreed on.
"""

from agreement_fast import plots

models = {
    "model A": (0.81, 0.77, 0.85),
    "model B": (0.78, 0.73, 0.83),
    "model C": (0.71, 0.66, 0.76),
    "model D": (0.66, 0.60, 0.72),
    "model E": (0.52, 0.45, 0.59),
}
people = (0.74, 0.70, 0.78)
ax = plots.forest(models, measure="κ", band=people, band_name="people")
