"""What the library refuses, said in options: one line for each way of speaking."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from command import Command

import agreement_fast as af
from agreement_fast.cli.wording import PHRASES, UsageError, in_options, option_of
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase, Sentence


def said(problem: Sentence, remedy: Sentence | None = None, **options: object) -> str:
    """Give the line of a command that has some options."""
    with pytest.raises(UsageError) as caught, in_options(argparse.Namespace(**options), "g = 1: "):
        raise InputError(problem, remedy)
    return str(caught.value).removeprefix("g = 1: ")


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        (Argument("weights"), "--weights"),
        (Argument("max_subsets", 10_000), "--max-subsets 10000"),
        (Argument("weights", "a", "b c"), "--weights a or 'b c'"),
        (Argument("weights", ["low", "high"]), "--weights low,high"),
        (Argument("weights", ["|"], ["$(x)"]), "--weights '|' or '$(x)'"),
        (Argument("weights", 0.25, True), "--weights 0.25 or True"),
        # A shell has no word for a set, nor for None.
        (Argument("weights", [frozenset("a")]), "--weights"),
        (Argument("weights", "a", None), "--weights"),
        (Argument("n_resamples", 0), "--n-resamples 0"),
        # There is no such option here: Python's words are better than none.
        (Argument("method", "bca"), "method='bca'"),
        (Argument("cluster"), "cluster"),
    ],
    ids=str,
)
def test_an_argument_is_an_option(argument: Argument, words: str) -> None:
    assert said(("the ", argument, " is"), weights=None, max_subsets=1, n_resamples=None) == (
        f"the {words} is"
    )


def test_an_option_of_the_same_name_comes_first() -> None:
    both = argparse.Namespace(categories=None, category=None)
    assert option_of("categories", both) == "--categories"
    assert option_of("categories", argparse.Namespace(category=None)) == "--category"
    assert option_of("categories", argparse.Namespace(item=None)) is None


@pytest.mark.parametrize("kind", PHRASES)
def test_a_phrase_has_words_or_stays_as_it_is(kind: str) -> None:
    value = {"twice": ("items", "a"), "rows": (0, 1), "row": 1_000}.get(kind)
    line = said((Phrase(kind, ("in ", Argument("weights")), value), "."), weights=None)
    expected = {
        "again": ".",
        "aliases": ".",
        "coders": "pass --busiest 25, say.",
        "element": 'pass --set-separator "|" if | separates elements.',
        "group_order": 'pass --by-order "low,medium,high".',
        "item": "in --weights.",
        "declared": "in --weights.",
        "left_out": "in --weights.",
        "separator": "in --weights.",
        "lists": "write their elements with a mark between them, such as a|b, and pass"
        ' --set-separator "|".',
        "merge": ".",
        "judgment": ".",
        "order": 'pass --categories "low,medium,high".',
        "own_items": "pass --no-shared-items.",
        "place": "in --weights.",
        "repeats": "in --weights.",
        "row": "row 1,001 below the header.",
        "rows": "rows 1 and 2 below the header.",
        "sets": 'pass --set-separator "|" if | separates elements.',
        "twice": "item 'a' stands in two rows of a table with a row an item: leave one of them "
        "out, or name them apart.",
    }
    assert line == expected[kind]


def test_names_of_coders_may_be_there_twice() -> None:
    assert said(Phrase("twice", "coders names 'a' twice", ("coders", "a"))) == (
        "coders names 'a' twice"
    )


def test_other_words_may_be_wanted_for_a_while() -> None:
    error = InputTypeError(("a", Phrase("place", " of row 3"), " is bad"), "mend it")
    with (
        pytest.raises(UsageError, match=r"^a is bad: mend it$"),
        in_options(argparse.Namespace(), phrases={"place": ""}),
    ):
        raise error
    with (
        pytest.raises(UsageError, match=r"^a at last is bad: mend it$"),
        in_options(argparse.Namespace(), phrases={"place": lambda phrase: " at last"}),
    ):
        raise error


@pytest.mark.parametrize("kind", [ValueError, TypeError, OverflowError])
def test_errors_of_python_are_one_line_too(kind: type[Exception]) -> None:
    with (
        pytest.raises(UsageError, match=r"^g = 1: bad$"),
        in_options(argparse.Namespace(), "g = 1: "),
    ):
        raise kind("bad")
    # What is our fault is not the user's.
    with pytest.raises(ZeroDivisionError), in_options(argparse.Namespace()):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["report", "long.csv", "--distance", "ordinal"],
         "distance ordinal needs an order, but category 'high' is not a number: pass"
         ' --categories "low,mid,high"'),
        (["report", "long.csv", "--distance", "interval"],
         "distance interval needs numbers, but category 'high' is not a number: for ordered words"
         ' use ordinal or rank_linear and pass --categories "low,mid,high"'),
        (["report", "long.csv", "--distance", "masi"],
         "distance masi needs sets, but category 'high' is not a set: pass --set-separator \"|\" if"
         " | separates elements; bigram_dice, word_dice and edit compare texts"),
        (["report", "wide.csv", "--layout", "wide", "--weights", "slides", "--distance", "masi"],
         "distance masi needs sets, but category 1 is not a set: pass --set-separator \"|\" if |"
         " separates elements"),
        (["report", "long.csv", "--categories", "low,mid"],
         "label 'high' of item '2', coder 'A' is not among the declared categories 'low', 'mid':"
         " declare it, or pass --missing high"),
        (["report", "long.csv", "--item", "lang", "--label", "item"],
         "2 judgments repeat a coder's judgment of an item (coder 'A', item 'en'; coder 'B', item"
         " 'en'): pass --duplicates first, last, majority or set"),
        (["diagnose", "long.csv", "--coefficient", "nope"],
         "coefficient 'nope' is not known; the names are s, brennan_prediger, pi, alpha_prime,"
         " kappa, beta, alpha, ac; docs/crosswalk.md lists the names in other programs"),
        (["report", "long.csv", "--coefficient", "alpha", "--resample", "both", "--method",
          "bca"],
         "--method bca needs one kind of unit to leave out, --resample both has two: pass"
         " --method percentile or basic"),
        (["report", "long.csv", "--coefficient", "pi", "--method", "krippendorff"],
         "--method krippendorff is for alpha, not for pi"),
        (["report", "long.csv", "--coefficient", "alpha", "--method", "krippendorff",
          "--resample", "both"],
         "--method krippendorff draws pairs of judgments: leave out --resample"),
        (["subsets", "long.csv", "--size", "2-9"],
         "--size must be from 2 to 3, the number of coders, not 9"),
    ],
)  # fmt: skip
def test_a_line_is_what_to_type(command: Command, folder: Path, argv: list[str], line: str) -> None:
    assert command.error(*argv) == line


def test_too_many_subsets(command: Command, folder: Path) -> None:
    rows = "".join(f"{i},c{c},{c % 2}\n" for i in range(2) for c in range(40))
    (folder / "many.csv").write_text("item,coder,label\n" + rows)
    assert command.error("subsets", "many.csv", "--max-subsets", "all", "--size", "20") == (
        "40 coders have 137,846,528,820 subsets of these sizes: pass --max-subsets 10000 for a"
        " sample of each size, or fewer --size"
    )


@pytest.mark.parametrize(
    ("labels", "line"),
    [
        (["1", "1,5"], "category '1,5' is not a number: write decimal commas as points"),
        (["1", "2", "-0,5"], "'-0,5' is not a number: write decimal commas as points"),
        (["1", "high"], "category 'high' is not a number: for ordered words use ordinal"),
    ],
)
def test_the_label_that_is_no_number_is_named(
    command: Command, folder: Path, labels: list[str], line: str
) -> None:
    rows = (f'{i},{coder},"{label}"\n' for i, label in enumerate(labels) for coder in "xy")
    (folder / "t.csv").write_text("item,coder,label\n" + "".join(rows))
    assert line in command.error("report", "t.csv", "--distance", "interval")


@pytest.mark.parametrize(("distance", "needs"), [("ordinal", "an order"), ("interval", "numbers")])
@pytest.mark.parametrize(
    ("label", "remedy"),
    [
        ("n.a.", "if it means no judgment, pass --missing n.a."),
        ("2 ", "remove the blank from this label in the data"),
    ],
)
def test_the_label_that_makes_text_of_numbers_is_named(
    command: Command, tmp_path: Path, distance: str, needs: str, label: str, remedy: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f'item,coder,label\n1,a,1\n1,b,2\n2,a,3\n2,b,"{label}"\n')
    said = command.error("report", str(path), "--distance", distance)
    assert f"distance {distance} needs {needs}" in said
    assert f"category '{label}' is not" in said
    assert said.endswith(remedy)


def test_in_python_it_is_named_as_python_writes_it() -> None:
    table = [["1", "2"], ["n.a.", "3"], ["2", "3"]]
    with pytest.raises(ValueError, match=r"'n\.a\.' is not a number: .* pass missing='n\.a\.'"):
        af.alpha(table, "ordinal")
    assert float(af.alpha([[1, 2], [None, 3], [2, 3]], "ordinal")) < 1
    # where most are words the first word is named, and the order is what lacks
    with pytest.raises(ValueError, match="'high' is not a number: declare the order"):
        af.alpha([["low", "high"], ["low", "1"]], "ordinal")
