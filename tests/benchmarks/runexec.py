"""Do our limits and BenchExec's measure the same CPU seconds for the same runs?

    satcross bench SUITE -o FOLDER --export benchexec --backend backtrack,sat
    python tests/benchmarks/runexec.py FOLDER --repeats 10

Runs each command of the exported benchmark by turns under ``satcross.compare.limits`` and under
BenchExec's ``RunExecutor``, which is what ``runexec --no-container`` calls and which measures by
cgroups. Prints the ratios of the medians on the puzzles, satcross / BenchExec. The limits of the
benchmark are not applied: a run that has no answer after ``--seconds`` of CPU time is an error.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchexec.runexecutor import RunExecutor

from satcross.compare.benchexec_tool import Tool
from satcross.compare.limits import RunLimits, run_limited

Command = list[str]


@dataclass(frozen=True, slots=True)
class Used:
    """What one run used: seconds and MiB, and its exit code; None if it has none."""

    cpu: float
    wall: float
    memory: float
    code: int | None


Values = list[tuple[list[Used], list[Used]]]
"""For each command the runs by satcross and those by BenchExec."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="what `--export benchexec` has written")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    values = measure(given.folder, given.repeats, given.seconds)
    for name in ("cpu", "wall", "memory"):
        print(differences(values, name))


def commands(folder: Path) -> Iterator[Command]:
    """Yield the command line of each run of an exported benchmark."""
    tool = Tool()
    for definition in ElementTree.parse(folder / "satcross.xml").iter("rundefinition"):
        options = [option.attrib["name"] for option in definition.iter("option")]
        for task in sorted((folder / "tasks").glob("*.json")):
            command = [tool.executable(None), "-m", "satcross.compare.run_puzzle"]
            yield [*command, *options, str(task)]


def measure(folder: Path, repeats: int, seconds: int) -> Values:
    """Return what the runs used, the two programs taking turns on every puzzle."""
    executor = RunExecutor(use_namespaces=False)  # limits and figures are those of cgroups
    runs = list(commands(folder))
    values: Values = [([], []) for _ in runs]
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch, "stdout")
        for repeat in range(repeats):
            for command, both in zip(runs, values, strict=True):
                for turn in (0, 1) if repeat % 2 else (1, 0):
                    used = (
                        by_benchexec(executor, command, output, seconds)
                        if turn
                        else by_satcross(command, output, seconds)
                    )
                    if used.code not in (0, 20):
                        sys.exit(f"{command}: exit code {used.code}: {output.read_text()}")
                    both[turn].append(used)
            print(f"\r{repeat + 1} of {repeats} repeats", end="", file=sys.stderr)
    print(file=sys.stderr)
    return values


def by_satcross(command: Command, output: Path, seconds: int) -> Used:
    ended = run_limited(command, RunLimits(cpu=seconds), output.parent, folder=Path.cwd())
    return Used(ended.cpu, ended.wall, ended.memory, ended.exit_code)


def by_benchexec(executor: RunExecutor, command: Command, output: Path, seconds: int) -> Used:
    done = executor.execute_run(
        command,
        str(output),
        hardtimelimit=seconds,
        workingDir=str(Path.cwd()),
        environments=Tool().environment(command[0]),
    )
    code = done["exitcode"].value if "exitcode" in done else None
    return Used(done["cputime"], done["walltime"], done.get("memory", 0) / 2**20, code)


def differences(values: Values, name: str) -> str:
    """Return a line about the medians of a figure on each puzzle, ours against BenchExec's."""
    medians = [[median(getattr(one, name) for one in own) for own in both] for both in values]
    ratios = sorted(ours / theirs for ours, theirs in medians if theirs)
    if not ratios:
        return f"{name}: BenchExec has no figure"
    return (
        f"{name}: median of the ratios {median(ratios):.3f}, "
        f"{ratios[0]:.3f} to {ratios[-1]:.3f}, on {len(ratios)} pairs"
    )


if __name__ == "__main__":
    main()
