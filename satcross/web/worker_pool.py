"""Pool of persistent processes for short requests."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from satcross.errors import InputError, InternalError
from satcross.web.jobs import BusyError
from satcross.web.limits import Limits
from satcross.web.worker_process import ENDED, Process


class WorkerPool:
    """Worker processes, started on demand and replaced when a request takes too long."""

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._limits = limits
        self._folder = folder
        self._idle: list[Process] = []
        self._all: set[Process] = set()
        self._available = asyncio.Semaphore(limits.worker_pool)
        self._pending = 0

    async def ask(self, request: dict[str, Any]) -> Any:
        """Return the result of a request. Raises BusyError, InputError or InternalError."""
        if self._pending >= self._limits.requests:
            raise BusyError("the server is busy; try again in a moment")
        self._pending += 1
        try:
            async with self._available:
                return await self._ask(request)
        finally:
            self._pending -= 1

    async def _ask(self, request: dict[str, Any]) -> Any:
        last = await self._last_event(request, await self._process())
        if last == ENDED:
            # The process was killed since its last request (as the system may do when memory is
            # short) or by this request; a new process shows which.
            last = await self._last_event(request, await self._new_process())
        if last["event"] == "done":
            return last["result"]
        if last["wrong_input"]:
            raise InputError(last["error"])
        raise InternalError(last["error"])

    async def _last_event(self, request: dict[str, Any], process: Process) -> dict[str, Any]:
        last: dict[str, Any] | None = None
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                async for event in process.ask(request):
                    last = event
        except TimeoutError:
            raise BusyError("the request took too long; try a smaller grid or list") from None
        finally:
            # A process that has not answered would answer the next request with this one's answer.
            if last is not None and (last["event"] == "done" or last.get("wrong_input")):
                self._idle.append(process)
            else:
                self._all.discard(process)
                await process.kill()
        assert last is not None
        return last

    async def _process(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if not process.ended:  # the system may have killed it when memory ran out
                return process
            self._all.discard(process)
        return await self._new_process()

    async def _new_process(self) -> Process:
        process = await Process.start(self._limits.memory, self._folder)
        self._all.add(process)
        return process

    async def close(self) -> None:
        for process in list(self._all):
            await process.kill()
