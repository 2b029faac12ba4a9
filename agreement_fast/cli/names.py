"""Look up coders by the names that users type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agreement_fast.cli.errors import UsageError
from agreement_fast.terminal import show_label, spell_label


def find_coders(coders: Sequence[Any], requested: Sequence[str], option: str) -> list[Any]:
    """Return the coders with these names, in the order of `requested`."""
    known = {spell_label(coder): coder for coder in coders}
    for name in requested:
        if name not in known:
            some = ", ".join(show_label(one) for one in sorted(known)[:12])
            more = f" and {len(known) - 12:,} more" if len(known) > 12 else ""
            raise UsageError(f"{option}: no coder {name!r}; the coders are {some}{more}")
    return [known[name] for name in requested]
