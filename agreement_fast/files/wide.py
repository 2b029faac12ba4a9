"""Find which columns of a table with one item per row are coders, and which are not.

A column with item names, comments, gold labels or totals looks like another coder and would change
every coefficient. Therefore names and values are inspected. If one column clearly names the items,
it is used; if any other column seems not to be a coder, an error asks the caller. Columns that the
caller names are never questioned.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File
from agreement_fast.files.profiles import SCALE, Profile, Profiles, look_at
from agreement_fast.files.query import Reader
from agreement_fast.files.roles import Asked, Roles, check_everywhere, columns_of
from agreement_fast.reading.usual_names import names_answer_key, role_of_name

__all__ = ["settle_coders"]

#: A column with fewer cells is not judged by its values.
FEWEST_CELLS = 3

#: With fewer rows, numbers may ascend, or all differ while others repeat, by accident.
FEWEST_IN_ORDER = 5
FEWEST_DIFFERENT = 10

#: Least share of a coder's cells with labels that other coders use, too.
LEAST_SHARED = 0.1

#: Cells with this mean length are texts, not labels.
LONG_TEXT = 40

#: A column repeats its values if it has at most this number of distinct values per cell.
REPEATS = 0.5

#: Largest number of columns that an error lists.
LISTED = 20

#: How an error describes each role.
SHOWN = {
    "coder": "a coder",
    "item": "the item",
    "item?": "perhaps the item",
    "comment": "a comment",
    "gold": "a gold label",
    "total": "a total",
    "weights": "how often an item occurred",
    "attribute": "an attribute of the item",
    "nested": "something other than a label",
    "text": "a text",
    "group": "a group of items",
    "unlike": "something else",
}


@dataclass(frozen=True)
class Verdict:
    """The probable role of a column, and the reason."""

    column: str
    role: str
    why: str


@dataclass(frozen=True)
class Evidence:
    """What is known of a column and the columns beside it."""

    profile: Profile
    named: str | None
    nested: bool
    shared: float
    among: Sequence[Profile]

    @property
    def others(self) -> list[Profile]:
        """The columns that may be coders."""
        return [one for one in self.among if one.name != self.profile.name]

    @property
    def names_items(self) -> bool:
        """Whether all rows have different values."""
        return self.profile.all_different and self.profile.complete

    @property
    def alone(self) -> bool:
        """Whether other columns share almost none of its values."""
        return bool(self.others) and self.shared < LEAST_SHARED

    @property
    def unlike_others(self) -> bool:
        """Whether its values all differ while those of all other columns repeat."""
        return self.profile.rows >= FEWEST_DIFFERENT and all(
            one.distinct <= REPEATS * one.filled for one in self.others
        )


@dataclass(frozen=True)
class Rule:
    """A role and its condition; the first rule that holds decides."""

    role: str
    why: str
    holds: Callable[[Evidence], bool]


def _judged(column: Evidence) -> bool:
    return column.profile.filled >= FEWEST_CELLS


RULES = (
    Rule("nested", "it holds lists or objects", lambda c: c.nested),
    *(
        Rule(role, "its name", lambda c, role=role: c.named == role)  # type: ignore[misc]
        for role in ("comment", "gold", "total", "weights", "attribute")
    ),
    Rule("item", "its name, and its values all differ",
         lambda c: c.named == "item" and c.names_items),
    Rule("gold", "its name, and it has the labels of other columns",
         lambda c: names_answer_key(c.profile.name) and not c.names_items and not c.alone),
    Rule("text", "its cells are long", lambda c: c.profile.length >= LONG_TEXT
         and c.profile.distinct > REPEATS * c.profile.filled and c.alone and not c.names_items),
    Rule("group", "its name, and no other column has its values",
         lambda c: c.named == "item" and c.alone),
    Rule("item", "its values all differ, and no other column has them",
         lambda c: _judged(c) and c.names_items and c.alone),
    Rule("item", "it counts the rows",
         lambda c: c.names_items and c.profile.counting and c.profile.rows >= FEWEST_IN_ORDER
         and not any(one.ascending for one in c.others)),
    Rule("item?", "its texts all differ",
         lambda c: c.names_items and not c.profile.numbers
         and c.profile.rows >= FEWEST_DIFFERENT),
    Rule("item?", "its numbers ascend",
         lambda c: c.names_items and c.profile.ascending and c.profile.rows >= FEWEST_IN_ORDER
         and not all(one.ascending for one in c.others)),
    Rule("item?", "it holds the numbers of the rows",
         lambda c: c.names_items and c.profile.numbers_rows
         and c.profile.rows >= FEWEST_IN_ORDER
         and not any(one.numbers_rows for one in c.others)),
    Rule("item?", "its values all differ, and those of others repeat",
         lambda c: bool(c.others) and c.names_items and c.unlike_others),
)  # fmt: skip

#: Applied to columns after those that name items are set aside.
LAST_RULE = Rule(
    "unlike", "it shares no label with other columns", lambda c: _judged(c) and c.alone
)

BEYOND = Rule(
    "weights", "its numbers go beyond those of all others, as frequencies do", lambda c: False
)

CODER = Rule("coder", "its labels", lambda c: True)


def settle_coders(reader: Reader, roles: Roles, asked: Asked, files: Sequence[File]) -> Roles:
    """Find the column of items among the unnamed columns, and refuse columns that are not coders.

    Parameters
    ----------
    reader : Reader
    roles : Roles
        Their coders are all columns without another role.
    asked : Asked
    files : sequence of File

    Returns
    -------
    Roles
        With the item, if one column clearly names the items; a note says so.

    Raises
    ------
    ReadError
        If columns seem not to be coders; lists all columns with their roles, and the remedy.
    """
    roles = _leave_out_empty(profiles := look_at(reader, roles.coders, asked, files), roles, files)
    verdicts = judge(profiles, roles.coders, _nested(files))
    _refuse_unnamed(verdicts, files)
    items = [one.column for one in verdicts if one.role == "item"]
    coders = [one.column for one in verdicts if one.role == "coder"]
    if len(coders) == len(verdicts):
        return roles
    if not coders and len(items) == len(verdicts):
        raise ReadError(f"no coder columns: {columns_of(files[0])}")
    if asked.item is None and len(items) == 1 and len(coders) == len(verdicts) - 1:
        why = next(one.why for one in verdicts if one.role == "item")
        note = f"items are named by column {show(items[0])}: {why}"
        guessed = tuple(dict.fromkeys(["item", *roles.guessed]))
        check_everywhere(items, files)
        return replace(
            roles, item=items[0], coders=tuple(coders), guessed=guessed, notes=(*roles.notes, note)
        )
    raise ReadError(_question(verdicts, asked))


def _leave_out_empty(profiles: Profiles, roles: Roles, files: Sequence[File]) -> Roles:
    """Leave out columns that have neither a name nor a filled cell."""
    unnamed = {name for file in files for name in file.unnamed}
    empty = [name for name in roles.coders if name in unnamed and not profiles[name].filled]
    if not empty or len(empty) == len(roles.coders):
        return roles
    note = f"{' and '.join(map(show, empty))} without a name or a value left out"
    coders = tuple(name for name in roles.coders if name not in empty)
    return replace(roles, coders=coders, notes=(note,))


def _refuse_unnamed(verdicts: Sequence[Verdict], files: Sequence[File]) -> None:
    """Refuse columns without a name that do not name the items: they may not be coders."""
    for file in files:
        found = [one.column for one in verdicts
                 if one.column in file.unnamed and one.role not in ("item", "item?")]  # fmt: skip
        if found:
            which = "column" if len(found) == 1 else "columns"
            more = f" and {len(found) - LISTED:,} more" if len(found) > LISTED else ""
            raise ReadError(
                f"{file.shown}: {which} {', '.join(map(show, found[:LISTED]))}{more} without a"
                f" name in the header, row {file.header_row:,}: write names there, pass --skip-rows"
                f" {file.header_row} if the header is further below, or --exclude"
                f" {_listed(found)} if they are not coders"
            )


def judge(profiles: Profiles, columns: Sequence[str], nested: Mapping[str, bool]) -> list[Verdict]:
    """Return the probable role of each column."""
    named = {name: role_of_name(name) for name in columns}
    plain = [name for name in columns if named[name] in (None, "item") and not nested[name]]

    # Columns with names of items are no examples of labels.
    unnamed = [name for name in plain if named[name] is None]
    shared = {
        name: profiles.shared(dict.fromkeys([*unnamed, name]))[name]
        for name in plain
        if named[name] == "item"
    } | profiles.shared(unnamed)
    among = [profiles[name] for name in unnamed if profiles[name].filled]
    found = {}
    for name in columns:
        column = Evidence(profiles[name], named[name], nested[name], shared.get(name, 0.0), among)
        found[name] = next((rule for rule in RULES if rule.holds(column)), CODER)
    left = [name for name in columns if found[name] is CODER]
    among = [profiles[name] for name in left if profiles[name].filled]
    for name, share in profiles.shared(left).items():
        if LAST_RULE.holds(Evidence(profiles[name], named[name], nested[name], share, among)):
            found[name] = LAST_RULE
    beyond = _beyond_all(profiles, [name for name in columns if found[name] is CODER])
    if beyond is not None:
        found[beyond] = BEYOND
    return [Verdict(name, rule.role, rule.why) for name, rule in found.items()]


def _beyond_all(profiles: Profiles, columns: Sequence[str]) -> str | None:
    """Return the column whose numbers lie beyond the scale that all other columns share."""
    filled = [profiles[name] for name in columns if profiles[name].filled]
    if len(filled) < 3 or not all(one.whole for one in filled):
        return None
    *others, last = sorted(filled, key=lambda one: one.high)
    highest = others[-1].high
    if not highest <= SCALE[1] < last.high:
        return None
    above = profiles.count_above(last.name, highest)
    return last.name if above >= FEWEST_CELLS and 2 * above >= last.distinct else None


def _nested(files: Sequence[File]) -> dict[str, bool]:
    """Return which columns hold lists or objects."""
    return {
        name: re.search(r"\]$|^(STRUCT|MAP|UNION|LIST)", kind) is not None
        for file in files
        for name, kind in zip(file.columns, file.types, strict=True)
    }


def _question(verdicts: Sequence[Verdict], asked: Asked) -> str:
    """Return the message that lists the columns with their roles, and what to write."""
    odd = [one for one in verdicts if one.role != "coder"]
    coders = [one.column for one in verdicts if one.role == "coder"]
    listed = [f"{show(one.column)} looks like {SHOWN[one.role]} ({one.why})" for one in odd]
    if len(listed) > LISTED:
        listed[LISTED:] = [f"{len(odd) - LISTED:,} more are not coders"]
    if coders:
        some = ", ".join(show(name) for name in coders[:LISTED])
        more = f" and {len(coders) - LISTED:,} more" if len(coders) > LISTED else ""
        listed.append(f"{some}{more} {'looks' if len(coders) == 1 else 'look'} like coders")
    advice = [" ".join(_options(odd, asked))] if len(coders) > 1 else []
    # The remaining columns may be coders who never agree.
    likely = coders if len(coders) > 1 else [
        one.column for one in verdicts if one.role in ("coder", "unlike", "item?")
    ]  # fmt: skip
    more = ",..." if len(likely) > LISTED else ""
    named = _listed(likely[:LISTED]) + more if len(likely) > 1 else "A,B,C"
    advice.append(f"--coder {named} to name the coders")
    return f"cannot tell which columns are coders: {'; '.join(listed)}: pass {', or '.join(advice)}"


def _options(odd: Sequence[Verdict], asked: Asked) -> list[str]:
    """Return the options that give each odd column its role."""
    rest = [one.column for one in odd]
    options = []
    for option, given, roles in (
        ("--item", asked.item, ("item", "item?")),
        ("--weights", asked.weights, ("weights",)),
    ):
        fit = [one.column for role in roles for one in odd if one.role == role]
        if fit and given is None:
            options.append(f"{option} {_listed(fit[:1])}")
            rest.remove(fit[0])
    return options + ([f"--exclude {_listed(rest)}"] if rest else [])


def _listed(names: Iterable[str]) -> str:
    """Return names in the form of an option's value."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(list(names))
    return shlex.quote(line.getvalue())
