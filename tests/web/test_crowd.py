"""Many clients at once, and stopped jobs: all answers are right, and no process remains."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import msgspec
import pytest
from brute_force import all_fills
from helpers import PATIENCE, until
from starlette.testclient import TestClient
from web.asking import HARD, SMALL, add_list, ask, question, start, wait_for, workers
from web.conftest import serving

from satcross import Grid
from satcross.backends.registry import BACKENDS
from satcross.web import jobs, protocol, schema
from satcross.web.jobs import Jobs
from satcross.web.limits import Limits
from satcross.web.worker_pool import Process

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")


def test_twenty_clients_get_a_right_answer_or_hear_that_it_is_busy(
    client_with: Callable[..., TestClient],
) -> None:
    words = ["CAT", "CUB", "BED", "TOD", "TAD", "BAD", "CAB", "TUB"]
    with client_with(waiting=8) as client:
        name = add_list(client, "\n".join(words))

        def one(number: int) -> str:
            rows = [f"{'CT_Z'[number % 4]}__", "_#_", "___"]
            asked = {"kind": "fill", "question": {"rows": rows, "lists": [name]}}
            answer = client.post("/api/jobs", json={**asked, "backend": "backtrack"})
            if answer.status_code == 503:
                assert answer.headers["retry-after"]
                assert "busy" in answer.json()["error"]
                return "busy"
            assert answer.status_code == 202
            state = wait_for(client, answer.json()["id"])
            assert state["state"] == "done", state
            grid = Grid.from_rows(rows, letters=True)
            given = {(0, 0): rows[0][0]} if rows[0][0] != "_" else {}
            fills = list(all_fills({s.name: s.cells for s in grid.slots}, words, given=given))
            found = {slot["name"]: slot["word"] for slot in state["result"]["slots"]}
            assert found in fills if fills else state["result"]["status"] == "unfillable"
            return "answered"

        with ThreadPoolExecutor(20) as pool:
            ended = list(pool.map(one, range(20)))
        assert ended.count("answered") >= 10  # two jobs run and eight wait
        # and afterwards the server accepts jobs again
        assert ask(client, "fill", {"rows": SMALL, "lists": [name]})["status"] == "filled"


def test_what_waits_has_a_place_and_can_be_stopped(client_with: Callable[..., TestClient]) -> None:
    with client_with(running=1, waiting=2) as client:
        asked = {"rows": HARD}
        running, second, third = (start(client, "fill", asked) for _ in range(3))
        refused = client.post("/api/jobs", json={"kind": "fill", "question": asked})
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        assert client.get(f"/api/jobs/{third}").json()["place"] == 2
        assert client.delete(f"/api/jobs/{second}").json()["state"] == "cancelled"
        assert client.get(f"/api/jobs/{third}").json()["place"] == 1
        client.delete(f"/api/jobs/{running}")
        wait_for(client, third, "running")
        assert client.delete(f"/api/jobs/{third}").json()["state"] == "cancelled"


@linux
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_stopped_job_leaves_no_process(
    client_with: Callable[..., TestClient], backend: str
) -> None:
    before = workers()
    with client_with() as client:
        job = start(client, "fill", {"rows": HARD}, backend=backend)
        wait_for(client, job, "running")
        until(lambda: workers().keys() - before.keys(), "a process of the job")
        state = client.delete(f"/api/jobs/{job}").json()
        assert state["state"] == "cancelled"
        assert workers().keys() <= before.keys()
        assert client.delete(f"/api/jobs/{job}").json() == state


@linux
@pytest.mark.parametrize("noticed", [True, False])
def test_a_process_that_was_ended_while_it_waited_is_replaced(
    client_with: Callable[..., TestClient], noticed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not noticed:  # as if the next request came before the system reports the end of the process
        monkeypatch.setattr(Process, "ended", False)
    before = workers()
    with client_with() as client:
        assert client.post("/api/look", json={"question": {"rows": SMALL}}).status_code == 200
        (looker,) = workers().keys() - before.keys()
        os.kill(looker, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{looker}").exists(), "the server to hear of it")
        assert client.post("/api/look", json={"question": {"rows": SMALL}}).status_code == 200


@linux
def test_a_job_takes_the_process_of_the_last_that_was_done(
    client_with: Callable[..., TestClient],
) -> None:
    before = workers()
    with client_with() as client:
        assert ask(client, "fill", {"rows": SMALL})["status"] == "filled"
        (process,) = workers().keys() - before.keys()
        assert len(ask(client, "several", {"rows": SMALL}, number=2)["fills"]) == 2
        assert workers().keys() - before.keys() == {process}
        os.kill(process, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{process}").exists(), "the server to hear of it")
        assert ask(client, "fill", {"rows": SMALL})["status"] == "filled"
    assert workers().keys() <= before.keys()


@linux
def test_workers_killed_at_random_cost_no_more_than_their_jobs(
    client_with: Callable[..., TestClient],
) -> None:
    """Every job ends with a right answer or says why not, and the server goes on."""
    random = Random(1)
    before = workers()
    with client_with(worker_pool=2) as client:
        small = question(client)
        hard = {"rows": HARD}
        kinds = [("fill", small), ("several", small), ("explain", small), ("fill", hard)] * 2
        jobs = [
            (start(client, kind, asked, seconds=2), kind, asked["rows"]) for kind, asked in kinds
        ]
        states: dict[str, dict[str, Any]] = {}
        deadline = time.monotonic() + PATIENCE
        while len(states) < len(jobs):
            assert time.monotonic() < deadline, states
            found = sorted(workers().keys() - before.keys())
            if found and random.random() < 0.5:
                with suppress(ProcessLookupError):
                    os.kill(random.choice(found), signal.SIGKILL)
            answer = client.post("/api/look", json={"question": small})
            assert answer.status_code == 200 or answer.json()["error"]
            time.sleep(random.random() / 5)
            for job, *_ in jobs:
                state = client.get(f"/api/jobs/{job}").json()
                if state["state"] not in ("queued", "running"):
                    states[job] = state
        for job, kind, rows in jobs:
            if states[job]["state"] == "failed":
                assert states[job]["error"]
                continue
            assert states[job]["state"] == "done"
            result = states[job]["result"]
            if kind == "several":
                assert len(result["fills"]) == 2
            elif rows == HARD:
                assert result["reason"] == "time limit"
            else:
                assert result["status"] == ("filled" if kind == "fill" else "fillable")
        assert ask(client, "fill", small)["status"] == "filled"
        assert client.post("/api/look", json={"question": small}).status_code == 200
    until(lambda: workers().keys() <= before.keys(), "the end of all workers")


@pytest.mark.parametrize("error", [TimeoutError, OSError, RuntimeError])
def test_a_job_that_has_begun_and_breaks_off_has_ended(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    async def begin(*_: object) -> AsyncIterator[protocol.Event]:
        yield protocol.Progress("begun")
        raise error

    monkeypatch.setattr(Process, "ask", begin)
    state = wait_for(client, start(client, "fill", {"rows": SMALL}))
    assert state["state"] == "failed"
    assert state["error"]


def test_what_was_found_is_kept(client_with: Callable[..., TestClient]) -> None:
    rows = ["____"] * 3  # has too many fills to list them in time
    with client_with(stop_seconds=float(PATIENCE)) as client:
        job = start(client, "several", {"rows": rows}, number=20, seconds=60)
        wait_for(client, job, "running", "done")

        def has_found() -> bool:
            state = client.get(f"/api/jobs/{job}").json()
            found = re.search("[1-9][0-9]* of 20 fills", state["progress"])  # 0 at the beginning
            return state["state"] != "running" or found is not None

        until(has_found, "a fill")
        state = client.delete(f"/api/jobs/{job}").json()
        assert len(state["result"]["fills"]) >= 1


def test_a_second_stop_does_not_wait_for_a_busy_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Busy:
        def __init__(self) -> None:
            self.killed = asyncio.Event()

        async def ask(self, request: object) -> AsyncIterator[protocol.Event]:
            yield protocol.Ready()
            await self.killed.wait()

        def interrupt(self) -> None:
            """Does not end it."""

        async def kill(self) -> None:
            self.killed.set()

    async def begin(*_: object) -> Busy:
        return Busy()

    async def stop_twice() -> str:
        jobs = Jobs(replace(Limits(), stop_seconds=2.0 * PATIENCE), tmp_path)
        job = jobs.add(protocol.Work(schema.Fill(schema.PuzzleSpec(("__",)))), 60.0)
        async with asyncio.timeout(PATIENCE):
            while not job.ready:
                await asyncio.sleep(0)
            await asyncio.gather(jobs.cancel(job), jobs.cancel(job))
        return job.shown.state

    monkeypatch.setattr(Process, "start", begin)
    assert asyncio.run(stop_twice()) == "cancelled"


def test_the_limit_of_a_job_begins_when_its_process_is_ready(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask_slowly(*_: object) -> AsyncIterator[protocol.Event]:
        await asyncio.sleep(1)  # more than the limit and its grace
        yield protocol.Ready()
        yield protocol.Done(msgspec.Raw(b'"slow"'))

    monkeypatch.setattr(jobs, "_GRACE_SECONDS", 0.2)
    monkeypatch.setattr(Process, "ask", ask_slowly)
    assert ask(client, "fill", {"rows": SMALL}, seconds=0.2) == "slow"


def test_a_job_that_is_late_returns_what_it_has(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = asyncio.Event()

    async def ask_for_long(*_: object) -> AsyncIterator[protocol.Event]:
        yield protocol.Ready()
        await late.wait()
        yield protocol.Done(msgspec.Raw(b'"so far"'))

    monkeypatch.setattr(jobs, "_LATE_SECONDS", 0.0)
    monkeypatch.setattr(Process, "ask", ask_for_long)
    monkeypatch.setattr(Process, "interrupt", lambda _: late.set())
    assert ask(client, "fill", {"rows": SMALL}, seconds=0.2) == "so far"


@linux
def test_memory_stays(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as (process, address),
        httpx2.Client(base_url=address, timeout=PATIENCE) as client,
    ):

        def work() -> int:
            for _ in range(8):
                asked = {"question": {"rows": SMALL}, "slot": "1A"}
                assert client.post("/api/look", json=asked).status_code == 200
                answer = client.post("/api/jobs", json={"kind": "fill", "question": {"rows": HARD}})
                assert answer.status_code == 202
                state = client.delete(f"/api/jobs/{answer.json()['id']}").json()
                assert state["state"] == "cancelled"
            status = Path(f"/proc/{process.pid}/status").read_text()
            return int(status.split("VmRSS:")[1].split()[0])

        first = work()
        assert work() < first + 4000  # kB
        assert len(list(Path(f"/proc/{process.pid}/fd").iterdir())) < 60


def test_a_fault_of_ours_has_a_name(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise ValueError("something")

    monkeypatch.setattr(Process, "start", fail)
    state = wait_for(client, start(client, "fill", {"rows": SMALL}))
    assert state["state"] == "failed"
    assert state["error"] == "INTERNAL ERROR, please report it (ValueError: something)"


def test_a_job_ends_at_its_limit(client: TestClient) -> None:
    result = ask(client, "fill", {"rows": HARD}, seconds=0.5)
    assert (result["status"], result["reason"]) == ("unknown", "time limit")
    asked = question(client, ["C__", "_#_", "___"])
    assert ask(client, "fill", asked, seconds=0.5)["status"] in ("filled", "unknown")
