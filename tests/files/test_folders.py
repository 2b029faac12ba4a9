"""A folder in place of files, and what is no place of files."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import LONG, Command

from agreement_fast.files import ReadError, read


def put(path: str, text: str = LONG) -> None:
    where = Path(path)
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(text)


def refusal(paths: str | list[str]) -> str:
    with pytest.raises(ReadError) as caught:
        read(paths)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_all_tables_below_are_read(folder: Path) -> None:
    for path in ("d/b/2.csv", "d/a.csv", "d/_tmp/x.csv", "d/.git/x.csv", "d/.h.csv", "d/~$a.csv",
                 "d/b/_SUCCESS", "d/c/3.csv"):  # fmt: skip
        put(path)
    table = read("d/")
    assert table.source.files == ("d/a.csv", "d/b/2.csv", "d/c/3.csv")
    assert table.source.notes == ()
    assert read(["d/c", "d/c/3.csv"]).source.notes == (
        "'d/c/3.csv' was named more than once and read once",
    )
    assert len(read("d/[bc]").source.files) == 2
    for name in ("README.md", "b/code.py", "b/LICENSE", "x.gz"):
        put(f"d/{name}")
    assert read("d").source.notes == (
        "of the files in 'd' these are no tables by their names: 'README.md', 'x.gz', 'b/LICENSE'"
        " and 1 more",
    )


def test_folders_that_leave_a_doubt(folder: Path) -> None:
    put("d/a.csv")
    put("d/b/b.jsonl")
    put("d/b/c.jsonl")
    assert refusal("d") == (
        "'d' is a folder with files of several formats, 1 of CSV and 2 of JSON: name those that"
        " are meant, as by the glob 'd/**/*.csv'"
    )
    put("e/README.md")
    assert "'e' is a folder without a file that is called like CSV" in refusal("e")


@pytest.mark.parametrize(
    ("log", "title"),
    [
        ("_delta_log/0.json", "Delta Lake"),
        (".hoodie/x", "Hudi"),
        ("metadata/v1.metadata.json", "Iceberg"),
    ],
)
def test_tables_with_a_log(folder: Path, log: str, title: str) -> None:
    put("lake/t/1.csv")
    put(f"lake/t/{log}")
    assert refusal("lake").startswith(f"'lake/t' is a table of {title}, whose log says which")


def test_a_folder_called_metadata_is_none(folder: Path) -> None:
    put("t/metadata/1.csv")
    assert read("t").source.files == ("t/metadata/1.csv",)


@pytest.mark.parametrize("path", ["s3://b/x=1/*.parquet", "https://e.org/t.csv", "abfss://c@a/t"])
def test_addresses(path: str, command: Command) -> None:
    message = command.error("report", path)
    assert message.startswith(f"'{path}' is not on this machine, and only local files are read")
    assert "Annotations.from_frame (docs/engines.md)" in message


def test_addresses_of_this_machine(folder: Path) -> None:
    put("http:/x/t.csv")
    assert read("http://x/t.csv").source.rows == 8
    assert refusal("file:///t.csv") == (
        "'file:///t.csv' is an address: write the path alone, without file://"
    )
