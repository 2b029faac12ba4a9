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


#: What a platform for crowds writes: what was shown, what was answered, and by whom.
CROWD = pd.DataFrame(
    {
        "INPUT:image": [f"{place // 2}.png" for place in range(8)],
        "ASSIGNMENT:task_id": [f"task{place // 2}" for place in range(8)],
        "OUTPUT:result": ANN,
        "GOLDEN:result": ["x", *[None] * 7],
        "ASSIGNMENT:assignment_id": [f"a{place}" for place in range(8)],
        "ASSIGNMENT:worker_id": ["ann", "ben"] * 4,
    }
)


def test_a_column_of_workers_among_parts_of_a_task():
    with pytest.raises(
        ValueError, match="'ASSIGNMENT:worker_id' has the name of one of coders"
    ) as e:
        af.alpha(CROWD)
    # The item is one of several columns, and not the id of each judgment.
    assert "item=..., coder='ASSIGNMENT:worker_id', label='OUTPUT:result'" in str(e.value)


def test_a_plain_name_is_preferred_to_that_of_a_part():
    names = ["task.id", "worker", "task.worker", "label"]
    rows = [(i, w, f"{w} {i}", "xy"[i % 2]) for i in range(4) for w in ("ann", "ben")]
    assert af.alpha(pd.DataFrame(rows, columns=names)).read.call["coder"] == "worker"


@pytest.mark.parametrize("names", [("ann.label", "ben.label"), ("first.coder", "second.coder")])
def test_parts_that_are_coders(names):
    table = pd.DataFrame(dict(zip(names, (ANN, BEN), strict=True)))
    assert af.alpha(table) == af.alpha([*zip(ANN, BEN, strict=True)])
