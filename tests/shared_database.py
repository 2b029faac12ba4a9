"""One database of DuckDB for the tests of a process: to open one is dear.

Every reading has a connection and temporary tables of its own. The settings that close a database
for good are not made, so tests that are about them stand under ``own_database`` and open their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Settings of the whole database. Other tests read too little to need memory or a disk.
OF_DATABASE = (
    "SET allowed_paths", "SET enable_external_access", "SET lock_configuration",
    "SET memory_limit", "SET threads",
)  # fmt: skip


class Shared:
    """A connection to the shared database that leaves its settings alone."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def execute(self, query: str, *values: Any) -> Any:
        """Run a query unless it changes the database for the others."""
        if query.startswith(OF_DATABASE):
            return self._connection
        return self._connection.execute(query, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


class Sharing:
    """Stands in for ``duckdb.connect``."""

    def __init__(self, connect: Callable[..., Any]) -> None:
        self._connect = connect
        self._databases: dict[tuple[tuple[str, str], ...], Any] = {}
        #: Whether the package is given the shared database.
        self.on = False

    def __call__(
        self, database: str = ":memory:", *args: Any, config: dict[str, str] | None = None,
        **keywords: Any,
    ) -> Any:  # fmt: skip
        """Open a database; the readings of the package alone say where theirs may spill."""
        if not self.on or config is None or "temp_directory" not in config:
            return self._connect(database, *args, config=config or {}, **keywords)
        shared = {**config, "temp_directory": ""}
        key = tuple(sorted(shared.items()))
        if key not in self._databases:
            self._databases[key] = self._connect(database, config=shared)
        return Shared(self._databases[key].cursor())
