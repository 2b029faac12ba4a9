"""``agreement-fast models``: models of the coders."""

import math

import pytest
from fits import dawid_skene

import agreement_fast as af
from agreement_fast import models

TABLE = ["xxx", "xxy", "yyy", "yyx", "yyy", "xxx", "yxy", "xyx", "yyy", "xxx"]
LABELS = [list(row) for row in TABLE]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"i{i},{c},{k}" for i, row in enumerate(TABLE) for c, k in zip("abc", row, strict=True)]
    (tmp_path / "l.csv").write_text("item,coder,label\n" + "\n".join(rows) + "\n")


@pytest.fixture
def data():
    return af.Annotations.from_wide(LABELS, coders=list("abc"))


def interval(p, error):
    half = 1.959963984540054 * error / (p * (1 - p))
    return tuple(1 / (1 + math.exp(-(math.log(p / (1 - p)) + s * half))) for s in (-1, 1))


def test_dawid_and_skene(command, data):
    model = dawid_skene(data)
    errors = model.standard_errors()
    (result,) = command.json("models", "l.csv")["models"]
    assert result["log_likelihood"] == pytest.approx(model.log_likelihood)
    assert [one["class"] for one in result["classes"]] == ["x", "y"]
    for t, one in enumerate(result["classes"]):
        assert one["share"] == pytest.approx(model.shares[t])
        assert (one["low"], one["high"]) == pytest.approx(
            interval(model.shares[t], errors.shares[t])
        )
    rows = iter(command.table("models", "l.csv"))
    for c, coder in enumerate("abc"):
        for t, true in enumerate("xy"):
            for k, label in enumerate("xy"):
                row = next(rows)
                assert (row["coder"], row["class"], row["label"]) == (coder, true, label)
                assert float(row["probability"]) == pytest.approx(model.probabilities[c, t, k])
                error = errors.probabilities[c, t, k]
                if math.isnan(error):
                    assert row["low"] == row["high"] == row["standard_error"] == ""
                else:
                    ends = interval(model.probabilities[c, t, k], error)
                    assert (float(row["low"]), float(row["high"])) == pytest.approx(ends)
    assert next(rows, None) is None


def test_the_coder_who_tells_least_stands_first(command, data, tmp_path):
    text = command.text("models", "l.csv")
    lines = text[text.index("How often each coder") :].splitlines()
    first = next(line.split()[0] for line in lines if line.split()[1:2] == ["x"])
    model = dawid_skene(data)

    def spread(c):
        return abs(model.probabilities[c, 0, 0] - model.probabilities[c, 1, 0])

    assert first == min("abc", key=lambda name: spread("abc".index(name)))


def test_classes_are_chosen(command, data):
    choice = models.latent_classes(data, max_classes=3, n_restarts=19, rng=0).choice
    (result,) = command.json("models", "l.csv", "--model", "classes", "--max-classes", "3")[
        "models"
    ]
    assert len(result["classes"]) == choice.best.n_classes
    assert result["bic"] == pytest.approx(choice.best.bic)
    shown = command.text("models", "l.csv", "--model", "classes", "--max-classes", "3")
    assert f"{choice.best.n_classes} *" in shown


def test_aickin(command, data):
    expected = models.aickin_alpha(data.select(coders=["a", "b"]))
    argv = ("models", "l.csv", "--model", "aickin", "--only-coder", "a,b")
    (result,) = command.json(*argv)["models"]
    assert result["value"] == pytest.approx(expected.value)
    assert (result["low"], result["high"]) == pytest.approx((expected.low, expected.high))
    assert f"a = {expected.value:.4f}" in command.text(*argv)
    assert float(command.table(*argv)[0]["value"]) == pytest.approx(expected.value)


def test_numbers_have_their_nouns(command, tmp_path):
    (tmp_path / "one.csv").write_text("item,coder,label\ni,a,x\ni,b,x\n")
    text = " ".join(command.text("models", "one.csv").split())
    assert "1 item, 2 coders, 2 judgments, 1 class. " in text
    assert "after 1 iteration (converged; 5 of 5 starts gave this fit)" in text
    text = " ".join(command.text("models", "one.csv", "--n-restarts", "0").split())
    assert "after 1 iteration (converged; 1 of 1 start gave this fit)" in text
    # Those of the coders only, not the share of the class.
    assert "2 probabilities lie at 0 or 1" in text


def test_too_many_classes_have_no_degrees_of_freedom(command, tmp_path):
    rows = [f"{i},a,x\n{i},b,{'y' if i else 'x'}\n{i},c,y\n" for i in range(9)]
    (tmp_path / "few.csv").write_text("item,coder,label\n" + "".join(rows))
    argv = ["models", "few.csv", "--model", "classes", "--only-coder", "a,b", "--max-classes", "9"]
    text = command.text(*argv)
    assert "nan" not in text
    assert " -2" not in text
    (last,) = [x.split() for x in text.splitlines() if x.split()[:1] == ["9"] and "after" not in x]
    assert last[-2:] == ["-", "-"]


def test_groups(command):
    result = command.json("models", "l.csv", "--by", "coder")["models"]
    assert [one["group"] for one in result] == ["a", "b", "c"]
    assert "coder: b" in command.text("models", "l.csv", "--by", "coder")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["l.csv", "--model", "aickin"], "got 3: name two with --only-coder A,B"),
        (["l.csv", "--only-coder", "a,z"], "no coder 'z': there are 'a', 'b', 'c'"),
        (["l.csv", "--rng", "-1"], "--rng"),
        (["l.csv", "--max-classes", "0"], "--max-classes"),
        (["l.csv", "--smoothing", "-1"], "--smoothing"),
        ([], "no file was named"),
    ],
)
def test_what_is_wrong_is_said(command, argv, said):
    assert said in command.error("models", *argv)


def test_no_judgments(command, tmp_path):
    (tmp_path / "e.csv").write_text("item,coder,label\ni,a,\n")
    shown = command.text("models", "e.csv")
    assert "No estimate: no judgments" in shown
