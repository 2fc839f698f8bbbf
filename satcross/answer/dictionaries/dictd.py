"""Read dictionaries in the format of the DICT server: ``NAME.index`` and ``NAME.dict[.dz]``.

The index has one line per entry: headword, offset and length in the text, separated by tabs, with
the numbers in base 64 (A-Z a-z 0-9 + /, most significant digit first). ``.dict.dz`` is gzip with an
extra field for random access, which a complete read can ignore. See dictfmt(1), dictzip(1).
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

from satcross.errors import InputError
from satcross.formats.files import decompress

_DIGITS = {
    digit: value
    for value, digit in enumerate(string.ascii_uppercase + string.ascii_lowercase + "0123456789+/")
}
_NO_WORD = "00-database"


def read_dictd(index: Path) -> Iterator[tuple[str, str]]:
    """Yield (headword, text of the entry) in the order of the index; the encoding is UTF-8.

    Raises InputError when a file is missing or damaged.
    """
    content = _text_of(index)
    try:
        lines = index.read_text("utf-8", "replace").splitlines()
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", file=str(index)) from None
    for number, line in enumerate(lines, 1):
        fields = line.split("\t")
        if len(fields) < 3:
            raise InputError("no headword, offset and length", file=str(index), line=number)
        word, offset, length = fields[:3]
        if word.startswith(_NO_WORD):
            continue
        try:
            start, size = _number(offset), _number(length)
        except KeyError:
            raise InputError("a bad number", file=str(index), line=number) from None
        if start + size > len(content):
            raise InputError("an entry beyond the text's end", file=str(index), line=number)
        yield word, content[start : start + size].decode("utf-8", "replace")


def _number(text: str) -> int:
    value = 0
    for digit in text:
        value = value * 64 + _DIGITS[digit]
    return value


def _text_of(index: Path) -> bytes:
    packed, plain = index.with_suffix(".dict.dz"), index.with_suffix(".dict")
    try:
        if packed.exists():
            return decompress(packed.read_bytes(), str(packed))
        return plain.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", f"it belongs to {index}", file=str(plain)) from None
    except OSError as error:
        raise InputError(f"damaged ({error})", "get a fresh copy", file=str(packed)) from None
