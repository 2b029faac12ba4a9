"""Engines that take long to start, each once a run."""

import pytest
from lazy_frames import ENGINES

#: Each engine is started by one process; Spark, PostgreSQL and SQLite take half of the time.
WITH_SPARK = ("spark", "postgres", "sqlite")
GROUPED = [
    pytest.param(name, marks=pytest.mark.xdist_group("spark" if name in WITH_SPARK else "others"))
    for name in ENGINES
]


@pytest.fixture(scope="session", params=GROUPED)
def engine(request):
    """Give the name of an engine, and a function that hands it a table."""
    with ENGINES[request.param]() as opened:
        yield request.param, opened
