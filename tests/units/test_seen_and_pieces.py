"""Documents with coders of their own, and units in several pieces, counted place by place."""

import math
import random
from itertools import groupby, islice, product

import numpy as np
import pandas as pd
import pytest
import reference_units_by_places as slow
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty

import agreement_fast as af
from agreement_fast import units
from agreement_fast.units.coincidences import COEFFICIENTS, DocumentSums, UnitizingTable
from agreement_fast.units.continuum import paired


def continuum(study):
    """The package's continuum of rows of places; neighbouring places of a unit are one piece."""
    rows = []
    for document, marked in study.items():
        for coder, row in marked.items():
            at = 0
            for cell, some in groupby(row):
                end = at + len(list(some))
                if cell is not None:
                    rows.append((coder, at, end, cell[1], document, cell[0]))
                at = end
    columns = list(zip(*rows, strict=True)) or [()] * 6
    return units.Continuum.from_rows(
        *columns[:5],
        units=columns[5],
        extents={d: len(next(iter(marked.values()))) for d, marked in study.items()},
        seen={document: list(marked) for document, marked in study.items()},
    )


def markings(length, categories="xy"):
    """List all rows of a number of places: units may lie in pieces."""
    result = [[]]
    for _ in range(length):
        longer = []
        for row in result:
            used = {cell[0]: cell for cell in row if cell is not None}
            fresh = [(len(used), category) for category in categories]
            longer += [[*row, cell] for cell in (None, *used.values(), *fresh)]
        result = longer
    return result


#: Coders and lengths of documents: all data of these shapes are tested.
SHAPES = [
    [("AB", 3)],
    [("ABC", 2)],
    [("AB", 2), ("BC", 1), ("A", 1)],
    [("ABC", 1), ("AB", 2)],
]


def studies_of(shape):
    """List every study of documents of these coders and lengths."""
    rows = [(f"d{i}", who, length) for i, (who, length) in enumerate(shape) for who in who]
    for chosen in product(*(markings(length) for _, _, length in rows)):
        study = {}
        for (document, coder, _), row in zip(rows, chosen, strict=True):
            study.setdefault(document, {})[coder] = row
        yield study


def agrees(result, correct):
    """Whether a result has these D_o and D_e, to the last digit."""
    observed, expected = correct
    assert result.observed_disagreement == float(observed)
    assert result.expected_disagreement == float(expected)
    if expected:
        assert result.value == float(1 - observed / expected)
    else:
        assert math.isnan(result.value)
        assert "no variation" in result.undefined


def in_one_piece(study):
    return all(
        len([1 for cell, _ in groupby(row) if cell == unit]) == 1
        for marked in study.values()
        for row in marked.values()
        for unit in {cell for cell in row if cell is not None}
    )


def check(study):
    """Compare all coefficients of a study with their counts."""
    data = continuum(study)
    used = {document: rows for document, rows in study.items() if len(rows) > 1}
    marked = {c[1] for rows in used.values() for row in rows.values() for c in row if c}
    result = {name: compute(data) for name, compute in COEFFICIENTS.items()}
    assert result["u_alpha"].n_unpaired_documents == len(study) - len(used)
    if not marked:
        reason = "no units" if used else "no pairs"
        assert all(reason in one.undefined for one in result.values())
        return
    for name in ("u_alpha", "binary_u_alpha"):
        correct = getattr(slow, name)(study)
        if correct is None:
            assert result[name].undefined
        else:
            agrees(result[name], correct)
    for account in ("krippendorff_2016", "krippendorff_2019"):
        for name, category in [("cu_alpha", None), *(("ku_alpha", k) for k in sorted(marked))]:
            correct = slow.intersections(study, account, category)
            one = af.agreement(data, name, account=account)
            if correct is None:
                assert one.undefined
            elif category is None:
                agrees(one, correct)
            else:
                agrees(one[category], correct)
    if in_one_piece(used):
        both = [slow.alpha_u(study, category) for category in sorted(marked)]
        for category, correct in zip(sorted(marked), both, strict=True):
            agrees(result["alpha_u"][category], correct)
        agrees(result["alpha_u"], [sum(halves) for halves in zip(*both, strict=True)])
    else:
        assert "in several pieces" in result["alpha_u"].undefined


@pytest.mark.few(every=2)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_small_study_is_counted_place_by_place(shape):
    """Some of them, evenly; all 10,074 agree as well."""
    every = studies_of(shape)
    total = math.prod(len(markings(length)) for who, length in shape for _ in who)
    for study in islice(every, 0, None, max(total // 50, 1) | 1):
        check(study)


@st.composite
def studies(draw):
    """Up to four coders and documents, and few coders for some; units in pieces."""
    study = {}
    coders = "ABCD"[: draw(st.integers(2, 4))]
    for number in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 6))
        rows = {}
        for coder in draw(st.lists(st.sampled_from(coders), unique=True, min_size=1)):
            kinds = draw(st.lists(st.sampled_from("xyz"), min_size=3, max_size=3))
            cells = st.sampled_from([None, *enumerate(kinds)])
            rows[coder] = draw(st.lists(cells, min_size=length, max_size=length))
        study[f"d{number}"] = rows
    return study


@examples(35)
@given(studies())
def test_studies_are_counted_place_by_place(study):
    check(study)


def values(data):
    parts = UnitizingTable([compute(data) for compute in COEFFICIENTS.values()]).parts()
    return {(name, category): part.value for name, category, part in parts}


def test_accounts_of_chance_are_counted_place_by_place_in_500_studies():
    """Three to five coders, of whom not all saw all documents."""
    draw = random.Random(145)
    cells = [None, *((unit, "xyz"[unit % 3]) for unit in range(4))]
    n_values = 0
    for _ in range(500):
        study = {
            document: {
                coder: [draw.choice(cells) for _ in range(4)]
                for coder in draw.sample("ABCDE", draw.randint(2, 5))
            }
            for document in ("d", "e")
        }
        for account in ("krippendorff_2016", "krippendorff_2019"):
            correct = slow.intersections(study, account)
            result = af.agreement(continuum(study), "cu_alpha", account=account)
            assert (result.undefined is None) == (correct is not None and correct[1] > 0)
            if correct is not None:
                agrees(result, correct)
                n_values += 1
    assert n_values > 900


@examples(25)
@given(studies(), st.data())
def test_sums_of_documents_are_the_coefficients_of_what_is_drawn(study, draw):
    data = continuum(study)
    used = paired(data)
    parts = [part for part, value in values(data).items() if not math.isnan(value)]
    if not parts:
        return
    times = draw.draw(
        st.lists(st.integers(0, 2), min_size=len(used.documents), max_size=len(used.documents))
        .filter(any)
    )  # fmt: skip
    copies = {
        f"{document}-{i}": study[document]
        for document, n in zip(used.documents, times, strict=True)
        for i in range(n)
    }
    result = DocumentSums(used, parts).values(np.array(times, float)[:, None])[:, 0]
    drawn = values(continuum(copies))
    for part, one in nonempty(zip(parts, result, strict=True)):
        assert one == pytest.approx(drawn.get(part, math.nan), abs=1e-11, nan_ok=True)


def test_documents_of_one_coder_change_nothing_and_are_counted():
    columns = (list("AABB"), [0, 5, 0, 6], [4, 8, 4, 8], list("xyxy"), ["d"] * 4)
    alone = units.Continuum.from_rows(*columns, extents=10)
    wider = units.Continuum.from_rows(
        *(own + more for own, more in zip(columns, (["C"], [1], [3], ["y"], ["e"]), strict=True)),
        extents=10,
        seen={"d": ["A", "B"], "e": ["C"], "f": []},
    )
    for one, other in zip(af.agreement_table(alone), af.agreement_table(wider), strict=True):
        assert str(one.value) == str(other.value)
        assert (other.n_unpaired_documents, other.n_units, other.length) == (2, 4, 10)
    assert "2 documents without two coders" in repr(units.u_alpha(wider))
    intervals = af.bootstrap(wider, "u_alpha", n_resamples=10)["u_alpha"]
    assert intervals.n_documents == 1


def test_a_coder_who_saw_a_document_and_marked_nothing_left_a_gap():
    """Missing coders change nothing, gaps do."""
    rows = (["A", "B"], [0, 0], [4, 5], ["x", "x"], ["d", "d"])
    missing = units.Continuum.from_rows(*rows, extents=9, seen={"d": ["A", "B"]})
    silent = units.Continuum.from_rows(*rows, extents=9, seen=[("d", who) for who in "ABC"])
    assert units.u_alpha(missing).value > units.u_alpha(silent).value
    same = units.Continuum.from_rows(*rows, extents=9, all_coders=["C"])
    assert str(af.agreement_table(silent)) == str(af.agreement_table(same))
    assert silent.seen is None


def test_no_document_of_two_coders_is_undefined():
    data = units.Continuum.from_rows(
        "AB", [0, 0], [2, 2], documents="de", seen=[("d", "A"), ("e", "B")]
    )
    for result in nonempty(af.agreement_table(data)):
        assert "no document was seen by two coders" in result.undefined
        assert result.n_unpaired_documents == 2


DATA = {
    "who": ["A", "A", "B", "B", "C"],
    "from": [0, 6, 0, 2, 1],
    "to": [2, 8, 9, 4, 3],
    "kind": list("xxxyx"),
    "text": list("ddddf"),
    "name": ["T1", "T1", "T1", "T2", "T1"],
}
COLUMNS = {"coder": "who", "start": "from", "end": "to", "category": "kind", "document": "text"}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_say_pieces_and_who_saw_what(library):
    frames = pytest.importorskip(library)
    saw = frames.DataFrame({"text": list("dddffe"), "who": list("ABCCBA")})
    data = units.Continuum.from_frame(
        frames.DataFrame(DATA), **COLUMNS, unit="name", seen=saw, extents=10
    )
    assert repr(data) == (
        "Continuum(4 units in 5 pieces, 3 coders (1 to 3 a document), 3 documents of length 30, "
        "2 categories: 'x', 'y')"
    )
    assert data.n_units == 4
    assert data.n_seeing.tolist() == [3, 2, 1]
    assert data.to_dict()["unit"] == ["T1", "T1", "T1", "T1", "T2"]
    some = data.select(coders=["B", "C"], documents=["f", "e"])
    assert some.n_seeing.tolist() == [2, 0]
    assert some.unit_names == ("T1",)
    assert data.select(documents=["d"]).seen is None
    with pytest.raises(ValueError, match="read-only"):
        data.seen[0] = 0
    with pytest.raises(ValueError, match="the column of documents"):
        units.Continuum.from_frame(
            frames.DataFrame(DATA), coder="who", start="from", end="to", seen=saw
        )


def test_units_may_share_pieces_but_not_be_the_same():
    """Two units of a category with one piece in common are two; with all in common one."""
    one = (["A"] * 4, [0, 6, 3, 6], [2, 8, 5, 8])
    assert units.Continuum.from_rows(*one, units=list("1122"), extents=9).n_units == 2
    with pytest.raises(ValueError, match=r"rows 0 and 2 are the same unit.*pairs: 1"):
        units.Continuum.from_rows(
            ["A"] * 4, [0, 6, 0, 6], [2, 8, 2, 8], units=list("1122"), extents=9
        )


ROWS = {"coders": list("AAB"), "starts": [0, 5, 2], "ends": [3, 8, 6], "documents": list("dde")}


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        (
            {"units": list("112"), "ends": [6, 8, 6]},
            ValueError,
            r"rows 0 and 1 are pieces of unit '1' of coder 'A' in document 'd': they overlap",
        ),
        (
            {"units": list("112"), "categories": list("xyx")},
            ValueError,
            r"rows 0 and 1 .* they are of categories 'x' and 'y', and a unit has one",
        ),
        ({"units": ["1", None, "2"]}, ValueError, "has no unit"),
        ({"units": ["1", "2"]}, ValueError, "3 starts and 2 unit labels"),
        (
            {"seen": {"d": ["A"], "e": ["A"]}},
            ValueError,
            r"row 2 is a unit of coder 'B' in document 'e', which seen says that 'B' did not see",
        ),
        ({"seen": {"d": "A"}}, TypeError, "seen has 'A' for document 'd': expected a list"),
        ({"seen": {"d": 3}}, TypeError, "seen has 3 for document 'd': expected a list"),
        ({"seen": 5}, TypeError, "seen must be a mapping"),
        ({"seen": "dA"}, TypeError, "seen must be a mapping"),
        ({"seen": [("d", "A"), ("e",)]}, ValueError, r"seen has row 1 \('e',\)"),
        ({"seen": ["dA"]}, ValueError, "seen has row 0 'dA'"),
        (
            {"seen": {"d": ["A"], "e": ["B"], "f": ["A"]}},
            ValueError,
            "document 'f' has no units, so its length is not known",
        ),
    ],
)
def test_bad_pieces_and_coders_say_which_and_why(change, error, text):
    with pytest.raises(error, match=text):
        units.Continuum.from_rows(**(ROWS | change))


def test_a_frame_without_a_coder_is_refused():
    with pytest.raises(ValueError, match="row 1 has no coder"):
        units.Continuum.from_frame(
            pd.DataFrame(DATA),
            **COLUMNS,
            seen=pd.DataFrame({"text": ["d", "d"], "who": ["A", None]}),
        )


def test_resamples_take_the_pieces_of_a_unit_together():
    """cuα, whose chance leaves out pairs of places of one unit."""
    one = {"A": [(0, "x"), (1, "y"), (0, "x")], "B": [(0, "x"), (0, "x"), (1, "y")]}
    data = continuum({"d": one, "e": {"A": [(0, "x")], "B": [(0, "y")]}})
    result = DocumentSums(data, [("cu_alpha", None)]).values(np.ones((2, 1)))
    assert result[0, 0] == pytest.approx(af.agreement(data, "cu_alpha").value)
