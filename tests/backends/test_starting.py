"""``auto`` works in the main thread and in others, in scripts and in notebooks.

Each program here races immediately, as if a first search had not been enough.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from helpers import PATIENCE, ROOT, SINGLE_BACKENDS, until

from satcross import Grid, Outcome, Puzzle, Status, Vocabulary, solve
from satcross.backends import auto, racers

PUZZLE = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD"]))
NONE = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["ABA", "ACA", "ADA"]))

NO_FORK = "racers.may_fork = lambda: False"
SCRIPT = """
import multiprocessing
{start}
from satcross import Grid, Puzzle, Vocabulary, solve
from satcross.backends import auto, racers
auto.FIRST_TURNS = auto.FIRST_SWEPT_TURNS = auto.FIRST_NODES = auto.FIRST_NODES_PER_SLOT = 0
{fork}
puzzle = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD"]))
print(solve(puzzle, workers=2, time_limit=500).status)
"""


@pytest.fixture(autouse=True)
def race_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for amount in ("FIRST_TURNS", "FIRST_SWEPT_TURNS", "FIRST_NODES", "FIRST_NODES_PER_SLOT"):
        monkeypatch.setattr(auto, amount, 0)


@pytest.fixture
def no_forking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(racers, "may_fork", lambda: False)


def test_without_forking(no_forking: None) -> None:
    outcome = solve(PUZZLE, "auto", workers=2)
    assert (outcome.status, "winner" in outcome.stats) == (Status.FILLED, True)
    assert solve(NONE, "auto", workers=2).status is Status.UNFILLABLE


@pytest.mark.parametrize("name", SINGLE_BACKENDS)
def test_every_backend_without_forking(
    no_forking: None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto, "RACERS", (name,))
    monkeypatch.setattr(auto, "SWEPT_RACERS", (name,))
    outcome = solve(PUZZLE, "auto", workers=2)
    assert (outcome.status, outcome.stats["winner"]) == (Status.FILLED, name)


def test_from_a_thread() -> None:
    found: list[Outcome] = []
    thread = threading.Thread(target=lambda: found.append(solve(PUZZLE, workers=2)), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert [outcome.status for outcome in found] == [Status.FILLED]


@pytest.mark.parametrize("fork", ["", NO_FORK])
@pytest.mark.parametrize("start", ["", "multiprocessing.set_start_method('spawn')"])
def test_from_a_script_without_a_main_guard(tmp_path: Path, start: str, fork: str) -> None:
    script = tmp_path / "scripts" / "script.py"
    script.parent.mkdir()
    script.write_text(SCRIPT.format(start=start, fork=fork))
    # Modules in the working directory do not replace those of the library.
    (tmp_path / "satcross.py").write_text("raise ValueError")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("filled\n", "", 0)


def test_from_a_notebook_kernel() -> None:
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("ipykernel")
    kernel, client = manager.start_new_kernel(env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        told: list[str] = []
        client.execute_interactive(
            SCRIPT.format(start="", fork=""),
            timeout=PATIENCE,
            output_hook=lambda message: told.append(str(message["content"])),
        )
        assert any("filled" in line for line in told), told
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def test_no_racer_without_its_parent(tmp_path: Path) -> None:
    if os.name != "posix":
        pytest.skip("signals")
    script = tmp_path / "script.py"
    script.write_text(
        "from satcross.backends import racers\n"
        "from satcross.backends.base import Task\n"
        "from satcross import Grid, Puzzle, Vocabulary\n"
        "from satcross.network.arc_consistency import arc_consistent\n"
        "racers.may_fork = lambda: False\n"
        "grid = Grid.from_rows([*['________'] * 8, '_#######'])\n"
        "words = [a + b + c + d + a + b + d + c for a in 'ABCD' for b in 'ABEF'\n"
        "         for c in 'ABCD' for d in 'ABCD']\n"
        "words += [word + 'A' for word in words]\n"
        "with racers.Racers(Task(arc_consistent(Puzzle(grid, Vocabulary(words))))) as race:\n"
        "    race.start('backtrack')\n"
        "    ((_, racer),) = race.running.values()\n"
        "    print(racer._process.pid, flush=True)\n"
        "    import time; time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        racer = Path(f"/proc/{process.stdout.readline().strip()}/stat")
        if not racer.exists():
            pytest.skip("looks at /proc")
        process.send_signal(signal.SIGKILL)

        def ended() -> bool:
            return not racer.exists() or racer.read_text().rpartition(")")[2].split()[0] == "Z"

        until(ended, "the racer's end")


@pytest.mark.parametrize("forking", [True, False])
@pytest.mark.parametrize("victims", [1, 2])
def test_a_killed_racer_costs_no_answer(
    forking: bool, victims: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one racer killed the other answers; with both there is no answer, and no hanging."""
    if not forking:
        monkeypatch.setattr(racers, "may_fork", lambda: False)
    started: list[racers.Racer] = []
    start = racers.Racers.start

    def start_and_kill(race: racers.Racers, name: str, *more: object, **named: object) -> None:
        start(race, name, *more, **named)  # type: ignore[arg-type]
        (newest,) = [one for _, one in race.running.values() if one not in started]
        started.append(newest)
        if len(started) <= victims:
            newest.kill()

    monkeypatch.setattr(racers.Racers, "start", start_and_kill)
    outcome = solve(PUZZLE, "auto", workers=2)
    assert outcome.status is Status.FILLED or (victims == 2 and outcome.status is Status.UNKNOWN)
    assert len(started) >= 2
