"""Runs the command in this process, for the tests of its commands."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from agreement_fast.cli import add_options, find_commands, main
from agreement_fast.cli.wording import OTHER_NAMES

DOCS = Path(__file__).resolve().parents[1] / "docs"
SCHEMA = json.loads((DOCS / "output.schema.json").read_text(encoding="utf-8"))
#: Validators of each form of the document, whose errors are clearer than those of all forms.
VALIDATORS = {
    command.NAME: jsonschema.Draft202012Validator(
        {**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{command.NAME.split()[-1]}_output"}]}
    )
    for command in find_commands()
}

# 4 items, 3 coders, one item judged once, in two languages
LONG = """\
item,coder,label,lang
1,A,low,en
1,B,low,en
1,C,mid,en
2,A,high,en
2,B,high,en
3,A,mid,de
3,C,high,de
4,B,low,de
"""

# Landis & Koch 1977, carcinoma in situ, the first three of seven pathologists
WIDE = "A,B,C,slides\n1,1,1,38\n1,2,1,12\n2,1,1,5\n2,2,1,21\n2,1,2,1\n2,2,2,41\n"


def options_of(command: Any) -> set[str]:
    """Give the names of a command's options, as they are in Python."""
    parser = argparse.ArgumentParser()
    add_options(command, parser)
    return set(vars(parser.parse_args([])))


#: An argument of Python, as in duplicates='first', for which there is an option.
PYTHON = re.compile(
    r"(?<![\w-])("
    + "|".join(set().union(*map(options_of, find_commands())) | OTHER_NAMES.keys())
    + ")="
)


class Command:
    """Runs the command and holds what it prints against its rules."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def text(self, *argv: str) -> str:
        """Give all that it can print; it must fit a terminal."""
        return self.answer(*argv, "--full")

    def answer(self, *argv: str) -> str:
        """Give what it prints; it must fit a terminal."""
        out = self._out(*argv)
        assert max(map(len, out.splitlines())) <= 100
        return out

    def _out(self, *argv: str) -> str:
        code = main(argv)
        out, err = self._capsys.readouterr()
        assert (code, err) == (0, "")
        assert not {c for c in out if not c.isprintable() and c != "\n"}
        return out

    def json(self, *argv: str) -> Any:
        """Give the document, which must follow the schema."""
        document = json.loads(self._out(*argv, "--json"))
        assert document["command"].split()[0] == argv[0]
        VALIDATORS[document["command"]].validate(document)
        return document

    def table(self, *argv: str) -> list[dict[str, str]]:
        """Give the rows of its table."""
        return list(csv.DictReader(io.StringIO(self._out(*argv, "--csv", "-"), newline="")))

    def error(self, *argv: str) -> str:
        """Give the line with which it refuses; it speaks of options, not of Python's arguments."""
        code = main(argv)
        out, err = self._capsys.readouterr()
        assert (code, out) == (2, "")
        assert err.startswith("agreement-fast: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        # What the user wrote may be quoted.
        assert all(result[0] in " ".join(argv) for result in PYTHON.finditer(err))
        return err.removeprefix("agreement-fast: ").rstrip("\n")
