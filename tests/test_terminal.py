"""Texts of others are escaped, with any content."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import Command

from agreement_fast.present.terminal import escape, show_label

#: What must never reach a terminal as it is.
HOSTILE = [
    "\x00", "\x07", "\x08", "\r", "\n", "\t", "\x1b[31m", "\x1b]0;title\x07", "\x7f", "\x85",
    "\x9b31m", "\xa0", "\xad", "\u034f", "\u061c", "\u115f", "\u200b", "\u200d", "\u200e",
    "\u2028", "\u2029", "\u202e", "\u2066", "\u3000", "\u3164", "\ufeff", "\ufff9", "\ud800",
    "\U000e0041",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_characters_are_escaped(text: str) -> None:
    for shown in (escape(f"a{text}b"), show_label(f"a{text}b")):
        assert shown.startswith("a\\")
        assert shown.isascii()
        assert shown.isprintable()


def test_usual_characters_stay() -> None:
    usual = "é 日本 🎉 ñ a\u0301 \\ 'x'"
    assert escape(usual) == usual


@pytest.mark.parametrize(
    "picture",
    [
        "\U0001f469\u200d\U0001f467",
        "\U0001f469\U0001f3fd\u200d\U0001f52c",
        "\u2764\ufe0f\u200d\U0001f525",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
    ],
    ids=ascii,
)
def test_pictures_that_are_joined_stay(picture: str) -> None:
    assert escape(f"a {picture} b\n") == f"a {picture} b\\n"
    assert show_label(picture) == picture
    # Alone, doubled or beside a letter it joins nothing.
    for bad in ("\u200d", picture + "\u200d", "\u200d" + picture, f"{picture}\u200da"):
        assert "\\u200d" in escape(bad)
    assert "\\u200d\\u200d" in escape(picture[:-1] + "\u200d" + picture[-1])


def test_a_long_label_is_not_read_to_its_end() -> None:
    class Counting(str):
        seen = 0

        def __getitem__(self, key: object) -> str:
            taken = str(self)[key]  # type: ignore[index]
            Counting.seen += len(taken)
            return taken

    label = Counting("\x1b" * 1_000_000)
    assert show_label(label) == "\\x1b" * 7 + "\\x1…"
    assert Counting.seen <= 4 * 32
    assert show_label("a" + "\u0301" * 1000) == "a" + "\u0301" * 127 + "…"


@pytest.mark.parametrize("name", ["report", "diagnose", "subsets"])
def test_no_command_prints_them(command: Command, folder: Path, name: str) -> None:
    bad = "".join(one for one in HOSTILE if one not in ("\x00", "\r", "\n", "\ud800"))
    rows = "".join(f'"i{bad}{i}","c{coder}{bad}","l{bad}{(i * coder) % 3}","g{bad}"\n'
                   for i in range(6) for coder in range(3))  # fmt: skip
    file = "f\x1b[31m\u202e\u200b.csv"
    (folder / file).write_text(f'"it{bad}em","co{bad}der","la{bad}bel","by{bad}"\n{rows}',
                               encoding="utf-8")  # fmt: skip
    # command.text holds all that is printed against isprintable
    argv = [name, file, "--item", f"it{bad}em", "--coder", f"co{bad}der", "--label", f"la{bad}bel"]
    command.text(*argv, "--by", f"by{bad}")
    command.json(*argv)
    message = command.error(*argv[:-1], f"{bad}nope")
    assert message.isprintable()
    assert json.dumps(message)


#: Rooms whose results are printed.
ROOMS = ("models", "diagnostics", "units", "inference", "subsets", "measures")


@pytest.mark.sources
@pytest.mark.parametrize("room", ROOMS)
def test_what_is_left_out_of_a_table_is_counted_by_one_function(room: str) -> None:
    package = Path(__file__).parents[1] / "agreement_fast"
    own = re.compile(r"""(\.{3}|…)[^"]*\} more|lines[^\n]*\} more\b""")
    paths = sorted((package / room).rglob("*.py"))
    assert paths
    assert not [path.name for path in paths if own.search(path.read_text(encoding="utf-8"))]
