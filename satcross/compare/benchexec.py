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
from functools import partial
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from satcross.compare.backend_contenders import BackendContender
from satcross.compare.contenders import Contender
from satcross.compare.limits import RunLimits
from satcross.compare.records import FILLED, UNFILLABLE
from satcross.compare.run_puzzle import OPTIONS
from satcross.compare.runs import Instance
from satcross.errors import InputError
from satcross.formats.files import write_stream
from satcross.formats.puzzle_json import puzzle_to_data

TOOL = "satcross.compare.benchexec_tool"
_VERDICTS = {FILLED: "true", UNFILLABLE: "false"}
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
    backends = [_backend(contender) for contender in contenders]
    definitions = {  # BenchExec makes file names of these names
        f"{backend.name.replace('/', '-')}, seed {seed}": _options(backend, seed, workers)
        for backend in backends
        for seed in seeds
    }
    files = {"satcross.xml": _definition(definitions, limits, workers)}
    files[f"tasks/{_PROPERTY}"] = "The grid can be filled.\n"
    for number, instance in enumerate(instances, 1):
        stem = f"{number:04}-" + re.sub(r"[^\w.-]+", "-", instance.name)
        files[f"tasks/{stem}.json"] = json.dumps(puzzle_to_data(instance.puzzle)) + "\n"
        files[f"tasks/{stem}.yml"] = _task(stem, instance.expected)
    try:
        (folder / "tasks").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"can't make the folder ({error.strerror})", "name another folder", file=str(folder)
        ) from None
    for name, text in files.items():
        write_stream(str(folder / name), partial(_write, text))


def _write(text: str, stream: TextIO) -> None:
    stream.write(text)


def _backend(contender: Contender) -> BackendContender:
    if not isinstance(contender, BackendContender) or contender.installation is not None:
        raise InputError(
            f"{contender.name} can't be exported for BenchExec",
            "choose backends; BenchExec has tool-info modules for other solvers",
        )
    return contender


def _options(backend: BackendContender, seed: int, workers: int) -> dict[str, str]:
    chosen = {name: getattr(backend, name) for name in ("backend", *OPTIONS)}
    return {name: value for name, value in chosen.items() if value} | {
        "seed": str(seed),
        "workers": str(backend.processors(workers)),
    }


def _definition(
    definitions: Mapping[str, Mapping[str, str]], limits: RunLimits, workers: int
) -> str:
    # BenchExec's time limit is of CPU time; without one, wall-clock time on all cores.
    values = {"tool": TOOL, "cpuCores": str(workers)}
    if limits.cpu is not None:
        values["timelimit"] = f"{math.ceil(limits.cpu)} s"
    if limits.wall is not None:
        values["walltimelimit"] = f"{math.ceil(limits.wall)} s"
        values.setdefault("timelimit", f"{math.ceil(limits.wall * workers)} s")
    if limits.memory is not None:
        values["memlimit"] = f"{limits.memory * 2**20} B"
    lines = [
        '<?xml version="1.0"?>',
        '<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 1.9//EN"',
        '  "https://www.sosy-lab.org/benchexec/benchmark-1.9.dtd">',
        f"<benchmark {' '.join(f'{name}={quoteattr(value)}' for name, value in values.items())}>",
    ]
    for name, options in definitions.items():
        lines.append(f"  <rundefinition name={quoteattr(name)}>")
        lines += [
            f'    <option name="--{option}">{escape(value)}</option>'
            for option, value in options.items()
        ]
        lines.append("  </rundefinition>")
    lines += [
        f"  <propertyfile>tasks/{_PROPERTY}</propertyfile>",
        '  <tasks name="puzzles"><include>tasks/*.yml</include></tasks>',
        "</benchmark>",
    ]
    return "\n".join(lines) + "\n"


def _task(stem: str, expected: str | None) -> str:
    lines = [
        'format_version: "2.0"',
        f"input_files: {json.dumps(f'{stem}.json')}",
        "properties:",
        f"  - property_file: {_PROPERTY}",
    ]
    if expected is not None:
        lines.append(f"    expected_verdict: {_VERDICTS[expected]}")
    return "\n".join(lines) + "\n"
