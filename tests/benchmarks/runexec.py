"""Do our limits and BenchExec's measure the same CPU seconds for the same runs?

    satcross bench SUITE -o FOLDER --export benchexec --backend backtrack,sat
    python tests/benchmarks/runexec.py FOLDER --repeats 10

Runs each command of the exported benchmark by turns under ``satcross.compare.limits`` and under
BenchExec's ``RunExecutor``, which is what ``runexec --no-container`` calls and which measures by
cgroups. Prints the ratio of CPU seconds, satcross / BenchExec, as ``satcross bench report`` prints
a change between two versions, and the ratios of the medians on the puzzles. The limits of the
benchmark are not applied: a run that has no answer after ``--seconds`` of CPU time is an error.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchexec.runexecutor import RunExecutor

from satcross.cli.tables import print_table
from satcross.compare.benchexec_tool import Tool
from satcross.compare.changes import change_table, compare_versions
from satcross.compare.limits import RunLimits, run_limited
from satcross.compare.records import Record
from satcross.compare.scores import standings

Command = list[str]
STATUSES = {0: "filled", 20: "unfillable"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="what `--export benchexec` has written")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    records = list(measure(given.folder, given.repeats, given.seconds))
    table = change_table(compare_versions(standings(records)))
    print_table(table.headings, table.cells, left=table.left)
    for name in ("cpu", "wall", "memory"):
        print(differences(records, name))


def commands(folder: Path) -> Iterator[tuple[str, Path, Command]]:
    """Yield run definition, task and command line of each run of an exported benchmark."""
    tool = Tool()
    for definition in ElementTree.parse(folder / "satcross.xml").iter("rundefinition"):
        options = [option.attrib["name"] for option in definition.iter("option")]
        for task in sorted((folder / "tasks").glob("*.json")):
            command = [tool.executable(None), "-m", "satcross.compare.run_puzzle"]
            yield definition.attrib["name"], task, [*command, *options, str(task)]


def measure(folder: Path, repeats: int, seconds: int) -> Iterator[Record]:
    """Yield the runs, the two programs taking turns on every puzzle."""
    executor = RunExecutor(use_namespaces=False)  # limits and figures are those of cgroups
    runs = list(commands(folder))
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch, "stdout")
        for repeat in range(repeats):
            for name, task, command in runs:
                both = ["", "BenchExec"]
                for against in both if repeat % 2 else both[::-1]:
                    started = datetime.now(UTC).isoformat()
                    cpu, wall, memory, code = (
                        by_benchexec(executor, command, output, seconds)
                        if against
                        else by_satcross(command, output, seconds)
                    )
                    if code not in STATUSES:
                        sys.exit(f"{task.name}, {name}: exit code {code}: {output.read_text()}")
                    yield Record(
                        *(task.stem, "", "", name + ("@" + against if against else "")),
                        *("backend", STATUSES[code]),
                        backend=name,
                        against=against,
                        repeat=repeat,
                        started=started,
                        cpu=cpu,
                        wall=wall,
                        memory=memory,
                        limits={"cpu": float(seconds)},
                    )
            print(f"\r{repeat + 1} of {repeats} repeats", end="", file=sys.stderr)
    print(file=sys.stderr)


def by_satcross(command: Command, output: Path, seconds: int) -> tuple[float, float, float, int]:
    ended = run_limited(command, RunLimits(cpu=seconds), output.parent, folder=Path.cwd())
    return ended.cpu, ended.wall, ended.memory, -1 if ended.exit_code is None else ended.exit_code


def by_benchexec(
    executor: RunExecutor, command: Command, output: Path, seconds: int
) -> tuple[float, float, float, int]:
    done = executor.execute_run(
        command,
        str(output),
        hardtimelimit=seconds,
        workingDir=str(Path.cwd()),
        environments=Tool().environment(command[0]),
    )
    code = done["exitcode"].value if "exitcode" in done else None
    memory = done.get("memory", 0) / 2**20
    return done["cputime"], done["walltime"], memory, -1 if code is None else code


def differences(records: list[Record], name: str) -> str:
    """Return a line about the medians of a figure on each puzzle, ours against BenchExec's."""
    values = defaultdict(list)
    for record in records:
        key = record.backend, record.puzzle, bool(record.against)
        values[key].append(getattr(record, name))
    medians = {key: statistics.median(its) for key, its in values.items()}
    ratios = sorted(
        medians[backend, puzzle, False] / medians[backend, puzzle, True]
        for backend, puzzle, against in medians
        if against and medians[backend, puzzle, True]
    )
    if not ratios:
        return f"{name}: BenchExec has no figure"
    return (
        f"{name}: median of the ratios {statistics.median(ratios):.3f}, "
        f"{ratios[0]:.3f} to {ratios[-1]:.3f}, on {len(ratios)} pairs"
    )


if __name__ == "__main__":
    main()
