"""``--matrix``, ``--tree`` and ``--cluster``: the same numbers as in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command import Command

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.inference import standard_error

ROWS = [
    ("1", "d1", "xx"), ("2", "d1", "yx"), ("3", "d2", "zy"), ("4", "d2", "zz"), ("5", "d3", "xx"),
    ("6", "d3", "zx"), ("7", "d3", "yy"),
]  # fmt: skip
TABLE = [list(said) for _, _, said in ROWS]
MATRIX = {"x": {"y": 1, "z": 2}, "y": {"z": 0.5}}
TREE = {"y": "yz", "z": "yz", "yz": "top", "x": "top"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [f"{i},{c},{y},{d}\n" for i, d, said in ROWS for c, y in zip("ab", said, strict=True)]
    (tmp_path / "long.csv").write_text("item,coder,label,doc\n" + "".join(lines))
    wide = [f"{i},{said[0]},{said[1]},{d}\n" for i, d, said in ROWS]
    (tmp_path / "wide.csv").write_text("item,a,b,doc\n" + "".join(wide))
    (tmp_path / "m.csv").write_text(",x,y,z\nx,0,1,2\ny,1,0,0.5\nz,2,0.5,0\n")
    (tmp_path / "t.txt").write_text("top\n  x\n  yz\n    y\n    z\n")
    return tmp_path


def values(document: dict) -> dict[tuple[str, str], float]:
    result = document["reports"][0]["table"]
    return {(one["coefficient"], one["distance"]): one["value"] for one in result}


def test_distances_of_files_are_those_of_python(command: Command, here: Path) -> None:
    names = "wu_palmer,tree_path,tree_path_scaled,leaf_overlap,level_dependent"
    call = ["report", "long.csv", "--coefficient", "alpha,kappa", "--matrix", "m.csv"]
    document = command.json(*call, "--tree", "t.txt", "--distance", names)
    result = values(document)
    assert document["options"]["matrix"] == "m.csv"
    expected = {
        "matrix": distances.matrix(MATRIX),
        "wu_palmer": distances.wu_palmer(TREE),
        "tree_path": distances.tree_path(TREE),
        "tree_path_scaled": distances.tree_path(TREE, scaled=True),
        "leaf_overlap": distances.leaf_overlap(TREE),
        "level_dependent:0.75": distances.level_dependent(TREE),
    }
    assert {distance for _, distance in result} == {"nominal", *expected}
    for name, distance in expected.items():
        assert result["alpha", name] == pytest.approx(af.alpha(TABLE, distance))
        # Who asks for kappa with a distance wants the weighted one.
        assert result["beta", name] == pytest.approx(af.beta(TABLE, distance))


def test_the_usual_distance_of_a_tree_is_named(command: Command, here: Path) -> None:
    text = command.text("report", "long.csv", "--tree", "t.txt")
    assert "distance wu_palmer (the default): by the tree of 5 labels" in " ".join(text.split())
    result = command.json("diagnose", "long.csv", "--tree", "t.txt")["diagnoses"][0]
    assert result["distance"] == "wu_palmer"
    assert result["value"] == pytest.approx(af.alpha(TABLE, distances.wu_palmer(TREE)))
    result = command.json("subsets", "long.csv", "--matrix", "m.csv", "--coefficient", "alpha")
    studied = result["studies"][0]["summaries"]
    assert [one["distance"] for one in studied] == ["nominal", "matrix"]


def test_numbers_are_found_by_what_they_are(command: Command, here: Path) -> None:
    (here / "n.csv").write_text("item,coder,label\n1,a,1\n1,b,2\n2,a,2\n2,b,2\n3,a,10\n3,b,1\n")
    (here / "m.csv").write_text("1.0,2,3\n1.0,10,4\n2,10,5\n")
    result = values(command.json("report", "n.csv", "--matrix", "m.csv", "--coefficient", "alpha"))
    expected = distances.matrix({1: {2: 3, 10: 4}, 2: {10: 5}})
    assert result["alpha", "matrix"] == pytest.approx(af.alpha([[1, 2], [2, 2], [10, 1]], expected))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--matrix", "none.csv"], "--matrix: 'none.csv' cannot be read: No such file"),
        (["--matrix", "long.csv"], "--matrix: 'long.csv': expected a square with"),
        (
            ["--matrix", "small.csv"],
            "--matrix small.csv: label 'z' is not in the file, which has x, y",
        ),
        (["--matrix", "empty.json"], "--matrix empty.json: the file names no categories"),
        (["--matrix", "large.csv"], "the distance of 'x' and 'y' is 1e+308, expected 1e+100 or"),
        (["--tree", "small.csv"], "'small.csv', line 1: 3 cells, expected a category and its"),
        (["--tree", "small.txt"], "--tree small.txt: label 'x' is not in the file, which has a, b"),
        (["--tree", "circle.txt"], "--tree circle.txt: the tree has a cycle: 'a' is below 'b'"),
        (["--distance", "tree_path"], "--distance tree_path compares nodes of a tree: pass --tree"),
        (["--distance", "matrix"], "--distance matrix is read from a file: pass --matrix FILE"),
        (
            ["--matrix", "m.csv", "--set-separator", ";"],
            "--matrix has distances between single labels",
        ),
        (["--tree", "t.txt", "--duplicates", "set"], "--tree has distances between single labels"),
        (
            ["--matrix", "m.csv", "--categories", "x,y,z,w"],
            "label 'w' is not in the file, which has x, y, z",
        ),
        (["--cluster", "dok"], "no column 'dok' (did you mean 'doc'?)"),
        (["--cluster", "doc", "--exclude", "doc"], "column 'doc' is both named and excluded"),
        (
            ["--cluster", "label"],
            "column 'label' has both 'y' and 'x' for item '2': all rows",
        ),
    ],
)
def test_faults(command: Command, here: Path, more: list[str], said: str) -> None:
    (here / "small.csv").write_text("x,y,1\n")
    (here / "empty.json").write_text("{}")
    (here / "large.csv").write_text("x,y,1e308\nx,z,1\ny,z,1\n")
    (here / "small.txt").write_text("a\n  b\n")
    (here / "circle.txt").write_text("a,b\nb,a\n")
    assert said in command.error("report", "long.csv", *more)


def test_clusters_are_the_sample(command: Command, here: Path) -> None:
    documents = [d for _, d, _ in ROWS]
    expected = standard_error(TABLE, "alpha", cluster=documents)
    for file, more in (("long.csv", []), ("wide.csv", ["--layout", "wide", "--coder", "a,b"])):
        result = command.json("report", file, *more, "--cluster", "doc", "--coefficient", "alpha")
        one = result["reports"][0]["table"][0]["interval"]
        assert one["standard_error"] == pytest.approx(expected.standard_error)
        assert [one["low"], one["high"]] == pytest.approx([expected.low, expected.high])
        assert any("the 3 values of doc" in note for note in result["source"]["notes"])
        # A_o by hand: the standard error of a ratio of sums over three documents.
        agrees = np.array([float(said[0] == said[1]) for _, _, said in ROWS]) - 4 / 7
        totals = np.array([agrees[:2].sum(), agrees[2:4].sum(), agrees[4:].sum()])
        observed = result["reports"][0]["observed"]
        assert observed["standard_error"] == pytest.approx(np.sqrt(1.5 * (totals**2).sum()) / 7)
        assert 0 <= observed["low"] < 4 / 7 < observed["high"] <= 1
    # Each item of its own is a sample of items, but for a factor of the number of items.
    result = command.json("report", "long.csv", "--cluster", "item", "--coefficient", "alpha")
    plain = command.json("report", "long.csv", "--method", "score", "--coefficient", "alpha")
    assert result["reports"][0]["table"] == plain["reports"][0]["table"]


def test_clusters_of_groups_and_of_resamples(command: Command, here: Path) -> None:
    call = ["report", "long.csv", "--cluster", "item", "--coefficient", "alpha"]
    text = command.text(*call, "--by", "doc")
    assert "the 2 to 3 a group values of item" in " ".join(text.split())
    result = command.json(
        *call[:2], "--cluster", "doc", "--n-resamples", "50", *call[4:], "--method", "percentile"
    )
    assert result["reports"][0]["table"][0]["interval"]["method"] == "percentile"


def test_items_without_a_cluster(command: Command, here: Path) -> None:
    (here / "long.csv").write_text("item,coder,label,doc\n1,a,x,\n1,b,x,\n2,a,x,d\n2,b,y,d\n")
    error = command.error("report", "long.csv", "--cluster", "doc")
    assert error == "--cluster: item 1 has no value in column doc"
