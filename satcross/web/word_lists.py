"""Uploaded word lists, stored while the server runs."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from satcross.errors import InputError
from satcross.web.limits import Limits
from satcross.web.protocol import AddList, Paths
from satcross.web.schema import DEFAULT_LIST, ListState
from satcross.web.worker_pool import WorkerPool


class UnknownListError(InputError):
    """The server has no list of this name, or has removed it."""


class WordLists:
    """Uploaded lists, named by a hash of their content, so that only uploaders know the names."""

    def __init__(self, limits: Limits, folder: Path, worker_pool: WorkerPool) -> None:
        self._limits = limits
        self._folder = folder
        self._worker_pool = worker_pool
        self._stored: OrderedDict[str, tuple[ListState, int]] = OrderedDict()

    def paths(self, names: tuple[str, ...]) -> Paths:
        """Return the paths of lists, None for the default list. Raises UnknownListError."""
        for name in names:
            if name != DEFAULT_LIST:
                self.get(name)
        unique = dict.fromkeys(names)
        return tuple(None if name == DEFAULT_LIST else str(self._path(name)) for name in unique)

    def get(self, name: str) -> ListState:
        if name not in self._stored:
            raise UnknownListError("the server does not have this word list", "upload it again")
        self._stored.move_to_end(name)
        return self._stored[name][0]

    async def add(self, data: bytes, title: str, language: str = "") -> ListState:
        """Read and store a list. Raises InputError for a list without words."""
        name = hashlib.blake2b(data, digest_size=12).hexdigest()
        if name in self._stored:
            return self.get(name)
        path = self._folder / f"{name}-{os.urandom(4).hex()}"
        path.write_bytes(data)
        try:
            order = AddList(str(path), str(self._path(name)), self._limits.unpacked, language)
            read = await self._worker_pool.ask_for(ListState, order)
            size = path.stat().st_size
            path.replace(self._path(name))
        finally:
            path.unlink(missing_ok=True)
        state = replace(read, name=name, title=title)
        self._stored[name] = (state, size)
        self._remove_excess()
        return state

    def _remove_excess(self) -> None:
        def is_full() -> bool:
            size = sum(size for _, size in self._stored.values())
            return len(self._stored) > self._limits.lists or size > self._limits.lists_size

        while len(self._stored) > 1 and is_full():
            name, _ = self._stored.popitem(last=False)
            with suppress(OSError):
                self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.txt"
