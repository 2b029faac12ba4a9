"""Relations against sets of them, and pairs of units against all pairs written out."""

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast import units
from agreement_fast.units import Relations


def drawn(rng, documents=4, coders="ABC", n_units=5, share=0.3):
    """Random relations; coder C does not see the first document."""
    return [
        (d, coder, f"u{a}", f"u{b}", "xyz"[rng.integers(3)])
        for d in range(documents)
        for coder in coders
        if (d, coder) != (0, "C")
        for a, b in permutations(range(n_units), 2)
        if rng.random() < share
    ]


def f1(key, response):
    right = len(key & response)
    return 2 * right / (len(key) + len(response)) if key or response else np.nan


@pytest.mark.parametrize("seed", range(6))
def test_scores_are_those_of_sets(seed):
    rows = drawn(np.random.default_rng(seed), n_units=int(3 + seed % 3))
    data = Relations.from_rows(rows)
    result = units.scores(data, n_resamples=40, rng=1)
    saw = {(d, c) for d, c, *_ in rows}
    for a, b in combinations(data.coders, 2):
        shared = {d for d, _ in saw if {(d, a), (d, b)} <= saw}
        sides = [[row for row in rows if row[1] == c and row[0] in shared] for c in (a, b)]
        for measure, of in (
            ("labelled", lambda row: (row[0], *row[2:])),
            ("unlabelled", lambda row: (row[0], *row[2:4])),
            ("undirected", lambda row: (row[0], frozenset(row[2:4]))),
        ):
            key, response = ({of(row) for row in side} for side in sides)
            one = result.of(measure, a, b)
            assert one.value == pytest.approx(f1(key, response), nan_ok=True)
            if not key:
                continue
            assert one.recall == pytest.approx(len(key & response) / len(key))
            assert one.precision == pytest.approx(len(key & response) / len(response))
            assert one.n_documents == len(shared)
    for label in "xyz":
        key, response = (
            {(row[0], *row[2:4]) for row in rows if row[1] == c and row[4] == label} for c in "AB"
        )
        by = units.scores(data, by="label", n_resamples=40, rng=1)
        assert by.of("labelled", "A", "B", label).value == pytest.approx(f1(key, response))
    assert by["labelled"] == result["labelled"]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_all_pairs_of_units(seed, directed):
    rows = drawn(np.random.default_rng(seed))
    if not directed:
        rows = [row for row in rows if row[2] < row[3]]
    data = Relations.from_rows(rows, units={0: ["u0", "u9"], 7: ["u1", "u2"]}, seen=[(7, "A")])
    result = units.judgments(data, directed=directed)
    saw = {(d, c) for d, c, *_ in rows} | {(7, "A")}
    members = {}
    for d, _, a, b, _ in rows:
        members.setdefault(d, set()).update((a, b))
    members[0] |= {"u9"}
    members[7] = {"u1", "u2"}
    said = {row[:4]: row[4] for row in rows}
    ways = permutations if directed else combinations
    long = [
        ((d, a, b), c, said.get((d, c, a, b), "none"))
        for d in members
        for a, b in ways(sorted(members[d]), 2)
        for c in "ABC"
        if (d, c) in saw
    ]
    whole = af.Annotations.from_long(*zip(*long, strict=True))
    for coefficient in (af.alpha, af.pi):
        assert coefficient(result).value == pytest.approx(coefficient(whole).value)
    assert af.kappa(result.select(coders=["A", "B"])) == pytest.approx(
        af.kappa(whole.select(coders=["A", "B"]))
    )
    assert af.alpha(result).n_judgments == af.alpha(whole).n_judgments


TREE = [
    ("d", "Ann", "1", "2", "cause"), ("d", "Ann", "2", "3", "cause"),
    ("d", "Ann", "2", "4", "list"), ("d", "Bob", "1", "2", "list"),
    ("d", "Bob", "1", "3", "cause"), ("d", "Bob", "2", "4", "list"),
    ("e", "Ann", "1", "2", "cause"), ("e", "Bob", "2", "1", "cause"),
]  # fmt: skip


def test_attachment_is_the_share_of_units():
    """In d, unit 1 is the root for both, 3 hangs elsewhere; in e all differs."""
    data = Relations.from_rows(TREE)
    result = units.scores(data, "attachment", n_resamples=60, rng=1)
    assert result["unlabelled_attachment"] == pytest.approx(3 / 6)
    assert result["labelled_attachment"] == pytest.approx(2 / 6)
    uas = result["unlabelled_attachment"]
    assert uas.precision == uas.recall == uas.value
    more = Relations.from_rows(TREE, units={"e": ["3"]})
    assert units.scores(more, "attachment")["unlabelled_attachment"] == pytest.approx(4 / 7)
    observed = af.observed_agreement(units.judgments(data, "head")).value
    assert observed == pytest.approx(3 / 6)
    with pytest.raises(af.AgreementError, match="heads are scored for all labels together"):
        units.scores(data, "attachment", by="label")
    turned = Relations.from_rows([(d, c, b, a, k) for d, c, a, b, k in TREE])
    again = units.scores(turned, "attachment", head="target", n_resamples=60, rng=1)
    assert [float(x) for x in again] == [float(x) for x in result]


def test_attachment_leaves_out_documents_of_one_coder():
    """In f, Ann stands alone; whose unit Bob leaves without a head there, did not see it."""
    more = [("f", "Ann", "1", "2", "cause"), ("f", "Ann", "2", "3", "cause")]
    result = units.scores(Relations.from_rows([*TREE, *more]), "attachment")
    assert result["unlabelled_attachment"] == 3 / 6
    assert result["unlabelled_attachment"].n_documents == 2


def test_heads_are_judgments_of_units():
    result = units.judgments(Relations.from_rows(TREE), "head", root="-")
    assert list(result.items[:3]) == [("d", "1"), ("d", "2"), ("d", "3")]
    assert result.to_wide().tolist()[:3] == [
        ["-", "-"], [("d", "1"), ("d", "1")], [("d", "2"), ("d", "1")]
    ]  # fmt: skip


def test_a_unit_of_a_tree_has_one_head():
    data = Relations.from_rows([*TREE, ("d", "Bob", "4", "3", "list")])
    with pytest.raises(af.AgreementError, match="Bob gives unit 3 of d two heads, 1 and 4: a unit"):
        units.scores(data, "attachment")
    with pytest.raises(af.AgreementError, match="Ann gives unit 2 of d two heads, 3 and 4"):
        units.judgments(Relations.from_rows(TREE), "head", head="target")


def test_units_are_compared_by_an_alignment():
    rows = [("d", "A", "s1", "s2", "x"), ("d", "B", "t1", "t2", "x"), ("e", "B", "t1", "s9", "x")]
    assert np.isnan(units.scores(Relations.from_rows(rows[:1] + rows[2:]))["labelled"])
    assert units.scores(Relations.from_rows(rows))["labelled"] == 0
    data = Relations.from_rows(rows, alignment={"B": {"t1": "s1", ("d", "t2"): "s2"}})
    assert units.scores(data)["labelled"] == 1
    assert data.to_dict()["source"] == ["s1", "s1", "s1"]


def test_documents_without_relations_are_seen_where_it_is_said():
    rows = [("d", "A", "1", "2", "x"), ("d", "B", "1", "2", "x"), ("e", "A", "1", "2", "x")]
    assert units.scores(Relations.from_rows(rows))["labelled"].recall == 1
    for seen in ("all", [("e", "B")]):
        assert units.scores(Relations.from_rows(rows, seen=seen))["labelled"].recall == 0.5
    assert af.alpha(units.judgments(Relations.from_rows(rows, seen="all"))).n_judgments == 8


def test_frames_are_read_and_labels_may_be_absent():
    frame = pd.DataFrame(TREE, columns=["document", "coder", "from", "to", "label"])
    frame.loc[7, "label"] = None
    data = Relations.from_rows(frame)
    assert data.to_dict()["label"][-1] == "related"
    assert repr(data) == (
        "<8 relations of 2 coders between 6 units in 2 documents, labels: cause, list, related>"
    )
    one = units.scores(data, gold="Bob", n_resamples=40)
    assert [row.key for row in one] == ["Bob"] * 3


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([("d", "A", "1", "2")], {}, "relation 0 must be .document, coder, source"),
        (["abcde"], {}, "relation 0 must be .*, not 'abcde'"),
        ([("d", None, "1", "2", "x")], {}, "document, coder, source and target are needed"),
        ([("d", "A", "1", "1", "x")], {}, "relation 0 of coder A relates 1 to itself: leave"),
        ([("d", "A", "1", "2", "x"), ("d", "A", "1", "2", "y")], {}, "1 to 2 twice, as x and y"),
        ([("d", "A", "1", "2", "x")], {"seen": "some"}, "seen must be 'all', a mapping"),
        ([("d", "A", "1", "2", "x")], {"seen": ["dA"]}, "seen has row 0 'dA'"),
        (pd.DataFrame({"a": [1]}), {}, "the columns of rows are 'a'"),
    ],
)
def test_rows_that_cannot_be(rows, options, message):
    with pytest.raises(af.AgreementError, match=message):
        Relations.from_rows(rows, **options)


def test_pairs_that_cannot_be():
    both = [("d", "A", "1", "2", "x"), ("d", "A", "2", "1", "y"), ("d", "B", "1", "2", "x")]
    data = Relations.from_rows(both)
    with pytest.raises(
        af.AgreementError, match="in both directions, as y and x: pass directed=True"
    ):
        units.judgments(data, directed=False)
    with pytest.raises(af.AgreementError, match="no_relation='x' is a label of the data"):
        units.judgments(data, no_relation="x")
    same = [(d, c, a, b, "x") for d, c, a, b, _ in both]
    assert len(units.judgments(Relations.from_rows(same), directed=False)) == 1


def test_nothing_related_is_nothing_to_score():
    """Two coders who looked at three units and related none agree on all pairs."""
    saw = [("d", "A"), ("d", "B")]
    data = Relations.from_rows([], seen=saw, units={"d": [1, 2, 3]})
    assert units.scores(data)["labelled"].undefined.startswith("neither coder relates")
    assert af.observed_agreement(units.judgments(data)) == 1
    assert units.scores(data, "attachment")["labelled_attachment"] == 1
    none = Relations.from_rows([], seen=saw)
    assert units.scores(none, "attachment")["labelled_attachment"].undefined.startswith(
        "there are no un"
    )
    assert len(units.judgments(none)) == 0
