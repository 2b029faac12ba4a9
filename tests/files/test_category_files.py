"""Distances and trees of categories from files: equal for every form; errors name the place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast.files.category_distances import read_distances, read_tree
from agreement_fast.files.errors import ReadError

DISTANCES = {
    "x": {"x": 0.0, "y": 1.0, "z": 2.5},
    "y": {"x": 1.0, "y": 0.0, "z": 0.5},
    "z": {"x": 2.5, "y": 0.5, "z": 0.0},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


@pytest.mark.parametrize(
    "text",
    [
        ",x,y,z\nx,0,1,2.5\ny,1,0,.5\nz,2.5,.5,0\n",
        "\ufeffd\tx\ty\tz\nx\t0\t1\t2.5\ny\t1\t0\t.5\nz\t2.5\t.5\t0\n",
        ";x;y;z\nx;0;1;2,5\ny;1;0;0,5\nz;2,5;0,5;0\n",
        # Rows in another order than the columns, one half, no diagonal.
        ",z,x,y\nx,2.5,,1\ny,0.5,1,\nz,,,\n",
        ",x,y,z\nx\ny,1\nz,2.5,.5\n",
        "x,y,1\nx,z,2.5\ny,z,0.5\n",
        "a,b,distance\ny,x,1\n\nz,x,2.5\nz,y,0.5\nx,x,0\n",
        json.dumps(DISTANCES),
        '{"x": {"y": 1, "z": 2.5}, "y": {"z": 0.5}}',
        '[["x", "y", 1], ["x", "z", "2.5"], ["y", "z", 0.5]]',
    ],
)
def test_a_matrix_in_any_form(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    result = read_distances(str(path))
    assert {a: dict(sorted(result[a].items())) for a in sorted(result)} == DISTANCES


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("\n,\n,,\n", "is empty"),
        ("a\0b", "is a binary file"),
        ('{"\\u001b": {"y": "z"}}', "['\\x1b']['y']: the distance of"),
        ("x,y,1\nx,z,two\ny,z,1\n", "line 2: the distance of 'x' and 'z' is 'two', not a number"),
        ("x,y,-1\n", "line 1: the distance of 'x' and 'y' is -1, expected 0 or more"),
        ("x,y,inf\n", "is inf, expected 0 or more"),
        ("x,y,1\ny,x,2\n", "'x' and 'y' is 1 in line 1, and 2 the other way round in line 2"),
        ("x,y,1\nx,y,2\n", "line 2: the distance of 'x' and 'y' is 2, and 1 in line 1"),
        ("x,y,1\nx,z,1\n", "no distance of 'y' and 'z'"),
        ("x,,1\n", "line 1: a category has no name"),
        (",x,y\nx,0,1\ny,2,0\n", "'x' and 'y' is 1 in line 2, and 2 the other way round in line 3"),
        (",x,y\nx,1,0\ny,0,1\n", "is 1, expected 0 (agreement weights have 1 there: a distance"),
        (",x,y\nx,0,1,5\ny,1,0\n", "line 2: 4 cells, but the first line has 3"),
        (",x,y,z\nx,0,1,1\ny,1,0,1\n", "column 'z' has no row of that name"),
        (",x,y,z\nx,0,1,1\ny,1,0,1\nw,1,1,1\n", "column 'z' has no row of that name"),
        (",x,y\nx,0,1\ny,1,0\nw,1,1\nv,1,1\n", "row 'w' has no column of that name"),
        (",x,y,x\nx,0,1,1\ny,1,0,1\nx,1,1,1\n", "'x' is among the names twice"),
        ("a,b\nc,d\n", "expected a square with the categories' names"),
        ('x,y,"1\n', "line 1: "),
        ("[1, 2]", "expected an object of objects"),
        ('{"x": 1}', "expected an object of objects"),
        ('{"x": {"y": true}}', "['x']['y']: the distance of 'x' and 'y' is 'True'"),
        ('{"x": {"y": 1}, "x": {}}', "'x' is a key twice"),
        ('{"x": ', "is not JSON"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_errors_in_a_matrix_name_the_place(path: Path, text: str, said: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError) as caught:
        read_distances(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("é,y,1\n".encode("latin-1"))
    for name, said in [
        ("latin", "is not UTF-8"),
        ("", "is a folder"),
        ("none", "No such file"),
        ("a\0b", "cannot be read"),
    ]:
        with pytest.raises(ReadError, match=said):
            read_distances(str(tmp_path / name))


TREE = {"top": None, "x": "top", "yz": "top", "y": "yz", "z": "yz", "other": None}


@pytest.mark.parametrize(
    "text",
    [
        "child,parent\ntop,\nother\nx,top\ny,yz\nz,yz\nyz,top\n",
        "x\ttop\ny\tyz\nz\tyz\nyz\ttop\nother\ntop\n",
        "top\n  x\n  yz\n    y\n    z\nother\n",
        "top\n\tx\n\n\tyz\n\t\ty\n\t\tz\nother\n",
        json.dumps(TREE),
        '{"top": {"x": null, "yz": ["y", "z"]}, "other": {}}',
        '[{"top": ["x", {"yz": {"y": {}, "z": []}}]}, "other"]',
    ],
)
def test_a_tree_in_any_form(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    assert read_tree(str(path)) == TREE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x,a\nx,b\n", "line 2: 'x' is below 'b', and in line 1 below 'a'; a category has one"),
        ("x,a\nx,\n", "'x' is below no parent, and in line 1 below 'a'"),
        ("x,x\n", "line 1: 'x' is below itself"),
        ("x,a,b\n", "line 1: 3 cells, expected a category and its parent"),
        (",a\n", "line 1: a category has no name"),
        ("  x\ny\n", "line 1: 'x' is indented, but no line above it is indented less"),
        ("a\n  x\n\ty\n", "line 3: 'y' is indented differently from the lines above"),
        ("a\n    x\n  y\n", "line 3: 'y' is indented differently from the lines above"),
        ('{"a": [["x"]]}', "a list within a list"),
    ],
)
def test_errors_in_a_tree_name_the_place(path: Path, text: str, said: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError) as caught:
        read_tree(str(path))
    assert said in str(caught.value)


NAMES = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=4)


@given(st.lists(NAMES, min_size=2, max_size=6, unique=True), st.data())
def test_all_forms_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "square"
    values = {(a, b): data.draw(st.integers(0, 9)) for i, a in enumerate(names) for b in names[:i]}
    whole = {a: {b: float(values.get((a, b), values.get((b, a), 0))) for b in names} for a in names}
    head = ["", *names]
    square = [head, *([a, *(f"{whole[a][b]:g}" for b in names)] for a in names)]
    pairs = [[a, b, str(value)] for (a, b), value in values.items()]
    for rows in (square, [["one", "other", "apart"], *pairs]):
        path.write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
        assert read_distances(str(path)) == whole
