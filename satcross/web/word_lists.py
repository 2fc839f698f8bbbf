"""Uploaded word lists, held while the server runs."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from satcross.errors import InputError
from satcross.web.limits import Limits
from satcross.web.schema import DEFAULT_LIST, ListState
from satcross.web.worker_pool import Lookers


class UnknownListError(InputError):
    """The server does not hold a list of that name (any more)."""


class Lists:
    """Lists by names that follow from their content: who knows a name knows the list."""

    def __init__(self, limits: Limits, folder: Path, worker_pool: Lookers) -> None:
        self._limits = limits
        self._folder = folder
        self._worker_pool = worker_pool
        self._held: OrderedDict[str, tuple[ListState, int]] = OrderedDict()

    def paths(self, names: tuple[str, ...]) -> list[str | None]:
        """Where the lists are; None is the default list. Raises UnknownListError."""
        found: list[str | None] = []
        for name in dict.fromkeys(names):
            if name == DEFAULT_LIST:
                found.append(None)
                continue
            self.get(name)
            found.append(str(self._path(name)))
        return found

    def get(self, name: str) -> ListState:
        if name not in self._held:
            raise UnknownListError("the server does not hold this word list", "upload it again")
        self._held.move_to_end(name)
        return self._held[name][0]

    async def add(self, data: bytes, title: str) -> ListState:
        """Read a list and hold it. Raises InputError when there is no word in it."""
        name = hashlib.blake2b(data, digest_size=12).hexdigest()
        if name in self._held:
            return self.get(name)
        path = self._folder / f"{name}-{os.urandom(4).hex()}"
        path.write_bytes(data)
        try:
            read = await self._worker_pool.ask(
                {"kind": "list", "path": str(path), "unpacked": self._limits.unpacked}
            )
            size = path.stat().st_size
            path.replace(self._path(name))
        finally:
            path.unlink(missing_ok=True)
        state = ListState(
            name,
            title,
            read["words"],
            read["lengths"],
            read["scores"],
            read["notes"],
        )
        self._held[name] = (state, size)
        self._make_room()
        return state

    def _make_room(self) -> None:
        while len(self._held) > 1 and (
            len(self._held) > self._limits.lists
            or sum(size for _, size in self._held.values()) > self._limits.lists_size
        ):
            name, _ = self._held.popitem(last=False)
            with suppress(OSError):
                self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.txt"
