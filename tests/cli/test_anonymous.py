"""--anonymous: no output of a command names a coder, an item, a text or a file."""

import re

import pytest
from command import Command

ROWS = [
    (1, "Annabel", "x"), (1, "Beatrix", "x"), (1, "Cordula", "x"),
    (2, "Annabel", "y"), (2, "Beatrix", "x"), (2, "Cordula", "y"),
    (3, "Annabel", "y"), (3, "Beatrix", "y"), (3, "Cordula", "y"),
    (4, "Beatrix", "x"), (4, "Cordula", "x"), (5, "Cordula", "y"), (5, "Beatrix", "x"),
    (6, "Annabel", "x"), (6, "Beatrix", "x"), (6, "Cordula", "y"),
]  # fmt: skip
NAMED = re.compile("Annabel|Beatrix|Cordula|zdoc|hush|secret")

CALLS = [
    ["report"],
    ["report", "--by", "batch"],
    ["report", "--cluster", "batch"],
    ["report", "--only-coder", "Annabel,Beatrix"],
    ["diagnose"],
    ["disagreements", "--show", "txt"],
    ["disagreements", "--between", "Annabel,Beatrix"],
    ["aggregate"],
    ["aggregate", "--gold", "Annabel"],
    ["gold", "--gold", "Annabel"],
    ["judges", "--model", "Cordula"],
    ["models"],
    ["subsets"],
    ["codes", "--set-separator", ";"],
    ["compare", "--by", "batch"],
    ["report", "--by", "coder"],
    ["report", "--by", "coder,batch"],
    ["compare", "--by", "coder", "--by-only", "Annabel,Cordula", "--no-paired"],
]


@pytest.fixture
def command(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"zdoc{i},{coder},{label},hush,b{1 + (i > 2)}" for i, coder, label in ROWS]
    (tmp_path / "secret.csv").write_text("\n".join(["item,coder,label,txt,batch", *lines]))
    return Command(capsys)


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_no_output_names_anybody(command, tmp_path, call):
    name, *others = call
    argv = [name, "secret.csv", *others, "--anonymous"]
    shown = [command.text(*argv), str(command.json(*argv)), str(command.table(*argv))]
    command.answer(*argv, "--html", "o.html")
    for text in (*shown, (tmp_path / "o.html").read_text()):
        assert not NAMED.search(text), NAMED.search(text)


@pytest.mark.parametrize(
    ("of", "rows"),
    [
        ("segments", ["document,coder,marks", "zdoc,Annabel,0010", "zdoc,Beatrix,0100"]),
        ("chains", ["document,coder,mention,antecedent", "zdoc,Annabel,hush,zdoc it",
                    "zdoc,Beatrix,hush,", "zdoc,Cordula,zdoc it,hush"]),
    ],
)  # fmt: skip
def test_no_output_of_cuts_and_links_names_anybody(command, tmp_path, of, rows):
    (tmp_path / "secret.csv").write_text("\n".join(rows))
    argv = ["units", "--of", of, "secret.csv"]
    argv += ["--gold", "Annabel"] if of == "segments" else []
    named, hidden = (command.json(*argv, *how) for how in ([], ["--anonymous"]))
    assert NAMED.search(str(named))
    assert not NAMED.search(command.text(*argv, "--anonymous") + str(hidden))
    command.answer(*argv, "--anonymous", "--html", "o.html")
    assert not NAMED.search((tmp_path / "o.html").read_text())
    values = "coefficients" if of == "chains" else "boundaries"
    assert hidden[values] == named[values]


def test_letters_are_the_same_in_all_groups_and_commands(command):
    """Annabel, Beatrix and Cordula are A, B and C wherever they are found."""
    argv = ("secret.csv", "--gold", "Beatrix", "--where", "batch = 'b2'")
    hidden, named = (command.table("gold", *argv, *how) for how in (["--anonymous"], []))
    assert [row.pop("coder") for row in named] == ["Annabel", "Cordula", "majority"]
    assert [row.pop("coder") for row in hidden] == ["A", "C", "majority"]
    assert hidden == named
    disputed = command.table("disagreements", "secret.csv", "--by", "batch", "--anonymous")
    assert {row["item"] for row in disputed} <= set("123456")
    assert {"A", "B", "C"} <= disputed[0].keys()


def test_a_page_leaves_texts_out(command, tmp_path):
    command.answer("report", "secret.csv", "--show", "txt", "--anonymous", "--html", "o.html")
    assert not NAMED.search((tmp_path / "o.html").read_text())


def test_a_file_of_gold_labels_and_what_names_of_files_share_are_not_named(command, tmp_path):
    (tmp_path / "hush.csv").write_text("item,gold\nzdoc1,x\nzdoc2,y\nzdoc3,y\nother,x\n")
    shown = command.text("gold", "secret.csv", "--gold", "hush.csv", "--anonymous")
    assert "gold is a file of its own: 3 items have right labels" in shown
    assert not NAMED.search(shown)
    for name in ("Annabel", "Beatrix"):
        rows = [f"{item},{label}\n" for item, who, label in ROWS if who == name]
        (tmp_path / f"secret_{name}.csv").write_text("item,label\n" + "".join(rows))
    files = ["secret_Annabel.csv", "secret_Beatrix.csv", "--coder-from", "file"]
    assert "without 'secret_'" in command.text("report", *files)
    assert not NAMED.search(command.text("report", *files, "--anonymous"))


def test_a_column_of_right_labels_is_not_named(command, tmp_path):
    lines = [f"{i},{i % 2},{i % 3},{i % 2}" for i in range(12)]
    (tmp_path / "wide.csv").write_text("\n".join(["item,Annabel,Beatrix,Cordula", *lines]))
    for form in ("--full", "--json"):
        argv = ("gold", "wide.csv", "--gold", "Annabel", form)
        assert NAMED.search(command._out(*argv))
        assert not NAMED.search(command._out(*argv, "--anonymous"))


def test_an_error_is_kept_back(command):
    named = command.error("report", "secret.csv", "--only-coder", "Cordulla")
    assert NAMED.search(named)
    hidden = command.error("report", "secret.csv", "--only-coder", "Cordulla", "--anonymous")
    assert "run it without --anonymous to read the error" in hidden
    assert not NAMED.search(hidden)
