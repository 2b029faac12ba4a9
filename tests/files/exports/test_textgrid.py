"""Praat's TextGrids become units of time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from damage import blots, changed, cuts, refused
from exported import read, units, write_zip
from praatio.utilities import textgrid_io

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.export import find_tool
from agreement_fast.files.exports.reading import continuum_of
from agreement_fast.units import Continuum, u_alpha

LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 2.5
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "move_A"
        xmin = 0
        xmax = 2.5
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 0.5004
            text = "up ""and"" down"
        intervals [2]:
            xmin = 0.5004
            xmax = 1.25
            text = "  "
        intervals [3]:
            xmin = 1.25
            xmax = 2.5
            text = "item [2]: intervals [1]:
two lines 3 <exists> ! no remark"
    item [2]:
        class = "TextTier"
        name = "beats_A"
        xmin = 0
        xmax = 2.5
        points: size = 1
        points [1]:
            number = 0.7
            mark = "x"
    item [3]:
        class = "IntervalTier"
        name = "move_B"
        xmin = 0
        xmax = 2.5
        intervals: size = 0
"""
SHORT = """File type = "ooTextFile"
"TextGrid"

0
2.5
<exists>
3
"IntervalTier"
"move_A"
0
2.5
3
0
0.5004
"up ""and"" down"
0.5004
1.25
"  "
1.25
2.5
"item [2]: intervals [1]:
two lines 3 <exists> ! no remark"
"TextTier" "beats_A" 0 2.5 1  ! one line, and a remark "with a mark
0.7 "x"
"IntervalTier" "move_B" 0 2.5 0"""
TWO_LINES = "item [2]: intervals [1]:\ntwo lines 3 <exists> ! no remark"
ENTRIES: list[list[Any]] = [[0, 0.5004, 'up "and" down'], [1.25, 2.5, TWO_LINES]]
SPARSE = {
    "start": 0,
    "end": 2.5,
    "tiers": {
        "move_A": {"type": "IntervalTier", "entries": ENTRIES},
        "beats_A": {"type": "TextTier", "entries": [[0.7, "x"]]},
        "move_B": {"type": "IntervalTier", "entries": []},
    },
}
FULL = {
    "xmin": 0,
    "xmax": 2.5,
    "tiers": [
        {"class": one["type"], "name": name, "xmin": 0, "xmax": 2.5, "entries": one["entries"]}
        for name, one in SPARSE["tiers"].items()  # type: ignore[attr-defined]
    ],
}


@pytest.mark.parametrize(
    "content",
    [
        LONG.encode(),
        LONG.replace("\n", "\r\n").encode("utf-16"),
        b"\xef\xbb\xbf" + LONG.encode(),
        SHORT.encode(),
        b"\xfe\xff" + SHORT.replace('ooTextFile"', 'ooTextFile short"').encode("utf-16-be"),
        json.dumps(SPARSE).encode(),
        json.dumps(FULL).encode(),
        json.dumps(FULL, indent=1).replace("0.5004", '"0.5004"').encode(),
    ],
    ids=["long", "utf-16", "bom", "short", "utf-16-be", "sparse", "full", "texts"],
)  # fmt: skip
def test_all_forms_hold_the_same(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "talk.TextGrid"
    path.write_bytes(content)
    export = read(path, coder_from="tier-suffix")
    assert export.tool.name == "textgrid"
    assert export.questions == ("move",)
    assert [(*row[:4], row[4].replace("\r\n", "\n")) for row in units(export)] == [
        ("talk", "A", 0, 0.5, 'up "and" down'),
        ("talk", "A", 1.25, 2.5, TWO_LINES),
    ]
    result = export.contents
    assert export.units(None).everyone == ("A", "B")
    assert result.extents == {"talk": (0, 2.5)}
    assert result.unit == "seconds"
    assert result.left_out == {"point tiers": 1}
    assert "times are rounded to steps of 0.001 seconds" in export.notes()


@pytest.mark.parametrize("form", ["long_textgrid", "short_textgrid", "json", "textgrid_json"])
def test_what_praatio_writes(tmp_path: Path, form: Any) -> None:
    tiers = [
        {"class": "IntervalTier", "name": name, "xmin": 0.0, "xmax": 3.0, "entries": entries}
        for name, entries in {
            "a": [(0.0, 1.0, "x"), (1.5, 2.0, 'say "y"'), (2.0, 3.0, "ü 1")],
            "b": [(0.25, 1.0, "x")],
        }.items()
    ]
    text = textgrid_io.getTextgridAsStr(
        {"xmin": 0.0, "xmax": 3.0, "tiers": tiers}, form, includeBlankSpaces=True
    )
    path = tmp_path / "p.TextGrid"
    path.write_text(text, encoding="utf-8")
    export = read(path, coder_from="file")
    assert units(export, "a") == [
        ("recording", "p", 0, 1, "x"),
        ("recording", "p", 1.5, 2, 'say "y"'),
        ("recording", "p", 2, 3, "ü 1"),
    ]
    assert units(export, "b") == [("recording", "p", 0.25, 1, "x")]


def test_steps_of_time(tmp_path: Path) -> None:
    path = tmp_path / "t.TextGrid"
    path.write_text(LONG)
    export = read(path, coder_from="tier-suffix", resolution=0.5)
    assert [row[2:4] for row in units(export)] == [(0, 0.5), (1, 2.5)]
    assert export.contents.step == 0.5
    short = read(path, coder_from="tier-suffix", resolution=2.0)
    assert units(short) == []
    assert "spans of no length were left out (2)" in short.units(None).notes
    for wrong in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ReadError, match="--resolution must be"):
            read(path, coder_from="tier-suffix", resolution=wrong)
    with pytest.raises(ReadError, match="too large for steps"):
        read(path, coder_from="tier-suffix", resolution=1e-300)


def grid(*intervals: tuple[float, float, str], end: float = 10) -> str:
    """Write a short TextGrid with one tier."""
    rows = "\n".join(f'{a} {b} "{text}"' for a, b, text in intervals)
    tier = f'"IntervalTier" "move" 0 {end} {len(intervals)}\n{rows}'
    return f'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0 {end} <exists> 1\n{tier}\n'


def test_files_are_coders(tmp_path: Path) -> None:
    path = write_zip(
        tmp_path / "all.zip",
        {
            "talk/ann.TextGrid": grid((0, 1, "a"), (2, 12, "b")),
            "talk/ben.TextGrid": grid((1, 2, "a")),
            "talk/talk.wav": b"RIFF",
        },
    )
    export = read(path)
    assert units(export) == [
        ("talk", "ann", 0, 1, "a"),
        ("talk", "ann", 2, 12, "b"),
        ("talk", "ben", 1, 2, "a"),
    ]
    assert export.contents.extents == {"talk": (0, 12)}
    assert export.contents.left_out == {"files other than TextGrids": 1}


def test_the_coefficient_is_that_of_the_units(tmp_path: Path) -> None:
    for coder, end in (("ann", 4), ("ben", 5)):
        (tmp_path / f"{coder}.TextGrid").write_text(grid((0, end, "a"), (end, 8, "b")))
    export = read(tmp_path)
    assert "all files are read as one recording: --document-from changes that" in export.notes()
    assert "each file is read as one coder: --coder-from changes that" in export.notes()
    result = export.units(None)
    ours = continuum_of(result)
    byhand = Continuum.from_rows(
        ["ann", "ann", "ben", "ben"], [0, 4000, 0, 5000], [4000, 8000, 5000, 8000],
        ["a", "b", "a", "b"], extents=10_000,
    )  # fmt: skip
    assert u_alpha(ours).value == u_alpha(byhand).value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LONG[:300], "line 17: the file ends where xmax should be: it is truncated"),
        (LONG[: LONG.index("two lines")], "does not end: the file is truncated"),
        (LONG.replace("s: size = 3", "s: size = 4"), "expected xmin, got 'TextTier'"),
        (LONG.replace("size = 3", "size = 3.5"), "must be a count, got '3.5'"),
        (LONG.replace('"IntervalTier"', '"Interval"'), "must be 'IntervalTier' or 'TextTier'"),
        (LONG.replace("xmax = 1.25", "xmax = 0.25"), "tier 'move_A' ends before it begins"),
        (LONG.replace("xmax = 1.25", "xmax = soon"), "expected xmax, got '  '"),
        (LONG.replace("xmax = 1.25", "xmax = 1e999"), "xmax is not a time"),
        (LONG.replace('"TextGrid"', '"Pitch 1"'), "this is a 'Pitch 1' of Praat, not a TextGrid"),
        (LONG.replace("move_B", "move_A"), "are both layer 'move' of coder 'A'"),
        ('"Praat chronological TextGrid text file"\n0 1', "is a chronological TextGrid"),
        ("ooBinaryFile\x08TextGrid", "ends where the file type should be"),
        ("", "ends where the file type should be"),
        (json.dumps(SPARSE)[:-1], "is not JSON"),
        ("{" * 100, "is not JSON"),
        ('{"start": ' + "[" * 100_000, "is not JSON"),
        (json.dumps({**SPARSE, "start": "soon"}), "start: expected a time, got 'soon'"),
        (json.dumps({**FULL, "tiers": None}), "'tiers' must be a list, got 'null'"),
        (json.dumps({**FULL, "tiers": [{"name": "x", "class": "Y", "entries": []}]}), "class 'Y'"),
        (json.dumps({**SPARSE, "tiers": {"x": {"type": "IntervalTier", "entries": [[1, 2]]}}}),
         r"must be \[start, end, text\]"),
        (json.dumps({**SPARSE, "tiers": {"x": {"type": "IntervalTier", "entries": [[2, 1, ""]]}}}),
         "ends before it begins"),
    ],
)  # fmt: skip
def test_errors_are_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "t.TextGrid"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ReadError, match=message) as caught:
        read(path, format="textgrid", coder_from="tier-suffix")
    assert "t.TextGrid" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_another_encoding_must_be_named(tmp_path: Path) -> None:
    path = tmp_path / "t.TextGrid"
    path.write_bytes(LONG.replace("down", "dün").encode("latin-1"))
    with pytest.raises(ReadError, match=r"is not UTF-8: .* --encoding"):
        read(path, coder_from="tier-suffix")
    assert units(read(path, coder_from="tier-suffix", encoding="latin-1"))[0][4] == 'up "and" dün'


@pytest.mark.breadth
def test_broken_files_raise_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "t.TextGrid"
    good = 0
    for text in (LONG, SHORT, json.dumps(SPARSE), json.dumps(FULL)):
        for content in (*cuts(text.encode()), *blots(text.encode())):
            path.write_bytes(content)
            good += refused(path, format="textgrid", coder_from="tier-suffix") is None
    for whole in (SPARSE, FULL):
        for other in changed(whole, every=6):
            path.write_text(json.dumps(other))
            good += refused(path, format="textgrid", coder_from="tier-suffix") is None
    assert good > 100


@pytest.mark.parametrize(
    "content",
    [
        "",
        "item,coder,label\n1,a,x\n",
        '{"start": 1, "end": 2, "label": "x"}\n',
        '"ooTextFile"',
        "{",
    ],
)
def test_other_files_are_not_recognised(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.TextGrid"
    path.write_text(content)
    assert find_tool(Bundle.of([str(path)]), None) is None
