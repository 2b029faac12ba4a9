"""What a command needs of the process that it runs in."""

from __future__ import annotations

import sys

from agreement_fast.cli.errors import UsageError

#: Bytes of address space that numpy, scipy and DuckDB take before a row is read. With less they
#: end the process, or wait for memory without end.
ADDRESS_SPACE = 2_000_000_000


def check_surroundings() -> None:
    """Refuse a process whose output is closed, or that may use too little memory."""
    if sys.stdout is None:
        raise UsageError("the standard output is closed: send it to a file, or to /dev/null")
    try:
        import resource
    except ImportError:  # Windows
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < ADDRESS_SPACE:
        raise UsageError(
            f"the process may use {limit / 1e9:.1f} GB of address space, and needs"
            f" {ADDRESS_SPACE / 1e9:.0f} GB: raise ulimit -v"
        )
