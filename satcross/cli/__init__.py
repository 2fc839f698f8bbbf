"""The command line: one module a command, loaded when it is called."""

from __future__ import annotations

import io
import signal
import sys
from contextlib import suppress
from importlib import import_module

import click

from satcross.errors import InputError, InternalError, UnavailableError
from satcross.support.version import __version__

FILLED, INTERNAL_ERROR, BAD_INPUT, UNFILLABLE, UNKNOWN = 0, 1, 2, 20, 30
"""Exit codes."""
WRONG = UNFILLABLE
"""What ``check`` ends with when the fill it was given is wrong."""

COMMANDS = {
    "solve": "Fill a grid from a word list, or prove that it can't be filled.",
    "fill-region": "Fill a part of a grid anew and keep the rest of a fill.",
    "count": "Count the fills of a grid, exactly.",
    "explain": "Say why a grid can't be filled, and what would help.",
    "check": "Check somebody's fill, and list everything that is wrong with it.",
    "convert": "Write a crossword in another format: .puz, .ipuz, .xd, .json, a picture.",
    "answer": "Answer a clued crossword from its clues.",
    "sources": "List and set up the sources of candidates for clues.",
    "grid": "Make a structure: a symmetric pattern of blocks that the list can fill.",
    "layout": "Interlock words of your own in the smallest grid.",
    "lint": "Warn of what is unusual about a structure, or hard to fill.",
    "words": "Look into word lists: lengths, scores, letters; match and merge them.",
    "serve": "Make crosswords in a web page, on this computer.",
    "compare": "Run backends, SAT solvers and programs of yours on the same puzzles.",
    "bench": "Run a suite of puzzles, going on where it stopped; report on the runs.",
    "encode": "Write the question as a formula: DIMACS CNF, WCNF or a CP-SAT model.",
    "check-proof": "Check a proof that a puzzle has no fill.",
    "grade": "Check somebody's CS50 generate.py against the course's rules.",
}


class _LazyGroup(click.Group):
    """Imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(
            f"satcross.cli.commands.{cmd_name.replace('-', '_')}"
        ).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: satcross solve data/structure1.txt data/words1.txt crossword.png",
)
@click.version_option(__version__, prog_name="satcross")
def cli() -> None:
    """Fill crosswords with SAT, CP-SAT or search, and prove it when they can't be filled.

    Exit codes: 0 filled or answered, 20 proved unfillable (check: the fill is wrong), 30 limit
    reached or interrupted, 2 bad usage or bad input, 1 our own fault.
    """


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    _forgive_stderr()
    # As after Ctrl-C: what was found is printed, and no temporary file stays.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        cli.main(standalone_mode=False, prog_name="satcross")
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        _fail_usage(error)
    except click.ClickException as error:
        _complain(f"error: {error.format_message()}")
        sys.exit(BAD_INPUT)
    except (InputError, UnavailableError) as error:
        _complain(f"error: {error}")
        sys.exit(BAD_INPUT)
    except InternalError as error:
        _complain(f"INTERNAL ERROR, please report it: {error}")
        if error.report:
            click.echo(error.report, err=True)
        sys.exit(INTERNAL_ERROR)
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        sys.exit(UNKNOWN)
    except MemoryError:
        _complain("out of memory: use fewer words, a smaller grid or another backend")
        sys.exit(UNKNOWN)
    except OSError as error:
        _complain(f"error: {error.filename or 'standard output'}: {error.strerror}")
        sys.exit(BAD_INPUT)


class _ForgivingStderr(io.TextIOWrapper):
    """Standard error that loses what nobody takes: a full disk there is no reason to stop."""

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def _forgive_stderr() -> None:
    if sys.stderr is not None and hasattr(sys.stderr, "buffer"):
        old = sys.stderr
        sys.stderr = _ForgivingStderr(
            old.buffer, encoding=old.encoding, errors=old.errors, line_buffering=True
        )


def _fail_usage(error: click.UsageError) -> None:
    path = error.ctx.command_path if error.ctx else "satcross"
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
    else:
        _complain(f"error: {error.format_message()} Try: {path} --help")
    sys.exit(BAD_INPUT)


def _complain(line: str) -> None:
    click.echo(f"satcross: {line}", err=True)
