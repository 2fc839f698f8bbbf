"""Write runs as a benchmark of BenchExec, which measures and limits them by cgroups.

The folder gets ``satcross.xml``, a run definition per backend and seed, and ``tasks``: per puzzle a
JSON file and a task definition with the expected verdict (Beyer, Löwe and Wendler, "Reliable
benchmarking: requirements and solutions", STTT 2019). ``benchexec_tool`` is the tool-info module.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

from satcross.cli.output import write_text
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.contenders import Contender, Instance
from satcross.compare.limits import RunLimits
from satcross.compare.records import FILLED
from satcross.compare.report_page import fill_template
from satcross.errors import InputError
from satcross.formats.json import puzzle_to_data

TOOL = "satcross.compare.benchexec_tool"
_PROPERTY = "fill.prp"


def export_benchexec(
    folder: Path,
    instances: Sequence[Instance],
    contenders: Iterable[Contender],
    seeds: Iterable[int],
    limits: RunLimits,
    workers: int,
) -> None:
    """Write the benchmark into ``folder``, which is made if it does not exist.

    Raises InputError for a contender that is not a backend of this satcross, since BenchExec has
    tool-info modules for other solvers, and for a folder that can't be written.
    """
    runs = []
    for backend, seed in product(map(_backend, contenders), seeds):
        options = {"backend": backend.backend, **backend.options, "seed": seed}
        options["workers"] = backend.processors(workers)
        # BenchExec makes file names of these names.
        runs.append((f"{backend.name.replace('/', '-')}, seed {seed}", options))
    settings = _settings(limits, workers)
    text = fill_template("benchexec.xml", settings=settings, runs=runs, property=_PROPERTY)
    files = {"satcross.xml": text, f"tasks/{_PROPERTY}": "The grid can be filled."}
    for number, instance in enumerate(instances, 1):
        stem = f"{number:04}-" + re.sub(r"[^\w.-]+", "-", instance.name)
        files[f"tasks/{stem}.json"] = json.dumps(puzzle_to_data(instance.puzzle))
        files[f"tasks/{stem}.yml"] = json.dumps(_task(stem, instance.expected))  # JSON is YAML
    try:
        (folder / "tasks").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"can't make the folder ({error.strerror})", "name another folder", file=str(folder)
        ) from None
    for name, text in files.items():
        write_text(str(folder / name), f"{text}\n")


def _backend(contender: Contender) -> BackendContender:
    if not isinstance(contender, BackendContender) or contender.installation is not None:
        raise InputError(
            f"{contender.name} can't be exported for BenchExec",
            "choose backends; BenchExec has tool-info modules for other solvers",
        )
    return contender


def _settings(limits: RunLimits, workers: int) -> dict[str, str]:
    """Return the attributes of a benchmark.

    BenchExec's time limit is of CPU time; without one, it is the wall-clock time on all cores.
    """
    values = {"tool": TOOL, "cpuCores": str(workers)}
    cpu = limits.cpu
    if limits.wall is not None:
        values["walltimelimit"] = f"{math.ceil(limits.wall)} s"
        cpu = limits.wall * workers if cpu is None else cpu
    if cpu is not None:
        values["timelimit"] = f"{math.ceil(cpu)} s"
    if limits.memory is not None:
        values["memlimit"] = f"{limits.memory * 2**20} B"
    return values


def _task(stem: str, expected: str | None) -> Mapping[str, object]:
    verdict = {} if expected is None else {"expected_verdict": expected == FILLED}
    return {
        "format_version": "2.0",
        "input_files": f"{stem}.json",
        "properties": [{"property_file": _PROPERTY, **verdict}],
    }
