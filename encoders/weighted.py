"""The cheapest fill: one word per slot at the word's cost, or spelt letter by letter.

Every slot takes one of its words, each of which has a cost, or is *spelt*: any letters at all, at
a base cost plus one for each letter. Crossings agree and, unless ``repeats``, no word is taken in
two slots (what is spelt may coincide with anything). The least total is asked for, by CP-SAT
(``CheapestModel``) or by a MaxSAT solver (``CheapestFormula``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from encoders.booleans import BooleanModel
from encoders.cnf import Clause, at_most_one
from encoders.instance import Cell
from encoders.variables import VariableMap


@dataclass(frozen=True, slots=True)
class Spelling:
    """What it costs to spell a slot: ``base``, and ``letters[i]`` for each letter at position i."""

    base: int
    letters: tuple[Mapping[str, int], ...]

    def cost(self, word: str) -> int | None:
        """The cost of spelling a word; None when it can't be spelt."""
        costs = [known.get(letter) for known, letter in zip(self.letters, word, strict=True)]
        return None if None in costs else self.base + sum(cost for cost in costs if cost)


@dataclass(frozen=True, slots=True)
class WeightedInstance:
    """The question: ``words[s]`` are the costs of the words of slot ``s``, all at least 0.

    Raises ValueError when a word or spelling does not fit its slot, or a cost is below 0.
    """

    slots: tuple[tuple[Cell, ...], ...]
    words: tuple[Mapping[str, int], ...]
    spellings: tuple[Spelling | None, ...]
    repeats: bool = False

    def __post_init__(self) -> None:
        for cells, words, spelling in zip(self.slots, self.words, self.spellings, strict=True):
            if any(len(word) != len(cells) for word in words):
                raise ValueError("a word does not fit its slot")
            if any(cost < 0 for cost in words.values()):
                raise ValueError("a word costs less than nothing")
            if spelling is not None and len(spelling.letters) != len(cells):
                raise ValueError("a spelling does not fit its slot")

    def cost(self, choice: Sequence[str], by_letters: Sequence[bool]) -> int:
        """The total cost of a word for each slot, taken or spelt. It is not checked otherwise.

        Raises ValueError when a slot can't have its word.
        """
        total = 0
        for slot, (word, is_spelled) in enumerate(zip(choice, by_letters, strict=True)):
            spelling = self.spellings[slot]
            spelt_cost = None if spelling is None else spelling.cost(word)
            cost = spelt_cost if is_spelled else self.words[slot].get(word)
            if cost is None:
                raise ValueError(f"slot {slot} can't have {word!r}")
            total += cost
        return total

    def letters(self) -> dict[Cell, list[str]]:
        """The letters of every cell that some slot admits there: what crossing slots may share."""
        possible: dict[Cell, set[str]] = {}
        for cells, words, spelling in zip(self.slots, self.words, self.spellings, strict=True):
            for position, cell in enumerate(cells):
                here = {word[position] for word in words}
                if spelling is not None:
                    here.update(spelling.letters[position])
                possible[cell] = possible[cell] & here if cell in possible else here
        return {cell: sorted(possible[cell]) for cell in sorted(possible)}

    def fitting(self, letters: Mapping[Cell, Sequence[str]]) -> list[list[str]]:
        """The words of every slot whose letters are all among those of their cells."""
        return [
            [
                word
                for word in words
                if all(letter in letters[cell] for cell, letter in zip(cells, word, strict=True))
            ]
            for cells, words in zip(self.slots, self.words, strict=True)
        ]


Answer = tuple[list[str], list[bool]]
"""A word a slot, and whether it is spelt."""


class CheapestModel(BooleanModel):
    """A CP-SAT model: minimise ``question``'s cost.

    Booleans for each slot and word, each cell and letter, and each slot, position and letter that
    is spelt; a letter stands in a cell exactly when each slot there has one word with it or spells
    it. These equations make a tight linear relaxation.
    """

    def __init__(self, question: WeightedInstance) -> None:
        super().__init__()
        self.question = question
        letters = question.letters()
        self._letters = {
            cell: dict(zip(labels, self._booleans(len(labels)), strict=True))
            for cell, labels in letters.items()
        }
        self._words: list[dict[str, int]] = []
        self._by_letters: list[int | None] = []
        self._costs: list[tuple[int, int]] = []
        for cell in letters:
            self._exactly_one(self._letters[cell].values())
        for slot, words in enumerate(question.fitting(letters)):
            self._add_slot(slot, words)
        if not question.repeats:
            for _, literals in _shared(self._words):
                self._at_most_one(literals)
        objective = self.model.proto.objective
        objective.vars.extend(variable for variable, cost in self._costs if cost)
        objective.coeffs.extend(cost for _, cost in self._costs if cost)

    def hint(self, choice: Sequence[str], by_letters: Sequence[bool]) -> None:
        """Begin from this answer."""
        true = {self._letters[cell][letter] for cell, letter in self._current_letters(choice)}
        for slot, (word, is_spelled) in enumerate(zip(choice, by_letters, strict=True)):
            literal = self._by_letters[slot] if is_spelled else self._words[slot][word]
            assert literal is not None
            true.add(literal)
        known = {v for letters in self._letters.values() for v in letters.values()}
        known.update(v for words in self._words for v in words.values())
        known.update(v for v in self._by_letters if v is not None)
        for variable in sorted(known):
            self.model.proto.solution_hint.vars.append(variable)
            self.model.proto.solution_hint.values.append(int(variable in true))

    def decode(self, value: Callable[[int], bool]) -> Answer:
        """The answer of a solution; ``value`` tells whether the variable of that index is true."""
        current_letters = {
            cell: next(letter for letter, variable in letters.items() if value(variable))
            for cell, letters in self._letters.items()
        }
        choice = ["".join(current_letters[cell] for cell in cells) for cells in self.question.slots]
        return choice, [literal is not None and value(literal) for literal in self._by_letters]

    def _current_letters(self, choice: Sequence[str]) -> Iterable[tuple[Cell, str]]:
        for cells, word in zip(self.question.slots, choice, strict=True):
            yield from zip(cells, word, strict=True)

    def _add_slot(self, slot: int, words: Sequence[str]) -> None:
        cells, spelling = self.question.slots[slot], self.question.spellings[slot]
        literals = dict(zip(words, self._booleans(len(words)), strict=True))
        self._words.append(literals)
        self._costs += [(literals[word], self.question.words[slot][word]) for word in words]
        by_letters = None if spelling is None else self._booleans(1)[0]
        self._by_letters.append(by_letters)
        if spelling is not None and by_letters is not None:
            self._costs.append((by_letters, spelling.base))
        self._exactly_one([*literals.values(), *([] if by_letters is None else [by_letters])])
        for position, cell in enumerate(cells):
            having: defaultdict[str, list[int]] = defaultdict(list)
            for word, literal in literals.items():
                having[word[position]].append(literal)
            if spelling is not None and by_letters is not None:
                able = [one for one in self._letters[cell] if one in spelling.letters[position]]
                singles = self._booleans(len(able))
                for letter, single in zip(able, singles, strict=True):
                    having[letter].append(single)
                    self._costs.append((single, spelling.letters[position][letter]))
                self._exactly_one([*singles, -by_letters - 1])
            for letter, variable in self._letters[cell].items():
                self._exactly_one([*having[letter], -variable - 1])


class CheapestFormula:
    """Clauses that must hold (``hard``) and literals that should (``soft``: weight, literal).

    The support encoding of ``cnf``, in which a slot may also be spelt. The cost of a slot is said
    by a ladder: a literal for each cost that occurs, "this slot costs at least so much", weighted
    by the step from the cost below, so that a solver that is guided by cores (as RC2 is) meets few
    soft literals a slot however many words there are. The least total is ``floor`` plus the weight
    of the soft literals that fail.
    """

    def __init__(self, question: WeightedInstance) -> None:
        self.question = question
        self.hard: list[Clause] = []
        self.soft: list[tuple[int, int]] = []
        self.floor = 0
        self.variables = VariableMap()
        letters = question.letters()
        self._letters = {
            cell: dict(zip(labels, self.variables.letters(cell, labels), strict=True))
            for cell, labels in letters.items()
        }
        for known in self._letters.values():
            self.hard.append(list(known.values()))
            self.hard += [[-a, -b] for a, b in combinations(known.values(), 2)]
        self._words: list[dict[str, int]] = []
        self._by_letters: list[int | None] = []
        for slot, words in enumerate(question.fitting(letters)):
            self._add_slot(slot, words)
        if not question.repeats:
            for word, literals in _shared(self._words):
                self.hard += at_most_one(literals, self.variables, word)

    def decode(self, model: Sequence[int]) -> Answer:
        """The answer of a model, whose literal of variable ``v`` is at index ``v - 1``.

        Of several words that fit, the cheapest.
        """
        choice, by_letters = [], []
        for slot, cells in enumerate(self.question.slots):
            having = [word for word, literal in self._words[slot].items() if model[literal - 1] > 0]
            if having:
                choice.append(min(having, key=lambda word: self.question.words[slot][word]))
                by_letters.append(False)
            else:
                choice.append("".join(self._current_letters(cell, model) for cell in cells))
                by_letters.append(True)
        return choice, by_letters

    def _current_letters(self, cell: Cell, model: Sequence[int]) -> str:
        letters = self._letters[cell].items()
        return next(letter for letter, variable in letters if model[variable - 1] > 0)

    def _add_slot(self, slot: int, words: Sequence[str]) -> None:
        cells, spelling = self.question.slots[slot], self.question.spellings[slot]
        costs = self.question.words[slot]
        literals = dict(zip(words, self.variables.words(slot, words), strict=True))
        self._words.append(literals)
        by_letters = None if spelling is None else self.variables.auxiliary("spelt", 1)[0]
        self._by_letters.append(by_letters)
        tail = [] if by_letters is None else [by_letters]
        self.hard.append([*literals.values(), *tail])
        for position, cell in enumerate(cells):
            letters = self._letters[cell]
            support: defaultdict[str, list[int]] = defaultdict(list)
            for word, literal in literals.items():
                self.hard.append([-literal, letters[word[position]]])
                support[word[position]].append(literal)
            if spelling is not None and by_letters is not None:
                known = spelling.letters[position]
                able = [letter for letter in letters if letter in known]
                singles = self.variables.auxiliary("spells", len(able))
                for letter, single in zip(able, singles, strict=True):
                    # Spelt here is: the slot is spelt, and this letter stands.
                    self.hard += [[-single, by_letters], [-single, letters[letter]]]
                    self.hard.append([single, -by_letters, -letters[letter]])
                    support[letter].append(single)
                    self._wish(-single, known[letter])
            self.hard += [[-literal, *support[letter]] for letter, literal in letters.items()]
        choices = [(costs[word], literal) for word, literal in literals.items()]
        if spelling is not None and by_letters is not None:
            choices.append((spelling.base, by_letters))
        self._add_ladder(choices)

    def _add_ladder(self, choices: Sequence[tuple[int, int]]) -> None:
        levels = sorted({cost for cost, _ in choices})
        if not levels:
            return
        self.floor += levels[0]
        rungs = self.variables.auxiliary("costs", len(levels) - 1)
        at = dict(zip(levels[1:], rungs, strict=True))
        self.hard += [[-literal, at[cost]] for cost, literal in choices if cost in at]
        self.hard += [[-upper, lower] for lower, upper in pairwise(rungs)]
        for lower, upper in pairwise(levels):
            self._wish(-at[upper], upper - lower)

    def _wish(self, literal: int, weight: int) -> None:
        if weight:
            self.soft.append((weight, literal))


def _shared(words: Sequence[Mapping[str, int]]) -> list[tuple[str, list[int]]]:
    """The words that several slots have, with their literals."""
    users: defaultdict[str, list[int]] = defaultdict(list)
    for literals in words:
        for word, literal in literals.items():
            users[word].append(literal)
    return [(word, literals) for word, literals in users.items() if len(literals) > 1]
