"""Units of continua: α_U and the family of 2016, against every pair of segments written out."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import reference_unitizing as slow
from continua import continuum, studies
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from reference import rounds_to

import agreement_fast as af
from agreement_fast import units
from agreement_fast._kernels.arrays import dot, dot3

# Krippendorff 1995, page 57: four examples of two coders each, as strings of one continuum, a new
# unit starting at each capital letter.
EXAMPLES_1995 = {
    "A": ("..Xxxxxxxx....Xxxxxx....", "....Xxxx.......Xx......."),
    "B": ("Xxxxxxxxxxxxxxxxxx......", "XxXXXXXxxX.............."),
    "C": ("..Xxxxxx..Xx..Xxxx..Xx..", "Xx..Xxxx..Xxxx..Xx..Xx.."),
    "D": ("XxXxxxxxxxXxxxXxxxxxXxxx", "XxxxXxxxXxxxxxxXxXxxxxxx"),
}


def read(text):
    """Units of a string, in which a capital letter starts a unit and a dot is a gap."""
    starts = [i for i, letter in enumerate(text) if letter.isupper()]
    return [
        (start, next((i for i in range(start + 1, len(text)) if not text[i].islower()), len(text)))
        for start in starts
    ]


def agrees(result, correct):
    """Whether a result has these D_o and D_e, and their value."""
    observed, expected = correct
    assert result.observed_disagreement == pytest.approx(float(observed), rel=1e-14, abs=0)
    assert result.expected_disagreement == pytest.approx(float(expected), rel=1e-14, abs=0)
    if expected:
        assert result.value == pytest.approx(float(1 - observed / expected), rel=1e-14, abs=0)
        assert result.undefined is None
    else:
        assert math.isnan(result.value)
        assert result.undefined


# ---------------------------------------------------------------- against the definitions


@examples(150)
@given(study=studies())
def test_alpha_u_is_its_definition(study):
    """Categories and all together, several documents, coders without units."""
    marked, extents, coders = study
    result = units.alpha_u(continuum(*study))
    agrees(result, slow.alpha_u(marked, extents, coders))
    assert {part.category for part in result.by_category} == {u[3] for u in marked}
    for part in result.by_category:
        agrees(part, slow.alpha_u_category(marked, part.category, extents, coders))


@examples(150)
@given(study=studies(exclusive=True))
def test_the_family_over_all_segments_is_its_definition(study):
    """uα and |uα for any number of coders."""
    correct = slow.family(*study)
    for name in ("u_alpha", "binary_u_alpha"):
        result = af.agreement(continuum(*study), name)
        if study[0]:
            agrees(result, correct[name])
        else:
            assert "no units" in result.undefined


@examples(150)
@given(study=studies(coders=2, exclusive=True))
def test_the_family_over_intersections_is_its_definition(study):
    """cuα under two distances and (k)uα, for two coders."""
    data, marked = continuum(*study), study[0]
    inner = slow.family(*study)["inner"]
    real = sorted({u[3] for u in marked})
    result, parts = af.agreement(data, "cu_alpha"), af.agreement(data, "ku_alpha")
    if inner is None:
        assert result.undefined
        assert parts.undefined
        return
    agrees(result, slow.cu_alpha(inner, real))
    far = {frozenset("xy"): 1, frozenset("yz"): 1, frozenset("xz"): 4}
    weighted = af.agreement(data, "cu_alpha", distance=lambda a, b: far.get(frozenset((a, b)), 0))
    agrees(weighted, slow.cu_alpha(inner, real, lambda a, b: far.get(frozenset((a, b)), 0)))
    for category in real:
        correct = slow.ku_alpha(inner, real, category)
        if correct is None:
            assert parts[category].undefined
        else:
            agrees(parts[category], correct)
        met = sum(inner[0][other, category] for other in real)
        length = sum(end - start for _, start, end, kind, _ in marked if kind == category)
        assert parts[category].coverage == float(met / length)


@pytest.mark.parametrize("scale", [1, 10**9])
def test_large_continua_lose_no_digits(scale):
    """Positions up to 2·10¹¹: squares and cubes of them pass 64 bits."""
    rng = np.random.default_rng(3)
    marked = []
    for coder in "abc":
        cuts = np.sort(rng.choice(200, 40, replace=False)).tolist()
        marked += [
            (coder, start * scale, stop * scale - 1, "xy"[i % 2], "d")
            for i, (start, stop) in enumerate(zip(cuts[::2], cuts[1::2], strict=True))
            if stop * scale - 1 > start * scale
        ]
    study = (marked, {"d": (0, 200 * scale)}, list("abc"))
    agrees(units.alpha_u(continuum(*study)), slow.alpha_u(*study))
    agrees(units.u_alpha(continuum(*study)), slow.family(*study)["u_alpha"])


@given(
    values=st.lists(st.tuples(*[st.integers(0, 2**62)] * 3), max_size=9),
    small=st.lists(st.tuples(*[st.integers(0, 2**20)] * 3), max_size=9),
)
def test_sums_of_products_are_exact(values, small):
    """Python's integers say what they are."""
    for rows in (values, small):
        a, b, c = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))
        assert dot(a, b) == sum(x * y for x, y, _ in rows)
        assert dot3(a, b, c) == sum(x * y * z for x, y, z in rows)


# ---------------------------------------------------------------- published examples


@pytest.mark.parametrize(
    ("example", "observed", "expected", "value"),
    [
        ("A", ".03125", ".06990", ".553"),
        # printed 1.17731 and -.926; exact 1.17578 and -.928
        ("B", "2.26736", "1.17578", "-.928"),
        # printed .08642 and .679, which leaves out the sum of l (l - 1); with it:
        ("C", ".02778", ".0905", ".693"),
        ("D", ".38715", ".41445", ".066"),
    ],
)
def test_krippendorff_1995_examples(example, observed, expected, value):
    """Page 57, on a continuum stretched until D_e stays as it is."""
    stretch = 10**6
    marked = [
        (coder, start * stretch, end * stretch, "x", "d")
        for coder, text in zip("ij", EXAMPLES_1995[example], strict=True)
        for start, end in read(text)
    ]
    result = units.alpha_u(continuum(marked, {"d": (0, 24 * stretch)}, "ij"))
    assert rounds_to(result.observed_disagreement, observed)
    assert rounds_to(result.expected_disagreement, expected)
    assert rounds_to(result.value, value)


def test_krippendorff_2004_example():
    """Page 254; the printed .8591 is from rounded parts, exact .8587."""
    data = units.Continuum.from_rows(
        list("iijjjiijj"),
        [225, 370, 220, 355, 400, 180, 300, 180, 300],
        [295, 400, 300, 375, 420, 240, 350, 240, 350],
        list("cccccKKKK"),
        extents=(150, 450),
    )
    result = units.alpha_u(data)
    assert rounds_to(result["c"].observed_disagreement, ".0144")
    assert rounds_to(result["c"].expected_disagreement, ".0532")
    assert rounds_to(result["c"].value, ".7286")
    assert result["K"].observed_disagreement == 0
    assert rounds_to(result["K"].expected_disagreement, ".0490")
    assert result["K"].value == 1
    assert rounds_to(result.value, ".8587")


@pytest.mark.parametrize(
    ("g", "h", "squares"),
    [
        ((5, 11), (4, 6), 26),
        ((5, 11), (5, 7), 16),
        ((5, 11), (6, 8), 10),
        ((5, 11), (7, 9), 8),
        ((5, 11), (6, 10), 2),
        ((5, 11), (5, 11), 0),
        ((5, 11), (2, 4), 40),
        ((5, 11), (3, 5), 40),
    ],
)
def test_krippendorff_2004_differences(g, h, squares):
    """Section 11.6: two units, from partly beside one another to equal to apart."""
    data = continuum([("i", *g, "x", "d"), ("j", *h, "x", "d")], {"d": (0, 12)}, "ij")
    assert units.alpha_u(data).observed_disagreement == pytest.approx(squares / 12**2)


# ---------------------------------------------------------------- what must not matter


def test_stretching_a_continuum_changes_little():
    """At ten thousand steps for one, α_U stays to the fourth digit."""
    marked = [("i", 2, 9, "x", "d"), ("j", 3, 9, "x", "d"), ("j", 12, 13, "x", "d")]
    near = [(c, s * 10**4, e * 10**4, k, d) for c, s, e, k, d in marked]
    far = [(c, s * 10**8, e * 10**8, k, d) for c, s, e, k, d in marked]
    values = [
        units.alpha_u(continuum(u, {"d": (0, 20 * by)}, "ij")).value
        for u, by in ((near, 10**4), (far, 10**8))
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-4)


def test_perfect_agreement_is_one():
    """All coefficients, if both coders marked the same."""
    marked = [(c, s, e, k, "d") for c in "ij" for s, e, k in ((1, 4, "x"), (6, 9, "y"))]
    for result in nonempty(af.agreement_table(continuum(marked, {"d": (0, 12)}, "ij"))):
        values = [part.value for part in result.by_category]
        assert result.value == 1 or result.coefficient == "ku_alpha"
        assert values == [1] * len(values)


@given(study=studies(exclusive=True))
def test_a_shifted_continuum_is_the_same(study):
    """Only differences of positions count."""
    marked, extents, coders = study
    moved = [(c, s + 1000, e + 1000, k, d) for c, s, e, k, d in marked]
    there = {d: (begin + 1000, end + 1000) for d, (begin, end) in extents.items()}
    assert str(af.agreement_table(continuum(marked, extents, coders))) == str(
        af.agreement_table(continuum(moved, there, coders))
    )


# ---------------------------------------------------------------- degenerate data


def test_one_unit_of_length_one_is_zero():
    """D_e is above 0, and the formula gives α_U = 0."""
    result = units.alpha_u(continuum([("i", 3, 4, "x", "d")], {"d": (0, 9)}, "ij"))
    assert result.value == 0
    assert result.undefined is None


def test_no_unit_is_undefined():
    """Nobody marked anything: NaN and why."""
    for result in nonempty(af.agreement_table(continuum([], {"d": (0, 9)}, "ij"))):
        assert math.isnan(result.value)
        assert "no units" in result.undefined


def test_one_coder_is_undefined():
    """Nobody to agree with: NaN and why."""
    for result in nonempty(
        af.agreement_table(continuum([("i", 3, 4, "x", "d")], {"d": (0, 9)}, "i"))
    ):
        assert math.isnan(result.value)
        assert "one coder" in result.undefined


def test_units_that_leave_no_gap_leave_binary_u_alpha_undefined():
    """Everything is marked by everybody: no variation between units and gaps."""
    marked = [(c, 0, 9, "x", "d") for c in "ij"]
    result = af.agreement(continuum(marked, {"d": (0, 9)}, "ij"), "binary_u_alpha")
    assert math.isnan(result.value)
    assert "no variation" in result.undefined


def test_units_that_do_not_meet_leave_cu_alpha_undefined():
    """No place where both coders have units."""
    marked = [("i", 0, 3, "x", "d"), ("j", 3, 5, "x", "d")]
    data = continuum(marked, {"d": (0, 9)}, "ij")
    for result in (af.agreement(data, "cu_alpha"), af.agreement(data, "ku_alpha")):
        assert "no intersections" in result.undefined


def test_overlapping_categories_leave_only_alpha_u():
    """A place must belong to one segment for the family of 2016; α_U takes categories apart."""
    marked = [("i", 0, 3, "x", "d"), ("i", 2, 5, "y", "d"), ("j", 0, 3, "x", "d")]
    table = af.agreement_table(continuum(marked, {"d": (0, 9)}, "ij"))
    assert table["alpha_u"]["x"].value == 1
    for name in ("u_alpha", "binary_u_alpha", "cu_alpha", "ku_alpha"):
        assert "coder 'i' has 'x' and 'y' at 2 of 'd'" in table[name].undefined


def test_overlapping_units_of_a_category_leave_the_others_their_alpha_u():
    """Nested units of one coder are no row of segments, in none of the coefficients."""
    marked = [("i", 0, 9, "x", "d"), ("i", 2, 5, "x", "d"), ("j", 0, 9, "x", "d")]
    marked += [("i", 1, 3, "y", "d"), ("j", 1, 3, "y", "d")]
    table = af.agreement_table(continuum(marked, {"d": (0, 9)}, "ij"))
    assert table["alpha_u"]["y"].value == 1
    for result in (*table, table["alpha_u"]["x"]):
        assert np.isnan(result.value)
        assert "units overlap: coder 'i' has" in result.undefined


def test_cu_alpha_refuses_weights_that_are_no_distance():
    data = units.Continuum.from_rows(list("AABB"), [0, 6, 0, 6], [5, 9, 5, 9], list("xyyy"))
    with pytest.raises(ValueError, match="asymmetric"):
        af.agreement(data, "cu_alpha", distance=[[0, 1], [2, 0]])


@pytest.mark.parametrize("name", ["alpha_u", "u_alpha", "gamma"])
def test_rows_that_are_no_continuum_are_refused(name):
    with pytest.raises(TypeError, match=r"Continuum\.from_rows"):
        getattr(units, name)([("A", 0, 3)])


def test_accounts_of_three_coders_differ_and_of_two_are_equal():
    """By hand: of 14², 2016 leaves out 3 · 9 + 2 · 25/2, and 2019 all squares."""
    marked = [(c, 0, 3, k, "d") for c, k in zip("ijk", "xxy", strict=True)]
    marked += [(c, 4, 9, "y", "d") for c in "ij"]
    data = continuum(marked, {"d": (0, 9)}, "ijk")
    margins = Fraction(6), Fraction(3 + 5)  # of the categories: 3 · 3 and 2 · 5 / 2
    total, both = sum(margins), data.select(coders=["i", "j"])
    for account, squares in (("krippendorff_2016", 3 * 9 + 25), ("krippendorff_2019", 3 * 9 + 50)):
        result = af.agreement(data, "cu_alpha", account=account)
        agrees(result, (6 / total, 2 * margins[0] * margins[1] / (total**2 - squares)))
        assert result.coverage == pytest.approx(14 / 27)
        one = af.agreement(both, "cu_alpha", account=account)
        assert one.value == af.agreement(both, "cu_alpha").value == 1.0
    with pytest.raises(ValueError, match="account"):
        af.agreement(data, "ku_alpha", account="krippendorff_1995")


def test_an_account_that_leaves_nothing_for_chance_says_so():
    """One unit of each of two coders of three, in the same place."""
    data = continuum([("i", 0, 3, "x", "d"), ("j", 0, 3, "y", "d")], {"d": (0, 9)}, "ijk")
    assert "too few units" in af.agreement(data, "cu_alpha").undefined
    assert "too few units" in af.agreement(data, "ku_alpha")["x"].undefined


# ---------------------------------------------------------------- reading


def test_decimals_are_read_with_a_resolution():
    """Seconds with two decimals are centiseconds."""
    seconds = units.Continuum.from_rows(
        ["i", "j"], [0.1, 0.15], [0.7, 0.7], extents=2.5, resolution=0.01
    )
    whole = units.Continuum.from_rows(["i", "j"], [10, 15], [70, 70], extents=250)
    assert units.alpha_u(seconds).value == units.alpha_u(whole).value
    assert seconds.length == 250


def test_extents_may_be_inferred():
    """From 0, or below it from the first unit, to the last unit's end; the result says so."""
    data = units.Continuum.from_rows("ij", [3, 4], [8, 9], documents=["d", "e"])
    assert data.extents.tolist() == [[0, 8], [0, 9]]
    assert units.Continuum.from_rows("i", [-2], [1]).extents.tolist() == [[-2, 1]]
    assert units.alpha_u(data).extents_inferred
    given = units.Continuum.from_rows("ij", [3, 4], [8, 9], extents=10)
    assert not units.alpha_u(given).extents_inferred


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_are_read(library):
    """Columns by name, of any library."""
    columns = {
        "who": ["i", "j", "j"],
        "from": [0, 1, 5],
        "to": [4, 4, 7],
        "kind": ["x", "x", "y"],
        "text": ["t", "t", "t"],
    }
    if library == "pandas":
        frame = pd.DataFrame(columns)
    elif library == "polars":
        frame = pytest.importorskip("polars").DataFrame(columns)
    else:
        frame = pytest.importorskip("pyarrow").table(columns)
    names = {"coder": "who", "start": "from", "end": "to", "category": "kind", "document": "text"}
    data = units.Continuum.from_frame(frame, **names, extents={"t": 9, "u": (3, 5)})
    assert repr(data) == (
        "Continuum(3 units, 2 coders, 2 documents of length 11, 2 categories: 'x', 'y')"
    )
    assert data.select(documents=["t"], categories=["x"]).n_units == 2
    assert data.select(coders=["j"]).start.tolist() == [1, 5]
    with pytest.raises(KeyError, match="no coder 'z'"):
        data.select(coders=["z"])


ROWS = {
    "coders": ["i", "i", "j"],
    "starts": [0, 5, 2],
    "ends": [3, 8, 6],
    "categories": ["x", "x", "x"],
}


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        (
            {"starts": [0, 0, 2], "ends": [3, 3, 6]},
            ValueError,
            r"rows 0 and 1 are the same unit, .*'i' and of category 'x' \(such pairs: 1",
        ),
        ({"starts": [3, 5, 2]}, ValueError, r"row 0 \(coder 'i'.*goes from 3 to 3"),
        ({"starts": [0, 5.5, 2]}, ValueError, "start 5.5 of row 1 is not a whole multiple"),
        ({"starts": [0, float("nan"), 2]}, ValueError, "start of row 1 is missing"),
        ({"starts": [0, None, 2]}, ValueError, "start of row 1 is missing"),
        (
            {"starts": np.ma.masked_array([0, 5, 2], [False, True, False])},
            ValueError,
            "start of row 1 is missing",
        ),
        ({"ends": [3, float("inf"), 8]}, ValueError, "end of row 1 is missing or not finite"),
        ({"starts": [0, 10**20, 2]}, TypeError, r"64 bits, but start of row 1 is 10{20}: convert"),
        ({"starts": [0.0, 1e20, 2.0]}, ValueError, r"starts go beyond 2\*\*53"),
        ({"starts": ["0", "5", "2"]}, TypeError, "starts must be numbers .* start of row 0 is '0'"),
        ({"starts": [None, 5, "2"]}, TypeError, "start of row 2 is '2'"),
        ({"starts": [0, 5]}, ValueError, "2 starts and 3"),
        ({"ends": [3, 8]}, ValueError, "3 starts and 2 ends"),
        ({"coders": ["i", "i"]}, ValueError, "3 starts and 2 coder labels"),
        ({"coders": ["i", None, "j"]}, ValueError, "has no coder"),
        ({"categories": ["x", None, "x"]}, ValueError, "has no category"),
        ({"coders": None}, TypeError, "coders are missing"),
        (
            {"extents": 7},
            ValueError,
            r"row 1 .* is not inside its document, which goes from 0 to 7",
        ),
        ({"extents": (1, 9)}, ValueError, r"row 0 .* is not inside"),
        ({"extents": {"d": 9}}, ValueError, "nothing for document 'document'"),
        ({"extents": (9, 9)}, ValueError, "it has no length"),
        ({"extents": (1, 2, 3)}, ValueError, "a length or"),
        ({"resolution": 0}, ValueError, "resolution must be a positive number"),
        ({"resolution": "x"}, ValueError, "resolution must be a positive number"),
        ({"all_coders": "Eve"}, TypeError, "all_coders must be a list"),
        ({"starts": [0, 5, 2**62]}, ValueError, "beyond 2"),
    ],
)
def test_bad_rows_say_which_and_why(change, error, text):
    """Each with its row, its value and what to do."""
    with pytest.raises(error, match=text):
        units.Continuum.from_rows(**(ROWS | change))


@pytest.mark.parametrize(
    ("starts", "shown"),
    [
        (["0", "5", "2"], "start of row 0 is '0'"),
        (["0:00:05", None, "0:00:02"], "start of row 0 is '0:00:05'"),
        (pd.to_timedelta([0, 5, 2], unit="s"), r"start of row 0 is Timedelta\('0 days"),
        (pd.to_datetime(["2024-01-31"] * 3), r"start of row 0 is Timestamp\('2024-01-31"),
    ],
)
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_positions_of_frames_that_are_no_numbers_are_named(library, starts, shown):
    frame = pd.DataFrame({"who": ["i", "i", "j"], "from": starts, "to": [3, 8, 6]})
    if library != "pandas":
        import polars as pl

        frame = pl.DataFrame(frame)
        frame = frame if library == "polars" else frame.to_arrow()
        shown = shown.partition(r"Time")[0]
    with pytest.raises(TypeError, match=f"{shown}.*: convert the column to numbers; times"):
        units.Continuum.from_frame(frame, coder="who", start="from", end="to")


def test_a_continuum_does_not_change():
    """Its arrays are read only, also after a selection."""
    data = units.Continuum.from_rows(**ROWS)
    for part in (data, data.select(coders=["i"])):
        for name in ("extents", "coder", "category", "document", "start", "end"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(part, name)[0] = 0


def far_apart():
    """Units on a very long continuum."""
    return units.Continuum.from_rows(
        "ij" * 3, [0, 0, 5, 5, 9, 9], [1, 1, 6, 6, 10, 10], extents=2**60
    )


def mostly_silent():
    """One unit, and many coders who have none: what they leave adds up."""
    data = units.Continuum.from_rows(
        range(16), [0] * 16, [1] * 16, ["x"] + ["y"] * 15, extents=2**60
    )
    return data.select(categories=["x"])


def long_documents():
    """One unit, and documents whose lengths add up to 2^63."""
    ends = -(2**61), 2**61
    return units.Continuum.from_rows(
        "ij", [0, 0], [1, 1], documents="de", extents={"d": ends, "e": ends}
    )


@pytest.mark.parametrize("make", [far_apart, mostly_silent, long_documents])
def test_sums_that_would_pass_64_bits_are_refused(make):
    """A coarser resolution is the remedy."""
    with pytest.raises(ValueError, match="coarser resolution"):
        units.alpha_u(make())


def test_lengths_of_documents_may_pass_64_bits():
    """Their sum is exact."""
    assert long_documents().length == 2**63


def test_results_are_read_by_people():
    """One line for a result, columns for a table, a category by its name."""
    marked = [("i", 0, 4, "x", "d"), ("j", 0, 5, "x", "d"), ("j", 6, 8, "y", "d")]
    table = af.agreement_table(continuum(marked, {"d": (0, 10)}, "ij"))
    assert repr(table["u_alpha"]).startswith("<u_alpha: 0.")
    assert repr(table["alpha_u"]["x"]).startswith("<'x': 0.")
    assert float(table["alpha_u"]) == table["alpha_u"].value
    assert float(table["alpha_u"]["x"]) == table["alpha_u"]["x"].value
    lines = str(table).splitlines()
    assert lines[0].split() == [
        "coefficient",
        "category",
        "units",
        "coverage",
        "D_o",
        "D_e",
        "value",
    ]
    assert lines[1].split()[:3] == ["alpha_u", "all", "3"]
    assert str(table[0].table()).splitlines()[2].split()[:3] == ["alpha_u", "x", "2"]
    assert len(table[:2]) == 2
    with pytest.raises(KeyError, match="'y'"):
        table["alpha_u"]["no such"]
    with pytest.raises(KeyError, match="alpha_u, u_alpha"):
        table["no such"]


def test_a_continuum_is_drawn_as_lines_of_text():
    """A place of the text is as long as the line has room for; overlaps of a coder are marked."""
    marked = [
        ("i", 10, 20, "x", "d"),
        ("i", 15, 25, "x", "d"),
        ("j", 10, 60, "x", "d"),
        ("j", 60, 61, "y", "d"),
        ("i", 0, 5, "x", "e"),
    ]
    drawn = continuum(marked, {"d": (10, 82), "e": (0, 36)}, "ij").to_text(width=42).splitlines()
    assert drawn == [
        "d: 10 to 82",
        "i  x  [=###=]",
        "j  x  [=======================]",
        "j  y                           |",
        "e: 0 to 36",
        "i  x  [===]",
    ]
    with pytest.raises(ValueError, match="width"):
        continuum(marked, {"d": (10, 82), "e": (0, 36)}, "ij").to_text(width=39)


def test_coefficients_of_units_have_one_entrance():
    """The functions of judgments take a continuum, too, and say what they cannot compute."""
    data = continuum([("i", 0, 3, "x", "d"), ("j", 0, 4, "x", "d")], {"d": (0, 9)}, "ij")
    assert af.agreement(data) == af.agreement(data, "u_alpha") == units.u_alpha(data)
    table = af.agreement_table(data, ["u_alpha", "cu_alpha"])
    assert [row.coefficient for row in table] == ["u_alpha", "cu_alpha"]
    aligned = af.agreement_table(data, ["gamma_cat", "gamma"], rng=1)
    assert [row.coefficient for row in aligned] == ["gamma_cat", "gamma"]
    assert aligned["gamma"] == units.gamma(data, rng=1) == af.agreement(data, "gamma", rng=1)
    assert af.bootstrap(data, "u_alpha", n_resamples=5)[0] == units.u_alpha(data)
    with pytest.raises(ValueError, match="one table does not hold both: ask for gamma"):
        af.agreement_table(data, ["gamma", "u_alpha"])
    with pytest.raises(ValueError, match=r"coefficient must be 'alpha_u', .* not 'kappa'"):
        af.agreement(data, "kappa")
    with pytest.raises(TypeError, match="soft is no option of this coefficient"):
        af.agreement(data, "u_alpha", soft=True)


SPANS_FRAME = pd.DataFrame(
    {
        "document": ["d"] * 4,
        "coder": list("ABAB"),
        "start": [0, 1, 12, 12],
        "end": [9, 9, 20, 21],
        "label": list("xxyx"),
    }
)


@pytest.mark.parametrize(
    "call", [units.gamma, units.align, units.scores, units.u_alpha, af.report, af.alpha]
)
def test_a_frame_of_spans_is_answered_with_what_to_write(call):
    """The call that the error writes works."""
    with pytest.raises((TypeError, ValueError), match="from_frame") as error:
        call(SPANS_FRAME)
    written, _, extents = str(error.value).partition("write ")[2].partition(", with ")
    assert extents.startswith("extents= if texts go on behind their last unit")
    data = eval(written, {"af": af, "frame": SPANS_FRAME})
    assert (data.n_units, data.categories, data.length) == (4, ("x", "y"), 21)


def test_columns_that_a_frame_of_spans_lacks_are_left_open():
    frame = SPANS_FRAME.rename(columns={"coder": "xyz"})
    with pytest.raises(TypeError, match=r"coder=\.\.\., start='start', end='end'"):
        units.gamma(frame)


def test_a_frame_of_spans_is_read_by_the_usual_names_if_no_column_is_named():
    named = {"coder": "coder", "start": "start", "end": "end"}
    whole = {**named, "category": "label", "document": "document"}
    with pytest.warns(af.ReadHint, match=r"by their names: coder='coder', .*category='label'"):
        read = units.Continuum.from_frame(SPANS_FRAME)
    assert str(read) == str(units.Continuum.from_frame(SPANS_FRAME, **whole))
    assert units.Continuum.from_frame(SPANS_FRAME, **named).categories == ("unit",)
    for frame, some in (
        (SPANS_FRAME.rename(columns={"coder": "xyz"}), {}),
        (SPANS_FRAME, {"start": "start", "end": "end"}),
    ):
        with pytest.raises(ValueError, match=r"not all known: write .*coder=\.\.\., start='start'"):
            units.Continuum.from_frame(frame, **some)


def test_documents_of_spans_may_be_items_if_they_are_named():
    data = af.Annotations.from_frame(SPANS_FRAME, item="document", duplicates="set")
    assert data.categories == (frozenset("xy"), frozenset("x"))


def test_coefficients_of_units_are_answered_by_name():
    with pytest.raises(ValueError, match=r"af\.agreement\(continuum, 'gamma'\)"):
        af.agreement(SPANS_FRAME, "gamma")


INTERVIEWS = pd.DataFrame(
    {
        "coder": ["Ann", "Ben"] * 6,
        "interview": [f"i{place // 4}" for place in range(12)],
        "start": [0, 0, 8, 9, 20, 20, 27, 26, 40, 41, 48, 48],
        "end": [5, 5, 12, 12, 25, 24, 31, 31, 45, 45, 52, 51],
        "label": list("ppqqpppqqqpp"),
        "confidence": [1.5, 2.25] * 6,
    }
)


def test_a_column_that_may_name_documents_is_not_left_out_in_silence():
    with pytest.warns(af.ReadHint) as warned:
        units.Continuum.from_frame(INTERVIEWS)
    text = str(warned[-1].message)
    assert text == (
        "all units are in one document; columns that vary and are not used: 'interview'; if one "
        "names documents, pass document='interview'"
    )
    named = {"coder": "coder", "start": "start", "end": "end", "category": "label"}
    with pytest.warns(af.ReadHint, match="pass document='interview'"):
        units.Continuum.from_frame(INTERVIEWS, **named)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = units.Continuum.from_frame(INTERVIEWS, **named, document="interview")
        assert len(data.documents) == 3
        units.Continuum.from_frame(INTERVIEWS.drop(columns="interview"), **named)


def test_units_that_overlap_may_be_in_several_documents():
    restarted = {"coders": list("AAB"), "starts": [0, 0, 0], "ends": [4, 5, 4]}
    advice = "if units are in several documents, name the column of these"
    assert advice in units.u_alpha(units.Continuum.from_rows(**restarted)).undefined
    restarted["ends"] = [4, 4, 4]
    with pytest.raises(ValueError, match="if they are in several documents, name the column"):
        units.Continuum.from_rows(**restarted)
