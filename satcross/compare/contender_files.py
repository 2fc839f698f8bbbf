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
from typing import Any

from satcross.compare.certify import FORMATS, Checker, parse_checkers, ready_tables
from satcross.compare.command_lines import CNF, WCNF, CommandSettings, ExternalSolver, Program
from satcross.compare.contenders import Contender
from satcross.errors import InputError, located
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
    with located(path):
        own = parse_checkers(list(checkers) if isinstance(checkers, list | tuple) else checkers)
        for table in tables if isinstance(tables, list) else [tables]:
            contender = _contender(table, own)
            if contender.name in found:
                raise InputError(f"two contenders are named {contender.name!r}", "rename one")
            found[contender.name] = contender
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
    checked = check_keys(table, "contender", _FIELDS, ("name", "command"))
    if not re.fullmatch(r"[\w.+-]+", checked["name"]):
        raise InputError(
            f"{checked['name']!r} can't name a contender", "use letters, digits and - + . _"
        )
    if "unfillable" in checked:
        _groups(checked["unfillable"])
    for pattern in checked.get("statistics", {}).values():
        if (groups := _groups(pattern)) != 1:
            raise InputError(f"{pattern!r} has {groups} groups", "put the number in brackets")


def check_keys(
    table: object, name: str, shapes: Mapping[str, Shape], needed: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a ``[[name]]`` table of TOML; raise InputError for wrong keys and values."""
    if not isinstance(table, dict):
        raise InputError(f"a {name} is not a table", f"write [[{name}]]")
    for key in needed:
        if key not in table:
            raise InputError(f"a {name} has no {key}", f"add {key} = '...'")
    for key, value in table.items():
        if key not in shapes:
            raise InputError(f"a {name} has no field {key!r}", f"choose from {', '.join(shapes)}")
        if not shapes[key].accepts(value):
            raise InputError(f"{key} is {value!r}", f"give {shapes[key].wanted}")
    return table


def _groups(pattern: str) -> int:
    """Return the number of groups of a regular expression. Raises InputError."""
    try:
        return re.compile(pattern).groups
    except re.error as error:
        raise InputError(f"{pattern!r} is no regular expression ({error})") from None


def find_contenders(
    names: Sequence[str], tables: Sequence[Mapping[str, Any]] = (), path: str = ""
) -> list[Contender]:
    """Return contenders by name; a name that ends with ".toml" stands for all of that file.

    Names are looked up among ``tables``, those of the suite ``path``, then among plug-ins and ready
    contenders. Raises InputError for an unknown one, and where the program is not installed.
    """
    found: list[Contender] = []
    own = {table["name"]: table for table in tables}
    ready = {table["name"]: table for table in ready_tables("contender")}
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
