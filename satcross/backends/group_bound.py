"""Upper bounds on the weight of a fill, from groups of crossing slots that are solved apart.

In each slot of a group, the heaviest words stand for themselves, and all others are one choice of
the weight of the best of them, which asks only for letters that one of them has. CP-SAT bounds the
weight of such a group, and the groups' bounds add up. Where few words have a weight, as those of a
theme, the bound is far below the sum of the slots' best words: on the 13x13 of docs/roco.md 209
instead of 245 after a second, with groups of 20 slots; one group of all slots stays at 245.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from math import ceil, isfinite
from typing import TYPE_CHECKING

from satcross.backends.cp_solver import CpSettings, LinearExpr, Literal, new_model, solve_model
from satcross.network.arc_consistency import Network, State, bits
from satcross.network.weights import Weights
from satcross.run_settings import Deadline

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

_MAX_HEAVY = 400
"""Words of a slot that stand for themselves, at most."""

_SETTINGS = CpSettings(parameters={"linearization_level": 1})


@dataclass(frozen=True, slots=True)
class _Choices:
    """A slot's heaviest words, the candidates that are left, the best weight, and the worst one.

    All candidates that are left count as the heaviest of them.
    """

    heavy: int
    rest: int
    best: int
    worst: int

    @classmethod
    def of(cls, weights: Weights, slot: int, domain: int) -> _Choices:
        heavy, best = 0, weights.best(slot, domain)
        for weight in weights.values(slot, domain):
            more = domain & weights.at_least(slot, weight)
            if more.bit_count() > _MAX_HEAVY:
                break
            heavy = more
        rest = domain & ~heavy
        worst = weights.best(slot, rest) if rest else weights.worst(slot, domain)
        return cls(heavy, rest, best, worst)

    @property
    def matters(self) -> bool:
        """Whether it makes a difference that the slot has one of the heaviest words."""
        return self.heavy != 0 and self.worst != self.best


def group_bound(
    network: Network, root: State, weights: Weights, size: int, work: float, deadline: Deadline
) -> int:
    """Return an upper bound on the weight of a fill of ``root``, from groups of ``size`` slots.

    ``work`` is the limit of CP-SAT's deterministic time, about seconds, for all groups together.
    """
    choices = [_Choices.of(weights, slot, domain) for slot, domain in enumerate(root.domains)]
    left = {slot for slot, choice in enumerate(choices) if choice.matters}
    bound = sum(choice.best for choice in choices)
    share = size * work / max(1, len(left))
    while left and not deadline.passed:
        group = _take_group(network, left, size)
        if len(group) > 1:
            model = _Model(network, choices, group).build(root, weights)
            found = solve_model(model, deadline, replace(_SETTINGS, work=share))
            if isfinite(found.bound) and not found.infeasible:  # else others prove that
                bound -= max(0, ceil(found.bound - 1e-6))
    return bound


def _take_group(network: Network, left: set[int], size: int) -> list[int]:
    """Remove a group of slots that cross each other often."""
    start = max(left, key=lambda slot: (len(network.links[slot]), -slot))
    left.remove(start)
    group, ties = [start], dict.fromkeys(_near(network, start, left), 1)
    while ties and len(group) < size:
        slot = max(ties, key=lambda item: (ties[item] ** 2 / len(network.links[item]), -item))
        del ties[slot]
        left.remove(slot)
        group.append(slot)
        for other in _near(network, slot, left):
            ties[other] = ties.get(other, 0) + 1
    return group


def _near(network: Network, slot: int, left: set[int]) -> list[int]:
    return [link[3] for link in network.links[slot] if link[3] in left]


class _Model:
    """The choices of a group's slots, and the letters where two of them cross."""

    def __init__(self, network: Network, choices: list[_Choices], group: list[int]) -> None:
        self._network, self._choices, self._group = network, choices, group
        self._model = new_model()
        self._same: defaultdict[str, list[Literal]] = defaultdict(list)
        self._terms: list[LinearExpr | int] = []

    def build(self, root: State, weights: Weights) -> CpModel:
        """Return the model, whose objective is what its weight falls short by."""
        chosen = set(self._group)
        crossed: dict[int, dict[str, Literal]] = {}
        for slot in self._group:
            links = [link for link in self._network.links[slot] if link[3] in chosen]
            for crossing, *_ in links:
                if crossing not in crossed:
                    letters = sorted(root.letters[crossing])
                    crossed[crossing] = {x: self._model.new_bool_var("") for x in letters}
                    self._model.add_exactly_one(crossed[crossing].values())
            self._add_slot(slot, weights, [(link[1], crossed[link[0]]) for link in links])
        if not self._network.word_rules.repeats:
            for literals in self._same.values():
                self._model.add_at_most_one(literals)
        self._model.minimize(sum(self._terms))
        return self._model

    def _add_slot(
        self, slot: int, weights: Weights, crossed: list[tuple[int, dict[str, Literal]]]
    ) -> None:
        choice, words, model = self._choices[slot], self._network.lexicons[slot].words, self._model
        heavy = {words[index]: model.new_bool_var("") for index in bits(choice.heavy)}
        rest = [model.new_bool_var("")] if choice.rest else []
        model.add_exactly_one([*heavy.values(), *rest])
        for word, literal in heavy.items():
            self._same[word].append(literal)
            self._terms.append((choice.best - weights.weight(word)) * literal)
        self._terms += [(choice.best - choice.worst) * literal for literal in rest]
        for position, letters in crossed:
            others = {words[index][position] for index in bits(choice.rest)}
            having: defaultdict[str, list[Literal]] = defaultdict(list)
            for word, literal in heavy.items():
                having[word[position]].append(literal)
            for letter, here in letters.items():
                model.add_at_most_one([*having[letter], ~here])
                model.add_bool_or([~here, *having[letter], *(rest if letter in others else [])])
