"""Commands whose options are the fields of a frozen dataclass, and the options many of them share.

A command takes one argument: an instance of a frozen dataclass. A field made with ``option`` or
``argument`` holds the value of that option or argument; a field made with ``options`` holds another
such dataclass; a field made with ``option_table`` holds the values of options that are declared
elsewhere. In ``--help`` an option stands under its heading; without one, under that of the option
before it. ``-h`` shows those that are declared ``brief``. Which options exclude or need each other
is declared where they are, too.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, fields
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from satcross.backends.registry import BACKENDS, KnownBackends
from satcross.cli import help_option, showing_option
from satcross.errors import InputError

Flags = TypeVar("Flags")

INPUT, RULES, SEARCH, OUTPUT = "Input", "Rules", "Search", "Output"
PUBLISHING, CONTENDERS, LIMITS = "Publishing", "Contenders", "Limits"
"""Headings in help texts."""

_WHOLE_LIMIT = "whole_limit"
"""Parameter of a command that looks at no deadline: the seconds after which it is interrupted."""

_DECLARED, _NESTED, _TABLE = "declared", "nested", "table"


def argument(metavar: str, text: str, **settings: Any) -> Any:
    """Declare a dataclass field that holds a positional argument.

    It may be left out when the metavar is in brackets. ``settings`` are as for click.
    """
    settings = {"metavar": metavar, "required": not metavar.startswith("["), **settings}

    def declared(name: str, heading: str | None, own_text: str | None) -> _Argument:
        return _Argument([name], own_text or text, heading, **settings)

    default = () if settings.get("nargs") == -1 else None
    return field(default=default, metadata={_DECLARED: declared})


def option(declaration: str, text: str, *, heading: str | None = None, **settings: Any) -> Any:
    """Declare a dataclass field that holds an option.

    ``declaration`` is its names and the metavar of its value, such as "-w --words FILE"; an option
    without a metavar or choices is a flag. ``choices`` are the values it may have. ``brief`` shows
    it under ``-h``; ``aliases`` are names that help texts leave out; ``excludes`` are options that
    it can't be used with, and of ``needs`` it needs one, each as on the command line: ``--count``,
    or ``--format sat`` for one value of it. Further settings are as for click.
    """
    words = declaration.split()
    names = [word for word in words if word.startswith("-")]
    choices = settings.pop("choices", None)
    if choices is not None:
        settings["type"] = click.Choice(tuple(choices))
    metavar = " ".join(words[len(names) :]) or (choices and f"[{'|'.join(choices)}]")
    # No is_flag=False here: click would then refuse values that begin with a hyphen.
    settings |= {"metavar": metavar} if metavar else {"is_flag": True}
    default = settings.get("default")
    if default is None:
        default = () if settings.get("multiple") else None if metavar else False

    def declared(name: str, inherited: str | None, own_text: str | None) -> _Option:
        return _Option([*names, name], own_text or text, heading or inherited, **settings)

    return field(default=default, metadata={_DECLARED: declared})


def options(kind: type, heading: str | None = None, **texts: str) -> Any:
    """Declare a dataclass field that holds a dataclass of options.

    The options without a heading stand under ``heading``. ``texts`` replace the help texts of the
    fields they name.
    """
    return field(default_factory=kind, metadata={_NESTED: (kind, heading, texts)})


def option_table(entries: Mapping[str, Any]) -> Any:
    """Declare a dataclass field that holds the values of several options by name.

    ``entries`` are made with ``option``.
    """
    return field(
        default_factory=lambda: {name: entry.default for name, entry in entries.items()},
        metadata={_TABLE: entries},
    )


def make_command(
    kind: type[Flags],
    *,
    examples: str,
    prepare: Callable[[list[str]], list[str]] | None = None,
    subcommands: Mapping[str, click.Command] | None = None,
    endless: bool = False,
) -> Callable[[Callable[[Flags], int | None]], click.Command]:
    """Turn a function of one dataclass of options into a command; its docstring is the help.

    The function returns an exit code, None for 0. ``prepare`` changes the list of arguments before
    it is parsed. ``subcommands`` are named by a first argument. A command without a time limit of
    its own gets one, unless it is ``endless``.
    """

    def decorate(function: Callable[[Flags], int | None]) -> click.Command:
        lines = [f"  {line.strip()}" for line in examples.strip().splitlines()]
        return Command(
            name=function.__name__,
            callback=lambda **values: sys.exit(function(_build(kind, values)) or 0),
            params=list(_parameters(kind)),
            help=inspect.cleandoc(function.__doc__ or ""),
            epilog=f"\b\n{'Examples' if len(lines) > 1 else 'Example'}:\n" + "\n".join(lines),
            prepare=prepare,
            subcommands=subcommands,
            endless=endless,
        )

    return decorate


def did_you_mean(name: str, choices: Collection[str]) -> str:
    """Return a space and a sentence with the choice closest to a mistyped name; or ""."""
    from difflib import get_close_matches

    begun = [choice for choice in choices if choice.startswith(name) and len(name) > 2]
    close = begun or get_close_matches(name, choices, 1, 0.7)
    return f" Did you mean {close[0]!r}?" if close else ""


def _parameters(
    kind: Any, heading: str | None = None, texts: Mapping[str, str] | None = None
) -> Iterator[_Option | _Argument]:
    for item in fields(kind):
        if _NESTED in item.metadata:
            inner, title, inner_texts = item.metadata[_NESTED]
            for parameter in _parameters(inner, title or heading, inner_texts):
                heading = parameter.heading or heading
                yield parameter
            continue
        table = item.metadata.get(_TABLE) or {item.name: item}
        for name, entry in table.items():
            parameter = entry.metadata[_DECLARED](name, heading, (texts or {}).get(name))
            heading = parameter.heading
            yield parameter


def _build(kind: Any, values: Mapping[str, Any]) -> Any:
    given = {item.name: values[item.name] for item in fields(kind) if item.name in values}
    for item in fields(kind):
        if _NESTED in item.metadata:
            given[item.name] = _build(item.metadata[_NESTED][0], values)
        elif _TABLE in item.metadata:
            given[item.name] = {name: values[name] for name in item.metadata[_TABLE]}
    return kind(**given)


class _Option(click.Option):
    """An option that knows its heading in the help text, and which options it gets along with."""

    def __init__(self, names: list[str], text: str, heading: str | None, **settings: Any) -> None:
        aliases = settings.pop("aliases", ())
        self.brief = settings.pop("brief", False)
        self.excludes, self.needs = settings.pop("excludes", ()), settings.pop("needs", ())
        super().__init__([*names, *aliases], help=text, **settings)
        self.heading = heading
        self.shown = [name for name in self.opts if name not in aliases]
        self._shown_default = settings.get("default")  # click's own may be a marker for "unset"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        names = ", ".join(self.shown) + (f" {self.metavar}" if self.metavar else "")
        # Some texts name the default themselves.
        if self.required:
            return names, f"{self.help}  [required]"
        default = self._shown_default
        if default is None or "[default" in (self.help or ""):
            return names, self.help or ""
        shown = f"{default:g}" if isinstance(default, float) else default
        return names, f"{self.help}  [default: {shown}]"


class _Argument(click.Argument):
    """An argument with a help text."""

    def __init__(self, names: list[str], text: str, heading: str | None, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.heading = heading
        self.text = text

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.metavar or "", self.text


class Command(click.Command):
    """A command that lists its options under headings, and may have subcommands."""

    def __init__(
        self,
        *,
        prepare: Callable[[list[str]], list[str]] | None,
        subcommands: Mapping[str, click.Command] | None,
        endless: bool,
        **settings: Any,
    ) -> None:
        super().__init__(**settings, context_settings={"help_option_names": ["--help"]})
        self._prepare = prepare
        self.subcommands = subcommands or {}
        if not endless and not any("--time-limit" in item.opts for item in self.params):
            text = "Stop after this many seconds, with exit code 30."
            limit = time_limit_option(text, heading=None, brief=False)
            self.params.append(limit.metadata[_DECLARED](_WHOLE_LIMIT, None, None))
        text = "Show the options that most people need, and exit."
        self.params += [showing_option(["-h"], text, self._short_help), help_option("--help")]

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        name, *rest = args or [""]
        if name in self.subcommands:
            command = self.subcommands[name]
            return command.make_context(f"{info_name} {name}", rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        seconds = ctx.params.pop(_WHOLE_LIMIT, None)
        if seconds is None:
            return super().invoke(ctx)
        from satcross.cli.limited import limited

        with limited(seconds):
            return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else ""
        try:
            rest = super().parse_args(ctx, self._prepare(args) if self._prepare else args)
            self._check_relations(ctx)
            return rest
        except click.UsageError as error:
            self._refuse_command(first, ctx)
            error.ctx = error.ctx or ctx
            if "extra argument" in error.message and self._takes_lists():
                text = f"{error.message}; a word list is given with -w"
                raise click.UsageError(text, ctx) from None
            if not isinstance(error, click.NoSuchOption):
                raise
            shown = (name for item in self.params for name in getattr(item, "shown", item.opts))
            known = [name for name in shown if name.startswith("--")]
            hint = did_you_mean(error.option_name, known)
            raise click.UsageError(f"there is no option {error.option_name}.{hint}", ctx) from None

    def _takes_lists(self) -> bool:
        """Whether word lists are given by an option alone."""
        arguments = {param.name for param in self.params if isinstance(param, click.Argument)}
        return "words" not in arguments and any("-w" in param.opts for param in self.params)

    def _refuse_command(self, name: str, ctx: click.Context) -> None:
        """Raise UsageError for a first argument that is a mistyped subcommand, or no argument."""
        if not self.subcommands or not name or name.startswith("-"):
            return
        hint = did_you_mean(name, self.subcommands)
        if not hint and not any(isinstance(param, _Argument) for param in self.params):
            hint = f" Choose {', '.join(self.subcommands)}."
        if hint and not Path(name).exists():
            raise click.UsageError(f"{name!r} is no command.{hint}", ctx)

    def _check_relations(self, ctx: click.Context) -> None:
        """Raise UsageError for options that exclude or need each other."""
        given = {
            name: ctx.params.get(str(parameter.name))
            for parameter in self.params
            if ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
            for name in parameter.opts
        }

        def is_given(option: str) -> bool:
            name, _, value = option.partition(" ")
            return name in given and value in ("", given[name])

        for parameter in self.params:
            if not isinstance(parameter, _Option) or parameter.opts[0] not in given:
                continue
            name, needs = parameter.shown[-1], parameter.needs
            for other in filter(is_given, parameter.excludes):
                raise click.UsageError(f"{name} can't be used with {other}.", ctx)
            if needs and not any(map(is_given, needs)):
                raise click.UsageError(f"{name} needs {' or '.join(needs)}.", ctx)

    def _short_help(self, ctx: click.Context) -> str:
        chosen = [item for item in self.params if isinstance(item, _Option) and item.brief]
        if not chosen:
            return ctx.get_help()
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text((self.help or "").partition("\n\n")[0])
        arguments = [item for item in self.params if isinstance(item, _Argument)]
        for title, shown in (("Arguments", arguments), ("Options", chosen)):
            if shown:
                with formatter.section(title):
                    formatter.write_dl([item.get_help_record(ctx) for item in shown])
        self.format_epilog(ctx, formatter)
        number = sum(isinstance(parameter, click.Option) for parameter in self.get_params(ctx))
        formatter.write(f"\n--help shows all {number} options.")
        return formatter.getvalue()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                is_argument = isinstance(parameter, click.Argument)
                heading = "Arguments" if is_argument else getattr(parameter, "heading", None)
                sections.setdefault(heading or "Options", []).append(record)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)
        if self.subcommands:
            with formatter.section("Commands"):
                commands = self.subcommands.items()
                formatter.write_dl(
                    [(name, each.get_short_help_str(100)) for name, each in commands]
                )


def whole(minimum: int | None = None, maximum: int | None = None) -> Callable[[object], int]:
    """Click type that parses whole numbers between two bounds, both included."""
    if minimum is None:
        wanted = "a whole number"
    elif maximum is None:
        wanted = f"a whole number, {minimum} or more"
    else:
        wanted = f"a whole number from {minimum} to {maximum}"

    def parse(value: object) -> int:
        with suppress(ValueError):
            number = int(str(value))
            low = number if minimum is None else minimum
            if low <= number <= (number if maximum is None else maximum):
                return number
        raise click.BadParameter(f"{value!r} is not {wanted}.")

    return parse


def parse_seconds(value: object) -> float:
    """Click type that parses a finite number of seconds above 0."""
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise click.BadParameter("give a number of seconds above 0.")
    return seconds


def read_size(flag: str, text: str) -> tuple[int, int]:
    """Read ``15`` or ``15x13`` as rows and columns. Raises InputError, which names the flag."""
    found = re.fullmatch(r"(\d{1,3})(?:[xX*](\d{1,3}))?", text.strip())
    if found is None:
        remedy = "write 15, or 15x13 for 15 rows of 13 columns, at most 999"
        raise InputError(f"bad {flag} {text!r}", remedy)
    return int(found[1]), int(found[2] or found[1])


def names_of(known: Callable[[], Collection[str]]) -> Callable[..., Any]:
    """Click callback that parses names separated by commas, each known and named once."""

    def parse(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
        if value is None:
            return None
        names = [name.strip() for name in value.split(",")]
        for name in names:
            if name not in known():
                hint = did_you_mean(name, known())
                raise click.BadParameter(f"{name!r} is not one of {', '.join(known())}.{hint}")
            if names.count(name) > 1:
                raise click.BadParameter(f"{name} is named twice.")
        return names

    return parse


def backend_option() -> Any:
    """``--backend``, a list of names."""
    return option(
        "--backend NAME[,NAME...]",
        f"Which backend to use: {', '.join(BACKENDS)}, or one of another package. Several run one "
        "after the other and are checked against each other, and a table is printed.",
        heading=SEARCH,
        default="auto",
        brief=True,
        callback=names_of(KnownBackends),
    )


def time_limit_option(
    text: str = "Stop each backend after this many seconds; exit code 30.", **settings: Any
) -> Any:
    """``--time-limit``, in seconds; None without one, unless the settings have a default."""
    settings = {"heading": SEARCH, "type": parse_seconds, "brief": True, **settings}
    return option("--time-limit SECONDS", text, **settings)


def seed_option(heading: str = SEARCH) -> Any:
    text = "Seed of the random choices."
    return option("--seed N", text, heading=heading, type=whole(0, 2**31 - 1), default=0)


def json_option(text: str = "Print the answer as JSON.", heading: str = OUTPUT) -> Any:
    return option("--json", text, heading=heading, brief=True, excludes=["--format sat"])


def quiet_option() -> Any:
    return option("--quiet", "Print no notes.", heading=OUTPUT)


def output_option(
    text: str, metavar: str = "FILE", *, heading: str | None = OUTPUT, **settings: Any
) -> Any:
    """``-o``, ``--output``: the file to write."""
    return option(f"-o --output {metavar}", text, heading=heading, brief=True, **settings)


def words_option(text: str, **settings: Any) -> Any:
    """``-w``, ``--words``: word lists; repeatable."""
    settings = {"heading": INPUT, "multiple": True, "brief": True, **settings}
    return option("-w --words FILE", text, **settings)


def letters_option(heading: str | None = None) -> Any:
    text = "Letters in a structure of text are given letters, not blocks."
    return option("--letters", text, heading=heading)
