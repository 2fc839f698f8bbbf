"""Run a program within limits on time and memory, and leave no process running."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
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
    """Ends all runs that use the signal, including runs started after ``stop``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self.stopped = False

    def stop(self) -> None:
        """End the runs."""
        with self._lock:
            self.stopped = True
            for process in self._running:
                _close_input(process)

    def _add(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.add(process)
            if self.stopped:
                _close_input(process)

    def _remove(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.discard(process)
            _close_input(process)


def _close_input(process: subprocess.Popen[bytes]) -> None:
    """Close the input of a supervisor, which makes it end the run."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()


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


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The folder in which a program runs, and the files that take its output.

    The folder ``scratch`` is removed when the run is stopped or this process is killed.
    """

    folder: Path
    stdout: Path
    stderr: Path
    scratch: Path | None = None


def run_limited(
    command: Sequence[str],
    limits: RunLimits,
    files: RunFiles,
    *,
    environment: Mapping[str, str] | None = None,
    stop: StopSignal | None = None,
) -> ExitInfo:
    """Run ``command`` with empty input and its output in files, and end it at its limits.

    The process ``supervise`` does the work, and ends whatever the program leaves behind, even if
    this process is killed. If it is killed itself, as the system may do when memory runs out, the
    program counts as failed and its process group is ended. Raises UnavailableError on Windows.
    """
    if sys.platform == "win32":
        raise UnavailableError("comparisons need Linux or macOS; on Windows, use WSL")
    stop = stop or StopSignal()
    if stop.stopped:
        return ExitInfo(None, INTERRUPTED)
    request = {"command": list(command), **asdict(files), **asdict(limits)}
    started = time.monotonic()
    supervisor = subprocess.Popen(
        [sys.executable, "-I", "-S", str(_SUPERVISOR)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # this process handles Ctrl-C and then closes the input
    )
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    with supervisor.stdout:
        try:
            # Another thread may have stopped the run and closed the input.
            with contextlib.suppress(BrokenPipeError, ValueError):
                supervisor.stdin.write(json.dumps(request, default=str).encode() + b"\n")
                supervisor.stdin.flush()
            stop._add(supervisor)
            lines = [json.loads(line) for line in supervisor.stdout if line.endswith(b"\n")]
        finally:
            stop._remove(supervisor)
            supervisor.wait()
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
