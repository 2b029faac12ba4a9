"""Help of options that are parameters of a function: what the function's docstring says of them.

Sources are read in place of importing modules, since ``--help`` must not wait for numpy.
"""

from __future__ import annotations

import argparse
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

#: The end of a sentence; "et al. (2004)" and "e.g. x" are none.
END = re.compile(r"(?<=[a-z0-9)`\"'][.])(?<! al[.])(?<! e[.]g[.]) (?=[A-Z`\"(])")


class Parameter(str):
    """A parameter in place of the help of an option, written ``module:function:name``."""

    __slots__ = ()

    def described(self) -> tuple[str, str | None]:
        """Give the first sentence of its description in the words of the shell, and the default."""
        place, function, name = self.split(":")
        text, default = parameters_of(place, function)[name]
        first, *others = END.split(text)
        kept = " ".join([first, *(text for text in others if text.startswith("By default"))])
        kept = re.sub(
            r'\b(\w+)="?(\w+)"?', r"--\1 \2", kept.rstrip(".").removeprefix("Whether to ")
        )
        kept = re.sub(r'"([\w-]+)"', r"\1", kept)
        return kept[:1].lower() + kept[1:], default


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Describes a `Parameter` when its help is shown."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        if not isinstance(action.help, Parameter):
            return action.help
        text, default = action.help.described()
        if not isinstance(action.default, bool | list | None):
            default = str(action.default)
        known = default in (None, "False") or "default" in text
        return (text if known else f"{text} (default: {default})").replace("%", "%%")


def options_of(function: str, *usages: str) -> dict[str, str]:
    """Give options of `options.declare` whose help is that of the function's parameters.

    Parameters
    ----------
    function : str
        The module in the package and the function, such as ``subsets.all_subsets:coder_subsets``.
    *usages : str
        Such as ``--n-resamples N:int``, which is the parameter ``n_resamples``.
    """
    names = (usage.split(" ")[0][2:].replace("-", "_") for usage in usages)
    return {
        usage: Parameter(f"{function}:{name}") for usage, name in zip(usages, names, strict=True)
    }


@cache
def parameters_of(module: str, function: str) -> dict[str, tuple[str, str | None]]:
    """Give what the docstring of a function says of each parameter, and its default.

    Examples
    --------
    >>> parameters_of("reports.content", "report")["resample"]
    ('What a bootstrap resamples.', 'items')
    """
    source = (PACKAGE / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    matched = re.search(
        rf'^def {function}\((?:(?!^(?:def|class) ).)*?^    """(.*?)"""',
        source,
        re.DOTALL | re.MULTILINE,
    )
    if matched is None:
        raise LookupError(f"{module} has no function {function} with a docstring")
    listed = matched[1].partition("    Parameters\n    ----------\n")[2]
    listed = re.split(r"\n    \w+\n    ---", listed, maxsplit=1)[0] + "\n"
    entries = re.findall(r"^    (\w[\w, ]*) : (.*)\n((?: {8}.*\n|\n)+)", listed, re.MULTILINE)
    result = {}
    for names, kind, text in entries:
        _, is_given, default = kind.rpartition(", default ")
        plain = re.sub("`+", "", " ".join(text.split()))
        for name in names.split(", "):
            result[name] = plain, default.strip('"') if is_given else None
    return result
