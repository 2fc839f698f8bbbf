"""Arc consistency."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Vocabulary
from satcross.network import arc_consistency
from satcross.network.arc_consistency import arc_consistent


def textbook_arc_consistency(small: SmallPuzzle) -> list[set[str]]:
    """The fixpoint by definition: drop words without a partner until nothing changes."""
    puzzle = small.puzzle
    domains = []
    for slot in puzzle.grid.slots:
        words = [small.fixed[slot.name]] if slot.name in small.fixed else small.words_of(slot)
        given = [puzzle.grid.given(cell) for cell in slot.cells]
        domains.append(
            {
                word
                for word in words
                if len(word) == slot.length
                and all(a in (None, b) for a, b in zip(given, word, strict=True))
            }
        )
    changed = True
    while changed:
        changed = False
        for a, first in enumerate(puzzle.grid.slots):
            for b, second in enumerate(puzzle.grid.slots):
                if a == b:
                    continue
                for cell in set(first.cells) & set(second.cells):
                    i, j = first.cells.index(cell), second.cells.index(cell)
                    kept = {u for u in domains[a] if any(u[i] == v[j] for v in domains[b])}
                    changed |= kept != domains[a]
                    domains[a] = kept
                same = first.length == second.length and not puzzle.allow_repeats
                if same and len(domains[b]) == 1 and domains[a] & domains[b]:
                    domains[a] = domains[a] - domains[b]
                    changed = True
    return domains


@given(small_puzzles())
def test_reaches_the_textbook_fixpoint(small: SmallPuzzle) -> None:
    expected = textbook_arc_consistency(small)
    candidates = arc_consistent(small.puzzle)
    if candidates.wiped_out and small.plain:
        assert not all(expected)
    if candidates.infeasible:
        return
    found = [set(candidates.words(slot)) for slot in range(len(expected))]
    if not small.plain:  # slots with one candidate also remove it from other slots
        assert all(one <= other for one, other in zip(found, expected, strict=True))
        return
    assert [set(candidates.words(slot)) for slot in range(len(expected))] == expected
    assert len(candidates) == sum(map(len, expected))
    known = candidates.network.letters(candidates.root)
    for slot, words in zip(small.puzzle.grid.slots, expected, strict=True):
        for cell, letters in zip(slot.cells, map(set, zip(*words, strict=True)), strict=True):
            assert cell not in known or letters == {known[cell]}
            assert cell in known or len(words) > 1


def test_the_theme_word_with_the_fewest_places_is_open() -> None:
    grid = Grid.from_rows(["___", "####", "____", "####", "___"])
    words = Vocabulary(["CAT", "DOG", "EMU", "LONG", "PALE"])

    def places(required: int, **locks: str) -> list[int]:
        theme = frozenset({"CAT", "LONG"})
        puzzle = Puzzle(grid, words, locks, theme=theme, min_theme_words=required)
        candidates = arc_consistent(puzzle)
        return [slot for slot, _ in candidates.network.open_places(candidates.root.domains)]

    assert places(2) == [1]
    assert places(2, **{"2A": "LONG"}) == [0, 2]
    assert places(1, **{"2A": "LONG"}) == []


def test_words_come_best_first() -> None:
    puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary({"CAT": 1, "DOG": 3, "EMU": 2}))
    assert arc_consistent(puzzle).words(0) == ["DOG", "EMU", "CAT"]


def test_a_large_slot_loses_taken_words_once_it_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arc_consistency, "MANY_PEERS", 0)
    monkeypatch.setattr(arc_consistency, "MAX_EAGER_SIZE", 2)
    grid = Grid.from_rows(["___", "###", "___", "_##"])
    words = Vocabulary(["CAT", "COT", "DOG", "EMU", "FOX", "CX"])
    candidates = arc_consistent(Puzzle(grid, words, {"1A": "CAT"}))
    assert [candidates.words(slot) for slot in range(3)] == [["CAT"], ["COT"], ["CX"]]
