"""What programs printed that the tests of docs/crosswalk.md cannot run: irrCAC, packages of R."""

import math

# Printed by irrCAC 0.4.4 (scipy 1.12.0, pandas 2.3.3, numpy 1.26.4) as
# `call["est"]["coefficient_value"]`, with
#   raw = lambda rows, **options: irrCAC.raw.CAC(pandas.DataFrame(rows), digits=12, **options)
#   tab = lambda table, **options: irrCAC.table.CAC(pandas.DataFrame(table), digits=12, **options)
# It asks for scipy == 1.12.0, pandas < 3 and coverage < 7, so it cannot be a test dependency.
IRRCAC_PYTHON = {
    "raw(full).bp()": 0.666666666667,
    "raw(full).fleiss()": 0.641456582633,
    "raw(full).conger()": 0.645756457565,
    "raw(full).krippendorff()": 0.652661064426,
    "raw(full).gwet()": 0.674300254453,
    'raw(full, weights="linear").fleiss()': 0.660026560425,
    'raw(full, weights="linear").conger()': 0.664921465969,
    "raw(units).bp()": 0.772727272727,
    "raw(units).fleiss()": 0.761169275422,
    "raw(units).conger()": 0.762066893651,
    "raw(two).conger()": 0.851351351351,
    "raw(units).krippendorff()": 0.743421052632,
    "raw(units).gwet()": 0.775444068127,
    'raw(units, weights="ordinal").krippendorff()': 0.833638025594,
    'raw(units, weights="ordinal").gwet()': 0.898939769908,
    'raw(units, weights="quadratic").krippendorff()': 0.849107142857,
    'raw(units, weights="linear").bp()': 0.848484848485,
    'raw(units, weights="linear").fleiss()': 0.817944767097,
    'raw(units, weights="linear").conger()': 0.813137032843,
    'raw(units, weights="linear").gwet()': 0.858739136433,
    "tab(table, weights=1 - d).bp()": 0.7975,
    "tab(table, weights=1 - d).scott()": 0.814624098867,
    "tab(table, weights=1 - d).cohen()": 0.816326530612,
    "tab(table, weights=1 - d).krippendorff()": 0.815550978373,
    "tab(table, weights=1 - d).gwet()": 0.820419022281,
    "raw(constant).gwet()": 1.0,
    "raw(constant).bp()": 1.0,
    "raw(constant).conger()": math.nan,
    "raw(constant).fleiss()": "ZeroDivisionError",
    "raw(constant).krippendorff()": "ZeroDivisionError",
    'raw(constant, categories=["a", "b"]).gwet()': 1.0,
}

# Printed by R 4.2.2 with options(digits = 12); names are matrices of the rows of the page. Calls
# stand for their `$value`, or where irrCAC prints five digits for `$est$coeff.val` or `$est$pa`.

IRRCAC_R = {
    "pa.coeff.raw(full)": 0.75,
    "pa.coeff.raw(units)": 0.81818,
    "fleiss.kappa.raw(units)": 0.76117,
    'fleiss.kappa.raw(units, weights = "linear")': 0.81794,
    'fleiss.kappa.raw(units, weights = "quadratic")': 0.86494,
    'fleiss.kappa.raw(units, weights = "ordinal")': 0.85021,
    'fleiss.kappa.raw(units, weights = "ratio")': 0.82134,
    "conger.kappa.raw(units)": 0.76207,
    'conger.kappa.raw(units, weights = "linear")': 0.81314,
    'conger.kappa.raw(units, weights = "quadratic")': 0.85717,
    'conger.kappa.raw(units, weights = "ordinal")': 0.84308,
    'conger.kappa.raw(units, weights = "ratio")': 0.81101,
    "krippen.alpha.raw(units)": 0.74342,
    'krippen.alpha.raw(units, weights = "linear")': 0.80038,
    'krippen.alpha.raw(units, weights = "quadratic")': 0.84911,
    'krippen.alpha.raw(units, weights = "ordinal")': 0.83364,
    'krippen.alpha.raw(units, weights = "ratio")': 0.7974,
    "gwet.ac1.raw(units)": 0.77544,
    'gwet.ac1.raw(units, weights = "linear")': 0.85874,
    'gwet.ac1.raw(units, weights = "quadratic")': 0.914,
    'gwet.ac1.raw(units, weights = "ordinal")': 0.89894,
    'gwet.ac1.raw(units, weights = "ratio")': 0.85737,
    "bp.coeff.raw(units)": 0.77273,
    'bp.coeff.raw(units, weights = "linear")': 0.84848,
    'bp.coeff.raw(units, weights = "quadratic")': 0.90152,
    'bp.coeff.raw(units, weights = "ordinal")': 0.88636,
    'bp.coeff.raw(units, weights = "ratio")': 0.84024,
}

IRR = {
    "agree(full) / 100": 0.625,
    "agree(two) / 100": 0.88,
    "kappa2(two)": 0.801324503311,
    'kappa2(two, "equal")': 0.835526315789,
    'kappa2(two, "squared")': 0.877650897227,
    'kappa2(tens, "squared")': 0.212121212121,
    "kappa2(units[, 1:2])": 0.844827586207,
    "kappam.fleiss(full)": 0.641456582633,
    "kappam.fleiss(full, exact = TRUE)": 0.645756457565,
    "kappam.fleiss(units)": 0.641456582633,
    "kappam.light(full)": 0.643503279973,
    "kripp.alpha(t(units))": 0.743421052632,
    'kripp.alpha(t(units), "ordinal")': 0.815387503755,
    'kripp.alpha(t(units), "interval")': 0.849107142857,
    'kripp.alpha(t(units), "ratio")': 0.797402774712,
    "kripp.alpha(t(full))": 0.645191409897,
    'kripp.alpha(t(full), "interval")': 0.670138888889,
    "kripp.alpha(units)": -0.0548589341693,
    "icc(full)": 0.698924731183,
    'icc(full, "twoway", "agreement")': 0.700657894737,
    'icc(full, "twoway")': 0.717171717172,
    'icc(full, "twoway", "agreement", "average")': 0.903499469777,
    "kendall(full, TRUE)": 0.794314381271,
    "kendall(full)": 0.706845238095,
    "stuart.maxwell.mh(two)": 12.0,
    "bhapkar(two)": 13.6363636364,
    "kappa2(same)": math.nan,
    "kripp.alpha(t(same))": 1.0,
}

PSYCH = {
    "cohen.kappa(two)$kappa": 0.801324503311,
    "cohen.kappa(two)$weighted.kappa": 0.877650897227,
    "cohen.kappa(table)$kappa": 0.801324503311,
    "cohen.kappa(full)$av.kappa": 0.643503279973,
    "cohen.kappa(full[1:3, 1:3])$kappa": -0.0216346153846,
    'ICC(full, lmer = FALSE)$results["Single_random_raters", "ICC"]': 0.700657894737,
    'ICC(full, lmer = FALSE)$results["Average_fixed_raters", "ICC"]': 0.910256410256,
    "alpha(full)$total$raw_alpha": 0.910256410256,
}

VCD = {
    "Kappa(table)$Unweighted[1]": 0.801324503311,
    "Kappa(table)$Weighted[1]": 0.835526315789,
    'Kappa(table, weights = "Fleiss-Cohen")$Weighted[1]': 0.877650897227,
}
