"""Start, watch and end the processes of a race, each of which runs one backend.

If it is safe, a racer is forked, so that it has the candidates already and starts at once. Forking
is safe on Linux in a program with one thread. Elsewhere, a racer is a new Python process, started
by its command line, which receives its task through a pipe. ``multiprocessing`` would start it by
importing the caller's main module again, which hangs or starts the whole program anew if that
module has no ``if __name__ == "__main__"``.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from satcross.backends.base import Answer, Task
from satcross.backends.registry import get_backend
from satcross.errors import UnavailableError
from satcross.network.narrowing import Narrowing
from satcross.run_settings import Deadline, ignore_partial, ignore_progress

if TYPE_CHECKING:  # most puzzles are answered without a race; this and pickle take long to import
    from multiprocessing.connection import Connection

_ROOT = str(Path(__file__).resolve().parents[2])
_COMMAND = f"""\
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends this process
sys.path.append({_ROOT!r})
from satcross.backends.racers import main
main()
"""

Message = Answer | UnavailableError | str | dict[str, str]
"""An answer, the reason why the backend can't be used, the traceback of an internal error, or the
letters of a partial fill."""


class Racer(Protocol):
    """A process of a race."""

    @property
    def exitcode(self) -> int | None: ...

    def kill(self) -> None: ...

    def join(self) -> None: ...


def may_fork() -> bool:
    """Whether forking is safe: a lock that another thread holds would stay locked in the child."""
    return sys.platform == "linux" and threading.active_count() == 1


def can_race() -> bool:
    """Whether other processes can be started; an embedded Python may have no command of its own."""
    return may_fork() or bool(sys.executable)


class Racers:
    """The processes of a race, all of which are ended when the ``with`` block is left."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._processes: list[Racer] = []
        self._receivers: list[Connection] = []
        self.running: dict[Connection, tuple[str, Racer]] = {}
        """The racers that have not ended, by the connection on which their messages arrive."""

    def start(self, name: str, narrowing: Narrowing | None = None) -> None:
        """Start a backend on the task, with a seed of its own."""
        task, number = self._task, len(self._processes)
        own = replace(
            task,
            seed=(task.seed + number + 1) % 2**31,
            deadline=Deadline(task.deadline.at),  # whether to stop is asked in this process
            workers=1,
            options={"narrowing": narrowing, **task.options} if narrowing else task.options,
            on_progress=ignore_progress,
            on_partial=ignore_partial,
        )
        # Only one racer reports: partial fills of two searches in turn would be unreadable.
        shown = number == 0 and task.on_partial is not ignore_partial
        start = _fork if may_fork() else _start_by_command
        receiver, process = start(name, own, shown)
        self._processes.append(process)
        self._receivers.append(receiver)
        self.running[receiver] = (name, process)

    @property
    def names(self) -> str:
        return ", ".join(name for name, _ in self.running.values())

    def __enter__(self) -> Racers:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
        for receiver in self._receivers:
            receiver.close()
        for process in self._processes:
            process.join()


def _fork(name: str, task: Task, shown: bool) -> tuple[Connection, Racer]:
    import multiprocessing

    context: Any = multiprocessing.get_context("fork")  # typeshed: bases lack Process
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run_forked, args=(name, task, shown, sender), daemon=True)
    process.start()
    sender.close()
    return receiver, process


def _run_forked(name: str, task: Task, shown: bool, sender: Connection) -> None:
    _die_by_signal()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    _run(name, task, shown, sender.send)
    sender.close()


def _die_by_signal() -> None:
    """Have Linux kill this process when its parent ends.

    A thread that waits for that can't run while a solver holds Python's lock, as Glucose does.
    """
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1  # <linux/prctl.h>
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def _die_with_parent() -> None:
    # A parent that is killed can't end its racers.
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Commanded:
    """A racer that was started by its command line."""

    def __init__(self, name: str, task: Task, shown: bool, sender: Connection) -> None:
        import pickle
        import subprocess

        self._process = subprocess.Popen(
            # -P: no module of the current folder comes before the library's.
            [sys.executable, "-P", "-c", _COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin
        # In threads, because a racer that dies early neither reads its task nor writes anything.
        asked = pickle.dumps((name, task, shown))
        self._threads = [
            threading.Thread(target=_send, args=(self._stdin, asked), daemon=True),
            threading.Thread(target=_hear, args=(self._process.stdout, sender), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def exitcode(self) -> int | None:
        return self._process.returncode

    def kill(self) -> None:
        self._process.kill()

    def join(self) -> None:
        self._process.wait()
        for thread in self._threads:
            thread.join()
        with suppress(OSError):  # input that the racer has not read
            self._stdin.close()


def _start_by_command(name: str, task: Task, shown: bool) -> tuple[Connection, Racer]:
    import multiprocessing

    receiver, sender = multiprocessing.Pipe(duplex=False)
    return receiver, _Commanded(name, task, shown, sender)


def _send(stream: IO[bytes], content: bytes) -> None:
    with suppress(OSError, ValueError):  # the racer has died
        stream.write(content)
        stream.flush()  # stays open: its end tells the racer that this process is gone


def _hear(stream: IO[bytes], sender: Connection) -> None:
    import pickle

    with stream, sender, suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            sender.send(pickle.load(stream))


def main() -> None:
    """Be a racer: read the task from standard input, write messages to standard output."""
    import pickle

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # standard output carries messages; what a solver prints goes to standard error
    name, task, shown = pickle.load(sys.stdin.buffer)
    _die_by_signal()
    threading.Thread(target=_die_with_input, daemon=True).start()

    def send(message: Message) -> None:
        pickle.dump(message, answers)
        answers.flush()

    with suppress(BrokenPipeError):
        _run(name, task, shown, send)
    os._exit(0)  # a solver's threads may still be at work


def _die_with_input() -> None:
    sys.stdin.buffer.read(1)
    os._exit(1)


def _run(name: str, task: Task, shown: bool, send: Callable[[Any], None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if shown:
        task = replace(task, on_partial=send)
    try:
        result: Message = get_backend(name).solve(task)
    except UnavailableError as error:
        result = error
    except BaseException:
        import traceback

        result = traceback.format_exc()
    send(result)
