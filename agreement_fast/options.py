"""Options that many functions share: their names elsewhere, checks, random generators, bars."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import operator
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from types import FunctionType, ModuleType
from typing import Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from agreement_fast.errors import Argument, InputError, InputTypeError, Sentence, choice
from agreement_fast.present import signals_wait

T = TypeVar("T")

#: Choices of many functions.
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
BootstrapMethod: TypeAlias = Literal["bca", "percentile", "basic"]
Duplicates: TypeAlias = Literal["error", "first", "last", "majority", "set"]
Incomplete: TypeAlias = Literal["published", "pairable", "complete"]
Layout: TypeAlias = Literal["long", "wide", "counts", "contingency"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
Undefined: TypeAlias = Literal["nan", "raise"]

#: A label, or the name of an item, a coder, a group or a column; one of them or several; and the
#: values of a column: an array, a Series, a list, or a mapping by name.
Label: TypeAlias = Hashable
Names: TypeAlias = Hashable | Iterable[Hashable]
Column: TypeAlias = Iterable[Any]
#: A value for each item: a sequence, a mapping of items, or the name of a column.
PerItem: TypeAlias = Iterable[Any]
#: Numbers in rows and columns: an array, a frame, lists, or a mapping of mappings by name.
Numbers: TypeAlias = Iterable[Any]
#: What belongs to labels, items, coders or documents, by their names.
ByName: TypeAlias = Mapping[Any, T]
#: How long documents are: a number, or their begin and end; for all documents, or by their names.
Extents: TypeAlias = float | Sequence[float] | ByName[float | Sequence[float]]
#: Who saw what: documents with their coders, or pairs of both as rows or a frame.
Seen: TypeAlias = ByName[Iterable[Label]] | Iterable[Any]
#: What random numbers come from: a seed, a generator, or None for another one each time.
Seed: TypeAlias = "int | np.random.Generator | None"

#: Parameters of many functions: an example, and where to go from a function that has none.
SHARED = {
    "coefficient": ("such as 'alpha'", "af.agreement and af.agreement_table take coefficient="),
    "confidence_level": (
        "such as 0.95",
        "results have .low and .high, at 0.95; af.inference.standard_error and af.bootstrap make "
        "other intervals and take confidence_level=",
    ),
    "by": (
        "such as the name of a column",
        "for coefficients of groups use af.agreement_by_group(data, by=...), for the agreement on "
        "each category af.diagnostics.category_agreement(data)",
    ),
    "cluster": (
        "the document of each item",
        "af.bootstrap, af.inference.standard_error and others draw whole clusters and take "
        "cluster=",
    ),
    "distance": ("such as 'ordinal' or 'interval'", "af.alpha and others take distance="),
    "gold": (
        "such as a label for each item",
        "af.diagnostics.gold_scores compares with a gold standard and takes gold=",
    ),
    **{
        role: (example, f"columns of a table are named by {role}=")
        for role, example in {
            "item": "the name of a column (three columns without a table are "
            "af.Annotations.from_long(items, coders, labels))",
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
        "it has one method; another chance model is another function (Randolph's κ is af.s), or "
        "af.agreement(data, chance='gwet')",
    ),
    "n_resamples": ("such as 2000", "write af.bootstrap(data, coefficient, n_resamples=...)"),
    **{
        name: (
            f"such as {example!r}",
            "af.diagnostics.model_agreement compares models with people and takes model= and "
            "person=; af.icc has all models of its coefficients",
        )
        for name, example in {"model": "gpt", "person": ["ann", "bob"]}.items()
    },
    "rng": ("such as 0", "write af.bootstrap(data, coefficient, rng=...)"),
    "threads": ("such as 4", "af.bootstrap and others that take long take threads="),
    "weights": (
        "how often each item occurred",
        "for weights of disagreements write distance=, such as 'quadratic', as in "
        "af.weighted_kappa(data, 'quadratic') ('rank_quadratic' is scikit-learn's, 'gwet:ordinal' "
        "irrCAC's); for how often each item occurred, weights= takes a column or numbers "
        "where a table is read",
    ),
}

#: What other programs call these parameters, by what they are here.
OTHER_NAMES = {
    name: tuple(meant.split())
    for meant, names in {
        "rng": "seed random_state",
        "gold": "truth reference",
        "distance": "level_of_measurement metric weighting scale data_type distances",
        "distance confidence_level": "level",
        "distance weights": "weight",
        "method distance": "method",
        "model method": "model",
        "model": "models llms llm",
        "model coder": "judge judges",
        "person": "humans people",
        "n_resamples": "n_boot n_bootstrap B n nboot bootstrap num_resamples replicates "
        "reps n_samples",
        "confidence_level": "ci alpha conf conf_level confidence",
        "threads": "n_jobs",
        "coder": "annotator rater raters worker workers observer coders columns user annotator_col "
        "rater_col coder_col worker_col",
        "by": "group groups groupby",
        "item": "task unit item_col unit_col experiment_col items targets subject subjects index",
        "label": "value label_col value_col class_col ratings rating score scores",
        "coefficient": "coefficients statistic",
        "categories": "value_domain",
        "label categories": "labels values",
        "weights": "sample_weight",
        "delimiter set_separator": "sep separator",
    }.items()
    for name in names.split()
}

_FIRST_ARGUMENTS = "pass the labels of two coders as the first arguments: kappa(first, second)"
_CONSTRUCTOR = "belongs to the constructor: af.Annotations.from_wide, from_long or from_frame"

#: Keywords of krippendorff, irrCAC, scikit-learn and NLTK that no parameter of ours stands for.
OTHER_WAYS = {
    "reliability_data": "pass a table of items × coders as the first argument; krippendorff's is "
    "coders × items, so transpose it",
    "value_counts": "for counts of items × categories write af.Annotations.from_counts(counts)",
    "ratings": "pass the table of items × coders as the first argument",
    "y1": _FIRST_ARGUMENTS,
    "y2": _FIRST_ARGUMENTS,
    "num_classes": "not needed: the categories are the labels that occur",
    "repeats_of": f"repeats_of= {_CONSTRUCTOR}",
    **dict.fromkeys(
        ("multilabel", "sep", "separator", "set_separator"),
        "for labels that are sets write af.Annotations.from_wide(table, set_separator=...), or "
        "from_frame if a row is a judgment",
    ),
    **dict.fromkeys(
        ("path", "output", "title", "format"),
        "report(data).save('report.html') writes a page, and print(report(data)) the text",
    ),
    **dict.fromkeys(
        ("threshold", "null", "null_value"),
        "af.inference.coefficient_test(data, coefficient, null_value=...) tests it",
    ),
    "counts": "write layout='counts'",
    "detail": "af.diagnostics.category_agreement(data) has a row for each category",
    "table": "pass it as the first argument, with layout='contingency' if it has the counts of two "
    "coders",
    "tolerance": "a distance may be a function: af.alpha(data, lambda a, b: abs(a - b) > 1)"
    ".observed_disagreement is the share of pairs that are more than 1 apart",
    "length": "extents= of af.units.Continuum.from_frame says how long documents are",
    "correct": "not needed: ties are always corrected",
}

#: What to write instead of a function that does not take an argument.
_FRAME = (
    "for columns of a frame write af.Annotations.from_frame(frame, item=..., coder=..., label=...)"
)
OTHER_FUNCTIONS = {"from_long": _FRAME, "from_triples": _FRAME}
#: Keywords that mean something else in programs with a function of this kind.
OF_FUNCTION = {
    "compare": (
        "judge judges model llm humans person",
        "af.diagnostics.model_agreement(data, model, person=...) compares models with people",
    ),
    "icc": (
        "model type unit form",
        "not needed: the table has all forms, a row each",
    ),
    "items_needed": (
        "kappa icc power value",
        "pass the result of a pilot, such as af.kappa(data), and the width= of its interval",
    ),
    "position_bias": (
        "data item coder coders judge label preferred",
        "write its columns: position_bias(frame['item'], frame['judge'], frame['first'], "
        "frame['winner'])",
    ),
}

#: Options of reading that are about labels, also those of two coders without a table.
OF_LABELS = frozenset({"missing", "categories", "weights", "duplicates"})
#: All that a function with ``**reading`` takes.
READING = OF_LABELS | {"item", "coder", "label", "layout"}
#: Types of the path of a file.
PATHS = (str, PurePath)


#: How long a value is at most that is repeated in an answer.
SHOWN = 60


def ours(name: str, value: Any, known: Iterable[str]) -> str | None:
    """Say what to write for a keyword, in a function that knows others.

    Examples
    --------
    >>> ours("seed", 1, ["data", "rng"])
    'write rng=1'
    >>> ours("level", 0.9, ["distance", "confidence_level"])
    'write confidence_level=0.9'
    >>> ours("ci", True, ["confidence_level"])
    'write confidence_level=, such as 0.95'
    """
    if isinstance(value, str) and value in LAYOUTS and "layout" in known:
        return f"write layout={value!r}"
    if name in OTHER_WAYS and not isinstance(value, str):  # a table, where others name a column
        return OTHER_WAYS[name].replace("=...", f"={as_typed(value) or '...'}")
    meant = OTHER_NAMES.get(name, (name,))
    numeric = name in ("level", "weight") and isinstance(value, (int, float))
    if numeric or (name in ("labels", "values") and isinstance(value, list | tuple)):
        meant = meant[::-1]
    for parameter in (*meant, *(f"{role}s" for role in meant)):  # constructors take values
        if parameter in known:
            if (typed := as_typed(value)) is not None and name != "alpha":
                coefficient = name == "metric" and "coefficient" in known
                other = f", or coefficient={typed} if it is one" if coefficient else ""
                return f"write {parameter}={typed}{other}"
            example, _ = SHARED[parameter if parameter in SHARED else parameter[:-1]]
            return f"write {parameter}=, {example}"
    way = SHARED[meant[0]][1] if meant[0] in SHARED else OTHER_WAYS.get(name)
    return way and way.replace("=...", f"={as_typed(value) or '...'}")


def as_typed(value: Any) -> str | None:
    """Write a value as a caller types it; None for what is long, a flag or no plain value.

    Examples
    --------
    >>> as_typed(["NA", ""]), as_typed(True), as_typed(range(9)), as_typed(list(range(99)))
    ("['NA', '']", None, None, None)
    """
    plain = isinstance(value, str | int | float | list | tuple) and not isinstance(value, bool)
    text = repr(value) if plain else ""
    return text if 0 < len(text) <= SHOWN else None


def parameters_of(function: Any) -> frozenset[str] | None:
    """Return the keywords that a function takes; None if it takes any and checks them itself."""
    function = inspect.unwrap(function)
    code = function.__code__
    names = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    if not code.co_flags & inspect.CO_VARKEYWORDS:
        return names
    reads = "Reading" in str(function.__annotations__.values())
    return names | READING if reads else None


def unexpected(
    function: Callable[..., Any], keywords: dict[str, Any], known: Any
) -> InputTypeError:
    """Make the error of keywords that a function does not take, with an answer to each."""
    names = [name for name in keywords if name not in known]
    own, answer = OF_FUNCTION.get(function.__name__, ("", None))
    answers = dict.fromkeys(
        answer if name in own.split() else ours(name, keywords[name], known) for name in names
    )
    listed = [*filter(None, answers)] or [f"its keywords are {', '.join(sorted(known))}"]
    problem = f"{function.__name__}() got an unexpected keyword argument {names[0]!r}"
    if len(names) > 1:
        problem += f", nor does it take {choice(names[1:])}"
    remedy = OTHER_FUNCTIONS.get(function.__name__, "; ".join(listed))
    return InputTypeError(problem, remedy, argument=names[0])


def required_of(function: Any) -> tuple[str, ...]:
    """Return the parameters without a default, in their order."""
    parameters = inspect.signature(function).parameters.values()
    flexible = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = (entry for entry in parameters if entry.default is entry.empty)
    return tuple(entry.name for entry in needed if entry.kind not in flexible)


def refuse_gaps(
    function: Any, required: Sequence[str], args: Sequence[Any], keywords: Mapping[str, Any]
) -> None:
    """Refuse a call without an argument that has no default, with what its help says of it."""
    absent = [name for name in required[len(args) :] if name not in keywords]
    if not absent:
        return
    help = re.search(rf"^ *{absent[0]}\b[^:\n]* : (.+)", function.__doc__ or "", re.MULTILINE)
    described = f"; {absent[0]} is {help[1]}" if help else ""
    raise InputTypeError(
        f"{function.__name__}() needs {' and '.join(absent)}",
        f"write {function.__name__}({', '.join(required)}){described}",
        argument=absent[0],
    )


def in_our_order(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
    """Name the coefficients that are given as functions, and put the data before them.

    `bootstrap(alpha, data)`, in scipy's order, is `bootstrap(data, "alpha")`. Keywords are changed
    in place.

    Examples
    --------
    >>> import agreement_fast as af
    >>> in_our_order((af.alpha, [[1, 1]]), {})
    ([[1, 1]], 'alpha')
    """
    for name, value in keywords.items():
        if isinstance(value, FunctionType):
            keywords[name] = _as_name(value)
    if not any(isinstance(arg, FunctionType) for arg in args):
        return args
    named = tuple(map(_as_name, args))
    data_last = named[0] is not args[0] and len(named) > 1
    return (named[1], named[0], *named[2:]) if data_last else named


def _as_name(value: Any) -> Any:
    """Return the name of a coefficient or measure instead of its function of ours."""
    places = (f"{__package__}.{place}" for place in ("coefficients", "units", "measures"))
    is_ours = isinstance(value, FunctionType) and value.__module__.startswith(tuple(places))
    return value.__name__ if is_ours else value


def answer_keywords(space: ModuleType) -> None:
    """Let the functions of a name space answer keywords of other programs with ours."""
    for name in space.__all__:
        setattr(space, name, answering(getattr(space, name), space.__name__))


def answering(item: Any, space: str) -> Any:
    """Return a function that answers unknown keywords; anything else as it is."""
    known = parameters_of(item) if isinstance(item, FunctionType) else None
    if known is None or hasattr(item, "answers"):
        return item

    code = inspect.unwrap(item).__code__
    places = code.co_varnames[: code.co_argcount]
    n_data = len([*itertools.takewhile(("data", "other").__contains__, places)])
    required = required_of(item)
    room = math.inf if code.co_flags & inspect.CO_VARARGS else len(places)

    @functools.wraps(item)
    def called(*args: Any, **keywords: Any) -> Any:
        args = in_our_order(args, keywords)
        if keywords and not known.issuperset(keywords):
            raise unexpected(item, keywords, known)
        args = with_files_read(args, keywords, n_data)
        if len(args) > room:
            by_name = ", ".join(f"{name}=" for name in sorted(known.difference(places)))
            of_judgments = places[:1] in (("data",), ("result",)) and not isinstance(args[1], str)
            two = "two coders are one table, [*zip(first, second)]; " if of_judgments else ""
            raise InputTypeError(
                f"{item.__name__}() takes {len(places)} arguments by position "
                f"({', '.join(places)}), not {len(args)}",
                OTHER_FUNCTIONS.get(item.__name__, f"{two}the others have names: {by_name}"),
            )
        refuse_gaps(item, required, args, keywords)
        return item(*args, **keywords)

    called.__module__ = space  # where `pickle` finds it
    return called


def with_files_read(
    args: tuple[Any, ...], keywords: dict[str, Any], n_data: int
) -> tuple[Any, ...]:
    """Read the files whose paths stand in place of data, by the options of reading.

    These are taken from the keywords, in place. The modules that read files are above this one, so
    `read` is called as users call it.
    """
    places = [place for place, arg in enumerate(args[:n_data]) if isinstance(arg, PATHS)]
    if not places:
        return args
    from agreement_fast import read

    of_files = READING & keywords.keys() if len(places) == n_data else ()
    reading = {name: keywords.pop(name) for name in of_files}
    data = {place: read(args[place], **reading) for place in places}
    return tuple(data.get(place, arg) for place, arg in enumerate(args))


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise an error if a value is not one of some names."""
    if not isinstance(value, str) or value not in choices:
        plain = value.lower().replace("-", "_").replace(" ", "_") if isinstance(value, str) else ""
        remedy: Sentence | None = ("write ", Argument(name, plain)) if plain in choices else None
        raise InputError.must_be(name, choice(choices), value, remedy)


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


def check_probability(name: str, value: Any, remedy: str | None = None) -> float:
    """Return a number from 0 to 1."""
    number = check_number(name, value, remedy)
    if not 0 <= number <= 1:
        raise InputError.must_be(name, "from 0 to 1", value)
    return number


def check_positive(name: str, value: Any) -> float:
    """Return a finite number above 0."""
    number = check_number(name, value)
    if not 0 < number < math.inf:
        raise InputError.must_be(name, "a positive number", value)
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


def check_sizes(sizes: int | Iterable[int] | None, least: int, n_coders: int) -> tuple[int, ...]:
    """Return numbers of coders, ascending and distinct; by default from `least` to all."""
    if sizes is None:
        return tuple(range(least, n_coders + 1))
    several = isinstance(sizes, Iterable)
    taken = sorted(set(check_counts("size", sizes if several else [sizes], 0)))
    for size in (taken[0], taken[-1]):
        if not least <= size <= n_coders:
            requested = f"from {least} to {n_coders}, the number of coders"
            raise InputError.must_be("size", requested, size)
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
