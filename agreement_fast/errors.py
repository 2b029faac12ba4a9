"""Errors that carry data: the argument at fault, what is wrong, and what to do.

A sentence is text, or a sequence of text and marks. A mark says what a part of the sentence names:
an `Argument`, or a `Phrase`, which the command words differently. Python writes
``duplicates='first'``; the command, which knows the marks, writes ``--duplicates first``. So
messages are never searched for words.

Errors of the operating system, and of packages that are not installed, stay errors of Python.
"""

from __future__ import annotations

import copyreg
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
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


#: How much of a wrong value is shown.
SHOWN = 160


class Argument:
    """An argument in a sentence: its name alone, with a value, or with values to choose from.

    Parameters
    ----------
    name : str
        The name of the parameter.
    *values : object
        The value that was passed, or the values to choose from.

    Attributes
    ----------
    name : str
        The name of the parameter.
    values : tuple
        The values.

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
    """A part of a sentence that the command words differently.

    Attributes
    ----------
    kind : str
        The kind of phrase; `agreement_fast.cli.wording` has the command's words for each kind.
    sentence : str, or sequence of str and marks
        Python's words.
    value : object
        What the phrase names, such as the number of a row.
    """

    kind: str
    sentence: Sentence
    value: Any = None

    def __str__(self) -> str:
        return say(self.sentence)


Mark: TypeAlias = Argument | Phrase
Sentence: TypeAlias = str | Mark | tuple["Sentence", ...]
#: Return other words for a mark, or None to keep Python's.
Words: TypeAlias = Callable[[Mark], str | None]


def say(sentence: Sentence, words: Words | None = None) -> str:
    """Write a sentence out, with marks in the given words or in Python's."""
    if isinstance(sentence, tuple):
        return "".join(say(part, words) for part in sentence)
    if isinstance(sentence, str):
        return sentence
    message = None if words is None else words(sentence)
    if message is not None:
        return message
    return say(sentence.sentence, words) if isinstance(sentence, Phrase) else str(sentence)


def _first_argument(sentence: Sentence) -> str | None:
    """Return the name of the first `Argument` of a sentence, or None."""
    if isinstance(sentence, Argument):
        return sentence.name
    parts = sentence.sentence if isinstance(sentence, Phrase) else sentence
    if isinstance(parts, str):
        return None
    if isinstance(parts, tuple):
        return next(filter(None, map(_first_argument, parts)), None)
    return _first_argument(parts)


class AgreementError(Exception):
    """The base class of this package's errors, which are also ValueError, TypeError or KeyError.

    Parameters
    ----------
    problem : str, or sequence of str and marks
        What is wrong: the value and its place.
    remedy : str, or sequence of str and marks, optional
        What to do about it.
    argument : str, optional
        The parameter at fault; by default the first `Argument` that `problem` names.

    Attributes
    ----------
    argument : str or None
        The parameter at fault, such as "duplicates"; None if the problem names none.
    problem : str
        What is wrong: the value and its place.
    remedy : str or None
        What to do about it; None if `problem` already says so.

    Notes
    -----
    The message is the problem, a colon and the remedy. Copying and pickling keep the attributes.

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
        self.argument = _first_argument(problem) if argument is None else argument
        self._problem = problem
        self._remedy = remedy
        super().__init__(self.worded())

    @classmethod
    def must_be(
        cls, name: str, requested: str, value: object, remedy: Sentence | None = None
    ) -> Self:
        """Make the error of an argument with a wrong value: "x must be ..., not ...".

        Examples
        --------
        >>> print(InputError.must_be("width", "a positive number", -1))
        width must be a positive number, not -1
        """
        shown = repr(value)
        if "\n" in shown:
            shown = f"a {type(value).__name__}"
        if len(shown) > SHOWN:  # a whole table
            shown = f"{shown[: SHOWN // 2]} … {shown[-SHOWN // 4 :]}"
        return cls((Argument(name), f" must be {requested}, not {shown}"), remedy)

    @property
    def problem(self) -> str:
        """What is wrong: the value and its place."""
        return say(self._problem)

    @property
    def remedy(self) -> str | None:
        """What to do about it, or None."""
        return None if self._remedy is None else say(self._remedy)

    def worded(self, words: Words | None = None) -> str:
        """Write the message, with marks in other words.

        Parameters
        ----------
        words : function of a mark, optional
            Returns the words of a mark, or None to keep Python's.

        Returns
        -------
        str
            The problem, and the remedy if there is one.
        """
        problem = say(self._problem, words)
        return problem if self._remedy is None else f"{problem}: {say(self._remedy, words)}"

    def with_first(self, remedy: Sentence) -> Self:
        """Return the same error with another remedy before its own."""
        both = remedy if self._remedy is None else (remedy, "; else ", self._remedy)
        return type(self)(self._problem, both, argument=self.argument)

    def __str__(self) -> str:
        return self.worded()

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class InputError(AgreementError, ValueError):
    """An argument or input with a wrong value."""


class InputTypeError(AgreementError, TypeError):
    """An argument or input of a wrong type."""


class NotKeptError(InputError, AttributeError):
    """Something that annotations did not keep; to `hasattr` and `copy`, a missing attribute."""


class UnknownKeyError(AgreementError, KeyError):
    """A key that a result does not have."""


class TooLargeError(AgreementError, OverflowError):
    """Numbers too large to be counted."""


def choice(names: Sequence[str]) -> str:
    """Join names to choose from, quoted.

    Examples
    --------
    >>> print(choice(["items", "coders", "both"]))
    'items', 'coders' or 'both'
    """
    return either([repr(name) for name in names])


def either(words: Sequence[str]) -> str:
    """Join words to choose from.

    Examples
    --------
    >>> print(either(["first", "last", "both"]))
    first, last or both
    """
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


_PACKAGE = str(Path(__file__).parent) + os.sep


class Hint(UserWarning):
    """The data may not mean what they were read as.

    Examples
    --------
    A notebook that must not go on with such data:

    >>> import warnings
    >>> import agreement_fast as af
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", af.Hint)
    ...     try:
    ...         af.alpha([["yes", "yes"], ["no", "Yes"], ["no", "no"]])
    ...     except af.LabelHint as hint:
    ...         print(type(hint).__name__)
    LabelHint
    """


class ReadHint(Hint):
    """Something was left out, or was read in a way that the user must know.

    Examples
    --------
    >>> import warnings
    >>> import agreement_fast as af
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", af.ReadHint)
    ...     value = af.alpha([["yes", "yes"], ["no", "yes"], ["no", "no"]])
    """


class ShapeHint(Hint):
    """A table may hold something other than judgments of items × coders, or be transposed.

    Examples
    --------
    >>> import warnings
    >>> import agreement_fast as af
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", af.Hint)
    ...     try:
    ...         af.alpha([["a", "a", "b"], ["a", "b", "b"]])
    ...     except af.ShapeHint as hint:
    ...         print(str(hint)[:48])
    the table has 2 rows (items) and 3 columns (code
    """


class LabelHint(Hint):
    """Two categories, coders or items may be meant as one, or labels as sets.

    Examples
    --------
    >>> import warnings
    >>> import agreement_fast as af
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", af.LabelHint)  # these are two categories
    ...     value = af.alpha([["yes", "yes"], ["no", "Yes"], ["no", "no"]])
    """


def hint(message: str, kind: type[Hint]) -> None:
    """Warn at the line outside the package that called it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)
