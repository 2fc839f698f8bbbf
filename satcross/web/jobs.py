"""Jobs: questions that may take long. A process each, a queue with an end, events, cancelling."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from satcross.errors import SatcrossError
from satcross.web.limits import Limits
from satcross.web.schema import JobState
from satcross.web.worker_process import Process

State = Literal["queued", "running", "done", "cancelled", "failed"]
Event = tuple[str, Any]
"""Its name and what it carries."""

_OVERTIME = 10.0
"""Seconds after its own time limit at which a job that has not ended is ended."""

_QUEUED_EVENTS = 200
"""Events that a slow reader may be behind."""


class BusyError(SatcrossError):
    """There is more to do than may wait."""


@dataclass(slots=True, eq=False)
class Job:
    """One question on its way. Changed only by ``Jobs``."""

    id: str
    kind: str
    request: dict[str, Any]
    seconds: float
    state: State = "queued"
    progress: str = ""
    partial: list[str] | None = None
    parts: list[Any] = field(default_factory=list)
    result: Any = None
    error: str = ""
    process: Process | None = None
    ready: bool = False
    """Whether its process has begun, and can be interrupted."""
    stopping: bool = False
    task: asyncio.Task[None] | None = None
    listeners: set[asyncio.Queue[Event]] = field(default_factory=set)

    @property
    def over(self) -> bool:
        return self.state in ("done", "cancelled", "failed")


class Jobs:
    """All jobs of a server; to be used inside one event loop."""

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._limits = limits
        self._folder = folder
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._waiting: deque[Job] = deque()
        self._running: set[Job] = set()
        self._closed = False

    def add(self, kind: str, request: dict[str, Any], seconds: float) -> Job:
        """Take a job on. Raises BusyError when too many wait."""
        if self._closed or len(self._waiting) >= self._limits.waiting:
            raise BusyError(
                f"busy: {len(self._running)} jobs are running and {len(self._waiting)} wait; "
                "try again in a while"
            )
        job = Job(secrets.token_urlsafe(12), kind, request, seconds)
        self._jobs[job.id] = job
        self._waiting.append(job)
        self._forget()
        self._start_next()
        return job

    def get(self, name: str) -> Job | None:
        return self._jobs.get(name)

    def state(self, job: Job) -> JobState:
        return JobState(
            id=job.id,
            kind=job.kind,
            state=job.state,
            place=self._waiting.index(job) + 1 if job in self._waiting else None,
            progress=job.progress,
            partial=job.partial,
            parts=job.parts,
            result=job.result,
            error=job.error,
        )

    async def cancel(self, job: Job) -> None:
        """Stop a job. When this returns, its processes are gone; what it had found is kept."""
        if job in self._waiting:
            self._waiting.remove(job)
            self._end(job, "cancelled")
            self._tell_places()
        elif job.task is not None and not job.over:
            job.stopping = True
            if job.process is not None:
                if job.ready:
                    job.process.interrupt()
                else:
                    await job.process.kill()
            _, late = await asyncio.wait([job.task], timeout=self._limits.stop_seconds)
            if late and job.process is not None:
                await job.process.kill()
            await asyncio.wait([job.task])

    async def events(self, job: Job) -> AsyncIterator[Event]:
        """Where the job stands, then every change; ends when it is over."""
        heard: asyncio.Queue[Event] = asyncio.Queue(_QUEUED_EVENTS)
        job.listeners.add(heard)
        try:
            yield ("state", self.state(job))
            while not job.over or not heard.empty():
                yield await heard.get()
        finally:
            job.listeners.discard(heard)

    async def close(self) -> None:
        """End everything."""
        self._closed = True
        while self._waiting:
            self._end(self._waiting.popleft(), "cancelled")
        running = list(self._running)
        for job in running:
            job.stopping = True
            if job.process is not None:
                await job.process.kill()
        if running:
            await asyncio.wait([job.task for job in running if job.task is not None])

    def _start_next(self) -> None:
        while self._waiting and len(self._running) < self._limits.running and not self._closed:
            job = self._waiting.popleft()
            self._running.add(job)
            job.state = "running"
            job.task = asyncio.create_task(self._run(job))
            self._tell(job, "state", self.state(job))
            self._tell_places()

    def _tell_places(self) -> None:
        """Some who wait have moved up."""
        for job in self._waiting:
            self._tell(job, "state", self.state(job))

    async def _run(self, job: Job) -> None:
        state: State = "failed"
        try:
            job.process = await Process.start(self._limits.memory, self._folder)
            if job.stopping:
                state = "cancelled"
                return
            async with asyncio.timeout(job.seconds + _OVERTIME):
                async for event in job.process.ask(job.request):
                    state = self._take(job, event)
        except TimeoutError:
            job.error = "it did not stop at its time limit, and was ended"
        except OSError as error:
            job.error = f"no process can be started for it ({error.strerror})"
        except Exception as error:
            job.error = f"our own fault, please report it ({type(error).__name__}: {error})"
        finally:
            if job.process is not None:
                await job.process.kill()
            if state == "failed" and not job.error:
                job.error = "it was stopped before it had an answer"
            self._running.discard(job)
            self._end(job, "cancelled" if job.stopping else state)
            self._start_next()

    def _take(self, job: Job, event: dict[str, Any]) -> State:
        match event["event"]:
            case "ready":
                job.ready = True
            case "progress":
                job.progress = event["line"]
                self._tell(job, "progress", {"line": job.progress})
            case "partial":
                job.partial = event["rows"]
                self._tell(job, "partial", {"rows": job.partial})
            case "part":
                job.parts.append(event["part"])
                self._tell(job, "part", event["part"])
            case "done":
                job.result = event["result"]
                return "done"
            case "failed":
                job.error = event["error"]
                return "failed"
        return "running"

    def _end(self, job: Job, state: State) -> None:
        job.state = state
        if state == "cancelled":
            job.error = ""
        job.request = {}
        job.process = None
        self._tell(job, "end", self.state(job))

    def _tell(self, job: Job, name: str, data: Any) -> None:
        for heard in job.listeners:
            if name == "end":
                while heard.full():  # the one event that may not be missed
                    heard.get_nowait()
            if not heard.full():
                heard.put_nowait((name, data))

    def _forget(self) -> None:
        over = [name for name, job in self._jobs.items() if job.over]
        for name in over[: max(0, len(over) - self._limits.kept)]:
            del self._jobs[name]
