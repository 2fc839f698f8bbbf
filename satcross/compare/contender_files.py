"""Contenders by name: those of a TOML file, of a suite, of an installed plug-in, and ready ones.

A file has a ``[[contender]]`` table for each, as ``contenders.toml`` beside this module, and may
have ``[[checker]]`` tables; docs/comparing.md describes the keys. A plug-in is an entry point of
the group ``satcross.contenders`` that, called without arguments, returns a ``Contender``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any

from msgspec.structs import replace

from satcross.compare.certify import Checker, convert_tables, ready_tables
from satcross.compare.command_lines import CNF, WCNF, CommandTable, ExternalSolver, Program
from satcross.compare.contenders import Contender
from satcross.errors import InputError, located
from satcross.formats.files import read_text

PLUG_INS = "satcross.contenders"
"""Group of entry points."""

_VERSION = 1
_HEADER = "contenders"


def read_toml(path: str) -> tuple[str, dict[str, Any]]:
    """Return the text and the content of a TOML file. Raises InputError."""
    text = read_text(path).text
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML ({error})", "see docs/comparing.md", file=path) from None


def read_contender_file(path: str) -> list[Contender]:
    """Return the contenders of a TOML file, which may be a suite. Raises InputError."""
    _, data = read_toml(path)
    if "suite" not in data and data.get(_HEADER) != _VERSION:
        raise InputError(
            "not a file of contenders", f"begin it with {_HEADER} = {_VERSION}", file=path
        )
    with located(path):
        checkers = convert_tables(data.get("checker", []), Checker)
        tables = convert_tables(data.get("contender", []), CommandTable)
        return [open_contender(replace(table, checkers=checkers)) for table in tables]


def open_contender(table: CommandTable) -> Contender:
    """Return the contender of a table. Raises InputError where its program is not installed."""
    is_solver = CNF in table.command or WCNF in table.command
    kind = ExternalSolver if is_solver else Program
    return kind(f"{table.name}={table.command}", table=table)


def find_contenders(
    names: Sequence[str], tables: Sequence[CommandTable] = (), path: str = ""
) -> list[Contender]:
    """Return contenders by name; FILE.toml stands for all of that file, FILE.toml:NAME for one.

    Names are looked up among ``tables``, those of the suite ``path``, then among plug-ins and ready
    contenders. Raises InputError for an unknown one, and where the program is not installed.
    """
    found: list[Contender] = []
    own = {table.name: table for table in tables}
    ready = {table.name: table for table in ready_tables("contender", CommandTable)}
    plug_ins = {entry.name: entry for entry in entry_points(group=PLUG_INS)}
    for name in names:
        file, colon, only = name.partition(".toml:")
        if name.endswith(".toml") or colon:
            found += _chosen(read_contender_file(f"{file}.toml" if colon else name), only)
        elif name in own:
            with located(path):
                found.append(open_contender(own[name]))
        elif name in plug_ins:
            found.append(_load(name, plug_ins[name]))
        elif name in ready:
            try:
                found.append(open_contender(ready[name]))
            except InputError as error:
                remedy = 'docs/comparing.md, "Contenders by name", says which package has it'
                raise InputError(error.problem, remedy) from None
        else:
            known = ", ".join([*own, *sorted({*ready, *plug_ins})])
            raise InputError(f"there is no contender {name!r}", f"choose from {known}")
    return found


def _chosen(contenders: list[Contender], name: str) -> list[Contender]:
    """Return the contender of this name, all for ""; raises InputError for an unknown one."""
    chosen = [each for each in contenders if name in ("", each.name)]
    if contenders and not chosen:
        names = ", ".join(each.name for each in contenders)
        raise InputError(f"the file has no contender {name!r}", f"choose from {names}")
    return chosen


def _load(name: str, entry: Any) -> Contender:
    try:
        contender: Contender = entry.load()()
    except Exception as error:  # a plug-in may fail in any way
        raise InputError(
            f"the plug-in {name!r} fails ({type(error).__name__}: {error})",
            "repair or remove the package that has it",
        ) from None
    return contender
