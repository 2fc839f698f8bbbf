"""Programs are stopped at their limits, whatever they do, and leave no process running."""

from __future__ import annotations

import os
import signal
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
TWO_CHILDREN = """
import subprocess, sys, time
for new_session in (False, True):
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=new_session
    )
    with open("children", "a") as file:
        file.write(f"{child.pid}\\n")
    # and one whose parent has ended
    child = subprocess.run(
        [sys.executable, "-c", "import os, time; os.fork() or (os.setsid(), "
         "open('children', 'a').write(f'{os.getpid()}\\\\n'), time.sleep(1000))"],
    )
while open("children").read().count("\\n") < 4:
    time.sleep(0.01)
open("ready", "w").close()
"""


def run(folder: Path, *command: str, limits: RunLimits, stop: StopSignal | None = None) -> ExitInfo:
    """Run Python in a folder; its output goes into a folder beside it."""
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    return run_limited([sys.executable, *command], limits, scratch, folder=folder, stop=stop)


@pytest.mark.skipif(sys.platform != "linux", reason="binds processes on Linux only")
def test_a_run_may_be_bound_to_processors(tmp_path: Path) -> None:
    [(core,)] = core_sets(1, 1)
    code = "import os; print(os.sched_getaffinity(0))"
    assert run(tmp_path, "-c", code, limits=RunLimits(cores=(core,))).exit_code == 0
    assert (tmp_path / "scratch" / "stdout").read_text() == f"{{{core}}}\n"
    granted = len(os.sched_getaffinity(0))
    assert len({core for item in core_sets(granted, 1) for core in item}) == granted
    with pytest.raises(UnavailableError, match=f"and {granted} are granted"):
        core_sets(granted, 2)


def test_we_see_what_is_running() -> None:
    assert is_running(os.getpid())


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
    ended = run(tmp_path, "-c", code + "; sys.exit(7)", limits=RunLimits(60, 60, 1000))
    assert (ended.exit_code, ended.reason) == (7, "")
    assert (tmp_path / "scratch" / "stdout").read_text() == "out\n\n"
    assert (tmp_path / "scratch" / "stderr").read_text() == "err\n"
    assert ended.cpu > 0
    assert 1 < ended.memory < 1000


def test_quick_programs_are_never_missed(tmp_path: Path) -> None:
    for _ in range(15):
        ended = run_limited(["true"], RunLimits(20), tmp_path)
        assert (ended.exit_code, ended.reason) == (0, "")


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    ended = run_limited([str(tmp_path / "none")], RunLimits(), tmp_path)
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
    ended = run(tmp_path, str(FAKE), mode, "", limits=limits)
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
    ended = run(tmp_path, "-c", code, limits=RunLimits(memory=150))
    assert (ended.exit_code, ended.reason) == (0, "")
    assert 60 < ended.memory < 150


@pytest.mark.parametrize("ending", ["", "time.sleep(1000)"])
def test_nothing_is_left_running(tmp_path: Path, ending: str) -> None:
    # A busy machine may take a while to start all of them.
    for wall in (2, 20, PATIENCE) if ending else (PATIENCE,):
        (tmp_path / "children").write_text("")
        ended = run(tmp_path, "-c", TWO_CHILDREN + ending, limits=RunLimits(wall=wall))
        assert ended.reason == (TIME_LIMIT if ending else "")
        assert not any(map(is_running, children(tmp_path)))
        if (tmp_path / "ready").exists():
            break
    assert len(children(tmp_path)) == 4


def test_stopping_ends_everything(tmp_path: Path) -> None:
    stop = StopSignal()

    def stop_when_ready() -> None:
        wait_for(tmp_path / "ready")
        stop.stop()

    thread = threading.Thread(target=stop_when_ready)
    thread.start()
    code = TWO_CHILDREN + "time.sleep(1000)"
    ended = run(tmp_path, "-c", code, limits=RunLimits(), stop=stop)
    thread.join()
    assert ended.reason == INTERRUPTED
    assert not (tmp_path / "scratch").exists()
    assert not any(map(is_running, children(tmp_path)))
    assert run(tmp_path, "-c", "", limits=RunLimits(), stop=stop).reason == INTERRUPTED


def test_when_the_supervisor_is_killed_its_group_ends(tmp_path: Path) -> None:
    code = """
import os, signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
with open("children", "w") as file:
    file.write(str(child.pid))
os.kill(os.getppid(), signal.SIGKILL)
child.wait()
"""
    ended = run(tmp_path, "-c", code, limits=RunLimits())
    assert (ended.exit_code, ended.reason) == (None, "")
    assert "the supervising process was killed (signal 9)" in ended.failure
    [child] = children(tmp_path)
    until(lambda: not is_running(child), "its end")


def test_when_we_are_killed_nothing_is_left_running(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(TWO_CHILDREN + "time.sleep(1000)")
    code = f"""
from pathlib import Path
import sys
from satcross.compare.limits import RunLimits, run_limited
folder = Path({str(tmp_path)!r})
(folder / "scratch").mkdir()
run_limited([sys.executable, "program.py"], RunLimits(), folder / "scratch", folder=folder)
"""
    process = subprocess.Popen([sys.executable, "-c", code])
    wait_for(tmp_path / "ready")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    until(lambda: not (tmp_path / "scratch").exists(), "the end of its files")
    assert not any(map(is_running, children(tmp_path)))


def wait_for(path: Path) -> None:
    until(path.exists, f"{path.name} is written")
