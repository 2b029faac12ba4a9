"""The record of what a round must keep: it has every public function, and notices what changes."""

import copy

import guard

import agreement_fast as af

RECORD = {
    "names": {"alpha": "(data, distance='nominal')", "pi": "(data)"},
    "values": {"alpha of a.csv": {"value": [0.5, float("nan")], "low": [0.25, 0.125]}},
    "texts": {"alpha of a.csv": "<alpha>\nof two coders"},
    "commands": {"report a.csv [text]": "Read\n  files  a.csv\nexit code 0"},
    "speed": {"alpha (µs)": 20.0},
}


def compared(change):
    """What is printed if this is changed in a copy of the record."""
    new = copy.deepcopy(RECORD)
    change(new)
    return "\n".join(guard.compare(RECORD, new))


def test_equal_records_differ_in_nothing():
    """NaN is equal to NaN; times are shown side by side."""
    printed = compared(lambda new: new["speed"].update({"alpha (µs)": 30.0}))
    assert printed.count("0 gone, 0 new, 0 changed") == 4
    assert printed.splitlines()[-1].split() == ["alpha", "(µs)", "20.0", "30.0", "1.50"]


def test_a_changed_number_is_named_with_its_place():
    """Also one that differs in the last bit only."""
    printed = compared(lambda new: new["values"]["alpha of a.csv"]["low"].insert(0, 0.25 + 2**-54))
    assert "Values of studies: 1 before, 0 gone, 0 new, 1 changed" in printed
    assert "! alpha of a.csv\n      low.0: 0.25 -> 0.25000000000000006\n" in printed
    assert "low.2: (none) -> 0.125" in printed


def test_names_that_are_gone_or_take_something_else_are_listed():
    """A name under which the same is computed is proposed."""

    def change(new):
        del new["names"]["pi"]
        new["names"] |= {"alpha": "(data)", "phi": "(data)"}
        new["values"]["alpha_of of a.csv"] = new["values"].pop("alpha of a.csv")

    printed = compared(change)
    assert "Names and signatures: 2 before, 1 gone, 1 new, 1 changed\n  - pi\n  + phi" in printed
    assert "  ! alpha\n      -(data, distance='nominal')\n      +(data)\n" in printed
    assert "  - alpha of a.csv  (equals alpha_of of a.csv)\n" in printed


def test_changed_lines_are_shown():
    """Only these, with what they were."""
    old = RECORD["commands"]["report a.csv [text]"]
    new = {"report a.csv [text]": old.replace("a.csv", "b.csv")}
    printed = compared(lambda record: record["commands"].update(new))
    assert "  ! report a.csv [text]\n      -  files  a.csv\n      +  files  b.csv\n" in printed
    assert "exit code" not in printed


def test_every_public_function_is_recorded():
    """On one small table; nothing that is called has gone from the package."""
    data = af.Annotations.from_wide([["x", "y"], ["y", "y"]])
    named = {name.partition(" of ")[0] for name, _ in guard.studies({"a.csv": (data, None)})}
    public = dict(guard.functions())
    assert {name for name in public if name not in named} == guard.ELSEWHERE
    options = {*guard.NEEDED, *guard.SHAPED, *guard.OTHERS, *guard.DISTANCES}
    assert options <= set(public)


def test_numbers_are_recorded_exactly():
    """Results, matrices and what was said meanwhile; an error is a record, too."""
    result = guard.outcome(lambda: af.alpha([["x", "x"], ["y", "y"], ["x", "y"]]))
    assert result["values"]["value"] == [1 - (2 / 6) / (18 / 30)]
    assert result["text"].startswith("<alpha")
    failed = guard.outcome(lambda: af.alpha("x"))
    assert failed["values"] is None
    assert "Error: " in failed["text"]
