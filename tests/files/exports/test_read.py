"""What is read of an export: the question that is meant, its coders, its spans, its texts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from command import Command
from exported import judgments, read, units, write_lines

import agreement_fast as af
from agreement_fast import units as on_line
from agreement_fast.files.exports import export as exports
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.reading import in_python
from agreement_fast.files.exports.streams import every, json_values
from agreement_fast.files.exports.tool import Contents, Options, Tool
from agreement_fast.units import Continuum


class Toy(Tool):
    """A format of these tests: one judgment, span or text a line."""

    name = "toy"
    title = "Toy (JSON lines)"
    options = ("count_skips",)
    columns = True

    def recognise(self, bundle: Bundle) -> bool:
        return every(bundle, lambda look: "toy" in look.keys)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        for member in bundle.members:
            for record in json_values(member, options.encoding):
                self._take(record, out, options)

    def _take(self, record: dict[str, Any], out: Contents, options: Options) -> None:
        kind, *rest = record["toy"]
        if kind == "label":
            question, item, coder, label = rest
            label = frozenset(label) if isinstance(label, list) else label
            out.answers_to(question, "choices").add(item, coder, label)
        elif kind == "span":
            layer, document, coder, start, end, name = rest
            out.spans_of(layer, "labels").mark(document, coder, [(start, end)], name)
        elif kind == "text":
            item, text = rest
            out.extents[item] = (0, len(text))
            if options.keep_texts:
                out.texts[item] = text
        else:
            out.leave_out("odd lines")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    known = SimpleNamespace(name="toy", load=Toy, mark="")
    monkeypatch.setattr(exports, "TOOLS", (known,))


def write(path: Path, *rows: list[Any]) -> Path:
    return write_lines(path, [{"toy": row} for row in rows])


LABELS = [
    ["label", "mood", f"t{i}", coder, mood]
    for i, moods in enumerate(["aab", "bbb", "aba", "ab"])
    for coder, mood in zip(["ann", "ben", "eve"], moods, strict=False)
]
SPANS = [
    ["text", "d1", "Mary met Tom."],
    ["text", "d2", "No one came."],
    ["span", "names", "d1", "ann", 0, 4, "PER"],
    ["span", "names", "d1", "ann", 9, 12, "PER"],
    ["span", "names", "d1", "ben", 0, 4, "PER"],
    ["span", "names", "d1", "ben", 9, 12, "LOC"],
    ["span", "names", "d2", "ann", 0, 2, "PER"],
]


def test_judgments_as_typed_in_by_hand(tmp_path: Path) -> None:
    path = write(tmp_path / "a", *LABELS)
    data = af.read(path)
    by_hand = af.Annotations.from_wide(
        [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"], ["a", "b", None]],
        items=["t0", "t1", "t2", "t3"],
        coders=["ann", "ben", "eve"],
    )
    assert isinstance(data, af.Annotations)
    assert data.to_wide().tolist() == by_hand.to_wide().tolist()
    assert af.alpha(data).value == af.alpha(by_hand).value
    assert af.read(str(path)).items == data.items
    assert af.read([path], "toy").items == data.items


def test_several_questions_are_listed(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *LABELS, ["label", "tone", "t0", "ann", "x"], *SPANS)
    listed = "'mood' (choices, 11), 'tone' (choices, 1), 'names' (labels, 5)"
    with pytest.raises(af.AgreementError, match="has 3 questions") as error:
        af.read(path)
    assert listed in str(error.value)
    assert "question= with one of" in str(error.value)
    assert "--" not in str(error.value)
    assert listed in command.error("report", str(path))
    with pytest.raises(af.AgreementError, match="no question 'moot'"):
        af.read(path, question="moot")
    data = af.read(path, question="mood")
    assert isinstance(data, af.Annotations)
    assert data.n_judgments == 11
    result = command.json("report", str(path), "--question", "mood")
    assert result["reports"][0]["n_judgments"] == 11
    assert result["source"]["layout"] == "export"
    assert result["source"]["files"][0]["format"] == "Toy (JSON lines)"
    shown = command.text("report", str(path), "--question", "mood")
    assert "Toy (JSON lines)" in " ".join(shown.split())
    assert "  question    mood\n" in shown
    assert "  judgments   11\n" in shown


def test_notes_count_what_is_left_out(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *LABELS, ["odd"], ["odd"])
    with pytest.warns(af.ReadHint, match="left out: odd lines \\(2\\)"):
        af.read(path)
    assert "left out: odd lines (2)" in command.text("report", str(path))
    path = write(tmp_path / "b", ["odd"])
    with pytest.raises(af.AgreementError, match="holds no judgments; left out: odd lines \\(1\\)"):
        af.read(path)


def test_lists_of_one_label_each_are_single_labels(tmp_path: Path) -> None:
    single = [["label", "q", "t0", "ann", ["a"]], ["label", "q", "t0", "ben", ["b"]]]
    table = read(write(tmp_path / "a", *single)).table()
    assert judgments(table) == {("t0", "ann"): "a", ("t0", "ben"): "b"}
    assert "no answer has several choices: labels are single, not sets" in table.source.notes
    for more in (["a", "b"], []):
        path = write(tmp_path / "b", *single, ["label", "q", "t1", "ann", more])
        assert judgments(read(path).table()) == {
            ("t0", "ann"): frozenset("a"),
            ("t0", "ben"): frozenset("b"),
            ("t1", "ann"): frozenset(more),
        }
    # A tool may write one choice without a list.
    path = write(
        tmp_path / "c", ["label", "q", "t0", "ann", "a"], ["label", "q", "t0", "b", ["a", "b"]]
    )
    assert judgments(read(path).table()) == {("t0", "ann"): {"a"}, ("t0", "b"): {"a", "b"}}


def test_a_missing_label_leaves_its_item_and_coder(tmp_path: Path) -> None:
    path = write(tmp_path / "a", *LABELS, ["label", "mood", "t9", "zoe", None])
    data = af.read(path)
    assert isinstance(data, af.Annotations)
    assert (data.n_judgments, len(data.items), data.coders) == (11, 5, ("ann", "ben", "eve", "zoe"))
    data = af.read(path, missing=["a"])
    assert isinstance(data, af.Annotations)
    assert (data.n_judgments, data.categories) == (6, ("b",))
    with pytest.warns(af.ReadHint, match=r'missing=\["c"\]: no label has this value'):
        assert af.read(path, missing=["c"]).n_judgments == 11


def test_some_coders_only(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *LABELS)
    assert af.read(path, only_coder="ann").coders == ("ann",)
    data = af.read(path, only_coder=["ann", "eve"])
    assert isinstance(data, af.Annotations)
    assert data.coders == ("ann", "eve")
    assert data.n_judgments == 7
    shown = command.text("report", str(path), "--only-coder", "ann,eve")
    assert "  judgments   7\n" in shown
    assert "only these coders are compared: ann,eve" in shown
    assert "no coder 'bob'" in command.error("report", str(path), "--only-coder", "bob")


def test_numbers_and_booleans_keep_their_kind(tmp_path: Path) -> None:
    rows = [["label", "q", 1, "a", 1], ["label", "q", 1, "b", 2.5], ["label", "q", 2, "a", 1.0]]
    table = read(write(tmp_path / "a", *rows)).table()
    assert table.labels.values.tolist() == [1.0, 2.5]
    assert table.items.values.tolist() == [1, 2]
    rows = [["label", "q", 1, "a", True], ["label", "q", 1, "b", False]]
    assert judgments(read(write(tmp_path / "b", *rows)).table()) == {
        (1, "a"): True,
        (1, "b"): False,
    }


def test_spans_as_units_and_as_items(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *SPANS, ["span", "names", "d2", "ben", 7, 11, "PER"])
    export = read(path)
    assert units(export) == [
        ("d1", "ann", 0, 4, "PER"),
        ("d1", "ann", 9, 12, "PER"),
        ("d1", "ben", 0, 4, "PER"),
        ("d1", "ben", 9, 12, "LOC"),
        ("d2", "ann", 0, 2, "PER"),
        ("d2", "ben", 7, 11, "PER"),
    ]
    data = af.read(path)
    assert isinstance(data, Continuum)
    assert data.extents.tolist() == [[0, 13], [0, 12]]
    by_hand = Continuum.from_rows(
        ["ann", "ann", "ben", "ben", "ann", "ben"],
        [0, 9, 0, 9, 0, 7],
        [4, 12, 4, 12, 2, 11],
        ["PER", "PER", "PER", "LOC", "PER", "PER"],
        ["d1", "d1", "d1", "d1", "d2", "d2"],
        extents={"d1": 13, "d2": 12},
    )
    assert af.units.u_alpha(data).value == af.units.u_alpha(by_hand).value
    with pytest.warns(af.ReadHint, match="items are the union of the exact spans"):
        items = af.read(path, spans="exact")
    assert isinstance(items, af.Annotations)
    assert dict(zip(items.items, items.to_wide().tolist(), strict=True)) == {
        "d1:0-4": ["PER", "PER"],
        "d1:9-12": ["PER", "LOC"],
        "d2:0-2": ["PER", "not marked"],
        "d2:7-11": ["not marked", "PER"],
    }
    assert "agreement-fast units compares them" in command.error("report", str(path))
    result = command.json("report", str(path), "--spans", "exact")
    assert result["reports"][0]["n_items"] == 4
    result = command.json("report", str(path), "--spans", "document", "--distance", "masi")
    assert result["reports"][0]["categories"][0]["category"] == ["LOC", "PER"]
    shown = command.json("units", str(path))
    assert shown["documents"] == [
        {"name": "d1", "begin": 0.0, "end": 13.0},
        {"name": "d2", "begin": 0.0, "end": 12.0},
    ]
    assert not shown["inferred"]
    assert shown["source"]["layout"] == "export"
    longer = command.json("units", str(path), "--length", "d1=20,d2=30")
    assert longer["documents"][1]["end"] == 30.0


def test_a_document_that_somebody_did_not_finish_is_no_gap(tmp_path: Path) -> None:
    path = write(tmp_path / "a", *SPANS)
    with pytest.warns(af.ReadHint, match="1 of 2 documents were not finished by all 2 coders"):
        data = af.read(path)
    assert isinstance(data, Continuum)
    assert data.documents == ("d1", "d2")
    assert data.n_seeing.tolist() == [2, 1]
    # What one coder marked alone is compared with nothing.
    assert float(on_line.u_alpha(data)) == float(on_line.u_alpha(data.select(documents=["d1"])))
    with pytest.warns(af.ReadHint):
        items = af.read(path, spans="exact")
    assert isinstance(items, af.Annotations)
    assert dict(zip(items.items, items.to_wide().tolist(), strict=True))["d2:0-2"] == ["PER", None]


def test_spans_with_several_labels_are_sets(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *SPANS, ["span", "names", "d1", "ann", 0, 4, "ORG"])
    table = read(path).table(spans="exact")
    assert judgments(table) == {
        ("d1:0-4", "ann"): {"ORG", "PER"},
        ("d1:0-4", "ben"): {"PER"},
        ("d1:9-12", "ann"): {"PER"},
        ("d1:9-12", "ben"): {"LOC"},
        ("d2:0-2", "ann"): {"PER"},
    }
    assert any("several categories: labels are sets" in note for note in table.source.notes)
    result = command.json("report", str(path), "--spans", "exact")
    assert {one["distance"] for one in result["reports"][0]["table"]} == {"nominal", "masi"}
    shown = command.text("diagnose", str(path), "--spans", "exact", "--texts")
    assert "(masi)" in shown
    assert "(nominal)" not in shown


def test_spans_behind_the_end_of_their_document(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *SPANS[:-1], ["span", "names", "d1", "ann", 9, 14, "X"])
    error = command.error("units", str(path))
    assert "coder 'ann' marked 9 to 14 of document 'd1', which goes from 0 to 13" in error
    assert command.json("units", str(path), "--length", "d1=20")["n_units"] == 5
    with pytest.raises(af.AgreementError, match="marked 9 to 14"):
        af.read(path)


def test_exports_beside_tables(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *LABELS)
    (tmp_path / "t.csv").write_text("item,coder,label\n1,a,x\n1,b,y\n")
    error = command.error("report", str(tmp_path / "t.csv"), str(path))
    assert "is an export of Toy (JSON lines), but some of the other files are not" in error


def test_texts_are_kept_when_asked_for(tmp_path: Path, command: Command) -> None:
    path = write(tmp_path / "a", *LABELS, ["text", "t0", "Fine <b>\x1b[31mthanks"])
    data = af.read(path, texts=True)
    assert isinstance(data, af.Annotations)
    assert dict(data.texts) == {"t0": "Fine <b>\x1b[31mthanks"}
    assert dict(data.select(coders=["ann", "ben"]).texts) == dict(data.texts)
    worst = af.diagnostics.disagreements(data)[:4]
    assert {one.item: one.text for one in worst}["t0"] == data.texts["t0"]
    shown = command.text("diagnose", str(path), "--texts")
    assert "Fine <b>" in shown
    assert "\x1b" not in shown
    result = command.json("diagnose", str(path), "--texts")["diagnoses"][0]["disputed"]
    assert {one["item"]: one["text"] for one in result}["t0"] == data.texts["t0"]
    assert "disputed" not in command.json("diagnose", str(path))["diagnoses"][0]
    assert not af.read(path).texts  # type: ignore[union-attr]


def test_options_that_do_not_fit(tmp_path: Path, command: Command) -> None:
    path = str(write(tmp_path / "a", *LABELS))
    (tmp_path / "t.csv").write_text("item,coder,label\n1,a,x\n1,b,y\n")
    table = str(tmp_path / "t.csv")
    for option in ("--item x", "--where 1", "--layout wide", "--by x", "--skip-rows 1"):
        error = command.error("report", path, *option.split())
        assert f"{option.split()[0]} is for tables, and this is an export of Toy" in error
    assert "--start is for tables" in command.error("units", path, "--start", "x")
    for option in ("--question q", "--document-from file", "--with-predictions", "--count-skips"):
        error = command.error("report", table, *option.split())
        assert f"{option.split()[0]} is for exports of annotation tools" in error
    assert "--with-curation is not for exports of Toy" in command.error(
        "report", path, "--with-curation"
    )
    assert "format must be table or toy, got 'toys'" in command.error(
        "report", path, "--format", "toys"
    )
    assert "--spans exact requires spans" in command.error("report", path, "--spans", "exact")
    assert "holds no spans" in command.error("units", path)
    with pytest.raises(af.AgreementError, match="item= is for tables"):
        af.read(path, item="x")
    with pytest.raises(af.AgreementError, match="question= is for exports"):
        af.read(table, question="x")
    with pytest.raises(TypeError, match="nonsense"):
        af.read(table, nonsense=1)


def test_an_export_that_is_a_table(tmp_path: Path, command: Command) -> None:
    rows = [{"toy": ["odd"], "i": i, "c": c, "l": i} for i in range(3) for c in "ab"]
    path = str(write_lines(tmp_path / "t.jsonl", rows))
    named = ["--item", "i", "--coder", "c", "--label", "l"]
    assert command.json("report", path, *named)["reports"][0]["n_judgments"] == 6
    assert command.json("report", path, *named, "--format", "table")["source"]["layout"] == "long"
    assert "--item is for tables" in command.error("report", path, *named, "--format", "toy")
    data = af.read(path, item="i", coder="c", label="l")
    assert isinstance(data, af.Annotations)
    assert data.n_judgments == 6


def test_tables_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,coder,label\n1,a,x\n1,b,y\n2,a,NA\n2,b,y\n")
    with pytest.warns(af.LabelHint, match=r"'NA' \(1 judgment\) may mean"):
        data = af.read(tmp_path / "t.csv")
    assert isinstance(data, af.Annotations)
    data = af.read(tmp_path / "t.csv", missing=["NA"])
    assert isinstance(data, af.Annotations)
    assert data.n_judgments == 3
    (tmp_path / "w.csv").write_text("essay,ann,ben\ne1,1,2\ne2,2,2\n")
    data = af.read(tmp_path / "w.csv", layout="wide", item="essay")
    assert isinstance(data, af.Annotations)
    assert data.coders == ("ann", "ben")
    (tmp_path / "u.csv").write_text("coder,start,end,category\na,0,4,x\nb,1,4,x\n")
    data = af.read(tmp_path / "u.csv", spans="continuum", extents=9)
    assert isinstance(data, Continuum)
    assert data.n_units == 2
    with pytest.raises(af.AgreementError, match="no such file") as error:
        af.read(tmp_path / "nothing.csv")
    assert "nothing.csv" in str(error.value)


def test_the_standard_input(tmp_path: Path, command: Command, monkeypatch: Any) -> None:
    import io
    import sys
    from types import SimpleNamespace

    content = "".join(json.dumps({"toy": row}) + "\n" for row in LABELS).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert command.json("report", "-")["reports"][0]["n_judgments"] == 11
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"item,coder,label\n1,a,x\n1,b,y\n"))
    )
    assert command.json("report", "-")["reports"][0]["n_judgments"] == 2


def test_times_are_rounded_to_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step has its decimals, and spans that differ by less than a step are one."""
    rows = [
        ["span", "move", "d", "ann", 0.0091, 1234.5674, "x"],
        ["span", "move", "d", "ben", 0.0089, 1234.5671, "x"],
    ]
    path = write(tmp_path / "a", *rows)

    def in_seconds(tool: Toy, bundle: Bundle, out: Contents, options: Options) -> None:
        out.unit = "seconds"
        for member in bundle.members:
            for record in json_values(member):
                tool._take(record, out, options)

    monkeypatch.setattr(Toy, "read", in_seconds)
    assert units(read(path)) == [
        ("d", "ann", 0.009, 1234.567, "x"),
        ("d", "ben", 0.009, 1234.567, "x"),
    ]
    assert units(read(path, resolution=0.3)) == [
        ("d", "ann", 0.0, 4115 * 0.3, "x"),
        ("d", "ben", 0.0, 4115 * 0.3, "x"),
    ]
    items = read(path, spans="exact").table(spans="exact")
    assert judgments(items) == {("0.009-1234.567", "ann"): "x", ("0.009-1234.567", "ben"): "x"}
    with pytest.warns(af.ReadHint, match=r"rounded to steps of 0\.01 seconds"):
        data = af.read(path, resolution=0.01)
    assert isinstance(data, Continuum)
    assert data.resolution == 0.01
    assert data.end.tolist() == [123457, 123457]


def test_a_resolution_is_for_times(tmp_path: Path) -> None:
    path = write(tmp_path / "a", *SPANS)
    with pytest.raises(af.AgreementError, match="resolution= is for times in seconds"):
        af.read(path, resolution=0.1)


# ---------------------------------------------------------------- arguments of read


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"only_coder": 5}, "only_coder: expected a list of coders, got 5"),
        ({"exclude": "item"}, "exclude: expected a list of columns, got 'item'"),
        ({"question": 5}, "question must be text, not 5"),
        ({"spans": 200}, "spans must be text, not 200"),
        ({"order": ["a"]}, "read() got an unexpected argument 'order'"),
        ({"nonsense": 3}, "read() got an unexpected argument 'nonsense'"),
        ({"lable": "x"}, "read() got an unexpected argument 'lable': did you mean 'label'"),
        ({"with_x": 1}, "read() got an unexpected argument 'with_x'"),
        ({"start": "x"}, "argument 'start' of read() is for units"),
        ({"by": "x"}, "af.agreement_by_group"),
    ],
)
def test_arguments_are_refused_before_a_file_is_read(given, message) -> None:
    with pytest.raises(TypeError) as error:
        af.read("there is no such file", **given)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("option", "python"),
    [
        ("pass --coder-from file", 'pass coder_from="file"'),
        ("--coder-from with an expression", "coder_from= with an expression"),
        ("--skip-rows 2: a title", "skip_rows=2: a title"),
        ("pass --layout wide if each column is one", 'pass layout="wide" if each column is one'),
        ("pass --no-header if", "pass header=False if"),
        ("--missing 'NA' and --missing -1", 'missing=["NA"] and missing=["-1"]'),
        ("--encoding latin-1 or --encoding utf-16", 'encoding="latin-1" or encoding="utf-16"'),
        ("--exclude a,b", 'exclude=["a", "b"]'),
        ("--coder --label", "coder= label="),
        ("--item item --exclude 'a b'", 'item="item" exclude=["a b"]'),
        ("--coder 'ann b,bob' to name", 'coder=["ann b", "bob"] to name'),
        ("--label if it is the label", "label= if it is the label"),
        ("""--where "item <> 'Total'" to""", """where="item <> 'Total'" to"""),
        (r"""--where "\"my item\" <> 'x'" to""", r"""where='"my item" <> \'x\'' to"""),
        ("a--b and file--layout wide", "a--b and file--layout wide"),
    ],
)  # fmt: skip
def test_options_in_python(option: str, python: str) -> None:
    assert in_python(option) == python


def test_hints_speak_python(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,coder,label\n1,a,NA\n1,b,x\n2,a,x\n2,b,y\n")
    with pytest.warns(af.LabelHint, match=r"if so, pass missing=\["):
        af.read(path)
    with pytest.warns(af.ReadHint, match=r'missing=\["x y"\]: no label'):
        af.read(path, missing=["x y"])


def test_sets_are_named_as_they_are_printed() -> None:
    labels = [frozenset({"skipped"}), frozenset("ba"), frozenset(), "one"]
    for name, place in (("{skipped}", 0), ("skipped", 0), ("{a, b}", 1), ("{}", 2), ("one", 3)):
        assert exports.find_names(labels, [name]) == [place]
    with pytest.raises(exports.ReadError) as error:
        exports.find_names(labels, ["A"])
    assert str(error.value) == "no coder 'A': there are 'one', '{a, b}', '{skipped}', '{}'"


def test_another_package_offers_a_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read by the name of its entry point, and not tried without it."""
    about = tmp_path / "site" / "offered-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[agreement_fast.tools]\nours = offered:TOOL\n")
    offered = ModuleType("offered")
    monkeypatch.setattr(offered, "TOOL", Toy(), raising=False)
    monkeypatch.setitem(sys.modules, "offered", offered)
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(exports, "TOOLS", ())
    path = write(tmp_path / "a", *LABELS)
    assert af.read(path, "ours").n_judgments == 11
    with pytest.raises(af.AgreementError, match="format must be table or ours, got 'theirs'"):
        af.read(path, "theirs")
    with pytest.raises(af.AgreementError):
        af.read(path)
