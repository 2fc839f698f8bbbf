"""Type hints and small helpers; neighbors lose words and get them back."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from crossword import *  # noqa: F403
from plain import CrosswordCreator as Plain


class Arc(NamedTuple):
    tail: Variable  # noqa: F405
    head: Variable  # noqa: F405


class CrosswordCreator(Plain):
    def enforce_node_consistency(self):
        for variable in self.domains:
            self.domains[variable] -= {
                w for w in self.domains[variable] if len(w) != variable.length
            }

    def order_domain_values(self, var, assignment):
        self.ruled_out = dict.fromkeys(self.domains[var], 0)
        for neighbor in self.crossword.neighbors(var):
            if neighbor in assignment:
                continue
            i, j = self.crossword.overlaps[var, neighbor]
            for word in self.ruled_out:
                agreeing = [other for other in self.domains[neighbor] if other[j] == word[i]]
                self.ruled_out[word] += len(self.domains[neighbor]) - len(agreeing)
        order = list(self.domains[var])
        order.sort()
        order.sort(key=self.ruled_out.get)
        return order

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

    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return dict(assignment)
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            assignment[var] = word
            removed = {}
            if self.consistent(assignment):
                for other in self.crossword.neighbors(var):
                    if other not in assignment:
                        i, j = self.crossword.overlaps[var, other]
                        gone = {theirs for theirs in self.domains[other] if theirs[j] != word[i]}
                        self.domains[other] -= gone
                        removed[other] = gone
                result = None
                if all(self.domains[other] for other in removed):
                    result = self.backtrack(assignment)
                for other, gone in removed.items():
                    self.domains[other] |= gone
                if result is not None:
                    return result
            assignment.pop(var)
        return None
