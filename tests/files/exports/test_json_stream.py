"""JSON that is read value by value says what `json` says of the whole, and refuses the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports import streams
from agreement_fast.files.exports.bundle import Bundle
from agreement_fast.files.exports.streams import json_values

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


def values(path: Path, content: str | bytes) -> list[Any]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(json_values(Bundle.of([str(path)]).members[0]))


@pytest.mark.breadth
@given(
    found=st.lists(VALUES, max_size=6),
    indent=st.sampled_from([None, 1]),
    chunk=st.integers(1, 40),
    ascii_only=st.booleans(),
    array=st.booleans(),
)
def test_values_in_chunks_of_any_size(
    tmp_path_factory: pytest.TempPathFactory,
    found: list[Any],
    indent: int | None,
    chunk: int,
    ascii_only: bool,
    array: bool,
) -> None:
    path = tmp_path_factory.getbasetemp() / "values.json"
    if array:
        text = json.dumps(found, indent=indent, ensure_ascii=ascii_only)
    else:
        # The first value of JSON lines is no list: a list is the whole file.
        found = [{"first": True}, *found]
        text = "\n".join(json.dumps(one, indent=indent, ensure_ascii=ascii_only) for one in found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "CHUNK", chunk)
        # What is cut off must not be taken for what is wrong.
        assert values(path, text) == found


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        ('{"n": 2', "line 2: the line ends within a value|line 2: this is not JSON .*truncated"),
        ('{"n":', "line 2: the line ends within a value|line 2: this is not JSON .*truncated"),
        ('{"n": "x', "line 2: this is not JSON"),
        ('{"n"', "line 2: this is not JSON .*: the line is truncated"),
        ('{"n": [1, ', "line 2: the line ends within a value"),
    ],
)
def test_a_line_that_is_cut_is_the_one_that_is_named(
    tmp_path: Path, cut: str, message: str
) -> None:
    with pytest.raises(ReadError, match=message):
        values(tmp_path / "a", f'{{"n": 1}}\n{cut}\n{{"n": 3, "m": 4}}\n{{"n": 5}}\n')


def test_values_on_several_lines_name_the_line_of_the_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="line 4: this is not JSON"):
        values(tmp_path / "a", '{"n":\n 1}\n{"n":\n 2 3}\n')


def test_a_value_that_is_too_long_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "LONGEST", 1000)
    monkeypatch.setattr(streams, "CHUNK", 600)
    assert values(tmp_path / "a", json.dumps({"a": "x" * 900})) == [{"a": "x" * 900}]
    with pytest.raises(ReadError, match="more than 1,000 characters"):
        values(tmp_path / "a", json.dumps({"a": "x" * 1001}))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_that_a_file_declares(tmp_path: Path, encoding: str) -> None:
    assert values(tmp_path / "a", '[{"a": "ü😀"}]'.encode(encoding)) == [{"a": "ü😀"}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1},\n{"a": }]', "line 2: this is not JSON"),
        ('[{"a": 1}\n{"a": 1}]', "line 2: expected a comma or ], got '{\"a\": 1}]'"),
        ('[{"a": 1}', "truncated"),
        ('[{"a": 1}, {"a', "truncated"),
        ('[{"a": 1},', "truncated"),
        ("[1] 2", "expected nothing after the list, got '2'"),
        ('{"a": 1} x', "line 1: this is not JSON"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
    ],
)
def test_what_is_not_json(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ReadError) as error:
        values(tmp_path / "a.json", text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert "a.json" in str(error.value)


def test_what_is_not_text(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is not UTF-8"):
        values(tmp_path / "a.json", b'[{"a": "\xff\xfe"}]')


def test_an_error_in_a_long_file_is_met_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the file is not read to find out that it does not help."""
    monkeypatch.setattr(streams, "LONGEST", 1000)
    monkeypatch.setattr(streams, "CHUNK", 100)
    with pytest.raises(ReadError, match="line 1: this is not JSON"):
        values(tmp_path / "a", '[{"a": nope}, ' + '{"b": 1},\n' * 1000 + "{}]")
    with pytest.raises(ReadError, match="a value has more than 1,000 characters"):
        values(tmp_path / "a", '[{"a": "' + "x" * 5000 + '"}]')


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, cut: int) -> None:
    whole = json.dumps([{"id": 1, "data": {"text": "x"}, "v": [1.5, None, True]}, {"é": "\\"}])
    with pytest.raises(ReadError):
        values(tmp_path / "a", whole[: min(cut, len(whole) - 1)])
