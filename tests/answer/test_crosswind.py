"""The method ``crosswind``: pruning by violated crossings, and the best partial selection."""

from __future__ import annotations

from satcross.answer.choosing.crosswind import prune
from satcross.answer.choosing.methods import answer
from satcross.answer.choosing.problem import build_problem
from satcross.answer.clue import Candidate, Proposal, crossword_clues
from satcross.crossword import Crossword
from satcross.grid import Grid
from satcross.vocabulary import Vocabulary

GRID = Grid.from_rows(["___", "_#_", "___"])  # 1A and 3A across, 1D and 2D down


def test_a_word_goes_when_two_crossings_have_nothing_for_it() -> None:
    choices = [
        [("CAT", 3.0), ("CAB", 2.0), ("XYZ", 1.0)],  # 1A
        [("CUB", 1.0)],  # 1D
        [("TOD", 1.0)],  # 2D
        [("BED", 1.0)],  # 3A
    ]
    kept = prune(GRID.slots, choices)
    # CAB has one crossing too few, which is allowed; XYZ has two.
    words = [[word for word, _ in one] for one in kept]
    assert words == [["CAT", "CAB"], ["CUB"], ["TOD"], ["BED"]]
    # A slot without words objects to nothing.
    assert prune(GRID.slots, [[("CAT", 1.0)], [], [], []])[0] == [("CAT", 1.0)]


def test_the_best_selection_may_leave_a_slot_open() -> None:
    # TAR fits 2D, but only without BED, which has more points.
    lists = {"1A": ["CAT"], "1D": ["CUB"], "2D": ["POP", "TAR"], "3A": ["BED"]}
    candidates = {
        name: [
            Candidate(word, -1.0 - place, (Proposal(word, -1.0 - place, "one"),))
            for place, word in enumerate(words)
        ]
        for name, words in lists.items()
    }
    problem = build_problem(
        GRID, crossword_clues(Crossword.of(GRID)), candidates, Vocabulary(["CAT"])
    )
    found = answer(problem, "crosswind")
    assert found.words == ("CAT", "CUB", "", "BED")
    assert found.letters[1] == ("U", None, None)  # no word covers the open cell
    assert (found.cost, found.optimal) == (None, None)
