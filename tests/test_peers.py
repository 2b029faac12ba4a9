"""The comparisons of docs/crosswalk.md with other programs: each row of its tables is a test.

A row holds a peer's call and value and ours. Both calls are run; the values must come out as
printed there, and agree to 12 digits where the page prints the same.
"""

import re
import warnings
from importlib.metadata import version
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import recorded_peers

import agreement_fast as af

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
    result = []
    for peer in (*PEERS, *RECORDED):
        part = re.search(rf"^## {re.escape(peer)}\n(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)[1]
        lines = [line for line in part.splitlines() if line.startswith("| `")]
        matches = [row.fullmatch(line) for line in lines]
        assert all(matches), [line for line, match in zip(lines, matches, strict=True) if not match]
        result += [(peer, *match.groups()) for match in matches]
    return result


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


def is_printed(result, printed):
    """Whether a value, NaN or exception is what the page says, to the digits that it prints."""
    if isinstance(result, str) or not re.match(r"-?\d", printed):
        return str(result) == printed
    return abs(result - float(printed)) <= 0.5 * 10.0 ** -len(printed.partition(".")[2]) + 1e-9


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


# Programs whose formula is public, computed here from their documentation on random data.


def random_table(rng, n_coders=4, missing=0.0, labels=4):
    """Random judgments that agree a little; None is missing."""
    right = rng.integers(0, labels, (rng.integers(5, 40), 1))
    other = rng.integers(0, labels, (len(right), n_coders))
    table = np.where(rng.random(other.shape) < 0.5, right, other)
    return np.where(rng.random(table.shape) < missing, None, table).tolist()


@pytest.fixture(params=range(25))
def rng(request):
    """A generator of random numbers for each case."""
    return np.random.default_rng(request.param)


def squares(x):
    """Return the mean squares of items, coders and the rest, and within items."""
    n, k = x.shape
    between = k * ((x.mean(1) - x.mean()) ** 2).sum() / (n - 1)
    coders = n * ((x.mean(0) - x.mean()) ** 2).sum() / (k - 1)
    rest = ((x - x.mean(1)[:, None] - x.mean(0) + x.mean()) ** 2).sum() / ((n - 1) * (k - 1))
    within = ((x - x.mean(1)[:, None]) ** 2).sum() / (n * (k - 1))
    return between, coders, rest, within


def test_pingouin(rng):
    """ICCs by the mean squares of Shrout & Fleiss (1979), and Cronbach's α by variances."""
    x = np.array(random_table(rng, labels=7), float)
    n, k = x.shape
    b, c, e, w = squares(x)
    expected = [
        (b - w) / (b + (k - 1) * w), (b - e) / (b + (k - 1) * e + k * (c - e) / n),
        (b - e) / (b + (k - 1) * e), (b - w) / b, (b - e) / (b + (c - e) / n), (b - e) / b,
    ]  # fmt: skip
    result = af.icc(x)
    assert [float(one) for one in result] == pytest.approx(expected, rel=1e-10)
    of_sum = x.sum(1).var(ddof=1)
    alpha = k / (k - 1) * (1 - x.var(axis=0, ddof=1).sum() / of_sum)
    assert af.measures.cronbach_alpha(x) == pytest.approx(alpha, rel=1e-10)


def test_torchmetrics(rng):
    """κ of a confusion matrix with weights of places, Fleiss' κ and the concordance of n − 1."""
    table = np.array(random_table(rng, 2))
    n_classes = 5  # one of them never used
    data = af.Annotations.from_wide(table.tolist(), categories=range(n_classes))
    confusion = np.zeros((n_classes, n_classes))
    np.add.at(confusion, tuple(table.T), 1)
    chance = np.outer(confusion.sum(1), confusion.sum(0)) / len(table)
    away = np.abs(np.subtract.outer(range(n_classes), range(n_classes)))
    weights = {"nominal": away > 0, "rank_linear": away, "rank_quadratic": away**2}
    for distance, weight in weights.items():
        kappa = 1 - (weight * confusion).sum() / (weight * chance).sum()
        name = "kappa" if distance == "nominal" else "weighted_kappa"
        ours = af.agreement(data, name, distance=distance)
        assert ours == pytest.approx(kappa, rel=1e-10)
    several = np.array(random_table(rng, 4))
    counts = np.stack([(several == label).sum(1) for label in range(4)], 1)
    share = ((counts**2).sum(1) - 4) / 12
    by_chance = ((counts.sum(0) / counts.sum()) ** 2).sum()
    fleiss = (share.mean() - by_chance) / (1 - by_chance + 1e-5)
    pi = af.pi(counts, layout="counts")
    assert fleiss == pytest.approx(pi * (1 - by_chance) / (1 - by_chance + 1e-5), rel=1e-10)
    assert fleiss == pytest.approx(pi, rel=1e-3)
    x, y = table.T.astype(float)
    n, far = len(x), (x.mean() - y.mean()) ** 2
    theirs = 2 * np.cov(x, y)[0, 1] / (x.var(ddof=1) + y.var(ddof=1) + far)
    (lin,) = af.measures.correlations(table, "lin")
    # Lin (1989) divides by n, and torchmetrics by n - 1.
    ours = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + far)
    assert lin == pytest.approx(ours, rel=1e-10)
    assert theirs == pytest.approx(1 / (1 / ours - far / (2 * np.cov(x, y)[0, 1]) / (n - 1)))


def test_label_studio(rng):
    """The agreement of a task is the mean over pairs of its annotations, 1 if they are equal."""
    table = random_table(rng, missing=0.3)
    of_tasks = {}
    for item, row in enumerate(table):
        pairs = list(combinations([label for label in row if label is not None], 2))
        if pairs:
            of_tasks[item] = sum(a == b for a, b in pairs) / len(pairs)
    result = af.diagnostics.disagreements(af.Annotations.from_wide(table))
    disputed = dict(zip(result.to_dict()["item"], result.to_dict()["disagreement"], strict=True))
    ours = {item: 1 - disputed.get(item, 0.0) for item in of_tasks}
    assert ours == pytest.approx(of_tasks)
    whole = random_table(rng)
    mean = np.mean([np.mean([a == b for a, b in combinations(row, 2)]) for row in whole])
    assert af.observed_agreement(whole) == pytest.approx(mean)


def test_inception(rng):
    """κ and π of positions that both marked, averaged over documents; α ignores single ones."""
    documents = [random_table(rng, 2, missing=0.2, labels=2) for _ in range(3)]
    frame = [
        (f"d{number}", item, coder, label)
        for number, table in enumerate(documents)
        for item, row in enumerate(table)
        for coder, label in zip("AB", row, strict=True)
        if label is not None
    ]
    data = pd.DataFrame(frame, columns=["document", "item", "coder", "label"])
    named = ["kappa", "pi", "alpha"]
    groups = af.agreement_by_group(data, "document", named, incomplete="complete")
    for number, table in enumerate(documents):
        both = np.array([row for row in table if None not in row])
        equal = (both[:, 0] == both[:, 1]).mean()
        of_coders = np.array([[(column == label).mean() for label in (0, 1)] for column in both.T])
        shares = of_coders.mean(0)
        by_chance = [(of_coders[0] * of_coders[1]).sum(), (shares**2).sum()]
        n = both.size
        values = [(equal - chance) / (1 - chance) for chance in by_chance]
        values.append(1 - (1 - equal) * (n - 1) / (n * (1 - (shares**2).sum())))
        result = [row.value for row in groups if row.group == (f"d{number}",)]
        assert result == pytest.approx(values)
    alphas = [row.value for row in groups if row.coefficient == "alpha"]
    # A position that one coder marked has no pair, so leaving it out changes no α.
    assert [row.value for row in af.agreement_by_group(data, "document", ["alpha"])] == alphas


def test_cleanlab(rng):
    """The agreement of a coder and of an item with the consensus are shares of equal labels."""
    table = random_table(rng, missing=0.2)
    table = [row for row in table if set(row) != {None}]
    coders = list("ABCD")
    data = af.Annotations.from_wide(table, coders=coders)
    consensus = af.aggregate(data, "majority").labels.tolist()
    right = dict(zip(data.items, consensus, strict=True))
    gold = {item: label for item, label in right.items() if label is not None}
    result = af.diagnostics.gold_scores(data, gold).to_dict()
    assert set(coders) <= set(result["coder"])
    for coder, share in zip(result["coder"], result["agreement"], strict=True):
        if coder in coders:
            column = [row[coders.index(coder)] for row in table]
            own = dict(zip(data.items, column, strict=True))
            equal = [own[item] == gold[item] for item in gold if own[item] is not None]
            assert share == pytest.approx(np.mean(equal))
