"""The folder for what can be made again: word lists ready to use, the compiled search.

A cached file changes no answer. Its name depends on the content that it was made from, and it ends
in a digest of its name and content (``seal``), so that a file that is damaged, or a copy of another
one, is made again. Whoever can write into the folder could forge digests, too: a folder that other
users can write is not used.
"""

from __future__ import annotations

import os
from pathlib import Path

DIGEST_BYTES = 16
_CHUNK = 1 << 20

VARIABLE = "SATCROSS_CACHE"
"""The environment variable that names another folder; when it is empty, nothing is kept."""


def cache_folder() -> Path | None:
    """Return the folder, which need not exist yet; None when nothing is to be kept."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return _if_private(Path(chosen)) if chosen else None
    from platformdirs import user_cache_path

    try:
        return _if_private(user_cache_path("satcross", appauthor=False))
    except (OSError, RuntimeError):  # no home
        return None


def _if_private(folder: Path) -> Path | None:
    """Return the folder unless it is another user's, or anybody may write into it."""
    if os.name != "posix":
        return folder
    try:
        facts = folder.stat()
    except OSError:  # it does not exist yet
        return folder
    return folder if facts.st_uid == os.geteuid() and not facts.st_mode & 0o002 else None


def seal(path: Path, name: str) -> None:
    """Append the digest of the name and of the content to a file."""
    with path.open("ab") as file:
        file.write(_digest_of(path, name, path.stat().st_size))


def is_sealed(path: Path, name: str) -> bool:
    """Return whether a file ends in the digest of the name and of its content."""
    try:
        size = path.stat().st_size - DIGEST_BYTES
        with path.open("rb") as file:
            file.seek(max(size, 0))
            return size >= 0 and file.read() == _digest_of(path, name, size)
    except OSError:
        return False


def read_sealed(path: Path, name: str) -> bytes | None:
    """Return the content of a sealed file without its digest; None if it is not sealed."""
    import hashlib

    try:
        content = path.read_bytes()
    except OSError:
        return None
    body, found = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
    expected = hashlib.blake2b(name.encode() + b"\0" + body, digest_size=DIGEST_BYTES).digest()
    return body if found == expected else None


def _digest_of(path: Path, name: str, size: int) -> bytes:
    import hashlib

    found = hashlib.blake2b(name.encode() + b"\0", digest_size=DIGEST_BYTES)
    with path.open("rb") as file:
        while size > 0 and (chunk := file.read(min(size, _CHUNK))):
            found.update(chunk)
            size -= len(chunk)
    return found.digest()
