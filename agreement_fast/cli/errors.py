"""What a user of the command can mend."""

from __future__ import annotations

__all__ = ["UsageError"]


class UsageError(Exception):
    """Something that the user can mend; the text is one line."""
