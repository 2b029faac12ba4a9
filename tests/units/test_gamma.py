"""γ, γ_cat, γ_k and the best alignment, by their definitions over all alignments."""

import importlib
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from independent import reference_gamma as reference
from scipy import optimize

import agreement_fast as af
from agreement_fast import plots, units
from agreement_fast.units import alignment as best_module
from agreement_fast.units.alignment import Dissimilarity, Lanes, best, candidates, sums

#: The module; its function has the same name.
gamma_module = importlib.import_module("agreement_fast.units.gamma")

#: Three coders, as in the example of pygamma-agreement (tests/data/AlexPaulSuzan.csv).
THREE = [
    ("Alex", 2, 9, "1"), ("Alex", 11, 17, "2"), ("Alex", 24, 30, "5"), ("Alex", 32, 36, "6"),
    ("Alex", 36, 44, "6"), ("Alex", 44, 60, "7"), ("Paul", 2, 9, "1"), ("Paul", 11, 17, "3"),
    ("Paul", 19, 25, "5"), ("Paul", 32, 44, "6"), ("Suzan", 2, 9, "1"), ("Suzan", 11, 17, "4"),
    ("Suzan", 21, 27, "5"), ("Suzan", 32, 36, "6"), ("Suzan", 36, 40, "6"),
    ("Suzan", 40, 44, "6"),
]  # fmt: skip


def read(rows, **options):
    coders, starts, ends, categories = zip(*rows, strict=True)
    return units.Continuum.from_rows(coders, starts, ends, categories, **options)


def rows_of(data):
    columns = data.columns()
    parts = (np.asarray(columns[name]).tolist() for name in ("coder", "start", "end", "category"))
    return list(zip(*parts, strict=True))


def random(seed, n, m, length, longest=15, kinds=4):
    rng = np.random.default_rng(seed)
    start = rng.integers(0, length, n * m)
    columns = np.repeat(np.arange(m), n), start, start + rng.integers(1, longest, n * m)
    rows = np.unique(np.stack([*columns, rng.integers(0, kinds, n * m)], 1), axis=0)
    return units.Continuum.from_rows(*rows.T, all_coders=range(m))


@st.composite
def small(draw):
    """2 to 4 coders of few units, near each other, and weights."""
    m = draw(st.integers(2, 4))
    most = {2: 4, 3: 3, 4: 2}[m]
    unit = st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from([1, 2, 4]))
    rows = [
        (coder, start, start + length, kind)
        for coder in range(m)
        for start, length, kind in draw(st.lists(unit, max_size=most, unique=True))
    ]
    number = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1), Fraction(3)])
    weights = draw(st.tuples(number, number).filter(any)), draw(number.filter(bool))
    return rows, m, (*weights[0], weights[1]), draw(st.sampled_from(["nominal", "linear"]))


def distances(name, rows):
    kinds = {row[3] for row in rows}
    far = max(Fraction(1), max(kinds, default=0) - min(kinds, default=Fraction(0)))
    nominal = name == "nominal"
    return {(a, b): Fraction(a != b) if nominal else abs(a - b) / far for a in kinds for b in kinds}


@pytest.mark.parametrize("soft", [False, True])
@given(small())
@examples(25)
def test_align_finds_the_least_disorder_of_all_alignments(soft, study):
    rows, m, weights, name = study
    if not rows:
        return
    columns = zip(*rows, strict=True)
    data = units.Continuum.from_rows(*columns, all_coders=range(m))
    names = dict(zip(("alpha", "beta", "empty"), map(float, weights), strict=True))
    result = units.align(data, distance=name, soft=soft, **names)
    far = distances(name, rows)
    least = reference.least_disorder(rows, m, far, *weights, soft=soft)
    assert result.disorder == pytest.approx(float(least), rel=1e-7, abs=1e-9)
    # The alignment has that disorder, and holds each unit.
    marked = rows_of(data)
    aligned = [[marked[i] for i in row if i >= 0] for row in result.members.tolist()]
    own = [reference.disorder(row, m, far, *weights) for row in aligned]
    assert result.disorders == pytest.approx(list(map(float, own)), rel=1e-9, abs=1e-12)
    held = sorted(itertools.chain(*aligned))
    assert (sorted(set(held)) if soft else held) == sorted(marked)


@given(small())
@examples(25)
def test_category_disorders_are_those_of_the_aligned_pairs(study):
    rows, m, weights, name = study
    if not rows:
        return
    data = units.Continuum.from_rows(*zip(*rows, strict=True), all_coders=range(m))
    chosen = Dissimilarity.of(data, name, *map(float, weights))
    marked = Lanes.of(data)
    result = best(marked, chosen)
    above, below = sums(marked, chosen, result)
    plain = rows_of(data)
    aligned = [[plain[i] for i in row if i >= 0] for row in result.members.tolist()]
    for place, category in enumerate((None, *data.categories), 1):
        expected = reference.category_disorder(aligned, distances(name, rows), category)
        if expected is None:
            assert below[place].sum() == 0
        else:
            assert above[place].sum() / below[place].sum() == pytest.approx(float(expected))


@pytest.mark.few
@pytest.mark.parametrize(
    ("seed", "n", "m", "length"),
    [
        (20, 12, 3, 30),
        (1, 10, 3, 20),
        (2, 12, 3, 200),
        (3, 5, 4, 15),
        (4, 3, 5, 12),
        (5, 30, 2, 40),
    ],
)
@pytest.mark.parametrize("soft", [False, True])
def test_no_alignment_of_all_that_there_could_be_is_better(seed, n, m, length, soft):
    """All tuples of units, none left out, and one search in whole numbers."""
    data = random(seed, n, m, length)
    lanes = [np.flatnonzero(data.coder == j).tolist() for j in range(m)]
    tuples = [t for t in itertools.product(*([-1, *lane] for lane in lanes)) if max(t) >= 0]
    chosen = Dissimilarity.of(data, "nominal", 1, 1, 1)
    members = np.array(tuples)
    cost = np.ones((len(members), 0)).sum(1)
    for p, q in itertools.combinations(range(m), 2):
        a, b = members[:, p], members[:, q]
        cost += np.where((a < 0) | (b < 0), 1.0, chosen.between(Lanes.of(data), a, b))
    cost /= m * (m - 1) / 2
    holds = (members[:, :, None] == np.arange(data.n_units)).any(1).T
    solved = optimize.milp(
        cost,
        constraints=optimize.LinearConstraint(holds.astype(float), 1, np.inf if soft else 1),
        integrality=np.ones(len(cost)),
        bounds=(0, 1),
        options={"mip_rel_gap": 0},
    )
    result = units.align(data, soft=soft)
    assert result.disorder == pytest.approx(solved.fun * m / data.n_units, rel=1e-7)


def test_some_linear_programs_are_torn_and_are_searched(monkeypatch):
    searched = []
    search = best_module.Program.searched

    def spy(self, ours, least, spare):
        result = search(self, ours, least, spare)
        searched.append((float(self.cost[result].sum()), least))
        return result

    monkeypatch.setattr(best_module.Program, "searched", spy)
    monkeypatch.setattr(best_module, "LIMITS", ())
    data = random(0, 60, 3, 600)
    units.align(data)
    assert len(searched) == 1
    assert searched[0][0] > searched[0][1] + 1e-6
    # A first search that looks at too little is done again.
    result = units.align(data).disorder
    monkeypatch.setattr(best_module, "FIRST", 0.0)
    assert units.align(data).disorder == pytest.approx(result, abs=1e-9)


@pytest.mark.parametrize("soft", [False, True])
@given(seed=st.integers(0, 10**6), n=st.integers(1, 3))
@examples(12)
def test_searches_find_the_least_of_all_choices(soft, seed, n):
    """What is nearly never needed of so few units: both searches, from no prices at all."""
    data = random(seed, n, 3, 12)
    marked = Lanes.of(data)
    given_all = candidates(marked, Dissimilarity.of(data, "nominal", 1, 1, 1))
    far = {(a, b): Fraction(a != b) for a in range(4) for b in range(4)}
    least = reference.least_disorder(rows_of(data), 3, far, 1, 1, 1, soft=soft)
    least = float(least) * data.n_units / 3
    program = best_module.Program(given_all, data.n_units, soft)
    every = np.arange(len(program.cost))
    result = program.searched(every, 0.0, program.cost)
    assert program.cost[result].sum() == pytest.approx(least, abs=1e-6)
    if not soft:
        order = np.argsort(data.start, kind="stable")
        places = best_module.swept(given_all.members, program.cost, order, 100.0)
        assert program.cost[places].sum() == pytest.approx(least, abs=1e-9)
        held = given_all.members[places]
        assert sorted(held[held >= 0].tolist()) == list(range(data.n_units))
        if least > 0:
            assert best_module.swept(given_all.members, program.cost, order, 0.99 * least) is None


def test_a_search_lets_a_unit_be_in_two_alignments_if_soft_only():
    """B marked in two parts what A marked whole."""
    data = read([("A", 0, 10, "x"), ("B", 0, 5, "x"), ("B", 5, 10, "x")])
    given_all = candidates(Lanes.of(data), Dissimilarity.of(data, "nominal", 1, 1, 1))
    for soft, least in ((False, 1 + 1 / 9), (True, 2 / 9)):
        program = best_module.Program(given_all, 3, soft)
        result = program.searched(np.arange(len(program.cost)), 0.0, program.cost)
        assert program.cost[result].sum() == pytest.approx(least)


def test_weights_of_pairs_are_by_nearness_and_by_how_many_are_aligned():
    """Three units: a pair in place with unlike categories, and one that is moved by a half."""
    rows = [("A", 0, 10, "x"), ("B", 0, 10, "y"), ("C", 5, 15, "x"), ("A", 50, 60, "y")]
    data = read([*rows, ("B", 50, 60, "y"), ("B", 90, 95, "y")])
    marked, chosen = Lanes.of(data), Dissimilarity.of(data, "nominal", 0.2, 0.2, 2)
    result = best(marked, chosen)
    assert (result.members >= 0).sum(1).tolist() in ([3, 2, 1], [2, 3, 1], [3, 1, 2], [1, 3, 2])
    above, below = sums(marked, chosen, result)
    near = 1 - (10 / 20) ** 2
    # A and B, B and C, A and C; each pair of three weighs a half, and the pair of two 1.
    assert above[1].sum() == pytest.approx((1 + near) / 2)
    assert below[1].sum() == pytest.approx((1 + near + near) / 2 + 1)
    assert below[2].sum() == pytest.approx((1 + near + near) / 2)
    assert below[3].sum() == pytest.approx((1 + near) / 2 + 1)
    # Far units that place does not part weigh 0, and not less.
    far = read([("A", 0, 10, "x"), ("B", 100, 110, "x"), ("A", 50, 60, "x")])
    apart = Dissimilarity.of(far, "nominal", 0, 1, 1)
    assert sums(Lanes.of(far), apart, best(Lanes.of(far), apart)).below.min() == 0


def test_a_sweep_that_would_keep_much_gives_up(monkeypatch):
    data = random(0, 60, 3, 600)
    result = units.align(data).disorder
    monkeypatch.setattr(best_module, "MOST_STATES", 1)
    assert units.align(data).disorder == pytest.approx(result, abs=1e-9)


def test_candidates_are_few_and_none_of_a_best_alignment_is_missing():
    data = random(1, 100, 3, 1000)
    given_all = candidates(Lanes.of(data), Dissimilarity.of(data, "nominal", 1, 1, 1))
    assert len(given_all.disorder) < 3000 < 101**3
    # A unit in reach of a long one of any length is found.
    long = read([("A", 0, 4096, "x"), ("A", 0, 2, "x"), ("B", 1500, 1504, "x"), ("B", 1, 3, "x")])
    assert len(units.align(long)) == 2


def test_units_far_apart_are_aligned_by_one_between_them():
    """Alone the first two are better apart: d is above 4Δ, and a pair's limit is 4 of 3 coders."""
    rows = [("A", 0, 100, "x"), ("B", 205, 305, "x"), ("C", 0, 305, "x")]
    apart, near = (410 / 200) ** 2, (205 / 405) ** 2
    assert apart > 4
    result = units.align(read(rows))
    assert len(result) == 1
    assert result.disorder == pytest.approx((apart + 2 * near) / 3)
    assert len(units.align(read(rows[:2], all_coders=["C"]))) == 2


@pytest.mark.parametrize(
    ("rows", "disorder"),
    [
        (THREE, 0.6535417),
        ([("A", 0, 10, "x"), ("B", 0, 10, "x")], 0.0),
        ([("A", 0, 10, "x"), ("B", 0, 10, "y")], 1.0),
        ([("A", 0, 10, "x"), ("B", 10, 20, "x")], 1.0),
        ([("A", 0, 10, "x"), ("B", 90, 95, "x")], 2.0),
    ],
)
def test_disorders_are_those_of_pygamma_agreement(rows, disorder):
    """Values of pygamma-agreement 0.5.9, which has 32-bit numbers."""
    assert units.align(read(rows)).disorder == pytest.approx(disorder, abs=1e-6)


def test_documents_are_one_continuum_after_each_other():
    rng = np.random.default_rng(3)
    start = rng.integers(0, 80, 60)
    end = start + rng.integers(1, 12, 60)
    coder, kind, document = np.arange(60) % 3, np.arange(60) % 2, np.arange(60) // 20
    apart = units.Continuum.from_rows(coder, start, end, kind, document, extents=100)
    far = document * 100_000
    joined = units.Continuum.from_rows(coder, start + far, end + far, kind)
    result = units.align(apart)
    assert result.disorder == pytest.approx(units.align(joined).disorder)
    assert len({*result.columns()["document"]}) == 3
    single = [units.align(apart.select(documents=[d])).disorder for d in range(3)]
    assert result.disorder == pytest.approx(np.mean(single))  # 20 units each


#: Documents with coders of their own, and what each has alone, without the others' coders.
OWN_CODERS = {"d": "ABC", "e": "BD", "f": "D"}


def with_own_coders(seed, documents=OWN_CODERS):
    rng = np.random.default_rng(seed)
    rows = [
        (coder, start, start + int(rng.integers(2, 9)), "xyz"[rng.integers(3)], document)
        for document, coders in documents.items()
        for coder in coders
        for start in rng.choice(30, 4, replace=False).tolist()
    ]
    seen = [(document, coder) for document in documents for coder in documents[document]]
    return units.Continuum.from_rows(*zip(*rows, strict=True), extents=40, seen=seen)


@pytest.mark.parametrize("seed", range(3))
def test_who_did_not_see_a_document_is_not_in_its_pairs(seed):
    data = with_own_coders(seed)
    result = units.align(data)
    far = {(a, b): Fraction(a != b) for a in "xyz" for b in "xyz"}
    above = below = Fraction(0)
    for document, coders in (("d", "ABC"), ("e", "BD")):
        rows = rows_of(data.select(documents=[document]))
        marked = [(coders.index(coder), *rest) for coder, *rest in rows]
        share = Fraction(len(marked), len(coders))
        above += share * reference.least_disorder(marked, len(coders), far, 1, 1, 1)
        below += share
    assert result.disorder == pytest.approx(float(above / below), rel=1e-7)
    assert result.n_unpaired_documents == 1
    assert "1 document without two coders" in repr(result)
    assert "not seen" in repr(result)
    assert set(result.columns()["document"]) == {"d", "e"}


def test_gamma_of_documents_with_own_coders_leaves_no_gaps_for_others():
    data = with_own_coders(5)
    result = af.agreement_table(
        data, ["gamma", "gamma_cat", "gamma_k"], rng=1, n_samples=50, precision=None, n_resamples=50
    )
    pair = data.select(documents=["d", "e"])
    other = af.agreement_table(
        pair, ["gamma", "gamma_cat", "gamma_k"], rng=1, n_samples=50, precision=None, n_resamples=50
    )
    assert [one.value for one in result] == [one.value for one in other]
    assert (result["gamma"].n_documents, result["gamma"].n_unpaired_documents) == (2, 1)
    assert other["gamma"].n_unpaired_documents == 0
    assert result["gamma"].n_units == 20
    assert "1 document without two coders" in repr(result["gamma"])
    alone = data.select(documents=["f"])
    assert units.gamma(alone).undefined == "no pairs: no document was seen by two coders"
    assert units.align(alone).undefined == "no pairs: no document was seen by two coders"


@pytest.mark.parametrize("sampler", ["shuffle", "statistical"])
def test_chance_has_as_many_coders_as_saw_a_document(sampler):
    data = with_own_coders(2, {"d": "ABC", "e": "BD"})
    made = gamma_module.SAMPLERS[sampler](data, np.random.default_rng(3), 200)
    assert made.n_seeing.tolist() == [3, 2] * 200
    lanes = np.zeros((400, 3), np.int64)
    np.add.at(lanes, (made.document, made.coder), 1)
    assert (lanes[::2] > 0).all()
    assert (lanes[1::2, :2] > 0).all()
    assert not lanes[1::2, 2].any()
    # Units come from those who saw the document: each coder has 4.
    assert lanes.sum(1).mean() == pytest.approx(10, abs=0.1)
    lengths = [set((data.end - data.start)[data.document == place].tolist()) for place in range(2)]
    if sampler == "shuffle":
        for place in range(2):
            drawn = made.document % 2 == place
            assert set((made.end - made.start)[drawn].tolist()) == lengths[place]


def test_a_unit_in_pieces_has_no_alignment():
    rows = ["A", "A", "B"], [0, 6, 0], [4, 9, 9], ["x"] * 3
    data = units.Continuum.from_rows(*rows, units=[1, 1, 2])
    result = units.align(data)
    assert "'A' in 'document' has 2, and an alignment compares" in result.undefined
    assert len(result) == 0
    assert units.gamma(data).undefined == result.undefined
    # Names alone change nothing.
    whole = units.Continuum.from_rows(*rows, units=[1, 3, 2])
    plain = units.Continuum.from_rows(*rows)
    assert units.align(whole).disorder == units.align(plain).disorder


def test_disorders_do_not_change_with_names_places_and_lengths():
    data = random(7, 25, 3, 120)
    rows = data.columns()
    start, end = np.asarray(rows["start"]), np.asarray(rows["end"])
    result = units.align(data).disorder
    for coder, a, b in (
        ([2 - c for c in rows["coder"]], start, end),
        (rows["coder"], 7 * start - 3000, 7 * end - 3000),
        (rows["coder"], 500 - end, 500 - start),
    ):
        other = units.Continuum.from_rows(coder, a, b, rows["category"])
        assert units.align(other).disorder == pytest.approx(result, rel=1e-7)


def test_the_alignment_is_a_table():
    result = units.align(read(THREE))
    columns = result.columns()
    assert (len(result), len(columns["coder"])) == (6, 16)
    assert columns["alignment"].tolist()[:4] == [0, 0, 0, 1]
    assert columns["coder"][:3] == ["Alex", "Paul", "Suzan"]
    assert repr(result).splitlines()[:3] == [
        "6 unitary alignments, disorder 0.653542",
        "document  disorder  Alex     Paul     Suzan",
        "document    0.0000  2–9 1    2–9 1    2–9 1",
    ]
    many = units.align(random(2, 40, 2, 4000))
    assert repr(many).endswith(f"and {len(many) - 20} more unitary alignments")


# ---------------------------------------------------------------------- chance


def test_shuffled_coders_are_moved_around_the_document():
    data = read(THREE, extents=(0, 70))
    made = gamma_module.shuffled(data, np.random.default_rng(1), 60)
    assert made.n_documents == 60
    seen = set()
    shifts = []
    for sample, coder in itertools.product(range(60), range(3)):
        ours = (made.document == sample) & (made.coder == coder)
        marked = sorted(zip(made.start[ours], made.end[ours], made.category[ours], strict=True))
        for source in range(3):
            of = data.coder == source
            plain = list(zip(data.start[of], data.end[of], data.category[of], strict=True))
            for shift in range(70):
                moved = [(a + shift - 70 * (a + shift >= 70), b - a, k) for a, b, k in plain]
                if marked == sorted((a, a + length, k) for a, length, k in moved):
                    seen.add(source)
                    shifts.append((sample, shift))
                    break
            else:
                continue
            break
        else:
            pytest.fail(f"coder {coder} of sample {sample} is none of the data")
    assert seen == {0, 1, 2}
    least = (data.end - data.start).mean()
    table = np.array([shift for _, shift in shifts]).reshape(60, 3)
    for p, q in itertools.combinations(range(3), 2):
        gap = np.abs(table[:, p] - table[:, q])
        assert (np.minimum(gap, 70 - gap) >= least).all()
    assert 0 <= table.min() < 3
    assert 66 < table.max() <= 69


def test_shifts_without_room_are_anywhere():
    """Units as long as their document."""
    data = read([(coder, 0, 4, "x") for coder in "ABCD"])
    made = gamma_module.shuffled(data, np.random.default_rng(0), 50)
    assert np.bincount(made.document).tolist() == [4] * 50
    assert set(made.start.tolist()) == {0, 1, 2, 3}


def test_statistical_samples_begin_with_the_document_and_differ_as_the_data_do():
    rows = [("A", 1000 + 10 * i, 1005 + 10 * i, "xy"[i == 0]) for i in range(20)]
    rows += [("B", 1000 + 50 * i, 1040 + 50 * i, "x") for i in range(4)]
    data = read(rows, extents=(1000, 1200))
    made = gamma_module.statistical(data, np.random.default_rng(1), 2000)
    counts = np.bincount(made.document * 2 + made.coder, minlength=4000)
    whole = np.abs(np.trunc(np.random.default_rng(2).normal(12, 8, 100_000)))
    assert counts.std() == pytest.approx(whole.std(), rel=0.05)
    length = made.end - made.start
    of_data = (data.end - data.start).mean(), (data.end - data.start).std()
    plain = np.abs(np.random.default_rng(2).normal(*of_data, 100_000))
    assert length.std() == pytest.approx(plain.std(), rel=0.03)
    assert np.bincount(made.category)[1] / len(made.category) == pytest.approx(1 / 24, abs=0.01)
    first = np.diff(made.document * 2 + made.coder, prepend=-1) != 0
    assert 1000 < made.start[first].mean() < 1010


def test_statistical_samples_have_the_means_of_the_data():
    data = read(THREE, extents=(0, 70))
    made = gamma_module.statistical(data, np.random.default_rng(1), 4000)
    counts = np.bincount(made.document * 3 + made.coder, minlength=12000)
    # Numbers are cut to whole ones, so they are lower by a half.
    assert counts.mean() == pytest.approx(16 / 3 - 0.5, abs=0.05)
    length = made.end - made.start
    assert length.mean() == pytest.approx((data.end - data.start).mean(), rel=0.02)
    shares = np.bincount(made.category) / len(made.category)
    assert shares == pytest.approx(np.bincount(data.category) / 16, abs=0.01)
    first = np.flatnonzero(np.diff(made.document * 3 + made.coder, prepend=-1))
    before = np.roll(made.end, 1)
    before[first] = 0
    gaps = [2, 2, 7, 2, 0, 0, 2, 2, 2, 7, 2, 2, 4, 5, 0, 0]
    assert (made.start - before).mean() == pytest.approx(np.mean(gaps), abs=0.1)
    assert (made.start - before).std() == pytest.approx(np.std(gaps), rel=0.1)


def test_a_sample_without_units_has_no_disorder():
    """A coder who marked nothing is drawn for all: that sample counts for nothing."""
    data = read([("A", 0, 4, "x")], all_coders=["B"], extents=20)
    result = units.gamma(data, rng=1, n_samples=60, precision=None)
    assert result.observed_disorder == 2.0
    assert 30 < result.n_samples < 60
    assert math.isfinite(result.value)


def test_more_samples_come_for_the_precision():
    drawn = np.array([1.0, 2.0, 3.0, np.nan])
    assert gamma_module.needed(drawn, 0.02, 0.95) == math.ceil((0.5 * 1.959964 / 0.02) ** 2)
    assert gamma_module.needed(np.zeros(5), 0.02, 0.95) == 0
    data = read(THREE)
    few = units.gamma(data, rng=1, precision=None, threads=1)
    many = units.gamma(data, rng=1, precision=0.01, threads=2)
    assert few.n_samples == 30 < many.n_samples
    assert many.precision < 0.013 < few.precision
    unsure = units.gamma(data, rng=1, precision=0.01, confidence_level=0.5)
    assert unsure.n_samples < many.n_samples / 2
    assert few.chance_low < few.value < few.chance_high
    assert many.chance_high - many.chance_low < few.chance_high - few.chance_low
    error = few.precision * few.expected_disorder
    low = 1 - few.observed_disorder / (few.expected_disorder - error)
    assert few.chance_low == pytest.approx(low)


def test_samples_have_an_end(monkeypatch):
    monkeypatch.setattr(gamma_module, "MOST_SAMPLES", 50)
    result = af.agreement_table(
        read(THREE), ["gamma", "gamma_cat", "gamma_k"], rng=1, precision=0.001
    )
    assert result["gamma"].n_samples == 50
    assert result["gamma"].precision > 0.001
    assert "no more than" in result["gamma"].note
    assert "no more than" in repr(result)
    for options in ({"precision": 0.5}, {"precision": None, "n_samples": 50}):
        assert "no more than" not in units.gamma(read(THREE), rng=1, **options).note


@pytest.mark.few(every=2)
@pytest.mark.parametrize("sampler", ["shuffle", "statistical"])
def test_the_same_seed_gives_the_same_value(sampler):
    data = random(3, 20, 3, 300)
    options = {"sampler": sampler, "n_samples": 40, "precision": None}
    one = af.agreement_table(
        data, ["gamma", "gamma_cat", "gamma_k"], rng=5, threads=1, **options
    ).to_dict()
    two = af.agreement_table(
        data, ["gamma", "gamma_cat", "gamma_k"], rng=5, threads=3, **options
    ).to_dict()
    other = af.agreement_table(data, ["gamma", "gamma_cat", "gamma_k"], rng=6, **options).to_dict()
    assert repr(one) == repr(two)
    assert one["expected_disorder"] != other["expected_disorder"]


# ---------------------------------------------------------------------- values


def test_perfect_agreement_is_one_and_chance_is_near_zero():
    rows = [(coder, 10 * i, 10 * i + 6, "xyz"[i % 3]) for coder in "ABC" for i in range(12)]
    result = af.agreement_table(read(rows), ["gamma", "gamma_cat", "gamma_k"], rng=1)
    assert [one.value for one in result] == [1.0] * 5
    assert result["gamma"].chance_low == result["gamma"].chance_high == 1.0
    values = [
        units.gamma(random(seed, 25, 2, 400), rng=1, precision=None).value for seed in range(4)
    ]
    assert abs(np.mean(values)) < 0.1


def test_gamma_cat_looks_at_categories_only():
    """B misses units and moves others: γ suffers, γ_cat does not."""
    rows = [("A", 20 * i, 20 * i + 10, "xy"[i % 2]) for i in range(10)]
    rows += [("B", a + 2, b + 2, k) for _, a, b, k in rows[::3]]
    result = af.agreement_table(read(rows), ["gamma", "gamma_cat", "gamma_k"], rng=1)
    assert result["gamma_cat"].value == 1.0
    assert result["gamma_k", "x"].value == result["gamma_k", "y"].value == 1.0
    assert result["gamma"].value < 0.6
    assert af.agreement(read(rows), "gamma_cat", rng=1).value == 1.0
    assert [one.category for one in af.agreement(read(rows), "gamma_k", rng=1)] == ["x", "y"]


def test_documents_are_drawn_for_the_interval():
    rng = np.random.default_rng(8)
    rows = []
    for document in range(12):
        for i in range(4):
            start = 25 * i + int(rng.integers(0, 5))
            kind = "xy"[int(rng.integers(2))]
            rows.append(("A", start, start + 10, kind, document))
            moved = int(rng.integers(0, 9))
            other = kind if rng.random() < 0.7 else "x"
            rows.append(("B", start + moved, start + moved + 10, other, document))
    data = units.Continuum.from_rows(*zip(*rows, strict=True), extents=130)
    result = af.agreement_table(data, ["gamma", "gamma_cat", "gamma_k"], rng=1, n_resamples=300)
    for name in ("gamma", "gamma_cat"):
        assert result[name].low < result[name].value < result[name].high
        assert result[name].standard_error > 0
        assert result[name].n_resamples == 300
    chosen = Dissimilarity.of(data, "nominal", 1, 1, 1)
    made = gamma_module.Study(
        data,
        chosen,
        False,
        gamma_module.Sampling.of("shuffle", 30, 0.02),
        gamma_module.Options.of(300, 0.95, "bca", 1, 1, False),
    )
    ones = made.values(np.array([0, 1]), np.ones((12, 1)))[:, 0]
    assert ones == pytest.approx([result["gamma"].value, result["gamma_cat"].value])
    # A document that is drawn twice, and the others left out, has its own disorder.
    alone = np.eye(12)[:, :1] * 2
    own = units.align(data.select(documents=[0])).disorder
    expected = (made.above[0, :, 0] / made.below[0, :, 0]).mean()
    assert made.values(np.array([0]), alone)[0, 0] == pytest.approx(1 - own / expected)


@pytest.mark.parametrize(
    ("rows", "options", "coefficient", "why"),
    [
        ([("A", 0, 4, "x")], {}, "gamma", "no pairs"),
        ([], {"all_coders": ["A", "B"], "extents": 9}, "gamma", "no units"),
        (THREE[:1] + THREE[8:9], {}, "gamma_cat", "no aligned pairs"),
        ([(c, 0, 4, "x") for c in "AB"], {"extents": 20}, "gamma_cat", "no expected disorder"),
        (
            [(c, s, s + 4, "x") for c in "AB" for s in (0, 5)],
            {"extents": 40},
            "gamma_cat",
            "no variation",
        ),
    ],
)
def test_what_has_no_value_says_why(rows, options, coefficient, why):
    columns = zip(*rows, strict=True) if rows else ([], [], [], [])
    data = units.Continuum.from_rows(*columns, **options)
    result = af.agreement_table(data, ["gamma", "gamma_cat", "gamma_k"], rng=1)[coefficient]
    assert math.isnan(result)
    assert result.undefined.startswith(why)
    assert why in repr(result)
    if why != "no variation" and coefficient == "gamma":
        assert units.align(data).undefined == result.undefined


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alpha": -1}, "alpha must be a number of 0 or more, not -1"),
        ({"beta": math.inf}, "beta must be a number of 0 or more"),
        ({"beta": math.nan}, "beta must be a number of 0 or more"),
        ({"empty": 0}, "empty must be a positive number"),
        ({"alpha": 0, "beta": 0}, "alpha and beta are both 0"),
        ({"sampler": "coin"}, "sampler must be"),
        ({"n_samples": 1}, "n_samples must be"),
        ({"precision": 2}, "precision must be"),
        ({"method": "guess"}, "method must be"),
        ({"n_samples": 10**7}, "n_samples must be 100,000 or less"),
        ({"empty": 1e300}, "empty must be a number from 1e-50 to 1e"),
        ({"empty": 1e-300}, "empty must be a number from 1e-50 to 1e"),
        ({"alpha": 1e300}, "alpha must be a number from 0 to 1e"),
    ],
)
def test_choices_that_cannot_be_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        units.gamma(read(THREE), **options)


@pytest.mark.parametrize("call", [units.align, units.gamma])
def test_soft_is_true_or_false(call):
    with pytest.raises(TypeError, match="soft must be True or False, not 'no'"):
        call(read(THREE), soft="no")


def test_too_many_candidates_are_refused(monkeypatch):
    monkeypatch.setattr(best_module, "MOST", 40)
    with pytest.raises(ValueError, match="more than 40 unitary alignments"):
        units.align(read(THREE))


def test_tables_name_their_parts():
    result = af.agreement_table(read(THREE), ["gamma", "gamma_cat", "gamma_k"], rng=1)
    assert len(result) == 2 + 7 == len(result.to_dict()["value"])
    assert "one document" in repr(result)
    assert result[0] is result["gamma"]
    assert "samples by 'shuffle'" in repr(result[0])
    with pytest.raises(KeyError, match="gamma_k"):
        result["gamma_k", "9"]


# ---------------------------------------------------------------------- the picture


def joins(ax):
    """Return the lines between aligned units."""
    return [line for line in ax.lines if line.get_label() == "_aligned"]


def test_the_picture_has_a_box_for_each_unit_and_a_line_between_those_aligned():
    result = units.align(read(THREE))
    ax = plots.units(result)
    assert len(ax.patches) == 16
    steps = sum((row >= 0).sum() - 1 for row in result.members)
    assert len(joins(ax)) == steps == 10
    dotted = [line for line in joins(ax) if line.get_linestyle() == ":"]
    assert len(dotted) == 2  # Paul has no third 6, and no 7
    assert ax.get_xlim() == (0, 60)
    assert sorted(text.get_text() for text in ax.get_legend().get_texts()) == list("1234567")
    part = plots.units(result, positions=(0, 10))
    assert (len(part.patches), len(joins(part)), part.get_xlim()) == (3, 2, (0, 10))


def test_overlapping_units_are_above_each_other_and_lone_ones_dashed():
    data = read(
        [("A", 0, 9, "x"), ("A", 2, 6, "x"), ("B", 40, 50, "x")], all_coders=["C"], extents=60
    )
    ax = plots.units(units.align(data))
    boxes = {box.get_x(): box.get_y() for box in ax.patches}
    assert boxes.keys() == {0, 2, 40}
    assert boxes[2] == boxes[0] - 1  # above: the axis points down
    assert {box.get_linestyle() for box in ax.patches} == {"--"}
    assert not joins(ax)


def test_pictures_of_nothing_say_so():
    nothing = units.Continuum.from_rows([], [], [], [], all_coders=["A", "B"], extents=9)
    ax = plots.units(units.align(nothing))
    assert "nobody marked" in ax.texts[0].get_text()
    result = units.align(read(THREE))
    with pytest.raises(KeyError, match="no document 'z'"):
        plots.units(result, document="z")
    with pytest.raises(ValueError, match="positions 5 to 5 are not inside"):
        plots.units(result, positions=(5, 5))
    for span in (5, (1, 2, 3)):
        with pytest.raises(ValueError, match="positions must be"):
            plots.units(result, positions=span)


def test_the_picture_says_who_did_not_see_the_document():
    ax = plots.units(units.align(with_own_coders(0)), document="e")
    ticks = zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)
    names = {tick: text.get_text() for tick, text in ticks}
    assert list(names.values()) == ["A", "B", "C", "D"]
    missing = [text for text in ax.texts if text.get_text() == "did not see this document"]
    assert [names[text.get_position()[1]] for text in missing] == ["A", "C"]
