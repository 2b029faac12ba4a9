"""Tables of unusual types give the value of the same table as lists, or an error."""

import array
from collections import deque

import numpy as np
import numpy.ma.mrecords
import pandas as pd
import pyarrow as pa
import pytest

import agreement_fast as af

A = af.Annotations

LABELS = np.array([[1, 1], [2, 2], [1, 3], [2, 1], [1, 1], [3, 3], [2, 2]])


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_masked_labels_of_each_coder_are_missing(dtype: type) -> None:
    masked = np.ma.masked_array(LABELS.astype(dtype), mask=LABELS == 3)
    rows = [[None if label == 3 else label for label in row] for row in LABELS.tolist()]
    columns = {"ann": masked[:, 0], "ben": masked[:, 1]}
    for table in (masked, columns, A.from_wide(columns)):
        assert af.alpha(table).value == af.alpha(rows).value
    assert af.kappa(masked[:, 0], masked[:, 1]).value == af.kappa(rows).value
    one, other = zip(*rows, strict=True)
    assert af.alpha(masked[:, 0], LABELS[:, 1]) == af.alpha(one, LABELS[:, 1].tolist())
    assert af.agreement(masked[:, 0], masked[:, 1]) == af.agreement(one, other)


def test_masked_fields_of_structured_arrays_are_missing() -> None:
    records = np.array(
        [(1, 1), (2, 2), (1, 2), (2, 1), (1, 1)], dtype=[("ann", "i4"), ("ben", "i4")]
    )
    mask = [(0, 0), (0, 0), (0, 0), (1, 0), (0, 0)]
    masked = np.ma.masked_array(records, mask=mask)
    assert af.alpha(masked).value == pytest.approx(8 / 15)
    assert af.alpha(masked.view(np.ma.mrecords.mrecarray)).value == pytest.approx(8 / 15)
    assert af.alpha(np.ma.masked_array(records)).value == 0.25 == af.alpha(records).value


def test_mappings_of_mappings_are_refused_with_both_readings() -> None:
    frame = pd.DataFrame({"ann": ["x", "y", "x"], "ben": ["x", "x", "x"]}, index=["t1", "t2", "t3"])
    for data, remedy in (
        (frame.to_dict(), "pandas.DataFrame(data)"),
        (frame.to_dict("index"), "pandas.DataFrame.from_dict(data, orient='index')"),
    ):
        for read in (af.kappa, A.from_wide):
            with pytest.raises(TypeError, match="a mapping of mappings") as caught:
                read(data)
        assert remedy in str(caught.value)
        table = eval(remedy, {"pandas": pd, "data": data})
        assert af.kappa(table).value == af.kappa(frame).value == 0
    for column in ({"t1": "x", "t2": "y"}, {"x", "y"}):
        with pytest.raises(TypeError, match="labels must be a sequence, not"):
            A.from_long(["t1", "t2"], ["ann", "ben"], column)


def test_series_in_a_mapping_are_matched_by_their_index() -> None:
    ann = pd.Series({"t1": 1, "t2": 2, "t3": 3, "t4": 1, "t5": 1})
    ben = ann[["t4", "t5", "t2", "t1", "t3"]]
    for data in ({"ann": ann, "ben": ben}, A.from_wide({"ann": ann, "ben": ben})):
        assert af.kappa(data).value == af.kappa(ann, ben).value == 1
    with pytest.raises(ValueError, match="columns 'ann' and 'ben' have different indexes"):
        af.kappa({"ann": ann, "ben": ben.rename({"t1": "t6"})})
    assert af.kappa({"ann": ann, "ben": ben.to_numpy()}).value < 0


@pytest.mark.parametrize("other", ["i8", "f8"])
def test_large_integers_of_columns_of_two_types_are_not_merged(other: str) -> None:
    ann, ben = np.array([2**60 + 1, 1, 2], "u8"), np.array([2**60, 1, 1], other)
    exact = af.kappa([[2**60 + 1, 2**60], [1, 1], [2, 1]]).value
    frame = pd.DataFrame({"ann": ann, "ben": ben})
    assert exact == af.kappa(ann, ben).value == af.kappa({"ann": ann, "ben": ben}).value
    assert exact == af.kappa(frame).value == af.kappa(A.from_wide(frame)).value
    assert len(A.from_wide(frame).categories) == 4


def test_sequences_of_any_type_are_the_labels_of_two_coders() -> None:
    ann, ben = [1, 2, 3, 1], [1, 2, 2, 1]
    value = af.alpha(ann, ben).value
    for one in (deque(ann), array.array("i", ann), memoryview(array.array("i", ann))):
        assert af.alpha(one, ben).value == value
        assert af.alpha(deque(ben), one).value == value
    assert af.alpha(dict(enumerate(ann)).values(), ben).value == value


def test_record_batches_and_views_of_memory_are_tables() -> None:
    columns = {"ann": ["b", "c", "b"], "ben": ["a", "b", "c"]}
    batch = pa.record_batch(columns)
    assert af.kappa(batch).value == af.kappa(A.from_wide(batch)).value == af.kappa(columns).value
    long = pa.record_batch({"item": [1, 1, 2, 2], "coder": list("abab"), "label": list("xyxx")})
    assert af.kappa(long).value == af.kappa([["x", "y"], ["x", "x"]]).value
    rows = np.array([(1, 2), (2, 2), (3, 3)], "i4")
    assert af.alpha(memoryview(rows)).value == af.alpha(rows).value
    assert af.alpha(memoryview(rows), "interval").value == af.alpha(rows, "interval").value


def test_chunked_arrays_as_labels_are_sets() -> None:
    one, both = pa.chunked_array([["a"]]), pa.chunked_array([["a"], ["b"]])
    data = A.from_wide([(one, one), (both, one), (both, both)])
    assert set(data.categories) == {frozenset("a"), frozenset("ab")}


def test_a_series_of_lists_has_a_remedy() -> None:
    rows = [["x", "y"], ["x", "x"], ["y", "y"]]
    with pytest.raises(af.AgreementError, match=r"the labels of each item as a row, .*tolist\(\)"):
        af.alpha(pd.Series(rows))
    assert af.alpha(pd.Series(rows).tolist()) == af.alpha(rows)
