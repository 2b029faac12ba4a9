"""Options that many functions share: their names elsewhere, checks, random generators, bars."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from inspect import CO_VARKEYWORDS
from types import FunctionType, ModuleType
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from agreement_fast.errors import Argument, InputError, InputTypeError, Sentence, choice
from agreement_fast.present.delayed import signals_wait

T = TypeVar("T")

#: Choices of many functions.
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
BootstrapMethod: TypeAlias = Literal["bca", "percentile", "basic"]
Duplicates: TypeAlias = Literal["error", "first", "last", "majority", "set"]
Incomplete: TypeAlias = Literal["published", "pairable", "complete"]
Undefined: TypeAlias = Literal["nan", "raise"]

#: A value for each item: a sequence, a mapping of items, or the name of a column.
PerItem: TypeAlias = Iterable[Any]
#: What random numbers come from: a seed, a generator, or None for another one each time.
Seed: TypeAlias = int | np.random.Generator | None

#: Parameters of many functions: an example, and where to go from a function that has none.
SHARED = {
    "coefficient": ("such as 'alpha'", "af.agreement and af.agreement_table take coefficient="),
    "confidence_level": (
        "such as 0.95",
        "inference.standard_error and af.bootstrap make intervals and take confidence_level=",
    ),
    "by": (
        "such as the name of a column",
        "for coefficients of groups use af.agreement_by_group(data, by=...)",
    ),
    "distance": ("such as 'ordinal' or 'interval'", "af.alpha and others take distance="),
    "gold": (
        "such as a label for each item",
        "diagnostics.gold_scores compares with a gold standard and takes gold=",
    ),
    **{
        role: (example, f"columns of a table are named by {role}=")
        for role, example in {
            "item": "the name of a column",
            "coder": "the name of a column, or the columns of a wide table as a list",
            "label": "the name of a column",
        }.items()
    },
    **{
        name: (example, f"{name}= belongs to the reading of a table of judgments")
        for name, example in {
            "categories": "such as [1, 2, 3]",
            "duplicates": "such as 'first'",
            "missing": "such as [99]",
        }.items()
    },
    "method": (
        "a name that its help lists",
        "it has one method; for another chance model use af.agreement(data, chance=...)",
    ),
    "n_resamples": ("such as 2000", "af.bootstrap and others that resample take n_resamples="),
    "rng": ("such as 0", "af.bootstrap and others that draw take rng="),
    "threads": ("such as 4", "af.bootstrap and others that take long take threads="),
    "weights": (
        "how often each item occurred",
        "for weights of disagreements write distance=, such as 'quadratic' ('rank_quadratic' is "
        "scikit-learn's, 'gwet:ordinal' irrCAC's), with a coefficient that takes one, such as "
        "af.weighted_kappa; for how often each item occurred, weights= takes a column or numbers "
        "where a table is read",
    ),
}

#: What other programs call these parameters.
OTHER_NAMES = {
    **dict.fromkeys(("seed", "random_state"), ("rng",)),
    **dict.fromkeys(("truth", "reference"), ("gold",)),
    **dict.fromkeys(("level_of_measurement", "metric"), ("distance",)),
    "level": ("distance", "confidence_level"),
    "method": ("method", "distance"),
    **dict.fromkeys(("n_boot", "n_bootstrap", "B", "n", "nboot", "bootstrap"), ("n_resamples",)),
    **dict.fromkeys(("ci", "alpha", "conf", "conf_level"), ("confidence_level",)),
    "n_jobs": ("threads",),
    **dict.fromkeys(
        ("annotator", "annotator_col", "rater", "raters", "worker", "coders", "columns"),
        ("coder",),
    ),
    **dict.fromkeys(("group", "groups", "groupby"), ("by",)),
    "model": ("method",),
    **dict.fromkeys(("task", "unit", "item_col"), ("item",)),
    **dict.fromkeys(("value", "label_col"), ("label",)),
    "coefficients": ("coefficient",),
    **dict.fromkeys(("labels", "value_domain"), ("categories",)),
    "sample_weight": ("weights",),
    "distances": ("distance",),
}

_FIRST_ARGUMENTS = "pass the labels of two coders as the first arguments: kappa(first, second)"
_CONSTRUCTOR = "belongs to the constructor: Annotations.from_wide, from_long or from_frame"

#: Keywords of krippendorff, irrCAC, scikit-learn and NLTK that no parameter of ours stands for.
OTHER_WAYS = {
    "reliability_data": "pass a table of items × coders as the first argument; krippendorff's is "
    "coders × items, so transpose it",
    "value_counts": "for counts of items × categories write Annotations.from_counts(counts)",
    "ratings": "pass the table of items × coders as the first argument",
    "y1": _FIRST_ARGUMENTS,
    "y2": _FIRST_ARGUMENTS,
    "num_classes": "not needed: the categories are the labels that occur",
    "sep": "for labels that are sets write Annotations.from_frame(table, set_separator=...)",
    **{name: f"{name}= {_CONSTRUCTOR}" for name in ("repeats_of", "set_separator")},
}

#: Options of reading that are about labels, also those of two coders without a table.
OF_LABELS = frozenset({"missing", "categories", "weights", "duplicates"})
#: All that a function with ``**reading`` takes.
READING = OF_LABELS | {"item", "coder", "label", "layout"}


def ours(name: str, value: Any, known: Iterable[str]) -> str | None:
    """Say what to write for a keyword, in a function that knows others.

    Examples
    --------
    >>> ours("seed", 1, ["data", "rng"])
    'write rng=, such as 0'
    >>> ours("level", 0.9, ["distance", "confidence_level"])
    'write confidence_level=, such as 0.95'
    """
    meant = OTHER_NAMES.get(name, (name,))
    if len(meant) > 1 and isinstance(value, (int, float)):
        meant = meant[::-1]
    for parameter in meant:
        if parameter in known:
            return f"write {parameter}=, {SHARED[parameter][0]}"
    return SHARED[meant[0]][1] if meant[0] in SHARED else OTHER_WAYS.get(name)


def parameters_of(function: Any) -> frozenset[str] | None:
    """Return the keywords that a function takes; None if it takes any and checks them itself."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = function.__code__
    names = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    if not code.co_flags & CO_VARKEYWORDS:
        return names
    reads = "Reading" in str(function.__annotations__.values())
    return names | READING if reads else None


def unexpected(
    function: Callable[..., Any], keywords: dict[str, Any], known: Any
) -> InputTypeError:
    """Make the error of a keyword that a function does not take."""
    name = min(keywords.keys() - known)
    return InputTypeError(
        f"{function.__name__}() got an unexpected keyword argument {name!r}",
        ours(name, keywords[name], known) or f"its keywords are {', '.join(sorted(known))}",
        argument=name,
    )


def answer_keywords(space: ModuleType) -> None:
    """Let the functions of a name space answer keywords of other programs with ours."""
    for name in space.__all__:
        setattr(space, name, answering(getattr(space, name), space.__name__))


def answering(item: Any, space: str) -> Any:
    """Return a function that answers unknown keywords; anything else as it is."""
    known = parameters_of(item) if isinstance(item, FunctionType) else None
    if known is None or hasattr(item, "answers"):
        return item

    @functools.wraps(item)
    def called(*args: Any, **keywords: Any) -> Any:
        if keywords and not known.issuperset(keywords):
            raise unexpected(item, keywords, known)
        return item(*args, **keywords)

    called.__module__ = space  # where `pickle` finds it
    return called


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise an error if a value is not one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise InputError.must_be(name, choice(choices), value)


def check_several(name: str, value: Any, requested: str) -> list[Any]:
    """Return several values as a list, and a single name as a list of one."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise InputTypeError.must_be(name, requested, value)
    return list(value)


def check_names(name: str, value: Any, known: Sequence[str], requested: str) -> list[str]:
    """Return one or several of the known names as a list; by default all."""
    names = list(known) if value is None else check_several(name, value, requested)
    if not names:
        raise InputError((Argument(name), " is empty"), f"choose from {', '.join(known)}")
    for entry in names:
        check_choice(name, entry, known)
    return names


def check_kind(
    value: Any, kind: type[T], expected: str, remedy: Sentence | None = None, argument: str = "data"
) -> T:
    """Return a value of a type of this package."""
    if not isinstance(value, kind):
        problem = f"expected {expected}, got {type(value).__name__}"
        raise InputTypeError(problem, remedy, argument=argument)
    return value


def check_probability(name: str, value: Any) -> float:
    """Return a number from 0 to 1."""
    number = check_number(name, value)
    if not 0 <= number <= 1:
        raise InputError.must_be(name, "from 0 to 1", value)
    return number


def check_flag(name: str, value: Any) -> bool:
    """Return True or False; text, which would count as True, is an error."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputTypeError.must_be(name, "True or False", value)
    return bool(value)


def check_count(name: str, value: Any, least: int = 1, *, each: bool = False) -> int:
    """Return a whole number of `least` or more; `each` if the argument holds several."""
    requested = "whole numbers" if each else "a whole number"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        count = operator.index(value)
    except TypeError:
        raise InputTypeError.must_be(name, f"{requested}, {least} or more", value) from None
    if count < least:
        raise InputError.must_be(name, f"{requested}, {least} or more", value)
    return count


#: More would take hours and gain nothing: 10,000 give the ends of an interval to two digits.
MOST_RESAMPLES = 10_000_000


def check_resamples(value: Any, least: int = 1) -> int:
    """Return a number of resamples that can be drawn in reasonable time."""
    count = check_count("n_resamples", value, least)
    if count > MOST_RESAMPLES:
        raise InputError(
            (Argument("n_resamples"), f" must be {MOST_RESAMPLES:,} or less, not {count:,}"),
            "10,000 are enough for the ends of an interval to two digits",
        )
    return count


def resamples_for(confidence_level: float) -> int:
    """Return how many resamples leave at least one beyond each end of an interval.

    Examples
    --------
    >>> resamples_for(0.95), resamples_for(0.99)
    (40, 200)
    """
    return math.ceil(round(2 / (1 - confidence_level), 6))


def check_threads(threads: Any) -> int | None:
    """Return a number of threads; None means one for each processor."""
    return None if threads is None else check_count("threads", threads)


def check_number(name: str, value: Any, remedy: str | None = None) -> float:
    """Return a float; NaN passes, and fails every comparison later."""
    try:
        return float("text" if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError):
        raise InputTypeError.must_be(name, "a number", value, remedy) from None


def check_share(name: str, value: Any) -> float:
    """Return a number strictly between 0 and 1."""
    share = check_number(name, value)
    if not 0 < share < 1:
        raise InputError.must_be(name, "between 0 and 1", value)
    return share


def check_counts(name: str, values: Any, least: int = 1) -> list[int]:
    """Return one or more whole numbers of `least` or more."""
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes)):
        raise InputTypeError.must_be(
            name, "a sequence of whole numbers", values, ("pass ", Argument(name, [values]))
        )
    result = [check_count(name, value, least, each=True) for value in values]
    if not result:
        raise InputError((Argument(name), " is empty"))
    return result


def check_sizes(
    name: str, sizes: int | Iterable[int] | None, least: int, n_coders: int
) -> tuple[int, ...]:
    """Return numbers of coders, ascending and distinct; by default from `least` to all."""
    if sizes is None:
        return tuple(range(least, n_coders + 1))
    several = isinstance(sizes, Iterable)
    taken = sorted(set(check_counts(name, sizes if several else [sizes], 0)))
    for size in (taken[0], taken[-1]):
        if not least <= size <= n_coders:
            raise InputError(
                (
                    Argument(name),
                    f" must be from {least} to {n_coders}, the number of coders, not {size}",
                )
            )
    return tuple(taken)


def generator(rng: Seed) -> np.random.Generator:
    """Return a numpy Generator: the given one, or one made from a seed."""
    requested = "a seed (a whole number, 0 or more), a numpy.random.Generator, or None"
    if isinstance(rng, np.random.RandomState):  # it has no independent streams for threads
        raise InputTypeError.must_be("rng", requested, rng)
    try:
        return np.random.default_rng(rng)
    except TypeError:
        raise InputTypeError.must_be("rng", requested, rng) from None
    except ValueError:
        raise InputError.must_be("rng", requested, rng) from None


@contextmanager
def bar(show: bool, total: int, what: str | None = None) -> Iterator[Callable[[int], Any]]:
    """Show a progress bar, or nothing: the yielded function takes the number of new steps."""
    if not show:
        yield lambda steps: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            'progress=True needs tqdm: pip install "agreement-fast[cli]"'
        ) from None
    with signals_wait():  # a half-made bar cannot be closed
        made = tqdm(total=total, desc=what, unit_scale=True)
    with made as shown:
        yield shown.update
