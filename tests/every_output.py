"""What holds for the outputs of every command."""

import hashlib
import json
import re
import shlex

from html_page import checked

from agreement_fast.cli import find_commands, main
from agreement_fast.cli.outputs import OUTPUTS

#: A call of each command that gives numbers.
CALLS = {
    "report": ["--example"],
    "diagnose": ["--example"],
    "subsets": ["--example"],
    "disagreements": ["--example"],
    "aggregate": ["--example"],
    "units": ["units.csv"],
    "codes": ["sets.csv", "--set-separator", ";"],
    "compare": ["groups.csv", "--by", "batch"],
    "missing": ["judged.csv", "--state", "y"],
    "models": ["--example"],
    "gold": ["judged.csv", "--gold", "c"],
    "judges": ["judged.csv", "--model", "c,d", "--n-resamples", "40"],
    "units --of segments": ["cuts.csv"],
    "units --of chains": ["links.csv"],
}
#: Commands without a call of their own read the data of the package.
CALLS |= {one.NAME: ["--example"] for one in find_commands() if one.NAME not in CALLS}

#: What a common output prints or writes begins with.
BEGINS = {
    "--json": "{",
    "--markdown": "",
    "--latex": "\\begin{table}\n\\caption{",
    "--html": "<!doctype html>",
    "--csv": "",
    "--csv-for-spreadsheets": "",
}


def write_tables(folder):
    """Write the tables that the calls name."""
    (folder / "units.csv").write_text("coder,start,end,category\na,0,4,x\nb,1,4,x\nb,6,9,y\n")
    (folder / "sets.csv").write_text("item,coder,label\n1,a,x;y\n1,b,x\n2,a,y\n2,b,y\n")
    (folder / "cuts.csv").write_text("coder,marks\na,00100\nb,00010\n")
    (folder / "links.csv").write_text(
        "document,coder,mention,antecedent\n1,a,x,y\n1,b,x,z\n1,a,v,\n1,b,v,z\n"
    )
    (folder / "judged.csv").write_text(
        "item,coder,label\n"
        + "".join(
            f"{i},{c},{'xy'[i % n % 2]}\n"
            for i in range(12)
            for n, c in zip((2, 3, 4, 5), "abcd", strict=True)
        )
    )
    (folder / "groups.csv").write_text(
        "batch,item,coder,label\n"
        "1,i,a,x\n1,i,b,x\n1,j,a,y\n1,j,b,y\n"
        "2,k,a,x\n2,k,b,y\n2,l,a,y\n2,l,b,x\n"
    )


def outputs_of(name, call, tmp_path, capsys):
    """Make each output of a call, and hold it against what all must keep."""
    common = [one for one in OUTPUTS if one.help]
    assert {one.option for one in common} == set(BEGINS)
    made = {}
    for one in common:
        path = ["out"] if one.usage.endswith(" FILE") else []
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
