"""The options that say who is compared, and within which limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from satcross.backends.registry import BACKENDS, DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.cli.options import parse_seconds

if TYPE_CHECKING:
    from satcross.compare.contenders import Contender

_Command = TypeVar("_Command", bound=Callable[..., Any])

_NONE = "none"
_KNOWN: dict[str, Collection[str]] = {
    "backends": BACKENDS,
    "solvers": SOLVERS,
    "encodings": ENCODINGS,
}


def _parse_names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """A click callback: names separated by commas, each known and named once."""
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


_CONTENDERS = (
    click.option(
        "--backend",
        "backends",
        default="sat,cpsat,backtrack",
        metavar="NAME[,NAME...]",
        show_default=True,
        callback=_parse_names,
        help=f"Which of {', '.join(BACKENDS)} to run, or {_NONE}.",
    ),
    click.option(
        "--solver",
        "solvers",
        metavar="NAME[,NAME...]",
        callback=_parse_names,
        help=f"Run the sat backend with each of these solvers: {', '.join(SOLVERS)}."
        f"  [default: {DEFAULT_SOLVER}]",
    ),
    click.option(
        "--encoding",
        "encodings",
        metavar="NAME[,NAME...]",
        callback=_parse_names,
        help=f"... and with each of these encodings: {', '.join(ENCODINGS)}."
        f"  [default: {ENCODINGS[0]}]",
    ),
    click.option(
        "--external",
        "externals",
        multiple=True,
        metavar="'CMD {cnf}'",
        help="A SAT solver that reads DIMACS and answers as in the SAT competitions; {cnf} is the "
        "file. For one that writes its model into a file, {model} is that file. Repeatable.",
    ),
    click.option(
        "--student",
        "students",
        multiple=True,
        metavar="PATH/generate.py",
        help="A CS50 generate.py, run in a copy with a plain list of the same words. Repeatable.",
    ),
)
_LIMITS = (
    click.option(
        "--time-limit",
        type=float,
        callback=parse_seconds,
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Wall-clock time of a run.",
    ),
    click.option(
        "--cpu-limit",
        type=float,
        callback=parse_seconds,
        metavar="SECONDS",
        help="Processor time of a run, all its processes together.",
    ),
    click.option(
        "--memory-limit",
        type=click.IntRange(min=1),
        default=4096,
        show_default=True,
        metavar="MIB",
        help="Memory of a run, all its processes together.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        metavar="N",
        help="Runs at a time. More than one makes times less comparable.",
    ),
)


def contender_options(command: _Command) -> _Command:
    """Adds ``backends``, ``solvers``, ``encodings``, ``externals`` and ``students``."""
    return _add(_CONTENDERS, command)


def limit_options(command: _Command) -> _Command:
    """Adds ``time_limit``, ``cpu_limit``, ``memory_limit`` and ``jobs``."""
    return _add(_LIMITS, command)


def _add(options: Sequence[Callable[[_Command], _Command]], command: _Command) -> _Command:
    for option in reversed(options):
        command = option(command)
    return command


def make_contenders(
    backends: list[str],
    solvers: list[str],
    encodings: list[str],
    externals: Sequence[str],
    students: Sequence[str],
) -> list[Contender]:
    """The contenders that the options name, in order. Raises UsageError when there is none."""
    from satcross.compare.contenders import BackendContender, ExternalSolver, StudentProgram

    if (solvers or encodings) and "sat" not in backends:
        option = "--solver" if solvers else "--encoding"
        raise click.UsageError(f"{option} is for the backend sat, which is not compared.")
    contenders: list[Contender] = []
    for backend in backends:
        if backend == "sat":
            contenders += [
                BackendContender(backend, solver, encoding)
                for solver in solvers or (None,)
                for encoding in encodings or (None,)
            ]
        else:
            contenders.append(BackendContender(backend))
    used: dict[str, int] = {}
    for kind, values in ((ExternalSolver, externals), (StudentProgram, students)):
        for value in values:
            name = kind(value).name
            used[name] = used.get(name, 0) + 1
            contenders.append(kind(value, used[name]))
    if not contenders:
        raise click.UsageError("there is nobody to compare.")
    return contenders
