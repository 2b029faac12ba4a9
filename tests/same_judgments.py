"""Whether annotations are the same to the last bit, however the judgments were read."""

import agreement_fast as af
from agreement_fast import bootstrap
from agreement_fast.inference import standard_error

COEFFICIENTS = ("pi", "kappa", "alpha", "ac", "s")
DISTANCES = ("interval", "ordinal", "linear")


def typed(values):
    return [(type(value), value) for value in values]


def value_or_error(function, *args, **options):
    """What a function returns, or the error that it raises."""
    try:
        return function(*args, **options)
    except af.AgreementError as error:
        return type(error), str(error)


def facts(data):
    """What annotations hold, without the names of items and who said what."""
    return {
        "categories": names_of_categories(data),
        "coders": typed(data.coders),
        "n_items": data.n_items,
        "n_judgments": data.n_judgments,
        "missing": data.missing_judgments,
        "left_out": data.left_out,
        "along": sorted(data.along),
    }


def names_of_categories(data):
    """The categories and their types; sets in an order of their own, because memory has none."""
    sets = any(isinstance(label, frozenset) for label in data.categories)
    return sorted(map(sorted, data.categories)) if sets else typed(data.categories)


def kappas(data):
    """κ of all items and of those with two judgments: what the marginals of coders are kept for."""
    return [
        repr(value_or_error(af.agreement, data, "kappa", incomplete=incomplete))
        for incomplete in ("published", "pairable")
    ]


def written(label):
    """A label as it is compared: sets in an order, zones by what they add, not by their names."""
    if isinstance(label, frozenset):
        return sorted(label)
    return label.isoformat() if hasattr(label, "isoformat") else label


def patterns(data):
    """How often each row of judgments occurs."""
    codes, weights = data.patterns()
    said = [*map(written, data.categories), None]
    rows = ([said[code] for code in row] for row in codes.tolist())
    return sorted(zip(map(repr, rows), weights.tolist(), strict=True))


def estimates(data, coefficient, distance="nominal", cluster=None):
    """A coefficient, its standard error, and draws of it, every digit written."""
    result = value_or_error(af.agreement, data, coefficient, distance=distance)
    options = {"distance": distance, "cluster": cluster}
    error = value_or_error(standard_error, data, coefficient, **options)
    draws = value_or_error(bootstrap, data, coefficient, n_resamples=20, rng=1, **options)
    return (
        repr(result),
        repr(getattr(error, "standard_error", error)),
        repr(draws.replicates.tolist() if hasattr(draws, "replicates") else draws),
    )
