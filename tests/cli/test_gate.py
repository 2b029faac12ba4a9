"""``--fail-under``: exit code 1 and one line where a coefficient is too low."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from command import Command

from agreement_fast.cli import main
from agreement_fast.cli.gate import Gate, Measured, failures
from agreement_fast.inference import standard_error

EXAMPLE = ["report", "--example"]


@pytest.fixture
def gated(capsys: pytest.CaptureFixture[str]):
    def run(*argv: str) -> tuple[int, str]:
        code = main(argv)
        out, err = capsys.readouterr()
        assert err.count("\n") == (code != 0)
        assert bool(out) == (code < 2)
        return code, err.removeprefix("agreement-fast: ").rstrip("\n")

    return run


def test_a_value_below_its_threshold_is_named(gated) -> None:
    code, printed = gated(*EXAMPLE, "--fail-under", "alpha=0.9")
    numbers = re.fullmatch(
        r"alpha \(nominal\) = (\S+), 95% interval (\S+) to (\S+), is below 0.9", printed
    )
    assert code == 1
    assert numbers is not None
    value, low, high = map(float, numbers.groups())
    assert low < value < high
    # The same numbers as in the report's own table.
    call = [*EXAMPLE, "--fail-under", f"alpha={value - 0.0001}"]
    assert gated(*call, "--fail-under-lower", f"alpha={low - 0.0001}")[0] == 0
    code, printed = gated(*EXAMPLE, "--fail-under-lower", f"alpha={low + 0.0001:.4f}")
    assert code == 1
    assert f"{low:.4f} to {high:.4f}, begins below {round(low + 0.0001, 4)}" in printed


def test_several_are_looked_at(gated) -> None:
    code, printed = gated(
        *EXAMPLE, "--fail-under", "alpha=0.9,kappa=0.1", "--fail-under", "pi=0.95"
    )
    assert code == 1
    assert [one.split()[0] for one in printed.split("; ")] == ["alpha", "pi"]


def test_every_group_must_pass(gated, tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    rows = [("1", "ixx"), ("1", "jyy"), ("2", "kxy"), ("2", "lyx"), ("3", "mxx"), ("3", "nxx")]
    file.write_text(
        "batch,item,coder,label\n"
        + "".join(f"{b},{i},a,{x}\n{b},{i},b,{y}\n" for b, (i, x, y) in rows)
    )  # fmt: skip
    code, printed = gated("report", str(file), "--by", "batch", "--fail-under", "pi=0.5")
    assert code == 1
    first, second = printed.split("; ")
    assert first.startswith("batch = 2: pi (nominal) = -1.0000")
    assert first.endswith("is below 0.5")
    # A value that is not there is no pass, and its reason is given.
    assert second.startswith("batch = 3: pi (nominal) is undefined (no variation:")
    assert second.endswith("--fail-under requires 0.5")


def test_the_line_is_not_endless(gated, tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    rows = [f"{b},i{b}{i},{c},{x}\n" for b in range(9) for i in (0, 1)
            for c, x in (("a", "x"), ("b", "y"))]  # fmt: skip
    file.write_text("batch,item,coder,label\n" + "".join(rows))
    call = ["report", str(file), "--by", "batch", "--fail-under", "alpha=0.5,pi=0.5"]
    code, printed = gated(*call)
    assert code == 1
    assert printed.count("is below 0.5") == 5
    assert printed.rstrip().endswith("; and 13 more")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["alpha"], "--fail-under alpha: expected NAME=LEAST, such as alpha=0.67"),
        (["0.67"], "--fail-under 0.67: expected NAME=LEAST, such as alpha=0.67"),
        (["=0.5"], "such as alpha=0.5"),
        (["alpha="], "'' is not a number"),
        (["alpha=nan"], "'nan' is not a number"),
        (["alpha=67"], "no coefficient is above 1: 67% is 0.67"),
        (["alhpa=0.5"], "coefficient 'alhpa' is not known; the names are s, "),
        (["alpha:odinal=0.5"], "distance 'odinal' is not known"),
        (
            ["alpha:ordinal=0.5"],
            "the threshold of alpha is one of the distance nominal, not of ordinal: pass --distance"
            " ordinal",
        ),
        (
            ["kappa=0.5", "--coefficient", "pi,alpha"],
            "kappa is not computed, only pi, alpha: pass --coefficient kappa",
        ),
        (
            ["alpha=0.5", "--categories", "a,b", "--distance", "ordinal"],
            "alpha is computed with 2 distances: write alpha:nominal=0.5 or alpha:ordinal=0.5",
        ),
        (
            ["AC2:nominal=0.5", "--distance", "linear"],
            "AC2 needs a distance: pass --distance quadratic, linear or ordinal",
        ),
        ([""], "--fail-under is empty"),
    ],
)
def test_what_is_no_threshold_is_refused_first(
    command: Command, more: list[str], said: str
) -> None:
    assert said in command.error("report", "no-such-file.csv", "--fail-under", *more)
    error = command.error("report", "no-such-file.csv", "--fail-under-lower", *more)
    assert error.startswith("--fail-under-lower")


def test_names_are_those_of_coefficients(gated, folder: Path) -> None:
    # "beta" is what kappa with a distance is called; the interval's distance is named.
    call = ["report", "long.csv", "--categories", "low,mid,high", "--distance", "ordinal"]
    for name in (
        "weighted_kappa",
        "beta:ordinal",
        "gwet_ac2:ordinal",
        "AC2",
        "krippendorff_alpha:nominal",
    ):
        code, printed = gated(*call, "--fail-under", f"{name}=1")
        assert code == 1
        assert ("nominal" in printed) == ("nominal" in name)
    # Without a distance a name that promises one is not taken for the nominal coefficient.
    code, printed = gated("report", "long.csv", "--fail-under", "weighted kappa=0.5")
    assert code == 2
    assert (
        "weighted kappa needs a distance: pass --distance quadratic, linear or ordinal" in printed
    )
    # AC1 is nominal by definition.
    assert "ac (nominal)" in gated(*call, "--fail-under", "gwet_ac1=1")[1]


def test_sets_that_only_the_file_shows(gated, tmp_path: Path) -> None:
    file = tmp_path / "sets.json"
    rows = [(i, c, ["x", "y"] if (i + (c == "b")) % 2 else ["x"]) for i in range(4) for c in "ab"]
    listed = ", ".join(
        f'{{"item": {i}, "coder": "{c}", "label": {str(s).replace(chr(39), chr(34))}}}'
        for i, c, s in rows
    )
    file.write_text(f"[{listed}]")
    code, printed = gated("report", str(file), "--duplicates", "set", "--fail-under", "alpha=0.5")
    assert code == 2
    assert "alpha:nominal=0.5 or alpha:masi=0.5" in printed


def test_units_have_thresholds(gated, tmp_path: Path) -> None:
    file = tmp_path / "u.csv"
    file.write_text("coder,start,end,category\na,0,4,x\nb,1,4,x\nb,6,9,y\n")
    call = ["units", str(file), "--length", "12", "--fail-under"]
    assert gated(*call, "u_alpha=-1")[0] == 0
    code, printed = gated(*call, "u_alpha=0.99,cu_alpha=0.99")
    assert code == 1
    assert re.fullmatch(
        r"u_alpha = \d\.\d{4} is below 0\.99; cu_alpha is undefined \(.*\), and .*", printed
    ) or printed.startswith("u_alpha = ")
    code, printed = gated(*call, "alpha=0.5")
    assert code == 2
    assert "unknown name 'alpha'; the names are alpha_u, u_alpha" in printed


def gate(least: float) -> Gate:
    return Gate("--fail-under x", "alpha", None, least)


def measured(value: float, low: float = math.nan) -> Measured:
    return Measured("alpha", "nominal", value, low, 1.0)


def test_rounding_is_no_failure_and_digits_show_what_is() -> None:
    assert failures([(False, gate(0.3))], [measured(0.1 + 0.2 - 1e-16)]) == ""
    assert failures([(False, gate(0.8))], [measured(0.8 - 2e-15)]) == ""
    assert failures([(True, gate(0.8))], [measured(0.9, 0.8 - 2e-15)]) == ""
    assert failures([(False, gate(0.8))], [measured(0.8 - 1e-9)])
    assert failures([(False, gate(0.67))], [measured(0.67)]) == ""
    assert "= 0.669999 is below 0.67" in failures([(False, gate(0.67))], [measured(0.669999)])
    assert "has no interval" in failures([(True, gate(0.67))], [measured(0.9)])
    assert failures([(True, gate(0.67))], [measured(0.5, 0.7)]) == ""


def test_the_interval_is_the_one_of_the_report(gated, tmp_path: Path) -> None:
    table = [["x", "x"], ["x", "y"], ["y", "y"], ["y", "y"], ["x", "x"], ["y", "x"]]
    file = tmp_path / "t.csv"
    file.write_text("item,coder,label\n" + "".join(
        f"{i},{c},{y}\n" for i, row in enumerate(table) for c, y in zip("ab", row, strict=True)
    ))  # fmt: skip
    result = standard_error(table)
    said = gated("report", str(file), "--fail-under-lower", "alpha=0.9")[1]
    assert f"= {result:.4f}, 95% interval {result.low:.4f} to {result.high:.4f}," in said
