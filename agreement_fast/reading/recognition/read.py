"""What was read, and the keywords with which it is read in the same way again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from agreement_fast.present.tables import Tabular
from agreement_fast.present.terminal import number_of, show_label

#: Names in a line.
SHOWN = 12
#: What is said of numbers under the nominal distance.
AS_NAMES = (
    "the labels are numbers, but are compared as names: the distances ordinal and interval count "
    "near misses less"
)


#: What a guess calls the column that names the rows of a contingency table; no keyword takes it.
NAMES_OF_ROWS = "rows"


class Recognition(NamedTuple):
    """How a door understood a table. It holds names and no judgments."""

    #: "long", "wide", "counts" or "contingency"; "" if judgments come from no table.
    layout: str = ""
    #: What the caller did not name: tuple of (keyword, value, from what).
    guessed: tuple[tuple[str, Any, str], ...] = ()
    #: What does not count as judgments.
    left_out: tuple[tuple[Any, str], ...] = ()
    #: Further keywords that leave nothing to guess in other tables of this kind.
    pinned: tuple[tuple[str, Any], ...] = ()


#: That of judgments which come from no table.
NOTHING = Recognition()


def long_by_roles(roles: Mapping[str, Any], **named: Any) -> Recognition:
    """Return that of a table of one judgment per row whose columns are found by usual names."""
    guessed = ((role, roles[role], "its name") for role, name in named.items() if name is None)
    return Recognition("long", tuple(guessed))


class Origin(NamedTuple):
    """What a result keeps of its annotations, from which its `Read` is made."""

    recognition: Recognition = NOTHING
    coders: Sequence[Any] | None = None
    n_items: int = 0
    #: Repeated judgments that were replaced, and items of a single judgment that were left out.
    n_repeated: int = 0
    n_judged_once: int = 0
    #: Whether the labels are numbers, more than two.
    of_numbers: bool = False

    @property
    def by_appearance(self) -> bool:
        """Whether the items have the order in which a table of judgments first has them."""
        return self.recognition.layout == "long"

    def read(self, distance: str = "") -> Read:
        """Return what was read, for people, and how a distance takes it."""
        layout, guessed, left_out, pinned = self.recognition
        if self.n_repeated:
            more = number_of(self.n_repeated, "judgment")
            left_out = (*left_out, (more, "a coder's further judgments of an item"))
        if self.n_judged_once:
            more = number_of(self.n_judged_once, "item")
            left_out = (*left_out, (more, "the coder judged them once"))
        return Read(
            layout,
            None if self.coders is None else tuple(self.coders),
            self.n_items,
            left_out,
            guessed,
            {
                **dict(pinned),
                **{name: value for name, value, _ in guessed if name != NAMES_OF_ROWS},
            },
            (AS_NAMES,) if self.of_numbers and distance == "nominal" else (),
        )


#: That of results that come from no annotations.
NO_ORIGIN = Origin()


@dataclass(frozen=True, slots=True, repr=False)
class Read(Tabular):
    """What was read: ``print(result.read)`` shows it.

    Attributes
    ----------
    layout : str
        "long", "wide", "counts" or "contingency"; "" if the judgments come from no table.
    coders : tuple or None
        The names of the coders; None if they are not known.
    n_items : int
        Number of items, weights counted, with or without judgments.
    left_out : tuple of (what, why)
        Rows and columns that do not count as judgments, and judgments that were replaced.
    guessed : tuple of (keyword, value, from what)
        What the caller did not name, and what showed it.
    call : dict
        Keywords that name all that was guessed. With them, another table of this kind is read in
        the same way, also if its values differ.
    notes : tuple of str
        What may be meant otherwise: numbers that are compared as names.
    """

    layout: str
    coders: tuple[Any, ...] | None
    n_items: int
    left_out: tuple[tuple[Any, str], ...]
    guessed: tuple[tuple[str, Any, str], ...]
    call: dict[str, Any]
    notes: tuple[str, ...] = ()

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each thing that was guessed or left out."""
        rows = [("guessed", keyword, value, why) for keyword, value, why in self.guessed]
        rows += [("left out", "", name, why) for name, why in self.left_out]
        rows += [("note", "", "", text) for text in self.notes]
        names = ("what", "keyword", "value", "reason")
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def __repr__(self) -> str:
        coders = "coders unknown"
        if self.coders is not None:
            shown = [show_label(name) for name in self.coders[:SHOWN]]
            more = len(self.coders) - len(shown)
            coders = number_of(len(self.coders), "coder") + ": " + ", ".join(shown)
            coders += f" and {more:,} more" if more else ""
        lines = [
            ("read", self.layout or "no table"),
            ("items", f"{self.n_items:,}"),
            ("coders", coders),
            *(("guessed", f"{name}={value!r}, from {why}") for name, value, why in self.guessed),
            *(("left out", f"{show_label(name, 60)}: {why}") for name, why in self.left_out),
            *([("call", ", ".join(f"{name}={value!r}" for name, value in self.call.items()))]
              if self.call else []),
            *(("note", text) for text in self.notes),
        ]  # fmt: skip
        return "\n".join(f"{name:<10}{text}" for name, text in lines)
