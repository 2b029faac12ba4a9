"""Draw small faults from the syntax of the recognition room and of the doors that ask it.

`python tests/faults.py --draw 100 --seed 27` puts them in. Kinds of changes take turns; the place
is drawn among all places of a kind. The places are all code of the room and of `reading/looks.py`,
and in the other doors the functions that use a name of either.
"""

import ast
import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

DOORS = (
    "agreement_fast/annotations.py",
    "agreement_fast/reading/looks.py",
    "agreement_fast/reading/wide.py",
    "agreement_fast/reading/long.py",
    "agreement_fast/reading/counts.py",
    "agreement_fast/reading/tables.py",
    "agreement_fast/reading/frames.py",
    "agreement_fast/reading/engines/read.py",
    "agreement_fast/files/roles.py",
)
ROOMS = tuple(f"agreement_fast.reading.{room}" for room in ("recognition", "looks", "wide"))
WHOLE = ("agreement_fast/reading/recognition/", "agreement_fast/reading/looks.py")

OTHER_COMPARISON = {
    "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
OPERATOR = re.compile(r"[=!]=|[<>]=?|\bnot\s+in\b|\bis\s+not\b|\bin\b|\bis\b")
#: What a guard does: it leaves, or calls a function of such a name.
LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break)
SPEAKS = ("hint", "_hint", "refuse", "_refuse", "check", "_check")


#: A kind, the first byte, the byte after the last, and what stands there instead.
Edit = tuple[str, int, int, str]


class Change(NamedTuple):
    """One fault: `old`, which occurs once in the file, becomes `new`."""

    kind: str
    path: str
    line: int
    old: str
    new: str
    #: The changed part alone, before and after.
    brief: str

    @property
    def shown(self) -> str:
        """One line on the change."""
        return f"{self.path}:{self.line} ({self.kind}) {self.brief}"


class Source:
    """A file, its syntax and the edits that it allows."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.bytes = path, text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def begin(self, node: ast.expr | ast.stmt) -> int:
        """Give the first byte of a node."""
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Give the byte after a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Give the source of a node."""
        return self.bytes[self.begin(node) : self.end(node)].decode()

    def change(self, kind: str, begin: int, end: int, new: str) -> Change | None:
        """Return the change of some bytes, with the lines before it that make it unique."""
        whole = (self.bytes[:begin] + new.encode() + self.bytes[end:]).decode()
        try:
            if ast.dump(ast.parse(whole)) == ast.dump(self.tree):
                return None
        except SyntaxError:
            return None
        line = first = self.bytes.count(b"\n", 0, begin)
        last = self.bytes.count(b"\n", 0, end) + 1
        while self.bytes.count(old := self.bytes[self.starts[first] : self.starts[last]]) > 1:
            first -= 1
        changed = self.bytes[self.starts[first] : begin].decode()
        changed += new + self.bytes[end : self.starts[last]].decode()
        brief = f"{' '.join(self.bytes[begin:end].decode().split())} -> {' '.join(new.split())}"
        return Change(kind, self.path, line + 1, old.decode(), changed, brief)

    def places(self) -> Iterator[ast.AST]:
        """Walk over the code that faults are drawn from."""
        if self.path.startswith(WHOLE):
            yield from walk(self.tree)
            return
        used = {
            alias.asname or alias.name
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(ROOMS)
            for alias in node.names
        }
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef) and used & names_in(node.body):
                has_docstring = ast.get_docstring(node) is not None
                for stmt in node.body[has_docstring:]:
                    yield from walk(stmt)

    def edits(self) -> Iterator[Edit]:
        """Give what may be changed."""
        for node in self.places():
            for make in KINDS.values():
                yield from make(self, node)


def names_in(body: list[ast.stmt]) -> set[str]:
    """Give the names that statements use."""
    parts = (part for stmt in body for part in ast.walk(stmt))
    return {part.id for part in parts if isinstance(part, ast.Name)}


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Walk over code that can be wrong: no docstrings, types, imports, or parts of sentences."""
    yield node
    if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Assert)):
        return
    if isinstance(node, ast.keyword) and node.arg == "strict":  # as an assertion
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            if isinstance(child, ast.Assign) and ast.unparse(child.targets[0]) == "__all__":
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield from walk(child)


def comparisons(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Put another operator into a comparison."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            begin, end = source.end(left), source.begin(right)
            between = source.bytes[begin:end].decode()
            operator = OPERATOR.search(between)
            if operator is not None:
                other = OTHER_COMPARISON[" ".join(operator.group().split())]
                whole = source.bytes[source.begin(node) : begin].decode()
                whole += between[: operator.start()] + other + between[operator.end() :]
                whole += source.bytes[end : source.end(node)].decode()
                yield "comparison", source.begin(node), source.end(node), whole


def connectives(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Exchange `and` and `or`."""
    if isinstance(node, ast.BoolOp):
        operator = " or " if isinstance(node.op, ast.And) else " and "
        whole = operator.join(f"({source.text(value)})" for value in node.values)
        yield "and/or", source.begin(node), source.end(node), f"({whole})"


def operands(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Drop one part of a condition."""
    if isinstance(node, ast.BoolOp):
        operator = " and " if isinstance(node.op, ast.And) else " or "
        for dropped in node.values:
            kept = [f"({source.text(value)})" for value in node.values if value is not dropped]
            yield "part dropped", source.begin(node), source.end(node), f"({operator.join(kept)})"


def guards(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Drop what leaves, refuses or warns; let a comprehension take everything."""
    if isinstance(node, ast.If):
        last = node.body[-1]
        speaks = (
            isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
            and ast.unparse(last.value.func).split(".")[-1].startswith(SPEAKS)
        )  # fmt: skip
        if speaks or isinstance(last, LEAVES):
            yield "guard", source.begin(node.test), source.end(node.test), "False"
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "guard", source.begin(test), source.end(test), "True"


def bounds(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Move a number of a comparison, or one that has a name, by one or to its double."""
    numbers = []
    if isinstance(node, ast.Compare):
        numbers = [node.left, *node.comparators]
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.col_offset == 0:
        numbers = [node.value] if node.value is not None else []
    for number in numbers:
        value = number.value if isinstance(number, ast.Constant) else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            news = [2 * value]
            if isinstance(value, int):
                news += [value + 1, value - 1]
            for new in news:
                yield "bound", source.begin(number), source.end(number), repr(new)


def negations(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Turn a condition around."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        begin, end = source.begin(node.test), source.end(node.test)
        yield "negation", begin, end, f"(not ({source.text(node.test)}))"


def drops(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Drop a statement that has no value of its own, or a `not`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop", source.begin(node), source.end(node), f"({source.text(node.operand)})"
    if isinstance(node, (ast.Expr, ast.AugAssign, ast.Continue, ast.Break)):
        yield "drop", source.begin(node), source.end(node), "pass"


def constants(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Put another truth value or number, or no text, where a constant stands."""
    if isinstance(node, ast.Constant):
        begin, end = source.begin(node), source.end(node)
        if isinstance(node.value, bool):
            yield "constant", begin, end, repr(not node.value)
        elif isinstance(node.value, int):
            yield "constant", begin, end, repr(node.value + 1)
        elif isinstance(node.value, float):
            yield "constant", begin, end, repr(node.value / 2)
        elif isinstance(node.value, str) and node.value.isidentifier():
            yield "constant", begin, end, '""'


def arguments(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Swap two arguments that stand side by side."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) not in ("isinstance", "getattr"):
        for left, right in pairwise(node.args):
            if not isinstance(left, ast.Starred) and not isinstance(right, ast.Starred):
                swapped = source.text(right)
                swapped += source.bytes[source.end(left) : source.begin(right)].decode()
                swapped += source.text(left)
                yield "arguments", source.begin(left), source.end(right), swapped


KINDS: dict[str, Callable[[Source, ast.AST], Iterator[Edit]]] = {
    "comparison": comparisons, "and/or": connectives, "part dropped": operands, "guard": guards,
    "bound": bounds, "negation": negations, "drop": drops, "constant": constants,
    "arguments": arguments,
}  # fmt: skip


def draw(root: Path, number: int, seed: int) -> list[Change]:
    """Draw changes of all kinds in turn, each at another line."""
    room = sorted((root / "agreement_fast/reading/recognition").glob("*.py"))
    paths = [*(path.relative_to(root).as_posix() for path in room), *DOORS]
    sources = [Source(path, (root / path).read_text(encoding="utf-8")) for path in paths]
    by_kind: dict[str, list[tuple[Source, Edit]]] = {kind: [] for kind in KINDS}
    for source in sources:
        for edit in source.edits():
            by_kind[edit[0]].append((source, edit))
    rng = random.Random(seed)
    for edits in by_kind.values():
        rng.shuffle(edits)
    drawn: list[Change] = []
    lines: set[tuple[str, int]] = set()
    while len(drawn) < number and any(by_kind.values()):
        for edits in by_kind.values():
            while edits:
                source, edit = edits.pop()
                change = source.change(*edit)
                if change is not None and (change.path, change.line) not in lines:
                    lines.add((change.path, change.line))
                    drawn.append(change)
                    break
    return drawn[:number]
