"""Read the files in ``satcross/resources``, which are installed with the package.

``digests.txt`` there has the CRC-32 of each file that answers depend on. Such a file is read by
``read_resource`` only, so that one that was changed, damaged or left behind by another version
changes no answer.
"""

from __future__ import annotations

from pathlib import Path

from satcross.errors import InputError

HEADER = "#packed words 2\n"
"""The first line of a packed list, which is quick to read and has tiers of offensive words.

Each other line is ``LENGTH TIER SCORES WORDS``: all words of one length and tier (``-`` for none),
concatenated by descending score, then in alphabetical order. SCORES are like ``95:12,90:7``: twelve
words with a score of 95, then seven with 90. ``data/build_default_list.py`` writes the default list
so."""

_FOLDER = Path(__file__).parents[1] / "resources"


def resource_path(name: str) -> Path:
    """Return the path of a file in ``satcross/resources``."""
    return _FOLDER / name


def read_resource(name: str) -> bytes:
    """Return the content of a file that ``digests.txt`` names, with line ends as on Unix.

    Raises InputError for a file that can't be read or is another than the one of this version.
    """
    path = resource_path(name)
    try:
        content = path.read_bytes()
        if path.suffix != ".gz" and b"\r" in content:  # git may have changed line ends
            content = content.replace(b"\r\n", b"\n")
        if digest_line(name, content) in resource_path("digests.txt").read_bytes().splitlines():
            return content
        problem = "was changed or damaged, or is of another version"
    except OSError as error:
        problem = f"can't be read ({error.strerror})"
    raise InputError(problem, "install satcross again", file=str(path))


def digest_line(name: str, content: bytes) -> bytes:
    """Return the line of a file in ``digests.txt``."""
    from zlib import crc32

    return f"{crc32(content):08x}  {name}".encode("ascii")


def default_list_path() -> str:
    """Return the path of the default list, which is part of satcross (see data/LICENSES.md)."""
    return str(resource_path("english.txt"))
