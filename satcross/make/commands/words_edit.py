"""``satcross words edit``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from satcross.cli.options import argument, make_command, option, options, whole
from satcross.cli.output import Report, print_line
from satcross.errors import InputError
from satcross.formats.word_edits import Action, Keyword, edit_word, read_edits
from satcross.support.user_folder import edits_path

_EXAMPLES = """
satcross words edit SIMI ORT --never
satcross words edit 'Rubik cube' --always
satcross words edit OREO --score 35
satcross words edit OREO --forget
satcross words edit                            (all edits, and where they are)
"""


@dataclass(frozen=True, slots=True)
class Request:
    entries: tuple[str, ...] = argument("[WORD]...", "Words or phrases.", nargs=-1)
    never: bool = option(
        "--never",
        "Never use these words.",
        heading="Edit",
        excludes=["--always", "--score", "--forget", "--path"],
        brief=True,
    )
    always: bool = option(
        "--always",
        "Have these words in every vocabulary, whether or not a list has them, with the highest "
        "score.",
        excludes=["--score", "--forget", "--path"],
        brief=True,
    )
    score: int | None = option(
        "--score N",
        "Give these words another score, where a list has them.",
        type=whole(),
        excludes=["--forget", "--path"],
        brief=True,
    )
    forget: bool = option(
        "--forget", "Forget the edits of these words.", excludes=["--path"], brief=True
    )
    file: str | None = option(
        "--edits FILE",
        "The file of edits.  [default: SATCROSS_EDITS, or edits.txt in the user's data folder]",
        heading="Input",
    )
    path: bool = option("--path", "Print only where the edits are.", heading="Output")
    report: Report = options(Report, quiet="Print nothing but errors.")

    @property
    def action(self) -> Action | None:
        """What is to be done with the words; None to forget their edits."""
        if self.score is not None:
            return self.score
        return Keyword.NEVER if self.never else Keyword.ALWAYS if self.always else None

    def check(self) -> bool:
        """Return whether words are to be edited. Raises UsageError for a wrong combination."""
        is_edit = self.never or self.always or self.forget or self.score is not None
        if is_edit and not self.entries:
            raise click.UsageError("name a WORD to edit.")
        return is_edit


@make_command(Request, examples=_EXAMPLES)
def edit(request: Request) -> None:
    """Keep your own verdict on words: never, always, or another score.

    The edits are one text file, and all commands that make crosswords (solve, count, explain,
    check, encode, grid, words, and the web page) apply them to the lists they read; --no-edits
    does without. Without an edit, the edits of the WORDs are printed, or all of them.

    Exit code 0: done. 2: bad input.
    """
    is_edit = request.check()
    path = edits_path() if request.file is None else Path(request.file)
    if path is None:
        raise InputError("SATCROSS_EDITS is empty: there is no file of edits", "name one in it")
    if request.path:
        print_line(str(path))
        return
    for entry in request.entries if is_edit else ():
        before = edit_word(entry, request.action, path)
        if request.forget and before is None:
            request.report.note(f"there is no edit of {entry}", str(path))
    edits = read_edits(path)
    if request.entries:
        shown = [item for item in map(edits.get, request.entries) if item is not None]
    else:
        shown = list(edits.edits)
    request.report.show(
        lambda: {
            "path": str(path),
            "edits": [{"word": x.key, "written": x.entry, "edit": x.action} for x in shown],
        },
        lambda: [*(f"{x.entry};{x.action}" for x in shown), *([] if is_edit else [f"({path})"])],
        unless_quiet=True,
    )
