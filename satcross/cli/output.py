"""Output of commands: text and files, checked before the work and written after it; progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click

from satcross.cli.messages import note, printing
from satcross.cli.options import json_option, quiet_option
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, check_writable, write_stream
from satcross.formats.kinds import WORDS
from satcross.formats.registry import FORMATS, check_extension
from satcross.formats.sniff import sniff
from satcross.formats.structure import draw_text
from satcross.grid import FULL_BLOCK, Cell, Grid
from satcross.run_settings import OnPartial
from satcross.support.frozen import frozen
from satcross.support.letters import spell

_FIRST_SECONDS = 0.5
_EVERY_SECONDS = 0.2


class Progress:
    """A line on a terminal with the newest report and the time elapsed, perhaps with a grid.

    It is erased at the end.
    """

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._next = self._started + _FIRST_SECONDS
        self._shown = False
        self._grid: list[str] = []

    def show(self, line: str) -> None:
        now = time.monotonic()
        if self._enabled and now >= self._next:
            import shutil  # brings compression with it, and most commands show no progress

            self._next = now + _EVERY_SECONDS
            self._shown = True
            sys.stderr.write(f"\r\x1b[J{now - self._started:6.1f} s  {line}"[:120])
            if 0 < len(self._grid) < shutil.get_terminal_size().lines - 1:
                # The cursor goes back to the line, so that what comes next writes over the grid.
                rows = "".join(f"\n{row}" for row in self._grid)
                sys.stderr.write(f"{rows}\x1b[{len(self._grid)}A\r")
            sys.stderr.flush()

    def grids(self, grid: Grid) -> OnPartial:
        """Return a callback that takes letters in the grid, to be shown with the next report."""

        def take(letters: Mapping[Cell, str]) -> None:
            rows, columns = range(grid.height), range(grid.width)
            found = [[letters.get((row, column)) for column in columns] for row in rows]
            self._grid = grid.draw(found).split("\n")

        return take

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[J")
            sys.stderr.flush()


@frozen
class Report:
    """``--json`` and ``--quiet``: how a command reports."""

    as_json: bool = json_option()
    quiet: bool = quiet_option()

    def show(
        self,
        to_data: Callable[[], object],
        show: Callable[[], Iterable[str] | None],
        *,
        unless_quiet: bool = False,
    ) -> None:
        """Print the answer: as JSON under ``--json``, else as text.

        ``show`` prints the text or returns its lines; with ``unless_quiet`` not under ``--quiet``.
        """
        with printing():
            if self.as_json:
                print_json(to_data())
            elif not (unless_quiet and self.quiet):
                for line in show() or ():
                    print_line(line)

    def note(self, text: str, file: str | None = None) -> None:
        """Print a note on standard error, unless ``--quiet`` is given."""
        if not self.quiet:
            note(text, file)

    def progress(self) -> Progress:
        """A line of progress on standard error, unless ``--quiet`` is given."""
        return Progress(enabled=not self.quiet)


def numbered(path: str | None, number: int | None) -> list[str]:
    """The files to write: one, or with a ``number`` out-1.txt, out-2.txt and so on."""
    if path is None:
        return []
    if number is None or not path:
        return [path]
    whole = Path(path)
    return [str(whole.with_name(f"{whole.stem}-{k}{whole.suffix}")) for k in range(1, number + 1)]


def check_output(
    path: str, inputs: Iterable[str] = (), suffixes: Iterable[str] | None = None
) -> None:
    """Raise InputError when the file can't be written, or is one of the inputs.

    A list of words is no output of a command that writes crosswords, those without ``suffixes``:
    it was named by mistake, and is not overwritten.
    """
    if not path:
        raise InputError("an empty file name", "name a file to write")
    check_extension(path, FORMATS if suffixes is None else suffixes)
    check_writable(path, inputs)
    if suffixes is None and Path(path).exists() and sniff(Path(path).read_bytes()) is WORDS:
        raise InputError(
            "exists and is a list of words, so it is not overwritten",
            "name another file; solve takes further lists with -w",
            file=path,
        )


def check_distinct(path: str, others: Iterable[str], names: str) -> None:
    """Raise InputError when the file is one of the others; ``names`` are the two that clash."""
    if any(Path(path).resolve() == Path(other).resolve() for other in others):
        raise InputError(f"is {names}", "name two files", file=path)


def check_standard_input(inputs: Iterable[str | None]) -> None:
    """Raise InputError when more than one input is standard input."""
    if list(inputs).count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")


def write_text(path: str, text: str) -> None:
    """Write a text file, whole or not at all."""
    write_stream(path, lambda stream: print(text, end="", file=stream))


def print_json(data: object) -> None:
    """Print data as JSON, in ASCII where the terminal takes nothing else."""
    import json

    from satcross.formats.json import dump

    text = spell(dump(data))
    if not can_print(text):
        text = dump(json.loads(text), ascii_only=True)
    click.echo(text, nl=False)


def print_line(text: str = "", *, end: str = "\n", color: bool | None = None) -> None:
    """Print text; what the terminal can't show becomes a question mark."""
    text = spell(text)
    if not can_print(text):
        text = text.encode(_encoding(), "replace").decode(_encoding())
    click.echo(text + end, nl=False, color=color)


def can_print(text: str) -> bool:
    """Whether standard output takes the text."""
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        return False
    return True


def grid_text(crossword: Crossword) -> str:
    """The solution as CS50 prints it, or decorated if it has bars or rebus cells.

    A block is # where the terminal has no full block.
    """
    grid, block = crossword.grid, FULL_BLOCK if can_print(FULL_BLOCK) else "#"
    if grid.bars or crossword.rebus:
        from satcross.formats.decorated_text import decorated_text

        return decorated_text(grid, crossword.solution, block=block)
    return draw_text(grid.structure, crossword.solution, block=block)


def _encoding() -> str:
    return (sys.stdout and sys.stdout.encoding) or "utf-8"
