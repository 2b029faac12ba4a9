"""Small whole numbers of items, coders and labels, in columns without known names."""

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af

LABELS = [(1, 1, 2), (2, 2, 2), (3, 3, 1), (1, 1, 1), (2, 3, 2), (3, 3, 3)]
TRIPLES = [(i, j, LABELS[i][j]) for i in range(6) for j in range(3)]
BY_CODER = [(j, i, LABELS[i][j]) for j in range(3) for i in range(6)]
NAMED = pd.DataFrame(TRIPLES, columns=["sent", "person", "stance"])


@pytest.mark.parametrize("table", [TRIPLES, np.array(TRIPLES), BY_CODER, NAMED])
def test_all_pairs_in_runs_are_items_and_coders(table):
    with pytest.raises(ValueError, match=r"one judgment each.*from_(long|triples|frame)"):
        af.alpha(table)


def test_the_remedies_work():
    expected = af.alpha(LABELS)
    assert af.alpha(af.Annotations.from_triples(BY_CODER)) == expected
    read = af.Annotations.from_frame(NAMED, item="sent", coder="person", label="stance")
    assert af.alpha(read) == expected


def test_labels_are_not_in_runs():
    rng = np.random.default_rng(1)
    assert af.alpha(rng.permutation(TRIPLES)).undefined is None
