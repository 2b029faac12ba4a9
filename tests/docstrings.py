"""What numpydoc finds in the docstrings of all public names: ``python tests/docstrings.py``.

Every function and class of every room is asked, and the public methods and properties of classes
that the package defines. The script fails if anything is found.
"""

import dataclasses
import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numpydoc.docscrape import get_doc_object
from numpydoc.validate import Validator, validate

sys.path.insert(0, str(Path(__file__).parents[1] / "docs" / "site"))

from returned import name_spaces, results

#: What is checked, as numpydoc calls it.
CHECKS = {
    "GL03": "two blank lines in a row",
    "GL05": "tabs",
    "GL06": "a section with an unknown name",
    "GL07": "sections in the wrong order",
    "GL08": "no docstring",
    "SS01": "no summary",
    "SS02": "the summary has no capital letter",
    "SS03": "the summary has no period",
    "SS04": "the summary starts with a blank",
    "SS05": "the summary starts with the third person",
    "SS06": "the summary is more than one line",
    "PR01": "parameters that are not described",
    "PR02": "parameters that do not exist",
    "PR03": "parameters in another order than in the signature",
    "PR04": "a parameter without a type",
    "PR05": "the type of a parameter ends with a period",
    "PR06": "a type under another name than Python's",
    "PR07": "a parameter without a description",
    "PR08": "a description without a capital letter",
    "PR09": "a description without a period",
    "PR10": "no blank before the colon of a parameter",
    "RT01": "no section Returns",
    "RT02": "a name before the type of what is returned",
    "RT03": "what is returned has no description",
    "RT04": "the description of what is returned has no capital letter",
    "RT05": "the description of what is returned has no period",
    "YD01": "no section Yields",
    "EX01": "no section Examples",
    "AT01": "fields of a class that are not described (ours)",
}
#: One sentence is enough for a method or a property whose parameters speak for themselves.
OF_FUNCTIONS = {"EX01", "PR01", "PR07", "RT01", "RT03", "SS05"}
#: Fields of classes are attributes; functions that return a result show it.
NOT_OF_CLASSES = {"PR01", "SS05"}
NOT_OF_RESULTS = {"EX01", *NOT_OF_CLASSES}


RESULTS = results()


class Indented(Validator):
    """What numpydoc asks of a docstring; it reads the source of a method wherever that stands."""

    def __init__(self, obj_name: Any) -> None:
        super().__init__(obj_name)

    @property
    def method_source(self) -> str:
        """The source, in a block of its own if it is indented."""
        source = str(super().method_source)
        return f"if True:\n{source}" if source.startswith(" ") else source


def public() -> Iterator[tuple[str, Any, bool]]:
    """The name of each public thing, the thing, and whether it belongs to a class."""
    seen = set()
    listed = [
        (f"{room.__name__}.{name}", getattr(room, name))
        for room in name_spaces().values()
        for name in room.__all__
    ]
    returned = [(f"{kind.__module__}.{kind.__name__}", kind) for kind in RESULTS]
    for full, item in listed + returned:
        if not (inspect.isclass(item) or inspect.isfunction(item)) or item in seen:
            continue
        seen.add(item)
        yield full, item, False
        if inspect.isclass(item):
            for member, result in vars(item).items():
                if isinstance(result, classmethod | staticmethod):
                    result = result.__func__
                if not member.startswith("_") and (
                    inspect.isfunction(result) or isinstance(result, property)
                ):
                    yield f"{full}.{member}", result, True


def findings(item: Any, is_member: bool) -> Iterator[tuple[str, str]]:
    """The checks that a docstring fails, and what they say."""
    is_class = inspect.isclass(item)
    kind = None if isinstance(item, property) else "class" if is_class else "function"
    docstring = get_doc_object(item, kind)
    of_class = NOT_OF_RESULTS if item in RESULTS else NOT_OF_CLASSES
    skipped = OF_FUNCTIONS if is_member else of_class if is_class else set()
    if takes_options(item):
        skipped = {*skipped, "PR02"}
    for check, says in validate(docstring, Indented)["errors"]:
        if check in CHECKS and check not in skipped and not is_noun(check, docstring):
            yield check, says
    if dataclasses.is_dataclass(item):
        described = {
            name.strip()
            for section in ("Attributes", "Parameters")
            for entry in docstring[section]
            for name in entry.name.split(",")
        }
        own = inspect.get_annotations(item)
        names = [field.name for field in dataclasses.fields(item) if field.name in own]
        fields = [name for name in names if name[0] != "_"]
        absent = [name for name in fields if name not in described]
        if absent:
            yield "AT01", f"Fields {', '.join(absent)} not described"


def takes_options(item: Any) -> bool:
    """Whether a function describes the names that its ``**reading`` takes."""
    code = getattr(item, "__code__", None)
    return code is not None and bool(code.co_flags & inspect.CO_VARKEYWORDS)


def is_noun(check: str, docstring: Any) -> bool:
    """Whether a summary starts with "Cohen's", which is no verb, or with "κ", which is no word."""
    first = " ".join(docstring["Summary"]).partition(" ")[0]
    return (check == "SS05" and first.endswith("'s")) or (check == "SS02" and not first.isascii())


def main() -> int:
    """Print every finding, and how many each check has."""
    counts: Counter[str] = Counter()
    n_items = 0
    for name, item, is_member in public():
        n_items += 1
        for check, says in findings(item, is_member):
            counts[check] += 1
            print(f"{name}: {check}: {says}")
    print()
    for check, says in CHECKS.items():
        print(f"{counts[check]:6} {check} {says}")
    print(f"{counts.total():6} findings in {n_items} docstrings")
    return int(counts.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
