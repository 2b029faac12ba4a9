"""Engines that take long to start, each once a run."""

import pytest
from lazy_frames import ENGINES


@pytest.fixture(scope="session", params=ENGINES)
def engine(request):
    """Give the name of an engine, and a function that hands it a table."""
    with ENGINES[request.param]() as opened:
        yield request.param, opened
