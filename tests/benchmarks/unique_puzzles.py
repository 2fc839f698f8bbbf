"""Make codewords and fill-ins by seeds, and prove by several engines that each has one solution.

    python tests/benchmarks/unique_puzzles.py [--number 200] [--first-seed 0]

Of every seed a codeword and a fill-in of the default list are made, in sizes and kinds that take
turns. Each is asked again of SAT and of CP-SAT, and of a third engine: a plain backtracking search
for codewords (below, from the definition alone), ``count`` by the backend ``backtrack`` for
fill-ins. Then a second solution is planted, which both engines must find: words are added to the
list that make another reading, or a placed word is taken away. Prints processor seconds by size;
ends with 1 if anything is wrong.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from statistics import median
from string import ascii_uppercase
from typing import Any, TypeVar

from patterns import lattice, newspaper

from satcross import Crossword, Grid, Puzzle, Vocabulary, count, solve
from satcross.make.puzzles.codeword import Codeword, codeword_question, make_codeword
from satcross.make.puzzles.fill_in import FillIn, fill_in_question, make_fill_in
from satcross.make.puzzles.printed import printed_letters
from satcross.make.puzzles.question import Question
from satcross.run_settings import NEVER

SIZES = (5, 7, 9, 11, 13, 15)
LEVELS = (None, "easy", "medium", "hard")
FILL_INS: tuple[dict[str, Any], ...] = ({}, {"numbers": True}, {}, {"diagramless": True})

T = TypeVar("T")


def filled(size: int, seed: int, vocabulary: Vocabulary) -> Crossword:
    """A filled grid: a lattice, or in two of five cases a newspaper-like grid or an open 4x4."""
    random = Random(seed)
    while True:
        rows = lattice(size, random.choice((5, 7, 9, 15)))
        if seed % 5 < 2:
            slots, draw = round(0.3 * size * size), random.getrandbits(20)
            rows = newspaper(size, slots, size, draw) if size > 9 else ["____"] * 4
        grid = Grid.from_rows(rows)
        outcome = solve(
            Puzzle(grid, vocabulary),
            seed=random.getrandbits(30),
            workers=1,
            quality="any",
            time_limit=20,
        )
        if outcome.fill is not None:
            return Crossword.of(grid, outcome.fill)


def timed(action: Callable[[], T]) -> tuple[T, float]:
    started = time.process_time()
    return action(), time.process_time() - started


def plain_other(question: Question) -> bool:
    """Whether a codeword can be read differently: slot by slot, the one with fewest words first."""
    tables = [frozenset(words) for words in question.tables]

    def search(known: dict[tuple[int, int], str], differs: bool) -> bool:
        best: tuple[int, list[str]] | None = None
        for slot, cells in enumerate(question.slots):
            held = [known.get(cell) for cell in cells]
            if None not in held:
                if "".join(filter(None, held)) not in tables[slot]:
                    return False
                continue
            used = set(known.values())
            words = [
                word
                for word in tables[slot]
                if all(a == b if b else a not in used for a, b in zip(word, held, strict=True))
            ]
            if best is None or len(words) < len(best[1]):
                best = slot, words
        if best is None:
            return differs
        slot, words = best
        return any(
            search(
                known | dict(zip(question.slots[slot], word, strict=True)),
                differs or word != question.answer[slot],
            )
            for word in words
        )

    return search({}, False)


def has_other(question: Question, engine: str) -> bool:
    return question.another(engine, NEVER) is not None


def codeword_problems(made: Codeword, vocabulary: Vocabulary, seed: int) -> Iterator[str]:
    given = {(0, made.numbers[letter]): letter for letter in made.given}
    question = made.question(lambda: vocabulary)
    for engine in ("sat", "cpsat"):
        if has_other(question, engine):
            yield f"{engine} finds another reading"
    if plain_other(question):
        yield "backtracking finds another reading"
    random = Random(seed)
    spare = sorted(set(ascii_uppercase) - set(made.numbers))
    free = [letter for letter in made.numbers if letter not in made.given]
    if not spare or not free:
        return
    letter = random.choice(free)
    planted = [word.replace(letter, spare[0]) for word in made.crossword.words.values()]
    more = Vocabulary(
        [*planted, *(word for word in vocabulary if len(word) in set(map(len, planted)))]
    )
    question = codeword_question(made.crossword, made.numbers, more).given(given)
    for engine in ("sat", "cpsat"):
        if not has_other(question, engine):
            yield f"{engine} does not find the planted reading"
    near = question.another("cpsat", NEVER, nearest=True)
    size = sum(row.count(letter) for row in made.crossword.solution)
    if near is None or sum(question.sizes[cell] for cell in question.differences(near)) > size:
        yield "the nearest reading is too far away"


def fill_in_problems(made: FillIn, seed: int) -> Iterator[str]:
    grid = made.crossword.grid
    question = fill_in_question(made.crossword)
    asked = question.given(printed_letters(grid))
    for engine in ("sat", "cpsat"):
        if has_other(asked, engine):
            yield f"{engine} finds another arrangement"
    words = Vocabulary(made.crossword.words.values())
    if count(Puzzle(grid, words), "backtrack", enough=2).count != 1:
        yield "the count of backtrack is not 1"
    if made.placed:
        kept = set(made.placed) - {Random(seed).choice(made.placed)}
        cells = {cell for slot in grid.slots if slot.name in kept for cell in slot.cells}
        fewer = question.given(
            {cell: own for cell, own in printed_letters(grid).items() if cell in cells}
        )
        for engine in ("sat", "cpsat"):
            if not has_other(fewer, engine):
                yield f"{engine} does not find the arrangement without a placed word"


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=0)
    chosen = parser.parse_args()
    vocabulary = Vocabulary.read()
    seconds: dict[tuple[str, int], list[float]] = defaultdict(list)
    given: dict[tuple[str, int], list[int]] = defaultdict(list)
    problems: list[str] = []
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.number):
        size = SIZES[seed % len(SIZES)]
        crossword = filled(size, seed, vocabulary)
        size = crossword.grid.height
        level = LEVELS[seed // len(SIZES) % len(LEVELS)]
        codeword, used = timed(
            partial(make_codeword, crossword, vocabulary, seed=seed, level=level)
        )
        seconds[f"codeword {level or 'fewest'}", size].append(used)
        given[f"codeword {level or 'fewest'}", size].append(len(codeword.given))
        problems += [
            f"codeword {seed}: {text}" for text in codeword_problems(codeword, vocabulary, seed)
        ]
        kind = {} if size == 4 else FILL_INS[seed // len(SIZES) % len(FILL_INS)]
        fill_in, used = timed(partial(make_fill_in, crossword, seed=seed, **kind))
        seconds[f"fill-in {' '.join(kind)}", size].append(used)
        given[f"fill-in {' '.join(kind)}", size].append(len(fill_in.placed))
        problems += [f"fill-in {seed}: {text}" for text in fill_in_problems(fill_in, seed)]
    print(f"{'kind':22} {'size':>4} {'number':>6} {'median s':>8} {'max s':>7} {'given':>9}")
    for (kind_name, size), own in sorted(seconds.items()):
        spread = given[kind_name, size]
        print(
            f"{kind_name:22} {size:4} {len(own):6} {median(own):8.2f} {max(own):7.2f} "
            f"{min(spread)} to {max(spread)}"
        )
    print(f"{chosen.number} codewords, {chosen.number} fill-ins")
    print("\n".join(problems) or "no problem found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
