"""The command line: one module per command, loaded when the command is called."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

import click

from satcross import engine
from satcross.errors import InputError, InternalError, UnavailableError
from satcross.support import __version__
from satcross.support.plug_ins import COMMANDS as PLUGGED_IN
from satcross.support.plug_ins import load_plug_in, plug_ins

FILLED, INTERNAL_ERROR, BAD_INPUT, UNFILLABLE, UNKNOWN = 0, 1, 2, 20, 30
"""Exit codes."""
WRONG = UNFILLABLE
"""Exit code of ``check`` for a wrong fill or proof."""

COMMANDS = {
    "Fill a grid": {
        "solve": "Fill a grid from a word list, or prove that it can't be filled.",
        "count": "Count the fills of a grid, exactly.",
        "explain": "Say why a grid can't be filled, and what would help.",
        "check": "Check a fill, a proof that there is none, or a structure by itself.",
        "encode": "Write the puzzle for other solvers: CNF, WCNF, OPB, MiniZinc, XCSP3, CP-SAT.",
    },
    "Make a crossword": {
        "grid": "Make a structure: a symmetric pattern of blocks that the list can fill.",
        "layout": "Interlock your own words in the smallest grid.",
        "puzzle": "Make puzzles of other kinds, such as codewords, with exactly one solution.",
        "series": "Make many puzzles by a plan, no entry coming back too soon.",
        "words": "Look into word lists: lengths, scores, letters; match and merge them.",
        "convert": "Write a crossword in another format: .puz, .ipuz, .xd, .jpz, a picture ...",
        "serve": "Make crosswords in a web page, on this computer.",
    },
    "Answer clues": {
        "answer": "Answer a clued crossword from its clues.",
        "sources": "List and set up the sources of candidates for clues.",
    },
    "Compare programs": {
        "compare": "Run backends, SAT solvers and your own programs on the same puzzles.",
        "bench": "Run a suite of puzzles, resuming where it stopped; report on the runs.",
        "grade": "Check a CS50 generate.py against the course's rules.",
    },
}
"""Commands by purpose, each with its help in one line."""

HOMES = {
    **dict.fromkeys(("solve", "count", "explain", "check", "encode", "convert"), "cli"),
    **dict.fromkeys(("grid", "layout", "puzzle", "series", "words"), "make"),
    **dict.fromkeys(("answer", "sources"), "answer"),
    **dict.fromkeys(("compare", "bench"), "compare"),
    "grade": "cs50",
    "serve": "web",
}
"""The package that each command belongs to: the core's ``cli``, or a wing."""


class _LazyGroup(click.Group):
    """A group that imports the module of a command only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*HOMES, *plug_ins(PLUGGED_IN, HOMES)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in HOMES:
            home = f"satcross.{HOMES[cmd_name]}.commands.{cmd_name}"
            return import_module(home).command  # type: ignore[no-any-return]
        added = plug_ins(PLUGGED_IN, HOMES).get(cmd_name)
        return None if added is None else load_plug_in(added)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            from satcross.cli.options import did_you_mean

            hint = did_you_mean(name, self.list_commands(ctx))
            raise click.UsageError(f"there is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        added = {
            name: f"From the package {entry.dist.name if entry.dist else '?'}."
            for name, entry in plug_ins(PLUGGED_IN, HOMES).items()
        }
        for purpose, commands in {**COMMANDS, **({"More": added} if added else {})}.items():
            with formatter.section(purpose):
                formatter.write_dl(list(commands.items()))


def _help_width() -> int:
    """The width of help texts. click would import shutil, and with it compression, to find it."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns)
    except (OSError, ValueError):
        columns = 80
    return max(50, min(columns, 80) - 2)


def help_option(*names: str) -> click.Option:
    """Return ``--help``. click's own imports locale, to look for a translation of its text."""
    return showing_option(names, "Show this message and exit.", click.Context.get_help)


def showing_option(
    names: Sequence[str], text: str, shown: Callable[[click.Context], str]
) -> click.Option:
    """Return an option that shows a text and ends the program."""

    def show(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            click.echo(shown(ctx), color=ctx.color)
            ctx.exit()

    return click.Option(
        names, help=text, callback=show, is_flag=True, is_eager=True, expose_value=False
    )


def _version(ctx: click.Context) -> str:
    return f"satcross, version {__version__}{f', {engine.MISSING}' if engine.missing() else ''}"


@click.group(
    cls=_LazyGroup,
    params=[
        showing_option(["--version"], "Show the version and exit.", _version),
        help_option("-h", "--help"),
    ],
    context_settings={"help_option_names": ["-h", "--help"], "terminal_width": _help_width()},
    epilog="Example: satcross solve data/structure1.txt data/words1.txt crossword.png",
)
def cli() -> None:
    """Fill crosswords with SAT, CP-SAT or search, and prove it when they can't be filled.

    Exit codes: 0 filled or answered, 20 proved unfillable (check: the fill is wrong), 30 limit
    reached or interrupted, 2 bad usage or bad input, 1 internal error.
    """
    import signal

    # As after Ctrl-C: what was found is printed, and no temporary file stays.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    click.get_current_context().call_on_close(_note_slow_search)


def _note_slow_search() -> None:
    if engine.is_missed():
        from satcross.cli.messages import note

        note(f"searches were slow {engine.MISSING}")


def main() -> None:
    """Run the command line; a user's mistake gives one line on stderr and exit code 2."""
    _ignore_stderr_failures()
    try:
        cli.main(standalone_mode=False, prog_name="satcross")
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            sys.exit(BAD_INPUT)
        path = error.ctx.command_path if error.ctx else "satcross"
        text = error.format_message()
        _fail(BAD_INPUT, f"error: {text}{'.' * (text[-1] not in '.?!')} Try: {path} --help")
    except click.ClickException as error:
        _fail(BAD_INPUT, f"error: {error.format_message()}")
    except (InputError, UnavailableError) as error:
        _fail(BAD_INPUT, f"error: {error}")
    except InternalError as error:
        _fail(INTERNAL_ERROR, f"INTERNAL ERROR, please report it: {error}", error.report)
    except (KeyboardInterrupt, click.Abort):
        _fail(UNKNOWN, "interrupted")
    except MemoryError:
        _fail(UNKNOWN, "out of memory: use fewer words, a smaller grid or another backend")
    except OSError as error:
        _fail(BAD_INPUT, f"error: {error.filename or 'standard output'}: {error.strerror}")


def _fail(code: int, line: str, *more: str) -> NoReturn:
    from satcross.cli.messages import print_error

    print_error("\n".join(filter(None, (line, *more))))
    sys.exit(code)


class _ForgivingStderr(io.TextIOWrapper):
    """Standard error that drops what can't be written: a full disk is no reason to stop."""

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def _ignore_stderr_failures() -> None:
    if sys.stderr is not None and hasattr(sys.stderr, "buffer"):
        old = sys.stderr
        sys.stderr = _ForgivingStderr(
            old.buffer, encoding=old.encoding, errors=old.errors, line_buffering=True
        )
