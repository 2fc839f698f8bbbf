"""Answers that have more letters than their slots have cells."""

from __future__ import annotations

from satcross.answer.choosing.problem import FROM_REBUS
from satcross.answer.clue import Candidate, Clue, Proposal
from satcross.answer.gather import Gathered
from satcross.answer.session import AnswerSettings, choose_words, measure_accuracy
from satcross.crossword import Crossword
from satcross.grid import Grid
from satcross.support.letters import spellings
from satcross.vocabulary import Vocabulary

LONGER = {"4A": "DXYF", "2D": "BXYH", "1A": "ABCQ"}
VOCABULARY = Vocabulary(["ABC", "GHI", "ADG", "CFI", "DOF", "BEH"])


def test_a_cell_has_several_letters_where_both_clues_ask_for_a_longer_answer() -> None:
    grid = Grid.from_rows(["___", "___", "___"])
    official = Crossword(grid, (("A", "B", "C"), ("D", "XY", "F"), ("G", "H", "I")))
    clues = [Clue(slot.name, f"Clue of {slot.name}", 3) for slot in grid.slots]
    words = {"1A": "ABC", "5A": "GHI", "1D": "ADG", "3D": "CFI"}
    sure = {
        name: [Candidate(word, -0.1, (Proposal(word, -0.1, "wordnet"),))]
        for name, word in words.items()
    }

    def longer(clue: Clue, length: int) -> list[Proposal]:
        word = LONGER.get(clue.slot, "")
        return [Proposal(word, -0.1, "clues-db")] if len(word) == length else []

    settings = AnswerSettings(method="bp", longer=longer)
    found = choose_words(official, clues, Gathered(sure, (), {}), VOCABULARY, settings)
    accuracy = measure_accuracy(found, official)
    assert accuracy is not None
    assert accuracy.solved
    slots = [slot.name for slot in grid.slots]
    sources = [found.source(slots.index(name)) for name in ("4A", "2D", "1A")]
    assert sources == [FROM_REBUS, FROM_REBUS, "wordnet"]
    # A process has a limited number of packed letters: what can't stand in a cell takes none.
    assert {"AB", "BC", "CQ"}.isdisjoint(spellings().values())
    without = choose_words(
        official, clues, Gathered(sure, (), {}), VOCABULARY, AnswerSettings(method="bp")
    )
    wrong = measure_accuracy(without, official)
    assert wrong is not None
    assert not wrong.cells[1, 1]
