"""Run a program in a process of its own and measure it (on Linux)."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took: seconds, and for ``memory`` MiB of the largest process.

    ``cpu`` includes children that were waited for. ``memory`` is never less than the memory of the
    measuring process, because the operating system counts from before the program is loaded.
    """

    output: str
    errors: str
    code: int
    late: bool
    wall: float
    cpu: float
    memory: float


def measure(
    command: Sequence[str], limit: float, clock: float, compiled: Path | None = None
) -> Measured:
    """Run ``command``; end it (``late``) after ``limit`` CPU or ``clock`` wall-clock seconds.

    The CPU limit applies to each process of the command separately. ``compiled`` is a folder for
    Python's bytecode, so that Python programs do not compile their modules in every run even if the
    environment forbids bytecode or the source tree is not compiled yet.
    """
    environment = dict(os.environ)
    if compiled:
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = str(compiled)
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, start_new_session=True, env=environment
        )
        seconds = int(limit) + 1
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 5))
        late = threading.Event()

        def stop() -> None:
            late.set()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(clock, stop)
        timer.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            stop()
            raise
        finally:
            timer.cancel()
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        return Measured(
            output=_read(output),
            errors=_read(errors),
            code=process.returncode,
            late=late.is_set() or process.returncode in (-signal.SIGXCPU, -signal.SIGKILL),
            wall=round(wall, 3),
            cpu=round(used.ru_utime + used.ru_stime, 3),
            memory=round(used.ru_maxrss / 1024, 1),
        )


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def own_memory() -> float:
    """Return the peak memory of this process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
