"""docs/papers.md says what each row gives: the calls run, and give what is printed."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from loops import nonempty
from reference import rounds_to
from reference_papers import COUNTED, ROWS, TWICE
from reference_papers_a import ROWS as ROWS_A
from reference_papers_b import ROWS as ROWS_B

#: What is computed by definition, by row; no row is in two files.
ALL_ROWS = (*ROWS, *ROWS_A, *ROWS_B)
ROWS = {**ROWS, **ROWS_A, **ROWS_B}

PAGE = Path(__file__).parents[2] / "docs" / "papers.md"

#: Rows of each part of the page.
PARTS = {"A": 76, "B": 25, "C": 16, "D": 44, "E": 22, "F": 14, "G": 23, "H": 5}

NUMBER = re.compile(r"[-−]?(?:\d[\d,]*)?\.?\d+(?:e[-−]?\d+)?")
ONE_NUMBER = re.compile(rf"^{NUMBER.pattern}$")
STEP = re.compile(
    r"^```python\n(.*?)^```$|^## ([A-H])\. |^(\| \d+ \|[^\n]*)$", re.DOTALL | re.MULTILINE
)


def steps():
    """The blocks, the parts and the rows of the page, in their order."""
    for result in STEP.finditer(PAGE.read_text(encoding="utf-8")):
        block, part, row = result.groups()
        if block is not None:
            yield "block", block
        elif part:
            yield "part", part
        else:
            cells = [cell.strip() for cell in row.strip()[1:-1].split("|")]
            assert len(cells) == 7, f"row {cells[0]} has {len(cells)} cells"
            yield "row", cells


def rows():
    """The cells of each row."""
    return [step for kind, step in steps() if kind == "row"]


def number_of(text):
    """A printed number as digits that Python reads."""
    return text.replace("−", "-").replace(",", "")


def in_print(printed):
    """List the numbers of the column of the paper, with – for one that it does not print."""
    numbers = printed.split(" ")
    if not any(map(ONE_NUMBER.match, numbers)):
        return []
    return numbers if all(n == "–" or ONE_NUMBER.match(n) for n in numbers) else []


def flat(result):
    """The numbers of a result, in its order: of a float, a sequence, an array, a mapping."""
    if hasattr(result, "tolist") and not isinstance(result, float):
        result = result.tolist()
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, Iterable) and not isinstance(result, (str, float, int)):
        return [number for part in result for number in flat(part)]
    return [result]


def holds(result, printed):
    """Say whether a result is what a cell prints: numbers to their digits, or text in backticks."""
    if text := re.fullmatch(r"`(.*)`", printed):
        return text[1] in result if isinstance(result, str) else text[1] == str(result)
    numbers = printed.split(" ")
    values = flat(result)
    assert all(ONE_NUMBER.match(number) for number in numbers), f"{printed!r} is not numbers"
    return len(values) == len(numbers) and all(
        value == value and agrees(value, number_of(number))
        for value, number in zip(values, numbers, strict=True)
    )


def agrees(value, printed):
    """Say whether a number rounds to a printed one, which may be a power of ten."""
    mantissa, _, exponent = printed.partition("e")
    return (
        rounds_to(value / 10 ** int(exponent), mantissa) if exponent else rounds_to(value, printed)
    )


def test_the_page_has_every_row_once():
    """Rows are numbered through all parts."""
    part, result = "", []
    for kind, step in steps():
        if kind == "part":
            part = step
        elif kind == "row":
            result.append((part, int(step[0])))
    numbered = [part for part, n in PARTS.items() for _ in range(n)]
    assert result == list(zip(numbered, range(1, sum(PARTS.values()) + 1), strict=True))


@pytest.mark.breadth
def test_the_calls_of_the_page_give_what_it_prints(tmp_path, monkeypatch):
    """Each call is an expression over the names of the blocks above it."""
    monkeypatch.chdir(tmp_path)
    scope, wrong = {"__name__": "__main__"}, []
    for kind, step in steps():
        if kind == "block":
            exec(compile(step, str(PAGE), "exec"), scope)
        elif kind == "row" and step[4] != "–":
            number, call, printed = step[0], step[4], step[5]
            code = re.fullmatch(r"`(.*)`", call)
            if not code:
                wrong.append(f"row {number}: {call} is no call")
                continue
            try:
                result = eval(code[1], scope)
                if not holds(result, printed):
                    wrong.append(
                        f"row {number}: {code[1]} gives {str(result)[:300]}, not {printed}"
                    )
                if int(number) in ROWS and not holds(computed(int(number), scope), printed):
                    wrong.append(f"row {number}: {printed} is not what its definition gives")
            except Exception as error:
                wrong.append(f"row {number}: {code[1]}: {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


def computed(number, scope):
    """The numbers of a row by definition; a list of labels as text."""
    values = flat(ROWS[number](scope))
    words = any(isinstance(value, str) for value in values)
    return str(values) if words else list(map(float, values))


def test_every_row_says_what_its_number_is_held_against():
    """The digits of the paper, else a number computed by definition, else the row says so."""
    for number, _, _, printed, call, here, against in nonempty(rows()):
        if call == "–":
            right = "–"
        elif numbers := in_print(printed):
            right = "print, computed" if "–" in numbers else "print"
            assert right == "print" or int(number) in ROWS, number
        elif int(number) in (*ROWS, *TWICE):
            right = "computed"
        else:
            right = "no number"
            assert here[0] == "`" or int(number) in COUNTED, f"row {number} rests on itself"
        assert against == right, number


def test_rows_without_a_call_say_why():
    """A row has a call, or a reason that there is none."""
    for number, _, _, _, call, here, _ in nonempty(rows()):
        assert call != "–" or re.match(r"\*not to be had\*: \w.{20}", here), number


def test_numbers_in_print_are_those_of_the_package_unless_the_row_says_why():
    """The column of the paper has the same numbers, or says slip, cut, or other data."""
    for number, _, _, printed, call, here, _ in nonempty(rows()):
        printed_numbers, here_numbers = in_print(printed), here.split(" ")
        if not printed_numbers or call == "–":
            continue
        assert all(map(ONE_NUMBER.match, here_numbers)), number
        assert len(printed_numbers) == len(here_numbers), number
        for there, own in nonempty(zip(printed_numbers, here_numbers, strict=True)):
            if there == "–":
                continue
            there, own = number_of(there), number_of(own)
            assert len(own.partition(".")[2]) >= len(there.partition(".")[2]), number
            assert rounds_to(own, there), (number, there, own)


@pytest.mark.parametrize(
    ("found", "printed", "same"),
    [
        (0.3478, ".348", True),
        (0.3478, ".349", False),
        ([0.4, 0.3407], ".4 .341", True),
        ([0.4, 0.3407], ".4", False),
        ([0.4], ".4 .341", False),
        (float("nan"), "0", False),
        (3.13e-13, "3.1e-13", True),
        (3.13e-12, "3.1e-13", False),
        (-0.0526, "−.053", True),
        (560, "560", True),
        ({"a": [1, 2]}, "1 2", True),
        ("almost perfect", "`perfect`", True),
        (True, "`True`", True),
        ([True, False], "`True`", False),
    ],
)
def test_results_are_held_against_what_is_printed(found, printed, same):
    """To the digits printed; all numbers of a cell; text if it is in backticks."""
    assert holds(found, printed) is same


def test_no_number_stands_twice():
    """Each row has its own number, and is computed in one place."""
    assert max(Counter(ALL_ROWS).values()) == 1
    assert max(Counter(row[0] for row in rows()).values()) == 1
