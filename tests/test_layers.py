"""Imports go one way: no circle among modules, also none that an import in a function hides."""

import ast
import functools
import graphlib
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.sources

ROOT = Path(__file__).parents[1] / "agreement_fast"
CONTRIBUTING, TESTS = ROOT.parent / "CONTRIBUTING.md", ROOT.parent / "tests"
MODULES = {
    ".".join(("agreement_fast", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in ROOT.rglob("*.py")
}
#: Who imports a room, beside the room itself and the package that names its rooms.
IMPORTED_BY = {
    "cli": {"__main__"},
    "diagnostics": {"cli", "reports"},
    "files": {"cli"},
    "inference": {
        "cli",
        "coefficients",
        "diagnostics",
        "measures",
        "models",
        "reports",
        "subsets",
        "units",
    },
    "measures": {"reports", "subsets"},
    "models": {"cli", "subsets"},
    "reports": {"cli", "plots"},
    "subsets": {"cli", "reports"},
    "units": {"cli", "files", "reports"},
}
#: What the rooms below import, beside themselves and modules without a room.
IMPORTS = {
    "_kernels": set(),
    "present": {"_kernels"},
    "reading": {"_kernels", "present"},
    "distances": {"_kernels", "present", "reading"},
}


@functools.cache
def imports(path):
    """The modules that a module imports when it runs; kernels are none."""
    result = set()
    nodes = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("agreement_fast"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                result.add(name if name in MODULES else node.module)
                if name not in MODULES and alias.name.startswith("_"):
                    result.discard(node.module)  # a kernel
    return frozenset(result & MODULES.keys())


def room(name):
    return name.split(".")[1] if "." in name else ""


def test_there_are_no_circles():
    graph = {name: imports(path) - {name} for name, path in MODULES.items()}
    assert sum(map(len, graph.values())) > 500
    list(graphlib.TopologicalSorter(graph).static_order())


def rooms_below():
    """The rooms that each room imports."""
    rooms = {room(name) for name, path in MODULES.items() if path.name == "__init__.py"} - {""}
    below = {name: set() for name in rooms}
    for name, path in MODULES.items():
        if room(name) in rooms:
            below[room(name)] |= {room(other) for other in imports(path)} & rooms - {room(name)}
    return below


def picture():
    """The rooms as a diagram: an arrow to each room that is not reached through another."""
    below, reached = rooms_below(), {}
    for name in graphlib.TopologicalSorter(below).static_order():
        reached[name] = below[name].union(*(reached[other] for other in below[name]))
    arrows = [
        f"    {name} --> {other}"
        for name in sorted(below)
        for other in sorted(below[name])
        if all(other not in reached[between] for between in below[name])
    ]
    return "\n".join(["```mermaid", "graph TD", *arrows, "```"])


def test_rooms_import_only_those_below():
    below = rooms_below()
    assert len(below.keys() - {"_kernels"}) == 12
    list(graphlib.TopologicalSorter(below).static_order())


def test_the_picture_of_the_rooms_is_that_of_their_imports():
    assert picture() in CONTRIBUTING.read_text(encoding="utf-8"), picture()


def test_the_way_through_the_rooms_names_modules_that_exist():
    layout = CONTRIBUTING.read_text(encoding="utf-8").partition("## Layout")[2].partition("## ")[0]
    named = set(re.findall(r"`([\w/]+\.py)`", layout))
    files = [f"/{path.as_posix()}" for folder in (ROOT, TESTS) for path in folder.rglob("*.py")]
    assert len(named) > 40
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in files)} == set()


def test_rooms_are_entered_from_above():
    entered = {name: set() for name in IMPORTED_BY}
    for name, path in MODULES.items():
        for other in imports(path):
            if room(other) in entered and room(name) not in (room(other), ""):
                entered[room(other)].add(room(name))
    assert entered == IMPORTED_BY


def test_the_rooms_below_look_at_none_above():
    rooms = {room(name) for name, path in MODULES.items() if path.name == "__init__.py"} - {""}
    result = {name: set() for name in IMPORTS}
    for name, path in MODULES.items():
        if room(name) in IMPORTS:
            result[room(name)] |= {room(other) for other in imports(path)} & rooms - {room(name)}
    assert result == IMPORTS


def test_no_module_reaches_through_an_underscore_of_another():
    """Names with an underscore are used where they are defined; kernels have them, too."""
    reached = []
    for name, path in MODULES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        defined = {"_fields", "_replace"}  # of named tuples
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                defined.add(node.name)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                defined.add(node.target.id)
            elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "cls"):
                defined.add(node.attr)
        for node in nodes:
            if isinstance(node, ast.Attribute) and _is_private(node.attr):
                known = node.attr in defined or ast.unparse(node.value) in ("np", "sys")
                reached += [] if known else [f"{name}: {ast.unparse(node)}"]
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "agreement_fast"
            ):
                kernel = node.module in ("agreement_fast", "agreement_fast._kernels")
                reached += [
                    f"{name}: {node.module}.{alias.name}"
                    for alias in node.names
                    if _is_private(alias.name) and not kernel
                ]
    assert reached == []


def _is_private(name):
    return name.startswith("_") and not name.endswith("__")


RECOGNITION = "agreement_fast.reading.recognition"
#: Words of a vocabulary that a module may list if it guesses nothing.
FEW = 4


def _listed(path, in_texts=False):
    """The lists of words of a module, as they are compared; those in texts have commas between,
    or are words alone with blanks between."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        texts = []
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            texts = [e.value for e in node.elts if isinstance(e, ast.Constant)]
        elif in_texts and isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = node.value.split(", ")
        elif isinstance(node, ast.Constant) and re.fullmatch("[a-z-]+( [a-z-]+)+", str(node.value)):
            texts = node.value.split()
        yield {"".join(filter(str.isalnum, str(text).lower())) for text in texts}


def test_one_room_knows_usual_names_and_guesses():
    """No other module asks for the usual names of columns, or lists words to guess by."""
    inside = {name: path for name, path in MODULES.items() if name.startswith(RECOGNITION)}
    outside = {name: path for name, path in MODULES.items() if name not in inside}
    names = f"{RECOGNITION}.names"
    assert [name for name, path in inside.items() if names in imports(path)]
    assert [name for name, path in outside.items() if names in imports(path)] == []
    # Names of statistics, which name rows, name columns of results as well.
    vocabularies = [
        words
        for name, path in inside.items()
        if name != f"{RECOGNITION}.rows"
        for words in _listed(path, in_texts=True)
        if len(words) > FEW
    ]
    assert len(vocabularies) > 20
    guessing = {
        name
        for name, path in outside.items()
        for words in _listed(path)
        if any(len(words & known) > FEW for known in vocabularies)
    }
    # What people type for options that have other names.
    assert guessing == {"agreement_fast.cli.wrong_guesses"}
