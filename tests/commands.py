"""Run command lines of ``satcross`` in children of one process, which has imported what they need.

Starting Python and importing the solver libraries takes longer than the puzzles of most tests.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

PATIENCE = 500
"""The most seconds that a test waits for a program.

On a machine busy with other things, one that takes seconds alone takes minutes. The time-out of a
test is a little longer.
"""

ADDRESS = "SATCROSS_TEST_COMMANDS"
"""The variable of the environment that names the socket of the server."""

_SERVER = Path(__file__).with_name("command_server.py")
_READ_AT_START = ("PYTHON", "LANG", "LC_")
"""What the variables begin with that Python reads only when it starts."""


def start_server() -> None:
    """Start a process that forks a child for each command line; it ends when this one does.

    Processes that this one starts later share it.
    """
    folder = tempfile.TemporaryDirectory()
    address = str(Path(folder.name, "commands"))
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen()
        server = subprocess.Popen(
            # -P: tests/encoders is not encoders.
            [sys.executable, "-P", str(_SERVER), str(door.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[door.fileno()],
            # numpy's threads do not survive a fork.
            env={**_usual_environment(), "OPENBLAS_NUM_THREADS": "1"},
        )
    os.environ[ADDRESS] = address

    def end() -> None:
        server.communicate()
        folder.cleanup()

    atexit.register(end)


def run_command(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    given: bytes | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m satcross`` in a folder, as ``subprocess.run`` does.

    A process of its own runs it where no server does, or where the environment has other values of
    variables that Python reads when it starts.
    """
    command = [sys.executable, "-m", "satcross", *arguments]
    if ADDRESS not in os.environ or _at_start(environment) != _at_start(_usual_environment()):
        return subprocess.run(
            command,
            cwd=folder,
            input=given,
            capture_output=True,
            env=environment,
            timeout=PATIENCE,
            check=False,
        )
    with tempfile.TemporaryDirectory() as name, socket.socket(socket.AF_UNIX) as connection:
        streams = Path(name)
        (streams / "in").write_bytes(given or b"")
        connection.connect(os.environ[ADDRESS])
        request = [[*arguments], str(folder), dict(environment), name]
        connection.sendall(json.dumps(request).encode() + b"\n")
        with connection.makefile() as reply:
            code = int(reply.readline())
        output, errors = ((streams / stream).read_bytes() for stream in ("out", "err"))
    return subprocess.CompletedProcess(command, code, output, errors)


def run_as_text(
    arguments: Sequence[str], folder: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command line with some variables of the environment changed; decode its output."""
    done = run_command(arguments, folder, {**_usual_environment(), **os.environ, **variables})
    output, errors = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, output, errors)


def _at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(_READ_AT_START)}


@cache
def _usual_environment() -> dict[str, str]:
    return {**os.environ, "PYTHONIOENCODING": "utf-8"}
