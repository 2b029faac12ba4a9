"""Results as tables, and arrays with names."""

import csv
import io
import json
import math
import pickle
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast.errors import InputError
from agreement_fast.present.documents import json_rows, json_value
from agreement_fast.present.tables import Matrix, Table, of_fields, write_rows

NAN = math.nan
MIXED = Table(
    {
        "label": ["x", frozenset({"b", "a"}), 1, None],
        "value": np.array([0.5, NAN, 1.0, -0.25]),
        "n": np.array([1, 2, 3, 2**40]),
        "flag": [True, False, True, None],
        "why": [None, None, None, "no pairs"],
        "float or none": [1.5, None, NAN, 2.0],
    }
)
EXPECTED = {
    "label": ["x", "{a, b}", "1", None],
    "value": [0.5, None, 1.0, -0.25],
    "n": [1, 2, 3, 2**40],
    "flag": [True, False, True, None],
    "why": [None, None, None, "no pairs"],
    "float or none": [1.5, None, None, 2.0],
}


def test_frames_of_all_libraries_hold_the_same():
    assert MIXED.to_frame("polars").to_dict(as_series=False) == EXPECTED
    assert MIXED.to_frame("pyarrow").to_pydict() == EXPECTED
    assert MIXED.to_frame(pa).to_pydict() == EXPECTED
    frame = MIXED.to_frame("pandas")
    assert isinstance(frame, pd.DataFrame)
    for name, column in EXPECTED.items():
        assert [None if pd.isna(v) else v for v in frame[name]] == column, name


def test_an_arrow_stream_is_the_same_table():
    assert pl.DataFrame(MIXED).to_dict(as_series=False) == EXPECTED
    assert pa.table(MIXED).to_pydict() == EXPECTED


def test_the_library_is_the_one_at_hand(monkeypatch):
    def installed(modules, result):
        """Let these be imported already, and those be found."""
        monkeypatch.setattr("agreement_fast.present.tables.sys", SimpleNamespace(modules=modules))
        find = SimpleNamespace(util=SimpleNamespace(find_spec=lambda name: name in result or None))
        monkeypatch.setattr("agreement_fast.present.tables.importlib", find)

    installed({"polars": pl}, ["pandas", "polars"])
    assert isinstance(MIXED.to_frame(), pl.DataFrame)
    installed({"polars": pl, "pandas": pd}, [])
    assert isinstance(MIXED.to_frame(), pd.DataFrame)
    installed({}, ["pyarrow"])
    assert isinstance(MIXED.to_frame(), pa.Table)
    with pytest.raises(InputError, match="pandas is not installed: pip install pandas"):
        MIXED.to_frame("pandas")
    installed({}, [])
    with pytest.raises(InputError, match="needs pandas, polars or pyarrow"):
        MIXED.to_frame()
    with pytest.raises(InputError, match="an Arrow stream needs pyarrow or polars"):
        pl.DataFrame(MIXED)


def test_an_unknown_library_is_named():
    with pytest.raises(InputError, match="one of pandas, polars, pyarrow, not 'dask'"):
        MIXED.to_frame("dask")


def test_csv(tmp_path):
    MIXED.write_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes().decode() == (
        "label,value,n,flag,why,float or none\n"
        'x,0.5,1,True,,1.5\n"{a, b}",,2,False,,\n1,1.0,3,True,,\n'
        ",-0.25,1099511627776,,no pairs,2.0\n"
    )


@given(st.lists(st.tuples(st.text(), st.floats(allow_infinity=False), st.integers()), min_size=1))
def test_csv_is_read_back(rows):
    texts, floats, whole = map(list, zip(*rows, strict=True))
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    file = io.StringIO()
    write_rows(Table({"a": texts, "b": np.array(floats), "c": whole}), file)
    read = list(csv.reader(io.StringIO(file.getvalue(), newline="")))
    assert read[0] == ["a", "b", "c"]
    for got, text, number, n in zip(read[1:], texts, floats, whole, strict=True):
        # csv reads a carriage return within quotes as it stands.
        assert got[0] == text
        assert got[1] == ("" if math.isnan(number) else repr(number))
        assert got[2] == str(n)


class Cells(HTMLParser):
    """The texts of a table's cells, and every tag."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.tags = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows:
            self.rows[-1][-1] += data


def test_notebooks_show_what_is_there():
    shown = Cells(MIXED._repr_html_())
    assert shown.rows[0] == list(EXPECTED)
    assert shown.rows[2] == ["{a, b}", "-", "2", "no", "-", "-"]
    assert shown.rows[4] == ["-", "-0.2500", "1099511627776", "-", "no pairs", "2.0000"]


def test_notebooks_show_hostile_labels_as_text():
    hostile = ["</table><script>alert(1)</script>", '"><img onerror=x>', "\u202eabc\x1b[31m"]
    for shown in (
        Table({hostile[0]: hostile})._repr_html_(),
        Matrix(np.eye(3), hostile, hostile, hostile[0], hostile[1])._repr_html_(),
    ):
        result = Cells(shown)
        assert set(result.tags) == {"div", "table", "thead", "tbody", "tr", "th", "td"}
        assert "\u202e" not in shown
        assert "\x1b" not in shown
    assert result.rows[1][1] == "1.0000"


def test_long_tables_show_beginning_and_end():
    shown = Cells(Table({"n": list(range(1000))})._repr_html_())
    assert [row[0] for row in shown.rows] == [
        "n", *map(str, range(10)), "…", *map(str, range(990, 1000))
    ]  # fmt: skip
    assert repr(Table({"n": list(range(1000))})).split() == [row[0] for row in shown.rows]


def test_stacked_tables_say_whose_rows_they_are():
    parts = [(("a", 1), Table({"x": [1, 2]})), (("b", None), Table({"x": [3]}))]
    stacked = Table.stack(["batch", "x"], parts)
    assert stacked.to_dict() == {"batch": ["a", "a", "b"], "group_x": [1, 1, None], "x": [1, 2, 3]}
    assert len(stacked) == 3


def test_json_has_no_number_for_what_is_none():
    table = Table({"x": [1.5, math.inf, -math.inf, math.nan, None], "y": list("abcde")})
    rows = json.loads(json.dumps(json_rows(table), allow_nan=False))
    assert [row["x"] for row in rows] == [1.5, None, None, None, None]


def test_json_has_results_as_objects_and_tables_as_rows():
    table = af.agreement_table([["x", "x"], ["y", "y"], ["x", "y"]], ["pi", "kappa"])
    assert json_value(table) == json_rows(table)
    assert json_value(table["pi"]) == json_rows(table)[0]
    labels = (1, frozenset({"b", "a"}), (1, 2), math.nan)
    assert json_value({"labels": labels, 1: np.array([0.5])}) == {
        "labels": [1, ["a", "b"], "(1, 2)", None],
        "1": [0.5],
    }


def test_results_are_tables():
    table = af.agreement_table([["x", "x"], ["y", "y"], ["x", "y"]], ["pi", "kappa"])
    columns = table.to_dict()
    assert columns["coefficient"] == ["pi", "kappa"]
    assert columns["value"] == [table["pi"].value, table["kappa"].value]
    assert columns["n_items"] == [3, 3]
    one = table["pi"].to_dict()
    assert one == {name: column[:1] for name, column in columns.items()}
    assert "pi" in table["pi"]._repr_html_()
    assert of_fields([]) == {}


# ---------------------------------------------------------------------------- matrices

VALUES = np.array([[2, 0, 5], [1, 3, 7]])
MATRIX = Matrix(VALUES, ["a", 1], ["x", "y", "x"], "Ann", "Bea")


def test_a_matrix_is_its_array_in_arithmetic():
    assert (MATRIX * 2).tolist() == (VALUES * 2).tolist()
    assert (MATRIX == VALUES).all()
    assert (MATRIX - MATRIX).sum() == 0
    assert np.sum(MATRIX, axis=0).tolist() == MATRIX.sum(0).tolist() == VALUES.sum(0).tolist()
    assert np.asarray(MATRIX) is MATRIX.values
    assert np.array(MATRIX) is not MATRIX.values
    assert np.asarray(MATRIX, float).dtype == float
    assert MATRIX[1, 2] == 7
    assert MATRIX[0].tolist() == [2, 0, 5]
    assert MATRIX.tolist() == VALUES.tolist()
    assert (MATRIX.shape, len(MATRIX), MATRIX.dtype) == ((2, 3), 2, VALUES.dtype)
    assert np.add.reduce(MATRIX, axis=1).tolist() == [7, 11]


def test_a_matrix_knows_its_cells_by_name():
    assert MATRIX.at("a", "y") == 0
    assert MATRIX.at(1, "y") == 3
    with pytest.raises(KeyError, match="no column 'z'; the columns are x, y"):
        MATRIX.at("a", "z")
    with pytest.raises(KeyError, match="no row '1'; the rows are a, 1"):
        MATRIX.at("1", "x")


def test_a_matrix_is_a_table():
    # Two columns of one name have two names.
    assert MATRIX.to_frame("polars").to_dict(as_series=False) == {
        "Ann": ["a", "1"], "x": [2, 1], "y": [0, 3], "x (2)": [5, 7],
    }  # fmt: skip
    assert repr(MATRIX) == "Ann \\ Bea  x  y  x (2)\na          2  0      5\n1          1  3      7"
    assert Cells(MATRIX._repr_html_()).rows[1] == ["a", "2", "0", "5"]


def test_large_matrices_are_shortened():
    large = Matrix(np.arange(900).reshape(30, 30), range(30), range(30))
    lines = repr(large).splitlines()
    assert len(lines) == 22
    assert lines[11].split() == ["…"] * 22
    assert lines[-1].split()[-1] == "899"
    assert len(Cells(large._repr_html_()).rows) == 22


def test_a_matrix_travels():
    copy = pickle.loads(pickle.dumps(MATRIX))
    assert repr(copy) == repr(MATRIX)


def test_names_must_fit():
    with pytest.raises(InputError, match=r"shape \(2, 3\) has 2 row names and 2 column names"):
        Matrix(VALUES, ["a", "b"], ["x", "y"])


def test_labels_that_are_sets_are_shown_in_one_order():
    """Equal sets may have other orders, which their hashes and their past decide."""
    first, second = frozenset([0, 8]), frozenset([8, 0])
    assert repr(first) != repr(second)
    shown = []
    for both in (first, second):
        one = frozenset([1])
        data = af.Annotations.from_wide([[both, both], [one, both], [one, one]])
        results = (
            af.diagnostics.bias(data).categories,
            af.diagnostics.category_confusions(data),
            af.diagnostics.category_agreement(data),
            af.inference.category_test(data),
        )
        shown.append("\n".join(map(repr, results)))
    assert shown[0] == shown[1]
    assert "label=frozenset({0, 8})" in shown[0]
