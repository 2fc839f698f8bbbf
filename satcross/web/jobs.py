"""Jobs: long tasks, each in a process that does nothing else, with a bounded queue and events."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from satcross.web import protocol
from satcross.web.limits import BusyError, Limits
from satcross.web.schema import JobState, PuzzleJob
from satcross.web.worker_pool import Process

State = Literal["queued", "running", "done", "cancelled", "failed"]
Event = tuple[str, Any]
"""The name and data of an event."""

_LATE_SECONDS, _GRACE_SECONDS = 6.0, 10.0
"""Seconds beyond its time limit after which a job, whose limit may be of processor time, has to
return its results so far, and after which it is killed."""

_START_SECONDS = 60.0
"""Seconds that a process may take to start; a busy machine needs more than a few."""

_HEARTBEAT_SECONDS = 15.0
"""Seconds between signs of life for an idle listener, so that a broken connection is noticed."""

_QUEUED_EVENTS = 200
"""Maximum number of events queued for a slow listener; further events are dropped."""


@dataclass(slots=True, eq=False)
class Job:
    """A job and its state; only ``Jobs`` changes it."""

    shown: JobState
    order: protocol.Work | None
    """None once the job has ended."""
    seconds: float
    process: Process | None = None
    ready: bool = False
    """Whether the process has started the job, so that it can be interrupted."""
    stopping: bool = False
    late: bool = False
    task: asyncio.Task[None] | None = None
    listeners: set[asyncio.Queue[Event]] = field(default_factory=set)

    @property
    def finished(self) -> bool:
        return self.shown.state in ("done", "cancelled", "failed")


class Jobs:
    """All jobs of a server; for use within one event loop."""

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._limits = limits
        self._folder = folder
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._waiting: deque[Job] = deque()
        self._running: set[Job] = set()
        self._spare: Process | None = None
        self._closed = False

    def add(self, order: protocol.Work, seconds: float) -> Job:
        """Add a job to the queue. Raises BusyError when the queue is full."""
        if self._closed or len(self._waiting) >= self._limits.waiting:
            raise BusyError(
                f"busy: {len(self._running)} jobs are running and {len(self._waiting)} wait; "
                "try again later"
            )
        kind = str(order.request.__struct_config__.tag)
        name = secrets.token_urlsafe(12)
        job = Job(JobState(name, kind, "queued", None, "", None, [], None, ""), order, seconds)
        self._jobs[name] = job
        self._waiting.append(job)
        self._remove_old_jobs()
        self._start_next()
        return job

    def get(self, name: str) -> Job | None:
        return self._jobs.get(name)

    def state(self, job: Job) -> JobState:
        place = self._waiting.index(job) + 1 if job in self._waiting else None
        return replace(job.shown, place=place)

    async def cancel(self, job: Job) -> None:
        """Stop a job and wait for the end of its processes; results so far are retained.

        A job that is cancelled again does not get the time to return them.
        """
        if job in self._waiting:
            self._waiting.remove(job)
            self._end(job, "cancelled")
            self._publish_positions()
        elif job.task is not None and not job.finished:
            again, job.stopping = job.stopping, True
            if job.process is not None:
                if job.ready and not again:
                    job.process.interrupt()
                else:
                    await job.process.kill()
            _, late = await asyncio.wait([job.task], timeout=self._limits.stop_seconds)
            if late and job.process is not None:
                await job.process.kill()
            await asyncio.wait([job.task])

    async def events(self, job: Job) -> AsyncIterator[Event | None]:
        """Yield the state of a job, then each change, until the job ends; None in between."""
        queue: asyncio.Queue[Event] = asyncio.Queue(_QUEUED_EVENTS)
        job.listeners.add(queue)
        try:
            yield ("state", self.state(job))
            while not job.finished or not queue.empty():
                try:
                    async with asyncio.timeout(_HEARTBEAT_SECONDS):
                        event = await queue.get()
                except TimeoutError:
                    event = None
                yield event
        finally:
            job.listeners.discard(queue)

    async def close(self) -> None:
        """Cancel all jobs."""
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
        if self._spare is not None:
            await self._spare.kill()

    def _start_next(self) -> None:
        while self._waiting and len(self._running) < self._limits.running and not self._closed:
            job = self._waiting.popleft()
            self._running.add(job)
            job.shown.state = "running"
            job.task = asyncio.create_task(self._run(job))
            self._publish(job, "state", self.state(job))
            self._publish_positions()

    def _publish_positions(self) -> None:
        """Publish the new positions of the waiting jobs."""
        for job in self._waiting:
            self._publish(job, "state", self.state(job))

    async def _run(self, job: Job) -> None:
        state: State = "failed"
        try:
            job.process = await self._process()
            if job.stopping:
                state = "cancelled"
                return
            allowed = job.seconds + _GRACE_SECONDS
            async with asyncio.timeout(_START_SECONDS + allowed) as limit:
                assert job.order is not None
                async for event in job.process.ask(job.order):
                    state = self._handle_event(job, event)
                    if isinstance(event, protocol.Ready):
                        limit.reschedule(asyncio.get_running_loop().time() + allowed)
        except TimeoutError:
            job.shown.error = "the job did not stop at its time limit and was killed"
        except OSError as error:
            job.shown.error = f"no process can be started for the job ({error.strerror})"
        except Exception as error:
            job.shown.error = f"INTERNAL ERROR, please report it ({type(error).__name__}: {error})"
        finally:
            if job.process is not None and not self._keep(job, state):
                await job.process.kill()
            if state == "running":  # an error came after its first event
                state = "failed"
            if state == "failed" and not job.shown.error:
                job.shown.error = "the job was stopped before it had an answer"
            self._running.discard(job)
            self._end(job, "cancelled" if job.stopping else state)
            self._start_next()

    async def _process(self) -> Process:
        spare, self._spare = self._spare, None
        if spare is not None and not spare.ended:
            return spare
        return await Process.start(self._limits.memory, self._folder)

    def _keep(self, job: Job, state: State) -> bool:
        """Keep the process of a job that is done for the next one; say whether it is kept.

        Starting Python and reading the lists takes 0.4 s, forty times as long as an easy fill.
        Only jobs about a puzzle leave little in memory: others load dictionaries and models. An
        interruption may still reach the process of a job that was stopped or is late.
        """
        is_light = job.order is not None and isinstance(job.order.request, PuzzleJob)
        if state != "done" or job.stopping or job.late or not is_light:
            return False
        if self._closed or self._spare is not None:
            return False
        self._spare = job.process
        return True

    def _interrupt(self, job: Job) -> None:
        """Have a job return what it has, unless it has ended."""
        if not job.finished and job.process is not None:
            job.late = True
            job.process.interrupt()

    def _handle_event(self, job: Job, event: protocol.Event) -> State:
        match event:
            case protocol.Ready():
                job.ready = True
                late = job.seconds + _LATE_SECONDS
                asyncio.get_running_loop().call_later(late, self._interrupt, job)
            case protocol.Progress(line):
                job.shown.progress = line
                self._publish(job, "progress", {"line": line})
            case protocol.Partial(rows):
                job.shown.partial = rows
                self._publish(job, "partial", {"rows": rows})
            case protocol.Part(part):
                job.shown.parts.append(part)
                self._publish(job, "part", part)
            case protocol.Done(result):
                job.shown.result = result
                return "done"
            case protocol.Failed(error):
                job.shown.error = error
                return "failed"
        return "running"

    def _end(self, job: Job, state: State) -> None:
        job.shown.state = state
        if state == "cancelled":
            job.shown.error = ""
        job.order = None
        job.process = None
        self._publish(job, "end", self.state(job))

    def _publish(self, job: Job, name: str, data: Any) -> None:
        for queue in job.listeners:
            if name == "end":
                while queue.full():  # every listener needs the end
                    queue.get_nowait()
            if not queue.full():
                queue.put_nowait((name, data))

    def _remove_old_jobs(self) -> None:
        finished = [name for name, job in self._jobs.items() if job.finished]
        for name in finished[: max(0, len(finished) - self._limits.finished)]:
            del self._jobs[name]
