"""The command in bad surroundings: one line and exit code 2, and nothing left behind."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command import Command

from agreement_fast.cli import ADDRESS_SPACE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and signals are POSIX")

CODE = "import sys; from agreement_fast_command import main; sys.exit(main())"


def shell(line: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell in which $af is the command."""
    environment = os.environ | {"python": sys.executable, "code": CODE}
    line = line.replace("$af", '"$python" -P -c "$code"')
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, check=False, env=environment, **options
    )


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """Give the one line with which the command refuses."""
    assert done.returncode == 2
    line = done.stderr.decode()
    assert line.startswith("agreement-fast: ")
    assert line.count("\n") == 1
    return line


@pytest.mark.few("report long.csv")
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no /dev/full")
@pytest.mark.parametrize("line", ["report long.csv", "--version", "report --help"])
def test_a_full_disk(folder: Path, line: str) -> None:
    message = "the output cannot be written: No space left on device"
    assert message in refused(shell(f"$af {line} >/dev/full"))


@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("$af report long.csv >&-", "the standard output is closed"),
        ("$af report - <&-", "standard input is closed: name a file, or send one to it"),
        ("$af report /dev/zero", "'/dev/zero' is a device, not a file or a pipe"),
        ("$af report - </dev/zero", "standard input is a device, not a file or a pipe"),
        ("cat /dev/zero | $af report -", "standard input is a binary file"),
        ("ulimit -v 1500000; $af report long.csv", "1.5 GB of address space, and needs 2 GB"),
        ("$af report long.csv --where $'item = \\'\\xff\\''", "is not UTF-8"),
        ("$af report long.csv --delimiter $'\\xff'", "--delimiter '\\udcff' is not UTF-8"),
        ("$af report $'no\\xff.csv'", "'no\\udcff.csv': no such file"),
    ],
)
def test_bad_surroundings(folder: Path, line: str, message: str) -> None:
    assert message in refused(shell(line))


def test_a_reader_that_goes_away_is_quiet(folder: Path) -> None:
    done = shell("$af report long.csv | head -c 1; exit ${PIPESTATUS[0]}")
    assert done.returncode in (0, 141)
    assert done.stderr == b""


def test_a_closed_standard_error(folder: Path) -> None:
    done = shell("$af report nope.csv 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are Unicode there")
def test_a_file_name_that_is_not_unicode(command: Command, folder: Path) -> None:
    name = os.fsdecode(b"l\xff.csv")
    os.rename("long.csv", name)
    assert "l\\udcff.csv" in command.text("report", name)
    assert command.json("report", name)["source"]["rows"] == 8


def test_ctrl_c_is_heard_while_the_package_is_imported(folder: Path) -> None:
    """A module that stands before argparse sends the signal: no moment has to be met."""
    (folder / "early").mkdir()
    stand_in = folder / "early" / "argparse.py"
    stand_in.write_text("import signal; signal.raise_signal(signal.SIGINT)")
    code = f"import sys; sys.path.insert(0, 'early'); {CODE}"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, "--version"],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.few("15-143")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals_leave_nothing_behind(folder: Path, number: int, code: int) -> None:
    (folder / "tmp").mkdir()
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", CODE, "report", "pipe"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(folder / "tmp")},
        # nohup lets them be ignored.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    # It opens the pipe only once it is inside the command, and copies it to its own folder then.
    with pipe.open("wb") as writer:
        writer.write(b"item,coder,label\n")
        writer.flush()
        while not any((folder / "tmp").iterdir()):
            time.sleep(0.01)
        process.send_signal(number)
        try:
            out, err = process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            # The signal came between Python's look at signals and a read that waits.
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, b"", b"")
    assert not any((folder / "tmp").iterdir())


@pytest.mark.breadth
def test_a_signal_between_a_folder_and_who_removes_it(folder: Path) -> None:
    (folder / "tmp").mkdir()
    code = (
        "import os, signal, sys, tempfile\n"
        "real = tempfile.mkdtemp\n"
        "def made(*given, **named):\n"
        "    path = real(*given, **named)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return path\n"
        "tempfile.mkdtemp = made\n"
        f"{CODE}"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, "report", "-"],
        input=b"item,coder,label\n",
        capture_output=True,
        check=False,
        env=os.environ | {"TMPDIR": str(folder / "tmp")},
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, b"", b"")
    assert not any((folder / "tmp").iterdir())


def test_an_endless_pipe_leaves_room_on_the_disk(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return b"item,coder,label\n" * 100

    class Input:
        buffer = Endless()

    monkeypatch.setattr(sys, "stdin", Input())
    monkeypatch.setattr("agreement_fast.files.opening.ROOM", 1 << 62)
    assert "standard input has not ended after 0.0 GB" in command.error("report", "-")


def test_parquet_on_a_full_disk_leaves_nothing(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    def full(self: Any, batch: Any) -> None:
        raise OSError(28, "No space left on device")

    before = set(folder.iterdir())
    argv = [
        "subsets",
        "wide.csv",
        "--layout",
        "wide",
        "--weights",
        "slides",
        "--parquet",
        "v.parquet",
    ]
    with monkeypatch.context() as patched:
        patched.setattr(pq.ParquetWriter, "write_batch", full)
        assert "No space left on device" in command.error(*argv)
        assert set(folder.iterdir()) == before

    def opened(self: Any, where: Any, schema: Any) -> None:
        Path(where).write_bytes(b"PAR1")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(pq.ParquetWriter, "__init__", opened)
        patched.setattr(pq.ParquetWriter, "__del__", lambda self: None)
        assert "No space left on device" in command.error(*argv)
        assert set(folder.iterdir()) == before


def test_more_resamples_than_anybody_waits_for(command: Command, folder: Path) -> None:
    message = command.error("report", "long.csv", "--n-resamples", "1000000000000")
    assert "--n-resamples must be 10,000,000 or less, not 1,000,000,000,000" in message


@pytest.mark.breadth
def test_the_needed_address_space_is_enough(folder: Path) -> None:
    done = shell(f"ulimit -v {ADDRESS_SPACE // 1024 + 1}; $af report long.csv --method score")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/proc/self/fd/1"), reason="nothing names the file")
def test_a_text_in_a_file_for_tables_is_noted(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("item,ann,bob\n1,a,a\n2,b,a\n3,b,b\n4,a,a\n")
    done = shell("$af disagreements labels.csv > 'to do.csv'", cwd=tmp_path)
    assert done.returncode == 0
    assert b"note: to do.csv has text: a table is written by --csv 'to do.csv'" in done.stderr
    for line in ("> todo.txt", "--csv - > todo.csv", "| cat > todo.csv"):
        assert shell(f"$af disagreements labels.csv {line}", cwd=tmp_path).stderr == b""
