"""A report as an HTML page

A whole study as one HTML file: verdict, findings, coefficients, coders, categories and items. It
works offline, in light and dark mode.
"""

from importlib.resources import files

import agreement_fast as af

path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
data = af.read(path, duplicates="first")
page = af.report(data, method="score").page(title="Fitness for surgery")
page.save("report.html")
