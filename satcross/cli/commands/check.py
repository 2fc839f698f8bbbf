"""``satcross check``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, WRONG
from satcross.cli.limited import limited
from satcross.cli.options import argument, make_command, option, options
from satcross.cli.output import Report, check_standard_input, print_line
from satcross.cli.proofs import ProofFlags, check_proof
from satcross.cli.read_puzzle import FlagReader, PuzzleFlags, PuzzleInput, read_structure
from satcross.cli.tables import print_table
from satcross.crossword import Crossword
from satcross.formats.json import is_puzzle, quality_to_data
from satcross.formats.packed import default_list, tiers_of
from satcross.formats.readers import READERS
from satcross.outcome import FillQuality
from satcross.puzzle import Puzzle
from satcross.rules.single_words import MinScores
from satcross.run_settings import Deadline
from satcross.support.hooks import call
from satcross.support.wording import counted
from satcross.verify import MISSING, verify_rows
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from satcross.grid.lint import GridStatistics

_EXAMPLES = """
satcross solve grid.txt words.txt --json > fill.json
satcross check grid.txt words.txt fill.json
satcross check grid.txt fill.txt               (the default word list)
satcross check grid.txt -w words.txt --kind british           (the structure alone)
satcross solve grid.txt words.txt --proof grid.drat
satcross check grid.txt words.txt --proof grid.cnf grid.drat
"""
_FILES = (
    "As for satcross solve; FILL is a printed grid, as satcross or a CS50 program prints it, or a "
    f"crossword whose solution is checked ({', '.join(READERS)}; .json also as solve --json prints "
    "it)."
)


_MOST_SLOTS = 6


@dataclass(frozen=True, slots=True)
class Request:
    files: tuple[str, ...] = argument("[STRUCTURE [WORDS] [FILL]]", _FILES, nargs=-1)
    flags: PuzzleFlags = options(PuzzleFlags)
    quality: bool = option(
        "--quality",
        "Say also what an editor would object to in the fill: words of low score or a tier, forms "
        "of one word, long substrings in common, plain plurals; and in the clues of a published "
        "crossword: missing and equal ones, wrong references and enumerations, answers in their "
        "clues. The exit code stays the same. A filled crossword needs no other file.",
        heading="Fill",
    )
    kind: str = option(
        "--kind",
        "Whose customs the structure is measured by.",
        heading="Structure alone",
        choices=("american", "british", "barred"),
        default="american",
    )
    formula_and_proof: tuple[str, str] | None = option(
        "--proof FORMULA PROOF",
        "Check that PROOF (DRAT) refutes FORMULA (DIMACS CNF); with STRUCTURE, also that FORMULA "
        "is the formula of this puzzle, which then has no fill.",
        heading="Proof",
        nargs=2,
    )
    proof: ProofFlags = options(ProofFlags, "Proof")
    report: Report = options(
        Report, quiet="Print no notes, and nothing about a fill or proof: the exit code tells."
    )


@make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Check a fill, a proof that there is none, a structure, or a codeword, fill-in or arrowword.

    No solver is involved, but for puzzles.

    STRUCTURE [WORDS] FILL: check the fill against the structure, the words and the rules, and list
    everything that is wrong with it, one line each. The rules are those of `satcross solve`.

    STRUCTURE alone: list what is unusual about the structure, or makes it hard to fill from the
    list: symmetry, two-letter words, unchecked cells, separate parts, the numbers of words and
    blocks, squares of blocks, and how many words of each length the list has.

    PUZZLE.json [WORDS]: say whether a puzzle of `satcross puzzle` has exactly one solution; if not,
    print two that differ in as few cells as possible.

    [STRUCTURE [WORDS]] --proof FORMULA PROOF: check the proof by unit propagation alone.

    Exit code 0: right, valid, one solution, or a structure was looked at. 20: something is wrong
    with the fill, the proof is rejected, or a puzzle has two solutions. 30: --time-limit reached.
    2: bad input.
    """
    if request.formula_and_proof is not None:
        return _check_proof(request, *request.formula_and_proof)  # which looks at the limit itself
    with limited(request.proof.time_limit) as deadline:
        return _check(request, deadline)


def _check(request: Request, deadline: Deadline) -> int:
    if len(request.files) in (1, 2) and is_puzzle(request.files[0]):
        return _check_puzzle(request, deadline, *request.files)
    if len(request.files) == 1 and request.quality:  # the file has the grid and the letters
        (path,) = request.files
        if Path(path).suffix.lower() not in READERS:
            raise click.UsageError("--quality needs FILL.")
        return _check_fill(PuzzleInput(path, None, request.flags), path, request)
    if len(request.files) == 1:
        alone = PuzzleInput(request.files[0], None, request.flags)
        _check_structure(alone, request.kind, request.report)
        return FILLED
    if not 2 <= len(request.files) <= 3:
        raise click.UsageError("give STRUCTURE, perhaps WORDS, and FILL.")
    structure, *words, fill = request.files
    puzzle = PuzzleInput(structure, words[0] if words else None, request.flags)
    return _check_fill(puzzle, fill, request)


def _check_puzzle(request: Request, deadline: Deadline, path: str, *words: str) -> int:
    flags = request.flags

    def read_vocabulary() -> Vocabulary:
        lists = [*words, *flags.more_words]
        return flags.lists.read(lists, quiet=request.report.quiet).vocabulary

    data, lines = call("check_puzzle", path, read_vocabulary, deadline)
    request.report.show(lambda: data, lambda: lines, unless_quiet=True)
    return FILLED if data["unique"] else WRONG


def _check_proof(request: Request, formula: str, proof: str) -> int:
    if len(request.files) > 2:
        raise click.UsageError("--proof needs STRUCTURE and WORDS, without FILL.")
    structure, words = (*request.files, None, None)[:2]
    if structure is None and request.flags != PuzzleFlags():
        raise click.UsageError("the puzzle's options need STRUCTURE.")
    puzzle = None if structure is None else PuzzleInput(structure, words, request.flags)
    return check_proof(formula, proof, puzzle, request.proof, request.report)


def _check_fill(given: PuzzleInput, fill: str, request: Request) -> int:
    from satcross.formats.fills import read_fills, with_rebus

    report = request.report
    check_standard_input([*given.files, fill])
    puzzle = given.read(quiet=report.quiet)
    fills = read_fills(fill)
    puzzles = [replace(puzzle, grid=with_rebus(puzzle.grid, found.rows)) for found in fills]
    pairs = list(zip(puzzles, fills, strict=True))
    problems = [verify_rows(spelled, found.rows, found.words) for spelled, found in pairs]
    judged = pairs if request.quality else []
    qualities = [_judge(spelled, found.rows, found.crossword) for spelled, found in judged]
    right = not any(problems)
    data: dict[str, object] = {"right": right, "problems": problems[0]}
    if len(problems) > 1:
        data = {"right": right, "fills": [{"problems": found} for found in problems]}
    if qualities:
        found = [quality and quality[0] for quality in qualities]
        data["quality"] = found if len(found) > 1 else found[0]
    more = [line for quality in qualities if quality for line in quality[1]]
    report.show(lambda: data, lambda: [*_lines(problems), *more], unless_quiet=True)
    return FILLED if right else WRONG


def _lines(problems: Sequence[list[str]]) -> list[str]:
    several = len(problems) > 1
    lines = [
        (f"fill {number}: " if several else "") + problem
        for number, found in enumerate(problems, 1)
        for problem in found
    ]
    return lines or [f"All {len(problems)} fills are right." if several else "Right."]


def _judge(
    puzzle: Puzzle, rows: Sequence[Sequence[str]], crossword: Crossword | None = None
) -> tuple[dict[str, object], list[str]] | None:
    """Judge a filled grid, and the clues of the crossword if there is one.

    Returns JSON values, and lines of text, one for each kind of words; None for a grid of another
    shape, and when a letter is missing.
    """
    from satcross.solving.clue_faults import clue_faults
    from satcross.solving.quality import judge

    shape = [len(row) for row in puzzle.grid.rows]
    cells = [cell for slot in puzzle.grid.slots for cell in slot.places]
    if [len(row) for row in rows] != shape or any(rows[r][c] in f"#{MISSING}" for r, c in cells):
        return None
    rebus, vocabulary = dict(puzzle.grid.rebus), puzzle.vocabulary
    fill = {
        slot.name: "".join(rebus.get((r, c)) or rows[r][c] for r, c in slot.places)
        for slot in puzzle.grid.slots
    }
    words, known, quality = sorted({*fill.values()}), tiers_of(default_list()), judge(puzzle, fill)
    listed = [vocabulary.score(word) for word in words if word in vocabulary]
    mean = sum(listed) / max(1, len(listed))
    own = puzzle.exempt_words
    unlisted = [word for word in words if word not in vocabulary and word not in own]
    tiers = {word: known[word] for word in words if word in known}
    faults = [] if crossword is None else list(clue_faults(crossword))
    limited = {e.name: list(e.words) for e in quality.expectations if e.limit is not None}
    data = {**quality_to_data(quality), "mean": mean, "unlisted": unlisted, "limited": limited}
    data |= {"tiers": tiers, **({"clues": list(map(asdict, faults))} if faults else {})}
    lines = [f"scores: lowest {quality.lowest}, mean {mean:.1f}"]
    for title, found in _kinds(quality, unlisted, tiers):
        lines += [f"{title.format(len(found))}: {', '.join(found)}"] if found else []
    return data, lines + [f"clue of {fault.slot}: {fault.text}" for fault in faults]


def _kinds(
    quality: FillQuality, unlisted: Sequence[str], tiers: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what kind of words there are, with a place for their number, and the words."""
    yield "your own: {}", [f"{w} {'in no list' if n is None else n}" for w, n in quality.own]
    yield "in no list: {}", unlisted
    yield "below 50: {}", [f"{word} {score}" for word, score in quality.weak]
    for item in quality.expectations:
        more = " (more than the usual limit)" if item.limit is not None and item.excess else ""
        kind = item.kind if item.limit is None else f"{item.kind}s"
        yield f"{kind}: {{}}{more}", ["/".join(pair) for pair in item.pairs] or item.words
    yield "offensive: {}", [f"{word} ({tier})" for word, tier in tiers.items()]


def _check_structure(given: PuzzleInput, kind: str, report: Report) -> None:
    """Print facts about the structure and warnings, measured by the word lists."""
    from satcross.grid.lint import grid_statistics, lint
    from satcross.grid.styles import Style

    flags = given.flags
    if flags.rules != {**PuzzleFlags().rules, "min_score": flags.rules["min_score"]}:
        raise click.UsageError(
            "of a STRUCTURE alone only --words, --letters, --min-score and --kind matter; "
            "give FILL, too."
        )
    check_standard_input(given.files)
    scores = MinScores().parse_flags(flags.rules, FlagReader())
    min_score = scores["min_score"]
    if scores["min_scores"] or scores["slot_min_scores"]:
        raise click.UsageError("of a STRUCTURE alone --min-score takes one number.")
    letters = flags.letters or None
    grid = read_structure(given.structure, letters=letters, quiet=report.quiet).grid
    vocabulary = flags.lists.read(given.lists, quiet=report.quiet).vocabulary
    facts = grid_statistics(grid)
    warnings = lint(grid, vocabulary, Style(kind), min_score)
    lowest = float("-inf") if min_score is None else min_score
    coverage = {
        length: {"slots": slots, "words": sum(s >= lowest for s in vocabulary.group(length).scores)}
        for length, slots in facts.lengths.items()
    }

    def to_data() -> dict[str, object]:
        lengths = {str(length): row for length, row in coverage.items()}
        found = [asdict(warning) for warning in warnings]
        data = asdict(facts) if facts.bars else {**asdict(facts), "bars": None}
        known = {key: value for key, value in data.items() if value is not None}
        return {"style": kind, **known, "lengths": lengths, "warnings": found}

    def show() -> None:
        _print_facts(facts)
        rows = [(f"{n}", f"{row['slots']}", f"{row['words']:,}") for n, row in coverage.items()]
        print_table(("length", "slots", "words in the list"), rows, left=0)
        for line in [f"warning: {warning.text}" for warning in warnings] or ["No warnings."]:
            print_line(line)

    report.show(to_data, show)


def _print_facts(facts: GridStatistics) -> None:
    area = facts.open_cells + facts.blocks
    more = " ..." if len(facts.longest) > _MOST_SLOTS else ""
    longest = ", ".join(facts.longest[:_MOST_SLOTS]) + more
    rows, columns = facts.height, facts.width
    size = f"{rows}x{columns}" if rows == columns else f"{rows} rows of {columns} columns"
    print_line(
        f"{size}: {counted(facts.words, 'word')}, "
        f"{counted(facts.blocks, 'block')} "
        f"({100 * facts.blocks / area:.0f}% of the cells), "
        f"{counted(facts.bars, 'bar') + ', ' if facts.bars else ''}"
        f"{100 * facts.checked / max(1, facts.open_cells):.0f}% of the letters checked"
    )
    print_line(f"symmetry: {', '.join(facts.symmetries) or 'none'}")
    print_line(f"longest: {max(facts.lengths)} letters ({longest})")
