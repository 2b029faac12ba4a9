"""Surprises in lakes of files: restarted items, text files, odd values."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import Command

import agreement_fast as af
from agreement_fast.files import ReadError, read
from agreement_fast.files.file import split_key
from agreement_fast.files.opening import once


def put(path: str, text: str) -> None:
    where = Path(path)
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(text)


def days(second: tuple[str, str]) -> None:
    """Write two days with items of the same names."""
    for day, (one, two) in enumerate([("ann", "ben"), second], 1):
        rows = [
            f"{i},{who},{label}" for i in (1, 2) for who, label in ((one, "x"), (two, "xy"[i - 1]))
        ]
        put(f"lake/day={day}/p.csv", "item,coder,label\n" + "\n".join(rows) + "\n")


def restarted(**options: object) -> list[str]:
    notes = read("lake", **options).source.notes  # type: ignore[arg-type]
    return [note for note in notes if note.startswith("items of the same name")]


def test_restarted_items_are_reported(folder: Path) -> None:
    days(("cid", "dan"))
    (note,) = restarted()
    assert note.endswith(
        "folders with different values of 'day': if these are different items, pass --item day,item"
    )
    for options in ({"item": "day,item"}, {"where": "day = 1"}, {"by": "day"}):
        assert restarted(**options) == []
    with pytest.warns(af.ReadHint, match=r'pass item=\["day", "item"\]'):
        assert af.read("lake").n_items == 2


def test_folders_of_coders_are_no_restart(folder: Path) -> None:
    for who in "ab":
        put(f"lake/who={who}/p.csv", f"item,coder,label\n1,{who},x\n2,{who},y\n")
    assert restarted() == []


def test_numbers_of_items_begin_again_in_files(command: Command, folder: Path) -> None:
    ann = "item,coder,label\n" + "".join(f"{i},ann,x\n{i},ben,{'xy'[i % 2]}\n" for i in range(1, 5))
    other = ann.replace("ann", "cid").replace("ben", "dan")
    innocent = {
        "gap": other.replace("3,", "7,"),
        "from 2": other.replace("1,", "5,"),
        "two items": other[: other.index("3,")],
        "texts": other.replace(",cid", "b,cid"),
        "one coder": "".join(line for line in other.splitlines(True) if "dan" not in line),
    }
    put("a/1.csv", ann)
    for name, text in {**innocent, "again": other}.items():
        put("a/2.csv", text)
        notes = read("a").source.notes
        assert any("begin again in each file" in note for note in notes) is (name == "again")
    remedy = "put each file into a folder of its own, such as part=1, and pass --item part,item"
    assert remedy in " ".join(command.text("report", "a").split())
    assert "begin again" not in command.text("report", "a", "--item", "item")
    put("a/2.csv", ann)
    assert f": {remedy} if items restart in each file; else" in command.error("report", "a")
    for i, text in enumerate((ann, ann)):
        put(f"b/part={i}/1.csv", text)
    assert read("b", item="part,item").source.notes
    assert "16 judgments of 8 items by 2 coders" in command.text(
        "report", "b", "--item", "part,item"
    )


def test_an_error_on_repeats_names_the_key_first(command: Command, folder: Path) -> None:
    days(("ann", "ben"))
    assert ": pass --item day,item if items restart in each folder; else pass --duplicates" in (
        command.error("report", "lake")
    )


def test_groups_keep_what_is_known(folder: Path) -> None:
    for where in ("a=p/b=1", "a=/b=1", "a=/b=2", "a=/b="):
        put(f"lake/{where}/p.csv", "item,coder,label\n1,u,x\n1,v,x\n")
    result = [group for group, _ in read("lake", by="a,b").split()]
    assert result == [("p", 1), (None, 1), (None, 2), None]
    assert split_key("a·· · ·") == ("a·", None)


def test_texts_beside_tables_are_left_out(folder: Path) -> None:
    put("lake/1.csv", "item,coder,label\n1,u,x\n1,v,x\n")
    put("lake/README.txt", "What this is.\n")
    source = read("lake").source
    assert source.files == ("lake/1.csv",)
    assert "README.txt" in " ".join(source.notes)


def test_names_that_repeat_are_one_note() -> None:
    assert once(["a", "b", "a", "b", "a"]) == (
        ["a", "b"], ["'a' and 1 more were named more than once and read once"]
    )  # fmt: skip


def test_times_are_equal_however_written(folder: Path) -> None:
    put("d=2024-01-01/p.csv", "item,coder,label,d\n1,u,x,2024-01-01 00:00:00.000\n")
    assert read("d=2024-01-01", by="d").source.rows == 1


def test_nan_in_a_path_is_a_number(folder: Path) -> None:
    for score in ("0.5", "0.7", "nan"):
        put(f"lake/score={score}/p.csv", "item,coder,label\n1,u,x\n")
    assert read("lake", where="score < 0.6").source.rows == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"coder": "day,coder"}, "or --label label if they"),
        ({"where": "coder=ann"}, """quote it: --where "coder = 'ann'\""""),
        ({"where": "dy = 1"}, "no column 'dy' (did you mean 'day'?)"),
    ],
)
def test_errors_say_what_to_write(folder: Path, asked: dict[str, str], said: str) -> None:
    days(("cid", "dan"))
    with pytest.raises(ReadError) as caught:
        read("lake", **asked)  # type: ignore[arg-type]
    assert said in str(caught.value)


def test_files_that_lack_a_folder_are_counted(folder: Path) -> None:
    days(("cid", "dan"))
    put("lake/odd.csv", "item,coder,label\n1,u,x\n")
    with pytest.raises(ReadError, match=r"no column 'day' in 1 of 3 files, such as 'lake/odd.csv'"):
        read("lake", by="day")


def test_stored_patterns_are_not_a_table(folder: Path) -> None:
    table = pa.table({"weight": [1], "labels": [[1]]}).replace_schema_metadata(
        {"agreement_fast": "{}"}
    )
    pq.write_table(table, "p.parquet")
    with pytest.raises(ReadError, match="read_patterns"):
        read("p.parquet")
