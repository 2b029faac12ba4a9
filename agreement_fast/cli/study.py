"""A command made of a function that computes one result of judgments."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import open_annotations

if TYPE_CHECKING:
    from agreement_fast.present.result import Presented

#: How `options.declare` writes the types of parameters.
KINDS = {"int": " N:int", "float": " X:float", "str": " NAME", "bool": ""}


class Study:
    """A command: its name, help and options are those of a function.

    Parameters
    ----------
    compute : callable (annotations, *, option=default, ...)
        Returns a result with sections, of the judgments of a group. Its docstring is numpydoc's;
        keywords with a default are options, whose annotations are int, float, str or bool.
    """

    def __init__(self, compute: Callable[..., Presented]) -> None:
        self.compute = compute
        self.NAME = compute.__name__.replace("_", "-")
        documented = inspect.getdoc(compute) or ""
        self.DESCRIPTION, _, parameters = documented.partition("\n\nParameters\n")
        first = self.DESCRIPTION.splitlines()[0].rstrip(".")
        self.HELP = first[:1].lower() + first[1:]
        self.EXAMPLES = (
            f"examples:\n  agreement-fast {self.NAME} labels.csv\n"
            f"  agreement-fast {self.NAME} --example\n"
        )
        pairs = re.findall(r"^(\w+) : .*\n((?: {4}.*\n?)+)", parameters, flags=re.MULTILINE)
        self._described = {name: " ".join(text.split()) for name, text in pairs}

    def _options(self) -> Iterator[inspect.Parameter]:
        yield from list(inspect.signature(self.compute).parameters.values())[1:]

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of reading judgments, and the function's own."""
        options.add_annotations(
            parser, example="use data that come with the package", measures="none"
        )
        declared: dict[str, str] = {}
        defaults: dict[str, Any] = {}
        for entry in self._options():
            usage = f"--{entry.name.replace('_', '-')}{KINDS[entry.annotation]}"
            declared[usage] = f"{self._described[entry.name]} (default: {entry.default})"
            defaults[entry.name] = entry.default
        options.declare(parser, self.NAME, declared, **defaults)

    def run(self, arguments: argparse.Namespace) -> Outcome:
        """Read the files and compute the result of each group."""
        requested: Mapping[str, Any] = {
            option.name: getattr(arguments, option.name) for option in self._options()
        }
        with open_annotations(arguments) as read:
            return of_groups(
                read,
                "results",
                lambda part: self.compute(part.annotations, **requested),
                sections=lambda result, _: result.sections(),
                entry=lambda result: result.document(),
                table=lambda result: result,
            )
