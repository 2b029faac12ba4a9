"""Studies over subsets of the coders: every value against `select`, and against fractions."""

import math
import subprocess
import sys
from fractions import Fraction
from math import comb

import numpy as np
import pytest
import reference
import reference_subsets as exact
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from strategies import seeded, symmetric, tables

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.subsets import all_subsets as study_module
from agreement_fast.subsets import coder_subsets, each_subset

LABELS = (0, 1, 2, 4)
ASYMMETRIC = [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
OWN = distances.matrix(symmetric(7, 4), categories=LABELS)
DISTANCES = ["nominal", "ordinal", "interval", "linear", OWN]
WEIGHTED = ["brennan_prediger", "alpha_prime", "beta", "alpha", "ac"]
INCOMPLETE = ("published", "pairable", "complete")

# name: share of missing judgments, heaviest item, categories declared
TABLES = {
    "complete": (0.0, None, False),
    "complete, weighted, declared": (0.0, 3, True),
    "missing": (0.25, None, False),
    "missing, weighted": (0.25, 3, False),
    "most judgments missing, declared": (0.7, None, True),
}


def annotations(table):
    return af.Annotations.from_wide(
        table.rows, categories=table.categories, weights=table.weights, coders=table.coders
    )


def of_eight(name, seed=3):
    missing, heaviest, declared = TABLES[name]
    return annotations(
        seeded(seed, 12, 8, LABELS, missing=missing, heaviest=heaviest, declared=declared)
    )


def selected(data, mask, coefficients, distances, incomplete):
    """The values that a user gets who selects a subset and computes."""
    coders = [coder for c, coder in enumerate(data.coders) if int(mask) >> c & 1]
    table = af.agreement_table(
        data.select(coders=coders), coefficients, distances, incomplete=incomplete
    )
    return [result.value for result in table]


def assert_selected(study, data, coefficients, distances, incomplete, places=None):
    """Compare values with those of the selected data, to 1e-12."""
    for place in range(len(study.masks)) if places is None else places:
        expected = selected(data, study.masks[place], coefficients, distances, incomplete)
        np.testing.assert_allclose(study.values[:, place], expected, rtol=1e-12, atol=1e-14)


# ---------------------------------------------------------------- every subset of eight coders


@pytest.mark.few("missing-complete", "missing, weighted-published")
@pytest.mark.parametrize(
    ("name", "incomplete"),
    [
        (name, incomplete)
        for name, (missing, *_) in TABLES.items()
        for incomplete in (INCOMPLETE if missing else ["published"])
    ],
)
def test_every_subset_of_eight_coders(name, incomplete):
    """All chance models, item weights and distances, each subset as if it were selected."""
    data = of_eight(name)
    study = coder_subsets(data, WEIGHTED, distance=DISTANCES, incomplete=incomplete, keep=True)
    assert study.n_subsets == 2**8 - 9
    assert sorted(study.masks.tolist()) == [m for m in range(2**8) if m.bit_count() >= 2]
    assert_selected(study, data, WEIGHTED, DISTANCES, incomplete)


@pytest.mark.few("complete, weighted, declared")
@pytest.mark.parametrize("name", ["complete", "complete, weighted, declared"])
def test_sums_over_pairs_of_coders_give_the_same(name):
    """Distances that are the same for all subsets take another way on complete data."""
    data = of_eight(name)
    fixed = [d for d in DISTANCES if d != "ordinal"]
    study = coder_subsets(data, WEIGHTED, distance=fixed, keep=True)
    assert_selected(study, data, WEIGHTED, fixed, "published")
    usual = coder_subsets(data, keep=True)
    assert_selected(usual, data, None, ["nominal"], "published")


@examples(30)
@given(
    table=tables("scale", most_coders=5),
    incomplete=st.sampled_from(INCOMPLETE),
    distance=st.sampled_from(["nominal", "ordinal", "interval", "linear"]),
)
def test_values_are_those_of_the_definitions(table, incomplete, distance):
    """Against rational arithmetic, undefined where the definition is."""
    data = annotations(table)
    names = ["brennan_prediger", "alpha_prime", "beta", "alpha", "ac"]
    study = coder_subsets(data, names, distance=[distance], incomplete=incomplete, keep=True)
    for place, mask in nonempty(enumerate(study.masks)):
        for m, name in enumerate(names):
            result = study.values[m, place]
            expected = exact.value(
                table.items,
                study.members(mask),
                name,
                getattr(reference, distance),
                weights=list(table.frequencies),
                categories=table.categories,
                incomplete=incomplete,
            )
            if expected is None:
                assert math.isnan(result), (name, mask, result)
            else:
                assert result == pytest.approx(float(expected), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_more_categories_than_are_counted(missing):
    """Measurements: sums over pairs of coders need no categories, one by one needs none either."""
    rng = np.random.default_rng(5)
    table = rng.normal(0, 10, (60, 1)) + rng.normal(0, 4, (60, 5))
    table[rng.random(table.shape) < missing] = np.nan
    data = af.Annotations.from_wide(table)
    names, used = ["alpha", "alpha_prime", "beta"], ["interval", "linear"]
    study = coder_subsets(data, names, distance=used, keep=True)
    assert_selected(study, data, names, used, "published")
    # one deviating judgment among a million items that agree, weights instead of rows
    data = af.Annotations.from_wide([[1, 1], [1, 1], [1, 2]], weights=[10**6, 0, 1])
    study = coder_subsets(data, WEIGHTED, keep=True)
    assert_selected(study, data, WEIGHTED, ["nominal"], "published")


@pytest.mark.parametrize("n", [126, 127, 128, 129])
def test_the_number_of_categories_that_a_byte_holds(n):
    """And one more: the last category is one like the others."""
    last = n - 1
    rows = [[last, last, None], [last, n - 2, last], [0, 1, 0], [None, n - 2, n - 2], [5, 5, 5]]
    data = af.Annotations.from_wide(rows, categories=range(n))
    study = coder_subsets(data, ["alpha", "kappa"], keep=True)
    assert_selected(study, data, ["alpha", "kappa"], ["nominal"], "published")


def test_categories_that_a_subset_does_not_use():
    """S and AC depend on k: what occurs among the judgments of the subset, unless declared."""
    rows = [["a", "a", "b"], ["b", "b", "c"], ["a", "b", "d"], ["b", "a", "a"]]
    for declared in (None, list("abcde")):
        data = af.Annotations.from_wide(rows, categories=declared)
        study = coder_subsets(data, ["s", "ac"], keep=True)
        assert_selected(study, data, ["s", "ac"], ["nominal"], "published")
    # without the third coder two categories are left, and D_e of S is 1/2, not 3/4
    undeclared = coder_subsets(af.Annotations.from_wide(rows), ["s"], size=[2], keep=True)
    assert dict(zip(undeclared.masks.tolist(), undeclared.values[0], strict=True))[3] == 0.0


@pytest.mark.parametrize("low", [3, 12])
def test_rare_categories_of_many_coders(low, monkeypatch):
    """Categories that one or two coders use, in sums over pairs of coders; every subset."""
    monkeypatch.setattr(each_subset, "LOW", low)
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, (20, 8))
    table[0, 1] = table[3, 6] = 2
    table[5, 7], table[:, 4] = 4, 1
    data = af.Annotations.from_wide(table)
    names, used = ["brennan_prediger", "ac", "alpha"], ["nominal", "interval"]
    study = coder_subsets(data, names, distance=used, keep=True)
    assert_selected(study, data, names, used, "published")
    sample = coder_subsets(data, names, distance=used, size=[3], max_subsets=40, keep=True)
    assert_selected(sample, data, names, used, "published")


def test_undefined_values_are_counted_and_left_out():
    """A pair of coders who share no item, or who used one category only."""
    rows = [[1, 1, None, 1], [2, None, 2, 1], [None, 1, None, 1], [3, 1, None, 1]]
    data = af.Annotations.from_wide(rows)
    study = coder_subsets(data, ["alpha", "pi"], keep=True)
    for rows, values in zip(study, study.values, strict=True):
        for row in rows:
            some = values[[int(mask).bit_count() == row.size for mask in study.masks]]
            assert row.n_undefined == np.isnan(some).sum()
            assert row.mean == pytest.approx(np.nanmean(some), rel=1e-12)
            assert row.counts.sum() == row.n_subsets - row.n_undefined
    assert study["alpha"][0].n_undefined > 0
    nothing = coder_subsets(af.Annotations.from_wide([[1, 1], [1, 1]]), ["alpha"])["alpha"][0]
    assert nothing.n_undefined == nothing.n_subsets == 1
    assert math.isnan(nothing.mean)
    assert math.isnan(nothing.median)
    assert nothing.counts.sum() == 0


# ---------------------------------------------------------------- summaries of a size


def assert_described(study, bins=50):
    """Compare every summary with numpy on the values themselves."""
    sizes = np.array([mask.bit_count() for mask in study.masks.tolist()])
    for rows, values in zip(study, study.values, strict=True):
        assert [row.size for row in rows] == list(study.sizes)
        for row in rows:
            some = values[sizes == row.size]
            some = some[~np.isnan(some)]
            assert row.n_subsets == (sizes == row.size).sum()
            result = [row.mean, row.standard_deviation, row.minimum, row.maximum]
            expected = [some.mean(), some.std(), some.min(), some.max()]
            np.testing.assert_allclose(result, expected, rtol=1e-11, atol=1e-15)
            assert row.relative_standard_deviation == pytest.approx(
                row.standard_deviation / abs(row.mean)
            )
            quartiles = [row.lower_quartile, row.median, row.upper_quartile]
            assert quartiles == pytest.approx(np.quantile(some, [0.25, 0.5, 0.75]), rel=1e-14)
            counts, edges = np.histogram(some, bins)
            assert (row.counts == counts).all()
            assert (row.edges == edges).all()


def larger(seed, n_coders, missing=0.0, n_items=40, labels=(0, 1, 2, 3)):
    return annotations(seeded(seed, n_items, n_coders, labels, missing=missing))


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("held", [None, 0])
def test_summaries_are_those_of_numpy(missing, held, monkeypatch):
    """Moments, exact quartiles and histograms; whether or not values are kept between passes."""
    data = larger(1, 13 if missing else 14, missing)
    names = ["pi", "kappa", "alpha"]
    whole = coder_subsets(data, names, distance=["nominal", "linear"], keep=True)
    assert_described(whole)
    if held is not None:
        monkeypatch.setattr(study_module, "HELD", held)
        again = coder_subsets(data, names, distance=["nominal", "linear"], threads=2)
        assert_same(again, whole)


def assert_same(one, other):
    """Compare two studies, bit by bit."""
    for rows, others in zip(one, other, strict=True):
        assert rows == others
        for a, b in zip(rows, others, strict=True):
            assert (a.counts == b.counts).all()
            assert (a.edges == b.edges).all()


def test_equal_values_are_held_once(monkeypatch):
    """Two items leave few distinct values: quartiles are exact however few are held."""
    monkeypatch.setattr(study_module, "MOST_IN_BINS", 64)
    monkeypatch.setattr(study_module, "PIECE", 1 << 9)
    monkeypatch.setattr(each_subset, "LOW", 6)
    rows = [[0, 1] * 6, [0, 1, 1] * 4, [1, 1, 1, 0] * 3]
    few = af.Annotations.from_wide(rows, coders=range(12))
    assert_described(coder_subsets(few, ["pi"], keep=True))
    data = larger(2, 12)
    assert_described(coder_subsets(data, ["alpha"], keep=True, n_bins=7), bins=7)


def test_the_grid_does_not_matter(monkeypatch):
    """Wherever the fine grid lies, what comes out is exact."""
    data = larger(3, 12)
    right, grid = coder_subsets(data, ["alpha"]), study_module.grid
    for shift in (-5.0, 0.4, 5.0):
        monkeypatch.setattr(
            study_module, "grid", lambda low, high, s=shift: grid(low + s, high + s)
        )
        assert_same(coder_subsets(data, ["alpha"]), right)


def test_quantiles_of_the_reference():
    """Guard the reference: numpy's definition, in fractions."""
    values = [Fraction(n * n, 7) for n in range(9)]
    for share in (0.25, 0.5, 0.75):
        expected = np.quantile([float(x) for x in values], share)
        assert float(exact.quantile(values, share)) == pytest.approx(expected)


def test_a_study_straight_from_the_definition():
    """Five coders, every size: mean, deviation and quartiles in fractions."""
    table = seeded(11, 9, 5, LABELS, missing=0.1)
    study = coder_subsets(annotations(table), ["alpha"], distance=["interval"])
    for row in nonempty(study["alpha", "interval"]):
        values = [
            exact.value(
                table.items, subset, "alpha", reference.interval,
                weights=None, categories=None, incomplete="published",
            )
            for subset in exact.subsets(5, row.size)
        ]  # fmt: skip
        assert row.n_subsets == len(values) == comb(5, row.size)
        assert row.mean == pytest.approx(float(Fraction(sum(values), len(values))), rel=1e-12)
        assert row.standard_deviation**2 == pytest.approx(
            float(exact.squared_deviation(values)), rel=1e-9
        )
        assert row.median == pytest.approx(float(exact.quantile(values, Fraction(1, 2))), rel=1e-12)


# ---------------------------------------------------------------- which subsets


@pytest.mark.parametrize("n_coders", [2, 3, 7, 13])
def test_every_subset_once(n_coders):
    """All sizes, from halves and size by size."""
    for size in range(1, n_coders + 1):
        everything = np.arange(comb(n_coders, size))
        result = each_subset.masks_of(everything, size, n_coders)
        expected = [m for m in range(1 << n_coders) if m.bit_count() == size]
        assert result.tolist() == expected
        n = len(expected)
        blocks = [
            each_subset.masks_between(i, min(i + 5, n), size, n_coders) for i in range(0, n, 5)
        ]
        assert np.concatenate(blocks).tolist() == expected
    study = coder_subsets(larger(0, n_coders), ["pi"], keep=True)
    every = [m for m in range(1 << n_coders) if m.bit_count() >= 2]
    assert sorted(study.masks.tolist()) == every


def test_masks_of_63_coders():
    """The largest numbers: the last subset of each size has the highest coders."""
    for size in (1, 2, 31, 32, 62, 63):
        last = comb(63, size) - 1
        (mask,) = each_subset.masks_of(np.array([last]), size, 63).tolist()
        assert mask == ((1 << size) - 1) << (63 - size)
        block = each_subset.masks_between(max(0, last - 1), last + 1, size, 63)
        assert block.tolist()[-1] == mask


@pytest.mark.breadth
def test_samples_are_uniform_and_without_replacement():
    """Every subset is drawn about equally often, none twice; the same seed draws the same."""
    data = larger(4, 9)
    counts = np.zeros(1 << 9)
    for seed in range(300):
        study = coder_subsets(data, ["pi"], size=[4], max_subsets=42, rng=seed, keep=True)
        (row,) = study["pi"]
        assert row.sampled
        assert row.n_subsets == 42
        assert row.n_possible == 126
        assert len(set(study.masks.tolist())) == 42
        counts[study.masks.astype(np.int64)] += 1
    drawn = counts[counts > 0]
    assert len(drawn) == 126
    # each is in a third of 300 samples; the variance of such a count is 300 · 1/3 · 2/3
    chi_square = ((drawn - 100) ** 2).sum() / (300 / 3 * 2 / 3)
    assert chi_square < 200  # 125 degrees of freedom: one in 30,000 by chance
    again = coder_subsets(data, ["pi"], size=[4], max_subsets=42, rng=299, keep=True)
    assert (again.masks == study.masks).all()
    assert (again.values == study.values).all()


def test_sizes_that_are_sampled_and_others():
    """max_subsets leaves small sizes whole; the values are those of their subsets."""
    for missing in (0.0, 0.2):
        data = larger(5, 12, missing)
        study = coder_subsets(data, ["alpha"], size=[2, 6, 11], max_subsets=100, rng=1, keep=True)
        assert [row.n_subsets for row in study["alpha"]] == [66, 100, 12]
        assert [row.sampled for row in study["alpha"]] == [False, True, False]
        assert study.n_subsets == len(study.masks) == 178
        assert_described(study)
        assert_selected(study, data, ["alpha"], ["nominal"], "published", range(0, 178, 7))


def test_sixty_coders_are_sampled():
    """Too many for all subsets; complete and not, names of coders kept."""
    names = [f"coder {c}" for c in range(60)]
    rng = np.random.default_rng(0)
    table = np.where(rng.random((30, 60)) < 0.6, rng.integers(0, 3, (30, 1)), 2).astype(float)
    for missing in (0.0, 0.3):
        table[rng.random(table.shape) < missing] = np.nan
        data = af.Annotations.from_wide(table, coders=names)
        study = coder_subsets(
            data, ["alpha", "kappa"], size=[2, 30, 59, 60], max_subsets=40, rng=0, keep=True
        )
        assert study.n_subsets == 40 + 40 + 40 + 1
        assert_selected(study, data, ["alpha", "kappa"], ["nominal"], "published", range(0, 121, 5))
        with pytest.raises(ValueError, match="max_subsets"):
            coder_subsets(data, ["alpha"])


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_number_of_threads_does_not_matter(missing, monkeypatch):
    """Bit by bit the same, in many pieces."""
    monkeypatch.setattr(study_module, "PIECE", 1 << 9)
    monkeypatch.setattr(study_module, "HELD", 0)
    monkeypatch.setattr(each_subset, "LOW", 6)
    data = larger(6, 12, missing)
    one, *others = (
        coder_subsets(data, ["alpha", "pi"], threads=n, max_subsets=700, rng=8, keep=True)
        for n in (1, 2, 5)
    )
    for other in nonempty(others):
        assert_same(one, other)
        assert (one.masks == other.masks).all()
        assert np.array_equal(one.values, other.values, equal_nan=True)


# ---------------------------------------------------------------- every value in a file


def test_values_are_written_to_parquet(tmp_path):
    """A row a subset: mask, size, values; and the coders' names."""
    parquet = pytest.importorskip("pyarrow.parquet")
    data = larger(7, 10)
    path = tmp_path / "every.parquet"
    study = coder_subsets(
        data, ["alpha"], distance=["nominal", "interval"], to=path, keep=True, threads=2
    )
    assert study.path == str(path)
    assert [p.name for p in tmp_path.iterdir()] == ["every.parquet"]
    table = parquet.read_table(path)
    assert table.column_names == ["subset", "size", "alpha_nominal", "alpha_interval"]
    assert table.schema.metadata[b"coders"] == b'["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]'
    assert table["subset"].to_pylist() == study.masks.tolist()
    assert table["size"].to_pylist() == [mask.bit_count() for mask in study.masks.tolist()]
    for name, values in zip(table.column_names[2:], study.values, strict=True):
        assert np.array_equal(table[name].to_numpy(), values, equal_nan=True)


def test_functions_of_one_name_have_columns_of_their_own(tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    def power(p):
        return lambda a, b: abs(a - b) ** p

    path = tmp_path / "every.parquet"
    coder_subsets(larger(4, 3), ["alpha"], distance=[power(1), power(2)], to=path)
    names = parquet.read_table(path).column_names
    assert names == ["subset", "size", "alpha_<lambda>", "alpha_<lambda>_2"]


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    """An error in between, or Ctrl-C, leaves what was there before."""
    pytest.importorskip("pyarrow")
    path = tmp_path / "every.parquet"
    path.write_bytes(b"old")
    monkeypatch.setattr(study_module, "PIECE", 1 << 9)
    monkeypatch.setattr(each_subset, "LOW", 6)

    def stop(self, masks, sizes, values):
        raise KeyboardInterrupt

    monkeypatch.setattr(study_module.Writer, "add", stop)
    for threads in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            coder_subsets(larger(8, 12), ["alpha"], to=path, threads=threads)
        assert path.read_bytes() == b"old"
        assert [p.name for p in tmp_path.iterdir()] == ["every.parquet"]
    with pytest.raises(FileNotFoundError, match="no folder"):
        coder_subsets(larger(8, 3), ["alpha"], to=tmp_path / "nowhere" / "x.parquet")
    with pytest.raises(IsADirectoryError, match="name a file in it"):
        coder_subsets(larger(8, 3), ["alpha"], to=tmp_path)


def test_ctrl_c_is_heard_at_once(tmp_path):
    """A signal within a long study ends it within two seconds of work, and leaves no file.

    The signal is sent once values are written: Python drops one that arrives while it ends the
    import of a module. Other programs do not count as work.
    """
    pytest.importorskip("pyarrow")
    script = (
        "import os, signal, sys, threading, time, numpy as np\n"
        "from agreement_fast.subsets import all_subsets as study, coder_subsets\n"
        "table = np.random.default_rng(0).integers(0, 3, (50, 28)).astype(np.int8)\n"
        "working, sent = threading.Event(), []\n"
        "class Watched(study.Writer):\n"
        "    def add(self, *columns):\n"
        "        super().add(*columns)\n"
        "        working.set()\n"
        "study.Writer = Watched\n"
        "def send():\n"
        "    working.wait()\n"
        "    sent.append(time.process_time())\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=send, daemon=True).start()\n"
        "try:\n"
        "    coder_subsets(table, ['ac', 'alpha'], to=sys.argv[1], threads=2)\n"
        "except KeyboardInterrupt:\n"
        "    print(time.process_time() - sent[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "x.parquet")],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 2, done.stdout
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- the result, and errors


def test_a_study_is_read_by_name_and_printed():
    """Lookup like a table of coefficients; one line in repr, a table when printed."""
    data = larger(9, 5)
    study = coder_subsets(data, ["alpha", "pi"], distance=["nominal", "interval"], size=[3, 4])
    assert len(study) == 3
    assert study.sizes == (3, 4)
    assert study["krippendorff_alpha", "interval"][0].distance == "interval"
    assert study["fleiss_kappa"] == study["pi", "nominal"]
    assert study["alpha"][1].size == 4
    with pytest.raises(KeyError, match="is not in the table"):
        study["kappa"]
    assert repr(study) == "<15 subsets of 5 coders: alpha(nominal), alpha(interval), pi(nominal)>"
    lines = study.to_text().splitlines()
    assert [line for line in lines if line.endswith(")")] == [
        "alpha (nominal)", "alpha (interval)", "pi (nominal)"
    ]  # fmt: skip
    assert lines[lines.index("pi (nominal)") + 1].split()[:4] == ["coders", "subsets", "mean", "sd"]
    answer = str(study)
    assert "alpha (interval)" in answer
    assert "pi (nominal)" not in answer
    assert study.members(0b10110) == (1, 2, 4)
    assert "4 coders" in repr(study["pi"][1])


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"size": [1]}, ValueError, "must be from 2 to 4"),
        ({"size": [5]}, ValueError, "must be from 2 to 4"),
        ({"size": []}, ValueError, "size is empty"),
        ({"size": [2.5]}, TypeError, "whole number"),
        ({"max_subsets": 0}, ValueError, "1 or more"),
        ({"threads": 0}, ValueError, "1 or more"),
        ({"threads": True}, TypeError, "whole number"),
        ({"rng": 1.5, "max_subsets": 2}, TypeError, r"rng must be .*, not 1\.5"),
        ({"rng": -1}, ValueError, r"rng must be .*, not -1"),
        ({"rng": np.random.RandomState(1)}, TypeError, r"rng must be .*, not RandomState"),
        ({"n_bins": "many"}, TypeError, "whole number"),
        ({"incomplete": "no"}, ValueError, "incomplete"),
        ({"distance": 5}, TypeError, "sequence"),
        ({"coefficient": ["pi"], "distance": ["interval"]}, ValueError, "alpha_prime"),
        ({"coefficient": ["gamma"]}, ValueError, "not known"),
        ({"coefficient": ["beta"], "distance": [ASYMMETRIC]}, ValueError, "asymmetric"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(options, error, text):
    """Errors say what, and what to do."""
    with pytest.raises(error, match=text):
        coder_subsets(
            [[0, 1, 2, 0], [1, 1, 2, 0], [0, 0, 0, 0], [2, 2, 2, 1], [1, 1, 1, 1]], **options
        )


def test_data_that_have_no_subsets():
    """Unknown coders, one coder, too many."""
    with pytest.raises(ValueError, match="which coder"):
        coder_subsets(af.Annotations.from_counts([[2, 1], [0, 3]]))
    with pytest.raises(ValueError, match="2 to 63 coders"):
        coder_subsets(af.Annotations.from_wide([[1], [2]]))
    many = af.Annotations.from_wide(np.ones((80, 64), int))
    crowd = af.Annotations.from_wide([list(range(63))] * 2, coders=range(63))
    with pytest.raises(ValueError, match="are possible: lower it"):
        coder_subsets(crowd, ["alpha"], max_subsets=10**12)
    with pytest.raises(ValueError, match="select"):
        coder_subsets(many, max_subsets=10)


def test_a_bar_is_shown(capsys):
    """progress=True counts the subsets of both passes."""
    pytest.importorskip("tqdm")
    coder_subsets(larger(10, 8), ["alpha"], progress=True)
    assert "494/494" in capsys.readouterr().err
