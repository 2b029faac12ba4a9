"""Options that are parameters of a function have the help of its docstring."""

from __future__ import annotations

import argparse
import importlib
import inspect

import pytest
from command import Command
from loops import nonempty

import agreement_fast as af
from agreement_fast import diagnostics, models, subsets
from agreement_fast.cli import add_options, find_commands, main
from agreement_fast.cli.options import Parameter, parameters_of

#: What each command calls.
FUNCTIONS = {
    "report": (af.report,),
    "diagnose": (af.diagnose,),
    "disagreements": (diagnostics.disagreements,),
    "missing": (diagnostics.missing_judgments,),
    "codes": (diagnostics.code_agreement,),
    "compare": (af.compare,),
    "gold": (diagnostics.gold_scores,),
    "judges": (diagnostics.model_agreement, diagnostics.alternative_annotator_test),
    "aggregate": (af.aggregate,),
    "models": (models.latent_classes,),
    "subsets": (subsets.coder_subsets, subsets.reference_stability),
    "units": (af.bootstrap,),
    "units --of segments": (),
    "units --of chains": (),
}

#: Options that take in the shell a text for what Python takes as values: columns, files, coders,
#: distances; and methods of which a command offers some.
OTHERWISE = {
    "cluster", "coefficient", "distance", "gold", "method", "model", "paired", "progress", "sort",
    "ties", "anonymous", "state",
}  # fmt: skip


def options_of(command):
    parser = argparse.ArgumentParser()
    add_options(command, parser)
    return [action for action in parser._actions if action.option_strings]


@pytest.mark.parametrize("command", find_commands(), ids=lambda command: command.NAME)
def test_a_parameter_is_described_once(command):
    parameters = set()
    for function in FUNCTIONS[command.NAME]:
        parameters |= set(inspect.signature(function).parameters)
    for action in nonempty(options_of(command)):
        if action.dest in parameters - OTHERWISE:
            assert isinstance(action.help, Parameter), action.dest


def test_descriptions_are_those_of_the_functions():
    described = {
        action.help
        for command in find_commands()
        for action in options_of(command)
        if isinstance(action.help, Parameter)
    }
    for text in nonempty(described):
        place, name, parameter = text.split(":")
        function = getattr(importlib.import_module(f"agreement_fast.{place}"), name)
        documented = " ".join(inspect.getdoc(function).replace("`", "").split())
        assert parameters_of(place, name)[parameter][0] in documented
        if "**" not in str(inspect.signature(function)) and "options" not in str(
            inspect.signature(function)
        ):
            assert parameter in inspect.signature(function).parameters


def test_help_is_in_the_words_of_the_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "--n-resamples N the number of resamples of a bootstrap (default: 2000)" in shown
    assert "columns that are not guessed to have a role and, with --layout wide, are not" in shown
    assert "--with-predictions read the predictions of a model" in shown
    assert "(default: False)" not in shown


def test_who_does_not_name_a_method_draws_nothing(command: Command, folder) -> None:
    for draws in (["--n-resamples", "500"], ["--rng=3"], ["--resample", "items"]):
        error = command.error("report", "long.csv", *draws)
        assert error.startswith(f"{draws[0].partition('=')[0]} needs a bootstrap")


def test_a_function_without_docstring_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"reports.content has no function nothing"):
        parameters_of("reports.content", "nothing")
