"""Small plain CSV is read by Python alone, as DuckDB reads it."""

import json
import subprocess
import sys

import pytest
from conformance import BY_NAME, doors_of
from doors import BREADTH, FAST, measure
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from agreement_fast.files import ReadError, plain, read
from agreement_fast.files.query import QueryReader

pytestmark = pytest.mark.filterwarnings("ignore")

#: The doors whose files are CSV.
DOORS = ("read .csv", "read .csv with a mark")


def in_both_ways(outcome):
    """What comes of a reading by Python and by DuckDB."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QueryReader, "__init__", None)  # not even opened
        by_python = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "MOST_BYTES", -1)
        patch.setattr(plain.PlainReader, "__init__", None)
        return by_python, outcome()


CELLS_OF_TABLES = [
    (name, door)
    for name, table in BY_NAME.items()
    for door in doors_of(table, FAST, BREADTH)
    if door.name in DOORS
]


@pytest.mark.breadth
@pytest.mark.parametrize(
    ("name", "door"), CELLS_OF_TABLES, ids=[f"{n}-{d.name}" for n, d in CELLS_OF_TABLES]
)
def test_every_table(name, door, tmp_path):
    """The same value to the last bit and the same warnings, or the same error."""

    def outcome():
        value, texts, error = measure(door, BY_NAME[name], tmp_path)
        return value, texts, type(error), str(error)

    by_python, by_duckdb = in_both_ways(outcome)
    assert by_python == by_duckdb


def test_the_tables_are_there():
    assert len(CELLS_OF_TABLES) > 400


CELLS = (
    "a", "b", "1", "2", "", "  ", " a", "a ", '"a"', '"x, y"', '"a""b"', '"a\nb"', "1.5", "1e3",
    "x;y", "é", "NA", "'q'", "0", "-1", "007", "1.000", "\ttab", '""', '" "', "\0", "\ufeff", "·",
    "a · b",
)  # fmt: skip
#: Quotation marks that are no quotes; DuckDB reads such a file only as Python has rewritten it.
STRAY = ('a"b', '"', '"a"b')
#: Blanks around quotes.
SPACED = (' "a"', '"a" ', ' "x, y" ', ' "a\nb"')
NAMES = ("item", "coder", "label", "ann", "bob", "x y", '"q,r"', "weight", "")


ROLES = {"item": "item", "coder": "coder", "label": "label"}


def weighted(*weights):
    """A table of one item a weight, and arguments to read it with."""
    rows = [f"{i},{coder},x,{weight}\n" for i, weight in enumerate(weights) for coder in "ab"]
    return "item,coder,label,weight\n" + "".join(rows), {**ROLES, "weights": "weight"}


@st.composite
def files(draw):
    """A CSV as text, and arguments to read it with."""
    delimiter = draw(st.sampled_from((",", ",", ";", "\t", "|")))
    end = draw(st.sampled_from(("\n", "\n", "\r\n", "\r")))
    long = draw(st.booleans())
    header = ["item", "coder", "label", "weight"] if long else draw(
        st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True)
    )  # fmt: skip
    odd = draw(st.sampled_from((STRAY, SPACED)))
    cells = st.sampled_from(draw(st.sampled_from((CELLS + odd, CELLS, CELLS[:5]))))
    width = len(header)
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width), max_size=7))
    if long:
        rows = [[*row[:3], draw(st.sampled_from(("1", "2", "3.0", "1.000", "x")))] for row in rows]
    lines = [delimiter.join(row) for row in (header, *rows)]
    if draw(st.integers(0, 9)) == 0:
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(("", "a", ",,,,"))))
    text = draw(st.sampled_from(("", "", "\ufeff"))) + end.join(lines)
    text += draw(st.sampled_from((end, end, "")))
    if odd == STRAY and draw(st.integers(0, 19)) == 0:
        text = text.replace(end, "\n", 1)
    keywords = {"header": False} if draw(st.integers(0, 9)) == 0 else {}
    if long and not keywords:
        item = draw(st.sampled_from(("item", ("item", "coder"))))
        keywords = {**ROLES, "item": item}
        keywords |= draw(st.sampled_from(({}, {"weights": "weight"}, {"by": "item"})))
        keywords |= draw(st.sampled_from(({}, {"by": ("weight", "item")})))
    elif draw(st.booleans()):
        keywords["layout"] = "wide"
    return text, keywords


@examples(150)
@given(files())
@example(("ann\na\n\n2\n1\nb", {"layout": "wide"}))
@example(('",\'q\',"x, y"\r\n  ,b,c\r\n', {"header": False, "skip_rows": 1}))
@example(weighted("1", "-1"))
@example(weighted("1", "9007199254740993"))
@example(weighted("1", "9223372036854775808"))
@example(weighted("1.000", "2"))
@example(weighted("1.000", "2.000"))
@example(('item,coder,label\n1,a, "x"\n1,b,y\n', ROLES))
@example(('item,coder,label\n1,a, "x"\n1, "b\nc" ,"x" \n', ROLES))
@example(('b| "a|" "|"a"\na|a|a|b', {}))
def test_any_file(tmp_path_factory, case):
    """The same table, or both refuse it.

    Python refuses a row with a cell more, where DuckDB may drop the cell if it is empty.
    """
    text, keywords = case
    path = tmp_path_factory.mktemp("any") / "t.csv"
    path.write_bytes(text.encode())

    def outcome():
        try:
            table = read(str(path), **keywords)
        except ReadError as error:
            return str(error)
        columns = [table.labels, table.items, table.groups, getattr(table, "coders", None)]
        return table.source, repr(table.weights), [
            None if column is None else column if isinstance(column, tuple)
            else (column.codes.tolist(), column.values.tolist()) for column in columns
        ]  # fmt: skip

    by_python, by_duckdb = in_both_ways(outcome)
    refused = isinstance(by_python, str) and (
        isinstance(by_duckdb, str) or " columns, but the first line has " in by_python
    )
    assert refused or by_python == by_duckdb


LONG = "item,coder,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n3,a,y\n3,b,y\n"

#: Runs a program where only numpy, scipy and narwhals are installed.
BASE = """
import contextlib, io, json, sys
LACKING = [
    "backports", "cassis", "duckdb", "jinja2", "matplotlib", "pandas", "polars", "pyarrow",
    "pyreadstat", "python_calamine", "rapidfuzz", "tqdm",
]
sys.modules.update(dict.fromkeys(LACKING))
"""

#: Runs commands in one process, and gives what each printed and its code.
COMMANDS = """
from agreement_fast.cli import main
for arguments in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        with contextlib.redirect_stderr(io.StringIO()) as err:
            code = main(arguments)
    print(json.dumps([out.getvalue(), err.getvalue(), code]))
"""


def base(program, text=""):
    """Return what a program prints that reads a text."""
    done = subprocess.run(
        [sys.executable, "-c", BASE + program], input=text, capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def test_a_base_installation_reports(tmp_path):
    """The example and a file, without an extra; what takes one names it."""
    path = tmp_path / "t.csv"
    path.write_text(LONG)
    works = [[], ["--json"], ["--full"], ["--coefficient", "alpha,pi"]]
    lacks = [["--where", "label <> 'x'"], ["--html", str(tmp_path / "t.html")]]
    others = ["diagnose", "disagreements", "subsets"]
    lines = [["report", "--example"]]
    lines += [["report", str(path), *options] for options in works + lacks]
    lines += [[other, str(path)] for other in others]
    answers = [json.loads(line) for line in base(COMMANDS, json.dumps(lines)).splitlines()]
    (out, err, code), *answers = answers
    assert (code, err) == (0, "")
    assert "alpha (nominal) = 0.5843" in out
    for _ in works:
        (out, err, code), *answers = answers
        assert (code, err) == (0, "")
        assert "0.4444" in out
    for _ in lacks:
        (out, err, code), *answers = answers
        assert (out, code in (1, 2)) == ("", True)
        assert 'pip install "agreement-fast[' in err
        assert "Traceback" not in err
    assert [code for _, _, code in answers] == [0] * len(others)


def test_alpha_takes_numpy_only():
    out = base(
        "sys.modules.update(scipy=None, narwhals=None)\nimport agreement_fast as af\n"
        'print(af.alpha([("x", "x"), ("y", "x"), ("y", "y")], "nominal"))'
    )
    assert "alpha(nominal) = 0.444444" in out
