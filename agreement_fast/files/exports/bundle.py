"""The files of an export: a single file, a folder or an archive, read member by member.

Archives are not unpacked to the disk. The size to which they may expand is limited by their own
size, so that a small file cannot fill the memory.
"""

from __future__ import annotations

import io
import os
import struct
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, Any, NamedTuple

from agreement_fast.files.errors import ReadError, readable, show
from agreement_fast.files.file import (
    PLAIN,
    Packing,
    base_of,
    encoding_of,
    group_of,
    packing_of,
    where_in,
)

#: The largest number of files of a folder or an archive.
MOST_MEMBERS = 200_000
#: The largest file that is held in memory as a whole, in bytes.
MOST_LOADED = 1 << 30
#: An archive may expand to this number of bytes, or to this multiple of its own size if that is
#: more.
FREE_EXPANSION = 1 << 28
EXPANSION = 100

_ZIP = b"PK\x03\x04"

#: Codecs that leave out the mark at the start of a text.
_WITHOUT_MARK = {"utf-8": "utf-8-sig"}


class _Metered(io.RawIOBase):
    """A stream that reports the number of bytes read.

    With `packed`, it is that of a member of an archive, which errors call so.
    """

    def __init__(
        self, stream: IO[bytes], report: Callable[[int], object], packed: str | None = None
    ) -> None:
        self._stream, self._report, self._packed = stream, report, packed

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._packed is None and self._stream.seekable()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, places: Any) -> int:
        with _whole(self._packed) if self._packed else nullcontext():
            some = self._stream.read(len(places))
        self._report(len(some))
        places[: len(some)] = some
        return len(some)


@contextmanager
def _whole(shown: str) -> Iterator[None]:
    """Turn the errors of damaged archives into a ReadError."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError) as error:
        raise ReadError(f"{shown} is damaged: {error}") from None
    except (NotImplementedError, ValueError, OverflowError, OSError) as error:
        raise ReadError(f"{shown} cannot be unpacked: {error}") from None
    except RuntimeError as error:
        if "encrypted" not in str(error):
            raise
        raise ReadError(f"{shown} is encrypted: unpack it, and name the folder") from None


class Member(NamedTuple):
    """One file of an export."""

    #: Its path within the folder or archive, with slashes.
    name: str
    #: Its name in error messages, in quotes.
    shown: str
    #: Opens its bytes as a context manager.
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    #: Its number of bytes, according to the disk or the archive.
    size: int
    #: Its path, if it is not in an archive.
    path: str | None = None
    #: The part of its whole path before `name`, with slashes.
    above: str = ""

    @property
    def stem(self) -> str:
        """Its name without folders and without its last extension."""
        return base_of(self.name)

    @property
    def folder(self) -> str:
        """The name of the folder that it is in, or ""."""
        return self.name.rpartition("/")[0].rpartition("/")[2]

    def part(self, how: str, option: str) -> str:
        """Return the coder or the document that the path says, as `part_of` does."""
        begin, end = self.place_of_part(how, option)
        return self.name[begin:end]

    def place_of_part(self, how: str, option: str) -> tuple[int, int]:
        """Return where in the name this part is.

        A regular expression may begin in the folders above the path that the user passed, but the
        part must not.
        """
        if how not in ("file", "folder") and self.above:
            pattern, group = group_of(how, option)
            if pattern.search(self.name) is None:
                start = len(self.above)
                for match in pattern.finditer(self.above + self.name):
                    if match[group] and match.start(group) >= start:
                        return match.start(group) - start, match.end(group) - start
        return where_in(self.name, how, option, self.shown)

    @property
    def is_archive(self) -> bool:
        """Whether its first bytes are those of a zip archive."""
        return self.head(4) == _ZIP

    def head(self, size: int = 1 << 16) -> bytes:
        """Read its first bytes."""
        with self.open() as file:
            return file.read(size)

    def read(self) -> bytes:
        """Read the whole file."""
        with self.open() as file:
            content = file.read(MOST_LOADED + 1)
        if len(content) > MOST_LOADED:
            raise ReadError(f"{self.shown} is larger than {MOST_LOADED >> 30} GiB")
        return content

    @contextmanager
    def text(self, encoding: str | None = None) -> Iterator[io.TextIOBase]:
        """Open the file as text, in an encoding, or in the one that it declares, or in UTF-8.

        Line ends are kept, because offsets count them.
        """
        chosen = encoding or encoding_of(self.head(4))
        with self.open() as file:
            stream = io.TextIOWrapper(file, _WITHOUT_MARK.get(chosen, chosen), newline="")
            try:
                yield stream
            except UnicodeError:
                raise self._not_text(chosen) from None
            finally:
                stream.detach()

    def read_text(self, encoding: str | None = None) -> str:
        """Read the whole file as text."""
        content = self.read()
        chosen = encoding or encoding_of(content[:4])
        try:
            return content.decode(_WITHOUT_MARK.get(chosen, chosen))
        except UnicodeError:
            raise self._not_text(chosen) from None

    def _not_text(self, encoding: str) -> ReadError:
        return ReadError(
            f"{self.shown} is not {encoding.upper()}: convert it to UTF-8, or pass --encoding"
        )

    def beside(self, *suffixes: str) -> Member | None:
        """Return the file in the same folder with the same name except for the suffix."""
        if self.path is None:
            return None
        for suffix in suffixes:
            path = os.path.splitext(self.path)[0] + suffix
            if os.path.isfile(path):
                return _plain(path, os.path.splitext(self.name)[0] + suffix, show(path), Meter())
        return None

    def inside(self) -> tuple[Member, ...]:
        """Return its files, if it is an archive."""
        # Files may be videos: those on the disk are not copied to memory.
        source = self.path or io.BytesIO(self.read())
        return _archived(source, self.size, self.shown, f"{self.name}/", Meter())


class Meter:
    """Reports how many bytes were read."""

    def __init__(self) -> None:
        #: Called with the number of bytes since the last call.
        self.advance: Callable[[int], object] = lambda n_bytes: None


class Bundle(NamedTuple):
    """The files, folders or archives that a user passed."""

    #: The paths.
    paths: tuple[str, ...]
    #: All files in them, including those in archives, sorted by name.
    members: tuple[Member, ...]
    #: Reports how many bytes of the members were read.
    meter: Meter

    @classmethod
    def of(cls, paths: Sequence[str], *, at: Callable[[str], str] = lambda path: path) -> Bundle:
        """Find the members of paths; `at` returns the path at which a file can be read."""
        members: list[Member] = []
        meter = Meter()
        for path, name in zip(paths, _names(paths), strict=True):
            prefix = f"{name}/" if len(paths) > 1 else ""
            some = _members(path, at(path), name, prefix, meter)
            whole = os.path.abspath(path).replace(os.sep, "/")
            # The names of members do not contain the name of a single folder or archive.
            inside = not prefix and [entry.path for entry in some] != [at(path)]
            above = f"{whole}/" if inside else whole.removesuffix(name)
            members += (member._replace(above=above) for member in some)
            if len(members) > MOST_MEMBERS:
                raise ReadError(f"there are more than {MOST_MEMBERS:,} files to read")
        return cls(tuple(paths), tuple(members), meter)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members."""
        return tuple(member.name for member in self.members)

    @property
    def size(self) -> int:
        """The number of bytes of all members, unpacked as far as known."""
        return sum(member.size for member in self.members)

    @property
    def shown(self) -> str:
        """The name of the bundle in error messages."""
        more = f" and {len(self.paths) - 1:,} more" if len(self.paths) > 1 else ""
        return _shown(self.paths[0]) + more

    def unpacked(self, *suffixes: str) -> list[Member]:
        """The members, and for archives with one of the suffixes the files in them."""
        members: list[Member] = []
        for member in self.members:
            packed = member.name.lower().endswith(suffixes) and member.is_archive
            members += member.inside() if packed else (member,)
        return members

    def ending(self, *suffixes: str) -> tuple[Member, ...]:
        """The members whose names end in one of the suffixes, ignoring case."""
        return tuple(member for member in self.members if member.name.lower().endswith(suffixes))


def _shown(path: str) -> str:
    return "standard input" if path == "-" else show(path)


def _names(paths: Sequence[str]) -> list[str]:
    """Return names that distinguish the paths: the parts below their common folder."""
    whole = [os.path.abspath(path) for path in paths]
    if len(whole) == 1:
        return [os.path.basename(whole[0])]
    try:
        common = os.path.commonpath([os.path.dirname(path) for path in whole])
    except ValueError:  # on several drives
        return [path.replace(os.sep, "/") for path in whole]
    return [os.path.relpath(path, common).replace(os.sep, "/") for path in whole]


def _members(path: str, real: str, name: str, prefix: str, meter: Meter) -> list[Member]:
    """Return the files of a path; `prefix` is added before the names of those inside."""
    shown = _shown(path)
    with readable(shown):
        if os.path.isdir(real):
            some = []
            for folder, folders, names in os.walk(real):
                folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
                for entry in sorted(names):
                    whole = os.path.join(folder, entry)
                    inner = os.path.relpath(whole, real).replace(os.sep, "/")
                    if not entry.startswith(".") and os.path.isfile(whole):
                        inside = show(os.path.join(path, inner))
                        some.append(_plain(whole, prefix + inner, inside, meter))
                if len(some) > MOST_MEMBERS:
                    raise ReadError(f"{show(path)} has more than {MOST_MEMBERS:,} files")
            return some
        with open(real, "rb") as file:
            magic = file.read(4)
        size = os.path.getsize(real)
        if magic == _ZIP and zipfile.is_zipfile(real):
            return list(_archived(real, size, shown, prefix, meter))
        packing = packing_of(real)
    for suffix in (".gz", ".zst"):
        name = name.removesuffix(suffix)

    return [_plain(real, name, shown, meter, packing)]


def _plain(path: str, name: str, shown: str, meter: Meter, packing: Packing = PLAIN) -> Member:
    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        try:
            with packing.open(path, shown) as file, _Metered(file, meter.advance) as metered:
                yield io.BufferedReader(metered, 1 << 20)
        except OSError as error:
            raise ReadError(f"{shown} cannot be read: {error.strerror or error}") from None

    return Member(name, shown, opened, os.path.getsize(path), path if packing is PLAIN else None)


def _archived(
    source: str | IO[bytes], size: int, shown: str, prefix: str, meter: Meter
) -> tuple[Member, ...]:
    """Return the files of an archive, which stays open so that its directory is read once."""
    left = max(FREE_EXPANSION, EXPANSION * size)
    file = open(source, "rb") if isinstance(source, str) else source  # noqa: SIM115
    try:
        with _whole(shown):
            archive = zipfile.ZipFile(file)
    except ReadError:
        file.close()
        raise
    # Of a cycle that is collected, the file may be the first.
    weakref.finalize(archive, file.close)
    entries = [entry for entry in archive.infolist() if entry.filename[-1:] not in ("", "/")]
    if len(entries) > MOST_MEMBERS:
        raise ReadError(f"{shown} holds more than {MOST_MEMBERS:,} files")

    def spend(n: int) -> None:
        nonlocal left
        left -= n
        if left < 0:
            raise ReadError(
                f"{shown} expands to more than {EXPANSION} times its size, like an archive"
                " made to fill the memory: unpack it, and name the folder"
            )
        meter.advance(n)

    def member(entry: zipfile.ZipInfo) -> Member:
        inner = f"{show(entry.filename)} in {shown}"

        @contextmanager
        def opened() -> Iterator[IO[bytes]]:
            with _whole(inner):
                stream = archive.open(entry)
            with stream, _Metered(stream, spend, inner) as metered:
                yield io.BufferedReader(metered, 1 << 16)

        return Member(prefix + entry.filename.replace("\\", "/"), inner, opened, entry.file_size)

    # Files that macOS adds to archives.
    return tuple(
        member(entry)
        for entry in sorted(entries, key=lambda entry: entry.filename)
        if not entry.filename.startswith("__MACOSX/") and "/." not in f"/{entry.filename}"
    )
