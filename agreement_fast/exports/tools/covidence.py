"""Covidence CSVs with the decisions of each reviewer: counts of votes, and extracted data."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.csv_stream import Declared
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import every, look_at
from agreement_fast.exports.tool import Options, Tool
from agreement_fast.files.errors import ReadError, show

__all__ = ["Covidence"]

#: The columns of counts, and the votes of the two reviewers for each.
_COUNTS = {
    "A Yes, B Yes": ("yes", "yes"),
    "A Yes, B No": ("yes", "no"),
    "A No, B Yes": ("no", "yes"),
    "A No, B No": ("no", "no"),
}
_REVIEWERS = ("Reviewer A", "Reviewer B")
_NUMBER = "Covidence #"
_REVIEWER = "Reviewer Name"
_REFERENCE = {_NUMBER, _REVIEWER, "Study ID", "Title", "Study", "DOI", "Ref"}
_CONSENSUS = "Consensus"
#: The largest number of studies in a file of counts.
_MOST = 20_000_000


class Covidence(Tool):
    """Reads counts of pairs of votes, or one row per reviewer and study."""

    name = "covidence"
    title = "Covidence (CSV)"
    options = ("with_curation",)
    columns = True

    def recognise(self, bundle: Bundle) -> bool:
        """Whether the tables have the columns of Covidence."""
        return every(bundle, lambda look: look.has(*_COUNTS) or look.has(_NUMBER))

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read each table according to its kind."""
        for member in bundle.members:
            look = look_at(member)
            if look.has(*_COUNTS):
                _read_counts(member, found, options, len(bundle.members) > 1)
            elif look.has(_NUMBER, _REVIEWER):
                _read_extraction(member, found, options)
            else:
                raise ReadError(
                    f"{member.shown} lists studies, but not the votes of each reviewer: in"
                    " Covidence choose Export, inter-rater reliability, or the extracted data of"
                    " all reviewers"
                )


def _read_counts(member: Member, found: Found, options: Options, several: bool) -> None:
    """Add one study for each counted pair of votes."""
    question = f"vote ({member.stem})" if several else "vote"
    answers = found.answers_to(question, "votes")
    named = look_at(member).has(*_REVIEWERS)
    total = 0
    for number, (where, row) in enumerate(Declared((), tuple(_COUNTS)).rows((member,), options)):
        if not named and number:
            raise ReadError(f"{where}: there are several pairs, but no columns {_REVIEWERS[0]!r}"
                            f" and {_REVIEWERS[1]!r} to tell them apart")  # fmt: skip
        pair = [row[name].strip() if named else name for name in _REVIEWERS]
        if not all(pair):
            # A row of totals.
            found.leave_out("rows without two reviewers")
            continue
        if pair[0] == pair[1]:
            raise ReadError(f"{where}: both reviewers are called {show(pair[0])}")
        for column, votes in _COUNTS.items():
            count = _count(row, column, where)
            total += count
            if total > _MOST:
                raise ReadError(f"{member.shown} counts more than {_MOST:,} studies")
            for study in range(1, count + 1):
                item = f"{pair[0]} and {pair[1]}: {column} {study}"
                for coder, vote in zip(pair, votes, strict=True):
                    answers.add(item, coder, vote)
    found.note(
        "Covidence counts pairs of votes without naming the studies: each counted study is an item"
    )
    found.note("in screening of titles and abstracts Covidence counts 'maybe' as yes")


def _count(row: Mapping[str, str], column: str, where: str) -> int:
    value = row[column].strip()
    if re.fullmatch(r"[0-9]{1,9}", value) is None:
        raise ReadError(f"{where}: {show(column)} must be a count, got {show(value)}")
    return int(value)


def _read_extraction(member: Member, found: Found, options: Options) -> None:
    """Read the data that each reviewer extracted; each other column is a question."""
    asked = [name for name in look_at(member).columns if name not in _REFERENCE and name]
    table = Declared((_NUMBER, _REVIEWER), tuple(asked))
    for _, row in table.rows((member,), options):
        study, reviewer = row[_NUMBER].strip(), row[_REVIEWER].strip()
        if reviewer == _CONSENSUS:
            if not options.with_curation:
                found.leave_out("rows of the consensus")
                continue
            reviewer = "curator"
        for name in asked:
            answers = found.answers_to(name, "extracted data")
            answers.add(study, reviewer, row[name].strip() or None)
