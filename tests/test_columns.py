"""Every function of judgments reads a table as its caller says, with the same keywords."""

import inspect
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from returned import name_spaces

import agreement_fast as af

#: Functions whose `data` are no judgments.
OTHER_DATA = {
    "study_sizes": "shares of categories or a model",
    "align": "a Continuum",
    "alpha_u": "a Continuum",
    "gamma": "a Continuum",
    "judgments": "units",
    "place_alpha": "Objects",
    "text_gamma": "a Continuum",
    "tree": "a taxonomy",
    "scores": "units",
    "u_alpha": "a Continuum",
    "units": "a Continuum or its alignment",
}
RATINGS = {
    "ann": [1, 2, 3, 3, 2, 1, 4, 1, 2, 4, 3, 1],
    "bob": [1, 2, 3, 3, 2, 2, 4, 1, 2, 4, 3, 1],
    "cat": [2, 3, 3, 3, 2, 3, 4, 2, 2, 4, 3, 1],
    "dan": [1, 2, 3, 4, 2, 1, 4, 1, 2, 3, 3, 2],
}
NAMES = {"item": "text", "coder": "who", "label": "tag"}
#: Beside the columns, others whose names are the usual ones and whose values are no judgments.
FRAME = pd.DataFrame(
    [
        {
            "text": f"t{i}",
            "who": coder,
            "tag": tag,
            "parity": i % 2,
            "item": 0,
            "coder": i,
            "label": "none",
        }
        for coder, tags in RATINGS.items()
        for i, tag in enumerate(tags)
    ]
)
DATA = af.Annotations.from_frame(FRAME, **NAMES, along="parity")
SETS = FRAME.assign(tag=[frozenset({tag, "x"}) for tag in FRAME["tag"]])
SET_DATA = af.Annotations.from_frame(SETS, **NAMES)
#: What functions need beside data.
MORE = {
    "agreement_by_group": {"by": "parity"},
    "alternative_annotator_test": {"model": "dan"},
    "category_merging": {"mapping": {"halves": {1: "low", 2: "low", 3: "high", 4: "high"}}},
    "differential_functioning": {"by": "parity"},
    "error_correlation": {"model": ["cat", "dan"]},
    "gold_scores": {"gold": "ann"},
    "leaf_agreement": {"tree": {1: "low", 2: "low", 3: "high", 4: "high"}},
    "missing_judgments": {"state": [2]},
    "model_agreement": {"model": "dan"},
    "prune": {"n_judgments": 2},
    "pruned_agreement": {"n_judgments": 2},
    "reference_errors": {"reliability": [0.5], "n_coders": [1, 3]},
    "simulate": {"reliability": 0.5},
    "weighted_kappa": {"distance": "interval"},
}
#: Functions that draw nothing by default.
WITHOUT_DRAWS = {"aggregate", "category_merging", "compare"}
#: Functions of labels that are sets.
OF_SETS = {"code_agreement", "mv_alpha"}
#: Functions of rows, each of which is a judgment that counts once.
OF_ROWS = {"drift", "intra_coder_agreement"}
#: Functions of two coders.
OF_TWO = {
    "aickin_alpha", "association", "bias", "category_test", "coefficient_test", "marginal_test",
    "polychoric",
}  # fmt: skip


def functions_of_data():
    """List the public functions whose first argument is data, by name."""
    return {
        f"{space.__name__}.{name}": function
        for space in name_spaces().values()
        for name in space.__all__
        if inspect.isroutine(function := getattr(space, name))
        and next(iter(inspect.signature(function).parameters), None) in ("data", "source")
        and name not in OTHER_DATA
    }


FUNCTIONS = functions_of_data()
NAMED = {name: f for name, f in FUNCTIONS.items() if name.rpartition(".")[2] not in OF_ROWS}
KEYWORDS = af.options.READING


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_of_data_takes_the_same_keywords(name):
    signature = inspect.signature(FUNCTIONS[name])
    assert "reading" in signature.parameters
    assert signature.parameters["reading"].annotation == "Unpack[ReadingOptions]"
    assert KEYWORDS.isdisjoint(signature.parameters)
    assert "**reading" in inspect.getdoc(FUNCTIONS[name])


def shown(result):
    """Return all that a result shows; of a picture, its texts."""
    if hasattr(result, "get_figure"):
        from matplotlib.text import Text

        return [text.get_text() for text in result.figure.findobj(Text)]
    if isinstance(result, af.Annotations):
        return result.items, result.coders, result.to_wide().tolist()
    # Only how the table was read differs.
    return re.sub(r"pinned=\(.*?\)\), coders", "coders", repr(result))


def case(name):
    """Return a function, what it needs beside data, and a table with its judgments."""
    function, short = FUNCTIONS[name], name.rpartition(".")[2]
    options = dict(MORE.get(short, {}))
    if "rng" in inspect.signature(function).parameters and short not in WITHOUT_DRAWS:
        options["rng"] = 1
    frame, data = (SETS, SET_DATA) if short in OF_SETS else (FRAME, DATA)
    if short in OF_TWO:
        frame, data = FRAME[FRAME["who"].isin(["ann", "bob"])], DATA.select(coders=["ann", "bob"])
    times = 2 if short == "compare" else 1
    return lambda data, **more: function(*[data] * times, **options, **more), frame, data


@pytest.mark.parametrize("name", NAMED)
def test_named_columns_are_those_that_are_read(name):
    function, frame, data = case(name)
    expected = shown(function(data))
    assert shown(function(frame, **NAMES)) == expected
    with pytest.raises(ValueError, match="column"):
        function(frame, **{**NAMES, "label": "tagg"})
    with pytest.raises(ValueError, match="item is for reading data, and these are Annotations"):
        function(data, item="text")
    for given, names in ((data, {}), (frame, NAMES)):
        with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
            function(given, **names, colour=1)


@pytest.mark.parametrize("name", NAMED)
def test_labels_are_read_as_said(name):
    function, frame, _ = case(name)
    short = name.rpartition(".")[2]
    # An item without judgments, a judgment that is repeated, and items that stand for two.
    many = frame.assign(times=[1 + int(text[1:]) % 2 for text in frame["text"]])
    odd = frozenset({"odd"}) if short in OF_SETS else 9
    many["tag"] = [
        odd if text == "t3" else tag for text, tag in zip(many["text"], many["tag"], strict=True)
    ]
    again = many[many["text"].eq("t5") & many["who"].eq("ann")].assign(tag=[many["tag"][1]])
    many = pd.concat([many, again])
    read = {"missing": odd, "weights": "times", "duplicates": "first"}
    if short not in OF_SETS:
        read["categories"] = [1, 2, 3, 4]
    data = af.Annotations.from_frame(many, **NAMES, **read, along="parity")
    assert shown(function(many, **NAMES, **read)) == shown(function(data))
    with pytest.raises(ValueError, match=r"twice|repeat"):
        function(many, **NAMES, **{**read, "duplicates": "error"})
    with pytest.raises(ValueError, match="missing is for reading data, and these are Annotations"):
        function(data, missing=odd)
    with pytest.raises(ValueError, match="weights='quadratic' is not a column"):
        function(many, **NAMES, **{**read, "weights": "quadratic"})


@pytest.mark.parametrize("name", sorted(OF_ROWS))
def test_a_row_is_a_judgment_that_counts_once(name):
    function = FUNCTIONS[f"agreement_fast.diagnostics.{name}"]
    rounds = pd.concat([FRAME.assign(turn=1), FRAME.assign(turn=2)])
    frame, more = (FRAME, {}) if name == "drift" else (rounds, {"round": "turn"})
    usual = frame.drop(columns=[*NAMES])[[]].assign(
        item=frame["text"], coder=frame["who"], label=frame["tag"], turn=frame.get("turn")
    )
    expected = function(usual, **more).to_frame("pandas").to_csv()
    assert function(frame, **NAMES, **more).to_frame("pandas").to_csv() == expected
    assert function(frame, **NAMES, **more, missing=4).to_frame("pandas").to_csv() != expected
    assert (
        function(frame, **NAMES, **more, categories=[1, 2, 3, 4]).to_frame("pandas").to_csv()
        == expected
    )
    for refused in ({"weights": "parity"}, {"duplicates": "first"}, {"layout": "wide"}):
        with pytest.raises(ValueError, match="is not for"):
            function(frame, **NAMES, **more, **refused)


LAYOUTS = {
    "wide": [[1, 1, 2], [2, 1, 2], [3, 9, 3], [1, 1, 1]],
    "long": [
        ("abc"[c], i, row[c]) for i, row in enumerate([[1, 2], [2, 9], [1, 1]]) for c in (0, 1)
    ],
}


@pytest.mark.parametrize(
    "table", [LAYOUTS["wide"], np.array(LAYOUTS["wide"])], ids=["list", "array"]
)
def test_tables_without_names(table):
    read = {"missing": 9, "categories": [1, 2, 3, 4], "weights": [1, 2, 3, 0]}
    expected = af.Annotations.from_wide(table, **read)
    assert af.s(table, **read) == af.s(expected) != af.s(table, missing=9)
    by = [1, 1, 2, 2]
    assert repr(af.agreement_by_group(table, by, **read)) == repr(
        af.agreement_by_group(expected, by)
    )
    with pytest.raises(ValueError, match="'quadratic' is not a column; the table has no names"):
        af.alpha(table, weights="quadratic")
    with pytest.raises(ValueError, match="duplicates='set' is for one judgment per row"):
        af.alpha(table, duplicates="set")


def test_the_labels_of_two_coders():
    first, second = [1, 2, 9, 3], [1, 1, 2, 3]
    table = list(zip(first, second, strict=True))
    read = {"missing": 9, "categories": [1, 2, 3, 4], "weights": [1, 2, 3, 4]}
    expected = af.s(af.Annotations.from_wide(table, **read))
    assert af.s(first, second, **read) == expected != af.s(first, second, missing=9)


def test_triples_and_counts():
    triples = [*LAYOUTS["long"], ("a", 0, 1)]
    read = {"missing": 9, "duplicates": "first"}
    assert af.alpha(triples, layout="long", **read) == af.alpha(
        af.Annotations.from_triples(triples, **read)
    )
    counts = pd.DataFrame({"yes": [2, 1, 0], "no": [0, 1, 2], "times": [3, 1, 1]})
    expected = af.Annotations.from_counts(
        counts[["yes", "no"]], categories=["yes", "no", "perhaps"][:2], weights=counts["times"]
    )
    read = {"layout": "counts", "categories": ["yes", "no"], "weights": "times"}
    assert af.alpha(counts, **read) == af.alpha(expected)
    assert af.alpha(expected) != af.alpha(counts[["yes", "no"]], layout="counts")
    for refused in ({"missing": "yes"}, {"duplicates": "first"}):
        with pytest.raises(ValueError, match="is not for layout='counts'"):
            af.alpha(counts, **read, **refused)
    with pytest.raises(ValueError, match="is not for layout='contingency'"):
        af.alpha([[1, 2], [3, 4]], layout="contingency", weights=[1, 2])


@pytest.mark.parametrize("layout", ["long", "wide"])
def test_lazy_frames(layout):
    frame = pl.from_pandas(
        FRAME[["text", "who", "tag"]].assign(times=[1 + int(t[1:]) % 2 for t in FRAME["text"]])
    )
    names = dict(NAMES)
    if layout == "wide":
        frame, names = frame.pivot("who", index=["text", "times"], values="tag"), {"item": "text"}
    read = {"missing": 4, "categories": [1, 2, 3, 5], "weights": "times"}
    assert af.s(frame.lazy(), **names, **read) == af.s(frame, **names, **read)
    assert af.s(frame, **names, **read) != af.s(frame, **names, weights="times")


@pytest.mark.parametrize("name", ["simulate", "reference_errors"])
def test_shares_and_models_have_no_columns(name):
    function = FUNCTIONS[f"agreement_fast.subsets.{name}"]
    drawn = af.subsets.noisy_coders({"x": 0.5, "y": 0.5}, 0.8)
    for source in ({"x": 0.5, "y": 0.5}, drawn):
        with pytest.raises(TypeError, match=r"column|can be named for"):
            function(source, item="text", **MORE[name])
