"""Patterns that are stored come back to the last bit, or not at all."""

import datetime
import json
import random
import tracemalloc
from enum import IntEnum
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import seeded, tables
from test_against_reference import wide
from test_pieces import content

import agreement_fast as af
from agreement_fast import inference
from agreement_fast.reading import stored_pieces
from agreement_fast.reading.counts import read_counts
from agreement_fast.reading.pieces import add_up, piece_of
from agreement_fast.reading.stored_pieces import (
    KEY,
    DamageError,
    as_json,
    from_bytes,
    from_json,
    from_table,
    to_bytes,
    to_table,
)
from agreement_fast.reading.wide import read_wide

pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")

DATA = Path(__file__).with_name("data")


def judgments(n_items=400, **options):
    """Annotations of four coders."""
    return wide(seeded(7, n_items, 4, "abc", **options))


def crowd():
    """Lists: three judgments an item by many coders."""
    rng = np.random.default_rng(3)
    coders = rng.permutation(3000).reshape(1000, 3).ravel() + 500
    return af.Annotations.from_long(np.arange(3000) // 3, coders, rng.integers(0, 9, 3000) / 8)


KINDS = {
    "table": judgments,
    "weighted": lambda: judgments(heaviest=5, declared=True),
    "lists": crowd,
    "counts": lambda: af.Annotations.from_counts([[2, 0, 3], [0, 0, 0], [2, 0, 3]]),
    "let go": lambda: af.concat([judgments()], keep_items=False, keep_coders=False),
    "crowd let go": lambda: af.concat([crowd()], keep_items=False, keep_coders=False),
    "no judgments": lambda: af.Annotations.from_wide([[None, None]], coders=["A", "B"]),
    "once": lambda: af.Annotations.from_long(
        [1, 1, 1, 2], list("AABA"), list("xyxx"), duplicates="majority"
    ),
}


def whole_of(data):
    """What is stored of annotations."""
    return add_up([piece_of(data.known_parts())])


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["table", "bytes", "parquet", "arrow", "chunks"])
def test_stored_patterns_come_back(kind, way, tmp_path):
    """Every array, with its type, and every name."""
    piece = whole_of(KINDS[kind]())
    if way == "table":
        result = from_table(to_table(piece))
    elif way == "bytes":
        result = from_bytes(to_bytes(piece))
    elif way == "chunks":
        table = to_table(piece)
        result = from_table(pa.concat_tables([table.slice(0, 1), table.slice(1)]))
    else:
        stored_pieces.write_piece(piece, tmp_path / f"day.{way}")
        result = stored_pieces.read_piece(tmp_path / f"day.{way}")
    assert content(result) == content(piece)


@given(table=tables("mixed"), keep_coders=st.booleans())
def test_annotations_come_back(table, keep_coders):
    """As what `concat` makes of them."""
    data = af.concat([wide(table)], keep_items=False, keep_coders=keep_coders)
    result = af.Annotations.from_patterns(data.patterns_to_arrow())
    assert repr(result) == repr(data)
    assert content(whole_of(result)) == content(whole_of(data))
    assert result.rows.codes.tobytes() == data.rows.codes.tobytes()
    assert result.weights.tobytes() == data.weights.tobytes()


def test_days_that_were_stored_add_up_to_the_study(tmp_path):
    """Values, standard errors and a bootstrap are those of all days at once, bit by bit."""
    table = seeded(11, 300, 4, "abc")
    for day in range(3):
        rows = table.rows[day * 100 : day * 100 + 100]
        af.Annotations.from_wide(rows).write_patterns(tmp_path / f"{day}.parquet")
    days = [af.Annotations.read_patterns(path) for path in sorted(tmp_path.iterdir())]
    merged, whole = (
        af.concat(days[::-1], keep_items=False),
        af.concat([wide(table)], keep_items=False),
    )
    names = ["pi", "kappa", "alpha", "ac"]
    one, other = (
        [
            [(af.agreement(data, name), inference.standard_error(data, name)) for name in names],
            af.bootstrap(data, names, n_resamples=20, rng=1).to_dict(),
        ]
        for data in (merged, whole)
    )
    assert repr(one) == repr(other)
    assert af.alpha(merged).value == pytest.approx(af.alpha(wide(table)).value, rel=1e-13)


NAMES = st.recursive(
    st.text(max_size=3)
    | st.integers()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.decimals(allow_nan=False)
    | st.dates()
    | st.datetimes(),
    lambda names: st.lists(names, max_size=3).map(tuple) | st.frozensets(names, max_size=3),
    max_leaves=6,
)


@given(name=NAMES)
@example(name=float("-inf"))
@example(name=float("inf"))
def test_names_come_back_with_their_types(name):
    """For any nesting."""
    result = from_json(json.loads(json.dumps(as_json(name, "category"))))
    assert result == name
    assert type(result) is type(name)
    if not isinstance(name, frozenset | tuple):
        assert repr(result) == repr(name)


class Grade(IntEnum):
    """Labels of a type that JSON would make numbers of."""

    GOOD = 1


@pytest.mark.parametrize(
    ("label", "said"),
    [
        (Grade.GOOD, "<Grade.GOOD: 1> is of type Grade"),
        (b"x", "b'x' is of type bytes"),
        (("a", b"x"), "b'x' is of type bytes"),
        (np.timedelta64(1, "D"), "of type timedelta64"),
        (datetime.timedelta(1), "of type timedelta"),
    ],
)
def test_names_that_cannot_be_stored_are_named(label, said):
    """Whether they are labels or coders."""
    for what, data in (
        ("category", af.Annotations.from_wide([[label, "a"]])),
        ("coder", af.Annotations.from_wide([["a", "a"]], coders=[label, "b"])),
    ):
        with pytest.raises(ValueError, match=f"{what}.*cannot be stored: make it text") as error:
            data.patterns_to_arrow()
        assert said in str(error.value)


# ---------------------------------------------------------------- what is refused


def changed(table, *, digest=True, **values):
    """A table with some metadata changed; a new digest is what somebody who means harm adds."""
    about = json.loads(table.schema.metadata[KEY])
    for name, value in values.items():
        if value is ...:
            del about[name]
        else:
            about[name] = value
    if digest:
        try:
            about["digest"] = stored_pieces.digest_of(stored_pieces.arrays_of(table), about)
        except (KeyError, TypeError, ValueError, AttributeError, DamageError):  # no digest
            about["digest"] = ""
    return table.replace_schema_metadata({KEY: json.dumps(about)})


def with_column(table, name, values, kind=None):
    """A table with another column."""
    kind = kind or (pa.int64() if name in ("weight", "repeats") else pa.int32())
    kind = kind if name == "weight" else pa.large_list(kind)
    place = table.column_names.index(name)
    return table.set_column(place, name, pa.array(values, kind))


def small():
    """Three patterns: (a, a), (a, b), (b, missing), of coders A and B."""
    rows = [["a", "a"], ["a", "b"], ["b", None], ["a", "a"]]
    return to_table(add_up([piece_of(read_wide(rows, coders=["A", "B"]))]))


def small_counts(keep=True):
    """Counts of the same, coders' marginals included."""
    rows = [["a", "a"], ["a", "b"], ["b", None], ["a", "a"]]
    parts = read_wide(rows, coders=["A", "B"])
    return to_table(add_up([piece_of(parts, keep_coders=False)]))


META = {
    "categories": [
        ...,
        None,
        "ab",
        ["a"],
        ["a", "a"],
        ["a", None],
        ["a", {"float": "nan"}],
        ["a", {"Decimal": "sNaN"}],
        ["a", {"set": []}],
        ["a", {"tuple": 3}],
        [1, True],
        ["a", []],
        ["a", {"date": "2026-13-01"}],
        ["a", {"date": 1}],
        ["a", {"float": "1"}],
    ],
    "coders": [..., None, ["A"], ["A", "A"], "AB", 3, [["A"], "B"]],
    "declared": [..., None, 1, "no"],
    "missing": [..., None, -1, 1.5, True, 2**62],
    "left_out": [..., None, 3, [0, 0, 0], [0, 0, 0, -1], [0, 0, 0, "1"]],
    "version": [..., None, 0, -1, "1", True, 1.0],
    "marginals": [[[[0], [0], [1]]] * 2, 3],
}


@pytest.mark.parametrize(("name", "value"), [(name, v) for name in META for v in META[name]])
def test_metadata_that_cannot_be_is_refused(name, value):
    """In a line that says what is wrong, even if the digest was recomputed."""
    with pytest.raises(ValueError, match=r"^the table is damaged: .*store the patterns again$"):
        from_table(changed(small(), **{name: value}))


COLUMNS = {
    "weight": [[2, -1, 1], [2**62, 1, 1], [2**61, 2**61, 1]],
    "labels": [
        [[0, 0], [0, 2], [1]],
        [[0, 0], [0, -1], [1]],
        [[0, 0], [0, 1], [1, 1]],
        [[0, 0], [0, 0], [1]],
        [[0, 0], [0, None], [1]],
        [[0, 0], None, [1]],
    ],
    "coders": [
        [[0, 2], [0, 1], [0]],
        [[-1, 1], [0, 1], [0]],
        [[0, 1], [1, 0], [0]],
        [[0, 1], [0, 0], [0]],
    ],
}


@pytest.mark.parametrize(("name", "values"), [(name, v) for name in COLUMNS for v in COLUMNS[name]])
def test_rows_that_cannot_be_are_refused(name, values):
    """Kernels would read memory that is not theirs."""
    with pytest.raises(ValueError, match=r"^the table is damaged: .*store the patterns again$"):
        from_table(changed(with_column(small(), name, values)))


CONTRADICTIONS = {
    "other labels": lambda table: with_column(table, "labels", [[0], [0, 1], [0]]),
    "no repeats": lambda table: with_column(table, "repeats", [[2], [1, 0], [1]]),
    "negative": lambda table: with_column(table, "repeats", [[2], [1, -1], [1]]),
    "too many": lambda table: with_column(table, "repeats", [[2], [1, 2**62], [1]]),
    "weight": lambda table: with_column(table, "weight", [3, 1, 1]),
    "none": lambda table: changed(table, marginals=None),
    "no coders": lambda table: changed(table, coders=None),
    "not a pair": lambda table: changed(
        table, marginals=[[[0, 0, 1, 1], [0, 1, 0, 1], [3, 1, 2, 1]]]
    ),
    "out of range": lambda table: changed(table, marginals=[[[0, 2], [0, 1], [5, 2]]] * 2),
    "of others": lambda table: changed(table, marginals=[[[0, 1], [0, 2], [5, 2]]] * 2),
    "below 0": lambda table: changed(table, marginals=[[[0, 1], [0, 1], [5, -2]]] * 2),
    "twice": lambda table: changed(table, marginals=[[[0, 0, 0], [0, 0, 1], [2, 3, 2]]] * 2),
    "listed twice": lambda table: changed(
        table,
        marginals=[
            [[0, 0, 0, 1, 1], [0, 0, 1, 0, 1], [3, 3, 1, 2, 1]],
            [[0, 1, 1], [0, 0, 1], [3, 2, 1]],
        ],
    ),
    "beyond 64 bits": lambda table: changed(
        table,
        coders=list("ABCDE"),
        marginals=[[[0, 1, 2, 3, 4, 0], [0] * 5 + [1], [2**62 - 1] * 4 + [9, 2]]] * 2,
    ),
    "lengths": lambda table: changed(table, marginals=[[[0], [0, 1], [5, 2]]] * 2),
    "more than all": lambda table: changed(
        table, marginals=[[[0, 1], [0, 1], [5, 2]], [[1, 1], [0, 1], [5, 1]]]
    ),
}


@pytest.mark.parametrize("how", CONTRADICTIONS)
def test_counts_that_contradict_each_other_are_refused(how):
    """Coders' marginals are those of the rows, and those of pairable items are among them."""
    table = small_counts()
    from_table(changed(table))
    with pytest.raises(ValueError, match=r"^the table is damaged: .*store the patterns again$"):
        from_table(changed(CONTRADICTIONS[how](table)))


@pytest.mark.parametrize("repeats", [[[2], [0, 1]], [[2], [-1, 1]]])
def test_labels_that_nobody_gave_are_refused(repeats):
    """Also in counts, whose coders were never known."""
    table = to_table(add_up([piece_of(read_counts([[2, 0], [1, 1]], ["a", "b"], None, None))]))
    table = with_column(table, "labels", [[0], [0, 1]])
    from_table(changed(with_column(table, "repeats", [[2], [1, 1]])))
    with pytest.raises(ValueError, match="a label is given less than once"):
        from_table(changed(with_column(table, "repeats", repeats)))


def test_small_tables_do_not_ask_for_much_memory():
    """Neither for marginals of all the coders and categories that they name, nor for long lists."""
    names = list(range(2**14))
    many = changed(small_counts(), coders=names, categories=names)
    with pytest.raises(ValueError, match="16,384 coders × 16,384 categories are too many to be"):
        from_table(many)
    n = 20_000
    lists = {"labels": [[0]] * n + [[0] * n], "coders": [[0]] * n + [list(range(n))]}
    table = pa.table(
        {
            "weight": [1] * (n + 1),
            **{name: pa.array(some, pa.large_list(pa.int32())) for name, some in lists.items()},
        }
    ).replace_schema_metadata(small().schema.metadata)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="damaged: a pattern is there twice"):
            from_table(changed(table, coders=list(range(n))))
        assert tracemalloc.get_traced_memory()[1] < 2**25
    finally:
        tracemalloc.stop()


def test_marginals_that_could_not_be_read_are_not_stored(monkeypatch):
    """The largest allowed number is read."""
    piece = whole_of(KINDS["let go"]())
    monkeypatch.setattr(stored_pieces, "MOST_CELLS", 12)
    assert content(from_table(to_table(piece))) == content(piece)
    monkeypatch.setattr(stored_pieces, "MOST_CELLS", 11)
    with pytest.raises(ValueError, match=r"4 coders × 3 categories are too many.*keep_coders=True"):
        to_table(piece)


def test_a_number_that_could_be_is_found_by_the_digest():
    """One item more changes no rule, and every coefficient."""
    for table in (
        with_column(small(), "weight", [3, 1, 1]),
        changed(small(), digest=False, categories=["a", "c"]),
        changed(small(), digest=False, missing=3),
    ):
        with pytest.raises(ValueError, match="damaged: it was changed after it was stored"):
            from_table(table)


OTHERS = {
    "another": (lambda: pa.table({"weight": [1]}), "no stored patterns.*Annotations.from_frame"),
    "cut off": (lambda: small().replace_schema_metadata({KEY: b"{"}), "its metadata is no JSON"),
    "bytes": (lambda: small().replace_schema_metadata({KEY: b"\xff"}), "its metadata is no JSON"),
    "deep": (lambda: small().replace_schema_metadata({KEY: b"[" * 10**5}), "no JSON"),
    "list": (lambda: small().replace_schema_metadata({KEY: b"[1]"}), "no JSON object"),
    "later": (lambda: changed(small(), version=2), r"later version.*format 2.*reads 1.*upgrade"),
    "too few": (lambda: small().drop_columns(["coders"]), "its columns are 'weight', 'labels'"),
    "more": (lambda: small().append_column("x", pa.array([1, 2, 3])), "its columns are .*'x'"),
    "wide labels": (
        lambda: with_column(small(), "labels", [[0, 0], [0, 1], [1]], pa.int64()),
        "'labels' is of type large_list<",
    ),
    "floats": (lambda: with_column(small(), "weight", [1, 2, 3], pa.float64()), "of type double"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_other_tables_are_named(other):
    """Each in a line that says what it is."""
    table, said = OTHERS[other]
    with pytest.raises(ValueError, match=said) as error:
        from_table(table())
    assert "\n" not in str(error.value)


def test_files_are_recognized_by_their_first_bytes(tmp_path):
    """And written by their endings."""
    data = judgments(10)
    data.write_patterns(tmp_path / "a.arrow")
    (tmp_path / "a.arrow").rename(tmp_path / "b.parquet")
    result = af.Annotations.read_patterns(str(tmp_path / "b.parquet"))
    assert repr(result) == repr(af.concat([data], keep_items=False))
    with pytest.raises(ValueError, match=r"'a.csv'.*\.parquet or \.arrow"):
        data.write_patterns(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("x\n")
    with pytest.raises(ValueError, match=r"'a\.csv' is neither Parquet nor Arrow"):
        af.Annotations.read_patterns(tmp_path / "a.csv")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "other.parquet")
    with pytest.raises(ValueError, match=r"'other\.parquet' holds no stored patterns"):
        af.Annotations.read_patterns(tmp_path / "other.parquet")
    with pytest.raises(FileNotFoundError):
        af.Annotations.read_patterns(tmp_path / "none.parquet")
    with pytest.raises(TypeError, match=r"must be a pyarrow\.Table, not list"):
        af.Annotations.from_patterns([1])


def test_without_pyarrow_the_package_is_named(monkeypatch):
    """As everywhere else."""
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r'pip install "agreement-fast\[parquet\]"'):
        judgments(3).patterns_to_arrow()


# ---------------------------------------------------------------- damage


def damaged(content, rng):
    """A file with bytes changed, left out, doubled or cut off."""
    content, place = bytearray(content), rng.randrange(len(content))
    kind = rng.randrange(4)
    if kind == 0:
        for _ in range(rng.randint(1, 3)):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        del content[place : place + rng.randint(1, 9)]
    elif kind == 2:
        content[place:place] = content[place : place + 8]
    else:
        del content[place:]
    return bytes(content)


@pytest.mark.parametrize("kind", ["table", "let go"])
@pytest.mark.parametrize("way", ["parquet", "arrow", "bytes"])
def test_damaged_files_are_refused_or_read_right(kind, way, tmp_path):
    """One line that says so, or what was stored; nothing else comes out, and nothing crashes."""
    piece = whole_of(KINDS[kind]())
    expected, path, rng = content(piece), tmp_path / f"day.{way}", random.Random(5)
    if way == "bytes":
        path.write_bytes(to_bytes(piece))
    else:
        stored_pieces.write_piece(piece, path)
    good, refused = path.read_bytes(), []
    for _ in range(60):
        bad = damaged(good, rng)
        path.write_bytes(bad)
        try:
            result = from_bytes(bad) if way == "bytes" else stored_pieces.read_piece(path)
        except ValueError as error:
            refused.append(str(error))
        else:
            assert content(result) == expected
    assert len(refused) > 40
    assert not any("\n" in line for line in refused)


@pytest.mark.parametrize("unit", ["Y", "M", "D", "h", "m", "s", "ms", "us", "ns"])
def test_moments_of_numpy_and_pandas_come_back(unit):
    moment = np.datetime64("2026-01-02T03:04:05.678901234", unit)
    result = from_json(json.loads(json.dumps(as_json(moment, "category"))))
    assert result == moment
    assert result.dtype == moment.dtype
    with pytest.raises(ValueError, match="is not a name"):
        from_json({"datetime64": "now"})


def test_timestamps_come_back_as_the_moments_they_equal():
    midnight = pd.Timestamp("2026-01-02")
    data = af.Annotations.from_wide([[midnight, pd.Timestamp("2026-01-03 04:05")]])
    result = af.Annotations.from_patterns(data.patterns_to_arrow())
    assert result.categories == data.categories
    with pytest.raises(ValueError, match="of type Timestamp, which cannot be stored: make it"):
        as_json(pd.Timestamp("2026-01-02 00:00:00.000000001"), "category")


def test_tables_that_were_concatenated_say_how_they_add_up():
    table = small()
    with pytest.raises(
        ValueError, match=r"twice: several tables.*af\.concat\(map\(af\.Annotations\.from_patterns"
    ):
        af.Annotations.from_patterns(pa.concat_tables([table, table]))


def test_a_folder_and_no_file_have_different_errors(tmp_path):
    (tmp_path / "lake").mkdir()
    with pytest.raises(ValueError, match=r"'lake' is a folder: .*concat\(map\(.*read_patterns"):
        af.Annotations.read_patterns(tmp_path / "lake")
    with pytest.raises(FileNotFoundError, match=r"^there is no file '.*none\.parquet'; patterns"):
        af.Annotations.read_patterns(tmp_path / "none.parquet")


#: What the files of format 1 in tests/data hold; ``python tests/test_stored_pieces.py`` wrote them.
KEPT = {
    "table": lambda: af.Annotations.from_wide(
        [["a", "b", None], ["a", "a", "b"], ["a", "b", None], [None, "b", "b"]],
        coders=["Ann", 2, ("x", datetime.date(2024, 1, 31))],
        categories=["b", "a", "never"],
    ),
    "lists": lambda: af.concat(
        [
            af.Annotations.from_long(
                np.arange(300) // 3, np.arange(300) % 97, [i % 7 / 4 for i in range(300)]
            )
        ],
        keep_items="hashes",
    ),
    "counts": lambda: af.concat(
        [af.Annotations.from_wide([[{"x"}, {"x", "y"}], [{"x"}, {"x"}]], coders=["A", "B"])],
        keep_items=False,
        keep_coders=False,
    ),
}


def stored_content(data):
    """Return what `content` says of the patterns of annotations."""
    return content(piece_of(data.known_parts())._replace(hashes=None))


@pytest.mark.parametrize("kind", KEPT)
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_files_of_the_first_format_are_read_by_all_later_versions(kind, ending):
    """The promise of docs/accumulate.md. A failure means that users could not read their files."""
    read = af.Annotations.read_patterns(DATA / f"patterns_1_{kind}.{ending}")
    expected = af.concat([KEPT[kind]()], keep_items=False, keep_coders=kind != "counts")
    assert stored_content(read) == stored_content(expected)
    assert read.categories == expected.categories
    assert read.coders == expected.coders
    assert (read.hashes is not None) == (kind == "lists")


@pytest.mark.parametrize(
    "name", ["i", 1, 1.5, ("a", 2), frozenset("ab"), datetime.date(2024, 1, 1)]
)
def test_hashes_of_names_detect_items_that_are_split(name, tmp_path):
    rest = [f"other {i}" for i in range(50)]
    first = af.Annotations.from_long([name, *rest], ["Ann"] * 51, ["x", "y", "x"] * 17)
    second = af.Annotations.from_long([name, "new"], ["Bea"] * 2, ["x", "y"])
    with pytest.raises(af.AgreementError, match="1 item of part 1 is in an earlier part") as caught:
        af.concat([first, second], keep_items="hashes")
    assert repr(name) in str(caught.value)
    for ending in ("parquet", "arrow"):
        path = tmp_path / f"p.{ending}"
        af.concat([first], keep_items="hashes").write_patterns(path)
        stored = af.Annotations.read_patterns(path)
        assert len(stored.hashes) == 51
        for parts in ([stored, second], [second, stored], [stored, stored]):
            with pytest.raises(af.AgreementError, match="in an earlier part"):
                af.concat(parts, keep_items="hashes")
        with pytest.raises(af.AgreementError, match="51 items of part 1 are in an earlier part"):
            af.concat([stored, stored], keep_items=False)
        whole = af.concat([stored, second.select(items=["new"])], keep_items="hashes")
        assert (whole.n_items, len(whole.hashes)) == (52, 52)


def test_hashes_do_not_change_what_is_added_up():
    rng = np.random.default_rng(5)
    table = rng.integers(0, 3, (200, 3))
    names = [f"i{i}" for i in range(200)]
    whole = af.Annotations.from_wide(table.tolist(), items=names)
    cuts = [slice(0, 70), slice(70, 71), slice(71, 150), slice(150, 200)]
    parts = [af.Annotations.from_wide(table[c].tolist(), items=names[c]) for c in cuts]
    with_hashes = af.concat(parts, keep_items="hashes")
    assert stored_content(with_hashes) == stored_content(af.concat(parts, keep_items=False))
    assert np.array_equal(with_hashes.hashes, af.concat([whole], keep_items="hashes").hashes)
    # 1 and 1.0 are one name, and "1" is another.
    one, float_one, text = (
        af.Annotations.from_long([name], ["Ann"], ["x"]) for name in (1, 1.0, "1")
    )
    assert af.concat([one, text], keep_items="hashes").n_items == 2
    with pytest.raises(af.AgreementError, match="in an earlier part"):
        af.concat([one, float_one], keep_items="hashes")
    nameless = af.concat([one], keep_items=False)
    assert af.concat([with_hashes, nameless], keep_items=False).hashes is None
    with pytest.raises(af.AgreementError, match="part 1 has no names of items"):
        af.concat([with_hashes, nameless], keep_items="hashes")
    with pytest.raises(af.AgreementError, match="keep_items"):
        af.concat([one], keep_items="names")


@pytest.mark.parametrize("items", [3, "*", "AAAA", "AAAAAAAAAAAAAAAAAAAAAA==", None])
def test_odd_hashes_are_refused(items):
    data = af.concat([af.Annotations.from_long(["i"], ["Ann"], ["x"])], keep_items="hashes")
    table = to_table(piece_of(data.known_parts()))
    about = json.loads(table.schema.metadata[KEY]) | {"items": items}
    with pytest.raises(af.AgreementError, match="hashes of items are odd"):
        from_table(table.replace_schema_metadata({KEY: json.dumps(about)}))


if __name__ == "__main__":
    for kind, make in KEPT.items():
        for ending in ("parquet", "arrow"):
            make().write_patterns(DATA / f"patterns_1_{kind}.{ending}")
