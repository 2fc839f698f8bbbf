"""Temporary files of attacks and tests, which are removed when they end, however they end."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "satcross-attack-"


@contextmanager
def all_in_one_folder() -> Iterator[None]:
    """Collect the temporary files of this process, and of those it starts, and remove them.

    SIGTERM acts as Ctrl-C does. Processes that still work in the folder at the end are killed. What
    an attack left that was itself killed is removed by the next one.
    """
    parent = Path(tempfile.gettempdir())
    folder = own_folder(parent, _PREFIX)
    before = os.environ.get("TMPDIR"), tempfile.tempdir
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        for process in processes_in(folder):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        os.environ["TMPDIR"], tempfile.tempdir = before[0] or str(parent), before[1]
        shutil.rmtree(folder, ignore_errors=True)


def own_folder(parent: Path, prefix: str) -> Path:
    """Make a folder named after this process, and remove those of processes that have ended."""
    for old in parent.glob(f"{prefix}*"):
        if not _is_alive(old.name.removeprefix(prefix)):
            shutil.rmtree(old, ignore_errors=True)
    folder = parent / f"{prefix}{os.getpid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def lasting_folder() -> Path:
    """Make a folder that is there until this process ends."""
    folder = tempfile.mkdtemp(prefix="attack-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def processes_in(folder: Path) -> list[int]:
    """Return the processes that work in a folder or below it (Linux)."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (path / "cwd").readlink().is_relative_to(folder.resolve()):
                found.append(int(path.name))
    return found


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except OSError:  # another user's
        return True
    return True
