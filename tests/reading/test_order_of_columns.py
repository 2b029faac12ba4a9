"""Columns of counts are in the order of their names, if these have one."""

import pytest

import agreement_fast as af
from agreement_fast import Annotations

pd = pytest.importorskip("pandas")

PAIRS = [(1, 1), (3, 2), (2, 2), (2, 3), (3, 3), (3, 1)]
EXPECTED = af.alpha(Annotations.from_wide(PAIRS), "ordinal").value


def crosstab(names):
    return pd.DataFrame(
        [[PAIRS.count((first, second)) for second in names] for first in names],
        index=list(names.values()),
        columns=list(names.values()),
    )


def counts(names):
    rows = [[pair.count(label) for label in names] for pair in PAIRS]
    return pd.DataFrame(rows, columns=list(names.values()))


READERS = {
    "counts": lambda names: Annotations.from_counts(counts(names)),
    "contingency": lambda names: Annotations.from_contingency(crosstab(names)),
    "by columns alone": lambda names: Annotations.from_contingency(
        {name: column.tolist() for name, column in crosstab(names).items()}
    ),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize(
    "names",
    [{1: 1, 3: 3, 2: 2}, {1: "1", 3: "10", 2: "2"}, {3: "grade 10", 1: "grade 8", 2: "grade 9"}],
)
def test_numbers_are_ordered_as_numbers(read, names):
    assert af.alpha(read(names), "ordinal").value == pytest.approx(EXPECTED, abs=1e-12)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_words_have_no_order_until_it_is_declared(read):
    names = {3: "high", 1: "low", 2: "medium"}
    with pytest.raises(ValueError, match=r"categories=\['low', 'medium', 'high'\]"):
        af.alpha(read(names), "ordinal")
    declared = Annotations.from_contingency(crosstab(names), categories=["low", "medium", "high"])
    assert af.alpha(declared, "ordinal").value == pytest.approx(EXPECTED, abs=1e-12)


def test_labels_that_begin_with_numbers_are_proposed_in_their_order():
    rows = [["2 - often", "1 - never"], ["10 - always", "10 - always"], ["1 - never", "1 - never"]]
    proposed = ["1 - never", "2 - often", "10 - always"]
    with pytest.raises(ValueError, match="needs an order") as refused:
        af.alpha(rows, "ordinal")
    assert f"categories={proposed}" in str(refused.value)
    assert af.alpha(rows, "ordinal", categories=proposed) > af.alpha(rows)
