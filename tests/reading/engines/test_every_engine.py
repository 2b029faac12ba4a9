"""Every engine against memory: `make engines`, which installs what they need."""

import random

import pyarrow as pa
import pytest
from judgment_tables import CASES, COLUMNS, ERRORS
from loops import nonempty
from same_judgments import COEFFICIENTS, DISTANCES, estimates, facts, kappas, patterns

import agreement_fast as af
from agreement_fast import agreement_by_group

pytestmark = [
    pytest.mark.engines,
    # Ibis reads SQLite through pandas with an option that pandas 3 calls old,
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated"),
    # and DuckDB through a name of it that DuckDB 2 calls old.
    pytest.mark.filterwarnings("ignore:fetch_arrow_table.. is deprecated:DeprecationWarning"),
    # Spark 4.3 knows no pandas 3, and narwhals lets go of Dask: neither is ours to change.
    pytest.mark.filterwarnings("ignore:.*pandas.*:FutureWarning:pyspark"),
    pytest.mark.filterwarnings("ignore:Dask support is moving out of Narwhals:FutureWarning"),
]

DASK = ("dask", "dask in two processes")
#: What an engine does not have, or what hands it the table: by engine, the cases.
LACKS = {
    "sqlite": {
        *("unsigned numbers", "large numbers", "moments", "moments in a zone", "amounts"),
        "names with quotes",
    },
    "postgres": {"unsigned numbers"},
    # pandas' moments are of a type of its own; Dask does not compare decimals, nor mask Arrow's NaN
    "dask": {
        *("moments", "moments in a zone", "amounts"),
        *("signed zeros and NaN", "no labels that are floats"),
    },
    "spark": {"moments", "unsigned numbers"},
}
LACKS["dask in two processes"] = LACKS["dask"]
#: Jobs take long to start: one way of each table is asked for, and of processes few tables.
SLOW = ("spark", *DASK)
FEW = (
    "texts",
    "whole numbers",
    "truths",
    "crowd",
    "weights",
    "first",
    "majority",
    "along",
    "twins",
)


def read(frame, options, **more):
    return af.Annotations.from_frame(frame, **{**COLUMNS, **options, **more})


def ways(engine, name):
    if "crowd" in name:
        return ("counts",)
    both = ("patterns", "counts")
    return (both[list(CASES).index(name) % 2],) if engine in SLOW else both


@pytest.mark.parametrize("name", CASES)
def test_what_is_read_is_what_memory_reads(engine, name):
    engine, opened = engine
    if name in LACKS.get(engine, ()) or (engine == "dask in two processes" and name not in FEW):
        return
    case = CASES[name]
    memory, lazy = read(case.table, case.asked), opened(case.table)
    for way in nonempty(ways(engine, name)):
        result = read(lazy, case.asked, way=way)
        assert facts(result) == facts(memory)
        assert kappas(result) == kappas(memory)
        if way == "patterns":
            assert patterns(result) == patterns(memory)
        if name != "sets":
            assert estimates(result, "alpha") == estimates(memory, "alpha")


@pytest.mark.parametrize("name", ["texts", "whole numbers"])
def test_estimates_are_equal_to_the_last_bit(engine, name):
    _, opened = engine
    table = CASES[name].table
    memory, lazy = read(table, {}), opened(table)
    distances = ("nominal", *DISTANCES) if name == "whole numbers" else ("nominal",)
    for way in ("patterns", "counts"):
        result = read(lazy, {}, way=way)
        for distance in nonempty(distances):
            for coefficient in nonempty(COEFFICIENTS):
                # who said what about an item is not known of counts
                parts = 1 if coefficient == "kappa" and way == "counts" else 3
                expected = estimates(memory, coefficient, distance)
                assert estimates(result, coefficient, distance)[:parts] == expected[:parts]


def test_the_order_of_rows_changes_nothing(engine):
    _, opened = engine
    table = CASES["weights"].table
    memory = read(table, CASES["weights"].asked)
    order = random.Random(3).sample(range(table.num_rows), table.num_rows)
    result = read(opened(table.take(order)), CASES["weights"].asked)
    assert facts(result) == facts(memory)
    assert estimates(result, "kappa") == estimates(memory, "kappa")


@pytest.mark.filterwarnings("ignore:column .* differs within items")
def test_groups_are_those_of_memory(engine):
    _, opened = engine
    table = CASES["texts"].table
    table = table.append_column("g", pa.array([f"g{i % 2}" for i in range(table.num_rows)]))
    memory = agreement_by_group(table, by="g", **COLUMNS)
    assert repr(agreement_by_group(opened(table), by="g", **COLUMNS)) == repr(memory)


@pytest.mark.parametrize("name", ERRORS)
def test_what_memory_refuses_is_refused(engine, name):
    engine, opened = engine
    if name in NOT_ASKED.get(engine, ()):
        return
    case, message = ERRORS[name]
    with pytest.raises(af.AgreementError, match=message):
        read(opened(case.table), case.asked)


#: Errors of tables that cannot be handed over as they are.
NOT_ASKED = {
    engine: {"weights that are no numbers", "an item that is no number"} for engine in DASK
}
# Two processes raise what one raises: how an error comes from another process is seen in a few.
NOT_ASKED["dask in two processes"] = {*ERRORS} - {
    "repeats",
    "weights that differ",
    "too many items",
}
# SQLite has no NaN, and Spark refuses sums beyond 64 bits itself.
NOT_ASKED["sqlite"] = {"weights that are no numbers"}
NOT_ASKED["spark"] = {"too many items"}
