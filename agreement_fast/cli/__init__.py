"""The command ``agreement-fast``.

Each of its commands is a module with a name, help, options and ``run``, and stands in `COMMANDS`.
`options` holds the options that several of them share, `reading` makes annotations of what those
say, `output` prints. What can fail for a reason that its user can mend ends in one line on the
standard error and exit code 2.

Everything heavy is imported where it is used: ``--help`` and ``--version`` answer at once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from agreement_fast.cli import diagnose, report, subsets, units
from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.output import fail, version, write

__all__ = ["main"]

INTERRUPTED = 130  # 128 + SIGINT, as shells have it
PIPE_CLOSED = 141  # 128 + SIGPIPE


class Command(Protocol):
    """What the module of a command holds."""

    NAME: str
    #: After the name, such as "FILE... [options]".
    USAGE: str
    HELP: str
    DESCRIPTION: str
    EXAMPLES: str

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Say what it takes."""

    def run(self, arguments: argparse.Namespace) -> str:
        """Do it, and give the text to print; what the user can mend raises a UsageError."""


COMMANDS: tuple[Command, ...] = (report, subsets, units, diagnose)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; by default those of the process.

    Returns
    -------
    int
        0; 2 where the input or the options are wrong; 130 after Ctrl-C; 141 where the reader of
        the output went away.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    agreement-fast ...
    0
    """
    try:
        arguments = _parser().parse_args(argv)
        if arguments.command is None:
            raise UsageError("no command was given: try agreement-fast report --example")
        write(arguments.run(arguments))
        return 0
    except SystemExit as done:  # --help, --version
        return int(done.code or 0)
    except UsageError as error:
        return fail(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it flushes at exit.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except MemoryError:
        return fail("there is not enough memory for this")


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} ({self.prog} --help lists the options)")


class _Version(argparse.Action):
    """Print the version; it is looked up only when asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(f"agreement-fast {version()}")
        parser.exit(0)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="agreement-fast",
        description="How far do coders agree on their labels? Coefficients of agreement (S, pi,\n"
        "kappa, alpha, beta, AC) of annotations in files.",
        epilog=report.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for command in COMMANDS:
        one = commands.add_parser(
            command.NAME,
            usage=f"agreement-fast {command.NAME} {command.USAGE}",
            help=command.HELP,
            description=command.DESCRIPTION,
            epilog=command.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_options(one)
        one.set_defaults(run=command.run)
    return parser
