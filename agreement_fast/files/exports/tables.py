"""Tables of judgments: MTurk and Appen (crowds), Covidence and Rayyan (systematic reviews)."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.streams import Look, Varying, Wrong, csv_rows, look_at
from agreement_fast.files.exports.tool import Contents, Options, Tool

Row: TypeAlias = dict[str, str]


class Declared(NamedTuple):
    """The columns of a tool's table."""

    #: Those that name items and coders: every row that counts must have a value there.
    ids: tuple[str, ...]
    #: Others that the table must have.
    others: tuple[str, ...] = ()
    #: Says what a row is that does not count; "" if it counts.
    out: Callable[[Row], str] = lambda row: ""

    def rows(self, files: Iterable[Member], out: Contents, *, count: bool = True) -> Iterator[Row]:
        """Yield the rows that count; count the others, or only look.

        Raises an error if a column is missing, or a row has no id.
        """
        for member in files:
            rows = csv_rows(member, (*self.ids, *self.others), out.options.encoding)
            for row in out.walk(member, rows, "a row"):
                if what := self.out(row):
                    out.leave_out(what, count)
                    continue
                for name in self.ids:
                    if not row[name].strip():
                        raise Wrong(f"{show(name)} is empty")
                yield row


_ANSWER, _TASK = "Answer.", "Answer.taskAnswers"
_BOOLEANS = {"true": True, "false": False, "": None}


class Reader:
    """Reads answers after looking at all rows.

    A column "Answer.QUESTION.OPTION" with only true and false is an option. A column with "|" in a
    cell has several choices.
    """

    def __init__(self) -> None:
        self._texts: dict[str, bool] = {}
        self._several: set[str] = set()
        self._in_json: dict[str, None] = {}
        self._columns: dict[str, dict[str, str]] = defaultdict(dict)

    def look_at(self, row: Mapping[str, str]) -> None:
        """Look at a row before any is read."""
        for column, cell in row.items():
            if column.startswith(_ANSWER) and column != _TASK:
                self._texts[column] = self._texts.get(column, False) or (
                    cell.strip().lower() not in _BOOLEANS
                )
                if "|" in cell:
                    self._several.add(column)
        if row.get(_TASK):
            self._in_json.update((question, None) for question, _ in _of_json(row[_TASK]))

    def decide(self) -> list[str]:
        """Identify the columns after looking at all rows; return the questions."""
        for column, text in self._texts.items():
            name = column.removeprefix(_ANSWER)
            question, _, option = name.rpartition(".")
            is_option = question and option and not text
            self._columns[question if is_option else name][option if is_option else ""] = column
        return list({**self._columns, **self._in_json})

    def answers(self, row: Mapping[str, str], out: Contents) -> Iterator[tuple[str, Any]]:
        """Yield the questions that a row answers, and the labels."""
        for question, columns in self._columns.items():
            if "" not in columns:
                chosen = {
                    option: _BOOLEANS[row.get(column, "").strip().lower()]
                    for option, column in columns.items()
                }
                yield question, None if {*chosen.values()} <= {None} else _of_options(chosen)
            elif columns[""] in self._several:
                cell = row.get(columns[""], "").strip()
                yield question, _parts(cell.split("|")) if cell else None
            else:
                yield question, row.get(columns[""], "").strip() or None
        if row.get(_TASK):
            for question, value in _of_json(row[_TASK]):
                with out.at(question, f"{_TASK},"):
                    label = _of_value(value)
                if label is not typed.NO_LABEL:
                    yield question, label
                else:
                    kind = ", ".join(value) if isinstance(value, dict) else type(value).__name__
                    out.leave_out(f"answers of an unknown kind ({show(kind)[1:-1]})")

    def tell(self, out: Contents) -> None:
        """Add a note on the columns that were read as several choices."""
        if self._several:
            names = ", ".join(map(show, sorted(self._several)[:20]))
            out.note(f"answers with | are read as several choices: {names}")


def _parts(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(None, map(str.strip, texts)))


def _of_options(chosen: Mapping[str, bool | None]) -> bool | frozenset[str]:
    """Return the selected options; a single "on" is a checkbox."""
    if list(chosen) == ["on"]:
        return bool(chosen["on"])
    return frozenset(option for option, on in chosen.items() if on)


def _of_json(cell: str) -> Iterator[tuple[str, Any]]:
    try:
        whole = json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"{_TASK} is not JSON ({error})") from None
    for task in whole if isinstance(whole, list) else [whole]:
        if not isinstance(task, dict):
            raise Wrong(f"{_TASK} must hold objects, got {typed.written(task)}")
        yield from task.items()


def _of_value(value: Any) -> Any:
    """Return a label, or the begin, end and category of each marked span."""
    if not isinstance(value, dict):
        return typed.label(value)
    if value and all(isinstance(element, bool) for element in value.values()):
        return _of_options(value)
    for key in ("label", "labels"):
        if key in value:
            return typed.label(value[key])
    if "entities" not in value:
        return typed.NO_LABEL
    entities = value["entities"]
    return tuple(
        (
            typed.whole_number(typed.expect(entry, "an entity", dict), "startOffset"),
            typed.whole_number(entry, "endOffset"),
            typed.value(entry, "label", str),
        )
        for entry in (entities if isinstance(entities, list) else [entities])
    )


HIT = "HITId"
_INPUT = "Input."
_NUMBERED = re.compile(r"(.*?)[_\-.]?([0-9]{1,4})")


def _stems(names: Iterable[str]) -> dict[str, dict[int, str]]:
    """Group names that differ in a final number, numbered from 0 or 1 without gaps."""
    stems: dict[str, dict[int, str]] = defaultdict(dict)
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match:
            stems[match[1]][int(match[2])] = name
    for stem, numbered in list(stems.items()):
        first = min(numbered)
        if len(numbered) < 2 or first > 1 or max(numbered) - first >= len(numbered):
            del stems[stem]
    return stems


class Items:
    """Finds the item of each answer.

    A HIT is divided into several items only if the division is certain: the answers q1..qN and the
    inputs id1..idN have the same numbers, and there is only one such input or the user names it.
    """

    def __init__(self, item_from: str | None, headers: Sequence[tuple[str, ...]]) -> None:
        self._from = item_from or HIT
        self._columns = list(dict.fromkeys(name for header in headers for name in header))
        self._inputs = [name for name in self._columns if name.startswith(_INPUT)]
        self._hits: dict[int, str] = {}
        self._posted_twice: set[int] = set()
        self._of: dict[str, tuple[str, str]] = {}

    def look_at(self, row: Mapping[str, str]) -> None:
        """Look at a row before any is read."""
        if self._inputs:
            key = hash(tuple(row.get(name, "") for name in self._inputs))
            if self._hits.setdefault(key, row[HIT]) != row[HIT]:
                self._posted_twice.add(key)

    def decide(self, requested: Sequence[str], out: Contents, shown: str) -> None:
        """Identify the items after looking at all rows, given the questions."""
        self._hits.clear()
        inputs, questions = _stems(self._inputs), _stems(requested)
        numbers = [question.keys() for question in questions.values()]
        alike = {stem: numbered for stem, numbered in inputs.items() if numbered.keys() in numbers}
        chosen = alike.get(self._from)
        if chosen is None and self._from == HIT and len(alike) == 1:
            (chosen,) = alike.values()
        if chosen is not None:
            for stem, numbered in questions.items():
                if numbered.keys() == chosen.keys():
                    for number, name in numbered.items():
                        self._of[name] = stem or "answer", chosen[number]
            column = show(min(chosen.values()))
            out.note(f"each HIT has {len(chosen)} items, named by columns such as {column}")
            if self._from not in self._columns:
                self._from = HIT
        elif self._from not in self._columns:
            raise ReadError(
                f"--item-from must be a column of {shown} ({HIT},"
                f" {', '.join(map(show, self._inputs[:20]))}), got {show(self._from)}",
                argument="item_from",
            )
        elif len(alike) > 1 and self._from == HIT:
            out.note(
                "a HIT seems to have several items, and its questions are read separately:"
                f" --item-from {' or '.join(map(show, alike))} names the items"
            )
        if self._posted_twice and self._from == HIT and chosen is None:
            out.note(
                f"{len(self._posted_twice):,} inputs were posted in several HITs, and each HIT is"
                f" an item: --item-from {self._inputs[0]} combines them"
            )

    def item(self, row: Mapping[str, str], name: str) -> tuple[str, str]:
        """Return the question and the item of an answer."""
        question, column = self._of.get(name, (name, self._from))
        return question, row.get(column, "")

    def inputs(self, row: Mapping[str, str], name: str) -> dict[str, str]:
        """Return the inputs of an answer's item: of numbered ones, those of its number."""
        own = _NUMBERED.fullmatch(self._of[name][1]) if name in self._of else None
        numbers = {column: _NUMBERED.fullmatch(column) for column in self._inputs}
        return {
            column.removeprefix(_INPUT): row.get(column, "")
            for column, number in numbers.items()
            if own is None or number is None or number[2] == own[2]
        }


_WORKER, _STATUS = "WorkerId", "AssignmentStatus"


class MTurk(Tool):
    """Reads batch results; answers are questions, and HITs are items."""

    name = "mturk"
    title = "Amazon Mechanical Turk (batch results)"
    options = ("item_from",)
    columns = True

    def holds(self, look: Look) -> bool:
        """Whether a table has HITs, workers, and inputs or answers."""
        is_task = any(name.startswith((_ANSWER, _INPUT)) for name in look.columns)
        return is_task and look.has(HIT, _WORKER)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Look at all rows to identify the columns, and then read them."""

        def out_as(row: Row) -> str:
            if row.get(_STATUS, "").strip().lower() == "rejected":
                return "rejected assignments"
            return "" if row[_WORKER] else "HITs without an assignment"

        table = Declared((HIT, _WORKER), out=out_as)
        answers = Reader()
        items = Items(options.item_from, [look_at(member).columns for member in bundle.members])
        for row in table.rows(bundle.members, out, count=False):
            answers.look_at(row)
            items.look_at(row)
        items.decide(answers.decide(), out, bundle.shown)
        for row in table.rows(bundle.members, out):
            for name, label in answers.answers(row, out):
                question, item = items.item(row, name)
                if options.keep_texts and item not in out.texts:
                    out.describe(item, items.inputs(row, name))
                if not item:
                    out.leave_out("answers without an item")
                elif isinstance(label, tuple):
                    spans = out.spans_of(question, "entities")
                    spans.see(item, row[_WORKER])
                    for begin, end, category in label:
                        spans.mark(item, row[_WORKER], [(begin, end)], category)
                else:
                    out.answers_to(question, "answers").add(item, row[_WORKER], label)
        answers.tell(out)


_UNIT, _ID = "_unit_id", "_worker_id"
#: Columns that mark judgments that do not count, and the name of what is left out.
_OUT = {"_tainted": "tainted judgments", "_golden": "judgments of test questions"}
_YES, _NO = ("true", "1"), ("false", "0", "")


class Appen(Tool):
    """Reads reports of Appen; questions are the columns that workers filled in."""

    name = "appen"
    title = "Appen (full report)"
    options = ("count_empty",)
    columns = True

    def holds(self, look: Look) -> bool:
        """Whether a table has units and workers."""
        return look.has(_UNIT, _ID)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Find the questions, and then read the judgments.

        Questions are the columns with a gold answer, and those that vary within a unit.
        """

        def out_as(row: Row) -> str:
            for name, what in _OUT.items():
                if (cell := row.get(name, "").strip().lower()) in _YES:
                    return what
                if cell not in _NO:
                    raise Wrong(f"{show(name)} must be true or false, got {show(row[name])}")
            return ""

        table = Declared((_UNIT, _ID))
        several: set[str] = set()
        varying = Varying()
        for row in table.rows(bundle.members, out):
            cells = {name: cell for name, cell in row.items() if _may_be_data(name)}
            several.update(name for name, cell in cells.items() if "\n" in cell.strip())
            varying.look(row[_UNIT], cells)
        headers = [look_at(member).columns for member in bundle.members]
        columns = dict.fromkeys(name for header in headers for name in header)
        data = [name for name in columns if _may_be_data(name)]
        names = [name for name in data if f"{name}_gold" in columns or name in varying.names]
        for row in table._replace(out=out_as).rows(bundle.members, out):
            shown = {name: row.get(name, "") for name in data if name not in names}
            out.describe(row[_UNIT], shown)
            for name in names:
                cell = row.get(name, "").strip()
                label: str | frozenset[str] = cell
                if name in several:
                    label = _parts(cell.splitlines())
                counts = label or (name in several and options.count_empty)
                kind = "several answers" if name in several else "answers"
                out.answers_to(name, kind).add(row[_UNIT], row[_ID], label if counts else None)
        if constant := [show(name) for name in data if name not in names]:
            out.note(
                "columns that have no gold answer and are the same in all judgments of a unit"
                f" are read as data, not as questions: {', '.join(constant[:20])}"
            )
        if multiple := [show(name) for name in names if name in several]:
            listed = ", ".join(multiple[:20])
            out.note(f"answers of several lines are read as several choices: {listed}")


def _may_be_data(name: str) -> bool:
    return bool(name) and not name.startswith(("_", "orig_")) and not name.endswith("_gold")


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
                _read_counts(member, out, several=len(bundle.members) > 1)
            elif look.has(_NUMBER, _REVIEWER):
                questions = [name for name in look.columns if name not in _REFERENCE and name]
                for row in Declared((_NUMBER, _REVIEWER), tuple(questions)).rows((member,), out):
                    reviewer = row[_REVIEWER].strip()
                    if reviewer == _CONSENSUS:
                        if not options.with_curation:
                            out.leave_out("rows of the consensus")
                            continue
                        reviewer = "curator"
                    out.describe(row[_NUMBER].strip(), {"title": row.get("Title")})
                    for name in questions:
                        answers = out.answers_to(name, "extracted data")
                        answers.add(row[_NUMBER].strip(), reviewer, row[name].strip() or None)
            else:
                raise ReadError(
                    f"{member.shown} lists studies, but not the votes of each reviewer: in"
                    " Covidence choose Export, inter-rater reliability, or the extracted data of"
                    " all reviewers"
                )


def _read_counts(member: Member, out: Contents, *, several: bool) -> None:
    """Add one study for each counted pair of votes."""
    question = f"vote ({member.stem})" if several else "vote"
    answers = out.answers_to(question, "votes")
    named, total = look_at(member).has(*_REVIEWERS), 0
    for number, row in enumerate(Declared((), tuple(_COUNTS)).rows((member,), out)):
        if number and not named:
            both = " and ".join(map(repr, _REVIEWERS))
            raise Wrong(f"there are several pairs, but no columns {both} to tell them apart")
        pair = [row[name].strip() if named else name for name in _REVIEWERS]
        if not all(pair):
            # A row of totals.
            out.leave_out("rows without two reviewers")
            continue
        if pair[0] == pair[1]:
            raise Wrong(f"both reviewers are called {show(pair[0])}")
        for column, votes in _COUNTS.items():
            value = row[column].strip()
            if re.fullmatch(r"[0-9]{1,9}", value) is None:
                raise Wrong(f"{show(column)} must be a count, got {show(value)}")
            total += (count := int(value))
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
        for row in Declared(("key",), ("notes",)).rows(members, out):
            for what, pattern in _OTHERS.items():
                if pattern.search(row["notes"]):
                    out.leave_out(what)
            out.describe(row["key"], {name: row.get(name) for name in ("title", "abstract")})
            before = len(answers)
            with out.at(row["key"], "key"):
                for name, decision in _decisions(row["notes"]):
                    answers.add(row["key"], name, decision or None)
            if len(answers) == before:
                out.leave_out("references without a decision")
        if not len(answers):
            out.note("no decision names a reviewer: Rayyan exports names only when blinding is off")


def _decisions(notes: str) -> Iterator[tuple[str, str]]:
    """Yield reviewers and their decisions."""
    start = _INCLUSION.search(notes) or _ANYWHERE.search(notes)
    if start is None:
        return
    expected, at = '"name"=>"decision"', start.end()
    if not start[0].endswith("{"):
        got = show(notes[start.start() :][:60])
        expected = f"RAYYAN-INCLUSION: {{{expected}}}"
        raise Wrong(f"expected {expected} in the notes, got {got}")
    if _END.match(notes, at):
        return
    while True:
        pair = _PAIR.match(notes, at)
        if pair is None:
            got = show(notes[at : at + 40])
            raise Wrong(f"expected {expected} in the notes, got {got}")
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
