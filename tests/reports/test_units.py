"""The page of units: lanes, places of disagreement, and limits."""

import itertools
import json
import re

import numpy as np
import pytest
from html_page import HOSTILE, checked
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast import agreement_table, report, units
from agreement_fast.reports import units as lanes
from agreement_fast.reports.rendering import sections_page
from agreement_fast.reports.units import beside_units

ROWS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.integers(0, 17),
        st.integers(1, 6),
        st.integers(0, 2),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=12,
)


def continuum(rows, extents=24, **more):
    """Units without overlaps of one coder and category; rows of coder, start, length, category."""
    taken = set()
    kept = []
    for who, start, length, what, where in rows:
        places = {(who, what, where, place) for place in range(start, start + length)}
        if not places & taken:
            taken |= places
            kept.append((who, start, start + length, what, where))
    coders, starts, ends, categories, documents = zip(*kept, strict=True)
    return units.Continuum.from_rows(
        coders=coders,
        starts=starts,
        ends=ends,
        categories=categories,
        documents=documents,
        extents=extents,
        **more,
    )


@given(ROWS)
def test_places_of_disagreement_are_found(rows):
    data = continuum(rows, all_coders=[0, 1, 2])
    result = lanes.stretches(data, np.arange(len(data.documents)))
    share = np.full((len(data.documents), 24), -1.0)
    for d, start, end, one in zip(
        result.document, result.start, result.end, result.share, strict=True
    ):
        assert start < end
        assert (share[d, start:end] == -1).all()
        share[d, start:end] = one
    for d, place in itertools.product(range(len(data.documents)), range(24)):
        said = [
            {
                int(k)
                for c, dd, s, e, k in zip(
                    data.coder, data.document, data.start, data.end, data.category, strict=True
                )
                if c == coder and dd == d and s <= place < e
            }
            for coder in range(3)
        ]
        apart = sum(one != two for one, two in itertools.combinations(said, 2))
        assert share[d, place] == pytest.approx(apart / 3)
    assert result.of_documents(len(data.documents)) == pytest.approx(share.sum(1))


def test_coders_who_did_not_see_a_document_do_not_count():
    """If two coders saw it, all pairs differ; if one, none."""
    data = units.Continuum.from_rows(
        list("ABC"), [0, 2, 1], [4, 4, 3], documents=list("dde"), extents=6,
        seen={"d": ["A", "B"], "e": ["C"]},
    )  # fmt: skip
    result = lanes.stretches(data, np.arange(2))
    assert result.document.tolist() == [0, 0, 0, 1, 1, 1]
    assert result.share.tolist() == [1, 0, 0, 0, 0, 0]
    assert result.of_documents(2).tolist() == [2, 0]


def test_some_documents_are_compared_if_all_are_too_many(monkeypatch):
    rows = [(c, 2 * i, 1, 0, d) for d in range(6) for c in range(2) for i in range(1 + d)]
    data = continuum(rows)
    assert lanes.most_units(data).tolist() == [0, 1, 2, 3, 4, 5]
    monkeypatch.setattr(lanes, "CELLS", 100)
    few = lanes.most_units(data).tolist()
    assert few == [4, 5]
    assert set(lanes.stretches(data, np.array(few)).document.tolist()) == {4, 5}
    assert "among those with the most units" in checked(report(data).page().html).section("lanes")


DATA = continuum(
    [(0, 0, 6, 0, 0), (1, 1, 6, 0, 0), (0, 10, 4, 1, 0), (1, 10, 4, 2, 0), (0, 3, 5, 1, 1)]
)


def test_it_shows_values_units_and_where_coders_differ():
    made = checked(report(DATA).page(title="Names").html)
    outcome = agreement_table(DATA)
    assert f"u-alpha = {outcome['u_alpha'].value:.4f}" in made.section("part-agreement")
    for result in outcome:
        if result.undefined is None:
            assert f"{result.value:.4f}" in made.section("part-coefficients")
    assert "\n03531.2%\n12520.8%\n" in made.section("part-coders")  # units, mean length, share
    titles = [one["text"] for one in made.all("title")[1:]]
    assert titles == [
        "0, 0 to 6", "1, 10 to 14", "0, 1 to 7", "2, 10 to 14", "1, 3 to 8"
    ]  # fmt: skip
    # Documents with the longest disagreement first: 2 + 4 of 24 places, and 5.
    assert [one["text"] for one in made.all("h3")][:2] == ["0", "1"]
    assert "25.0% of the pairs of coders disagree" in made.section("lanes")
    assert "20.8% of the pairs of coders disagree" in made.section("lanes")
    assert len(made.all("path", **{"class": "apart apart4"})) == 2


def test_units_are_drawn_to_scale():
    made = checked(report(DATA).page().html)
    rects = [
        (float(one["x"]), float(one["width"]))
        for one in made.all("rect")
        if one.get("class", "").startswith("unit")
    ]
    scale = (960 - 120) / 24
    assert rects[:2] == [(120, 6 * scale), (120 + 10 * scale, 4 * scale)]


def test_a_long_document_is_cut_into_strips():
    rows = [(c, 3 * i, 2, i % 3, 0) for i in range(70) for c in range(2)]
    made = checked(report(continuum(rows, extents=210)).page().html)
    strips = made.all("svg", **{"class": "lanes"})
    assert [one["aria-label"].split(";")[0] for one in strips] == [
        "0 to 70",
        "70 to 140",
        "140 to 210",
    ]


def test_many_documents_coders_and_long_names_fit():
    random = np.random.default_rng(0)
    rows = [
        (c, int(s), 3, int(random.integers(0, 60)), d)
        for d in range(60)
        for c in range(20)
        for s in random.choice(70, 6, replace=False) * 4
    ]
    coders = [f"{'coder' * 9} {i}" for i in range(20)]
    data = units.Continuum.from_rows(
        coders=[coders[row[0]] for row in rows],
        starts=[row[1] for row in rows],
        ends=[row[1] + row[2] for row in rows],
        categories=[f"{'category' * 9} {row[3]}" for row in rows],
        documents=[row[4] for row in rows],
        extents=290,
    )
    made = checked(report(data).page().html)
    text = made.section("lanes")
    assert re.search(r"\d+ of 60 documents are drawn", text)
    assert "15 of 20 coders with the most units" in text
    assert "8 others" in text


def test_labels_never_become_elements():
    names = [one for one in HOSTILE if one]
    data = units.Continuum.from_rows(
        coders=names[:3] * 4,
        starts=list(range(12)),
        ends=list(range(1, 13)),
        categories=names[:12],
        documents=names[:2] * 6,
        extents=20,
    )
    source = {"files": [{"name": HOSTILE[0]}], "layout": "units", "rows": 12, "notes": HOSTILE}
    computed = {"call": HOSTILE[0], "rng": 0, "versions": {"agreement_fast": HOSTILE[1]}}
    document = {"source": source, "computed": computed}
    beside = beside_units(data, HOSTILE[1])
    sections = report(data).sections()
    made = sections_page(sections, document, title="", command=HOSTILE[0], beside=beside)
    read = checked(made.html)
    assert len(read.all("script")) == 2
    assert read.data("document") == json.loads(json.dumps(document))
    assert read.all("img") == []


def test_one_coder_and_undefined_values():
    made = checked(report(continuum([(0, 0, 3, 0, 0)])).page().html)
    assert "is undefined" in made.section("part-agreement")
    assert "one coder alone cannot agree" in made.section("part-undefined-and-why")
    crossed = continuum([(0, 0, 5, 0, 0), (0, 3, 5, 1, 0), (1, 0, 5, 0, 0)])
    assert "alpha_U (1995) = " in checked(report(crossed).page().html).section("part-agreement")


def test_intervals_are_shown_if_they_were_computed():
    random = np.random.default_rng(3)
    rows = [(c, 6 * i + int(random.integers(0, 3)), 3, 0, d)
            for d in range(2) for c in range(2) for i in range(3)]  # fmt: skip
    data = continuum(rows)
    drawn = report(data, method="percentile", n_resamples=50, confidence_level=0.8, rng=0)
    made = checked(drawn.page().html)
    one = drawn.intervals["u_alpha"]
    assert f"80% interval {one.low:.4f} to {one.high:.4f}" in made.section("part-agreement")
    assert f"{one.value:.4f}{one.low:.4f}{one.high:.4f}" in made.section("part-coefficients")
    assert "other documents of the same kind" in made.section("part-coefficients")
    alone = continuum([row for row in rows if row[4] == 0])
    none = report(alone, method="bca", n_resamples=20, rng=0)
    assert none.intervals["u_alpha"].note in checked(none.page().html).section("part-agreement")
