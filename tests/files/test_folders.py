"""A folder given instead of files, and paths that are refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
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
        "files in 'd' that are not tables by their names: 'README.md', 'x.gz', 'b/LICENSE'"
        " and 1 more",
    )


def test_ambiguous_folders(folder: Path) -> None:
    put("d/a.csv")
    put("d/b/b.jsonl")
    put("d/b/c.jsonl")
    assert refusal("d") == (
        "'d' is a folder with files of several formats, 1 of CSV and 2 of JSON: name those "
        "to read, for example by the glob 'd/**/*.csv'"
    )
    put("e/README.md")
    assert "'e' is a folder without a file whose name is that of CSV" in refusal("e")


def test_links_to_folders_are_followed(folder: Path) -> None:
    put("d/b/1.csv")
    put("far/x/2.csv")
    put("far/_x/no.csv")
    (folder / "d/a").symlink_to("../far")
    table = read("d")
    assert table.source.files == ("d/b/1.csv", "d/a/x/2.csv")
    assert table.source.notes == ()
    (folder / "link").symlink_to("d")
    assert read("link").source.files == ("link/b/1.csv", "link/a/x/2.csv")
    put("far too/3.csv")
    (folder / "far too/a").symlink_to("../far")
    assert read("far too").source.files == ("far too/3.csv", "far too/a/x/2.csv")
    put("far/_delta_log/0.json")
    assert refusal("d").startswith("'d/a' is a table of Delta Lake")


NOT_FOLLOWED = (
    "in 'd', links to folders that were already read, or that contain them, were not followed: "
)


@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    ("links", "files", "left_out"),
    [
        ({"d/b/self": "."}, [], "'b/self'"),
        ({"d/b/up": "../.."}, [], "'b/up'"),
        ({"d/b/top": ".."}, [], "'b/top'"),
        ({"d/a": "b"}, [], "'a'"),
        ({"d/a": "../far", "d/c": "../far"}, ["d/a/2.csv", "d/a/x/3.csv"], "'c'"),
        ({"d/a": "../far/x", "d/c": "../far"}, ["d/a/3.csv", "d/c/2.csv"], "'c/x'"),
        ({"d/a": "../far", "far/x/d": "../../d"}, ["d/a/2.csv", "d/a/x/3.csv"], "'a/x/d'"),
        ({"d/a": "../far", "far/x/r": "../.."}, ["d/a/2.csv", "d/a/x/3.csv"], "'a/x/r'"),
        ({"d/a": "../far/x", "far/x/up": ".."}, ["d/a/3.csv"], "'a/up'"),
        ({f"d/{i}": "b" for i in range(5)}, [], "'0', '1', '2' and 2 more"),
    ],
)
def test_links_that_lead_back(
    links: dict[str, str], files: list[str], left_out: str, folder: Path
) -> None:
    """Every file is read once, and a note lists links that are not followed."""
    for path in ("d/b/1.csv", "far/2.csv", "far/x/3.csv"):
        put(path)
    for path, target in links.items():
        (folder / path).symlink_to(target)
    source = read("d").source
    assert source.files == ("d/b/1.csv", *files)
    assert source.notes == (NOT_FOLLOWED + left_out,)


def test_links_that_lead_nowhere(folder: Path) -> None:
    put("d/1.csv")
    for name in ("2.csv", "_3.csv"):
        (folder / "d" / name).symlink_to("/none/of/these")
    (folder / "d/loop").symlink_to("loop")
    os.mkfifo("d/pipe")
    assert read("d").source.notes == ("in 'd', links that lead nowhere: '2.csv', 'loop'",)


def test_folders_that_cannot_be_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("d/1.csv")
    put("d/b/2.csv")
    opened = os.scandir

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        if path == "d/b":
            raise PermissionError(13, "Permission denied", path)
        return opened(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert refusal("d") == (
        "the folder 'd/b' cannot be opened: Permission denied; name the files to read, or a glob"
    )


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


def test_a_folder_called_metadata_may_have_no_log(folder: Path) -> None:
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
