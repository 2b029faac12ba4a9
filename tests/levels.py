"""Print a fingerprint of what each floating-point kernel gives, to compare builds.

    python tests/levels.py > one; ... > other; diff one other

Results must not depend on the level of the instruction set that the kernels are compiled for
(`make levels`). Each line is a piece of work and the SHA-256 of its numbers' bytes.

    python tests/levels.py --platforms

is for other processors and C libraries (`make aarch64`, `make musl`): products of matrices and
logarithms are the BLAS's and the library's there, so the numbers that are made with them are
rounded to eleven digits.
"""

import dataclasses
import hashlib
import sys
import warnings

import numpy as np

import agreement_fast as af
from agreement_fast import diagnostics, inference, subsets
from agreement_fast._kernels import _values

warnings.simplefilter("ignore", af.ShapeHint)


def table(n_items, n_coders, n_categories, missing=0.0, seed=0):
    """Random labels with some agreement."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_categories, (n_items, 1))
    own = rng.integers(0, n_categories, (n_items, n_coders))
    out = np.where(rng.random(own.shape) < 0.6, true, own).astype(np.float64)
    out[rng.random(own.shape) < missing] = np.nan
    return out


def numbers(result):
    """All numbers that a result holds, in order."""
    if isinstance(result, (int, float, np.number)):
        return [float(result)]
    if isinstance(result, np.ndarray):
        return result.astype(np.float64).reshape(-1).tolist() if result.dtype.kind in "iufb" else []
    if dataclasses.is_dataclass(result):
        result = [getattr(result, field.name) for field in dataclasses.fields(result)]
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, (list, tuple)):
        return [number for part in result for number in numbers(part)]
    return []


#: What is made with products of matrices and with logarithms, by a word of its name.
OF_PLATFORM = ("bipolar", "stability", "sets", "bootstrap", "dawid & skene")


def show(name, *results):
    """Print the fingerprint of the numbers of some results."""
    result = np.array(numbers(results))
    assert len(result), name
    if "--platforms" in sys.argv and any(word in name for word in OF_PLATFORM):
        result = np.array([float(f"{number:.10e}") for number in result])
    print(f"{name:40s} {len(result):6d} {hashlib.sha256(result.tobytes()).hexdigest()}")


def coefficients():
    """Sums over rows, by every form of a distance."""
    for missing in (0.0, 0.2):
        for name in (
            "nominal",
            "ordinal",
            "interval",
            "linear",
            "ratio",
            "circular:7",
            "bipolar:0:7",
        ):
            codes = table(3000, 6, 7, missing)
            show(f"alpha {name} {missing}", af.alpha(codes, name), af.beta(codes, name))
    rng = np.random.default_rng(1)
    values = np.round(rng.normal(50, 10, (2500, 4)), 9)
    values[rng.random(values.shape) < 0.1] = np.nan
    for name in ("interval", "ordinal", "linear", "ratio", "bipolar:0:120"):
        show(f"alpha of numbers {name}", af.alpha(values, name))
    places = np.sort(np.exp(rng.normal(0, 3, 1000)))
    v, out = rng.random(1000), np.empty(1000)
    places = np.array([places, places, 2 + places])
    nodes = _values.rational_nodes(places, v)
    _values.rational_rows(places, v, nodes, 0, len(nodes) // 2, out)
    show("rational rows", out)
    for name, distance in (("kappa", "nominal"), ("beta", "linear")):
        pairs = diagnostics.pairwise_agreement(table(2000, 12, 5, 0.1), name, distance=distance)
        show(f"pairs {name}", pairs.value, pairs.standard_error, pairs.low, pairs.high)


def studies():
    """Every subset of the coders, complete and not, and what the majority does."""
    for missing in (0.0, 0.2):
        codes = table(300, 10, 4, missing, seed=2)
        for distance in ("nominal", "interval"):
            names = ["pi", "alpha", "kappa"] if distance == "nominal" else ["alpha", "beta"]
            show(
                f"subsets {distance} {missing}",
                subsets.coder_subsets(codes, names, distance=[distance]),
            )
        for ties in ("change", "fractional", "median"):
            show(f"stability {ties} {missing}", subsets.reference_stability(codes, ties=ties))


def sets():
    """Distances between sets as masks, as lists and with weights."""
    rng = np.random.default_rng(4)
    for n_elements in (12, 300):
        pool = [
            frozenset(rng.choice(n_elements, rng.integers(0, 9), replace=False).tolist())
            for _ in range(600)
        ]
        labels = np.empty((900, 3), object)
        labels.reshape(-1)[:] = [pool[i] for i in rng.integers(0, len(pool), labels.size)]
        for name in ("masi", "jaccard", "dice", "passonneau", "hamming", "overlap"):
            show(f"sets {n_elements} {name}", af.alpha(labels, name), af.beta(labels, name))


def fits():
    """Expectation and maximisation; resamples."""
    codes = table(800, 5, 4, 0.2, seed=5)
    show("dawid & skene", af.aggregate(codes, "dawid_skene").model)
    for distance in ("nominal", "interval", "ordinal"):
        show(
            f"bootstrap {distance}",
            af.bootstrap(codes, "alpha", distance=distance, n_resamples=500, rng=1),
            inference.standard_error(codes, "alpha", distance=distance),
        )


if __name__ == "__main__":
    for part in (coefficients, studies, sets, fits):
        part()
