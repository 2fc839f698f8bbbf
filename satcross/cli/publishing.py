"""The options of commands that write crosswords: clues, title, author, date, style, paper."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli.options import PUBLISHING, option, options
from satcross.cli.output import (
    Report,
    check_distinct,
    check_output,
    check_standard_input,
    write_text,
)
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import check_writable
from satcross.formats.registry import FORMATS, PAPERS, PRINTED, STYLES
from satcross.support.frozen import frozen
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.formats.clues import ClueList
    from satcross.formats.drawing.sheet import Sheet

OUTPUT_FILE = f"Write the crossword into this file, by its extension: {', '.join(FORMATS)}."


def _parse_date(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    from satcross.formats.common import iso_date

    found = iso_date(value)
    if found is None:
        raise click.BadParameter(f"{value!r} is not a date; write it as 2024-12-31.")
    return found


def parse_font(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    # Without a picture, loading what draws would take a fifth of an easy run.
    if value is not None or "satcross.formats.drawing.lettering" in sys.modules:
        from satcross.formats.drawing.lettering import use_font

        use_font(value)
    return value


def _check_holds_no_clues(path: str) -> None:
    """Raise InputError if the file is a clue file that already has clues."""
    from satcross.formats.clues import read_clues

    try:
        written = len(read_clues(path).clues) if Path(path).is_file() else 0
    except InputError:
        return
    if written:
        raise InputError(
            f"--clue-template would replace {counted(written, 'clue')}",
            f"add them with --clues {path}, or name another file",
            file=path,
        )


@frozen
class SheetFlags:
    """What a printed puzzle has beside grid and clues."""

    large_print: bool = option("--large-print", "Print .pdf and .html pages two fifths larger.")
    name_line: bool = option("--name-line", "A line for name and date on .pdf and .html pages.")
    word_bank: bool = option(
        "--word-bank", "The words of the puzzle in alphabetical order on .pdf and .html pages."
    )
    answer_key: str | None = option(
        "--answer-key",
        "Whether a printed puzzle ends with a page for its solution.  [default: yes for .pdf, no "
        "for .html]",
        choices=("yes", "no"),
    )
    submission: str | None = option(
        "--submission ADDRESS",
        "Write the .pdf as editors ask for it: the grid with your address, its lines divided by "
        "semicolons, then the clues with their answers, double spaced.",
        excludes=["--name-line", "--word-bank", "--answer-key"],
    )

    def sheet(self, extension: str, style: str | None) -> Sheet:
        """What the flags say about a page with this extension, in this style."""
        from satcross.formats.drawing.sheet import Sheet

        usual = extension == ".pdf" and style in (None, "newspaper")
        key = usual if self.answer_key is None else self.answer_key == "yes"
        lines = None if self.submission is None else self.submission.split(";")
        address = None if lines is None else "\n".join(map(str.strip, lines))
        return Sheet(self.large_print, self.name_line, self.word_bank, key, address)

    @property
    def given(self) -> list[str]:
        """The options that are given."""
        names = [item.name for item in fields(self) if getattr(self, item.name)]
        return [f"--{name.replace('_', '-')}" for name in names]


@frozen
class PageFlags:
    """The texts of a page, its paper and its font, for all that is printed."""

    title: str | None = option("--title TEXT", "The title.", heading=PUBLISHING)
    author: str | None = option("--author TEXT", "Who has made the puzzle.")
    copyright: str | None = option("--copyright TEXT", "The copyright notice.")
    paper: str = option(
        "--paper", "The size of the pages of a .pdf.", choices=PAPERS, default=PAPERS[0]
    )
    font: str | None = option(
        "--font FILE",
        "The font of pictures and pages, .ttf or .otf, for scripts that Open Sans lacks.",
        callback=parse_font,
    )

    def apply(self, crossword: Crossword) -> Crossword:
        """Return the crossword with the texts of the options."""
        texts = {name: getattr(self, name) for name in ("title", "author", "copyright")}
        given = {name: text for name, text in texts.items() if text is not None}
        return replace(crossword, **given)


@frozen
class Publishing:
    """What a written crossword carries beside its words, and how it looks."""

    clues: str | None = option(
        "--clues FILE",
        "Clues, one per line: WORD or 14A, a tab, and the clue; or CSV. Words that have no clue "
        "are listed.",
        heading=PUBLISHING,
    )
    clue_template: str | None = option(
        "--clue-template FILE", "Write the words that have no clue into a file for --clues."
    )
    enumerations: bool = option(
        "--enumerations",
        "Write the lengths of each answer's parts after its clue, (3,5) for ice cream, as the clue "
        "file, the word list or else the default list writes it.",
    )
    page: PageFlags = options(PageFlags)
    date: str | None = option("--date YYYY-MM-DD", "The day of publication.", callback=_parse_date)
    style: str | None = option(
        "--style",
        "What a picture or page shows: the fill as CS50 draws it, the empty grid with numbers "
        "(puzzle), the grid with numbers and letters (solution), or a newspaper's page of grid and "
        "clues.  [default: fill; newspaper for .pdf]",
        choices=STYLES,
    )
    sheet: SheetFlags = options(SheetFlags)

    def check_files(self, inputs: Iterable[str], outputs: Sequence[str]) -> None:
        """Raise InputError for outputs that can't be written, or that are read or named twice."""
        inputs = [*inputs, *([] if self.clues is None else [self.clues])]
        check_standard_input(inputs)
        for output in outputs:
            check_output(output, inputs)
        if self.clue_template is not None:
            check_distinct(self.clue_template, outputs, "OUTPUT and --clue-template")
            check_writable(self.clue_template, inputs)
            _check_holds_no_clues(self.clue_template)

    def read_clues(self, report: Report) -> ClueList | None:
        """Read the clues, and note what is odd about them; None without ``--clues``."""
        if self.clues is None:
            return None
        from satcross.formats.clues import read_clues

        found = read_clues(self.clues)
        for text in found.notes:
            report.note(text, found.name)
        return found

    def apply(
        self,
        crossword: Crossword,
        clues: ClueList | None,
        report: Report,
        written: Callable[[], Mapping[str, str]] = dict,
    ) -> Crossword:
        """Return the crossword with the clues and texts of the options; note missing clues.

        ``written`` returns how the word lists write words; it is called where that matters.
        """
        crossword = self.page.apply(crossword)
        if self.date is not None:
            crossword = replace(crossword, date=self.date)
        if clues is not None:
            from satcross.formats.clues import add_clues, format_missing_clues

            crossword, notes = add_clues(crossword, clues)
            for text in filter(None, (*notes, format_missing_clues(crossword))):
                report.note(text, clues.name)
        if self.clue_template is None and not self.enumerations:
            return crossword
        from satcross.formats.clues import add_enumerations, format_clue_template, written_forms
        from satcross.formats.written import WithDefault

        forms = WithDefault({**written(), **(written_forms(clues) if clues else {})})
        if self.clue_template is not None:
            write_text(self.clue_template, format_clue_template(crossword, forms))
        return add_enumerations(crossword, forms) if self.enumerations else crossword

    def printed_cell(self, crossword: Crossword) -> float:
        """Return the size of a cell of the crossword on the page of a .pdf, in points."""
        from satcross.formats.drawing.layout import PAPERS
        from satcross.formats.drawing.sheet import printed_cell

        return printed_cell(crossword, PAPERS[self.page.paper], self.sheet.sheet(".pdf", None))

    def write(self, crossword: Crossword, output: str, report: Report) -> None:
        """Note what the font lacks, write the crossword; note what its format has no place for."""
        from satcross.formats.writers import missing_characters, write_crossword

        absent = missing_characters(crossword, output, self.style)
        for text in absent:
            report.note(text, output)
        extension = Path(output).suffix.lower()
        if self.sheet.given and extension not in PRINTED:
            report.note(f"{', '.join(self.sheet.given)}: only .pdf and .html are printed", output)
        elif self.sheet.submission is not None and extension != ".pdf":
            report.note("--submission: only a .pdf is a submission form", output)
        sheet = self.sheet.sheet(extension, self.style) if extension in PRINTED else None
        paper = self.page.paper
        written = write_crossword(crossword, output, self.style, paper=paper, sheet=sheet)
        lost = [text for text in written if text not in absent]
        if lost:
            report.note(f"the format does not keep {'; '.join(lost)}", output)
