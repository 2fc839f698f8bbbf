"""What commands that write crosswords have in common: clues, title, author, style from flags."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click

from satcross.cli.options import note
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.clues import (
    ClueList,
    add_clues,
    format_clue_template,
    format_missing_clues,
    read_clues,
)
from satcross.formats.common import iso_date
from satcross.formats.files import STANDARD_INPUT, check_writable, write_atomically
from satcross.formats.writers import PAPERS, STYLES, write_crossword

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Publishing:
    """The flags of ``publishing_options``."""

    clues: str | None
    clue_template: str | None
    title: str | None
    author: str | None
    copyright: str | None
    date: str | None
    style: str | None
    paper: str

    def read_clues(self, inputs: list[str], outputs: list[str], *, quiet: bool) -> ClueList | None:
        """Read the clues, before any work is done; None without ``--clues``."""
        if self.clues == STANDARD_INPUT and STANDARD_INPUT in inputs:
            raise InputError("standard input can be read only once", "name a file instead of -")
        for output in outputs:
            check_writable(output, [self.clues] if self.clues else [])
        if self.clue_template is not None:
            if any(Path(self.clue_template).resolve() == Path(path).resolve() for path in outputs):
                raise InputError(
                    "is to be written twice", "name two files", file=self.clue_template
                )
            check_writable(self.clue_template, [*inputs, *([self.clues] if self.clues else [])])
        if self.clues is None:
            return None
        found = read_clues(self.clues)
        if not quiet:
            for text in found.notes:
                note(found.name, text)
        return found

    def apply(self, crossword: Crossword, clues: ClueList | None, *, quiet: bool) -> Crossword:
        """Return the crossword with the clues and texts of the flags; note missing clues."""
        texts = {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
            and field.name in ("title", "author", "copyright", "date")
        }
        crossword = replace(crossword, **texts)
        if clues is not None:
            crossword, notes = add_clues(crossword, clues)
            for text in (*notes, format_missing_clues(crossword)):
                if text and not quiet:
                    note(clues.name, text)
        if self.clue_template is not None:
            lines = format_clue_template(crossword).encode("utf-8")
            write_atomically(self.clue_template, lambda path: _write_bytes(path, lines))
        return crossword

    def write(self, crossword: Crossword, output: str, *, quiet: bool) -> None:
        """Write the crossword; what its format has no place for is noted."""
        lost = write_crossword(crossword, output, self.style, paper=self.paper)
        if lost and not quiet:
            note(output, f"the format does not keep {'; '.join(lost)}")


def _write_bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _parse_date(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    found = None if value is None else iso_date(value)
    if value is not None and found is None:
        raise click.BadParameter(f"{value!r} is no date; write it as 2024-12-31.")
    return found


_OPTIONS = (
    click.option(
        "--clues",
        metavar="FILE",
        help="A line each: WORD or 14A, a tab, and the clue; or CSV. Missing ones are listed.",
    ),
    click.option(
        "--clue-template",
        metavar="FILE",
        help="Write the words that have no clue into a file for --clues.",
    ),
    click.option("--title", metavar="TEXT"),
    click.option("--author", metavar="TEXT"),
    click.option("--copyright", metavar="TEXT"),
    click.option("--date", metavar="YYYY-MM-DD", callback=_parse_date),
    click.option(
        "--style",
        type=click.Choice(STYLES),
        help="What a picture or page shows: the fill as CS50 draws it (the default of .png and "
        ".svg), the empty grid with numbers, the solution with numbers, or a newspaper's page of "
        "grid and clues (the default of .pdf).",
    ),
    click.option(
        "--paper", type=click.Choice(PAPERS), default=PAPERS[0], show_default=True, help="For .pdf."
    ),
)


def publishing_options(function: Function) -> Function:
    """The flags above, given to the command together as ``publishing``."""

    @functools.wraps(function)
    def collected(*args: Any, **options: Any) -> Any:
        own = {field.name: options.pop(field.name) for field in fields(Publishing)}
        return function(*args, publishing=Publishing(**own), **options)

    wrapped: Function = collected
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
