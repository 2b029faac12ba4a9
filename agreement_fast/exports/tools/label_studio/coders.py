"""Names of annotators: an e-mail address if the export has it, otherwise a number."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from agreement_fast.exports.found import Found
from agreement_fast.exports.records import Wrong
from agreement_fast.files.errors import show

__all__ = ["Coders"]

_NOBODY = "it does not name the annotator: pass --coder-from file if each file is of one coder"


class Coders:
    """Names coders consistently."""

    def __init__(self) -> None:
        self._numbers: dict[int, str] = {}
        self._pooled: dict[str, set[str]] = {}

    def of(self, annotation: dict[str, Any], key: str = "completed_by") -> str:
        """Return the name of the coder of an annotation."""
        who = annotation.get(key)
        if who is None:
            # The key of the first versions and of programs derived from them.
            who = annotation.get("created_username")
        if who.__class__ is int:
            return self._known(who, str(who))
        if who.__class__ is str and who:
            return who
        if who.__class__ is dict:
            return self._of_object(who)
        if who is None:
            raise Wrong(_NOBODY)
        raise Wrong(f"{show(key)} must be a number or an object")

    def pool(self, coder: str, annotation: dict[str, Any]) -> None:
        """Record the annotator of an annotation whose coder --coder-from determines."""
        with suppress(Wrong):
            self._pooled.setdefault(coder, set()).add(Coders().of(annotation))

    def tell(self, found: Found) -> None:
        """Add a note if --coder-from combines several people."""
        for coder, people in self._pooled.items():
            if len(people) > 1:
                found.note(
                    f"coder {show(coder)} is {len(people):,} people in the export, whom"
                    " --coder-from combines: leave it out to compare them"
                )

    def _of_object(self, who: dict[str, Any]) -> str:
        number, email = who.get("id"), who.get("email")
        name = email if email.__class__ is str and email else None
        if number.__class__ is int:
            return self._known(number, name or str(number))
        if name is None:
            raise Wrong(_NOBODY)
        return name

    def _known(self, number: int, name: str) -> str:
        known = self._numbers.setdefault(number, name)
        if known != name:
            raise Wrong(
                f"coder {number} is called {show(known)} and {show(name)}: export all files in the"
                " same way"
            )
        return name
