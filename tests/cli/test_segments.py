"""``agreement-fast units --of segments`` and ``chains``: special labels from files."""

import pytest

import agreement_fast as af
from agreement_fast import units
from agreement_fast.distances import spans
from agreement_fast.inference import standard_error

CUTS = {
    "t1": {"A": "00100100", "B": "00010100"},
    "t2": {"A": "0100", "B": "0100", "C": "0010"},
}
LENGTHS = {"00100100": "3 3 3", "00010100": "4, 2, 3", "0100": "[2 3]", "0010": "3 2"}
LINKS = [
    ("d91", "A", "it 1", "engine"),
    ("d91", "A", "it 2", "engine"),
    ("d91", "B", "it 1", "engine"),
    ("d91", "B", "it 2", "it 1"),
    ("d91", "A", "there", "Corning"),
    ("d91", "B", "there", None),
    ("d92", "A", "she", "Ann"),
    ("d92", "B", "she", "Bea"),
]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    marks, lengths, segments = [], [], []
    for text, by_coder in CUTS.items():
        for coder, cut in by_coder.items():
            marks.append(f"{text},{coder},{cut}")
            lengths.append(f'{text},{coder},"{LENGTHS[cut]}"')
            for begin, end in units.segments(cut).tolist():
                segments.append(f"{text},{coder},{begin + 7},{end + 7}")
    for name, column, rows in (
        ("marks", "marks", marks),
        ("lengths", "lengths", lengths),
        ("segments", "start,end", segments),
    ):
        (tmp_path / f"{name}.csv").write_text(f"document,coder,{column}\n" + "\n".join(rows))
    links = [",".join(x or "" for x in row) for row in LINKS]
    (tmp_path / "links.csv").write_text("document,coder,mention,antecedent\n" + "\n".join(links))


@pytest.mark.parametrize("name", ["marks", "lengths", "segments"])
def test_every_layout_gives_the_values_of_the_library(command, name):
    result = command.json("units", "--of", "segments", f"{name}.csv")
    coders = dict.fromkeys(coder for text in CUTS.values() for coder in text)
    cuts = {c: {t: cut[c] for t, cut in CUTS.items() if c in cut} for c in coders}
    places, pieces = units.judgments(cuts), units.judgments(cuts, "segment")
    for key, data, distances in (
        ("boundaries", places, ["nominal"] * 3),
        ("segments", pieces, [spans("dice"), spans("jaccard")]),
    ):
        for row, distance in zip(result[key], distances, strict=True):
            value = af.agreement(data, row["coefficient"], distance=distance)
            error = standard_error(
                data,
                row["coefficient"],
                distance=distance,
                cluster=[text for text, _ in data.items],
            )
            assert row["value"] == pytest.approx(value.value)
            assert (row["low"], row["high"]) == pytest.approx((error.low, error.high))
    assert (result["n_documents"], result["n_elements"], result["n_segments"]) == (2, 14, 12)
    pairs = {(row["reference"], row["coder"]): row for row in result["pairs"]}
    assert len(pairs) == 6
    texts = [{text: cuts[coder] for text, cuts in CUTS.items()} for coder in "AB"]
    score = units.p_k(*texts, rng=0)
    row = pairs["A", "B"]
    assert (row["p_k"], row["p_k_low"], row["p_k_high"]) == (float(score), score.low, score.high)
    assert pairs["C", "A"]["p_k_low"] is None  # one text
    assert pairs["C", "A"]["window_diff"] == units.window_diff("0010", "0100")


def test_one_coder_can_be_the_reference(command):
    result = command.json("units", "--of", "segments", "marks.csv", "--gold", "B", "--window", "2")
    assert [(row["reference"], row["coder"]) for row in result["pairs"]] == [("B", "A"), ("B", "C")]
    assert result["pairs"][1]["p_k"] == units.p_k("0100", "0010", window=2)
    shown = command.text("units", "--of", "segments", "marks.csv", "--gold", "B")
    assert "Error rates against B" in shown
    rows = command.table("units", "--of", "segments", "marks.csv", "--gold", "B")
    assert [row["of"] for row in rows] == ["boundaries"] * 3 + ["segments"] * 2 + ["pair"] * 4


def test_one_text_has_too_narrow_intervals(command, tmp_path):
    (tmp_path / "one.csv").write_text("coder,marks\nA,0010\nB,0100\n")
    assert "There is one document" in command.text("units", "--of", "segments", "one.csv")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("coder,marks\nA,0020\n", "row 1 below the header (coder 'A'): marks must be 0 and 1"),
        ("coder,lengths\nA,3 0\n", "lengths must be whole numbers above 0, got '3 0'"),
        ("coder,marks\nA,\nB,01\n", "row 1 below the header (coder 'A') has an empty cell"),
        ("coder,marks\nA,01\nA,01\n", "row 2 below the header: coder 'A' has two segmentations"),
        ("coder,marks\nA,01\nB,010\n", "2"),
        ("coder,start,end\nA,0,3\nA,4,9\n", "a gap between 3 and 4"),
        ("coder,start,end\nA,0,3\nA,2,9\n", "an overlap between 2 and 3"),
        ("coder,start,end\nA,3,3\n", "a segment must end after its start"),
        ("coder,start,end\nA,0,9\nB,0,8\n", "those of 'A' from 0 to 9: all coders must cut"),
        ("coder,start,end\nA,0.5,9\n", "whole numbers"),
        ("coder,x\nA,0\n", "no column holds the cuts: pass --marks, or --lengths"),
        ("coder,marks,lengths\nA,01,2 1\n", "marks and lengths exclude each other"),
    ],
)
def test_cuts_that_are_none_are_refused(command, tmp_path, text, said):
    (tmp_path / "bad.csv").write_text(text)
    assert said in command.error("units", "--of", "segments", "bad.csv")


def test_a_column_that_was_named_is_taken(command, tmp_path):
    (tmp_path / "t.csv").write_text("coder,marks,lengths\nA,01,2 1\nB,10,2 1\n")
    assert (
        command.json("units", "--of", "segments", "t.csv", "--lengths", "lengths")["pairs"][0][
            "p_k"
        ]
        == 0
    )
    assert (
        command.json("units", "--of", "segments", "t.csv", "--marks", "marks")["pairs"][0]["p_k"]
        > 0
    )
    assert "no coder 'Z'" in command.error(
        "units", "--of", "segments", "t.csv", "--marks", "marks", "--gold", "Z"
    )
    assert "no file was named" in command.error("units", "--of", "segments")


# ------------------------------------------------------------------------------------ chains


@pytest.mark.parametrize("left_out", ["missing", "empty"])
def test_chains_are_those_of_the_library(command, left_out):
    data = units.judgments(units.Chains.from_links(LINKS), left_out=left_out)
    result = command.json("units", "--of", "chains", "links.csv", "--left-out", left_out)
    distances = ["passonneau", "jaccard", "dice", "masi"]
    assert [row["distance"] for row in result["coefficients"]] == distances
    for row in result["coefficients"]:
        value = af.alpha(data, row["distance"])
        error = standard_error(data, distance=row["distance"], cluster=[d for d, _ in data.items])
        assert row["value"] == pytest.approx(value.value)
        assert row["observed_disagreement"] == pytest.approx(value.observed_disagreement)
        assert (row["low"], row["high"]) == pytest.approx((error.low, error.high))
    assert result["n_mentions"] == data.n_items
    assert result["n_chains"] == len(data.categories)


def test_chains_as_text_and_table(command):
    shown = command.text(
        "units", "--of", "chains", "links.csv", "--distance", "dice", "--coefficient", "alpha,beta"
    )
    assert "the 2 documents as the sample" in shown
    rows = command.table(
        "units", "--of", "chains", "links.csv", "--distance", "dice", "--coefficient", "alpha,beta"
    )
    assert [(row["coefficient"], row["distance"]) for row in rows] == [
        ("alpha", "dice"),
        ("beta", "dice"),
    ]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "no file was named"),
        (["marks.csv"], "cannot tell which column is the mention and the antecedent"),
        (["links.csv", "--distance", "ordinal"], "is not a number"),
        (["links.csv", "--distance", "nonsense"], "nonsense"),
        (["links.csv", "--mention", "coder", "--coder", "coder"], "must be different columns"),
        (["links.csv", "--coder", "nobody"], "no column 'nobody'"),
    ],
)
def test_links_that_are_none_are_refused(command, argv, said):
    assert said in command.error("units", "--of", "chains", *argv)
