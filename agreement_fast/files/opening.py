"""Find the files behind names and globs, and recognise what they hold."""

import glob
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from io import FileIO
from itertools import chain
from typing import IO, Any

from agreement_fast.files.errors import ReadError, full_disk, listed, readable, show
from agreement_fast.files.file import (
    ENCODINGS,
    PLAIN,
    File,
    copy_as_utf8,
    encoding_of,
    extension_of,
    has_odd_mark,
    head_as_utf8,
    packing_of,
    partitions_of,
)
from agreement_fast.files.formats import BLANK, FORMATS, TITLES, format_by_name, format_of
from agreement_fast.files.roles import RowOptions
from agreement_fast.present import signals_wait

#: Bytes of a pipe that are copied at once, and bytes of the disk that must stay free.
_AT_ONCE = 1 << 22
ROOM = 1 << 29

#: Stands for bytes of a path that are not UTF-8.
_NO_TEXT = re.compile("[\ud800-\udfff]")

#: First characters of the lock files that Excel puts beside open workbooks.
_LOCK = "~$"

#: The beginning of an address such as s3://bucket/labels.parquet.
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


def expand(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the files behind names and globs, each once, and remarks."""
    if not paths:
        raise ReadError("no file was named")
    result: list[str] = []
    for path in paths:
        # A file whose name has glob characters is meant literally.
        if path == "-" or os.path.lexists(path):
            result.append(path)
            continue
        if scheme := _ADDRESS.match(path):
            if scheme[1].lower() == "file":
                remedy = f"write the path alone, without {scheme[0]}"
                raise ReadError(f"{show(path)} is an address: {remedy}")
            raise ReadError(
                f"{show(path)} is not on this machine, and only local files are read: in Python,"
                " scan it with DuckDB or polars and pass the lazy frame to"
                " af.Annotations.from_frame (docs/engines.md)"
            )
        if not glob.has_magic(path):
            result.append(path)
            continue
        matches = sorted(glob.glob(path, recursive=True))
        if not matches:
            raise ReadError(f"no file matches {show(path)}")
        # Folders are only meant if nothing else matches, as a shell lists them.
        result.extend([match for match in matches if not os.path.isdir(match)] or matches)
    return once(result)


def once(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return each file once, and remarks on files that were named repeatedly."""
    names: dict[str, str] = {}
    again: dict[str, None] = {}
    for name in paths:
        key = name if name == "-" else os.path.realpath(name)
        if key in names:
            again[name] = None
        names.setdefault(key, name)
    if not again:
        return list(names.values()), []
    first, *others = again
    were = f" and {len(others):,} more were" if others else " was"
    return list(names.values()), [f"{show(first)}{were} named more than once and read once"]


class Workplace:
    """A temporary folder, created when first needed and removed at the end."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._folder: str | None = None
        self._named = 0
        self._paths: dict[str, str] = {}

    def at_end(self, done: Callable[[], object]) -> None:
        """Register a function to call at the end."""
        self._stack.callback(done)

    def path_of(self, name: str) -> str:
        """Return an absolute path that can be read twice and that DuckDB takes literally.

        A pipe or standard input can be read only once, so it is copied.
        """
        if name not in self._paths:
            self._paths[name] = _regular_file(name, self)
        return self._paths[name]

    @property
    def folder(self) -> str:
        """The temporary folder."""
        if self._folder is None:
            with signals_wait():  # a signal must not come before the removal is registered
                self._folder = self._stack.enter_context(
                    tempfile.TemporaryDirectory(
                        prefix="agreement-fast-", ignore_cleanup_errors=True
                    )
                )
        return self._folder

    def open_file(self) -> FileIO:
        """Open a file without a name, if the system has such files; it is removed at the end."""
        with signals_wait(), full_disk():
            return self._stack.enter_context(tempfile.TemporaryFile(dir=self.folder, buffering=0))

    def new_path(self) -> str:
        """Return a path that does not exist yet."""
        self._named += 1
        return os.path.join(self.folder, f"copy-{self._named}")


def open_files(names: Sequence[str], workplace: Workplace, options: RowOptions) -> list[File]:
    """Recognise the formats of files by their first bytes."""
    files = [_open_file(name, workplace, options) for name in names]
    if options.value_codes and not any(file.format.has_value_labels for file in files):
        raise ReadError(
            f"--value-codes is for SPSS and Stata: {files[0].shown} is {files[0].format.title}"
        )
    return files


#: The options that name columns.
_ROLES = ("item", "coder", "label", "weights", "by", "along", "exclude")


def _open_file(name: str, workplace: Workplace, options: RowOptions) -> File:
    delimiter, skip_rows = options.delimiter, options.skip_rows
    if delimiter is not None and len(delimiter.encode()) != 1:
        raise ReadError(f"the delimiter must be one character, not {show(delimiter)}")
    if options.encoding not in (None, *ENCODINGS):
        raise ReadError(
            f"the encoding must be one of {', '.join(ENCODINGS)}, not {show(str(options.encoding))}"
        )
    shown = "standard input" if name == "-" else show(name)
    with readable(shown):
        path = workplace.path_of(name)
        packing = packing_of(path)
        with packing.open(path, shown) as file:
            head = file.read(4096)
    if not head.strip(BLANK):
        raise ReadError(f"{shown} is empty")

    extension = extension_of(name)
    if os.path.basename(name).startswith(_LOCK):
        raise ReadError(
            f"{shown} is only the lock file of a workbook that is open in a spreadsheet program:"
            f" name the file without {_LOCK}"
        )
    encoding = options.encoding or encoding_of(head)
    text = head_as_utf8(head, encoding)
    form = format_of(head, text, extension, packing, shown, path)
    if not form.binary:
        head = text
        if b"\0" in head:
            # Every other byte is 0 in English texts.
            every_other = not any(head[1::2]) or not any(head[::2])
            hint = ": if it is UTF-16, pass --encoding utf-16" * every_other
            if head[8:12] == b"DUCK" or head.startswith(b"SQLite"):
                hint = (
                    f": it is a database; pass a table of it in Python, as in af.alpha("
                    f"duckdb.connect({shown}).sql('FROM judgments')), or write it to a file"
                )
            raise ReadError(f"{shown} is a binary file, not {TITLES}{hint}")
        if encoding != "utf-8" or has_odd_mark(head):
            copy = workplace.new_path()
            copy_as_utf8(path, copy, packing, encoding, shown)
            path, packing = copy, PLAIN
    if form.lines and delimiter is None and extension in ("tsv", "tab"):
        first = head.split(b"\n", 1)[0]
        delimiter = "\t" if b"\t" in first else None
    if skip_rows and not (form.lines or form.sheets):
        raise ReadError(
            f"--skip-rows {skip_rows} is for CSV and spreadsheets: {shown} is {form.title}, which"
            " has no rows above its table"
        )
    if options.sheet is not None and not form.sheets:
        raise ReadError(f"--sheet is for spreadsheets: {shown} is {form.title}")
    partitions, faults = partitions_of(name)
    # The columns that the user named for a role, or excluded.
    values: list[Any] = [getattr(options, role, None) for role in _ROLES]
    values += getattr(options, "named", {}).values()
    lists = ([value] if isinstance(value, str) else value or () for value in values)
    entries = {*chain.from_iterable(lists)}
    named = entries.union(part.strip() for entry in entries for part in entry.split(","))
    return File(
        name,
        path,
        form,
        packing,
        options.header,
        delimiter,
        encoding,
        skip=skip_rows,
        spare=workplace.new_path(),
        sheet=None if options.sheet is None else str(options.sheet),
        is_named=named.__contains__,
        value_codes=options.value_codes,
        partitions=partitions,
        faults=faults,
    )


def _regular_file(name: str, workplace: Workplace) -> str:
    if name == "-" or not (os.path.isfile(name) or os.path.isdir(name) or not os.path.exists(name)):
        # A pipe can be read once only; its header is inspected before its rows are read.
        if name == "-":
            if sys.stdin is None:
                raise ReadError("standard input is closed: name a file, or send one to it")
            return _copy(sys.stdin.buffer, "standard input", workplace)
        with open(name, "rb") as pipe:
            return _copy(pipe, show(name), workplace)
    path = os.path.abspath(name)
    if os.path.isfile(path) and (glob.has_magic(path) or _NO_TEXT.search(path)):
        # DuckDB would read such a name as a pattern, or cannot open it: it gets a link.
        alias = os.path.join(tempfile.mkdtemp(dir=workplace.folder), "file")
        try:
            os.symlink(path, alias)
        except OSError:  # Windows without the right to make links
            shutil.copyfile(path, alias)
        return alias
    return path


def _copy(source: IO[bytes], shown: str, workplace: Workplace) -> str:
    """Copy a source that can be read only once, as long as the disk has room."""
    with suppress(OSError):  # an object of Python that acts as a file
        mode = os.fstat(source.fileno()).st_mode
        if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and not source.isatty():
            raise ReadError(f"{shown} is a device, not a file or a pipe")
    handle, path = tempfile.mkstemp(dir=workplace.folder)
    copied = 0
    with full_disk(), os.fdopen(handle, "wb") as copy:
        while some := source.read(_AT_ONCE):
            if not copied and not any(some[:4096]):
                raise ReadError(f"{shown} is a binary file, not {TITLES}")
            copied += copy.write(some)
            if shutil.disk_usage(workplace.folder).free < ROOM:
                raise ReadError(
                    f"{shown} has not ended after {copied / 1e9:,.1f} GB, and the disk of"
                    f" {show(tempfile.gettempdir())} is nearly full: set TMPDIR to another folder"
                )
    return path


#: Names of files and folders without data begin with these.
_NO_DATA = (".", "_", "~$")

#: Folders whose tables have a log that says which files count, by the name of the log.
LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi", "metadata": "Iceberg"}

#: Longest list of names in a remark.
LISTED = 3


def tables_of(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the files behind names, globs and folders, each once, and remarks.

    Raises ReadError if there is none, or a folder has tables of several formats or a log of its
    own.
    """
    names, notes = expand(paths)
    tables = []
    for name in names:
        some, left_out = _tables_below(name) if os.path.isdir(name) else ([name], [])
        tables += some
        notes += left_out
    tables, again = once(tables)
    return tables, notes + again


def _tables_below(top: str) -> tuple[list[str], list[str]]:
    """Return the tables below a folder, and remarks on other files."""
    by_format: dict[str, list[str]] = {}
    others: list[str] = []
    again: list[str] = []
    dead: list[str] = []
    for folder, names in _folders_below(top, again):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.startswith(_NO_DATA):
                continue
            if not os.path.isfile(path):
                if not os.path.exists(path):
                    dead.append(path)
                continue
            form = format_by_name(extension_of(name))
            (others if form is None else by_format.setdefault(form.name, [])).append(path)
    # Text files such as README.txt are other files if there are tables beside them.
    texts = {path for paths in by_format.values() for path in paths if extension_of(path) == "txt"}
    if len(texts) < sum(map(len, by_format.values())):
        others += [path for paths in by_format.values() for path in paths if path in texts]
        kept = {form: [path for path in paths if path not in texts]
                for form, paths in by_format.items()}  # fmt: skip
        by_format = {form: paths for form, paths in kept.items() if paths}
    if not by_format:
        raise ReadError(f"{show(top)} is a folder without a file whose name is that of {TITLES}")
    if len(by_format) > 1:
        counts = " and ".join(
            f"{len(paths):,} of {FORMATS[form].title}" for form, paths in by_format.items()
        )
        first = next(iter(by_format.values()))[0]
        pattern = os.path.join(top, "**", f"*{os.path.splitext(first)[1]}")
        raise ReadError(
            f"{show(top)} is a folder with files of several formats, {counts}: name those to read,"
            f" for example by the glob {show(pattern)}"
        )
    (paths,) = by_format.values()
    labels = {
        f"files in {show(top)} that are not tables by their names": others,
        f"in {show(top)}, links to folders that were already read, or that contain them, were not"
        " followed": again,
        f"in {show(top)}, links that lead nowhere": dead,
    }
    return paths, [
        f"{what}: {listed([show(os.path.relpath(path, top)) for path in some], LISTED)}"
        for what, some in labels.items()
        if some
    ]


def _folders_below(top: str, again: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Walk a folder and those below it, and yield each with the names of its files.

    Links are followed last, so that a folder is called by its own name if it is also here. Links to
    folders already seen, or to folders around them, are added to `again`: the walk would not end.
    """
    seen: set[str] = set()
    waiting = [top]
    for start in waiting:  # grows by the links that are found
        real, inside = os.path.realpath(start), os.path.realpath(os.path.dirname(start))
        if start != top and f"{inside}{os.sep}".startswith(os.path.join(real, "")):
            again.append(start)
            continue
        for folder, folders, names in os.walk(start, onerror=_refuse):
            real = os.path.realpath(folder)
            if real in seen:
                again.append(folder)
                folders.clear()
                continue
            seen.add(real)
            # Such a folder also holds outdated files, whose rows no longer count.
            for log, title in LOGS.items():
                is_log = log in folders and (
                    log != "metadata"
                    or bool(glob.glob("*.metadata.json", root_dir=os.path.join(folder, log)))
                )
                if is_log:
                    raise ReadError(
                        f"{show(folder)} is a table of {title}, whose log says which files count:"
                        " read it with a library that knows the log, and pass the frame to"
                        " af.Annotations.from_frame (docs/engines.md)"
                    )
            folders[:] = sorted(folder for folder in folders if not folder.startswith(_NO_DATA))
            waiting += filter(os.path.islink, (os.path.join(folder, entry) for entry in folders))
            yield folder, names


def _refuse(error: OSError) -> None:
    """Refuse a folder that cannot be opened: its tables would be missing silently."""
    raise ReadError(
        f"the folder {show(str(error.filename))} cannot be opened: {error.strerror or error}; name"
        " the files to read, or a glob"
    )
