"""Sizes of grids on the command line."""

from __future__ import annotations

import re

from satcross.errors import InputError


def read_size(flag: str, text: str) -> tuple[int, int]:
    """Read ``15`` or ``15x13`` as rows and columns. Raises InputError, which names the flag."""
    found = re.fullmatch(r"(\d{1,3})(?:[xX*](\d{1,3}))?", text.strip())
    if found is None:
        raise InputError(f"bad {flag} {text!r}", "write 15, or 15x13 for 15 rows of 13 columns")
    return int(found[1]), int(found[2] or found[1])
