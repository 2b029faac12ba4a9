"""`report --by`: one table over the groups, their drift, and their picture."""

import random
import re

import pandas as pd
import pytest
from command import Command

import agreement_fast as af
from agreement_fast import diagnostics, report
from agreement_fast.cli.commands.report import FEW
from agreement_fast.reports.groups import GroupReport, group_section

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August"]


def rows(n_groups, n_items=12):
    """Judgments in groups of two languages; later batches agree less."""
    draw = random.Random(4)
    for batch in range(1, n_groups + 1):
        for item in range(n_items):
            true = draw.choice("xyz")
            for coder in "abc":
                label = true if draw.random() < 0.95 - 0.05 * batch else draw.choice("xyz")
                yield {
                    "lang": "en" if item % 2 else "de",
                    "batch": batch,
                    "item": f"{batch}-{item}",
                    "coder": coder,
                    "label": label,
                }


@pytest.fixture
def command(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(rows(11)).to_csv("many.csv", index=False)
    pd.DataFrame(rows(2)).to_csv("few.csv", index=False)
    return Command(capsys)


def lines_of(text, head):
    """The cells of the table below a head."""
    lines = text[text.index(head) :].splitlines()[1:]
    result = []
    for line in lines:
        if not line.strip():
            break
        result.append(re.split(r" {2,}", line.strip()))
    return result


def test_many_groups_are_one_table(command):
    text = command.text("report", "many.csv", "--by", "batch")
    assert "11 groups of batch\n" in text
    head, *result = lines_of(text, "11 groups of batch")
    assert head[:7] == ["batch", "items", "judgments", "A_o", "alpha", "95% from", "to"]
    expected = af.agreement_by_group(pd.read_csv("many.csv"), "batch")
    assert [line[0] for line in result] == [str(batch) for batch in range(1, 12)]
    for line, row in zip(result, expected, strict=True):
        assert line[1:3] == ["12", "36"]
        assert line[4:7] == [f"{one:.4f}" for one in (row.value, row.low, row.high)]
    # No report for each, but a word on how to have them.
    assert "Every coefficient is" not in text
    assert "--each adds" in text
    assert "the 11 groups differ in alpha" in text
    assert "--trend" in text
    every = command.text("report", "many.csv", "--by", "batch", "--each")
    assert every.count("\nCoefficients\n") == 11
    assert "--each" not in every


def test_few_groups_have_their_reports_below(command):
    assert FEW >= 2
    text = command.text("report", "few.csv", "--by", "batch")
    assert text.index("2 groups of batch") < text.index("batch: 1 (36 rows)")
    assert text.count("\nCoefficients\n") == 2


def test_several_columns_make_groups(command, monkeypatch):
    call = ("report", "many.csv", "--by", "lang,batch", "--coefficient", "alpha,pi")
    text = command.text(*call)
    head, *result = lines_of(text, "22 groups of lang, batch")
    assert head[:2] == ["lang", "batch"]
    assert [line[:2] for line in result] == [
        [lang, str(batch)] for lang in ("de", "en") for batch in range(1, 12)
    ]
    expected = af.agreement_by_group(pd.read_csv("many.csv"), ["lang", "batch"])
    assert [line[5] for line in result] == [f"{row.value:.4f}" for row in expected]
    table = command.table(*call)
    assert [(row["lang"], row["batch"]) for row in table[::2]] == [
        (lang, str(batch)) for lang, batch in expected.groups
    ]
    document = command.json(*call)
    assert [one["group"] for one in document["reports"]] == [list(one) for one in expected.groups]
    # As many rows are read.
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.PART", 100)
    assert command.text(*call) == text


def test_columns_of_groups_may_be_wide_marked_and_empty(command, tmp_path):
    (tmp_path / "w.csv").write_text(
        "a,b,x,y\n · ,1,1,1\n · ,1.0,2,2\nq·,10,1,2\nq·,10,2,2\nq·,9,2,1\nq·,,2,2\n"
    )
    document = command.json("report", "w.csv", "--layout", "wide", "--coder", "x,y", "--by", "a,b")
    assert [(one["group"], one["n_items"]) for one in document["reports"]] == [
        ([" · ", 1.0], 2), (["q·", 9.0], 1), (["q·", 10.0], 2), (["q·", None], 1)
    ]  # fmt: skip
    text = command.text("report", "w.csv", "--layout", "wide", "--coder", "x,y", "--by", "a,b")
    _, *result = lines_of(text, "4 groups of a, b")
    assert [line[:2] for line in result] == [
        ["' · '", "1.0"], ["q·", "9.0"], ["q·", "10.0"], ["q·", "no value"]
    ]  # fmt: skip
    assert "q·, no value: no variation" in " ".join(text.split())
    assert (
        command.table("report", "w.csv", "--layout", "wide", "--coder", "x,y", "--by", "a,b")[-1][
            "b"
        ]
        == ""
    )


def test_dates_make_groups_of_their_periods(command, tmp_path):
    days = ["2024-01-01", "2024-01-09", "2024-01-20", "2024-02-08", "2024-03-01"]
    rows = [
        {"item": i, "coder": coder, "label": (i * step) % 2, "day": days[(i + late) % 5]}
        for i in range(40)
        for coder, step, late in (("a", 1, 0), ("b", 3, 0), ("c", i % 3, 1))
    ]
    frame = pd.DataFrame(rows)
    frame.to_csv(tmp_path / "days.csv", index=False)
    for every in ("week", "month"):
        expected = af.agreement_by_group(frame, "day", "alpha", every=every)
        argv = ("report", "days.csv", "--by", "day", "--every", every, "--coefficient", "alpha")
        result = command.table(*argv)
        assert [row["day"] for row in result] == [row.group[0] for row in expected]
        assert [float(row["value"]) for row in result] == [float(row) for row in expected]
    assert "of day" in command.text(*argv, "--trend")


def test_a_trend_is_tested(command):
    text = " ".join(command.text("report", "many.csv", "--by", "batch", "--trend").split())
    expected = diagnostics.drift(pd.read_csv("many.csv"), "batch")
    assert expected.to_sentence() in text
    result = command.json("report", "many.csv", "--by", "batch", "--trend")["trend"]
    assert result["p_value"] == pytest.approx(expected.p_value)
    assert result["last"] == pytest.approx(expected.last)
    assert [row["batch"] for row in result["groups"]] == list(range(1, 12))
    ordinal = command.json(
        "report",
        "many.csv",
        "--by",
        "batch",
        "--trend",
        "--categories",
        "x,y,z",
        "--distance",
        "ordinal",
        "--confidence-level",
        "0.9",
    )["trend"]
    assert (ordinal["coefficient"], ordinal["distance"]) == ("alpha", "ordinal")
    assert "trend" not in command.json("report", "many.csv", "--by", "batch")


@pytest.mark.few("False")
@pytest.mark.parametrize("streams", [False, True])
def test_numbers_in_names_of_groups_are_numbers(command, monkeypatch, streams):
    frame = pd.DataFrame(rows(11))
    frame["batch"] = "batch " + frame["batch"].astype(str)
    frame.to_csv("named.csv", index=False)
    if streams:
        monkeypatch.setattr("agreement_fast.files.stream.LARGE", 1)
        monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    call = ("report", "named.csv", "--by", "batch", "--trend")
    text = command.text(*call)
    names = [f"batch {number}" for number in range(1, 12)]
    _, *result = lines_of(text, "11 groups of batch")
    assert [line[0] for line in result] == names
    assert "in the order batch 1, batch 2, batch 3, ..., batch 11, alpha" in " ".join(text.split())
    by_number = command.json("report", "many.csv", "--by", "batch", "--trend")["trend"]
    by_name = command.json(*call)["trend"]
    assert by_name["last"] == pytest.approx(by_number["last"])
    assert [row["batch"] for row in by_name["groups"]] == names


def test_groups_may_have_an_order_of_their_own(command):
    call = ("report", "many.csv", "--by", "lang", "--trend")
    usual = command.json(*call, "--by-order", "de,en")
    turned = command.json(*call, "--by-order", "en,de")
    assert [one["group"] for one in turned["reports"]] == ["en", "de"]
    assert turned["trend"]["slope"] == pytest.approx(-usual["trend"]["slope"])
    call = ("report", "few.csv", "--by", "batch", "--by-order", "2,1", "--trend")
    _, *result = lines_of(command.text(*call), "2 groups of batch")
    assert [line[0] for line in result] == ["2", "1"]
    assert [row["position"] for row in command.json(*call)["trend"]["groups"]] == [0, 1]


def test_rows_without_a_group_stay_last(command):
    frame = pd.DataFrame(rows(2))
    frame.loc[frame["batch"] == 2, "lang"] = None
    frame.to_csv("some.csv", index=False)
    call = ("report", "some.csv", "--by", "lang", "--by-order", "en,de")
    assert [one["group"] for one in command.json(*call)["reports"]] == ["en", "de", None]


def note_on_groups(command, call):
    """The note on rows without a group, of which there is one at most."""
    result = [note for note in command.json(*call)["source"]["notes"] if "no value in" in note]
    assert len(result) <= 1
    return "".join(result)


def test_rows_without_a_group_are_counted(command, monkeypatch):
    frame = pd.DataFrame(rows(2))
    frame["batch"] = frame["batch"].astype("Int64")
    whole = frame.index[:3]  # an item without a batch, and two that lose a judgment
    frame.loc[[*whole, 4, 7], "batch"] = pd.NA
    frame.to_csv("torn.csv", index=False)
    call = ("report", "torn.csv", "--by", "batch")
    note = note_on_groups(command, call)
    known = "5 rows have no value in column 'batch', and make a group of their own, \"no value\""
    assert note == (
        f"{known}: 2 items are in another group, too, which lacks these judgments of them"
    )
    assert note in " ".join(command.text(*call).split())
    frame.loc[[*whole, 7], "batch"] = 1
    frame.to_csv("torn.csv", index=False)
    note = note_on_groups(command, call)
    assert note.startswith("1 row has no value")
    assert note.endswith(": 1 item is in another group, too, which lacks these judgments of it")
    frame.loc[[*whole, 4, 7], "batch"] = pd.NA
    frame.to_csv("torn.csv", index=False)
    # As many rows, part by part.
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.PART", 10)
    assert note_on_groups(command, call) == (
        f"{known}: 2 items are in another group, too, which lacks these judgments of them"
    )
    assert note_on_groups(command, ("report", "many.csv", "--by", "batch")) == ""


def test_a_missing_judgment_without_a_group_tears_no_item(command, tmp_path):
    """Item 1 loses nothing with it; item 2 loses a judgment."""
    (tmp_path / "gaps.csv").write_text(
        "item,coder,label,batch\n1,A,x,1\n1,B,y,1\n1,C,,\n2,A,x,1\n2,B,x,1\n2,C,y,\n"
    )
    note = note_on_groups(command, ("report", "gaps.csv", "--by", "batch"))
    assert note.startswith("2 rows have no value in column 'batch'")
    assert note.endswith(": 1 item is in another group, too, which lacks these judgments of it")


def test_rows_of_a_wide_table_without_a_group_are_counted(command, tmp_path):
    (tmp_path / "w.csv").write_text("g,x,y\na,1,1\n,1,2\na,2,2\n,2,2\n")
    call = ("report", "w.csv", "--layout", "wide", "--coder", "x,y", "--by", "g")
    note = note_on_groups(command, call)
    assert note.startswith("2 rows have no value in column 'g'")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--trend"], "--trend needs groups: pass --by COLUMN"),
        (["--each"], "--each needs groups: pass --by COLUMN"),
        (["--every", "week"], "--every needs groups: pass --by COLUMN"),
        (["--by", "lang", "--every", "week"], "--by lang is no column of dates: 'de'"),
        (["--by", "lang,batch", "--every", "day"], "--every day is for one column of dates"),
        (["--by", "lang,batch", "--trend"], "--trend takes the groups of one column"),
        (["--by-order", "de,en"], "--by-order needs groups: pass --by COLUMN"),
        (
            ["--by", "lang,batch", "--by-order", "de,en"],
            "--by-order takes the groups of one column",
        ),
        (["--by", "lang", "--by-order", "de,fr"], "lang has no 'fr'; it has de, en"),
        (["--by", "lang", "--by-order", "de"], "leaves out the group en: name all 2"),
        (["--by", "lang", "--by-order", "de,en,de"], "names a group twice"),
        (["--by", "lang,bach"], "no column 'bach' (did you mean 'batch'?)"),
        (["--by", "lang,lang"], "--by names column 'lang' twice"),
        (["--by", "lang,batch", "--exclude", "batch"], "both named and excluded"),
    ],
)
def test_what_groups_cannot_have(command, argv, said):
    assert said in command.error("report", "many.csv", *argv)


def test_kappa_of_many_rows_has_no_interval_unless_asked(command, monkeypatch):
    call = ("report", "many.csv", "--by", "batch", "--coefficient", "kappa")
    expected = lines_of(command.text(*call), "11 groups")
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    text = command.text(*call)
    assert "--method score keeps them" in " ".join(text.split())
    _, first, *_ = lines_of(text, "11 groups")
    assert first[4:7] == [expected[1][4], "-", "-"]
    assert lines_of(command.text(*call, "--method", "score"), "11 groups") == expected


def test_coefficients_for_which_there_is_no_room_are_named(command, monkeypatch):
    call = ("report", "many.csv", "--where", "batch < 3", "--by", "lang,batch", "--coefficient",
            "alpha,kappa,s,ac,pi")  # fmt: skip
    monkeypatch.setenv("COLUMNS", "100")
    wide = command.text(*call)
    head, *_ = lines_of(wide, "4 groups")
    assert head[-4:] == ["kappa", "s", "ac", "pi"]
    assert "Not in this table" not in wide
    monkeypatch.setenv("COLUMNS", "80")
    narrow = command.text(*call)
    head, *_ = lines_of(narrow, "4 groups")
    shown = head[8:]
    assert len(shown) < 4
    left_out = ", ".join(["kappa", "s", "ac", "pi"][len(shown) :])
    assert f"Not in this table: {left_out}; --csv FILE has all." in narrow
    assert all(len(line) <= 80 for line in narrow.splitlines())
    # Others beyond the fourth are never shown.
    monkeypatch.setenv("COLUMNS", "100")
    text = command.text(
        "report", "many.csv", "--by", "batch", "--coefficient", "alpha,s,pi,kappa,ac,beta"
    )
    assert "Not in this table: beta; --csv FILE has all." in text


def test_very_many_groups_are_shortened():
    result = report([["x", "x"], ["y", "y"], ["x", "y"]], ["alpha", "pi"], method="delta")
    groups = [GroupReport.of((i,), result, ["nominal"], 0.95, every=False) for i in range(120)]
    lines = group_section(["g"], groups, 0.95, 96).text(True, 96).splitlines()
    assert lines[0] == "120 groups of g"
    assert "  and 20 more groups (--csv FILE has all)" in lines
    assert lines[-1].split()[0] == "119"
    assert len(lines) == 2 + 101


def number(cell):
    return float(cell) if cell else None


def test_the_csv_has_the_intervals_that_the_table_shows(command):
    call = ("report", "many.csv", "--by", "batch", "--trend")
    table = command.table(*call)
    frame = pd.read_csv("many.csv")
    expected = af.agreement_by_group(frame, "batch")
    alpha = [row for row in table if row["coefficient"] == "alpha"]
    for row, one in zip(alpha, expected, strict=True):
        assert [number(row[name]) for name in ("low", "high", "standard_error")] == pytest.approx(
            [one.low, one.high, one.standard_error]
        )
        assert (row["confidence_level"], row["method"]) == ("0.95", "score")
    line = diagnostics.drift(frame, "batch")
    assert [number(row["trend_fitted"]) for row in alpha] == pytest.approx(line.fitted.tolist())
    assert [number(row["trend_position"]) for row in alpha] == list(range(1, 12))
    assert [number(row["trend_p_value"]) for row in alpha] == pytest.approx([line.p_value] * 11)
    assert [number(row["trend_slope"]) for row in alpha] == pytest.approx([line.slope] * 11)
    others = [row for row in table if row["coefficient"] != "alpha"]
    assert len(others) > len(alpha)
    for name in ("low", "method", "trend_fitted", "trend_p_value"):
        assert {row[name] for row in others} == {""}
    assert "trend_fitted" not in command.table("report", "many.csv", "--by", "batch")[0]
    every = command.table(*call, "--coefficient", "alpha,pi")
    assert all(row["low"] for row in every)
    options = command.table(*call, "--method", "score")
    assert all(row["low"] for row in options)


def test_rows_without_a_group_are_not_on_the_line(command):
    frame = pd.DataFrame(rows(4))
    frame["batch"] = frame["batch"].astype("Int64")
    frame.loc[frame["batch"] == 2, "batch"] = pd.NA
    frame.to_csv("some.csv", index=False)
    table = command.table("report", "some.csv", "--by", "batch", "--trend")
    alpha = [row for row in table if row["coefficient"] == "alpha"]
    assert [(row["batch"], bool(row["trend_fitted"])) for row in alpha] == [
        ("1", True), ("3", True), ("4", True), ("", False)
    ]  # fmt: skip
    assert all(row["low"] for row in alpha)


def test_the_csv_has_probabilities_of_failing(command):
    call = ("report", "few.csv", "--method", "krippendorff", "--n-resamples", "200",
            "--coefficient", "alpha")  # fmt: skip
    result = command.json(*call)["reports"][0]["table"]
    for row, one in zip(command.table(*call), result, strict=True):
        expected = one["interval"]["failing"] or []
        assert [number(row[f"failing_{name}"]) for name in ("0_90", "0_67", "0_50")] == [
            of["probability"] for of in expected if of["minimum"] in (0.9, 0.67, 0.5)
        ]
        assert len(expected) == 6
    assert "failing_0_90" not in command.table("report", "few.csv", "--method", "score")[0]
    # A group in which all agree has none.
    frame = pd.read_csv("few.csv")
    frame.loc[frame["batch"] == 2, "label"] = "x"
    frame.to_csv("flat.csv", index=False)
    groups = command.table("report", "flat.csv", *call[2:], "--by", "batch")
    assert [bool(row["failing_0_67"]) for row in groups] == [True, False]


def test_a_picture_has_a_row_for_each_group(command, tmp_path):
    call = ("report", "few.csv", "--by", "lang,batch", "--coefficient", "alpha,kappa")
    command.text(*call, "--figure", "f.svg")
    both = (tmp_path / "f.svg").read_text()
    for group in ("de, 1", "de, 2", "en, 1", "en, 2"):
        assert f"<!-- {group} -->" in both
    assert "α with 95% interval" in both
    assert "κ with 95% interval" in both


def test_a_trend_over_words_proposes_their_order(command):
    frame = pd.DataFrame(rows(8))
    frame["month"] = frame["batch"].map(dict(enumerate(MONTHS, 1)))
    frame.to_csv("months.csv", index=False)
    call = ("report", "months.csv", "--by", "month")
    printed = command.error(*call, "--trend")
    assert "nothing says whether" in printed
    proposed = printed.partition("pass --by-order ")[2].strip()
    assert proposed == '"{}"'.format(",".join(MONTHS))
    result = command.json(*call, "--trend", "--by-order", proposed.strip('"'))
    assert [row["month"] for row in result["trend"]["groups"]] == MONTHS
    assert "--trend tests for a drift" in " ".join(command.text(*call).split())


def test_groups_that_may_be_one_are_named(command: Command, tmp_path) -> None:
    rows = "1,a,x,A\n1,b,x,A\n2,a,y,A \n2,b,x,A \n3,a,y,B\n3,b,y,\n"
    (tmp_path / "g.csv").write_text(f"item,coder,label,grp\n{rows}")
    text = " ".join(command.text("report", str(tmp_path / "g.csv"), "--by", "grp").split())
    assert "names of groups differ only in case, blanks, marks, type or last bits" in text
    assert "'A' = 'A '" in text
