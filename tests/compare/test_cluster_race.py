"""A race on a Dask cluster: the first verified answer wins, and the other searches end."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import pytest
from compare.made_up import FILLABLE, WORDS, fake
from distributed import Client
from helpers import until

from satcross import Grid, Puzzle, RunSettings, Status, UnavailableError
from satcross.compare.cluster import race_on_cluster, race_with, racers
from satcross.support import cluster

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
    assert [contender.name for contender, _ in chosen[::2]] == [
        "backtrack/only",
        "backtrack/ahead",
        "letters",
        "cpsat",
    ]
    assert [seed for _, seed in chosen] == list(range(5, 13))


def test_an_unreachable_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", "1s")
    with pytest.raises(UnavailableError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1"):
        race_on_cluster(FILLABLE, ["auto"], "tcp://127.0.0.1:1", SETTINGS)
