"""Commands whose options are the fields of a frozen dataclass, and the options many of them share.

A command takes one argument: an instance of a frozen dataclass. A field made with ``option`` or
``argument`` holds the value of that option or argument; a field made with ``options`` holds another
such dataclass, whose options stand under a heading of their own in ``--help``; a field made with
``option_table`` holds the values of options that are declared elsewhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields
from typing import Any, TypeVar

import click

from satcross.backends.registry import BACKENDS

Flags = TypeVar("Flags")

INPUT, RULES, SEARCH = "Input", "Rules", "Search"
FILLS, PUBLISHING, OUTPUT = "Which fills", "Publishing", "Output"
"""Headings in help texts."""

_OTHER = "Other options"
_PARAMETER, _NESTED, _TABLE = "parameter", "nested", "table"


def argument(**settings: Any) -> Any:
    """Declare a dataclass field that holds a positional argument; settings as for click."""
    return field(
        default=() if settings.get("nargs") == -1 else None,
        metadata={_PARAMETER: lambda name, heading, text: click.Argument([name], **settings)},
    )


def option(*names: str, heading: str | None = None, **settings: Any) -> Any:
    """Declare a dataclass field that holds an option; settings as for click.

    ``heading`` replaces the one that the dataclass stands under.
    """
    default: object = settings.get("default")
    if default is None:
        default = () if settings.get("multiple") else False if settings.get("is_flag") else None

    def make(name: str, outer: str | None, text: str | None) -> click.Parameter:
        given = settings if text is None else {**settings, "help": text}
        return _Option([*names, name], heading=heading or outer, **given)

    return field(default=default, metadata={_PARAMETER: make})


def options(kind: type, heading: str | None = None, **texts: str) -> Any:
    """Declare a dataclass field that holds a dataclass of options, listed under the heading.

    ``texts`` replace the help texts of the fields they name.
    """
    return field(default_factory=kind, metadata={_NESTED: (kind, heading, texts)})


def option_table(entries: Mapping[str, Any]) -> Any:
    """Declare a dataclass field that holds the values of several options by name.

    ``entries`` are made with ``option``.
    """
    return field(
        default_factory=lambda: {name: one.default for name, one in entries.items()},
        metadata={_TABLE: entries},
    )


def make_command(
    kind: type[Flags],
    *,
    name: str,
    epilog: str,
    cls: type[click.Command] | None = None,
    hidden: frozenset[str] = frozenset(),
) -> Callable[[Callable[[Flags], None]], click.Command]:
    """Turn a function of one dataclass of options into a command; its docstring is the help.

    ``hidden`` fields keep their default and are no options of this command.
    """

    def decorate(function: Callable[[Flags], None]) -> click.Command:
        def run(**values: Any) -> None:
            function(_build(kind, values))

        return (cls or Command)(
            name=name,
            callback=run,
            params=[one for one in _parameters(kind) if one.name not in hidden],
            help=inspect.cleandoc(function.__doc__ or ""),
            epilog=epilog,
        )

    return decorate


def _parameters(
    kind: Any, heading: str | None = None, texts: Mapping[str, str] | None = None
) -> Iterator[click.Parameter]:
    for one in fields(kind):
        if _NESTED in one.metadata:
            inner, title, inner_texts = one.metadata[_NESTED]
            yield from _parameters(inner, title or heading, inner_texts)
        elif _TABLE in one.metadata:
            for name, entry in one.metadata[_TABLE].items():
                yield entry.metadata[_PARAMETER](name, heading, None)
        else:
            yield one.metadata[_PARAMETER](one.name, heading, (texts or {}).get(one.name))


def _build(kind: Any, values: Mapping[str, Any]) -> Any:
    given = {one.name: values[one.name] for one in fields(kind) if one.name in values}
    for one in fields(kind):
        if _NESTED in one.metadata:
            given[one.name] = _build(one.metadata[_NESTED][0], values)
        elif _TABLE in one.metadata:
            entries = one.metadata[_TABLE].items()
            given[one.name] = {name: values.get(name, entry.default) for name, entry in entries}
    return kind(**given)


class _Option(click.Option):
    """An option that knows its heading in the help text."""

    def __init__(self, *args: Any, heading: str | None, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.heading = heading


class Command(click.Command):
    """A command whose help text lists its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str | None, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                heading = getattr(parameter, "heading", None)
                sections.setdefault(heading, []).append(record)
        rest = sections.pop(None, [])
        for title, rows in (*sections.items(), (_OTHER if sections else "Options", rest)):
            with formatter.section(str(title)):
                formatter.write_dl(rows)


def parse_seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Check, as a click callback, that the value is a finite number of seconds above 0, or None."""
    if value is not None and not 0 < value < float("inf"):
        raise click.BadParameter("give a number of seconds above 0.")
    return value


def parse_backends(ctx: click.Context, param: click.Parameter, value: str) -> list[str]:
    """Split, as a click callback, names of backends that are separated by commas."""
    names = [name.strip() for name in value.split(",")]
    for name in names:
        if name not in BACKENDS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(BACKENDS)}.")
    if len(set(names)) < len(names):
        raise click.BadParameter("a backend is named twice.")
    return names


def backend_option(**settings: Any) -> Any:
    """``--backend``, a list of names."""
    return option(
        "--backend",
        default="auto",
        metavar="NAME[,NAME...]",
        show_default=True,
        callback=parse_backends,
        help=f"Which backend to use: {', '.join(BACKENDS)}. Several run one after the other, are "
        "checked against each other, and a table is printed.",
        **settings,
    )


def time_limit_option(**settings: Any) -> Any:
    """``--time-limit``, in seconds; None without one, unless the settings have a default."""
    settings.setdefault("help", "Stop each backend after this many seconds; exit code 30.")
    return option("--time-limit", type=float, callback=parse_seconds, metavar="SECONDS", **settings)


def seed_option(**settings: Any) -> Any:
    """``--seed``."""
    return option(
        "--seed",
        type=click.IntRange(0, 2**31 - 1),
        default=0,
        show_default=True,
        metavar="N",
        help="Seed of the random choices.",
        **settings,
    )


def workers_option() -> Any:
    """``--workers``; None means the number of processors."""
    return option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Processes or threads at once.  [default: the number of processors]",
    )


def json_option(**settings: Any) -> Any:
    """``--json``."""
    settings.setdefault("help", "Print the answer as JSON.")
    return option("--json", is_flag=True, **settings)


def quiet_option(**settings: Any) -> Any:
    """``--quiet``."""
    return option("--quiet", is_flag=True, help="Print no notes.", **settings)
