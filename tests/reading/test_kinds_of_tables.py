"""Tables of unusual types give the value of the same table as lists, or an error."""

import numpy as np
import numpy.ma.mrecords
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
