"""Messages between the server and its worker processes, each one line of JSON.

The server sends an ``Order``. The worker answers with ``Ready``, then ``Progress``, ``Partial`` and
``Part`` during the work, and finally ``Done`` or ``Failed``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Raw, Struct, json

from satcross.web import schema

Paths = tuple[str | None, ...]
"""The paths of word lists; None stands for the default list."""


class _Order(Struct, frozen=True, tag_field="order", tag=str.lower):
    pass


class Work(_Order, frozen=True):
    request: schema.JobRequest
    paths: Paths = ()


class Look(_Order, frozen=True):
    request: schema.Look
    paths: Paths


class AddList(_Order, frozen=True):
    """Read the uploaded list at ``path``, which will be ``stored`` elsewhere."""

    path: str
    stored: str
    max_bytes: int
    language: str = ""


class LookUp(_Order, frozen=True):
    word: str


class ReadFile(_Order, frozen=True):
    content: bytes
    extension: str
    max_bytes: int


class WriteFile(_Order, frozen=True):
    request: schema.Export


class Print(_Order, frozen=True):
    request: schema.Sheet


Order = Work | Look | AddList | LookUp | ReadFile | WriteFile | Print


class Written(Struct, frozen=True):
    """The content of a file, and the parts of the crossword that its format can't store."""

    content: bytes
    lost: list[str]


class _Event(Struct, frozen=True, tag_field="event", tag=str.lower):
    pass


class Ready(_Event, frozen=True):
    pass


class Progress(_Event, frozen=True):
    line: str


class Partial(_Event, frozen=True):
    rows: list[str]


class Part(_Event, frozen=True):
    part: Raw


class Done(_Event, frozen=True):
    result: Raw


class Failed(_Event, frozen=True):
    """Why there is no result; ``wrong_input`` if the user can mend it."""

    error: str
    wrong_input: bool = False


def as_json(value: Any) -> Raw:
    """Return a part or a result as an event carries it."""
    return Raw(json.encode(value, enc_hook=_plain))


def for_the_page(note: str) -> str:
    """Return a note without what it says about options, which the page has not."""
    return re.sub(r"; (?:with )?--[a-z][^;]*", "", note)


def _plain(value: object) -> str | float:
    """Return a text or a number as a plain one; numpy's numbers and clues are subclasses."""
    return str(value) if isinstance(value, str) else float(value)  # type: ignore[arg-type]


Event = Ready | Progress | Partial | Part | Done | Failed
Emit = Callable[[Event], None]
