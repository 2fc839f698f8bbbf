"""Run ``satcross`` again and again, each time in a forked child: one request per connection.

Starting Python and importing the solver libraries takes longer than the puzzles of these tests. A
child shares no state with other children; it only finds modules imported that an earlier child has
needed, and what ``TABLES`` make. Otherwise this file knows only ``python -m satcross``.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import importlib.metadata
import json
import os
import runpy
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

LIMIT = 500
"""Seconds after which a child ends itself; none needs a tenth of that."""
MODULES = "modules"
"""The file with the names of all modules that a child has imported."""
TABLES = {
    "satcross.answer.model": ("model_content",),
    "satcross.formats.json": ("versions",),
    "satcross.formats.languages": ("languages",),
    "satcross.formats.written": ("_source_text", "default_splits"),
    "satcross.solving.inflections": ("irregular_bases", "related"),
}
"""Functions, by module, that read the package's tables once: that took half of a child's time."""


def become(arguments: list[str], folder: str, environment: dict[str, str], streams: Path) -> None:
    """Turn this forked child into what a shell would have started."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.alarm(LIMIT)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path.insert(0, folder)  # as with ``python -m``
    for descriptor, name in enumerate(("in", "out", "err")):
        flags = os.O_RDONLY if descriptor == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(streams / name, flags, 0o666), descriptor)
    atexit.register(lambda: (streams / MODULES).write_text("\n".join(sys.modules), "utf-8"))
    sys.argv = ["satcross", *arguments]


def run() -> NoReturn:
    """Run ``python -m satcross`` without freeing memory at the end, which takes long in a child."""
    code: object = 1
    try:
        runpy.run_module("satcross", run_name="__main__")
        code = 0
    except SystemExit as stop:
        code = stop.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def learn(streams: Path) -> None:
    """Import what a child has needed, and read its tables."""
    with suppress(FileNotFoundError):  # a killed child writes none
        for name in (streams / MODULES).read_text("utf-8").split("\n"):
            if name not in sys.modules:
                with suppress(Exception):
                    importlib.import_module(name)
    for module in TABLES.keys() & sys.modules.keys():
        for table in TABLES[module]:
            getattr(sys.modules[module], table)()
    gc.freeze()  # a garbage collection would copy the memory that children share


def look_for_entry_points_once() -> None:
    """Read the entry points of the installed packages: each child took 15 ms for it, or twice."""
    found = importlib.metadata.entry_points()
    importlib.metadata.entry_points = found.select


def serve(door: socket.socket) -> None:
    """Answer each connection's request with an exit code, until standard input ends."""
    look_for_entry_points_once()
    woken, waker = socket.socketpair()
    waker.setblocking(False)
    signal.set_wakeup_fd(waker.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    children: dict[int, tuple[socket.socket, Path]] = {}
    while True:
        watched: list[Any] = [0, door, woken]
        ready, _, _ = select.select(watched, [], [])
        if 0 in ready:
            return
        if door in ready:
            connection, _ = door.accept()
            with connection.makefile() as lines:
                arguments, folder, environment, streams = json.loads(lines.readline())
            child = os.fork()
            if child == 0:
                become(arguments, folder, environment, Path(streams))
                run()
            children[child] = connection, Path(streams)
        if woken in ready:
            woken.recv(1000)
            for child in [*children]:
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended:
                    connection, place = children.pop(child)
                    learn(place)
                    with connection:
                        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
