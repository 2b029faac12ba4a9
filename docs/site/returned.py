"""Classes of results: no name space lists them, and the functions that return them show them."""

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import agreement_fast
from agreement_fast.present.tables import Listing, ResultTable, Tabular


def name_spaces() -> dict[str, ModuleType]:
    """The package, whose name is "", and its public name spaces."""
    names = [name for name in dir(agreement_fast) if not name.startswith("_")]
    spaces = {name: getattr(agreement_fast, name) for name in names}
    return {"": agreement_fast} | {
        name: space for name, space in spaces.items() if inspect.ismodule(space)
    }


def results(spaces: Iterable[ModuleType] | None = None) -> dict[type, str]:
    """Each class that is only returned, with the public name at which it is described."""
    spaces = list(name_spaces().values() if spaces is None else spaces)
    listed = {
        f"{space.__name__}.{name}": getattr(space, name)
        for space in spaces
        for name in space.__all__
        if not inspect.ismodule(getattr(space, name))
    }
    public = {item for item in listed.values() if inspect.isclass(item)}
    at: dict[type, str] = {}
    for full, item in listed.items():
        todo = [*_returned(item)] if inspect.isroutine(item) or inspect.isclass(item) else []
        while todo:
            kind = todo.pop(0)
            if kind not in public and kind not in at:
                at[kind] = full
                todo += _returned(kind)
    return at


def _returned(item: Any) -> Iterator[type]:
    """The classes of tables that a function returns, or the members of a class."""
    if not inspect.isclass(item):
        item = inspect.unwrap(item)
        returned = getattr(item, "__annotations__", {}).get("return", "")
        yield from _classes(returned, getattr(item, "__globals__", {}))
        return
    names = vars(importlib.import_module(item.__module__))
    for base in getattr(item, "__orig_bases__", ()):
        yield from _classes(base, names)
    for field, kind in inspect.get_annotations(item).items():
        if not field.startswith("_"):
            yield from _classes(kind, names)
    for name, member in vars(item).items():
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(inspect.unwrap(function)):
            yield from _returned(function)


def _classes(annotation: Any, names: dict[str, Any]) -> Iterator[type]:
    """The classes of tables that an annotation names."""
    for word in re.findall(r"\w+", annotation if isinstance(annotation, str) else repr(annotation)):
        known = [names[word]] if word in names else _BY_NAME[word]
        yield from (kind for kind in known if kind in _TABLES)


def _modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(agreement_fast.__path__, "agreement_fast."):
        if not module.name.endswith("__main__"):
            yield importlib.import_module(module.name)


def _tables() -> set[type]:
    return {
        item
        for module in _modules()
        for item in vars(module).values()
        if inspect.isclass(item) and issubclass(item, Tabular) and item.__name__[0] != "_"
    } - {Tabular, ResultTable, Listing}


_TABLES = _tables()
_BY_NAME: dict[str, list[type]] = defaultdict(list)
for _table in _TABLES:
    _BY_NAME[_table.__name__].append(_table)
