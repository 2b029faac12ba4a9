"""A study in one file: a result and a function have every output, a page and a command."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import jsonschema
import pytest
from command import SCHEMA
from every_output import outputs_of, pinned_call_of
from html_page import checked

from agreement_fast import cli
from agreement_fast.cli import commands

TOY = '''
"""The command ``agreement-fast equal-pairs``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agreement_fast.annotations import Annotations
from agreement_fast.cli.outcome import Study
from agreement_fast.coefficients import observed_agreement
from agreement_fast.present.result import Presented
from agreement_fast.present.sections import Estimate, Rows, Section
from agreement_fast.present.tables import Table

@dataclass(frozen=True)
class EqualPairs(Presented):
    value: float
    low: float
    high: float
    coders: Table
    labels: Table
    remark: str

    def sections(self) -> Iterator[Section]:
        estimate = Estimate("share of equal pairs", self.value, self.low, self.high)
        yield Section("Equal pairs", [estimate, self.remark])
        yield Section("Coders", [Rows.of(self.coders, "coder", brief=2)])
        yield Section("Labels", [Rows.of(self.labels, "label")])

def equal_pairs(data: Annotations, *, labels: int = 3, method: str = "score") -> EqualPairs:
    """Count the pairs of judgments that are equal.

    Parameters
    ----------
    labels : int
        How many labels are listed.
    method : str
        The interval: score, wilson or wald.
    """
    share, uses = observed_agreement(data, method=method), data.coder_marginals()
    coders = Table({"coder": list(data.coders), "judgments": uses.sum(1)})
    found = Table({"label": data.categories[:labels], "judgments": uses.sum(0)[:labels]})
    return EqualPairs(share.value, share.low, share.high, coders, found, "Pairs count the same.")

COMMAND = Study(equal_pairs)
'''
NAME = "equal-pairs"


@pytest.fixture(autouse=True)
def toy(tmp_path, monkeypatch):
    """Put the file among the commands, and nothing else anywhere."""
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "toy.py").write_text(TOY)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path / "commands")])
    cli.find_commands.cache_clear()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    yield
    cli.find_commands.cache_clear()


def printed(capsys, *words):
    assert cli.main([NAME, "--example", *words]) == 0
    return capsys.readouterr().out


def test_a_study_takes_forty_lines():
    assert len([line for line in TOY.splitlines() if line.strip()]) <= 40


def test_its_text_has_an_answer_and_all(capsys):
    assert printed(capsys, "--full").partition("\n\nEqual pairs\n")[2] == (
        "  share of equal pairs = 0.7244, 95% interval 0.6358 to 0.7984.\n"
        "  Pairs count the same.\n\n"
        "Coders\n  coder  judgments\n  obs1          45\n  obs2          45\n  obs3          45\n"
        "  obs4          45\n  obs5          45\n\n"
        "Labels\n  label  judgments\n      1         94\n      2         84\n      3         34\n"
    )
    assert "  obs2          45\n  and 3 more coders\n" in printed(capsys)


def test_it_has_every_output(tmp_path, capsys):
    document = json.loads(printed(capsys, "--json"))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    (result,) = document["results"]
    assert result["coders"][0] == {"coder": "obs1", "judgments": 45}
    assert result["remark"] == "Pairs count the same."
    (row,) = csv.DictReader(io.StringIO(printed(capsys, "--csv", "-")))
    assert math.isclose(float(row["value"]), result["value"])
    assert "| share of equal pairs | 0.7244 | 0.6358 | 0.7984 |" in printed(capsys, "--markdown")
    assert "obs1 & 45 \\\\" in printed(capsys, "--latex")
    printed(capsys, "--html", "page.html")
    page = checked(Path("page.html").read_text(encoding="utf-8"))
    assert [one["text"] for one in page.all("h2")] == [
        "Read", "Equal pairs", "Coders", "Labels", "How it was computed"
    ]  # fmt: skip
    assert page.data("document") == document
    assert len(page.all("svg")) == 1


def test_its_options_are_those_of_the_function(capsys):
    assert cli.main([NAME, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Count the pairs of judgments that are equal." in shown
    assert "--labels N How many labels are listed. (default: 3)" in shown
    assert "4 " not in printed(capsys, "--labels", "1").partition("Labels")[2]
    assert cli.main([NAME, "--example", "--method", "none"]) == 2
    assert "none" in capsys.readouterr().err
    assert cli.main(["--help"]) == 0
    assert "count the pairs of judgments that are equal" in capsys.readouterr().out


def test_groups_have_their_sections(tmp_path, capsys):
    (tmp_path / "d.csv").write_text("g,item,coder,label\nx,1,a,p\nx,1,b,p\ny,2,a,p\ny,2,b,q\n")
    assert cli.main([NAME, "d.csv", "--by", "g", "--full"]) == 0
    assert capsys.readouterr().out.count("share of equal pairs = ") == 2


def test_it_keeps_what_holds_for_every_command(tmp_path, capsys):
    assert NAME in [one.NAME for one in cli.find_commands()]
    outputs_of(NAME, ["--example"], tmp_path, capsys)
    pinned_call_of(NAME, ["--example"], capsys)
    assert len(printed(capsys).splitlines()) <= 25
