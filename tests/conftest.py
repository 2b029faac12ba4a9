"""Settings shared by all tests."""

import gc
import itertools
import os
import signal

import pytest
from examples import USUAL
from hypothesis import HealthCheck, settings
from shared_database import Sharing

# A shell lets what runs in its background ignore Ctrl-C, which tests send to what they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The parsers of the command would look on the disk for a translation of each of their texts.
os.environ["LANGUAGE"] = "C"

# The command prints lines as long as the terminal's, which the processes of parallel tests lack.
os.environ["COLUMNS"] = "96"

# The same tables in every run and on every machine, and no time limit that a busy machine breaks.
# To hunt with new tables instead: pytest --hypothesis-profile=hunt
settings.register_profile(
    "repeatable",
    max_examples=USUAL,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "hunt",
    settings.get_profile("repeatable"),
    derandomize=False,
    max_examples=300,
)
settings.register_profile("quick", settings.get_profile("repeatable"), max_examples=8)
settings.load_profile("repeatable")


def pytest_configure(config):
    """Give the quick tests a third of the examples; those of `make breadth` have all."""
    quick = "not breadth" in config.option.markexpr
    if quick and not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave to `make breadth` what the mark `few` of a test function does not take.

    It takes each value of each parameter once; given names of values, these only, and given
    `every`, one in so many of all combinations.
    """
    for _, group in itertools.groupby(items, lambda item: item.nodeid.partition("[")[0]):
        some = list(group)
        mark = some[0].get_closest_marker("few")
        if mark is not None:
            combinations = [item.callspec._idlist for item in some]
            gone = set(mark.args).difference(*combinations)
            if gone and not any("[" in name for name in config.args):
                raise pytest.UsageError(f"{some[0].nodeid}: few() names no parameters: {gone}")
            kept = taken(combinations, mark.args, **mark.kwargs)
            for number in set(range(len(some))) - kept:
                some[number].add_marker("breadth")


def taken(combinations, names, every=1):
    """Give the places of the combinations that are taken, each a list of names of values."""
    left = list(range(0, len(combinations), every))
    for axis in range(len(combinations[0])):
        left = [i for i in left if combinations[i][axis] in names] or left
    kept = set()
    values = {value for i in left for value in enumerate(combinations[i])}
    while values and every == 1:
        best = max(left, key=lambda i: len(values.intersection(enumerate(combinations[i]))))
        kept.add(best)
        values.difference_update(enumerate(combinations[best]))
    return kept or set(left)


try:
    import duckdb
except ImportError:
    sharing = None
else:
    sharing = duckdb.connect = Sharing(duckdb.connect)


def pytest_runtest_setup(item):
    """Let the tests share a database, except for those that are about its settings."""
    if sharing is not None:
        sharing.on = item.get_closest_marker("own_database") is None


def pytest_collection():
    """Let the collection of thousands of tests, which frees little, run without the collector."""
    gc.disable()


def pytest_collection_finish():
    """Keep the collected tests out of every later pass of the garbage collector."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Stand in a folder with a long and a wide file, for the tests of the command."""
    from command import LONG, WIDE

    monkeypatch.chdir(tmp_path)
    (tmp_path / "long.csv").write_text(LONG)
    (tmp_path / "wide.csv").write_text(WIDE)
    return tmp_path


@pytest.fixture
def command(capsys):
    """Give the command; see `command.Command`."""
    from command import Command

    return Command(capsys)
