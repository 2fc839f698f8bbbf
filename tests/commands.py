"""Run command lines of ``satcross`` in children of one process, which has imported what they need.

Starting Python and importing the solver libraries takes longer than the puzzles of most tests.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock

PATIENCE = 500
"""The most seconds that a test waits for a program.

On a machine busy with other things, one that takes seconds alone takes minutes. The time-out of a
test is a little longer.
"""

_SERVER = Path(__file__).with_name("command_server.py")
_READ_AT_START = ("PYTHON", "LANG", "LC_")
"""What the variables begin with that Python reads only when it starts."""


class CommandServer:
    """A process that forks a child for each command line. ``environment`` is that of its start."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._lock = Lock()
        self._server = subprocess.Popen(
            [sys.executable, "-P", str(_SERVER)],  # -P: tests/encoders is not encoders
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # numpy's threads do not survive a fork.
            env={**environment, "OPENBLAS_NUM_THREADS": "1"},
            text=True,
        )

    def run(
        self,
        arguments: Sequence[str],
        folder: Path,
        streams: Mapping[str, str],
        environment: Mapping[str, str],
    ) -> int:
        """Run a command line in a folder; return its exit code.

        ``streams`` are the paths of standard input, output and error: "in", "out", "err".
        """
        with self._lock, tempfile.NamedTemporaryFile() as modules:
            request = {
                "arguments": [*arguments],
                "folder": str(folder),
                "modules": modules.name,
                "environment": dict(environment),
                **streams,
            }
            assert self._server.stdin is not None
            assert self._server.stdout is not None
            self._server.stdin.write(json.dumps(request) + "\n")
            self._server.stdin.flush()
            return int(self._server.stdout.readline())

    def close(self) -> None:
        self._server.communicate()


def run_command(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    given: bytes | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m satcross`` in a folder, as ``subprocess.run`` does.

    A process of its own runs it where a fork is impossible, or where the environment has other
    values of variables that Python reads when it starts.
    """
    command = [sys.executable, "-m", "satcross", *arguments]
    if not hasattr(os, "fork") or _at_start(environment) != _at_start(_usual_environment()):
        return subprocess.run(
            command,
            cwd=folder,
            input=given,
            capture_output=True,
            env=environment,
            timeout=PATIENCE,
            check=False,
        )
    with tempfile.TemporaryDirectory() as name:
        streams = {one: str(Path(name, one)) for one in ("in", "out", "err")}
        Path(streams["in"]).write_bytes(given or b"")
        code = _usual_server().run(arguments, folder, streams, environment)
        output, errors = (Path(streams[one]).read_bytes() for one in ("out", "err"))
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


@cache
def _usual_server() -> CommandServer:
    server = CommandServer(_usual_environment())
    atexit.register(server.close)
    return server
