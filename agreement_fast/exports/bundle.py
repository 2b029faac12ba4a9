"""Where an export lies: a file, a folder or an archive, as members that are read one by one.

Archives are read where they are: nothing of them is written to the disk. What they expand to is
limited by their own size, so that a small file cannot fill the memory.
"""

from __future__ import annotations

import codecs
import io
import os
import struct
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import IO, Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.packing import PLAIN, packing_of
from agreement_fast.files.paths import base_of

__all__ = ["Bundle", "Member", "encoding_of"]

#: Files of a folder or an archive.
MOST_MEMBERS = 200_000
#: Bytes of a file that is held in memory as a whole.
MOST_LOADED = 1 << 30
#: An archive may expand to this number of bytes, or to this multiple of its own size if that is
#: more.
FREE_EXPANSION = 1 << 28
EXPANSION = 100

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding_of(head: bytes) -> str:
    """Return the encoding that the first bytes of a file declare; UTF-8 where they do not."""
    return next((name for bom, name in _BOMS if head.startswith(bom)), "utf-8")


class _Budget:
    """How much an archive may still expand to."""

    def __init__(self, shown: str, size: int) -> None:
        self._shown = shown
        self._left = max(FREE_EXPANSION, EXPANSION * size)

    def spend(self, n: int) -> None:
        self._left -= n
        if self._left < 0:
            raise ReadError(
                f"{self._shown} expands to more than {EXPANSION} times its size, like an archive"
                " made to fill the memory: unpack it, and name the folder"
            )


class _Counted(io.RawIOBase):
    """A stream of an archive, whose bytes are counted."""

    def __init__(self, stream: IO[bytes], budget: _Budget, meter: Meter, shown: str) -> None:
        self._stream, self._budget, self._meter, self._shown = stream, budget, meter, shown

    def readable(self) -> bool:
        return True

    def readinto(self, places: Any) -> int:
        with _whole(self._shown):
            some = self._stream.read(len(places))
        self._budget.spend(len(some))
        self._meter.advance(len(some))
        places[: len(some)] = some
        return len(some)

    def close(self) -> None:
        self._stream.close()
        super().close()


class _Metered(io.RawIOBase):
    """A stream that reports the number of bytes read to a meter."""

    def __init__(self, stream: IO[bytes], meter: Meter) -> None:
        self._stream, self._meter = stream, meter

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, places: Any) -> int:
        some = self._stream.read(len(places))
        self._meter.advance(len(some))
        places[: len(some)] = some
        return len(some)


@contextmanager
def _metered(stream: IO[bytes], meter: Meter) -> Iterator[IO[bytes]]:
    with _Metered(stream, meter) as metered:
        yield io.BufferedReader(metered, 1 << 20)


@contextmanager
def _whole(shown: str) -> Iterator[None]:
    """Turn what damaged archives raise into a ReadError."""
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


@dataclass(frozen=True)
class Member:
    """One file of an export.

    Attributes
    ----------
    name : str
        Its path within the folder or archive, with slashes.
    shown : str
        The file as an error names it, in quotes.
    open : callable
        Opens its bytes, a context manager.
    size : int
        Its bytes, as the disk or the archive says.
    path : str or None
        Where it lies, if it is a file of its own.
    above : str
        What stands before `name` in its whole path, with slashes.
    """

    name: str
    shown: str
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    size: int
    path: str | None = None
    above: str = ""

    @property
    def stem(self) -> str:
        """Its name without folders and without its last extension."""
        return base_of(self.name)

    @property
    def folder(self) -> str:
        """The name of the folder that it is in, or ""."""
        return self.name.rpartition("/")[0].rpartition("/")[2]

    def head(self, size: int = 1 << 16) -> bytes:
        """Read its first bytes."""
        with self.open() as file:
            return file.read(size)

    def read(self) -> bytes:
        """Read it whole."""
        with self.open() as file:
            content = file.read(MOST_LOADED + 1)
        if len(content) > MOST_LOADED:
            raise ReadError(f"{self.shown} is larger than {MOST_LOADED >> 30} GiB")
        return content

    @contextmanager
    def text(self, encoding: str | None = None) -> Iterator[io.TextIOBase]:
        """Open it as text: in an encoding, or in the one that it declares, else UTF-8.

        Line ends are left as they are, because offsets count them.
        """
        chosen = encoding or encoding_of(self.head(4))
        with self.open() as file:
            stream = io.TextIOWrapper(file, chosen, newline="")
            try:
                yield stream
            except UnicodeError:
                raise ReadError(
                    f"{self.shown} is not {chosen.upper().removesuffix('-SIG')}: convert it to"
                    " UTF-8, or pass --encoding"
                ) from None
            finally:
                stream.detach()

    def read_text(self, encoding: str | None = None) -> str:
        """Read it whole as text."""
        content = self.read()
        chosen = encoding or encoding_of(content[:4])
        try:
            return content.decode(chosen)
        except UnicodeError:
            raise ReadError(
                f"{self.shown} is not {chosen.upper().removesuffix('-SIG')}: convert it to UTF-8,"
                " or pass --encoding"
            ) from None

    def beside(self, *suffixes: str) -> Member | None:
        """The file that lies beside it on the disk and is called alike but for the suffix."""
        if self.path is None:
            return None
        for suffix in suffixes:
            path = os.path.splitext(self.path)[0] + suffix
            if os.path.isfile(path):
                return _plain(path, os.path.splitext(self.name)[0] + suffix, show(path), Meter())
        return None

    def inside(self) -> tuple[Member, ...]:
        """The files in it, if it is an archive of its own."""
        # An archive may hold videos: nothing is copied to memory that lies on the disk.
        source = self.path or io.BytesIO(self.read())
        return _archived(source, self.size, self.shown, f"{self.name}/", Meter())


class Meter:
    """Tells somebody how many bytes were read.

    Attributes
    ----------
    advance : callable
        Called with the number of bytes that were read since.
    """

    def __init__(self) -> None:
        self.advance: Callable[[int], object] = lambda n_bytes: None


@dataclass(frozen=True)
class Bundle:
    """What a user named: one or more files, folders or archives.

    Attributes
    ----------
    paths : tuple of str
    members : tuple of Member
        All files in them, those of an archive included, in the order of their names.
    meter : Meter
        Of what is read of them.
    """

    paths: tuple[str, ...]
    members: tuple[Member, ...]
    meter: Meter

    @classmethod
    def of(cls, paths: Sequence[str], *, at: Callable[[str], str] = lambda path: path) -> Bundle:
        """Look at paths; `at` gives the path where what a user named can be read."""
        members: list[Member] = []
        meter = Meter()
        for path, name in zip(paths, _names(paths), strict=True):
            prefix = f"{name}/" if len(paths) > 1 else ""
            some = _members(path, at(path), name, prefix, meter)
            whole = os.path.abspath(path).replace(os.sep, "/")
            # A single folder, or an archive, is no part of the names of what is in it.
            inside = not prefix and [one.path for one in some] != [at(path)]
            above = f"{whole}/" if inside else whole.removesuffix(name)
            members += (replace(member, above=above) for member in some)
            if len(members) > MOST_MEMBERS:
                raise ReadError(f"there are more than {MOST_MEMBERS:,} files to read")
        return cls(tuple(paths), tuple(members), meter)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the members."""
        return tuple(member.name for member in self.members)

    @property
    def size(self) -> int:
        """The bytes of all members, unpacked as far as that is known."""
        return sum(member.size for member in self.members)

    @property
    def shown(self) -> str:
        """The bundle as an error names it."""
        more = f" and {len(self.paths) - 1:,} more" if len(self.paths) > 1 else ""
        return _shown(self.paths[0]) + more

    def ending(self, *suffixes: str) -> tuple[Member, ...]:
        """The members whose names end in one of the suffixes, ignoring case."""
        return tuple(one for one in self.members if one.name.lower().endswith(suffixes))


def _shown(path: str) -> str:
    return "standard input" if path == "-" else show(path)


def _names(paths: Sequence[str]) -> list[str]:
    """Name paths by what tells them apart: from the folder that they have in common."""
    whole = [os.path.abspath(path) for path in paths]
    if len(whole) == 1:
        return [os.path.basename(whole[0])]
    try:
        common = os.path.commonpath([os.path.dirname(path) for path in whole])
    except ValueError:  # on several drives
        return [path.replace(os.sep, "/") for path in whole]
    return [os.path.relpath(path, common).replace(os.sep, "/") for path in whole]


def _members(path: str, real: str, name: str, prefix: str, meter: Meter) -> list[Member]:
    """Yield the files of a path; `prefix` stands before the names of those inside."""
    shown = _shown(path)
    try:
        if os.path.isdir(real):
            return list(_in_folder(real, path, prefix, meter))
        with open(real, "rb") as file:
            magic = file.read(4)
        size = os.path.getsize(real)
        if magic == b"PK\x03\x04" and zipfile.is_zipfile(real):
            return list(_archived(real, size, shown, prefix, meter))
        packing = packing_of(real)
    except FileNotFoundError:
        raise ReadError(f"{shown}: no such file") from None
    except OSError as error:
        raise ReadError(f"{shown} cannot be read: {error.strerror or error}") from None
    for suffix in (".gz", ".zst"):
        name = name.removesuffix(suffix)

    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        with packing.open(real, shown) as file, _metered(file, meter) as metered:
            yield metered

    return [Member(name, shown, opened, size, real if packing is PLAIN else None)]


def _in_folder(real: str, path: str, prefix: str, meter: Meter) -> Iterator[Member]:
    found = 0
    for folder, folders, names in os.walk(real):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            whole = os.path.join(folder, name)
            if name.startswith(".") or not os.path.isfile(whole):
                continue
            found += 1
            if found > MOST_MEMBERS:
                raise ReadError(f"{show(path)} has more than {MOST_MEMBERS:,} files")
            inner = os.path.relpath(whole, real).replace(os.sep, "/")
            yield _plain(whole, prefix + inner, show(os.path.join(path, inner)), meter)


def _plain(path: str, name: str, shown: str, meter: Meter) -> Member:
    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        try:
            with open(path, "rb") as file, _metered(file, meter) as metered:
                yield metered
        except OSError as error:
            raise ReadError(f"{shown} cannot be read: {error.strerror or error}") from None

    return Member(name, shown, opened, os.path.getsize(path), path)


def _archived(
    source: str | IO[bytes], size: int, shown: str, prefix: str, meter: Meter
) -> tuple[Member, ...]:
    """Yield the files of an archive, which stays open: its directory is read once."""
    budget = _Budget(shown, size)
    file = open(source, "rb") if isinstance(source, str) else source  # noqa: SIM115
    try:
        with _whole(shown):
            archive = zipfile.ZipFile(file)
    except ReadError:
        file.close()
        raise
    weakref.finalize(archive, file.close)
    entries = [one for one in archive.infolist() if one.filename[-1:] not in ("", "/")]
    if len(entries) > MOST_MEMBERS:
        raise ReadError(f"{shown} holds more than {MOST_MEMBERS:,} files")

    def member(entry: zipfile.ZipInfo) -> Member:
        inner = f"{show(entry.filename)} in {shown}"

        @contextmanager
        def opened() -> Iterator[IO[bytes]]:
            with _whole(inner):
                stream = archive.open(entry)
            with _Counted(stream, budget, meter, inner) as counted:
                yield io.BufferedReader(counted, 1 << 16)

        return Member(prefix + entry.filename.replace("\\", "/"), inner, opened, entry.file_size)

    # What macOS adds to archives is not the user's.
    return tuple(
        member(entry)
        for entry in sorted(entries, key=lambda one: one.filename)
        if not entry.filename.startswith("__MACOSX/") and "/." not in f"/{entry.filename}"
    )
