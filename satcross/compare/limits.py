"""Run a program within limits on time and memory, and leave no process running."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing import Pipe
from pathlib import Path

from satcross.errors import UnavailableError
from satcross.run_settings import INTERRUPTED, TIME_LIMIT

CPU_LIMIT = "cpu limit"
MEMORY_LIMIT = "memory limit"

_SUPERVISOR = Path(__file__).with_name("supervise.py").resolve()


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of a run: ``wall`` and ``cpu`` in seconds, ``memory`` in MiB; None for no limit.

    They apply to the sum over all processes of the run. ``cores`` are the processors on which it
    may run, all if empty.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None
    cores: tuple[int, ...] = ()

    def minus(self, ended: ExitInfo) -> RunLimits | str:
        """Return what a program has left of the limits, or the name of a limit that is used up."""
        wall = None if self.wall is None else self.wall - ended.wall
        cpu = None if self.cpu is None else self.cpu - ended.cpu
        if wall is not None and wall <= 0:
            return TIME_LIMIT
        if cpu is not None and cpu <= 0:
            return CPU_LIMIT
        return replace(self, wall=wall, cpu=cpu)


@dataclass(frozen=True, slots=True)
class ExitInfo:
    """How a program ended and what it used, with all processes that it started.

    ``reason`` is the limit for which it was ended, "" if it ended by itself. ``exit_code`` is
    negative for a signal, and None if the program could not be started; ``failure`` then says why.
    ``wall`` and ``cpu`` are in seconds, ``memory`` is the peak in MiB.
    """

    exit_code: int | None
    reason: str = ""
    failure: str = ""
    wall: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0

    def after(self, earlier: ExitInfo) -> ExitInfo:
        """Return this end, with what an earlier program used as well."""
        wall, cpu = earlier.wall + self.wall, earlier.cpu + self.cpu
        return replace(self, wall=wall, cpu=cpu, memory=max(earlier.memory, self.memory))


class StopSignal:
    """Ends all runs that use the signal, including runs started after ``stop``.

    The supervisors read from its pipe, which also closes when this process is killed.
    """

    def __init__(self) -> None:
        self.pipe, self._held = Pipe(duplex=False)

    @property
    def stopped(self) -> bool:
        return self._held.closed

    def stop(self) -> None:
        """End the runs."""
        self._held.close()


def core_sets(jobs: int, workers: int) -> list[tuple[int, ...]]:
    """Return, for each of ``jobs`` runs at a time, ``workers`` processors that no other run has.

    Raises UnavailableError where processes can't be bound to processors, or too few are granted.
    """
    if not hasattr(os, "sched_getaffinity"):
        raise UnavailableError("processes can be bound to processors only on Linux")
    granted = sorted(os.sched_getaffinity(0))
    if jobs * workers > len(granted):
        raise UnavailableError(
            f"{jobs} runs at a time with {workers} processors each need {jobs * workers} "
            f"processors, and {len(granted)} are granted"
        )
    return [tuple(granted[job * workers : (job + 1) * workers]) for job in range(jobs)]


def run_limited(
    command: Sequence[str],
    limits: RunLimits,
    scratch: Path,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stop: StopSignal | None = None,
) -> ExitInfo:
    """Run ``command`` with empty input, and end it at its limits.

    Its output goes to ``stdout`` and ``stderr`` in the folder ``scratch``, which is removed when
    the run is stopped or this process is killed; ``folder`` is where it runs, by default there.
    The process ``supervise`` does the work, and ends whatever the program leaves behind, even if
    this process is killed. If it is killed itself, as the system may do when memory runs out, the
    program counts as failed and its process group is ended. Raises UnavailableError on Windows.
    """
    if sys.platform == "win32":
        raise UnavailableError("comparisons need Linux or macOS; on Windows, use WSL")
    stop = stop or StopSignal()
    if stop.stopped:
        return ExitInfo(None, INTERRUPTED)
    files = {"folder": str(folder or scratch), "scratch": str(scratch)}
    request = json.dumps({"command": command, **files, **asdict(limits)})
    started = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-I", "-S", _SUPERVISOR, request],
        stdin=stop.pipe.fileno(),
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # this process handles Ctrl-C and then closes the pipe
    ) as supervisor:
        assert supervisor.stdout is not None
        try:
            lines = [json.loads(line) for line in supervisor.stdout if line.endswith(b"\n")]
        except BaseException:
            stop.stop()
            supervisor.wait()
            raise
    if lines and isinstance(lines[-1], dict):
        return ExitInfo(**lines[-1])
    if lines:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(lines[0], signal.SIGKILL)  # the group that a killed supervisor left behind
    if stop.stopped:
        return ExitInfo(None, INTERRUPTED)
    code = supervisor.returncode
    how = f"exit code {code}" if code >= 0 else f"signal {-code}"
    failure = f"the supervising process was killed ({how})"
    return ExitInfo(None, failure=failure, wall=time.monotonic() - started)
