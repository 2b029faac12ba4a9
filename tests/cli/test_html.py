"""``--html``: the page that the commands write."""

import importlib.util
import json

import pytest
from html_page import checked

from agreement_fast.files import stream

TEXTS = (
    "item,coder,label,what\n1,A,x,Secret\n1,B,y,Secret\n2,A,x,https://example.org/2\n"
    "2,B,y,zzz\n3,A,y,Same\n3,B,y,Same\n"
)
SPANS = "coder,start,end,category\nA,0,4,x\nB,1,4,x\nA,6,9,y\n"


def read(path):
    return checked(path.read_text(encoding="utf-8"))


def test_report_writes_a_page_that_holds_its_document(folder, command):
    printed = command.text("report", "long.csv", "--html", "page.html")
    assert printed.endswith("\n  Written: page.html\n")
    made = read(folder / "page.html")
    assert made.all("title")[0]["text"] == "Agreement: long.csv"
    want = command.json("report", "long.csv", "--method", "score")
    assert {**made.data("document"), "computed": want["computed"]} == want
    digest = want["source"]["files"][0]["sha256"]
    assert f"SHA-256 of long.csv{digest}" in made.section("method")
    assert "call with all columns" in made.section("method")
    assert "agreement-fast report long.csv --html page.html" in made.section("method")
    assert "Intervals" in printed  # the page and the text are of the same values


def test_json_and_a_page_at_once(folder, command):
    document = command.json("report", "long.csv", "--html", "page.html")
    assert read(folder / "page.html").data("document") == document


def test_a_column_is_shown_and_left_out(folder, command):
    (folder / "texts.csv").write_text(TEXTS)
    printed = command.text("report", "texts.csv", "--html", "page.html", "--show", "what")
    assert "1 item has several texts in column 'what': the first is shown" in " ".join(
        printed.split()
    )
    rows = read(folder / "page.html").data("items-data")["rows"]
    assert [(row[0], row[4]) for row in rows] == [("1", "Secret"), ("2", "https://example.org/2")]
    command.text("report", "texts.csv", "--html", "page.html", "--show", "what", "--no-text")
    assert "Secret" not in (folder / "page.html").read_text()


def test_a_shown_column_is_no_coder_of_a_wide_table(folder, command):
    (folder / "texts.csv").write_text("A,B,remark\nx,y,First\nx,x,\ny,x,Third\n")
    command.text(
        "report", "texts.csv", "--layout", "wide", "--html", "page.html", "--show", "remark"
    )
    made = read(folder / "page.html")
    assert made.data("pairs-data")["coders"] == ["A", "B"]
    assert [(row[0], row[4]) for row in made.data("items-data")["rows"]] == [
        ("0", "First"),
        ("2", "Third"),
    ]


def test_a_shown_column_is_not_guessed(folder, command):
    (folder / "texts.csv").write_text(TEXTS.replace("label,what", "rating,category"))
    assert "could be the label" in command.error("report", "texts.csv")
    command.text("report", "texts.csv", "--html", "page.html", "--show", "category")
    assert "label is rating" in read(folder / "page.html").section("part-read")


def test_where_many_rows_are_added_up_items_have_no_names(folder, command, monkeypatch):
    monkeypatch.setattr(stream, "LARGE", 3)
    monkeypatch.setattr(stream, "LARGE_FILE", 3)
    (folder / "texts.csv").write_text(TEXTS)
    command.text("report", "texts.csv", "--html", "page.html")
    made = read(folder / "page.html")
    assert made.data("items-data")["rows"] == [["kind 1", 1.0, 1.0, 2, "", [0, 0, 1, 1]]]
    assert made.data("pairs-data")["coders"] == ["A", "B"]


def test_texts_of_exports_are_shown(folder, command):
    tasks = [
        {"id": i, "data": {"text": f"Text {i}"}, "annotations": [
            {"id": 10 * i + j, "completed_by": j, "result": [
                {"from_name": "s", "to_name": "t", "type": "choices",
                 "value": {"choices": [["pos", "neg"][(i + j) % 2]]}}]}
            for j in range(2)]}
        for i in range(3)
    ]  # fmt: skip
    (folder / "tasks.json").write_text(json.dumps(tasks))
    command.text("report", "tasks.json", "--html", "page.html")
    assert "Text 1" in read(folder / "page.html").section("items")
    command.text("report", "tasks.json", "--html", "page.html", "--no-text")
    assert "Text 1" not in (folder / "page.html").read_text()
    printed = command.error("report", "tasks.json", "--html", "page.html", "--show", "text")
    assert printed.startswith("--show is for tables, and this is an export of Label Studio")


def test_units_have_a_page_with_lanes(folder, command):
    (folder / "spans.csv").write_text(SPANS)
    command.text("units", "spans.csv", "--length", "12", "--html", "page.html")
    made = read(folder / "page.html")
    assert made.data("document") == command.json("units", "spans.csv", "--length", "12")
    assert len(made.all("svg", **{"class": "lanes"})) == 1


ERRORS = {
    "--html nowhere/page.html": "there is no folder 'nowhere'",
    "--html .": "is a folder",
    "--html page.html --show label --by lang": "--show needs the page of one group: pick it with "
    "--where instead of --by, as in --where \"lang = '...'\"",
    "--html page.html --show label --by lang,label": "as in"
    " --where \"lang = '...' and label = '...'\"",
    "--html page.html --show label --by two-way,lang": r"""--where "\"two-way\" = '...'""",
    "--show lang": "--show goes with --html FILE",
    "--no-text": "--no-text goes with --html FILE",
    "--html page.html --show lange": "did you mean 'lang'?",
}


@pytest.mark.parametrize("options", ERRORS)
def test_what_cannot_be_written_is_refused(folder, command, options):
    assert ERRORS[options] in command.error("report", "long.csv", *options.split())
    assert not (folder / "page.html").exists()


def test_without_jinja_the_remedy_is_named(folder, command, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *more: None if name == "jinja2" else real(name, *more),
    )
    printed = command.error("report", "long.csv", "--html", "page.html")
    assert printed == '--html needs Jinja2: pip install "agreement-fast[html]"'
