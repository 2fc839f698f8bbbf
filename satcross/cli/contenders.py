"""The options that say which contenders are compared, and within which limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from satcross.backends.registry import BACKENDS, DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.cli.options import option, parse_seconds, time_limit_option

if TYPE_CHECKING:
    from satcross.compare.contenders import Contender
    from satcross.compare.limits import RunLimits

_NONE = "none"
_KNOWN: dict[str, Collection[str]] = {
    "backends": BACKENDS,
    "solvers": SOLVERS,
    "encodings": ENCODINGS,
}


def _parse_names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """Split, as a click callback, names separated by commas, each known and named once."""
    known = _KNOWN[str(param.name)]
    names = [name.strip() for name in value.split(",")] if value is not None else []
    if param.name == "backends" and names == [_NONE]:
        return []
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(known)}.")
    if len(set(names)) < len(names):
        raise click.BadParameter("a name is given twice.")
    return names


@dataclass(frozen=True, slots=True)
class ContenderFlags:
    """Which backends, solvers and programs are compared."""

    backends: list[str] = option(
        "--backend",
        default="sat,cpsat,backtrack",
        metavar="NAME[,NAME...]",
        show_default=True,
        callback=_parse_names,
        help=f"Which of {', '.join(BACKENDS)} to run, or {_NONE}.",
    )
    solvers: list[str] = option(
        "--solver",
        metavar="NAME[,NAME...]",
        callback=_parse_names,
        help=f"Run the sat backend with each of these solvers: {', '.join(SOLVERS)}."
        f"  [default: {DEFAULT_SOLVER}]",
    )
    encodings: list[str] = option(
        "--encoding",
        metavar="NAME[,NAME...]",
        callback=_parse_names,
        help=f"... and with each of these encodings: {', '.join(ENCODINGS)}."
        f"  [default: {ENCODINGS[0]}]",
    )
    externals: tuple[str, ...] = option(
        "--external",
        multiple=True,
        metavar="'CMD {cnf}'",
        help="A SAT solver that reads DIMACS and answers as in the SAT competitions; {cnf} is the "
        "file. For one that writes its model into a file, {model} is that file. Repeatable.",
    )
    students: tuple[str, ...] = option(
        "--student",
        multiple=True,
        metavar="PATH/generate.py",
        help="A CS50 generate.py, run in a copy with a plain list of the same words. Repeatable.",
    )

    def contenders(self) -> list[Contender]:
        """The contenders in the order of the options. Raises UsageError when there is none."""
        from satcross.compare.contenders import BackendContender, ExternalSolver, StudentProgram

        if (self.solvers or self.encodings) and "sat" not in self.backends:
            name = "--solver" if self.solvers else "--encoding"
            raise click.UsageError(f"{name} is for the backend sat, which is not compared.")
        contenders: list[Contender] = []
        for backend in self.backends:
            if backend == "sat":
                contenders += [
                    BackendContender(backend, solver, encoding)
                    for solver in self.solvers or (None,)
                    for encoding in self.encodings or (None,)
                ]
            else:
                contenders.append(BackendContender(backend))
        used: Counter[str] = Counter()
        for kind, values in ((ExternalSolver, self.externals), (StudentProgram, self.students)):
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

    time_limit: float = time_limit_option(
        default=60.0, show_default=True, help="Wall-clock time of a run."
    )
    cpu_limit: float | None = option(
        "--cpu-limit",
        type=float,
        callback=parse_seconds,
        metavar="SECONDS",
        help="Processor time of a run, all its processes together.",
    )
    memory_limit: int = option(
        "--memory-limit",
        type=click.IntRange(min=1),
        default=4096,
        show_default=True,
        metavar="MIB",
        help="Memory of a run, all its processes together.",
    )
    jobs: int = option(
        "--jobs",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        metavar="N",
        help="Runs at a time. More than one makes times less comparable.",
    )

    def limits(self) -> RunLimits:
        """The limits of one run."""
        from satcross.compare.limits import RunLimits

        return RunLimits(self.time_limit, self.cpu_limit, self.memory_limit)
