"""Read and write whole files: gzip, standard input, text encodings, atomic writes."""

from __future__ import annotations

import codecs
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from satcross.errors import InputError
from satcross.support.frozen import frozen
from satcross.support.letters import pack, spell
from satcross.support.texts import texts

if TYPE_CHECKING:
    from gzip import GzipFile

STANDARD_INPUT = "-"
MAX_TEXT_BYTES = 200_000_000
"""Maximum size of a text, decompressed: some twenty million words.

A small gzipped file could otherwise fill the memory."""

MAX_FILE_BYTES = 4_000_000
"""Maximum size of a file, decompressed. A crossword usually takes about 10,000 bytes."""

_TEMPORARY = ".satcross-"
"""Prefix of the names of temporary files, which no other program uses."""
_ABANDONED_SECONDS = 24 * 3600
"""Age in seconds from which a temporary file counts as left behind by a killed program."""
GZIP_MAGIC = b"\x1f\x8b\x08"
ZIP_MAGIC = (b"PK\3\4", b"PK\5\6")
"""The first bytes of archives; those of a .puz file, a checksum, may be two of them."""
# Control bytes that text in ASCII-compatible encodings does not contain.
_NOT_TEXT = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1c\x1d\x1e"))


class Source:
    """A file, and the name that messages use for it."""

    __slots__ = ()
    name: str

    def error(self, problem: str, remedy: str = "", line: int | None = None) -> InputError:
        """Return the error that something in this file is wrong, perhaps in a line."""
        return InputError(problem, remedy, file=self.name, line=line)


@frozen
class Data(Source):
    """The bytes of a file."""

    name: str
    data: bytes


@frozen
class Text(Source):
    """The text of a file, and remarks from decoding it."""

    name: str
    text: str
    notes: tuple[str, ...] = ()


def read_text(path: str, max_bytes: int = MAX_TEXT_BYTES) -> Text:
    """Return the text of a file, gzipped or not, or of standard input for ``-``.

    Raises InputError when the file can't be read, is not text or has more than ``max_bytes``
    bytes, compressed or decompressed.
    """
    return decode_text(read_data(path, max_bytes), max_bytes)


def decode_text(file: Data, max_bytes: int = MAX_TEXT_BYTES) -> Text:
    """Decode the bytes of a file, gzipped or not; its letters are packed (``support.letters``).

    The encoding is the one that the user names, or else UTF-8 or UTF-16, with or without a byte
    order mark, or one of those of ``charsets``; the notes name any encoding but plain UTF-8. Raises
    InputError when the file is not text, or has more than ``max_bytes`` bytes, decompressed.
    """
    name, data = file.name, file.data
    if data.startswith(GZIP_MAGIC):
        data = decompress(data, name, max_bytes)
    text, notes = _decoded(data, name)
    return Text(name, pack(text), notes)


def _decoded(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file, and notes on its encoding."""
    chosen = texts().charset
    if chosen is not None:
        return data.decode(chosen, "replace").removeprefix("\ufeff"), ()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            text = data.decode("utf-16")
        except UnicodeDecodeError:
            raise _not_text(name) from None
        if "\0" in text:  # UTF-32 begins like UTF-16
            raise _not_text(name)
        return text, ("the file is UTF-16",)
    if data.translate(None, _NOT_TEXT) != data:
        from satcross.formats.charsets import decode_wide

        wide = decode_wide(data)
        if wide is None:
            raise _not_text(name)
        return wide, ("the file is UTF-16",)
    notes = ("the byte order mark is ignored",) * data.startswith(codecs.BOM_UTF8)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8"), notes
    except UnicodeDecodeError:
        from satcross.formats.charsets import decode_bytes

        text, more = decode_bytes(data)
        return text, (*notes, *more)


def read_data(path: str, max_bytes: int = MAX_TEXT_BYTES) -> Data:
    """Return the bytes of a file, or of standard input for ``-``.

    Raises InputError when the file can't be read, or has more than ``max_bytes`` bytes.
    """
    if path == STANDARD_INPUT:
        name = "standard input"
        if sys.stdin is None:
            raise InputError("is closed", "name a file instead of -", file=name)
        return Data(name, _read(sys.stdin.buffer, name, max_bytes))
    if not path:
        raise InputError("the file name is empty", "name a file")
    try:
        with Path(path).open("rb") as stream:
            return Data(path, _read(stream, path, max_bytes))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def unreadable(path: str, error: OSError | ValueError) -> InputError:
    """Return the error for a file that could not be opened or read."""
    if isinstance(error, FileNotFoundError):
        return missing_file(path)
    if isinstance(error, IsADirectoryError):
        return InputError("is a directory", "name a file in it", file=path)
    reason = error.strerror if isinstance(error, OSError) else error
    return InputError(f"can't be read ({reason})", file=path)


CHECK_NAME = "check the name"


def missing_file(path: str, remedy: str = CHECK_NAME) -> InputError:
    """Return the error for a file that does not exist; it suggests a file of a similar name."""
    from difflib import get_close_matches

    folder, stem, suffix = Path(path).parent, Path(path).stem, Path(path).suffix
    try:
        # Of files that differ in the extension alone, the one with that of the path comes last.
        found = sorted(folder.iterdir(), key=lambda file: file.suffix == suffix)
        files = {file.stem: file for file in found if file.suffix == suffix or file.stem == stem}
    except OSError:
        return InputError("no such file", f"there is no folder {folder}", file=path)
    close = get_close_matches(stem, files, 1, 0.8)
    if close:
        meant = f"did you mean {files[close[0]]}?"
        remedy = meant if remedy == CHECK_NAME else f"{meant} If not, {remedy}"
    return InputError("no such file", remedy, file=path)


def _read(stream: IO[bytes] | GzipFile, name: str, max_bytes: int, form: str = "") -> bytes:
    data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        problem = f"has more than {max_bytes:,} bytes{form}, which is the limit"
        raise InputError(problem, "give a smaller file", file=name)
    return data


def decompress(data: bytes, name: str, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Return the content of a gzipped file.

    Raises InputError when the file is damaged or its content has more than ``max_bytes`` bytes.
    """
    import gzip
    import zlib

    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return _read(stream, name, max_bytes, " when decompressed")
    except (OSError, EOFError, zlib.error) as error:
        problem = f"is a damaged gzip file ({error})"
        raise InputError(problem, "get a fresh copy of it", file=name) from None


def _not_text(name: str) -> InputError:
    return InputError("is not a text file", "give plain text, gzipped or not", file=name)


def check_writable(path: str, inputs: Iterable[str] = ()) -> None:
    """Raise InputError unless a file can be written at ``path``. Writes nothing.

    ``path`` must be neither one of the files ``inputs`` nor a device or pipe, such as /dev/null.
    An input that is no file (a word for ``--exclude``, say) is in nobody's way.
    """
    target = Path(path)
    folder = target.parent
    if os.path.isdir(target):  # noqa: PTH112 (Path.is_dir raises where it may not look)
        raise InputError("is a directory", "name a file in it", file=path)
    if not os.path.isdir(folder):  # noqa: PTH112
        raise InputError("no such folder", f"create the folder {folder} first", file=path)
    _check_kind(target, path)
    if not os.access(folder, os.W_OK | os.X_OK) or (
        target.exists() and not os.access(target, os.W_OK)
    ):
        raise InputError("can't be written", "choose another path", file=path)
    for other in inputs if target.exists() else ():
        if os.path.exists(other) and target.samefile(other):  # noqa: PTH110
            problem = "is an input and would be overwritten"
            raise InputError(problem, "choose another path", file=path)


def _check_kind(target: Path, path: str) -> None:
    """Raise InputError for a device or pipe, which would be destroyed by moving a file there."""
    if os.path.exists(target) and not os.path.isfile(target):  # noqa: PTH110, PTH113
        raise InputError("is not a regular file", "choose another path", file=path)


def write_atomically(path: str, write: Callable[[Path], object]) -> None:
    """Let ``write`` write a temporary file beside ``path``, then move the file to ``path``.

    The temporary file has the extension of ``path``. It is removed if writing fails or is
    interrupted; if the program is killed, a later call that writes to the folder removes the file
    once it is a day old. Raises InputError when the file can't be written.
    """
    target = Path(path).resolve()  # so that a symbolic link stays a link
    _check_kind(target, path)
    try:
        _remove_abandoned(target.parent)
        # A signal may come as soon as there is a file: its name is known before.
        unique = f"{_TEMPORARY}{target.stem}-{os.urandom(8).hex()}{target.suffix}"
        beside = target.with_name(unique)
        try:
            os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            write(beside)
            beside.chmod(_file_mode(target))
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        problem = f"can't be written ({error.strerror or error})"
        raise InputError(problem, "choose another path", file=path) from None


def keep_in_cache(path: Path, body: bytes, max_files: int = 0) -> None:
    """Write a file of a cache, sealed under its stem; do nothing where that is impossible.

    Of the files with its suffix, the ``max_files`` newest are kept; 0 keeps all.
    """
    from satcross.support.cache import seal

    with suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        content = seal(path.stem, body)
        write_atomically(str(path), lambda beside: beside.write_bytes(content))
        if max_files:
            forget_old(path.parent, path.suffix, max_files)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock on the folder of a file, for which other programs that use this function wait.

    The folder is made if it is missing. Raises InputError when that is impossible. Windows has no
    such locks; nobody waits there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = None if os.name == "nt" else os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        problem = f"can't be written ({error.strerror})"
        raise InputError(problem, "choose another path", file=str(path)) from None
    if handle is None:
        yield
        return
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_abandoned(folder: Path) -> None:
    """Remove the temporary files that killed programs have left in a folder."""
    before = time.time() - _ABANDONED_SECONDS
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_TEMPORARY) and entry.stat().st_mtime < before:
                with suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108


def forget_old(folder: Path, suffix: str, max_files: int) -> None:
    """Remove all but the ``max_files`` newest files of a folder whose names end in ``suffix``.

    Hidden files, which another process may be writing, are left alone and not counted. Files that
    can't be removed are ignored.
    """
    with suppress(OSError):
        files = [file for file in folder.glob(f"*{suffix}") if not file.name.startswith(".")]
        for old in sorted(files, key=lambda file: file.stat().st_mtime)[:-max_files]:
            old.unlink(missing_ok=True)


def write_stream(path: str, write: Callable[[TextIO], object]) -> None:
    """Let ``write`` write a UTF-8 text file atomically, gzipped if its name ends in .gz.

    Packed letters are spelled out. The same text always gives the same bytes. Raises InputError
    when the file can't be written.
    """

    import gzip

    def write_bytes(beside: Path) -> None:
        packs = path.lower().endswith(".gz")
        with (
            beside.open("wb") as raw,
            gzip.GzipFile("", "wb", 6, raw, mtime=0) if packs else nullcontext(raw) as inner,
            _Spelling(inner, encoding="utf-8", newline="\n") as stream,
        ):
            write(stream)

    write_atomically(path, write_bytes)


class _Spelling(io.TextIOWrapper):
    """A text file in which packed letters are spelled out."""

    def write(self, text: str, /) -> int:
        return super().write(spell(text))


def _file_mode(target: Path) -> int:
    """Return the permission bits of a file, or those that a new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
