"""Files become columns of codes: formats, dialects, roles of columns, types, and clear refusals."""

from __future__ import annotations

import gzip
import json
import os
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packed import PACKINGS

import agreement_fast as af
from agreement_fast.files import (
    LongTable,
    ReadError,
    ReadOptions,
    WideTable,
    Workplace,
    open_table,
    read,
)
from agreement_fast.files.errors import show

LONG = "item,coder,label\na,x,yes\na,y,no\nb,x,\nb,y,no\n"
ROWS = [("a", "x", "yes"), ("a", "y", "no"), ("b", "x", None), ("b", "y", "no")]


def write(path: Path, text: str | bytes) -> str:
    """Write a file and return its name."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def rows(table: LongTable | WideTable) -> list[tuple[Any, ...]]:
    """Return a long table as triples."""
    assert isinstance(table, LongTable)
    return list(
        zip(
            table.items.decode().tolist(),
            table.coders.decode().tolist(),
            table.labels.decode().tolist(),
            strict=True,
        )
    )


def refusal(*args: Any, **options: Any) -> str:
    """Return the error for a file, which is one line."""
    with pytest.raises(ReadError) as caught:
        read(*args, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


# -- formats


@pytest.mark.few(every=2)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("comma.csv", LONG),
        ("tab.tsv", LONG.replace(",", "\t")),
        ("tab.txt", LONG.replace(",", "\t")),
        ("semicolon.csv", LONG.replace(",", ";")),
        ("bar.csv", LONG.replace(",", "|")),
        ("windows.csv", LONG.replace("\n", "\r\n")),
        ("old_mac.csv", LONG.replace("\n", "\r")),
        ("marked.csv", "\ufeff" + LONG),
        ("leading_blank.csv", "\n\n" + LONG),
        ("quoted.csv", '"item","coder","label"\n"a","x","yes"\na,"y",no\nb,x,""\nb,y,no\n'),
        ("utf16.csv", LONG.encode("utf-16")),
        ("big_endian.csv", b"\xfe\xff" + LONG.encode("utf-16-be")),
        ("text.xls", LONG),
        ("tabs.xls", LONG.replace(",", "\t").encode("utf-16")),
        ("packed_utf16.csv.gz", gzip.compress(LONG.encode("utf-16"), mtime=0)),
        ("no_end.csv", LONG.rstrip("\n")),
        *((f"packed.csv{end}", pack(LONG.encode())) for end, pack in PACKINGS.values()),
        *((f"packed_by_{name}", pack(LONG.encode())) for name, (_, pack) in PACKINGS.items()),
        ("no_extension", LONG),
        ("glob[1]*?.csv", LONG),
        ('it\'s "quoted".csv', LONG),
    ],
)
def test_csv_dialects_read_alike(tmp_path: Path, name: str, text: str | bytes) -> None:
    assert rows(read(write(tmp_path / name, text))) == ROWS


JSON_LINES = "\n".join(
    json.dumps({"item": i, "coder": c, "label": label, "other": {"x": [1]}}) for i, c, label in ROWS
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lines.jsonl", JSON_LINES),
        ("lines.ndjson", JSON_LINES),
        ("array.json", "[" + JSON_LINES.replace("\n", ",") + "]"),
        ("unnamed", JSON_LINES),
        *((f"packed.jsonl{end}", pack(JSON_LINES.encode())) for end, pack in PACKINGS.values()),
        *((f"packed_by_{name}", pack(JSON_LINES.encode())) for name, (_, pack) in PACKINGS.items()),
    ],
)
def test_json_reads_like_csv(tmp_path: Path, name: str, text: str | bytes) -> None:
    assert rows(read(write(tmp_path / name, text))) == ROWS


def write_parquet(path: Path, columns: dict[str, Any]) -> str:
    """Write a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), path)
    return str(path)


def test_parquet_keeps_types(tmp_path: Path) -> None:
    import pyarrow as pa

    columns = {
        "item": ["a", "a", "b", "b"],
        "coder": [1, 2, 1, 2],
        "label": pa.array([1.5, 2.0, None, float("nan")]),
        "text": ["1", "2", "1", "x"],
        "digits": pa.array(["1", "2", "2", "1"]).dictionary_encode(),
        "flag": [True, False, None, True],
        "small": pa.array([1, 2, 3, None], pa.int8()),
    }
    path = write_parquet(tmp_path / "t.parquet", columns)
    first = read(path)
    assert rows(first)[:2] == [("a", "1", 1.5), ("a", "2", 2.0)]
    assert np.isnan(first.labels.decode()[2:]).all()
    assert first.labels.codes.tolist() == [0, 1, -1, -1]
    assert read(path, label="text").labels.decode().tolist() == ["1", "2", "1", "x"]
    assert read(path, label="digits").labels.decode().tolist() == ["1", "2", "2", "1"]
    assert read(path, label="flag").labels.decode().tolist() == [True, False, None, True]
    assert read(path, label="small").labels.decode().tolist() == [1, 2, 3, None]


def test_several_files_and_globs_are_one_table(tmp_path: Path) -> None:
    write(tmp_path / "b1.csv", "item,coder,label\na,x,1\n")
    write(tmp_path / "b2.csv", "label;extra;coder;item\n2;;y;a\n")
    write(tmp_path / "b3.jsonl", '{"item": "b", "coder": "x", "label": 1}')
    (tmp_path / "b4.csv").mkdir()
    table = read(str(tmp_path / "b*.csv"))
    assert rows(table) == [("a", "x", 1), ("a", "y", 2)]
    assert len(table.source.files) == 2
    mixed = refusal([str(tmp_path / "b*.csv"), str(tmp_path / "b3.jsonl")])
    assert "labels of different types" in mixed
    twice = read([str(tmp_path / "b1.csv"), str(tmp_path / "b*.csv")])
    assert twice.source.rows == 2
    assert "named more than once" in twice.source.notes[0]


def test_types_of_labels_that_differ_in_files_of_one_format_are_refused(tmp_path: Path) -> None:
    """The same holds within one wide file."""
    for name, labels in {"flags": [True, False], "texts": ["t", "u"], "more": ["v", "w"]}.items():
        columns = {"item": ["a", "b"], "coder": [name, name], "label": labels}
        write_parquet(tmp_path / f"{name}.parquet", columns)
    names = [str(tmp_path / f"{name}.parquet") for name in ("texts", "more", "flags")]
    assert refusal(names) == (
        f"{show(names[0])} and {show(names[2])} hold labels of different types: read them"
        " separately, or convert one"
    )
    wide = write_parquet(tmp_path / "wide.parquet", {"x": [True, False], "y": ["t", "u"]})
    assert "hold labels of different types" in refusal(wide, layout="wide", coder=["x", "y"])


def test_a_csv_and_a_parquet_file_of_numbers_are_one_table(tmp_path: Path) -> None:
    one = write(tmp_path / "b.csv", "item,coder,label\na,x,1\n")
    other = write_parquet(tmp_path / "c.parquet", {"item": ["a"], "coder": ["y"], "label": [2]})
    assert rows(read([one, other])) == [("a", "x", 1), ("a", "y", 2)]


def test_a_column_that_one_file_lacks_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "1.csv", LONG)
    write(tmp_path / "2.csv", "item,coder,labels\na,x,1\n")
    assert "no column 'label' (did you mean 'labels'?)" in refusal(str(tmp_path / "*.csv"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX")
def test_a_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(LONG))
    writer.start()
    assert rows(read(str(pipe))) == ROWS
    writer.join()


# -- types


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", "2", ""], [1, 2, None]),
        (["1", "-2", "+3"], [1, -2, 3]),
        (["1", "1.0", "2.5"], [1.0, 1.0, 2.5]),
        ([".5", "1e3", "2."], [0.5, 1000.0, 2.0]),
        (["1", "two"], ["1", "two"]),
        (["01", "1"], ["01", "1"]),
        (["1", "1234567890123456789"], ["1", "1234567890123456789"]),
        (["nan", "1"], ["nan", "1"]),
        (["true", "false"], ["true", "false"]),
        ([" 1", "1"], [" 1", "1"]),
        (["2020-01-01", "1"], ["2020-01-01", "1"]),
        (["yes", "no"], ["yes", "no"]),
        (["", ""], [None, None]),
        (["0", "-0"], [0, 0]),
        (["é", "日本"], ["é", "日本"]),
    ],
)
def test_csv_labels_are_numbers_only_where_all_are(
    tmp_path: Path, cells: list[str], values: list[Any]
) -> None:
    lines = "".join(f"i{i},c,{cell}\n" for i, cell in enumerate(cells))
    table = read(write(tmp_path / "t.csv", "item,coder,label\n" + lines))
    result = table.labels.decode().tolist()
    assert result == values
    assert [type(value) for value in result] == [type(value) for value in values]


def test_text_keeps_digits(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "item,coder,label\na,x,1\na,y,1.0\n")
    assert read(path).labels.decode().tolist() == [1.0, 1.0]
    assert read(path, text=True).labels.decode().tolist() == ["1", "1.0"]


def test_ids_are_text_so_that_leading_zeros_count(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "item,coder,label\n01,7,x\n1,07,y\n")
    assert rows(read(path)) == [("01", "7", "x"), ("1", "07", "y")]


def test_json_labels_keep_their_types(tmp_path: Path) -> None:
    labels = ["1", "2020-01-01 10:00:00", "2020-01-01T10:00:00", "", "10:00"]
    lines = [{"item": "2020-01-01", "coder": i, "label": v} for i, v in enumerate(labels)]
    path = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, lines)))
    named = read(path, label="label")
    assert rows(named) == [("2020-01-01", str(i), v or None) for i, v in enumerate(labels)]
    mixed = [1, "1", None, True, 2.5]
    lines = [{"item": "a", "coder": i, "label": v} for i, v in enumerate(mixed)]
    path = write(tmp_path / "m.jsonl", "\n".join(map(json.dumps, lines)))
    assert read(path).labels.decode().tolist() == mixed
    flags = [{"item": "a", "coder": i, "label": v} for i, v in enumerate([True, False])]
    path = write(tmp_path / "f.jsonl", "\n".join(map(json.dumps, flags)))
    assert read(path).labels.values.dtype == bool


@pytest.mark.parametrize("label", [["x", "y"], {"a": 1}])
def test_nested_labels_are_refused(tmp_path: Path, label: Any) -> None:
    line = json.dumps({"item": 1, "coder": 2, "label": label})
    assert "labels must be numbers, texts" in refusal(write(tmp_path / "t.jsonl", line))


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("7" * 5000, "a label is a number of 5,000 digits, '77777777777777777777'...: write such"),
        ("1e999", "a label is '1e999', not a finite float: write it in quotes"),
        ("NaN", "a label is 'NaN', not a finite float"),
        ("-Infinity", "a label is '-Infinity', not a finite float"),
    ],
)
def test_json_numbers_that_are_not_finite_floats(tmp_path: Path, label: str, message: str) -> None:
    text = f'{{"item": 1, "coder": 2, "label": {label}}}\n{{"item": 1, "coder": 3, "label": 1}}'
    assert message in refusal(write(tmp_path / "t.jsonl", text))


def test_labels_that_a_float_would_join_stay_apart(tmp_path: Path) -> None:
    cells = ["9007199254740992", "9007199254740993", "0.5"]
    lines = "".join(f"i{i},c,{cell}\n" for i, cell in enumerate(cells))
    assert len(read(write(tmp_path / "t.csv", "item,coder,label\n" + lines)).labels.values) == 3
    records = [f'{{"item": {i}, "coder": 1, "label": {cell}}}' for i, cell in enumerate(cells)]
    assert len(read(write(tmp_path / "t.jsonl", "\n".join(records))).labels.values) == 3


def test_json_keys_that_come_late_are_columns(tmp_path: Path) -> None:
    early = [json.dumps({"item": i, "A": 1, "B": 2}) for i in range(30_000)]
    path = write(tmp_path / "t.jsonl", "\n".join([*early, '{"item": "z", "A": 2, "C": 1}']))
    table = read(path, layout="wide")
    assert isinstance(table, WideTable)
    assert table.coders == ("A", "B", "C")
    assert table.labels.decode()[-1].tolist() == [2, None, 1]


def test_json_keys_that_differ_in_case_are_refused(tmp_path: Path) -> None:
    text = '{"item": 1, "coder": 2, "label": 3}\n{"item": 1, "coder": 3, "Label": 4}'
    assert "has the keys 'label' and 'Label', which differ only in case" in refusal(
        write(tmp_path / "t.jsonl", text)
    )


def test_a_record_of_json_that_is_too_long(tmp_path: Path) -> None:
    record = {"item": 1, "coder": 2, "label": "z" * (40 << 20)}
    assert "a record has more than 16 MiB" in refusal(
        write(tmp_path / "t.jsonl", json.dumps(record))
    )


@pytest.mark.few
@pytest.mark.own_database
@pytest.mark.parametrize("where", [None, "n > 0"])
@pytest.mark.parametrize("large", [1, 10**6])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_large_files_are_read_within_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str | None, large: int, form: str
) -> None:
    """The largest number of threads is used."""
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", large)
    monkeypatch.setattr("agreement_fast._kernels.parallel.available", lambda: 8)
    record = {"item": 1, "coder": 2, "label": "p", "n": 1, "text": "z" * 1000}
    line = json.dumps(record) if form == "jsonl" else ",".join(map(str, record.values()))
    head = [] if form == "jsonl" else [",".join(record)]
    path = write(tmp_path / f"t.{form}", "\n".join(head + [line] * 60_000))
    with ExitStack() as stack:
        table = open_table(Workplace(stack), [path], ReadOptions(where=where))
        assert isinstance(table, LongTable) == (large > 1)
        assert table.source.rows == 60_000


# -- missing


def test_missing_marks_go_before_types_are_decided(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "item,coder,label\na,x,1\na,y,NA\na,z,-1\na,w,.\n")
    table = read(path, missing=["NA", ".", "-1.0", "?"])
    assert table.labels.decode().tolist() == [1, None, None, None]
    assert table.source.notes == ("--missing '?': no label has this value",)


def test_labels_that_look_missing_are_kept_and_blank_ones_are_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'item,coder,label\na,x,1\na,y,NA\na,z," "\n')
    table = read(path)
    assert table.labels.decode().tolist() == ["1", "NA", None]
    assert table.source.notes == ()


@pytest.mark.parametrize("column", ["item", "coder"])
def test_a_judgment_without_item_or_coder_is_an_error(tmp_path: Path, column: str) -> None:
    cells = {"item": "a", "coder": "x"} | {column: ""}
    path = write(
        tmp_path / "t.csv", f"item,coder,label\na,y,1\n{cells['item']},{cells['coder']},1\n"
    )
    message = refusal(path)
    assert f"1 row has no value in column '{column}' (the first is row 2" in message
    assert read(path, where=f"{column} is not null").source.rows == 1


# -- columns


@pytest.mark.parametrize(
    ("header", "guess"),
    [
        ("item,coder,label", ("item", "coder", "label")),
        ("Task ID,Worker_ID,Answer", ("Task ID", "Worker_ID", "Answer")),
        ("_unit_id,_worker_id,rating", ("_unit_id", "_worker_id", "rating")),
        ("id,annotator,category", ("id", "annotator", "category")),
        ("id,item,user,coder,score,label", ("item", "coder", "label")),
        ("subject,rater,score,timestamp", ("subject", "rater", "score")),
        ("HITId,WorkerId,response", ("HITId", "WorkerId", "response")),
    ],
)
def test_usual_names_are_guessed(tmp_path: Path, header: str, guess: tuple[str, ...]) -> None:
    cells = ",".join(f"v{i}" for i in range(header.count(",") + 1))
    source = read(write(tmp_path / "t.csv", f"{header}\n{cells}\n")).source
    assert (source.item, source.coder, source.label) == guess
    assert source.guessed == ("item", "coder", "label")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("item,task_id,unit,coder,rating,code", "column 'rating' or 'code' could be the label"),
        ("task,unit,coder,label", "column 'task' or 'unit' could be the item: pass --item"),
        ("a,b,c", "cannot tell which columns are the item, coder and label: pass --item --coder"),
        ("item,coder,said", "cannot tell which column is the label: pass --label"),
        ("item,A,B", "or --layout wide if each column is a coder; "),
        ("essay,teacher,grade", "pass --item --coder, such as --item essay --coder teacher, or"),
        ("essay,mark,said", "(--layout wide --item essay if each but the first is one)"),
        ("1,2,3", "or --no-header if the first line is data"),
    ],
)
def test_unclear_columns_are_asked_for(tmp_path: Path, header: str, message: str) -> None:
    cells = ",".join("v" for _ in header.split(","))
    result = refusal(write(tmp_path / "t.csv", f"{header}\n{cells}\n"))
    assert message in result


def test_named_columns_win_and_unknown_ones_are_listed(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "item,coder,label,gold\na,x,1,2\n")
    table = read(path, label="gold")
    assert table.source.guessed == ("item", "coder")
    assert table.labels.decode().tolist() == [2]
    assert refusal(path, label="Label") == (
        f"no column 'Label' (did you mean 'label'?); '{path}' has 'item', 'coder', 'label', 'gold'"
    )
    assert "no column 'z'" in refusal(path, by="z")
    assert "no column 'z'" in refusal(path, weights="z")
    assert "three different columns" in refusal(path, item="label", label="label")


def test_repeated_and_odd_column_names(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'item,coder,label,label,"a ""b"", c",select\na,x,1,2,3,4\n')
    assert "two columns called 'label'" in refusal(path, label="label")
    assert read(path, label='a "b", c').labels.decode().tolist() == [3]
    assert read(path, label="select", where='"select" = 4').source.rows == 1


def test_no_header(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", "c1\ti1\tx\nc2\ti1\ty\n")
    table = read(path, header=False, coder="1", item="2", label="3")
    assert rows(table) == [("i1", "c1", "x"), ("i1", "c2", "y")]


def test_delimiter_and_encoding(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "item~coder~label\na~x~caf\xe9\n".encode("latin-1"))
    assert "not UTF-8: pass --encoding cp1252 if Excel" in refusal(path)
    table = read(path, delimiter="~", encoding="latin-1")
    assert rows(table) == [("a", "x", "café")]
    write(tmp_path / "t.csv", "item,coder,label\na,x,5 €\n".encode("cp1252"))
    assert rows(read(path, encoding="cp1252")) == [("a", "x", "5 €")]
    write(tmp_path / "t.csv", b"item,coder,label\na,x,\x81\n")
    assert "is not cp1252: pass --encoding utf-8, utf-16 or latin-1" in refusal(
        path, encoding="cp1252"
    )
    expected = "the encoding must be one of utf-8, utf-16, cp1252, latin-1, not 'klingon'"
    assert expected in refusal(path, encoding="klingon")
    for order in ("utf-16-le", "utf-16"):
        write(tmp_path / "t.csv", ("item,coder,label\n" + "é,x,😀\n" * 99_999).encode(order))
        assert rows(read(path, encoding="utf-16"))[-1] == ("é", "x", "😀")


@pytest.mark.few
@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "\ufeffSEP=;\r"])
@pytest.mark.parametrize("skip_rows", [0, 1])
def test_the_line_that_names_the_delimiter(tmp_path: Path, first: str, skip_rows: int) -> None:
    text = f"{first}\nitem;coder;label\na;x;x,2\n"
    path = write(tmp_path / "t.csv", text)
    table = read(path, skip_rows=skip_rows)
    assert rows(table) == [("a", "x", "x,2")]
    assert "the first line, '" in table.source.notes[0]
    table = read(path, skip_rows=2, header=False, item="1", coder="2", label="3")
    assert rows(table) == [("a", "x", "x,2")]


@pytest.mark.parametrize("ends", [("\r\n", "\n"), ("\n", "\r\n"), ("\r", "\n")])
def test_a_title_may_have_another_line_end(tmp_path: Path, ends: tuple[str, str]) -> None:
    path = write(tmp_path / "t.csv", "title" + ends[0] + LONG.replace("\n", ends[1]))
    assert rows(read(path, skip_rows=1)) == ROWS


def test_a_tag_as_a_label_is_not_markup(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "<unk>,x,1\n<s>,x,2\n")
    assert read(path, header=False, item="1", coder="2", label="3").source.rows == 2
    assert "one character" in refusal(path, delimiter="~~")


def test_commas_inside_values_do_not_confuse(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", "item\tcoder\tlabel\na\tx\tp,q\nb\tx\tp,q\n")
    assert read(path).labels.decode().tolist() == ["p,q", "p,q"]
    path = write(tmp_path / "t.csv", 'item,coder,label\na,x,"p|q"\nb,x,p|q|r\n')
    assert read(path).labels.decode().tolist() == ["p|q", "p|q|r"]


# -- wide


def test_wide(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "A,B,C\n1,2,\n2,NA,1\n")
    table = read(path, layout="wide", missing=["NA"])
    assert isinstance(table, WideTable)
    assert table.coders == ("A", "B", "C")
    assert table.source.guessed == ("coders",)
    assert table.items is None
    assert table.labels.decode().tolist() == [[1, 2, None], [2, None, 1]]


def test_wide_roles(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "item,A,B,n,site\nu,1,2,3,s\nv,2,2,0,t\n")
    table = read(path, layout="wide", weights="n", by="site")
    assert isinstance(table, WideTable)
    assert table.coders == ("A", "B")
    assert table.items is not None
    assert table.items.decode().tolist() == ["u", "v"]
    assert table.weights is not None
    assert table.weights.tolist() == [3, 0]
    chosen = read(path, layout="wide", coder=["B", "n"])
    assert isinstance(chosen, WideTable)
    assert chosen.coders == ("B", "n")
    assert "two roles" in refusal(path, layout="wide", coder=["A", "A"])
    assert "two roles" in refusal(path, layout="wide", coder=["A", "n"], weights="n")
    assert "--label and --layout wide exclude" in refusal(path, layout="wide", label="A")
    assert "no coder columns" in refusal(write(tmp_path / "i.csv", "item\nu\n"), layout="wide")


def test_wide_files_with_different_coders_are_joined(tmp_path: Path) -> None:
    write(tmp_path / "1.csv", "item,A,B\nu,1,2\n")
    write(tmp_path / "2.csv", "item,B,C\nv,3,4\n")
    table = read(str(tmp_path / "*.csv"), layout="wide")
    assert table.labels.decode().tolist() == [[1, 2, None], [None, 3, 4]]


# -- weights and groups


@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    "cell",
    ["", "-1", "1.5", "many", "1e300", "1_0", "0x10", "0b1", "15E-1", "15e-1", " 1", "1 ", "inf",
     "nan", "007", "٣", "1e", ".", "--1", "9" * 25],
)  # fmt: skip
def test_weights_are_whole_numbers(tmp_path: Path, cell: str) -> None:
    path = write(tmp_path / "t.csv", f"item,coder,label,n\na,x,1,{cell}\n")
    assert "weights must be whole numbers, not negative; column 'n' has" in refusal(
        path, weights="n"
    )


@pytest.mark.parametrize(
    ("cell", "weight"),
    [("3", 3), ("+3", 3), ("0", 0), ("3.0", 3), ("3.", 3), ("1e2", 100), ("15E+1", 150)],
)
def test_spellings_of_weights(tmp_path: Path, cell: str, weight: int) -> None:
    table = read(write(tmp_path / "t.csv", f"item,coder,label,n\na,x,1,{cell}\n"), weights="n")
    assert table.weights is not None
    assert table.weights.tolist() == [weight]


def test_groups_are_sorted_as_numbers_with_missing_last(tmp_path: Path) -> None:
    text = "item,coder,label,part\na,x,p,10\nb,x,q,\nc,y,r,9\nd,x,s,10\n"
    table = read(write(tmp_path / "t.csv", text), by="part")
    assert isinstance(table, LongTable)
    parts = {group: rows(part) for group, part in table.split()}
    assert list(parts) == [9, 10, None]
    assert parts == {
        9: [("c", "y", "r")],
        10: [("a", "x", "p"), ("d", "x", "s")],
        None: [("b", "x", "q")],
    }
    with pytest.raises(ValueError, match="without by="):
        next(read(str(tmp_path / "t.csv")).split())


def test_wide_groups(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "item,A,B,part\nu,1,,p\nv,2,2,q\n")
    table = read(path, layout="wide", by="part")
    parts = {group: part.labels.decode().tolist() for group, part in table.split()}
    assert parts == {"p": [[1, None]], "q": [[2, 2]]}


# -- where


def test_where_sees_numbers_texts_and_dates(tmp_path: Path) -> None:
    lines = [f"i{n},c,x,{n},2020-01-{n:02},0{n}\n" for n in range(1, 10)]
    path = write(tmp_path / "t.csv", "item,coder,label,n,day,code\n" + "".join(lines))
    assert read(path, where="n > 7").source.rows == 2
    assert read(path, where="n > 7").source.rows_in_files == 9
    assert read(path, where="item in ('i1', 'i9') -- two").source.rows == 2
    assert read(path, where="day >= date '2020-01-05'").source.rows == 5
    assert read(path, where="label = 'x' and n between 2 and 3").source.rows == 2
    assert "no row satisfies --where 'n > 70'" in refusal(path, where="n > 70")


def test_where_on_json_and_parquet(tmp_path: Path) -> None:
    lines = [{"item": "a", "coder": i, "label": i, "n": i, "t": f"t{i}"} for i in range(4)]
    path = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, lines)))
    assert read(path, where="n >= 2 and t <> 't3'").labels.decode().tolist() == [2]
    columns = {name: [line[name] for line in lines] for name in lines[0]}
    path = write_parquet(tmp_path / "t.parquet", columns)
    assert read(path, where="n >= 2 and t <> 't3'").labels.decode().tolist() == [2]


@pytest.mark.few("csv", "jsonl", "parquet", "k0", "A2", "CELL_0")
@pytest.mark.parametrize("name", ["k0", "k2", "K2", "a0", "A2", "cell_2", "CELL_0", "_cell_1"])
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_no_name_of_a_column_takes_the_place_of_the_data(
    tmp_path: Path, name: str, form: str
) -> None:
    columns: dict[str, list[Any]] = {
        "item": ["a", "a", "b"], "coder": ["x", "y", "x"], "label": ["p", "q", "p"],
        name: [7, 8, 9],
    }  # fmt: skip
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if form == "parquet":
        path = write_parquet(tmp_path / "t.parquet", columns)
    elif form == "jsonl":
        path = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, records)))
    else:
        lines = [",".join(columns), *(",".join(map(str, one.values())) for one in records)]
        path = write(tmp_path / "t.csv", "\n".join(lines))
    whole = rows(read(path))
    assert rows(read(path, where="true")) == whole == list(
        zip(columns["item"], columns["coder"], columns["label"], strict=True)
    )  # fmt: skip
    assert rows(read(path, where=f"{name} > 7")) == whole[1:]


@pytest.mark.parametrize(
    ("early", "late", "where", "kept"),
    [
        ("1", "2.5", "n < 3", 30_001),
        ("1", "2.5", "n = 3", 0),
        ("2020-01-01", "2020-01-02 10:00:00", "n > date '2020-01-02'", 1),
        ("1", "x", "n = '1'", 30_000),
        ("1", "1_0", "n = '1_0'", 1),
    ],
)
def test_where_rounds_and_cuts_nothing(
    tmp_path: Path, early: str, late: str, where: str, kept: int
) -> None:
    lines = "".join(f"i{i},c,x,{early}\n" for i in range(30_000))
    path = write(tmp_path / "t.csv", f"item,coder,label,n\n{lines}j,c,x,{late}\n")
    if kept:
        assert read(path, where=where).source.rows == kept
    else:
        assert "no row satisfies" in refusal(path, where=where)


@pytest.mark.own_database
@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    "where",
    [
        "",
        "n = ",
        "nope = 1",
        "true; drop table cells",
        "true) or (true",
        "true /*",
        "true, false",
        "n as m",
        "true from cells",
        "count(*) > 1",
        "?",
        "$1",
        "item + 1 > 2",
        "getenv('HOME') is not null",
        "exists(from read_csv('{other}'))",
        "exists(from read_text('{other}'))",
        "exists(from '{other}')",
        "exists(from glob('/*'))",
        "(copy (select 1) to '{out}')",
        "true) union all (select 'a', 'b', content from read_text('{other}')",
    ],
)
def test_where_is_one_harmless_condition(tmp_path: Path, where: str) -> None:
    path = write(tmp_path / "t.csv", "item,coder,label,n\na,x,1,1\n")
    other = write(tmp_path / "other.csv", "secret\nxyzzy\n")
    out = tmp_path / "out.csv"
    message = refusal(path, where=where.format(other=other, out=out))
    assert message.startswith("--where")
    assert "xyzzy" not in message
    assert not out.exists()
    assert (tmp_path / "t.csv").read_text() == "item,coder,label,n\na,x,1,1\n"


# -- refusals


MARKUP = [
    ("\ufeff\n<!DOCTYPE html><table>", "an HTML page"),
    ("<TABLE border=1><tr>", "an HTML page"),
    ("<html>".encode("utf-16"), "an HTML page"),
    ('<?xml version="1.0"?>\n<Workbook>', "XML"),
    ('<office:document xmlns:office="x">', "XML"),
]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "", "is empty"),
        ("t.csv", "\n \n", "is empty"),
        ("t.jsonl", "", "is empty"),
        *((f"t.csv{end}", pack(b""), "is empty") for end, pack in PACKINGS.values()),
        ("t.csv", "item,coder,label\n", "a header, but no rows below it"),
        ("t.csv", b"\x00\x01\x02" * 99, "is a binary file, not CSV, JSON, Parquet, Excel"),
        ("t.csv", b"\xc3\x28\xa0\xff" * 99, "is not UTF-8"),
        ("t.csv", b"PK\x03\x04rest", "is a damaged or incomplete archive or workbook"),
        ("t.csv", "a,b\n".encode("utf-16-le") * 9, "if it is UTF-16, pass --encoding utf-16"),
        ("t.csv", "item,coder".encode("utf-16")[:-1], "is not utf-16: pass --encoding"),
        *(
            (name, text, f"is {what}, not a table that can be read: open it in a spreadsheet")
            for name in ("t.csv", "t.xls", "t.fods", "t")
            for text, what in MARKUP
        ),
        (
            "~$t.xlsx",
            b"\x03ann" + bytes(50),
            "is only the lock file of a workbook that is open in a spreadsheet program",
        ),
        *(
            (f"t.{form}{end}", pack(text.encode() * 99)[:40], f"is a damaged {name} file")
            for name, (end, pack) in PACKINGS.items()
            for form, text in (("csv", LONG), ("jsonl", JSON_LINES))
        ),
        *(
            (f"t.{form}", pack(b"PAR1" * 99), "unpack it first")
            for form in ("parquet.gz", "parquet.zst")
            for _, pack in PACKINGS.values()
        ),
        ("t.parquet", "item,coder,label\n", "is not Parquet, as its name says"),
        ("t.parquet", b"PAR1 and no more", "t.parquet': "),
        ("t.csv", "item,coder,label\na,x,1\na,y\n", "line 3: 2 columns, but the first line has 3"),
        ("t.csv", "item,coder,label\na,x,1,9\n", "line 2: 4 columns, but the first line has 3"),
        ("t.csv", 'item,coder,label\na,x,"open\n', "line 2: a quotation mark is not closed"),
        ("t.jsonl", '{"item": 1, "co', "t.jsonl': Malformed JSON"),
        ("t.jsonl", "1\n2\n", "holds no JSON objects"),
    ],
)
def test_unreadable_files_are_refused(
    tmp_path: Path, name: str, text: str | bytes, message: str
) -> None:
    result = refusal(write(tmp_path / name, text))
    assert message in result
    assert name in result


@pytest.mark.parametrize(
    ("text", "remedy", "options"),
    [
        (
            "item;Ann;Ben\na;p,q;r\nb;r,r;r\n",
            "columns seem to be divided by ';', pass --delimiter ';'",
            {"delimiter": ";"},
        ),
        (
            "Study; wave 2\nitem,Ann,Ben\na,1,2\nb,1,1\n",
            "if the header is there, pass --skip-rows 1",
            {"delimiter": ",", "skip_rows": 1},
        ),
    ],
)
def test_a_wrong_delimiter_is_no_title(
    tmp_path: Path, text: str, remedy: str, options: dict[str, Any]
) -> None:
    path = write(tmp_path / "t.csv", text)
    assert refusal(path, delimiter=",").endswith(remedy)
    assert af.read(path, layout="wide", item="item", **options).coders == ("Ann", "Ben")


@pytest.mark.few
@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("damage", ["cut between rows", "other bytes", "more bytes"])
def test_damage_far_below_is_found(tmp_path: Path, form: str, packing: str, damage: str) -> None:
    ending, pack = PACKINGS[packing]
    random = np.random.default_rng(0)
    if form == "csv":
        lines = [f"i{i},c{i % 3},{random.integers(1 << 60)}" for i in range(30_000)]
        text = "\n".join(["item,coder,label", *lines, ""]).encode()
    else:
        rows = (
            {"item": i, "coder": i % 3, "label": int(random.integers(1 << 60))}
            for i in range(30_000)
        )
        text = "\n".join([*map(json.dumps, rows), ""]).encode()
    content = pack(text)
    if damage == "cut between rows":
        # Whole frames or members, then the start of another one: the rows read so far are valid.
        content = content + pack(text)[:12]
    elif damage == "other bytes":
        middle = len(content) // 2
        content = content[:middle] + b"\xff" * 64 + content[middle + 64 :]
    else:
        content += b"more"
    path = tmp_path / f"t.{form}{ending}"
    path.write_bytes(content)
    assert refusal(str(path)) == f"'{path}' is a damaged {packing} file"


def test_bad_rows_far_below_are_found(tmp_path: Path) -> None:
    good = "".join(f"i{n},c,{n % 3}\n" for n in range(30_000))
    assert "line 30,002: 2 columns" in refusal(
        write(tmp_path / "t.csv", f"item,coder,label\n{good}i,c\n")
    )
    table = read(write(tmp_path / "u.csv", f"item,coder,label\n{good}i,c,late\n"))
    assert table.labels.decode()[-2:].tolist() == ["2", "late"]


def test_paths_that_are_not_files(tmp_path: Path) -> None:
    missing = tmp_path / "nope.csv"
    assert refusal(str(missing)) == f"'{missing}': no such file"
    assert refusal(str(tmp_path / "*.csv")) == f"no file matches '{tmp_path}/*.csv'"
    assert f"'{tmp_path}' is a folder without a file" in refusal(str(tmp_path))
    assert refusal([]) == "no file was named"
    assert "is not on this machine" in refusal("https://example.org/labels.csv")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write(path, LONG)
    path.chmod(0)
    assert "cannot be read: Permission denied" in refusal(str(path))


def test_missing_duckdb_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    path = write(tmp_path / "t.csv", LONG)
    needs = 'takes DuckDB: pip install "agreement-fast[cli]"'
    assert read(path).source.rows == 4
    assert refusal(path, where="coder <> 'a'") == f"--where {needs}"
    lines = write(tmp_path / "t.jsonl", '{"item": 1, "coder": "a", "label": "x"}\n')
    assert refusal(lines) == f"{lines!r}, which is JSON, {needs}"
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(LONG.encode()))
    packed = str(tmp_path / "t.csv.gz")
    assert refusal(packed) == f"{packed!r}, which is compressed, {needs}"
    large = write(tmp_path / "large.csv", LONG + "x,y,z\n" * 200_000)
    assert refusal(large) == f"CSV of more than 1 MB {needs}"


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.chdir(tmp_path)
    read(write(tmp_path / "t[1].csv", LONG))
    refusal(write(tmp_path / "u[1].csv", "item,coder,label\na\n"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t[1].csv", "tmp", "u[1].csv"]
    assert not any((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\x1b[31mb", "'a\\x1b[31mb'"), ("a\nb", "'a\\nb'"), ("\u202ex", "'\\u202ex'"), ("é", "'é'")],
)
def test_shown_texts_hold_no_control_characters(text: str, shown: str) -> None:
    assert show(text) == shown


@pytest.mark.parametrize("name", ["t.xls", "t.jsonl", "t"])
def test_json_is_recognised_by_its_text(tmp_path: Path, name: str) -> None:
    """For every encoding."""
    content = JSON_LINES.encode("utf-16")
    assert rows(read(write(tmp_path / name, content))) == rows(
        read(write(tmp_path / "plain.jsonl", JSON_LINES))
    )
