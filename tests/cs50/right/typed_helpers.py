"""Type hints, a frozen tuple for every arc, and small helpers with names of their own."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from crossword import *  # noqa: F403
from plain import CrosswordCreator as Plain


class Arc(NamedTuple):
    tail: Variable  # noqa: F405
    head: Variable  # noqa: F405


class CrosswordCreator(Plain):
    def revise(self, x: Variable, y: Variable) -> bool:  # noqa: F405
        before = len(self.domains[x])
        if self.crossword.overlaps[x, y] is not None:
            self.domains[x] = {word for word in self.domains[x] if self._has_partner(x, y, word)}
        return len(self.domains[x]) < before

    def _has_partner(self, x, y, word: str) -> bool:
        mine, theirs = self.crossword.overlaps[x, y]
        for other in self.domains[y]:
            if word[mine] == other[theirs]:
                return True
        return False

    def _all_arcs(self) -> deque[Arc]:
        return deque(Arc(x, y) for x in self.domains for y in self.crossword.neighbors(x))

    def ac3(self, arcs: list | None = None) -> bool:
        queue = self._all_arcs() if arcs is None else deque(Arc(*arc) for arc in arcs)
        while queue:
            arc = queue.popleft()
            if not self.revise(*arc):
                continue
            if not self.domains[arc.tail]:
                return False
            queue.extend(Arc(z, arc.tail) for z in self.crossword.neighbors(arc.tail) - {arc.head})
        return True
