"""Contenders by name: those of a TOML file, of a suite, of an installed plug-in, and ready ones.

A file has a ``[[contender]]`` table for each, as ``contenders.toml`` beside this module, and may
have ``[[checker]]`` tables; docs/comparing.md describes the keys. A plug-in is an entry point of
the group ``satcross.contenders`` that, called without arguments, returns a ``Contender``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any

from satcross.compare.certify import FORMATS, Checker, parse_checkers
from satcross.compare.command_lines import (
    CNF,
    WCNF,
    CommandSettings,
    ExternalSolver,
    Program,
)
from satcross.compare.contenders import Contender
from satcross.errors import InputError
from satcross.formats.files import read_text
from satcross.rules import Shape

PLUG_INS = "satcross.contenders"
"""Group of entry points."""

_VERSION = 1
_HEADER = "contenders"
_TEXT = Shape("a text", lambda value: isinstance(value, str) and bool(value.strip()))
_PATTERNS = Shape(
    "regular expressions by name",
    lambda value: isinstance(value, dict) and all(isinstance(text, str) for text in value.values()),
)
_FIELDS = {
    **dict.fromkeys(("name", "command", "version", "unfillable", "proof"), _TEXT),
    "proof_format": Shape(f"one of {', '.join(FORMATS)}", lambda value: value in FORMATS),
    "statistics": _PATTERNS,
}
_NEEDED = ("name", "command")


def read_contender_file(path: str) -> dict[str, ExternalSolver | Program]:
    """Return the contenders of a TOML file, which may be a suite, by name. Raises InputError."""
    try:
        data = tomllib.loads(read_text(path).text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML ({error})", "see docs/comparing.md", file=path) from None
    if "suite" not in data and data.get(_HEADER) != _VERSION:
        raise InputError(
            "not a file of contenders", f"begin it with {_HEADER} = {_VERSION}", file=path
        )
    return parse_contenders(data.get("contender", []), path, data.get("checker", []))


def parse_contenders(
    tables: object, path: str, checkers: object = ()
) -> dict[str, ExternalSolver | Program]:
    """Return the contenders of ``[[contender]]`` tables by name. Raises InputError.

    ``checkers`` are the ``[[checker]]`` tables of the same file.
    """
    found: dict[str, ExternalSolver | Program] = {}
    try:
        own = parse_checkers(list(checkers) if isinstance(checkers, list | tuple) else checkers)
        for table in tables if isinstance(tables, list) else [tables]:
            contender = _contender(table, own)
            if contender.name in found:
                raise InputError(f"two contenders are named {contender.name!r}", "rename one")
            found[contender.name] = contender
    except InputError as error:
        raise InputError(error.problem, error.remedy, file=path) from None
    return found


def _contender(table: object, checkers: tuple[Checker, ...] = ()) -> ExternalSolver | Program:
    check_table(table)
    assert isinstance(table, dict)
    command = table["command"]
    settings = CommandSettings(
        statistics=tuple(table.get("statistics", {}).items()),
        checkers=checkers,
        **{
            name: table[name]
            for name in ("version", "unfillable", "proof", "proof_format")
            if name in table
        },
    )
    kind = ExternalSolver if CNF in command or WCNF in command else Program
    return kind(f"{table['name']}={command}", settings=settings)


def check_table(table: object) -> None:
    """Raise InputError unless a ``[[contender]]`` table has the keys and values of one.

    Does not look for the program, so that suites can be read where it is not installed.
    """
    if not isinstance(table, dict):
        raise InputError("a contender is not a table", "write [[contender]]")
    for key in _NEEDED:
        if key not in table:
            raise InputError(f"a contender has no {key}", f"add {key} = '...'")
    for key, value in table.items():
        if key not in _FIELDS:
            known = ", ".join(_FIELDS)
            raise InputError(f"a contender has no field {key!r}", f"choose from {known}")
        if not _FIELDS[key].accepts(value):
            raise InputError(f"{key} is {value!r}", f"give {_FIELDS[key].wanted}")
    if not re.fullmatch(r"[\w.+-]+", table["name"]):
        raise InputError(
            f"{table['name']!r} can't name a contender", "use letters, digits and - + . _"
        )
    _check_patterns(table)


def _check_patterns(table: Mapping[str, Any]) -> None:
    if "unfillable" in table:
        _groups(table["unfillable"])
    for pattern in table.get("statistics", {}).values():
        if (groups := _groups(pattern)) != 1:
            raise InputError(f"{pattern!r} has {groups} groups", "put the number in brackets")


def _groups(pattern: str) -> int:
    """Return the number of groups of a regular expression. Raises InputError."""
    try:
        return re.compile(pattern).groups
    except re.error as error:
        raise InputError(f"{pattern!r} is no regular expression ({error})") from None


def ready_names() -> list[str]:
    """Return the names of the ready contenders and of the installed plug-ins."""
    plug_ins = {entry.name for entry in entry_points(group=PLUG_INS)}
    return sorted({table["name"] for table in _ready()} | plug_ins)


def _ready() -> list[dict[str, Any]]:
    text = (files("satcross.compare") / "contenders.toml").read_text(encoding="utf-8")
    tables: list[dict[str, Any]] = tomllib.loads(text)["contender"]
    return tables


def find_contenders(
    names: Sequence[str], tables: Sequence[Mapping[str, Any]] = (), path: str = ""
) -> list[Contender]:
    """Return contenders by name; a name that ends with ".toml" stands for all of that file.

    Names are looked up among ``tables``, the ``[[contender]]`` tables of the suite ``path``, then
    among plug-ins and ready contenders. Raises InputError for an unknown one, and where the
    program is not installed.
    """
    found: list[Contender] = []
    own = {table["name"]: table for table in tables}
    ready = {table["name"]: table for table in _ready()}
    plug_ins = {entry.name: entry for entry in entry_points(group=PLUG_INS)}
    for name in names:
        if name.endswith(".toml"):
            found += read_contender_file(name).values()
        elif name in own:
            found += parse_contenders([own[name]], path).values()
        elif name in plug_ins:
            found.append(_load(name, plug_ins[name]))
        elif name in ready:
            found.append(_contender(ready[name]))
        else:
            known = ", ".join([*own, *sorted({*ready, *plug_ins})])
            raise InputError(f"there is no contender {name!r}", f"choose from {known}")
    return found


def _load(name: str, entry: Any) -> Contender:
    try:
        contender: Contender = entry.load()()
    except Exception as error:  # a plug-in may fail in any way
        raise InputError(
            f"the plug-in {name!r} fails ({type(error).__name__}: {error})",
            "repair or remove the package that has it",
        ) from None
    return contender
