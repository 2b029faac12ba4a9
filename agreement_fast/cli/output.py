"""What the command prints: texts, what was read, and errors of one line."""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agreement_fast.cli.wording import UsageError
from agreement_fast.present.documents import json_fields, json_label
from agreement_fast.present.sections import Brief, Full, Rule, Section, Terms
from agreement_fast.present.terminal import (
    and_more,
    counted,
    escape,
    letters,
    show_label,
    some_of,
    spell_label,
)

if TYPE_CHECKING:
    from agreement_fast.cli.reading import Read
    from agreement_fast.files import Source, Workplace
    from agreement_fast.options import Incomplete


USAGE_ERROR = 2

#: Version of the JSON documents; it grows when a field changes or is removed.
SCHEMA_VERSION = 2

#: Options that only choose the form of a result, and whether a file follows.
FORMS = {
    **dict.fromkeys(("--full", "--json", "--markdown", "--latex"), False),
    **dict.fromkeys(("--csv", "--csv-for-spreadsheets", "--html", "--figure"), True),
}


def version() -> str:
    """Give the version of the package."""
    from agreement_fast import __version__

    return __version__


def write(text: str) -> None:
    """Print a text; characters that the standard output cannot encode are escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("\u2026", "...")
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_output()
        raise UsageError(f"the output cannot be written: {error.strerror or error}") from None


def forget_output() -> None:
    """Drop what could not be printed: Python would complain once more when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, code: int = USAGE_ERROR) -> int:
    """Print one line on the standard error, and give the exit code."""
    if sys.stderr is None:
        return code
    line = escape(message.replace("\n", " "))
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    line = line.encode(encoding, "backslashreplace").decode(encoding)
    with contextlib.suppress(OSError):
        print(f"agreement-fast: {line}", file=sys.stderr, flush=True)
    return code


def terminal_width(most: int = 96) -> int:
    """Give the columns to which texts are wrapped; tables may have more of a wide terminal."""
    return min(max(shutil.get_terminal_size((96, 24)).columns, 80), most)


# ---------------------------------------------------------------------------------------------
# What was read


def opening(read: Read, notes: Iterable[str] | None = None) -> Section:
    """Give the first section of a text: what was read."""
    arguments = read.arguments
    return read_section(
        read.source,
        read.notes if notes is None else notes,
        missing=arguments.missing,
        incomplete=arguments.incomplete,
    )


def read_section(
    source: Source,
    notes: Iterable[str],
    *,
    missing: Sequence[str] = (),
    incomplete: Incomplete = "published",
) -> Section:
    """Say which files were read, how they were understood, and what is remarkable."""
    from agreement_fast.files.formats import FORMATS

    # The end of a long path tells more than its beginning, and leaves room for the rest.
    ends = [name if len(name) <= 64 else "…" + name[-63:] for name in source.files[:5]]
    names = ["standard input" if name == "-" else show_label(name, 200) for name in ends]
    titles = (FORMATS[name].title if name in FORMATS else name for name in source.formats)
    kinds = " and ".join(dict.fromkeys(titles))
    wide = source.layout in ("wide", "counts", "contingency")
    if wide:
        what = "coders" if source.layout == "wide" else "categories"
        columns = [f"{what} are {some_of(source.coders, 12)}"]
        if source.item is not None:
            columns.insert(0, f"item is {show_label(source.item)}")
    elif source.columns:
        columns = [f"{role} is {show_label(name)}" for role, name in source.columns if name]
    elif source.layout == "export":
        columns = [show_label(source.label)]
    else:
        roles = (("item", source.item), ("coder", source.coder), ("label", source.label))
        columns = [f"{role} is {show_label(name)}" for role, name in roles]
    if source.weights is not None:
        columns.append(f"weights are {show_label(source.weights)}")
    layout = "" if source.layout == "export" else f", {source.layout}"
    rows = f"{source.rows:,}"
    if source.where is not None:
        n_left_out = source.rows_in_files - source.rows
        rows += f" of {source.rows_in_files:,}, where {show_label(source.where, 200)}"
        rows += f"; {n_left_out:,} left out"

    of_export = source.layout == "export"
    pairs = [
        ("files", f"{and_more(names, len(source.files))} ({kinds}{layout})"),
        ("question" if of_export else "columns", ", ".join(columns)),
    ]
    # What is in doubt is never left out of an answer.
    pairs += [
        ("guessed", f"{', '.join(source.guessed)}, from {why}")
        for _, _, why in source.recognition.guessed[:1]
    ]
    place = len(pairs)
    if missing:
        pairs.append(("missing", ", ".join(map(show_label, missing)) + " and empty cells"))
    if incomplete != "published":
        pairs.append(("incomplete", incomplete))
    pairs += [("note", note) for note in notes]
    every = [*pairs[:place], ("judgments" if of_export else "rows", rows), *pairs[place:]]
    brief = pairs if source.where is None else every
    return Section("Read", [Brief(Terms(brief, wide=12)), Full(Terms(every, wide=12))])


def show_group(group: Any) -> str:
    """Name a group of ``--by``, which of several columns is a tuple."""
    if isinstance(group, tuple):
        return ", ".join("no value" if value is None else show_label(value) for value in group)
    return "no value" if group is None else show_label(group, 48)


def title_of(source: Source) -> str:
    """Name what was read, without folders, which may be private."""
    if source.files == ("-",):
        return "standard input"
    names = [os.path.basename(name) for name in source.files]
    return and_more(names[:1], len(names))


def group_heading(column: str, group: Any, rows: int) -> Section:
    """Name a group of ``--by``, underlined."""
    head = f"{show_label(column)}: {show_group(group)} ({counted(rows, 'row')})"
    return Section(head, [Rule(len(head))])


def head_of(arguments: argparse.Namespace, *sources: Source) -> dict[str, Any]:
    """Begin a JSON document: what computed it, and the call that computes it again."""
    import platform
    from importlib import metadata

    return {
        "agreement_fast": version(),
        "schema_version": SCHEMA_VERSION,
        "command": arguments.command,
        "computed": {
            "call": None if is_anonymous(arguments) else pinned_call(arguments, *sources),
            "rng": getattr(arguments, "rng", None),
            "versions": {
                "agreement_fast": version(),
                "python": platform.python_version(),
                **{name: metadata.version(name) for name in ("numpy", "scipy")},
            },
        },
    }


def document_of(
    arguments: argparse.Namespace, source: Source, notes: Sequence[str]
) -> dict[str, Any]:
    """Begin a JSON document: what computed it, and what was read."""
    return {
        **head_of(arguments, source),
        "source": source_document(arguments, source, notes),
    }


def pinned_call(arguments: argparse.Namespace, *sources: Source) -> str:
    """Give the call with the columns that were guessed, and without what only writes files."""
    words, typed = ["agreement-fast"], iter(arguments.typed)
    for word in typed:
        option, equals, _ = word.partition("=")
        if option not in FORMS:
            words.append(word)
        elif FORMS[option] and not equals:
            next(typed, None)
    given = {word.partition("=")[0] for word in words}
    named: dict[str, Any] = {}
    for source in sources:
        columns = {**vars(source), **dict(source.columns)}
        named |= {role: columns[role] for role in source.guessed}
        if source.layout in ("long", "wide", "counts", "contingency"):
            named["layout"] = source.layout
    if getattr(arguments, "duplicates", None) == "set":  # which codes that have rows show
        named["duplicates"] = "set"
    for role, value in named.items():
        option = "--coder" if role == "coders" else f"--{role}"
        if value and option not in given and hasattr(arguments, option[2:]):
            words += [option, value if isinstance(value, str) else _as_list(value)]
    return shlex.join(words)


def typed_call(arguments: argparse.Namespace) -> str | None:
    """Give the command as it was typed; None with --anonymous, as it may name coders."""
    if is_anonymous(arguments):
        return None
    return shlex.join(["agreement-fast", *arguments.typed])


def _as_list(names: Iterable[str]) -> str:
    """Write names as one line of CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="").writerow(names)
    return file.getvalue()


def keep_digests(arguments: argparse.Namespace, workplace: Workplace, names: Sequence[str]) -> None:
    """Compute what identifies the content of files, if a document will hold it."""
    if arguments.json or arguments.html:
        for name, shown in zip(names, _shown_names(arguments, names), strict=True):
            arguments.digests[shown] = digest(workplace.path_of(name))


def is_anonymous(arguments: argparse.Namespace) -> bool:
    """Whether no output may name coders, items and files."""
    return bool(getattr(arguments, "anonymous", False))


def renamed(arguments: argparse.Namespace, what: str, names: Iterable[Any]) -> list[Any]:
    """Give the letters of coders, or the numbers of items or others, alike in the whole command."""
    known: dict[Any, Any] = arguments.renamed.setdefault(what, {})
    names = list(names)
    new = [name for name in dict.fromkeys(names) if name not in known]
    n = len(known) + len(new)
    others = letters(n) if what == "coder" else range(1, n + 1)
    known |= zip(new, others[len(known) :], strict=True)
    return [known[name] for name in names]


def _shown_names(arguments: argparse.Namespace, files: Sequence[str]) -> Sequence[str]:
    return [f"file {i + 1}" for i in range(len(files))] if is_anonymous(arguments) else files


def shown_source(arguments: argparse.Namespace, source: Source) -> Source:
    """Give what was read as outputs name it: with --anonymous, neither files nor coders."""
    if not is_anonymous(arguments):
        return source
    return replace(
        source,
        files=tuple(_shown_names(arguments, source.files)),
        coders=letters(len(source.coders)) if source.layout == "wide" else source.coders,
        where=source.where and "(a condition)",
    )


def shown_notes(
    arguments: argparse.Namespace, notes: Sequence[str], names: Iterable[Any]
) -> Sequence[str]:
    """Leave out the notes that name coders, items or files, with --anonymous; say how many."""
    if not is_anonymous(arguments):
        return notes
    words = list(map(spell_label, names))

    def names_one(note: str) -> bool:
        known = (word for word in words if word in note)
        parts = re.findall("'(.+?)'", note)  # what names of files share
        return any(part in file for part in parts for file in arguments.files) or any(
            re.search(rf"(?<!\w){re.escape(word)}(?!\w)", note) for word in known
        )

    kept = [note for note in notes if not names_one(note)]
    left = len(notes) - len(kept)
    more = (
        f"{counted(left, 'note')} that may name coders, items or files: run it without --anonymous"
    )
    return [*kept, more] if left else kept


def digest(path: str) -> str:
    """Give the SHA-256 of a file; of a folder, that of the names and digests of its files."""
    import hashlib

    if os.path.isdir(path):
        below = sorted(entry for entry in Path(path).rglob("*") if entry.is_file())
        lines = (f"{digest(str(entry))}  {entry.relative_to(path).as_posix()}\n" for entry in below)
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def source_document(
    arguments: argparse.Namespace, source: Source, notes: Sequence[str]
) -> dict[str, Any]:
    """Give what was read as ``source`` of a JSON document."""
    columns: dict[str, Any] | None = {
        "item": source.item,
        "coder": source.coder,
        "label": source.label,
        "coders": list(source.coders) or None,
        "weights": source.weights,
        "by": source.by,
    }
    if source.columns:
        columns = dict(source.columns)
    of_export = {}
    if source.layout == "export":
        columns, of_export = None, {"question": source.label}
    return {
        "files": [
            {"name": name, "format": form, "sha256": arguments.digests.get(name)}
            for name, form in zip(source.files, source.formats, strict=True)
        ],
        "layout": source.layout,
        **of_export,
        "columns": columns,
        "guessed": list(source.guessed),
        "where": source.where,
        "rows": source.rows,
        "rows_in_files": source.rows_in_files,
        "notes": list(notes),
    }


def options_document(read: Read) -> dict[str, Any]:
    """Give what was asked for as ``options`` of a JSON document."""
    arguments = read.arguments
    return {
        "missing": list(arguments.missing),
        "duplicates": arguments.duplicates or "error",
        "repeats_of": None if is_anonymous(arguments) else arguments.repeats_of,
        "incomplete": arguments.incomplete,
        "categories": None if read.declared is None else list(map(json_label, read.declared)),
        **json_fields(arguments, "set_separator empty_set count_empty matrix tree"),
    }
