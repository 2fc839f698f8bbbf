"""A CP-SAT model for "one word per slot, crossings agree, no word twice".

x[s,w] stands for "slot s takes the word w", and y[c,l] for "cell c has the letter l", all of them
Boolean. The three constraints are the first three functions; ``CpSatEncoding`` puts them together.
CP-SAT's lazy clause generation (O. Ohrimenko, P. J. Stuckey and M. Codish, "Propagation via lazy
clause generation", Constraints 14, 2009) propagates arc consistency on this model, and presolve has
nothing to expand, as it would with table constraints over letters. Every fill is exactly one
solution: the words determine all other variables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from encoders.instance import Cell, Instance, VariableMap, no_pause, users_of_words

if TYPE_CHECKING:
    from ortools.sat.python import cp_model
    from ortools.sat.python.cp_model_helper import CpModelProto


class BooleanModel:
    """``proto`` is a CP-SAT model; a variable is its index, and ``-index - 1`` its negation.

    The protocol buffer is filled directly: a Python object per variable and constraint costs
    several times as much as everything else, and ``cp_model`` imports pandas for half a second.
    """

    def __init__(self) -> None:
        from ortools.sat.python.cp_model_helper import CpModelProto

        self.proto: CpModelProto = CpModelProto()

    @property
    def model(self) -> cp_model.CpModel:
        """The model for ``cp_model.CpSolver``: a copy."""
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        model.proto.copy_from(self.proto)
        return model

    def booleans(self, number: int) -> range:
        """Add ``number`` Boolean variables, and return their indices."""
        variables = self.proto.variables
        first = len(variables)
        for _ in range(number):
            variables.add().domain.extend((0, 1))
        return range(first, first + number)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Add a constraint: at most one literal is true."""
        if len(literals) > 1:
            self.proto.constraints.add().at_most_one.literals.extend(literals)

    def exactly_one(self, literals: Iterable[int]) -> None:
        """Add a constraint: exactly one literal is true."""
        self.proto.constraints.add().exactly_one.literals.extend(literals)

    def at_least_one(self, literals: Iterable[int]) -> None:
        """Add a constraint: at least one literal is true."""
        self.proto.constraints.add().bool_or.literals.extend(literals)


def slot_word_choice(model: BooleanModel, words: Mapping[str, int]) -> None:
    """A slot takes exactly one of its words.

        Σ_w x[s,w] = 1

    ``words`` maps each word of the slot to its variable. One constraint.
    """
    model.exactly_one(words.values())


def crossing_letter_equality(
    model: BooleanModel, words: Mapping[str, int], position: int, letters: Mapping[str, int]
) -> None:
    """A slot's word and the checked cell at one of its positions agree on the letter.

        Σ_{w: w[p] = l} x[s,w] = y[c,l]         for every letter l

    Stated for both slots of a crossing, it makes their letters equal. The equation is written as
    "exactly one of the words with this letter and of ¬y[c,l] is true". A constraint per letter.
    """
    having: defaultdict[str, list[int]] = defaultdict(list)
    for word, variable in words.items():
        having[word[position]].append(variable)
    for letter, variable in letters.items():
        model.exactly_one([*having[letter], -variable - 1])


def uniqueness(model: BooleanModel, slots: Iterable[Mapping[str, int]]) -> None:
    """No word is used twice: Σ_s x[s,w] ≤ 1 for every word w that several ``slots`` may take."""
    for variables in users_of_words(slots).values():
        model.at_most_one(variables)


def add_conflict(model: BooleanModel, words: Sequence[int], exempt: Iterable[int]) -> None:
    """Add to a CP-SAT model: at most one of ``words`` is true, and none with an exempt one.

    Σ x[w] ≤ 1          x[e] + Σ x[w] ≤ 1   for every exempt word e
    """
    model.at_most_one(words)
    for variable in exempt:
        model.at_most_one([variable, *words])


def add_at_least(model: BooleanModel, words: Sequence[int], minimum: int) -> None:
    """Add to a CP-SAT model: Σ x[w] ≥ minimum."""
    linear = model.proto.constraints.add().linear
    linear.vars.extend(words)
    linear.coeffs.extend([1] * len(words))
    linear.domain.extend((minimum, max(minimum, len(words))))


class CpSatEncoding(BooleanModel):
    """``model`` is the CP-SAT model of an instance; ``decode`` reads a solution.

    ``words[slot]`` maps each word of a slot to its variable, and ``letters[cell]`` each letter of a
    checked cell. ``pause`` is called now and then.
    """

    def __init__(self, instance: Instance, pause: Callable[[], None] = no_pause) -> None:
        super().__init__()
        self.instance = instance
        self.variables = VariableMap()
        """What the model's variables mean; its variable ``i`` is number ``i + 1`` here."""
        self.letters = letters = dict[Cell, dict[str, int]]()
        for cell, labels in instance.letters(pause).items():
            self.variables.allocate("letter", cell, labels)
            letters[cell] = dict(zip(labels, self.booleans(len(labels)), strict=True))
        self.words: list[dict[str, int]] = []
        for variables in instance.sharing(letters):
            self.at_most_one(variables)
        for slot, candidates in enumerate(instance.candidates):
            pause()
            self.variables.allocate("word", slot, candidates)
            words = dict(zip(candidates, self.booleans(len(candidates)), strict=True))
            self.words.append(words)
            slot_word_choice(self, words)
            for position, cell in enumerate(instance.slots[slot]):
                if cell in instance.checked:
                    crossing_letter_equality(self, words, position, letters[cell])
        pause()
        if not instance.allow_repeats:
            uniqueness(self, self.words)
        self._users = users_of_words(self.words)
        self._used: dict[str, int] = {}
        if instance.conflict_groups or instance.at_least is not None:
            self._add_rules()

    def _add_rules(self) -> None:
        for group in self.instance.conflict_groups:
            add_conflict(self, list(self._uses(group.words)), self._uses(group.exempt))
        demand = self.instance.at_least
        if demand is not None:
            add_at_least(self, list(self._uses(demand.words)), demand.minimum)

    def decode(self, value: Callable[[int], bool]) -> list[str]:
        """Return one word per slot; ``value`` says whether the variable of an index is true."""
        chosen = ((w for w, variable in words.items() if value(variable)) for words in self.words)
        return list(map(next, chosen))

    def hint(self, fill: Sequence[str]) -> None:
        """Give the solver a fill to start from, one word per slot."""
        hint = self.proto.solution_hint
        for words, chosen in zip(self.words, fill, strict=True):
            for word, variable in words.items():
                hint.vars.append(variable)
                hint.values.append(int(word == chosen))

    def prefer(self, words: Collection[str]) -> None:
        """Have the solver try these words first."""
        hint = self.proto.solution_hint
        for word in words:
            for variable in self._users.get(word, ()):
                hint.vars.append(variable)
                hint.values.append(1)

    def text(self, names: Iterable[str]) -> str:
        """Return the model as a protocol buffer in text format, its variables named in order."""
        for variable, name in zip(self.proto.variables, names, strict=True):
            variable.name = name
        return f"{self.proto}\n"

    def _uses(self, words: Iterable[str]) -> Iterator[int]:
        """Yield literals of which, for each used word, exactly one is true."""
        for word in words:
            yield from self._uses_of(word)

    def _uses_of(self, word: str) -> list[int]:
        users = self._users.get(word, [])
        if not self.instance.allow_repeats or len(users) < 2:
            return users
        if word not in self._used:
            self.variables.allocate("used", "words", [word])
            [used] = self.booleans(1)
            self._used[word] = used
            self.at_least_one([*users, -used - 1])
            for variable in users:
                self.at_least_one((used, -variable - 1))
        return [self._used[word]]
