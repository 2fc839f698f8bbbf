"""Worker processes of the server: start, send orders, interrupt and kill."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import msgspec

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
