"""Running a program in a process of its own, within limits, with nothing left running after it."""

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
from dataclasses import dataclass
from pathlib import Path

from satcross.errors import UnavailableError

TIME_LIMIT = "time limit"
CPU_LIMIT = "cpu limit"
MEMORY_LIMIT = "memory limit"
OUTPUT_LIMIT = "output limit"
INTERRUPTED = "interrupted"

MIB = 2**20
_SUPERVISOR = Path(__file__).with_name("supervise.py").resolve()


@dataclass(frozen=True, slots=True)
class Limits:
    """``wall`` and ``cpu`` in seconds, ``memory`` in MiB; None: no limit.

    They hold for a run with all the processes it starts, taken together.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class ExitInfo:
    """How a program ended.

    ``reason``: the limit it was ended for (one of this module's constants), empty when it ended
    by itself. ``exit_code``: negative for a signal, None when it could not be started; then
    ``failure`` says why. ``wall`` and ``cpu`` are seconds, ``memory`` the peak in MiB; both of
    the latter count every process it started.
    """

    exit_code: int | None
    reason: str = ""
    failure: str = ""
    wall: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0


class Stop:
    """Ends all runs that have been given it, and any that are started with it later."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    @property
    def stopped(self) -> bool:
        return self._stopped

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                _let_go(process)

    def _add(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.add(process)
            if self._stopped:
                _let_go(process)

    def _remove(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._running.discard(process)
            _let_go(process)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()


def _end_group(leader: int) -> None:
    """End what a supervisor that was killed has left; what has left the group escapes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def run_limited(
    command: Sequence[str],
    limits: Limits,
    *,
    folder: Path,
    stdout: Path,
    stderr: Path,
    environment: Mapping[str, str] | None = None,
    scratch: Path | None = None,
    stop: Stop | None = None,
) -> ExitInfo:
    """Run ``command`` in ``folder``; its output goes to the two files, its input is empty.

    A program that passes a limit is ended, and so is, in any case, everything it has started and
    left behind: even when this process is killed. The folder ``scratch`` is removed when the run
    is stopped or this process killed. See ``supervise``, which does the work in a process of its
    own; when somebody kills that one (the system does, short of memory), the program counts as
    failed and its process group is ended. Raises UnavailableError where there are no such
    processes (Windows).
    """
    if sys.platform == "win32":
        raise UnavailableError("comparing needs Linux or macOS; on Windows use WSL")
    stop = stop or Stop()
    if stop.stopped:
        return ExitInfo(None, INTERRUPTED)
    request = {
        "command": list(command),
        "folder": str(folder),
        "scratch": None if scratch is None else str(scratch),
        "stdout": str(stdout),
        "stderr": str(stderr),
        "wall": limits.wall,
        "cpu": limits.cpu,
        "memory": None if limits.memory is None else limits.memory * MIB,
    }
    started = time.monotonic()
    supervisor = subprocess.Popen(
        [sys.executable, "-I", "-S", str(_SUPERVISOR)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # Ctrl-C is for us, who then let go of it
    )
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    with supervisor.stdout:
        try:
            # Whoever stops us may have closed it already.
            with contextlib.suppress(BrokenPipeError, ValueError):
                supervisor.stdin.write(json.dumps(request).encode() + b"\n")
                supervisor.stdin.flush()
            stop._add(supervisor)
            lines = [json.loads(line) for line in supervisor.stdout if line.endswith(b"\n")]
        finally:
            stop._remove(supervisor)
            supervisor.wait()
    if not lines or not isinstance(lines[-1], dict):
        if lines:
            _end_group(lines[0])
        if stop.stopped:
            return ExitInfo(None, INTERRUPTED)
        code = supervisor.returncode
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return ExitInfo(
            None,
            failure=f"the process that watched it was ended from outside ({how})",
            wall=time.monotonic() - started,
        )
    report = lines[-1]
    return ExitInfo(
        report["exit"],
        report["ended"],
        report["failure"],
        report["wall"],
        report["cpu"],
        report["memory"] / MIB,
    )
