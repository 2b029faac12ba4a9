"""The reference: a page for each room of the package, and one for each public name."""

import functools
import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import returned

import agreement_fast
from agreement_fast.distances import SETS, TEXTS, Distance
from agreement_fast.present.tables import Tabular

#: The rooms in the order of the package's own map; a room that is missing here fails the build.
ROOMS = (
    "",
    "distances",
    "inference",
    "subsets",
    "diagnostics",
    "models",
    "measures",
    "units",
    "plots",
)


#: The headings of a room, and the directive of what stands below.
HEADINGS = {"Functions": "autofunction", "Classes": "autoclass", "Data": "py:data"}


def rooms() -> list[ModuleType]:
    """The public rooms, the package itself first."""
    public = {name for name in dir(agreement_fast) if inspect.ismodule(attribute(name))}
    if public != {*ROOMS} - {""}:
        raise SystemExit(f"docs/site/api.py: rooms that differ: {public ^ {*ROOMS} - {''}}")
    return [attribute(name) if name else agreement_fast for name in ROOMS]


def attribute(name: str) -> Any:
    """What the package calls by this name."""
    return getattr(agreement_fast, name)


def public_names(room: ModuleType) -> list[str]:
    """Functions, classes and data; rooms have pages of their own, the version is no entry."""
    return [
        name
        for name in room.__all__
        if name != "__version__" and not inspect.ismodule(getattr(room, name))
    ]


def homes() -> dict[str, str]:
    """The name under which each public name has its page: the first one of the same thing."""
    first: dict[Any, str] = {}
    places = {}
    for room in rooms():
        for name in public_names(room):
            full, item = f"{room.__name__}.{name}", getattr(room, name)
            places[full] = first.setdefault(item, full) if inspect.isclass(item) else full
    return places | {full: full for full in (f"{c.__module__}.{c.__name__}" for c in results())}


@functools.cache
def results() -> dict[type, str]:
    """The classes of results, each with the name whose page describes it."""
    return returned.results(rooms())


def names_with_pages(room: ModuleType) -> list[str]:
    """The names that have their page in this room, functions first."""
    home = homes()
    names = [
        name
        for name in public_names(room)
        if home[f"{room.__name__}.{name}"].startswith(f"{room.__name__}.")
    ]
    return sorted(names, key=lambda name: [*HEADINGS].index(kind(getattr(room, name))))


def write(folder: Path) -> None:
    """Write the pages."""
    folder.mkdir()
    index = [
        "Reference",
        "=" * 9,
        "",
        "Every public name, by the room that it is imported from.",
        "",
    ]
    home = homes()
    for room in rooms():
        full = {name: home[f"{room.__name__}.{name}"] for name in public_names(room)}
        names = [f":py:obj:`{name} <{place}>`" for name, place in full.items()]
        index += [f"`{room.__name__} <{room.__name__}/index.html>`__", f"    {summary(room)}", ""]
        index += [f"    {', '.join(names)}", ""]
    index += [*toctree([f"{room.__name__}/index" for room in rooms()])]
    (folder / "index.rst").write_text("\n".join(index), encoding="utf-8")
    for room in rooms():
        (folder / room.__name__).mkdir()
        write_room(folder / room.__name__, room)


def write_room(folder: Path, room: ModuleType) -> None:
    """The page of a room, with what its docstring says, and those of its names."""
    title = room.__name__
    lines = [title, "=" * len(title), "", f".. automodule:: {title}", "   :no-members:", ""]
    home = homes()
    groups: dict[str, list[str]] = {heading: [] for heading in HEADINGS}
    for name in public_names(room):
        groups[kind(getattr(room, name))].append(name)
    for group, names in groups.items():
        if names:
            lines += [group, "-" * len(group), "", ".. list-table::", "   :widths: 35 65"]
            lines += ["   :class: names", ""]
        for name in names:
            lines += [f"   * - :py:obj:`{name} <{home[f'{title}.{name}']}>`"]
            lines += [f"     - {summary(getattr(room, name))}"]
        lines += [""]
    here = names_with_pages(room)
    for name in here:
        write_name(folder, room, name)
    lines += toctree([file_of(name) for name in here])
    (folder / "index.rst").write_text("\n".join(lines), encoding="utf-8")


def write_name(folder: Path, room: ModuleType, name: str) -> None:
    """The page of a function, a class or an object."""
    item = getattr(room, name)
    directive = HEADINGS[kind(item)]
    lines = [name, "=" * len(name), "", f".. currentmodule:: {room.__name__}", ""]
    lines += [f".. {directive}:: {name}"]
    if directive == "autoclass":
        lines += members(item)
    if directive == "py:data":
        lines += ["", f"   {described(item)}", "", *(f"   {line}" for line in example(item))]
    full = f"{room.__name__}.{name}"
    for result in [result for result, at in results().items() if at == full]:
        lines += described_result(result)
    (folder / f"{file_of(name)}.rst").write_text("\n".join([*lines, ""]), encoding="utf-8")


def described_result(result: type) -> list[str]:
    """A class of results, below what returns it."""
    title = result.__name__
    lines = ["", title, "-" * len(title), "", f".. currentmodule:: {result.__module__}", ""]
    return [*lines, f".. autoclass:: {title}", *members(result)]


def members(item: type) -> list[str]:
    """What stands below the directive of a class."""
    lines = ["   :members:", "   :show-inheritance:"]
    if issubclass(item, Tabular):
        lines += ["", "   It is a table: see :doc:`to_frame, to_dict and write_csv </tables>`."]
    return lines


def described(item: Any) -> str:
    """What data hold."""
    if isinstance(item, Distance):
        return f"The distance {item.name!r}, defined in :mod:`agreement_fast.distances`."
    if isinstance(item, Mapping):
        values = {type(value).__name__ for value in item.values()}
        return f"`{'`, `'.join(values)}` by name: {', '.join(map(repr, item))}."
    return f"In this order: {', '.join(f'{value.key!r}' for value in item)}."


#: Labels of two coders, by what a distance takes; the last are numbers.
LABELS = {
    "sets": "[[{'fear'}, {'fear', 'anger'}], [{'joy'}, {'joy'}]]",
    "texts": "[['a small dog', 'a dog'], ['two cats', 'two cats']]",
    "numbers": "[[1, 2], [4, 4], [3, 3]]",
}


def example(item: Any) -> list[str]:
    """What data are used for, with what it returns."""
    if isinstance(item, Distance):
        kind = "sets" if item.name in SETS else "texts" if item.name in TEXTS else "numbers"
        call = f"round(af.alpha({LABELS[kind]}, {item.name!r}), 4)"
    elif isinstance(item, Mapping):
        call = "af.COEFFICIENTS['scott_pi'].name"
    else:
        call = "af.inference.SCALES[0].read(0.41).word"
    value = eval(call, {"af": agreement_fast})
    return [">>> import agreement_fast as af", f">>> {call}", repr(value)]


def file_of(name: str) -> str:
    """Names that differ by case only have files that differ for all file systems."""
    return f"{name}_class" if name[0].isupper() else name


def kind(item: Any) -> str:
    """The heading under which something stands."""
    if inspect.isclass(item):
        return "Classes"
    return "Functions" if inspect.isroutine(item) else "Data"


def summary(item: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    if not (inspect.ismodule(item) or inspect.isclass(item) or inspect.isroutine(item)):
        return described(item)
    first = (inspect.getdoc(item) or "").split("\n\n")[0]
    return " ".join(" ".join(escaped(first.splitlines())).split())


#: What RST would take for a substitution or a link and is an absolute value or a name: |a − b|, n_.
MARKS = re.compile(r"(?P<code>``.+?``|`[^`]+`_*)|(?<!\\)(?P<mark>\|(?! )|(?<! )\||(?<=\w)_(?!\w))")


def escaped(lines: list[str]) -> list[str]:
    """A docstring in which bars and underscores are what they look like, except for code.

    Tables keep their columns: the blanks behind a cell make room for the marks in front.
    """
    done = []
    literal = -1  # the indent behind which a block of code ends
    example = False
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.strip():
            literal = -1 if indent <= literal else literal
            example = example or line.lstrip().startswith(">>>")
        else:
            example = False
        is_code = example or literal >= 0
        if line.rstrip().endswith("::") and not is_code:
            literal = indent
        done.append(line if is_code or re.match(r" *\*{0,2}\w+ :", line) else escaped_line(line))
    return done


def escaped_line(line: str) -> str:
    """One line of prose."""
    longer = MARKS.sub(lambda hit: hit["code"] or f"\\{hit['mark']}", line)
    if longer == line:
        return line
    extra = len(longer) - len(line)
    start = longer.find("\\")
    gap = rf"(?<=\S) {{{extra + 2},}}(?=\S)"
    return longer[:start] + re.sub(gap, lambda gap: gap[0][extra:], longer[start:], count=1)


def toctree(names: list[str]) -> list[str]:
    """What puts pages into the navigation, unseen."""
    return [".. toctree::", "   :hidden:", "   :maxdepth: 1", "", *(f"   {n}" for n in names), ""]
