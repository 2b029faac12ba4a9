"""Plausible wrong arguments raise errors that say what to write."""

import inspect
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from loops import nonempty
from returned import name_spaces

import agreement_fast as af
from agreement_fast import diagnostics, inference, plots
from agreement_fast.errors import InputTypeError

ROWS = [("x", "x", "y"), ("y", "y", "y"), ("x", "y", "x"), ("y", "y", "x")] * 5
DATA = af.Annotations.from_wide(ROWS, coders=["a", "b", "c"])
LONG = pd.DataFrame(
    {
        "item": [i for i in range(20) for _ in "abc"],
        "coder": list("abc") * 20,
        "label": [label for row in ROWS for label in row],
        "week": [1 + i // 10 for i in range(20) for _ in "abc"],
    }
)
SEVERAL = [["alpha"], ("alpha",), {"alpha": 1}, LONG, LONG["label"], object()]


@pytest.mark.parametrize("given", SEVERAL, ids=lambda given: type(given).__name__)
def test_a_coefficient_is_one_name(given):
    calls = [
        lambda: inference.standard_error(DATA, given),
        lambda: inference.coefficient_test(DATA, given),
        lambda: af.compare(DATA, DATA, given),
        lambda: af.diagnose(DATA, given),
        lambda: diagnostics.model_agreement(DATA, ["c"], given),
        lambda: af.agreement(DATA, given),
    ]
    for call in calls:
        with pytest.raises(af.errors.InputTypeError, match="coefficient must be a name") as caught:
            call()
        assert caught.value.argument == "coefficient"
        if isinstance(given, list | tuple):
            assert caught.value.remedy.startswith("pass one, as in coefficient='alpha', or several")


@pytest.mark.parametrize(
    "given", [["item"], LONG, LONG["item"], {}], ids=lambda g: type(g).__name__
)
@pytest.mark.parametrize("name", ["item", "coder", "label", "order"])
def test_a_column_is_named_by_one_name(name, given):
    for function in (diagnostics.drift, diagnostics.intra_coder_agreement):
        if name != "order" or function is diagnostics.drift:
            with pytest.raises(af.errors.InputTypeError, match="must be the name of a column"):
                function(LONG, **{name: given})


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: diagnostics.bias(DATA.select(coders=["a", "b"]), threshold="x"), "threshold"),
        (lambda: diagnostics.disagreements(DATA, between=5), "between"),
        (lambda: diagnostics.disagreements(DATA, between_labels=True), "between_labels"),
        (lambda: diagnostics.disagreements(DATA, include_agreed=LONG), "include_agreed"),
        (lambda: diagnostics.gold_scores(DATA, "a", coefficient=None), "coefficient"),
        (lambda: diagnostics.gold_scores(DATA, "a", majority=LONG), "majority"),
        (lambda: diagnostics.coder_report(DATA, incomplete=LONG), "incomplete"),
        (lambda: af.bootstrap(DATA, cluster=LONG), "cluster"),
        (lambda: inference.benchmark(0.5, LONG), "scale"),
    ],
)
def test_other_arguments_name_themselves(call, argument):
    with pytest.raises(af.errors.AgreementError) as caught:
        call()
    assert caught.value.argument == argument


def test_plots_name_what_they_take():
    pytest.importorskip("matplotlib")
    trend = diagnostics.drift(LONG, "week")
    for given in ([trend], [0.5], ["alpha"], ["alpha", None]):
        with pytest.raises(af.errors.InputTypeError, match="is not one coefficient") as caught:
            plots.forest(given)
        assert "af.agreement_by_group()" in caught.value.remedy
    plots.forest(af.agreement_by_group(LONG, "week"))
    for given in (DATA, LONG, ROWS):
        with pytest.raises(af.errors.InputTypeError, match="must be the values of pairs") as caught:
            plots.coder_pairs(given)
        assert "diagnostics.pairwise_agreement(data)" in caught.value.remedy
    plots.coder_pairs(diagnostics.pairwise_agreement(DATA))


# ---------------------------------------------------------------------- groups of a library

DOORS = {
    "alpha": af.alpha,
    "agreement_table": af.agreement_table,
    "from_wide": af.Annotations.from_wide,
    "from_frame": af.Annotations.from_frame,
    "from_counts": af.Annotations.from_counts,
    "from_contingency": af.Annotations.from_contingency,
    "bootstrap": af.bootstrap,
    "standard_error": inference.standard_error,
    "agreement_by_group": lambda data: af.agreement_by_group(data, "week"),
    "trend": lambda data: diagnostics.drift(data, "week"),
    "drift": diagnostics.drift,
    "intra_coder_agreement": diagnostics.intra_coder_agreement,
    "diagnose": af.diagnose,
    "disagreements": diagnostics.disagreements,
    "gold_scores": diagnostics.gold_scores,
    "aggregate": af.aggregate,
    "compare": lambda data: diagnostics.model_agreement(data, ["c"]),
    "report": af.report,
    "gold": lambda data: diagnostics.gold_scores(DATA, data),
    "by": lambda data: af.agreement_by_group(LONG, data),
}
GROUPED = {
    "pandas": lambda: LONG.groupby("week"),
    "pandas Series": lambda: LONG.groupby("week")["label"],
    "polars": lambda: pl.from_pandas(LONG).group_by("week"),
    "lazy polars": lambda: pl.from_pandas(LONG).lazy().group_by("week"),
    "pyarrow": lambda: pl.from_pandas(LONG).to_arrow().group_by("week"),
}


@pytest.mark.parametrize("library", GROUPED)
@pytest.mark.parametrize("door", DOORS)
def test_grouped_frames_name_agreement_by_group(door, library):
    with pytest.raises(af.errors.InputTypeError, match="the data are groups of ") as caught:
        DOORS[door](GROUPED[library]())
    assert "af.agreement_by_group(data, by=" in caught.value.remedy


def test_the_remedy_for_groups_runs():
    with pytest.raises(af.errors.InputTypeError) as caught:
        af.alpha(LONG.groupby("week"))
    remedy = caught.value.remedy.removeprefix("for a value of each group call ")
    assert remedy == "af.agreement_by_group(data, by='week')"
    result = eval(remedy, {"af": af, "data": LONG})
    assert [one.group for one in result] == [(1,), (2,)]


#: What people try, and what a function that takes none of ours may name as well.
TRIED = {
    "seed": "rng=", "random_state": "rng=", "truth": "gold=", "reference": "gold=",
    "level_of_measurement": "distance=", "metric": "distance=", "level": "distance=",
    "weights": "distance=", "n_boot": "n_resamples=", "n_bootstrap": "n_resamples=",
    "B": "n_resamples=", "nboot": "n_resamples=", "ci": "confidence_level=",
    "alpha": "confidence_level=", "conf": "confidence_level=", "n_jobs": "threads=",
    "coefficients": "coefficient=", "distances": "distance=",
}  # fmt: skip


def public_functions():
    for space in name_spaces().values():
        for name in space.__all__:
            if inspect.isfunction(getattr(space, name)):
                yield getattr(space, name)


@pytest.mark.parametrize(
    "function", list(public_functions()), ids=lambda f: f"{f.__module__}:{f.__name__}"
)
def test_what_people_try_is_answered_with_our_name(function):
    taken = inspect.signature(function).parameters
    first = ["table.csv"] if function is af.read else []  # which checks keywords itself
    read = {"weights"} if first or "reading" in taken else set()
    for keyword in TRIED.keys() - taken.keys() - read:
        with pytest.raises(InputTypeError, match="got an unexpected") as refused:
            function(*first, **{keyword: "quadratic"})
        assert TRIED[keyword] in refused.value.remedy or (
            keyword == "level" and "confidence_level=" in refused.value.remedy
        )
        assert refused.value.argument == keyword
        if (ours := TRIED[keyword].removesuffix("=")) in taken and keyword != "weights":
            assert refused.value.remedy.startswith(f"write {ours}=")
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    "function", list(public_functions()), ids=lambda f: f"{f.__module__}:{f.__name__}"
)
def test_an_absent_argument_is_named(function):
    parameters = inspect.signature(function).parameters.values()
    needed = [entry.name for entry in parameters if entry.default is entry.empty]
    if function is af.read or function is af.citation:  # a path's error is its own; has none
        return
    needed = [name for name in needed if name not in ("reading", "keywords", "kwargs")]
    for n_given in nonempty(range(len(needed))):
        with pytest.raises(InputTypeError, match=r"^\w+\(\) needs ") as refused:
            function(*[[[1, 1], [2, 2]]] * n_given)
        assert refused.value.argument == needed[n_given]
        assert f"({', '.join(needed)})" in refused.value.remedy


def test_an_absent_argument_is_described():
    with pytest.raises(InputTypeError, match="state is mapping of label to policy"):
        diagnostics.missing_judgments(DATA)


def test_column_vectors_are_labels_of_two_coders():
    first, second = (np.array([row[place] for row in ROWS]) for place in (0, 1))
    expected = af.kappa(first, second)
    assert af.kappa(first[:, None], second[:, None]) == expected
    assert af.kappa(first[:, None], second) == af.kappa([*first], second[:, None]) == expected
    lists = {item: ["x", "y"] for item in range(4)}
    with pytest.raises(InputTypeError, match="of a coder are item: label, where a set of codes"):
        af.kappa(lists, lists)
    sets = {item: {*codes} for item, codes in enumerate(["xy", "x", "y", "y"])}
    assert af.kappa(sets, sets) == 1


def test_a_level_is_a_distance_or_a_confidence():
    for value, ours in (("ordinal", "distance"), (0.9, "confidence_level")):
        with pytest.raises(InputTypeError, match=f"write {ours}="):
            af.bootstrap([[1, 1]], level=value)
    with pytest.raises(InputTypeError, match="write confidence_level="):
        af.observed_agreement([[1, 1]], level="ordinal")
