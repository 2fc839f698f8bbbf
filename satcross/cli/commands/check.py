"""``satcross check``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from satcross.cli import FILLED, WRONG
from satcross.cli.check_proof import ProofFlags, check_proof
from satcross.cli.check_structure import check_structure, kind_option
from satcross.cli.limited import limited
from satcross.cli.options import argument, make_command, option, options
from satcross.cli.output import Report, check_standard_input
from satcross.cli.read_puzzle import PuzzleFlags, PuzzleInput
from satcross.formats.json import is_puzzle
from satcross.formats.readers import READERS
from satcross.run_settings import Deadline
from satcross.support.hooks import call
from satcross.vocabulary import Vocabulary

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
    kind: str = kind_option("Structure alone")
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
        return _check_structure(request, request.files[0])
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


def _check_structure(request: Request, structure: str) -> int:
    flags, unset = request.flags, PuzzleFlags()
    min_score = {"min_score": flags.rules["min_score"]}
    if flags.rules != {**unset.rules, **min_score}:
        raise click.UsageError(
            "of a STRUCTURE alone only --words, --letters, --min-score and --kind matter; "
            "give FILL, too."
        )
    check_structure(PuzzleInput(structure, None, flags), request.kind, request.report)
    return FILLED


def _check_fill(given: PuzzleInput, fill: str, request: Request) -> int:
    from satcross.cli.check_quality import check_quality
    from satcross.formats.fills import read_fills, with_rebus
    from satcross.verify import verify_rows

    report = request.report
    check_standard_input([*given.files, fill])
    puzzle = given.read(quiet=report.quiet)
    fills = read_fills(fill)
    puzzles = [replace(puzzle, grid=with_rebus(puzzle.grid, found.rows)) for found in fills]
    pairs = list(zip(puzzles, fills, strict=True))
    problems = [verify_rows(spelled, found.rows, found.words) for spelled, found in pairs]
    judged = pairs if request.quality else []
    qualities = [check_quality(spelled, found.rows, found.crossword) for spelled, found in judged]
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
