"""Uploaded word lists, stored while the server runs."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from satcross.errors import InputError
from satcross.web.limits import Limits
from satcross.web.schema import DEFAULT_LIST, ListState
from satcross.web.worker_pool import WorkerPool


class UnknownListError(InputError):
    """The server has no list of this name, or has removed it."""


class Lists:
    """Word lists named by a hash of their content, so that only uploaders know the names."""

    def __init__(self, limits: Limits, folder: Path, worker_pool: WorkerPool) -> None:
        self._limits = limits
        self._folder = folder
        self._worker_pool = worker_pool
        self._held: OrderedDict[str, tuple[ListState, int]] = OrderedDict()

    def paths(self, names: tuple[str, ...]) -> list[str | None]:
        """Return the paths of lists, None for the default list. Raises UnknownListError."""
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
            raise UnknownListError("the server does not have this word list", "upload it again")
        self._held.move_to_end(name)
        return self._held[name][0]

    async def add(self, data: bytes, title: str) -> ListState:
        """Read and store a list. Raises InputError for a list without words."""
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
