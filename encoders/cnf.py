"""Clauses for "one word per slot, crossings agree, all different".

Variables: one per slot and candidate word, one per checked cell and letter. The *support*
encoding (Kasif 1990; Gent 2002, "Arc consistency in SAT") has, for every slot,

- at least one of its words;
- word -> its letter, at every checked cell;
- letter -> at least one word of the slot that has this letter there,

and, for every checked cell, at most one letter. Unit propagation on it does what arc consistency
does. At most one word a slot need not be said: words that agree on all the checked letters of a
slot fit equally well, and any of them may be read from a model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from encoders.instance import Cell, Instance, checked_cells
from encoders.variables import VariableMap

Clause = list[int]


class SupportEncoding:
    """The support encoding of slots whose vocabulary may be handed over bit by bit.

    ``add_words`` returns the clauses for some more words of a slot. While a slot is *open* (more
    words may follow), its clauses carry an extension literal that stands for "some word not yet
    here": assume ``assumptions`` to ask for a fill from the words so far. When that is
    unsatisfiable, the assumptions in the solver's core name the slots that must be given more.
    Clauses are only ever added, so that what a solver has learned stays valid.
    """

    def __init__(self, slots: Sequence[Sequence[Cell]]) -> None:
        self.slots = tuple(tuple(cells) for cells in slots)
        self.variables = VariableMap()
        self._checked = checked_cells(self.slots)
        self._letters: dict[Cell, dict[str, int]] = {}
        self._words: list[dict[str, int]] = [{} for _ in self.slots]
        self._extension: list[int] = [0] * len(self.slots)

    @property
    def assumptions(self) -> list[int]:
        """Literals that hold when no slot needs a word it has not been given."""
        return [-literal for literal in self._extension if literal]

    def slot_of(self, assumption: int) -> int:
        """The slot that one of the ``assumptions`` stands for."""
        return self._extension.index(-assumption)

    def words(self, slot: int) -> dict[str, int]:
        """The slot's words so far, with their variables."""
        return self._words[slot]

    def add_letters(self, cell: Cell, letters: Iterable[str]) -> list[Clause]:
        """Say which letters a checked cell may have (once a cell, before any word)."""
        labels = tuple(letters)
        literals = self.variables.letters(cell, labels)
        self._letters[cell] = dict(zip(labels, literals, strict=True))
        clauses = [[-a, -b] for a, b in combinations(literals, 2)]
        clauses.append(list(literals))
        return clauses

    def add_words(self, slot: int, words: Sequence[str], *, last: bool = True) -> list[Clause]:
        """Hand over more words of a slot; ``last`` when there are no others.

        Every letter of a word at a checked cell must be one of the cell's letters.
        """
        clauses: list[Clause] = []
        known = self._words[slot]
        new = self.variables.words(slot, words)
        previous = self._extension[slot]
        self._extension[slot] = extension = 0 if last else self.variables.extension(slot)
        tail = [] if last else [extension]
        if previous:
            clauses.append([-previous, *new, *tail])
        known.update(zip(words, new, strict=True))
        clauses.append([*known.values(), *tail])
        for position, cell in enumerate(self.slots[slot]):
            if cell not in self._checked:
                continue
            letters = self._letters[cell]
            clauses += [
                [-literal, letters[word[position]]]
                for word, literal in zip(words, new, strict=True)
            ]
            support: defaultdict[str, list[int]] = defaultdict(list)
            for word, literal in known.items():
                support[word[position]].append(literal)
            clauses += [[-literal, *support[letter], *tail] for letter, literal in letters.items()]
        return clauses

    def differ(self, word: str) -> list[Clause]:
        """At most one slot has this word, among those that have been given it."""
        literals = [words[word] for words in self._words if word in words]
        return [[-a, -b] for a, b in combinations(literals, 2)]

    def decode(self, model: Sequence[int]) -> list[str]:
        """One word a slot from a model that satisfies the assumptions.

        ``model`` has the literal of variable ``v`` at index ``v - 1``.
        """
        fill = []
        for words in self._words:
            fill.append(next(word for word, literal in words.items() if model[literal - 1] > 0))
        return fill


def encode(instance: Instance) -> tuple[list[Clause], SupportEncoding]:
    """The whole instance at once: every word, and all words different.

    At most one slot per word is said pairwise for a few slots and by sequential counters (Sinz
    2005) beyond. Returns the clauses and the encoding, which decodes models.
    """
    encoding = SupportEncoding(instance.slots)
    clauses: list[Clause] = []
    for cell in sorted(instance.checked):
        letters: set[str] = set()
        for cells, words in zip(instance.slots, instance.candidates, strict=True):
            if cell in cells:
                position = cells.index(cell)
                letters.update(word[position] for word in words)
        clauses += encoding.add_letters(cell, sorted(letters))
    for slot, words in enumerate(instance.candidates):
        clauses += encoding.add_words(slot, words)
    if not instance.repeats:
        clauses += _all_different(instance, encoding)
    return clauses, encoding


def _all_different(instance: Instance, encoding: SupportEncoding) -> list[Clause]:
    users: defaultdict[str, list[int]] = defaultdict(list)
    for slot in range(len(instance.slots)):
        for word, literal in encoding.words(slot).items():
            users[word].append(literal)
    clauses: list[Clause] = []
    for word, literals in users.items():
        clauses += at_most_one(literals, encoding.variables, word)
    return clauses


def at_most_one(literals: Sequence[int], variables: VariableMap, label: str) -> list[Clause]:
    """Pairwise up to five literals, then a sequential counter (Sinz 2005)."""
    if len(literals) <= 5:
        return [[-a, -b] for a, b in combinations(literals, 2)]
    seen = variables.auxiliary(label, len(literals) - 1)
    clauses = [[-literals[0], seen[0]]]
    for i in range(1, len(literals) - 1):
        clauses += [[-literals[i], seen[i]], [-seen[i - 1], seen[i]], [-literals[i], -seen[i - 1]]]
    clauses.append([-literals[-1], -seen[-1]])
    return clauses
