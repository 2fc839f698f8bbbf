"""``satcross serve``, started from a shell."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from helpers import PATIENCE, ROOT, killed_at_end, run, until
from web.asking import HARD, SMALL, workers
from web.conftest import serving

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")


def _alive(processes: set[int]) -> set[int]:
    """Return the processes that still run, without those that ended but were not waited for."""
    return {
        one
        for one in processes
        if (stat := Path(f"/proc/{one}/stat")).exists()
        and stat.read_text().rpartition(")")[2].split()[0] != "Z"
    }


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = run(tmp_path, "serve", "--port", port)
    assert answer.returncode == 2
    assert answer.stderr.count(b"\n") == 1
    assert port.encode() in answer.stderr
    assert b"choose another --port" in answer.stderr


def test_a_host_that_is_none_is_one_line(tmp_path: Path) -> None:
    answer = run(tmp_path, "serve", "--host", "256.1.1.1")
    assert answer.returncode == 2
    assert answer.stderr.count(b"\n") == 1


@linux
def test_a_server_ends_with_tests_that_are_killed(tmp_path: Path) -> None:
    """Its workers, too: nothing outlives a run that was interrupted."""
    code = (
        "import sys, time; from pathlib import Path; from web.conftest import serving\n"
        "with serving(Path('.')) as (process, _):\n"
        "    print(process.pid, flush=True); time.sleep(600)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}
    tests = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, env=environment
    )
    with killed_at_end(tests):
        assert tests.stdout is not None
        server = int(tests.stdout.readline())
        started = {server, *workers(server)}
        tests.kill()
        until(lambda: not _alive(started), "the server and its workers end")
    tests.communicate()


@linux
def test_ctrl_c_ends_everything_soon(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as (process, address),
        httpx2.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        assert client.post("/api/look", json={"question": {"rows": SMALL}}).status_code == 200
        job = client.post("/api/jobs", json={"kind": "fill", "question": {"rows": HARD}}).json()
        until(lambda: client.get(f"/api/jobs/{job['id']}").json()["partial"], "some letters")
        working = {*workers(process.pid)}
        assert len(working) >= 2
        with client.stream("GET", f"/api/jobs/{job['id']}/events") as stream:
            next(stream.iter_lines())
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=PATIENCE) == 0
        assert not _alive(working)


@linux
def test_a_killed_server_leaves_nobody(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as (process, address),
        httpx2.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        client.post("/api/look", json={"question": {"rows": SMALL}})
        client.post("/api/jobs", json={"kind": "fill", "question": {"rows": HARD}})
        working = {*workers(process.pid)}
        assert working
        os.kill(process.pid, signal.SIGKILL)
        until(lambda: not _alive(working), "the end of its processes")
