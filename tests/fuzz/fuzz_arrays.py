"""Pass hostile arrays to the package: every outcome is a right value or one clear error.

    python tests/fuzz/fuzz_arrays.py --count 20000 --seed 0

Case n of a seed is always the same, so that a finding is repeated by ``--first n --count 1``.
Types, layouts, shapes, values, weights, missing labels and categories are drawn at random, most are
wrong. A value is compared with rational arithmetic from the definition
(tests/independent/reference.py), with thresholds lowered so that small tables take every route. The
short run is `test_fuzz_arrays.py`.
"""

import argparse
import collections
import contextlib
import datetime
import decimal
import fractions
import math
import sys
import traceback
import warnings
from pathlib import Path
from unittest import mock

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "independent"))

import reference

import agreement_fast as af
from agreement_fast import diagnostics, inference, subsets

#: What an error may be. Anything else, and any error without a sentence, is a finding.
ERRORS = (ValueError, TypeError, OverflowError, KeyError)


class RefusedError(Exception):
    """What the package refused; its cause is the error that a user sees."""


@contextlib.contextmanager
def asking():
    """Keep errors of the package apart from those of this program, which are findings."""
    try:
        yield
    except ERRORS as error:
        raise RefusedError from error


LOWERED = {
    "agreement_fast.patterns.FEW_ROWS": 4,
    "agreement_fast.patterns.CELLS_A_ROW": 1 << 17,
    "agreement_fast.distances.sums.rows.FEW": 6,
    "agreement_fast.reading.kept_moments.CHUNK": 8,
    "agreement_fast.reading.kept_moments.SLOTS": (1 << 3, 1 << 6),
    "agreement_fast.reading.labels.LOOK": 8,
    "agreement_fast.reading.labels.SPREAD": 1 << 9,
    "agreement_fast.distances.sums.categories.CHUNK": 8,
    "agreement_fast.reading.labels.FEW": 10,
    "agreement_fast.distances.sums.categories.ROWS_AT_ONCE": 8,
    "agreement_fast._kernels.parallel.SMALL": 10,
}

EDGES = [
    0, 1, -1, 2, 3, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536,
    2**31 - 1, 2**31, -(2**31), 2**32, 2**53, 2**53 + 1, 2**62, 2**63 - 1, -(2**63),
]  # fmt: skip
FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 127.0, 128.0, -128.0, -129.0, 255.0, 1e-300, 5e-324,
    0.1, 0.30000000000000004, 1e16, 1e308, -1e308, math.inf, -math.inf, math.nan, 2.0**53,
]  # fmt: skip
OBJECTS = [
    None, math.nan, "a", "b", "é", " a", "A", "nan", "1", 1, 2, 0, -1, True, False, 1.5, 10**30,
    b"a", (1, 2), frozenset({"a"}), frozenset(), frozenset({"a", "b"}), [1], {"a": 1}, object,
    decimal.Decimal("1.5"), fractions.Fraction(1, 3), datetime.date(2020, 1, 1), 1j, math.inf,
    "\ud800", "\x1b[31m", "‮", np.float64(1), np.int8(1), np.nan, np.datetime64("NaT", "D"),
]  # fmt: skip
TYPES = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "float16",
    "float32", "float64", "longdouble", "complex128", "datetime64[D]", "timedelta64[s]", "U3",
    "S3", "O", "V2", "i4,f8",
]  # fmt: skip
NAMES = ["s", "pi", "kappa", "alpha", "ac", "beta", "alpha_prime", "brennan_prediger"]
DISTANCES = ["nominal", "interval", "ordinal", "linear", "ratio", "circular:7", "masi"]
CHANCES = {"s": "uniform", "pi": "pooled", "kappa": "individual", "alpha": "pooled_unbiased",
           "ac": "gwet"}  # fmt: skip


def pick(rng, choices):
    """One of a list, objects kept as they are."""
    return choices[int(rng.integers(len(choices)))]


def values(rng, dtype, shape):
    """An array of a type with values that lie at the edges of something, or repeat."""
    n = int(np.prod(shape, dtype=np.int64))
    few = int(rng.integers(1, 6))
    kind = np.dtype(dtype).kind
    if kind == "O":
        pool = [pick(rng, OBJECTS) for _ in range(few)]
        out = np.empty(n, object)
        for place in range(n):
            out[place] = pick(rng, pool)
        return out.reshape(shape)
    if kind in "iu":
        info = np.iinfo(dtype)
        pool = [edge for edge in EDGES if info.min <= edge <= info.max] + [info.min, info.max]
        if rng.random() < 0.5:
            low = int(rng.integers(info.min // 2, info.max // 2, endpoint=True))
            pool = list(range(low, low + pick(rng, [2, 3, 17, 33, 200])))
            pool = [value for value in pool if value <= info.max]
        few = pick(rng, [few, 40])
    elif kind in "fc":
        pool = FLOATS if rng.random() < 0.5 else [value / 2 for value in range(-4, 40)]
    elif kind == "b":
        pool = [False, True]
    elif kind in "US":
        pool = ["c", "a", "b", "ab", "é"] if kind == "U" else [b"c", b"a", b"b\0", b"\xff"]
    elif kind == "V":
        return np.zeros(shape, dtype)
    else:
        pool = [0, 1, 2, 1000]
        made = np.array([pick(rng, pool) for _ in range(n)], np.int64).astype(dtype)
        if n and rng.random() < 0.5:
            made[0] = "NaT"
        return made.reshape(shape)
    drawn = [pick(rng, pool) for _ in range(few)]
    with np.errstate(all="ignore"):
        return np.array([pick(rng, drawn) for _ in range(n)], dtype).reshape(shape)


def laid_out(rng, array):
    """The same values, otherwise in memory, and perhaps of another class."""
    way = int(rng.integers(10))
    if way == 0:
        return np.asfortranarray(array)
    if way == 1 and array.ndim:
        return array[..., ::-1]
    if way == 2 and array.ndim == 2:
        return np.repeat(np.repeat(array, 2, axis=0), 3, axis=1)[::2, ::3]
    if way == 3 and array.dtype.kind in "iufc":
        return array.astype(array.dtype.newbyteorder())
    if way == 4 and array.dtype.kind in "iufUS" and array.size:
        room = np.empty(array.nbytes + 1, np.uint8)
        out = room[1:].view(array.dtype).reshape(array.shape)
        out[...] = array
        return out
    if way == 5:
        array = array.copy()
        array.flags.writeable = False
        return array
    if way == 6 and array.dtype.kind not in "OV":
        return np.ma.masked_array(array, rng.random(array.shape) < 0.2)
    if way == 7 and array.ndim == 2:
        return array.tolist()
    if way == 8 and array.ndim == 2 and len(array):
        return np.broadcast_to(array[:1], array.shape)
    return array


def shape_of(rng):
    """Most often a table, else nothing that could be one."""
    odd = [(), (0,), (5,), (0, 3), (3, 0), (2, 2, 2), (1, 1), (0, 0)]
    if rng.random() < 0.1:
        return pick(rng, odd)
    return int(rng.integers(1, 24)), int(rng.integers(1, 6))


def weights_for(rng, n):
    """None, most often; else frequencies, some of them invalid."""
    way = int(rng.integers(60))
    if way > 20:
        return None
    if way > 6:
        return rng.integers(0, 5, n)
    if way < 3:
        return rng.integers(0, 4, n)
    return [
        rng.integers(-2, 3, n), rng.random(n), np.full(n, 2**62), np.full(n + 1, 1),
    ][way - 3]  # fmt: skip


def plain(array, missing):
    """Rows of Python values with None for missing; None if a comparison would prove nothing."""
    if isinstance(array, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(array)
        rows = np.asarray(array.data).tolist()
    else:
        rows = array if isinstance(array, list) else np.asarray(array).tolist()
        masked = None
    if isinstance(array, np.ndarray) and array.dtype.kind in "OVcMm":
        return None
    if isinstance(array, np.ndarray) and array.dtype == np.longdouble:
        return None
    absent = set() if missing is None else {missing}
    out = []
    for i, row in enumerate(rows):
        line = []
        for j, value in enumerate(row):
            if not isinstance(value, (bool, int, float, str, bytes)):
                return None
            gone = value in absent or (isinstance(value, float) and math.isnan(value))
            gone = gone or (masked is not None and bool(masked[i, j]))
            line.append(None if gone else value)
        out.append(tuple(line))
    types = {type(value) for row in out for value in row if value is not None}
    return out if len(types) <= 1 else None


def right_value(rows, weights, name, distance):
    """The coefficient by rational arithmetic: a float, or None if it is undefined."""
    exact = {"nominal": reference.nominal, "interval": reference.interval}[distance]
    frequencies = [1] * len(rows) if weights is None else [int(weight) for weight in weights]
    used = sorted({value for row in rows for value in row if value is not None})
    cube = reference.Cube(
        reference.from_rows(rows), exact, weights=frequencies,
        coders=list(range(len(rows[0]))), categories=used,
    )  # fmt: skip
    item_weight = "judgments" if name == "alpha" else "items"
    cell = cube.cell(CHANCES[name], item_weight)
    if cell.observed is None or not cell.expected:
        return None
    return float(1 - cell.observed / cell.expected)


def dimensions(array):
    """How many dimensions an array or a list has; lists of different lengths have one."""
    try:
        return np.ndim(array)
    except ValueError:
        return 1


def wide(rng):
    """A table of labels given to a function."""
    dtype = pick(rng, TYPES)
    array = laid_out(rng, values(rng, dtype, shape_of(rng)))
    n = len(array) if dimensions(array) else 1
    weights = weights_for(rng, n)
    missing = pick(rng, [None, None, None, 0, -1, 1, "a", "", b"", math.nan, math.inf, 10**20])
    options = {"missing": missing, "weights": weights, "copy": bool(rng.integers(2))}
    if rng.random() < 0.1:
        options["categories"] = pick(rng, [[], [0, 1], ["a", "b"], [0, 0], 3, "ab", [None], [[1]]])
    name, distance = pick(rng, NAMES), pick(rng, DISTANCES)
    if rng.random() < 0.7:
        name, distance = pick(rng, [*CHANCES]), "nominal"
    elif rng.random() < 0.5:
        name, distance = "alpha", "interval"
    incomplete = pick(rng, ["published", "complete"])
    with asking():
        data = af.Annotations.from_wide(array, **options)
        use(int(rng.integers(12)), data, name, distance, incomplete)
        result = af.agreement(data, name, distance=distance)
    rows = plain(array, missing) if "categories" not in options else None
    if name not in CHANCES or distance not in ("nominal", "interval") or not rows or not rows[0]:
        return "value"
    if any(isinstance(x, float) and math.isinf(x) for row in rows for x in row):
        return "value"
    return compared(f"{name} {distance}", result, right_value(rows, weights, name, distance))


def compared(what, result, expected):
    """Compare a value with the exact one, which is None if undefined."""
    if expected is None:
        assert math.isnan(result), f"{what}: {result!r}, exactly undefined"
    else:
        assert math.isclose(result, expected, rel_tol=1e-9, abs_tol=1e-9), (
            f"{what}: {float(result)!r}, exactly {expected!r}"
        )
    return "right"


def use(which, data, name, distance, incomplete):
    """Call one function of the package, or none."""
    if which == 0:
        af.bootstrap(data, [name], distance=distance, n_resamples=9, rng=0)
    elif which == 1:
        subsets.coder_subsets(data, [name], distance=[distance])
    elif which == 2:
        diagnostics.coder_report(data, name, distance=distance)
    elif which == 3:
        diagnostics.disagreements(data, name, distance=distance)
    elif which == 4:
        str(af.diagnose(data, name, distance=distance, incomplete=incomplete))
    elif which == 5:
        inference.standard_error(data, name, distance=distance)
    elif which == 6:
        str(af.agreement_table(data, [name], [distance], incomplete=incomplete))
    elif which == 7:
        repr(data), data.to_wide(), data.patterns()


def long(rng):
    """Columns of items, coders and labels."""
    n = int(rng.integers(0, 40))
    columns = [values(rng, pick(rng, TYPES), (n + int(rng.random() < 0.03),)) for _ in range(3)]
    columns = [laid_out(rng, column) for column in columns]
    options = {"duplicates": pick(rng, ["error", "first", "last", "majority", "set"])}
    if rng.random() < 0.1:
        options = {"repeats_of": int(rng.integers(0, 5))}
    if rng.random() < 0.1:
        options["weights"] = pick(rng, [{}, {0: 2}, [1] * n])
    if rng.random() < 0.5:  # invalid items and coders less often
        columns[:2] = rng.integers(0, 9, n), rng.integers(0, 5, n).astype(np.int8)
    with asking():
        data = af.Annotations.from_long(*columns, **options)
        af.agreement(data, pick(rng, NAMES), distance=pick(rng, DISTANCES))
    return "value"


def counts(rng):
    """A table of counts, or of two coders."""
    dtype = pick(rng, ["int8", "int16", "int64", "uint8", "uint64", "float64", "O", "bool"])
    array = laid_out(rng, values(rng, dtype, shape_of(rng)))
    if rng.random() < 0.6 and dimensions(array) == 2:
        array = rng.integers(0, pick(rng, [2, 3, 17, 200]), np.shape(array)).astype(
            pick(rng, ["int8", "int64", "uint8"]), casting="unsafe"
        )
        array = np.abs(array)
    if rng.random() < 0.2:
        if isinstance(array, np.ndarray) and array.ndim == 2:
            array = array[: array.shape[1], : array.shape[0]]
        read = af.Annotations.from_contingency
    else:
        read = af.Annotations.from_counts
    name = pick(rng, ["s", "pi", "alpha", "ac"])
    with asking():
        result = af.agreement(read(array), name)
    rows = np.asarray(array).tolist()
    if read is af.Annotations.from_contingency or max(map(sum, rows), default=0) > 400:
        return "value"
    rows = [[k for k, count in enumerate(row) for _ in range(int(count))] for row in rows]
    cube = reference.Cube(
        [dict(enumerate(row)) for row in rows],
        reference.nominal, weights=[1] * len(rows), categories=list(range(np.shape(array)[1])),
    )  # fmt: skip
    cell = cube.cell(CHANCES[name], "judgments" if name == "alpha" else "items")
    undefined = cell.observed is None or not cell.expected
    correct = None if undefined else float(1 - cell.observed / cell.expected)
    return compared(f"counts {name}", result, correct)


def outcome(seed, number):
    """What became of a case: "right", "value", "error: its type", or a finding's text."""
    rng = np.random.default_rng([seed, number])
    work = pick(rng, [wide, wide, wide, long, counts])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", af.Hint)
            return work(rng)
    except RefusedError as refused:
        error = refused.__cause__
        text = str(error)
        if len(text) < 10 or "\n" in text or len(text) > 2000:
            return f"finding: an error that says little: {type(error).__name__}: {text[:300]!r}"
        return f"error: {type(error).__name__}"
    except Exception:  # a finding, reported with its traceback; the run goes on
        return f"finding: {traceback.format_exc()}"


def run(seed, first, count, report=print):
    """Try cases; returns how often each outcome came, and the findings by case."""
    found, findings = collections.Counter(), {}
    with mock.patch.dict("os.environ"):
        patches = [mock.patch(name, value) for name, value in LOWERED.items()]
        for patch in patches:
            patch.start()
        try:
            for number in range(first, first + count):
                result = outcome(seed, number)
                found[result.partition(": ")[0] if "finding" in result else result] += 1
                if result.startswith("finding"):
                    findings[number] = result
                    report(f"case {number} of seed {seed}: {result}")
        finally:
            for patch in patches:
                patch.stop()
    return found, findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20_000)
    options = parser.parse_args()
    result, findings = run(options.seed, options.first, options.count)
    for name, count in result.most_common():
        print(f"{count:8,}  {name}")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
