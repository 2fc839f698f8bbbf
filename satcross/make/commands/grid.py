"""``satcross grid``."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli import options as cli
from satcross.cli.messages import note
from satcross.cli.output import Report, check_distinct, check_output, numbered, write_text
from satcross.cli.read_puzzle import ListFlags
from satcross.cli.tables import print_table
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.entries import letters_of, read_word
from satcross.formats.words import WordList
from satcross.formats.writers import write_crossword
from satcross.grid import ACROSS, DOWN, Cell, cell_name, read_cell
from satcross.make.pattern import library
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.grid.styles import Style
    from satcross.make.pattern.demands import Demands
    from satcross.make.pattern.fillable import GridResult, MadeGrid
    from satcross.vocabulary import Vocabulary

_LARGEST = 31
_SECONDS_A_GRID, _USUAL_AREA = 60, 225

_EXAMPLES = """
satcross grid --size 15 grid.txt               (American, filled by the default list)
satcross grid --size 13 --kind british -w words.txt grid.txt --fill fill.png
satcross grid --size 12 --kind barred grid.txt --fill fill.pdf
satcross grid --from british-15 grid.txt --fill fill.ipuz        (a standard grid)
satcross grid --size 15x13 --word-count 62..68 --longest 10 --count 3 grid.txt   (grid-1.txt ...)
satcross grid --size 15 --entry PROPAGATION --entry SATISFIABLE grid.txt
satcross grid --size 15 --entry SATISFIABLE@r4c1 --min-score 55 --count 3 --fill fill.ipuz
satcross solve grid.txt words.txt    (the letters of entries are kept)
"""


@dataclass(frozen=True, slots=True)
class PatternFlags:
    """What the pattern of blocks must be like."""

    size: str | None = cli.option(
        "--size N|ROWSxCOLUMNS",
        "The size of the grid: 15, or 15x13 for 15 rows of 13 columns.",
        heading="Pattern",
        brief=True,
    )
    source: str | None = cli.option(
        "--from NAME",
        "Take a standard grid instead: american-15-76a, or american-15 for one of them, chosen by "
        "--seed; list names all.",
        brief=True,
        excludes=[
            "--size",
            "--kind",
            "--symmetry",
            "--word-count",
            "--shortest",
            "--longest",
            "--max-blocks",
            "--entry",
        ],
    )
    kind: str = cli.option(
        "--kind",
        "american: every letter is in two words; british: a lattice, about half the letters are; "
        "barred: bars between cells instead of blocks, and most letters are.",
        choices=("american", "british", "barred"),
        default="american",
        brief=True,
    )
    symmetry: str | None = cli.option(
        "--symmetry",
        "The pattern is the same after half a turn (rotation), left and right (mirror), or need "
        "not be symmetric (none).  [default: rotation, unless entries leave no such grid]",
        choices=("rotation", "mirror", "none"),
    )
    word_count: str | None = cli.option(
        "--word-count N|A..B", "The number of words.  [default: usual for the size]", brief=True
    )
    shortest: int = cli.option(
        "--shortest N", "The length of the shortest word.", type=cli.whole(2), default=3
    )
    longest: int | None = cli.option(
        "--longest N", "The length of the longest word.  [default: any]", type=cli.whole(3)
    )
    max_blocks: int | None = cli.option(
        "--max-blocks N",
        "The largest number of blocked cells.  [default: usual for the size, more where it must]",
        type=cli.whole(0),
        aliases=("--most-blocks",),
    )
    entries: tuple[str, ...] = cli.option(
        "--entry WORD",
        "A word to put into the grid; repeatable. WORD@r3c1 begins in row 3, column 1 (counted "
        "from 1) and runs across, WORD@r3c1-down runs down.",
        multiple=True,
        brief=True,
    )

    def demands(self, vocabulary: Vocabulary | None = None) -> Demands:
        """Return the flags as values; entries as the vocabulary has them. Raises InputError."""
        from satcross.grid.styles import MIN_WORD_LENGTH, Style
        from satcross.make.pattern.demands import Demands, Symmetry, default_words, read_range

        if self.size is None:
            raise click.UsageError("name a --size, or a standard grid with --from.")
        height, width = cli.read_size("--size", self.size)
        if min(height, width) < MIN_WORD_LENGTH or max(height, width) > _LARGEST:
            raise InputError(
                f"--size {self.size} is out of range",
                f"rows and columns go from {MIN_WORD_LENGTH} to {_LARGEST}",
            )
        style = Style(self.kind)
        words = read_range(self.word_count or "") or default_words(style, height, width)
        if self.word_count and not read_range(self.word_count):
            raise InputError(f"bad --word-count {self.word_count!r}", "write 76, or 72..78")
        if self.longest is not None and self.longest < self.shortest:
            raise InputError(
                f"no word has {self.shortest} to {self.longest} letters", "raise --longest"
            )
        entries = _read_entries(self.entries, vocabulary)
        largest = min(max(height, width), self.longest or max(height, width))
        for word, place in entries.items():
            _check_entry(word, self.shortest, largest)
            if place is not None:
                _check_place(word, place, height, width)
        return Demands(
            height,
            width,
            words,
            self.shortest,
            self.longest,
            tuple(entries),
            style,
            Symmetry(self.symmetry or Symmetry.ROTATION),
            self.max_blocks,
            {word: place for word, place in entries.items() if place is not None},
            keep_symmetry=self.symmetry is not None,
        )

    def written(self, words: WordList) -> dict[str, str]:
        """Return how entries are written, where it is said here or in the lists."""
        typed = (value.partition("@")[0].strip() for value in self.entries)
        marked = (entry for entry in typed if not entry.isalnum())
        here = {read_word(entry, words.vocabulary): entry for entry in marked}
        return {**words.written, **here}


@dataclass(frozen=True, slots=True)
class FillFlags:
    """Which words must be able to fill the pattern."""

    lists: tuple[str, ...] = cli.words_option(
        "A word list to fill the grid from; repeatable.  [default: the default list, for lattices "
        "and barred grids in British spelling]",
        aliases=("--list",),
    )
    min_score: int | None = cli.option(
        "--min-score N", "Fill with words of at least this score.", type=cli.whole(), brief=True
    )
    fresh: tuple[str, ...] = cli.option(
        "--fresh FILE|FOLDER",
        "Words of these crosswords, series or lists come back only where the grid needs them: they "
        "score 45 at most; repeatable.",
        multiple=True,
    )
    unchecked: bool = cli.option(
        "--unchecked-fill",
        "Don't try whether the list can fill the grid.",
        excludes=["--fill", "--words", "--min-score", "--fresh"],
    )
    how: ListFlags = cli.options(ListFlags)

    def read(self, style: Style, *, quiet: bool) -> WordList | None:
        """Read the lists; None when no fill is tried. Raises InputError when no word is left."""
        if self.unchecked:
            return None
        home = () if style.value == "american" else ("british",)
        read = self.how.read(self.lists or home, quiet=quiet)
        if self.fresh:
            from satcross.formats.used_words import with_used_words

            fresh = with_used_words(read.vocabulary, self.fresh, note)
            read = replace(read, vocabulary=fresh)
        vocabulary = read.vocabulary
        if self.min_score is not None and not any(
            vocabulary.group(length).at_least(self.min_score) for length in vocabulary.lengths
        ):
            raise InputError(f"no word scores {self.min_score} or more", "lower --min-score")
        return read


@dataclass(frozen=True, slots=True)
class Request:
    output: str | None = cli.argument("[OUTPUT]", "Write the structure into this file (.txt).")
    written: str | None = cli.output_option("The same as OUTPUT.")
    pattern: PatternFlags = cli.options(PatternFlags)
    words: FillFlags = cli.options(FillFlags)
    number: int = cli.option(
        "--count N",
        "Make N grids; OUTPUT gets a number before its extension.",
        heading=cli.SEARCH,
        type=cli.whole(1, 1000),
        default=1,
        brief=True,
    )
    time_limit: float | None = cli.time_limit_option(
        f"Of processor time, for all grids together.  [default: {_SECONDS_A_GRID} per grid, by the "
        "area more for one beyond 15x15]"
    )
    seed: int = cli.seed_option()
    fill: str | None = cli.option(
        "--fill FILE",
        "Write the fill into this file, too, in a format of satcross solve.",
        heading=cli.OUTPUT,
        brief=True,
    )
    report: Report = cli.options(Report, quiet="Print no notes and no grid.")

    @property
    def outputs(self) -> tuple[list[str], list[str]]:
        """The files of the structures, and those of the fills."""
        number = self.number if self.number > 1 else None
        return numbered(self.out, number), numbered(self.fill, number)

    @property
    def out(self) -> str | None:
        return self.output or self.written

    def check(self) -> None:
        """Raise UsageError for options that can't be used together, InputError for the files."""
        from satcross.make.pattern.demands import RANGE

        if self.output and self.written:
            raise click.UsageError("-o and OUTPUT can't be used together.")
        words = self.words
        for path in words.lists:
            if RANGE.fullmatch(path) and not Path(path).exists():
                raise click.UsageError(f"--words names a list; write --word-count {path}.")
        structures, fills = self.outputs
        for path in structures:
            check_output(path, words.lists, (".txt",))
        for path in fills:
            check_output(path, words.lists)
            check_distinct(path, structures, "OUTPUT and --fill")


@cli.make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Make the structure of a grid: a pattern of blocks that the word list can fill.

    The pattern is printed, and written into OUTPUT: `_` for an open cell, `#` for a blocked one,
    letters for --entry words, which stand at opposite places where possible and which `satcross
    solve` keeps. Each pattern is filled
    before it is shown (from the default list when none is named), and the next is tried when that
    fails; --fill FILE keeps the fill. Another --seed gives other grids.

    Exit code 0: made. 20: it is proved that there is no such grid. 30: the time limit or Ctrl-C
    came first.
    """
    from satcross.formats.json import run_to_data
    from satcross.make.pattern.report import result_to_data, structure_text, why_none

    if request.pattern.source == "list":
        return _list_standard(request.report)
    names = _standard_names(request)
    demands = request.pattern.demands() if names is None else library.standard_demands(names[0])
    request.check()
    started = time.perf_counter()
    words = request.words.read(demands.style, quiet=request.report.quiet)
    if words is not None and demands.entries:
        demands = request.pattern.demands(words.vocabulary)  # its words may have accents
        demands = replace(demands, written=request.pattern.written(words))
    vocabulary = None if words is None else words.vocabulary
    result, advice = _make(request, demands, names, vocabulary)
    seconds = time.perf_counter() - started
    structures, fills = request.outputs
    for path, grid in zip(structures, result.grids, strict=False):
        write_text(path, structure_text(grid))
    for path, grid in zip(fills, result.grids, strict=False):
        if grid.outcome is not None:
            write_crossword(Crossword.of(grid.grid, grid.outcome.fill), path)
    sentence = why_none(demands, result, advice)
    request.report.show(
        lambda: {**result_to_data(result, sentence), **run_to_data(seconds, request.seed)},
        lambda: ["\n".join(map(structure_text, result.grids)).rstrip() or sentence],
        unless_quiet=True,
    )
    if result.grids and not request.report.as_json:
        _note_made(request, result, demands)
    if len(result.grids) == request.number or (result.complete and result.grids):
        return FILLED
    return UNFILLABLE if result.complete else UNKNOWN


def _standard_names(request: Request) -> list[str] | None:
    """Return the standard grids to fill, in order; None without --from."""
    if request.pattern.source is None:
        return None
    names = library.standard_names(request.pattern.source, request.seed)
    if request.number > len(names):
        raise InputError(
            f"--from {request.pattern.source} has {counted(len(names), 'grid')}", "lower --count"
        )
    return names


def default_seconds(height: int, width: int) -> float:
    """Return the default limit of processor time for a grid."""
    return _SECONDS_A_GRID * max(1.0, height * width / _USUAL_AREA)


def _make(
    request: Request, demands: Demands, names: list[str] | None, vocabulary: Vocabulary | None
) -> tuple[GridResult, list[str]]:
    """Make the grids; when it is proved that there are none, find changes that would help."""
    from satcross.make.pattern.fillable import fill_patterns, make_grids
    from satcross.make.pattern.report import find_advice
    from satcross.run_settings import RunSettings

    limit = request.time_limit or request.number * default_seconds(demands.height, demands.width)
    number, min_score = request.number, request.words.min_score
    with request.report.progress() as progress:
        settings = RunSettings(limit, request.seed, on_progress=progress.show)
        if names is not None:
            patterns = map(library.standard_grid, names)
            return fill_patterns(
                patterns, vocabulary, settings, number=number, min_score=min_score
            ), []
        result = make_grids(demands, vocabulary, settings, number=number, min_score=min_score)
        return result, find_advice(demands, result, progress.show)


def _list_standard(report: Report) -> int:
    """Print the names of the standard grids with their words and blocks."""
    rows = []
    for name, fill in library.standard_fills().items():
        _, size, words = name.rstrip("abcdefghijklmnopqrstuvwxyz").split("-")
        rows.append((name, f"{size}x{size}", words, str("".join(fill).count("#"))))
    report.show(
        lambda: [row[0] for row in rows],
        lambda: print_table(("name", "size", "words", "blocks"), rows),
    )
    return FILLED


def _read_entries(
    values: tuple[str, ...], vocabulary: Vocabulary | None
) -> dict[str, tuple[str, Cell] | None]:
    """Read ``WORD`` or ``WORD@r3c1`` or ``WORD@r3c1-down``: each word, and its place if it has one.

    A place is a direction and the first cell. Raises InputError.
    """
    entries: dict[str, tuple[str, Cell] | None] = {}
    for value in values:
        text, _, place = value.partition("@")
        word = letters_of(text, fold=True) if vocabulary is None else read_word(text, vocabulary)
        if len(word) < 2 or not word.isalpha():
            raise InputError(f"--entry {value!r} is not a word", "give letters only, two or more")
        if word in entries:
            raise InputError(f"--entry {word} is given twice", "drop one of the two")
        entries[word] = _read_place(value, place) if "@" in value else None
    return entries


def _read_place(value: str, text: str) -> tuple[str, Cell]:
    place, _, direction = text.strip().lower().partition("-")
    cell = read_cell(place)
    if cell is None or direction not in ("", ACROSS, DOWN):
        raise InputError(
            f"--entry {value}: bad place {text!r}",
            "write WORD@r3c1 or WORD@r3c1-down; rows and columns count from 1",
        )
    return direction or ACROSS, cell


def _check_place(word: str, place: tuple[str, Cell], height: int, width: int) -> None:
    direction, (row, column) = place
    down, right = (0, 1) if direction == ACROSS else (1, 0)
    last = row + down * (len(word) - 1), column + right * (len(word) - 1)
    if last[0] >= height or last[1] >= width:
        raise InputError(
            f"--entry {word} would end at {cell_name(last)}, outside the grid",
            "rows and columns count from 1",
        )


def _check_entry(word: str, shortest: int, longest: int) -> None:
    if len(word) > longest:
        raise InputError(
            f"--entry {word} has {len(word)} letters, too many for this grid",
            "choose a larger --size, or a greater --longest where it is set",
        )
    if len(word) < shortest:
        raise InputError(
            f"--entry {word} is shorter than --shortest {shortest}", "lower --shortest"
        )


def _note_made(request: Request, result: GridResult, demands: Demands) -> None:
    from satcross.make.pattern.report import summary

    made, report = len(result.grids), request.report
    for position, grid in enumerate(result.grids, 1):
        which = f"grid {position}: " if request.number > 1 else ""
        report.note(f"{which}{summary(grid)}")
        if grid.loosened:
            report.note(
                f"{which}no grid was found until this was allowed: {'; '.join(grid.loosened)}"
            )
        if poor := _flaws(demands, grid):
            remedies = ", ".join(filter(None, poor.values()))
            report.note(
                f"{which}an editor may object: {'; '.join(poor)}. "
                f"{remedies + ' or a' if remedies else 'A'}nother --seed may give a better grid"
            )
    if made < request.number and result.complete:
        report.note(f"it is proved that there are only {made} such grids")
    elif made < request.number:
        report.note(f"{made} of {request.number} grids made ({result.reason})")


_LONG = 9
"""Letters from which a word across may be taken for an entry of the theme."""


def _flaws(demands: Demands, made: MadeGrid) -> dict[str, str]:
    """Return what looks poor in a grid and was not asked for, each with an option that helps."""
    from satcross.grid.lint import looks
    from satcross.solving.quality import WEAK_BELOW

    found = {}
    for warning in looks(made.grid, demands.style):
        if warning.kind in ("mass", "wall") or (
            warning.kind == "blocks" and demands.max_blocks is None
        ):
            found[warning.text] = ""
    if made.outcome and made.outcome.fill and demands.entries:
        shortest = max(_LONG, min(map(len, demands.entries)))
        across = {slot.name for slot in made.grid.slots if slot.direction == "across"}
        if rivals := sorted(
            word
            for name, word in made.outcome.fill.items()
            if name in across and name not in made.locks and len(word) >= shortest
        ):
            found[f"as long as an entry of the theme: {', '.join(rivals)}"] = ""
    quality = made.outcome and made.outcome.quality
    if quality and quality.weak:
        weak = counted(len(quality.weak), "word")
        found[f"{weak} below {WEAK_BELOW}"] = f"--min-score {WEAK_BELOW}"
    return found
