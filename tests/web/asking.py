"""Send requests to the server and wait for its answers."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

from helpers import PATIENCE
from starlette.testclient import TestClient

SMALL = ["___", "_#_", "___"]
WORDS = "CAT\nCUB;60\nBED;70\nTOD\n"
HARD = [*["________"] * 8, "_#######"]
"""A puzzle that no backend answers while a test runs. (The cell that belongs to only one slot
prevents the row sweep.)"""

_WORKER = re.compile(r"satcross\.(web\.worker|backends\.racers)")

FILE = {"content-type": "application/octet-stream"}


def add_list(client: TestClient, words: str = WORDS) -> str:
    answer = client.post("/api/lists", params={"title": "mine"}, content=words, headers=FILE)
    assert answer.status_code == 201, answer.text
    name: str = answer.json()["name"]
    return name


def look(client: TestClient, asked: dict[str, Any], /, **more: object) -> dict[str, Any]:
    """Return the view of a puzzle."""
    answer = client.post("/api/look", json={"question": asked, **more})
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json()
    return view


def imported(client: TestClient, extension: str, content: str | bytes) -> dict[str, Any]:
    """Return the crossword in a file."""
    sent = {"params": {"extension": extension}, "content": content, "headers": FILE}
    answer = client.post("/api/import", **sent)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    crossword: dict[str, Any] = answer.json()
    return crossword


def question(client: TestClient, rows: list[str] = SMALL, **more: object) -> dict[str, Any]:
    return {"rows": rows, "lists": [add_list(client)], **more}


def start(
    client: TestClient, kind: str, asked: dict[str, Any] | None = None, /, **more: object
) -> str:
    """Start a job, perhaps about a puzzle; return its id."""
    about = {} if asked is None else {"question": asked}
    answer = client.post("/api/jobs", json={"kind": kind, **about, **more})
    assert answer.status_code == 202, answer.text
    name: str = answer.json()["id"]
    return name


def wait_for(client: TestClient, job: str, *states: str) -> dict[str, Any]:
    if not states:
        client.get(f"/api/jobs/{job}/events")  # ends with the job
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        state: dict[str, Any] = client.get(f"/api/jobs/{job}").json()
        if state["state"] in (states or ("done", "cancelled", "failed")):
            return state
        time.sleep(0.02)
    raise AssertionError(f"job {job} has not got so far: {state}")


def ended(
    client: TestClient, kind: str, asked: dict[str, Any] | None = None, /, **more: object
) -> dict[str, Any]:
    """Return the state of a job when it has ended."""
    return wait_for(client, start(client, kind, asked, **more))


def ask(client: TestClient, kind: str, asked: dict[str, Any], **more: object) -> Any:
    """Return the result of a job."""
    state = ended(client, kind, asked, **more)
    assert state["state"] == "done", state
    return state["result"]


def workers(ancestor: int | None = None) -> dict[int, str]:
    """Return the worker processes of this test's servers: process id -> command line (Linux).

    Other tests that run at the same time have servers, too; only descendants of this process count,
    or those of a server.
    """
    parents, lines = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            lines[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            stat = (path / "stat").read_text()
        except OSError:
            continue
        parents[int(path.name)] = int(stat.rpartition(")")[2].split()[1])

    def is_ours(process: int) -> bool:
        while process in parents:
            process = parents[process]
            if process == (ancestor or os.getpid()):
                return True
        return False

    return {one: line for one, line in lines.items() if _WORKER.search(line) and is_ours(one)}
