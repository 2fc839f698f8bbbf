"""A CP-SAT model for "one word per slot, crossings agree, all different".

One Boolean per slot and word and one per checked cell and letter. Exactly one word per slot;
and for every slot, checked cell and letter, exactly one of "a word with that letter there" and
"the cell has another letter". Compared with table constraints over letters this leaves presolve
nothing to expand, and it propagates arc consistency. Every fill is one solution: variables for
other rules are determined by the words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from encoders.booleans import BooleanModel
from encoders.instance import AtLeast, Group, Instance
from encoders.variables import VariableMap


class CpSatEncoding(BooleanModel):
    """``model`` is the CP-SAT model of ``instance``; ``decode`` reads a solution."""

    def __init__(self, instance: Instance) -> None:
        super().__init__()
        self.instance = instance
        self.variables = VariableMap()
        """What the model's variables mean; its variable ``i`` is number ``i + 1`` here."""
        self._words: list[range] = []
        letters = {}
        for cell, labels in instance.letters().items():
            self.variables.letters(cell, labels)
            letters[cell] = dict(zip(labels, self._booleans(len(labels)), strict=True))
        for slot, words in enumerate(instance.candidates):
            self.variables.words(slot, words)
            literals = self._booleans(len(words))
            self._words.append(literals)
            self._exactly_one(literals)
            for position, cell in enumerate(instance.slots[slot]):
                if cell in instance.checked:
                    having: defaultdict[str, list[int]] = defaultdict(list)
                    for literal, word in zip(literals, words, strict=True):
                        having[word[position]].append(literal)
                    for letter, other in letters[cell].items():
                        self._exactly_one([*having[letter], -other - 1])
        self._users: defaultdict[str, list[int]] = defaultdict(list)
        for words, literals in zip(instance.candidates, self._words, strict=True):
            for word, literal in zip(words, literals, strict=True):
                self._users[word].append(literal)
        self._used: dict[str, int] = {}
        if not instance.repeats:
            self._all_different()
        for group in instance.groups:
            self._keep_apart(group)
        if instance.wanted is not None:
            self._demand(instance.wanted)

    def decode(self, value: Callable[[int], bool]) -> list[str]:
        """One word a slot; ``value`` tells whether the variable of that index is true."""
        return [
            next(word for word, literal in zip(words, literals, strict=True) if value(literal))
            for words, literals in zip(self.instance.candidates, self._words, strict=True)
        ]

    def maximise(self, weights: Sequence[Sequence[int]], least: int) -> int:
        """Ask for the fill of the highest total weight that weighs ``least`` or more.

        ``weights`` are those of the instance's candidates. What the model minimises is how much a
        fill falls short of the best word in every slot; returns what those weigh together. Raises
        ValueError when that is less than ``least``.
        """
        ideal = sum(map(max, weights))
        if least > ideal:
            raise ValueError(f"no fill can weigh {least}, only {ideal}")
        objective = self.model.proto.objective
        for literals, own in zip(self._words, weights, strict=True):
            best = max(own)
            for literal, weight in zip(literals, own, strict=True):
                if weight < best:
                    objective.vars.append(literal)
                    objective.coeffs.append(best - weight)
        if objective.vars:
            objective.domain.extend((0, ideal - least))
        return ideal

    def hint(self, words: Sequence[str]) -> None:
        """Tell the solver of a fill, for it to begin from."""
        hint = self.model.proto.solution_hint
        for candidates, literals, word in zip(
            self.instance.candidates, self._words, words, strict=True
        ):
            for literal, other in zip(literals, candidates, strict=True):
                hint.vars.append(literal)
                hint.values.append(int(other == word))

    def prefer(self, words: Collection[str]) -> None:
        """Have the solver try these words first."""
        hint = self.model.proto.solution_hint
        for word in words:
            for literal in self._users.get(word, ()):
                hint.vars.append(literal)
                hint.values.append(1)

    def text(self, names: Iterable[str]) -> str:
        """The model as a protocol buffer in text format, its variables named in order."""
        for variable, name in zip(self.model.proto.variables, names, strict=True):
            variable.name = name
        return f"{self.model.proto}\n"

    def _all_different(self) -> None:
        for same in self._users.values():
            self._at_most_one(same)

    def _keep_apart(self, group: Group) -> None:
        words = [literal for word in group.words for literal in self._for_using(word)]
        self._at_most_one(words)
        for word in group.free:
            for literal in self._for_using(word):
                self._at_most_one([literal, *words])

    def _demand(self, wanted: AtLeast) -> None:
        """One literal a word and slot, or a word where it may be used twice, and a sum of them."""
        literals = [literal for word in wanted.words for literal in self._for_using(word)]
        linear = self.model.proto.constraints.add().linear
        linear.vars.extend(literals)
        linear.coeffs.extend([1] * len(literals))
        linear.domain.extend((wanted.least, max(wanted.least, len(literals))))

    def _for_using(self, word: str) -> list[int]:
        """Literals of which one is true when the word is used, and none otherwise."""
        users = self._users.get(word, [])
        if not self.instance.repeats or len(users) < 2:
            return users
        if word not in self._used:
            self.variables.used("words", (word,))
            [used] = self._booleans(1)
            self._used[word] = used
            constraint = self.model.proto.constraints.add()
            constraint.bool_or.literals.extend([*users, -used - 1])
            for literal in users:
                self.model.proto.constraints.add().bool_or.literals.extend((used, -literal - 1))
        return [self._used[word]]
