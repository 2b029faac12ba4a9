"""The comparisons of docs/crosswalk.md with other programs: each row of its tables is a test.

A row holds a peer's call and value and ours. Both calls are run; the values must come out as
printed there, and agree to 12 digits where the page prints the same.
"""

import re
import warnings
from importlib.metadata import version
from pathlib import Path

import pytest
import recorded_peers

PAGE = (Path(__file__).parents[1] / "docs" / "crosswalk.md").read_text(encoding="utf-8")
SETUP = re.search(r"^## The data\n.*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)[1]

#: The distributions and the versions that the page speaks of.
PEERS = {
    "NLTK": ("nltk", "3.10.4"),
    "krippendorff": ("krippendorff", "0.9.0"),
    "scikit-learn": ("scikit-learn", "1.9.1"),
    "statsmodels": ("statsmodels", "0.15.0"),
}

#: What programs that are not run here printed, and to which digit. irrCAC for R prints five.
RECORDED = {
    "irrCAC for Python": (recorded_peers.IRRCAC_PYTHON, 1e-11),
    "irrCAC for R": (recorded_peers.IRRCAC_R, 5.1e-6),
    "irr": (recorded_peers.IRR, 1e-11),
    "psych": (recorded_peers.PSYCH, 1e-11),
    "vcd": (recorded_peers.VCD, 1e-11),
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
    row = re.compile(r"\| `(.+?)` \| (\S+) \| `(.+?)` \| (\S+) \| (.*?) ?\|")
    found = []
    for peer in (*PEERS, *RECORDED):
        part = re.search(rf"^## {re.escape(peer)}\n(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)[1]
        lines = [line for line in part.splitlines() if line.startswith("| `")]
        matches = [row.fullmatch(line) for line in lines]
        assert all(matches), [line for line, match in zip(lines, matches, strict=True) if not match]
        found += [(peer, *match.groups()) for match in matches]
    return found


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
    if peer in RECORDED:
        return RECORDED[peer][0][call]
    with warnings.catch_warnings():
        for expected in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", **expected)
        return outcome(call, scope)


def is_printed(found, printed):
    """Whether a value, NaN or exception is what the page says, to the digits that it prints."""
    if isinstance(found, str) or not re.match(r"-?\d", printed):
        return str(found) == printed
    return abs(found - float(printed)) <= 0.5 * 10.0 ** -len(printed.partition(".")[2]) + 1e-9


@pytest.mark.few(every=2)
@pytest.mark.parametrize(
    ("peer", "call", "value", "our_call", "our_value", "why"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}-{row[3]}") for row in rows()],
)
def test_values_are_as_docs_crosswalk_prints_them(
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
        digits = RECORDED[peer][1] if peer in RECORDED else 1e-12
        assert theirs == pytest.approx(ours, rel=digits, abs=digits, nan_ok=True)


def test_every_difference_is_explained():
    """If two numbers differ, the page says why."""
    unexplained = [row for row in rows() if row[2] != row[4] and not row[5] and row[4] != "nan"]
    assert not unexplained


def test_the_page_names_the_versions_that_were_run():
    """The page and this file speak of the same versions."""
    for peer, (_, seen) in PEERS.items():
        assert f"\n## {peer}\n\nVersion {seen}.\n" in PAGE


@pytest.mark.parametrize("peer", RECORDED)
def test_every_recorded_value_is_used(peer):
    """No value stands there that the page does not compare with."""
    assert {call for name, call, *_ in rows() if name == peer} == set(RECORDED[peer][0])


def test_the_page_has_as_many_rows():
    """No program lost its rows."""
    assert len(rows()) == 160
