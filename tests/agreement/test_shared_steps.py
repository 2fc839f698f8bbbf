"""Faults planted where all backends share a step: what shares none of them finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from agreement.test_agreement import QUICK, RECORDS
from agreement.test_faults import (
    a_word_lost_in_arc_consistency,
    complaints,
    lose_a_word,
    theme_given_up,
)
from helpers import DATA

from satcross import InternalError, Puzzle
from satcross.backends.plain_clauses import plain_fills
from satcross.cs50 import Crossword
from satcross.formats import list_parser
from satcross.formats import words as words_format
from satcross.formats.files import read_text
from satcross.formats.json import puzzle_from_data
from satcross.formats.readers import read_structure
from satcross.formats.words import parse_words
from satcross.grid import Grid
from satcross.network import arc_consistency
from satcross.network.arc_consistency import Network, State
from satcross.rules import allowed_words
from satcross.run_settings import Deadline
from satcross.solving.count import cross_count
from satcross.solving.cross_check import cross_check
from satcross.verify import verify
from satcross.vocabulary import WordGroup

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("part", range(4))
def test_the_plain_clauses_agree_with_brute_force(part: int) -> None:
    for record in RECORDS[part::4]:
        puzzle = puzzle_from_data(record)
        fills = list(islice(plain_fills(puzzle, Deadline()), 60))
        assert len(fills) == min(60, record["fills"]), record["name"]
        assert all(fill is not None and not verify(puzzle, fill) for fill in fills)


def test_the_plain_clauses_keep_a_deadline() -> None:
    puzzle = puzzle_from_data(RECORDS[0])
    assert list(plain_fills(puzzle, Deadline.after(0))) == [None]


def _a_word_lost_in_compiling(patch: Patch) -> None:
    real = arc_consistency.compile_network

    def compiled(*given: Any) -> tuple[Network, State]:
        network, state = real(*given)
        if state.domains and state.sizes[0] > 0:
            lose_a_word(state)
        return network, state

    patch.setattr(arc_consistency, "compile_network", compiled)


def _a_word_lost_in_the_rules(patch: Patch) -> None:
    real = allowed_words

    def allowed(puzzle: Puzzle, lexicon: WordGroup, slot: str | None = None) -> int:
        bits = real(puzzle, lexicon, slot)
        return bits & (bits - 1)

    patch.setattr("satcross.network.arc_consistency.allowed_words", allowed)


def _exemptions_forgotten(patch: Patch) -> None:
    patch.setattr(Puzzle, "exempt_words", frozenset())


SHARED = (
    _a_word_lost_in_compiling,
    a_word_lost_in_arc_consistency,
    _a_word_lost_in_the_rules,
    theme_given_up,
)


@pytest.mark.parametrize("plant", SHARED)
@pytest.mark.parametrize("backends", [("sat", "backtrack"), ("sat", "cpsat", "backtrack")])
def test_a_fault_that_all_backends_share(
    plant: Callable[[Patch], None], backends: tuple[str, ...], monkeypatch: Patch
) -> None:
    plant(monkeypatch)
    caught = complaints(lambda puzzle: cross_check(puzzle, backends, workers=1))
    assert any("plain clauses: filled" in str(error) and error.report for error in caught)


@pytest.mark.parametrize("plant", [*SHARED, _exemptions_forgotten])
def test_a_fault_that_all_counts_share(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    caught = complaints(lambda puzzle: cross_count(puzzle, ("sat", "backtrack"), workers=1))
    assert any("plain clauses: " in str(error) and error.report for error in caught)


def test_right_counts_are_confirmed() -> None:
    for record in QUICK[::4]:
        counts = cross_count(puzzle_from_data(record), ("sat", "backtrack"), workers=1)
        assert {one.count for one in counts} == {record["fills"]}


def test_a_slot_lost_by_the_grid_is_seen(monkeypatch: Patch) -> None:
    """The checker and the plain clauses find slots by themselves."""
    real = Grid.__post_init__

    def lossy(self: Grid) -> None:
        real(self)
        object.__setattr__(self, "slots", self.slots[:1])
        object.__setattr__(self, "crossings", ())

    puzzles = (puzzle_from_data(record) for record in QUICK if record["fills"])
    puzzle = next(one for one in puzzles if len(one.grid.slots) > 3 and not one.locks)
    monkeypatch.setattr(Grid, "__post_init__", lossy)
    with pytest.raises(InternalError, match="wrong fill"):
        cross_check(replace(puzzle, grid=Grid(puzzle.grid.rows)), ["sat", "backtrack"], workers=1)


# Reading: two programs of ours that share no line


def readings(structure: Path, words: Path) -> tuple[object, object]:
    """The open cells, slots and words that the engine reads, and those of the CS50 classes."""
    grid = read_structure(str(structure), letters=False).grid
    vocabulary = parse_words([read_text(str(words))]).vocabulary
    other = Crossword(str(structure), str(words))
    return (
        (grid.structure, {(s.row, s.column, s.direction, s.length) for s in grid.slots},
         set(vocabulary)),
        (other.structure, {(v.i, v.j, v.direction, v.length) for v in other.variables},
         {word for word in other.words if len(word) > 1}),
    )  # fmt: skip


PAIRS = [(DATA / f"structure{n}.txt", DATA / f"words{n}.txt") for n in range(3)]


@pytest.mark.parametrize(("structure", "words"), PAIRS)
def test_two_readers_read_the_same(structure: Path, words: Path) -> None:
    engine, textbook = readings(structure, words)
    assert engine == textbook


def _a_word_lost_in_reading(patch: Patch) -> None:
    real = words_format.parse_simple

    def parse(text: str) -> tuple[list[str], list[int]] | None:
        found = real(text)
        return None if found is None else (found[0][1:], found[1][1:])

    patch.setattr(words_format, "parse_simple", parse)


def _normalising_forgotten(patch: Patch) -> None:
    patch.setattr(words_format, "parse_simple", lambda text: None)
    patch.setattr(list_parser, "normalise", lambda word, language="": word.strip())
    patch.setattr(list_parser, "letters_of", lambda entry, *, fold, language="": entry.strip())


def _a_row_lost_in_reading(patch: Patch) -> None:
    real = Grid.from_rows
    patch.setattr(
        Grid, "from_rows", lambda rows, letters=False: real(list(rows)[1:], letters=letters)
    )


@pytest.mark.parametrize(
    "plant", [_a_word_lost_in_reading, _normalising_forgotten, _a_row_lost_in_reading]
)
def test_a_fault_in_reading(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    assert all(engine != textbook for engine, textbook in (readings(*pair) for pair in PAIRS))
