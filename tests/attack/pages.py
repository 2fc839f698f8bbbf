"""Jobs of the web page: answers against brute force, killed workers, stopped jobs, bad requests."""

from __future__ import annotations

import atexit
import http.client
import json
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from browser import Browser, find_browser, open_browser
from brute_force import Fill
from web.bench import Bench
from web.conftest import serving
from web.test_page_words import edit_at_random

from attack.attack import Attack, Case
from attack.puzzles import question_of, random_puzzle, smaller_puzzles
from attack.temporary import lasting_folder, processes_in

KINDS = ("fill", "several", "explain", "compare", "steps", "look")
EVENTS = ("nothing", "nothing", "stop", "kill a worker", "leave the stream", "bad request")
JOB_SECONDS = 60

_SENT = ("rows", "locks", "min_score", "excluded", "allow_repeats", "min_scores", "theme",
         "theme_least", "preferred", "max_shared", "endings", "bars")  # fmt: skip


@cache
def _server() -> tuple[Path, int, str]:
    """Start a server for all cases; return its folder, its process and its host and port."""
    served, folder = ExitStack(), lasting_folder()
    process, address = served.enter_context(serving(folder))
    atexit.register(served.close)
    return folder, process.pid, address.removeprefix("http://").strip("/")


def _request(method: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(_server()[-1], timeout=JOB_SECONDS)
    try:
        headers = {"content-type": "application/json"}
        if path.startswith("/api/lists"):
            headers = {"content-type": "application/octet-stream"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 500 or answer.status == 503, f"{method} {path}: {answer.status}"
        return answer.status, json.loads(text) if text else None
    finally:
        connection.close()


def _random_job(random: Random) -> Case:
    # A list that is uploaded may lose its accents, and the page has no exemptions and no scores by
    # slot.
    while not (case := random_puzzle(random))["words"] or "Ä" in "".join(case["words"]):
        pass
    return {
        **case,
        "slot_min_scores": {},
        "setter_words": [],
        "extra_words": {},
        "job": random.choice(KINDS),
        "event": random.choice(EVENTS),
        "after": random.random(),
    }


def _jobs(case: Case) -> None:
    puzzle = {name: case[name] for name in case if name not in ("job", "event", "after")}
    question = question_of(puzzle)
    fills = list(question.fills())
    words = "".join(f"{word};{score}\n" for word, score in case["words"].items())
    status, added = _request("POST", "/api/lists?title=mine", words.encode())
    if status != 201:
        return
    data = question.to_data()
    asked = {name: data[name] for name in _SENT if data.get(name) is not None}
    asked["lists"] = [added["name"]]
    keys = ("row", "column", "letters")
    asked["rebus"] = [dict(zip(keys, one, strict=True)) for one in question.rebus]
    if case["event"] == "bad request":
        _send_bad_request(case, asked)
    if case["job"] == "look":
        status, _ = _request("POST", "/api/look", json.dumps({"question": asked}).encode())
        assert status in (200, 422), f"look: {status}"
        return
    body = {"kind": case["job"], "question": asked, "seed": case["seed"], "seconds": 30}
    status, job = _request("POST", "/api/jobs", json.dumps(body).encode())
    if status == 422:
        return  # what the page refuses, such as a grid without a slot
    assert status == 202, f"{status}: {job}"
    path = f"/api/jobs/{job['id']}"
    _disturb(case, path)
    state = _wait(path)
    if state["state"] == "done":
        _check_result(case["job"], state["result"], fills)
    elif state["state"] == "cancelled":
        assert case["event"] == "stop", state
    else:  # perhaps before it was to be stopped
        assert state["error"], "failed without a reason"
        # Without a killed worker, only what the page refuses fails, with a reason of ours.
        assert case["event"] == "kill a worker" or "our own fault" not in state["error"], state


def _send_bad_request(case: Case, asked: Mapping[str, Any]) -> None:
    random = Random(case["seed"])
    body = bytearray(json.dumps({"kind": case["job"], "question": asked}).encode())
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(body))
        body[at : at + random.randint(0, 3)] = random.choice(
            (b"", b"\0", b"9", b'"', b"[", b"\xff")
        )
    status, answer = _request("POST", "/api/jobs", bytes(body))
    assert status in (202, 400, 404, 413, 422, 503), f"{status}: {answer}"
    if status == 202:
        _wait(f"/api/jobs/{answer['id']}")


def _disturb(case: Case, path: str) -> None:
    time.sleep(case["after"])
    if case["event"] == "stop":
        _request("DELETE", path)
    elif case["event"] == "kill a worker":
        folder, server, _ = _server()
        workers = sorted({*processes_in(folder)} - {server})
        if workers:
            with suppress(ProcessLookupError):
                os.kill(Random(case["seed"]).choice(workers), signal.SIGKILL)
    elif case["event"] == "leave the stream":
        connection = http.client.HTTPConnection(_server()[-1], timeout=JOB_SECONDS)
        connection.request("GET", f"{path}/events")
        connection.close()


def _wait(path: str) -> Mapping[str, Any]:
    end = time.monotonic() + JOB_SECONDS
    while time.monotonic() < end:
        status, state = _request("GET", path)
        assert status == 200, f"{path}: {status}"
        if state["state"] in ("done", "cancelled", "failed"):
            return dict(state)
        time.sleep(0.02)
    raise AssertionError(f"a job of 30 s has not ended after {JOB_SECONDS} s")


def _check_result(kind: str, result: Mapping[str, Any], fills: list[Fill]) -> None:
    truth = "filled" if fills else "unfillable"
    if kind == "fill":
        assert result["status"] in (truth, "unknown"), f"{result['status']}, not {truth}"
        if result["status"] == "filled":
            assert _fill(result) in fills, f"no fill: {result['slots']}"
    elif kind == "several":
        found = [_fill(one) for one in result["fills"]]
        assert all(fill in fills for fill in found), found
    elif kind == "explain":
        expected = "unfillable" if not fills else "fillable"
        assert result["status"] in (expected, "unknown"), f"{result['status']}, not {expected}"


def _fill(result: Mapping[str, Any]) -> Fill:
    return {slot["name"]: slot["word"] for slot in result["slots"]}


@cache
def _browser() -> Browser:
    opened = open_browser()
    atexit.register(opened.__exit__, None, None, None)
    return opened.__enter__()


def _edits(case: Case) -> None:
    """Edit the page's document at random; without a browser, nothing is done."""
    if find_browser() is None:
        return
    with Bench(_browser()).begin(f"http://{_server()[-1]}/") as page:
        edit_at_random(page, case["seed"], case["steps"])


def _fewer_edits(case: Case) -> Iterator[Case]:
    for steps in (1, 2, 4, 8, 12, 16, 20, case["steps"] - 1):
        if 0 < steps < case["steps"]:
            yield {**case, "steps": steps}


ATTACKS: Mapping[str, Attack] = {
    "jobs": Attack(_random_job, _jobs, smaller_puzzles),
    "edits": Attack(
        lambda random: {"seed": random.randrange(10**6), "steps": 30}, _edits, _fewer_edits
    ),
}
