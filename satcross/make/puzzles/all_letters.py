"""Fill a grid so that every letter of the alphabet stands in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from satcross.errors import InputError
from satcross.grid import Cell
from satcross.make.puzzles.codeword import alphabet_of
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import RunSettings
from satcross.solving import solve

_TRIES = 200
"""Words that are tried for a missing letter; the first crossings refute nearly all at once."""

_BEGINNINGS = 5
"""How often the words that stay are given up."""

_PATIENCE = 3.0
"""Seconds that an attempt may take, beyond twice those of the first fill."""


def fill_with_all_letters(puzzle: Puzzle, settings: RunSettings) -> Outcome | None:
    """Return a fill that has each letter of the vocabulary; the outcome of ``solve`` without one.

    The rarest letter that a fill lacks gets a word that stays, and the rest is filled anew, until
    no letter is missing. None when no word that was tried for a letter left a fill, several times.
    Raises InputError for a grid with fewer cells than letters.
    """
    alphabet = alphabet_of(puzzle.vocabulary)
    cells = {cell for slot in puzzle.grid.slots for cell in slot.cells}
    if len(cells) < len(alphabet):
        raise InputError(
            f"the grid has {len(cells)} cells for {len(alphabet)} letters", "take a larger grid"
        )
    frequency = Counter(letter for word in puzzle.vocabulary for letter in set(word))
    random, deadline = Random(settings.seed), settings.deadline()
    outcome = solve(puzzle, settings=settings)
    first, beginnings = (puzzle, outcome), 1
    patience = _PATIENCE + 2 * sum(outcome.seconds.values())
    while outcome.fill is not None:
        present = {letter for word in outcome.fill.values() for letter in word}
        missing = sorted(alphabet - present, key=lambda letter: (frequency[letter], letter))
        if not missing:
            return outcome
        settings.on_progress(f"{len(missing)} letters are missing")
        for name, word in _locks(puzzle, missing, random):
            locked = replace(puzzle, locks={**puzzle.locks, name: word})
            found = solve(
                locked, settings=settings, time_limit=min(patience, deadline.left), quality="any"
            )
            if found.fill is not None:
                puzzle, outcome = locked, found
                break
            if deadline.passed:
                return found
        else:
            if beginnings == _BEGINNINGS:
                return None
            beginnings += 1
            puzzle, outcome = first
    return outcome


def _locks(puzzle: Puzzle, missing: list[str], random: Random) -> Iterator[tuple[str, str]]:
    """Yield slots and words with the rarest missing letter that keep the letters fixed so far."""
    fixed: Mapping[Cell, str] = puzzle.fixed_letters
    used = set(puzzle.fixed_words.values())
    pairs = []
    for slot in puzzle.grid.slots:
        if puzzle.grid.slot_named(slot.name) in puzzle.fixed_words:
            continue
        held = [(n, fixed[cell]) for n, cell in enumerate(slot.cells) if cell in fixed]
        words = [
            word
            for word in puzzle.listed(slot.length).words
            if missing[0] in word and word not in used and all(word[n] == own for n, own in held)
        ]
        best = sorted(words, key=lambda word: -puzzle.vocabulary.score(word))[:_TRIES]
        pairs += [(slot.name, word) for word in best]
    random.shuffle(pairs)
    pairs.sort(key=lambda pair: -len(set(pair[1]).intersection(missing)))
    yield from pairs[:_TRIES]
