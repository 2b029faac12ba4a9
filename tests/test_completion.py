"""Editors without a live session, which read the sources with jedi, complete calls and results."""

import inspect

import jedi
import pytest

import agreement_fast as af
from agreement_fast.options import READING

FUNCTIONS = [
    f"af.{name}"
    for name in af.__all__
    if inspect.isfunction(getattr(af, name)) and name not in ("citation", "concat", "read")
] + ["af.measures.correlations", "af.diagnostics.disagreements"]
#: Overloads by the kind of data, whose options of reading jedi does not follow.
OVERLOADED = {"af.bootstrap", "af.report"}


def completed(call: str) -> set[str]:
    """What jedi offers at the end of some code."""
    return {name.name for name in jedi.Script(f"import agreement_fast as af\n{call}").complete()}


@pytest.mark.few("af.kappa", "af.krippendorff_alpha", "af.agreement_by_group")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_parameters_of_a_call_are_completed(name):
    space, _, function = name.rpartition(".")
    space = af if space == "af" else getattr(af, space.removeprefix("af."))
    expected = set(inspect.signature(getattr(space, function)).parameters)
    if "reading" in expected and name not in OVERLOADED:
        expected |= READING
    offered = completed(f"{name}(")
    assert {f"{name}=" for name in expected - {"data", "reading", "options"}} <= offered


@pytest.mark.parametrize(
    "call",
    ["af.kappa(x)", "af.kappa(x, y)", "af.alpha(x, 'ordinal')", "af.krippendorff_alpha(x)"],
)
def test_the_attributes_of_a_result_are_completed(call):
    assert {"value", "low", "high", "interval", "observed_disagreement"} <= completed(f"{call}.")
