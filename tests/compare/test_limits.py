"""Programs are stopped at their limits, whatever they do, and leave no process running."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from helpers import PATIENCE, until

from satcross.compare.limits import (
    CPU_LIMIT,
    MEMORY_LIMIT,
    ExitInfo,
    RunLimits,
    StopSignal,
    core_sets,
    run_limited,
)
from satcross.errors import UnavailableError
from satcross.run_settings import INTERRUPTED, TIME_LIMIT

FAKE = Path(__file__).with_name("fake_solver.py")
FOUR_CHILDREN = """
sleep 1000 & echo $! >> children
setsid sleep 1000 & echo $! >> children
sh -c 'sleep 1000 & echo $! >> children'
sh -c 'setsid sleep 1000 & echo $! >> children'
touch ready
"""
"""Two that stay, in this session and in one of their own, and two whose parents have ended."""
LASTING = FOUR_CHILDREN + "sleep 1000"


def run(folder: Path, *command: str, limits: RunLimits, stop: StopSignal | None = None) -> ExitInfo:
    """Run a program in a folder; its output goes into a folder beside it."""
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    return run_limited(command, limits, scratch, folder=folder, stop=stop)


@pytest.mark.skipif(sys.platform != "linux", reason="binds processes on Linux only")
def test_a_run_may_be_bound_to_processors(tmp_path: Path) -> None:
    [(core,)] = core_sets(1, 1)
    code = "import os; print(os.sched_getaffinity(0))"
    assert run(tmp_path, sys.executable, "-c", code, limits=RunLimits(cores=(core,))).exit_code == 0
    assert (tmp_path / "scratch" / "stdout").read_text() == f"{{{core}}}\n"
    granted = len(os.sched_getaffinity(0))
    assert len({core for item in core_sets(granted, 1) for core in item}) == granted
    with pytest.raises(UnavailableError, match=f"and {granted} are granted"):
        core_sets(granted, 2)


def is_running(pid: int) -> bool:
    try:
        # A process that has ended but was not yet waited for is not running.
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def children(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "children").read_text().split()]


def test_a_program_that_ends_by_itself(tmp_path: Path) -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); print(sys.stdin.read())"
    ended = run(
        tmp_path, sys.executable, "-c", code + "; sys.exit(7)", limits=RunLimits(60, 60, 1000)
    )
    assert (ended.exit_code, ended.reason) == (7, "")
    assert (tmp_path / "scratch" / "stdout").read_text() == "out\n\n"
    assert (tmp_path / "scratch" / "stderr").read_text() == "err\n"
    assert ended.cpu > 0
    assert 1 < ended.memory < 1000


def test_quick_programs_are_never_missed(tmp_path: Path) -> None:
    for _ in range(15):
        ended = run(tmp_path, "true", limits=RunLimits(20))
        assert (ended.exit_code, ended.reason) == (0, "")


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    ended = run(tmp_path, str(tmp_path / "none"), limits=RunLimits())
    assert (ended.exit_code, ended.failure) == (None, "No such file or directory")


@pytest.mark.parametrize(
    ("mode", "limits", "reason"),
    [
        ("hang", RunLimits(wall=0.3), TIME_LIMIT),
        ("spin", RunLimits(cpu=0.3), CPU_LIMIT),
        ("spin-in-children", RunLimits(cpu=0.5), CPU_LIMIT),
        ("hog", RunLimits(memory=150), MEMORY_LIMIT),
        ("hog-in-children", RunLimits(memory=150), MEMORY_LIMIT),
        ("flood", RunLimits(), "output limit"),
    ],
)
def test_limits(tmp_path: Path, mode: str, limits: RunLimits, reason: str) -> None:
    ended = run(tmp_path, sys.executable, str(FAKE), mode, "", limits=limits)
    assert ended.reason == reason
    if limits.cpu is not None:
        assert ended.cpu > limits.cpu
    if limits.memory is not None:
        assert ended.memory > limits.memory


def test_pages_that_forked_processes_share_count_once(tmp_path: Path) -> None:
    code = """
import os, time
kept = bytearray(b"x") * (60 * 2**20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(0.5)
        os._exit(0)
time.sleep(0.5)
"""
    ended = run(tmp_path, sys.executable, "-c", code, limits=RunLimits(memory=150))
    assert (ended.exit_code, ended.reason) == (0, "")
    assert 60 < ended.memory < 150


@pytest.mark.parametrize("script", [FOUR_CHILDREN, LASTING])
def test_nothing_is_left_running(tmp_path: Path, script: str) -> None:
    # A busy machine may take a while to start all of them.
    for wall in (1, PATIENCE):
        (tmp_path / "children").write_text("")
        ended = run(tmp_path, "sh", "-c", script, limits=RunLimits(wall=wall))
        assert ended.reason == (TIME_LIMIT if script == LASTING else "")
        assert not any(map(is_running, children(tmp_path)))
        if (tmp_path / "ready").exists():
            break
    assert len(children(tmp_path)) == 4


def test_stopping_ends_everything(tmp_path: Path) -> None:
    stop = StopSignal()

    def stop_when_ready() -> None:
        until((tmp_path / "ready").exists, "its children")
        assert all(map(is_running, children(tmp_path)))
        stop.stop()

    thread = threading.Thread(target=stop_when_ready)
    thread.start()
    ended = run(tmp_path, "sh", "-c", LASTING, limits=RunLimits(), stop=stop)
    thread.join()
    assert ended.reason == INTERRUPTED
    assert not (tmp_path / "scratch").exists()
    assert not any(map(is_running, children(tmp_path)))
    assert run(tmp_path, "true", limits=RunLimits(), stop=stop).reason == INTERRUPTED


def test_when_the_supervisor_is_killed_its_group_ends(tmp_path: Path) -> None:
    script = "sleep 1000 & echo $! > children; sleep 1; kill -9 $PPID; wait"
    ended = run(tmp_path, "sh", "-c", script, limits=RunLimits())
    assert (ended.exit_code, ended.reason) == (None, "")
    assert "the supervising process was killed (signal 9)" in ended.failure
    [child] = children(tmp_path)
    until(lambda: not is_running(child), "its end")


def test_when_we_are_killed_nothing_is_left_running(tmp_path: Path) -> None:
    code = f"""
from pathlib import Path
from satcross.compare.limits import RunLimits, run_limited
folder = Path({str(tmp_path)!r})
(folder / "scratch").mkdir()
run_limited(["sh", "-c", {LASTING!r}], RunLimits(), folder / "scratch", folder=folder)
"""
    process = subprocess.Popen([sys.executable, "-c", code])
    until((tmp_path / "ready").exists, "its children")
    process.kill()
    process.wait()
    until(lambda: not (tmp_path / "scratch").exists(), "the end of its files")
    assert not any(map(is_running, children(tmp_path)))
