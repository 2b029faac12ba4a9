"""Settings shared by all tests."""

import gc
import signal

import pytest
from hypothesis import HealthCheck, settings

# A shell lets what runs in its background ignore Ctrl-C, which tests send to what they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same tables in every run and on every machine, and no time limit that a busy machine breaks.
# To hunt with new tables instead: pytest --hypothesis-profile=hunt
settings.register_profile(
    "repeatable",
    max_examples=25,
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
settings.load_profile("repeatable")


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
