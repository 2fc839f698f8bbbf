"""The cheapest fill: one word per slot at the word's cost, or letters at a cost each.

Every slot takes one of its words, each of which has a cost, or is *spelled by letters*: any
letters at all, at a base cost plus a cost for each letter. Crossings agree and, unless
``allow_repeats``, no word is taken in two slots (letters may coincide with anything).
``WeightedModel`` states the problem for CP-SAT.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from encoders import cpsat
from encoders.cardinality import Clause
from encoders.cpsat import BooleanModel, CpSatEncoding
from encoders.encoding import Encoding
from encoders.instance import Cell


@dataclass(frozen=True, slots=True)
class Spelling:
    """The cost of spelling a slot by letters: ``base`` and ``letters[i]`` per letter at index i."""

    base: int
    letters: tuple[Mapping[str, int], ...]

    def cost(self, word: str) -> int | None:
        """Return the cost of spelling a word; None when one of its letters has no cost."""
        costs = [known.get(letter) for known, letter in zip(self.letters, word, strict=True)]
        return None if None in costs else self.base + sum(cost for cost in costs if cost)


@dataclass(frozen=True, slots=True)
class WeightedInstance:
    """A weighted problem: ``words[s]`` maps the words of slot ``s`` to their costs, all at least 0.

    ``spellings[s]`` is None when slot ``s`` must take one of its words. Raises ValueError when a
    word or a spelling does not fit its slot, or when a cost is below 0.
    """

    slots: tuple[tuple[Cell, ...], ...]
    words: tuple[Mapping[str, int], ...]
    spellings: tuple[Spelling | None, ...]
    allow_repeats: bool = False

    def __post_init__(self) -> None:
        for cells, words, spelling in zip(self.slots, self.words, self.spellings, strict=True):
            if set(map(len, words)) - {len(cells)}:
                raise ValueError("a word does not fit its slot")
            if words and min(words.values()) < 0:
                raise ValueError("the cost of a word is below 0")
            if spelling is not None and len(spelling.letters) != len(cells):
                raise ValueError("a spelling does not fit its slot")

    def cost(self, choice: Sequence[str], by_letters: Sequence[bool]) -> int:
        """Return the total cost of one word per slot, each taken or spelled by letters.

        Crossings and repeats are not checked. Raises ValueError when a slot can't have its word.
        """
        total = 0
        for slot, (word, spelled) in enumerate(zip(choice, by_letters, strict=True)):
            spelling = self.spellings[slot]
            spelled_cost = None if spelling is None else spelling.cost(word)
            cost = spelled_cost if spelled else self.words[slot].get(word)
            if cost is None:
                raise ValueError(f"slot {slot} can't have {word!r}")
            total += cost
        return total

    def letters(self) -> dict[Cell, list[str]]:
        """Return, for every cell, the letters that all slots through it admit, sorted."""
        possible: dict[Cell, set[str]] = {}
        for cells, words, spelling in zip(self.slots, self.words, self.spellings, strict=True):
            for position, cell in enumerate(cells):
                here = {word[position] for word in words}
                if spelling is not None:
                    here.update(spelling.letters[position])
                possible[cell] = possible[cell] & here if cell in possible else here
        return {cell: sorted(possible[cell]) for cell in sorted(possible)}

    def fitting(self, letters: Mapping[Cell, Sequence[str]]) -> list[list[str]]:
        """Return the words of every slot whose letters are all admitted by their cells."""

        def fits(cells: Sequence[Cell], word: str) -> bool:
            return all(letter in letters[cell] for cell, letter in zip(cells, word, strict=True))

        both = zip(self.slots, self.words, strict=True)
        return [[word for word in words if fits(cells, word)] for cells, words in both]


WeightedFill = tuple[list[str], list[bool]]
"""One word per slot, and for each slot whether its word is spelled by letters."""


class WeightedModel(BooleanModel):
    """The problem as a CP-SAT model that minimises the cost.

    There is a Boolean for each slot and word, each cell and letter, and each slot, position and
    letter that is spelled there. A cell has a letter exactly when each slot through it has one word
    with this letter or spells it; these equations make a tight linear relaxation.
    """

    def __init__(self, instance: WeightedInstance) -> None:
        super().__init__()
        self.instance = instance
        letters = instance.letters()
        new = ((cell, labels, self.booleans(len(labels))) for cell, labels in letters.items())
        self._letters = {c: dict(zip(labels, own, strict=True)) for c, labels, own in new}
        self._words: list[dict[str, int]] = []
        self._by_letters: list[int | None] = []
        self._costs: list[tuple[int, int]] = []
        for cell in letters:
            self.exactly_one(self._letters[cell].values())
        for slot, words in enumerate(instance.fitting(letters)):
            self._add_slot(slot, words)
        if not instance.allow_repeats:
            cpsat.uniqueness(self, self._words)
        objective = self.proto.objective
        objective.vars.extend(variable for variable, cost in self._costs if cost)
        objective.coeffs.extend(cost for _, cost in self._costs if cost)

    def hint(self, choice: Sequence[str], by_letters: Sequence[bool]) -> None:
        """Give the solver a fill to start from."""
        placed = zip(self.instance.slots, choice, strict=True)
        letters = ((c, letter) for cells, w in placed for c, letter in zip(cells, w, strict=True))
        true = {self._letters[cell][letter] for cell, letter in letters}
        for slot, (word, spelled) in enumerate(zip(choice, by_letters, strict=True)):
            variable = self._by_letters[slot] if spelled else self._words[slot][word]
            assert variable is not None
            true.add(variable)
        known = {v for letters in self._letters.values() for v in letters.values()}
        known.update(v for words in self._words for v in words.values())
        known.update(v for v in self._by_letters if v is not None)
        for variable in sorted(known):
            self.proto.solution_hint.vars.append(variable)
            self.proto.solution_hint.values.append(int(variable in true))

    def decode(self, value: Callable[[int], bool]) -> WeightedFill:
        """Return the fill of a solution; ``value`` tells whether a variable, by index, is true."""
        current_letters = {
            cell: next(letter for letter, variable in letters.items() if value(variable))
            for cell, letters in self._letters.items()
        }
        choice = ["".join(current_letters[cell] for cell in cells) for cells in self.instance.slots]
        return choice, [variable is not None and value(variable) for variable in self._by_letters]

    def _add_slot(self, slot: int, words: Sequence[str]) -> None:
        cells, spelling = self.instance.slots[slot], self.instance.spellings[slot]
        variables = dict(zip(words, self.booleans(len(words)), strict=True))
        self._words.append(variables)
        self._costs += [(variables[word], self.instance.words[slot][word]) for word in words]
        by_letters = None if spelling is None else self.booleans(1)[0]
        self._by_letters.append(by_letters)
        if spelling is not None and by_letters is not None:
            self._costs.append((by_letters, spelling.base))
        self.exactly_one([*variables.values(), *([] if by_letters is None else [by_letters])])
        for position, cell in enumerate(cells):
            having: defaultdict[str, list[int]] = defaultdict(list)
            for word, variable in variables.items():
                having[word[position]].append(variable)
            if spelling is not None and by_letters is not None:
                costs = spelling.letters[position]
                possible = [letter for letter in self._letters[cell] if letter in costs]
                singles = self.booleans(len(possible))
                for letter, single in zip(possible, singles, strict=True):
                    having[letter].append(single)
                    self._costs.append((single, costs[letter]))
                self.exactly_one([*singles, -by_letters - 1])
            for letter, variable in self._letters[cell].items():
                self.exactly_one([*having[letter], -variable - 1])


def weight_levels(
    encoding: Encoding, slot: int, weights: Mapping[str, int]
) -> tuple[list[Clause], list[tuple[int, Clause]]]:
    """Return hard clauses and (weight, soft clause) pairs for one slot, given all its words.

    The soft clauses that a fill breaks weigh together what its word weighs less than the slot's
    best word. For every slot there is a chain of variables, "its word weighs at least v", one for
    each weight v that occurs (the order encoding: N. Tamura, A. Taga, S. Kitagawa and M. Banbara,
    "Compiling finite linear CSP into SAT", Constraints 14, 2009). So there are as many soft clauses
    as levels, not as words, and a core speaks of levels: "these three slots can't all have words
    of 90 and more".
    """
    having: defaultdict[int, list[int]] = defaultdict(list)
    for word, variable in encoding.words[slot].items():
        having[weights[word]].append(variable)
    values = sorted(having)
    chain = encoding.variables.allocate("level", slot, (f">={value}" for value in values[1:]))
    hard: list[Clause] = []
    soft: list[tuple[int, Clause]] = []
    for index, value in enumerate(values):
        reached = chain[index - 1] if index else None
        above = chain[index] if index < len(chain) else None
        if reached is not None:
            hard.append([-reached, *having[value], *([] if above is None else [above])])
            soft.append((value - values[index - 1], [reached]))
        if above is not None:
            # Redundant, but so the assumption of a level excludes the words below it at once.
            hard += [[-above, -variable] for variable in having[value]]
            if reached is not None:
                hard.append([-above, reached])
    return hard, soft


def maximise(encoding: CpSatEncoding, weights: Sequence[Sequence[int]], minimum: int) -> int:
    """Ask CP-SAT for the fill of the highest total weight that weighs at least ``minimum``.

    ``weights`` has the weight of each of the instance's candidates, slot by slot. The model then
    minimises by how much a fill falls short of the best word in every slot; returns what these
    best words weigh together. Raises ValueError when that is less than ``minimum``.
    """
    ideal = sum(map(max, weights))
    if minimum > ideal:
        raise ValueError(f"no fill can weigh {minimum}, only {ideal}")
    objective = encoding.proto.objective
    for words, own in zip(encoding.words, weights, strict=True):
        best = max(own)
        for variable, weight in zip(words.values(), own, strict=True):
            if weight < best:
                objective.vars.append(variable)
                objective.coeffs.append(best - weight)
    if objective.vars:
        objective.domain.extend((0, ideal - minimum))
    return ideal
