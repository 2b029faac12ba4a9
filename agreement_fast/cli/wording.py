"""The library's errors in the words of the command: options in place of arguments."""

from __future__ import annotations

import argparse
import contextlib
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, TypeAlias

from agreement_fast.errors import AgreementError, Argument, Mark, Phrase, Sentence, either, say
from agreement_fast.present.terminal import counted


class UsageError(Exception):
    """An error that the user can correct; its message is one line."""


#: Verbs of one, and of several.
_VERBS = {"is": "are", "has": "have", "lacks": "lack", "counts": "count"}


def clause(n: int, what: str, verb: str = "is", *, between: str = "") -> str:
    """Give a count, its noun and a verb, with what stands between these.

    Examples
    --------
    >>> clause(1, "item", "lacks"), clause(2, "item", between=" of the file")
    ('1 item lacks', '2 items of the file are')
    """
    return f"{counted(n, what)}{between} {verb if n == 1 else _VERBS[verb]}"


#: What stands for a kind of phrase; None, also of a function, leaves Python's words.
Phrases: TypeAlias = Mapping[str, str | Callable[[Phrase], str | None] | None]

#: Arguments whose option has another name.
OTHER_NAMES: Mapping[str, str] = {
    "categories": "category",
    "coders": "coder",
    "documents": "document",
    "ends": "end",
    "extents": "length",
    "items": "item",
    "labels": "label",
    "models": "model",
    "people": "person",
    "starts": "start",
    "to": "parquet",
}

#: The order that a phrase without one proposes.
EXAMPLE = ("low", "medium", "high")

_SETS = 'pass --set-separator "|" if | separates elements'


def _twice(phrase: Phrase) -> str | None:
    what, name = phrase.value
    if what != "items":
        return None
    return (
        f"item {name!r} stands in two rows of a table with a row an item: leave one of them out, "
        "or name them apart"
    )


#: The words for each kind of `Phrase`.
PHRASES: Phrases = {
    "again": "",
    "aliases": "",
    "coders": "pass --busiest 25, say",
    "declared": None,
    "element": _SETS,
    "group_order": lambda phrase: f"pass --by-order {_list_of(phrase.value or EXAMPLE)}",
    "item": None,
    "left_out": None,
    "lists": "write their elements with a mark between them, such as a|b, and pass"
    ' --set-separator "|"',
    "merge": "",
    "judgment": "",
    "order": lambda phrase: f"pass --categories {_list_of(phrase.value or EXAMPLE)}",
    "own_items": "pass --no-shared-items",
    "place": None,
    "repeats": None,
    "row": lambda phrase: f"row {phrase.value + 1:,} below the header",
    "rows": lambda phrase: (
        f"rows {phrase.value[0] + 1:,} and {phrase.value[1] + 1:,} below the header"
    ),
    "separator": None,
    "sets": _SETS,
    "twice": _twice,
}


def option_of(name: str, arguments: argparse.Namespace) -> str | None:
    """Give the option of a command that is an argument of Python.

    Parameters
    ----------
    name : str
        Of the argument.
    arguments : Namespace
        Of the command, with all the options that it has.

    Returns
    -------
    str or None
        None where the command has no such option.

    Examples
    --------
    >>> option_of("n_resamples", argparse.Namespace(n_resamples=None))
    '--n-resamples'
    """
    for known in (name, OTHER_NAMES.get(name)):
        if known in vars(arguments):
            return f"--{known.replace('_', '-')}"
    return None


@contextlib.contextmanager
def in_options(
    arguments: argparse.Namespace, place: str = "", phrases: Phrases | None = None
) -> Iterator[None]:
    """Turn the library's errors into one line that names options.

    Parameters
    ----------
    arguments : Namespace
        Of the command.
    place : str
        What stands in front of the line.
    phrases : mapping, optional
        Words for kinds of phrases that mean more here than elsewhere.
    """
    try:
        yield
    except AgreementError as error:
        raise UsageError(place + error.worded(_words(arguments, phrases))) from None
    except (ValueError, TypeError, OverflowError) as error:
        raise UsageError(place + str(error)) from None


def written(
    sentence: Sentence, arguments: argparse.Namespace, phrases: Phrases | None = None
) -> str:
    """Give a sentence of the library in the words of a command."""
    return say(sentence, _words(arguments, phrases))


def _words(
    arguments: argparse.Namespace, phrases: Phrases | None = None
) -> Callable[[Mark], str | None]:
    """Give the function that finds the words for a mark."""
    known: Phrases = {**PHRASES, **(phrases or {})}

    def words(mark: Mark) -> str | None:
        if isinstance(mark, Argument):
            option = option_of(mark.name, arguments)
            if option is not None and mark.values and isinstance(mark.values[0], bool):
                return option if mark.values[0] else option.replace("--", "--no-", 1)
            if option == "--missing" and isinstance(value := mark.values[0], list):
                return " ".join(option + _written([element]) for element in value)  # one each
            if option == "--set-separator" and mark.values == ("\n",):
                return f"{option} $'\\n'"  # as shells write the end of a line
            if option == "--set-separator" and mark.values:
                return f'{option} "{mark.values[0]}"'  # quoted for every shell
            return None if option is None else option + _written(mark.values)
        result = known.get(mark.kind)
        return result(mark) if callable(result) else result

    return words


def _list_of(values: Sequence[Any]) -> str:
    """Give values as a list behind an option."""
    text = ",".join(map(str, values))
    return f'"{text}"' if not set(text) & set('"$`\\!') else shlex.quote(text)


def _written(values: Sequence[Any]) -> str:
    """Give values as they stand behind an option; nothing where a shell has no word for one."""
    lists = [value if isinstance(value, list) else [value] for value in values]
    if not all(isinstance(entry, str | Real) for listed in lists for entry in listed):
        return ""
    words = [shlex.quote(",".join(map(str, listed))) for listed in lists]
    # What begins like an option is joined by =.
    return f"{'=' if words[0].startswith('-') else ' '}{either(words)}" if words else ""
