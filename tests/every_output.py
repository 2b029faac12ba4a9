"""What holds for the outputs of every command."""

import hashlib
import json
import re
import shlex

from html_page import checked

from agreement_fast.cli import main
from agreement_fast.cli.outputs import OUTPUTS

#: What a common output prints or writes begins with.
BEGINS = {
    "--json": "{",
    "--markdown": "",
    "--latex": "\\begin{table}\n\\caption{",
    "--html": "<!doctype html>",
    "--csv": "",
    "--csv-for-spreadsheets": "",
}


def outputs_of(name, call, tmp_path, capsys):
    """Make each output of a call, and hold it against what all must keep."""
    common = [one for one in OUTPUTS if one.help]
    assert {one.option for one in common} == set(BEGINS)
    made = {}
    for one in common:
        path = ["out"] if one.write else []
        assert main([*name.split(), *call, one.option, *path]) == 0
        printed = capsys.readouterr().out
        made[one.option] = (tmp_path / "out").read_text() if path else printed
        assert made[one.option].startswith(BEGINS[one.option])
        assert "\nWritten" not in printed
    assert made["--csv"] == made["--csv-for-spreadsheets"]  # no cell is a formula
    page = checked(made["--html"])
    assert "agreement-fast" in page.section("method")
    document = json.loads(made["--json"])
    assert page.data("document")["command"] == document["command"] == name
    tables = made["--latex"].count("\\begin{table}")
    assert tables == made["--latex"].count("\\end{table}") > 0
    assert tables == len(re.findall("^[|] :?---", made["--markdown"], flags=re.MULTILINE))


def pinned_call_of(name, call, capsys):
    """Run a call and then the one that its document names."""

    def document(*words):
        assert main([*words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    first = document(*name.split(), *call)
    program, *pinned = shlex.split(first["computed"]["call"])
    assert program == "agreement-fast"
    again = document(*pinned)
    assert again["computed"] == first["computed"]
    for one in (first, again):
        for source in one.pop("sources", None) or [one.pop("source")]:
            assert one is first or source["guessed"] == []
            for file in source["files"]:
                with open(file["name"], "rb") as content:
                    assert file["sha256"] == hashlib.file_digest(content, "sha256").hexdigest()
    assert again == first
