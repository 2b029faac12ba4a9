"""The same table in every engine, as a lazy frame, and how engines are started for the tests."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def in_duckdb(table):
    import duckdb

    return duckdb.from_arrow(table)


def in_polars(table):
    import polars as pl

    return pl.from_arrow(table).lazy()


def in_dask(table):
    """Three partitions, which may tear an item apart; types of Arrow, which lose nothing."""
    import dask.dataframe as dd
    import pandas as pd

    return dd.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype), npartitions=3, sort=False)


@contextlib.contextmanager
def dask_in_one_thread():
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield in_dask


@contextlib.contextmanager
def dask_in_processes():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster),
    ):
        yield in_dask


@contextlib.contextmanager
def ibis(name, **where):
    import ibis

    connection = getattr(ibis, name).connect(**where)
    yield lambda table: connection.create_table("judgments", table, overwrite=True)
    connection.disconnect()


@contextlib.contextmanager
def postgres():
    """A cluster of databases that lives as long as the tests; it refuses to run as root."""
    folder = Path(tempfile.mkdtemp())
    user = ["runuser", "-u", "nobody", "--"] if os.geteuid() == 0 else []
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))  # where Debian has them
    path = os.pathsep.join([os.environ["PATH"], *map(str, programs)])
    initdb, server = (shutil.which(name, path=path) for name in ("initdb", "postgres"))
    assert initdb, "PostgreSQL is missing: apt-get install postgresql"
    folder.chmod(0o777)
    data = folder / "data"
    made = [initdb, "-D", data, "-A", "trust", "-U", "tests", "-E", "UTF8", "--locale=C", "-N"]
    subprocess.run([*user, *made], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    # no port, but a socket in the folder
    options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-F"]
    log = (folder / "log").open("w")
    running = subprocess.Popen([*user, server, "-D", data, *options], stderr=log, cwd=folder)
    try:
        for _ in range(100):
            if (folder / ".s.PGSQL.5432").exists():
                break
            time.sleep(0.1)
        with ibis("postgres", host=str(folder), user="tests", database="postgres") as opened:
            yield opened
    finally:
        running.terminate()
        running.wait(60)
        log.close()
        shutil.rmtree(folder)


@contextlib.contextmanager
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
    }
    session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session.createDataFrame
    finally:
        session.stop()


#: How each engine is started, by name.
ENGINES = {
    "duckdb": lambda: contextlib.nullcontext(in_duckdb),
    "polars": lambda: contextlib.nullcontext(in_polars),
    "dask": dask_in_one_thread,
    "dask in two processes": dask_in_processes,
    "ibis on duckdb": lambda: ibis("duckdb"),
    "ibis on polars": lambda: ibis("polars"),
    "sqlite": lambda: ibis("sqlite"),
    "postgres": postgres,
    "spark": spark,
}
