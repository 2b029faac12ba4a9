"""Several columns name an item together."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from command import Command
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast.files import (
    ReadError,
    ReadOptions,
    Stream,
    Workplace,
    open_table,
    read,
    stream,
)

TEXT = """\
doc,sent,who,code
1,23,Ann,x
1,23,Ben,x
12,3,Ann,y
12,3,Ben,x
"""


def items(table: Any) -> list[str]:
    result: list[str] = table.items.decode().tolist()
    return result


def test_columns_are_joined(command: Command, folder: Path) -> None:
    (folder / "k.csv").write_text(TEXT)
    expected = ["1 · 23", "1 · 23", "12 · 3", "12 · 3"]
    for item in ("doc,sent", "doc, sent", ["doc", "sent"], ("doc", "sent"), 'doc,"sent"'):
        table = read("k.csv", item=item, coder="who", label="code")
        assert items(table) == expected
        assert table.source.item == "doc,sent"
    named = ["--item", "doc,sent", "--coder", "who", "--label", "code"]
    result = command.json("report", "k.csv", *named)
    assert (result["source"]["columns"]["item"], result["reports"][0]["n_items"]) == ("doc,sent", 2)
    (folder / "one.csv").write_text("id,who,code\n" + TEXT.split("\n", 1)[1].replace(",", "/", 1)
                                    .replace("12,3", "12/3").replace("1,23", "1/23"))  # fmt: skip
    one = command.json("report", "one.csv", "--coder", "who", "--label", "code")
    assert one["reports"] == result["reports"]
    assert "item is doc,sent" in command.text("report", "k.csv", *named)
    assert items(read("k.csv", item=["sent", "doc"], coder="who", label="code"))[0] == "23 · 1"


def test_the_other_columns_are_still_guessed(folder: Path) -> None:
    """A part of the key has no other role."""
    Path("k.csv").write_text("item,label,rater,rating\n1,2,a,x\n1,2,b,y\n")
    table = read("k.csv", item=["item", "label"])
    assert (table.source.coder, table.source.label) == ("rater", "rating")
    assert table.source.guessed == ("coder", "label")


def test_a_column_whose_name_has_a_comma_wins(folder: Path) -> None:
    Path("k.csv").write_text('"a,b",a,b,coder,label\nq,1,2,x,1\n')
    assert items(read("k.csv", item="a,b")) == ["q"]
    assert items(read("k.csv", item=["a", "b"])) == ["1 · 2"]
    assert items(read("k.csv", item='"a,b",a')) == ["q · 1"]


@pytest.mark.breadth
@given(st.lists(
    st.tuples(st.text("·ab, \"'", min_size=1), st.text("·ab, \"'", min_size=1)),
    min_size=1, max_size=12, unique=True,
))  # fmt: skip
@example([("a · b", "c"), ("a", "b · c")])
@examples(30, deadline=None)
def test_a_key_is_never_ambiguous(pairs: list[tuple[str, str]]) -> None:
    """Different cells give different keys."""
    rows = [{"a": a, "b": b, "coder": "x", "label": 1} for a, b in pairs]
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "k.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        table = read(str(path), item=["a", "b"])
    assert len(set(items(table))) == len(pairs)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_many_rows_have_such_keys(folder: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd

    path = f"k.{form}"
    frame = pd.DataFrame({"doc": [1, 1, 12, 12], "sent": [23, 23, 3, 3], "coder": list("abab"),
                          "label": [1, 2, 1, 1]})  # fmt: skip
    {
        "csv": lambda: frame.to_csv(path, index=False),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "parquet": lambda: frame.to_parquet(path),
    }[form]()
    monkeypatch.setattr(stream, "LARGE", 1)
    monkeypatch.setattr(stream, "LARGE_FILE", 1)
    with ExitStack() as stack:
        table = open_table(Workplace(stack), [path], ReadOptions(item=("doc", "sent")))
        assert isinstance(table, Stream)
        names = set()
        for part in table.parts(lambda done: None):
            names |= {table.in_names(code) for code in set(part.items.codes.tolist())}
        assert names == {"item '1 · 23'", "item '12 · 3'"}


@pytest.mark.parametrize("many", [False, True])
def test_a_key_without_a_part(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    (folder / "k.csv").write_text(TEXT.replace("12,3,Ann", "12,,Ann"))
    named = ["--item", "doc,sent", "--coder", "who", "--label", "code"]
    if many:
        monkeypatch.setattr(stream, "LARGE", 1)
        monkeypatch.setattr(stream, "LARGE_FILE", 1)
    condition = "doc is not null and sent is not null"
    assert command.error("report", "k.csv", *named) == (
        "1 row has no value in column 'doc' or 'sent' (the first is row 3 below the header):"
        f" --where '{condition}' leaves such rows out"
    )
    assert command.json("report", "k.csv", *named, "--where", condition)["source"]["rows"] == 3


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (["doc", "send"], "no column 'send' (did you mean 'sent'?)"),
        (["doc", "doc"], "--item names column 'doc' twice"),
        (["doc", "who"], "item, coder and label must be three different columns"),
        (["doc", "code"], "item, coder and label must be three different columns"),
        (["doc", ""], "--item has an empty name"),
        ([], "--item has an empty name"),
    ],
)
def test_invalid_keys(folder: Path, named: list[str], message: str) -> None:
    Path("k.csv").write_text(TEXT)
    with pytest.raises(ReadError) as caught:
        read("k.csv", item=named, coder="who", label="code")
    assert message in str(caught.value)


def test_every_file_has_the_parts(folder: Path) -> None:
    Path("k.csv").write_text(TEXT)
    Path("l.csv").write_text(TEXT.replace("sent", "line"))
    with pytest.raises(ReadError, match=r"no column 'sent'.*'l.csv' has"):
        read(["k.csv", "l.csv"], item=["doc", "sent"], coder="who", label="code")


def test_keys_of_wide_tables_and_of_documents(command: Command, folder: Path) -> None:
    (folder / "w.csv").write_text("doc,sent,A,B\n1,23,x,x\n12,3,x,y\n")
    table = read("w.csv", item=["doc", "sent"], layout="wide")
    assert (items(table), table.coders) == (["1 · 23", "12 · 3"], ("A", "B"))
    with pytest.raises(ReadError, match="column 'sent' has two roles"):
        read("w.csv", item=["doc", "sent"], layout="wide", coder=["A", "sent"])
    (folder / "u.csv").write_text("doc,page,coder,start,end\n1,23,a,0,2\n12,3,a,1,2\n1,23,b,0,2\n")
    result = command.json("units", "u.csv", "--document", "doc,page", "--length", "9")
    assert [one["name"] for one in result["documents"]] == ["1 · 23", "12 · 3"]
    assert result["source"]["columns"]["document"] == "doc,page"


def test_several_columns_name_a_coder(command: Command, folder: Path) -> None:
    (folder / "k.csv").write_text(TEXT.replace("sent", "wave"))
    named = ["--item", "doc", "--coder", "who,wave", "--label", "code"]
    result = command.json("report", "k.csv", *named)
    assert result["source"]["columns"]["coder"] == "who,wave"
    assert result["reports"][0]["n_coders"] == 4
    table = read("k.csv", item="doc", coder=["who", "wave"], label="code")
    assert set(table.coder_names) == {"Ann · 23", "Ben · 23", "Ann · 3", "Ben · 3"}
    # A forgotten --layout wide is an error, so that labels are not read as coders.
    with pytest.raises(
        ReadError, match="several coder columns: pass --layout wide if each column is a"
    ):
        read("k.csv", item="doc", coder=["who", "code"])
    with pytest.raises(ReadError, match="item, coder and label must be three different columns"):
        read("k.csv", item="doc", coder=["who", "doc"], label="code")


def test_columns_with_labels_in_common_are_coders(command: Command, folder: Path) -> None:
    rows = ["a,x,x,y", "b,y,x,y", "c,y,y,y", "d,x,x,x"]
    (folder / "wide.csv").write_text("\n".join(["item,ann,bob,cyn", *rows]))
    (folder / "label.csv").write_text("\n".join(["item,ann,bob,label", *rows]))
    (folder / "apart.csv").write_text("\n".join(["item,ann,bob,cyn", "a,x,1,y", "b,y,2,y"]))
    wide = command.json("report", "wide.csv", "--layout", "wide", "--coder", "ann,bob")["reports"]
    assert command.json("report", "wide.csv", "--coder", "ann,bob")["reports"] == wide
    assert af.read("wide.csv", coder=["ann", "bob"]).coders == ("ann", "bob")
    for name in ("label", "apart"):
        assert "several coder columns" in command.error(
            "report", f"{name}.csv", "--coder", "ann,bob"
        )
    assert "'nobody'" in command.error("report", "wide.csv", "--coder", "ann,nobody")


def test_many_rows_of_coders_of_several_columns(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("k.csv").write_text(TEXT)
    for name in ("LARGE", "LARGE_FILE"):
        monkeypatch.setattr(stream, name, 1)
    with ExitStack() as stack:
        options = ReadOptions(item="code", coder="who,sent", label="doc")
        table = open_table(Workplace(stack), ["k.csv"], options)
        assert isinstance(table, Stream)
        assert table.coder_names == ["Ann · 23", "Ann · 3", "Ben · 23", "Ben · 3"]


def test_a_column_is_called_as_two_together(folder: Path) -> None:
    """Both are read, and neither replaces the other."""
    Path("k.csv").write_text('"a,b",a,b,coder\nq,1,2,x\nr,1,3,x\n')
    table = read("k.csv", item=["a", "b"], coder="coder", label="a,b", by=["b", "a"])
    assert (items(table), table.labels.decode().tolist()) == (["1 · 2", "1 · 3"], ["q", "r"])
    assert (table.source.item, table.source.label) == ('"a","b"', "a,b")
    again = read("k.csv", item=table.source.item, coder="coder", label="a,b")
    assert items(again) == items(table)
