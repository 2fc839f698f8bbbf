"""Messages between the server and its worker processes, each one line of JSON.

The server sends an ``Order``. The worker answers with ``Ready``, then ``Progress``, ``Partial`` and
``Part`` during the work, and finally ``Done`` or ``Failed``.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Raw, Struct

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


Event = Ready | Progress | Partial | Part | Done | Failed
Emit = Callable[[Event], None]
