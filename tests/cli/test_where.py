"""What ``--where`` may reach is nothing but the rows of the named files."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Command

pytestmark = pytest.mark.own_database

ATTACKS = [
    # other files
    "exists(from read_csv('other.csv'))",
    "exists(from read_csv_auto('other.csv'))",
    "exists(from sniff_csv('other.csv'))",
    "exists(from read_text('other.csv'))",
    "exists(from read_blob('other.csv'))",
    "exists(from read_json('other.csv'))",
    "exists(from read_json_auto('other.csv'))",
    "exists(from read_ndjson('other.csv'))",
    "exists(from read_json_objects('other.csv'))",
    "exists(from read_parquet('other.csv'))",
    "exists(from parquet_scan('other.csv'))",
    "exists(from parquet_metadata('other.csv'))",
    "exists(from parquet_schema('other.csv'))",
    "exists(from parquet_file_metadata('other.csv'))",
    "exists(from 'other.csv')",
    'exists(from "other.csv")',
    "exists(from 'file://other.csv')",
    "exists(from 'file:other.csv')",
    "exists(from '/proc/self/environ')",
    "exists(from read_text('/etc/passwd'))",
    "exists(from read_text(['t.csv', 'other.csv']))",
    "exists(from read_text('t.csv/../other.csv'))",
    "exists(from glob('*'))",
    "exists(from glob('/**'))",
    "exists(from read_csv('http://127.0.0.1:9/x.csv'))",
    "exists(from read_csv('https://127.0.0.1:9/x.csv'))",
    "exists(from read_csv('s3://bucket/x.csv'))",
    "exists(from read_csv('/dev/stdin'))",
    "label = (select content from read_text('other.csv'))",
    "label in (select secret from read_csv('other.csv'))",
    "exists(from which_secret('s3://x', 's3'))",
    "exists(from sqlite_scan('x.db', 't'))",
    "exists(from iceberg_scan('x'))",
    "exists(from delta_scan('x'))",
    # other statements
    "true; copy t to 'out.csv'",
    "true; attach 'out.db'",
    "true; install httpfs",
    "true; load httpfs",
    "true; set threads = 1",
    "true; pragma database_list",
    "true; export database 'out'",
    "true; create table x as select 1",
    "(copy (select 1) to 'out.csv')",
    "copy (select 1) to 'out.csv'",
    "attach 'out.db'",
    "install httpfs",
    "set lock_configuration = false",
    "pragma enable_external_access",
    "call pragma_version()",
    ";",
    "true;",
    # out of the brackets
    "true) union all (select 'a', 'b', 'c'",
    "true) --",
    "true) or (true",
    "true /*",
    "true */",
    "true'",
    'true"',
    "((true)",
    "true))",
    "true limit 0",
    "true order by 1",
    "true group by all",
    "true from range(3)",
    "true, true",
    "*",
    "",
    # settings, variables and names of the process
    "getenv('HOME') is not null",
    "getvariable('x') = 1",
    "exists(from query('select 1; select 2'))",
    "exists(from query_table('other'))",
    "exists(from folder)",
    "exists(from command)",
    "nope = 1",
    "?",
    "$1",
    "$path = 'x'",
    # not a condition on a row
    "count(*) > 0",
    "row_number() over () = 1",
    "unnest([true])",
    "error('stop')",
    "nextval('s') = 1",
    "checkpoint() is null",
    "read_text('other.csv')",
    # more than there is
    "length(repeat('x', 1000000000000)) > 0",
    "cast(label as integer) > 0 and item",
]

#: What may be asked, and tells nothing of anything else.
HARMLESS = [
    "true -- a comment",
    "true /* a comment */",
    "exists(select 1)",
    "current_setting('threads') is not null",
    "not current_setting('allow_persistent_secrets')",
    "(select count(*) from duckdb_extensions() where false) = 0",
    "(select count(*) from information_schema.tables where table_name = 'other') = 0",
    "version() <> ''",
    "current_database() <> ''",
]


def test_there_are_many_attacks() -> None:
    assert len(set(ATTACKS)) >= 59


@pytest.mark.few(every=8)
@pytest.mark.parametrize("where", ATTACKS)
def test_an_attack_is_refused_in_one_line(command: Command, folder: Path, where: str) -> None:
    (folder / "t.csv").write_text("item,coder,label\na,x,1\na,y,1\n")
    (folder / "other.csv").write_text("secret\nxyzzy\n")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    message = command.error("report", "t.csv", "--where", where)
    assert "xyzzy" not in message
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("wide", [False, True])
def test_a_condition_closes_no_parenthesis_of_ours(
    command: Command, folder: Path, wide: bool
) -> None:
    text = "a,b\nx,y\ny,y\n" if wide else "item,coder,label\na,x,1\na,y,1\n"
    (folder / "t.csv").write_text(text)
    message = command.error(
        "report", "t.csv", "--where", "true) or (true", *(["--layout", "wide"] * wide)
    )
    assert message.startswith("error: --where") or "--where 'true) or (true'" in message


@pytest.mark.parametrize("where", HARMLESS)
def test_harmless_conditions(command: Command, folder: Path, where: str) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert command.json("report", "long.csv", "--where", where)["source"]["rows"] == 8
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_rows_left_out_are_counted(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,coder,label\n1,ann,x\n1,ben,x\n2,ann,x\n2,ben,y\n3,ann,y\n3,ben,y\n")
    printed = command.answer("report", str(path), "--where", "item <> '1'")
    assert "4 of 6, where item <> '1'; 2 left out" in printed
