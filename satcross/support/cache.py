"""The cache folder: word lists ready to use, the compiled search.

Word lists, compiled code, indexes of clues and prepared dictionaries end in a digest of their name
and content (``seal``, ``seal_file``), so that a file that is damaged, or a copy of another one, is
made again. Whoever can write into the folder could forge digests, too: a folder that other users
can write is not used.
"""

from __future__ import annotations

import io
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from satcross.support.user_folder import user_folder

DIGEST_BYTES = 16

CHECKED = ".checked"
"""What is appended to a sealed file's name for the file that records its last check."""
_CHECK_SECONDS = 7 * 24 * 3600
"""Age at which a check is repeated: a failing disk changes a file but not its times."""
_SETTLED_SECONDS = 2
"""Age of a file from which a later change is sure to give it another time."""
_BLOCK = 1 << 20

VARIABLE = "SATCROSS_CACHE"
"""The environment variable that names another folder; when it is empty, nothing is kept."""


def cache_folder() -> Path | None:
    """Return the folder, which need not exist yet; None when nothing is to be kept."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return _if_private(Path(chosen)) if chosen else None
    try:
        return _if_private(user_folder("cache"))
    except (OSError, RuntimeError):  # no home
        return None


def _if_private(folder: Path) -> Path | None:
    """Return the folder unless it is another user's, or anybody may write into it."""
    if os.name != "posix":
        return folder
    try:
        is_own = folder.stat().st_uid == os.geteuid()
    except OSError:  # it does not exist yet
        return folder
    return folder if is_own and is_private(folder) else None


def is_private(folder: Path) -> bool:
    """Return whether an existing folder is closed to other users' writing."""
    return os.name != "posix" or not folder.stat().st_mode & 0o002


def seal(name: str, body: bytes) -> bytes:
    """Return the content of a file of that name: the body, and a digest of both."""
    return body + _digest(name, body)


def read_sealed(path: Path, name: str) -> bytes | None:
    """Return the body of a sealed file; None if it is missing, damaged or another one."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    body, found = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
    return body if found == _digest(name, body) else None


def seal_file(path: Path, name: str) -> None:
    """Append the digest of a name and a file's content to the file. SQLite ignores it."""
    with path.open("r+b") as file:
        file.write(_file_digest(file, name, path.stat().st_size))


def is_intact(path: Path, name: str) -> bool:
    """Return whether a file has not changed since ``seal_file`` sealed it under that name.

    A file of 240 MB takes 0.3 s to read. What it was like when it was last read (inode, size, times
    of the last changes of content and of anything) is therefore recorded beside it, and while
    this is the same, the file is read anew only once a week.
    """
    try:
        facts = file_facts(path)
        record = path.with_name(path.name + CHECKED)
        if read_sealed(record, name) == facts and _age(record.stat().st_mtime) < _CHECK_SECONDS:
            return True
        with path.open("rb") as file:
            size = path.stat().st_size - DIGEST_BYTES
            if size < 0 or _file_digest(file, name, size) != file.read():
                return False
        if file_facts(path) != facts:  # written to in the meantime
            return False
        latest = max(path.stat().st_mtime, path.stat().st_ctime)
    except OSError:
        return False
    if _age(latest) > _SETTLED_SECONDS:
        with suppress(OSError):  # the next call reads the file again
            record.write_bytes(seal(name, facts))
    return True


def file_facts(path: Path) -> bytes:
    """Return a file's device, inode, size, and times of the last changes, as text."""
    found = path.stat()
    return repr(
        (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    ).encode()


def _age(moment: float) -> float:
    """Return the seconds since a moment; a moment in the future has an age, too."""
    return abs(time.time() - moment)


def _file_digest(file: BinaryIO, name: str, size: int) -> bytes:
    """Return the digest of a name and the first ``size`` bytes of a file, which are then read."""
    import hashlib

    digest = hashlib.blake2b(name.encode() + b"\0", digest_size=DIGEST_BYTES)
    while size > 0 and (block := file.read(min(size, _BLOCK))):
        digest.update(block)
        size -= len(block)
    return digest.digest()


def _digest(name: str, body: bytes) -> bytes:
    return _file_digest(io.BytesIO(body), name, len(body))
