"""The table of faults is about the code as it is."""

import pytest
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
