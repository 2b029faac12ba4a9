"""Draw small faults from the text of the kernels, `src/*.pyx` and `src/*.h`.

`python tests/faults.py --draw-kernels 40 --seed 29` puts them in. Kinds of changes take turns; the
place is drawn among all places of a kind. What declares, explains or reports an error is left out.
A change that does not compile is noticed by the compiler.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

#: A kind, what is searched for, and what stands there instead.
KINDS = {
    "comparison": (
        r" (<=|>=|==|!=|<|>) ",
        {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    ),
    "sign": (r"(?<=[\w)\]]) ([+-]|\+=|-=) ", {"+": "-", "-": "+", "+=": "-=", "-=": "+="}),
    "product": (r"(?<=[\w)\]]) ([*/]) ", {"*": "+", "/": "*"}),
    "connective": (r" (and|or|&&|\|\|) ", {"and": "or", "or": "and", "&&": "||", "||": "&&"}),
    "constant": (r"(?<![\w.\"'])(\d+)(?![\w.\"'])", None),
    "dropped": (r"^ +([^=()]*? (?:[-+|&^]?=) .*?;?)$", None),
}  # fmt: skip
#: Lines that compute nothing.
ASIDE = re.compile(
    r"\s*(cdef (extern|class|struct|enum|inline|[\w* ]+\()|def |from |import |#|/\*|raise |typedef|"
    r"static |assert|_Static_assert|ctypedef|return \w+Error|f?\"|\*|@|const double\[|double\[)"
)


class Change(NamedTuple):
    """One fault: `old`, which occurs once in the file, becomes `new`."""

    path: str
    old: str
    new: str
    #: The place and the changed part alone.
    shown: str


def code_lines(text: str, python: bool) -> Iterator[tuple[int, str]]:
    """Give the lines of code with their numbers from 0, not comments and declarations."""
    quoted = listed = False
    for number, line in enumerate(text.splitlines()):
        begins = line.lstrip().startswith("cdef extern")
        if begins:
            listed = True
        elif line.strip() and not line.startswith(" "):
            listed = False
        quotes = line.count('"""') if python else 0
        comment = not python and ("/*" in line or "*/" in line)
        skipped = quoted or listed or quotes or comment or ASIDE.match(line)
        if quotes % 2:
            quoted = not quoted
        if not python and "/*" in line and "*/" not in line:
            quoted = True
        elif not python and "*/" in line:
            quoted = False
        if not skipped and line.startswith(" ") and "Error" not in line:
            yield number, line


def edits(path: str, text: str) -> Iterator[tuple[str, int, str, str]]:
    """Give the kind, the line, what it becomes, and the change alone."""
    python = path.endswith(".pyx")
    for number, line in code_lines(text, python):
        code = line.split("  # ")[0]
        for kind, (pattern, other) in KINDS.items():
            for result in re.finditer(pattern, code):
                old = result[1]
                if kind == "dropped":
                    declares = r"cdef " if python else r"const |int|double|uint|af_|struct"
                    if re.match(declares, old) or (not python and not old.endswith(";")):
                        continue
                    new = "pass" if python else ";"
                else:
                    new = str(int(old) + 1) if other is None else other[old]
                changed = line[: result.start(1)] + new + line[result.end(1) :]
                yield kind, number, changed, f"{old} -> {new}"


def draw_kernels(root: Path, number: int, seed: int) -> list[Change]:
    """Draw changes of all kinds in turn, each at another line."""
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((root / "src").iterdir())
        if path.suffix in (".pyx", ".h") and path.name != "compiler.h"
    }
    by_kind: dict[str, list[tuple[str, int, str, str]]] = {kind: [] for kind in KINDS}
    for path, text in texts.items():
        for kind, line, changed, brief in edits(path, text):
            by_kind[kind].append((path, line, changed, brief))
    rng = random.Random(seed)
    for places in by_kind.values():
        rng.shuffle(places)
    drawn: list[Change] = []
    seen: set[tuple[str, int]] = set()
    while len(drawn) < number and any(by_kind.values()):
        for kind, places in by_kind.items():
            while places and len(drawn) < number:
                path, line, changed, brief = places.pop()
                if (path, line) not in seen:
                    seen.add((path, line))
                    old, new = with_context(texts[path], line, changed)
                    drawn.append(Change(path, old, new, f"{path}:{line + 1} ({kind}) {brief}"))
                    break
    return drawn


def with_context(text: str, line: int, changed: str) -> tuple[str, str]:
    """Return a line and what it becomes, with the lines before it that make it unique."""
    lines = text.splitlines(keepends=True)
    first = line
    while text.count("".join(lines[first : line + 1])) > 1:
        first -= 1
    before = "".join(lines[first:line])
    return before + lines[line], before + changed + "\n"


def modules_of(root: Path, path: str) -> list[str]:
    """Return the compiled modules that a file of `src/` belongs to."""
    name = Path(path).name
    if name.endswith(".pyx"):
        return [Path(path).stem]
    users = [
        other
        for other in sorted((root / "src").iterdir())
        if other.suffix in (".pyx", ".h") and f'"{name}"' in other.read_text(encoding="utf-8")
    ]
    result: list[str] = []
    for user in users:
        result += modules_of(root, f"src/{user.name}")
    return sorted(dict.fromkeys(result))
