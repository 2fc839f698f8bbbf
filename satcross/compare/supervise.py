"""A program of its own that runs another one within limits, and ends all it has started.

    python -I -S supervise.py  < a line of JSON, see ``Request``

On Linux it makes itself the *subreaper* of what it starts (prctl(2)): a process that leaves its
parent, its process group or its session still becomes our child, so that all of them are counted
and none outlives the run. Processor time and memory are those of the whole tree. Elsewhere only
the process group is ended, and the limits on processor time and memory are those the operating
system keeps for each process.

Standard input stays open as long as the run is wanted. When it closes, because whoever wanted the
run is gone or has changed their mind, everything is ended. Standard output gets two lines of JSON:
the process number of what was started, should we be killed ourselves, and the report.

It stands beside the runs it measures, so it must be small and start at once: standard library
only, and it imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from typing import IO, TypedDict

MIB = 2**20
MOST_OUTPUT = 256 * MIB
"""Bytes of standard output, or of standard error, after which a run is ended."""

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_FIRST_POLL, _LAST_POLL = 0.01, 0.05
_PATIENCE = 10.0
"""Seconds we wait for killed processes to be gone: one may hang in the operating system."""


class Request(TypedDict):
    """What to run.

    ``wall`` and ``cpu`` are limits in seconds, ``memory`` in bytes, or None; ``scratch`` a folder
    that is removed when the run is no longer wanted, for then nobody else may be there to do it.
    """

    command: list[str]
    folder: str
    scratch: str | None
    stdout: str
    stderr: str
    wall: float | None
    cpu: float | None
    memory: int | None


class Report(TypedDict):
    """What came of it.

    ``exit``: the exit code, negative for a signal, None when it could not be started;
    ``ended``: what we ended it for, empty when it ended by itself; ``failure``: why it could not
    be started; ``wall``, ``cpu`` in seconds and ``memory`` (the peak) in bytes.
    """

    exit: int | None
    ended: str
    failure: str
    wall: float
    cpu: float
    memory: int


def main() -> None:
    """Read the request, run it, report."""
    line = b""
    while not line.endswith(b"\n"):
        more = os.read(0, 2**16)
        if not more:
            return
        line += more
    _tell(run(json.loads(line)))


def _tell(value: object) -> None:
    # Whoever wanted to know may be gone.
    with contextlib.suppress(BrokenPipeError):
        os.write(1, json.dumps(value).encode() + b"\n")


def run(request: Request) -> Report:
    """Run one program within its limits; nothing of it is left running afterwards."""
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    watch = _Watch(request)
    with open(request["stdout"], "wb") as out, open(request["stderr"], "wb") as err:  # noqa: PTH123
        try:
            report = watch.follow(out, err)
        finally:
            watch.end_all()
    if report["ended"] == "interrupted" and request["scratch"] is not None:
        import shutil  # takes longer to import than all the others

        shutil.rmtree(request["scratch"], ignore_errors=True)
    return report


class _Watch:
    """One run: the clock, the peak of memory, and the process."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._child = 0
        self._peak = 0
        self._exit: int | None = None
        self._begin = time.monotonic()
        # A child that ends wakes us from select.
        self._wake, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def follow(self, out: IO[bytes], err: IO[bytes]) -> Report:
        request = self._request
        self._begin = time.monotonic()
        try:
            # Kept, because a Popen that goes away takes the exit status of a quick child with it.
            self._process = subprocess.Popen(
                request["command"],
                cwd=request["folder"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                preexec_fn=self._limit,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return self._report("", failure=getattr(error, "strerror", None) or str(error))
        self._child = self._process.pid
        _tell(self._child)
        ended, pause = "", _FIRST_POLL
        while self._exit is None and not ended:
            ended = self._wait(pause) or self._look(out, err)
            pause = min(_LAST_POLL, 1.3 * pause)
        wall = time.monotonic() - self._begin
        self.end_all()
        return self._report(ended, wall)

    def _report(self, ended: str, wall: float = 0.0, failure: str = "") -> Report:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = self._exit
        if code == -signal.SIGXCPU and not ended:
            ended = "cpu limit"
        return Report(
            exit=code,
            ended=ended,
            failure=failure,
            wall=wall,
            cpu=usage.ru_utime + usage.ru_stime,
            memory=max(self._peak, usage.ru_maxrss * (1024 if _LINUX else 1)),
        )

    def _limit(self) -> None:
        """In the child, before it becomes the other program."""
        if _LINUX:
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if self._request["cpu"] is not None:
            # For a process we don't get to look at in time; the sum is what we watch.
            _lower(resource.RLIMIT_CPU, int(self._request["cpu"]) + 2)
        if self._request["memory"] is not None and not _LINUX:
            _lower(resource.RLIMIT_AS, self._request["memory"])

    def _wait(self, pause: float) -> str:
        """Wait for a child's end, the end of our input, or so many seconds."""
        left = pause
        if self._request["wall"] is not None:
            left = min(pause, max(0.0, self._begin + self._request["wall"] - time.monotonic()))
        ready, _, _ = select.select([0, self._wake], [], [], left)
        if self._wake in ready:
            os.read(self._wake, 4096)
        self._reap()
        if 0 in ready and not os.read(0, 4096):
            return "interrupted"
        return ""

    def _reap(self) -> bool:
        """Take note of the children that have ended; False when there is no child."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not pid:
                return True
            if pid == self._child:
                self._exit = os.waitstatus_to_exitcode(status)
                self._process.returncode = self._exit

    def _look(self, out: IO[bytes], err: IO[bytes]) -> str:
        """Measure; the name of a limit that is passed, if one is."""
        if self._exit is not None:
            return ""
        request = self._request
        if request["wall"] is not None and time.monotonic() - self._begin >= request["wall"]:
            return "time limit"
        seconds, size = self._measure()
        if request["memory"] is not None and size > request["memory"]:
            return "memory limit"
        if request["cpu"] is not None and seconds > request["cpu"]:
            return "cpu limit"
        if max(os.fstat(out.fileno()).st_size, os.fstat(err.fileno()).st_size) > MOST_OUTPUT:
            return "output limit"
        return ""

    def _measure(self) -> tuple[float, int]:
        """Processor seconds so far and bytes of memory now, of all processes together."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = usage.ru_utime + usage.ru_stime
        tree = _tree() if _LINUX else {}
        seconds += sum(process.seconds for process in tree.values())
        size = sum(process.resident for process in tree.values())
        if size > self._peak:
            if len(tree) > 1 and _KNOWS_SHARES:
                # Forked processes share pages; these count once.
                size = sum(_proportional(pid, one.resident) for pid, one in tree.items())
            self._peak = max(self._peak, size)
        return seconds, size

    def end_all(self) -> None:
        """End every process of the run, and wait until they are gone."""
        give_up = time.monotonic() + _PATIENCE
        while time.monotonic() < give_up:
            if self._child:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._child, signal.SIGKILL)
            for pid in _tree() if _LINUX else ():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not self._reap():
                return
            select.select([self._wake], [], [], 0.01)


class _Process:
    """A line of /proc/PID/stat."""

    __slots__ = ("parent", "resident", "seconds")

    def __init__(self, line: bytes) -> None:
        fields = line[line.rindex(b")") + 2 :].split()  # a name may have blanks and brackets
        self.parent = int(fields[1])
        self.seconds = sum(map(int, fields[11:15])) / _TICKS  # with its children that have ended
        self.resident = int(fields[21]) * _PAGE


_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_KNOWS_SHARES = os.access("/proc/self/smaps_rollup", os.R_OK)


def _tree() -> dict[int, _Process]:
    """All our descendants."""
    processes: dict[int, _Process] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 (a Path each costs more than all the rest)
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError):
                processes[int(name)] = _Process(_read(f"/proc/{name}/stat"))
    inside = {os.getpid()}
    before = 0
    while len(inside) > before:
        before = len(inside)
        inside.update(pid for pid, one in processes.items() if one.parent in inside)
    return {pid: processes[pid] for pid in inside if pid != os.getpid()}


def _proportional(pid: int, resident: int) -> int:
    """Bytes of memory, where each shared page counts in parts; 0 for a process that has gone."""
    try:
        for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    except PermissionError:  # another user's, after setuid
        return resident
    except OSError:
        pass
    return 0


def _read(path: str) -> bytes:
    handle = os.open(path, os.O_RDONLY)
    try:
        return os.read(handle, 2**16)
    finally:
        os.close(handle)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (value, hard))


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
