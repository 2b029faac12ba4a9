"""Errors that a user of the command can correct."""

from __future__ import annotations


class UsageError(Exception):
    """An error that the user can correct; its message is one line."""
