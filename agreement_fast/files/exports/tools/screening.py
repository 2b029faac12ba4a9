"""Decisions in systematic reviews: CSVs of Covidence and of Rayyan."""

import re
from collections.abc import Iterator, Mapping

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.streams import Declared, Look, look_at
from agreement_fast.files.exports.tool import Options, Tool

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

    def holds(self, look: Look) -> bool:
        """Whether a table has the columns of Covidence."""
        return look.has(*_COUNTS) or look.has(_NUMBER)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read each table according to its kind."""
        for member in bundle.members:
            look = look_at(member)
            if look.has(*_COUNTS):
                _read_counts(member, out, options, len(bundle.members) > 1)
            elif look.has(_NUMBER, _REVIEWER):
                _read_extraction(member, out, options)
            else:
                raise ReadError(
                    f"{member.shown} lists studies, but not the votes of each reviewer: in"
                    " Covidence choose Export, inter-rater reliability, or the extracted data of"
                    " all reviewers"
                )


def _read_counts(member: Member, out: Contents, options: Options, several: bool) -> None:
    """Add one study for each counted pair of votes."""
    question = f"vote ({member.stem})" if several else "vote"
    answers = out.answers_to(question, "votes")
    named = look_at(member).has(*_REVIEWERS)
    total = 0
    for number, (where, row) in enumerate(
        Declared((), tuple(_COUNTS)).rows((member,), options.encoding)
    ):
        if not named and number:
            raise ReadError(f"{where}: there are several pairs, but no columns {_REVIEWERS[0]!r}"
                            f" and {_REVIEWERS[1]!r} to tell them apart")  # fmt: skip
        pair = [row[name].strip() if named else name for name in _REVIEWERS]
        if not all(pair):
            # A row of totals.
            out.leave_out("rows without two reviewers")
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
    out.note(
        "Covidence counts pairs of votes without naming the studies: each counted study is an item"
    )
    out.note("in screening of titles and abstracts Covidence counts 'maybe' as yes")


def _count(row: Mapping[str, str], column: str, where: str) -> int:
    value = row[column].strip()
    if re.fullmatch(r"[0-9]{1,9}", value) is None:
        raise ReadError(f"{where}: {show(column)} must be a count, got {show(value)}")
    return int(value)


def _read_extraction(member: Member, out: Contents, options: Options) -> None:
    """Read the data that each reviewer extracted; each other column is a question."""
    questions = [name for name in look_at(member).columns if name not in _REFERENCE and name]
    table = Declared((_NUMBER, _REVIEWER), tuple(questions))
    for _, row in table.rows((member,), options.encoding):
        study, reviewer = row[_NUMBER].strip(), row[_REVIEWER].strip()
        if reviewer == _CONSENSUS:
            if not options.with_curation:
                out.leave_out("rows of the consensus")
                continue
            reviewer = "curator"
        for name in questions:
            answers = out.answers_to(name, "extracted data")
            answers.add(study, reviewer, row[name].strip() or None)


_INCLUSION = re.compile(r"(?:^|[|\n])\s*RAYYAN-INCLUSION:\s*\{")
#: Decisions may follow other notes and a blank; in quotes, it is a reviewer's name.
_ANYWHERE = re.compile(r'(?<![\w"-])RAYYAN-INCLUSION:(\s*\{)?')
#: Other parts of the notes, which name no reviewer.
_OTHERS = {
    "lists of exclusion reasons that name no reviewer": re.compile(r"\bRAYYAN-EXCLUSION-REASONS:"),
    "lists of labels that name no reviewer": re.compile(r"\bRAYYAN-LABELS:"),
}
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_PAIR = re.compile(rf"\s*{_TEXT}\s*=>\s*(?:{_TEXT}|nil)\s*(,|\}})", re.DOTALL)
_END = re.compile(r"\s*\}")
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_LETTERS = dict(zip("ntreabfv", "\n\t\r\x1b\a\b\f\v", strict=True))


class Rayyan(Tool):
    """Reads decisions about references; the names of reviewers are in the notes."""

    name = "rayyan"
    title = "Rayyan (CSV)"
    suffixes = ("",)
    columns = True

    def holds(self, look: Look) -> bool:
        """Whether a file is a table of references with Rayyan's notes."""
        known = "RAYYAN-" in look.text or look.has("authors", "abstract")
        return known and look.has("key", "title", "notes")

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the decisions in the notes of each reference."""
        answers = out.answers_to("inclusion", "screening decisions")
        members = [member for member in bundle.members if look_at(member).has("key", "notes")]
        if not members:
            raise ReadError(f"{bundle.shown} has no columns 'key' and 'notes', as Rayyan's CSV has")
        out.leave_out("other files", len(bundle.members) - len(members))
        for where, row in Declared(("key",), ("notes",)).rows(members, options.encoding):
            for what, pattern in _OTHERS.items():
                if pattern.search(row["notes"]):
                    out.leave_out(what)
            before = len(answers)
            for name, decision in _decisions(row["notes"], f"{where}, key {show(row['key'])}"):
                answers.add(row["key"], name, decision or None)
            if len(answers) == before:
                out.leave_out("references without a decision")
        if not len(answers):
            out.note("no decision names a reviewer: Rayyan exports names only when blinding is off")


def _decisions(notes: str, where: str) -> Iterator[tuple[str, str]]:
    """Yield reviewers and their decisions."""
    start = _INCLUSION.search(notes) or _ANYWHERE.search(notes)
    if start is None:
        return
    if not start[0].endswith("{"):
        raise ReadError(
            f'{where}: expected RAYYAN-INCLUSION: {{"name"=>"decision"}} in the notes, got'
            f" {show(notes[start.start() :][:60])}"
        )
    at = start.end()
    if _END.match(notes, at):
        return
    while True:
        pair = _PAIR.match(notes, at)
        if pair is None:
            raise ReadError(
                f'{where}: expected "name"=>"decision" in the notes, got'
                f" {show(notes[at : at + 40])}"
            )
        yield _unescape(pair[1]), _unescape(pair[2] or "")
        if pair[3] == "}":
            return
        at = pair.end()


def _unescape(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] == "u" and len(code) > 1:
            point = int(code[1:].strip("{}"), 16)
            return chr(point) if point <= 0x10FFFF else match[0]
        return _LETTERS.get(code, code)

    return _ESCAPE.sub(plain, text)
