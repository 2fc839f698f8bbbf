"""Count the fills of a dense grid row by row.

The steps and the beginnings of crossing words are those of ``satcross.backends.search.row_sweep``.
The words that fit the last step are counted, not placed: each completes a fill, and only those that
could repeat a word are looked at one by one. In a full square, where mirroring a fill at the
diagonal gives another one, a fill whose first row comes before its first column in the second
letter stands for two.
"""

from __future__ import annotations

from itertools import combinations

from satcross.backends.search.row_sweep import (
    Beginning,
    RowSteps,
    extend,
    fit,
    is_its_own_mirror,
    not_before,
)
from satcross.network.arc_consistency import Candidates, bits
from satcross.run_settings import Deadline

_CLOCK_EVERY = 1 << 12


class SweepCount(RowSteps):
    """A count of the fills of a puzzle's candidates; ``run`` may be called again to continue.

    ``count`` is the number of fills found so far.
    """

    def __init__(self, candidates: Candidates) -> None:
        super().__init__(candidates)
        self._repeats = self._word_rules.repeats
        self._mirrored = len(self._steps) > 2 and is_its_own_mirror(candidates)
        self._weight = 1
        self.count = 0
        lexicons = candidates.network.lexicons
        own = [None if step.slot is None else lexicons[step.slot] for step in self._steps]
        other = [lexicons[slot] for slot in self._crossing]
        # Slots that could have the same word: earlier steps, and pairs of crossing slots and steps.
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
        """Count until all is counted, the deadline, ``max_nodes`` more words placed,
        or ``enough`` fills. Returns whether all is counted.
        """
        last = self.nodes + max_nodes
        iterators, final = self._iterators, len(self._steps) - 1
        if not iterators and self._start():
            return True
        while self.nodes < last:
            if self.nodes % _CLOCK_EVERY == 0 and deadline.passed:
                return False
            level = len(iterators) - 1
            index = next(iterators[level], None)
            if index is None:
                if self._go_back():
                    continue
                return True
            self.nodes += 1
            step = self._steps[level]
            nodes = extend(step, step.words[index], self._nodes[level])
            self._current.append(index)
            following = self._fit(level + 1, nodes)
            if self._mirrored and level < 2:
                following &= self._unmirrored(level)
            last_words = following if level + 1 == final else 0
            if last_words:
                self._complete(last_words, nodes)
            self._current.pop()
            if following and not last_words:
                self._descend(index, nodes, following)
            elif enough is not None and self.count >= enough:
                return False
        return False

    def _start(self) -> bool:
        """Begin with the first step's words; return whether that is the only step, and counted."""
        fitting = self._fit(0, self._nodes[0])
        if len(self._steps) == 1:
            self._complete(fitting, self._nodes[0])
            return True
        self._iterators.append(bits(fitting))
        return False

    def _unmirrored(self, level: int) -> int:
        """Return the words of the next step whose fills are counted, and set how often they count.

        ``level`` is that of the last word placed, the first or the second.
        """
        first = self._steps[0].words[self._current[0]]
        if level == 0:
            return not_before(self._steps[1], first[1])
        second = self._steps[1].words[self._current[1]]
        self._weight = 1 + (second[0] > first[1])
        return -1

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
        """Return the last step's words that may complete a fill which breaks a rule."""
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
        return self._word_rules.holds(self._fill(last, extend(step, step.words[last], nodes)))
