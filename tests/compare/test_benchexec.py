"""The export of a suite for BenchExec, as BenchExec itself reads it."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from compare.made_up import RING
from helpers import PATIENCE

from satcross.compare.backend_contenders import BackendContender
from satcross.compare.benchexec import TOOL, export_benchexec
from satcross.compare.command_lines import ExternalSolver
from satcross.compare.contenders import Instance
from satcross.compare.limits import RunLimits
from satcross.errors import InputError
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

LIMITS = RunLimits(wall=60, cpu=2.5, memory=1000)


class Config(SimpleNamespace):
    """Settings of BenchExec; None for the others."""

    def __getattr__(self, name: str) -> None:
        return None


def instance(name: str, words: str, expected: str) -> Instance:
    puzzle = Puzzle(RING, Vocabulary(words.split()))
    return Instance(puzzle, "s.txt", "w.txt", name, "rings", expected)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    instances = [
        instance("a ring", "CAT CUB BED TOD", "filled"),
        instance("none", "CAT CUB BED", "unfillable"),
    ]
    backends = [BackendContender("backtrack"), BackendContender("sat", "glucose4", "full")]
    export_benchexec(tmp_path, instances, backends, range(2), LIMITS, 1)
    return tmp_path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=folder
    )


def test_benchexec_reads_the_runs(folder: Path) -> None:
    pytest.importorskip("benchexec")
    from benchexec.model import Benchmark
    from benchexec.tools.template import BaseTool2

    config = Config(container=False, output_path=str(folder / "out"))
    benchmark = Benchmark(str(folder / "satcross.xml"), config, datetime.now(UTC))
    assert benchmark.tool_module == TOOL
    limits = benchmark.rlimits
    assert (limits.cputime, limits.walltime, limits.memory) == (3, 60, 1000 * 2**20)
    assert len(benchmark.run_sets) == 4
    benchmark.executable = benchmark.tool.executable(None)
    backends = [item.runs[0].cmdline()[3] for item in benchmark.run_sets]
    assert backends == [f"--backend={name}" for name in ("backtrack", "backtrack", "sat", "sat")]
    for task, code, verdict in zip(
        benchmark.run_sets[0].runs, (0, 20), ("true", "false"), strict=True
    ):
        done = run(folder, *task.cmdline())
        assert done.returncode == code, done.stderr
        output = BaseTool2.RunOutput(done.stdout.splitlines(keepends=True))
        seen = BaseTool2.Run(task.cmdline(), None, output, None)
        assert benchmark.tool.determine_result(seen) == verdict
        [expected] = task.expected_results.values()
        assert expected.result is (verdict == "true")


def test_benchexec_runs_the_benchmark(folder: Path) -> None:
    pytest.importorskip("benchexec")
    python = (sys.executable, "-m")
    if run(folder, *python, "benchexec.check_cgroups").returncode:
        pytest.skip("BenchExec may not use cgroups here")
    options = ("--no-container", "-r", "backtrack, seed 0")
    done = run(folder, *python, "benchexec.benchexec", *options, "satcross.xml")
    assert done.returncode == 0, done.stderr
    assert re.search(r"correct: +2$", done.stdout, re.MULTILINE), done.stdout


def test_only_backends_are_exported(tmp_path: Path) -> None:
    solver = ExternalSolver("true {cnf}")
    with pytest.raises(InputError, match="can't be exported"):
        export_benchexec(tmp_path / "new", [], [solver], [0], LIMITS, 1)
    assert not (tmp_path / "new").exists()
