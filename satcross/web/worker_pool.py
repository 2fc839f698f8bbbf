"""Pool of persistent processes for short orders."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from satcross.errors import InputError, InternalError
from satcross.web.limits import BusyError, Limits
from satcross.web.protocol import Done, Event, Failed, Order

_MAX_LINE_BYTES = 128 << 20
ENDED = Failed("the worker process ended unexpectedly")
"""The event that replaces the last one of a process that ended without it."""
_DECODER = msgspec.json.Decoder(Event)


class Process:
    """A process that runs ``satcross.web.worker``, the leader of a process group."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, memory: int, folder: Path) -> Process:
        # A fixed hash seed fixes the order of sets, so that a puzzle always has the same steps.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "satcross.web.worker", str(memory), str(folder)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_MAX_LINE_BYTES,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            start_new_session=True,
        )
        return cls(process)

    @property
    def ended(self) -> bool:
        return self._process.returncode is not None

    async def ask(self, order: Order) -> AsyncIterator[Event]:
        """Send an order and yield its events; the last is ``Done`` or ``Failed``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")
            await self._process.stdin.drain()
            while (line := await self._process.stdout.readline()).endswith(b"\n"):
                event: Event = _DECODER.decode(line)
                yield event
                if isinstance(event, Done | Failed):
                    return
        except (ConnectionError, ValueError):  # the process has ended, or the line is too long
            pass
        yield ENDED

    def interrupt(self) -> None:
        """Make the process end its order with the results so far."""
        # Not by the method of asyncio's process, which may collect the exit code too early.
        if not self.ended:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGINT)

    async def kill(self) -> None:
        """Kill the process and its children; return when the process has ended."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            with suppress(ProcessLookupError):
                self._process.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()


T = TypeVar("T")


class WorkerPool:
    """Worker processes, started on demand and replaced when an order takes too long."""

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._limits = limits
        self._folder = folder
        self._idle: list[Process] = []
        self._all: set[Process] = set()
        self._available = asyncio.Semaphore(limits.worker_pool)
        self._pending = 0

    async def ask_for(self, kind: type[T], order: Order) -> T:
        """Return the result of an order, of that type; raises what ``ask`` raises."""
        return msgspec.json.decode(await self.ask(order), type=kind)

    async def ask(self, order: Order) -> msgspec.Raw:
        """Return the result of an order. Raises BusyError, InputError or InternalError."""
        if self._pending >= self._limits.requests:
            raise BusyError("the server is busy; try again in a moment")
        self._pending += 1
        try:
            async with self._available:
                last = await self._last_event(order, await self._process())
                if last == ENDED:
                    # The process was killed since its last order (as the system may do when memory
                    # is short) or by this order; a new process shows which.
                    last = await self._last_event(order, await self._new_process())
        finally:
            self._pending -= 1
        if isinstance(last, Failed):
            raise (InputError if last.wrong_input else InternalError)(last.error)
        return last.result

    async def _last_event(self, order: Order, process: Process) -> Done | Failed:
        last: Event = ENDED
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                async for event in process.ask(order):
                    last = event
        except TimeoutError:
            raise BusyError("the request took too long; try a smaller grid or list") from None
        finally:
            # A process that has not answered would answer the next order with this one's answer.
            if isinstance(last, Done) or (isinstance(last, Failed) and last.wrong_input):
                self._idle.append(process)
            else:
                self._all.discard(process)
                await process.kill()
        assert isinstance(last, Done | Failed)
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
