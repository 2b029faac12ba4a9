"""The version is in `agreement_fast/__init__.py` alone, and files that repeat it say the same."""

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import agreement_fast as af

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RECIPE = (ROOT / "recipe" / "recipe.yaml").read_text()


def test_the_build_takes_the_version_from_the_package():
    assert importlib.metadata.version("agreement-fast") == af.__version__
    assert "version" not in PROJECT


def test_the_import_does_not_look_for_the_version():
    command = "import sys, agreement_fast; print('importlib.metadata' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr


def test_the_recipe_has_the_version_and_the_requirements_of_pyproject():
    assert re.findall(r'^  version: "(.+)"$', RECIPE, re.MULTILINE) == [af.__version__]
    needed = {need.partition(";")[0] for need in PROJECT["dependencies"]}
    ran = RECIPE.partition("  run:\n")[2].partition("\ntests:")[0]
    assert {result.replace(" ", "") for result in re.findall(r"\S+ >=\S+", ran)} == needed
    python = PROJECT["requires-python"].removeprefix(">=")
    assert f'python_min: "{python}"' in RECIPE
