"""The support encoding for a vocabulary that is handed over batch by batch.

Writing out every word of a large list costs far more than solving. So a slot may stay *open*: its
clauses carry an extension variable, "a word that the slot has not been given", which is assumed to
be false. When the solver finds no model, its core of assumptions (N. Eén and N. Sörensson, "An
extensible SAT-solver", SAT 2003) names the slots that need more words. Clauses are only ever
added, so that everything the solver has learned stays valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from encoders.cardinality import Clause
from encoders.cnf import (
    letter_implies_word,
    one_letter,
    slot_word_choice,
    uniqueness,
    word_implies_letter,
)
from encoders.encoding import Encoding
from encoders.instance import Cell, checked_cells


class LazyEncoding(Encoding):
    """The support encoding of slots that are given their words in batches.

    Give every checked cell its letters (``add_letters``), then slots their words (``add_words``),
    and solve under ``assumptions``. ``demanded`` are the words of an ``AtLeast`` rule.
    """

    def __init__(self, slots: Sequence[Sequence[Cell]], demanded: Iterable[str] = ()) -> None:
        super().__init__(slots)
        cells = checked_cells(self.slots)
        self._checked = [
            [position for position, cell in enumerate(own) if cell in cells] for own in self.slots
        ]
        self._demanded = frozenset(demanded)
        self._extension: list[int] = [0] * len(self.slots)

    @property
    def assumptions(self) -> list[int]:
        """Literals that hold when no slot needs a word that it has not been given."""
        return [-variable for variable in self._extension if variable]

    def slot_of(self, assumption: int) -> int:
        """Return the slot that one of the ``assumptions`` stands for."""
        return self._extension.index(-assumption)

    def add_letters(self, cell: Cell, letters: Iterable[str]) -> list[Clause]:
        """Return the clauses for the letters of a checked cell: once per cell, before any word."""
        return one_letter(self.new_letters(cell, letters))

    def add_words(self, slot: int, words: Sequence[str], *, last: bool = True) -> list[Clause]:
        """Return the clauses for more words of a slot; ``last`` when no others follow.

        The letters of every word at checked cells must be among the letters of these cells.
        """
        new = self.new_words(slot, words)
        known = self.words[slot]
        previous = self._extension[slot]
        extension = 0 if last else self.variables.allocate("extension", slot, ["more"])[0]
        self._extension[slot] = extension
        more = [] if last else [extension]
        clauses: list[Clause] = []
        if previous:
            clauses.append([-previous, *new.values(), *more])
        clauses += _extended(slot_word_choice(known), more)
        for position in self._checked[slot]:
            letters = self.letters[self.slots[slot][position]]
            clauses += word_implies_letter(new, position, letters)
            clauses += _extended(letter_implies_word(known, position, letters), more)
        if self._demanded and len(self._checked[slot]) < len(self.slots[slot]):
            from encoders.word_rules import demanded_words_alone

            clauses += demanded_words_alone(self._demanded, known, self._checked[slot], words)
        return clauses

    def unique(self, word: str) -> list[Clause]:
        """Return the clauses by which at most one slot takes this word, of those that have it."""
        users = ({word: words[word]} for words in self.words if word in words)
        return list(uniqueness(users, self.at_most_one))


def _extended(clauses: list[Clause], more: list[int]) -> list[Clause]:
    for clause in clauses:
        clause += more
    return clauses
