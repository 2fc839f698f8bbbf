"""A Dask cluster gives the same answers as local runs, and loses none when a worker dies."""

from __future__ import annotations

import copyreg
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import dask
import pytest
from compare.made_up import FILLABLE, RING, WORDS, fake, plan
from distributed import Client, LocalCluster
from distributed.security import Security
from helpers import PATIENCE, killed_at_end, until

from satcross import Grid, Puzzle, RunSettings, Status, UnavailableError
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.cluster import execute_on_cluster, race_on_cluster, race_with, racers
from satcross.compare.command_lines import Program
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.limits import RunLimits
from satcross.compare.records import Record
from satcross.support import cluster

WALL = RunLimits(wall=PATIENCE)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Two processes on this machine."""
    with cluster.connected("local", 2) as client:
        yield client


def same_puzzle(contender: Contender, seeds: int) -> list[Run]:
    run = plan(contender, limits=WALL)
    return [replace(run, seed=seed) for seed in range(seeds)]


def execute_at(address: str, runs: Sequence[Run], **more: Any) -> list[tuple[int, Record]]:
    with cluster.connected(address, 1) as client:
        return list(execute_on_cluster(client, runs, **more))


def local_cluster(workers: int = 1, **more: Any) -> LocalCluster:
    """A cluster of threads; any free port will do, because another cluster may use 8787."""
    address = "127.0.0.1:0"
    return LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=address, **more
    )


def test_a_cluster_that_adapts_and_a_slow_worker(tmp_path: Path) -> None:
    """Workers that join late get work, and nobody waits for the one whose run takes long."""
    script, slow, gate = (tmp_path / name for name in ("program.sh", "slow", "gate"))
    script.write_text(
        f"if mkdir {slow} 2> {tmp_path}/busy; then\n"
        f"  until test -e {gate}; do sleep 0.02; done\nfi\necho UNKNOWN\n"
    )
    runs = same_puzzle(Program(f"gated=sh {script} {{json}}"), 10)
    largest, reasons = 0, []
    with local_cluster(0) as own, Client(own) as adapting:
        own.adapt(minimum=1, maximum=3, interval="100ms", target_duration="100ms", wait_count=9)
        adapting.wait_for_workers(1)
        for _, record in execute_on_cluster(adapting, runs):
            reasons.append(record.reason)
            largest = max(largest, len(adapting.nthreads()))
            if len(reasons) == len(runs) - 1:
                gate.touch()
    assert reasons == ["gave up"] * len(runs)
    assert 2 <= largest <= 3


def test_each_puzzle_travels_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []

    def counted(instance: Instance) -> object:
        sent.append(1)
        return Instance.__reduce_ex__(instance, 4)

    monkeypatch.setitem(copyreg.dispatch_table, Instance, counted)
    runs = same_puzzle(Program("nothing=true {json}"), 5)
    assert len(list(execute_on_cluster(client, runs))) == 5
    assert 1 <= len(sent) <= 2  # Dask may pickle a task twice before it sends it


def test_a_killed_worker_loses_nothing(client: Client, tmp_path: Path) -> None:
    def kill() -> None:
        until((tmp_path / "waiting").exists, "a run at work")
        busy = next(name for name, tasks in client.processing().items() if tasks)
        killed.append(client.run(os.getpid, workers=[busy])[busy])
        os.kill(killed[0], signal.SIGKILL)
        (tmp_path / "gate").touch()

    puzzles = (FILLABLE, Puzzle(RING, WORDS, locks={"1A": "TOD"}))
    both = (fake(f"gate:{tmp_path}"), BackendContender("backtrack"))
    runs = [plan(contender, puzzle, WALL) for puzzle in puzzles for contender in both]
    killed, lost = list[int](), list[int]()
    killer = threading.Thread(target=kill)
    killer.start()
    records = list(execute_on_cluster(client, runs, lost=lost.append))
    killer.join()
    assert (len(killed), lost) == (1, [])
    assert sorted(number for number, _ in records) == [0, 1, 2, 3]
    assert {item.key: item.status for _, item in records} == {
        run.key: "unfillable" if run.instance.puzzle.locks else "filled" for run in runs
    }


SCHEDULER = """
import time
from distributed import LocalCluster
settings = {"processes": False, "protocol": "tcp://", "dashboard_address": "127.0.0.1:0"}
print(LocalCluster(n_workers=1, **settings).scheduler_address, flush=True)
time.sleep(1000)
"""


def test_a_scheduler_that_ends_is_told_in_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-c", SCHEDULER]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, encoding="ascii") as process,
        killed_at_end(process),
    ):
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with pytest.raises(UnavailableError, match="the Dask scheduler is lost"):
            execute_at(address, same_puzzle(fake("hang"), 2), started=lambda _: process.kill())
    assert "Traceback" not in capfd.readouterr().err


def test_a_scheduler_without_workers_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "MAX_WORKER_WAIT", 1)
    with (
        local_cluster(0) as own,
        pytest.raises(UnavailableError, match="has no worker; start one: dask worker"),
    ):
        execute_at(own.scheduler_address, [])


def test_workers_that_do_not_start_are_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(**settings: object) -> LocalCluster:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", never)
    with pytest.raises(UnavailableError, match="no Dask worker can be started here"):
        execute_at("local", [])


def test_workers_of_ours_do_not_see_ctrl_c(client: Client) -> None:
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    for blocked in client.run(signal.pthread_sigmask, signal.SIG_BLOCK, []).values():
        assert signal.SIGINT in blocked


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", "1s")
    with pytest.raises(UnavailableError, match="no Dask scheduler at nonsense"):
        execute_at("nonsense://x", [])
    with pytest.raises(UnavailableError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1"):
        race_on_cluster(FILLABLE, ["auto"], "tcp://127.0.0.1:1", SETTINGS)


def test_a_scheduler_with_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has the certificate that Dask's settings name runs there, and nobody else."""
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=satcross", "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    tls = "distributed.comm.tls"
    settings = {"distributed.comm.require-encryption": True, f"{tls}.ca-file": certificate}
    for role in ("scheduler", "worker", "client"):
        settings |= {f"{tls}.{role}.cert": certificate, f"{tls}.{role}.key": key}
    run = plan(BackendContender("backtrack"), limits=WALL)
    with dask.config.set(settings):
        own = local_cluster(protocol="tls://", security=Security())
    with own:
        address = own.scheduler_address
        assert address.startswith("tls://127.0.0.1:")
        with dask.config.set(settings):
            [(_, record)] = execute_at(address, [run])
        assert (record.status, record.verified) == ("filled", True)
        monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", "1s")
        for stranger in (address, address.replace("tls", "tcp")):
            with pytest.raises(UnavailableError, match="no Dask scheduler at"):
                execute_at(stranger, [run])


# A race: the first verified answer wins, and the other searches end

UNFILLABLE = Puzzle(Grid.from_rows(["___", "___", "___"]), WORDS)
SETTINGS = RunSettings(time_limit=100)


def test_the_first_answer_wins_and_the_other_searches_end(client: Client, tmp_path: Path) -> None:
    loser, winner = tmp_path / "loser", tmp_path / "winner"
    for folder in (loser, winner):
        folder.mkdir()
    racing = [
        (fake(f"gate:{folder}", number), number) for number, folder in enumerate((loser, winner), 1)
    ]

    def open_gate() -> None:
        until((loser / "waiting").exists, "the loser waits")
        (winner / "gate").touch()

    opener = threading.Thread(target=open_gate)
    opener.start()
    outcome = race_with(client, FILLABLE, racing, SETTINGS)
    opener.join()
    assert outcome.status is Status.FILLED
    assert (outcome.backend, outcome.seed) == ("cluster", 2)
    assert outcome.stats["winner"] == racing[1][0].name
    until(lambda: not processes_with(f"gate:{loser}"), "the loser's program is ended")


def processes_with(argument: str) -> list[Path]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if argument.encode() in (process / "cmdline").read_bytes().split(b"\0"):
                found.append(process)
    return found


def test_a_race_is_stopped_from_another_thread(client: Client, tmp_path: Path) -> None:
    racing = [(fake(f"gate:{tmp_path}"), 0)]
    settings = RunSettings(should_stop=(tmp_path / "waiting").exists)
    outcome = race_with(client, FILLABLE, racing, settings)
    assert (outcome.status, outcome.reason) == (Status.UNKNOWN, "stopped")
    until(lambda: not processes_with(f"gate:{tmp_path}"), "the program is ended")


def test_no_fill(client: Client) -> None:
    racing = racers(["auto"], 2, SETTINGS)
    outcome = race_with(client, UNFILLABLE, racing, SETTINGS)
    assert (outcome.status, outcome.fill) == (Status.UNFILLABLE, None)


def test_nobody_has_an_answer(client: Client) -> None:
    racing = [(fake("crash"), seed) for seed in range(2)]
    outcome = race_with(client, FILLABLE, racing, SETTINGS)
    assert outcome.status is Status.UNKNOWN
    assert "ended by SIGSEGV" in outcome.reason


def test_racers_differ() -> None:
    chosen = racers(["auto", "cpsat"], 8, RunSettings(seed=5, options={"solver": "minisat22"}))
    assert [contender.backend for contender, _ in chosen[1::2]] == ["cpsat"] * 4
    names = [contender.name for contender, _ in chosen[::2]]
    assert names == ["backtrack/only", "backtrack/ahead", "letters", "cpsat"]
    assert [seed for _, seed in chosen] == list(range(5, 13))
