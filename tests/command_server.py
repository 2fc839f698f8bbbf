"""Run ``satcross`` again and again, each time in a forked child: one request per line of input.

Starting Python and importing the solver libraries takes longer than the puzzles of these tests. A
child shares no state with other children; it only finds modules imported that an earlier child has
needed, and what ``TABLES`` make. Otherwise this file knows only ``python -m satcross``.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

LIMIT = 500
"""Seconds after which a child ends itself; none needs a tenth of that."""
TABLES = {
    "satcross.answer.model": ("model_content",),
    "satcross.formats.json": ("versions",),
    "satcross.formats.languages": ("languages",),
    "satcross.formats.written": ("_source_text", "default_splits"),
    "satcross.solving.inflections": ("irregular_bases", "related"),
}
"""Functions, by module, that read the package's tables once: that took half of a child's time."""


def become(request: dict[str, Any]) -> None:
    """Turn this forked child into what a shell would have started."""
    signal.alarm(LIMIT)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path.insert(0, request["folder"])  # as with ``python -m``
    for descriptor, name in enumerate(("in", "out", "err")):
        flags = os.O_RDONLY if descriptor == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(request[name], flags, 0o666), descriptor)
    modules = Path(request["modules"])
    atexit.register(lambda: modules.write_text("\n".join(sys.modules), encoding="utf-8"))
    sys.argv = ["satcross", *request["arguments"]]


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


def serve() -> None:
    """Answer each request with the exit code; the standard streams belong to the children."""
    # Separate descriptors for requests, so that children's buffers never contain them.
    with os.fdopen(os.dup(0)) as requests, os.fdopen(os.dup(1), "w") as replies:
        os.dup2(2, 1)
        for line in requests:
            request = json.loads(line)
            child = os.fork()
            if child == 0:
                become(request)
                run()
            _, status = os.waitpid(child, 0)
            with suppress(FileNotFoundError):  # a killed child writes none
                names = Path(request["modules"]).read_text("utf-8").split("\n")
                for name in names:
                    if name not in sys.modules:
                        with suppress(Exception):
                            importlib.import_module(name)
            for module in TABLES.keys() & sys.modules.keys():
                for table in TABLES[module]:
                    getattr(sys.modules[module], table)()
            gc.freeze()  # a garbage collection would copy the memory that children share
            replies.write(f"{os.waitstatus_to_exitcode(status)}\n")
            replies.flush()


if __name__ == "__main__":
    serve()
