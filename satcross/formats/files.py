"""Reading and writing whole files: compressed, standard input, encodings, atomic writes."""

from __future__ import annotations

import codecs
import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from satcross.errors import InputError

if TYPE_CHECKING:
    from gzip import GzipFile

STANDARD_INPUT = "-"
_GZIP_MAGIC = b"\x1f\x8b"
# Bytes that no text in any of the usual encodings contains.
_NOT_TEXT = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1c\x1d\x1e"))


@dataclass(frozen=True, slots=True)
class Data:
    """A file's bytes, and how to call the file in messages."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text, how to call the file in messages, and what was noticed in reading it."""

    name: str
    text: str
    notes: tuple[str, ...] = ()


def read_text(path: str) -> Text:
    """Read a file (``-``: standard input), gzipped or not, as text.

    Raises InputError when the file can't be read or is no text.
    """
    return as_text(read_data(path))


def as_text(file: Data, most: int | None = None) -> Text:
    """A file's bytes, gzipped or not, as text.

    UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252, each reported.
    Raises InputError when it is no text, or more than ``most`` bytes unpacked.
    """
    name, data = file.name, file.data
    if data.startswith(_GZIP_MAGIC):
        data = _decompress(data, name, most)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            text = data.decode("utf-16")
        except UnicodeDecodeError:
            raise _not_text(name) from None
        if "\0" in text:  # UTF-32 begins like UTF-16
            raise _not_text(name)
        return Text(name, text, ("UTF-16; read as such",))
    if data.translate(None, _NOT_TEXT) != data:
        raise _not_text(name)
    if data.startswith(codecs.BOM_UTF8):
        data = data.removeprefix(codecs.BOM_UTF8)
        notes: tuple[str, ...] = ("byte order mark ignored",)
    else:
        notes = ()
    try:
        return Text(name, data.decode("utf-8"), notes)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        note = f"line {line} is not UTF-8; the file is read as Windows-1252"
        return Text(name, data.decode("cp1252", "replace"), (*notes, note))


def read_data(path: str, most: int | None = None) -> Data:
    """Read a file (``-``: standard input) as it is.

    Raises InputError when it can't be read, or has more than ``most`` bytes.
    """
    if path == STANDARD_INPUT:
        name = "standard input"
        if sys.stdin is None:
            raise InputError("is closed", "name a file instead of -", file=name)
        return Data(name, _read(sys.stdin.buffer, name, most))
    if not path:
        raise InputError("an empty file name", "name a file")
    try:
        with Path(path).open("rb") as stream:
            return Data(path, _read(stream, path, most))
    except FileNotFoundError:
        raise InputError("no such file", "check the name", file=path) from None
    except IsADirectoryError:
        raise InputError("is a directory", "name a file in it", file=path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"can't be read ({reason})", file=path) from None


def _read(stream: IO[bytes] | GzipFile, name: str, most: int | None) -> bytes:
    if most is None:
        return stream.read()
    data = stream.read(most + 1)
    if len(data) > most:
        raise InputError(
            f"has more than {most:,} bytes", "that is too large for a crossword", file=name
        )
    return data


def _decompress(data: bytes, name: str, most: int | None) -> bytes:
    import gzip
    import zlib

    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return _read(stream, name, most)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"damaged gzip file ({error})", "get a fresh copy of it", file=name
        ) from None


def _not_text(name: str) -> InputError:
    return InputError("not a text file", "give plain text, gzipped or not", file=name)


def check_writable(path: str, inputs: Iterable[str] = ()) -> None:
    """Raise InputError when a file could not be written there, without touching it.

    Nor may it be one of the ``inputs``, or anything but a file, such as /dev/null.
    """
    target = Path(path)
    folder = target.parent
    if os.path.isdir(target):  # noqa: PTH112 (Path.is_dir raises where it may not look)
        raise InputError("is a directory", "name a file in it", file=path)
    if not os.path.isdir(folder):  # noqa: PTH112
        raise InputError("no such folder", f"make the folder {folder} first", file=path)
    _check_kind(target, path)
    if not os.access(folder, os.W_OK | os.X_OK) or (
        target.exists() and not os.access(target, os.W_OK)
    ):
        raise InputError("can't be written", "choose another place", file=path)
    for other in inputs:
        if other != STANDARD_INPUT and target.exists() and target.samefile(other):
            raise InputError("is an input and would be overwritten", "choose another", file=path)


def _check_kind(target: Path, path: str) -> None:
    """Raise InputError for a device or pipe: moving a file into its place would destroy it."""
    if os.path.exists(target) and not os.path.isfile(target):  # noqa: PTH110, PTH113
        raise InputError("is no ordinary file", "choose another place", file=path)


def write_atomically(path: str, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a temporary file beside ``path``, then move it into place.

    The temporary name keeps the extension. Raises InputError when the file can't be written.
    """
    target = Path(path).resolve()  # a link keeps being one
    _check_kind(target, path)
    try:
        handle, temporary = tempfile.mkstemp(
            prefix=f".{target.stem}-", suffix=target.suffix, dir=target.parent
        )
        os.close(handle)
        beside = Path(temporary)
        try:
            write(beside)
            beside.chmod(_usual_mode(target))
            beside.replace(target)
        except BaseException:
            beside.unlink()
            raise
    except OSError as error:
        raise InputError(
            f"can't be written ({error.strerror or error})", "choose another place", file=path
        ) from None


def write_stream(path: str, write: Callable[[TextIO], None]) -> None:
    """Let ``write`` fill a text file, UTF-8, gzipped where its name ends in .gz; atomically.

    The same text gives the same bytes.
    """

    def fill(beside: Path) -> None:
        with beside.open("wb") as raw:
            if path.lower().endswith(".gz"):
                import gzip

                with gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
                    _fill_text(packed, write)
            else:
                _fill_text(raw, write)

    write_atomically(path, fill)


def _fill_text(raw: IO[bytes] | GzipFile, write: Callable[[TextIO], None]) -> None:
    with io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as stream:
        write(stream)


def _usual_mode(target: Path) -> int:
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
