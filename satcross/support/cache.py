"""The folder for what can be made again: word lists ready to use, the compiled search.

Compiled code ends in a digest of its name and content (``seal``), and word lists have one in a way
of their own, so that a file that is damaged, or a copy of another one, is made again. Whoever can
write into the folder could forge digests, too: a folder that other users can write is not used.
"""

from __future__ import annotations

import os
from pathlib import Path

DIGEST_BYTES = 16

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


def _digest(name: str, body: bytes) -> bytes:
    import hashlib

    return hashlib.blake2b(name.encode() + b"\0" + body, digest_size=DIGEST_BYTES).digest()
