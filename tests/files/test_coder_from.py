"""Files of one coder each: the path names the coder."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from command import Command

from agreement_fast.files import (
    ReadError,
    ReadOptions,
    Stream,
    Workplace,
    open_table,
    read,
    stream,
)
from agreement_fast.files.file import coders_of

ANN, BEN = "item,label\n1,x\n2,y\n3,x\n", "item,label\n1,x\n2,x\n3,x\n"


@pytest.fixture
def two(folder: Path) -> list[str]:
    (folder / "codes_ann.csv").write_text(ANN)
    (folder / "codes_ben.csv").write_text(BEN)
    return ["codes_ann.csv", "codes_ben.csv"]


@pytest.mark.parametrize(
    ("names", "asked", "coders"),
    [
        (["ann.csv", "ben.csv"], "file", ["ann", "ben"]),
        (["x/codes_ann.csv", "y/codes_ben.csv.gz"], "file", ["ann", "ben"]),
        (["ann-v2.jsonl.zst", "ben-v2.xlsx"], "file", ["ann", "ben"]),
        (["s1_ann_end.csv", "s1_ben_end.csv"], "file", ["ann", "ben"]),
        (["s_ann.v1.csv", "s_ben.v1.csv"], "file", ["ann", "ben"]),
        # Names are not cut within a word, and something is always left.
        (["anna.csv", "anne.csv"], "file", ["anna", "anne"]),
        (["roman.csv", "dan.csv"], "file", ["roman", "dan"]),
        (["codes.csv", "codes_ben.csv"], "file", ["codes", "codes_ben"]),
        (["a_b.csv", "a_.csv"], "file", ["a_b", "a_"]),
        (["codes_ann.csv"], "file", ["codes_ann"]),
        (["p/ann/1.csv", "p/ben/1.csv"], "([^/]+)/[^/]+$", ["ann", "ben"]),
        (["p/ann/1.csv", "p/ann/2.csv"], "p/(?P<coder>a+)(n)", ["a", "a"]),
    ],
)
def test_coders_of_paths(names: list[str], asked: str, coders: list[str]) -> None:
    assert coders_of(names, asked)[0] == coders


@pytest.mark.parametrize("restart", [True, False])
def test_items_that_start_again_in_each_folder(folder: Path, restart: bool) -> None:
    for batch, coders in (("b1", ("ann", "ben")), ("b2", ("cyn", "dan"))):
        (folder / batch).mkdir()
        for coder in coders:
            text = ANN if restart or batch == "b1" else ANN.replace("\n", "\n1")[:-1]
            (folder / batch / f"{coder}.csv").write_text(text)
    notes = " ".join(read(["b1", "b2"], coder_from="file").source.notes)
    assert ("items of the same name are in folders with different values" in notes) is restart
    table = read(["b1", "b2"], coder_from="file", item=["folder", "item"])
    assert table.items is not None
    assert len(table.items.values) == 6


def test_a_column_called_like_a_coder_is_ignored(folder: Path) -> None:
    (folder / "ann.csv").write_text("item,Annotator,label\n1,A,x\n")
    (folder / "ben.csv").write_text("item,Annotator,label\n1,B,x\n")
    table = read(["ann.csv", "ben.csv"], coder_from="file")
    note = "column 'Annotator' is ignored: --coder-from says who the coders are"
    assert (table.coder_names, table.source.notes) == (["ann", "ben"], (note,))
    for used in ({"by": "Annotator"}, {"exclude": ["Annotator"]}, {"item": "Annotator"}):
        assert note not in read(["ann.csv", "ben.csv"], coder_from="file", **used).source.notes


@pytest.mark.parametrize(
    ("names", "asked", "message"),
    [
        (["a.csv", "-"], "file", "standard input has no file name"),
        (["x/a.csv", "y/a.csv"], "file", "all files are called 'a': pass --coder-from folder"),
        (["a.csv"], "(", "--coder-from '(' is no regular expression"),
        (["a.csv"], "a", "has 0 groups: put only the coder's part"),
        (["a.csv"], "(a)(.)", "has 2 groups"),
        (["a.csv"], "(b)", "--coder-from '(b)' finds no coder in 'a.csv'"),
        (["a.csv"], "(b)?a", "finds no coder"),
        (["a.csv"], "(b*)a", "finds no coder"),
    ],
)
def test_coders_that_cannot_be_found(names: list[str], asked: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        coders_of(names, asked)
    assert message in str(caught.value)


def test_notes_on_cut_and_joined_names() -> None:
    assert coders_of(["s_ann.v1.csv", "s_ben.v1.csv"], "file")[1] == [
        "coders are the file names without 's_' and '.v1', which they all share"
    ]
    assert coders_of(["x/a.csv", "y/a.csv", "b.csv"], "file")[1] == [
        "several files are called 'a' and are read as one coder"
    ]


def test_each_file_is_of_one_coder(command: Command, folder: Path, two: list[str]) -> None:
    joined = "item,coder,label\n" + "".join(
        f"{line.replace(',', f',{coder},')}\n"
        for coder, text in (("ann", ANN), ("ben", BEN))
        for line in text.split()[1:]
    )
    (folder / "joined.csv").write_text(joined)
    expected = command.json("report", "joined.csv")["reports"]
    for options in ("file", "codes_(.*)[.]csv"):
        result = command.json("report", *two, "--coder-from", options)
        assert result["reports"] == expected
        assert result["source"]["columns"]["coder"] == "file name"
        assert result["source"]["guessed"] == ["item", "label"]
    table = read(two, coder_from="file", where="item <> '2'")
    assert table.coders.decode().tolist() == ["ann", "ann", "ben", "ben"]
    shown = " ".join(command.text("report", "codes_*.csv", "--coder-from", "file").split())
    assert "coder is file name" in shown
    assert "without 'codes_', which they all share" in shown


def test_files_without_coders_are_an_error(command: Command, folder: Path, two: list[str]) -> None:
    advice = "pass --coder, or --coder-from file if each file is of one coder"
    assert advice in command.error("report", *two)
    assert "--coder-from" not in command.error("report", two[0])
    (folder / "a.csv").write_text("start,end\n1,2\n")
    (folder / "b.csv").write_text("start,end\n1,2\n")
    assert advice in command.error("units", "a.csv", "b.csv")
    result = command.json("units", "a.csv", "b.csv", "--coder-from", "file", "--length", "9")
    assert result["coders"] == ["a", "b"]


def test_a_column_may_be_called_like_ours(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.csv").write_text("item,label,file name\n1,x,q\n2,y,q\n")
    table = read(["a.csv", "b.csv"], coder_from="file", where="\"file name\" = 'q'")
    assert table.coders.decode().tolist() == ["a", "a", "b", "b"]
    assert table.source.coder == "file name_"
    # The column of coders is not used, and the names are data.
    (folder / "o'neil.csv").write_text("item,coder,label\n1,someone,x\n")
    (folder / "b.csv").write_text("item,coder,label\n1,someone,x\n")
    table = read(["o'neil.csv", "b.csv"], coder_from="file")
    assert table.coders.decode().tolist() == ["o'neil", "b"]


def test_what_excludes_a_coder_from_a_file(command: Command, two: list[str]) -> None:
    assert command.error("report", *two, "--coder-from", "file", "--layout", "wide") == (
        "--coder-from and --layout wide exclude each other: each column is a coder"
    )
    for name in ("report", "units"):
        assert command.error(name, *two, "--coder-from", "file", "--coder", "item") == (
            "--coder and --coder-from exclude each other"
        )


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_many_rows_of_one_coder_a_file(
    folder: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pandas as pd

    names = []
    for coder, labels in (("ann", [1, 2]), ("ben", [1, 1])):
        frame = pd.DataFrame({"item": [7, 8], "label": labels})
        names.append(f"{coder}.{form}")
        frame.to_csv(names[-1], index=False) if form == "csv" else frame.to_parquet(names[-1])
    monkeypatch.setattr(stream, "LARGE", 1)
    monkeypatch.setattr(stream, "LARGE_FILE", 1)
    with ExitStack() as stack:
        table = open_table(Workplace(stack), names, ReadOptions(coder_from="file"))
        assert isinstance(table, Stream)
        assert table.coder_names == ["ann", "ben"]
        (part,) = table.parts(lambda done: None)
        names_of = part.coders.values[part.coders.codes].tolist()
        assert sorted(zip(names_of, part.labels.decode().tolist(), strict=True)) == [
            ("ann", 1), ("ann", 2), ("ben", 1), ("ben", 1),
        ]  # fmt: skip
