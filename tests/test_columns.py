"""Every function of judgments lets its caller name the columns of a table."""

import inspect
import re

import pandas as pd
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
        {"text": f"t{i}", "who": coder, "tag": tag, "item": 0, "coder": i, "label": "none"}
        for coder, tags in RATINGS.items()
        for i, tag in enumerate(tags)
    ]
)
DATA = af.Annotations.from_frame(FRAME, **NAMES)
SETS = FRAME.assign(tag=[frozenset({tag, "x"}) for tag in FRAME["tag"]])
SET_DATA = af.Annotations.from_frame(SETS, **NAMES)
#: What functions need beside data.
MORE = {
    "alternative_annotator_test": {"model": "dan"},
    "category_merging": {"mapping": {"halves": {1: "low", 2: "low", 3: "high", 4: "high"}}},
    "error_correlation": {"model": ["cat", "dan"]},
    "gold_scores": {"gold": "ann"},
    "leaf_agreement": {"tree": {1: "low", 2: "low", 3: "high", 4: "high"}},
    "model_agreement": {"model": "dan"},
    "prune": {"n_judgments": 2},
    "pruned_agreement": {"n_judgments": 2},
    "reference_errors": {"reliability": [0.5], "n_coders": [1, 3]},
    "simulate": {"reliability": 0.5},
    "weighted_kappa": {"distance": "interval"},
}
#: Functions that draw nothing by default.
WITHOUT_DRAWS = {"category_merging", "compare"}
#: Functions of labels that are sets.
OF_SETS = {"code_agreement", "mv_alpha"}
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
NAMED = {
    name: function
    for name, function in FUNCTIONS.items()
    if "reading" in inspect.signature(function).parameters
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_columns_can_be_named(name):
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    # Functions of rows, which read further columns, write the three out.
    assert "reading" in parameters or parameters.keys() >= NAMES.keys()
    assert "**reading" in inspect.getdoc(FUNCTIONS[name]) or "item, coder, label" in inspect.getdoc(
        FUNCTIONS[name]
    )


def shown(result):
    """Return all that a result shows; of a picture, its texts."""
    if hasattr(result, "get_figure"):
        from matplotlib.text import Text

        return [text.get_text() for text in result.figure.findobj(Text)]
    if isinstance(result, af.Annotations):
        return result.items, result.coders, result.to_wide().tolist()
    # Only how the table was read differs.
    return re.sub(r"pinned=\(.*?\)\), coders", "coders", repr(result))


@pytest.mark.parametrize("name", NAMED)
def test_named_columns_are_those_that_are_read(name):
    function = NAMED[name]
    options = dict(MORE.get(short := name.rpartition(".")[2], {}))
    if "rng" in inspect.signature(function).parameters and short not in WITHOUT_DRAWS:
        options["rng"] = 1
    frame, data = (SETS, SET_DATA) if short in OF_SETS else (FRAME, DATA)
    if short in OF_TWO:
        frame, data = FRAME[FRAME["who"].isin(["ann", "bob"])], DATA.select(coders=["ann", "bob"])
    others = (data,) if short == "compare" else ()
    expected = shown(function(data, *others, **options))
    frames = (frame,) if short == "compare" else ()
    assert shown(function(frame, *frames, **options, **NAMES)) == expected
    with pytest.raises(ValueError, match="column"):
        function(frame, *frames, **options, **{**NAMES, "label": "tagg"})
    with pytest.raises(ValueError, match="item is for reading data, and these are Annotations"):
        function(data, *others, **options, item="text")
    for given, more in ((data, others), (frame, frames)):
        with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
            function(given, *more, **options, **(NAMES if given is frame else {}), colour=1)


@pytest.mark.parametrize("name", ["simulate", "reference_errors"])
def test_shares_and_models_have_no_columns(name):
    function = FUNCTIONS[f"agreement_fast.subsets.{name}"]
    drawn = af.subsets.noisy_coders({"x": 0.5, "y": 0.5}, 0.8)
    for source in ({"x": 0.5, "y": 0.5}, drawn):
        with pytest.raises(TypeError, match=r"column|can be named for"):
            function(source, item="text", **MORE[name])
