"""``agreement-fast compare``: two files, two groups, two codings."""

import csv
import warnings

import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast import compare
from agreement_fast.inference import standard_error

OLD = [("x", "y"), ("x", "x"), ("y", "x"), ("y", "y"), ("x", "y"), ("x", "x"), ("y", "y")]
NEW = [("x", "x"), ("x", "x"), ("y", "x"), ("y", "y"), ("y", "y"), ("x", "x"), ("y", "y")]
FEW = ("--method", "bca", "--n-resamples", "200", "--rng", "3")


def rows_of(table, **more):
    return [
        {"item": f"i{i}", "coder": coder, "label": label, **more}
        for i, labels in enumerate(table)
        for coder, label in zip("ab", labels, strict=True)
    ]


def write(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "old.csv", rows_of(OLD))
    write(tmp_path / "new.csv", rows_of(NEW))
    write(tmp_path / "both.csv", rows_of(OLD, round=1) + rows_of(NEW, round=2))
    two = [
        {**old, "new": new["label"]} for old, new in zip(rows_of(OLD), rows_of(NEW), strict=True)
    ]
    write(tmp_path / "two.csv", two)


def data(table):
    return af.Annotations.from_wide(table, coders=["a", "b"], items=[f"i{i}" for i in range(7)])


def one(command, *argv):
    (row,) = command.json("compare", *argv)["differences"]
    return row


@pytest.mark.few(every=2)
@pytest.mark.parametrize(
    ("argv", "names", "paired"),
    [
        (("old.csv", "new.csv"), ("old.csv", "new.csv"), True),
        (("old.csv", "new.csv", "--paired"), ("old.csv", "new.csv"), True),
        (("old.csv", "new.csv", "--no-paired"), ("old.csv", "new.csv"), False),
        (("two.csv", "--labels", "label,new"), ("label", "new"), True),
        (("both.csv", "--by", "round", "--label", "label"), ("1", "2"), True),
    ],
)
def test_the_difference_is_that_of_the_library(command, argv, names, paired):
    drawn = {"method": "bca", "n_resamples": 200, "rng": 3}
    for more, options in (((), {}), (FEW, drawn)):
        row = one(command, *argv, *more)
        expected = compare(data(OLD), data(NEW), paired=paired, **options)
        assert (row["first"], row["second"]) == names
        for name in ("low", "high", "p_value", "method", "n_resamples"):
            assert row[name] == getattr(expected, name), name
        assert row["difference"] == pytest.approx(expected.value, abs=1e-12)
    for side, table in (("first", OLD), ("second", NEW)):
        error = standard_error(data(table))
        assert row[f"{side}_value"] == af.alpha(table).value
        assert (row[f"{side}_low"], row[f"{side}_high"]) == (error.low, error.high)


def test_every_coefficient_and_distance_is_compared(command):
    document = command.json(
        "compare", "old.csv", "new.csv", *FEW,
        "--coefficient", "kappa", "--categories", "x,y", "--distance", "ordinal",
        "--confidence-level", "0.8",
    )  # fmt: skip
    result = [(row["coefficient"], row["distance"]) for row in document["differences"]]
    assert result == [("kappa", "nominal"), ("beta", "nominal"), ("beta", "ordinal")]
    assert {row["confidence_level"] for row in document["differences"]} == {0.8}


def test_items_of_one_side_only_are_counted(command, tmp_path):
    write(tmp_path / "more.csv", rows_of([*NEW, ("x", "y")]))
    argv = ("old.csv", "more.csv", "--paired", *FEW)
    shown = command.text("compare", *argv)
    assert "1 item is only in more.csv, not in old.csv, and left out" in " ".join(shown.split())
    (row,) = command.json("compare", *argv)["differences"]
    assert row["second_value"] == af.alpha(NEW).value


def test_the_words_say_which_is_higher(command):
    shown = " ".join(command.text("compare", "old.csv", "new.csv").split())
    assert "lower in old.csv than in new.csv, but the interval includes 0" in shown
    assert "both sides name the same items, so they are paired (else: --no-paired)" in shown


def test_items_of_the_same_name_are_asked_about(command, tmp_path):
    write(tmp_path / "more.csv", rows_of([*NEW, ("x", "y")]))
    error = " ".join(command.error("compare", "old.csv", "more.csv").split())
    assert "7 items have the same name in both data sets, and 1 do not" in error
    assert (
        "for independent data pass --no-paired; for codings of the same items pass --paired"
        in error
    )
    row = one(command, "old.csv", "more.csv", "--no-paired")
    more = af.Annotations.from_wide([*NEW, ("x", "y")])
    assert (row["low"], row["high"]) == compare(data(OLD), more).interval


def test_equal_values_are_called_equal(command, tmp_path):
    write(tmp_path / "again.csv", rows_of(OLD))
    same = " ".join(command.text("compare", "old.csv", "again.csv", "--paired").split())
    assert "difference 0.0000 -0." in same
    equal = "alpha (nominal) is equal in old.csv and again.csv (interval of the difference: "
    assert f"{equal}-0." in same
    apart = " ".join(command.text("compare", "old.csv", "again.csv", "--no-paired").split())
    assert equal in apart
    assert "higher" not in same + apart
    # A difference of hardly anything is one.
    for n in (9, 10, 40, 41):
        rows = [{**r, "item": f"{r['item']} {k} of {n}"} for k in range(n) for r in rows_of(OLD)]
        write(tmp_path / f"times{n}.csv", rows)
    near = command.text("compare", "times9.csv", "times10.csv")
    assert "alpha (nominal) is 0.000" in near
    assert " in " in near
    nearest = command.text("compare", "times40.csv", "times41.csv")
    assert "alpha (nominal) is less than 0.0001 " in " ".join(nearest.split())


def test_a_picture_of_both_and_their_difference(command, tmp_path):
    command.text("compare", "old.csv", "new.csv", *FEW, "--figure", "c.svg")
    drawn = (tmp_path / "c.svg").read_text()
    assert "<!-- no difference -->" in drawn
    assert "<!-- old.csv, alpha nominal -->" in drawn


def test_an_undefined_value_has_no_difference(command, tmp_path):
    write(tmp_path / "flat.csv", rows_of([("x", "x")] * 7))
    shown = " ".join(command.text("compare", "old.csv", "flat.csv").split())
    assert "the difference is undefined because one value is (no variation" in shown
    assert "no difference" not in shown


def test_far_apart(command, tmp_path):
    write(tmp_path / "good.csv", rows_of([("x", "x"), ("y", "y")] * 20))
    write(tmp_path / "bad.csv", rows_of([("x", "y"), ("y", "x"), ("x", "x")] * 14))
    shown = " ".join(command.text("compare", "bad.csv", "good.csv", "--no-paired").split())
    assert " lower in bad.csv than in good.csv (" in shown
    printed = command.table("compare", "bad.csv", "good.csv", "--no-paired")
    assert printed[0]["first"] == "bad.csv"
    assert float(printed[0]["high"]) < 0


def of_documents(table):
    """Items, of which three documents hold two or three each."""
    return [{**row, "doc": f"d{int(row['item'][1:]) % 3}"} for row in rows_of(table)]


def test_whole_documents_may_be_the_sample(command, tmp_path):
    write(tmp_path / "first.csv", of_documents(OLD))
    two = [
        {**old, "new": new["label"]}
        for old, new in zip(of_documents(OLD), rows_of(NEW), strict=True)
    ]
    write(tmp_path / "two.csv", two)
    rounds = [{**row, "round": 1} for row in of_documents(OLD)]
    rounds += [
        {**row, "label": new["label"], "round": 2}
        for row, new in zip(rounds, rows_of(NEW), strict=True)
    ]
    write(tmp_path / "rounds.csv", rounds)
    clusters = {f"i{i}": f"d{i % 3}" for i in range(7)}
    expected = compare(data(OLD), data(NEW), paired=True, cluster=clusters)
    first, second = (standard_error(data(table), cluster=clusters) for table in (OLD, NEW))
    for argv in (
        ("first.csv", "new.csv", "--paired", "--cluster", "doc"),
        ("two.csv", "--labels", "label,new", "--cluster", "doc"),
        ("rounds.csv", "--by", "round", "--paired", "--cluster", "doc"),
    ):
        row = one(command, *argv)
        assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))
        assert (row["first_low"], row["first_high"]) == pytest.approx((first.low, first.high))
        assert (row["second_low"], row["second_high"]) == pytest.approx((second.low, second.high))
        shown = " ".join(command.text("compare", *argv).split())
        assert "the sample is of whole clusters of items, the 3 values of doc" in shown
        assert "The same items in whole clusters: what is alike in both sides cancels out." in shown


def test_documents_are_those_of_the_items_that_both_have(command, tmp_path):
    write(tmp_path / "first.csv", [
        *of_documents(OLD), {"item": "i7", "coder": "a", "label": "x", "doc": "other"}
    ])  # fmt: skip
    shown = command.text("compare", "first.csv", "new.csv", "--paired", "--cluster", "doc", *FEW)
    assert "the 3 values of doc" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "compare takes two files, got 0"),
        (
            ["old.csv"],
            "compare takes two files, got 1: to compare groups of one file pass --by COLUMN",
        ),
        (["old.csv", "new.csv", "both.csv"], "compare takes two files, got 3"),
        (["old.csv", "new.csv", "--by", "x"], "two files and --by: compare one file by --by"),
        (["two.csv", "--by", "x", "--labels", "a,b"], "--by and --labels exclude each other"),
        (["two.csv", "--labels", "label"], "--labels must be two columns, A,B, not 1"),
        (
            ["two.csv", "--labels", "label,new", "--layout", "wide"],
            "--labels and --layout wide exclude each other",
        ),
        (["two.csv", "--labels", "label,no"], "no column 'no'"),
        (["old.csv", "new.csv", "--by-only", "a,b"], "--by-only are values of a column: pass --by"),
        (
            ["both.csv", "--by", "round", "--by-only", "1"],
            "--by-only must be two values, A,B, not 1",
        ),
        (["both.csv", "--by", "round", "--by-only", "1,9"], "round has no value '9'; it has 1, 2"),
        (
            ["old.csv", "new.csv", "--confidence-level", "1"],
            "--confidence-level must be between 0 and 1",
        ),
        (["old.csv", "new.csv", "--rng", "3"], "--rng needs a bootstrap: pass --method"),
        (["old.csv", "new.csv", "--n-resamples", "50"], "--n-resamples needs a bootstrap: pass"),
        (["old.csv", "none.csv"], "none.csv"),
        (["old.csv", "new.csv", "--cluster", "doc"], "--cluster needs paired items: pass"),
        (["old.csv", "new.csv", "--paired", "--cluster", "doc"], "no column 'doc'"),
        (["both.csv", "--by", "round", "--paired", "--cluster", "doc"], "no column 'doc'"),
        (["old.csv", "old.csv", "--paired"], "old.csv is given twice: compare takes two different"),
        (["both.csv", "--by", "round", "--by-only", "1,1"], "--by-only names '1' twice"),
        (["two.csv", "--labels", "new,new"], "--labels names 'new' twice"),
    ],
)
def test_what_cannot_be_compared_is_refused(command, argv, said):
    assert said in command.error("compare", *argv)


def test_more_than_two_groups_are_named(command, tmp_path):
    write(tmp_path / "three.csv", [r for n in "abc" for r in rows_of(OLD, batch=n)])
    error = command.error("compare", "three.csv", "--by", "batch")
    assert "3 groups (a, b, c); compare takes two: pass --by-only" in error
    shown = command.text("compare", "three.csv", "--by", "batch", "--by-only", "c,a", *FEW)
    assert "groups left out: b" in shown


def test_paired_items_must_have_names_in_common(command, tmp_path):
    write(tmp_path / "other.csv", [{**row, "item": "z" + row["item"]} for row in rows_of(NEW)])
    assert "no items in common" in command.error("compare", "old.csv", "other.csv", "--paired")


ONE_MORE = [("z", "y"), *OLD[1:]]


@pytest.mark.parametrize("coefficient", ["s", "ac"])
def test_different_numbers_of_categories_are_noted(command, tmp_path, coefficient):
    """One judgment of a third category makes chance another, of all items."""
    write(tmp_path / "more.csv", rows_of(ONE_MORE))
    argv = ("old.csv", "more.csv", "--coefficient", coefficient)
    note = (
        f"{coefficient} depends on the number of categories, and there are 2 in one data set and 3"
        " in the other: for the same in both, pass "
    )
    shown = command.json("compare", *argv)["sources"][0]["notes"]
    assert note + "--categories x,y,z" in shown
    declared = command.json("compare", *argv, "--categories", "x,y,z")
    assert not any("number of categories" in text for text in declared["sources"][0]["notes"])
    with pytest.warns(af.ReadHint) as result:
        compare(data(OLD), data(ONE_MORE), coefficient)
    assert [str(entry.message) for entry in result] == [note + "categories=['x', 'y', 'z']"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same = compare(OLD, ONE_MORE, coefficient, paired=True, categories=["x", "y", "z"])
        compare(data(OLD), data(ONE_MORE), "alpha")
        other_question = [("good" if a == "x" else "bad", "so-so") for a, _ in OLD]
        compare(data(OLD), data(other_question), coefficient)
    assert float(same) == declared["differences"][0]["difference"]


def test_coders_with_the_same_labels_are_noted_as_in_python(command, tmp_path):
    """Names of items that differ in case pair nothing; the remedy does."""
    rows = rows_of([(new, old) for (new, _), (_, old) in zip(NEW, OLD, strict=True)])
    write(tmp_path / "case.csv", [{**row, "item": row["item"].upper()} for row in rows])
    write(tmp_path / "named.csv", rows)
    note = (
        "coder b has the same labels in both data sets: if the items are the same, give them the"
        " same names and pass --paired"
    )
    assert note in command.json("compare", "old.csv", "case.csv")["sources"][0]["notes"]
    frames = [pd.read_csv(name) for name in ("old.csv", "case.csv", "named.csv")]
    with pytest.warns(af.ReadHint, match=r"give them the same names and pass paired=True"):
        compare(frames[0], frames[1])
    assert compare(frames[0], frames[2], paired=True).paired
    assert (
        note
        not in command.json("compare", "old.csv", "named.csv", "--paired")["sources"][0]["notes"]
    )
