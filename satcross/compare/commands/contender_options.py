"""The options that say which contenders are compared, and within which limits."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from typing import Any

import click

from satcross.backends.registry import BACKENDS, DEFAULT_SOLVER, ENCODINGS, SOLVERS, KnownBackends
from satcross.cli.options import (
    CONTENDERS,
    LIMITS,
    RULES,
    names_of,
    option,
    parse_seconds,
    seed_option,
    time_limit_option,
    whole,
)
from satcross.compare.backend_contenders import BackendContender, Installation
from satcross.compare.command_lines import ExternalSolver, Program, split_name
from satcross.compare.contender_files import find_contenders
from satcross.compare.contenders import Contender, Run
from satcross.compare.limits import RunLimits, core_sets
from satcross.compare.suite import Suite
from satcross.outcome import TOTAL

_NONE = "none"


@dataclass(frozen=True, slots=True)
class ContenderFlags:
    """Which backends, solvers and programs are compared."""

    backends: list[str] = option(
        "--backend NAME[,NAME...]",
        f"Which of {', '.join(BACKENDS)} to run, and of other packages, or {_NONE}.",
        heading=CONTENDERS,
        default="sat,cpsat,backtrack",
        callback=names_of(lambda: KnownBackends(_NONE)),
    )
    solvers: list[str] | None = option(
        "--solver NAME[,NAME...]",
        f"Run the sat backend with each of these solvers: {', '.join(SOLVERS)}."
        f"  [default: {DEFAULT_SOLVER}]",
        callback=names_of(lambda: SOLVERS),
    )
    encodings: list[str] | None = option(
        "--encoding NAME[,NAME...]",
        f"Run the sat backend with each of these encodings: {', '.join(ENCODINGS)}; programs that "
        f"get {{cnf}} or {{wcnf}} with each but {ENCODINGS[0]}.  [default: {ENCODINGS[0]}; for "
        "programs, full]",
        callback=names_of(lambda: ENCODINGS),
    )
    externals: tuple[str, ...] = option(
        "--external [NAME=]'CMD {cnf}'",
        "A SAT solver that reads DIMACS and answers as in the SAT competitions; {cnf} is the "
        "file. For one that writes its model into a file, {model} is that file; with {proof}, to "
        "which it writes a DRAT proof in text form, it is believed only with a right one. {seed}, "
        "{time} (seconds), {workers} and {memory} (MiB) are those of the run. Repeatable.",
        multiple=True,
    )
    programs: tuple[str, ...] = option(
        "--program [NAME=]'CMD {mzn}'",
        "Any program that prints a grid, JSON with its rows, or UNSATISFIABLE; it gets {structure} "
        "and {words} as files, or the puzzle as {json}, {mzn} (MiniZinc), {fzn} (FlatZinc), {xcsp} "
        "(XCSP3) or {opb}, and {seed}, {time}, {workers}, {memory} as above. Repeatable.",
        multiple=True,
    )
    named: str | None = option(
        "--contender NAME[,NAME...]",
        "Programs by name: those of a suite, plug-ins, and ready ones (docs/comparing.md); "
        "FILE.toml stands for all of a file of contenders, FILE.toml:NAME for one of it.",
    )
    certify: bool = option(
        "--certify",
        'Believe the answer "unfillable" only with a proof that has been checked. Backends prove '
        "as solve --proof does.",
    )
    students: tuple[str, ...] = option(
        "--student PATH/generate.py",
        "A CS50 generate.py, run in a copy with a plain list of the same words. Repeatable.",
        multiple=True,
    )
    against: tuple[str, ...] = option(
        "--against [NAME=]PATH",
        "Also run each backend of another satcross: the folder of a checkout, or the Python of its "
        "environment. Repeatable.",
        multiple=True,
    )
    seed: int = seed_option(CONTENDERS)
    workers: int = option(
        "--workers N", "Threads or processes each run may use.", type=whole(1, 256), default=1
    )

    def contenders(self, suite: Suite | None = None) -> list[Contender]:
        """The contenders, those of the suite included. Raises UsageError when there is none."""
        backends, named = self._backends(), list[Contender]()
        if self.named is not None:
            own = () if suite is None else (suite.contenders, suite.path)
            named = find_contenders([name.strip() for name in self.named.split(",")], *own)
        found = self._with_programs([*backends, *named])
        has_sat = "sat" in self.backends or any(isinstance(c, ExternalSolver) for c in found)
        if self.encodings and not has_sat:
            raise click.UsageError("--encoding is for the backend sat and programs with {cnf}.")
        chosen = [name for name in self.encodings or () if name != ENCODINGS[0]]
        ways = (
            map(contender.encoded, chosen)
            if chosen and isinstance(contender, ExternalSolver)
            else [contender]
            for contender in found
        )
        return list(chain.from_iterable(ways))

    def _backends(self) -> list[BackendContender]:
        backends = [name for name in self.backends if name != _NONE]
        if len(backends) not in (0, len(self.backends)):
            raise click.UsageError(f"--backend {_NONE} can't be used with other names.")
        if self.solvers and "sat" not in backends:
            raise click.UsageError("--solver is for the backend sat, which is not compared.")
        if self.against and not backends:
            raise click.UsageError("--against is for backends, and none is compared.")
        others = [Installation(path, name) for name, path in map(split_name, self.against)]
        if len({other.name for other in others}) < len(others):
            raise click.UsageError("--against: two have the same name; give NAME=PATH.")
        plain: list[str | None] = [None]
        ways = list(product(self.solvers or plain, self.encodings or plain))
        return [
            BackendContender(backend, *way, installation=other)
            for backend in backends
            for way in (ways if backend == "sat" else [(None, None)])
            for other in (None, *others)
        ]

    def _with_programs(self, backends: Sequence[Contender]) -> list[Contender]:
        from satcross.compare.student_programs import StudentProgram  # reads the grader's checks

        contenders = list(backends)
        used = Counter(contender.name for contender in contenders)
        if double := next((name for name, times in used.items() if times > 1), None):
            raise click.UsageError(f"two contenders are named {double!r}; rename one.")
        given: dict[Callable[..., Contender], tuple[str, ...]] = {
            ExternalSolver: self.externals,
            Program: self.programs,
            StudentProgram: self.students,
        }
        for kind, values in given.items():
            for value in values:
                name = kind(value).name
                used[name] += 1
                contenders.append(kind(value, used[name]))
        if not contenders:
            raise click.UsageError("there is nothing to compare.")
        return contenders


@dataclass(frozen=True, slots=True)
class LimitFlags:
    """The limits of a run, and how many runs go on at a time."""

    time_limit: float = time_limit_option("Wall-clock time of a run.", heading=LIMITS, default=60.0)
    cpu_limit: float | None = option(
        "--cpu-limit SECONDS",
        "Processor time of a run, all its processes together.",
        type=click.FloatRange(0.01, 1e9),
    )
    memory_limit: int = option(
        "--memory-limit MIB",
        "Memory of a run, all its processes together.",
        type=whole(1),
        default=4096,
    )
    check_limit: float | None = option(
        "--check-limit SECONDS",
        "Wall-clock time of checking a proof, which is not part of the run.  [default: 10 times "
        "--time-limit]",
        type=parse_seconds,
        needs=["--certify"],
    )
    jobs: int = option(
        "--jobs N",
        "Runs at a time. More than one makes times less comparable.",
        type=whole(1, 256),
        default=1,
    )
    pin: bool = option(
        "--pin",
        "Bind each run to processors of its own, as many as it has workers (Linux).",
        excludes=["--cluster"],
    )
    covers: str = option(
        "--limit-covers",
        "What limits and times of external solvers cover: writing their formula as well, or the "
        "solver alone.",
        choices=("all", "solver"),
        default="all",
    )

    def cores(self, workers: int) -> list[tuple[int, ...]]:
        """The processors of each of the runs at a time; [] unless they are to be bound."""
        return core_sets(self.jobs, workers) if self.pin else []

    def limits(self) -> RunLimits:
        """The limits of one run."""
        return RunLimits(self.time_limit, self.cpu_limit, self.memory_limit)


def best_flag() -> Any:
    """``--best``: the runs look for the best fill."""
    return option(
        "--best",
        "Look for the fill of the highest total score and prove that none is better: backends by "
        "solve --best total; programs that get {wcnf}, {opb}, {mzn}, {fzn} or {xcsp}.",
        heading=RULES,
        excludes=["--certify"],
    )


def planned(
    contenders: ContenderFlags, limits: LimitFlags, *, best: bool = False
) -> Callable[..., Run]:
    """Return what makes the runs of a call: it takes an instance and a contender.

    It may also take a ``seed``, by default that of ``--seed``, and the number of a ``repeat``.
    """
    return partial(
        Run,
        limits=limits.limits(),
        seed=contenders.seed,
        workers=contenders.workers,
        solver_alone=limits.covers == "solver",
        call=shlex.join(["satcross", *sys.argv[1:]]),
        certify=contenders.certify,
        check_seconds=limits.check_limit or 10 * limits.time_limit,
        goal=TOTAL if best else "",
    )
