"""The comparisons of docs/definitions.md with other programs: each row of its tables is a test.

A row holds a peer's call and value and ours. Both calls are run; the values must come out as
printed there, and agree to 12 digits where the page prints the same.
"""

import math
import re
import warnings
from importlib.metadata import version
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "definitions.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## 10. Comparison") : PAGE.index("## References")]
SETUP = re.search(r"```python\n(.*?)```", SECTION, re.DOTALL)[1]

#: The distributions and the versions that the page speaks of.
PEERS = {
    "NLTK": ("nltk", "3.10.4"),
    "krippendorff": ("krippendorff", "0.9.0"),
    "scikit-learn": ("scikit-learn", "1.9.1"),
    "statsmodels": ("statsmodels", "0.15.0"),
}

# Printed by irrCAC 0.4.4 (scipy 1.12.0, pandas 2.3.3, numpy 1.26.4) as
# `call["est"]["coefficient_value"]`, with
#   raw = lambda rows, **options: irrCAC.raw.CAC(pandas.DataFrame(rows), digits=12, **options)
#   tab = lambda table, **options: irrCAC.table.CAC(pandas.DataFrame(table), digits=12, **options)
# It asks for scipy == 1.12.0, pandas < 3 and coverage < 7, so it cannot be a test dependency.
IRRCAC = {
    "raw(full).bp()": 0.666666666667,
    "raw(full).fleiss()": 0.641456582633,
    "raw(full).conger()": 0.645756457565,
    "raw(full).krippendorff()": 0.652661064426,
    "raw(full).gwet()": 0.674300254453,
    'raw(full, weights="linear").fleiss()': 0.660026560425,
    'raw(full, weights="linear").conger()': 0.664921465969,
    "raw(units).bp()": 0.772727272727,
    "raw(units).fleiss()": 0.761169275422,
    "raw(units).conger()": 0.762066893651,
    "raw(two).conger()": 0.851351351351,
    "raw(units).krippendorff()": 0.743421052632,
    "raw(units).gwet()": 0.775444068127,
    'raw(units, weights="ordinal").krippendorff()': 0.833638025594,
    'raw(units, weights="ordinal").gwet()': 0.898939769908,
    'raw(units, weights="quadratic").krippendorff()': 0.849107142857,
    'raw(units, weights="linear").bp()': 0.848484848485,
    'raw(units, weights="linear").fleiss()': 0.817944767097,
    'raw(units, weights="linear").conger()': 0.813137032843,
    'raw(units, weights="linear").gwet()': 0.858739136433,
    "tab(table, weights=1 - d).bp()": 0.7975,
    "tab(table, weights=1 - d).scott()": 0.814624098867,
    "tab(table, weights=1 - d).cohen()": 0.816326530612,
    "tab(table, weights=1 - d).krippendorff()": 0.815550978373,
    "tab(table, weights=1 - d).gwet()": 0.820419022281,
    "raw(constant).gwet()": 1.0,
    "raw(constant).bp()": 1.0,
    "raw(constant).conger()": math.nan,
    "raw(constant).fleiss()": "ZeroDivisionError",
    "raw(constant).krippendorff()": "ZeroDivisionError",
    'raw(constant, categories=["a", "b"]).gwet()': 1.0,
}

#: What the peers warn of where they return NaN, or take NaN for a label.
EXPECTED_WARNINGS = [
    {"message": "invalid value encountered in (scalar )?divide", "category": RuntimeWarning},
    {"message": "invalid value encountered in cast", "category": RuntimeWarning},
    {"message": "A single label was found", "category": UserWarning},
    {"message": ".*have only one label in common", "category": UserWarning},
]


def rows():
    """The rows of the page: peer, its call, its value, our call, our value, why they differ."""
    row = re.compile(r"\| ([\w-]+) `(.+?)` \| (\S+) \| `(.+?)` \| (\S+) \| (.*?) ?\|")
    lines = [line for line in SECTION.splitlines() if line.startswith("|") and "`" in line]
    matches = [row.fullmatch(line) for line in lines]
    assert all(matches), [line for line, match in zip(lines, matches, strict=True) if not match]
    return [match.groups() for match in matches]


@pytest.fixture(scope="module")
def names():
    """The data and imports of the page."""
    scope = {}
    exec(SETUP, scope)
    return scope


def outcome(call, scope):
    """The float that a call gives, or the name of the exception that it raises."""
    try:
        return float(eval(call, scope))
    except Exception as error:
        return next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins")


def peer_outcome(peer, call, scope):
    """The same for a peer, whose warnings on degenerate data are not ours."""
    if peer == "irrCAC":
        return IRRCAC[call]
    with warnings.catch_warnings():
        for expected in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", **expected)
        return outcome(call, scope)


def is_printed(found, printed):
    """Whether a value, NaN or exception is what the page says, to the digits that it prints."""
    if isinstance(found, str) or not re.match(r"-?\d", printed):
        return str(found) == printed
    return abs(found - float(printed)) <= 0.5 * 10.0 ** -len(printed.partition(".")[2]) + 1e-9


@pytest.mark.parametrize(
    ("peer", "call", "value", "our_call", "our_value", "why"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}-{row[3]}") for row in rows()],
)
def test_values_are_as_docs_definitions_prints_them(
    names, peer, call, value, our_call, our_value, why
):
    """A peer's value, ours, and whether they agree are what the page says."""
    ours = outcome(our_call, names)
    assert is_printed(ours, our_value), f"{our_call} gives {ours}"
    theirs = peer_outcome(peer, call, names)
    if not is_printed(theirs, value) and peer in PEERS:
        package, seen = PEERS[peer]
        if version(package) != seen:
            pytest.xfail(f"{package} {version(package)} gives {theirs}; the page is about {seen}")
    assert is_printed(theirs, value), f"{call} gives {theirs}"
    if value == our_value:
        digits = 1e-11 if peer == "irrCAC" else 1e-12
        assert theirs == pytest.approx(ours, rel=digits, abs=digits, nan_ok=True)


def test_every_difference_is_explained():
    """Where two numbers differ, the page says why."""
    unexplained = [row for row in rows() if row[2] != row[4] and not row[5] and row[4] != "nan"]
    assert not unexplained


def test_the_page_names_the_versions_that_were_run():
    """The page and this file speak of the same versions."""
    text = " ".join(SECTION.split())
    for peer, (_, seen) in PEERS.items():
        assert f"{peer} {seen}" in text


def test_every_figure_of_irrcac_is_used():
    """No figure stands here that the page does not compare with."""
    assert {call for peer, call, *_ in rows() if peer == "irrCAC"} == set(IRRCAC)
