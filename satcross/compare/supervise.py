"""Supervisor process that runs a program within limits and ends all processes that it started.

Run it as ``python -I -S supervise.py REQUEST``; the request is JSON, see ``ProgramRun``.

On Linux, the supervisor is the *subreaper* of the processes it starts (prctl(2)): a process that
leaves its parent, process group or session becomes a child of the supervisor, so that all processes
are measured and none outlives the run. CPU time and memory are sums over all processes. On
other systems, only the process group is ended, and the operating system enforces the limits on CPU
time and memory for each process separately.

The caller keeps standard input open as long as the run should continue; when the input closes, the
supervisor ends everything. Standard output gets two lines of JSON: the process id of the program,
which the caller needs if the supervisor is killed, and the report.

The supervisor runs beside the programs it measures, so it must be small and start fast: it
uses only the standard library and no other module of satcross.
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
from typing import IO, Any

MIB = 2**20
MAX_OUTPUT = 256 * MIB
"""Maximum bytes of standard output, and of standard error; a run that writes more is ended."""

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_FIRST_POLL, _LAST_POLL = 0.01, 0.05
_KILL_SECONDS = 10.0
"""Seconds to wait for the end of killed processes, as one may hang in the operating system."""


ProgramRun = dict[str, Any]
"""``command``, the ``folder`` to run it in, the folder ``scratch`` of its output, and limits."""
RunReport = dict[str, Any]
"""How a program ended and what it used; the fields are those of ``limits.ExitInfo``."""


def main() -> None:
    """Run the program of the request, and print the report."""
    _send(run(json.loads(sys.argv[1])))


def _send(value: object) -> None:
    # The caller may have been killed.
    with contextlib.suppress(BrokenPipeError):
        os.write(1, json.dumps(value).encode() + b"\n")


def run(request: ProgramRun) -> RunReport:
    """Run a program within its limits and end all processes that it leaves behind."""
    if _LINUX:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    watch = _Watch(request)
    output = f"{request['scratch']}/std"
    with open(f"{output}out", "wb") as out, open(f"{output}err", "wb") as err:  # noqa: PTH123
        try:
            report = watch.follow(out, err)
        finally:
            watch.end_all()
    if report["reason"] == "interrupted":
        import shutil  # slower to import than all other modules together

        shutil.rmtree(request["scratch"], ignore_errors=True)
    return report


class _Watch:
    """One run: its process, its start time and its peak memory."""

    def __init__(self, request: ProgramRun) -> None:
        self._request = request
        self._child = 0
        self._peak = 0
        self._exit: int | None = None
        self._begin = time.monotonic()
        # The end of a child wakes the supervisor from select.
        self._wake, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def follow(self, out: IO[bytes], err: IO[bytes]) -> RunReport:
        request = self._request
        self._begin = time.monotonic()
        try:
            # Stored in an attribute, because a deleted Popen would collect the child's exit status.
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
        _send(self._child)
        ended, pause = "", _FIRST_POLL
        while self._exit is None and not ended:
            ended = self._wait(pause) or self._check_limits(out, err)
            pause = min(_LAST_POLL, 1.3 * pause)
        wall = time.monotonic() - self._begin
        self.end_all()
        return self._report(ended, wall)

    def _report(self, ended: str, wall: float = 0.0, failure: str = "") -> RunReport:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = self._exit
        if code == -signal.SIGXCPU and not ended:
            ended = "cpu limit"
        return RunReport(
            exit_code=code,
            reason=ended,
            failure=failure,
            wall=wall,
            cpu=usage.ru_utime + usage.ru_stime,
            memory=max(self._peak, usage.ru_maxrss * (1024 if _LINUX else 1)) / MIB,
        )

    def _limit(self) -> None:
        """Set the limits of the child process, before the child executes the program."""
        if _LINUX:
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if self._request["cores"]:
                os.sched_setaffinity(0, self._request["cores"])
        if self._request["cpu"] is not None:
            # In case a process ends between two measurements; _check_limits checks the sum.
            _set_soft_limit(resource.RLIMIT_CPU, int(self._request["cpu"]) + 2)
        if self._request["memory"] is not None and not _LINUX:
            _set_soft_limit(resource.RLIMIT_AS, self._request["memory"] * MIB)

    def _wait(self, pause: float) -> str:
        """Wait ``pause`` seconds, or until a child ends or the input closes; then "interrupted"."""
        timeout = pause
        if self._request["wall"] is not None:
            timeout = min(pause, max(0.0, self._begin + self._request["wall"] - time.monotonic()))
        ready, _, _ = select.select([0, self._wake], [], [], timeout)
        if self._wake in ready:
            os.read(self._wake, 4096)
        self._reap()
        return "interrupted" if 0 in ready else ""

    def _reap(self) -> bool:
        """Collect the children that have ended; return False if there are no children left."""
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

    def _check_limits(self, out: IO[bytes], err: IO[bytes]) -> str:
        """Return the name of a limit that is exceeded, or ""."""
        if self._exit is not None:
            return ""
        request = self._request
        if request["wall"] is not None and time.monotonic() - self._begin >= request["wall"]:
            return "time limit"
        seconds, size = self._measure()
        if request["memory"] is not None and size > request["memory"] * MIB:
            return "memory limit"
        if request["cpu"] is not None and seconds > request["cpu"]:
            return "cpu limit"
        if max(os.fstat(out.fileno()).st_size, os.fstat(err.fileno()).st_size) > MAX_OUTPUT:
            return "output limit"
        return ""

    def _measure(self) -> tuple[float, int]:
        """Return CPU seconds so far and current bytes of memory, summed over all processes."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = usage.ru_utime + usage.ru_stime
        tree = _tree() if _LINUX else {}
        seconds += sum(process.seconds for process in tree.values())
        size = sum(process.resident for process in tree.values())
        if size > self._peak:
            if len(tree) > 1 and _HAS_PROPORTIONAL_SIZES:
                # Forked processes share pages, which must count once.
                size = sum(_proportional(pid, process.resident) for pid, process in tree.items())
            self._peak = max(self._peak, size)
        return seconds, size

    def end_all(self) -> None:
        """End every process of the run, and wait until they are gone."""
        deadline = time.monotonic() + _KILL_SECONDS
        while time.monotonic() < deadline:
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
    """Parent, CPU seconds and resident bytes of a process, from /proc/PID/stat."""

    __slots__ = ("parent", "resident", "seconds")

    def __init__(self, line: bytes) -> None:
        fields = line[line.rindex(b")") + 2 :].split()  # the name may contain spaces and brackets
        self.parent = int(fields[1])
        self.seconds = sum(map(int, fields[11:15])) / _TICKS  # includes children that have ended
        self.resident = int(fields[21]) * _PAGE


_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_HAS_PROPORTIONAL_SIZES = os.access("/proc/self/smaps_rollup", os.R_OK)


def _tree() -> dict[int, _Process]:
    """Return all descendants of the supervisor, by process id."""
    processes: dict[int, _Process] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 (creating Paths would take most of the time)
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError):
                processes[int(name)] = _Process(_read(f"/proc/{name}/stat"))
    inside = {os.getpid()}
    before = 0
    while len(inside) > before:
        before = len(inside)
        inside.update(pid for pid, process in processes.items() if process.parent in inside)
    return {pid: processes[pid] for pid in inside if pid != os.getpid()}


def _proportional(pid: int, resident: int) -> int:
    """Return bytes of memory, shared pages divided by their number of users; 0 if it has ended."""
    try:
        for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    except PermissionError:  # a process of another user, after setuid
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


def _set_soft_limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (value, hard))


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
