"""``--fail-under``: exit code 1 if a coefficient is too low."""

from __future__ import annotations

import argparse
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from agreement_fast.cli.options import TREE_DISTANCES, declare, finite, listed
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.terminal import show_level, some_of

if TYPE_CHECKING:
    Gates: TypeAlias = "Sequence[tuple[bool, Gate]]"


#: Rounding may put a value that equals the threshold slightly below it.
ROUNDING = 1e-12

#: Number of values below a threshold that the error lists.
SHOWN = 5


class Measured(NamedTuple):
    """A value that a threshold may be set for.

    Attributes
    ----------
    name : str
    of : str or None
        The distance of a coefficient, or a code.
    value, low, high : float
        NaN if there is none.
    confidence_level : float
    undefined : str or None
        Why there is no value, or no interval.
    group : str or None
        The name of the group, if there are several.
    """

    name: str
    of: str | None
    value: float
    low: float = math.nan
    high: float = math.nan
    confidence_level: float = 0.95
    undefined: str | None = None
    group: str | None = None


class Gate(NamedTuple):
    """The threshold of ``--fail-under NAME:OF=LEAST``.

    `weighted` is a name that implies a distance, such as "weighted kappa", and excludes nominal.
    """

    written: str
    name: str
    of: str | None
    least: float
    weighted: str | None = None

    def concerns(self, name: str, of: str | None) -> bool:
        """Return whether the threshold applies to a value of this name."""
        if self.weighted is not None and of == "nominal":
            return False
        return self.name == name and self.of in (None, of)


def add_gate(parser: argparse.ArgumentParser, *, names: str, lower: bool = True) -> None:
    """Add the options of thresholds; `names` are examples, `lower` says that intervals exist."""
    declared = {
        "--fail-under NAME=LEAST ...": "exit with code 1 if a coefficient is lower or undefined,"
        f" such as {names}; may be repeated",
    }
    if lower:
        declared["--fail-under-lower NAME=LEAST ..."] = (
            "exit with code 1 if the lower end of its interval is lower"
        )
    declare(parser, "thresholds", declared)


def has_gates(arguments: argparse.Namespace) -> bool:
    """Return whether there is a threshold."""
    return bool(arguments.fail_under or getattr(arguments, "fail_under_lower", None))


def chosen_gates(
    arguments: argparse.Namespace,
    names: Collection[str] | None = None,
) -> list[tuple[bool, Gate]]:
    """Return the thresholds, each with whether it applies to the lower end of the interval.

    Parameters
    ----------
    arguments : Namespace
    names : collection of str, optional
        The valid names, if they are not coefficients with a distance.
    """
    gates = []
    for lower, option in ((False, "fail_under"), (True, "fail_under_lower")):
        written = f"--{option.replace('_', '-')}"
        for text in listed(getattr(arguments, option, None), written):
            gates.append((lower, _gate(text, written, names, arguments)))
    return gates


def _gate(
    text: str,
    option: str,
    names: Collection[str] | None,
    arguments: argparse.Namespace,
) -> Gate:
    written = f"{option} {text}"
    name, equals, number = (part.strip() for part in text.rpartition("="))
    if not equals or not name:
        some = "alpha" if names is None else next(iter(names))
        example = "0.67" if finite(number) is None else number
        raise UsageError(f"{written}: expected NAME=LEAST, such as {some}={example}")
    least = finite(number)
    if least is None:
        raise UsageError(f"{written}: {number!r} is not a number")
    if least > 1:
        hint = f": {least:g}% is {least / 100:g}" if least <= 100 else ""
        raise UsageError(f"{written}: no coefficient is above 1{hint}")
    of: str | None
    if names is not None and name in names:  # names of models may hold colons
        return Gate(written, name, None, least)
    name, colon, of = name.partition(":")
    if names is not None:
        if name not in names:
            raise UsageError(f"{written}: unknown name {name!r}; the names are {', '.join(names)}")
        return Gate(written, name, of if colon else None, least)
    from agreement_fast.distances import resolve
    from agreement_fast.points import NOMINAL_ALIASES, check_distance, named, normal, takes_distance

    of = of if colon else None
    with in_options(arguments, f"{option}: "):
        if of is not None and of not in (*TREE_DISTANCES, "matrix"):
            of = resolve(of).name
        if of == "nominal":
            check_distance(name, resolve(of))
        if of is None and normal(name) in NOMINAL_ALIASES:
            of = "nominal"
        coefficient = named(name).name
    # A name may imply a distance.
    weighted = None if takes_distance(name, "nominal") else name
    return Gate(written, coefficient, of, least, weighted)


def renamed(gates: Gates, names: Mapping[str, tuple[str, str | None]]) -> Gates:
    """Replace the names that users write in thresholds by the names of measured values.

    Parameters
    ----------
    gates : sequence
    names : mapping
        From a name that users write to the measured name and its distance or code, None for all.
    """
    out = []
    for lower, gate in gates:
        name, of = names.get(gate.name, (gate.name, None))
        out.append((lower, gate._replace(name=name, of=gate.of if of is None else of)))
    return out


def check_gates(gates: Gates, computed: Collection[tuple[str, str | None]]) -> None:
    """Refuse thresholds for values that are not computed, and ambiguous ones."""
    for _, gate in gates:
        result = [(name, of) for name, of in dict.fromkeys(computed) if gate.concerns(name, of)]
        if len(result) > 1:
            either = " or ".join(f"{name}:{of}={gate.least:g}" for name, of in result)
            raise UsageError(
                f"{gate.written}: {gate.name} is computed with {len(result)} distances: write"
                f" {either}"
            )
        if not result:
            raise UsageError(f"{gate.written}: {_not_computed(gate, computed)}")


def _not_computed(gate: Gate, computed: Collection[tuple[str, str | None]]) -> str:
    if gate.weighted is not None and all(of == "nominal" for _, of in computed):
        return f"{gate.weighted} needs a distance: pass --distance quadratic, linear or ordinal"
    others = list(dict.fromkeys(str(of) for name, of in computed if name == gate.name))
    if others:
        return (
            f"the threshold of {gate.name} is one of the distance {' and '.join(others)}, not of"
            f" {gate.of}: pass --distance {gate.of}"
        )
    names = ", ".join(dict.fromkeys(name for name, _ in computed))
    return f"{gate.name} is not computed, only {names}: pass --coefficient {gate.name}"


def failures(gates: Gates, measured: Iterable[Measured]) -> str:
    """Describe in one line the values below their thresholds; empty if there are none.

    Raises
    ------
    UsageError
        If a threshold applies to no measured value.
    """
    values = list(measured)
    for _, gate in gates:
        if not any(gate.concerns(value.name, value.of) for value in values):
            parts = [
                value.of for value in values if value.name == gate.name and value.of is not None
            ]
            some = some_of(list(dict.fromkeys(parts)), 8, 24)
            has = f"; there are {some}" if some else ""
            raise UsageError(f"{gate.written}: there is no {gate.name} of {gate.of}{has}")
    missed = [
        labels
        for lower, gate in gates
        for value in values
        if gate.concerns(value.name, value.of) and (labels := _missed(gate, value, lower=lower))
    ]
    more = [f"and {len(missed) - SHOWN:,} more"] if len(missed) > SHOWN else []
    return "; ".join([*missed[:SHOWN], *more])


def _missed(gate: Gate, measured: Measured, *, lower: bool) -> str:
    """Say why a value is below its threshold; empty if it is not."""
    what = measured.name if measured.of is None else f"{measured.name} ({measured.of})"
    if measured.group is not None:
        what = f"{measured.group}: {what}"
    must = f"{gate.written.split()[0]} requires {gate.least:g}"
    if math.isnan(measured.value):
        return f"{what} is undefined ({measured.undefined or 'no value'}), and {must}"
    reached = measured.low if lower else measured.value
    level = f"{show_level(measured.confidence_level)} interval"
    if math.isnan(reached):
        return (
            f"{what} = {_shown(measured.value, gate.least)} has no interval"
            f"{f' ({measured.undefined})' if measured.undefined else ''}, and {must}"
        )
    if reached >= gate.least - ROUNDING:
        return ""
    interval = ""
    if not math.isnan(measured.low):
        interval = f", {level} {_shown(measured.low, gate.least)} to {measured.high:.4f},"
    end = "begins below" if lower else "is below"
    return f"{what} = {_shown(measured.value, gate.least)}{interval} {end} {gate.least:g}"


def _shown(value: float, least: float) -> str:
    """Format a value with enough digits to differ from the threshold."""
    for digits in (4, 6, 8):
        text = f"{value:z.{digits}f}"
        if (float(text) < least) == (value < least):
            return text
    return repr(value)
