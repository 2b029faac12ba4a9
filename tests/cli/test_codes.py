"""The command for data with several codes an item."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command import Command

import agreement_fast as af
from agreement_fast.cli import main
from agreement_fast.diagnostics import code_agreement

SETS = """\
item,coder,label,round
1,ann,trust;cost,1
1,bob,trust,1
2,ann,cost,1
2,bob,cost,1
3,ann,none,2
3,bob,cost,2
4,ann,none,2
4,bob,none,2
5,ann,trust,2
5,bob,trust;cost,2
6,ann,fear,2
6,bob,,2
"""
TABLE = [
    ({"trust", "cost"}, {"trust"}), ({"cost"}, {"cost"}), (set(), {"cost"}), (set(), set()),
    ({"trust"}, {"trust", "cost"}), ({"fear"}, None),
]  # fmt: skip
CALL = ["codes", "sets.csv", "--set-separator", ";", "--empty-set", "none"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sets.csv").write_text(SETS)
    return tmp_path


def test_the_numbers_are_those_of_python(command: Command, here: Path) -> None:
    data = af.Annotations.from_wide(TABLE, coders=["ann", "bob"])
    expected = code_agreement(data)
    (result,) = command.json(*CALL)["groups"]
    assert [one["code"] for one in result["codes"]] == ["cost", "fear", "trust"]
    for one, row in zip(result["codes"], expected, strict=True):
        kappa = row["kappa"]
        assert one["kappa"] == (None if kappa.undefined else pytest.approx(kappa.value))
        share = row["positive_agreement"]
        assert one["positive_agreement"] == (None if share.undefined else pytest.approx(share))
    together = {(one["how"], one["coefficient"]): one for one in result["together"]}
    assert together["pooled", "kappa"]["low"] == pytest.approx(expected.pooled["kappa"].low)
    (sets,) = result["sets"]
    assert (sets["coefficient"], sets["distance"]) == ("alpha", "masi")
    assert sets["value"] == pytest.approx(af.alpha(data, "masi"))
    assert result["n_items"] == 5


def test_the_text_says_what_is_what(command: Command, here: Path) -> None:
    text = command.text(*CALL)
    assert "3 codes, 5 items with two judgments, 2 coders." in text
    lines = [line.split() for line in text.splitlines()]
    # The most used code first, then those that are used as often in their order.
    assert [line[0] for line in lines if line[:1] in (["cost"], ["trust"], ["fear"])][:3] == [
        "cost", "trust", "fear"
    ]  # fmt: skip
    # Nobody else judged the item that was given "fear".
    words = " ".join(text.split())
    assert "alpha is undefined (no variation:" in words
    assert "tell categories apart): fear." in words
    assert "alpha (masi)" in text
    # Long names and many coefficients still fit.
    long = here / "long.csv"
    long.write_text(SETS.replace("trust", "trust in all institutions and persons"))
    wide = command.text("codes", "long.csv", *CALL[2:], "--coefficient", "pi,kappa,alpha,ac,s")
    assert wide.count("\n  code  ") == 4
    by_round = command.text(*CALL, "--by", "round", "--coefficient", "pi")
    assert by_round.count("Each code") == 2
    assert by_round.count("the mean of the codes' values") == 1
    assert "kappa" not in by_round.split("Each code", 1)[1]


def test_one_row_a_coding(command: Command, here: Path, capsys) -> None:
    (here / "rows.csv").write_text(
        "item,coder,label\n1,a,x\n1,a,y\n1,b,x\n2,a,y\n2,b,y\n3,a,x\n3,b,x\n3,b,y\n"
    )
    assert main(["codes", "rows.csv", "--duplicates", "set", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["code"], row["n_uses"]) for row in rows] == [("x", "4"), ("y", "4")]
    assert float(rows[0]["kappa"]) == 1.0


def test_thresholds_of_codes(here: Path, capsys) -> None:
    call = [*CALL, "--fail-under"]
    assert main([*call, "kappa:trust=1,pooled_kappa=-1"]) == 0
    capsys.readouterr()
    assert main([*call, "alpha=0.9"]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("agreement-fast: alpha (cost) = ")
    assert "alpha (trust)" not in printed
    assert "pooled" not in printed
    assert main([*call, "kappa:hope=0.5"]) == 2
    printed = capsys.readouterr()
    assert "there is no kappa of hope; there are cost, fear, trust" in printed.err
    assert printed.out == ""


def test_marks_and_repeated_rows_are_asked_for_together(command: Command, here: Path) -> None:
    """One remedy is enough: passing what it says is no reason for another question."""
    (here / "both.csv").write_text(SETS + "1,ann,fear,1\n")
    error = command.error("codes", "both.csv")
    assert 'pass --set-separator ";" --duplicates set: ; separates the codes' in error
    text = command.text("codes", "both.csv", "--set-separator", ";", "--duplicates", "set")
    assert "4 codes" in text  # with none


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["codes"], "agreement-fast codes FILE, or - for the standard input"),
        (["codes", "none.csv"], "'none.csv': no such file"),
        (["codes", "sets.csv"], 'are not sets: pass --set-separator ";" if ; separates the codes'),
        (["codes", "sets.csv"], "--duplicates set if each code has a row of its own"),
        ([*CALL, "--coefficient", "kapa"], "coefficient 'kapa' is not known"),
        ([*CALL, "--confidence-level", "95"], "--confidence-level must be between 0 and 1"),
        ([*CALL, "--distance", "ordinal"], "distance ordinal needs an order"),
        ([*CALL, "--fail-under", "beta=0.5"], "unknown name 'beta'; the names are kappa, alpha, "),
        ([*CALL, "--example"], "unrecognized arguments: --example"),
    ],
)
def test_faults(command: Command, here: Path, argv: list[str], said: str) -> None:
    assert said in command.error(*argv)


def test_one_coder_has_nobody_to_agree_with(command: Command, here: Path) -> None:
    (here / "one.csv").write_text("item,coder,label\n1,a,x;y\n2,a,y\n")
    text = command.text("codes", "one.csv", "--set-separator", ";")
    assert "kappa is undefined (no pairs: no item has two judgments" in " ".join(text.split())


#: One row a coding: ann gave item 3 nothing, bob 4 and 5, and for 5 a row says so.
CODINGS = """\
item,coder,code,n,part
1,ann,x,2,p
1,ann,y,2,p
1,bob,x,2,p
2,ann,y,1,p
2,bob,y,1,p
3,bob,x,3,q
4,ann,y,1,q
5,ann,x,1,q
5,bob,,1,q
"""
ONE_EACH = [({"x", "y"}, {"x"}), ({"y"}, {"y"}), (set(), {"x"}), ({"y"}, set()), ({"x"}, set())]
SET_CALL = ["codes", "codings.csv", "--label", "code", "--duplicates", "set"]


def test_rows_of_a_coder_and_an_item_are_a_set_without_being_asked(
    command: Command, here: Path
) -> None:
    (here / "codings.csv").write_text(CODINGS)
    document, expected = command.json(*SET_CALL[:4]), command.json(*SET_CALL)
    assert document["groups"] == expected["groups"]
    assert document["computed"]["call"].endswith("--duplicates set")
    text = " ".join(command.text(*SET_CALL[:4]).split())
    assert "of a coder for an item are one set: 1 row beyond the first" in text
    assert "beyond the first" not in command.text(*SET_CALL)
    # A row each in two groups is no set, nor are rows of which one is asked for.
    for rows in ("1,ann,x,2,p\n1,ann,y,2,q\n", "1,ann,x,2,p\n1,bob,y,2,p\n"):
        (here / "codings.csv").write_text(CODINGS.splitlines()[0] + "\n" + rows)
        assert "are not sets" in command.error(*SET_CALL[:4], "--by", "part")
    (here / "codings.csv").write_text(CODINGS)
    assert "are not sets" in command.error(*SET_CALL[:4], "--duplicates", "first")


@pytest.fixture
def codings(here: Path) -> Path:
    (here / "codings.csv").write_text(CODINGS)
    return here


def kappas(command: Command, *argv: str) -> list[dict[str, float]]:
    """Give kappa of each code, of each group."""
    groups = command.json(*argv)["groups"]
    return [{one["code"]: one["kappa"] for one in group["codes"]} for group in groups]


def expected(rows: object, **options: object) -> dict[str, float]:
    data = af.Annotations.from_wide(rows, coders=["ann", "bob"], **options)  # type: ignore[arg-type]
    return {row.code: pytest.approx(row["kappa"].value) for row in code_agreement(data)}


def test_no_row_is_no_code_if_somebody_says_so(command: Command, codings: Path) -> None:
    printed = " ".join(command.text(*SET_CALL).split())
    assert (
        "3 items lack a label of one of the coders, which counts as a missing judgment" in printed
    )
    assert "2 items with two judgments" in printed
    printed = " ".join(command.text(*SET_CALL, "--count-empty").split())
    assert "3 judgments that no row holds are the empty set" in printed
    assert "5 items with two judgments" in printed
    assert "lack a label" not in printed
    assert kappas(command, *SET_CALL, "--count-empty") == [expected(ONE_EACH)]
    call = [*SET_CALL, "--count-empty", "--weights", "n"]
    assert kappas(command, *call) == [expected(ONE_EACH, weights=[2, 1, 3, 1, 1])]
    call = [*SET_CALL, "--count-empty", "--by", "part"]
    assert kappas(command, *call) == [expected(ONE_EACH[:2]), expected(ONE_EACH[2:])]
    listed = command.json("disagreements", *SET_CALL[1:], "--count-empty")["groups"][0]["items"]
    assert {one["item"] for one in listed} == {"1", "3", "4", "5"}
    assert command.json(*SET_CALL, "--count-empty")["options"]["count_empty"] is True


def test_no_row_is_no_code_in_large_files(
    command: Command, codings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 3)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 3)
    call = ["report", *SET_CALL[1:], "--count-empty", "--coefficient", "alpha"]
    (result,) = command.json(*call)["reports"]
    assert (result["n_items"], result["n_judgments"]) == (5, 10)


def test_an_empty_cell_is_no_code_if_somebody_says_so(command: Command, here: Path) -> None:
    (here / "wide.csv").write_text("ann,bob\nx;y,x\ny,y\n,x\ny,\nx,\n")
    call = ["codes", "wide.csv", "--layout", "wide", "--set-separator", ";"]
    assert kappas(command, *call, "--count-empty") == [expected(ONE_EACH)]
    assert "3 items lack" in command.text(*call)


def test_a_label_is_no_code_where_rows_become_sets(command: Command, codings: Path) -> None:
    (codings / "none.csv").write_text(
        CODINGS.replace("5,bob,,", "5,bob,none,") + "3,ann,none,3,q\n"
    )
    call = ["codes", "none.csv", "--label", "code", "--duplicates", "set", "--empty-set", "none"]
    assert kappas(command, *call) == [expected([*ONE_EACH[:3], ({"y"}, None), ONE_EACH[4]])]
    assert kappas(command, *call, "--count-empty") == [expected(ONE_EACH)]
    printed = " ".join(command.text(*call).split())
    assert "no label is written so" not in printed
    assert "1 item lacks a label" in printed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--count-empty"], "pass --duplicates set if each code has a row of its own"),
        (
            ["--count-empty", "--set-separator", ";", "--repeats-of", "ann"],
            "exclude each other: no c",
        ),
        (["--empty-set", "none"], "goes with --set-separator or --duplicates set"),
    ],
)
def test_empty_sets_are_of_sets(
    command: Command, codings: Path, options: list[str], said: str
) -> None:
    assert said in command.error("codes", "codings.csv", "--label", "code", *options)


def test_a_code_of_an_item_judged_once_does_not_move_kappa(command: Command, here: Path) -> None:
    rows = [f"{i},{who},{'xy'[i % 2]}" for i in range(20) for who in ("a", "b")]
    once = [f"{i},b,z" for i in range(20, 40)]
    (here / "rare.csv").write_text("\n".join(["item,coder,label", "0,a,z", *rows, *once]))
    call = ["codes", "rare.csv", "--duplicates", "set"]
    assert kappas(command, *call)[0]["z"] == pytest.approx(0)
    assert kappas(command, *call, "--incomplete", "published")[0]["z"] > 0.8
    assert command.json(*call)["options"]["incomplete"] == "pairable"
    assert kappas(command, *call) == kappas(command, *call, "--incomplete", "pairable")


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("|", "--set-separator |: no label holds it, so each is a single code; if ; separates"),
        ("/", 'them, pass ";"'),
        (";", None),
    ],
)
def test_a_separator_that_no_label_holds(
    command: Command, here: Path, mark: str, said: str | None
) -> None:
    text = " ".join(command.text("codes", "sets.csv", "--set-separator", mark).split())
    assert said in text if said else "no label holds it" not in text


def test_single_codes_have_no_other_separator(command: Command, here: Path) -> None:
    (here / "one.csv").write_text("item,coder,label\n1,a,x\n1,b,y\n")
    text = command.text("codes", "one.csv", "--set-separator", ";")
    assert "no label holds it, so each is a single code\n" in text
