"""The reference: a page for each room of the package, and one for each public name."""

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import agreement_fast

#: The rooms in the order of the package's own map; a room that is missing here fails the build.
ROOMS = (
    "",
    "distances",
    "inference",
    "subsets",
    "simulation",
    "diagnostics",
    "judges",
    "latent",
    "aggregation",
    "labelsets",
    "hierarchy",
    "unitizing",
    "coreference",
    "relations",
    "objects",
    "other_measures",
    "report",
    "page",
    "plots",
)


def rooms() -> list[ModuleType]:
    """The public rooms, the package itself first."""
    public = {name for name in dir(agreement_fast) if inspect.ismodule(attribute(name))}
    if public != {*ROOMS} - {""}:
        raise SystemExit(f"docs/site/reference.py: rooms that differ: {public ^ {*ROOMS} - {''}}")
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


def full_names() -> list[str]:
    """Every public name as it is imported."""
    return [f"{room.__name__}.{name}" for room in rooms() for name in public_names(room)]


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
    for room in rooms():
        index += [f"`{room.__name__} <{room.__name__}/index.html>`__", f"    {summary(room)}", ""]
    index += [*toctree([f"{room.__name__}/index" for room in rooms()])]
    (folder / "index.rst").write_text("\n".join(index), encoding="utf-8")
    for room in rooms():
        (folder / room.__name__).mkdir()
        write_room(folder / room.__name__, room)


def write_room(folder: Path, room: ModuleType) -> None:
    """The page of a room, with what its docstring says, and those of its names."""
    title = room.__name__
    lines = [title, "=" * len(title), "", f".. automodule:: {title}", "   :no-members:", ""]
    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Data": []}
    for name in public_names(room):
        groups[kind(getattr(room, name))].append(name)
    for group, names in groups.items():
        if names:
            lines += [group, "-" * len(group), "", ".. list-table::", "   :widths: 35 65"]
            lines += ["   :class: names", ""]
        for name in names:
            # A role of its own line: the text of a summary may hold marks of the docstring.
            lines += [f"   * - :py:obj:`{name} <{title}.{name}>`"]
            lines += [f"     - {summary(getattr(room, name))}"]
            write_name(folder, room, name)
        lines += [""]
    lines += toctree([file_of(name) for names in groups.values() for name in names])
    (folder / "index.rst").write_text("\n".join(lines), encoding="utf-8")


def write_name(folder: Path, room: ModuleType, name: str) -> None:
    """The page of a function, a class or an object."""
    item = getattr(room, name)
    directive = {"Functions": "autofunction", "Classes": "autoclass", "Data": "autodata"}[
        kind(item)
    ]
    lines = [name, "=" * len(name), "", f".. currentmodule:: {room.__name__}", ""]
    lines += [f".. {directive}:: {name}"]
    if directive == "autoclass":
        lines += ["   :members:", "   :inherited-members: float, tuple, Sequence, Mapping"]
    if directive == "autodata":
        lines += ["   :no-value:", "", *(f"   {line}" for line in described(item).splitlines())]
    (folder / f"{file_of(name)}.rst").write_text("\n".join([*lines, ""]), encoding="utf-8")


def described(item: Any) -> str:
    """What data are: their repr; their comment in the source is there already."""
    return f"``{item!r}``" if len(repr(item)) < 80 else ""


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
    return " ".join((inspect.getdoc(item) or "").split("\n\n")[0].split())


def toctree(names: list[str]) -> list[str]:
    """What puts pages into the navigation, unseen."""
    return [".. toctree::", "   :hidden:", "   :maxdepth: 1", "", *(f"   {n}" for n in names), ""]
