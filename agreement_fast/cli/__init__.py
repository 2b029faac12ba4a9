"""The command ``agreement-fast``.

Each of its commands is a module in `commands` with a name, a docstring that is its help, options
and ``run``.
`options` holds the options that several commands share, and `reading` turns them into annotations.
A command returns an `Outcome`, which `deliver` prints and writes in the requested forms. An error
that the user can correct is one line on the standard error, with exit code 2.

Large modules are imported in functions, so that ``--help`` and ``--version`` answer at once.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import pkgutil
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any, NoReturn, Protocol

from agreement_fast.cli import commands
from agreement_fast.cli.gate import failures
from agreement_fast.cli.options import HelpFormatter, check_seed
from agreement_fast.cli.outcome import Outcome
from agreement_fast.cli.output import fail, forget_output, is_anonymous, version, write
from agreement_fast.cli.outputs import WRITTEN, add_outputs, check_outputs, deliver
from agreement_fast.cli.wording import UsageError
from agreement_fast.cli.wrong_guesses import (
    in_place_of_command,
    instead_of_choice,
    instead_of_command,
    instead_of_options,
)
from agreement_fast.errors import Hint

#: Bytes of address space that numpy, scipy and DuckDB take before a row is read. With less they
#: end the process, or wait for memory without end.
ADDRESS_SPACE = 2_000_000_000


def check_surroundings() -> None:
    """Refuse a process whose output is closed, or that may use too little memory."""
    if sys.stdout is None:
        raise UsageError("the standard output is closed: send it to a file, or to /dev/null")
    try:
        import resource
    except ImportError:  # Windows
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < ADDRESS_SPACE:
        raise UsageError(
            f"the process may use {limit / 1e9:.1f} GB of address space, and needs"
            f" {ADDRESS_SPACE / 1e9:.0f} GB: raise ulimit -v"
        )


#: Beside Ctrl-C: what `kill`, `timeout` and batch systems send, and a terminal that closes.
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def stoppable() -> Iterator[list[int]]:
    """Let every signal that ends the process raise a KeyboardInterrupt, and list these signals.

    What was handled in another way, or ignored as by nohup, stays so; so does everything outside
    the main thread, where Python handles no signals.
    """
    came: list[int] = [signal.SIGINT]

    def interrupt(number: int, frame: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    taken = []
    if threading.current_thread() is threading.main_thread():
        taken = [element for element in _SIGNALS if signal.getsignal(element) is signal.SIG_DFL]
    for entry in taken:
        signal.signal(entry, interrupt)
    try:
        yield came
    finally:
        for entry in taken:
            signal.signal(entry, signal.SIG_DFL)


__all__ = ["main"]

#: Arguments that are paths, which may hold any bytes.
PATHS = ("files", *WRITTEN)

TOO_LOW = 1
PIPE_CLOSED = 141  # 128 + SIGPIPE


class Command(Protocol):
    """What the module of a command defines."""

    NAME: str
    #: Its help in the list of commands, what it does, and examples: paragraphs.
    __doc__: str | None

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of the command."""

    def run(self, arguments: argparse.Namespace) -> Outcome:
        """Run the command and return its results; mistakes of the user raise a UsageError."""


#: What stands after the name of a command that has no USAGE of its own.
USAGE = "FILE... [options]"

#: The commands that the help lists first; others follow by their names.
ORDER = (
    *("report", "diagnose", "disagreements", "missing", "codes", "compare", "gold", "judges"),
    *("aggregate", "models", "subsets", "units", "units --of segments", "units --of chains"),
)


@cache
def find_commands(only: str = "") -> tuple[Command, ...]:
    """Find the commands: modules of `commands`, and what they call COMMAND.

    `only` is the command whose module need be loaded; all are if no module has its name.
    """
    modules = [module.name for module in pkgutil.iter_modules(commands.__path__)]
    result: list[Any] = []
    for name in [only] if only in modules else modules:
        module = importlib.import_module(f"{commands.__name__}.{name}")
        result.append(getattr(module, "COMMAND", module))
    named = {entry.NAME: entry for entry in result if hasattr(entry, "NAME")}
    return tuple(named[name] for name in dict.fromkeys([*ORDER, *sorted(named)]) if name in named)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name. By default those of the process.

    Returns
    -------
    int
        0 on success; 1 if a value is below its threshold; 2 if the input or the options are wrong;
        130 after Ctrl-C, 143 after SIGTERM and 129 after SIGHUP; 141 if the reader of the output
        closed the pipe.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    agreement-fast ...
    0
    """
    with stoppable() as signals:
        try:
            check_surroundings()
            arguments = _parse(sys.argv[1:] if argv is None else list(argv))
            if arguments.command is None:
                raise UsageError("no command was given: try agreement-fast report --example")
            with warnings.catch_warnings():
                # The commands print these hints as notes.
                warnings.simplefilter("ignore", Hint)
                check_outputs(arguments)
                check_seed(arguments)
                with _unnamed_errors(arguments):
                    outcome = arguments.run(arguments)
                missed = outcome.gates and failures(outcome.gates, outcome.measured())
                write(deliver(outcome, arguments))
            return fail(missed, TOO_LOW) if missed else 0
        except SystemExit as done:  # --help, --version
            return int(done.code or 0)
        except UsageError as error:
            return fail(str(error))
        except KeyboardInterrupt:
            return 128 + signals[-1]  # as shells do
        except BrokenPipeError:
            forget_output()
            return PIPE_CLOSED
        except OSError as error:
            return fail(f"a file cannot be written or read: {error.strerror or error}")
        except MemoryError:
            return fail("not enough memory")


@contextmanager
def _unnamed_errors(arguments: argparse.Namespace) -> Iterator[None]:
    """Keep back an error of a run with --anonymous: it may name what the run may not."""
    try:
        yield
    except UsageError:
        if not is_anonymous(arguments):
            raise
        raise UsageError(
            "the run stopped at an error, which may name coders, items or files: run it without"
            " --anonymous to read the error"
        ) from None


def _parse(argv: list[str]) -> argparse.Namespace:
    # Several commands share a first word, which --of tells apart.
    shared = any(word.startswith("--of") for word in argv)
    known = find_commands("" if shared else "".join(argv[:1]))
    names = [command.NAME for command in known]
    if argv and argv[0] not in names and (argv[0] == "-" or os.path.exists(argv[0])):
        argv = ["report", *argv]
    if argv and argv[0] not in (*names, "--help", "-h", "--version"):
        typed, argv = argv, in_place_of_command(argv, names)
        if not argv:
            raise UsageError(instead_of_command(typed, _known()))
    arguments = _parser(_name(argv, names), known).parse_args(argv)
    # Refuse options that are not UTF-8; paths may hold any bytes
    for name, value in vars(arguments).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and name not in PATHS:
                try:
                    text.encode()
                except UnicodeEncodeError:
                    option = name.replace("_", "-")
                    raise UsageError(f"--{option} {text!r} is not UTF-8") from None
    arguments.typed, arguments.digests = argv, {}
    arguments.renamed = {"coder": {}, "item": {}}
    return arguments


def _name(argv: Sequence[str], names: Sequence[str]) -> str:
    """Give the name of the command; what --of names may have options of its own."""
    words = [part for word in argv for part in word.replace("--of=", "--of\0").split("\0")]
    pairs = set(itertools.pairwise(words))
    known = (name for name in names if name.split()[0] in argv[:1])
    return next((name for name in known if tuple(name.split()[1:]) in pairs), "".join(argv[:1]))


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    #: What was typed behind the command.
    typed: Sequence[str] = ()

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print the help with `write`, as all other output."""
        write(message)

    @property
    def options(self) -> list[str]:
        """The names of all options."""
        return list(self._option_string_actions)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} ({self.prog} --help lists the options)")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Take a choice written with hyphens: dawid-skene is dawid_skene."""
        value = super()._get_value(action, arg_string)
        written = arg_string.replace("-", "_")
        return written if written in (action.choices or ()) else value

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is no choice with what to type instead."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            choices = [str(choice) for choice in action.choices or ()]
            option = next(iter(action.option_strings), "")
            hint = instead_of_choice(option, str(value), choices, self.prog, self.typed)
            raise argparse.ArgumentError(action, f"{error.message}{hint}") from None

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse unknown arguments here, while the command and its options are known."""
        self.typed = list(args or ())
        result, rest = super().parse_known_args(args, namespace)
        if rest:
            raise UsageError(instead_of_options(rest, self.typed, self.prog, _known()))
        return result, rest


class _Version(argparse.Action):
    """Print the version, which is looked up only then."""

    def __init__(self, option_strings: Sequence[str], dest: str, **options: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        write(f"agreement-fast {version()}\n")
        parser.exit(0)


def _known() -> dict[str, list[str]]:
    """Return the options of all commands, by the name of the command."""
    result = {}
    for command in find_commands():
        parser = _Parser(command.NAME)
        add_options(command, parser)
        result[command.NAME] = parser.options
    return result


def add_options(command: Command, parser: argparse.ArgumentParser) -> None:
    """Add the options of a command, and those that all have."""
    command.add_options(parser)
    add_outputs(parser)


def _helped(command: Command) -> dict[str, Any]:
    """Take the texts of the help from the docstring of a command."""
    first, _, rest = (command.__doc__ or "").partition("\n\n")
    description, examples, epilog = rest.partition("examples:\n")
    help = first[:1].lower() + first[1:].rstrip(".")
    return {"help": help, "description": description.rstrip(), "epilog": examples + epilog}


def _parser(name: str, known: Sequence[Command]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="agreement-fast",
        description="Measure how far coders agree on the labels that they gave to the same items.\n"
        "The commands read annotation files and compute coefficients of agreement (S, pi,\n"
        "kappa, alpha, beta, AC). A file in place of the command is reported on; a coefficient or\n"
        "a method in place of it is computed: agreement-fast alpha FILE, agreement-fast mace FILE.",
        epilog=_helped(known[0])["epilog"],
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    added = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for command in known:
        first = command.NAME.partition(" ")[0]
        if (name if first == name.partition(" ")[0] else first) != command.NAME:
            continue
        entry = added.add_parser(
            first,
            prog=f"agreement-fast {command.NAME}",
            usage=f"agreement-fast {command.NAME} {getattr(command, 'USAGE', USAGE)}",
            **_helped(command),
            formatter_class=HelpFormatter,
            allow_abbrev=False,
        )
        # Adding the options of the other commands would take time.
        if name == command.NAME:
            add_options(command, entry)
            entry.set_defaults(run=command.run, command=command.NAME)
    return parser
