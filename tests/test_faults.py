"""The table of faults is about the code as it is."""

import ast
import shlex

import pytest
from _pytest.mark.expression import Expression
from faults import FAULTS, ROOT, Fault, shown

pytestmark = pytest.mark.sources


@pytest.mark.parametrize("fault", FAULTS, ids=shown)
def test_every_fault_can_be_put_in(fault: Fault) -> None:
    """Its text stands once in its file; one that has gone is rewritten, or leaves the table."""
    text = (ROOT / fault.path).read_text(encoding="utf-8")
    assert text.count(fault.old) == 1
    assert fault.new != fault.old
    for name in (part for part in fault.tests.split() if part.startswith("tests/")):
        assert (ROOT / name.partition("::")[0]).exists()


@pytest.mark.parametrize("tests", sorted({fault.tests for fault in FAULTS}))
def test_the_quick_tests_are_to_notice_every_fault(tests: str) -> None:
    """What stands under `breadth` is not run by those who change the code."""
    files, _, options = tests.partition(" -k ")
    wanted = Expression.compile(*shlex.split(options)) if options else None
    quick = [
        function.name
        for name in files.split(" --")[0].split()
        for function in ast.parse((ROOT / name).read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test")
        if not any(ast.unparse(mark) == "pytest.mark.breadth" for mark in function.decorator_list)
        if wanted is None or wanted.evaluate(lambda part, at=function.name: part in at)
    ]
    assert quick
