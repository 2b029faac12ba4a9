"""Tables that are not items × coders: they are read as what they are, or refused."""

import math
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from fits import dawid_skene

import agreement_fast as af
from agreement_fast import diagnose
from agreement_fast.inference import standard_error
from agreement_fast.reading.looks import table_of_columns

A = af.Annotations
RNG = np.random.default_rng(5)
N, C = 40, 5
TRUE = RNG.choice(["x", "y", "z"], N)
WIDE = pd.DataFrame(
    {f"c{j}": np.where(RNG.random(N) < 0.7, TRUE, RNG.choice(["x", "y", "z"], N)) for j in range(C)}
)
WIDE.index = pd.Index([f"i{i:02}" for i in range(N)], name="item")
LONG = WIDE.reset_index().melt("item", var_name="coder", value_name="label")
RIGHT = af.alpha(WIDE)
LIKERT = pd.DataFrame(RNG.integers(1, 6, (N, 3)), columns=["ann", "bob", "cid"])


LIBRARIES: dict[str, Any] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pl.from_pandas(frame).to_arrow(),
}


def _renamed(*names: str) -> pd.DataFrame:
    return LONG.set_axis(list(names), axis=1)


# ------------------------------------------------------------------ one judgment per row


@pytest.mark.parametrize(
    "names",
    [
        ("item", "coder", "label"),
        ("Task_ID", "worker", "answer"),
        ("text", "Annotator", "rating"),
        ("id", "user", "score"),
    ],
)
@pytest.mark.parametrize("make", LIBRARIES.values(), ids=list(LIBRARIES))
def test_a_frame_of_judgments_is_known_by_its_names(names: tuple[str, ...], make: Any) -> None:
    assert af.alpha(make(_renamed(*names))) == RIGHT


def test_other_columns_and_their_order_do_not_matter() -> None:
    frame = LONG.assign(when="2020", minutes=RNG.integers(0, 9, len(LONG)))
    assert af.alpha(frame[["when", "label", "minutes", "item", "coder"]]) == RIGHT
    assert af.alpha(LONG.sort_values("coder")) == RIGHT


def test_every_function_takes_a_frame_of_judgments() -> None:
    assert standard_error(LONG, "alpha") == RIGHT
    assert repr(diagnose(LONG)) == repr(
        diagnose(A.from_frame(LONG, item="item", coder="coder", label="label"))
    )
    assert len(dawid_skene(LONG).categories) == 3
    assert af.agreement_table(LONG, ["alpha"])[0] == RIGHT
    assert af.observed_agreement(LONG) == af.observed_agreement(WIDE)


def test_columns_may_be_named_in_the_call() -> None:
    frame = _renamed("doc", "who", "says")
    assert af.alpha(frame, item="doc", coder="who", label="says") == RIGHT
    assert af.alpha(frame, coder="who", label="says") == RIGHT
    assert af.agreement(frame, "alpha", item="doc", coder="who", label="says") == RIGHT
    assert af.alpha(frame.to_dict("records"), item="doc", coder="who", label="says") == RIGHT
    with pytest.raises(ValueError, match="label='said' is not a column; the columns are 'doc'"):
        af.alpha(frame, item="doc", coder="who", label="said")
    with pytest.raises(TypeError, match="can be named for a data frame or a list of dicts"):
        af.alpha([[1, 1], [1, 2]], item="doc")
    with pytest.raises(ValueError, match="item is for reading data, and these are Annotations"):
        af.alpha(A.from_wide([[1, 1], [1, 2]]), item="doc")
    with pytest.raises(ValueError, match=r"as in af.read\(PATH, missing=\[9\]\)"):
        af.alpha(A.from_wide([[1, 1], [1, 2]]), missing=[9])
    with pytest.raises(ValueError, match=r"as in af.read\(PATH, missing=...\)$"):  # not the values
        af.alpha(A.from_wide([[1, 1], [1, 2]]), missing=[*range(99)])
    nr = LIKERT.assign(Nr=np.arange(N))
    assert af.alpha(nr, item="Nr") == af.alpha(LIKERT)


def test_judgments_whose_columns_leave_a_doubt_are_refused() -> None:
    expected = r"from_frame\(frame, item='item', coder='coder', label='says'\)"
    with pytest.raises(ValueError, match=expected):
        af.alpha(_renamed("item", "coder", "says"))
    with pytest.raises(ValueError, match=r"item='passage', coder='rater', label='label'"):
        af.alpha(_renamed("passage", "rater", "label"))
    once = pd.DataFrame({"id": list("pqrs"), "model": list("xyxy"), "rating": list("xyyy")})
    with pytest.raises(
        ValueError, match=r"no item was judged twice: .*coders=\['model', 'rating'\]"
    ):
        af.alpha(once)
    both = LONG.assign(annotation=LONG.label, rating="x").drop(columns="label")
    with pytest.raises(ValueError, match=r"item='item', coder='coder', label=\.\.\."):
        af.alpha(both)


def _numbers(frame: pd.DataFrame) -> Any:
    return frame.apply(lambda column: column.factorize()[0]).to_numpy()


FORMS: dict[str, Any] = LIBRARIES | {
    "objects": lambda frame: frame.to_numpy(),
    "rows": lambda frame: frame.to_numpy().tolist(),
    "numbers": _numbers,
    "rows of numbers": lambda frame: _numbers(frame).tolist(),
}


@pytest.mark.parametrize("make", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("order", [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
def test_judgments_without_usual_names_are_refused(make: Any, order: list[int]) -> None:
    frame = make(_renamed("p", "q", "r").iloc[:, order])
    with pytest.raises(ValueError, match="look like one judgment each"):
        af.alpha(frame)


def test_a_few_repeated_judgments_do_not_hide_that_rows_are_judgments() -> None:
    frame = _renamed("p", "q", "r")
    twice = pd.concat([frame, frame.iloc[:2]]).sample(frac=1, random_state=1, ignore_index=True)
    with pytest.raises(ValueError, match=r"item='p', coder='q', label='r'"):
        af.alpha(twice)


def test_triples_are_named_with_what_reads_them() -> None:
    triples = [(f"c{c}", f"{i}", f"v{(c * i) % 2}") for c in (1, 2) for i in (1, 2, 3)]
    with pytest.raises(ValueError, match=r"write af\.Annotations\.from_triples\(triples\)"):
        af.alpha(triples)
    swapped = [(item, coder, label) for coder, item, label in triples]
    with pytest.raises(ValueError, match=r"write items, coders, labels = zip\(\*rows\)"):
        af.alpha(swapped)
    assert A.from_wide(triples, coders=[0, 1, 2]).n_items == 6


def test_from_wide_refuses_judgments_and_says_what_reads_them() -> None:
    with pytest.raises(ValueError, match=r"from_frame\(frame, item='item', coder='coder', label"):
        A.from_wide(LONG)
    assert A.from_wide(LONG, coders=list(LONG.columns)).n_coders == 3


def test_an_index_of_items_and_coders_is_read() -> None:
    indexed = LONG.set_index(["item", "coder"])
    assert af.alpha(indexed) == RIGHT
    assert af.alpha(indexed["label"]) == RIGHT
    assert af.alpha(LONG.set_index(["coder", "item"])) == RIGHT
    assert af.alpha(LONG.set_index("item")) == RIGHT
    indexed.index.names = [None, None]
    with pytest.raises(ValueError, match=r"index of 2 levels.*get_level_values\(0\)"):
        af.alpha(indexed)


def test_a_list_of_dicts_is_judgments_or_items() -> None:
    assert af.alpha(LONG.to_dict("records")) == RIGHT
    rows = WIDE.reset_index(drop=True).to_dict("records")
    assert af.alpha(rows) == RIGHT
    data = A.from_wide([{"ann": 1, "bob": 1}, {"bob": 2, "cid": 2}, {"ann": 3}])
    assert data.coders == ("ann", "bob", "cid")
    assert data.to_wide().tolist() == [[1, 1, None], [None, 2, 2], [3, None, None]]
    with pytest.raises(TypeError, match="row 1 of the table is 5, but row 0 is a mapping"):
        af.alpha([{"ann": 1}, 5])


def test_repeated_judgments_of_a_frame_name_what_takes_them() -> None:
    twice = pd.concat([LONG, LONG.iloc[:1]], ignore_index=True)
    with pytest.raises(ValueError, match="1 judgment repeats") as caught:
        af.alpha(twice)
    assert "item='item', coder='coder', label='label'" in caught.value.__notes__[0]
    (first,) = LONG.loc[:0, "label"]
    assert af.alpha(twice, duplicates="first") == af.alpha(LONG)
    assert first == twice["label"].iloc[-1]


# ------------------------------------------------------------------ columns that are not coders


@pytest.mark.parametrize("name", ["item", "id", "Document", "task_id", "question"])
def test_a_column_of_items_names_them(name: str) -> None:
    for frame in (LIKERT.assign(**{name: np.arange(1, N + 1)}), WIDE.reset_index(names=name)):
        data = A.from_wide(frame)
        assert data.n_coders == len(frame.columns) - 1
        assert list(data.items) == frame[name].tolist()
    assert af.alpha(WIDE.reset_index(names=name)) == RIGHT
    assert af.alpha(pl.from_pandas(WIDE.reset_index(names=name))) == RIGHT
    assert af.alpha(WIDE.reset_index(names=name).to_dict("records")) == RIGHT


def test_a_column_may_be_named_that_holds_the_items() -> None:
    frame = WIDE.reset_index(names="Nr")
    assert list(A.from_wide(frame, items="Nr").items) == list(WIDE.index)
    assert A.from_wide(frame, items="Nr").n_coders == C
    with pytest.raises(ValueError, match="items='nr' is not a column; the columns are 'Nr'"):
        A.from_wide(frame, items="nr")
    with pytest.raises(ValueError, match=r"items names '[xyz]' twice"):
        A.from_wide(WIDE, items="c0")


ITEMS = {
    "number": LIKERT.assign(Nr=np.arange(1, N + 1)),
    "far numbers": LIKERT.assign(patient_nr=RNG.permutation(N) * 7 + 1000),
    "text key": WIDE.reset_index(names="essay"),
    "few rows": pd.DataFrame(
        {"essay": [1, 2, 3], "t_a": ["ok", "ok", "no"], "t_b": ["ok", "no", "no"]}
    ),
    "counting": LIKERT.clip(2, 4).iloc[:7].assign(x=np.arange(1, 8)),
    "beside coders with usual names": LIKERT.set_axis(["expert", "rater", "judge"], axis=1).assign(
        x=[f"p{7 * i % N}k" for i in range(N)]
    ),
}


@pytest.mark.parametrize("case", ITEMS)
def test_a_column_that_names_the_items_is_taken(case: str) -> None:
    frame = ITEMS[case]
    item = next(name for name in frame if name in ("Nr", "patient_nr", "essay", "x"))
    rest = frame.drop(columns=item)
    assert af.alpha(frame) == af.alpha(rest)
    data = A.from_wide(pl.from_pandas(frame))
    assert (list(data.items), data.coders) == (frame[item].tolist(), tuple(rest.columns))


NO_CODERS = {
    "comments": (
        WIDE.assign(comments=[f"remark {i}" if i % 2 else None for i in range(N)]),
        "comment",
    ),
    "numbers among texts": (WIDE.assign(agree=RNG.integers(0, 2, N)), "total"),
    "text beside a key": (
        WIDE.reset_index(names="segment").assign(text=[f"a text {i}" for i in range(N)]),
        "the item",
    ),
    "groups": (WIDE.assign(genre=np.where(np.arange(N) % 2, "news", "blog")), "a group of items"),
    "shares nothing": (WIDE.assign(who=np.where(np.arange(N) % 2, "A", "B")), "something else"),
    "gold": (LIKERT.assign(gold=LIKERT.ann), "a gold label"),
    "majority": (LIKERT.assign(majority=LIKERT.ann), "a total"),
    "count": (LIKERT.assign(count=LIKERT.ann), "how often an item occurred"),
    "age": (LIKERT.assign(age=LIKERT.ann), "an attribute of the item"),
    "mean": (LIKERT.assign(x=LIKERT.mean(axis=1)), "it is the mean of the other numbers"),
    "sum": (LIKERT.assign(x=LIKERT.sum(axis=1)), "it is the sum|frequencies"),
    "difference": (
        LIKERT[["ann", "bob"]].assign(x=(LIKERT.ann - LIKERT.bob).abs()),
        "it is the difference of the other numbers",
    ),
    "Answer key": (LIKERT.assign(**{"Answer key": LIKERT.ann}), "a gold label"),
}


@pytest.mark.parametrize("case", NO_CODERS)
def test_a_column_that_is_not_a_coder_is_refused(case: str) -> None:
    frame, what = NO_CODERS[case]
    coders = [name for name in frame if name in (*WIDE, *LIKERT)]
    question = rf"cannot tell which columns are coders: .*{what}.*coders="
    with pytest.raises(ValueError, match=question) as caught:
        af.alpha(frame)
    remedy = str(caught.value).rpartition("write ")[2]
    data = eval(remedy, {"af": af, "table": frame})
    assert data.coders == tuple(coders)
    assert af.alpha(frame, coder=coders) == af.alpha(frame[coders])
    with pytest.raises(ValueError, match=question):
        diagnose(frame)
    with pytest.raises(ValueError, match=question):
        A.from_wide(pl.from_pandas(frame))
    assert A.from_wide(frame, coders=list(frame.columns)).n_coders == len(frame.columns)


def test_of_two_columns_none_is_refused_for_its_name() -> None:
    for name in ("gold", "majority", "age"):
        frame = LIKERT.assign(**{name: LIKERT.bob})[["ann", name]]
        assert af.kappa(frame) == af.kappa(LIKERT.ann, LIKERT.bob)


def test_columns_of_coders_are_taken_for_such() -> None:
    scores = RNG.random((N, 3))
    ranks = np.argsort(RNG.random((3, N)), axis=1).T
    for frame in (
        LIKERT,
        LIKERT.astype(str),
        pd.DataFrame(scores, columns=list("abc")),
        pd.DataFrame(ranks, columns=list("abc")),
        pd.DataFrame({"target": [1, 2, 1, 3], "prediction": [1, 2, 2, 3]}),
        pd.DataFrame({"model": list("xyxyxx"), "expert": list("xyxyyx")}),
        pd.DataFrame({"answer": [1, 2, 3, 4, 5], "user": [1, 2, 3, 5, 5]}),
    ):
        assert A.from_wide(frame).n_coders == len(frame.columns)


RNG_OF_ODD = np.random.default_rng(3)
TRUE = RNG_OF_ODD.integers(1, 4, 24)


def of_three(n: int) -> dict[str, Any]:
    """Labels of coders who agree more often than not."""
    guess = RNG_OF_ODD.integers(1, 4, (n, 24))
    return {
        f"rater{i + 1}": np.where(RNG_OF_ODD.random(24) < 0.7, TRUE, guess[i]) for i in range(n)
    }


def named(*names: str) -> pd.DataFrame:
    return pd.DataFrame(dict(zip(names, of_three(len(names)).values(), strict=True)))


CODES = (RNG_OF_ODD.random((60, 4)) < [0.05, 0.3, 0.6, 0.1]).astype(int)
ODD = {
    "a few rows of one sum": ([[2, 1], [0, 3], [2, 1]], "rows adds to 3, as counts"),
    "a few named rows of one sum": (
        pd.DataFrame([[2, 1, 0], [0, 3, 0], [1, 1, 1]], columns=[*"abc"], index=[*"xyz"]),
        "rows adds to 3, as counts",
    ),
    "no number": (named("rater1", "rater2", "severity"), "'severity'.* has no number"),
    "the same person": (named("ann", "ben", "ann_retest"), "begins with the name of column 'ann'"),
    "another variable": (named("tone_ann", "tone_ben", "stance_ann"), "'stance_ann'.* combines"),
    "a rank": (
        pd.DataFrame({"ann": range(1, 9), "ben": [1, 2, 2, *range(4, 9)], "cyn": [1, 1, 3, 4] * 2}),
        "'ann' counts the rows, .* others rise with it",
    ),
    "codes": (
        pd.DataFrame(CODES, columns=[*"abcd"]),
        "agree by chance only, and the share of 1 differs",
    ),
    "codes in records": (
        pd.DataFrame(CODES, columns=[*"abcd"]).to_dict("records"),
        "agree by chance only, and the share of 1 differs",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_what_may_be_no_coder_is_warned_about(case: str) -> None:
    table, text = ODD[case]
    with pytest.warns(af.Hint, match=text):
        af.alpha(table)


def test_what_resembles_them_is_not() -> None:
    coders = of_three(3)
    for names in (
        ("rater1", "rater2", "expert"),
        ("coder 1", "coder 2", "gpt-4"),
        ("Ann", "Anna", "Ann 2"),
    ):
        af.alpha(pd.DataFrame(dict(zip(names, coders.values(), strict=True))))
    sayings = (RNG_OF_ODD.random((60, 1)) < 0.5) ^ (
        RNG_OF_ODD.random((60, 4)) < [0.05, 0.3, 0.3, 0.1]
    )
    af.alpha(pd.DataFrame(sayings.astype(int), columns=[*"abcd"]))
    lists = [["a", "b"], ["a"], ["b", "c"]] * 3
    af.alpha(pd.DataFrame({"ann": lists, "ben": lists[1:] + lists[:1]}))


def test_numbers_of_documents_are_no_coder() -> None:
    frame = pd.DataFrame({"doc": np.repeat([1, 2, 3, 4, 5], [5, 5, 5, 5, 4]), **of_three(2)})
    with pytest.raises(ValueError, match="'doc' looks like a group of items"):
        af.alpha(frame.rename(columns={"rater1": "ann", "rater2": "ben"}))


def test_a_frame_whose_columns_are_called_labels_holds_counts() -> None:
    item, label = np.repeat(range(5), 3), list("aabbbbaaaaaabbb")
    frame = pd.crosstab(pd.Series(item, name="item"), pd.Series(label, name="label"))
    with pytest.raises(ValueError, match=r"called 'label', as the labels are .*layout='counts'"):
        af.alpha(frame)
    expected = af.alpha(af.Annotations.from_counts(frame))
    assert af.alpha(frame, layout="counts") == expected
    assert af.alpha(frame, layout="wide").value != expected.value


@pytest.mark.parametrize("name", ["exclude", "skip", "draft", "consent", "finished", "is_test"])
def test_judgments_that_do_not_count_are_asked_about(name: str) -> None:
    item, coder = np.divmod(np.arange(72), 3)
    frame = pd.DataFrame(
        {"item": item, "coder": np.array([*"abc"])[coder], "label": TRUE[item] // 2}
    )
    out = 0 if name in ("consent", "finished") else 1
    frame[name] = np.where(np.arange(72) % 7 == 0, out, 1 - out)
    with pytest.raises(ValueError, match=f"column '{name}', and may not count"):
        af.alpha(frame)


def test_questions_of_a_form_are_no_coders() -> None:
    frame = named(*(f"How toxic is this comment? [{i}]" for i in range(3))).head(5)
    with pytest.raises(ValueError, match="have names of items"):
        af.alpha(frame)


# ------------------------------------------------------------------ counts


COUNTS = np.array([np.bincount(RNG.integers(0, 3, 6), minlength=3) for _ in range(20)])


VARYING = np.array(
    [RNG.multinomial(RNG.integers(3, 9), RNG.dirichlet([0.3] * 4)) for _ in range(30)]
)


@pytest.mark.parametrize("table", [COUNTS, VARYING], ids=["equal sums", "varying sums"])
@pytest.mark.parametrize(
    "make", [np.array, np.ndarray.tolist, lambda x: x.astype(float), lambda x: pd.DataFrame(x),
             lambda x: pd.DataFrame(x, columns=list("wxyz")[: x.shape[1]])],
    ids=["array", "list", "floats", "frame", "names"],
)  # fmt: skip
def test_counts_are_refused(table: Any, make: Any) -> None:
    counts = make(table)
    with pytest.raises(ValueError, match=r"counts of categories: .*layout='counts' or layout='w"):
        af.pi(counts)
    assert af.pi(counts, layout="counts") == af.pi(A.from_counts(table))
    assert af.pi(counts, layout="wide") == af.pi(A.from_wide(table))
    assert A.from_wide(counts, coders=range(table.shape[1])).n_items == len(table)


def test_counts_vary_against_each_other_more_than_one_table_of_guesses_in_a_thousand() -> None:
    """Guesses vary as much with a chance of .0011 in the first table, and .00096 in the second."""
    columns = [[1, 1, 2, 0, 0, 4, 1, 0], [3, 2, 2, 4, 3, 1, 2, 2], [1, 1, 1, 0, 1, 0, 2, 2]]
    assert not math.isnan(af.alpha(np.array(columns).T))
    columns = [[1, 2, 3, 0, 2, 2, 1, 0], [3, 2, 0, 2, 1, 1, 1, 2], [0, 1, 1, 2, 1, 2, 2, 2]]
    with pytest.raises(ValueError, match="its columns vary against each other"):
        af.alpha(np.array(columns).T)


def test_a_row_of_counts_below_labels_without_names_is_refused() -> None:
    labels = [["y", "n"], ["n", "n"], ["y", "y"], ["n", "n"], ["y", "y"], ["n", "y"]]
    with pytest.raises(ValueError, match=r"row 6 .* has numbers below columns of words"):
        af.alpha([*labels, [3, 3]])


def test_a_row_that_lacks_a_judgment_does_not_hide_counts() -> None:
    counts = np.vstack([COUNTS, COUNTS, [[2, 2, 1]]])
    with pytest.raises(ValueError, match="its rows add to 6"):
        af.alpha(counts)


@pytest.mark.parametrize("table", [[[45, 15], [25, 15]], [[20, 5, 1], [3, 15, 2], [0, 1, 9]]])
def test_a_square_table_is_refused(table: list[list[int]]) -> None:
    settled = r"a square table of .*pass layout='wide' or layout='contingency'"
    for given in (table, np.array(table), pd.DataFrame(table)):
        with pytest.raises(ValueError, match=settled):
            af.kappa(given)
        assert af.kappa(given, layout="contingency") == af.kappa(A.from_contingency(table))
        assert af.kappa(given, layout="wide") == af.kappa(A.from_wide(table))
    assert A.from_wide(table, coders=range(len(table))).n_items == len(table)
    names = [f"coder {i}" for i in range(len(table))]
    assert af.kappa(pd.DataFrame(table, columns=names)).n_items == len(table)
    assert af.kappa(np.array(table) - 0.5) == af.kappa(A.from_wide(table))


@pytest.mark.parametrize("labels", [(0, 1), (1, 2)])
def test_a_square_table_of_two_usual_labels_holds_labels(labels: tuple[int, int]) -> None:
    table = [[labels[0], labels[0]], [labels[1], labels[0]]]
    assert af.kappa(table) == af.kappa(A.from_wide(table))


@pytest.mark.parametrize(
    "make",
    [np.array, list, lambda x: np.array(x, object), lambda x: np.array(x, float)],
    ids=["whole", "list", "objects", "floats"],
)
def test_a_column_without_a_name_that_counts_the_rows(make: Any) -> None:
    """Too few rows show nothing; naming the coders settles it."""
    random = np.random.default_rng(0)
    rows = [[7 + i, *random.integers(0, 3, 3).tolist()] for i in range(30)]
    rest = A.from_wide([row[1:] for row in rows], items=range(7, 37))
    for count in (6, 10, 30):
        with pytest.raises(
            ValueError, match=r"0 looks like the item .*items=0, coders=\[1, 2, 3\]"
        ):
            af.alpha(make(rows[:count]))
    last = [[*row[1:], row[0]] for row in rows]
    with pytest.raises(ValueError, match=r"items=3, coders=\[0, 1, 2\]"):
        af.alpha(make(last))
    data = A.from_wide(make(rows), items=0, coders=[1, 2, 3])
    assert (af.alpha(data), list(data.items)) == (af.alpha(rest), list(range(7, 37)))
    assert A.from_wide(make(last), items=3, coders=[0, 1, 2]).coders == (0, 1, 2)
    assert A.from_wide(make(rows), coders=range(4)).n_coders == 4
    assert A.from_wide(make(rows), coders=[1, 3]).coders == (1, 3)
    assert A.from_wide(make(rows), items=0).coders == (1, 2, 3)
    assert A.from_wide(make([[i, i] for i in range(30)])).n_coders == 2  # two coders who count


def test_sets_of_its_own_are_labels() -> None:
    rows = [[frozenset(), frozenset({i}), frozenset()] for i in range(6)]
    af.alpha(rows)


def test_a_column_of_names_in_a_list() -> None:
    rows = [[f"i{i}", "yes", "yes" if i % 3 else "no"] for i in range(12)]
    with pytest.raises(ValueError, match="0 looks like the item"):
        af.alpha(rows)


@pytest.mark.parametrize("named", [True, False])
def test_frequencies_are_pointed_out(named: bool) -> None:
    often = [34, 2, 6, 1, 4, 5, 6, 1, 10, 16]
    table = np.array([[1 + i % 2, 1 + i % 3, n] for i, n in enumerate(often)])
    data = pd.DataFrame(table, columns=["A", "B", "slides"]) if named else table
    column, rest = ("'slides'", "'A', 'B'") if named else ("2", "0, 1")
    with pytest.raises(
        ValueError, match=rf"{column} looks like how often .*weights={column}, coders=\[{rest}\]"
    ):
        af.alpha(data)
    table[:, 2] = [1, 2, 3, 22, 1, 2, 3, 1, 2, 3]  # one odd rating
    af.alpha(table)
    table[:, 2] = often
    table[:, 0] *= 10  # a fine scale
    af.alpha(table)


def test_a_crosstab_is_refused() -> None:
    table = pd.crosstab(WIDE.c0, WIDE.c1)
    with pytest.raises(ValueError, match=r"have the names of its columns.*layout='contingency'"):
        af.kappa(table)
    assert af.kappa(table, layout="contingency") == af.kappa(WIDE[["c0", "c1"]])
    assert af.kappa(A.from_contingency(table)) == af.kappa(WIDE[["c0", "c1"]])


@pytest.mark.parametrize(
    "table",
    [
        [[1, 1], [1, 1]],
        [[1, 2], [2, 1], [1, 2]],
        [[0, 1], [1, 0]] * 20,
        [[2, 2, 2]] * 50 + [[1, 2, 3], [3, 3, 2]],
        [[1, 1], [2, 2]],
        [[5, 4], [4, 5]],
        np.random.default_rng(1).integers(1, 6, (5, 5)),
        np.full((5, 5), 3),
        np.tile([1, 2, 3, 4, 5], (5, 1)).T,
        np.eye(3, dtype=int),
    ],
)
def test_legitimate_labels_give_no_warning(table: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", af.ShapeHint)
        A.from_wide(table)


@pytest.mark.few("0.0", "20-3-5")
@pytest.mark.parametrize(
    ("rows", "coders", "labels"),
    [(100, 3, 5), (20, 3, 5), (10, 3, 2), (12, 3, 7), (20, 2, 7), (5, 5, 5), (20, 3, 101)],
)
@pytest.mark.parametrize("reliability", [0.0, 0.5, 0.9])
def test_random_scales_are_rarely_mistaken(
    rows: int, coders: int, labels: int, reliability: float
) -> None:
    random = np.random.default_rng(0)
    wrong = 0
    for _ in range(100):
        true = random.integers(1, labels + 1, (rows, 1))
        own = random.integers(1, labels + 1, (rows, coders))
        table = np.where(random.random((rows, coders)) < reliability, true, own)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", af.ShapeHint)
            A.from_wide(pd.DataFrame(table, columns=[f"c{i}" for i in range(coders)]))
        wrong += len(caught)
    assert wrong <= 1


# ------------------------------------------------------------------ two coders, files, one sequence


@pytest.mark.parametrize(
    "make",
    [list, tuple, np.array, pd.Series, pl.Series, pd.Categorical],
    ids=["list", "tuple", "array", "pandas", "polars", "categorical"],
)
def test_two_coders_are_two_sequences(make: Any) -> None:
    first, second = WIDE.c0.tolist(), WIDE.c1.tolist()
    pair = WIDE[["c0", "c1"]].to_numpy()
    assert af.kappa(make(first), make(second)) == af.kappa(pair)
    assert af.alpha(make(first), second) == af.alpha(pair)
    assert af.agreement(make(first), make(second), "pi") == af.pi(pair)


def test_two_sequences_and_a_distance() -> None:
    first, second = LIKERT.ann.tolist(), LIKERT.bob.tolist()
    pair = np.column_stack([first, second])
    assert af.alpha(first, second, "interval") == af.alpha(pair, "interval")
    assert af.alpha(first, second, distance="interval") == af.alpha(pair, "interval")
    assert af.weighted_kappa(first, second, distance="linear") == af.beta(pair, "linear")
    matrix = 1 - np.eye(5)
    assert af.alpha(pair, matrix) == pytest.approx(af.alpha(pair))
    assert af.alpha([{"a"}, {"a", "b"}], [{"a"}, {"b"}], "jaccard").n_items == 2


def test_two_series_are_matched_by_their_index() -> None:
    first, second = WIDE.c0, WIDE.c1
    expected = af.kappa(WIDE[["c0", "c1"]])
    assert af.kappa(first, second.sample(frac=1, random_state=1)) == expected
    assert af.kappa(first, second.to_numpy()) == expected
    with pytest.raises(ValueError, match="different indexes"):
        af.kappa(first, second.reset_index(drop=True))
    with pytest.raises(ValueError, match="different indexes"):
        af.kappa(first, second.iloc[1:])


def test_other_values_are_refused_with_a_remedy() -> None:
    with pytest.raises(ValueError, match="first coder has 2 labels, but the second has 3"):
        af.kappa([1, 2], [1, 2, 3])
    with pytest.raises(TypeError, match=r"read a file first.*agreement-fast report FILE"):
        af.Annotations.from_wide("file.csv")
    with pytest.raises(TypeError, match=r"kappa\(first, second\)"):
        af.kappa([1, 2, 1])
    with pytest.raises(TypeError, match="not a row of labels"):
        af.kappa([{1, 2}, {2, 3}])
    rows = [{"Ann": 1, "Ben": 1}, {"Ann": 2, "Ben": 2}, {"Ann": 1, "Ben": 2}]
    with pytest.raises(TypeError, match=r"write list\(rows\) if each row maps names of columns"):
        af.alpha(iter(rows))
    assert af.alpha(list(iter(rows))) == af.alpha([[1, 1], [2, 2], [1, 2]])
    with pytest.raises(ValueError, match="'b' has 1 entries, but column 'a' has 2"):
        af.kappa({"a": [1, 2], "b": [1]})
    assert af.kappa({"a": [1, 2, 2], "b": [1, 2, 1]}) == af.kappa([1, 2, 2], [1, 2, 1])


# ------------------------------------------------------------------ other tools' names


@pytest.mark.parametrize(
    ("keyword", "ours"),
    [
        ("level", "write distance="),
        ("level_of_measurement", "write distance="),
        ("metric", "write distance="),
        ("value_counts", "Annotations.from_counts"),
        ("reliability_data", "transpose it"),
        ("ratings", "write label=|first argument"),
        ("repeats_of", "from_frame"),
        ("value_domain", "write categories="),
        ("sample_weight", "write weights="),
        ("by", "agreement_by_group"),
    ],
)
def test_keywords_of_other_tools_are_answered_with_ours(keyword: str, ours: str) -> None:
    call: Any = af.alpha
    with pytest.raises(
        TypeError, match=rf"alpha\(\) got an unexpected keyword argument '{keyword}': .*{ours}"
    ):
        call([[1, 1]], **{keyword: "x"})
    with pytest.raises(TypeError, match=ours):
        call(**{keyword: [[1, 1]]})


@pytest.mark.parametrize("data", [[[1, 1], [2, 1]], WIDE, af.Annotations.from_wide(WIDE)])
def test_weights_of_disagreements_are_distances(data: Any) -> None:
    with pytest.raises(ValueError, match=r"weights.*write distance=, such as 'quadratic'"):
        af.beta(data, weights="quadratic")


def test_an_unknown_keyword_is_named() -> None:
    call: Any = af.kappa
    with pytest.raises(
        TypeError, match=r"^kappa\(\) got an unexpected keyword argument 'foo': its keywords are "
    ):
        call([[1, 1]], foo=1)


@pytest.mark.parametrize(
    ("function", "weighted"),
    [
        ("kappa", "beta"),
        ("pi", "alpha_prime"),
        ("s", "brennan_prediger"),
        ("fleiss_kappa", "alpha_prime"),
    ],
)
def test_a_distance_for_a_nominal_coefficient_is_answered_with_the_weighted_one(function, weighted):
    rows = [(1, 2), (2, 2), (3, 3)]
    named = getattr(af, weighted)(rows, "linear")
    assert named.distance == "linear"
    for call in (
        lambda: getattr(af, function)(rows, "linear"),
        lambda: getattr(af, function)(rows, distance="linear"),
        lambda: getattr(af, function)([1, 2, 3], [2, 2, 3], "linear"),
    ):
        with pytest.raises(
            TypeError, match=rf"with a distance use af\.{weighted}\(data, 'linear'\)"
        ):
            call()


def test_an_argument_too_many_is_named():
    with pytest.raises(TypeError, match=r"^alpha\(\) got an unexpected argument 'bob'$"):
        af.alpha([(1, 2), (2, 2)], "nominal", "bob")
    with pytest.raises(TypeError, match=r"^alpha\(\) takes one distance, .*'linear'"):
        af.alpha([(1, 2), (2, 2)], "nominal", "linear")
    with pytest.raises(TypeError, match=r"^observed_agreement\(\) .* of type int$"):
        af.observed_agreement([(1, 2), (2, 2)], 3)


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("krippendorffs_alpha", r"af\.alpha\(data\)"),
        ("cohens_kappa", r"af\.kappa\(data\)"),
        ("kalpha", r"af\.alpha\(data\)"),
        ("standard_error", r"af\.inference\.standard_error"),
        ("dawid_skene", r"use af\.aggregate\(data, 'dawid_skene'\)\.model"),
    ],
)
def test_names_of_others_are_answered_with_ours(name: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}': .*{ours}"):
        getattr(af, name)
    assert not hasattr(af, "nothing_of_the_kind")


def test_coefficients_take_the_names_of_their_authors() -> None:
    table = [[1, 1], [2, 1], [2, 2]]
    assert af.agreement(table, "Krippendorff's alpha") == af.alpha(table)
    assert af.agreement(table, "cohens_kappa") == af.kappa(table)
    assert af.agreement(table, "Fleiss' kappa") == af.pi(table)


def test_weights_of_irrcac_are_answered() -> None:
    assert af.alpha(LIKERT, "identity") == af.alpha(LIKERT)
    for name, ours in (
        ("radical", "gwet:radical"),
        ("circular", "'circular:24'; .* 'gwet:circular'"),
        ("bipolar", "'bipolar:1:5'; .* 'gwet:bipolar'"),
        ("gwet", "gwet:ordinal"),
        ("gwet:none", "must be one of linear, quadratic"),
    ):
        with pytest.raises(ValueError, match=ours):
            af.alpha(LIKERT, name)


def test_few_triples_are_refused() -> None:
    """All columns share numbers: fewer rows would be no evidence."""
    rows = [(item, coder, item * coder % 2) for item in range(30) for coder in range(2)]
    with pytest.raises(ValueError, match="the rows look like one judgment each"):
        af.alpha(rows[:40])
    with pytest.raises(ValueError, match="the rows look like one judgment each"):
        af.alpha(rows)


@pytest.mark.parametrize("empty", ["a", "b", "c", "abc", "abcd"])
@pytest.mark.parametrize("lazy", [False, True])
def test_a_column_whose_first_rows_are_all_empty_is_a_coder(empty, lazy):
    columns = {name: pl.Series([1, 2, 2, 1, 2, 3] * 5) for name in "abcd"}
    columns |= {name: pl.Series([None] * 30, dtype=pl.Int64) for name in empty}
    frame = pl.DataFrame(columns)
    data = A.from_wide(frame.lazy() if lazy else frame)
    assert data.coders == tuple("abcd")
    assert data.n_judgments == 30 * (4 - len(empty))


@pytest.mark.parametrize("data", [(["a", "b"], ["a", "a"]), ([["a", "a"], ["b", "a"]],)])
def test_a_weighted_kappa_has_weights(data) -> None:
    with pytest.raises(af.errors.InputError, match="needs a distance") as caught:
        af.weighted_kappa(*data)
    assert caught.value.remedy == "pass distance='quadratic', 'linear' or 'ordinal'"
    assert af.weighted_kappa(*data, distance="nominal") == af.kappa(*data)
    numbers = [[1, 1], [2, 1], [3, 3]]
    for name in ("quadratic", "linear", "ordinal"):
        assert af.weighted_kappa(numbers, name) == af.beta(numbers, name)


@pytest.mark.parametrize("lazily", [False, True])
@pytest.mark.parametrize(
    ("layout", "named", "message"),
    [
        ("counts", {"coder": ["yes", "no"]}, "is not for layout='counts'"),
        ("counts", {"label": "yes"}, "is not for layout='counts'"),
        ("contingency", {"coder": "yes"}, "is not for layout='contingency'"),
        ("contingency", {"item": "yes"}, "'yes' is not the first column"),
    ],
)
def test_roles_that_a_layout_lacks_are_not_ignored(
    layout: str, named: dict[str, Any], message: str, lazily: bool
) -> None:
    frame = pl.DataFrame({"": ["yes", "no"], "yes": [7, 2], "no": [1, 5]})
    with pytest.raises(ValueError, match=message):
        af.pi(frame.lazy() if lazily else frame, layout=layout, **named)
    assert af.pi(frame, layout=layout, item="") == af.pi(frame, layout=layout)


def test_a_label_is_not_the_item_of_a_contingency_table() -> None:
    frame = pl.DataFrame({"yes": [7, 2], "no": [1, 5]})
    with pytest.raises(ValueError, match=r"^columns 'no', 'yes' are names of labels"):
        af.kappa(frame, item="no")


def test_numbers_that_occur_once_are_no_names_of_columns() -> None:
    rows = [[9, 8], *[[1, 2], [2, 1], [1, 1], [2, 2]] * 20]
    frame = pd.DataFrame(rows, columns=["0", "1"])
    assert af.alpha(frame) == af.alpha(frame[::-1].reset_index(drop=True))
    words = frame.replace({9: "nine", 8: "eight", 1: "one", 2: "two"})
    with pytest.raises(
        ValueError, match="the first row \\('nine', 'eight'\\) looks like the names"
    ):
        af.alpha(words)
    assert af.alpha(words.set_axis(["ann", "bob"], axis=1)) == af.alpha(frame)


def test_letters_above_numbers_are_no_header() -> None:
    frame = pd.DataFrame({"ann": ["x", 1, 2, 1, 2, 2, 1], "bob": ["y", 1, 2, 2, 2, 2, 1]})
    assert af.Annotations.from_wide(frame).n_rows == 7
    with pytest.raises(ValueError, match="as a second header has"):
        af.Annotations.from_wide(frame.replace({"x": "xx", "y": "yy"}))


def test_numbers_of_rows_differ() -> None:
    columns = {
        "scores": [1, 2, 2], "places": [2, 1, 3], "from_0": [0, 1, 2], "from_2": [2, 3, 4],
        "halves": [0, 0.5, 2],
    }  # fmt: skip
    table = table_of_columns(columns, 3)
    assert [name for name in columns if table[name].numbers_rows] == ["places", "from_0"]


def test_judgments_whose_roles_are_not_certain_are_asked_about() -> None:
    rows = [(f"i{i}", f"c{j}", "xyz"[(i + j * (i > 3)) % 3]) for i in range(6) for j in range(3)]
    frame = pd.DataFrame(rows, columns=["sent", "person", "stance"])
    with pytest.raises(ValueError, match="look like one judgment per row, but their roles are not"):
        af.alpha(frame, layout="long")


def test_the_layout_of_rows_without_names_is_pinned() -> None:
    rows = [["x", "y"], ["x", "x"], ["y", "y"]]
    for data in (rows, np.array(rows), np.array(rows, object)):
        assert af.alpha(data).read.call == {"layout": "wide"}
        assert af.alpha(data, categories=["x", "y"]).read.call == {"layout": "wide"}


def test_a_coder_may_use_only_the_upper_end_of_a_scale_to_ten() -> None:
    low = [1, 2, 3, 4, 5, 4, 3, 2, 1, 5, 3, 2]
    for high in (7, 10):
        kind = [high - (x % 2) for x in low]
        frame = pd.DataFrame({"ann": low, "bob": low[::-1], "cid": kind})
        assert af.Annotations.from_wide(frame).coders == ("ann", "bob", "cid")
    beyond = frame.assign(cid=[20 + x % 2 for x in low])
    with pytest.raises(ValueError, match="'cid' looks like something else"):
        af.Annotations.from_wide(beyond)


@pytest.mark.parametrize("width", [2, 3])
def test_whole_numbers_beyond_all_floats_are_labels(width):
    table = [[1, 2, 10**400], [2, -(10**400), 1], [1, 1, 1], [2, 10**400, 2]]
    rows = [row[:width] for row in table]
    as_text = [[str(label) for label in row] for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert float(af.alpha(rows)) == float(af.alpha(as_text))
    with pytest.raises(af.AgreementError, match="expected numbers below 1e308"):
        af.alpha(rows, "interval")
