"""``satcross puzzle codeword``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcross.cli.options import make_command, option, options, whole
from satcross.make.commands.puzzle_flags import PuzzleSource, RunFlags, make_and_write
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.crossword import Crossword
    from satcross.make.puzzles.codeword import Codeword
    from satcross.run_settings import RunSettings
    from satcross.vocabulary import Vocabulary

_EXAMPLES = """
satcross puzzle codeword crossword.ipuz -o codeword.pdf
satcross puzzle codeword crossword.ipuz -o codeword.pdf --level easy
satcross puzzle codeword grid.txt -w words.txt --all-letters -o codeword.html
"""
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``puzzle codeword``."""

    source: PuzzleSource = options(PuzzleSource)
    given: int | None = option(
        "--given N",
        "Give this number of letters.  [default: as few as needed]",
        heading="Puzzle",
        type=whole(0),
        brief=True,
    )
    level: str | None = option(
        "--level",
        "easy, medium: give so many letters that the others follow word by word, from words of "
        "which half the letters (medium: a quarter) are known. hard: as few letters as needed, and "
        "rare ones.",
        choices=("easy", "medium", "hard"),
        brief=True,
    )
    all_letters: bool = option(
        "--all-letters",
        "All letters of the list's words occur, 26 in English: a grid is filled so.",
        brief=True,
    )
    run: RunFlags = options(RunFlags)


@make_command(Request, examples=_EXAMPLES)
def codeword(request: Request) -> int:
    """Replace the letters of a filled crossword by numbers: there is exactly one way to read it.

    Each number is one letter, and no letter has two numbers. With the words of the list, and those
    of the crossword, there is one way to read the puzzle: a SAT solver and CP-SAT prove it. By
    default, no fewer given letters would do. A grid without letters is filled first.

    Exit code 0: there is a puzzle. 20: the grid can't be filled. 30: --time-limit reached. 2: bad
    input, or too few letters to give.
    """
    from satcross.make.puzzles.codeword import make_codeword

    def make(
        crossword: Crossword, words: Vocabulary | None, settings: RunSettings
    ) -> tuple[Codeword, str]:
        assert words is not None
        unknown = sorted(word for word in crossword.words.values() if word not in words)
        if unknown:
            shown = ", ".join(unknown[:_MAX_SHOWN]) + (" ..." if len(unknown) > _MAX_SHOWN else "")
            text = f"{counted(len(unknown), 'word')} not in the list count as words: {shown}"
            request.run.report.note(text)
        made = make_codeword(
            crossword,
            words,
            settings,
            given=request.given,
            level=request.level,
            all_letters=request.all_letters,
        )
        return made, _summary(made)

    return make_and_write(
        request.source,
        request.run,
        make,
        needs_words=True,
        all_letters=request.all_letters,
    )


def _summary(made: Codeword) -> str:
    given = f"{len(made.given)} given ({', '.join(made.given)})" if made.given else "none given"
    letters = counted(len(made.numbers), "letter")
    text = f"{letters}, {given}. Exactly one reading, by sat and cpsat.\nLevel {made.level}: "
    if made.level == "hard":
        others = len(made.numbers) - len(made.given)
        return f"{text}word by word one finds {made.deduced} of the other {others} letters."
    known = "half" if made.level == "easy" else "a quarter"
    return f"{text}all letters follow word by word, from words of which {known} is known."
