"""Tests that assert nothing if a loop is empty: ``python tests/loops.py`` lists them.

A test is listed if each of its assertions stands in a loop over what the source does not show to
have an element: no display, range of numbers or constant of the module, and not made of these. Such
a loop goes over `nonempty(values)`, which fails if there are none.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

TESTS = Path(__file__).parent

#: What has as many elements as its first argument, or as the object whose method it is.
AS_MANY = {"enumerate", "sorted", "reversed", "list", "tuple", "set", "iter", "dict", "map"}
METHODS = {"items", "values", "keys", "tolist"}


def nonempty(values: Iterable[T]) -> Iterator[T]:
    """Give the values one by one; fail if there are none."""
    empty = True
    for value in values:
        empty = False
        yield value
    assert not empty, "there is nothing to go through, and so nothing was asserted"


def is_full(node: ast.expr, known: set[str]) -> bool:
    """Return whether the source shows an element; `known` are names of such values."""
    match node:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            return any(
                is_full(one.value, known) if isinstance(one, ast.Starred) else True for one in elts
            )
        case ast.Dict(keys=keys):
            return any(key is not None for key in keys)
        case ast.Constant(value=str() | bytes() as text):
            return len(text) > 0
        case ast.Name(id=name):
            return name in known
        case ast.BinOp(left=left, op=ast.Add() | ast.BitOr(), right=right):
            return is_full(left, known) or is_full(right, known)
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant()):
            return is_full(left, known)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return all(not each.ifs and is_full(each.iter, known) for each in node.generators)
        case ast.Call(func=func, args=args):
            name = name_of(func)
            if name == "range":
                return all(isinstance(one, ast.Constant) for one in args) and bool(
                    eval(ast.unparse(node))
                )
            if name in METHODS and isinstance(func, ast.Attribute):
                return is_full(func.value, known)
            if name in AS_MANY and len(args) > (name == "map"):
                return is_full(args[name == "map"], known)
            full = [is_full(one, known) for one in args]
            strict = name == "zip" and any(one.arg == "strict" for one in node.keywords)
            return name == "nonempty" or (
                name in ("zip", "product") and (any(full) if strict else all(full) and full != [])
            )
    return False


def name_of(func: ast.expr) -> str:
    """Return the last name of what is called."""
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def constants(body: list[ast.stmt], known: set[str]) -> set[str]:
    """Return the names whose values, all of them, have an element."""
    stored: dict[str, list[ast.expr | None]] = {}
    for node in (node for statement in body for node in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored.setdefault(node.id, []).append(None)
        elif isinstance(node, ast.arg):
            stored.setdefault(node.arg, []).append(None)
    for node in (node for statement in body for node in ast.walk(statement)):
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(targets[0], ast.Name):
            values = stored[targets[0].id]
            values[values.index(None)] = node.value
    known = known - stored.keys()
    for _ in range(3):
        for name, values in stored.items():
            if all(value is not None and is_full(value, known) for value in values):
                known = known | {name}
    return known


def assertions(
    node: ast.AST, known: set[str], loops: tuple[ast.expr, ...] = ()
) -> Iterator[tuple[ast.expr, ...]]:
    """Give, for each assertion, what the loops around it go over that may be empty."""
    if isinstance(node, ast.Assert):
        test = node.test
        if isinstance(test, ast.Call) and ast.unparse(test.func) == "all":
            for each in getattr(test.args[0], "generators", ()):
                loops += () if is_full(each.iter, known) else (each.iter,)
        yield loops
    elif isinstance(node, ast.Call) and is_assertion(name_of(node.func)):
        yield loops
    elif isinstance(node, ast.For):
        inner = loops if is_full(node.iter, known) else (*loops, node.iter)
        for child in node.body:
            yield from assertions(child, known, inner)
        for child in node.orelse:
            yield from assertions(child, known, loops)
    elif not isinstance(node, ast.FunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from assertions(child, known, loops)


def is_assertion(name: str) -> bool:
    """Return whether a function of this name asserts."""
    return name in ("raises", "warns", "fail") or name.startswith("assert_")


def empty_tests(module: str) -> Iterator[tuple[ast.FunctionDef, list[tuple[ast.expr, ...]]]]:
    """Give each test of a module that asserts nothing if loops are empty, and these loops."""
    tree = ast.parse(module)
    known = constants([node for node in tree.body if not isinstance(node, ast.FunctionDef)], set())
    for test in tree.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test"):
            inside = constants([test], known)
            result = [loops for node in test.body for loops in assertions(node, inside)]
            if result and all(result):
                yield test, result


def main() -> int:
    """Print each test, and how many there are."""
    number = 0
    for path in sorted(TESTS.rglob("test_*.py")):
        for test, result in empty_tests(path.read_text(encoding="utf-8")):
            over = "; ".join(dict.fromkeys(ast.unparse(loop) for loops in result for loop in loops))
            print(f"{path.relative_to(TESTS.parent)}:{test.lineno}: {test.name}: {over}")
            number += 1
    print(f"{number} tests whose assertions may all be left out: loop over nonempty(...)")
    return int(number > 0)


if __name__ == "__main__":
    sys.exit(main())
