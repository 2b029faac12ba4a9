"""Tables of counts with names, margins and totals; expected values by rational arithmetic."""

import shlex
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import agreement_fast as af
from agreement_fast.reading.recognition.arithmetic import are_counts, numbers_name_rows

A = af.Annotations
ANN = list("xxyyzzzxyzxyz")
BEA = list("xxyyzzxyyzxyx")
CROSS = pd.crosstab(pd.Series(ANN, name="Ann"), pd.Series(BEA, name="Bea"))
MARGINS = pd.crosstab(pd.Series(ANN, name="Ann"), pd.Series(BEA, name="Bea"), margins=True)


def kappa(first, second):
    """Cohen's kappa of two lists, exactly."""
    n = len(first)
    observed = Fraction(sum(a == b for a, b in zip(first, second, strict=True)), n)
    chance = sum(Fraction(first.count(x) * second.count(x), n * n) for x in {*first, *second})
    return float((observed - chance) / (1 - chance))


def pi(rows):
    """Fleiss' kappa of counts with the same number of judgments in each row, exactly."""
    n = sum(rows[0])
    agreement = Fraction(sum(c * (c - 1) for row in rows for c in row), len(rows) * n * (n - 1))
    shares = [Fraction(sum(column), len(rows) * n) for column in zip(*rows, strict=True)]
    chance = sum(share**2 for share in shares)
    return float((agreement - chance) / (1 - chance))


def renamed(table, name):
    return table.rename(index={"All": name}, columns={"All": name})


NAMED = {
    "crosstab": CROSS,
    "columns in another order": CROSS[["z", "x", "y"]],
    "rows in another order": CROSS.loc[["y", "z", "x"]],
    "a first column of names": CROSS.reset_index(),
    "polars": pl.from_pandas(CROSS.reset_index()),
    "polars in another order": pl.from_pandas(CROSS.reset_index()).select("Ann", "z", "y", "x"),
    "pyarrow": pa.Table.from_pandas(CROSS.reset_index()),
    "mappings": {row: dict(CROSS.loc[row]) for row in "zyx"},
    "records": CROSS.reset_index().to_dict("records"),
    "matrix": af.Annotations.from_wide(list(zip(ANN, BEA, strict=True))).contingency_table(0, 1),
}


@pytest.mark.parametrize("table", NAMED.values(), ids=NAMED)
def test_rows_and_columns_are_matched_by_name(table):
    data = A.from_contingency(table)
    assert data.categories == ("x", "y", "z")
    assert af.kappa(data) == pytest.approx(kappa(ANN, BEA), abs=1e-15)
    assert data.read.layout == "contingency"
    assert data.read.call["categories"] == ["x", "y", "z"]


def test_labels_of_one_side_are_united():
    data = A.from_contingency(pd.crosstab(list("xxyy"), list("yyyz")))
    assert data.categories == ("x", "y", "z")
    assert data.n_items == 4
    assert af.kappa(data) == pytest.approx(kappa(list("xxyy"), list("yyyz")), abs=1e-15)
    assert af.kappa(data) == pytest.approx(-0.2)


def test_numbers_meet_the_texts_that_name_their_columns():
    table = pl.DataFrame({"who": [2, 1, 3], "1": [0, 5, 1], "2": [4, 1, 0], "3": [1, 0, 7]})
    data = A.from_contingency(table)
    assert data.categories == (1, 2, 3)
    assert data.contingency_table(0, 1).tolist() == [[5, 1, 0], [0, 4, 1], [1, 0, 7]]


def test_declared_categories_are_matched_by_name_and_may_rename():
    data = A.from_contingency(CROSS, categories=["z", "w", "y", "x"])
    assert data.categories == ("z", "w", "y", "x")
    assert data.contingency_table(0, 1).at("y", "x") == CROSS.loc["y", "x"]
    assert A.from_contingency(CROSS, categories=[1, 2, 3]).categories == (1, 2, 3)
    with pytest.raises(af.AgreementError, match="'z', which is not among the declared categories"):
        A.from_contingency(CROSS, categories=["x", "y"])


def test_other_names_on_both_sides_are_refused_until_they_are_declared():
    table = pd.DataFrame([[5, 1], [1, 3]], index=["Y", "N"], columns=["y", "n"])
    with pytest.raises(af.AgreementError, match=r"categories=\['y', 'n'\]") as refused:
        A.from_contingency(table)
    assert refused.value.argument == "categories"
    counts = A.from_contingency(table, categories=["y", "n"]).contingency_table(0, 1)
    assert counts.tolist() == [[5, 1], [1, 3]]


MARGINAL = {
    "All": MARGINS,
    "Summe": renamed(MARGINS, "Summe"),
    "Row total": MARGINS.rename(index={"All": "Total"}, columns={"All": "Row total"}),
    "names in a column": MARGINS.reset_index(),
    "rows alone": MARGINS.drop(columns="All"),
    "columns alone": MARGINS.drop("All"),
    "names of columns alone": MARGINS.reset_index(drop=True).iloc[[0, 1, 2, 3]],
}


@pytest.mark.parametrize("table", MARGINAL.values(), ids=MARGINAL)
def test_margins_are_left_out_with_a_warning(table):
    with pytest.warns(af.ReadHint, match="has sums, which were left out"):
        data = A.from_contingency(table)
    assert af.kappa(data) == pytest.approx(kappa(ANN, BEA), abs=1e-15)
    assert {why for _, why in data.read.left_out} == {"the sum of the others"}


def test_declared_categories_leave_margins_out_silently():
    for table in (MARGINS, MARGINS.reset_index()):
        data = A.from_contingency(table, categories=["x", "y", "z"])
        assert af.kappa(data) == pytest.approx(kappa(ANN, BEA), abs=1e-15)


@pytest.mark.parametrize(
    "table",
    [
        MARGINS.to_numpy(),
        MARGINS.to_numpy().tolist(),
        renamed(MARGINS, "other"),
        MARGINS.rename(index={"All": "a"}, columns={"All": "b"}),
        pd.DataFrame(MARGINS.to_numpy(), columns=["x", "y", "z", "other"]),
        MARGINS.rename(index={"All": "other"})[["x", "y", "z"]],
    ],
)
def test_sums_without_the_name_of_sums_are_refused(table):
    with pytest.raises(af.AgreementError, match="sum of the others, as a total is") as refused:
        A.from_contingency(table)
    categories = eval(str(refused.value).partition("categories=")[2].partition(" to say")[0])
    n_items = int(np.asarray(table).sum())
    assert A.from_contingency(table, categories=categories).n_items == n_items


def test_a_total_that_does_not_add_up_is_refused():
    wrong = renamed(MARGINS, "Total")
    wrong.loc["x", "Total"] += 1
    with pytest.raises(af.AgreementError, match="named like a total, but is not the sum"):
        A.from_contingency(wrong)


@pytest.mark.parametrize(
    "table",
    [
        [[25, 25], [25, 25]],
        [[50, 10], [50, 10]],
        [[5, 0, 5], [0, 0, 0], [5, 0, 5]],
        [[0, 0], [0, 9]],
        [[1, 0, 1], [0, 1, 1], [1, 1, 2]],
        pd.DataFrame([[40, 40], [40, 40]], index=["x", "y"], columns=["y", "z"]),
    ],
)
def test_innocent_contingency_tables_pass(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert A.from_contingency(table).n_items == np.asarray(table).sum()


def test_at_most_one_random_contingency_table_in_a_thousand_is_refused():
    rng = np.random.default_rng(27)
    refused = 0
    for _ in range(2000):
        table = rng.poisson(rng.choice([0.5, 2, 10]), (n := rng.integers(2, 6), n))
        try:
            A.from_contingency(table)
        except af.AgreementError:
            refused += 1
    assert refused <= 2


# ---------------------------------------------------------------------- items × categories

ROWS = [[3, 0], [2, 1], [1, 2], [0, 3], [3, 0], [2, 1]]
FRAME = pd.DataFrame(ROWS, columns=["yes", "no"])
ITEMS = FRAME.assign(text=list("abcdef"))[["text", "yes", "no"]]
TOTALS = pd.DataFrame([("Total", 11, 7)], columns=["text", "yes", "no"])


@pytest.mark.parametrize(
    "to", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "arrow"]
)
def test_a_first_column_of_texts_names_the_items(to):
    data = A.from_counts(to(ITEMS))
    assert list(data.items) == list("abcdef")
    assert data.categories == ("yes", "no")
    assert af.pi(data) == pytest.approx(pi(ROWS), abs=1e-15)
    assert data.read.guessed == (("items", "text", "its place and its values"),)
    assert A.from_counts(to(ITEMS), **data.read.call).items == data.items


def test_names_of_rows_come_from_the_index():
    assert list(A.from_counts(ITEMS.set_index("text")).items) == list("abcdef")


def test_numbers_that_may_name_items_are_refused_until_they_are_named():
    table = FRAME.assign(item=[4, 8, 3, 9, 1, 2])[["item", "yes", "no"]]
    with pytest.raises(af.AgreementError, match=r"items='item'\), or .*categories=\['item', "):
        A.from_counts(table)
    assert A.from_counts(table, items="item").items == (4, 8, 3, 9, 1, 2)
    assert A.from_counts(table, categories=["yes", "no"]).items == (4, 8, 3, 9, 1, 2)
    assert A.from_counts(table, categories=["item", "yes", "no"]).n_judgments == 27 + 18
    assert A.from_counts(table.assign(item=range(1, 7))).categories == ("yes", "no")


@pytest.mark.parametrize(
    "table",
    [
        FRAME.assign(Total=3),
        FRAME.assign(n=3),
        ITEMS.assign(Sum=3),
        pd.concat([ITEMS, TOTALS]),
        pd.concat([ITEMS, TOTALS]).set_index("text"),
        pd.concat([ITEMS, TOTALS]).assign(Total=lambda f: f.yes + f.no),
    ],
)
def test_totals_are_left_out_with_a_warning(table):
    with pytest.warns(af.ReadHint, match="has sums, which were left out"):
        data = A.from_counts(table)
    assert (data.n_items, data.categories) == (6, ("yes", "no"))
    assert af.pi(data) == pytest.approx(pi(ROWS), abs=1e-15)


@pytest.mark.parametrize(
    ("table", "settled"),
    [
        (FRAME.assign(other=3), {"categories": ["yes", "no", "other"]}),
        (np.array([[*row, 3] for row in ROWS]), {"categories": [0, 1, 2]}),
        ([*ROWS, [11, 7]], {"items": range(7)}),
        (FRAME.assign(Total=[3, 3, 3, 3, 3, 4]), {"categories": ["yes", "no", "Total"]}),
        (pd.concat([ITEMS, TOTALS.assign(no=8)]), {"items": range(7)}),
    ],
)
def test_totals_that_only_names_or_only_numbers_show_are_refused(table, settled):
    (keyword, value) = next(iter(settled.items()))
    with pytest.raises(af.AgreementError, match="leave it out, or pass") as refused:
        A.from_counts(table)
    assert f"pass {keyword}={value if keyword == 'categories' else 'range(0, 7)'}" in str(
        refused.value
    )
    numbers = table.select_dtypes("number") if isinstance(table, pd.DataFrame) else table
    assert A.from_counts(table, **settled).n_judgments == np.asarray(numbers).sum()


def test_declared_categories_choose_columns_by_name():
    data = A.from_counts(ITEMS.assign(Total=[3, 3, 3, 3, 3, 4]), categories=["no", "yes"])
    assert data.to_counts().tolist() == [row[::-1] for row in ROWS]


def test_texts_that_name_nothing_are_an_error_that_names_them():
    with pytest.raises(TypeError, match=r"column 'word' has 'a'"):
        A.from_counts(FRAME.assign(word="a"))
    with pytest.raises(af.AgreementError, match="rows of different lengths"):
        A.from_counts([[1, 2], [1]])


def test_a_first_column_that_names_the_rows_is_said_to_be_guessed() -> None:
    frame = pd.DataFrame({"label": ["x", "y"], "x": [5, 1], "y": [2, 4]})
    for read, what in ((A.from_contingency, "rows"), (A.from_counts, "items")):
        assert [guess[:2] for guess in read(frame).read.guessed] == [(what, "label")]
        assert read(frame.set_index("label")).read.guessed == ()


@pytest.mark.parametrize("to", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
@pytest.mark.parametrize("layout", ["counts", "contingency"])
def test_the_call_reads_the_table_again_through_both_doors(layout, to):
    columns = {"r1": ["no", "yes"], "yes": [4, 20], "no": [15, 3]}
    table = to(columns)
    made = {"counts": A.from_counts, "contingency": A.from_contingency}[layout]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # rows named by a column are not in the order of numbers
        result = af.pi(table, layout=layout)
        assert af.pi(table, **result.read.call) == result
        call = made(table).read.call
        assert af.pi(made(table, **call)) == result
    assert result.read.call["layout"] == layout
    assert result.read.call.get("item") == ("r1" if layout == "counts" else None)
    assert "r1" in repr(result.read)


def test_a_row_of_zeros_is_no_row_of_counts() -> None:
    table = np.array([[4, 0], [0, 5], [3, 1], [1, 4], [0, 3], [5, 0], [2, 3]] * 4)
    assert are_counts(table) == "its columns vary against each other"
    assert are_counts(np.vstack([table, [[0, 0]]])) is None


@pytest.mark.parametrize(
    ("name", "values", "others", "named"),
    [
        # names of items: the column counts up, or the sums of the others are equal
        ("item", [1, 2, 3], {"a": [1, 5, 2], "b": [0, 3, 3]}, True),
        ("item", [5, 9, 7], {"a": [1, 2, 3], "b": [3, 2, 1]}, True),
        ("item", [5, 9, 7], {"a": [1, 5, 2], "b": [0, 3, 3]}, None),
        ("item", [1, 2, 3], {"yes": [1, 5, 2], "no": [0, 3, 3]}, False),
        # any name: both; doubts need more rows
        ("x", [1, 2, 3], {"a": [1, 2, 3], "b": [3, 2, 1]}, True),
        ("x", [5, 9, 7], {"a": [1, 2, 3], "b": [3, 2, 1]}, None),
        ("x", [5, 9], {"a": [1, 2], "b": [3, 2]}, False),
        ("x", [1, 2, 3], {"a": [1, 5, 2], "b": [0, 3, 3]}, False),
        ("x", [1, 2, 3, 4], {"a": [1, 5, 2, 1], "b": [0, 3, 3, 0]}, None),
        ("x", [1, 2, 3, 4], {"a": [4, 3, 2, 1]}, False),
        ("x", [1, 2, 3, 4], {"a": [2, 2, 2, 2]}, None),
        ("x", [1, 1, 3, 4], {"1": [4, 3, 2, 1]}, False),
        # numbers name the other columns alone
        ("x", [5, 9, 7], {"1": [1, 5, 2], "2": [0, 3, 3]}, True),
        (0, [5, 9, 7], {1: [1, 5, 2], 2: [0, 3, 3]}, False),
    ],
)
def test_a_first_column_of_numbers_may_name_the_rows(name, values, others, named):
    columns = {of: np.array(cells) for of, cells in others.items()}
    assert numbers_name_rows(name, np.array(values), columns) is named
    # The number of categories decides.
    repeated = len({*values}) < len(values)
    for n_columns in (len(others), len(others) + 1):
        counted = numbers_name_rows(name, np.array(values), columns, n_columns)
        assert counted is (named is not False and n_columns == len(others) and not repeated)


def test_an_index_of_numbers_in_another_order_than_the_columns_is_matched_and_reported() -> None:
    cells = [[3, 20], [15, 4]]
    named = pd.DataFrame(cells, index=["0", "1"], columns=["1", "0"])
    numbered = pd.DataFrame(cells, index=[0, 1], columns=[1, 0])
    with pytest.warns(af.ReadHint, match=r"by their numbers, 0, 1 and 1, 0; .* table.to_numpy"):
        assert af.kappa(numbered, layout="contingency") == af.kappa(named, layout="contingency")
    assert af.kappa(numbered.to_numpy(), layout="contingency") == af.kappa(
        pd.DataFrame(cells), layout="contingency"
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            ["yes", "no", "n/a"],
            r"'n/a' \(1 judgment\) .* if so, leave out its column; .* categories",
        ),
        ([1, 2, 99], r"99 \(1 judgment\) lies outside .* leave out its column"),
        (["Yes", "no", "yes"], "'Yes' = 'yes'"),
    ],
)
def test_doubtful_labels_of_counts_are_pointed_out(columns: list[str], message: str) -> None:
    frame = pd.DataFrame([[2, 1, 0], [3, 0, 0], [1, 1, 1], [0, 3, 0]], columns=columns)
    with pytest.warns(af.LabelHint, match=message):
        data = A.from_counts(frame)
    assert (
        A.from_counts(frame, categories=columns).to_counts().tolist() == data.to_counts().tolist()
    )


def test_doubtful_labels_of_contingency_tables_are_pointed_out() -> None:
    names = ["yes", "no", "NA"]
    frame = pd.DataFrame([[20, 3, 2], [4, 15, 1], [1, 2, 5]], names, names)
    with pytest.warns(af.LabelHint, match="'NA' .* leave out its row and its column"):
        A.from_contingency(frame)
    A.from_contingency(frame, categories=names)


@pytest.mark.parametrize("name", ["count_star()", "count(*)"])
def test_counts_of_pairs_have_the_names_of_databases(name, tmp_path, command):
    """Sizes of groups within the labels' range are no third coder."""
    pairs = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (3, 1), (1, 3)]
    often = [3, 1, 1, 2, 3, 1, 1]
    rows = [(*pair, n) for pair, n in zip(pairs, often, strict=True)]
    frame = pd.DataFrame(rows, columns=["ann", "ben", name])
    with pytest.raises(ValueError, match=r"how often") as error:
        af.kappa(frame)
    proposed = f"Annotations.from_wide(table, weights={name!r}, coders=['ann', 'ben'])"
    assert proposed in str(error.value)
    read = af.Annotations.from_wide(frame, weights=name, coders=["ann", "ben"])
    assert af.kappa(read) == af.kappa([pair for *pair, n in rows for _ in range(n)])
    path = tmp_path / "pairs.csv"
    frame.to_csv(path, index=False)
    assert f"--weights {shlex.quote(str(name))}" in command.error("report", str(path))


YES, NO = [3, 0, 1, 2, 3, 0], [0, 3, 2, 1, 0, 3]


@pytest.mark.parametrize("form", [pd.DataFrame, dict])
@pytest.mark.parametrize("page", [[1, 1, 2, 3, 1, 2], [0, 1, 2, 3, 4, 5], [2, 2, 1, 2, 2, 2]])
def test_a_column_beside_counts_is_warned_about(form, page):
    columns = {"yes": YES, "no": NO, "maybe": [0] * 6, "page": page}
    with pytest.warns(af.ShapeHint, match="without column 'page' each row .* adds to 3: if it"):
        A.from_counts(form(columns))


@pytest.mark.parametrize(
    "columns",
    [
        {"yes": YES, "no": NO, "maybe": [1] * 6},  # with it, rows add to one number, too
        {"yes": YES[:4], "no": NO[:4], "maybe": [0, 1, 2, 3]},  # few rows
        {"yes": [1, 0, 0, 1, 0, 1], "no": [0, 1, 1, 0, 1, 0], "maybe": [0, 1, 2, 3, 4, 5]},
        {"yes": [3] * 6, "no": [0, 1, 2, 3, 4, 5]},  # two columns
        {"yes": [*YES, *[2] * 2000], "no": [*NO, *[1] * 1999, 3], "maybe": [1, 2] * 1003},
    ],
)
def test_counts_are_no_column_beside_counts(columns):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        A.from_counts(pd.DataFrame(columns))
