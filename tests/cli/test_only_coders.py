"""``--only-coder``: some coders of a table."""

import pytest

import agreement_fast as af

ROWS = [(f"i{i}", c, "xy"[(i * (1 + "abc".index(c))) % 3 % 2]) for i in range(9) for c in "abc"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # The second group lacks coder c.
    rows = [f"{i},{c},{k},{int(i > 'i4')}" for i, c, k in ROWS if not (i > "i4" and c == "c")]
    (tmp_path / "l.csv").write_text("item,coder,label,half\n" + "\n".join(rows) + "\n")
    wide = {}
    for item, coder, label in ROWS:
        wide.setdefault(item, {})[coder] = label
    lines = [f"{item},{by['a']},{by['b']},{by['c']}" for item, by in wide.items()]
    (tmp_path / "w.csv").write_text("item,a,b,c\n" + "\n".join(lines) + "\n")


def alpha(command, *argv):
    return [
        (part["n_coders"], part["table"][0]["value"])
        for part in command.json("report", *argv, "--coefficient", "alpha")["reports"]
    ]


def test_the_others_count_for_nothing(command, tmp_path):
    rows = [row for row in ROWS if row[1] in "ab"]
    expected = af.alpha(af.Annotations.from_triples([(c, i, k) for i, c, k in rows])).value
    assert alpha(command, "w.csv", "--layout", "wide", "--only-coder", "b,a") == [(2, expected)]
    assert alpha(command, "l.csv", "--only-coder", "a,b") == [(2, expected)]
    assert af.alpha(af.read("l.csv", only_coder=["a", "b"], exclude=["half"])).value == expected


def test_many_rows_that_are_added_up(command, monkeypatch):
    whole = alpha(command, "l.csv", "--only-coder", "a,c")
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 3)
    monkeypatch.setattr("agreement_fast.files.stream.may_be_large", lambda files: True)
    assert alpha(command, "l.csv", "--only-coder", "a,c") == whole


def test_a_group_may_lack_a_coder(command):
    result = alpha(command, "l.csv", "--by", "half", "--only-coder", "a,c")
    assert [coders for coders, _ in result] == [2, 1]
    assert result[1][1] is None


def test_units_have_them_too(command, tmp_path):
    (tmp_path / "u.csv").write_text("coder,start,end\na,0,3\nb,0,3\nc,1,4\n")
    document = command.json("units", "u.csv", "--only-coder", "a,b")
    assert document["coders"] == ["a", "b"]
    data = af.read("u.csv", spans="continuum", only_coder=["a", "b"])
    assert (data.coders, data.n_units) == (("a", "b"), 2)
    with pytest.raises(af.AgreementError, match="no coder 'd'"):
        af.read("u.csv", spans="continuum", only_coder=["d"])
