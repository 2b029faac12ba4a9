"""Errors that carry data: the argument at fault, what is wrong, and what to do.

A sentence is text, or a sequence of text and marks. A mark says what a part of the sentence is
about: an `Argument`, or something else of which there are several ways to speak, a `Phrase`. Python
says ``duplicates='first'``; the command, which knows the marks, says ``--duplicates first``. So no
message is ever searched for words.

What the operating system refuses, and packages that are not there, remain errors of Python.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

__all__ = [
    "AgreementError",
    "Argument",
    "InputError",
    "InputTypeError",
    "Mark",
    "NotKeptError",
    "Phrase",
    "Sentence",
    "TooLargeError",
    "UnknownKeyError",
    "choice",
    "either",
]


class Argument:
    """An argument in a sentence, with a value, with several to choose from, or without.

    Parameters
    ----------
    name : str
    *values : object
        What to pass, or what was passed.

    Attributes
    ----------
    name : str
    values : tuple

    Examples
    --------
    >>> print("pass", Argument("duplicates", "first", "last"))
    pass duplicates='first' or duplicates='last'
    >>> print("pass", Argument("resample", "items", "coders", "both"))
    pass resample='items', 'coders' or 'both'
    >>> print("check", Argument("weights"))
    check weights
    """

    def __init__(self, name: str, *values: object) -> None:
        self.name = name
        self.values = values

    def __str__(self) -> str:
        if len(self.values) > 2:
            return f"{self.name}={either(list(map(repr, self.values)))}"
        return " or ".join(f"{self.name}={value!r}" for value in self.values) or self.name


@dataclass(frozen=True)
class Phrase:
    """A part of a sentence for which there are other words elsewhere.

    Attributes
    ----------
    kind : str
        What it says; `agreement_fast.cli.wording` has the words of the command for each kind.
    sentence : str, or sequence of str and marks
        The words of Python.
    value : object
        What the words name: the number of a row, say.
    """

    kind: str
    sentence: Sentence
    value: Any = None

    def __str__(self) -> str:
        return say(self.sentence)


Mark: TypeAlias = Argument | Phrase
Sentence: TypeAlias = str | Mark | tuple["Sentence", ...]
#: Other words for a mark; None leaves it as it is.
Words: TypeAlias = Callable[[Mark], str | None]


def say(sentence: Sentence, words: Words | None = None) -> str:
    """Write a sentence out, marks in the words given or else in those of Python."""
    if isinstance(sentence, tuple):
        return "".join(say(part, words) for part in sentence)
    if isinstance(sentence, str):
        return sentence
    said = None if words is None else words(sentence)
    if said is not None:
        return said
    return say(sentence.sentence, words) if isinstance(sentence, Phrase) else str(sentence)


class AgreementError(Exception):
    """What all errors of this package are, beside being a ValueError or a TypeError, say.

    Parameters
    ----------
    problem : str, or sequence of str and marks
        What is wrong, with the value and its place.
    remedy : str, or sequence of str and marks, optional
        What to do.
    argument : str, optional
        The parameter at fault.

    Attributes
    ----------
    argument : str or None
        The parameter at fault, such as "duplicates"; None where no single one is.
    problem : str
        What is wrong, with the value and its place.
    remedy : str or None
        What to do; None where `problem` says all there is to say.

    Notes
    -----
    The message is the problem, a colon and the remedy. Copies, also pickled ones, keep all of it.

    Examples
    --------
    >>> import agreement_fast as af
    >>> try:
    ...     af.Annotations.from_long([1, 1], ["ann", "ann"], ["a", "b"])
    ... except af.AgreementError as error:
    ...     print(error.argument)
    ...     print(error.remedy.partition(";")[0])
    duplicates
    pass duplicates='first', 'last', 'majority' or 'set'
    """

    def __init__(
        self, problem: Sentence, remedy: Sentence | None = None, *, argument: str | None = None
    ) -> None:
        self.argument = argument
        self._problem = problem
        self._remedy = remedy
        super().__init__(self.said())

    @classmethod
    def must_be(
        cls, name: str, requested: str, value: object, remedy: Sentence | None = None
    ) -> Self:
        """Say that an argument must be something, and is not.

        Examples
        --------
        >>> print(InputError.must_be("width", "a positive number", -1))
        width must be a positive number, not -1
        """
        return cls((Argument(name), f" must be {requested}, not {value!r}"), remedy, argument=name)

    @property
    def problem(self) -> str:
        """What is wrong."""
        return say(self._problem)

    @property
    def remedy(self) -> str | None:
        """What to do."""
        return None if self._remedy is None else say(self._remedy)

    def said(self, words: Words | None = None) -> str:
        """Write the message in other words.

        Parameters
        ----------
        words : function of a mark, optional
            Gives its words, or None to leave it to Python's.

        Returns
        -------
        str
        """
        problem = say(self._problem, words)
        return problem if self._remedy is None else f"{problem}: {say(self._remedy, words)}"

    def with_first(self, remedy: Sentence) -> Self:
        """Give the same error with a remedy that stands before what else can be done."""
        both = remedy if self._remedy is None else (remedy, "; else ", self._remedy)
        return type(self)(self._problem, both, argument=self.argument)

    def __str__(self) -> str:
        return self.said()

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class InputError(AgreementError, ValueError):
    """A value that cannot be."""


class InputTypeError(AgreementError, TypeError):
    """A value of a kind that cannot be."""


class NotKeptError(InputError, AttributeError):
    """What annotations have let go; for `hasattr` and `copy`, an attribute that is not there."""


class UnknownKeyError(AgreementError, KeyError):
    """A key that a result does not have."""


class TooLargeError(AgreementError, OverflowError):
    """Numbers that cannot be counted."""


def choice(names: Sequence[str]) -> str:
    """Write what can be chosen.

    Examples
    --------
    >>> print(choice(["items", "coders", "both"]))
    'items', 'coders' or 'both'
    """
    return either([repr(name) for name in names])


def either(words: Sequence[str]) -> str:
    """Write words of which one is to be chosen.

    Examples
    --------
    >>> print(either(["first", "last", "both"]))
    first, last or both
    """
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
