"""Other columns of judgments, items named by several columns, and sorted rows."""

import pandas as pd
import polars as pl
import pytest

import agreement_fast as af

COLUMNS = {
    "task": ["a", "b", "a", "b", "a"],
    "question": [1, 1, 1, 1, 2],
    "coder": ["x", "x", "y", "y", "x"],
    "label": ["p", "q", "p", "p", "q"],
    "document": ["d2", None, "d2", "d1", None],
    "day": [3, 1, 2, 5, 4],
}


@pytest.fixture(params=[pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def frame(request):
    return request.param(COLUMNS)


def test_several_columns_name_an_item(frame):
    data = af.Annotations.from_frame(frame, item=["task", "question"])
    assert list(data.items) == [("a", 1), ("b", 1), ("a", 2)]
    assert data.to_wide().tolist() == [["p", "p"], ["q", "p"], ["q", None]]
    assert list(af.Annotations.from_frame(frame.head(4), item=["task"]).items) == ["a", "b"]


def test_the_document_of_an_item(frame):
    data = af.Annotations.from_frame(frame, item=["task", "question"], along=["document", "task"])
    assert list(data.along["document"]) == ["d2", "d1", None]
    assert data.select(items=[("b", 1), ("a", 2)]).along["task"] == ["b", "a"]
    merged = data.merge_categories({"q": "p"})
    assert list(merged.along["document"]) == ["d2", "d1", None]


def test_an_item_of_two_documents_is_refused(frame):
    with pytest.raises(ValueError, match=r"item \('a', 1\) has 3 and 2 in column 'day'.*same"):
        af.Annotations.from_frame(frame, item=["task", "question"], along="day")


def test_a_column_that_was_not_read_along(frame):
    data = af.Annotations.from_frame(frame, item=["task", "question"])
    with pytest.raises(ValueError, match=r"cluster='document' is not a column .*along='document'"):
        af.bootstrap(data, cluster="document")
    data = af.Annotations.from_frame(frame, item=["task", "question"], along="task")
    with pytest.raises(ValueError, match=r"read along; columns along are 'task'"):
        af.agreement_by_group(data, by="document")
    result = af.agreement_by_group(data, by="task")
    assert result.groups == [("a",), ("b",)]


WIDE = {
    "item": ["i1", "i2", "i3", "i4"],
    "ann": ["x", "y", "x", "x"],
    "ben": ["x", "y", "y", "x"],
    "doc": ["d1", "d1", "d2", "d2"],
}


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_the_remedy_for_a_column_per_coder_passes_values(made):
    frame, columns = made(WIDE), {"item": "item", "coder": ["ann", "ben"]}
    with pytest.raises(ValueError, match="cluster='doc' is not a column that was read along") as e:
        af.bootstrap(frame, "kappa", cluster="doc", **columns)
    remedy = str(e.value).partition("as in cluster=")[2]
    assert remedy == "frame['doc'].to_numpy()"
    options = {"cluster": frame["doc"].to_numpy(), **columns}
    result = af.bootstrap(frame, "kappa", **options, n_resamples=20)
    assert "20 resamples of 2 clusters of items" in repr(result)
    shown = repr(af.inference.standard_error(frame, "kappa", **options))
    assert shown.endswith("(score, 2 clusters of items)>")
    with pytest.raises(ValueError, match=r"of a lazy frame once it is collected$"):
        af.bootstrap(pl.LazyFrame(WIDE), "kappa", cluster="doc", **columns)


def test_the_remedy_for_a_judgment_per_row_reads_along():
    frame = pd.DataFrame(WIDE).melt(["item", "doc"], ["ann", "ben"], "coder", "label")
    with pytest.raises(
        ValueError, match=r"or read it with af.Annotations.from_frame\(frame, along='d"
    ):
        af.bootstrap(frame, "kappa", cluster="doc")
    data = af.Annotations.from_frame(frame, along="doc")
    assert af.inference.standard_error(data, "kappa", cluster="doc").n_clusters == 2


def test_the_first_of_an_order(frame):
    """Coder x said q of task a on day 4 and p on day 3."""
    for duplicates, said in (("first", "p"), ("last", "q")):
        data = af.Annotations.from_frame(frame, item="task", duplicates=duplicates, order="day")
        assert dict(zip(data.items, data.to_wide()[:, 0], strict=True)) == {"a": said, "b": "q"}
    with pytest.raises(ValueError, match="order='hour' is not a column"):
        af.Annotations.from_frame(frame, item="task", duplicates="first", order="hour")


def test_along_and_repeats_exclude_each_other(frame):
    with pytest.raises(ValueError, match="along and repeats_of exclude each other"):
        af.Annotations.from_frame(frame, item="task", repeats_of="x", along="day")


def test_other_columns_stay_with_their_items(frame):
    """Items that are added later have no value there."""
    data = af.Annotations.from_frame(frame, item=["task", "question"], along="document")
    more = data.with_judgments([("b", 1), ("c", 1)], ["z", "z"], ["p", "q"])
    assert more.along == {"document": ["d2", "d1", None, None]}
    other = af.Annotations.from_frame(frame, item="day", along="task")
    both = af.concat([data, other])
    assert both.along == {
        "document": ["d2", "d1", None] + [None] * 5,
        "task": [None] * 3 + ["a", "b", "a", "b", "a"],
    }


def test_the_queries_to_an_engine_are_kept():
    lazy = pl.DataFrame(COLUMNS).lazy()
    data = af.Annotations.from_frame(lazy, item=["task", "question"])
    assert data.gathered.way == "patterns"
    assert data.select(coders=["x"]).gathered is data.gathered
    assert data.merge_categories({"q": "p"}).gathered is data.gathered


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"item": []}, "item is empty: name one column or several"),
        ({"way": "patern"}, "way must be"),
        ({"repeats_of": "x", "along": "day", "order": "day"}, "along and repeats_of exclude"),
    ],
)
def test_what_is_refused_of_every_frame(frame, lazy, asked, message):
    table = pl.DataFrame(COLUMNS).lazy() if lazy else frame
    with pytest.raises(ValueError, match=message):
        af.Annotations.from_frame(table, **{"item": "task", **asked})


def test_a_frame_in_memory_takes_no_way(frame):
    with pytest.raises(ValueError, match=r"way='counts' is for lazy frames, .*: leave out way"):
        af.Annotations.from_frame(frame, item=["task", "question"], way="counts")
    assert len(af.Annotations.from_frame(frame, item=["task", "question"], way="auto")) == 3


def test_functions_take_keys_of_several_columns(frame):
    several = af.alpha(frame, item=["task", "question"])
    data = af.Annotations.from_frame(frame, item=["task", "question"])
    assert several == af.alpha(data)


def test_coders_cannot_be_groups(frame):
    left = frame[["task", "coder", "label"]]
    with pytest.raises(ValueError, match="by='coder' is the column of the coders"):
        af.agreement_by_group(left, by="coder")
