"""Every table comes to the same at every door; see `tables.py` and `doors.py`.

What is known to be wrong is in ``known.json``; ``known.py`` writes it.
"""

import conformance
import pytest
import reference
import tables
from conformance import BY_NAME, Cell, cells, doors_of, known, known_of
from doors import BREADTH, DOORS, ENGINES, FAST, Measured

#: A cell that is lost, such as by a door that carries too little, must be missed.
LEAST = {FAST: 2_500, BREADTH: 6_500, ENGINES: 600}

# Shells have no categories of warnings, and labels of all kinds are what tables are about.
pytestmark = pytest.mark.filterwarnings("ignore")


def names(*tiers):
    """Return the tables that at least one door of the tiers can carry."""
    return [name for name, table in BY_NAME.items() if doors_of(table, *tiers)]


def n_cells(tier):
    return sum(len(doors_of(table, tier)) for table in tables.TABLES)


def hold(name, folder, *tiers):
    """Hold the cells of a table against what must come of it, and against each other."""
    table, known_cells = BY_NAME[name], known_of(BY_NAME[name])
    faults = []
    for door, cell in cells(table, folder, *tiers):
        reason = known_cells.get(door.name)
        if cell.wrong and not reason:
            faults.append(f"{door.name}: {cell.wrong}: {cell.detail}")
        elif reason and not cell.wrong:
            faults.append(f"{door.name}: right now, take it out of known.json: {cell.detail}")
    assert doors_of(table, *tiers)
    assert not faults, "\n".join([name, *faults])


@pytest.mark.parametrize("name", names(FAST))
def test_memory_and_csv(name, tmp_path):
    hold(name, tmp_path, FAST)


@pytest.mark.breadth
@pytest.mark.parametrize("name", names(BREADTH))
def test_files_and_lazy_frames(name, tmp_path):
    hold(name, tmp_path, BREADTH)


@pytest.mark.engines
@pytest.mark.parametrize("name", names(ENGINES))
def test_engines(name, tmp_path):
    hold(name, tmp_path, ENGINES)


def test_number_of_cells(capsys):
    counted = {tier: n_cells(tier) for tier in LEAST}
    wrong = sum(len(doors) for reasons in known().values() for doors in reasons.values())
    with capsys.disabled():
        print(f"\n{len(BY_NAME)} tables, {len(DOORS)} doors, {sum(counted.values()):,} cells")
        print(f"{counted}, {wrong:,} known to be wrong")
    assert {*names(FAST), *names(BREADTH)} == set(BY_NAME)
    assert all(counted[tier] >= least for tier, least in LEAST.items())


def test_names_are_unique_and_known_cells_exist():
    assert len({table.name for table in tables.TABLES}) == len(tables.TABLES)
    assert len({door.name for door in DOORS}) == len(DOORS)
    for name, reasons in known().items():
        carrying = {door.name for door in doors_of(BY_NAME[name], FAST, BREADTH, ENGINES)}
        listed = [door for doors in reasons.values() for door in doors]
        assert listed
        assert len(set(listed)) == len(listed)
        assert set(listed) <= carrying, name


def test_values_are_the_published_ones():
    printed = [table for table in tables.TABLES if table.outcome.printed]
    assert len(printed) >= 3
    for table in printed:
        assert reference.rounds_to(tables.value_of(table), table.outcome.printed)


def test_the_judge_notices():
    """Every kind of fault is noticed, in a table that may be read or refused."""
    from agreement_fast.errors import InputError

    door = next(door for door in DOORS if door.name == "records")
    genre, words = BY_NAME["no coder: genre"], BY_NAME["plain: words"]
    value = conformance.float_of(genre)
    answers = [
        (genre, Measured(value, (), None), ""),
        (genre, Measured(value + 2e-16, (), None), "wrong value"),
        (genre, Measured(0.029, (), None), "wrong value"),
        (genre, Measured(0.029, ("ShapeHint: counts?",), None), "wrong value, warned"),
        (genre, Measured(None, (), InputError("column 'genre' is no coder")), ""),
        (genre, Measured(None, (), InputError("a column is no coder")), "does not name"),
        (genre, Measured(None, (), KeyError("genre")), "raw error"),
        (words, Measured(None, (), InputError("ann")), "refused"),
        (words, Measured(5 / 9, ("LabelHint: y",), None), "doubted"),
        (BY_NAME["empty: NA"], Measured(0.5205479452054795, (), None), "no warning"),
        (BY_NAME["contingency: 2 by 2"], Measured(0.0, (), None), "not refused"),
    ]
    for table, measured, wrong in answers:
        cell = conformance.judge(door, table, measured)
        assert isinstance(cell, Cell)
        assert cell.wrong == wrong, (table.name, measured, cell)


def test_doors_that_differ_are_noticed(monkeypatch, tmp_path):
    """A table that may be read or refused must not be read at one door and refused at another."""
    from agreement_fast.errors import InputError

    genre = BY_NAME["no coder: genre"]
    value = conformance.float_of(genre)

    def refuse_records(door, table, folder):
        if door.name == "records":
            return Measured(None, (), InputError("column 'genre' is no coder"))
        return Measured(value, (), None)

    monkeypatch.setattr(conformance, "measure", refuse_records)
    wrong = {door.name: cell.wrong for door, cell in cells(genre, tmp_path, FAST)}
    assert wrong["records"] == wrong["list of lists"] == wrong["array of objects"] == ""
    assert wrong["pandas"] == wrong["polars"] == wrong["read .csv"] == "differs"
