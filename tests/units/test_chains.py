"""Coreference chains from antecedent links."""

import pandas as pd
import pytest
import reference_labelsets as slow
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import units

#: Artstein & Poesio 2005, 4.1, example 1: send engine E2 off with a boxcar to Corning ... and while
#: it's there it should pick up the tanker.
E2, BOXCAR, IT1, IT2 = "engine E2", "a boxcar", "it 3.1a", "it 3.1b"
TO_E2 = [("d91-3.2", "A", IT1, E2), ("d91-3.2", "A", IT2, E2)]
TO_PRONOUN = [("d91-3.2", "B", IT1, E2), ("d91-3.2", "B", IT2, IT1)]
TO_BOXCAR = [("d91-3.2", "C", IT1, E2), ("d91-3.2", "C", IT2, BOXCAR)]


def chains(links, **options):
    """The chains of links as judgments of mentions."""
    return units.judgments(units.Chains.from_links(links), **options)


def label(data, item, coder):
    """One cell of the table."""
    row = list(data.items).index(item)
    return data.to_wide()[row][data.coders.index(coder)]


def test_the_engine_or_the_nearer_pronoun_is_no_disagreement():
    data = chains(TO_E2 + TO_PRONOUN)
    assert af.observed_agreement(data).value == 1
    chain = frozenset(("d91-3.2", m) for m in (E2, IT1, IT2))
    assert data.categories == (chain,)
    antecedents = af.Annotations.from_long(
        [m for _, _, m, _ in TO_E2 + TO_PRONOUN],
        [c for _, c, _, _ in TO_E2 + TO_PRONOUN],
        [a for _, _, _, a in TO_E2 + TO_PRONOUN],
    )
    assert af.observed_agreement(antecedents).value == 0.5  # what links as labels would give


def test_another_entity_is_a_disagreement_in_part():
    data = chains(TO_E2 + TO_BOXCAR)
    assert label(data, ("d91-3.2", IT2), "C") == {("d91-3.2", IT2), ("d91-3.2", BOXCAR)}
    # {E2, it, it} against {E2, it}, and against {it, boxcar}
    result = af.alpha(data, "passonneau")
    assert result.observed_disagreement == pytest.approx((1 / 3 + 2 / 3) / 2)


def test_chains_of_different_documents_are_disjoint():
    links = [(d, c, "it", "E2") for d in ("one", "two") for c in "AB"]
    data = chains(links)
    assert data.items == (("one", "it"), ("two", "it"))
    assert len(data.categories) == 2
    assert af.alpha(data, "masi").value == 1


def test_a_mention_without_antecedent_starts_a_chain():
    links = [
        ("d", "A", "E2", None), ("d", "A", "it", "E2"), ("d", "A", "tanker", "tanker"),
        ("d", "B", "E2", None), ("d", "B", "it", None), ("d", "B", "tanker", None),
    ]  # fmt: skip
    data = chains(links)
    assert label(data, ("d", "E2"), "A") == {("d", "E2"), ("d", "it")}
    assert label(data, ("d", "E2"), "B") == {("d", "E2")}
    assert label(data, ("d", "tanker"), "A") == label(data, ("d", "tanker"), "B")
    assert data.missing_judgments == 0


def test_what_a_coder_left_out_is_missing_or_the_empty_set():
    links = [*TO_E2, ("d91-3.2", "B", IT1, E2), ("other", "A", "that", "this")]
    missing = chains(links)
    assert missing.n_judgments == 4
    empty = chains(links, left_out="empty")
    assert label(empty, ("d91-3.2", IT2), "B") == frozenset()
    # B judged nothing of the other document
    assert label(empty, ("other", "that"), "B") is None
    assert empty.n_judgments == 5
    assert empty.items == missing.items


def test_several_antecedents_are_one_chain():
    data = chains([("d", "A", "they", "he"), ("d", "A", "they", "she")])
    assert data.categories == (frozenset(("d", m) for m in ("they", "he", "she")),)


def test_frames_of_links():
    rows = TO_E2 + TO_PRONOUN + [("d91-3.2", "B", "okay", None)]
    frame = pd.DataFrame(rows, columns=["document", "coder", "mention", "antecedent"])
    assert chains(frame).to_wide().tolist() == chains(rows).to_wide().tolist()


@examples(60, deadline=None)
@given(
    links=st.lists(
        st.tuples(
            st.sampled_from(["x", "y"]),
            st.sampled_from("ABC"),
            st.integers(0, 6),
            st.one_of(st.none(), st.integers(0, 6)),
        ),
        min_size=1,
        max_size=20,
    ),
    left_out=st.sampled_from(["missing", "empty"]),
)
def test_chains_are_those_of_the_definition(links, left_out):
    data = chains(links, left_out=left_out)
    expected = slow.chains(links, left_out)
    assert list(data.items) == list(expected)
    for row, item in zip(data.to_wide().tolist(), data.items, strict=True):
        assert dict(zip(data.coders, row, strict=True)) == expected[item]


def test_no_links():
    data = chains([])
    assert (data.n_items, data.n_judgments) == (0, 0)


@pytest.mark.parametrize(
    ("links", "options", "match"),
    [
        ([("d", "A", "it")], {}, r"link 0 must be .*, not \('d', 'A', 'it'\)"),
        (["abcd"], {}, "link 0 must be .*, not 'abcd'"),
        ([("d", "A", None, "E2")], {}, "link 0 has no mention"),
        ([(None, "A", "it", "E2")], {}, "judgment 0 has no document"),
        ([("d", "A", "it", "E2")], {"left_out": "no"}, r"left_out must be .*, not 'no'"),
        (pd.DataFrame({"a": [1]}), {}, "the columns of links are 'a'"),
    ],
)
def test_malformed_links_are_refused(links, options, match):
    with pytest.raises(ValueError, match=match):
        chains(links, **options)


def test_many_documents_cost_what_chains_meet():
    """30,000 chains: their sums take no matrix, and no coefficient changes for it."""
    links = [
        (document, coder, mention, mention - 1 - (coder == "B" and document % 3 == 0))
        for document in range(5000)
        for coder in "AB"
        for mention in range(2, 5)
    ]
    data = chains(links)
    assert len(data.categories) > 5000
    result = af.alpha(data, "masi")
    few = chains([link for link in links if link[0] < 60])
    assert af.alpha(few, "masi").observed_disagreement == pytest.approx(
        result.observed_disagreement, rel=1e-2
    )
    assert result.expected_disagreement > 0.999
