"""Files as such: what their paths name, and how they are packed and encoded."""

import codecs
import gzip
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from agreement_fast.files.errors import ReadError, full_disk, show

_PACKED = (".gz", ".zst", ".zstd")


def base_of(path: str) -> str:
    """Return the name of a file without folder and last extension (compression aside).

    Examples
    --------
    >>> base_of("codes/ann.b@example.org.csv.gz")
    'ann.b@example.org'
    """
    name = _slashed(path).rpartition("/")[2]
    if name.lower().endswith(_PACKED):
        name = name.rpartition(".")[0]
    return name.rpartition(".")[0] or name


def common_start(names: Sequence[str]) -> str:
    """Return the characters with which all names begin."""
    return os.path.commonprefix(names)  # noqa: RUF071


def extension_of(path: str) -> str:
    """Return the last extension of a file's name in lower case (compression aside).

    Examples
    --------
    >>> extension_of("codes/ann.v2.CSV.gz")
    'csv'
    """
    words = _slashed(path).rpartition("/")[2].lower().split(".")[1:]
    return next((word for word in reversed(words) if f".{word}" not in _PACKED), "")


def part_of(path: str, how: str, option: str, shown: str | None = None) -> str:
    """Return the part of a path that an option asks for.

    `path`: the path as the user wrote it. "file" (as `base_of` gives it), "folder" (the folder of
    the file), or a regular expression. Its only group, or the group with the name of what is asked
    for ("coder"), is the part. `option`: as the user writes it: "--coder-from". `shown`: the name
    of the file in errors. Raises ReadError if there is no folder, or the expression is invalid or
    not found in the path.

    Examples
    --------
    >>> part_of("ann/1.csv", "folder", "--coder-from")
    'ann'
    >>> part_of("ann/1.csv", "(?P<coder>a)(n)", "--coder-from")
    'a'
    """
    begin, end = where_in(path, how, option, shown)
    return path[begin:end]


def where_in(path: str, how: str, option: str, shown: str | None = None) -> tuple[int, int]:
    """Return the place in a path of the part that `part_of` gives."""
    what = _asked_for(option)
    slash = _slashed(path).rfind("/")
    if how == "file":
        return slash + 1, slash + 1 + len(base_of(path))
    if how == "folder":
        begin = _slashed(path).rfind("/", 0, max(slash, 0)) + 1
        if slash <= begin:
            raise ReadError(
                f"{shown or show(path)} is in no folder of a {what}: name the folder above, or say"
                f" where in the path the {what} is with {option}"
            )
        return begin, slash
    pattern, group = group_of(how, option)
    match = pattern.search(path)
    if match is None or not match[group]:
        raise ReadError(f"{option} {show(how)} finds no {what} in {show(path)}")
    return match.span(group)


def group_of(
    regex: str, option: str, written: str | None = None
) -> tuple[re.Pattern[str], str | int]:
    """Compile a regular expression; return it with the group that is the part.

    `written` is what the user wrote, if the expression is only a part of that.
    """
    what, shown = _asked_for(option), show(written or regex)
    try:
        compiled = re.compile(regex)
    except (re.error, RecursionError, OverflowError) as error:
        raise ReadError(f"{option} {shown} is no regular expression: {error}") from None
    if what in compiled.groupindex:
        return compiled, what
    if compiled.groups != 1:
        raise ReadError(
            f"{option} {shown} has {compiled.groups} groups: put only the {what}'s part in"
            f" parentheses, or name its group, (?P<{what}>...); or pass {option} file"
        )
    return compiled, 1


def _asked_for(option: str) -> str:
    return option.removeprefix("--").removesuffix("-from")


def _slashed(path: str) -> str:
    return path.replace(os.sep, "/")


@dataclass(frozen=True)
class Packing:
    """A way of compressing files."""

    #: The name for DuckDB and users.
    name: str
    #: The first bytes of each such file.
    start: bytes
    #: Returns what opens a path, and the errors of damaged files.
    library: Callable[[], tuple[Callable[..., Any], tuple[type[Exception], ...]]]

    @contextmanager
    def open(self, path: str, shown: str) -> Iterator[IO[bytes]]:
        """Open the content of a file; a damaged one raises a ReadError when it is read."""
        unpack, damages = self.library()
        try:
            with unpack(path, "rb") as opened:
                yield opened
        except damages:
            raise ReadError(f"{shown} is a damaged {self.name} file") from None


def _zstd() -> tuple[Callable[..., Any], tuple[type[Exception], ...]]:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ReadError(
            'reading zstd needs backports.zstd: pip install "agreement-fast[cli]"'
        ) from None
    return zstd.open, (EOFError, zstd.ZstdError)


_OF_GZIP = (EOFError, gzip.BadGzipFile, zlib.error)

PLAIN = Packing("uncompressed", b"", lambda: (open, ()))
PACKINGS = (
    Packing("gzip", b"\x1f\x8b", lambda: (gzip.open, _OF_GZIP)),
    Packing("zstd", b"\x28\xb5\x2f\xfd", _zstd),
    PLAIN,
)


def packing_of(path: str) -> Packing:
    """Return the compression of a file, from its first bytes. Errors are those of `open`."""
    with open(path, "rb") as file:
        head = file.read(max(len(packing.start) for packing in PACKINGS))
    return next(packing for packing in PACKINGS if head.startswith(packing.start))


#: The values of ``--encoding``. On Windows, Excel saves CSV in cp1252.
ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")

_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

_AT_ONCE = 1 << 20


def encoding_of(head: bytes) -> str:
    """Return the encoding that the first bytes of a text declare, else UTF-8."""
    return next((name for mark, name in _MARKS.items() if head.startswith(mark)), "utf-8")


def _codec(encoding: str, head: bytes) -> str:
    """Return Python's codec; without a mark, Python would read UTF-16 in the machine's order."""
    return "utf-16-le" if encoding == "utf-16" and encoding_of(head) == "utf-8" else encoding


def has_odd_mark(head: bytes) -> bool:
    """Return whether a text in UTF-8 starts with a mark that DuckDB would not leave out.

    It reads over one mark, but not over two, and not over one before a JSON array.
    """
    rest = head.removeprefix(codecs.BOM_UTF8)
    return rest != head and (rest.startswith(codecs.BOM_UTF8) or rest.lstrip()[:1] == b"[")


def head_as_utf8(head: bytes, encoding: str) -> bytes:
    """Convert the beginning of a text, which may end within a character, to UTF-8."""
    if encoding == "utf-8":
        return head
    decoder = codecs.getincrementaldecoder(_codec(encoding, head))("replace")
    return decoder.decode(head).encode("utf-8", "replace")


def copy_as_utf8(path: str, copy: str, packing: Packing, encoding: str, shown: str) -> None:
    """Copy a text as UTF-8, unpacked.

    `packing`: the compression of the text. `encoding`: one of `ENCODINGS`. `shown`: the name of the
    text in errors. Raises ReadError if the text holds bytes that are no character in this encoding.
    """
    with full_disk(), packing.open(path, shown) as text, open(copy, "wb") as written:
        some = text.read(_AT_ONCE)
        decoder = codecs.getincrementaldecoder(_codec(encoding, some))()
        try:
            # The mark is no part of a name.
            while some.startswith(codecs.BOM_UTF8):
                some = some.removeprefix(codecs.BOM_UTF8)
            while some:
                written.write(decoder.decode(some).encode())
                some = text.read(_AT_ONCE)
            decoder.decode(b"", True)
        except UnicodeDecodeError:
            others = ", ".join(entry for entry in ENCODINGS if entry != encoding)
            raise ReadError(
                f"{shown} is not {encoding}: pass another --encoding ({others})"
            ) from None
