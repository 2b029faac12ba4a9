"""Errors carry the argument, the problem and the remedy, and no raise forgets to."""

import ast
import builtins
import copy
import functools
import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest
from command import options_of
from fits import dawid_skene
from loops import nonempty

import agreement_fast as af
from agreement_fast import errors, options, subsets
from agreement_fast.cli import find_commands
from agreement_fast.cli.wording import OTHER_NAMES, PHRASES
from agreement_fast.errors import (
    AgreementError,
    Argument,
    InputError,
    InputTypeError,
    Mark,
    NotKeptError,
    Phrase,
    TooLargeError,
    UnknownKeyError,
    say,
)
from agreement_fast.files.errors import ReadError

ROOT = Path(__file__).parents[1] / "agreement_fast"
KINDS = [
    (InputError, ValueError),
    (InputTypeError, TypeError),
    (NotKeptError, AttributeError),
    (UnknownKeyError, KeyError),
    (TooLargeError, OverflowError),
    (af.UndefinedError, ValueError),
    (ReadError, ValueError),
]
#: A group that nobody asked for: a fault of the package, not of its caller.
OURS = {"files/tables.py"}


@functools.cache
def trees() -> dict[str, ast.Module]:
    """The modules of the package, parsed."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in ROOT.rglob("*.py")
    }


def marks_of(error: AgreementError) -> list[Mark]:
    """What its sentences are about."""
    result: list[Mark] = []
    error.worded(result.append)
    return result


def test_every_kind_is_here() -> None:
    result, rest = set(), [AgreementError]
    while rest:
        rest += (below := rest.pop().__subclasses__())
        result |= set(below)
    assert result == {kind for kind, _ in KINDS}


@pytest.mark.parametrize(("kind", "builtin"), KINDS)
def test_an_error_is_also_what_python_raises(
    kind: type[AgreementError], builtin: type[Exception]
) -> None:
    error = kind(("what ", Argument("x", 1), " is"), "what to do", argument="x")
    assert isinstance(error, builtin)
    assert isinstance(error, AgreementError)
    assert (error.problem, error.remedy, error.argument) == ("what x=1 is", "what to do", "x")
    assert str(error) == "what x=1 is: what to do"  # of a KeyError, too
    assert error.args == (str(error),)
    assert str(kind("plain")) == "plain"
    assert (kind("plain").remedy, kind("plain").argument) == (None, None)


@pytest.mark.parametrize(("kind", "_"), KINDS)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_copy_keeps_all_of_it(kind: type[AgreementError], _: object, protocol: int) -> None:
    error = kind(
        (Phrase("row", "row 3", 3), " is bad"), ("pass ", Argument("x", "a")), argument="x"
    )
    error.add_note("of the second file")
    for again in (
        pickle.loads(pickle.dumps(error, protocol)),
        copy.copy(error),
        copy.deepcopy(error),
    ):
        assert type(again) is kind
        assert str(again) == "row 3 is bad: pass x='a'"
        assert again.args == error.args
        assert (again.argument, again.problem, again.remedy) == ("x", "row 3 is bad", "pass x='a'")
        assert again.__notes__ == ["of the second file"]
        assert [type(mark) for mark in marks_of(again)] == [Phrase, Argument]


def test_a_sentence_in_other_words() -> None:
    error = InputError(
        (Phrase("place", ("in ", Phrase("row", "row 3", 3))), " is ", Argument("x"), "."),
        ("pass ", Argument("x", [1, 2], None), " or less"),
    )
    assert str(error) == "in row 3 is x.: pass x=[1, 2] or x=None or less"
    names = {"x": "--x"}

    def words(mark: Argument | Phrase) -> str | None:
        return names.get(mark.name) if isinstance(mark, Argument) else None

    assert error.worded(words) == "in row 3 is --x.: pass --x or less"
    assert error.worded(lambda mark: "*") == "* is *.: pass * or less"
    row = marks_of(error)[1]
    assert error.worded(lambda mark: "line 5" if mark is row else None).startswith(
        "in line 5 is x."
    )
    assert say("plain") == str(Phrase("any", "plain")) == "plain"


def test_one_base_class_catches_them_all() -> None:
    for call, argument in (
        (lambda: af.Annotations.from_long([1, 1], [2, 2], ["x", "y"]), "duplicates"),
        (
            lambda: af.Annotations.from_wide([["a", "b"], ["b", "a"]], categories=["a"]),
            "categories",
        ),
        (lambda: af.alpha([["a", "b"], ["b", "a"]], "ordinal"), "categories"),
        (lambda: af.agreement([["a", "b"], ["b", "a"]], "nope"), "coefficient"),
        (lambda: af.pi([["a", "b"], ["b", "a"]], nothing=1), "nothing"),
        (lambda: af.bootstrap([[1, 2], [2, 1]], method="x"), "method"),
        (lambda: dawid_skene([[1, 2], [2, 1]], smoothing=-1), "smoothing"),
        (lambda: subsets.coder_subsets([[1, 2], [2, 1]], size=[9]), "size"),
        (lambda: af.agreement([["a", "b"], ["b", "a"]], chance="nope"), "chance"),
        (lambda: af.agreement([["a", "b"], ["b", "a"]], item_weight="nope"), "item_weight"),
        (lambda: af.alpha([["a", "b"], ["b", "a"]], incomplete="nope"), "incomplete"),
        (lambda: af.alpha([["a", "b"], ["b", "a"]], undefined="nope"), "undefined"),
        (lambda: af.alpha([["a", "b"], ["b", "a"]], "nope"), "distance"),
        (lambda: af.Annotations.from_wide([["a", "b"]], weights=[1, 2]), "weights"),
        (lambda: subsets.noisy_coders({"a": 1, "b": 1}, 2), "reliability"),
        (lambda: af.alpha([["a", "a"], ["a", "a"]], undefined="raise"), None),
    ):
        with pytest.raises(AgreementError) as caught:
            call()
        assert caught.value.argument == argument, caught.value


def test_checks_of_options_name_their_argument() -> None:
    """In the attribute, and in the sentence as a mark."""
    for check, values, argument in (
        (options.check_choice, ("a", "x", ("y", "z")), "a"),
        (options.check_count, ("a", 0), "a"),
        (options.check_count, ("a", "1"), "a"),
        (options.check_flag, ("a", "no"), "a"),
        (options.check_several, ("a", 3, "names"), "a"),
        (options.check_counts, ("a", 3), "a"),
        (options.check_counts, ("a", []), "a"),
        (options.check_counts, ("a", [2, 0]), "a"),
        (options.check_resamples, (10**9,), "n_resamples"),
        (options.check_resamples, (0,), "n_resamples"),
        (options.check_threads, (0,), "threads"),
        (options.check_number, ("a", "1"), "a"),
        (options.check_number, ("a", None), "a"),
        (options.check_share, ("a", 1), "a"),
        (options.check_positive, ("a", 0), "a"),
        (options.check_positive, ("a", float("inf")), "a"),
        (options.check_flag, ("a", "yes"), "a"),
        (options.check_names, ("a", [], ["x"], "names"), "a"),
        (options.check_names, ("a", ["y"], ["x"], "names"), "a"),
        (options.check_probability, ("a", 1.5), "a"),
        (options.check_counts, ("a", 3), "a"),
        (options.check_counts, ("a", []), "a"),
        (options.check_counts, ("a", [0]), "a"),
        (options.check_sizes, ([], 2, 5), "size"),
        (options.check_sizes, ([6], 2, 5), "size"),
        (options.check_sizes, (["6"], 2, 5), "size"),
        (options.generator, (-1,), "rng"),
        (options.generator, ("1",), "rng"),
        (options.generator, (np.random.RandomState(1),), "rng"),
    ):
        with pytest.raises(AgreementError, match=rf"^{argument}\b") as caught:
            check(*values)
        assert caught.value.argument == argument
        first = marks_of(caught.value)[0]
        assert isinstance(first, Argument)
        assert first.name == argument


def test_values_of_another_type_are_refused() -> None:
    with pytest.raises(InputTypeError, match="expected a table, got str: read it") as caught:
        options.check_kind("x", dict, "a table", "read it", "rows")
    assert caught.value.argument == "rows"


def test_all_checks_of_options_are_tested() -> None:
    """A new check comes with a line above."""
    nodes = ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
    tested = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    for name, _ in nonempty(inspect.getmembers(options, inspect.isfunction)):
        assert not name.startswith("check_") or f"options.{name}" in tested, name


def raised() -> list[tuple[str, ast.Call]]:
    """Each error that is made, with its module."""
    return [
        (name, node)
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
        and ast.unparse(node.func).split(".")[0]
        in {"InputError", "InputTypeError", "UnknownKeyError", "TooLargeError", "ReadError",
            "UndefinedError", "AgreementError"}
    ]  # fmt: skip


@pytest.mark.sources
def test_no_module_makes_an_error_without_data() -> None:
    plain = {
        name
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"ValueError", "TypeError", "KeyError", "OverflowError"}
    }
    assert plain == OURS


@pytest.mark.sources
def test_what_is_called_an_argument_is_a_parameter() -> None:
    parameters = {
        arg.arg
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    }
    result = 0
    for module, call in raised():
        named = [one.value for one in call.keywords if one.arg == "argument"]
        if ast.unparse(call.func).endswith(".must_be"):
            named.append(call.args[0])
        for name in named:
            if isinstance(name, ast.Constant) and name.value is not None:
                assert name.value in parameters, (module, call.lineno)
                result += 1
    assert result > 100


@pytest.mark.sources
def test_no_sentence_writes_an_argument_out() -> None:
    """An argument for which a command has an option is a mark: text would show as Python."""
    optional = set().union(*map(options_of, find_commands())) | OTHER_NAMES.keys()
    for module, call in nonempty(raised()):
        texts = [
            node.value
            for node in ast.walk(call)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        for name in nonempty(optional):
            written = [text for text in texts if f" {name}=" in f" {text}"]
            assert not written, (module, call.lineno, written)


@pytest.mark.sources
def test_the_command_has_words_for_every_kind_of_phrase() -> None:
    used = {
        node.args[0].value
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Phrase"
    }
    assert used == PHRASES.keys()


def test_other_names_are_those_of_options() -> None:
    known = set().union(*map(options_of, find_commands()))
    assert set(OTHER_NAMES.values()) <= known


def test_the_module_of_errors_imports_nothing_of_the_package() -> None:
    for node in ast.walk(ast.parse((ROOT / "errors.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("agreement_fast")
    assert errors.__all__ == sorted(errors.__all__, key=lambda name: (name[0].islower(), name))
    assert not [name for name in errors.__all__ if hasattr(builtins, name)]
