"""Names of columns that are no coders."""

import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast.reading.recognition.names import role_of_name

ANN, BEN = list("xyxyxyyx"), list("xyyyxyxx")


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("weights", ["size", "len", "n", "N", "Anzahl", "Häufigkeit"]),
        ("gold", ["y_true", "gt", "reconciled", "arbitrated", "actual", "oracle", "Konsens"]),
        ("gold", ["vérité", "Endergebnis", "actual_label"]),
        ("total", ["Mehrheit", "range", "kappa"]),
        (None, ["Max", "Min", "y", "Nina"]),
    ],
)
def test_names_of_counts_gold_and_statistics(role, names):
    assert [role_of_name(name) for name in names] == [role] * len(names)


def test_gold_beside_coders_is_refused():
    table = pd.DataFrame({"ann": ANN, "ben": BEN, "y_true": ANN})
    with pytest.raises(ValueError, match="'y_true' looks like a gold label"):
        af.alpha(table)


def test_how_often_a_pair_of_labels_occurred():
    pairs = pd.DataFrame({"ann": [1, 2, 1, 2], "ben": [1, 2, 2, 1], "size": [2, 2, 1, 1]})
    with pytest.raises(ValueError, match="weights='size'"):
        af.kappa(pairs)


def test_initials_are_coders():
    table = pd.DataFrame({"K": ANN, "N": BEN, "P": ANN})
    assert af.alpha(table) == af.alpha(table.to_numpy())
