"""Count the fills of a dense grid row by row.

The steps and the beginnings of crossing words are those of ``satcross.backends.search.row_sweep``.
The words that fit the last step are counted, not placed: each completes a fill, and only those that
could repeat a word are looked at one by one. In a full square, where mirroring a fill at the
diagonal gives another one, a fill whose first row comes before its first column in the second
letter stands for two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from satcross.backends.search.row_sweep import (
    Beginning,
    fit,
    is_its_own_mirror,
    not_before,
    plan,
    roots,
)
from satcross.deadline import Deadline
from satcross.network.arc_consistency import Candidates, bits

_CLOCK_EVERY = 1 << 12


class SweepCount:
    """A count of the fills of a puzzle's candidates; ``run`` may be called again to continue.

    ``count`` is the number of fills found so far.
    """

    def __init__(self, candidates: Candidates) -> None:
        self._candidates = candidates
        self._word_rules = candidates.network.word_rules
        self._repeats = self._word_rules.repeats
        self._steps, self._crossing = plan(candidates)
        self._iterators: list[Iterator[int]] = []
        self._nodes: list[list[Beginning]] = [roots(candidates, self._crossing)]
        self._current: list[int] = []
        self._mirrored = len(self._steps) > 2 and is_its_own_mirror(candidates)
        self._weight = 1
        self.count = 0
        self.nodes = 0
        lexicons = candidates.network.lexicons
        own = [None if step.slot is None else lexicons[step.slot] for step in self._steps]
        other = [lexicons[slot] for slot in self._crossing]
        # Who could have the same word: earlier steps, and pairs among crossing slots and steps.
        self._same_steps = [
            [before for before in range(level) if group is not None and own[before] is group]
            for level, group in enumerate(own)
        ]
        self._same_crossing = [
            (a, b) for a, b in combinations(range(len(other)), 2) if other[a] is other[b]
        ]
        self._same_both = [
            (crossing, level)
            for crossing, group in enumerate(other)
            for level in range(len(own) - 1)
            if own[level] is group
        ]
        self._same_last = [
            crossing for crossing, group in enumerate(other) if own and own[-1] is group
        ]

    def run(self, deadline: Deadline, max_nodes: int, enough: int | None = None) -> bool:
        """Count on until all is counted or until the deadline, ``max_nodes`` more words placed,
        or ``enough`` fills. Returns whether all is counted.
        """
        last = self.nodes + max_nodes
        iterators, steps, levels, current = self._iterators, self._steps, self._nodes, self._current
        final = len(steps) - 1
        if not iterators:
            fitting = self._fit(0, levels[0])
            if final == 0:
                self._complete(fitting, levels[0])
                return True
            iterators.append(bits(fitting))
        while self.nodes < last:
            if self.nodes % _CLOCK_EVERY == 0 and deadline.passed:
                return False
            level = len(iterators) - 1
            index = next(iterators[level], None)
            if index is None:
                iterators.pop()
                if not iterators:
                    return True
                levels.pop()
                current.pop()
                continue
            self.nodes += 1
            step = steps[level]
            word = step.words[index]
            nodes = levels[level][:]
            for position, crossing, _, _ in step.ends:
                letter = word[position]
                node = nodes[crossing]
                nodes[crossing] = node.children.get(letter) or node.child(letter)
            current.append(index)
            following = self._fit(level + 1, nodes)
            if following and self._mirrored and level < 2:
                if level == 0:
                    following &= not_before(steps[1], word[1])
                else:
                    first = steps[0].words[current[0]]
                    self._weight = 1 + (word[0] > first[1])
            if following and level + 1 < final:
                levels.append(nodes)
                iterators.append(bits(following))
            else:
                if following:
                    self._complete(following, nodes)
                current.pop()
                if enough is not None and self.count >= enough:
                    return False
        return False

    def _fit(self, level: int, nodes: list[Beginning]) -> int:
        fitting = fit(self._steps[level], nodes)
        if not self._repeats:
            for before in self._same_steps[level]:
                fitting &= ~(1 << self._current[before])
        return fitting

    def _complete(self, fitting: int, nodes: list[Beginning]) -> None:
        """Count the fills that the words of the last step complete."""
        number = fitting.bit_count()
        if not (self._repeats and self._word_rules.plain):
            suspects = self._suspects(fitting, nodes)
            if suspects:
                number -= suspects.bit_count()
                number += sum(self._holds(index, nodes) for index in bits(suspects))
        self.count += self._weight * number

    def _suspects(self, fitting: int, nodes: list[Beginning]) -> int:
        """Which of the last step's words may stand in a fill whose words can't be together."""
        if not self._word_rules.plain:
            return fitting
        for a, b in self._same_crossing:
            if nodes[a].domain & nodes[b].domain:
                return fitting
        current = self._current
        for crossing, level in self._same_both:
            if nodes[crossing].domain >> current[level] & 1:
                return fitting
        suspects = 0
        for crossing in self._same_last:
            suspects |= nodes[crossing].domain
        return suspects & fitting

    def _holds(self, last: int, nodes: list[Beginning]) -> bool:
        step = self._steps[-1]
        ends = nodes[:]
        for position, crossing, _, _ in step.ends:
            node, letter = ends[crossing], step.words[last][position]
            ends[crossing] = node.children.get(letter) or node.child(letter)
        words = [
            step.words[index]
            for step, index in zip(self._steps, [*self._current, last], strict=True)
            if step.slot is not None
        ]
        words += [node.group.words[node.domain.bit_length() - 1] for node in ends]
        return self._word_rules.holds(words)
