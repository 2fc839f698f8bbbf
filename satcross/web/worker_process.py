"""Worker processes of the server: start, send requests, interrupt and kill."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

_MAX_LINE_BYTES = 128 << 20
ENDED = {"event": "failed", "wrong_input": False, "error": "the worker process ended unexpectedly"}
"""The event that replaces the last one of a process that ended without it."""


class Process:
    """A process that runs ``satcross.web.worker``, the leader of a process group."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, memory: int, folder: Path) -> Process:
        # A fixed hash seed fixes the order of sets, so that a puzzle always has the same steps.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "satcross.web.worker",
            str(memory),
            str(folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_MAX_LINE_BYTES,
            env=environment,
            start_new_session=True,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process.returncode is not None

    async def ask(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Send a request and yield its events; the last is ``done`` or ``failed``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
            await self._process.stdin.drain()
            while True:
                line = await self._process.stdout.readline()
                if not line.endswith(b"\n"):
                    break
                event = json.loads(line)
                yield event
                if event["event"] in ("done", "failed"):
                    return
        except (ConnectionError, ValueError):  # the process has ended, or the line is too long
            pass
        yield dict(ENDED)

    def interrupt(self) -> None:
        """Make the process end its request with the results so far."""
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
