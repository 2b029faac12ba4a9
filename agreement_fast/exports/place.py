"""Coders and documents that stand in the path of a file, whose name may have dots of its own."""

from __future__ import annotations

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.tool import part_of_path
from agreement_fast.files.errors import ReadError

__all__ = ["base_of", "coder_of"]


def base_of(member: Member) -> str:
    """Give the name of a file without folders and without its last extension.

    "ann.b@example.org.jsonl" is of "ann.b@example.org".
    """
    name = member.name.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def coder_of(member: Member, how: str, *, said: bool) -> str:
    """Read the coder in the path of a file.

    Parameters
    ----------
    member : Member
    how : str
        As ``--coder-from`` has it.
    said : bool
        Whether the user said so, or the tool does.
    """
    if how == "file":
        return base_of(member)
    if how == "folder" and not member.folder and not said:
        raise ReadError(
            f"{member.shown} is in no folder of a coder: name the folder above the coders', or say"
            " where the coder stands with --coder-from"
        )
    return part_of_path(member, how, "--coder-from")
