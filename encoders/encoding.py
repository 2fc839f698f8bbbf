"""Common parts of the clause encodings: variables for words and letters, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from encoders import cardinality
from encoders.instance import Cell, VariableMap

Literals = Sequence[int]


class Encoding:
    """A variable per slot and word and per checked cell and letter, and the auxiliary ones.

    ``words[slot]`` maps each word of a slot to its variable, and ``letters[cell]`` each letter
    of a checked cell.
    """

    def __init__(self, slots: Sequence[Sequence[Cell]]) -> None:
        self.slots = tuple(tuple(cells) for cells in slots)
        self.variables = VariableMap()
        self.words: list[dict[str, int]] = [{} for _ in self.slots]
        self.letters: dict[Cell, dict[str, int]] = {}
        self._definitions: list[Callable[[set[int]], Iterable[int]]] = []
        self._converses: list[Callable[[], list[cardinality.Clause]]] = []

    def new_words(self, slot: int, words: Sequence[str]) -> dict[str, int]:
        """Allocate variables for words of a slot, and return them."""
        new = dict(zip(words, self.variables.allocate("word", slot, words), strict=True))
        self.words[slot].update(new)
        return new

    def new_letters(self, cell: Cell, letters: Iterable[str]) -> dict[str, int]:
        """Allocate variables for all letters that a checked cell may have, and return them."""
        labels = tuple(letters)
        new = dict(zip(labels, self.variables.allocate("letter", cell, labels), strict=True))
        self.letters[cell] = new
        return new

    def new_code(self, label: str, meanings: Sequence[str]) -> range:
        """Allocate variables that say something about a choice, and return them."""
        return self.variables.allocate("code", label, meanings)

    def define(
        self,
        definition: Callable[[set[int]], Iterable[int]],
        converse: Callable[[], list[cardinality.Clause]] | None = None,
    ) -> None:
        """Note which new variables are true where others are, and what makes them follow."""
        self._definitions.append(definition)
        self._converses += [] if converse is None else [converse]

    def decode(self, model: Sequence[int]) -> list[str]:
        """Return one word per slot from a model that satisfies the clauses and assumptions.

        ``model`` has the literal of variable ``v`` at index ``v - 1``.
        """
        return [
            next(word for word, literal in words.items() if model[literal - 1] > 0)
            for words in self.words
        ]

    def model(self, words: Sequence[str]) -> list[int]:
        """Return the model that states these words, one per slot: a literal for every variable.

        It satisfies all clauses when the words are a fill. Raises ValueError when a slot does not
        have its word.
        """
        true: set[int] = set()
        for slot, (cells, word) in enumerate(zip(self.slots, words, strict=True)):
            if word not in self.words[slot]:
                raise ValueError(f"slot {slot} does not have the word {word!r}")
            true.add(self.words[slot][word])
            pairs = zip(cells, word, strict=True)
            checked = ((cell, letter) for cell, letter in pairs if cell in self.letters)
            true.update(self.letters[cell][letter] for cell, letter in checked)
        for definition in self._definitions:
            true.update(definition(true))
        return [v if v in true else -v for v in range(1, self.variables.count + 1)]

    def one_model_per_fill(self) -> Iterator[cardinality.Clause]:
        """Clauses that leave each fill one model, to be added after all others.

        Else a slot may take several words that agree on its checked cells, and a counter may run
        ahead.
        """
        for slot, words in enumerate(self.words):
            yield from self.at_most_one(list(words.values()), f"a word of slot {slot}")
        for converse in self._converses:
            yield from converse()

    def at_most_one(self, literals: Literals, label: str) -> list[cardinality.Clause]:
        """At most one literal is true: pairwise for a few, a sequential counter for more."""
        if len(literals) <= cardinality.MAX_PAIRWISE:
            return cardinality.pairwise(literals)
        return self.at_most_one_set([[literal] for literal in literals], label)

    def at_most_one_set(self, sets: Sequence[Literals], label: str) -> list[cardinality.Clause]:
        """The literals of at most one set are true, by a sequential counter."""
        if len(sets) < 2:
            return []
        seen = self.variables.allocate("auxiliary", label, map(str, range(1, len(sets))))
        converse = partial(cardinality.sequential_counter_converse, sets, seen)
        self.define(partial(seen_from, sets, seen), converse)
        return cardinality.sequential_counter(sets, seen)

    def at_least(
        self, sets: Sequence[Literals], minimum: int, words: Sequence[str]
    ) -> list[cardinality.Clause]:
        """At least ``minimum`` sets have a true literal; ``words[i]`` names what set i means."""
        used = self.variables.allocate("used", "the wanted words", words)
        pairs = cardinality.counter_pairs(len(used), minimum)
        labels = [f"{j} of the first {i}" for i, j in pairs]
        reached = dict(
            zip(pairs, self.variables.allocate("count", "the wanted words", labels), strict=True)
        )
        converse = partial(cardinality.at_least_converse, sets, used, reached)
        self.define(partial(_counted, sets, used, reached), converse)
        clauses = [[-variable, *users] for variable, users in zip(used, sets, strict=True)]
        return clauses + cardinality.at_least(used, minimum, reached)


def seen_from(sets: Sequence[Literals], seen: Literals, true: set[int]) -> Literals:
    """Return those of the variables "one of the first sets has a true literal" that are true."""
    first = next((i for i, literals in enumerate(sets) if not true.isdisjoint(literals)), len(seen))
    return seen[first:]


def _counted(
    sets: Sequence[Literals], used: Literals, reached: dict[tuple[int, int], int], true: set[int]
) -> list[int]:
    has_true = [not true.isdisjoint(users) for users in sets]
    return [variable for variable, holds in zip(used, has_true, strict=True) if holds] + [
        variable for (i, j), variable in reached.items() if sum(has_true[:i]) >= j
    ]
